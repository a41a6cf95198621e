"""The third experiment: small language models that differ in their frequencies alone, and the rules.

What was measured is data in this package, ``language.json`` and ``language.npz``, read with NumPy alone::

    recorded = language.load()
    recorded.run("difference set").excess          # (seeds, 1024), nats
    recorded.against("difference set", "beyond")   # the difference from geometric, seed by seed
    recorded.predictions()                         # each with what came of it

The rules below were committed before the runs that count. Before that, pilots with the geometric frequencies
and with the difference set, at a seed of their own, chose the mix of the training, the rate and the steps:
with planted copies in the text alone no model had learned to copy after 1,600 steps, and with a rate of 0.01
none had where one of 0.005 did. What they showed of these two spectra, at one seed, had been seen when the
predictions were made.

* *Model*: two layers of two heads of 32, d = 64, characters, context 64. Adam, one rate for all.
* *Seeds*: those of the first pass, then those of the second; the second counts if it is whole. Seeds have the
  same parameters to begin with and read the same windows, whatever the spectrum.
* *Measures*: :data:`MEASURES`. Differences are from the geometric frequencies of the same seed.
* *Counts*: a difference counts if all seeds have its sign and its mean is at least :data:`ENOUGH` times its
  standard error and as many times the largest difference that a rerun makes in that measure, in any seed. The
  rerun begins with each parameter one unit in its last place larger. Else nothing is concluded.
* *Intervals*: 95 percent, by bootstrap over seeds, with all resamples. With so few seeds they are too narrow;
  they are shown, and decide nothing. All seeds are tested with the same text, so no interval is over texts.
* *Predictions*: :data:`PREDICTIONS`. One is right if its difference counts and has the sign that it says,
  refuted if it counts with the other sign, and open otherwise. All are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float, check_choice
from wavebook.experiments.setting import Setting
from wavebook.experiments.stored import read

#: The commit that had these rules, before the runs that count.
RULES = "78ed080c27380cbe52d5cfd51231453ca2881627"
#: How many times its standard error, and what a rerun shifts, a difference has to be.
ENOUGH = 5
#: The period of the difference set and of the random residues.
PERIOD = 183
#: Letters asked for at each distance, and the fraction of them that guessing would tell.
ASKED, CHANCE = 200, 1 / 26
#: Distances of two copies, the first at position 4; and positions of the second, 32 after the first.
DISTANCES = (16, 32, 48, 64, 96, 128, 160, 183, 206, 256, 366, 512, 768, 1000)
PLACES = (36, 64, 96, 128, 160, 192, 256, 384, 512, 768, 1000)

#: Name of a measure -> what it is.
MEASURES = {
    "within": "loss of a character of text after 32 to 63 others, in nats",
    "beyond": "loss at positions 64 to 182 less that of the same characters in windows of 64, in nats",
    "far": "the same at positions 512 to 1,023",
    "step": "the same at positions 187 to 246, less that at positions 123 to 182",
    "copied within": "fraction of letters copied over distances of 16, 32 and 48",
    "copied beyond": "over 64 to 160",
    "copied far": "over 256 to 1,000",
    "late": "over 32, the copies at positions 128 to 1,000",
}


class Prediction(NamedTuple):
    """That a spectrum has more or less of a measure than another."""

    spectrum: str
    measure: str
    #: 1 if the spectrum has more of it, -1 if less.
    sign: int
    than: str = "geometric"


PREDICTIONS = (
    # What the difference set costs: it has three pairs at rest and no slow ones, to compare contents with.
    Prediction("difference set", "within", 1),
    Prediction("difference set", "copied within", -1),
    # What it buys: no offset before its period looks like a near one.
    Prediction("difference set", "beyond", -1),
    Prediction("difference set", "beyond", -1, "random residues"),
    # And where that ends: an offset of 184 is one of 1.
    Prediction("difference set", "step", 1),
    Prediction("random residues", "step", 1),
    # The half of each costs less, and buys something.
    Prediction("half set, half geometric", "within", -1, "difference set"),
    Prediction("half set, half geometric", "beyond", -1),
    # Pairs at rest compare contents at any distance alike.
    Prediction("fast half", "copied beyond", 1),
    Prediction("fast half", "beyond", -1),
    # What others have reported of smaller bases and of PoPE.
    Prediction("base 64", "beyond", -1),
    Prediction("PoPE", "beyond", -1),
)


@dataclass(frozen=True)
class Run:
    """One spectrum with its seeds, and what was measured."""

    spectrum: str
    setting: Setting
    seeds: tuple[int, ...]
    rate: float
    #: Of the processor, for training and test together.
    seconds: float
    #: The commits of the programs that trained it.
    commits: tuple[str, ...]
    #: Mean loss of characters with 32 to 63 others before them, of shape (seeds,), in nats.
    within: Float
    #: The loss by position in windows of 1,024, and how much more it is than in windows of 64: (seeds, 1024).
    loss: Float
    excess: Float
    #: Letters copied, of ASKED, at each of DISTANCES and of PLACES: (seeds, distances) and (seeds, places).
    distances: NDArray[np.int16]
    places: NDArray[np.int16]
    #: Mean loss of ten steps each, in nats, of shape (seeds, steps/10).
    training: Float
    #: Frequencies that were learned, of shape (seeds, pairs); else empty.
    omega: Float

    def measure(self, name: str) -> Float:
        """One of MEASURES, of shape (seeds,)."""
        check_choice(name, "name", MEASURES)

        def copied(first: int, last: int) -> Float:
            at = [n for n, distance in enumerate(DISTANCES) if first <= distance <= last]
            fraction: Float = self.distances[:, at].mean(1) / ASKED
            return fraction

        def over(start: int, stop: int) -> Float:
            mean: Float = self.excess[:, start:stop].mean(1)
            return mean

        found = {  # type: ignore[no-untyped-call]  # as it was when it ran
            "within": lambda: self.within,
            "beyond": lambda: over(64, 183),
            "far": lambda: over(512, 1024),
            "step": lambda: over(187, 247) - over(123, 183),
            "copied within": lambda: copied(16, 48),
            "copied beyond": lambda: copied(64, 160),
            "copied far": lambda: copied(256, 1000),
            "late": lambda: self.places[:, PLACES.index(128) :].mean(1) / ASKED,
        }[name]()
        return found  # type: ignore[no-any-return]  # as it was when it ran


class Difference(NamedTuple):
    """How two spectra differ in a measure, seed by seed."""

    by_seed: Float
    #: What a rerun shifts at most.
    shift: float

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return float(self.by_seed.mean())

    @property
    def counts(self) -> bool:
        """Whether the rules let anything be concluded."""
        error = self.by_seed.std(ddof=1) / len(self.by_seed) ** 0.5
        agree = abs(np.sign(self.by_seed).sum()) == len(self.by_seed)
        return bool(agree and abs(self.mean) >= ENOUGH * max(error, self.shift))


def interval(values: Float) -> tuple[float, float]:
    """The 95 percent interval of a mean, by bootstrap with all resamples.

    >>> interval(np.array([1.0, 2.0, 3.0]))
    (1.0, 3.0)
    """
    means = np.array([np.mean(drawn) for drawn in product(values, repeat=len(values))])
    low, high = np.quantile(means, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


@dataclass(frozen=True)
class Recorded:
    """All that was measured."""

    #: Date, command, machine, versions and the hash of the arrays.
    about: dict[str, str]
    #: Spectrum -> its run.
    runs: dict[str, Run]
    #: The rerun of the geometric frequencies.
    again: Run

    def run(self, spectrum: str) -> Run:
        """The run of a spectrum."""
        check_choice(spectrum, "spectrum", self.runs)
        return self.runs[spectrum]

    def shift(self, measure: str) -> float:
        """The largest difference between a run of the geometric frequencies and its rerun, in any seed."""
        first = self.run("geometric").measure(measure)[: len(self.again.seeds)]
        return float(np.abs(first - self.again.measure(measure)).max())

    def against(self, spectrum: str, measure: str, than: str = "geometric") -> Difference:
        """How much more of a measure a spectrum has than another, with the same seeds."""
        more = self.run(spectrum).measure(measure) - self.run(than).measure(measure)
        return Difference(more, self.shift(measure))

    def outcome(self, prediction: Prediction) -> str:
        """What came of a prediction: "right", "refuted" or "open"."""
        spectrum, measure, sign, than = prediction
        found = self.against(spectrum, measure, than)
        if not found.counts:
            return "open"
        return "right" if np.sign(found.mean) == sign else "refuted"

    def predictions(self) -> list[tuple[Prediction, str]]:
        """All predictions, each with what came of it."""
        return [(prediction, self.outcome(prediction)) for prediction in PREDICTIONS]


@cache
def load() -> Recorded:
    """The recorded results."""
    written, arrays = read("wavebook.experiments.language", "language")
    parts: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for entry in written["runs"]:
        parts.setdefault((entry["spectrum"], entry["again"]), []).append(entry)
    whole = {key: _joined(entries, arrays) for key, entries in parts.items()}
    again = whole.pop(("geometric", True))
    return Recorded(written["about"], {spectrum: run for (spectrum, _), run in whole.items()}, again)


def _joined(entries: list[dict[str, Any]], arrays: dict[str, NDArray[Any]]) -> Run:
    """The passes of one spectrum as one run."""

    def stacked(name: str) -> NDArray[Any]:
        found = [
            arrays[f"{name}/{entry['name']}"] for entry in entries if f"{name}/{entry['name']}" in arrays
        ]
        if not found:
            return np.empty((0, 0))
        joined = np.concatenate(found)
        return joined.astype(np.float64) if joined.dtype.kind == "f" else joined

    first = entries[0]
    return Run(
        spectrum=first["spectrum"],
        setting=Setting(**first["setting"]),
        seeds=tuple(seed for entry in entries for seed in entry["seeds"]),
        rate=first["rate"],
        seconds=sum(entry["seconds"] for entry in entries),
        commits=tuple(entry["commit"] for entry in entries),
        **{
            name: stacked(name)
            for name in ("within", "loss", "excess", "distances", "places", "training", "omega")
        },
    )
