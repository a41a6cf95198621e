// @ts-check
// Left the circle, right the waves; a layer adds what its theorem needs. With d_model = 2 the only frequency
// is 1.

import { nearestTurns, onCircle, piAsFraction, TURN, turnsGap } from "../lib/circle.js";
import { distance } from "../lib/distance.js";
import { rotation, shift } from "../lib/encoding.js";
import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { counted, fixed, rich, short } from "../lib/kit/format.js";
import { column, equation, matrix } from "../lib/kit/formulas.js";
import { player } from "../lib/kit/play.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, dots, line, onDial, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Point, Scale, Shown, Vector } from "../types" */
/** @typedef {{ center: Point, radius: number, at: Vectors, angle: Angles }} Ring */
/** @typedef {(vector: Vector, r?: number) => Point} Vectors */
/** @typedef {(t: number, r?: number) => Point} Angles */
/** @typedef {{ x: Scale, y: Scale }} Axes */
/**
 * A quantity against the offset, drawn under the waves.
 * @typedef {{ xName: string, yName: string, x: Point, y: Point, value: (k: number) => number }} Below
 */
/**
 * What a layer adds: to the circle, under the waves, in words and numbers, and as data.
 * @typedef {{ circle: (ring: Ring, p: number, k: number) => string, below?: Below,
 *   note: (p: number, k: number) => string, say: (p: number, k: number) => string,
 *   shown: (k: number) => Shown }} Layer
 */

/**
 * The distance of PE(p + k) from PE(p).
 * @param {number} k
 */
const chord = (k) => distance(k, 2, 2);
/** How far a label keeps from an axis, in radians. */
const AXIS = 0.22;
/**
 * Where a label at that angle is: beside the axes to the top and the right, which have names.
 * @param {number} t
 */
function besideAxes(t) {
  const quarter = Math.round((4 * t) / TURN);
  const axis = (quarter * TURN) / 4;
  return (quarter & 3) < 2 && Math.abs(t - axis) < AXIS ? axis + Math.sign(t - axis || 1) * AXIS : t;
}

/**
 * The circle's place in its panel: at(vector, r) is where an encoding is, at r times its distance from the
 * center.
 * @param {Panel} panel
 * @returns {Ring}
 */
function ringIn({ width, height }) {
  /** @type {Point} */
  const center = [width / 2, height / 2];
  const radius = Math.min(width / 2 - 60, height / 2 - 34);
  const at = onDial(center, radius);
  return { center, radius, at, angle: (t, r = 1) => at(onCircle(t), r) };
}

/**
 * @param {Ring} ring
 * @param {number} p
 * @param {number} k
 * @param {string} layer
 */
function drawCircle({ center: [cx, cy], radius, at, angle }, p, k, layer) {
  const [x, y] = angle(p);
  const last = Math.floor(p + 1e-9);
  const trail = Array.from({ length: last + 1 }, (_, n) => n).filter((n) => Math.abs(n - p) > 1e-9);
  const recent = Array.from({ length: 6 }, (_, j) => last - j).filter(
    (n) => n >= 0 && [p, p + k].every((t) => Math.abs(Math.sin((n - t) / 2)) > 0.2), // their names are there
  );
  const numbers = recent.map((n) => {
    const [u, v] = angle(besideAxes(n), 1.14);
    return text([u, v + 4], String(n), "small muted");
  });
  const legs = line(cx, y, x, y, "sine thick") + line(x, cy, x, y, "cosine thick");
  return (
    circle([cx, cy], radius, "muted hair") +
    arrow([at([-1.1, 0]), at([1.3, 0])], "sine hair") +
    text([cx + 1.3 * radius + 5, cy + 4], "sin", "", "start") +
    arrow([at([0, -1.1]), at([0, 1.29])], "cosine hair") +
    text([cx + 6, cy - 1.25 * radius], "cos", "", "start") +
    dots(
      trail.map((n) => angle(n)),
      1.6,
      "muted",
    ) +
    (layer === "near-return" ? "" : numbers.join("")) +
    (layer === "rotation" ? legs : "")
  );
}

