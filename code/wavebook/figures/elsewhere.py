"""Figures about the same encoding in images, diffusion models, fields in space, and time series."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from posenc.distance import encoding_distance, similarity
from posenc.encoding import frequencies
from wavebook.figures.style import BookFigure, book_figure, letter, new_figure, note
from wavebook.palette import COLOR, PALETTE


@book_figure
def patches(side: int = 14, row: int = 6, column: int = 6) -> BookFigure:
    """Similarity of every patch of an image to one of them, for two choices of frequencies on each axis.

    >>> len(patches(4, 1, 1).axes)
    3
    """
    figure = new_figure(6.4, 3.2)
    charts = figure.subplots(1, 2, sharey=True)
    places = np.arange(side)
    shades = LinearSegmentedColormap.from_list("paper-to-blue", [COLOR["paper"], PALETTE["diverging"][0]])
    for ax, name, (d_axis, base) in zip(charts, "ab", ((384, 1e4), (32, 1e2)), strict=True):
        down, across = (similarity(places - place, d_axis, base) / (d_axis / 2) for place in (row, column))
        picture = ax.imshow(
            np.add.outer(down, across) / 2,
            cmap=shades,
            vmin=0.3,
            vmax=1,
            interpolation="none",
            aspect="auto",  # nearly square all the same; fixed, it pushes the label out of the narrow form
        )
        ax.plot(column, row, "+", color=COLOR["ink"], ms=9)
        letter(ax, name, f"$d$ = {2 * d_axis}, base {base:,.0f}")
        ax.set(xlabel="column", xticks=places[::4], yticks=places[::4])
    charts[0].set_ylabel("row")
    figure.colorbar(picture, ax=charts, shrink=0.85, label="similarity, 1 for itself")
    return figure


@book_figure
def time_steps(step: int = 500, d_model: int = 128, last: int = 1000) -> BookFigure:
    """Distance of each time step to one of them: steps as whole numbers, and divided by their number.

    >>> len(time_steps(5, 8, 10).axes[0].lines)
    2
    """
    steps = np.arange(last + 1)
    figure = new_figure(7.2, 2.9)
    ax = figure.subplots()
    for scale, role, name in ((1.0, "computed", "$0 \\dots 1000$"), (1 / last, "claimed", "$0 \\dots 1$")):
        apart = encoding_distance((steps - step) * scale, d_model)
        ax.plot(steps, apart, color=COLOR[role], lw=1.2)
        note(ax, f"time runs over {name}", (steps[-1], apart[-1]), (6, 0), role)
    ax.set(xlabel="step, out of a thousand", ylabel=f"distance to step {step}")
    ax.set(xlim=(0, 1.32 * last), ylim=(0, None))
    ax.set_xticks(np.linspace(0, last, 5))
    ax.spines["bottom"].set_bounds(0, last)
    ax.xaxis.set_label_coords(0.5 / 1.32, -0.16)
    return figure


@book_figure
def three_spectra(pairs: int = 256, sigma: float = 1.0) -> BookFigure:
    """Similarity against distance for a geometric, an octave and a normally distributed spectrum.

    >>> len(three_spectra(8).axes[0].lines)
    5
    """
    octaves = 10
    returns = 2 * np.pi * 2.0 ** np.arange(octaves - 2)  # narrow peaks, which an even grid would miss
    around = np.add.outer(returns, np.linspace(-6, 6, 25)).ravel()
    apart = np.union1d(np.geomspace(0.03, 1e3, 2000), around[around > 0.03])
    normal = sigma * np.random.default_rng(0).normal(size=pairs)
    spectra = {
        "octaves": (2.0 ** -np.arange(octaves), "cosine", (6, 0.5), "right"),
        "geometric": (frequencies(2 * pairs), "computed", (3, 0.9), "left"),
        "normal": (normal, "claimed", (0.9, 0.42), "right"),
    }
    figure = new_figure(7.2, 3.2)
    ax = figure.subplots()
    ax.axhline(0, color=COLOR["grid"], lw=0.8)
    for name, (omega, role, at, side) in spectra.items():
        ax.plot(apart, similarity(apart, omega=omega) / omega.size, color=COLOR[role], lw=1.1)
        note(ax, name, at, role=role, ha=side)
    last = float(returns[-1])
    peak = float(similarity(last, omega=spectra["octaves"][0])) / octaves
    ax.plot(last, peak, "o", ms=4, color=COLOR["cosine"])
    note(ax, f"{peak:.2f}", (last, peak), (4, 6), "cosine", ha="right", va="bottom")
    ax.set(xscale="log", xlabel="distance", ylabel="similarity, 1 for distance 0", xlim=(0.03, 1e3))
    return figure


@book_figure
def hours(hour: int = 23, d_model: int = 64) -> BookFigure:
    """Distance of each hour of the day to one of them: the usual frequencies, and those of a day.

    >>> len(hours(d_model=8).axes[0].lines)
    4
    """
    day = np.arange(24)
    figure = new_figure(7.2, 2.8)
    ax = figure.subplots()
    for omega, role, name, at in (
        (frequencies(d_model), "claimed", "usual frequencies", 12),
        (2 * np.pi / 24 * np.arange(1, 4), "computed", "harmonics of a day", 7),
    ):
        apart = encoding_distance(day - hour, omega=omega)
        apart = apart / np.sqrt(2 * omega.size)
        ax.plot(day, apart, "o-", color=COLOR[role], ms=3.5, lw=1)
        ax.plot(0, apart[0], "o", ms=9, mfc="none", color=COLOR[role], clip_on=False)
        note(ax, name, (at, apart[at]), (0, -12), role, ha="center")
    note(ax, "midnight", (0, apart[0]), (8, -9), ha="left")
    ax.set(xlabel="hour", ylabel=f"distance to hour {hour}", xlim=(-0.5, 23.5), ylim=(0, 1.25))
    ax.set_xticks(range(0, 24, 3))
    return figure
