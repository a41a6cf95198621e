"""The explorer of the base: the range that a larger one gains, and the resolution that it loses."""

from __future__ import annotations

from wavebook.explorers.base import Explorer, Number, Width


class BaseTrade(Explorer):
    """The longest wavelength, and the distance between neighbors, against the base.

    >>> BaseTrade(base=100)
    BaseTrade(base=100.0, d_model=512)
    """

    slug = "base-trade"
    parts = ("curves",)
    base = Number(10_000, low=10, high=1e7, step=0.01, log=True)
    d_model = Width(512, high=1024)
