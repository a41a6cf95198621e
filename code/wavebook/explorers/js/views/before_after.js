// @ts-check
// The score against the difference of the positions, and its own mirror image; what is between them tells
// after from before.

import { similarity } from "../lib/distance.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { base: BASE } = SPEC.constants;
const { max: FAR } = SPEC.traits.offset;
const STEPS = 4; // points of the curve for each position
const LEFT = 38;
const TOP = 46;

export default explorer(
  "Before or after",
  (/** @type {Kit<{ shift: number, offset: number, d_model: number }>} */ kit) => {
    kit.smooth("shift", "offset");
    kit.slider("shift", { label: "shift *s*", style: "shifted" });
    kit.slider("offset", { label: "offset *Δ*" });
    kit.slider("d_model", { label: "model width *d*" });
    const plot = kit.panel({ basis: 680, height: 300 });
    const formula = kit.note("formula", 1, 4);
    const words = kit.note("words", 2, 3);

    return ({ shift: s, offset, d_model: d }) => {
      const omegas = frequencies(d, BASE);
      const furthest = FAR + SPEC.traits.shift.max;
      // Every value that any shift can bring into view, computed once: K is even.
      const table = sample(0, furthest, STEPS * furthest, (k) => similarity(k, d, BASE, omegas));
      const score = (/** @type {number} */ t) => table[Math.round(STEPS * Math.abs(t - s))];
      const peak = table[0];
      const low = Math.min(...table);
      const x = scale([-FAR, FAR], [LEFT, plot.width - 10]);
      const y = scale([low - 0.06 * (peak - low), peak], [plot.height - 40, TOP]);
      /** @type {Point[]} */
      const curve = sample(-FAR, FAR, 2 * STEPS * FAR, (t) => [x(t), y(score(t))]);
      /** @type {Point[]} */
      const mirror = sample(-FAR, FAR, 2 * STEPS * FAR, (t) => [x(t), y(score(-t))]);
      const there = score(offset);
      const opposite = score(-offset);
      const gap = there - opposite;
      /** @type {Point} */
      const right = [x(offset), y(there)];
      /** @type {Point} */
      const left = [x(-offset), y(opposite)];
      const side = s < 0 ? -1 : 1;
      const outwards = side > 0 ? "start" : "end";
      const inwards = side > 0 ? "end" : "start";

      const xTicks = sample(-FAR, FAR, plot.width < 500 ? 4 : 6, (t) => t);
      plot.draw(
        axes(x, y, { yName: "score", xTicks }) +
          line(x(0), y.range[0], x(0), TOP - 12, "muted hair") +
          text([x(-FAR), plot.height - 8], "← *p* before *q*", "muted", "start") +
          text([x(0), plot.height - 8], "*Δ*") +
          text([x(FAR), plot.height - 8], "*p* after *q* →", "muted", "end") +
          path([...curve, ...mirror.reverse()], "shifted wash", true) +
          path(mirror, "muted dashed") +
          path(curve, "shifted") +
          (plot.width < 500
            ? ""
            : dots(
                curve.filter((_, j) => j % STEPS === 0),
                1.7,
                "shifted",
              )) +
          arrow(
            [
              [x(0), TOP - 8],
              [x(s), TOP - 8],
            ],
            "shifted",
          ) +
          (s
            ? text([x(s) + 7 * side, TOP - 4], "*K*(*Δ*−*s*)", "shifted", outwards) +
              text([x(-s) - 7 * side, TOP - 4], "mirrored", "muted", inwards)
            : text([x(0) + 7, TOP - 4], "*K*(*Δ*), even", "shifted", "start")) +
          line(...left, x(offset), left[1], "hair") +
          line(x(offset), left[1], ...right, "bold") +
          circle(left, 5, "ring") +
          circle(right, 5),
        `Score of two encodings against p − q, d = ${d}, with T(${fixed(s, 0)}) between them: the peak of ` +
          `${fixed(peak, 0)} is at ${fixed(s, 0)}. At ${fixed(offset, 0)} the score is` +
          ` ${fixed(there, 2)}, at ` +
          `${fixed(-offset, 0)} it is ${fixed(opposite, 2)}: a difference of ${fixed(gap, 2)}.`,
        [
          cursor("offset", [right], x),
          cursor("offset", [left], scale([FAR, -FAR], x.range)),
          cursor("shift", [[x(s), TOP - 8]], x),
        ],
      );

      formula.innerHTML =
        equation(
          rich("● *K*(*Δ*−*s*)"),
          "=",
          rich(`*K*(${fixed(offset - s, 0)})`),
          "=",
          `<b>${fixed(there, 2)}</b>`,
        ) +
        equation(
          rich("○ *K*(−*Δ*−*s*)"),
          "=",
          rich(`*K*(${fixed(-offset - s, 0)})`),
          "=",
          `<b>${fixed(opposite, 2)}</b>`,
        ) +
        equation("difference", `<b>${fixed(gap, 2)}</b>`);
      const says = () => {
        if (!s) return "The score is the same *Δ* after as *Δ* before, for every *Δ*.";
        const peakAt = `peak, *d*/2 = ${fixed(peak, 0)}`;
        if (Math.abs(offset) === Math.abs(s)) {
          const least = fixed(Math.min(there, opposite), 2);
          return `At *s* the score has its ${peakAt}; at −*s* it is *K*(2*s*) = ${least}.`;
        }
        return offset
          ? `*T*(*s*) has moved the ${peakAt}, from 0 to *s* = ${fixed(s, 0)}: the curve is no longer` +
              ` its own mirror image.`
          : "At *Δ* = 0 there is neither before nor after.";
      };
      words.innerHTML = rich(says());
      return { score: there, mirrored: opposite, difference: gap, peak, peak_at: s };
    };
  },
);
