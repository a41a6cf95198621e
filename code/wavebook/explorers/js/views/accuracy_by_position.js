// @ts-check
// Accuracy by position of the recorded runs: the mean over the seeds and all seeds between, for two encodings.

import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { corners, line, path, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */
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
      { left: x(0), right: x(TESTED), top: y(1) - 21, bottom: y(0) - 2 },
      y(CHANCE),
      [
        { left: x(TRAINED / 2) - 24, right: x(TRAINED / 2) + 24, top: y(0.62) - 12, bottom: y(0.62) + 4 },
        { left: x(0) - 6, right: x(0) + 60, top: y(1) - 24, bottom: y(1) - 4 }, // the axis's name
      ],
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
 * Where the curves' names are, each beside its own curve and farther from the other, clear of the dashed line
 * at `level` and of what is written already.
 * @param {{ curve: Point[], wide: number }[]} named
 * @param {Box} room
 * @param {number} level
 * @param {Box[]} written
 * @returns {Point[]} the middles of their lines
 */
function labelPlaces(named, room, level, written) {
  const [OVER, UNDER, GAP] = [13, 4, 3]; // pixels of a letter over its line and under it, and to a curve
  /** @type {Box[]} */
  const taken = [...written];
  const apart = (/** @type {Box} */ { left, right, top, bottom }, /** @type {Point[]} */ curve) =>
    Math.min(
      ...curve.map(([x, y]) =>
        Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)),
      ),
    );
  return named.map(({ curve, wide }) => {
    const others = named.filter((other) => other.curve !== curve).map((other) => other.curve);
    const boxes = curve.flatMap(([x]) => {
      const [left, right] = [x - wide / 2, x + wide / 2];
      const heights = curve.filter(([at]) => at > left - GAP && at < right + GAP).map(([, y]) => y);
      const tops = [0, 6, 12].flatMap((more) => [
        Math.min(...heights) - GAP - UNDER - OVER - more,
        Math.max(...heights) + GAP + more,
      ]);
      const steep = Math.max(...heights) - Math.min(...heights);
      return tops.map((top) => ({ left, right, top, bottom: top + OVER + UNDER, steep }));
    });
    const cost = (/** @type {Box & { steep: number }} */ box) => {
      const own = apart(box, curve);
      const faults = [
        box.left < room.left || box.right > room.right || box.top < room.top || box.bottom > room.bottom,
        box.top - GAP < level && level < box.bottom + GAP,
        ...taken.map(
          (b) => box.left < b.right && b.left < box.right && box.top < b.bottom && b.top < box.bottom,
        ),
      ];
      // A name between two curves, or on the other, is worse than one that is farther away.
      const near = Math.min(40, ...others.map((other) => apart(box, other)));
      return (
        1000 * faults.filter(Boolean).length +
        (near < own + 4 ? 100 + 5 * (own - near) : 0) +
        own +
        Math.min(box.steep, 20) / 2 -
        near / 10
      );
    };
    const costs = boxes.map(cost);
    const best = boxes[costs.indexOf(Math.min(...costs))];
    taken.push(best);
    return [(best.left + best.right) / 2, best.bottom - UNDER];
  });
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
    from: bin * TOGETHER,
    to: bin * TOGETHER + TOGETHER - 1,
    accuracy: mean / 100,
    lowest: (mean - below) / 100,
    highest: (mean + above) / 100,
    over: OVER[which].map((percent, n) => ({
      from: PARTS[n][0],
      to: PARTS[n][1] - 1,
      accuracy: percent / 100,
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
