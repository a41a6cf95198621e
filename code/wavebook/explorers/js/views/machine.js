// @ts-check
// The machine that goes through the book: a hand for each pair, whose tip leaves its two waves behind.
// Waves and hands can be taken hold of; let alone, it goes on.
//
// Positions grow to the right, as on every axis of the book, and the present is where the hands are.

import { cosines, similarity } from "../lib/distance.js";
import { encode, frequencies, wavelength } from "../lib/encoding.js";
import { cursor, turned } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short } from "../lib/kit/format.js";
import { make, placeIn } from "../lib/kit/page.js";
import { scale } from "../lib/kit/scales.js";
import { atAngle, cell, circle, corners, dots, line, path, px, rect, sample, text } from "../lib/kit/svg.js";
import { coasted, settled } from "../lib/motion.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Point } from "../types" */
/** @typedef {{ show: string, position: number, offset: number, d_model: number, base: number, whose: string }} Traits */
/**
 * @typedef {{ omegas: number[], say?: string, hands: number, late?: number, rest?: number,
 *   context?: number }} Model
 */
/** @typedef {{ y: number, omega: number, radius: number }} Row */
/** @typedef {ReturnType<typeof drawWaves>["place"]} Place */

const DRIFT = 1.6; // positions a second, when nobody touches it
const FADE = 0.7; // seconds in which a push dies down by the factor e
const REST = 0.1; // and the way to the nearest whole position
const FASTEST = 120; // positions a second that a throw can have
// Pixels that the waves go into the page's margin: at least, and at most where the page is theirs.
const BLEED = [16, 96];
const HALO = 1900; // milliseconds after which a ring asks to be turned, and that each of three takes
const HEAD = 30; // pixels above the first row
const FOOT = 36; // and below the last one
const FARTHEST = SPEC.traits.offset?.max ?? 30;
/** @type {{ models: Record<string, Model>, patches: number }} */
const { models: MODELS, patches: PATCHES } = /** @type {any} */ (SPEC.constants);

/**
 * Whose hands they are.
 * @param {string} whose
 * @param {number} d_model
 * @param {number} base
 */
function saidOf(whose, d_model, base) {
  if (!(whose in MODELS)) return `${d_model} numbers, *d* = ${d_model}, at base *b* = ${short(base, 3)}.`;
  const { omegas, say, hands, late, rest, context } = MODELS[whose];
  if (say) return say;
  const still = rest ? `; ${rest} more stand still` : "";
  const round = late ? `<b>${late}</b> never come round` : "each comes round";
  const use = context
    ? `In the ${short(context, 9)} tokens that it reads, ${round}. It adds no vector: it turns queries and keys.`
    : "It adds the vector.";
  return `${omegas.length} of its ${hands} hands, from fastest to slowest${still}. ${use}`;
}

/**
 * Where everything is in a drawing of so many hands. The pens are at `x0`, and the waves go to the left; but where all
 * positions of an image's row are in the picture, the pens go to the right.
 * @param {Panel} panel
 * @param {Float64Array} omegas
 * @param {number} more rows that are left free
 * @param {number} [bleed]
 * @param {number} [below] what is left free below each dial
 * @param {boolean} [image]
 */
function arrange({ width, height }, omegas, more, bleed = 0, below = 0, image = false) {
  const count = omegas.length + more;
  const narrow = width < 560;
  const row = (height - HEAD - FOOT) / count;
  const radius = Math.min(row / 2 - 6 - below / 2, narrow ? 38 : 52);
  const size = Math.min(radius - 1, narrow ? 30 : 36); // of a cell
  const gap = narrow ? 14 : 28;
  const xCell = width - size;
  const xDial = xCell - (narrow ? 25 : gap) - radius;
  const x0 = xDial - radius - gap;
  const left = image ? (narrow ? 86 : 182) : -bleed;
  const perStep = image ? (x0 - (narrow ? 8 : 24) - left) / (PATCHES - 1) : narrow ? 13 : 18;
  return {
    narrow,
    row,
    rows: Array.from(omegas, (omega, i) => ({ omega, radius, y: HEAD + (i + 0.5) * row - below / 2 })),
    radius,
    size,
    xCell,
    xDial,
    x0,
    bottom: HEAD + count * row + 4,
    left,
    perStep,
    moves: image ? perStep : -perStep, // by how much what is held goes to the right for one position more
  };
}

