"""The figures of the chapter on the book's own experiment, and its explorers' stills.

They draw arrays that they are given, so that what was measured has one home, :mod:`wavebook.experiments`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float
from posenc.distance import similarity
from posenc.encoding import frequencies, positional_encoding
from wavebook.experiments import averaged
from wavebook.figures.style import DIVERGING, BookFigure, book_figure, letter, new_figure, note
from wavebook.palette import COLOR
from wavebook.weights import offset_scores, rotation_parts


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
    note(panels[0, 0], "chance", (np.shape(accuracy)[1], chance), (-2, -6), "muted", ha="right", fontsize=8.5)
    _name_axes(panels)
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
            ax.fill_between(back, curve - off, curve + off, color=COLOR["computed"], alpha=0.1, lw=0)
            ax.plot(back, curve, color=COLOR["computed"], lw=0.9)
        ax.plot(back, (ideal - ideal.mean()) / (ideal.max() - ideal.mean()), color=COLOR["shifted"])
        ax.axvline(offset, color=COLOR["muted"], lw=0.8, ls=":")
        ax.set(xlabel="distance $p - q$", xlim=(0, furthest), xticks=range(0, furthest + 1, 4))
        ax.set_title(name)
    panels[0].set_ylabel("score / largest")
    note(panels[-1], f"$T({offset})$", (6, 0.05), (2, 4), "shifted")
    note(panels[-1], "learned", (offset + 6, 0.5), (2, 10))
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
        ax.axhline(chance, color=COLOR["muted"], lw=0.8, ls=":")
        for values, role in ((within, "computed"), (beyond, "shifted")):
            rows = np.asarray(values, dtype=np.float64)
            ax.fill_between(left, rows.min(1), rows.max(1), color=COLOR[role], alpha=0.2, lw=0)
            ax.plot(left, rows.mean(1), "o-", color=COLOR[role], ms=2.5, lw=1.2)
        ax.set(xlabel="fastest pairs left", ylim=(0, 1.05), xticks=(0, 4, 8, 12, 16))
        ax.set_title(name, fontsize=10)
    panels[0].set_ylabel("accuracy")
    note(panels[0], "within", (8, 0.9), (0, -4))
    note(panels[0], "beyond", (12, 0.45), (0, 6), "shifted")
    return figure


@book_figure
def what_matters(
    one: Mapping[str, ArrayLike],
    bases: Sequence[float],
    by_base: Mapping[str, ArrayLike],
    moved: ArrayLike,
    chance: float = 1 / 16,
) -> BookFigure:
    """(a) Accuracy with one pair taken out, (b) by the base, and (c) how far free frequencies moved.

    `one` has shape (pairs, seeds) for each encoding, `by_base` (bases, seeds), `moved` (seeds, pairs).

    >>> rows = {"one": np.ones((4, 5)), "two": np.zeros((4, 5))}
    >>> len(what_matters(rows, [10, 100, 1e4, 1e6], rows, np.ones((5, 4))).axes)
    3
    """
    figure = new_figure(7.2, 2.7)
    left, middle, right = figure.subplots(1, 3)
    roles = dict(zip(one, ("computed", "shifted"), strict=True))
    for ax, curves in ((left, one), (middle, by_base)):
        ax.axhline(chance, color=COLOR["muted"], lw=0.8, ls=":")
        for name, values in curves.items():
            rows = np.asarray(values, dtype=np.float64)
            across = range(len(rows)) if ax is left else bases
            ax.fill_between(across, rows.min(1), rows.max(1), color=COLOR[roles[name]], alpha=0.2, lw=0)
            ax.plot(across, rows.mean(1), "o-", color=COLOR[roles[name]], ms=2.5, lw=1.2)
        ax.set(ylim=(0, 1.05), yticks=(0, 0.5, 1))
    left.set(xlabel="pair that is out", ylabel="accuracy")
    middle.set(xscale="log", xlabel="base")
    first, second = one
    note(middle, first, (bases[-2], 0.79), (0, -3), ha="center", fontsize=9)
    note(middle, second, (bases[-2], 0.2), (0, 0), "shifted", ha="center", fontsize=9)
    ratios = np.asarray(moved, dtype=np.float64)
    for row in ratios:
        right.plot(range(len(row)), row, "o", color=COLOR["computed"], ms=3, alpha=0.6)
    right.axhline(1, color=COLOR["muted"], lw=0.8)
    right.set(xlabel="pair", ylabel="frequency / at the start", yscale="log", ylim=(0.25, 6))
    right.set_yticks((0.5, 1, 2, 4), ("½", "1", "2", "4"))
    right.minorticks_off()
    for ax, name, title in zip(
        (left, middle, right), "abc", ("one pair out", "another base", "free frequencies"), strict=True
    ):
        letter(ax, name, title)
    return figure


@book_figure
def token_sizes(
    losses: Mapping[str, ArrayLike], accuracies: Mapping[str, ArrayLike], trained: int = 32, every: int = 10
) -> BookFigure:
    """(a) The loss by step and (b) the accuracy by position, for token vectors of different size.

    `losses` has shape (steps/every, seeds), `accuracies` (seeds, positions).

    >>> three = ("0.1", "1", "10")
    >>> len(token_sizes(dict.fromkeys(three, np.ones((5, 2))), dict.fromkeys(three, np.ones((2, 16)))).axes)
    2
    """
    figure = new_figure(7.2, 2.6)
    left, right = figure.subplots(1, 2)
    roles = dict(zip(losses, ("shifted", "computed", "claimed"), strict=True))
    for name, values in losses.items():
        rows = np.asarray(values, dtype=np.float64)
        steps = every * (np.arange(len(rows)) + 0.5)
        left.fill_between(steps, rows.min(1), rows.max(1), color=COLOR[roles[name]], alpha=0.2, lw=0)
        left.plot(steps, rows.mean(1), color=COLOR[roles[name]], lw=1.4)
    left.set(xlabel="step", ylabel="loss, in nats", ylim=(0, None))
    letter(left, "a", "loss in training")
    _frame(right, trained, 1 / 16, np.shape(next(iter(accuracies.values())))[1])
    for name, accuracy in accuracies.items():
        _band(right, accuracy, roles[name])
    right.set(xlabel="position", ylabel="accuracy")
    letter(right, "b", "accuracy by position")
    small, usual, large = losses
    note(left, large, (steps[-1], 2.7), (0, -14), "claimed", ha="right")
    note(left, small, (0.13 * steps[-1], 0.55), (-3, 0), "shifted", ha="right")
    note(left, usual, (0.2 * steps[-1], 0.8), (3, 0), "computed")
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
    note(panels[0, 0], "unchanged", (0.6 * end, 0.6), (-14, 0), "muted")
    note(panels[0, 0], "as it comes", (trained, 0.2), (6, 0))
    _name_axes(panels)
    return figure


@book_figure
def table_rows(similarities: ArrayLike, spectrum: ArrayLike) -> BookFigure:
    """How alike the rows of the learned tables are, beside sinusoids of as many positions, and their spectra.

    `similarities` has shape (positions, positions), `spectrum` (seeds, positions): singular values.

    >>> len(table_rows(np.eye(8), np.ones((2, 8))).axes)
    3
    """
    learned, values = (np.asarray(given, dtype=np.float64) for given in (similarities, spectrum))
    p = np.arange(len(learned))
    waves: Float = similarity(np.subtract.outer(p, p), 32) / 16
    figure = new_figure(7.2, 2.7)
    *maps, right = figure.subplots(1, 3)
    for ax, cosines, name, title in zip(
        maps, (learned, waves), "ab", ("learned table", "sinusoids"), strict=True
    ):
        ax.imshow(cosines, cmap=DIVERGING, vmin=-1, vmax=1, interpolation="none")
        ax.set(xlabel="position $q$", ylabel="position $p$")
        letter(ax, name, title)
    # What independent entries have, as the tables had before training: the mean of twenty draws.
    draws = np.random.default_rng(0).normal(size=(20, len(p), 32))
    by_chance = np.linalg.svd(draws, compute_uv=False)
    sinusoids = np.linalg.svd(positional_encoding(p, 32), compute_uv=False)
    count = 1 + np.arange(len(p))
    for rows, role in ((values, "computed"), (by_chance, "muted"), (sinusoids[np.newaxis], "shifted")):
        units = rows / rows.max(axis=1, keepdims=True)
        right.plot(count, units.mean(0), "--" if role == "muted" else "-", color=COLOR[role])
        if role == "computed":
            right.fill_between(count, units.min(0), units.max(0), color=COLOR[role], alpha=0.25, lw=0)
    note(right, "learned", (13, 0.38), (0, -3), ha="right")
    note(right, "random", (19, 0.4), (3, 0), "muted")
    note(right, "sinusoids", (11, 0.08), (0, 2), "shifted")
    right.set(xlabel="singular value", ylabel="value / largest", ylim=(0, 1.05), xticks=(1, 16, len(p)))
    letter(right, "c", "their spectra")
    return figure
