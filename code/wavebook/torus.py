"""When the curve of the encoding for d_model = 4, which winds around a torus, closes."""

from __future__ import annotations

import math
from fractions import Fraction

from posenc.arguments import check_base


def windings(base: float) -> tuple[int, int] | None:
    """Turns of the fast and of the slow hand after which the curve for ``d_model = 4`` closes.

    They are the numerator and the denominator of the square root of ``base``, a finite real number > 1, or it
    is a TypeError or ValueError; None if the root is irrational.

    >>> windings(6.25), windings(2)
    ((5, 2), None)
    """
    square = Fraction(check_base(base))
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return (root.numerator, root.denominator) if root**2 == square else None
