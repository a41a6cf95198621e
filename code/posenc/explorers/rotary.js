// Left query and key, turned by their positions; right their score against m - n, and what it is if codes are added instead.

const { query: QUERY, key: KEY } = SPEC.constants, TOP = SPEC.traits.m.max;

export default explorer("Rotary encoding", (kit) => {
  kit.slider("m", { label: "query at *m*" });
  kit.slider("n", { label: "key at *n*", style: "shifted" });
  kit.slider("frequency", { label: "frequency *ω*" });
  kit.button("Move both by one", () => {
    const { m, n } = kit.values(), step = Math.max(m, n) < TOP ? 1 : -Math.min(m, n);
    kit.set("m", m + step);
    kit.set("n", n + step);
  });
  const left = kit.panel({ height: 290, basis: 300 }), right = kit.panel({ height: 290, basis: 380, grow: 1.3 });
  const note = kit.note("formula", 2, 4);

  return ({ m, n, frequency: omega }) => {
    const dot = ([a, b], [c, d]) => a * c + b * d, plus = ([a, b], [c, d]) => [a + c, b + d];
    const code = (position) => encode(position, 2, 2, [omega]);
    const query = turned(QUERY, omega * m), key = turned(KEY, omega * n);
    const score = dot(query, key), added = dot(plus(QUERY, code(m)), plus(KEY, code(n)));

    const radius = Math.min(left.width / 2.6, 118), centre = [left.width / 2, 145];
    const at = ([x, y], r = 1) => [centre[0] + r * radius * x, centre[1] - r * radius * y];
    const swing = (vector, position, r) => sample(0, omega * position, Math.max(2, Math.ceil(Math.min(60, omega * position * 6))), (angle) =>
      at(turned(vector, Math.max(angle, omega * position - 2 * Math.PI)), r / Math.hypot(...vector)));
    const between = (a, b) => { const turn = Math.atan2(...b.toReversed()) - Math.atan2(...a.toReversed()); return Math.atan2(Math.sin(turn), Math.cos(turn)); };
    const angle = between(query, key);
    left.draw(line(...centre, ...at(QUERY), "muted hair dashed") + line(...centre, ...at(KEY), "shifted hair dashed")
      + path(swing(QUERY, m, 0.5), "faint") + path(swing(KEY, n, 0.4), "shifted faint")
      + path(sample(0, angle, 24, (turn) => at(turned(query, turn), 0.25 / Math.hypot(...query))), "thick")
      + arrow([centre, at(query)], "thick") + arrow([centre, at(key)], "shifted thick")
      + text(at(query, 1.24), "query") + text(at(key, 1.22), "key", "shifted")
      + text([centre[0], 284], `between them ${fixed(Math.abs(angle) * 180 / Math.PI, 1)}°`, "muted"),
    `Two arrows. The query has turned by ${fixed(omega * m, 2)} radians, the key by ${fixed(omega * n, 2)}; the angle between them is`
      + ` ${fixed(Math.abs(angle) * 180 / Math.PI, 1)} degrees.`);

    const x = scale([-100, 100], [38, right.width - 12]), y = scale([-4.2, 4.2], [right.height - 40, 26]);
    right.draw(axes(x, y, { xName: "*m* − *n*", yName: "score", xTicks: [-100, -50, 0, 50, 100], yTicks: [-4, -2, 0, 2, 4] })
      + path(sample(-100, 100, 800, (t) => [x(t), y(dot(turned(QUERY, omega * t), KEY))]))
      + line(x(m - n), y(score), x(m - n), y(added), "muted dashed")
      + circle([x(m - n), y(added)], 5, "ring") + circle([x(m - n), y(score)], 5),
    `Score against m minus n, a cosine. At ${fixed(m - n, 0)} turning gives ${fixed(score)}; adding codes instead gives ${fixed(added)}.`);

    note.innerHTML = equation(rich("*m* − *n* ="), `<b>${fixed(m - n, 0)}</b>`) + equation(`turned: score <b>${fixed(score)}</b>`)
      + equation(`codes added (hollow): score <b>${fixed(added)}</b>`);
  };
});
