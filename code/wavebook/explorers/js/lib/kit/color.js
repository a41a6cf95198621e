// @ts-check
// The map of the book's heatmaps: `stops` are its colors, "#rrggbb", from -1 to 1.

/** @import { Vector } from "../../types" */

/**
 * The color of a value in [-1, 1], as [red, green, blue].
 * @param {number} value
 * @param {string[]} stops
 */
export function diverging(value, stops) {
  const at = Math.min(1, Math.max(0, (value + 1) / 2)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const channel = (/** @type {number} */ stop, /** @type {number} */ j) =>
    parseInt(stops[stop].slice(1 + 2 * j, 3 + 2 * j), 16);
  return [0, 1, 2].map((j) =>
    Math.round(channel(low, j) + (at - low) * (channel(low + 1, j) - channel(low, j))),
  );
}

/**
 * Whether black is easier to read on a color than white.
 * @param {number[]} rgb
 */
export const isBright = ([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue > 110;

/**
 * The colors of many values as the bytes of a picture; between 256 colors, as in the book's figures.
 * @param {Vector} values
 * @param {string[]} stops
 */
export function pixels(values, stops) {
  const colors = Uint32Array.from({ length: 256 }, (_, n) => {
    const [red, green, blue] = diverging((2 * n) / 255 - 1, stops);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0; // little-endian, as every browser's machine is
  });
  const data = new Uint32Array(values.length);
  for (let j = 0; j < data.length; j += 1) {
    data[j] = colors[Math.round(127.5 * (Math.min(1, Math.max(-1, values[j])) + 1))];
  }
  return new Uint8ClampedArray(data.buffer);
}
