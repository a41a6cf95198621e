"""The figures about distances, their law and near returns, and the stills of the explorers of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Circle, Wedge

from posenc.distance import distance_matrix, encoding_distance, similarity
from posenc.encoding import frequencies, wavelengths
from wavebook.distance_law import law_reach, similarity_law, similarity_law_bound
from wavebook.figures.style import BookFigure, book_figure, hand, letter, new_figure, note
from wavebook.harmonics import opposite_hands
from wavebook.near_returns import record_offsets
from wavebook.palette import COLOR


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
    paper_to_blue = LinearSegmentedColormap.from_list("distance", [COLOR["paper"], COLOR["computed"]])
    image = chart.imshow(matrix, cmap=paper_to_blue, vmin=0, interpolation="none")
    ticks = range(0, n_positions, 10)
    chart.set(xlabel="position $q$", ylabel="position $p$", xticks=ticks, yticks=ticks)
    figure.colorbar(image, ax=chart, shrink=0.85).outline.set_visible(False)

    letter(curve, "b", "distance against difference")
    p, q = np.triu_indices(n_positions, 1)
    curve.plot(q - p, matrix[p, q], ".", ms=4, color=COLOR["computed"])
    curve.axhline(np.sqrt(d_model), color=COLOR["muted"], lw=0.8, ls="--")
    note(curve, r"$\sqrt{d}$", (0, np.sqrt(d_model)), (4, 7), "muted")
    curve.set(
        xlabel=r"difference $|p - q|$",
        ylabel="distance",
        ylim=(0, 1.1 * np.sqrt(d_model)),
        xlim=(0, n_positions),
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
    letter(left, "a", "distance")
    letter(right, "b", "error of the line")
    for d_model in widths:
        slope, curve = np.linalg.norm(frequencies(d_model)), encoding_distance(offsets, d_model)
        left.plot(offsets, curve, color=COLOR["computed"])
        reach = offsets <= 2.2
        left.plot(offsets[reach], slope * offsets[reach], "--", lw=1, color=COLOR["muted"])
        note(left, f"$d = {d_model}$", (furthest, curve[-1]), (4, 0))
        too_long = slope * offsets / curve - 1
        right.plot(offsets, too_long, color=COLOR["computed"])
        # Named at the right, or within the frame where a curve leaves it.
        high = float(np.interp(3, offsets, too_long))
        if high > 0.3:
            note(
                right,
                f"$d = {d_model}$",
                (float(np.interp(0.28, too_long, offsets)), 0.28),
                (-8, 0),
                ha="right",
            )
        else:
            note(right, f"$d = {d_model}$", (3, high), (4, 0))
    right.plot(offsets, offsets**2 / 48, "--", lw=1, color=COLOR["muted"])
    note(right, r"$\Delta^2/48$", (2.3, 2.3**2 / 48), (6, -8), "muted")
    left.set(xlabel=r"offset $\Delta$", ylabel="distance", xlim=(0, furthest), ylim=(0, None))
    right.set(
        xlabel=r"offset $\Delta$",
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
    left.plot(steps, np.sqrt(d_model * np.clip(1 - share, 0, None)), color=COLOR["muted"], lw=2.4, alpha=0.7)
    left.plot(whole, encoding_distance(whole, d_model, base), ".", ms=2.6, color=COLOR["computed"])
    for level, name in ((d_model, r"$\sqrt{d}$, typical"), (2 * d_model, r"$\sqrt{2d}$, a bound")):
        left.axhline(np.sqrt(level), color=COLOR["muted"], lw=0.8, ls="--")
        note(left, name, (1.2, np.sqrt(level)), (0, 7), "muted")
    left.set(
        xscale="log",
        xlabel=r"offset $\Delta$",
        ylabel="distance",
        xlim=(1, furthest),
        ylim=(0, 1.12 * np.sqrt(2 * d_model)),
    )

    right.plot(steps, share, color=COLOR["muted"], lw=2.4, alpha=0.7)
    right.plot(whole, similarity(whole, d_model, base) / (d_model / 2), ".", ms=2.6, color=COLOR["computed"])
    elementary = 1 - (np.log(steps) + np.euler_gamma) / np.log(base)
    right.plot(steps, elementary, color=COLOR["muted"], lw=0.8)
    limit = law_reach(d_model, base)
    if 1 < limit < furthest:
        right.plot([limit, limit], [-0.5, -0.42], color=COLOR["ink"], lw=1.6)
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
            ax.axvline(offset, color=COLOR["shifted"], lw=0.8)
            ax.plot(offset, value, "o", ms=6, color=COLOR["shifted"])
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
        (0, "muted", "integral alone", 4),
        (1, "computed", "one correction", 1.2),
        (2, "shifted", "two", 14),
    ):
        missed = abs(similarity_law(offsets, d_model, base, corrections=corrections) - exact) / pairs
        # The envelope: the zeros between two signs would only clutter a logarithmic axis.
        envelope = np.array([missed[max(0, j - 12) : j + 13].max() for j in range(len(missed))])
        ax.plot(offsets, envelope, color=COLOR[role])
        note(
            ax,
            name,
            (at, np.interp(at, offsets, envelope)),
            ((0, 10), (0, -10), (6, -6))[corrections],
            role,
            ha="left" if corrections else "center",
        )
    ax.plot(offsets, similarity_law_bound(offsets, d_model, base) / pairs, "--", lw=1, color=COLOR["muted"])
    at_forty = float(similarity_law_bound(40, d_model, base)) / pairs
    note(ax, "bound", (40, at_forty), (-8, 6), "muted", ha="right")
    limit = law_reach(d_model, base)
    ax.axvline(limit, color=COLOR["ink"], lw=0.8)
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
        spread = distance_matrix(last, d_model)[0, first:] - np.sqrt(d_model)
        density, _ = np.histogram(spread, edges, density=True)
        ax.plot(
            (edges[1:] + edges[:-1]) / 2, density, style, color=COLOR["computed"], label=f"$d = {d_model}$"
        )
    ax.axvline(0, color=COLOR["grid"], lw=1, zorder=0)
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
def waves(panels: tuple[tuple[int, int], ...] = ((8, 22), (512, 50))) -> BookFigure:
    """The distance of the first offsets, for each width; upright lines: where the fastest hand ends a turn.

    >>> [len(ax.lines) for ax in waves().axes]
    [5, 9]
    """
    figure = new_figure(7.2, 2.9)
    axes = figure.subplots(1, len(panels))
    for name, ax, (d_model, furthest) in zip("abc", axes, panels, strict=False):
        letter(ax, name, f"$d = {d_model}$")
        for count, end in enumerate(np.arange(2 * np.pi, furthest, 2 * np.pi), start=1):
            ax.axvline(end, color=COLOR["grid"], lw=1.2, zorder=0)
            note(ax, str(count), (end, 0), (-4, 8), "muted", ha="right")
        offsets, whole = np.linspace(0, furthest, 1001), np.arange(furthest + 1)
        ax.plot(offsets, encoding_distance(offsets, d_model), color=COLOR["computed"], lw=1)
        ax.plot(whole, encoding_distance(whole, d_model), ".", ms=5, color=COLOR["computed"])
        ax.set(xlabel=r"offset $\Delta$", ylabel="distance", xlim=(0, furthest), ylim=(0, None))
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
    told = {8: "claimed", 64: "shifted"}  # of several, those that the text is about
    for d_model, offsets in records.items():
        steps = encoding_distance([*offsets, offsets[-1]], d_model, base)
        role = told.get(d_model, "muted") if len(records) > 1 else "computed"
        ax.step(
            [*offsets, last],
            steps,
            where="post",
            color=COLOR[role],
            lw=1.2 if role != "muted" else 0.9,
            marker="o" if len(offsets) > 1 else None,
            ms=2.6,
        )
        note(
            ax,
            f"$d = {d_model}$" if len(records) < 2 or d_model == min(records) else str(d_model),
            (last, steps[-1]),
            (6, 0),
            role if role in told.values() else "ink",
        )
    if cursor is not None:
        d_model, offsets = next(iter(records.items()))
        nearest = max(k for k in offsets if k <= cursor)
        ax.axhline(float(encoding_distance(1, d_model, base)), color=COLOR["muted"], lw=0.8, ls="--")
        ax.axvline(cursor, color=COLOR["shifted"], lw=0.8)
        ax.plot(nearest, encoding_distance(nearest, d_model, base), "o", ms=6, color=COLOR["shifted"])
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
def seen_from(position: int, d_model: int, base: float, n_positions: int = 201) -> BookFigure:
    """The distance from one position to every other, and the typical level.

    >>> seen_from(5, 64, 10_000).axes[0].get_xlabel()
    'position $q$'
    """
    others = np.arange(n_positions)
    figure = new_figure(7.2, 2.8)
    ax = figure.subplots()
    apart = encoding_distance(others - position, d_model, base)
    ax.plot(others, apart, ".", ms=4, color=COLOR["computed"])
    ax.axhline(np.sqrt(d_model), color=COLOR["muted"], lw=0.8, ls="--")
    note(ax, r"$\sqrt{d}$", (n_positions - 1, np.sqrt(d_model)), (6, 0), "muted")
    ax.set(
        xlabel="position $q$",
        ylabel=f"distance to position {position}",
        xlim=(0, n_positions - 1),
        ylim=(0, None),
    )
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
        ax.plot(np.sin(circle), np.cos(circle), color=COLOR["grid"], lw=1.2)
        ax.plot([0, 0], [0, 1], color=COLOR["muted"], lw=0.8)
        ax.plot([0, 0], [0, -1], "--", color=COLOR["muted"], lw=0.8)
        ax.plot([0, np.sin(angle)], [0, np.cos(angle)], color=COLOR["computed"], lw=2)
        ax.plot(np.sin(angle), np.cos(angle), "o", ms=5, color=COLOR["computed"])
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


@book_figure
def same_arcs(arcs: int = 16, d_model: int = 4, base: float = 10_000.0) -> BookFigure:
    """Each hand's circle cut into equal arcs, and the first two positions with each hand in the same arc.

    >>> len(same_arcs(4).axes)
    2
    """
    omega = frequencies(d_model, base)
    seen: dict[tuple[int, ...], int] = {}
    for second in range(arcs ** len(omega) + 1):
        box = tuple((second * omega % (2 * np.pi) // (2 * np.pi / arcs)).astype(int))
        if box in seen:
            break
        seen[box] = second
    first = seen[box]
    figure = new_figure(7.2, 2.3)
    for ax, n, arc in zip(figure.subplots(1, len(omega)), range(len(omega)), box, strict=True):
        turn = 360 / arcs
        ax.add_patch(Wedge((0, 0), 1, 90 - turn * (arc + 1), 90 - turn * arc, color=COLOR["grid"], lw=0))
        ax.add_patch(Circle((0, 0), 1, fill=False, ec=COLOR["muted"], lw=0.8))
        for cut in 2 * np.pi / arcs * np.arange(arcs):
            ax.plot((0, np.sin(cut)), (0, np.cos(cut)), color=COLOR["grid"], lw=0.8)
        for position, name, role in ((first, "p", "computed"), (second, "q", "shifted")):
            hand(ax, position * omega[n], role)
            if not n:  # beside the tips, where they are far enough apart
                x, y = 1.1 * np.sin(position * omega[n]), 1.1 * np.cos(position * omega[n])
                note(ax, f"${name} = {position}$", (x, y), (0, -4), role, ha="right" if x < 0 else "left")
        ax.set(aspect="equal", xlim=(-1.7, 1.5), ylim=(-1.1, 1.1))
        ax.axis("off")
        ax.set_title(f"hand {n}", color=COLOR["ink"])
    return figure


@book_figure
def smallest(widths: Sequence[int], found: Sequence[float], base: float = 10_000.0) -> BookFigure:
    """The smallest distance found for each d, and that of neighbors.

    >>> len(smallest([8, 16], [0.04, 1.01]).axes[0].lines)
    2
    """
    figure = new_figure(7.2, 2.6)
    ax = figure.subplots()
    apart = [float(encoding_distance(1, d, base)) for d in widths]
    ax.plot(widths, apart, "-", color=COLOR["shifted"], lw=1.4)
    ax.plot(widths, found, "o", color=COLOR["computed"], ms=6, mew=0)
    note(ax, "neighbors", (widths[-2], apart[-2]), (0, -16), "shifted")
    note(ax, "smallest of all", (widths[0], found[0]), (9, 0))
    ax.set(xscale="log", yscale="log", xlabel="$d$", ylabel="distance", ylim=(0.02, 8))
    ax.set_xticks(widths, [str(d) for d in widths])
    ax.set_yticks((0.1, 1), ("0.1", "1"))
    ax.minorticks_off()
    return figure


@book_figure
def back_together(widths: Sequence[int] = (8, 6), base: float = 10_000.0, last: float = 7000) -> BookFigure:
    """Where each hand is back at its start, a line for each hand; a long line where the slowest one is.

    >>> len(back_together().axes)
    2
    """
    figure = new_figure(7.2, 0.9 + 0.45 * sum(widths) / 4)
    panels = figure.subplots(len(widths), 1, sharex=True, squeeze=False)[:, 0]
    for ax, name, d in zip(panels, "abcd", widths, strict=False):
        waves = wavelengths(d, base)
        for n, wave in enumerate(waves):
            back = np.arange(0, last, wave)
            ax.plot(back, np.full(back.size, n), "|", color=COLOR["computed"], ms=9, mew=1 if n else 0.5)
        for at in np.arange(waves[-1], last, waves[-1]):
            ax.axvline(at, color=COLOR["shifted"], lw=1, zorder=0)
        ax.set(xlim=(-60, last), ylim=(len(waves) - 0.4, -0.6))
        ax.set_yticks(range(len(waves)), [f"hand {n}" for n in range(len(waves))])
        ax.tick_params(axis="y", length=0)
        letter(ax, name, f"$d = {d}$")
    panels[-1].set(xlabel="real position")
    return figure
