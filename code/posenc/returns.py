"""Near returns: offsets at which the encodings of two positions almost meet."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    check_angles,
    check_base,
    check_count,
    check_d_model,
    check_products,
    needed,
    shown,
)
from posenc.distance import encoding_distance
from posenc.encoding import BASE, positional_encoding, resolve_frequencies

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


def record_offsets(
    max_offset: int,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> list[tuple[int, float]]:
    """The offsets up to ``max_offset`` whose distance is smaller than that of every smaller offset.

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
    list of (int, float)
        Offsets in positions, rising from 1, and their distances.

    Raises
    ------
    TypeError, ValueError
        As for :func:`closest_offset`, which is asked once for each record.

    Examples
    --------
    >>> [offset for offset, _ in record_offsets(1000, 2)]
    [1, 6, 19, 25, 44, 333, 710]
    >>> [offset for offset, _ in record_offsets(1000, 512)]
    [1]
    """
    omega = resolve_frequencies(d_model, base, omega)
    records: list[tuple[int, float]] = []
    last = check_count(max_offset, "max_offset", least=1)
    while last:
        records.append(closest_offset(last, omega=omega))
        last = records[-1][0] - 1
    return records[::-1]


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
    >>> from posenc.spectra import difference_set_frequencies
    >>> round(coherence(frequencies(24), 132), 3)
    0.961
    >>> round(coherence(difference_set_frequencies(24, 11), 132), 3)  # the square root of 11, of 12
    0.276
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


def far_return(d_model: int, base: float = BASE, *, digits: int) -> tuple[int, float]:
    """A far offset after which all pairs are nearly back where they were.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 256.
    base : float
        Finite, > 1.
    digits : int
        The search rounds to so many digits, from 1 to 1000; with m = d_model/2 pairs, the offset has about
        digits * m/(m + 1) of them.

    Returns
    -------
    offset : int
        In positions, exact and as a rule above 2**53.
    distance : float
        The distance of the encodings at this offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or only the offset 1 was found.

    Notes
    -----
    All omega_i Delta are near whole turns where the lattice spanned by (1, N omega_0, N omega_1, ...) and N *
    2 pi in each place but the first has a short vector, N = 10^digits. The LLL algorithm finds one, not
    always the shortest: the offset returned is a near return, and not necessarily the first as near as that.

    It needs SymPy and mpmath, which `pip install posenc[proofs]` installs.

    Examples
    --------
    >>> far_return(32, digits=13)  # about 3 * 10^12, and nearer than two neighbors are
    (3161400533564, 0.998399949555934)
    """
    d_model, base = check_d_model(d_model), check_base(base)
    pairs = check_count(d_model, "d_model", least=2, most=256) // 2
    digits = check_count(digits, "digits", least=1, most=1000)
    mpmath, sp = needed("mpmath", "proofs", "far_return"), needed("sympy", "proofs", "far_return")
    matrices = needed("sympy.polys.matrices", "proofs", "far_return")
    with mpmath.workdps(2 * digits + 20):
        omega = [mpmath.mpf(base) ** (-mpmath.mpf(i) / pairs) for i in range(pairs)]
        size = mpmath.mpf(10) ** digits
        rows = [[1, *(int(mpmath.nint(size * w)) for w in omega)]]
        turn = int(mpmath.nint(size * 2 * mpmath.pi))
        rows += [[0] * (1 + i) + [turn] + [0] * (pairs - 1 - i) for i in range(pairs)]
        reduced = matrices.DomainMatrix(rows, (pairs + 1, pairs + 1), sp.ZZ).lll().to_list()
        offsets = {abs(int(row[0])) for row in reduced} - {0, 1}
        if not offsets:
            raise ValueError(f"digits must be large enough to reach an offset above 1, got {digits!r}")
        apart = {k: 2 * mpmath.sqrt(mpmath.fsum(mpmath.sin(w * k / 2) ** 2 for w in omega)) for k in offsets}
        nearest: int = min(apart, key=lambda k: apart[k])
        return nearest, float(apart[nearest])


def real_period(d_model: int, base: int | Fraction = 10_000) -> int | None:
    """Whole turns of the fastest pair after which every pair is back, if there is such a number.

    If d_model = 2, the encoding of *real* positions has the period 2 pi, one turn, whatever the base. If
    d_model > 2 and base^(2/d_model) is a rational number u/v in lowest terms, it has the period 2 pi * turns
    with turns = u^(d_model/2 - 1). If d_model > 2 and that number is irrational, all real positions differ.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : int or Fraction
        > 1. Not a float, because whether a root of it is rational cannot be told from a float.

    Returns
    -------
    int or None
        The number of turns; None where no two real positions have the same encoding.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    It needs SymPy, which `pip install posenc[proofs]` installs.

    Examples
    --------
    >>> [real_period(d_model) for d_model in (2, 4, 6, 8, 10)]
    [1, 100, None, 1000, None]
    >>> real_period(4, Fraction(9, 4))
    3
    """
    pairs = check_d_model(d_model) // 2
    if isinstance(base, (bool, np.bool_)) or not isinstance(base, (int, np.integer, Fraction)):
        raise TypeError(f"base must be an integer or Fraction > 1, got {shown(base)}")
    ratio = Fraction(base) if isinstance(base, Fraction) else Fraction(operator.index(base))
    if ratio <= 1:
        raise ValueError(f"base must be an integer or Fraction > 1, got {shown(base)}")
    if pairs == 1:
        return 1
    sp = needed("sympy", "proofs", "real_period")
    (u, above), (_, below) = (
        sp.integer_nthroot(part, pairs) for part in (ratio.numerator, ratio.denominator)
    )
    return int(u) ** (pairs - 1) if above and below else None
