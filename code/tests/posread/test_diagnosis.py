"""`diagnose` and `diagnose_rope` against tables and functions of public programs, rewritten from formulas."""

import json
import math
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from posenc import encoding_table, positional_encoding
from posread import diagnose, diagnose_rope
from posread.__main__ import main
from posread.files import Unreadable, read_file
from posread.problem import KINDS

ROWS, D = 300, 64


def omega(d=D, less=0, base=10_000.0):
    """Frequencies base^(-2i / (d - 2 less)), one by one."""
    return [base ** (-2 * i / (d - 2 * less)) for i in range(d // 2)]


def columns(angles, layout="halves", first="sin"):
    """A table from angles (rows, pairs)."""
    parts = [np.sin(angles), np.cos(angles)][:: 1 if first == "sin" else -1]
    if layout == "halves":
        return np.concatenate(parts, axis=1)
    return np.stack(parts, axis=-1).reshape(len(angles), -1)


def made(p=None, w=None, layout="halves", first="sin"):
    """A table of positions and frequencies."""
    return columns(np.outer(np.arange(ROWS) if p is None else p, omega() if w is None else w), layout, first)


def half(values, bits=8):
    """Values to so many significant bits, ties to even, in exact integers."""

    def one(value):
        if not value:
            return 0.0
        mantissa, exponent = math.frexp(value)
        return math.ldexp(round(mantissa * 2**bits), exponent - bits)

    return np.array([one(float(x)) for x in np.ravel(values)]).reshape(np.shape(values))


P, RNG = np.arange(ROWS), np.random.default_rng(0)
PLAIN = made(layout="interleaved")
ANGLES = np.outer(P, omega())
ROW, COLUMN = np.divmod(np.arange(196), 14)
XYZ = RNG.uniform(-1, 1, (200, 3))


def changed(table, rows, value):
    table = table.copy()
    table[rows] = value
    return table


def signs(sine, cosine):
    table = PLAIN.copy()
    table[:, 0::2] *= sine
    table[:, 1::2] *= cosine
    return table


def nerf(scale, raw):
    parts = [f(scale * 2.0**k * XYZ) for k in range(10) for f in (np.sin, np.cos)]
    return np.concatenate([XYZ, *parts] if raw else parts, axis=1)


def two_axes(one, two, w=None, layout="halves"):
    return np.concatenate([made(one, w, layout), made(two, w, layout)], axis=1)


def odd_width(d):
    angles = np.outer(P, [10_000.0 ** (-j / d) for j in range(0, d, 2)])
    table = np.zeros((ROWS, d))
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
    return table


def ramp(w, factor, length, slow, fast, by_pair=None, d=128):
    """YaRN's and Llama 3.1's blend, pair by pair: linear in turns, or in the number of the pair."""
    result = []
    for i, x in enumerate(w):
        if by_pair is None:
            kept = (length * x / (2 * math.pi) - slow) / (fast - slow)
        else:
            low, high = (
                d * math.log(length / (2 * math.pi * turns)) / (2 * math.log(by_pair))
                for turns in (fast, slow)
            )
            kept = 1 - (i - math.floor(low)) / (math.ceil(high) - math.floor(low))
        kept = min(max(kept, 0), 1)
        result.append(x * (kept + (1 - kept) / factor))
    return result


LLAMA = ramp(omega(128, base=5e5), 8, 8192, 1, 4)
YARN = ramp(omega(128, base=1e6), 4, 32768, 1, 32)
YARN_PAIRS = ramp(omega(128, base=1e6), 4, 32768, 1, 32, by_pair=1e6)
NTK = omega(128, base=10_000 * 8 ** (128 / 126))

# name: (table, layout, first, (base, over), first position, step, kinds)
STANDARD = ("interleaved", "sin", (1e4, 64), 0, 1)
HALVES = ("halves", "sin", (1e4, 64), 0, 1)
TABLES = {
    "the paper": lambda: (PLAIN, *STANDARD, ()),
    "Annotated Transformer": lambda: (
        made(w=[math.exp(2 * i * -(math.log(10_000) / D)) for i in range(32)], layout="interleaved").astype(
            "f4"
        ),
        *(*STANDARD, ()),
    ),
    "float16 times 0.02": lambda: (PLAIN.astype("f2") * 0.02, *STANDARD, ("scaled",)),
    "float16 times 8": lambda: (PLAIN.astype("f2") * np.float16(8), *STANDARD, ("scaled",)),
    "bfloat16 last": lambda: (half(PLAIN), *STANDARD, ()),
    "zeros to the right": lambda: (np.pad(PLAIN, [(0, 0), (0, 8)]), *STANDARD, ("zero-columns",)),
    "zeros to the left": lambda: (np.pad(PLAIN, [(0, 0), (8, 0)]), *STANDARD, ("zero-columns",)),
    "zero rows at the end": lambda: (np.pad(PLAIN, [(0, 20), (0, 0)]), *STANDARD, ("zero-rows",)),
    "tensor2tensor, d = 63": lambda: (
        np.pad(made(w=[1e4 ** (-i / 30) for i in range(31)]), [(0, 0), (0, 1)]),
        *("halves", "sin", (1e4, 60), 0, 1, ("zero-columns",)),
    ),
    "transposed": lambda: (PLAIN.T, *STANDARD, ("transposed",)),
    "(1, n, d)": lambda: (PLAIN[np.newaxis], *STANDARD, ()),
    "(n, 1, d)": lambda: (PLAIN[:, np.newaxis], *STANDARD, ()),
    "fairseq": lambda: (
        changed(made(w=omega(less=1)), 1, 0),
        *("halves", "sin", (1e4, 62), 0, 1, ("zero-rows",)),
    ),
    "fairseq, first token": lambda: (made(P + 2, omega(less=1)), "halves", "sin", (1e4, 62), 2, 1, ()),
    "fairseq, padding 0": lambda: (
        changed(made(w=omega(less=1)), 0, 0),
        *("halves", "sin", (1e4, 62), 0, 1, ("zero-rows",)),
    ),
    "tensor2tensor, slower": lambda: (
        made(w=[0.5 * 20_000 ** (-i / 31) for i in range(32)]),
        *("halves", "sin", (2e4, 62), 0, 0.5, ("step",)),
    ),
    "Whisper": lambda: (
        made(np.arange(1500), omega(384, 1)).astype("f2"),
        *("halves", "sin", (1e4, 382), 0, 1, ()),
    ),
    "MAE, one axis": lambda: (made(np.arange(14)), *HALVES, ()),
    "5,000 rows": lambda: (made(np.arange(5000), omega(128)), "halves", "sin", (1e4, 128), 0, 1, ()),
    "diffusers 0 0": lambda: (made(w=omega(320)).astype("f4"), "halves", "sin", (1e4, 320), 0, 1, ()),
    "diffusers 0 1": lambda: (made(w=omega(320, 1)).astype("f4"), "halves", "sin", (1e4, 318), 0, 1, ()),
    "diffusers 1 0": lambda: (
        made(w=omega(320), first="cos").astype("f4"),
        *("halves", "cos", (1e4, 320), 0, 1, ()),
    ),
    "diffusers 1 1": lambda: (
        made(w=omega(320, 1), first="cos").astype("f4"),
        *("halves", "cos", (1e4, 318), 0, 1, ()),
    ),
    "linspace(0, 1000, 1000)": lambda: (
        made(np.linspace(0, 1000, 1000), first="cos"),
        *("halves", "cos", (1e4, 64), 0, 1000 / 999, ("step",)),
    ),
    "pairs in reverse order": lambda: (
        made(w=omega()[::-1]),
        *("halves", "sin", (1e-4, 64), 0, omega()[-1], ("rising-frequencies",)),
    ),
    "inv_freq in turns": lambda: (
        np.array(omega(128)) / (2 * math.pi),
        *("frequencies", None, (1e4, 128), None, None, ("step",)),
    ),
    "wavelengths": lambda: (
        2 * math.pi / np.array(omega(128)),
        *("frequencies", None, (1e-4, 128), None, None, ("rising-frequencies",)),
    ),
    "time steps, each twice": lambda: (
        made(np.repeat(np.arange(981, 0, -20), 2), omega(320), first="cos"),
        *("halves", "cos", (1e4, 320), 981, ..., ("reversed", "rows-repeated")),
    ),
    "linspace(0, 50, 50)": lambda: (made(np.linspace(0, 50, 50)), *HALVES[:4], 50 / 49, ("step",)),
    "time from 0 to 1": lambda: (
        made(np.linspace(0, 1, 1000), first="cos"),
        *("halves", "cos", (1e4, 64), 0, 1 / 999, ("step",)),
    ),
    "999 to 0": lambda: (
        made(np.arange(1000)[::-1], first="cos"),
        *("halves", "cos", (1e4, 64), 999, -1, ("reversed",)),
    ),
    "DDIM, every tenth": lambda: (
        made(np.arange(0, 1000, 10), omega(320)),
        "halves",
        "sin",
        (1e4, 320),
        0,
        10,
        (),
    ),
    "DDIM, every twentieth": lambda: (
        made(np.arange(1, 1000, 20), omega(320), first="cos"),
        *("halves", "cos", (1e4, 320), 1, 20, ()),
    ),
    "DDIM, rounded": lambda: (
        made(np.linspace(0, 999, 30).round(), omega(320)),
        *("halves", "sin", (1e4, 320), 0, None, ("uneven",)),
    ),
    "octaves, rising": lambda: (
        made(np.linspace(-1, 1, 200), [2.0**k for k in range(10)], "interleaved"),
        *("interleaved", "sin", (0.5, 2), -1, 2 / 199, ()),
    ),
    "octaves, falling": lambda: (
        made(np.arange(200), [2.0**-k for k in range(10)], "interleaved"),
        *("interleaved", "sin", (512, 18), 0, 1, ()),
    ),
    "DETR, one row, normalized": lambda: (
        made((np.arange(25) + 1) / 25 * 2 * math.pi, layout="interleaved"),
        *("interleaved", "sin", (1e4, 64), 2 * math.pi / 25, 2 * math.pi / 25, ("step", "start")),
    ),
    "noise of 0.01": lambda: (PLAIN + RNG.normal(0, 0.01, PLAIN.shape), *STANDARD, ("noise",)),
    "trained a little": lambda: (PLAIN + RNG.normal(0, 0.001, PLAIN.shape), *STANDARD, ("noise",)),
    "cosines twice": lambda: (np.cos(np.tile(ANGLES, 2)), "caches", "cos", (1e4, 64), 0, 1, ()),
    "cosines twice, in bfloat16": lambda: (
        half(np.cos(np.tile(ANGLES, 2))),
        "caches",
        "cos",
        (1e4, 64),
        0,
        1,
        (),
    ),
    "sines twice": lambda: (np.sin(np.tile(ANGLES, 2)), "caches", "sin", (1e4, 64), 0, 1, ()),
    "cosines side by side": lambda: (np.cos(np.repeat(ANGLES, 2, 1)), "caches", "cos", (1e4, 64), 0, 1, ()),
    "vLLM's cache": lambda: (made(first="cos"), "halves", "cos", (1e4, 64), 0, 1, ()),
    "view_as_real": lambda: (
        np.stack([np.cos(ANGLES), np.sin(ANGLES)], -1),
        *("interleaved", "cos", (1e4, 64), 0, 1, ()),
    ),
    "freqs_cis": lambda: (np.exp(1j * ANGLES), "interleaved", "cos", (1e4, 64), 0, 1, ()),
    "angles": lambda: (ANGLES, "angles", None, (1e4, 64), 0, 1, ()),
    "angles twice": lambda: (np.tile(ANGLES, 2), "angles", None, (1e4, 64), 0, 1, ()),
    "inv_freq": lambda: (np.array(omega(128)), "frequencies", None, (1e4, 128), None, None, ()),
    "inv_freq as a column": lambda: (
        np.array(omega(128))[:, np.newaxis],
        *("frequencies", None, (1e4, 128), None, None, ()),
    ),
    "degrees": lambda: (made(np.degrees(P)), *HALVES[:4], math.degrees(1), ("step",)),
    "positions from 1": lambda: (made(P + 1), *HALVES[:3], 1, 1, ()),
    "positions from 5,000": lambda: (made(P + 5000), *HALVES[:3], 5000, 1, ()),
    "positions from -150": lambda: (made(P - 150), *HALVES[:3], -150, 1, ()),
    "positions from a million": lambda: (made(P + 10**6), *HALVES[:3], 10**6, 1, ()),
    "2 pi p": lambda: (made(2 * math.pi * P), *HALVES[:4], 2 * math.pi, ("step",)),
    "p / 4": lambda: (made(P / 4), *HALVES[:4], 0.25, ("step",)),
    "base 500,000": lambda: (made(w=omega(128, base=5e5)), "halves", "sin", (5e5, 128), 0, 1, ()),
    "base 1,000,000 over d - 2": lambda: (made(w=omega(128, 1, 1e6)), "halves", "sin", (1e6, 126), 0, 1, ()),
    "base 10": lambda: (made(w=omega(base=10)), "halves", "sin", (10, 64), 0, 1, ()),
    "base 10^8": lambda: (made(w=omega(base=1e8)), "halves", "sin", (1e8, 64), 0, 1, ("base",)),
    "int8": lambda: (np.round(PLAIN * 127).astype("i1"), *STANDARD, ("scaled",)),
    "int8 and back": lambda: (np.round(PLAIN * 127) / 127, *STANDARD, ()),
    "four decimals": lambda: (np.round(PLAIN, 4), *STANDARD, ()),
    "each row twice": lambda: (np.repeat(PLAIN[:150], 2, 0), *STANDARD[:4], 0.5, ("rows-repeated",)),
    "Transformer-XL": lambda: (made()[::-1], *HALVES[:3], 299, -1, ("reversed",)),
    "minus cosine": lambda: (signs(1, -1), *STANDARD, ("sign",)),
    "minus sine": lambda: (signs(-1, 1), *STANDARD, ("sign",)),
    "minus both": lambda: (-PLAIN, *STANDARD, ("sign",)),
    "YaRN": lambda: (made(w=YARN), "halves", "sin", (1e6, 128), 0, 1, ()),
    "Llama 3.1": lambda: (made(w=LLAMA), "halves", "sin", (5e5, 128), 0, 1, ()),
    "NTK-aware": lambda: (made(w=NTK), "halves", "sin", (1e4, 128), 0, 1, ()),
    "one pair": lambda: (made(w=[1.0]), "interleaved", "sin", None, 0, 1, ()),
    "three rows": lambda: (made(np.arange(3), [1.0, 0.01]), "halves", "sin", (1e4, 4), 0, 1, ()),
    "one more column in front": lambda: (
        np.concatenate([RNG.normal(size=(ROWS, 1)), PLAIN], axis=1),
        *(*STANDARD, ("extra-columns",)),
    ),
    "rows in no order": lambda: (PLAIN[RNG.permutation(ROWS)], *STANDARD[:3], ..., None, ("uneven",)),
    "rising": lambda: (
        made(w=[1 / x for x in omega()]),
        "halves",
        "sin",
        (1e-4, 64),
        0,
        1,
        ("rising-frequencies",),
    ),
    "all alike": lambda: (made(w=[1.0] * 32), "halves", "sin", None, 0, 1, ("equal-frequencies",)),
    "width 127": lambda: (odd_width(127), "interleaved", "sin", (1e4, 127), 0, 1, ("lone-column",)),
    "clipped": lambda: (PLAIN.clip(-0.9, 0.9), *STANDARD, ("clipped",)),
    "moved into [0, 1]": lambda: ((PLAIN + 1) / 2, *STANDARD, ("shifted",)),
    "rows of norm 1": lambda: (PLAIN / math.sqrt(32), *STANDARD, ("scaled",)),
    "positions in bfloat16": lambda: (
        made(half(P), layout="interleaved"),
        *(*STANDARD, ("rounded-positions",)),
    ),
    "frequencies in bfloat16": lambda: (made(w=half(omega())), *HALVES, ("rounded-frequencies",)),
    "angles in bfloat16": lambda: (columns(half(ANGLES)), *HALVES, ("rounded-angles",)),
    "half a position late": lambda: (made(P + 0.5), *HALVES[:3], 0.5, 1, ("start",)),
    "ends too early": lambda: (changed(PLAIN, slice(200, None), PLAIN[199]), *STANDARD, ("rows-repeated",)),
    "one row spoilt": lambda: (changed(PLAIN, 77, -PLAIN[77]), *STANDARD, ("rows-off",)),
    "frequencies at random": lambda: (
        made(w=[1.0, *(0.3 + 0.7 * abs(math.sin(9 * i * i + 1)) for i in range(1, 32))]),
        *("halves", "sin", None, 0, 1, ("unknown-frequencies",)),
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_one_axis(name):
    table, layout, first, frequencies, start, step, kinds = TABLES[name]()
    found = diagnose(table)
    assert found.reading is not None, str(found)
    assert set(found.kinds) <= set(KINDS)
    assert set(found.kinds) == set(kinds), str(found)
    assert (found.layout, found.first) == (layout, first)
    names = found.frequencies
    if frequencies is None:
        assert names.base is None
    else:
        assert (names.base, names.over) == (pytest.approx(frequencies[0], rel=1e-6), frequencies[1])
    if start is not ...:
        assert found.first_position == (None if start is None else pytest.approx(start, abs=2e-3))
    positions = found.reading.axes[0].positions
    if step is not ... and positions is not None:
        assert positions.step == (None if step is None else pytest.approx(step, rel=1e-5))
    assert found.sound is (not kinds)
    assert max(map(len, str(found).splitlines())) <= 90  # more is cut on the page
    assert json.loads(json.dumps(found.as_dict(), default=str))["sound"] is found.sound


IMAGES = {  # name: (table, layout, (base, over), grid, kinds)
    "MAE": lambda: (two_axes(COLUMN, ROW), "quarters", (1e4, 64), (14, 14), ()),
    "MAE with its zero row": lambda: (
        np.pad(two_axes(COLUMN, ROW), [(1, 0), (0, 0)]),
        *("quarters", (1e4, 64), (14, 14), ("zero-rows",)),
    ),
    "not square": lambda: (
        two_axes(*np.divmod(np.arange(240), 20)[::-1]),
        *("quarters", (1e4, 64), (12, 20), ()),
    ),
    "DETR": lambda: (
        two_axes((ROW + 1) / 14 * 2 * math.pi, (COLUMN + 1) / 14 * 2 * math.pi, layout="interleaved"),
        *("interleaved", (1e4, 64), (14, 14), ()),
    ),
    "section 15.1": lambda: (
        two_axes(ROW, COLUMN, layout="interleaved"),
        *("interleaved", (1e4, 64), (14, 14), ()),
    ),
    "the simple ViT": lambda: (two_axes(COLUMN, ROW, omega(less=1)), "quarters", (1e4, 62), (14, 14), ()),
    "timm": lambda: (
        np.concatenate([f(np.outer(x, omega())) for f in (np.sin, np.cos) for x in (ROW, COLUMN)], axis=1),
        *("halves", (1e4, 64), (14, 14), ()),
    ),
    "NeRF's paper": lambda: (nerf(math.pi, False), "blocks", (0.5, 2), None, ()),
    "NeRF's program": lambda: (nerf(1, True), "blocks", (0.5, 2), None, ()),
}


@pytest.mark.parametrize("name", IMAGES)
def test_tables_of_several_axes(name):
    table, layout, frequencies, grid, kinds = IMAGES[name]()
    found = diagnose(table)
    assert (found.kinds, found.layout, found.reading.grid) == (kinds, layout, grid), str(found)
    assert len(found.reading.axes) == (3 if "NeRF" in name else 2)
    for axis in found.reading.axes:
        assert (axis.frequencies.base, axis.frequencies.over) == frequencies


def test_large_images_are_read_to_the_end():
    row, column = np.divmod(np.arange(64 * 64), 64)
    table = two_axes(column, row)
    assert diagnose(table).reading.grid == (64, 64)
    assert diagnose(table).sound
    (problem,) = diagnose(changed(table, 3333, -table[3333])).problems
    assert (problem.kind, problem.rows) == ("rows-off", (3333,))


def test_nerf_with_pi_and_without():
    for scale, words in ((1, "of the coordinates"), (math.pi, "of pi times the coordinates")):
        found = diagnose(nerf(scale, True))
        assert found.sound
        assert words in found.reading.axes[0].frequencies.detail


def by_column():
    angles = np.outer(P, [1e4 ** (-j / D) for j in range(D)])
    return np.where(np.arange(D) % 2, np.cos(angles), np.sin(angles))


UNREAD = {  # name: (table, kinds)
    "columns shuffled": lambda: (PLAIN[:, RNG.permutation(D)], ("columns-shuffled",)),
    "the column's index": lambda: (by_column(), ("unpaired-frequencies",)),
    "random numbers": lambda: (RNG.normal(size=(100, D)), ("unread",)),
    "constant": lambda: (np.full((50, D), 0.3), ("equal-rows",)),
    "one row for all": lambda: (np.repeat(PLAIN[60:61], ROWS, axis=0), ("equal-rows",)),
    "all zero": lambda: (np.zeros((9, 8)), ("equal-rows",)),
    "normalized": lambda: ((PLAIN - PLAIN.mean(1, keepdims=True)) / PLAIN.std(1, keepdims=True), ("unread",)),
    "tokens and positions": lambda: (PLAIN + RNG.normal(size=PLAIN.shape), ("unread",)),
    "dropout": lambda: (PLAIN * (RNG.random(PLAIN.shape) > 0.1) / 0.9, ("unread",)),
    "clipped beyond reading": lambda: (PLAIN.clip(-0.4, 0.4), ("clipped",)),
}


@pytest.mark.parametrize("name", UNREAD)
def test_tables_that_are_not_read(name):
    table, kinds = UNREAD[name]()
    found = diagnose(table)
    assert (found.reading, found.kinds) == (None, kinds), str(found)
    assert not found.sound
    if kinds == ("unread",):
        assert len(found.nearest) == 2


def test_blends_are_named():
    for w, name, factor, base in (
        (LLAMA, "Llama 3.1", 8, 5e5),
        (YARN, "YaRN", 4, 1e6),
        (YARN_PAIRS, "YaRN", 4, 1e6),
        (NTK, "NTK-aware", 8, 1e4),
    ):
        names = diagnose(made(w=w)).frequencies
        assert (names.blend, names.factor, names.base) == (name, factor, base)


def test_rows_are_named_by_their_numbers():
    (problem,) = diagnose(changed(PLAIN, 77, -PLAIN[77])).problems
    assert problem.rows == (77,)
    (problem,) = diagnose(changed(PLAIN, [3, 9], PLAIN[[9, 3]])).problems
    assert (problem.kind, problem.rows, problem.expected, problem.found) == (
        "rows-out-of-place",
        (3, 9),
        pytest.approx((3, 9)),
        pytest.approx((9, 3)),
    )
    (problem,) = diagnose(made(half(P))).problems
    assert problem.rows[0] == 257


@pytest.mark.parametrize("n_positions", [4096, 16_384])
def test_the_book_s_own_table_in_float32_has_no_fault(n_positions):
    assert not diagnose(encoding_table(n_positions, 512, dtype="float32")).kinds


@pytest.mark.slow
def test_a_large_table_is_read_in_a_tenth_of_its_memory():
    table = np.empty((16_384, 512))
    for start in range(0, len(table), 1024):
        table[start : start + 1024] = made(np.arange(start, start + 1024), omega(512))
    diagnose(table[:64])  # what is imported once does not count
    tracemalloc.start()
    found = diagnose(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.sound
    assert peak < 0.3 * table.nbytes  # of 65,536 rows a tenth: the part that is read does not grow with them
    table[9001], table[12_000], table[12_321] = 0, table[5], -table[12_321]
    assert [(problem.kind, problem.rows) for problem in diagnose(table).problems] == [
        ("rows-out-of-place", (12_000,)),
        ("rows-off", (12_321,)),
        ("zero-rows", (9001,)),
    ]


@pytest.mark.slow
def test_three_axes_are_read_in_the_memory_of_their_table():
    n, width = np.arange(2048), 1024
    axes = [made(places, omega(width)) for places in (n // 256, n // 16 % 16, n % 16)]
    table = np.hstack(axes).astype(np.float32)
    diagnose(table[:64])
    tracemalloc.start()
    found = diagnose(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.sound
    assert len(found.reading.axes) == 3
    assert peak < 1.2 * table.nbytes


@pytest.mark.parametrize("shape", [(200, 64), (2000, 1536), (5000, 1024)])
def test_a_table_that_begins_again_is_read_by_its_first_part(shape):
    """Of so many rows none of those that repeat is read, or it would take many seconds."""
    rows, width = shape
    period = 64 if rows == 200 else 512
    table = made(np.arange(rows) % period, omega(width))
    found = diagnose(table)
    assert found.kinds == ("rows-repeated",)
    np.testing.assert_array_equal(found.reading.rows_off, np.arange(period, rows))
    table[period + 9] += 1
    assert "rows-off" in diagnose(table).kinds


@pytest.mark.parametrize("base", [3.75, 501.0, 10_001.0, 12_345.0, 10_000.5, 1_000_010.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_base_is_told_with_the_digits_that_it_has(base, dtype):
    w = np.array(omega(512, base=base), dtype=dtype)
    table = columns(np.outer(np.arange(2048, dtype=dtype), w))
    assert diagnose(table).base == base


class Gradient:
    """Like a tensor that requires a gradient."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (np.zeros((2, 8)), ValueError, r"got \(2, 8\)"),
        (np.full((4, 4), np.nan), ValueError, "table must be finite, got nan"),
        (np.full((4, 4), "x"), TypeError, "table must be real numbers"),
        (np.full((4, 4), None), TypeError, "table must be real numbers"),
        ([[1, 2], [3]], ValueError, "table must be real numbers in rows of one length"),
        (Gradient(), TypeError, "table must be real numbers"),
        (np.ma.masked_less(PLAIN, 0), TypeError, "table must be real numbers without a mask"),
    ],
)
def test_bad_input(table, error, message):
    with pytest.raises(error, match=message):
        diagnose(table)


def turning(w=None, layout="halves", d=D, begin=0, cast=float, place=lambda p: p, apart=None):
    """A function that rotates, entry by entry, from position p and frequency w."""
    w = omega(d) if w is None else list(w)
    apart = (1 if layout == "interleaved" else len(w)) if apart is None else apart
    places = [
        (begin + 2 * i, begin + 2 * i + 1) if apart == 1 else (begin + i, begin + i + apart)
        for i in range(len(w))
    ]

    def rotate(x, p):
        result = np.array(x)
        for (one, two), v in zip(places, w, strict=True):
            cos, sin = cast(np.cos(place(p) * v)), cast(np.sin(place(p) * v))
            result[:, one] = x[:, one] * cos - x[:, two] * sin
            result[:, two] = x[:, one] * sin + x[:, two] * cos
        return result

    return rotate


def same(values):
    return values


def mixed(x, p):
    """Angles repeated for neighbors, entries swapped for halves."""
    angles = np.repeat(np.outer(p, omega()), 2, axis=1)
    return x * np.cos(angles) + np.concatenate([-x[:, 32:], x[:, :32]], axis=1) * np.sin(angles)


def by_complex(x, p):
    turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(p, omega()))
    return np.stack([turned.real, turned.imag], -1).reshape(len(x), -1)


def xpos(x, p):
    return turning(cast=same)(x, p) * np.tile(((np.arange(32) / 32 + 0.4) / 1.4), 2) ** (p[:, None] / 512)


def short(x, p):
    return turning(cast=same)(x, np.arange(2048.0)[p.astype(int)])


def float16_positions(x, p):
    with np.errstate(over="ignore", invalid="ignore"):  # beyond 65,504
        return turning(place=lambda p: p.astype("f2").astype(float), cast=same)(x, p)


def exchanged(x, p):
    """Sines where cosines belong."""
    angles = np.outer(p, omega())
    halves = x[:, :32], x[:, 32:]
    turned = [halves[i] * np.sin(angles) + (2 * i - 1) * halves[1 - i] * np.cos(angles) for i in (0, 1)]
    return np.concatenate(turned, axis=1)


def of_length_one(x, p):
    with np.errstate(invalid="ignore"):  # zeros have no direction
        return turning(cast=same)(x / np.linalg.norm(x, axis=1, keepdims=True), p)


T = {"cast": same}
# name: (function, d, layout, (base, over) or None, entries that turn, kinds)
ROPES = {
    "Hugging Face": (turning(omega(128, base=5e5), **T), 128, "halves", (5e5, 128), 128, ()),
    "complex numbers": (by_complex, 64, "interleaved", (1e4, 64), 64, ()),
    "GPT-J": (turning(omega(64), "interleaved", **T), 256, "interleaved", (1e4, 64), range(64), ()),
    "GPT-NeoX": (turning(omega(24), **T), 96, "halves", (1e4, 24), range(24), ()),
    "Qwen3": (turning(omega(128, base=1e6), **T), 128, "halves", (1e6, 128), 128, ()),
    "Qwen3.5": (turning(omega(64, base=1e7), **T), 256, "halves", (1e7, 64), range(64), ()),
    "YaRN": (turning(YARN_PAIRS, **T), 128, "halves", (1e6, 128), 128, ()),
    "YaRN with its factor": (
        lambda x, p: (0.1 * math.log(4) + 1) * turning(YARN_PAIRS, **T)(x, p),
        *(128, "halves", (1e6, 128), 128, ()),
    ),
    "Llama 3.1": (turning(LLAMA, **T), 128, "halves", (5e5, 128), 128, ()),
    "linear": (turning(place=lambda p: p / 4, **T), 64, "halves", (1e4, 64), 64, ()),
    "NTK-aware": (turning(NTK, **T), 128, "halves", (1e4, 128), 128, ()),
    "backwards": (turning(place=lambda p: -p, **T), 64, "halves", (1e4, 64), 64, ("sign",)),
    "xPos": (xpos, 64, "halves", (1e4, 64), 64, ("lengths-change",)),
    "no RoPE": (lambda x, p: x, 64, None, None, None, ("nothing-turns",)),
    "d - 2": (turning(omega(less=1), **T), 64, "halves", (1e4, 62), 64, ()),
    "Gemma 4": (
        turning(omega(512, base=1e6)[:64], apart=256, **T),
        *(512, "halves", (1e6, 512), [*range(64), *range(256, 320)], ()),
    ),
    "proportional, 64 of 128": (
        turning(omega(128, base=1e6)[:32], apart=64, **T),
        *(128, "halves", (1e6, 128), [*range(32), *range(64, 96)], ()),
    ),
    "proportional, 96 of 128": (
        turning(omega(128)[:48], "interleaved", **T),
        *(128, "interleaved", (1e4, 128), range(96), ()),
    ),
    "proportional, 32 of 64": (
        turning(omega(64)[:16], "interleaved", **T),
        64,
        "interleaved",
        (1e4, 64),
        range(32),
        (),
    ),
    "the last 64 of 192": (turning(omega(64), begin=128, **T), 192, "halves", (1e4, 64), range(128, 192), ()),
    "the last 64, interleaved": (
        turning(omega(64), "interleaved", begin=128, **T),
        *(192, "interleaved", (1e4, 64), range(128, 192), ()),
    ),
    "cosines cast to bfloat16": (
        turning(omega(16), d=16, cast=half),
        16,
        "halves",
        (1e4, 16),
        16,
        ("noise",),
    ),
    "result in float16": (
        lambda x, p: turning(omega(128), **T)(x, p).astype("f2"),
        *(128, "halves", (1e4, 128), 128, ()),
    ),
    "float32": (
        lambda x, p: turning(np.array(omega(128), "f4"), **T)(x.astype("f4"), p.astype("f4")),
        *(128, "halves", (1e4, 128), 128, ()),
    ),
    "positions in bfloat16": (turning(place=half, **T), 64, "halves", (1e4, 64), 64, ("rounded-positions",)),
    "positions in float16": (float16_positions, *(64, "halves", (1e4, 64), 64, ("rounded-positions",))),
    "frequencies in bfloat16": (
        turning(half(omega()), **T),
        64,
        "halves",
        (1e4, 64),
        64,
        ("rounded-frequencies",),
    ),
    "signs alone": (lambda x, p: x * np.tile([1, -1], 32), 64, None, None, None, ("positions-ignored",)),
    "along the heads": (
        lambda x, p: turning(**T)(x, np.arange(len(x)) * 1.0),
        *(64, None, None, None, ("positions-ignored",)),
    ),
    "from the first of a call": (
        lambda x, p: turning(**T)(x, p - p[0]),
        64,
        None,
        None,
        None,
        ("positions-confused",),
    ),
    "all alike": (turning([1.0] * 32, **T), 64, "halves", None, 64, ("equal-frequencies",)),
    "slow pairs left alone": (
        turning([1.0] * 8, apart=32, **T),
        *(64, "halves", None, [*range(8), *range(32, 40)], ("equal-frequencies",)),
    ),
    "rising": (turning([1 / w for w in omega()], **T), 64, "halves", (1e-4, 64), 64, ("rising-frequencies",)),
    "one late": (turning(place=lambda p: p + 1, **T), 64, "halves", (1e4, 64), 64, ("start",)),
    "an index that is clipped": (
        turning(place=lambda p: np.minimum(p, 2047), **T),
        *(64, "halves", (1e4, 64), 64, ("rows-out-of-place",)),
    ),
    "a short table": (short, 64, "halves", (1e4, 64), 64, ()),
    "two layouts mixed": (mixed, 64, None, None, None, ("lengths-change", "pairs-torn")),
    "any rotation": (
        lambda x, p: np.where(p[:, None] > 0, x @ np.linalg.qr(np.vander(np.arange(1.0, 9), 8))[0], x),
        *(8, None, None, None, ("pairs-mixed",)),
    ),
    "exchanged": (exchanged, 64, None, None, None, ("sign",)),
    "of length one": (of_length_one, 64, None, None, None, ("not-linear",)),
    "frequencies in float16": (
        turning(np.array(omega()).astype("f2").astype(float), **T),
        *(64, "halves", (1e4, 64), 64, ("rounded-frequencies",)),
    ),
    "the fastest at rest": (
        lambda x, p: turning(np.where(np.arange(32) < 8, 0.0, omega()), **T)(x, p),
        *(64, "halves", (1e4, 64), [*range(8, 32), *range(40, 64)], ()),
    ),
    "the first four alike": (
        turning(place=lambda p: np.maximum(p - 4, 0), **T),
        *(64, "halves", (1e4, 64), 64, ("rows-out-of-place", "start")),
    ),
    "logarithms": (turning(place=np.log1p, **T), 64, "halves", (1e4, 64), 64, ("not-relative",)),
}


@pytest.mark.parametrize("name", ROPES)
def test_functions_that_rotate(name):
    rotate, d, layout, frequencies, entries, kinds = ROPES[name]
    found = diagnose_rope(rotate, d, n_positions=40)
    assert found.kinds == kinds, str(found)
    assert (found.layout, found.first, found.sound) == (layout, None, not kinds)
    if layout is None:
        return
    assert list(found.reading.columns) == list(range(entries) if isinstance(entries, int) else entries)
    names = found.frequencies
    if frequencies is None:
        assert names.base is None
    else:
        assert (names.base, names.over) == (pytest.approx(frequencies[0]), frequencies[1]), str(found)


def test_far_positions_are_tried_without_being_asked_for():
    (problem,) = diagnose_rope(ROPES["positions in bfloat16"][0], 64).problems
    assert (problem.found, problem.rows[0]) == ("bfloat16", 257)
    (problem,) = diagnose_rope(ROPES["positions in float16"][0], 64).problems
    assert (problem.found, problem.rows[0]) == ("float16", 2049)
    assert diagnose_rope(ROPES["a short table"][0], 64).tried < 2048
    assert diagnose_rope(ROPES["Hugging Face"][0], 128).tried > 2**17


def test_positions_before_the_first_are_told_by_what_they_are_turned_by():
    found = diagnose_rope(turning(place=lambda p: np.maximum(p - 4, 0), **T), 64)
    assert [problem.text for problem in found.problems] == [
        "Some positions are turned by other angles than the rest says: 0 by 0 and not -4; 1 by 0 and not -3; "
        "2 by 0 and not -2; and 1 more.",
        "Position 4 is turned as position 0 should be.",
    ]


def test_both_readings_of_a_base_are_told():
    found = diagnose_rope(ROPES["Gemma 4"][0], 512)
    assert found.frequencies.readings[0] == (1e6, 512)
    assert found.frequencies.readings[1] == (pytest.approx(1e6**0.25, rel=1e-4), 128)


def test_linear_scaling_and_its_factor():
    names = diagnose_rope(ROPES["linear"][0], 64).frequencies
    assert (names.blend, names.factor) == ("interpolation", 4)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((lambda x, p: x[:, :4], 8), ValueError, r"rotate must return the shape \(8, 8\), got \(8, 4\)"),
        ((lambda x, p: x, 7), ValueError, "d_model must be an even integer"),
        ((lambda x, p: x, 8, 2), ValueError, "n_positions must be an integer from 3"),
        ((lambda x, p: Gradient(), 8), TypeError, r"rotate\(...\) must be real numbers"),
        ((lambda x, p: x + 1j, 8), TypeError, r"rotate\(...\) must be real numbers"),
    ],
)
def test_bad_rope_input(arguments, error, message):
    with pytest.raises(error, match=message):
        diagnose_rope(*arguments)


# What people have in public repositories, rewritten from reading these files.


def of_nituchao(n=100, d=64):
    # nituchao/nituchao-deeplearning, pytorch/transformer_explain/positional_embedding.py,
    # 5498952e056721aad35851c4447ed4927651c17d: the column's number in the exponent, row 0 left at zero
    table = by_column_doubled(n, d)
    table[0] = 0
    return table


def by_column_doubled(n, d):
    return np.array(
        [[(math.cos if j % 2 else math.sin)(p / 1e4 ** (2 * j / d)) for j in range(d)] for p in range(n)]
    )


def of_seasa(n=60, d=10):
    # seasa2016/code_test, pytorch/encode_test.py, 8ac8c3aec96c69c98a4ce2789fbfede28491a6fc:
    # row 0 left at zero
    return changed(made(np.arange(n), omega(d), "interleaved"), 0, 0)


def of_nguyenrtm(n=200, d=128):
    # nguyenrtm/DDI-KT-2024, ddi_kt_2024/embed/other_embed.py, 84d750e9ab8ce1498f27f369e2435c796ecff771
    return made(np.arange(n), omega(d), "interleaved").astype(np.float32)


def of_rmrj(x, p):
    # rmrjSP/Transformer, models/rope.py, 517783ceca9c93fa68ce52e5b0315e44cb60cf13: angles for halves, entries
    # taken apart as neighbors and put together as halves
    angles = np.tile(np.outer(p, omega()), 2)
    return x * np.cos(angles) + np.concatenate([-x[:, 1::2], x[:, ::2]], axis=1) * np.sin(angles)


def of_borangundogan(x, p):
    # borangundogan/miniGPT-HPC, src/llm/rope.py, acb6dbb8570a7dc83de95d9d5078a60e32d7a3df
    angles = np.repeat(np.outer(p, omega()), 2, axis=1)
    return x * np.cos(angles) + np.stack([-x[:, 1::2], x[:, ::2]], -1).reshape(x.shape) * np.sin(angles)


def of_tqchu(x, p):
    # tqchu/tiny-llama, core/rotary.py, 137d9334dad76f031f16f71c6f1716e43d0ff8a6: taken apart as neighbors and
    # put together as halves, which is a rotation and then another order
    cos, sin = np.cos(np.outer(p, omega())), np.sin(np.outer(p, omega()))
    even, odd = x[:, ::2], x[:, 1::2]
    return np.concatenate([even * cos - odd * sin, even * sin + odd * cos], axis=1)


def test_what_people_have():
    assert set(diagnose(of_nituchao()).kinds) == {"unpaired-frequencies", "zero-rows"}
    found = diagnose(of_seasa())
    assert (found.kinds, found.layout, found.base) == (("zero-rows",), "interleaved", 1e4)
    assert diagnose(of_nguyenrtm()).sound
    assert "pairs-mixed" in diagnose_rope(of_rmrj, 64).kinds
    found = diagnose_rope(of_borangundogan, 64)
    assert (found.sound, found.layout, found.base) == (True, "interleaved", 1e4)
    assert diagnose_rope(of_tqchu, 64).kinds == ("entries-permuted",)


@pytest.mark.slow
def test_every_processor_gives_the_same_verdict():
    """Two of the verdicts that once hung on the last bits of a float, and some others, in other processes."""
    program = (
        "import sys; sys.path.insert(0, 'code/tests/posread'); import test_diagnosis as t\n"
        "for name in ('slow pairs left alone', 'Llama 3.1', 'Gemma 4'):\n"
        "    print(t.diagnose_rope(t.ROPES[name][0], t.ROPES[name][1], 40))\n"
        "for name in ('each row twice', 'DDIM, every twentieth', 'angles in bfloat16', 'int8 and back'):\n"
        "    print(t.diagnose(t.TABLES[name]()[0]))\n"
    )
    root = Path(__file__).parents[3]
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            cwd=root,
            env={**os.environ, **other},
        ).stdout
        for other in (
            {"OPENBLAS_CORETYPE": "Haswell"},
            {"OPENBLAS_CORETYPE": "SkylakeX"},
            {"OPENBLAS_CORETYPE": "Sandybridge"},
            {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"},
        )
    ]
    assert told[0]
    assert set(told) == {told[0]}


def test_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", PLAIN)
    np.savez("b.npz", pe=2 * PLAIN, other=np.eye(3))
    np.savetxt("c.csv", PLAIN, fmt="%.4f", delimiter=",", header="numbers", comments="")
    Path("broken.npy").write_text("no table")
    Path("mine.py").write_text("def turn(x, p):\n    return x\n")
    for arguments, code in (
        (["diagnose", "a.npy"], 0),
        (["diagnose", "b.npz", "--key", "pe"], 1),
        (["diagnose", "b.npz", "--key", "pe", "--allow", "scaled"], 0),
        (["diagnose", "b.npz"], 2),
        (["diagnose", "b.npz", "--key", "none"], 2),
        (["diagnose", "c.csv"], 0),
        (["diagnose", "none.npy"], 2),
        (["diagnose", "broken.npy"], 2),
        (["diagnose", "a.xyz"], 2),
        (["diagnose-rope", "mine:turn", "--d-model", "8"], 1),
        (["diagnose-rope", "mine:none", "--d-model", "8"], 2),
        (["diagnose-rope", "posenc.rope:apply_rope", "--d-model", "64"], 0),
        (["diagnose-rope", "posenc.rope:apply_rope", "--d-model", "7"], 2),
    ):
        assert main(arguments) == code, arguments
        shown = capsys.readouterr()
        assert bool(shown.err) is (code == 2)
    assert main(["diagnose", "a.npy", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sound"], told["reading"]["axes"][0]["frequencies"]["base"]) == (True, 10_000)


@pytest.mark.slow
def test_the_last_of_time_steps_that_come_twice():
    steps = np.repeat(np.arange(981, 0, -20), 2)
    assert steps[-1] == 1
    assert diagnose(made(steps, omega(320))).reading.axes[0].positions.last == 1


def test_the_row_that_is_named_is_one_that_holds_a_position():
    """Row 0 is zero, so position 0 or whichever is the next cannot be said to be its."""
    table = np.concatenate([np.zeros((5, 64)), made(np.arange(40))])
    assert "row 5 holds position 0" in " ".join(str(diagnose(table)).split())
    assert "row 0 holds position 0" in " ".join(str(diagnose(table[5:])).split())


def test_coordinates_of_octaves_begin_where_row_0_is():
    """Positions in no order: the first one is that of row 0, and not the least."""
    x = np.array([0.5, -0.25, 0.75, 0.125, -1.0, 0.3])
    positions = diagnose(made(x, [2.0**k for k in range(8)], "interleaved")).reading.axes[0].positions
    assert (positions.first, positions.last) == (pytest.approx(0.5), pytest.approx(0.3))
    assert positions.step is None


@pytest.mark.parametrize("bits", [6, 8, 10])
def test_a_binary_counter_is_no_encoding(bits):
    """Zeros and ones have a pair at the corners of a square in each row, which tells no angle."""
    table = [[(n >> bit) & 1 for bit in range(bits)] for n in range(2**bits)]
    assert diagnose(table).reading is None
    assert diagnose(2 * np.array(table) - 1).reading is None


def test_one_entry_at_the_top_is_not_clipped():
    rows = RNG.normal(size=(3, 2))
    assert "clipped" not in diagnose(rows / np.linalg.norm(rows, axis=1, keepdims=True)).kinds


def pairwise(second):
    """A function that makes (x cos - y sin, second(x, y)) of each pair of halves, one pair at a time."""

    def turn(x, p):
        out = np.zeros_like(x)
        for row in range(len(x)):
            for i, w in enumerate(omega()):
                c, s, a, b = math.cos(w * p[row]), math.sin(w * p[row]), x[row, i], x[row, i + 32]
                out[row, i], out[row, i + 32] = second(a, b, c, s)
        return out

    return turn


@pytest.mark.parametrize(
    ("second", "word"),
    [
        (lambda a, b, c, s: (a * c + b * s, a * s - b * c), "mirrored"),
        (lambda a, b, c, s: (a * c + b * s, a * s + b * c), "same sign"),
    ],
)
def test_a_lost_sign_is_not_taken_for_two_layouts(second, word):
    found = diagnose_rope(pairwise(second), 64)
    assert found.problems[0].kind == "pairs-torn"
    assert word in found.problems[0].text
    assert "layout" not in str(found)


def turned_halves(x, angles):
    a, b = x[:, :32], x[:, 32:]
    return np.concatenate(
        [a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], axis=1
    )


def test_pairs_in_reverse_order_are_relative_at_far_positions():
    """The slowest pair comes first; its step is 10,000^(-62/64) and no whole part of 1."""
    w = np.array(omega()[::-1])
    with np.errstate(all="raise", under="ignore"):
        found = diagnose_rope(lambda x, p: turned_halves(x, np.outer(p, w)), 64)
    assert found.kinds == ("rising-frequencies",)
    assert found.frequencies.blend is None


def test_no_program_is_named_for_what_is_not_relative():
    found = diagnose_rope(lambda x, p: turned_halves(x, np.outer(np.sqrt(p), omega())), 64)
    assert "not-relative" in found.kinds
    assert found.reading.programs == ()


def test_what_grows_has_no_single_factor():
    found = diagnose_rope(xpos, 64)
    assert found.reading.scale == 1
    assert "multiplied by" not in str(found)


@pytest.mark.parametrize("given", [3, None, "rotate"])
def test_what_is_no_function_is_refused_by_name(given):
    with pytest.raises(TypeError, match="rotate must be a function"):
        diagnose_rope(given, 64)


def test_a_broken_file_gets_no_advice_to_unpickle(tmp_path, capsys):
    path = tmp_path / "table.npy"
    path.write_bytes(b"no array")
    assert main(["diagnose", str(path)]) == 2
    told = "".join(capsys.readouterr())
    assert "could not be read" in told
    assert "allow_pickle" not in told
    assert "unsafely" not in told


def saved(path, table):
    """A table in a file that PyTorch, or the library safetensors, writes."""
    torch = pytest.importorskip("torch")
    tensor = torch.as_tensor(table)
    if path.suffix == ".safetensors":
        pytest.importorskip("safetensors.torch").save_file({"other": tensor[:3].clone(), "pe": tensor}, path)
    elif path.stem == "alone":
        torch.save(tensor, path)
    else:
        torch.save({"other": tensor[:3], "pe": tensor}, path)
    return tensor


@pytest.mark.parametrize("name", ["alone.pt", "several.pth", "several.bin", "several.safetensors"])
@pytest.mark.parametrize("kind", ["float64", "float32", "bfloat16"])
def test_files_of_other_libraries_are_read(tmp_path, capsys, name, kind):
    torch = pytest.importorskip("torch")
    path = tmp_path / name
    saved(path, torch.as_tensor(positional_encoding(range(90), 32)).to(getattr(torch, kind)))
    key = [] if path.stem == "alone" else ["--key", "pe"]
    assert main(["diagnose", str(path), *key]) == 0
    assert "10,000^(-2i/32)" in capsys.readouterr().out
    if key:
        assert main(["diagnose", str(path)]) == 2
        assert "other, pe" in capsys.readouterr().err


@pytest.mark.parametrize("key", [None, "pe", "state_dict.pe"])
def test_a_checkpoint_is_read_by_the_end_of_a_key(tmp_path, key):
    torch = pytest.importorskip("torch")
    table = torch.as_tensor(positional_encoding(range(90), 32))
    torch.save({"state_dict": {"pe": table}, "epochs": [3]}, tmp_path / "checkpoint.pth")
    assert read_file(tmp_path / "checkpoint.pth", key).shape == (90, 32)
    torch.save([table.to(torch.float8_e4m3fn)], tmp_path / "list.pt")
    assert read_file(tmp_path / "list.pt").shape == (90, 32)


def test_what_is_no_file_of_tensors_is_refused_in_plain_words(tmp_path):
    torch = pytest.importorskip("torch")
    torch.save(torch.nn.Linear(3, 3), tmp_path / "module.pt")
    (tmp_path / "other.pt").write_text("hello")
    for name in ("module.pt", "other.pt"):
        with pytest.raises(Unreadable, match=f"{name} is no file of PyTorch, or holds other") as refused:
            read_file(tmp_path / name)
        assert "weights_only" not in str(refused.value)
    torch.save({"epochs": 3}, tmp_path / "numbers.pt")
    with pytest.raises(Unreadable, match="holds no array"):
        read_file(tmp_path / "numbers.pt")


def test_a_file_that_holds_a_program_is_not_run(tmp_path, capsys):
    """PyTorch's files can hold objects that do something when they are read."""
    torch = pytest.importorskip("torch")
    torch.save(Harm(tmp_path / "done"), tmp_path / "harm.pt")
    assert main(["diagnose", str(tmp_path / "harm.pt")]) == 2
    assert "harm.pt" in capsys.readouterr().err
    assert not (tmp_path / "done").exists()


class Harm:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize(("rows", "width", "column"), [(8, 132, 125), (12, 128, 125), (60, 64, 41)])
def test_a_column_that_stands_still_is_told_though_its_cosine_hardly_moves(rows, width, column, kind):
    table = positional_encoding(range(rows), width).astype(kind)
    assert diagnose(table).sound
    moved = np.ptp(table[:, column]) > 2 * np.finfo(kind).epsneg  # by more than the type rounds
    table[:, column] = 1
    assert moved == (not diagnose(table).sound)
