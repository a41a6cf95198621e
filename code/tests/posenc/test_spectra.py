"""Choices of frequencies, one's own and those of the book, against literal loops and mpmath."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from explorer_page import values
from hypothesis import assume, given
from hypothesis import strategies as st

from posenc import encoding_distance, frequencies, positional_encoding, similarity, spectra
from wavebook import choices
from wavebook import spectra as rivals
from wavebook.choices import SPECTRA
from wavebook.explorers import BaseTrade, Sinusoids, Spectra, Wavelengths

omegas = st.lists(st.floats(-10, 10), min_size=1, max_size=12)
places = st.floats(-1e3, 1e3)


# A set of frequencies in place of d_model and base


@given(places, omegas)
def test_a_code_of_any_frequencies_against_a_literal_loop(position, omega):
    expected = [f(w * position) for w in omega for f in (math.sin, math.cos)]
    np.testing.assert_allclose(positional_encoding(position, omega=omega), expected, rtol=0, atol=1e-15)


@given(places, places, omegas)
def test_similarity_and_distance_of_any_frequencies_are_those_of_their_codes(p, q, omega):
    one, other = ([f(w * x) for w in omega for f in (math.sin, math.cos)] for x in (p, q))
    assert similarity(p - q, omega=omega) == pytest.approx(
        sum(a * b for a, b in zip(one, other, strict=True)), abs=1e-10
    )
    assert encoding_distance(p - q, omega=omega) == pytest.approx(math.dist(one, other), abs=1e-10)


# Choices of frequencies


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("d_model", [2, 4, 10, 64])
def test_every_choice_falls_from_fast_to_slow(name, d_model):
    omega = SPECTRA[name](d_model, 500.0)
    assert omega.shape == (d_model // 2,)
    assert (omega > 0).all()
    assert (np.diff(omega) <= 0).all()
    np.testing.assert_array_equal(omega, SPECTRA[name](d_model, 500.0))  # the random ones are reproducible


@given(st.integers(2, 100), st.floats(1.5, 1e8))
def test_linear_has_equal_steps_between_the_geometric_ends(pairs, base):
    waves = 2 * math.pi / choices.linear(2 * pairs, base)
    assert waves[0] == pytest.approx(2 * math.pi)
    assert waves[-1] == pytest.approx(2 * math.pi * base ** (1 - 1 / pairs), rel=1e-12)
    np.testing.assert_allclose(np.diff(waves), (waves[-1] - waves[0]) / (pairs - 1), rtol=1e-6)


@pytest.mark.parametrize("d_model", [2, 8, 30])
def test_harmonic_is_periodic_as_a_fourier_series_is(d_model):
    omega = choices.harmonic(d_model)
    assert omega[-1] == pytest.approx(2 / d_model)
    assert encoding_distance(math.pi * d_model, omega=omega) == pytest.approx(0, abs=1e-12)
    one, rest = 3.3, np.linspace(0.5, math.pi * d_model - 0.5, 50)
    assert encoding_distance(rest, omega=omega).min() > 0.1
    assert similarity(one, omega=omega) == pytest.approx(similarity(one + math.pi * d_model, omega=omega))


@pytest.mark.parametrize("pairs", [1, 4, 13])
def test_octave_is_geometric_with_a_base_of_its_own(pairs):
    np.testing.assert_allclose(choices.octave(2 * pairs), frequencies(2 * pairs, 2.0**pairs), rtol=1e-14)


def test_random_choices_follow_their_distributions():
    """Compared with the distribution functions themselves: the largest gap is of the order of 1 / sqrt(n)."""
    n = 20_000
    levels = (np.arange(n) + 0.5) / n
    for omega, law in (
        (spectra.log_uniform(2 * n, 50.0, rng=3), lambda w: 1 + math.log(w) / math.log(50)),
        (choices.gaussian(2 * n, rng=3), lambda w: math.erf(w / math.sqrt(2))),
    ):
        assert max(abs(levels - [law(w) for w in omega[::-1]])) < 2 / math.sqrt(n)
    assert (choices.gaussian(8, rng=1) != choices.gaussian(8, rng=2)).all()


def test_fitted_beats_the_others_at_what_it_was_fitted_to():
    offsets = np.arange(1, 201)
    apart = {
        name: encoding_distance(offsets, omega=make(64, 10_000.0)).min() for name, make in SPECTRA.items()
    }
    apart["fitted"] = encoding_distance(offsets, omega=choices.fitted(64, length=200)).min()
    assert max(apart, key=apart.get) == "fitted"
    for wrong in ({"length": 0}, {"steps": 0}):
        with pytest.raises(ValueError, match="must be an integer from 1"):
            choices.fitted(8, **wrong)


@pytest.mark.slow
def test_the_recorded_fit_is_what_the_descent_comes_to():
    """On this processor, which may round otherwise: as good a fit, and as different from the others."""
    offsets = np.arange(1, 513)
    for d_model in rivals.RECORDED:
        recorded, again = rivals.fitted(d_model), choices.fitted(d_model)
        assert (recorded == np.sort(recorded)[::-1]).all()
        assert recorded.min() > 0
        assert recorded.max() <= np.pi
        nearest = [encoding_distance(offsets, omega=omega).min() for omega in (recorded, again)]
        assert nearest[0] == pytest.approx(nearest[1], rel=0.03)
        one, other = spectra.measure(recorded), spectra.measure(again)
        assert one.neighbors == pytest.approx(other.neighbors, rel=0.03)
        assert one.redundancy == pytest.approx(other.redundancy, abs=0.1)
        assert abs(one.empty - other.empty) <= 1
    with pytest.raises(ValueError, match="d_model must be one of 64, 512"):
        rivals.fitted(128)
    with pytest.raises(ValueError, match=r"base must be one of 10000\.0"):
        rivals.fitted(64, 500)


# The measures


def literal_scores(omega, base, limit):
    """Each measure from its definition in words."""
    n = len(omega)
    waves = [2 * math.pi / w for w in omega]
    octaves = [(2 * math.pi * 2**k, 2 * math.pi * 2 ** (k + 1)) for k in range(int(math.log2(base)))]

    def alike(k):
        return sum(math.cos(w * k) for w in omega)

    x = [math.log(4) + j * math.log(128) / 63 for j in range(64)]
    y = [alike(math.exp(t)) for t in x]
    slope, rise = np.polyfit(x, y, 1)
    left_over = sum((b - slope * a - rise) ** 2 for a, b in zip(x, y, strict=True)) / sum(
        (b - np.mean(y)) ** 2 for b in y
    )
    agree = [
        abs(sum(np.exp(1j * (u - v) * p) for p in range(1024))) / 1024 for u, v in itertools.pairwise(omega)
    ]
    apart = next((k - 1 for k in range(1, limit + 1) if 2 * n - 2 * alike(k) < 1), limit)
    empty = sum(not any(low <= w < high for w in waves) for low, high in octaves)
    neighbors = math.sqrt(2 * n - 2 * alike(1))
    return math.log10(waves[-1] / waves[0]), neighbors, empty, 1 - left_over, sorted(agree), apart


@pytest.mark.parametrize("name", SPECTRA)
def test_scores_against_their_definitions(name):
    omega = SPECTRA[name](30, 3000.0)
    got = spectra.measure(omega, 3000.0, limit=500)
    decades, neighbors, empty, logarithmic, agree, apart = literal_scores(omega.tolist(), 3000.0, 500)
    assert got[:4] == pytest.approx((decades, neighbors, empty, logarithmic), rel=1e-9, abs=1e-9)
    assert got.redundancy == pytest.approx((agree[6] + agree[7]) / 2, abs=1e-9)
    assert got.apart == apart


def test_apart_ends_before_the_first_offset_nearer_than_one():
    """By hand: neighbors are 1.004 apart, offset 19 returns to (0.150, 0.574); nothing before is as near."""
    assert spectra.measure([1, 0.3]).apart == 18


def test_scores_of_one_pair_and_of_equal_pairs():
    assert spectra.measure([1.0]).redundancy == 0
    assert spectra.measure([0.5, 0.5]).redundancy == 1


@given(st.floats(1, 1e7), st.integers(1, 60), st.floats(1.5, 1e8))
def test_share_never_turning_by_counting(length, pairs, base):
    exact = [2 * math.pi * base ** (i / pairs) for i in range(pairs)]
    assume(all(abs(wave / length - 1) > 1e-12 for wave in exact))
    counted = sum(wave > length for wave in exact)
    assert choices.fraction_never_turning(length, 2 * pairs, base) == pytest.approx(
        counted / pairs, rel=1e-12
    )


@pytest.mark.parametrize(
    ("positions", "d_model", "base"),
    [
        (512, 128, 1e4),
        (512, 512, 1e4),
        (1024, 512, 1e4),
        (2048, 128, 1e4),
        (4096, 128, 1e4),
        (8192, 128, 5e5),
    ],
)
def test_first_and_last_of_n_positions_are_a_step_less_apart(positions, d_model, base):
    """The pages say "in n positions", which may mean n steps or n - 1: where they count, both agree."""
    exponents = np.arange(d_model // 2) * 2 / d_model
    slow = [sum(2 * np.pi * base**e > steps for e in exponents) for steps in (positions - 1, positions)]
    assert slow[0] == slow[1] == round(d_model / 2 * choices.fraction_never_turning(positions, d_model, base))


@pytest.mark.parametrize(("d_model", "base"), [(128, 1e4), (128, 500.0), (4, 1e4), (64, 1e5), (2, 7.0)])
def test_first_negative_against_every_offset_in_order(d_model, base):
    """Every offset in order, doubtful ones in 40 digits; some answers are beyond the search's first block."""
    got = choices.first_negative(d_model, base)
    with mpmath.workdps(40):
        omega = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model) for i in range(d_model // 2)]
        rough = [float(w) for w in omega]
        small = [k for k in range(1, got + 1) if sum(math.cos(w * k) for w in rough) < 1e-6]
        assert [k for k in small if mpmath.fsum(mpmath.cos(w * k) for w in omega) < 0] == [got]


def test_first_negative_beyond_a_block_and_at_its_limit():
    got = choices.first_negative(128, 1e6)
    assert got > choices.SPAN**2
    assert similarity(got, 128, 1e6) < 0 <= similarity(np.arange(1, got), 128, 1e6).min()
    assert choices.first_negative(128, 1e6, limit=got) == got
    assert choices.first_negative(128, 1e6, limit=got - 1) is None
    with pytest.raises(ValueError, match="limit must be an integer from 1"):
        choices.first_negative(128, limit=0)


# The explorers


def test_wavelengths_states_what_python_computes(mount):
    page = mount(Wavelengths(d_model=64, base=500, length=300))
    shown = values(page)
    waves = 2 * math.pi * 500 ** (np.arange(32) / 32)
    expected = {
        "pairs": 32,
        "first_wavelength": waves[0],
        "last_wavelength": waves[-1],
        "percent_never_turning": 100 * np.mean(waves > 300),
        "pairs_per_octave": 32 / math.log2(500),
        "fullest_octave": math.ceil(32 / math.log2(500)),
    }
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-5)


