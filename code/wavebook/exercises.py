"""Answers to exercises, judged: what is right, and what a usual wrong answer comes from.

Each task is an exercise of Part I whose answer is a number, a table or a function; data/exercises.yml has
what it asks, and what is there to begin with. `check` looks at the names that a program has set; it accepts
every right answer, whatever it was found with, and says in words what is wrong with the others. The page uses
it (`make live`), and a notebook can: ``check("ex-piano", globals())``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from posenc.distance import encoding_distance
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.rotation import shift_matrix
from wavebook import data
from wavebook.attention import look_back_weights

__all__ = ["Task", "Verdict", "check", "tasks"]


class Verdict(NamedTuple):
    """Whether an answer is right, and what there is to say about it."""

    right: bool
    words: str


@dataclass(frozen=True)
class Task:
    """An exercise with a place to type: its label, what to write, and what is there to begin with."""

    label: str
    ask: str
    start: str


class _Wrong(Exception):
    """What is wrong with an answer, in words."""


_JUDGES: dict[str, tuple[Callable[..., str], Sequence[str]]] = {}


def _judges(label: str, *names: str) -> Callable[[Callable[..., str]], None]:
    """Make a function that takes the `names` the judge of an exercise: it returns words, or raises them."""

    def register(judge: Callable[..., str]) -> None:
        _JUDGES[label] = judge, names

    return register


def tasks() -> Iterator[Task]:
    """The exercises whose answers can be checked, in the order of the chapters.

    >>> len(list(tasks())) >= 10
    True
    """
    told = data.read_yaml("exercises.yml")
    return (Task(label, **said) for label, said in told.items())


def check(label: str, names: Mapping[str, Any]) -> Verdict:
    """Judge an answer to an exercise.

    Parameters
    ----------
    label : str
        The exercise, as the book labels it.
    names : mapping
        The names that the answer has set, and others: ``globals()`` in a notebook.

    Returns
    -------
    Verdict
        `right`, and what there is to say about the answer in `words`.

    Raises
    ------
    ValueError
        If there is no such exercise.

    Examples
    --------
    >>> check("ex-piano", {"d": 318})
    Verdict(right=True, words='Twelve pairs on, the wavelength has a little more than doubled.')
    >>> check("ex-piano", {}).words
    'Set `d`: the program has not done so.'
    """
    if label not in _JUDGES:
        raise ValueError(f"label must be one of {', '.join(_JUDGES)}, not {label!r}")
    judge, wanted = _JUDGES[label]
    try:
        missing = [f"`{name}`" for name in wanted if name not in names or names[name] is ...]
        if missing:
            return Verdict(False, f"Set {' and '.join(missing)}: the program has not done so.")
        return Verdict(True, judge(*(names[name] for name in wanted)))
    except _Wrong as wrong:
        return Verdict(False, str(wrong))
    except (TypeError, ValueError) as error:
        told = " and ".join(f"`{name}`" for name in wanted)
        return Verdict(False, f"{told}: that is not of the kind that is asked for ({error}).")


# ---- what answers are made of ----


def _real(value: object) -> Any:
    """An array of floating-point numbers; of complex ones, if they are real."""
    found = np.asarray(value)
    return np.asarray(found.real if np.iscomplexobj(found) and not found.imag.any() else value, dtype=float)


def _number(value: object, name: str) -> float:
    """An answer that must be a number."""
    if callable(value):
        raise _Wrong(f"`{name}` is a function; it has to be its value.")
    if value is None or value is ...:
        raise _Wrong(f"`{name}` has no value yet: it is `{'None' if value is None else '...'}`.")
    try:
        found = _real(value)
    except (TypeError, ValueError):
        raise _Wrong(f"`{name}` has to be a number, and is {_short(value)}.") from None
    if found.size != 1:
        raise _Wrong(f"`{name}` has to be one number, and has {found.size} entries.")
    number = float(found.reshape(()))
    if not math.isfinite(number):
        raise _Wrong(
            f"`{name}` is {number}: somewhere the program divides by zero or leaves the range of numbers."
        )
    return number


def _whole(value: object, name: str) -> int:
    """An answer that must be a whole number, but for rounding."""
    number = _number(value, name)
    if not math.isclose(number, round(number), rel_tol=1e-9, abs_tol=1e-9):
        raise _Wrong(f"`{name}` has to be a whole number, and is {number:.10g}.")
    return round(number)


def _table(value: object, name: str, shape: tuple[int, ...]) -> Any:
    """An answer that must be a table of numbers of this shape."""
    try:
        found = _real(value)
    except (TypeError, ValueError):
        raise _Wrong(f"`{name}` has to hold numbers, and is {_short(value)}.") from None
    if len(shape) == 1 and found.size == shape[0]:
        found = found.ravel()  # a row or a column of a table
    if found.shape != shape:
        raise _Wrong(f"`{name}` has the shape {found.shape}, and needs {shape}.")
    if not np.isfinite(found).all():
        raise _Wrong(f"`{name}` has entries that are no finite numbers.")
    return found


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _call(function: object, name: str, *arguments: Any) -> Any:
    """What a function of the reader's returns."""
    if not callable(function):
        raise _Wrong(f"`{name}` has to be a function, and is {_short(function)}.")
    try:
        return function(*arguments)
    except Exception as error:
        told = ", ".join(_short(each) for each in arguments)
        raise _Wrong(f"`{name}({told})` stops with {type(error).__name__}: {error}") from None