/**
 * A dial with one hand: blue is how far right its tip is, orange how far up.
 * @param {Point} center
 * @param {number} radius
 * @param {number} angle
 */
function dial(center, radius, angle) {
  const [cx, cy] = center;
  const at = atAngle(center, radius);
  const [x, y] = at(angle);
  return (
    rim(center, radius) +
    line(cx, cy, x, cy, "sine bold") +
    line(cx, cy, cx, y, "cosine bold") +
    needle(center, [x, y], radius, "hand")
  );
}

/** @type {(center: Point, tip: Point, radius: number, role: string) => string} */
const needle = (center, tip, radius, role) =>
  line(...center, ...tip, `${role} thick`) + circle(tip, Math.min(6.5, 2.4 + radius / 10), `${role} tip`);

/**
 * What a hand has swept between two angles.
 * @param {Point} center
 * @param {number} radius
 * @param {number} from
 * @param {number} to
 */
const sector = (center, radius, from, to) =>
  path([center, ...sample(from, to, 32, atAngle(center, radius))], "shifted wash angle", true);

/** @type {(center: Point, radius: number) => string} */
const rim = ([cx, cy], radius) =>
  circle([cx, cy], radius, "grid hair") + line(cx, cy - radius - 5, cx, cy - radius + 3);

/**
 * The wave of a value that goes from -1 to 1, between two places, and beads on it.
 * @param {(x: number) => number} value
 * @param {Row} row
 * @param {number} from
 * @param {number} to
 * @param {number} step
 * @param {number[]} wholes
 * @param {string} role
 */
function wave(value, { y, radius }, from, to, step, wholes, role) {
  if (to - from < 0.5) return "";
  const bead = wholes.length > 1 ? Math.min(2.2, Math.abs(wholes[1] - wholes[0]) / 3) : 2.2;
  /** @type {(x: number) => Point} */
  const point = (x) => [x, y - radius * value(x)];
  const thread = path(sample(from, to, Math.max(2, Math.ceil((to - from) / step)), point), role);
  return `<g style="opacity:.6">${thread}</g>${dots(wholes.map(point), bead, role)}`;
}

/**
 * Both waves of a hand, and the line of their zero.
 * @param {Row} row
 * @param {{ p: number, x0: number, perStep: number, finest: number, wholes: number[] }} along position `p` is at `x0`
 * @param {[left: number, from: number, to: number, right: number]} ends of the line, and between them of the waves
 */
function both(row, { p, x0, perStep, finest, wholes }, [left, from, to, right]) {
  const step = Math.min(4 * finest, Math.max(finest, (wavelength(row.omega) * perStep) / 28));
  /** @type {(f: (angle: number) => number, role: string) => string} */
  const one = (f, role) =>
    wave((x) => f(row.omega * (p + (x - x0) / perStep)), row, from, to, step, wholes, role);
  return line(left, row.y, right, row.y, "grid hair") + one(Math.sin, "sine") + one(Math.cos, "cosine");
}

/**
 * A wavelength that one remembers: 6.3, 99.6, 628.
 * @param {number} lambda
 */
const remembered = (lambda) =>
  short(lambda < 100 ? lambda : Math.round(lambda), lambda < 10 ? 2 : lambda < 100 ? 3 : 9);

/**
 * An entry of the vector, and in its empty half the number, where there is room.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} value
 * @param {string} role
 * @param {boolean} says
 */
