"""The explorer of how loud tokens are: a sentence's embeddings, the encoding, and their sum."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Number, Width
from wavebook.initialization import TUTORIAL_RANGE, VOCABULARY


class Loudness(Explorer):
    """A sentence's tokens, its encodings and their sums in one scale of colors, and how long a token is.

    The tokens are random, with entries of +sigma and -sigma; the base is 10,000.

    >>> Loudness(factor="without")
    Loudness(sigma=0.125, factor='without', d_model=64)
    """

    slug = "loudness"
    parts = ("sizes",)
    sigma = Number(
        0.125,
        low=0.005,
        high=2,
        step=0.02,
        log=True,
        help="the standard deviation of the embedding's entries",
    )
    factor = Choice("with", ("without", "with"), help="the factor sqrt(d) on the tokens")
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {
        "tokens": examples.PACKED_SIGNS,
        "width": examples.SIGNS.shape[1],
        "base": 10_000,
        "sentence": examples.SENTENCE,
        "same": examples.SAME,
        # [a, b, c] for a variance of a / (b + c d_model)
        "initializations": {
            "tensor2tensor": [1, 0, 1],
            "PyTorch default": [1, 1, 0],
            "PyTorch tutorial": [TUTORIAL_RANGE**2 / 3, 1, 0],
            "Xavier": [2, VOCABULARY, 1],
        },
    }
