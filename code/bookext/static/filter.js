// @ts-check
// A box that leaves of a page's sections those that have all the words typed into it. Without scripts it is not there.
(() => {
  "use strict";
  const PAUSE = 80; // milliseconds

  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-filter]"))) {
    const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(box.dataset.filter ?? "")]);
    const texts = sections.map((section) => (section.textContent ?? "").toLowerCase());
    const groups = new Set(sections.map((section) => section.parentElement));
    const field = Object.assign(document.createElement("input"), { type: "search", spellcheck: false });
    const label = document.createElement("label");
    const told = Object.assign(document.createElement("output"), { ariaLive: "polite" });
    label.append(`Find one of ${sections.length}: `, field);

    function filter() {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      sections.forEach((section, n) => {
        section.hidden = !words.every((word) => texts[n].includes(word));
        left += Number(!section.hidden);
      });
      for (const group of groups) {
        if (group) {
          group.hidden = !sections.some((section) => section.parentElement === group && !section.hidden);
        }
      }
      told.textContent = words.length ? `${left} of ${sections.length}` : "";
    }
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let waiting;
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(filter, PAUSE);
    });
    // A link to a section shows it, whatever the box says.
    addEventListener("hashchange", () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("section");
      if (!target?.hidden) return;
      field.value = "";
      filter();
      target.scrollIntoView();
    });
    box.append(label, " ", told);
    box.hidden = false;
  }
})();
