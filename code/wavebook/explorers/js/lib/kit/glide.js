// @ts-check
// What moves a drawing by itself, beside a prediction: traits that go to their values, at fractions on the way.

import { SPEC } from "../../spec.js";
import { stateAt } from "./acts.js";
import { snapped } from "./drag.js";

/** @import { Kit, Step } from "../../types" */

/**
 * One thing at a time goes: what was going stops where it is when the next begins.
 * @param {Kit<any>} kit
 */
export function glider(kit) {
  /** @type {Record<string, number>} */
  let fractions = {};
  let frame = 0;
  /**
   * Sets traits: for good, or on the way, where the model has whole steps and the drawing what is between.
   * @param {Record<string, any>} setting
   * @param {boolean} settled
   */
  const put = (setting, settled) => {
    fractions = {};
    const now = /** @type {any} */ (kit.values());
    for (const [trait, value] of Object.entries(setting)) {
      const range = SPEC.traits[trait];
      const between = !settled && "step" in range;
      if (between) fractions[trait] = value;
      const step = between ? snapped(value, range) : value;
      if (now[trait] !== step) kit.set(trait, step);
    }
    kit.redraw();
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    fractions = {};
  };
  kit.onCleanup(stop);
  return {
    put,
    stop,
    /** @type {<T>(values: T) => T} */
    at: (values) => ({ ...values, ...fractions }),
    /** @param {Step[]} acts */
    go(acts) {
      stop();
      const start = /** @type {Record<string, any>} */ (kit.values());
      const began = performance.now();
      const tick = () => {
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
        const seconds = calm ? Infinity : (performance.now() - began) / 1000;
        const { values, over } = stateAt(acts, start, SPEC.traits, seconds);
        put(values, over);
        if (!over) frame = requestAnimationFrame(tick);
      };
      tick();
    },
  };
}
