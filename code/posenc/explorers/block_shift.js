// The matrix and the columns, entry by entry, in one row; beside them, or below, the circle of the eigenvalues and the hands.
// A new order is a permutation, and is shown as one: every cell glides from its old place to its new one.

const GLIDE = 700; // milliseconds
const TOP = 42, NAMES = 34, SUB = "₀₁₂₃₄₅₆₇";

// Where things stand on a panel of that width: side of the matrix, width and left edges of the columns, circle.
function arrange(width) {
  const wide = width >= 560, wider = wide ? 32 : 29, gap = wide ? 24 : 17, radius = wide ? 76 : 88;
  const side = Math.min(300, width - (wide ? 218 : 0) - NAMES - 3 * (wider + gap) - 4), below = TOP + side + 52 + radius;
  return {
    side, wider, radius, style: wide ? "" : "small", columns: [0, 1, 2].map((j) => NAMES + side + gap + j * (wider + gap)),
    centre: wide ? [width - radius - 42, TOP + side / 2 - 8] : [width / 2, below], height: wide ? TOP + side + 8 : below + radius + 54,
  };
}

const frame = (x, y, width, height) => path([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], "", true);

const brackets = (x, y, width, height) => [[x - 3, 5], [x + width + 3, -5]].map(([at, foot]) =>
  path([[at + foot, y - 3], [at, y - 3], [at, y + height + 3], [at + foot, y + height + 3]])).join("");

// A cell with its number, if there is room; black or white, whichever is easier to read on the colour.
function cell(x, y, width, height, value) {
  const colour = diverging(value), bright = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 110;
  return rect(x, y, width, height, `rgb(${colour})`) + (width < 29 || height < 13 ? ""
    : `<text class="small" style="fill:${bright ? "black" : "white"};stroke:none" text-anchor="middle" x="${px(x + width / 2)}" y="${px(y + height / 2 + 4)}">${fixed(value, 2)}</text>`);
}

// Each hand as a point, the first entry of its pair to the right and the second upwards: it turns by way * turns[i], and the
// eigenvalue of that angle is a full dot, its conjugate a ring.
function drawCircle([cx, cy], radius, angles, turns, way) {
  const on = (angle, r = radius) => [cx + r * Math.cos(angle), cy - r * Math.sin(angle)], taken = [];
  const hands = Array.from(turns, (turn, i) => {
    const r = radius * (0.84 - 0.68 * i / turns.length), start = way > 0 ? angles[i] : Math.PI / 2 - angles[i];
    return circle([cx, cy], r, "grid hair")
      + arrow(sample(start, start + way * turn % (2 * Math.PI), 60, (angle) => on(angle, r)), "shifted") + circle(on(start, r), 3);
  });
  const dots = Array.from(turns, (turn, i) => {
    const [at, conjugate, [x, y]] = [on(way * turn), on(-way * turn), on(way * turn, radius + 13)];
    const free = taken.every((place) => Math.hypot(place[0] - x, place[1] - y) > 14) && taken.push([x, y]);
    return line(...at, ...conjugate, "shifted hair") + circle(conjugate, 4, "shifted ring") + circle(at, 4.5, "shifted fill")
      + (free ? text([x, y + 4], String(i), "shifted small") : "");
  });
  const [right, up] = way > 0 ? ["cos", "sin"] : ["sin", "cos"];
  return line(cx - radius, cy, cx + radius, cy, "grid hair") + line(cx, cy - radius, cx, cy + radius, "grid hair")
    + circle([cx, cy], radius, "muted hair") + hands.join("") + dots.join("")
    + text([cx + radius + 22, cy + 4], right, "small", "start") + text([cx, cy - radius - 25], up, "small")
    + text([cx, cy + radius + 33], 'eigenvalues *e*<tspan dy="-5" font-size="85%">±*jωk*</tspan>', "shifted")
    + text([cx, cy + radius + 49], "inside, the hands: *p* to *p* + *k*", "small");
}

export default explorer("The shift of the whole code", (kit) => {
  kit.slider("position", { label: "position *p*" });
  kit.slider("offset", { label: "offset *k*", style: "shifted" });
  kit.slider("d_model", { label: "width *d*" });
  kit.slider("base", { label: "base *b*" });
  kit.choice("arrangement", { label: "order of the entries", style: "wide" });
  const plot = kit.panel({ basis: 680, height: (width) => arrange(width).height });
  const moves = kit.note("words", 1, 2), checks = kit.note("words", 2, 4), calm = matchMedia("(prefers-reduced-motion: reduce)");
  let order = kit.values().arrangement, before = order, since = -Infinity, last;

  return ({ position: p, offset: k, d_model: d, base, arrangement: layout }) => {
    if (layout !== order) [before, order, since] = [order, layout, calm.matches ? -Infinity : performance.now() - 16];
    const part = Math.min(1, (performance.now() - since) / GLIDE), ease = part * part * (3 - 2 * part);
    if (part < 1) kit.redraw();
    const to = placesOf(layout, d), from = placesOf(before, d), at = to.map((place, j) => from[j] + (place - from[j]) * ease);

    const omegas = frequencies(d, base), turns = omegas.map((omega) => omega * k), T = shiftMatrix(k, d, base, layout);
    const start = laidOut(encode(p, d, base), layout), end = laidOut(encode(p + k, d, base), layout), product = applied(T, start);

    const { side, wider, columns, centre, radius, style } = arrange(plot.width), c = side / d, halves = layout === "halves";
    const grid = sample(0, side, d, (t) => line(NAMES, TOP + t, NAMES + side, TOP + t, "grid hair") + line(NAMES + t, TOP, NAMES + t, TOP + side, "grid hair"));
    const cells = to.map((row, j) => [j, j ^ 1].map((i) => cell(NAMES + at[i] * c, TOP + at[j] * c, c, c, T[row][to[i]])).join("")
      + [start, product, end].map((column, n) => cell(columns[n], TOP + at[j] * c, wider, c, column[row])).join("")
      + (c < 12 ? line(NAMES - 8, TOP + at[j] * c + 1, NAMES - 8, TOP + (at[j] + 1) * c - 1, j % 2 ? "cosine thick" : "sine thick")
        : text([NAMES - 7, TOP + (at[j] + 0.5) * c + 4], (j % 2 ? "cos" : "sin") + SUB[j >> 1], "small", "end")));
    const size = halves ? side / 2 : 2 * c, blocks = halves ? [[0, 0], [0, 1], [1, 0], [1, 1]] : Array.from(turns, (_, i) => [i, i]);
    const P = layout === "interleaved" ? "" : "*P*", name = `*T*(${fixed(k, 0)})`;
    const headings = [["", `PE(${p})`, P], ["shifted", "product", ""], ["shifted", `PE(${fixed(p + k, 0)})`, P]];
    plot.draw(grid.join("") + cells.join("") + blocks.map(([row, column]) => frame(NAMES + column * size, TOP + row * size, size, size)).join("")
      + brackets(NAMES, TOP, side, side) + text([NAMES + side / 2, TOP - 12], P && `*P* ${name} *P*ᵀ` || name, "shifted")
      + columns.map((x, n) => brackets(x, TOP, wider, side) + (n ? text([(columns[n - 1] + wider + x) / 2, TOP + side / 2 + 4], "=") : "")
        + headings[n].slice(1).map((words, row) => text([x + wider / 2, TOP - 12 - 16 * row], words, `${style} ${headings[n][0]}`)).join("")).join("")
      + drawCircle(centre, radius, omegas.map((omega) => omega * p), turns, layout === "cosine first" ? 1 : -1),
    `Order ${layout}, base ${short(base, 3)}: T(${fixed(k, 0)}) takes PE(${p}) = (${start.map((x) => fixed(x)).join(", ")}) to PE(${fixed(p + k, 0)}) = (${product.map((x) => fixed(x)).join(", ")}). `
      + Array.from(turns, (turn, i) => `Pair ${i} turns by ${short(turn)}: eigenvalues ${fixed(Math.cos(turn))} ± ${fixed(Math.abs(Math.sin(turn)))}j.`).join(" "));

    const key = [p, k, d, base, layout].join();
    if (last?.key === key) return; // only the cells glide
    const changed = (a, b) => a.filter((entry, j) => entry !== b[j]).length;
    moves.innerHTML = last?.start.length === d
      ? `The last move changed <b>${changed(T.flat(), last.T.flat())} of ${d * d}</b> entries of the matrix, and <b>${changed(start, last.start)} of ${d}</b> of the first column.`
      : `At most <b>${2 * d} of ${d * d}</b> entries of the matrix are not zero.`;
    last = { key, T, start };
    const power = powered(shiftMatrix(Math.sign(k), d, base, layout), Math.abs(k));
    const misses = (what, a, b) => `misses ${what} by <b>${short(farthest(a, b), 2).replaceAll(" ", "\u00a0")}</b>`;
    checks.innerHTML = rich(`The product ${misses("the last column", product, end)}, *T T*ᵀ ${misses("the identity", multiplied(T, transposed(T)), powered(T, 0))}, `
      + `*T*(${fixed(Math.sign(k), 0)})<sup>${Math.abs(k)}</sup> ${misses(name, power, T)}; det *T* = <b>${fixed(determinant(T))}</b>.`);
  };
});
