"""Self-attention in NumPy, small enough to be read in full: one head, every shape in a comment.

A text is an array with one row for each word. On paper a matrix acts on columns, so W x on paper is ``x @ w.T`` here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_count, check_real
from posenc.distance import similarity


def softmax(scores: ArrayLike) -> Float:
    """Weights proportional to exp(score) along the last axis, with sum 1; a score of -inf gets no weight.

    Parameters
    ----------
    scores : array of shape (..., n) of real numbers or -inf, at least one of each line finite

    Returns
    -------
    array of the same shape

    Raises
    ------
    ValueError
        If a score is NaN or +inf, or a line has no finite score.

    Introduced in the chapter "Attention does not know order". Source: Vaswani et al. (2017), section 3.2.1.

    >>> softmax([0.0, np.log(3), -np.inf])
    array([0.25, 0.75, 0.  ])
    """
    scores = np.asarray(scores, dtype=np.float64)
    if not scores.ndim or not np.isfinite(top := scores.max(axis=-1, keepdims=True, initial=-np.inf)).all():
        raise ValueError(f"scores must be finite or -inf, with a finite one in each line, got {scores}")
    powers = np.exp(scores - top)  # subtracting the largest changes no quotient, and exp cannot overflow
    return powers / powers.sum(axis=-1, keepdims=True)


def causal_mask(n: int) -> Float:
    """What is added to the scores so that a word sees only itself and the words before it: 0 there, -inf elsewhere.

    Parameters
    ----------
    n : integer >= 1, the number of words

    Returns
    -------
    array of shape (n, n): row p is the word that looks, column q the word that is looked at

    Raises
    ------
    TypeError, ValueError
        If ``n`` is not an integer >= 1.

    Introduced in the chapter "Attention does not know order". Source: Vaswani et al. (2017), section 3.2.3.

    >>> causal_mask(3)
    array([[  0., -inf, -inf],
           [  0.,   0., -inf],
           [  0.,   0.,   0.]])
    """
    n = check_count(n, "n", least=1)
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
    x : array of shape (n, d), one row for each word
    w_q, w_k : arrays of shape (d_k, d) that make queries and keys; the identity if not given
    w_v : array of shape (d_v, d) that makes values; the identity if not given
    bias : array of shape (n, n), added to the scores: a mask, for one
    temperature : finite number > 0 that divides the scores: smaller is sharper

    Returns
    -------
    outputs of shape (n, d_v), and weights of shape (n, n) whose rows have sum 1

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or the shapes do not fit.

    Introduced in the chapter "Attention does not know order". Source: Vaswani et al. (2017), section 3.2.

    >>> outputs, weights = self_attention([[2.0, 0.0], [0.0, 2.0]])
    >>> weights.round(3)
    array([[0.944, 0.056],
           [0.056, 0.944]])
    """
    x = check_real(x, "x")
    if x.ndim != 2 or 0 in x.shape:
        raise ValueError(f"x must have shape (words, width) with at least one of each, got {x.shape}")
    n, d = x.shape
    queries = x @ _matrix(w_q, "w_q", d).T  # (n, d_k)
    keys = x @ _matrix(w_k, "w_k", d).T  # (n, d_k)
    values = x @ _matrix(w_v, "w_v", d).T  # (n, d_v)
    if queries.shape != keys.shape:
        raise ValueError(f"w_q and w_k must have as many rows, got {queries.shape[1]} and {keys.shape[1]}")
    if not (np.ndim(temperature) == 0 and check_real(temperature, "temperature") > 0):
        raise ValueError(f"temperature must be a finite number > 0, got {temperature!r}")
    scores = queries @ keys.T / np.sqrt(queries.shape[1]) / temperature  # (n, n)
    if bias is not None:
        if np.shape(bias) != (n, n):
            raise ValueError(f"bias must have shape ({n}, {n}), got {np.shape(bias)}")
        scores = scores + bias
    weights = softmax(scores)  # (n, n), each row with sum 1
    return weights @ values, weights


def score_terms(
    tokens: ArrayLike, encodings: ArrayLike, w_q: ArrayLike | None = None, w_k: ArrayLike | None = None
) -> Float:
    """The four parts of the scores of ``tokens + encodings``: token-token, token-position, position-token and position-position.

    Parameters
    ----------
    tokens, encodings : arrays of shape (n, d)
    w_q, w_k : as for :func:`self_attention`

    Returns
    -------
    array of shape (4, n, n); the sum over the first axis is the scores before the softmax

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or an entry is not a finite real number.

    Introduced in the chapter "Inside the Transformer".

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
    return np.array([(a @ query.T) @ (b @ key.T).T for a, b in pairs]) / np.sqrt(len(query))  # (4, n, n)


def look_back_weights(
    position: float, offset: float, length: int, temperature: float, d_model: int, base: float = 10_000.0
) -> Float:
    """The weights of a head that looks ``offset`` positions back: W_q = 1 and W_k = T(offset), encodings alone.

    Parameters
    ----------
    position : real number, the position of the query
    offset : real number, in positions
    length : integer >= 1, the number of keys, at positions 0 .. length - 1
    temperature : finite number > 0 that divides the scores
    d_model, base : as for :func:`posenc.frequencies`

    Returns
    -------
    array of shape (length,), with sum 1

    >>> int(look_back_weights(9, 3, 16, 0.01, 64).argmax())
    6
    """
    length = check_count(length, "length", least=1)
    scores = similarity(position - np.arange(length) - offset, d_model, base) / np.sqrt(d_model)
    return softmax(scores / temperature)
