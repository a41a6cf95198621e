"""How alike and how far apart two encodings are: both depend on the difference of the positions alone.

With Delta = p - q, measured in positions, and the sums over the pairs i:
similarity K(Delta) = PE(p) . PE(q) = sum cos(omega_i Delta), and
distance |PE(p) - PE(q)| = 2 sqrt(sum sin^2(omega_i Delta / 2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from posenc._validate import Float, check_base, check_count, check_d_model, check_real
from posenc.encoding import frequencies, resolve_frequencies

ANGLES_AT_ONCE = 2**15  # 256 KiB of angles: they stay in a processor's cache


def _sum_over_pairs(offsets: Float, omega: Float, term: Callable[[Float], Float]) -> Float:
    """Sum ``term(offset * omega_i)`` over i, for every offset: the shape of ``offsets``, in bounded memory."""
    flat, total = offsets.ravel(), np.empty(offsets.size)
    rows = max(1, ANGLES_AT_ONCE // omega.size)
    for first in range(0, flat.size, rows):
        part = slice(first, first + rows)
        total[part] = term(flat[part, np.newaxis] * omega).sum(axis=-1)  # (rows, d_model/2) -> (rows,)
    return total.reshape(offsets.shape)[()]  # [()] makes a scalar of a 0-d array


def similarity(
    offsets: ArrayLike, d_model: int | None = None, base: float = 10_000.0, *, omega: ArrayLike | None = None
) -> Float:
    """Dot product K of two encodings whose positions differ by ``offsets``: sum of cos(omega_i offset).

    It is even in the offset, and K(0) = d_model/2 is its maximum. Its error is at most sum a_i + 2 eps * d_model,
    with eps and a_i as in :func:`encoding_distance`.

    Parameters
    ----------
    offsets : real numbers, of any shape, in positions
    d_model : even integer >= 2
    base : finite number > 1
    omega : real numbers of shape (d_model/2,), radians per position: any frequencies, in place of d_model and base

    Returns
    -------
    array of the shape of ``offsets`` (a scalar for a scalar), dimensionless

    Raises
    ------
    TypeError, ValueError
        If an offset or frequency is not a finite real number, or both ``d_model`` and ``omega`` are given;
        and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Uniqueness and interpolation"; ``omega`` in "Wavelengths in geometric progression".
    Source: the sum as a measure of how dot products decay with the offset, Su (2021), https://kexue.fm/archives/8231.

    >>> similarity([0, 1, -1], 4).round(3)
    array([2.  , 1.54, 1.54])
    >>> from posenc import positional_encoding
    >>> bool(np.isclose(similarity(5 - 3, 64), positional_encoding(5, 64) @ positional_encoding(3, 64)))
    True
    """
    offsets = check_real(offsets, "offsets")
    return _sum_over_pairs(
        offsets, resolve_frequencies(d_model, base, omega), lambda angles: np.cos(angles, out=angles)
    )


def encoding_distance(
    offsets: ArrayLike, d_model: int | None = None, base: float = 10_000.0, *, omega: ArrayLike | None = None
) -> Float:
    """Euclidean distance of two encodings whose positions differ by ``offsets``.

    It is 2 sqrt(sum sin^2(omega_i offset / 2)): nothing is subtracted, so small distances are as exact as large ones.
    For offsets up to 10 in size, and base >= 2, the relative error is below 1e-14. For any offset (not subnormal) and
    eps = 2**-52, the rounding of omega_i and of the product moves angle i by at most
    a_i = eps * |offset| * omega_i * (1 + |ln omega_i|), and the distance by at most sqrt(sum a_i^2) + 4 eps * distance.

    Parameters
    ----------
    offsets : real numbers, of any shape, in positions
    d_model : even integer >= 2
    base : finite number > 1
    omega : real numbers of shape (d_model/2,), radians per position: any frequencies, in place of d_model and base

    Returns
    -------
    array of the shape of ``offsets`` (a scalar for a scalar), from 0 to sqrt(2 d_model)

    Raises
    ------
    TypeError, ValueError
        If an offset or frequency is not a finite real number, or both ``d_model`` and ``omega`` are given;
        and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Uniqueness and interpolation"; ``omega`` in "Wavelengths in geometric progression".

    >>> encoding_distance([0, 1, -1, 1000], 4).round(3)
    array([0.   , 0.959, 0.959, 2.134])
    >>> float(encoding_distance(1e-9, 2))  # d_model - 2 K would give 0
    1e-09
    >>> from posenc import positional_encoding
    >>> bool(np.isclose(encoding_distance(5 - 3, 64), np.linalg.norm(positional_encoding(5, 64) - positional_encoding(3, 64))))
    True
    """
    offsets = check_real(offsets, "offsets")
    omega = resolve_frequencies(d_model, base, omega)
    chord = 2 * np.sqrt(
        _sum_over_pairs(offsets, omega / 2, lambda angles: np.square(np.sin(angles, out=angles)))
    )
    arc = abs(offsets) * np.linalg.norm(omega)
    return np.where(arc < 1e-100, arc, chord)[()]  # the squares of sines below 1e-154 underflow


def _distances_up_to(count: int, d_model: int, base: float) -> Float:
    """encoding_distance(0), .., encoding_distance(count - 1) by sin(a + b) = sin a cos b + cos a sin b: few sines are taken."""
    half = frequencies(d_model, base) / 2
    block = math.isqrt(count) or 1
    angles = np.arange(block)[:, np.newaxis] * half  # (block, d_model/2)
    sin, cos = np.sin(angles), np.cos(angles)
    squares = np.empty((-(-count // block), block))
    for row, start in zip(squares, np.arange(0, count, block), strict=True):
        turned = sin * np.cos(start * half) + cos * np.sin(start * half)
        np.vecdot(turned, turned, out=row)
    return 2 * np.sqrt(squares.ravel()[:count])


def distance_matrix(n_positions: int, d_model: int, base: float = 10_000.0) -> Float:
    """Distances between all pairs of the positions 0 .. n_positions - 1, as a Toeplitz view.

    Entry (p, q) is the distance at offset p - q, so there are only ``n_positions`` different numbers: O(n d_model)
    arithmetic. The rows are overlapping windows of one line of 2n - 1 of them, laid out both ways from 0.
    Take a ``.copy()`` to have n * n numbers that can be written to.

    Offsets are reached by turning, not by taking all their sines, which adds at most 4 eps * sqrt(d_model)
    to the error stated for :func:`encoding_distance`.

    Parameters
    ----------
    n_positions : integer >= 0
    d_model : even integer >= 2
    base : finite number > 1

    Returns
    -------
    read-only view of shape (n_positions, n_positions)

    Raises
    ------
    TypeError, ValueError
        If ``n_positions`` is not an integer >= 0; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> distance_matrix(3, 4).round(3)
    array([[0.   , 0.959, 1.683],
           [0.959, 0.   , 0.959],
           [1.683, 0.959, 0.   ]])
    """
    n_positions = check_count(n_positions, "n_positions", least=0)
    curve = _distances_up_to(n_positions, d_model, base)  # (n,)
    line = np.concatenate([curve[:0:-1], curve])  # (2n - 1,): offsets -(n-1) .. n-1
    return sliding_window_view(line, n_positions)[::-1][:n_positions]  # no positions have one (empty) window


def similarity_law(
    offsets: ArrayLike, d_model: int, base: float = 10_000.0, *, corrections: int = 1
) -> Float:
    """The logarithmic law of similarity: (d_model/2) [Ci(Delta) - Ci(Delta/base)] / ln(base), and Euler-Maclaurin corrections.

    The sum K(Delta) over the pairs is an integral, and the corrections are what the sum and the integral differ by:
    the first is (cos(Delta) - cos(Delta/base)) / 2, and with it the error is at most ln(base) Delta^2 / (4 d_model);
    the second is ln(base) (Delta/base sin(Delta/base) - Delta sin(Delta)) / (6 d_model).

    Parameters
    ----------
    offsets : real numbers, of any shape, in positions; the law is even, as K is
    d_model : even integer >= 2
    base : finite number > 1
    corrections : 0, 1 or 2, how many of them to add

    Returns
    -------
    array of the shape of ``offsets`` (a scalar for a scalar), to be compared with :func:`posenc.similarity`

    Raises
    ------
    TypeError, ValueError
        As for :func:`posenc.similarity`; and if ``corrections`` is not 0, 1 or 2.

    Introduced in the chapter "Uniqueness and interpolation". Source: the integral is Su's (2024),
    https://kexue.fm/archives/10122; the corrections are Euler's and Maclaurin's.

    >>> from posenc import similarity
    >>> similarity_law([10, 100], 512).round(2), similarity([10, 100], 512).round(2)
    (array([173.77, 111.75]), array([173.79, 111.95]))
    """
    far = abs(check_real(offsets, "offsets"))
    pairs, base = check_d_model(d_model) / 2, check_base(base)
    if corrections not in (0, 1, 2):
        raise ValueError(f"corrections must be 0, 1 or 2, got {corrections!r}")
    near, step = (
        far / base,
        np.log(base) / pairs,
    )  # step: the logarithm of the ratio of neighbouring frequencies
    law = (_cosine_integral(far) - _cosine_integral(near)) / step
    if corrections > 0:
        law = law + (np.cos(far) - np.cos(near)) / 2
    if corrections > 1:
        law = law + step * (near * np.sin(near) - far * np.sin(far)) / 12
    return np.where(near == 0, pairs, law)[()]  # below 5e-324 * base, K is d_model/2 to every digit


def _cosine_integral(values: Float) -> Float:
    import mpmath  # here, because `import posenc` must not need more than NumPy

    return np.vectorize(lambda x: float(mpmath.ci(x)) if x else 0.0, otypes=[float])(values)


def first_decrease(d_model: int, base: float = 10_000.0) -> int:
    """The smallest offset k with encoding_distance(k + 1) < encoding_distance(k), k = 1, 2, ...: up to k the distance rises.

    Parameters, errors: as for :func:`posenc.frequencies`. There always is one, for the code comes back near to where it was.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> [first_decrease(d_model) for d_model in (2, 64, 512)]
    [3, 5, 43]
    """
    block = 4096
    for start in count(0, block):
        falls = np.diff(encoding_distance(np.arange(start, start + block + 1), d_model, base)) < 0
        if falls.any():
            return start + int(falls.argmax())
