"""Scores with learned positions against literal loops of their formulas, and against published programs."""

import math

import numpy as np
from by_definition import close

from posenc import positional_encoding, rotation
from wavebook import content_bias

RNG = np.random.default_rng(20180306)


def test_contextual_positions_count_gates():
    scores = RNG.normal(size=(6, 6))
    got = content_bias.contextual_positions(scores)
    for p in range(6):
        for q in range(6):
            want = sum(1 / (1 + math.exp(-scores[p, k])) for k in range(q, p + 1)) if q <= p else math.nan
            close(got[p, q], want)
    close(content_bias.contextual_positions(np.full((4, 4), 50.0))[3], [4, 3, 2, 1])
    with np.errstate(over="raise"):
        close(content_bias.contextual_positions(np.full((4, 4), -1000.0))[3], [0, 0, 0, 0])


def test_shaw_scores():
    n, d, reach = 6, 4, 2
    queries, keys, table = (
        RNG.normal(size=(n, d)),
        RNG.normal(size=(n, d)),
        RNG.normal(size=(2 * reach + 1, d)),
    )
    want = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            a = table[max(-reach, min(reach, j - i)) + reach]
            want[i, j] = sum(queries[i, c] * (keys[j, c] + a[c]) for c in range(d)) / math.sqrt(d)
    close(content_bias.shaw_scores(queries, keys, table), want)


def test_transformer_xl_terms():
    n, d, width = 5, 4, 6
    queries, keys, w = RNG.normal(size=(n, d)), RNG.normal(size=(n, d)), RNG.normal(size=(d, width))
    u, v = RNG.normal(size=(2, d))
    want = np.empty((4, n, n))
    for i in range(n):
        for j in range(n):
            encoding = [
                f((i - j) * 10_000 ** (-2 * c / width))
                for c in range(width // 2)
                for f in (math.sin, math.cos)
            ]
            projected = [sum(w[a, c] * encoding[c] for c in range(width)) for a in range(d)]
            for term, (left, right) in enumerate(
                [(queries[i], keys[j]), (queries[i], projected), (u, keys[j]), (v, projected)]
            ):
                want[term, i, j] = sum(x * y for x, y in zip(left, right, strict=True))
    close(content_bias.transformer_xl_terms(queries, keys, w, u, v), want)


def test_transformer_xl_is_addition_with_two_places_exchanged():
    """Content-position of the scores of x + PE is q . W PE(q); Transformer-XL puts PE(p - q) there."""
    queries, keys = RNG.normal(size=(5, 8)), RNG.normal(size=(5, 8))
    terms = content_bias.transformer_xl_terms(queries, keys, np.eye(8), np.zeros(8), np.zeros(8))
    close(terms[1][:, 0], [q @ positional_encoding(p, 8) for p, q in enumerate(queries)])
    assert not terms[2:].any()


def test_shaw_s_offsets_are_its_authors_program():
    """tensorflow/tensor2tensor, layers/common_attention.py, commit bdafdc1: the rows of the table."""
    n, reach = 7, 2
    table = np.arange(-reach, reach + 1.0)[:, None]
    rows = np.clip(np.arange(n) - np.arange(n)[:, None], -reach, reach) + reach
    close(content_bias.shaw_scores(np.ones((n, 1)), np.zeros((n, 1)), table), table[rows, 0])


def test_transformer_xl_is_its_authors_program():
    """kimiyoung/transformer-xl, pytorch/mem_transformer.py, commit 0110210, without memory.

    It encodes the distances from the largest to 0, all sines first, and moves the rows into place with a
    padded column and a change of shape; what is after the query is then wrong, and masked.
    """
    n, d, width = 6, 4, 8
    queries, keys, w = RNG.normal(size=(n, d)), RNG.normal(size=(n, d)), RNG.normal(size=(d, width))
    u, v = RNG.normal(size=(2, d))
    angles = np.outer(np.arange(n - 1, -1, -1), 1 / 10_000 ** (np.arange(0, width, 2) / width))
    encodings = np.hstack([np.sin(angles), np.cos(angles)]) @ w[:, rotation.halves_order(width)].T
    unmoved = (queries + v) @ encodings.T
    moved = np.hstack([np.zeros((n, 1)), unmoved]).reshape(n + 1, n)[1:]
    want = (queries + u) @ keys.T + moved
    got = content_bias.transformer_xl_terms(queries, keys, w, u, v).sum(axis=0)
    close(np.tril(got), np.tril(want))
