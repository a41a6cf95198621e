"""What is said of rows and columns that are not as they should be."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.diagnosis.layouts import Columns
from posread.diagnosis.phases import Index
from posread.diagnosis.reading import (
    Frequencies,
    Positions,
    Problem,
    number,
    spans,
)


def equal_rows(row: Float, n: int) -> Problem:
    """The one problem of a table whose rows are all alike."""
    return Problem(
        "equal-rows",
        f"All {n} rows are equal, so the table says nothing about order.",
        rows=(0, n - 1),
        expected="a row for each position",
        found="one row",
        origin="One row was added to every token: rows were taken along a wrong axis, or one index was used.",
        cure="Give each token its own row: table[positions].",
    )


def extra_columns(layout: Columns, lead: int) -> Problem:
    """Columns in front of the pairs that are not their coordinates."""
    count = len(layout.extra)
    columns = tuple(lead + c for c in layout.extra)
    text = f"Column{'s' * (count > 1)} {spans(columns)} {'are' if count > 1 else 'is'} no part of the pairs."
    return Problem(
        "extra-columns",
        text,
        columns=columns,
        cure="Leave them out, and ask again.",
    )


def scale_origin(scale: float, width: int) -> str:
    """Where a known scale comes from; empty for others."""
    for d in (width,):
        if abs(scale / math.sqrt(d) - 1) < 2e-3:
            return f"That is the root of d = {d}: the encoding was multiplied with the embedding."
        if abs(scale * math.sqrt(d) - 1) < 2e-3:
            return f"That is 1 over the root of d = {d}."
        if abs(scale / math.sqrt(2 / d) - 1) < 2e-3:
            return "Rows have norm 1: they were normalized."
    return ""


def empty_rows(rows: Index) -> list[Problem]:
    """Rows of zeros, if there are any."""
    if not rows.size:
        return []
    be = "is" if rows.size == 1 else "are"
    return [Problem("zero-rows", f"{named_rows(rows)} {be} zero, as for padding.", rows=few(rows))]


def how_often(repeated: Index, n: int) -> str:
    """The end of a sentence: how often each row is there, if several times."""
    times = copies(np.setdiff1d(np.arange(n), repeated), n)
    return f": each is there {times} times." if times > 1 else "."


def copies(seen: Index, n: int) -> int:
    """How often each row is there in a run, if those in ``seen`` are the first of each; else 1."""
    times = n // max(seen.size, 1)
    return times if seen.size * times == n and (seen == times * np.arange(seen.size)).all() else 1


def repeat_origin(rows: Index, n: int) -> str:
    """Where repeated rows at the end come from; empty for others."""
    if rows[-1] == n - 1 and rows.size == n - rows[0] and rows.size > 1:
        return "The index was clipped at the table's end, or it began again."
    return ""


def named_rows(rows: Index) -> str:
    """Rows by their numbers, as a sentence begins."""
    return f"Row{'s' * (rows.size > 1)} {spans(rows.tolist())}"


def few(rows: Index) -> tuple[int, ...]:
    """Row numbers as data; of very many only the first thousand."""
    return tuple(rows[:1000].tolist())


def astray(rows: Index, miss: Float, n: int) -> list[Problem]:
    """Rows that no position explains."""
    middle, most = float(np.median(miss)), float(miss.max())
    if rows.size > 0.9 * n:
        return [
            Problem(
                "noise",
                f"{rows.size} of {n} rows that were read are off by a little: hands miss their places by "
                f"{middle:.2g} in a typical one, and by at most {most:.2g}.",
                expected=0.0,
                found=middle,
                origin="The table was changed after it was made, as training does, or rounded on the way.",
            )
        ]
    what = "is" if rows.size == 1 else "are"
    return [
        Problem(
            "rows-off",
            f"{named_rows(rows)} {what} no encoding with these frequencies: hands miss their places by up to "
            f"{most:.2g}.",
            rows=few(rows),
            expected=0.0,
            found=most,
        )
    ]


def uneven(rows: Index, places: Float, good: NDArray[np.bool_], miss: Float, precise: Float) -> list[Problem]:
    """Positions that lie on no line."""
    shown = ", ".join(number(round(float(p), 6)) for p in places[:5])
    steps = np.diff(places)
    order = "rise" if (steps > 0).all() else "fall" if (steps < 0).all() else "go up and down"
    result = [
        Problem(
            "uneven",
            f"Positions are uneven: they {order}, and begin {shown}.",
            rows=(int(rows[0]), int(rows[-1])),
            found=tuple(float(p) for p in places[:1000]),
            origin="For time steps that may be meant.",
        )
    ]
    if not good.all():
        result += astray(rows[~good], miss[~good], len(rows))
    return result


def out_of_place(rows: Index, places: Float, told: Float) -> Problem:
    """Rows that hold another position than the line has for them."""
    shown = "; ".join(
        f"row {r} has {number(round(float(p), 4))} and not {number(round(float(t), 4))}"
        for r, p, t in list(zip(rows.tolist(), places, told, strict=True))[:3]
    )
    more = f"; and {rows.size - 3} more" if rows.size > 3 else ""
    return Problem(
        "rows-out-of-place",
        f"Some rows hold other positions than the rest says: {shown}{more}.",
        rows=few(rows),
        expected=tuple(float(t) for t in told[:1000]),
        found=tuple(float(p) for p in places[:1000]),
    )


def of_line(positions: Positions, n: int, names: Frequencies) -> list[Problem]:
    """What is odd about start and step; hands that are all alike do not tell."""
    result: list[Problem] = []
    if names.law == "equal":
        return result
    first, last, step = positions.first, positions.last, positions.step
    assert step is not None
    if step < 0:
        result.append(
            Problem(
                "reversed",
                f"The rows are in reverse order: row 0 holds {number(first)}, the last {number(last)}.",
                expected=abs(step),
                found=step,
                cure="Unless it is meant, as for relative positions or time steps, turn the table around.",
            )
        )
    if not float(step).is_integer():
        origin = ""
        if abs(step * (n - 1) - n) < 1e-6 * n:
            origin = f"That is linspace(0, {n}, {n}), which has {n - 1} steps."
        elif abs(step * (n - 1) - round(step * (n - 1))) < 1e-6 and abs(step) < 1 and round(step * (n - 1)):
            origin = f"Positions run from {number(first)} to {number(last)} in {n} rows."
        if abs(step) < 0.5 and abs(last - first) <= 1 + 1e-6:
            origin += " Most pairs hardly turn."
        for factor, words in (
            (180 / math.pi, "degrees were taken for radians"),
            (2 * math.pi, "positions were multiplied by 2 pi"),
        ):
            if abs(abs(step) / factor - 1) < 1e-5:
                origin = f"As if {words}."
        result.append(
            Problem(
                "step",
                f"The rows are {number(abs(step))} positions apart, or the first frequency is not 1.",
                expected=1.0,
                found=step,
                origin=origin.strip(),
            )
        )
    if not float(first).is_integer():
        result.append(
            Problem(
                "start",
                f"Row 0 holds the position {number(first)}, which is not a whole number.",
                rows=(0,),
                expected=float(round(first)),
                found=first,
            )
        )
    return result
