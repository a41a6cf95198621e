// @ts-check
// The tools of a page: its buttons, the list of keys, and the section in which a mistake is.
//
// A button says what it does in `data-does`, because the pages' policy lets no `onclick` run (policy.py).
(() => {
  "use strict";

  const KEYS = [
    ["Ctrl + K", "search the book"],
    ["Tab, Shift + Tab", "to the next control, or back"],
    [
      "← → ↑ ↓",
      "move a slider or a dial by one step, choose an answer, read an open proof line by line, ask the symbols of a formula",
    ],
    ["Page Up, Page Down, Home, End", "move a slider in large steps, or to its ends"],
    ["Space, Enter", "press a button, open what is folded"],
    ["Esc", "close what lies over the page; while you drag, return to the old value"],
    ["?", "show this list"],
  ];
  const KEPT = "question-mark";
  let answers = keeper.read(KEPT) !== "off";

  /**
   * @param {string} tag
   * @param {...(string | Node)} inside
   */
  const make = (tag, ...inside) => {
    const made = document.createElement(tag);
    made.append(...inside);
    return made;
  };

  /** @type {HTMLDialogElement | undefined} */
  let dialog;
  function makeDialog() {
    const list = make("dl");
    for (const [keys, what] of KEYS) list.append(make("dt", make("kbd", keys)), make("dd", what));
    // Keys of one character can be turned off: who dictates to a computer may say one by accident (WCAG 2.1.4).
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: answers });
    box.addEventListener("change", () => {
      answers = box.checked;
      keeper.keep(KEPT, answers ? "on" : "off");
    });
    const title = Object.assign(make("h2", "Keyboard"), { id: "keys-title" });
    const close = Object.assign(document.createElement("button"), { textContent: "Close" });
    const made = document.createElement("dialog");
    made.className = "page-keys";
    made.setAttribute("aria-labelledby", title.id);
    const form = Object.assign(document.createElement("form"), { method: "dialog" });
    form.append(make("p", make("label", box, " The ? key opens this list")), close);
    made.append(title, list, form);
    document.body.append(made);
    return made;
  }
  function showKeys() {
    dialog ??= makeDialog();
    if (!dialog.open) dialog.showModal();
  }

  // The theme's search is a dialog too, and a text may have a question mark.
  const WRITING =
    "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (key !== "?" || ctrlKey || altKey || metaKey || !answers || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || (target instanceof Element && target.closest(WRITING))) {
      return;
    }
    event.preventDefault();
    showKeys();
  });

  /** @type {Record<string, () => void>} */
  const actions = {
    keys: showKeys,
    print: () => window.print(),
    fullscreen: () => window.toggleFullScreen?.(), // the theme's
  };
  addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[data-does]");
    if (button instanceof HTMLElement) actions[button.dataset.does ?? ""]?.();
  });

  // Parts of a figure come one after another, once: what is still needs no address.
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const picture of document.querySelectorAll(".tag_comes img")) {
      /** @type {HTMLImageElement} */ (picture).src += "#comes";
    }
  }

  // Who reports a mistake comes down to the link from where it is: the section is the last one that was read.
  const report = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a.page-report"));
  if (report) {
    const sections = [...document.querySelectorAll("article section[id]")];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let waiting;
    const note = () => {
      if (report.getBoundingClientRect().top < innerHeight) return; // the reader has come to the link
      const read = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 2).at(-1);
      const address = new URL(report.href);
      const body = address.searchParams.get("body") ?? "";
      address.searchParams.set(
        "body",
        body.replace(/^Section:.*$/m, `Section: #${(read ?? sections[0])?.id ?? ""}`),
      );
      report.href = address.href;
    };
    const later = () => {
      clearTimeout(waiting);
      waiting = setTimeout(note, 300);
    };
    addEventListener("scroll", later, { passive: true });
    note();
  }
})();
