// @ts-check
// Left the torus in perspective with the curve of the encoding, right the square of the two angles, whose
// opposite edges are one.

import { encode, frequencies } from "../lib/encoding.js";
import { away, pushed } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, rich, short } from "../lib/kit/format.js";
import { equation } from "../lib/kit/formulas.js";
import { scale } from "../lib/kit/scales.js";
import { circle, corners, dots, line, path, sample, text } from "../lib/kit/svg.js";
import {
  inView,
  nearestReturn,
  seen,
  torusAt,
  torusPoint,
  turned,
  turnEnds,
  windings,
  wrappedAngles,
} from "../lib/torus.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Panel, Place, Point } from "../types" */
/** @typedef {{ position: number, base: number, turn: number, tilt: number }} Traits */

const TURN = 2 * Math.PI;
const D = 4;
const { tube: TUBE, eye: EYE } = SPEC.constants;

/**
 * A curve cut where it disappears behind the torus: the parts in view, and the hidden ones.
 * @param {Place[]} points
 * @param {number} tilt
 * @param {(point: Place) => Point} at
 */
function parts(points, tilt, at) {
  /** @type {{ visible: Point[][], hidden: Point[][] }} */
  const pieces = { visible: [], hidden: [] };
  /** @type {{ visible: boolean, place: Point } | undefined} */
  let last;
  for (const point of points) {
    const visible = inView(point, tilt, TUBE, EYE);
    const place = at(point);
    const list = visible ? pieces.visible : pieces.hidden;
    if (visible !== last?.visible) list.push(last ? [last.place] : []);
    list[list.length - 1].push(place);
    last = { visible, place };
  }
  return pieces;
}

/** The mesh of the torus: rings round the tube, and round the hole. */
const RINGS = Array.from({ length: 16 }, (_, j) => (j * TURN) / 16).flatMap((angle) => [
  sample(0, TURN, 40, (t) => torusAt(t, angle, TUBE)),
  sample(0, TURN, 40, (t) => torusAt(angle, t, TUBE)),
]);

/**
 * Where a position is in space, and a place in space on the panel.
 * @param {Panel} panel
 * @param {Traits} values
 */
function views({ width, height }, { base, turn, tilt }) {
  const unit = Math.min(width / 3.1, height / 3.05); // seen from above the torus is 2.97 units high
  const omegas = frequencies(D, base);
  /** @type {(point: Place) => Point} */
  const at = (point) => {
    const [across, up] = seen(point, EYE);
    return [width / 2 + unit * across, height / 2 - unit * up];
  };
  const place = (/** @type {number} */ p) => turned(torusPoint(encode(p, D, base, omegas), TUBE), turn, tilt);
  return { at, place };
}

/**
 * @param {Panel} panel
 * @param {Traits} values
 */
function drawTorus(panel, values) {
  const { position, turn, tilt } = values;
  const { at, place } = views(panel, values);
  const whole = Array.from({ length: Math.floor(position) + 1 }, (_, p) => place(p)).filter((point) =>
    inView(point, tilt, TUBE, EYE),
  );
  const here = place(position);
  const mesh = RINGS.map((ring) => {
    const { visible } = parts(
      ring.map((point) => turned(point, turn, tilt)),
      tilt,
      at,
    );
    return visible.map((part) => path(part, "grid hair")).join("");
  });
  const curve = parts(sample(0, position, Math.ceil(position * 6) + 1, place), tilt, at);
  const [x, y] = at(here);
  return (
    mesh.join("") +
    curve.hidden.map((part) => path(part, " ghost")).join("") +
    curve.visible.map((part) => path(part)).join("") +
    dots(whole.map(at), 1.8) +
    circle([x, y], 5.5, `shifted ${inView(here, tilt, TUBE, EYE) ? "fill" : "ring"}`) +
    text([x, y < 24 ? y + 20 : y - 10], "*p*", "shifted")
  );
}

/**
 * The square of the angles: how far it reaches on its panel.
 * @param {Panel} panel
 */
function squareIn({ width, height }) {
  const side = Math.min(width - 60, height - 66);
  const left = (width - side) / 2 + 10;
  return { x: scale([0, TURN], [left, left + side]), y: scale([0, TURN], [18 + side, 18]) };
}

/**
 * The angles of both pairs, without whole turns: a straight line that comes in again at the opposite edge.
 * @param {Panel} panel
 * @param {Traits} values
 */
