"""The explorer of the counter: digits that jump, and hands that glide."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Choice, Explorer, Number


class Counter(Explorer):
    """A number's digits, and below each the hand that takes as long for a turn as the digit to come round.

    The hands are those of the base b^(d_model/2) for digits of base b, at the position 2 pi count / b.

    >>> Counter(digits="decimal")
    Counter(count=126.0, digits='decimal')
    """

    slug = "counter"
    count = Number(126, low=0, high=255, step=0.1, help="between two whole numbers, too")
    digits = Choice("binary", ("binary", "decimal"))

    # The base of the digits, and how many there are.
    constants: ClassVar[dict[str, Any]] = {"digits": {"binary": [2, 8], "decimal": [10, 4]}}
