"""The explorer of the head that looks k back: one query's scores and weights, from the encodings alone."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Explorer, Number, Width


class LookBack(Explorer):
    """A head with W_q = 1 and W_k = T(offset): where the token at one position looks, among 64 keys.

    >>> LookBack(offset=5)
    LookBack(position=40, offset=5, temperature=1.0, d_model=64)
    """

    slug = "look-back"
    #: How far the keys' hands have been moved on, and the weights.
    parts = ("turned", "weights")
    position = Number(40, low=0, high=63, integer=True, help="the token that looks")
    offset = Number(3, low=-16, high=16, integer=True, help="how far back; negative looks ahead")
    temperature = Number(1.0, low=0.01, high=10, step=0.01, log=True, help="it divides the scores")
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {"length": 64, "base": 10_000}
