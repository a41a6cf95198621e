"""The explorer of roots: which encodings have a linear shift, by the eigenvalues of the shift."""

from __future__ import annotations

from wavebook.explorers.base import Choice, Explorer, Number
from wavebook.recurrence import MULTIPLICITIES


class Roots(Explorer):
    """A pair of eigenvalues in the complex plane, and the encoding that their shift makes.

    The root is dragged over the plane, or moved by its two sliders.

    >>> Roots(radius=0.9)
    Roots(radius=0.9, angle=30, multiplicity='single')
    """

    slug = "roots"
    radius = Number(1.0, low=0.8, high=1.2, step=0.01, help="the modulus of the root")
    angle = Number(30, low=0, high=180, integer=True, help="of the root, in degrees")
    multiplicity = Choice("single", MULTIPLICITIES)
