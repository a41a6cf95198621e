"""Small measurements beside the two experiments: one run each, ten seeds, on the harness of these.

What was measured is data in this package, ``further.json`` and ``further.npz``, read with NumPy alone::

    recorded = further.load()
    job = recorded.job("tested", "back", "PoPE")         # rate 0.03; other fields of Setting may follow
    job.counted["tested"].over(32, 128)                         # (seeds,): right answers over questions
    job.learned                                                 # (seeds,): whether a seed learned the task
    recorded.job("read", "back", "RoPE", rate=0.01, **DEEP).told    # (2, seeds, layers + 1)

To train again: ``make experiment``; `plan` says what is trained and what is asked, `record` writes the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from wavebook.experiments.cliff import RATE, TRAINED
from wavebook.experiments.counts import Counted
from wavebook.experiments.setting import Setting
from wavebook.experiments.stored import read

__all__ = ["DEEP", "TWO_LAYERS", "Counts", "Job", "Recorded", "load"]

#: The sizes of the larger models.
TWO_LAYERS: dict[str, Any] = {"layers": 2, "heads": 2, "d_model": 64, "steps": 600}
DEEP: dict[str, Any] = {"layers": 6, "heads": 2, "steps": 600}


@dataclass(frozen=True)
class Counts(Counted):
    """Right answers and questions of one test."""

    #: Of shape (2, seeds, positions).
    counts: NDArray[np.uint8]


@dataclass(frozen=True)
class Job:
    """One trial and what it was asked."""

    asked: str
    setting: Setting
    rate: float
    seeds: tuple[int, ...]
    #: The program that trained it: a commit, with a plus sign if it had been changed.
    commit: str
    #: Of the processor, for all of it.
    seconds: float
    #: Mean loss of the last ten steps of training, in nats, of shape (seeds,).
    losses: Float
    #: What was asked -> the answers.
    counted: dict[str, Counts]
    #: For "read": fractions of positions that are told, (2, seeds, layers + 1), as it begins and trained.
    told: Float | None = None

    @property
    def learned(self) -> NDArray[np.bool_]:
        """Which seeds have learned the task: at least TRAINED within the trained length, as first tested."""
        first = next(iter(self.counted.values()))
        enough: NDArray[np.bool_] = first.over(0, self.setting.trained) >= TRAINED
        return enough


@dataclass(frozen=True)
class Recorded:
    """All that was measured."""

    #: Date, command, machine, versions and the hash of the arrays.
    about: dict[str, str]
    #: Name of a job -> the job.
    jobs: dict[str, Job]

    def job(self, asked: str, task: str, encoding: str, *, rate: float = RATE, **changes: Any) -> Job:
        """The job with those fields of :class:`Setting`."""
        wanted = Setting(task, encoding, **changes)
        for job in self.jobs.values():
            if (job.asked, job.setting, job.rate) == (asked, wanted, rate):
                return job
        raise ValueError(f"there is no job {asked!r} of {wanted.name!r} at rate {rate}")


@cache
def load() -> Recorded:
    """The recorded results."""
    written, arrays = read("wavebook.experiments.further", "further")
    jobs = {}
    for entry in written["runs"]:
        name, answers = entry["name"], {key: arrays[f"{entry['name']}/{key}"] for key in entry["answers"]}
        told = answers.pop("told", None)
        jobs[name] = Job(
            entry["asked"],
            Setting(**entry["setting"]),
            entry["rate"],
            tuple(entry["seeds"]),
            entry["commit"],
            entry["seconds"],
            arrays[f"{name}/losses"].astype(np.float64),
            {key: Counts(values) for key, values in answers.items()},
            None if told is None else told.astype(np.float64),
        )
    return Recorded(written["about"], jobs)
