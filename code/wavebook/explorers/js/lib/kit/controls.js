// @ts-check
// The controls of an explorer: sliders, radio buttons and buttons, each in step with its trait.

import { SPEC } from "../../spec.js";
import { snapped } from "./drag.js";
import { fixed, rich, short, spoken } from "./format.js";
import { readSetting } from "./link.js";
import { make } from "./page.js";

/** @import { Control, Kit, Model } from "../../types" */

/**
 * How many digits a step needs.
 * @param {number} step
 */
const places = (step) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/**
 * What an explorer's controls need of it; `asked` is what the address asks for, by trait.
 * @template T
 * @typedef {{ model: Model, form: HTMLElement, asked: Map<string, string>, redraw: () => void,
 *   set: (trait: any, value: any) => void, on: Kit<T>["on"], onCleanup: Kit<T>["onCleanup"] }} Needs
 */

/**
 * The functions of a kit that make controls, and what became of them: the traits that have one, what was wrong with the
 * address, and what the sliders say before each drawing.
 * @template T
 * @param {Needs<T>} needs
 */
export function controlsOf({ model, form, asked, redraw, set, on, onCleanup }) {
  const unique = Math.random().toString(36).slice(2);
  /** @type {Record<string, Control & { start: any }>} */
  const controls = {};
  /** @type {string[]} */
  const faults = [];
  /** @type {((values: T) => void)[]} */
  const readouts = [];
  let given = false; // whether the address has set anything

  /**
   * Keeps a control in step with its trait, whoever changes it.
   * @param {string} trait
   * @param {() => void} show
   */
  const follow = (trait, show) => {
    model.on(`change:${trait}`, show);
    onCleanup(() => model.off(`change:${trait}`, show));
    show();
  };
  /**
   * A trait that the reader can set: here it gets the value that the address asks for.
   * @param {string} trait
   * @param {Control} control
   */
  const control = (trait, control) => {
    controls[trait] = { ...control, start: model.get(trait) };
    const text = asked.get(trait);
    if (text === undefined) return;
    asked.delete(trait);
    const { value, wanted } = readSetting(text, control);
    if (value === undefined) faults.push(`${trait} = ${text.slice(0, 40)}, which must be ${wanted}`);
    else {
      given = true;
      model.set(trait, value);
    }
  };
  /**
   * A place for a control, with the id by which it and its name know each other; `style` is the class of the group.
   * @param {string} trait
   * @param {string} style
   */
  const group = (trait, style) => {
    const box = make("div", form, { className: `control ${style}` });
    return { box, id: `${trait}-${form.children.length}-${unique}` };
  };

  /** @type {Pick<Kit<T>, "slider" | "keep" | "choice" | "button">} */
  const makers = {
    // A slider for a numeric trait. `show` writes its value, which other traits may bound, and is asked before each
    // drawing; min, max and step are the trait's unless given.
    slider(trait, { label, style = "", show, ...range }) {
      const all = { ...SPEC.traits[trait], ...range };
      const { min, max, step, log } = all;
      control(trait, all);
      const { box, id } = group(trait, style);
      make("label", box, { innerHTML: rich(label), htmlFor: id });
      const out = make("output", box);
      out.htmlFor.value = id;
      const input = make("input", box, { type: "range", name: trait, id });
      // The ends of a logarithmic slider lie on its grid, so that whole powers of ten do too.
      const grid = (/** @type {number} */ value) => Math.round(Math.log10(value) / step) * step;
      Object.assign(input, { min: log ? grid(min) : min, max: log ? grid(max) : max, step });
      const write = show ?? ((value) => (log ? short(value, 3) : fixed(value, places(step))));
      on(input, "input", () => {
        const value = Number(input.value);
        set(trait, snapped(log ? 10 ** value : value, all));
      });
      follow(trait, () => {
        const value = model.get(trait);
        const position = String(log ? grid(value) : value);
        if (input.value !== position) input.value = position;
        redraw();
      });
      readouts.push((values) => {
        const said = write(model.get(trait), values);
        if (out.textContent === said) return; // an output that is written again is read out again
        out.textContent = said;
        input.setAttribute("aria-valuetext", said);
      });
      return input;
    },

    // A number that buttons and drags set, and no control of its own shows.
    keep(trait) {
      control(trait, SPEC.traits[trait]);
      follow(trait, redraw);
    },

    // Radio buttons for a trait: options are values, or [value, text] pairs.
    choice(trait, { label, style = "", options }) {
      const { box, id } = group(trait, style);
      make("span", box, { innerHTML: rich(label), id });
      box.setAttribute("role", "radiogroup");
      box.setAttribute("aria-labelledby", id);
      /** @type {any[]} */
      const offered = options ?? SPEC.traits[trait].options;
      const pairs = offered.map((option) => (Array.isArray(option) ? option : [option, String(option)]));
      control(trait, { options: pairs.map(([value]) => value) });
      const inputs = pairs.map(([value, caption]) => {
        const place = make("label", box, { className: "option" });
        const input = make("input", place, { type: "radio", name: trait });
        make("span", place, { innerHTML: rich(spoken(caption)) });
        on(input, "change", () => set(trait, value));
        return { input, value };
      });
      follow(trait, () => {
        for (const { input, value } of inputs) input.checked = value === model.get(trait);
        redraw();
      });
    },

    button(caption, press) {
      const button = make("button", form, { type: "button", textContent: caption });
      on(button, "click", press);
      return button;
    },
  };
  return { makers, controls, faults, readouts, given: () => given };
}
