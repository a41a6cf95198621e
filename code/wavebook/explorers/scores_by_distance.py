"""The explorer of scores against distance: added encodings, RoPE, ALiBi and T5's buckets side by side."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Base, Choice, Explorer, Number


class ScoresByDistance(Explorer):
    """What four ways of telling positions make of a score, against the distance of query and key.

    All are in the units that the softmax sees, for *d* = 64, on one scale. T5's levels are learned in a real
    model; here those of one direction's 16 buckets are an example, `wavebook.examples.T5_LEVELS`.

    >>> ScoresByDistance(head=8)
    ScoresByDistance(content='alike', offset=10, base=10000.0, head=8)
    """

    slug = "scores-by-distance"
    content = Choice(
        "alike",
        ("alike", "random", "aimed"),
        help='the query and key of RoPE; "aimed" is at a key 40 positions back',
    )
    offset = Number(10, low=1, high=1000, integer=True, help="the distance read off")
    base = Base(help="of the added encodings and of RoPE")
    head = Number(3, low=1, high=8, integer=True, help="of ALiBi")

    constants: ClassVar[dict[str, Any]] = examples.SCORES | {"random": examples.RANDOM.tolist()}
