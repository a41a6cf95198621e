// @ts-check
// A vector learned at one place and added at another, beside the rotation: dials for four pairs, and both errors.

import { additionError, apart, distance } from "../lib/distance.js";
import { encode, frequencies, shift, wavelength } from "../lib/encoding.js";
import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { learned_at: LEARNED, base: BASE } = SPEC.constants;
const { max: LAST } = SPEC.traits.position;

/**
 * The pairs that have a dial: the fastest, and three slower ones that still move.
 * @param {number} d
 */
const shown = (d) => [...new Set([0, 1, 2, 4].map((j) => Math.round((j * (d / 2 - 1)) / 6)))];

/** @type {(centre: Point, radius: number, angle: number) => Point} */
const onDial = ([x, y], radius, angle) => [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];

/**
 * @param {Point} centre
 * @param {number} radius
 * @param {number} pair
 * @param {number} omega
 * @param {number} p
 * @param {number} k
 */
function dial(centre, radius, pair, omega, p, k) {
  const encoding = (/** @type {number} */ t) => encode(t, 2, BASE, [omega]);
  /** @type {(vector: ArrayLike<number>, r?: number) => Point} */
  const at = ({ 0: sin, 1: cos }, r = 1) => [centre[0] + r * radius * sin, centre[1] - r * radius * cos];
  const start = encoding(p);
  const before = encoding(LEARNED);
  const after = encoding(LEARNED + k);
  const added = start.map((c, j) => c + after[j] - before[j]);
  const steps = Math.max(2, Math.ceil(Math.min(40, Math.abs(k * omega) * 8)));
  const turn = sample(0, k, steps, (t) => at(encoding(p + t), 0.82));
  return (
    circle(centre, radius, "muted hair") +
    arrow([at(before), at(after)], "claimed hair dashed") +
    arrow(turn, "shifted") +
    arrow([at(start), at(added)], "claimed") +
    line(...at(added), ...at(encoding(p + k)), "thick") +
    circle(at(encoding(p + k)), 5, "shifted fill") +
    circle(at(added), 4, "claimed fill") +
    circle(at(start), 4) +
    text([centre[0], centre[1] + 84], `pair ${pair}, *λ* = ${short(wavelength(omega), 3)}`, "small")
  );
}

export default explorer(
  "Add or rotate",
  (/** @type {Kit<{ position: number, offset: number, d_model: number }>} */ kit) => {
    kit.slider("position", { label: "position *p*" });
    kit.slider("offset", { label: "offset *k*", style: "shifted" });
    kit.slider("d_model", { label: "model width *d*" });
    const dials = kit.panel({ basis: 640, height: (width) => (width < 500 ? 400 : 200) });
    const errors = kit.panel({ basis: 640, height: 210 });
    const note = kit.note();

    return ({ position: p, offset: k, d_model: d }) => {
      const omegas = frequencies(d, BASE);
      const pairs = shown(d);
      const columns = dials.width < 500 ? 2 : 4;
      const size = dials.width / columns;
      const radius = Math.min(size / 5, 52);
      const missed = (/** @type {number} */ t) => additionError(t, k, LEARNED, d, BASE, omegas);
      const vector = distance(k, d, BASE, omegas);
      const rotated = apart(shift(encode(p, d, BASE), k, BASE), encode(p + k, d, BASE));

      /** @type {Point[]} */
      const centres = pairs.map((_, j) => [size * ((j % columns) + 0.5), 92 + 200 * Math.floor(j / columns)]);
      const all = pairs.map((pair, j) => dial(centres[j], radius, pair, omegas[pair], p, k));
      const points = (/** @type {"position" | "offset"} */ trait, /** @type {number} */ at) =>
        pairs.map((pair, j) => {
          const omega = omegas[pair];
          return hand(trait, [onDial(centres[j], radius, omega * at)], centres[j], omega);
        });
      dials.draw(
        all.join(""),
        `Dials of the pairs ${pairs.join(", ")}. From position ${fixed(p, 0)} the vector learned at ${LEARNED}` +
          ` for offset ${fixed(k, 0)} is added; the rotation turns.`,
        [...points("position", p), ...points("offset", p + k)],
      );

      const x = scale([0, LAST], [38, errors.width - 12]);
      const y = scale([0, 3.2 + 1.3 * Math.sqrt(d)], [errors.height - 40, 24]);
      errors.draw(
        axes(x, y, { xName: "position *p*", yName: "error" }) +
          line(x(0), y(2 * vector), x(LAST), y(2 * vector), "muted dashed") +
          text([x(LAST), y(2 * vector) - 6], "twice the vector's length", "muted small", "end") +
          path(
            sample(0, LAST, 400, (t) => [x(t), y(missed(t))]),
            "claimed",
          ) +
          line(x(0), y(0), x(LAST), y(0), "shifted thick") +
          line(x(p), y.range[0], x(p), y.range[1], "hair") +
          circle([x(p), y(missed(p))], 5, "claimed fill") +
          circle([x(p), y(0)], 5, "shifted fill"),
        `Error against position for offset ${fixed(k, 0)}. At ${fixed(p, 0)} addition misses by` +
          ` ${fixed(missed(p), 3)}, at most ${fixed(2 * vector, 3)}; rotation by less than 0.001.`,
        [
          cursor(
            "position",
            y.range.map((end) => [x(p), end]),
            x,
          ),
        ],
      );

      note.innerHTML =
        `<div class="claimed">added: misses by <b>${fixed(missed(p), 3)}</b></div>` +
        `<div class="shifted">rotated: misses by <b>${rotated ? short(rotated, 1) : "0"}</b></div>` +
        `<div>the step itself is ${fixed(vector, 3)} long</div>`;
    };
  },
);
