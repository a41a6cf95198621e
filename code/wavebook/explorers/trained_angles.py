"""The explorer of angles seen in training: an arc on a pair's dial, and what a longer context makes of it."""

from __future__ import annotations

from inspect import signature
from typing import Any, ClassVar

from posenc.context import yarn
from wavebook.explorers.base import Choice, Explorer, Number

#: The turns in the trained length between which YaRN goes over from one rule to the other.
YARN = signature(yarn).parameters


class TrainedAngles(Explorer):
    """The angles of one pair of a head with 128 entries, trained on 2048 positions at base 10,000.

    >>> TrainedAngles(pair=60)
    TrainedAngles(method='unchanged', factor=4.0, pair=60)
    """

    slug = "trained-angles"
    method = Choice("unchanged", ("unchanged", "interpolation", "NTK-aware", "YaRN"))
    factor = Number(4, low=1, high=16, step=0.5, help="new length over trained length")
    pair = Number(52, low=0, high=63, integer=True)

    constants: ClassVar[dict[str, Any]] = {
        "d_model": 128,
        "base": 10_000,
        "length": 2048,
        "beta": {"YaRN": {"slow": YARN["beta_slow"].default, "fast": YARN["beta_fast"].default}},
    }
