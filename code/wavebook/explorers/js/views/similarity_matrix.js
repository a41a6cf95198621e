// @ts-check
// Left the similarity of every two positions, with a marker to walk in it; right the row of p, which
// moves along with p. While the question is open only every eighth row is colored, and they stay where they are.

import { diverging } from "../lib/kit/color.js";
import { similarity } from "../lib/distance.js";
import { frequencies } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { beside, circle, corners, line, path, rect, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit } from "../types" */

const { base: BASE } = SPEC.constants;
const LAST = SPEC.traits.p.max;
const ROWS = LAST + 1;
const [LEFT, TOP, BELOW] = [30, 24, 40]; // pixels around the map
const TICKS = [0, 20, 40, 60];
const EVERY = 8; // one in so many rows is colored before the map is

/** @param {number} width */
const sideOf = (width) => Math.min(340, width - LEFT - 4);

export default explorer(
  "The similarity of every two positions",
  (/** @type {Kit<{ p: number, q: number, d_model: number }>} */ kit) => {
    kit.shows = { here: "p", shifted: "q", value: "K" };
    kit.slider("p", { label: "position *p*" });
    kit.slider("q", { label: "position *q*", style: "shifted" });
    kit.slider("d_model", { label: "model width *d*" });
    kit.button("Both one on", () => {
      const { p, q } = kit.values();
      const step = Math.max(p, q) < LAST ? 1 : -Math.min(p, q); // from the edge back to the other
      kit.set("p", p + step);
      kit.set("q", q + step);
    });
    const plot = kit.panel({ basis: 330, height: (width) => TOP + sideOf(width) + BELOW });
    const row = kit.panel({ basis: 330, height: 300 });
    const note = kit.note("", 2, 3);
    let mapped = "";
    /** @type {number | undefined} the row that is shown before the map is */
    let first;

    return ({ p, q, d_model }) => {
      const omegas = frequencies(d_model, BASE);
      const values = Array.from(
        { length: ROWS },
        (_, k) => similarity(k, d_model, BASE, omegas) / (d_model / 2),
      );
      const side = sideOf(plot.width);
      if (mapped !== (mapped = `${d_model} ${side}`)) {
        const all = Array.from(
          { length: ROWS * ROWS },
          (_, n) => values[Math.abs(Math.floor(n / ROWS) - (n % ROWS))],
        );
        plot.map(all, ROWS, LEFT, TOP, side, side);
      }
      const x = scale([0, ROWS], [LEFT, LEFT + side]);
      const y = scale([0, ROWS], [TOP, TOP + side]);
      /** @type {Grip["moves"]} */
      const moves = {
        p: (_, __, to) => Math.floor(((to[1] - TOP) * ROWS) / side),
        q: (_, __, to) => Math.floor(((to[0] - LEFT) * ROWS) / side),
      };
      const [across, down] = [x(q + 0.5), y(p + 0.5)];
      const apart = Math.abs(p - q);
      const seen = kit.part("colors");
      first = seen < 1 ? (first ?? p) : undefined;
      const shown = first ?? p;
      /** The colors of a row. @param {number} own */
      const strip = (own) =>
        values
          .map((_, at) => {
            const color = diverging(values[Math.abs(own - at)], SPEC.diverging);
            return rect(x(at), y(own), side / ROWS + (at < LAST ? 0.5 : 0), side / ROWS, `rgb(${color})`);
          })
          .join("");
      /** Where two positions are as far apart: one line on each side. @param {string} style */
      const alike = (style) =>
        line(x(apart), TOP, LEFT + side, y(ROWS - apart), style) +
        line(LEFT, y(apart), x(ROWS - apart), TOP + side, style);
      plot.draw(
        path(corners(LEFT, TOP, side, side), "muted hair", true) +
          (seen < 1 ? values.map((_, at) => ((at - shown) % EVERY ? "" : strip(at))).join("") : "") +
          (seen
            ? ""
            : text([LEFT + side, TOP - 10], "every eighth row, until you answer", "small muted", "end")) +
          (seen === 1 ? alike("paper thick") + alike("value dashed") : "") +
          line(LEFT, down, LEFT + side, down, "hair here") +
          line(across, TOP, across, TOP + side, "shifted hair") +
          circle([across, down], 8, "paper bold ring") +
          circle([across, down], 8, "ring value") +
          TICKS.map(
            (tick) =>
              text([LEFT - 6, y(tick + 0.5) + 4], String(tick), "small", "end") +
              text([x(tick + 0.5), TOP + side + 16], String(tick), "small"),
          ).join("") +
          text([LEFT + side, TOP + side + 33], "position *q*", "shifted", "end") +
          text([2, TOP - 10], "position *p*", "", "start"),
        `Map of the similarity of every two positions from 0 to ${LAST}, d = ${d_model}. The marker is in the row of` +
          ` position ${p} and the column of position ${q}${
            seen === 1
              ? `; dashed lines are where two positions are ${apart} apart`
              : "; every eighth row is colored"
          }.`,
        [
          { kind: "map", points: corners(LEFT, TOP, side, side), moves },
          { kind: "hand", points: [[across, down]], moves },
        ],
      );

      const value = values[apart];
      const h = scale([0, LAST], [40, row.width - 14]);
      const v = scale([Math.min(-0.2, ...values), 1.04], [row.height - 40, 26]);
      row.draw(
        axes(h, v, {
          xName: "position *q*",
          xTicks: TICKS,
          yName: "similarity ÷ (*d*/2)",
          yTicks: [0, 0.5, 1],
        }) +
          path(
            values.map((_, at) => [h(at), v(values[Math.abs(shown - at)])]),
            "value",
          ) +
          line(h(shown), v.range[0], h(shown), v(1), "muted dashed here") +
          beside([h(shown), v.range[0] - 8], `row ${shown}`, "muted here", row.width / 2) +
          (seen === 1
            ? line(h(q), v.range[0], h(q), v(value), "shifted hair") +
              circle([h(q), v(value)], 5, "fill shifted")
            : ""),
        `The row of position ${shown}: its similarity with each position. It is greatest with itself${
          seen === 1 ? `; with ${q} it is ${fixed(value, 4)} of the greatest` : ""
        }.`,
      );

      note.innerHTML = rich(
        `<div>PE(${p}) · PE(${q}) = <b>${fixed((value * d_model) / 2, 1)}</b>,` +
          ` that is ${fixed(value, 2)} of *d*/2</div>` +
          `<div>the positions are <b>${apart}</b> apart</div>`,
      );
      return { similarity: value, dot_product: (value * d_model) / 2, positions_apart: apart };
    };
  },
);
