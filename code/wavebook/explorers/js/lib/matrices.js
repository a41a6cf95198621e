// @ts-check
// Small matrices, as rows.

/** @import { Matrix, Vector } from "../types" */

/**
 * @param {Matrix} matrix
 * @returns {Matrix}
 */
export const transposed = (matrix) => Array.from(matrix[0], (_, j) => matrix.map((row) => row[j]));

/**
 * A matrix times a vector.
 * @param {Matrix} matrix
 * @param {Vector} vector
 */
export const applied = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * vector[j], 0));

/**
 * A matrix times a matrix.
 * @param {Matrix} a
 * @param {Matrix} b
 */
export const multiplied = (a, b) => transposed(transposed(b).map((column) => applied(a, column)));

/** @param {number} size */
export const identity = (size) =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => Number(i === j)));

/**
 * A matrix to the power of a whole number: its squares, squared again, multiplied as the binary digits of the
 * number say.
 * @param {Matrix} matrix
 * @param {number} exponent
 * @returns {Matrix}
 */
export function powered(matrix, exponent) {
  if (exponent === 0) return identity(matrix.length);
  const half = powered(matrix, exponent >> 1);
  const square = multiplied(half, half);
  return exponent % 2 ? multiplied(square, matrix) : square;
}

/** @param {Matrix} matrix */
export function determinant(matrix) {
  const rows = matrix.map((row) => [...row]);
  return rows.reduce((product, _, j) => {
    const larger = (/** @type {number} */ r, /** @type {number} */ best) =>
      r > j && Math.abs(rows[r][j]) > Math.abs(rows[best][j]);
    const pivot = rows.reduce((best, __, r) => (larger(r, best) ? r : best), j);
    [rows[j], rows[pivot]] = [rows[pivot], rows[j]];
    for (const row of rows.slice(j + 1)) {
      const factor = row[j] / rows[j][j];
      for (let c = j; c < row.length; c += 1) row[c] -= factor * rows[j][c];
    }
    return product * rows[j][j] * (pivot === j ? 1 : -1);
  }, 1);
}

/**
 * The largest |a - b| among the entries of two matrices.
 * @param {Matrix} a
 * @param {Matrix} b
 */
export function farthest(a, b) {
  const other = b.flat();
  return Math.max(...a.flat().map((entry, j) => Math.abs(entry - other[j])));
}
