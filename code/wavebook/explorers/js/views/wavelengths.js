// @ts-check
// Above the pairs against their wavelengths, hollow where the sequence is too short for a turn; below the
// pairs in each octave.

import { frequencies, wavelengths } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale, ticks } from "../lib/kit/scales.js";
import { beside, circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { makeTones } from "../lib/kit/tones.js";
import {
  fractionNeverTurning,
  neighborRatio,
  octaveCounts,
  octaveStart,
  pairsPerOctave,
} from "../lib/spectra.js";

/** @import { Kit, Point } from "../types" */

const FAR = [1e6, 1e8]; // the ends that the axis of wavelengths can have
const OCTAVES = 24; // as many as it has room for
const TOP = 3520; // hertz at which the first pair sounds
const LOWEST = 40; // and below which none is heard
const NAME = "wavelength, positions per turn";

export default explorer(
  "Wavelengths",
  (/** @type {Kit<{ d_model: number, base: number, length: number }>} */ kit) => {
    kit.shows = { pairs: "λ i" };
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    kit.slider("length", { label: "length", style: "shifted" });
    const tones = makeTones(() => {
      button.textContent = tones.plays() ? "Stop" : "Hear them";
    });
    const button = kit.button("Hear them", () => {
      if (tones.plays()) return tones.stop();
      const lambdas = wavelengths(kit.values().d_model, kit.values().base);
      const pitches = Array.from(lambdas, (lambda) => (TOP * lambdas[0]) / lambda).filter((f) => f >= LOWEST);
      return tones.play(pitches, Math.min(0.5, 6 / pitches.length));
    });
    kit.on(kit.root, "keydown", (event) => event.key === "Escape" && tones.stop());
    kit.onCleanup(tones.stop);
    const plot = kit.panel({ height: 380, basis: 680 });
    const note = kit.note("formula", 2, 5);

    return ({ d_model, base, length }) => {
      // While a question is open there are the first and the last pair, for some others the heights that they will be
      // at, and in the octaves' place more room.
      const open = !kit.part("pairs");
      const foot = plot.height - 40;
      const low = open ? foot : 230;
      const lambdas = wavelengths(d_model, base);
      const n = lambdas.length;
      const last = lambdas[n - 1];
      const counts = octaveCounts(frequencies(d_model, base), OCTAVES);
      const most = Math.max(...counts);
      const never = fixed(100 * fractionNeverTurning(length, d_model, base), 1);
      const perOctave = fixed(pairsPerOctave(d_model, base), 2);
      const limit = octaveStart(0) * base; // no wavelength is as long
      const far = Math.max(limit, length) < FAR[0] ? FAR[0] : FAR[1];
      const x = scale([5, far], [46, plot.width - 12], "log");
      const narrow = plot.width < 500;
      const y = scale([0, Math.max(1, n - 1)], [low, 30]);
      const z = scale([0, Math.max(2, most)], [foot, 272]);
      const xTicks = ticks(x).filter((_, j) => !narrow || far < FAR[1] || j % 2 === 0);
      const points = Array.from(lambdas, (lambda, i) => /** @type {Point} */ ([x(lambda), y(i)]));
      const come = points.slice(0, Math.round(kit.part("pairs") * n)); // those that are drawn already
      const turning = come.filter((_, i) => lambdas[i] <= length);
      const radius = n > 200 ? 1.2 : n > 60 ? 2 : 3;
      const bars = counts.map((count, k) => {
        const [start, end] = [x(octaveStart(k)), x(octaveStart(k + 1))];
        /** @type {Point[]} */
        const bar = [
          [start, z.range[0]],
          [start, z(count)],
          [end, z(count)],
          [end, z.range[0]],
        ];
        return count && come.length === n ? path(bar, "wash", true) : "";
      });
      const [start, end] = [x(lambdas[0]), x(limit)];
      const eighths = sample(1, 7, 6, (k) => y((k * (n - 1)) / 8));
      const unknown =
        eighths.map((height) => line(start, height, end, height, "muted dashed faint")).join("") +
        text(
          [(x(length) + end) / 2, y((n - 1) / 2) - 9], // between two upright lines
          end - x(length) < 240 ? `the other ${n - 2}?` : `where on their lines are the other ${n - 2}?`,
          "muted small",
        );

      plot.draw(
        axes(x, y, {
          xName: open ? NAME : "",
          yName: "pair *i*",
          xTicks,
          yTicks: [...new Set([0, (n - 1) >> 1, n - 1])],
        }) +
          (open
            ? (n > 8 ? unknown : "") +
              circle(points[0], 4) +
              text([x(lambdas[0]) + 10, y(0) - 9], `pair 0: ${short(lambdas[0], 3)}`, "", "start") +
              circle(points[n - 1], 4) +
              beside([x(limit), y(n - 1) + 24], `pair ${n - 1}: ${short(last, 3)}`, "", plot.width / 2)
            : axes(x, z, {
                xName: NAME,
                yName: "pairs in the octave",
                xTicks,
                yTicks: [0, z.domain[1]],
              })) +
          bars.join("") +
          (n > 60
            ? dots(turning, radius + 0.6, "pairs") +
              dots(come.slice(turning.length), radius, "muted faint pairs")
            : come
                .map((point, i) => circle(point, radius, `pairs ${i < turning.length ? "fill" : "ring"}`))
                .join("")) +
          line(x(limit), 24, x(limit), low, "muted dashed") +
          text([Math.max(92, Math.min(x(limit), plot.width - 14)), 18], "2*π**b*", "muted") +
          line(x(length), foot, x(length), 22, "shifted") +
          beside([x(length), low - 8], `${short(length, 3)} positions`, "shifted", plot.width / 2),
        `${counted(n, "wavelength")} from ${short(lambdas[0])} to ${short(last)} on a logarithmic axis.${
          come.length < n ? "" : ` Of them ${never} % are longer than ${short(length, 3)} positions.`
        } An octave has ${perOctave} steps, the fullest holds ${most} pairs.`,
        [
          cursor(
            "length",
            [foot, 22].map((end) => [x(length), end]),
            x,
          ),
          cursor(
            "base",
            [low, 24].map((end) => [x(limit), end]),
            x,
          ),
        ],
      );

      note.innerHTML =
        equation(
          `<span data-symbol="r">ratio of neighbors</span> ${rich("*b*")}<sup>2/${rich("*d*")}</sup>`,
          "=",
          `<b>${fixed(neighborRatio(d_model, base), 3)}</b>`,
        ) +
        equation(`<b>${perOctave}</b> pairs to the octave`) +
        equation(`the last takes <b>${short(last)}</b> positions a turn`) +
        equation(`<span class="shifted"><b>${never} %</b> never complete one in ${short(length, 3)}</span>`);
      return {
        pairs: n,
        first_wavelength: lambdas[0],
        last_wavelength: last,
        percent_never_turning: 100 * fractionNeverTurning(length, d_model, base),
        pairs_per_octave: pairsPerOctave(d_model, base),
        fullest_octave: most,
        neighbor_ratio: neighborRatio(d_model, base),
      };
    };
  },
);
