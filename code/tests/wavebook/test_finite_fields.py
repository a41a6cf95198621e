"""Planar difference sets, the frequencies made of them, and what is said of both, by literal loops."""

import cmath
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import closest_offset, frequencies, similarity
from posenc.returns import coherence
from wavebook.attention import look_back_weights
from wavebook.choices import difference_set, difference_set_frequencies

#: Written down, so that nothing of the construction decides what is tried.
PRIME_POWERS = [
    2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49, 53, 59, 61, 64,
]  # fmt: skip
SMALL = [q for q in PRIME_POWERS if q <= 13]


@pytest.mark.parametrize("q", PRIME_POWERS)
def test_each_nonzero_residue_is_a_difference_once(q):
    residues, modulus = difference_set(q).tolist(), q * q + q + 1
    assert len(residues) == q + 1
    assert residues[:2] == [0, 1]
    assert residues == sorted(residues)
    seen = [0] * modulus
    for i, one in enumerate(residues):
        for j, other in enumerate(residues):
            if i != j:
                seen[(one - other) % modulus] += 1
    assert seen == [0] + [1] * (modulus - 1)


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_it_is_the_first_of_all_such_sets(q):
    """A search through all sets in the order of a dictionary, by adding one residue at a time."""
    modulus = q * q + q + 1

    def first(residues, differences):
        if len(residues) == q + 1:
            return residues
        for more in range(residues[-1] + 1, modulus):
            new = [d for one in residues for d in ((more - one) % modulus, (one - more) % modulus)]
            if len(set(new)) == len(new) and not differences & set(new):
                found = first([*residues, more], differences | set(new))
                if found:
                    return found
        return None

    assert difference_set(q).tolist() == first([0], set())


def test_frequencies_are_the_residues_on_the_circle():
    for q in SMALL:
        modulus = q * q + q + 1
        omega = difference_set_frequencies(2 * q + 8, q)
        assert omega.shape == (q + 4,)
        assert (omega[q + 1 :] == 0).all()
        assert (np.diff(abs(omega)) <= 0).all()
        assert abs(omega).max() < math.pi
        turns = [round(w * modulus / (2 * math.pi)) for w in omega[: q + 1]]
        assert sorted(turn % modulus for turn in turns) == difference_set(q).tolist()
        for w, turn in zip(omega, turns, strict=False):
            assert w == pytest.approx(2 * math.pi * turn / modulus, rel=1e-15)
    with pytest.raises(ValueError, match=r"d_model must be at least 2 \(q \+ 1\) = 18 for q = 8, got 16"):
        difference_set_frequencies(16, 8)


@pytest.mark.parametrize("q", SMALL)
def test_all_offsets_before_the_period_have_one_modulus(q):
    """With 30 digits: the squared sum is q, or (q + 1)^2 where the period divides the offset."""
    modulus = q * q + q + 1
    residues = difference_set(q).tolist()
    with mpmath.workdps(30):
        for offset in range(-3, 2 * modulus + 1):
            total = mpmath.fsum(mpmath.expjpi(mpmath.mpf(2 * s * offset) / modulus) for s in residues)
            expected = q if offset % modulus else (q + 1) ** 2
            assert abs(abs(total) ** 2 - expected) < mpmath.mpf(10) ** -24
            if offset % modulus:
                assert abs(total.real) <= mpmath.sqrt(q) * (1 + mpmath.mpf(10) ** -24)


@pytest.mark.parametrize("q", SMALL)
def test_the_encoding_returns_at_the_period_and_not_before(q):
    modulus = q * q + q + 1
    omega = difference_set_frequencies(2 * (q + 1), q)
    offset, apart = closest_offset(modulus, omega=omega)
    assert offset == modulus
    assert apart < 1e-6
    _, before = closest_offset(modulus - 1, omega=omega)
    assert before**2 >= 2 * (q + 1 - math.sqrt(q)) - 1e-9


@given(
    st.lists(st.floats(-10, 10), min_size=1, max_size=8),
    st.integers(1, 40),
)
def test_coherence_is_the_greatest_of_a_literal_loop(omega, n):
    sums = [abs(sum(cmath.exp(1j * w * offset) for w in omega)) for offset in range(1, n + 1)]
    assert coherence(omega, n) == pytest.approx(max(sums) / len(omega), abs=1e-12)


def test_coherence_in_more_than_one_piece(monkeypatch):
    """Pieces of eight offsets, and the return is the last one of the first, or the first of the second."""
    monkeypatch.setattr("posenc.returns.SPAN", 10)
    for period in (8, 9):
        omega = 2 * np.pi * np.arange(12) / period
        assert coherence(omega, period - 1) < 0.5
        assert coherence(omega, 12) == pytest.approx(1, abs=1e-12)


def test_coherence_bounds_the_similarity():
    omega = frequencies(32)
    assert similarity(np.arange(1, 501), omega=omega).max() / 16 <= coherence(omega, 500)


@pytest.mark.parametrize("q", SMALL)
def test_no_residues_do_better(q):
    """Welch's bound, and sets drawn at random on the same grid: none is below a difference set's."""
    modulus = q * q + q + 1
    least = coherence(difference_set_frequencies(2 * (q + 1), q), modulus - 1)
    bound = math.sqrt((modulus - q - 1) / ((q + 1) * (modulus - 1)))
    assert least == pytest.approx(bound, rel=1e-9)
    assert least == pytest.approx(math.sqrt(q) / (q + 1), rel=1e-9)
    rng = np.random.default_rng(q)
    for _ in range(50):
        drawn = 2 * np.pi * rng.choice(modulus, q + 1, replace=False) / modulus
        assert coherence(drawn, modulus - 1) >= least - 1e-9


def test_a_head_that_looks_back_keeps_its_margin_up_to_the_period():
    q, k, temperature = 8, 3, 0.1
    modulus, omega = 73, difference_set_frequencies(18, 8)
    scores = [similarity(offset - k, omega=omega) / math.sqrt(18) for offset in range(k + modulus)]
    others = [score for offset, score in enumerate(scores) if offset != k]
    margin = scores[k] - max(others)
    assert margin >= (q + 1 - math.sqrt(q)) / math.sqrt(18) - 1e-12
    # The weight in the longest context is at least 99 in 100, and in the next one it is not.
    longest = k + modulus
    weights = [
        look_back_weights(n - 1, k, n, temperature, omega=omega)[n - 1 - k] for n in (longest, longest + 1)
    ]
    assert weights[0] >= 0.99
    assert weights[1] < 0.51
    # The statement for all rivals: 99 in 100 up to N, if they are no more than e^(g/tau)/99.
    g = (q + 1 - math.sqrt(q)) / math.sqrt(18)
    assert modulus - 1 <= math.exp(g / temperature) / 99
