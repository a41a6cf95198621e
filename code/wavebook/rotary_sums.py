"""Sums over the pairs of RoPE: a query's products with a key, and a bound of Abel's on their scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float, as_array, check_angles, check_real, check_result, shown
from posenc.encoding import resolve_frequencies


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
    if query.size % 2 or not query.size:
        raise ValueError(f"query and key must have an even length (d_model), got {query.size}")
    with np.errstate(over="ignore", invalid="ignore"):
        products: NDArray[np.complex128] = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])
    check_result(products.view(np.float64), "query and key")
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
        If the shapes do not fit, or an entry of `pairs` is no finite number; and as for
        :func:`posenc.encoding.resolve_frequencies`.

    References
    ----------
    Su et al. (2024), section 3.4.3.

    Examples
    --------
    >>> abel_bound([1.0, 0.5], [0.0], 4)
    array([1.])
    """
    offsets, omega = check_real(offsets, "offsets"), resolve_frequencies(d_model, base, omega)
    check_angles(offsets, omega, "offsets")
    pairs = as_array(pairs, "pairs", "real or complex numbers")
    if pairs.dtype.kind not in "iufc":
        raise TypeError(f"pairs must be real or complex numbers, got dtype {pairs.dtype} from {shown(pairs)}")
    if pairs.shape != omega.shape or not pairs.any() or not np.isfinite(pairs).all():
        raise ValueError(
            f"pairs must be finite, of shape {omega.shape}, with an entry that is not 0, got {pairs}"
        )
    pairs = pairs / np.abs(pairs).max()  # the bound is a fraction, and no sum of these overflows
    steps = np.abs(np.diff(pairs, append=0)).max()
    sums = np.abs(np.cumsum(np.exp(1j * np.multiply.outer(offsets, omega)), axis=-1)).sum(axis=-1)
    bound: Float = steps * sums / np.abs(pairs).sum()
    return bound
