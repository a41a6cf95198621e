"""The relatives of the sinusoidal encoding: rotary, linear biases, learned relative scores, and longer contexts.

A query stands at position p, a key at position q, one row for each word. Biases and scores have shape (n, n):
row p is the word that looks, column q the word that is looked at. No causal mask is in them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.encoding import (
    Float,
    check_count,
    check_d_model,
    check_real,
    choose_frequencies,
    frequencies,
    positional_encoding,
)

LAYOUTS = ("interleaved", "halves")


# --- Rotary encoding


def rotary(
    vectors: ArrayLike,
    positions: ArrayLike,
    base: float = 10_000.0,
    *,
    omega: ArrayLike | None = None,
    layout: str = "interleaved",
) -> Float:
    """Queries or keys, each pair turned by the angle omega_i p of its word's position.

    The pair (x, y) becomes (x cos - y sin, x sin + y cos): as a complex number x + jy it is multiplied by e^(j omega p).
    In the layout "interleaved" pair i is (2i, 2i + 1); in "halves" it is (i, i + d_model/2).

    Parameters
    ----------
    vectors : array of shape (..., d_model), one row for each word
    positions : real numbers of the shape of vectors without its last axis, or one that broadcasts to it
    base : finite number > 1
    omega : frequencies of shape (d_model/2,), radians per position, in place of base
    layout : "interleaved" or "halves"

    Returns
    -------
    array of the shape of ``vectors``

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, the shapes do not fit, or there is no such layout.

    Introduced in the chapter "Relatives". Source: Su et al. (2024), section 3.2; the layout "halves": Black et al. (2022).

    >>> rotary([[1.0, 0.0], [1.0, 0.0]], [0, np.pi / 2]).round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    vectors, positions = check_real(vectors, "vectors"), check_real(positions, "positions")
    if not vectors.ndim:
        raise ValueError("vectors must have at least one axis, got a single number")
    d_model = check_d_model(vectors.shape[-1])
    omega = frequencies(d_model, base) if omega is None else choose_frequencies(None, base, omega)
    if omega.size != d_model // 2:
        raise ValueError(
            f"omega must have shape ({d_model // 2},) for vectors of width {d_model}, got {omega.shape}"
        )
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(map(repr, LAYOUTS))}, got {layout!r}")
    try:
        positions = np.broadcast_to(positions, vectors.shape[:-1])
    except ValueError:
        raise ValueError(
            f"positions must fit vectors of shape {vectors.shape}, got shape {positions.shape}"
        ) from None
    angles = positions[..., np.newaxis] * omega  # (..., d_model/2)
    sin, cos = np.sin(angles), np.cos(angles)
    half = d_model // 2
    first, second = (
        (np.s_[..., 0::2], np.s_[..., 1::2])
        if layout == "interleaved"
        else (np.s_[..., :half], np.s_[..., half:])
    )
    turned = np.empty_like(vectors)
    turned[first] = vectors[first] * cos - vectors[second] * sin
    turned[second] = vectors[first] * sin + vectors[second] * cos
    return turned


def halves_order(d_model: int) -> NDArray[np.intp]:
    """The order of dimensions that turns the layout "interleaved" into "halves": 0, 2, 4, ... and then 1, 3, 5, ...

    Parameters, errors: as for :func:`posenc.frequencies`.

    Returns
    -------
    array of shape (d_model,): ``x[..., order]`` is in halves if ``x`` is interleaved

    Introduced in the chapter "Relatives".

    >>> halves_order(6)
    array([0, 2, 4, 1, 3, 5])
    """
    return np.arange(check_d_model(d_model)).reshape(-1, 2).T.ravel()


# --- Scores with something learned or fixed about the offset


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


def t5_bucket_starts(buckets: int = 16, furthest: int = 128) -> NDArray[np.int64]:
    """The nearest distance in each bucket: half of the buckets hold one distance, the others grow geometrically.

    With e = buckets/2 exact buckets, the bucket e + j begins where e (furthest/e)^(j/e) does, rounded up.

    Parameters
    ----------
    buckets : even integer >= 2, for one direction
    furthest : integer > buckets/2; from there on everything is in the last bucket, or was before

    Returns
    -------
    array of shape (buckets,), in positions

    Raises
    ------
    TypeError, ValueError
        If ``buckets`` is not an even integer >= 2 or ``furthest`` not an integer > buckets/2.

    Introduced in the chapter "Relatives". Source: Raffel et al. (2020), section 2.1, and their code.

    >>> t5_bucket_starts()
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8, 12, 16, 23, 32, 46, 64, 91])
    """
    buckets = check_count(buckets, "buckets", least=2)
    if buckets % 2:
        raise ValueError(f"buckets must be even, got {buckets}")
    exact = buckets // 2
    furthest = check_count(furthest, "furthest", least=exact + 1)
    starts = list(range(exact + 1))
    for j in range(1, exact):
        start = starts[-1]
        while (
            start**exact * exact**j < furthest**j * exact**exact
        ):  # in whole numbers: a power at a boundary is not rounded away
            start += 1
        starts.append(start)
    return np.array(starts)


