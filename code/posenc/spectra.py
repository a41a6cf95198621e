"""Other ways to choose the d_model/2 frequencies, and measures by which to compare them.

A schedule is an array of angular frequencies, in radians per position, from the fastest to the slowest.
The book's own is :func:`posenc.frequencies`, the geometric one; any of them can be given as ``omega`` to
:func:`posenc.positional_encoding`, :func:`posenc.similarity` and :func:`posenc.encoding_distance`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_base, check_count, check_d_model, check_real
from posenc.distance import encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, resolve_frequencies

SPAN = 64  # first_negative looks at SPAN * SPAN offsets at once


def linear(d_model: int, base: float = 10_000.0) -> Float:
    """Equally spaced wavelengths, with the shortest and the longest of the geometric schedule.

    Parameters, errors: as for :func:`posenc.frequencies`.

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> (2 * np.pi / linear(8)).round(1)
    array([   6.3, 2098.6, 4190.9, 6283.2])
    """
    return 1 / np.linspace(1, 1 / frequencies(d_model, base)[-1], d_model // 2)


def harmonic(d_model: int) -> Float:
    """Whole multiples of one frequency, 2/d_model, up to 1: a Fourier series, whose code has the period pi d_model.

    Parameters, errors: as for :func:`posenc.frequencies`.

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> harmonic(8)
    array([1.  , 0.75, 0.5 , 0.25])
    """
    pairs = check_d_model(d_model) // 2
    return np.arange(pairs, 0, -1) / pairs


def octave(d_model: int) -> Float:
    """Each wavelength twice the one before, as the digits of a binary counter: the geometric schedule of base 2^(d_model/2).

    Parameters, errors: as for :func:`posenc.frequencies`.

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> octave(8)
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    return 0.5 ** np.arange(check_d_model(d_model) // 2)


def log_uniform(d_model: int, base: float = 10_000.0, *, seed: int = 0) -> Float:
    """Independent frequencies whose logarithms are uniform between 0 and -ln base.

    Parameters
    ----------
    d_model, base : as for :func:`posenc.frequencies`
    seed : integer >= 0, for NumPy's default generator

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        As :func:`posenc.frequencies` and ``numpy.random.default_rng`` do.

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> omega = log_uniform(512, seed=1)
    >>> bool((1e-4 < omega).all() and (omega <= 1).all())
    True
    """
    pairs, base = check_d_model(d_model) // 2, check_base(base)
    return np.sort(base ** -np.random.default_rng(seed).uniform(size=pairs))[::-1]


def gaussian(d_model: int, *, seed: int = 0) -> Float:
    """Independent frequencies from a normal distribution of standard deviation 1: random Fourier features.

    Their signs are dropped: the pair of a negative frequency has the same cosine, and its sine with the other sign.

    Parameters
    ----------
    d_model : as for :func:`posenc.frequencies`
    seed : integer >= 0, for NumPy's default generator

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        As :func:`posenc.frequencies` and ``numpy.random.default_rng`` do.

    Introduced in the chapter "Wavelengths in geometric progression". Source: Rahimi and Recht (2007).

    >>> bool(abs(similarity(1, omega=gaussian(4096)) / 2048 - np.exp(-1 / 2)) < 0.02)  # the kernel of the features
    True
    """
    pairs = check_d_model(d_model) // 2
    return np.sort(np.abs(np.random.default_rng(seed).normal(size=pairs)))[::-1]


def fitted(d_model: int, base: float = 10_000.0, *, length: int = 512, steps: int = 300) -> Float:
    """Frequencies fitted to one wish: that no two of ``length`` + 1 positions have similar codes.

    Gradient descent (Adam) from the geometric schedule on log sum exp(40 K(offset) / K(0)) over the offsets 1 .. length.
    Integers cannot tell omega from 2 pi - omega, so what comes out is folded into [0, pi].

    Parameters
    ----------
    d_model, base : as for :func:`posenc.frequencies`
    length, steps : integers >= 1

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        If ``length`` or ``steps`` is not a positive integer; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> offsets = np.arange(1, 65)
    >>> omega = fitted(16, length=64)
    >>> bool(encoding_distance(offsets, omega=omega).min() > 2 * encoding_distance(offsets, 16).min())
    True
    """
    omega = frequencies(d_model, base)
    offsets = np.arange(1, check_count(length, "length", least=1) + 1)
    steps = check_count(steps, "steps", least=1)
    mean, square = np.zeros_like(omega), np.zeros_like(omega)
    for step in range(1, steps + 1):
        angles = offsets[:, np.newaxis] * omega  # (length, d_model/2)
        weight = np.exp(40 * np.cos(angles).mean(axis=1))
        slope = -(weight / weight.sum() * offsets) @ np.sin(angles) / omega.size
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        rate = 0.02 * (1 - step / (steps + 1))
        omega = omega - rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-12)
    return np.sort(np.abs((omega + np.pi) % (2 * np.pi) - np.pi))[::-1]


#: Name -> the schedule as a function of d_model and base, for tables, figures and explorers.
SPECTRA: dict[str, Callable[[int, float], Float]] = {
    "geometric": frequencies,
    "linear": linear,
    "harmonic": lambda d_model, base: harmonic(d_model),
    "octave": lambda d_model, base: octave(d_model),
    "log-uniform": log_uniform,
    "Gaussian": lambda d_model, base: gaussian(d_model),
    "fitted": fitted,
}


