// @ts-check
// Numbers and names as text. A true minus; digits of equal width come from the style sheet.

import { SPEC } from "../../spec.js";

/**
 * A word of the class, such as an option, in the reader's language; of a word here it says that it is for the reader.
 * @param {string} word
 */
export const spoken = (word) => SPEC.words?.[word] ?? word;

/** @param {string} text */
const minus = (text) => text.replace("-", "\u2212");

/**
 * 1.5 -> "1.500"; never "-0.000".
 * @param {number} x
 * @param {number} digits
 */
export const fixed = (x, digits = 3) => minus((Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits));

/**
 * The same, with room for a sign, so that columns of numbers do not move.
 * @param {number} x
 * @param {number} digits
 */
export const signed = (x, digits = 3) => fixed(x, digits).replace(/^(?=\d)/, "\u2007");

/**
 * Four significant digits by default: 6.283, 62,832, 6.029 × 10⁻⁵.
 * @param {number} x
 * @param {number} digits
 */
export function short(x, digits = 4) {
  const size = x ? Math.floor(Math.log10(Math.abs(x))) : 0;
  if (size >= -3) {
    return minus(x.toLocaleString("en", { maximumFractionDigits: Math.max(0, digits - 1 - size) }));
  }
  const power = [...String(-size)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${minus((x / 10 ** size).toFixed(digits - 1))} × 10⁻${power}`;
}

/**
 * So many of a thing: 1 turn, 2 turns.
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const counted = (n, one, many = spoken(`${one}s`)) => `${n} ${n === 1 ? one : many}`;

/**
 * A power of ten, for SVG.
 * @param {number} exponent
 */
export const powerOfTen = (exponent) => `10<tspan dy="-4" font-size="75%">${minus(String(exponent))}</tspan>`;

/**
 * An index as subscript digits.
 * @param {number} index
 */
export const subscript = (index) => [...String(index)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");

/**
 * *x* is a variable, _k a subscript; sin and cos wear their colors. For HTML; give "tspan" for SVG, which
 * has no subscripts. Each says as data which symbol it is.
 * @param {string} text
 * @param {string} tag
 */
export const rich = (text, tag = "span") =>
  text.replace(/\*([^*]+)\*|_(\w)|\b(sin|cos)\b/g, (_, variable, sub, name) => {
    if (variable) return `<${tag} class="var" data-symbol="${variable}">${variable}</${tag}>`;
    if (sub) return `<sub class="var">${sub}</sub>`;
    return `<${tag} class="${name === "sin" ? "sine" : "cosine"}" data-symbol="${name}">${name}</${tag}>`;
  });

/**
 * The same without its marks, for names that are only spoken.
 * @param {string} text
 */
export const plain = (text) => text.replace(/\*([^*]+)\*|_(\w)/g, "$1$2");