const entry = (x, y, size, value, role, says = false) =>
  `<g data-symbol="PE d">${cell(x, y, size, size, value, role)}${
    says ? text([x + size / 2, y + size * (value < 0 ? 0.25 : 0.75) + 4], fixed(value, 2), "small bare") : ""
  }</g>`;

/**
 * What lets the waves pale at their far end: paper over them.
 * @param {number} from
 * @param {number} to
 * @param {number} bottom
 */
const paling = (from, to, bottom) => {
  const stops = [1, 0.8, 0.3, 0].map(
    (opacity, n) =>
      `<stop offset="${fixed(n / 3, 2)}" style="stop-color:var(--posenc-paper);stop-opacity:${opacity}"/>`,
  );
  const gradient = `<defs><linearGradient id="machine-paling">${stops.join("")}</linearGradient></defs>`;
  return gradient + rect(from, 0, Math.max(0, to - from), bottom, "url(#machine-paling)");
};

/** @type {(x: number, y: number, width: number, height: number, data: string) => string} */
const area = (x, y, width, height, data) =>
  `<path class="grip area" ${data} d="M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}Z"/>`;

/**
 * What can be taken hold of: all waves together, and each hand.
 * @param {Place} place
 * @param {number} height
 */
const areas = ({ left, x0, xDial, radius, row, rows }, height) =>
  area(left, 0, x0 - left, height, 'data-waves="" data-symbol="p"') +
  rows
    .map(({ y }, i) =>
      area(xDial - radius - 6, y - row / 2, 2 * radius + 12, row, `data-hand="${i}" data-symbol="ω i"`),
    )
    .join("");

/**
 * The patches of a row, up to the present one full, and the first turn of each hand that has made one.
 * @param {number} p
 * @param {ReturnType<typeof arrange>} place
 */
const patches = (p, { rows, left, perStep, bottom }) =>
  Array.from({ length: PATCHES }, (_, k) =>
    path(
      corners(left + (k - 0.5) * perStep + 1, bottom - 19, perStep - 2, 14),
      k > p ? "muted hair" : "muted wash",
      true,
    ),
  ).join("") +
  text([0, bottom - 8], "patches", "muted", "start") +
  rows
    .filter(({ omega }) => wavelength(omega) <= p)
    .map(({ y, omega, radius }) => {
      const across = wavelength(omega) * perStep;
      return (
        path(corners(left, y - radius, across, 2 * radius), "shifted wash", true) +
        text([left + across / 2, y - radius - 2], "one turn", "shifted small")
      );
    })
    .join("");

/**
 * One position: waves up to the pens, hands, and the vector.
 * @param {Panel} panel
 * @param {number} p
 * @param {Float64Array} omegas
 * @param {{ halo: number, resting: boolean, bleed: number, swept: number, counts: boolean, image: boolean }} state how
 *   much of the last step is `swept`, whether it `counts` turns from 0 instead, and whether it shows an `image`'s row
 */
