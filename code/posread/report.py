"""Every sentence of a report, for the rows of a table and for the positions of a function.

A sentence is a function of values that returns a :class:`Problem`; what is to be said is decided in `rules`.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.problem import Kind, Problem

if TYPE_CHECKING:  # these print as the sentences here
    from posread.reading import Axis, Diagnosis, Frequencies, Positions, Reading
    from posread.rope.read import RopeDiagnosis

Index = NDArray[np.intp]
#: Numbers in sentences have so many digits; those that a reading is rebuilt from have as many as they need.
FEW, ENOUGH = 6, 17


# Numbers and names


def number(value: float | None, digits: int = ENOUGH) -> str:
    """A number as people write it: 1,000,000 and 0.25."""
    if value is None:
        return "?"
    if value and (abs(value) >= 1e15 or abs(value) < 1e-4):
        return (
            f"{value:.6g}"
            if digits == FEW
            else f"{value:.17g}"
            if float(f"{value:.15g}") != value
            else f"{value:.15g}"
        )
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


def spans(numbers: Iterable[int]) -> str:
    """Numbers in words: 3; 3 to 7; 0 to 7 and 32 to 39; 1, 5, 9 and 12 more."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    parts = [str(a) if a == b else f"{a} to {b}" for a, b in runs]
    if len(parts) <= 3:
        return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)
    shown = ", ".join(parts[:3])
    return f"{shown} and {sum(b - a + 1 for a, b in runs[3:])} more"


def few(rows: Index) -> tuple[int, ...]:
    """Row numbers as data; of very many only the first thousand."""
    return tuple(rows[:1000].tolist())


def named_rows(rows: Index) -> str:
    """Rows by their numbers, as a sentence begins."""
    return f"Row{'s' * (rows.size > 1)} {spans(rows.tolist())}"


# Readings


def frequencies(names: Frequencies) -> str:
    """Frequencies in words."""
    plain = {
        "none": "nothing turns",
        "unread": "frequencies not read",
        "one": "one pair, so any base",
        "equal": "all frequencies equal",
    }
    if names.law in plain:
        return f"{plain[names.law]}{names.detail}"
    known = "" if names.base is None else formula(names.base, names.over, names.begin)
    for base, over in names.readings[1:]:
        known += f" (or, the same, {formula(base, over)})"
    if names.law == "own":
        known = f"of their own, from {names.values[0]:.4g} to {names.values[-1]:.4g}"
    by = f", all divided by {number(names.factor)} (position interpolation)"
    return f"frequencies {known}{_method(names, by, ' under')}"


def _method(names: Frequencies, interpolated: str, before: str) -> str:
    """The method for longer contexts, if one was read, as it follows the base; and more of it."""
    if names.blend == "interpolation":
        return interpolated + names.detail
    if names.law != "blend" or names.blend == "pair by pair":
        return "" if names.detail.startswith(" they are") else names.detail  # which is told as a problem
    by = f" with factor {number(names.factor)}" if names.factor else ""
    return f"{before} {names.blend}{by}{names.detail}"


def known_base(names: Frequencies, d_model: int) -> str:
    """Frequencies in words, as those of RoPE are told: by their base."""
    if names.law in ("none", "one", "equal", "own", "unread"):
        return frequencies(names)
    if names.base is None:
        return "base unknown"
    over = "" if names.over == d_model else f" over {number(names.over)}"
    text = f"base {number(names.base)}{over}" + (f", i from {number(names.begin)} on" if names.begin else "")
    if names.base < 1:
        text = frequencies(names)
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
        lines = [f"No sinusoidal encoding was recognized in {found.d_model} columns."]
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
    if reading.layout == "caches" and reading.scale != 1:
        head += f", times {short(reading.scale)}"
    if len(reading.columns) < d_model and reading.layout != "frequencies":
        head += f", in columns {spans(reading.columns)}"
    return head + ","


def table_lines(reading: Reading, d_model: int, row: int = 0) -> list[str]:
    """The reading of a table in words; `row` is the first that holds a position."""
    lines, several = [_layout_line(reading, d_model)], len(reading.axes) > 1
    place = reading.axes[0].positions
    same = all(axis == reading.axes[0] for axis in reading.axes)
    if several and same and place is not None and not place.count:
        lines.append(f"{len(reading.axes)} times the same set of frequencies, at the same positions:")
        lines.append(_axis_line(reading, 0, row, 1))
    else:
        lines += [_axis_line(reading, i, row, len(reading.axes)) for i in range(len(reading.axes))]
        if several:
            grid = f" of a grid of {reading.grid[0]} by {reading.grid[1]}" if reading.grid else ""
            lines.append(
                f"{'Two' if len(reading.axes) == 2 else len(reading.axes)} axes{grid}.{_roles(reading)}"
            )
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
        ends = found.first, found.last
        if found.places and not found.count:
            ends = min(found.places), max(found.places)
        return f"{text}, from {number(ends[0])} to {number(ends[1])}."
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
    inner = [i for i, axis in enumerate(reading.axes) if axis.positions and axis.positions.each == 1]
    if len(inner) != 1:
        return ""
    column = inner[0]
    return (
        f" Axis {column + 1} changes from row to row of the table: it is the column of the image, "
        f"and axis {2 - column} is its row."
    )


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
            lines.append(
                "Nearest: " + "; ".join(f"{name}, off by {m:.2g}" for name, m in found.nearest) + "."
            )
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
        of = "" if len(set(sizes)) == 1 else f" of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} pairs"
        parts.append(f"with {len(reading.axes)} sets of frequencies{of}{named}")
    if reading.scale != 1:
        parts.append(f"what turns is multiplied by {number(reading.scale)}")
    lines = [", ".join(parts) + ".", found.where_tried]
    if reading.programs:
        lines.append(f"As in {', '.join(reading.programs)}.")
    return [line for line in lines if line]


