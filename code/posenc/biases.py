"""Biases of attention scores that depend on the relative position alone: ALiBi and the buckets of T5.

Biases have shape (n, n): row p is the token that looks, column q the token that is looked at. No causal mask is in them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_count, check_real


def alibi_slopes(heads: int) -> Float:
    """The slopes of the linear biases, one for each head: 2^(-8h/heads) for h = 1 .. heads if heads is a power of two.

    Otherwise those of the power of two below, followed by every second one of the power of two above.

    Parameters
    ----------
    heads : integer >= 1

    Returns
    -------
    array of shape (heads,), score per position

    Raises
    ------
    TypeError, ValueError
        If ``heads`` is not an integer >= 1.

    Introduced in the chapter "Relatives". Source: Press et al. (2022), section 3, and their code for other numbers of heads.

    >>> alibi_slopes(8)[:3]
    array([0.5  , 0.25 , 0.125])
    """
    heads = check_count(heads, "heads", least=1)
    below = 1 << (heads.bit_length() - 1)
    own, above = (2.0 ** (-8 * np.arange(1, n + 1) / n) for n in (below, 2 * below))
    return np.concatenate([own, above[0::2]])[:heads]


def alibi_bias(n: int, slope: float) -> Float:
    """What a head with linear biases adds to the score of words p and q: -slope |p - q|.

    Parameters
    ----------
    n : integer >= 1, the number of words
    slope : finite number >= 0, see :func:`alibi_slopes`

    Returns
    -------
    array of shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If ``n`` is not an integer >= 1 or ``slope`` not a finite number >= 0.

    Introduced in the chapter "Relatives". Source: Press et al. (2022), section 3.

    >>> alibi_bias(3, 0.5)
    array([[-0. , -0.5, -1. ],
           [-0.5, -0. , -0.5],
           [-1. , -0.5, -0. ]])
    """
    n, slope = check_count(n, "n", least=1), check_real(slope, "slope")
    if slope.ndim or slope < 0:
        raise ValueError(f"slope must be one finite number >= 0, got {slope}")
    return -slope * np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


def t5_bucket_starts(num_buckets: int = 16, max_distance: int = 128) -> NDArray[np.int64]:
    """The nearest distance in each bucket: half of the buckets hold one distance, the others grow geometrically.

    With e = num_buckets/2 exact buckets, the bucket e + j begins where e (max_distance/e)^(j/e) does, rounded up.

    Parameters
    ----------
    num_buckets : even integer >= 2, for one direction
    max_distance : integer > num_buckets/2; from there on everything is in the last bucket, or was before

    Returns
    -------
    array of shape (num_buckets,), in positions

    Raises
    ------
    TypeError, ValueError
        If ``num_buckets`` is not an even integer >= 2 or ``max_distance`` not an integer > num_buckets/2.

    Introduced in the chapter "Relatives". Source: Raffel et al. (2020), section 2.1, and their code.

    >>> t5_bucket_starts()
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8, 12, 16, 23, 32, 46, 64, 91])
    """
    num_buckets = check_count(num_buckets, "num_buckets", least=2)
    if num_buckets % 2:
        raise ValueError(f"num_buckets must be even, got {num_buckets}")
    exact = num_buckets // 2
    max_distance = check_count(max_distance, "max_distance", least=exact + 1)
    starts = list(range(exact + 1))
    for j in range(1, exact):
        start = starts[-1]
        while (
            start**exact * exact**j < max_distance**j * exact**exact
        ):  # in whole numbers: a power at a boundary is not rounded away
            start += 1
        starts.append(start)
    return np.array(starts)


def t5_bucket(
    offsets: ArrayLike, num_buckets: int = 32, max_distance: int = 128, *, causal: bool = False
) -> NDArray[np.int64]:
    """The bucket of each offset q - p: the row of a learned table that holds one number for each bucket and head.

    Parameters
    ----------
    offsets : whole numbers q - p (key minus query), of any shape
    num_buckets : integer >= 2, the number of all buckets; a multiple of four if not causal
    max_distance : integer, as for :func:`t5_bucket_starts`
    causal : if true, all buckets are for keys before the query, and a key after it counts as distance 0;
        else the second half of the buckets is for keys after the query

    Returns
    -------
    array of integers from 0 to num_buckets - 1, of the shape of ``offsets``

    Raises
    ------
    TypeError, ValueError
        If an offset is not a whole number; and as for :func:`t5_bucket_starts`.

    Introduced in the chapter "Relatives". Source: Raffel et al. (2020), section 2.1, and their code.

    >>> t5_bucket([-200, -10, -1, 0, 1, 10, 200])
    array([15,  8,  1,  0, 17, 24, 31])
    """
    offsets = check_real(offsets, "offsets")
    if (offsets % 1).any():
        raise ValueError(f"offsets must be whole numbers, got {offsets}")
    starts = t5_bucket_starts(
        num_buckets if causal else check_count(num_buckets, "num_buckets", least=4) // 2, max_distance
    )
    distances = np.maximum(-offsets, 0) if causal else np.abs(offsets)
    found = np.searchsorted(starts, distances, side="right") - 1
    return found if causal else found + starts.size * (offsets > 0)
