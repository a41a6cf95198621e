// @ts-check
// Above how often each run is right at each position; below where one of them looks from there; between them the hands,
// which turn with every token that one walks back.

import { accuracies, fromHome, nearer, turns } from "../lib/cliff.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, spoken } from "../lib/kit/format.js";
import { glider } from "../lib/kit/glide.js";
import { scale } from "../lib/kit/scales.js";
import { story } from "../lib/kit/story.js";
import { arrow, atAngle, circle, corners, dots, line, path, px, rect, text } from "../lib/kit/svg.js";
import { sayingAt, tape } from "../lib/letters.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point } from "../types" */
/** @import { Scene } from "../lib/kit/story.js" */
/** @import { Text } from "../lib/letters.js" */
/** @typedef {{ spectrum: string, k: number, position: number, back: number, step: number }} Traits */
/** @typedef {{ offset: number, weight: number }} Look */
/** @typedef {{ runs: number[][], mean: number[], weights: Look[][] }} Recorded */
/**
 * @typedef {{ spectrum: string, k: number, runs: string, mean: number[], weights: number[][], breaks: number,
 *   foreseen: number, text: Text }} Setting
 */

/**
 * @type {{ trained: number, usual: number, home: number, spectra: Record<string, number[]>,
 *   settings: Setting[], story: Scene[], outcomes: Record<string, [asks: string, says: string]> }}
 */
const {
  trained: TRAINED,
  usual: USUAL,
  home: HOME,
  spectra: SPECTRA,
  settings: SETTINGS,
  story: STORY,
  outcomes: OUTCOMES,
} = /** @type {any} */ (SPEC.constants);
const LAST = SPEC.traits.position.max;
const TESTED = LAST + 1;
const TEXT = 64; // pixels that the letters of one text take
const FALL = 7; // positions that a dot takes to fall, where they come one after the other
const [NEAR, SEEN] = [0.02, 0.004]; // a weight that has a name, and one that has a bar
/** A token that is hardly looked at has a bar's color only where it has a bar. */
const roleOf = (/** @type {number} */ weight) => (weight > NEAR ? "claimed" : "cosine");

// Where there is no room between the two, the lower one counts: names are not cut at the left.
const clamp = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
  Math.max(low, Math.min(high, x));
const between = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ part) =>
  a + (b - a) * part;
const ease = (/** @type {number} */ part) => part * part * (3 - 2 * part);
const percent = (/** @type {number} */ part) => `${Math.round(100 * part)} %`;
const range = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

/**
 * The setting of a spectrum and a task, or nothing.
 * @param {string} spectrum
 * @param {number} k
 */
const settingOf = (spectrum, k) => SETTINGS.find((one) => one.spectrum === spectrum && one.k === k);

/**
 * The setting of a spectrum and a task, or of the usual one if that was not trained.
 * @type {(spectrum: string, k: number) => Setting}
 */
const chosen = (spectrum, k) => settingOf(spectrum, k) ?? /** @type {Setting} */ (settingOf(spectrum, USUAL));

/**
 * Where the cursor goes in a setting, and the token that is compared; where the text ends before, there is none.
 * @param {Setting} setting
 */
const landing = ({ foreseen, k }) => ({
  position: Math.min(LAST, foreseen),
  back: foreseen > LAST ? k : foreseen,
});

/** @type {Map<Setting, Recorded>} */
const kept = new Map();

/**
 * What is recorded of a setting.
 * @param {Setting} setting
 */
function recorded(setting) {
  let found = kept.get(setting);
  if (!found) {
    const weights = setting.weights.map((row) =>
      range(0, row.length / 2).map((n) => ({ offset: row[2 * n], weight: row[2 * n + 1] / 1000 })),
    );
    const mean = setting.mean.map((value) => value / 100);
    found = { runs: accuracies(setting.runs, TESTED), mean, weights };
    kept.set(setting, found);
  }
  return found;
}

/**
 * Where the parts of the picture are, in pixels, when the hands have `open` of their room. A story has its words beside
 * its question; else both are below the picture, which is lower.
 * @param {number} width
 * @param {number} open
 * @param {boolean} told in a story
 */
