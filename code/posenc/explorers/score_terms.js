// The mathematics of the explorer of a score's four parts; in Python, posenc.attention and posenc.figures.transformer.

// Words with entries +1 and -1, out of packed bits in base64, `width` to a word; of each the first dModel.
export function signWords(packed, width, dModel) {
  const bytes = atob(packed), row = width / 8;
  return Array.from({ length: bytes.length / row }, (_, word) =>
    Float64Array.from({ length: dModel }, (_, j) => 2 * (bytes.charCodeAt(word * row + (j >> 3)) >> (7 - j % 8) & 1) - 1));
}

// The standard deviation of an embedding's entries under each initialisation.
export const spreads = (dModel) =>
  ({ tensor2tensor: dModel ** -0.5, "PyTorch default": 1, "PyTorch tutorial": 0.1 / Math.sqrt(3), Xavier: Math.sqrt(2 / (37000 + dModel)) });

// Word with word, word with code, code with word, code with code: each with all keys, for words `size` times as long.
export function scoreParts(position, words, size, base, omegas = frequencies(words[0].length, base)) {
  const d = words[0].length, codes = words.map((_, p) => encode(p, d, base, omegas));
  const part = (queries, keys, factor) => keys.map((key) => factor * key.reduce((sum, entry, j) => sum + entry * queries[position][j], 0) / Math.sqrt(d));
  return [part(words, words, size ** 2), part(words, codes, size), part(codes, words, size), part(codes, codes, 1)];
}

// How much values scatter about their mean.
export function scatter(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
