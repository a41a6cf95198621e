"""Moving a code along the sequence: every pair turns by its own angle.

PE(p + k) = T(k) PE(p) with T(k) = diag(M_k(omega_0), M_k(omega_1), ...) and
M_k(omega) = [[cos(omega k), sin(omega k)], [-sin(omega k), cos(omega k)]], acting on (sin, cos).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_d_model, check_real
from posenc.encoding import frequencies

Layout = Literal["interleaved", "halves", "cosine first"]

#: The orders of an encoding's entries that are in use.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def halves_order(d_model: int) -> NDArray[np.intp]:
    """The order of dimensions that turns the layout "interleaved" into "halves": 0, 2, 4, ... and then 1, 3, 5, ...

    Parameters, errors: as for :func:`posenc.frequencies`.

    Returns
    -------
    array of shape (d_model,): ``x[..., order]`` is in halves if ``x`` is interleaved

    Introduced in the chapter "Relatives".

    >>> halves_order(6)
    array([0, 2, 4, 1, 3, 5])
    """
    return np.arange(check_d_model(d_model)).reshape(-1, 2).T.ravel()


def layout_order(layout: Layout, d_model: int) -> NDArray[np.intp]:
    """The order of the entries of our encoding, which is interleaved, that makes one of :data:`LAYOUTS`.

    Parameters
    ----------
    layout : one of LAYOUTS
    d_model : even integer >= 2

    Returns
    -------
    array of shape (d_model,): ``x[..., order]`` is in ``layout`` if ``x`` is interleaved

    >>> layout_order("halves", 6), layout_order("cosine first", 6)
    (array([0, 2, 4, 1, 3, 5]), array([1, 0, 3, 2, 5, 4]))
    """
    d_model = check_d_model(d_model)
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(map(repr, LAYOUTS))}, got {layout!r}")
    if layout == "halves":
        return halves_order(d_model)
    return np.arange(d_model) ^ (layout == "cosine first")


def _one_offset(offset: float) -> float:
    offset = check_real(offset, "offset")
    if offset.ndim:
        raise ValueError(f"offset must be a single number, got an array of shape {offset.shape}")
    return float(offset)


def shift(encodings: ArrayLike, offset: float, base: float = 10_000.0) -> Float:
    """Turn encodings of positions p into encodings of p + offset, without knowing p.

    Equal to ``encodings @ shift_matrix(offset, d_model, base).T`` in O(d_model) work a row:
    the matrix is never built.

    Parameters
    ----------
    encodings : array of shape (..., d_model), sine and cosine interleaved; d_model is read off it
    offset : one finite real number, in positions
    base : finite number > 1, the one the encodings were made with

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If the last axis is not even, an entry is not finite, or offset is not one finite number.

    Introduced in the chapter "Two dimensions".

    >>> from posenc import positional_encoding
    >>> np.allclose(shift(positional_encoding(5, 8), 3), positional_encoding(8, 8))
    True
    >>> shift(np.zeros(3), 1)
    Traceback (most recent call last):
        ...
    ValueError: encodings must have an even last axis (d_model), got shape (3,)
    """
    encodings = check_real(encodings, "encodings")
    if encodings.ndim == 0 or encodings.shape[-1] < 2 or encodings.shape[-1] % 2:
        raise ValueError(f"encodings must have an even last axis (d_model), got shape {encodings.shape}")
    angles = _one_offset(offset) * frequencies(encodings.shape[-1], base)  # (d_model/2,)
    cos, sin = np.cos(angles), np.sin(angles)
    s, c = encodings[..., 0::2], encodings[..., 1::2]
    shifted = np.empty_like(encodings)
    shifted[..., 0::2] = cos * s + sin * c  # sin(a + b) = cos b sin a + sin b cos a
    shifted[..., 1::2] = cos * c - sin * s  # cos(a + b) = cos b cos a - sin b sin a
    return shifted


def shift_matrix(offset: float, d_model: int, base: float = 10_000.0) -> Float:
    """The matrix T(offset) with T(offset) PE(p) = PE(p + offset) for every p: block-diagonal, orthogonal.

    Parameters
    ----------
    offset : one finite real number, in positions
    d_model : even integer >= 2
    base : finite number > 1

    Returns
    -------
    array of shape (d_model, d_model)

    Raises
    ------
    TypeError, ValueError
        As for :func:`frequencies`, and if offset is not one finite number.

    Introduced in the chapter "Two dimensions" for d_model = 2, in "Many dimensions" for every width.

    >>> shift_matrix(np.pi / 2, 2).round(3)
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    d_model = check_d_model(d_model)
    # The columns of T are the shifted unit vectors, so `shift` holds the only copy of the formula.
    return shift(np.eye(d_model), offset, base).T
