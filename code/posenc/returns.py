"""Near returns: offsets at which the encodings of two positions almost meet."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    check_angles,
    check_count,
    check_products,
)
from posenc.distance import encoding_distance
from posenc.encoding import positional_encoding, resolve_frequencies

__all__ = ["closest_offset", "coherence"]

SPAN = 512  # closest_offset looks at SPAN * SPAN offsets at once


def closest_offset(
    max_offset: int,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> tuple[int, float]:
    """Offset and distance of the two nearest encodings among those of the positions 0 .. max_offset.

    Distances depend on differences alone, so it is the offset from 1 to max_offset whose distance is
    smallest, and the first such offset in a tie.

    Parameters
    ----------
    max_offset : int
        The last offset to look at, in positions: >= 1, and times d_model at most 2**40.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    offset : int
        In positions.
    distance : float
        What :func:`posenc.distance.encoding_distance` gives at this offset.

    Raises
    ------
    TypeError, ValueError
        If `max_offset` is not as above; and as for :func:`posenc.encoding.resolve_frequencies`.

    Notes
    -----
    Every offset is looked at, but no cosine is taken of it: K(a + r) is the dot product of PE(a) and PE(-r),
    so two small tables of encodings and one matrix product give K for 262,144 offsets. K only nominates, with
    a margin for all rounding; :func:`posenc.distance.encoding_distance` decides. The result is therefore that
    of calling it for every offset, with the error stated there.

    It costs 2 d_model floating-point operations an offset, and a few megabytes however large ``max_offset``
    is: 10**8 offsets take seconds up to d_model = 64, and tens of seconds at 512.

    Examples
    --------
    >>> offset, apart = closest_offset(1000, 2)  # 710 is nearly 113 turns
    >>> offset, round(apart, 7)
    (710, 6.03e-05)
    >>> closest_offset(1000, 512)[0]
    1
    """
    max_offset = check_count(max_offset, "max_offset", least=1)
    omega = resolve_frequencies(d_model, base, omega)
    size = 2 * omega.size
    check_products(max_offset * size, "max_offset and d_model")
    check_angles(np.array([float(max_offset)]), omega, "max_offset")
    total_frequency = np.abs(omega).sum()
    steps = positional_encoding(-np.arange(SPAN), omega=omega).T  # (d_model, SPAN)
    eps = np.finfo(float).eps
    nearest, apart = 0, math.inf
    for first in range(1, max_offset + 1, SPAN * SPAN):
        last = min(first + SPAN * SPAN - 1, max_offset)
        starts = positional_encoding(np.arange(first, last + 1, SPAN), omega=omega)  # (up to SPAN, d_model)
        similar = (starts @ steps).ravel()[: last + 1 - first]  # K(first), ..., K(last)
        # How far it can be from d_model/2 - distance^2/2: both round angles and sines, and add up products.
        error = eps * (last * total_frequency + size * (size + 16))
        bar = max(similar.max(), (size - apart**2) / 2) - 2 * error
        nominated = first + np.flatnonzero(similar >= bar)
        if nominated.size:
            distances = encoding_distance(nominated, omega=omega)
            least = distances.argmin()
            if distances[least] < apart:
                nearest, apart = int(nominated[least]), float(distances[least])
    return nearest, apart


def coherence(omega: ArrayLike, n: int) -> float:
    """How near the pairs are, at the worst of the offsets 1 to n, to being all turned by one angle.

    The greatest ``|sum of exp(i omega offset)|`` divided by the number of pairs: from 0 to 1, where all
    angles agree. In the terms of frames and codebooks, the mutual coherence of the vectors exp(i omega p) of
    n + 1 positions p.

    Parameters
    ----------
    omega : array_like
        Real numbers of shape (d_model/2,), radians per position; pairs of frequency 0 count too.
    n : int
        The last offset to look at, in positions: >= 1, and times d_model at most 2**40.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    The modulus and not the real part, since a head can add an angle to each pair by its weights: a common
    angle costs it nothing. K(offset) / K(0), the real part, at which :func:`closest_offset` looks, is at most
    this. Of m whole multiples of 2 pi / N
    none have less than sqrt((N - m) / (m (N - 1))) at n = N - 1 (Welch, 1974).

    Examples
    --------
    >>> from posenc.encoding import frequencies
    >>> round(coherence(frequencies(24), 132), 3)
    0.961
    """
    omega = resolve_frequencies(omega=omega)
    n = check_count(n, "n", least=1)
    check_products(n * 2 * omega.size, "n and omega")
    check_angles(np.array([float(n)]), omega, "n")
    greatest = 0.0
    span = max(1, SPAN * SPAN // omega.size)
    for first in range(1, n + 1, span):
        offsets = np.arange(first, min(first + span, n + 1))
        sums = np.exp(1j * np.multiply.outer(offsets, omega)).sum(1)
        greatest = max(greatest, float(np.abs(sums).max()))
    return min(1.0, greatest / omega.size)
