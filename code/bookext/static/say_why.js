// @ts-check
// A box to write a reason in, before the book's is unfolded (sphinx/say_why.py). A sentence is kept if its writer asks.
(() => {
  "use strict";
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-say-why]"))) {
    const key = `say-why:${location.pathname.split("/").pop()}#${place.id}`;
    const kept = keeper.read(key);
    const box = Object.assign(document.createElement("textarea"), { rows: 1, value: kept ?? "" });
    const label = document.createElement("label");
    label.append("Say why, in a sentence", box);
    const ask = Object.assign(document.createElement("input"), { type: "checkbox", checked: kept !== null });
    const asked = document.createElement("label");
    asked.className = "say-why-keep";
    asked.append(ask, " Keep my sentence in this browser");
    const note = () => keeper.keep(key, ask.checked ? box.value : null);
    box.addEventListener("input", note);
    ask.addEventListener("change", note);
    place.querySelector("[data-say-why-reason]")?.before(label, asked);
    if (kept !== null) place.querySelector("details")?.setAttribute("open", ""); // who has opened it keeps it open
  }
})();
