// What other scripts of a page define; for the checker, never part of a page.

/** MathJax 3, which has types only as modules of its own. */
declare const MathJax: any;

/** DataTables, in static/datatables. */
declare const DataTable: any;

interface Window {
  MathJax?: any;
}

interface Navigator {
  /** Not in every browser. */
  connection?: { saveData?: boolean };
}
