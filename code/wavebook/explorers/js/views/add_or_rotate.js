// @ts-check
// A vector learned at one place and added at another, beside the rotation. On the dial of one pair adding
// moves the whole circle, and rotating keeps it; beside it what both miss by, over all pairs.

import { additionError } from "../lib/adding.js";
import { apart, distance } from "../lib/distance.js";
import { encode, frequencies, shift, wavelength } from "../lib/encoding.js";
import { cursor, hand } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { arrow, circle, line, onDial, path, sample, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Kit, Panel, Point } from "../types" */

const { learned_at: LEARNED, base: BASE, d_model: D } = SPEC.constants;
const { max: LAST } = SPEC.traits.position;

/**
 * The dial of one pair: where p is, where both ways lead, and where they should.
 * @param {Panel} panel
 * @param {number} pair
 * @param {number} position
 * @param {number} k
 * @returns how far from the center adding leads, and how far from the right point
 */
function drawDial(panel, pair, position, k) {
  const omega = BASE ** ((-2 * pair) / D);
  const encoding = (/** @type {number} */ t) => encode(t, 2, BASE, [omega]);
  const [before, after] = [encoding(LEARNED), encoding(LEARNED + k)];
  const step = after.map((entry, j) => entry - before[j]);
  // As large as both circles and their names leave it.
  const radius = Math.min(
    (panel.width - 50) / (2.3 + Math.abs(step[0])),
    (panel.height - 70) / (2 + Math.abs(step[1])),
  );
  // The middle between the circle and the one that it is moved to: both fit, wherever the step leads.
  /** @type {Point} */
  const center = [panel.width / 2 - (step[0] * radius) / 2, panel.height / 2 + (step[1] * radius) / 2];
  const at = onDial(center, radius);
  const [start, target] = [encoding(position), encoding(position + k)];
  const added = start.map((entry, j) => entry + step[j]);
  const missed = apart(added, target);
  const turn = sample(0, k, Math.max(2, Math.ceil(Math.min(60, Math.abs(k * omega) * 8))), (t) =>
    at(encoding(position + t), 0.84),
  );
  const moved = at(step);
  const [tip, end] = [at(added), at(target)];
  const p = at(start, 1.2);
  // The name of the step is beside the middle of the arrow from p, off the lines of both circles.
  const middle = start.map((entry, j) => entry + step[j] / 2);
  const v =
    [0.8, 1.2, 0.65, 0.5, 1.4]
      .map((r) => at(middle.map((entry) => r * entry)))
      .find(
        (place) =>
          [moved, center].every((middle) => Math.abs(apart(place, middle) - radius) > 12) &&
          // nor on the arrow
          apart(place, at(start)) + apart(place, tip) > apart(at(start), tip) + 4,
      ) ?? at(middle.map((entry) => 0.8 * entry));
  // The name of the moved circle is beyond both, on the side to which it has moved; the number above its
  // line: or else where neither meets a letter.
  const sides = [Math.min(moved[1], center[1]) - radius - 8, Math.max(moved[1], center[1]) + radius + 17];
  const name = (step[1] < 0 ? sides.reverse() : sides).find((y) => Math.abs(y - p[1]) > 16);
  // Where the move leads is named beyond the circle, as near to it as no other name is.
  const there = [0, 0.3, -0.3, 0.6, -0.6]
    .map((turn) => at(encoding(position + k + turn / omega), 1.22))
    .find(
      (place) =>
        apart(place, tip) > 34 &&
        place[0] > 26 &&
        place[0] < panel.width - 26 &&
        [p, v, [moved[0], name ?? sides[0]]].every(
          (other) => Math.abs(place[0] - other[0]) > 40 || Math.abs(place[1] - other[1]) > 16,
        ),
    );
  panel.draw(
    circle(moved, radius, "claimed dashed") +
      text([moved[0], name ?? sides[0]], "the circle moved by *v*", "claimed small") +
      circle(center, radius, "muted") +
      arrow([at(before), at(after)], "claimed dashed step") +
      text(v, "*v*", "claimed") +
      arrow(turn, "shifted thick move") +
      line(...tip, ...end, "beam faint") +
      arrow([at(start), tip], "claimed thick step") +
      circle(end, 6, "shifted fill move") +
      circle(tip, 5, "claimed fill") +
      circle(at(start), 5.5, "fill here") +
      text(p, "*p*") +
      (there ? text(there, "*p* + *k*", "shifted move") : ""),
    `The dial of pair ${pair}, wavelength ${short(wavelength(omega), 3)}. From position` +
      ` ${fixed(position, 0)} the vector` +
      ` learned at ${LEARNED} for offset ${fixed(k, 0)} is added and leads to a point` +
      ` ${fixed(Math.hypot(...added), 2)}` +
      ` from the center, ${fixed(missed, 2)} from the right one. The rotation stays on the circle, at 1.`,
    [hand("position", [at(start)], center, omega), hand("position", [tip], moved, omega)],
  );
  return { added_size: Math.hypot(...added), dial_missed: missed };
}

