"""Predictions: questions that an explorer asks first, and answers by letting it happen.

A chapter gives one to any explorer; the truth is computed, and so is what happens::

    Clock(
        position=0,
        prediction=ask.choice(
            "The position grows by one. How many of the four hands turn by a degree or more?",
            {1: "one", 2: "two", 4: "all four"},
            truth=int((np.degrees(frequencies(8)) >= 1).sum()),
            because="Each hand turns ten times less than the one before it.",
            tempting={4: "All four do turn, but two of them too little to see."},
            acts=[{"position": 1, "seconds": 1.5}],
        ),
    )

The reader is told "You said all four. All four do turn, ... Two. Each hand ...". So each option stands alone,
and so does ``because``: both get capital and period here. In all texts ``*d*`` is set in italics.

The four kinds share these arguments:

question : str
    A full sentence that ends in a question mark.
truth
    The right answer; of a place it is ``right``. Compute it.
because : str
    The reason: a sentence, which comes after the answer.
tempting : mapping, optional
    A sentence on why one may think so, for some of the wrong options; for a number or a curve, for one
    that is (on average) too "low" or too "high"; for a place, one text for all others.
hides : sequence of str
    What gives the answer away, and is not drawn yet: "numbers", "colors", or parts of the explorer.
acts : sequence of mappings
    What happens on answering, in steps, as README.md beside this file says.

Each raises a ValueError if the truth is not among the answers, or a text or a part is not as it must be.
"""

from __future__ import annotations

import html
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from posenc.arguments import check_choice

#: What any explorer can leave out while the question is open; its class may name more.
PARTS = ("colors", "numbers")
#: What an act's step can have besides values of traits.
RESERVED = ("seconds", "pause", "show", "even")
#: In seconds: how long all the steps of an act may take together.
SHORTEST, LONGEST = 1.0, 3.0

#: Values of traits, and of the keys above.
Step = Mapping[str, Any]


def typeset(told: Any) -> Any:
    r"""Texts, in lists and mappings too, with a curved apostrophe, and no line break before a percent sign.

    The pages' own text has both from Sphinx.

    >>> typeset({"say": ["It doesn't", "79 %"]})
    {'say': ['It doesn’t', '79\xa0%']}
    """
    if isinstance(told, str):
        return re.sub(r"(?<=\w)'", "\N{RIGHT SINGLE QUOTATION MARK}", told).replace(
            " %", "\N{NO-BREAK SPACE}%"
        )
    if isinstance(told, Mapping):
        return {key: typeset(value) for key, value in told.items()}
    return [typeset(value) for value in told] if isinstance(told, (list, tuple)) else told


