"""Periods, near returns and far ones: against exact fractions, and against looking at every offset."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
import sympy as sp
from by_definition import B, apart, exact_apart, extend_omegas

from wavebook.explorers import ClosestPair
from wavebook.explorers.closest_pair import BASES, LIMIT, WIDTHS
from wavebook.near_returns import far_return, real_period, record_offsets


def records_by_looking(limit, d, b=B):
    found = apart(np.arange(1, limit + 1), extend_omegas(d, b))
    before = np.minimum.accumulate(np.append(np.inf, found[:-1]))
    return [int(k) for k in 1 + np.flatnonzero(found < before)]


@pytest.mark.parametrize("d", [2, 4, 6, 8, 10, 12, 16, 24])
def test_real_period_in_exact_fractions(d):
    """A period exists where the root is rational: the least n that makes all n r^-i whole, by counting."""
    for base in [*range(2, 130), 256, 4096, 10_000, Fraction(9, 4), Fraction(27, 8), Fraction(5, 2)]:
        root = sp.Rational(base.numerator, base.denominator) ** sp.Rational(2, d)
        turns = real_period(d, base)
        assert (turns is not None) == (d == 2 or root.is_Rational), base
        if turns is not None and d > 2 and turns < 3000:
            ratio = Fraction(int(root.p), int(root.q))
            whole = (
                n for n in range(1, turns + 1) if all((n / ratio**i).denominator == 1 for i in range(d // 2))
            )
            assert next(whole) == turns


def test_real_period_is_one_and_brings_every_hand_home():
    for d, base in ((4, 10_000), (8, 10_000), (6, 64), (20, 1024)):
        with mpmath.workdps(60):
            period = 2 * mpmath.pi * real_period(d, base)
            assert exact_apart(period, d, base) < mpmath.mpf(10) ** -45
            longest = 2 * mpmath.pi * mpmath.mpf(base) ** (1 - mpmath.mpf(2) / d)
            assert abs(period - longest) < mpmath.mpf(10) ** -45


@pytest.mark.parametrize(
    ("d", "b"), [(2, 10), (4, 10_000), (6, 1000), (8, 10_000), (10, 10_000), (16, 100), (64, 10_000)]
)
def test_records_against_looking_at_every_offset(d, b):
    found = record_offsets(20_000, d, b)
    assert [k for k, _ in found] == records_by_looking(20_000, d, b)
    for k, value in found:
        assert value == pytest.approx(float(exact_apart(k, d, b)), rel=1e-7)


@pytest.mark.slow  # high precision, for long
def test_the_kept_records_are_records():
    """All of them: complete up to 30,000 by literal search; each nearer than the one before, in 60 digits."""
    kept = ClosestPair.constants["records"]
    assert set(kept) == set(map(str, BASES))
    assert all(set(found) == set(map(str, WIDTHS)) for found in kept.values())
    for b in BASES:
        for d in WIDTHS:
            offsets = kept[str(b)][str(d)]
            assert [k for k in offsets if k <= 30_000] == records_by_looking(
                30_000 if d < 100 else 3000, d, b
            )
            values = [exact_apart(k, d, b) for k in offsets]
            assert all(later < earlier for earlier, later in pairwise(values))
            assert offsets[-1] <= LIMIT


@pytest.mark.parametrize(
    ("d", "b"), [(12, 10_000), (16, 10_000), pytest.param(20, 1000, marks=pytest.mark.slow)]
)
def test_the_kept_records_are_complete(d, b):
    """Searched again, to a length where the widths in question have returned at least once."""
    limit = 2_000_000 if d < 20 else 30_000_000
    assert [k for k, _ in record_offsets(limit, d, b)] == [
        k for k in ClosestPair.constants["records"][str(b)][str(d)] if k <= limit
    ]


@pytest.mark.parametrize(
    ("d", "digits"), [(4, 6), (16, 7), (32, 13), pytest.param(64, 30, marks=pytest.mark.slow)]
)
def test_far_returns_are_near(d, digits):
    offset, value = far_return(d, digits=digits)
    assert type(offset) is int
    assert offset > 1
    true = exact_apart(offset, d, digits=200)
    assert value == pytest.approx(float(true), rel=1e-12)
    assert true < exact_apart(1, d)


def test_far_return_refuses(monkeypatch):
    with pytest.raises(ValueError, match="digits must be an integer from 1"):
        far_return(8, digits=0)
    with pytest.raises(TypeError, match="digits must be an integer"):
        far_return(8, digits=2.5)
    monkeypatch.setattr(
        "sympy.polys.matrices.DomainMatrix.lll", lambda basis: basis
    )  # nothing found but the offset 1
    with pytest.raises(ValueError, match="digits must be large enough to reach an offset above 1, got 3"):
        far_return(64, digits=3)
