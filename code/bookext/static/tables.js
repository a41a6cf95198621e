// @ts-check
// A table of class "searchable" gets a search field, a choice for every column of few values, and heads that sort.
// DataTables does the searching and sorting; without JavaScript the whole table stands as it is.
(() => {
  const FEW = 10;
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
    const data = new DataTable(table, { paging: false, autoWidth: false, order: [], layout: none });

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
    const count = () => {
      shown.value = `${data.rows({ search: "applied" }).count()} of ${data.rows().count()} rows`;
    };
    data.on("draw", count);
    count();
    const tools = element(
      "div",
      { className: "table-tools" },
      element("label", {}, "Search ", search),
      ...filters,
      shown,
    );
    (table.closest(".pst-scrollable-table-container") ?? table.closest(".dt-container") ?? table).before(
      tools,
    );
  }
})();
