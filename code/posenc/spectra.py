"""Other ways to choose the d_model/2 frequencies, and measures by which to compare them.

A spectrum is an array of angular frequencies, in radians per position, from the fastest to the slowest. The
book's own is :func:`posenc.encoding.frequencies`, the geometric one; any of them can be given as ``omega`` to
:func:`posenc.encoding.positional_encoding`, :func:`posenc.distance.similarity` and
:func:`posenc.distance.encoding_distance`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_angles,
    check_base,
    check_count,
    check_d_model,
    check_entries,
    check_products,
    check_rng,
)
from posenc.distance import distance_matrix, encoding_distance, similarity
from posenc.encoding import BASE, resolve_frequencies

__all__ = ["Measures", "log_uniform", "measure"]

#: The offsets from and to which :func:`measure` fits a line, how many it takes in geometric progression, and
#: the positions over which pairs agree.
OFFSETS, POINTS, LENGTH = (4, 512), 64, 1024


def log_uniform(d_model: int, base: float = BASE, *, rng: int | np.random.Generator = 0) -> Float:
    """Independent frequencies whose logarithms are uniform between 0 and -ln base.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.
    rng : int or numpy.random.Generator
        Where the random numbers come from: a seed, or a generator.

    Returns
    -------
    ndarray
        Radians per position, from fast to slow, of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> omega = log_uniform(512, rng=1)
    >>> bool((1e-4 < omega).all() and (omega <= 1).all())
    True
    """
    pairs, base = check_d_model(d_model) // 2, check_base(base)
    drawn: Float = check_rng(rng).uniform(size=pairs)
    return np.sort(base**-drawn)[::-1]


class Measures(NamedTuple):
    """What :func:`measure` measures."""

    #: The range, log10 of the longest over the shortest wavelength.
    decades: float
    #: The resolution, the distance of two neighboring positions.
    neighbors: float
    #: The coverage, how many of the octaves 2 pi 2^n .. 2 pi 2^(n+1) below 2 pi base hold no wavelength.
    empty: int
    #: The scale invariance, how much of K's variation a line in ln offset explains between the OFFSETS.
    logarithmic: float
    #: The median agreement of neighboring pairs over LENGTH positions, which is 1 if they turn as one.
    redundancy: float
    #: The largest n so that any two of the positions 0 .. n are at least 1 apart.
    apart: int


def measure(omega: ArrayLike, base: float = BASE, *, limit: int = 100_000) -> Measures:
    """Six measures of a spectrum, each named in :class:`Measures`.

    ``logarithmic`` is the squared correlation of K and ln offset at 64 offsets in geometric progression. The
    agreement of two pairs over L positions is ``|sum over p < L of e^(i (omega - omega') p)| / L``, a number
    from 0 to 1.

    Parameters
    ----------
    omega : array_like
        Positive numbers of shape (d_model/2,), radians per position, from fast to slow.
    base : float
        Says which octaves should be covered: finite, > 1.
    limit : int
        ``apart`` is not followed further than this: from 1 to 2**30.

    Returns
    -------
    Measures

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from posenc.encoding import frequencies
    >>> geometric = measure(frequencies(512))
    >>> geometric.empty, geometric.apart, round(geometric.decades, 2)
    (0, 100000, 3.98)
    """
    omega, base = resolve_frequencies(omega=omega), check_base(base)
    limit = check_count(limit, "limit", least=1)
    if not (omega > 0).all() or (np.diff(omega) > 0).any():
        raise ValueError(f"omega must be positive and fall from fast to slow, got {omega}")
    check_entries(limit, "limit")
    check_products(limit * 2 * omega.size, "limit and omega")
    octaves = np.floor(-np.log2(omega))
    wanted = np.arange(int(np.log2(base)))
    log_offsets = np.linspace(np.log(OFFSETS[0]), np.log(OFFSETS[1]), POINTS)
    beat = omega[:-1] - omega[1:]
    check_angles(np.array([LENGTH, np.exp(log_offsets[-1])]), omega, "OFFSETS")
    # np.sinc(x) = sin(pi x) / (pi x): the quotient is sin(L beat / 2) / (L sin(beat / 2)), with 0 / 0 = 1.
    agreement = np.abs(np.sinc(LENGTH * beat / (2 * np.pi)) / np.sinc(beat / (2 * np.pi)))
    near = np.flatnonzero(distance_matrix(limit + 1, omega=omega)[0, 1:] < 1)
    return Measures(
        decades=float(np.log10(omega[0]) - np.log10(omega[-1])),
        neighbors=float(encoding_distance(1, omega=omega)),
        empty=int((~np.isin(wanted, octaves)).sum()),
        logarithmic=_explained(log_offsets, similarity(np.exp(log_offsets), omega=omega)),
        redundancy=float(np.median(agreement)) if beat.size else 0.0,
        apart=int(near[0]) if near.size else limit,
    )


def _explained(x: Float, y: Float) -> float:
    """The squared correlation of two lines of numbers; 0 if the second does not vary."""
    return float(np.corrcoef(x, y)[0, 1] ** 2) if np.ptp(y) else 0.0
