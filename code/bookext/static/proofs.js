// @ts-check
// Folded proofs: an address within one opens it, and an open derivation can be read line by line.
(() => {
  "use strict";

  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let opened = false;
    for (let at = target; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement && !at.open) {
        at.open = true;
        opened = true;
      }
    }
    if (opened) target?.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();

  /** @type {(name: string, text: string) => HTMLButtonElement} */
  const makeButton = (name, text) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    if (name !== text) button.setAttribute("aria-label", name);
    return button;
  };

  // The tools come when a derivation is opened for the first time; a page has some ten of them.
  /** @param {Element} derivation */
  function addTools(derivation) {
    const list = derivation.querySelector(":scope > :is(.derivation-steps, .formal-steps)");
    const lines = [...(list?.children ?? [])];
    if (!list || lines.length < 2) return;
    const tools = document.createElement("div");
    tools.className = "derivation-tools";
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "Read the proof line by line");
    const all = makeButton("Line by line", "Line by line");
    const back = makeButton("Line before", "\u2190");
    const on = makeButton("Next line", "\u2192");
    const note = document.createElement("span");
    note.setAttribute("role", "status");
    for (const part of [back, on, note]) part.classList.add("derivation-stepping");
    tools.append(all, back, on, note);
    list.before(tools);

    let at = -1; // the line that is read; -1: all of them are shown
    function show() {
      const steps = at >= 0;
      tools.toggleAttribute("data-line", steps);
      all.textContent = steps ? "All lines" : "Line by line";
      note.textContent = steps ? `Line ${at + 1} of ${lines.length}` : "";
      back.disabled = at <= 0;
      on.disabled = at === lines.length - 1;
      lines.forEach((line, number) => {
        line.classList.toggle("is-done", steps && number < at - 1);
        line.classList.toggle("is-before", steps && number === at - 1);
        line.classList.toggle("is-now", number === at);
        line.classList.toggle("is-later", steps && number > at);
      });
    }
    const go = (/** @type {number} */ to) => {
      at = Math.max(0, Math.min(lines.length - 1, to));
      show();
      // A button that has become idle gives the focus away.
      if (document.activeElement === document.body) (on.disabled ? back : on).focus();
    };
    all.addEventListener("click", () => {
      at = at < 0 ? 0 : -1;
      show();
    });
    back.addEventListener("click", () => go(at - 1));
    on.addEventListener("click", () => go(at + 1));
    tools.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (at < 0 || !way) return;
      event.preventDefault();
      go(at + way);
    });
    addEventListener("beforeprint", () => {
      at = -1; // paper has all lines
      show();
    });
  }
  for (const derivation of document.querySelectorAll("details:is(.derivation, .formal-proof)")) {
    const open = () => addTools(derivation);
    if (derivation.hasAttribute("open")) open();
    else derivation.addEventListener("toggle", open, { once: true });
  }
})();
