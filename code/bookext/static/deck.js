// @ts-check
// Slides (sphinx/deck.py): shows the entries of a list one after the other over the whole screen. An entry whose first
// link leads to an explorer shows that explorer's own page (finish/embeds.py) in a frame; the rest of it is below. Whoever
// gives a talk makes a deck of their own here, a line a slide: an address, and what to say.
(() => {
  "use strict";
  const KEPT = "deck";

  /** @typedef {{ address: string, title: string, said: Node[] }} Slide */

  /**
   * @template {keyof HTMLElementTagNameMap} T
   * @param {T} tag
   * @param {Record<string, any>} properties
   * @param {...(string | Node)} inside
   */
  const make = (tag, properties, ...inside) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inside);
    return made;
  };

  /**
   * The page that has a figure alone, of the address of one: on its page, or alone already. "" for any other address.
   * @param {string} text
   */
  function alone(text) {
    const [, name] = /#explorer-([\w-]+)$/.exec(text) ?? [];
    const folder = new URL(".", location.href).href;
    try {
      const url = new URL(text, folder);
      const [, page, of] =
        /^(.*?)(\/[\w-]+)?\.html$/.exec(url.href.split(/[?#]/)[0].replace(folder, "")) ?? [];
      if (!url.href.startsWith(folder) || !page || (!name && !of)) return "";
      return `${folder}${of ? page + of : `${page}/${name}`}.html${url.search}#slide`;
    } catch {
      return "";
    }
  }

  /**
   * @param {HTMLElement} entry
   * @returns {Slide}
   */
  function slideOf(entry) {
    const link = entry.querySelector("a");
    const address = alone(link?.href ?? "");
    const said = [...entry.cloneNode(true).childNodes];
    return { address, title: link?.textContent ?? "", said };
  }

  /**
   * @param {string} text
   * @returns {Slide[]}
   */
  const slidesOf = (text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [first, ...rest] = line.split(/\s+/);
        const address = alone(first);
        const words = address ? rest.join(" ") : line;
        return { address, title: words || first, said: [make("p", {}, words)] };
      });

  /** @param {Slide[]} slides */
  function present(slides) {
    let at = 0;
    const place = make("div", { className: "deck-slide" });
    const count = make("span", {});
    count.setAttribute("role", "status");
    const button = (/** @type {string} */ words, /** @type {() => void} */ does) => {
      const made = make("button", { type: "button" }, words);
      made.addEventListener("click", does);
      return made;
    };
    const back = button("Back", () => turn(-1));
    const next = button("Next", () => turn(1));
    const bar = make(
      "div",
      { className: "deck-bar" },
      back,
      count,
      next,
      button("Close", () => stage.close()),
    );
    const screen = make("div", { className: "deck-screen" }, place, bar);
    const stage = make("dialog", { className: "deck-stage" }, screen);
    stage.setAttribute("aria-label", "Slides");

    function show() {
      const { address, title, said } = slides[at];
      const words = make("div", { className: "deck-words" }, ...said.map((node) => node.cloneNode(true)));
      for (const link of words.querySelectorAll("a")) link.target = "_blank";
      place.replaceChildren(...(address ? [make("iframe", { src: address, title })] : []), words);
      place.toggleAttribute("data-words", !address);
      count.textContent = `${at + 1} of ${slides.length}`;
      back.disabled = at === 0;
      next.disabled = at === slides.length - 1;
    }
    const turn = (/** @type {number} */ by) => {
      const to = Math.min(slides.length - 1, Math.max(0, at + by));
      if (to === at) return;
      at = to;
      show();
    };
    const press = (/** @type {string} */ key) => {
      if (/^(PageDown|ArrowRight| )$/.test(key)) turn(1);
      else if (/^(PageUp|ArrowLeft)$/.test(key)) turn(-1);
      else return false;
      return true;
    };
    stage.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (key === " " && target instanceof Element && target.closest("button, a")) return;
      if (press(key)) event.preventDefault();
    });
    // A slide's frame has the keys while it has the focus, and hands these on.
    const told = (/** @type {MessageEvent} */ { source, data }) => {
      if (source && source === place.querySelector("iframe")?.contentWindow) press(String(data?.key));
    };
    addEventListener("message", told);
    const left = () => {
      if (!document.fullscreenElement) stage.close();
    };
    stage.addEventListener("close", () => {
      removeEventListener("message", told);
      document.removeEventListener("fullscreenchange", left);
      if (document.fullscreenElement) document.exitFullscreen();
      stage.remove();
    });
    document.body.append(stage);
    show();
    stage.showModal();
    next.focus();
    screen.requestFullscreen?.().then(
      () => document.addEventListener("fullscreenchange", left),
      () => {}, // then it fills the window
    );
  }

  for (const deck of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-deck]"))) {
    /** @type {HTMLElement[]} */
    const entries = [...deck.querySelectorAll(/** @type {any} */ (":scope > ol > li"))];
    const start = make("button", { type: "button" }, "Present these slides");
    start.addEventListener("click", () => present(entries.map(slideOf)));

    const lines = entries
      .map((entry) => {
        const [link, text] = [
          entry.querySelector("a"),
          (entry.textContent ?? "").replace(/\s+/g, " ").trim(),
        ];
        return alone(link?.href ?? "") ? `${link?.getAttribute("href")} ${text}` : text;
      })
      .join("\n");
    const asked = new URLSearchParams(location.search).get("deck");
    const box = make("textarea", { rows: 10, value: asked ?? keeper.read(KEPT) ?? lines, spellcheck: false });
    box.addEventListener("input", () => keeper.keep(KEPT, box.value));
    const status = make("span", {});
    status.setAttribute("role", "status");
    const own = make("button", { type: "button" }, "Present my slides");
    own.addEventListener("click", () => {
      const slides = slidesOf(box.value);
      status.textContent = slides.length ? "" : "There is no slide yet.";
      if (slides.length) present(slides);
    });
    const share = make("button", { type: "button" }, "Copy link to my slides");
    share.addEventListener("click", async () => {
      const link = `${location.href.split(/[?#]/)[0]}?deck=${encodeURIComponent(box.value)}#${fold.id}`;
      try {
        await navigator.clipboard.writeText(link);
        status.textContent = "Link copied.";
      } catch {
        history.replaceState(null, "", link);
        status.textContent = "The link is in the address bar.";
      }
    });
    const reset = make("button", { type: "button" }, "Start from the list above");
    reset.addEventListener("click", () => {
      box.value = lines;
      keeper.keep(KEPT, lines);
    });
    const fold = make(
      "details",
      { className: "deck-own", id: "deck-own", open: asked !== null },
      make("summary", {}, "Slides of your own"),
      make("label", {}, "A line a slide: the address of a figure, and what to say", box),
      make("div", { className: "deck-tools" }, own, share, reset, status),
    );
    deck.prepend(make("div", { className: "deck-tools" }, start));
    deck.append(fold);
  }
})();