/** @typedef {{ position: number, offset: number, pair: number }} Traits */

export default explorer("Add or rotate", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("position");
  kit.shows = { here: "p", move: "k", step: "v", learned: "q" };
  kit.slider("position", { label: "position *p*" });
  kit.slider("offset", { label: "offset *k*", style: "shifted" });
  kit.slider("pair", { label: "dial of pair *i*" });
  const one = kit.panel({ basis: 350, height: (width) => Math.min(width, 360) });
  const errors = kit.panel({ basis: 300, height: (width) => (width < 300 ? 220 : 300) });
  const note = kit.note("", 3);
  const omegas = frequencies(D, BASE);

  return ({ position: p, offset: k, pair }) => {
    const missed = (/** @type {number} */ t) => additionError(t, k, LEARNED, D, BASE, omegas);
    const vector = distance(k, D, BASE, omegas);
    const rotated = apart(shift(encode(p, D, BASE), k, BASE), encode(p + k, D, BASE));
    const onDial = drawDial(one, pair, p, k);

    // Where a question is about what comes, the curve begins where the step was learned, and ends at the position.
    const ahead = kit.part("beyond") < 1;
    const x = scale([0, LAST], [38, errors.width - 12]);
    const y = scale([0, 3.2 + 1.3 * Math.sqrt(D)], [errors.height - 40, 24]);
    errors.draw(
      axes(x, y, { xName: "position *p*", yName: `error, all ${D / 2} pairs` }) +
        (ahead
          ? ""
          : line(x(0), y(2 * vector), x(LAST), y(2 * vector), "muted dashed") +
            text(
              [p > LAST / 2 ? x(0) + 6 : x(LAST), y(2 * vector) - 6],
              "twice the size of *v*",
              "muted small",
              p > LAST / 2 ? "start" : "end",
            )) +
        path(
          sample(ahead ? LEARNED : 0, ahead ? p : LAST, 400, (t) => [x(t), y(missed(t))]),
          "claimed",
        ) +
        text([x(LEARNED) + 6, y(0) - 8], "learned here", "claimed small learned", "start") +
        line(x(0), y(0), x(LAST), y(0), "shifted thick") +
        line(x(p), y.range[0], x(p), y.range[1], "hair here") +
        circle([x(p), y(missed(p))], 5, "claimed fill") +
        circle([x(p), y(0)], 5, "shifted fill"),
      `Error against position for offset ${fixed(k, 0)}. At ${fixed(p, 0)} addition misses by` +
        ` ${fixed(missed(p), 3)}${ahead ? "" : `, at most ${fixed(2 * vector, 3)}`}; rotation by less than 0.001.`,
      [
        cursor(
          "position",
          y.range.map((end) => [x(p), end]),
          x,
        ),
      ],
    );

    note.innerHTML =
      `<div class="claimed">added: misses by <b>${fixed(missed(p), 1)}</b> over all pairs</div>` +
      `<div class="shifted">rotated: misses by <b>${rotated < 1e-9 ? spoken("nothing") : short(rotated, 2)}</b>, rounding apart</div>` +
      `<div>the size of the step itself is ${fixed(vector, 1)}</div>`;
    const all = { missed: missed(p), most: 2 * vector, rotated_missed: rotated, step_size: vector };
    return { ...onDial, ...all, learned_at: LEARNED };
  };
});
