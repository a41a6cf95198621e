"""The law that the similarity follows, how far it reaches, and where it first falls."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_base,
    check_choice,
    check_count,
    check_d_model,
    check_real,
    check_result,
    needed,
)
from posenc.distance import encoding_distance
from posenc.encoding import BASE


def similarity_law(offsets: ArrayLike, d_model: int, base: float = BASE, *, corrections: int = 1) -> Float:
    """The logarithmic law of similarity, an approximation of `similarity` by an integral.

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
        If an argument is not as above, or the result is too large for a float.

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
        with np.errstate(over="ignore"):
            law = law + step * (near * np.sin(near) - far * np.sin(far)) / 12
    bounded: Float = np.where(near == 0, pairs, law)[()]  # below 5e-324 * base, K is d_model/2 to every digit
    return check_result(bounded, "offsets and base")


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
