// @ts-check
// A sentence's embeddings, the encoding, and their sum, as three strips in one scale of colors; below, once no question is
// open, the size of a token beside that of its encoding, with the initializations in use.

import { encode } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, text } from "../lib/kit/svg.js";
import { cosine, sizeRatio, signTokens, spreads } from "../lib/score_terms.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Panel, Point } from "../types" */

/** @type {{ tokens: string, width: number, base: number, sentence: string[], same: number, initializations: any }} */
const {
  tokens: PACKED,
  width: WIDEST,
  base: BASE,
  sentence: SENTENCE,
  same: SAME,
  initializations: INITIALIZATIONS,
} = /** @type {any} */ (SPEC.constants);
const COUNT = SENTENCE.length;
const ROW = 12; // pixels for a token
const [LEFT, TOP] = [34, 20]; // the margins of a strip
const ROWS = 22; // pixels for an initialization
const SIZES = 4 * ROWS + 70; // for all of them; the strips have this room, too, while a question is open
/** @type {Point} */
const REACH = [0.006, 150]; // of the ratios of sizes
const RULE = 124; // where their axis begins
const FULL = 2; // the entry that has the strongest color

/**
 * Tokens beside encodings: for each initialization an arrow from the size without the factor `root` to that with it.
 * @param {Panel} panel
 * @param {number} ratio
 * @param {Record<string, number>} named
 * @param {number} root
 * @param {string | undefined} close
 */
function ruler(panel, ratio, named, root, close) {
  const left = RULE;
  const x = scale(REACH, [left, panel.width - 12], "log");
  const bottom = panel.height - 40;
  const y = scale([0, 1], [bottom, 24]);
  const rows = Object.entries(named).map(([name, sigma], row) => {
    const at = 36 + ROWS * row;
    const [open, full] = [x(sizeRatio(sigma)), x(sizeRatio(sigma * root))];
    return (
      text([left - 12, at + 4], spoken(name), name === close ? "small" : "muted small", "end") +
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
  const between = (x(sizeRatio(1 / root)) + x(sizeRatio(1))) / 2;
  return (
    axes(x, y, {
      xName: "size of a token ÷ size of its encoding",
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

/** @typedef {{ sigma: number, factor: string, d_model: number }} Traits */

export default explorer("Louder, quieter", (/** @type {Kit<Traits>} */ kit) => {
  kit.shows = { token: "E", encoding: "PE", sum: "x_p" };
  kit.slider("sigma", { label: "spread *σ*" });
  kit.choice("factor", {
    label: "a token enters the sum as",
    options: [
      ["without", "*E*"],
      ["with", "√*d* *E*"],
    ],
  });
  kit.slider("d_model", { label: "model width *d*" });
  const alone = () => !kit.part("sizes");
  const high = () => COUNT * ROW + (alone() ? SIZES / 3 : 0);
  const strips = [0, 1, 2].map(() => kit.panel({ basis: 640, height: () => high() + TOP }));
  const beside = kit.panel({ basis: 640, height: () => (alone() ? 0 : SIZES) });
  const note = kit.note("", 3, 6);

  return ({ sigma, factor, d_model: d }) => {
    beside.svg.style.display = alone() ? "none" : "";
    [...strips, beside].forEach((panel) => panel.measure());
    const root = Math.sqrt(d);
    const size = sigma * (factor === "with" ? root : 1);
    const ratio = sizeRatio(size);
    const signs = signTokens(PACKED, WIDEST, d);
    const tokens = SENTENCE.map((word) => signs[SENTENCE.indexOf(word)].map((sign) => size * sign));
    const encodings = SENTENCE.map((_, p) => Array.from(encode(p, d, BASE)));
    const sums = tokens.map((token, p) => token.map((entry, j) => entry + encodings[p][j]));

    const names = [factor === "with" ? "√*d* × tokens" : spoken("tokens"), "+ encodings", "= sums"];
    const said = [`${COUNT} tokens with entries ±${short(size, 3)}`, `${COUNT} encodings`, `${COUNT} sums`];
    [tokens, encodings, sums].forEach((rows, n) => {
      const strip = strips[n];
      const colors = rows.flatMap((row) => row.map((entry) => entry / FULL));
      strip.map(colors, d, LEFT, TOP, strip.width - LEFT - 4, high());
      const words = SENTENCE.map((word, p) =>
        text([LEFT - 6, TOP + (high() / COUNT) * (p + 0.5) + 4], n === 1 ? String(p) : word, "small", "end"),
      );
      strip.draw(
        text([LEFT, TOP - 6], names[n], `strong ${["token", "encoding", "sum"][n]}`, "start") +
          words.join(""),
        `${said[n]}, a row for each position, d = ${d}. The largest entry is` +
          ` ${fixed(Math.max(...rows.flat()), 2)}.`,
      );
    });

    const named = spreads(d, INITIALIZATIONS);
    const close = Object.keys(named).find((name) => Math.abs(Math.log10(sigma / named[name])) < 0.0105);
    const ratios = Object.entries(named).map(([name, own]) => ({
      name,
      without: sizeRatio(own),
      with: sizeRatio(own * root),
    }));
    const sizes = ratios.map(
      (each) => `${spoken(each.name)} ${short(each.without, 3)} and ${short(each.with, 3)}`,
    );
    const same = cosine(sums[0], sums[SAME]);
    const next = cosine(sums[0], sums[1]);
    const place = scale(REACH, [RULE, beside.width - 12], "log")(ratio);
    beside.draw(
      ruler(beside, ratio, named, root, close),
      `A token is ${short(ratio, 3)} times as large as its encoding.` +
        ` Without and with the factor: ${sizes.join("; ")}.${
          kit.part("numbers") < 1
            ? ""
            : ` Two sums with one token have the cosine ${fixed(same, 2)}, two neighbors ${fixed(next, 2)}.`
        }`,
      [
        cursor(
          "sigma",
          [24, beside.height - 40].map((y) => [place, y]),
          scale(REACH, [RULE, beside.width - 12], "log"),
        ),
      ],
    );

    note.innerHTML = rich(
      `<div>a token is <b>${short(ratio, 2)}</b> times as large` +
        ` as its encoding${close ? `: *σ* is that of ${spoken(close)}` : ""}</div>` +
        `<div>cosine of the sums of <b>${SENTENCE[0]}</b> at 0` +
        ` and <b>${SENTENCE[SAME]}</b> at ${SAME}: <b>${fixed(same, 2)}</b></div>` +
        `<div>cosine of the sums of <b>${SENTENCE[0]}</b> at 0` +
        ` and <b>${SENTENCE[1]}</b> at 1: <b>${fixed(next, 2)}</b></div>`,
    );
    const factored = (/** @type {"with" | "without"} */ how) =>
      Object.fromEntries(ratios.map((each) => [each.name, each[how]]));
    return {
      ratio,
      without_factor: factored("without"),
      with_factor: factored("with"),
      close_to: close ?? null,
      largest_entries: [tokens, encodings, sums].map((rows) => Math.max(...rows.flat())),
      cosine_same_token: same,
      cosine_neighbors: next,
    };
  };
});
