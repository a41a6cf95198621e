"""Rounding to narrow types against ml_dtypes, NumPy's own types and mpmath, over all exponents."""

import math

import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.precision import SIGNIFICANT_BITS, narrow_encoding, rounded
from wavebook.lost_digits import frequency_errors

#: The exponent of the smallest normal number, and the largest number.
RANGES = {
    "float32": (-126, float(np.finfo(np.float32).max)),
    "float16": (-14, 65504.0),
    "bfloat16": (-126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
}
OWN_TYPES = {"float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}


def assert_same(got, expected):
    """Equal in every bit, the sign of zero included; any NaN equals any other."""
    expected = np.asarray(expected, dtype=np.float64)
    np.testing.assert_array_equal(got, expected)
    there = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got)[there], np.signbit(expected)[there])


def around_every_tie(values):
    """Neighbors of a type, the midpoint of each two, and the nearest float64 on both sides of it."""
    values = values[np.isfinite(values)]
    middles = values[:-1] / 2 + values[1:] / 2
    return np.concatenate([values, middles, np.nextafter(middles, -np.inf), np.nextafter(middles, np.inf)])


def test_bfloat16_at_every_one_of_its_numbers_and_around_every_tie():
    """Every bfloat16 is the upper half of a float32; the lower halves are those around the tie."""
    upper = np.arange(2**16, dtype=np.uint32)[:, np.newaxis] << 16
    bits = upper | np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], dtype=np.uint32)
    singles = bits.ravel().view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        assert_same(rounded(singles, "bfloat16"), singles.astype(ml_dtypes.bfloat16).astype(np.float64))


def test_bfloat16_is_rounded_once():
    """A float64 just beside a tie goes to its own side: by way of float32 it would reach the tie first."""
    lower, upper = np.float64(1), 1 + 2.0**-7
    middle = (lower + upper) / 2
    assert rounded([np.nextafter(middle, 0), middle, np.nextafter(middle, 2)], "bfloat16").tolist() == [
        lower,
        lower,
        upper,
    ]


def test_float16_at_every_one_of_its_numbers_and_around_every_tie():
    numbers = np.sort(np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float64))
    tried = np.concatenate(
        [around_every_tie(numbers), [np.nan, np.inf, -np.inf, 65519.999, 65520, 1e300, 5e-324]]
    )
    with np.errstate(over="ignore"):
        assert_same(rounded(tried, "float16"), tried.astype(np.float16))


def test_float32_at_every_exponent():
    """256 numbers at each exponent with both signs, and around the ties with their neighbors."""
    chance = np.random.default_rng(7)
    mantissas = chance.integers(0, 2**23, (512, 256), dtype=np.uint32)
    mantissas[:, :4] = [0, 1, 2**23 - 2, 2**23 - 1]
    bits = (np.arange(512, dtype=np.uint32)[:, np.newaxis] << 23 | mantissas).ravel()
    singles = bits.view(np.float32)
    singles = singles[np.isfinite(singles)]
    with np.errstate(over="ignore"):
        neighbors = np.nextafter(singles, np.float32(np.inf)).astype(np.float64)
        ends = np.where(
            np.isinf(neighbors), 2.0**128, neighbors
        )  # the tie with what would be the next number
        middles = (singles.astype(np.float64) + ends) / 2
        tried = np.concatenate(
            [singles, middles, np.nextafter(middles, -np.inf), np.nextafter(middles, np.inf), [1e300, 5e-324]]
        )
        assert_same(rounded(tried, "float32"), tried.astype(np.float32))


@pytest.mark.parametrize("dtype", SIGNIFICANT_BITS)
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_any_float64_is_rounded_to_the_nearest(dtype, value):
    """The normal numbers against mpmath; the others are a multiple of the smallest, the nearest one."""
    lowest, largest = RANGES[dtype]
    got, bits = float(rounded(value, dtype)), SIGNIFICANT_BITS[dtype]
    if abs(value) >= 2.0**lowest:
        with mpmath.workprec(bits):
            nearest = float(+mpmath.mpf(value))
        assert got == (nearest if abs(nearest) <= largest else math.copysign(math.inf, value))
    else:
        smallest = mpmath.mpf(2) ** (lowest - bits + 1)
        with mpmath.workprec(1100):
            assert got == float(mpmath.nint(mpmath.mpf(value) / smallest) * smallest)


def test_what_the_old_rounding_got_wrong():
    """Eight bits were kept below the smallest normal number too, where bfloat16 has fewer."""
    assert rounded([1e-45, 1e-40, 3e-39], "bfloat16").tolist() == pytest.approx(
        [0.0, 9.184e-41, 3.0306e-39], rel=1e-4
    )


def test_nan_and_infinities_stay_and_too_large_becomes_infinite():
    for dtype in SIGNIFICANT_BITS:
        got = rounded([math.nan, math.inf, -math.inf, 1e300, -1e300], dtype)
        assert np.isnan(got[0])
        assert got[1:].tolist() == [math.inf, -math.inf, math.inf, -math.inf]


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


@pytest.mark.parametrize("dtype", SIGNIFICANT_BITS)
def test_a_narrow_encoding_is_what_a_program_in_that_type_computes(dtype):
    own, positions = OWN_TYPES[dtype], np.arange(300)
    with np.errstate(over="ignore"):
        omega = (100.0 ** -(np.arange(0, 6, 2) / 6)).astype(own)
        angles = (positions.astype(own)[:, np.newaxis] * omega).astype(np.float64)
        expected = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(300, 6).astype(own)
    assert_same(narrow_encoding(positions, 6, 100, dtype=dtype), expected)


def test_frequency_errors_against_fifty_digits():
    found = frequency_errors(8, 300)
    with mpmath.workdps(50):
        exact = mpmath.mpf(300) ** mpmath.mpf("-0.5")
        error = abs(mpmath.mpf(float(exact)) - exact) / mpmath.mpf(float(np.spacing(float(exact))))
    assert found["power", "float64"][2] == pytest.approx(float(error), abs=1e-12)
    assert set(found) == {
        (form, kind) for form in ("power", "exponential") for kind in ("float32", "float64")
    }
