// @ts-check
// Where Python runs: a worker of the page, which can be ended at any time, and with it a program that does not stop.
//
// Pyodide and what the first program imports are fetched when the page asks for the first time; a package, when it is
// first imported. The page sends { settings } once, then { number, asked: { cells, target, label, file }, bytes }.
(() => {
  "use strict";

  /**
   * @typedef {object} Settings
   * @property {string} folder  where Pyodide and the packages are, an address with a slash at its end
   * @property {string} book    the archive with the book's own modules
   * @property {string} checks  the module with the checks of answers; none if it is empty
   * @property {Record<string, number>} bytes  how long each file is
   * @property {Record<string, string[]>} packages  the files that an import needs
   */

  const tell = (/** @type {Record<string, unknown>} */ message) => self.postMessage(message);
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const nameOf = (/** @type {string} */ address) => address.replace(/[?#].*/, "").replace(/.*\//, "");

  /** @param {Settings} settings */
  function countBytes({ bytes }) {
    const core = ["pyodide.asm.wasm", "python_stdlib.zip"];
    const total = core.reduce((sum, name) => sum + bytes[name], 0);
    let loaded = 0;
    let told = 0;
    const fetchAsIs = self.fetch.bind(self);
    self.fetch = async (input, options) => {
      const answer = await fetchAsIs(input, options);
      const name = nameOf(input instanceof Request ? input.url : String(input));
      if (!core.includes(name) || !answer.ok || !answer.body) return answer;
      const counted = new TransformStream({
        transform(chunk, controller) {
          loaded += chunk.byteLength;
          if (loaded - told > 4e5 || loaded === total) {
            told = loaded;
            tell({
              progress:
                loaded < total
                  ? `Loading Python: ${megabytes(loaded)} of ${megabytes(total)}`
                  : "Starting Python",
            });
          }
          controller.enqueue(chunk);
        },
      });
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
      return new Response(answer.body.pipeThrough(counted), { headers: { "Content-Type": type } });
    };
  }

  /** @param {Settings} settings */
  async function start(settings) {
    const { folder, book, bytes, packages, checks } = settings;
    countBytes(settings);
    tell({ progress: "Loading Python" });
    importScripts(`${folder}pyodide.js`);
    const pyodide = await loadPyodide({
      indexURL: folder,
      env: { MPLBACKEND: "agg", HOME: "/home/pyodide" },
    });
    const answer = await fetch(book);
    if (!answer.ok) throw new Error(`${answer.status} for ${book}`);
    pyodide.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: "/book" });
    const load = (/** @type {string} */ file) => {
      tell({ progress: `Loading ${file.split("-")[0]}: ${megabytes(bytes[file])}` });
      // An import does not wait for a promise; in a worker, a request may be waited for.
      const request = new XMLHttpRequest();
      request.open("GET", folder + file, false);
      request.responseType = "arraybuffer";
      request.send();
      if (request.status !== 200) throw new Error(`${request.status} for ${file}`);
      pyodide.unpackArchive(request.response, "wheel");
      tell({ progress: "Running" });
    };
    pyodide.globals.set("_given", pyodide.toPy({ packages, checks, load }));
    const answerTo = pyodide.runPython(`
      import importlib, json, logging, sys
      sys.path.insert(0, "/book")
      import session
      sys.meta_path.insert(0, session.Shelf(_given["packages"], _given["load"]))
      session.without_notebook()
      logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its cache of fonts

      def _answer(message, page=session.Session(), other=session.Session(), checks=_given["checks"]):
          asked = json.loads(message)
          page = other if asked["file"] else page  # what asks for a file is no cell of the page
          if asked["label"]:
              check = importlib.import_module(checks).check
              outcome = session.judge(asked["cells"], asked["target"], check, asked["label"])
          else:
              outcome = page.run(asked["cells"], asked["target"])
          return json.dumps({**session.as_data(outcome), "versions": session.versions()})

      _answer
    `);
    return (/** @type {{ file: string }} */ asked, /** @type {Uint8Array | undefined} */ bytes) => {
      if (asked.file) pyodide.FS.writeFile(asked.file, bytes);
      return answerTo(JSON.stringify(asked));
    };
  }

  /** @type {Promise<(asked: { file: string }, bytes: Uint8Array | undefined) => string> | undefined} */
  let python;
  let started = false;
  self.onmessage = async ({ data }) => {
    if (data.settings) {
      python = start(data.settings);
      python.catch(() => {}); // the run that waits for it says so
      return;
    }
    try {
      const answer = await python;
      if (!answer) throw new Error("no settings");
      started = true;
      tell({ progress: "Running" });
      tell({ number: data.number, ...JSON.parse(answer(data.asked, data.bytes)) });
    } catch (error) {
      tell({ number: data.number, started, failed: String(error instanceof Error ? error.message : error) });
    }
  };
})();
