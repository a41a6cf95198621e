// @ts-check
// The place of a drawing: an SVG as wide as the page lets it be, and under it a canvas if there is a map.

import { SPEC } from "../../spec.js";
import { pixels } from "./color.js";
import { beckon, draggable, gripMarkup } from "./drag.js";
import { make, zoomOf } from "./page.js";
import { px } from "./svg.js";

/** @import { Control, Grip, Kit, Panel } from "../../types" */

/**
 * A panel in a box of its own. `height` is in pixels, or a function of the width; `basis` is the width that it would
 * like. Of its grips those work whose traits have a control.
 * @param {HTMLElement} parent
 * @param {Parameters<Kit<any>["panel"]>[0]} options
 * @param {Record<string, Control>} controls
 * @param {Kit<any>} kit
 * @param {(canvas: HTMLCanvasElement) => void} onMap
 * @returns {Panel}
 */
export function makePanel(parent, { height, basis = 320, grow = 1 }, controls, kit, onMap) {
  const box = make("div", parent, { className: "panel", innerHTML: '<svg role="img"></svg>' });
  const svg = /** @type {SVGSVGElement} */ (box.firstElementChild);
  box.style.flex = `${grow} 1 ${basis}px`;
  /** @type {HTMLCanvasElement | undefined} */
  let canvas;
  /** @type {Grip[]} */
  let held = [];
  draggable(svg, () => held, controls, kit);
  const mark = beckon(box, kit);
  /** @type {Panel} */
  const panel = {
    svg,
    width: basis,
    height: 0,
    measure() {
      panel.width = box.getBoundingClientRect().width / zoomOf(box) || basis;
      panel.height = typeof height === "function" ? height(panel.width) : height;
      svg.style.height = `${panel.height}px`;
    },
    draw(markup, description, grips = []) {
      svg.setAttribute("viewBox", `0 0 ${px(panel.width)} ${panel.height}`);
      svg.innerHTML = markup;
      // Words are over all lines, which their edge of paper interrupts; those that travel stay in their group.
      svg.append(...svg.querySelectorAll(":scope > text"));
      held = grips.filter(({ moves }) =>
        Object.keys(moves).every(
          (trait) =>
            controls[trait] &&
            !(kit.root.dataset.state === "asking" && kit.asks?.free?.includes(trait) === false),
        ),
      );
      svg.insertAdjacentHTML("beforeend", gripMarkup(held));
      for (const [role, symbol] of Object.entries(kit.shows)) {
        for (const part of svg.querySelectorAll(`.${role}`)) part.setAttribute("data-symbol", symbol);
      }
      svg.setAttribute("aria-label", description);
      mark(held);
    },
    // Each value is stretched over its part of the place. Where a column has less than three pixels it is blended:
    // whole pixels would make stripes that are not in the values.
    map(values, columns, x, y, width, height) {
      if (!canvas) {
        canvas = box.insertBefore(document.createElement("canvas"), svg);
        canvas.setAttribute("aria-hidden", "true"); // the drawing above it says what both show
        onMap(canvas);
      }
      const image = new ImageData(pixels(values, SPEC.diverging), columns);
      Object.assign(canvas, { width: columns, height: image.height });
      const imageRendering = width * devicePixelRatio < 3 * columns ? "auto" : "pixelated";
      const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
      Object.assign(canvas.style, { ...place, imageRendering });
      canvas.getContext("2d")?.putImageData(image, 0, 0);
    },
  };
  return panel;
}
