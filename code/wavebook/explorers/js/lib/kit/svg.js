// @ts-check
// Drawing as text: each function returns SVG markup. `style` is a list of class names: a role (sine, cosine,
// shifted, claimed, muted, grid; ink if none) and manners (hair, thick, dashed, faint, fill, ring).

import { rich } from "./format.js";

/** @import { Point } from "../../types" */

/**
 * Pixels, to a hundredth.
 * @param {number} x
 */
export const px = (x) => Math.round(x * 100) / 100;

/**
 * @param {Point[]} points
 * @param {string} style
 * @param {boolean} closed
 */
export const path = (points, style = "", closed = false) => {
  const places = points.map(([x, y]) => `${px(x)} ${px(y)}`).join("L");
  return places && `<path class="${style}" d="M${places}${closed ? "Z" : ""}"/>`;
};

/**
 * The first part of a line, as far as it has been drawn; 0 is nothing and 1 all of it.
 * @param {Point[]} points
 * @param {number} part
 * @returns {Point[]}
 */
export function upTo(points, part) {
  if (part >= 1) return points;
  const at = part * (points.length - 1);
  const last = Math.floor(at);
  if (!(at > 0)) return [];
  const [[x0, y0], [x1, y1]] = [points[last], points[last + 1]];
  return [...points.slice(0, last + 1), [x0 + (x1 - x0) * (at - last), y0 + (y1 - y0) * (at - last)]];
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} [style]
 */
export const line = (x1, y1, x2, y2, style) =>
  path(
    [
      [x1, y1],
      [x2, y2],
    ],
    style,
  );

/**
 * @param {Point} center
 * @param {number} radius
 * @param {string} style
 */
export const circle = ([x, y], radius, style = "fill") =>
  `<circle class="${style}" cx="${px(x)}" cy="${px(y)}" r="${px(radius)}"/>`;

/**
 * Many equal dots as one element.
 * @param {Point[]} points
 * @param {number} radius
 * @param {string} style
 */
export const dots = (points, radius, style = "") =>
  `<path class="${style}" style="stroke-width:${2 * radius}px" d="${points
    .map(([x, y]) => `M${px(x)} ${px(y)}h0`)
    .join("")}"/>`;

/**
 * Many equal upright bars as one element: `bars` is the data of a path, `wide` its width in pixels.
 * @param {string[]} bars
 * @param {number | string} wide
 * @param {string} [style]
 */
export const uprights = (bars, wide, style) =>
  `<path${style === undefined ? "" : ` class="${style}"`}` +
  ` style="stroke-width:${wide}px;stroke-linecap:butt" d="${bars.join("")}"/>`;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} fill
 */
export const rect = (x, y, width, height, fill) =>
  `<rect class="plain" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"` +
  ` style="fill:${fill}"/>`;

/**
 * A cell of a vector, for a number from -1 to 1: filled up or down from its middle.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} value
 * @param {string} role
 */
export const cell = (x, y, width, height, value, role) => {
  const [middle, bar] = [y + height / 2, (-height / 2) * value];
  return (
    rect(x, Math.min(middle, middle + bar), width, Math.abs(bar), `var(--posenc-${role})`) +
    path(corners(x, y, width, height), "grid hair", true) +
    line(x, middle, x + width, middle, `${role} hair`)
  );
};

/**
 * The corners of a rectangle.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Point[]}
 */
export const corners = (x, y, width, height) => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/**
 * @param {Point} place
 * @param {string} content with the marks of `rich`
 * @param {string} style
 * @param {string} anchor
 */
export const text = ([x, y], content, style = "", anchor = "middle") =>
  `<text class="${style}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${rich(content, "tspan")}</text>`;

/**
 * Words beside a place, on its side toward the middle of the panel: there they have room.
 * @param {Point} place
 * @param {string} content
 * @param {string} style
 * @param {number} middle
 * @param {number} gap
 */
export const beside = ([x, y], content, style, middle, gap = 6) =>
  x < middle ? text([x + gap, y], content, style, "start") : text([x - gap, y], content, style, "end");

/**
 * A line with a head; nothing where the last piece is too short for one.
 * @param {Point[]} points
 * @param {string} style
 */
export function arrow(points, style) {
  const [x, y] = points[points.length - 1];
  const [x0, y0] = points[points.length - 2] ?? [x, y];
  const length = Math.hypot(x - x0, y - y0);
  if (length < 0.1) return "";
  const u = (x - x0) / length;
  const v = (y - y0) / length;
  /** @type {Point[]} */
  const head = [
    [x, y],
    [x - 8 * u + 3.5 * v, y - 8 * v - 3.5 * u],
    [x - 8 * u - 3.5 * v, y - 8 * v + 3.5 * u],
  ];
  return path(points, style) + path(head, `${style} fill`, true);
}

/**
 * Where a point of the plane of sine and cosine stands on a dial: (0, 1) at its top, and the rest clockwise.
 * @param {Point} center
 * @param {number} radius
 * @returns {(vector: ArrayLike<number>, r?: number) => Point} `r` in radii of the dial
 */
export const onDial =
  (center, radius) =>
  ({ 0: sin, 1: cos }, r = 1) => [center[0] + r * radius * sin, center[1] - r * radius * cos];

/**
 * Where the end of a hand stands on a dial, by its angle.
 * @param {Point} center
 * @param {number} radius
 * @returns {(angle: number, r?: number) => Point}
 */
export const atAngle = (center, radius) => {
  const at = onDial(center, radius);
  return (angle, r = 1) => at([Math.sin(angle), Math.cos(angle)], r);
};

/**
 * What a function makes of count + 1 equally spaced numbers; with a count of 0, of the first alone.
 * @template T
 * @param {number} from
 * @param {number} to
 * @param {number} count
 * @param {(t: number) => T} point
 * @returns {T[]}
 */
export const sample = (from, to, count, point) =>
  Array.from({ length: count + 1 }, (_, j) => point(j ? from + ((to - from) * j) / count : from));
