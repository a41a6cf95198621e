// @ts-check
// What a drawing lets the reader take hold of. A grip is a place, and what moving it does to the traits' values. Screen
// angles are clockwise, for y points down.

import { make, placeIn } from "./page.js";
import { px } from "./svg.js";

/** @import { Grip, Point, Range, Scale } from "../../types" */

/**
 * The value after a drag round a center; the hand turns clockwise by `omega` radians for each unit of the value. Whole
 * turns count, as long as no single move is more than half of one.
 * @param {number} value
 * @param {Point} from
 * @param {Point} to
 * @param {Point} center
 * @param {number} omega
 */
export function turned(value, from, to, [cx, cy], omega) {
  const [x, y] = [from[0] - cx, from[1] - cy];
  const [u, v] = [to[0] - cx, to[1] - cy];
  return value + Math.atan2(x * v - y * u, x * u + y * v) / omega;
}

/**
 * The value after a drag along a scale, across (0) or up (1).
 * @param {number} value
 * @param {Point} from
 * @param {Point} to
 * @param {Pick<Scale, "domain" | "range" | "kind">} scale
 * @param {0 | 1} axis
 */
export function slid(value, from, to, { domain, range, kind }, axis = 0) {
  const [a, b] = kind === "log" ? domain.map(Math.log10) : domain;
  const by = ((to[axis] - from[axis]) * (b - a)) / (range[1] - range[0]);
  return kind === "log" ? value * 10 ** by : value + by;
}

/**
 * The value after a drag of a point that moves over the screen by `velocity` pixels for each unit of the value; where
 * it hardly moves, as if it moved by `least` pixels.
 * @param {number} value
 * @param {Point} from
 * @param {Point} to
 * @param {Point} velocity
 */
export function pushed(value, from, to, [u, v], least = 4) {
  const way = (to[0] - from[0]) * u + (to[1] - from[1]) * v;
  return value + way / Math.max(u * u + v * v, least * least);
}

/**
 * The value of a slider that is nearest to a number.
 * @param {number} value
 * @param {Range} range
 */
export function snapped(value, { min, max, step, log }) {
  const near = (/** @type {number} */ x, origin = 0) => origin + Math.round((x - origin) / step) * step;
  const snap = log ? (10 ** near(Math.log10(value))).toPrecision(3) : near(value, min).toFixed(6);
  return Math.min(max, Math.max(min, Number(snap)));
}

/**
 * How far a place is from a point or a line of points.
 * @param {Point} place
 * @param {Point[]} points
 */
export function away([x, y], points) {
  const each = points.map(([x1, y1], j) => {
    const [u, v] = [(points[j + 1] ?? points[j])[0] - x1, (points[j + 1] ?? points[j])[1] - y1];
    const t = Math.min(1, Math.max(0, ((x - x1) * u + (y - y1) * v) / (u * u + v * v || 1)));
    return Math.hypot(x - x1 - t * u, y - y1 - t * v);
  });
  return Math.min(...each);
}

/**
 * A hand, or whatever turns about a center.
 * @param {string} trait
 * @param {Point[]} points
 * @param {Point} center
 * @param {number} omega
 * @returns {Grip}
 */
export const hand = (trait, points, center, omega) => ({
  kind: "hand",
  points,
  moves: { [trait]: (value, from, to) => turned(value, from, to, center, omega) },
});

/**
 * A cursor that slides across.
 * @param {string} trait
 * @param {Point[]} points
 * @param {Pick<Scale, "domain" | "range" | "kind">} scale
 * @returns {Grip}
 */
export const cursor = (trait, points, scale) => ({
  kind: "cursor",
  points,
  moves: { [trait]: (value, from, to) => slid(value, from, to, scale) },
});

/**
 * What the pointer meets: a broad line, or an area if there are more than two points; `data-moves` is the traits.
 * @param {Grip[]} grips
 */
export const gripMarkup = (grips) =>
  grips
    .map(({ kind, points, moves }, j) => {
      const way = points.map(([x, y]) => `${px(x)} ${px(y)}`).join("L");
      const end = points.length > 2 ? "Z" : points.length > 1 ? "" : "h.01";
      const area = points.length > 2 ? " area" : "";
      const moved = Object.keys(moves).join(" ");
      return `<path class="grip ${kind}${area}" data-grip="${j}" data-moves="${moved}" d="M${way}${end}"/>`;
    })
    .join("");

/** Half the size of the ring, in pixels (explorer.css). */
const RING = 18;

/**
 * Shows once where a drawing can be taken hold of: a ring that pulses, when it first comes into view and no question is
 * open, at the end of its first hand or cursor; until the reader has held something on this page, or a few seconds.
 * @param {HTMLElement} box the place of the drawing
 * @param {{ root: HTMLElement, on: (target: EventTarget, event: string, listener: (event: any) => void) => void,
 *   onCleanup: (step: () => void) => void }} kit
 * @returns {(grips: Grip[]) => void} what is told where the grips are
 */
