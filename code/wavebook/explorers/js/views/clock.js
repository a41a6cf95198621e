// @ts-check
// A dial for each pair: its hand is at exactly omega_i p. Under it the pair itself, as two cells.

import { encode, frequencies, wavelengths } from "../lib/encoding.js";
import { hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short, subscript } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { player } from "../lib/kit/play.js";
import { atAngle, cell, circle, line, path, sample, text } from "../lib/kit/svg.js";
import { handsMoving } from "../lib/tables.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Point } from "../types" */

const VISIBLE = Math.PI / 180; // a hand that turns less than a degree seems to stand still
const { max: LAST } = SPEC.traits.position;
const WORDS = SPEC.constants.counts;
const ABOVE = 22; // pixels for the text above a dial
const BELOW = 68; // pixels for the text and cells below it

/**
 * As many dials to the row as make them largest.
 * @param {number} count
 * @param {Panel} panel
 */
function arrange(count, { width, height }) {
  const sizes = Array.from({ length: count }, (_, j) => {
    const columns = j + 1;
    const rows = Math.ceil(count / columns);
    const radius = Math.min(width / columns / 2 - 8, (height / rows - ABOVE - BELOW) / 2, 66);
    return { columns, rows, radius };
  });
  return sizes.reduce((best, size) => (size.radius > best.radius ? size : best));
}

/**
 * @param {Point} center
 * @param {number} radius
 * @param {number} angle
 * @param {number} swept
 * @param {boolean} fresh
 */
function drawDial([cx, cy], radius, angle, swept, fresh) {
  const at = atAngle([cx, cy], radius);
  const [x, y] = at(angle);
  const hours = Array.from({ length: 12 }, (_, hour) => {
    const a = (hour * Math.PI) / 6;
    return line(...at(a), ...at(a, 1 - (hour % 3 ? 3 : 6) / radius), "muted hair");
  });
  const sector = () => path([[cx, cy], ...sample(angle - swept, angle, 24, (a) => at(a))], "wash", true);
  return (
    (fresh ? circle([cx, cy], radius, "claimed wash") : "") +
    circle([cx, cy], radius, fresh ? "claimed" : "muted hair") +
    hours.join("") +
    (Math.abs(swept) < 2 * Math.PI ? sector() : "") +
    line(cx, y, x, y, "sine thick") +
    line(x, cy, x, y, "cosine thick") +
    line(cx, cy, x, y, "thick turning") +
    circle([cx, cy], 2.5) +
    circle([x, y], 3.5)
  );
}

/** @param {number} position */
const number = (position) => fixed(position, position % 1 ? 1 : 0);

/**
 * A wavelength above its dial, where eight of them are side by side: 148,998, 1.117 M.
 * @param {number} lambda
 */
const brief = (lambda) => (lambda < 1e6 ? short(lambda) : `${short(lambda / 1e6)} M`);

/**
 * How far a hand has turned: in degrees, if it never completes a turn.
 * @param {number} turns
 * @param {number} lambda
 */
const turned = (turns, lambda) =>
  lambda > LAST ? `${short(360 * turns, 2)}°` : `${fixed(turns, turns < 99 ? 3 : 2)} turns`;

/** @type {(x: number, y: number, width: number, value: number, role: string) => string} */
const entry = (x, y, width, value, role) =>
  cell(x, y, width, 16, value, role) + text([x + width / 2, y + 31], fixed(value, 2), `small ${role}`);