def test_sinusoids_shows_the_last_pair_where_there_is_no_other(mount):
    page = mount(Sinusoids(pair=200, d_model=64))
    assert "the last pair is 31" in page.locator(".note").text_content()
    shown, exact = values(page), 2 * math.pi * 10_000 ** (31 / 32)
    assert (shown["pair"], shown["pairs"]) == (31, 32)
    assert (shown["turns"], shown["wavelength"]) == pytest.approx((200 / exact, exact), rel=1e-5)


def test_spectra_states_what_python_computes(mount):
    page = mount(Spectra(spectrum="harmonic", d_model=32))
    shown = values(page)
    omega = np.arange(16, 0, -1) / 16
    curve = 2 * np.sqrt((np.sin(np.outer(np.arange(1, 1001), omega) / 2) ** 2).sum(axis=1))
    assert (shown["neighbors"], shown["typical"]) == pytest.approx((curve[0], math.sqrt(32)), rel=1e-5)
    assert shown["nothing_nearer_than_1_up_to"] == np.flatnonzero(curve < 1)[0]


def test_first_negative_tends_to_the_first_zero_of_the_cosine_integral():
    """At a large base and a larger width; the zero comes from the alternating series of Ci."""
    zero = mpmath.findroot(
        lambda x: (
            mpmath.euler
            + mpmath.log(x)
            + mpmath.nsum(
                lambda n: (-1) ** int(n) * x ** (2 * n) / (2 * n * mpmath.factorial(2 * n)), [1, 40]
            )
        ),
        0.6,
    )
    assert choices.first_negative_limit(1e6) == pytest.approx(1e6 * float(zero), rel=1e-12)
    assert choices.first_negative(2**14, 1e3) == pytest.approx(choices.first_negative_limit(1e3), rel=0.01)


@pytest.mark.parametrize(("base", "d"), [(100.0, 64), (1e6, 512), (10_000.0, 128)])
def test_base_trade_states_what_the_definition_gives(mount, base, d):
    """The range is the last wavelength, and the resolution the chord of one step."""
    page = mount(BaseTrade(base=base, d_model=d))

    def both(b: float) -> tuple[float, float]:
        omega = b ** (-2 * np.arange(d // 2) / d)
        step = np.concatenate([np.sin(omega), np.cos(omega) - 1])
        return 2 * math.pi / omega[-1], float(np.sqrt((step**2).sum()))

    (reach, near), (usual_reach, usual_near) = both(base), both(10_000)
    expected = {
        "longest_wavelength": reach,
        "neighbor_distance": near,
        "range_against_10000": reach / usual_reach,
        "resolution_against_10000": near / usual_near,
    }
    shown = values(page)
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-5)
