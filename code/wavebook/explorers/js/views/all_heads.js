// @ts-check
// Above what a head of a language model attends to, by offset, as it was measured; below what its own hands say of
// the same offsets; and the hands, turned to the offset under the cursor. A press goes to an offset or chooses a hand.

import { cursor, turned as degreesTo, slid } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, beside, circle, corners, line, path, text } from "../lib/kit/svg.js";
import { greatestFrom, ownScore, turnOne } from "../lib/own_rule.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Point, Scale } from "../types" */

/**
 * @type {{ signs: string, least: number, steps: number, far: number, end: number, omega: number[], parts: number,
 *   random: string[][], texts: string[][], looks: Record<string, number[][][]>, hands: number[][][][],
 *   changes: string[], moved: Record<string, number[]> }}
 */
const KEPT = /** @type {any} */ (SPEC.constants);
const { least: LEAST, far: FAR, end: END } = KEPT;
const LEVEL = new Map([...KEPT.signs].map((sign, level) => [sign, level]));
const LEFT = 44;
/** So near to a ring or a mark, in pixels, a press is meant for it; so far apart are names that can be read. */
const [MEANT, APART] = [8, 34];
/** Small hands that are numbered: enough to count from, and the two that the page speaks of. */
const NUMBERED = [0, 8, 16, 23, 24];

/**
 * By how much the curves are lower in a narrow drawing, so that what is said of them is on the same screen.
 * @param {number} width
 */
const lessOf = (width) => (width < 560 ? 18 : 0);

/**
 * How the small hands stand in so wide a drawing: from where, how far apart, and how large. A number is below its hand.
 * @param {number} width
 */
function rowsOf(width) {
  const [columns, left] = [width < 560 ? 8 : 16, 112];
  const across = (width - left - 4) / columns;
  const radius = Math.min(21, 0.46 * across);
  return { columns, left, across, radius, down: 2 * radius + 17, top: columns < 16 ? 58 : 22 };
}

/**
 * @typedef {{ layer: number, head: number, tokens: string, offset: number, pair: number, turned: number,
 *   shown: number, speed: number }} Traits
 */

/**
 * A curve over the offsets, one of them ringed, `next` ones named, one marked as that `then` looked at, and the cursor,
 * which a press takes elsewhere. A narrow panel has the highest of each three. One that ends early says where.
 * @param {Panel} panel
 * @param {number[]} values
 * @param {Scale} y
 * @param {{ offset: number, ringed: number, height: number, then?: number, next?: number[], style: string,
 *   name: string, said: string, xName?: string, yTicks?: number[] }} shown `height` is the ring's
 */
