"""The figures of the chapter "Inside the Transformer"."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.distance import similarity
from posenc.encoding import positional_encoding
from posenc.precision import FloatType, narrow_encoding, rounded
from wavebook.attention import look_back_weights, softmax
from wavebook.figures.style import BookFigure, book_figure, new_figure, note
from wavebook.palette import COLOR


@book_figure
def sharpness(
    heads: dict[str, ArrayLike], position: int = 40, offset: int = 3, length: int = 64
) -> BookFigure:
    """The weight that a head looking back puts on its target, against the temperature.

    ``heads`` maps a name to frequencies.

    >>> from posenc.encoding import frequencies
    >>> len(sharpness({"a": frequencies(64)}).axes[0].lines)
    1
    """
    temperatures = np.logspace(-2, 1, 121)
    figure = new_figure(7.2, 3.0)
    figure.narrows = False
    ax = figure.subplots()
    for name, omega in heads.items():
        omega = np.asarray(omega)
        scores = similarity(position - offset - np.arange(length), omega=omega) / np.sqrt(2 * omega.size)
        target = np.array([softmax(scores / t)[position - offset] for t in temperatures])
        ax.plot(temperatures, target, color=COLOR["computed"])
        high = int(np.argmax(target < 0.85))  # where the curves are farthest apart
        ax.annotate(name, (temperatures[high], target[high]), (6, 2), textcoords="offset points")
    ax.set(
        xscale="log", xlabel=r"temperature $\tau$", ylabel="weight $k$ back", ylim=(0, 1.05), xlim=(0.01, 10)
    )
    return figure


@book_figure
def directions(table: NDArray[np.float64], kept: int) -> BookFigure:
    """The energy of encodings along each of their directions, and of tokens that keep out of the first.

    >>> len(directions(positional_encoding(np.arange(8), 8), 4).axes[0].lines)
    3
    """
    energies = np.linalg.svd(table, compute_uv=False) ** 2 / len(table)
    width = table.shape[1]
    figure = new_figure(7.2, 2.6)
    ax = figure.subplots()
    ax.axvline(kept + 0.5, color=COLOR["muted"], lw=0.8, ls="--")
    note(ax, "99 % of the energy before, 1 % after", (kept, 40), (8, 0), "muted")
    ax.plot(np.arange(1, energies.size + 1), energies, color=COLOR["computed"])
    note(ax, "encodings", (kept / 2, energies[kept // 2]), (0, -12), ha="center")
    level = width / (width - kept)
    ax.plot((kept + 0.5, width), (level, level), color=COLOR["shifted"], lw=2)
    note(ax, "tokens", (width, level), (0, 10), "shifted", ha="right")
    ax.set(yscale="log", xlabel="direction", ylabel="mean square", xlim=(0, width), ylim=(1e-5, 300))
    return figure


@book_figure
def precision(last: int = 5000, d_model: int = 512, base: float = 10_000.0) -> BookFigure:
    """The largest error of any entry up to each position: angles in a narrow type, or the finished table.

    >>> len(precision(40, 8).axes[0].lines)
    5
    """
    positions = np.arange(last + 1)
    shown = np.unique(np.logspace(0, np.log10(last), 160).astype(int))
    exact = positional_encoding(positions, d_model, base)
    figure = new_figure(7.2, 3.6)
    ax = figure.subplots()
    types: tuple[FloatType, ...] = ("bfloat16", "float16", "float32")
    for name in types:
        for table, style, what in (
            (narrow_encoding(positions, d_model, base, dtype=name), "-", f"{name} angles"),
            (rounded(exact, name), "--", f"{name}, cast last"),
        ):
            if what == "float32, cast last":
                continue  # it would lie below the picture
            error = np.maximum.accumulate(np.abs(table - exact).max(axis=1))[shown]
            ax.plot(shown, error, style, color=COLOR["claimed" if style == "-" else "computed"], lw=1.2)
            # The errors meet at the end, so names are where they differ: above the first curve, below the
            # others.
            where = len(shown) // 3 if style == "-" else -1
            at, ha, va = (
                ((5, 0), "left", "center")
                if style == "--"
                else ((-3, 5), "right", "bottom")
                if name == "bfloat16"
                else ((3, -4), "left", "top")
            )
            ax.annotate(
                what,
                (shown[where], error[where]),
                at,
                textcoords="offset points",
                fontsize=9.5,
                ha=ha,
                va=va,
                color=COLOR["claimed" if style == "-" else "computed"],
            )
    ax.set(
        xscale="log", yscale="log", xlabel="position $p$", ylabel="largest error so far", xlim=(1, 9 * last)
    )
    ax.spines["bottom"].set_bounds(1, last)
    ax.set_xticks(10.0 ** np.arange(np.log10(last)))
    ax.minorticks_off()
    return figure


@book_figure
def head(position: int, d_model: int, base: float, offset: int = 3, length: int = 64) -> BookFigure:
    """The weights of one query of a head that looks three back, at three temperatures.

    >>> len(head(20, 64, 10_000).axes)
    3
    """
    figure = new_figure(7.2, 2.5)
    for ax, temperature in zip(figure.subplots(1, 3, sharey=True), (1.0, 0.1, 0.01), strict=True):
        ax.bar(
            np.arange(length),
            look_back_weights(position, offset, length, temperature, d_model, base),
            0.8,
            color=COLOR["computed"],
        )
        ax.axvline(position, color=COLOR["grid"], lw=1, zorder=0)
        ax.set(title=rf"$\tau = {temperature:g}$", xlabel="key position $q$", ylim=(0, 1.05))
    figure.axes[0].set_ylabel("weight")
    return figure
