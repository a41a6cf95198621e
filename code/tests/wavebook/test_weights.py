"""What a matrix of attention does to encodings: its parts and its scores against loops."""

import math

import numpy as np
import pytest

from wavebook.weights import rotation_fraction, rotation_parts


def test_the_parts_of_a_turned_matrix():
    """A block is turned by hand: r times a rotation by a, and a reflection, which must not count."""
    angles, sizes, mirrored = np.array([0.5, -2.0]), np.array([2.0, 0.5]), np.array([0.7, 1.1])
    matrix = np.zeros((4, 4))
    for i, (a, r, m) in enumerate(zip(angles, sizes, mirrored, strict=True)):
        turn = r * np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn + m * np.array([[1, 0], [0, -1]])
    np.testing.assert_allclose(rotation_parts(matrix), sizes * np.exp(1j * angles))
    expected = (2 * sizes**2).sum() / (2 * sizes**2 + 2 * mirrored**2).sum()
    assert rotation_fraction(matrix) == pytest.approx(expected)
