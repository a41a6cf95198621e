"""The figures about distances, their law and near returns, and the stills of the explorers of these."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from posenc.distance import (
    distance_matrix,
    encoding_distance,
    law_reach,
    similarity,
    similarity_law,
    similarity_law_bound,
)
from posenc.encoding import frequencies, positional_encoding
from posenc.families import harmonic_families, opposite_hands
from posenc.figures.style import COLOUR, DIVERGING, BookFigure, book_figure, letter, new_figure, note
from posenc.returns import record_offsets
from posenc.rotation import shift


def _integers(last: float, count: int = 400) -> np.ndarray:
    """Whole numbers from 1 to last: all the small ones, then about evenly spaced on a logarithmic axis."""
    return np.unique(np.concatenate([np.arange(1, 61), np.geomspace(60, last, count).round()])).astype(int)


@book_figure
def distances(n_positions: int = 50, d_model: int = 128) -> BookFigure:
    """The distance of every two positions, as a map and against the difference of the positions.

    >>> [ax.get_title("left")[:3] for ax in distances().axes[:2]]
    ['(a)', '(b)']
    """
    figure = new_figure(7.2, 3.3)
    chart, curve = figure.subplots(1, 2)
    matrix = distance_matrix(n_positions, d_model)
    letter(chart, "a", f"distances among {n_positions} positions")
    paper_to_blue = LinearSegmentedColormap.from_list("distance", [COLOUR["paper"], COLOUR["computed"]])
    image = chart.imshow(matrix, cmap=paper_to_blue, vmin=0, origin="lower", interpolation="none")
    ticks = range(0, n_positions, 10)
    chart.set(xlabel="position $p$", ylabel="position $q$", xticks=ticks, yticks=ticks)
    figure.colorbar(image, ax=chart, shrink=0.85).outline.set_visible(False)

    letter(curve, "b", "distance against difference")
    p, q = np.triu_indices(n_positions, 1)
    curve.plot(q - p, matrix[p, q], ".", ms=4, color=COLOUR["computed"])
    curve.axhline(np.sqrt(d_model), color=COLOUR["muted"], lw=0.8, ls="--")
    note(curve, r"$\sqrt{d}$", (0, np.sqrt(d_model)), (4, 7), "muted")
    note(curve, f"{p.size:,} pairs, {n_positions - 1} dots", (n_positions - 1, 5), ha="right")
    curve.set(
        xlabel=r"difference $|p - q|$",
        ylabel="distance",
        ylim=(0, 1.1 * np.sqrt(d_model)),
        xlim=(0, n_positions),
    )
    return figure


def similarities(p: int, q: int, d_model: int = 64, base: float = 10_000) -> BookFigure:
    """The similarity of every two of 64 positions with p and q marked, and the row of p; for an explorer.

    >>> len(similarities(12, 32).axes)
    2
    """
    positions = np.arange(64)
    share = similarity(positions[:, None] - positions, d_model, base) / (d_model / 2)
    figure = new_figure(7.2, 3.4)
    chart, row = figure.subplots(1, 2)
    chart.imshow(share, cmap=DIVERGING, vmin=-1, vmax=1, interpolation="none")
    chart.axhline(p, color=COLOUR["ink"], lw=0.8)
    chart.axvline(q, color=COLOUR["shifted"], lw=0.8)
    chart.plot(q, p, "o", ms=8, mfc="none", color=COLOUR["ink"])
    chart.set(xlabel="position $q$", ylabel="position $p$", xticks=range(0, 64, 20), yticks=range(0, 64, 20))
    row.plot(positions, share[p], color=COLOUR["ink"])
    row.plot(q, share[p, q], "o", ms=6, color=COLOUR["shifted"])
    note(row, f"row {p}", (p, 1), (0, 6), "muted", ha="center")
    note(row, f"{share[p, q]:.3f}", (q, share[p, q]), (8, 4), "shifted")
    row.set(
        xlabel="position $q$",
        ylabel="similarity, of $d/2$",
        ylim=(min(-0.2, share.min()), 1.15),
        yticks=(0, 0.5, 1),
    )
    return figure


@book_figure
def straight_line(widths: tuple[int, ...] = (8, 128, 512), furthest: float = 6.0) -> BookFigure:
    """Left the distance for small differences and its straight line, right how far the line is off.

    >>> len(straight_line().axes)
    2
    """
    offsets = np.linspace(furthest / 300, furthest, 300)
    figure = new_figure(7.2, 3.0)
    left, right = figure.subplots(1, 2)
    for d_model in widths:
        slope, curve = np.linalg.norm(frequencies(d_model)), encoding_distance(offsets, d_model)
        left.plot(offsets, curve, color=COLOUR["computed"])
        reach = offsets <= 2.2
        left.plot(offsets[reach], slope * offsets[reach], "--", lw=1, color=COLOUR["muted"])
        note(left, f"$d = {d_model}$", (furthest, curve[-1]), (4, 0))
        right.plot(offsets, slope * offsets / curve - 1, color=COLOUR["computed"])
    right.plot(offsets, offsets**2 / 48, "--", lw=1, color=COLOUR["muted"])
    note(right, r"$\Delta^2/48$", (2.3, 2.3**2 / 48), (6, -8), "muted")
    left.set(xlabel=r"difference $\Delta$", ylabel="distance", xlim=(0, furthest), ylim=(0, None))
    right.set(
        xlabel=r"difference $\Delta$",
        ylabel="the line is too long by",
        xlim=(0, 3),
        ylim=(0, 0.3),
        yticks=(0, 0.1, 0.2, 0.3),
    )
    right.set_yticklabels(["0 %", "10 %", "20 %", "30 %"])
    return figure


@book_figure
def distance_law(d_model: int, base: float, offset: float | None = None, furthest: float = 1e6) -> BookFigure:
    """Distance and similarity against the offset on a logarithmic axis: dots the integers, grey the law.

    >>> [ax.get_xscale() for ax in distance_law(64, 10_000).axes]
    ['log', 'log']
    """
    whole, steps = _integers(furthest), np.geomspace(1, furthest, 240)
    share = similarity_law(steps, d_model, base) / (d_model / 2)
    figure = new_figure(7.2, 3.3)
    left, right = figure.subplots(1, 2)
    left.plot(steps, np.sqrt(d_model * np.clip(1 - share, 0, None)), color=COLOUR["muted"], lw=2.4, alpha=0.7)
    left.plot(whole, encoding_distance(whole, d_model, base), ".", ms=2.6, color=COLOUR["computed"])
    for level, name in ((d_model, r"$\sqrt{d}$, typical"), (2 * d_model, r"$\sqrt{2d}$, a bound")):
        left.axhline(np.sqrt(level), color=COLOUR["muted"], lw=0.8, ls="--")
        note(left, name, (1.2, np.sqrt(level)), (0, 7), "muted")
    left.set(
        xscale="log",
        xlabel=r"offset $\Delta$",
        ylabel="distance",
        xlim=(1, furthest),
        ylim=(0, 1.12 * np.sqrt(2 * d_model)),
    )

    right.plot(steps, share, color=COLOUR["muted"], lw=2.4, alpha=0.7)
    right.plot(whole, similarity(whole, d_model, base) / (d_model / 2), ".", ms=2.6, color=COLOUR["computed"])
    elementary = 1 - (np.log(steps) + np.euler_gamma) / np.log(base)
    right.plot(steps, elementary, color=COLOUR["muted"], lw=0.8)
    limit = law_reach(d_model, base)
    if 1 < limit < furthest:
        right.plot([limit, limit], [-0.5, -0.42], color=COLOUR["ink"], lw=1.6)
        note(right, r"$\pi d/\ln b$", (limit, -0.42), (0, 8), ha="center")
    right.set(
        xscale="log",
        xlabel=r"offset $\Delta$",
        ylabel=r"similarity $K(\Delta)/(d/2)$",
        xlim=(1, furthest),
        ylim=(-0.5, 1.05),
    )
    if offset is not None:
        for ax, value in (
            (left, encoding_distance(offset, d_model, base)),
            (right, similarity(offset, d_model, base) / (d_model / 2)),
        ):
            ax.axvline(offset, color=COLOUR["shifted"], lw=0.8)
            ax.plot(offset, value, "o", ms=6, color=COLOUR["shifted"])
    return figure


@book_figure
def law_error(d_model: int = 512, base: float = 10_000, furthest: float = 5e3) -> BookFigure:
    """What the law misses the exact similarity by, relative to d/2, with 0, 1 and 2 corrections; the bound.

    >>> len(law_error(64).axes[0].lines) >= 4
    True
    """
    offsets, pairs = np.geomspace(1, furthest, 500), d_model / 2
    exact = similarity(offsets, d_model, base)
    figure = new_figure(7.2, 3.3)
    ax = figure.subplots()
    for corrections, role, name, at in (
        (0, "muted", "integral alone", 3),
        (1, "computed", "one correction", 14),
        (2, "shifted", "two", 14),
    ):
        missed = abs(similarity_law(offsets, d_model, base, corrections=corrections) - exact) / pairs
        # The envelope: the zeros between two signs would only clutter a logarithmic axis.
        envelope = np.array([missed[max(0, j - 12) : j + 13].max() for j in range(len(missed))])
        ax.plot(offsets, envelope, color=COLOUR[role])
        note(
            ax,
            name,
            (at, np.interp(at, offsets, envelope)),
            (0, 10) if corrections < 2 else (6, -6),
            role,
            ha="center" if corrections < 2 else "left",
        )
    ax.plot(offsets, similarity_law_bound(offsets, d_model, base) / pairs, "--", lw=1, color=COLOUR["muted"])
    at_forty = float(similarity_law_bound(40, d_model, base)) / pairs
    note(ax, "bound", (40, at_forty), (-8, 6), "muted", ha="right")
    limit = law_reach(d_model, base)
    ax.axvline(limit, color=COLOUR["ink"], lw=0.8)
    note(ax, r"$\pi d/\ln b$", (limit, 3e-7), (5, 0))
    ax.set(
        xscale="log",
        yscale="log",
        xlabel=r"offset $\Delta$",
        ylabel="error of the similarity",
        xlim=(1, furthest),
        ylim=(1e-7, 1),
    )
    return figure


@book_figure
def levels(widths: tuple[int, ...] = (64, 128, 512), first: int = 10_000, last: int = 200_000) -> BookFigure:
    """How the distances of far offsets are spread about sqrt(d): the same for every width.

    >>> len(levels((64, 128), last=12_000).axes[0].lines)
    3
    """
    figure = new_figure(7.2, 2.8)
    ax = figure.subplots()
    edges = np.linspace(-2.5, 2.5, 101)
    for d_model, style in zip(widths, ("-", "--", ":", "-."), strict=False):
        spread = encoding_distance(np.arange(first, last), d_model) - np.sqrt(d_model)
        density, _ = np.histogram(spread, edges, density=True)
        ax.plot(
            (edges[1:] + edges[:-1]) / 2, density, style, color=COLOUR["computed"], label=f"$d = {d_model}$"
        )
    ax.axvline(0, color=COLOUR["grid"], lw=1, zorder=0)
    ax.set(
        xlabel=r"distance $-\ \sqrt{d}$",
        ylabel="fraction of offsets",
        xlim=(-2.5, 2.5),
        ylim=(0, None),
        yticks=[],
    )
    ax.legend(loc="upper right")
    return figure


@book_figure
def closest_pairs(
    records: dict[int, list[int]], base: float, last: float, cursor: float | None = None
) -> BookFigure:
    """Staircases: the smallest distance among all offsets up to n, for each d_model with its record offsets.

    >>> len(closest_pairs({2: [1, 6, 19]}, 10_000, 100).axes[0].lines)
    1
    """
    figure = new_figure(7.2, 4.0)
    ax = figure.subplots()
    for d_model, offsets in records.items():
        steps = encoding_distance([*offsets, offsets[-1]], d_model, base)
        ax.step(
            [*offsets, last],
            steps,
            where="post",
            color=COLOUR["computed"],
            lw=1.2,
            marker="o" if len(offsets) > 1 else None,
            ms=2.6,
        )
        note(
            ax,
            f"$d = {d_model}$" if len(records) < 2 or d_model == min(records) else str(d_model),
            (last, steps[-1]),
            (6, 0),
        )
    if cursor is not None:
        d_model, offsets = next(iter(records.items()))
        nearest = max(k for k in offsets if k <= cursor)
        ax.axhline(float(encoding_distance(1, d_model, base)), color=COLOUR["muted"], lw=0.8, ls="--")
        ax.axvline(cursor, color=COLOUR["shifted"], lw=0.8)
        ax.plot(nearest, encoding_distance(nearest, d_model, base), "o", ms=6, color=COLOUR["shifted"])
    ax.set(xscale="log", yscale="log", xlabel="offsets up to", ylabel="smallest distance", xlim=(0.8, last))
    return figure


def closest_so_far(length: float, d_model: int, base: float, last: int = 100_000) -> BookFigure:
    """The staircase of one choice of d_model and base, searched for now, and where it is at ``length``.

    >>> closest_so_far(100, 8, 10_000, last=1000).axes[0].get_xlabel()
    'offsets up to'
    """
    found = [offset for offset, _ in record_offsets(last, d_model, base)]
    return closest_pairs({d_model: found}, base, last, length)


@book_figure
def add_or_rotate(position: float, offset: float, d_model: int, learned_at: float, pair: int) -> BookFigure:
    """What PE(learned_at + offset) - PE(learned_at) does to one pair, and its error at every position.

    >>> len(add_or_rotate(20, 5, 64, 10, 8).axes)
    2
    """
    p = np.linspace(0, 100, 501)
    encodings, truth = positional_encoding(p, d_model), positional_encoding(p + offset, d_model)
    step = positional_encoding(learned_at + offset, d_model) - positional_encoding(learned_at, d_model)
    added, rotated = (
        np.linalg.norm(guess - truth, axis=1) for guess in (encodings + step, shift(encodings, offset))
    )
    figure = new_figure(7.2, 3.1)
    dial, ax = figure.subplots(1, 2, width_ratios=(1, 1.25))
    own = slice(2 * pair, 2 * pair + 2)
    start, end = positional_encoding([position, position + offset], d_model)[:, own]
    for centre, role, line in (((0, 0), "muted", "-"), (step[own], "claimed", "--")):
        turn = np.linspace(0, 2 * np.pi, 121)
        dial.plot(centre[0] + np.sin(turn), centre[1] + np.cos(turn), line, color=COLOUR[role], lw=1)
    arrow = {"arrowstyle": "-|>", "color": COLOUR["claimed"], "lw": 2, "shrinkA": 0, "shrinkB": 0}
    dial.annotate("", start + step[own], start, arrowprops=arrow)
    dial.plot(*start, "o", color=COLOUR["ink"])
    dial.plot(*end, "o", color=COLOUR["shifted"])
    note(dial, "$p$", tuple(start), (-6, 4), ha="right")
    note(dial, "rotated", tuple(end), (6, 4), "shifted")
    note(dial, "added", tuple(start + step[own]), (6, -4), "claimed")
    dial.set(aspect="equal")
    dial.margins(0.12)
    dial.axis("off")
    ax.plot(p, added, color=COLOUR["claimed"])
    ax.plot(p, rotated, color=COLOUR["shifted"], lw=2)
    twice = 2 * float(np.linalg.norm(step))
    ax.axhline(twice, color=COLOUR["muted"], lw=0.8, ls="--")
    ax.axvline(position, color=COLOUR["ink"], lw=0.6)
    ax.plot(position, np.interp(position, p, added), "o", ms=5, color=COLOUR["claimed"])
    note(ax, "added", (100, added[-1]), (5, 0), "claimed")
    note(ax, "rotated", (100, 0), (5, 0), "shifted")
    note(ax, "twice the step's length", (100, twice), (0, -7), "muted", ha="right")
    ax.set(xlabel="position $p$", ylabel="error", xlim=(0, 100), ylim=(-0.02 * np.sqrt(d_model), None))
    return figure


@book_figure
def between_integers(widths: tuple[int, ...] = (8, 128, 512)) -> BookFigure:
    """What the straight line between the encodings of neighboring integers misses the true encoding by.

    >>> len(between_integers((8,)).axes[0].lines)
    1
    """
    t = np.linspace(0, 3, 301)
    whole = np.minimum(t.astype(int), 2)
    figure = new_figure(7.2, 2.8)
    ax = figure.subplots()
    for d_model in widths:
        start, end = positional_encoding(whole, d_model), positional_encoding(whole + 1, d_model)
        part = (t - whole)[:, np.newaxis]
        missed = np.linalg.norm((1 - part) * start + part * end - positional_encoding(t, d_model), axis=1)
        ax.plot(t, missed, color=COLOUR["computed"])
        note(ax, f"$d = {d_model}$", (2.5, missed[250]), (0, 7), ha="center")
    ax.set(
        xlabel="position", ylabel="error of the straight line", xticks=range(4), xlim=(0, 3), ylim=(0, None)
    )
    return figure


@book_figure
def before_after(shift: int, offset: int, d_model: int) -> BookFigure:
    """The score of two encodings with T(shift) between them, its mirror image, and their gap at ``offset``.

    >>> len(before_after(0, 5, 64).axes[0].lines)
    6
    """
    t = np.linspace(-60, 60, 481)
    score, mirror = similarity(t - shift, d_model), similarity(t + shift, d_model)
    there, opposite = similarity([offset - shift, -offset - shift], d_model)
    figure = new_figure(7.2, 3.2)
    ax = figure.subplots()
    ax.axvline(0, color=COLOUR["muted"], lw=0.6)
    ax.fill_between(t, score, mirror, color=COLOUR["shifted"], alpha=0.18, lw=0)
    ax.plot(t, mirror, "--", color=COLOUR["muted"])
    ax.plot(t, score, color=COLOUR["shifted"])
    ax.plot([-offset, offset, offset], [opposite, opposite, there], color=COLOUR["ink"], lw=0.8)
    ax.plot(offset, there, "o", ms=6, color=COLOUR["ink"], zorder=3)
    ax.plot(-offset, opposite, "o", ms=6, mfc=COLOUR["paper"], color=COLOUR["ink"], zorder=3)
    note(
        ax,
        f"$T({shift})$ between the encodings".replace("-", "\u2212") if shift else "no shift: even",
        (shift, d_model / 2),
        (9, 0),
        "shifted",
    )
    ax.set(xlabel=r"$\Delta = p - q$", ylabel="score", xlim=(-60, 60), xticks=range(-60, 61, 20))
    ax.locator_params(axis="y", nbins=5)
    label = f"score {there:.2f} at {offset}, {opposite:.2f} at {-offset}: difference {there - opposite:.2f}"
    figure.supxlabel(
        label.replace("-", "\u2212"),
        size=11,
    )
    return figure


@book_figure
def seen_from(position: int, d_model: int, base: float, n_positions: int = 201) -> BookFigure:
    """The distance from one position to every other, and the typical level.

    >>> seen_from(5, 64, 10_000).axes[0].get_xlabel()
    'position $q$'
    """
    others = np.arange(n_positions)
    figure = new_figure(7.2, 2.8)
    ax = figure.subplots()
    apart = encoding_distance(others - position, d_model, base)
    ax.plot(others, apart, ".", ms=4, color=COLOUR["computed"])
    ax.axhline(np.sqrt(d_model), color=COLOUR["muted"], lw=0.8, ls="--")
    note(ax, r"$\sqrt{d}$", (n_positions - 1, np.sqrt(d_model)), (6, 0), "muted")
    ax.set(
        xlabel="position $q$",
        ylabel=f"distance to position {position}",
        xlim=(0, n_positions - 1),
        ylim=(0, None),
    )
    return figure


@book_figure
def families(d_model: int = 64, base: int = 10_000) -> BookFigure:
    """All frequencies in one row, and below it family by family, with the ratio of neighbours.

    >>> len(families().axes[0].lines)
    17
    """
    count, size, ratio = harmonic_families(d_model, base)
    omega = frequencies(d_model, base)
    figure = new_figure(7.2, 3.9)
    ax = figure.subplots()
    ax.plot(omega, np.full(omega.size, count + 0.7), "o", ms=4, color=COLOUR["computed"])
    note(ax, f"all {omega.size}", (1, count + 0.7), (14, 0))
    for first in range(count):
        members, height = omega[first::count], count - 1 - first
        ax.plot(members, np.full(size, height), color=COLOUR["grid"], lw=2.2)
        ax.plot(members, np.full(size, height), "o", ms=5, color=COLOUR["computed"])
        pairs = ", ".join(str(first + count * k) for k in reversed(range(size)))  # as they lie, left to right
        note(ax, f"pairs {pairs}" if first == 0 else pairs, (1, height), (14, 0))
    for fast, slow in pairwise(omega[::count]):
        note(ax, f"× {ratio}", (np.sqrt(fast * slow), count - 1), (0, 10), ha="center")
    ax.set(
        xscale="log",
        xlabel=r"frequency $\omega_i$, radians per position",
        xlim=(6e-5, 1.15),
        yticks=[],
        ylim=(-0.6, count + 1.2),
    )
    ax.spines["left"].set_visible(False)
    return figure


@book_figure
def nearly_opposite(size: int = 4, ratio: int = 10) -> BookFigure:
    """A family of hands as far from their start as they can be together; the dashed line is half a turn.

    >>> len(nearly_opposite().axes)
    4
    """
    short = opposite_hands(size, ratio)
    figure = new_figure(7.2, 2.45)
    for ax, missing, power in zip(figure.subplots(1, size), short, range(size), strict=True):
        angle = np.pi * (1 + 2 * missing)
        circle = np.linspace(0, 2 * np.pi, 200)
        ax.plot(np.sin(circle), np.cos(circle), color=COLOUR["grid"], lw=1.2)
        ax.plot([0, 0], [0, 1], color=COLOUR["muted"], lw=0.8)
        ax.plot([0, 0], [0, -1], "--", color=COLOUR["muted"], lw=0.8)
        ax.plot([0, np.sin(angle)], [0, np.cos(angle)], color=COLOUR["computed"], lw=2)
        ax.plot(np.sin(angle), np.cos(angle), "o", ms=5, color=COLOUR["computed"])
        turns = ratio**power
        speed = "the slowest hand" if power == 0 else f"{turns:,} times as fast"
        ax.set_title(speed, loc="center", fontsize=10.5)
        side = "before" if missing < 0 else "after"
        note(ax, f"{360 * abs(missing):.1f}° {side} opposite", (0, -1.32), ha="center")
        if power == 0:
            note(ax, "start", (0.08, 0.6), role="muted")
        ax.set(xlim=(-1.25, 1.25), ylim=(-1.5, 1.12), aspect="equal")
        ax.axis("off")
    return figure
