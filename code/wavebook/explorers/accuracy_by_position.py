"""The explorer of the recorded runs: accuracy by position for two encodings, beyond the trained length."""

from __future__ import annotations

from typing import Any, ClassVar

from posenc._validate import Float
from wavebook.experiments import ENCODINGS, TOGETHER, averaged, load
from wavebook.experiments.tasks import TASKS
from wavebook.explorers.base import Choice, Explorer, Number

#: The task: the token three back, one layer and one head.
TASK = "back"
#: Where the accuracies in words are from: within the trained length, just past it, and far past it.
PARTS = ((0, 32), (32, 40), (64, 128))


def _percent(values: Float) -> list[int]:
    """In whole percent, which is what 500 questions allow."""
    return [round(100 * float(value)) for value in values]


def _band(encoding: str) -> list[list[int]]:
    """The mean over seeds by position, and how far below and above it the seeds reach."""
    _, seeds = averaged(load().run(TASK, encoding).accuracy)
    mean, low, high = (_percent(values) for values in (seeds.mean(0), seeds.min(0), seeds.max(0)))
    below = [m - least for m, least in zip(mean, low, strict=True)]
    return [mean, below, [most - m for m, most in zip(mean, high, strict=True)]]


class AccuracyByPosition(Explorer):
    """How often models trained to say the token three back are right at each position: mean and seeds.

    Parameters
    ----------
    encoding : "none", "learned", "sinusoidal", "sinusoidal, random starts", "sinusoidal, random positions",
        "RoPE", "RoPE, half of each head", "ALiBi" or "T5 bias"
    beside : "none", "learned", "sinusoidal", "sinusoidal, random starts", "sinusoidal, random positions",
        "RoPE", "RoPE, half of each head", "ALiBi" or "T5 bias"
    position : integer from 0 to 124; accuracies are read over the four positions from 4 * (position // 4) on

    Raises
    ------
    TypeError, ValueError
        If a value is not one of those, or there is no such parameter.

    Introduced in the chapter "What training makes of it".

    >>> AccuracyByPosition(encoding="RoPE")
    AccuracyByPosition(encoding='RoPE', beside='learned', position=48)
    """

    slug = "accuracy-by-position"
    parts = ("far",)
    encoding = Choice("sinusoidal", ENCODINGS)
    beside = Choice("learned", ENCODINGS)
    position = Number(48, low=0, high=124, step=4, integer=True)  # four are read together

    constants: ClassVar[dict[str, Any]] = {
        "trained": 32,
        "tested": 128,
        "together": TOGETHER,
        "parts": PARTS,
        "chance": TASKS[TASK].chance,
        "bands": [_band(encoding) for encoding in ENCODINGS],
        "over": [
            [round(100 * float(load().run(TASK, encoding).over(*part).mean())) for part in PARTS]
            for encoding in ENCODINGS
        ],
    }
