// @ts-check
// Four small charts with the same axes: what each way of telling positions makes of the score, in the softmax's units.
// A curve that is larger than the frame leaves it.

import { backScore } from "../lib/attention.js";
import { alibiSlope, bucketOf } from "../lib/biases.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, inFrame, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { aimedKey, ropeScore } from "../lib/rope.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point, Vector } from "../types" */

const { d_model: D, heads: HEADS, aim: AIM, furthest: FAR, random: RANDOM } = SPEC.constants;
/** T5's buckets, and an example of what a head may learn for each. */
/** @type {{ starts: number[], levels: number[] }} */
const { starts: STARTS, levels: LEVELS } = /** @type {any} */ (SPEC.constants);
/** @type {Point} */
const DOMAIN = [-9, 9]; // of all scores
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
  return [EVEN, name === "aimed" ? aimedKey(AIM, omegas, EVEN) : EVEN];
}

export default explorer(
  "Scores against distance",
  (/** @type {Kit<{ content: string, offset: number, base: number, head: number }>} */ kit) => {
    kit.shows = { shifted: "Δ" };
    kit.slider("offset", { label: "distance *Δ*", style: "shifted" });
    kit.slider("base", { label: "base *b*" });
    kit.slider("head", { label: "head of ALiBi" });
    kit.choice("content", { label: "query and key of RoPE" });
    const panels = [0, 1, 2, 3].map(() => kit.panel({ height: 210, basis: 330 }));

    return ({ offset, base, head, content: name }) => {
      const omegas = frequencies(D, base);
      const [query, key] = content(name, omegas);
      const slope = alibiSlope(head, HEADS);
      const added = (/** @type {number} */ k) => backScore(k, 0, 0, D, base, omegas);
      const rope = (/** @type {number} */ k) => ropeScore(k, query, key, omegas) / Math.sqrt(D);
      const bucket = bucketOf(offset, STARTS);
      const alibi = (/** @type {number} */ k) => -slope * k;
      const t5 = (/** @type {number} */ k) => LEVELS[bucketOf(k, STARTS)];
      /** @type {{ title: string, score: (k: number) => number, more: string }[]} */
      const charts = [
        { title: "encodings added", score: added, more: "" },
        { title: `RoPE, ${spoken(name)}`, score: rope, more: "" },
        {
          title: `ALiBi, head ${head}: *μ* = 1/${short(1 / slope)}`,
          score: alibi,
          more: `Head ${head} has slope ${short(slope)}.`,
        },
        {
          title: `T5, levels made up: bucket ${bucket}`,
          score: t5,
          more: `The distance falls into bucket ${bucket} of ${STARTS.length}, whose level is an example.`,
        },
      ];
      charts.forEach(({ title, score, more }, j) => {
        const panel = panels[j];
        const x = scale([1, FAR], [34, panel.width - 20], "log");
        const y = scale(DOMAIN, [panel.height - 40, 26]);
        const value = score(offset);
        const points = DISTANCES.flatMap((k, i) => {
          /** @type {Point} */
          const here = [x(k), score(k)];
          if (j < 3 || !i) return [here];
          /** @type {Point} */
          const step = [x(k), score(DISTANCES[i - 1])]; // a stair, and no slope
          return [step, here];
        });
        const curve = (/** @type {Point[]} */ whole, /** @type {string} */ style) =>
          inFrame(whole, y)
            .map((part) => path(part, style))
            .join("");
        const bias = (/** @type {number} */ h) =>
          curve(
            DISTANCES.map((k) => [x(k), -alibiSlope(h, HEADS) * k]),
            "grid",
          );
        const [here] = inFrame([[x(offset), value]], y).flat();
        /** @type {Point[]} beyond the frame, the way to it */
        const down = [y.range[0] - 16, y.range[0]].map((end) => [x(offset), end]);
        panel.draw(
          axes(x, y, { xName: "distance *Δ*", yName: title, yTicks: [-8, -4, 0, 4, 8] }) +
            (j === 2 ? sample(1, HEADS, HEADS - 1, bias).join("") : "") +
            curve(points, "thick") +
            line(x(offset), y.range[0], x(offset), y.range[1], "shifted hair") +
            (here ? circle(here, 4.5, "fill shifted") : arrow(down, "shifted")) +
            text([x.range[1], 16], fixed(value, 1), "shifted strong", "end"),
          `Score against distance, ${title.replaceAll("*", "")}. At distance ${fixed(offset, 0)}` +
            `${j < 2 ? `, base ${short(base, 3)}` : ""}: ${fixed(value)}. ${more}`,
          [
            cursor(
              "offset",
              y.range.map((end) => [x(offset), end]),
              x,
            ),
          ],
        );
      });
      const [sinusoidal, turned, linear, stairs] = charts.map(({ score }) => score(offset));
      return { added: sinusoidal, rope: turned, alibi: linear, t5: stairs, slope, bucket };
    };
  },
);
