"""The encoding for d_model = 4 on a torus in space, seen in perspective."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from posenc._validate import Float
from posenc.encoding import positional_encoding
from posenc.figures.style import COLOUR, BookFigure, book_figure, new_figure
from posenc.torus import in_perspective, in_view, torus_points, turned, windings


def _parts(ax: Axes, points: Float, tilt: float, **style: Any) -> None:
    """A curve of turned points; what is hidden is faint."""
    flat, visible = in_perspective(points), in_view(points, tilt)
    ax.plot(*np.where(visible[:, np.newaxis], flat, np.nan).T, **style)
    ax.plot(*np.where(visible[:, np.newaxis], np.nan, flat).T, **style | {"alpha": 0.15})


@book_figure
def torus(position: float, base: float, turn: float = 30, tilt: float = 50) -> BookFigure:
    """The curve of the encoding from 0 to `position`, d_model = 4, on the torus and the square that makes it.

    >>> len(torus(20, 4).axes)
    2
    """
    figure = new_figure(7.2, 3.4)
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    left.set(aspect="equal", xlim=(-1.65, 1.65), ylim=(-1.35, 1.35))
    left.axis("off")
    around = np.linspace(0, 2 * np.pi, 121)
    for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
        for fast, slow in ((around, np.full_like(around, angle)), (np.full_like(around, angle), around)):
            mesh = torus_points(np.stack([np.sin(fast), np.cos(fast), np.sin(slow), np.cos(slow)], axis=-1))
            _parts(left, turned(mesh, turn, tilt), tilt, color=COLOUR["grid"], lw=0.6)
    times = np.linspace(0, position, int(20 * position) + 2)
    _parts(
        left,
        turned(torus_points(positional_encoding(times, 4, base)), turn, tilt),
        tilt,
        color=COLOUR["computed"],
        lw=1.2,
    )
    here = turned(torus_points(positional_encoding(position, 4, base)), turn, tilt)
    left.plot(*in_perspective(here), "o", ms=6, color=COLOUR["shifted"])

    angles = np.stack([times, times / np.sqrt(base)])
    wrapped = np.mod(angles, 2 * np.pi)
    jump = np.abs(np.diff(wrapped, axis=1)).max(axis=0) > np.pi
    wrapped[:, 1:][:, jump] = np.nan  # from one edge to the opposite one: the same place on the torus
    right.plot(wrapped[1], wrapped[0], color=COLOUR["computed"], lw=0.9)
    right.plot(*np.mod([position / np.sqrt(base), position], 2 * np.pi), "o", ms=6, color=COLOUR["shifted"])
    right.set(
        aspect="equal",
        xlim=(0, 2 * np.pi),
        ylim=(0, 2 * np.pi),
        xlabel="angle of pair 1",
        ylabel="angle of pair 0",
    )
    for axis in (right.xaxis, right.yaxis):
        axis.set_ticks([0, np.pi, 2 * np.pi], ["0", r"$\pi$", r"$2\pi$"])
    right.spines[["top", "right"]].set_visible(True)
    closes = windings(base)
    root = np.sqrt(base)
    figure.supxlabel(
        rf"$\sqrt{{b}}$ = {root:g} = {closes[0]}/{closes[1]}: "
        f"closed after {2 * np.pi * closes[0]:.2f} positions"
        if closes
        else rf"$\sqrt{{b}}$ = {root:.4f}…, no fraction: it never closes",
        size=11,
    )
    return figure
