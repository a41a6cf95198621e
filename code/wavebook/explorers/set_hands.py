"""The explorer of reading: hands that the reader sets to a position, and the position that they read."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Choice, Explorer, Number


class SetHands(Explorer):
    """Three hands, d_model = 6 and base 1000, to be set to a position that the explorer asks for.

    >>> SetHands(fast=57)
    SetHands(target=37, fast=57, middle=0, slow=0)
    """

    slug = "set-hands"
    parts = ("wanted",)
    target = Choice(37, (5, 37, 250, 444, 611))
    fast = Number(0, low=-180, high=179, integer=True, help="degrees clockwise from the top")
    middle = Number(0, low=-180, high=179, integer=True, help="the same")
    slow = Number(0, low=-180, high=179, integer=True, help="the same")

    # Positions 0 .. last are one turn of the slow hand.
    constants: ClassVar[dict[str, Any]] = {"base": 1000, "last": 628}