function frame(width, open, told) {
  const narrow = width < 560;
  const [heights, lanes, bars] = narrow ? [70, 78, 46] : told ? [96, 90, 60] : [66, 62, 46];
  const [left, right, top] = [narrow ? 30 : 40, width - (narrow ? 5 : 12), 40];
  const step = (right - left) / TESTED;
  const side = clamp(0.76 * step, 1.6, 12);
  const room = lanes + 34; // what the hands take from the dots and from the bars
  const base = top + heights + 60 + room + bars + 14;
  const low = top + heights + 0.5 * room * (1 - open);
  return {
    ...{ narrow, left, right, top, step, side, base, low, lanes, bars: bars + 0.5 * room * (1 - open) },
    first: top + heights + 66, // the top of the lanes
    letters: base + (narrow ? 44 : 60), // the top of the text
    height: Math.ceil(base + (narrow ? 44 : 60) + TEXT),
    across: scale([-0.5, LAST + 0.5], [left, right]),
    x: (/** @type {number} */ i) => left + (i + 0.5) * step,
    at: (/** @type {number} */ x) => (x - left) / step - 0.5,
    y: (/** @type {number} */ value) => low - (low - top) * value,
  };
}
/** @typedef {ReturnType<typeof frame>} Frame */

/**
 * The axis of all positions, the three levels of an accuracy, and the stretch that was trained on.
 * @param {Frame} f
 * @param {number} p whose line runs through no number
 */
function ground({ left, right, low, step, x, y }, p) {
  const levels = [0, 50, 100].map(
    (level) =>
      line(left, y(level / 100), right, y(level / 100), level ? "grid hair" : "muted hair") +
      text([left - 6, y(level / 100) + 4], String(level), "small muted", "end"),
  );
  const each = step < 4 ? 20 : 10;
  const marks = range(0, Math.floor(LAST / each) + 1)
    .map((n) => n * each)
    .filter((i) => x(i) < right);
  const ticks = marks.map(
    (i) =>
      line(x(i), low, x(i), low + 4, "muted hair") +
      (Math.abs(x(i) - x(p)) < 13 ? "" : text([x(i), low + 17], String(i), "small muted")),
  );
  return levels.join("") + ticks.join("") + line(left, low, x(TRAINED - 0.5), low, "bold");
}

/**
 * What its parts are called; a name that the cursor would run through gives way to it.
 * @param {Frame} f
 * @param {number} p
 * @param {number} runs
 * @param {boolean} all whether the dots are there
 * @param {boolean} told in a story, which calls its tokens letters, as it shows them
 */
function names({ narrow, left, right, low, x }, p, runs, all, told) {
  const [small, room] = narrow ? ["small: one run", 80] : [`each small dot is one of ${runs} runs`, 190];
  const [trained, wide] = narrow
    ? [`trained on ${TRAINED}`, 110]
    : [told ? `trained on these ${TRAINED} letters` : `trained on these ${TRAINED} tokens`, 200];
  /** @type {[number, "start" | "end"]} where it begins or ends: at the left, or before the cursor, or behind it */
  let [at, anchor] = [left + 4, "start"];
  if (x(p) - left < wide) [at, anchor] = x(p) > wide ? [x(p) - 10, "end"] : [x(p) + 12, "start"];
  return (
    text([at, low - 9], trained, "small", anchor) +
    (all
      ? text([x(p) < left + room + 16 ? x(p) + 12 : left + 4, low + 32], small, "small muted", "start")
      : "") +
    text([x(p) > right - 64 ? x(p) - 12 : right, low + 32], told ? "letter" : "position", "small", "end") +
    text([2, 14], narrow ? "right, %" : "right answers, %", "small", "start")
  );
}

/**
 * A lane for each hand: the wave that it draws from the right token back, and where it has got to.
 * @param {Frame} f
 * @param {number[]} hands
 * @param {{ p: number, k: number, back: number }} walk
 */
