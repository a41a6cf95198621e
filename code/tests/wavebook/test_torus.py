"""When the curve on the torus closes, by exact roots."""

import math

import pytest
import sympy as sp

from posenc import encoding_distance
from wavebook.torus import windings


@pytest.mark.parametrize("quarters", range(8, 145))
def test_the_curve_closes_where_the_root_of_the_base_is_a_fraction(quarters):
    root = sp.sqrt(sp.Rational(quarters, 4))
    found = windings(quarters / 4)
    assert (found is not None) == root.is_rational
    if found:
        assert found == (root.p, root.q)
        period = 2 * math.pi * found[0]
        assert encoding_distance(period, 4, quarters / 4) < 1e-12
        assert all(
            encoding_distance(2 * math.pi * turns, 4, quarters / 4) > 0.1 for turns in range(1, found[0])
        )