function drawCurve(
  panel,
  values,
  y,
  { offset, ringed, height, then, next = [], style, name, said, xName, yTicks },
) {
  const x = scale([0, END - 1], [LEFT, panel.width - 12]);
  const [low, high] = y.range;
  const every = panel.width < 560 ? 3 : 1;
  const highest = Array.from({ length: Math.ceil(values.length / every) }, (_, n) =>
    Math.max(...values.slice(every * n, every * (n + 1))),
  );
  /** @type {Grip} */
  const press = {
    kind: "map",
    points: corners(LEFT, high, x.range[1] - LEFT, low - high),
    moves: {
      offset: (_, __, to) =>
        [then, ringed].find((k) => k !== undefined && Math.abs(to[0] - x(k)) < MEANT) ??
        slid(0, [LEFT, 0], to, x),
    },
  };
  /** @type {Point[]} */
  const here = [low, high].map((end) => [x(offset), end]);
  // No line goes through the ring's name: it stands above the ring, or beside the cursor or mark that is there.
  const lines = then === undefined ? [x(offset)] : [x(offset), x(then)];
  const crossing = lines.filter((at) => Math.abs(at - x(ringed)) < 20);
  const right = crossing.every((at) => at <= x(ringed) + 5);
  const side = right && x(ringed) < panel.width - 50 ? 1 : -1;
  const above = !crossing.length && x(ringed) <= panel.width - 50;
  /** @type {number[]} */
  const named = [];
  for (const k of next) {
    if ([ringed, ...named].every((other) => Math.abs(x(k) - x(other)) > APART)) named.push(k);
  }
  const last = values.length - 1;
  const ends = last < END - 1 && [...lines, x(ringed)].every((at) => Math.abs(at - x(last)) > 50);
  panel.draw(
    axes(x, y, { xName, yTicks }) +
      text([LEFT - 6, 14], name, "muted", "start") +
      path(
        highest.map((value, n) => [x(every * n + (every - 1) / 2), y(value)]),
        style,
      ) +
      path(here, "here hair") +
      (then === undefined
        ? ""
        : line(x(then), low, x(then), high, "thick dashed") +
          beside([x(then), high - 6], `then ${then} (measured)`, "strong", panel.width / 2)) +
      circle([x(ringed), y(height)], 4.5, `ring ${style}`) +
      text(
        [x(ringed) + (above ? 0 : 7 * side), y(height) - 9],
        `${ringed}`,
        `strong ${style}`,
        above ? "middle" : side > 0 ? "start" : "end",
      ) +
      named
        .filter((k) => lines.every((at) => Math.abs(at - x(k)) > APART / 2))
        .map((k) => text([Math.min(x(k), panel.width - 26), y(values[k]) - 7], `${k}`, "muted"))
        .join("") +
      (ends ? text([x(last) + 5, y(values[last]) + 4], `to ${last}`, "muted", "start") : ""),
    said,
    [press, cursor("offset", here, x)],
  );
}

/**
 * The score of each offset by a head's hands, one of them turned, and all at a speed.
 * @param {Traits} traits
 */
function scoresOf({ layer, head, pair, turned, speed }) {
  const { real, imaginary, omegas } = handsOf({ layer, head, pair, turned, speed });
  return Array.from({ length: END }, (_, k) => ownScore(real, imaginary, omegas, k));
}

/**
 * A head's hands as they are changed.
 * @param {Pick<Traits, "layer" | "head" | "pair" | "turned" | "speed">} traits
 */
function handsOf({ layer, head, pair, turned, speed }) {
  const own = KEPT.hands.map((part) => part[layer][head].map((value) => value / KEPT.parts));
  const [real, imaginary] = turnOne(own[0], own[1], pair, turned);
  return { real, imaginary, omegas: KEPT.omega.map((omega) => speed * omega) };
}

