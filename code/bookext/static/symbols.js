// @ts-check
// A symbol of a displayed formula says what it is while it is pointed at, tapped or read with the arrow keys, and lights
// the parts of the page's figures that show it (`data-symbol`); a part of a figure lights its symbol in the formulas.
//
// A formula is one stop of the Tab key. Figures draw themselves anew while they move, so that what lights is a rule of a
// style sheet, and no mark on what is lit.
(() => {
  "use strict";
  const WAIT = 120; // ms, so that nothing opens on the way to something else
  const GRACE = 200; // ms to get from the symbol to what it says
  const NEAR = 24; // px from a symbol that a finger may miss it by
  const FAR = 120; // px from a symbol to the end of its formula, where what it says would be too far from it
  const GAP = 8; // px
  const MARGIN = 8; // px to the window's edge
  const FORMULA = "math[data-symbols]";

  const article = document.querySelector(".bd-article");
  const known = SYMBOLS[document.documentElement.dataset.symbols ?? ""];
  if (!article || !known || !("showPopover" in HTMLElement.prototype)) return;

  /** @typedef {{ formula: Element, name: string, at: Element }} Asked */
  /** @type {Asked | null} */
  let asked = null;
  let timer = 0;

  const card = document.createElement("div");
  card.className = "preview symbol-card";
  card.setAttribute("role", "status");
  card.popover = "manual";
  const hint = document.createElement("p");
  Object.assign(hint, {
    hidden: true,
    id: "symbols-hint",
    textContent: "Arrow keys say what its symbols are.",
  });
  article.append(card, hint);

  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const having = (/** @type {string[]} */ words, /** @type {string} */ how) =>
    words.map((word) => `[data-symbol${how}${JSON.stringify(word)}]`).join();
  /**
   * Lights symbols in the formulas, and parts of the figures, whose other parts recede.
   * @param {string[]} names
   * @param {readonly string[]} [parts]
   */
  const light = (names, parts = []) => {
    const asks = having(names, "=");
    const lit = having([...parts], "~=");
    const rules = [
      asks && `${FORMULA} :is(${asks}) { background: var(--lit-ground); outline: var(--lit-edge); }`,
      lit && `[data-explorer] :is(${lit}):not(svg *) { outline: var(--lit-edge); outline-offset: 1px; }`,
      lit &&
        `[data-explorer] svg:has(${lit}) > :not(:is(${lit}), :has(${lit}), defs) { opacity: .22 !important; }`,
    ];
    sheet.replaceSync(`@media screen { ${rules.join(" ")} }`);
  };

  /** @param {string} name as it reads: ω_i */
  function written(name) {
    const [, base, kind, rest] = /^([^_^]+)(?:([_^])(.+))?$/.exec(name) ?? [];
    const made = document.createElement(base.length === 1 ? "i" : "span");
    made.append(base);
    if (rest) {
      const index = document.createElement(kind === "_" ? "sub" : "sup");
      index.append(written(rest));
      made.append(index);
    }
    return made;
  }

  /** Below the formula, or above it where there is more room; within one that is high, beside the symbol. */
  function place() {
    if (!asked) return;
    const { left, top, bottom } = asked.at.getBoundingClientRect();
    const box = asked.formula.getBoundingClientRect();
    const low = box.bottom - bottom < FAR ? Math.max(box.bottom, bottom) : bottom;
    const high = top - box.top < FAR ? Math.min(box.top, top) : top;
    const above = innerHeight - low < card.offsetHeight + GAP + MARGIN && high > innerHeight - low;
    const most = document.documentElement.clientWidth - card.offsetWidth - MARGIN;
    card.style.left = `${Math.max(MARGIN, Math.min(left, most))}px`;
    card.style.top = `${above ? high - GAP - card.offsetHeight : low + GAP}px`;
  }

  function close() {
    clearTimeout(timer);
    if (!asked) return;
    asked = null;
    light([]);
    card.hidePopover();
    card.replaceChildren();
  }

  /** @param {Element} at an element of a symbol */
  function open(at) {
    clearTimeout(timer);
    const formula = at.closest(FORMULA);
    const name = at.getAttribute("data-symbol") ?? "";
    if (!formula || !known[name]) return;
    const [says, parts] = known[name];
    asked = { formula, name, at };
    light([name], parts);
    if (!card.matches(":popover-open")) card.showPopover();
    const title = document.createElement("b");
    const text = document.createElement("span");
    title.append(written(name));
    text.innerHTML = says;
    card.replaceChildren(title, text);
    place();
  }

  /** The symbols of a formula, each where it comes first. */
  const symbolsOf = (/** @type {Element} */ formula) => {
    /** @type {Map<string | null, Element>} */
    const found = new Map();
    for (const part of formula.querySelectorAll("[data-symbol]")) {
      const name = part.getAttribute("data-symbol");
      if (!found.has(name)) found.set(name, part);
    }
    return [...found.values()];
  };

  /** The names of the symbols that a part of a figure shows, or that what is held there moves. */
  const shownBy = (/** @type {Element} */ target) => {
    const root = target.closest("[data-explorer]");
    const moved = target.closest("[data-moves]")?.getAttribute("data-moves")?.split(" ") ?? [];
    /** @type {(Element | null | undefined)[]} */
    const controls = moved.map((trait) => root?.querySelector(`[name="${trait}"]`));
    const named = [target, ...controls].flatMap((one) => [
      one?.closest("label, [role=radiogroup]"),
      ...(one instanceof HTMLInputElement ? (one.labels ?? []) : []),
    ]);
    const own = root && target.closest("[data-symbol]");
    const parts = own
      ? [own]
      : root
        ? named.flatMap((one) => [...(one?.querySelectorAll("[data-symbol]") ?? [])])
        : [];
    const words = parts.flatMap((part) => part.getAttribute("data-symbol")?.split(" ") ?? []);
    return Object.keys(known).filter((name) => known[name][1].some((word) => words.includes(word)));
  };

  for (const formula of document.querySelectorAll(FORMULA)) {
    formula.setAttribute("tabindex", "0");
    formula.setAttribute("aria-describedby", hint.id);
  }

  document.addEventListener("pointerover", ({ pointerType, target }) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    const part = target.closest("[data-symbol]");
    if (part?.closest(FORMULA)) {
      clearTimeout(timer);
      timer = window.setTimeout(() => open(part), asked ? 0 : WAIT);
    } else if (card.contains(target)) clearTimeout(timer);
    else if (!asked) {
      clearTimeout(timer);
      light(shownBy(target));
    } else if (!asked.formula.matches(":focus")) {
      clearTimeout(timer);
      timer = window.setTimeout(close, GRACE);
    }
  });

  // A finger, or a mouse beside the letter: the symbol that is nearest.
  document.addEventListener("click", ({ target, clientX, clientY }) => {
    const formula = target instanceof Element && target.closest(FORMULA);
    if (!formula) {
      if (target instanceof Node && !card.contains(target)) close();
      return;
    }
    const away = (/** @type {Element} */ part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return Math.hypot(
        Math.max(left - clientX, 0, clientX - right),
        Math.max(top - clientY, 0, clientY - bottom),
      );
    };
    const parts = [...formula.querySelectorAll("[data-symbol]")].map((part) => ({ part, far: away(part) }));
    const { part, far } = parts.reduce((best, one) => (one.far < best.far ? one : best));
    if (far <= NEAR) open(part);
    else close();
  });

  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
    if (target.matches(FORMULA)) open(symbolsOf(target)[0]);
    else if (!asked) light(shownBy(target));
  });
  document.addEventListener("focusout", ({ target }) => {
    if (!asked) light([]);
    else if (target === asked.formula) close();
  });

  addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      if (key === "Escape") close();
      if (!(target instanceof Element) || !target.matches(FORMULA)) return;
      const all = symbolsOf(target);
      const now = all.findIndex((part) => asked && part.getAttribute("data-symbol") === asked.name);
      const [after, before] = [now + 1, Math.max(now, 0) - 1];
      const keys = {
        ArrowRight: after,
        ArrowDown: after,
        ArrowLeft: before,
        ArrowUp: before,
        Home: 0,
        End: -1,
      };
      const next = keys[/** @type {keyof typeof keys} */ (key)];
      if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const part = /** @type {Element} */ (all.at(next % all.length));
      part.scrollIntoView({ block: "nearest", inline: "nearest" });
      open(part);
    },
    true,
  );
  addEventListener("scroll", place, { capture: true, passive: true });
  addEventListener("resize", place);
})();
