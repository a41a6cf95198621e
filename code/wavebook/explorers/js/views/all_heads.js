// @ts-check
// Above what a head of a language model attends to, by offset, as it was measured; below what its own hands say of
// the same offsets; and the hands, turned to the offset under the cursor. A press goes to an offset or chooses a hand.

import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, beside, circle, corners, line, path, text } from "../lib/kit/svg.js";
import { greatestFrom, ownScore, turnOne } from "../lib/own_rule.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Point, Scale } from "../types" */

/** @type {{ signs: string, least: number, steps: number, far: number, end: number, omega: number[], parts: number }} */
const {
  signs: SIGNS,
  least: LEAST,
  steps: STEPS,
  far: FAR,
  end: END,
  omega: OMEGA,
  parts: PARTS,
} = /** @type {any} */ (SPEC.constants);
/**
 * @type {{ random: string[][], texts: string[][], looks: Record<string, number[][][]>, hands: number[][][][],
 *   moved: Record<string, Record<string, number>> }}
 */
const {
  random: RANDOM,
  texts: TEXTS,
  looks: LOOKS,
  hands: HANDS,
  moved: MOVED,
} = /** @type {any} */ (SPEC.constants);
const LEVEL = new Map([...SIGNS].map((sign, level) => [sign, level]));
const LEFT = 44;
const RIGHT = 12;
/** So near to a ring, in pixels, a press is meant for it. */
const MEANT = 8;

/** @typedef {{ layer: number, head: number, tokens: string, offset: number, pair: number, turned: number, speed: number }} Traits */

/**
 * A curve over the offsets, of which one is ringed, and the cursor, which a press takes elsewhere. A narrow panel has
 * the highest of each three.
 * @param {Panel} panel
 * @param {number[]} values
 * @param {Scale} y
 * @param {{ offset: number, ringed: number, height: number, styles: [string, string], name: string, said: string,
 *   more?: (x: Scale) => string, xName?: string }} shown `height` is the ring's
 */
