// @ts-check
// Choices of frequencies and their measures; in Python, posenc.spectra.

import { distance, similarity } from "./distance.js";
import { frequencies, wavelengths } from "./encoding.js";

/** @import { Vector } from "../types" */

/**
 * How many steps of the geometric choice make a factor of two.
 * @param {number} dModel
 * @param {number} base
 */
export const pairsPerOctave = (dModel, base) => (dModel * Math.LN2) / (2 * Math.log(base));

/**
 * The fraction of the pairs that make no whole turn in so many positions.
 * @param {number} length
 * @param {number} dModel
 * @param {number} base
 */
export const fractionNeverTurning = (length, dModel, base) =>
  wavelengths(dModel, base).filter((lambda) => lambda > length).length / (dModel / 2);

/**
 * The step from one wavelength to the next, as a factor.
 * @param {number} dModel
 * @param {number} base
 */
export const neighborRatio = (dModel, base) => {
  const lambdas = wavelengths(dModel, base);
  return lambdas.length > 1 ? lambdas[1] / lambdas[0] : base;
};

/**
 * How many wavelengths there are between 2 pi 2^n and 2 pi 2^(n+1), for n = 0 .. count - 1.
 * @param {Vector} omegas
 * @param {number} count
 */
export function octaveCounts(omegas, count) {
  const counts = Array.from({ length: count }, () => 0);
  omegas.forEach((omega) => {
    const octave = Math.floor(-Math.log2(omega));
    if (octave >= 0 && octave < count) counts[octave] += 1;
  });
  return counts;
}

/**
 * Where an octave of wavelengths begins.
 * @param {number} octave
 */
export const octaveStart = (octave) => 2 * Math.PI * 2 ** octave;

/**
 * Frequencies by the name of their choice; `draws` are the random numbers of the random ones, uniform and absolute
 * normal, drawn in Python.
 * @param {string} name
 * @param {number} dModel
 * @param {number} base
 * @param {{ uniform: number[], normal: number[] }} draws
 */
export function spectrum(name, dModel, base, draws) {
  const n = dModel / 2;
  const make = (/** @type {(i: number) => number} */ omega) =>
    Float64Array.from({ length: n }, (_, i) => omega(i));
  const falling = (/** @type {number[]} */ values) => Float64Array.from(values).sort().reverse();
  switch (name) {
    case "geometric":
      return frequencies(dModel, base);
    case "linear": {
      const slowest = frequencies(dModel, base)[n - 1];
      return make((i) => 1 / (1 + (n > 1 ? i / (n - 1) : 0) * (1 / slowest - 1)));
    }
    case "harmonic":
      return make((i) => (n - i) / n);
    case "octave":
      return make((i) => 0.5 ** i);
    case "log-uniform":
      return falling(draws.uniform.slice(0, n).map((u) => base ** -u));
    case "Gaussian":
      return falling(draws.normal.slice(0, n));
    default:
      throw new Error(`there is no choice of frequencies called ${name}`);
  }
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {number} x */
const sinc = (x) => (x ? Math.sin(x) / x : 1);

/** @param {number[]} values */
function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Decades, neighbors, empty octaves, logarithmic, redundancy, apart: the measures of Python, in that order.
 * @param {Float64Array} omegas
 * @param {number} base
 * @param {number} limit
 */
export function measures(omegas, base, limit) {
  const n = omegas.length;
  const x = Array.from({ length: 64 }, (_, j) => Math.log(4) + (j * Math.log(128)) / 63);
  const y = x.map((t) => similarity(Math.exp(t), 2 * n, base, omegas));
  const [mx, my] = [mean(x), mean(y)];
  const covariance = (
    /** @type {number[]} */ u,
    /** @type {number} */ mu,
    /** @type {number[]} */ v,
    /** @type {number} */ mv,
  ) => u.reduce((sum, value, j) => sum + (value - mu) * (v[j] - mv), 0);
  const beats = Array.from(omegas.slice(1), (omega, i) => omegas[i] - omega);
  let apart = 0;
  while (apart < limit && distance(apart + 1, 2 * n, base, omegas) >= 1) apart += 1;
  return [
    Math.log10(omegas[0] / omegas[n - 1]),
    distance(1, 2 * n, base, omegas),
    octaveCounts(omegas, Math.floor(Math.log2(base))).filter((count) => !count).length,
    covariance(x, mx, y, my) ** 2 / (covariance(x, mx, x, mx) * covariance(y, my, y, my)),
    n > 1 ? median(beats.map((beat) => Math.abs(sinc(512 * beat) / sinc(beat / 2)))) : 0,
    apart,
  ];
}
