// @ts-check
// What it costs to move on by adding a vector instead of turning.

import { frequencies } from "./encoding.js";

/** @import { Vector } from "../types" */

/**
 * How far PE(p) + (PE(learnedAt + offset) - PE(learnedAt)) is from PE(p + offset).
 * @param {number} position
 * @param {number} offset
 * @param {number} learnedAt
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export const additionError = (
  position,
  offset,
  learnedAt,
  dModel,
  base,
  omegas = frequencies(dModel, base),
) =>
  4 *
  Math.sqrt(
    omegas.reduce(
      (sum, omega) =>
        sum + (Math.sin((omega * (position - learnedAt)) / 2) * Math.sin((omega * offset) / 2)) ** 2,
      0,
    ),
  );