class Measures(NamedTuple):
    """What :func:`measure` measures."""

    decades: float  #: range: log10 of the longest over the shortest wavelength
    neighbours: float  #: resolution: the distance of two neighbouring positions
    empty: (
        int  #: coverage: how many of the octaves 2 pi 2^n .. 2 pi 2^(n+1) below 2 pi base hold no wavelength
    )
    logarithmic: float  #: scale invariance: the share of K's variation, from offset 4 to 512, that a line in ln offset explains
    redundancy: float  #: median agreement of neighbouring pairs over 1024 positions: 1 if they turn as one
    apart: int  #: the largest n so that any two of the positions 0 .. n are at least 1 apart


def measure(omega: ArrayLike, base: float = 10_000.0, *, limit: int = 100_000) -> Measures:
    """Six measures of a schedule, each named in :class:`Measures`.

    ``logarithmic`` is the squared correlation of K and ln offset at 64 offsets in geometric progression.
    The agreement of two pairs over L positions is |sum over p < L of e^(i (omega - omega') p)| / L, a number from 0 to 1.

    Parameters
    ----------
    omega : positive numbers of shape (d_model/2,), radians per position, from fast to slow
    base : finite number > 1; it says which octaves should be covered
    limit : integer >= 1: ``apart`` is not followed further than this

    Raises
    ------
    TypeError, ValueError
        If a frequency is not a positive finite number, or they do not fall; ``base`` or ``limit`` is not as said.

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> geometric = measure(frequencies(512))
    >>> geometric.empty, geometric.apart, round(geometric.decades, 2)
    (0, 100000, 3.98)
    """
    omega, base = resolve_frequencies(None, 10_000.0, omega), check_base(base)
    limit = check_count(limit, "limit", least=1)
    if not (omega > 0).all() or (np.diff(omega) > 0).any():
        raise ValueError(f"omega must be positive and fall from fast to slow, got {omega}")
    octaves = np.floor(-np.log2(omega))
    wanted = np.arange(int(np.log2(base)))
    log_offsets = np.linspace(np.log(4), np.log(512), 64)
    beat = omega[:-1] - omega[1:]
    # np.sinc(x) is sin(pi x) / (pi x): the quotient is sin(1024 beat / 2) / (1024 sin(beat / 2)), with 0 / 0 = 1.
    agreement = np.abs(np.sinc(1024 * beat / (2 * np.pi)) / np.sinc(beat / (2 * np.pi)))
    near = np.flatnonzero(encoding_distance(np.arange(1, limit + 1), omega=omega) < 1)
    return Measures(
        decades=float(np.log10(omega[0] / omega[-1])),
        neighbours=float(encoding_distance(1, omega=omega)),
        empty=int((~np.isin(wanted, octaves)).sum()),
        logarithmic=float(np.corrcoef(log_offsets, similarity(np.exp(log_offsets), omega=omega))[0, 1] ** 2),
        redundancy=float(np.median(agreement)) if beat.size else 0.0,
        apart=int(near[0]) if near.size else limit,
    )


def fraction_never_turning(length: ArrayLike, d_model: int, base: float = 10_000.0) -> Float:
    """Share of the pairs whose wavelength is longer than ``length``: they never complete a turn within it.

    Parameters
    ----------
    length : real numbers of any shape, in positions
    d_model, base : as for :func:`posenc.frequencies`

    Returns
    -------
    array of the shape of ``length`` (a scalar for a scalar), from 0 to 1

    Raises
    ------
    TypeError, ValueError
        If a length is not a finite real number; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Wavelengths in geometric progression".

    >>> float(fraction_never_turning(20, 8))  # the wavelengths are 6.3, 62.8, 628 and 6283
    0.75
    """
    lengths = check_real(length, "length")
    return (2 * np.pi / frequencies(d_model, base) > lengths[..., np.newaxis]).mean(axis=-1)


def first_negative(d_model: int, base: float = 10_000.0, *, limit: int = 100_000) -> int | None:
    """The first offset, up to ``limit``, at which the similarity K is negative; None if there is none.

    K(a + r) is the dot product of PE(a) and PE(-r), so two small tables of encodings give it for many offsets at once.

    Parameters
    ----------
    d_model, base : as for :func:`posenc.frequencies`
    limit : integer >= 1, in positions

    Raises
    ------
    TypeError, ValueError
        If ``limit`` is not a positive integer; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Wavelengths in geometric progression". Source: Men et al. (2024) ask that it be at least
    the length of the text.

    >>> first_negative(128)
    1707
    >>> first_negative(128, limit=1706) is None
    True
    """
    limit = check_count(limit, "limit", least=1)
    steps = positional_encoding(-np.arange(SPAN), d_model, base)  # (SPAN, d_model)
    for first in range(1, limit + 1, SPAN * SPAN):
        last = min(first + SPAN * SPAN - 1, limit)
        starts = positional_encoding(np.arange(first, last + 1, SPAN), d_model, base)  # (up to SPAN, d_model)
        # Not starts @ steps.T: products this small gain nothing from threads, and lose much on a busy machine.
        similar = np.einsum("ad,rd->ar", starts, steps)  # K(first), K(first + 1), ...
        negative = np.flatnonzero(similar.ravel()[: last + 1 - first] < 0)
        if negative.size:
            return first + int(negative[0])
    return None
