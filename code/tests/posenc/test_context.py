"""Methods for longer contexts against their papers' formulas, pair by pair."""

import math

import mpmath
import numpy as np
import pytest
from by_definition import close

from posenc import context, encoding_distance, frequencies, positional_encoding, wavelengths

RNG = np.random.default_rng(20180306)


def yarn_loop(d, factor, base, length, slow, fast):
    """Peng et al. (2024), equations 11 to 13 of the paper, pair by pair."""
    new = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        turns = length / (2 * math.pi / theta)
        ramp = 0.0 if turns < slow else 1.0 if turns > fast else (turns - slow) / (fast - slow)
        new.append((1 - ramp) * theta / factor + ramp * theta)
    return new


@pytest.mark.parametrize(
    ("d", "factor", "base", "length"), [(128, 16, 10_000.0, 4096), (64, 1, 5e5, 8192), (8, 2.5, 100.0, 50)]
)
def test_methods_are_the_papers(d, factor, base, length):
    close(context.interpolation(d, factor, base), [base ** (-2 * i / d) / factor for i in range(d // 2)])
    close(
        context.ntk_aware(d, factor, base),
        [(base * factor ** (d / (d - 2))) ** (-2 * i / d) for i in range(d // 2)],
    )
    close(context.yarn(d, factor, base, length=length), yarn_loop(d, factor, base, length, 1, 32))
    close(
        context.yarn(d, factor, base, length=length, beta_slow=0, beta_fast=3),
        yarn_loop(d, factor, base, length, 0, 3),
    )
    close(context.yarn_scale(factor), 1 + math.log(factor) / 10)


def test_what_the_methods_leave_alone():
    old, factor = frequencies(128), 8
    close(context.interpolation(128, factor) * factor, old)
    new = context.ntk_aware(128, factor)
    close([new[0] / old[0], old[-1] / new[-1]], [1, factor])
    blend = context.yarn(128, factor, length=2048)
    turns = 2048 / wavelengths(128)
    assert (blend[turns > 32] == old[turns > 32]).all()
    close(blend[turns < 1] * factor, old[turns < 1])
    assert (blend <= old).all()
    assert (blend >= old / factor * (1 - 1e-15)).all()
    assert all((method(128, 1, 10_000.0, 2048) == old).all() for method in context.METHODS.values())


def test_interpolated_positions_are_old_positions():
    p = np.array([0.0, 7.0, 4095.0])
    close(positional_encoding(p, omega=context.interpolation(64, 2)), positional_encoding(p / 2, 64))
    close(encoding_distance(2.0, omega=context.interpolation(64, 2)), encoding_distance(1.0, 64))


@pytest.mark.parametrize(
    ("d", "factor", "base", "length"), [(128, 8, 5e5, 8192), (64, 32, 5e5, 8192), (16, 2, 1e3, 99)]
)
def test_llama_3_1_sorts_pairs_by_their_wavelengths(d, factor, base, length):
    """As its authors tell it: kept below length/4, divided above length, blended between."""
    want = []
    for i in range(d // 2):
        wavelength = 2 * math.pi * base ** (2 * i / d)
        if wavelength < length / 4:
            divisor = 1.0
        elif wavelength > length:
            divisor = factor
        else:
            kept = (length / wavelength - 1) / 3
            divisor = 1 / ((1 - kept) / factor + kept)
        want.append(1 / (wavelength / (2 * math.pi) * divisor))
    close(context.llama3(d, factor, base, length=length), want)


def test_llama_3_1_keeps_29_divides_29_and_blends_6():
    slowed = frequencies(128, 5e5) / context.llama3(128, 8, 5e5)
    assert [int(found.sum()) for found in (slowed == 1, np.isclose(slowed, 8, rtol=1e-13))] == [29, 29]


@pytest.mark.parametrize(
    ("d", "base", "length"),
    [(128, 10_000.0, 4096), (64, 150_000.0, 4096), (32, 50.0, 300), (16, 10_000.0, 6)],
)
@pytest.mark.parametrize("truncate", [True, False])
def test_the_other_ramp_is_linear_in_the_pair(d, base, length, truncate):
    """Where both of its ends are one pair, the libraries move one by a thousandth, which keeps that pair."""
    with mpmath.workdps(30):
        # Pair i makes length base^(-2i/d) / 2 pi turns: solved for i.
        ends = [d / 2 * mpmath.log(length / (2 * mpmath.pi * turns), base) for turns in (32, 1)]
        if truncate:
            ends = [mpmath.floor(ends[0]), mpmath.ceil(ends[1])]
        ends = [max(ends[0], 0), min(ends[1], d - 1)]
        want = []
        for i in range(d // 2):
            slow = min(1, max(0, (i - ends[0]) / (ends[1] - ends[0] or mpmath.mpf("0.001"))))
            want.append(float(mpmath.power(base, mpmath.mpf(-2 * i) / d) * (slow / 8 + 1 - slow)))
    close(context.yarn(d, 8, base, length=length, ramp="pairs", truncate=truncate), want)


def test_dynamic_ntk_is_ntk_aware_for_the_length_so_far():
    for n, factor in ((1, 1), (2048, 4), (3000, 1), (9000, 2.5)):
        scale = max(1, factor * n / 2048 - (factor - 1))
        want = [(500 * scale ** (64 / 62)) ** (-2 * i / 64) for i in range(32)]
        close(context.dynamic_ntk(64, n, 500.0, length=2048, factor=factor), want)


def test_longrope_has_two_sets_of_factors():
    short, long = RNG.uniform(1, 2, 8), RNG.uniform(1, 60, 8)
    for n, factors in ((4096, short), (4097, long)):
        got = context.longrope(16, n, short_factor=short, long_factor=long)
        close(got, [1 / (f * 10_000 ** (2 * i / 16)) for i, f in enumerate(factors)])
    close(context.longrope_scale(32, 4096), math.sqrt(1 + 5 / 12))  # 2^5 and 2^12


def test_scales_of_scores():
    close(context.log_n_scale([512, 2**18, 1]), [1, 2, 0])
    close(
        context.stepped_scale([0, 99, 100, 4000], 100, 0.5),
        [1, 1 + math.log(2) / 2, 1 + math.log(2) / 2, 1 + math.log(41) / 2],
    )
    close(context.stepped_scale([99, 100], 100, 0.5, start=0), [1, 1 + math.log(2) / 2])


def test_a_limit_of_hardly_any_turns():
    """No pair makes fewer: then those below the other limit are blended, and none is divided as a whole."""
    omega = context.yarn(16, 4, beta_slow=5e-324, ramp="pairs")
    assert np.isfinite(omega).all()
    assert (omega > context.interpolation(16, 4)).all()


@pytest.mark.parametrize(("factor", "length"), [(2, 2048), (8, 512)])
def test_unseen_pairs_are_counted(factor, length):
    for method in context.METHODS.values():
        omega = method(128, factor, 10_000.0, length)
        slow = [i for i in range(64) if 2 * math.pi * 10_000 ** (2 * i / 128) > length]
        beyond = [
            i for i in slow if omega[i] * factor * length > 10_000 ** (-2 * i / 128) * length * (1 + 1e-9)
        ]
        assert context.unseen_pairs(omega, 128, factor, length=length) == len(beyond)


def test_no_method_divides_a_frequency_by_more_than_the_factor():
    old = np.array([10_000 ** (-2 * i / 96) for i in range(48)])
    for method in context.METHODS.values():
        assert (old / method(96, 32, 10_000.0, 4096)).max() <= 32 * (1 + 1e-9)
