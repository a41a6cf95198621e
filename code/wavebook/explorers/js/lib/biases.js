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

/**
 * The mean of a score over the whole distances in each bucket; the last bucket ends with `furthest`.
 * @param {(distance: number) => number} score
 * @param {number[]} starts
 * @param {number} furthest
 */
export const bucketMeans = (score, starts, furthest) =>
  starts.map((start, j) => {
    const end = starts[j + 1] ?? furthest + 1;
    let sum = 0;
    for (let k = start; k < end; k += 1) sum += score(k);
    return sum / (end - start);
  });
