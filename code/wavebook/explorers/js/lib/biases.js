// @ts-check
// Biases by distance; in Python, posenc.biases.

/**
 * ALiBi's slope for head 1 .. heads, where heads is a power of two.
 * @param {number} head
 * @param {number} heads
 */
export const alibiSlope = (head, heads) => 2 ** ((-8 * head) / heads);

/**
 * T5's bucket of a distance, given the nearest distance in each.
 * @param {number} distance
 * @param {number[]} starts
 */
export const bucketOf = (distance, starts) => starts.findLastIndex((start) => start <= distance);
