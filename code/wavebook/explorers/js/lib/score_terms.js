// @ts-check
// What a score is made of: tokens and encodings; in Python, wavebook.attention.

import { dot } from "./attention.js";
import { encode } from "./encoding.js";

/** @import { Matrix } from "../types" */

/**
 * Tokens with entries +1 and -1, out of packed bits in base64, `width` to a token; of each the first dModel.
 * @param {string} packed
 * @param {number} width
 * @param {number} dModel
 * @returns {Matrix}
 */
export function signTokens(packed, width, dModel) {
  const bytes = atob(packed);
  const row = width / 8;
  return Array.from({ length: bytes.length / row }, (_, token) =>
    Array.from({ length: dModel }, (__, j) => {
      const byte = bytes.charCodeAt(token * row + (j >> 3));
      return 2 * ((byte >> (7 - (j % 8))) & 1) - 1;
    }),
  );
}

/**
 * Token with token, token with encoding, encoding with token, encoding with encoding: each with all keys, for tokens
 * `size` times as long.
 * @param {number} position
 * @param {Matrix} tokens
 * @param {number} size
 * @param {number} base
 * @returns {Matrix}
 */
export function scoreParts(position, tokens, size, base) {
  const d = tokens[0].length;
  const encodings = tokens.map((_, p) => Array.from(encode(p, d, base)));
  const part = (/** @type {Matrix} */ queries, /** @type {Matrix} */ keys, /** @type {number} */ factor) =>
    keys.map((key) => (factor * dot(key, queries[position])) / Math.sqrt(d));
  return [
    part(tokens, tokens, size ** 2),
    part(tokens, encodings, size),
    part(encodings, tokens, size),
    part(encodings, encodings, 1),
  ];
}

/**
 * The cosine of the angle between two vectors.
 * @param {number[]} a
 * @param {number[]} b
 */
export const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/**
 * The columns' sums.
 * @param {Matrix} parts
 */
export const summed = (parts) => parts[0].map((_, j) => parts.reduce((total, part) => total + part[j], 0));

/**
 * What fraction of the sum of sizes each value has.
 * @param {number[]} values
 */
export function fractions(values) {
  const whole = values.reduce((sum, value) => sum + Math.abs(value), 0);
  return values.map((value) => Math.abs(value) / whole);
}

/**
 * The standard deviation.
 * @param {number[]} values
 */
export function scatter(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
