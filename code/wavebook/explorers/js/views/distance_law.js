// @ts-check
// Left the distance, right the similarity, against the offset on a logarithmic axis; dots are integer offsets.

import { distance, largestDistance, similarity, typicalDistance } from "../lib/distance.js";
import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { axes, inFrame, scale } from "../lib/kit/scales.js";
import { circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { costOfDecade, distanceLaw, logarithmicLaw, partingOffset, similarityLaw } from "../lib/laws.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Panel, Point, Scale } from "../types" */

const { max: FAR } = SPEC.traits.offset;
const OFFSETS = [
  ...new Set([
    ...sample(1, 60, 59, Math.round),
    ...sample(Math.log(60), Math.log(FAR), 340, (t) => Math.round(Math.exp(t))),
  ]),
];
const STEPS = sample(0, Math.log(FAR), 240, Math.exp);

/** @param {Panel} panel */
const across = (panel) => scale([1, FAR], [38, panel.width - 12], "log");

/**
 * Either panel: dots of the true values, the law as a line, a cursor at the offset.
 * @param {Panel} panel
 * @param {number} offset
 * @param {number} end of what is drawn
 * @param {(k: number) => number} value
 * @param {(k: number) => number} law
 * @param {Scale} y
 * @param {{ yName: string, yTicks?: number[] }} names
 */
function chart(panel, offset, end, value, law, y, names) {
  const x = across(panel);
  return (
    axes(x, y, { xName: "offset *Δ*", ...names }) +
    inFrame(
      STEPS.filter((t) => t <= end).map((t) => [x(t), law(t)]),
      y,
    )
      .map((part) => path(part, "muted thick"))
      .join("") +
    dots(
      OFFSETS.filter((k) => k <= end).flatMap((k) => inFrame([[x(k), value(k)]], y).flat()),
      1.15,
    ) +
    line(x(offset), y.range[0], x(offset), y.range[1], "shifted hair") +
    inFrame([[x(offset), value(offset)]], y)
      .flat()
      .map((place) => circle(place, 5, "fill shifted"))
      .join("")
  );
}

/** @type {(panel: Panel, offset: number, y: Scale) => import("../types").Grip[]} */
const grips = (panel, offset, y) => {
  const x = across(panel);
  return [
    cursor(
      "offset",
      y.range.map((end) => /** @type {Point} */ ([x(offset), end])),
      x,
    ),
  ];
};

export default explorer(
  "Distance and its law",
  (/** @type {Kit<{ offset: number, d_model: number, base: number, shown: string }>} */ kit) => {
    kit.shows = { shifted: "Δ" };
    kit.slider("offset", { label: "offset *Δ*", style: "shifted" });
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    // A sketch has axes of its own: until it is answered these would be a second pair, with nothing between them.
    const height = () => (kit.part("truth") ? 300 : 0);
    kit.keep("shown");
    const both = kit.values().shown === "both";
    const left = kit.panel({ height, basis: both ? 330 : 660 });
    const right = both ? kit.panel({ height, basis: 330 }) : null;
    const note = kit.note();

    return ({ offset, d_model: d, base }) => {
      for (const panel of right ? [left, right] : [left]) {
        panel.svg.style.display = kit.part("truth") ? "" : "none";
        panel.measure();
      }
      const omegas = frequencies(d, base);
      const all = similarity(0, d, base, omegas);
      const fraction = (/** @type {number} */ k) => similarity(k, d, base, omegas) / all;
      const law = (/** @type {number} */ k) => similarityLaw(k, d, base) / all;
      const apart = (/** @type {number} */ k) => distance(k, d, base, omegas);
      const level = typicalDistance(d);
      const most = largestDistance(d);
      const limit = partingOffset(d, base);
      // Where a question is about what comes, the curves end at the cursor, which draws them.
      const ahead = kit.part("beyond") < 1;
      const end = ahead ? offset : FAR;

      const y = scale([0, 1.1 * most], [left.height - 40, 24]);
      const x = across(left);
      const rule = (/** @type {number} */ value, /** @type {string} */ name) =>
        line(x(1), y(value), x(FAR), y(value), "muted dashed") +
        text([x(1) + 6, y(value) + 15], name, "muted", "start");
      left.draw(
        chart(left, offset, end, apart, (k) => distanceLaw(k, d, base), y, { yName: "distance" }) +
          (ahead
            ? ""
            : rule(level, `√*d* = ${fixed(level, 2)}, typical`) +
              rule(most, `√(2*d*) = ${fixed(most, 2)}, a bound`)),
        `Distance of two encodings against their offset, for d = ${d} and base ${short(base, 3)}. At` +
          ` ${short(offset, 3)} it is ${fixed(apart(offset), 3)}; the typical level is ${fixed(level, 2)},` +
          ` the diameter ${fixed(most, 2)}.`,
        grips(left, offset, y),
      );

      /** @param {Panel} panel */
      const drawSimilarity = (panel) => {
        const z = scale([-0.4, 1.04], [panel.height - 40, 24]);
        const ends = [1, Math.min(FAR, base ** 1.4)];
        // Three tenfold distances, three steps.
        const steps = (ahead ? [] : [10, 100, 1000])
          .map((k) => ({ end: x(k), value: fraction(k), level: z(fraction(k)) }))
          .filter(({ value }) => Math.abs(value) < 1 && value > z.domain[0]);
        const clear = (/** @type {number} */ j) =>
          steps[j].value > 0 && (j === 0 || steps[j].level - steps[j - 1].level > 18);
        const reach = Math.max(x(limit) + 26, x.range[0] + 124); // of the words at the tick, left of a thousand
        const foot = base ** (logarithmicLaw(1, base) - 0.1); // where the logarithm has come down to a tenth
        const names = { yName: "similarity *K*(*Δ*) / (*d*/2)", yTicks: [0, 0.5, 1] };
        panel.draw(
          chart(panel, offset, end, fraction, law, z, names) +
            steps
              .map(
                ({ end, level, value }, j) =>
                  line(x(1), level, end, level, "muted hair") +
                  (clear(j) ? text([x(1) + 4, level + 14], fixed(value, 2), "muted small", "start") : ""),
              )
              .join("") +
            (ahead || foot < 1000 || foot > FAR / 10
              ? ""
              : text([x(foot) + 16, z(0.13)], "the law", "muted small", "start")) +
            inFrame(
              (ahead ? [] : ends).map((k) => [x(k), logarithmicLaw(k, base)]),
              z,
            )
              .map((part) => path(part, "muted hair"))
              .join("") +
            (limit < FAR && limit > 1 && !ahead
              ? line(x(limit), z.range[0], x(limit), z.range[0] - 12, "thick") +
                text([reach, z.range[0] - 34], "proved well below", "small", "end") +
                text([reach, z.range[0] - 18], "π*d*/ln *b*", "small", "end")
              : ""),
          `Similarity as a fraction of its maximum. At offset ${short(offset, 3)} it is ${fixed(fraction(offset), 4)};` +
            ` the law says ${fixed(law(offset), 4)}. πd/ln b, near which its error stops being small, is` +
            ` ${fixed(limit, 0)}.`,
          grips(panel, offset, z),
        );
      };
      if (right) drawSimilarity(right);

      const alike =
        `<div>similarity <b>${fixed(fraction(offset), 2)}</b>, by the law ${fixed(law(offset), 2)}</div>` +
        `<div>${rich("each decade costs ln 10 / ln *b*")} = ${fixed(100 * costOfDecade(base), 0)} %</div>`;
      note.innerHTML = `<div>distance <b>${short(apart(offset), 3)}</b></div>${both ? alike : ""}`;
      return {
        distance: apart(offset),
        typical: level,
        largest: most,
        similarity: fraction(offset),
        similarity_by_law: law(offset),
        parting_offset: limit,
        percent_lost_per_decade: 100 * costOfDecade(base),
      };
    };
  },
);
