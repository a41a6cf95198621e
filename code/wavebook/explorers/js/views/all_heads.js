// @ts-check
// Above what a head of a language model attends to, by offset, as it was measured; below what its own hands say of
// the same offsets; and the hands, turned to the offset under the cursor. A press goes to an offset or chooses a hand.

import { cursor, hand, slid } from "../lib/kit/drag.js";
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
 *   moved: Record<string, Record<string, number>> }}
 */
const KEPT = /** @type {any} */ (SPEC.constants);
const { least: LEAST, far: FAR, end: END } = KEPT;
const LEVEL = new Map([...KEPT.signs].map((sign, level) => [sign, level]));
const LEFT = 44;
/** So near to a ring or a mark, in pixels, a press is meant for it. */
const MEANT = 8;

/**
 * @typedef {{ layer: number, head: number, tokens: string, offset: number, pair: number, turned: number,
 *   speed: number }} Traits
 */

/**
 * A curve over the offsets, one of them ringed, one marked as that `then` looked at, and the cursor, which a press
 * takes elsewhere. A narrow panel has the highest of each three.
 * @param {Panel} panel
 * @param {number[]} values
 * @param {Scale} y
 * @param {{ offset: number, ringed: number, height: number, then?: number, style: string, name: string, said: string,
 *   xName?: string }} shown `height` is the ring's
 */
function drawCurve(panel, values, y, { offset, ringed, height, then, style, name, said, xName }) {
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
  panel.draw(
    axes(x, y, { xName }) +
      text([LEFT - 6, 14], name, "muted", "start") +
      path(
        highest.map((value, n) => [x(every * n + (every - 1) / 2), y(value)]),
        style,
      ) +
      path(here, "here hair") +
      (then === undefined
        ? ""
        : line(x(then), low, x(then), high, "thick dashed") +
          beside([x(then), high - 6], `then ${then}`, "strong", panel.width / 2)) +
      circle([x(ringed), y(height)], 4.5, `ring ${style}`) +
      text(
        [x(ringed), y(height) - 9],
        `${ringed}`,
        `strong ${style}`,
        x(ringed) > panel.width - 50 ? "end" : "middle",
      ),
    said,
    [press, cursor("offset", here, x)],
  );
}

