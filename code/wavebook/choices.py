"""Choices of frequencies that the book sets beside the usual one, and when their sums turn negative."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import (
    Float,
    check_base,
    check_count,
    check_d_model,
    check_entries,
    check_index,
    check_products,
    check_real,
    check_rng,
    needed,
    shown,
)
from posenc.encoding import BASE, frequencies, positional_encoding, resolve_frequencies
from posenc.spectra import log_uniform
from wavebook.finite_fields import is_prime_power, planar_difference_set

SPAN = 128  # first_negative looks at SPAN * SPAN offsets at once


def linear(d_model: int, base: float = BASE) -> Float:
    """Equally spaced wavelengths, with the shortest and the longest of the geometric spectrum.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.

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
    >>> (2 * np.pi / linear(8)).round(1)
    array([   6.3, 2098.6, 4190.9, 6283.2])
    """
    return 1 / np.linspace(1, 1 / frequencies(d_model, base)[-1], d_model // 2)


def harmonic(d_model: int) -> Float:
    """Whole multiples of one frequency, 2/d_model, up to 1: a Fourier series.

    The encoding has the period pi d_model.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.

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
    >>> harmonic(8)
    array([1.  , 0.75, 0.5 , 0.25])
    """
    pairs = check_d_model(d_model) // 2
    return np.arange(pairs, 0, -1) / pairs


def octave(d_model: int) -> Float:
    """Each wavelength twice the one before, as in a binary counter: geometric, of base 2^(d_model/2).

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.

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
    >>> octave(8)
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    omega: Float = 0.5 ** np.arange(check_d_model(d_model) // 2, dtype=float)
    return omega


def gaussian(d_model: int, *, rng: int | np.random.Generator = 0) -> Float:
    """Independent frequencies from a normal distribution of standard deviation 1: random Fourier features.

    Their signs are dropped: the pair of a negative frequency has the same cosine, and its sine with the other
    sign.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
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

    References
    ----------
    Rahimi and Recht (2007).

    Examples
    --------
    >>> from posenc import similarity
    >>> kernel = similarity(1, omega=gaussian(4096)) / 2048
    >>> bool(abs(kernel - np.exp(-1 / 2)) < 0.02)
    True
    """
    pairs = check_d_model(d_model) // 2
    return np.sort(np.abs(check_rng(rng).normal(size=pairs)))[::-1]


def fitted(d_model: int, base: float = BASE, *, length: int = 512, steps: int = 300) -> Float:
    """Frequencies fitted to one wish: that no two of ``length`` + 1 positions have similar encodings.

    Gradient descent (Adam) from the geometric spectrum on log sum exp(40 K(offset) / K(0)) over the offsets 1
    .. length. Integers cannot tell omega from 2 pi - omega, so what comes out is folded into [0, pi].
    On another processor, which rounds otherwise, other frequencies come out that do as well.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.
    length, steps : int
        Longest offset in positions, and number of steps of the descent; both >= 1. Of length times d_model at
        most 2**30, and of these times steps at most 2**40.

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
    >>> from posenc import encoding_distance
    >>> offsets = np.arange(1, 65)
    >>> omega = fitted(16, length=64)
    >>> bool(encoding_distance(offsets, omega=omega).min() > 2 * encoding_distance(offsets, 16).min())
    True
    """
    omega = frequencies(d_model, base)
    length, steps = check_count(length, "length", least=1), check_count(steps, "steps", least=1)
    check_entries(2 * omega.size * length, "length and d_model")
    check_products(2 * omega.size * length * steps, "length, steps and d_model")
    offsets = np.arange(1, length + 1)
    mean, square = np.zeros_like(omega), np.zeros_like(omega)
    for step in range(1, steps + 1):
        angles = offsets[:, np.newaxis] * omega  # (length, d_model/2)
        weight = np.exp(40 * np.cos(angles).mean(axis=1))
        slope = -(weight / weight.sum() * offsets) @ np.sin(angles) / omega.size
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        rate = 0.02 * (1 - step / (steps + 1))
        omega = omega - rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-12)
    return np.sort(np.abs((omega + np.pi) % (2 * np.pi) - np.pi))[::-1]


