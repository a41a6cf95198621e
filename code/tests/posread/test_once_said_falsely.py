"""Tables, functions and configurations of which the readers once said what is not so, one a row."""

import subprocess
import sys

import numpy as np
import pytest
from harness import REPOSITORY

from posenc.context import llama3
from posenc.precision import rounded as to
from posread import diagnose, diagnose_rope, from_config
from posread.table import read

CODE = REPOSITORY / "code"

ROWS = np.arange(40)
MODEL = {
    "hidden_size": 1024,
    "num_attention_heads": 16,
    "num_hidden_layers": 4,
    "max_position_embeddings": 4096,
}


def omegas(d, base=10_000.0):
    return base ** (-2 * np.arange(d // 2) / d)


def waves(places, omega):
    """Sine, cosine, sine, cosine ... of all products."""
    return waves_of(np.outer(places, omega))


def waves_of(angles):
    """The same of angles."""
    return np.stack([np.sin(angles), np.cos(angles)], 2).reshape(len(angles), -1)


def sound():
    return waves(ROWS, omegas(32))


def changed(column, value):
    table = sound()
    table[:, column] = value
    return table


def model(name, **keys):
    return from_config(MODEL | {"model_type": name, **keys})


def gemma(**keys):
    return model("gemma3_text", head_dim=256, num_hidden_layers=12, **keys)


def grid_and_zeros():
    rows = [
        np.repeat(waves(np.arange(8), omegas(16)), 6, axis=0),
        np.tile(waves(np.arange(6), omegas(16)), (8, 1)),
    ]
    return np.vstack([np.hstack(rows), np.zeros((2, 32))])


def three_bits():
    """Entries with three bits after the first."""
    unit = 2.0 ** np.floor(np.log2(np.abs(sound()) + 1e-9))
    return np.sign(sound()) * unit * np.round(8 * np.abs(sound()) / unit) / 8


def odd_pair(pair, factor):
    omega = omegas(32)
    omega[pair] *= factor
    return omega


def turned(x, places, omega):
    """Halves of vectors, each at a place, or with a place for each pair."""
    angles = places * omega if np.ndim(places) == 2 else np.outer(places, omega)
    one, two = np.split(x, 2, axis=1)
    return np.hstack(
        [one * np.cos(angles) - two * np.sin(angles), one * np.sin(angles) + two * np.cos(angles)]
    )


def counted(seen, more):
    """How many there were before."""
    seen[0] += more
    return seen[0] - more


def first_of_a_batch(x, p):
    result = turned(x, p, omegas(32))
    result[0] = 2 * x[0]
    return result


def rows_and_columns(x, p):
    places = np.repeat(np.stack([p, p // 4, p % 4], 1), [4, 6, 6], axis=1)
    return turned(x, places, omegas(32))


DRAW = np.random.default_rng(0)
DAYS = 2 * np.pi * np.arange(60)
MROPE = {"rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]}}
MSCALE = {
    "type": "yarn",
    "factor": 40,
    "mscale": 1.0,
    "mscale_all_dim": 0,
    "original_max_position_embeddings": 4096,
}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
TWO_BASES = {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e6}
SWAPPED = {
    "type": "longrope",
    "short_factor": np.linspace(1, 60, 32).tolist(),
    "long_factor": np.linspace(1, 1.3, 32).tolist(),
}


def order(*pairs):
    """The frequencies of 16 pairs, the first of which are those of others."""
    return omegas(32)[[*pairs, *range(len(pairs), 16)]]


def grid(second=lambda places, omega: waves(places, omega), size=(1, 1)):
    """8 by 6 cells; columns of the image by another function, and positions divided by a size."""
    rows, columns = np.divmod(np.arange(48), 6)
    one, two = waves(rows / size[0], omegas(16)), second(columns / size[1], omegas(16))
    return np.hstack([one, two])


def video():
    """2 by 3 by 4 cells, with half of the pairs for time."""
    cells = zip(np.indices((2, 3, 4)).reshape(3, -1), (48, 24, 24), strict=True)
    return np.hstack([waves(places, omegas(width)) for places, width in cells])


def at(part, change):
    """The sound table with a part of it changed."""
    table = sound()
    table[part] = change(table[part])
    return table


def slow(columns, change):
    """A table of a large base with a change in some columns."""
    table = waves(np.arange(100), omegas(32, 500_000.0))
    table[:, columns] = change(table[:, columns])
    return table


def at_column(table, column):
    """A table with a column negated."""
    table[:, column] *= -1
    return table


ALL = slice(None)
#: Tables of which what is wrong was not said: what is to be said of them, and after ~ what is not.
TABLES = {
    "a pair at rest": (
        lambda: at((ALL, slice(30, 32)), lambda x: [0, 1] + 0 * x),
        "Columns 30 to 31 are the same in every row",
    ),
    "each frequency twice": (
        lambda: waves(ROWS, np.repeat(omegas(16), 2)),
        "Each frequency is there 2 times, in pairs side by side",
    ),
    "log10 for ln": (
        lambda: waves(ROWS, np.exp(-2 * np.arange(16) / 32 * np.log10(1e4))),
        "The base is 54.5982, which is 10,000^(1 / ln 10).",
    ),
    "log2 for ln": (
        lambda: waves(ROWS, np.exp(-2 * np.arange(16) / 32 * np.log2(1e4))),
        "which is 10,000^(1 / ln 2).",
    ),
    "i for 2i": (lambda: waves(ROWS, omegas(32, 100.0)), "remarks: the base 100 is", "~No problem"),
    "a base that is no round number": (
        lambda: waves(ROWS, omegas(32, 7654.321)),
        "remarks: the base 7,654.32 is no round number",
        "~No problem",
    ),
    "a phase": (
        lambda: waves_of(np.outer(ROWS, omegas(32)) + 0.3),
        "No reading that is tried explains the entries",
        "~No problem",
    ),
    "a column without signs": (
        lambda: at((ALL, 9), np.abs),
        "10,000^(-2i/32)",
        "Column 9 holds something else",
    ),
    "a column in another order": (lambda: at((ALL, 9), lambda x: x[::-1]), "Column 9 holds something else"),
    "a column above 0": (lambda: at((ALL, 9), lambda x: np.maximum(x, 0)), "Column 9 holds something"),
    "two columns negated": (
        lambda: at((ALL, [4, 9]), np.negative),
        "Column 4 is negated; column 9 is negated",
        "~different frequencies",
    ),
    "a column doubled": (lambda: at((ALL, 6), lambda x: 2 * x), "Column 6 is multiplied by 2"),
    "sines multiplied": (
        lambda: at((ALL, slice(0, None, 2)), lambda x: 3 * x),
        "Sines are multiplied by 3, and cosines are as they should be.",
    ),
    "cosines moved": (
        lambda: at((ALL, slice(1, None, 2)), lambda x: x / 2 + 0.5),
        "Sines are as they should be, and cosines are multiplied by 0.5 and moved by 0.5.",
    ),
    "rows doubled": (
        lambda: at(slice(0, 12), lambda x: 2 * x),
        "Rows 0 to 11 are multiplied by 2.",
        "row 0 holds position 0",
    ),
    "rows by the logarithm": (
        lambda: sound() * np.log(ROWS + 2)[:, np.newaxis],
        "multiplied by factors of their own, from 0.693147 to 3.71357",
    ),
    "a grid without a row": (
        lambda: np.delete(grid(), 20, 0),
        "a grid of 8 by 6",
        "A row is missing before row 20",
    ),
    **{
        f"a grid after {tokens} tokens": (
            lambda tokens=tokens: np.vstack([np.random.default_rng(0).normal(0, 0.02, (tokens, 32)), grid()]),
            "a grid of 8 by 6",
            "not as the reading says",
            "positions 0 to 7",
            "~from -",
        )
        for tokens in (1, 3)
    },
    "an axis negated": (
        lambda: grid(lambda places, omega: -waves(places, omega)),
        "a grid of 8 by 6",
        "Axis 2 has other signs than axis 1.",
    ),
    "an axis backwards": (
        lambda: grid(lambda places, omega: waves(places[::-1], omega)),
        "Axis 2 runs backwards, and the others do not.",
    ),
    "a frequency that is off by a hundredth": (
        lambda: waves(ROWS, odd_pair(5, 1.01)),
        "they are 10,000^(-2i/32) but for pair 5, which has 1.01 times that.",
        "~ratios",
    ),
    "an axis with its cosine first": (
        lambda: grid(lambda places, omega: waves(places, omega)[:, np.arange(16) ^ 1]),
        "a grid of 8 by 6",
        "Axis 2 has the cosine first, and axis 1 the sine.",
    ),
    "positions up to 1": (
        lambda: grid(size=(7, 5)),
        "from 0 to 1 along axis 1; 0 to 1 along axis 2.",
    ),
    "two encodings side by side": (
        lambda: np.hstack([sound(), waves(ROWS, omegas(32, 500.0))]),
        "but for pairs 16 to 31",
    ),
    "a pair like another": (
        lambda: waves(ROWS, order(0, 1, 1)),
        "but for pair 2, which has 1.778 times that",
    ),
    "degrees": (lambda: waves(np.arange(200) * np.pi / 180, omegas(32)), "which is pi / 180"),
    "a row twice, later": (
        lambda: waves([*range(101), *range(100, 199)], omegas(32)),
        "go on by 0 to 1. From row 100 to 101 they go on by 0.",
        "~go up and down",
    ),
    "positions squared": (lambda: waves(ROWS**2, omegas(32)), "go on by 1 to 77.", "~The convention"),
    "a grid before spoilt rows": (
        lambda: np.vstack([np.zeros((1, 32)), grid(), np.random.default_rng(0).normal(0, 0.1, (2, 32))]),
        "axis 1: frequencies 10,000^(-2i/16), positions 0 to 7.",
        "Rows 49 to 50 are not as the reading says",
    ),
    "a grid in windows": (
        lambda: grid()[np.arange(48).reshape(4, 2, 3, 2).transpose(0, 2, 1, 3).ravel()],
        "go over no grid row by row",
        "~same positions",
    ),
    "a grid shuffled": (
        lambda: grid()[np.random.default_rng(5).permutation(48)],
        "positions 0 to 7",
        "positions 0 to 5",
        "go over no grid row by row",
        "~from 1 to",
    ),
    "an index off by two": (
        lambda: waves(ROWS, order(0, 0, 0, *range(1, 14))),
        "in the ratios of 10,000^(-2i/32) but for pairs 0 to 1, which have 0.3162 to 0.5623 times that",
    ),
    "printed with four decimals, and small": (
        lambda: np.round(waves(np.arange(10), omegas(6)), 4),
        "No problem found",
        "~1^2 and not 1",
    ),
    "multiplied by a millionth": (
        lambda: 1e-6 * sound(),
        "Sines and cosines are multiplied by",
        "~whole numbers",
    ),
    "floored angles": (
        lambda: waves_of(np.floor(np.outer(ROWS, omegas(32)))),
        "more are zero",
        "~filled up",
    ),
    "halves and a column of ones": (
        lambda: np.hstack([sound()[:, np.r_[0:32:2, 1:32:2]], np.ones((40, 1))]),
        "halves, sin first, in columns 0 to 31",
        "column 32 has no partner",
        "~off by",
    ),
    **{
        f"a slow column {words}, in {kind}": (
            lambda kind=kind, change=change: to(slow(30, change), kind),
            "500,000^(-2i/32)",
            f"Column 30 is {words}: not the sine",
            "~No problem",
        )
        for kind in ("bfloat16", "float16")
        for words, change in {
            "negated": np.negative,
            "multiplied by 0.5": lambda x: x / 2,
            "multiplied by 2": lambda x: 2 * x,
        }.items()
    },
    "a slow column that stands still, in float16": (
        lambda: to(slow(30, lambda x: 0 * x + 2**-12), "float16"),
        "Column 30 is 0.000244141 in every row",
    ),
    "two slow columns exchanged, in float16": (
        lambda: to(slow([26, 30], lambda x: x[:, ::-1]), "float16"),
        "500,000^(-2i/32)",
        "Column 26 is multiplied by",
        "~slowed",
    ),
    **{
        f"{rows} rows of the base {base:,}, in bfloat16": (
            lambda rows=rows, base=base: to(waves(np.arange(rows), omegas(12, base)), "bfloat16"),
            f"{base:,}^(-2i/12)",
            "No problem found",
        )
        for rows, base in [(4, 50_000), (5, 50_000), (5, 1_000_000), (6, 1_000_000), (4, 100_000)]
    },
    "few rows with a column negated, in float16": (
        lambda: to(at_column(waves(np.arange(5), omegas(256)), 173), "float16"),
        "Column 173 is negated",
        "~in no layout",
        "~Column 172",
    ),
    "a column negated of one axis in two": (
        lambda: at_column(grid(), 21),
        "a grid of 8 by 6",
        "Column 21 is negated",
        "~other signs",
    ),
    "a slow column negated": (lambda: slow(30, np.negative), "Column 30 is negated", "~off by a little"),
    "a slow cosine that stands still, in float32": (
        lambda: slow(21, lambda x: 0 * x + 1).astype(np.float32),
        "Column 21 is 1 in every row",
        "~No problem",
    ),
    "a vector added to all rows": (
        lambda: sound() + np.random.default_rng(0).normal(0, 0.01, 32),
        "The same vector is added to every row; its largest entry is 0.023.",
        "~off by a little",
    ),
    "evenly spaced down to 0": (
        lambda: waves(np.linspace(1000, 0, 28), omegas(32)).astype(np.float32),
        "they hold 1,000 to 0.",
        "run from 1,000 to 0 in 28 rows",
        "~and not 0",
    ),
    "zeros at the end": (
        lambda: np.where(np.arange(32) < 28, sound(), 0),
        "10,000^(-2i/32)",
        "Columns 28 to 31 are zero",
    ),
    "without signs": (lambda: np.abs(sound()), "No entry is below 0"),
    "features too fast for their steps": (
        lambda: waves(np.arange(50), 0.64 * np.pi * np.random.default_rng(0).normal(size=64)),
        "Whole turns from row to row are not seen.",
    ),
    "moved, and not scaled": (lambda: sound() + 0.1, "Subtract 0.1, and they are", "~scaled", "~divide"),
}
#: What is rebuilt, and not usual: a remark, and no all-clear.
REMARKS = {
    "the same twice": (lambda: np.hstack([sound(), sound()]), "it is the same 2 times"),
    "sines for both": (lambda: np.sin(np.outer(ROWS, omegas(32))).repeat(2, 1), "it has sines alone"),
    "every second position": (lambda: waves(2 * ROWS, omegas(32)), "the step is 2"),
    "eight bits": (lambda: np.round(127 * sound()) / 127, "its entries have 8 bits"),
    "a grid that ends early": (lambda: grid()[:-2], "the last row of the grid has 4 of 6 cells"),
    "a base of 10": (lambda: waves(ROWS, omegas(32, 10.0)), "the base 10 is small"),
    "a cut axis": (lambda: grid(lambda p, w: waves(p, omegas(20)[:8])), "the base 1,584.89 is no round"),
}
TABLES |= {name: (make, f"remarks: {words}", "~No problem") for name, (make, words) in REMARKS.items()}
#: Lines of frequencies, and tables that are no waves.
LINES = {
    "two pairs of one frequency": (lambda: waves(ROWS, np.ones(2)), "all frequencies equal", "~no layout"),
    "each row twice, of a rarer base": (
        lambda: waves(ROWS // 2, omegas(32, 500.0)),
        "500^(-2i/32), row 0 holds position 0, a step of 1 every 2 rows",
    ),
    "a base beside a round one": (lambda: waves(ROWS, omegas(32, 1_000_001.0)), "1,000,001^"),
    "a video in bfloat16": (lambda: to(video(), "bfloat16"), "~The base", "~axis 1"),
    "a wide table that wraps": (
        lambda: waves(np.arange(1400) % 512, omegas(1536)).astype(np.float32),
        "Rows 512 to 1399 repeat earlier rows",
    ),
    "the first of a line is wrong": (
        lambda: np.append(2, omegas(32)[1:]),
        "in the ratios of 10,000^(-2i/32) but for pair 0",
        "The first frequency is 2 and not 1.",
        "~as many times",
    ),
    "a line with one that is off by a hundredth": (
        lambda: odd_pair(5, 1.01),
        "they are 10,000^(-2i/32) but for pair 5, which has 1.01 times that.",
        "~ratios",
    ),
    "cosines alone, scaled as YaRN does": (
        lambda: 1.5 * np.cos(np.outer(np.arange(200), omegas(64))),
        "cos alone, times 1.5,",
    ),
    "a line in reverse order": (lambda: omegas(32)[::-1], "in the ratios of 10,000^(+2i/32)", "times 0.0001"),
    "a line with the exponent doubled": (
        lambda: omegas(32, 1e8),
        "remarks: the base is the square of 10,000",
        "~No problem",
    ),
    "half of the divisors": (lambda: 0.5 / omegas(32), "times 0.5.", "from 0.5 to", "~they are"),
    "positions for a line": (lambda: np.arange(5), "The first number is 0", "~others", "~then 0"),
    "numbers that begin at rest": (lambda: np.append(0, omegas(32)[1:]), "The first number is 0", "~others"),
    "a line as PyTorch prints it": (
        lambda: [float(f"{x:.4e}") for x in omegas(64)],
        "10,000^(-2i/64)",
        "No problem found",
    ),
    "a line with eight decimals": (lambda: np.round(omegas(64), 8), "10,000^(-2i/64)", "No problem"),
    "a line with four decimals": (lambda: np.round(omegas(64), 4), "are rounded to 4 decimals", "~Memory"),
    "small numbers": (lambda: np.random.default_rng(0).normal(0, 1e-6, (50, 64)), "~whole numbers"),
    "angles of a wide head": (
        lambda: np.outer(np.arange(200), omegas(128)),
        "angles, before sine and cosine",
        "No problem found",
    ),
    "every second row zero": (
        lambda: at(slice(1, None, 2), np.zeros_like),
        "Rows 1, 3, 5 and 17 more are zero.",
        "~repeat",
        "~every 2 rows",
    ),
    "columns of ones": (lambda: np.hstack([sound(), np.ones((40, 2))]), "~different frequencies"),
    "one row, and a zero": (
        lambda: np.repeat([np.ones(16), np.zeros(16), np.ones(16)], [2500, 1, 500], axis=0),
        "Row 2500 is zero.",
        "~All",
    ),
    "slopes of ALiBi": (lambda: 0.5 ** np.arange(1, 9), "256^(-2i/16), times 0.5", "~interpolation"),
    "a row for a line": (lambda: sound()[5], "recognized in one line of 32 numbers"),
    "a line that rises in two places": (lambda: [1, 0.1, 0.2, 0.1, 0.2], "nor in 1 other."),
    "slowed by no method": (
        lambda: waves(ROWS, omegas(32, 1000.0) / np.linspace(1, 2.4, 16)),
        "~1,000^",
        "~each pair slowed",
    ),
    "one number everywhere": (lambda: np.full((50, 16), 0.02), "All 50 rows are equal", "~was added"),
}
GAUSSIAN = np.random.default_rng(0).normal(size=8)


def halves(angles):
    return np.hstack([np.sin(angles), np.cos(angles)])


def ramped(places):
    """YaRN, whose slow pairs half precision hides."""
    kept = 1 - np.clip((np.arange(48) - 18) / 14, 0, 1)
    return halves(np.outer(places, omegas(96, 5e5) * (1 + kept) / 2))


def with_column(table, column, value):
    table[:, column] = value(table[:, column])
    return table


def nudged(row, columns, by, n=5000):
    table = waves(np.arange(n), omegas(64)).astype(np.float32)
    table[row, columns] += by
    return table


def far(row, column, by):
    """A table of far positions, in float64, of which something is off."""
    table = waves(1_000_000 + np.arange(100), omegas(64))
    table[row, column] += by
    return table


def all_in_half(n, omega):
    """Positions, frequencies and their products in float16, and what becomes of these."""
    angles = np.arange(n).astype(np.float16)[:, None] * omega.astype(np.float16)
    return halves(angles.astype(np.float64)).astype(np.float16)


def doubtful(places=10):
    table = waves(np.arange(places), omegas(8))
    table[2] += 0.1 * np.cos(np.arange(8) * 3)
    return table


def a_grid(high, wide, pairs):
    w = 1e4 ** (-np.arange(pairs) / pairs)
    return [halves(np.outer(p, w)) for p in np.divmod(np.arange(high * wide), wide)]


#: What readings say as exactly as the digits that they were given in, and no more exactly.
LINES |= {
    "a base beside a round one, in float32": (
        lambda: waves(np.arange(200), omegas(64, 1_000_001.0)).astype("f4"),
        "1,000,001^",
    ),
    "a program in float32": (
        lambda: waves(
            (500 + np.arange(8)).astype("f4"),
            np.exp(-np.arange(117) / 117 * np.float32(np.log(1e6))).astype("f4"),
        ).astype("f4"),
        "1,000,000^",
    ),
    "few rows in half precision": (
        lambda: waves(1 + np.arange(5), omegas(256, 123_456.0)).astype(np.float16),
        "^(-2i/256)",
        "~Column",
    ),
    "three pairs in half precision": (
        lambda: waves(1 + np.arange(5), omegas(6, 123_456.0)).astype(np.float16),
        "~steps of 44",
    ),
    "two pairs in half precision": (
        lambda: halves(np.outer(np.arange(5), omegas(4, 1e6))).astype(np.float16),
        "1,000,000^(-2i/4)",
        "~Column",
    ),
    "scaled before it was rounded": (
        lambda: to(58**-0.5 * waves(np.arange(100), omegas(58, 25_000.0)), "bfloat16"),
        "25,000^",
        "~clipped",
    ),
    "scaled by nearly a short number": (
        lambda: (0.1270001270001905 * waves(np.arange(100), omegas(62, 5e5))).astype("f4"),
        "~Row 0 is",
    ),
    "a ramp that half precision hides": (
        lambda: to(ramped(17 + np.arange(300)), "bfloat16"),
        "500,000^(-2i/96) under YaRN with factor 2",
        "~Column",
    ),
    "far apart, of four pairs": (lambda: waves(17 + 10 * np.arange(300), omegas(8, 20.0)), "20^(-2i/8)"),
    "between whole numbers, far out": (
        lambda: waves(999_999.5 + np.arange(64), omegas(64)).astype("f4"),
        "holds the position 999,999.5, which",
    ),
    "three decimals in half steps": (
        lambda: np.round(waves(np.arange(10) / 2, omegas(32)), 3),
        "steps of 0.5.",
        "~0.50004",
    ),
    "two decimals of few rows": (
        lambda: np.round(waves(np.arange(5), 1e4 ** (-np.arange(16) / 15)), 2),
        "10,000^(-2i/30)",
        "~19,000",
    ),
    "bytes that a cast cut off": (
        lambda: (127.5 * (waves(np.arange(200), 5e5 ** (-np.arange(8) / 7)) + 1)).astype(np.uint8),
        "500,000^(-2i/14)",
        "Subtract 127.5, and divide by 127.5",
        "~off by",
    ),
    "whole numbers that a cast cut off": (
        lambda: (127 * waves(np.arange(100), omegas(64))).astype(np.int8),
        "10,000^(-2i/64)",
        "sin^2 + cos^2 is 127^2",
        "~not as the reading",
    ),
    "bytes of few rows in quarter steps": (
        lambda: np.rint(127.5 * (waves(np.arange(7) / 4, 100 ** (-np.arange(16) / 15)) + 1)),
        "100^(-2i/30)",
        "steps of 0.25.",
        "~Row 4",
    ),
    "the largest of three decimals": (
        lambda: np.round(
            waves(17 + np.arange(10) / 2, 100 ** (-np.arange(4) / 3))[:, [1, 0, 3, 2, 5, 4, 7, 6]], 3
        ),
        "100^(-2i/6)",
        "~clipped",
    ),
    "the last columns in float32": (
        lambda: waves(np.arange(20), 1e4 ** (-np.arange(60, 64) / 64)).astype(np.float32),
        "10,000^(-2i/128)",
        "0.000177828 positions apart",
        "~1.54",
    ),
    "the first columns in four decimals": (
        lambda: np.round(waves(np.arange(8), 1e4 ** (-np.arange(4) / 256)), 4),
        "10,000^(-2i/512), row 0 holds position 0.",
        "as the first of 512 are",
        "~uneven",
    ),
    "the day of the year and of the week": (
        lambda: waves(np.arange(60), 2 * np.pi / np.array([365.25, 7])),
        "2,722.60331632653^(+2i/4)",
        "~2,722.6^",
    ),
    "five decimals cut off": (
        lambda: np.trunc(1e5 * waves(1 + np.arange(20) / 4, omegas(256))) / 1e5,
        "10,000^(-2i/256)",
        "steps of 0.25.",
        "~Rows",
    ),
    "whole numbers cut off": (
        lambda: (127 * waves(np.arange(100), omegas(64))).astype(np.int8),
        "is 127^2",
        "~126",
        "~Row 0",
    ),
    "bytes cut off": (
        lambda: (127.5 * (1 + waves(np.arange(100), omegas(64)))).astype(np.uint8),
        "10,000^(-2i/64)",
        "~Row 0 is",
    ),
    "four decimals cut off": (
        lambda: np.trunc(1e4 * waves(np.arange(20), omegas(512))) / 1e4,
        "~different frequencies",
    ),
    "frequencies to both sides": (
        lambda: halves(np.outer(np.linspace(0, 2 * np.pi, 200), GAUSSIAN)),
        "halves",
        "of their own",
        "~different",
    ),
    "pairs in another order": (
        lambda: waves(3 + ROWS, omegas(32)[[5, 0, 1, 2, 3, 4, *range(6, 16)]]),
        "~not a whole number",
    ),
    "factors of pairs from 1 to 32": (
        lambda: halves(np.outer(np.arange(200), omegas(64) / np.arange(1, 33))),
        "10,000^(-2i/64), each pair slowed",
        "~250,000",
    ),
    "a slice of halves": (
        lambda: halves(np.outer(np.arange(100), omegas(64)))[:, 10:54],
        "sines have those from 0.05623",
        "cosines those from 1 to",
    ),
    "positions behind": (
        lambda: np.column_stack([sound(), ROWS]),
        "of the coordinates behind",
        "~no partner",
    ),
    "a row that was moved, of few pairs": (doubtful, "Row 2 is not as", "10,000^(-2i/8)", "~reverse"),
    "few pairs, counted down": (
        lambda: to(waves(-np.arange(100) + np.pi / 2, omegas(6, 5e5)), "bfloat16"),
        "~position 49,494",
    ),
    "one column moved, in half steps": (
        lambda: with_column(waves(np.arange(100) / 2, 1e6 ** (-np.arange(32) / 31)), 15, lambda c: c + 0.3),
        "Column 15 is moved by 0.3",
        "~off by a little",
    ),
    "the first column zero": (
        lambda: with_column(halves(np.outer(np.arange(100), omegas(32))), 0, np.zeros_like),
        "Column 0 is zero",
        "~odd",
    ),
    "the first column multiplied": (
        lambda: with_column(waves(2 + np.arange(100), omegas(32)), 0, lambda c: 1.7 * c),
        "Column 0 is multiplied by 1.7",
        "~no part",
    ),
    "halves exchanged in time": (
        lambda: np.fft.fftshift(waves(2 * np.arange(300), omegas(128, 100.0)), 0),
        "go on by -598",
        "~Rows",
    ),
    "many rows negated": (
        lambda: waves(np.arange(5000), omegas(64)) * np.repeat([1, -1], 2500)[:, None],
        "Rows 2500 to 4999 are not",
    ),
    "a far row, in its slow columns": (lambda: nudged(4000, slice(40, None), 0.001), "Row 4000 is not"),
    "a row lost of many": (
        lambda: np.delete(waves(np.arange(5000), omegas(64)), 3333, 0),
        "Rows 3333 to 4998 hold positions 3,334 to 4,999 and not",
    ),
    "angles in float16": (
        lambda: np.outer(np.arange(6000), omegas(64)).astype(np.float16),
        "off by up to 2 where",
        "~Rows",
    ),
    "a small grid in two decimals": (
        lambda: np.round(np.hstack(a_grid(8, 8, 4)), 2),
        "10,000^(-2i/8), positions 0 to 7",
    ),
    "a grid that stands still from a row on": (
        lambda: np.hstack([a for a in (np.repeat(part, 4, 0) for part in a_grid(4, 7, 8))])[
            np.minimum(np.arange(112), 55)
        ],
        "~Rows 56 to 110 ",
    ),
    "scaled, with a row that is off": (
        lambda: 0.1 * (sound() + 0.5 * (ROWS == 7)[:, None]),
        "off by up to 0.05.",
    ),
    "a far row, off by little": (lambda: far(5, slice(None), 3e-3), "Row 5 is not as the reading says"),
    "a far entry, off by little": (lambda: far(5, 0, 0.02), "Row 5 is not as the reading says"),
    "a far column, off in all rows": (
        lambda: far(slice(None), 0, 0.03 * DRAW.choice([-1, 1], 100)),
        "Column 0 holds something else",
        "~uneven",
    ),
    "a column negated, of many": (
        lambda: with_column(waves(np.arange(100), omegas(64)), 20, np.negative),
        "Column 20 is negated",
    ),
    "means of neighbors": (
        lambda: (waves(np.arange(1, 101), omegas(64)) + waves(np.arange(100), omegas(64))) / 2,
        "row 0 holds position 0.5.",
        "no sines and cosines",
    ),
    **{
        f"{base} in float64": (
            lambda base=base: waves(np.arange(200), omegas(64, base)),
            f"{base:,}^(-2i/64)",
        )
        for base in (9_999.99, 10_000.005, 500_000.4)
    },
    **{
        f"all in float16, {n} rows": (
            lambda n=n, d=d, base=base: all_in_half(n, omegas(d, base)),
            f"{base:,.0f}^(-2i/{d}), row 0 holds position 0.",
            "positions, frequencies and angles in float16",
            "~Row ",
        )
        for n, d, base in ((200, 128, 5e5), (300, 64, 1e4))
    },
    "angles alone in float16": (
        lambda: halves(np.outer(np.arange(200), omegas(64)).astype("f2").astype("f8")).astype("f4"),
        "10,000^(-2i/64)",
        "angles in float16",
        "~off by a little",
    ),
    "a ramp from position 500 on, in bfloat16": (
        lambda: to(halves(np.outer(np.arange(500, 530), llama3(128, 2.0, 1e6, length=32_768))), "bfloat16"),
        "under Llama 3.1 with factor 2 and length 32,768, row 0 holds position 500.",
    ),
    "a ramp that small sines tell, in bfloat16": (
        lambda: to(halves(np.outer(np.arange(1, 31), llama3(64, 8.0, 1e4, length=32_768))), "bfloat16"),
        "under Llama 3.1 with factor 8 and length 32,768, row 0 holds position 1.",
    ),
}
ONE, BACKWARDS = np.ones(16), np.where(np.arange(16) == 3, -1, 1)


def mixed(cos, sin):
    """A function that turns by other numbers than cosines and sines."""

    def rotate(x, p):
        (one, two), angles = np.split(x, 2, axis=1), np.outer(p, omegas(32))
        c, s = cos(angles), sin(angles)
        return np.hstack([one * c - two * s, one * s + two * c])

    return rotate


def by(omega, step=1):
    return lambda x, p: turned(x, step * p, omega)


def rounded(function):
    return lambda angles: np.round(127 * function(angles)) / 127


def longer(beyond, factor):
    """A function that makes vectors longer at far positions."""
    return lambda x, p: turned(x, p, omegas(32)) * np.where(p > beyond, factor, 1)[:, None]


#: Functions of the same kind.
FUNCTIONS = {
    "a far length": (longer(100_000, 1.1), "Lengths change"),
    "a length that is little too large": (longer(4_000, 1.0005), "Lengths change"),
    "far angles": (
        lambda x, p: turned(x, p + 0.01 * (p > 100_000), omegas(32)),
        "base 10,000",
        "from position 131071 on",
    ),
    **{f"base {base}": (by(omegas(32, base)), f"base {base:,}") for base in (10_000.01, 500_000.5)},
    **{
        f"{kind} inside": (
            mixed(lambda a, kind=kind: to(np.cos(a), kind), lambda a, kind=kind: to(np.sin(a), kind)),
            f"Cosines and sines are rounded to {kind}.",
        )
        for kind in ("bfloat16", "float16")
    },
    "log10 for ln": (by(omegas(32, np.exp(4))), "which is 10,000^(1 / ln 10)"),
    "i for 2i": (by(omegas(32, 100.0)), "the base 100 is"),
    "degrees": (by(omegas(32), np.pi / 180), "which is pi / 180"),
    "eight bits": (mixed(rounded(np.cos), rounded(np.sin)), "Cosines and sines are rounded to 8 bits."),
    "a pair backwards": (by(BACKWARDS * omegas(32)), "but for pair 3, which has -1 times that."),
    "pairs exchanged": (
        by(order(0, 2, 1)),
        "but for pairs 1 to 2, which have 0.5623 to 1.778 times that",
    ),
    "frequencies dealt out": (
        by(np.concatenate([omegas(32)[::2], omegas(32)[1::2]])),
        "together they have 10,000^(-2i/32), dealt out in turn",
    ),
    "cosines alone": (mixed(np.cos, np.cos), "The cosine stands where the sine belongs."),
    "sines alone": (mixed(np.sin, np.sin), "The sine stands where the cosine belongs."),
    "no cosine": (mixed(np.ones_like, np.sin), "The factor 1 stands where the cosine belongs."),
    "the first pair of another size": (
        by(np.append(0.25, omegas(32)[1:] / 3)),
        "from 0.25 to",
        "in the ratios of 10,000^(-2i/32) but for pair 0",
    ),
    "positions that turn around": (
        lambda x, p: turned(x, np.abs(p - 1000), omegas(32)),
        "1023 by 23 and not -23",
        "Position 0 is turned as position 1,000 should be.",
    ),
    "positions that are swapped": (
        lambda x, p: turned(x, p.astype(int) ^ 1, omegas(32)),
        "1 by 0 and not 2; 3 by 2 and not 4",
        "Position 0 is turned as position 1 should be.",
        "~others",
    ),
    "frequencies in bfloat16": (
        by((omegas(32).astype(np.float32).view(np.uint32) + 0x8000 & 0xFFFF0000).view(np.float32)),
        "Frequencies are rounded to half precision",
    ),
    "as for a cache that grows": (
        lambda x, p, seen=[0]: turned(x, p + counted(seen, len(p)), omegas(32)),
        "The same call gives another result each time",
        "~linear",
    ),
    "with dropout": (
        lambda x, p: turned(x, p, omegas(32)) * (DRAW.random(x.shape) > 0.1),
        "The same call gives another result each time",
        "~linear",
    ),
    "positions kept by length": (
        lambda x, p, kept={}: turned(x, kept.setdefault(len(p), p.copy()), omegas(32)),
        "Positions are kept from the first call with as many vectors",
        "~No entry is turned",
    ),
    "positions sorted": (
        lambda x, p: turned(x, np.sort(p), omegas(32)),
        "Positions in another order than 0, 1, 2 are not each turned by their own angle",
        "~No problem",
    ),
    "random frequencies": (
        by(np.append(np.random.default_rng(3).permutation(np.linspace(0.2, 1, 15)), 0.5)),
        "of their own, between 0.2 and 1",
    ),
    "coordinates by turns": (
        lambda x, p: turned(x, np.where(np.arange(16) % 2, (p % 8)[:, None], (p // 8)[:, None]), omegas(32)),
        "by their own coordinates, p // 8 and p % 8 at position p",
    ),
    "times the logarithm": (
        lambda x, p: turned(x, p, omegas(32)) * np.log(p + 2)[:, np.newaxis],
        "multiplied by one factor, which depends on the position",
    ),
}
FUNCTIONS |= {
    "backwards": (by(-omegas(32)), "It turns backwards", "~As in"),
    "over d - 2": (by(1e4 ** (-np.arange(16) / 15)), "rotates over d - 2", "~As in", "~No problem"),
    "angles in float32": (
        lambda x, p: turned(x, np.outer(p.astype("f4"), omegas(32).astype("f4")), np.float64(1)),
        "its angles are as said only within what float32 rounds away",
        "~No problem",
    ),
}
BETWEEN = np.stack([np.interp(ROWS[:-1] / 2, ROWS, column) for column in sound().T], 1)
OTHER = np.random.default_rng(5).normal(size=(40, 16))
TABLES |= {
    "another base in float32": (
        lambda: waves(np.arange(256), omegas(64, 1e4 * 8 ** (64 / 62))).astype("f4"),
        "NTK-aware with factor 8",
        "~round",
    ),
    "half of the rows on lines": (lambda: BETWEEN, "each is on the straight line", "~as the reading"),
    "half of the columns": (
        lambda: np.hstack([sound()[:, :16], OTHER]),
        "Columns 16 to 31 are no part of the pairs",
        "10,000^(-2i/32)",
    ),
    "the other half": (
        lambda: np.hstack([OTHER, waves(ROWS, omegas(16))]),
        "Columns 0 to 15 are no part of the pairs",
        "10,000^(-2i/16)",
    ),
}
LINES |= {
    "a row that is missing": (
        lambda: np.delete(waves(np.arange(100), omegas(64)), 30, 0),
        "Rows 0 to 29 hold positions 0 to 29 and not 1 to 30",
        "Position 30 is missing before row 30.",
    ),
    "later rows that were not kept": (
        lambda: np.delete(waves(np.arange(100), omegas(64)), [70, 71], 0),
        "Rows 70 to 97 hold positions 72 to 99 and not 70 to 97",
        "~missing",
    ),
    "a row for padding": (
        lambda: halves(np.outer(ROWS, 1e4 ** (-np.arange(16) / 15))) * (ROWS != 1)[:, np.newaxis],
        "The convention of fairseq.",
        "~Whisper",
    ),
    "a frequency for each column": (
        lambda: np.where(
            np.arange(32) % 2, *(f(np.outer(ROWS, 1e4 ** (-np.arange(32) / 32))) for f in (np.cos, np.sin))
        ),
        "they are 1 and 0.7499; column j has 10,000^(-j/32).",
    ),
    "cut to bytes": (lambda: (127 * sound()).astype("i1"), "in integers cut toward zero"),
}
#: What was read, and parts of sentences that are to be said of it; or, after ~, that are not.
SAID = {
    **{
        name: (lambda make=make: diagnose(make()), *parts)
        for name, (make, *parts) in {**TABLES, **LINES}.items()
    },
    **{
        f"{name}, turned": (lambda rotate=rotate: diagnose_rope(rotate, 32), *parts)
        for name, (rotate, *parts) in FUNCTIONS.items()
    },
    "no base": (lambda: model("llama"), "rope_theta is missing: 10,000 is taken, as model type 'llama'"),
    "no longer than trained": (
        lambda: model("llama", max_position_embeddings=8192, rope_theta=5e5, rope_scaling=LLAMA3),
        "max_position_embeddings, 8,192, is no more than the trained length: 65,536 at most",
    ),
    "no base of another key": (lambda: model("dbrx", rope_theta=5e5), "base:        500,000", "~attn_config"),
    "a base of another key": (
        lambda: model("dbrx", attn_config={"rope_theta": 5e5}),
        "! The base is that of attn_config.rope_theta",
        "~by transformers",
    ),
    "a method that is refused": (
        lambda: model("phi3", rope_scaling={"type": "linear", "factor": 8.0}),
        "! transformers 5.24.0 refuses rope_type 'linear' for models of type 'phi3'",
        "by the file's own words",
    ),
    "LongRoPE by its first name": (
        lambda: model("phimoe", original_max_position_embeddings=2048, rope_scaling=SWAPPED | {"type": "su"}),
        "! The library knows LongRoPE as longrope, and no longer as su.",
    ),
    "LongRoPE by its first name, which Phi-3 still knows": (
        lambda: model("phi3", original_max_position_embeddings=2048, rope_scaling=SWAPPED | {"type": "su"}),
        "- For models of type 'phi3' rope_type 'su' is read as 'longrope'.",
        "~no longer as su",
    ),
    "YaRN without a factor": (
        lambda: model("llama", rope_theta=1e4, rope_scaling={k: v for k, v in YARN.items() if k != "factor"}),
        "! rope_scaling has no factor: 4 is taken, from the lengths; the library fails.",
    ),
    "axes of a film": (
        lambda: model("vjepa2"),
        "64 entries; which of them turn by what was not read",
        "~wavelengths",
        "~64 entries turn",
    ),
    "a part without its width": (
        lambda: from_config({"model_type": "llava", "text_config": {"model_type": "llama"}}),
        "all 128 entries turn",
        "- hidden_size is missing: 4,096 is taken, as model type 'llama' does.",
    ),
    "two stacks": (
        lambda: model("t5gemma", encoder=MODEL | {"rope_theta": 1e6}, decoder=MODEL | {"rope_theta": 1e4}),
        "base:        10,000",
        "- encoder has RoPE of its own, of which nothing is said here",
    ),
    "a base that is null": (
        lambda: model("llama", rope_theta=None),
        "! rope_theta is null, with which the library fails",
        "by the file's own words",
        "~missing",
    ),
    "entries that are null": (
        lambda: model("gptj", rotary_dim=None),
        "! rotary_dim is null, which the library refuses: 64 is taken.",
    ),
    "no entries": (
        lambda: model("gptj", n_positions=2048, rotary_dim=0),
        "4,096 at most",
        "No entry turns",
        "~not told",
    ),
    "lists exchanged": (
        lambda: model(
            "phi3",
            max_position_embeddings=131_072,
            original_max_position_embeddings=4096,
            rope_theta=1e4,
            rope_scaling=SWAPPED,
        ),
        "! long_factor has smaller numbers than short_factor",
        "positions, up to the trained length",
    ),
    "a sine is zero": (lambda: diagnose(changed(6, 0)), "Column 6 is zero"),
    "a cosine is zero": (lambda: diagnose(changed(7, 0)), "Column 7 is zero", "~different frequencies"),
    "clipped at nearly 1": (
        lambda: diagnose(np.clip(sound(), -0.99, 0.99)),
        "10,000^(-2i/32)",
        "clipped at 0.99",
        "~9,900",
    ),
    **{
        f"pair {pair} times {factor}": (
            lambda pair=pair, factor=factor: diagnose(waves(ROWS, odd_pair(pair, factor))),
            f"10,000^(-2i/32) but for pair {pair}, which has {factor:g} times that",
            "~slowed",
            "~1,000^",
        )
        for pair in (0, 7, 15)
        for factor in (0.9, 1.1)
    },
    **{
        f"pair {pair} times {factor}, turned": (
            lambda pair=pair, factor=factor: diagnose_rope(
                lambda x, p: turned(x, p, odd_pair(pair, factor)), 32
            ),
            f"10,000^(-2i/32) but for pair {pair}, which has {factor:g} times that",
            "~slowed",
            "~No problem",
        )
        for pair, factor in ((7, 1.1), (0, 2.0))
    },
    "zeros after a grid": (
        lambda: diagnose(grid_and_zeros()),
        "positions 0 to 7",
        "a grid of 8 by 6",
        "Rows 48 to 49 are zero",
        "~from 0 to 8",
    ),
    "periods of a year and a week": (
        lambda: diagnose(waves(DAYS, [1 / 365.25, 1 / 7])),
        "The frequencies rise",
        "~divided where",
    ),
    "printed with five digits": (
        lambda: diagnose([[float(f"{x:.4e}") for x in row] for row in waves(np.arange(30), omegas(8))]),
        "No problem found",
    ),
    "a row twice": (
        lambda: diagnose(np.insert(sound(), 3, sound()[3], 0)),
        "row 4 holds position 3",
        "~row 0 holds position -1",
    ),
    "a beginning that stands still": (
        lambda: diagnose(waves(np.maximum(ROWS - 3, 0), omegas(32))),
        "row 3 holds position 0",
        "~row 0 holds position -3",
    ),
    "down and up": (
        lambda: diagnose(waves(np.abs(np.arange(-12, 12)), omegas(32))),
        "Rows 0 to 12 are in reverse order: they hold 12 to 0",
        "~-11",
        "~was clipped",
    ),
    "up and down": (
        lambda: diagnose(waves([*range(12), *range(11, -1, -1)], omegas(32))),
        "Rows 12 to 23 repeat earlier rows.",
        "~clipped",
    ),
    **{
        f"rounded to {digits} decimals, from {start}": (
            lambda digits=digits, start=start: diagnose(
                np.round(waves(np.arange(start, start + 40), omegas(32)), digits)
            ),
            f"The entries {words}, so nothing is said of frequencies or positions.",
            "~layout",
            "~clipped",
            "~zero",
        )
        for digits, words in ((0, "are whole numbers"), (1, "have one decimal"))
        for start in (0, 500)
    },
    "three bits": (lambda: diagnose(three_bits()), "row 0 holds position 0.", "~0.00", "~whole"),
    **{
        f"{name} that are no line": (
            lambda angles=angles: diagnose(waves_of(angles)),
            "No reading that is tried explains the entries",
            "~base",
            "~uneven",
        )
        for name, angles in {
            "angles": np.random.default_rng(5).uniform(0, 2 * np.pi, (3, 6)).T,
            "hours": 2 * np.pi * np.stack([np.arange(200) % 24 / 24, np.arange(200) // 24 / 7], 1),
        }.items()
    },
    "days of the week and of the year": (
        lambda: diagnose(waves_of(np.stack([np.pi / 2 - DAYS / 7, DAYS / 365], 1))),
        "each sine has its cosine, but in no layout that is read",
        "~500,000",
        "~uneven",
        "~a minus",
    ),
    "three rows a position": (
        lambda: diagnose(waves(ROWS // 3, omegas(32))),
        "row 0 holds position 0, a step of 1 every 3 rows.",
        "~0.333",
        "~3 times",
    ),
    "steps of a degree": (
        lambda: diagnose(waves(np.arange(200) * np.pi / 180, omegas(32))),
        "steps of 0.01745329251",
    ),
    "scaled by a little": (lambda: diagnose(1.0005 * sound()), "is 1.0005^2 and not 1"),
    "bytes": (
        lambda: diagnose(np.round((sound() + 1) * 127.5).astype(np.uint8)),
        "Subtract 127.5, and divide by 127.5, and",
    ),
    "rounded to sixteenths": (
        lambda: diagnose(np.round(16 * sound()) / 16),
        "39 of 40 rows that were read are off",  # zeros and ones are sixteenths
        "the entry that is off most by 0.03 in a typical one, and by 0.032 at most",
        "~hands",
    ),
    "a frequency that is doubled": (
        lambda: diagnose(odd_pair(5, 2.0)),
        "do not fall in column 5",
        "~from column",
        "~Memory",
    ),
    "positions that skip one": (
        lambda: diagnose_rope(lambda x, p: turned(x, np.where(p >= 30, p + 1, p), omegas(32)), 32),
        "Position 30 is turned as position 31 should be.",
        "~0 as -1",
        "~no harm",
        "~As in",
    ),
    "the first of a batch is doubled": (
        lambda: diagnose_rope(first_of_a_batch, 32),
        "otherwise when others of the same position come with it",
        "~Something",
    ),
    "pairs by parts of the position": (
        lambda: diagnose_rope(rows_and_columns, 32),
        "from position 4 on",
        "~position 3",
    ),
    **{
        f"the base of {name} is written in": (
            lambda name=name: model(name, rope_theta=5e4, rope_scaling={"type": "linear", "factor": 2.0}),
            "base:        10,000",
            "the frequencies of the base",
            "rope_theta is the base of no layer",
            "rope_scaling is not",
            "~50,000",
        )
        for name in ("gptj", "codegen", "roformer")
    },
    **{
        f"{name} without attention": (
            lambda name=name: model(name, position_embedding_type="rope"),
            "layers: 4: 4 without RoPE",
        )
        for name in ("bamba", "granitemoehybrid")
    },
    "a block of two": (
        lambda: gemma(
            rope_parameters={"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}
        ),
        "10 sliding_attention, 2 full_attention",
        "base:        10,000",
        "~without RoPE",
        "~no block",
    ),
    "layers of no type": (
        lambda: gemma(layer_types=["fullattention"] * 12),
        "There is no block for layers of type 'fullattention'",
        "~layers: 12",
    ),
    "axes that the program has not": (
        lambda: model("qwen2", **MROPE),
        "! transformers 5.24.0 does not read mrope_section",
        "by the file's own words",
    ),
    "a part that belongs to latent attention": (
        lambda: model("llama", rope_theta=1e4, qk_rope_head_dim=32),
        "! transformers 5.24.0 does not read qk_rope_head_dim for models of type 'llama'",
        "by the file's own words",
    ),
    "pairs by a key of other types": (
        lambda: model("llama", rope_theta=1e4, rope_interleave=True),
        "! transformers 5.24.0 does not read rope_interleave for models of type 'llama'",
        "RoPE of a model of type llama, by transformers",
    ),
    "pairs by a key of other types, false": (
        lambda: model("cohere", rope_theta=1e4, rope_interleave=False),
        "! transformers 5.24.0 does not read rope_interleave for models of type 'cohere'",
        "RoPE of a model of type cohere, by transformers",
    ),
    "biases that the program has not": (
        lambda: model("llama", rope_theta=1e4, alibi=True),
        "! transformers 5.24.0 does not read alibi for models of type 'llama'",
        "by the file's own words",
    ),
    "a word for positions that the program does not know": (
        lambda: model("llama", rope_theta=1e4, position_embedding_type="absolute"),
        "! transformers 5.24.0 does not read position_embedding_type",
        "RoPE of a model of type llama, by transformers",
    ),
    "a method that is not for images": (
        lambda: model("pixtral", head_dim=64, rope_scaling={"rope_type": "linear", "factor": 4.0}),
        "- It is not recorded what transformers 5.24.0 does with rope_type 'linear' for models of type",
        "by the file's own words",
    ),
    "a size that is null": (
        lambda: model("llama", rope_theta=1e4, head_dim=64, hidden_size=None),
        "- What transformers 5.24.0 does with hidden_size, as told here, is not recorded.",
        "by the file's own words",
    ),
    "a size in quotation marks": (
        lambda: model("llama", rope_theta=1e4, head_dim=64, hidden_size="1024"),
        "- What transformers 5.24.0 does with hidden_size, as told here, is not recorded.",
        "by the file's own words",
    ),
    "a base in the block that is null": (
        lambda: model("llama", rope_parameters={"rope_type": "default", "rope_theta": None}),
        "- What transformers 5.24.0 does with rope_parameters.rope_theta, as told here, is not recorded.",
        "by the file's own words",
        "~as model type 'llama' does",
    ),
    "a method that is null": (
        lambda: model("llama", rope_parameters={"rope_type": None, "rope_theta": 1e4}),
        "does with rope_parameters.rope_type, as told here, is not recorded.",
        "by the file's own words",
    ),
    "blocks for types of layers in a type without them": (
        lambda: model(
            "llama",
            rope_parameters={"full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e4}},
        ),
        "does with rope_parameters, as told here, is not recorded.",
        "by the file's own words",
    ),
    "layers that the type does not have": (
        lambda: model("llama", rope_theta=1e4, layer_types=["full_attention", "mamba"] * 2),
        "does with layer_types, as told here, is not recorded.",
        "by the file's own words",
    ),
    "fewer types of layers than layers": (
        lambda: model("llama", rope_theta=1e4, layer_types=["full_attention"] * 3),
        "! layer_types has 3 entries for 4 layers",
        "by the file's own words",
    ),
    "sizes of heads layer by layer in a type without them": (
        lambda: model(
            "mellum", rope_theta=1e4, per_layer_config={str(i): {"head_dim": 64} for i in range(4)}
        ),
        "per_layer_config, as told here, is not recorded.",
        "by the file's own words",
    ),
    "a key of the block that nobody reads": (
        lambda: model("llama", rope_scaling={"rope_type": "linear", "factor": 4.0, "base": 5e5}),
        "- rope_scaling.base was not read.",
        "by the file's own words",
    ),
    "two bases": (
        lambda: model("cohere2_moe", rope_theta=1e4, rope_scaling=TWO_BASES),
        "! rope_theta is the base of no layer",
        "by the file's own words",
    ),
    "a type that the library has not": (
        lambda: model("internlm2", rope_theta=1e6),
        "- Model type 'internlm2' is not one of transformers 5.24.0",
        "by the file's own words",
    ),
    "a first name beside the present one": (
        lambda: model(
            "llama", rope_theta=1e4, rope_scaling={"rope_type": "linear", "type": "su", "factor": 4.0}
        ),
        "by the file's own words",
        "~no longer as su",
    ),
    "an odd number of entries under a method that counts turns": (
        lambda: model("glm4_moe", head_dim=66, partial_rotary_factor=0.5, rope_scaling=YARN),
        "33 entries are to turn, an odd number; 32 are read.",
        "by the file's own words",
    ),
    "pairs of layers under one number": (
        lambda: model("longcat_flash", head_dim=64, num_layers=4),
        "Which layers turn was not seen",
        "(guessed)",
    ),
    "a part that could not be tried": (
        lambda: model("pocket_tts", rope_theta=1e4, rotary_dim=32),
        "does with rotary_dim, as told here, is not recorded.",
        "by the file's own words",
    ),
    "a method that is refused, in a block that is passed over": (
        lambda: model("phi3", rope_parameters={"full_attention": LLAMA3 | {"rope_theta": 1e4}}),
        "by the file's own words",
        "~refuses",
    ),
    "a factor that is null": (
        lambda: model("llama", rope_parameters=YARN | {"factor": None, "rope_theta": 1e4}),
        "has no factor: 4 is taken, from the lengths.",
        "~fails",
    ),
    **{
        f"{key} of {name}": (
            lambda name=name, key=key: model(name, rope_theta=1e4, **{key: 512}),
            f"does with {key}, as told here, is not recorded.",
            "~does not read",
        )
        for name, key in (("dots3_note_text", "swa_head_dim"), ("qwen3_vl_moe_vision", "embed_dim"))
    },
    "a trained length that the type has by itself": (
        lambda: model("phi3", head_dim=64, rope_scaling=SWAPPED | {"original_max_position_embeddings": 1024}),
        "original_max_position_embeddings is 4096 where it is left out with model type 'phi3'",
    ),
    "what is recorded": (
        lambda: model("llama", rope_theta=1e4, head_dim=None),
        "of type llama, by transformers 5.24.0",
        "~not recorded",
        "~own words",
    ),
    "axes that it has": (lambda: model("qwen2_vl", **MROPE), "8, 12, 12 pairs", "~is not one of", "~!"),
    "a type without RoPE": (
        lambda: model("opt", rope_theta=1e4),
        "is not among the types with RoPE",
        "(guessed)",
        "by the file's own words",
        "~not known",
    ),
    "another name of the base": (lambda: model("llama", rotary_emb_base=500_000), "by the file's own words"),
    "mscale_all_dim is zero": (
        lambda: model("deepseek_v3", qk_rope_head_dim=64, qk_nope_head_dim=128, rope_scaling=MSCALE),
        "mscale_all_dim is 0 or missing",
        "~no mscale_all_dim",
    ),
    "a mask that is too short": (
        lambda: model("smollm3", num_hidden_layers=8, no_rope_layers=[1, 1, 1, 0]),
        "has 4 entries for 8 layers",
        "~layers: 8",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SAID)
def test_what_was_said_falsely_is_not_said_again(name):
    made, *parts = SAID[name]
    text = " ".join(str(made()).split())
    gone = [part[1:] for part in parts if part.startswith("~")]
    there = [" ".join(part.split()) for part in parts if not part.startswith("~")]
    assert parts
    assert [part for part in there if part not in text] == [], text
    assert [part for part in gone if part in text] == [], text


@pytest.mark.parametrize("name", TABLES)
def test_what_is_read_of_a_spoilt_table_rebuilds_it(name):
    table = TABLES[name][0]()
    reading = diagnose(table).reading
    if reading is None:
        assert name in ("a phase", "floored angles", "without signs")
        return
    told, kept = reading.rebuild(), np.setdiff1d(np.arange(len(table)), reading.rows_off)
    assert told.shape == table.shape
    assert len(kept) >= len(table) - 3
    known = list(reading.columns)
    of_itself, at_most = {"bfloat16": (2**-6, 6e-5), "float16": (2**-9, 6e-5), "8 bits": (0, 4e-3)}.get(
        reading.number_type, (1e-7, 6e-5)
    )
    np.testing.assert_allclose(
        told[np.ix_(kept, known)], table[np.ix_(kept, known)], rtol=of_itself, atol=at_most
    )


@pytest.mark.parametrize("base", [311_831.45201048546, 53_553_577.612239726])
def test_a_base_is_told_as_exactly_as_float64_tells_it(base):
    rotate, table = by(omegas(64, base)), waves(np.arange(200), omegas(64, base))
    reading = diagnose_rope(rotate, 64).reading
    assert reading.angles == "float64"
    assert np.abs(reading.rebuild() - rotate(*reading.probes)).max() < 1e-9
    for given in (table, omegas(64, base)):
        assert np.abs(diagnose(given).reading.rebuild() - given).max() < 1e-12


def test_a_problem_has_no_room_for_a_cause():
    (problem,) = diagnose(2 * sound()).problems
    assert list(vars(problem)) == ["kind", "text", "rows", "columns", "expected", "found"]
    assert str(problem) == problem.text


@pytest.mark.parametrize(("middle", "size"), [(0, 1e-6), (0, 1), (1, 0.1)])
def test_large_noise_is_seen_to_be_none_at_once(middle, size, monkeypatch):
    monkeypatch.setattr(read, "search", None)  # which would take long
    found = diagnose(np.random.default_rng(0).normal(middle, size, (300, 256)))
    assert found.reading is None
    assert found.kinds == ("unread",)


def test_tables_that_are_large_and_out_of_order_are_no_noise():
    order = np.random.default_rng(0).permutation(300)
    table = waves(np.arange(300), omegas(256))
    fast = waves(np.arange(300), np.linspace(3, 0.5, 128))  # in which no column stands still
    for one in (table[order], fast[order], table[:, np.random.default_rng(1).permutation(256)]):
        assert not read.is_noise(one)
    assert diagnose(table[order]).base == 10_000
    assert diagnose(table.T).kinds == ("transposed",)


def test_a_model_without_rope_and_without_its_keys_is_refused():
    with pytest.raises(ValueError, match="it has no key about RoPE, and model type 'jamba'"):
        model("jamba")


@pytest.mark.parametrize(
    "kind", ["3 decimals", "3 decimals, toward zero", "integers", "integers, toward zero"]
)
@pytest.mark.parametrize(("d", "rows", "step"), [(8, 20, 1.0), (64, 30, 0.25), (128, 50, 0.5)])
def test_a_reading_of_few_digits_rebuilds_them(kind, d, rows, step):
    unit = 1e-3 if "decimals" in kind else 1 / 127
    cut = np.trunc if kind.endswith("zero") else np.rint
    table = cut(waves(step * np.arange(rows), omegas(d)) / unit) * (unit if "decimals" in kind else 1)
    reading = diagnose(table).reading
    assert reading.number_type == kind
    told = reading.rebuild() / (unit if "decimals" in kind else 1)
    given = table / (unit if "decimals" in kind else 1)
    off = np.abs(told) - np.abs(given) if kind.endswith("zero") else told - given
    assert off.min() >= (-1e-3 if kind.endswith("zero") else -0.56)
    assert off.max() <= (1.01 if kind.endswith("zero") else 0.56)


def test_a_pipe_that_is_closed_ends_a_command_quietly(tmp_path):
    np.save(tmp_path / "table.npy", sound())
    command = [sys.executable, "-m", "posread", "diagnose", str(tmp_path / "table.npy")]
    ran = subprocess.Popen(command, cwd=CODE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ran.stdout.close()
    assert ran.stderr.read() == b""
    assert ran.wait() == 141
