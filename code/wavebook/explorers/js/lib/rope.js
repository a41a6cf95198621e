// @ts-check
// RoPE on pairs; in Python, posenc.rope.

/** @import { Point, Vector } from "../types" */

/**
 * A pair turned anticlockwise by an angle.
 * @param {Point} pair
 * @param {number} angle
 * @returns {Point}
 */
export const rotated = ([x, y], angle) => [
  x * Math.cos(angle) - y * Math.sin(angle),
  x * Math.sin(angle) + y * Math.cos(angle),
];

/**
 * The score of a query `offset` positions after its key.
 * @param {number} offset
 * @param {Vector} query
 * @param {Vector} key
 * @param {Vector} omegas
 */
export const ropeScore = (offset, query, key, omegas) =>
  omegas.reduce((sum, omega, i) => {
    const [x, y] = rotated([query[2 * i], query[2 * i + 1]], omega * offset);
    return sum + x * key[2 * i] + y * key[2 * i + 1];
  }, 0);

/**
 * The score of one pair of query and key, at positions m and n, if encodings are added instead.
 * @param {number} m
 * @param {number} n
 * @param {Point} query
 * @param {Point} key
 * @param {number} omega
 */
export const addedScore = (m, n, query, key, omega) =>
  (query[0] + Math.sin(omega * m)) * (key[0] + Math.sin(omega * n)) +
  (query[1] + Math.cos(omega * m)) * (key[1] + Math.cos(omega * n));

/**
 * The key that a query, turned, meets head on `aim` positions back.
 * @param {number} aim
 * @param {Vector} omegas
 * @param {Vector} query
 */
export function aimedKey(aim, omegas, query) {
  const key = new Float64Array(2 * omegas.length);
  omegas.forEach((omega, i) => key.set(rotated([query[2 * i], query[2 * i + 1]], omega * aim), 2 * i));
  return key;
}

/**
 * The angle from one arrow to another, between -pi and pi.
 * @param {Point} a
 * @param {Point} b
 */
export function angleBetween(a, b) {
  const turn = Math.atan2(b[1], b[0]) - Math.atan2(a[1], a[0]);
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}
