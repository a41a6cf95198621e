"""The explorer of whose hands: the clock of each model in the table, through all that the model reads."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers import ask
from wavebook.explorers.base import Explorer, Number
from wavebook.models import models, waves

#: Positions that the longest context has, and a power of two above it.
FARTHEST = 2**24


def lines() -> list[dict[str, Any]]:
    """For each type of layer of a model with hands: its name, its wavelengths, and what it is to read.

    Wavelengths are in positions, from short to long; `rest` is how many pairs do not turn.
    The context is the one a method has stretched it to, where there is one; None where none is named.
    """
    found = []
    for model in sorted(models(), key=lambda one: one.year):
        for layers, kind in model.kinds.items():
            whole = kind.head_dim // 2 if model.encoding.startswith("RoPE") else len(waves(kind))
            found.append(
                {
                    "name": f"{model.name}, {layers}" if layers else model.name,
                    "year": model.year,
                    "waves": waves(kind),
                    "rest": int(whole - len(waves(kind))),
                    "context": kind.extended_length or kind.trained_length,
                }
            )
    return found


#: The same with wavelengths to four digits.
LINES = [line | {"waves": [float(f"{wave:.4g}") for wave in line["waves"]]} for line in lines()]
_ASKED = next(n for n, one in enumerate(LINES) if one["name"] == "Llama 3.1 8B")


def never_round() -> ask.Prediction:
    """How many hands never come round in all that the model reads: for ``ModelClock``."""
    line = LINES[_ASKED]
    context, found = line["context"], line["waves"]
    late = sum(wave > context for wave in found)
    slowest = found[-1]
    return ask.number(
        f"{line['name']} reads up to {context:,} tokens. How many of its {len(found)} hands do not come round"
        " once in all of them?",
        truth=late,
        low=0,
        high=len(found),
        start=len(found) // 2,
        unit="hands",
        digits=2,
        near=0.05,
        because=f"the {len(found) - late} fastest come round in {context:,} tokens; the slowest needs"
        f" {slowest / context:.0f} times as many, {slowest:,.0f}",
        tempting={"low": "With this base, and slowed after training, the last hands are very slow."},
        acts=[{"position": context, "seconds": 2.8}],
    ).then("Now choose another model.")


class ModelClock(Explorer):
    """The hands of a model, turned from the first token on, and which of them come round.

    >>> ModelClock(position=100).position
    100.0
    """

    slug = "model-clock"
    line = Number(
        _ASKED, low=0, high=len(LINES) - 1, integer=True, help="which model, in the order of publication"
    )
    position = Number(
        1.0,
        low=1,
        high=FARTHEST,
        step=0.01,
        log=True,
        help="the tokens that have been read; no more than the context",
    )

    constants: ClassVar[dict[str, Any]] = {"lines": LINES}
