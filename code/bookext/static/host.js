// @ts-check
// What every page runs first: it draws the explorers without a kernel, then lets the heavy scripts in. It may run while
// the page is still being read: the first explorer is drawn as soon as the parser has passed it.
//
// MyST-NB writes each widget's state (the explorer's module `_esm` and style `_css` included) into the page, and a
// view script where it stands. Here is the part of a widget manager that an anywidget needs where there is no kernel:
//
// - an `_esm` that is a text, not an address; its default export is a widget or a function that returns one, at once or
//   later; `initialize({ model })` once for each widget, `render({ model, el })` once for each of its views;
// - a `_css` that is a text, once for each page;
// - of the model `get`, `set` with a name or an object, `on`, `off`, and the events "change" and "change:NAME";
//   `save_changes` and `send` do nothing, for there is no one to speak to.
//
// Beyond the contract, `render` is told the `nth` of its module that this view is on the page: by that a widget can
// have a name in the page's address; a page that has the widget alone says which it was. An address whose fragment a
// widget has made brings it into view.
//
// Left out of anywidget's contract: "msg:custom", `widget_manager`, binary traits, `experimental`, and replacement of
// modules while they run. What `render` and `initialize` return to clean up is not called: no view leaves a page before
// the page itself goes.
(() => {
  "use strict";
  const root = document.documentElement;
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  /** @typedef {Record<string, any>} Values */
  /** @typedef {{ event: string, callback: (...args: any[]) => void }} Listener */
  /** @typedef {ReturnType<typeof createModel>} Model */
  /**
   * @typedef {object} Widget
   * @property {(context: { model: Model }) => unknown} [initialize]
   * @property {(context: { model: Model, el: HTMLElement, nth: number }) => unknown} render
   */

  /** @type {Record<string, { state: Values }>} */
  const states = {};

  /**
   * The build writes a text that several widgets share once, and {same_as: id} for the others; so it does with the
   * pieces of a text, which is then a list.
   * @param {string} id
   * @param {string} name
   * @returns {string | undefined}
   */
  const text = (id, name) => {
    const value = states[id].state[name];
    if (value?.same_as) return text(value.same_as, name);
    const whole = (/** @type {any} */ part) =>
      part.same_as ? states[part.same_as].state[name][part.piece] : part;
    return Array.isArray(value) ? value.map(whole).join("") : value;
  };

  /** @type {Map<string, Promise<Widget | (() => Widget | Promise<Widget>)>>} */
  const modules = new Map();
  /** @param {string} esm */
  function load(esm) {
    const known = modules.get(esm);
    if (known) return known;
    const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    const module = import(url).finally(() => URL.revokeObjectURL(url)).then((loaded) => loaded.default);
    modules.set(esm, module);
    return module;
  }

  const styles = new Set();
  /** @param {string | undefined} css */
  function addStyle(css) {
    if (!css || styles.has(css)) return;
    styles.add(css);
    document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  }

  /** @param {Values} values */
  function createModel(values) {
    /** @type {Listener[]} */
    const listeners = [];
    const emit = (/** @type {string} */ event, /** @type {unknown[]} */ ...args) =>
      listeners.filter((l) => l.event === event).forEach((l) => l.callback(...args));
    const model = {
      get: (/** @type {string} */ name) => values[name],
      /**
       * @param {string | Values} name
       * @param {unknown} [value]
       */
      set(name, value) {
        const changes = typeof name === "object" ? name : { [name]: value };
        const changed = Object.keys(changes).filter((key) => values[key] !== changes[key]);
        Object.assign(values, changes);
        for (const key of changed) emit(`change:${key}`, model, values[key]);
        if (changed.length) emit("change", model);
      },
      on(/** @type {string} */ events, /** @type {Listener["callback"]} */ callback) {
        for (const event of events.split(/\s+/)) listeners.push({ event, callback });
      },
      /**
       * @param {string | null} [events]
       * @param {Listener["callback"] | null} [callback]
       */
      off(events, callback) {
        const named = events ? events.split(/\s+/) : null;
        for (let i = listeners.length - 1; i >= 0; i--) {
          const { event, callback: own } = listeners[i];
          if ((!named || named.includes(event)) && (!callback || callback === own)) listeners.splice(i, 1);
        }
      },
      save_changes() {},
      send() {},
    };
    return model;
  }

  // Two views of one widget move together, so the model is made once.
  /** @type {Map<string, Promise<{ widget: Widget, model: Model }>>} */
  const models = new Map();
  /** @param {string} id */
  async function start(id) {
    if (!states[id]) throw new Error(`the page holds no state for the widget ${id}`);
    addStyle(text(id, "_css"));
    const module = await load(text(id, "_esm") ?? "");
    const widget = typeof module === "function" ? await module() : module;
    const model = createModel({ ...states[id].state });
    if (widget.initialize) await widget.initialize({ model });
    return { widget, model };
  }

  /** @type {Map<string | undefined, number>} */
  const views = new Map();
  /** @param {Element} script */
  async function draw(script) {
    const el = Object.assign(document.createElement("div"), { className: "explorer-view" });
    script.after(el);
    try {
      const { model_id: id, nth: told } = JSON.parse(script.textContent);
      const esm = states[id] && text(id, "_esm");
      const nth = told ?? (views.get(esm) ?? 0) + 1;
      views.set(esm, nth);
      const started = models.get(id) ?? start(id);
      models.set(id, started);
      const { widget, model } = await started;
      await widget.render({ model, el, nth });
    } catch (error) {
      const note = Object.assign(document.createElement("p"), { className: "explorer-error" });
      note.setAttribute("role", "alert");
      note.textContent = `This interactive figure could not start (${error instanceof Error ? error.message : error}).`;
      el.replaceChildren(note);
      console.error(error);
    }
  }

  // The browser has looked for the address's fragment before there was an explorer. Who comes back to a page finds the
  // place that was left.
  function showNamed() {
    const named = document.getElementById(location.hash.slice(1));
    const [visit] = performance.getEntriesByType("navigation");
    if (!named?.closest(".explorer-view") || /** @type {any} */ (visit)?.type !== "navigate") return;
    for (let at = named.closest("details"); at; at = at.parentElement?.closest("details") ?? null) {
      at.open = true;
    }
    named.scrollIntoView();
  }

  // The build has turned all other scripts into type="text/late". They run in their order, inline ones included.
  function loadLate() {
    /** @type {HTMLScriptElement | undefined} */
    let last;
    /** @type {NodeListOf<HTMLScriptElement>} */
    const scripts = document.querySelectorAll('script[type="text/late"]');
    for (const late of scripts) {
      const script = document.createElement("script");
      for (const { name, value } of late.attributes) {
        if (!["type", "data-src"].includes(name)) script.setAttribute(name, value);
      }
      const inline = () => URL.createObjectURL(new Blob([late.textContent], { type: "text/javascript" }));
      script.async = false;
      script.src = late.dataset.src || inline();
      late.replaceWith(script);
      last = script;
    }
    last?.addEventListener("load", loadPictures);
  }

  // Pictures come when they are near. When all else is done the rest come too, for paper, which has no scrolling.
  function loadPictures() {
    if (navigator.connection?.saveData) return;
    /** @type {NodeListOf<HTMLImageElement>} */
    const pictures = document.querySelectorAll("img[loading=lazy]");
    for (const picture of pictures) {
      if (picture.checkVisibility()) picture.loading = "eager";
    }
  }

  // Paper is white, whatever the screen is, and nothing on it can be opened by hand.
  let restore = () => {};
  addEventListener("beforeprint", () => {
    const theme = root.dataset.theme;
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const closed = document.querySelectorAll("details:not([open])");
    root.dataset.theme = "light";
    for (const details of closed) details.open = true;
    restore = () => {
      root.dataset.theme = theme;
      for (const details of closed) details.open = false;
    };
  });
  addEventListener("afterprint", () => restore());

  const parsed = new Promise((/** @type {(value?: unknown) => void} */ done) => {
    if (document.readyState !== "loading") done();
    else document.addEventListener("DOMContentLoaded", done);
  });

  // The page's first view, once what follows it has begun; the build puts all states before it.
  const first = new Promise((/** @type {(view: Element | null) => void} */ found) => {
    const look = () => {
      const view = document.querySelector(VIEW);
      if (!view?.nextSibling && document.readyState === "loading") return;
      observer.disconnect();
      found(view);
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
    parsed.then(look);
    look();
  });

  // A drawing asks how much room there is, which no page knows without its style sheet.
  const styled = new Promise((/** @type {(value?: unknown) => void} */ done) => {
    /** @type {HTMLLinkElement | null} */
    const link = document.querySelector("link[rel=stylesheet]");
    if (!link || link.sheet) return done();
    link.addEventListener("load", done);
    link.addEventListener("error", done);
  });

  // The first of the page can be used before the others are started.
  Promise.all([first, styled])
    .then(async ([view]) => {
      for (const script of document.querySelectorAll(STATE)) {
        Object.assign(states, JSON.parse(script.textContent).state);
      }
      if (view) await draw(view);
      await parsed;
      const others = [...document.querySelectorAll(VIEW)].filter((script) => script !== view);
      await Promise.all(others.map(draw));
    })
    .then(showNamed)
    .then(loadLate);
})();
