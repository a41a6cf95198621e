"""The relatives against literal loops from their papers' formulas, and against published programs."""

import cmath
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import (
    biases,
    content_bias,
    context,
    encoding_distance,
    frequencies,
    positional_encoding,
    rope,
    rotation,
    shift,
    wavelengths,
)

RNG = np.random.default_rng(20180306)


def close(got, want, **options):
    np.testing.assert_allclose(got, want, **{"rtol": 1e-12, "atol": 1e-12} | options)


# --- Rotary


def rotary_loop(x, p, base):
    """Su et al. (2024), equation 15, one pair after the other, in complex numbers."""
    d, turned = len(x), []
    for i in range(d // 2):
        z = complex(x[2 * i], x[2 * i + 1]) * cmath.exp(1j * p * base ** (-2 * i / d))
        turned += [z.real, z.imag]
    return turned


@pytest.mark.parametrize("d", [2, 6, 64])
def test_rotary_is_the_paper_s(d):
    x, positions = RNG.normal(size=(7, d)), RNG.uniform(-50, 2000, 7)
    close(
        rope.apply_rope(x, positions, 500.0),
        [rotary_loop(row, p, 500.0) for row, p in zip(x, positions, strict=True)],
    )
    close(rope.apply_rope(x, 9.0), [rotary_loop(row, 9.0, 10_000.0) for row in x])


def test_rotary_is_the_book_s_shift_the_other_way():
    """A query turns anticlockwise by p; shift turns (sin, cos) clockwise."""
    x = RNG.normal(size=(5, 16))
    for p in (0, 3, 100.5):
        close(rope.apply_rope(x, p), shift(x, -p))


@given(
    st.integers(1, 16),
    st.floats(-1000, 1000),
    st.floats(-1000, 1000),
    st.floats(-500, 500),
    st.integers(0, 2**32),
)
def test_rotary_scores_know_only_the_difference(pairs, p, q, s, seed):
    query, key = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    score = rope.apply_rope(query, p) @ rope.apply_rope(key, q)
    close(rope.apply_rope(query, p + s) @ rope.apply_rope(key, q + s), score, atol=1e-10)
    close(rope.apply_rope(query, p - q) @ key, score, atol=1e-10)
    close(np.linalg.norm(rope.apply_rope(query, p)), np.linalg.norm(query))


def test_layouts_differ_by_one_permutation():
    x, positions = RNG.normal(size=(7, 10)), np.arange(7)
    order = rotation.halves_order(10)
    close(
        rope.apply_rope(x[:, order], positions, layout="halves"),
        rope.apply_rope(x, positions)[:, order],
        rtol=0,
        atol=0,
    )
    matrix = np.eye(10)[order]  # the same as a matrix: orthogonal, so no dot product notices it
    close(matrix @ matrix.T, np.eye(10))
    close(x[:, order], x @ matrix.T)


def test_rotary_takes_any_frequencies():
    x, positions = RNG.normal(size=(3, 4)), np.array([2.0, 5.0, 9.0])
    close(rope.apply_rope(x, positions, omega=frequencies(4, 77)), rope.apply_rope(x, positions, 77.0))


def test_rotary_as_torch_code_does_it():
    """The two usual code paths: complex polar factors on interleaved pairs, and rotate_half on halves."""
    torch = pytest.importorskip("torch")
    x, positions = RNG.normal(size=(7, 64)), np.arange(7)
    angles = torch.outer(
        torch.arange(7, dtype=torch.float64),
        1.0 / 10_000 ** (torch.arange(0, 64, 2, dtype=torch.float64) / 64),
    )
    tensor = torch.tensor(x)
    polar = torch.view_as_real(
        torch.view_as_complex(tensor.reshape(7, 32, 2)) * torch.polar(torch.ones_like(angles), angles)
    ).flatten(1)
    close(rope.apply_rope(x, positions), polar.numpy())
    both = torch.cat([angles, angles], dim=-1)
    half = torch.cat([-tensor[:, 32:], tensor[:, :32]], dim=-1)
    close(rope.apply_rope(x, positions, layout="halves"), (tensor * both.cos() + half * both.sin()).numpy())


def axial_loop(x, coordinates, axes, omega):
    turned = []
    for i, axis in enumerate(axes):
        z = complex(x[2 * i], x[2 * i + 1]) * cmath.exp(1j * coordinates[axis] * omega[i])
        turned += [z.real, z.imag]
    return turned


def test_axial_rope_turns_each_pair_with_its_axis():
    axes = np.repeat([0, 1, 2], [1, 2, 3])
    x, positions = RNG.normal(size=(5, 12)), RNG.uniform(0, 50, (5, 3))
    want = [
        axial_loop(row, at, axes, 70.0 ** (-np.arange(6) / 6)) for row, at in zip(x, positions, strict=True)
    ]
    close(rope.apply_axial_rope(x, positions, axes, 70.0), want)
    order = rotation.halves_order(12)
    close(
        rope.apply_axial_rope(x[:, order], positions, axes, 70.0, layout="halves"), np.array(want)[:, order]
    )
    same = np.repeat(positions[:, :1], 3, axis=1)  # all coordinates equal, as for text: plain RoPE
    close(rope.apply_axial_rope(x, same, axes), rope.apply_rope(x, same[:, 0]))


def test_axial_scores_know_only_the_differences():
    query, key, moved = RNG.normal(size=8), RNG.normal(size=8), np.array([3.0, -7.5])
    p, q = RNG.uniform(0, 99, (2, 2))

    def score(p, q):
        return rope.apply_axial_rope(query, p, [0, 1, 0, 1]) @ rope.apply_axial_rope(key, q, [0, 1, 0, 1])

    close(score(p + moved, q + moved), score(p, q))
    assert abs(score([p[0] + 3, p[1]], q) - score(p, q)) > 0.01


@pytest.mark.parametrize("layout", rope.ROPE_LAYOUTS)
def test_xpos_scores_are_rope_s_with_a_decay_for_each_pair(layout):
    d, (p, q) = 10, (90.0, 31.5)
    query, key = RNG.normal(size=(2, d))
    pair = (
        (lambda v, i: complex(v[2 * i], v[2 * i + 1]))
        if layout == "interleaved"
        else (lambda v, i: complex(v[i], v[i + d // 2]))
    )
    want = sum(
        ((2 * i / d + 0.4) / 1.4) ** ((p - q) / 512)
        * (pair(query, i) * pair(key, i).conjugate() * cmath.exp(1j * (p - q) * 10_000 ** (-2 * i / d))).real
        for i in range(d // 2)
    )
    turned = rope.apply_xpos(query, p, layout=layout), rope.apply_xpos(key, q, keys=True, layout=layout)
    close(turned[0] @ turned[1], want)


@given(st.integers(1, 12), st.integers(0, 12), st.floats(-1e6, 1e6), st.booleans())
def test_pairs_at_rest_hold_the_similarity_up(pairs, turning, offset, truncated):
    turning = min(turning, pairs)
    omega = rope.partial_frequencies(2 * pairs, 2 * turning, 100.0, truncated=truncated)
    assert rope.similarity_floor(omega) == pairs - 2 * turning
    assert sum(math.cos(w * offset) for w in omega) >= pairs - 2 * turning - 1e-9


def test_which_pairs_turn_partially():
    close(rope.partial_frequencies(96, 24), [10_000 ** (-2 * i / 24) for i in range(12)] + [0] * 36)
    close(
        rope.partial_frequencies(512, 128, 1e6, truncated=True),
        [1e6 ** (-2 * i / 512) for i in range(64)] + [0] * 192,
    )
    assert not rope.partial_frequencies(8, 0).any()
    close(rope.partial_frequencies(8, 8, 77.0), frequencies(8, 77.0))
    x = RNG.normal(size=8)
    turned = rope.apply_rope(x, 5.0, omega=rope.partial_frequencies(8, 4))
    close(turned, [*rotary_loop(x[:4], 5.0, 10_000), *x[4:]])


def test_layers_alternate():
    omega = rope.layer_frequencies(7, [1.0, 0.5], [0.0, 0.0], every=3)
    assert [bool(row.any()) for row in omega] == [True, True, False, True, True, False, True]


# --- Biases and learned scores


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


def test_t5_buckets_as_torch_code_does_it():
    torch = pytest.importorskip("torch")
    offsets = torch.arange(-300, 301)
    distance, late = offsets.abs(), (offsets > 0).long() * 16
    far = 8 + (torch.log(distance.float() / 8) / math.log(128 / 8) * 8).long()
    expected = late + torch.where(distance < 8, distance, torch.clamp(far, max=15))
    assert biases.t5_bucket(offsets.numpy()).tolist() == expected.tolist()


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


def test_cope_scores_interpolate():
    n, d, table = 7, 4, RNG.normal(size=(4, 4))
    queries, keys = RNG.normal(size=(2, n, d))
    got = content_bias.cope_scores(queries, keys, table)
    for p in range(n):
        gates = [1 / (1 + math.exp(-(queries[p] @ keys[k]) / 2)) for k in range(n)]
        for q in range(p + 1):
            at = min(sum(gates[q : p + 1]), 3.0)
            low, part = min(int(at), 2), at - min(int(at), 2)
            e = (1 - part) * table[low] + part * table[low + 1]
            close(got[p, q], (queries[p] @ keys[q] + queries[p] @ e) / 2)
    assert np.isnan(got[np.triu_indices(n, 1)]).all()


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


# --- Published programs: what they compute, in their order, told anew


def test_xpos_is_its_authors_program():
    """microsoft/torchscale, torchscale/component/xpos_relative_position.py, commit 776b070.

    It turns by positions counted from 0 and scales by positions counted from the middle.
    """
    n, d = 41, 12
    queries, keys = RNG.normal(size=(2, n, d))
    centered = np.arange(n) + -n // 2
    scale = ((np.arange(0, d, 2) + 0.4 * d) / (1.4 * d)) ** (centered / 512)[:, None]
    angles = np.outer(np.arange(n), 1 / 10_000 ** (np.arange(d // 2) / (d // 2)))

    def program(x, scale):
        sin, cos = (np.repeat(wave * scale, 2, axis=1) for wave in (np.sin(angles), np.cos(angles)))
        return x * cos + np.stack([-x[:, 1::2], x[:, ::2]], axis=2).reshape(n, d) * sin

    def lengths(x):  # of the pairs
        return np.hypot(x[:, ::2], x[:, 1::2])

    want = program(queries, scale), program(keys, 1 / scale)
    got = rope.apply_xpos(queries, np.arange(n)), rope.apply_xpos(keys, np.arange(n), keys=True)
    close(got[0] @ got[1].T, want[0] @ want[1].T)
    close(lengths(rope.apply_xpos(queries, centered)), lengths(want[0]))
    close(lengths(rope.apply_xpos(keys, centered, keys=True)), lengths(want[1]))


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


@pytest.mark.parametrize("divided", [True, False])
def test_cope_is_its_authors_program(divided):
    """facebookresearch/RAM, projects/cope/src/cope/context_position.py, commit 5420e20.

    With its option cope_nodiv, q . e is not divided by sqrt(d).
    """
    n, d, rows = 9, 4, 3
    queries, keys, table = RNG.normal(size=(n, d)), RNG.normal(size=(n, d)), RNG.normal(size=(rows, d))
    content, mask = queries @ keys.T, np.tri(n)
    gates = mask / (1 + np.exp(-content / math.sqrt(d)))
    positions = np.minimum(np.flip(np.cumsum(np.flip(gates, 1), axis=1), 1), rows - 1)
    at_whole = queries @ table.T
    above, below = (np.take_along_axis(at_whole, f(positions).astype(int), 1) for f in (np.ceil, np.floor))
    seen = above * (positions % 1) + below * (1 - positions % 1)
    want = (content + seen) / math.sqrt(d) if divided else content / math.sqrt(d) + seen
    got = content_bias.cope_scores(queries, keys, table if divided else table * math.sqrt(d))
    assert (positions == rows - 1).any(), "some positions are beyond the table"
    close(got, np.where(mask, want, np.nan))


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


# --- Longer contexts


def yarn_loop(d, factor, base, length, slow, fast):
    """Peng et al. (2024), equations 11 to 13 of the paper, pair by pair."""
    new = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        turns = length / (2 * math.pi / theta)
        ramp = 0.0 if turns < slow else 1.0 if turns > fast else (turns - slow) / (fast - slow)
        new.append((1 - ramp) * theta / factor + ramp * theta)
    return new


@pytest.mark.parametrize(
    ("d", "factor", "base", "length"), [(128, 16, 10_000.0, 4096), (64, 1, 5e5, 8192), (8, 2.5, 100.0, 50)]
)
def test_methods_are_the_papers(d, factor, base, length):
    close(context.interpolation(d, factor, base), [base ** (-2 * i / d) / factor for i in range(d // 2)])
    close(
        context.ntk_aware(d, factor, base),
        [(base * factor ** (d / (d - 2))) ** (-2 * i / d) for i in range(d // 2)],
    )
    close(context.yarn(d, factor, base, length=length), yarn_loop(d, factor, base, length, 1, 32))
    close(
        context.yarn(d, factor, base, length=length, beta_slow=0, beta_fast=3),
        yarn_loop(d, factor, base, length, 0, 3),
    )
    close(context.yarn_scale(factor), 1 + math.log(factor) / 10)


def test_what_the_methods_leave_alone():
    old, factor = frequencies(128), 8
    close(context.interpolation(128, factor) * factor, old)
    new = context.ntk_aware(128, factor)
    close([new[0] / old[0], old[-1] / new[-1]], [1, factor])
    blend = context.yarn(128, factor, length=2048)
    turns = 2048 / wavelengths(128)
    assert (blend[turns > 32] == old[turns > 32]).all()
    close(blend[turns < 1] * factor, old[turns < 1])
    assert (blend <= old).all()
    assert (blend >= old / factor * (1 - 1e-15)).all()
    assert all((method(128, 1, 10_000.0, 2048) == old).all() for method in context.METHODS.values())


def test_interpolated_positions_are_old_positions():
    p = np.array([0.0, 7.0, 4095.0])
    close(positional_encoding(p, omega=context.interpolation(64, 2)), positional_encoding(p / 2, 64))
    close(encoding_distance(2.0, omega=context.interpolation(64, 2)), encoding_distance(1.0, 64))


@pytest.mark.parametrize(
    ("d", "factor", "base", "length"), [(128, 8, 5e5, 8192), (64, 32, 5e5, 8192), (16, 2, 1e3, 99)]
)
def test_llama_3_1_sorts_pairs_by_their_wavelengths(d, factor, base, length):
    """As its authors tell it: kept below length/4, divided above length, blended between."""
    want = []
    for i in range(d // 2):
        wavelength = 2 * math.pi * base ** (2 * i / d)
        if wavelength < length / 4:
            divisor = 1.0
        elif wavelength > length:
            divisor = factor
        else:
            kept = (length / wavelength - 1) / 3
            divisor = 1 / ((1 - kept) / factor + kept)
        want.append(1 / (wavelength / (2 * math.pi) * divisor))
    close(context.llama3(d, factor, base, length=length), want)


def test_llama_3_1_keeps_29_divides_29_and_blends_6():
    slowed = frequencies(128, 5e5) / context.llama3(128, 8, 5e5)
    assert [int(found.sum()) for found in (slowed == 1, np.isclose(slowed, 8, rtol=1e-13))] == [29, 29]


@pytest.mark.parametrize(
    ("d", "base", "length"),
    [(128, 10_000.0, 4096), (64, 150_000.0, 4096), (32, 50.0, 300), (16, 10_000.0, 6)],
)
@pytest.mark.parametrize("truncate", [True, False])
def test_the_other_ramp_is_linear_in_the_pair(d, base, length, truncate):
    """Where both of its ends are one pair, the libraries move one by a thousandth, which keeps that pair."""
    with mpmath.workdps(30):
        # Pair i makes length base^(-2i/d) / 2 pi turns: solved for i.
        ends = [d / 2 * mpmath.log(length / (2 * mpmath.pi * turns), base) for turns in (32, 1)]
        if truncate:
            ends = [mpmath.floor(ends[0]), mpmath.ceil(ends[1])]
        ends = [max(ends[0], 0), min(ends[1], d - 1)]
        want = []
        for i in range(d // 2):
            slow = min(1, max(0, (i - ends[0]) / (ends[1] - ends[0] or mpmath.mpf("0.001"))))
            want.append(float(mpmath.power(base, mpmath.mpf(-2 * i) / d) * (slow / 8 + 1 - slow)))
    close(context.yarn(d, 8, base, length=length, ramp="pairs", truncate=truncate), want)


def test_dynamic_ntk_is_ntk_aware_for_the_length_so_far():
    for n, factor in ((1, 1), (2048, 4), (3000, 1), (9000, 2.5)):
        scale = max(1, factor * n / 2048 - (factor - 1))
        want = [(500 * scale ** (64 / 62)) ** (-2 * i / 64) for i in range(32)]
        close(context.dynamic_ntk(64, n, 500.0, length=2048, factor=factor), want)


def test_longrope_has_two_sets_of_factors():
    short, long = RNG.uniform(1, 2, 8), RNG.uniform(1, 60, 8)
    for n, factors in ((4096, short), (4097, long)):
        got = context.longrope(16, n, short_factor=short, long_factor=long)
        close(got, [1 / (f * 10_000 ** (2 * i / 16)) for i, f in enumerate(factors)])
    close(context.longrope_scale(32, 4096), math.sqrt(1 + 5 / 12))  # 2^5 and 2^12


def test_scales_of_scores():
    close(context.log_n_scale([512, 2**18, 1]), [1, 2, 0])
    close(
        context.stepped_scale([0, 99, 100, 4000], 100, 0.5),
        [1, 1 + math.log(2) / 2, 1 + math.log(2) / 2, 1 + math.log(41) / 2],
    )


@pytest.mark.parametrize(("factor", "length"), [(2, 2048), (8, 512)])
def test_unseen_pairs_are_counted(factor, length):
    for method in context.METHODS.values():
        omega = method(128, factor, 10_000.0, length)
        slow = [i for i in range(64) if 2 * math.pi * 10_000 ** (2 * i / 128) > length]
        beyond = [
            i for i in slow if omega[i] * factor * length > 10_000 ** (-2 * i / 128) * length * (1 + 1e-9)
        ]
        assert context.unseen_pairs(omega, 128, factor, length=length) == len(beyond)


# --- Bad input


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rope.apply_rope(3.0, 1), ValueError, "vectors must have at least one axis"),
        (
            lambda: rope.apply_rope(np.ones((2, 3)), [0, 1]),
            ValueError,
            "vectors must have an even last axis",
        ),
        (
            lambda: rope.apply_rope(np.ones((2, 4)), [0, 1, 2]),
            ValueError,
            r"positions must fit vectors of shape \(2, 4\), got shape \(3,\)",
        ),
        (lambda: rope.apply_rope(np.ones((2, 4)), [0, np.nan]), ValueError, "positions must be finite"),
        (
            lambda: rope.apply_rope(np.ones((2, 4)), 0, omega=[1.0]),
            ValueError,
            r"omega must have shape \(2,\)",
        ),
        (
            lambda: rope.apply_rope(np.ones((2, 4)), 0, layout="half"),
            ValueError,
            "layout must be one of 'interleaved', 'halves', got 'half'",
        ),
        (
            lambda: rope.apply_axial_rope(np.ones(4), [1.0, 2.0], [0, 2]),
            ValueError,
            "axes must be 2 whole numbers below 2",
        ),
        (lambda: rope.apply_xpos(np.ones(4), 0, gamma=0), ValueError, "gamma must be one finite number > 0"),
        (
            lambda: rope.partial_frequencies(8, 10),
            ValueError,
            "rotary_dim must be even and at most d_model = 8, got 10",
        ),
        (
            lambda: rope.layer_frequencies(3, [1.0], [1.0, 2.0], every=2),
            ValueError,
            "usual and other must have",
        ),
        (lambda: context.yarn(8, 2, ramp="linear"), ValueError, "ramp must be one of 'turns', 'pairs'"),
        (lambda: context.yarn(8, 2, ramp="pairs", beta_slow=0), ValueError, "beta_slow must be above 0"),
        (
            lambda: context.llama3(8, 2, low_freq_factor=5),
            ValueError,
            "low_freq_factor must be at least 0 and at most high_freq_factor",
        ),
        (
            lambda: context.longrope(8, 9, short_factor=[1, 1], long_factor=[1] * 4),
            ValueError,
            "short_factor must be 4 numbers > 0",
        ),
        (lambda: context.log_n_scale(0), ValueError, "n must be at least 1, got 0"),
        (lambda: context.stepped_scale(0.5), ValueError, "positions must be whole numbers >= 0, got 0.5"),
        (lambda: context.stepped_scale(0, beta=-1), ValueError, "beta must be one finite number >= 0"),
        (lambda: biases.kerple_bias(3, 0, 1), ValueError, "r1 must be one finite number > 0, got 0"),
        (lambda: biases.kerple_bias(3, 1, 3, "power"), ValueError, "r2 must be at most 2"),
        (lambda: biases.kerple_bias(3, 1, 3, "exp"), ValueError, "kernel must be one of 'log', 'power'"),
        (lambda: biases.fire_positions(3, c=0), ValueError, "c must be one finite number > 0, got 0"),
        (
            lambda: content_bias.contextual_positions(np.ones((2, 3))),
            ValueError,
            "gate_scores must be square",
        ),
        (lambda: biases.alibi_slopes(0), ValueError, "heads must be an integer from 1"),
        (lambda: biases.alibi_bias(3, -1), ValueError, "slope must be one finite number >= 0, got -1"),
        (lambda: biases.t5_bucket_starts(7), ValueError, "num_buckets must be even, got 7"),
        (lambda: biases.t5_bucket_starts(16, 8), ValueError, "max_distance must be an integer from 9"),
        (lambda: biases.t5_bucket([0.5]), ValueError, "offsets must be whole numbers"),
        (
            lambda: content_bias.shaw_scores(np.ones((3, 2)), np.ones((2, 2)), np.ones((3, 2))),
            ValueError,
            r"keys must have shape \(3, 2\), got \(2, 2\)",
        ),
        (
            lambda: content_bias.shaw_scores(np.ones((3, 2)), np.ones((3, 2)), np.ones((4, 2))),
            ValueError,
            "table must have an odd number of rows",
        ),
        (
            lambda: content_bias.transformer_xl_terms(
                np.ones((3, 2)), np.ones((3, 2)), np.ones((2, 3)), [0, 0], [0, 0]
            ),
            ValueError,
            "d_model must be an even",
        ),
        (
            lambda: content_bias.transformer_xl_terms(
                np.ones((3, 2)), np.ones((3, 2)), np.ones((2, 4)), [0], [0, 0]
            ),
            ValueError,
            r"u must have shape \(2,\)",
        ),
        (
            lambda: content_bias.shaw_scores(np.ones((3, 0)), np.ones((3, 0)), np.ones((3, 0))),
            ValueError,
            r"queries must have shape \(at least 1, at least 1\), got \(3, 0\)",
        ),
        (lambda: context.interpolation(8, 0.5), ValueError, "factor must be one finite number >= 1, got 0.5"),
        (lambda: context.interpolation(8, "2"), TypeError, "factor must be real numbers"),
        (lambda: context.ntk_aware(2, 2), ValueError, "d_model must be at least 4"),
        (
            lambda: context.yarn(8, 2, beta_slow=4, beta_fast=3),
            ValueError,
            "beta_slow must be at least 0 and at most beta_fast",
        ),
        (lambda: context.yarn(8, 2, length=0), ValueError, "length must be an integer from 1"),
        (
            lambda: context.unseen_pairs(np.ones(3), 8, 2),
            ValueError,
            r"omega must have shape \(4,\), got \(3,\)",
        ),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
