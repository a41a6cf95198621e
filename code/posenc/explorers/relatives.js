// The mathematics of the chapter on the relatives; in Python, posenc.rope, posenc.biases and posenc.context.

// A pair turned anticlockwise by an angle.
export const turned = ([x, y], angle) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];

// The rotary score of a query `offset` positions after its key.
export function rotaryScore(offset, query, key, omegas) {
  return omegas.reduce((sum, omega, i) => {
    const [x, y] = turned([query[2 * i], query[2 * i + 1]], omega * offset);
    return sum + x * key[2 * i] + y * key[2 * i + 1];
  }, 0);
}

// Of head 1 .. heads, where heads is a power of two.
export const alibiSlope = (head, heads) => 2 ** (-8 * head / heads);

// The bucket of a distance, given the nearest distance in each.
export const bucketOf = (distance, starts) => starts.findLastIndex((start) => start <= distance);

// The frequencies of a rotary model after a method of lengthening its context.
export function extended(method, factor, dModel, base, length) {
  const omegas = frequencies(dModel, base), kept = (omega) => Math.min(1, Math.max(0, (length * omega / (2 * Math.PI) - 1) / 31));
  const make = {
    unchanged: () => omegas,
    interpolation: () => omegas.map((omega) => omega / factor),
    "NTK-aware": () => frequencies(dModel, base * factor ** (dModel / (dModel - 2))),
    YaRN: () => omegas.map((omega) => omega * ((1 - kept(omega)) / factor + kept(omega))),
  };
  return make[method]();
}

// How many pairs reach, in a text `factor` times as long, an angle that training never showed.
export const unseenPairs = (omegas, factor, dModel, base, length) => frequencies(dModel, base).filter((old, i) =>
  old * length < 2 * Math.PI && omegas[i] * factor > old * (1 + 1e-9)).length;
