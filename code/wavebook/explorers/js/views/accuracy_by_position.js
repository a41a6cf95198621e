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

    // Both names are where the two are farthest apart past the trained length, over and under the bands; or both
    // over them, where there is no room below.
    const apart = (/** @type {number} */ j) => (shown[1] ? shown[1].mean[j][1] - shown[0].mean[j][1] : 1);
    const places = Array.from(shown[0].mean, (_, bin) => bin).filter(
      (bin) => middle(bin) > TRAINED + 24 && middle(bin) < TESTED - 20,
    );
    const place = places.reduce((best, j) => (Math.abs(apart(j)) > Math.abs(apart(best)) ? j : best));
    const around = (/** @type {Point[]} */ points) =>
      points.slice(place - 4, place + 5).map(([, height]) => height);
    const upper = apart(place) >= 0 ? 0 : 1;
    const heights = shown.map(({ low, high }, n) => {
      const over = Math.min(...around(high)) - 7;
      const under = Math.max(...around(low)) + 16;
      return n === upper || under > y(0) - 6 ? over : under;
    });
    if (shown[1]) heights[upper] = Math.min(heights[upper], heights[1 - upper] - 16);

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
        names.map((name, n) => text([x(middle(place)), heights[n]], caption(name), STYLES[n])).join(""),
      `Accuracy by position, the token three back: ${names.map((name) => told(name, position)).join("; ")}.` +
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
      .map(
        (name, n) => `<div><b class="${STYLES[n]}">${caption(name)}</b>: ${told(name, position, true)}</div>`,
      )
      .join("");
  };
});

/**
 * An encoding's accuracy in words: around a position, within the trained length, just past it and far past it.
 * @param {string} name
 * @param {number} position
 * @param {boolean} [alone] without its name
 */
function told(name, position, alone = false) {
  const bin = Math.floor(position / TOGETHER);
  const [mean, below, above] = BANDS[ENCODINGS.indexOf(name)].map((values) => values[bin]);
  const here = [mean, mean - below, mean + above].map((percent) => fixed(percent / 100, 2));
  const from = bin * TOGETHER;
  const parts = OVER[ENCODINGS.indexOf(name)].map(
    (percent, n) => `${fixed(percent / 100, 2)} from ${PARTS[n][0]} to ${PARTS[n][1] - 1}`,
  );
  return (
    `${alone ? "" : `${name} `}${here[0]} (${here[1]} to ${here[2]}) at positions ${from} to` +
    ` ${from + TOGETHER - 1}; ${parts.join(", ")}`
  );
}
