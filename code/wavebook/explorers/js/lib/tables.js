// @ts-check
// The encodings of many positions, for maps of them, and how many of many hands move.

import { encode, frequencies } from "./encoding.js";

/** @import { Vector } from "../types" */

/**
 * The encodings of positions 0 .. count - 1, one after the other.
 * @param {number} count
 * @param {number} dModel
 * @param {number} base
 */
export function encodingTable(count, dModel, base) {
  const omegas = frequencies(dModel, base);
  const table = new Float64Array(count * dModel);
  for (let p = 0; p < count; p += 1) table.set(encode(p, dModel, base, omegas), p * dModel);
  return table;
}

/**
 * The sines of each pair at positions 0 .. count - 1, pair after pair.
 * @param {number} count
 * @param {Vector} omegas
 */
export function sineTable(count, omegas) {
  const table = new Float64Array(count * omegas.length);
  omegas.forEach((omega, pair) => {
    for (let p = 0; p < count; p += 1) table[pair * count + p] = Math.sin(omega * p);
  });
  return table;
}

/**
 * How many hands turn by `angle` or more in `step` positions.
 * @param {Vector} omegas
 * @param {number} step
 * @param {number} angle
 */
export const handsMoving = (omegas, step, angle) =>
  omegas.reduce((count, omega) => count + Number(omega * Math.abs(step) >= angle), 0);
