"""RoPE, the rotary position embedding: queries and keys turned by their positions."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_d_model, check_real
from posenc.encoding import _frequencies_for, resolve_frequencies

RopeLayout = Literal["interleaved", "halves"]

#: The ways to make pairs of entries, from neighbors or from entry i and entry i + d_model/2.
ROPE_LAYOUTS: tuple[RopeLayout, ...] = get_args(RopeLayout)


def apply_rope(
    vectors: ArrayLike,
    positions: ArrayLike,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
    layout: RopeLayout = "interleaved",
) -> Float:
    """Queries or keys with each pair turned by the angle omega_i p of its token's position p.

    The pair (x, y) becomes (x cos - y sin, x sin + y cos): as a complex number x + jy it is multiplied by
    e^(j omega p).

    Parameters
    ----------
    vectors : array_like
        Shape (..., d_model), one row for each token; `d_model` is read off it. It is the size of one head.
    positions : array_like
        Real numbers of the shape of `vectors` without its last axis, or one that broadcasts to it.
    base : float, optional
        Finite, > 1; 10,000 if it is not given. In most libraries `rope_theta`.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,), in place of `base`: see :mod:`posenc.context`.
    layout : {"interleaved", "halves"}
        Pair i is (2i, 2i + 1), as in RoFormer and GPT-J, or (i, i + d_model/2), as in GPT-NeoX, Llama's
        weights at Hugging Face and wherever a function is named `rotate_half`.

    Returns
    -------
    ndarray
        The shape of `vectors`.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, the shapes do not fit, there is no such layout, or both
        `base` and `omega` are given.

    References
    ----------
    Su et al. (2024), section 3.2; the layout "halves": Black et al. (2022).

    Examples
    --------
    >>> apply_rope([[1.0, 0.0], [1.0, 0.0]], [0, np.pi / 2]).round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    vectors, positions = check_real(vectors, "vectors"), check_real(positions, "positions")
    if not vectors.ndim:
        raise ValueError("vectors must have at least one axis, got a single number")
    d_model = check_d_model(vectors.shape[-1])
    omega = _frequencies_for(d_model, base, omega)
    if layout not in ROPE_LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(map(repr, ROPE_LAYOUTS))}, got {layout!r}")
    try:
        positions = np.broadcast_to(positions, vectors.shape[:-1])
    except ValueError:
        raise ValueError(
            f"positions must fit vectors of shape {vectors.shape}, got shape {positions.shape}"
        ) from None
    angles = positions[..., np.newaxis] * omega  # (..., d_model/2)
    sin, cos = np.sin(angles), np.cos(angles)
    half = d_model // 2
    first, second = (
        (np.s_[..., 0::2], np.s_[..., 1::2])
        if layout == "interleaved"
        else (np.s_[..., :half], np.s_[..., half:])
    )
    turned = np.empty_like(vectors)
    turned[first] = vectors[first] * cos - vectors[second] * sin
    turned[second] = vectors[first] * sin + vectors[second] * cos
    return turned


def pair_products(query: ArrayLike, key: ArrayLike) -> NDArray[np.complex128]:
    """The numbers h_i with which a RoPE score is the real part of sum h_i e^(j omega_i Delta).

    Parameters
    ----------
    query, key : array_like
        Shape (d_model,), real numbers, interleaved: each pair is a complex number.

    Returns
    -------
    ndarray of complex
        Shape (d_model/2,): each pair of the query times the conjugate of the pair of the key.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, or the two do not have one even length.

    References
    ----------
    Su et al. (2024), section 3.4.3.

    Examples
    --------
    >>> pair_products([1, 0], [0, 1])
    array([0.-1.j])
    """
    query, key = check_real(query, "query"), check_real(key, "key")
    if query.ndim != 1 or query.shape != key.shape:
        raise ValueError(f"query and key must have one shape (d_model,), got {query.shape} and {key.shape}")
    check_d_model(query.size)
    products: NDArray[np.complex128] = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])
    return products


def abel_bound(
    pairs: ArrayLike,
    offsets: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Abel's bound on ``|sum h_i e^(j omega_i Delta)|``, as a fraction of ``sum |h_i|``, the most it can be.

    Parameters
    ----------
    pairs : array_like
        The h_i of :func:`pair_products`: real or complex numbers of shape (d_model/2,), not all 0.
    offsets : array_like
        Differences of positions: real numbers of any shape.
    d_model : int, optional
        Size of a head: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Of the shape of `offsets`. Above 1 it says nothing.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit; and as for :func:`posenc.encoding.resolve_frequencies`.

    References
    ----------
    Su et al. (2024), section 3.4.3.

    Examples
    --------
    >>> abel_bound([1.0, 0.5], [0.0], 4)
    array([1.])
    """
    offsets, omega = check_real(offsets, "offsets"), resolve_frequencies(d_model, base, omega)
    pairs = np.asarray(pairs)
    if pairs.shape != omega.shape or not pairs.any():
        raise ValueError(f"pairs must have shape {omega.shape} and an entry that is not 0, got {pairs}")
    steps = np.abs(np.diff(pairs, append=0)).max()
    sums = np.abs(np.cumsum(np.exp(1j * np.multiply.outer(offsets, omega)), axis=-1)).sum(axis=-1)
    bound: Float = steps * sums / np.abs(pairs).sum()
    return bound