def told(lines: Iterable[str], problems: Iterable[Problem]) -> str:
    """What was recognized, and an item for each problem, in lines that fit a page."""
    filled = [textwrap.fill(line, 84, break_on_hyphens=False, break_long_words=False) for line in lines]
    items = [
        textwrap.fill(f"- {text}", 84, subsequent_indent="  ", break_on_hyphens=False)
        for text in [str(problem) for problem in problems] or ["No problem found."]
    ]
    return "\n".join([*filled, *items])


# What is wrong with entries and columns


def unread(origin: str = "", kind: Kind = "unread") -> Problem:
    """No reading."""
    text = "No reading that is tried explains the entries, so nothing is said of frequencies or positions."
    return Problem(kind, text, origin=origin)


def rough_entries(digits: int) -> Problem:
    """Entries of which rounding may have left too little."""
    what = "have one decimal" if digits else "are whole numbers"
    return Problem("unread", f"The entries {what}, so nothing is said of frequencies or positions.")


ALL_ZERO = Problem("equal-rows", "Every entry is 0.", cure="Fill the table before it is used.")


def line_of_zeros(count: int) -> Problem:
    """Nothing in a line of frequencies."""
    text = f"All {count} numbers are zero: the buffer was not filled, so nothing turns."
    origin = "A buffer that was made on no device, or on another, and not computed there, holds zeros."
    cure = "Compute the frequencies after the model is on its device."
    return Problem("zero-columns", text, columns=tuple(range(min(count, 1000))), origin=origin, cure=cure)


TRANSPOSED = Problem(
    "transposed",
    "The table is transposed: positions run along its columns, and pairs along its rows.",
    origin="What follows is said of the transposed table.",
    cure="Pass table.T.",
)


def zero_columns(columns: Sequence[int], used: int, width: int) -> Problem:
    """Columns of zeros."""
    be = "Column {} is" if len(columns) == 1 else "Columns {} are"
    text = f"{be.format(spans(columns))} zero."
    origin = (
        "An odd or rounded width may have been filled up, or a part never filled in; or these are sines of 0."
    )
    return Problem("zero-columns", text, columns=tuple(columns), expected=used, found=width, origin=origin)


def every_second_column(columns: Sequence[int]) -> Problem:
    """Sines or cosines alone, with zeros between."""
    text = "Every second column is zero."
    origin = "One half of each pair was never filled in, or was overwritten."
    cure = "Fill in both: the sine and the cosine of the same angle."
    return Problem("zero-columns", text, columns=tuple(columns), origin=origin, cure=cure)


def equal_rows(n: int) -> Problem:
    """Rows that are all alike."""
    return Problem(
        "equal-rows",
        f"All {n} rows are equal, so the table says nothing about order.",
        rows=(0, n - 1),
        expected="a row for each position",
        found="one row",
        origin="Rows may have been taken along a wrong axis, or by one index, or nothing but one number was "
        "filled in.",
        cure="Give each token its own row: table[positions].",
    )


def extra_columns(columns: Sequence[int]) -> Problem:
    """Columns in front of the pairs that are not their coordinates."""
    many = len(columns) > 1
    text = f"Column{'s' * many} {spans(columns)} {'are' if many else 'is'} no part of the pairs."
    cure = f"Leave {'them' if many else 'it'} out, and ask again."
    return Problem("extra-columns", text, columns=tuple(columns), cure=cure)


def lone_column(column: int, width: int) -> Problem:
    """A sine without its cosine."""
    text = f"The number of columns is odd, so column {column} has no partner."
    return Problem(
        "lone-column", text, columns=(column,), expected=width + 1, found=width, cure="Use an even d_model."
    )


def shifted(low: float, high: float, shift: float, scale: float) -> Problem:
    """Something was added to every entry."""
    text = f"The entries lie between {low:.4g} and {high:.4g}: they were moved{' and scaled' * (scale != 1)}."
    cure = f"Subtract {short(shift)}{f', and divide by {short(scale)}' * (scale != 1)}."
    return Problem("shifted", text, expected=(-1.0, 1.0), found=(low, high), cure=cure)


