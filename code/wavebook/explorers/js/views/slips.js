// @ts-check
// Above the scores of the sequence's last token, in a sound program and in one with a slip; below, for each slip, how far
// off the worst score is in sequences of up to so many tokens, and from where on that shows.

import { frequencies } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, plain, short } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, line, path, sample, text } from "../lib/kit/svg.js";
import { aimedKey, rotated } from "../lib/rope.js";
import { bfloat16, droppedBefore, halvesAsNeighbors, scoresTo } from "../lib/slips.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point, Vector } from "../types" */

const { d_model: D, base: BASE, aim: AIM, other_base: OTHER } = SPEC.constants;
const { cache: CACHE, tolerance: TOLERANCE, asked: ASKED } = SPEC.constants;
const MOST = SPEC.traits.tokens.max;
const ROW = 28; // pixels for a slip, and where its name is above it
const ROW_NAMED = 46;
const NARROW = 560;
const rowIn = (/** @type {number} */ width) => (width < NARROW ? ROW_NAMED : ROW);
/** Where the axis begins: after the names of the slips, where these have room there. */
const leftIn = (/** @type {number} */ width) => (width < NARROW ? 34 : 186);
const BESIDE = 84; // pixels, for from where on a slip shows
/** @type {[string, string][]} the slips, and what they are called in the drawing */
const SLIPS = [
  ["other layout", "the other layout"],
  ["base forgotten", `base ${short(OTHER)} for ${short(BASE)}`],
  ["d - 2", "*d* − 2 for *d*"],
  ["bfloat16 positions", "positions in bfloat16"],
  ["renumbered cache", "a cache that counts anew"],
];

const OMEGAS = frequencies(D, BASE);
// Angles that differ by the golden one: no two pairs are alike.
const QUERY = Array.from(OMEGAS, (_, i) => rotated([1, 0], i * Math.PI * (3 - Math.sqrt(5)))).flat();
const KEY = aimedKey(AIM, OMEGAS, QUERY);
const TRUE = scoresTo(MOST + 1, QUERY, KEY, OMEGAS);
const AHEAD = scoresTo(MOST + 1, KEY, QUERY, OMEGAS); // of keys that seem to come after their query
/** @type {Record<string, Vector>} */
const TAKEN = {
  "other layout": scoresTo(MOST + 1, halvesAsNeighbors(QUERY), halvesAsNeighbors(KEY), OMEGAS),
  "base forgotten": scoresTo(MOST + 1, QUERY, KEY, frequencies(D, OTHER)),
  "d - 2": scoresTo(
    MOST + 1,
    QUERY,
    KEY,
    OMEGAS.map((_, i) => BASE ** (-2 * i / (D - 2))), // prettier-ignore
  ),
};

/**
 * The first key that the token at p can see: a cache has dropped those before it.
 * @type {(slip: string, p: number) => number}
 */
const firstKey = (slip, p) => (slip === "renumbered cache" ? droppedBefore(p, CACHE) : 0);

/**
 * The score of the tokens at p and q in the program with a slip.
 * @type {(slip: string, p: number, q: number) => number}
 */
function score(slip, p, q) {
  if (slip in TAKEN) return TAKEN[slip][p - q];
  const place = (/** @type {number} */ at) =>
    slip === "renumbered cache" ? at - droppedBefore(at, CACHE) : bfloat16(at);
  const seen = place(p) - place(q);
  return seen < 0 ? AHEAD[-seen] : TRUE[seen];
}

/**
 * How far off the worst score of the token at p is.
 * @type {(slip: string, p: number) => number}
 */
function worst(slip, p) {
  if (p < (slip === "renumbered cache" ? CACHE : slip in TAKEN ? 0 : 2 ** 8)) return 0;
  let most = 0;
  for (let q = firstKey(slip, p); q <= p; q += 1) {
    most = Math.max(most, Math.abs(score(slip, p, q) - TRUE[p - q]));
  }
  return most;
}

/** The number of tokens from which on a slip shows. */
const SHOWS = Object.fromEntries(
  SLIPS.map(([slip]) => {
    let p = 0;
    while (worst(slip, p) <= TOLERANCE) p += 1;
    return [slip, p + 1];
  }),
);
const LENGTHS = [...new Set(sample(Math.log(2), Math.log(MOST), 110, (t) => Math.round(Math.exp(t))))];
/** For each slip, length by length, how far off the worst score of the sequence is. */
const WORST = Object.fromEntries(
  SLIPS.map(([slip]) => {
    let most = 0;
    return [slip, LENGTHS.map((n) => (most = Math.max(most, worst(slip, n - 1))))];
  }),
);

