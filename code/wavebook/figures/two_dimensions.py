"""The figures of the chapter "Two dimensions"."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from posenc.encoding import frequencies, positional_encoding, wavelengths
from wavebook.figures.style import BookFigure, book_figure, new_figure, note
from wavebook.palette import COLOR


def _circle(ax: Axes) -> None:
    """The unit circle in the plane of (sin, cos), with its two axes in their colors."""
    turn = np.linspace(0, 2 * np.pi, 361)
    ax.plot(np.sin(turn), np.cos(turn), color=COLOR["grid"], lw=1, zorder=0)
    ax.axhline(0, color=COLOR["grid"], lw=0.6, zorder=0)
    ax.axvline(0, color=COLOR["grid"], lw=0.6, zorder=0)
    ax.set_aspect("equal")
    ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), xticks=[-1, 0, 1], yticks=[-1, 0, 1])


@book_figure
def circles(position: float, d_model: int, base: float) -> BookFigure:
    """Every pair of the encoding of one position as a point on its own circle, with its path so far.

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
        ax.plot(np.sin(path), np.cos(path), color=COLOR["muted"], lw=1.6)
        ax.plot([0, encoding[i, 0]], [0, encoding[i, 1]], color=COLOR["ink"], lw=1)
        ax.plot(*encoding[i], "o", ms=6, color=COLOR["ink"])
        ax.set_title(f"pair {i}: {position / waves[i]:.2f} turns", fontsize=10.5)
        ax.set_xlabel(rf"$\lambda_{i}$ = {waves[i]:,.4g}")
    return figure


@book_figure
def same_sine(sine: float) -> BookFigure:
    """Two hands with the same sine, the step that each takes, and where they are on the wave.

    `sine` is between -1 and 1; a step is one radian, as hand 0's.

    >>> [ax.get_xlabel() for ax in same_sine(0.5).axes]
    ['sine', 'position']
    """
    figure = new_figure(7.2, 2.6)
    dial, wave = figure.subplots(1, 2, sharey=True)
    _circle(dial)
    dial.axvline(sine, color=COLOR["sine"], lw=1, ls=":")
    wave.axhline(sine, color=COLOR["sine"], lw=1, ls=":")
    line = np.linspace(-0.6, 5.2, 200)
    wave.plot(line, np.sin(line), color=COLOR["sine"], lw=1, alpha=0.6)
    wave.axhline(0, color=COLOR["grid"], lw=0.6, zorder=0)
    rising = float(np.arcsin(sine))
    for angle, name, role in ((rising, "right", "ink"), (np.pi - rising, "left", "shifted")):
        way = np.linspace(angle, angle + 1, 40)
        dial.plot([0, np.sin(angle)], [0, np.cos(angle)], color=COLOR[role], lw=2)
        for ax, xs, ys in ((dial, np.sin(way), np.cos(way)), (wave, way, np.sin(way))):
            ax.plot(xs, ys, color=COLOR[role], lw=1.6)
            ax.plot(xs[0], ys[0], "o", ms=6, color=COLOR[role])
            arrow = {"arrowstyle": "-|>", "color": COLOR[role], "shrinkB": 0}
            ax.annotate("", (xs[-1], ys[-1]), (xs[-3], ys[-3]), arrowprops=arrow)
        note(dial, f"on its way {name}", (np.sin(angle), 1.12 * np.cos(angle)), (8, 0), role)
        note(
            wave,
            f"next {np.sin(angle + 1):.2f}".replace("-", "\N{MINUS SIGN}"),
            (angle + 1, np.sin(angle + 1)),
            (9, 4),
            role,
        )
    note(wave, "the same sine", (5.2, sine), (0, 8), "sine", ha="right")
    dial.set(xlim=(-1.2, 2.1), ylim=(-1.15, 1.15), xlabel="sine", ylabel="cosine")
    wave.set(xlim=(-0.6, 5.2), xticks=range(6), xlabel="position", ylabel="sine")
    return figure
