"""What the page "Check yours" shows of a file: what posread reads in it, and the hands that it tells of."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from posread import Diagnosis, RopeConfig
from posread.files import read
from wavebook.palette import COLOR

#: Hands of a row, dials side by side, and the size of their places.
HANDS, SIDE_BY_SIDE, WIDE, HIGH = 10, 5, 68, 86
RADIUS = 26
#: Where each hand is drawn.
POSITION = 10
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Hands:
    """Some hands that belong together: their frequencies, and how many positions were to be seen, if told."""

    name: str
    omega: tuple[float, ...]
    length: float | None = None


@dataclass(frozen=True)
class Seen:
    """What was read; it prints as its report, and has a picture where there are hands."""

    found: Diagnosis | RopeConfig

    def __repr__(self) -> str:
        return str(self.found)

    def _repr_svg_(self) -> str | None:
        rows = list(hands_of(self.found))
        return draw(rows) if rows else None


def look(path: str, key: str | None = None) -> Seen:
    """Read a file: a table, a line of frequencies, or a configuration.

    It has numbers of NumPy, or numbers as they are printed, or JSON; the key is for a file of several arrays.
    Where it cannot be read, the message of a posread.files.Unreadable, TypeError or ValueError says why.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "pasted.txt")
    >>> _ = path.write_text("1.0 0.1 0.01 0.001")
    >>> look(path)
    Sinusoidal encoding, 8 columns, frequencies alone,
    frequencies 10,000^(-2i/8).
    - No problem found.
    >>> look(path)._repr_svg_().count("<circle")
    4
    """
    return Seen(read(Path(path), key))


def hands_of(found: Diagnosis | RopeConfig) -> Iterator[Hands]:
    """The hands that were read, a row for each axis or type of layer; none where nothing was read.

    >>> from posread import from_config
    >>> config = {"model_type": "llama", "head_dim": 4, "rope_theta": 100.0, "max_position_embeddings": 512}
    >>> list(hands_of(from_config(config)))
    [Hands(name='', omega=(1.0, 0.1), length=512)]
    """
    if isinstance(found, RopeConfig):
        for name, kind in found.kinds.items():
            omega = tuple(map(float, kind.omega[kind.omega > 0]))
            if omega:
                yield Hands(name if len(found.kinds) > 1 else "", omega, kind.trained_length)
        return
    axes = found.reading.axes if found.reading else ()
    for number, axis in enumerate(axes, 1):
        omega = tuple(abs(one) for one in axis.frequencies.values if one)
        at = axis.positions
        if omega:
            length = None if at is None else abs(at.last - at.first)
            yield Hands(f"axis {number}" if len(axes) > 1 else "", omega, length)


def wavelength(omega: float) -> str:
    """How many positions a turn takes, as it fits below a dial.

    >>> [wavelength(omega) for omega in (1.0, 1e-3, 1e-9)]
    ['6.28', '6,283', '6.3·10⁹']
    """
    length = 2 * math.pi / omega
    if length < 1e6:
        return f"{length:.3g}" if length < 1000 else f"{length:,.0f}"
    digits, power = f"{length:.1e}".split("e+")
    return f"{digits}·10{power.lstrip('0').translate(RAISED)}"


def draw(rows: Sequence[Hands]) -> str:
    """Dials: a hand at `POSITION`, shaded what it passes on the length, below it the positions of a turn.

    >>> text = draw([Hands("", (1.0, 0.001), 100)])
    >>> text.count("<circle"), text.count("<path"), "6,283" in text
    (2, 1, True)
    """
    parts, top = [], 0
    for row in rows:
        if row.name:
            parts.append(f'<text x="4" y="{top + 14}">{html.escape(row.name)}</text>')
            top += 20
        chosen = np.unique(np.linspace(0, len(row.omega) - 1, min(HANDS, len(row.omega))).round().astype(int))
        for number, pair in enumerate(chosen):
            x = WIDE * (number % SIDE_BY_SIDE) + WIDE / 2
            y = top + HIGH * (number // SIDE_BY_SIDE) + RADIUS + 4
            parts.append(dial(x, y, row.omega[pair], row.length))
        top += HIGH * math.ceil(len(chosen) / SIDE_BY_SIDE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE * SIDE_BY_SIDE}" height="{top}" '
        f'viewBox="0 0 {WIDE * SIDE_BY_SIDE} {top}" font-family="sans-serif" font-size="13" '
        f'fill="{COLOR["ink"]}">'
        f"{''.join(parts)}</svg>"
    )


def dial(x: float, y: float, omega: float, length: float | None) -> str:
    """One hand; it starts at the top and turns to the right, as in the book."""
    grid, sine, muted = (COLOR[name] for name in ("grid", "sine", "muted"))
    passed = (length or 0) * omega
    parts = [
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="{grid if passed >= 2 * math.pi else "none"}" '
        f'stroke="{muted}"/>'
    ]

    def tip(angle: float) -> str:
        return f"{x + RADIUS * math.sin(angle):.2f} {y - RADIUS * math.cos(angle):.2f}"

    if 0 < passed < 2 * math.pi:
        arc = f"A {RADIUS} {RADIUS} 0 {int(passed > math.pi)} 1 {tip(passed)}"
        parts.append(f'<path d="M {x:g} {y:g} L {tip(0)} {arc} Z" fill="{grid}"/>')
    parts.append(f'<polyline points="{x:g} {y:g} {tip(POSITION * omega)}" stroke="{sine}" stroke-width="3"/>')
    parts.append(f'<text x="{x:g}" y="{y + RADIUS + 17:g}" text-anchor="middle">{wavelength(omega)}</text>')
    return "".join(parts)
