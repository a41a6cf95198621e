"""Every sentence of a report, for the rows of a table and for the positions of a function.

A sentence is a function of values that returns a :class:`Problem`; what is to be said is decided in `rules`.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.bases import ROUND, roundness
from posread.problem import Kind, Problem
from posread.rebuild import CUT, Index

if TYPE_CHECKING:  # these print as the sentences here
    from posread.reading import Afterwards, Axis, Diagnosis, Frequencies, Positions, Reading
    from posread.rope.read import RopeDiagnosis

#: Numbers in sentences have so many digits; those that a reading is rebuilt from have as many as they need.
FEW, ENOUGH = 6, 17


# Numbers and names


def number(value: float | None, digits: int = ENOUGH) -> str:
    """A number as people write it: 1,000,000 and 0.25."""
    if value is None:
        return "?"
    if value and (abs(value) >= 1e15 or abs(value) < 1e-4):
        enough = 15 if float(f"{value:.15g}") == value else ENOUGH
        return f"{value:.{FEW if digits == FEW else enough}g}"
    if float(value).is_integer():
        return f"{int(value):,}"
    if digits == ENOUGH:
        digits = next((n for n in range(1, 17) if float(f"{value:.{n}g}") == value), ENOUGH)
    places = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    return f"{value:,.{places}f}".rstrip("0").rstrip(".") if places else f"{value:,.0f}"


def short(value: float) -> str:
    """A number to six digits."""
    return number(value, FEW)


def formula(base: float, over: float | None, begin: float = 0.0) -> str:
    """The frequencies as a formula."""
    if abs(base - 2) < 1e-12 and over == 2:
        return "2^-i"
    if base < 1:  # they rise
        return f"{number(_reciprocal(base))}^(+2i/{number(over)})"
    return f"{number(base)}^(-2i/{number(over)})" + (f", i from {number(begin)} on" if begin else "")


def _reciprocal(base: float) -> float:
    near = round(1 / base)
    return float(near) if near and abs(near * base - 1) < 1e-12 else 1 / base


def listed(words: Iterable[str]) -> str:
    """One or more words, one after the other: a; a and b; a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def spans(numbers: Iterable[int]) -> str:
    """Numbers in words: 3; 3 to 7; 0 to 7 and 32 to 39; 1, 5, 9 and 12 more."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    parts = [str(a) if a == b else f"{a} to {b}" for a, b in runs]
    if len(parts) > 3:
        parts = [*parts[:3], f"{sum(b - a + 1 for a, b in runs[3:])} more"]
    return listed(parts) if parts else ""


def few(rows: Index) -> tuple[int, ...]:
    """Row numbers as data; of very many only the first thousand."""
    return tuple(rows[:1000].tolist())


def subject(what: str, numbers: Sequence[int], verb: str = "are") -> str:
    """Rows or columns by their numbers with a verb, as a sentence begins: Row 3 is; Columns 4 to 7 are."""
    one = {"are": "is", "have": "has"}.get(verb, f"{verb}s")
    return f"{what} {spans(numbers)} {one}" if len(numbers) == 1 else f"{what}s {spans(numbers)} {verb}"


# Readings


def frequencies(names: Frequencies) -> str:
    """Frequencies in words."""
    plain = {"one": "one pair, so any base", "equal": "all frequencies equal"}
    if names.law in plain:
        return f"{plain[names.law]}{names.detail}"
    known = "" if names.base is None else formula(names.base, names.over, names.begin)
    for base, over in names.readings[1:]:
        known += f" (or, the same, {formula(base, over)})"
    if names.law == "own":
        ends, low, high = names.values[:: len(names.values) - 1], min(names.values), max(names.values)
        between = "between" if {low, high} - set(ends) else "from"
        first, last = ends if between == "from" else (low, high)
        known = f"of their own, {between} {first:.4g} {'to' if between == 'from' else 'and'} {last:.4g}"
    by = f", all divided by {number(names.factor)} (position interpolation)"
    return f"frequencies {known}{_method(names, by, ' under')}"


def _method(names: Frequencies, interpolated: str, before: str) -> str:
    """The method for longer contexts, if one was read, as it follows the base; and more of it."""
    if names.blend == "interpolation":
        return interpolated + names.detail
    if names.law != "blend" or names.blend == "pair by pair":
        return "" if names.detail.startswith(":") else names.detail  # which is told as a problem
    by = f" with factor {number(names.factor)}" if names.factor else ""
    return f"{before} {names.blend}{by}{names.detail}"


def known_base(names: Frequencies, d_model: int) -> str:
    """Frequencies in words, as those of RoPE are told: by their base."""
    if names.law in ("one", "equal", "own"):
        return frequencies(names)
    if names.base is None:
        return "base unknown"
    over = "" if names.over == d_model else f" over {number(names.over)}"
    over += f", i from {number(names.begin)} on" if names.begin else ""
    text = frequencies(names) if names.base < 1 else f"base {number(names.base)}{over}"
    for base, over_too in names.readings[1:]:
        text += f" (or, the same, {number(base)} over {number(over_too)})"
    by = f", position interpolation with factor {number(names.factor)}"
    return text + _method(names, by, ",")


def positions(found: Positions) -> str:
    """Positions in words."""
    if found.step is None:
        return f"uneven positions, from {number(found.first)} to {number(found.last)}"
    return f"positions {number(found.first)} to {number(found.last)} in steps of {number(found.step)}"


def table_heading(found: Diagnosis) -> list[str]:
    """What was recognized in a table."""
    reading = found.reading
    if reading is None:
        what = f"one line of {found.d_model} numbers" if found.line else f"{found.d_model} columns"
        lines = [f"No sinusoidal encoding was recognized in {what}."]
        if found.nearest:
            near = "; ".join(f"{name}, by {miss:.2g}" for name, miss in found.nearest)
            lines.append(f"Nearest, by how much sin^2 + cos^2 strays: {near}.")
        return lines
    kinds = ("zero-rows", "rows-off", "rows-out-of-place", "rows-repeated")
    others = {row for problem in found.problems if problem.kind in kinds for row in problem.rows}
    row = next(row for row in range(len(others) + 1) if row not in others)
    return table_lines(reading, found.d_model, row)


def _layout_line(reading: Reading, d_model: int) -> str:
    """The layout of a table in words."""
    order = f"{reading.first} first" if reading.first and reading.layout != "caches" else ""
    what = {
        "quarters": "halves for each axis",
        "blocks": "sines and cosines of all axes by frequency",
        "caches": f"{reading.first} alone",
        "angles": "angles, before sine and cosine",
        "frequencies": "frequencies alone",
    }.get(reading.layout, reading.layout)
    head = f"Sinusoidal encoding, {d_model} columns, {what}{order and ', '}{order}"
    if reading.scale != 1 and (reading.layout == "caches" or reading.axes[0].frequencies.blend):
        head += f", times {short(reading.scale)}"
    if reading.number_type.startswith("integers") or reading.number_type.endswith(CUT):
        head += f", in {reading.number_type.replace(CUT, ' cut toward zero')}"
    if len(reading.columns) < d_model and reading.layout != "frequencies":
        head += f", in columns {spans(reading.columns)}"
    return head + ","


def table_lines(reading: Reading, d_model: int, row: int = 0) -> list[str]:
    """The reading of a table in words; `row` is the first that holds a position."""
    lines, several = [_layout_line(reading, d_model)], len(reading.axes) > 1
    place = reading.axes[0].positions
    if several and reading.alike and place is not None and not place.count:
        lines.append(f"{len(reading.axes)} times the same set of frequencies, at the same positions:")
        lines.append(_axis_line(reading, 0, row, 1))
    else:
        lines += [_axis_line(reading, i, row, len(reading.axes)) for i in range(len(reading.axes))]
        if several:
            grid = f" of a grid of {reading.grid[0]} by {reading.grid[1]}" if reading.grid else ""
            count = "Two" if len(reading.axes) == 2 else len(reading.axes)
            lines.append(f"{count} axes{grid}.{_roles(reading)}")
    if reading.programs:
        lines.append(f"The convention of {', '.join(reading.programs)}.")
    return lines


def _axis_line(reading: Reading, i: int, row: int, count: int) -> str:
    axis = reading.axes[i]
    text = f"{'' if count == 1 else f'axis {i + 1}: '}{axis.frequencies}"
    found = axis.positions
    if found is None:
        scaled = reading.scale != 1 and axis.frequencies.law not in ("own", "equal")
        return text + f", times {number(reading.scale)}" * scaled + "."
    if count > 1 and (found.count or found.step is None):
        places = found.at(np.setdiff1d(np.arange(reading.shape[0]), reading.rows_off))
        ends = [float(places.min()), float(places.max())][:: -1 if (found.step or 0) < 0 else 1]
        return f"{text}, positions {number(ends[0])} to {number(ends[1])}."
    here = float(found.at(np.array([row]))[0])
    text += f", row {row} holds position {short(here) if row else number(here)}"
    if found.step is None:
        return text + ", steps uneven."
    if found.each > 1:
        return f"{text}, a step of {number(round(found.step * found.each, 12))} every {found.each} rows."
    return text + ("." if found.step == 1 else f", steps of {number(found.step)}.")


def _roles(reading: Reading) -> str:
    """Which axis is the row of an image, and which the column."""
    if reading.grid is None:
        return ""
    inner = [i for i, axis in enumerate(reading.axes, 1) if axis.positions and axis.positions.each == 1]
    if len(inner) != 1:
        return ""
    text = f" Axis {inner[0]} changes from row to row of the table: it is the column of the image, and axis"
    return f"{text} {3 - inner[0]} is its row."


def _as_turned(axis: Axis) -> tuple[float, ...]:
    """The frequencies of a function in radians per position: the first is not always 1."""
    step = abs(axis.positions.step or 1.0) if axis.positions is not None else 1.0
    return tuple(step * value for value in axis.frequencies.values)


def rope_heading(found: RopeDiagnosis) -> list[str]:
    """What was recognized in a function that rotates."""
    reading = found.reading
    if reading is None:
        lines = [f"No RoPE was recognized in {found.d_model} entries."]
        if found.nearest:
            near = "; ".join(f"{name}, off by {miss:.2g}" for name, miss in found.nearest)
            lines.append(f"Nearest: {near}.")
        return lines
    layout: str = reading.layout
    if "entries-permuted" in found.kinds:
        layout += " in and " + ("halves out" if layout == "interleaved" else "interleaved out")
    axes = [replace(a.frequencies, values=_as_turned(a)) for a in reading.axes]
    parts = [f"RoPE, {found.d_model} entries", layout, known_base(axes[0], found.d_model)]
    if len(reading.columns) < found.d_model:
        parts.append(f"entries {spans(reading.columns)} turn, the rest stays")
    if len(reading.axes) > 1:
        known = [known_base(names, found.d_model) for names in axes]
        sizes = [len(names.values) for names in axes]
        named = f": {'; '.join(known)}" if len(set(known)) > 1 else ""
        of = "" if len(set(sizes)) == 1 else f" of {listed(map(str, sizes))} pairs"
        parts.append(f"with {len(reading.axes)} sets of frequencies{of}{named}")
    if reading.scale != 1:
        parts.append(f"what turns is multiplied by {number(reading.scale)}")
    lines = [", ".join(parts) + ".", found.where_tried]
    if reading.programs:
        lines.append(f"As in {', '.join(reading.programs)}.")
    return lines


def remarks(reading: Reading) -> list[str]:
    """What of a reading is not usual, though it is rebuilt, in words."""
    found, axes = list[str](), reading.axes
    if len(axes) > 1 and reading.alike:
        found.append(f"it is the same {len(axes)} times")
    if reading.layout == "caches":
        found.append(f"it has {'sines' if reading.first == 'sin' else 'cosines'} alone")
    if reading.number_type == "8 bits":
        found.append("its entries have 8 bits")
    if (reading.number_type, reading.angles) == ("float64", "float32"):
        what = {"frequencies": "frequencies"}.get(reading.layout, "angles")
        found.append(f"its {what} are as said only within what float32 rounds away")
    found += _unfinished(reading)
    width = reading.shape[-1] * (2 if reading.layout in ("caches", "angles", "frequencies") else 1)
    for axis in axes:
        found += _unusual(axis, len(axes) == 1)
        if reading.probes is not None and axis.frequencies.over == 2 * len(axis.frequencies.values) - 2:
            found.append("no program is known that rotates over d - 2")
        if (axis.frequencies.over or 0) > width:
            found.append(f"its columns are as the first of {number(axis.frequencies.over)} are")
    if reading.scale == 1 and axes[0].frequencies.own_factor:
        found.append(f"it is not multiplied by YaRN's {short(axes[0].frequencies.own_factor)}")
    return list(dict.fromkeys(found))


def _unfinished(reading: Reading) -> Iterator[str]:
    """A grid whose last row is not full."""
    places = [axis.positions for axis in reading.axes if axis.positions and axis.positions.count]
    inner = [place for place in places if place.each == 1]
    if len(reading.axes) == len(places) == 2 and len(inner) == 1:
        rest = (reading.shape[0] - inner[0].begin) % inner[0].count
        if rest and {place.each for place in places} == {1, inner[0].count}:
            yield f"the last row of the grid has {rest} of {inner[0].count} cells"


def _unusual(axis: Axis, alone: bool) -> Iterator[str]:
    """The same of an axis."""
    names, step = axis.frequencies, axis.positions.step if axis.positions is not None else 1.0
    rank, base = roundness(max(names.base, 1 / names.base), 1e-5) if names.base else (0, 1.0)
    if names.blend == "pair by pair":
        yield "each pair is slowed by its own factor"
    elif "kept" in dict(names.method):
        yield "there is no ramp between pairs that are kept and those that are slowed"
    elif base == 100 and alone:
        yield "the base 100 is usual for images alone"
    elif 1 < base < 100:
        yield f"the base {short(base)} is small"
    elif base == 1e8:
        yield "the base is the square of 10,000"
    elif rank > ROUND + 2:
        yield f"the base {short(base)} is no round number"
    slowed = names.blend in ("interpolation", "pair by pair") or names.octaves or names.begin
    if step is not None and abs(step) != 1 and not slowed:
        yield f"the step is {short(step)}"


def told(lines: Iterable[str], problems: Iterable[Problem], reading: Reading | None) -> str:
    """What was recognized, and an item for each problem, in lines that fit a page."""
    filled = [textwrap.fill(line, 84, break_on_hyphens=False, break_long_words=False) for line in lines]
    odd = remarks(reading) if reading is not None else []
    sound = f"Rebuilt, with remarks: {'; '.join(odd)}." if odd else "No problem found."
    items = [f"- {text}" for text in map(str, problems)] or [f"- {sound}"]
    filled += [textwrap.fill(text, 84, subsequent_indent="  ", break_on_hyphens=False) for text in items]
    return "\n".join(filled)


# What is wrong with entries and columns


def unread(low: float) -> Problem:
    """No reading; the least of the entries may tell why."""
    text = "No reading that is tried explains the entries, so nothing is said of frequencies or positions."
    return Problem("unread", text + " No entry is below 0, as half of all sines are." * (low >= 0))


def rough_entries(digits: int) -> Problem:
    """Entries of which rounding may have left too little."""
    what = "have one decimal" if digits else "are whole numbers"
    return Problem("unread", f"The entries {what}, so nothing is said of frequencies or positions.")


ALL_ZERO = Problem("equal-rows", "Every entry is 0.")


def line_of_zeros(count: int) -> Problem:
    """Nothing in a line of frequencies."""
    text = f"All {count} numbers are zero, so nothing turns."
    return Problem("zero-columns", text, columns=tuple(range(min(count, 1000))))


TRANSPOSED = Problem(
    "transposed",
    "The table reads as transposed: positions run along its columns, and pairs along its rows. All else is "
    "said of table.T.",
)


def zero_columns(columns: Sequence[int], used: int, width: int) -> Problem:
    """Columns of zeros."""
    text = f"{subject('Column', columns)} zero."
    return Problem("zero-columns", text, (), tuple(columns), expected=used, found=width)


def equal_rows(n: int) -> Problem:
    """Rows that are all alike."""
    text = f"All {n} rows are equal, so the table says nothing about order."
    return Problem("equal-rows", text, (0, n - 1), expected="a row for each position", found="one row")


def extra_columns(columns: Sequence[int]) -> Problem:
    """Columns in front of the pairs that are not their coordinates."""
    text = f"{subject('Column', columns)} no part of the pairs."
    return Problem("extra-columns", text, columns=tuple(columns))


def lone_column(column: int, width: int) -> Problem:
    """A sine without its cosine."""
    text = f"The number of columns is odd, so column {column} has no partner."
    return Problem("lone-column", text, columns=(column,), expected=width + 1, found=width)


def shifted(low: float, high: float, shift: float, scale: float) -> Problem:
    """Something was added to every entry."""
    undone = f"Subtract {short(shift)}{f', and divide by {short(scale)}' * (scale != 1)}"
    text = f"The entries lie between {low:.4g} and {high:.4g}. {undone}, and they are those of the reading."
    return Problem("shifted", text, expected=(-1.0, 1.0), found=(low, high))


def clipped(limit: float, scale: float | None) -> Problem:
    """Entries cut off."""
    if scale is None:
        text = f"Many entries are {limit:.4g} or -{limit:.4g}, and none is beyond."
        return Problem("clipped", text, found=limit)
    return Problem(
        "clipped", f"The entries are clipped at {limit:.4g}.", expected=round(scale, 4), found=limit
    )


def which_is(value: float, known: dict[str, float], within: float) -> str:
    """What else a number is, as a clause; empty if it is none of those."""
    return next((f", which is {name}" for name, one in known.items() if abs(value / one - 1) < within), "")


def scaled(scale: float, layout: str, width: int) -> Problem:
    """What is multiplied by a factor: entries of a table or of a cache, or what a function turns."""
    told = number(scale) if short(scale) == "1" else short(scale)
    known = {f"the root of {width}": math.sqrt(width), f"1 over the root of {width}": 1 / math.sqrt(width)}
    texts = {
        "function": f"What turns is also multiplied by {scale:.5g}.",
        "caches": f"The entries are scaled: they reach {told} and not 1.",
    }
    also = which_is(scale, known | {f"the root of 2 / {width}": math.sqrt(2 / width)}, 2e-3)
    text = f"The entries are scaled: sin^2 + cos^2 is {told}^2 and not 1"
    text += f"; {told}{also}." if also else "."
    return Problem("scaled", texts.get(layout, text), expected=1.0, found=scale)


def signs(sine: int, cosine: int) -> Problem:
    """A sine or a cosine negated."""
    what = {(-1, 1): "sine is", (1, -1): "cosine is", (-1, -1): "sine and the cosine are"}[sine, cosine]
    return Problem("sign", f"The {what} negated.", expected=(1, 1), found=(sine, cosine))


BACKWARDS = Problem(
    "sign",
    "It turns backwards, which is harmless if queries and keys agree in it and the weights were trained so.",
    expected=1,
    found=-1,
)


def shuffled(found: Sequence[int]) -> Problem:
    """Sines and cosines in no layout."""
    text = "Each column is a sine or a cosine, and each sine has its cosine, but in no layout that is read."
    columns = tuple(range(len(found)))
    return Problem("columns-shuffled", text, (), columns, "interleaved or halves", tuple(found))


def unpaired(speeds: Sequence[float], is_sine: Sequence[bool], apart: Sequence[int]) -> Problem:
    """Sine and cosine of a pair with different frequencies."""
    n = len(speeds)
    if apart:
        j = apart[0]
        pairs = f"in columns {j} and {j + 1} they are {speeds[j]:.4g} and {speeds[j + 1]:.4g}"
        base = roundness(max(speeds[-1], 1e-99) ** (-n / (n - 1)), 1e-3)[1]
        if np.allclose(speeds, base ** (-np.arange(n) / n), 1e-5, 0):
            pairs += f"; column j has {number(base)}^(-j/{n})"
    else:
        known = list(zip(speeds, is_sine, strict=True))
        waves = ([speed for speed, one in known if one == sine] for sine in (1, 0))
        ends = [f"from {max(wave):.4g} to {min(wave):.4g}" for wave in waves]
        pairs = f"sines have those {ends[0]}, and cosines those {ends[1]}"
    text, columns = f"Sine and cosine of a pair have different frequencies: {pairs}.", range(len(speeds))
    expected = "one frequency for the two"
    return Problem("unpaired-frequencies", text, (), tuple(columns), expected, tuple(speeds[:1000]))


# What is wrong with rows, or with positions


def zero_rows(rows: Index) -> Problem:
    """Rows of zeros."""
    return Problem("zero-rows", f"{subject('Row', rows.tolist())} zero.", few(rows))


def repeated_rows(rows: Index, times: int) -> Problem:
    """Rows that are there several times."""
    how_often = f": each is there {times} times." if times > 1 else "."
    text = f"{subject('Row', rows.tolist(), 'repeat')} earlier rows{how_often}"
    return Problem("rows-repeated", text, few(rows))


def scaled_rows(rows: Index, factors: Float) -> Problem:
    """Rows that were multiplied, as others were not."""
    low, high = short(float(factors.min())), short(float(factors.max()))
    by = low if low == high else f"factors of their own, from {low} to {high}"
    text = f"{subject('Row', rows.tolist())} multiplied by {by}."
    return Problem("scaled", text, few(rows), (), 1.0, low)


def columns_apart(sine: tuple[float, float], cosine: tuple[float, float]) -> Problem:
    """Sines that were multiplied or moved otherwise than cosines: a factor, and what was added, of each."""
    kind: Kind = "scaled" if sine[0] != cosine[0] else "shifted"
    text = f"Sines are {_changed(*sine)}, and cosines are {_changed(*cosine)}."
    if sine == cosine:
        text = f"Sines and cosines are {_changed(*sine)}."
    return Problem(kind, text, expected=(1.0, 0.0), found=(sine, cosine))


def unlike_axes(numbers: Sequence[int], first: str, negated: bool) -> Problem:
    """Axes that have another order, or other signs, than the first."""
    who = f"Axis {spans(numbers)} has" if len(numbers) == 1 else f"Axes {spans(numbers)} have"
    names = ("sine", "cosine") if first == "sin" else ("cosine", "sine")
    what = "other signs than axis 1" if negated else f"the {names[1]} first, and axis 1 the {names[0]}"
    return Problem("sign", f"{who} {what}.", expected=first)


def _changed(factor: float, shift: float) -> str:
    """What was done to a column, in words."""
    if not factor:
        return f"{short(shift)} in every row" if shift else "zero"
    times = "negated" if factor == -1 else f"multiplied by {short(factor)}"
    words = [times] * (factor != 1) + [f"moved by {short(shift)}"] * bool(shift)
    return " and ".join(words) or "as they should be"


def changed_columns(how: Afterwards) -> Problem:
    """Columns that are not what the reading of the others says; some may hold something else."""
    if len(how.spoilt) == len(how.singled) > 3:
        return extra_columns(how.spoilt)
    changes = [(how.columns[c], how.shifts[c]) for c in how.singled]
    items = [
        f"olumn {c} {'holds something else' if c in how.spoilt else 'is ' + _changed(*change)}"
        for c, change in zip(how.singled, changes, strict=True)
    ]
    kinds: dict[float, Kind] = {0: "zero-columns", -1: "sign", 1: "shifted"}
    alike = len({factor for factor, _ in changes}) == 1
    kind = "extra-columns" if how.spoilt else kinds.get(changes[0][0], "scaled") if alike else "scaled"
    more = f"; {len(items) - 3} more" * (len(items) > 3)
    text = f"C{'; c'.join(items[:3])}{more}: not the sine or cosine that the other columns tell."
    return Problem(kind, text, columns=how.singled)


def added_vector(most: float) -> Problem:
    """A vector that was added to every row."""
    text = f"The same vector is added to every row; its largest entry is {most:.2g}."
    return Problem("shifted", text, expected=0.0, found=most)


def missing_row(row: int) -> Problem:
    """A grid that has lost a row."""
    text = f"A row is missing before row {row}: from there on the grid is a cell ahead."
    return Problem("rows-out-of-place", text, rows=(row,))


STRAIGHT = Problem(
    "noise",
    "Rows between whole positions are no sines and cosines: each is on the straight line between those of "
    "the whole positions beside it.",
)


def noise(off: int, count: int, middle: float, most: float) -> Problem:
    """All rows a little off, or nearly all."""
    text = (
        f"{off} of {count} rows that were read are off by a little: the entry that is off most by "
        f"{middle:.2g} in a typical one, and by {most:.2g} at most."
    )
    return Problem("noise", text, expected=0.0, found=middle)


def rows_off(rows: Index, most: float) -> Problem:
    """Some rows that are not as the reading says."""
    text = f"{subject('Row', rows.tolist())} not as the reading says: entries are off by up to {most:.2g}."
    return Problem("rows-off", text, few(rows), expected=0.0, found=most)


def out_of_place(rows: Index, places: NDArray[Any], told_: NDArray[Any], unit: str) -> Problem:
    """Rows that hold another position than the line has for them, or positions that a function turns so."""
    row, has, some = "row ", "has", "rows hold other positions"
    lag = told_ - places if places.ndim == 1 and unit == "row" else np.zeros(0)
    if lag.size > 3 and np.ptp(rows) == lag.size - 1 and np.ptp(lag) < 1e-3:  # of a run
        ends = [f"{place(where[0])} to {place(where[-1])}" for where in (places, told_)]
        text = f"Rows {rows[0]} to {rows[-1]} hold positions {ends[0]} and not {ends[1]}, as the rest says."
        if not rows[0] and abs(lag[0] - told_[1] + told_[0]) < 1e-3:
            text += f" Position {place(told_[-1])} is missing before row {rows[-1] + 1}."
        return Problem("rows-out-of-place", text, few(rows), (), few(told_), few(places))
    alike = any(place(p) == place(t) for p, t in zip(places, told_, strict=True))
    digits = ENOUGH if alike else FEW
    if unit == "position":
        row, has, some = "", "by", "positions are turned by other angles"
    shown = "; ".join(
        f"{row}{r} {has} {place(p, digits)} and not {place(t, digits)}"
        for r, p, t in list(zip(rows.tolist(), places, told_, strict=True))[:3]
    )
    more = f"; and {rows.size - 3} more" * (rows.size > 3)
    text = f"Some {some} than the rest says: {shown}{more}."
    return Problem("rows-out-of-place", text, few(rows), (), few(told_), few(places))


def place(value: NDArray[Any], digits: int = FEW) -> str:
    """A position, or one along each axis."""
    parts = [number(round(float(part), 4 if digits == FEW else 99), digits) for part in np.atleast_1d(value)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def uneven(rows: Index, places: NDArray[Any]) -> Problem:
    """Positions that lie on no line."""
    shown = ", ".join(short(round(float(p), 6)) for p in places[:5])
    steps = np.round(np.diff(places), 6)
    usual = float(np.median(steps))
    odd = np.flatnonzero(np.abs(steps - usual) > 1e-3 * max(abs(usual), 1e-9))
    where = ""
    if 0 < odd.size <= 3:  # of a line with a few jumps, where these are
        where = f" From row {rows[odd[0]]} to {rows[odd[0] + 1]} they go on by {short(steps[odd[0]])}."
    text = (
        f"Positions are uneven: they begin {shown}, and go on by {short(float(steps.min()))} to "
        f"{short(float(steps.max()))}.{where}"
    )
    found = tuple(float(p) for p in places[:1000])
    return Problem("uneven", text, (int(rows[0]), int(rows[-1])), found=found)


def backwards(numbers: Sequence[int]) -> Problem:
    """Some axes of a grid with the last coordinate first."""
    who = f"Axis {spans(numbers)} runs" if len(numbers) == 1 else f"Axes {spans(numbers)} run"
    return Problem("reversed", f"{who} backwards, and the others do not.", found=numbers)


def off_the_grid(axes: int) -> Problem:
    """Positions along several axes that no grid has."""
    return Problem("uneven", f"Positions along the {axes} axes go over no grid row by row.")


def reversed_rows(rows: Index, first: NDArray[Any], last: NDArray[Any], step: float) -> Problem:
    """The last position first, from a row to another."""
    text = f"Rows {rows[0]} to {rows[-1]} are in reverse order: they hold {place(first)} to {place(last)}."
    return Problem("reversed", text, expected=abs(step), found=step)


#: Steps, and first frequencies, that are numbers with a name.
STEPS = {
    "pi / 180": math.pi / 180,
    "180 / pi": 180 / math.pi,
    "2 pi": 2 * math.pi,
    "1 / (2 pi)": 0.5 / math.pi,
}


def table_step(step: float, first: float, last: float, n: int) -> Problem:
    """Rows that are not one position apart."""
    also, ends = which_is(abs(step), STEPS, 1e-5), [short(round(end, 9)) for end in (first, last)]
    text = (
        f"The rows are {short(abs(step))} positions apart{also}, or the first frequency is not 1: positions "
        f"run from {ends[0]} to {ends[1]} in {n} rows."
    )
    return Problem("step", text, expected=1.0, found=step)


def function_step(step: float) -> Problem:
    """A first pair that does not turn by 1."""
    also = which_is(abs(step), STEPS, 1e-5)
    text = f"The first pair that turns does so by {number(step)} radians a position{also}, not by 1."
    return Problem("step", text, expected=1.0, found=step)


def line_step(first: float) -> Problem:
    """A line of frequencies that does not begin with 1."""
    text = f"The first frequency is {short(first)} and not 1{which_is(first, STEPS, 1e-2)}."
    return Problem("step", text, expected=1.0, found=first)


def near_grid(ends: Sequence[tuple[float, float]]) -> Problem:
    """Coordinates of an image that were divided by its size."""
    axes = "; ".join(f"{short(a)} to {short(b)} along axis {i}" for i, (a, b) in enumerate(ends, 1))
    return Problem("step", f"Positions run from {axes}.", expected=1.0, found=tuple(ends))


def table_start(first: float) -> Problem:
    """A row 0 between whole numbers."""
    text = f"Row 0 holds the position {number(round(first, 6))}, which is not a whole number."
    return Problem("start", text, rows=(0,), expected=float(round(first)), found=first)


def function_start(at: int, found: float) -> Problem:
    """A first position that is turned like another."""
    text = f"Position {at} is turned as position {short(found)} should be."
    return Problem("start", text, rows=(at,), expected=float(at), found=found)


def rounded(kind: Kind, steps: tuple[str, ...], type_: str, first: int, last: int, unit: str) -> Problem:
    """Steps that were rounded, from the first row or position on that shows it."""
    what = kind.removeprefix("rounded-").capitalize()
    text = f"{what} are rounded to half precision, which shows from {unit} {first} on"
    text += f": {listed(steps)} in {type_}."
    return Problem(kind, text, (int(first), int(last)), expected="float32", found=type_)


def rough_entries_of_function(type_: str) -> Problem:
    """A function whose cosines and sines have few digits."""
    return Problem("noise", f"Cosines and sines are rounded to {type_}.", expected="float32", found=type_)


def rough_angles(type_: str, off: float) -> Problem:
    """Angles that are held in half precision."""
    text = f"The angles are held in {type_}, which is off by up to {off:.2g} where they are largest."
    return Problem("rounded-angles", text, expected="float32", found=type_)


def narrowed(type_: str, rising: bool, worst: tuple[int, float] | None, gone: int) -> Problem:
    """Frequencies that were cast to half precision; the pair that is off most, and by how much."""
    text = f"The {'numbers' if rising else 'frequencies'} are rounded to {type_}"
    if worst is None or rising:
        return Problem("rounded-frequencies", f"{text}.", expected="float32", found=type_)
    pair, off = worst
    text += f": that of pair {pair} is off by {off:.2g}, so its angle by 1 at position {1 / off:,.0f}."
    text += f" The last {gone} have become 0." * bool(gone)
    return Problem("rounded-frequencies", text, expected="float32", found=type_)


# What is wrong with frequencies


def at_rest(columns: Sequence[int]) -> Problem:
    """Pairs of a table that never turn."""
    text = f"Columns {spans(columns)} are the same in every row: their pairs never turn."
    return Problem("nothing-turns", text, columns=tuple(columns))


def twice(times: int) -> Problem:
    """Each frequency several times, in pairs side by side."""
    text = f"Each frequency is there {times} times, in pairs side by side, which are copies of one another."
    return Problem("equal-frequencies", text, expected="different frequencies", found=times)


def equal_frequencies(value: float) -> Problem:
    """All pairs alike."""
    text = "All pairs turn at the same frequency, so they are copies of one another: the base is 1."
    return Problem("equal-frequencies", text, expected="different frequencies", found=value)


def unknown_frequencies(values: Sequence[float], nearest: str = "") -> Problem:
    """No law, and the nearest one."""
    ratios = [a / b for a, b in itertools.pairwise(values) if b]
    run = f": the ratios of neighbors run from {min(ratios):.4g} to {max(ratios):.4g}" if ratios else ""
    turns = " Whole turns from row to row are not seen." if min(values) < 0 < max(values) else ""
    text = f"The frequencies follow no law that is tried{nearest if nearest.startswith(':') else run}.{turns}"
    expected = "one ratio, or a known blend"
    return Problem("unknown-frequencies", text, expected=expected, found=tuple(values[:1000]))


def not_falling(column: int, before: float, value: float, times: int) -> Problem:
    """A line of numbers that does not fall, in one place or more often."""
    text = f"The numbers do not fall in column {column} ({short(before)}, then {short(value)})"
    text += f", nor in {times - 1} other{'s' * (times > 2)}" * (times > 1) + "."
    if not column:
        text = f"The first number is {short(value)}, and frequencies are above 0."
    return Problem("unknown-frequencies", text, (), (column,), expected="falling numbers", found=value)


def rising(names: Frequencies, first: float) -> Problem:
    """Frequencies that rise, from the first one on."""
    last = first * abs(names.values[-1] / (names.values[0] or 1))
    told = "they are" if first == 1 else f"from {short(first)} to {short(last)}, in the ratios of"
    text = f"The frequencies rise from pair to pair: {told} {formula(names.base or 0, names.over)}."
    return Problem("rising-frequencies", text, expected="falling", found="rising")


def odd_base(base: float, expected: tuple[float, float]) -> Problem:
    """A base that nobody uses."""
    text = f"The base is {short(base)}, and not from {number(expected[0])} to {number(expected[1])}."
    return Problem("base", text, expected=expected, found=base)


def slipped_base(base: float, known: float, power: str) -> Problem:
    """A base that is a power of one in use."""
    text = f"The base is {short(base)}, which is {number(known)}^{power}."
    return Problem("base", text, expected=known, found=base)


# What is wrong with functions that rotate


def not_linear(what: str) -> Problem:
    """A norm, a clip or quantization inside."""
    text = f"It is not linear: {what}."
    return Problem("not-linear", text, expected="a rotation", found="something else besides")


ADDED = Problem(
    "added",
    "A vector of zeros does not stay one, so it is not a rotation.",
    expected="a rotation",
    found="something else besides",
)
NOTHING_TURNS = Problem("nothing-turns", "No entry is turned.", expected="a rotation", found="the input")


def positions_ignored(by_row: bool) -> Problem:
    """All positions give the same, or row numbers are used."""
    what, found = "every position gives the same result", "one matrix"
    if by_row:
        what, found = "a vector is turned by its number in the batch instead", "row numbers"
    return Problem(
        "positions-ignored", f"The positions are ignored: {what}.", expected="positions", found=found
    )


COUNTED_FROM_THE_FIRST = Problem(
    "positions-confused", "A vector is turned otherwise in company: alone, all positions give the same."
)
UNREPEATABLE = Problem(
    "positions-confused",
    "The same call gives another result each time: it keeps something from call to call, or draws numbers at "
    "random. Nothing else is said of it.",
)
POSITIONS_KEPT = Problem(
    "positions-confused",
    "Positions are kept from the first call with as many vectors: later ones are not looked at.",
)
OUT_OF_ORDER = Problem(
    "positions-confused", "Positions in another order than 0, 1, 2 are not each turned by their own angle."
)
ACROSS_VECTORS = Problem(
    "positions-confused", "A vector comes out otherwise when others of the same position come with it."
)


def in_company(position: float) -> Problem:
    """Other positions matter."""
    text = f"A vector at position {number(position)} is turned otherwise when others come with it"
    return Problem("positions-confused", f"{text}, as they do in what is read.", rows=(int(position),))


def lengths_change(low: float, high: float, how: str = "") -> Problem:
    """No rotation, and how the lengths change if that was seen."""
    text = f"Lengths change: it is not a rotation.{f' {how}' * bool(how)}"
    return Problem("lengths-change", text, expected=1.0, found=(low, high))


def without_partner(entries: Sequence[int]) -> Problem:
    """Entries that change alone."""
    text = f"Entries {spans(entries)} change without a partner, so it is not a rotation."
    return Problem("lengths-change", text, columns=tuple(entries))


def mixed_entries(entries: Sequence[int], others: int) -> Problem:
    """Entries in no pairs."""
    text = f"Entries are mixed that form no pairs: entry {entries[0]} is mixed with {others} others."
    return Problem("pairs-mixed", text, columns=tuple(entries), expected=1, found=others)


def pairs_in_no_layout(pairs: Sequence[tuple[int, int]], entries: Sequence[int]) -> Problem:
    """Pairs, and no layout."""
    few = ", ".join(f"({a}, {b})" for a, b in pairs[:4])
    text = f"Entries turn in pairs, but in neither layout: the pairs are {few} ..."
    return Problem("pairs-mixed", text, columns=tuple(entries), found=tuple(pairs))


def permuted(order: Index, ways: tuple[str, str] | None) -> Problem:
    """Entries that come out elsewhere."""
    moved, expected = np.flatnonzero(order != np.arange(len(order))).tolist(), tuple(range(len(order)))
    text = "The result has the entries in another order: at position 0, where nothing turns, entry "
    text += f"{moved[0]} comes out as entry {order[moved[0]]}."
    text += f" Pairs come in as {ways[0]} and go out as {ways[1]}." if ways else ""
    return Problem("entries-permuted", text, (), tuple(moved), expected, tuple(order.tolist()))


#: In which way pairs are torn.
_TORN = {
    "mirrored": "Pairs are mirrored and not turned: in each, the sign of the second entry is wrong.",
    "same sign": "Sines have the same sign in both entries of a pair, so it is not a rotation.",
    "weights": "The two entries of a pair are multiplied by different numbers, beside the rotation.",
    "no rotation": "What becomes of the first entry of a pair and of the second is not one rotation.",
    "layouts mixed": "The two entries of a pair turn by different angles, as if two layouts were mixed.",
    "apart": "The two entries of a pair turn by different angles.",
    "first overwritten": "The second entry of each pair is computed from the new value of the first, not "
    "from the old.",
    "second overwritten": "The first entry of each pair is computed from the new value of the second, not "
    "from the old.",
}


def torn(how: str, columns: Sequence[int], found: Any = None) -> Problem:
    """Pairs whose second entry does not turn as the first does."""
    expected = "x cos - y sin; x sin + y cos"
    return Problem("pairs-torn", _TORN[how], (), tuple(columns), expected, found)


EXCHANGED = Problem(
    "sign",
    "Sines and cosines are exchanged: position 0 is turned by a quarter, and the others back from there.",
    expected="x cos - y sin; x sin + y cos",
    found="x sin - y cos; x cos + y sin",
)


def own_coordinates(forms: Sequence[str]) -> Problem:
    """Sets of pairs by coordinates that the position is divided into."""
    text = f"Sets of pairs turn by their own coordinates, {listed(forms)} at position p."
    return Problem("not-relative", text, found=tuple(forms))


def not_relative(
    positions_: Index, places: NDArray[Any], most: float | None = None, sets: Sequence[int] = ()
) -> Problem:
    """Angles that are no multiples of the position: from the first of these on, or of sets of pairs."""
    where = f"in set{'s' * (len(sets) > 1)} {listed(map(str, sets or [0]))} of the pairs"
    where = where if sets else f"from position {int(positions_[0])} on"
    shown = "; ".join(f"{p} as {place(t)}" for p, t in list(zip(positions_, places, strict=False))[:3])
    text = f"Scores depend on more than the distance, {where}"
    text += f": positions are turned as others should be, {shown}." if shown else "."
    return Problem("not-relative", text, few(positions_), found=most if places.size == 0 else few(places))


def dealt(names: Frequencies) -> Problem:
    """One progression dealt out to sets of pairs."""
    told = formula(names.base or 0, 2 * (names.over or 0))  # of two sets
    text = "Frequencies are in another order: all pairs turn by the same position, and together they have"
    return Problem("unknown-frequencies", f"{text} {told}, dealt out in turn.")


NO_LAW = Problem("unread", "The angles follow no law that is tried.")