/**
 * The points of p and p + k with their arms; the labels are outside, away from each other where the two are near, and
 * beside the axes.
 * @param {Ring} ring
 * @param {number} p
 * @param {number} k
 */
function drawPoints({ center: [cx, cy], angle }, p, k) {
  const near = Math.abs(Math.sin(k / 2)) < 0.2;
  const side = near ? (Math.sin(k / 2) * Math.cos(k / 2) < 0 ? -0.2 : 0.2) : 0;
  /** @type {(t: number, name: string, style: string, away: number) => string} */
  const one = (t, name, style, away) => {
    const [x, y] = angle(t);
    const [u, v] = angle(besideAxes(t + away), 1.13);
    const anchor = u > cx + 12 ? "start" : u < cx - 12 ? "end" : "middle";
    return (
      line(cx, cy, x, y, style) + circle([x, y], 5, `fill ${style}`) + text([u, v + 4], name, style, anchor)
    );
  };
  return one(p + k, "*p* + *k*", "shifted", side) + one(p, "*p*", "here", -side);
}

/**
 * @param {Axes} place
 * @param {number} p
 * @param {number} k
 */
function drawWaves({ x, y }, p, k) {
  const [from, to] = x.domain;
  /** @type {(j: number, style: string) => string} */
  const curve = (j, style) =>
    path(
      sample(from, to, 200, (t) => [x(t), y(onCircle(t)[j])]),
      style,
    );
  const first = Math.max(0, Math.ceil(from));
  const whole = Array.from({ length: Math.ceil(to) - first }, (_, n) => n + first);
  /** @type {(j: number, style: string) => string} */
  const integers = (j, style) =>
    dots(
      whole.map((n) => [x(n), y(onCircle(n)[j])]),
      1.7,
      style,
    );
  const crest = Math.floor((to - 1 - Math.PI / 2) / TURN) * TURN + Math.PI / 2;
  // A crest above which no name of p or p + k is, from the right.
  const named = (/** @type {number} */ last) =>
    [0, 1, -1, -2, -3]
      .map((n) => last + n * TURN)
      .find((t) => t > from && t < to - 1 && Math.abs(x(t) - x(p)) > 26 && Math.abs(x(t) - x(p + k)) > 56) ??
    last;
  /** @type {(t: number, style: string, shape: string) => string} */
  const cursor = (t, style, shape) =>
    line(x(t), y.range[0], x(t), y.range[1] - 6, `${style} hair`) +
    ["sine", "cosine"].map((role, j) => circle([x(t), y(onCircle(t)[j])], 4, `${role} ${shape}`)).join("");
  const above = y.range[1] - 10;
  const [here, there] = k < 0 ? ["start", "end"] : ["end", "start"];
  const nudge = k < 0 ? 3 : k ? -3 : 2;
  return (
    axes(x, y, { xName: "position", yTicks: [-1, 0, 1] }) +
    curve(0, "sine") +
    curve(1, "cosine") +
    integers(0, "sine") +
    integers(1, "cosine") +
    text([x(named(crest)), y(1) - 5], "sin") +
    text([x(named(crest - Math.PI / 2 - TURN)), y(1) - 5], "cos") +
    cursor(p + k, "shifted", "ring") +
    text([Math.min(x(p + k) + nudge, x.range[1] - (k < 0 ? 0 : 30)), above], "*p* + *k*", "shifted", there) +
    cursor(p, "here", "fill") +
    text([x(p) - nudge, above], "*p*", "here", here)
  );
}

/**
 * Scales for the waves: about 16 pixels to the position, moving along so that p and p + k stay in view.
 * @param {Panel} panel
 * @param {number} p
 * @param {number} k
 * @param {number} bottom
 * @returns {Axes}
 */
function wavesPlace({ width }, p, k, bottom) {
  const span = Math.min(25, Math.max(15, (width - 44) / 16));
  const low = Math.min(p, p + k);
  const high = Math.max(p, p + k);
  const start = Math.min(low - 0.5, Math.max(high + 1 - span, 0, p - span / 2));
  return { x: scale([start, start + span], [34, width - 12]), y: scale([-1.2, 1.2], [bottom, 24]) };
}

/** @type {(p: number, k: number) => string} */
const both = (p, k) => `p = ${fixed(p, 1)}, p + k = ${fixed(p + k, 2)}`;

