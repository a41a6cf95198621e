"""The figures about a published language model: a head's far look, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wavebook.figures.style import BookFigure, book_figure, name_rows, new_figure, note
from wavebook.palette import COLOR

#: Offsets that a logarithmic axis names.
TICKS = (20, 50, 100, 200, 400, 800)
#: Where labels end, and their size, which is for narrow screens, too.
LEFT: dict[str, Any] = {"ha": "left", "fontsize": 11}
RIGHT: dict[str, Any] = {"ha": "right", "fontsize": 11}


@book_figure
def spike(weights: ArrayLike, look: int, near: int, next_looks: Iterable[int] = ()) -> BookFigure:
    """Mean weight of one head by offset, and the names of its looks: the line of the near one is broken.

    >>> len(spike([0.0, 0.6, 0.0, 0.05, 0.01], 3, 1, [4]).axes)
    1
    """
    values = 100 * np.asarray(weights, dtype=np.float64)
    figure = new_figure(7.2, 2.6)
    ax = figure.subplots()
    top = 1.3 * values[look]
    ax.plot(np.minimum(values, top), color=COLOR["ink"], lw=1)
    # Two slanted strokes, and nothing between them: the scale is not that of what is above.
    ax.plot(near, 0.86 * top, "s", color=COLOR["paper"], ms=5, mew=0)
    for height in (0.835, 0.885):
        ax.plot(near, height * top, marker=[(-1, -0.4), (1, 0.4)], color=COLOR["ink"], ms=11, mew=1)
    note(ax, f"{near} back: {values[near]:.0f} %", (near, top), (9, -9), **LEFT)
    note(ax, f"{look} back: {values[look]:.1f} %", (look, values[look]), (0, 7), "claimed", **LEFT)
    for one in next_looks:
        note(ax, f"{one}", (one, values[one]), (0, 8), "muted", ha="center", fontsize=11)
    ax.set(xlim=(-20, len(values)), ylim=(0, top), xlabel="how many tokens back", ylabel="mean weight, %")
    ax.tick_params(labelsize=11)
    return figure


@book_figure
def named(
    names: Sequence[str],
    subject: str,
    said: ArrayLike,
    simpler: ArrayLike,
    found: Mapping[str, tuple[ArrayLike, ArrayLike]],
) -> BookFigure:
    """The far offset of each head by a formula, by a simpler rule, and as measured: a panel for each kind.

    Of what is found there are offsets and weights. The heads are in the order of what is named, one of them
    the subject of the page. A disc is where what is named is also measured; a triangle is filled there, too.
    The first panel says so, where one of each is, and where what is named is one beside what is measured.

    >>> found = {"random tokens": ([208, 56], [0.05, 0.01])}
    >>> len(named(["2.1", "1.0"], "2.1", [208, 26], [441, 315], found).axes)
    1
    """
    order = np.argsort(said, kind="stable")
    here, rule = (np.asarray(each)[order] for each in (said, simpler))
    rows = 1 + np.arange(len(order))
    named_rows = ["head", *(names[at] for at in order)]
    figure = new_figure(7.2, 4.6)
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    paper, claimed, cosine = (COLOR[role] for role in ("paper", "claimed", "cosine"))
    ring: dict[str, Any] = {"marker": "o", "mfc": paper, "mec": claimed, "ms": 8, "mew": 1.4}
    dot: dict[str, Any] = {"marker": "o", "color": COLOR["ink"], "ms": 4, "mew": 0}
    disc: dict[str, Any] = {"marker": "o", "color": claimed, "ms": 9, "mew": 0}
    under: dict[str, Any] = {"marker": "^", "color": cosine, "ms": 4.5, "mew": 1}
    its = named_rows.index(subject)
    for ax, (title, looks) in zip(panels, found.items(), strict=True):
        there, weights = (np.asarray(each)[order] for each in looks)
        hit, miss = here == there, here != there
        ax.axhspan(its - 0.5, its + 0.5, color=COLOR["grid"], lw=0)
        ax.hlines(rows, 16, 900, color=COLOR["grid"], lw=0.6)
        ax.hlines(rows[miss], here[miss], there[miss], color=COLOR["muted"], lw=1.2)
        for offsets, shown, style in ((here, miss, ring), (there, miss, dot), (here, hit, disc)):
            ax.plot(offsets[shown], rows[shown], ls="", **style)
        for shown, inside in ((rule == there, cosine), (rule != there, paper)):
            ax.plot(rule[shown], rows[shown] + 0.42, ls="", mfc=inside, **under)
        if ax is panels[0]:  # in the gaps between the rows' lines
            right, farthest = rule == there, there == there[miss].max(initial=0)
            last = rows == rows[right].max(initial=0)
            claims, rules = ({"role": role} for role in ("claimed", "cosine"))
            for words, (shown, offsets, level), away, style in (
                ("named by the formula: wrong", (miss, here, 0), (-6, 14), claims | LEFT),
                ("measured", (miss & farthest, there, 0), (0, -8), RIGHT | {"ha": "center"}),
                ("off by one", (abs(here - there) == 1, here, 0), (-9, 0), claims | RIGHT),
                ("named, and right", (hit & (rows == its), here, 0), (-9, 0), claims | RIGHT),
                ("simpler rule", (~right, rule, 0.42), (-6, 0), rules | RIGHT),
                ("simpler rule, right", (right & last, rule, 0.42), (-6, 0), rules | RIGHT),
            ):
                for one in np.flatnonzero(shown)[:1]:
                    note(ax, words, (offsets[one], rows[one] + level), away, **style)
        column = ["% of weight", *(f"{100 * weight:.2f}" for weight in weights)]
        for row, written in enumerate(column):
            note(ax, written, (1000, row), (26, 0), "muted", **RIGHT)
        ax.set_title(title)
        ax.set(xscale="log", xlim=(15, 1000), ylim=(len(rows) + 0.6, -0.6), xlabel="tokens back")
        ax.set_xticks(TICKS, [f"{tick}" for tick in TICKS], fontsize=11)
        ax.set_xticks([], minor=True)
        name_rows(ax, named_rows, fontsize=11, va="center")
    return figure


@book_figure
def moved(said: ArrayLike, measured: ArrayLike) -> BookFigure:
    """Where looks were said to go, and where they went: a disc where both are one, else a ring.

    >>> len(moved([208, 893, 56], [208, 893, 430]).axes)
    1
    """
    here, there = (np.asarray(each) for each in (said, measured))
    right = here == there
    figure = new_figure(7.2, 3.6)
    ax = figure.subplots()
    ax.plot((16, 900), (16, 900), color=COLOR["grid"], lw=1)
    claimed: dict[str, Any] = {"ls": "", "marker": "o", "mec": COLOR["claimed"], "mew": 1.1}
    ax.plot(here[~right], there[~right], mfc=COLOR["paper"], ms=4.5, **claimed)
    ax.plot(here[right], there[right], mfc=COLOR["claimed"], ms=4.5, **claimed)
    note(ax, f"right: {right.sum()} of {len(right)}", (120, 120), (16, -22), "claimed", **LEFT)
    ax.set(xscale="log", yscale="log", xlim=(15, 1000), ylim=(15, 1000))
    ax.set(xlabel="tokens back that the formula names", ylabel="tokens back, measured")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(TICKS, [f"{tick}" for tick in TICKS], fontsize=11)
        axis.set_ticks([], minor=True)
    return figure


@book_figure
def caused(differences: ArrayLike, low: int, high: int, there: int, ends: tuple[float, float]) -> BookFigure:
    """What a head adds to the effect of a changed token, (sequences, offsets), by how far back it is.

    The thin line is their mean size. At the right, at one offset, each is a dot, the mean with its interval.

    >>> [len(ax.lines) for ax in caused(np.zeros((2, 500)), 40, 470, 208, (-0.1, 0.1)).axes]
    [3, 4]
    """
    figure = new_figure(7.2, 2.8)
    ax, aside = figure.subplots(1, 2, width_ratios=(7, 2))
    each = np.asarray(differences, dtype=np.float64)
    values, shown = each.mean(0), np.arange(low, high + 1)
    sizes = np.abs(each).mean(0)
    ax.axhline(0, color=COLOR["muted"], lw=0.8)
    ax.plot(shown, sizes[shown], color=COLOR["ink"], lw=0.8)
    ax.plot(shown, values[shown], color=COLOR["claimed"], lw=1)
    note(ax, f"{there} back: mean without\nsign (seen afterward)", (there, sizes[there]), (6, -6), **LEFT)
    note(ax, "mean", (there, values[there]), (5, 4), "claimed", **LEFT)
    ax.set(xlim=(low, high), ylim=(-0.06, 0.16), xlabel="how far back the changed token is")
    aside.axhline(0, color=COLOR["muted"], lw=0.8)
    beside = 0.2 * (np.arange(len(each)) % 3 - 1)  # so that none is upon another
    aside.plot(beside, np.sort(each[:, there]), "o", color=COLOR["claimed"], ms=3.4, mew=0)
    aside.plot([1, 1], ends, color=COLOR["claimed"], lw=2.4, solid_capstyle="butt")
    aside.plot(1, values[there], "o", color=COLOR["claimed"], ms=5, mew=0)
    aside.set(xlim=(-0.8, 1.6), ylim=(-0.5, 0.5))
    aside.set_xticks([0, 1], ["each", "mean"])
    aside.set_xlabel(f"at {there} back")
    for one in (ax, aside):
        one.tick_params(labelsize=11)
    ax.set_ylabel("what the head adds,\nlog ratio")
    return figure
