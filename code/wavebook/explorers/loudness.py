"""The explorer of how loud tokens are: a sentence's embeddings, the encoding, and their sum."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Width


class Loudness(Explorer):
    """A sentence's tokens, its encodings and their sums in one scale of colors.

    The tokens are random, with entries of +s and -s; the base is 10,000.

    >>> Loudness(tokens="quiet")
    Loudness(tokens='quiet', d_model=64)
    """

    slug = "loudness"
    tokens = Choice("even", ("quiet", "even", "loud"), help="entries of 1/sqrt(d), 1 or sqrt(d)")
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {
        "packed": examples.PACKED_SIGNS,
        "width": examples.SIGNS.shape[1],
        "base": 10_000,
        "sentence": examples.SENTENCE,
        "same": examples.SAME,
        "powers": {"quiet": -0.5, "even": 0, "loud": 0.5},  # of d, for the size of an entry
    }
