"""Distances against 50-digit arithmetic and literal loops; closest_offset against other searches."""

import math
import tracemalloc
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from by_definition import exact_apart, exact_omegas, extend_omegas, kernel
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import (
    closest_offset,
    distance_matrix,
    encoding_distance,
    frequencies,
    positional_encoding,
    returns,
    similarity,
)
from wavebook.distance_law import first_decrease, law_reach, similarity_law, similarity_law_bound

EPS = 2.0**-52
widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1.001, 1e12)
offsets = st.floats(-1e9, 1e9)


def angle_errors(offset, d_model, base):
    """The a_i of the docstring of `encoding_distance`: how far rounding can move each angle."""
    return [EPS * abs(offset) * w * (1 + abs(mpmath.log(w))) for w in exact_omegas(d_model, base)]


def distance_error(offset, d_model, base, true):
    return mpmath.sqrt(mpmath.fsum(a * a for a in angle_errors(offset, d_model, base))) + 4 * EPS * true


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


# Similarity and distance


@pytest.mark.slow
@pytest.mark.parametrize("d_model", [2, 4, 8, 64, 128, 512])
@pytest.mark.parametrize("base", [2, 10, 10_000, 1e12])
def test_small_offsets_lose_no_digits(d_model, base):
    """Besides the range, the float nearest a full turn: there the first hand is back to 2e-16."""
    tried = [*np.geomspace(1e-9, 10, 14), 2 * math.pi, 6.0]
    for offset, got in zip(tried, encoding_distance(tried, d_model, base), strict=True):
        true = exact_apart(offset, d_model, base)
        assert abs(got - true) <= 1e-14 * true, (offset, float(abs(got - true) / true))


@pytest.mark.slow
@settings(deadline=None)
@given(
    offsets.filter(lambda offset: abs(offset) > 1e-20), widths, bases
)  # the oracle has digits for no smaller ones
def test_errors_stay_within_the_stated_bounds(offset, d_model, base):
    true = exact_apart(offset, d_model, base)
    assert abs(encoding_distance(offset, d_model, base) - true) <= distance_error(offset, d_model, base, true)
    true = mpmath.fsum(mpmath.cos(w * mpmath.mpf(offset)) for w in exact_omegas(d_model, base))
    bound = mpmath.fsum(angle_errors(offset, d_model, base)) + 2 * EPS * d_model
    assert abs(similarity(offset, d_model, base) - true) <= bound


@settings(deadline=None)
@given(offsets, widths, bases)
def test_both_are_even_bounded_and_tied_by_the_law_of_cosines(offset, d_model, base):
    apart, alike = encoding_distance(offset, d_model, base), similarity(offset, d_model, base)
    assert (apart, alike) == (encoding_distance(-offset, d_model, base), similarity(-offset, d_model, base))
    assert 0 <= apart <= math.sqrt(2 * d_model) * (1 + 4 * EPS)
    assert abs(alike) <= d_model / 2
    assert apart**2 == pytest.approx(d_model - 2 * alike, abs=32 * EPS * (1 + abs(offset)) * d_model)


@settings(deadline=None)
@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), widths, bases)
def test_both_are_what_they_say_about_two_encodings(p, q, d_model, base):
    one, other = positional_encoding(p, d_model, base), positional_encoding(q, d_model, base)
    product = sum(a * b for a, b in zip(one, other, strict=True))
    assert similarity(p - q, d_model, base) == pytest.approx(product, abs=1e-9)
    assert encoding_distance(p - q, d_model, base) == pytest.approx(math.dist(one, other), abs=1e-9)


@settings(deadline=None)
@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), widths, bases)
def test_distance_obeys_the_triangle_inequality(first, second, d_model, base):
    whole = encoding_distance(first + second, d_model, base)
    assert whole <= encoding_distance(first, d_model, base) + encoding_distance(second, d_model, base) + 1e-9