/** @param {Vector} pair */
const written = ({ 0: sin, 1: cos }) => `(${fixed(sin)}, ${fixed(cos)})`;

/** @type {Layer} */
const ROTATION = {
  circle(ring, p, k) {
    const steps = Math.max(2, Math.ceil(Math.abs(k) * 12));
    const arc = sample(0, k, steps, (t) => ring.angle(p + t, 0.36 + 0.03 * Math.abs(t)));
    // In the middle of the arc; of one that ends where it began, opposite, away from both hands.
    const half = Math.abs(k) > 11 ? k / 2 + Math.PI * Math.sign(k) : k / 2;
    const middle = ring.angle(p + half, 0.5 + 0.03 * Math.abs(half));
    return arrow(arc, "shifted") + text([middle[0], middle[1] + 4], `${fixed(k, 0)} rad`, "shifted small");
  },
  note(p, k) {
    const moved = shift(onCircle(p), k, 2);
    const names = matrix([
      ["cos *k*", "sin *k*"],
      ["\u2212sin *k*", "cos *k*"],
    ]);
    const end = ["sin", "cos"].map((name) => `${name}(<span class="shifted">*p* + *k*</span>)`);
    return (
      equation(names, column(["sin *p*", "cos *p*"]), " = ", column(end)) +
      equation(matrix(rotation(k)), column(onCircle(p)), " = ", column(moved))
    );
  },
  say: (p, k) =>
    `The turn by k = ${k} radians takes ${written(onCircle(p))} to ${written(shift(onCircle(p), k, 2))}.`,
  shown: (k) => ({ matrix: rotation(k) }),
};

/** @type {Layer} */
const CHORD = {
  circle({ angle, center }, p, k) {
    const clear = (/** @type {number} */ x, /** @type {number} */ y) =>
      Math.min(Math.abs(x - center[0]) / 2, Math.abs(y - center[1]));
    const away = Math.cos(k / 2); // of the chord from the center, in radii, toward the middle of the arc
    // Its size is beyond the chord, or, where that is among the numbers of the positions, inside, next to one of the two
    // arms, where it is farther from the axes; and beside an axis, not upon it.
    const inside = [1, -1]
      .map((side) => angle(p + k / 2 + side * (Math.acos(Math.abs(away)) + 0.36), 0.72 * Math.sign(away)))
      .sort(([a, b], [c, d]) => clear(c, d) - clear(a, b))[0];
    const place = Math.abs(away) > 0.7 ? inside : angle(p + k / 2, away + 0.16 * Math.sign(away || 1));
    const [x, y] = place.map((at, j) => {
      const [off, least] = [at - center[j], [24, 12][j]];
      return Math.abs(off) < least ? center[j] + (off < 0 ? -least : least) : at;
    });
    return (
      line(...angle(p), ...angle(p + k), "thick") +
      line(...center, ...angle(p + k / 2, away), "hair dashed") +
      (k ? text([x, y + 4], fixed(chord(k))) : "")
    );
  },
  below: { xName: "offset *k*", yName: "size of the chord", x: [-12, 12], y: [0, 2], value: chord },
  note: (_, k) =>
    equation(
      `|PE(<span class="shifted">${rich("*p* + *k*")}</span>) \u2212 PE(${rich("*p*")})|`,
      " = ",
      rich("2 |sin(*k*/2)|"),
      " = ",
      rich(`2 |sin(${fixed(k / 2, 1)})|`),
      " = ",
      `<b>${fixed(chord(k))}</b>`,
    ),
  say: (_, k) => `The chord from p to p + k, their distance, is ${fixed(chord(k))}.`,
  shown: (k) => ({ distance: chord(k) }),
};

/**
 * The near returns: how far k steps are from a whole number of turns, under a magnifying glass and among all
 * offsets.
 * @type {Layer}
 */
