// @ts-check
// The sentence as a row of tokens that can change places; left the weights, right the outputs, a row for each token.

import { arrangement, arrangementNumber, attentionWeights, carried, encoded, mix } from "../lib/attention.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed } from "../lib/kit/format.js";
import { corners, line, path, px, text, uprights } from "../lib/kit/svg.js";
import { farthest } from "../lib/matrices.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit } from "../types" */

/** @type {{ tokens: number[][], names: string[], base: number, bites: number }} */
const { tokens: TOKENS, names: NAMES, base: BASE, bites: BITES } = /** @type {any} */ (SPEC.constants);
const COUNT = NAMES.length;
const TOP = 28;

/**
 * Markup that comes from so many pixels away, unless the reader wants no motion (explorer.css).
 * @param {number} dx
 * @param {number} dy
 * @param {string} markup
 */
const traveling = (dx, dy, markup) =>
  dx || dy ? `<g class="travels" style="--dx:${px(dx)}px;--dy:${px(dy)}px">${markup}</g>` : markup;

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

export default explorer(
  "Change the order of the tokens",
  (/** @type {Kit<{ order: number, encoding: string, d_model: number }>} */ kit) => {
    kit.shows = { weight: "softmax", out: "Y" };
    kit.keep("d_model");
    kit.button("the dog bit the man", () => kit.set("order", 0));
    kit.button("the man bit the dog", () => kit.set("order", BITES));
    kit.choice("encoding", { label: "positional encoding" });
    const said = (/** @type {number} */ number) => arrangement(number, COUNT).map((token) => NAMES[token]);
    kit.slider("order", { label: "order", style: "wide", show: (number) => said(number).join(" ") });
    const left = kit.panel({ height: 258, basis: 300, grow: 0 });
    const right = kit.panel({ height: 258, basis: 300 });
    const verdict = kit.note("words", 1, 2);
    /** @type {number[] | undefined} */
    let shown; // the order of the drawing before

    return ({ order: number, encoding, d_model: d }) => {
      const order = arrangement(number, COUNT);
      const now = run(order, d, encoding);
      const before = run(arrangement(0, COUNT), d, encoding);
      // How many places each token comes from where it was.
      const come = order.map((token, place) => (shown ? shown.indexOf(token) - place : 0));
      shown = order;
      const side = 48;
      const cell = Math.min(40, (left.width - side) / COUNT);
      const end = COUNT * cell;
      const middle = (/** @type {number} */ place) => TOP + (place + 0.5) * cell;
      const across = (/** @type {number} */ place) => side + (place + 0.5) * cell;
      const label = (/** @type {number} */ token, /** @type {number} */ row) =>
        text([side - 8, middle(row) + 4], NAMES[token], "", "end");
      const square = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ weight) => {
        const half = 0.47 * cell * Math.sqrt(weight);
        return path(corners(x - half, y - half, 2 * half, 2 * half), "fill weight", true);
      };
      const grid = Array.from({ length: COUNT + 1 }, (_, j) => {
        const edge = j * cell;
        return (
          line(side, TOP + edge, side + end, TOP + edge, "grid hair") +
          line(side + edge, TOP, side + edge, TOP + end, "grid hair")
        );
      });
      const squares = order.map(
        (token, row) =>
          traveling(0, come[row] * cell, label(token, row)) +
          traveling(come[row] * cell, 0, text([across(row), TOP + end + 17], NAMES[token])) +
          now.weights[row]
            .map((weight, column) =>
              traveling(come[column] * cell, come[row] * cell, square(across(column), middle(row), weight)),
            )
            .join(""),
      );
      const looks = order.map((token, row) => {
        const at = order.map((other, column) => `${NAMES[other]} ${fixed(now.weights[row][column], 2)}`);
        return `${NAMES[token]} looks at ${at.join(", ")}`;
      });
      // Each name below the weights is taken to another place in the sentence.
      const grips = NAMES.map((_, token) => {
        const [x, y] = [across(order.indexOf(token)), TOP + end + 13];
        return /** @type {Grip} */ ({
          kind: "cursor",
          points: [
            [x - 2, y],
            [x + 2, y],
          ],
          moves: {
            order: (_value, _from, to) => arrangementNumber(carried(order, token, (to[0] - side) / cell)),
          },
        });
      });
      left.draw(
        grid.join("") +
          squares.join("") +
          text([side, 14], "weights: the row looks at the column", "small muted", "start"),
        `Attention weights. ${looks.join(". ")}.`,
        grips,
      );

      const stamp = 64; // room for what is said of a row
      const step = (right.width - side - stamp) / d;
      const most = Math.max(...[...now.outputs, ...before.outputs].flat().map(Math.abs));
      const high = (0.48 * cell) / most;
      /** @type {(row: number, values: number[], width: number, style: string) => string} */
      const bars = (row, values, width, style) =>
        uprights(
          values.map((value, j) => {
            const x = (side + (j + 0.5) * step).toFixed(1);
            return `M${x} ${middle(row)}v${(-high * value).toFixed(2)}`;
          }),
          width,
          style,
        );
      const told = order.map((token, row) =>
        farthest([now.outputs[row]], [before.outputs[token]]) < 1e-12 ? "identical" : "changed",
      );
      const moving = come.some(Boolean) ? " lands" : ""; // what is said of a row, once all are there
      const outputs = order.map(
        (token, row) =>
          line(side, middle(row), right.width - stamp, middle(row), "grid hair") +
          traveling(
            0,
            come[row] * cell,
            label(token, row) +
              bars(row, before.outputs[token], 0.8 * step, "claimed faint") +
              bars(row, now.outputs[row], 0.4 * step, "out"),
          ) +
          (number ? text([right.width, middle(row) + 4], told[row], `small strong out${moving}`, "end") : ""),
      );
      const firsts = order.map((token, row) => `${NAMES[token]}: ${fixed(now.outputs[row][0])}`);
      right.draw(
        outputs.join("") +
          text([side, 14], `outputs: ${d} numbers for each token`, "small muted", "start") +
          text([side, TOP + end + 17], "wide bars: in the first order", "small claimed", "start"),
        `Outputs, the first number of each. ${firsts.join("; ")}.`,
      );

      const same = order.map((token) => before.outputs[token]);
      const moved = farthest(now.outputs, same);
      const changed =
        moved < 1e-12
          ? "Each token's output is <b>what it was</b> in the first order: no number differs by more than rounding."
          : `Some token's output has changed: the largest difference is <b>${fixed(moved, 3)}</b>.`;
      verdict.innerHTML = number === 0 ? "This is the order we compare with." : changed;
      const outputsOf = Object.fromEntries(order.map((token, row) => [NAMES[token], now.outputs[row]]));
      return { sentence: said(number), weights: now.weights, outputs: outputsOf, largest_difference: moved };
    };
  },
);
