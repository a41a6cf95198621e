"""What recorded runs say about statements of papers: which belong to which, and how far means may differ.

The models are small, with one layer or two, and trained on few tokens; what is found holds for them. A run
belongs to a statement by its setting, not by its outcome: `BELONGS` says which, and all are in one CSV.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from wavebook import experiments
from wavebook.claims.finding import Part, aside, differs, digits
from wavebook.experiments import cliff, further
from wavebook.experiments.counts import Counted
from wavebook.experiments.setting import Setting

#: The two learning rates of each trial; nothing is chosen by its results.
RATES = (0.03, 0.01)
RANDOM = "RoPE, random positions"
HALF = "RoPE, half of each head"
#: What marks the runs of the first experiment, some of which the second one trained again with ten seeds.
AGAIN = "five seeds"
_TASKS = ("back", "last", "near")


@dataclass(frozen=True)
class Tested:
    """One trial and how it was tested: `asked` is what was done to the model, "" for nothing."""

    setting: Setting
    rate: float
    asked: str
    counted: Counted

    @property
    def beyond(self) -> float:
        """The accuracy from twice the trained length on, or from that length if tests end at twice of it."""
        return float(self.counted.over(*_far(self.setting)).mean())

    @property
    def within(self) -> float:
        """The accuracy within the trained length."""
        return float(self.counted.over(0, self.setting.trained).mean())

    @property
    def name(self) -> str:
        """The trial and what was done, as its file of arrays has it."""
        return ": ".join(filter(None, (self.asked, f"{self.setting.name}, rate={self.rate}")))


def _far(setting: Setting) -> tuple[int, int]:
    start = 2 * setting.trained
    return (start if start < setting.tested else setting.trained), setting.tested


@cache
def all_tested() -> tuple[Tested, ...]:
    """All recorded trials of the three experiments that were tested at each position."""
    first = [Tested(run.setting, run.rate, AGAIN, run) for run in experiments.load().runs.values()]
    second = [Tested(run.setting, run.trial.rate, "", run) for run in cliff.load().runs.values()]
    third = [
        Tested(job.setting, job.rate, "" if answer == "tested" else answer, counted)
        for job in further.load().jobs.values()
        for answer, counted in job.counted.items()
    ]
    return (*first, *second, *third)


def _but(setting: Setting, *fields: str) -> dict[str, Any]:
    return {key: value for key, value in vars(setting).items() if key not in (*fields, "tested")}


def _is_based(one: Tested) -> bool:
    """RoPE that says the token three back, at any base and trained length, and usual otherwise."""
    usual = Setting("back", "RoPE")
    return one.asked in ("", AGAIN) and _but(one.setting, "base", "trained") == _but(usual, "base", "trained")


def _is_dropped(one: Tested) -> bool:
    two = all(getattr(one.setting, key) == value for key, value in further.TWO_LAYERS.items())
    return one.asked.startswith(("dropped", "with RoPE")) or (two and one.setting.encoding == "none")


#: Of each statement that recorded runs say something about: the runs that belong to it, without those that
#: they are compared with.
BELONGS: dict[str, Callable[[Tested], bool]] = {
    "P-14": _is_based,
    "P-15": _is_dropped,
    "P-18": lambda one: one.asked in ("float32", "bfloat16"),
    "P-40": lambda one: one.setting.encoding == "PoPE",
    "P-41": _is_based,
    "P-42": lambda one: one.setting.encoding == RANDOM,
    "P-43": lambda one: (
        (one.setting.encoding == HALF and one.setting.task in _TASKS)
        or (one.setting.encoding == "RoPE" and one.setting.pairs != "all")
    ),
}


def belonging(statement: str) -> list[Tested]:
    """The recorded runs that belong to a statement.

    >>> {one.setting.task for one in belonging("P-40")} == {"back", "last", "near"}
    True
    """
    return [one for one in all_tested() if BELONGS[statement](one)]


def plain(one: Tested, **changes: Any) -> Tested | None:
    """The run of RoPE like another: in its experiment (the first has one rate an encoding), or the second."""
    wanted = _but(one.setting.changed(encoding="RoPE", **changes))
    like = [
        other for other in all_tested() if _but(other.setting) == wanted and other.asked in (one.asked, "")
    ]
    like.sort(key=lambda other: other.asked != one.asked)
    return next((other for other in like if other.rate == one.rate or other.asked == AGAIN), None)


@cache
def rerun() -> float:
    """How far a mean moved, at most, when the same seeds were trained twice: from twice that length on.

    The first experiment trained five seeds of some trials that the second trained again, among ten in a
    larger batch, which rounds otherwise.

    >>> 0.1 < rerun() < 0.2
    True
    """
    again = [
        (one, other)
        for one in all_tested()
        for other in all_tested()
        if (one.asked, other.asked) == (AGAIN, "")
        and (one.rate, _but(one.setting)) == (other.rate, _but(other.setting))
    ]
    return max(
        abs(one.beyond - float(other.counted.over(*_far(one.setting))[: one.counted.counts.shape[1]].mean()))
        for one, other in again
    )


def gain(name: str, first: Tested, second: Tested) -> Part:
    """How much more the first run has beyond the trained length; no part for what a rerun can shift."""
    return differs(name, first.beyond, second.beyond, beyond=rerun())


def run_of(task: str, encoding: str, *, rate: float = 0.03, asked: str = "", **changes: Any) -> Tested:
    """One of the recorded runs.

    >>> run_of("back", "RoPE").setting.base
    10000.0
    """
    wanted = _but(Setting(task, encoding, **changes))
    for one in all_tested():
        if (one.asked, one.rate, _but(one.setting)) == (asked, rate, wanted):
            return one
    raise ValueError(f"there is no run {Setting(task, encoding, **changes).name!r} at rate {rate}")


def tell(name: str, value: float) -> Part:
    """A value for the sentence and the CSV."""
    return aside(name, digits(value))


def _with_plain(runs: Iterable[Tested]) -> list[Tested]:
    """Runs, and before them those of RoPE that they are compared with."""
    found: list[Tested] = []
    for one in runs:
        for each in (plain(one, pairs="all") if one.asked in ("", AGAIN) else None, one):
            if each is not None and each not in found:
                found.append(each)
    return found


def list_shown() -> list[Tested]:
    """The runs of the CSV: of statements, those they are compared with, and learned tables made longer."""
    runs = [one for statement in BELONGS for one in belonging(statement)]
    learned = [
        one for one in all_tested() if one.setting.encoding == "learned" and one.asked not in ("", AGAIN)
    ]
    return _with_plain([*runs, *learned])


def to_csv() -> str:
    """The runs as CSV, a line for each seed: statements, accuracy within the trained length and beyond."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "statements", "seed", "within", "from", "beyond"])
    for one in list_shown():
        statements = " ".join(key for key, belongs in BELONGS.items() if belongs(one))
        start, stop = _far(one.setting)
        pairs = zip(one.counted.over(0, one.setting.trained), one.counted.over(start, stop), strict=True)
        for seed, (within, beyond) in enumerate(pairs):
            writer.writerow([one.name, statements, seed, f"{within:.3f}", start, f"{beyond:.3f}"])
    return text.getvalue()