const NEAR_RETURN = {
  circle({ angle }, p, k) {
    const steps = Array.from({ length: Math.ceil(k) }, (_, n) => p + n);
    return (
      dots(
        steps.map((t) => angle(t)),
        1.1,
        "muted",
      ) + circle(angle(p), 11, "hair")
    );
  },
  note(_, k) {
    const turns = nearestTurns(k);
    const gap = turnsGap(k);
    const [above, below] = piAsFraction(k, turns);
    return (
      equation(
        `${k} steps`,
        "=",
        `${counted(turns, "turn")} ${gap < 0 ? "\u2212" : "+"} ${short(Math.abs(gap))} rad`,
      ) +
      equation("distance", rich(`2 |sin(${k}/2)|`), "=", `<b>${short(chord(k))}</b>`) +
      equation(`zero only if \u03c0 were ${above}${below === 1 ? "" : `/${below}`}`)
    );
  },
  say: (_, k) =>
    `${k} steps miss ${counted(nearestTurns(k), "turn")} by ${short(Math.abs(turnsGap(k)))} radians: ` +
    `the points are ${short(chord(k))} apart.`,
  shown: (k) => ({ turns: nearestTurns(k), missed_radians: turnsGap(k), distance: chord(k) }),
};

/**
 * The circle near p, so far enlarged that p and p + k part; the next returns are as far apart again.
 * @param {Panel} panel
 * @param {Ring} ring
 * @param {number} k
 */
function drawLens({ width }, { radius }, k) {
  const gap = turnsGap(k);
  const wanted = 2.15 * Math.abs(gap);
  if (Math.abs(gap) > 0.3) return ""; // too far to be in the small ring
  const power = 10 ** Math.floor(Math.log10(wanted));
  const reach = power * ([1, 1.5, 2, 3, 5, 7].find((m) => m * power >= wanted) ?? 10);
  const unit = (width - 40) / 2 / reach;
  const arc = Math.min(reach, 0.5); // beyond, it would bend into the chart below
  /** @type {(t: number) => Point} */
  const at = (t) => {
    const [sin, cos] = onCircle(t);
    return [width / 2 + unit * sin, 62 + unit * (1 - cos)];
  };
  const [here, there, next] = [0, 1, 2].map((j) => at(j * gap));
  return (
    path(sample(-arc, arc, 60, at), "muted") +
    (2 * Math.abs(gap) > arc
      ? ""
      : circle(next, 3, "muted fill") + text([next[0], next[1] + 20], "*p* + 2*k*", "small muted")) +
    line(here[0], 44, there[0], 44, "shifted hair") +
    text([(here[0] + there[0]) / 2, 38], short(Math.abs(gap)), "shifted small") +
    circle(there, 5, "shifted fill") +
    text([there[0], there[1] + 20], "*p* + *k*", "shifted") +
    circle(here, 5, "fill") +
    text([here[0], here[1] + 20], "*p*") +
    text([0, 14], `the small ring, magnified ${short(unit / radius, 2)} times`, "muted", "start")
  );
}

/**
 * The chord for every offset, on logarithmic axes.
 * @param {Panel} panel
 * @param {number} k
 * @param {number} end of the offsets that are drawn
 */
function drawReturns(panel, k, end) {
  const last = SPEC.traits.offset.max;
  const x = scale([1, last], [40, panel.width - 18], "log");
  const y = scale([1e-5, 3], [panel.height - 40, 138], "log");
  /** @type {number[]} */
  const options = SPEC.constants.layers["near-return"].options;
  const records = options
    .filter((n) => n <= end)
    .map((n, j) => {
      const own = n === k;
      const side = x(options[j + 1]) - x(n) < 18 ? "end" : x(n) - x(options[j - 1]) < 18 ? "start" : "middle";
      return (
        circle([x(n), y(chord(n))], own ? 5 : 3.5, own ? "fill shifted" : "ring") +
        text([x(n), y(chord(n)) + 17], String(n), own ? "shifted small" : "small", side)
      );
    });
  return (
    axes(x, y, { xName: "offset *k*", yName: "distance of PE(*p* + *k*) from PE(*p*)" }) +
    dots(
      sample(1, Math.min(end, last), Math.min(end, last) - 1, (n) => [x(n), y(chord(n))]),
      0.9,
      "muted",
    ) +
    records.join("")
  );
}

/**
 * Where that quantity is drawn.
 * @param {Panel} panel
 * @param {Below} below
 * @returns {Axes}
 */
