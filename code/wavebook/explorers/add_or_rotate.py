"""The explorer of interpolation: a vector learned at one place, added at another, and the rotation."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Explorer, Number


class AddOrRotate(Explorer):
    """PE(p + k) predicted twice: by adding to PE(p) the step learned at position 10, and by rotating PE(p).

    >>> AddOrRotate(position=15)
    AddOrRotate(position=15, offset=5, pair=11)
    """

    slug = "add-or-rotate"
    parts = ("beyond",)
    position = Number(20, low=0, high=100, integer=True, help="where the step is taken")
    offset = Number(5, low=-20, high=20, integer=True, help="the step")
    pair = Number(11, low=0, high=63, integer=True, help="the pair of d_model = 128 whose dial is drawn")

    constants: ClassVar[dict[str, Any]] = {"learned_at": 10, "base": 10_000, "d_model": 128}
