"""What is trained to see where a Transformer breaks, in which order, and how one trial is run.

A trial is a setting with one learning rate and ten seeds. Nothing is chosen by its results: each rate that is
named here is reported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavebook.experiments import stored
from wavebook.experiments.cliff.measure import measure
from wavebook.experiments.cliff.trial import Trial
from wavebook.experiments.setting import Setting
from wavebook.experiments.train import train

#: Of the folder of results, the part that is this experiment's.
PLACE = "cliff"
SEEDS = list(range(10))
#: The rate of the first experiment for this task, and a lower one.
RATES = (0.03, 0.01)
#: Order of the difference set -> the length of the test, in tokens: beyond the period of q^2 + q + 1.
ORDERS = {8: 128, 5: 128, 7: 128, 9: 128, 11: 256, 13: 256, 3: 128, 4: 128}
#: The same for d_model = 64.
LARGE_ORDERS = {16: 320, 23: 640, 31: 1088}
SCALES = (0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3)
OFFSETS = (1, 2, 5, 8)
#: The sets that the chapter rests on; how many random sets of residues are drawn on the grid of each, and how
#: many multiples and shifts of some.
GRIDS, DRAWS = (5, 7, 8, 9, 11, 13), 5
MOVED, MOVES = (7, 8, 11), 3
#: The largest set that has room in 32 entries, and other tasks and encodings that it is tried with.
LARGEST = "difference set 13"
TASKS = ("last", "near", "fixed")
ENCODINGS = ("sinusoidal", "sinusoidal, random starts")
TWO_LAYERS: dict[str, Any] = {"layers": 2, "heads": 2, "d_model": 64, "steps": 600}
SMALL_HEADS: dict[str, Any] = {"layers": 2, "heads": 4}


def back(spectrum: str = "geometric", encoding: str = "RoPE", **changes: Any) -> Setting:
    """The task of the token some positions back, with RoPE if nothing else is said."""
    return Setting("back", encoding, spectrum=spectrum, **changes)


def first() -> list[Setting]:
    """What the chapter rests on: one layer, one head, trained on 32 tokens."""
    return [
        back(),
        *(back(f"difference set {q}", tested=tested) for q, tested in ORDERS.items()),
        *(back(back=k) for k in OFFSETS),
        *(back("difference set 8", back=k) for k in OFFSETS),
        *(back(scale=scale) for scale in SCALES),
    ]


def further() -> list[Setting]:
    """Controls, other sizes, other tasks, and where a difference set does not help."""
    spectra = ("geometric", "difference set 8")
    return [
        *(back(base=base) for base in (10.0, 32.0, 100.0, 1e6)),
        *(back(f"random {draw}") for draw in range(10)),
        *(back(spectrum, trained=16) for spectrum in spectra),
        back("difference set 11", trained=16, tested=256),
        *(back(spectrum, trained=64) for spectrum in spectra),
        back("difference set 11", trained=64, tested=256),
        *(back(spectrum, encoding) for encoding in ENCODINGS for spectrum in spectra),
        *(Setting(task, "RoPE", spectrum=spectrum) for task in TASKS for spectrum in (*spectra, LARGEST)),
        *(back(spectrum, heads=2) for spectrum in ("geometric", "difference set 7")),
        *(back(spectrum, **SMALL_HEADS) for spectrum in ("geometric", "difference set 3")),
        back(d_model=64),
        *(back(f"difference set {q}", d_model=64, tested=tested) for q, tested in LARGE_ORDERS.items()),
        *(back(spectrum, **TWO_LAYERS) for spectrum in ("geometric", LARGEST)),
        *(
            Setting(task, "RoPE", spectrum=spectrum, **TWO_LAYERS)
            for task in ("last", "near")
            for spectrum in ("geometric", LARGEST)
        ),
        *(back(spectrum, steps=2000) for spectrum in spectra),
        *(back(f"random residues {q} {n}", tested=ORDERS[q]) for q in GRIDS for n in range(DRAWS)),
        *(back(f"moved set {q} {n}", tested=ORDERS[q]) for q in MOVED for n in range(MOVES)),
    ]


def trials() -> list[Trial]:
    """All trials, in the order in which they are run."""
    return [
        Trial(setting, rate)
        for setting in (*first(), *further())
        for rate in (RATES if setting.layers == 1 else (0.01,))
    ]


def run(trial: Trial, folder: Path) -> None:
    """Train the seeds of a trial, measure them, and keep everything; nothing if it is there."""

    def whole() -> dict[str, Any]:
        parameters, losses = train(trial.setting, SEEDS, [trial.rate] * len(SEEDS))
        return {
            "trial": trial,
            "parameters": parameters,
            "losses": losses,
            "measured": measure(trial.setting, parameters),
        }

    result = stored.keep_one(trial, folder / PLACE, whole)
    if result is None:
        return
    right, asked = result["measured"]["counts"]
    n = trial.setting.trained
    print(
        f"{trial.name}: {right[:, :n].sum() / asked[:, :n].sum():.3f} within, "
        f"{right[:, n:].sum() / asked[:, n:].sum():.3f} beyond, {result['seconds']:.0f} s",
        flush=True,
    )
