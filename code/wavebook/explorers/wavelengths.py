"""The explorer of wavelengths: all on a logarithmic axis, and what a sequence of some length sees."""

from __future__ import annotations

from wavebook.explorers.base import Base, Explorer, Number, Width


class Wavelengths(Explorer):
    """Every pair against its wavelength, the pairs in each octave, and the length of a sequence among them.

    >>> Wavelengths(d_model=64)
    Wavelengths(d_model=64, base=10000.0, length=512.0)
    """

    slug = "wavelengths"
    parts = ("pairs",)
    d_model = Width(128, high=1024)
    base = Base()
    length = Number(512, low=10, high=1e7, step=0.01, log=True, help="in positions")
