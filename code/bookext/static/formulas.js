// @ts-check
// Formulas, once MathJax has set them: their menu on request, and room for those that are too wide.
(() => {
  "use strict";

  // MathJax's menu is nearly as heavy as all the rest of it, so it comes when a reader first asks for it.
  // Until then formulas are no stops for the Tab key, and there are hundreds of them.
  /** @param {MouseEvent} event */
  async function addMenu(event) {
    const formula = event.target instanceof Element && event.target.closest("mjx-container");
    if (!formula) return;
    removeEventListener("contextmenu", addMenu, true);
    event.preventDefault();
    const formulas = MathJax.startup.document.math;
    await MathJax.loader.load("ui/menu");
    MathJax.startup.getComponents(); // a new document, which has a menu, takes over what is set already
    MathJax.startup.document.math = formulas;
    for (const item of formulas) MathJax.startup.document.menu.addMenu(item);
    formula.dispatchEvent(new MouseEvent("contextmenu", event));
  }
  addEventListener("contextmenu", addMenu, true);

  // Formulas and figures wider than the page scroll inside themselves, so the keyboard must reach them;
  // a formula too wide for its line of text gets a line of its own.
  const BOXES = "div.math, .derivation-step, .figure-twins, mjx-container.wide";
  const reach = (/** @type {Element} */ box) => {
    const wide = box.scrollWidth > box.clientWidth + 1;
    const what = box.matches(".figure-twins") ? "Figure" : "Formula";
    // A stop for the Tab key says what it is.
    const attributes = { tabindex: "0", role: "group", "aria-label": `${what}, scrolls sideways` };
    for (const [name, value] of Object.entries(attributes)) {
      if (wide) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };
  const fit = (/** @type {Element} */ target) => {
    if (target.matches(BOXES)) {
      reach(target);
      // Within a display it is the formula that scrolls, and its number stays.
      target.querySelectorAll("mjx-container").forEach(reach);
      return;
    }
    for (const formula of target.querySelectorAll("span.math > mjx-container")) {
      const { width = 0 } = formula.firstElementChild?.getBoundingClientRect() ?? {};
      formula.classList.toggle("wide", width > target.clientWidth);
      reach(formula);
    }
  };
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  const around = document.querySelectorAll(`${BOXES}, :is(p, td, figcaption):has(span.math)`);
  for (const element of around) resized.observe(element);
  // A face that comes late widens a formula, and the paragraph around it keeps its size.
  document.fonts.addEventListener("loadingdone", () => around.forEach(fit));
})();
