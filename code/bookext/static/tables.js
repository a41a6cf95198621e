// @ts-check
// A table of class "searchable" gets a search field, a choice for every column of few values, heads that sort, and
// pages. DataTables does all that; without JavaScript, and on paper, the whole table stands as it is.
(() => {
  const FEW = 10;
  const ROWS = 12; // on a page
  const kind = (/** @type {string} */ text) => text.trim().split("-")[0]; // H1-04 is of the kind H1

  /**
   * @template {keyof HTMLElementTagNameMap} T
   * @param {T} name
   * @param {Record<string, unknown>} properties
   * @param {(Node | string)[]} children
   */
  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    Object.assign(made, properties);
    made.append(...children);
    return made;
  }

  /** @type {(group: string, label: string, chosen: boolean) => HTMLElement} */
  const choice = (group, label, chosen) =>
    element(
      "label",
      {},
      element("input", { type: "radio", name: group, value: chosen ? "" : label, checked: chosen }),
      label,
    );

  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = document.querySelectorAll("table.searchable");
  for (const table of tables) {
    const heads = [...(table.tHead?.rows[0].cells ?? [])].map((cell) => cell.textContent.trim());
    const kinds = heads.map((_, i) => [
      ...new Set([...table.tBodies[0].rows].map((row) => kind(row.cells[i].textContent))),
    ]);
    // A narrow screen shows each row as a card, where the head of the column stands before the cell.
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, i) => {
        cell.dataset.head = heads[i];
      });
    }

    const none = { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null };
    const data = new DataTable(table, { pageLength: ROWS, autoWidth: false, order: [], layout: none });

    const search = element("input", { type: "search", autocomplete: "off" });
    search.addEventListener("input", () => data.search(search.value).draw());
    const filters = heads.flatMap((head, i) => {
      if (kinds[i].length < 2 || kinds[i].length > FEW) return [];
      const group = `${table.id}-${i}`;
      const field = element(
        "fieldset",
        {},
        element("legend", {}, head),
        ...["all", ...kinds[i]].map((label, n) => choice(group, label, n === 0)),
      );
      field.addEventListener("change", ({ target }) => {
        const value = target instanceof HTMLInputElement && target.value;
        const matches = value ? (/** @type {string} */ text) => kind(text) === value : null;
        data.column(i).search.fixed("kind", matches).draw();
      });
      return [field];
    });
    const shown = element("output");
    const turn = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
      element("button", { type: "button", onclick }, label);
    const previous = turn("Previous", () => data.page("previous").draw("page"));
    const next = turn("Next", () => data.page("next").draw("page"));
    const all = turn("All rows", () => data.page.len(data.page.len() < 0 ? ROWS : -1).draw());
    const count = () => {
      const { start, end, recordsDisplay, recordsTotal, page, pages } = data.page.info();
      const part = end - start < recordsDisplay ? `${start + 1} to ${end} of ` : "";
      shown.value = `${part}${recordsDisplay} of ${recordsTotal} rows`.replace(/of (\d+) of \1 /, "of $1 ");
      // Not `disabled`, which would take the focus away from a button that was just pressed.
      previous.setAttribute("aria-disabled", String(page === 0));
      next.setAttribute("aria-disabled", String(page >= pages - 1));
      all.textContent = data.page.len() < 0 ? `${ROWS} rows a page` : "All rows";
    };
    data.on("draw", count);
    count();
    const whole = table.closest(".pst-scrollable-table-container") ?? table.closest(".dt-container") ?? table;
    whole.before(
      element(
        "div",
        { className: "table-tools" },
        element("label", {}, "Search ", search),
        ...filters,
        shown,
      ),
    );
    whole.after(element("div", { className: "table-tools table-pages" }, previous, next, all));

    // A link to a row brings its page, without a search that would hide it.
    const bring = (/** @type {string} */ hash) => {
      const name = decodeURIComponent(hash.slice(1));
      /** @type {HTMLTableRowElement[]} */
      const rows = data.rows().nodes().toArray();
      const row = name && rows.find((one) => one.querySelector(`[id="${CSS.escape(name)}"]`));
      if (!row || row.isConnected) return false;
      const place = () => data.rows({ search: "applied" }).nodes().toArray().indexOf(row);
      if (place() < 0) {
        search.value = "";
        data.search("");
        for (const field of filters) field.querySelector("input")?.click();
      }
      data.page(Math.floor(place() / data.page.len())).draw("page");
      return true;
    };
    const arrive = () => {
      if (!bring(location.hash)) return;
      location.replace(location.hash); // once more, now that there is something to go to
      const there = () => document.querySelector(":target")?.scrollIntoView();
      if (document.readyState !== "complete") addEventListener("load", there); // what is above it may still grow
    };
    document.addEventListener("click", ({ target }) => {
      const link = target instanceof Element && target.closest("a");
      if (link && link.pathname === location.pathname) bring(link.hash);
    });
    addEventListener("hashchange", arrive);
    arrive();

    let rows = ROWS;
    addEventListener("beforeprint", () => {
      rows = data.page.len();
      data.page.len(-1).draw();
    });
    addEventListener("afterprint", () => data.page.len(rows).draw());
  }
})();