def clipped(limit: float, scale: float | None) -> Problem:
    """Entries cut off."""
    far = "" if scale is not None else ", so far that nothing else can be told"
    text = f"The entries are clipped at {limit:.4g}{far}."
    return Problem("clipped", text, expected=None if scale is None else round(scale, 4), found=limit)


def scaled_table(scale: float, width: int) -> Problem:
    """sin^2 + cos^2 is not 1."""
    known = {
        f"That is the root of d = {width}: the encoding was multiplied with the embedding.": math.sqrt(width),
        f"That is 1 over the root of d = {width}.": 1 / math.sqrt(width),
        "Rows have norm 1: they were normalized.": math.sqrt(2 / width),
    }
    told = number(scale) if short(scale) == "1" else short(scale)
    text = f"The entries are scaled: sin^2 + cos^2 is {told}^2 and not 1."
    origin = next((words for words, value in known.items() if abs(scale / value - 1) < 2e-3), "")
    cure = "Divide by it, unless the program means it."
    return Problem("scaled", text, expected=1.0, found=scale, origin=origin, cure=cure)


def scaled_cache(scale: float) -> Problem:
    """Cosines or sines alone, multiplied."""
    text = f"The entries are scaled: they reach {short(round(scale, 6))} and not 1."
    origin = "YaRN and LongRoPE multiply cosines and sines so."
    cure = "Divide by it, unless the program means it."
    return Problem("scaled", text, expected=1.0, found=scale, origin=origin, cure=cure)


def scaled_function(scale: float) -> Problem:
    """What turns grows by a factor."""
    text = f"What turns is also multiplied by {scale:.5g}, and scores by its square."
    return Problem("scaled", text, expected=1.0, found=scale)


def signs(sine: int, cosine: int) -> Problem:
    """A sine or a cosine negated."""
    what = {(-1, 1): "sine is", (1, -1): "cosine is", (-1, -1): "sine and the cosine are"}[sine, cosine]
    origin = "With a negated sine, it is as if positions were counted downwards from 0."
    return Problem(
        "sign",
        f"The {what} negated.",
        expected=(1, 1),
        found=(sine, cosine),
        origin=origin if (sine, cosine) == (-1, 1) else "",
        cure="Change the sign.",
    )


BACKWARDS = Problem(
    "sign",
    "It turns backwards, which matters only if queries and keys do not agree.",
    expected=1,
    found=-1,
    cure="Change the sign of the sine in both, or leave it in both.",
)


def shuffled(found: Sequence[int]) -> Problem:
    """Sines and cosines in no layout."""
    return Problem(
        "columns-shuffled",
        "Each column is a sine or a cosine, and each sine has its cosine, but in no layout that is read.",
        columns=tuple(range(len(found))),
        expected="interleaved or halves",
        found=tuple(found),
        origin="Columns may have been permuted, or several encodings may stand side by side.",
        cure="Interleaved and by frequency, columns are those in `found`.",
    )


def unpaired(speeds: Sequence[float], neighbors: bool, by_column: bool) -> Problem:
    """Sine and cosine of a pair with different frequencies."""
    apart = (j for j in range(0, len(speeds) - 1, 2) if abs(speeds[j + 1] - speeds[j]) > 0.01 * speeds[j])
    j = next(apart, None) if neighbors else None
    pairs = "" if j is None else f": in columns {j} and {j + 1} {speeds[j]:.4g} and {speeds[j + 1]:.4g}"
    return Problem(
        "unpaired-frequencies",
        f"Sine and cosine of a pair have different frequencies{pairs}.",
        columns=tuple(range(len(speeds))),
        expected="one frequency for the two",
        found=tuple(speeds[:1000]),
        origin="The number of the column was used in the exponent where that of the pair belongs."
        if by_column
        else "",
        cure="Use 2 * (j // 2) / d for column j." if by_column else "",
    )


# What is wrong with rows, or with positions


def zero_rows(rows: Index, padding: bool) -> Problem:
    """Rows of zeros."""
    be = "is" if rows.size == 1 else "are"
    why = ", as for padding" if padding else ""
    return Problem("zero-rows", f"{named_rows(rows)} {be} zero{why}.", rows=few(rows))


def repeated_rows(rows: Index, times: int, n: int, positions_: bool) -> Problem:
    """Rows that are there several times."""
    how_often = f": each is there {times} times." if times > 1 else "."
    at_the_end = rows.size > 1 and rows[-1] == n - 1 and rows.size == n - rows[0]
    text = f"{named_rows(rows)} repeat{'s' * (rows.size == 1)} earlier rows{how_often}"
    origin = "The index may have been clipped, have begun again or run back." if at_the_end else ""
    cure = (
        "Make the table again, long enough, with a position for each row."
        if positions_
        else "For time steps that may be meant."
    )
    return Problem("rows-repeated", text, rows=few(rows), origin=origin, cure=cure)


