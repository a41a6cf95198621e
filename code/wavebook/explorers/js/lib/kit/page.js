// @ts-check
// Elements of a page, and places on it.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {HTMLElement} parent
 * @param {Record<string, string | number>} properties
 */
export function make(tag, parent, properties = {}) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  parent.append(element);
  return element;
}

/**
 * How large an element's pixels are shown: more than 1 in large type. Browsers that don't say measure in its own pixels.
 * @param {Element} element
 * @returns {number}
 */
export const zoomOf = (element) => /** @type {any} */ (element).currentCSSZoom || 1;

/**
 * Where a pointer is in a drawing, in the drawing's pixels.
 * @param {SVGSVGElement} svg
 * @param {{ clientX: number, clientY: number }} event
 * @returns {[x: number, y: number]}
 */
export function placeIn(svg, { clientX, clientY }) {
  const { left, top } = svg.getBoundingClientRect();
  return [(clientX - left) / zoomOf(svg), (clientY - top) / zoomOf(svg)];
}

/**
 * How high the first row of controls is, which on a phone stays at the foot of the screen; the style sheet is told how much
 * is below it.
 * @param {HTMLElement} form
 */
export function footOf(form) {
  const first = /** @type {HTMLElement | null} */ (form.firstElementChild);
  const row = first ? first.offsetTop + first.offsetHeight + 14 : 0;
  form.style.setProperty("--below", `${form.offsetHeight - row}px`);
  return row;
}