@pytest.mark.parametrize("tiny", [5e-324, 1e-200, 1e-154, 9e-101, 1.1e-100])
def test_tiny_offsets_do_not_underflow(tiny):
    with mpmath.workdps(700):  # 1 - cos needs twice the digits of the offset
        assert abs(encoding_distance(tiny, 8) - exact_apart(tiny, 8, 10_000)) <= max(1e-14 * tiny, 5e-324)
    if tiny > 1e-150:
        assert encoding_distance(tiny, omega=[1 / tiny]) == pytest.approx(2 * math.sin(0.5), rel=1e-14)


@pytest.mark.parametrize("measure", [similarity, encoding_distance])
@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 4), (2, 0, 5), (700, 1)])
def test_the_shape_is_that_of_the_offsets(measure, shape):
    many = np.random.default_rng(0).uniform(-50, 50, shape)
    result = measure(many, 200)
    assert result.shape == shape
    assert isinstance(result, np.ndarray if shape else np.float64)
    one_by_one = [measure(float(offset), 200) for offset in many.ravel()]
    np.testing.assert_array_equal(np.ravel(result), one_by_one)


@pytest.mark.parametrize("measure", [similarity, encoding_distance])
def test_temporary_memory_is_bounded(measure):
    many = np.arange(200_000)  # all angles at once would be 51 MB
    tracemalloc.start()
    measure(many, 64)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * 8 * many.size + 2**20


# The matrix


@pytest.mark.parametrize("d_model", [2, 6, 64])
def test_matrix_against_a_literal_double_loop(d_model):
    omega = [10_000 ** (-2 * i / d_model) for i in range(d_model // 2)]
    encodings = [[f(w * p) for w in omega for f in (math.sin, math.cos)] for p in range(40)]
    looped = [
        [math.sqrt(sum((a - b) ** 2 for a, b in zip(x, y, strict=True))) for y in encodings]
        for x in encodings
    ]
    np.testing.assert_allclose(distance_matrix(40, d_model), looped, rtol=0, atol=1e-13)


@settings(deadline=None)
@given(st.integers(1, 20_000), st.data(), widths, bases)
def test_entries_stay_within_the_stated_bound(n_positions, data, d_model, base):
    p, q = data.draw(st.integers(0, n_positions - 1)), data.draw(st.integers(0, n_positions - 1))
    true = exact_apart(p - q, d_model, base)
    bound = distance_error(p - q, d_model, base, true) + 4 * EPS * math.sqrt(d_model)
    assert abs(distance_matrix(n_positions, d_model, base)[p, q] - true) <= bound


def test_matrix_is_a_read_only_view_of_one_line():
    matrix = distance_matrix(300, 16)
    assert matrix.shape == (300, 300)
    assert not matrix.flags.writeable
    low, high = np.lib.array_utils.byte_bounds(matrix)
    assert high - low == 8 * (2 * 300 - 1)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0] = 1
    huge = distance_matrix(500_000, 2)  # as numbers of its own it would be 2 TB
    assert huge[123_456, 400_000] == pytest.approx(encoding_distance(400_000 - 123_456, 2), rel=1e-9)


@pytest.mark.parametrize("n_positions", [0, 1, 2])
def test_the_smallest_matrices(n_positions):
    expected = np.array([[0, 2 * math.sin(0.5)], [2 * math.sin(0.5), 0]])[:n_positions, :n_positions]
    np.testing.assert_allclose(distance_matrix(n_positions, 2), expected, rtol=1e-15)


# The nearest pair


def searched(max_offset, d_model, base=10_000, at=None):
    """The best of the offsets 1 .. max_offset (or of ``at``) by the definition, in extended precision."""
    omega = np.longdouble(base) ** (-np.arange(0, d_model, 2, dtype=np.longdouble) / d_model)
    tried = np.arange(1, max_offset + 1) if at is None else np.asarray(at)
    squares = np.zeros(tried.size, np.longdouble)
    for w in omega:
        squares += np.sin(w * tried) ** 2 + (1 - np.cos(w * tried)) ** 2
    best = squares.argmin()
    return int(tried[best]), float(np.sqrt(squares[best]))


@pytest.mark.parametrize(
    ("d_model", "max_offset"),
    [
        pytest.param(512, 20_000, marks=pytest.mark.slow),
        pytest.param(64, 200_000, marks=pytest.mark.slow),
        (64, 20_000),
        *((d_model, n) for d_model in (2, 4, 6, 8, 10, 16, 64) for n in (1, 7, 1000)),
        *(pytest.param(d_model, 200_000, marks=pytest.mark.slow) for d_model in (2, 4, 6, 8, 10, 16)),
    ],
)
def test_closest_offset_against_looking_at_every_one(d_model, max_offset):
    offset, apart = closest_offset(max_offset, d_model)
    expected, expected_apart = searched(max_offset, d_model)
    assert (type(offset), type(apart)) == (int, float)
    assert offset == expected
    assert apart == pytest.approx(expected_apart, rel=1e-8)


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(1, 3000), widths, st.floats(1.5, 1e9))
def test_closest_offset_is_the_best_of_all(max_offset, d_model, base):
    offset, apart = closest_offset(max_offset, d_model, base)
    assert 1 <= offset <= max_offset
    assert apart == encoding_distance(offset, d_model, base)
    everything = encoding_distance(np.arange(1, max_offset + 1), d_model, base)
    assert (offset, apart) == (everything.argmin() + 1, everything.min())
    assert apart == pytest.approx(searched(max_offset, d_model, base)[1], rel=1e-7)


