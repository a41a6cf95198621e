"""The explorer that the book begins with: hands, the waves that their tips have drawn, and the vector."""

from __future__ import annotations

from typing import Any, ClassVar

import traitlets

from wavebook.explorers.base import Base, Choice, Explorer, Number, Width

#: What is drawn: one position and how it came about, also with its turns counted, or two of them and what
#: their encodings have in common.
STAGES = ("waves", "turns", "compare")


class Machine(Explorer):
    """A hand for each pair of dimensions, and behind its tip the two waves that it has drawn.

    It moves by itself, from ``position`` on, unless the reader's system asks for less motion.
    With a question it waits.

    With "waves" it shows one position, its hands, its vector, and all positions before it; with "turns" also
    how many turns each hand has made since position 0; with "compare" two positions, the angles between their
    hands, and the sum of the cosines of these.

    >>> Machine(d_model=10, base=100)
    Machine(show='waves', position=62.0, offset=5, d_model=10, base=100.0)
    >>> Machine(show="clock")
    Traceback (most recent call last):
        ...
    ValueError: show must be one of 'waves', 'turns', 'compare', got 'clock'
    """

    slug = "machine"
    #: The sum of the cosines for each offset, which "compare" draws below; the last turn of each hand,
    #: or with "turns" the number of all.
    parts: ClassVar[tuple[str, ...]] = ("sums", "step")
    show = Choice("waves", STAGES, help="what is drawn; it stays as it was made")
    position = Number(62.0, low=0, high=1000)
    offset = Number(
        5,
        low=-30,
        high=30,
        integer=True,
        help='with "compare", the second position is so many after the first',
    )
    d_model = Width(10, high=16, help="there are d_model/2 hands")
    base = Base(100.0)

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self._made = True

    @traitlets.validate("show")
    def _show_stays(self, proposal: dict[str, Any]) -> str:
        if getattr(self, "_made", False) and proposal["value"] != self.show:
            raise ValueError(f"show cannot be changed, got {proposal['value']!r}; make another Machine")
        show: str = proposal["value"]
        return show
