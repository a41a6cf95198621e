"""The explorer of RoPE: two arrows on a dial, and a score that depends on their offset alone."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Explorer, Number


class Rotary(Explorer):
    """A pair of a query and a key, turned by the angles frequency * p and frequency * q, and slower ones.

    >>> Rotary(p=9)
    Rotary(p=9, q=13, frequency=0.3, pairs=1)
    """

    slug = "rotary"
    parts = ("scores", "offsets")
    p = Number(20, low=0, high=100, integer=True, help="of the query")
    q = Number(13, low=0, high=100, integer=True, help="of the key")
    frequency = Number(
        0.3, low=0.01, high=1, step=0.01, log=True, help="radians per position, of the first pair"
    )

    pairs = Number(1, low=1, high=4, integer=True, help="each is ten times slower than the one before it")

    #: The arrows, which each pair has, and how much slower a pair is than the one before it.
    constants: ClassVar[dict[str, Any]] = examples.ARROWS | {"slower": 10}
