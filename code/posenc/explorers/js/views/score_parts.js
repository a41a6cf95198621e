// @ts-check
// Left the four parts, a row for each half of the query and a column for each half of the key; right their sum, on the
// same scale; below the length of a token beside its encoding, with the initialisations in use.

import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale, ticks } from "../lib/kit/scales.js";
import { arrow, circle, line, text, uprights } from "../lib/kit/svg.js";
import {
  fractions,
  lengthRatio,
  scatter,
  scoreParts,
  signTokens,
  spreads,
  summed,
} from "../lib/score_terms.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Panel, Point, Scale } from "../types" */

const { tokens: PACKED, width: WIDEST, base: BASE, initialisations: INITIALISATIONS } = SPEC.constants;
const HEIGHT = 290;
const ROWS = 22; // pixels for an initialisation
const NAMES = ["token with token", "token with position", "position with token", "position with position"];

/**
 * A bar for every key, that of the marked one in green, in a box of the axes x and y.
 * @param {number[]} values
 * @param {number} key
 * @param {Scale} x
 * @param {Scale} y
 */
function bars(values, key, x, y) {
  const wide = Math.max(1.2, 0.62 * (x(1) - x(0))).toFixed(1);
  const bar = values.map((value, q) => `M${x(q).toFixed(1)} ${y(0).toFixed(1)}V${y(value).toFixed(2)}`);
  return (
    uprights(
      bar.filter((_, q) => q !== key),
      wide,
      "",
    ) +
    uprights([bar[key]], wide, "shifted") +
    circle([x(key), y(values[key])], 3.5, "shifted fill")
  );
}

/**
 * Tokens beside encodings: for each initialisation an arrow from the length without the factor `root` to that with it.
 * @param {Panel} panel
 * @param {number} ratio
 * @param {Record<string, number>} named
 * @param {number} root
 * @param {string | undefined} close
 */
function ruler(panel, ratio, named, root, close) {
  const left = 124;
  const x = scale([0.006, 150], [left, panel.width - 12], "log");
  const bottom = panel.height - 40;
  const y = scale([0, 1], [bottom, 24]);
  const rows = Object.entries(named).map(([name, sigma], row) => {
    const at = 36 + ROWS * row;
    const [open, full] = [x(lengthRatio(sigma)), x(lengthRatio(sigma * root))];
    return (
      text([left - 12, at + 4], name, name === close ? "small" : "muted small", "end") +
      arrow(
        [
          [open + 5, at],
          [full - 5, at],
        ],
        "muted hair",
      ) +
      circle([open, at], 4, "ring") +
      circle([full, at], 4.5)
    );
  });
  const between = (x(lengthRatio(1 / root)) + x(lengthRatio(1))) / 2;
  return (
    axes(x, y, {
      xName: "length of a token ÷ length of its encoding",
      yTicks: [],
      xTicks: [0.01, 0.1, 1, 10, 100],
    }) +
    line(x(1), bottom, x(1), 24, "muted dashed") +
    rows.join("") +
    line(x(ratio), bottom, x(ratio), 24, "thick") +
    text([x(ratio), 15], short(ratio, 3)) +
    (x(root) - x(1) > 60 ? text([between, 32], "× √*d*", "muted small") : "")
  );
}

/** @typedef {{ sigma: number, factor: string, position: number, key: number, d_model: number }} Traits */

