// @ts-check
// Scales and axes.

import { powerOfTen, short } from "./format.js";
import { line, text } from "./svg.js";

/** @import { Point, Scale } from "../../types" */

/**
 * A function from [d0, d1] to pixels [r0, r1].
 * @param {Point} domain
 * @param {Point} range
 * @param {"linear" | "log"} kind
 * @returns {Scale}
 */
export function scale(domain, range, kind = "linear") {
  const [a, b] = kind === "log" ? domain.map(Math.log10) : domain;
  const at = (/** @type {number} */ x) =>
    range[0] + ((range[1] - range[0]) * ((kind === "log" ? Math.log10(x) : x) - a)) / (b - a);
  return Object.assign(at, { domain, range, kind });
}

/**
 * A number, kept within a scale's domain.
 * @param {number} value
 * @param {Scale} scale
 */
export const within = (value, { domain }) => Math.max(domain[0], Math.min(domain[1], value));

/**
 * A line through points, given as pixels across and values, where it is within a scale's domain: its parts, cut where it
 * leaves the frame and where it comes back.
 * @param {Point[]} points
 * @param {Scale} scale
 */
export function inFrame(points, scale) {
  const [low, high] = scale.domain;
  /** @type {Point[][]} */
  const parts = [[]];
  let inside = false;
  const put = (/** @type {Point} */ [x, value]) => parts[parts.length - 1].push([x, scale(value)]);
  const leave = () => {
    parts.push([]);
    inside = false;
  };
  points.forEach(([x, value], n) => {
    const [x0, before] = points[n - 1] ?? [x, value];
    const ends = before < value ? [low, high] : [high, low];
    for (const end of ends.filter((end) => (before - end) * (value - end) < 0)) {
      put([x0 + ((x - x0) * (end - before)) / (value - before), end]);
      if (inside) leave();
      else inside = true;
    }
    if (value >= low && value <= high) {
      put([x, value]);
      inside = true;
    } else if (inside) leave();
  });
  return parts.filter((part) => part.length);
}

/**
 * Round numbers in the domain, about `count`: steps of 1, 2 or 5; on a logarithmic scale powers of ten.
 * @param {Pick<Scale, "domain" | "kind">} scale
 * @param {number} count
 */
export function ticks({ domain, kind }, count = 6) {
  const [a, b] = kind === "log" ? domain.map(Math.log10) : domain;
  const raw = Math.abs(b - a) / count;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const nice = [1, 2, 5].find((m) => m * unit >= raw * 0.999) ?? 10;
  const step = kind === "log" ? Math.max(1, Math.ceil(raw)) : unit * nice;
  const first = Math.ceil(a / step - 1e-9);
  const last = Math.floor(b / step + 1e-9);
  const values = Array.from({ length: last - first + 1 }, (_, j) => (first + j) * step);
  return kind === "log" ? values.map((v) => 10 ** v) : values;
}

/**
 * @param {number} value
 * @param {Scale} scale
 * @param {number[]} all
 */
const tickText = (value, { kind }, all) =>
  kind === "log" && (all[0] < 1e-3 || all[all.length - 1] > 1e5)
    ? powerOfTen(Math.round(Math.log10(value)))
    : short(value);

/**
 * Two axes with ticks and names: x below, y at the left, at the ends of the scales' ranges.
 * @param {Scale} x
 * @param {Scale} y
 * @param {{ xName?: string, yName?: string, xTicks?: number[], yTicks?: number[] }} names
 */
export function axes(x, y, { xName = "", yName = "", xTicks = ticks(x), yTicks = ticks(y, 4) } = {}) {
  const left = x.range[0];
  const bottom = y.range[0];
  const across = xTicks.map(
    (v) =>
      line(x(v), bottom, x(v), bottom + 4, "muted hair") +
      text([x(v), bottom + 17], tickText(v, x, xTicks), "small"),
  );
  const up = yTicks.map(
    (v) =>
      line(left, y(v), x.range[1], y(v), "grid hair") +
      text([left - 6, y(v) + 4], tickText(v, y, yTicks), "small", "end"),
  );
  return (
    line(left, bottom, x.range[1], bottom, "muted hair") +
    across.join("") +
    up.join("") +
    text([x.range[1], bottom + 32], xName, "muted", "end") +
    text([left - 6, y.range[1] - 10], yName, "muted", "start")
  );
}
