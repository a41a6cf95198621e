"""Frequencies, angles and positions that were cast to half precision, where no pairs show it."""

import math

import numpy as np
import pytest

from posread import diagnose

BITS = {"bfloat16": 8, "float16": 11}
LEAST = {"bfloat16": 2.0**-133, "float16": 2.0**-24}


def omegas(d, base):
    return [base ** (-2 * i / d) for i in range(d // 2)]


def cast(values, kind):
    """To so many significant bits, or to whole multiples of the smallest number; ties to even."""
    result = []
    for value in values:
        _, exponent = math.frexp(value)
        last = max(math.ldexp(1.0, exponent - BITS[kind]), LEAST[kind])
        result.append(round(value / last) * last)
    return result


def cache(positions, omega, wave, twice="halves"):
    once = np.array([[getattr(math, wave)(p * w) for w in omega] for p in positions])
    return np.concatenate([once, once], axis=1) if twice == "halves" else np.repeat(once, 2, axis=1)


@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("d", [16, 64, 96, 128])
@pytest.mark.parametrize("base", [1e3, 1e4, 5e5, 1e6, 1e7])
def test_frequencies_alone_tell_the_type_that_they_were_cast_to(kind, d, base):
    exact = omegas(d, base)
    for holding in (np.float64, np.float32):
        found = diagnose(np.array(cast(exact, kind), holding))
        assert found.kinds == ("rounded-frequencies",), str(found)
        assert (found.base, found.frequencies.rounded, found.problems[0].found) == (base, kind, kind)
        assert found.reading.number_type == kind
        sound = diagnose(np.array(exact, holding))
        assert sound.sound, str(sound)
        assert (sound.base, sound.frequencies.rounded) == (base, None)


def test_how_far_off_is_told_of_the_worst_pair():
    exact = omegas(128, 1e4)
    held = cast(exact, "bfloat16")
    off = [abs(a - b) for a, b in zip(exact, held, strict=True)]
    worst = off.index(max(off))
    assert f"pair {worst} is off by {off[worst]:.2g}" in str(diagnose(np.array(held))).replace("\n  ", " ")


@pytest.mark.parametrize(
    ("d", "base"),
    [(16, 256), (8, 4**4), (8, 4096), (8, 65_536), (16, 65_536), (32, 2**16), (4, 256), (4, 4096)],
)
def test_what_the_type_holds_exactly_is_not_called_rounded(d, base):
    exact = omegas(d, base)
    assert cast(exact, "bfloat16") == exact
    found = diagnose(np.array(exact))
    assert found.sound, str(found)
    base, over = found.frequencies.readings[0]
    assert [base ** (-2 * i / over) for i in range(d // 2)] == pytest.approx(exact, rel=1e-9)


def ramp(omega, factor, length, low=1, high=4):
    """Llama 3.1's formula."""
    kept = [min(max((length * w / (2 * math.pi) - low) / (high - low), 0), 1) for w in omega]
    return [k * w + (1 - k) * w / factor for k, w in zip(kept, omega, strict=True)]


@pytest.mark.parametrize("kind", BITS)
def test_methods_for_longer_contexts_are_named_in_spite_of_the_type(kind):
    llama = diagnose(np.array(cast(ramp(omegas(128, 5e5), 8, 8192), kind)))
    assert llama.kinds == ("rounded-frequencies",), str(llama)
    assert (llama.base, llama.frequencies.blend, llama.frequencies.factor) == (5e5, "Llama 3.1", 8)
    assert "8,192" in str(llama)
    divided = diagnose(np.array(cast([w / 8 for w in omegas(128, 1e4)], kind)))
    assert divided.kinds == ("rounded-frequencies",), str(divided)
    assert (divided.base, divided.frequencies.blend, divided.frequencies.factor) == (1e4, "interpolation", 8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("wave", ["sin", "cos"])
@pytest.mark.parametrize("twice", ["halves", "interleaved"])
@pytest.mark.parametrize(
    ("d", "base", "rows"),
    [pytest.param(128, 1e4, 4096, marks=pytest.mark.slow), (64, 5e5, 300), (32, 1e6, 300)],
)
def test_caches_of_rounded_frequencies_are_not_called_sound(kind, wave, twice, d, base, rows):
    exact = omegas(d, base)
    for holding in (np.float64, np.float32):
        found = diagnose(cache(range(rows), cast(exact, kind), wave, twice).astype(holding))
        assert found.kinds == ("rounded-frequencies",), str(found)
        assert (found.layout, found.base, found.frequencies.rounded) == ("caches", base, kind)
        sound = diagnose(cache(range(rows), exact, wave, twice).astype(holding))
        assert sound.sound, str(sound)
        assert (sound.base, sound.frequencies.law) == (base, "geometric")


def test_caches_of_rounded_positions_and_angles_are_told():
    exact = omegas(64, 1e4)
    rounded = diagnose(cache(cast(range(1000), "bfloat16"), exact, "cos"))
    assert rounded.kinds == ("rounded-positions",), str(rounded)
    table = np.array([[math.cos(a) for a in cast([p * w for w in exact], "float16")] for p in range(500)])
    assert diagnose(np.concatenate([table, table], axis=1)).kinds == ("rounded-angles",)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BITS)
def test_angles_show_it_too(kind):
    exact = omegas(64, 1e4)
    found = diagnose(np.outer(range(500), cast(exact, kind)))
    assert (found.layout, found.kinds) == ("angles", ("rounded-frequencies",)), str(found)
    held = diagnose(np.array([cast([p * w for w in exact], kind) for p in range(500)]))
    assert held.kinds == ("rounded-angles",), str(held)
    assert diagnose(np.outer(range(500), exact)).sound


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
@pytest.mark.parametrize(("d", "base"), [(32, 5e5), (64, 1e6), (128, 5e5)])
def test_short_caches_of_slow_pairs_have_the_simplest_law(kind, d, base):
    """In 50 rows many cosines are 1 to the last digit, and tell nothing of their frequency."""
    table = cache(range(50), omegas(d, base), "cos")
    table = table.astype(np.float32) if kind == "float32" else np.array([cast(row, kind) for row in table])
    found = diagnose(table)
    assert found.sound, str(found)
    assert found.frequencies.law == "geometric"


def test_numbers_that_rise_are_not_said_to_be_frequencies_that_are_off():
    found = diagnose(np.array(cast([2 * math.pi / w for w in omegas(64, 1e4)], "bfloat16")))
    assert set(found.kinds) == {"rising-frequencies", "rounded-frequencies"}
    assert "at position" not in str(found)
    assert "The numbers are rounded to bfloat16" in str(found)


def test_numbers_of_the_type_at_random_are_not_read():
    values = np.sort(cast(np.random.default_rng(0).uniform(0, 1, 32).tolist(), "bfloat16"))[::-1]
    found = diagnose(values)
    assert (found.reading, found.kinds) == (None, ("unknown-frequencies",))
