// @ts-check
// Programs with RoPE that have a slip; in Python, wavebook.explorers.slips.

/** @import { Vector } from "../types" */

/**
 * The scores of a query 0, 1, ... count - 1 positions after its key, as fractions of the number of pairs.
 * @param {number} count
 * @param {Vector} query
 * @param {Vector} key
 * @param {Vector} omegas
 */
export function scoresTo(count, query, key, omegas) {
  const scores = new Float64Array(count);
  omegas.forEach((omega, i) => {
    const [x, y, u, v] = [query[2 * i], query[2 * i + 1], key[2 * i], key[2 * i + 1]];
    const [along, across] = [(x * u + y * v) / omegas.length, (x * v - y * u) / omegas.length];
    const [c, s] = [Math.cos(omega), Math.sin(omega)];
    let [cos, sin] = [1, 0];
    for (let k = 0; k < count; k += 1) {
      scores[k] += along * cos + across * sin;
      const next = cos * c - sin * s;
      sin = sin * c + cos * s;
      cos = next;
    }
  });
  return scores;
}

/**
 * The pairs of a program with halves, entry i and entry i + d/2, as neighbors.
 * @param {Vector} entries
 */
export const halvesAsNeighbors = (entries) =>
  Array.from(entries, (_, j) => entries[(j >> 1) + ((j % 2) * entries.length) / 2]);

/**
 * The nearest whole number that a bfloat16 holds, with eight significant bits; of two, the one whose last bit is 0.
 * @param {number} n
 */
export function bfloat16(n) {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(n || 1)) - 7);
  const whole = Math.floor(n / step);
  const rest = n / step - whole;
  return (rest > 0.5 || (rest === 0.5 && whole % 2) ? whole + 1 : whole) * step;
}

/**
 * How many tokens a cache has dropped before position p, if it drops its older half whenever it is full.
 * @param {number} p
 * @param {number} cache
 */
export const droppedBefore = (p, cache) => (Math.max(1, Math.floor((2 * p) / cache)) - 1) * (cache / 2);
