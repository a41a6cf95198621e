// @ts-check
// The frame around an explorer's own drawing: what it is made with, when it draws, and what it says of itself as data.

import { SPEC } from "../../spec.js";
import { controlsOf } from "./controls.js";
import { snapped } from "./drag.js";
import { askedFor, placeAt, queryOf } from "./link.js";
import { footOf, make } from "./page.js";
import { makePanel } from "./panel.js";
import { predict } from "./prediction.js";

/** @import { Control, Kit, Model, Panel, Shown } from "../../types" */

/**
 * A value for JSON: numbers to six digits, and no rest of a sum that cancels, so that every computer writes the same.
 * @param {string} _
 * @param {any} value
 */
const rounded = (_, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value));
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(6));
};

/**
 * The default export of an explorer: `setup(kit)` is called once, makes controls and panels, and returns the
 * function that draws, given the traits' values, and says what is then to be seen. The first drawing is made at once,
 * later ones at most once per animation frame.
 * @template T
 * @param {string} title
 * @param {(kit: Kit<T>) => (values: T) => Shown} setup
 */
export function explorer(title, setup) {
  /**
   * `nth` is which of its kind it is on a page without a kernel, where it can be linked to; a notebook gives
   * none.
   * @param {{ model: Model, el: HTMLElement, nth?: number }} view
   * @returns {() => void} what takes the explorer away
   */
  function render({ model, el, nth }) {
    const root = make("div", el, { className: "posenc-explorer" });
    root.dataset.explorer = SPEC.slug;
    root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys would take the arrows from the sliders
    if (SPEC.lang) Object.assign(root, { lang: SPEC.lang, dir: "auto" });
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", title);
    const form = make("form", root, { className: "controls" }); // a form keeps radio groups of one name apart
    const panels = make("div", root, { className: "panels" });
    /** @type {(() => void)[]} */
    const undo = [];
    /** @type {Panel[]} */
    const drawings = [];
    /** @type {HTMLElement[]} */
    const notes = [];
    /** @type {HTMLElement[]} */
    const maps = [];
    const name = nth && (nth > 1 ? `${SPEC.slug}-${nth}` : SPEC.slug);
    const asked = name ? askedFor(location.search, name) : new Map();

    /** @type {Record<string, number>} between two whole numbers, while something happens */
    let fractions = {};
    /** @type {Set<string>} the traits that the drawing can show there */
    const smooth = new Set();
    /** @type {(name: string) => number} how much of a part is to be seen */
    let part = () => 1;
    const values = () =>
      /** @type {T} */ ({
        ...Object.fromEntries(Object.keys(SPEC.traits).map((trait) => [trait, model.get(trait)])),
        ...fractions,
      });
    // What is no longer as it was made: the page's menu makes a link of it.
    const changed = () =>
      Object.keys(controls)
        .filter((trait) => model.get(trait) !== controls[trait].start)
        .map((trait) => /** @type {[string, any]} */ ([trait, model.get(trait)]));
    const paint = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      readouts.forEach((write) => write(values()));
      root.dataset.values = JSON.stringify({ ...values(), ...draw(values()) }, rounded);
      if (name) root.dataset.link = queryOf(name, changed());
      root.dispatchEvent(new CustomEvent("posenc:drawn", { bubbles: true }));
    };
    let frame = 0;
    const redraw = () => {
      frame ||= requestAnimationFrame(paint);
    };
    /** @type {Kit<T>["on"]} */
    const on = (target, event, listener) => {
      target.addEventListener(event, listener);
      undo.push(() => target.removeEventListener(event, listener));
    };
    /** @type {Kit<T>["set"]} */
    const set = (trait, value) => {
      model.set(trait, value);
      model.save_changes();
      redraw();
    };
    /** @type {Kit<T>["put"]} */
    const put = (setting, settled) => {
      fractions = {};
      for (const [trait, value] of Object.entries(setting)) {
        const own = controls[trait];
        const range = own && "step" in own ? own : SPEC.traits[trait]; // some numbers are offered as a choice
        const between = !settled && "step" in range;
        if (between && (smooth.has(trait) || range.step % 1)) fractions[trait] = value;
        model.set(trait, between ? snapped(value, range) : value);
      }
      if (settled) model.save_changes();
      redraw();
    };
    /** @type {Kit<T>["onCleanup"]} */
    const onCleanup = (step) => undo.push(step);
    const { makers, controls, faults, readouts, given } = controlsOf(
      /** @type {import("./controls.js").Needs<T>} */ ({ model, form, asked, redraw, set, on, onCleanup }),
    );

    /** @type {Kit<T>} */
    const kit = {
      ...makers,
      root,
      values,
      set,
      put,
      redraw,
      on,
      onCleanup,
      asks: model.get("prediction"),
      shows: {},
      part: (name) => part(name),
      smooth: (...traits) => traits.forEach((trait) => smooth.add(trait)),
      color: (role) => getComputedStyle(root).getPropertyValue(`--posenc-${role}`).trim(),

      panel(options) {
        const panel = makePanel(panels, options, controls, kit, (canvas) => maps.push(canvas));
        drawings.push(panel);
        return panel;
      },

      // Text under the drawings: set its innerHTML. It keeps room for `lines` lines, `narrow` on a narrow
      // screen, so that nothing below moves when its numbers do.
      note(style = "", lines = 1, narrow = lines) {
        const note = make("div", root, { className: `note ${style}` });
        note.style.setProperty("--lines", String(lines));
        note.style.setProperty("--narrow", String(narrow));
        notes.push(note);
        return note;
      },
    };

    on(form, "submit", (event) => event.preventDefault());
    on(root, "keydown", (event) => event.stopPropagation());
    const draw = setup(kit);
    if (name) {
      for (const [trait, text] of asked) {
        faults.push(`${trait} = ${text.slice(0, 40)}, which is none of ${Object.keys(controls).join(", ")}`);
      }
      placeAt(root, name, faults);
    }
    const measure = () => drawings.forEach((panel) => panel.measure());
    measure();
    const question = model.get("prediction");
    if (question) {
      /** @type {Record<string, HTMLElement[]>} */
      const parts = { colors: maps, numbers: notes };
      const see = (/** @type {(name: string) => number} */ seen) => {
        part = seen;
        paint();
        for (const [name, elements] of Object.entries(parts)) {
          for (const element of elements) {
            element.toggleAttribute("data-veiled", !part(name));
            element.style.opacity = part(name) < 1 ? String(part(name)) : "";
          }
        }
      };
      const ranges = /** @type {Record<string, Control>} */ ({ ...SPEC.traits, ...controls });
      predict(root, question, { form, panels, values, put, see, ranges, on, onCleanup }, given());
    } else paint();
    let width = root.clientWidth;
    const watcher = new ResizeObserver(() => {
      footOf(form);
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      measure();
      redraw();
    });
    watcher.observe(root);
    watcher.observe(form);

    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      undo.forEach((step) => step());
      root.remove();
    };
  }
  return { render };
}
