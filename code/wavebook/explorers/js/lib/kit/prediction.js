// @ts-check
// A question that is asked before the explorer shows what it knows. Until the reader answers or asks to be
// shown, the parts that give the answer away are veiled. wavebook/explorers/ask.py writes the question and
// computes its truth.

import { rich, short } from "./format.js";
import { gaps, sketch, sketchInputs } from "./sketch.js";

/** @import { Asked, Said } from "../../types" */

/**
 * Text with the marks of `rich`, as HTML.
 * @param {string} text
 */
const written = (text) => rich(text.replace(/&/g, "&amp;").replace(/</g, "&lt;"));

/**
 * A number with its unit, as the slider of a question shows it.
 * @param {number} value
 * @param {string} unit
 */
export const withUnit = (value, unit) => `${short(value, 3)}${unit && unit !== "°" ? " " : ""}${unit}`;

/**
 * Whether something that was remembered is an answer to this question; null is "show me".
 * @param {Asked} asked
 * @param {any} said
 * @returns {said is Said}
 */
export function isAnswer(asked, said) {
  if (said === null) return true;
  if (asked.kind === "choice") return asked.options.some(({ text }) => text === said);
  if (asked.kind === "place") {
    return Array.isArray(said) && said.length === asked.traits.length && said.every(Number.isFinite);
  }
  const { min, max } = asked.slider;
  const fits = (/** @type {any} */ value) => typeof value === "number" && value >= min && value <= max;
  if (asked.kind === "curve") {
    return Array.isArray(said) && said.length === asked.places.length && said.every(fits);
  }
  return fits(said);
}

/**
 * What the reader is told, as HTML: what was said, what it is, and why.
 * @param {Asked} asked
 * @param {Said} said
 */
export function feedback(asked, said) {
  const because = `because ${written(asked.because)}`;
  const truth = `${written(asked.lead)} <b>${written(asked.answer)}</b>, ${because}`;
  if (said === null) return truth;
  if (asked.kind === "choice") {
    const you = `You said <b>${written(String(said))}</b>`;
    if (said === asked.answer) return `${you}, and that is right, ${because}`;
    const lure = asked.options.find(({ text }) => text === said)?.tempting;
    return [`${you}.`, ...(lure ? [written(lure)] : []), truth].join(" ");
  }
  if (asked.kind === "place") {
    const place = /** @type {number[]} */ (said);
    const named = place.map((value, n) => `${written(asked.names[n])} = ${short(value, 3)}`);
    const you = `You said <b>${named.join(", ")}</b>`;
    if (asked.right.some((values) => values.every((value, n) => value === place[n]))) {
      return `${you}, and that is right. ${truth}`;
    }
    return [`${you}.`, ...(asked.tempting ? [written(asked.tempting)] : []), truth].join(" ");
  }
  if (asked.kind === "curve") {
    const { off, high } = gaps(/** @type {number[]} */ (said), asked);
    const side = off <= asked.near ? null : high > 0 ? "high" : "low";
    const clear = Math.abs(high) > off / 2;
    const lure = side && clear && asked.tempting[side];
    const how = side ? (clear ? `mostly too ${side}` : "here too high, there too low") : "which is close";
    const you = `You drew a curve that is off by <b>${short(off, 2)}</b> on average, ${how}.`;
    return [you, ...(lure ? [written(lure)] : []), truth].join(" ");
  }
  const [low, high] = asked.near;
  const side = Number(said) < low ? "low" : Number(said) > high ? "high" : null;
  const number = withUnit(Number(said), asked.unit);
  if (number === asked.answer) return `You said <b>${number}</b>, and that is right, ${because}`;
  const you = `You said <b>${number}</b>, which is ${side ? `too ${side}` : "close"}.`;
  const lure = side && asked.tempting[side];
  return [you, ...(lure ? [written(lure)] : []), truth].join(" ");
}

/** What is veiled, in words. */
const NAMES = {
  controls: "the controls",
  picture: "the picture",
  colors: "the colors",
  numbers: "the numbers",
};

/** @param {(keyof typeof NAMES)[]} hides */
export function veiling(hides) {
  const names = hides.map((part) => NAMES[part]);
  const last = names.pop();
  const all = names.length ? `${names.join(", ")} and ${last}` : `${last}`;
  const are = names.length || last?.endsWith("s") ? "are" : "is";
  return `${all[0].toUpperCase()}${all.slice(1)} ${are} hidden until you answer.`;
}

/** @param {Asked} asked */
const inputs = (asked) => {
  if (asked.kind === "choice") {
    const one = (/** @type {{ text: string }} */ { text }, /** @type {number} */ n) =>
      `<label class="option"><input type="radio" name="guess" value="${n}" required>` +
      `<span>${written(text)}</span></label>`;
    return `<div class="guesses">${asked.options.map(one).join("")}</div>`;
  }
  if (asked.kind === "place") {
    return '<p class="where">Move the marker in the picture, or the sliders; then press Answer.</p>';
  }
  if (asked.kind === "curve") return sketchInputs(asked);
  const { min, max, step, log } = asked.slider;
  const [from, to] = log ? [Math.log10(min), Math.log10(max)] : [min, max];
  return (
    '<label class="control wide"><span>your guess</span><output></output>' +
    `<input type="range" name="guess" min="${from}" max="${to}" step="${step}"></label>`
  );
};

