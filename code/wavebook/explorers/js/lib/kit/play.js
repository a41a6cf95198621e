// @ts-check
// "Play" and "Step": a trait goes on by one, again and again, or once.

import { SPEC } from "../../spec.js";
import { glider } from "./glide.js";

/** @import { Kit } from "../../types" */

/**
 * The two buttons. There is no step beyond the trait's greatest value.
 * @param {Kit<any>} kit
 * @param {string} trait
 * @param {{ tick?: number, seconds?: number }} [pace] milliseconds from step to step, and how long each glides
 */
export function player(kit, trait, { tick = 800, seconds = 0 } = {}) {
  const film = glider(kit);
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const step = () => {
    film.stop();
    const next = kit.values()[trait] + 1;
    if (next > SPEC.traits[trait].max) {
      stop();
      return;
    }
    if (seconds) film.go([{ set: {}, to: { [trait]: next }, show: [], seconds, holds: false, even: false }]);
    else kit.set(trait, next);
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
