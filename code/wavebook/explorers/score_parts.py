"""The explorer of what a score is made of: its four parts for one query, with the factor or without."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Number


class ScoreParts(Explorer):
    """The four parts of one query's scores with 48 keys, and their sum.

    The tokens are random, with entries of +sigma and -sigma where sigma is that of tensor2tensor, which is
    1 / sqrt(d); d_model is 64, the base 10,000, and there are no matrices.

    >>> ScoreParts(factor="without")
    ScoreParts(factor='without', position=24, key=20)
    """

    slug = "score-parts"
    factor = Choice("with", ("without", "with"), help="the factor sqrt(d) on the tokens")
    position = Number(24, low=0, high=47, integer=True, help="the query")
    key = Number(20, low=0, high=47, integer=True, help="the key that is read off")

    constants: ClassVar[dict[str, Any]] = {
        "tokens": examples.PACKED_SIGNS,
        "width": examples.SIGNS.shape[1],
        "base": 10_000,
        "d_model": 64,
    }
