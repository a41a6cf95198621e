"""The explorer of the shift of the whole encoding: its matrix, and the columns it acts on."""

from __future__ import annotations

from posenc.rotation import LAYOUTS
from wavebook.explorers.base import Base, Choice, Explorer, Number, Width


class BlockShift(Explorer):
    """T(offset) PE(position) = PE(position + offset), entry by entry, in each of three orders of the entries.

    Beside it, if so asked, a circle with the hands that it turns, and with its eigenvalues.

    Parameters
    ----------
    position : integer from 0 to 100, where the encoding is taken
    offset : integer from -50 to 50, the shift
    d_model : even integer from 2 to 16
    base : real number from 2 to 10^7
    arrangement : "interleaved", "halves" (all sines before all cosines) or "cosine first"
    beside : "nothing", "hands" or "eigenvalues" and hands, on a circle; it has no control

    >>> BlockShift(arrangement="halves")
    BlockShift(position=20, offset=5, d_model=8, base=10000.0, arrangement='halves', beside='nothing')
    >>> BlockShift(arrangement="sines first")
    Traceback (most recent call last):
        ...
    ValueError: arrangement must be one of 'interleaved', 'halves', 'cosine first', got 'sines first'
    """

    slug = "block-shift"
    position = Number(20, low=0, high=100, integer=True)
    offset = Number(5, low=-50, high=50, integer=True)
    d_model = Width(8, high=16)
    base = Base()
    arrangement = Choice("interleaved", LAYOUTS)
    beside = Choice("nothing", ("nothing", "hands", "eigenvalues"))
