"""Frequencies, wavelengths and codes against mpmath and a literal loop; bad input against its message."""

import math

import mpmath
import numpy as np
import pytest
from by_definition import exact_omega, exact_omegas
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, positional_encoding, wavelengths

EPS = np.finfo(float).eps
widths = st.integers(1, 128).map(lambda pairs: 2 * pairs)
bases = st.floats(1.001, 1e9)
positions = st.floats(-1e6, 1e6)


def literal_encoding(position, d_model, base=10_000.0):
    """The definition, one entry at a time, as the paper writes it."""
    encoding = []
    for i in range(d_model // 2):
        angle = position / base ** (2 * i / d_model)
        encoding += [math.sin(angle), math.cos(angle)]
    return encoding


@given(widths, bases)
def test_frequencies_against_mpmath(d_model, base):
    with mpmath.workdps(50):
        exact = exact_omegas(d_model, base)
    for true, frequency in zip(exact, frequencies(d_model, base), strict=True):
        # The rounded exponent -2i/d is off by half a unit; ln(base) carries that into the power.
        assert abs(frequency - true) <= (2 + math.log(base)) * EPS * true


@given(widths, bases)
def test_frequencies_fall_geometrically_from_one(d_model, base):
    omega = frequencies(d_model, base)
    assert omega.shape == (d_model // 2,)
    assert omega[0] == 1
    np.testing.assert_allclose(omega[1:] / omega[:-1], base ** (-2 / d_model), rtol=1e-13)


def test_the_last_wavelength_is_short_of_the_base():
    assert wavelengths(512)[-1] == pytest.approx(2 * math.pi * 10_000 ** (510 / 512), rel=1e-14)
    assert wavelengths(512)[-1] < 2 * math.pi * 10_000


@given(widths, bases)
def test_wavelength_times_frequency_is_a_turn(d_model, base):
    np.testing.assert_allclose(
        wavelengths(d_model, base) * frequencies(d_model, base), 2 * math.pi, rtol=4 * EPS
    )


@given(positions, st.sampled_from([2, 4, 8, 16, 62]), bases)
def test_code_against_mpmath(position, d_model, base):
    encoding = positional_encoding(position, d_model, base)
    with mpmath.workdps(50):
        for pair in range(d_model // 2):
            angle = mpmath.mpf(position) * exact_omega(pair, d_model, base)
            # An angle of size a is stored with an error of a few a * eps, and a sine is no steeper than 1.
            bound = EPS + (3 + math.log(base)) * EPS * abs(float(angle))
            assert abs(encoding[2 * pair] - mpmath.sin(angle)) <= bound
            assert abs(encoding[2 * pair + 1] - mpmath.cos(angle)) <= bound


@pytest.mark.parametrize("d_model", [2, 4, 6, 32])
def test_code_against_a_literal_loop(d_model):
    got = positional_encoding(np.arange(40), d_model)
    np.testing.assert_allclose(got, [literal_encoding(p, d_model) for p in range(40)], atol=1e-13)


@given(st.lists(positions, max_size=6), widths)
def test_norm_is_constant_and_entries_bounded(places, d_model):
    encodings = positional_encoding(np.array(places, dtype=float), d_model)
    assert encodings.shape == (len(places), d_model)
    assert (abs(encodings) <= 1).all()
    np.testing.assert_allclose((encodings**2).sum(axis=-1), d_model / 2, rtol=1e-13)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,), (2, 0, 3)])
def test_shape_follows_positions(shape):
    assert positional_encoding(np.ones(shape), 6).shape == (*shape, 6)
    assert positional_encoding(np.ones(shape, dtype=int), 6).dtype == np.float64


def test_positions_are_not_changed():
    places = np.arange(5.0)
    positional_encoding(places, 4)
    assert (places == np.arange(5)).all()


def test_widths_from_numpy_are_welcome():
    assert positional_encoding(1, np.int64(4), np.float32(10_000)).shape == (4,)
