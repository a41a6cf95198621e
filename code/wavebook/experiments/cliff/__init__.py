"""Where a trained Transformer breaks: the second experiment, position by position and seed by seed.

What was measured is data in this package, ``cliff.json`` and ``cliff.npz``, read with NumPy alone::

    recorded = cliff.load()
    run = recorded.run("back", "RoPE")                                   # geometric, three back, rate 0.03
    run = recorded.run("back", "RoPE", spectrum="difference set 8")      # N = 73
    run = recorded.run("back", "RoPE", rate=0.01, scale=0.9, back=3)     # other fields of Setting
    run.accuracy            # (seeds, positions)
    run.trained             # (seeds,): whether a seed learned the task, by TRAINED
    run.breaks              # (seeds,): first position with an accuracy below BELOW; NONE if there is none
    run.wrong               # (seeds, offsets): wrong answers beyond the trained length, token there
    run.shares              # (seeds, offsets): the same as a fraction of the wrong answers that could be
    run.origins             # (positions, offsets) or None: wrong answers of all seeds, the token there
    run.weights             # (seeds or 1, positions, offsets) or None: mean attention weight of an offset
    run.omega               # (pairs,): frequencies, radians per position
    run.score(range(128))   # (seeds, offsets): the head's score of an offset, read off W_q and W_k
    run.beats               # (seeds, offsets): how often an offset's token beats the token that is asked for
    own_head(run)           # (seeds,): where the head itself says that it breaks
    own_rival(run)          # (seeds,): the unseen offset that the head confuses most with the right one
    by_hands(run, 3)        # offsets, best first, by the three fastest frequencies alone
    two_hands(run)          # the same by the two fastest

``recorded.runs`` has all of them by name, and `tables` shows them side by side. To train again: ``make
experiment``; `plan` says what is trained, `measure` what is measured, `record` writes the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float
from wavebook.experiments.cliff.trial import Trial
from wavebook.experiments.counts import Counted
from wavebook.experiments.setting import Setting
from wavebook.experiments.stored import read

Complex = NDArray[np.complex128]

#: The rate of the chapter's figures, that of the first experiment.
RATE = 0.03
#: A seed has learned the task if it answers so much of it rightly within the trained length.
TRAINED = 0.95
#: It breaks at the first position where its accuracy is below this.
BELOW = 0.9
#: What stands for "nowhere".
NONE = -1
#: Wrong answers from which a share is formed.
ENOUGH = 20


@dataclass(frozen=True)
class Run(Counted):
    """One trial with its seeds, and what was measured."""

    trial: Trial
    #: The seeds, in the order of the first axis of what follows.
    seeds: tuple[int, ...]
    #: The program that trained it: a commit, with a plus sign if it had been changed.
    commit: str
    #: Of the processor, for training and test together.
    seconds: float
    #: Right answers and questions, of shape (2, seeds, positions).
    counts: NDArray[np.uint8]
    #: Wrong answers at positions from the trained length on that are the token at each offset. Where answers
    #: are no tokens, as in the task "near", this says nothing.
    wrong: NDArray[np.int32]
    #: Mean loss of ten steps each, in nats, of shape (steps/10, seeds).
    losses: Float
    #: For a single head with RoPE: mean query times mean conjugate key, of shape (seeds, pairs).
    head: Complex | None = None
    #: Of all triples of tokens, the query's, the rival's and the one asked for: how often the rival at each
    #: offset is another token and has the higher score, of shape (seeds, offsets).
    beats: Float | None = None
    #: Mean attention weights of the first layer: (seeds, positions, offsets), or (1, ...) if averaged.
    weights: Float | None = None
    #: Wrong answers of all seeds that are the token at an offset, of shape (positions, offsets).
    origins: NDArray[np.uint16] | None = None
    #: Queries and keys of each token before they are turned, of shape (2, seeds, tokens, pairs).
    tokens: Complex | None = None

    @property
    def setting(self) -> Setting:
        """What was trained."""
        return self.trial.setting

    @property
    def omega(self) -> Float:
        """The frequencies, in radians per position."""
        return self.setting.omega

    @property
    def trained(self) -> NDArray[np.bool_]:
        """Which seeds have learned the task: at least :data:`TRAINED` within the trained length."""
        learned: NDArray[np.bool_] = self.over(0, self.setting.trained) >= TRAINED
        return learned

    @property
    def breaks(self) -> NDArray[np.int64]:
        """For each seed the first position with an accuracy below :data:`BELOW`, or :data:`NONE`."""
        return _first(self.accuracy < BELOW)

    @property
    def mean(self) -> Float:
        """The accuracy of all seeds together by position; 1 where nothing is asked."""
        right, asked = self.counts.astype(np.int64).sum(1)
        return np.where(asked, right / np.maximum(asked, 1), 1.0)

    @property
    def mean_break(self) -> int:
        """The first position beyond the trained length with a `mean` below :data:`BELOW`, or the end."""
        low = self.mean[self.setting.trained :] < BELOW
        return self.setting.trained + int(low.argmax()) if low.any() else self.setting.tested

    @property
    def drops(self) -> NDArray[np.int64]:
        """For each seed the position before which its accuracy falls most from one position to the next."""
        first = self.accuracy[:, :-1]
        falls = np.where(np.isnan(first), -np.inf, first - self.accuracy[:, 1:])
        after: NDArray[np.int64] = 1 + np.nanargmax(falls, axis=1)
        return after

    @property
    def possible(self) -> NDArray[np.int64]:
        """Wrong answers beyond the trained length that have a token at each offset: (seeds, offsets)."""
        right, asked = self.counts.astype(np.int64)
        errors = asked - right
        errors[:, : self.setting.trained] = 0
        beyond: NDArray[np.int64] = errors[:, ::-1].cumsum(1)[:, ::-1]  # from the offset's position on
        return beyond

    @property
    def shares(self) -> Float:
        """Of the wrong answers with a token at an offset: the fraction that is it; NaN of too few."""
        possible = self.possible
        with np.errstate(invalid="ignore", divide="ignore"):
            fractions: Float = np.where(possible >= ENOUGH, self.wrong / possible, np.nan)
        return fractions

    @property
    def favorites(self) -> NDArray[np.int64]:
        """For each seed the offset with the largest of its `shares`, if twice by chance; or :data:`NONE`."""
        shares = np.nan_to_num(self.shares)
        return np.where(shares.max(1) > 2 * chance(self.setting), shares.argmax(1), NONE)

    @property
    def counted(self) -> NDArray[np.int64]:
        """For each seed the offset that most wrong answers are the token of, as a plain count, or NONE."""
        return np.where(self.wrong.any(1), self.wrong.argmax(1), NONE)

    def score(self, offsets: ArrayLike) -> Float:
        """The score of a token at each offset, tokens averaged, of shape (seeds, offsets).

        It is the sum of amplitude times cos(omega offset + phase) over the pairs, both read off W_q and W_k.
        """
        if self.head is None:
            raise ValueError(f"{self.trial.name!r} has more than one head, or no RoPE")
        turned = np.exp(1j * np.outer(self.omega, np.asarray(offsets, dtype=np.float64)))
        scores: Float = (self.head @ turned).real
        return scores


@dataclass(frozen=True)
class Recorded:
    """All that was measured."""

    #: Date, command, machine, versions and the hash of the arrays.
    about: dict[str, str]
    #: Name of a trial -> its run.
    runs: dict[str, Run]
    #: What the smoke run gave.
    smoke: dict[str, list[float]]

    def run(self, task: str, encoding: str, *, rate: float = RATE, **changes: Any) -> Run:
        """The run with those fields of :class:`Setting`; `tested` may be left out."""
        wanted = Setting(task, encoding, **changes)
        for run in self.runs.values():
            tested = changes.get("tested", run.setting.tested)
            if run.trial.rate == rate and run.setting == wanted.changed(tested=tested):
                return run
        raise ValueError(f"there is no run {Trial(wanted, rate).name!r}")


def chance(setting: Setting) -> float:
    """How often a wrong answer is the token at an offset by chance alone."""
    return 1 / 15 if setting.task == "back" else 1 / 8


def _first(found: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each row the first column that is true, or NONE."""
    return np.where(found.any(1), found.argmax(1), NONE)


