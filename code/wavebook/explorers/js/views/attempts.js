// @ts-check
// Five ways to number tokens, for the reader to break: the vector of each position as a column of colors,
// and below its size and how far it is from the next one.

import { attempt } from "../lib/attempts.js";
import { apart } from "../lib/distance.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, beside, circle, corners, line, path, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ digits: number, width: number, base: number, table: number[][] }} */
const SIZES = /** @type {any} */ (SPEC.constants);
const TOKEN = Math.sqrt(SIZES.width); // the size of a token with entries of size one
const HIGH = 128; // of the map, in pixels
const [SMALL, MOST] = [4.5, 9]; // of the axis of sizes, which a token's size is on
/** @type {Record<string, string>} what is said of a name that promises more than there is */
const SAID = { "a learned table": "a table (random numbers here, in place of learned ones)" };

/** @typedef {{ attempt: string, position: number, length: number }} Traits */

export default explorer("Ways to number tokens", (/** @type {Kit<Traits>} */ kit) => {
  /** @type {string[]} */
  const offered = SPEC.traits.attempt.options;
  kit.choice("attempt", {
    label: "position vector",
    style: "wide",
    options: offered.map((name) => /** @type {[string, string]} */ ([name, SAID[name] ?? name])),
  });
  // A shorter sequence has no such position: its last one is shown.
  const shown = (/** @type {number} */ position, /** @type {number} */ length) =>
    Math.min(position, length - 1);
  kit.slider("position", {
    label: "position *p*",
    show: (position, { length }) => String(shown(position, length)),
  });
  kit.slider("length", { label: "length *L*", style: "shifted" });
  const vectors = kit.panel({ basis: 640, height: HIGH + 44 });
  const chart = kit.panel({ basis: 640, height: 220 });
  const note = kit.note("words", 2, 4);

  return ({ attempt: name, position, length }) => {
    const p = shown(position, length);
    const all = Array.from({ length }, (_, place) => attempt(name, place, length, SIZES));
    const rows = (all[0] ?? []).length;
    const missing = all.indexOf(null);
    const filled = missing < 0 ? length : missing;
    const sizes = all.slice(0, filled).map((vector) => Math.hypot(...(vector ?? [])));
    const steps = sizes.slice(1).map((_, j) => apart(all[j + 1] ?? [], all[j] ?? []));

    const left = 26;
    const wide = vectors.width - left - 12;
    const column = wide / length;
    const values = Array.from(
      { length: rows * length },
      (_, j) => all[j % length]?.[Math.floor(j / length)] ?? 0,
    );
    vectors.map(values, length, left, 20, wide, HIGH);
    const end = (/** @type {number} */ place) => left + place * column;
    // The column from its foot to its top, as one writes it.
    const digits = name === "binary digits" ? `: ${[...(all[p] ?? [])].reverse().join("")}` : "";
    const half = digits ? 52 : 24; // of the words below, in pixels
    vectors.draw(
      text([left, 12], `${counted(rows, "entry", "entries")} for each position`, "muted small", "start") +
        (missing < 0
          ? ""
          : path(corners(end(missing), 20, end(length) - end(missing), HIGH), "claimed wash", true) +
            text(
              [Math.min((end(missing) + end(length)) / 2, vectors.width - 28), 20 + HIGH / 2],
              "no rows",
              "claimed",
            )) +
        path(corners(end(p), 20, column, HIGH), "thick", true) +
        text(
          [Math.max(half, Math.min(end(p) + column / 2, vectors.width - half)), HIGH + 38],
          `*p* = ${p}${digits}`,
        ),
      `The vectors of ${length} positions, ${counted(rows, "entry", "entries")} each, ${SAID[name] ?? spoken(name)}. ` +
        `${
          all[p]
            ? `That of ${p} begins with ${(all[p] ?? [])
                .slice(0, 4)
                .map((entry) => short(entry, 3))
                .join(", ")}.`
            : `There is none for ${p}.`
        }`,
      [
        cursor(
          "position",
          [
            [end(p) + column / 2, 20],
            [end(p) + column / 2, 20 + HIGH],
          ],
          scale([0, length], [left, left + wide]),
        ),
      ],
    );

    const x = scale([0, length - 1], [left + column / 2, left + wide - column / 2]);
    const most = Math.max(...sizes, ...steps) < SMALL ? SMALL : MOST;
    const y = scale([0, most], [chart.height - 40, 24]);
    // A line that ends in an arrow where it leaves the chart.
    const curve = (/** @type {number[]} */ list, /** @type {string} */ style) => {
      const inside = list.findIndex((value) => value > most);
      const points = (inside < 0 ? list : list.slice(0, inside)).map(
        (value, j) => /** @type {Point} */ ([x(j), y(value)]),
      );
      return inside < 0 ? path(points, style) : arrow(points, style);
    };
    const [size, step] = [sizes[p], steps[Math.min(p, steps.length - 1)]];
    const last = sizes.length - 1;
    const crowded = Math.abs(sizes[last] - TOKEN) < 1; // both names would be at the right end
    chart.draw(
      axes(x, y, { xName: "position *p*", yName: "" }) +
        line(x(0), y(TOKEN), x(length - 1), y(TOKEN), "muted dashed") +
        text(
          [x(crowded ? 0 : length - 1), y(TOKEN) - 6],
          "size of a token",
          "muted small",
          crowded ? "start" : "end",
        ) +
        curve(sizes, "sine thick") +
        (sizes[last] > most
          ? beside([x(MOST), y(MOST) + 4], "size of the vector", "sine small", chart.width / 2, 10)
          : text([x(last), y(sizes[last]) - 9], "size of the vector", "sine small", "end")) +
        (kit.part("steps") === 1 ? curve(steps, "claimed thick") : "") +
        (kit.part("steps") === 1
          ? text([x(Math.max(0, last - 1)), y(0) - 7], "step to the next", "claimed small", "end")
          : "") +
        line(x(p), y.range[0], x(p), y.range[1], "muted hair") +
        (size <= most ? circle([x(p), y(size)], 5, "sine fill") : ""),
      all[p]
        ? `At ${p} of ${length} the size of the vector is ${short(size, 3)}${
            kit.part("steps") === 1 ? `, and it is ${short(step, 3)} from the next one` : ""
          }; the size of a token is ${fixed(TOKEN, 0)}.`
        : `At ${p} of ${length} there is no vector; the table has ${SIZES.table.length} rows.`,
    );

    const row = SIZES.table.length;
    const broken = {
      "the number": () =>
        `the vector of ${p} is <b>${short(size / TOKEN, 3)}</b> times as large as a token:` +
        ` what does a large *p* leave of the token?`,
      "the fraction": () =>
        `position ${p} is <b>${short(p / length, 3)}</b>,` +
        ` and one step <b>${short(1 / length, 3)}</b>: what are they for another *L*?`,
      "binary digits": () =>
        p === 0
          ? "the first position has none before it"
          : `from ${p - 1} to ${p}: <b>${fixed(steps[p - 1] ** 2, 0)}</b> of ${rows} digits change; where do` +
            ` the most?`,
      "a learned table": () =>
        all[p]
          ? `row ${p} of ${row}: what is there for a longer sequence?`
          : `there is <b>no row ${p}</b>: the table has ${row}`,
      "sines and cosines": () =>
        `every vector has the size <b>${short(size, 3)}</b>, and every step <b>${short(step, 3)}</b>: can you` +
        ` break it?`,
    };
    note.innerHTML = rich(broken[/** @type {keyof typeof broken} */ (name)]());
    const here = all[p] ? { size, step } : { size: null, step: null };
    return { position: p, entries: rows, vector: all[p], ...here, token_size: TOKEN };
  };
});
