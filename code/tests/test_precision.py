"""Rounding to narrow types against mpmath, which rounds to any number of bits, and NumPy's own float16."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.precision import SIGNIFICANT_BITS, rounded


@pytest.mark.parametrize("dtype", SIGNIFICANT_BITS)
@given(value=st.floats(min_value=-60_000, max_value=60_000).filter(lambda x: x == 0 or abs(x) > 1e-4))
def test_is_the_nearest(dtype, value):
    with mpmath.workprec(SIGNIFICANT_BITS[dtype]):
        nearest = float(+mpmath.mpf(value))
    assert rounded(value, dtype) == nearest


def test_integers_that_bfloat16_and_float16_hold():
    """Every integer up to 2^bits is held, the next is not."""
    for dtype, bits in SIGNIFICANT_BITS.items():
        if dtype != "float32":
            whole = np.arange(2**bits + 1)
            np.testing.assert_array_equal(rounded(whole, dtype), whole)
        assert rounded(2**bits + 1, dtype) == 2**bits


def test_shapes_are_kept():
    assert rounded(np.zeros((2, 3)), "bfloat16").shape == (2, 3)
    assert rounded(1.5, "float16").shape == ()


@pytest.mark.parametrize(
    ("values", "dtype", "error", "message"),
    [
        (1.0, "float8", ValueError, "dtype must be one of float32, float16, bfloat16, got 'float8'"),
        (1e6, "float16", ValueError, "values must be at most 65504 in size to be held in float16, got 1e"),
        (1e39, "float32", ValueError, "values must be at most"),
        (1e39, "bfloat16", ValueError, "values must be at most"),
        (np.nan, "float16", ValueError, "values must be finite"),
        ("x", "float16", TypeError, "values must be real numbers"),
    ],
)
def test_bad_input(values, dtype, error, message):
    with pytest.raises(error, match=message):
        rounded(values, dtype)
