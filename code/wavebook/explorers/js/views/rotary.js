// @ts-check
// RoPE on one pair: a dial with the query and the key, turned by their positions, the angle between them, and
// the score as a bar. Beside it the scores of all pairs of positions with the same offset: under RoPE one
// line, and a curve if encodings are added instead; or, after a question about the offset and until both
// positions move, the score under RoPE against the offset. At first that is all; then, below, the same two
// arrows in more pairs at once, each slower than the one before it.

import { hand, slid } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short, spoken } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, onDial, path, sample, text, upTo } from "../lib/kit/svg.js";
import { addedScore, angleBetween, ropeScore, rotated } from "../lib/rope.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point, Scale } from "../types" */

/** @typedef {{ p: number, q: number, frequency: number, pairs: number }} Traits */

/** @type {{ query: Point, key: Point, slower: number }} */
const { query: QUERY, key: KEY, slower: SLOWER } = /** @type {any} */ (SPEC.constants);
const { max: LAST } = SPEC.traits.p;
const { max: MOST_PAIRS } = SPEC.traits.pairs;
const REACHES = [0.5, 1, 1.5, 2, 3]; // what the axis of the scores may end at
const MOST = Math.hypot(...QUERY) * Math.hypot(...KEY); // the score of arrows that point the same way

/** @type {(angle: number, digits: number) => string} */
const degrees = (angle, digits) => fixed((Math.abs(angle) * 180) / Math.PI, digits);

/**
 * A dial: query and key at the ends of their turns, and the angle from one to the other.
 * @param {Point} center
 * @param {number} radius
 * @param {number} omega
 * @param {number} p
 * @param {number} q
 */
function dial(center, radius, omega, p, q) {
  const query = rotated(QUERY, omega * p);
  const key = rotated(KEY, omega * q);
  const at = onDial(center, radius);
  const angle = angleBetween(query, key);
  const arc = sample(0, angle, 24, (turn) => at(rotated(query, turn), 0.42 / Math.hypot(...query)));
  const markup =
    circle(center, radius, "muted hair") +
    path([center, ...arc], "wash", true) +
    path(arc, "thick") +
    arrow([center, at(query)], "bold query") +
    arrow([center, at(key)], "shifted bold key");
  return { markup, at, query, key, angle };
}

/**
 * A name at the tip of an arrow, beyond it, so that it covers neither the tip nor the rim.
 * @param {Point} tip
 * @param {Point} center
 * @param {string} name
 * @param {string} role
 */
function beyond([x, y], [cx, cy], name, role) {
  const far = Math.hypot(x - cx, y - cy) || 1;
  const [across, down] = [(x - cx) / far, (y - cy) / far];
  const anchor = across > 0.4 ? "start" : across < -0.4 ? "end" : "middle";
  return text([x + 9 * across, y + 13 * down + 4], name, role, anchor);
}

/**
 * A score as a bar from zero.
 * @param {Scale} x
 * @param {number} y
 * @param {number} score
 */
const bar = (x, y, score) =>
  line(x(x.domain[0]), y, x(x.domain[1]), y, "grid") +
  line(x(0), y - 7, x(0), y + 7, "muted hair") +
  line(x(0), y, x(score), y, "beam score");

/**
 * A cursor that moves query and key together, so that their offset stays.
 * @param {Point[]} points
 * @param {Scale} x
 * @param {number} offset
 * @returns {Grip}
 */
function together(points, x, offset) {
  /** @type {(low: number, high: number) => Grip["moves"][string]} */
  const kept = (low, high) => (value, from, to) => Math.min(high, Math.max(low, slid(value, from, to, x)));
  const [least, most] = [Math.max(0, offset), LAST + Math.min(0, offset)];
  return {
    kind: "cursor",
    points,
    moves: { p: kept(least, most), q: kept(least - offset, most - offset) },
  };
}

