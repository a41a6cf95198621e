// @ts-check
// What is known of K and the distance without a sum over the pairs; in Python, posenc.distance.

const EULER = 0.5772156649015329;

/**
 * Cin(x), the integral of (1 - cos t)/t from 0 to x: its power series, or gamma + ln x - Ci(x) with Ci from a continued
 * fraction.
 * @param {number} x
 */
export function cin(x) {
  if (x < 4) {
    let term = (x * x) / 2;
    let sum = term / 2;
    for (let k = 4; Math.abs(term) > 1e-18; k += 2) sum += (term *= (-x * x) / (k * (k - 1))) / k;
    return sum;
  }
  // Of w = z + 1 - 1/(z + 3 - 4/(z + 5 - 9/...)) with z = jx; Ci(x) is the real part of -exp(-z)/w.
  let re = 1;
  let im = 0;
  for (let k = 80; k >= 0; k -= 1) {
    const size = (k + 1) ** 2 / (re * re + im * im);
    [re, im] = [2 * k + 1 - size * re, x + size * im];
  }
  return EULER + Math.log(x) + (Math.cos(x) * re - Math.sin(x) * im) / (re * re + im * im);
}

/**
 * What the law says of K(offset): the integral with its first correction.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 */
export function similarityLaw(offset, dModel, base) {
  const far = Math.abs(offset);
  const near = far / base;
  return (dModel / 2) * (1 - (cin(far) - cin(near)) / Math.log(base)) + (Math.cos(far) - Math.cos(near)) / 2;
}

/**
 * The distance that goes with the law of K.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} base
 */
export const distanceLaw = (offset, dModel, base) =>
  Math.sqrt(Math.max(0, dModel - 2 * similarityLaw(offset, dModel, base)));

/**
 * The logarithm alone, as a fraction of K(0).
 * @param {number} offset
 * @param {number} base
 */
export const logarithmicLaw = (offset, base) => 1 - (Math.log(offset) + EULER) / Math.log(base);

/**
 * What a factor of ten in the offset costs of K, as a fraction of K(0).
 * @param {number} base
 */
export const costOfDecade = (base) => Math.LN10 / Math.log(base);

/**
 * The offset at which the fastest neighbors among the hands part by a whole turn.
 * @param {number} dModel
 * @param {number} base
 */
export const partingOffset = (dModel, base) => (Math.PI * dModel) / Math.log(base);

/**
 * By the pigeonhole principle two of the offsets up to `length` are no further apart than this.
 * @param {number} length
 * @param {number} dModel
 */
export function pigeonholeBound(length, dModel) {
  const pairs = dModel / 2;
  return (2 * Math.PI * Math.sqrt(pairs)) / Math.max(1, Math.floor(length ** (1 / pairs) + 1e-9));
}
