"""The figures of the page "Is it so?": what was said against what is so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from matplotlib.ticker import FuncFormatter, NullFormatter

from posenc.precision import ROUNDING
from wavebook.figures.style import BookFigure, book_figure, new_figure, note
from wavebook.palette import COLOR


class Part(Protocol):
    """What is needed of a claim's part; the figures know nothing of the module that makes it."""

    @property
    def name(self) -> str:
        """What it is a figure of."""

    @property
    def computed(self) -> float | str:
        """What is so."""

    @property
    def claimed(self) -> tuple[float, float] | None:
        """What was said, as a range."""

    @property
    def holds(self) -> bool | None:
        """Whether the two agree; None where nothing can be computed."""


class Finding(Protocol):
    """What is needed of a checked claim."""

    @property
    def id(self) -> str:
        """Its source and number."""

    @property
    def parts(self) -> Sequence[Part]:
        """Its figures and statements."""


class Claimed(NamedTuple):
    """A figure that a claim states, and what is computed for it."""

    id: str
    name: str
    low: float
    high: float
    computed: float
    holds: bool

    @property
    def said(self) -> float:
        """What was said, a range by its middle on a logarithmic axis."""
        return math.sqrt(self.low * self.high)


def figures_of(findings: Iterable[Finding]) -> list[Claimed]:
    """The figures among the parts of all findings, those above zero and above rounding."""
    return [
        Claimed(found.id, part.name, *part.claimed, part.computed, bool(part.holds))
        for found in findings
        for part in found.parts
        if part.claimed and part.claimed[0] > 0
        if not isinstance(part.computed, str) and part.computed > ROUNDING
    ]


@book_figure
def claimed_and_computed(findings: Iterable[Finding]) -> BookFigure:
    """Every figure of the claims, said against computed; those more than a factor of eight off are named."""
    points = figures_of(findings)
    values = [value for point in points for value in (point.low, point.high, point.computed)]
    ends = min(values) / 2, max(values) * 2
    figure = new_figure(7.2, 4.6)
    figure.narrows = False
    axes = figure.subplots()
    axes.plot(ends, ends, color=COLOR["muted"], linewidth=0.8, zorder=0)
    for holds, marker, label in ((True, "o", "holds"), (False, "D", "does not hold")):
        chosen = [point for point in points if point.holds == holds]
        color = COLOR["computed" if holds else "claimed"]
        axes.plot(
            [point.said for point in chosen],
            [point.computed for point in chosen],
            marker,
            color=color,
            markersize=4.5,
            markerfacecolor="none" if holds else color,
            label=label,
        )
    far = sorted(
        (point.said, point.computed, point.id)
        for point in points
        if abs(math.log(point.said / point.computed)) > math.log(8)
    )
    for (before, level, _), (x, y, name) in pairwise([(0.0, 1.0, ""), *far]):
        # A name stands on the side away from the line, unless another point is there.
        left = y > x and not (before > x / 4 and 0.5 < level / y < 2)
        axes.annotate(
            name,
            (x, y),
            (-5 if left else 5, -3),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=8,
            color=COLOR["claimed"],
        )
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="said", ylabel="computed")
    axes.legend(loc="upper left")
    return figure


@book_figure
def near_and_far(lengths: Sequence[int], chances: Sequence[float], base: float) -> BookFigure:
    """How often a far key beats a near one, by how far keys may be; from half on it is a coin toss."""
    figure = new_figure(7.2, 3.4)
    figure.narrows = False
    axes = figure.subplots()
    axes.axhline(0.5, color=COLOR["claimed"], linewidth=1.2)
    axes.axvline(base, color=COLOR["grid"], linewidth=1)
    axes.plot(lengths, chances, "o-", color=COLOR["sine"], markersize=4.5)
    note(axes, "a coin toss", (lengths[0], 0.5), (2, 7), "claimed")
    note(axes, "RoPE", (lengths[-5], chances[-5]), (-6, 6), "sine", ha="right")
    note(axes, "the base", (base, 0.02), (6, 0), "muted")
    axes.set(xscale="log", ylim=(0, 0.6), xlabel="keys up to this far away", ylabel="far key wins")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    return figure
