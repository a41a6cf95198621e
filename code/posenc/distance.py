"""How alike and how far apart two encodings are: both depend on the difference of the positions alone.

With Delta = p - q, measured in positions, and the sums over the pairs i:
similarity K(Delta) = PE(p) . PE(q) = sum cos(omega_i Delta), and
distance ``|PE(p) - PE(q)|`` = 2 sqrt(sum sin^2(omega_i Delta / 2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_angles,
    check_base,
    check_choice,
    check_count,
    check_d_model,
    check_entries,
    check_real,
    check_result,
    needed,
)
from posenc.encoding import BASE, resolve_frequencies

ANGLES_AT_ONCE = 2**15  # 256 KiB of angles: they stay in a processor's cache


def _sum_over_pairs(offsets: Float, omega: Float, term: Callable[[Float], Float]) -> Float:
    """Sum ``term(offset * omega_i)`` over i for every offset, in bounded memory."""
    flat, total = offsets.ravel(), np.empty(offsets.size)
    rows = max(1, ANGLES_AT_ONCE // omega.size)
    for first in range(0, flat.size, rows):
        part = slice(first, first + rows)
        total[part] = term(flat[part, np.newaxis] * omega).sum(axis=-1)  # (rows, d_model/2) -> (rows,)
    scalar_or_array: Float = total.reshape(offsets.shape)[()]  # [()] makes a scalar of a 0-d array
    return scalar_or_array


def similarity(
    offsets: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Dot product K of two encodings whose positions differ by ``offsets``: sum of cos(omega_i offset).

    It is even in the offset, and K(0) = d_model/2 is its maximum. Its error is at most sum a_i + 2 eps *
    d_model, with eps and a_i as in :func:`encoding_distance`.

    Parameters
    ----------
    offsets : array_like
        Differences of positions: real numbers of any shape.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Dimensionless, of the shape of `offsets`; a scalar for a scalar.

    Raises
    ------
    TypeError, ValueError
        If an offset is not a finite real number; and as for :func:`posenc.encoding.resolve_frequencies`.

    References
    ----------
    The sum as a measure of how dot products decay with the offset: Su (2021), https://kexue.fm/archives/8231.

    Examples
    --------
    >>> similarity([0, 1, -1], 4).round(3)
    array([2.  , 1.54, 1.54])
    >>> from posenc import positional_encoding
    >>> bool(np.isclose(similarity(5 - 3, 64), positional_encoding(5, 64) @ positional_encoding(3, 64)))
    True
    """
    offsets = check_real(offsets, "offsets")
    omega = resolve_frequencies(d_model, base, omega)
    check_angles(offsets, omega, "offsets")
    return _sum_over_pairs(offsets, omega, lambda angles: np.cos(angles, out=angles))


