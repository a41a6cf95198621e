// @ts-check
// One pair with frequency 1: what goes round a circle, and its near returns.

/** @import { Point } from "../types" */

export const TURN = 2 * Math.PI;

/**
 * (sin p, cos p).
 * @param {number} position
 * @returns {Point}
 */
export const onCircle = (position) => [Math.sin(position), Math.cos(position)];

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
