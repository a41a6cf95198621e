// @ts-check
// A sentence's embeddings, the encoding, and their sum, as three strips in one scale of colors, for quiet, even and loud
// tokens.

import { encode } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short, spoken } from "../lib/kit/format.js";
import { line, text } from "../lib/kit/svg.js";
import { cosine, signTokens } from "../lib/score_terms.js";
import { SPEC } from "../spec.js";

/** @import { Kit } from "../types" */

/** @type {{ packed: string, width: number, base: number, sentence: string[], same: number, powers: Record<string, number> }} */
const {
  packed: PACKED,
  width: WIDEST,
  base: BASE,
  sentence: SENTENCE,
  same: SAME,
  powers: POWERS,
} = /** @type {any} */ (SPEC.constants);
const ROW = 17; // pixels for a token
const HIGH = SENTENCE.length * ROW;
const [LEFT, TOP] = [34, 20]; // the margins of a strip
const BAR = [136, 90]; // where it begins and its most pixels, where there are so many
const FULL = 2; // the entry that has the strongest color
/** @type {Record<string, string>} how a token comes to such entries */
const HOW = {
  quiet: "drawn with *σ* = 1/√*d*, and without the factor",
  even: "drawn with *σ* = 1/√*d*, times √*d*",
  loud: "drawn with *σ* = 1, times √*d*",
};

export default explorer("Louder, quieter", (/** @type {Kit<{ tokens: string, d_model: number }>} */ kit) => {
  kit.shows = { token: "E", encoding: "PE", sum: "x_p" };
  kit.choice("tokens", {
    label: "a token's entries",
    options: [
      ["quiet", "±1/√*d*"],
      ["even", "±1"],
      ["loud", "±√*d*"],
    ],
  });
  kit.slider("d_model", { label: "model width *d*" });
  const strips = [0, 1, 2].map(() => kit.panel({ basis: 640, height: HIGH + TOP }));
  const note = kit.note("", 3, 6);

  return ({ tokens: state, d_model: d }) => {
    const size = d ** POWERS[state];
    const signs = signTokens(PACKED, WIDEST, d);
    const tokens = SENTENCE.map((word) => signs[SENTENCE.indexOf(word)].map((sign) => size * sign));
    const encodings = SENTENCE.map((_, p) => Array.from(encode(p, d, BASE)));
    const sums = tokens.map((token, p) => token.map((entry, j) => entry + encodings[p][j]));
    const [token, encoding] = [tokens[0], encodings[0]].map((vector) => Math.hypot(...vector));

    const names = [spoken("tokens"), "+ encodings", "= sums"];
    /** @type {(norm: number) => string} the norm of a row, as a bar that is longest for the largest */
    const bar = (norm) => {
      const most = Math.min(BAR[1], strips[0].width - BAR[0] - 84);
      const end = BAR[0] + (most * norm) / Math.max(token, encoding);
      return (
        line(BAR[0], TOP - 10, end, TOP - 10, "beam") +
        text([end + 8, TOP - 6], `norm ${short(norm, 3)}`, "", "start")
      );
    };
    [tokens, encodings, sums].forEach((rows, n) => {
      const strip = strips[n];
      const colors = rows.flatMap((row) => row.map((entry) => entry / FULL));
      strip.map(colors, d, LEFT, TOP, strip.width - LEFT - 4, HIGH);
      const words = SENTENCE.map((word, p) =>
        text([LEFT - 6, TOP + ROW * (p + 0.5) + 4], n === 1 ? String(p) : word, "small", "end"),
      );
      strip.draw(
        text([LEFT, TOP - 6], names[n], `strong ${["token", "encoding", "sum"][n]}`, "start") +
          (n < 2 ? bar([token, encoding][n]) : "") +
          words.join(""),
        `${names[n]}: a row for each position, d = ${d}. The largest entry is ${fixed(Math.max(...rows.flat()), 2)}.`,
      );
    });

    const same = cosine(sums[0], sums[SAME]);
    const next = cosine(sums[0], sums[1]);
    note.innerHTML = rich(
      `<div>a token is <b>${short(token / encoding, 2)}</b> times as large as its encoding: ${HOW[state]}</div>` +
        `<div>cosine of the sums of <b>${SENTENCE[0]}</b> at 0` +
        ` and <b>${SENTENCE[SAME]}</b> at ${SAME}: <b>${fixed(same, 2)}</b></div>` +
        `<div>cosine of the sums of <b>${SENTENCE[0]}</b> at 0` +
        ` and <b>${SENTENCE[1]}</b> at 1: <b>${fixed(next, 2)}</b></div>`,
    );
    return {
      token_norm: token,
      ratio: token / encoding,
      largest_entries: [tokens, encodings, sums].map((rows) => Math.max(...rows.flat())),
      cosine_same_token: same,
      cosine_neighbors: next,
    };
  };
});