@pytest.mark.parametrize("d_model", [2, 4, 16])
@pytest.mark.parametrize("max_offset", [8, 9, 10, 81, 82, 333, 710, 2000])
def test_closest_offset_does_not_depend_on_how_the_search_is_cut(monkeypatch, d_model, max_offset):
    monkeypatch.setattr(returns, "SPAN", 3)
    assert closest_offset(max_offset, d_model)[0] == searched(max_offset, d_model)[0]


def test_a_tie_goes_to_the_smallest_offset_whatever_rounding_does(monkeypatch):
    """With hands that stand still every offset is equally near; only rounded products tell them apart."""
    noise = np.random.default_rng(0)

    def rough(positions, **which):
        exact = positional_encoding(positions, **which)
        return exact * (1 + EPS * noise.uniform(-1, 1, exact.shape))

    monkeypatch.setattr(returns, "SPAN", 3)
    monkeypatch.setattr(returns, "positional_encoding", rough)
    assert closest_offset(50, omega=[0.0, 0.0]) == (1, 0.0)


@pytest.mark.slow
def test_one_pair_up_to_1e8_against_the_continued_fraction_of_two_pi():
    """The offsets nearer whole turns than all before are the numerators p of the convergents p/q of 2 pi."""
    rest, numerators = 2 * mpmath.pi, [1, 0]  # p_n = a_n p_(n-1) + p_(n-2), latest first
    while numerators[0] <= 10**8:
        digit = int(mpmath.floor(rest))
        numerators = [digit * numerators[0] + numerators[1], *numerators]
        rest = 1 / (rest - digit)
    best = numerators[1]
    offset, apart = closest_offset(10**8, 2)
    assert offset == best
    turns = mpmath.nint(best / (2 * mpmath.pi))
    assert apart == pytest.approx(float(abs(best - 2 * mpmath.pi * turns)), rel=1e-12)
    assert closest_offset(best - 1, 2)[0] == numerators[2]


@pytest.mark.slow
@pytest.mark.parametrize(("d_model", "period"), [(4, 100), (8, 1000)])
def test_narrow_encodings_up_to_1e8_by_their_true_period(d_model, period):
    """With base 10,000 and these d all hands return every 2 pi * period: look around its multiples."""
    offset, apart = closest_offset(10**8, d_model)
    turns = np.arange(1, int(10**8 / (2 * math.pi * period)) + 1)
    nearest = np.rint(turns * np.longdouble(2 * period) * np.longdouble("3.14159265358979323846")).astype(
        np.int64
    )
    around = (nearest[:, np.newaxis] + np.arange(-2, 3)).ravel()
    expected, expected_apart = searched(10**8, d_model, at=around[around <= 10**8])
    # Farther than 2.5 from a multiple, the slowest hand alone (1/period a step) makes more distance.
    assert expected_apart < 2 * math.sin(2.5 / period / 2)
    assert offset == expected
    assert apart == pytest.approx(float(exact_apart(offset, d_model, 10_000)), rel=1e-4)


