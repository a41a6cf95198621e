// @ts-check
// The search page: MiniSearch ranks the passages of `passages.js`, and the best of each page are quoted.
(() => {
  const PAGES = 12; // on the page of results
  const OF_A_PAGE = 3; // passages
  const QUOTED = 220; // characters
  // What a question has around its subject, besides what Sphinx leaves out.
  const small = new Set([...stopwords, ..."can do does how i its what when where which who why".split(" ")]);
  const stemmer = new Stemmer();
  /** Words and numbers; 10,000 is 10000, and rotate_half is also rotate and half. */
  const tokenize = (/** @type {string} */ text) =>
    text
      .replace(/(\d)[,\u2009\u202f](?=\d{3}(?!\d))/g, "$1")
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]))
      .filter(Boolean);
  /** Without endings, and without what is in every text. */
  const term = (/** @type {string} */ word) => {
    const low = word.toLowerCase();
    return small.has(low) ? null : stemmer.stemWord(low);
  };
  const terms = (/** @type {string} */ text) => tokenize(text).map(term).filter(Boolean);

  const search = new MiniSearch({
    idField: "address",
    fields: ["title", "page", "keywords", "text", "behind"],
    storeFields: ["weight"],
    tokenize,
    processTerm: term,
  });
  search.addAll(PASSAGES);
  const passageAt = new Map(PASSAGES.map((passage) => [passage.address, passage]));

  /** The best passages, page by page. */
  function found(/** @type {string} */ query) {
    const options = {
      boost: { title: 4, page: 3, keywords: 12, text: 1, behind: 0.2 },
      boostDocument: (
        /** @type {string} */ _address,
        /** @type {string} */ _term,
        /** @type {{ weight: number }} */ { weight },
      ) => weight,
      prefix: (/** @type {string} */ word) => word.length > 3,
      fuzzy: (/** @type {string} */ word) => (word.length > 5 && !/\d/.test(word) ? 0.15 : false),
    };
    const all = search.search(query, { ...options, combineWith: "AND" });
    const hits = all.length ? all : search.search(query, options);
    /** @type {Map<string, Passage[]>} */
    const pages = new Map();
    for (const { id } of hits) {
      const passage = /** @type {Passage} */ (passageAt.get(id));
      const page = passage.address.split("#")[0];
      pages.set(page, [...(pages.get(page) ?? []), passage]);
    }
    return [...pages.values()];
  }

  /** The text from its beginning if its title has one of the words, or from the first sentence with one. */
  function quoted(/** @type {Passage} */ { title, text }, /** @type {Set<unknown>} */ wanted) {
    const has = (/** @type {string} */ part) => terms(part).some((word) => wanted.has(word));
    const sentences = text.match(/[^.!?]+(?:[.!?](?!\s)[^.!?]*)*[.!?]*\s*/g) ?? [];
    const hit = has(title) ? 0 : sentences.findIndex(has);
    const rest = sentences.slice(Math.max(0, hit)).join("");
    return rest.length > QUOTED ? `${rest.slice(0, rest.lastIndexOf(" ", QUOTED))} …` : rest;
  }

  /** A text with what was asked for marked in it. */
  const marked = (/** @type {string} */ text, /** @type {Set<unknown>} */ wanted) =>
    text.split(/([\p{L}\p{N}_]+(?:,\d{3})*)/u).map((part) => {
      if (!terms(part).some((word) => wanted.has(word))) return part;
      const mark = document.createElement("mark");
      mark.textContent = part;
      return mark;
    });

  function show(/** @type {string} */ query, /** @type {Element} */ place) {
    const pages = found(query);
    const wanted = new Set(terms(query));
    const summary = document.createElement("p");
    summary.className = "search-summary";
    summary.role = "status";
    const more = pages.length > PAGES ? `, the best ${PAGES} are shown` : "";
    summary.textContent = !pages.length
      ? `Nothing found for “${query}”. Try fewer words, or another word.`
      : `${pages.length} ${pages.length === 1 ? "page" : "pages"} found for “${query}”${more}.`;
    const list = document.createElement("ol");
    list.className = "search-pages";
    for (const passages of pages.slice(0, PAGES)) {
      const entry = document.createElement("li");
      for (const passage of passages.slice(0, OF_A_PAGE)) {
        const { address, page, title } = passage;
        const link = document.createElement("a");
        link.href = address;
        link.append(...marked(title === page ? page : `${page} – ${title}`, wanted));
        const quote = document.createElement("p");
        quote.append(...marked(quoted(passage, wanted), wanted));
        entry.append(link, quote);
      }
      list.append(entry);
    }
    place.replaceChildren(summary, list);
  }

  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  for (const input of document.querySelectorAll('input[name="q"]')) input.setAttribute("value", query);
  const place = document.getElementById("search-results");
  if (place && query) show(query, place);
})();
