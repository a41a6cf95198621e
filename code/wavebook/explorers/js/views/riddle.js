// @ts-check
// One text, which a trained model reads aloud; it stops before the letter that is asked about.

import { explorer } from "../lib/kit/explorer.js";
import { isRight, nearestTo, sayingAt, tape } from "../lib/letters.js";
import { SPEC } from "../spec.js";

/** @import { Kit } from "../types" */
/** @import { Text } from "../lib/letters.js" */
/** @typedef {{ position: number }} Traits */

/** @type {{ text: Text, trained: number, breaks: number }} */
const { text: TEXT, trained: TRAINED, breaks: BREAKS } = /** @type {any} */ (SPEC.constants);
const PACE = 7; // letters a second
const FIRST = 8; // where it begins to read aloud

export default explorer("A text, and what the model says", (/** @type {Kit<Traits>} */ kit) => {
  kit.smooth("position");
  kit.slider("position", { label: "letter", style: "wide" });
  const plot = kit.panel({ height: () => 132 });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  // Where a drawing is made without a page, and on paper, it has read.
  const reads = kit.asks && "closest" in kit.root && !calm.matches;
  let began = 0;
  return ({ position }) => {
    const asking = kit.asks && kit.part("answer") === 0;
    const now = performance.now();
    began ||= now;
    const read = FIRST + (PACE * (now - began)) / 1000;
    const p = asking && reads ? Math.min(position, read) : position;
    if (p < position) kit.redraw();
    const known = kit.part("answer");
    const at = Math.round(p);
    // The letter after the last that it has read aloud is the one that is asked for.
    const until = asking ? Math.min(at, BREAKS - 1) : at;
    const waits = asking && at === BREAKS - 1 ? 1 : 0;
    const right = isRight(TEXT, at);
    const shown = tape(TEXT, {
      left: 0,
      right: plot.width,
      top: 4,
      cell: 24,
      p: p + waits,
      until,
      rival: BREAKS,
      returns: right ? 0 : known,
      trained: TRAINED,
    });
    plot.draw(shown.markup, `${sayingAt(TEXT, at)} It was trained on texts of ${TRAINED} letters.`, [
      {
        kind: /** @type {const} */ ("cursor"),
        points: [
          [0, 0],
          [plot.width, 0],
          [plot.width, 96],
          [0, 96],
        ],
        moves: { position: (_, __, to) => nearestTo(shown.there, to[0]) },
      },
    ]);
    return { says: TEXT.said[at], asked: at < TEXT.back ? null : TEXT.letters[at - TEXT.back], right };
  };
});
