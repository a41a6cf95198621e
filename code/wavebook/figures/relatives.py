"""The figures of the chapters on RoPE's relatives and on longer contexts, and their explorers' stills."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from posenc.biases import alibi_slopes, t5_bucket_starts
from posenc.context import METHODS, unseen_pairs
from posenc.distance import encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.rope import apply_rope, partial_frequencies
from wavebook.figures.style import DIVERGING, BookFigure, book_figure, letter, name_rows, new_figure, note
from wavebook.models import models, waves
from wavebook.palette import COLOR

#: What is drawn of a bias.
LOWEST = -12


@book_figure
def added_or_turned(n: int = 48, d_model: int = 32, apart: int = 5, seed: int = 2) -> BookFigure:
    """The scores among n copies of one token, less their mean, with encodings added and with RoPE.

    Besides the two tables, both along one diagonal: of tokens ``apart`` positions apart.

    >>> [ax.get_title("left")[:3] for ax in added_or_turned().axes]
    ['(a)', '(b)', '(c)']
    """
    chance, positions = np.random.default_rng(seed), np.arange(n)
    w_q, w_k = chance.normal(size=(2, d_model, d_model)) / np.sqrt(d_model)
    tokens = np.tile(chance.normal(size=d_model), (n, 1))  # (n, d): the same row n times
    encoded = tokens + positional_encoding(positions, d_model)
    added = (encoded @ w_q.T) @ (encoded @ w_k.T).T
    turned = apply_rope(tokens @ w_q.T, positions) @ apply_rope(tokens @ w_k.T, positions).T
    figure = new_figure(7.2, 2.7)
    *maps, line = figure.subplots(1, 3)
    for ax, scores, title, role in zip(
        maps, (added, turned), ("(a)  encodings added", "(b)  RoPE"), ("claimed", "computed"), strict=True
    ):
        varied = scores - scores.mean()
        along = np.diagonal(varied, -apart)
        line.plot(positions[: n - apart], along, color=COLOR[role], lw=1.6 if role == "computed" else 1.2)
        lowest = int(along.argmin()) if role == "claimed" else n // 3
        note(line, title[5:], (lowest, along[lowest]), (10, 0) if role == "claimed" else (0, 8), role)
        ax.imshow(
            varied / np.abs(varied).max(),
            cmap=DIVERGING,
            vmin=-1,
            vmax=1,
            origin="upper",
            interpolation="none",
        )
        ax.set_title(title)
        ax.set(xlabel="key at $q$", ylabel="query at $p$", xticks=range(0, n, 20), yticks=range(0, n, 20))
    line.set_title(f"(c)  where $p - q = {apart}$")
    line.set(xlabel="key at $q$", ylabel="score, less the mean", xlim=(0, n - apart))
    return figure


@book_figure
def decay(d_model: int = 128, base: float = 10_000, furthest: float = 500, aim: float = 200) -> BookFigure:
    """RoPE's scores against distance for three contents.

    >>> len(decay().axes)
    1
    """
    t, half = np.arange(furthest + 1), d_model // 2
    query, key = _by_chance(d_model)
    chance = (
        apply_rope(np.tile(query, (t.size, 1)), t, base) @ key / (np.linalg.norm(query) * np.linalg.norm(key))
    )
    figure = new_figure(7.2, 3.0)
    ax = figure.subplots()
    ax.plot(t, chance, color=COLOR["muted"], lw=1)
    ax.plot(t, similarity(t, d_model, base) / half, color=COLOR["computed"])
    ax.plot(t, similarity(t - aim, d_model, base) / half, color=COLOR["shifted"])
    note(ax, "key alike", (12, 0.86), (4, 0))
    note(ax, f"key aimed {aim:g} back", (aim, 1), (8, -2), "shifted")
    note(ax, "key drawn at random", (furthest, -0.27), (-4, 0), "muted", ha="right")
    ax.set(
        xlabel=r"distance $\Delta = p - q$",
        ylabel="score / largest possible",
        xlim=(0, furthest),
        ylim=(-0.35, 1.05),
    )
    return figure


def _by_chance(d_model: int) -> NDArray[np.float64]:
    """A query and a key."""
    return np.random.default_rng(11).normal(size=(2, d_model))


@book_figure
def biases(heads: int = 8, furthest: int = 128) -> BookFigure:
    """Left what each head of ALiBi adds, right the buckets of T5 against distance.

    >>> len(biases().axes)
    2
    """
    figure = new_figure(7.2, 3.0)
    left, right = figure.subplots(1, 2)
    letter(left, "a", "ALiBi")
    letter(right, "b", "T5")
    t = np.array([0, furthest])
    for head, slope in enumerate(alibi_slopes(heads), 1):
        left.plot(t, -slope * t, color=COLOR["computed"], lw=1.2)
        # Named at the right, or within the frame where a line leaves it.
        if -slope * furthest < LOWEST:
            note(left, f"head {head}" if head == 1 else str(head), (-LOWEST / slope, LOWEST), (4, 8))
        else:
            near = {heads - 1: -3, heads: 4}.get(head, 0)
            note(
                left, f"head {head}" if head == heads else str(head), (furthest, -slope * furthest), (4, near)
            )
    left.set(
        xlabel=r"distance $\Delta$",
        ylabel="added to the score",
        xlim=(0, furthest),
        ylim=(LOWEST, 0.3),
        xticks=range(0, furthest + 1, 32),
    )
    starts = t5_bucket_starts(16, furthest)
    right.step([*starts, 2 * furthest], [*range(16), 15], where="post", color=COLOR["computed"])
    right.axvline(8, color=COLOR["muted"], lw=0.8, ls="--")
    note(right, "one distance each", (1.06, 11.5), role="muted", fontsize=9)
    note(right, "growing", (10, 3.5), role="muted")
    right.set(
        xscale="log", xlabel=r"distance $\Delta$", ylabel="bucket", xlim=(1, 2 * furthest), ylim=(0, 15.8)
    )
    return figure


def _wavelength_panel(ax: Axes, d_model: int, factor: float, base: float, length: float, chosen: str) -> None:
    pairs, old = np.arange(d_model // 2), wavelengths(d_model, base)
    new = 2 * np.pi / METHODS[chosen](d_model, factor, base, int(length))
    ax.plot(pairs, old, color=COLOR["muted"], lw=1.2)
    ax.plot(pairs, new, color=COLOR["shifted"], lw=2)
    for at, name in ((length, "trained length"), (factor * length, "new length")):
        ax.axhline(at, color=COLOR["ink"], lw=0.7, ls="--" if at == length else "-")
        note(ax, name, (0, at), (2, 6), fontsize=9)
    ax.set(
        yscale="log", xlabel="pair $i$", ylabel="wavelength, positions", xlim=(0, pairs[-1]), ylim=(4, 4e6)
    )


def _slowing_panel(
    ax: Axes, d_model: int, factor: float, base: float, length: float, chosen: str | None
) -> None:
    pairs, old = np.arange(d_model // 2), frequencies(d_model, base)
    places = {"interpolation": (0.12, (0, 7)), "NTK-aware": (0.62, (10, -12)), "YaRN": (0.44, (-34, 10))}
    if chosen:
        places["Llama 3.1"] = (0.5, (8, -16))
    for name, (at, away) in places.items():
        slowed = old / METHODS[name](d_model, factor, base, int(length))
        own = chosen in (None, name)
        ax.plot(
            pairs,
            slowed,
            color=COLOR["shifted" if name == chosen else "computed" if own else "muted"],
            lw=2 if name == chosen else 1.2,
        )
        where = int(at * pairs[-1])
        note(ax, name, (where, slowed[where]), away, "shifted" if name == chosen else "ink")
    ax.set(
        yscale="log",
        xlabel="pair $i$",
        ylabel="slowed by",
        xlim=(0, pairs[-1]),
        ylim=(0.85, max(1.25 * factor, 2)),
    )
    ticks = [2**k for k in range(10) if 2**k <= factor]
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()


@book_figure
def contexts(told: Sequence[str] = ()) -> BookFigure:
    """The wavelengths of each model's pairs against its context, a line for each type of layer, by year.

    If the page tells of some, by the names of their lines, the dots and names of the others are gray.

    >>> contexts().axes[0].get_xlabel()
    'positions'
    """
    lines = [
        (f"{model.name}, {layers}" if layers else model.name, kind, model.year)
        for model in sorted(models(), key=lambda model: model.year)
        for layers, kind in model.kinds.items()
        if model.encoding.startswith("RoPE")
    ]
    figure, end = new_figure(7.2, 0.18 * len(lines) + 0.8), 1.5e8
    ax = figure.subplots()
    assert set(told) <= {name for name, *_ in lines}
    for row, (name, kind, year) in enumerate(lines):
        role, size = ("computed", 2.8) if not told or name in told else ("muted", 1.6)
        if row == 0 or year != lines[row - 1][2]:
            note(ax, str(year), (end, row), (6, 0))
            if row:
                ax.axhline(row - 0.5, color=COLOR["grid"], lw=0.8, zorder=0)
        found, trained, allowed = waves(kind), kind.trained_length, kind.extended_length
        ax.plot(found, np.full(found.size, row), "o", ms=size, mew=0, color=COLOR[role])
        if trained:
            ax.plot([trained] * 2, [row - 0.42, row + 0.42], color=COLOR["cosine"], lw=2)
        if trained and allowed and allowed > trained:
            ax.plot([trained, allowed], [row, row], color=COLOR["cosine"], lw=1)
            ax.plot(allowed, row, ">", ms=5, color=COLOR["cosine"])
    note(ax, "wavelengths", (2048, 0), (-4, 9), "computed", ha="right")
    note(ax, "context", (2048, 0), (4, 9), "cosine")
    lengthened = next(row for row, (_, kind, _) in enumerate(lines) if kind.rope_type == "llama3")
    note(ax, "made longer", (3e7, lengthened), (0, -3), "cosine")
    ax.set(xscale="log", xlabel="positions", xlim=(4, end), ylim=(len(lines) - 0.4, -1.6))
    name_rows(ax, [name for name, *_ in lines])
    for label, (name, *_) in zip(ax.get_yticklabels(), lines, strict=True):
        if told:
            label.set(color=COLOR["ink" if name in told else "muted"])
    ax.minorticks_off()
    return figure


@book_figure
def partial(d_model: int = 64, turning: int = 32) -> BookFigure:
    """The wavelengths of a head that turns as a whole, and of two that turn in part, with the pairs at rest.

    >>> len(partial().axes[0].lines)
    5
    """
    ways = {
        "whole head": frequencies(d_model),
        "smaller head": partial_frequencies(d_model, turning),
        "fastest only": partial_frequencies(d_model, turning, truncated=True),
    }
    figure, rest = new_figure(7.2, 1.6), 2e5
    ax = figure.subplots()
    for row, omega in enumerate(ways.values()):
        moving = 2 * np.pi / omega[omega > 0]
        ax.plot(moving, np.full(moving.size, row), "o", ms=3, mew=0, color=COLOR["computed"])
        still = int((omega == 0).sum())
        if still:
            at = rest * 1.16 ** np.arange(still)
            ax.plot(at, np.full(still, row), "o", ms=3, mfc="none", mew=0.7, mec=COLOR["muted"])
            note(ax, f"{still} at rest", (rest, row), (0, 9), "muted")
    ax.set(xscale="log", xlabel="wavelength in positions", xlim=(5, 3e6), ylim=(2.5, -0.6))
    ax.set_xticks([10.0**n for n in range(1, 5)])
    name_rows(ax, list(ways))
    ax.minorticks_off()
    return figure


@book_figure
def looks(position: int, d_model: int, base: float, n: int = 201, seed: int = 5) -> BookFigure:
    """RoPE's scores of one query for a key at every position: the same vector as the query, and a random one.

    >>> looks(50, 32, 10_000).axes[0].get_xlabel()
    'key at position $q$'
    """
    others = np.arange(n)
    query, key = np.random.default_rng(seed).normal(size=(2, d_model))
    here = apply_rope(query, position, base)
    figure = new_figure(7.2, 2.9)
    ax = figure.subplots()
    for vector, role in ((key, "muted"), (query, "computed")):
        ax.plot(
            others,
            apply_rope(np.tile(vector, (n, 1)), others, base) @ here / np.sqrt(d_model),
            ".-",
            ms=3,
            lw=0.8,
            color=COLOR[role],
        )
    ax.axvline(position, color=COLOR["shifted"], lw=0.8)
    note(ax, "key alike", (position, query @ query / np.sqrt(d_model)), (6, 0))
    ax.set(xlabel="key at position $q$", ylabel=f"score of the query at {position}", xlim=(0, n - 1))
    return figure


# --- Stills


@book_figure
def context_extension(
    method: str, factor: float, base: float, length: float, d_model: int = 128
) -> BookFigure:
    """Left wavelengths before and after, with both lengths; right by how much each pair is slowed.

    >>> len(context_extension("YaRN", 8, 10_000, 2048).axes)
    2
    """
    omega = METHODS[method](d_model, factor, base, int(length))
    figure = new_figure(7.2, 3.4)
    left, right = figure.subplots(1, 2)
    _wavelength_panel(left, d_model, factor, base, length, method)
    _slowing_panel(right, d_model, factor, base, length, method)
    beyond = unseen_pairs(omega, d_model, factor, base, length=int(length))
    now, before = encoding_distance(1, omega=omega), encoding_distance(1, d_model, base)
    figure.supxlabel(
        f"neighbors {now:.3f} apart, before {before:.3f}; "
        f"{beyond} of {d_model // 2} pairs reach a step past training",
        size=11,
    )
    return figure
