"""The book's own experiment: small Transformers that differ in their positional encoding alone.

What was measured is data in this package: :func:`load` reads it with NumPy alone. To train again,
``make experiment``, which needs PyTorch: `tasks` says what is learned, `model` with what, `train` how,
`plan` in which variations; `probe` asks the trained weights, `record` says what becomes data, and
`stored` writes and reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float
from wavebook.experiments.counts import Counted
from wavebook.experiments.setting import ENCODINGS, Setting
from wavebook.experiments.stored import read

__all__ = ["ENCODINGS", "TOGETHER", "Recorded", "Run", "Setting", "averaged", "load"]


#: Positions that are averaged for one point of a curve.
TOGETHER = 4


@dataclass(frozen=True)
class Run(Counted):
    """One setting with its seeds: the learning rate it was given, and what was measured."""

    setting: Setting
    rate: float
    #: Learning rate -> the loss it ended with in short runs, in nats; empty for a variation.
    choice: dict[float, float]
    #: Of the processor, for choice, training and test together.
    seconds: float
    #: Right answers and questions, of shape (2, seeds, positions).
    counts: NDArray[np.int16]
    #: Mean loss of ten steps each, in nats, of shape (steps/10, seeds).
    losses: Float


@dataclass(frozen=True)
class Recorded:
    """All that was measured."""

    #: Date, command, machine and versions.
    about: dict[str, str]
    #: Name of a setting -> its run.
    runs: dict[str, Run]
    #: What the trained weights were asked, by name.
    probes: dict[str, Float]
    #: What the smoke run gave.
    smoke: dict[str, list[float]]

    def run(self, task: str, encoding: str, **changes: Any) -> Run:
        """The run of a task with an encoding, and with those fields of :class:`Setting` that are named."""
        wanted = Setting(task, encoding, **changes)
        for run in self.runs.values():
            if run.setting == wanted:
                return run
        raise ValueError(f"there is no run {wanted.name!r}")


@cache
def load() -> Recorded:
    """The recorded results.

    >>> run = load().run("back", "learned")
    >>> run.accuracy.shape
    (5, 128)
    >>> bool(run.over(3, 32).min() > 0.9), bool(run.over(32, 128).max() < 0.2)
    (True, True)
    """
    written, arrays = read("wavebook.experiments", "results")
    runs = {
        run["name"]: Run(
            setting=Setting(**run["setting"]),
            rate=run["rate"],
            choice={float(rate): loss for rate, loss in run["choice"].items()},
            seconds=run["seconds"],
            counts=arrays[f"counts/{run['name']}"],
            losses=arrays[f"losses/{run['name']}"].astype(np.float64),
        )
        for run in written["runs"]
    }
    probes = {
        name.removeprefix("probe/"): values.astype(np.float64)
        for name, values in arrays.items()
        if name.startswith("probe/")
    }
    return Recorded(written["about"], runs, probes, written["smoke"])


def averaged(accuracy: ArrayLike, *, keep: bool = False) -> tuple[Float, Float]:
    """The mean accuracy of each :data:`TOGETHER` positions: their middles, and of shape (seeds, middles).

    Those where nothing was asked are left out, or with `keep` are NaN.

    >>> averaged([[np.nan, 1, 0, 0, 1, 1, 1, 1]])
    (array([1.5, 5.5]), array([[0.33333333, 1.        ]]))
    """
    rows = np.asarray(accuracy, dtype=np.float64)
    rows = rows[:, : rows.shape[1] // TOGETHER * TOGETHER].reshape(len(rows), -1, TOGETHER)
    asked = ~np.isnan(rows)
    with np.errstate(invalid="ignore"):
        means: Float = np.where(asked, rows, 0).sum(2) / asked.sum(2)
    bins = np.arange(rows.shape[1]) if keep else np.flatnonzero(asked.any(2).all(0))
    middles = TOGETHER * bins.astype(np.float64) + (TOGETHER - 1) / 2
    return middles, means[:, bins]
