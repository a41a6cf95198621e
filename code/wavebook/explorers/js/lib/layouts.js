// @ts-check
// The shift as a whole matrix, for each order of the encoding's entries; in Python, posenc.rotation.

import { encode, shift } from "./encoding.js";
import { identity, transposed } from "./matrices.js";

/**
 * Where each entry of the encoding is in a layout: sine i at 2i and cosine i at 2i + 1, if it is "interleaved".
 * @param {string} layout
 * @param {number} dModel
 */
export const placesOf = (layout, dModel) =>
  Array.from({ length: dModel }, (_, j) => {
    if (layout === "halves") return (j >> 1) + ((j % 2) * dModel) / 2;
    return layout === "cosine first" ? j ^ 1 : j;
  });

/**
 * Entries, one for each of an interleaved encoding's, put into a layout.
 * @template T
 * @param {ArrayLike<T>} entries
 * @param {string} layout
 */
export function laidOut(entries, layout) {
  const moved = Array.from(entries);
  placesOf(layout, entries.length).forEach((place, j) => {
    moved[place] = entries[j];
  });
  return moved;
}

/**
 * The encoding of a position in a layout.
 * @param {number} position
 * @param {number} dModel
 * @param {number} base
 * @param {string} layout
 */
export const encodeIn = (position, dModel, base, layout) => laidOut(encode(position, dModel, base), layout);

/**
 * T(offset); in another layout than ours, P T(offset) P^T. Its columns are the shifted unit vectors.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 * @param {string} layout
 */
export function shiftMatrix(offset, dModel, base, layout = "interleaved") {
  const columns = identity(dModel).map((unit) => laidOut(shift(unit, offset, base), layout));
  return transposed(laidOut(columns, layout));
}