export default explorer("All heads of a language model", (/** @type {Kit<Traits>} */ kit) => {
  kit.shows = { here: "Δ" };
  kit.slider("offset", { label: "offset *Δ*" });
  kit.slider("layer", { label: "layer" });
  kit.slider("head", { label: "head" });
  kit.choice("tokens", { label: "the model reads" });
  kit.slider("pair", { label: "hand *i*", style: "shifted" });
  kit.slider("turned", { label: "turned by", style: "shifted", show: (degrees) => `${fixed(degrees, 0)}°` });
  kit.slider("speed", { label: "all hands times", show: (factor) => fixed(factor, 2) });
  kit.smooth("offset", "speed", "turned");
  const measured = kit.panel({ height: 212, basis: 640 });
  const formula = kit.panel({ height: 198, basis: 640 });
  const row = kit.panel({ height: (width) => (width < 560 ? 212 : 132), basis: 640 });
  const note = kit.note("words", 3, 6);

  return ({ layer, head, tokens, offset, pair, turned, speed }) => {
    const whole = Math.round(offset);
    const signs = (tokens === "texts" ? KEPT.texts : KEPT.random)[layer][head];
    const weights = Array.from(signs, (sign) => 10 ** (LEAST + (LEVEL.get(sign) ?? 0) / KEPT.steps));
    const until = signs.length - 1;
    const [near, look, nearest, farWeight, alike] = KEPT.looks[tokens][layer][head];
    const weight = (/** @type {number} */ value) =>
      value > 10 ** LEAST ? `about ${short(value, 1)}` : "less than a millionth";
    const others =
      alike > 2
        ? `, or to one of ${alike - 1} more that get as much`
        : alike > 1
          ? ", or to another that gets as much"
          : "";
    const nearby = near ? `the token ${near} back` : "the token itself";
    const omegas = KEPT.omega.map((omega) => speed * omega);
    const own = KEPT.hands.map((part) => part[layer][head].map((value) => value / KEPT.parts));
    const [real, imaginary] = turnOne(own[0], own[1], pair, turned);
    const scores = Array.from({ length: END }, (_, k) => ownScore(real, imaginary, omegas, k));
    const says = greatestFrom(scores, FAR);
    const here = ownScore(real, imaginary, omegas, offset);
    // What was changed in the model itself, one thing at a time, and where it then looked.
    const faster = Math.abs(speed - 1) > 1e-9;
    const changed = turned !== 0 || faster;
    const change = faster ? fixed(speed, 2) : `${pair} ${turned}`;
    const single = tokens !== "texts" && !(faster && turned);
    const then = single ? KEPT.moved[`${layer}.${head}`]?.[change] : undefined;
    const known =
      then === undefined
        ? "With this change the model was not measured."
        : `With this change the model looked <b>${then}</b> back <i>(measured)</i>.`;

    drawCurve(measured, weights, scale([10 ** LEAST, 1], [176, 42], "log"), {
      offset,
      ringed: look,
      height: Math.max(10 ** LEAST, farWeight),
      then,
      style: changed ? "muted" : "",
      name: changed ? "weight, measured with hands unchanged" : "weight, measured",
      said:
        `Head ${layer}.${head}, ${spoken(tokens)}: mean weight by offset. It gives most to ${near} back,` +
        ` and of the offsets ${FAR} to ${until} to ${look} back${others}, with ${weight(farWeight)}.`,
    });

    const least = Math.min(...scores);
    const most = Math.max(...scores);
    const room = 0.05 * (most - least);
    drawCurve(formula, scores, scale([least - room, most + room], [160, 42]), {
      offset,
      ringed: says,
      height: scores[says],
      style: "claimed",
      name: "score *s*, from the hands below",
      said:
        `The score by its own hands: of the offsets ${FAR} to ${END - 1} the greatest is at ${says}.` +
        ` At ${whole} it is ${fixed(here, 1)}.`,
      xName: "offset *Δ*",
    });

    const sizes = real.map((re, i) => Math.hypot(re, imaginary[i]));
    const largest = Math.max(...sizes);
    const angleOf = (/** @type {number} */ i) => Math.atan2(imaginary[i], real[i]) + omegas[i] * offset;
    const columns = row.width < 560 ? 8 : 16;
    const left = 112;
    const step = (row.width - left - 4) / columns;
    const hubs = sizes.map(
      (_, i) =>
        /** @type {Point} */ ([left + step * ((i % columns) + 0.5), 44 + 46 * Math.floor(i / columns)]),
    );
    const small = sizes.map((size, i) => {
      const radius = Math.min(19, 0.46 * step);
      const tip = atAngle(hubs[i], radius)(angleOf(i), 0.88 * Math.sqrt(size / largest));
      const style = i === pair ? "shifted" : "";
      return circle(hubs[i], radius, style || "grid") + line(...hubs[i], ...tip, `${style} thick`);
    });
    /** @type {Point} */
    const hub = [50, 74];
    const tip = atAngle(hub, 42)(angleOf(pair));
    row.draw(
      circle(hub, 42, "grid") +
        line(...hub, ...tip, "shifted thick") +
        circle(tip, 4.5, "fill shifted") +
        small.join("") +
        text([8, 14], `hand ${pair}`, "shifted", "start") +
        text(
          [left, 14],
          row.width < 560 ? "fastest first; up adds" : "all 32, fastest first; up adds to the score",
          "muted",
          "start",
        ),
      `The 32 hands of head ${layer}.${head}, turned to offset ${whole}, drawn to the root of their size.` +
        ` Hand ${pair} has the size ${fixed(sizes[pair], 1)} and is turned by ${fixed(turned, 0)} degrees.`,
      [
        hand("turned", [hub, tip], hub, Math.PI / 180),
        // Another hand is chosen as it is, not with the turn of the one before.
        ...hubs.map(
          (one, i) =>
            /** @type {Grip} */ ({
              kind: "pick",
              points: [one],
              moves: { pair: () => i, ...(i !== pair && { turned: () => 0 }) },
            }),
        ),
      ],
    );
    const named = until < END - 1 ? `, of those to ${END - 1}` : "";
    const shorter =
      says > until ? `; of those to ${until}, ${greatestFrom(scores.slice(0, until + 1), FAR)}` : "";
    const gives = `<b>${look}</b>${others}: ${weight(farWeight)}`;
    note.innerHTML = changed
      ? `Unchanged, head <b>${layer}.${head}</b> gives most of ${FAR} to ${until} back to ${gives}. Its hands,` +
        ` changed as they are now, name <b>${says}</b> first${named}${shorter}. ${known}`
      : `Head <b>${layer}.${head}</b> gives ${weight(nearest)} to ${nearby}. Of those ${FAR} to ${until} back` +
        ` it gives most to ${gives} <i>(measured)</i>. Its own hands name <b>${says}</b> first${named}${shorter}.`;
    return {
      near,
      look,
      look_weight: farWeight,
      alike,
      says,
      then: then ?? null,
      score: here,
      size: sizes[pair],
      weight_here: whole > until ? null : weights[whole],
    };
  };
});
