// @ts-check
// The functions of posenc/explorers/js/lib against what Python says they return. `npm run test`, in code/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const LIB = new URL("../../posenc/explorers/js/lib/", import.meta.url);
/** Exported functions that need a page; tests/test_explorers.py and test_explorer_predictions.py run them in a browser. */
const ELSEWHERE = new Set(["kit/explorer.explorer", "kit/prediction.predict"]);

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
 * Whether two values agree, typed arrays as good as lists; numbers to a tolerance, relative above 1 and absolute below.
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
  assert.match(markup, /<tspan class="var">x<\/tspan>/);
});

test("biases.bucketMeans has the mean of each bucket, the last up to the furthest", () => {
  assert.deepEqual(
    lib.biases.bucketMeans((/** @type {number} */ k) => k, [0, 1, 4], 6),
    [0, 2, 5],
  );
});

test("an unknown name is an error", () => {
  assert.throws(
    () => lib.context.extended("stretched", 2, 8, 100, 64, { slow: 1, fast: 32 }),
    /no method stretched/,
  );
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
