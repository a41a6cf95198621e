"""The explorer of distance: how it grows with the offset, the two levels, and the logarithmic law."""

from __future__ import annotations

from wavebook.explorers.base import Base, Choice, Explorer, Number, Width


class DistanceLaw(Explorer):
    """Distance and similarity against the offset, from 1 to 10^6 on a logarithmic axis, with their law.

    >>> DistanceLaw(offset=43)
    DistanceLaw(offset=43.0, d_model=128, base=10000.0, shown='both')
    """

    slug = "distance-law"
    parts = ("beyond",)
    offset = Number(10, low=1, high=1e6, step=0.01, log=True)
    d_model = Width(128, high=512)
    base = Base()
    shown = Choice("both", ("both", "distance"), help="whether the similarity has a picture beside it")
