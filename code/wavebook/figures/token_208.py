"""The figures about a published language model: a head's far look, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavebook.figures.style import BookFigure, book_figure, name_rows, new_figure, note
from wavebook.palette import COLOR


@book_figure
def spike(weights: ArrayLike, look: int, near: int) -> BookFigure:
    """Mean weight of one head by offset: the near one leaves the frame.

    >>> len(spike([0.0, 0.6, 0.0, 0.05], 3, 1).axes)
    1
    """
    values = 100 * np.asarray(weights, dtype=np.float64)
    figure = new_figure(7.2, 2.6)
    figure.flat = True
    ax = figure.subplots()
    top = 1.3 * values[look]
    ax.plot(np.minimum(values, 1.2 * top), color=COLOR["ink"], lw=1)
    note(ax, f"{near} back: {values[near]:.0f} %", (near, top), (8, -10), ha="left", fontsize=10)
    note(ax, f"{look} back: {values[look]:.1f} %", (look, values[look]), (0, 6), "claimed", fontsize=10)
    ax.set(xlim=(-8, len(values)), ylim=(0, top), xlabel="how many tokens back", ylabel="mean weight, %")
    return figure


@book_figure
def caused(differences: ArrayLike, low: int, high: int, there: int, ends: tuple[float, float]) -> BookFigure:
    """What a head adds to the effect of a changed token, (sequences, offsets), by how far back it is.

    The mean is on a band of their mean size; at one place each is a dot, beside the mean's interval.

    >>> len(caused(np.zeros((2, 500)), 40, 470, 208, (-0.1, 0.1)).axes[0].lines)
    5
    """
    figure = new_figure(7.2, 2.5)
    figure.flat = True
    ax = figure.subplots()
    each = np.asarray(differences, dtype=np.float64)
    values, shown = each.mean(0), np.arange(low, high + 1)
    sizes = np.abs(each).mean(0)[shown]
    ax.fill_between(shown, -sizes, sizes, color=COLOR["grid"], lw=0.8)
    ax.axhline(0, color=COLOR["muted"], lw=0.8)
    ax.plot(shown, values[shown], color=COLOR["ink"], lw=1)
    ax.plot(np.full(len(each), there), each[:, there], "o", color=COLOR["claimed"], ms=3, mew=0, alpha=0.7)
    ax.plot([there + 12] * 2, ends, color=COLOR["claimed"], lw=2.4, solid_capstyle="butt")
    ax.plot(there + 12, values[there], "o", color=COLOR["claimed"], ms=5, mew=0)
    note(ax, f"{there} back", (there + 12, ends[1]), (7, 0), "claimed", ha="left", fontsize=10)
    ax.set(xlim=(low, high), xlabel="how far back the changed token is", ylabel="difference of logarithms")
    return figure


@book_figure
def rises(values: Mapping[str, ArrayLike], ends: Sequence[tuple[float, float]]) -> BookFigure:
    """How much the loss rises: each text as a small dot, and the mean with its interval.

    >>> len(rises({"these": [0.0, 0.1], "others": [0.2, 0.3]}, [(0.0, 0.1), (0.2, 0.3)]).axes)
    1
    """
    figure = new_figure(7.2, 0.8 + 0.42 * len(values))
    figure.flat = True
    ax = figure.subplots()
    ax.axvline(0, color=COLOR["muted"], lw=0.8)
    for row, (each, (low, high)) in enumerate(zip(values.values(), ends, strict=True)):
        drawn = np.asarray(each, dtype=np.float64)
        ax.plot(
            drawn, np.full(len(drawn), row + 0.22), "o", color=COLOR["computed"], ms=2.6, mew=0, alpha=0.85
        )
        ax.plot([low, high], [row - 0.12] * 2, color=COLOR["claimed"], lw=2.4)
        ax.plot(drawn.mean(), row - 0.12, "o", color=COLOR["claimed"], ms=5, mew=0)
    ax.set(ylim=(len(values) - 0.5, -0.5), xlabel="rise of the loss from position 256 on, nats")
    name_rows(ax, list(values))
    return figure
