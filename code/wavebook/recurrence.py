"""Encodings with a linear shift, by the roots of their recurrence: waves, decay, growth and drift."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import Float, check_choice, check_positive, check_real, check_result, check_scalar

Multiplicity = Literal["single", "double"]

#: How often a root may be taken.
MULTIPLICITIES: tuple[Multiplicity, ...] = get_args(Multiplicity)


def root_encoding(
    positions: ArrayLike, radius: float, angle: float, multiplicity: Multiplicity = "single"
) -> Float:
    r"""The encoding whose shift has the eigenvalues r e^(+-j theta), once or in a Jordan block of two.

    Its entries are r^p sin(theta p) and r^p cos(theta p), and for a double root p times these besides. For
    r = 1 and a single root that is a pair of the book's encoding; for r = 1, theta = 0 and a double root the
    entries are 0, 1, 0 and p.

    Parameters
    ----------
    positions : array_like
        Real numbers of any shape.
    radius : float
        The modulus r of the root, > 0.
    angle : float
        Its angle theta, in radians.
    multiplicity : {"single", "double"}
        Whether the root occurs once or twice.

    Returns
    -------
    ndarray
        Shape (\*positions.shape, 2) or (\*positions.shape, 4).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or an entry too large for a float.

    Examples
    --------
    >>> root_encoding([0, 1, 2], 0.5, 0)
    array([[0.  , 1.  ],
           [0.  , 0.5 ],
           [0.  , 0.25]])
    >>> root_encoding(7, 1, 0, "double")
    array([0., 1., 0., 7.])
    """
    places, angle = check_real(positions, "positions"), check_scalar(angle, "angle")
    radius = check_positive(radius, "radius")
    check_choice(multiplicity, "multiplicity", MULTIPLICITIES)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = check_result(angle * places, "angle and positions")
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        once: Float = np.exp(math.log(radius) * places)[..., np.newaxis] * waves
        if multiplicity == "double":
            once = np.concatenate([once, places[..., np.newaxis] * once], axis=-1)
    return check_result(once, "radius and positions")
