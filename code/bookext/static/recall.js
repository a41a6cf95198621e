// @ts-check
// Prompts of a page (sphinx/recall.py), asked one at a time, and again when some time has passed.
//
// What it remembers is in this browser alone, under KEPT: for each prompt, how many times running it was known, and
// the day on which it is due. A day is a number, counted in the reader's time zone.
(() => {
  "use strict";

  /** @typedef {{ known: number, due: number }} Memory */
  /** @typedef {{ right: boolean, words?: string } | { unread: string }} Verdict */

  const KEPT = "recall";
  /** Days until a prompt is asked again that was known once, twice, ... running. */
  const DAYS = [1, 3, 7, 16, 35, 90];
  const SESSION = 10; // prompts
  const CLOSE = 1e-6; // how far off a formula's values may be, as a fraction

  const today = () => {
    const now = new Date();
    return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / 86_400_000);
  };
  const named = (/** @type {number} */ day) =>
    new Date(day * 86_400_000).toLocaleDateString("en-US", {
      timeZone: "UTC",
      month: "long",
      day: "numeric",
      year: "numeric",
    });

  /**
   * What was stored or imported, as far as it can be understood.
   * @param {string | null} text
   * @returns {Record<string, Memory>}
   */
  function understood(text) {
    /** @type {Record<string, Memory>} */
    const found = {};
    const given = JSON.parse(text ?? "{}");
    for (const [name, one] of Object.entries(given?.prompts ?? {})) {
      const { known, due } = /** @type {any} */ (one) ?? {};
      if (Number.isInteger(known) && known >= 0 && Number.isInteger(due)) found[name] = { known, due };
    }
    return found;
  }
  const written = (/** @type {Record<string, Memory>} */ prompts) =>
    JSON.stringify({ version: 1, prompts }, null, 1);
  let forgets = false;
  /** @type {Record<string, Memory>} */
  let memory = {};
  try {
    memory = understood(keeper.read(KEPT));
  } catch {
    // what was kept is no longer to be understood
  }
  function keep() {
    forgets = !keeper.keep(KEPT, written(memory)); // then it holds for this page, which says so
  }

  // ---- what is typed ----

  jsep.addBinaryOp("^", 13, true);
  /** @type {Record<string, (value: number) => number>} */
  const FUNCTIONS = {
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    exp: Math.exp,
    ln: Math.log,
    log: Math.log,
    sqrt: Math.sqrt,
    abs: Math.abs,
  };

  /** A formula as the parser wants it: with signs of ASCII, and a star for each product. */
  const plain = (/** @type {string} */ text) =>
    text
      .toLowerCase()
      .replace(/[−–]/g, "-")
      .replace(/[×·⋅]/g, "*")
      .replace(/\*\*/g, "^")
      .replace(/ω/g, "w")
      .replace(/π/g, "pi")
      .replace(/√/g, "sqrt")
      .replace(/²/g, "^2")
      .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
      .replace(/(\d)\s*(?=[a-z(])(?!e[+-]?\d)/g, "$1*")
      .replace(/\)\s*(?=[a-z0-9(])/g, ")*")
      .replace(/([a-z0-9])\s+(?=[a-z0-9(])/g, "$1*");

  /**
   * The value of what was typed, or an Error that says what cannot be read.
   * @param {string} text
   * @param {Record<string, number>} letters
   */
  function value(text, letters) {
    const names = { pi: Math.PI, e: Math.E, ...letters };
    /** @returns {number} */
    const of = (/** @type {any} */ node) => {
      if (node.type === "Literal" && typeof node.value === "number") return node.value;
      if (node.type === "Identifier") {
        if (Object.hasOwn(names, node.name)) return names[/** @type {"pi"} */ (node.name)];
        if (Object.hasOwn(FUNCTIONS, node.name)) {
          throw new Error(`put what ${node.name} is taken of into parentheses`);
        }
        const each = [...node.name];
        if (each.every((letter) => Object.hasOwn(letters, letter))) {
          return each.reduce((product, letter) => product * letters[letter], 1); // wk is w times k
        }
        throw new Error(`“${node.name}” is none of the letters`);
      }
      if (node.type === "UnaryExpression" && "+-".includes(node.operator)) {
        return node.operator === "-" ? -of(node.argument) : of(node.argument);
      }
      if (node.type === "BinaryExpression") {
        const [left, right] = [of(node.left), of(node.right)];
        if (node.operator === "+") return left + right;
        if (node.operator === "-") return left - right;
        if (node.operator === "*") return left * right;
        if (node.operator === "/") return left / right;
        if (node.operator === "^") return left ** right;
      }
      if (node.type === "CallExpression" && node.arguments.length === 1) {
        if (Object.hasOwn(FUNCTIONS, node.callee.name)) {
          return FUNCTIONS[node.callee.name](of(node.arguments[0]));
        }
        if (node.callee.type === "Identifier") return of(node.callee) * of(node.arguments[0]); // k(d - 2)
      }
      throw new Error("use + - * / ^, parentheses, and functions such as sin");
    };
    return of(jsep(plain(text)));
  }

  /**
   * Every combination of values of the letters.
   * @param {Record<string, number[]>} letters
   * @returns {Record<string, number>[]}
   */
  const combinations = (letters) =>
    Object.entries(letters).reduce(
      (all, [letter, values]) => all.flatMap((one) => values.map((each) => ({ ...one, [letter]: each }))),
      /** @type {Record<string, number>[]} */ ([{}]),
    );
  const near = (/** @type {number} */ one, /** @type {number} */ other, /** @type {number} */ within) =>
    Math.abs(one - other) <= Math.max(within * Math.abs(other), 1e-12);
  const worded = (/** @type {string} */ text) =>
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .replace(/[.!?"“”]/g, "")
      .trim()
      .replace(/\s+/g, " ");

  /**
   * Whether a typed text is a word, in which a star stands for any letters.
   * @param {string} word
   * @param {string} text
   */
  function fits(word, text) {
    const pieces = worded(word)
      .split("*")
      .map((piece) => piece.replace(/[^\w\s]/g, "\\$&"));
    return new RegExp(`^${pieces.join(".*")}$`).test(worded(text));
  }

  /**
   * What there is to say of a typed answer.
   * @param {DOMStringMap} prompt
   * @param {string} text
   * @returns {Verdict}
   */
  function judged(prompt, text) {
    const wanted = prompt.recallValue ?? "";
    if (!text.trim()) return { unread: "Type an answer, or let it be shown." };
    if (prompt.recallKind === "words") {
      return { right: JSON.parse(wanted).some((/** @type {string} */ one) => fits(one, text)) };
    }
    try {
      if (prompt.recallKind === "number") {
        const within = Math.max(Number(prompt.recallWithin), CLOSE);
        // "7,003" is seven thousand to some readers, and to others seven and a bit.
        const readings = /^\s*[\d−-]+,\d{3}\s*$/.test(text) ? [text, text.replace(",", ".")] : [text];
        const values = readings.map((one) => value(one, {}));
        if (!values.every(Number.isFinite)) throw new Error("that is no number");
        return { right: values.some((one) => near(one, Number(wanted), within)) };
      }
      const tried = combinations(JSON.parse(prompt.recallLetters ?? "{}"));
      const pairs = tried.map((letters) => [value(text, letters), value(wanted, letters)]);
      return { right: pairs.every(([one, other]) => near(one, other, CLOSE)) };
    } catch (error) {
      return { unread: `This can't be read: ${/** @type {Error} */ (error).message}.` };
    }
  }

  // ---- what is asked next ----

  /**
   * Prompts in an order in which neighbors are of different chapters, as far as that goes.
   * @param {HTMLElement[]} prompts
   */
  function mixed(prompts) {
    const left = [...prompts];
    /** @type {HTMLElement[]} */
    const order = [];
    while (left.length) {
      /** @type {Map<string | undefined, number>} */
      const counts = new Map();
      for (const one of left) counts.set(one.dataset.recallOf, (counts.get(one.dataset.recallOf) ?? 0) + 1);
      const last = order.at(-1)?.dataset.recallOf;
      // A chapter with most of what is left goes first, or it would be alone at the end.
      const most = [...counts].filter(([chapter]) => chapter !== last).sort((a, b) => b[1] - a[1])[0];
      const chosen = left.find((one) => one.dataset.recallOf === (most ? most[0] : last));
      order.push(/** @type {HTMLElement} */ (chosen));
      left.splice(left.indexOf(/** @type {HTMLElement} */ (chosen)), 1);
    }
    return order;
  }

  /**
   * What is due, longest first, then what is new: a handful, mixed.
   * @param {HTMLElement[]} prompts
   */
  function chosen(prompts) {
    const day = today();
    const of = (/** @type {HTMLElement} */ one) => memory[one.dataset.recall ?? ""];
    const due = prompts.filter((one) => of(one)?.due <= day).sort((a, b) => of(a).due - of(b).due);
    const fresh = mixed(prompts.filter((one) => !of(one)));
    return mixed([...due, ...fresh].slice(0, SESSION));
  }

  function remember(/** @type {HTMLElement} */ prompt, /** @type {boolean} */ right) {
    const name = prompt.dataset.recall ?? "";
    const known = right ? (memory[name]?.known ?? 0) + 1 : 0;
    const wait = right ? DAYS[Math.min(known, DAYS.length) - 1] : 1;
    memory[name] = { known, due: today() + wait };
    keep();
  }

  // ---- the page ----

  /**
   * @param {string} tag
   * @param {Record<string, any>} properties
   * @param {...(string | Node)} inside
   */
  function make(tag, properties, ...inside) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inside);
    return made;
  }
  /**
   * @param {string} text
   * @param {() => void} does
   * @param {string} type
   */
  function button(text, does, type = "button") {
    const made = make("button", { type, textContent: text });
    made.addEventListener("click", does);
    return made;
  }
  /** A copy of what is in an element, without names that would then be there twice. */
  function copy(/** @type {Element | null} */ element) {
    const made = document.createDocumentFragment();
    for (const child of element?.childNodes ?? []) {
      if (child instanceof Element && child.matches("summary")) continue;
      made.append(child.cloneNode(true));
    }
    for (const one of made.querySelectorAll("[id]")) one.removeAttribute("id");
    return made;
  }

  let number = 0;
  function begin(/** @type {HTMLElement} */ set) {
    const listed = /** @type {HTMLElement[]} */ ([...set.querySelectorAll("[data-recall]")]);
    const asked = new URLSearchParams(location.search).get("of")?.split(",");
    const some = asked && listed.some((one) => asked.includes(one.dataset.recallOf ?? ""));
    for (const one of listed) one.hidden = Boolean(some) && !asked?.includes(one.dataset.recallOf ?? "");
    const prompts = listed.filter((one) => !one.hidden);
    const place = /** @type {HTMLElement} */ (set.querySelector("[data-recall-session]"));
    // The list is for readers without scripts: with them it would answer before it asks.
    set.querySelector(".recall-list")?.removeAttribute("open");
    Object.assign(place, { role: "region", ariaLabel: `Recall${number ? ` ${number + 1}` : ""}` });
    number += 1;
    const field = `recall-answer-${number}`;

    /** What there is to do today, and the tools. */
    function open(/** @type {string} */ before = "", focus = false) {
      const next = chosen(prompts);
      const waiting = prompts
        .map((one) => memory[one.dataset.recall ?? ""]?.due)
        .filter((due) => due > today());
      const status = next.length
        ? `${prompts.length} questions, of which ${next.length} are next.`
        : `Nothing is due before ${named(Math.min(...waiting))}.`;
      const start = next.length
        ? button("Begin", () => ask(next, 0, 0, true))
        : button("Practice all the same", () => ask(mixed(prompts).slice(0, SESSION), 0, 0, false));
      const told = make("p", { role: "status" }, before ? `${before} ${status}` : status);
      place.dataset.state = "open";
      place.replaceChildren(told, make("p", { className: "recall-buttons" }, start, ...tools()));
      if (forgets) {
        place.append(make("p", {}, "This browser keeps nothing: export your dates before you leave."));
      }
      if (focus) start.focus();
    }

    /** Export, import and erase; only where all prompts are, since they concern all. */
    function tools() {
      if (set.id !== "recall-all") return [];
      const file = /** @type {HTMLInputElement} */ (
        make("input", { type: "file", accept: ".json", hidden: true })
      );
      file.addEventListener("change", async () => {
        try {
          const read = understood((await file.files?.[0].text()) ?? null);
          const count = Object.keys(read).length;
          if (!count) throw new Error();
          memory = { ...memory, ...read };
          keep();
          open(`${count} dates were imported.`, true);
        } catch {
          open("That file has no dates that were exported here; nothing was changed.", true);
        }
      });
      const save = button("Export dates", () => {
        const address = URL.createObjectURL(new Blob([written(memory)], { type: "application/json" }));
        make("a", { href: address, download: "recall.json" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
      });
      const erase = button("Erase dates", () => {
        if (erase.textContent === "Erase dates") {
          erase.textContent = "Erase all of them?";
          return;
        }
        memory = {};
        keep();
        open("All dates were erased.", true);
      });
      return [save, button("Import dates", () => file.click()), erase, file];
    }

    /**
     * One prompt of a session.
     * @param {HTMLElement[]} session
     * @param {number} at
     * @param {number} known
     * @param {boolean} counts
     */
    function ask(session, at, known, counts) {
      if (at === session.length) {
        const tomorrow =
          counts && known < session.length ? " What you did not know comes again tomorrow." : "";
        return open(`You knew ${known} of ${session.length}.${tomorrow}`, true);
      }
      const prompt = session[at];
      const kind = prompt.dataset.recallKind;
      const answer = prompt.querySelector("[data-recall-answer]");
      const told = make("div", { role: "status", className: "recall-told" });
      const form = /** @type {HTMLFormElement} */ (make("form", { className: "recall-card" }));
      const keys = make("p", { className: "recall-buttons" });
      place.dataset.state = "asking";

      /** Show the answer, after a verdict of the page (a boolean) or before one of the reader (null). */
      function show(/** @type {boolean | null} */ right, /** @type {string} */ verdict) {
        place.dataset.state = right === null ? "shown" : right ? "right" : "wrong";
        told.replaceChildren(
          ...(verdict ? [make("p", { className: "recall-verdict" }, verdict)] : []),
          copy(answer),
        );
        const go = (/** @type {boolean} */ was) => {
          if (counts) remember(prompt, was);
          ask(session, at + 1, known + Number(was), counts);
        };
        const choices =
          right === null
            ? [button("I knew it", () => go(true)), button("Not yet", () => go(false))]
            : [button("Next", () => go(right))];
        keys.replaceChildren(...choices);
        choices[0].focus();
      }
      form.append(
        make("p", { className: "recall-count" }, `${at + 1} of ${session.length}`),
        make("div", { className: "recall-question" }, copy(prompt.querySelector("[data-recall-question]"))),
      );
      let first;
      if (kind) {
        const says = { number: "A number", formula: "A formula", words: "A word or two" }[kind] ?? "";
        const input = /** @type {HTMLInputElement} */ (
          make("input", { id: field, type: "text", autocomplete: "off", spellcheck: false })
        );
        input.setAttribute("autocapitalize", "off");
        form.append(make("p", { className: "recall-field" }, make("label", { htmlFor: field }, says), input));
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          if (place.dataset.state !== "asking") return;
          const verdict = judged(prompt.dataset, input.value);
          if ("unread" in verdict) {
            told.replaceChildren(make("p", {}, verdict.unread));
            return;
          }
          input.readOnly = true;
          show(verdict.right, verdict.right ? "Right." : `Not quite: you typed ${input.value.trim()}.`);
        });
        keys.append(
          button("Check", () => {}, "submit"),
          button("Show the answer", () => show(false, "")),
        );
        first = input;
      } else {
        form.addEventListener("submit", (event) => event.preventDefault());
        first = button("Show the answer", () => show(null, ""));
        keys.append(first);
      }
      form.append(told, keys);
      place.replaceChildren(form);
      first.focus();
    }
    open();
  }
  for (const set of document.querySelectorAll("[data-recall-set]")) begin(/** @type {HTMLElement} */ (set));

  // On paper the questions come first, and the answers are a key behind them.
  addEventListener("beforeprint", () => {
    for (const set of document.querySelectorAll("[data-recall-set]")) {
      const key = make("ol", { className: "recall-key" });
      for (const prompt of /** @type {NodeListOf<HTMLElement>} */ (set.querySelectorAll("[data-recall]"))) {
        if (!prompt.hidden) key.append(make("li", {}, copy(prompt.querySelector("[data-recall-answer]"))));
      }
      set.append(make("p", { className: "recall-key" }, "Answers"), key);
      set.classList.add("has-key");
    }
  });
  addEventListener("afterprint", () => {
    for (const key of document.querySelectorAll(".recall-key")) key.remove();
    for (const set of document.querySelectorAll(".has-key")) set.classList.remove("has-key");
  });
})();
