// @ts-check
// A text letter by letter, and over it what a trained model says: green where it is right, in a purple box where not.

import { corners, line, path, px, text } from "./kit/svg.js";

/** @typedef {{ letters: string, said: string, back: number }} Text */
/** @typedef {{ at: number, x: number, seen: number }} Placed a letter's position, its middle, and how much is seen of it */
/**
 * @typedef {{ left: number, right: number, top: number, cell: number, p: number, until: number, rival: number,
 *   returns: number, trained: number, plain?: boolean, style?: string }} Where `until` where it has answered, `rival` how far back the
 *   other token is, of which so much is seen (`returns`); `plain` leaves the numbers and arcs out
 */

const SAYS = 62; // the room of the words at the left, in a wide face
const NAMED = 180; // and of those under the letters
const AHEAD = 2; // letters that are seen behind the cursor
const HEAD = 3; // and at the left, where the text is too long for its room

const within = (/** @type {number} */ x) => Math.max(0, Math.min(1, x));

/**
 * Which letters are seen, and where: all from the first on while there is room, then some about `rival` tokens back, a
 * gap, and the last ones up to the cursor.
 * @param {number} length of the text
 * @param {number} p the cursor
 * @param {number} rival
 * @param {number} room
 * @param {number} cell the width of a letter
 * @returns {Placed[]}
 */
export function placed(length, p, rival, room, cell) {
  const cells = Math.floor(room / cell);
  const slid = Math.max(0, p + AHEAD + 1 - cells);
  const first = Math.min(Math.max(0, p - rival - 1), slid);
  const apart = within(slid - first); // whether there is a gap
  const head = HEAD * apart;
  return Array.from({ length }, (_, at) => {
    const last = at - slid; // in the part that ends at the cursor
    const early = at - first;
    const tail = within(last + 1 - head - apart) * within(cells - last);
    const left = within(early + 1) * within(HEAD - early) * apart;
    const seen = Math.max(tail, left);
    return { at, x: ((tail >= left ? last : early) + 0.5) * cell, seen };
  }).filter(({ seen }) => seen > 0.01);
}

/**
 * The position of the letter that is nearest to a place.
 * @param {Placed[]} letters
 * @param {number} x
 */
export const nearestTo = (letters, x) =>
  letters.reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best)).at;

/**
 * Whether the model is right at a position.
 * @param {Text} text
 * @param {number} p
 */
export const isRight = ({ letters, said, back }, p) => said[p] === letters[p - back];

/**
 * What it says at a position, in words.
 * @param {Text} text
 * @param {number} p
 */
export function sayingAt(text, p) {
  const { letters, said, back } = text;
  if (p < back) return `Letter ${p} is ${letters[p]}; no letter is ${back} back.`;
  const right = isRight(text, p);
  return `At letter ${p} it says ${said[p]}${right ? ", which is right." : ` and should say ${letters[p - back]}.`}`;
}

/**
 * The picture, and where its letters are.
 * @param {Text} told
 * @param {Where} where
 */
export function tape(
  told,
  { left, right, top, cell, p, until, rival, returns, trained, plain, style = "claimed" },
) {
  const { letters, back } = told;
  const there = placed(letters.length, p, returns > 0 ? rival : p, right - left, cell);
  const x = (/** @type {Placed} */ one) => left + one.x;
  const [answer, letter, ruler] = [top + 20, top + 52, top + 62];
  const cursor = Math.round(p);
  const half = cell / 2;
  const one = (/** @type {Placed} */ place) => {
    const { at, seen } = place;
    const middle = x(place);
    const target = at === cursor - back && cursor <= until;
    const other = returns > 0 && at === cursor - rival && rival !== back;
    const role = target ? "shifted strong" : other ? `${style} strong` : at > until ? "muted" : "";
    const good = isRight(told, at);
    const says =
      at >= back && at <= until
        ? (good ? "" : path(corners(middle - half + 1, top, cell - 2, 27), "claimed thick", true)) +
          text([middle, answer], told.said[at], `letter bare strong ${good ? "shifted" : "claimed"}`)
        : "";
    const mark = target || other ? (target ? "shifted" : style) : "";
    const number =
      plain || !(at % 5 === 0 || at === cursor || (other && returns === 1))
        ? ""
        : text([middle, ruler + 19], String(at), at === cursor ? "strong" : "muted");
    return `<g opacity="${px(seen)}">${says}${text([middle, letter], letters[at], `letter bare ${role}`)}${
      at < trained ? line(middle - half + 2, ruler, middle + half - 2, ruler, "bold") : ""
    }${
      mark ? line(middle - half + 4, ruler - 5, middle + half - 4, ruler - 5, `${mark} bold`) : ""
    }${number}</g>`;
  };
  const find = (/** @type {number} */ at) => there.find((place) => place.at === at);
  const here = find(cursor);
  // From the answer to the letter that it is.
  const arc = (
    /** @type {Placed | undefined} */ to,
    /** @type {string} */ role,
    /** @type {string} */ name,
  ) => {
    if (!to || !here) return "";
    const [from, end, low] = [x(here), x(to), ruler + 26];
    const deep = Math.min(24, 8 + 0.06 * (from - end));
    return (
      `<path class="${role}" d="M${px(from)} ${px(low)}C${px(from)} ${px(low + deep)} ${px(end)} ` +
      `${px(low + deep)} ${px(end)} ${px(low)}"/>${text(
        [(from + end) / 2, low + 0.75 * deep + 5],
        name,
        `${role} strong clear`,
      )}`
    );
  };
  const twin = returns > 0 && rival !== back && cursor >= rival;
  const far = plain || cursor > until || cursor < back ? undefined : find(cursor - (twin ? rival : back));
  const arcs = !far
    ? ""
    : twin
      ? `<g opacity="${px(returns)}">${arc(far, "claimed", `${rival} back`)}</g>`
      : arc(far, "shifted", `${back} back`);
  const ask =
    here && until < letters.length - 1 && cursor === until + 1
      ? text([x(here), answer], "?", "letter strong muted bare")
      : "";
  const gap = there.findIndex(({ at }, n) => n > 0 && at > there[n - 1].at + 1);
  const dots = gap > 0 ? text([left + HEAD * cell + half, letter], "\u2026", "letter bare muted") : "";
  // There is room over the letters of which nothing is asked, until later ones take their place.
  const free = there.every((one) => one.at < back || one.at > until || x(one) - half > left + SAYS);
  // Beside the arc's name, where that is in the way.
  const arched = far && here ? (x(here) + x(far)) / 2 : Infinity;
  const under = arched - 44 < left + NAMED ? arched + 44 : left + 2;
  const crossed = far && here && x(far) < under + NAMED && x(here) > under && arcs !== "";
  const names =
    (free ? text([left + 2, answer - 2], "it says", "muted", "start") : "") +
    (plain || crossed || under + NAMED > right
      ? ""
      : text([under, ruler + 38], `trained on ${trained} letters`, "", "start"));
  return { markup: names + there.map(one).join("") + dots + arcs + ask, there, here: here ? x(here) : left };
}