#: The greatest order of :func:`difference_set`.
MAX_ORDER = 64


def difference_set(q: int) -> NDArray[np.int64]:
    """A planar difference set: q + 1 residues modulo N = q^2 + q + 1 with all differences different.

    Each nonzero residue modulo N is the difference of exactly one ordered pair of them. Also called a perfect
    difference set, a (q^2 + q + 1, q + 1, 1) difference set, and a circular Golomb ruler of full length. The
    spectrum made of it is :func:`difference_set_frequencies`.

    Parameters
    ----------
    q : int
        The order: a prime power from 2 to 64.

    Returns
    -------
    ndarray of int
        The residues, rising from 0 and 1, of shape (q + 1,). Of all multiples and shifts of the set, it is
        the first in lexicographic order.

    Raises
    ------
    TypeError, ValueError
        If `q` is not as above; the error names the nearest prime powers. Orders above
        64 are refused for their size; of an order above 1 that is no prime power no such set is known.

    References
    ----------
    Singer (1938), whose construction in the field of q^3 elements this is.

    Examples
    --------
    >>> difference_set(4)
    array([ 0,  1,  4, 14, 16])
    >>> difference_set(6)
    Traceback (most recent call last):
    ValueError: q must be a prime power from 2 to 64, as 5 or 7, got 6
    """
    order = check_index(q, f"q must be a prime power from 2 to {MAX_ORDER}, got {shown(q)}")
    powers = [power for power in range(2, MAX_ORDER + 1) if is_prime_power(power)]
    if order not in powers:
        near = [
            str(choose(side))
            for choose, side in (
                (max, [power for power in powers if power < order]),
                (min, [power for power in powers if power > order]),
            )
            if side
        ]
        raise ValueError(
            f"q must be a prime power from 2 to {MAX_ORDER}, as {' or '.join(near)}, got {shown(q)}"
        )
    return planar_difference_set(order)