export default explorer("Two programs", (/** @type {Kit<{ slip: string, tokens: number }>} */ kit) => {
  kit.slider("tokens", {
    label: "tokens in the sequence",
    style: "wide",
    show: (value) => short(Math.round(value)),
  });
  kit.choice("slip", { label: "the slip", style: "wide", options: SLIPS });
  const scores = kit.panel({ height: 170, basis: 600 });
  const rows = kit.panel({ height: (width) => 62 + rowIn(width) * SLIPS.length, basis: 600 });
  const note = kit.note("", 1, 2);

  return ({ slip, tokens }) => {
    const n = Math.round(tokens);
    const drawn = kit.part("slips");
    const name = Object.fromEntries(SLIPS)[slip];
    const x = scale([1, MOST], [leftIn(scores.width), scores.width - BESIDE], "log");
    const y = scale([-0.4, 1.1], [scores.height - 40, 26]);
    const far = [...new Set(sample(0, Math.log(n - 1), 260, (t) => Math.round(Math.exp(t))))];
    /** @type {(value: (k: number) => number, style: string, most?: number) => string} */
    const curve = (value, style, most = n - 1) =>
      path(
        far.filter((k) => k <= most).map((k) => [x(k), y(value(k))]),
        style,
      );
    const off = worst(slip, n - 1);
    // Where there is room just past the curves' end, and off the name of the axis.
    const wide = scores.width >= NARROW;
    const past = Math.min(scores.width - 168, x(Math.max(n - 1, ASKED)) + 14);
    /** @type {(up: number, name: string, style: string) => string} */
    const named = (up, name, style) =>
      text([wide ? past : scores.width - 12, up], name, style, wide ? "start" : "end");
    scores.draw(
      axes(x, y, { xName: "distance to the key", yName: "score of the last token", yTicks: [0, 0.5, 1] }) +
        curve((k) => TRUE[k], "sine thick") +
        named(16, "as it should be", "sine small") +
        (drawn
          ? curve((k) => score(slip, n - 1, n - 1 - k), "claimed", n - 1 - firstKey(slip, n - 1)) +
            named(32, name, "claimed small")
          : ""),
      `Scores of the last of ${n} tokens against the distance of the key, as fractions of the largest.${
        drawn ? ` With the slip, ${plain(name)}, the worst is off by ${fixed(off, 2)}.` : ""
      }`,
    );

    const left = leftIn(rows.width);
    const above = rows.width < NARROW; // the lines
    const row = rowIn(rows.width);
    const across = scale([1, MOST], [left, rows.width - BESIDE], "log");
    const height = scale([0, 0.8], [0, 20]);
    const levelOf = (/** @type {number} */ j) => 16 + row * (j + 1);
    const bottom = rows.height - 40;
    const reached = across(1) + drawn * (across(MOST) - across(1));
    const lines = SLIPS.map(([each, said], j) => {
      const level = levelOf(j);
      const style = each === slip ? "claimed thick" : "claimed";
      const shown = LENGTHS.flatMap((length, i) => {
        const at = across(length);
        return at <= reached ? [/** @type {Point} */ ([at, level - height(WORST[each][i])])] : [];
      });
      const last = shown[shown.length - 1] ?? [0, 0];
      const begins = reached >= across(SHOWS[each]);
      return (
        line(across(1), level, across(MOST), level, "grid hair") +
        (shown.length > 1
          ? path([...shown, [last[0], level], [shown[0][0], level]], "claimed wash", true)
          : "") +
        path(shown, style) +
        (begins ? circle([across(SHOWS[each]), level], 4.5, "fill claimed") : "") +
        text(
          above ? [left, level - 26] : [left - 12, level + 1],
          said,
          begins && SHOWS[each] <= n ? "strong" : "",
          above ? "start" : "end",
        ) +
        (begins
          ? text([across(MOST) + 7, level + 4], `from ${short(SHOWS[each])}`, "small claimed", "start")
          : "")
      );
    });
    /** @type {(length: number) => Point[]} */
    const cut = (length) => [
      [across(length), bottom],
      [across(length), 4],
    ];
    // Where the names are between the rows, a line across these leaves them out.
    /** @type {(length: number, style: string) => string} */
    const upright = (length, style) =>
      above
        ? SLIPS.map((_, j) => levelOf(j))
            .map((level) => line(across(length), level - 21, across(length), level + 4, style))
            .join("")
        : path(cut(length), style);
    rows.draw(
      axes(across, scale([0, 1], [bottom, 0]), { xName: "tokens in the sequence", yTicks: [] }) +
        upright(ASKED, "dashed muted") +
        text(
          above ? [rows.width, 12] : [across(ASKED) + 6, 12],
          `${above ? "dashed: " : ""}your test, ${ASKED} tokens`,
          "small muted",
          above ? "end" : "start",
        ) +
        (drawn
          ? text(
              [0, 12],
              above ? "band: error so far" : `band: error; dot: over ${100 * TOLERANCE}\u00a0%`,
              "small claimed",
              "start",
            )
          : "") +
        lines.join("") +
        (n === ASKED ? "" : upright(n, "hair here")),
      drawn
        ? `How far off the worst score is, in sequences of 2 to ${MOST} tokens. ${SLIPS.map(
            ([each, said]) => `${plain(said)}: seen from ${SHOWS[each]} tokens on`,
          ).join("; ")}.`
        : `Five lines, one for each slip, and a test of ${ASKED} tokens.`,
      [cursor("tokens", cut(n), across)],
    );
    const found = SLIPS.flatMap(([each]) => (SHOWS[each] <= n ? [each] : []));
    note.innerHTML =
      `<span>A test on ${short(n)} tokens finds <b>${found.length}</b> of five (bold); at its last, the` +
      ` picked slip is off by up to <b>${fixed(off, 2)}</b>.</span>`;
    return { length: n, off, found, shows: SHOWS };
  };
});