def _near(found: float, right: float, relative: float = 1e-6) -> bool:
    return math.isclose(found, right, rel_tol=relative)


# ---- chapter 1 ----


@_judges("ex-order-count", "sentences", "told_apart")
def _(sentences: object, told_apart: object) -> str:
    orders, seen = _whole(sentences, "sentences"), _whole(told_apart, "told_apart")
    if orders == math.factorial(5):
        raise _Wrong(
            "That counts the orders of five different tokens. Swap the two copies of *the*: is it "
            "another sentence?"
        )
    if orders in (5, 25, 5**5, 4**5):
        raise _Wrong(
            "Each token is used as often as in the sentence, so the second place has fewer choices than "
            "the first."
        )
    if orders == math.factorial(4):
        raise _Wrong("That is the number of orders of four tokens. There are five, of which two are alike.")
    if orders != math.factorial(5) // 2:
        raise _Wrong(
            "`sentences` is not it: count the orders of five different tokens, and then how often each "
            "sentence occurs among them."
        )
    if seen == orders:
        raise _Wrong(
            "The number of sentences is right. But bare attention gives each token the same output in "
            "all of them: does it tell any apart?"
        )
    if seen not in (0, 1):
        raise _Wrong(
            "The number of sentences is right; `told_apart` is not. All of them are the same tokens in "
            "another order."
        )
    return "All of these sentences are one bag of tokens to attention, so it tells none of them apart."


@_judges("ex-order-ruler", "last")
def _(last: object) -> str:
    found = _whole(last, "last")
    kept = [f"{1 / (p + 1):.3e}" for p in range(10_000)]
    right = next(p for p in range(9_999) if kept[p] == kept[p + 1])
    if found < 0:
        raise _Wrong("Positions begin at 0.")
    if found == right + 1:
        raise _Wrong(
            "Nearly: this position has the signal of the one before it. The last one that differs comes "
            "just before."
        )
    decimals = [f"{1 / (p + 1):.4f}" for p in range(10_000)]
    if abs(found - next(p for p in range(9_999) if decimals[p] == decimals[p + 1])) <= 1:
        raise _Wrong(
            "That keeps four digits after the point. Four *significant* digits are more: `0.001234` has four."
        )
    if found in (1_000, 10_000, 9_999, 999):
        raise _Wrong(
            "That is the right size for one end of the range. Let the program find the first position "
            "where two signals agree."
        )
    if found < right:
        raise _Wrong(
            f"The signals of positions {found} and {found + 1} still differ, so there is a later one. Look "
            "for the first `p` with `signal(p) == signal(p + 1)`."
        )
    if found > right:
        raise _Wrong(
            f"Two neighbors before position {found} share a signal already. Look for the first `p` with "
            "`signal(p) == signal(p + 1)`."
        )
    return "From here on, neighbors begin to share a signal."


