// @ts-check
// A story: one drawing, and steps that set it up, each with a sentence and most with a question that it answers by
// letting it happen.

import { SPEC } from "../../spec.js";
import { glider } from "./glide.js";
import { make } from "./page.js";
import { predict } from "./prediction.js";

/** @import { Asked, Kit } from "../../types" */

/**
 * A step: what is said, the setting that it begins with, how much of some parts there is, and what is asked or, without
 * a question, what to do.
 * @typedef {{ say: string, start: Record<string, any>, seen: Record<string, number>, asked: Asked | null, hint: string
 * }} Scene
 */

/**
 * The frame of a story around an explorer's drawing. The trait `step` counts from 1.
 * @param {Kit<any>} kit
 * @param {Scene[]} scenes
 */
export function story(kit, scenes) {
  const { root } = kit;
  const film = glider(kit);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {(name: string) => number} */
  let part = () => 1;
  /** @type {(() => void)[]} */
  let undo = [];
  let entered = 0;
  root.dataset.story = "";

  const nav = make("div", root, { className: "steps" });
  nav.setAttribute("role", "group");
  nav.setAttribute("aria-label", "Steps of the story");
  const say = kit.note("say");
  const hint = make("p", root, { className: "hint" });
  // Paper, and a page without JavaScript, have the whole story as text.
  kit.note("printed").innerHTML = scenes
    .map(({ say, asked }) => `<p>${say}</p>${asked ? asked.printed : ""}`)
    .join("");
  const go = (/** @type {number} */ step) => {
    if (step < 1 || step > scenes.length || step === kit.values().step) return;
    kit.set("step", step);
    enter(step);
    // The button that was pressed may be gone, and on a phone the words may be above the screen.
    if (next.disabled && document.activeElement === next) {
      root.querySelector(/** @type {"div"} */ (".prediction"))?.focus({ preventScroll: true });
    }
    say.scrollIntoView({ block: "nearest", behavior: calm.matches ? "instant" : "smooth" });
  };
  const button = (
    /** @type {string} */ words,
    /** @type {string} */ style,
    /** @type {(event: MouseEvent) => void} */ press,
  ) => {
    const made = make("button", nav, { type: "button", textContent: words, className: style });
    kit.on(made, "click", press);
    return made;
  };
  const back = button("Back", "quiet", () => go(kit.values().step - 1));
  const numbers = scenes.map((_, n) => button(String(n + 1), "number", () => go(n + 1)));
  numbers.forEach((made, n) => made.setAttribute("aria-label", `Step ${n + 1}`));
  // An open question has its own way on. The arrow key first shows its answer, for the next step says it.
  const onward = (/** @type {UIEvent} */ event) => {
    const { state } = root.dataset;
    if (state === "asking") root.querySelector(/** @type {"button"} */ (".asking [type=button]"))?.click();
    else if (state !== "acting" || event.detail < 2) go(kit.values().step + 1); // a double click is one press
  };
  const next = button("Next", "next", onward);
  kit.on(nav, "keydown", (event) => {
    if (event.key === "ArrowRight") onward(event);
    else if (event.key === "ArrowLeft") go(kit.values().step - 1);
    else return;
    event.preventDefault();
  });

  const stage = () => ({
    form: /** @type {HTMLElement} */ (root.querySelector(".controls")),
    panels: /** @type {HTMLElement} */ (root.querySelector(".panels")),
    values: () => kit.values(),
    put: kit.put,
    ranges: SPEC.traits,
    on: (/** @type {EventTarget} */ target, /** @type {string} */ event, /** @type {any} */ listener) => {
      target.addEventListener(event, listener);
      undo.push(() => target.removeEventListener(event, listener));
    },
    onCleanup: (/** @type {() => void} */ step) => undo.unshift(step),
  });
  const leave = () => {
    undo.forEach((step) => step());
    undo = [];
    film.stop();
    for (const made of root.querySelectorAll(".prediction, .answered")) made.remove();
    stage().form.inert = false; // which waited, if the question was left open
    delete root.dataset.prediction;
    delete root.dataset.state;
  };
  function enter(/** @type {number} */ step) {
    const { say: words, start, seen, asked, hint: what } = scenes[step - 1];
    if (entered) leave();
    if (entered || step > 1) kit.put({ ...start, step }, true);
    entered = step;
    root.dataset.step = String(step);
    say.innerHTML = words;
    hint.textContent = what;
    numbers.forEach((made, n) => made.setAttribute("aria-current", n + 1 === step ? "step" : "false"));
    Object.assign(back, { disabled: step === 1 });
    const cap = (/** @type {string} */ name) => seen[name] ?? 1;
    part = (name) => (asked?.hides.includes(name) ? 0 : cap(name));
    if (asked && "prepend" in root) {
      const see = (/** @type {(name: string) => number} */ shown) => {
        part = (name) => Math.min(cap(name), shown(name));
        kit.redraw();
      };
      predict(root, { ...asked, setting: { ...start } }, { ...stage(), see });
    }
    way();
  }
  // There is a way on where nothing is asked.
  const way = () => {
    next.disabled = entered === scenes.length || root.dataset.state === "asking";
  };
  enter(kit.values().step);
  kit.onCleanup(leave);
  return {
    part: (/** @type {string} */ name) => part(name),
    film,
    /** Goes to where the trait is, if something else has set it. */
    follow(/** @type {number} */ step) {
      if (step !== entered && step > 0) enter(step);
      way();
    },
  };
}
