"""NumPy attention against a literal loop over words, in plain Python numbers."""

import math

import numpy as np
import pytest

from posenc import positional_encoding
from wavebook.attention import causal_mask, score_terms, self_attention, softmax


def literal(x, w_q, w_k, w_v, bias, temperature):
    """The definition, word by word: no array operation, no trick against overflow."""
    n = len(x)

    def times(w, row):
        return [sum(a * b for a, b in zip(line, row, strict=True)) for line in w]

    queries, keys, values = ([times(w, row) for row in x] for w in (w_q, w_k, w_v))
    outputs, weights = [], []
    for p in range(n):
        powers = []
        for q in range(n):
            score = (
                sum(a * b for a, b in zip(queries[p], keys[q], strict=True))
                / math.sqrt(len(w_q))
                / temperature
            )
            powers.append(math.exp(score) if bias[p][q] == 0 else 0.0)
        weights.append([power / math.fsum(powers) for power in powers])
        outputs.append([math.fsum(weights[p][q] * values[q][j] for q in range(n)) for j in range(len(w_v))])
    return outputs, weights


@pytest.mark.parametrize(("n", "d", "d_k", "d_v"), [(1, 2, 2, 2), (5, 8, 3, 4), (7, 6, 6, 1)])
@pytest.mark.parametrize("masked", [False, True])
def test_is_the_definition(n, d, d_k, d_v, masked):
    rng = np.random.default_rng(n)
    x, w_q, w_k, w_v = (rng.normal(size=shape) for shape in ((n, d), (d_k, d), (d_k, d), (d_v, d)))
    bias = causal_mask(n) if masked else np.zeros((n, n))
    outputs, weights = self_attention(x, w_q, w_k, w_v, bias=bias, temperature=0.7)
    expected = literal(x.tolist(), w_q.tolist(), w_k.tolist(), w_v.tolist(), bias.tolist(), 0.7)
    np.testing.assert_allclose(outputs, expected[0], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(weights, expected[1], rtol=1e-12, atol=1e-15)


def test_without_matrices_they_are_the_identity():
    x = np.random.default_rng(0).normal(size=(4, 6))
    for bare, given in zip(
        self_attention(x), self_attention(x, np.eye(6), np.eye(6), np.eye(6)), strict=True
    ):
        np.testing.assert_array_equal(bare, given)


def test_softmax_does_not_overflow():
    np.testing.assert_allclose(softmax([1e4, 1e4, -1e4]), [0.5, 0.5, 0.0])


def test_mask_hides_what_comes_after():
    mask = causal_mask(6)
    assert all(
        (mask[p, q] == 0) == (q <= p) and (q <= p or mask[p, q] == -np.inf)
        for p in range(6)
        for q in range(6)
    )
    _, weights = self_attention(np.random.default_rng(1).normal(size=(6, 4)), bias=mask)
    assert (np.triu(weights, 1) == 0).all()
    assert (np.tril(weights)[np.tri(6, dtype=bool)] > 0).all()


def test_the_four_terms_are_the_score():
    rng = np.random.default_rng(2)
    words, encodings = rng.normal(size=(5, 8)), positional_encoding(np.arange(5), 8)
    w_q, w_k = rng.normal(size=(2, 3, 8))
    terms = score_terms(words, encodings, w_q, w_k)
    for p in range(5):
        for q in range(5):
            by_hand = [
                float((w_q @ a[p]) @ (w_k @ b[q])) / math.sqrt(3)
                for a in (words, encodings)
                for b in (words, encodings)
            ]
            np.testing.assert_allclose(terms[:, p, q], by_hand, rtol=1e-12)
    _, weights = self_attention(words + encodings, w_q, w_k)
    np.testing.assert_allclose(softmax(terms.sum(axis=0)), weights, rtol=1e-12)
