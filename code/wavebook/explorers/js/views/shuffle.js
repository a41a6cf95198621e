// @ts-check
// The sentence as words that can change places; from each of them lines go to one token, as wide as the weight that it
// gives them; below, what comes out for each token. All that belongs to a token travels with it.

import { arrangement, arrangementNumber, attentionWeights, carried, encoded, mix } from "../lib/attention.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, spoken } from "../lib/kit/format.js";
import { line, px, text, uprights } from "../lib/kit/svg.js";
import { farthest } from "../lib/matrices.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit } from "../types" */

/** What is drawn, by token: its place, whom it looks at, what comes out for it, and that in the first order. */
/** @typedef {{ places: number[], weights: number[][], outputs: number[][], firsts: number[][] }} Scene */

/** @type {{ tokens: number[][], names: string[], base: number, bites: number, looks: number }} */
const {
  tokens: TOKENS,
  names: NAMES,
  base: BASE,
  bites: BITES,
  looks: LOOKS,
} = /** @type {any} */ (SPEC.constants);
const COUNT = NAMES.length;
const TRAVEL = 900; // ms
const [WORDS, TALL] = [60, 56]; // where the words are, and how high
const LIFT = 60; // how far those that travel go around those that stay
const [FROM, TO] = [WORDS + TALL / 2, 192]; // where the lines begin and end
const [OUT, SWING] = [258, 40]; // the middle of the outputs, and how far they reach

/** @type {(by: number[][], order: number[]) => number[][]} */
const byToken = (rows, order) => NAMES.map((_, token) => rows[order.indexOf(token)]);

/**
 * Attention on the tokens in an order: weights and outputs, a row for each place.
 * @param {number[]} order
 * @param {number} d
 * @param {string} encoding
 */
function run(order, d, encoding) {
  const tokens = order.map((token) => TOKENS[token].slice(0, d));
  const x = encoding === "on" ? encoded(tokens, BASE) : tokens;
  const weights = attentionWeights(x);
  return { weights, outputs: mix(weights, x) };
}

/**
 * Between two scenes of as many numbers.
 * @param {Scene} from
 * @param {Scene} to
 * @param {number} part
 * @returns {Scene}
 */
function amid(from, to, part) {
  const way = part * part * (3 - 2 * part);
  const row = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    b.map((goal, j) => a[j] + (goal - a[j]) * way);
  const rows = (/** @type {number[][]} */ a, /** @type {number[][]} */ b) =>
    b.map((goal, j) => row(a[j], goal));
  return {
    places: row(from.places, to.places),
    weights: rows(from.weights, to.weights),
    outputs: rows(from.outputs, to.outputs),
    firsts: rows(from.firsts, to.firsts),
  };
}

