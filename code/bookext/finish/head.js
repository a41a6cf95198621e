// @ts-check
// What a page settles before anything of it is drawn, so that nothing flashes or moves: light or dark, and whether the
// reader wants to see all code. The build writes this into the head of every page.
(() => {
  "use strict";
  const root = document.documentElement.dataset;
  // A frame that another site has closed off has no storage, and the theme's programs, which ask for it, would break off.
  let kept = true;
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      void globalThis[name];
    } catch {
      kept = false;
      /** @type {Map<string, string>} */
      const texts = new Map();
      const value = {
        getItem: (/** @type {string} */ key) => texts.get(key) ?? null,
        setItem: (/** @type {string} */ key, /** @type {string} */ text) => void texts.set(key, text),
        removeItem: (/** @type {string} */ key) => void texts.delete(key),
      };
      Object.defineProperty(globalThis, name, { value });
    }
  }
  // What the browser keeps from visit to visit, for the page's other scripts too; some browsers refuse.
  globalThis.keeper = {
    read(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    keep(name, text) {
      try {
        if (text === null) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
        return kept; // if not, it holds for this page
      } catch {
        return false; // then it holds for this page
      }
    },
  };

  root.mode = keeper.read("mode") || "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.theme = root.mode === "auto" ? dark : root.mode;

  // The first faces of the text and of the interface are asked for at once: what is first drawn in another face moves
  // when its own comes. So are the others, but where an explorer waits for what comes over the same line: there the
  // style sheet asks for them, and until they are there, faces as wide as they are stand in.
  // On a disk nothing has to be waited for, and browsers do not let a page ask there.
  if (location.protocol !== "file:") {
    const text = "stix-two-text-latin";
    const faces = [`${text}-400-normal`, "waves-sans-400"];
    if (root.explorers === undefined) {
      faces.push(`${text}-400-italic`, `${text}-700-normal`, "waves-sans-600");
    }
    if (root.formulas !== undefined) faces.push("stix-two-math-400-normal");
    for (const face of faces) {
      const link = document.createElement("link");
      const href = `${root.content_root}_static/fonts/${face}.woff2`;
      document.head.append(
        Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href }),
      );
    }
  }

  // The switch is a checkbox, which works without any of this. Here it is remembered.
  const box = () => /** @type {HTMLInputElement | null} */ (document.getElementById("show-code"));
  function show(/** @type {boolean} */ all) {
    if (all) root.code = "all";
    else delete root.code;
    const found = box();
    if (found) found.checked = all;
  }
  show(keeper.read("code") === "all");
  document.addEventListener("readystatechange", () => show(root.code === "all"), { once: true });
  document.addEventListener("change", ({ target }) => {
    const found = box();
    if (!found || target !== found) return;
    show(found.checked);
    keeper.keep("code", found.checked ? "all" : "some");
  });
  // A page to which the reader comes back is as it was left; the switch may have been turned since.
  addEventListener("pageshow", ({ persisted }) => {
    const kept = keeper.read("code");
    if (persisted && kept) show(kept === "all");
  });
})();