@pytest.mark.parametrize(("max_offset", "d_model"), [(10**6, 512), (10**7, 64)])
def test_far_searches_need_little_memory(max_offset, d_model):
    tracemalloc.start()
    offset, apart = closest_offset(max_offset, d_model)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 2**20
    assert (offset, apart) == (1, encoding_distance(1, d_model))


# What is refused


@pytest.mark.parametrize(("d_model", "base"), [(64, 1e4), (512, 1e4), (128, 50.0)])
def test_at_the_reach_of_the_law_the_two_fastest_pairs_are_a_whole_turn_apart(d_model, base):
    """To first order; there the law ends."""
    first, second = frequencies(d_model, base)[:2]
    assert law_reach(d_model, base) * (first - second) / (2 * np.pi) == pytest.approx(
        1, rel=np.log(base) / d_model
    )


# The law of similarity, and where the distance first decreases


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offset", "d", "b"), [(0.3, 8, 100), (5, 64, 10_000), (-17, 128, 1e6), (250, 512, 10_000)]
)
def test_law_is_the_integral_and_its_corrections(offset, d, b):
    """By quadrature in 30 digits, with the derivative for the second correction taken numerically."""
    with mpmath.workdps(30):
        wave = lambda x: mpmath.cos(offset * mpmath.mpf(b) ** (-2 * x / mpmath.mpf(d)))  # noqa: E731
        area = mpmath.quad(wave, mpmath.linspace(0, d // 2, 65))
        ends = (wave(0) - wave(mpmath.mpf(d) / 2)) / 2
        slopes = (mpmath.diff(wave, mpmath.mpf(d) / 2) - mpmath.diff(wave, 0)) / 12
        expected = [area, area + ends, area + ends + slopes]
    got = [similarity_law(offset, d, b, corrections=c) for c in range(3)]
    np.testing.assert_allclose(got, [float(e) for e in expected], rtol=1e-11)


@settings(deadline=None)
@given(st.floats(1e-3, 1e3), widths, st.floats(1.5, 1e7))
def test_law_keeps_its_bound(offset, d, b):
    bound = math.log(b) * offset**2 / (4 * d)
    assert similarity_law_bound(offset, d, b) == pytest.approx(bound)
    assert abs(similarity_law(offset, d, b) - float(kernel(offset, extend_omegas(d, b)))) <= bound + 1e-9


def test_law_at_zero_in_shape_and_what_it_refuses():
    assert similarity_law(0, 64) == 32
    assert similarity_law(-5, 64) == similarity_law(5, 64)
    assert similarity_law(np.ones((2, 3)), 8).shape == (2, 3)
    for wrong in (3, -1, "1"):
        with pytest.raises(ValueError, match=f"corrections must be one of 0, 1, 2, got {wrong!r}"):
            similarity_law(1, 8, corrections=wrong)
    with pytest.raises(ValueError, match="offsets must be finite"):
        similarity_law(math.inf, 8)


@pytest.mark.parametrize("d", [2, 4, 8, 16, 32, 64, 128, pytest.param(512, marks=pytest.mark.slow)])
def test_first_decrease_in_sixty_digits(d):
    k = first_decrease(d)
    values = [exact_apart(j, d) for j in range(1, k + 2)]
    assert all(a <= b for a, b in pairwise(values[:-1]))
    assert values[-1] < values[-2]


def test_octaves_are_back_where_the_bound_of_the_law_says_nothing():
    octaves, back = np.array([2.0**-i for i in range(10)]), 2 * math.pi * 2**7
    assert kernel(back, octaves) == pytest.approx(7)
    assert kernel(back, octaves) > kernel(3.0, octaves)
    assert math.log(1024) * 10.8**2 / (4 * 20) > 10 > math.log(1024) * 10.7**2 / (4 * 20)
