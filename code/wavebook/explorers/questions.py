"""The predictions that the book asks for: each computes its own answer.

A chapter hands one to its explorer::

    Machine(position=0, d_model=8, prediction=questions.hands(8))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module

import numpy as np

from posenc.context import ntk_aware, unseen_pairs
from posenc.distance import encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.rope import apply_rope
from posenc.rotation import shift_matrix
from wavebook.attention import look_back_weights, score_terms, self_attention
from wavebook.choices import fraction_never_turning, harmonic, linear, octave
from wavebook.examples import (
    ARROWS,
    ATTEMPTS,
    DIGITS,
    SAME,
    SENTENCE,
    SIGNS,
    arrangement,
    contents,
    word_vectors,
)
from wavebook.explorers import ask
from wavebook.explorers.circle_waves import near_returns
from wavebook.explorers.clock import COUNTS
from wavebook.explorers.machine import PATCHES
from wavebook.explorers.slips import HEAD, LONGEST, shows_from
from wavebook.explorers.trained_angles import TrainedAngles
from wavebook.recurrence import root_encoding
from wavebook.say import in_a_row
from wavebook.torus import windings

_BASE = 10_000
#: A question about what was trained -> its explorer's module, where it is: to import that reads the records.
_TRAINED = {
    "where_it_goes": "all_heads",
    "where_now": "cliff",
    "why_there": "cliff",
    "why_wrong": "riddle",
    "never_round": "model_clock",
    "why_not_saved": "votes",
    "where_it_turns_alike": "trained_head",
}


def __getattr__(name: str) -> object:
    """Import a question about what was trained when it is first asked for (PEP 562)."""
    if name not in _TRAINED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"wavebook.explorers.{_TRAINED[name]}"), name)
    return value


def _along(d_model: int, length: int) -> str:
    """Where a sequence's length is among the wavelengths, as a clause."""
    first, *_, last = wavelengths(d_model, _BASE)
    way = math.log(length / first) / math.log(last / first)
    return f"from {first:.2f} to {last:,.0f}, and {length} is {100 * way:.0f} % of the way"


def more_hands(d_model: int) -> ask.Prediction:
    """Where the new hands come in when there are twice as many: for ``Clock``."""
    before, after = frequencies(d_model, _BASE), frequencies(2 * d_model, _BASE)
    new = [omega for omega in after if not np.isclose(omega, before).any()]
    slower = sum(omega < before[-1] for omega in new)
    truth = "between" if slower < len(new) / 2 else "after"
    return ask.choice(
        f"Twice the width: {d_model // 2} hands become {d_model}. Where do the new hands come in?",
        {
            "before": "before the first, each faster than the one before it",
            "between": "between the old ones, and the last one after them",
            "after": "after the last, each slower than the one before it",
        },
        truth=truth,
        because=f"the first hand is as fast as ever and the base {_BASE:,} bounds the slowest: more hands"
        " divide the same range more finely",
        tempting={
            "before": "The first hand turns by one radian for each position, at any width.",
            "after": "Only the last does: the base bounds how slow a hand can be.",
        },
        acts=[{"pause": 0.3}, {"d_model": 2 * d_model, "pause": 1.2}],
    )


def swap() -> ask.Prediction:
    """What attention notices when two tokens trade places: for ``Shuffle``."""
    tokens, traded = word_vectors(8), 21  # the number of that order
    order = arrangement(traded)
    before, after = self_attention(tokens)[0][2], self_attention(tokens[order])[0][order.index(2)]
    return ask.choice(
        "If *dog* and *man* trade places, what happens to the output of *bit*?",
        {
            "other": "quite different",
            "little": "a little different",
            "same": "exactly what it was",
        },
        truth="same" if np.allclose(before, after, atol=1e-12) else "other",
        because="without an encoding, attention compares *bit* with the same tokens as before and adds up"
        " the same terms, and their order makes no difference to a sum",
        tempting={
            "little": "It would be, if attention could tell that a neighbor has changed.",
            "other": "The meaning of the sentence has changed, but attention is not told.",
        },
        acts=[{"pause": 0.4}, {"order": traded, "pause": 1.1}],
    ).then("Now switch the encoding on, and look at *dog*; or drag a word.")


def outputs_of_a_trade() -> ask.Prediction:
    """How many outputs change when two tokens trade places, without an encoding: for ``Shuffle``."""
    tokens, traded = word_vectors(8), 21  # the number of that order
    order = arrangement(traded)
    before, after = self_attention(tokens)[0], self_attention(tokens[order])[0]
    kept = sum(np.allclose(after[place], before[token], atol=1e-12) for place, token in enumerate(order))
    places = positional_encoding(np.arange(5), 8)
    before, after = self_attention(tokens + places)[0], self_attention(tokens[order] + places)[0]
    marked = sum(np.allclose(after[place], before[token], atol=1e-12) for place, token in enumerate(order))
    with_places = {0: "and all five outputs change"}[marked]
    return ask.choice(
        "Let *dog* and *man* trade places; nothing marks the places. What happens to the five outputs?",
        {
            5: "each goes with its token, exactly as it was",
            3: "those of *dog* and *man* change",
            0: "all five change",
        },
        truth=kept,
        because="each output is a weighted mean of the same five values, and a sum does not depend on the"
        " order of its terms",
        tempting={
            3: "They look at the same five tokens from another place, but places are not marked.",
            0: "The sentence means something else, but attention is not told.",
        },
        acts=[{"pause": 0.4}, {"order": traded, "pause": 1.1}],
    ).then(f"Now switch the encoding on, {with_places}.")


def _hands_in_words(offered: Iterable[int], count: int) -> dict[int, str]:
    """Numbers of hands, of so many in all."""
    return {n: f"all {COUNTS[n]}" if n == count else COUNTS[n] for n in offered}


