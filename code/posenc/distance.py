"""How alike and how far apart two encodings are: both depend on the difference of the positions alone.

With Delta = p - q, measured in positions, and the sums over the pairs i:
similarity K(Delta) = PE(p) . PE(q) = sum cos(omega_i Delta), and
distance |PE(p) - PE(q)| = 2 sqrt(sum sin^2(omega_i Delta / 2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from posenc.encoding import (
    Float,
    check_base,
    check_count,
    check_d_model,
    check_real,
    choose_frequencies,
    frequencies,
    positional_encoding,
)

ANGLES_AT_ONCE = 2**15  # 256 KiB of angles: they stay in a processor's cache
SPAN = 512  # closest_offset looks at SPAN * SPAN offsets at once


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
    with eps and a_i as in :func:`distance`.

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
        offsets, choose_frequencies(d_model, base, omega), lambda angles: np.cos(angles, out=angles)
    )


def distance(
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

    >>> distance([0, 1, -1, 1000], 4).round(3)
    array([0.   , 0.959, 0.959, 2.134])
    >>> float(distance(1e-9, 2))  # d_model - 2 K would give 0
    1e-09
    >>> from posenc import positional_encoding
    >>> bool(np.isclose(distance(5 - 3, 64), np.linalg.norm(positional_encoding(5, 64) - positional_encoding(3, 64))))
    True
    """
    offsets = check_real(offsets, "offsets")
    omega = choose_frequencies(d_model, base, omega)
    chord = 2 * np.sqrt(
        _sum_over_pairs(offsets, omega / 2, lambda angles: np.square(np.sin(angles, out=angles)))
    )
    arc = abs(offsets) * np.linalg.norm(omega)
    return np.where(arc < 1e-100, arc, chord)[()]  # the squares of sines below 1e-154 underflow


def _distances_up_to(count: int, d_model: int, base: float) -> Float:
    """distance(0), .., distance(count - 1) by sin(a + b) = sin a cos b + cos a sin b: few sines are taken."""
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
    to the error stated for :func:`distance`.

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


def closest_offset(max_offset: int, d_model: int, base: float = 10_000.0) -> tuple[int, float]:
    """Offset and distance of the two nearest encodings among those of the positions 0 .. max_offset.

    Distances depend on differences alone, so it is the offset from 1 to max_offset whose ``distance`` is smallest,
    and the first such offset in a tie. Every offset is looked at, but no cosine is taken of it: K(a + r) is the dot
    product of PE(a) and PE(-r), so two small tables of encodings and one matrix product give K for 262,144 offsets.
    K only nominates, with a margin for all rounding; :func:`distance` decides. The result is therefore that of
    calling it for every offset, with the error stated there.

    It costs 2 d_model floating-point operations an offset, and a few megabytes however large ``max_offset`` is:
    10**8 offsets take seconds up to d_model = 64, and tens of seconds at 512.

    Parameters
    ----------
    max_offset : integer from 1 to 2**53, in positions
    d_model : even integer >= 2
    base : finite number > 1

    Returns
    -------
    (offset, distance) : int, float

    Raises
    ------
    TypeError, ValueError
        If ``max_offset`` is not a positive integer; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> offset, apart = closest_offset(1000, 2)  # 710 is nearly 113 turns
    >>> offset, round(apart, 7)
    (710, 6.03e-05)
    >>> closest_offset(1000, 512)[0]
    1
    """
    max_offset = check_count(max_offset, "max_offset", least=1)
    d_model, base = check_d_model(d_model), check_base(base)
    steps = positional_encoding(-np.arange(SPAN), d_model, base).T  # (d_model, SPAN)
    eps, total_frequency = np.finfo(float).eps, frequencies(d_model, base).sum()
    nearest, apart = 0, math.inf
    for first in range(1, max_offset + 1, SPAN * SPAN):
        last = min(first + SPAN * SPAN - 1, max_offset)
        starts = positional_encoding(np.arange(first, last + 1, SPAN), d_model, base)  # (up to SPAN, d_model)
        similar = (starts @ steps).ravel()[: last + 1 - first]  # K(first), ..., K(last)
        # How far it can be from d_model/2 - distance^2/2: both round angles and sines, and add up d_model products.
        error = eps * (last * total_frequency + d_model * (d_model + 16))
        bar = max(similar.max(), (d_model - apart**2) / 2) - 2 * error
        nominated = first + np.flatnonzero(similar >= bar)
        if nominated.size:
            distances = distance(nominated, d_model, base)
            least = distances.argmin()
            if distances[least] < apart:
                nearest, apart = int(nominated[least]), float(distances[least])
    return nearest, apart
