"""Scores with something learned about the relative position: Shaw et al., Transformer-XL and CoPE.

Scores have shape (n, n): row p is the token that looks, column q the token that is looked at. No causal mask
is in them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import Float, check_real, check_result
from posenc.encoding import _frequencies_for, positional_encoding


def _rows(array: ArrayLike, name: str, shape: tuple[int | None, ...]) -> Float:
    """``array`` checked to be real, with the given shape, where None allows any number but 0."""
    array = check_real(array, name)
    if array.ndim != len(shape) or any(
        have != want if want is not None else have == 0 for want, have in zip(shape, array.shape, strict=True)
    ):
        wanted = ", ".join("at least 1" if want is None else str(want) for want in shape)
        raise ValueError(f"{name} must have shape ({wanted}{',' * (len(shape) == 1)}), got {array.shape}")
    return array


def shaw_scores(queries: ArrayLike, keys: ArrayLike, table: ArrayLike) -> Float:
    """Scores q_p . (k_q + a) / sqrt(d) with a learned vector ``a`` for the offset q - p.

    Offsets beyond the table's reach are clipped to it.

    Parameters
    ----------
    queries, keys : array_like
        Shape (n, d), one row for each token.
    table : array_like
        Shape (2 reach + 1, d): the vectors of the offsets -reach .. reach.

    Returns
    -------
    ndarray
        Shape (n, n).

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number or the shapes do not fit.

    References
    ----------
    Shaw et al. (2018), section 3.

    Examples
    --------
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
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Float = (queries @ keys.T + np.einsum("pd,pqd->pq", queries, vectors)) / math.sqrt(d)
    return check_result(scores, "queries, keys and table")


def transformer_xl_terms(
    queries: ArrayLike,
    keys: ArrayLike,
    w_position: ArrayLike,
    u: ArrayLike,
    v: ArrayLike,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """The four parts of Transformer-XL's scores.

    Content, content-position, global content and global position are q_p . k_q, q_p . W r, u . k_q and v . W
    r, where r = PE(p - q) is the sinusoidal encoding of the distance.

    Parameters
    ----------
    queries, keys : array_like
        Shape (n, d), one row for each token.
    w_position : array_like
        Shape (d, d_model), W; `d_model` is read off it.
    u, v : array_like
        Shape (d,), learned in place of the query's own position.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,), in place of `base`.

    Returns
    -------
    ndarray
        Shape (4, n, n); the sum over the first axis, divided by sqrt(d), is the scores.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, the shapes do not fit, or both `base` and `omega` are given.

    References
    ----------
    Dai et al. (2019), section 3.3.

    Examples
    --------
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
    frequency = _frequencies_for(w_position.shape[1], base, omega)
    with np.errstate(over="ignore", invalid="ignore"):
        encodings = positional_encoding(distances, omega=frequency) @ w_position.T  # (n, n, d)
        terms = np.array(
            [
                queries @ keys.T,
                np.einsum("pd,pqd->pq", queries, encodings),
                np.broadcast_to(keys @ u, (n, n)),
                encodings @ v,
            ]
        )
    return check_result(terms, "queries, keys, w_position, u and v")


def contextual_positions(gate_scores: ArrayLike) -> Float:
    """CoPE: how far back each key is, counted in what the gates let through.

    The gate of query p at key q is the logistic function of their score, between 0 and 1; the position of key
    q for query p is the sum of the gates from q up to p.

    Parameters
    ----------
    gate_scores : array_like
        Shape (n, n): row p is the token that looks.

    Returns
    -------
    ndarray
        Shape (n, n); NaN for keys after the query, which the method does not have. If all gates are 1, it is
        the distance plus 1.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number or the shape is another.

    References
    ----------
    Golovneva et al. (2024).

    Examples
    --------
    >>> contextual_positions(np.zeros((3, 3)))
    array([[0.5, nan, nan],
           [1. , 0.5, nan],
           [1.5, 1. , 0.5]])
    """
    gate_scores = _rows(gate_scores, "gate_scores", (None, None))
    n = len(gate_scores)
    if gate_scores.shape != (n, n):
        raise ValueError(f"gate_scores must be square, got shape {gate_scores.shape}")
    past = np.tri(n, dtype=bool)
    gates = np.where(past, np.exp(-np.logaddexp(0, -gate_scores)), 0)  # 1 / (1 + exp(-x)) could overflow
    return np.where(past, gates[:, ::-1].cumsum(axis=1)[:, ::-1], np.nan)