function drawWaves(panel, p, omegas, { halo, resting, bleed, swept, counts, image }) {
  const place = arrange(panel, omegas, image ? 0.35 : 0, bleed, counts ? 20 : 0, image);
  const { narrow, rows, radius, size, xCell, xDial, x0, bottom, left, perStep } = place;
  const pen = image ? left + p * perStep : x0;
  const reach = Math.min(p, (pen - left) / perStep);
  const from = pen - reach * perStep;
  const part = p % 1;
  const wholes = Array.from(
    { length: Math.max(0, Math.floor(reach - part) + 1) },
    (_, k) => pen - (k + part) * perStep,
  );
  const values = encode(p, 2 * omegas.length, 1, omegas);
  const along = { p, x0: pen, perStep, finest: 4, wholes };
  const waves = rows.map((one) => both(one, along, [left, from, pen, x0]));
  const ticks = Array.from({ length: PATCHES }, (_, k) => {
    const at = image ? k : 10 * (Math.floor(p / 10) - k);
    const x = pen - (p - at) * perStep;
    if (at < 0 || x < left - 1e-6) return ""; // but for rounding
    // The present one is named in large figures, with a word after them, or before the row of an image.
    const free =
      (image ? Math.abs(pen - x) > 24 : pen - x > 44 || x - pen > 90) && x > 18 && !(narrow && at % 5);
    return (
      line(x, bottom, x, bottom + 5, "muted hair") + (free ? text([x, bottom + 21], short(at), "muted") : "")
    );
  });
  const hands = rows.map(({ omega, y }, i) => {
    const [s, c] = [values[2 * i], values[2 * i + 1]];
    const [right, up] = [xDial + radius * s, y - radius * c];
    // The height of the tip goes straight to its pen; the leg across first swings up by a quarter turn.
    const arc = `A${px(radius * Math.abs(s))} ${px(radius * Math.abs(s))} 0 0 0 ${px(xDial)} ${px(y - radius * s)}`;
    const turn = wavelength(omega);
    const turned = counts ? `${fixed(p / turn, 3)} turns` : `+${short(360 / turn, 2)}°`;
    // Over places to come they are pale, so that nobody takes them for waves.
    const thread = image ? "hair ghost" : "hair";
    const threads =
      `<path class="cosine ${thread}" d="M${px(right)} ${px(up)}H${px(pen)}"/>` +
      `<path class="sine ${thread}" d="M${px(right)} ${px(y)}${arc}H${px(pen)}"/>`;
    return (
      threads +
      (swept && !counts ? sector([xDial, y], radius, omega * Math.max(0, p - swept), omega * p) : "") +
      dial([xDial, y], radius, omega * p) +
      ((counts ? swept > 0 : swept === 1)
        ? counts
          ? text([xDial, y + radius + 15], turned, "shifted strong small")
          : text([xCell - 3, y - 0.85 * radius], turned, "shifted strong small", "end")
        : "") +
      (halo && i === 1
        ? `<g style="opacity:${fixed(0.7 * (1 - halo), 2)}">${circle([right, up], 7 + 20 * halo, "")}</g>`
        : "") +
      circle([pen, y - radius * c], 5, "cosine tip") +
      circle([pen, y - radius * s], 5, "sine tip") +
      entry(xCell, y - size - 0.5, size, s, "sine", resting && size > 31) +
      entry(xCell, y + 0.5, size, c, "cosine", resting && size > 31)
    );
  });
  // A single one has room for its name above its waves; on a phone several have a heading.
  const several = rows.length > 1;
  const headed = narrow && several;
  const whose = several ? " of each hand, position after position" : " of the hand, position after position";
  const names = rows.map(({ omega, y }, i) => {
    const turn = remembered(wavelength(omega));
    return text(
      [0, several ? y + 4 : y - radius - 12],
      headed ? turn : i ? `in ${turn}` : `one turn in ${turn} positions`,
      "muted clear",
      "start",
    );
  });
  // What the cells say.
  const ends = [-1, 0, 1].map((value) =>
    value || size > 28
      ? text(
          [xCell - 4, rows[rows.length - 1].y + (size * (1 - value)) / 2 + 4],
          fixed(value, 0),
          "small muted",
          "end",
        )
      : "",
  );
  const whole = Math.floor(p + 1e-6);
  const markup =
    waves.join("") +
    (image ? patches(p, place) : line(left, bottom, x0, bottom, "muted hair")) +
    ticks.join("") +
    (image ? "" : paling(left, x0 * (narrow ? 0.6 : 0.5), bottom + 26)) +
    line(pen, HEAD - 4, pen, bottom, "hair") +
    hands.join("") +
    names.join("") +
    ends.join("") +
    text(
      [x0 - 12, 13],
      `<tspan class="sine">sine</tspan> and <tspan class="cosine">cosine</tspan>${narrow ? "" : whose}`,
      "muted",
      "end",
    ) +
    (headed ? text([0, 13], "one turn in", "muted", "start") : "") +
    text([xDial, 13], several ? "hands" : "hand", "muted") +
    text([panel.width, 13], "numbers", "muted entries", "end") +
    text([pen, bottom + 24], String(whole), "big here") +
    text(
      [image ? left - 24 : pen + (whole > 99 ? 28 : 20), bottom + 22],
      "position",
      "here",
      image ? "end" : "start",
    );
  const pairs = rows.map(({ omega }, i) => {
    const angle = omega * whole;
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)].map((value) => fixed(value, 2));
    return `Hand ${i}, one turn in ${remembered(wavelength(omega))}: sine ${sine}, cosine ${cosine}.`;
  });
  return {
    markup,
    told: `${counted(rows.length, "hand")} at position ${whole}. ${pairs.join(" ")}`,
    /** @type {Grip[]} */
    grips: [],
    place,
  };
}

