"""Self-attention in NumPy, small enough to be read in full: one head, every shape in a comment.

A sequence is an array with one row for each token. On paper a matrix acts on columns, so W x on paper is ``x
@ w.T`` here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_angles,
    check_count,
    check_entries,
    check_positive,
    check_products,
    check_real,
    check_result,
    check_scalar,
    shown,
)
from posenc.distance import similarity
from posenc.encoding import resolve_frequencies


def softmax(scores: ArrayLike) -> Float:
    """Weights proportional to exp(score) along the last axis, with sum 1; a score of -inf gets no weight.

    Parameters
    ----------
    scores : array_like
        Shape (..., n): real numbers or -inf, at least one of each line finite.

    Returns
    -------
    ndarray
        The same shape.

    Raises
    ------
    ValueError
        If a score is NaN or +inf, or a line has no finite score.
    TypeError
        If a score is not a real number.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> softmax([0.0, np.log(3), -np.inf])
    array([0.25, 0.75, 0.  ])
    """
    scores = check_real(scores, "scores", finite=False)
    if not scores.ndim or not np.isfinite(top := scores.max(axis=-1, keepdims=True, initial=-np.inf)).all():
        raise ValueError(f"scores must be finite or -inf, with a finite one in each line, got {scores}")
    with np.errstate(over="ignore"):  # a difference beyond all floats has no weight
        powers: Float = np.exp(
            scores - top
        )  # subtracting the largest changes no quotient, and exp cannot overflow
    weights: Float = powers / powers.sum(axis=-1, keepdims=True)
    return weights


def causal_mask(n: int) -> Float:
    """The mask that is added to the scores so that a token sees only itself and the tokens before it.

    Parameters
    ----------
    n : int
        Number of tokens, from 1 to 2**15.

    Returns
    -------
    ndarray
        Shape (n, n): 0 where a token sees, -inf elsewhere; row p is the token that looks, column q the one
        that is looked at.

    Raises
    ------
    TypeError, ValueError
        If `n` is not an integer >= 1.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3.

    Examples
    --------
    >>> causal_mask(3)
    array([[  0., -inf, -inf],
           [  0.,   0., -inf],
           [  0.,   0.,   0.]])
    """
    n = check_count(n, "n", least=1)
    check_entries(n * n, "n")
    return np.where(np.tri(n, dtype=bool), 0.0, -np.inf)


def _matrix(matrix: ArrayLike | None, name: str, width: int) -> Float:
    """``matrix`` checked, or the identity if there is none."""
    if matrix is None:
        return np.eye(width)
    matrix = check_real(matrix, name)
    if matrix.ndim != 2 or matrix.shape[1] != width:
        raise ValueError(
            f"{name} must have shape (any, {width}) to act on rows of width {width}, got {matrix.shape}"
        )
    return matrix


def self_attention(
    x: ArrayLike,
    w_q: ArrayLike | None = None,
    w_k: ArrayLike | None = None,
    w_v: ArrayLike | None = None,
    *,
    bias: ArrayLike | None = None,
    temperature: float = 1.0,
) -> tuple[Float, Float]:
    """One head: every row of ``x`` asks, all rows answer, and the answers are mixed by how well they match.

    Parameters
    ----------
    x : array_like
        Shape (n, d), one row for each token.
    w_q, w_k : array_like, optional
        Shape (d_k, d): they make queries and keys; the identity if not given.
    w_v : array_like, optional
        Shape (d_v, d): it makes values; the identity if not given.
    bias : array_like, optional
        Shape (n, n), added to the scores: a mask, for one.
    temperature : float
        Divides the scores: finite, > 0; smaller is sharper.

    Returns
    -------
    outputs : ndarray
        Shape (n, d_v).
    weights : ndarray
        Shape (n, n); each row has sum 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or the shapes do not fit.

    References
    ----------
    Vaswani et al. (2017), section 3.2.

    Examples
    --------
    >>> outputs, weights = self_attention([[2.0, 0.0], [0.0, 2.0]])
    >>> weights.round(3)
    array([[0.944, 0.056],
           [0.056, 0.944]])
    """
    x = check_real(x, "x")
    if x.ndim != 2 or 0 in x.shape:
        raise ValueError(f"x must have shape (tokens, width) with at least one of each, got {x.shape}")
    n, d = x.shape
    check_entries(n * n, "x")
    with np.errstate(over="ignore", invalid="ignore"):
        queries = check_result(x @ _matrix(w_q, "w_q", d).T, "x and w_q")  # (n, d_k)
        keys = check_result(x @ _matrix(w_k, "w_k", d).T, "x and w_k")  # (n, d_k)
        values = check_result(x @ _matrix(w_v, "w_v", d).T, "x and w_v")  # (n, d_v)
    if queries.shape != keys.shape:
        raise ValueError(f"w_q and w_k must have as many rows, got {queries.shape[1]} and {keys.shape[1]}")
    if not keys.shape[1]:
        raise ValueError("w_q and w_k must have at least one row, got none")
    temperature = check_positive(temperature, "temperature")
    with np.errstate(over="ignore", invalid="ignore"):
        scores = queries @ keys.T / np.sqrt(queries.shape[1]) / temperature  # (n, n)
    check_result(scores, "x, w_q and w_k over temperature")
    if bias is not None:
        bias = check_real(bias, "bias", finite=False)
        if bias.shape != (n, n):
            raise ValueError(f"bias must have shape ({n}, {n}), got {bias.shape}")
        if np.isnan(bias).any() or (bias == np.inf).any() or np.isneginf(bias).all(axis=1).any():
            raise ValueError(
                f"bias must be finite or -inf, with a finite number in each row, got {shown(bias)}"
            )
        with np.errstate(over="ignore"):
            scores = scores + bias
        if (scores == np.inf).any():
            raise ValueError(f"bias must leave scores finite or -inf, got up to {bias.max():g}")
    weights = softmax(scores)  # (n, n), each row with sum 1
    return weights @ values, weights


def score_terms(
    tokens: ArrayLike, encodings: ArrayLike, w_q: ArrayLike | None = None, w_k: ArrayLike | None = None
) -> Float:
    """The four parts of the scores of ``tokens + encodings``.

    They are token-token, token-position, position-token and position-position.

    Parameters
    ----------
    tokens, encodings : array_like
        Shape (n, d): the vectors of the tokens and of their positions.
    w_q, w_k : array_like, optional
        Shape (d_k, d): they make queries and keys; the identity if not given.

    Returns
    -------
    ndarray
        Shape (4, n, n); the sum over the first axis is the scores before the softmax.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or an entry is not a finite real number.

    Examples
    --------
    >>> score_terms([[1.0, 0.0]], [[0.0, 2.0]]).ravel() * np.sqrt(2)
    array([1., 0., 0., 4.])
    """
    tokens, encodings = check_real(tokens, "tokens"), check_real(encodings, "encodings")
    if tokens.ndim != 2 or tokens.shape != encodings.shape:
        raise ValueError(
            f"tokens and encodings must have one shape (n, d), got {tokens.shape} and {encodings.shape}"
        )
    query, key = (_matrix(w, name, tokens.shape[1]) for w, name in ((w_q, "w_q"), (w_k, "w_k")))
    if len(query) != len(key):
        raise ValueError(f"w_q and w_k must have as many rows, got {len(query)} and {len(key)}")
    pairs = [(a, b) for a in (tokens, encodings) for b in (tokens, encodings)]
    if not len(query):
        raise ValueError("w_q and w_k must have at least one row, got none")
    check_entries(4 * len(tokens) ** 2, "tokens")
    with np.errstate(over="ignore", invalid="ignore"):
        terms: Float = np.array([(a @ query.T) @ (b @ key.T).T for a, b in pairs]) / np.sqrt(len(query))
    return check_result(terms, "tokens, encodings, w_q and w_k")  # (4, n, n)


def look_back_weights(
    position: float,
    offset: float,
    length: int,
    temperature: float,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """The weights of a head that looks ``offset`` positions back.

    It sees encodings alone, with W_q = 1 and W_k = T(offset).

    Parameters
    ----------
    position : float
        The position of the query.
    offset : float
        How far back the head looks, in positions.
    length : int
        Number of keys, >= 1, at positions 0 .. length - 1.
    temperature : float
        Divides the scores: finite, > 0; smaller is sharper.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Shape (length,), with sum 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above; and as for :func:`posenc.encoding.resolve_frequencies`.

    Examples
    --------
    >>> int(look_back_weights(9, 3, 16, 0.01, 64).argmax())
    6
    """
    length, omega = check_count(length, "length", least=1), resolve_frequencies(d_model, base, omega)
    check_entries(length, "length")
    check_products(2 * length * omega.size, "length and d_model")
    position, offset = check_scalar(position, "position"), check_scalar(offset, "offset")
    temperature = check_positive(temperature, "temperature")
    with np.errstate(over="ignore"):
        target = check_result(position - np.arange(length, dtype=np.float64) - offset, "position and offset")
    check_angles(target, omega, "position and offset")
    with np.errstate(over="ignore"):
        scores: Float = similarity(target, omega=omega) / np.sqrt(2 * omega.size) / temperature
    return softmax(check_result(scores, "scores over temperature"))
