"""The explorer of scores against distance: added encodings, RoPE, ALiBi and T5's buckets side by side."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Base, Choice, Explorer, Number


class ScoresByDistance(Explorer):
    """What four ways of telling positions make of a score, against the distance of query and key.

    All are in the units that the softmax sees, for *d* = 64, on one scale. T5's levels are learned in a real
    model; here those of one direction's 16 buckets are an example, `wavebook.examples.T5_LEVELS`.

    Parameters
    ----------
    content : "alike", "random" or "aimed" (at a key 40 positions back), the query and key of RoPE
    offset : integer from 1 to 1000, the distance read off
    base : real number from 2 to 10^7, of the added encodings and of RoPE
    head : integer from 1 to 8, of ALiBi

    >>> ScoresByDistance(head=8)
    ScoresByDistance(content='alike', offset=10, base=10000.0, head=8)
    """

    slug = "scores-by-distance"
    content = Choice("alike", ("alike", "random", "aimed"))
    offset = Number(10, low=1, high=1000, integer=True)
    base = Base()
    head = Number(3, low=1, high=8, integer=True)

    constants: ClassVar[dict[str, Any]] = examples.SCORES | {"random": examples.RANDOM.tolist()}
