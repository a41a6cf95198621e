// @ts-check
// RoPE on one pair. Left query and key, turned by their positions, the angle between them and the score as a bar; right
// the score against p - q, and all that it may be at this offset if encodings are added instead.

import { wavelength } from "../lib/encoding.js";
import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { addedScore, angleBetween, ropeScore, rotated } from "../lib/rope.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ query: Point, key: Point }} */
const { query: QUERY, key: KEY } = /** @type {any} */ (SPEC.constants);
const { max: LAST } = SPEC.traits.p;

/** @type {(angle: number, digits: number) => string} */
const degrees = (angle, digits) => fixed((Math.abs(angle) * 180) / Math.PI, digits);

export default explorer(
  "RoPE: query and key as two arrows",
  (/** @type {Kit<{ p: number, q: number, frequency: number }>} */ kit) => {
    kit.slider("p", { label: "query at *p*" });
    kit.slider("q", { label: "key at *q*", style: "shifted" });
    kit.slider("frequency", { label: "frequency *ω*" });
    kit.button("Move both by one", () => {
      const { p, q } = kit.values();
      const step = Math.max(p, q) < LAST ? 1 : -Math.min(p, q);
      kit.set("p", p + step);
      kit.set("q", q + step);
    });
    const left = kit.panel({ height: 370, basis: 340 });
    const right = kit.panel({ height: 370, basis: 320 });
    const note = kit.note("formula", 2, 4);

    return ({ p, q, frequency: omega }) => {
      const query = rotated(QUERY, omega * p);
      const key = rotated(KEY, omega * q);
      const turned = (/** @type {number} */ offset) => ropeScore(offset, QUERY, KEY, [omega]);
      const score = turned(p - q);
      const added = addedScore(p, q, QUERY, KEY, omega);

      const radius = Math.min((left.width / 2 - 22) / 1.24, 140);
      /** @type {Point} */
      const centre = [left.width / 2, 168];
      /** @type {(vector: Point, r?: number) => Point} */
      const at = ([x, y], r = 1) => [centre[0] + r * radius * x, centre[1] - r * radius * y];
      // The way of a vector from position 0 on, its last turn at most.
      const swing = (
        /** @type {Point} */ vector,
        /** @type {number} */ position,
        /** @type {number} */ r,
      ) => {
        const end = omega * position;
        const least = omega * (position - wavelength(omega));
        return sample(0, end, Math.max(2, Math.ceil(Math.min(60, end * 6))), (angle) =>
          at(rotated(vector, Math.max(angle, least)), r / Math.hypot(...vector)),
        );
      };
      const angle = angleBetween(query, key);
      const most = Math.hypot(...QUERY) * Math.hypot(...KEY); // the score of arrows that point the same way
      const bar = scale([-most, most], [centre[0] - radius, centre[0] + radius]);
      left.draw(
        circle(centre, radius, "muted hair") +
          line(...centre, ...at(QUERY), "muted hair dashed") +
          line(...centre, ...at(KEY), "shifted hair dashed") +
          path(swing(QUERY, p, 0.62), "faint") +
          path(swing(KEY, q, 0.54), "shifted faint") +
          path(
            sample(0, angle, 24, (turn) => at(rotated(query, turn), 0.25 / Math.hypot(...query))),
            "thick",
          ) +
          arrow([centre, at(query)], "thick") +
          arrow([centre, at(key)], "shifted thick") +
          text(at(query, 1.24), "query") +
          text(at(key, 1.22), "key", "shifted") +
          text([centre[0], 326], `between them ${degrees(angle, 1)}°`, "muted") +
          line(bar(-most), 340, bar(most), 340, "grid") +
          line(bar(0), 334, bar(0), 346, "muted hair") +
          line(bar(0), 340, bar(score), 340, "bold") +
          text([centre[0], 364], `score ${fixed(score)}`),
        `Two arrows. The query has turned by ${fixed(omega * p, 2)} radians, the key by` +
          ` ${fixed(omega * q, 2)}; the angle between them is ${degrees(angle, 1)} degrees.` +
          ` A bar shows the score, ${fixed(score)}.`,
        [
          hand("p", [at(query, 0.35), at(query)], centre, -omega), // anticlockwise
          hand("q", [at(key, 0.35), at(key)], centre, -omega),
        ],
      );

      // Every score that added encodings have at this offset, wherever the two are.
      const first = Math.max(0, p - q);
      const wandering = Array.from({ length: LAST - Math.abs(p - q) + 1 }, (_, j) =>
        addedScore(first + j, first + j - p + q, QUERY, KEY, omega),
      );
      const x = scale([-LAST, LAST], [38, right.width - 12]);
      const y = scale([-4.2, 4.2], [right.height - 40, 26]);
      const xTicks = sample(-LAST, LAST, 4, (t) => t);
      right.draw(
        axes(x, y, { xName: "*p* − *q*", yName: "score", xTicks, yTicks: [-4, -2, 0, 2, 4] }) +
          path(sample(-LAST, LAST, 800, (t) => [x(t), y(turned(t))])) +
          line(x(p - q), y(score), x(p - q), y(added), "muted dashed") +
          dots(
            wandering.map((value) => [x(p - q), y(value)]),
            1.5,
            "muted",
          ) +
          circle([x(p - q), y(added)], 5, "ring") +
          circle([x(p - q), y(score)], 5),
        `Score against p minus q, a cosine. At ${fixed(p - q, 0)} turning gives ${fixed(score)}; adding encodings` +
          ` instead gives ${fixed(added)}; at other positions with this offset it gives from` +
          ` ${fixed(Math.min(...wandering))} to ${fixed(Math.max(...wandering))}.`,
        [
          cursor(
            "p",
            [y(score), y(added)].map((at) => [x(p - q), at]),
            x,
          ),
        ],
      );

      note.innerHTML =
        equation(rich("*p* − *q* ="), `<b>${fixed(p - q, 0)}</b>`) +
        equation(`turned: score <b>${fixed(score)}</b>`) +
        equation(`encodings added (hollow): score <b>${fixed(added)}</b>`);
    };
  },
);
