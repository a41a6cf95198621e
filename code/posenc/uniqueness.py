"""What the chapter "Uniqueness and interpolation" measures with: the law of similarity, returns near and far, rounding.

It needs SymPy and mpmath besides NumPy, so it is imported by name.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import count

import mpmath
import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from sympy.polys.matrices import DomainMatrix

from posenc.distance import closest_offset, distance
from posenc.encoding import Float, check_base, check_count, check_d_model, check_real


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
    return np.vectorize(lambda x: float(mpmath.ci(x)) if x else 0.0, otypes=[float])(values)


def real_period(d_model: int, base: int | Fraction = 10_000) -> int | None:
    """Whole turns of the first hand after which every hand is back, if there is such a number.

    The encoding of *real* positions has the period 2 pi * turns if base^(2/d_model) is a rational number u/v,
    and then turns = u^(d_model/2 - 1); otherwise, and whenever d_model > 2, all real positions differ.

    Parameters
    ----------
    d_model : even integer >= 2
    base : integer or Fraction > 1: whether a root is rational cannot be told from a float

    Returns
    -------
    int, or None where no two real positions have the same code

    Raises
    ------
    TypeError, ValueError
        If ``base`` is not an integer or Fraction > 1, or ``d_model`` not an even integer >= 2.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> [real_period(d_model) for d_model in (2, 4, 6, 8, 10)]
    [1, 100, None, 1000, None]
    >>> real_period(4, Fraction(9, 4))
    3
    """
    pairs = check_d_model(d_model) // 2
    if isinstance(base, (bool, np.bool_)) or not isinstance(base, (int, np.integer, Fraction)):
        raise TypeError(f"base must be an integer or Fraction > 1, got {base!r}")
    ratio = Fraction(base) if isinstance(base, Fraction) else Fraction(operator.index(base))
    if ratio <= 1:
        raise ValueError(f"base must be an integer or Fraction > 1, got {base!r}")
    if pairs == 1:
        return 1
    (u, above), (_, below) = (
        sp.integer_nthroot(part, pairs) for part in (ratio.numerator, ratio.denominator)
    )
    return int(u) ** (pairs - 1) if above and below else None


def record_offsets(max_offset: int, d_model: int, base: float = 10_000.0) -> list[tuple[int, float]]:
    """The offsets up to ``max_offset`` whose distance is smaller than that of every smaller offset, with their distances.

    Parameters, errors: as for :func:`posenc.closest_offset`, which is asked once for each record.

    Returns
    -------
    list of (offset, distance), offsets rising from 1

    Introduced in the chapter "Uniqueness and interpolation".

    >>> [offset for offset, _ in record_offsets(1000, 2)]
    [1, 6, 19, 25, 44, 333, 710]
    >>> [offset for offset, _ in record_offsets(1000, 512)]
    [1]
    """
    records, last = [], check_count(max_offset, "max_offset", least=1)
    while last:
        records.append(closest_offset(last, d_model, base))
        last = records[-1][0] - 1
    return records[::-1]


def far_return(d_model: int, base: float = 10_000.0, *, digits: int) -> tuple[int, float]:
    """An offset of about ``digits`` digits after which all hands are nearly home, and the distance there.

    All omega_i Delta are near whole turns where the lattice spanned by (1, N omega_0, N omega_1, ...) and N * 2 pi in
    each place but the first has a short vector, N = 10^digits. The LLL algorithm finds one, not always the shortest:
    the offset returned is a near return, and not necessarily the first as near as that.

    Parameters
    ----------
    d_model : even integer >= 2
    base : finite number > 1
    digits : positive integer, the size of the numbers that the search may use

    Returns
    -------
    (offset, distance) : an exact int, above 2**53 as a rule, and a float

    Raises
    ------
    TypeError, ValueError
        As for :func:`posenc.frequencies`; if ``digits`` is not a positive integer; and if only the offset 1 was found.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> far_return(32, digits=13)  # about 3 * 10^12, and nearer than two neighbours are
    (3161400533564, 0.998399949555934)
    """
    pairs, base, digits = (
        check_d_model(d_model) // 2,
        check_base(base),
        check_count(digits, "digits", least=1),
    )
    with mpmath.workdps(2 * digits + 20):
        omega = [mpmath.mpf(base) ** (-mpmath.mpf(i) / pairs) for i in range(pairs)]
        size = mpmath.mpf(10) ** digits
        rows = [[1, *(int(mpmath.nint(size * w)) for w in omega)]]
        turn = int(mpmath.nint(size * 2 * mpmath.pi))
        rows += [[0] * (1 + i) + [turn] + [0] * (pairs - 1 - i) for i in range(pairs)]
        reduced = DomainMatrix(rows, (pairs + 1, pairs + 1), sp.ZZ).lll().to_list()
        offsets = {abs(int(row[0])) for row in reduced} - {0, 1}
        if not offsets:
            raise ValueError(f"digits must be large enough to reach an offset above 1, got {digits!r}")
        apart = {k: 2 * mpmath.sqrt(mpmath.fsum(mpmath.sin(w * k / 2) ** 2 for w in omega)) for k in offsets}
        nearest = min(apart, key=apart.get)
        return nearest, float(apart[nearest])


def first_decrease(d_model: int, base: float = 10_000.0) -> int:
    """The smallest offset k with distance(k + 1) < distance(k), k = 1, 2, ...: up to k the distance rises.

    Parameters, errors: as for :func:`posenc.frequencies`. There always is one, for the code comes back near to where it was.

    Introduced in the chapter "Uniqueness and interpolation".

    >>> [first_decrease(d_model) for d_model in (2, 64, 512)]
    [3, 5, 43]
    """
    block = 4096
    for start in count(0, block):
        falls = np.diff(distance(np.arange(start, start + block + 1), d_model, base)) < 0
        if falls.any():
            return start + int(falls.argmax())


def round_to_bfloat16(values: ArrayLike) -> Float:
    """The values a bfloat16 number can take that are nearest to ``values``, ties to even; as float64.

    A bfloat16 is the upper half of a float32: 8 significant bits, the exponents of a float32.

    Parameters
    ----------
    values : real numbers of any shape, below 3e38 in size

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If a value is not a finite real number, or is too large for the type.

    Introduced in the chapter "Uniqueness and interpolation". Source: Kalamkar et al. (2019), https://arxiv.org/abs/1905.12322.

    >>> round_to_bfloat16([1, 256, 257, 259, 0.1])
    array([1.00000000e+00, 2.56000000e+02, 2.56000000e+02, 2.60000000e+02,
           1.00097656e-01])
    """
    values = check_real(values, "values")
    mantissa, exponent = np.frexp(values)  # values = mantissa * 2**exponent, 1/2 <= |mantissa| < 1
    digits = np.minimum(8, exponent + 133)  # below 2**-126 digits are lost one by one, the last at 2**-133
    rounded = np.ldexp(np.rint(np.ldexp(mantissa, digits)), exponent - digits)
    if (abs(rounded) >= 2.0**128).any():
        raise ValueError(
            f"values must be below 3.39e38 in size to round to bfloat16, got {values[abs(rounded) >= 2.0**128].flat[0]}"
        )
    return rounded[()]
