// @ts-check
// Where an explorer draws itself once without a browser: QuickJS runs this, the explorer's module, and at last still().
//
// An explorer writes its drawings as SVG, so it needs little of a page: elements that keep what they are told, and the
// widths of its panels. What moves, answers, or measures text is not here.
"use strict";

/** How wide the drawing is, in pixels; stills.py says it. */
const WIDTH = /** @type {number} */ (/** @type {any} */ (globalThis).dukpy.width);
const GAP = 16; // between two panels

class StillElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    this.className = "";
    this.textContent = "";
    this.markup = "";
    /** @type {StillElement[]} */
    this.children = [];
    /** @type {StillElement | null} */
    this.parent = null;
    /** @type {Record<string, string>} */
    this.attributes = {};
    /** @type {Record<string, string>} */
    this.dataset = {};
    /** @type {Record<string, any>} */
    this.style = { setProperty: () => {} };
    this.htmlFor = /** @type {any} */ ({});
    this.clientWidth = WIDTH;
    /** @type {any} */
    this.image = null;
  }
  get innerHTML() {
    return this.markup;
  }
  // An element that is written as text, which an explorer does for the drawing of a panel, is empty.
  set innerHTML(markup) {
    this.markup = markup;
    const [, tag] = /^<(\w+) [^<]*><\/\1>$/.exec(markup) ?? [];
    if (tag) this.append(new StillElement(tag));
  }
  get firstElementChild() {
    return this.children[0];
  }
  /** @param {StillElement[]} elements */
  append(...elements) {
    for (const element of elements) this.insertBefore(element);
  }
  /**
   * @param {StillElement} element
   * @param {StillElement} [before]
   */
  insertBefore(element, before) {
    this.children.splice(before ? this.children.indexOf(before) : this.children.length, 0, element);
    element.parent = this;
    return element;
  }
  /**
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  // The markup of a drawing is a text here; stills.py puts its words over its lines, and nothing of it is moved.
  querySelectorAll() {
    return [];
  }
  insertAdjacentHTML() {}
  addEventListener() {}
  removeEventListener() {}
  dispatchEvent() {}
  getContext() {
    return { putImageData: (/** @type {any} */ image) => (this.image = image) };
  }
  getBoundingClientRect() {
    return { width: this.parent ? placed(this.parent.children).get(this)?.width : 0 };
  }
  /** @returns {StillElement[]} */
  all() {
    return [this, ...this.children.flatMap((child) => child.all())];
  }
}

/**
 * Where panels are in rows that wrap, as the style sheet lays them out; each has flex: GROW 1 BASISpx.
 * @param {StillElement[]} panels
 */
const placed = (panels) => {
  /** @type {Map<StillElement, { x: number, width: number, row: number }>} */
  const places = new Map();
  /** @type {{ panel: StillElement, grow: number, basis: number }[][]} */
  const rows = [];
  let left = -1;
  for (const panel of panels) {
    const [grow, , basis] = String(panel.style.flex).split(" ").map(parseFloat);
    if (left < basis + GAP) {
      rows.push([]);
      left = WIDTH + GAP;
    }
    rows[rows.length - 1].push({ panel, grow, basis });
    left -= basis + GAP;
  }
  rows.forEach((row, n) => {
    const free = row.reduce((rest, { basis }) => rest - basis, WIDTH - GAP * (row.length - 1));
    const shares = row.reduce((sum, { grow }) => sum + grow, 0);
    let x = 0;
    for (const { panel, grow, basis } of row) {
      // What grows by less than one share alone in its row leaves the rest of it empty.
      const width = free < 0 ? WIDTH : basis + (free * grow) / Math.max(1, shares);
      places.set(panel, { x, width, row: n });
      x += width + GAP;
    }
  });
  return places;
};

Object.assign(globalThis, {
  document: {
    ...new StillElement("html"),
    createElement: (/** @type {string} */ tag) => new StillElement(tag),
  },
  window: globalThis,
  matchMedia: () => ({ matches: true }), // whoever asks is told that nothing may move
  performance: { now: () => 0 },
  requestAnimationFrame: () => 1, // one drawing is all
  cancelAnimationFrame: () => {},
  clearInterval: () => {},
  ResizeObserver: class {
    observe() {}
  },
  CustomEvent: class {},
  devicePixelRatio: 1,
  ImageData: class {
    /**
     * @param {ArrayLike<number>} data
     * @param {number} width
     */
    constructor(data, width) {
      Object.assign(this, { data, width, height: data.length / 4 / width });
    }
  },
  atob: (/** @type {string} */ text) => {
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const bits = Array.from(text.replace(/=+$/, ""), (digit) =>
      digits.indexOf(digit).toString(2).padStart(6, "0"),
    ).join("");
    return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(parseInt(byte, 2))).join("");
  },
});
/** @type {any} */ (document).addEventListener = () => {};

// QuickJS knows no languages.
Number.prototype.toLocaleString = function (_, { maximumFractionDigits: digits = 3 } = {}) {
  const [whole, part = ""] = Math.abs(Number(this)).toFixed(digits).split(".");
  const kept = part.replace(/0+$/, "");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept && `.${kept}`);
  return Number(this) < 0 ? `-${text}` : text;
};

/**
 * What an explorer shows when it starts.
 * @param {{ render: (view: any) => void }} widget
 * @param {Record<string, any>} state
 */
// eslint-disable-next-line no-unused-vars -- stills.py calls it
const still = (widget, state) => {
  const el = new StillElement("div");
  const model = {
    get: (/** @type {string} */ name) => (name === "prediction" ? null : state[name]),
    set: (/** @type {string} */ name, /** @type {any} */ value) => (state[name] = value),
    save_changes: () => {},
    on: () => {},
    off: () => {},
  };
  widget.render({ model, el });
  const all = el.all();
  const panels = all.filter(({ className }) => className === "panel");
  const places = placed(panels);
  return {
    values: el.children[0].dataset.values,
    name: el.children[0].dataset.explorer,
    panels: panels.map((panel) => {
      const canvas = panel.children.find(({ tag }) => tag === "canvas");
      const [svg] = panel.children.filter(({ tag }) => tag === "svg");
      const { left, top, width, height, imageRendering } = canvas?.style ?? {};
      const place = [left, top, width, height].map(parseFloat);
      const { data, width: columns } = canvas?.image ?? {};
      return {
        ...places.get(panel),
        height: parseFloat(svg.style.height),
        markup: svg.markup,
        label: svg.attributes["aria-label"],
        map: canvas ? { place, imageRendering, columns, data: Array.from(data) } : null,
      };
    }),
    // The controls' names and what they are set to.
    settings: all
      .filter(({ className }) => className.startsWith("control "))
      .map(({ children: [name, ...parts] }) => {
        const option = parts.find(({ children: [input] }) => /** @type {any} */ (input)?.checked);
        const value = option?.children[1].markup ?? parts.find(({ tag }) => tag === "output")?.textContent;
        return [name.markup, value ?? ""];
      }),
    notes: all
      .filter(({ className }) => /^note\b(?!.*formula)/.test(className))
      .map(({ markup }) => markup)
      .filter(Boolean),
  };
};