export default explorer(
  "A clock with a hand for every pair",
  (/** @type {Kit<{ position: number, d_model: number, base: number }>} */ kit) => {
    kit.smooth("position");
    kit.shows = { sine: "sin", cosine: "cos", turning: "ω i" };
    kit.slider("position", { label: "position *p*", style: "wide", show: number });
    let from = kit.values().position;
    let to = from;
    player(kit, "position", { seconds: 0.35 });
    kit.slider("d_model", { label: "model width *d*" });
    kit.slider("base", { label: "base *b*" });
    const dials = kit.panel({ basis: 680, height: (width) => (width < 520 ? 340 : 226) });
    const words = kit.note("words", 1, 2);
    const formula = kit.note("formula", 2, 4);
    // When the width grows, the hands that come in are marked until something else moves.
    let now = kit.values();
    /** @type {Set<number>} */
    let fresh = new Set();

    return ({ position, d_model, base }) => {
      // What goes on by fractions began at the whole position before them.
      if (position !== to) [from, to] = [to % 1 ? from : to, position];
      const omegas = frequencies(d_model, base);
      const lambdas = wavelengths(d_model, base);
      const encoding = encode(position, d_model, base);
      if (position !== now.position || base !== now.base) fresh = new Set();
      else if (d_model !== now.d_model) {
        const old = frequencies(now.d_model, base);
        const there = (/** @type {number} */ omega) => old.some((one) => Math.abs(one / omega - 1) < 1e-9);
        fresh = new Set(d_model > now.d_model ? [...omegas.keys()].filter((i) => !there(omegas[i])) : []);
      }
      now = { position, d_model, base };
      const { columns, rows, radius } = arrange(omegas.length, dials);
      const apart = Math.min(dials.width / columns, 2 * radius + 70);
      const half = Math.min(apart / 2 - 3, 46);

      /** @type {Grip[]} */
      const grips = [];
      const all = Array.from(omegas, (omega, i) => {
        const row = Math.floor(i / columns);
        const inRow = Math.min(columns, omegas.length - row * columns);
        const cx = dials.width / 2 + ((i % columns) - (inRow - 1) / 2) * apart;
        const turns = position / lambdas[i];
        const cy = ((row + 0.5) * dials.height) / rows + (ABOVE - BELOW) / 2;
        /** @type {Point} */
        const tip = [cx + radius * Math.sin(omega * position), cy - radius * Math.cos(omega * position)];
        grips.push(hand("position", [[cx, cy], tip], [cx, cy], omega));
        return (
          text(
            [cx, cy - radius - 8],
            `*λ*${subscript(i)} = ${brief(lambdas[i])}`,
            `small ${fresh.has(i) ? "claimed" : "muted"}`,
          ) +
          drawDial([cx, cy], radius, omega * position, omega * (position - from), fresh.has(i)) +
          text([cx, cy + radius + 16], turned(turns, lambdas[i]), "small muted") +
          entry(cx - half, cy + radius + 24, half, encoding[2 * i], "sine") +
          entry(cx, cy + radius + 24, half, encoding[2 * i + 1], "cosine")
        );
      });
      const pairs = Array.from(
        lambdas,
        (lambda, i) =>
          `Wavelength ${short(lambda)}: sine ${fixed(encoding[2 * i], 2)}, cosine` +
          ` ${fixed(encoding[2 * i + 1], 2)}.`,
      );
      dials.draw(
        all.join(""),
        `${counted(omegas.length, "dial")} at position ${number(position)}. ${pairs.join(" ")}`,
        grips,
      );

      const moved = handsMoving(omegas, to - from || 1, VISIBLE);
      const hands =
        omegas.length === 1
          ? `the only hand${moved ? "" : " hardly"}`
          : `<b>${WORDS[moved]} of the ${WORDS[omegas.length]} hands</b>`;
      words.innerHTML =
        to === from
          ? `A step moves ${hands} visibly (a degree or more).`
          : `From ${number(from)} to ${number(to)}, ${hands} moved visibly (a degree or more).`;
      const i = Math.min(1, omegas.length - 1);
      formula.innerHTML =
        equation(
          `${rich(`hand ${i} is at *b*`)}<sup>\u2212${2 * i}/${rich("*d*")}</sup> ${rich("*p*")}`,
          "=",
          `${short(base, 3)}<sup>\u2212${2 * i}/${d_model}</sup> × ${number(position)}`,
          "=",
          `${short(omegas[i])} × ${number(position)}`,
          "=",
          `<b>${short(omegas[i] * position)}</b> rad`,
        ) + equation(rich("its cells: sin and cos of that angle"));
      const cells = Array.from(omegas, (_, i) => [encoding[2 * i], encoding[2 * i + 1]]);
      return { wavelengths: lambdas, pairs: cells, moved_visibly: moved, fresh: [...fresh] };
    };
  },
);
