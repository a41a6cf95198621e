// @ts-check
// The matrix and the columns, entry by entry, in one row; beside them, or below, if so asked, a circle with the
// hands and the eigenvalues. A new order is a permutation, and is shown as one: every cell glides from its
// old place to its new one.

import { apart } from "../lib/distance.js";
import { frequencies, rotation } from "../lib/encoding.js";
import { diverging, isBright } from "../lib/kit/color.js";
import { hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short, spoken, subscript } from "../lib/kit/format.js";
import { arrow, circle, corners, line, path, px, rect, sample, text } from "../lib/kit/svg.js";
import { encodeIn, placesOf, shiftMatrix } from "../lib/layouts.js";
import {
  applied,
  determinant,
  farthest,
  identity,
  multiplied,
  powered,
  transposed,
} from "../lib/matrices.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Matrix, Point, Shown, Vector } from "../types" */

const GLIDE = 700; // milliseconds
const TOP = 42;
const NAMES = 34;

/**
 * Where things are on a panel of that width: side of the matrix, width and left edges of the columns, circle.
 * @param {number} width
 * @param {string} beside
 */
function arrange(width, beside) {
  const wide = width >= 560;
  const wider = wide ? 32 : 29;
  const gap = wide ? 24 : 19;
  const alone = beside === "nothing";
  const columns = 3 * (wider + gap);
  const side = Math.min(300, width - (wide && !alone ? 222 : 12) - NAMES - columns);
  const left = NAMES + side + columns;
  const radius = wide ? Math.max(76, Math.min(130, (width - left) / 2 - 66)) : 88;
  const below = TOP + side + 52 + radius;
  /** @type {Point} */
  const center = wide
    ? [Math.min((left + width) / 2, width - radius - 42), TOP + Math.max(side / 2 - 8, radius)]
    : [width / 2, below];
  return {
    side,
    wider,
    radius,
    center,
    style: wide ? "" : "small",
    columns: [0, 1, 2].map((j) => NAMES + side + gap + j * (wider + gap)),
    height:
      alone || wide ? Math.max(TOP + side + 8, alone ? 0 : center[1] + radius + 54) : below + radius + 54,
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
const brackets = (x, y, width, height) =>
  [
    [x - 3, 5],
    [x + width + 3, -5],
  ]
    .map(([at, foot]) =>
      path([
        [at + foot, y - 3],
        [at, y - 3],
        [at, y + height + 3],
        [at + foot, y + height + 3],
      ]),
    )
    .join("");

/**
 * A cell with its number, if there is room; black or white, whichever is easier to read on the color.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} value
 * @param {number} room the least width for a number: more where another is beside it
 */
function cell(x, y, width, height, value, room = 29) {
  const color = diverging(value, SPEC.diverging);
  const box = rect(x, y, width, height, `rgb(${color})`);
  if (width < room || height < 13) return box;
  const style = `fill:${isBright(color) ? "black" : "white"};stroke:none`;
  const place = `x="${px(x + width / 2)}" y="${px(y + height / 2 + 4)}"`;
  return `${box}<text class="small" style="${style}" text-anchor="middle" ${place}>${fixed(value, 2)}</text>`;
}

/** How far out the circle of a pair's hand is, as a part of the radius; the first pair's is the largest. */
const partOf = (/** @type {number} */ i, /** @type {number} */ n) => 0.84 - (0.68 * i) / n;

/** @type {(center: Point, radius: number, angle: number) => Point} */
const onCircle = ([cx, cy], radius, angle) => [cx + radius * Math.cos(angle), cy - radius * Math.sin(angle)];

/** @type {(angle: number, way: number) => number} where a hand is drawn */
const drawnAt = (angle, way) => (way > 0 ? angle : Math.PI / 2 - angle);

/**
 * Each hand as a point, the first entry of its pair to the right and the second upwards: it turns by way *
 * turns[i]. The eigenvalue of that angle is a full dot, its conjugate a ring.
 * @param {Point} center
 * @param {number} radius
 * @param {Vector} angles
 * @param {Vector} turns
 * @param {number} way
 * @param {boolean} spectral whether eigenvalues are drawn
 * @param {number} room to the right of the circle
 */
function drawCircle([cx, cy], radius, angles, turns, way, spectral, room) {
  /** @type {(angle: number, r?: number) => Point} */
  const on = (angle, r = radius) => onCircle([cx, cy], r, angle);
  const hands = Array.from(turns, (turn, i) => {
    const r = radius * partOf(i, turns.length);
    const start = drawnAt(angles[i], way);
    const swing = sample(start, start + ((way * turn) % (2 * Math.PI)), 60, (angle) => on(angle, r));
    return circle([cx, cy], r, "grid hair") + arrow(swing, "shifted") + circle(on(start, r), 3);
  });
  /** @type {{ at: Point, names: number[] }[]} eigenvalues that are almost the same have one name */
  const named = [];
  const eigenvalues = Array.from(spectral ? turns : [], (turn, i) => {
    const at = on(way * turn);
    const conjugate = on(-way * turn);
    const place = on(way * turn, radius + 15);
    const near = named.find(({ at }) => apart(at, place) <= 14);
    if (near) near.names.push(i);
    else named.push({ at: place, names: [i] });
    return (
      line(...at, ...conjugate, "shifted hair") +
      circle(conjugate, 4, "shifted ring") +
      circle(at, 4.5, "shifted fill")
    );
  });
  const names = named.map(({ at: [x, y], names }) => {
    const word = room < 80 ? "" : `${spoken(names.length > 1 ? "pairs" : "pair")} `; // only where it has room
    const said = word + names.join(", ");
    const side = (x - cx) / radius;
    return text([x, y + 4], said, "shifted small", side > 0.4 ? "start" : side < -0.4 ? "end" : "middle");
  });
  const [right, up] = way > 0 ? ["cos", "sin"] : ["sin", "cos"];
  // Off the names of the slow ones.
  const aside = spectral ? 16 * (Math.sign(way * turns[turns.length - 1]) || 1) : 0;
  return (
    line(cx - radius, cy, cx + radius, cy, "grid hair") +
    line(cx, cy - radius, cx, cy + radius, "grid hair") +
    circle([cx, cy], radius, "muted hair") +
    hands.join("") +
    eigenvalues.join("") +
    names.join("") +
    text([cx + radius + 22, cy + 4 + aside], right, "small", "start") +
    text([cx, cy - radius - 25], up, "small") +
    (spectral
      ? text([cx, cy + radius + 33], "rim: eigenvalues, 1 at the right", "shifted small") +
        text([cx, cy + radius + 49], "inside: the hands, *p* to *p* + *k*", "small")
      : text([cx, cy + radius + 33], "the hands, from *p* to *p* + *k*", "small") +
        text([cx, cy + radius + 49], "outermost the fastest, a ring for each", "small muted"))
  );
}

/**
 * @typedef {{ position: number, offset: number, d_model: number, base: number, arrangement: string,
 *   beside: string }} Traits
 */

export default explorer("The shift of the whole encoding", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("position", "offset");
  kit.shows = { sine: "sin", cosine: "cos", block: "M", column: "PE" };
  kit.slider("position", { label: "position *p*" });
  kit.slider("offset", { label: "offset *k*", style: "shifted" });
  kit.slider("d_model", { label: "model width *d*" });
  kit.slider("base", { label: "base *b*" });
  kit.choice("arrangement", { label: "order of the entries", style: "wide" });
  const plot = kit.panel({ basis: 680, height: (width) => arrange(width, kit.values().beside).height });
  const moves = kit.note("words", 1, 3);
  const checks = kit.values().beside === "eigenvalues" ? kit.note("words", 2, 4) : undefined;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let order = kit.values().arrangement;
  let before = order;
  let since = -Infinity;
  /** @type {{ key: string, T: Matrix, start: number[], shown: Shown } | undefined} */
  let last;
  /** Before an answer that is played, which is one move, however many drawings it takes.
   * @type {{ T: Matrix, start: number[] } | undefined} */
  let origin;

  return ({ position: p, offset: k, d_model: d, base, arrangement: layout, beside }) => {
    if (layout !== order) {
      before = order;
      order = layout;
      since = calm.matches ? -Infinity : performance.now() - 16;
    }
    const part = Math.min(1, (performance.now() - since) / GLIDE);
    const ease = part * part * (3 - 2 * part);
    if (part < 1) kit.redraw();
    const to = placesOf(layout, d);
    const from = placesOf(before, d);
    const at = to.map((place, j) => from[j] + (place - from[j]) * ease);

    const omegas = frequencies(d, base);
    const turns = omegas.map((omega) => omega * k);
    const T = shiftMatrix(k, d, base, layout);
    const start = encodeIn(p, d, base, layout);
    const end = encodeIn(p + k, d, base, layout);
    const product = applied(T, start);

    const { side, wider, columns, center, radius, style } = arrange(plot.width, beside);
    const way = layout === "cosine first" ? 1 : -1;
    // The first pair's hand can be held, and the end of its arrow; screen angles are clockwise.
    const held = /** @type {["position" | "offset", number][]} */ (
      beside === "nothing"
        ? []
        : [
            ["position", p],
            ["offset", p + k],
          ]
    ).map(([trait, at]) => {
      const point = onCircle(center, radius * partOf(0, turns.length), drawnAt(omegas[0] * at, way));
      return hand(trait, [point], center, -way * omegas[0]);
    });
    const c = side / d;
    const halves = layout === "halves";
    const grid = sample(
      0,
      side,
      d,
      (t) =>
        line(NAMES, TOP + t, NAMES + side, TOP + t, "grid hair") +
        line(NAMES + t, TOP, NAMES + t, TOP + side, "grid hair"),
    );
    const cells = to.map((row, j) => {
      const y = TOP + at[j] * c;
      const block = [j, j ^ 1].map((i) => cell(NAMES + at[i] * c, y, c, c, T[row][to[i]], 33));
      const entries = [start, product, end].map((column, n) => cell(columns[n], y, wider, c, column[row]));
      const name =
        c < 12
          ? line(
              NAMES - 8,
              y + 1,
              NAMES - 8,
              TOP + (at[j] + 1) * c - 1,
              j % 2 ? "cosine thick" : "sine thick",
            )
          : text(
              [NAMES - 7, TOP + (at[j] + 0.5) * c + 4],
              (j % 2 ? "cos" : "sin") + subscript(j >> 1),
              "small",
              "end",
            );
      return block.join("") + entries.join("") + name;
    });
    const size = halves ? side / 2 : 2 * c;
    const blocks = halves
      ? [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
        ]
      : Array.from(turns, (_, i) => [i, i]);
    const frames = blocks.map(([row, column]) =>
      path(corners(NAMES + column * size, TOP + row * size, size, size), "block", true),
    );
    const P = layout === "interleaved" ? "" : spoken("reordered");
    const above = style ? "" : P; // in a narrow one the matrix says it
    const name = `*T*(${fixed(k, 0)})`;
    const headings = [
      ["", `PE(${short(p, 3)})`, above],
      style ? ["shifted", "", spoken("product")] : ["shifted", spoken("product"), ""], // above its neighbors where it has no room
      ["shifted", `PE(${fixed(p + k, 0)})`, above],
    ];
    const framed = columns.map((x, n) => {
      const equals = n && text([(columns[n - 1] + wider + x) / 2, TOP + side / 2 + 4], "=");
      const lines = headings[n]
        .slice(1)
        .map((words, row) =>
          text([x + wider / 2, TOP - 12 - 16 * row], words, `${style} column ${headings[n][0]}`),
        );
      return brackets(x, TOP, wider, side) + (equals || "") + lines.join("");
    });
    const listed = (/** @type {number[]} */ entries) => entries.map((x) => fixed(x)).join(", ");
    const pairs = Array.from(turns, (turn, i) => {
      const [[cos, sin]] = rotation(turn);
      const numbers = `: eigenvalues ${fixed(cos)} ± ${fixed(Math.abs(sin))}j`;
      return `Pair ${i} turns by ${short(turn)}${beside === "eigenvalues" ? numbers : ""}.`;
    });
    plot.draw(
      grid.join("") +
        cells.join("") +
        frames.join("") +
        brackets(NAMES, TOP, side, side) +
        text([NAMES + side / 2, TOP - 12], P ? `${name}, ${P}` : name, "shifted") +
        framed.join("") +
        (beside === "nothing"
          ? ""
          : drawCircle(
              center,
              radius,
              omegas.map((omega) => omega * p),
              turns,
              way,
              beside === "eigenvalues",
              plot.width - center[0] - radius,
            )),
      `Order ${spoken(layout)}, base ${short(base, 3)}: T(${fixed(k, 0)}) takes PE(${p}) = (${listed(start)}) to ` +
        `PE(${fixed(p + k, 0)}) = (${listed(product)}). ${pairs.join(" ")}`,
      held,
    );

    const key = [p, k, d, base, layout].join();
    const acting = kit.root.dataset.state === "acting";
    if (acting && kit.asks) {
      const { position, offset, d_model, base, arrangement } = /** @type {Traits} */ (kit.asks.setting);
      origin = {
        T: shiftMatrix(offset, d_model, base, arrangement),
        start: encodeIn(position, d_model, base, arrangement),
      };
    }
    if (last?.key === key) {
      if (!acting) origin = undefined;
      return last.shown; // only the cells glide
    }
    const changed = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      a.filter((entry, j) => entry !== b[j]).length;
    const former = origin ?? last;
    if (!acting) origin = undefined;
    const was = former?.start.length === d ? former : undefined;
    const by = was && { matrix: changed(T.flat(), was.T.flat()), column: changed(start, was.start) };
    moves.innerHTML = by
      ? rich(
          `The last move changed <b>${by.matrix} of ${d * d}</b> entries of the` +
            ` matrix, and <b>${by.column} of ${d}</b> of PE(*p*).`,
        )
      : `At most <b>${2 * d} of ${d * d}</b> entries of the matrix are not zero.`;
    const eigenvalues = Array.from(turns, (turn) => [Math.cos(turn), Math.abs(Math.sin(turn))]);
    const det = determinant(T);
    const shown = { start, product, end, turns_radians: turns, eigenvalues, determinant: det };
    last = { key, T, start, shown: { ...shown, changed: by ?? null } };
    if (!checks) return last.shown;
    const step = shiftMatrix(Math.sign(k), d, base, layout);
    const misses = (/** @type {string} */ what, /** @type {Matrix} */ a, /** @type {Matrix} */ b) =>
      `misses ${what} by <b>${short(farthest(a, b), 2).replaceAll(" ", "\u00a0")}</b>`;
    checks.innerHTML = rich(
      `The product ${misses("the last column", [product], [end])}, ` +
        `*T T*ᵀ ${misses("the identity", multiplied(T, transposed(T)), identity(d))}, ` +
        `*T*(${fixed(Math.sign(k), 0)})<sup>${Math.abs(k)}</sup>` +
        ` ${misses(name, powered(step, Math.abs(Math.round(k))), T)}; det *T* = <b>${fixed(det)}</b>.`,
    );
    return last.shown;
  };
});
