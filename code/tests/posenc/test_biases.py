"""Biases of scores against literal loops from their papers' formulas, and against published programs."""

import math

import mpmath
import numpy as np
import pytest
from by_definition import close

from posenc import biases


def slopes_recursively(heads):
    """As published: a geometric sequence for powers of two; else the one below, then half of the next."""
    if math.log2(heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
        return [start * start**i for i in range(heads)]
    below = 2 ** math.floor(math.log2(heads))
    return slopes_recursively(below) + slopes_recursively(2 * below)[0::2][: heads - below]


@pytest.mark.parametrize("heads", [1, 2, 3, 8, 12, 16, 25, 64])
def test_alibi_slopes(heads):
    slopes = biases.alibi_slopes(heads)
    close(slopes, slopes_recursively(heads))
    assert slopes.shape == (heads,)
    assert len(set(slopes)) == heads


def test_alibi_bias():
    bias = biases.alibi_bias(6, 0.25)
    assert all(bias[p, q] == -0.25 * abs(p - q) for p in range(6) for q in range(6))


@pytest.mark.parametrize("queries", [[5], [0, 3], [2.5], [7, 1]])
def test_alibi_bias_of_some_queries(queries):
    """As with a cache: rows for the tokens that look, columns for all that are looked at."""
    bias = biases.alibi_bias(6, 0.25, queries)
    assert bias.shape == (len(queries), 6)
    assert all(bias[i, q] == -0.25 * abs(p - q) for i, p in enumerate(queries) for q in range(6))


@pytest.mark.parametrize("heads", [1, 6, 8, 12, 32, 40])
@pytest.mark.parametrize("most", [8, 16, 4])
def test_alibi_slopes_of_mpt(heads, most):
    """MPT's rule: powers for the power of two at or above, then every second one first, and the others."""
    above = 2 ** math.ceil(math.log2(heads))
    powers = [1 / 2 ** (h * most / above) for h in range(1, above + 1)]
    expected = powers if above == heads else (powers[1::2] + powers[0::2])[:heads]
    close(biases.alibi_slopes(heads, most), expected)


def bucket_loop(offset, buckets, furthest, causal):
    """T5's rule for one offset, with forty digits where a float's logarithm could miss a boundary."""
    shift = 0
    if not causal:
        buckets //= 2
        shift = buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(0, -offset)
    exact = buckets // 2
    if distance < exact:
        return shift + distance
    with mpmath.workdps(40):
        share = (
            mpmath.log(mpmath.mpf(distance) / exact)
            / mpmath.log(mpmath.mpf(furthest) / exact)
            * (buckets - exact)
        )
        return shift + min(buckets - 1, exact + int(mpmath.floor(share + mpmath.mpf(10) ** -30)))


@pytest.mark.parametrize(
    ("buckets", "furthest", "causal"),
    [(32, 128, False), (32, 128, True), (8, 50, False), (16, 1000, True), (4, 3, False)],
)
def test_t5_buckets(buckets, furthest, causal):
    offsets = np.arange(-1100, 1101)
    got = biases.t5_bucket(offsets, buckets, furthest, causal=causal)
    assert got.tolist() == [bucket_loop(int(k), buckets, furthest, causal) for k in offsets]


def test_kerple_kernels():
    log, power = biases.kerple_bias(5, 0.7, 2.5), biases.kerple_bias(5, 0.7, 1.5, "power")
    for p in range(5):
        for q in range(5):
            close(log[p, q], -0.7 * math.log(1 + 2.5 * abs(p - q)))
            close(power[p, q], -0.7 * abs(p - q) ** 1.5)
    close(biases.kerple_bias(5, 0.25, 1, "power"), biases.alibi_bias(5, 0.25))


def test_fire_positions():
    got = biases.fire_positions(9, 0.3, 4.5)
    for p in range(9):
        for q in range(9):
            if q > p:
                assert np.isnan(got[p, q])
            else:
                close(got[p, q], math.log(1 + 0.3 * (p - q)) / math.log(1 + 0.3 * max(p, 4.5)))
    assert np.nanmax(got) <= 1


@pytest.mark.parametrize(("p", "a"), [(0.7, 2.5), (2.0, 0.01)])
def test_kerple_is_its_authors_program(p, a):
    """chijames/KERPLE, megatron/mpu/layers.py, commit 73f1ee2: ParallelKerpleLog and ParallelKerplePower.

    Its parameters are at least 0.01, and the power at most 2; what is after the query has distance 0.
    """
    n = 7
    distances = np.tril(np.arange(n)[:, None] + np.arange(0, -n, -1))
    close(np.tril(biases.kerple_bias(n, p, a)), -p * np.log(1 + a * distances))
    power = distances.astype(float) ** p
    close(np.tril(biases.kerple_bias(n, a, p, "power")), -power * a)


@pytest.mark.parametrize(("n", "start"), [(9, 4.5), (700, 512.0)])
def test_fire_is_its_public_program(n, start):
    """mcleish7/arithmetic, cramming/architectures/embeddings.py, commit 55af9d5, which others have too.

    We found none by its authors. This one adds 1e-6 to the denominator, and learns the threshold as a
    multiple of its first value.
    """
    c, multiple, positions = -0.1, -0.9, np.arange(n, dtype=float)
    distances = positions[:, None] - positions
    scales = np.maximum(positions, abs(multiple * start))[:, None]
    distances, scales = (np.log(np.abs(c * x) + 1) for x in (distances, scales))
    want = np.where(np.tri(n, dtype=bool), distances / (scales + 1e-6), np.nan)
    close(biases.fire_positions(n, 0.1, 0.9 * start), want, rtol=5e-6)
