"""The explorer of before and after: a score of two encodings that is even, until a shift is between them."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Explorer, Number, Width


class BeforeAfter(Explorer):
    """The score PE(p).T(s) PE(q) against p - q, with its mirror image: what tells after from before.

    >>> BeforeAfter(shift=5)
    BeforeAfter(shift=5, offset=5, d_model=64)
    """

    slug = "before-after"
    shift = Number(0, low=-20, high=20, integer=True, help="the s of T(s); at 0 the two encodings meet bare")
    offset = Number(
        5,
        low=-60,
        high=60,
        integer=True,
        help="the marked p - q; the score of its mirror image is marked too",
    )
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {"base": 10_000}
