"""The explorer of the torus: where the encoding for d_model = 4 lives, and when its curve closes."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.explorers.base import Explorer, Number

#: The radius of the tube, where that of the circle which its center runs along is 1.
TUBE = 0.42
#: The eye is at (0, 0, EYE), after turn and tilt.
EYE = 5.0


class Torus(Explorer):
    """The curve of the encoding for d_model = 4 from position 0 on: on a torus, and on its square.

    The torus is turned by dragging it, or by its two sliders.

    >>> Torus(base=6.25)
    Torus(position=40.0, base=6.25, turn=30, tilt=50)
    >>> Torus(tilt=100)
    Traceback (most recent call last):
        ...
    ValueError: tilt must be an integer from 0 to 90, got 100
    """

    slug = "torus"
    position = Number(40.0, low=0, high=250, help="where the curve ends")
    base = Number(5.0, low=2, high=36, step=0.25, help="the curve closes if its root is a fraction")
    turn = Number(30, low=0, high=359, integer=True, help="about the axis, in degrees")
    tilt = Number(50, low=0, high=90, integer=True, help="degrees, from the side to above")

    constants: ClassVar[dict[str, Any]] = {"tube": TUBE, "eye": EYE}
