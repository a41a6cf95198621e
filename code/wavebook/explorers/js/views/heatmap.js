// @ts-check
// Above the table, a row for each position; below it the row under the cursor. Both share the axis of
// dimensions.

import { encode, wavelengths } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short } from "../lib/kit/format.js";
import { player } from "../lib/kit/play.js";
import { scale, ticks } from "../lib/kit/scales.js";
import { corners, line, path, text, uprights } from "../lib/kit/svg.js";
import { encodingTable } from "../lib/tables.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point, Scale, Vector } from "../types" */

const ROWS = SPEC.traits.position.max + 1;
const LEFT = 34;
const TOP = 28;
const MAP = 260; // pixels from top to bottom of the table
const GAP = 34;
const ROW = 92; // pixels from top to bottom of the row under the cursor

/**
 * A row as stems, in a box of the axes x and y.
 * @param {Scale} x
 * @param {Scale} y
 * @param {Vector} encoding
 * @param {number} width
 */
function fingerprint(x, y, encoding, width) {
  const stems = (/** @type {number} */ part) =>
    Array.from({ length: encoding.length / 2 }, (_, i) => {
      const j = 2 * i + part;
      return `M${x(j + 0.5).toFixed(1)} ${y(0)}V${y(encoding[j]).toFixed(1)}`;
    });
  const thin = Math.min(4, 0.7 * width);
  return uprights(stems(0), thin, "sine") + uprights(stems(1), thin, "cosine");
}

/**
 * A line that can be read on every color.
 * @param {Point[]} points
 * @param {boolean} [closed]
 */
const outlined = (points, closed) => path(points, "paper bold", closed) + path(points, "", closed);

export default explorer(
  "The table of encodings",
  (/** @type {Kit<{ position: number, pair: number, d_model: number, base: number }>} */ kit) => {
    kit.shows = { sine: "sin", cosine: "cos", encoding: "PE" };
    kit.slider("position", { label: "position *p*" });
    // Of a pair beyond the last, the last is shown.
    const shown = (/** @type {number} */ pair, /** @type {number} */ d) => Math.min(pair, d / 2 - 1);
    const pairs = kit.slider("pair", {
      label: "pair *i*",
      show: (pair, { d_model }) => fixed(shown(pair, d_model), 0),
    });
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    player(kit, "position", { tick: 125 }); // the row runs down the table
    const plot = kit.panel({ basis: 680, height: TOP + MAP + GAP + ROW + 44 });
    const words = kit.note("words tall", 1, 5);
    let mapped = "";

    return ({ position, pair, d_model, base }) => {
      const last = d_model / 2 - 1;
      const i = shown(pair, d_model);
      const lambdas = wavelengths(d_model, base);
      const encoding = encode(position, d_model, base);
      Object.assign(pairs, { max: last, value: i });
      const right = plot.width - 4;
      const x = scale([0, d_model], [LEFT, right]);
      const y = scale([0, ROWS], [TOP, TOP + MAP]);
      const value = scale([-1, 1], [TOP + MAP + GAP + ROW, TOP + MAP + GAP]);
      const bottom = value(-1);
      if (mapped !== (mapped = `${d_model} ${base} ${plot.width}`)) {
        plot.map(encodingTable(ROWS, d_model, base), d_model, LEFT, TOP, right - LEFT, MAP);
      }

      const row = y(position + 0.5);
      /** @type {Grip["moves"]} */
      const moves = {
        position: (p, _, to) => (to[1] < TOP + MAP ? Math.floor(((to[1] - TOP) * ROWS) / MAP) : p),
        pair: (_, __, to) => Math.min(last, Math.floor(((to[0] - LEFT) * d_model) / 2 / (right - LEFT))),
      };
      const wide = Math.max(3, x(2) - x(0));
      const column = x(2 * i + 1) - wide / 2;
      const steps = ticks(x, plot.width < 500 ? 4 : 8).filter((tick) => tick % 1 === 0);
      const [sin, cos] = [fixed(encoding[2 * i]), fixed(encoding[2 * i + 1])];
      plot.draw(
        outlined([
          [LEFT, row],
          [right, row],
        ]) +
          outlined(corners(column, TOP, wide, MAP), true) +
          text([2, TOP - 12], "position *p*", "", "start") +
          line(LEFT - 8, row, LEFT - 2, row, "thick") +
          [0, 50, 100, 150].map((p) => text([LEFT - 9, y(p + 0.5) + 4], String(p), "small", "end")).join("") +
          line(LEFT, value(0), right, value(0), "grid hair") +
          [-1, 0, 1].map((v) => text([LEFT - 9, value(v) + 4], fixed(v, 0), "small", "end")).join("") +
          fingerprint(x, value, encoding, x(1) - x(0)) +
          path(corners(column, value(1), wide, ROW), "", true) +
          text([LEFT, value(1) - 10], `PE(${position})`, "encoding", "start") +
          text([right, value(1) - 10], `pair ${i}: sin ${sin}, cos ${cos}`, "", "end") +
          steps
            .map(
              (tick) =>
                line(x(tick), bottom, x(tick), bottom + 4, "muted hair") +
                text([Math.min(x(tick), plot.width - 12), bottom + 17], String(tick), "small"),
            )
            .join("") +
          text([right, bottom + 34], "dimension", "muted", "end"),
        `Heatmap of the encodings of positions 0 to ${ROWS - 1}, d = ${d_model}, base ${short(base, 3)}.` +
          ` Position ${position}, pair ${i}: sine ${sin}, cosine ${cos}; wavelength ${short(lambdas[i])}.`,
        // The cursor follows a press or a drag anywhere; a finger that is not on it still scrolls the page.
        [
          { kind: "map", points: corners(LEFT, TOP, right - LEFT, bottom - TOP), moves },
          { kind: "hand", points: [[x(2 * i + 1), row]], moves },
        ],
      );

      const round = lambdas.filter((lambda) => lambda <= ROWS).length;
      words.innerHTML = rich(
        `Wavelengths from ${short(lambdas[0], 3)} to ${short(lambdas[last], 5)}: ${round} of` +
          ` ${counted(d_model / 2, "pair goes", "pairs go")} around at least once in these ${ROWS}` +
          ` positions.` +
          ` Pair ${i} takes <b>${short(lambdas[i])}</b> positions for a turn; by *p* = ${position} it` +
          ` has made ${short(position / lambdas[i], 3)}.`,
      );
      const here = { sine: encoding[2 * i], cosine: encoding[2 * i + 1], wavelength: lambdas[i] };
      const all = { pairs: d_model / 2, turning_pairs: round, last_wavelength: lambdas[last] };
      return { pair: i, turns: position / lambdas[i], ...here, ...all };
    };
  },
);
