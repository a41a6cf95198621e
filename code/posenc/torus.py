"""The encoding for d_model = 4 as a curve on a torus in space, and the torus as an eye sees it.

The encoding has two angles: the fast one runs around the tube, the slow one around the hole. The large radius
is 1, that of the tube is `TUBE`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_base, check_real

#: The radius of the tube; the circle that its center runs along has radius 1.
TUBE = 0.42
#: The eye is at (0, 0, EYE), after turn and tilt.
EYE = 5.0


def torus_points(encodings: ArrayLike) -> Float:
    """Points of the torus for encodings of ``d_model = 4``.

    Parameters
    ----------
    encodings : array_like
        Real numbers of shape (..., 4): sine and cosine of the fast pair, then of the slow pair.

    Returns
    -------
    ndarray
        Points in space, of shape (..., 3).

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number or the last axis does not have four entries.

    Examples
    --------
    >>> torus_points([0, 1, 0, 1])
    array([1.42, 0.  , 0.  ])
    """
    encodings = check_real(encodings, "encodings")
    if encodings.shape[-1:] != (4,):
        raise ValueError(f"encodings must have shape (..., 4), got {encodings.shape}")
    fast_sin, fast_cos, slow_sin, slow_cos = np.moveaxis(encodings, -1, 0)
    out = 1 + TUBE * fast_cos
    return np.stack([out * slow_cos, out * slow_sin, TUBE * fast_sin], axis=-1)


def _tilt(tilt: float) -> Float:
    b = np.radians(90 - tilt)
    return np.array([[1, 0, 0], [0, np.cos(b), np.sin(b)], [0, -np.sin(b), np.cos(b)]])


def turned(points: Float, turn: float, tilt: float) -> Float:
    """Points after a turn about the axis of the torus and a tilt towards the eye.

    Parameters
    ----------
    points : ndarray
        Shape (..., 3).
    turn, tilt : float
        Angles in degrees.

    Returns
    -------
    ndarray
        Shape (..., 3): across, up, and towards the eye.

    Examples
    --------
    >>> turned(np.array([1.0, 0.0, 0.0]), 90, 90).round(12)
    array([0., 1., 0.])
    """
    a = np.radians(turn)
    about_axis = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    result: Float = points @ (_tilt(tilt) @ about_axis).T
    return result


def in_perspective(points: Float) -> Float:
    """Turned points as the eye sees them.

    Parameters
    ----------
    points : ndarray
        Shape (..., 3), from :func:`turned`.

    Returns
    -------
    ndarray
        Shape (..., 2).

    Examples
    --------
    >>> in_perspective(np.array([1.0, 0.5, 1.0]))
    array([1.25 , 0.625])
    """
    flat: Float = points[..., :2] * EYE / (EYE - points[..., 2:])
    return flat


def in_view(points: Float, tilt: float) -> NDArray[np.bool_]:
    """Whether the solid torus leaves the line from each turned point to the eye free.

    Parameters
    ----------
    points : ndarray
        Shape (..., 3), from :func:`turned` with the same tilt.
    tilt : float
        In degrees.

    Returns
    -------
    ndarray of bool
        Shape (...).

    Examples
    --------
    >>> in_view(np.array([[0.0, 0.0, 0.42], [0.0, 0.0, -0.42]]), 90)
    array([ True,  True])
    >>> in_view(np.array([[1.0, 0.0, 0.42], [1.0, 0.0, -0.42]]), 90)
    array([ True, False])
    """
    direction = np.array([0, 0, EYE]) - points
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    way = 0.03 + 0.06 * np.arange(48)
    along = points[..., np.newaxis, :] + way[:, np.newaxis] * direction[..., np.newaxis, :]
    across, deep, height = np.moveaxis(along @ _tilt(tilt), -1, 0)  # tilted back
    inside = (np.hypot(across, deep) - 1) ** 2 + height**2 < 0.999 * TUBE**2
    visible: NDArray[np.bool_] = ~inside.any(axis=-1)
    return visible


def windings(base: float) -> tuple[int, int] | None:
    """Turns of the fast and of the slow hand after which the curve for ``d_model = 4`` closes.

    Parameters
    ----------
    base : float
        Finite, > 1.

    Returns
    -------
    tuple of int, or None
        The numerator and the denominator of the square root of ``base``; None if it is irrational.

    Raises
    ------
    TypeError, ValueError
        If ``base`` is not a finite real number > 1.

    Examples
    --------
    >>> windings(6.25), windings(2)
    ((5, 2), None)
    """
    square = Fraction(check_base(base))
    root = Fraction(round(square.numerator**0.5), round(square.denominator**0.5))
    return (root.numerator, root.denominator) if root**2 == square else None
