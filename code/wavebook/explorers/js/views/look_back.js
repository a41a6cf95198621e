// @ts-check
// Above the scores of one query with every key, below the weights that the softmax makes of them; both share
// the axis of keys.

import { backScore, backScores, softmax } from "../lib/attention.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { axes, scale, ticks, within } from "../lib/kit/scales.js";
import { dots, line, path, sample, text, uprights } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { length: COUNT, base: BASE } = SPEC.constants;
const LEFT = 40;
const TOP = 44;
const SCORE = 110; // pixels of the chart of scores
const GAP = 34;
const WEIGHT = 130; // pixels of the chart of weights
const FULL = [0.1, 0.2, 0.5, 1]; // the ends that the axis of weights can have
const NAME = "key position *q*";

export default explorer(
  "A head that looks k back",
  (/** @type {Kit<{ position: number, offset: number, temperature: number, d_model: number }>} */ kit) => {
    kit.shows = { here: "p", shifted: "k" };
    kit.slider("position", { label: "query at *p*" });
    kit.slider("offset", { label: "look back by *k*", style: "shifted" });
    kit.slider("temperature", { label: "temperature *τ*" });
    kit.slider("d_model", { label: "model width *d*" });
    const plot = kit.panel({ basis: 680, height: TOP + SCORE + GAP + WEIGHT + 44 });
    const words = kit.note("words", 2, 4);

    return ({ position: p, offset: k, temperature, d_model: d }) => {
      const omegas = frequencies(d, BASE);
      const score = (/** @type {number} */ key) => backScore(p, key, k, d, BASE, omegas);
      const scores = backScores(p, k, COUNT, 1, d, BASE, omegas);
      const weights = softmax(scores.map((value) => value / temperature));
      const target = p - k;
      const inside = target >= 0 && target < COUNT;
      const right = plot.width - 8;
      const x = scale([-0.5, COUNT - 0.5], [LEFT, right]);
      const bottom = TOP + SCORE + GAP + WEIGHT;
      const risen = kit.part("weights"); // while a question is open there are none, and the scores have their place
      const low = Math.min(...scores);
      const top = score(target);
      const y = scale([low - 0.05 * (top - low) - 1e-9, top * 1.02], [risen ? TOP + SCORE : bottom, TOP]);
      const best = weights.indexOf(Math.max(...weights));
      const full = FULL.find((end) => end >= 1.3 * weights[best]) ?? 1; // room above the tallest bar, not more
      const w = scale([0, full], [bottom, bottom - WEIGHT]);
      const wide = Math.max(2, 0.7 * (x(1) - x(0)));
      const mark = (/** @type {number} */ at, /** @type {string} */ style) =>
        line(x(at), 20, x(at), bottom, style);
      const upright = (/** @type {number} */ at) =>
        [8, bottom].map((end) => /** @type {Point} */ ([x(at), end]));
      // The names of the two face away from each other.
      const outwards = k > 0 ? "end" : "start";
      const there = Math.max(76, Math.min(x(target), plot.width - 76));
      const here = k > 0 ? Math.max(x(p), there + 4) : Math.min(x(p), there - 4);
      plot.draw(
        axes(x, y, {
          xName: risen ? "" : NAME,
          yName: "score",
          xTicks: risen ? [] : ticks(x, 7),
          yTicks: ticks(y, 3),
        }) +
          (risen
            ? axes(x, w, { xName: NAME, yName: "weight", xTicks: ticks(x, 7), yTicks: [0, full / 2, full] })
            : "") +
          mark(p, "hair here") +
          (inside && k
            ? mark(target, "shifted hair") +
              text([there, 14], `${fixed(Math.abs(k), 0)} ${k > 0 ? "back" : "ahead"}`, "shifted", outwards) +
              text([here, 14], "*p*", "", k > 0 ? "start" : "end")
            : text([x(p), 14], "*p*")) +
          path(
            sample(0, COUNT - 1, 4 * (COUNT - 1), (t) => [x(t), y(score(t))]),
            "muted hair",
          ) +
          dots(
            scores.map((value, q) => [x(q), y(value)]),
            2,
          ) +
          (risen
            ? uprights(
                weights.map((weight, q) => `M${x(q).toFixed(1)} ${bottom}V${w(weight * risen).toFixed(2)}`),
                wide.toFixed(1),
              )
            : ""),
        `Query at position ${p}, looking back by ${fixed(k, 0)}, temperature ${short(temperature, 3)},` +
          ` d = ${d}. ${
            inside
              ? `Key ${target} has the score ${fixed(scores[target])}.`
              : `There is no key ${fixed(target, 0)}.`
          }${
            risen < 1
              ? ""
              : `${inside ? ` Its weight is ${fixed(weights[target])}.` : ""} The largest weight is` +
                ` ${fixed(weights[best])}, at key ${best}.`
          }`,
        [
          cursor("position", upright(p), x),
          cursor("offset", upright(within(target, x)), scale([0, 1], [x(p), x(p - 1)])),
        ],
      );

      const gap = top - score(target - 1);
      words.innerHTML =
        (inside
          ? `Key <b>${target}</b> gets <b>${fixed(100 * weights[target], 1)} %</b> of the weight. `
          : `There is no token at ${fixed(target, 0)}, so the nearest in score, key <b>${best}</b>, gets` +
            ` most: <b>${fixed(100 * weights[best], 1)} %</b>. `) +
        rich(
          `Beside the peak the scores are ${short(gap, 2)} lower${
            temperature === 1 ? "" : `, and ${short(gap / temperature, 2)} after the division by *τ*`
          }.`,
        );
      const found = inside
        ? { score: scores[target], weight: weights[target] }
        : { score: null, weight: null };
      const largest = { largest_weight: weights[best], largest_at: best };
      return { target, ...found, ...largest, lower_beside: gap, lower_divided: gap / temperature };
    };
  },
);
