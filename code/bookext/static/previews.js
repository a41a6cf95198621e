// @ts-check
// A reference shows what it leads to while it is pointed at or has the focus; Escape closes it. The texts come with the
// first one, in `_static/previewed.js`, which the build writes.
(() => {
  "use strict";
  const WAIT = 250; // ms, so that nothing opens on the way to something else
  const GRACE = 150; // ms to get from the reference to its preview
  const GAP = 6; // px
  const MARGIN = 8; // px to the window's edge

  const article = document.querySelector(".bd-article");
  if (!article || !("showPopover" in HTMLElement.prototype)) return;
  const root = new URL(document.documentElement.dataset.content_root ?? "", location.href).href;
  /** The address as the texts have it, from the site's root. */
  const addressOf = (/** @type {HTMLAnchorElement} */ link) =>
    link.href.replace(/\?[^#]*/, "").replace(root, "");

  /** @type {Promise<void> | undefined} */
  let texts;
  const load = () =>
    (texts ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `${root}_static/previewed.js`;
      script.onload = () => done();
      script.onerror = failed;
      document.head.append(script);
    }));

  const card = document.createElement("div");
  card.id = "preview";
  card.className = "preview";
  card.setAttribute("role", "tooltip");
  card.popover = "manual";
  article.append(card);

  /** @type {HTMLAnchorElement | null} */
  let owner = null; // the reference that is previewed, or will be
  let opening = 0;
  let closing = 0;

  /** Below the reference, or above it where there is more room. */
  function place(/** @type {HTMLAnchorElement} */ link) {
    const rects = link.getClientRects();
    const { left, top, bottom } = rects[rects.length - 1];
    const above = innerHeight - bottom < card.offsetHeight + GAP + MARGIN && top > innerHeight - bottom;
    card.style.maxHeight = `${(above ? top : innerHeight - bottom) - GAP - MARGIN}px`;
    card.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - card.offsetWidth - MARGIN))}px`;
    card.style.top = `${above ? top - GAP - card.offsetHeight : bottom + GAP}px`;
  }

  function close() {
    clearTimeout(opening);
    clearTimeout(closing);
    owner?.removeAttribute("aria-describedby");
    owner = null;
    if (!card.matches(":popover-open")) return;
    card.hidePopover();
    card.replaceChildren();
  }

  async function open(/** @type {HTMLAnchorElement} */ link) {
    await load();
    const text = PREVIEWS[addressOf(link)];
    if (link !== owner || !text) return;
    card.innerHTML = text;
    card.style.maxHeight = "";
    card.showPopover();
    place(link);
    link.removeAttribute("title"); // the browser's own would lie over it
    link.setAttribute("aria-describedby", card.id);
  }

  const isOurs = (/** @type {EventTarget | null} */ target) =>
    target instanceof Node && owner !== null && (card.contains(target) || owner.contains(target));

  function soon(/** @type {EventTarget | null} */ target, /** @type {number} */ wait) {
    const link = target instanceof Element ? target.closest("a.internal[href*='#']") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    close();
    owner = link;
    opening = window.setTimeout(() => open(link).catch(close), wait);
  }

  article.addEventListener("pointerover", (event) => {
    const { pointerType, target } = /** @type {PointerEvent} */ (event);
    if (isOurs(target)) clearTimeout(closing);
    else if (pointerType !== "touch") soon(target, WAIT); // a finger follows the reference
  });
  article.addEventListener("pointerout", (event) => {
    const { relatedTarget } = /** @type {PointerEvent} */ (event);
    if (!owner || isOurs(relatedTarget) || owner.matches(":focus-visible")) return;
    clearTimeout(closing);
    closing = window.setTimeout(close, GRACE);
  });
  article.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(":focus-visible")) soon(target, 0);
  });
  article.addEventListener("focusout", close);
  addEventListener("keydown", ({ key }) => key === "Escape" && close(), true);
  const scrolled = (/** @type {Event} */ { target }) => {
    if (target !== card && card.matches(":popover-open")) close();
  };
  addEventListener("scroll", scrolled, { capture: true, passive: true });
})();
