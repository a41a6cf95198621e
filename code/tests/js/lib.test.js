// @ts-check
// The functions of wavebook/explorers/js/lib against what Python says they return. `npm run test`, in code/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const LIB = new URL("../../wavebook/explorers/js/lib/", import.meta.url);
/** Exported functions that need a page; tests/test_explorer*.py run them in a browser. */
const ELSEWHERE = new Set([
  "kit/drag.beckon",
  "kit/drag.draggable",
  "kit/controls.controlsOf",
  "kit/explorer.explorer",
  "kit/page.make",
  "kit/panel.makePanel",
  "kit/glide.glider",
  "kit/play.player",
  "kit/prediction.predict",
  "kit/sketch.sketch",
  "kit/story.story",
  "kit/tones.makeTones",
  "letters.tape",
]);

/** @typedef {(...args: any[]) => any} Callable */

/** @type {Set<string>} */
const called = new Set();
/** @type {Set<string>} */
const exported = new Set();
/** @type {Record<string, Record<string, Callable>>} */
const lib = {};
for (const file of readdirSync(LIB, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".js")) continue;
  const module = file.slice(0, -3).replaceAll("\\", "/");
  lib[module] = {};
  for (const [name, value] of Object.entries(await import(new URL(file, LIB).href))) {
    if (typeof value !== "function") continue;
    exported.add(`${module}.${name}`);
    lib[module][name] = (...args) => {
      called.add(`${module}.${name}`);
      return value(...args);
    };
  }
}

/**
 * Whether two values agree, typed arrays as good as lists; numbers to a tolerance, relative above 1 and
 * absolute below.
 * @param {any} got
 * @param {any} wanted
 * @param {number} tolerance
 * @returns {boolean}
 */
function agree(got, wanted, tolerance) {
  if (typeof got === "number" && typeof wanted === "number") {
    return Math.abs(got - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
  }
  if (typeof got !== "object" || typeof wanted !== "object") return got === wanted;
  if (Array.isArray(wanted) && got.length !== wanted.length) return false;
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(got).length && keys.every((key) => agree(got[key], wanted[key], tolerance))
  );
}