def own_head(run: Run) -> NDArray[np.int64]:
    """Where each seed should break by its own W_q and W_k, of shape (seeds,), or NONE.

    It is the first position with an offset whose token has a higher score than the one that is asked for in
    more than 1 - :data:`BELOW` of all triples of tokens. A token at an offset is there from the position of
    the same number on.
    """
    if run.beats is None:
        raise ValueError(f"{run.trial.name!r} has more than one head, or no RoPE")
    back = run.setting.back
    first = _first((run.beats > 1 - BELOW) & (np.arange(run.beats.shape[1]) != back))
    return np.where(first == NONE, NONE, np.maximum(first, back))


def own_rival(run: Run) -> NDArray[np.int64]:
    """For each seed the unseen offset whose token most often has a higher score than the one asked for."""
    if run.beats is None:
        raise ValueError(f"{run.trial.name!r} has more than one head, or no RoPE")
    start = run.setting.trained
    worst: NDArray[np.int64] = start + run.beats[:, start:].argmax(1)
    return worst


def by_hands(run: Run, count: int | None = None) -> list[int]:
    """The unseen offsets, best first: by the cosines of what the fastest pairs turn from `back` on.

    `count` is how many of the pairs, from the fastest on; all of them if it is not given. Where two offsets
    are equally good, the nearer one comes first.
    """
    offsets = np.arange(run.setting.trained, run.setting.tested)
    fastest = run.omega[np.argsort(-np.abs(run.omega), kind="stable")[:count]]
    sums = np.cos(np.outer(offsets - run.setting.back, fastest)).sum(1)
    best: list[int] = offsets[np.argsort(-sums.round(9), kind="stable")].tolist()
    return best


