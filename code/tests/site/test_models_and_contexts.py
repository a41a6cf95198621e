"""What pages say of models, their configurations, caches and images, computed again without the package."""

from __future__ import annotations

import cmath
import math
from functools import cache

import mpmath
import numpy as np
import pytest
from by_definition import apart, kernel, omegas
from site_numbers import Page, half_a_digit, number
from test_biases import slopes_recursively


@pytest.fixture(scope="module")
def page(site):
    """A function that reads a chapter, once."""
    return cache(lambda name: Page(site.root, f"book/{name}"))


@pytest.fixture
def said(page):
    """A function that makes sure that a page says a value, to within half of the last digit that it gives."""

    def is_said(name: str, key: str, value: float) -> None:
        text = page(name).glued[key]
        assert abs(number(text) - value) <= half_a_digit(text), (key, text, value)

    return is_said


# Which entries turn, and how fast


def test_which_entries_turn_in_the_whole_head(page):
    """The published program: frequencies filled up with zeros to half of the head, then `rotate_half`."""
    half, turning = 256, 64
    filled = [1e6 ** (-2 * i / 512) if i < turning else 0.0 for i in range(half)]
    angles = filled + filled  # entry e turns by the angle of e modulo half
    turned = [e for e in range(512) if angles[e] != 0]
    first, second = turned[:turning], turned[turning:]
    glued = page("rope").glued
    assert glued["turned-first"] == f"{first[0]} to {first[-1]}" == "0 to 63"
    assert glued["turned-second"] == f"{second[0]} to {second[-1]}" == "256 to 319"
    assert len([e for e in turned if e < 128]) == 64, "a slice of the first r entries has half of them"


def test_the_method_of_llama_is_the_published_formula(page):
    """Pair by pair, as the published program decides by wavelengths."""
    published = []
    for w in omegas(128, 500_000.0):
        wave = 2 * math.pi / w
        if wave < 8192 / 4:
            published.append(w)
        elif wave > 8192 / 1:
            published.append(w / 8)
        else:
            smooth = (8192 / wave - 1) / (4 - 1)
            published.append((1 - smooth) * w / 8 + smooth * w)
    lines = page("rope").printed("published = np.select").splitlines()
    divisors = [a / b for a, b in zip(omegas(128, 500_000.0), published, strict=True)]
    assert lines == [" ".join(f"{round(divisors[i], 2)}" for i in range(27, 37))] * 2
    kept = sum(a == b for a, b in zip(published, omegas(128, 500_000.0), strict=True))
    assert page("rope").glued["llama-kept"] == str(kept)


def test_dynamic_scaling_with_a_factor(page):
    """f n / L - (f - 1) at n = 2 L and f = 8."""
    assert page("rope").glued["dynamic-8"] == str(8 * 2 - 7)


def test_where_the_factor_acts(said):
    """A head of which a quarter turns: cosines and sines times m scale that part of a score by m^2 alone."""
    chance = np.random.default_rng(5)
    query, key = chance.normal(size=(2, 256))
    m = 1 + math.log(4) / 10

    def score(p: int, q: int, scale: float) -> tuple[float, float]:
        turned = 0.0
        for i, w in enumerate(omegas(64, 1e7)):
            a = complex(query[i], query[i + 32]) * scale * cmath.exp(1j * w * p)
            b = complex(key[i], key[i + 32]) * scale * cmath.exp(1j * w * q)
            turned += (a * b.conjugate()).real
        return turned, float(query[64:] @ key[64:])

    (with_factor, rest), (without, same) = score(9, 4, m), score(9, 4, 1)
    assert rest == same
    said("rope", "yarn-turned", with_factor / without)
    said("rope", "yarn-softmax", (1 + math.log(40) / 10) ** 2)


# The reported bounds on the base


REPORTED = {
    1: 4.3e3, 2: 1.6e4, 4: 2.7e4, 8: 8.4e4, 16: 3.1e5, 32: 6.4e5, 64: 2.1e6,
    128: 7.8e6, 256: 3.6e7, 512: 6.4e7, 1024: 5.1e8,
}  # fmt: skip
FINER = {
    1: 4.3e3, 2: 1.2e4, 4: 2.7e4, 8: 8.4e4, 16: 2.3e5, 32: 6.3e5, 64: 2.1e6,
    128: 4.9e6, 256: 2.4e7, 512: 5.8e7, 1024: 6.5e7,
}  # fmt: skip


def test_how_many_bounds_were_reported_and_improved():
    assert len(REPORTED) == 11
    assert sum(FINER[length] < REPORTED[length] for length in REPORTED) == 7
    assert sum(FINER[length] < REPORTED[length] for length in list(REPORTED)[:7]) == 3, "in the figure"


@pytest.mark.parametrize(("length", "base"), [(16_000, 310_000), (32_000, 640_000)])
def test_reported_bases_fail_their_own_demand(length, base, page, said):
    key = f"fault-{length // 1000}k"
    at = int(number(page("rope").glued[f"{key}-at"]))
    with mpmath.workdps(50):
        exact = mpmath.fsum(mpmath.cos(at * mpmath.mpf(base) ** (-mpmath.mpf(i) / 64)) for i in range(64))
        assert exact < 0
        said("rope", key, float(exact))
    assert at == {310_000: 12_223, 640_000: 27_685}[base]
    values = kernel(np.arange(length), omegas(128, base))
    assert (values[:at] > 0).all(), "the first"
    said("rope", f"{key}-low", values.min())


def test_no_base_beside_the_reported_one_will_do():
    for base in range(635_000, 645_001, 1_000):
        assert (kernel(np.arange(27_000, 32_000), omegas(128, base)) < 0).any(), base


# Caches and float32


