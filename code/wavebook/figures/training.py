"""The figures of the chapter on the book's own experiment, and its explorers' stills.

They draw arrays that they are given, so that what was measured has one home, :mod:`wavebook.experiments`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from posenc.encoding import frequencies
from wavebook.experiments import averaged
from wavebook.figures.style import BookFigure, book_figure, letter, new_figure, note
from wavebook.palette import COLOR
from wavebook.weights import rotation_parts


def _band(ax: Axes, accuracy: ArrayLike, role: str = "computed") -> None:
    """Mean over seeds by position, and the seeds between their smallest and largest."""
    at, means = averaged(accuracy)
    ax.fill_between(at, means.min(0), means.max(0), color=COLOR[role], alpha=0.25, lw=0)
    ax.plot(at, means.mean(0), color=COLOR[role], lw=1.4)


def _frame(ax: Axes, trained: int, chance: float, tested: int) -> None:
    """The trained length as a ground, chance as a dotted line, and the axes."""
    ax.axvspan(0, trained, color=COLOR["grid"], alpha=0.5, lw=0)
    ax.axhline(chance, color=COLOR["muted"], lw=0.8, ls=":")
    ax.set(xlim=(0, tested), ylim=(0, 1.05), yticks=(0, 0.5, 1))


def _name_axes(panels: NDArray[np.object_]) -> None:
    """Name the axes of a grid of panels at its foot and its left side, where they have their numbers."""
    for ax in panels[-1]:
        ax.set_xlabel("position")
    for ax in panels[:, 0]:
        ax.set_ylabel("accuracy")


@book_figure
def by_position(
    accuracies: Mapping[str, ArrayLike], trained: int = 32, chance: float = 1 / 16, columns: int = 3
) -> BookFigure:
    """Accuracy by position, a panel for each encoding: the mean over seeds, and all seeds between.

    >>> len(by_position({"one": np.ones((2, 16)), "two": np.zeros((2, 16))}, trained=8).axes)
    3
    """
    rows = -(-len(accuracies) // columns)
    figure = new_figure(7.2, 0.5 + 1.48 * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for ax in panels.flat[len(accuracies) :]:
        ax.set_axis_off()
    for ax, (name, accuracy) in zip(panels.flat, accuracies.items(), strict=False):
        _frame(ax, trained, chance, np.shape(accuracy)[1])
        _band(ax, accuracy)
        ax.set_title(name, fontsize=10)
    note(panels[0, 0], "trained", (trained / 2, 0.62), (0, 0), "muted", ha="center", fontsize=8.5)
    note(panels[0, 0], "chance", (np.shape(accuracy)[1], chance), (-2, 6), "muted", ha="right", fontsize=8.5)
    _name_axes(panels)
    return figure


@book_figure
def by_seed(
    panels: Mapping[str, Mapping[str, ArrayLike]], chance: float = 1 / 16, low: float = 0, row: float = 0.27
) -> BookFigure:
    """Accuracy of each seed, a dot, and their mean, a stroke: a line for each name, a panel for each stretch.

    The axis begins at `low`, and a line is `row` inches high; seeds that are nearly equal are stacked.

    >>> len(by_seed({"near": {"one": [0.9, 1], "two": [0.2]}, "far": {"one": [0.5, 0.7], "two": [0.1]}}).axes)
    2
    """
    names = list(next(iter(panels.values())))
    figure = new_figure(7.2, 0.75 + row * len(names))
    axes = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
    for n, (ax, (title, rows)) in enumerate(zip(axes, panels.items(), strict=True)):
        if chance > low:
            ax.axvline(chance, color=COLOR["muted"], lw=0.8, ls=":")
        for line, name in enumerate(names):
            values = np.sort(np.asarray(rows[name], dtype=np.float64))
            ax.axhline(line, color=COLOR["grid"], lw=0.6, zorder=0)
            # A dot is as wide as a hundredth or so of the axis: those in one such piece are stacked.
            pieces = np.round((values - low) / (1 - low) * 30 * 2 / len(panels))
            for piece in np.unique(pieces):
                stack = values[pieces == piece]
                up = min(0.16, 0.8 / len(stack)) * (np.arange(len(stack)) - (len(stack) - 1) / 2)
                ax.plot(stack, line + up, "o", color=COLOR["computed"], ms=3, mew=0, alpha=0.5)
            ax.plot(values.mean(), line, "|", color=COLOR["claimed"], ms=11, mew=1.6)
        ax.set(xlim=(low - 0.03, 1.02), ylim=(len(names) - 0.4, -0.6), xlabel="accuracy")
        ax.set_xticks(
            [
                tick
                for tick in (0, 0.25, 0.5, 0.75, 1)
                if tick >= low and (len(panels) == 1 or tick % 0.5 == 0)
            ]
        )
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_yticks(range(len(names)), names)
        if len(panels) > 1:
            letter(ax, "abcd"[n], title)
    return figure


@book_figure
def learned_blocks(
    products: ArrayLike, offset: float = 3, base: float = 10_000, shown: int = 8
) -> BookFigure:
    """The rotation in each block of the learned matrices beside T(offset): (a) its size, (b) its angle.

    >>> from posenc import shift_matrix
    >>> len(learned_blocks([shift_matrix(3, 32)]).axes)
    2
    """
    parts = np.array([rotation_parts(matrix) for matrix in np.asarray(products, dtype=np.float64)])
    sizes = np.abs(parts) / np.abs(parts).max(axis=1, keepdims=True)  # (seeds, pairs)
    pair = np.arange(parts.shape[1])
    figure = new_figure(7.2, 2.75)
    left, right = figure.subplots(1, 2)
    left.axhline(1, color=COLOR["shifted"], lw=1.4)
    note(left, f"$T({offset:g})$", (pair[-1], 1), (0, 7), "shifted", ha="right")
    for row in sizes:
        left.plot(pair, row, "o-", color=COLOR["computed"], ms=2.5, lw=0.7, alpha=0.7)
    note(left, "learned", (1, sizes[:, 1].max()), (8, 4))
    left.set(yscale="log", ylim=(1e-3, 2), xlabel="pair", ylabel="size / largest", xticks=pair[::5])
    letter(left, "a", "size of the rotation")
    aimed = np.angle(np.exp(1j * offset * frequencies(2 * len(pair), base)))[:shown]
    right.plot(pair[:shown], aimed, "-", color=COLOR["shifted"])
    note(right, f"$T({offset:g})$", (shown - 1, aimed[-1]), (-2, 10), "shifted", ha="right")
    # A dot's area is the size of the rotation, but not below what can be seen.
    for row, size in zip(np.angle(parts), sizes, strict=True):
        area = 4 + 40 * np.sqrt(size[:shown])
        right.scatter(pair[:shown], row[:shown], s=area, color=COLOR["computed"], alpha=0.55, lw=0)
    right.set(
        ylim=(-3.3, 3.3), xlabel="pair", ylabel="angle in radians", yticks=(-3, 0, 3), xticks=pair[:shown]
    )
    letter(right, "b", "its angle")
    return figure


@book_figure
def extended(
    unchanged: ArrayLike, methods: Mapping[str, tuple[ArrayLike, ArrayLike]], trained: int = 32
) -> BookFigure:
    """Accuracy by position with other frequencies, as they come and after fine-tuning, a panel for each.

    >>> rows = np.ones((2, 16))
    >>> len(extended(rows, {"one": (rows, rows), "two": (rows, rows)}, trained=8).axes)
    2
    """
    figure = new_figure(7.2, 0.6 + 1.45 * -(-len(methods) // 2))
    panels = figure.subplots(-(-len(methods) // 2), 2, sharex=True, sharey=True, squeeze=False)
    for ax, (name, (before, after)) in zip(panels.flat, methods.items(), strict=True):
        _frame(ax, trained, 1 / 16, np.shape(before)[1])
        at, plain = averaged(unchanged)
        ax.plot(at, plain.mean(0), color=COLOR["muted"], lw=1, ls="--")
        _band(ax, before)
        _band(ax, after, "shifted")
        ax.set_title(name, fontsize=10)
    end = np.shape(unchanged)[1]
    note(panels[0, -1], "tuned", (end, 0.86), (-4, -3), "shifted", ha="right")
    note(panels[0, 0], "unchanged", (0.5 * end, 0.85), (0, 0), "muted")
    note(panels[0, 0], "as it comes", (trained, 0.2), (6, 0))
    _name_axes(panels)
    return figure
