"""The explorer of sinusoids: the two waves of one pair, and how many turns it makes."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Base, Explorer, Number, Width


class Sinusoids(Explorer):
    """Sine and cosine of one pair over 200 positions, with the number of turns it completes.

    >>> Sinusoids(pair=50)
    Sinusoids(pair=50, d_model=512, base=10000.0)
    """

    slug = "sinusoids"
    pair = Number(
        10, low=0, high=255, integer=True, help="beyond the last pair, d_model/2 - 1, the last one is shown"
    )
    d_model = Width(512, high=1024)
    base = Base()

    constants: ClassVar[dict[str, Any]] = {"length": 200}