# ---- chapter 2 ----


@_judges("ex-dial", "bottom", "top", "leftmost")
def _(*answers: object) -> str:
    names = ("bottom", "top", "leftmost")
    found = [_whole(value, name) for value, name in zip(answers, names, strict=True)]
    sine, cosine = positional_encoding(np.arange(1, 7), 2).T
    right = [1 + int(cosine.argmin()), 1 + int(cosine.argmax()), 1 + int(sine.argmin())]
    if found[:2] == right[1::-1]:
        raise _Wrong("Bottom and top are exchanged: position 0 is at the top, where the cosine is 1.")
    if found[0] == 1 + int(sine.argmin()):
        raise _Wrong(
            "`bottom` is where the cosine is smallest. You have the smallest sine there: the dial's "
            "height is the cosine."
        )
    if found[2] == 4:
        raise _Wrong(
            "`leftmost`: three quarters of a turn are between four and five. Which of them is nearer to it?"
        )
    if found[2] == 1 + int(sine.argmax()):
        raise _Wrong("`leftmost` is where the sine is smallest, near −1. You have the largest.")
    wrong = [f"`{name}`" for name, one, other in zip(names, found, right, strict=True) if one != other]
    if wrong:
        raise _Wrong(
            f"Not yet: {' and '.join(wrong)}. A position is its own angle in radians; half a turn is a "
            "little more than 3."
        )
    return "Half a turn is a little more than 3, a whole one a little more than 6."


@_judges("ex-quarter", "forward", "either")
def _(forward: object, either: object) -> str:
    found = _whole(forward, "forward"), _whole(either, "either")
    misses = {k: abs(math.remainder(k - math.pi / 2, 2 * math.pi)) for k in range(-100, 101)}
    right = min(range(1, 101), key=misses.__getitem__), min(misses, key=misses.__getitem__)
    opposite = {k: abs(math.remainder(k + math.pi / 2, 2 * math.pi)) for k in range(-100, 101)}
    if found[0] == min(range(1, 101), key=opposite.__getitem__):
        raise _Wrong(
            "That is a quarter turn the other way, with sin k = −1. Compare the signs in the matrix."
        )
    degrees = {k: abs(math.remainder(k - 90, 360)) for k in range(-100, 101)}
    if found[0] == min(range(1, 101), key=degrees.__getitem__):
        raise _Wrong("That is in degrees. A position is an angle in radians.")
    if found[0] == 2:
        raise _Wrong("2 is near to a quarter turn, but later turns come nearer: add whole turns to π/2.")
    if found[0] == found[1] and found[0] == right[0]:
        raise _Wrong(
            "`forward` is right. Going backwards there is one that is nearer still: look at the negative "
            "numbers."
        )
    if found[0] != right[0]:
        raise _Wrong(
            "`forward` is not the nearest: compare how far each `k` is from π/2 plus a whole number of turns."
        )
    if found[1] != right[1]:
        raise _Wrong("`forward` is right, `either` is not: include the negative numbers.")
    return "A step backwards is about three times as good as the best step forwards."