function walked({ narrow, left, right, step, lanes, bars, first, base, x, at }, hands, { p, k, back }) {
  const few = hands.length < 4;
  const [from, to] = [x(p - back), x(p - k)];
  const steps = back - k;
  const gone = Math.abs(steps) > 0.4;
  const lane = lanes / hands.length;
  const swing = Math.min(narrow ? 16 : 26, lane / 2 - 1.5);
  const beads = gone && step > 4 && few ? range(0, Math.floor(Math.abs(steps)) + 1) : [];
  const waves = hands.map((omega, n) => {
    const middle = first + (n + 0.5) * lane;
    const height = (/** @type {number} */ place) => middle - swing * Math.cos(omega * (p - k - at(place)));
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    const pieces = Math.ceil((end - start) / clamp((Math.PI * step) / (8 * Math.abs(omega)), 0.7, 4));
    /** @type {Point[]} */
    const curve = range(0, pieces + 1).map((j) => {
      const place = start + ((end - start) * j) / Math.max(1, pieces);
      return [place, height(place)];
    });
    const way = Math.sign(steps) * step;
    return (
      (gone ? path(curve, few ? "cosine faint" : "cosine hair") : "") +
      (beads.length
        ? dots(
            beads.map((j) => [to - j * way, height(to - j * way)]),
            1.7,
            "cosine",
          )
        : "") +
      (gone ? circle([from, height(from)], few ? 4 : 2.6, "cosine fill") : "")
    );
  });
  // The dials are beyond the cursor; where there is no room, before the walk; else on the walk itself.
  const dials = few ? hands.map((omega) => [omega]) : [hands];
  const tall = lanes / dials.length;
  const radius = few ? tall / 2 - 6 : narrow ? 27 : 38;
  const below = !few && narrow; // where there is no room for a name at its side
  const low = few && tall < 36; // no room for a name above the turns
  const named = low ? 144 : few ? 86 : below ? 10 : 84;
  const beyond = x(p) + 2 * radius + (below ? 22 : 30) + named < right;
  const before = Math.min(from, to) - 2 * radius - 24 - named > left - 20;
  const side = beyond || !before ? 1 : -1;
  const hub = beyond
    ? x(p) + radius + 16
    : before
      ? Math.min(from, to) - radius - 16
      : to + 6 - (below ? 44 : radius + 8 + named);
  // On the walk they have a ground of their own.
  const edge = hub - (below ? 44 : radius + 12);
  const ground =
    beyond || before || !gone ? "" : rect(edge, first - 2, to + 6 - edge, lanes + 4, "var(--posenc-paper)");
  const told = dials.map((omegas, n) => {
    /** @type {Point} */
    const center = [hub, first + (n + 0.5) * tall - (below ? 8 : 0)];
    const off = omegas.map((omega) => fromHome(turns(omega, steps)));
    const home = steps > 1.5 && Math.max(...off) < HOME;
    const tip = atAngle(center, radius);
    const style = home ? "claimed" : "grid";
    const many = home
      ? "all are back"
      : `${off.filter((miss) => miss < HOME).length} of ${omegas.length} back`;
    const turned = few
      ? gone
        ? `${fixed(turns(omegas[0], steps), 3)} turns`
        : ""
      : steps > 1.5
        ? many
        : `${omegas.length} hands`;
    return (
      circle(center, radius, `${style} ring${home ? " thick" : ""}`) +
      line(hub, center[1] - radius, hub, center[1] - radius - 5, home ? "claimed thick" : "muted") +
      omegas
        .map((omega) => {
          const end = tip(omega * steps);
          return line(...center, ...end, few ? "thick" : "") + circle(end, few ? 4.5 : 3.2, "fill");
        })
        .join("") +
      (few
        ? text(
            [hub + side * (radius + 10 + (low && side < 0 && gone ? 84 : 0)), center[1] + (low ? 4 : -10)],
            n ? "second" : "fastest",
            "small muted",
            side > 0 ? "start" : "end",
          )
        : "") +
      text(
        below
          ? [hub, center[1] + radius + 16]
          : [hub + side * (radius + 10) + (low && side > 0 ? 54 : 0), center[1] + (few && !low ? 8 : 4)],
        turned,
        home ? "claimed strong" : "",
        below ? "middle" : side > 0 ? "start" : "end",
      )
    );
  });
  const span = first - 6;
  const middle = clamp((from + to) / 2, left + 26, x(p) - 34);
  const measure =
    path(
      [
        [from, span],
        [from, span - 5],
        [to, span - 5],
        [to, span],
      ],
      "muted hair",
    ) +
    (Math.abs(steps) > 3.5
      ? text([middle, span - 10], counted(Math.round(Math.abs(steps)), "step"), "small strong")
      : "");
  return (
    // The name of what is below, at the left, stays whole.
    (gone ? line(from, span, from, from < left + 130 ? base - bars - 30 : base - 5, "claimed dotted") : "") +
    waves.join("") +
    ground +
    told.join("") +
    (gone
      ? measure
      : beyond && to - left > 230
        ? text(
            [left + 4, first + lanes / 2 + 4],
            "the hands turn with each step back",
            "small muted",
            "start",
          )
        : "")
  );
}