/**
 * Two positions on the same waves: the angle between the places of each hand, and the sum of the cosines.
 * @param {Panel} panel
 * @param {number} p
 * @param {number} offset
 * @param {Float64Array} omegas
 * @param {number} seen how much of the curve of sums is there, from 0 to 1
 */
function drawTwo(panel, p, offset, omegas, seen) {
  const place = arrange(panel, omegas, 1.8);
  const { narrow, row, rows, radius, xDial } = place;
  const right = narrow ? xDial - radius - 12 : place.x0;
  const left = 14;
  const x = scale([-FARTHEST - 0.5, FARTHEST + 0.5], [left, right]);
  const perStep = x(1) - x(0);
  const cos = cosines(offset, omegas);
  const sum = similarity(offset, 0, 0, omegas);
  const q = p + offset;
  const bottom = HEAD + rows.length * row;
  const low = panel.height - 24;
  const sums = sample(-FARTHEST, FARTHEST, 8 * FARTHEST, (k) => similarity(k, 0, 0, omegas));
  const height = scale([Math.min(-0.5, ...sums), omegas.length], [low - 8, bottom + 24]);
  const first = Math.max(-FARTHEST, -p);
  const part = p % 1;
  const wholes = Array.from({ length: 2 * FARTHEST + 2 }, (_, k) => k - FARTHEST - part)
    .filter((k) => k >= first - 1e-9 && k <= FARTHEST)
    .map(x);
  const along = { p, x0: x(0), perStep, finest: 3, wholes };
  const waves = rows.map((one) => both(one, along, [left, x(first), x(FARTHEST), right]));
  const bar = narrow ? 30 : 72;
  const xBar = panel.width - bar;
  const hands = rows.map(({ omega, y }, i) => {
    const at = atAngle([xDial, y], radius);
    const [a, b] = [at(omega * p), at(omega * q)];
    const between = omega * offset;
    const swept = Math.sign(between) * Math.min(Math.abs(between), 2 * Math.PI);
    const wedge = sector([xDial, y], 0.5 * radius, omega * p, omega * p + swept);
    return (
      rim([xDial, y], radius) +
      wedge +
      needle([xDial, y], b, radius, "shifted") +
      needle([xDial, y], a, radius, "here") +
      line(xBar, y + 9, xBar + bar, y + 9, "grid hair") +
      line(xBar + bar / 2, y + 5, xBar + bar / 2, y + 13, "muted hair") +
      line(xBar + bar / 2, y + 9, xBar + (bar / 2) * (1 + cos[i]), y + 9, "bold cos") +
      text([xBar + bar, y - 1], fixed(cos[i], 2), "cos", "end")
    );
  });
  // The lines of the two positions leave out the title of the sums.
  const upright = (/** @type {number} */ at, /** @type {string} */ role) =>
    line(at, HEAD - 8, at, bottom + 1, role) + line(at, bottom + 19, at, low, role);
  const curve = sums.map((value, n) => /** @type {Point} */ ([x(n / 4 - FARTHEST), height(value)]));
  const name = (/** @type {number} */ value) => fixed(value, 0);
  // Words about the other side are away from the middle, where there is room.
  const side = (offset > 0 ? -1 : 1) * (Math.abs(offset) > 0.6 * FARTHEST ? -1 : 1);
  const beyond = side > 0 ? "start" : "end";
  // Two names that are near each other go apart.
  const near = Math.abs(x(offset) - x(0)) < 52 ? 4 * Math.sign(offset) : 0;
  const anchors = near ? (near > 0 ? ["end", "start"] : ["start", "end"]) : ["middle", "middle"];
  const most = panel.width - (narrow ? 60 : 168); // before the words over the bars
  const markup =
    waves.join("") +
    upright(x(0), "here") +
    upright(x(offset), "shifted") +
    hands.join("") +
    line(left, height(0), right, height(0), "grid hair") +
    path(curve.slice(0, Math.ceil(seen * curve.length)), "thick sum") +
    (offset && seen === 1
      ? circle([x(-offset), height(sum)], 5, "ring") +
        line(x(-offset), height(sum) + 6, x(-offset), low, "muted dashed hair") +
        (narrow
          ? ""
          : text([x(-offset) + 6 * side, low - 6], `the same at ${fixed(-offset, 0)}`, "muted small", beyond))
      : "") +
    circle([x(offset), height(sum)], 6, "shifted fill") +
    line(left, low, right, low, "muted hair") +
    [-30, -20, -10, 0, 10, 20, 30]
      .map(
        (k) =>
          line(x(k), low, x(k), low + 4, "muted hair") + text([x(k), low + 19], fixed(k, 0), "muted small"),
      )
      .join("") +
    text([x(0) - near, 13], `*p* = ${name(p)}`, "strong", anchors[0]) +
    (offset
      ? text(
          [Math.min(most, Math.max(34, x(offset) + near)), 13],
          `*q* = ${name(q)}`,
          "shifted strong",
          anchors[1],
        )
      : "") +
    text([panel.width, 13], narrow ? "cos" : "cosine of the angle", "muted cos", "end") +
    text(
      [left + 2, bottom + 14],
      narrow ? "sum of the cosines" : "sum of the cosines, for each offset",
      "muted sum",
      "start",
    ) +
    text([panel.width, height(sum) + 5], fixed(sum, 2), "big sum", "end") +
    text([panel.width, height(sum) + 22], narrow ? "sum" : "sum = dot product", "muted small sum", "end") +
    text([panel.width, low + 19], "offset *q* − *p*", "muted small", "end");
  const angles = rows.map(
    ({ omega }, i) => `hand ${i}: ${fixed(omega * offset, 2)} rad, cosine ${fixed(cos[i], 2)}`,
  );
  return {
    markup,
    told:
      `Positions ${name(p)} and ${name(q)}, offset ${fixed(offset, 0)}. Angles between the two places of each hand: ` +
      `${angles.join("; ")}. Sum of the cosines: ${fixed(sum, 2)}.`,
    grips: [
      cursor(
        "offset",
        [
          [x(offset), HEAD - 8],
          [x(offset), low],
        ],
        x,
      ),
    ],
    place: { ...place, perStep, moves: -perStep, left, x0: right },
  };
}