/**
 * Puts the question above an explorer, and the veil over its parts.
 * @param {HTMLElement} root
 * @param {Asked} asked
 * @param {Record<string, HTMLElement[]>} parts what can be hidden
 * @param {{ get: (trait: string) => any, set: (trait: any, value: any) => void, reset: () => void }} setting
 *   the explorer's own: some questions are answered with it; all are about the one that `reset` brings back
 * @param {(target: EventTarget, event: string, listener: (event: any) => void) => void} on
 * @param {boolean} [given] whether the page was opened with a setting, which would be veiled: the question is
 *   about another one, so it counts as answered by "Show me", this time
 */
export function predict(root, asked, parts, setting, on, given) {
  const key = `posenc:${root.dataset.explorer}:${asked.question}`;
  const id = `veil-${Math.random().toString(36).slice(2)}`;
  const block = document.createElement("div");
  block.className = "prediction";
  block.dataset.prediction = asked.kind;
  block.tabIndex = -1;
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", "Your prediction");
  block.innerHTML =
    `<form><fieldset><legend>${written(asked.question)}</legend>${inputs(asked)}` +
    `<div class="asking"><button type="submit">Answer</button> <button type="button">Show me</button>` +
    `<span id="${id}">${veiling(asked.hides)}</span></div></fieldset></form>` +
    '<div class="answered"><p role="status"></p> <button type="button">Start over</button></div>' +
    `<div class="printed">${asked.printed}</div>`;
  root.prepend(block);
  const find = (/** @type {string} */ selector) => /** @type {any} */ (block.querySelector(selector));
  const flat = asked.kind === "curve" ? asked.places.map(() => asked.start) : [];
  const fieldset = find("fieldset");
  const status = find("[role=status]");
  /** @type {HTMLInputElement[]} */
  const guesses = Array.from(block.querySelectorAll("input"));

  const curve = asked.kind === "curve" ? sketch(find(".sketch"), asked, on) : null;

  const value = () => {
    const at = Number(guesses[0].value);
    return asked.kind === "number" && asked.slider.log ? Number((10 ** at).toPrecision(3)) : at;
  };
  const follow = () => {
    if (asked.kind !== "number") return;
    const text = withUnit(value(), asked.unit);
    find("output").textContent = text;
    guesses[0].setAttribute("aria-valuetext", text);
  };
  const go = (/** @type {number[]} */ to) => {
    if (asked.kind === "place") asked.traits.forEach((trait, n) => setting.set(trait, to[n]));
  };
  const move = (/** @type {number} */ to) => {
    if (asked.kind === "number") guesses[0].value = String(asked.slider.log ? Math.log10(to) : to);
    follow();
  };
  const veil = (/** @type {boolean} */ closed) => {
    block.dataset.state = closed ? "asking" : "answered";
    root.toggleAttribute("data-asking", closed);
    for (const part of asked.hides) {
      for (const element of parts[part]) element.toggleAttribute("data-veiled", closed);
    }
    fieldset.disabled = !closed;
    if (closed) fieldset.setAttribute("aria-describedby", id);
    else fieldset.removeAttribute("aria-describedby");
  };
  // Where the browser keeps nothing, the reader is asked again.
  const remember = (/** @type {Said | undefined} */ said) => {
    try {
      if (said === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify({ said }));
    } catch {
      /* nothing is kept */
    }
  };
  const remembered = () => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}").said;
    } catch {
      return undefined;
    }
  };
  const show = (/** @type {Said} */ said) => {
    if (asked.kind === "number" && said !== null) move(Number(said));
    if (asked.kind === "place" && Array.isArray(said)) go(said);
    curve?.show(/** @type {number[] | null} */ (said), true);
    if (asked.kind === "choice") {
      guesses.forEach((guess, n) => {
        const { text } = asked.options[n];
        guess.checked = text === said;
        guess.parentElement?.classList.toggle("right", text === asked.answer);
      });
    }
    veil(false);
    status.innerHTML = feedback(asked, said);
  };
  const answer = (/** @type {Said} */ said) => {
    remember(said);
    show(said);
    block.focus({ preventScroll: true }); // the button that was pressed is gone
  };

  on(find("form"), "submit", (event) => {
    event.preventDefault();
    const chosen = guesses.findIndex((guess) => guess.checked);
    if (curve) answer(curve.heights());
    else if (asked.kind === "place") answer(asked.traits.map(setting.get));
    else answer(asked.kind === "choice" ? asked.options[chosen].text : value());
  });
  on(find(".asking button[type=button]"), "click", () => answer(null));
  on(find(".answered button"), "click", () => {
    remember(undefined);
    status.textContent = "";
    for (const guess of guesses) guess.checked = false;
    for (const right of block.querySelectorAll(".right")) right.classList.remove("right");
    if (asked.kind === "number") move(asked.slider.start);
    curve?.show(flat, false);
    setting.reset();
    veil(true);
    (guesses[0] ?? block).focus({ preventScroll: true });
  });
  if (guesses[0]) on(guesses[0], "input", follow);

  curve?.show(flat, false);
  if (asked.kind === "number") move(asked.slider.start);
  const before = remembered();
  if (before !== undefined && isAnswer(asked, before)) show(before);
  else if (given) show(null);
  else veil(true);
}
