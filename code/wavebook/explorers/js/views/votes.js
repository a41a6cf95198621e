// @ts-check
// Above the hands of a trained head, as they are turned since the right token; below them what each adds to its lead
// over another one; and at the foot what attention is left to that one, for all tokens back, with how often the models
// are right at the first position that has a token so far back.

import { fromHome, leads, turns } from "../lib/cliff.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, spoken } from "../lib/kit/format.js";
import { scale } from "../lib/kit/scales.js";
import { atAngle, circle, corners, dots, line, path, text, uprights } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point } from "../types" */
/** @typedef {{ offset: number, weights: string }} Traits */

/**
 * @type {{ back: number, trained: number, runs: number, home: number, omegas: number[],
 *   right: number[], heads: Record<string, { hands: number[][], most: number[] }> }}
 */
const {
  back: BACK,
  trained: TRAINED,
  runs: RUNS,
  home: HOME,
  omegas: OMEGAS,
  right: RIGHT,
  heads: HEADS,
} = /** @type {any} */ (SPEC.constants);
const LAST = SPEC.traits.offset.max;
const TALL = Math.max(...Object.values(HEADS).flatMap(({ most }) => most)); // the frame that gives the room
const SILENT = 0.01; // of all that the hands can add

/**
 * How large everything is: the dials, of which every second one is lower by `down`, so that they have room for
 * twice the size, the bars and the plot.
 * @param {number} width
 */
function sizes(width) {
  const narrow = width < 560;
  const column = width / (OMEGAS.length + 0.8); // at both ends there is room for half a dial
  const radius = Math.min(40, 0.82 * column);
  const down = Math.sqrt((2 * radius + 4) ** 2 - column ** 2);
  return { narrow, column, radius, down, bars: narrow ? 66 : 84, plot: narrow ? 80 : 96 };
}

const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
const percent = (/** @type {number} */ part) =>
  `${part < 0.095 ? fixed(100 * part, part < 0.0095 ? 1 : 0) : Math.round(100 * part)} %`;

