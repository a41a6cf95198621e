"""encoding_table against mpmath, sines taken one by one, and its promises of work and memory."""

from __future__ import annotations

import math
import tracemalloc
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc.table
from posenc import encoding_table, positional_encoding
from posenc.table import _exact_frequencies

# The bounds that the chapter "Many dimensions" proves, below position 2**23.
BOUND = {"float64": 33 * 2.0**-53, "float32": (2 + math.sqrt(5)) * 2.0**-24 + 33 * 2.0**-53}

widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1.001, 1e7)


def error(table: np.ndarray, position: int, pair: int, base: float) -> float:
    """How far one pair of a table is from 50 digits of mpmath."""
    with mpmath.workdps(50):
        angle = position * mpmath.mpf(base) ** (-mpmath.mpf(2 * pair) / table.shape[1])
        sine, cosine = (mpmath.mpf(float(entry)) for entry in table[position, 2 * pair : 2 * pair + 2])
        return float(max(abs(sine - mpmath.sin(angle)), abs(cosine - mpmath.cos(angle))))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize(
    ("n_positions", "d_model", "base"),
    [(65_536, 64, 1e4), (5_000, 512, 1e4), (100_003, 6, 1.5), (4_000_000, 2, 1e4), (300, 96, 1e300)],
)
def test_entries_are_within_the_proved_bound_of_mpmath(n_positions, d_model, base, dtype):
    table = encoding_table(n_positions, d_model, base, dtype=dtype)
    random = np.random.default_rng(0)
    for sample in range(1000):
        # Half the sample at the far end and in the fastest pairs, where a rounded angle would show most.
        far = sample % 2
        position = n_positions - 1 - int(random.integers(100 if far else n_positions))
        pair = int(random.integers(min(3, d_model // 2) if far else d_model // 2))
        assert error(table, position, pair, base) <= BOUND[dtype], (position, pair)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", BOUND)
@given(n_positions=st.integers(1, 3000), d_model=widths, base=bases, data=st.data())
@settings(deadline=None)
def test_any_size_width_and_base(dtype, n_positions, d_model, base, data):
    table = encoding_table(n_positions, d_model, base, dtype=dtype)
    assert table.shape == (n_positions, d_model)
    assert table.dtype == dtype
    for position in {n_positions - 1, data.draw(st.integers(0, n_positions - 1), label="position")}:
        pair = data.draw(st.integers(0, d_model // 2 - 1), label="pair")
        assert error(table, position, pair, base) <= BOUND[dtype], (position, pair)


@given(n_positions=st.integers(0, 2000), d_model=widths, base=bases)
@settings(deadline=None)
def test_every_row_is_the_encoding_of_its_position(n_positions, d_model, base):
    positions = np.arange(n_positions)
    off = np.abs(encoding_table(n_positions, d_model, base) - positional_encoding(positions, d_model, base))
    # positional_encoding rounds omega (some 2e-16 of it) and then omega p, so it drifts in proportion to p.
    assert (off <= 1e-15 * (positions[:, np.newaxis] + 5)).all()


@pytest.mark.parametrize("n_positions", [0, 1, 2, 3, 4, 5, 8, 9, 10, 15, 16, 17, 99, 255, 256, 257])
def test_sizes_around_squares(n_positions):
    table = encoding_table(n_positions, 6)
    assert table.shape == (n_positions, 6)
    np.testing.assert_allclose(table, positional_encoding(np.arange(n_positions), 6), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", BOUND)
def test_position_0_is_exact_and_has_no_negative_zero(dtype):
    row = encoding_table(7, 10, dtype=dtype)[0]
    assert row.tolist() == [0, 1] * 5
    assert not np.signbit(row).any()


@pytest.mark.parametrize("dtype", BOUND)
def test_table_is_an_ordinary_array(dtype):
    table = encoding_table(50, 8, dtype=dtype)
    assert table.flags.c_contiguous
    assert table.flags.writeable
    assert table.flags.owndata
    np.testing.assert_array_equal(table, encoding_table(50, 8, 1e4, dtype=np.dtype(dtype)))


@pytest.mark.slow
@given(d_model=widths, base=st.floats(1.001, 1e300))
def test_frequencies_have_77_bits_and_their_heads_multiply_exactly(d_model, base):
    for pair, (head, tail) in enumerate(zip(*_exact_frequencies(d_model, base), strict=True)):
        with mpmath.workdps(50):
            true = mpmath.mpf(base) ** (-mpmath.mpf(2 * pair) / d_model)
            # Heads below 2**-126 have fewer bits: float32 is subnormal there. Their tails round at 2**-203.
            assert abs(mpmath.mpf(head) + mpmath.mpf(tail) - true) <= 2.0**-77 * true + 2.0**-200
        for position in (3, 2**29 - 1):
            assert Fraction(position * head) == position * Fraction(Decimal(head))


def test_few_sines_are_taken(monkeypatch):
    taken = []
    exp = np.exp
    monkeypatch.setattr(np, "exp", lambda angles: taken.append(len(angles)) or exp(angles))
    encoding_table(65_536, 8)
    # Four sets of 16 rows, an angle's head and its tail taken apart.
    assert sum(taken) == 2 * 4 * 16


@pytest.mark.parametrize("dtype", BOUND)
def test_memory_is_the_table_and_little_more(dtype):
    encoding_table(4, 256, dtype=dtype)
    tracemalloc.start()
    try:
        table = encoding_table(40_000, 256, dtype=dtype)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.nbytes <= peak <= 1.1 * table.nbytes


@pytest.mark.parametrize("size", [(10**12, 512), (2**53, 512), (2**53, 10**6)])
def test_a_table_too_large_fails_before_any_work(size, monkeypatch):
    def no_work(*arguments):
        raise AssertionError("worked before allocating")

    monkeypatch.setattr(posenc.table, "_exact_frequencies", no_work)
    monkeypatch.setattr(posenc.table, "_turns", no_work)
    with pytest.raises(MemoryError):
        encoding_table(*size)
