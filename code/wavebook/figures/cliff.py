"""The figures about where trained models break: the break moved, and the break chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from wavebook.experiments.cliff.tables import Named
from wavebook.figures.style import BookFigure, book_figure, draw_dots, name_rows, new_figure, note
from wavebook.palette import COLOR
from wavebook.say import percent


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
        xlabel="all frequencies times this factor",
        ylabel=r"$\Delta$ that misleads a seed",
    )
    ax.set_xticks(range(len(seen)), [f"{scale:g}" for scale in seen])
    words = (("ring: the two fastest hands are back", "claimed"), ("dot: one seed", "ink"))
    for n, (text, role) in enumerate(words):
        note(ax, text, (-0.6, tested), (170 * n, 8), role, ha="left", fontsize=9.5)
    return figure


@book_figure
def chosen(
    accuracies: Mapping[int, ArrayLike], back: int = 3, trained: int = 32, first: int = 3
) -> BookFigure:
    """Accuracy by position for difference sets, by their period: each seed, and the mean.

    >>> len(chosen({31: np.ones((2, 64)), 57: np.ones((2, 64))}).axes)
    2
    """
    figure = new_figure(7.2, 0.6 + 0.7 * len(accuracies))
    panels = figure.subplots(len(accuracies), 1, sharex=True, squeeze=False)[:, 0]
    longest = max(np.shape(rows)[1] for rows in accuracies.values())
    for ax, (period, values) in zip(panels, accuracies.items(), strict=True):
        rows = np.asarray(values, dtype=np.float64)
        at = np.arange(rows.shape[1])[first:]
        ax.axvspan(0, trained, color=COLOR["grid"], alpha=0.5, lw=0)
        ax.axvline(back + period, color=COLOR["claimed"], lw=1, ls=":")
        for row in rows:
            ax.plot(at, row[first:], ".", color=COLOR["muted"], ms=2.4, alpha=0.6, mew=0)
        ax.plot(at, rows.mean(0)[first:], ".", color=COLOR["computed"], ms=4, mew=0)
        ax.set(xlim=(0, longest), ylim=(0, 1.08), yticks=(0.5, 1))
        note(ax, f"${back} + {period}$", (back + period, 0.15), (5, 0), "claimed", ha="left", fontsize=9.5)
    panels[-1].set(xlabel="position")
    panels[len(panels) // 2].set_ylabel("accuracy")
    note(panels[0], "trained", (trained / 2, 0.5), (0, 0), "muted", ha="center", fontsize=9)
    return figure


@book_figure
def named(rows: Mapping[str, Named]) -> BookFigure:
    """How often two hands, and the head itself, name where wrong answers come from: settings, best first.

    >>> from wavebook.experiments.cliff.tables import Named
    >>> usual, other = Named(20, 9, 15, 14), Named(70, 2, 3, 51)
    >>> len(named({"usual": usual, "other bases": other}).axes[0].texts)
    4
    """
    best = sorted(rows.items(), key=lambda row: -row[1].hands / row[1].learned)
    figure = new_figure(7.2, 0.7 + 0.26 * len(best))
    ax = figure.subplots()
    apart = []
    for row, (_, one) in enumerate(best):
        ax.axhline(row, color=COLOR["grid"], lw=0.8, zorder=0)
        hands, head = 100 * one.hands / one.learned, 100 * (one.head or 0) / one.learned
        ax.plot(head, row, "|", color=COLOR["ink"], ms=9, mew=1.6)
        ax.plot(hands, row, "o", color=COLOR["claimed"], ms=5, mew=0)
        note(ax, f"{one.hands} of {one.learned}", (103, row), (5, 0), "claimed", ha="left", fontsize=9)
        apart.append((head - hands, hands, head, row))
    # Their names are where the two are farthest apart.
    (_, hands, _, first), (_, _, head, second) = sorted(apart, reverse=True)[:2]
    note(ax, "two hands", (hands, first), (6, 0), "claimed", fontsize=9)
    note(ax, "the head", (head, second), (-6, 0), fontsize=9, ha="right")
    ax.set(xlim=(-3, 103), ylim=(len(best) - 0.4, -0.6), xticks=(0, 50, 100), xlabel="seeds, %")
    name_rows(ax, [name for name, _ in best])
    return figure


@book_figure
def strip(accuracies: ArrayLike, trained: int, breaks: int) -> BookFigure:
    """How often trained models are right at each position: each run as small dots, and the mean.

    `accuracies` has a row for each run; positions that are not asked for are not a number. The position
    `breaks` and the one before it are named; from there on the dots can fall, some positions at a time.

    >>> strip(np.ones((2, 64)), 32, 47).axes[0].get_title("left")
    'right answers, %'
    """
    rows = 100 * np.asarray(accuracies, dtype=np.float64)
    at = np.arange(rows.shape[1])
    figure = new_figure(7.2, 2.9)
    figure.comes = True
    ax = figure.subplots()
    ax.plot([-0.5, trained - 0.5], [0, 0], color=COLOR["ink"], lw=3, clip_on=False, zorder=3)
    mean = rows.mean(0)
    groups = np.split(at, np.arange(breaks, len(at), 3))
    for n, group in enumerate(groups):
        names = (f"part-{n:02}-runs", f"part-{n:02}-mean") if n else (None, None)
        draw_dots(ax, np.tile(group, len(rows)), rows[:, group].ravel(), 1.4, "muted", alpha=0.5).set_gid(
            names[0]
        )
        draw_dots(ax, group, mean[group], 2.5, "ink", zorder=3).set_gid(names[1])
    for n, role in enumerate(("ink", "claimed")):
        at_edge = breaks - 1 + n
        (dot,) = ax.plot(at_edge, mean[at_edge], "o", color=COLOR[role], ms=6.5, mew=0, zorder=4)
        dot.set_gid("part-01-edge" if n else None)
    ax.set(xlim=(-0.5, at[-1] + 0.5), ylim=(0, 104), yticks=(0, 50, 100), xlabel="position")
    ax.set_title("right answers, %", fontsize=9.5, x=0)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color=COLOR["grid"], lw=0.6)
    note(ax, f"trained on these {trained} tokens", (0, 0), (2, 9))
    for edge, away, role, side in (
        (breaks - 1, (-3, 10), "ink", "left"),
        (breaks, (-7, -8), "claimed", "right"),
    ):
        words = f"position {edge}: {percent(mean[edge] / 100)} %"
        note(
            ax, words, (edge, mean[edge]), away, role, ha=side, gid="part-01-name" if edge == breaks else None
        )
    # Where no run has dots.
    note(ax, f"each small dot: one of {len(rows)} runs", (0, 25), (2, 0), "muted")
    return figure
