"""The explorer of the shift of the whole encoding: its matrix, and the columns it acts on."""

from __future__ import annotations

from posenc.rotation import LAYOUTS
from wavebook.explorers.base import Base, Choice, Explorer, Number, Width


class BlockShift(Explorer):
    """T(offset) PE(position) = PE(position + offset), entry by entry, in each of three orders of the entries.

    Beside it, if so asked, a circle with the hands that it turns, and with its eigenvalues.

    >>> BlockShift(arrangement="halves")
    BlockShift(position=20, offset=5, d_model=8, base=10000.0, arrangement='halves', beside='nothing')
    >>> BlockShift(arrangement="sines first")
    Traceback (most recent call last):
        ...
    ValueError: arrangement must be one of 'interleaved', 'halves', 'cosine first', got 'sines first'
    """

    slug = "block-shift"
    position = Number(20, low=0, high=100, integer=True, help="where the encoding is taken")
    offset = Number(5, low=-50, high=50, integer=True, help="the shift")
    d_model = Width(8, high=16)
    base = Base()
    arrangement = Choice("interleaved", LAYOUTS, help='"halves" is all sines before all cosines')
    beside = Choice(
        "nothing", ("nothing", "hands", "eigenvalues"), help="what is on a circle; it has no control"
    )