export default explorer("Hands, and the waves that they draw", (/** @type {Kit<Traits>} */ kit) => {
  const { show, position: made } = kit.values();
  const two = show === "compare";
  const counts = show === "turns";
  const image = show === "image";
  kit.shows = two
    ? { here: "p", shifted: "q", angle: "ω i", cos: "cos", sum: "∑" }
    : { here: "p", hand: "ω i", entries: "PE d", sine: "sin", cosine: "cos" };
  kit.smooth("position");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const max = image ? PATCHES - 1 : SPEC.traits.position.max;
  const play = kit.button("Play", () => run(!playing));
  // A question is about the hands that it was made with.
  const offers = show === "waves" && !kit.asks && kit.values().d_model > 2;
  if (offers) kit.choice("whose", { label: "whose hands" });
  const slider = kit.slider("position", { label: "position", show: (value) => fixed(value, 0), max });
  if (two) {
    kit.smooth("offset");
    kit.slider("offset", { label: "offset *q* − *p*" });
  }
  // It begins at its place and goes on, or rests where the address, a question or the system wants it.
  let p = Math.min(max, kit.values().position);
  const still = calm.matches || kit.asks || p !== made;
  let speed = still ? 0 : DRIFT;
  let playing = false;
  let visible = true;
  let touched = false;
  let told = p; // the trait, as this drawing has seen or set it last
  let last = performance.now();
  const born = last;
  /** @type {{ hand: number | null, id: number, before: number, played: boolean, at: Point, time: number } | null} */
  let held = null;
  /** @type {Place | undefined} */
  let place;

  let [bleed] = BLEED;
  // Where a drawing is made without a page there is nothing around it.
  const wide = "closest" in kit.root && kit.root.closest(".tag_wide");
  const panel = kit.panel({
    basis: 680,
    height: (width) => {
      if (wide) bleed = Math.min(BLEED[1], Math.max(BLEED[0], kit.root.getBoundingClientRect().left));
      if (two) return width < 560 ? 470 : 520;
      // On a page's first screen all of it is seen, and of a question what it asks about.
      const tall = window.innerHeight || 900;
      const room = width < 560 ? [500, tall - 424, 310] : [600, tall - (kit.asks ? 430 : 372), 400];
      return Math.min(room[0], Math.max(room[2], room[1]), 100 + 75 * kit.values().d_model);
    },
  });
  const words = offers && kit.note("words", 2, 2);
  make("p", kit.root, {
    className: "hint",
    textContent: `Drag ${two ? "q, " : ""}the waves, or a hand.`,
  });

  const moving = () => visible && !held && (playing || Math.abs(speed) > 0.02 || p !== Math.round(p));
  /** @param {boolean} on */
  function run(on) {
    playing = on;
    if (on && p >= max) put(0); // from the end it begins anew
    play.textContent = on ? "Pause" : "Play";
    play.dataset.plays = String(on);
    slider.setAttribute("aria-live", "off");
    last = performance.now();
    watch();
    kit.redraw();
  }
  /** @param {number} to */
  const put = (to) => {
    p = Math.min(max, Math.max(0, to));
    // The trait is what a slider and a link have: whole positions, and none while they race by.
    if (Math.abs(speed) > 12 && !held) return;
    const whole = Math.floor(p + 1e-6);
    if (whole === told) return;
    told = whole;
    kit.set("position", whole);
  };
  /** @param {number} seconds */
  const advance = (seconds) => {
    const calmSpeed = playing ? DRIFT : 0;
    let next;
    [next, speed] = coasted(p, speed, seconds, calmSpeed, FADE);
    if (!playing && Math.abs(speed) < 1) {
      speed = 0;
      next = settled(p, seconds, REST);
      if (Math.abs(next - Math.round(next)) < 0.004) next = Math.round(next);
    }
    if (next >= max && playing) run(false);
    put(next);
  };
  /** @type {IntersectionObserver | undefined} */
  let watcher;
  const watch = () => {
    if (watcher || !playing) return;
    // A busy browser tells several at once: the last one is what is so now.
    watcher = new IntersectionObserver((seen) => {
      visible = seen[seen.length - 1].isIntersecting;
      last = performance.now();
      if (visible) kit.redraw();
    });
    watcher.observe(kit.root);
    kit.onCleanup(() => watcher?.disconnect());
  };

  kit.on(panel.svg, "pointerdown", (event) => {
    const { waves, hand } = event.target.dataset;
    if ((waves === undefined && hand === undefined) || held || event.button) return;
    panel.svg.setPointerCapture(event.pointerId);
    panel.svg.dataset.held = hand === undefined ? "waves" : "hand"; // whose finger scrolls nothing
    held = {
      hand: hand === undefined ? null : Number(hand),
      id: event.pointerId,
      before: p,
      played: playing,
      at: placeIn(panel.svg, event),
      time: event.timeStamp,
    };
    speed = 0;
    touched = true;
    if (playing) run(false); // whoever has let go sees what is there, with its numbers
    kit.redraw();
  });
  kit.on(panel.svg, "pointermove", (event) => {
    if (!held || !place || event.pointerId !== held.id) return;
    const to = placeIn(panel.svg, event);
    const before = p;
    const row = held.hand === null ? null : place.rows[held.hand];
    put(
      row ? turned(p, held.at, to, [place.xDial, row.y], row.omega) : p + (to[0] - held.at[0]) / place.moves,
    );
    const seconds = Math.max(1, event.timeStamp - held.time) / 1000;
    const now = (p - before) / seconds;
    speed = Math.min(FASTEST, Math.max(-FASTEST, speed + 0.4 * (now - speed)));
    Object.assign(held, { at: to, time: event.timeStamp });
    kit.redraw();
  });
  /** @param {PointerEvent | null} event null gives back what was before */
  const drop = (event) => {
    if (!held) return;
    const { before, played, time } = held;
    held = null;
    delete panel.svg.dataset.held;
    if (!event || event.timeStamp - time > 80 || calm.matches) speed = 0;
    if (!event) put(before);
    if (!event && played) run(true); // it was the page that was to be moved
    last = performance.now();
    kit.redraw();
  };
  kit.on(panel.svg, "pointerup", drop);
  kit.on(panel.svg, "pointercancel", () => drop(null));
  for (const target of [kit.root, document]) {
    kit.on(target, "keydown", (event) => event.key === "Escape" && drop(null));
  }
  if (!still) run(true);

  return ({ position, offset, d_model, base, whose }) => {
    const now = performance.now();
    if (position !== told) {
      // Somebody else has set it: the slider, or a kernel.
      told = position;
      p = Math.min(max, position);
      speed = 0;
      touched = true;
      if (playing) run(false);
    } else if (moving()) advance(Math.min(0.1, (now - last) / 1000));
    last = now;
    const omegas = whose in MODELS ? Float64Array.from(MODELS[whose].omegas) : frequencies(d_model, base);
    if (words) words.innerHTML = rich(saidOf(whose, d_model, base));
    const age = (now - born) / HALO - 1;
    const halo = playing && !touched && age > 0 && age < 3 ? age % 1 : 0;
    const resting = !held && !moving();
    const shown = calm.matches && !held ? Math.floor(p + 1e-6) : p;
    const drawn = two
      ? drawTwo(panel, shown, offset, omegas, kit.part("sums"))
      : drawWaves(panel, shown, omegas, {
          halo,
          resting,
          bleed,
          swept: counts || (kit.asks && !image) ? kit.part("step") : 0,
          counts,
          image,
        });
    place = drawn.place;
    panel.draw(drawn.markup, drawn.told, drawn.grips);
    // Below the grips of the kit, which are lines across the waves.
    const [grip] = panel.svg.querySelectorAll(".grip");
    (grip ?? panel.svg).insertAdjacentHTML(grip ? "beforebegin" : "beforeend", areas(place, panel.height));
    if (moving()) kit.redraw();
    const pairs = Array.from(omegas, (omega) => [Math.sin(omega * shown), Math.cos(omega * shown)]);
    const seen = { position: shown, wavelengths: omegas.map(wavelength), pairs, playing };
    if (!two) return seen;
    return {
      ...seen,
      second_position: shown + offset,
      angles_radians: omegas.map((omega) => omega * offset),
      cosines: cosines(offset, omegas),
      dot_product: similarity(offset, 0, 0, omegas),
    };
  };
});