@_judges("ex-gaps", "different_gaps")
def _(different_gaps: object) -> str:
    def count(n: int, around: bool = True) -> int:
        marks = np.sort(np.arange(n) % (2 * np.pi))
        gaps = np.diff(np.append(marks, 2 * np.pi) if around else marks)
        return len(np.unique(gaps.round(9)))

    sizes = (13, 2, 7, 8, 20, 44, 45, 100)
    found = [_whole(_call(different_gaps, "different_gaps", n), "different_gaps(n)") for n in sizes]
    if found == list(map(count, sizes)):
        return "At most three at each of the sizes tried: that is the three-gap theorem."
    if found == [count(n, around=False) for n in sizes]:
        raise _Wrong("The gap from the last mark over the top to the first is missing.")
    if any(one > 3 for one in found):
        n, one = next((n, one) for n, one in zip(sizes, found, strict=True) if one > 3)
        reason = (
            "gaps that differ by rounding only were counted as different: round them"
            if one < n
            else "that is the number of gaps, and not of *different* ones"
        )
        raise _Wrong(f"`different_gaps({n})` is {one}. Perhaps {reason}.")
    n = next(n for n, one in zip(sizes, found, strict=True) if one != count(n))
    raise _Wrong(
        f"`different_gaps({n})` is {found[sizes.index(n)]}, and should be {count(n)}. Are the marks "
        "sorted, and taken modulo a whole turn, `2 * np.pi`?"
    )


# ---- chapter 3 ----


@_judges("ex-four-wavelengths", "at_10000", "at_16")
def _(at_10000: object, at_16: object) -> str:
    for value, name, base in ((at_10000, "at_10000", 10_000), (at_16, "at_16", 16)):
        if isinstance(value, list | tuple) and ... in value:
            raise _Wrong(f"`{name}` is not complete: put numbers in the place of the three points.")
        found, right = _table(value, name, (4,)), base ** (np.arange(4) / 4)
        if np.allclose(found, right * 2 * np.pi, rtol=1e-2):
            raise _Wrong(f"`{name}`: these are the wavelengths themselves. In units of 2π the first is 1.")
        if np.allclose(found, right[::-1]):
            raise _Wrong(f"`{name}`: the numbers are right, and in reverse. The first pair turns fastest.")
        if np.allclose(found, 1 / right):
            raise _Wrong(f"`{name}`: these are the frequencies. A wavelength is 2π over its frequency.")
        if np.allclose(found, base ** (np.arange(4) / 8)):
            raise _Wrong(f"`{name}`: the exponent is 2i/d, and not i/d.")
        if np.allclose(found, base ** (np.arange(4) / 2)):
            raise _Wrong(f"`{name}`: the exponent is 2i/d, and not 4i/d. With four pairs that is i/4.")
        if np.allclose(found, base ** (np.arange(4) / 3)):
            raise _Wrong(
                f"`{name}`: the last one is not the base itself. The ratio is the fourth root of the "
                "base, as there are four pairs."
            )
        if not np.allclose(found, right):
            raise _Wrong(f"`{name}`: each wavelength is the one before it times the fourth root of {base:,}.")
    return "The ratio is the fourth root of the base: ten, and two."


@_judges("ex-write-shift", "T")
def _(T: object) -> str:
    found, right = _table(T, "T", (4, 4)), shift_matrix(3, 4)
    if np.allclose(found, right, atol=1e-9):
        return "In T(−3) the sines change their signs, which gives the transpose."
    if not found.any():
        raise _Wrong("All entries of `T` are zero: put in the two blocks.")
    if np.allclose(found, right.T):
        raise _Wrong(
            "This is T(−3), or T(3) for pairs (cos, sin): the signs of the sines are exchanged. Here a pair "
            "is (sin, cos), so the plus sign is in the upper row."
        )
    order = [0, 2, 1, 3]
    if np.allclose(found, right[np.ix_(order, order)]):
        raise _Wrong(
            "This is for encodings with all sines first. Here sine and cosine of a pair are neighbors, "
            "so the blocks lie on the diagonal."
        )
    if np.allclose(found, right, rtol=0, atol=0.006):
        raise _Wrong("Right, but for rounding: let `np.sin` and `np.cos` compute the entries.")
    if np.allclose(found, np.eye(4)):
        raise _Wrong("This is T(0), which leaves each position where it is.")
    if np.allclose(found[:2, :2], right[:2, :2]) and not np.allclose(found[2:, 2:], right[2:, 2:]):
        if np.allclose(found[2:, 2:], right[:2, :2]):
            raise _Wrong("The second block turns by its own angle: its frequency is 1/100, so it is 0.03.")
        if np.allclose(found[2:, 2:], shift_matrix(3e-4, 2)):
            raise _Wrong(
                "The second frequency is b^(−2i/d) with i = 1 and d = 4: the square root of 1/10,000."
            )
        raise _Wrong(
            "The first block is right; the second is not. Its angle is 3 times the second frequency, 1/100."
        )
    if np.allclose(found[:2, :2], shift_matrix(math.radians(3), 2)):
        raise _Wrong("The angles are in degrees here. `np.sin` and positions are in radians.")
    if found[:2, 2:].any() or found[2:, :2].any():
        raise _Wrong("A pair moves by itself: the upper right and lower left quarters of the table are zero.")
    raise _Wrong(
        "Write the angle addition formulas for sin(ω(p + 3)) and cos(ω(p + 3)), with ω = 1: their "
        "coefficients are the first block."
    )


