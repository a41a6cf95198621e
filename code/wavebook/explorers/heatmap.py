"""The explorer of the whole table: positions against dimensions, with one row and one pair picked out."""

from __future__ import annotations

from wavebook.explorers.base import Base, Explorer, Number, Width


class Heatmap(Explorer):
    """The encodings of 200 positions as a heatmap; one row as a fingerprint under it; one pair in words.

    >>> Heatmap(d_model=32)
    Heatmap(position=37, pair=8, d_model=32, base=10000.0)
    >>> Heatmap(position=200)
    Traceback (most recent call last):
        ...
    ValueError: position must be an integer from 0 to 199, got 200
    """

    slug = "heatmap"
    position = Number(37, low=0, high=199, integer=True, help="the row under the cursor")
    pair = Number(
        8, low=0, high=255, integer=True, help="the pair under the cursor; beyond the last pair, the last"
    )
    d_model = Width(128, high=512)
    base = Base()
