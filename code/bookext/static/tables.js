// @ts-check
// A table of class "searchable" gets a search field and, for each kind of facet that its rows have, a choice. A row's
// facets are classes such as "facet-about-distance". At first some rows are shown, the others once they are asked for:
// by a word, a choice, a link to one of them, or the button. Without JavaScript, and on paper, the whole table stands.
(() => {
  const FEW = 5; // rows that are shown at first

  /** What a row says, and its facets. */
  const read = (/** @type {HTMLTableRowElement} */ row) => ({
    row,
    text: row.textContent.toLowerCase(),
    facets: new Map(
      [...row.querySelectorAll('[class*="facet-"]')].flatMap((part) =>
        [...part.classList].flatMap((name) => {
          const [, kind, value] = /^facet-([a-z]+)-(.+)$/.exec(name) ?? [];
          return kind ? [/** @type {[string, string]} */ ([kind, value.replaceAll("-", " ")])] : [];
        }),
      ),
    ),
  });

  /** What is more than a sentence is folded behind a button. */
  const fold = (/** @type {Element} */ more) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "more" });
    const set = (/** @type {boolean} */ open) => {
      more.toggleAttribute("hidden", !open);
      button.ariaExpanded = String(open);
      button.textContent = open ? "less" : "more";
    };
    button.className = "table-more";
    button.addEventListener("click", () => set(more.hasAttribute("hidden")));
    more.before(button, " ");
    set(false);
  };

  for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (
    document.querySelectorAll("table.searchable")
  )) {
    const rows = [...table.tBodies[0].rows].map(read);
    for (const more of table.querySelectorAll(".more")) fold(more);

    const tools = document.createElement("form");
    tools.className = "table-tools";
    tools.setAttribute("role", "search");
    const labelled = (/** @type {string} */ name, /** @type {HTMLElement} */ field) => {
      const label = document.createElement("label");
      label.append(`${name} `, field);
      tools.append(label);
    };
    const search = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
    labelled("Search", search);
    /** @type {Map<string, HTMLSelectElement>} */
    const choices = new Map();
    for (const kind of new Set(rows.flatMap(({ facets }) => [...facets.keys()]))) {
      const values = [...new Set(rows.map(({ facets }) => facets.get(kind) ?? ""))].filter(Boolean).sort();
      const choice = document.createElement("select");
      choice.append(new Option("all", ""), ...values.map((value) => new Option(value)));
      choices.set(kind, choice);
      labelled(kind[0].toUpperCase() + kind.slice(1), choice);
    }
    const every = Object.assign(document.createElement("button"), { type: "button" });
    const count = document.createElement("output");
    tools.append(every, count);

    let whole = false;
    const show = (keep = false) => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = [...choices].filter(([, choice]) => choice.value);
      const some = !whole && !words.length && !chosen.length;
      let shown = 0;
      rows.forEach(({ row, text, facets }, at) => {
        const fits =
          words.every((word) => text.includes(word)) &&
          chosen.every(([kind, choice]) => facets.get(kind) === choice.value);
        row.hidden = !(some ? at < FEW : fits) && !(keep && row.querySelector(":target"));
        shown += Number(!row.hidden);
      });
      every.hidden = words.length + chosen.length > 0;
      every.textContent = whole ? `The first ${FEW}` : `All ${rows.length}`;
      count.value = `${shown} of ${rows.length}`;
    };
    tools.addEventListener("submit", (event) => event.preventDefault());
    tools.addEventListener("input", () => show());
    every.addEventListener("click", () => {
      whole = !whole;
      show();
    });
    // A link to a row shows it, whatever is chosen.
    const arrive = () => {
      show(true);
      const row = /** @type {HTMLElement | null} */ (table.querySelector("tr:has(:target)"));
      row?.querySelector(".table-more[aria-expanded=false]")?.dispatchEvent(new Event("click"));
      row?.scrollIntoView();
    };
    addEventListener("hashchange", arrive);
    (table.closest(".pst-scrollable-table-container") ?? table).before(tools);
    arrive();
  }
})();
