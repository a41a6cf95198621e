"""Hands that hang together: at an integer base the frequencies fall into families of exact harmonics.

At base 10,000 and d_model divisible by 8 the frequency d_model/8 pairs further on is exactly ten times
smaller. So the hands are not free, which decides how far apart two encodings can be and how soon all hands
are nearly back.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from posenc.arguments import Float, check_count, check_d_model, check_flag, check_index, shown
from posenc.distance import encoding_distance

BINS = 2**12  # of the squared distances, from zero to that of neighbors
LARGEST = 10**300  # base; larger ones are not finite as floats
FASTEST = 10**6  # turns of the fastest hand of a family in one of the slowest, at most


class Families(NamedTuple):
    """How the d_model/2 pairs fall into families: ``number`` of them, each of ``size`` pairs.

    The pairs of a family are ``number`` apart, and omega_i = ratio * omega_(i + number).
    """

    number: int
    size: int
    ratio: int


def harmonic_families(d_model: int, base: int = 10_000) -> Families:
    """The families of pairs whose frequencies are harmonics of one fundamental.

    Write base = a^e with e as large as possible. Then omega_i / omega_(i+n) = base^(2n/d_model) is rational
    exactly if d_model/2 divides e * n, so there are n = (d_model/2)/g families of g = gcd(d_model/2, e)
    pairs, and the ratio is a^(e/g). Between families there is no relation: frequencies of different families
    are linearly independent over the rational numbers, because x^n - a^(e/g) is irreducible.

    Parameters
    ----------
    d_model : int
        Even, at least 2.
    base : int
        From 2 to 10^300. Whether a root is rational cannot be told from a float.

    Returns
    -------
    Families
        ``number``, ``size`` and ``ratio``; with ``size`` 1 every pair is a family of its own.

    Raises
    ------
    TypeError, ValueError
        If ``base`` is not an integer >= 2, or ``d_model`` not an even integer >= 2.

    Notes
    -----
    Introduced in the chapter "The law of distance".

    Examples
    --------
    >>> harmonic_families(512)
    Families(number=64, size=4, ratio=10)
    >>> harmonic_families(12)
    Families(number=3, size=2, ratio=100)
    >>> harmonic_families(512, base=500_000)
    Families(number=256, size=1, ratio=500000)
    """
    pairs, base = check_d_model(d_model) // 2, _check_integer_base(base)
    root, exponent = _as_power(base)
    size = math.gcd(pairs, exponent)
    return Families(pairs // size, size, root ** (exponent // size))


def largest_distance(d_model: int, base: int = 10_000) -> float:
    """The least upper bound of the distance of two encodings, over all positions, integer or real.

    A family of g hands with the ratio c contributes 4 sum_k sin^2(c^k x) to the squared distance, x being
    half the angle of its slowest hand. Since no relation ties different families, all of them come as near as
    one likes to the largest value of that sum at the same time. If c is odd, all hands of a family can be
    opposite, and the bound is sqrt(2 d_model); if c is even and a family has two hands or more it is smaller,
    for where a hand is opposite, the next faster one is back.

    With y_k the hand's turns short of (or beyond) one half, y_(k+1) = c y_k + 1/2 up to whole turns if c is
    even. The best choice is to alternate the sides, abs(y_k) = (1/2 - abs(y_(k+1)))/c, and one unknown is
    left: that of the fastest hand. (That alternating is best is not proved here; the tests compare the
    result with a grid of all angles, fine enough that nothing can hide between its points.)

    Parameters
    ----------
    d_model : int
        Even, at least 2.
    base : int
        At least 2.

    Returns
    -------
    float
        At most sqrt(2 d_model).

    Raises
    ------
    TypeError, ValueError
        As for :func:`harmonic_families`.

    Notes
    -----
    Introduced in the chapter "The law of distance".

    Examples
    --------
    >>> [round(largest_distance(d_model), 3) for d_model in (8, 128, 512)]
    [3.968, 15.871, 31.741]
    """
    family = harmonic_families(d_model, base)
    if family.ratio % 2 or family.size == 1:
        return math.sqrt(2 * d_model)
    short = opposite_hands(family.size, family.ratio)
    return 2 * math.sqrt(family.number * (np.cos(np.pi * short) ** 2).sum())


def opposite_hands(size: int, ratio: int) -> Float:
    """How far, in turns, the hands of a family are from opposite at best; the slowest hand first.

    Each hand turns ``ratio`` times, an even number, while the next slower one turns once.
    The sides alternate, which the signs say.

    Parameters
    ----------
    size : int
        Hands of the family, from 1 to 10,000.
    ratio : int
        Even, at least 2.

    Returns
    -------
    array of shape (size,)
        In turns, from -1/4 to 1/4.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> (360 * opposite_hands(4, 10)).round(1)
    array([-16.4,  16.2, -17.8,   1.6])
    """
    size = check_count(size, "size", least=1, most=10_000)
    if (
        ratio := check_index(ratio, f"ratio must be an even integer >= 2, got {shown(ratio)}")
    ) < 2 or ratio % 2:
        raise ValueError(f"ratio must be an even integer >= 2, got {shown(ratio)}")
    if ratio > LARGEST:
        raise ValueError(f"ratio must be at most 10**300, got {shown(ratio)}")
    low, high = 0.0, 0.5
    while high - low > 1e-12:  # the sum is smooth, and each round leaves a fiftieth of the stretch
        last = np.linspace(low, high, 101)
        best = int(np.argmin((np.sin(np.pi * _alternating(last, size, ratio)) ** 2).sum(axis=0)))
        low, high = last[max(best - 1, 0)], last[min(best + 1, 100)]
    return _alternating(np.array([(low + high) / 2]), size, ratio)[:, 0]


def _alternating(last: Float, size: int, ratio: int) -> Float:
    """All hands' turns from opposite, for several choices of the fastest one's: (size, choices)."""
    short = [last]
    for _ in range(size - 1):
        short.append((0.5 - short[-1]) / ratio)
    signs = (-1.0) ** np.arange(size)[:, np.newaxis]
    return (np.array(short) * signs)[::-1]


def expected_return(d_model: int, base: int = 10_000, *, free: bool = False) -> float:
    """The power of ten of the number of offsets among which one return is to be expected.

    A return is an offset at which two encodings are no farther apart than neighbors are. Over all offsets
    the slowest hands of the families take all angles evenly, and independently of each other; the other hands
    follow them. So the fraction of offsets that are returns is a probability, and this is minus its
    logarithm. It is computed by convolution: of the squared distances that one family contributes, as often
    as there are families. The convolution is tilted by exp(-s x), with s such that the squared distance of
    neighbors is not a rare event, since the probability itself may be far below the smallest float.

    Parameters
    ----------
    d_model : int
        Even, at least 2.
    base : int
        At least 2.
    free : bool, default False
        Whether to let every hand turn by itself instead, as if there were no families.

    Returns
    -------
    float
        x of 10^x; good to about 0.01.

    Raises
    ------
    TypeError, ValueError
        As for :func:`harmonic_families`; and if the fastest hand of a family turns more than 10^6 times in
        one turn of its slowest.

    Notes
    -----
    Introduced in the chapter "Near returns".

    Examples
    --------
    >>> [round(expected_return(d_model), 1) for d_model in (16, 20)]
    [5.7, 7.3]
    """
    family = harmonic_families(d_model, base)
    if check_flag(free, "free"):
        family = Families(d_model // 2, 1, 1)
    turns = family.ratio ** (np.arange(family.size, dtype=object))
    if turns[-1] > FASTEST:
        raise ValueError(
            f"base must leave at most {FASTEST:,} turns to a family's fastest hand, got {shown(base)}"
        )
    reach = float(encoding_distance(1, d_model, base)) ** 2
    samples = 1000 * max(1000, int(turns[-1]))
    half_turns = (np.arange(samples) + 0.5) / (
        2 * samples
    )  # of the slowest hand: the other half is its mirror image
    squares = np.zeros(samples)
    for fast in turns:
        squares += 4 * np.sin(np.pi * float(fast) * half_turns) ** 2
    near = squares[squares <= reach]
    tilt = _tilt(near, reach / family.number)
    mass = np.exp(-tilt * near) / samples
    # Each value goes to the two ends of its bin, by its distance from them: the mean is kept.
    place = near / reach * BINS
    left = np.minimum(place.astype(int), BINS - 1)
    weights = np.bincount(left, mass * (left + 1 - place), BINS + 1)
    weights += np.bincount(left + 1, mass * (place - left), BINS + 1)
    total = weights.sum()
    sums = _power(weights / total, family.number)
    sums[-1] /= 2  # half of what was rounded to the last end lies beyond it
    untilted = sums @ np.exp(tilt * reach * (np.arange(BINS + 1) / BINS - 1))
    return -(math.log(untilted) + tilt * reach + family.number * math.log(total)) / math.log(10)


def _tilt(values: Float, mean: float) -> float:
    """The s >= 0 at which ``values``, weighted by exp(-s value), have this mean; 0 if theirs is no larger."""
    low, high = 0.0, 1.0 / mean

    def weighted(tilt: float) -> float:
        return float(np.average(values, weights=np.exp(-tilt * values)))

    if weighted(low) <= mean:
        return 0.0
    while weighted(high) > mean:
        high *= 2
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if weighted(middle) > mean else (low, middle)
    return high


def _power(weights: Float, count: int) -> Float:
    """The distribution of the sum of ``count`` independent values, cut off at the last bin."""
    size = 2 * weights.size
    together: Float | None = None
    while True:
        if count & 1:
            together = weights if together is None else _convolve(together, weights, size)
        count >>= 1
        if not count:
            assert together is not None
            return together
        weights = _convolve(weights, weights, size)


def _convolve(one: Float, other: Float, size: int) -> Float:
    product = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)
    return np.maximum(product[: one.size], 0)


def _check_integer_base(base: int) -> int:
    if (value := check_index(base, f"base must be an integer >= 2, got {shown(base)}")) < 2:
        raise ValueError(f"base must be an integer >= 2, got {shown(base)}")
    if value > LARGEST:
        raise ValueError(f"base must be at most 10**300, got {shown(base)}")
    return value


def _as_power(number: int) -> tuple[int, int]:
    """(a, e) with number = a^e and e as large as possible."""
    for exponent in range(number.bit_length(), 1, -1):
        root = _root(number, exponent)
        if root**exponent == number:
            return root, exponent
    return number, 1


def _root(number: int, exponent: int) -> int:
    """The largest integer whose power is at most ``number``; exact, however large the number is."""
    low, high = 1, 1 << -(-number.bit_length() // exponent)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**exponent <= number else (low, middle - 1)
    return low
