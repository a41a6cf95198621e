"""Figures about what goes wrong in programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, Rectangle
from matplotlib.ticker import MaxNLocator

from posenc.encoding import frequencies
from posenc.precision import FloatType, rounded
from wavebook.figures.style import BookFigure, book_figure, draw_dots, hand, letter, new_figure, note
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
    [2, 1, 1]
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
        if what == "frequencies":
            ax.plot(places[:-offset], score, color=COLOR["claimed"], lw=0.8)
        else:  # every third as a dot, which shows the values between which it jumps
            draw_dots(ax, places[:-offset:3], score[::3], 1.2, "claimed")
        letter(ax, name, f"{what} rounded")
        ax.set(xlabel="position $p$ of the key", xlim=(0, last))
        ax.set_xticks([tick for tick in MaxNLocator(4).tick_values(0, last) if 0 <= tick < last])
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


@book_figure
def astray(d_model: int = 512, base: float = 10_000.0, last: int = 2000) -> BookFigure:
    """How far the pair that is worst off points elsewhere if the denominator is d - 2, by position.

    >>> astray(last=100).axes[0].get_xscale()
    'log'
    """
    places, pairs = np.arange(1, last + 1)[:, np.newaxis], np.arange(d_model // 2)
    slip = frequencies(d_model, base) - base ** (-pairs / (len(pairs) - 1))
    off = (2 * np.abs(np.sin(places * slip / 2))).max(axis=1)
    figure = new_figure(7.2, 2.1)
    ax = figure.subplots()
    ax.plot(places, off, color=COLOR["claimed"], lw=1.4)
    for limit in (0.1, 1):
        at = int(np.argmax(off > limit)) + 1
        ax.plot((1, at), (limit, limit), ":", color=COLOR["muted"], lw=1)
        ax.plot(at, limit, "o", color=COLOR["claimed"], ms=5, mew=0)
        note(ax, f"{at}", (at, limit), (-4, 9), "claimed", ha="right")
    ax.set(xscale="log", xlim=(1, last), ylim=(0, None), xlabel="position", ylabel="worst pair off by")
    ticks = [10**n for n in range(5) if 10**n <= last]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.set_yticks((0.1, 1, 2), ("0.1", "1", "2"))
    ax.minorticks_off()
    return figure


@book_figure
def turned_keys(old: float = 0.5, new: float = 0.25, key: int = 3, query: int = 9) -> BookFigure:
    """One hand of a key in a cache and one of a query, the frequency changed: as it should be, stale, cured.

    >>> len(turned_keys().axes)
    3
    """
    figure = new_figure(7.2, 2.1)
    ways = (
        ("both new", new * key, None),
        ("the key still old", old * key, None),
        ("the key turned again", new * key, old * key),
    )
    for ax, name, (title, angle, before) in zip(figure.subplots(1, 3), "abc", ways, strict=True):
        ax.add_patch(Circle((0, 0), 1, fill=False, ec=COLOR["muted"], lw=0.8))
        hands = [("query", new * query, "computed"), ("key", angle, "shifted")]
        if before is not None:
            ax.plot((0, np.sin(before)), (0, np.cos(before)), ":", color=COLOR["muted"], lw=1.2)
        for text, turned, role in hands:
            tip = hand(ax, turned, role)
            side = "left" if tip[0] > 0 else "right"
            note(ax, text, tip, (8 * tip[0], 8 * tip[1]), role, ha=side)
        wrong = abs(angle - new * key) > 1e-9
        first, last = sorted(90 - np.degrees(turned) for _, turned, _ in hands)
        color = COLOR["claimed" if wrong else "computed"]
        ax.add_patch(Arc((0, 0), 0.8, 0.8, theta1=first, theta2=last, ec=color, lw=1.6))
        note(
            ax,
            f"angle {abs(new * query - angle):.2f}",
            (0, -1.3),
            role="claimed" if wrong else "ink",
            ha="center",
        )
        ax.set(aspect="equal", xlim=(-1.5, 1.8), ylim=(-1.5, 1.1))
        ax.axis("off")
        letter(ax, name, title)
    return figure


@book_figure
def sliced(sequences: int = 3, tokens: int = 5) -> BookFigure:
    """The positions that the tokens of a batch get, sliced by the axis of the tokens and by the other one.

    >>> len(sliced().axes)
    2
    """
    figure = new_figure(7.2, 1.7)
    ways = (("by token, as it should be", 1), ("by sequence, without an error", 0))
    for ax, name, (title, axis) in zip(figure.subplots(1, 2), "ab", ways, strict=True):
        role = "computed" if axis else "claimed"
        for row in range(sequences):
            note(ax, f"sequence {row}", (-0.8, row), role="muted", ha="right")
            for n in range(tokens):
                ax.add_patch(Rectangle((n - 0.5, row - 0.5), 1, 1, fill=False, ec=COLOR["muted"], lw=0.8))
                note(ax, str(n if axis else row), (n, row + 0.04), role=role, ha="center")
        ax.set(aspect="equal", xlim=(-3.4, tokens - 0.4), ylim=(sequences - 0.4, -0.6))
        ax.axis("off")
        letter(ax, name, title)
    return figure
