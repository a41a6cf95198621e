// @ts-check
// What can be taken away from a figure that moves: a link to what it shows, a page of its own to be framed
// elsewhere, a picture, and the whole screen. One menu under each; on a page that has a figure alone
// (finish/embeds.py), the menu, and type as large as there is room.
//
// An explorer says what it is called (`id="explorer-NAME"`), how an address asks for what it shows
// (`data-link`), and what that is (`data-values`). Its drawings are the SVGs and canvases in it that are in no
// form.
(() => {
  "use strict";
  const FACE = new URL("face.js", /** @type {HTMLScriptElement} */ (document.currentScript).src).href; // and its bold
  const LARGEST = 3;
  const COMPLETE = " This page is open from a disk: before the address in it, put that of the site.";
  const back = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-back]"));
  const backTo = back?.href.split(/[?#]/)[0];

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
  const frame = () => new Promise(requestAnimationFrame);

  // ---- addresses ----

  const nameOf = (/** @type {HTMLElement} */ root) => root.id.replace(/^explorer-/, "");
  const queryOf = (/** @type {HTMLElement} */ root) => (root.dataset.link ? `?${root.dataset.link}` : "");
  const here = () => location.href.split(/[?#]/)[0];
  const linkTo = (/** @type {HTMLElement} */ root) =>
    back ? `${here()}${queryOf(root)}` : `${here()}${queryOf(root)}#${root.id}`;
  const aloneFrom = (/** @type {string} */ page, /** @type {HTMLElement} */ root) =>
    `${page.replace(/\.html$|\/$/, "")}/${encodeURIComponent(nameOf(root))}.html${queryOf(root)}`;
  const aloneAt = (/** @type {HTMLElement} */ root) => (back ? linkTo(root) : aloneFrom(here(), root));

  // What another site frames cannot be on this computer's disk: the page's published address or, if it has none, the
  // part of it that is the same wherever the book is.
  const fromDisk = location.protocol === "file:";
  const published = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
    ?.href;
  const incomplete = fromDisk && !published;
  /** @param {HTMLElement} root */
  function framedAt(root) {
    const page = backTo ?? here();
    const top = new URL(document.documentElement.dataset.content_root || "./", location.href).href;
    return aloneFrom(fromDisk ? (published ?? page.slice(top.length)) : page, root);
  }

  /**
   * @param {HTMLElement} root
   * @param {() => void} does
   */
  const onNewLink = (root, does) =>
    new MutationObserver(does).observe(root, { attributes: true, attributeFilter: ["data-link"] });

  /** @param {string} text */
  const quoted = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  /** @param {HTMLElement} root */
  function frameOf(root) {
    const title = quoted(root.getAttribute("aria-label") ?? nameOf(root));
    // Room for its heading, what is said of it and the way back, in the larger type of a page of its own.
    const height = Math.ceil((1.2 * root.offsetHeight + 230) / 10) * 10;
    const looks = `width="100%" height="${height}" style="border:0" loading="lazy" allow="fullscreen"`;
    return `<iframe src="${quoted(framedAt(root))}" title="${title}" ${looks}></iframe>`;
  }

  // ---- pictures ----

  // What a drawing takes from style sheets and a picture has to say itself, with what it is where nobody says anything.
  const SAID = {
    fill: "rgb(0, 0, 0)",
    "fill-opacity": "1",
    stroke: "none",
    "stroke-opacity": "1",
    "stroke-width": "1px",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "text-anchor": "start",
    "font-family": "",
    "font-size": "",
    "font-style": "normal",
    "font-weight": "400",
  };
  const CLEAR = /^none$|^transparent$|, 0\)$|\/ 0\)$/;

  /** The first of some faces, and the kind of the last: the others are there until the first has come. */
  const faces = (/** @type {string} */ families) => {
    const all = families.split(",").map((face) => face.trim());
    return [...new Set([all[0], all[all.length - 1]])].join(", ");
  };

  /**
   * A drawing with its colors and lines in itself, without what is not to be seen.
   * @param {Element} of
   * @param {Record<string, string>} around what the element around it says
   * @returns {Element | null}
   */
  function settled(of, around) {
    const look = getComputedStyle(of);
    if (look.display === "none") return null;
    const copy = /** @type {Element} */ (of.cloneNode(false));
    for (const { name } of [...copy.attributes]) {
      if (/^(class|style|role|tabindex|(data|aria)-.*)$/.test(name)) copy.removeAttribute(name);
    }
    /** @type {Record<string, string>} */
    const said = {};
    for (const property of Object.keys(SAID)) {
      const value = look.getPropertyValue(property);
      said[property] = property === "font-family" ? faces(value) : value;
      if (said[property] !== around[property]) copy.setAttribute(property, said[property]);
    }
    for (const property of of.tagName === "stop" ? ["stop-color", "stop-opacity"] : []) {
      copy.setAttribute(property, look.getPropertyValue(property));
    }
    if (look.opacity !== "1") copy.setAttribute("opacity", look.opacity);
    if (look.transform !== "none" && !of.hasAttribute("transform")) {
      copy.setAttribute("transform", look.transform);
    }
    for (const child of of.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) copy.append(child.cloneNode());
      else if (child instanceof Element) {
        const inside = settled(child, said);
        // Many programs draw an outline above its letters; so it is there as letters of its own, below them.
        if (inside?.tagName === "text" && getComputedStyle(child).paintOrder.startsWith("stroke")) {
          const below = /** @type {Element} */ (inside.cloneNode(true));
          below.setAttribute("aria-hidden", "true");
          copy.append(below);
          for (const part of [inside, ...inside.querySelectorAll("*")]) part.setAttribute("stroke", "none");
        }
        if (inside) copy.append(inside);
      }
    }
    const shape = /^(path|line|circle|rect|ellipse|polygon|polyline)$/.test(of.tagName);
    if (shape && (look.visibility === "hidden" || (CLEAR.test(look.fill) && CLEAR.test(look.stroke)))) {
      return null;
    }
    return copy;
  }

  /**
   * What an explorer shows now, as an SVG that needs nothing else.
   * @param {HTMLElement} root
   */
  async function picture(root) {
    const faces = await facesOf();
    const zoom = /** @type {any} */ (root).currentCSSZoom || 1;
    /** @type {(SVGSVGElement | HTMLCanvasElement)[]} */
    const drawings = [...root.querySelectorAll(/** @type {any} */ ("svg, canvas"))].filter(
      (drawing) => !drawing.closest("form") && drawing.checkVisibility({ visibilityProperty: true }),
    );
    const boxes = drawings.map((drawing) => drawing.getBoundingClientRect());
    const margin = 14;
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const wide = (Math.max(...boxes.map((box) => box.right)) - left) / zoom + 2 * margin;
    const high = (Math.max(...boxes.map((box) => box.bottom)) - top) / zoom + 2 * margin;
    const rounded = (/** @type {number} */ x) => String(Math.round(x * 100) / 100);

    const space = "http://www.w3.org/2000/svg";
    const put = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes, text = "") => {
      const made = document.createElementNS(space, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      made.textContent = text;
      return made;
    };
    const size = { width: rounded(wide), height: rounded(high) };
    const whole = put("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "img" });
    const told = drawings.map((drawing) => drawing.getAttribute("aria-label") ?? "").filter(Boolean);
    const style = put("style", {});
    whole.append(
      put("title", {}, root.getAttribute("aria-label") ?? ""),
      put("desc", {}, told.join(" ")),
      put("metadata", {}, `${queryOf(root)}#${root.id} ${root.dataset.values ?? ""}`),
      style,
      put("rect", { ...size, fill: getComputedStyle(root).backgroundColor }),
    );
    drawings.forEach((drawing, n) => {
      const place = {
        x: rounded((boxes[n].left - left) / zoom + margin),
        y: rounded((boxes[n].top - top) / zoom + margin),
        width: rounded(boxes[n].width / zoom),
        height: rounded(boxes[n].height / zoom),
      };
      if (drawing instanceof HTMLCanvasElement) {
        const rendering = getComputedStyle(drawing).imageRendering;
        const looks = { preserveAspectRatio: "none", style: `image-rendering:${rendering}` };
        whole.append(put("image", { ...place, ...looks, href: drawing.toDataURL() }));
        return;
      }
      const inside = settled(drawing, SAID);
      if (!inside) return;
      for (const [name, value] of Object.entries({ ...place, overflow: "visible" })) {
        inside.setAttribute(name, value);
      }
      whole.append(inside);
    });
    const weights = [
      "400",
      ...[...whole.querySelectorAll("[font-weight]")].map((one) => one.getAttribute("font-weight") ?? ""),
    ];
    style.textContent = [...new Set(weights)].map((weight) => faces[weight] ?? "").join("");
    return { text: new XMLSerializer().serializeToString(whole), wide, high };
  }

  /** The faces of the letters, a rule by weight: a page reads no font from a disk, but runs a script from there. */
  const facesOf = () =>
    new Promise((/** @type {(rules: Record<string, string>) => void} */ done) => {
      const found = () => done(/** @type {any} */ (globalThis).FIGURE_FACES ?? {});
      if (/** @type {any} */ (globalThis).FIGURE_FACES) return found();
      const script = make("script", { src: FACE, onload: found, onerror: found });
      document.head.append(script);
    });

  /**
   * @param {Blob} what
   * @param {string} name
   */
  function save(what, name) {
    const link = make("a", { href: URL.createObjectURL(what), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** @param {HTMLElement} root */
  const fileName = (root) => {
    const parts = decodeURIComponent((backTo ?? here()).split("/").pop() ?? "").replace(/\.html$/, "");
    return `${parts}-${nameOf(root)}`;
  };

  /** @param {HTMLElement} root */
  async function savePng(root) {
    const { text, wide, high } = await picture(root);
    const image = make("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
    await image.decode();
    const scale = Math.max(2, Math.min(4, 1920 / wide));
    const canvas = make("canvas", { width: Math.round(wide * scale), height: Math.round(high * scale) });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((/** @type {BlobCallback} */ done) => canvas.toBlob(done, "image/png"));
    if (!made) throw new Error("no picture was made");
    save(made, `${fileName(root)}.png`);
  }

  // ---- large type ----

  /**
   * Makes what is in a place as large as fits into it; where there is room for a class, large even if it has to scroll.
   * @param {HTMLElement} box
   * @param {Element} place
   */
  async function fit(box, place) {
    const least = place.clientWidth < 1200 ? 1 : 1.25;
    for (let zoom = Math.min(LARGEST, place.clientWidth / 760); ; zoom *= 0.93) {
      zoom = Math.max(least, zoom);
      box.style.setProperty("zoom", zoom > 1 ? String(zoom) : "");
      await frame();
      await frame(); // drawings follow their width in the next
      if (zoom <= least || place.scrollHeight <= place.clientHeight + 1) return;
    }
  }
  document.addEventListener("fullscreenchange", async () => {
    const view = document.fullscreenElement;
    for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-large]"))) {
      delete root.dataset.large;
      root.style.removeProperty("zoom");
    }
    const root = /** @type {HTMLElement | null} */ (view?.querySelector(":scope > [data-explorer]"));
    if (!view || !root) return;
    root.dataset.large = "";
    await fit(root, view);
  });

  // ---- the menu ----

  /**
   * What the page says below a figure of the theorems that it shows, which is in the menu; paper has it below.
   * @param {HTMLElement} view
   */
  function theorems(view) {
    const said = view.closest(".cell")?.nextElementSibling;
    return said?.matches(".in-motion") ? [said.cloneNode(true)] : [];
  }

  /** @param {HTMLElement} root */
  function addMenu(root) {
    const view = /** @type {HTMLElement} */ (root.parentElement);
    const status = make("span", {});
    status.setAttribute("role", "status");
    const field = make("input", { readOnly: true, hidden: true });
    const say = (/** @type {string} */ words) => {
      status.textContent = words;
      field.hidden = true;
    };
    const copy = async (/** @type {string} */ text, /** @type {string} */ what, then = "") => {
      try {
        await navigator.clipboard.writeText(text);
        say(`${what} copied.${then}`);
      } catch {
        // No clipboard here, or no leave to write to it.
        say(`Copy this:${then}`);
        Object.assign(field, { value: text, hidden: false });
        field.setAttribute("aria-label", what);
        field.select();
      }
    };
    const button = (/** @type {string} */ words, /** @type {() => unknown} */ does) => {
      const made = make("button", { type: "button" }, words);
      made.addEventListener("click", async () => {
        try {
          await does();
        } catch (error) {
          say(`That did not work here: ${error instanceof Error ? error.message : error}`);
        }
      });
      return made;
    };
    const alone = make("a", { target: "_blank", rel: "noopener" }, "Open alone");
    const saved = (/** @type {string} */ kind) =>
      say(
        root.dataset.state === "asking"
          ? `Saved as ${kind}, without what its question hides: answer it, or press Show me, to save all of it.`
          : `Saved as ${kind}.`,
      );
    const picked = async () => {
      const { text } = await picture(root);
      save(new Blob([text], { type: "image/svg+xml" }), `${fileName(root)}.svg`);
      saved("SVG");
    };
    const large = button("Full screen", async () => {
      menu.open = false;
      if (document.fullscreenElement) return document.exitFullscreen();
      await (back ? document.documentElement : view).requestFullscreen();
    });
    const items = make(
      "div",
      { className: "figure-menu-items" },
      button("Copy link", () => copy(linkTo(root), "Link to what this figure shows")),
      button("Copy embed code", () => copy(frameOf(root), "Embed code", incomplete ? COMPLETE : "")),
      ...(back ? [] : [alone]),
      button("Save SVG", picked),
      button("Save PNG", async () => {
        await savePng(root);
        saved("PNG");
      }),
      ...(document.fullscreenEnabled ? [large] : []),
      status,
      field,
    );
    const summary = make("summary", {}, "Use this figure");
    summary.setAttribute("aria-label", `Use this figure: ${root.getAttribute("aria-label") ?? nameOf(root)}`);
    const menu = make("details", { className: "figure-menu" }, summary, items, ...theorems(view));
    menu.addEventListener("toggle", () => {
      large.textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
      alone.href = aloneAt(root);
      say("");
    });
    onNewLink(root, () => {
      if (menu.open) alone.href = aloneAt(root);
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      menu.open = false;
      summary.focus();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !menu.contains(target)) menu.open = false;
    });
    menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
    });
    view.append(menu);
  }

  /** @type {NodeListOf<HTMLElement>} */
  const roots = document.querySelectorAll(".explorer-view > [data-explorer][id]");
  roots.forEach(addMenu);

  // ---- a page that has a figure alone ----

  const main = document.querySelector("main");
  if (!back || !main) return;
  document.body.toggleAttribute("data-slide", location.hash === "#slide"); // what is said of it is around it
  const follow = () => {
    const [root] = roots;
    back.href = `${backTo}${queryOf(root)}#${root.id}`;
  };
  for (const root of roots) {
    onNewLink(root, follow);
    follow();
  }
  const enlarge = () => fit(main, document.documentElement);
  enlarge();
  addEventListener("resize", enlarge);
  // Keys that turn the pages of a talk go to the page around this one, if it is one of those.
  addEventListener("keydown", ({ key, target, ctrlKey, altKey, metaKey }) => {
    const busy =
      target instanceof Element && target.closest("input, button, select, textarea, summary, [tabindex]");
    const turns = /^Page(Up|Down)$/.test(key) || (!busy && /^(Arrow(Left|Right)| )$/.test(key));
    if (window.parent === window || !turns || ctrlKey || altKey || metaKey) return;
    window.parent.postMessage({ key }, "*");
  });
})();
