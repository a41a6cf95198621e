// @ts-check
// The buttons that run a page's cells, and the places to type answers to exercises. `make live` puts this
// into a page.
//
// Nothing else is loaded before a button is pressed; then `worker.js` loads Python. A cell runs with those
// above it that it needs, as their texts now are, so that a worker that was stopped is replaced by a new one
// without a loss.
(() => {
  "use strict";

  /**
   * @typedef {object} Shown
   * @property {"text" | "error" | "svg" | "math" | "right" | "wrong"} kind
   * @property {string} text
   * @property {string} tex
   */
  /**
   * @typedef {object} Place  a cell, or the answer to an exercise
   * @property {number} at  how many cells are above it
   * @property {string} label  the label of the exercise; empty for a cell
   * @property {() => string} text
   * @property {HTMLButtonElement} run
   * @property {HTMLButtonElement} stop
   * @property {HTMLButtonElement} reset
   * @property {HTMLElement} status
   * @property {HTMLElement} output
   * @property {HTMLElement | null} printed  what the build printed
   * @property {(line: number) => void} goTo
   * @property {() => Promise<Given | null>} [given]  the reader's file, for a program that asks for one
   */
  /**
   * @typedef {object} Given
   * @property {string} name
   * @property {Uint8Array} bytes
   */

  const data = JSON.parse(document.getElementById("live-data")?.textContent ?? "{}");
  const FROM_DISK =
    "A browser runs Python only on a page that comes from a server: in the book's folder, " +
    "run “python -m http.server”, and open http://localhost:8000.";

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Record<string, unknown>} [properties]
   * @param {...(string | Node)} inside
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  const make = (tag, properties = {}, ...inside) => {
    const made = document.createElement(tag);
    Object.assign(made, properties);
    made.append(...inside);
    return made;
  };

  /** Between backticks is program text, and between stars what is stressed. */
  const marked = (/** @type {string} */ text) =>
    text.split(/(`[^`]+`|\*[^*`]+\*)/).map((part) => {
      const tag = part.startsWith("`") ? "code" : part.startsWith("*") ? "em" : "";
      return tag ? make(tag, {}, part.slice(1, -1)) : part;
    });

  /** @type {HTMLElement[]} */
  const elements = [...document.querySelectorAll(".bd-article .cell")].filter(
    (element) => element instanceof HTMLElement,
  );
  const sources = elements.map((element) => element.querySelector(".cell_input pre"));
  /** @type {(HTMLTextAreaElement | undefined)[]} */
  const editors = elements.map(() => undefined);
  const textOf = (/** @type {number} */ n) =>
    editors[n]?.value ?? (sources[n]?.textContent ?? "").replace(/\n$/, "");

  // ---- what was typed is there again after the page was loaded anew, in the same tab ----

  /**
   * @param {string} name  of the place, in this page
   * @param {string} original  what is there to begin with: another one, and what was typed belongs to no more
   */
  function draftOf(name, original) {
    const key = `live ${location.pathname} ${name}`;
    /** @param {(storage: Storage) => string | null | void} use */
    const stored = (use) => {
      try {
        return use(sessionStorage) ?? null;
      } catch {
        return null; // a browser may refuse to keep anything
      }
    };
    const found = stored((storage) => storage.getItem(key));
    const [before, text] = found ? JSON.parse(found) : [];
    return {
      text: before === original && text !== original ? /** @type {string} */ (text) : null,
      keep: (/** @type {string} */ typed) => {
        stored((storage) => storage.setItem(key, JSON.stringify([original, typed])));
      },
    };
  }

  // ---- an editor: Tab moves on, as everywhere on the page; Enter indents like the line above ----

  /**
   * @param {string} text
   * @param {string} name
   * @param {() => void} run
   */
  function makeEditor(text, name, run) {
    const editor = make("textarea", { className: "live-editor", value: text, spellcheck: false });
    editor.setAttribute("aria-label", name);
    editor.setAttribute("autocapitalize", "off");
    editor.setAttribute("autocomplete", "off");
    const fit = () => {
      editor.rows = Math.max(2, editor.value.split("\n").length);
    };
    editor.addEventListener("input", fit);
    editor.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.shiftKey) {
        run();
        return;
      }
      const line = editor.value.slice(0, editor.selectionStart).split("\n").at(-1) ?? "";
      const indent = /^ */.exec(line)?.[0] ?? "";
      insert(editor, `\n${indent}${line.trimEnd().endsWith(":") ? "    " : ""}`);
    });
    fit();
    return editor;
  }

  /** As if typed: the browser's undo knows of it. */
  function insert(/** @type {HTMLTextAreaElement} */ editor, /** @type {string} */ text) {
    if (!document.execCommand("insertText", false, text)) {
      editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, "end");
      editor.dispatchEvent(new Event("input"));
    }
  }

  /** Put the cursor on a line. */
  function select(/** @type {HTMLTextAreaElement} */ editor, /** @type {number} */ line) {
    const lines = editor.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    editor.focus();
    editor.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }

  // ---- the worker ----

  /** @type {Worker | undefined} */
  let worker;
  /** @type {Place | undefined} */
  let busy;
  let runs = 0;

  function startWorker() {
    const made = new Worker(data.worker);
    made.addEventListener("message", ({ data: message }) => {
      if (!busy || made !== worker) return;
      if (message.progress) {
        say(busy, `${message.progress} …`);
      } else if (message.number === runs) {
        const place = busy;
        finish();
        if (message.failed) fail(place, message.failed, message.started);
        else show(place, message);
      }
    });
    made.addEventListener("error", (event) => {
      event.preventDefault();
      const place = busy;
      if (!place || made !== worker) return;
      finish();
      fail(place, event.message || "its program is not there");
    });
    return made;
  }

  function say(/** @type {Place} */ place, /** @type {string} */ text) {
    if (place.status.textContent !== text) place.status.textContent = text;
  }

  function finish() {
    if (!busy) return;
    busy.run.disabled = false;
    if (document.activeElement === busy.stop) busy.run.focus();
    busy.stop.hidden = true;
    busy = undefined;
  }

  /**
   * @param {Place} place
   * @param {string} reason
   * @param {boolean} [started]  whether Python ran before
   */
  function fail(place, reason, started) {
    worker?.terminate();
    worker = undefined;
    const words = started
      ? `Python broke down (${reason}). The next run starts it again.`
      : `Python could not be loaded (${reason}). Try again, or reload the page.`;
    say(place, words);
  }

  async function run(/** @type {Place} */ place) {
    if (location.protocol === "file:") {
      say(place, FROM_DISK);
      return;
    }
    if (busy) {
      say(place, "Another program is running: wait for it, or stop it.");
      return;
    }
    busy = place;
    const given = place.given ? await place.given() : undefined;
    if (busy !== place) return; // stopped meanwhile
    if (given === null) {
      busy = undefined;
      say(place, "There is no file yet: choose one, or type.");
      return;
    }
    runs += 1;
    const number = runs;
    const hadFocus = document.activeElement === place.run;
    place.stop.hidden = false;
    place.run.disabled = true;
    if (hadFocus) place.stop.focus();
    say(place, worker ? "Running …" : "Loading Python …");
    try {
      if (!worker) {
        const answer = await fetch(data.settings);
        if (!answer.ok) throw new Error(`${answer.status} for ${data.settings}`);
        const settings = await answer.json();
        if (number !== runs || !busy) return; // stopped meanwhile
        worker = startWorker();
        const whole = (/** @type {string} */ name) =>
          new URL(name, new URL(data.settings, location.href)).href;
        Object.assign(settings, { folder: whole(settings.folder), book: whole(settings.book) });
        worker.postMessage({ settings });
      }
      const cells = given
        ? [`FILE = ${JSON.stringify(given.name)}`]
        : elements.slice(0, place.at).map((_, n) => textOf(n));
      const asked = { cells: [...cells, place.text()], target: cells.length, label: place.label };
      worker.postMessage({ number, asked: { ...asked, file: given?.name ?? "" }, bytes: given?.bytes });
    } catch (error) {
      finish();
      fail(place, error instanceof Error ? error.message : String(error));
    }
  }

  function stop(/** @type {Place} */ place) {
    worker?.terminate();
    worker = undefined;
    finish();
    say(place, "Stopped. The next run starts Python again.");
  }

  // ---- what came of it ----

  /**
   * @param {Place} place
   * @param {{ ok: boolean, line: number | null, shown: Shown[], versions: string }} outcome
   */
  function show(place, { ok, line, shown, versions }) {
    if (place.printed) place.printed.hidden = true;
    const pieces = shown.filter(({ kind }) => kind !== "right" && kind !== "wrong").map(drawn);
    place.output.replaceChildren(
      ...pieces,
      make("p", { className: "live-versions" }, `${versions}, in your browser`),
    );
    place.output.hidden = false;
    place.reset.hidden = false;
    const verdict = shown.find(({ kind }) => kind === "right" || kind === "wrong");
    place.status.dataset.verdict = verdict?.kind ?? "";
    if (line !== null) {
      const button = make("button", { type: "button", className: "live-line" }, `Go to line ${line}`);
      button.addEventListener("click", () => place.goTo(line));
      place.output.querySelector(".live-error")?.after(button);
    }
    if (verdict) {
      const words = marked(verdict.text);
      place.status.replaceChildren(verdict.kind === "right" ? "Right. " : "Not yet. ", ...words);
    } else if (ok) say(place, pieces.length ? "Done." : "Done; the program prints nothing.");
    else say(place, line === null ? "Stopped by an error." : `Stopped by an error in line ${line}.`);
    place.output.dispatchEvent(new CustomEvent("live:ran", { bubbles: true }));
  }

  /** @param {Shown} piece */
  function drawn({ kind, text, tex }) {
    if (kind === "svg") {
      const bytes = new TextEncoder().encode(text);
      const source = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      return make("img", {
        className: "live-figure",
        src: `data:image/svg+xml;base64,${source}`,
        alt: "The figure that the program draws",
      });
    }
    if (kind === "math") {
      // The browser sets it by itself.
      const { body } = new DOMParser().parseFromString(`<math display="block">${text}</math>`, "text/html");
      body.firstElementChild?.setAttribute("alttext", tex);
      return make("div", { className: "live-math" }, ...body.children);
    }
    const made = make("pre", { className: kind === "error" ? "live-error" : "live-text", tabIndex: 0 }, text);
    made.setAttribute("role", "region");
    made.setAttribute("aria-label", kind === "error" ? "Error" : "What the program prints");
    return made;
  }

  // ---- the buttons ----

  /**
   * @param {string} name
   * @param {string} verb
   */
  function makeTools(name, verb) {
    const button = (/** @type {string} */ text, /** @type {string} */ what) =>
      make("button", { type: "button", className: `live-${what}` }, text);
    const tools = {
      run: button(verb, "run"),
      stop: button("Stop", "stop"),
      reset: button("Reset", "reset"),
      status: make("span", { className: "live-status" }),
      output: make("div", { className: "live-output", hidden: true }),
    };
    tools.stop.hidden = true;
    tools.reset.hidden = true;
    tools.status.setAttribute("role", "status");
    const bar = make("div", { className: "live-bar" }, tools.run, tools.stop, tools.reset, tools.status);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", name);
    return { ...tools, bar };
  }

  /** @param {Place} place */
  function listen(place) {
    place.run.addEventListener("click", () => run(place));
    place.stop.addEventListener("click", () => stop(place));
  }

  /** @param {Place} place */
  function forget(place) {
    if (busy === place) stop(place);
    place.output.hidden = true;
    place.output.replaceChildren();
    place.reset.hidden = true;
    place.status.dataset.verdict = "";
    say(place, "As it was.");
    if (place.printed) place.printed.hidden = false;
    place.run.focus();
  }

  /** @param {Place} place */
  function leftAsItWas(place) {
    place.reset.hidden = false;
    say(place, "As you left it.");
  }

  let programs = 0;
  elements.forEach((element, n) => {
    const source = sources[n];
    const box = source?.closest(".cell_input");
    if (element.dataset.live === undefined || !source || !(box instanceof HTMLElement)) return;
    programs += 1;
    const name = `Program ${programs}`;
    const tools = makeTools(name, "Run");
    const edit = make("button", { type: "button", className: "live-edit" }, "Edit");
    tools.run.after(edit);
    const original = textOf(n);
    const draft = draftOf(String(n), original);
    const open = (text = original) => {
      const editor = makeEditor(text, name, () => run(place));
      editor.addEventListener("input", () => {
        tools.reset.hidden = false;
        draft.keep(editor.value);
      });
      editors[n] = editor;
      box.hidden = true;
      box.after(editor);
      edit.hidden = true;
      return editor;
    };
    /** @type {Place} */
    const place = {
      ...tools,
      at: n,
      label: "",
      text: () => textOf(n),
      printed: element.querySelector(":scope > .cell_output"),
      goTo: (line) => select(editors[n] ?? open(), line),
    };
    edit.addEventListener("click", () => {
      open().focus();
      if (busy !== place) say(place, "Shift + Enter runs it.");
    });
    tools.reset.addEventListener("click", () => {
      editors[n]?.remove();
      editors[n] = undefined;
      draft.keep(original);
      box.hidden = false;
      edit.hidden = false;
      forget(place);
    });
    box.after(tools.bar);
    tools.bar.after(tools.output);
    listen(place);
    if (draft.text !== null) {
      open(draft.text);
      leftAsItWas(place);
    }
  });

  /** @type {{ label: string, ask: string, start: string }[]} */
  const exercises = data.exercises ?? [];
  for (const { label, ask, start } of exercises) {
    const exercise = document.getElementById(label);
    if (!exercise) continue;
    const number = exercise.querySelector(".caption-number")?.textContent?.trim() ?? "exercise";
    const name = `Your answer to ${number}`;
    const at = elements.filter(
      (element) => exercise.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING,
    ).length;
    const tools = makeTools(name, "Check");
    const draft = draftOf(label, start);
    const editor = makeEditor(draft.text ?? start, name, () => run(place));
    /** @type {Place} */
    const place = {
      ...tools,
      at,
      label,
      text: () => editor.value,
      printed: null,
      goTo: (line) => select(editor, line),
    };
    editor.addEventListener("input", () => {
      tools.reset.hidden = false;
      draft.keep(editor.value);
    });
    tools.reset.addEventListener("click", () => {
      editor.value = start;
      editor.dispatchEvent(new Event("input"));
      forget(place);
    });
    const answer = make(
      "div",
      { className: "live-answer" },
      make("p", {}, ...marked(ask)),
      editor,
      tools.bar,
      tools.output,
    );
    exercise.append(answer);
    listen(place);
    if (draft.text !== null) leftAsItWas(place);
  }

  // ---- what was pasted, in the address: behind the #, which browsers keep to themselves ----

  const PASTED = "#paste=";
  const LONGEST = { link: 30_000, text: 2_000_000 };

  async function packed(/** @type {string} */ text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const plain = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  async function unpacked(/** @type {string} */ address) {
    const bytes = Uint8Array.from(atob(address.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
      c.charCodeAt(0),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > LONGEST.text) throw new Error("too long");
    }
    return text;
  }

  // ---- programs that ask for a file ----

  /** @type {HTMLElement[]} */
  const askers = [...document.querySelectorAll("[data-ask-file][data-live]")].filter(
    (element) => element instanceof HTMLElement,
  );
  for (const element of askers) {
    /** @type {{ title: string, program: string, accept: string, pasted: string }} */
    const { title, program, accept, pasted } = JSON.parse(element.dataset.askFile ?? "{}");
    const tools = makeTools(title, "Run");
    const chooser = make("input", { type: "file", accept });
    const text = make("textarea", { className: "live-editor", rows: 3, spellcheck: false });
    const editor = makeEditor(program, `The program: ${title}`, () => run(place));
    /** @type {File | undefined} */
    let dropped;
    const empty = () => {
      dropped = undefined;
      chooser.value = "";
      text.value = "";
    };
    /** @type {Place} */
    const place = {
      ...tools,
      at: 0,
      label: "",
      text: () => editor.value,
      printed: null,
      goTo: (line) => select(editor, line),
      given: async () => {
        const file = dropped ?? chooser.files?.[0];
        if (file) return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
        const typed = pasted ? text.value.trim() : "";
        return typed ? { name: pasted, bytes: new TextEncoder().encode(`${typed}\n`) } : null;
      },
    };
    const take = (/** @type {File} */ file) => {
      text.value = "";
      tools.reset.hidden = false;
      say(place, `${file.name}, ${file.size.toLocaleString("en-US")} bytes; it stays on this computer.`);
    };
    chooser.addEventListener("change", () => {
      dropped = undefined;
      const file = chooser.files?.[0];
      if (file) take(file);
    });
    text.addEventListener("input", () => {
      dropped = undefined;
      chooser.value = "";
      tools.reset.hidden = false;
    });
    editor.addEventListener("input", () => {
      tools.reset.hidden = false;
    });
    element.addEventListener("dragover", (event) => {
      event.preventDefault();
      element.classList.add("live-over");
    });
    element.addEventListener("dragleave", () => element.classList.remove("live-over"));
    element.addEventListener("drop", (event) => {
      element.classList.remove("live-over");
      const file = event.dataTransfer?.files[0];
      if (!file) return; // a text, which goes where it was dropped
      event.preventDefault();
      chooser.value = "";
      dropped = file;
      take(file);
    });
    const link = make("button", { type: "button", className: "live-link" }, "Copy link");
    link.addEventListener("click", async () => {
      const typed = text.value.trim();
      const found = typed ? PASTED + (await packed(typed)) : "";
      if (!found) say(place, "A link carries what is pasted, and nothing is.");
      else if (found.length > LONGEST.link) say(place, "That is too much for a link: send the file itself.");
      else {
        history.replaceState(null, "", found);
        const copied = await navigator.clipboard?.writeText(location.href).then(
          () => true,
          () => false,
        );
        say(
          place,
          copied ? "Copied. It carries what is pasted." : "The address of this page is the link now.",
        );
      }
    });
    const fromLink = async () => {
      if (!pasted || !location.hash.startsWith(PASTED)) return;
      try {
        const found = await unpacked(location.hash.slice(PASTED.length));
        empty();
        text.value = found;
        tools.reset.hidden = false;
        say(place, "As the link has it. Press Run.");
      } catch {
        say(place, "The link is damaged: what it carries cannot be read.");
      }
      element.scrollIntoView({ block: "center" });
    };
    addEventListener("hashchange", fromLink);
    tools.reset.addEventListener("click", () => {
      empty();
      if (location.hash.startsWith(PASTED)) {
        history.replaceState(null, "", location.pathname + location.search);
      }
      editor.value = program;
      editor.dispatchEvent(new Event("input"));
      forget(place);
    });
    const asks = make("label", {}, "Choose a file, or drop one here: ", chooser);
    const types = make("label", {}, "Or paste what is in it:", text);
    element.append(
      make("p", { className: "live-title" }, ...marked(title)),
      asks,
      ...(pasted ? [types] : []),
      editor,
      tools.bar,
      tools.output,
    );
    if (pasted) tools.reset.before(link);
    element.hidden = false;
    listen(place);
    fromLink();
  }
})();
