"""Figures about what goes wrong in programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Rectangle

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


def _cells(ax: Axes, inside: Sequence[str], below: Sequence[str], above: float) -> None:
    """A row of cells with something written in each and below each, and room `above` them."""
    for n, (text, under) in enumerate(zip(inside, below, strict=True)):
        ax.add_patch(Rectangle((n - 0.5, 0), 1, 1, fill=False, ec=COLOR["muted"], lw=0.8))
        note(ax, text, (n, 0.48), ha="center")
        note(ax, under, (n, -0.55), ha="center")
    ax.set(aspect="equal", xlim=(-0.6, len(inside) - 0.4), ylim=(-1.1, 1 + above))
    ax.axis("off")


@book_figure
def layouts(d_model: int = 8) -> BookFigure:
    """Which entries of a head RoPE turns together in each layout, and by which angle; last, a mixture.

    >>> len(layouts().axes)
    3
    """
    half = d_model // 2
    neighbors, halves = np.arange(d_model) // 2, np.arange(d_model) % half
    figure = new_figure(7.2, 1.75)
    ways = (
        ("interleaved", neighbors, neighbors),
        ("halves", halves, halves),
        ("mixed: no rotation", halves, neighbors),
    )
    for ax, name, (title, partners, angles) in zip(figure.subplots(1, 3), "abc", ways, strict=True):
        _cells(ax, [str(n) for n in range(d_model)], [rf"$\theta_{n}$" for n in angles], above=2.3)
        for pair in range(half):
            first, second = np.flatnonzero(partners == pair)
            role = "computed" if angles[first] == angles[second] else "claimed"
            apart = float(second - first)
            ax.add_patch(
                Arc(((first + second) / 2, 1), apart, apart, theta1=0, theta2=180, ec=COLOR[role], lw=1.4)
            )
        letter(ax, name, title)
    return figure


@book_figure
def rows(
    padded: Sequence[str], positions: Sequence[int], packed: Sequence[str], restarted: Sequence[int]
) -> BookFigure:
    """A padded row ("pad" has no position) and a packed one, with places in the row and positions.

    >>> len(rows(["pad", "one"], [0, 0], ["A", "B"], [0, 0]).axes)
    2
    """
    figure = new_figure(7.2, 1.75)
    ways = (("padded on the left", padded, positions), ("two documents, packed", packed, restarted))
    for ax, name, (title, cells, right) in zip(figure.subplots(1, 2), "ab", ways, strict=True):
        below = ["–" if cell == "pad" else str(p) for cell, p in zip(cells, right, strict=True)]
        _cells(ax, cells, below, above=1)
        for n in range(len(cells)):
            note(ax, str(n), (n, 1.45), role="muted", ha="center")
        note(ax, "place", (-0.7, 1.45), role="muted", ha="right")
        note(ax, "position", (-0.7, -0.55), ha="right")
        ax.set_xlim(-2.3, len(cells) - 0.4)
        letter(ax, name, title)
    return figure