/**
 * The tokens up to the cursor, a bar on each that is looked at, and an arc that reaches back to it.
 * @param {Frame} f
 * @param {Float64Array} weights by offset, as they are drawn
 * @param {{ p: number, k: number, back: number, returns: number, count: number }} what
 */
function attention(f, weights, { p, k, back, returns, count }) {
  const { narrow, right, base, bars, side, step, x } = f;
  const at = Math.round(p);
  const tall = Math.max(side, 7); // where the squares would be specks, they are strokes
  const square = (/** @type {number} */ i) =>
    `M${px(x(i) - side / 2)} ${px(base)}h${px(side)}v${px(tall)}h${px(-side)}z`;
  const looks = range(0, at + 1)
    .map((offset) => ({ offset, weight: weights[offset], place: x(p - offset) }))
    .filter(({ offset, weight }) => weight > SEEN && (offset === k || returns > 0));
  const drawn = looks.map(({ offset, weight, place }) => {
    const wide = clamp(0.74 * step, weight > NEAR ? 5 : 2.4, 12);
    const style = offset === k ? "shifted" : "claimed";
    const reach = (x(p) - place) / 2;
    const deep = Math.min(narrow ? 30 : 42, 8 + 0.16 * reach);
    const arc =
      weight > NEAR
        ? `<path class="${style}" d="M${px(x(p))} ${px(base + tall + 3)}` +
          `A${px(reach)} ${px(deep)} 0 0 1 ${px(place)} ${px(base + tall + 3)}"/>`
        : "";
    return (
      `<path class="${style} fill" d="M${px(place - wide / 2)} ${px(base - 4)}v${px(-weight * bars)}` +
      `h${px(wide)}V${px(base - 4)}z"/>${arc}`
    );
  });
  // The right token's name is beside the cursor, the other's beside its bar, and the two on lines of their own.
  const name = (/** @type {number} */ offset) => `${offset} back: ${percent(weights[offset])}`;
  const whole = Math.round(back);
  const lone = right - x(p) < 112;
  const ghost = x(p - back);
  // To its left, where on its right the bar of the right token is near.
  const beside = back > k && x(p - k) - ghost < 104 && ghost - f.left > (narrow ? 88 : 102);
  const high = (/** @type {number} */ weight) => base - 4 - weight * bars;
  const good = weights[k] > NEAR && at >= k;
  const other = returns > 0 && whole !== k;
  const role = roleOf(weights[whole]);
  const lift = clamp(high(weights[k]) + 12, base - bars + 8, base - 10);
  // A bar that this name would be taken for, beside it, gets its own; and the name is above that, joined to its token.
  const rival = narrow
    ? undefined
    : looks.find(
        ({ offset, weight, place }) =>
          ![k, whole].includes(offset) && weight > NEAR && back === whole && Math.abs(place - ghost) < 60,
      );
  const tag = rival ? clamp(high(rival.weight) + 9, base - bars + 25, base - 12) : 0;
  const under = rival ? tag - 17 : clamp(high(weights[whole]) - 7, base - bars + 8, base - 10);
  const split = Math.abs(lift - under) < 17 && good && other;
  const upper = split ? (lift <= under ? clamp(under - 17, base - bars - 4, base) : lift) : lift;
  const lower = split && lift > under ? clamp(lift - 17, base - bars - 4, base) : under;
  return `<path class="muted fill faint" d="${range(0, at + 1)
    .map(square)
    .join("")}"/>${`<path class="grid hair" d="${range(at + 1, TESTED)
    .map(square)
    .join("")}"/>`}${drawn.join("")}${
    other
      ? `<rect class="${role}" rx="2" x="${px(ghost - side / 2 - 2.5)}" y="${px(base - 2.5)}"` +
        ` width="${px(side + 5)}" height="${px(tall + 5)}"/>${text(
          [beside ? ghost - 7 : clamp(ghost + 7, 2, x(p) - (narrow ? 94 : 104)), lower],
          name(whole),
          `${role} strong small`,
          beside ? "end" : "start",
        )}`
      : ""
  }${
    other && rival
      ? line(ghost, lower + 3, ghost, base - 4, "claimed hair") +
        text([rival.place + 8, tag], name(rival.offset), "claimed small", "start")
      : ""
  }${
    good
      ? text(
          lone ? [x(p - k) - 9, upper] : [x(p) + 11, upper],
          name(k),
          "shifted strong small",
          lone ? "end" : "start",
        )
      : ""
  }${text(
    [2, base - bars - 14],
    narrow ? `attention, mean` : `attention, mean of ${count} runs`,
    "small clear",
    "start",
  )}`;
}

/**
 * What the reader has guessed, with its name on the side that is turned away from the cursor.
 * @param {Frame} f
 * @param {number} guess
 * @param {number} p
 */
const flag = (f, guess, p) => {
  const x = f.x(guess);
  const after = guess >= p ? x < f.right - 70 : x < f.left + 70;
  return (
    line(x, f.top - 4, x, f.low, "muted dashed") +
    text([x + (after ? 5 : -5), f.y(0.38) + 4], "your guess", "small", after ? "start" : "end")
  );
};

/**
 * The steps from the right token to the one that looks like it, as a measure over the dots, whose end can be dragged to
 * where another of the trained settings has it.
 * @param {Frame} f
 * @param {Setting} setting
 * @returns {{ markup: string, grips: Grip[] }}
 */
function measured(f, { spectrum, k, foreseen }) {
  const sets = SETTINGS.filter((one) => one.k === k && one.spectrum in OUTCOMES);
  if (sets.length < 2 || !(spectrum in OUTCOMES)) return { markup: "", grips: [] };
  const [y, there] = [27, foreseen <= LAST];
  const end = there ? f.x(foreseen) : f.right;
  const nearest = (/** @type {Point} */ [x]) => {
    const miss = sets.map((one) => Math.abs(one.foreseen - f.at(x)));
    return sets[miss.indexOf(Math.min(...miss))];
  };
  /** @type {Grip["moves"]} */
  const moves = {
    spectrum: (_, __, to) => nearest(to).spectrum,
    position: (_, __, to) => landing(nearest(to)).position,
    back: (_, __, to) => landing(nearest(to)).back,
  };
  const markup =
    (there
      ? line(f.x(k), y, end, y, "claimed hair")
      : arrow(
          [
            [f.x(k), y],
            [end, y],
          ],
          "claimed hair grasp",
        )) +
    line(f.x(k), y - 4, f.x(k), y + 4, "claimed hair") +
    (there ? circle([end, y], 6, "claimed ring thick grasp") : "") +
    text(
      [end - 13, y + 4],
      there ? spectrum : `${spectrum}: to ${foreseen}, not in this text`,
      "claimed strong small clear",
      "end",
    );
  return { markup, grips: [{ kind: "cursor", points: [[end, y]], moves }] };
}

export default explorer("Where it breaks", (/** @type {Kit<Traits>} */ kit) => {
  const told = kit.values().step > 0;
  // A story has the cursor's slider, and in its last step the spectra, of which a picture without a page says nothing.
  const offers = !told || "closest" in kit.root;
  if (told) for (const trait of /** @type {const} */ (["step", "k", "back"])) kit.keep(trait);
  else kit.choice("k", { label: "say *k* back" });
  if (offers) {
    kit.choice("spectrum", {
      label: told ? "Choose *N*: all hands are back after *N* steps." : "spectrum",
      style: "wide",
      options: told ? Object.keys(OUTCOMES).map((name) => [name, name.slice(4)]) : undefined,
    });
  } else kit.keep("spectrum");
  const spectra = told && offers ? kit.root.querySelector(".controls > :has([name=spectrum])") : null;
  const cursorSlider = kit.slider("position", { label: told ? "letter" : "position", style: "wide" });
  if (!told) kit.slider("back", { label: "tokens back", style: "claimed" });
  kit.smooth("position", "back");
  const tale = told ? story(kit, STORY) : null;
  const film = tale?.film ?? glider(kit);
  const part = (/** @type {string} */ name) => Math.min(kit.part(name), tale?.part(name) ?? 1);
  const plot = kit.panel({ height: (width) => frame(width, 1, told).height });
  const note = told ? null : kit.note("words", 3, 6);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const coarse = matchMedia("(pointer: coarse)");
  const weights = new Float64Array(TESTED);
  let begun = false;
  let guess = { at: -1, step: 0 };
  let last = { key: "", data: /** @type {Recorded | null} */ (null), came: 0 };
  /** @type {Recorded | null} what the dots come from, while they move from one setting to another */
  let old = null;

  // Whoever chooses a spectrum or a task sees the cursor run to where that one breaks.
  kit.on(kit.root, "change", ({ target }) => {
    if (target.name !== "spectrum" && target.name !== "k") return;
    const { spectrum, k } = kit.values();
    const { position, back } = landing(chosen(spectrum, k));
    const rest = { show: [], holds: false, even: false };
    film.go([
      { set: { back }, to: { position: position - 7 }, seconds: 0.7, ...rest },
      { set: {}, to: { position }, seconds: 1, ...rest },
    ]);
  });
  // The question and the answer of the story's last step are about the spectrum that is seen.
  const retell = (/** @type {string} */ spectrum) => {
    const said = kit.root.querySelector(/** @type {"p"} */ (".answered p"));
    const legend = kit.root.querySelector("legend");
    if (!said?.parentElement || !legend) return;
    const [asks, says] = OUTCOMES[spectrum];
    said.parentElement.style.minHeight = `${said.offsetHeight}px`; // what is below stays
    said.innerHTML = says;
    legend.textContent = asks;
  };
  // A guess at a position is marked in the drawing, at its own step of the story.
  const guessed = (/** @type {HTMLInputElement | null} */ input) => {
    if (input?.name !== "guess" || Number(input.max) !== LAST) return;
    guess = { at: Number(input.value), step: kit.values().step };
    kit.redraw();
  };
  kit.on(kit.root, "input", ({ target }) => guessed(target));
  kit.on(kit.root, "submit", ({ target }) => guessed(target.querySelector("input")));
  for (const event of ["pointerdown", "keydown"]) {
    kit.on(kit.root, event, ({ target }) => target.name !== "spectrum" && target.name !== "k" && film.stop());
  }

  return (values) => {
    tale?.follow(values.step);
    const { spectrum } = values;
    const setting = chosen(spectrum, values.k);
    const { k } = setting;
    const data = recorded(setting);
    const hands = SPECTRA[spectrum];
    const [beyond, returns, open] = ["beyond", "returns", "hands"].map(part);
    const others = told && values.step === 2 ? 1 : returns; // the step before has shown whom the head looks at
    const jump = !begun || calm.matches;
    const p = beyond > 0 ? values.position : Math.min(values.position, TRAINED - 1);
    const at = Math.round(p);
    if (spectra) {
      const form = /** @type {HTMLElement} */ (kit.root.querySelector(".controls"));
      const due = kit.values().step === STORY.length && kit.root.dataset.state === "answered";
      if (due && !form.contains(spectra)) form.prepend(spectra);
      if (!due) spectra.remove();
    }
    const end = String(told && !beyond ? TRAINED - 1 : LAST);
    if (cursorSlider.max !== end) Object.assign(cursorSlider, { max: end, value: String(at) });
    const back = Math.min(values.back, p);
    const now = performance.now();
    const f = frame(plot.width, open, told);
    // The slider's knob is below the cursor.
    if (told) {
      const knob = coarse.matches ? 13 : 9; // half of it (explorer.css)
      const track = [f.x(0) - knob, f.x(Number(end)) + knob];
      Object.assign(cursorSlider.style, {
        marginLeft: `${px(track[0])}px`,
        // Where the window has shrunk, it is within it before the drawing is.
        width: `min(${px(track[1] - track[0])}px, 100% + ${px(knob - track[0])}px)`,
      });
    }
    for (const input of kit.root.querySelectorAll("input[name=k]")) {
      const option = SPEC.traits.k.options[[.../** @type {any} */ (input).form.elements.k].indexOf(input)];
      /** @type {HTMLInputElement} */ (input).disabled = !settingOf(spectrum, option);
    }

    // Bars follow their values softly, and dots go from where they were to where they are.
    const bars = new Float64Array(TESTED);
    for (const { offset, weight } of data.weights[at]) bars[offset] = weight;
    let moving = false;
    bars.forEach((to, offset) => {
      weights[offset] = jump ? to : nearer(weights[offset], to);
      moving ||= weights[offset] !== to;
    });
    const key = `${spectrum} ${k}`;
    if (key !== last.key) {
      old = jump || beyond < 1 ? null : last.data;
      last = { key, data, came: jump ? 0 : now };
      if (begun && told && kit.root.dataset.state === "answered") retell(spectrum);
    }
    begun = true;
    const mix = old ? ease(clamp((now - last.came) / 900, 0, 1)) : 1;
    if (mix === 1) old = null;
    if (moving || old) kit.redraw();

    const shown = TRAINED + beyond * (TESTED - TRAINED + FALL + 1);
    const until = Math.min(TESTED, Math.floor(shown));
    const before = old ?? data;
    const place = (/** @type {number} */ i, /** @type {number} */ then, /** @type {number} */ now) => {
      const fallen = i < TRAINED ? 1 : ease(clamp((shown - i) / FALL, 0, 1));
      return /** @type {Point} */ ([f.x(i), f.y(between(1, between(then, now, mix), fallen))]);
    };
    const asked = range(k, until);
    const means = asked.map((i) => place(i, before.mean[i], data.mean[i]));
    const each = data.runs.flatMap((run, n) => asked.map((i) => place(i, before.runs[n][i], run[i])));
    const known = at < until && at >= k;
    const accuracy = data.mean[at];
    const right = told
      ? `Letter ${at}: ${percent(accuracy)} right`
      : `token ${at}: ${percent(accuracy)} right`;
    const said = known ? right : told ? `Letter ${at}` : `token ${at}`;
    const reach = f.narrow ? 82 : 90;
    const named = clamp(f.x(p), (f.narrow ? 60 : 116) + reach, f.right - reach);

    const area = (/** @type {number} */ above, /** @type {number} */ below) =>
      corners(f.left, above, f.right - f.left, below - above);
    // A press takes the cursor there, or among the hands the token that is walked to.
    /** @type {Grip["moves"][string]} */
    const here = (_, __, to) => f.at(to[0]);
    /** @type {Grip["moves"][string]} */
    const there = (_, __, to) => p - f.at(to[0]);
    /** @type {Grip["moves"][string]} */
    const slide = (value, from, to) => value - (to[0] - from[0]) / f.step;
    /** @type {[number, number, Grip["moves"]][]} */
    const places = [
      [f.top - 10, f.low + 22, { position: here }],
      ...(open > 0.9
        ? [/** @type {[number, number, Grip["moves"]]} */ ([f.first - 4, f.first + f.lanes, { back: there }])]
        : []),
      [f.base - f.bars, f.base + f.side + 20, { position: here }],
    ];
    const looks = data.weights[at].filter(({ weight }) => weight > NEAR).sort((a, b) => b.weight - a.weight);
    const made = hands.map((omega) => turns(omega, back - k));
    const worst = Math.min(...data.runs.map((run) => run[at]));
    const best = Math.max(...data.runs.map((run) => run[at]));
    const heard = looks.map(({ offset, weight }) => `${offset} back ${percent(weight)}`).join(", ");
    const role = roleOf(weights[Math.round(back)]);
    const read = tape(setting.text, {
      left: f.narrow ? 0 : f.left,
      right: f.right,
      top: f.letters,
      cell: 24,
      p,
      until: at,
      rival: Math.round(back),
      returns: others,
      trained: TRAINED,
      plain: true,
      style: role,
    });
    const measure = beyond + returns === 2 && open > 0.9 ? measured(f, setting) : { markup: "", grips: [] };
    plot.draw(
      ground(f, p) +
        dots(each, f.narrow ? 0.75 : 1.4, "muted faint") +
        (guess.at < 0 || guess.step !== values.step ? "" : flag(f, guess.at, p)) +
        line(f.x(p), measure.markup ? f.top - 6 : 20, f.x(p), f.base + f.side) +
        measure.markup +
        (open > 0.5
          ? `<g opacity="${px(2 * open - 1)}">${walked(f, hands, { p, k, back: returns > 0 ? back : k })}</g>`
          : "") +
        attention(f, weights, {
          p,
          k,
          back,
          returns: others,
          count: data.runs.length,
        }) +
        dots(means, f.narrow ? 1.5 : 2.5) +
        (known ? circle([f.x(p), means[at - k][1]], f.narrow ? 3.4 : 4.6, "fill") : "") +
        circle([f.x(p), f.low], 6, "ring knob") +
        read.markup +
        names(f, p, data.runs.length, beyond === 1, told) +
        text([named, 14], said, "strong"),
      `Accuracy by position and attention by token, ${spoken(spectrum)}. Token ${at}${
        known ? `: ${percent(accuracy)} right on average, ${percent(worst)} to ${percent(best)}.` : "."
      } Attention, mean of all runs: ${heard || spoken("none")}. One text: ${sayingAt(setting.text, at)}${
        returns > 0 && open > 0.5
          ? ` Compared: ${values.back} back; hands ${made.map((count) => fixed(count, 2)).join(", ")} turns.`
          : ""
      }`,
      [
        ...places.map(([above, below, moves]) => ({
          kind: /** @type {const} */ ("cursor"),
          points: area(above, below),
          moves,
        })),
        ...measure.grips,
        cursor(
          "position",
          [f.top - 8, f.base].map((end) => [f.x(p), end]),
          f.across,
        ),
        ...(open > 0.9
          ? [
              {
                kind: /** @type {const} */ ("cursor"),
                points: [f.first, f.base].map((end) => /** @type {Point} */ ([f.x(p - back), end])),
                moves: { back: slide },
              },
            ]
          : []),
      ],
    );
    if (note) {
      const two = made.slice(0, 2).map((count) => `<b>${fixed(count, 3)}</b>`);
      const off = made.map(fromHome);
      const home =
        hands.length > 2
          ? `${off.filter((miss) => miss < HOME).length} of ${hands.length} hands are back`
          : "";
      note.innerHTML = `${
        known
          ? `At token <b>${at}</b> the ${data.runs.length} runs are right in <b>${percent(accuracy)}</b>, from` +
            ` ${percent(worst)} to ${percent(best)}. `
          : ""
      }<div>${
        back === k
          ? `The token ${k} back is the right one.`
          : `From <span class="shifted">${k} back</span> to <span class="${role}">${Math.round(back)} back</span>: in` +
            ` ${counted(Math.abs(Math.round(back) - k), "step")} ${
              home || `the two fastest hands make ${two.join(" and ")} turns`
            }.`
      }</div>`;
    }
    return {
      looks_back: k,
      breaks: setting.breaks,
      foreseen: setting.foreseen,
      accuracy: known ? accuracy : null,
      runs: known ? data.runs.map((run) => run[at]) : null,
      attention: looks.map(({ offset, weight }) => [offset, weight]),
      compared: Math.round(back),
      turns: made,
    };
  };
});
