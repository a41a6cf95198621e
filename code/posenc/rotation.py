"""Moving an encoding along the sequence: every pair turns by its own angle.

PE(p + k) = T(k) PE(p) with T(k) = diag(M_k(omega_0), M_k(omega_1), ...) and
M_k(omega) = [[cos(omega k), sin(omega k)], [-sin(omega k), cos(omega k)]], acting on (sin, cos).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import (
    Float,
    check_angles,
    check_choice,
    check_d_model,
    check_entries,
    check_real,
    check_result,
    check_scalar,
)
from posenc.encoding import _frequencies_for, resolve_frequencies

Layout = Literal["interleaved", "halves", "cosine first"]

#: The orders of an encoding's entries that are in use.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def layout_order(layout: Layout, d_model: int) -> NDArray[np.intp]:
    """The order of the entries that takes an encoding of this package into another layout.

    Parameters
    ----------
    layout : {"interleaved", "halves", "cosine first"}
        "interleaved" is this package's own: sine and cosine of a pair side by side. "halves" has all sines
        and then all cosines (tensor2tensor). "cosine first" exchanges sine and cosine in each pair.
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.

    Returns
    -------
    ndarray of int
        Shape (d_model,): ``x[..., order]`` is in `layout` if ``x`` is interleaved.

    Raises
    ------
    TypeError, ValueError
        If there is no such layout, or `d_model` is not as above.

    Examples
    --------
    >>> layout_order("halves", 6), layout_order("cosine first", 6)
    (array([0, 2, 4, 1, 3, 5]), array([1, 0, 3, 2, 5, 4]))
    """
    d_model = check_d_model(d_model)
    check_choice(layout, "layout", LAYOUTS)
    if layout == "halves":
        return halves_order(d_model)
    return np.arange(d_model) ^ (layout == "cosine first")


def halves_order(d_model: int) -> NDArray[np.intp]:
    """The order that takes the layout "interleaved" into "halves": 0, 2, 4, ... and then 1, 3, 5, ...

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.

    Returns
    -------
    ndarray of int
        Shape (d_model,): ``x[..., order]`` is in halves if ``x`` is interleaved.

    Raises
    ------
    TypeError, ValueError
        If `d_model` is not as above.

    Examples
    --------
    >>> halves_order(6)
    array([0, 2, 4, 1, 3, 5])
    """
    return np.arange(check_d_model(d_model)).reshape(-1, 2).T.ravel()


def _angles(offset: float, d_model: int, base: float | None, omega: ArrayLike | None) -> Float:
    """How far each pair turns in ``offset`` positions: (d_model/2,)."""
    distance, frequency = check_scalar(offset, "offset"), _frequencies_for(d_model, base, omega)
    check_angles(np.array([distance]), frequency, "offset")
    angles: Float = distance * frequency
    return angles


def _pairs_of(encodings: ArrayLike) -> Float:
    checked = check_real(encodings, "encodings")
    if checked.ndim == 0 or checked.shape[-1] < 2 or checked.shape[-1] % 2:
        raise ValueError(f"encodings must have an even last axis (d_model), got shape {checked.shape}")
    return checked


def shift(
    encodings: ArrayLike, offset: float, base: float | None = None, *, omega: ArrayLike | None = None
) -> Float:
    """Turn encodings of positions p into encodings of p + offset, without knowing p.

    Equal to ``encodings @ shift_matrix(offset, d_model, base).T`` in O(d_model) work a row:
    the matrix is never built.

    Parameters
    ----------
    encodings : array_like
        Shape (..., d_model), sine and cosine interleaved; `d_model` is read off it.
    offset : float
        How far to move, in positions: one finite real number.
    base : float, optional
        The base that the encodings were made with: finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        The frequencies that the encodings were made with, of shape (d_model/2,), in place of `base`.

    Returns
    -------
    ndarray
        The shape of `encodings`.

    Raises
    ------
    TypeError, ValueError
        If the last axis is not even, an entry is not finite, `offset` is not one finite number, or both
        `base` and `omega` are given.

    Examples
    --------
    >>> from posenc import positional_encoding
    >>> np.allclose(shift(positional_encoding(5, 8), 3), positional_encoding(8, 8))
    True
    >>> shift(np.zeros(3), 1)
    Traceback (most recent call last):
        ...
    ValueError: encodings must have an even last axis (d_model), got shape (3,)
    """
    encodings = _pairs_of(encodings)
    angles = _angles(offset, encodings.shape[-1], base, omega)  # (d_model/2,)
    cos, sin = np.cos(angles), np.sin(angles)
    s, c = encodings[..., 0::2], encodings[..., 1::2]
    shifted = np.empty_like(encodings)
    with np.errstate(over="ignore"):
        shifted[..., 0::2] = cos * s + sin * c  # sin(a + b) = cos b sin a + sin b cos a
        shifted[..., 1::2] = cos * c - sin * s  # cos(a + b) = cos b cos a - sin b sin a
    return check_result(shifted, "encodings")


def shift_matrix(
    offset: float, d_model: int | None = None, base: float | None = None, *, omega: ArrayLike | None = None
) -> Float:
    """The matrix T(offset) with T(offset) PE(p) = PE(p + offset) for every p: block-diagonal, orthogonal.

    Parameters
    ----------
    offset : float
        How far to move, in positions: one finite real number.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Shape (d_model, d_model).

    Raises
    ------
    TypeError, ValueError
        If `offset` is not one finite number; and as for :func:`posenc.encoding.resolve_frequencies`.

    Examples
    --------
    >>> shift_matrix(np.pi / 2, 2).round(3)
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    frequency = resolve_frequencies(d_model, base, omega)
    check_entries(4 * frequency.size**2, "d_model")
    # The columns of T are the shifted unit vectors, so `shift` holds the only copy of the formula.
    return shift(np.eye(2 * frequency.size), offset, omega=frequency).T


def tangent_step(
    encodings: ArrayLike, offset: float, base: float | None = None, *, omega: ArrayLike | None = None
) -> Float:
    """Where a straight step leads: PE(p) + offset PE'(p), the linear approximation of :func:`shift`.

    Parameters
    ----------
    encodings : array_like
        Shape (..., d_model), sine and cosine interleaved; `d_model` is read off it.
    offset : float
        Length of the step, in positions: one finite real number.
    base : float, optional
        The base that the encodings were made with: finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        The frequencies that the encodings were made with, of shape (d_model/2,), in place of `base`.

    Returns
    -------
    ndarray
        The shape of `encodings`.

    Raises
    ------
    TypeError, ValueError
        As for :func:`shift`.

    Examples
    --------
    >>> tangent_step([0.0, 1.0], 0.5)
    array([0.5, 1. ])
    """
    encodings = _pairs_of(encodings)
    angles = _angles(offset, encodings.shape[-1], base, omega)  # (d_model/2,)
    s, c = encodings[..., 0::2], encodings[..., 1::2]
    ends = np.empty_like(encodings)
    with np.errstate(over="ignore", invalid="ignore"):
        ends[..., 0::2] = s + angles * c
        ends[..., 1::2] = c - angles * s
    return check_result(ends, "encodings and offset")
