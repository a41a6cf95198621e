// The mathematics of the chapter on wavelengths; in Python, posenc.spectra.

// How many steps of the geometric schedule make a factor of two.
export const pairsPerOctave = (dModel, base) => dModel * Math.LN2 / (2 * Math.log(base));

export const shareNeverTurning = (length, dModel, base) =>
  wavelengths(dModel, base).filter((lambda) => lambda > length).length / (dModel / 2);

// How many wavelengths lie between 2 pi 2^n and 2 pi 2^(n+1), for n = 0 .. count - 1.
export function octaveCounts(omegas, count) {
  const counts = new Array(count).fill(0);
  for (const omega of omegas) {
    const octave = Math.floor(-Math.log2(omega));
    if (octave >= 0 && octave < count) counts[octave] += 1;
  }
  return counts;
}

// A schedule by its name; `draws` are the random numbers of the random ones, uniform and absolute normal, drawn in Python.
export function schedule(name, dModel, base, draws) {
  const n = dModel / 2, falling = (values) => Float64Array.from(values).sort().reverse();
  const make = {
    geometric: () => frequencies(dModel, base),
    linear: () => Float64Array.from({ length: n }, (_, i) => 1 / (1 + (n > 1 ? i / (n - 1) : 0) * (1 / frequencies(dModel, base)[n - 1] - 1))),
    harmonic: () => Float64Array.from({ length: n }, (_, i) => (n - i) / n),
    octave: () => Float64Array.from({ length: n }, (_, i) => 0.5 ** i),
    "log-uniform": () => falling(draws.uniform.slice(0, n).map((u) => base ** -u)),
    Gaussian: () => falling(draws.normal.slice(0, n)),
  };
  return make[name]();
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const sinc = (x) => (x ? Math.sin(x) / x : 1);

function median(values) {
  const sorted = Float64Array.from(values).sort(), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Decades, neighbours, empty octaves, logarithmic, redundancy, apart: the Scores of Python, in that order.
export function scores(omegas, base, limit) {
  const n = omegas.length, x = Array.from({ length: 64 }, (_, j) => Math.log(4) + j * Math.log(128) / 63);
  const y = x.map((t) => similarity(Math.exp(t), 2 * n, base, omegas)), mx = mean(x), my = mean(y);
  const covariance = (u, mu, v, mv) => u.reduce((sum, value, j) => sum + (value - mu) * (v[j] - mv), 0);
  const beats = Array.from(omegas.slice(1), (omega, i) => omegas[i] - omega);
  let apart = 0;
  while (apart < limit && distance(apart + 1, 2 * n, base, omegas) >= 1) apart += 1;
  return [
    Math.log10(omegas[0] / omegas[n - 1]),
    distance(1, 2 * n, base, omegas),
    octaveCounts(omegas, Math.floor(Math.log2(base))).filter((count) => !count).length,
    covariance(x, mx, y, my) ** 2 / (covariance(x, mx, x, mx) * covariance(y, my, y, my)),
    n > 1 ? median(beats.map((beat) => Math.abs(sinc(512 * beat) / sinc(beat / 2)))) : 0,
    apart,
  ];
}
