// @ts-check
// Left the wavelengths and the sines as a heatmap, right the distance against the offset; the measures in
// words.

import { distance, largestDistance, typicalDistance } from "../lib/distance.js";
import { wavelength } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, short, spoken } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { dots, line, path, sample, text } from "../lib/kit/svg.js";
import { measures, spectrum } from "../lib/spectra.js";
import { sineTable } from "../lib/tables.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { draws: DRAWS, furthest: FAR } = SPEC.constants;
const POSITIONS = 100; // shown in the heatmap
/** @type {Point} */
const REACH = [3, 3e5]; // of the axis of wavelengths

export default explorer(
  "Choices of frequencies",
  (/** @type {Kit<{ spectrum: string, d_model: number, base: number }>} */ kit) => {
    kit.choice("spectrum", { label: "choice of frequencies", style: "wide" });
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    const left = kit.panel({ height: 330, basis: 340 });
    const right = kit.panel({ height: 330, basis: 300 });
    const note = kit.note("formula", 3, 6);

    return ({ spectrum: name, d_model, base }) => {
      const omegas = spectrum(name, d_model, base, DRAWS);
      const n = omegas.length;
      // What the others are compared with is behind them, as a ghost.
      const ghost = name === "geometric" ? null : spectrum("geometric", d_model, base, DRAWS);
      const own = measures(omegas, base, FAR);
      const usually = ghost ? measures(ghost, base, FAR) : own;
      const [decades, neighbors, empty, logarithmic, redundancy, apart] = own;
      const lambdas = Array.from(omegas, wavelength);
      const shown = lambdas.filter((lambda) => lambda > REACH[0] && lambda < REACH[1]);

      const rug = scale(REACH, [26, left.width - 12], "log");
      const p = scale([0, POSITIONS], [26, left.width - 12]);
      left.map(sineTable(POSITIONS, omegas), POSITIONS, 26, 118, left.width - 38, 172);
      left.draw(
        text([26, 14], "wavelengths, positions per turn", "muted", "start") +
          line(26, 62, left.width - 12, 62, "muted hair") +
          shown.map((lambda) => line(rug(lambda), 62, rug(lambda), 36, "hair")).join("") +
          (ghost
            ? Array.from(ghost, wavelength)
                .filter((lambda) => lambda > REACH[0] && lambda < REACH[1])
                .map((lambda) => line(rug(lambda), 31, rug(lambda), 22, "sine hair"))
                .join("")
            : "") +
          [10, 100, 1000, 1e4, 1e5]
            .map((v) => line(rug(v), 62, rug(v), 66, "muted hair") + text([rug(v), 79], short(v), "small"))
            .join("") +
          text([26, 110], "sines: pair 0 on top", "muted", "start") +
          [0, 50, 100].map((v) => text([p(v), 306], String(v), "small")).join("") +
          text([left.width - 12, 322], "position", "muted", "end"),
        `Wavelengths and sines of the ${spoken(name)} choice of frequencies, ${counted(n, "pair")} from` +
          ` ${short(lambdas[0])} to ${short(lambdas[n - 1])} positions per turn, over ${POSITIONS}` +
          ` positions.${
            ghost ? ` Behind it the geometric choice, up to ${short(wavelength(ghost[n - 1]))}.` : ""
          }`,
      );

      const x = scale([1, FAR], [40, right.width - 20], "log");
      const y = scale([0, largestDistance(d_model)], [right.height - 40, 28]);
      const level = typicalDistance(d_model);
      /** @type {Point[]} */
      const points = sample(1, FAR, FAR - 1, (k) => [x(k), y(distance(k, d_model, base, omegas))]);
      right.draw(
        axes(x, y, { xName: "offset *Δ*", yName: "distance" }) +
          line(x(1), y(level), x(FAR), y(level), "muted dashed") +
          text([x(1) + 5, y(level) - 6], "√*d*", "muted", "start") +
          // What the last of the numbers below is about comes with them.
          (kit.part("numbers")
            ? line(x(1), y(1), x(FAR), y(1), "shifted hair") +
              text([x(1) + 5, y(1) - 5], "1", "shifted small", "start")
            : "") +
          (ghost
            ? path(
                sample(0, 1, 300, (t) => FAR ** t).map((k) => [x(k), y(distance(k, d_model, base, ghost))]),
                "sine faint",
              ) +
              text(
                [x(10) + 6, y(distance(10, d_model, base, ghost)) + 18],
                "geometric",
                "sine small",
                "start",
              )
            : "") +
          path(points, "hair") +
          dots(points, 1.1),
        `Distance of two encodings against their offset. Neighbors are ${fixed(neighbors, 2)} apart;` +
          ` the typical level is ${fixed(level, 2)}. Nothing is nearer than 1 up to an offset of` +
          ` ${apart}${apart < FAR ? "" : " at least"}.`,
      );

      /** @type {(label: string, value: string | number, usual: string | number) => string} */
      const measure = (label, value, usual) =>
        equation(label, `<b>${value}</b>${ghost ? ` <span class="sine">(${usual})</span>` : ""}`);
      note.innerHTML =
        measure("range, decades", fixed(decades, 1), fixed(usually[0], 1)) +
        measure("neighbors apart", fixed(neighbors, 2), fixed(usually[1], 2)) +
        measure("octaves left empty", empty, usually[2]) +
        measure("scale invariance", fixed(logarithmic, 2), fixed(usually[3], 2)) +
        measure("redundancy", fixed(redundancy, 2), fixed(usually[4], 2)) +
        measure(
          `<span class="shifted">nothing nearer than 1</span> up to`,
          apart < FAR ? apart : `≥ ${FAR}`,
          usually[5] < FAR ? usually[5] : `≥ ${FAR}`,
        );
      return {
        pairs: n,
        first_wavelength: lambdas[0],
        last_wavelength: lambdas[n - 1],
        typical: level,
        range_decades: decades,
        neighbors,
        octaves_empty: empty,
        scale_invariance: logarithmic,
        redundancy,
        nothing_nearer_than_1_up_to: apart,
      };
    };
  },
);
