// @ts-check
// Left the wavelengths before and after, against the trained and the new length; right by how much each pair is slowed.

import { extended, keptAndDivided, slowing, unseenPairs } from "../lib/context.js";
import { distance } from "../lib/distance.js";
import { frequencies, wavelength } from "../lib/encoding.js";
import { slid } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { axes, scale } from "../lib/kit/scales.js";
import { circle, dots, line, path, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point } from "../types" */

const { d_model: D, beta: BETA } = SPEC.constants;
/** @type {string[]} */
const METHODS = SPEC.traits.method.options;
const NAMED = 36; // the pair at which both curves have their names
/** @type {Record<string, [number, number, number, string]>} where on a curve its name is, and how far from there */
const NAMES = {
  interpolation: [0, 6, -6, "start"],
  "NTK-aware": [0.3, -8, -3, "end"],
  YaRN: [0.4, -7, -2, "end"],
  "Llama 3.1": [0.55, 8, 12, "start"],
};

export default explorer(
  "Longer contexts",
  (/** @type {Kit<{ method: string, factor: number, base: number, length: number }>} */ kit) => {
    kit.choice("method", { label: "method", style: "wide" });
    kit.slider("factor", { label: "factor *f*", style: "shifted" });
    kit.slider("base", { label: "base *b*" });
    kit.slider("length", { label: "trained length" });
    const left = kit.panel({ height: 310, basis: 330 });
    const right = kit.panel({ height: 310, basis: 330 });
    const note = kit.note("formula", 3, 7);

    return ({ method, factor, base, length }) => {
      const old = frequencies(D, base);
      const omegas = extended(method, factor, D, base, length, BETA);
      const n = old.length;
      const unseen = unseenPairs(omegas, factor, D, base, length);
      const apart = distance(1, D, base, omegas);
      const before = distance(1, D, base, old);

      const x = scale([0, n - 1], [46, left.width - 12]);
      const top = wavelength(omegas[n - 1]) > 1e8 ? 1e10 : 1e8;
      const y = scale([5, top], [left.height - 40, 26], "log");
      /** @type {(omega: number, i: number) => Point} */
      const wave = (omega, i) => [x(i), y(wavelength(omega))];
      /** @type {(value: number, name: string, style: string, under?: boolean) => string} */
      const level = (value, name, style, under) =>
        line(x(0), y(value), x(n - 1), y(value), style) +
        text([x(0) + 5, y(value) + (under ? 14 : -6)], name, "small", "start");
      const lengthened = factor > 1.2;
      const near = lengthened && y(length) - y(factor * length) < 20; // pixels
      /** @type {Point[]} where the two lengths can be held; side by side, since a factor of 1 makes them one */
      const ends = [
        [x(0.86 * (n - 1)), y(length)],
        [x(n - 1), y(factor * length)],
      ];
      /** @type {(trait: string, point: Point) => Grip} */
      const grip = (trait, point) => ({
        kind: "hand",
        points: [point],
        moves: { [trait]: (value, from, to) => slid(value, from, to, y, 1) },
      });
      left.draw(
        axes(x, y, { xName: "pair *i*", yName: "wavelength", xTicks: [0, 20, 40, 60] }) +
          level(length, `trained: ${short(length)}`, "hair dashed", near) +
          (lengthened ? level(factor * length, `new: ${short(factor * length)}`, "hair") : "") +
          path(Array.from(old, wave), "muted") +
          path(Array.from(omegas, wave), "shifted thick") +
          (y(wavelength(old[NAMED])) > left.height - 80
            ? "" // no room above the axis and its numbers
            : text([x(NAMED) + 8, y(wavelength(old[NAMED])) + 15], "before", "small muted", "start") +
              text([x(NAMED) - 8, y(wavelength(omegas[NAMED])) - 7], "after", "small shifted", "end")) +
          dots(
            (kit.part("beyond") ? unseen : []).map((i) => wave(omegas[i], i)),
            2.4,
          ) +
          circle(ends[0], 5, "ring") +
          circle(ends[1], 5, "shifted ring"),
        `Wavelengths of ${n} pairs on a logarithmic axis, ${spoken(method)}, factor ${fixed(factor, 1)}, base` +
          ` ${short(base, 3)}. The slowest takes ${short(wavelength(omegas[n - 1]))} positions a turn.` +
          ` Trained length ${fixed(length, 0)}.`,
        [grip("length", ends[0]), grip("factor", ends[1])],
      );

      const u = scale([0, n - 1], [40, right.width - 12]);
      const v = scale([0.9, 40], [right.height - 40, 26], "log");
      const slowed = slowing(old, omegas);
      const curves = METHODS.map((name) => {
        const factors = slowing(old, extended(name, factor, D, base, length, BETA));
        const own = name === method;
        const [at, right, down, anchor] = NAMES[name];
        const here = factors[Math.round(at * (n - 1))];
        /** @type {Point} */
        const place = [u(at * (n - 1)) + right, v(here) + down];
        // What is named at its left has no room where all are nearly one.
        const named = factor > 3 && (anchor === "start" || here < 0.75 * factor);
        const curve = path(
          factors.map((value, i) => [u(i), v(value)]),
          own ? "shifted thick" : "muted hair",
        );
        const label = text(place, spoken(name), own ? "small shifted strong" : "small muted", anchor);
        return named ? `${curve}${label}` : curve;
      });
      right.draw(
        axes(u, v, {
          xName: "pair *i*",
          yName: "slowed by",
          xTicks: [0, 20, 40, 60],
          yTicks: [1, 2, 4, 8, 16, 32],
        }) + curves.join(""),
        `By how much each pair is slowed. ${spoken(method)}: the first by ${fixed(slowed[0], 2)}, the middle one by` +
          ` ${fixed(slowed[n / 2], 2)}, the last by ${fixed(slowed[n - 1], 2)}; base ${short(base, 3)},` +
          ` trained length ${fixed(length, 0)}.`,
      );

      const [kept, divided] = keptAndDivided(slowed, factor);
      const turned = unseen.length
        ? `<b>${unseen.length}</b> of ${n} pairs turn beyond their angles of training (dots)`
        : "<b>no</b> pair turns beyond its angles of training";
      note.innerHTML = [
        equation(`neighbors <b>${fixed(apart)}</b> apart, before ${fixed(before)}`),
        `<span>${turned}</span>`,
        equation(
          `<b>${kept}</b> kept, <b>${n - kept - divided}</b> between, <b>${divided}</b> divided by ${fixed(factor, 1)}`,
        ),
      ].join("");
      return {
        slowest_wavelength: wavelength(omegas[n - 1]),
        slowed_first: slowed[0],
        slowed_middle: slowed[n / 2],
        slowed_last: slowed[n - 1],
        neighbors: apart,
        neighbors_before: before,
        pairs: n,
        reaching_beyond: unseen.length,
        kept,
        between: n - kept - divided,
        divided,
      };
    };
  },
);
