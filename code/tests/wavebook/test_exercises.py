"""The checks of answers: each accepts what is right, however it is found, and explains usual wrong ones."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from harness import REPOSITORY, numbered_parts

from wavebook import exercises

#: An answer to each exercise, found in another way than the check finds it.
RIGHT = {
    "ex-order-count": [
        "sentences = 60; told_apart = 0",
        "from itertools import permutations\nsentences = len(set(permutations('the dog bit the "
        "man'.split())))\n"
        "told_apart = True",
        "from fractions import Fraction\nsentences = 5 * Fraction(12)\ntold_apart = np.array([0])",
        "sentences = 59.99999999999999; told_apart = 0 + 0j",
    ],
    "ex-order-ruler": [
        "from decimal import Context, Decimal\ndef s(p): return Context(prec=4).divide(Decimal(1), "
        "Decimal(p + 1))\n"
        "last = 0\nwhile s(last + 1) != s(last): last += 1",
    ],
    "ex-dial": ["bottom, top, leftmost = 3, 6, 5", "bottom, top, leftmost = np.array([3]), 6.0, np.int64(5)"],
    "ex-quarter": [
        "def miss(k): return abs(np.exp(1j * k) - 1j)\nforward = min(range(1, 101), key=miss)\n"
        "either = min(range(-100, 101), key=miss)",
    ],
    "ex-gaps": [
        "def different_gaps(n):\n    z = sorted(p % (2 * np.pi) for p in range(n))\n"
        "    return len({round((b - a) % (2 * np.pi), 8) for a, b in zip(z, z[1:] + z[:1])})",
    ],
    "ex-four-wavelengths": [
        "at_10000 = [1, 10, 100, 1000]; at_16 = (1, 2, 4, 8)",
        "at_10000 = np.logspace(0, 3, 4); at_16 = np.array([1, 2, 4, 8.0])",
        "at_10000 = np.logspace(0, 3, 4)[:, None]; at_16 = [[1, 2, 4, 8]]",
    ],
    "ex-write-shift": [
        "s, c, u, v = np.sin(3), np.cos(3), np.sin(0.03), np.cos(0.03)\n"
        "T = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, v, u], [0, 0, -u, v]]",
    ],
    "ex-in-step": ["in_step = lambda d: 2 * np.pi / (1 - 1e4 ** (-2 / d))"],
    "ex-u-corner": [
        "in_the_corner = [512]",
        "in_the_corner = {512}",
        "in_the_corner = 512",
        "in_the_corner = np.array(512.0)",
        "in_the_corner = (d for d in [512])",
        "in_the_corner = frozenset([np.int64(512)])",
    ],
    "ex-u-read": [
        "def read(encoding):\n    p = 0\n    omega = 1e4 ** (-np.arange(8) / 8)\n"
        "    for w, z in list(zip(omega, encoding[1::2] + 1j * encoding[0::2]))[::-1]:\n"
        "        turn = np.angle(z * np.exp(-1j * w * p))\n"
        "        p = p + (turn % (2 * np.pi) if w == omega[-1] else turn) / w\n    return int(np.rint(p))",
    ],
    "ex-head": ["in_100, in_1000 = 2, 3"],
    "ex-piano": ["d = 318", "d = 2 * round(12 * np.log2(1e4))", "d = 317.99999999999994"],
    "ex-exact-end": ["base = (1e5 / np.pi) ** (64 / 63)"],
    "ex-idle": ["base = (4096 / 2 / np.pi) ** 2", "base = 424972", "base = 425_000"],
    "ex-transformer-temperature": ["largest = 0.{digits}"],
}

#: Programs that are wrong in a usual way, and a part of what must be said.
WRONG = {
    "ex-order-count": [
        ("sentences = 120; told_apart = 0", "two copies"),
        ("sentences = 5 ** 5; told_apart = 0", "fewer choices"),
        ("sentences = 24; told_apart = 0", "four tokens"),
        ("sentences = 60; told_apart = 60", "same output"),
        ("sentences = 61; told_apart = 0", "is not it"),
        ("sentences = 60", "Set `told_apart`"),
        ("sentences = ...; told_apart = ...", "Set `sentences` and `told_apart`"),
        ("sentences = 'sixty'; told_apart = 0", "has to be a number"),
        ("sentences = 60.5; told_apart = 0", "whole number"),
        ("sentences = 60; told_apart = None", "no value yet"),
    ],
    "ex-order-ruler": [
        ("last = next(p for p in range(9999) if s(p) == s(p + 1)) + 1", "Nearly"),
        (
            "last = next(p for p in range(9999) if round(1 / (p + 1), 4) == round(1 / (p + 2), 4))",
            "significant",
        ),
        ("last = 1000", "right size"),
        ("last = 77", "77 and 78"),
        ("last = 5000", "before position 5000"),
        ("last = -1", "begin at 0"),
    ],
    "ex-dial": [
        ("bottom, top, leftmost = 6, 3, 5", "exchanged"),
        ("bottom, top, leftmost = 5, 2, 5", "cosine"),
        ("bottom, top, leftmost = 3, 6, 4", "three quarters"),
        ("bottom, top, leftmost = 3, 6, 2", "largest"),
        ("bottom, top, leftmost = 3, 1, 5", "`top`"),
    ],
    "ex-quarter": [
        ("forward, either = 11, -11", "other way"),
        ("forward, either = 90, 90", "degrees"),
        ("forward, either = 2, 2", "later turns"),
        ("forward, either = {forward}, {forward}", "backwards"),
        ("forward, either = {forward}, 5", "negative"),
        ("forward, either = 60, 5", "not the nearest"),
    ],
    "ex-gaps": [
        (
            "def different_gaps(n):\n    m = np.sort(np.arange(n) % (2 * np.pi))\n"
            "    return len(np.unique(np.diff(m).round(9)))",
            "missing",
        ),
        ("def different_gaps(n): return n", "number of gaps"),
        (
            "def different_gaps(n):\n    m = np.sort(np.angle(np.exp(1j * np.arange(n))))\n"
            "    return len(set(np.diff(np.append(m, m[0] + 2 * np.pi))))",
            "rounding",
        ),
        ("def different_gaps(n): return 2", "modulo"),
        ("def different_gaps(n): return ...", "no value yet"),
        ("def different_gaps(n): return 1 / 0", "ZeroDivisionError"),
        ("different_gaps = 3", "function"),
    ],
    "ex-four-wavelengths": [
        ("at_10000 = 2 * np.pi * 10.0 ** np.arange(4); at_16 = 2.0 ** np.arange(4)", "themselves"),
        ("at_10000 = [1000, 100, 10, 1]; at_16 = [8, 4, 2, 1]", "reverse"),
        ("at_10000 = [1, .1, .01, .001]; at_16 = [1, 2, 4, 8]", "frequencies"),
        ("at_10000 = [1e4 ** (i / 8) for i in range(4)]; at_16 = [1, 2, 4, 8]", "2i/d"),
        ("at_10000 = [1, 10, 100, 1000]; at_16 = [16 ** (i / 3) for i in range(4)]", "base itself"),
        ("at_10000 = [1, 10, 100]; at_16 = [1, 2, 4, 8]", "shape"),
        ("at_10000 = [1, ...]; at_16 = [1, ...]", "not complete"),
        ("at_10000 = [1, 10, 100, 1000]; at_16 = [1, 4, 16, 64]", "4i/d"),
        ("at_10000 = [1, 10, 100, 1001]; at_16 = [1, 2, 4, 8]", "fourth root"),
    ],
    "ex-write-shift": [
        ("T = np.zeros((4, 4))", "zero"),
        ("T = right.T", "T(−3)"),
        ("T = right[np.ix_([0, 2, 1, 3], [0, 2, 1, 3])]", "all sines first"),
        ("T = np.kron(np.eye(2), right[:2, :2])", "own angle"),
        (
            "T = right.copy(); T[2:, 2:] = [[np.cos(3e-4), np.sin(3e-4)], [-np.sin(3e-4), np.cos(3e-4)]]",
            "square root",
        ),
        (
            "a = np.radians(3); T = right * 0; T[:2, :2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]",
            "degrees",
        ),
        ("T = np.ones((4, 4))", "by itself"),
        ("T = np.eye(3)", "shape"),
        ("T = np.round(right, 2)", "rounding"),
        ("T = np.eye(4)", "T(0)"),
        ("T = np.full((4, 4), np.nan)", "finite"),
        ("T = np.diag([1, 2, 3, 4])", "addition"),
    ],
    "ex-in-step": [
        ("in_step = lambda d: np.pi / (1 - 1e4 ** (-2 / d))", "opposite"),
        ("in_step = lambda d: 1 / (1 - 1e4 ** (-2 / d))", "2π radians"),
        ("in_step = lambda d: 4 * np.pi ** 2 * 1e4 ** (2 / d)", "gains in each step"),
        ("in_step = lambda d: 2 * np.pi * (1e4 ** (2 / d) - 1)", "difference of the frequencies"),
        ("in_step = lambda d: 2 * np.pi / (1 - 1e4 ** (-1 / d))", "−1/d"),
        ("in_step = lambda d: 5", "`in_step(128)` is 5"),
        ("in_step = lambda d: None", "no value yet"),
        ("in_step = lambda d: np.ceil(2 * np.pi / (1 - 1e4 ** (-2 / d)))", "leave out the rounding"),
        ("in_step = lambda d: 2 * np.pi / (1e4 ** (-2 / d) - 1)", "sign"),
        ("in_step = lambda d: 2 * np.pi * 1e4 ** (2 / d)", "one hand"),
        ("in_step = 46.9", "has to be a function, and is 46.9"),
    ],
    "ex-u-corner": [
        ("in_the_corner = [2, 4, 8, 16, 32, 64, 128, 256, 512]", "Not for all"),
        ("in_the_corner = []", "There is one"),
        ("in_the_corner = [1024]", "1024"),
        ("in_the_corner = [256, 512]", "d = 256"),
        ("in_the_corner = [...]", "three points"),
        ("in_the_corner = print", "is a function"),
        ("in_the_corner = [512.5]", "whole number"),
        ("in_the_corner = None", "no value yet"),
    ],
    "ex-u-read": [
        ("def read(e): return round(np.arctan2(e[0], e[1]) % (2 * np.pi))", "fastest"),
        ("def read(e): return ...", "nothing"),
        (
            "def read(e): return round(np.arctan2(e[-2], e[-1]) % (2 * np.pi) * 1e4 ** (14 / 16) / 5) * 5",
            "Nearly",
        ),
        ("def read(e): return 5000", "slowest"),
        ("def read(e): return round(np.arctan2(e[-2], e[-1]) * 1e4 ** (14 / 16))", "Right for some"),
        ("def read(e): return e[100]", "IndexError"),
    ],
    "ex-head": [
        ("in_100, in_1000 = 2, 1", "not"),
        ("in_100, in_1000 = 3, 4", "more than 100"),
        ("in_100, in_1000 = 4, 6", "entries"),
        ("in_100, in_1000 = 0, 0", "Compare"),
        ("in_100, in_1000 = 15, 159", "turns"),
    ],
    "ex-piano": [
        ("d = 24 * np.log2(1e4)", "*even*"),
        ("d = 319", "*even*"),
        ("d = 160", "number of pairs"),
        ("d = 96", "base 2"),
        ("d = 12", "Solve for d"),
        ("d = 320", "nearer"),
        ("d = lambda: 318", "function"),
    ],
    "ex-exact-end": [
        ("base = 200_000 / (2 * np.pi)", "*after* the last"),
        ("base = 200_000 ** (128 / 126)", "factor 2π"),
        ("base = 200_000", "factor 2π"),
        ("base = (200_000 / (2 * np.pi)) ** (126 / 128)", "upside down"),
        ("base = 37_530", "not exactly"),
        ("base = 10_000", "solve for b"),
        ("base = 0.5", "larger than 1"),
        ("base = np.inf", "divides by zero"),
        ("base = [1, 2]", "one number"),
    ],
    "ex-idle": [
        ("base = 4096 / (2 * np.pi)", "square it"),
        ("base = 4096 ** 2", "2π, and not 1"),
        ("base = 4096 ** 2 / (2 * np.pi)", "squared as well"),
        ("base = 4096 / np.pi", "not doubled"),
        ("base = 10_000", "do not complete"),
        ("base = 1", "larger than 1"),
    ],
    "ex-transformer-temperature": [
        ("largest = 2", "less than 90"),
        ("largest = 0.01", "more than needed"),
        ("largest = 0", "larger than zero"),
    ],
}


def temperature() -> float:
    """The largest temperature, from the scores themselves: the similarities at distances from the target."""
    omega = 10_000.0 ** (-2 * np.arange(256) / 512)
    scores = np.cos(np.outer(np.arange(64) - 37, omega)).sum(axis=1) / math.sqrt(512)
    gaps = np.delete(scores[37] - scores, 37)
    low, high = 1e-3, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 / (1 + np.exp(-gaps / middle).sum()) > 0.9 else (low, middle)
    return low


def judged(label: str, program: str) -> exercises.Verdict:
    names: dict = {"np": np}
    if label == "ex-order-ruler":
        names["s"] = lambda p: f"{1 / (p + 1):.3e}"
    if label == "ex-write-shift":
        exec(RIGHT[label][0], names)
        names["right"] = np.array(names.pop("T"))
    forward = min(range(1, 101), key=lambda k: abs(np.exp(1j * k) - 1j))
    program = program.replace("{forward}", str(forward))
    program = program.replace("0.{digits}", f"{temperature():.3f}")
    exec(program, names)
    return exercises.check(label, names)


@pytest.mark.parametrize(
    ("label", "program"), [(label, program) for label, programs in RIGHT.items() for program in programs]
)
def test_what_is_right_is_accepted(label, program):
    verdict = judged(label, program)
    assert verdict.right, verdict.words
    assert verdict.words.endswith(".")


@pytest.mark.parametrize(
    ("label", "program", "told"),
    [(label, program, told) for label, programs in WRONG.items() for program, told in programs],
)
def test_what_is_wrong_is_explained(label, program, told):
    verdict = judged(label, program)
    assert not verdict.right
    assert told in verdict.words


def test_every_task_has_answers_and_an_exercise_in_part_one():
    tasks = list(exercises.tasks())
    labels = [task.label for task in tasks]
    for name, answers in (("RIGHT", RIGHT), ("WRONG", WRONG)):
        assert list(answers) == labels, (
            f"{name} in this file must have, in the order of wavebook.exercises, an entry for each task: "
            f"add {[label for label in labels if label not in answers]}, "
            f"take away {[label for label in answers if label not in labels]}"
        )
    assert len(tasks) >= 10
    part = "\n".join((REPOSITORY / f"{name}.md").read_text(encoding="utf-8") for name in numbered_parts()[0])
    places = [part.index(f":label: {task.label}\n") for task in tasks]
    assert places == sorted(places)
    for task in tasks:
        assert len(re.findall("`", task.ask)) % 2 == 0
        assert not judged(task.label, task.start).right, "what is there to begin with is no answer"


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match=r"label must be one of ex-order-count, .*not 'ex-none'"):
        exercises.check("ex-none", {})
