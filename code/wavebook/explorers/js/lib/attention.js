// @ts-check
// Attention on small sequences; in Python, wavebook.attention. Rows of x are tokens.

import { similarity } from "./distance.js";
import { encode, frequencies } from "./encoding.js";

/** @import { Matrix, Vector } from "../types" */

/**
 * The dot product.
 * @param {Vector} a
 * @param {Vector} b
 */
export const dot = (a, b) => a.reduce((sum, entry, j) => sum + entry * b[j], 0);

/** @param {number[]} scores */
export function softmax(scores) {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/**
 * The weights of attention in its barest form: queries, keys and values are the rows themselves.
 * @param {Matrix} x
 * @returns {Matrix}
 */
export const attentionWeights = (x) =>
  x.map((query) => softmax(x.map((key) => dot(query, key) / Math.sqrt(query.length))));

/**
 * Each row the mean of all rows under its weights.
 * @param {Matrix} weights
 * @param {Matrix} x
 * @returns {Matrix}
 */
export const mix = (weights, x) =>
  weights.map((line) =>
    Array.from(x[0], (_, j) => line.reduce((sum, weight, row) => sum + weight * x[row][j], 0)),
  );

/**
 * Tokens with the encodings of positions 0, 1, ... added.
 * @param {Matrix} tokens
 * @param {number} base
 * @returns {Matrix}
 */
export const encoded = (tokens, base) =>
  tokens.map((token, position) => {
    const encoding = encode(position, token.length, base);
    return token.map((entry, j) => entry + encoding[j]);
  });

/**
 * The order of `count` tokens with this number, in the dictionary's sense.
 * @param {number} number
 * @param {number} count
 */
export function arrangement(number, count) {
  const left = Array.from({ length: count }, (_, j) => j);
  /** @type {number[]} */
  const order = [];
  for (let size = count; size; size -= 1) {
    let block = 1;
    for (let j = 2; j < size; j += 1) block *= j;
    order.push(...left.splice(Math.floor(number / block) % size, 1));
  }
  return order;
}

/**
 * The number of an order.
 * @param {number[]} order
 */
export const arrangementNumber = (order) =>
  order.reduce(
    (number, token, place) =>
      number * (order.length - place) + order.slice(place + 1).filter((later) => later < token).length,
    0,
  );

/**
 * An order with one of its tokens taken to another place; the others close up.
 * @param {number[]} order
 * @param {number} token
 * @param {number} place a whole number is where a place begins; beyond the ends is the first or the last
 */
export function carried(order, token, place) {
  const made = order.filter((other) => other !== token);
  made.splice(Math.min(made.length, Math.max(0, Math.floor(place))), 0, token);
  return made;
}

/**
 * The score that a head with W_q = 1 and W_k = T(offset) gives a key, from the encodings alone:
 * K(position - key - offset)/sqrt(d).
 * @param {number} position
 * @param {number} key
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export const backScore = (position, key, offset, dModel, base, omegas = frequencies(dModel, base)) =>
  similarity(position - key - offset, dModel, base, omegas) / Math.sqrt(dModel);

/**
 * The same for keys 0 .. count - 1, over the temperature.
 * @param {number} position
 * @param {number} offset
 * @param {number} count
 * @param {number} temperature
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export const backScores = (
  position,
  offset,
  count,
  temperature,
  dModel,
  base,
  omegas = frequencies(dModel, base),
) =>
  Array.from(
    { length: count },
    (_, key) => backScore(position, key, offset, dModel, base, omegas) / temperature,
  );
