"""The figure about small language models: what a longer context costs them, by their frequencies."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import Float
from wavebook.figures.style import BookFigure, book_figure, new_figure, note
from wavebook.palette import COLOR

#: Positions that are averaged for one point, as a fraction of the position.
TOGETHER = 1 / 16


def smoothed(rows: ArrayLike, first: int) -> tuple[Float, Float]:
    """Means over neighboring positions, more of them the farther on: their middles, and (seeds, middles).

    >>> at, means = smoothed(np.arange(256.0)[np.newaxis], 64)
    >>> bool(np.allclose(means[0], at)), at[:2].tolist(), len(at)
    (True, [65.5, 69.5], 25)
    """
    values = np.asarray(rows, dtype=np.float64)
    edges = [first]
    while edges[-1] < values.shape[1]:
        edges.append(edges[-1] + max(1, int(TOGETHER * edges[-1])))
    edges[-1] = values.shape[1]
    pairs = list(pairwise(edges))
    middles = np.array([(start + stop - 1) / 2 for start, stop in pairs])
    return middles, np.stack([values[:, start:stop].mean(1) for start, stop in pairs], axis=1)


@book_figure
def by_position(
    excess: Mapping[str, ArrayLike],
    usual: str = "geometric",
    trained: int = 64,
    period: int = 183,
    periodic: tuple[str, ...] = (),
) -> BookFigure:
    """How much more loss a character has in a long context than in the trained length, by its position.

    One row for each spectrum, of shape (seeds, positions); thin lines are seeds, and the usual one is drawn
    in gray in each. Those named in `periodic` have a line at the period.

    >>> rows = np.zeros((3, 1024))
    >>> len(by_position({"geometric": rows, "difference set": rows}, periodic=("difference set",)).axes)
    2
    """
    figure = new_figure(7.2, 0.7 + 0.62 * len(excess))
    panels = figure.subplots(len(excess), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    at, compared = smoothed(excess[usual], trained)
    highest = max(smoothed(rows, trained)[1].max() for rows in excess.values())
    longest = np.shape(excess[usual])[1]
    for ax, (name, rows) in zip(panels, excess.items(), strict=True):
        if name != usual:
            ax.plot(at, compared.mean(0), color=COLOR["muted"], lw=1, ls=(0, (3, 2)))
        _, means = smoothed(rows, trained)
        for row in means:
            ax.plot(at, row, color=COLOR["sine"], lw=0.6, alpha=0.5)
        ax.plot(at, means.mean(0), color=COLOR["sine"], lw=1.8)
        ax.axhline(0, color=COLOR["grid"], lw=0.8, zorder=0)
        if name in periodic:
            ax.axvline(period, color=COLOR["claimed"], lw=1, ls=":")
            at_line = (period, highest)
            note(ax, f"$N = {period}$", at_line, (4, -4), "claimed", ha="left", va="top", fontsize=9)
        ax.set(xlim=(trained, longest), ylim=(min(0, means.min(), compared.min()) - 0.05, 1.05 * highest))
        ax.set_xscale("log", base=2)
        ticks = (trained, 128, 256, 512, longest)
        ax.set_xticks(ticks, [f"{n:,}" for n in ticks])
        ax.minorticks_off()
        note(ax, name, (trained, highest), (4, -4), ha="left", va="top")
    if len(panels) > 1:
        end = (longest, float(compared.mean(0)[-1]))
        note(panels[-1], usual, end, (-4, -9), "muted", ha="right", fontsize=9)
    panels[-1].set(xlabel="position")
    panels[len(panels) // 2].set_ylabel("loss in excess, nats")
    return figure