function drawCurve(
  panel,
  values,
  y,
  { offset, ringed, height, styles: [curve, ring], name, said, more, xName },
) {
  const x = scale([0, END - 1], [LEFT, panel.width - RIGHT]);
  const [low, high] = y.range;
  const highest = (/** @type {number} */ k) => Math.max(...values.slice(Math.max(0, k - 1), k + 2));
  /** @type {Point[]} */
  const places =
    panel.width < 560
      ? values.flatMap((_, k) => (k % 3 ? [] : [/** @type {Point} */ ([x(k), y(highest(k))])]))
      : values.map((value, k) => [x(k), y(value)]);
  /** @type {Grip} */
  const press = {
    kind: "map",
    points: corners(LEFT, high, panel.width - RIGHT - LEFT, low - high),
    moves: {
      offset: (_, __, [at]) =>
        Math.abs(at - x(ringed)) < MEANT ? ringed : ((END - 1) * (at - LEFT)) / (panel.width - RIGHT - LEFT),
    },
  };
  panel.draw(
    axes(x, y, { xName }) +
      text([LEFT - 6, 14], name, "muted", "start") +
      path(places, curve) +
      line(x(offset), low, x(offset), high, "here hair") +
      (more?.(x) ?? "") +
      circle([x(ringed), y(height)], 4.5, `ring ${ring}`) +
      text(
        [x(ringed), y(height) - 9],
        `${ringed}`,
        `strong ${ring}`,
        x(ringed) > panel.width - 50 ? "end" : "middle",
      ),
    said,
    [
      press,
      cursor(
        "offset",
        [low, high].map((end) => [x(offset), end]),
        x,
      ),
    ],
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
    const signs = (tokens === "texts" ? TEXTS : RANDOM)[layer][head];
    const weights = Array.from(signs, (sign) => 10 ** (LEAST + (LEVEL.get(sign) ?? 0) / STEPS));
    const until = signs.length - 1;
    const [near, look, nearest, farWeight, alike] = LOOKS[tokens][layer][head];
    const weight = (/** @type {number} */ value) =>
      value > 10 ** LEAST ? `about ${short(value, 1)}` : "less than a millionth";
    const others = alike > 1 ? `, or to one of ${alike - 1} more that get as much` : "";
    const omegas = OMEGA.map((omega) => speed * omega);
    const own = HANDS.map((part) => part[layer][head].map((value) => value / PARTS));
    const [real, imaginary] = turnOne(own[0], own[1], pair, turned);
    const scores = Array.from({ length: END }, (_, k) => ownScore(real, imaginary, omegas, k));
    const says = greatestFrom(scores, FAR);
    const here = ownScore(real, imaginary, omegas, offset);
    // What was changed in the model itself, one thing at a time, and where it then looked.
    const faster = Math.abs(speed - 1) > 1e-9;
    const changed = turned !== 0 || faster;
    const change = faster ? fixed(speed, 2) : `${pair} ${turned}`;
    const single = tokens !== "texts" && !(faster && turned);
    const then = single ? MOVED[`${layer}.${head}`]?.[change] : undefined;
    const known =
      then === undefined
        ? "With this change the model was not measured."
        : `With this change the model looked <b>${then}</b> back <i>(measured)</i>.`;

    drawCurve(measured, weights, scale([10 ** LEAST, 1], [176, 42], "log"), {
      offset,
      ringed: look,
      height: Math.max(10 ** LEAST, farWeight),
      styles: changed ? ["muted", "muted"] : ["", ""],
      name: changed ? "weight, measured with hands unchanged" : "weight, measured",
      said:
        `Head ${layer}.${head}, ${spoken(tokens)}: mean weight by offset. It gives most to ${near} back,` +
        ` and of the offsets ${FAR} to ${until} to ${look} back${others}, with ${weight(farWeight)}.`,
      more: (x) =>
        then === undefined
          ? ""
          : line(x(then), 42, x(then), 176, "thick dashed") +
            beside([x(then), 36], `then ${then}`, "strong", measured.width / 2),
    });

    const least = Math.min(...scores);
    const most = Math.max(...scores);
    const room = 0.05 * (most - least);
    drawCurve(formula, scores, scale([least - room, most + room], [160, 42]), {
      offset,
      ringed: says,
      height: scores[says],
      styles: ["claimed", "claimed"],
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
    const small = sizes.map((size, i) => {
      /** @type {Point} */
      const hub = [left + step * ((i % columns) + 0.5), 44 + 46 * Math.floor(i / columns)];
      const radius = Math.min(19, 0.46 * step);
      const tip = atAngle(hub, radius)(angleOf(i), 0.88 * Math.sqrt(size / largest));
      const style = i === pair ? "shifted" : "";
      return circle(hub, radius, style || "grid") + line(...hub, ...tip, `${style} thick`);
    });
    const within = (/** @type {number} */ at, /** @type {number} */ most) =>
      Math.min(most - 1, Math.max(0, Math.floor(at)));
    /** @type {Grip} */
    const choose = {
      kind: "pick",
      points: corners(left, 21, step * columns, (46 * OMEGA.length) / columns),
      moves: {
        pair: (_, __, [x, y]) =>
          columns * within((y - 21) / 46, OMEGA.length / columns) + within((x - left) / step, columns),
      },
    };
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
      `The 32 hands of head ${layer}.${head}, turned to offset ${whole}, drawn to the root of their size. Hand ${pair} has the size` +
        ` ${fixed(sizes[pair], 1)} and is turned by ${fixed(turned, 0)} degrees.`,
      [choose, hand("turned", [hub, tip], hub, Math.PI / 180)],
    );
    const named = until < END - 1 ? `, of those to ${END - 1}` : "";
    const shorter =
      says > until ? `; of those to ${until}, ${greatestFrom(scores.slice(0, until + 1), FAR)}` : "";
    const gives = `<b>${look}</b>${others}: ${weight(farWeight)}`;
    note.innerHTML = changed
      ? `Unchanged, head <b>${layer}.${head}</b> gives most of ${FAR} to ${until} back to ${gives}. Its hands, changed as` +
        ` they are now, name <b>${says}</b> first${named}${shorter}. ${known}`
      : `Head <b>${layer}.${head}</b> gives ${weight(nearest)} to the token ${near} back. Of those ${FAR} to ${until} back` +
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