def two_hands(run: Run) -> list[int]:
    """The unseen offsets, best first, by the two fastest pairs."""
    return by_hands(run, 2)


def expected_break(run: Run) -> int:
    """Where a run breaks by the period of its grid, if not before: `back` + q^2 + q + 1."""
    period = run.setting.period
    if period is None:
        raise ValueError(f"{run.trial.name!r} has no difference set and no residues")
    return run.setting.back + period


@cache
def load() -> Recorded:
    """The recorded results."""
    written, arrays = read("wavebook.experiments.cliff", "cliff")
    runs = {}
    for entry in written["runs"]:
        name = entry["name"]
        found = {
            key: arrays[f"{key}/{name}"]
            for key in ("counts", "wrong", "losses", "head", "beats", "weights", "origins", "tokens")
            if f"{key}/{name}" in arrays
        }
        n = entry["setting"]["tested"]
        for key in ("weights", "origins"):
            if key in found:
                found[key] = _square(found[key], n)
        if "beats" in found:
            found["beats"] = found["beats"] / entry["triples"]
        if "weights" in found:
            found["weights"] = found["weights"] / 255
        found["losses"] = found["losses"].astype(np.float64)
        for key in ("head", "tokens"):
            if key in found:
                real, imaginary = found[key].astype(np.float64)
                found[key] = real + 1j * imaginary
        runs[name] = Run(
            Trial(Setting(**entry["setting"]), entry["rate"]),
            tuple(entry["seeds"]),
            entry["commit"],
            entry["seconds"],
            **found,
        )
    return Recorded(written["about"], runs, written["smoke"])


def _square(triangle: NDArray[Any], n: int) -> NDArray[Any]:
    """What is kept for offsets up to the position alone, as (..., positions, offsets), with 0 elsewhere."""
    whole = np.zeros((*triangle.shape[:-1], n, n), triangle.dtype)
    whole[(..., *np.tril_indices(n))] = triangle
    return whole
