// @ts-check
// Formulas in HTML, out of parts that are set apart by a space.

import { rich, signed } from "./format.js";

/** @import { Vector } from "../../types" */

/** @param {(string | number)[]} parts */
export const equation = (...parts) =>
  `<span class="equation">${parts.map((part) => `<span>${part}</span>`).join("")}</span>`;

/**
 * Numbers are written with three digits; texts may use the marks of `rich`.
 * @param {(string | number)[][]} rows
 */
export const matrix = (rows) => {
  const cells = rows
    .flat()
    .map((cell) => `<span>${typeof cell === "number" ? signed(cell) : rich(cell)}</span>`);
  return `<span class="matrix" style="grid-template-columns:repeat(${rows[0].length},auto)">${cells.join("")}</span>`;
};

/** @param {Vector | string[]} vector */
export const column = (vector) =>
  matrix(Array.from(/** @type {ArrayLike<string | number>} */ (vector), (entry) => [entry]));
