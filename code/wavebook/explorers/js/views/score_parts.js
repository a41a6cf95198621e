// @ts-check
// The four parts, a row for each half of the query and a column for each half of the key; below them their sum, on the
// same scale. The tokens have the size that tensor2tensor gives them, with the factor or without.

import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale, ticks } from "../lib/kit/scales.js";
import { circle, line, text, uprights } from "../lib/kit/svg.js";
import { fractions, scatter, scoreParts, signTokens, summed } from "../lib/score_terms.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point, Scale } from "../types" */

const { tokens: PACKED, width: WIDEST, base: BASE, d_model: D } = SPEC.constants;
const HEIGHT = 290; // of the four parts
const TOTAL = 170; // of their sum
const BETWEEN = 30; // pixels between the columns, which has room for a zero
const NAMES = ["token with token", "token with position", "position with token", "position with position"];

/**
 * A bar for every key, that of the marked one in green, in a box of the axes x and y.
 * @param {number[]} values
 * @param {number} key
 * @param {Scale} x
 * @param {Scale} y
 * @param {string} shown
 */
function bars(values, key, x, y, shown) {
  const wide = Math.max(1.2, 0.62 * (x(1) - x(0))).toFixed(1);
  const bar = values.map((value, q) => `M${x(q).toFixed(1)} ${y(0).toFixed(1)}V${y(value).toFixed(2)}`);
  return (
    uprights(
      bar.filter((_, q) => q !== key),
      wide,
      shown,
    ) +
    uprights([bar[key]], wide, `shifted ${shown}`) +
    circle([x(key), y(values[key])], 3.5, "shifted fill")
  );
}

/** @typedef {{ factor: string, position: number, key: number }} Traits */

export default explorer("What a score is made of", (/** @type {Kit<Traits>} */ kit) => {
  kit.choice("factor", {
    label: "a token enters the sum as",
    options: [
      ["without", "*E*"],
      ["with", "√*d* *E*"],
    ],
  });
  kit.shows = { part0: "x y", part1: "x v", part2: "u y", part3: "u v" };
  kit.slider("position", { label: "query at *p*" });
  kit.slider("key", { label: "key at *q*", style: "shifted" });
  const table = kit.panel({ basis: 640, height: HEIGHT });
  const total = kit.panel({ basis: 640, height: TOTAL });
  const formula = kit.note("formula", 1, 2);
  const words = kit.note("words", 2, 4);

  const root = Math.sqrt(D);
  const rows = signTokens(PACKED, WIDEST, D);

  return ({ factor, position: p, key: q }) => {
    const size = factor === "with" ? 1 : 1 / root;
    const parts = scoreParts(p, rows, size, BASE);
    const count = rows.length;
    const sum = summed(parts);
    const percent = fractions(parts.map((part) => part[q])).map((part) => `${fixed(100 * part, 0)}\u00a0%`);
    // One scale for all, that does not jump when the query moves: what the parts can reach, rather than what they do.
    /** @type {Point} */
    const domain = [
      -Math.max(Math.min(3.6, root) * size ** 2, 2.7 * size) - Math.SQRT2 / D,
      (size ** 2 + 0.5) * root + 2.7 * size,
    ];
    /** @type {(left: number, right: number, top: number, bottom: number) => [Scale, Scale]} */
    const box = (left, right, top, bottom) => [
      scale([-1, count], [left, right]),
      scale(domain, [bottom, top]),
    ];
    const keys = [0, 20, 40];
    /** @type {(values: number[], x: Scale, y: Scale, names: object, shown?: string) => string} */
    const chart = (values, x, y, names, shown = "") =>
      axes(x, y, { yTicks: ticks(y, 3), xTicks: keys, ...names }) +
      line(x(p), y.range[0], x(p), y.range[1], "muted hair") +
      bars(values, q, x, y, shown);

    const wide = (table.width - 40 - 8 - BETWEEN) / 2;
    const high = (HEIGHT - 40 - 24 - 34) / 2;
    const four = parts.map((part, j) => {
      const left = 40 + (wide + BETWEEN) * (j % 2);
      const top = 24 + (high + 34) * (j >> 1);
      const [x, y] = box(left, left + wide, top, top + high);
      return (
        chart(
          part,
          x,
          y,
          { ...(j < 2 ? { xTicks: [] } : {}), ...(j % 2 ? { yTicks: [0] } : {}) },
          `part${j}`,
        ) +
        (wide < 170 && j % 2
          ? text([left + wide, top - 8], NAMES[j], `small part${j}`, "end")
          : text([left, top - 8], NAMES[j], `small part${j}`, "start")) +
        text([left + wide, top + (wide < 170 ? 12 : -8)], fixed(part[q], 2), "small shifted", "end")
      );
    });
    const said = parts.map((part, j) => `${NAMES[j]} ${fixed(part[q], 2)}, ${percent[j]}`);
    table.draw(
      four.join(""),
      `The four parts of the scores of the query at ${p} with ${count} keys, d = ${D}.` +
        ` With key ${q}: ${said.join("; ")}.`,
    );

    const [x, y] = box(40, total.width - 8, 24, TOTAL - 40);
    const largest = Math.max(...sum);
    total.draw(
      chart(sum, x, y, { xName: "key position *q*" }) +
        text([40, 16], "their sum, the score", "small", "start") +
        text([total.width - 8, 16], fixed(sum[q], 2), "small shifted", "end"),
      `The score, their sum. Query ${p} gives key ${q} the score ${fixed(sum[q], 2)}, the largest,` +
        ` ${fixed(largest, 2)}, to key ${sum.indexOf(largest)}.`,
      [
        cursor(
          "position",
          y.range.map((end) => [x(p), end]),
          x,
        ),
        cursor(
          "key",
          [0, sum[q]].map((value) => [x(q), y(value)]),
          x,
        ),
      ],
    );

    const others = parts.map((part) => scatter(part.filter((_, j) => j !== p)));
    const most = others.indexOf(Math.max(...others));
    const plus = (/** @type {number} */ value) => fixed(value, 2).replace(/^−?/, (sign) => `${sign || "+"} `);
    const list = (/** @type {string[]} */ items) => items.join(", ").replace(/, (?=[^,]*$)/, " and ");
    formula.innerHTML = equation(
      fixed(parts[0][q], 2),
      ...parts.slice(1).map((part) => plus(part[q])),
      "=",
      `<b class="shifted">${fixed(sum[q], 2)}</b>`,
    );
    const scatters = others.map((value) => (value < 10 ? fixed(value, 2) : short(value, 3)));
    words.innerHTML = rich(
      `At *q* the parts make up ${list(percent)} by size.` +
        ` Over the other keys they scatter by ${list(scatters)}: most of all <b>${NAMES[most]}</b>.`,
    );
    const named = (/** @type {number[]} */ list) =>
      Object.fromEntries(list.map((value, j) => [NAMES[j], value]));
    return {
      parts: named(parts.map((part) => part[q])),
      fractions: named(fractions(parts.map((part) => part[q]))),
      score: sum[q],
      largest,
      largest_at: sum.indexOf(largest),
      scatter: named(others),
      scatters_most: NAMES[most],
    };
  };
});
