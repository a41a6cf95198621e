"""`diagnose` and `diagnose_rope` on what people report: tables, functions, and what is to be said of them."""

import math

import numpy as np
import pytest

from posenc.context import yarn, yarn_scale
from posread import diagnose, diagnose_rope

ROWS = range(100)


def omegas(d, base=10_000.0):
    return [base ** (-2 * i / d) for i in range(d // 2)]


def waves(places, omega, layout="halves", first="sin"):
    """A table, entry by entry, with a row for each position."""
    table = []
    for p in places:
        sines, cosines = [math.sin(p * w) for w in omega], [math.cos(p * w) for w in omega]
        one, two = (sines, cosines) if first == "sin" else (cosines, sines)
        table.append(
            one + two if layout == "halves" else [x for pair in zip(one, two, strict=True) for x in pair]
        )
    return np.array(table)


def grid(*counts):
    """Coordinates of the cells of a box, the last one fastest."""
    return [list(axis) for axis in zip(*np.ndindex(*counts), strict=True)]


def axes(counts, widths, layout, base=10_000.0):
    """A table with so many columns for each coordinate."""
    parts = [
        waves(places, omegas(width, base), layout)
        for places, width in zip(grid(*counts), widths, strict=True)
    ]
    return np.concatenate(parts, axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("layout", ["halves", "interleaved"])
@pytest.mark.parametrize(
    ("counts", "widths"),
    [((14, 14), (16, 48)), ((9, 12), (40, 24)), ((8, 10, 12), (44, 42, 42)), ((4, 9, 16), (32, 48, 48))],
    ids=str,
)
def test_axes_of_different_widths_are_read(counts, widths, layout, kind):
    found = diagnose(axes(counts, widths, layout).astype(kind))
    assert found.sound, str(found)
    assert found.layout == ("quarters" if layout == "halves" else "interleaved")
    assert [len(axis.frequencies.values) for axis in found.reading.axes] == [w // 2 for w in widths]
    for axis, count, width in zip(found.reading.axes, counts, widths, strict=True):
        assert (axis.frequencies.base, axis.frequencies.over) == (10_000, width)
        assert (axis.positions.first, axis.positions.last) == (0, count - 1)
    assert not found.reading.programs, "no program that is known divides so"


@pytest.mark.slow
def test_a_spoilt_row_of_such_axes_is_named():
    table = axes((8, 10, 12), (44, 42, 42), "halves")
    table[77] *= -1
    found = diagnose(table)
    assert found.kinds == ("rows-off",)
    assert found.problems[0].rows == (77,)


@pytest.mark.parametrize("twice", ["halves", "interleaved"])
@pytest.mark.parametrize("wave", ["sin", "cos"])
@pytest.mark.parametrize("scale", [1.1386, 1.3466, 0.5])
def test_a_scaled_cache_is_read(wave, twice, scale):
    """YaRN multiplies cosines and sines."""
    once = np.array([[getattr(math, wave)(p * w) for w in omegas(64)] for p in ROWS])
    table = scale * (np.concatenate([once, once], 1) if twice == "halves" else np.repeat(once, 2, axis=1))
    found = diagnose(table)
    assert found.kinds == ("scaled",), str(found)
    assert (found.layout, found.first, found.base) == ("caches", wave, 10_000)
    assert found.reading.scale == pytest.approx(scale, rel=1e-6)


@pytest.mark.parametrize("missing", [0, 1])
def test_one_half_of_each_pair_was_never_filled_in(missing):
    table = waves(ROWS, omegas(64), "interleaved")
    table[:, missing::2] = 0
    found = diagnose(table)
    assert found.kinds == ("zero-columns",), str(found)
    assert found.problems[0].columns == tuple(range(missing, 64, 2))
    assert (found.first, found.base) == ("cos" if missing == 0 else "sin", 10_000)


def test_entries_whose_mean_was_taken_away_are_read_exactly():
    table = waves(ROWS, omegas(64), "interleaved")
    found = diagnose(table - table.mean())
    assert found.kinds == ("shifted",), str(found)
    assert (found.base, found.reading.shift) == (10_000, pytest.approx(-table.mean(), abs=1e-7))


@pytest.mark.slow
@pytest.mark.parametrize("count", [50, 128, 150, 200])
@pytest.mark.parametrize("corners", [True, False])
def test_rows_that_were_interpolated_are_read_as_they_were_made(count, corners):
    table = waves(ROWS, omegas(64), "interleaved")
    cells = ((np.arange(count) + 0.5) * 100 / count - 0.5).clip(0, 99)
    places = np.linspace(0, 99, count) if corners else cells
    finer = np.array([np.interp(places, ROWS, column) for column in table.T]).T.astype(np.float32)
    found = diagnose(finer)
    assert "noise" in found.kinds
    assert not {"rows-out-of-place", "rows-off"} & set(found.kinds), str(found)
    assert np.abs(found.reading.rebuild() - finer).max() < 1e-6
    assert np.allclose(found.reading.axes[0].positions.at(np.arange(count)), places, 0, 1e-9)


def test_what_smoothing_leaves_is_called_no_noise():
    """Rows between others by a cubic curve, as images are drawn out."""
    table, cells = waves(ROWS, omegas(64), "interleaved"), (np.arange(50) + 0.5) * 2 - 0.5
    low = np.floor(cells).astype(int)
    weights = {-1: -0.09375, 0: 0.59375, 1: 0.59375, 2: -0.09375}
    made = sum(weight * table[np.clip(low + k, 0, 99)] for k, weight in weights.items())
    assert diagnose(made).kinds == ("unread",)


def test_a_noisy_table_is_not_moved_to_a_whole_position():
    noise = np.random.default_rng(0).normal(0, 0.015, (60, 256))
    found = diagnose(waves(0.75 * np.arange(60) - 0.056, omegas(256)) + noise)
    assert found.reading.axes[0].positions.first == pytest.approx(-0.056, abs=0.01)


@pytest.mark.parametrize(("base", "width", "cut"), [(1e4, 64, 20), (5e5, 64, 20), (1e4, 512, 8)])
@pytest.mark.parametrize("digits", [4, 17])
def test_the_first_columns_of_a_wider_table_are_read_by_its_base(base, width, cut, digits):
    found = diagnose(np.round(waves(range(40), omegas(width, base), "interleaved")[:, :cut], digits))
    assert (found.base, found.reading.axes[0].frequencies.over) == (base, width)
    assert f"its columns are as the first of {width} are" in " ".join(str(found).split())


@pytest.mark.parametrize(("times", "words"), [(1.0, "not multiplied by YaRN's 1.13"), (0.0, "times 1.13")])
def test_the_factor_of_yarn_in_a_table_is_said(times, words):
    angles = np.outer(np.arange(200), yarn(64, 4.0, 1e4, length=8192, ramp="pairs"))
    times = times or yarn_scale(4.0)
    found = diagnose(times * np.concatenate([np.cos(angles), np.sin(angles)], 1))
    assert found.sound
    assert words in " ".join(str(found).split())


def test_the_end_of_time_steps_is_zero():
    found = diagnose(waves(np.linspace(999, 0, 30).tolist(), omegas(64), first="cos"))
    assert found.reading.axes[0].positions.last == 0


@pytest.mark.parametrize(("factor", "times"), [(2, 2.44140625), (4, 1.3), (2, 1.5), (2, 3.0)])
@pytest.mark.parametrize("d", [64, 128])
def test_dynamic_ntk_is_read_as_the_ntk_aware_that_it_equals(d, factor, times):
    """From frequencies alone nobody can tell which of the two it was."""
    alpha = factor * times - (factor - 1)
    omega = omegas(d, 10_000 * alpha ** (d / (d - 2)))
    for found in (diagnose(np.array(omega)), diagnose_rope(lambda x, p: turned(x, p, omega), d)):
        assert found.sound, str(found)
        assert "NTK-aware" in str(found.reading.axes[0].frequencies)
    assert "NTK" not in str(diagnose(np.array(omegas(d, 500_000))))
    assert "NTK" not in str(diagnose(np.array(omegas(d, 150_000))))


def turned(x, p, omega, sign=1):
    """Halves, turned."""
    half = x.shape[1] // 2
    angle = sign * np.multiply.outer(p, omega)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([x[:, :half] * cos - x[:, half:] * sin, x[:, :half] * sin + x[:, half:] * cos], 1)


OMEGA = omegas(64)


def neighbors_in_halves_out(x, p):
    return turned(np.concatenate([x[:, 0::2], x[:, 1::2]], 1), p, OMEGA)


def of_a_length(x, p):
    """Dynamic NTK, whose frequencies follow the longest position of the call."""
    alpha = max(2 * (p.max() + 1) / 40 - 1, 1)
    return turned(x, p, omegas(64, 10_000 * alpha ** (64 / 62)))


REPORTED = {
    "added in place of turned": (lambda x, p: x + waves(p.tolist(), OMEGA), {"added"}),
    "the mean of a call taken away": (lambda x, p: turned(x - x.mean(0), p, OMEGA), {"positions-confused"}),
    "frequencies of the longest position": (of_a_length, {"positions-confused"}),
    "applied twice": (lambda x, p: turned(turned(x, p, OMEGA), p, OMEGA), {"step"}),
    "degrees": (lambda x, p: turned(x, np.degrees(p), OMEGA), {"step"}),
    "neighbors in, halves out": (neighbors_in_halves_out, {"entries-permuted"}),
    "entries in reverse order": (lambda x, p: turned(x[:, ::-1], p, OMEGA), {"entries-permuted"}),
    "positions from the first of each call": (
        lambda x, p: turned(x, p - p[0], OMEGA),
        {"positions-confused"},
    ),
    "by the row": (lambda x, p: turned(x, np.arange(len(x)), OMEGA), {"positions-ignored"}),
    "a table that ends": (lambda x, p: turned(x, np.minimum(p, 2047), OMEGA), {"rows-out-of-place"}),
    "transposed": (lambda x, p: turned(x, p, OMEGA, -1), {"sign"}),
    "one too far": (lambda x, p: turned(x, p + 1, OMEGA), {"start"}),
}


@pytest.mark.parametrize(("rotate", "kinds"), REPORTED.values(), ids=REPORTED)
def test_functions_as_they_are_reported(rotate, kinds):
    found = diagnose_rope(rotate, 64)
    assert set(found.kinds) == kinds, str(found)


#: A norm's weights, before the rotation and after, and what is neither them nor two layouts mixed.
WEIGHTS = [0.5 + i / 32 for i in range(64)]


@pytest.mark.parametrize(
    ("rotate", "words"),
    [
        (lambda x, p: turned(x * WEIGHTS, p, OMEGA), "multiplied by different numbers"),
        (lambda x, p: turned(x, p, OMEGA) * WEIGHTS, "multiplied by different numbers"),
        (lambda x, p: turned(x, p, OMEGA) * (np.arange(64) % 5 > 0), "not one rotation"),
        (lambda x, p: turned(x, p, OMEGA) + 0.2 * x[:, ::-1] * (p[:, None] > 0), None),
    ],
    ids=["before", "after", "entries lost", "mixed with others"],
)
def test_what_else_tears_pairs_is_not_taken_for_mixed_layouts(rotate, words):
    found = diagnose_rope(rotate, 64)
    assert not found.sound
    assert "layout" not in " ".join(problem.text for problem in found.problems)
    assert words is None or words in " ".join(str(found).split())


def test_frequencies_at_random_do_not_come_from_the_column_s_index():
    """Columns of sines and cosines whose frequencies have nothing to do with each other."""
    rng = np.random.default_rng(3)
    line = np.linspace(0, 1, 100)[:, np.newaxis]
    table = np.hstack([np.cos(line * rng.normal(0, 10, 32)), np.sin(line * rng.normal(0, 10, 32))])
    assert "number of the column" not in str(diagnose(table))


@pytest.mark.slow
def test_the_factors_of_longrope_are_told_beside_the_first():
    """The first pair is slowed as well, by 1.07: from frequencies alone nobody sees by how much."""
    factors = [1.07 * (1 + 60 * (i / 47) ** 2) for i in range(48)]
    omega = [w / f for w, f in zip(omegas(96), factors, strict=True)]
    ratio = f"last {61:.4g} times"
    cosines = np.cos(np.tile(np.multiply.outer(np.arange(300), omega), 2))
    line, cache, function = (
        diagnose(np.array(omega)),
        diagnose(cosines),
        diagnose_rope(lambda x, p: turned(x, p, omega), 96),
    )
    assert all(one.sound for one in (line, cache, function)), f"{line}\n{cache}\n{function}"
    assert ratio in " ".join(str(line).split())
    assert ratio in " ".join(str(function).split())


def test_pairs_at_rest_at_the_end_of_a_line_of_frequencies():
    """Rope type `proportional`: `inv_freq` is filled up with zeros."""
    found = diagnose(np.array([*omegas(512, 1e6)[:64], *[0.0] * 192]))
    assert found.sound
    assert "192 pairs at rest" in str(found)
    assert found.reading.columns == tuple(range(64))
    assert (found.base, found.reading.axes[0].frequencies.over) == (1e6, 512)


def test_two_encodings_side_by_side_are_not_said_to_be_permuted():
    rows = range(200)
    table = np.hstack([waves(rows, omegas(64)), waves(rows, omegas(32))])
    assert "in no layout that is read" in " ".join(str(diagnose(table)).split())


def test_rows_of_other_frequencies_are_not_said_to_encode_nothing():
    rows = list(range(200))
    table = np.vstack([waves(rows[:100], omegas(64)), waves(rows[100:], omegas(64, 2e4))])
    found = diagnose(table)
    assert "rows-off" in found.kinds
    assert "not as the reading says" in " ".join(str(found).split())


def test_halves_within_each_half_are_not_called_halves():
    def rotate(x, p):
        return np.hstack([turned(x[:, :32], p, omegas(32)), turned(x[:, 32:], p, omegas(32))])

    assert diagnose_rope(rotate, 64).layout == "quarters"
    assert diagnose_rope(lambda x, p: turned(x, p, OMEGA), 64).layout == "halves"


def test_only_pairs_that_were_taken_apart_are_said_to_have_been():
    apart, back = (
        diagnose_rope(REPORTED[name][0], 64)
        for name in ("neighbors in, halves out", "entries in reverse order")
    )
    assert "Pairs come in as" in apart.problems[0].text
    assert "come in" not in back.problems[0].text


def neighbors(x, p, omega):
    """Neighbors, turned, entry by entry."""
    result = np.array(x, dtype=float)
    for row, place in enumerate(p.tolist()):
        for i, w in enumerate(omega):
            one, two = float(x[row, 2 * i]), float(x[row, 2 * i + 1])
            cos, sin = math.cos(place * w), math.sin(place * w)
            result[row, 2 * i], result[row, 2 * i + 1] = one * cos - two * sin, one * sin + two * cos
    return result


def in_place(one, two, first):
    """Both entries are written where they are read, this one first."""

    def rotate(x, p):
        x, angle = x.copy(), np.multiply.outer(p, OMEGA)
        cos, sin = np.cos(angle), np.sin(angle)
        for which in (0, 1) if first == "first" else (1, 0):
            if which == 0:
                x[:, one] = x[:, one] * cos - x[:, two] * sin
            else:
                x[:, two] = x[:, two] * cos + x[:, one] * sin
        return x

    return rotate


@pytest.mark.parametrize("first", ["first", "second"])
@pytest.mark.parametrize(
    ("one", "two"),
    [(slice(32), slice(32, None)), (slice(0, None, 2), slice(1, None, 2))],
    ids=["halves", "neighbors"],
)
def test_an_entry_that_is_overwritten_too_early_is_named(one, two, first):
    found = diagnose_rope(in_place(one, two, first), 64)
    assert found.kinds == ("lengths-change", "pairs-torn")
    other = "second" if first == "first" else "first"
    assert (
        f"The {other} entry of each pair is computed from the new value of the {first}"
        in found.problems[1].text
    )
    assert "layout" not in str(found)


def test_angles_of_their_own_are_not_taken_for_mixed_layouts():
    """Each entry by a frequency of its own, as where the index of the column is used."""
    omega = [10_000 ** (-j / 64) for j in range(64)]

    def rotate(x, p):
        angle = np.multiply.outer(p, omega)
        return x * np.cos(angle) + np.concatenate([-x[:, 32:], x[:, :32]], 1) * np.sin(angle)

    found = diagnose_rope(rotate, 64)
    assert found.kinds == ("lengths-change", "pairs-torn")
    assert "layout" not in str(found)


def test_neighbors_in_and_halves_out_are_read_and_named():
    """As `apply_rotary_pos_emb_interleave` of the library transformers, here also of a slice of the head."""
    found = diagnose_rope(neighbors_in_halves_out, 64)
    assert (found.layout, found.base, found.kinds) == ("interleaved", 10_000, ("entries-permuted",))
    assert "interleaved in and halves out" in str(found)
    assert "DeepSeek-V3" in str(found)
    sliced = diagnose_rope(lambda x, p: np.hstack([x[:, :128], neighbors_in_halves_out(x[:, 128:], p)]), 192)
    assert (sliced.layout, sliced.reading.columns) == ("interleaved", tuple(range(128, 192)))

    def back(x, p):
        y = turned(x, p, OMEGA)
        return np.array([[row[j // 2 + 32 * (j % 2)] for j in range(64)] for row in y])

    found = diagnose_rope(back, 64)
    assert (found.layout, found.kinds) == ("halves", ("entries-permuted",))
    assert "halves in and interleaved out" in str(found)
    backwards = diagnose_rope(lambda x, p: neighbors_in_halves_out(x, -p), 64)
    assert set(backwards.kinds) == {"entries-permuted", "sign"}


@pytest.mark.parametrize(
    ("places", "forms"),
    [
        ((lambda p: p // 8, lambda p: p % 8), ("p // 8", "p % 8")),
        ((lambda p: p % 14, lambda p: p // 14), ("p % 14", "p // 14")),
        ((lambda p: p // 64, lambda p: p // 8 % 8, lambda p: p % 8), ("p // 64", "p // 8 % 8", "p % 8")),
    ],
    ids=["rows", "columns", "video"],
)
def test_coordinates_that_a_position_is_divided_into_are_named(places, forms):
    def rotate(x, p):
        return np.hstack(
            [neighbors(x[:, 32 * i : 32 * i + 32], place(p), omegas(32)) for i, place in enumerate(places)]
        )

    found = diagnose_rope(rotate, 32 * len(places))
    assert found.kinds == ("not-relative",), str(found)
    assert found.problems[0].found == forms
    assert len(found.reading.columns) == 32 * len(places)
    assert "like others" not in str(found)


def test_a_set_of_pairs_that_stops_is_told_from_one_that_goes_on():
    def rotate(x, p):
        return np.hstack([turned(x[:, :32], np.minimum(p, 7), omegas(32)), turned(x[:, 32:], p, omegas(32))])

    found = diagnose_rope(rotate, 64)
    assert found.kinds == ("not-relative",)
    assert "set 1" in str(found)


def test_positions_that_are_turned_like_others_are_those_that_are():
    found = diagnose_rope(lambda x, p: turned(x, np.where(p > 2, p // 2, p), OMEGA), 64)
    assert "not-relative" in found.kinds
    assert "1 as 1" not in str(found)


def test_what_is_not_finite_is_said_to_be_so_of_zeros():
    with pytest.raises(ValueError, match="nan for a vector of zeros at position 1"):
        diagnose_rope(lambda x, p: turned(np.where(x.any(1, keepdims=True), x, np.nan), p, OMEGA), 64)


def test_no_convention_is_named_for_another_first_frequency():
    found = diagnose(waves([0.1 * p for p in ROWS], omegas(64), "interleaved"))
    assert found.kinds == ("step",)
    assert found.reading.programs == ()
    assert diagnose_rope(lambda x, p: turned(x, p / 0.7, OMEGA), 64).reading.programs == ()


def test_cosines_beside_sines_may_be_a_cache_of_rope():
    found = diagnose(waves(ROWS, omegas(64), first="cos"))
    assert any("cache of RoPE" in program for program in found.reading.programs)


def test_neighbors_in_and_halves_out_are_read_with_yarn_s_factor():
    found = diagnose_rope(lambda x, p: 1.25 * neighbors_in_halves_out(x, p), 64)
    assert set(found.kinds) == {"entries-permuted", "scaled"}
    assert found.layout == "interleaved"


def test_sets_of_different_bases_are_both_named():
    def rotate(x, p):
        return np.hstack([turned(x[:, :32], p, omegas(32)), turned(x[:, 32:], p, omegas(32, 1e6))])

    told = " ".join(str(diagnose_rope(rotate, 64)).split())
    assert "base 10,000 over 32" in told
    assert "base 1,000,000 over 32" in told


@pytest.mark.parametrize("harmonics", [1, 2, 4])
@pytest.mark.parametrize("hours", [20, 24, 36, 48])
def test_hours_in_reverse_end_at_0(harmonics, hours):
    """Midnight is the last row, whatever the period; the sine is not negated for that, nor cosines first."""
    turns = 2 * np.pi / 24 * np.outer(np.arange(hours)[::-1], np.arange(1, harmonics + 1))
    found = diagnose(np.stack([np.sin(turns), np.cos(turns)], axis=-1).reshape(hours, -1))
    assert not {"sign", "start"} & set(found.kinds)
    assert found.first == "sin"
    assert abs(found.reading.axes[0].positions.last) < 1e-9
    assert harmonics == 2 or "reversed" in found.kinds  # two are octaves, for which no order is told


@pytest.mark.slow
def test_noisy_copies_are_no_line_that_is_slowed_pair_by_pair():
    noise = np.random.default_rng(0).normal(0, 0.003, (100, 512))
    found = diagnose(np.hstack([waves(ROWS, omegas(256), "interleaved")] * 2) + noise)
    assert found.kinds == ("noise",)
    assert [axis.frequencies.base for axis in found.reading.axes] == [10_000] * 2