export default explorer("All heads of a language model", (/** @type {Kit<Traits>} */ kit) => {
  kit.shows = { here: "Δ" };
  kit.slider("offset", { label: "offset *Δ*" });
  // To look at a hand changes nothing: the one that is turned stays so until the one that is shown is turned.
  const turnOf = (/** @type {Traits} */ { shown, pair, turned }) => (shown === pair ? turned : 0);
  kit.keep("pair");
  kit.slider("shown", { label: "hand *i*", style: "shifted" });
  const turn = kit.slider("turned", {
    label: "turned by",
    style: "shifted",
    show: (_, traits) => `${fixed(turnOf(traits), 0)}°`,
  });
  const faster = kit.slider("speed", { label: "all hands times", show: (factor) => fixed(factor, 2) });
  kit.on(turn, "input", () => kit.set("pair", kit.values().shown));
  // A cursor at what the hands name first goes with it, and comes back.
  let first = -1;
  const follow = () => {
    const traits = kit.values();
    if (traits.offset === first) kit.set("offset", greatestFrom(scoresOf(traits), FAR));
  };
  kit.on(faster, "input", follow);
  kit.button("Hands unchanged", () => {
    kit.put({ turned: 0, speed: 1 }, true);
    follow();
  });
  kit.slider("layer", { label: "layer" });
  kit.slider("head", { label: "head" });
  kit.choice("tokens", { label: "the model reads" });
  kit.smooth("offset", "speed", "turned");
  const measured = kit.panel({ height: (width) => 168 - lessOf(width), basis: 640 });
  const formula = kit.panel({ height: (width) => 164 - lessOf(width), basis: 640 });
  const row = kit.panel({
    height: (width) => Math.max(138, rowsOf(width).top + (32 * rowsOf(width).down) / rowsOf(width).columns),
    basis: 640,
  });
  const note = kit.note("words", 3, 6);

  return (traits) => {
    const { layer, head, tokens, offset, pair, turned, shown, speed } = traits;
    const whole = Math.round(offset);
    const signs = (tokens === "texts" ? KEPT.texts : KEPT.random)[layer][head];
    const weights = Array.from(signs, (sign) => 10 ** (LEAST + (LEVEL.get(sign) ?? 0) / KEPT.steps));
    const until = signs.length - 1;
    const [near, look, nearest, farWeight, alike] = KEPT.looks[tokens][layer][head];
    const weight = (/** @type {number} */ value) =>
      value > 10 ** LEAST ? `about ${short(100 * value, 1)}\u00a0%` : "less than 0.0001\u00a0%";
    const others =
      alike > 2
        ? `, or to one of ${alike - 1} more that get as much`
        : alike > 1
          ? ", or to another that gets as much"
          : "";
    const nearby = near ? `the token ${near} back` : "the token itself";
    const { real, imaginary, omegas } = handsOf(traits);
    const scores = scoresOf(traits);
    const order = scores.map((_, k) => k).slice(FAR);
    const [says, ...next] = order.sort((a, b) => scores[b] - scores[a]).slice(0, 3);
    first = says;
    turn.value = String(turnOf(traits));
    const here = ownScore(real, imaginary, omegas, offset);
    // What was changed in the model itself, one thing at a time, and where it then looked.
    const sped = Math.abs(speed - 1) > 1e-9;
    const changed = turned !== 0 || sped;
    const change = sped ? fixed(speed, 2) : `${pair} ${turned}`;
    const moved = tokens === "texts" ? undefined : KEPT.moved[`${layer}.${head}`];
    const then = sped && turned ? undefined : moved?.[KEPT.changes.indexOf(change)];
    const tried = (/** @type {number} */ i) => moved && KEPT.changes.includes(`${i} 90`);
    const known =
      then === undefined
        ? `The model was not measured with this change${!sped && tried(pair) ? ", but with 90° and 180°" : ""}.`
        : `With this change the model looked <b>${then}</b> back <i>(measured)</i>.`;

    const inPercent = weights.map((value) => 100 * value);
    drawCurve(
      measured,
      inPercent,
      scale([100 * 10 ** LEAST, 100], [144 - lessOf(measured.width), 38], "log"),
      {
        offset,
        ringed: look,
        height: 100 * Math.max(10 ** LEAST, farWeight),
        then,
        style: changed ? "muted" : "",
        name: changed ? "measured in %, log scale, hands unchanged" : "measured weight in %, log scale",
        yTicks: [100, 1, 0.01],
        said:
          `Head ${layer}.${head}, ${spoken(tokens)}: mean weight by offset. It gives most to ${near} back,` +
          ` and of the offsets ${FAR} to ${until} to ${look} back${others}, with ${weight(farWeight)}.`,
      },
    );

    const least = Math.min(...scores);
    const most = Math.max(...scores);
    const room = 0.05 * (most - least);
    drawCurve(formula, scores, scale([least - room, most + room], [126 - lessOf(formula.width), 34]), {
      offset,
      ringed: says,
      height: scores[says],
      next,
      style: "claimed",
      name: `score *s* of these hands: ${fixed(here, 1)} at ${whole}`,
      said:
        `The score by its own hands: of the offsets ${FAR} to ${END - 1} the greatest is at ${says}.` +
        ` At ${whole} it is ${fixed(here, 1)}.`,
      xName: "offset *Δ*",
    });

    const sizes = real.map((re, i) => Math.hypot(re, imaginary[i]));
    const largest = Math.max(...sizes);
    const angleOf = (/** @type {number} */ i) => Math.atan2(imaginary[i], real[i]) + omegas[i] * offset;
    const { columns, left, across, radius, down, top } = rowsOf(row.width);
    const hubs = sizes.map((_, i) => {
      const y = top + radius + down * Math.floor(i / columns);
      return /** @type {Point} */ ([left + across * ((i % columns) + 0.5), y]);
    });
    const small = sizes.map((size, i) => {
      const at = atAngle(hubs[i], radius - 2);
      const [tip, edge] = [Math.sqrt(size / largest), 1].map((part) => at(angleOf(i), part));
      const style = i === shown || (i === pair && turned) ? "shifted" : "";
      return (
        circle(hubs[i], radius, i === shown ? style : tried(i) ? "" : "grid") +
        line(...hubs[i], ...edge, "hair muted") +
        line(...hubs[i], ...tip, `${style} thick`)
      );
    });
    const too = moved ? " Bold ring: we turned this hand in the model itself." : "";
    const legend =
      top > 22
        ? [
            `Fastest first, at *Δ* = ${whole}.`,
            "Up adds. Thick part: √size.",
            ...(moved ? ["Bold ring: turned in the model"] : []),
          ]
        : [`The 32 hands at *Δ* = ${whole}, fastest first. Up adds. Thick part: √size.${too}`];
    /** @type {Point} */
    const hub = [50, top + 52];
    const tip = atAngle(hub, 42)(angleOf(shown));
    row.draw(
      circle(hub, 42, "grid") +
        line(...hub, ...tip, "shifted thick") +
        circle(tip, 4.5, "fill shifted") +
        small.join("") +
        NUMBERED.map((i) => text([hubs[i][0], hubs[i][1] + radius + 12], `${i}`, "muted")).join("") +
        text([8, top - 8], `hand ${shown}`, "shifted", "start") +
        text([hub[0], top + 112], `size ${fixed(sizes[shown], 1)}`, "shifted") +
        legend.map((words, n) => text([left, 14 + 18 * n], words, "muted", "start")).join(""),
      `The 32 hands of head ${layer}.${head}, turned to offset ${whole}, drawn to the root of their size.` +
        ` Hand ${shown} has the size ${fixed(sizes[shown], 1)} and is turned by ${fixed(turnOf(traits), 0)} degrees.`,
      [
        {
          kind: "hand",
          points: [hub, tip],
          moves: {
            // Where another hand was turned, this one begins at nothing.
            turned: (value, from, to) =>
              degreesTo(turnOf({ ...kit.values(), turned: value }), from, to, hub, Math.PI / 180),
            pair: () => shown,
          },
        },
        ...hubs.map(
          (one, i) => /** @type {Grip} */ ({ kind: "pick", points: [one], moves: { shown: () => i } }),
        ),
      ],
    );
    const named = until < END - 1 ? `, of those to ${END - 1}` : "";
    const shorter =
      says > until ? `; of those to ${until}, ${greatestFrom(scores.slice(0, until + 1), FAR)}` : "";
    note.innerHTML = changed
      ? `Unchanged, head <b>${layer}.${head}</b> looks <b>${look}</b> back${others}: ${weight(farWeight)}. Changed,` +
        ` its hands name <b>${says}</b> first${named}${shorter}. ${known}`
      : `Head <b>${layer}.${head}</b> gives ${weight(nearest)} to ${nearby}. Of those ${FAR} to ${until} back` +
        ` it gives most to <b>${look}</b>${others}: ${weight(farWeight)} <i>(measured)</i>. Its own hands name <b>${says}</b> first${named}${shorter}.`;
    return {
      near,
      look,
      look_weight: farWeight,
      alike,
      says,
      then: then ?? null,
      score: here,
      size: sizes[shown],
      weight_here: whole > until ? null : weights[whole],
    };
  };
});
