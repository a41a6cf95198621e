"""Figures about what goes wrong in programs."""

from __future__ import annotations

import numpy as np

from posenc.encoding import frequencies
from posenc.precision import FloatType, rounded
from wavebook.figures.style import BookFigure, book_figure, letter, new_figure, note
from wavebook.palette import COLOR


@book_figure
def scores_along(
    offset: int = 5,
    dtype: FloatType = "bfloat16",
    d_model: int = 128,
    base: float = 10_000.0,
    last: int = 2000,
) -> BookFigure:
    """RoPE's score of two equal vectors `offset` apart, all along a sequence, with one step rounded.

    >>> [len(ax.lines) for ax in scores_along(last=40).axes]
    [2, 2, 2]
    """
    places, omega = np.arange(last + offset + 1), frequencies(d_model, base)
    true = float(np.cos(offset * omega).mean())
    ways = {
        "frequencies": np.outer(places, rounded(omega, dtype)),
        "positions": np.outer(rounded(places, dtype), omega),
        "angles": rounded(np.outer(places, omega), dtype),
    }
    figure = new_figure(7.2, 2.9)
    charts = figure.subplots(1, 3, sharey=True)
    for ax, name, (what, angles) in zip(charts, "abc", ways.items(), strict=True):
        score = np.cos(angles[offset:] - angles[:-offset]).mean(axis=1)
        ax.axhline(true, color=COLOR["computed"], lw=1.4)
        ax.plot(places[:-offset], score, color=COLOR["claimed"], lw=0.6)
        letter(ax, name, f"{what} rounded")
        ax.set(xlabel="position $p$ of the key", xlim=(0, last))
        ax.locator_params(axis="x", nbins=4)
    note(charts[0], "without rounding", (0, true), (4, 9), "computed")
    charts[0].set(ylabel="score, 1 for offset 0")
    low, high = charts[0].get_ylim()
    charts[0].set_ylim(min(low, true - 0.3), max(high, min(true + 0.3, 1.05)))
    return figure