def scaled_rows(rows: Index, factors: Float) -> Problem:
    """Rows that were multiplied, as others were not."""
    low, high = short(float(factors.min())), short(float(factors.max()))
    by = low if low == high else f"factors of their own, from {low} to {high}"
    be = "is" if rows.size == 1 else "are"
    return Problem(
        "scaled", f"{named_rows(rows)} {be} multiplied by {by}.", rows=few(rows), expected=1.0, found=low
    )


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


def changed_columns(columns: Sequence[int], spoilt: Sequence[int], factors: Float, shifts: Float) -> Problem:
    """Columns that are not what the reading of the others says; some may hold something else."""
    items = [
        f"olumn {c} {'holds something else' if c in spoilt else 'is ' + _changed(factor, shift)}"
        for c, factor, shift in zip(columns, factors.tolist(), shifts.tolist(), strict=True)
    ]
    kinds: dict[float, Kind] = {0: "zero-columns", -1: "sign", 1: "shifted"}
    kind = kinds.get(factors[0], "scaled") if (factors == factors[0]).all() else "scaled"
    more = f"; {len(items) - 3} more" * (len(items) > 3)
    text = f"C{'; c'.join(items[:3])}{more}: not the sine or cosine that the other columns tell."
    return Problem("extra-columns" if spoilt else kind, text, columns=tuple(columns))


def missing_row(row: int) -> Problem:
    """A grid that has lost a row."""
    text = f"A row is missing before row {row}: from there on the grid is a cell ahead."
    return Problem("rows-out-of-place", text, rows=(row,))


def noise(count: int, n: int, middle: float, most: float) -> Problem:
    """All rows a little off."""
    text = (
        f"{count} of {n} rows that were read are off by a little: the entry that is off most by {middle:.2g} "
        f"in a typical one, and by {most:.2g} at most."
    )
    origin = "The table was changed after it was made, as training does, or rounded on the way."
    return Problem("noise", text, expected=0.0, found=middle, origin=origin)


def rows_off(rows: Index, most: float) -> Problem:
    """Some rows that no position explains."""
    be = "is" if rows.size == 1 else "are"
    text = f"{named_rows(rows)} {be} no encoding with these frequencies: entries are off by up to {most:.2g}."
    return Problem("rows-off", text, rows=few(rows), expected=0.0, found=most)


def out_of_place(rows: Index, places: NDArray[Any], told_: NDArray[Any]) -> Problem:
    """Rows that hold another position than the line has for them."""
    shown = "; ".join(
        f"row {r} has {place(p)} and not {place(t)}"
        for r, p, t in list(zip(rows.tolist(), places, told_, strict=True))[:3]
    )
    more = f"; and {rows.size - 3} more" if rows.size > 3 else ""
    return Problem(
        "rows-out-of-place",
        f"Some rows hold other positions than the rest says: {shown}{more}.",
        rows=few(rows),
        expected=tuple(told_[:1000].tolist()),
        found=tuple(places[:1000].tolist()),
    )


