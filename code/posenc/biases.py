"""Biases of attention scores that depend on the positions alone: ALiBi, the buckets of T5, KERPLE, FIRE.

Biases have shape (n, n): row p is the token that looks, column q the token that is looked at. No causal mask
is in them.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import (
    Float,
    check_choice,
    check_count,
    check_entries,
    check_flag,
    check_positive,
    check_real,
    check_result,
    check_scalar,
)

Kernel = Literal["log", "power"]

#: The two kernels of KERPLE.
KERNELS: tuple[Kernel, ...] = get_args(Kernel)


def alibi_slopes(heads: int, bias_max: float = 8) -> Float:
    """The slopes of ALiBi, one for each head: 2^(-8h/heads) for h = 1 .. heads if heads is a power of two.

    Otherwise those of the power of two below, followed by every second one of the power of two above.

    Parameters
    ----------
    heads : int
        Number of heads, from 1 to 2**24.
    bias_max : float
        The 8 in the formula: finite, > 0, and at most 1000. MPT calls it `alibi_bias_max`.

    Returns
    -------
    ndarray
        Score per position, of shape (heads,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Press et al. (2022), section 3, and their code for other numbers of heads.

    Examples
    --------
    >>> alibi_slopes(8)[:3]
    array([0.5  , 0.25 , 0.125])
    """
    heads = check_count(heads, "heads", least=1)
    if heads > 2**24:
        raise ValueError(f"heads must be at most 2**24, got {heads}")
    most = check_positive(bias_max, "bias_max")
    if most > 1000:
        raise ValueError(f"bias_max must be at most 1000, got {bias_max}")
    below = 1 << (heads.bit_length() - 1)
    own, above = (2.0 ** (-most * np.arange(1, n + 1) / n) for n in (below, 2 * below))
    return np.concatenate([own, above[0::2]])[:heads]


def _distances(n: int) -> Float:
    """``|p - q|``, of shape (n, n)."""
    check_entries(n * n, "n")
    positions = np.arange(n, dtype=np.float64)
    return np.abs(np.subtract.outer(positions, positions))


def alibi_bias(n: int, slope: float, queries: ArrayLike | None = None) -> Float:
    """What an ALiBi head adds to the score of tokens p and q: ``-slope |p - q|``.

    Parameters
    ----------
    n : int
        Number of tokens, >= 1.
    slope : float
        Finite, >= 0, see :func:`alibi_slopes`.
    queries : array_like, shape (m,)
        Positions of the tokens that look, if they are not all n: with a cache of n - 1 keys, n - 1 alone.

    Returns
    -------
    ndarray
        Shape (n, n), or (m, n).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Press et al. (2022), section 3.

    Examples
    --------
    >>> alibi_bias(3, 0.5)
    array([[-0. , -0.5, -1. ],
           [-0.5, -0. , -0.5],
           [-1. , -0.5, -0. ]])
    >>> alibi_bias(3, 0.5, queries=[2])
    array([[-1. , -0.5, -0. ]])
    """
    n, size = check_count(n, "n", least=1), check_scalar(slope, "slope")
    if size < 0:
        raise ValueError(f"slope must be one finite number >= 0, got {slope}")
    if queries is None:
        distances = _distances(n)
    else:
        rows = check_real(queries, "queries")
        if rows.ndim != 1:
            raise ValueError(f"queries must have the shape (m,), got {rows.shape}")
        check_entries(rows.size * n, "queries and n")
        distances = np.abs(np.subtract.outer(rows, np.arange(n, dtype=np.float64)))
    with np.errstate(over="ignore"):
        bias: Float = -size * distances
    return check_result(bias, "slope")


def t5_bucket_starts(num_buckets: int = 16, max_distance: int = 128) -> NDArray[np.int64]:
    """The smallest distance in each bucket of T5.

    Half of the buckets hold one distance, the others grow geometrically: with e = num_buckets/2 exact
    buckets, the bucket e + j begins where e (max_distance/e)^(j/e) does, rounded up.

    Parameters
    ----------
    num_buckets : int
        Number of buckets for one direction: even, from 2 to 512.
    max_distance : int
        > num_buckets/2; from there on everything is in the last bucket, or was before.

    Returns
    -------
    ndarray of int
        In positions, of shape (num_buckets,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Raffel et al. (2020), section 2.1, and their code.

    Examples
    --------
    >>> t5_bucket_starts()
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8, 12, 16, 23, 32, 46, 64, 91])
    """
    num_buckets = check_count(num_buckets, "num_buckets", least=2, most=512)
    if num_buckets % 2:
        raise ValueError(f"num_buckets must be even, got {num_buckets}")
    exact = num_buckets // 2
    max_distance = check_count(max_distance, "max_distance", least=exact + 1)
    starts = list(range(exact + 1))
    for j in range(1, exact):
        # In whole numbers, so that a power at a boundary is not rounded away; by halves, since it may be far.
        low, high, goal = starts[-1], max_distance, max_distance**j * exact**exact
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if middle**exact * exact**j >= goal else (middle + 1, high)
        starts.append(low)
    return np.array(starts)


def t5_bucket(
    offsets: ArrayLike, num_buckets: int = 32, max_distance: int = 128, *, causal: bool = False
) -> NDArray[np.int64]:
    """T5's bucket of each offset q - p.

    It is the row of a learned table that holds one number for each bucket and head.

    Parameters
    ----------
    offsets : array_like
        Whole numbers q - p, the key's position minus the query's, of any shape.
    num_buckets : int
        Number of all buckets, from 2 to 512; if not causal a multiple of four, to 1024.
    max_distance : int
        As for :func:`t5_bucket_starts`.
    causal : bool
        If true, all buckets are for keys before the query, and a key after it counts as distance 0;
        else the second half of the buckets is for keys after the query (`bidirectional` in T5's code).

    Returns
    -------
    ndarray of int
        From 0 to num_buckets - 1, of the shape of `offsets`.

    Raises
    ------
    TypeError, ValueError
        If an offset is not a whole number; and as for :func:`t5_bucket_starts`.

    References
    ----------
    Raffel et al. (2020), section 2.1, and their code.

    Examples
    --------
    >>> t5_bucket([-200, -10, -1, 0, 1, 10, 200])
    array([15,  8,  1,  0, 17, 24, 31])
    """
    offsets = check_real(offsets, "offsets")
    if (offsets % 1).any():
        raise ValueError(f"offsets must be whole numbers, got {offsets}")
    causal = check_flag(causal, "causal")
    num_buckets = check_count(num_buckets, "num_buckets", least=2 if causal else 4, most=1024)
    if not causal and num_buckets % 4:
        raise ValueError(f"num_buckets must be a multiple of four if not causal, got {num_buckets!r}")
    one_way = num_buckets if causal else num_buckets // 2
    starts = t5_bucket_starts(one_way, max_distance)
    distances = np.maximum(-offsets, 0) if causal else np.abs(offsets)
    found = np.searchsorted(starts, distances, side="right") - 1
    return found if causal else found + starts.size * (offsets > 0)


def kerple_bias(n: int, r1: float, r2: float, kernel: Kernel = "log") -> Float:
    """KERPLE: what a head adds to a score, ``-r1 ln(1 + r2 |p - q|)`` or ``-r1 |p - q|**r2``.

    Parameters
    ----------
    n : int
        Number of tokens, >= 1.
    r1, r2 : float
        Learned, one of each for a head: finite, > 0; with the kernel "power" r2 is at most 2.
    kernel : {"log", "power"}
        With "power" and r2 = 1 it is :func:`alibi_bias`.

    Returns
    -------
    ndarray
        Shape (n, n).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Chi et al. (2022), and their code.

    Examples
    --------
    >>> kerple_bias(3, 1, np.e - 1)[:, 0].round(3)
    array([-0.  , -1.  , -1.49])
    """
    n, r1, r2 = check_count(n, "n", least=1), check_positive(r1, "r1"), check_positive(r2, "r2")
    check_choice(kernel, "kernel", KERNELS)
    if kernel == "power" and r2 > 2:
        raise ValueError(f"r2 must be at most 2 for the kernel 'power', got {r2!r}")
    distance = _distances(n)
    with np.errstate(over="ignore"):
        bias: Float = -r1 * (np.log1p(r2 * distance) if kernel == "log" else distance**r2)
    return check_result(bias, "r1 and r2")


def fire_positions(n: int, c: float = 0.1, threshold: float = 512) -> Float:
    """FIRE: distances as fractions, ``ln(1 + c (p - q)) / ln(1 + c max(p, threshold))`` for keys q <= p.

    A head adds f(fraction) to its scores, where f is a small learned network. The fractions are from 0 to 1
    in a sequence of any length.

    Parameters
    ----------
    n : int
        Number of tokens, >= 1.
    c, threshold : float
        Learned: finite, > 0. Queries before the threshold all have the same scale.

    Returns
    -------
    ndarray
        Shape (n, n); NaN for keys after the query, which the method does not have.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Li et al. (2024). Public programs also add 1e-6 to the denominator.

    Examples
    --------
    >>> fire_positions(3, c=1, threshold=1).round(3)
    array([[0.   ,   nan,   nan],
           [1.   , 0.   ,   nan],
           [1.   , 0.631, 0.   ]])
    """
    n, c = check_count(n, "n", least=1), check_positive(c, "c")
    threshold = check_positive(threshold, "threshold")
    check_entries(n * n, "n")
    p = np.arange(n)[:, np.newaxis]
    distance = p - np.arange(n)
    past = np.where(distance < 0, np.nan, distance)
    with np.errstate(over="ignore"):
        scale = np.log1p(c * np.maximum(p, threshold))
    if not (np.isfinite(scale) & (scale > 0)).all():
        raise ValueError(
            f"c times threshold must be a finite number > 0 in float64, got c={c:g}, threshold={threshold:g}"
        )
    fractions: Float = np.log1p(c * past) / scale
    return fractions
