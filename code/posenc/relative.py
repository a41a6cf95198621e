"""Scores with something learned about the relative position: Shaw et al. and Transformer-XL.

Scores have shape (n, n): row p is the token that looks, column q the token that is looked at. No causal mask is in them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_real
from posenc.encoding import positional_encoding


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
    encodings = positional_encoding(distances, w_position.shape[1], base) @ w_position.T  # (n, n, d)
    return np.array(
        [
            queries @ keys.T,
            np.einsum("pd,pqd->pq", queries, encodings),
            np.broadcast_to(keys @ u, (n, n)),
            encodings @ v,
        ]
    )
