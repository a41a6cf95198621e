// @ts-check
// A dial for each hand of a model, and what it has swept since the first token: green once it has come round.

import { explorer } from "../lib/kit/explorer.js";
import { counted, short } from "../lib/kit/format.js";
import { atAngle, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { cameRound, sweeps } from "../lib/sweeps.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */
/** @typedef {{ name: string, year: number, waves: number[], rest: number, context: number | null }} Line */

/** @type {{ lines: Line[] }} */
const { lines: LINES } = /** @type {any} */ (SPEC.constants);
const MOST = 64; // dials that are drawn
const HEAD = 26;

const number = (/** @type {number} */ value) => short(Math.round(value), 9);

export default explorer(
  "Whose hands come round",
  (/** @type {Kit<{ line: number, position: number }>} */ kit) => {
    kit.slider("line", { label: "model", show: (n) => LINES[n].name, style: "wide" });
    kit.slider("position", {
      label: "tokens read",
      show: (read, { line }) => number(Math.min(read, LINES[line].context ?? read)),
      style: "wide",
    });
    const size = (/** @type {number} */ width) => (width < 560 ? 34 : 38);
    const columns = (/** @type {number} */ width) => Math.max(1, Math.floor(width / size(width)));
    const plot = kit.panel({ height: (width) => HEAD + Math.ceil(MOST / columns(width)) * size(width) });
    const words = kit.note("words", 2, 4);
    return ({ line: n, position }) => {
      const { name, year, waves, rest, context } = LINES[n];
      const p = Math.min(position, context ?? Infinity);
      const each = Math.ceil(waves.length / MOST);
      const shown = waves.filter((_, i) => i % each === 0);
      const cell = size(plot.width);
      const across = columns(plot.width);
      const radius = cell / 2 - 4;
      const dials = sweeps(shown, p).map((angle, i) => {
        /** @type {Point} */
        const hub = [((i % across) + 0.5) * cell, HEAD + (Math.floor(i / across) + 0.5) * cell];
        const tip = atAngle(hub, radius);
        const round = angle >= 2 * Math.PI;
        const role = round ? "shifted" : "claimed";
        const swept = round
          ? circle(hub, radius, "shifted wash")
          : path([hub, ...sample(0, angle, 24, tip)], "claimed wash", true);
        const turned = (2 * Math.PI * p) / shown[i];
        return (
          circle(hub, radius, round ? "shifted" : "grid") +
          swept +
          line(...hub, ...tip(turned), `${role} thick`)
        );
      });
      const round = cameRound(waves, p);
      const left = waves.length - round;
      plot.draw(
        text([0, 15], `${name} (${year})`, "strong", "start") +
          text([plot.width, 15], `tokens read: ${number(p)}`, "muted", "end") +
          dials.join(""),
        `${name}, ${counted(waves.length, "hand")}, after ${number(p)} tokens:` +
          ` ${round} have come round, ${left} have not.`,
      );
      words.innerHTML =
        `After <b>${number(p)}</b> tokens${context && p >= context ? ", all that it reads," : ""}` +
        ` <span class="shifted"><b>${round}</b> of ${counted(waves.length, "hand")} have come round</span>` +
        ` and <span class="claimed"><b>${left}</b> have not</span>` +
        `${rest ? `; ${rest} more stand still` : ""}.` +
        `${each > 1 ? ` (A dial for each ${each} hands.)` : ""}` +
        `${context ? "" : " No context is named for it."}`;
      return { model: name, hands: waves.length, round, not_round: left, still: rest, context };
    };
  },
);
