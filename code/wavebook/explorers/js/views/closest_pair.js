// @ts-check
// A hunt: find the offset after which all hands are nearly back. The dials show what each hand misses its
// start by, the chart keeps the distances of the offsets that have been tried, beside that of neighbors.

import { distance, largestDistance } from "../lib/distance.js";
import { frequencies } from "../lib/encoding.js";
import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { pigeonholeBound } from "../lib/laws.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ base: number, records: Record<string, Record<string, number[]>> }} */
const { base: BASE, records: RECORDS } = /** @type {any} */ (SPEC.constants);
const { max: LAST } = SPEC.traits.offset;
const KEPT = 600; // offsets that were tried and are still shown

/**
 * An angle as the turn, forward or back, that is left to a whole number of turns.
 * @param {number} angle
 */
const left = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

export default explorer("The closest pair", (/** @type {Kit<{ offset: number, d_model: number }>} */ kit) => {
  /** @type {Record<number, number[]>} */
  const tried = {};
  let open = false; // whether the question was, when this was drawn last
  const slider = { label: "offset *Δ*", style: "wide", show: (/** @type {number} */ k) => short(k, 9) };
  kit.slider("offset", slider);
  kit.choice("d_model", { label: "model width *d*" });
  const next = kit.button("Next nearer one", () => {
    const { offset, d_model } = kit.values();
    kit.set("offset", RECORDS[BASE][d_model].find((k) => k > offset && k <= LAST) ?? 1);
  });
  const rows = (/** @type {number} */ width) => (width < 500 ? 2 : 1);
  const dials = kit.panel({ basis: 640, height: (width) => 150 * rows(width) });
  const chart = kit.panel({ basis: 640, height: 220 });
  const note = kit.note("", 2, 4);

  return ({ offset: k, d_model: d }) => {
    const omegas = frequencies(d, BASE);
    const apart = (/** @type {number} */ offset) => distance(offset, d, BASE, omegas);
    const [here, neighbors] = [apart(k), apart(1)];

    const columns = Math.ceil(omegas.length / rows(dials.width));
    const size = dials.width / columns;
    const radius = Math.min(52, size / 2 - 6);
    const hands = Array.from(omegas, (omega, pair) => {
      /** @type {Point} */
      const center = [size * ((pair % columns) + 0.5), 62 + 150 * Math.floor(pair / columns)];
      const at = atAngle(center, radius);
      const miss = left(omega * k);
      const off = sample(0, miss, 24, (angle) => at(angle));
      return {
        markup:
          circle(center, radius, "muted hair") +
          path([center, ...off], "claimed wash", true) +
          path(off, "claimed thick") +
          line(...center, ...at(0), "muted dashed") +
          line(...center, ...at(miss), "thick") +
          circle(at(miss), 5) +
          text([center[0], center[1] + radius + 19], `${fixed((miss * 180) / Math.PI, 0)}°`, "small"),
        grip: hand("offset", [at(miss, 0.3), at(miss)], center, omega),
        miss,
      };
    });
    dials.draw(
      hands.map(({ markup }) => markup).join(""),
      `${omegas.length} hands after ${counted(k, "position")}. They miss their starts by` +
        ` ${hands.map(({ miss }) => fixed((miss * 180) / Math.PI, 0)).join(", ")} degrees.`,
      hands.map(({ grip }) => grip),
    );

    const own = (tried[d] ??= []);
    // The answer of a question runs through all offsets, however few frames a slow machine draws.
    const { state } = kit.root.dataset;
    for (let n = open && state !== "asking" ? 1 : k; n <= k; n++) if (!own.includes(n)) own.push(n);
    own.splice(0, own.length - KEPT);
    open = state === "asking" || state === "acting";
    const nearer = (/** @type {number} */ one, /** @type {number} */ other) =>
      other > 1 && (one < 2 || apart(other) < apart(one)) ? other : one;
    const best = own.reduce(nearer, 1);
    const x = scale([1, LAST], [44, chart.width - 16], "log");
    const y = scale([0, largestDistance(d)], [chart.height - 40, 24]);
    const bound = pigeonholeBound(k, d);
    const guaranteed = kit.part("bound") === 1;
    const bounded = sample(0, 1, guaranteed ? 240 : 0, (t) => LAST ** t)
      .filter((offset) => pigeonholeBound(offset, d) <= y.domain[1])
      .map((offset) => /** @type {Point} */ ([x(offset), y(pigeonholeBound(offset, d))]));
    const near =
      bound > largestDistance(d) || !guaranteed // or says nothing
        ? ""
        : ` Some offset up to ${k} is bound to come as near as ${short(bound, 4)}.`;
    chart.draw(
      axes(x, y, { xName: "offset *Δ*", yName: "distance" }) +
        path(bounded, "muted hair dashed") +
        bounded
          .slice(0, 1)
          .map(([left, top]) => text([left, top - 8], spoken("guaranteed"), "muted small", "start"))
          .join("") +
        dots(
          own.map((offset) => [x(offset), y(apart(offset))]),
          1.8,
          "muted",
        ) +
        line(x(1), y(neighbors), x(LAST), y(neighbors), "shifted") +
        text([x(LAST), y(neighbors) - 6], "neighbors", "shifted small", "end") +
        line(x(k), y.range[0], x(k), y.range[1], "muted hair") +
        (best > 1 ? circle([x(best), y(apart(best))], 7, "claimed") : "") +
        circle([x(k), y(here)], 5),
      `Distance against offset for d = ${d}. At offset ${k} it is ${short(here, 4)}; neighbors are` +
        ` ${fixed(neighbors, 3)} apart.${near}`,
      [
        cursor(
          "offset",
          y.range.map((end) => [x(k), end]),
          x,
        ),
      ],
    );

    const nearest = RECORDS[BASE][d].findLast((offset) => offset <= LAST) ?? 1;
    const found = best === nearest;
    next.disabled = nearest === 1;
    note.innerHTML =
      `<div>after ${short(k, 9)}: distance <b>${short(here, 4)}</b>,` +
      ` ${here < neighbors && k > 1 ? "<b>nearer</b> than" : k > 1 ? "not as near as" : "that of"}` +
      ` neighbors (${fixed(neighbors, 3)})</div>${
        nearest === 1
          ? `<div class="claimed">No offset up to ${short(LAST, 9)} is nearer than neighbors:` +
            ` the first is ${short(RECORDS[BASE][d][1], 9)}.</div>`
          : best > 1
            ? `<div class="claimed">your nearest: ${short(best, 9)}, at distance` +
              ` <b>${short(apart(best), 4)}</b>` +
              `${found ? `, and no offset up to ${short(LAST, 9)} is nearer` : ""}</div>`
            : ""
      }`;
    const missed = hands.map(({ miss }) => (miss * 180) / Math.PI);
    return { missed_degrees: missed, distance: here, neighbors, bound, nearest_tried: best };
  };
});
