// @ts-check
// "Play" and "Step": a trait goes on by one, again and again, or once.

import { SPEC } from "../../spec.js";

/** @import { Kit } from "../../types" */

/**
 * The two buttons. `move` takes the trait to where a step leads; there is none beyond its greatest value.
 * @param {Kit<any>} kit
 * @param {string} trait
 * @param {(next: number) => void} [move]
 * @param {number} [tick] milliseconds from step to step
 */
export function player(kit, trait, move = (next) => kit.set(trait, next), tick = 800) {
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const step = () => {
    const next = kit.values()[trait] + 1;
    if (next > SPEC.traits[trait].max) {
      stop();
      return;
    }
    move(next);
  };
  const play = kit.button("Play", () => {
    if (timer) {
      stop();
      return;
    }
    play.textContent = "Pause";
    timer = window.setInterval(step, tick);
    step();
  });
  kit.button("Step", () => {
    stop();
    step();
  });
  kit.onCleanup(stop);
}
