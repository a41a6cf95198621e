// @ts-check
// The encoding and its shift. As in Python, an omega is an angular frequency, in radians per position; `omegas` may be
// any set of frequencies.

/** @import { Matrix, Vector } from "../types" */

/**
 * @param {number} dModel
 * @param {number} base
 */
export const frequencies = (dModel, base) =>
  Float64Array.from({ length: dModel / 2 }, (_, pair) => base ** ((-2 * pair) / dModel));

/**
 * @param {number} dModel
 * @param {number} base
 */
export const wavelengths = (dModel, base) => frequencies(dModel, base).map(wavelength);

/**
 * Positions for a whole turn.
 * @param {number} omega
 */
export const wavelength = (omega) => (2 * Math.PI) / omega;

/**
 * sin(omega_i p) at 2i, cos(omega_i p) at 2i + 1.
 * @param {number} position
 * @param {number} dModel
 * @param {number} base
 * @param {Vector} omegas
 */
export function encode(position, dModel, base, omegas = frequencies(dModel, base)) {
  const encoding = new Float64Array(2 * omegas.length);
  omegas.forEach((omega, pair) => {
    encoding[2 * pair] = Math.sin(omega * position);
    encoding[2 * pair + 1] = Math.cos(omega * position);
  });
  return encoding;
}

/**
 * M_k(omega), which turns the pair (sin, cos) of position p into that of p + k.
 * @param {number} offset
 * @param {number} omega
 * @returns {Matrix}
 */
export function rotation(offset, omega = 1) {
  const sin = Math.sin(omega * offset);
  const cos = Math.cos(omega * offset);
  return [
    [cos, sin],
    [-sin, cos],
  ];
}

/**
 * The encoding of p + offset made from that of p, without knowing p.
 * @param {Vector} encoding
 * @param {number} offset
 * @param {number} base
 * @param {Vector} omegas
 */
export function shift(encoding, offset, base, omegas = frequencies(encoding.length, base)) {
  const shifted = new Float64Array(encoding.length);
  omegas.forEach((omega, pair) =>
    rotation(offset, omega).forEach(([a, b], row) => {
      shifted[2 * pair + row] = a * encoding[2 * pair] + b * encoding[2 * pair + 1];
    }),
  );
  return shifted;
}