const belowPlace = (panel, { x, y }) => ({
  x: scale(x, [34, panel.width - 10]),
  y: scale(y, [panel.height - 40, panel.height - 124]),
});

/**
 * Under the waves: a quantity against the offset, with its value at k.
 * @param {Panel} panel
 * @param {Below} below
 * @param {number} k
 * @param {boolean} seen whether all of it is, or only what is between 0 and k
 */
function drawBelow(panel, below, k, seen) {
  const { x: xs, xName, yName, value } = below;
  const { x, y } = belowPlace(panel, below);
  return (
    axes(x, y, { xName, yName, yTicks: [0, 1, 2] }) +
    path(sample(seen ? xs[0] : 0, seen ? xs[1] : k, 160, (t) => [x(t), y(value(t))])) +
    circle([x(k), y(value(k))], 5, "fill shifted")
  );
}

/** @type {(axes: Axes, t: number) => Point[]} */
const upright = ({ x, y }, t) => y.range.map((end) => [x(t), end]);

/** @type {(axes: Axes, below: Below, k: number) => Grip} */
const marker = ({ x, y }, { value }, k) => cursor("offset", [[x(k), y(value(k))]], x);

/** @type {Record<string, Layer>} */
const LAYERS = {
  rotation: ROTATION,
  chord: CHORD,
  "near-return": NEAR_RETURN,
};

export default explorer(
  "Circle and waves",
  (/** @type {Kit<{ layer: string, position: number, offset: number }>} */ kit) => {
    const { layer } = kit.values();
    const allowed = SPEC.constants.layers[layer];
    const parts = LAYERS[layer];
    kit.smooth("position");
    kit.shows = { here: "p", shifted: "k", sine: "sin", cosine: "cos" };
    if (!allowed.options) kit.smooth("offset");
    kit.slider("position", { label: "position *p*" });
    if (allowed.options) {
      kit.choice("offset", { label: "offset *k*", style: "shifted", options: allowed.options });
    } else {
      kit.slider("offset", { label: "offset *k*", style: "shifted", ...allowed });
    }
    if (parts === ROTATION) player(kit, "position");
    const left = kit.panel({ basis: 300, grow: 0.001, height: (width) => Math.min(width, 310) });
    const right = kit.panel({ basis: 330, height: 310 });
    const note = kit.note("formula");

    return ({ position: p, offset: k }) => {
      const ring = ringIn(left);
      const arm = (/** @type {number} */ t) => [ring.angle(t, 0.4), ring.angle(t)];
      left.draw(
        drawCircle(ring, p, k, layer) + parts.circle(ring, p, k) + drawPoints(ring, p, k),
        `Unit circle, sine across, cosine up. ${both(p, k)}. ${parts.say(p, k)}`,
        [
          hand("position", arm(p), ring.center, 1),
          ...(allowed.options ? [] : [hand("offset", arm(p + k), ring.center, 1)]),
        ],
      );
      note.innerHTML = parts.note(p, k);
      const shown = { point: onCircle(p), moved: onCircle(p + k), ...parts.shown(k) };
      if (parts === NEAR_RETURN) {
        const returns = kit.part("returns");
        right.draw(
          drawLens(right, ring, k) + drawReturns(right, k, returns < 1 ? k : Infinity),
          `The circle near p, magnified, and the distance for every offset. ${parts.say(p, k)}`,
        );
        return shown;
      }
      // Below the waves, unless a sketch is asked for, which has axes of its own.
      const below = kit.part("truth") ? parts.below : undefined;
      const waves = wavesPlace(right, p, k, right.height - (below ? 190 : 40));
      right.draw(
        drawWaves(waves, p, k) + (below ? drawBelow(right, below, k, kit.part("chord") === 1) : ""),
        `Sine and cosine against position. At p = ${fixed(p, 1)}: ${written(onCircle(p))}. At p + k:` +
          ` ${written(onCircle(p + k))}.`,
        [
          cursor("position", upright(waves, p), waves.x),
          cursor("offset", upright(waves, p + k), waves.x),
          ...(below ? [marker(belowPlace(right, below), below, k)] : []),
        ],
      );
      return shown;
    };
  },
);
