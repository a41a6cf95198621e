"""RoPE, the rotary position embedding: queries and keys turned by their positions."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_d_model, check_real
from posenc.encoding import frequencies, resolve_frequencies

RopeLayout = Literal["interleaved", "halves"]

#: Which entries make a pair: neighbors (GPT-J style), or entry i and entry i + d_model/2 (NeoX style, `rotate_half`).
ROPE_LAYOUTS: tuple[RopeLayout, ...] = get_args(RopeLayout)


def apply_rope(
    vectors: ArrayLike,
    positions: ArrayLike,
    base: float = 10_000.0,
    *,
    omega: ArrayLike | None = None,
    layout: RopeLayout = "interleaved",
) -> Float:
    """Queries or keys, each pair turned by the angle omega_i p of its word's position.

    The pair (x, y) becomes (x cos - y sin, x sin + y cos): as a complex number x + jy it is multiplied by e^(j omega p).
    In the layout "interleaved" pair i is (2i, 2i + 1); in "halves" it is (i, i + d_model/2).

    Parameters
    ----------
    vectors : array of shape (..., d_model), one row for each word
    positions : real numbers of the shape of vectors without its last axis, or one that broadcasts to it
    base : finite number > 1
    omega : frequencies of shape (d_model/2,), radians per position, in place of base
    layout : "interleaved" or "halves"

    Returns
    -------
    array of the shape of ``vectors``

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, the shapes do not fit, or there is no such layout.

    Introduced in the chapter "Relatives". Source: Su et al. (2024), section 3.2; the layout "halves": Black et al. (2022).

    >>> apply_rope([[1.0, 0.0], [1.0, 0.0]], [0, np.pi / 2]).round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    vectors, positions = check_real(vectors, "vectors"), check_real(positions, "positions")
    if not vectors.ndim:
        raise ValueError("vectors must have at least one axis, got a single number")
    d_model = check_d_model(vectors.shape[-1])
    omega = frequencies(d_model, base) if omega is None else resolve_frequencies(None, base, omega)
    if omega.size != d_model // 2:
        raise ValueError(
            f"omega must have shape ({d_model // 2},) for vectors of width {d_model}, got {omega.shape}"
        )
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


def pair_products(query: Float, key: Float) -> NDArray[np.complex128]:
    """h_i: query and key of each pair as complex numbers, one times the conjugate of the other."""
    query, key = (vector[0::2] + 1j * vector[1::2] for vector in (query, key))
    return query * key.conj()


def abel_bound(pairs: NDArray[np.complex128], distances: Float, omega: Float) -> Float:
    """Abel's bound on |sum h_i e^(j omega_i Delta)|, as a share of sum |h_i|, which is the most it can be.

    >>> float(abel_bound(np.array([1.0, 0.5]), np.array([0.0]), frequencies(4))[0])
    1.0
    """
    steps = np.abs(np.diff(pairs, append=0)).max()
    sums = np.abs(np.cumsum(np.exp(1j * np.multiply.outer(distances, omega)), axis=-1)).sum(axis=-1)
    return steps * sums / np.abs(pairs).sum()