def turned(vector: np.ndarray, angles: np.ndarray) -> np.ndarray:
    pairs = (vector[0::2] + 1j * vector[1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=1).ravel()


def keys_of_layers(tokens, layers, speeds):
    """Of each layer, the keys before and after their rotation; a query at a time."""
    x, found = tokens.copy(), []
    for w_q, w_k, w_v, w_o in layers:
        bare = [w_k @ row for row in x]
        keys = [turned(row, speeds * q) for q, row in enumerate(bare)]
        found.append((bare, keys))
        new = []
        for p, row in enumerate(x):
            query = turned(w_q @ row, speeds * p)
            weights = [math.exp(query @ keys[q] / math.sqrt(32)) for q in range(p + 1)]
            mean = sum(w * (w_v @ x[q]) for q, w in enumerate(weights)) / sum(weights)
            new.append(row + w_o @ mean)
        x = np.array(new)
    return found


def test_rotating_cached_keys_again_is_exact_in_the_first_layer_only(page, said):
    chance = np.random.default_rng(4)
    layers, tokens = chance.normal(size=(2, 4, 32, 32)) / 32**0.5, chance.normal(size=(40, 32))
    old = np.array(omegas(32))
    off = []
    for (_, kept), (_, wanted) in zip(
        keys_of_layers(tokens, layers, old), keys_of_layers(tokens, layers, old / 4), strict=True
    ):
        again = [turned(key, (old / 4 - old) * q) for q, key in enumerate(kept)]
        off.append(max(abs(a - b).max() for a, b in zip(again, wanted, strict=True)))
    glued = page("practice").glued
    assert off[0] <= number(glued["first-layer"]) < 1e-13
    said("practice", "second-layer", off[1])
    assert off[1] > 1


def first_off_in_float32(base: float) -> int:
    """With products of float32 numbers, as a program computes them."""
    speeds = np.array([w for w in omegas(128, base) if w > 0.09])
    narrow = speeds.astype(np.float32)
    for start in range(800_000, 8_000_000, 100_000):
        places = np.arange(start, start + 100_000)
        angles = np.multiply.outer(places.astype(np.float32), narrow)
        assert angles.dtype == np.float32
        chords = 2 * abs(np.sin((angles - np.multiply.outer(places, speeds)) / 2))
        bad = (chords > 0.1).any(axis=1)
        if bad.any():
            return int(places[bad.argmax()])
    raise AssertionError(base)


def test_float32_ends_beyond_a_million_positions(page):
    first = [first_off_in_float32(base) for base in (1e4, 5e5, 1e6, 1e7)]
    assert first[0] == 1_263_461
    assert f" between {min(first):,} and {max(first):,}." in page("practice").value("the first is between")
    assert min(first) > 1_000_000
    table = page("practice").value("| rounded |")
    (together,) = (line for line in table.splitlines() if line.startswith("| all three |"))
    assert f"{first[0]:,} | no |" in together
    assert f"{2**24 + 1:,} | no |" in table, "positions alone"


# The family, and images


def test_the_numbers_to_learn(page):
    """Tables of the base model in the paper: keys and values, 33 offsets, 64 entries, 8 heads, 6 layers."""
    shaw = sum(1 for _ in range(6) for _ in range(8) for _ in range(2) for _ in range(33)) * 64
    assert page("relatives").glued["n-shaw"] == f"{shaw:,}" == "202,752"
    assert page("relatives").glued["n-xl"] == f"{6 * 512 * 512 + 512 + 512:,}" == "1,573,888"


def test_twelve_slopes(page):
    """By the rule of ALiBi's released program."""
    twelve = slopes_recursively(12)
    assert twelve[:8] == pytest.approx([2.0**-h for h in range(1, 9)])
    assert page("relatives").glued["slopes-12"] == ", ".join(f"{slope:.4f}" for slope in twelve[8:])
    assert twelve != pytest.approx([2 ** (-8 * h / 12) for h in range(1, 13)]), "no single formula"


def test_an_axis_of_fourteen_positions_has_thirteen_steps(said):
    def slow(d: int, b: float = 10_000.0) -> float:
        return 100 * np.mean([13 * w < 2 * math.pi for w in omegas(d, b)])

    said("elsewhere", "never-mae", slow(384))
    said("elsewhere", "never-axial", slow(32, 100.0))
    assert round(slow(384)) == 92


def test_the_last_of_a_thousand_times(said):
    said("elsewhere", "far-whole", apart(999, omegas(128)))
    said("elsewhere", "far-fraction", apart(999 / 1000, omegas(128)))


def test_a_grid_that_is_not_square_has_no_mirror(page):
    rows, columns = 3, 4
    places = [(r, c) for r in range(rows) for c in range(columns)]
    gets = [(place % rows, place // rows) for place in range(rows * columns)]
    assert page("elsewhere").glued["wrong-patches"] == str(
        sum(a != b for a, b in zip(places, gets, strict=True))
    )
    assert sum((c, r) != got for (r, c), got in zip(places, gets, strict=True)) > 6
    square = [(r, c) for r in range(4) for c in range(4)]
    assert [(place % 4, place // 4) for place in range(16)] == [(c, r) for r, c in square]


def test_pairs_that_leave_the_range_of_training_are_counted_by_a_step(page):
    old, new = omegas(128), omegas(128, 1e4 * 8 ** (128 / 126))
    slow = [i for i in range(64) if 2048 * old[i] < 2 * math.pi]
    assert sum(16_383 * new[i] > 2047 * old[i] for i in slow) == 23, "strictly"
    by_a_step = sum(16_383 * new[i] - 2047 * old[i] > old[i] for i in slow)
    assert number(page("rope").glued["unseen-ntk"]) == by_a_step
