// @ts-check
// Encodings with a linear shift, by the root of their recurrence; in Python, wavebook.recurrence.

/**
 * The entries r^p sin θp and r^p cos θp, and for a double root p times these besides; θ in radians.
 * @param {number} p
 * @param {number} radius
 * @param {number} angle
 * @param {string} multiplicity
 */
export function rootEncoding(p, radius, angle, multiplicity) {
  const size = radius ** p;
  const once = [size * Math.sin(angle * p), size * Math.cos(angle * p)];
  return multiplicity === "double" ? [...once, p * once[0], p * once[1]] : once;
}
