"""The explorer of order: permute the tokens, and see what attention notices."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Number, Width


class Shuffle(Explorer):
    """Attention on "the dog bit the man" in every order of its tokens, without and with the encoding.

    Parameters
    ----------
    order : integer from 0 to 119, the number of the tokens' order; 0 is the sentence as it stands
    encoding : "off" or "on", whether it is added to the tokens
    d_model : even integer from 2 to 32, the width of the tokens' vectors

    >>> Shuffle(encoding="on")
    Shuffle(order=0, encoding='on', d_model=8)
    """

    slug = "shuffle"
    order = Number(0, low=0, high=119, integer=True)
    encoding = Choice("off", ("off", "on"))
    d_model = Width(8, high=32)

    constants: ClassVar[dict[str, Any]] = {
        "tokens": examples.word_vectors(32).tolist(),
        "names": examples.NAMES,
        "base": 10_000,
        "bites": 21,  # the order in which the man bit the dog
        "looks": examples.NAMES.index("bit"),  # whose weights are drawn first
    }
