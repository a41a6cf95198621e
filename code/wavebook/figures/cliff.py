"""The figures about where trained models break: the break moved, and the break chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavebook.figures.style import BookFigure, book_figure, new_figure, note
from wavebook.palette import COLOR


@book_figure
def moved(
    seen: Mapping[float, Sequence[int]], ruled: Mapping[float, Sequence[int]], tested: int = 128
) -> BookFigure:
    """Where wrong answers come from, by seed, when all frequencies are multiplied, and where a rule says.

    `seen` has an offset for each seed, negative for none; `ruled` the rule's offsets, best first.

    >>> len(moved({0.9: [52, 52], 1.0: [47, 60]}, {0.9: [52], 1.0: [47]}).axes)
    1
    """
    figure = new_figure(7.2, 3.6)
    ax = figure.subplots()
    for n, (scale, offsets) in enumerate(seen.items()):
        for rank, offset in enumerate(ruled[scale]):
            ax.plot(n, offset, "o", ms=15 - 3.5 * rank, mfc="none", mec=COLOR["claimed"], mew=1.2)
        for offset, count in zip(*np.unique([k for k in offsets if k >= 0], return_counts=True), strict=True):
            across = n + 0.09 * (np.arange(count) - (count - 1) / 2)
            ax.plot(across, [offset] * count, "o", color=COLOR["computed"], ms=3.2, alpha=0.85)
    ax.set(
        xlim=(-0.6, len(seen) - 0.4),
        ylim=(32, tested),
        xlabel="all frequencies times",
        ylabel="offset of the token that is said instead",
    )
    ax.set_xticks(range(len(seen)), [f"{scale:g}" for scale in seen])
    first = next(iter(seen))
    note(
        ax,
        "ring: the two fastest hands are back",
        (-0.5, max(ruled[first])),
        (0, 12),
        "claimed",
        fontsize=9.5,
    )
    note(ax, "dot: one seed", (-0.5, max(ruled[first])), (0, -16), fontsize=9.5)
    return figure


@book_figure
def chosen(
    accuracies: Mapping[int, ArrayLike], back: int = 3, trained: int = 32, first: int = 3
) -> BookFigure:
    """Accuracy by position for difference sets, by their period: each seed, and the mean.

    >>> len(chosen({31: np.ones((2, 64)), 57: np.ones((2, 64))}).axes)
    2
    """
    figure = new_figure(7.2, 0.6 + 0.58 * len(accuracies))
    panels = figure.subplots(len(accuracies), 1, sharex=True, squeeze=False)[:, 0]
    longest = max(np.shape(rows)[1] for rows in accuracies.values())
    for ax, (period, values) in zip(panels, accuracies.items(), strict=True):
        rows = np.asarray(values, dtype=np.float64)
        at = np.arange(rows.shape[1])[first:]
        ax.axvspan(0, trained, color=COLOR["grid"], alpha=0.5, lw=0)
        ax.axvline(back + period, color=COLOR["claimed"], lw=1, ls=":")
        for row in rows:
            ax.plot(at, row[first:], ".", color=COLOR["muted"], ms=2, alpha=0.45, mew=0)
        ax.plot(at, rows.mean(0)[first:], ".", color=COLOR["computed"], ms=4, mew=0)
        ax.set(xlim=(0, longest), ylim=(0, 1.08), yticks=(0, 1))
        note(ax, f"${back} + {period}$", (back + period, 0.12), (5, 0), "claimed", ha="left", fontsize=9.5)
    panels[-1].set(xlabel="position")
    panels[len(panels) // 2].set_ylabel("accuracy")
    note(panels[0], "trained", (trained / 2, 0.5), (0, 0), "muted", ha="center", fontsize=9)
    return figure
