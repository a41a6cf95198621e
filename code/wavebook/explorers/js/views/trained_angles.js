// @ts-check
// The angles that a pair has seen in training, as an arc of its dial, and those that a longer context brings.
// Beside it the same for all pairs.

import { extended, unseenPairs } from "../lib/context.js";
import { frequencies, wavelength } from "../lib/encoding.js";
import { cursor } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Point } from "../types" */

const { d_model: D, base: BASE, length: LENGTH, beta: BETA } = SPEC.constants;
const TURN = 2 * Math.PI;

/**
 * An angle in degrees, or in turns if there are many.
 * @param {number} angle
 */
const told = (angle) =>
  angle < 2 * TURN ? `${fixed((angle * 180) / Math.PI, 0)}°` : `${short(angle / TURN, 3)} turns`;

/** @typedef {{ method: string, factor: number, pair: number }} Traits */

export default explorer("Angles seen in training", (/** @type {Kit<Traits>} */ kit) => {
  // The methods come later in the book: who begins without one is not offered them.
  if (kit.values().method === "unchanged") kit.keep("method");
  else kit.choice("method", { label: "method", style: "wide" });
  kit.slider("factor", { label: "factor *f*" });
  kit.slider("pair", { label: "pair *i*" });
  const large = kit.panel({ basis: 260, height: 290 });
  const all = kit.panel({ basis: 340, height: 290 });
  const note = kit.note("", 2, 4);
  const old = frequencies(D, BASE);

  return ({ method, factor, pair }) => {
    const omegas = extended(method, factor, D, BASE, LENGTH, BETA);
    const trained = (/** @type {number} */ i) => old[i] * (LENGTH - 1);
    const longer = (/** @type {number} */ i) => omegas[i] * (factor * LENGTH - 1);
    const [seen, comes] = [trained(pair), longer(pair)];
    const isNew = unseenPairs(omegas, factor, D, BASE, LENGTH).includes(pair);

    const radius = Math.min(large.width, large.height) / 2 - 34;
    /** @type {Point} */
    const center = [large.width / 2, large.height / 2];
    const at = atAngle(center, radius);
    const arc = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ r) =>
      sample(from, Math.min(to, from + TURN), 90, (angle) => at(angle, r));
    const full = Math.min(seen, TURN);
    large.draw(
      circle(center, radius, "muted hair") +
        path(arc(0, seen, 1), "sine beam") +
        path(arc(0, Math.min(comes, seen), 0.86), "shifted beam") +
        (isNew ? path(arc(seen, Math.min(comes, TURN), 0.86), "claimed beam") : "") +
        line(...center, ...at(comes, 0.8), isNew ? "claimed bold" : "shifted bold") +
        circle(center, 4) +
        text(at(full / 2, 1.16), "seen", "sine") +
        text(at(Math.min(comes, full) / 2, 0.66), "now", "shifted") +
        (isNew ? text(at((full + Math.min(comes, TURN)) / 2, 0.62), "new", "claimed") : ""),
      `The dial of pair ${pair}, wavelength ${short(wavelength(old[pair]), 3)}. Training to ${LENGTH}` +
        ` positions showed` +
        ` angles up to ${told(seen)}; ${spoken(method)}, factor ${fixed(factor, 1)}, the last position is at` +
        ` ${told(comes)}.`,
    );

    const n = old.length;
    const x = scale([0, n - 1], [40, all.width - 12]);
    const y = scale([0, 1], [all.height - 40, 26]);
    const turns = (/** @type {(i: number) => number} */ angle) =>
      Array.from(old, (_, i) => /** @type {Point} */ ([x(i), y(Math.min(1, angle(i) / TURN))]));
    const [before, after] = [turns(trained), turns(longer)];
    const unseen = unseenPairs(omegas, factor, D, BASE, LENGTH);
    const gaps = unseen.map((i) => line(x(i), before[i][1], x(i), after[i][1], "claimed bold"));
    all.draw(
      axes(x, y, { xName: "pair *i*", yName: "turns, at most one", xTicks: [0, 20, 40, 60] }) +
        gaps.join("") +
        path(before, "sine thick") +
        path(after, "shifted") +
        line(x(pair), y(0), x(pair), y(1), "muted hair") +
        circle([x(pair), before[pair][1]], 5, "sine fill") +
        circle([x(pair), after[pair][1]], 5, isNew ? "claimed fill" : "shifted fill"),
      `How far each of ${n} pairs has turned, in training and at the end of a context` +
        ` ${fixed(factor, 1)} times as` +
        ` long: ${unseen.length} of them go a step or more beyond the angles of training. Pair ${pair} is marked.`,
      [cursor("pair", [0, 1].map((end) => /** @type {Point} */ ([x(pair), y(end)])), x)], // prettier-ignore
    );
    note.innerHTML =
      `<div>${method === "unchanged" ? "" : `${spoken(method)}, `}pair ${pair}:` +
      ` <span class="sine">seen to <b>${told(seen)}</b></span>,` +
      ` <span class="${isNew ? "claimed" : "shifted"}">now to <b>${told(comes)}</b></span>` +
      `${seen >= TURN ? ": it completed a turn" : isNew ? ": new" : ": nothing new"}</div>` +
      `<div><b>${unseen.length}</b> of ${n} pairs go a step or more beyond the angles of training</div>`;
    const own = {
      wavelength: wavelength(old[pair]),
      seen_radians: seen,
      longer_radians: comes,
      is_new: isNew,
    };
    return { ...own, pairs: n, pairs_beyond: unseen.length };
  };
});
