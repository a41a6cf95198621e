// What every page runs first: it draws the explorers without a kernel, then lets the heavy scripts in.
//
// MyST-NB writes each widget's state (the explorer's module `_esm` and style `_css` included) into the page, and a
// view script where it stands. Here is the small part of a widget manager that an anywidget needs: a model and an element.
(() => {
  "use strict";
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

  const states = {};
  for (const script of document.querySelectorAll(STATE)) Object.assign(states, JSON.parse(script.textContent).state);

  // The build writes a text that several widgets share once, and {same_as: id} for the others.
  const text = (id, name) => {
    const value = states[id].state[name];
    return value && value.same_as ? states[value.same_as].state[name] : value;
  };

  const modules = new Map();
  function load(esm) {
    if (!modules.has(esm)) {
      const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
      modules.set(esm, import(url).finally(() => URL.revokeObjectURL(url)).then((module) => module.default));
    }
    return modules.get(esm);
  }

  const styles = new Set();
  function addStyle(css) {
    if (!css || styles.has(css)) return;
    styles.add(css);
    document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  }

  // The model of the anywidget specification. There is no kernel: save_changes and send have no one to speak to.
  function createModel(values) {
    const listeners = [];
    const emit = (event, ...args) => listeners.filter((l) => l.event === event).forEach((l) => l.callback(...args));
    const model = {
      get: (name) => values[name],
      set(name, value) {
        const changes = typeof name === "object" ? name : { [name]: value };
        const changed = Object.keys(changes).filter((key) => values[key] !== changes[key]);
        Object.assign(values, changes);
        for (const key of changed) emit(`change:${key}`, model, values[key]);
        if (changed.length) emit("change", model);
      },
      on: (events, callback) => events.split(/\s+/).forEach((event) => listeners.push({ event, callback })),
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
  const models = new Map();
  async function start(id) {
    if (!states[id]) throw new Error(`the page holds no state for the widget ${id}`);
    addStyle(text(id, "_css"));
    let widget = await load(text(id, "_esm"));
    if (typeof widget === "function") widget = await widget();
    const model = createModel({ ...states[id].state });
    if (widget.initialize) await widget.initialize({ model });
    return { widget, model };
  }

  async function draw(script) {
    const el = Object.assign(document.createElement("div"), { className: "explorer-view" });
    script.after(el);
    try {
      const id = JSON.parse(script.textContent).model_id;
      if (!models.has(id)) models.set(id, start(id));
      const { widget, model } = await models.get(id);
      await widget.render({ model, el });
    } catch (error) {
      const note = Object.assign(document.createElement("p"), { className: "explorer-error" });
      note.setAttribute("role", "alert");
      note.textContent = `This interactive figure could not start (${error.message || error}).`;
      el.replaceChildren(note);
      console.error(error);
    }
  }

  // The build has turned all other scripts into type="text/late". They run in their order, inline ones included.
  function loadLate() {
    let last;
    for (const late of document.querySelectorAll('script[type="text/late"]')) {
      const script = document.createElement("script");
      for (const { name, value } of late.attributes) if (!["type", "data-src"].includes(name)) script.setAttribute(name, value);
      const inline = () => URL.createObjectURL(new Blob([late.textContent], { type: "text/javascript" }));
      script.async = false;
      script.src = late.dataset.src || inline();
      late.replaceWith(script);
      last = script;
    }
    last?.addEventListener("load", () => Promise.resolve(window.MathJax?.startup?.promise).then(loadPictures));
  }

  // Pictures come when they are near. When all else is done the rest come too, for paper, which has no scrolling.
  function loadPictures() {
    if (navigator.connection?.saveData) return;
    for (const picture of document.querySelectorAll("img[loading=lazy]")) if (picture.checkVisibility()) picture.loading = "eager";
  }

  // Paper is white, whatever the screen is, and nothing on it can be opened by hand.
  const root = document.documentElement;
  let restore = () => {};
  addEventListener("beforeprint", () => {
    const theme = root.dataset.theme;
    const closed = [...document.querySelectorAll("details:not([open])")];
    root.dataset.theme = "light";
    for (const details of closed) details.open = true;
    restore = () => {
      root.dataset.theme = theme;
      for (const details of closed) details.open = false;
    };
  });
  addEventListener("afterprint", () => restore());

  Promise.all([...document.querySelectorAll(VIEW)].map(draw)).then(loadLate);
})();