def difference_set_frequencies(d_model: int, q: int) -> Float:
    """Frequencies 2 pi s / N for the residues s of a planar difference set, and 0 for the remaining pairs.

    Residues above N/2 are taken as negative ones. For each whole offset that N = q^2 + q + 1 does not divide,
    ``|sum of exp(i omega offset)|^2`` over the first q + 1 pairs is q, which is the least that the greatest
    of them can be (Welch's bound). Whole positions have the period N.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 (q + 1) to 2**24.
    q : int
        The order: a prime power from 2 to 64.

    Returns
    -------
    ndarray
        Radians per position, between -pi and pi, from fast to slow, of shape (d_model/2,). One of the first q
        + 1 frequencies is 0 too, that of the residue 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> omega = difference_set_frequencies(12, 4)
    >>> (omega * 21 / (2 * np.pi)).round(9) + 0
    array([-7., -5.,  4.,  1.,  0.,  0.])
    >>> (abs(np.exp(1j * np.outer(range(1, 21), omega[:5])).sum(1)) ** 2).round(9).tolist() == [4] * 20
    True
    """
    pairs = check_d_model(d_model) // 2
    residues = difference_set(q)
    if pairs < len(residues):
        raise ValueError(
            f"d_model must be at least 2 (q + 1) = {2 * len(residues)} for q = {q}, got {d_model}"
        )
    modulus = len(residues) * (len(residues) - 1) + 1
    turns = np.where(residues > modulus // 2, residues - modulus, residues)
    omega = np.zeros(pairs)
    omega[: len(turns)] = 2 * np.pi * turns[np.argsort(-np.abs(turns), kind="stable")] / modulus
    return omega


def fraction_never_turning(
    length: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Fraction of the pairs whose wavelength is longer than ``length``: they never complete a turn within it.

    Parameters
    ----------
    length : array_like
        Real numbers of any shape, in positions.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        From 0 to 1, of the shape of `length`; a scalar for a scalar.

    Raises
    ------
    TypeError, ValueError
        If a length is not a finite real number; and as for :func:`posenc.encoding.resolve_frequencies`.

    Examples
    --------
    >>> float(fraction_never_turning(20, 8))  # the wavelengths are 6.3, 62.8, 628 and 6283
    0.75
    """
    lengths = check_real(length, "length")
    with np.errstate(divide="ignore", over="ignore"):  # a pair of frequency 0 has an infinite wavelength
        waves = 2 * np.pi / np.abs(resolve_frequencies(d_model, base, omega))
    fraction: Float = (waves > lengths[..., np.newaxis]).mean(axis=-1)
    return fraction


def first_negative_limit(base: float = BASE) -> float:
    """Where :func:`first_negative` tends to for wide encodings and large bases: 0.6165 times the base.

    Parameters
    ----------
    base : float
        Finite, > 1, and large: the limit is that of wide encodings and of large bases.

    Returns
    -------
    float
        In positions.

    Raises
    ------
    TypeError, ValueError
        If `base` is not a finite number > 1.

    Notes
    -----
    K(x base) / K(0) tends to -Ci(x) / ln(base). The zero comes from mpmath, which `pip install
    posenc[proofs]` installs.

    Examples
    --------
    >>> round(first_negative_limit(10_000))
    6165
    """
    base = check_base(base)
    mpmath = needed("mpmath", "proofs", "first_negative_limit")
    return float(mpmath.findroot(mpmath.ci, 0.6)) * base


def first_negative(
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
    limit: int = 100_000,
) -> int | None:
    """The first offset, up to ``limit``, at which the similarity K is negative; None if there is none.

    K(a + r) is the dot product of PE(a) and PE(-r), so two small tables of encodings give it for many offsets
    at once.

    Parameters
    ----------
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.
    limit : int
        The last offset to look at, in positions: >= 1, and times d_model at most 2**40.

    Returns
    -------
    int or None
        In positions.

    Raises
    ------
    TypeError, ValueError
        If `limit` is not as above; and as for :func:`posenc.encoding.resolve_frequencies`.

    References
    ----------
    Men et al. (2024) ask that it be at least the length of the context.

    Examples
    --------
    >>> first_negative(128)
    1707
    >>> first_negative(128, limit=1706) is None
    True
    """
    limit = check_count(limit, "limit", least=1)
    omega = resolve_frequencies(d_model, base, omega)
    check_products(limit * 2 * omega.size, "limit and d_model")
    steps = positional_encoding(-np.arange(SPAN), omega=omega)  # (SPAN, d_model)
    # Products so small that OpenBLAS takes no threads: these gain nothing from them, and lose to busy ones.
    rows = max(1, 2**18 // steps.size)
    for first in range(1, limit + 1, SPAN * SPAN):
        last = min(first + SPAN * SPAN - 1, limit)
        starts = positional_encoding(np.arange(first, last + 1, SPAN), omega=omega)  # (..., d_model)
        blocks = [starts[i : i + rows] @ steps.T for i in range(0, len(starts), rows)]
        similar = np.concatenate(blocks)  # K(first), K(first + 1), ...
        negative = np.flatnonzero(similar.ravel()[: last + 1 - first] < 0)
        if negative.size:
            return first + int(negative[0])
    return None


#: Name -> the spectrum as a function of d_model and base; the fitted one, which takes a while, is not here.
SPECTRA: dict[str, Callable[[int, float], Float]] = {
    "geometric": frequencies,
    "linear": linear,
    "harmonic": lambda d_model, base: harmonic(d_model),
    "octave": lambda d_model, base: octave(d_model),
    "log-uniform": log_uniform,
    "Gaussian": lambda d_model, base: gaussian(d_model),
}