def encoding_distance(
    offsets: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Euclidean distance of two encodings whose positions differ by ``offsets``.

    It is 2 sqrt(sum sin^2(omega_i offset / 2)): nothing is subtracted, so small distances are as exact as
    large ones. For offsets up to 10 in size, and base >= 2, the relative error is below 1e-14. For any offset
    (not subnormal) and eps = 2**-52, the rounding of omega_i and of the product moves angle i by at most
    ``a_i = eps * |offset| * omega_i * (1 + |ln omega_i|)``, and the distance by at most sqrt(sum a_i^2) + 4
    eps * distance.

    Parameters
    ----------
    offsets : array_like
        Differences of positions: real numbers of any shape.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        From 0 to at most sqrt(2 d_model), of the shape of `offsets`; a scalar for a scalar. If the base is a
        whole number, the least upper bound is that of :func:`posenc.families.largest_distance`.

    Raises
    ------
    TypeError, ValueError
        If an offset is not a finite real number; and as for :func:`posenc.encoding.resolve_frequencies`.

    Examples
    --------
    >>> encoding_distance([0, 1, -1, 1000], 4).round(3)
    array([0.   , 0.959, 0.959, 2.134])
    >>> float(encoding_distance(1e-9, 2))  # d_model - 2 K would give 0
    1e-09
    >>> from posenc import positional_encoding
    >>> apart = np.linalg.norm(positional_encoding(5, 64) - positional_encoding(3, 64))
    >>> bool(np.isclose(encoding_distance(5 - 3, 64), apart))
    True
    """
    offsets = check_real(offsets, "offsets")
    omega = resolve_frequencies(d_model, base, omega)
    check_angles(offsets, omega, "offsets")
    chord = 2 * np.sqrt(
        _sum_over_pairs(offsets, omega / 2, lambda angles: np.square(np.sin(angles, out=angles)))
    )
    largest = np.abs(omega).max()
    with np.errstate(over="ignore", invalid="ignore"):  # where it overflows, the arc is not taken
        arc = abs(offsets) * largest * np.linalg.norm(omega / (largest or 1.0))
    distance: Float = np.where(arc < 1e-100, arc, chord)[()]  # the squares of sines below 1e-154 underflow
    return distance


def _distances_up_to(count: int, omega: Float) -> Float:
    """Distances at offsets 0 .. count - 1 by sin(a + b) = sin a cos b + cos a sin b: few sines are taken."""
    half = omega / 2
    block = math.isqrt(count) or 1
    angles = np.arange(block)[:, np.newaxis] * half  # (block, d_model/2)
    sin, cos = np.sin(angles), np.cos(angles)
    squares = np.empty((-(-count // block), block))
    for row, start in zip(squares, np.arange(0, count, block), strict=True):
        turned = sin * np.cos(start * half) + cos * np.sin(start * half)
        np.vecdot(turned, turned, out=row)
    distances: Float = 2 * np.sqrt(squares.ravel()[:count])
    return distances


def distance_matrix(
    n_positions: int,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Distances between all pairs of the positions 0 .. n_positions - 1, as a Toeplitz view.

    Entry (p, q) is the distance at offset p - q, so there are only ``n_positions`` different numbers: O(n
    d_model) arithmetic. The rows are overlapping windows of one line of 2n - 1 of them, laid out both ways
    from 0. Take a ``.copy()`` to have n * n numbers that can be written to.

    Offsets are reached by turning, not by taking all their sines, which adds at most 4 eps * sqrt(d_model)
    to the error stated for :func:`encoding_distance`.

    Parameters
    ----------
    n_positions : int
        Number of positions, >= 0.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Read-only view of shape (n_positions, n_positions).

    Raises
    ------
    TypeError, ValueError
        If `n_positions` is not an integer >= 0; and as for :func:`posenc.encoding.resolve_frequencies`.

    Examples
    --------
    >>> distance_matrix(3, 4).round(3)
    array([[0.   , 0.959, 1.683],
           [0.959, 0.   , 0.959],
           [1.683, 0.959, 0.   ]])
    """
    n_positions = check_count(n_positions, "n_positions", least=0)
    omega = resolve_frequencies(d_model, base, omega)
    check_entries(n_positions * omega.size, "n_positions and d_model")
    check_angles(np.array([float(n_positions)]), omega, "n_positions")
    curve = _distances_up_to(n_positions, omega)  # (n,)
    line = np.concatenate([curve[:0:-1], curve])  # (2n - 1,): offsets -(n-1) .. n-1
    return sliding_window_view(line, n_positions)[::-1][:n_positions]  # no positions have one (empty) window


def similarity_law(offsets: ArrayLike, d_model: int, base: float = BASE, *, corrections: int = 1) -> Float:
    """The logarithmic law of similarity, an approximation of :func:`similarity` by an integral.

    It is (d_model/2) [Ci(Delta) - Ci(Delta/base)] / ln(base), and Euler-Maclaurin corrections: the sum
    K(Delta) over the pairs is an integral, and the corrections are what the sum and the integral differ by.
    The first is (cos(Delta) - cos(Delta/base)) / 2, and with it the error is at most ln(base) Delta^2 / (4
    d_model); the second is ln(base) (Delta/base sin(Delta/base) - Delta sin(Delta)) / (6 d_model).

    Parameters
    ----------
    offsets : array_like
        Differences of positions: real numbers of any shape. The law is even, as K is.
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.
    corrections : {0, 1, 2}
        How many of the corrections to add.

    Returns
    -------
    ndarray
        Dimensionless, of the shape of `offsets`; a scalar for a scalar.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    The cosine integral comes from mpmath, which `pip install posenc[proofs]` installs.

    References
    ----------
    The integral: Su (2024), https://kexue.fm/archives/10122. The corrections are Euler's and Maclaurin's.

    Examples
    --------
    >>> from posenc import similarity
    >>> similarity_law([10, 100], 512).round(2), similarity([10, 100], 512).round(2)
    (array([173.77, 111.75]), array([173.79, 111.95]))
    """
    far = abs(check_real(offsets, "offsets"))
    pairs, base = check_d_model(d_model) / 2, check_base(base)
    check_choice(corrections, "corrections", (0, 1, 2))
    near = far / base
    step = np.log(base) / pairs  # the logarithm of the ratio of neighboring frequencies
    law = (_cosine_integral(far) - _cosine_integral(near)) / step
    if corrections > 0:
        law = law + (np.cos(far) - np.cos(near)) / 2
    if corrections > 1:
        law = law + step * (near * np.sin(near) - far * np.sin(far)) / 12
    bounded: Float = np.where(near == 0, pairs, law)[()]  # below 5e-324 * base, K is d_model/2 to every digit
    return bounded


def _cosine_integral(values: Float) -> Float:
    mpmath = needed("mpmath", "proofs", "similarity_law")

    integral: Float = np.vectorize(lambda x: float(mpmath.ci(x)) if x else 0.0, otypes=[float])(values)
    return integral


def similarity_law_bound(offsets: ArrayLike, d_model: int, base: float = BASE) -> Float:
    """The proved bound ln(base) Delta^2 / (4 d_model) on the error of :func:`similarity_law`.

    It holds with one correction.

    Parameters
    ----------
    offsets : array_like
        Differences of positions: real numbers of any shape.
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.

    Returns
    -------
    ndarray
        Dimensionless, of the shape of `offsets`; a scalar for a scalar.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> float(similarity_law_bound(2, 4, np.e))
    0.25
    """
    offsets, d_model = check_real(offsets, "offsets"), check_d_model(d_model)
    with np.errstate(over="ignore"):
        bound: Float = np.log(check_base(base)) * offsets**2 / (4 * d_model)
    return check_result(bound, "offsets")


def law_reach(d_model: int, base: float = BASE) -> float:
    """The offset pi d_model / ln(base), up to which the fastest pairs are dense enough for the law.

    There the angles of the two fastest pairs differ by a whole turn, to first order in ln(base)/d_model;
    beyond it the sum over the pairs is no longer as near the integral of :func:`similarity_law`.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.

    Returns
    -------
    float
        In positions.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> round(law_reach(512), 1)
    174.6
    """
    return math.pi * check_d_model(d_model) / math.log(check_base(base))


def first_decrease(d_model: int, base: float = BASE) -> int:
    """The smallest offset k at which the distance falls.

    Up to k = 1, 2, ... it rises, and at k + 1 it is smaller than at k. There always is one, because encodings
    come back near to where they were.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**16.
    base : float
        Finite, > 1.

    Returns
    -------
    int
        In positions.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> [first_decrease(d_model) for d_model in (2, 64, 512)]
    [3, 5, 43]
    """
    check_count(
        check_d_model(d_model), "d_model", least=2, most=2**16
    )  # it is found after some d_model/12 offsets
    block, start = 4096, 0
    while True:
        falls = np.diff(encoding_distance(np.arange(start, start + block + 1), d_model, base)) < 0
        if falls.any():
            return start + int(falls.argmax())
        start += block
