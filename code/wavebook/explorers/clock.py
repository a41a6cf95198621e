"""The explorer of the clock: the encoding as hands that turn at the encoding's own frequencies."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Base, Explorer, Number, Width

#: How many hands there can be, in words.
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Clock(Explorer):
    """One dial for each pair of dimensions; its hand is at omega_i p, the two cells under it are the pair.

    >>> Clock(position=12)
    Clock(position=12.0, d_model=8, base=10000.0)
    >>> Clock(d_model=7)
    Traceback (most recent call last):
        ...
    ValueError: d_model must be an even integer >= 2, got 7
    """

    slug = "clock"
    constants: ClassVar[dict[str, Any]] = {"counts": COUNTS}
    position = Number(7.0, low=0, high=1000)
    d_model = Width(8, high=16, help="there are d_model/2 dials")
    base = Base()