export function beckon(box, { root, on, onCleanup }) {
  /** @type {HTMLElement | undefined} */
  let ring;
  const leave = () => {
    ring?.remove();
    ring = undefined;
  };
  return (grips) => {
    const first = grips.find(({ points }) => points.length < 3);
    if (typeof IntersectionObserver === "undefined") return; // where nothing is moved
    if (!first || document.documentElement.dataset.grabbed) {
      leave();
      return;
    }
    if (!root.dataset.beckons) {
      root.dataset.beckons = first.kind;
      ring = make("span", box, { className: "halo", ariaHidden: "true" });
      // Above the drawing, over none of its words.
      ring.dataset.hint = first.kind === "hand" ? "grab it at the ring" : "drag it at the ring";
      on(ring, "animationend", leave);
      on(root, "pointerdown", leave);
      const watcher = new IntersectionObserver(
        (seen) => ring?.toggleAttribute("data-seen", seen[seen.length - 1].isIntersecting),
        { threshold: 0.9 },
      );
      watcher.observe(box);
      onCleanup(() => watcher.disconnect());
    }
    const [x, y] = first.points[first.points.length - 1];
    if (!ring) return;
    // The ring stays within the box, which may be as wide as the page.
    const within = (/** @type {number} */ at, /** @type {number} */ size) =>
      `${px(Math.max(RING, Math.min(size - RING, at)))}px`;
    ring.style.cssText = `--x: ${within(x, box.clientWidth)}; --y: ${within(y, box.clientHeight)}`;
  };
}

/**
 * Lets the reader drag what a drawing has to hold; Escape gives back the values from before.
 * @param {SVGSVGElement} svg
 * @param {() => Grip[]} grips those of the present drawing
 * @param {Record<string, any>} ranges of the traits' sliders
 * @param {{ root: HTMLElement, values: () => any, set: (trait: any, value: any) => void,
 *   put: (setting: Record<string, any>, settled: boolean) => void,
 *   on: (target: EventTarget, event: string, listener: (event: any) => void) => void }} kit
 */
export function draggable(svg, grips, ranges, { root, values, set, put, on }) {
  /** @type {{ grip: number, id: number, before: any, now: any, from: Point } | null} */
  let held = null;
  const give = (/** @type {string} */ trait, /** @type {number} */ value) => {
    if (values()[trait] !== value) set(trait, value);
  };
  const place = (/** @type {PointerEvent} */ event) => placeIn(svg, event);
  const move = (/** @type {PointerEvent} */ event) => {
    const grip = held && grips()[held.grip];
    if (!held || !grip || event.pointerId !== held.id) return;
    const to = place(event);
    for (const [trait, step] of Object.entries(grip.moves)) {
      const { min, max, options } = ranges[trait];
      const value = step(held.now[trait], held.from, to);
      give(trait, options ? value : snapped(value, ranges[trait]));
      // A hand that is stopped turns back at once; a cursor waits for the pointer.
      held.now[trait] = grip.kind === "hand" ? Math.min(max, Math.max(min, value)) : value;
    }
    held.from = to;
  };
  const drop = (/** @type {boolean} */ back) => {
    if (!held) return;
    const { before, id, grip } = held;
    held = null;
    delete svg.dataset.held;
    if (svg.hasPointerCapture(id)) svg.releasePointerCapture(id);
    if (back) Object.keys(grips()[grip]?.moves ?? {}).forEach((trait) => give(trait, before[trait]));
  };
  on(svg, "pointerdown", (event) => {
    const own = event.target.dataset.grip;
    if (own === undefined || held || event.button) return;
    const from = place(event);
    const far = grips().map(({ points }) => (points.length > 2 ? Infinity : away(from, points)));
    const grip = grips()[own].points.length > 2 ? Number(own) : far.indexOf(Math.min(...far));
    put({}, false); // what is on its way stops at a whole step
    held = { grip, id: event.pointerId, before: values(), now: values(), from };
    svg.dataset.held = grips()[grip].kind;
    svg.setPointerCapture(event.pointerId);
    document.documentElement.dataset.grabbed = "true";
    move(event);
  });
  // What touch-action says of a part of a drawing is not heard everywhere; a finger on a hand scrolls nothing.
  on(svg, "touchstart", (event) => {
    if (svg.dataset.held === "hand") event.preventDefault();
  });
  on(svg, "pointermove", move);
  on(svg, "pointerup", () => drop(false));
  on(svg, "pointercancel", () => drop(true)); // the page scrolls instead
  for (const target of [root, document]) {
    on(target, "keydown", (event) => event.key === "Escape" && drop(true));
  }
}
