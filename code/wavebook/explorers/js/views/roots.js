// @ts-check
// Left the roots in the complex plane, right what the encoding with these roots does along the positions.

import { turned } from "../lib/kit/drag.js";
import { explorer } from "../lib/kit/explorer.js";
import { fixed, spoken } from "../lib/kit/format.js";
import { axes, inFrame, scale } from "../lib/kit/scales.js";
import { circle, dots, line, path, sample, text } from "../lib/kit/svg.js";
import { rootEncoding } from "../lib/roots.js";

/** @import { Kit, Panel, Point } from "../types" */
/** @typedef {{ radius: number, angle: number, multiplicity: string }} Traits */

const FAR = 24;
const DEGREE = Math.PI / 180;

/**
 * What becomes of the encoding, in a word.
 * @param {Traits} traits
 */
const fate = ({ radius, multiplicity }) =>
  radius < 1 ? "fades" : radius > 1 ? "grows" : multiplicity === "double" ? "drifts" : "stays bounded";

/**
 * The same in a sentence.
 * @param {Traits} traits
 */
function verdict({ radius, angle, multiplicity }) {
  const twice = multiplicity === "double";
  if (radius !== 1) {
    const end = twice ? "In the end it" : "It";
    return radius < 1
      ? `${end} fades forward, and grows backward.`
      : `${end} grows forward, and fades backward.`;
  }
  if (twice) return angle ? "It drifts: waves that swell." : "It drifts: a straight line.";
  return angle ? "It stays bounded: waves." : "It stays bounded: a constant.";
}

/**
 * Where a point of the complex plane is on its panel, and how many pixels the unit has there.
 * @param {Panel} panel
 */
function plane({ width, height }) {
  const unit = Math.min(width, height) / 2.7;
  const at = (/** @type {number} */ re, /** @type {number} */ im) =>
    /** @type {Point} */ ([width / 2 + unit * re, height / 2 - unit * im]);
  return { unit, at };
}

/**
 * @param {Panel} panel
 * @param {Traits} traits
 */
function drawPlane(panel, { radius, angle, multiplicity }) {
  const { unit, at } = plane(panel);
  const root = at(radius * Math.cos(angle * DEGREE), radius * Math.sin(angle * DEGREE));
  const mirrored = at(radius * Math.cos(angle * DEGREE), -radius * Math.sin(angle * DEGREE));
  const rings =
    multiplicity === "double" ? circle(root, 10, "shifted ring") + circle(mirrored, 10, "muted ring") : "";
  return (
    line(...at(-1.3, 0), ...at(1.3, 0), "grid hair") +
    line(...at(0, -1.3), ...at(0, 1.3), "grid hair") +
    circle(at(0, 0), unit, "muted ring") +
    text(at(1.14, -0.16), "1", "muted small") +
    line(...at(0, 0), ...root, "shifted hair") +
    rings +
    circle(mirrored, 5.5, "muted ring") +
    circle(root, 6, "shifted fill")
  );
}

/**
 * @param {Panel} panel
 * @param {Traits} traits
 */
function drawWaves(panel, { radius, angle, multiplicity }) {
  const twice = multiplicity === "double";
  const most = twice ? FAR : 3;
  const x = scale([-FAR, FAR], [40, panel.width - 12]);
  const y = scale([-most, most], [panel.height - 40, 30]);
  /** @type {(entry: number, count: number) => Point[]} */
  const values = (entry, count) =>
    sample(-FAR, FAR, count, (p) => [x(p), rootEncoding(p, radius, angle * DEGREE, multiplicity)[entry]]);
  const named = twice && panel.width >= 400; // beside the axis' name
  const waves = ["sine", "cosine"].map((role, j) => {
    const entry = twice ? j + 2 : j;
    return (
      inFrame(values(entry, 480), y)
        .map((piece) => path(piece, `${role} hair`))
        .join("") +
      dots(
        values(entry, 2 * FAR).flatMap((point) => inFrame([point], y).flat()),
        2.2,
        role,
      )
    );
  });
  return (
    axes(x, y, { xName: "position *p*", yName: twice ? "the two entries with *p*" : "the two entries" }) +
    waves.join("") +
    text([x(FAR), 20], named ? "*p* × cosine" : "cosine", "cosine", "end") +
    text([x(FAR) - (named ? 94 : 62), 20], named ? "*p* × sine" : "sine", "sine", "end")
  );
}

export default explorer("Roots of the shift, and their encoding", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("angle");
  kit.choice("multiplicity", { label: "root" });
  kit.slider("radius", { label: "modulus *r*", style: "shifted", show: (r) => fixed(r, 2) });
  kit.slider("angle", { label: "angle *θ*, °", style: "shifted" });
  const left = kit.panel({ basis: 250, height: 250 });
  const right = kit.panel({ basis: 390, grow: 1.5, height: 250 });
  const note = kit.note("", 2, 3);

  return (traits) => {
    const { radius, angle, multiplicity } = traits;
    const { unit, at } = plane(left);
    const center = at(0, 0);
    const far = (/** @type {Point} */ to) => Math.hypot(to[0] - center[0], to[1] - center[1]);
    const size = (/** @type {number} */ p) =>
      Math.hypot(...rootEncoding(p, radius, angle * DEGREE, multiplicity));
    const [forward, backward] = [size(FAR), size(-FAR)];
    const says = verdict(traits);
    left.draw(
      drawPlane(left, traits),
      `The complex plane with the unit circle, and a ${spoken(multiplicity)} root of modulus ${fixed(radius, 2)}` +
        ` at ${angle} degrees, with its conjugate.`,
      [
        {
          kind: "hand",
          points: [at(radius * Math.cos(angle * DEGREE), radius * Math.sin(angle * DEGREE))],
          moves: {
            radius: (value, from, to) => value + (far(to) - far(from)) / unit,
            angle: (value, from, to) => turned(value, from, to, center, -DEGREE),
          },
        },
      ],
    );
    right.draw(
      drawWaves(right, traits),
      `The encoding from position ${fixed(-FAR, 0)} to ${FAR}; at ${FAR} its size is ${fixed(forward, 2)}.` +
        ` ${says}`,
    );
    note.innerHTML =
      `<div><b>${says}</b></div>` +
      `<div>size at ${FAR}: <b>${fixed(forward, 2)}</b>,` +
      ` at ${fixed(-FAR, 0)}: <b>${fixed(backward, 2)}</b></div>`;
    return { fate: fate(traits), size_forward: forward, size_backward: backward };
  };
});
