// @ts-check
// Elements of a page.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {HTMLElement} parent
 * @param {Record<string, string>} properties
 */
export function make(tag, parent, properties = {}) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  parent.append(element);
  return element;
}
