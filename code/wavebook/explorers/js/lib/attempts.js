// @ts-check
// Ways to give a position a vector; in Python, wavebook.figures.order.

import { encode } from "./encoding.js";

/**
 * The digits of a number, the last one first; what is behind the point of it counts for nothing.
 * @param {number} count
 * @param {number} base
 * @param {number} places
 */
export const digitsOf = (count, base, places) =>
  Array.from({ length: places }, (_, i) => Math.floor(count / base ** i) % base);

/**
 * The vector of a position in a sequence of `length` tokens, or null where there is none.
 * @param {string} name
 * @param {number} position
 * @param {number} length
 * @param {{ digits: number, width: number, base: number, table: number[][] }} sizes
 * @returns {number[] | null}
 */
export function attempt(name, position, length, { digits, width, base, table }) {
  switch (name) {
    case "the number":
      return [position];
    case "the fraction":
      return [position / length];
    case "binary digits":
      return digitsOf(position, 2, digits);
    case "a learned table":
      return table[position] ?? null;
    case "sines and cosines":
      return Array.from(encode(position, width, base));
    default:
      throw new Error(`there is no attempt ${name}`);
  }
}
