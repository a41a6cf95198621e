// @ts-check
// A clock to be set: the reader turns three hands to a position, and reads the position off the hands. Below,
// how far the setting is from the encoding of each position.

import { apart } from "../lib/distance.js";
import { encode, frequencies } from "../lib/encoding.js";
import { turned } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, short, spoken } from "../lib/kit/format.js";
import { axes, scale } from "../lib/kit/scales.js";
import { atAngle, beside, circle, line, path, text } from "../lib/kit/svg.js";
import { SPEC } from "../spec.js";

/** @import { Grip, Kit, Point } from "../types" */

const { base: BASE, last: LAST } = SPEC.constants;
/** @typedef {"fast" | "middle" | "slow"} Name */
/** @type {Name[]} */
const NAMES = ["fast", "middle", "slow"];
const CALLED = [spoken("fast"), spoken("middle"), spoken("slow")];
const OMEGAS = frequencies(2 * NAMES.length, BASE);
const ENCODINGS = Array.from({ length: LAST + 1 }, (_, p) => encode(p, 2 * NAMES.length, BASE, OMEGAS));
const DEGREE = Math.PI / 180;

/**
 * Degrees from -180 to 179, whatever the turn.
 * @param {number} degrees
 */
const round = (degrees) => ((((Math.round(degrees) + 180) % 360) + 360) % 360) - 180;

export default explorer("Set the hands", (/** @type {Kit<Record<Name | "target", number>>} */ kit) => {
  kit.choice("target", { label: "position wanted" });
  kit.slider("fast", { label: "fast, °" });
  kit.slider("middle", { label: "middle, °" });
  kit.slider("slow", { label: "slow, °" });
  kit.button("Set them for me", () => {
    const { target } = kit.values();
    NAMES.forEach((name, j) => kit.set(name, round((OMEGAS[j] * target) / DEGREE)));
  });
  const dials = kit.panel({ basis: 640, height: (width) => Math.min(220, width / 3 + 50) });
  const chart = kit.panel({ basis: 640, height: 190 });
  const note = kit.note("", 2, 4);

  return ({ target, ...degrees }) => {
    const angles = NAMES.map((name) => degrees[name] * DEGREE);
    const set = angles.flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
    const distances = ENCODINGS.map((encoding) => apart(encoding, set));
    const nearest = distances.indexOf(Math.min(...distances));
    const wanted = kit.part("wanted") === 1; // a question that is open comes first

    const size = dials.width / 3;
    const radius = Math.min(72, size / 2 - 12);
    /** @type {Grip[]} */
    const grips = [];
    const hands = NAMES.map((name, j) => {
      /** @type {Point} */
      const center = [size * (j + 0.5), radius + 30];
      const at = atAngle(center, radius);
      grips.push({
        kind: "hand",
        points: [at(angles[j], 0.3), at(angles[j])],
        moves: { [name]: (value, from, to) => round(turned(value, from, to, center, DEGREE)) },
      });
      return (
        circle(center, radius, "muted") +
        line(...at(0, 0.92), ...at(0), "muted") +
        line(...center, ...at(OMEGAS[j] * nearest), "shifted faint bold") +
        line(...center, ...at(angles[j]), "bold") +
        circle(at(angles[j]), 6) +
        text([center[0], 16], `${CALLED[j]}: *ω* = ${short(OMEGAS[j], 3)}`, "muted small")
      );
    });
    dials.draw(
      hands.join(""),
      `Three hands, set to ${NAMES.map((name) => degrees[name]).join(", ")} degrees.${
        wanted ? ` The position wanted is ${target}.` : ""
      }`,
      grips,
    );

    const x = scale([0, LAST], [36, chart.width - 12]);
    const y = scale([0, 5], [chart.height - 40, 20]);
    chart.draw(
      axes(x, y, {
        xName: "position *p*",
        yName: "distance of your setting from PE(*p*)",
        yTicks: [0, 2, 4],
      }) +
        path(
          distances.map((value, p) => [x(p), y(value)]),
          "hair",
        ) +
        (wanted
          ? line(x(target), y(0), x(target), y(5), "claimed dashed") +
            beside([x(target), y(5) + 14], `wanted: ${target}`, "claimed small", chart.width / 2)
          : "") +
        circle([x(nearest), y(distances[nearest])], 5, "shifted fill"),
      `The setting is nearest to position ${nearest}, at distance ${fixed(distances[nearest], 2)}${
        wanted ? `; the wanted one is ${fixed(distances[target], 2)} away.` : "."
      }`,
    );
    const told =
      nearest === target
        ? `<b>Right:</b> these are the hands of ${target}, to ${fixed(distances[target], 2)}`
        : `Set the hands to position <b>${target}</b>`;
    note.innerHTML =
      `${wanted ? `<div>${told}</div>` : ""}<div class="shifted">your setting reads <b>${nearest}</b>,` +
      ` and misses its hands by ${fixed(distances[nearest], 2)}` +
      `${distances[nearest] > 0.6 ? ": no position has these hands" : ""}</div>`;
    return { nearest, distance: distances[nearest], target_distance: distances[target] };
  };
});
