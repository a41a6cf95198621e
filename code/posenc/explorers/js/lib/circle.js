// @ts-check
// One pair with frequency 1: what goes round a circle, its tangent, the area under its product, its near returns.

import { encode, velocity } from "./encoding.js";

/** @import { Point } from "../types" */

export const TURN = 2 * Math.PI;

/**
 * (sin p, cos p).
 * @param {number} position
 * @returns {Point}
 */
export const onCircle = (position) => [Math.sin(position), Math.cos(position)];

/**
 * Where a straight step of k along the tangent ends.
 * @param {number} p
 * @param {number} k
 * @returns {Point}
 */
export function straightStep(p, k) {
  const moves = velocity(p, 2, 2);
  const [sin, cos] = encode(p, 2, 2);
  return [sin + k * moves[0], cos + k * moves[1]];
}

/**
 * By how much it misses, wherever it starts.
 * @param {number} k
 */
export function straightError(k) {
  const [sin, cos] = straightStep(0, k);
  const [u, v] = onCircle(k);
  return Math.hypot(sin - u, cos - v);
}

/**
 * It misses by no more.
 * @param {number} k
 */
export const straightBound = (k) => (k * k) / 2;

/**
 * The product of a pair.
 * @param {number} t
 */
export const product = (t) => Math.sin(t) * Math.cos(t);

/**
 * The areas of sin * cos above and below the axis over one period from p, piece by piece between its zeros; an
 * antiderivative is sin²/2.
 * @param {number} p
 * @returns {Point}
 */
export function signedAreas(p) {
  const first = Math.floor(p / (TURN / 4)) + 1;
  const zeros = [0, 1, 2, 3, 4].map((j) => ((first + j) * TURN) / 4).filter((t) => t < p + TURN);
  const cuts = [p, ...zeros, p + TURN];
  let [above, below] = [0, 0];
  cuts.slice(1).forEach((t, j) => {
    const area = (Math.sin(t) ** 2 - Math.sin(cuts[j]) ** 2) / 2;
    if (area > 0) above += area;
    else below += area;
  });
  return [above, below];
}

/**
 * The whole number of turns nearest to k radians.
 * @param {number} k
 */
export const nearestTurns = (k) => Math.round(k / TURN);

/**
 * How many radians k steps go beyond the nearest whole number of turns.
 * @param {number} k
 */
export const turnsGap = (k) => k - TURN * nearestTurns(k);

/**
 * The fraction that pi would be if k steps were exactly so many turns, in lowest terms.
 * @param {number} k
 * @param {number} turns
 * @returns {Point}
 */
export function piAsFraction(k, turns) {
  const common = greatestDivisor(k, 2 * turns);
  return [k / common, (2 * turns) / common];
}

/**
 * The greatest common divisor.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export const greatestDivisor = (a, b) => (b ? greatestDivisor(b, a % b) : a);
