"""The figures of the appendix "Claims, checked": what was said against what is so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from posenc.precision import ROUNDING
from wavebook.figures.style import BookFigure, book_figure, name_rows, new_figure
from wavebook.palette import COLOR

#: Verdict -> the color of its part of a bar.
VERDICTS = {
    "holds": COLOR["computed"],
    "partly": COLOR["muted"],
    "fails": COLOR["claimed"],
    "reported": COLOR["grid"],
    "not published": COLOR["paper"],
}


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
    def verdict(self) -> str:
        """A key of VERDICTS."""

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
def verdicts(findings: Sequence[Finding]) -> BookFigure:
    """How many claims of each source hold, hold partly, fail, or are a matter of reports."""
    sources = list(dict.fromkeys(found.id.split("-")[0] for found in findings))
    figure = new_figure(7.2, 0.32 * len(sources) + 0.9)
    axes = figure.subplots()
    rows = np.arange(len(sources))[::-1]
    left = np.zeros(len(sources))
    for verdict, color in VERDICTS.items():
        if not any(found.verdict == verdict for found in findings):
            continue
        counts = np.array(
            [
                sum(found.verdict == verdict and found.id.split("-")[0] == source for found in findings)
                for source in sources
            ]
        )
        axes.barh(
            rows,
            counts,
            0.62,
            left=left,
            color=color,
            edgecolor=COLOR["muted" if color == COLOR["paper"] else "paper"],
            linewidth=1.2,
            label=verdict,
        )
        for row, start, count in zip(rows, left, counts, strict=True):
            if count:
                axes.text(
                    start + count / 2,
                    row,
                    f"{count}",
                    ha="center",
                    va="center",
                    color=COLOR["ink" if color in (COLOR["grid"], COLOR["paper"]) else "paper"],
                    fontsize=9.5,
                )
        left += counts
    name_rows(axes, sources[::-1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("claims")
    axes.legend(
        ncols=5, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0, borderpad=0.2, handlelength=1
    )
    return figure


@book_figure
def claimed_and_computed(findings: Iterable[Finding]) -> BookFigure:
    """Every figure of the claims, said against computed; those more than a factor of eight off are named."""
    points = figures_of(findings)
    values = [value for point in points for value in (point.low, point.high, point.computed)]
    ends = min(values) / 2, max(values) * 2
    figure = new_figure(7.2, 4.6)
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
def misses(findings: Iterable[Finding]) -> BookFigure:
    """The figures that do not hold, as multiples of the computed value, the nearest at the bottom."""
    wrong = sorted(
        (point for point in figures_of(findings) if not point.holds),
        key=lambda point: abs(math.log(point.said / point.computed)),
    )
    figure = new_figure(7.2, 0.17 * len(wrong) + 0.7)
    axes = figure.subplots()
    for row, point in enumerate(wrong):
        low, high = point.low / point.computed, point.high / point.computed
        axes.plot([1, np.clip(1, low, high)], [row, row], color=COLOR["claimed"], linewidth=0.8, zorder=0)
        axes.plot(
            [low, high],
            [row, row],
            color=COLOR["claimed"],
            marker="D" if low == high else "|",
            markersize=4,
            linewidth=2.5,
        )
    axes.axvline(1, color=COLOR["computed"], linewidth=1)
    axes.set(xscale="log", ylim=(-0.8, len(wrong) - 0.2), xlabel="claimed, as a multiple of what is computed")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    name_rows(axes, [f"{point.id}  {point.name}" for point in wrong], fontsize=8)
    return figure
