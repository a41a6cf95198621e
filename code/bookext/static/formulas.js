// @ts-check
// Formulas, figures, tables and code wider than the page scroll inside themselves, so the keyboard must reach them;
// a formula too wide for its line of text gets a line of its own.
(() => {
  "use strict";

  const BOXES = "div.math, .derivation-step, .figure-twins, .pst-scrollable-table-container";
  const reach = (/** @type {Element} */ box) => {
    const wide = box.scrollWidth > box.clientWidth + 1;
    const what = box.matches(".figure-twins")
      ? "Figure"
      : box.querySelector("table.table")
        ? "Table"
        : "Formula";
    // A stop for the Tab key says what it is.
    const attributes = { tabindex: "0", role: "group", "aria-label": `${what}, scrolls sideways` };
    for (const [name, value] of Object.entries(attributes)) {
      if (wide) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };
  const fit = (/** @type {Element} */ target) => {
    if (target.matches(BOXES)) reach(target);
    for (const formula of target.querySelectorAll("span.math")) {
      const { width = 0 } = formula.firstElementChild?.getBoundingClientRect() ?? {};
      formula.classList.toggle("wide", width > target.clientWidth);
      reach(formula);
    }
  };
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  const around = document.querySelectorAll(`${BOXES}, :is(p, td, figcaption):has(span.math)`);
  for (const element of around) resized.observe(element);
  // The theme does this for code that is seen when the page has come, and not for what is unfolded later.
  const unfolded = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target instanceof HTMLElement) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
    }
  });
  for (const code of document.querySelectorAll("pre")) unfolded.observe(code);
  // A face that comes late widens a formula, and the paragraph around it keeps its size.
  document.fonts.addEventListener("loadingdone", () => around.forEach(fit));
})();
