// @ts-check
// The waves of one pair, a tick at each completed turn; below, where its wavelength is among all.

import { encode, frequencies, wavelengths } from "../lib/encoding.js";
import { slid } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { rich, short } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit } from "../types" */

const { length: LAST } = SPEC.constants;

export default explorer(
  "Sinusoids of one pair",
  (/** @type {Kit<{ pair: number, d_model: number, base: number }>} */ kit) => {
    kit.shows = { sine: "sin", cosine: "cos", own: "λ i" };
    kit.slider("pair", { label: "pair *i*" });
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    const plot = kit.panel({ height: 300, basis: 680 });
    const note = kit.note("formula", 2, 4);

    return ({ pair: wanted, d_model, base }) => {
      const omegas = frequencies(d_model, base);
      const lambdas = wavelengths(d_model, base);
      const pair = Math.min(wanted, omegas.length - 1);
      const x = scale([0, LAST], [34, plot.width - 12]);
      const y = scale([-1.1, 1.1], [196, 30]);
      const rule = scale([5, 1e8], [34, plot.width - 12], "log");
      const value = (/** @type {number} */ p) => encode(p, 2, base, [omegas[pair]]);
      const turns = LAST / lambdas[pair];
      /** @type {(j: number, role: string) => string} */
      const wave = (j, role) =>
        path(
          sample(0, LAST, 1600, (p) => [x(p), y(value(p)[j])]),
          role,
        );
      /** @type {(j: number, role: string) => string} */
      const integers = (j, role) =>
        dots(
          sample(0, LAST, LAST, (p) => [x(p), y(value(p)[j])]),
          1.4,
          role,
        );
      const ends = Array.from({ length: Math.floor(turns) }, (_, n) => (n + 1) * lambdas[pair]);
      const narrow = plot.width < 500;
      // The names of the waves: the cosine's where it begins, the sine's at a crest further on, or near its end.
      const lambda = lambdas[pair];
      const crest = lambda * (0.25 + Math.max(0, Math.ceil((30 - lambda / 4) / lambda)));
      const named = Math.min(crest, 0.9 * LAST);
      const last = omegas.length - 1;
      // What is too level to be seen is drawn once more, so many times as high.
      const end = value(LAST)[0];
      const power = 10 ** Math.floor(-Math.log10(end));
      const higher = turns < 0.05 ? power * ([5, 2].find((times) => times * power * end < 1) ?? 1) : 1;
      /** @type {(p: number) => [number, number]} */
      const raised = (p) => [x(p), y(higher * value(p)[0])];
      // On a logarithmic axis the pairs are equally far apart.
      const ruler = scale([0, last], [rule(lambdas[0]), rule(lambdas[last])]);
      const xTicks = [10, 100, 1000, 1e4, 1e5, 1e6, 1e7].filter((_, j) => !narrow || j % 2 === 0);

      plot.draw(
        axes(x, y, { xName: "position", yTicks: [-1, 0, 1] }) +
          ends.map((p) => line(x(p), y(1.1), x(p), y(1.1) - 7, "hair own")).join("") +
          wave(0, "sine") +
          wave(1, "cosine") +
          (higher > 1
            ? path(sample(0, LAST, 100, raised), "sine dashed") +
              text([x(0.55 * LAST), raised(0.55 * LAST)[1] - 9], `${higher} times sin`, "sine", "end")
            : "") +
          text([x(named), y(value(named)[0]) - 9], "sin", "sine strong", narrow ? "start" : "middle") +
          text([x(0) + 5, y(1) - 8], "cos", "cosine strong", "start") +
          (narrow ? "" : integers(0, "sine") + integers(1, "cosine")) +
          line(rule.range[0], 262, rule.range[1], 262, "muted hair") +
          xTicks.map((v) => text([rule(v), 280], short(v), "small")).join("") +
          text([rule.range[1], 296], "wavelength, positions per turn", "muted", "end") +
          Array.from(lambdas, (lambda) => line(rule(lambda), 262, rule(lambda), 256, "muted hair")).join("") +
          circle([rule(lambdas[pair]), 256], 5, "fill own"),
        `Sine and cosine of pair ${pair} of ${omegas.length} over ${LAST} positions: ${short(turns)} turns,` +
          ` one in ${short(lambdas[pair])} positions.${
            higher > 1 ? ` A dashed line is ${higher} times as high as the sine, and nearly straight.` : ""
          }`,
        last
          ? [
              {
                kind: "cursor",
                points: [[rule(lambdas[pair]), 256]],
                moves: { pair: (value, from, to) => slid(Math.min(value, last), from, to, ruler) },
              },
            ]
          : [],
      );

      note.innerHTML =
        (pair < wanted ? equation(`the last pair is ${pair}`) : "") +
        equation(
          `${rich("*λ*")}<sub>${pair}</sub>`,
          "=",
          `<b>${short(lambdas[pair])}</b> positions per turn`,
        ) +
        equation(`<b>${short(turns)}</b> turns in ${LAST} positions`) +
        equation(`<span data-symbol="ω">angular frequency</span>`, `${short(omegas[pair])} rad`);
      const own = { wavelength: lambdas[pair], turns, radians_per_position: omegas[pair] };
      return { pair, pairs: omegas.length, ...own };
    };
  },
);
