// @ts-check
// Longer contexts; in Python, posenc.context.

import { frequencies } from "./encoding.js";

/** @import { Vector } from "../types" */

/**
 * The frequencies of a model with RoPE after a method of lengthening its context. YaRN and Llama 3.1 keep what turns
 * more than `fast` times in the trained length, and slow in full what turns less than `slow` times.
 * @param {string} method
 * @param {number} factor
 * @param {number} dModel
 * @param {number} base
 * @param {number} length
 * @param {Record<string, { slow: number, fast: number }>} beta
 */
export function extended(method, factor, dModel, base, length, beta) {
  const { slow, fast } = beta[method] ?? { slow: 0, fast: 1 };
  const omegas = frequencies(dModel, base);
  const kept = (/** @type {number} */ omega) =>
    Math.min(1, Math.max(0, ((length * omega) / (2 * Math.PI) - slow) / (fast - slow)));
  switch (method) {
    case "unchanged":
      return omegas;
    case "interpolation":
      return omegas.map((omega) => omega / factor);
    case "NTK-aware":
      return frequencies(dModel, base * factor ** (dModel / (dModel - 2)));
    case "YaRN":
    case "Llama 3.1":
      return omegas.map((omega) => omega * ((1 - kept(omega)) / factor + kept(omega)));
    default:
      throw new Error(`there is no method ${method}`);
  }
}

/**
 * The pairs that reach, in a sequence `factor` times as long, an angle that training never showed.
 * @param {Vector} omegas
 * @param {number} factor
 * @param {number} dModel
 * @param {number} base
 * @param {number} length
 */
export const unseenPairs = (omegas, factor, dModel, base, length) =>
  Array.from(frequencies(dModel, base), (old, i) =>
    old * length < 2 * Math.PI && omegas[i] * factor > old * (1 + 1e-9) ? [i] : [],
  ).flat();

/**
 * By how much each pair is slowed.
 * @param {Vector} before
 * @param {Vector} after
 */
export const slowing = (before, after) => Array.from(before, (omega, i) => omega / after[i]);

/**
 * How many pairs are kept as they were, and how many are divided by the whole factor.
 * @param {readonly number[]} slowed
 * @param {number} factor
 */
export const keptAndDivided = (slowed, factor) => [
  slowed.filter((value) => value < 1 + 1e-9).length,
  slowed.filter((value) => value >= 1 + 1e-9 && value > factor * (1 - 1e-9)).length,
];
