// @ts-check
// The map of theorems: lines from what is pointed at, has the focus or is open to what it stands on and to what stands
// on it; up and down walk along them, left and right go to the neighbors. Without this it is a list of folds.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  for (const map of document.querySelectorAll(".theorem-map")) draw(map);

  /** @param {Element} map */
  function draw(map) {
    /** @type {HTMLDetailsElement[]} */
    const items = [...map.querySelectorAll("details")].filter((item) => item.matches(".map-item"));
    const byId = new Map(items.map((item) => [item.id, item]));
    /** @type {Map<HTMLElement, HTMLElement[]>} */
    const below = new Map();
    /** @type {Map<HTMLElement, HTMLElement[]>} */
    const above = new Map(items.map((item) => [item, []]));
    for (const item of items) {
      const links = item.querySelectorAll(".map-uses a");
      const uses = [...links].flatMap((link) => byId.get((link.getAttribute("href") ?? "").slice(1)) ?? []);
      below.set(item, uses);
      for (const used of uses) above.get(used)?.push(item);
    }
    for (const [item, users] of above) {
      const said = document.createElement("p");
      users.forEach((user, number) => {
        const link = document.createElement("a");
        link.href = `#${user.id}`;
        link.textContent = user.querySelector("summary")?.textContent ?? "";
        said.append(number ? ", " : "On it stand: ", link);
      });
      if (users.length) item.querySelector(".map-said")?.append(said);
    }
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.classList.add("map-lines");
    const all = document.createElementNS(SVG, "path");
    const down = document.createElementNS(SVG, "path");
    const up = document.createElementNS(SVG, "path");
    all.classList.add("is-all");
    down.classList.add("is-below");
    up.classList.add("is-above");
    svg.append(all, down, up);
    map.prepend(svg);

    /** @param {HTMLElement} from @param {HTMLElement} to @param {DOMRect} box */
    function line(from, to, box) {
      const [a, b] = [from, to].map((item) => {
        const { left, top, width, height } = /** @type {Element} */ (
          item.querySelector(".map-shape")
        ).getBoundingClientRect();
        return [Math.round(left + width / 2 - box.left), Math.round(top + height / 2 - box.top)];
      });
      return `M${a}Q${[a[0], b[1]]} ${b}`;
    }
    /** @type {HTMLElement | undefined} */
    let chosen;
    function show() {
      const box = map.getBoundingClientRect();
      const uses = (chosen && below.get(chosen)) ?? [];
      const users = (chosen && above.get(chosen)) ?? [];
      const from = chosen;
      down.setAttribute("d", from ? uses.map((used) => line(from, used, box)).join("") : "");
      up.setAttribute("d", from ? users.map((user) => line(user, from, box)).join("") : "");
      for (const item of items) {
        item.classList.toggle("is-below", uses.includes(item));
        item.classList.toggle("is-above", users.includes(item));
        item.classList.toggle("is-chosen", item === from);
      }
    }
    function showAll() {
      const box = map.getBoundingClientRect();
      const lines = items.flatMap((item) => {
        // What nearly all stand on says nothing in the picture.
        const few = (below.get(item) ?? []).filter((used) => !used.closest(".map-library"));
        return few.map((used) => line(item, used, box));
      });
      all.setAttribute("d", lines.join(""));
      svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`); // which paper has smaller
      map.toggleAttribute("data-paper", matchMedia("print").matches); // on a sheet lines of a screen would be wrong
      show();
    }
    /** @param {Event} event */
    const itemOf = (event) =>
      items.find((item) => event.target instanceof Node && item.contains(event.target));
    for (const kind of ["pointerover", "focusin"]) {
      map.addEventListener(kind, (event) => {
        const item = itemOf(event);
        if (!item || item === chosen) return;
        chosen = item;
        show();
      });
    }
    map.addEventListener("toggle", showAll, true);
    map.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#map-"]') : null;
      const item = byId.get(link?.getAttribute("href")?.slice(1) ?? "");
      if (!item) return;
      event.preventDefault();
      item.open = true;
      item.querySelector("summary")?.focus();
    });
    map.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || !(event.target instanceof Element)) return;
      const item = itemOf(event);
      if (!item || event.target.localName !== "summary" || event.target.parentElement !== item) return;
      const at = items.indexOf(item);
      /** @type {Record<string, HTMLElement | undefined>} */
      const next = {
        ArrowRight: items[at + 1],
        ArrowLeft: items[at - 1],
        ArrowDown: below.get(item)?.[0],
        ArrowUp: above.get(item)?.[0],
      };
      const to = next[event.key]?.querySelector("summary");
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
    new ResizeObserver(showAll).observe(map);
  }
})();
