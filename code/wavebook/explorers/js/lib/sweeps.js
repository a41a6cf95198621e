// @ts-check
// Hands that turn once in their wavelengths.

/**
 * The angle that each hand has swept after some positions, in radians, and a whole turn at most.
 * @param {number[]} waves wavelengths, in positions
 * @param {number} position
 */
export const sweeps = (waves, position) => waves.map((wave) => 2 * Math.PI * Math.min(1, position / wave));

/**
 * How many hands have made a whole turn.
 * @param {number[]} waves wavelengths, in positions
 * @param {number} position
 */
export const cameRound = (waves, position) => waves.filter((wave) => wave <= position).length;
