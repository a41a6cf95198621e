"""The explorer of simple ways to number tokens, which the reader breaks."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Number


class Attempts(Explorer):
    """Position vectors of a sequence, their lengths, and the distance of each to the next.

    >>> Attempts(attempt="binary digits")
    Attempts(attempt='binary digits', position=20, length=48)
    """

    slug = "attempts"
    parts = ("steps",)
    attempt = Choice("the number", tuple(examples.ATTEMPTS))
    position = Number(20, low=0, high=63, integer=True)
    length = Number(48, low=4, high=64, integer=True, help="of the sequence")

    constants: ClassVar[dict[str, Any]] = {
        "digits": examples.DIGITS,
        "width": examples.WIDTH,
        "base": 10_000,
        "table": examples.LEARNED.tolist(),
    }