export default explorer("RoPE: query and key as two arrows", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("p", "q");
  kit.shows = { query: "query p", key: "key q", score: "score" };
  kit.slider("p", { label: "query’s place *p*" });
  kit.slider("q", { label: "key’s place *q*", style: "shifted" });
  kit.slider("frequency", { label: "frequency *ω*" });
  kit.button("Move both by one", () => {
    const { p, q } = kit.values();
    const step = Math.max(p, q) < LAST ? 1 : -Math.min(p, q);
    kit.set("p", p + step);
    kit.set("q", q + step);
  });
  const phone = () => window.innerWidth < 541; // where both are to be seen with what is said of them
  const tall = (/** @type {number} */ width) => Math.min(width, phone() ? 210 : 300);
  const large = kit.panel({ basis: 350, height: (width) => tall(width) + 4 });
  const trail = kit.panel({ basis: 300, height: () => (phone() ? 200 : 290) });
  kit.keep("pairs");
  const more = kit.button("", () => {
    const { pairs } = kit.values();
    kit.set("pairs", pairs < MOST_PAIRS ? pairs + 1 : 1);
  });
  const several = kit.panel({ basis: 640, height: () => (kit.values().pairs > 1 ? 190 : 0) });
  const note = kit.note("formula", 1, 4);

  /**
   * The score under RoPE against the offset: as far as the key has gone while that is a question.
   * @param {number} offset
   * @param {number} omega
   */
  function drawByOffset(offset, omega) {
    const way = offset < 0 ? -1 : 1;
    const x = scale(way < 0 ? [-LAST, 0] : [0, LAST], [44, trail.width - 14]);
    const y = scale([-1, 1], [trail.height - 42, 26]);
    const [here, whole] = [ropeScore(offset, QUERY, KEY, [omega]), kit.part("offsets") === 1];
    const end = whole ? LAST : Math.abs(offset);
    const curve = sample(
      0,
      way * end,
      Math.ceil(6 * end) || 1,
      (apart) => /** @type {Point} */ ([x(apart), y(ropeScore(apart, QUERY, KEY, [omega]))]),
    );
    trail.draw(
      axes(x, y, { xName: "*p* − *q*", yName: "score under RoPE", yTicks: [-1, -0.5, 0, 0.5, 1] }) +
        path(curve, "thick") +
        line(x(offset), y.range[0], x(offset), y.range[1], "muted hair") +
        circle([x(offset), y(here)], 5.5),
      `The score under RoPE against the offset. At ${fixed(offset, 0)} it is ${fixed(here)}${
        whole ? "; it falls and rises with each turn of the key" : ""
      }.`,
      [
        {
          kind: "cursor",
          points: y.range.map((end) => [x(offset), end]),
          moves: { q: (value, from, to) => value - slid(0, from, to, x) },
        },
      ],
    );
  }

  return ({ p, q, frequency: omega, pairs }) => {
    const offset = p - q;
    // As the question asks for it, until the query moves: then the key goes with it.
    const byOffset = kit.asks?.hides.includes("offsets") && p === kit.asks.setting.p;
    const score = ropeScore(offset, QUERY, KEY, [omega]);
    const added = addedScore(p, q, QUERY, KEY, omega);

    const radius = tall(large.width) / 2 - (phone() ? 42 : 50);
    /** @type {Point} */
    const center = [large.width / 2, radius + 34];
    const { markup, at, query, key, angle } = dial(center, radius, omega, p, q);
    const halfway = rotated(query, angle / 2);
    const apart = (Math.sign(angle) || 1) * Math.max(0, 0.15 - Math.abs(angle) / 2); // for the names
    const low = large.height - 26;
    const wide = scale([-MOST, MOST], [center[0] - radius, center[0] + radius]);
    large.draw(
      markup +
        beyond(at(rotated(query, -apart)), center, spoken("query"), "query") +
        beyond(at(rotated(key, apart), 1 / Math.hypot(...KEY)), center, spoken("key"), "shifted key") +
        text(at(halfway, 0.86 / Math.hypot(...halfway)), `${degrees(angle, 0)}°`, "strong") +
        bar(wide, low, score) +
        text([center[0], low + 23], `RoPE: score ${fixed(score)}`),
      `Two arrows. The query has turned by ${fixed(omega * p, 2)} radians, the key by` +
        ` ${fixed(omega * q, 2)}; the angle between them is ${degrees(angle, 1)} degrees.` +
        ` A bar shows the score, ${fixed(score)}.`,
      [
        hand("p", [at(query, 0.35), at(query)], center, -omega), // anticlockwise
        hand("q", [at(key, 0.35), at(key)], center, -omega),
      ],
    );

    // What either score is wherever the two are, as long as their offset stays.
    const first = Math.max(0, offset);
    const end = LAST + Math.min(0, offset);
    const wandering = sample(first, end, 4 * (end - first) || 1, (n) =>
      addedScore(n, n - offset, QUERY, KEY, omega),
    );
    const [least, most] = [Math.min(...wandering), Math.max(...wandering)];
    const reach = REACHES.find((end) => Math.max(-least, most, Math.abs(score)) <= end) ?? 4;
    const [name, room] = trail.width < 380 ? [spoken("added"), 48] : ["encodings added", 114]; // beside a line's end
    const x = scale([0, LAST], [44, trail.width - room]);
    const y = scale([-reach, reach], [trail.height - 42, 26]);
    // While a question is open there are the scores of these two positions; its answer draws all others.
    const seen = kit.part("scores");
    const along = wandering.map(
      (value, j) =>
        /** @type {Point} */ ([x(first + ((end - first) * j) / (wandering.length - 1)), y(value)]),
    );
    const level = along.map(([across]) => /** @type {Point} */ ([across, y(score)]));
    // Names are beside the ends of the lines, or the dots; two that are near each other go apart.
    const drawn = seen === 1;
    const ends = [y(score), drawn ? along[along.length - 1][1] : y(added)];
    const [middle, apartBy] = [(ends[0] + ends[1]) / 2, Math.max(15, Math.abs(ends[0] - ends[1])) / 2];
    const up = Math.sign(ends[1] - ends[0]) || 1;
    const beside = (drawn ? x(end) : x(p)) + 9;
    if (byOffset) {
      drawByOffset(offset, omega);
    } else {
      trail.draw(
        axes(x, y, {
          xName: `query at *p*, key ${fixed(Math.abs(offset), 0)} ${offset < 0 ? "ahead" : "behind"}`,
          yName: "score",
          yTicks: [-1, -0.5, 0, 0.5, 1].map((part) => part * reach),
        }) +
          path(upTo(along, seen), "claimed") +
          path(upTo(level, seen), "thick") +
          line(x(p), y.range[0], x(p), y.range[1], "muted hair") +
          (seen && !drawn
            ? ""
            : text([beside, middle - up * apartBy + 4], "RoPE", "small strong", "start") +
              text([beside, middle + up * apartBy + 4], name, "claimed small strong", "start")) +
          circle([x(p), y(added)], 5, "claimed ring") +
          circle([x(p), y(score)], 5.5),
        `Scores as both positions move on with ${fixed(offset, 0)} between them. RoPE gives ${fixed(score)}${
          drawn ? " everywhere" : " here"
        }; encodings that are added give ${fixed(added)} here${
          drawn ? `, and elsewhere from ${fixed(least)} to ${fixed(most)}` : ""
        }.`,
        [together([[x(p), y.range[0]], [x(p), y.range[1]]], x, offset)], // prettier-ignore
      );
    }

    more.textContent = pairs < MOST_PAIRS ? "Add a slower pair" : "Back to one pair";
    several.svg.style.display = pairs > 1 ? "" : "none";
    several.measure();
    const omegas = Array.from({ length: pairs }, (_, pair) => omega / SLOWER ** pair);
    const scores = omegas.map((each) => ropeScore(offset, QUERY, KEY, [each]));
    const size = several.width / (MOST_PAIRS + 1);
    const small = Math.min(46, size / 2 - 8);
    const dials = omegas.map((each, pair) => {
      const middle = size * (pair + 0.5);
      return (
        dial([middle, 78], small, each, p, q).markup +
        text([middle, 20], pair ? `*ω*/${short(SLOWER ** pair)}` : "*ω*", "small muted") +
        bar(scale([-MOST, MOST], [middle - small, middle + small]), 146, scores[pair]) +
        text([middle, 172], fixed(scores[pair], 2), "small") +
        (pair ? text([size * pair, 172], "+", "small") : "")
      );
    });
    const sum = scores.reduce((all, one) => all + one, 0);
    const last = size * (pairs + 0.5);
    several.draw(
      dials.join("") +
        text([size * pairs, 172], "=", "small") +
        text([last, 74], "score of", "small muted") +
        text([last, 90], "all pairs", "small muted") +
        bar(scale([-pairs * MOST, pairs * MOST], [last - small, last + small]), 146, sum) +
        text([last, 172], fixed(sum, 2), "strong"),
      `The same query and key in ${pairs} pairs at once, each ${SLOWER} times slower than the one` +
        ` before it.` +
        ` Their scores are ${scores.map((one) => fixed(one, 2)).join(", ")}; together ${fixed(sum, 2)}.`,
    );

    note.innerHTML =
      equation(rich("*p* − *q* ="), `<b>${fixed(offset, 0)}</b>`) +
      equation(`RoPE${pairs > 1 ? ", this pair" : ""}: score <b>${fixed(score, 2)}</b>`) +
      // Until both move, the picture has no added encodings.
      (byOffset
        ? ""
        : equation(`<span class="claimed">encodings added: score <b>${fixed(added, 2)}</b></span>`));
    return {
      query_radians: omega * p,
      key_radians: omega * q,
      angle_degrees: Math.abs(angle / Math.PI) * 180,
      score,
      added_score: added,
      added_least: least,
      added_most: most,
      scores,
      total: sum,
      offset,
    };
  };
});
