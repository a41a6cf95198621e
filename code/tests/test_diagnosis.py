"""`diagnose` against tables written as loops from the formulas of public programs, sound and faulty."""

import math
import re

import numpy as np
import pytest

from posenc import diagnose, diagnose_rope
from posenc.rope import apply_rope

ROWS, D = 300, 64


def loop(angle, d=D, rows=ROWS, layout="interleaved", first="sin", start=0):
    """A table by two loops: `angle(p, i)` is the angle of pair i at position p."""
    table = np.zeros((rows, d))
    for row in range(rows):
        for i in range(d // 2):
            pair = math.sin(angle(row + start, i)), math.cos(angle(row + start, i))
            if first == "cos":
                pair = pair[::-1]
            columns = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d // 2)
            table[row, columns[0]], table[row, columns[1]] = pair
    return table


def vaswani(p, i, d=D, base=10_000):
    return p / base ** (2 * i / d)


def by_exponential(p, i):  # the Annotated Transformer's way of writing the same
    return p * math.exp(2 * i * -(math.log(10_000) / D))


def to_the_end(p, i, d=D, base=10_000):  # tensor2tensor, fairseq, Whisper: the last wavelength is 2 pi base
    return p * math.exp(-i * math.log(base) / (d // 2 - 1))


# Made when they are asked for. name: table, layout, first, denominator, base, first position
SOUND = {
    "Vaswani et al., section 3.5": lambda: (loop(vaswani), "interleaved", "sin", "d", 10_000, 0),
    "the Annotated Transformer, float32": lambda: (
        loop(by_exponential).astype(np.float32),
        *("interleaved", "sin", "d", 10_000, 0),
    ),
    "tensor2tensor, positions from 0": lambda: (
        loop(to_the_end, layout="halves"),
        "halves",
        "sin",
        "d-2",
        10_000,
        0,
    ),
    "fairseq, first token": lambda: (
        loop(to_the_end, layout="halves", start=2),
        *("halves", "sin", "d-2", 10_000, 2),
    ),
    "Whisper, float16 entries": lambda: (
        loop(lambda p, i: to_the_end(p, i, d=384), d=384, layout="halves").astype(np.float16),
        *("halves", "sin", "d-2", 10_000, 0),
    ),
    "guided diffusion, time steps": lambda: (
        loop(vaswani, layout="halves", first="cos"),
        "halves",
        "cos",
        "d",
        10_000,
        0,
    ),
    "DDPM, time steps": lambda: (loop(to_the_end, layout="halves"), "halves", "sin", "d-2", 10_000, 0),
    "MusicGen": lambda: (loop(to_the_end, layout="halves", first="cos"), "halves", "cos", "d-2", 10_000, 0),
    "MAE, one axis": lambda: (loop(vaswani, layout="halves", rows=14), "halves", "sin", "d", 10_000, 0),
    "RoPE angles of Llama 3": lambda: (
        loop(lambda p, i: vaswani(p, i, d=128, base=500_000), d=128, layout="halves", first="cos"),
        *("halves", "cos", "d", 500_000, 0),
    ),
    "a far beginning": lambda: (loop(vaswani, start=4096), "interleaved", "sin", "d", 10_000, 4096),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_tables(name):
    table, layout, first, denominator, base, start = SOUND[name]()
    found = diagnose(table)
    assert (found.layout, found.first, found.denominator, found.d_model) == (
        layout,
        first,
        denominator,
        table.shape[1],
    )
    assert found.base == pytest.approx(base, rel=1e-9)
    assert found.first_position == start
    assert found.problems == []
    assert "No problem found." in str(found)


def half(value, bits):
    """`value` to so many significant bits, ties to even, in exact integers."""
    if value == 0:
        return 0.0
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(mantissa * 2**bits), exponent - bits)


def padded(table, row):
    table = table.copy()
    table[row] = 0
    return table


def cut_off(table, limit):
    table = table.copy()
    table[limit:] = table[limit - 1]
    return table


PLAIN = loop(vaswani)
FAULTY = {
    "padding row": lambda: (padded(loop(to_the_end, layout="halves"), 1), ["Row 1 is zero"]),
    "clipped": lambda: (np.clip(PLAIN, -0.9, 0.9), ["clipped at 0.9"]),
    "clipped beyond reading": lambda: (np.clip(PLAIN, -0.4, 0.4), ["clipped at 0.4"]),
    "scaled by the square root of d": lambda: (PLAIN * 8, ["scaled: sin^2 + cos^2 is 8^2"]),
    "moved into [0, 1]": lambda: ((PLAIN + 1) / 2, ["moved and scaled"]),
    "positions in bfloat16": lambda: (
        loop(lambda p, i: vaswani(half(p, 8), i)),
        ["half precision from row 257 on: positions in bfloat16"],
    ),
    "positions in float16": lambda: (
        loop(lambda p, i: vaswani(half(p, 11), i), rows=2100),
        ["half precision from row 2049 on: positions in float16"],
    ),
    "angles in bfloat16": lambda: (
        loop(lambda p, i: half(vaswani(p, i), 8)),
        ["half precision from row 1 on: angles in bfloat16"],
    ),
    "frequencies in bfloat16": lambda: (
        loop(lambda p, i: p * half(vaswani(1, i), 8)),
        ["half precision from row 1 on: frequencies in bfloat16"],
    ),
    "a table that ends too early": lambda: (cut_off(PLAIN, 200), ["Rows 200 to 299 repeat"]),
    "positions that start again": lambda: (
        np.concatenate([PLAIN[:150], PLAIN[:150]]),
        ["Rows 150 to 299 repeat"],
    ),
    "one row spoilt": lambda: (
        np.where(np.arange(ROWS)[:, None] == 77, -PLAIN, PLAIN),
        ["Row 77 is off the line"],
    ),
    "rows in reverse": lambda: (PLAIN[::-1], ["reverse order"]),
    "a zero column for an odd width": lambda: (
        np.pad(loop(lambda p, i: to_the_end(p, i, d=6), d=6, layout="halves"), [(0, 0), (0, 1)]),
        ["Column 6 is zero"],
    ),
    "an odd width": lambda: (PLAIN[:, :-1], ["odd"]),
    "positions divided by four": lambda: (loop(lambda p, i: vaswani(p / 4, i)), ["0.25 positions apart"]),
    "half a position late": lambda: (
        loop(lambda p, i: vaswani(p + 0.5, i)),
        ["0.5, which is not a whole number"],
    ),
    "the index doubled twice": lambda: (loop(lambda p, i: p / 10_000 ** (4 * i / D)), ["base is 10^8"]),
    "a cosine of its own frequency": lambda: (
        np.stack(
            [
                [(math.cos if j % 2 else math.sin)(p / 10_000 ** (j / D)) for j in range(D)]
                for p in range(ROWS)
            ]
        ),
        ["not a sinusoidal encoding", "different frequencies"],
    ),
    "columns shuffled": lambda: (
        PLAIN[:, np.random.default_rng(1).permutation(D)],
        ["not a sinusoidal encoding", "another order"],
    ),
    "a learned table": lambda: (
        np.random.default_rng(2).normal(size=(100, D)),
        ["not a sinusoidal encoding"],
    ),
    "the index itself": lambda: (np.arange(100.0)[:, None] * np.ones(8), ["not a sinusoidal encoding"]),
    "all zero": lambda: (np.zeros((9, 8)), ["not a sinusoidal encoding"]),
    "random frequencies": lambda: (
        loop(lambda p, i: p * (1 + math.sin(1000 * i**2))),
        ["do not form a geometric progression"],
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_tables(name):
    table, sentences = FAULTY[name]()
    found = diagnose(table)
    text = "\n".join(found.problems)
    assert all(sentence in text for sentence in sentences), text
    assert " ".join(f"- {problem}" for problem in found.problems) in " ".join(str(found).split())
    assert max(map(len, str(found).splitlines())) <= 90  # more is cut on the page


@pytest.mark.parametrize(
    "name", ["clipped", "padding row", "positions in bfloat16", "frequencies in bfloat16", "rows in reverse"]
)
def test_a_fault_does_not_hide_the_conventions(name):
    found = diagnose(FAULTY[name]()[0])
    assert (found.base, found.first_position, found.first) == (10_000, 0, "sin")
    assert len(found.problems) == 1


@pytest.mark.parametrize("start", [0, 100])
@pytest.mark.parametrize("d", [4, 8, 128])
@pytest.mark.parametrize("base", [100, 10_000, 1_000_000])
def test_bases_over_d(d, base, start):
    found = diagnose(loop(lambda p, i: vaswani(p, i, d=d, base=base), d=d, rows=40, start=start, first="cos"))
    assert (found.base, found.denominator, found.problems) == (pytest.approx(base), "d", [])
    assert (found.first, found.first_position) == ("cos", start)


def test_one_pair_has_no_base():
    found = diagnose(loop(vaswani, d=2))
    assert (found.layout, found.base, found.denominator, found.first_position) == (
        "interleaved",
        None,
        None,
        0,
    )


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (np.zeros(8), ValueError, r"table must have the shape .*, got \(8,\)"),
        (np.zeros((2, 8)), ValueError, r"got \(2, 8\)"),
        (np.full((4, 4), np.nan), ValueError, "table must be finite, got nan"),
        (np.full((4, 4), "x"), TypeError, "table must be real numbers"),
    ],
)
def test_bad_input(table, error, message):
    with pytest.raises(error, match=message):
        diagnose(table)


def test_the_report_is_short():
    report = str(diagnose(PLAIN))
    assert len(report.splitlines()) == 3
    assert re.search(r"10,000\^\(-2i/d\)", report)


def turning(angle, layout="interleaved", d=D, turned=D):
    """A function that rotates, entry by entry: `angle(p, i)` for pair i; `turned` entries of `d`."""
    half = turned // 2
    places = [(2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + half) for i in range(half)]

    def rotate(vectors, positions):
        result = np.array(vectors)
        for row, p in enumerate(positions):
            for i, (one, two) in enumerate(places):
                sin, cos = math.sin(angle(p, i)), math.cos(angle(p, i))
                x, y = vectors[row, one], vectors[row, two]
                result[row, one], result[row, two] = x * cos - y * sin, x * sin + y * cos
        return result

    return rotate


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("base", [10_000, 500_000])
def test_sound_rope(layout, base):
    found = diagnose_rope(turning(lambda p, i: vaswani(p, i, d=16, base=base), layout, d=16, turned=16), 16)
    assert (found.layout, found.base, found.denominator, found.problems) == (layout, base, "d", [])
    assert str(found) == f"RoPE, 16 entries, {layout}, base {base:,}.\n- No problem found."


def mixed_layouts(vectors, positions):
    """Angles repeated for neighbors, entries swapped for halves."""
    half = vectors.shape[1] // 2
    angles = np.repeat(np.outer(positions, 10_000 ** (-np.arange(half) / half)), 2, axis=1)
    swapped = np.concatenate([-vectors[:, half:], vectors[:, :half]], axis=1)
    return vectors * np.cos(angles) + swapped * np.sin(angles)


UNSOUND = {
    "two layouts mixed": (mixed_layouts, "halves", ["Lengths change", "Scores depend", "different angles"]),
    "backwards": (turning(lambda p, i: -vaswani(p, i)), "interleaved", ["backwards"]),
    "a quarter of a head": (
        turning(lambda p, i: vaswani(p, i, d=16), "halves", turned=16),
        "halves",
        ["Only the first 16 entries"],
    ),
    "slow pairs left alone": (
        lambda x, p: apply_rope(x, p, omega=(np.arange(32) < 8) * 1.0, layout="halves"),
        "halves",
        ["Only 16 of the 64 entries"],
    ),
    "positions in bfloat16": (
        turning(lambda p, i: vaswani(half(p, 8), i)),
        "interleaved",
        ["Scores depend on more than the distance, from positions 256 on", "from row 257 on"],
    ),
    "nothing turned": (lambda x, p: x, None, ["No entry is turned"]),
    "entries at random": (
        lambda x, p: np.where(p[:, None] > 0, x[:, np.random.default_rng(3).permutation(D)], x),
        None,
        ["form no pairs"],
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_rope(name):
    rotate, layout, sentences = UNSOUND[name]
    found = diagnose_rope(rotate, D, n_positions=260 if "bfloat16" in name else 40)
    text = "\n".join(found.problems)
    assert found.layout == layout
    assert all(sentence in text for sentence in sentences), text
    assert len(found.problems) == len(sentences) + (layout is None and name != "nothing turned"), text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((lambda x, p: x[:, :4], 8), r"rotate must return the shape \(8, 8\), got \(8, 4\)"),
        ((lambda x, p: x, 7), "d_model must be an even integer"),
        ((lambda x, p: x, 8, 2), "n_positions must be an integer from 3"),
    ],
)
def test_bad_rope_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        diagnose_rope(*arguments)
