// @ts-check
// A question that is asked first, and answered by letting it happen: asking, acting, answered. While it is open, what
// gives the answer away is not drawn. wavebook/explorers/ask.py writes the question, computes its truth, and says what
// happens.

import { stateAt } from "./acts.js";
import { rich, short, spoken } from "./format.js";
import { footOf, make } from "./page.js";
import { gaps, sketch, sketchInputs } from "./sketch.js";

/** @import { Asked, Control, Said } from "../../types" */

/**
 * Text with the marks of `rich`, as HTML.
 * @param {string} text
 */
const written = (text) => rich(text.replace(/&/g, "&amp;").replace(/</g, "&lt;"));

/**
 * A number with its unit, as the slider of a question shows it.
 * @param {number} value
 * @param {string} unit with the space before it, if there is one
 */
export const withUnit = (value, unit) => short(value, 3) + unit;

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

/** @param {string} words */
const yours = (words) => `You said <b>${words}</b>`;
const SIDES = { low: "too low", high: "too high" };

/**
 * What the reader is told, as HTML: what was said, what it is, and why.
 * @param {Asked} asked
 * @param {Said} said
 */
export function feedback(asked, said) {
  // Some answers have words of their own.
  const own = asked.plainly && written(asked.plainly);
  const because = written(asked.because);
  const truth = own ?? `<b>${written(asked.told)}</b> ${because}`;
  const right = `and that is right. ${own ?? because}`;
  if (said === null) return truth;
  const corrected = (/** @type {string} */ you, /** @type {any} */ lure) =>
    [you, ...(lure ? [written(lure)] : []), truth].join(" ");
  if (asked.kind === "choice") {
    const you = yours(written(String(said)));
    if (said === asked.answer) return `${you}, ${right}`;
    return corrected(`${you}.`, asked.options.find(({ text }) => text === said)?.tempting);
  }
  if (asked.kind === "place") {
    const place = /** @type {number[]} */ (said);
    const named = place.map((value, n) => `${written(asked.names[n])} = ${short(value, 3)}`);
    const you = yours(named.join(", "));
    return asked.right.some((values) => values.every((value, n) => value === place[n]))
      ? `${you}, and that is right. ${truth}`
      : corrected(`${you}.`, asked.tempting);
  }
  if (asked.kind === "curve") {
    const { off, high } = gaps(/** @type {number[]} */ (said), asked);
    const side = off <= asked.near ? null : high > 0 ? "high" : "low";
    const clear = Math.abs(high) > off / 2;
    const how = side ? (clear ? `mostly ${SIDES[side]}` : "here too high, there too low") : "which is close";
    const you = `You drew a curve that is off by <b>${short(off, 2)}</b> on average, ${how}.`;
    return corrected(you, side && clear && asked.tempting[side]);
  }
  const [low, high] = asked.near;
  const side = Number(said) < low ? "low" : Number(said) > high ? "high" : null;
  const number = withUnit(Number(said), asked.unit);
  const you = yours(number);
  if (number === asked.answer) return `${you}, ${right}`;
  return corrected(`${you}, which is ${side ? SIDES[side] : spoken("close")}.`, side && asked.tempting[side]);
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
 * What a question needs of its explorer: where it is, and what it can do with it. `put` sets traits, for good or on the
 * way; `see` draws, with so much of each part of the drawing.
 * @typedef {{ form: HTMLElement, panels: HTMLElement, values: () => any,
 *   put: (setting: Record<string, any>, settled: boolean) => void, see: (part: (name: string) => number) => void,
 *   ranges: Record<string, Control>, onCleanup: (step: () => void) => void,
 *   on: (target: EventTarget, event: string, listener: (event: any) => void) => void }} Stage
 */

/**
 * Puts the question below an explorer's drawings, then what is said in the end, then the controls: so nothing moves that
 * is looked at. A sketch, which is a drawing itself, is above them.
 * @param {HTMLElement} root
 * @param {Asked} asked
 * @param {Stage} stage
 * @param {boolean} [given] whether the page was opened with a setting: the question is about another one, so it counts
 *   as answered by "Show me", this time, and nothing happens
 */
export function predict(root, asked, { form, panels, values, put, see, ranges, on, onCleanup }, given) {
  const key = `posenc:${root.dataset.explorer}:${asked.question}`;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const block = make("div", root, { className: "prediction", tabIndex: -1 });
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", "Your prediction");
  block.innerHTML =
    `<form><fieldset><legend>${written(asked.question)}</legend>${inputs(asked)}` +
    '<div class="asking"><button type="submit">Answer</button> <button type="button">Show me</button>' +
    `<span class="figures">${written(asked.meanwhile ?? "")}</span></div></fieldset></form><div class="printed">${asked.printed}</div>`;
  const told = make("div", root, { className: "answered" });
  told.dataset.hint = "Watch …"; // while it happens
  told.innerHTML =
    '<p role="status"></p>' +
    '<div class="after"><button type="button">Watch again</button> <button type="button">Ask me again</button></div>';
  panels.after(block, told, form);
  if (asked.kind === "curve") panels.before(block, told); // what is said of a sketch is below it
  root.dataset.prediction = asked.kind;
  const find = (/** @type {string} */ selector) => /** @type {any} */ (block.querySelector(selector));
  const [status, again, over] = /** @type {HTMLElement[]} */ (Array.from(told.querySelectorAll("p, button")));
  const flat = asked.kind === "curve" ? asked.places.map(() => asked.start) : [];
  const fieldset = find("fieldset");
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
  const move = (/** @type {number | null} */ to) => {
    if (asked.kind !== "number" || to === null) return;
    guesses[0].value = String(asked.slider.log ? Math.log10(to) : to);
    follow();
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

  /** @type {Record<string, any>} where the act begins: for a place, where the reader has put the marker */
  let origin = asked.setting;
  /** @type {(() => void) | null} what ends the act that goes on */
  let cut = null;
  let stop = () => {}; // what leaves it where it is
  /** @type {Said} */
  let last = null;
  const state = (/** @type {string} */ now) => {
    root.dataset.state = now;
    fieldset.disabled = now !== "asking";
    form.inert = now === "asking" && asked.kind !== "place" && !asked.free;
    // Some controls can be free before.
    for (const one of /** @type {any} */ (form.children)) {
      one.inert = now === "asking" && asked.free?.includes(one.querySelector("input")?.name) === false;
    }
  };
  const paper = matchMedia("print"); // which has the answer beside the question
  const ask = () => {
    state("asking");
    see((name) => (asked.hides.includes(name) && !paper.matches ? 0 : 1));
  };
  const mark = (/** @type {Said} */ said) => {
    move(/** @type {number | null} */ (said));
    curve?.show(/** @type {number[] | null} */ (said), 0);
    if (asked.kind === "choice") {
      guesses.forEach((guess, n) => {
        guess.checked = asked.options[n].text === said;
        guess.parentElement?.classList.toggle("right", asked.options[n].text === asked.answer);
      });
    }
    origin = { ...asked.setting };
    if (asked.kind === "place" && Array.isArray(said)) {
      asked.traits.forEach((trait, n) => (origin[trait] = said[n]));
    }
  };
  const sentence = (/** @type {Said} */ said) =>
    feedback(asked, said) +
    (asked.figures ? ` <span class="figures">${written(asked.figures)}</span>` : "") +
    (asked.then ? ` <br>${written(asked.then)}` : "");
  const tell = (/** @type {Said} */ said) => {
    state("answered");
    curve?.show(/** @type {number[] | null} */ (said), 1);
    see(() => 1);
    const words = sentence(said);
    if (status.innerHTML !== words) status.innerHTML = words; // what is written again is read out again
    told.style.minHeight = "";
  };
  // Room for it while the act goes on: so nothing moves when it comes.
  const reserve = (/** @type {Said} */ said) => {
    if (status.textContent) return;
    const trial = make("p", told, { innerHTML: sentence(said) });
    status.replaceWith(trial);
    told.style.minHeight = `${told.offsetHeight}px`;
    trial.replaceWith(status);
  };
  // Of numbers that are offered as a choice, the nearest that is offered.
  const nearest = (/** @type {Record<string, any>} */ setting) =>
    Object.fromEntries(
      Object.keys(setting).map((trait) => {
        const range = ranges[trait];
        const value = setting[trait];
        if (!range || !("options" in range) || range.options.includes(value)) return [trait, value];
        return [trait, [...range.options].sort((a, b) => Math.abs(a - value) - Math.abs(b - value))[0]];
      }),
    );
  const settle = () => put({ ...origin, ...stateAt(asked.acts, origin, ranges, Infinity).values }, true);
  // What happens is seen, and what is said of it; where the screen is too low for both, the figure from its top on.
  const reveal = (/** @type {boolean} */ first) => {
    const [figure, said] = [curve ? block : panels, told].map((part) => part.getBoundingClientRect());
    const top = Math.min(figure.top, said.top);
    const bottom = Math.max(figure.bottom, said.bottom);
    const foot = 12 + (getComputedStyle(form).getPropertyValue("--sticks") ? footOf(form) : 0);
    const head = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const tall = bottom - top > innerHeight - head - foot;
    if (tall && !first) return;
    told.style.scrollMargin = `${said.top - top}px 0 ${bottom - said.bottom + foot}px`;
    told.scrollIntoView({
      block: tall ? "start" : "nearest",
      behavior: calm.matches ? "instant" : "smooth",
    });
  };
  const act = (/** @type {Said} */ said) => {
    state("acting");
    reserve(said);
    put(origin, true);
    const began = performance.now();
    let frame = 0;
    let drawn = ""; // what is drawn already: a drawing may move something on its own meanwhile
    // Ends it: at its last state, or where the reader has taken hold of the figure.
    const end = (/** @type {boolean} */ whole) => {
      cancelAnimationFrame(frame);
      cut = null;
      if (whole) settle();
      else {
        put({}, false);
        put(nearest(values()), true);
      }
      tell(said);
      if (whole) requestAnimationFrame(() => reveal(false)); // when the drawing has its height
    };
    cut = () => end(true);
    stop = () => end(false);
    const tick = () => {
      const {
        values: now,
        shown,
        over,
      } = stateAt(asked.acts, origin, ranges, (performance.now() - began) / 1000);
      if (over) {
        end(true);
        return;
      }
      if (drawn !== (drawn = JSON.stringify([now, shown]))) {
        put(now, false);
        curve?.show(/** @type {number[] | null} */ (said), shown.truth ?? 0);
        see((name) => (asked.hides.includes(name) ? (shown[name] ?? 0) : 1));
      }
      frame = requestAnimationFrame(tick);
    };
    reveal(true);
    if (calm.matches || document.hidden) end(true);
    else tick();
  };
  const answer = (/** @type {Said} */ said) => {
    remember(said);
    last = said;
    block.focus({ preventScroll: true }); // the button that was pressed is gone
    mark(said);
    act(said);
  };

  on(find("form"), "submit", (event) => {
    event.preventDefault();
    const chosen = guesses.findIndex((guess) => guess.checked);
    if (curve) answer(curve.heights());
    else if (asked.kind === "place") answer(asked.traits.map((trait) => values()[trait]));
    else answer(asked.kind === "choice" ? asked.options[chosen].text : value());
  });
  on(find(".asking button[type=button]"), "click", () => answer(null));
  on(again, "click", () => act(last));
  on(over, "click", () => {
    remember(undefined);
    status.textContent = "";
    for (const guess of guesses) guess.checked = false;
    for (const right of block.querySelectorAll(".right")) right.classList.remove("right");
    if (asked.kind === "number") move(asked.slider.start);
    curve?.show(flat, 0);
    put(asked.setting, true);
    ask();
    (guesses[0] ?? block).focus({ preventScroll: true });
  });
  if (guesses[0]) on(guesses[0], "input", follow);
  // What the browser says of an answer that was not chosen would cover the options.
  for (const guess of guesses) {
    on(guess, "invalid", (event) => {
      event.preventDefault();
      guesses[0].focus();
      find(".asking").dataset.missing = "Choose one first.";
    });
  }
  // A hand on the figure or its controls stops what goes on; Escape and going away end it.
  const own = (/** @type {EventTarget | null} */ target) =>
    target instanceof Node && (form.contains(target) || panels.contains(target));
  root.addEventListener("pointerdown", (event) => cut && own(event.target) && stop(), true);
  root.addEventListener(
    "keydown",
    (event) => cut && (event.key === "Escape" ? cut() : event.key !== "Tab" && own(event.target) && stop()),
    true,
  );
  on(document, "keydown", (event) => event.key === "Escape" && cut?.());
  on(document, "visibilitychange", () => document.hidden && cut?.());
  on(paper, "change", () => root.dataset.state === "asking" && ask());
  onCleanup(() => cut?.());

  curve?.show(flat, 0);
  if (asked.kind === "number") move(asked.slider.start);
  const before = remembered();
  // A notebook can show an explorer that was moved before; its setting is kept.
  const moved = Object.entries(asked.setting).some(([trait, value]) => values()[trait] !== value);
  if (given || (moved && before === undefined)) {
    mark(null);
    tell(null);
  } else if (before !== undefined && isAnswer(asked, before)) {
    mark(before);
    last = before;
    if (!moved) settle();
    tell(before);
  } else ask();
}