@_judges("ex-in-step", "in_step")
def _(in_step: object) -> str:
    for d in (128, 512, 64):
        found = _number(_call(in_step, "in_step", d), f"in_step({d})")
        fast, slow = frequencies(d)[:2]
        right = 2 * math.pi / (fast - slow)
        if _near(found, right, 1e-3):
            continue
        if abs(found - right) < 1 and found == round(found):
            raise _Wrong("Nearly: leave out the rounding. The hands are in step between two integers.")
        if _near(-found, right, 1e-3):
            raise _Wrong("The sign is not right: pair 0 is the faster one, so its frequency is the larger.")
        if _near(found, math.pi / (fast - slow), 1e-3):
            raise _Wrong(
                "That is where the two hands are opposite: the faster one has gained half a turn. They "
                "are in step after a whole one."
            )
        if _near(found, 1 / (fast - slow), 1e-3):
            raise _Wrong("A whole turn is 2π radians, not 1.")
        first, second = wavelengths(d)[:2]
        if _near(found, first, 1e-3) or _near(found, second, 1e-3):
            raise _Wrong("After that many positions one hand is back at its start, but not the other.")
        if _near(found, first * second, 1e-3):
            raise _Wrong(
                "After that many positions neither hand is back at its start in general. Ask how much "
                "the faster one gains in each step."
            )
        if _near(found, second - first, 1e-3) or _near(found, 2 * math.pi * (fast - slow), 1e-3):
            raise _Wrong(
                "The gain in each step is the difference of the frequencies; a turn has to be divided by it."
            )
        if _near(found, 2 * math.pi / (1 - 10_000 ** (-1 / d)), 1e-3):
            raise _Wrong("The exponent of the second frequency is −2/d, and not −1/d.")
        raise _Wrong(
            f"`in_step({d})` is {found:g}. The faster hand gains ω₀ − ω₁ with each position: when has it "
            "gained a whole turn?"
        )
    return "The gain in each step is 1 − b^(−2/d), and a whole turn is divided by it."


# ---- chapter 4 ----


@_judges("ex-u-corner", "in_the_corner")
def _(in_the_corner: object) -> str:
    single = isinstance(in_the_corner, str) or (
        isinstance(in_the_corner, np.ndarray) and not in_the_corner.ndim
    )
    given = list(in_the_corner) if isinstance(in_the_corner, Iterable) and not single else [in_the_corner]
    if any(d is ... for d in given):
        raise _Wrong("Put numbers in the place of the three points; the list may have any length.")
    found = {_whole(d, "in_the_corner") for d in given}
    sizes = [2**n for n in range(1, 10)]
    right = {d for d in sizes if int(encoding_distance(np.arange(50), d).argmax()) == 49}
    if found == right:
        return "At each smaller d of these, the fast hands together are on their way back in the last step."
    if found == set(sizes):
        raise _Wrong(
            "Not for all of them: a distance that grows at first need not grow to the end. Compare "
            "differences below 49 too."
        )
    if not found:
        raise _Wrong("There is one. Does `np.arange(50)` include the difference 49?")
    if not found <= set(sizes):
        raise _Wrong(f"{min(found - set(sizes))} is none of the d that the exercise names.")
    extra = found - right
    if extra:
        d = min(extra)
        raise _Wrong(
            f"At d = {d} the largest distance is at a difference of "
            f"{int(encoding_distance(np.arange(50), d).argmax())}, and not in the corner."
        )
    raise _Wrong("One is missing: look at each d for the difference with the largest distance.")


