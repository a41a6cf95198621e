// @ts-check
// The torus on which the encoding for d = 4 moves. Its two angles: the fast
// one goes round the tube, the slow one round the hole. The radii are 1 and `tube`; the eye is at (0, 0,
// `eye`), after turn and tilt.

import { distance } from "./distance.js";

/** @import { Place, Point, Vector } from "../types" */

const TURN = 2 * Math.PI;

/**
 * Where in space the pairs (sin, cos) of the fast and the slow circle put an encoding of four entries.
 * @param {Vector} encoding
 * @param {number} tube
 * @returns {Place}
 */
export function torusPoint({ 0: fastSin, 1: fastCos, 2: slowSin, 3: slowCos }, tube) {
  const out = 1 + tube * fastCos;
  return [out * slowCos, out * slowSin, tube * fastSin];
}

/**
 * The point at two angles.
 * @param {number} fast
 * @param {number} slow
 * @param {number} tube
 */
export const torusAt = (fast, slow, tube) =>
  torusPoint([Math.sin(fast), Math.cos(fast), Math.sin(slow), Math.cos(slow)], tube);

/**
 * The point after a turn about the torus's axis and a tilt towards the eye, both in degrees: across, up,
 * towards the eye.
 * @param {Place} point
 * @param {number} turn
 * @param {number} tilt
 * @returns {Place}
 */
export function turned([x, y, z], turn, tilt) {
  const a = (turn * Math.PI) / 180;
  const b = ((90 - tilt) * Math.PI) / 180;
  const across = x * Math.cos(a) - y * Math.sin(a);
  const deep = x * Math.sin(a) + y * Math.cos(a);
  return [across, deep * Math.cos(b) + z * Math.sin(b), z * Math.cos(b) - deep * Math.sin(b)];
}

/**
 * Perspective: what is nearer to the eye looks larger.
 * @param {Place} point
 * @param {number} eye
 * @returns {Point}
 */
export const seen = ([across, up, near], eye) => [(across * eye) / (eye - near), (up * eye) / (eye - near)];

/**
 * Whether nothing of the solid torus is between a turned point of its surface and the eye.
 * @param {Place} point
 * @param {number} tilt
 * @param {number} tube
 * @param {number} eye
 */
export function inView([x, y, z], tilt, tube, eye) {
  const b = ((90 - tilt) * Math.PI) / 180;
  const sin = Math.sin(b);
  const cos = Math.cos(b);
  const length = Math.hypot(x, y, eye - z);
  const step = [-x / length, -y / length, (eye - z) / length];
  for (let way = 0.03; way < 2.9; way += 0.06) {
    const across = x + way * step[0];
    const up = y + way * step[1];
    const near = z + way * step[2];
    const deep = up * cos - near * sin; // turned back: the axis upright again
    const height = up * sin + near * cos;
    if ((Math.hypot(across, deep) - 1) ** 2 + height ** 2 < 0.999 * tube ** 2) return false;
  }
  return true;
}

/**
 * The turns [m0, m1] of the fast and the slow hand after which both are back, if sqrt(base) = m0/m1 with m1
 * <= most.
 * @param {number} base
 * @param {number} most
 */
export function windings(base, most = 2) {
  for (let slow = 1; slow <= most; slow += 1) {
    const fast = Math.round(slow * Math.sqrt(base));
    if (Math.abs(fast - slow * Math.sqrt(base)) < 1e-12 * fast) return [fast, slow];
  }
  return [];
}

/**
 * The hands' angles at a position, without whole turns.
 * @param {number} position
 * @param {Vector} omegas
 */
export const wrappedAngles = (position, omegas) =>
  Array.from(omegas, (omega) => omega * position - TURN * Math.floor((omega * position) / TURN + 1e-12));

/**
 * The positions from 0 to `position` at which a hand has made a whole number of turns, both ends included.
 * @param {number} position
 * @param {Vector} omegas
 */
export function turnEnds(position, omegas) {
  const ends = Array.from(omegas, (omega) =>
    Array.from({ length: Math.floor((omega * position) / TURN) }, (_, n) => ((n + 1) * TURN) / omega),
  );
  return [0, position, ...ends.flat()].sort((a, b) => a - b);
}

/**
 * The whole turns of the fast hand that brought the curve nearest to its start so far, and how near.
 * @param {number} position
 * @param {number} base
 */
export function nearestReturn(position, base) {
  let best = { turns: 0, gap: Infinity };
  for (let turns = 1; turns <= Math.floor(position / TURN + 1e-9); turns += 1) {
    const gap = distance(turns * TURN, 4, base);
    if (gap < best.gap - 1e-9) best = { turns, gap };
  }
  return best;
}
