"""Families of harmonics, the largest distance and the expected return, computed without the package."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

from wavebook.harmonics import Families, expected_return, harmonic_families, largest_distance, opposite_hands


def by_roots(d_model: int, base: int) -> Families:
    """The smallest n for which base^(2n/d_model) is a whole number, found by taking exact roots."""
    pairs = d_model // 2
    for count in range(1, pairs + 1):
        root, exact = sp.integer_nthroot(base**count, pairs)
        if exact:
            return Families(count, pairs // count, int(root))
    raise AssertionError("n = d_model/2 gives the base itself")


@pytest.mark.parametrize("base", [2, 36, 81, 1024, 4096, 10_000, 500_000, 1_000_000, 6**9])
def test_families_by_exact_roots(base):
    for d_model in (*range(2, 50, 2), 128, 512):
        assert harmonic_families(d_model, base) == by_roots(d_model, base)


def test_frequencies_of_a_family_are_harmonics_in_fifty_digits():
    with mpmath.workdps(50):
        for d_model, base in ((8, 10_000), (20, 10_000), (512, 10_000), (24, 4096)):
            count, _, ratio = harmonic_families(d_model, base)
            omega = [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_model) for i in range(d_model // 2)]
            assert all(
                abs(fast / slow - ratio) < 1e-45 for fast, slow in zip(omega, omega[count:], strict=False)
            )


@pytest.mark.parametrize("d_model", [8, 16, 40, 64])
def test_nothing_ties_the_families_together(d_model):
    """All are powers of one root of 10: its minimal polynomial has the degree that there are families."""
    x = sp.Symbol("x")
    count, size, ratio = harmonic_families(d_model)
    assert (count, size, ratio) == (d_model // 8, 4, 10)
    assert sp.degree(sp.minimal_polynomial(sp.Rational(10) ** sp.Rational(8, d_model), x), x) == count


def largest_sum(size: int, ratio: int) -> tuple[float, float]:
    """The largest value of sum sin^2(ratio^k x) on a fine grid, and how much it may be too small."""
    steps = 256 * ratio ** (size - 1)
    x = np.linspace(0, np.pi / 2, steps + 1)
    values = sum(np.sin(float(ratio) ** k * x) ** 2 for k in range(size))
    # Beside a maximum a function falls by at most half its largest curvature times the square of the way.
    curvature = 2 * sum(float(ratio) ** (2 * k) for k in range(size))
    return float(values.max()), curvature / 2 * (np.pi / 4 / steps) ** 2


@pytest.mark.parametrize(
    ("d_model", "base"),
    [
        (4, 10_000),
        (6, 10_000),
        (8, 10_000),
        (20, 10_000),
        (128, 10_000),
        (512, 10_000),
        (24, 4096),
        (10, 32),
        (8, 10**6),
        (8, 6**4),
        (8, 3**4),
        (16, 2**4),
        (512, 500_000),
    ],
)
def test_largest_distance_on_a_grid_of_angles(d_model, base):
    count, size, ratio = by_roots(d_model, base)
    found, missed = largest_sum(size, ratio) if size > 1 else (1.0, 0.0)
    low, high = (2 * math.sqrt(count * value) for value in (found, found + missed))
    assert low * (1 - 1e-12) <= largest_distance(d_model, base) <= high * (1 + 1e-12)


def test_no_integer_offset_exceeds_it_and_some_come_near():
    offsets = np.arange(1, 400_001)
    for d_model, nearness in ((4, 1e-5), (8, 1e-4), (16, 0.05)):
        squares = sum(2 - 2 * np.cos(offsets * 10_000.0 ** (-2 * i / d_model)) for i in range(d_model // 2))
        farthest = math.sqrt(squares.max())
        assert largest_distance(d_model) * (1 - nearness) < farthest <= largest_distance(d_model) * (1 + 1e-9)


def test_hands_nearly_opposite_are_one_family():
    for size, ratio in ((4, 10), (3, 4), (2, 100)):
        turns = opposite_hands(size, ratio) + 0.5
        gaps = ratio * turns[:-1] - turns[1:]
        np.testing.assert_allclose(gaps, np.rint(gaps), atol=1e-9)
        assert (np.sin(np.pi * turns) ** 2).sum() == pytest.approx(largest_sum(size, ratio)[0], abs=1e-4)


# --- The expected return


def neighbors(d_model: int) -> float:
    return sum(2 - 2 * math.cos(10_000 ** (-2 * i / d_model)) for i in range(d_model // 2))


def chord_squares(size: int, ratio: int, samples: int) -> np.ndarray:
    """The squared distance that a family contributes, for evenly spaced angles of its slowest hand."""
    turns = (np.arange(samples) + 0.5) / samples
    return sum(2 - 2 * np.cos(2 * np.pi * float(ratio) ** k * turns) for k in range(size))


@pytest.mark.parametrize(("d_model", "samples"), [(4, 200_000), (8, 400_000), (12, 20_000), (16, 400_000)])
def test_expected_return_by_counting(d_model, samples):
    """One to three families: for how many of the angles is the sum of what they contribute small enough?"""
    count, size, ratio = by_roots(d_model, 10_000)
    reach = neighbors(d_model)
    one = np.sort(chord_squares(size, ratio, samples))
    one = one[one <= reach]
    others = np.zeros(1)
    for _ in range(count - 1):
        others = (others[:, np.newaxis] + one).ravel()
        others = others[others <= reach]
    below = np.searchsorted(one, reach - others, side="right").sum()
    assert expected_return(d_model) == pytest.approx(
        count * math.log10(samples) - math.log10(below), abs=0.01
    )


def by_inverse_transform(d_model: int, size: int, ratio: int) -> float:
    """Minus log10 of P(S <= r^2): the integral of E exp(s (r^2 - S))/s along a line through its saddle."""
    count, reach = d_model // 2 // size, neighbors(d_model)
    values = chord_squares(size, ratio, 20_001)

    def exponent(s: complex) -> complex:
        return count * np.log(np.exp(-s * values).mean()) + s * reach - np.log(s)

    low, high = 0.01, 100.0
    while high - low > 1e-6:
        first, second = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, second) if exponent(first) < exponent(second) else (first, high)
    saddle, h = (low + high) / 2, 1e-3
    top = exponent(saddle)
    width = ((exponent(saddle + h) - 2 * top + exponent(saddle - h)) / h**2) ** -0.5
    along = np.linspace(-9 * width, 9 * width, 361)
    integral = np.trapezoid([np.exp(exponent(saddle + 1j * t) - top).real for t in along], along)
    return -(top + math.log(integral / (2 * math.pi))) / math.log(10)


@pytest.mark.slow
@pytest.mark.parametrize(("d_model", "said"), [(64, 25.0), (512, 202.9)])
def test_expected_return_by_the_inverse_transform(d_model, said):
    assert expected_return(d_model) == pytest.approx(by_inverse_transform(d_model, 4, 10), abs=0.02)
    assert round(expected_return(d_model), 1) == said


def test_free_hands_would_be_back_later():
    assert expected_return(512, free=True) == pytest.approx(by_inverse_transform(512, 1, 1), abs=0.02)
    assert round(expected_return(512, free=True), 1) == 209.6
    assert expected_return(64, free=True) > expected_return(64)


# --- What is refused


def test_too_fast_a_family_is_refused():
    with pytest.raises(ValueError, match="base must leave at most 1,000,000 turns"):
        expected_return(8, 1000**4)
    assert largest_distance(8, 1000**4) < 4, "which needs no such limit"
