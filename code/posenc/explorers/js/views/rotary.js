// @ts-check
// RoPE on one pair. Left query and key, turned by their positions; right their score against m - n, and what it is if
// encodings are added instead.

import { wavelength } from "../lib/encoding.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { addedScore, angleBetween, ropeScore, rotated } from "../lib/rope.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ query: Point, key: Point }} */
const { query: QUERY, key: KEY } = /** @type {any} */ (SPEC.constants);
const { max: LAST } = SPEC.traits.m;

/** @type {(angle: number, digits: number) => string} */
const degrees = (angle, digits) => fixed((Math.abs(angle) * 180) / Math.PI, digits);

export default explorer(
  "Rotary encoding",
  (/** @type {Kit<{ m: number, n: number, frequency: number }>} */ kit) => {
    kit.slider("m", { label: "query at *m*" });
    kit.slider("n", { label: "key at *n*", style: "shifted" });
    kit.slider("frequency", { label: "frequency *ω*" });
    kit.button("Move both by one", () => {
      const { m, n } = kit.values();
      const step = Math.max(m, n) < LAST ? 1 : -Math.min(m, n);
      kit.set("m", m + step);
      kit.set("n", n + step);
    });
    const left = kit.panel({ height: 290, basis: 300 });
    const right = kit.panel({ height: 290, basis: 380, grow: 1.3 });
    const note = kit.note("formula", 2, 4);

    return ({ m, n, frequency: omega }) => {
      const query = rotated(QUERY, omega * m);
      const key = rotated(KEY, omega * n);
      const turned = (/** @type {number} */ offset) => ropeScore(offset, QUERY, KEY, [omega]);
      const score = turned(m - n);
      const added = addedScore(m, n, QUERY, KEY, omega);

      const radius = Math.min(left.width / 2.6, 118);
      /** @type {Point} */
      const centre = [left.width / 2, 145];
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
      left.draw(
        line(...centre, ...at(QUERY), "muted hair dashed") +
          line(...centre, ...at(KEY), "shifted hair dashed") +
          path(swing(QUERY, m, 0.5), "faint") +
          path(swing(KEY, n, 0.4), "shifted faint") +
          path(
            sample(0, angle, 24, (turn) => at(rotated(query, turn), 0.25 / Math.hypot(...query))),
            "thick",
          ) +
          arrow([centre, at(query)], "thick") +
          arrow([centre, at(key)], "shifted thick") +
          text(at(query, 1.24), "query") +
          text(at(key, 1.22), "key", "shifted") +
          text([centre[0], 284], `between them ${degrees(angle, 1)}°`, "muted"),
        `Two arrows. The query has turned by ${fixed(omega * m, 2)} radians, the key by` +
          ` ${fixed(omega * n, 2)}; the angle between them is ${degrees(angle, 1)} degrees.`,
      );

      const x = scale([-LAST, LAST], [38, right.width - 12]);
      const y = scale([-4.2, 4.2], [right.height - 40, 26]);
      const xTicks = sample(-LAST, LAST, 4, (t) => t);
      right.draw(
        axes(x, y, { xName: "*m* − *n*", yName: "score", xTicks, yTicks: [-4, -2, 0, 2, 4] }) +
          path(sample(-LAST, LAST, 800, (t) => [x(t), y(turned(t))])) +
          line(x(m - n), y(score), x(m - n), y(added), "muted dashed") +
          circle([x(m - n), y(added)], 5, "ring") +
          circle([x(m - n), y(score)], 5),
        `Score against m minus n, a cosine. At ${fixed(m - n, 0)} turning gives ${fixed(score)}; adding encodings` +
          ` instead gives ${fixed(added)}.`,
      );

      note.innerHTML =
        equation(rich("*m* − *n* ="), `<b>${fixed(m - n, 0)}</b>`) +
        equation(`turned: score <b>${fixed(score)}</b>`) +
        equation(`encodings added (hollow): score <b>${fixed(added)}</b>`);
    };
  },
);