function drawSquare(panel, { position, base }) {
  const omegas = frequencies(D, base);
  const { x, y } = squareIn(panel);
  const cuts = turnEnds(position, omegas);
  const lines = cuts.slice(1).map((to, j) => {
    const from = cuts[j];
    const [fast, slow] = wrappedAngles((from + to) / 2, omegas);
    const half = (to - from) / 2;
    return line(x(slow - omegas[1] * half), y(fast - half), x(slow + omegas[1] * half), y(fast + half), "");
  });
  const [fast, slow] = wrappedAngles(position, omegas);
  const labels = ["0", "π", "2π"].map(
    (name, j) =>
      text([x(j * Math.PI), y(0) + 18], name, "small") +
      text([x(0) - 8, y(j * Math.PI) + 4], name, "small", "end"),
  );
  /** @type {Point[]} */
  const square = [
    [x(0), y(0)],
    [x(TURN), y(0)],
    [x(TURN), y(TURN)],
    [x(0), y(TURN)],
  ];
  return (
    path(square, "muted hair", true) +
    lines.join("") +
    circle([x(slow), y(fast)], 5.5, "shifted fill") +
    labels.join("") +
    text([x(TURN), y(0) + 36], "angle of pair 1", "muted", "end") +
    text([x(0), 10], "angle of pair 0", "muted", "start")
  );
}

export default explorer("The torus of two pairs", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("position");
  kit.slider("position", { label: "position *p*" });
  kit.slider("base", { label: "base *b*", show: (base) => fixed(base, 2) });
  kit.slider("turn", { label: "turn, in degrees" });
  kit.slider("tilt", { label: "tilt, in degrees" });
  const solid = kit.panel({ basis: 370, grow: 1.5, height: (width) => Math.min(0.92 * width, 360) });
  const flat = kit.panel({ basis: 292, height: 340 });
  const words = kit.note("words", 1, 2);
  const formula = kit.note("formula tall", 1, 2);

  // Dragging turns the torus; a finger that moves up or down still scrolls the page. The point is dragged on
  // its curve.
  /** @type {Grip["moves"]} */
  const spin = {
    turn: (value, from, to) => (value + (to[0] - from[0]) / 2 + 720) % 360,
    tilt: (value, from, to) => value + (to[1] - from[1]) / 3,
  };
  /** @type {(place: Point, moves: Grip["moves"][string]) => Grip} */
  const point = (place, moves) => ({ kind: "hand", points: [place], moves: { position: moves } });

  return (values) => {
    const { position, base, turn, tilt } = values;
    const [fast, slow] = windings(base);
    const [, slowest] = frequencies(D, base);
    const root = Math.sqrt(base);
    const back = nearestReturn(position, base);
    const fraction = slow === 1 ? `${fast}` : `${fast}/${slow}`;
    const verdict = fast
      ? `The root of the base is the fraction ${fraction}: the curve closes after` +
        ` ${fixed(TURN * fast, 2)} positions.`
      : "The root of the base is not a fraction: the curve never closes.";
    const { at, place } = views(solid, values);
    const here = at(place(position));
    const { x, y } = squareIn(flat);
    const angles = wrappedAngles(position, frequencies(D, base));
    solid.draw(
      drawTorus(solid, values),
      `A torus, turned by ${turn} and tilted by ${tilt} degrees, with the curve of the encoding from` +
        ` position 0 to ${fixed(position, 0)}, base ${short(base)}. ${verdict}`,
      [
        { kind: "hand", points: corners(0, 0, solid.width, solid.height), moves: spin },
        // From where it is it goes to the position that is drawn nearest to the pointer.
        point(here, (_, __, to) => {
          const far = sample(position - 2, position + 2, 4, (p) => away(to, [at(place(p))]));
          return position - 2 + far.indexOf(Math.min(...far));
        }),
      ],
    );
    flat.draw(
      drawSquare(flat, values),
      `The same curve as straight lines on the square of both angles: up to position ${fixed(position, 0)},` +
        ` ${fixed(position / TURN, 2)} turns of pair 0 and ${fixed((slowest * position) / TURN, 2)} of` +
        ` pair 1.`,
      [
        point([x(angles[1]), y(angles[0])], (value, from, to) =>
          pushed(value, from, to, [x(slowest) - x(0), y(1) - y(0)]),
        ),
      ],
    );
    words.textContent = verdict;
    formula.innerHTML =
      equation(
        rich("*ω*_0 / *ω*_1"),
        "=",
        `√${rich("*b*")}`,
        "=",
        `<b>${fast ? [...new Set([fraction, short(root)])].join(" = ") : `${short(root, 6)}…`}</b>`,
      ) +
      (back.turns
        ? equation("nearest return so far:", `turn ${back.turns}, <b>${fixed(back.gap, 3)}</b> away`)
        : equation("nearest return so far:", "none"));
    return {
      root,
      fraction: fast ? [fast, slow] : null,
      closes_after: fast ? TURN * fast : null,
      turns: [position / TURN, (slowest * position) / TURN],
      nearest_return: back.turns,
      nearest_distance: back.turns ? back.gap : null,
    };
  };
});
