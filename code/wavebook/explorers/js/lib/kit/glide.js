// @ts-check
// What moves a drawing by itself, beside a prediction: traits that go to their values, at fractions on the way.

import { SPEC } from "../../spec.js";
import { stateAt } from "./acts.js";

/** @import { Kit, Step } from "../../types" */

/**
 * One thing at a time goes: what was going stops where it is when the next begins.
 * @param {Kit<any>} kit
 */
export function glider(kit) {
  let frame = 0;
  kit.onCleanup(() => cancelAnimationFrame(frame));
  const stop = () => {
    cancelAnimationFrame(frame);
    kit.put({}, false);
  };
  return {
    stop,
    /** @param {Step[]} acts */
    go(acts) {
      stop();
      const start = /** @type {Record<string, any>} */ (kit.values());
      const began = performance.now();
      const tick = () => {
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
        const seconds = calm ? Infinity : (performance.now() - began) / 1000;
        const { values, over } = stateAt(acts, start, SPEC.traits, seconds);
        kit.put(values, over);
        if (!over) frame = requestAnimationFrame(tick);
      };
      tick();
    },
  };
}
