"""The figures of the chapter "Two dimensions"."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.figures.style import COLOUR, DIVERGING, BookFigure, book_figure, letter, new_figure

SINE, COSINE = r"$\sin p$", r"$\cos p$"


def _waves(ax: Axes, last: int, dots: bool) -> None:
    """Both curves from position 0 to `last`, directly labelled; dots mark the integers."""
    curve, integers = np.linspace(0, last, 40 * last + 1), np.arange(last + 1)
    for column, role, name in ((0, "sine", SINE), (1, "cosine", COSINE)):
        ax.plot(curve, positional_encoding(curve, 2)[:, column], color=COLOUR[role], lw=1.1)
        if dots:
            ax.plot(integers, positional_encoding(integers, 2)[:, column], "o", ms=3.4, color=COLOUR[role])
        end = positional_encoding(last, 2)[column]
        ax.annotate(
            name, (last, end), xytext=(6, 0), textcoords="offset points", color=COLOUR[role], va="center"
        )
    ax.axhline(0, color=COLOUR["grid"], lw=0.8, zorder=0)
    ax.set(xlabel="position $p$", yticks=[-1, 0, 1], ylim=(-1.25, 1.25))


def _circle(ax: Axes) -> None:
    """The unit circle in the plane of (sin, cos), with its two axes in their colours."""
    turn = np.linspace(0, 2 * np.pi, 361)
    ax.plot(np.sin(turn), np.cos(turn), color=COLOUR["grid"], lw=1, zorder=0)
    ax.axhline(0, color=COLOUR["grid"], lw=0.6, zorder=0)
    ax.axvline(0, color=COLOUR["grid"], lw=0.6, zorder=0)
    ax.set_aspect("equal")
    ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), xticks=[-1, 0, 1], yticks=[-1, 0, 1])


@book_figure
def four_views(line: int = 19, rows: int = 14, orbit: int = 12, long: int = 99) -> BookFigure:
    """Four pictures of the same code, d_model = 2: as curves, as a heatmap, as an orbit, and from afar.

    ``line``, ``rows``, ``orbit``, ``long`` are the last positions shown in panels (a) to (d).

    >>> [ax.get_title("left")[:3] for ax in four_views().axes[:4]]
    ['(a)', '(b)', '(c)', '(d)']
    """
    figure = new_figure(7.2, 6.2)
    grid = figure.subplot_mosaic("ab;cd", height_ratios=[1, 1.35])
    letter(grid["a"], "a", "as curves")
    _waves(grid["a"], line, dots=True)
    grid["a"].set_xticks(range(0, line + 1, 5))

    letter(grid["b"], "b", "as a heatmap")
    image = grid["b"].imshow(
        positional_encoding(np.arange(rows + 1), 2).T,
        cmap=DIVERGING,
        vmin=-1,
        vmax=1,
        aspect="auto",
        interpolation="none",
    )
    grid["b"].set(xlabel="position $p$", yticks=[0, 1], xticks=range(0, rows + 1, 2))
    grid["b"].set_yticklabels([SINE, COSINE])
    for label, role in zip(grid["b"].get_yticklabels(), ("sine", "cosine"), strict=True):
        label.set_color(COLOUR[role])
        label.set_fontsize(11)
    grid["b"].tick_params(length=0)
    bar = figure.colorbar(
        image, ax=grid["b"], location="bottom", ticks=[-1, 0, 1], aspect=30, shrink=0.7, pad=0.04
    )
    bar.outline.set_visible(False)

    letter(grid["c"], "c", "as an orbit")
    _circle(grid["c"])
    encodings = positional_encoding(np.arange(orbit + 1), 2)
    grid["c"].plot(*encodings.T, color=COLOUR["muted"], lw=0.5, alpha=0.7)
    grid["c"].plot(*encodings.T, "o", ms=4, color=COLOUR["ink"])
    for place, encoding in enumerate(encodings):
        # Two turns fit on the page: the first lap's labels stand outside the circle, the second's inside.
        grid["c"].annotate(
            str(place),
            encoding * (1.16 if place < 2 * np.pi else 0.83),
            ha="center",
            va="center",
            fontsize=9.5,
        )
    grid["c"].set_xlabel(SINE, color=COLOUR["sine"])
    grid["c"].set_ylabel(COSINE, color=COLOUR["cosine"], rotation=0)

    letter(grid["d"], "d", "from afar")
    _waves(grid["d"], long, dots=False)
    return figure


@book_figure
def near_returns(max_offset: int = 1000) -> BookFigure:
    """The chord |PE(p + k) - PE(p)| for k = 1 .. max_offset, d_model = 2, and the offsets that set a record.

    >>> near_returns(50).axes[0].get_yscale()
    'log'
    """
    offsets = np.arange(1, max_offset + 1)
    chords = 2 * np.abs(np.sin(offsets / 2))
    record = chords <= np.minimum.accumulate(chords)
    figure = new_figure(7.2, 3.2)
    ax = figure.subplots()
    ax.plot(offsets, chords, ".", ms=2.2, color=COLOUR["muted"], alpha=0.6, mec="none")
    ax.plot(offsets[record], chords[record], "o", ms=5, color=COLOUR["computed"])
    for k, chord in zip(offsets[record], chords[record], strict=True):
        ax.annotate(str(k), (k, chord), xytext=(0, -13), textcoords="offset points", ha="center")
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="offset $k$",
        ylabel=r"chord  $2\,|\sin(k/2)|$",
        xlim=(0.8, max_offset * 1.1),
    )
    ax.set_ylim(bottom=chords.min() / 4)
    return figure


@book_figure
def straight_line_error(furthest: float = 3.0) -> BookFigure:
    """The error of PE(p) + k PE'(p) against PE(p + k), d_model = 2, and the bound k^2/2, up to k = furthest.

    >>> len(straight_line_error().axes[0].lines)
    2
    """
    k = np.linspace(0, furthest, 200)
    start, velocity = positional_encoding(0, 2), np.array([1.0, 0.0])  # at p = 0: (0, 1), moving to the right
    error = np.linalg.norm(positional_encoding(k, 2) - (start + k[:, None] * velocity), axis=-1)
    figure = new_figure(7.2, 2.7)
    ax = figure.subplots()
    ax.plot(k, k**2 / 2, "--", color=COLOUR["muted"], lw=1.1)
    ax.plot(k, error, color=COLOUR["computed"])
    ax.annotate(
        r"bound  $k^2/2$",
        (k[-1], k[-1] ** 2 / 2),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=COLOUR["muted"],
    )
    ax.annotate(
        "error",
        (k[-1], error[-1]),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=COLOUR["computed"],
    )
    ax.set(xlabel="offset $k$", ylabel="length of the error", xlim=(0, furthest), ylim=(0, None))
    return figure


@book_figure
def circles(position: float, d_model: int, base: float) -> BookFigure:
    """Every pair of the code of one position as a point on its own circle, with its path so far.

    d_model up to 8 fits the page; position and base as in :func:`posenc.positional_encoding`.

    >>> len(circles(3, 4, 10_000).axes)
    2
    """
    omega, waves = frequencies(d_model, base), wavelengths(d_model, base)
    encoding = positional_encoding(position, d_model, base).reshape(-1, 2)
    figure = new_figure(7.2, 2.9)
    for i, ax in enumerate(figure.subplots(1, d_model // 2, squeeze=False)[0]):
        _circle(ax)
        # One turn of path is all there is to see; the count of turns says the rest.
        path = np.linspace(0, min(position, waves[i]), 200) * omega[i]
        ax.plot(np.sin(path), np.cos(path), color=COLOUR["muted"], lw=1.6)
        ax.plot([0, encoding[i, 0]], [0, encoding[i, 1]], color=COLOUR["ink"], lw=1)
        ax.plot(*encoding[i], "o", ms=6, color=COLOUR["ink"])
        ax.set_title(f"pair {i}: {position / waves[i]:.2f} turns", fontsize=10.5)
        ax.set_xlabel(rf"$\lambda_{i}$ = {waves[i]:,.4g}")
    return figure
