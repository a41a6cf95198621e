// @ts-check
// How the search ranks, apart from the page that shows it: all words of a question count, and none excludes.
//
// Two indexes of MiniSearch see the same words: one of whole pages, with what their heads say of them, and one of
// passages, a section or an entry each. A page's place is that of its own and of its best passage together, and its
// passages are in their own order, so that what a reader sees first of a page is the section.

/**
 * @param {Passage[]} passages
 * @returns {{ terms: (text: string) => string[], rank: (query: string) => Passage[][] }}
 */
globalThis.makeRanking = (passages) => {
  // What a question has around its subject, besides what Sphinx leaves out.
  const asking = `about actually after again all also am an any anyone because been before being both can cannot
    can't could did didn't do does doesn't doing don't done each else ever exactly explain from get gets getting
    give given go goes got had has have help here how however i i'm instead it's its just know like look make
    makes many may me mean means might more most much must my need needs now only or other others our out over
    please possible really same say says see seem seems should shouldn't so some someone something still tell
    than that's them thing things think through together too try trying understand up upon us use used useful
    uses using very want wants way we were what what's when where whether which while who why work works would
    wouldn't you your`;
  const small = new Set([...stopwords, ...asking.split(/\s+/)]);
  const stemmer = new Stemmer();

  /** One spelling for what is one thing: numbers, d_model, and words that are written apart or together. */
  const normal = (/** @type {string} */ text) =>
    text
      .toLowerCase()
      .replace(/[\u0591-\u05c7]/g, "") // the points of Hebrew
      .replace(/[ךםןףץ]/g, (last) => "כמנפצ"["ךםןףץ".indexOf(last)]) // as within a word
      .replace(/[’‘]/g, "'")
      .replace(/(\d)[,\u00a0\u2009\u202f ](?=\d{3}(?!\d))/g, "$1") // 10,000 and 10 000 are 10000
      .replace(/\b(\d+)k\b/g, "$1000")
      .replace(/\b1e(\d)\b/g, (_, zeros) => `1${"0".repeat(Number(zeros))}`)
      .replace(/\bd[-_ ]?model\b/g, "d_model")
      .replace(/\b(\d)[- ]?d\b/g, "$1d") // 2-D is 2d
      .replace(/\bm-rope\b/g, "mrope")
      .replace(/\b([a-z]+)\/([a-z]+)\b/g, "$1 $2")
      .replace(/'s\b/g, "");

  // No browser has to know where a word ends that no space ends, or a particle begins: what is written in Chinese,
  // Japanese or Korean characters is found by each two that stand together. Hebrew has the article and short words such as
  // "and" and "in" before a word, as one letter of it, plurals that end in two, and vowels that may be left out.
  const JOINED =
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー々]+|[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー々]+/gu;
  const segments = (/** @type {string} */ word) =>
    /^[\w']+$/.test(word)
      ? [word]
      : (word.match(JOINED) ?? []).flatMap((run) => {
          const signs = [...run];
          if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(run)) {
            return signs.length < 3 ? [run] : signs.slice(1).map((sign, before) => signs[before] + sign);
          }
          const bare = /^[והבלכמש]\p{sc=Hebr}{3,}$/u.test(run) ? [run, run.slice(1)] : [run];
          return bare.flatMap((one) =>
            /^\p{sc=Hebr}{2,}(ימ|ות)$/u.test(one) ? [one, one.slice(0, -2)] : [one],
          );
        });

  /** Words and numbers, of which d_model is one. */
  const words = (/** @type {string} */ text) =>
    normal(text)
      .split(/[^\p{L}\p{N}_']+/u)
      .map((word) => word.replace(/^'+|'+$/g, ""))
      .filter(Boolean)
      .flatMap(segments);

  /**
   * In texts and questions rotate_half is also rotate and half. Titles and keywords name things: each word counts once,
   * and rope_theta is not about rope.
   */
  const tokenize = (/** @type {string} */ text, /** @type {string | undefined} */ field = undefined) =>
    field === "keywords" || field === "title"
      ? [...new Set(words(text))]
      : words(text)
          .flatMap((word) => (word.includes("_") && word !== "d_model" ? [word, ...word.split("_")] : [word]))
          .filter(Boolean);

  /** Without its ending; nothing for what is in every text. */
  const term = (/** @type {string} */ word) => (small.has(word) ? null : stemmer.stemWord(word));
  const terms = (/** @type {string} */ text) =>
    /** @type {string[]} */ (tokenize(text).map(term).filter(Boolean));

  const how = { tokenize, processTerm: term };
  const ofPassages = new MiniSearch({
    ...how,
    idField: "address",
    fields: ["title", "keywords", "text", "behind"],
  });
  ofPassages.addAll(passages);

  /** @type {Map<string, Passage[]>} */
  const ofPage = new Map();
  for (const passage of passages) {
    const page = passage.address.split("#")[0];
    ofPage.set(page, [...(ofPage.get(page) ?? []), passage]);
  }
  const whole = new MiniSearch({
    ...how,
    idField: "page",
    fields: ["title", "keywords", "headings", "text", "behind"],
  });
  whole.addAll(
    [...ofPage].map(([page, [head, ...rest]]) => ({
      page,
      title: head.title,
      keywords: head.about,
      headings: rest.map(({ title, keywords }) => `${title} ${keywords}`).join(" "),
      text: [head, ...rest].map(({ text }) => text).join(" "),
      behind: [head, ...rest].map(({ behind }) => behind).join(" "),
    })),
  );

  const near = {
    prefix: (/** @type {string} */ word) => word.length > 3,
    fuzzy: (/** @type {string} */ word) => (word.length > 5 && !/[\d_]/.test(word) ? 0.15 : false),
    weights: { prefix: 0.5, fuzzy: 0.2 },
    combineWith: "OR",
  };

  /**
   * Scores by name; each is multiplied by how much of the question it has, rare words counting most. What has a name
   * that is asked for, such as inv_freq, has its parts too. How often a word is said counts, and a passage may be long.
   */
  function scores(/** @type {any} */ index, /** @type {string} */ query, /** @type {object} */ boost) {
    const bm25 = { k: 2, b: index === whole ? 0.5 : 0.3, d: 0.5 };
    const asked = [...new Set(terms(query))];
    const names = words(query).filter((word) => word.includes("_"));
    const partsOf = new Map(names.map((name) => [term(name), new Set(terms(name))]));
    const hits = index.search(query, { ...near, boost, bm25 });
    const rarity = new Map(
      asked.map((word) => {
        const having = hits.filter((/** @type {any} */ hit) => hit.queryTerms.includes(word)).length;
        return [word, having ? Math.log(1 + index.documentCount / having) : 0];
      }),
    );
    const all = [...rarity.values()].reduce((sum, one) => sum + one, 0);
    return new Map(
      hits.map((/** @type {any} */ hit) => {
        const had = new Set(
          hit.queryTerms.flatMap((/** @type {string} */ word) => [word, ...(partsOf.get(word) ?? [])]),
        );
        const has = asked.filter((word) => had.has(word));
        const part =
          has.reduce((sum, word) => sum + /** @type {number} */ (rarity.get(word)), 0) / (all || 1);
        return [hit.id, hit.score * part ** 1.6];
      }),
    );
  }

  const joined = (/** @type {string} */ text) => words(text).join(" ");
  /** What each passage is called: its heading, its keywords, and these in one, for titles of papers have commas. */
  const called = new Map(
    passages.map(({ address, title, keywords, abroad }) => [
      address,
      {
        heading: joined(title),
        names: new Set(`${keywords},${abroad}`.split(",").map(joined)),
        all: ` ${joined(keywords)} `,
      },
    ]),
  );

  /** By how much a passage counts more, and its page, that is called just what was asked: a term less than a question. */
  function calling(/** @type {Passage} */ { address }, /** @type {string} */ asked) {
    const { heading, names, all } = /** @type {any} */ (called.get(address));
    const long = asked.split(" ").length;
    if ((long > 2 && heading === asked) || (long > 3 && all.includes(` ${asked} `))) return 10;
    if (!names.has(asked)) return 1;
    return asked.includes("_") ? 3 : 2.5; // the name of one thing in programs
  }

  /** All passages that have a word of the query, page by page, the best first. */
  function rank(/** @type {string} */ query) {
    const passage = scores(ofPassages, query, { title: 4, keywords: 10, text: 1, behind: 0.3 });
    const asked = joined(query);
    const page = scores(whole, query, { title: 5, keywords: 6, headings: 4, text: 1, behind: 0.3 });
    const found = [...ofPage].flatMap(([name, own]) => {
      const hits = own
        .map((one) => ({ one, calls: calling(one, asked), score: passage.get(one.address) ?? 0 }))
        .filter(({ score, calls }) => score || calls > 1)
        .sort((a, b) => b.calls * b.score - a.calls * a.score || b.calls - a.calls);
      if (!hits.length && !page.has(name)) return [];
      const best = hits.length ? hits[0].score : 0;
      const isTitle = joined(own[0].page) === asked;
      const calls = isTitle ? 10 : (hits[0]?.calls ?? 1);
      // A title of words that cost nothing elsewhere has no score of its own.
      const score = (best + 0.4 * (page.get(name) ?? 0) || 1) * (calls > 5 ? calls : calls * own[0].weight);
      return [{ score, hits: hits.length ? hits.map(({ one }) => one) : own.slice(0, 1) }];
    });
    return found.sort((a, b) => b.score - a.score).map(({ hits }) => hits);
  }
  return { terms, rank };
};
