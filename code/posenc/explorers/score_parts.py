"""The explorer of what a score is made of: its four parts for one query, and how token size weighs them."""

from __future__ import annotations

from typing import Any, ClassVar

from posenc.explorers.base import Choice, Explorer, Number, Width
from posenc.figures import transformer as figures
from posenc.figures.style import BookFigure
from posenc.initialisation import TUTORIAL_RANGE, VOCABULARY


class ScoreParts(Explorer):
    """The four parts of one query's scores with 48 keys, their sum, and a token's length and its encoding's.

    The tokens are random, with entries of +sigma and -sigma; base 10,000, and no matrices.

    Parameters
    ----------
    sigma : real number from 0.005 to 2, the standard deviation of the embedding's entries
    factor : "without" or "with" the factor sqrt(d) on the tokens
    position : integer from 0 to 47, the query
    key : integer from 0 to 47, the key that is read off
    d_model : even integer from 2 to 512

    Raises
    ------
    TypeError, ValueError
        If a value is not one of those, or there is no such parameter.

    Introduced in the chapter "Inside the Transformer".

    >>> ScoreParts(factor="without")
    ScoreParts(sigma=0.125, factor='without', position=24, key=20, d_model=64)
    """

    slug = "score-parts"
    sigma = Number(0.125, low=0.005, high=2, step=0.02, log=True)
    factor = Choice("with", ("without", "with"))
    position = Number(24, low=0, high=47, integer=True)
    key = Number(20, low=0, high=47, integer=True)
    d_model = Width(64, high=512)

    constants: ClassVar[dict[str, Any]] = {
        "tokens": figures.PACKED_SIGNS,
        "width": figures.SIGNS.shape[1],
        "base": 10_000,
        # [a, b, c] for a variance of a / (b + c d_model)
        "initialisations": {
            "tensor2tensor": [1, 0, 1],
            "PyTorch default": [1, 1, 0],
            "PyTorch tutorial": [TUTORIAL_RANGE**2 / 3, 1, 0],
            "Xavier": [2, VOCABULARY, 1],
        },
    }

    def still(self) -> BookFigure:
        return figures.score_parts(self.sigma, self.factor == "with", self.position, self.key, self.d_model)
