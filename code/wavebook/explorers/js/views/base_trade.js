// @ts-check
// Left the longest wavelength, right the distance between neighbors, both against the base on a logarithmic axis.

import { distance } from "../lib/distance.js";
import { frequencies, wavelength } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Panel, Point } from "../types" */

const { min: LEAST, max: MOST } = SPEC.traits.base;
const USUAL = 10_000;
const BASES = sample(Math.log(LEAST), Math.log(MOST), 60, Math.exp);

/** @type {(d: number, base: number) => number} */
const reach = (d, base) => {
  const omegas = frequencies(d, base);
  return wavelength(omegas[omegas.length - 1]);
};

/**
 * One of the two: its curve, the usual base as a ring, and the cursor; while a question is open, the curve ends at the
 * cursor.
 * @param {Panel} panel
 * @param {number} base
 * @param {(base: number) => number} value
 * @param {Point} domain
 * @param {"linear" | "log"} kind
 * @param {{ name: string, style: string, shown: string, told: string, rises: boolean, whole: boolean }} words
 */
function draw(panel, base, value, domain, kind, { name, style, shown, told, rises, whole }) {
  const x = scale([LEAST, MOST], [46, panel.width - 12], "log");
  const y = scale(domain, [panel.height - 40, 26], kind);
  /** @type {(b: number) => Point} */
  const at = (b) => [x(b), y(value(b))];
  const ends = /** @type {Point[]} */ (y.range.map((end) => [x(base), end]));
  // The number is where the curve is not: on its upper side while there is room, or else on its lower.
  const early = base < 1e3;
  const late = base > 3e5;
  const right = rises ? early : !late;
  const above = rises ? !early : !late;
  panel.draw(
    axes(x, y, { xName: "base *b*", yName: name }) +
      path((whole ? BASES : [...BASES.filter((b) => b < base), base]).map(at), `${style} thick`) +
      circle(at(USUAL), 4.5, "ring") +
      line(...ends[0], ...ends[1], "hair here") +
      circle(at(base), 5.5, `fill here ${style}`) +
      text(
        [x(base) + (right ? 10 : -10), y(value(base)) + (above ? -9 : 21)],
        shown,
        `strong ${style}`,
        right ? "start" : "end",
      ) +
      (Math.abs(x(base) - x(USUAL)) < 60
        ? ""
        : text(
            [x(USUAL) + (rises ? 9 : 7), y(value(USUAL)) + (rises ? 17 : -10)],
            "10,000",
            "small muted",
            "start",
          )),
    told,
    [cursor("base", ends, x)],
  );
}

export default explorer(
  "What a base buys, and what it costs",
  (/** @type {Kit<{ base: number, d_model: number }>} */ kit) => {
    kit.shows = { here: "b" };
    kit.slider("base", { label: "base *b*" });
    kit.slider("d_model", { label: "model width *d*" });
    const left = kit.panel({ height: 250, basis: 320 });
    const right = kit.panel({ height: 250, basis: 320 });
    const note = kit.note("", 1, 2);

    return ({ base, d_model: d }) => {
      const near = (/** @type {number} */ b) => distance(1, d, b);
      const [range, resolution] = [reach(d, base), near(base)];
      const [more, nearer] = [range / reach(d, USUAL), resolution / near(USUAL)];
      const whole = kit.part("curves") === 1;
      const top = Math.ceil(1.3 * near(LEAST)); // with room for the number
      draw(left, base, (b) => reach(d, b), [1, 1e9], "log", {
        name: "longest wavelength: the range",
        style: "sine",
        shown: short(Number(range.toPrecision(3))),
        rises: true,
        whole,
        told: `The longest wavelength rises with the base. At base ${short(base, 3)} it is ${short(range, 3)} positions.`,
      });
      draw(right, base, near, [0, top], "linear", {
        name: "distance between neighbors: the resolution",
        style: "cosine",
        shown: fixed(resolution, 1),
        rises: false,
        whole,
        told: `The distance between neighbors falls with the base. At base ${short(base, 3)} it is ${fixed(resolution, 2)}.`,
      });
      note.innerHTML =
        `<span>Against base 10,000: <b class="sine">${short(more, 2)} times</b> the range,` +
        ` <b class="cosine">${fixed(100 * nearer, 0)} %</b> of the distance between neighbors.</span>`;
      return {
        longest_wavelength: range,
        neighbor_distance: resolution,
        range_against_10000: more,
        resolution_against_10000: nearer,
      };
    };
  },
);
