// @ts-check
// A counter twice: its digits, which jump, and below each the hand that is back when the digit is, which glides. A dial
// has a sector for each digit, and the hand is always in that of its own.

import { digitsOf } from "../lib/attempts.js";
import { TURN } from "../lib/circle.js";
import { apart } from "../lib/distance.js";
import { encode, frequencies } from "../lib/encoding.js";
import { hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, short, spoken } from "../lib/kit/format.js";
import { player } from "../lib/kit/play.js";
import { atAngle, circle, corners, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

/** @type {Record<string, Point>} the base of the digits, and how many there are */
const KINDS = SPEC.constants.digits;
const DIAL = 152; // where the middles of the dials are, in pixels

export default explorer(
  "A counter whose digits jump, and one whose hands glide",
  (/** @type {Kit<{ count: number, digits: string }>} */ kit) => {
    kit.slider("count", { label: "count", style: "wide", show: (count) => fixed(count, 1) });
    kit.choice("digits", { label: "digits" });
    player(kit, "count", { tick: 1200, seconds: 0.9 });
    const plot = kit.panel({ basis: 680, height: 262 });
    const note = kit.note("words", 2, 4);

    return ({ count, digits: kind }) => {
      const [base, places] = KINDS[kind];
      const [d, whole] = [2 * places, base ** places];
      const omegas = Array.from(frequencies(d, whole), (omega) => (omega * TURN) / base); // radians for each number
      const digits = digitsOf(count, base, places);
      const now = Math.max(1, Math.floor(count));
      const before = digitsOf(now - 1, base, places);
      const jumped = digitsOf(now, base, places).map((digit, i) => digit !== before[i]);
      const jumps = jumped.filter(Boolean).length;
      const at = (/** @type {number} */ number) => encode((TURN * number) / base, d, whole);
      const step = apart(at(now), at(now - 1));

      const each = Math.min(150, plot.width / places);
      const named = each >= 80; // room for the digits around a dial
      const radius = Math.min(56, each / 2 - (named ? 21 : 4));
      const drawn = omegas.map((omega, i) => {
        const x = plot.width / 2 + ((places - 1) / 2 - i) * each; // the last digit is at the right
        const dial = atAngle([x, DIAL], radius);
        const sector = (/** @type {number} */ digit, part = 0) => (TURN * (digit + part)) / base;
        const own = sample(sector(digits[i]), sector(digits[i], 1), 24, (angle) => dial(angle));
        const rim = Array.from({ length: base }, (_, digit) => {
          const edge = line(...dial(sector(digit), 0.8), ...dial(sector(digit)), "muted");
          // Two digits are toward the top, each near its own dial: in between they would read as one number.
          const middle = base > 2 ? 0.5 : [0.2, 0.8][digit];
          const [left, foot] = dial(sector(digit, middle), 1 + 11 / radius);
          return edge + (named ? text([left, foot + 5], String(digit), "muted small") : "");
        });
        const box = corners(x - Math.min(21, each / 2 - 3), 28, Math.min(42, each - 6), 36);
        const tip = dial(omega * count);
        return {
          grip: hand("count", [[x, DIAL], tip], [x, DIAL], omega),
          markup:
            path(box, "wash", true) +
            path(box, jumped[i] && count >= 1 ? "bold" : "muted hair", true) +
            text([x, 54], String(digits[i]), "big bare") +
            path([[x, DIAL], ...own], "wash", true) +
            circle([x, DIAL], radius, "muted hair") +
            rim.join("") +
            line(x, DIAL, ...tip, "thick") +
            circle(tip, 4) +
            text([x, 256], short(base ** (i + 1)), "muted small"),
        };
      });
      plot.draw(
        text([0, 14], "digits jump", "strong", "start") +
          text([0, 84], "hands glide", "strong", "start") +
          text([0, 236], "counts for one turn", "muted", "start") +
          drawn.map(({ markup }) => markup).join(""),
        `The counter at ${fixed(count, 1)}. Its ${spoken(kind)} digits are ${[...digits].reverse().join(" ")};` +
          ` each hand is in the sector of its digit. The slowest has made ${short(count / whole, 2)} turns,` +
          ` the fastest ${short(count / base, 4)}.`,
        drawn.map(({ grip }) => grip),
      );
      note.innerHTML =
        `<div>From ${now - 1} to ${now}, <b>${counted(jumps, "digit jumps", "digits jump")}</b>.` +
        ` The hands' vector moves by <b>${fixed(step, 2)}</b>, as at every step.</div>` +
        `<div>Gray: the part of the dial that belongs to the digit. The hand is always in it.</div>`;
      const turns = omegas.map((omega) => (omega * count) / TURN);
      return { shown_digits: digits, turns, digits_jumped: jumps, moved_by: step };
    };
  },
);
