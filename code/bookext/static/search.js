// @ts-check
// The search page: `ranking.js` ranks the passages of `passages.js`, and the best of each page are quoted.
(() => {
  const PAGES = 12; // on the page of results
  const OF_A_PAGE = 3; // passages
  const QUOTED = 220; // characters
  const { terms, rank } = makeRanking(PASSAGES);

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
    const pages = rank(query);
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
