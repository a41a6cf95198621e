// What other scripts of a page define; for the checker, never part of a page.

/** The words that Sphinx's search leaves out, and the stems of others: language_data.js. */
declare const stopwords: string[];
declare const Stemmer: new () => { stemWord(word: string): string };

/** Of workers, which are not the page that the checker takes all scripts for; and Pyodide's. */
declare function importScripts(...addresses: string[]): void;
declare function loadPyodide(options: object): Promise<any>;

/** MiniSearch, in static/minisearch. */
declare const MiniSearch: any;

/** What reads formulas, in static/jsep. */
declare const jsep: any;

/** What can be found, in passages.js, which the build writes. */
interface Passage {
  address: string;
  page: string;
  title: string;
  text: string;
  behind: string;
  about: string;
  keywords: string;
  /** What it is called in other languages, with commas. */
  abroad: string;
  weight: number;
}
declare const PASSAGES: Passage[];

/** What ranks them: ranking.js. */
declare var makeRanking: (passages: Passage[]) => {
  terms: (text: string) => string[];
  rank: (query: string) => Passage[][];
};

/** What references lead to, by address, in previewed.js, which the build writes. */
declare const PREVIEWS: Record<string, string>;

/** What the symbols of displayed formulas are and which parts of figures show them, by page: symbol_texts.js, built too. */
declare const SYMBOLS: Record<string, Record<string, [says: string, lights: string[]]>>;

/** What the browser keeps from visit to visit: head.js, which runs before all others. */
declare var keeper: {
  /** A text, or null if there is none. */
  read: (name: string) => string | null;
  /** Whether a text is kept now, or, for null, whether it is no longer. */
  keep: (name: string, text: string | null) => boolean;
};

interface Window {
  /** The theme's. */
  toggleFullScreen?: () => void;
}

interface Navigator {
  /** Not in every browser. */
  connection?: { saveData?: boolean };
}