export default explorer("How a trained head weighs its hands", (/** @type {Kit<Traits>} */ kit) => {
  kit.slider("offset", { label: "tokens back", style: "claimed" });
  kit.choice("weights", { label: "the hands count" });
  kit.smooth("offset");
  const note = kit.note("words", 2, 4);
  const panel = kit.panel({
    basis: 680,
    height(width) {
      const { radius, down, bars, plot } = sizes(width);
      return 2 * radius + down + bars + plot + 160;
    },
  });

  return ({ offset, weights }) => {
    const { hands, most } = HEADS[weights];
    const [heard, beyond, known] = ["heard", "beyond", "right"].map((name) => kit.part(name));
    const times = Math.round(TALL / Math.max(...most)); // frames that are all low are drawn taller
    const { narrow, column, radius, down, bars, plot } = sizes(panel.width);
    const [left, right] = [narrow ? 30 : 40, panel.width - 8];
    const middle = (/** @type {number} */ i) => (i + 0.9) * column;
    const top = 24 + radius;
    const low = top + down + radius; // where the dials end
    const base = low + 32 + bars;
    const bottom = base + 58 + plot;
    const bar = (/** @type {number} */ lead) => (bars * lead * times) / TALL;
    const adds = leads(hands, OMEGAS, BACK, offset);
    const lead = sum(adds);
    const share = Math.exp(-lead);
    const said = percent(Math.min(share, 9.99));
    const whole = Math.round(offset);
    const is = whole === BACK ? "right" : "wrong";
    const style = is === "right" ? "shifted" : "claimed";

    const dials = OMEGAS.map((omega, i) => {
      const made = turns(omega, offset - BACK);
      const home = made > 0.5 && fromHome(made) < HOME;
      /** @type {Point} */
      const center = [middle(i), top + (i % 2) * down];
      const tip = atAngle(center, radius)(omega * (offset - BACK));
      return (
        (i % 2 ? "" : line(center[0], top + radius + 3, center[0], low, "grid hair")) + // to its bar
        circle(center, radius, `${home ? "claimed thick" : "grid"} ring`) +
        line(...center, ...tip, narrow ? "" : "thick") +
        circle(tip, narrow ? 3 : 5)
      );
    });
    const wide = Math.min(30, 0.62 * column);
    const votes = adds.map((added, i) => {
      const x = middle(i) - wide / 2;
      const frame = corners(x, base - bar(most[i]) * heard, wide, bar(most[i]) * heard);
      return (
        (heard > 0 ? `<path class="muted hair" d="M${frame.join("L")}Z"/>` : "") +
        uprights([`M${middle(i).toFixed(1)} ${base}v${(-bar(added)).toFixed(2)}`], wide.toFixed(1), "")
      );
    });
    // Hands that are hardly heard leave their columns empty, which says how little they have to say.
    const all = sum(most);
    const silent = most.filter((one) => one < SILENT * all);
    const [from, to] = [OMEGAS.length - silent.length, OMEGAS.length - 1].map(middle);
    const together = `${percent(sum(silent) / all)} of all${narrow ? "" : " that can be added"}`;
    const quiet =
      heard > 0.5 && silent.length
        ? path(
            [
              [from - wide / 2, base - 10],
              [from - wide / 2, base - 16],
              [to + wide / 2, base - 16],
              [to + wide / 2, base - 10],
            ],
            "muted hair",
          ) + text([(from + to) / 2, base - 24], `these ${silent.length} together: ${together}`, "small")
        : "";
    const x = scale([-0.5, LAST + 0.5], [left, right]);
    const y = scale([0, 1], [bottom, bottom - plot]);
    const far = Math.max(TRAINED - 1, offset); // as far as one has been, until all are there
    const end = far + beyond * (LAST - far);
    const looks = Array.from({ length: Math.floor(end) + 1 }, (_, n) => n);
    const column_ = Math.max(1.6, 0.7 * (x(1) - x(0)));
    const weight = (/** @type {number} */ n) => Math.min(1.06, Math.exp(-sum(leads(hands, OMEGAS, BACK, n))));
    const stem = (/** @type {number} */ n) => `M${x(n).toFixed(1)} ${bottom}V${y(weight(n)).toFixed(2)}`;
    const side = x(offset) < left + 72 ? -1 : x(offset) > right - 72 ? 1 : 0; // its name begins or ends at the cursor
    const ticks = [0, 20, 40, 60, 80, 100, 120].map(
      (n) =>
        line(x(n), bottom, x(n), bottom + 4, "muted hair") +
        text([x(n), bottom + 17], String(n), "small muted"),
    );
    const taller = times > 1 ? ` (${times} times as tall)` : "";
    const favors = narrow
      ? `favors ${BACK} over ${whole} back, mean${taller}`
      : `how much each hand favors ${BACK} back over ${whole} back, mean of ${RUNS} heads${taller}`;
    const measured = known > 0 && weights === Object.keys(HEADS)[0];
    const answers = RIGHT.slice(0, Math.round(known * RIGHT.length));
    /** @type {Grip["moves"][string]} */
    const here = (_, __, to) => ((to[0] - left) / (right - left)) * (LAST + 1) - 0.5;
    panel.draw(
      text(
        [0, 14],
        narrow
          ? `hands, fast first, since ${BACK} back`
          : `${OMEGAS.length} hands, fast ones first, turned since ${BACK} back`,
        "small",
        "start",
      ) +
        text([right, 14], narrow ? "slow" : "slow ones", "small muted", "end") +
        dials.join("") +
        text([0, low + 18], favors, "small", "start") +
        (heard > 0.5 && times === 1
          ? text(
              [
                middle(0) + wide / 2 + 6,
                base - Math.max(bar(most[0]) - (narrow ? 18 : 26), bar(most[1]) + 10),
              ],
              "frame: the most that it can add",
              "small muted",
              "start",
            )
          : "") +
        line(0, base, right + 8, base, "muted hair") +
        votes.join("") +
        quiet +
        [0, 0.5, 1]
          .map(
            (part) =>
              line(left, y(part), right, y(part), part ? "grid hair" : "muted hair") +
              text([left - 6, y(part) + 4], String(100 * part), "small muted", "end"),
          )
          .join("") +
        ticks.join("") +
        line(left, bottom, x(TRAINED - 0.5), bottom, "bold") +
        line(x(offset), bottom - plot - 10, x(offset), bottom, `${style} hair`) +
        (measured
          ? dots(
              answers.map((share, n) => [x(BACK + n), y(share / 1000)]),
              1.6,
              "muted",
            )
          : "") +
        uprights(looks.filter((n) => n !== BACK).map(stem), column_.toFixed(1), "muted") +
        uprights([stem(BACK)], column_.toFixed(1), "shifted") +
        (is === "wrong" && whole <= end ? uprights([stem(whole)], column_.toFixed(1), "claimed") : "") +
        text([x(9), bottom - 9], narrow ? "" : "in training", "small clear", "start") +
        (measured
          ? text(
              [x(BACK + 3), y(0.73)],
              narrow ? "dots: % right" : "dots: % right where the",
              "small muted clear",
              "start",
            ) +
            (narrow
              ? ""
              : text([x(BACK + 3), y(0.56)], "first token is so far back", "small muted clear", "start"))
          : "") +
        circle([x(offset), bottom], 6, `${style} ring knob`) +
        text(
          [0, base + 26],
          narrow
            ? `from mean scores, % of ${BACK} back’s`
            : `softmax of the mean scores, in % of what ${BACK} back gets`,
          "small",
          "start",
        ) +
        text(
          [x(offset) + 6 * side, base + 44],
          is === "right" ? `${whole} back: ${said}` : `${whole} back: ${said} of ${BACK} back’s`,
          `${style} strong`,
          side ? (side < 0 ? "start" : "end") : "middle",
        ) +
        text([right, bottom + 32], "tokens back", "small", "end"),
      `Mean of ${RUNS} heads, the hands count ${spoken(weights)}. By the mean scores the token ${whole} back` +
        ` gets ${said} of what the right one gets. The two fastest hands add ${fixed(adds[0] + adds[1], 2)}` +
        ` to the lead of the right one, the others ${fixed(sum(adds.slice(2)), 2)}.`,
      [
        {
          kind: "cursor",
          points: corners(left, base + 20, right - left, bottom + 20 - base - 20),
          moves: { offset: here },
        },
        cursor(
          "offset",
          [bottom - plot - 10, bottom].map((end) => [x(offset), end]),
          x,
        ),
      ],
    );
    const adding = (/** @type {number} */ from, /** @type {number} */ to) =>
      `<b>${fixed(sum(adds.slice(from, to)), 2)}</b> of ${fixed(sum(most.slice(from, to)), 1)}`;
    note.innerHTML =
      is === "right"
        ? "This is the right token."
        : `The two fastest hands add ${adding(0, 2)} to the lead of <span class="shifted">${BACK} back</span>,` +
          ` the others ${adding(2, OMEGAS.length)}: so <span class="claimed">${whole} back</span>` +
          ` gets <b>${said}</b> as much as ${BACK} back.`;
    return { leads: adds, lead, share, turns: OMEGAS.map((omega) => turns(omega, offset - BACK)) };
  };
});
