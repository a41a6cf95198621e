"""The figures of the appendix "Claims, checked": what was said against what is so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from posenc.figures.style import COLOUR, book_figure, new_figure
from posenc.precision import ROUNDING

#: Verdict -> the colour of its part of a bar.
VERDICTS = {"holds": COLOUR["computed"], "partly": COLOUR["muted"], "fails": COLOUR["claimed"]}


def figures_of(findings: Sequence) -> list[tuple[str, object]]:
    """The figures among the parts of all findings, those above zero and above rounding, each with its claim's id."""
    return [
        (found.id, part)
        for found in findings
        for part in found.parts
        if part.claimed and part.claimed[0] > 0 and part.computed > ROUNDING
    ]


def _said(part) -> float:
    """What was said, a range by its middle."""
    return np.sqrt(part.claimed[0] * part.claimed[1])


@book_figure
def verdicts(findings: Sequence) -> Figure:
    """How many claims of each source hold, hold partly, and fail."""
    sources = list(dict.fromkeys(found.id.split("-")[0] for found in findings))
    figure = new_figure(7.2, 0.32 * len(sources) + 0.9)
    axes = figure.subplots()
    rows = np.arange(len(sources))[::-1]
    left = np.zeros(len(sources))
    for verdict, colour in VERDICTS.items():
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
            color=colour,
            edgecolor=COLOUR["paper"],
            linewidth=1.2,
            label=verdict,
        )
        for row, start, count in zip(rows, left, counts):
            if count:
                axes.text(
                    start + count / 2,
                    row,
                    f"{count}",
                    ha="center",
                    va="center",
                    color=COLOUR["paper"],
                    fontsize=9.5,
                )
        left += counts
    axes.set_yticks(rows, sources)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("claims")
    axes.legend(
        ncols=3, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0, borderpad=0.2, handlelength=1
    )
    return figure


@book_figure
def claimed_and_computed(findings: Sequence) -> Figure:
    """Every figure of the claims, said against computed, on logarithmic axes; those off by more than a factor of eight are named."""
    points = figures_of(findings)
    values = [value for _, part in points for value in (*part.claimed, part.computed)]
    ends = min(values) / 2, max(values) * 2
    figure = new_figure(7.2, 4.6)
    axes = figure.subplots()
    axes.plot(ends, ends, color=COLOUR["muted"], linewidth=0.8, zorder=0)
    for holds, marker, label in ((True, "o", "holds"), (False, "D", "does not hold")):
        chosen = [part for _, part in points if part.holds == holds]
        colour = COLOUR["computed" if holds else "claimed"]
        axes.plot(
            [_said(part) for part in chosen],
            [part.computed for part in chosen],
            marker,
            color=colour,
            markersize=4.5,
            markerfacecolor="none" if holds else colour,
            label=label,
        )
    far = sorted(
        (_said(part), part.computed, name)
        for name, part in points
        if abs(np.log(_said(part) / part.computed)) > np.log(8)
    )
    for (before, level, _), (x, y, name) in zip([(0, 1, ""), *far], far):
        # A name stands on the side away from the line, unless another point is there.
        left = y > x and not (before > x / 4 and 0.5 < level / y < 2)
        axes.annotate(
            name,
            (x, y),
            (-5 if left else 5, -3),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=8,
            color=COLOUR["claimed"],
        )
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="said", ylabel="computed")
    axes.legend(loc="upper left")
    return figure


@book_figure
def misses(findings: Sequence) -> Figure:
    """The figures that do not hold, as multiples of the computed value, the nearest at the bottom."""
    wrong = sorted(
        ((name, part) for name, part in figures_of(findings) if not part.holds),
        key=lambda point: abs(np.log(_said(point[1]) / point[1].computed)),
    )
    figure = new_figure(7.2, 0.17 * len(wrong) + 0.7)
    axes = figure.subplots()
    for row, (_, part) in enumerate(wrong):
        low, high = (value / part.computed for value in part.claimed)
        axes.plot([1, np.clip(1, low, high)], [row, row], color=COLOUR["claimed"], linewidth=0.8, zorder=0)
        axes.plot(
            [low, high],
            [row, row],
            color=COLOUR["claimed"],
            marker="D" if low == high else "|",
            markersize=4,
            linewidth=2.5,
        )
    axes.axvline(1, color=COLOUR["computed"], linewidth=1)
    axes.set(xscale="log", ylim=(-0.8, len(wrong) - 0.2), xlabel="said, as a multiple of what is computed")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks(range(len(wrong)), [f"{name}  {part.name}" for name, part in wrong], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure
