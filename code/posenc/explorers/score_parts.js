// Left the four parts, a row for each half of the query and a column for each half of the key; right their sum, on the same
// scale; below the length of a word beside its code, with the initialisations in use.

const { words: PACKED, width: WIDEST } = SPEC.constants, HEIGHT = 290, ROWS = 22;
const NAMES = ["word with word", "word with code", "code with word", "code with code"];

// A bar for every key, that of the marked one in green, in a box of the axes x and y.
function bars(values, key, x, y) {
  const wide = Math.max(1.2, 0.62 * (x(1) - x(0))), bar = (value, q) => `M${x(q).toFixed(1)} ${y(0).toFixed(1)}V${y(value).toFixed(2)}`;
  const draw = (style, d) => `<path class="${style}" style="stroke-width:${wide.toFixed(1)}px;stroke-linecap:butt" d="${d}"/>`;
  return draw("", values.map((value, q) => (q === key ? "" : bar(value, q))).join("")) + draw("shifted", bar(values[key], key))
    + circle([x(key), y(values[key])], 3.5, "shifted fill");
}

// Words beside codes: for each initialisation an arrow from the length without the factor to that with it.
function ruler(panel, ratio, named, root, d, close) {
  const left = 124, x = scale([0.006, 150], [left, panel.width - 12], "log"), bottom = panel.height - 40;
  const y = scale([0, 1], [bottom, 24]);
  return axes(x, y, { xName: "length of a word ÷ length of its code", yTicks: [], xTicks: [0.01, 0.1, 1, 10, 100] })
    + line(x(1), bottom, x(1), 24, "muted dashed") + Object.entries(named).map(([name, sigma], row) => {
      const at = 36 + ROWS * row, [open, full] = [sigma * Math.SQRT2, sigma * root * Math.SQRT2].map(x), own = name === close;
      return text([left - 12, at + 4], name, own ? "small" : "muted small", "end") + arrow([[open + 5, at], [full - 5, at]], "muted hair")
        + circle([open, at], 4, "ring") + circle([full, at], 4.5);
    }).join("") + line(x(ratio), bottom, x(ratio), 24, "thick") + text([x(ratio), 15], short(ratio, 3))
    + (x(root) - x(1) > 60 ? text([(x(Math.SQRT2 / root) + x(Math.SQRT2)) / 2, 32], "× √*d*", "muted small") : "");
}

export default explorer("What a score is made of", (kit) => {
  kit.slider("sigma", { label: "spread *σ* of the words" });
  kit.choice("factor", { label: "a word enters the sum as", options: [["without", "*E*"], ["with", "√*d* *E*"]] });
  kit.slider("d_model", { label: "width *d*" });
  kit.slider("position", { label: "query at *p*" });
  kit.slider("key", { label: "key at *q*", style: "shifted" });
  const table = kit.panel({ basis: 390, grow: 1.4, height: HEIGHT }), total = kit.panel({ basis: 292, height: HEIGHT });
  const beside = kit.panel({ basis: 700, height: 4 * ROWS + 70 });
  const formula = kit.note("formula", 1, 3), words = kit.note("words", 2, 4);

  return ({ sigma, factor, position: p, key: q, d_model: d }) => {
    const root = Math.sqrt(d), size = sigma * (factor === "with" ? root : 1), ratio = size * Math.SQRT2;
    const rows = signWords(PACKED, WIDEST, d), parts = scoreParts(p, rows, size, 1e4), count = rows.length;
    const sum = parts[0].map((_, j) => parts.reduce((all, part) => all + part[j], 0)), all = parts.reduce((whole, part) => whole + Math.abs(part[q]), 0);
    const share = parts.map((part) => `${fixed(100 * Math.abs(part[q]) / all, 0)}\u00a0%`);
    // One scale for all, that does not jump when the query moves: what the parts can reach, rather than what they do.
    const domain = [-Math.max(Math.min(3.6, root) * size ** 2, 2.7 * size) - Math.SQRT2 / d, (size ** 2 + 0.5) * root + 2.7 * size];
    const box = (left, right, top, bottom) => [scale([-1, count], [left, right]), scale(domain, [bottom, top])];
    const keys = [0, 20, 40], chart = (values, x, y, names) => axes(x, y, { yTicks: ticks(y, 3), xTicks: keys, ...names })
      + line(x(p), y.range[0], x(p), y.range[1], "muted hair") + bars(values, q, x, y);

    const wide = (table.width - 40 - 8 - 18) / 2, high = (HEIGHT - 40 - 24 - 34) / 2;
    table.draw(parts.map((part, j) => {
      const left = 40 + (wide + 18) * (j % 2), top = 24 + (high + 34) * (j >> 1), [x, y] = box(left, left + wide, top, top + high);
      return chart(part, x, y, { ...(j < 2 ? { xTicks: [] } : {}), ...(j % 2 ? { yTicks: [0] } : {}) }) + text([left, top - 8], NAMES[j], "small", "start") + text([left + wide, top - 8], fixed(part[q], 2), "small shifted", "end");
    }).join(""), `The four parts of the scores of the query at ${p} with ${count} keys, width ${d}.`
      + ` With key ${q}: ${parts.map((part, j) => `${NAMES[j]} ${fixed(part[q], 2)}, ${share[j]}`).join("; ")}.`);

    const [x, y] = box(40, total.width - 8, 24, HEIGHT - 40);
    total.draw(chart(sum, x, y, { xName: "key position *q*" }) + text([40, 16], "their sum, the score", "small", "start") + text([total.width - 8, 16], fixed(sum[q], 2), "small shifted", "end"),
      `The score, their sum. Query ${p} gives key ${q} the score ${fixed(sum[q], 2)}, the largest, ${fixed(Math.max(...sum), 2)}, to key ${sum.indexOf(Math.max(...sum))}.`);

    const named = spreads(d), close = Object.keys(named).find((name) => Math.abs(Math.log10(sigma / named[name])) < 0.0105);
    beside.draw(ruler(beside, ratio, named, root, d, close), `A word is ${short(ratio, 3)} times as long as its code.`
      + ` Without and with the factor: ${Object.entries(named).map(([name, own]) => `${name} ${short(own * Math.SQRT2, 3)} and ${short(own * root * Math.SQRT2, 3)}`).join("; ")}.`);

    const others = parts.map((part) => scatter(part.filter((_, j) => j !== p))), most = others.indexOf(Math.max(...others));
    const plus = (value) => fixed(value, 2).replace(/^−?/, (sign) => (sign || "+") + " "), list = (items) => items.join(", ").replace(/, (?=[^,]*$)/, " and ");
    formula.innerHTML = equation("word ÷ code", "=", rich(factor === "with" ? "*σ*√(2*d*)" : "*σ*√2"), "=", `<b>${short(ratio, 3)}</b>`)
      + equation(fixed(parts[0][q], 2), ...parts.slice(1).map((part) => plus(part[q])), "=", `<b class="shifted">${fixed(sum[q], 2)}</b>`);
    words.innerHTML = rich(`${close ? `*σ* is that of ${close}. ` : ""}At *q* the parts count for ${list(share)}, by their sizes. Over the other keys`
      + ` they scatter by ${list(others.map((value) => (value < 10 ? fixed(value, 2) : short(value, 3))))}: most of all <b>${NAMES[most]}</b>.`);
  };
});
