// What the search of a built site lists: `node ask.js SITE` reads queries as JSON, and writes for each the addresses,
// page by page, the best first. It runs the site's own programs, without a browser.
import fs from "node:fs";
import vm from "node:vm";

const [site] = process.argv.slice(2);
const context = vm.createContext({});
for (const name of ["language_data.js", "minisearch/minisearch.js", "passages.js", "ranking.js"]) {
  vm.runInContext(fs.readFileSync(`${site}/_static/${name}`, "utf8"), context, { filename: name });
}
const { rank } = vm.runInContext("makeRanking(PASSAGES)", context);
const queries = JSON.parse(fs.readFileSync(0, "utf8"));
const address = (/** @type {{ address: string }} */ passage) => passage.address;
process.stdout.write(
  JSON.stringify(
    queries.map((/** @type {string} */ query) =>
      rank(query).map((/** @type {{ address: string }[]} */ hits) => hits.map(address)),
    ),
  ),
);