@_judges("ex-u-read", "read")
def _(read: object) -> str:
    positions = [0, 1, 2, 3, 6, 7, 44, 100, 628, 1_000, 4_999, 5_000, 9_998, 9_999]
    positions += [int(p) for p in np.random.default_rng(0).integers(0, 10_000, 100)]
    wrong = []
    for p in positions:
        found = _call(read, "read", positional_encoding(p, 16))
        if found is None or found is ...:
            raise _Wrong("`read` returns nothing yet.")
        number = _number(found, "read(encoding)")
        if abs(number - p) > 1e-3:
            wrong.append((p, number))
        elif number != round(number):
            raise _Wrong(f"`read` gives {number:.6f} for position {p}: round it to an integer.")
    if not wrong:
        return "Each hand corrects the one before it by less than half a turn."
    p, number = wrong[0]
    if len(wrong) > len(positions) / 2 and all(number < 7 for _, number in wrong):
        raise _Wrong(
            f"For position {p} it gives {number:g}: the fastest hand alone knows p only up to whole "
            "turns. Begin with the slowest."
        )
    if all(abs(number - p) < 10 for p, number in wrong):
        raise _Wrong(
            f"Nearly: for position {p} it gives {number:g}. Let the faster hands correct the estimate, "
            "down to the first."
        )
    if len(wrong) < len(positions) / 2:
        raise _Wrong(
            f"Right for some, but for position {p} it gives {number:g}. An angle from `arctan2` is "
            "between −π and π: take differences of angles to the nearest turn."
        )
    raise _Wrong(
        f"For position {p} it gives {number:g}. The slowest hand gives a rough position, its angle modulo "
        "2π over its frequency."
    )


# ---- chapter 5 ----


@_judges("ex-head", "in_100", "in_1000")
def _(in_100: object, in_1000: object) -> str:
    found = _whole(in_100, "in_100"), _whole(in_1000, "in_1000")
    right = tuple(int((wavelengths(8) <= n).sum()) for n in (100, 1000))
    if found == tuple(4 - n for n in right):
        raise _Wrong("These are the pairs that do *not* complete a turn.")
    if found == (3, 4):
        raise _Wrong("The wavelengths are 2π times 1, 10, 100 and 1000: 2π times 100 is more than 100.")
    if found == tuple(2 * n for n in right):
        raise _Wrong("Those are entries. A pair, sine and cosine, is one hand.")
    if found == (int(100 / (2 * math.pi)), int(1000 / (2 * math.pi))):
        raise _Wrong("So many turns the first hand completes. Count the pairs that complete at least one.")
    if found != right:
        raise _Wrong("Compare 2π times 1, 10, 100 and 1000 with the number of positions.")
    return "The first wavelength is 2π, and each is ten times the one before."


@_judges("ex-piano", "d")
def _(d: object) -> str:
    found = _number(d, "d")
    exact = 24 * math.log2(10_000)
    right = 2 * round(exact / 2)
    if abs(found - right) < 1e-6:
        return "Twelve pairs on, the wavelength has a little more than doubled."
    if abs(found - exact) < 1.01:
        raise _Wrong("The equation is solved. What is asked for is the nearest *even* number.")
    if abs(found - exact) < 5:
        raise _Wrong("Near, but another even number is nearer to the solution.")
    if abs(found - exact / 2) < 2:
        raise _Wrong("That is the number of pairs, for twelve of them to the octave; d is twice as much.")
    if abs(found - 24 * math.log10(10_000)) < 2 or abs(found - 24 * math.log(10_000)) < 2:
        raise _Wrong("An octave is a factor of two, so the logarithm is to the base 2.")
    raise _Wrong("Twelve pairs have to double the wavelength: 10,000^(2 · 12 / d) = 2. Solve for d.")


