// @ts-check
// Left the rotation in one block of a trained head and the one that T(k) has there; right the sizes of all pairs'.

import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, line, text, uprights } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {{ offset: number, steps: number[], parts: Point[][], aims: number[] }} */
const { offset: BACK, steps: STEPS, parts: PARTS, aims: AIMS } = /** @type {any} */ (SPEC.constants);
const NEAR = 0.3; // radians
const LARGEST = Math.max(...PARTS.flat().map(([re, im]) => Math.hypot(re, im)));

/**
 * The same angle, from -π to π.
 * @param {number} angle
 */
const left = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

export default explorer(
  "The blocks of a trained head",
  (/** @type {Kit<{ moment: number, pair: number }>} */ kit) => {
    kit.slider("moment", { label: "steps of training", show: (moment) => String(STEPS[moment]) });
    kit.slider("pair", { label: "pair *i*" });
    const dial = kit.panel({ height: 250, basis: 260 });
    const bars = kit.panel({ height: 250, basis: 400 });
    const note = kit.note("words", 2, 5);

    return ({ moment, pair }) => {
      const sizes = PARTS[moment].map(([re, im]) => Math.hypot(re, im));
      const [re, im] = PARTS[moment][pair];
      const angle = Math.atan2(im, re);
      const aim = left(AIMS[pair]);
      const offs = PARTS[moment].map(([re, im], i) => Math.abs(left(Math.atan2(im, re) - AIMS[i])));
      const radius = 92;
      /** @type {Point} */
      const hub = [dial.width / 2, 128];
      /** @type {(turn: number, length: number) => Point} */
      const tip = (turn, length) => [
        hub[0] + length * radius * Math.cos(turn),
        hub[1] - length * radius * Math.sin(turn),
      ];
      /** @type {(turn: number, style: string) => string} */
      const ray = (turn, style) => line(...hub, ...tip(turn, 1), style);
      const wanted = tip(aim, 1.2);
      dial.draw(
        circle(hub, radius, "grid") +
          ray(aim, "shifted") +
          ray(angle, "hair") +
          circle(tip(angle, sizes[pair] / LARGEST), 5, "fill") +
          text([wanted[0], wanted[1] + 4], `*T*(${BACK})`, "shifted", "middle") +
          text([8, 16], `pair ${pair}, step ${STEPS[moment]}`, "muted", "start"),
        `Pair ${pair} after ${STEPS[moment]} steps: the trained block turns by ${fixed(angle, 2)} radians, that of` +
          ` T(${BACK}) by ${fixed(aim, 2)}. Its size is ${fixed(sizes[pair], 1)}.`,
      );

      const x = scale([-0.5, sizes.length - 0.5], [36, bars.width - 8]);
      const y = scale([0, 1.05 * LARGEST], [206, 24]);
      bars.draw(
        axes(x, y, { xName: "pair *i*", yName: "size of the rotation", xTicks: [0, 5, 10, 15] }) +
          [undefined, "shifted"]
            .map((style) =>
              uprights(
                sizes.flatMap((size, i) =>
                  offs[i] < NEAR === Boolean(style) ? [`M${x(i).toFixed(1)} 206V${y(size).toFixed(1)}`] : [],
                ),
                Math.max(4, 0.6 * (x(1) - x(0))).toFixed(1),
                style,
              ),
            )
            .join("") +
          text([bars.width - 8, 20], `within ${NEAR} radians of *T*(${BACK})`, "shifted", "end") +
          line(x(pair), 24, x(pair), 206, "shifted hair"),
        `Sizes of the rotations after ${STEPS[moment]} steps: ${sizes
          .slice(0, 4)
          .map((size) => fixed(size, 1))
          .join(", ")} in pairs 0 to 3.`,
        [
          cursor(
            "pair",
            [24, 206].map((end) => [x(pair), end]),
            x,
          ),
        ],
      );
      note.innerHTML =
        `After <b>${STEPS[moment]}</b> steps the block of pair <b>${pair}</b> turns by` +
        ` <b>${fixed(angle, 2)}</b> radians; <span class="shifted"><i>T</i>(${BACK})</span> turns it by` +
        ` ${fixed(aim, 2)}, which is ${fixed(offs[pair], 2)} away. Its size is ${fixed(sizes[pair], 1)}.`;
      const turns = { turn_radians: angle, wanted_radians: aim, apart_radians: offs[pair] };
      return { steps: STEPS[moment], ...turns, size: sizes[pair], sizes };
    };
  },
);
