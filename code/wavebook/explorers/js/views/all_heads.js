// @ts-check
// Above what a head of a language model attends to, by offset, as it was measured; below what its own hands say of
// the same offsets; and the hands, turned to the offset under the cursor.

import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, circle, line, path, text } from "../lib/kit/svg.js";
import { greatestFrom, ownScore, turnOne } from "../lib/own_rule.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

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
/** @type {{ random: string[][], texts: string[][], looks: Record<string, number[][][]>, hands: number[][][][] }} */
const { random: RANDOM, texts: TEXTS, looks: LOOKS, hands: HANDS } = /** @type {any} */ (SPEC.constants);
const LEVEL = new Map([...SIGNS].map((sign, level) => [sign, level]));

/** @typedef {{ layer: number, head: number, tokens: string, offset: number, pair: number, turned: number, speed: number }} Traits */

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
    const logs = Array.from(signs, (sign) => LEAST + (LEVEL.get(sign) ?? 0) / STEPS);
    const until = signs.length - 1;
    const [near, look, nearest, farWeight, alike] = LOOKS[tokens][layer][head];
    const lookLog = Math.max(LEAST, Math.log10(farWeight));
    const weight = (/** @type {number} */ value) =>
      value > 10 ** LEAST ? `about ${short(value, 1)}` : "less than a millionth";
    const others = alike > 1 ? `, or to one of ${alike - 1} more that get as much` : "";
    const omegas = OMEGA.map((omega) => speed * omega);
    const own = HANDS.map((part) => part[layer][head].map((value) => value / PARTS));
    const [real, imaginary] = turnOne(own[0], own[1], pair, turned);
    const scores = Array.from({ length: END }, (_, k) => ownScore(real, imaginary, omegas, k));
    const says = greatestFrom(scores, FAR);
    const here = ownScore(real, imaginary, omegas, offset);

    const x = scale([0, END - 1], [44, measured.width - 12]);
    const y = scale([LEAST, 0], [176, 42]);
    const up = (/** @type {{ range: Point }} */ { range }) =>
      range.map((end) => /** @type {Point} */ ([x(offset), end]));
    measured.draw(
      axes(x, y, { yTicks: [-6, -4, -2, 0] }) +
        text(
          [38, 14],
          `measured to ${until}, hands unchanged: weight${measured.width < 560 ? "" : ", as a power of ten"}`,
          "muted",
          "start",
        ) +
        path(
          logs.map((log, k) => [x(k), y(log)]),
          "",
        ) +
        line(x(offset), y.range[0], x(offset), y.range[1], "here hair") +
        circle([x(look), y(lookLog)], 4.5, "ring") +
        text(
          [x(look), y(lookLog) - 9],
          `${look}`,
          "strong",
          x(look) > measured.width - 50 ? "end" : "middle",
        ),
      `Head ${layer}.${head}, ${spoken(tokens)}: mean weight by offset, as a power of ten. It gives most to ${near} back,` +
        ` and of the offsets ${FAR} to ${until} to ${look} back${others}, with ${weight(farWeight)}.`,
      [cursor("offset", up(y), x)],
    );

    const least = Math.min(...scores);
    const most = Math.max(...scores);
    const v = scale([least - 0.05 * (most - least), most + 0.05 * (most - least)], [160, 42]);
    formula.draw(
      axes(x, v, { xName: "offset *Δ*" }) +
        text([38, 14], "score, by its own hands", "muted", "start") +
        path(
          scores.map((score, k) => [x(k), v(score)]),
          "claimed",
        ) +
        line(x(offset), v.range[0], x(offset), v.range[1], "here hair") +
        circle([x(says), v(scores[says])], 4.5, "ring claimed") +
        text(
          [x(says), v(scores[says]) - 9],
          `${says}`,
          "claimed strong",
          x(says) > formula.width - 50 ? "end" : "middle",
        ),
      `The score by its own hands: of the offsets ${FAR} to ${END - 1} the greatest is at ${says}.` +
        ` At ${whole} it is ${fixed(here, 1)}.`,
      [cursor("offset", up(v), x)],
    );

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
      return circle(hub, radius, "grid") + line(...hub, ...tip, i === pair ? "shifted thick" : "thick");
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
          row.width < 560
            ? "fastest first; drawn to √size"
            : "all 32, fastest first; drawn to √size; up adds to the score",
          "muted",
          "start",
        ),
      `The 32 hands of head ${layer}.${head}, turned to offset ${whole}. Hand ${pair} has the size` +
        ` ${fixed(sizes[pair], 1)} and is turned by ${fixed(turned, 0)} degrees.`,
      [hand("turned", [hub, tip], hub, Math.PI / 180)],
    );
    const named = until < END - 1 ? `, of those to ${END - 1}` : "";
    const shorter =
      says > until ? `; of those to ${until}, ${greatestFrom(scores.slice(0, until + 1), FAR)}` : "";
    const changed = turned !== 0 || Math.abs(speed - 1) > 1e-9;
    note.innerHTML =
      `Head <b>${layer}.${head}</b> gives ${weight(nearest)} to the token ${near} back. Of those ${FAR} to ${until}` +
      ` back it gives most to <b>${look}</b>${others}: ${weight(farWeight)} <i>(measured${changed ? ", hands unchanged" : ""})</i>. Its own hands` +
      `${changed ? ", changed as they are now," : ""} name <b>${says}</b> first${named}${shorter}.`;
    return {
      near,
      look,
      look_weight: farWeight,
      alike,
      says,
      score: here,
      size: sizes[pair],
      weight_here: whole > until ? null : 10 ** logs[whole],
    };
  };
});
