// @ts-check
// What is recorded of trained heads, as text made small, and how far hands have turned.

/** What the characters of a row of accuracies count from, and how many of them there are. */
const [FIRST, LEVELS] = [35, 90];

/**
 * Rows of accuracies from their text: one character for each, from "#" for 0 to "}" for 1; no row has a backslash, for
 * which a "~" stands.
 * @param {string} text
 * @param {number} length of a row
 */
export function accuracies(text, length) {
  const values = Array.from(text, (sign) => ((sign === "~" ? 92 : sign.charCodeAt(0)) - FIRST) / LEVELS);
  return Array.from({ length: values.length / length }, (_, n) => values.slice(n * length, (n + 1) * length));
}

/**
 * How many turns a hand makes in so many steps, either way round.
 * @param {number} omega
 * @param {number} steps
 */
export const turns = (omega, steps) => Math.abs(omega * steps) / (2 * Math.PI);

/**
 * How far a number of turns is from a whole one, in turns.
 * @param {number} count
 */
export const fromHome = (count) => Math.abs(count - Math.round(count));

/**
 * A step of the way of what follows its goal softly: the next value, which at the end is the goal.
 * @param {number} now
 * @param {number} goal
 * @param {number} [part] of the way
 * @param {number} [least] a rest that is none
 */
export const nearer = (now, goal, part = 0.22, least = 0.002) => {
  const next = now + (goal - now) * part;
  return Math.abs(goal - next) < least ? goal : next;
};

/**
 * What each hand of a head adds to the lead of the token `back` over the one at an offset: of hands as real and imaginary
 * part, which turn by their frequency with each token.
 * @param {number[][]} hands
 * @param {number[]} omegas
 * @param {number} back
 * @param {number} offset
 */
export const leads = (hands, omegas, back, offset) =>
  hands.map(
    ([re, im], i) =>
      re * (Math.cos(omegas[i] * back) - Math.cos(omegas[i] * offset)) -
      im * (Math.sin(omegas[i] * back) - Math.sin(omegas[i] * offset)),
  );
