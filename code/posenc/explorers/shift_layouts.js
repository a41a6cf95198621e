// The shift as a whole matrix, for each order of the code's entries; in Python, posenc.rotation and posenc.figures.many_dimensions.

// Where each entry of the code stands in a layout: sine i at 2i and cosine i at 2i + 1, if it is "interleaved".
export const placesOf = (layout, dModel) => Array.from({ length: dModel }, (_, j) => (
  layout === "halves" ? (j >> 1) + j % 2 * dModel / 2 : layout === "cosine first" ? j ^ 1 : j));

// An interleaved code, put into a layout.
export function laidOut(code, layout) {
  const entries = new Array(code.length);
  placesOf(layout, code.length).forEach((place, j) => { entries[place] = code[j]; });
  return entries;
}

// T(offset) as rows; in another layout than ours, P T(offset) P^T. Its columns are the shifted unit vectors.
export function shiftMatrix(offset, dModel, base, layout = "interleaved") {
  const units = Array.from({ length: dModel }, (_, j) => Float64Array.from({ length: dModel }, (_, row) => Number(row === j)));
  return transposed(laidOut(units.map((unit) => laidOut(shift(unit, offset, base), layout)), layout));
}

export const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

// A matrix times a vector, and times a matrix.
export const applied = (matrix, vector) => matrix.map((row) => row.reduce((sum, entry, j) => sum + entry * vector[j], 0));
export const multiplied = (a, b) => transposed(transposed(b).map((column) => applied(a, column)));

// A matrix to the power of a whole number: its squares, squared again, multiplied as the binary digits of the number say.
export function powered(matrix, exponent) {
  if (exponent === 0) return matrix.map((row, i) => row.map((_, j) => Number(i === j)));
  const half = powered(matrix, exponent >> 1), square = multiplied(half, half);
  return exponent % 2 ? multiplied(square, matrix) : square;
}

export function determinant(matrix) {
  const rows = matrix.map((row) => [...row]);
  return rows.reduce((product, _, j) => {
    const pivot = rows.reduce((best, row, r) => (r > j && Math.abs(row[j]) > Math.abs(rows[best][j]) ? r : best), j);
    [rows[j], rows[pivot]] = [rows[pivot], rows[j]];
    for (const row of rows.slice(j + 1)) {
      const factor = row[j] / rows[j][j];
      for (let c = j; c < row.length; c += 1) row[c] -= factor * rows[j][c];
    }
    return product * rows[j][j] * (pivot === j ? 1 : -1);
  }, 1);
}

// The largest |a - b| among the entries of two vectors or matrices.
export function farthest(a, b) {
  const other = b.flat();
  return Math.max(...a.flat().map((entry, j) => Math.abs(entry - other[j])));
}
