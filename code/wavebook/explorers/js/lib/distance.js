// @ts-check
// Dot products and distances of encodings; in Python, posenc.distance and the modules beside it.

import { frequencies } from "./encoding.js";

/** @import { Vector } from "../types" */

/**
 * K(offset), the dot product of two encodings that are `offset` apart.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export function similarity(offset, dModel, base, omegas = frequencies(dModel, base)) {
  let sum = 0;
  for (let i = 0; i < omegas.length; i++) sum += Math.cos(omegas[i] * offset); // faster than `reduce`
  return sum;
}

/**
 * The cosine of the angle between each hand's two places, `offset` positions apart: the parts of K(offset).
 * @param {number} offset
 * @param {Vector} omegas
 */
export const cosines = (offset, omegas) => Array.from(omegas, (omega) => Math.cos(omega * offset));

/**
 * The distance of two encodings that are `offset` apart; the half angle keeps it exact at small offsets.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export function distance(offset, dModel, base, omegas = frequencies(dModel, base)) {
  let sum = 0;
  for (let i = 0; i < omegas.length; i++) sum += Math.sin((omegas[i] * offset) / 2) ** 2;
  return 2 * Math.sqrt(sum);
}

/**
 * The distance of two vectors.
 * @param {Vector} a
 * @param {Vector} b
 */
export const apart = (a, b) => Math.hypot(...Array.from(a, (entry, j) => entry - b[j]));

/**
 * The distance that most offsets come near to.
 * @param {number} dModel
 */
export const typicalDistance = (dModel) => Math.sqrt(dModel);

/**
 * No two encodings are further apart.
 * @param {number} dModel
 */
export const largestDistance = (dModel) => Math.sqrt(2 * dModel);