class Prediction(dict[str, Any]):
    """A question as the explorer's JavaScript reads it, made by one of the functions below."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(typeset(told))

    def then(self, words: str) -> Prediction:
        """Say, below the answer, what the reader may try now that the figure is theirs: a full sentence.

        >>> asked = choice("Which?", ["a", "b"], truth="a", because="so", acts=[{"pause": 1}])
        >>> asked.then("Move it.")["then"]
        'Move it.'
        """
        if not words.endswith("."):
            raise ValueError(f"words must be a sentence, got {words!r}")
        return Prediction(self | {"then": words})

    def meanwhile(self, traits: Sequence[str], words: str) -> Prediction:
        """Let some traits of the explorer move while the question is open, and say so: a full sentence.

        >>> asked = choice("Which?", ["a", "b"], truth="a", because="so", acts=[{"pause": 1}])
        >>> asked.meanwhile(["position"], "You can turn it.")["free"]
        ['position']
        """
        if not words.endswith("."):
            raise ValueError(f"words must be a sentence, got {words!r}")
        return Prediction(self | {"free": list(traits), "meanwhile": words})

    def plainly(self, words: str, numbers: str = "") -> Prediction:
        """Tell the answer in words of its own, in place of answer and reason, and in gray the numbers.

        >>> asked = choice("Which?", ["a", "b"], truth="a", because="so", acts=[{"pause": 1}])
        >>> asked.plainly("Of all letters, the first.", "Measured.")["plainly"]
        'Of all letters, the first.'
        """
        if not words.endswith((".", "!", "?")):
            raise ValueError(f"words must be a sentence, got {words!r}")
        gray = f' <span class="muted">{_rich(numbers)}</span>' if numbers else ""
        head = self["printed"].partition("<p><strong>Answer.</strong>")[0]
        printed = f"{head}<p><strong>Answer.</strong> {_rich(words)}{gray}</p></div>"
        return Prediction(self | {"plainly": words, "figures": numbers, "printed": printed})


def choice(
    question: str,
    options: Sequence[str] | Mapping[Any, str],
    *,
    truth: Any,
    because: str,
    tempting: Mapping[Any, str] | None = None,
    acts: Sequence[Step],
    hides: Sequence[str] = ("numbers",),
) -> Prediction:
    """Ask for one of a few answers.

    Parameters
    ----------
    options : sequence of str, or mapping of values to str
        Two or more answers.
    truth : object
        The right one: a key of the mapping, or a text of the sequence. Compute it.

    Examples
    --------
    >>> choice("Which hand is fastest?", ["the first", "the last"], truth="the first",
    ...        because="its frequency is 1", acts=[{"position": 1, "seconds": 1}])["answer"]
    'the first'
    """
    offered = dict(options) if isinstance(options, Mapping) else {text: text for text in options}
    if len(offered) < 2 or len(set(offered.values())) < len(offered):
        raise ValueError(f"options must be two or more different texts, got {list(offered.values())}")
    check_choice(truth, "truth", offered)
    lures = dict(tempting or {})
    if unknown := [key for key in lures if key not in offered or key == truth]:
        raise ValueError(f"tempting must speak of wrong options, got {', '.join(map(repr, unknown))}")
    own = {
        "kind": "choice",
        "options": [{"text": text, "tempting": lures.get(key, "")} for key, text in offered.items()],
    }
    return _ask(question, offered[truth], because, (hides, acts), own, list(offered.values()))


def number(
    question: str,
    *,
    truth: float,
    low: float,
    high: float,
    because: str,
    step: float = 1,
    log: bool = False,
    start: float | None = None,
    unit: str = "",
    digits: int = 3,
    near: float = 0.1,
    tempting: Mapping[str, str] | None = None,
    acts: Sequence[Step],
    hides: Sequence[str] = ("numbers",),
) -> Prediction:
    """Ask for a number, which the reader sets with a slider.

    Parameters
    ----------
    truth : float
        The answer. Compute it.
    low, high, step : float
        The slider; with ``log=True`` the step is one of log10.
    log : bool
        Whether the slider is logarithmic.
    start : float, optional
        Where the slider begins; by default in its middle.
    unit : str
        What follows the number: "positions", "%".
    digits : int
        How many significant digits of the truth are told.
    near : float
        How far a guess may be off and still count as close: a fraction of the slider's length, or if ``log``
        of the truth, which the guess may be greater by, or the truth greater than the guess.

    Examples
    --------
    >>> number("How far?", truth=1234.5, low=1, high=1e4, log=True, step=0.01, unit="positions",
    ...        because="it is so", acts=[{"offset": 1234, "seconds": 1}])["answer"]
    '1,230 positions'
    """
    if not (low < high and low <= truth <= high and (low > 0 or not log) and step > 0):
        raise ValueError(
            f"truth must be between low and high, log needs low > 0, step must be positive;"
            f" got truth {truth!r}, low {low!r}, high {high!r}, log {log!r}, step {step!r}"
        )
    middle = math.sqrt(low * high) if log else low + round((high - low) / 2 / step) * step
    begin = middle if start is None else start
    if not low <= begin <= high:
        raise ValueError(f"start must be from {low:g} to {high:g}, got {start!r}")
    lures = dict(tempting or {})
    if lures.keys() - {"low", "high"}:
        raise ValueError(f"tempting must have low and high alone, got {', '.join(map(repr, lures))}")
    own = {
        "kind": "number",
        "slider": {"min": low, "max": high, "step": step, "log": log, "start": begin},
        "unit": _space(unit) + unit,
        "near": [truth / (1 + near), truth * (1 + near)]
        if log
        else [truth - near * (high - low), truth + near * (high - low)],
        "tempting": {"low": lures.get("low", ""), "high": lures.get("high", "")},
    }
    shown = f"{float(f'{truth:.{digits}g}'):,.10g}".replace("-", "\N{MINUS SIGN}")
    return _ask(question, f"{shown}{_space(unit)}{unit}", because, (hides, acts), own, [])


def place(
    question: str,
    *,
    traits: Mapping[str, str],
    right: Sequence[Sequence[float]],
    answer: str,
    because: str,
    tempting: str = "",
    acts: Sequence[Step],
    hides: Sequence[str] = ("colors", "numbers"),
) -> Prediction:
    """Ask for a place in the picture, to which the reader moves what is marked there.

    Parameters
    ----------
    traits : mapping of str to str
        The explorer's traits that give the place, and what each is called.
    right : sequence of sequences of float
        The places that are right, one value for each trait. Compute them.
    answer : str
        What they have in common, in a few words.

    Examples
    --------
    >>> place("Where is the middle?", traits={"p": "*p*"}, right=[[5]], answer="at 5",
    ...       because="it is half of 10", acts=[{"p": 5, "seconds": 1}])["right"]
    [[5]]
    """
    places = [list(values) for values in right]
    if not places or any(len(values) != len(traits) for values in places):
        raise ValueError(f"right must be places, a value for each of {', '.join(traits)}, got {places!r}")
    own = {"kind": "place", "traits": list(traits), "names": list(traits.values()), "right": places}
    return _ask(question, answer, because, (hides, acts), own | {"tempting": tempting}, [])


def curve(
    question: str,
    *,
    truth: Sequence[Sequence[float]],
    places: Sequence[float],
    names: tuple[str, str],
    low: float,
    high: float,
    answer: str,
    because: str,
    step: float = 1,
    log: bool = False,
    start: float | None = None,
    near: float = 0.1,
    tempting: Mapping[str, str] | None = None,
    acts: Sequence[Step] = ({"show": "truth", "seconds": 1.5, "even": True},),
    hides: Sequence[str] = ("numbers",),
) -> Prediction:
    """Ask for a curve, which the reader sketches with a pointer, or by moving its handles with keys.

    Parameters
    ----------
    truth : sequence of pairs of floats
        The curve, as points (x, y) in increasing x, evenly spaced on its axis: the sketch's gap is the mean
        over them. Compute it.
    places : sequence of floats
        Where the handles are, in increasing order; the first and the last are the ends of the axis.
    names : tuple of two str
        What the two axes are called, across and up.
    low, high, step : float
        The heights that the handles can have.
    answer : str
        The curve in words.
    log : bool
        Whether the axis across is logarithmic.
    start : float, optional
        The height at which the handles begin; by default in the middle.
    near : float
        How large the mean gap may be and still count as close: a fraction of the axis's height.

    Examples
    --------
    >>> asked = curve("How does it rise?", truth=[(0, 0), (1, 1), (2, 4)], places=[0, 2], low=0, high=8,
    ...               names=("time", "way"), answer="a square", because="the speed grows")
    >>> asked["places"], asked["truth"], asked["start"], asked["near"]
    ([0.0, 2.0], [[0.0, 0.0], [1.0, 1.0], [2.0, 4.0]], 4, 0.8)
    """
    handles, points = [float(place) for place in places], [[float(x), float(y)] for x, y in truth]
    across = [x for x, _ in points]
    for name, values in (("places", handles), ("truth", across)):
        if len(values) < 2 or any(b <= a for a, b in itertools.pairwise(values)):
            raise ValueError(f"{name} must be two or more that increase, got {values!r:.60}")
    if (across[0], across[-1]) != (handles[0], handles[-1]) or (log and handles[0] <= 0):
        raise ValueError(
            f"truth must go from the first place to the last, and log needs places > 0; got"
            f" {across[0]:g} to {across[-1]:g} for places from {handles[0]:g} to {handles[-1]:g}, log {log!r}"
        )
    begin = low + round((high - low) / 2 / step) * step if start is None else start
    if not all(low <= y <= high for y in (begin, *(y for _, y in points))):
        raise ValueError(f"truth and start must be from {low:g} to {high:g}")
    lures = dict(tempting or {})
    if lures.keys() - {"low", "high"}:
        raise ValueError(f"tempting must have low and high alone, got {', '.join(map(repr, lures))}")
    own = {
        "kind": "curve",
        "places": handles,
        "log": log,
        "slider": {"min": low, "max": high, "step": step},
        "start": begin,
        "names": list(names),
        "truth": [[float(f"{x:.9g}"), float(f"{y:.4g}")] for x, y in points],
        "near": near * (high - low),
        "tempting": {"low": lures.get("low", ""), "high": lures.get("high", "")},
    }
    return _ask(question, answer, because, ([*hides, "truth"], acts), own, [])


def _space(unit: str) -> str:
    return " " if unit and unit != "°" else ""


def _ask(
    question: str,
    answer: str,
    because: str,
    happens: tuple[Sequence[str], Sequence[Step]],
    own: dict[str, Any],
    options: list[str],
) -> Prediction:
    """What all kinds share, with the text for paper and for readers without JavaScript."""
    if not question.strip().endswith("?"):
        raise ValueError(f"question must end in a question mark, got {question!r}")
    hides, steps = list(happens[0]), [_step(step) for step in happens[1]]
    if not SHORTEST <= (total := sum(step["seconds"] for step in steps)) <= LONGEST:
        raise ValueError(f"acts must take from {SHORTEST:g} to {LONGEST:g} seconds, got {total:g}")
    if unknown := [name for step in steps for name in step["show"] if name not in hides]:
        raise ValueError(f"acts must show what the question hides, got {', '.join(map(repr, unknown))}")
    told, reason = _sentence(answer), _sentence(because)
    offered = f"<p>{'; '.join(map(_rich, options))}?</p>" if options else ""
    printed = (
        f'<div class="prediction-printed"><p><strong>Question.</strong> {_rich(question)}</p>{offered}'
        f"<p><strong>Answer.</strong> {_rich(told)} {_rich(reason)}</p></div>"
    )
    shared = {
        "question": question,
        "answer": answer,
        "told": told,
        "because": reason,
        "hides": hides,
        "acts": steps,
    }
    return Prediction(own | shared | {"printed": printed})


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _step(step: Step) -> dict[str, Any]:
    """A step as the explorers' script reads it: what is set at once, what glides, and how long that takes."""
    times = [step[key] for key in ("seconds", "pause") if key in step]
    if len(times) != 1 or not times[0] > 0:
        raise ValueError(f"a step must have either seconds or a pause, more than 0, got {dict(step)!r}")
    holds = "pause" in step
    at_once: dict[str, Any] = {}
    gliding: dict[str, Any] = {}
    for trait, value in step.items():
        if trait in RESERVED:
            continue
        if isinstance(value, (list, tuple)):
            at_once[trait], gliding[trait] = value
        else:
            (at_once if holds or not isinstance(value, (int, float)) else gliding)[trait] = value
    if holds and gliding:
        raise ValueError(f"a step that pauses must set values, not go between two, got {dict(step)!r}")
    show = step.get("show", ())
    return {
        "set": at_once,
        "to": gliding,
        "show": [show] if isinstance(show, str) else list(show),
        "seconds": float(times[0]),
        "holds": holds,
        "even": bool(step.get("even", False)),
    }


def _rich(text: str) -> str:
    """Turn a text into HTML: ``*x*`` is a variable, ``_k`` a subscript, as in the explorers' labels."""
    marked = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html.escape(text, quote=False))
    return re.sub(r"_(\w)", r"<sub>\1</sub>", marked)
