"""Shifts against fresh encodings, against block matrices written out, and as a group."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, positional_encoding, shift, shift_matrix
from posenc.rotation import layout_order, tangent_step

widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1.5, 1e7)
places = st.floats(-1000, 1000)


def literal_matrix(offset, d_model, base):
    """T(k) written block by block, as the chapter "Many dimensions" prints it."""
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        angle = base ** (-2 * i / d_model) * offset
        matrix[2 * i][2 * i] = matrix[2 * i + 1][2 * i + 1] = math.cos(angle)
        matrix[2 * i][2 * i + 1] = math.sin(angle)
        matrix[2 * i + 1][2 * i] = -math.sin(angle)
    return matrix


@given(places, places, widths, bases)
def test_shift_moves_the_position(position, offset, d_model, base):
    moved = shift(positional_encoding(position, d_model, base), offset, base)
    np.testing.assert_allclose(moved, positional_encoding(position + offset, d_model, base), atol=2e-12)


@given(places, widths, bases)
def test_matrix_against_a_literal_one(offset, d_model, base):
    np.testing.assert_allclose(
        shift_matrix(offset, d_model, base), literal_matrix(offset, d_model, base), atol=1e-12
    )


@given(places, widths, bases, st.integers(0, 2**32 - 1))
def test_shift_is_the_matrix_on_any_vector(offset, d_model, base, seed):
    vectors = np.random.default_rng(seed).normal(size=(3, 2, d_model))
    expected = vectors @ shift_matrix(offset, d_model, base).T
    np.testing.assert_allclose(shift(vectors, offset, base), expected, atol=1e-12)


@given(places, places, widths, bases)
def test_group(j, k, d_model, base):
    t_j, t_k = shift_matrix(j, d_model, base), shift_matrix(k, d_model, base)
    identity = np.eye(d_model)
    np.testing.assert_allclose(t_j @ t_k, shift_matrix(j + k, d_model, base), atol=2e-12)
    np.testing.assert_allclose(t_j @ t_j.T, identity, atol=1e-13)
    np.testing.assert_allclose(shift_matrix(-j, d_model, base), t_j.T, atol=1e-15)
    np.testing.assert_array_equal(shift_matrix(0, d_model, base), identity)
    assert np.linalg.det(t_j) == pytest.approx(1, abs=1e-11)


def test_clockwise_in_the_plane_of_sine_and_cosine():
    """The point starts at the top and moves to the right."""
    assert shift([0.0, 1.0], 0.1)[0] > 0
    eigenvalues = np.linalg.eigvals(shift_matrix(0.3, 4))
    expected = np.exp(1j * np.concatenate([0.3 * frequencies(4), -0.3 * frequencies(4)]))
    np.testing.assert_allclose(sorted(eigenvalues, key=np.angle), sorted(expected, key=np.angle), atol=1e-14)


def test_input_is_not_changed():
    encoding = positional_encoding(3, 8)
    before = encoding.copy()
    shift(encoding, 5)
    np.testing.assert_array_equal(encoding, before)


@pytest.mark.parametrize("d_model", [2, 8])
def test_a_tangent_step_is_the_first_order_of_a_shift(d_model):
    """Twice as short a step misses a fourth as much; the slope is that of a difference quotient."""
    start = positional_encoding([3.0, 7.5], d_model)
    slope = (positional_encoding([3 + 1e-6, 7.5 + 1e-6], d_model) - start) / 1e-6
    np.testing.assert_allclose(tangent_step(start, 0.5), start + 0.5 * slope, rtol=0, atol=1e-6)
    missed = [np.linalg.norm(tangent_step(start, k) - shift(start, k)) for k in (0.02, 0.01)]
    assert missed[0] / missed[1] == pytest.approx(4, rel=1e-3)
    with pytest.raises(ValueError, match="encodings must have an even last axis"):
        tangent_step(np.zeros(3), 1)


def test_a_layout_moves_entries_and_an_unknown_one_is_refused():
    row = positional_encoding(5, 6)
    np.testing.assert_array_equal(row[layout_order("interleaved", 6)], row)
    np.testing.assert_array_equal(row[layout_order("halves", 6)], np.concatenate([row[0::2], row[1::2]]))
    np.testing.assert_array_equal(
        row[layout_order("cosine first", 6)].reshape(3, 2), row.reshape(3, 2)[:, ::-1]
    )
    with pytest.raises(
        ValueError, match="layout must be one of 'interleaved', 'halves', 'cosine first', got 'x'"
    ):
        layout_order("x", 6)