/** @type {[string, string, any[], any, number][]} */
const vectors = JSON.parse(
  execFileSync(process.env.PYTHON ?? "python3", [fileURLToPath(new URL("vectors.py", import.meta.url))], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  }),
);
const functions = Map.groupBy(vectors, ([module, name]) => `${module}.${name}`);
for (const [name, cases] of functions) {
  test(name, () => {
    for (const [module, own, args, wanted, tolerance] of cases) {
      assert.ok(lib[module]?.[own], `there is no ${name}`);
      const got = lib[module][own](...args);
      const says = () =>
        `${name}(${JSON.stringify(args)}) is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
      assert.ok(agree(got, wanted, tolerance), says().slice(0, 2000));
    }
  });
}

// --- Functions of functions, which no vector can hold.

test("kit/svg.sample takes both ends, and equal steps between them", () => {
  assert.deepEqual(
    lib["kit/svg"].sample(1, 3, 4, (/** @type {number} */ t) => 2 * t),
    [2, 3, 4, 5, 6],
  );
  assert.deepEqual(
    lib["kit/svg"].sample(1, 1, 0, (/** @type {number} */ t) => t),
    [1],
    "no step",
  );
});

test("kit/format.spoken is what the table says for a word, or the word", async () => {
  const { SPEC } = await import("../../wavebook/explorers/js/spec.js");
  SPEC.words = { on: "án" };
  assert.deepEqual(["on", "off"].map(lib["kit/format"].spoken), ["án", "off"]);
  delete SPEC.words;
});

test("kit/format.counted names one, or many", () => {
  const { counted } = lib["kit/format"];
  assert.deepEqual(
    [0, 1, 2].map((n) => counted(n, "turn")),
    ["0 turns", "1 turn", "2 turns"],
  );
  assert.equal(counted(1, "entry", "entries"), "1 entry");
  assert.equal(counted(16, "entry", "entries"), "16 entries");
});

test("kit/svg.beside writes toward the middle of the panel", () => {
  const { beside } = lib["kit/svg"];
  assert.match(beside([40, 9], "near", "muted", 100), /class="muted" x="46" y="9" text-anchor="start">near</);
  assert.match(beside([160, 9], "far", "muted", 100, 10), / x="150" y="9" text-anchor="end">far</);
});

test("kit/svg.cell is filled from its middle, up for what is positive and down for the rest", () => {
  const { cell } = lib["kit/svg"];
  const filled = [1, 0.5, -0.5].map((value) => cell(10, 20, 8, 40, value, "sine"));
  assert.match(
    filled[0],
    /^<rect class="plain" x="10" y="20" width="8" height="20" style="fill:var\(--posenc-sine\)"/,
  );
  assert.match(filled[1], /^<rect [^>]* y="30" width="8" height="10"/);
  assert.match(filled[2], /^<rect [^>]* y="40" width="8" height="10"/);
  assert.match(filled[0], /<path class="sine hair" d="M10 40L18 40"\/>$/);
});

test("kit/svg.onDial has (sine, cosine) = (0, 1) at the top and (1, 0) at the right", () => {
  const at = lib["kit/svg"].onDial([50, 60], 20);
  assert.deepEqual(
    [at([0, 1]), at([1, 0]), at([0, -1], 0.5)],
    [
      [50, 40],
      [70, 60],
      [50, 70],
    ],
  );
});

test("kit/svg.atAngle goes clockwise from the top", () => {
  const at = lib["kit/svg"].atAngle([50, 60], 20);
  assert.deepEqual(at(0), [50, 40]);
  const [x, y] = at(Math.PI / 2, 0.5);
  assert.ok(Math.abs(x - 60) < 1e-9 && Math.abs(y - 60) < 1e-9);
});

test("kit/scales.scale takes the domain's ends to the range's", () => {
  const even = lib["kit/scales"].scale([-1, 3], [100, 20]);
  assert.deepEqual([-1, 1, 3].map(even), [100, 60, 20]);
  const log = lib["kit/scales"].scale([1, 100], [0, 10], "log");
  assert.deepEqual([1, 10, 100].map(log), [0, 5, 10]);
  assert.deepEqual([log.domain, log.range, log.kind], [[1, 100], [0, 10], "log"]);
});

test("kit/scales.axes draws each tick once, with powers of ten where numbers would be long", () => {
  const { axes, scale } = lib["kit/scales"];
  const markup = axes(scale([0, 1], [30, 100]), scale([1e-8, 1], [100, 0], "log"), {
    xName: "*x*",
    xTicks: [0, 1],
  });
  assert.equal(markup.match(/<text/g).length, 2 + 5 + 2); // the ticks across, those up, and two names
  assert.match(markup, /10<tspan dy="-4" font-size="75%">\u22128<\/tspan>/);
  assert.match(markup, /<tspan class="var" data-symbol="x">x<\/tspan>/);
});

test("kit/scales.inFrame cuts a line where it leaves the frame and where it comes back", () => {
  const { inFrame, scale } = lib["kit/scales"];
  const y = scale([-1, 1], [100, 0]);
  const cut = (/** @type {number[]} */ ...values) =>
    inFrame(
      values.map((value, x) => [10 * x, value]),
      y,
    );
  assert.deepEqual(cut(0, 0.5), [[[0, 50], [10, 25]]]); // prettier-ignore
  assert.deepEqual(cut(0, -2), [[[0, 50], [5, 100]]]); // prettier-ignore
  assert.deepEqual(cut(-3, 1), [[[5, 100], [10, 0]]]); // prettier-ignore
  assert.deepEqual(cut(-2, 2, 3, 0), [[[2.5, 100], [7.5, 0]], [[20 + 20 / 3, 0], [30, 50]]]); // prettier-ignore
  assert.deepEqual(cut(1, 2), [[[0, 0]]]);
  assert.deepEqual(cut(2, -2), [[[2.5, 0], [7.5, 100]]]); // prettier-ignore
  assert.deepEqual(cut(5, 4), []);
});

// --- Settings in an address

test("kit/link.askedFor finds what an address asks of one explorer", () => {
  const { askedFor } = lib["kit/link"];
  const address =
    "?clock.position=7&clock-2.base=3&q=x&clock.d_model=4&clock.position=1e2&clockwise.x=1&clock=5";
  assert.deepEqual(
    [...askedFor(address, "clock")],
    [
      ["position", "1e2"],
      ["d_model", "4"],
    ],
  );
  assert.deepEqual([...askedFor(address, "clock-2")], [["base", "3"]]);
  assert.deepEqual([...askedFor("", "clock")], []);
  assert.deepEqual([...askedFor("?a.b=NTK%2Daware+%26+1", "a")], [["b", "NTK-aware & 1"]]);
});

test("kit/link.readSetting takes what a control can be set to, and says what else it wanted", () => {
  const { readSetting } = lib["kit/link"];
  const width = { min: 2, max: 16, step: 2 };
  const wanted = "a number from 2 to 16 in steps of 2";
  for (const [text, value] of Object.entries({ 2: 2, 16: 16, "8.0": 8, "1e1": 10 })) {
    assert.deepEqual(readSetting(text, width), { value, wanted });
  }
  for (const text of ["7", "18", "0", "-4", "", " ", "four", "NaN", "Infinity", "4,0", "4 4", "\u22124"]) {
    assert.deepEqual(readSetting(text, width), { value: undefined, wanted }, text);
  }
  assert.equal(readSetting("0.3", { min: 0, max: 2, step: 0.05 }).value, 0.3);
  assert.equal(readSetting("0.33", { min: 0, max: 2, step: 0.05 }).value, undefined);
  const base = { min: 2, max: 1e7, step: 0.01, log: true };
  assert.deepEqual(readSetting("12345.6", base), { value: 12345.6, wanted: "a number from 2 to 10,000,000" });
  assert.equal(readSetting("1.9", base).value, undefined);
  const method = { options: ["YaRN", "NTK-aware", 44] };
  assert.equal(readSetting("NTK-aware", method).value, "NTK-aware");
  assert.equal(readSetting("44", method).value, 44);
  assert.deepEqual(readSetting("yarn", method), { value: undefined, wanted: "one of YaRN, NTK-aware, 44" });
});

test("kit/link.queryOf names the settings of an explorer", () => {
  const { askedFor, queryOf } = lib["kit/link"];
  assert.equal(queryOf("clock", []), "");
  const settings = [
    ["d_model", 6],
    ["method", "a&b=c +#?"],
  ];
  const query = queryOf("clock-2", settings);
  assert.match(query, /^clock-2\.d_model=6&clock-2\.method=[^&+# ]*$/);
  assert.deepEqual([...askedFor(`?${query}`, "clock-2")], [["d_model", "6"], settings[1]]);
});

test("kit/link.placeAt names an explorer, and says what was not understood", () => {
  const { placeAt } = lib["kit/link"];
  const made = { textContent: "", setAttribute() {} };
  /** @type {any[]} */
  const before = [];
  const root = { id: "", prepend: (/** @type {any} */ note) => before.push(note) };
  Object.assign(globalThis, { document: { createElement: () => made } });
  placeAt(root, "clock-2", []);
  assert.equal(root.id, "explorer-clock-2");
  assert.equal(before.length, 0);
  placeAt(root, "clock-2", ["a", "b"]);
  assert.equal(before[0], made);
  assert.match(made.textContent, /asks for a; b\. /);
});

test("kit/page.footOf is the first row of controls, and says how much is below it", () => {
  const said = /** @type {Record<string, string>} */ ({});
  const style = {
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => (said[name] = value),
  };
  const { footOf } = lib["kit/page"];
  assert.equal(
    footOf({ style, offsetHeight: 200, firstElementChild: { offsetTop: 4, offsetHeight: 50 } }),
    68,
  );
  assert.deepEqual(said, { "--below": "132px" });
  assert.equal(footOf({ style, offsetHeight: 0, firstElementChild: null }), 0);
});

test("kit/page.placeIn is in a drawing's pixels, however large they are shown", () => {
  const { placeIn, zoomOf } = lib["kit/page"];
  const svg = { currentCSSZoom: 2, getBoundingClientRect: () => ({ left: 100, top: 50 }) };
  assert.equal(zoomOf(svg), 2);
  assert.equal(zoomOf({}), 1);
  assert.deepEqual(placeIn(svg, { clientX: 140, clientY: 80 }), [20, 15]);
});

// --- Dragging

/** @type {(got: number, wanted: number) => void} */
const near = (got, wanted) => assert.ok(Math.abs(got - wanted) < 1e-9, `${got}, not ${wanted}`);

test("kit/drag.turned counts whole turns, clockwise", () => {
  const { turned } = lib["kit/drag"];
  const place = (/** @type {number} */ angle) => [10 + 5 * Math.sin(angle), 20 - 5 * Math.cos(angle)];
  let value = 3;
  for (let j = 0; j < 40; j += 1) value = turned(value, place(j), place(j + 1), [10, 20], 0.5);
  near(value, 3 + 40 / 0.5);
  for (let j = 40; j > 0; j -= 1) value = turned(value, place(j), place(j - 1), [10, 20], 0.5);
  near(value, 3);
  near(turned(3, place(0), place(1), [10, 20], -0.5), 1); // a hand that turns the other way
  near(turned(3, [10, 20], place(1), [10, 20], 1), 3); // the center has no angle
});

test("kit/drag.slid is the way along a scale", () => {
  const { slid } = lib["kit/drag"];
  const { scale } = lib["kit/scales"];
  near(slid(3, [100, 7], [150, 900], scale([0, 10], [0, 500])), 4);
  near(slid(3, [0, 0], [50, 0], scale([0, 10], [500, 0])), 2);
  near(slid(10, [0, 0], [50, 0], scale([1, 1e5], [0, 250], "log")), 100);
  near(slid(10, [0, 50], [0, 0], scale([1, 1e5], [0, 250], "log"), 1), 1);
});

test("kit/drag.pushed follows a point on its way over the screen", () => {
  const { pushed } = lib["kit/drag"];
  near(pushed(3, [0, 0], [30, 40], [30, 40]), 4);
  near(pushed(3, [0, 0], [-40, 30], [30, 40]), 3); // across its way
  near(pushed(3, [0, 0], [1, 0], [0.01, 0]), 3 + 0.01 / 16); // it hardly moves, and the value does not jump
});

test("kit/drag.snapped is the slider's nearest value", () => {
  const { snapped } = lib["kit/drag"];
  const width = { min: 2, max: 16, step: 2 };
  assert.deepEqual(
    [-9, 2.9, 3.1, 7, 15.2, 99].map((value) => snapped(value, width)),
    [2, 2, 4, 8, 16, 16],
  );
  assert.equal(snapped(0.31, { min: 0, max: 100, step: 0.1 }), 0.3); // and not 0.30000000000000004
  assert.equal(snapped(-0.4, { min: -12, max: 12, step: 1 }), 0);
  const base = { min: 2, max: 1e7, step: 0.01, log: true };
  assert.deepEqual(
    [1, 999, 1010, 1e9].map((value) => snapped(value, base)),
    [2, 1000, 1000, 1e7],
  );
});

test("kit/drag.away is the distance from a line, or a point", () => {
  const { away } = lib["kit/drag"];
  near(away([3, 4], [[0, 0]]), 5);
  const line = [
    [0, 0],
    [10, 0],
  ];
  near(away([5, 3], line), 3);
  near(away([13, 4], line), 5);
});

test("kit/drag: a grip moves its trait, and the pointer meets it where it is", () => {
  const { cursor, gripMarkup, hand } = lib["kit/drag"];
  const arm = [
    [10, 20],
    [10, 15],
  ];
  const grips = [
    hand("position", arm, [10, 20], 2),
    cursor("offset", [[50, 30]], { domain: [0, 10], range: [0, 100], kind: "linear" }),
  ];
  near(grips[0].moves.position(1, [10, 15], [15, 20]), 1 + Math.PI / 4);
  near(grips[1].moves.offset(5, [50, 30], [60, 0]), 6);
  const area = { kind: "map", points: [...arm, [0, 0]], moves: {} };
  assert.deepEqual(gripMarkup([...grips, area]).match(/class="[^"]*"|data-grip="."|d="[^"]*"/g), [
    'class="grip hand"',
    'data-grip="0"',
    'd="M10 20L10 15"',
    'class="grip cursor"',
    'data-grip="1"',
    'd="M50 30h.01"',
    'class="grip map area"',
    'data-grip="2"',
    'd="M10 20L10 15L0 0Z"',
  ]);
});

test("an unknown name is an error", () => {
  assert.throws(() => lib.context.extended("stretched", 2, 8, 100, 64, {}), /no method stretched/);
  assert.throws(() => lib.spectra.spectrum("red", 8, 100, { uniform: [], normal: [] }), /called red/);
});

after(() => {
  const missed = [...exported].filter((name) => !called.has(name) && !ELSEWHERE.has(name));
  assert.deepEqual(missed, [], "exported by lib, and not tested");
  assert.deepEqual(
    [...ELSEWHERE].filter((name) => !exported.has(name)),
    [],
    "no longer exported",
  );
});
