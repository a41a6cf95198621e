// @ts-check
// The frame around an explorer's own drawing: controls, panels, notes, and when to draw.

import { SPEC } from "../../spec.js";
import { pixels } from "./color.js";
import { draggable, gripMarkup, snapped } from "./drag.js";
import { fixed, rich, short } from "./format.js";
import { askedFor, readSetting, share } from "./link.js";
import { predict } from "./prediction.js";
import { px } from "./svg.js";

/** @import { Control, Grip, Kit, Model, Panel } from "../../types" */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {HTMLElement} parent
 * @param {Record<string, string>} properties
 */
function make(tag, parent, properties = {}) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  parent.append(element);
  return element;
}

/**
 * How many digits a step needs.
 * @param {number} step
 */
const places = (step) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/**
 * The default export of an explorer: `setup(kit)` is called once, makes controls and panels, and returns the
 * function that draws, given the traits' values. The first drawing is made at once, later ones at most once
 * per animation frame.
 * @template T
 * @param {string} title
 * @param {(kit: Kit<T>) => (values: T) => void} setup
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
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", title);
    const form = make("form", root, { className: "controls" }); // a form keeps radio groups of one name apart
    const panels = make("div", root, { className: "panels" });
    const unique = Math.random().toString(36).slice(2);
    /** @type {(() => void)[]} */
    const undo = [];
    /** @type {Panel[]} */
    const drawings = [];
    /** @type {((values: T) => void)[]} what the sliders say */
    const readouts = [];
    /** @type {HTMLElement[]} */
    const notes = [];
    /** @type {HTMLElement[]} */
    const telling = [];
    /** @type {HTMLElement[]} */
    const maps = [];
    const name = nth && (nth > 1 ? `${SPEC.slug}-${nth}` : SPEC.slug);
    const asked = name ? askedFor(location.search, name) : new Map();
    /** @type {Record<string, Control & { start: any }>} */
    const controls = {};
    /** @type {string[]} */
    const faults = [];
    let given = false; // whether the address has set anything

    const values = () =>
      /** @type {T} */ (
        Object.fromEntries(Object.keys(SPEC.traits).map((trait) => [trait, model.get(trait)]))
      );
    const paint = () => {
      readouts.forEach((write) => write(values()));
      draw(values());
      root.dispatchEvent(new CustomEvent("posenc:drawn", { bubbles: true }));
    };
    let frame = 0;
    const redraw = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        paint();
      });
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
    /**
     * Keeps a control in step with its trait, whoever changes it.
     * @param {string} trait
     * @param {() => void} show
     */
    const follow = (trait, show) => {
      model.on(`change:${trait}`, show);
      undo.push(() => model.off(`change:${trait}`, show));
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
     * A place for a control, with the id by which it and its name know each other; `style` is the class of
     * the group.
     * @param {string} trait
     * @param {string} style
     */
    const group = (trait, style) => {
      const box = make("div", form, { className: `control ${style}` });
      return { box, id: `${trait}-${form.children.length}-${unique}` };
    };

    /** @type {Kit<T>} */
    const kit = {
      root,
      values,
      set,
      redraw,
      on,
      color: (role) => getComputedStyle(root).getPropertyValue(`--posenc-${role}`).trim(),
      onCleanup: (step) => undo.push(step),

      // A slider for a numeric trait. `show` writes its value, which other traits may bound, and is asked
      // before each drawing; min, max and step are the trait's unless given.
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
          set(trait, /** @type {any} */ (snapped(log ? 10 ** value : value, all)));
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
          make("span", place, { innerHTML: rich(caption) });
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

      // `height` is in pixels, or a function of the width; `basis` is the width the panel would like. One
      // that `tells` answers a question as the numbers do, and is hidden with them.
      panel({ height, basis = 320, grow = 1, tells = false }) {
        const box = make("div", panels, { className: "panel", innerHTML: '<svg role="img"></svg>' });
        const svg = /** @type {SVGSVGElement} */ (box.firstElementChild);
        box.style.flex = `${grow} 1 ${basis}px`;
        if (tells) telling.push(box);
        /** @type {HTMLCanvasElement | undefined} */
        let canvas;
        /** @type {Grip[]} */
        let held = [];
        draggable(svg, () => held, controls, kit);
        /** @type {Panel} */
        const panel = {
          svg,
          width: basis,
          height: 0,
          measure() {
            panel.width = box.getBoundingClientRect().width || basis;
            panel.height = typeof height === "function" ? height(panel.width) : height;
            svg.style.height = `${panel.height}px`;
          },
          draw(markup, description, grips = []) {
            svg.setAttribute("viewBox", `0 0 ${px(panel.width)} ${panel.height}`);
            held = grips.filter(({ moves }) => Object.keys(moves).every((trait) => controls[trait]));
            // Words are written over all lines, which their edge of paper interrupts; those that travel stay
            // in their group.
            /** @type {string[]} */
            const words = [];
            const lines = markup.replace(/<g.*?<\/g>|<text.*?<\/text>/g, (part) => {
              if (part.startsWith("<g")) return part;
              words.push(part);
              return "";
            });
            svg.innerHTML = lines + words.join("") + gripMarkup(held);
            svg.setAttribute("aria-label", description);
          },
          // Each value is stretched over its part of the place. Where a column has less than three pixels it
          // is blended: whole pixels would make stripes that are not in the values.
          map(values, columns, x, y, width, height) {
            if (!canvas) {
              canvas = box.insertBefore(document.createElement("canvas"), svg);
              canvas.setAttribute("aria-hidden", "true"); // the drawing above it says what both show
              maps.push(canvas);
            }
            const image = new ImageData(pixels(values, SPEC.diverging), columns);
            Object.assign(canvas, { width: columns, height: image.height });
            const imageRendering = width * devicePixelRatio < 3 * columns ? "auto" : "pixelated";
            const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
            Object.assign(canvas.style, { ...place, imageRendering });
            canvas.getContext("2d")?.putImageData(image, 0, 0);
          },
        };
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
      const changed = () =>
        Object.keys(controls).filter((trait) => model.get(trait) !== controls[trait].start);
      share(root, name, () => changed().map((trait) => [trait, model.get(trait)]), faults, on);
    }
    const measure = () => drawings.forEach((panel) => panel.measure());
    measure();
    cancelAnimationFrame(frame); // asked for by the controls while they were made
    frame = 0;
    paint();
    const question = model.get("prediction");
    if (question) {
      const parts = { controls: [form], picture: [panels], colors: maps, numbers: [...notes, ...telling] };
      const get = (/** @type {string} */ trait) => model.get(trait);
      const reset = () =>
        Object.entries(controls).forEach(([trait, { start }]) => set(/** @type {any} */ (trait), start));
      predict(root, question, parts, { get, set, reset }, on, given);
    }
    let width = root.clientWidth;
    const watcher = new ResizeObserver(() => {
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      measure();
      redraw();
    });
    watcher.observe(root);

    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      undo.forEach((step) => step());
      root.remove();
    };
  }
  return { render };
}