def hands(d_model: int, position: float = 0) -> ask.Prediction:
    """How many hands are seen to move in one step: for ``Machine``."""
    count = d_model // 2
    degrees = np.degrees(frequencies(d_model, _BASE))
    truth = int((degrees >= 1).sum())
    slower = [f"{float(f'{turn:.2g}')}°" for turn in degrees[1:]]
    offered = sorted({1, truth, (truth + count) // 2, count} - {0})
    names = _hands_in_words(offered, count)
    lures = {
        1: "The first hand moves most, and it is not alone.",
        count: "All of them do turn, but the slowest by less than a degree.",
    }
    return ask.choice(
        f"The position grows by one. How many of the {COUNTS[count]} hands turn by a degree or more?",
        names,
        truth=truth,
        because=f"the first hand turns by one radian, {degrees[0]:.0f}°, and the others by"
        f" {in_a_row(slower)}",
        tempting={n: lure for n, lure in lures.items() if n != truth},
        hides=["numbers", "step"],
        acts=[{"position": position + 1, "show": "step", "seconds": 1.5, "even": True}],
    )


def fast_hand_is_back() -> ask.Prediction:
    """When hand 0 is first back to within a hundredth of a turn: for ``Machine(show="turns")``."""
    steps = np.arange(1, 101)
    turns = steps / math.tau
    off = np.abs(turns - np.rint(turns))
    truth = int(steps[off < 0.01][0])
    before = int(steps[off[: truth - 1].argmin()])
    near_pi = "since *π* is nearly 22/7, " if truth == 2 * 22 else ""
    return ask.number(
        "At which position is the fastest hand first back to within a hundredth of a turn?",
        truth=truth,
        low=1,
        high=100,
        start=30,
        near=0.02,
        because=f"{truth} radians are {turns[truth - 1]:.3f} turns, {near_pi}and the nearest before that is"
        f" {before}, with {turns[before - 1]:.3f}",
        tempting={
            "low": "It has come round before, but between two positions.",
            "high": "It comes that near sooner.",
        },
        hides=["numbers", "step"],
        acts=[{"position": truth, "show": "step", "seconds": 2.8, "even": True}],
    )


def pairs_that_turn(d_model: int, length: int, other_base: float) -> ask.Prediction:
    """How many more pairs complete a turn with a smaller base: for ``Heatmap``."""
    before, after = (int((wavelengths(d_model, base) <= length).sum()) for base in (_BASE, other_base))
    count = d_model // 2
    return ask.choice(
        f"At *d* = {d_model} and base {_BASE:,}, {before} of the {count} pairs go around at least once in"
        f" {length} positions."
        f" How many will with base {other_base:,}?",
        {before: f"still {before}", after: f"about twice as many, {after}", count: f"all {count}"},
        truth=after,
        because=f"on a logarithmic scale the wavelengths, from {math.tau:.2f} to"
        f" {wavelengths(d_model, other_base)[-1]:,.0f}, now cover half the range, so they are spaced twice as"
        " densely",
        tempting={
            before: f"Pair 0 does not depend on the base, but pair {count - 1} turns"
            f" {frequencies(d_model, other_base)[-1] / frequencies(d_model)[-1]:.0f} times faster.",
            count: f"The slowest pair still takes {wavelengths(d_model, other_base)[-1]:.0f} positions.",
        },
        acts=[{"base": other_base, "seconds": 2.2}],
    ).then("Now click a row or a column of the table to read it.")


def across_an_image(d_model: int) -> ask.Prediction:
    """How many hands come round from an image's first patch to its last: for ``Machine(show="image")``."""
    waves, count, last = wavelengths(d_model, _BASE), d_model // 2, PATCHES - 1
    truth = int((waves <= last).sum())
    return ask.choice(
        f"A row of an image has {PATCHES} patches, one a step. How many of these {COUNTS[count]} hands come"
        " round on the way across?",
        _hands_in_words((truth, count // 2, count), count),
        truth=truth,
        because=f"the others are too slow: the second needs {waves[truth]:.0f} steps for a turn, the last"
        f" {waves[-1]:,.0f}",
        tempting={
            count // 2: f"The hands slow down by {waves[1] / waves[0]:.1f} times from one to the next.",
            count: "In a long text they would. An image is small.",
        },
        acts=[{"position": last, "seconds": 2.5, "even": True}],
    )


def start_of_a_shift() -> ask.Prediction:
    """What of a step is the same wherever it starts: for ``CircleWaves(layer="rotation")``."""
    places = np.arange(0, 100, 0.1)
    before, after = positional_encoding(places, 2), positional_encoding(places + 3, 2)
    turned = np.allclose(before @ shift_matrix(3, 2).T, after, atol=1e-9)
    raised = np.ptp(after[:, 0] - before[:, 0]) < 1e-9
    names = {"both": "both", "angle": "the angle alone", "sine": "the change of its sine alone"}
    truth = "both" if turned and raised else "angle" if turned else "sine"
    return ask.choice(
        "The hand moves on by three positions. Which is the same wherever it starts: the angle it turns by,"
        " or the change of its sine?",
        names,
        truth=truth,
        because="the hand turns at constant speed, by one radian for each position, while its wave is steep"
        " in some places and flat in others",
        tempting={
            name: "The same move takes the sine up from some places and down from others."
            for name in names
            if name != truth
        },
        acts=[{"position": [2, 14], "seconds": 2.6, "even": True}],
    ).then("Now watch the matrix while you move *p*, and then *k*.")


def entries_that_change(d_model: int) -> ask.Prediction:
    """How many entries of T(k) change when the position does: for ``BlockShift``."""

    def rotations(p: int) -> np.ndarray:
        """What takes each pair's sine and cosine at p to those at p + 5, as complex numbers."""
        encodings = positional_encoding([p, p + 5], d_model)
        hands = encodings[:, 1::2] + 1j * encodings[:, 0::2]
        return np.asarray(hands[1] / hands[0])

    changed = 0 if np.allclose(rotations(20), rotations(21), atol=1e-12) else 2 * d_model
    return ask.choice(
        f"The matrix *T*(5) takes PE(20) to PE(25). How many of its {d_model**2} entries change if you want"
        " to go from PE(21) to PE(26) instead?",
        {0: "none", 2 * d_model: f"the {2 * d_model} in the blocks", d_model**2: f"all {d_model**2}"},
        truth=changed,
        because="both moves turn each hand by the same angle, and these angles are all that the matrix holds",
        tempting={
            2 * d_model: "Only the blocks could change, but they hold the angles of the move, not its start.",
            d_model**2: "The entries outside the blocks are zero for every move.",
        },
        acts=[{"position": [20, 21], "seconds": 1.5}],
    ).then("Now move *k* instead: the matrix changes, and the first column does not.")


def turned_back(d_model: int, offset: int) -> ask.Prediction:
    """What becomes of the eigenvalues if the shift is undone: for ``BlockShift``."""
    there, back = (np.sort_complex(np.linalg.eigvals(shift_matrix(k, d_model))) for k in (offset, -offset))
    return ask.choice(
        f"*T*({offset}) becomes *T*(\N{MINUS SIGN}{offset}), which undoes it."
        " What happens to its eigenvalues?",
        {
            "same": "they are the same numbers",
            "negative": "each changes its sign",
            "inside": "they move inside the circle",
        },
        truth="same" if np.allclose(there, back) else "negative",
        because="each pair of eigenvalues consists of a number and its conjugate, and undoing the turn"
        " exchanges the two",
        tempting={
            "negative": "The angles change their signs. An eigenvalue becomes its conjugate.",
            "inside": "A shift never changes a norm, in either direction.",
        },
        acts=[{"offset": -offset, "seconds": 2.4}],
    ).then("Now move *p*: the matrix stays, and so do its eigenvalues.")


def open_curve() -> ask.Prediction:
    """Which base gives a curve that never closes: for ``Torus``."""
    bases = (4, 5, 6.25, 9)
    (never,) = (base for base in bases if windings(base) is None)
    return ask.choice(
        "With *d* = 4 the hands turn at the speeds 1 and 1/\N{SQUARE ROOT}*b*. Three of these four bases give"
        " a curve that returns to its start and closes. Which one does not?",
        {base: f"{base:g}" for base in bases},
        truth=never,
        because="its root is irrational, so the two hands never complete whole turns at the same time",
        tempting={
            base: f"Its root is {math.sqrt(base):g}: after {turns} turns of the fast hand"
            f" the slow one has made {slow}, and both are back."
            for base in bases
            if (whole := windings(base))
            for turns, slow in [whole]
        },
        acts=[
            *({"base": base, "pause": 0.5} for base in sorted(bases, key=lambda base: base == never)),
            {"position": 250, "seconds": 0.9},
        ],
    ).then("Try the four bases, and read off after how many turns of each hand the curve closes.")


def double_root() -> ask.Prediction:
    """What a double root at 1 does: for ``Roots`` with a single one."""
    steps = np.diff(root_encoding([0, 1, 2, 3], 1, 0, "double")[:, 3])
    truth = "line" if np.allclose(steps, steps[0]) and steps[0] else "exponential"
    return ask.choice(
        "A root on the unit circle gives waves. Now move it to the number 1 and make it a double root."
        " What does the encoding become?",
        {
            "constant": "a constant",
            "wave": "a wave",
            "line": "a straight line",
            "exponential": "an exponential",
        },
        truth=truth,
        because="a double root multiplies its wave by *p*, and the wave of the root 1 is constant",
        tempting={
            "constant": "That is what the root 1 gives as a single root.",
            "wave": "The root 1 has the angle 0, and a wave that does not turn is a constant.",
            "exponential": "That takes a root inside or outside the circle, and 1 is on it.",
        },
        acts=[{"angle": 0, "seconds": 1.4}, {"pause": 0.3}, {"multiplicity": "double", "pause": 1}],
    ).then("Now drag the root off the circle.")


def cosine_first(d_model: int, offset: int) -> ask.Prediction:
    """What exchanging sine and cosine does to the hands: for ``BlockShift`` with another order."""
    swap = np.arange(d_model) ^ 1
    exchanged = shift_matrix(offset, d_model)[np.ix_(swap, swap)]
    turns_back = np.allclose(exchanged, shift_matrix(-offset, d_model))
    return ask.choice(
        "Some programs put the cosine of each pair first and the sine second."
        " What does that do to the hands?",
        {
            "back": "they turn the other way",
            "same": "nothing, it only renames the axes",
            "start": "they start elsewhere and turn the same way",
        },
        truth="back" if turns_back else "same",
        because="exchanging the two axes reflects the dial, and in a mirror a clock runs backward",
        tempting={
            "same": "Renaming the axes reflects the picture, and a reflection reverses every turn.",
            "start": "They do start elsewhere, to the right, but they also turn the other way.",
        },
        acts=[{"arrangement": "cosine first", "pause": 1}, {"position": 24, "seconds": 1.8}],
    )


def first_near_return() -> ask.Prediction:
    """When one hand comes back to within a ten-thousandth: for ``CircleWaves(layer="near-return")``."""
    records = near_returns(1000)
    (steps,) = [k for k in records if encoding_distance(k, 2) < 1e-4]
    turns = round(steps / (2 * math.pi))
    return ask.choice(
        "The hand turns by one radian at a time. After how many steps does it first stop within a"
        " ten-thousandth of where it began?",
        {k: f"{k} steps" for k in records[-3:]} | {0: "never so close, however many steps it takes"},
        truth=steps,
        because=f"{steps} radians are very nearly {turns} full turns:"
        f" {Fraction(steps, 2 * turns)} is an excellent approximation of *π*",
        tempting={
            k: f"After {k} steps it is {float(encoding_distance(k, 2)):.2g} away: near, but not that near."
            for k in records[-3:]
            if k != steps
        }
        | {0: "It never comes back exactly, but it comes as near as you like."},
        acts=[{"offset": [1, steps], "show": "returns", "seconds": 2.8}],
        hides=["returns", "numbers"],
    )


def weight_of_the_target(d_model: int) -> ask.Prediction:
    """How much weight the token three back gets: for ``LookBack``."""
    weights = look_back_weights(40, 3, 64, 1, d_model)
    gap = float(similarity(0, d_model) - similarity(1, d_model)) / math.sqrt(d_model)
    return ask.number(
        f"Now the head turns the hands of every key on by three. Among 64 tokens, at *d* = {d_model}, how"
        " much of its attention does the one three positions back get?",
        truth=100 * float(weights.max()),
        low=0,
        high=100,
        start=50,
        unit="%",
        digits=2,
        near=0.04,
        because=f"the scores beside it are lower by only {gap:.3f}, and at temperature 1 the softmax leaves"
        f" each of them {100 * math.exp(-gap):.0f} % of the target's weight",
        tempting={
            "high": "The highest score alone does not decide: the softmax spreads the weight out."
            " And the axis of the scores does not begin at zero, which makes the peak look higher than it is."
        },
        acts=[{"show": "turned", "seconds": 1.5}, {"pause": 0.3}, {"show": "weights", "seconds": 1.2}],
        hides=["turned", "weights", "numbers"],
    ).then("Now turn the temperature down, then move the query; a negative *k* looks ahead.")


def none_is_back(d_model: int) -> ask.Prediction:
    """Where a head that looks three back looks from a position without such a token: for ``LookBack``."""
    weights = look_back_weights(1, 3, 64, 1, d_model)
    return ask.choice(
        "From 40 this head looks at 37 most. Now the query goes to position 1, which has no token three back."
        " Which one does it look at most?",
        {0: "the first one, at 0", 1: "itself, at 1", 63: "none: all get the same"},
        truth=int(weights.argmax()) if np.ptp(weights) > 1e-6 else 63,
        because="moved on by three, key 0 has the encoding of 3, and no other key's comes as near to that of"
        f" 1; it gets {100 * weights.max():.1f} % of the weight",
        tempting={
            1: "Moved on by three, key 1 has the encoding of 4, which is farther from that of 1.",
            63: "Weights add up to one, and the scores are not equal.",
        },
        acts=[{"position": 1, "seconds": 1.8}, {"pause": 0.5}],
        hides=["numbers"],
    ).then("Now turn the temperature down; a negative *k* looks ahead.")


def without_the_factor(d_model: int) -> ask.Prediction:
    """Which part is left of a score when the tokens are not multiplied by sqrt(d): for ``ScoreParts``."""
    encodings = positional_encoding(np.arange(len(SIGNS)), d_model)
    tokens = d_model**-0.5 * (2.0 * SIGNS[:, :d_model] - 1)  # tensor2tensor's entries, without the factor
    parts = np.abs(score_terms(tokens, encodings)[:, 24]).mean(axis=1)
    names = ("token with token", "token with position", "position with token", "position with position")
    return ask.choice(
        "Take the factor √*d* away. Which of the four parts then makes up most of the scores?",
        names,
        truth=names[int(parts.argmax())],
        because=f"its average size is {parts.max():.2f}, and that of the other three together"
        f" {parts.sum() - parts.max():.2f}: a part with one token becomes {math.sqrt(d_model):.0f} times"
        f" smaller, and the part with two of them {d_model} times",
        tempting={
            "token with token": "That part has the factor twice, so it shrinks most.",
            "token with position": "Every part with a token in it shrinks.",
            "position with token": "Every part with a token in it shrinks.",
        },
        acts=[{"pause": 0.3}, {"factor": "without", "pause": 1.2}],
    ).then("Now switch the factor on and off.")


def digits_that_change() -> ask.Prediction:
    """How many binary digits change from 31 to 32: for ``Attempts``."""
    before, after = ATTEMPTS["binary digits"](33)[[31, 32]]
    return ask.number(
        f"You write each position with {DIGITS} binary digits and use the digits as its vector."
        " How many of them change from position 31 to 32?",
        truth=int((before != after).sum()),
        low=0,
        high=DIGITS,
        start=0,
        near=0,
        because="31 is 011111 and 32 is 100000: these neighbors are as far apart as two vectors of digits"
        " can be",
        tempting={"low": "From most positions to the next, few digits change, but here one carries through."},
        acts=[{"position": 31, "pause": 0.4}, {"position": 32, "pause": 1.2}],
        hides=["steps", "numbers"],
    ).then("Now try to break the other ways to number tokens, too.")


def hand_that_counts_most() -> ask.Prediction:
    """Which of three hands moves the reading farthest when it is turned: for ``SetHands`` at position 0."""
    turn, names = 30, ("fast", "middle", "slow")
    encodings = positional_encoding(np.arange(629), 6, 1000)

    def read(hand: int) -> int:
        """The position whose encoding is nearest when one hand is turned from where position 0 has it."""
        angles = np.radians(turn) * (np.arange(3) == hand)
        setting = np.column_stack([np.sin(angles), np.cos(angles)]).ravel()
        return int(np.linalg.norm(encodings - setting, axis=1).argmin())

    reads = dict(zip(names, map(read, range(3)), strict=True))
    most = max(names, key=lambda name: reads[name])
    return ask.choice(
        f"All three hands point up: position 0. Turn one of them by {turn}°, and look for the position whose"
        " hands are nearest to yours. Which hand takes that position farthest from 0?",
        {name: f"the {name} one" for name in names},
        truth=most,
        because=f"it takes you to {reads[most]}, the other two to {reads['fast']} and {reads['middle']}:"
        " like the first digit of a number, the slow hand says about where you are, and the others say where"
        " exactly",
        tempting={"fast": "The fast hand turns that far in half a position."},
        acts=[
            {"fast": turn, "seconds": 0.5},
            {"fast": 0, "seconds": 0.3},
            {"middle": turn, "seconds": 0.6},
            {"middle": 0, "seconds": 0.3},
            {"slow": turn, "seconds": 1},
            {"show": "wanted", "seconds": 0.3},
        ],
        hides=["wanted", "numbers"],
    ).then("Now set the three hands to a position, or read a position off the hands.")


def what_parts_the_marks(d_model: int) -> ask.Prediction:
    """What tells after from before: for ``BeforeAfter``."""
    offsets = np.arange(-60, 61)

    def level(s: int, d: int) -> bool:
        scores = positional_encoding(offsets, d) @ shift_matrix(s, d) @ positional_encoding(0, d)
        return bool(np.allclose(scores, scores[::-1]))

    truth = "shift" if level(0, d_model) and level(0, 2 * d_model) and not level(5, d_model) else "offset"
    return ask.choice(
        "The two marks show the scores of a token some positions after and of one as many before."
        " What can make them differ?",
        {
            "offset": "a larger offset",
            "shift": "a matrix that shifts one of the encodings",
            "width": "more pairs, a larger *d*",
        },
        truth=truth,
        because="the similarity of two encodings depends on the distance and not on the side, at any offset"
        " and any *d*, and a shift moves its peak to one side",
        tempting={
            "offset": "Both marks then move down the curve, but the curve is its own mirror image.",
            "width": "The curve gets another shape, and it is again its own mirror image.",
        },
        acts=[
            {"offset": 30, "seconds": 0.9},
            {"offset": 5, "seconds": 0.6},
            {"shift": 5, "seconds": 1.4},
        ],
    )


def other_side(d_model: int, base: float, offset: int) -> ask.Prediction:
    """What the dot product of two encodings makes of before and after: for ``Machine(show="compare")``."""
    here, double, other = (float(similarity(k, d_model, base)) for k in (offset, 2 * offset, -offset))
    truth = "other" if math.isclose(other, here) else "double" if math.isclose(double, here) else "none"
    return ask.choice(
        f"Position *q* is {offset} after *p*, and the cosines add up to {here:.2f}."
        " Where does *q* give just the same sum?",
        {
            "double": f"{2 * offset} after *p*",
            "other": f"{offset} before *p*",
            "none": "at neither",
        },
        truth=truth,
        because="each hand turns by the same angle the other way, and a cosine doesn't notice the direction",
        tempting={
            "double": f"There the sum is {double:.2f}.".replace("-", "\N{MINUS SIGN}"),
            "none": "Look on the other side of *p*.",
        },
        acts=[
            {"offset": -30, "seconds": 0.6},
            {"offset": 30, "show": "sums", "seconds": 1.7, "even": True},
            {"offset": -offset, "seconds": 0.6},
        ],
        hides=["sums", "numbers"],
    )


def slowest_wave(d_model: int, length: int) -> ask.Prediction:
    """What is seen of the slowest pair's sine in a short stretch: for ``Sinusoids``."""
    omega = float(frequencies(d_model, _BASE)[-1])
    end = math.sin(omega * length)
    off = max(abs(math.sin(omega * p) - end * p / length) for p in range(length))
    truth = "ruler" if off < 0.001 * end else "wave"
    return ask.choice(
        f"The last pair takes {math.tau / omega:,.0f} positions for a turn. What does its sine look"
        f" like in a sequence of {length}?",
        {
            "nothing": "zero throughout",
            "ruler": "straight, rising by very little: a ruler",
            "wave": "a wave, but a low one",
        },
        truth=truth,
        because=f"it rises from 0 to {end:.3f}, straight to within a thousandth of that, since the hand turns"
        f" by only {math.degrees(omega * length):.1f}°",
        tempting={
            "nothing": "It looks like it, but it rises from each position to the next.",
            "wave": "A wave has its full height in each pair, but here there is no time for it.",
        },
        acts=[{"pair": d_model // 2 - 1, "seconds": 2.6}],
    ).then("Now slide back, and see where the waves begin.")


def quiet_tokens(d_model: int) -> ask.Prediction:
    """Which two sums are more alike when the tokens are small beside their encodings: for ``Loudness``."""
    rows = [SENTENCE.index(word) for word in SENTENCE]
    encodings = positional_encoding(np.arange(len(rows)), d_model)
    sums = d_model**-0.5 * (2.0 * SIGNS[rows, :d_model] - 1) + encodings

    def alike(q: int) -> float:
        return float(sums[0] @ sums[q] / np.linalg.norm(sums[0]) / np.linalg.norm(sums[q]))

    same, neighbors = alike(SAME), alike(1)
    return ask.choice(
        f"Without the factor √*d*, these tokens are {math.sqrt(2 / d_model):.2f} times as large as their"
        f" encodings. Which sum is then most like that of *{SENTENCE[0]}* at position 0?",
        {
            "same": f"that of the same token, *{SENTENCE[SAME]}*, at position {SAME}",
            "neighbor": f"that of another token, *{SENTENCE[1]}*, at position 1",
        },
        truth="same" if same > neighbors else "neighbor",
        because="the sums are then little more than their encodings, and those of neighbors are alike:"
        f" the cosine is {max(same, neighbors):.2f}, against {min(same, neighbors):.2f}",
        tempting={"same": "It would be, if the token were larger than its encoding."},
        acts=[{"pause": 0.5}, {"tokens": "quiet", "pause": 1.2}],
        hides=["numbers"],
    ).then("Now the third, PyTorch's default (entries of size one) with the factor: the encodings drown.")


def both_move_on() -> ask.Prediction:
    """Which score changes where a query and a key move together: for ``Rotary``."""
    query, key = (np.array(ARROWS[name]) for name in ("query", "key"))

    def turned(p: int) -> float:
        return float(apply_rope(query, p, omega=[0.3]) @ apply_rope(key, p - 7, omega=[0.3]))

    def added(p: int) -> float:
        marks = positional_encoding([p, p - 7], omega=[0.3])
        return float((query + marks[0]) @ (key + marks[1]))

    places = range(7, 101)
    changing = {
        name: not all(math.isclose(score(p), score(20)) for p in places)
        for name, score in (("turned", turned), ("added", added))
    }
    truth = next((name for name in changing if changing[name]), "neither")
    truth = "both" if all(changing.values()) else truth
    return ask.choice(
        "Query and key move on together, seven positions apart. Which score changes?",
        {
            "both": "both",
            "added": "the one with encodings added",
            "turned": "the one under RoPE",
            "neither": "neither",
        },
        truth=truth,
        because="its products of meaning with position change with the place. Under RoPE two arrows that turn"
        " together keep their angle: that score depends on the query, the key and their offset alone",
        tempting={
            "both": "Each arrow goes round and round, but the two go together.",
            "turned": "Each arrow goes round and round, but the two go together.",
            "neither": "It would be so if there were positions alone, and no meaning.",
        },
        acts=[
            {"p": 7, "q": 0, "seconds": 0.5},
            {"p": 100, "q": 93, "show": "scores", "seconds": 2, "even": True},
            {"p": 80, "q": 73, "seconds": 0.5},
        ],
        hides=["scores", "numbers"],
    ).then("Now turn an arrow, or add slower pairs.")


def key_moves_back(first: int, last: int) -> ask.Prediction:
    """How the score goes where the key alone moves back, from beside its query: for ``Rotary``."""
    omega, places = 0.3, np.arange(first, last - 1, -1)
    query, key = (np.array(ARROWS[name]) for name in ("query", "key"))
    turned = apply_rope(np.tile(key, (places.size, 1)), places, omega=[omega])
    scores = turned @ apply_rope(query, first, omega=[omega])
    steps = np.diff(scores)
    truth = "falls" if (steps < 0).all() else "stays" if np.allclose(steps, 0) else "wave"
    return ask.choice(
        "Query and key are at one position. The query stays, and the key is farther and farther back. What"
        " does the score under RoPE do?",
        {
            "falls": "it falls with every step, and stays low",
            "wave": "it falls and rises, again and again",
            "stays": "it stays as it is",
        },
        truth=truth,
        because=f"the key turns by {omega} radians with each position, so after a whole turn, about"
        f" {math.tau / omega:.0f} positions, it points where it did before",
        tempting={
            "falls": "For a part of each turn it does; then the arrow comes round.",
            "stays": "It would, if the query moved on as well.",
        },
        acts=[
            {"q": [first, last], "show": "offsets", "seconds": 2.3, "even": True},
        ],
        hides=["offsets", "numbers"],
    ).then(
        "Now turn the frequency down, and see what the score can still tell; then add a slower pair. When"
        " you move both, the plot compares RoPE with added encodings, at all positions with this offset."
    )


def shape_of_the_chord() -> ask.Prediction:
    """How the distance grows with the offset on one circle: for ``CircleWaves(layer="chord")``."""
    offsets = np.arange(0, 12.01, 0.1)
    chords = encoding_distance(offsets, 2)
    return ask.curve(
        "Two positions are *k* apart on one circle. Sketch it: how far apart are their points, as *k* grows"
        " from 0 to 12?",
        truth=list(zip(offsets, chords, strict=True)),
        places=list(range(13)),
        names=("offset *k*", "distance"),
        low=0,
        high=2.4,
        step=0.1,
        start=1.2,
        answer="it rises to 2 and falls to 0 again, in one arch after the other",
        because="half a turn, *π* ≈ 3.14 positions, leads to the other side of the circle, and a whole turn"
        " back to the start",
        tempting={"high": "No two points of a circle are farther apart than 2, its width."},
        hides=["chord", "numbers"],
        acts=[{"offset": [0, 12], "show": "truth", "seconds": 2.8, "even": True}],
    )


def nearer_than_neighbors(d_model: int) -> ask.Prediction:
    """Whether some offset up to a thousand beats neighbors: for ``ClosestPair``."""
    apart = encoding_distance(np.arange(1, 1001), d_model)
    neighbors, best = apart[0], int(apart.argmin()) + 1
    first = int((apart[1:] < neighbors).argmax()) + 2
    return ask.choice(
        f"With *d* = {d_model} there are {COUNTS[d_model // 2]} hands. Among offsets up to a thousand, is"
        " there one at which two encodings are nearer to each other than those of neighbors?",
        {True: "yes", False: "no"},
        truth=best != 1,
        because=f"at offset {first} the distance is {apart[first - 1]:.3f}, between neighbors it is"
        f" {neighbors:.3f}; the least is {apart.min():.3f}, at {best}"
        if best != 1
        else f"all others are farther apart than {neighbors:.3f}",
        tempting={False: "The fast hands can be back together before the slow ones have gone far."}
        if best != 1
        else {},
        acts=[
            {"offset": [1, first], "seconds": 0.4, "even": True},
            {"pause": 0.7},
            {"offset": best, "seconds": 1.9, "even": True},
        ]
        if best != 1
        else [{"offset": [1, 1000], "seconds": 2.8, "even": True}],
        hides=["bound", "numbers"],
    ).then("Now turn the hands until they are nearly back, and try *d* = 16.")


def never_turning(d_model: int, length: int) -> ask.Prediction:
    """How many pairs never complete a turn: for ``Wavelengths``."""
    fraction, last = fraction_never_turning(length, d_model, _BASE), wavelengths(d_model, _BASE)[-1]
    return ask.number(
        f"With *d* = {d_model} and a sequence of {length} positions, what fraction of the hands never"
        " completes a full turn?",
        truth=100 * float(fraction),
        low=0,
        high=100,
        start=20,
        unit="%",
        near=0.08,
        because="the wavelengths are spread evenly on a logarithmic axis,"
        f" {_along(d_model, length)} along it",
        tempting={
            "high": f"Most numbers up to {last:,.0f} are larger than {length},"
            " but it is the logarithms of the wavelengths that are spaced evenly.",
            "low": f"The fast hands turn many times, but the wavelengths go on to {last:,.0f}.",
        },
        acts=[{"show": "pairs", "seconds": 2.4, "even": True}],
        hides=["pairs", "numbers"],
    ).then("Now move the length, then double *d*.")


def next_quarter(d_model: int) -> ask.Prediction:
    """What the next tenfold distance leaves of the similarity: for ``DistanceLaw``."""
    ten, hundred, thousand = similarity(np.array([10, 100, 1000]), d_model) / (d_model / 2)
    assert np.allclose([ten - hundred, hundred - thousand], math.log(10, _BASE), atol=0.03)
    assert math.log(10, _BASE) == 1 / 4
    return ask.number(
        f"At *d* = {d_model}, two tokens 10 positions apart have a similarity of {ten:.2f}, where 1 means the"
        f" same position. At 100 positions it has dropped to {hundred:.2f}. What is left at 1,000?",
        truth=float(thousand),
        low=0,
        high=1,
        step=0.01,
        digits=2,
        near=0.04,
        because="each tenfold distance costs about a quarter: the encoding feels distance as you feel"
        " loudness, on a logarithmic scale",
        tempting={
            "low": "It falls more and more slowly.",
            "high": "It falls more and more slowly, but this is ten times as far.",
        },
        acts=[
            {"offset": [10, 100], "seconds": 0.9},
            {"pause": 0.3},
            {"offset": 1000, "seconds": 1.4},
        ],
        hides=["beyond", "numbers"],
    )


def same_similarity(p: int, q: int, d_model: int) -> ask.Prediction:
    """Where else two positions are as similar: for ``SimilarityMatrix``."""
    encodings = positional_encoding(np.arange(64), d_model)
    same = np.argwhere(np.isclose(encodings @ encodings.T, encodings[p] @ encodings[q], rtol=0, atol=1e-9))
    (apart,) = {abs(row - column) for row, column in same.tolist()}
    walk = 60 - max(p, q)  # along the diagonal, nearly to the edge
    return ask.place(
        f"The marker compares positions {p} and {q}. Where is the similarity exactly the same, in another"
        " row and another column?",
        traits={"p": "*p*", "q": "*q*"},
        right=[place for place in same.tolist() if place[0] != p and place[1] != q],
        answer=f"wherever two positions are {apart} apart",
        because="one rotation takes this pair of positions to that one, and a rotation leaves dot products"
        " alone",
        tempting="Both row and column had to change, and the similarity had to stay.",
        acts=[
            {"show": "colors", "seconds": 0.7},
            {"p": p, "q": q, "seconds": 0.5},
            {"p": p + walk, "q": q + walk, "seconds": 1.6},
        ],
        hides=["colors", "numbers"],
    )


def shape_of_distance(d_model: int) -> ask.Prediction:
    """How the distance goes on growing with the offset: for ``DistanceLaw``."""
    places = 10.0 ** np.arange(7)
    offsets = np.geomspace(1, places[-1], 121)
    apart = encoding_distance(offsets, d_model)
    one, thousand, level = float(apart[0]), float(apart[60]), math.sqrt(d_model)
    assert offsets[60] == 1000, "the middle of the axis"
    return ask.curve(
        f"At *d* = {d_model} and base {_BASE:,}, the encodings of neighbors are {one:.2f} apart. Sketch it:"
        " how does the distance go on, up to positions that are a million apart?",
        truth=list(zip(offsets, apart, strict=True)),
        places=places.tolist(),
        names=("offset *Δ*", "distance"),
        log=True,
        low=0,
        high=64,
        answer=f"it rises to {thousand:.1f} at a thousand, and later stays near {level:.1f}",
        because="no hand gets farther from where it was than to the other side of its dial, so"
        f" √(2*d*) = {math.sqrt(2 * d_model):.0f} bounds all distances; and where the hands may be at"
        f" any angle, the root mean square of the distance is √*d* = {level:.1f}",
        near=0.06,
        tempting={
            "high": "Counting goes on without end, but hands come round again.",
            "low": "The fast hands may be anywhere by then, and the slower ones have left their places, too.",
        },
        acts=[{"offset": [1, places[-1]], "show": "truth", "seconds": 2.6, "even": True}],
        hides=["beyond", "numbers"],
    )


def error_of_adding() -> ask.Prediction:
    """How the error of an added step depends on the place: for ``AddOrRotate``."""
    p = np.arange(10, 101)
    encodings = positional_encoding(np.arange(0, 106), 128)
    step = encodings[15] - encodings[10]
    errors = np.linalg.norm(encodings[p] + step - encodings[p + 5], axis=1)
    steadily = bool((np.diff(errors) >= 0).all())
    return ask.choice(
        "You learn at position 10 what five positions add to the encoding, and add the same vector elsewhere."
        " What does the error do as you go from position 10 to 100?",
        {True: "it grows all the way", False: "it rises at once, then wanders up and down"},
        truth=steadily,
        because="the fast hands are wrong after a few positions and right again a turn later, and the slow"
        " ones stay nearly right;"
        f" the error is largest, {errors.max():.1f}, at position {p[errors.argmax()]}",
        tempting={(not steadily): "It would, if every hand were slow."},
        acts=[{"position": [10, 100], "seconds": 2.8, "even": True}],
        hides=["beyond", "numbers"],
    )


def what_a_base_costs(d_model: int, base: float) -> ask.Prediction:
    """What a larger base leaves of the distance between neighbors: for ``BaseTrade``."""
    before, after = (float(encoding_distance(1, d_model, b)) for b in (_BASE, base))
    reach = wavelengths(d_model, base)[-1] / wavelengths(d_model, _BASE)[-1]
    left = 100 * after / before
    return ask.number(
        f"With base {base:,.0f} in place of {_BASE:,}, the longest wavelength grows {reach:.0f} times. How"
        " much is left of the distance between neighbors?",
        truth=left,
        low=0,
        high=100,
        unit="%",
        digits=2,
        near=0.06,
        because="that distance falls about as the root of the logarithm of the base grows, and from"
        f" {_BASE:,} to {base:,.0f} the logarithm becomes {math.log(base) / math.log(_BASE):g} times as"
        " large",
        tempting={"low": "The slow hands slow down by so much, but they add little to it anyway."},
        acts=[{"base": base, "seconds": 2.2}, {"show": "curves", "seconds": 0.6}],
        hides=["curves", "numbers"],
    ).then("Now drag the base along the axis.")


def farthest_neighbors(d_model: int) -> ask.Prediction:
    """Which choice of frequencies keeps neighbors farthest apart: for ``Spectra``."""
    choices = {
        "geometric": frequencies(d_model, _BASE),
        "linear": linear(d_model, _BASE),
        "harmonic": harmonic(d_model),
        "octave": octave(d_model),
    }
    apart = {name: float(encoding_distance(1, omega=omega)) for name, omega in choices.items()}
    farthest = max(apart, key=lambda name: apart[name])
    return ask.choice(
        "Which of these four choices of frequencies has its neighbors, *p* and *p* + 1, farthest apart?",
        list(apart),
        truth=farthest,
        because=f"with *d* = {d_model} its neighbors are {apart[farthest]:.2f} apart:"
        " none of the other three has as many fast hands",
        tempting={
            name: f"There they are {distance:.2f} apart."
            for name, distance in apart.items()
            if name != farthest
        },
        acts=[{"spectrum": name, "pause": 0.7} for name in sorted(choices, key=lambda name: apart[name])],
    ).then(
        f"Now look at offset {2 * math.pi / choices['harmonic'][-1]:.0f}, where the harmonic curve plunges:"
        " its slowest hand has made one turn, the others two, three and more, and all are back."
    )


def highest_far_away(aim: int) -> ask.Prediction:
    """Whether some query and key score highest at a distance: for ``ScoresByDistance``."""
    query, key = contents(_BASE)["aimed"]
    distances = np.arange(1001)
    scores = apply_rope(np.tile(query, (distances.size, 1)), distances) @ key
    return ask.choice(
        f"Under RoPE, can a query and a key score higher {aim} positions apart than at any other distance?",
        {True: "yes", False: "no"},
        truth=bool(scores.argmax() == aim),
        because=f"a key turned by the angles of {aim} positions beforehand is turned back there, in all"
        " pairs",
        tempting={
            False: "That is true of a query and a key that are alike: they score highest at distance 0."
        },
        acts=[{"pause": 0.3}, {"content": "aimed", "pause": 0.8}, {"offset": [1, aim], "seconds": 1.8}],
    ).then("ALiBi cannot be aimed: it always favors the nearer of two tokens. Now try *random*.")


def new_angles(pair: int, factor: float) -> ask.Prediction:
    """Which pairs get to angles that training never showed: for ``TrainedAngles``."""
    d_model, length = (TrainedAngles.constants[name] for name in ("d_model", "length"))
    lambdas = wavelengths(d_model)
    never = np.flatnonzero(lambdas > length)
    truth = "slow" if never[-1] == d_model // 2 - 1 and never[0] > 0 else "all"
    seen = np.degrees((length - 1) * frequencies(d_model)[pair])
    return ask.choice(
        f"In {length:,} positions of training, pair {pair} turned by {seen:.0f}°. Now the context becomes"
        f" {factor:g} times as long. Which of the {d_model // 2} pairs come to angles that training never"
        " showed?",
        {"fast": "the fast ones", "slow": "the slow ones", "all": "all of them"},
        truth=truth,
        because="a pair that completed a turn has been near every angle, and the"
        f" {never.size} slowest never did",
        tempting={
            "fast": "They turn farthest, but over angles that they have been at before.",
            "all": "All turn on, but for most of them the angles come round again.",
        },
        acts=[{"factor": [1, factor], "seconds": 2.2}],
    )


def past_training(d_model: int, factor: int, length: int) -> ask.Prediction:
    """How many pairs NTK-aware scaling takes beyond the angles of training: for ``ContextExtension``."""
    past = unseen_pairs(ntk_aware(d_model, factor), d_model, factor, length=length)
    slow = int((wavelengths(d_model) > length).sum())
    return ask.number(
        f"A head of {d_model} entries was trained on {length:,} positions and is to read {factor} times as"
        f" many. NTK-aware scaling raises the base until the slowest pair is slowed by exactly {factor}. How"
        f" many of the other {d_model // 2 - 1} pairs get to angles outside the range of training?",
        truth=past,
        low=0,
        high=d_model // 2 - 1,
        start=0,
        near=0.06,
        because=f"in training {slow} pairs never completed a turn, and all of them but the last are slowed by"
        f" less than {factor}",
        tempting={
            "low": "The slowest pair is safe, but the pairs before it are slowed by less.",
            "high": "A pair that completed a turn in training has been near every angle.",
        },
        acts=[{"factor": [1, factor], "show": "beyond", "seconds": 2.4}],
        hides=["beyond", "numbers"],
    )


def found_by_a_short_test() -> ask.Prediction:
    """Which slips a test on sixteen tokens finds: for ``Slips``."""
    found = shows_from()
    names = {
        "other layout": "the layout",
        "base forgotten": "the base",
        "d - 2": "*d* \N{MINUS SIGN} 2",
        "bfloat16 positions": "bfloat16",
        "renumbered cache": "the cache",
    }
    order = sorted(found, key=lambda slip: found[slip])
    counts = {
        1: f"{names[order[0]]} alone",
        2: f"{names[order[0]]} and {names[order[1]]}",
        4: f"all but {names[order[-1]]}",
        5: "all five",
    }
    few = sum(first <= HEAD["asked"] for first in found.values())
    late = [f"{names[slip]} from {found[slip]:,}" for slip in order[few:]]
    return ask.choice(
        "Five programs have one slip each. Your test compares all scores of a sequence of"
        f" {HEAD['asked']} tokens with those of a sound program, to {100 * HEAD['tolerance']:.0f} % of the"
        " largest. Which slips does it find?",
        counts,
        truth=few,
        because=f"the others show later: {in_a_row(late)} tokens on",
        tempting={
            1: "The base looks like a matter of long texts, but it changes fast pairs, too.",
            4: "Of the other two, one starts too small to be seen, and one is exact at small positions.",
            5: "Each of them is wrong somewhere, but three not within so few tokens.",
        },
        acts=[{"tokens": [HEAD["asked"], 0.75 * LONGEST], "show": "slips", "seconds": 2.6, "even": True}],
        hides=["slips", "numbers"],
    )