def place(value: NDArray[Any]) -> str:
    """A position, or one along each axis."""
    parts = [short(round(float(part), 4)) for part in np.atleast_1d(value)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def turned_like_others(rows: Index, places: NDArray[Any], told_: NDArray[Any]) -> Problem:
    """Positions that a function turns like others."""
    shown = "; ".join(
        f"{r} as {short(round(float(p), 3))}" for r, p in list(zip(rows.tolist(), places, strict=True))[:3]
    )
    return Problem(
        "rows-out-of-place",
        f"Some positions are turned like others: {shown}.",
        rows=few(rows),
        expected=tuple(told_[:1000].tolist()),
        found=tuple(places[:1000].tolist()),
        origin="The index may be clipped or wrap at a table's end, or positions be rounded or grouped.",
    )


def turned_otherwise(rows: Index, places: NDArray[Any], told_: NDArray[Any]) -> Problem:
    """Positions that a function turns by other angles than the line of the rest says."""
    shown = "; ".join(
        f"{r} by {place(p)} and not {place(t)}"
        for r, p, t in list(zip(rows.tolist(), places, told_, strict=True))[:3]
    )
    more = f"; and {rows.size - 3} more" * (rows.size > 3)
    text = f"Some positions are turned by other angles than the rest says: {shown}{more}."
    return Problem("rows-out-of-place", text, rows=few(rows), expected=few(told_), found=few(places))


def uneven(rows: Index, places: NDArray[Any]) -> Problem:
    """Positions that lie on no line."""
    shown = ", ".join(short(round(float(p), 6)) for p in places[:5])
    steps = np.diff(places)
    ways = {"rise": steps > 0, "fall": steps < 0, "never fall": steps >= 0, "never rise": steps <= 0}
    order = next((words for words, kept in ways.items() if kept.all()), "go up and down")
    usual = float(np.median(steps))
    odd = np.flatnonzero(np.abs(steps - usual) > 1e-3 * max(abs(usual), 1e-9))
    where = ""
    if 0 < odd.size <= 3:  # of a line with a few jumps, where these are
        where = (
            f" From row {rows[odd[0]]} to {rows[odd[0] + 1]} they go on by {short(round(steps[odd[0]], 6))}."
        )
    return Problem(
        "uneven",
        f"Positions are uneven: they {order}, and begin {shown}.{where}",
        rows=(int(rows[0]), int(rows[-1])),
        found=tuple(float(p) for p in places[:1000]),
        origin="For time steps that may be meant.",
    )


def backwards(numbers: Sequence[int]) -> Problem:
    """Some axes of a grid with the last coordinate first."""
    who = "Axis {} runs" if len(numbers) == 1 else "Axes {} run"
    return Problem(
        "reversed", f"{who.format(spans(numbers))} backwards, and the others do not.", found=numbers
    )


def off_the_grid(axes: int) -> Problem:
    """Positions along several axes that no grid has."""
    origin = "Rows may have been shuffled, left out, or taken in windows; for points that may be meant."
    return Problem("uneven", f"Positions along the {axes} axes go over no grid row by row.", origin=origin)


def reversed_rows(rows: Index, first: NDArray[Any], last: NDArray[Any], step: float) -> Problem:
    """The last position first, from a row to another."""
    text = f"Rows {rows[0]} to {rows[-1]} are in reverse order: they hold {place(first)} to {place(last)}."
    cure = "Unless it is meant, as for relative positions or time steps, turn the table around."
    return Problem("reversed", text, expected=abs(step), found=step, cure=cure)


def table_step(step: float, origin: str = "") -> Problem:
    """Rows that are not one position apart."""
    text = f"The rows are {short(abs(step))} positions apart, or the first frequency is not 1."
    return Problem("step", text, expected=1.0, found=step, origin=origin.strip())


def first_frequency(value: float, base: float) -> Problem:
    """Frequencies that begin with a whole number other than 1."""
    return Problem(
        "step",
        f"The first frequency is {number(value)} and not 1, or the rows are {number(value)} positions apart.",
        expected=1.0,
        found=value,
        origin=f"{number(base)} is {number(base * value)} / {number(value)}: frequencies were multiplied by "
        "a first timescale where they should be divided by it.",
    )


def function_step(step: float) -> Problem:
    """A first pair that does not turn by 1."""
    text = f"The first pair turns by {number(step)} radians from position to position, not by 1."
    return Problem("step", text, expected=1.0, found=step, origin=step_origin(step))


def line_step(first: float, turns: bool, alone: bool) -> Problem:
    """A line of frequencies that does not begin with 1."""
    others = "" if alone else ", and all others are as many times as large"
    text = f"The first frequency is {short(first)} and not 1{others}."
    origin = "It is 1 / (2 pi), as if turns per position were meant." if turns else ""
    return Problem("step", text, expected=1.0, found=first, origin=origin)


def step_origin(step: float) -> str:
    """What makes the first pair turn by so much."""
    known = {
        2.0: "it was applied twice",
        180 / math.pi: "degrees were taken for radians",
        math.pi / 180: "positions were degrees, and turned into radians",
        2 * math.pi: "positions were multiplied by 2 pi",
    }
    return next(
        (f"As if {words}." for value, words in known.items() if abs(abs(step) / value - 1) < 1e-5), ""
    )


def near_grid(ends: Sequence[tuple[float, float]]) -> Problem:
    """Coordinates of an image that were divided by its size."""
    axes = "; ".join(f"{short(a)} to {short(b)} along axis {i}" for i, (a, b) in enumerate(ends, 1))
    return Problem(
        "step", f"Positions run from {axes}, so most pairs hardly turn.", expected=1.0, found=tuple(ends)
    )


def table_start(first: float) -> Problem:
    """A row 0 between whole numbers."""
    text = f"Row 0 holds the position {short(first)}, which is not a whole number."
    return Problem("start", text, rows=(0,), expected=float(round(first)), found=first)


def function_start(at: int, found: float, few: bool) -> Problem:
    """A first position that is turned like another, and others with it, if not all of them."""
    others = ("most " if few else "all ") + ("later" if at else "others")
    text = f"Position {at} is turned as position {short(found)} should be, and {others} are as far off."
    origin = "" if at else "It does no harm as long as queries and keys agree."
    return Problem("start", text, rows=(at,), expected=float(at), found=found, origin=origin)


def rounded(kind: Kind, steps: tuple[str, ...], type_: str, first: int, last: int, unit: str) -> Problem:
    """Steps that were rounded, from the first row or position on that shows it."""
    held = steps[0] if len(steps) == 1 else f"{', '.join(steps[:-1])} and {steps[-1]}"
    what = kind.removeprefix("rounded-").capitalize()
    text = f"{what} are rounded to half precision, which shows from {unit} {first} on: {held} in {type_}."
    if unit == "position" and kind != "rounded-frequencies":
        text += " So scores depend on more than the distance."
    cure = "Compute positions, frequencies and angles in float32 or better, and cast last."
    return Problem(kind, text, rows=(int(first), int(last)), expected="float32", found=type_, cure=cure)


def rough_entries_of_function(type_: str) -> Problem:
    """A function whose cosines and sines have few digits."""
    return Problem("noise", f"Cosines and sines are rounded to {type_}.", expected="float32", found=type_)


def rough_angles(type_: str, off: float) -> Problem:
    """Angles that are held in half precision."""
    text = f"The angles are held in {type_}, which is off by up to {off:.2g} where they are largest."
    cure = "Compute positions, frequencies and angles in float32 or better, and cast last."
    return Problem("rounded-angles", text, expected="float32", found=type_, cure=cure)


def narrowed(type_: str, rising: bool, worst: tuple[int, float] | None, gone: int) -> Problem:
    """Frequencies that were cast to half precision; the pair that is off most, and by how much."""
    text = f"The {'numbers' if rising else 'frequencies'} are rounded to {type_}."
    if worst is not None and not rising:
        pair, off = worst
        text = (
            f"The frequencies are rounded to {type_}: that of pair {pair} is off by {off:.2g}, so its "
            f"angle by 1 at position {1 / off:,.0f}."
        )
        if gone:
            text += f" The last {gone} have become 0."
    origin = "A model that is cast as a whole casts its frequencies, too."
    cure = "Compute frequencies in float32, and keep them in it."
    return Problem("rounded-frequencies", text, expected="float32", found=type_, origin=origin, cure=cure)


# What is wrong with frequencies


def at_rest(columns: Sequence[int]) -> Problem:
    """Pairs of a table that never turn."""
    text = f"Columns {spans(columns)} are the same in every row: their pairs never turn."
    origin = "In a cache for RoPE that turns a part of a head that may be meant."
    return Problem("nothing-turns", text, columns=tuple(columns), origin=origin)


def twice(times: int) -> Problem:
    """Each frequency several times, in pairs side by side."""
    text = f"Each frequency is there {times} times, in pairs side by side, which are copies of one another."
    origin = "Frequencies were repeated, or i // 2 was taken of what had been halved before."
    return Problem("equal-frequencies", text, expected="different frequencies", found=times, origin=origin)


def equal_frequencies(value: float) -> Problem:
    """All pairs alike."""
    text = "All pairs turn at the same frequency, so they are copies of one another: the base is 1."
    origin = "An integer division may have made every exponent 0."
    cure = "Compute the exponent 2i / d in floating point."
    return Problem(
        "equal-frequencies", text, expected="different frequencies", found=value, origin=origin, cure=cure
    )


def unknown_frequencies(values: Sequence[float], slowed: str = "") -> Problem:
    """No law."""
    ratios = [a / b for a, b in itertools.pairwise(values) if b]
    run = f" the ratios of neighbors run from {min(ratios):.4g} to {max(ratios):.4g}." if ratios else ""
    text = f"The frequencies follow no law that is tried:{slowed or run}"
    return Problem(
        "unknown-frequencies", text, expected="one ratio, or a known blend", found=tuple(values[:1000])
    )


def not_falling(column: int, before: float, value: float, times: int) -> Problem:
    """A line of numbers that does not fall, in one place or more often."""
    text = f"The numbers do not fall in column {column} ({short(before)}, then {short(value)})"
    if not column:
        text = f"The first number is {short(value)}, and frequencies are above 0"
    return Problem(
        "unknown-frequencies",
        f"{text}{f', nor in {times - 1} others' * (times > 1 and column > 0)}"
        f"{', as frequencies do' * (column > 0)}.",
        columns=(column,),
        expected="falling numbers",
        found=value,
        origin="Memory that was never filled in may look so." * (times > 1),
        cure="Compute the frequencies, base^(-2i/d), after the buffer is on its device." * (times > 1),
    )


SLOWEST_FIRST = Problem(
    "rising-frequencies",
    "The frequencies rise from pair to pair and end at 1: the usual ones, slowest first.",
    expected="falling",
    found="rising",
    cure="Unless weights expect it, put the pairs in reverse order.",
)


def rising(base: float, over: float, known: bool) -> Problem:
    """Frequencies that rise, those of a known base or others."""
    text = f"The frequencies rise from pair to pair: they are {short(1 / base)}^(+2i/{number(over)})."
    origin = "The position was divided where it should be multiplied, or a minus is missing." * known
    cure = "Multiply the position by base^(-2i/d), or divide it by base^(2i/d), once." * known
    return Problem("rising-frequencies", text, expected="falling", found="rising", origin=origin, cure=cure)


def rising_line(first: float) -> Problem:
    """A line of numbers that rise."""
    what = "divisors of the position, base^(2i/d),"
    if abs(first / (2 * math.pi) - 1) < 1e-2:
        what = "wavelengths, 2 pi base^(2i/d),"
    elif abs(first - 1) > 1e-2:
        what += f" times {short(first)},"
    return Problem(
        "rising-frequencies",
        "The numbers rise from pair to pair, as frequencies do not.",
        expected="falling",
        found="rising",
        origin=f"They may be {what} and not frequencies.",
        cure="Pass the frequencies, base^(-2i/d).",
    )


def odd_base(base: float, expected: tuple[float, float]) -> Problem:
    """A base that nobody uses."""
    return Problem(
        "base", f"The base is {short(base)}, which is in no use that is known.", expected=expected, found=base
    )


def slipped_base(base: float, known: float, slip: str) -> Problem:
    """A base that a slip makes of a usual one."""
    text = f"The base is {short(base)}, which {number(known)} becomes if {slip} is taken for ln."
    return Problem("base", text, expected=known, found=base)


SQUARED_BASE = Problem(
    "base",
    "The base is 10^8, which is 10,000 squared.",
    expected=1e4,
    found=1e8,
    origin="An index that runs 0, 2, 4 and is doubled in 10,000^(2i/d) gives that.",
    cure="Unless it is meant, use the index itself.",
)


# What is wrong with functions that rotate


def not_linear(what: str) -> Problem:
    """A norm, a clip or quantization inside."""
    return Problem(
        "not-linear",
        f"It is not linear: {what}.",
        expected="a rotation",
        found="something else besides",
        origin="A norm, a clip or quantization is inside, before the rotation or after it.",
        cure="Pass the rotation alone.",
    )


ADDED = Problem(
    "added",
    "A vector of zeros does not stay one, so it is not a rotation: something is added.",
    expected="a rotation",
    found="a sum",
    origin="A table of encodings may have been added in place of turning.",
)


NOTHING_TURNS = Problem("nothing-turns", "No entry is turned.", expected="a rotation", found="the input")


def positions_ignored(by_row: bool) -> Problem:
    """All positions give the same, or row numbers are used."""
    if by_row:
        return Problem(
            "positions-ignored",
            "The positions are ignored: a vector is turned by its number in the batch instead.",
            expected="positions",
            found="row numbers",
            origin="RoPE runs along the wrong axis, such as that of the heads.",
            cure="Pass the positions of the tokens, and turn along the axis of the tokens.",
        )
    text = "The positions are ignored: every position gives the same result."
    origin = "The last axis may be taken for that of the positions, or they may be overwritten."
    return Problem("positions-ignored", text, expected="positions", found="one matrix", origin=origin)


COUNTED_FROM_THE_FIRST = Problem(
    "positions-confused",
    "A vector is turned otherwise in company: alone, all positions give the same.",
    origin="Positions are counted from the first one of each call.",
    cure="Use the positions as they are given.",
)


ACROSS_VECTORS = Problem(
    "positions-confused",
    "A vector comes out otherwise when others of the same position come with it.",
    origin="Something may be computed across the vectors of a call, such as a mean.",
)


def in_company(position: float) -> Problem:
    """Other positions matter."""
    text = f"A vector at position {number(position)} is turned otherwise when others come with it."
    origin = "Row numbers, the length of the batch or its largest position, as by dynamic NTK, are used, too."
    return Problem("positions-confused", text, rows=(int(position),), origin=origin)


#: What may make lengths change, by what was seen.
_LENGTHS = {
    "": "",
    "by a constant": "xPos does that: as queries grow with the position keys shrink, or the reverse.",
    "cosines": "The cosine stands where the sine belongs.",
    "sines": "The sine stands where the cosine belongs.",
    "ones": "The factor 1 stands where the cosine belongs.",
    "by position": "All pairs are multiplied by one factor, which depends on the position.",
}


def lengths_change(low: float, high: float, how: str = "") -> Problem:
    """No rotation, and how the lengths change if that was seen."""
    text = "Lengths change: it is not a rotation."
    return Problem("lengths-change", text, expected=1.0, found=(low, high), origin=_LENGTHS[how])


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
    text = (
        "Entries turn in pairs, but in neither layout: the pairs are "
        + ", ".join(f"({a}, {b})" for a, b in pairs[:4])
        + " ..."
    )
    return Problem("pairs-mixed", text, columns=tuple(entries), found=tuple(pairs))


def permuted(order: Index, ways: tuple[str, str] | None) -> Problem:
    """Entries that come out elsewhere."""
    moved = np.flatnonzero(order != np.arange(len(order)))
    return Problem(
        "entries-permuted",
        "The result has the entries in another order: at position 0, where nothing turns, entry "
        f"{int(moved[0])} comes out as entry {int(order[moved[0]])}.",
        columns=tuple(moved.tolist()),
        expected=tuple(range(len(order))),
        found=tuple(order.tolist()),
        origin=f"Pairs come in as {ways[0]} and go out as {ways[1]}." if ways else "",
        cure="Scores stay the same if queries and keys agree; else put entries together as they were taken "
        "apart.",
    )


def torn(how: str, columns: Sequence[int], found: Any = None) -> Problem:
    """Pairs whose second entry does not turn as the first does."""
    text, expected, seen, origin, cure = _TORN[how]
    return Problem(
        "pairs-torn", text, (), tuple(columns), expected, seen if found is None else found, origin, cure
    )


_ROTATION = "x cos - y sin; x sin + y cos"
#: In which way pairs are torn: what is said, what is expected and found, the origin and the cure.
_TORN: dict[str, tuple[str, Any, Any, str, str]] = {
    "mirrored": (
        "Pairs are mirrored and not turned: in each, the sign of the second entry is wrong.",
        "cos, -sin; sin, cos",
        "cos, sin; sin, -cos",
        "",
        "Use x cos - y sin and x sin + y cos; scores are relative all the same if queries and keys agree.",
    ),
    "same sign": (
        "Sines have the same sign in both entries of a pair, so it is not a rotation.",
        "cos, -sin; sin, cos",
        "cos, sin; sin, cos",
        "A minus is missing, as where rotate_half is to negate one half.",
        "Use x cos - y sin and x sin + y cos.",
    ),
    "weights": (
        "The two entries of a pair are multiplied by different numbers, beside the rotation.",
        1.0,
        None,
        "The learned weights of a norm do that.",
        "Try the rotation alone.",
    ),
    **{
        f"{one} overwritten": (
            f"The {other} entry of each pair is computed from the new value of the {one}, not from the old.",
            _ROTATION,
            "the same, with one of x and y overwritten in between",
            f"The {one} was overwritten before the {other} was computed, as where a view of the vector is "
            "written to.",
            "Compute both from the vector as it came: copy it, or write into another.",
        )
        for one, other in (("first", "second"), ("second", "first"))
    },
    "no rotation": (
        "What becomes of the first entry of a pair and what becomes of the second are not one rotation.",
        None,
        None,
        "",
        "",
    ),
    "layouts mixed": (
        "The two entries of a pair turn by different angles, as if two layouts were mixed.",
        None,
        None,
        "Angles were repeated for one layout, and entries swapped for the other.",
        "Repeat the angles as the entries are paired: tile for halves, repeat for neighbors.",
    ),
    "apart": ("The two entries of a pair turn by different angles.", None, None, "", ""),
}


EXCHANGED = Problem(
    "sign",
    "Sines and cosines are exchanged: position 0 is turned by a quarter, and the others back from there.",
    expected=_ROTATION,
    found="x sin - y cos; x cos + y sin",
    cure="Use x cos - y sin and x sin + y cos.",
)


def own_coordinates(forms: Sequence[str], image: bool) -> Problem:
    """Sets of pairs by coordinates that the position is divided into."""
    text = (
        f"Sets of pairs turn by their own coordinates, {', '.join(forms[:-1])} and {forms[-1]} at position "
        "p, so scores depend on more than the distance."
    )
    origin = "That is meant for an image whose tokens are numbered row by row." if image else ""
    return Problem("not-relative", text, found=tuple(forms), origin=origin)


def uneven_sets(sets: Sequence[int]) -> Problem:
    """Sets of pairs by what is no multiple of the position."""
    return Problem(
        "not-relative",
        "Scores depend on more than the distance: the coordinate by which set "
        f"{' and '.join(map(str, sets))} of the pairs turns is no multiple of the position.",
    )


def not_relative(positions_: Index, places: NDArray[Any]) -> Problem:
    """Positions that are turned like others, unevenly."""
    other = np.flatnonzero(np.abs(places - positions_) > 0.01)[:3]
    shown = "; ".join(f"{positions_[i]} as {short(round(float(places[i]), 3))}" for i in other)
    return Problem(
        "not-relative",
        f"Scores depend on more than the distance: positions are turned as others should be, {shown}.",
        rows=few(positions_[:100]),
        expected=few(positions_[:100]),
        found=tuple(places[:100].tolist()),
        origin="The angle is no multiple of the position.",
    )


def stray_from(rows: Index, most: float) -> Problem:
    """Angles that are no multiples of the position, from some position on."""
    text = f"Scores depend on more than the distance, from position {int(rows[0])} on: angles stray."
    return Problem("not-relative", text, rows=few(rows), found=most)


def dealt(names: Frequencies) -> Problem:
    """One progression dealt out to sets of pairs."""
    told = formula(names.base or 0, 2 * (names.over or 0))  # of two sets
    return Problem(
        "unknown-frequencies",
        f"Frequencies are in another order: all pairs turn by the same position, and together they have "
        f"{told}, dealt out in turn.",
        origin="That is meant where the sets turn by the row and the column of an image.",
    )


def no_multiple(position: int) -> Problem:
    """Steps that change."""
    text = f"Scores depend on more than the distance, from position {position} on."
    return Problem("not-relative", text, rows=(position,), origin="The angle is no multiple of the position.")


NO_LAW = Problem("unread", "The angles follow no law that is tried.")
