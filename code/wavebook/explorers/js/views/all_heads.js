// @ts-check
// Above what a head of a language model attends to, by offset, as it was measured; below what its own hands say of the same
// offsets; and the hands, turned to the offset under the cursor.

import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, circle, line, path, text } from "../lib/kit/svg.js";
import { greatestFrom, ownScore, turnOne } from "../lib/own_rule.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ signs: string, least: number, steps: number, far: number, omega: number[] }} */
const {
  signs: SIGNS,
  least: LEAST,
  steps: STEPS,
  far: FAR,
  omega: OMEGA,
} = /** @type {any} */ (SPEC.constants);
/** @type {{ random: string[][], texts: string[][], hands: number[][][][] }} */
const { random: RANDOM, texts: TEXTS, hands: HANDS } = /** @type {any} */ (SPEC.constants);
const SHOWN = RANDOM[0][0].length;
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
  const measured = kit.panel({ height: 200, basis: 640 });
  const formula = kit.panel({ height: 180, basis: 640 });
  const row = kit.panel({ height: (width) => (width < 560 ? 190 : 110), basis: 640 });
  const note = kit.note("words", 3, 6);

  return ({ layer, head, tokens, offset, pair, turned, speed }) => {
    const whole = Math.round(offset);
    const signs = (tokens === "texts" ? TEXTS : RANDOM)[layer][head];
    const logs = Array.from(signs, (sign) => LEAST + (LEVEL.get(sign) ?? 0) / STEPS);
    const look = greatestFrom(logs, FAR);
    const near = greatestFrom(logs.slice(0, FAR), 0);
    const weight = (/** @type {number} */ k) =>
      logs[k] > LEAST ? short(10 ** logs[k], 2) : "less than a millionth";
    const omegas = OMEGA.map((omega) => speed * omega);
    const [real, imaginary] = turnOne(HANDS[0][layer][head], HANDS[1][layer][head], pair, turned);
    const scores = Array.from({ length: SHOWN }, (_, k) => ownScore(real, imaginary, omegas, k));
    const says = greatestFrom(scores, FAR);
    const here = ownScore(real, imaginary, omegas, offset);

    const x = scale([0, SHOWN - 1], [44, measured.width - 12]);
    const y = scale([LEAST, 0], [160, 26]);
    const up = (/** @type {{ range: Point }} */ { range }) =>
      range.map((end) => /** @type {Point} */ ([x(offset), end]));
    measured.draw(
      axes(x, y, { yName: "weight, as a power of ten", yTicks: [-6, -4, -2, 0] }) +
        path(
          logs.map((log, k) => [x(k), y(log)]),
          "",
        ) +
        line(x(offset), y.range[0], x(offset), y.range[1], "here hair") +
        circle([x(look), y(logs[look])], 4.5, "ring") +
        text(
          [x(look), y(logs[look]) - 9],
          `${look}`,
          "strong",
          x(look) > measured.width - 50 ? "end" : "middle",
        ),
      `Head ${layer}.${head}, ${tokens}: mean weight by offset, as a power of ten. It looks ${near} back most, and of the` +
        ` offsets from ${FAR} on ${look} back, with ${weight(look)}.`,
      [cursor("offset", up(y), x)],
    );

    const least = Math.min(...scores);
    const most = Math.max(...scores);
    const v = scale([least - 0.05 * (most - least), most + 0.05 * (most - least)], [140, 26]);
    formula.draw(
      axes(x, v, { xName: "offset *Δ*", yName: "score, by its own hands" }) +
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
      `The score by its own hands: of the offsets from ${FAR} on the greatest is at ${says}. At ${whole} it is ${fixed(here, 1)}.`,
      [cursor("offset", up(v), x)],
    );

    const sizes = real.map((re, i) => Math.hypot(re, imaginary[i]));
    const largest = Math.max(...sizes);
    const columns = row.width < 560 ? 16 : 32;
    const step = (row.width - 16) / columns;
    /** @type {Point[]} */
    const held = [];
    const hands = sizes.map((size, i) => {
      /** @type {Point} */
      const hub = [8 + step * ((i % columns) + 0.5), 40 + 90 * Math.floor(i / columns)];
      const radius = Math.min(17, 0.46 * step);
      const angle = Math.atan2(imaginary[i], real[i]) + omegas[i] * offset;
      const tip = atAngle(hub, radius)(angle, 0.15 + 0.85 * Math.sqrt(size / largest));
      const style = i === pair ? "shifted" : "";
      if (i === pair) held.push(hub, tip);
      return (
        circle(hub, radius, "grid") +
        line(...hub, ...tip, `${style} thick`) +
        (i % 4 === 0 || i === pair
          ? text([hub[0], hub[1] + 36], `${i}`, i === pair ? "shifted" : "small")
          : "")
      );
    });
    row.draw(
      hands.join("") + text([8, 14], "its hands, fastest first; up: for it", "muted", "start"),
      `The 32 hands of head ${layer}.${head}, turned to offset ${whole}. Hand ${pair} has the size ${fixed(sizes[pair], 1)}.`,
      [hand("turned", held, held[0], Math.PI / 180)],
    );
    const changed = turned !== 0 || Math.abs(speed - 1) > 1e-9;
    note.innerHTML =
      `Head <b>${layer}.${head}</b> gives ${weight(near)} to the token ${near} back. Of the far ones, from ${FAR} on, it gives` +
      ` most to <b>${look}</b> back: ${weight(look)} <i>(measured)</i>. Its own hands name <b>${says}</b> first` +
      `${changed ? ", changed as they are now" : ""}.`;
    return {
      near,
      look,
      look_weight: 10 ** logs[look],
      says,
      score: here,
      size: sizes[pair],
      weight_here: 10 ** logs[whole],
    };
  };
});
