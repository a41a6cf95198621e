"""The figures of the chapters on RoPE's relatives and on longer contexts, and their explorers' stills."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from posenc.biases import alibi_bias, alibi_slopes, fire_positions, kerple_bias, t5_bucket_starts
from posenc.context import METHODS, log_n_scale, longrope, stepped_scale, unseen_pairs, yarn_scale
from posenc.distance import encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.positions import multimodal_positions
from posenc.rope import apply_rope, apply_xpos, partial_frequencies
from wavebook.content_bias import contextual_positions
from wavebook.figures.style import DIVERGING, BookFigure, book_figure, letter, name_rows, new_figure, note
from wavebook.models import models, waves
from wavebook.palette import COLOR
from wavebook.rotary_sums import abel_bound, pair_products

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
    figure.flat = True
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


@book_figure
def abel(d_model: int = 128, base: float = 10_000, furthest: float = 500) -> BookFigure:
    """Abel's bound for products that taper off, with their score, and for a random query and key.

    >>> len(abel().axes[0].lines)
    4
    """
    t, omega, half = np.arange(furthest + 1), frequencies(d_model, base), d_model // 2
    taper = 1 - np.arange(half) / half
    score = np.abs(np.exp(1j * np.multiply.outer(t, omega)) @ taper) / taper.sum()
    figure = new_figure(7.2, 3.0)
    figure.flat = True
    ax = figure.subplots()
    ax.plot(t, score, color=COLOR["computed"], lw=1)
    ax.plot(t, abel_bound(taper.astype(complex), t, omega=omega), color=COLOR["ink"], ls="--", lw=1.2)
    chance = pair_products(*_by_chance(d_model))
    ax.plot(t, abel_bound(chance, t, omega=omega), color=COLOR["muted"], ls="--", lw=1.2)
    ax.axhline(1, color=COLOR["grid"], lw=1)
    note(ax, "bound, random query and key", (furthest, 60), (-4, 0), "muted", ha="right")
    note(ax, "bound, products that taper off", (furthest, 0.32), (-4, 12), ha="right")
    note(ax, "their score", (8, 0.055))
    note(ax, "above this it says nothing", (furthest, 1), (-4, 7), "muted", ha="right", fontsize=8.5)
    ax.set(
        yscale="log",
        xlabel=r"distance $\Delta$",
        ylabel="fraction of the largest possible",
        xlim=(0, furthest),
        ylim=(0.03, 100),
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
def extension(factor: float = 8, d_model: int = 128, base: float = 10_000, length: int = 2048) -> BookFigure:
    """Left by how much each method slows each pair; right the distance of neighbors against the factor.

    >>> [ax.get_ylabel() for ax in extension().axes]
    ['slowed by', 'distance of neighbors']
    """
    figure = new_figure(7.2, 3.2)
    left, right = figure.subplots(1, 2)
    _slowing_panel(left, d_model, factor, base, length, None)
    factors = np.geomspace(1, 64, 60)
    for name in ("interpolation", "NTK-aware", "YaRN"):
        apart = [float(encoding_distance(1, omega=METHODS[name](d_model, f, base, length))) for f in factors]
        right.plot(factors, apart, color=COLOR["computed"], lw=1.2)
        note(right, name, (factors[-1], apart[-1]), (-2, 10 if name != "NTK-aware" else -8), ha="right")
    right.set(
        xscale="log",
        xlabel="factor",
        ylabel="distance of neighbors",
        xlim=(1, 64),
        ylim=(0, None),
        xticks=[1, 2, 4, 8, 16, 32, 64],
    )
    right.set_xticklabels(["1", "2", "4", "8", "16", "32", "64"])
    right.minorticks_off()
    return figure


@book_figure
def divisors(
    long_factor: ArrayLike,
    factor: float = 32,
    d_model: int = 96,
    base: float = 10_000,
    length: int = 4096,
) -> BookFigure:
    """By how much each method slows each pair of one head, with LongRoPE's published factors among them.

    >>> divisors(np.linspace(1, 40, 48)).axes[0].get_ylabel()
    'slowed by'
    """
    pairs, old = np.arange(d_model // 2), frequencies(d_model, base)
    figure = new_figure(7.2, 3.9)
    ax = figure.subplots()
    turns = length * old / (2 * np.pi)
    for least, name in ((32, "32 turns"), (4, "4 turns"), (1, "1 turn")):
        at = np.interp(-np.log(least), -np.log(turns), pairs)
        ax.axvline(at, color=COLOR["grid"], lw=1)
        note(ax, name, (at, 0.9), (3, 0), "muted", fontsize=9)
    places = {
        "interpolation": (5, (0, 7)),
        "NTK-aware": (11, (0, -16)),
        "YaRN": (19, (6, -10)),
        "Llama 3.1": (27, (-54, 4)),
    }
    for name, (at, away) in places.items():
        slowed = old / METHODS[name](d_model, factor, base, length)
        role = "shifted" if name == "Llama 3.1" else "computed"
        ax.plot(pairs, slowed, color=COLOR[role], lw=2 if role == "shifted" else 1.2)
        note(ax, name, (at, slowed[at]), away, role)
    found = old / longrope(
        d_model, length + 1, base, short_factor=np.ones(pairs.size), long_factor=long_factor, length=length
    )
    ax.plot(pairs, found, "o", ms=3.5, color=COLOR["cosine"])
    note(ax, "LongRoPE, found by search", (14, found[14]), (-10, 12), "cosine", ha="right")
    ax.set(yscale="log", xlabel="pair $i$", ylabel="slowed by", xlim=(0, pairs[-1]), ylim=(0.8, 90))
    ax.set_yticks([1, 2, 4, 8, 16, 32, 64], ["1", "2", "4", "8", "16", "32", "64"])
    ax.minorticks_off()
    return figure


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
    figure, end = new_figure(7.2, 0.215 * len(lines) + 0.8), 1.5e8
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
    note(ax, "wavelengths", (30, 0), (0, 9), "computed", ha="center")
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
def sharper(length: int = 4096, furthest: float = 256) -> BookFigure:
    """By what the scores are multiplied as the context grows: YaRN, LongRoPE or log n, and Llama 4's steps.

    >>> sharper().axes[0].get_xscale()
    'log'
    """
    factors = np.geomspace(1, furthest, 400)
    figure = new_figure(7.2, 3.0)
    ax = figure.subplots()
    yarns = np.array([yarn_scale(f) ** 2 for f in factors])
    ax.plot(factors, yarns, color=COLOR["computed"], lw=1.4)
    note(ax, "YaRN", (factors[250], yarns[250]), (12, -2))
    logs = log_n_scale(factors * length, length)
    ax.plot(factors, logs, color=COLOR["shifted"], lw=2)
    note(ax, r"$\ln n\,/\ln L$, LongRoPE", (factors[250], logs[250]), (-56, 11), "shifted")
    steps = stepped_scale(np.ceil(factors * length) - 1, length)
    ax.plot(factors, steps, color=COLOR["muted"], lw=1.4)
    note(ax, "Llama 4, layers without RoPE", (factors[180], steps[180]), (0, -14), "muted")
    ax.set(
        xscale="log",
        xlabel="context, in trained lengths",
        ylabel="scores multiplied by",
        xlim=(1, furthest),
        ylim=(0.9, None),
    )
    ticks = [4**k for k in range(5) if 4**k <= furthest]
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    return figure


@book_figure
def axes(before: Sequence[str], grid: tuple[int, int], after: Sequence[str]) -> BookFigure:
    """The time, row and column of each token of a text with an image of so many rows and columns in it.

    >>> len(axes(["a"], (1, 2), ["b"]).axes[0].patches)
    4
    """
    rows, columns = grid
    words = [*before, *[""] * (rows * columns), *after]
    places = multimodal_positions([len(before), (1, rows, columns), len(after)])
    figure = new_figure(7.2, 1.75)
    ax = figure.subplots()
    for n, (word, place) in enumerate(zip(words, places, strict=True)):
        role = "ink" if word else "shifted"
        ax.add_patch(Rectangle((n - 0.5, -0.5), 1, 1, fill=False, ec=COLOR[role], lw=0.8))
        note(ax, word or "image", (n, 0), role=role, ha="center", fontsize=9)
        for line, number in enumerate(place, 1):
            note(ax, str(number), (n, 0.1 + 0.8 * line), role=role, ha="center")
    for line, name in enumerate(("time", "row", "column"), 1):
        note(ax, name, (-0.8, 0.1 + 0.8 * line), role="muted", ha="right")
    ax.set(xlim=(-1.9, len(words) - 0.4), ylim=(3, -0.6))
    ax.axis("off")
    return figure


@book_figure
def decays(
    d_model: int = 64,
    kerple: tuple[float, float] = (1.5, 1),
    slope: float = 1 / 16,
    fire: tuple[float, float] = (0.1, 64),
    tokens: int = 60,
    n: int = 2000,
) -> BookFigure:
    """What is made of distance by xPos, by KERPLE beside ALiBi, by FIRE and by CoPE, in a panel each.

    >>> len(decays().axes)
    4
    """
    figure = new_figure(7.2, 5.4)
    (xpos, power), (fraction, count) = figure.subplots(2, 2)
    distance, pairs = np.arange(n), d_model // 2

    ones = np.tile([1.0, 0.0] * pairs, (n, 1))
    factors = apply_xpos(ones, distance, omega=np.zeros(pairs))[:, ::2]
    labels = {0: (440, -5, -4), pairs // 4: (720, 3, 7), pairs // 2: (1000, 3, 7), pairs - 1: (1500, 3, 7)}
    for pair, (place, *away) in labels.items():
        xpos.plot(distance, factors[:, pair], color=COLOR["sine"], lw=1.6)
        at, side = (place, factors[place, pair]), "left" if pair else "right"
        note(xpos, f"pair {pair}", at, (away[0], away[1]), "sine", ha=side)
    xpos.set(ylabel="the pair's score, times", ylim=(0, 1.05), xlim=(0, n))
    letter(xpos, "a", "xPos: fast pairs fade first")

    falls = {
        "ALiBi": (alibi_bias(n, slope), "muted", 60),
        "KERPLE": (kerple_bias(n, *kerple), "shifted", 300),
    }
    for name, (biases_of_head, role, place) in falls.items():
        weights = np.exp(biases_of_head[-1, ::-1])
        power.plot(distance[1:], weights[1:], color=COLOR[role], lw=1.8)
        note(power, name, (place, weights[place]), (6, 6), role)
    power.set(xscale="log", yscale="log", ylim=(1e-6, 1), xlim=(1, n), ylabel="weight, against distance 0")
    letter(power, "b", "KERPLE: a power")

    fractions = fire_positions(n, *fire)
    for query, name in ((199, "200th token"), (699, "700th"), (n - 1, f"{n:,}th")):
        fraction.plot(distance[: query + 1], fractions[query, query::-1], color=COLOR["cosine"], lw=1.6)
        side = "right" if query == n - 1 else "center"
        note(fraction, name, (max(query, 270), 1), (0, 7), "cosine", ha=side)
    fraction.set(xlabel=r"distance $\Delta$", ylabel="what the network sees", ylim=(0, 1.15), xlim=(0, n))
    letter(fraction, "c", "FIRE: a fraction")

    gates = np.full((tokens, tokens), -12.0)
    gates[:, [8, 14, 27, 33, 45, 53]] = 12  # ends of sentences
    counted = contextual_positions(gates)[-1, ::-1]
    count.step(np.arange(tokens), counted, where="mid", color=COLOR["claimed"], lw=1.8)
    note(count, "one more at each end of a sentence", (tokens - 2, 0.7), (0, 0), "claimed", ha="right")
    count.set(xlabel=r"distance $\Delta$", ylabel="position counted", xlim=(0, tokens - 1), ylim=(0, 7))
    letter(count, "d", "CoPE: a count of its own")
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
