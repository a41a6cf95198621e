"""The figures of the chapter on the book's own experiment, and its explorers' stills.

They draw arrays that they are given, so that what was measured has one home, :mod:`posenc.experiments`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from posenc._validate import Float
from posenc.distance import similarity
from posenc.encoding import frequencies
from posenc.figures.style import COLOUR, DIVERGING, BookFigure, book_figure, letter, new_figure, note
from posenc.weights import offset_scores, rotation_parts

#: Positions that are averaged for one point of a curve.
TOGETHER = 4


def _band(ax: Axes, accuracy: ArrayLike, role: str = "computed") -> None:
    """Mean over seeds by position, and the seeds between their smallest and largest."""
    rows = np.asarray(accuracy, dtype=np.float64)
    rows = rows[:, : rows.shape[1] // TOGETHER * TOGETHER].reshape(len(rows), -1, TOGETHER)
    asked = ~np.isnan(rows).all(2)
    bins = np.flatnonzero(asked.all(0))
    means = np.nanmean(rows[:, bins], axis=2)
    at = bins * TOGETHER + (TOGETHER - 1) / 2
    ax.fill_between(at, means.min(0), means.max(0), color=COLOUR[role], alpha=0.25, lw=0)
    ax.plot(at, means.mean(0), color=COLOUR[role], lw=1.4)


@book_figure
def by_position(
    accuracies: Mapping[str, ArrayLike], trained: int = 32, chance: float = 1 / 16, columns: int = 3
) -> BookFigure:
    """Accuracy by position, a panel for each encoding: the mean over seeds, and all seeds between.

    >>> len(by_position({"one": np.ones((2, 16)), "two": np.zeros((2, 16))}, trained=8).axes)
    3
    """
    rows = -(-len(accuracies) // columns)
    figure = new_figure(7.2, 0.5 + 1.55 * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for ax in panels.flat[len(accuracies) :]:
        ax.set_axis_off()
    for ax, (name, accuracy) in zip(panels.flat, accuracies.items(), strict=False):
        ax.axvspan(0, trained, color=COLOUR["grid"], alpha=0.5, lw=0)
        ax.axhline(chance, color=COLOUR["muted"], lw=0.8, ls=":")
        _band(ax, accuracy)
        ax.set_title(name, fontsize=10)
        ax.set(xlim=(0, np.shape(accuracy)[1]), ylim=(0, 1.05), yticks=(0, 0.5, 1))
    note(panels[0, 0], "trained", (trained / 2, 0.62), (0, 0), "muted", ha="center", fontsize=8.5)
    note(panels[0, 0], "chance", (np.shape(accuracy)[1], chance), (-2, -6), "muted", ha="right", fontsize=8.5)
    for ax in panels[-1]:
        ax.set_xlabel("position")
    for ax in panels[:, 0]:
        ax.set_ylabel("accuracy")
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
    figure = new_figure(7.2, 2.9)
    left, right = figure.subplots(1, 2)
    left.axhline(1, color=COLOUR["shifted"], lw=1.4)
    note(left, f"$T({offset:g})$", (pair[-1], 1), (0, 7), "shifted", ha="right")
    for row in sizes:
        left.plot(pair, row, "o-", color=COLOUR["computed"], ms=2.5, lw=0.7, alpha=0.7)
    note(left, "learned", (1, sizes[:, 1].max()), (8, 4))
    left.set(yscale="log", ylim=(1e-3, 2), xlabel="pair", ylabel="size, of the largest", xticks=pair[::5])
    letter(left, "a", "size of the rotation")
    aimed = np.angle(np.exp(1j * offset * frequencies(2 * len(pair), base)))[:shown]
    right.plot(pair[:shown], aimed, "-", color=COLOUR["shifted"])
    note(right, f"$T({offset:g})$", (shown - 1, aimed[-1]), (-2, 10), "shifted", ha="right")
    # A dot's area is the size of the rotation, but not below what can be seen.
    for row, size in zip(np.angle(parts), sizes, strict=True):
        area = 4 + 40 * np.sqrt(size[:shown])
        right.scatter(pair[:shown], row[:shown], s=area, color=COLOUR["computed"], alpha=0.55, lw=0)
    right.set(
        ylim=(-3.3, 3.3), xlabel="pair", ylabel="angle in radians", yticks=(-3, 0, 3), xticks=pair[:shown]
    )
    letter(right, "b", "its angle")
    return figure


@book_figure
def learned_scores(
    products: Mapping[str, ArrayLike], offset: int = 3, length: int = 32, furthest: int = 16
) -> BookFigure:
    """Scores by distance of the learned matrices, over those of T(offset), each less its mean.

    >>> from posenc import shift_matrix
    >>> len(learned_scores({"one": [shift_matrix(3, 32)]}).axes)
    1
    """
    figure = new_figure(7.2, 2.6)
    panels = figure.subplots(1, len(products), sharey=True, squeeze=False)[0]
    back = np.arange(furthest + 1)
    for ax, (name, matrices) in zip(panels, products.items(), strict=True):
        stacked = np.asarray(matrices, dtype=np.float64)
        ideal = similarity(back - offset, stacked.shape[-1])
        for matrix in stacked:
            mean, deviation = offset_scores(matrix, length, furthest)
            unit = mean.max() - mean.mean()
            curve, off = (mean - mean.mean()) / unit, deviation / unit
            ax.fill_between(back, curve - off, curve + off, color=COLOUR["computed"], alpha=0.1, lw=0)
            ax.plot(back, curve, color=COLOUR["computed"], lw=0.9)
        ax.plot(back, (ideal - ideal.mean()) / (ideal.max() - ideal.mean()), color=COLOUR["shifted"])
        ax.axvline(offset, color=COLOUR["muted"], lw=0.8, ls=":")
        ax.set(xlabel="distance $p - q$", xlim=(0, furthest), xticks=range(0, furthest + 1, 4))
        ax.set_title(name)
    panels[0].set_ylabel("score, of its largest")
    note(panels[-1], f"$T({offset})$", (6, 0.05), (2, 4), "shifted")
    note(panels[-1], "learned", (offset + 6, 0.5), (2, 10))
    return figure


@book_figure
def trained_head(
    parts: ArrayLike, aims: Sequence[float], steps: Sequence[int], moment: int, pair: int
) -> BookFigure:
    """One block of a trained head and that of T(k), and the sizes of all: the explorer's still.

    `parts` has shape (moments, pairs, 2): real and imaginary part of each block's rotation.

    >>> len(trained_head(np.ones((2, 4, 2)), [3, 2, 1, 0], [0, 500], 1, 2).axes)
    2
    """
    rotations = np.asarray(parts, dtype=np.float64) @ np.array([1, 1j])  # (moments, pairs)
    sizes, largest = np.abs(rotations[moment]), np.abs(rotations).max()
    figure = new_figure(7.2, 2.7)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.6))
    turns = np.linspace(0, 2 * np.pi, 200)
    left.plot(np.cos(turns), np.sin(turns), color=COLOUR["grid"])
    for angle, role in ((aims[pair], "shifted"), (np.angle(rotations[moment, pair]), "computed")):
        left.plot([0, np.cos(angle)], [0, np.sin(angle)], color=COLOUR[role], lw=1.2)
    unit = rotations[moment, pair] / largest
    left.plot([unit.real], [unit.imag], "o", color=COLOUR["computed"])
    left.set(aspect="equal", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2))
    left.set_axis_off()
    letter(left, "a", f"pair {pair}, step {steps[moment]}")
    right.bar(np.arange(len(sizes)), sizes, color=COLOUR["computed"], width=0.6)
    right.axvline(pair, color=COLOUR["shifted"], lw=1)
    right.set(xlabel="pair $i$", ylabel="size of the rotation", ylim=(0, 1.05 * largest))
    letter(right, "b", "all pairs")
    return figure


@book_figure
def pairs_left(
    left: Sequence[int], curves: Mapping[str, tuple[ArrayLike, ArrayLike]], chance: float = 1 / 16
) -> BookFigure:
    """Accuracy when only the fastest pairs are left, within the trained length and beyond, by encoding.

    >>> len(pairs_left([1, 2], {"one": (np.ones((2, 5)), np.zeros((2, 5)))}).axes)
    1
    """
    figure = new_figure(7.2, 2.5)
    panels = figure.subplots(1, len(curves), sharey=True, squeeze=False)[0]
    for ax, (name, (within, beyond)) in zip(panels, curves.items(), strict=True):
        ax.axhline(chance, color=COLOUR["muted"], lw=0.8, ls=":")
        for values, role in ((within, "computed"), (beyond, "shifted")):
            rows = np.asarray(values, dtype=np.float64)
            ax.fill_between(left, rows.min(1), rows.max(1), color=COLOUR[role], alpha=0.2, lw=0)
            ax.plot(left, rows.mean(1), "o-", color=COLOUR[role], ms=2.5, lw=1.2)
        ax.set(xlabel="fastest pairs left", ylim=(0, 1.05), xticks=(1, 4, 8, 12, 16))
        ax.set_title(name, fontsize=10)
    panels[0].set_ylabel("accuracy")
    note(panels[0], "within", (8, 0.9), (0, -4))
    note(panels[0], "beyond", (12, 0.45), (0, 6), "shifted")
    return figure


@book_figure
def table_rows(similarities: ArrayLike) -> BookFigure:
    """How alike the rows of the learned tables are, beside the sinusoids of as many positions.

    >>> len(table_rows(np.eye(8)).axes)
    2
    """
    learned = np.asarray(similarities, dtype=np.float64)
    p = np.arange(len(learned))
    waves: Float = similarity(np.subtract.outer(p, p), 32) / 16
    figure = new_figure(7.2, 3.2)
    panels = figure.subplots(1, 2)
    for ax, values, name, title in zip(
        panels, (learned, waves), "ab", ("learned table", "sinusoids"), strict=True
    ):
        ax.imshow(values, cmap=DIVERGING, vmin=-1, vmax=1, interpolation="none")
        ax.set(xlabel="position $q$", ylabel="position $p$")
        letter(ax, name, title)
    return figure
