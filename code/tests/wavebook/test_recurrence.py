"""Encodings by the roots of their shift: powers of a matrix and the recurrence, not the formula."""

import numpy as np
import pytest

from wavebook.recurrence import root_encoding


@pytest.mark.parametrize("multiplicity", ["single", "double"])
@pytest.mark.parametrize(("radius", "angle"), [(1, 0.5), (0.9, 2), (1.2, 0), (1, 0)])
def test_a_root_is_an_eigenvalue_of_the_shift(radius, angle, multiplicity):
    turn = radius * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    times = {"single": 1, "double": 2}[multiplicity]
    block = np.kron(np.tri(times), turn)
    positions = np.arange(-6, 7)
    values = root_encoding(positions, radius, angle, multiplicity)
    start = root_encoding(0, radius, angle, multiplicity)
    powers = [np.linalg.matrix_power(block, p) @ start for p in positions]
    np.testing.assert_allclose(values, powers, atol=1e-12)
    for _ in range(times):
        recurrence = [1, -2 * radius * np.cos(angle), radius**2]
        values = np.array([np.convolve(entry, recurrence, "valid") for entry in values.T]).T
    np.testing.assert_allclose(values, 0, atol=1e-12)


def test_real_positions_and_shapes():
    np.testing.assert_allclose(root_encoding(0.5, 4, np.pi, "double"), [2, 0, 1, 0], atol=1e-15)
    assert root_encoding(np.zeros((2, 3)), 1, 1).shape == (2, 3, 2)
