// @ts-check
// A curve that the reader sketches: handles at given places, which a pointer draws across and keys move one by one.

import { plain, short } from "./format.js";
import { axes, scale } from "./scales.js";
import { circle, line, path, px, text, upTo } from "./svg.js";

/** @import { Asked, Point } from "../../types" */
/** @typedef {Extract<Asked, { kind: "curve" }>} Curve */

const HEIGHT = 240;
/** What the axes and their names need at each side. */
const EDGE = { left: 40, right: 30, top: 26, bottom: 42 };

/**
 * The height at x of the line through points whose x grow; before the first and behind the last it is level.
 * @param {Point[]} points
 * @param {number} x
 */
export function heightAt(points, x) {
  const next = points.findIndex(([place]) => place >= x);
  if (next <= 0) return (next ? points[points.length - 1] : points[0])[1];
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/**
 * How far a sketch is off, on average over the points of the truth, and how far too high, which may be negative.
 * @param {number[]} heights of the handles
 * @param {Curve} asked
 */
export function gaps(heights, { places, log, truth }) {
  const along = (/** @type {number} */ x) => (log ? Math.log10(x) : x);
  const points = places.map((place, n) => /** @type {Point} */ ([along(place), heights[n]]));
  const each = truth.map(([x, y]) => heightAt(points, along(x)) - y);
  const mean = (/** @type {number[]} */ all) => all.reduce((sum, gap) => sum + gap, 0) / all.length;
  return { off: mean(each.map(Math.abs)), high: mean(each) };
}

/**
 * The heights after a stroke of the pointer: it takes along the handle that is nearest to its end, and those passed.
 * @param {number[]} heights
 * @param {number[]} across where the handles are
 * @param {Point} from
 * @param {Point} to
 */
export function stroked(heights, across, from, to) {
  const away = across.map((x) => Math.abs(x - to[0]));
  const nearest = away.indexOf(Math.min(...away));
  const [first, last] = from[0] < to[0] ? [from, to] : [to, from];
  return heights.map((height, n) => {
    if (n === nearest) return to[1];
    return across[n] > first[0] && across[n] < last[0] ? heightAt([first, last], across[n]) : height;
  });
}

/**
 * What the question's block holds for a sketch: a drawing, and over it a slider for each handle, for keys and readers
 * of the screen.
 * @param {Curve} asked
 */
export function sketchInputs({ places, slider: { min, max, step }, names }) {
  const one = (/** @type {number} */ place) =>
    `<input type="range" name="guess" min="${min}" max="${max}" step="${step}"` +
    ` aria-label="${plain(names[1])} at ${plain(names[0])} ${short(place)}">`;
  return (
    '<p class="where">Draw in the picture, or move the points with the arrow keys; then press Answer.</p>' +
    `<div class="sketch"><svg role="img"></svg>${places.map(one).join("")}</div>`
  );
}

/**
 * Lets the reader sketch in what `sketchInputs` made.
 * @param {HTMLElement} box
 * @param {Curve} asked
 * @param {(target: EventTarget, event: string, listener: (event: any) => void) => void} on
 * @returns {{ heights: () => number[], show: (heights: number[] | null, seen: number) => void }} null is no sketch, and
 *   `seen` how much of the truth is drawn, from 0 to 1
 */
export function sketch(box, asked, on) {
  const svg = /** @type {SVGSVGElement} */ (box.querySelector("svg"));
  const inputs = Array.from(box.querySelectorAll("input"));
  const { places, log, slider, names, truth } = asked;
  const heights = () => inputs.map((input) => Number(input.value));
  let width = 0;
  let mine = true; // whether there is a sketch
  let seen = 0;
  /** @type {Point | null} */
  let pen = null;
  const ends = /** @type {Point} */ ([places[0], places[places.length - 1]]);
  const scales = () => ({
    x: scale(ends, [EDGE.left, width - EDGE.right], log ? "log" : "linear"),
    y: scale([slider.min, slider.max], [HEIGHT - EDGE.bottom, EDGE.top]),
  });

  const draw = () => {
    width = box.clientWidth || 600;
    const { x, y } = scales();
    const now = heights();
    const points = places.map((place, n) => /** @type {Point} */ ([x(place), y(now[n])]));
    const answered = seen === 1;
    const computed = truth.map(([place, value]) => /** @type {Point} */ ([x(place), y(value)]));
    // The name of the computed curve is above it where no curve runs through it, from the right.
    const [u, v] =
      computed.findLast(([x, y]) =>
        computed.concat(points).every(([a, b]) => a > x || x > a + 75 || b >= y || b < y - 28),
      ) ?? points[1];
    const [across, up] = points[1];
    svg.setAttribute("viewBox", `0 0 ${px(width)} ${HEIGHT}`);
    svg.innerHTML =
      axes(x, y, { xName: names[0], yName: names[1], xTicks: places }) +
      path(upTo(computed, seen), "cosine thick") +
      (answered ? text([u, v - 9], "computed", "cosine strong", "end") : "") +
      (mine
        ? path(points, seen ? "shifted dashed" : "shifted thick") +
          points.map((point) => circle(point, seen ? 3.5 : 6, "fill shifted")).join("") +
          text(
            [across, up + (answered && heightAt(computed, across) < up ? 22 : -12)],
            "yours",
            "shifted strong",
          )
        : "") +
      inputs
        .filter((input) => input === document.activeElement)
        .map((input) => {
          const point = points[inputs.indexOf(input)];
          return (
            line(point[0], y.range[0], point[0], y.range[1], "shifted hair") + circle(point, 11, "shifted")
          );
        })
        .join("");
    const row = (/** @type {number[]} */ values) =>
      places.map((place, n) => `${short(values[n], 3)} at ${short(place)}`).join(", ");
    const exact = computed.map(([across], n) => /** @type {Point} */ ([across, truth[n][1]]));
    const told = points.map(([across]) => heightAt(exact, across));
    svg.setAttribute(
      "aria-label",
      (mine ? `Your sketch of the ${plain(names[1])}: ${row(now)}.` : "") +
        (answered ? ` Computed: ${row(told)}.` : ""),
    );
    const step = (x.range[1] - x.range[0]) / (places.length - 1);
    inputs.forEach((input, n) => {
      Object.assign(input.style, {
        left: `${(100 * (points[n][0] - step / 2)) / width}%`,
        width: `${(100 * step) / width}%`,
        top: `${(100 * EDGE.top) / HEIGHT}%`,
        height: `${(100 * (HEIGHT - EDGE.top - EDGE.bottom)) / HEIGHT}%`,
      });
      input.setAttribute("aria-valuetext", short(now[n], 3));
    });
  };
  const put = (/** @type {number[]} */ to) => {
    inputs.forEach((input, n) => (input.value = String(to[n]))); // the browser keeps it to the steps
  };
  const place = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const { left, top, width: shown } = svg.getBoundingClientRect();
    const { y } = scales();
    const [low, high] = y.range;
    const at = ((clientY - top) * width) / shown;
    const value = slider.min + ((slider.max - slider.min) * (at - low)) / (high - low);
    return /** @type {Point} */ ([
      ((clientX - left) * width) / shown,
      Math.min(slider.max, Math.max(slider.min, value)),
    ]);
  };
  const stroke = (/** @type {PointerEvent} */ event) => {
    if (!pen) return;
    const to = place(event);
    put(stroked(heights(), places.map(scales().x), pen, to));
    pen = to;
    draw();
  };
  on(svg, "pointerdown", (event) => {
    if (inputs[0].matches(":disabled") || event.button) return;
    svg.setPointerCapture(event.pointerId);
    pen = place(event);
    stroke(event);
  });
  on(svg, "pointermove", stroke);
  for (const end of ["pointerup", "pointercancel"]) on(svg, end, () => (pen = null));
  for (const event of ["input", "focusin", "focusout"]) on(box, event, draw);
  on(window, "resize", draw);

  return {
    heights,
    show(to, part) {
      mine = to !== null;
      seen = part;
      put(to ?? places.map(() => slider.min));
      draw();
    },
  };
}