@_judges("ex-exact-end", "base")
def _(base: object) -> str:
    found = _number(base, "base")
    if found <= 1:
        raise _Wrong("The base has to be larger than 1: the wavelengths grow with it.")
    last = 2 * math.pi * found ** (126 / 128)
    if _near(last, 200_000):
        return "Put the last index, 63, into the formula of the wavelengths, and solve."
    if _near(found, 200_000 / (2 * math.pi), 1e-4):
        raise _Wrong(
            "With that base the wavelength *after* the last would be 200,000. The last exponent is "
            "126/128, and not 1."
        )
    if _near(found, 200_000 ** (128 / 126), 1e-4) or _near(found, 200_000, 1e-4):
        raise _Wrong("The wavelengths have a factor 2π, which the base has not: divide by it first.")
    if _near(found, (200_000 / (2 * math.pi)) ** (126 / 128), 1e-4):
        raise _Wrong("The exponent is upside down: from b^(126/128) to b it takes the power 128/126.")
    if _near(last, 200_000, 1e-3):
        raise _Wrong(
            f"The last wavelength is {last:,.1f}: near, but not exactly. Let the program compute the "
            "base, without rounding it."
        )
    raise _Wrong(
        f"With that base the last wavelength is {last:,.0f}. Set 2π · b^(126/128) equal to 200,000 and "
        "solve for b."
    )


@_judges("ex-idle", "base")
def _(base: object) -> str:
    found = _number(base, "base")
    right = (4096 / (2 * math.pi)) ** 2
    if found <= 1:
        raise _Wrong("The base has to be larger than 1: the wavelengths grow with it.")
    if _near(found, right, 1e-3):
        return "It is the square, because the length has to be in the middle of the logarithmic axis."
    if _near(found, 4096 / (2 * math.pi), 1e-3):
        raise _Wrong(
            "At that base the *longest* wavelength is about n, and almost all hands complete a turn. "
            "Half of the logarithm is needed: square it."
        )
    if _near(found, 4096**2, 1e-3):
        raise _Wrong("The first wavelength is 2π, and not 1: divide n by it.")
    if _near(found, 4096**2 / (2 * math.pi), 1e-3):
        raise _Wrong("Nearly: the 2π is squared as well. Halfway is ln 2π + ½ ln b.")
    if _near(found, 2 * 4096 / (2 * math.pi), 1e-3):
        raise _Wrong("Half of the *logarithm*, so the base is squared and not doubled.")
    idle = float((wavelengths(4096, found) > 4096).mean())
    raise _Wrong(
        f"With that base {100 * idle:.0f} % of the hands do not complete a turn, at a large d. Where is n on "
        "the logarithmic axis from 2π to 2πb?"
    )


# ---- chapter 6 ----


@_judges("ex-transformer-temperature", "largest")
def _(largest: object) -> str:
    found = _number(largest, "largest")

    def weight(temperature: float) -> float:
        return float(look_back_weights(40, 3, 64, temperature, 512)[37])

    if found <= 0:
        raise _Wrong("A temperature is larger than zero.")
    low, high = 0.001, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if weight(middle) > 0.9 else (low, middle)
    if abs(found - low) <= 0.00051:
        return "The remark was cautious: it allows for more rivals near the target than there are."
    if weight(found) < 0.9:
        raise _Wrong(
            f"At that temperature the weight is {100 * weight(found):.1f} %, less than 90 %. It falls as the "
            "temperature rises."
        )
    raise _Wrong(
        f"At that temperature the weight is {100 * weight(found):.1f} %: more than needed, so a larger one "
        "will do, or more digits."
    )
