"""The explorer of order: permute the tokens, and see what attention notices."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook import examples
from wavebook.explorers.base import Choice, Explorer, Number, Width


class Shuffle(Explorer):
    """Attention on "the dog bit the man" in every order of its tokens, without and with the encoding.

    >>> Shuffle(encoding="on")
    Shuffle(order=0, encoding='on', d_model=8)
    """

    slug = "shuffle"
    order = Number(
        0,
        low=0,
        high=119,
        integer=True,
        help="the number of the tokens' order; 0 is the sentence as it stands",
    )
    encoding = Choice("off", ("off", "on"), help="whether it is added to the tokens")
    d_model = Width(8, high=32, help="the width of the tokens' vectors")

    constants: ClassVar[dict[str, Any]] = {
        "tokens": examples.word_vectors(32).tolist(),
        "names": examples.NAMES,
        "base": 10_000,
        "bites": 21,  # the order in which the man bit the dog
        "looks": examples.NAMES.index("bit"),  # whose weights are drawn first
    }