export default explorer(
  "Change the order of the tokens",
  (/** @type {Kit<{ order: number, encoding: string, d_model: number }>} */ kit) => {
    kit.shows = { weight: "softmax", out: "Y" };
    kit.keep("d_model");
    kit.button("the dog bit the man", () => kit.set("order", 0));
    kit.button("the man bit the dog", () => kit.set("order", BITES));
    kit.choice("encoding", { label: "positional encoding" });
    const said = (/** @type {number} */ number) => arrangement(number, COUNT).map((token) => NAMES[token]);
    kit.slider("order", { label: "order", show: (number) => said(number).join(" ") });
    const plot = kit.panel({ basis: 680, height: 330 });
    const verdict = kit.note("words", 1, 2);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let looks = LOOKS; // the token whose weights are drawn
    /** @type {{ token: number, x: number } | null} the word that is in the reader's hand */
    let held = null;
    /** @type {Scene | undefined} what is drawn now */
    let scene;
    /** @type {{ key: string, from: Scene | undefined, came: number }} where it comes from, and since when */
    let way = { key: "", from: undefined, came: 0 };

    kit.on(plot.svg, "pointerover", ({ target }) => {
      const over = target.dataset.grip;
      if (over === undefined || held || Number(over) === looks) return;
      looks = Number(over);
      kit.redraw();
    });
    for (const event of ["pointerup", "pointercancel"]) {
      kit.on(plot.svg, event, () => {
        if (!held) return;
        held = null;
        way = { ...way, from: scene, came: performance.now() };
        kit.redraw();
      });
    }

    return ({ order: number, encoding, d_model: d }) => {
      const order = arrangement(number, COUNT);
      const now = run(order, d, encoding);
      const before = run(arrangement(0, COUNT), d, encoding);
      /** @type {Scene} */
      const goal = {
        places: NAMES.map((_, token) => order.indexOf(token)),
        weights: byToken(
          now.weights.map((row) => NAMES.map((_, token) => row[order.indexOf(token)])),
          order,
        ),
        outputs: byToken(now.outputs, order),
        firsts: before.outputs,
      };
      const key = `${number} ${encoding} ${d}`;
      if (key !== way.key) way = { key, from: scene, came: performance.now() };
      const part = (performance.now() - way.came) / TRAVEL;
      if (!way.from || way.from.outputs[0].length !== d || calm.matches || part >= 1) way.from = undefined;
      scene = way.from ? amid(way.from, goal, part) : goal;
      if (way.from) kit.redraw();
      const landed = !way.from && !held;

      const column = plot.width / COUNT;
      const narrow = plot.width < 560;
      const across = (/** @type {number} */ place) => (place + 0.5) * column;
      const at = scene.places.map(across);
      if (held) at[held.token] = held.x;
      const wide = Math.min(column - 8, 124);
      // Who goes right goes over those that stay, who goes left under them.
      const lift = scene.places.map((place, token) => {
        const to = goal.places[token];
        const from = way.from?.places[token] ?? to;
        const done = from === to || held ? 0 : (place - from) / (to - from);
        return LIFT * Math.sin(Math.PI * done) * Math.sign(from - to);
      });
      const step = Math.min((column - (narrow ? 20 : 24)) / d, 18);

      const most = Math.max(...[...now.outputs, ...before.outputs].flat().map(Math.abs));
      /** @type {(values: number[], x: number, width: number, style: string) => string} */
      const bars = (values, x, width, style) =>
        uprights(
          values.map((value, j) => {
            const place = x + (j - (d - 1) / 2) * step;
            return `M${px(place)} ${OUT}v${px((-SWING * value) / most)}`;
          }),
          px(width),
          style,
        );
      /** @type {(from: number, to: number, weight: number, style: string) => string} */
      const look = (from, to, weight, style) =>
        `<path class="${style}" style="stroke-width:${px(1 + 15 * weight)}px;stroke-linecap:butt"` +
        ` d="M${px(at[from])} ${px(FROM + lift[from])}C${px(at[from])} ${FROM + 60}` +
        ` ${px(at[to])} ${TO - 60} ${px(at[to])} ${TO}"/>`;
      const { weights, outputs, firsts } = scene;
      const others = NAMES.flatMap((_, to) =>
        NAMES.map((_, from) => (to === looks ? "" : look(from, to, weights[to][from], "grid"))),
      );
      const own = NAMES.map((_, from) => look(from, looks, weights[looks][from], "weight"));
      const marked = encoding === "on";
      const style = `word${narrow ? " less" : ""}`;
      // The mark of a place stays there while its token is away, and is on the token that has come.
      const mark = (/** @type {number} */ place) =>
        marked ? text([across(place), WORDS + 20], `+ PE(${place})`, "small sine bare") : "";
      const home = (/** @type {number} */ token) =>
        Math.abs(at[token] - across(goal.places[token])) < 1 && !lift[token];
      const word = (/** @type {number} */ token) =>
        `<g><rect class="ring ${token === looks ? "thick" : "muted hair"}" rx="8" x="${px(at[token] - wide / 2)}"` +
        ` y="${px(WORDS + lift[token] - TALL / 2)}" width="${px(wide)}" height="${TALL}"/>` +
        `${text([at[token], WORDS + lift[token] + (marked ? 1 : 9)], NAMES[token], style)}` +
        `${home(token) ? mark(goal.places[token]) : ""}</g>`;
      // Those that travel are over those that stay, and the one in the hand is over all.
      const away = (/** @type {number} */ token) =>
        held?.token === token ? Infinity : Math.abs(at[token] - across(goal.places[token]));
      const words = [...order].sort((a, b) => away(a) - away(b)).map(word);
      // The weights are on the side from which no line comes.
      const shares = weights[looks].map((weight, token) => {
        const over = held && token !== held.token && Math.abs(at[token] - held.x) < 0.7 * column;
        if (over) return ""; // the one in the hand has its share there
        const side = at[token] < at[looks] ? -1 : 1;
        const share = `${Math.round(100 * weight)} %`;
        const x = Math.min(plot.width - 38, Math.max(38, at[token] + side * (6 + 7.5 * weight)));
        const y = FROM + lift[token] + (narrow ? 26 : 15); // lower, where its line has gone to the other side
        return text([x, y], share, "small strong weight", side < 0 ? "end" : "start");
      });
      const changes = NAMES.map((_, token) => farthest([goal.outputs[token]], [goal.firsts[token]]));
      const told = changes.map((far) =>
        far < 1e-12 ? spoken("identical") : `${narrow ? "" : spoken("changed ")}by ${fixed(far, 3)}`,
      );
      const results = NAMES.map((_, token) => {
        const pale = number || way.from ? bars(firsts[token], at[token], 0.84 * step, "claimed faint") : "";
        const own = pale + bars(outputs[token], at[token], 0.42 * step, "out");
        return (
          line(at[token] - (step * d) / 2, OUT, at[token] + (step * d) / 2, OUT, "grid hair") +
          (lift[token] ? `<g opacity=".5">${own}</g>` : own) +
          (number && landed ? text([at[token], OUT + 62], told[token], "small strong out") : "")
        );
      });
      const marks = NAMES.map((_, place) =>
        home(goal.places.indexOf(place)) ? "" : `<g>${mark(place)}</g>`,
      );
      const listed = order.map((token, row) => {
        const list = order.map((other, place) => `${NAMES[other]} ${fixed(now.weights[row][place], 2)}`);
        const first = `its output begins with ${fixed(now.outputs[row][0])}`;
        return `${NAMES[token]} looks at ${list.join(", ")}; ${first}`;
      });
      // Each word is taken to another place in the sentence.
      const grips = NAMES.map((_, token) => {
        const x = across(order.indexOf(token));
        const half = wide / 2 - 14;
        return /** @type {Grip} */ ({
          kind: "cursor",
          points: [
            [x - half, WORDS],
            [x + half, WORDS],
          ],
          moves: {
            order: (_value, _from, to) => {
              held = { token, x: Math.min(plot.width - wide / 2, Math.max(wide / 2, to[0])) };
              kit.redraw();
              return arrangementNumber(carried(order, token, to[0] / column));
            },
          },
        });
      });
      plot.draw(
        others.join("") +
          own.join("") +
          marks.join("") +
          words.join("") +
          shares.join("") +
          results.join("") +
          (way.from
            ? ""
            : text([0, 14], `lines: how much *${NAMES[looks]}* looks at each`, "small muted", "start")) +
          text(
            [0, TO + 16],
            narrow ? "what comes out" : `what comes out: ${d} numbers for each`,
            "small muted",
            "start",
          ) +
          (number
            ? text(
                [plot.width, TO + 16],
                plot.width < 480 ? "pale: in the first order" : "pale: the same token in the first order",
                "small claimed",
                "end",
              )
            : ""),
        `Attention weights and outputs. ${listed.join(". ")}.`,
        grips,
      );

      const moved = Math.max(...changes);
      const named = [...new Set([looks, changes.indexOf(moved)])].map(
        (token) => `for <i>${NAMES[token]}</i> by up to <b>${fixed(changes[token], 3)}</b>`,
      );
      const changed =
        moved < 1e-12
          ? "Each token's output is <b>what it was</b> in the first order: no number differs by more than rounding."
          : `What comes out has changed: ${named.join(", ")}.`;
      verdict.innerHTML = number === 0 ? "This is the order we compare with." : changed;
      const outputsOf = Object.fromEntries(order.map((token, row) => [NAMES[token], now.outputs[row]]));
      return { sentence: said(number), weights: now.weights, outputs: outputsOf, largest_difference: moved };
    };
  },
);
