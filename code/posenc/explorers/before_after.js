// The score against the difference of the positions, and its own mirror image; what lies between them tells after from before.

const FAR = 60, STEPS = 4, LEFT = 38, TOP = 46;

export default explorer("Before or after", (kit) => {
  kit.slider("shift", { label: "shift *s*", style: "shifted" });
  kit.slider("offset", { label: "difference *Δ* = *p* − *q*" });
  kit.slider("d_model", { label: "width *d*" });
  const plot = kit.panel({ basis: 680, height: 300 });
  const formula = kit.note("formula", 1, 4), words = kit.note("words", 1, 2);

  return ({ shift: s, offset, d_model: d }) => {
    const omegas = frequencies(d, 1e4), furthest = FAR + 20;
    // Every value that any shift can bring into view, computed once: K is even.
    const table = sample(0, furthest, STEPS * furthest, (k) => similarity(k, d, 1e4, omegas));
    const score = (t) => table[Math.round(STEPS * Math.abs(t - s))], peak = d / 2, low = Math.min(...table);
    const x = scale([-FAR, FAR], [LEFT, plot.width - 10]), y = scale([low - 0.06 * (peak - low), peak], [plot.height - 40, TOP]);
    const curve = sample(-FAR, FAR, 2 * STEPS * FAR, (t) => [x(t), y(score(t))]);
    const mirror = sample(-FAR, FAR, 2 * STEPS * FAR, (t) => [x(t), y(score(-t))]);
    const there = score(offset), opposite = score(-offset), gap = there - opposite, [right, left] = [[x(offset), y(there)], [x(-offset), y(opposite)]];
    const side = s < 0 ? -1 : 1, outwards = side > 0 ? "start" : "end", inwards = side > 0 ? "end" : "start";

    plot.draw(axes(x, y, { yName: "score", xTicks: sample(-FAR, FAR, plot.width < 500 ? 4 : 6, (t) => t) }) + line(x(0), y.range[0], x(0), TOP - 12, "muted hair")
      + text([x(-FAR), plot.height - 8], "← *p* before *q*", "muted", "start") + text([x(0), plot.height - 8], "*Δ*")
      + text([x(FAR), plot.height - 8], "*p* after *q* →", "muted", "end")
      + path([...curve, ...mirror.reverse()], "shifted wash", true) + path(mirror, "muted dashed") + path(curve, "shifted")
      + (plot.width < 500 ? "" : dots(curve.filter((_, j) => j % STEPS === 0), 1.7, "shifted"))
      + arrow([[x(0), TOP - 8], [x(s), TOP - 8]], "shifted")
      + (s ? text([x(s) + 7 * side, TOP - 4], "*K*(*Δ*−*s*)", "shifted", outwards) + text([x(-s) - 7 * side, TOP - 4], "mirrored", "muted", inwards)
        : text([x(0) + 7, TOP - 4], "*K*(*Δ*), even", "shifted", "start"))
      + line(...left, x(offset), left[1], "hair") + line(x(offset), left[1], ...right, "bold")
      + circle(left, 5, "ring") + circle(right, 5),
    `Score of two codes against p − q, width ${d}, with T(${fixed(s, 0)}) between them: the peak of ${fixed(peak, 0)} stands at ${fixed(s, 0)}.`
      + ` At ${fixed(offset, 0)} the score is ${fixed(there, 2)}, at ${fixed(-offset, 0)} it is ${fixed(opposite, 2)}: a difference of ${fixed(gap, 2)}.`);

    formula.innerHTML = equation(rich("● *K*(*Δ*−*s*)"), "=", rich(`*K*(${fixed(offset - s, 0)})`), "=", `<b>${fixed(there, 2)}</b>`)
      + equation(rich("○ *K*(−*Δ*−*s*)"), "=", rich(`*K*(${fixed(-offset - s, 0)})`), "=", `<b>${fixed(opposite, 2)}</b>`)
      + equation("difference", `<b>${fixed(gap, 2)}</b>`);
    words.innerHTML = rich(!s ? "The score is the same *Δ* after as *Δ* before, for every *Δ*."
      : Math.abs(offset) === Math.abs(s) ? `At *s* the score has its peak, *d*/2 = ${fixed(peak, 0)}; at −*s* it is *K*(2*s*) = ${fixed(Math.min(there, opposite), 2)}.`
        : offset ? `*T*(*s*) has moved the peak, *d*/2 = ${fixed(peak, 0)}, from 0 to *s* = ${fixed(s, 0)}: the curve is its own mirror image no more.`
          : "At *Δ* = 0 there is no side to tell.");
  };
});
