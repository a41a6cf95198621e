// @ts-check
// Accuracy by position of the recorded runs: the mean over the seeds and all seeds between, for two encodings.

import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { corners, line, path, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** By position: the mean over the seeds in percent, and how far the seeds reach below and above it. */
/** @typedef {[number[], number[], number[]]} Band */

const { trained: TRAINED, tested: TESTED, together: TOGETHER, parts: PARTS, chance: CHANCE } = SPEC.constants;
/** @type {{ bands: Band[], over: number[][] }} */
const { bands: BANDS, over: OVER } = /** @type {any} */ (SPEC.constants);
/** @type {string[]} */
const ENCODINGS = SPEC.traits.encoding.options;
/** @type {Record<string, string>} */
const SHORT = {
  "sinusoidal, random starts": "random starts",
  "sinusoidal, random positions": "random positions",
  "RoPE, half of each head": "half RoPE",
};
const caption = (/** @type {string} */ name) => SHORT[name] ?? name;
const middle = (/** @type {number} */ bin) => bin * TOGETHER + (TOGETHER - 1) / 2;
const STYLES = ["", "shifted"];

/** @typedef {{ encoding: string, beside: string, position: number }} Traits */

export default explorer("Accuracy by position", (/** @type {Kit<Traits>} */ kit) => {
  const offered = ENCODINGS.map((name) => /** @type {[string, string]} */ ([name, caption(name)]));
  kit.choice("encoding", { label: "encoding", style: "wide", options: offered });
  kit.choice("beside", { label: "beside it", style: "wide shifted", options: offered });
  kit.slider("position", { label: "position *p*" });
  const plot = kit.panel({ height: (width) => (width < 420 ? 220 : 280), basis: 620 });
  const note = kit.note("", 4, 8);

  return ({ encoding, beside, position }) => {
    const names = encoding === beside ? [encoding] : [encoding, beside];
    const readings = names.map((name) => reading(name, position));
    const x = scale([0, TESTED], [38, plot.width - 54]);
    const y = scale([0, 1], [plot.height - 40, 34]);
    const shown = names.map((name) => {
      const [means, below, above] = BANDS[ENCODINGS.indexOf(name)];
      const curve = (/** @type {(bin: number) => number} */ percent) =>
        means.map((_, bin) => /** @type {Point} */ ([x(middle(bin)), y(percent(bin) / 100)]));
      return {
        low: curve((bin) => means[bin] - below[bin]),
        mean: curve((bin) => means[bin]),
        high: curve((bin) => means[bin] + above[bin]),
      };
    });

    const places = labelPlaces(
      shown.map(({ mean }, n) => ({ curve: mean, wide: 7.4 * caption(names[n]).length })),
      { left: x(TRAINED) + 4, right: x(TESTED), top: y(1) - 16, bottom: y(0) - 4 },
      y(CHANCE),
    );

    plot.draw(
      axes(x, y, {
        xName: "position",
        yName: "accuracy",
        xTicks: [0, 32, 64, 96, 128],
        yTicks: [0, 0.5, 1],
      }) +
        path(corners(x(0), y(1), x(TRAINED) - x(0), y(0) - y(1)), "muted wash", true) +
        text([x(TRAINED / 2), y(0.62)], "trained", "muted small") +
        line(x(0), y(CHANCE), x(TESTED), y(CHANCE), "muted dashed") +
        text([x(TESTED) + 5, y(CHANCE) + 4], "chance", "muted small", "start") +
        shown
          .map(
            ({ low, high, mean }, n) =>
              path([...low, ...high.slice().reverse()], `${STYLES[n]} wash`, true) +
              path(mean, `${STYLES[n]} thick`),
          )
          .join("") +
        line(x(position), y(1), x(position), y(0), "muted hair") +
        names.map((name, n) => text(places[n], caption(name), STYLES[n])).join(""),
      `Accuracy by position, the token three back: ${readings.map((each) => told(each)).join("; ")}.` +
        ` Trained on positions 0 to ${TRAINED - 1}; chance is ${fixed(CHANCE, 2)}.`,
      [
        cursor(
          "position",
          [y(1), y(0)].map((height) => /** @type {Point} */ ([x(position), height])),
          x,
        ),
      ],
    );
    note.innerHTML = names
      .map((name, n) => `<div><b class="${STYLES[n]}">${caption(name)}</b>: ${told(readings[n], true)}</div>`)
      .join("");
    return { curves: readings, trained: TRAINED, chance: CHANCE };
  };
});

/**
 * Where the curves' names are, each beside its own curve: where it is next to it, and meets neither the other curve nor
 * the dashed line at `level` nor the other name.
 * @param {{ curve: Point[], wide: number }[]} named
 * @param {{ left: number, right: number, top: number, bottom: number }} room
 * @param {number} level
 * @returns {Point[]} the middles of their lines
 */
function labelPlaces(named, { left, right, top, bottom }, level) {
  const [ABOVE, BELOW] = [13, 4]; // pixels of a letter over its line and under it
  /** @typedef {{ x: number, y: number, half: number }} Name */
  const heights = (/** @type {Point[]} */ curve, /** @type {Name} */ { x, half }) =>
    curve.filter(([at]) => Math.abs(at - x) < half + 6).map(([, height]) => height);
  const meets = (/** @type {Name} */ { y }, /** @type {number[]} */ others) =>
    Math.min(...others) < y + BELOW + 3 && Math.max(...others) > y - ABOVE - 3;
  /** @type {Name[]} */
  const placed = [];
  for (const { curve, wide } of named) {
    const half = wide / 2;
    const middles = curve.map(([x]) => x).filter((x) => x - half > left && x + half < right);
    const all = middles.flatMap((x) => {
      const own = heights(curve, { x, y: 0, half });
      return [Math.min(...own) - BELOW - 3, Math.max(...own) + ABOVE + 3].map((y) => ({ x, y, half }));
    });
    const cost = (/** @type {Name} */ name) => {
      const { x, y } = name;
      const away = heights(curve, name).reduce((sum, height) => sum + Math.abs(height - y + 4), 0);
      const others = named
        .filter((other) => other.curve !== curve)
        .map((other) => heights(other.curve, name));
      const faults = [
        y - ABOVE < top || y + BELOW > bottom,
        meets(name, [level]),
        ...others.map((other) => meets(name, other)),
        ...placed.map((one) => Math.abs(one.x - x) < one.half + half && Math.abs(one.y - y) < 18),
      ];
      return 1e4 * faults.filter(Boolean).length + away / heights(curve, name).length;
    };
    const costs = all.map(cost);
    placed.push(all[costs.indexOf(Math.min(...costs))]);
  }
  return placed.map(({ x, y }) => [x, y]);
}

/**
 * An encoding's accuracy around a position, from the least seed to the best, and over the parts of a sequence.
 * @param {string} name
 * @param {number} position
 */
function reading(name, position) {
  const bin = Math.floor(position / TOGETHER);
  const which = ENCODINGS.indexOf(name);
  const [mean, below, above] = BANDS[which].map((values) => values[bin]);
  return {
    encoding: name,
    ...{ from: bin * TOGETHER, to: bin * TOGETHER + TOGETHER - 1 },
    ...{ accuracy: mean / 100, lowest: (mean - below) / 100, highest: (mean + above) / 100 },
    over: OVER[which].map((percent, n) => ({
      ...{ from: PARTS[n][0], to: PARTS[n][1] - 1, accuracy: percent / 100 },
    })),
  };
}

/**
 * The same in words.
 * @param {ReturnType<typeof reading>} reading
 * @param {boolean} [alone] without its name
 */
function told({ encoding, from, to, accuracy, lowest, highest, over }, alone = false) {
  const parts = over.map((part) => `${fixed(part.accuracy, 2)} from ${part.from} to ${part.to}`);
  return (
    `${alone ? "" : `${encoding} `}${fixed(accuracy, 2)} (${fixed(lowest, 2)} to ${fixed(highest, 2)}) at` +
    ` positions ${from} to ${to}; ${parts.join(", ")}`
  );
}