export default explorer("What a score is made of", (/** @type {Kit<Traits>} */ kit) => {
  kit.slider("sigma", { label: "tokens’ spread *σ*" });
  kit.choice("factor", {
    label: "a token enters the sum as",
    options: [
      ["without", "*E*"],
      ["with", "√*d* *E*"],
    ],
  });
  kit.slider("d_model", { label: "model width *d*" });
  kit.slider("position", { label: "query at *p*" });
  kit.slider("key", { label: "key at *q*", style: "shifted" });
  const table = kit.panel({ basis: 390, grow: 1.4, height: HEIGHT });
  const total = kit.panel({ basis: 292, height: HEIGHT });
  const beside = kit.panel({ basis: 700, height: 4 * ROWS + 70 });
  const formula = kit.note("formula", 1, 3);
  const words = kit.note("words", 2, 4);

  return ({ sigma, factor, position: p, key: q, d_model: d }) => {
    const root = Math.sqrt(d);
    const size = sigma * (factor === "with" ? root : 1);
    const ratio = lengthRatio(size);
    const rows = signTokens(PACKED, WIDEST, d);
    const parts = scoreParts(p, rows, size, BASE);
    const count = rows.length;
    const sum = summed(parts);
    const percent = fractions(parts.map((part) => part[q])).map((part) => `${fixed(100 * part, 0)}\u00a0%`);
    // One scale for all, that does not jump when the query moves: what the parts can reach, rather than what they do.
    /** @type {Point} */
    const domain = [
      -Math.max(Math.min(3.6, root) * size ** 2, 2.7 * size) - Math.SQRT2 / d,
      (size ** 2 + 0.5) * root + 2.7 * size,
    ];
    /** @type {(left: number, right: number, top: number, bottom: number) => [Scale, Scale]} */
    const box = (left, right, top, bottom) => [
      scale([-1, count], [left, right]),
      scale(domain, [bottom, top]),
    ];
    const keys = [0, 20, 40];
    /** @type {(values: number[], x: Scale, y: Scale, names: object) => string} */
    const chart = (values, x, y, names) =>
      axes(x, y, { yTicks: ticks(y, 3), xTicks: keys, ...names }) +
      line(x(p), y.range[0], x(p), y.range[1], "muted hair") +
      bars(values, q, x, y);

    const wide = (table.width - 40 - 8 - 18) / 2;
    const high = (HEIGHT - 40 - 24 - 34) / 2;
    const four = parts.map((part, j) => {
      const left = 40 + (wide + 18) * (j % 2);
      const top = 24 + (high + 34) * (j >> 1);
      const [x, y] = box(left, left + wide, top, top + high);
      return (
        chart(part, x, y, { ...(j < 2 ? { xTicks: [] } : {}), ...(j % 2 ? { yTicks: [0] } : {}) }) +
        text([left, top - 8], NAMES[j], "small", "start") +
        text([left + wide, top - 8], fixed(part[q], 2), "small shifted", "end")
      );
    });
    const said = parts.map((part, j) => `${NAMES[j]} ${fixed(part[q], 2)}, ${percent[j]}`);
    table.draw(
      four.join(""),
      `The four parts of the scores of the query at ${p} with ${count} keys, d = ${d}.` +
        ` With key ${q}: ${said.join("; ")}.`,
    );

    const [x, y] = box(40, total.width - 8, 24, HEIGHT - 40);
    const largest = Math.max(...sum);
    total.draw(
      chart(sum, x, y, { xName: "key position *q*" }) +
        text([40, 16], "their sum, the score", "small", "start") +
        text([total.width - 8, 16], fixed(sum[q], 2), "small shifted", "end"),
      `The score, their sum. Query ${p} gives key ${q} the score ${fixed(sum[q], 2)}, the largest,` +
        ` ${fixed(largest, 2)}, to key ${sum.indexOf(largest)}.`,
    );

    const named = spreads(d, INITIALISATIONS);
    const close = Object.keys(named).find((name) => Math.abs(Math.log10(sigma / named[name])) < 0.0105);
    const lengths = Object.entries(named).map(
      ([name, own]) => `${name} ${short(lengthRatio(own), 3)} and ${short(lengthRatio(own * root), 3)}`,
    );
    beside.draw(
      ruler(beside, ratio, named, root, close),
      `A token is ${short(ratio, 3)} times as long as its encoding. Without and with the factor: ${lengths.join("; ")}.`,
    );

    const others = parts.map((part) => scatter(part.filter((_, j) => j !== p)));
    const most = others.indexOf(Math.max(...others));
    const plus = (/** @type {number} */ value) => fixed(value, 2).replace(/^−?/, (sign) => `${sign || "+"} `);
    const list = (/** @type {string[]} */ items) => items.join(", ").replace(/, (?=[^,]*$)/, " and ");
    formula.innerHTML =
      equation(
        "token ÷ encoding",
        "=",
        rich(factor === "with" ? "*σ*√(2*d*)" : "*σ*√2"),
        "=",
        `<b>${short(ratio, 3)}</b>`,
      ) +
      equation(
        fixed(parts[0][q], 2),
        ...parts.slice(1).map((part) => plus(part[q])),
        "=",
        `<b class="shifted">${fixed(sum[q], 2)}</b>`,
      );
    const scatters = others.map((value) => (value < 10 ? fixed(value, 2) : short(value, 3)));
    words.innerHTML = rich(
      `${close ? `*σ* is that of ${close}. ` : ""}At *q* the parts count for ${list(percent)}, by their sizes.` +
        ` Over the other keys they scatter by ${list(scatters)}: most of all <b>${NAMES[most]}</b>.`,
    );
  };
});
