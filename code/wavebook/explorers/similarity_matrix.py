"""The explorer of the similarity of every two positions, in which the reader walks."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Explorer, Number, Width


class SimilarityMatrix(Explorer):
    """The similarity of every two of 64 positions at base 10,000, and the row of one of them.

    >>> SimilarityMatrix(q=20)
    SimilarityMatrix(p=12, q=20, d_model=64)
    """

    slug = "similarity-matrix"
    p = Number(12, low=0, high=63, integer=True, help="the row of the marker")
    q = Number(32, low=0, high=63, integer=True, help="the column of the marker")
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {"base": 10_000}
