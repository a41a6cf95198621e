// @ts-check
// The smallest distance among n positions, a staircase that steps down at each record, beside the distance of neighbours.

import { distance } from "../lib/distance.js";
import { frequencies } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, line, path, sample, text } from "../lib/kit/svg.js";
import { pigeonholeBound } from "../lib/laws.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ limit: number, records: Record<string, Record<string, number[]>> }} */
const { limit: LIMIT, records: RECORDS } = /** @type {any} */ (SPEC.constants);

export default explorer(
  "The closest pair",
  (/** @type {Kit<{ length: number, d_model: number, base: number }>} */ kit) => {
    /** @type {number[]} */
    const bases = SPEC.traits.base.options;
    kit.slider("length", {
      label: "offsets up to *n*",
      show: (value) => short(Math.floor(value), 9),
    });
    kit.choice("d_model", { label: "model width *d*" });
    kit.choice("base", { label: "base *b*", options: bases.map((base) => [base, short(base, 7)]) });
    const panel = kit.panel({ basis: 640, height: 330 });
    const note = kit.note("", 1, 4);

    return ({ length, d_model: d, base }) => {
      const n = Math.floor(length);
      const records = RECORDS[base][d];
      const omegas = frequencies(d, base);
      const apart = (/** @type {number} */ k) => distance(k, d, base, omegas);
      const neighbours = apart(1);
      const last = records.findLast((k) => k <= n) ?? 1;
      const x = scale([1, LIMIT], [52, panel.width - 16], "log");
      const y = scale([1e-8, 100], [panel.height - 40, 24], "log");
      const stairs = records.flatMap((k, j) => {
        /** @type {Point[]} */
        const step = [
          [x(k), y(apart(k))],
          [x(records[j + 1] ?? LIMIT), y(apart(k))],
        ];
        return step;
      });
      const bound = (/** @type {number} */ k) => pigeonholeBound(k, d);
      const first = records[1];

      panel.draw(
        axes(x, y, { xName: "offset", yName: "distance", yTicks: [1e-8, 1e-6, 1e-4, 1e-2, 1] }) +
          path(
            sample(0, 1, 240, (t) => [x(LIMIT ** t), y(bound(LIMIT ** t))]),
            "muted hair",
          ) +
          text([x(1) + 6, y(bound(1)) - 7], "pigeonhole bound", "muted small", "start") +
          line(x(1), y(neighbours), x(LIMIT), y(neighbours), "muted dashed") +
          text([x(LIMIT), y(neighbours) - 6], "neighbours", "muted small", "end") +
          path(stairs, "thick") +
          records.map((k) => circle([x(k), y(apart(k))], 3.5, k <= n ? "fill" : "ring")).join("") +
          line(x(n), y.range[0], x(n), y.range[1], "shifted hair") +
          circle([x(last), y(apart(last))], 6, "fill shifted"),
        `Smallest distance against offset for d = ${d} and base ${base}. Up to ${n} the nearest pair is ${last}` +
          ` apart, at distance ${short(apart(last), 4)}; neighbours are ${fixed(neighbours, 3)} apart.` +
          ` Records at ${records.join(", ")}.`,
      );
      note.innerHTML =
        `<div>nearest up to ${short(n, 9)}: ${short(last, 9)} apart</div>` +
        `<div>distance <b>${short(apart(last), 4)}</b>, neighbours ${fixed(neighbours, 3)}</div>` +
        `<div>nearer than neighbours: ${first ? `from ${short(first, 9)} on` : "none"}</div>`;
    };
  },
);
