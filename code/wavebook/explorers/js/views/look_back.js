// @ts-check
// At the top some hands of the query and of the key that it looks for, which the head turns on by k; below the scores
// of the query with every key, turned as far, and the weights that the softmax makes of them, on one axis of keys.

import { backScore, backScores, softmax } from "../lib/attention.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { axes, scale, ticks, within } from "../lib/kit/scales.js";
import { atAngle, circle, dots, line, path, sample, text, uprights } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { length: COUNT, base: BASE } = SPEC.constants;
const LEFT = 40;
const DIALS = 92; // pixels of the hands, with their names
const TOP = 44 + DIALS;
const MOST = 6; // hands that are drawn
const SCORE = 110; // pixels of the chart of scores
const GAP = 34;
const WEIGHT = 130; // pixels of the chart of weights
const FULL = [0.1, 0.2, 0.5, 1]; // the ends that the axis of weights can have
const NAME = "key position *q*";

/**
 * Which hands are drawn: from the fastest on, to the middle one, equally far apart.
 * @param {number} count of all hands
 */
const chosen = (count) => [
  ...new Set(Array.from({ length: MOST }, (_, n) => Math.round((n * Math.floor(count / 2)) / (MOST - 1)))),
];

/**
 * The hands of the query and of the key, which has been moved on by a part of the way; where there is no key, the
 * query's alone.
 * @param {number} width
 * @param {number[]} omegas
 * @param {{ p: number, key: number, k: number, part: number, inside: boolean }} turn
 */
function drawHands(width, omegas, { p, key, k, part, inside }) {
  const each = Math.min(96, (width - LEFT) / omegas.length);
  const radius = Math.min(26, each / 2 - 4);
  const dials = omegas.map((omega, n) => {
    /** @type {Point} */
    const hub = [LEFT + (n + 0.5) * each, 24 + radius];
    const tip = atAngle(hub, radius);
    const [query, from, now] = [omega * p, omega * key, omega * (key + part * k)];
    const swept = Math.max(-2 * Math.PI, Math.min(2 * Math.PI, now - from));
    const own = line(...hub, ...tip(query), "thick") + circle(tip(query), 4, "fill");
    if (!inside) return circle(hub, radius, "grid ring") + own;
    return (
      circle(hub, radius, part === 1 ? "shifted ring" : "grid ring") +
      path([hub, ...sample(now - swept, now, 32, tip)], "shifted wash", true) +
      own +
      line(...hub, ...tip(now), "shifted thick dashed") +
      circle(tip(now), 6, "shifted")
    );
  });
  const [said, style] = !inside
    ? [`the query’s hands; there is no token at ${fixed(key, 0)}`, ""]
    : part < 1
      ? [
          `some hands of the query, and of the key ${fixed(Math.abs(k), 0)} ${k < 0 ? "ahead" : "back"} (ring)`,
          "",
        ]
      : [
          width < 420
            ? `moved on by ${fixed(k, 0)} they lie on the query’s`
            : `key ${fixed(key, 0)}’s hands, moved on by ${fixed(k, 0)}, lie on the query’s`,
          "shifted strong",
        ];
  return text([0, 14], said, style, "start") + dials.join("");
}

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
      const turned = kit.part("turned"); // how far of the way the keys' hands have gone
      const score = (/** @type {number} */ key) => backScore(p, key, turned * k, d, BASE, omegas);
      const scores = backScores(p, turned * k, COUNT, 1, d, BASE, omegas);
      const weights = softmax(scores.map((value) => value / temperature));
      const target = p - k;
      const inside = target >= 0 && target < COUNT;
      const right = plot.width - 8;
      const x = scale([-0.5, COUNT - 0.5], [LEFT, right]);
      const bottom = TOP + SCORE + GAP + WEIGHT;
      const risen = kit.part("weights"); // while a question is open there are none, and the scores have their place
      const low = Math.min(...scores);
      const top = score(p - turned * k);
      const y = scale([low - 0.05 * (top - low) - 1e-9, top * 1.02], [risen ? TOP + SCORE : bottom, TOP]);
      const best = weights.indexOf(Math.max(...weights));
      const full = FULL.find((end) => end >= 1.3 * weights[best]) ?? 1; // room above the tallest bar, not more
      const w = scale([0, full], [bottom, bottom - WEIGHT]);
      const wide = Math.max(2, 0.7 * (x(1) - x(0)));
      const mark = (/** @type {number} */ at, /** @type {string} */ style) =>
        line(x(at), DIALS + 20, x(at), bottom, style);
      // What a chart shows is named at the end that the two cursors are not at.
      const far = Math.min(p, target) < 8 && Math.max(p, target) < COUNT - 12;
      const name = (/** @type {{ label: string, top: number }} */ { label, top }) =>
        text([far ? right : LEFT + 4, top - 9], label, "muted", far ? "end" : "start");
      const upright = (/** @type {number} */ at) =>
        [DIALS + 8, bottom].map((end) => /** @type {Point} */ ([x(at), end]));
      // The names of the two face away from each other.
      const outwards = k > 0 ? "end" : "start";
      const there = Math.max(76, Math.min(x(target), plot.width - 76));
      const here = k > 0 ? Math.max(x(p), there + 4) : Math.min(x(p), there - 4);
      const hands = chosen(omegas.length).map((i) => omegas[i]);
      plot.draw(
        drawHands(plot.width, hands, { p, key: target, k, part: turned, inside }) +
          name({ label: "score", top: TOP }) +
          axes(x, y, {
            xName: risen ? "" : NAME,
            xTicks: risen ? [] : ticks(x, 7),
            yTicks: ticks(y, 3),
          }) +
          (risen
            ? name({ label: "weight", top: bottom - WEIGHT }) +
              axes(x, w, { xName: NAME, xTicks: ticks(x, 7), yTicks: [0, full / 2, full] })
            : "") +
          mark(p, "hair here") +
          (inside && k
            ? mark(target, "shifted hair") +
              text(
                [there, DIALS + 14],
                `${fixed(Math.abs(k), 0)} ${k > 0 ? "back" : "ahead"}`,
                "shifted",
                outwards,
              ) +
              text([here, DIALS + 14], "*p*", "", k > 0 ? "start" : "end")
            : text([x(p), DIALS + 14], "*p*")) +
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
              ? `The hands of key ${target} are moved on by ${fixed(turned * k, 1)}; it has the score ${fixed(scores[target])}.`
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
        // Where there is no token at the target the scores have no peak.
        (inside
          ? rich(
              `Beside the peak the scores are ${short(gap, 2)} lower${
                temperature === 1 ? "" : `, and ${short(gap / temperature, 2)} after the division by *τ*`
              }.`,
            )
          : "");
      const found = inside
        ? { score: scores[target], weight: weights[target] }
        : { score: null, weight: null };
      const largest = { largest_weight: weights[best], largest_at: best };
      const radians = { query_radians: hands.map((omega) => omega * p) };
      const key_radians = hands.map((omega) => omega * (target + turned * k));
      return {
        ...radians,
        key_radians,
        target,
        ...found,
        ...largest,
        lower_beside: gap,
        lower_divided: gap / temperature,
      };
    };
  },
);
