"""The figures of the chapters "Many dimensions", "The shift in depth" and "Numbers in a computer"."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from posenc._validate import Float
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.figures.style import COLOUR, DIVERGING, BookFigure, book_figure, new_figure, note
from posenc.recurrence import Multiplicity, root_encoding
from posenc.rotation import Layout, layout_order, shift_matrix
from posenc.table import encoding_table

WIDTHS = (8, 32, 128, 512)
HALO = [withStroke(linewidth=3, foreground=COLOUR["paper"])]  # readable on every colour of a heatmap


def _heatmap(ax: Axes, encodings: NDArray[np.number]) -> AxesImage:
    """Encodings, a row for each position: cell by cell, or blended where a pixel holds several."""
    ax.tick_params(length=2)
    # Left to the browser, too many columns would be thinned out, and show stripes that are not there.
    many = encodings.shape[1] > 256
    return ax.imshow(
        encodings,
        cmap=DIVERGING,
        vmin=-1,
        vmax=1,
        aspect="auto",
        interpolation="antialiased" if many else "none",
        origin="upper",
    )


def _colour_bar(figure: Figure, image: AxesImage, axes: Axes | Iterable[Axes], **where: Any) -> None:
    bar = figure.colorbar(image, ax=axes, ticks=[-1, 0, 1], **where)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)


@book_figure
def heatmaps(n_positions: int = 50, base: float = 10_000.0) -> BookFigure:
    """Positions against dimensions for d_model = 8, 32, 128, 512, each panel with its range of wavelengths.

    >>> [ax.get_title("left")[:3] for ax in heatmaps(5).axes[:4]]
    ['(a)', '(b)', '(c)', '(d)']
    """
    figure = new_figure(7.2, 6.4)
    figure.set_dpi(130)  # for the panel that is blended
    axes = figure.subplots(2, 2, sharey=True)
    for ax, letter, d_model in zip(axes.flat, "abcd", WIDTHS, strict=True):
        image = _heatmap(ax, positional_encoding(np.arange(n_positions), d_model, base))
        longest = wavelengths(d_model, base)[-1]
        ax.set_title(rf"({letter})  $d = {d_model}$,  $\lambda$ from {2 * np.pi:.2f} to {longest:,.0f}")
        ax.set_xticks(
            np.linspace(0, d_model, 5).round() - 0.5, np.linspace(0, d_model, 5).round().astype(int)
        )
    for ax in axes[1]:
        ax.set_xlabel("dimension")
    for ax in axes[:, 0]:
        ax.set_ylabel("position $p$")
    _colour_bar(figure, image, axes, location="bottom", aspect=45, shrink=0.5, pad=0.02)
    return figure


@book_figure
def counter(count: int = 32) -> BookFigure:
    """The bits of the numbers 0 .. count - 1, and the sines whose signs they are.

    Bit i of n is 1 exactly where the sine of pair i is negative at position pi (n + 1/2), with the base
    2^(d_model/2).

    >>> [ax.get_title("left")[:3] for ax in counter(8).axes[:2]]
    ['(a)', '(b)']
    """
    numbers, bits = np.arange(count), int(count - 1).bit_length()
    digits = numbers >> np.arange(bits)[:, np.newaxis] & 1
    fine = np.linspace(0, count, 8 * count, endpoint=False)
    waves = -positional_encoding(np.pi * fine, 2 * bits, base=2.0**bits)[:, 0::2].T
    figure = new_figure(7.2, 3.4)
    grid = figure.subplots(1, 2, sharey=True)
    image = _heatmap(grid[0], 2 * digits - 1)
    _heatmap(grid[1], waves)
    grid[1].images[0].set_extent((-0.5, count - 0.5, bits - 0.5, -0.5))
    for i, row in enumerate(digits):
        for number, bit in enumerate(row):
            grid[0].text(number, i, bit, ha="center", va="center", fontsize=7, color=COLOUR["paper"])
    for ax, title in zip(grid, ("(a)  bits jump", "(b)  waves glide"), strict=True):
        ax.set_title(title)
        ax.set(
            xlabel="number", yticks=range(bits), yticklabels=[f"period {2 ** (i + 1)}" for i in range(bits)]
        )
    _colour_bar(figure, image, grid, location="bottom", aspect=45, shrink=0.4, pad=0.02)
    return figure


@book_figure
def shift_matrices(
    first: float = 3, second: float = 5, d_model: int = 16, base: float = 10_000.0
) -> BookFigure:
    """T(j), T(k) and their product, which is T(j + k).

    >>> len(shift_matrices(d_model=4).axes)
    4
    """
    one, two = shift_matrix(first, d_model, base), shift_matrix(second, d_model, base)
    figure = new_figure(7.2, 2.7)
    axes = figure.subplots(1, 3, sharey=True)
    titles = (
        f"$T({first:g})$",
        f"$T({second:g})$",
        rf"$T({first:g})\,T({second:g}) = T({first + second:g})$",
    )
    for ax, matrix, title in zip(axes, (one, two, one @ two), titles, strict=True):
        blocks = np.where(
            np.kron(np.eye(d_model // 2), np.ones((2, 2))), matrix, np.nan
        )  # the zeros elsewhere stay paper
        image = ax.imshow(blocks, cmap=DIVERGING, vmin=-1, vmax=1, interpolation="none")
        ax.set_title(title)
        ax.set(xticks=range(0, d_model, 4), yticks=range(0, d_model, 4))
    _colour_bar(figure, image, axes, location="right", aspect=20, shrink=0.8, pad=0.02)
    return figure


def _cells(ax: Axes, values: Float, title: str, role: str = "ink") -> None:
    """A matrix as coloured cells, with its numbers where there is room; NaN stays paper."""
    ax.imshow(values, cmap=DIVERGING, vmin=-1, vmax=1, interpolation="none", aspect="auto")
    ax.set_title(title, loc="center", color=COLOUR[role], fontsize=10)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (row, column), value in np.ndenumerate(values):
        if len(values) <= 8 and not np.isnan(value):
            text = f"{value + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "\u2212")
            ax.text(
                column,
                row,
                text,
                ha="center",
                va="center",
                fontsize=7.5,
                color=COLOUR["paper" if abs(value) > 0.85 else "ink"],
            )


@book_figure
def block_shift(position: int, offset: int, d_model: int, base: float, layout: Layout) -> BookFigure:
    """T(k) PE(p) = PE(p + k) as coloured cells, in one of LAYOUTS, and the eigenvalues of T(k) on the dials.

    >>> len(block_shift(20, 5, 4, 100.0, "halves").axes)
    5
    """
    order, pairs = layout_order(layout, d_model), np.arange(d_model) // 2
    matrix = np.where(pairs[:, np.newaxis] == pairs, shift_matrix(offset, d_model, base), np.nan)[
        np.ix_(order, order)
    ]
    start, end = positional_encoding([position, position + offset], d_model, base)[:, order, np.newaxis]
    figure = new_figure(7.2, 2.6)
    figure.set_layout_engine("constrained", wspace=0.09)
    square, *columns, circle = figure.subplots(1, 5, width_ratios=[5, 0.65, 0.65, 0.65, 3.4])
    moved = "" if layout == "interleaved" else "P\\,"
    _cells(square, matrix, f"${moved}T({offset})" + (r"\,P^\top$" if moved else "$"), "shifted")
    names = [(r"$\cos_{%d}$" if entry % 2 else r"$\sin_{%d}$") % (entry // 2) for entry in order]
    square.set_yticks(range(d_model), names, fontsize=8 if d_model > 8 else 9.5)
    for entry, tick in zip(order, square.get_yticklabels(), strict=True):
        tick.set_color(COLOUR["cosine" if entry % 2 else "sine"])
    edges = np.linspace(0, d_model, 3 if layout == "halves" else d_model // 2 + 1) - 0.5
    for row, (top, bottom) in enumerate(pairwise(edges)):
        for column, (left, right) in enumerate(pairwise(edges)):
            if layout == "halves" or row == column:
                square.fill(
                    [left, right, right, left],
                    [top, top, bottom, bottom],
                    fill=False,
                    lw=0.8,
                    ec=COLOUR["ink"],
                )
    product = np.nan_to_num(matrix) @ start
    titles = (f"${moved}PE({position})$", "product", f"${moved}PE({position + offset})$")
    for ax, column, title, role in zip(
        columns, (start, product, end), titles, ("ink", "shifted", "shifted"), strict=True
    ):
        _cells(ax, column, title, role)
    for ax in columns[1:]:
        ax.annotate(
            "=",
            (0, 0.5),
            (-10, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            va="center",
        )
    # A hand turns clockwise where the sine is to the right, and its pair is multiplied by the conjugate
    # eigenvalue.
    omega, way = frequencies(d_model, base), 1 if layout == "cosine first" else -1
    for i, turn in enumerate(omega * offset):
        first = omega[i] * position if way > 0 else np.pi / 2 - omega[i] * position
        hand = (0.84 - 1.36 * i / d_model) * np.exp(
            1j * (first + way * np.fmod(turn, 2 * np.pi) * np.linspace(0, 1, 100))
        )
        circle.plot(hand.real, hand.imag, color=COLOUR["shifted"], lw=1)
        circle.plot(hand.real[0], hand.imag[0], "o", ms=3.5, color=COLOUR["ink"])
        circle.plot(hand.real[-1], hand.imag[-1], "o", ms=3.5, color=COLOUR["shifted"])
        circle.plot([np.cos(turn)] * 2, [np.sin(turn), -np.sin(turn)], color=COLOUR["shifted"], lw=0.5)
        circle.plot(
            np.cos(turn), -way * np.sin(turn), "o", ms=5, color=COLOUR["shifted"], mfc=COLOUR["paper"]
        )
        circle.plot(np.cos(turn), way * np.sin(turn), "o", ms=5, color=COLOUR["shifted"])
    around = np.exp(1j * np.linspace(0, 2 * np.pi, 200))
    circle.plot(around.real, around.imag, color=COLOUR["muted"], lw=0.6, zorder=0)
    circle.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
    circle.set_title("eigenvalues; inside, the hands", loc="center", fontsize=10)
    circle.axis("off")
    return figure


@book_figure
def spectra(d_model: int = 16, base: float = 10_000.0) -> BookFigure:
    """The encoding's frequencies beside as many harmonics of one fundamental, on one logarithmic axis.

    >>> len(spectra().axes)
    1
    """
    omega = frequencies(d_model, base)
    harmonics = np.arange(1, len(omega) + 1) / len(omega)
    figure = new_figure(7.2, 1.9)
    ax = figure.subplots()
    for height, values, role, name in (
        (1, omega, "computed", "this encoding"),
        (0, harmonics, "claimed", "a Fourier series"),
    ):
        ax.hlines(height, values.min(), values.max(), color=COLOUR["grid"], lw=0.8)
        ax.plot(values, np.full(len(values), height), "|", ms=22, mew=1.4, color=COLOUR[role])
        note(ax, name, (1, height), (12, 0), role, fontsize=11)
    ax.set(xscale="log", xlabel="angular frequency, radians per position", yticks=[], ylim=(-0.6, 1.6))
    ax.spines["left"].set_visible(False)
    return figure


@book_figure
def recovery(
    d_models: np.ndarray, conditions: np.ndarray, errors: np.ndarray, by_pair: np.ndarray
) -> BookFigure:
    """The condition number of the encodings of 4 d_model positions, and the error of a matrix fitted to them.

    All of shape (len(d_models),): condition numbers, the largest entry of fitted minus true shift matrix, and
    the same if it is fitted pair by pair.

    >>> small = np.array([1e-16, 1e-9, 1e-3])
    >>> len(recovery(np.array([2, 4, 8]), 1 / small, small, small).axes)
    2
    """
    figure = new_figure(7.2, 3.0)
    left, right = figure.subplots(1, 2)
    left.plot(d_models, conditions, "o-", ms=4, color=COLOUR["computed"])
    left.axhline(2.0**53, color=COLOUR["muted"], lw=0.8, ls="--")
    note(left, "all digits of float64 lost", (d_models[0], 2.0**53), (0, -8), "muted", fontsize=11, va="top")
    left.set_title("(a)  condition number")
    right.plot(d_models, errors, "o-", ms=4, color=COLOUR["claimed"])
    right.plot(d_models, by_pair, "o-", ms=4, color=COLOUR["computed"])
    note(right, "one fit for all", (d_models[-3], errors[-3]), (-6, 10), "claimed", fontsize=11, ha="right")
    note(
        right,
        "a fit for each pair",
        (d_models[-1], by_pair[-1]),
        (-4, 12),
        "computed",
        fontsize=11,
        ha="right",
    )
    right.set_title("(b)  error of the fitted $T(1)$")
    for ax in (left, right):
        ax.set(xscale="log", yscale="log", xlabel="$d$")
        ax.set_xticks(d_models, [str(d_model) for d_model in d_models])
        ax.minorticks_off()
    return figure


@book_figure
def table_errors(d_model: int = 512, n_positions: int = 65_536, base: float = 10_000.0) -> BookFigure:
    """The error of a row against its position: sines of rounded angles, encoding_table; float32 and float64.

    A row's error is its largest over the first four pairs, against mpmath.

    >>> len(table_errors(8, 300).axes[0].lines)
    4
    """
    pairs, eps = 4, np.finfo(float).eps
    positions = np.unique(np.geomspace(1, n_positions - 1, 120).round().astype(int))
    with mpmath.workdps(40):
        omega = [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_model) for i in range(pairs)]
        true = [[f(w * int(p)) for w in omega for f in (mpmath.sin, mpmath.cos)] for p in positions]

    def error(rows: NDArray[np.floating]) -> list[float]:
        return [
            float(max(abs(t - float(x)) for t, x in zip(*pair, strict=True)))
            for pair in zip(true, rows, strict=True)
        ]

    single = (
        positions.astype(np.float32)[:, np.newaxis] * frequencies(d_model, base).astype(np.float32)[:pairs]
    )
    figure = new_figure(7.2, 3.5)
    ax = figure.subplots()
    for name, role, rows in (
        (
            "sines, float32",
            "claimed",
            np.stack([np.sin(single), np.cos(single)], axis=-1).reshape(len(positions), -1),
        ),
        (
            "table, float32",
            "computed",
            encoding_table(n_positions, d_model, base, dtype=np.float32)[positions, : 2 * pairs],
        ),
        ("sines, float64", "claimed", positional_encoding(positions, d_model, base)[:, : 2 * pairs]),
        ("table, float64", "computed", encoding_table(n_positions, d_model, base)[positions, : 2 * pairs]),
    ):
        values = np.maximum(error(rows), eps / 16)  # a logarithmic axis has no zero
        ax.plot(positions, values, color=COLOUR[role], lw=0.9)
        note(ax, name, (positions[-1], np.median(values[-20:])), (6, 0), role, fontsize=11)
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="position $p$",
        ylabel="largest error of the row",
        xlim=(1, n_positions),
    )
    return figure


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _table_and_row(position: int, d_model: int, base: float, pair: int | None) -> BookFigure:
    figure = new_figure(7.2, 4.6)
    top, row = figure.subplots(2, 1, sharex=True, height_ratios=[2.2, 1])
    dimensions, encoding, lengths = (
        np.arange(d_model),
        positional_encoding(position, d_model, base),
        wavelengths(d_model, base),
    )
    image = _heatmap(top, positional_encoding(np.arange(200), d_model, base))
    shortest, longest = _plain(lengths[0]), _plain(lengths[-1])
    title = rf"$d = {d_model}$, $b$ = {_plain(base)}: wavelengths from {shortest} to {longest}"
    top.axhline(position, color=COLOUR["ink"], lw=1, path_effects=HALO)
    top.set(ylabel="position $p$")
    if pair is not None:
        title += f"; pair {pair}: {_plain(lengths[pair])}"
        for ax in (top, row):
            ax.axvspan(2 * pair - 0.5, 2 * pair + 1.5, fill=False, ec=COLOUR["ink"], lw=1, path_effects=HALO)
    top.set_title(title)
    for part, role in ((0, "sine"), (1, "cosine")):
        row.vlines(dimensions[part::2], 0, encoding[part::2], color=COLOUR[role], lw=min(3, 200 / d_model))
        row.plot(
            dimensions[part::2], encoding[part::2], "o", ms=4 if d_model <= 64 else 1.5, color=COLOUR[role]
        )
    row.axhline(0, color=COLOUR["grid"], lw=0.8, zorder=0)
    row.set(
        ylim=(-1.15, 1.15),
        yticks=[-1, 0, 1],
        xlabel="dimension",
        ylabel=f"PE({position:g})",
        xlim=(-0.5, d_model - 0.5),
    )
    _colour_bar(figure, image, [top, row], location="right", aspect=30, shrink=0.6, pad=0.01)
    return figure


@book_figure
def fingerprint(position: int, d_model: int, base: float) -> BookFigure:
    """The encodings of 200 positions as a heatmap with one row marked, and that row's values below it.

    >>> len(fingerprint(7, 8, 100.0).axes)
    3
    """
    return _table_and_row(position, d_model, base, None)


@book_figure
def cursor(position: int, pair: int, d_model: int, base: float) -> BookFigure:
    """The same with one pair marked too: the still of the explorer of the table.

    >>> len(cursor(7, 1, 8, 100.0).axes)
    3
    """
    return _table_and_row(position, d_model, base, pair)


@book_figure
def set_hands(degrees: tuple[float, float, float], target: int, base: float = 1000.0) -> BookFigure:
    """Three hands as they are set, and how far they are from the encoding of each position.

    >>> len(set_hands((0, 0, 0), 37).axes)
    4
    """
    figure = new_figure(7.2, 3.6)
    upper, lower = figure.subfigures(2, 1, height_ratios=(1, 1.1), squeeze=False).ravel()
    angles = np.radians(degrees)
    for ax, angle, name in zip(upper.subplots(1, 3), angles, ("fast", "middle", "slow"), strict=True):
        turn = np.linspace(0, 2 * np.pi, 121)
        ax.plot(np.sin(turn), np.cos(turn), color=COLOUR["muted"], lw=1)
        ax.plot([0, np.sin(angle)], [0, np.cos(angle)], color=COLOUR["ink"], lw=2.5)
        ax.set(aspect="equal", title=name)
        ax.axis("off")
    chart = lower.subplots()
    setting = np.column_stack([np.sin(angles), np.cos(angles)]).ravel()
    positions = np.arange(629)
    distances = np.linalg.norm(positional_encoding(positions, 6, base) - setting, axis=1)
    chart.plot(positions, distances, color=COLOUR["ink"], lw=0.8)
    chart.axvline(target, color=COLOUR["claimed"], ls="--")
    chart.plot(distances.argmin(), distances.min(), "o", color=COLOUR["shifted"])
    chart.set(xlabel="position $p$", ylabel="distance", xlim=(0, 628), ylim=(0, None))
    chart.set_title(f"wanted: {target}; these hands read {distances.argmin()}", fontsize=10)
    return figure


@book_figure
def roots(radius: float = 1, angle: float = 30, multiplicity: Multiplicity = "single") -> BookFigure:
    """A pair of roots in the complex plane, its angle in degrees, and the encoding whose shift has them.

    >>> [len(ax.lines) for ax in roots().axes]
    [2, 2]
    """
    double = multiplicity == "double"
    theta, places = math.radians(angle), np.arange(-24, 25)
    figure = new_figure(7.2, 2.9)
    plane, chart = figure.subplots(1, 2, width_ratios=[1, 1.7])
    plane.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-1.4, 1.4))
    plane.axis("off")
    plane.add_patch(Circle((0, 0), 1, fill=False, lw=0.6, ec=COLOUR["muted"]))
    for sign, role in ((-1, "muted"), (1, "shifted")):
        at = radius * math.cos(theta), sign * radius * math.sin(theta)
        plane.plot(
            *at, "o", ms=11 if double else 7, color=COLOUR[role], fillstyle="full" if sign > 0 else "none"
        )
    most = 24 if double else 3
    entries = root_encoding(places, radius, theta, multiplicity)[:, -2:]
    for entry, role, x in zip(entries.T, ("sine", "cosine"), (15, 24), strict=True):
        chart.plot(places, entry, "o-", ms=2.5, lw=0.8, color=COLOUR[role])
        chart.text(x, 1.05 * most, role, color=COLOUR[role], ha="right")
    chart.set(xlabel="position $p$", ylim=(-1.2 * most, 1.2 * most))
    chart.set_ylabel("the two entries with $p$" if double else "the two entries")
    return figure
