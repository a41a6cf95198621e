// @ts-check
// What a head's mean query and key say of each offset: a sum of cosines, one for each pair.

/**
 * The score that hands give at an offset, and each hand's part of it.
 * @param {number[]} real
 * @param {number[]} imaginary
 * @param {number[]} omegas
 * @param {number} offset
 */
export const ownScore = (real, imaginary, omegas, offset) =>
  omegas.reduce(
    (sum, omega, i) => sum + real[i] * Math.cos(omega * offset) - imaginary[i] * Math.sin(omega * offset),
    0,
  );

/**
 * Hands with one of them turned by some degrees.
 * @param {number[]} real
 * @param {number[]} imaginary
 * @param {number} pair
 * @param {number} degrees
 * @returns {[number[], number[]]}
 */
export function turnOne(real, imaginary, pair, degrees) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [re, im] = [real[pair], imaginary[pair]];
  const replaced = (/** @type {number[]} */ all, /** @type {number} */ value) =>
    all.map((own, i) => (i === pair ? value : own));
  return [replaced(real, re * cos - im * sin), replaced(imaginary, re * sin + im * cos)];
}

/**
 * The offset of the greatest of some values, from one on.
 * @param {number[]} values
 * @param {number} from
 */
export const greatestFrom = (values, from) =>
  values.reduce((best, value, k) => (k > from && value > values[best] ? k : best), from);
