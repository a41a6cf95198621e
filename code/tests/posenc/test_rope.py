"""Rotary encodings against literal loops from their papers' formulas, and against published programs."""

import cmath
import math

import numpy as np
import pytest
from by_definition import close
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, rope, rotation, shift

RNG = np.random.default_rng(20180306)


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


def test_positions_of_heads_that_come_after_the_tokens_need_an_axis():
    x, p = np.random.default_rng(0).normal(size=(3, 3, 4)), np.array([0.0, 5, 9])
    by_token = [[rotary_loop(x[t, h], p[t], 10_000) for h in range(3)] for t in range(3)]
    close(rope.apply_rope(x, p[:, np.newaxis]), by_token)
    assert not np.allclose(rope.apply_rope(x, p), by_token), "with three heads, they are taken for the tokens"
