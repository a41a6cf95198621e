// @ts-check
// Four small charts on one axis of distance: what each way of telling positions makes of the score, in the softmax's
// units.

import { backScore } from "../lib/attention.js";
import { alibiSlope, bucketMeans, bucketOf } from "../lib/biases.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short } from "../lib/kit/format.js";
import { axes, scale, within } from "../lib/kit/scales.js";
import { circle, line, path, sample, text } from "../lib/kit/svg.js";
import { aimedKey, ropeScore } from "../lib/rope.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point, Vector } from "../types" */

const { d_model: D, heads: HEADS, aim: AIM, furthest: FAR, random: RANDOM } = SPEC.constants;
/** @type {number[]} */
const STARTS = SPEC.constants.starts;
const DISTANCES = [
  ...sample(1, 60, 59, (k) => k),
  ...sample(Math.log(61), Math.log(FAR), 180, (t) => Math.round(Math.exp(t))),
];
const EVEN = new Float64Array(D).fill(1);

/**
 * The contents of a query and its key.
 * @param {string} name
 * @param {Vector} omegas
 * @returns {[Vector, Vector]}
 */
function content(name, omegas) {
  if (name === "random") return RANDOM;
  return [EVEN, name === "aimed" ? aimedKey(AIM, omegas) : EVEN];
}

export default explorer(
  "Scores against distance",
  (/** @type {Kit<{ content: string, offset: number, base: number, head: number }>} */ kit) => {
    kit.slider("offset", { label: "distance *Δ*", style: "shifted" });
    kit.slider("base", { label: "base *b*" });
    kit.slider("head", { label: "head of ALiBi" });
    kit.choice("content", { label: "query and key of RoPE" });
    const panels = [0, 1, 2, 3].map(() => kit.panel({ height: 190, basis: 330 }));

    return ({ offset, base, head, content: name }) => {
      const omegas = frequencies(D, base);
      const [query, key] = content(name, omegas);
      const slope = alibiSlope(head, HEADS);
      const added = (/** @type {number} */ k) => backScore(k, 0, 0, D, base, omegas);
      const rope = (/** @type {number} */ k) => ropeScore(k, query, key, omegas) / Math.sqrt(D);
      const levels = bucketMeans(added, STARTS, FAR);
      const bucket = bucketOf(offset, STARTS);
      /** @type {{ title: string, score: (k: number) => number, domain: Point, yTicks: number[], more: string }[]} */
      const charts = [
        { title: "encodings added", score: added, domain: [-2, 4.4], yTicks: [-2, 0, 2, 4], more: "" },
        { title: `RoPE, ${name}`, score: rope, domain: [-9, 9], yTicks: [-8, -4, 0, 4, 8], more: "" },
        {
          title: `ALiBi, head ${head}: *μ* = 1/${short(1 / slope)}`,
          score: (k) => -slope * k,
          domain: [-12, 0.5],
          yTicks: [-12, -8, -4, 0],
          more: `Head ${head} has slope ${short(slope)}.`,
        },
        {
          title: `T5, bucket ${bucket}`,
          score: (k) => levels[bucketOf(k, STARTS)],
          domain: [-2, 4.4],
          yTicks: [-2, 0, 2, 4],
          more: `The distance falls into bucket ${bucket}.`,
        },
      ];
      charts.forEach(({ title, score, domain, yTicks, more }, j) => {
        const panel = panels[j];
        const x = scale([1, FAR], [34, panel.width - 20], "log");
        const y = scale(domain, [panel.height - 40, 26]);
        const value = score(offset);
        const points = DISTANCES.flatMap((k, i) => {
          /** @type {Point} */
          const here = [x(k), y(within(score(k), y))];
          if (j < 3 || !i) return [here];
          /** @type {Point} */
          const step = [x(k), y(score(DISTANCES[i - 1]))]; // a stair, and no slope
          return [step, here];
        });
        const bias = (/** @type {number} */ h) =>
          path(
            DISTANCES.map((k) => [x(k), y(within(-alibiSlope(h, HEADS) * k, y))]),
            "grid",
          );
        panel.draw(
          axes(x, y, { xName: "distance *Δ*", yName: title, yTicks }) +
            (j === 2 ? sample(1, HEADS, HEADS - 1, bias).join("") : "") +
            path(points) +
            line(x(offset), y.range[0], x(offset), y.range[1], "shifted hair") +
            circle([x(offset), y(within(value, y))], 4.5, "fill shifted") +
            text([x.range[1], 16], fixed(value), "shifted", "end"),
          `Score against distance, ${title.replaceAll("*", "")}. At distance ${fixed(offset, 0)}, base` +
            ` ${short(base, 3)}: ${fixed(value)}. ${more}`,
          [
            cursor(
              "offset",
              y.range.map((end) => [x(offset), end]),
              x,
            ),
          ],
        );
      });
    };
  },
);
