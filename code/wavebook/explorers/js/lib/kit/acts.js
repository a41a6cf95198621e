// @ts-check
// What a prediction lets happen: keyframes over traits and over the parts of the drawing that the question left out.

/** @import { Control, Step } from "../../types" */

/**
 * The number at a part of the way; on a logarithmic control the way is even in its logarithm.
 * @param {number} from
 * @param {number} to
 * @param {number} part
 * @param {boolean} [log]
 */
export function between(from, to, part, log) {
  if (part >= 1) return to;
  return log ? from * (to / from) ** part : from + (to - from) * part;
}

/**
 * Where an act has got to.
 * @param {Step[]} steps
 * @param {Record<string, any>} start the traits' values before it
 * @param {Record<string, Control>} ranges of the traits
 * @param {number} seconds since it began; Infinity is its end
 * @returns {{ values: Record<string, any>, shown: Record<string, number>, over: boolean }} the values of the traits
 *   that it has moved, and how much of each part is to be seen, from 0 to 1
 */
export function stateAt(steps, start, ranges, seconds) {
  /** @type {Record<string, any>} */
  const values = {};
  /** @type {Record<string, number>} */
  const shown = {};
  let rest = seconds;
  for (const step of steps) {
    Object.assign(values, step.set);
    const part = Math.min(1, rest / step.seconds);
    const way = step.even ? part : part * part * (3 - 2 * part);
    for (const [trait, goal] of Object.entries(step.to)) {
      const range = ranges[trait];
      const log = range && "log" in range && range.log;
      values[trait] = between(values[trait] ?? start[trait], goal, way, log);
    }
    for (const name of step.show) shown[name] = step.holds ? 1 : way;
    if (rest < step.seconds) return { values, shown, over: false };
    rest -= step.seconds;
  }
  return { values, shown, over: true };
}