def t5_bucket(
    offsets: ArrayLike, buckets: int = 32, furthest: int = 128, *, causal: bool = False
) -> NDArray[np.int64]:
    """The bucket of each offset q - p: the row of a learned table that holds one number for each bucket and head.

    Parameters
    ----------
    offsets : whole numbers q - p (key minus query), of any shape
    buckets : integer >= 2, the number of all buckets; a multiple of four if not causal
    furthest : integer, as for :func:`t5_bucket_starts`
    causal : if true, all buckets are for keys before the query, and a key after it counts as distance 0;
        else the second half of the buckets is for keys after the query

    Returns
    -------
    array of integers from 0 to buckets - 1, of the shape of ``offsets``

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
    starts = t5_bucket_starts(buckets if causal else check_count(buckets, "buckets", least=4) // 2, furthest)
    distances = np.maximum(-offsets, 0) if causal else np.abs(offsets)
    found = np.searchsorted(starts, distances, side="right") - 1
    return found if causal else found + starts.size * (offsets > 0)


def _rows(array: ArrayLike, name: str, shape: tuple[int | None, ...]) -> Float:
    """``array`` checked to be real, with the given shape, where None allows any number."""
    array = check_real(array, name)
    if array.ndim != len(shape) or any(
        want not in (None, have) for want, have in zip(shape, array.shape, strict=True)
    ):
        wanted = ", ".join("any" if want is None else str(want) for want in shape)
        raise ValueError(f"{name} must have shape ({wanted}{',' * (len(shape) == 1)}), got {array.shape}")
    return array


def shaw_scores(queries: ArrayLike, keys: ArrayLike, table: ArrayLike) -> Float:
    """Scores q_p . (k_q + a) / sqrt(d) with a learned vector ``a`` for the offset q - p, clipped to the table's reach.

    Parameters
    ----------
    queries, keys : arrays of shape (n, d)
    table : array of shape (2 reach + 1, d): the vectors of the offsets -reach .. reach

    Returns
    -------
    array of shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number or the shapes do not fit.

    Introduced in the chapter "Relatives". Source: Shaw et al. (2018), section 3.

    >>> shaw_scores(np.ones((3, 1)), np.zeros((3, 1)), [[-1.0], [0.0], [1.0]])
    array([[ 0.,  1.,  1.],
           [-1.,  0.,  1.],
           [-1., -1.,  0.]])
    """
    queries = _rows(queries, "queries", (None, None))
    n, d = queries.shape
    keys, table = _rows(keys, "keys", (n, d)), _rows(table, "table", (None, d))
    if len(table) % 2 == 0:
        raise ValueError(
            f"table must have an odd number of rows, for the offsets -reach .. reach, got {len(table)}"
        )
    reach = len(table) // 2
    offsets = np.subtract.outer(np.arange(n), np.arange(n)).T  # q - p
    vectors = table[np.clip(offsets, -reach, reach) + reach]  # (n, n, d)
    return (queries @ keys.T + np.einsum("pd,pqd->pq", queries, vectors)) / math.sqrt(d)


def transformer_xl_terms(
    queries: ArrayLike,
    keys: ArrayLike,
    w_position: ArrayLike,
    u: ArrayLike,
    v: ArrayLike,
    base: float = 10_000.0,
) -> Float:
    """The four parts of Transformer-XL's scores: content, content-position, global content and global position.

    They are q_p . k_q, q_p . W r, u . k_q and v . W r, where r = PE(p - q) is the sinusoidal code of the distance.

    Parameters
    ----------
    queries, keys : arrays of shape (n, d)
    w_position : array of shape (d, d_model), W
    u, v : arrays of shape (d,), learned in place of the query's own position
    base : finite number > 1

    Returns
    -------
    array of shape (4, n, n); the sum over the first axis, divided by sqrt(d), is the scores

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number or the shapes do not fit.

    Introduced in the chapter "Relatives". Source: Dai et al. (2019), section 3.3.

    >>> terms = transformer_xl_terms(np.ones((2, 2)), np.ones((2, 2)), np.eye(2), [0, 0], [0, 1])
    >>> terms[3].round(3)  # the cosine of p - q
    array([[1.  , 0.54],
           [0.54, 1.  ]])
    """
    queries = _rows(queries, "queries", (None, None))
    n, d = queries.shape
    keys, w_position = _rows(keys, "keys", (n, d)), _rows(w_position, "w_position", (d, None))
    u, v = _rows(u, "u", (d,)), _rows(v, "v", (d,))
    distances = np.subtract.outer(np.arange(n), np.arange(n))  # p - q
    codes = positional_encoding(distances, w_position.shape[1], base) @ w_position.T  # (n, n, d)
    return np.array(
        [
            queries @ keys.T,
            np.einsum("pd,pqd->pq", queries, codes),
            np.broadcast_to(keys @ u, (n, n)),
            codes @ v,
        ]
    )
