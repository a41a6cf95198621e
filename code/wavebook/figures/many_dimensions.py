"""The figures of "Many dimensions", of chapter 10 on the shift, and of "Numbers in a computer"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Circle
from numpy.typing import NDArray

from posenc.encoding import frequencies, positional_encoding
from posenc.rotation import shift_matrix
from wavebook.figures.style import DIVERGING, BookFigure, book_figure, hand, new_figure, note
from wavebook.palette import COLOR
from wavebook.row_errors import N_POSITIONS, read_recorded


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


def _color_bar(figure: Figure, image: AxesImage, axes: Axes | Iterable[Axes], **where: Any) -> None:
    bar = figure.colorbar(image, ax=axes, ticks=[-1, 0, 1], **where)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)


@book_figure
def bands(n_positions: int = 50, d_model: int = 512, base: float = 10_000.0) -> BookFigure:
    """Positions against dimensions, the sines and the cosines apart.

    >>> [ax.get_title("left")[:3] for ax in bands(5, 8).axes[:2]]
    ['(a)', '(b)']
    """
    table = positional_encoding(np.arange(n_positions), d_model, base)
    figure = new_figure(7.2, 3.6)
    axes = figure.subplots(1, 2, sharey=True)
    for part, (ax, title) in enumerate(zip(axes, ("(a)  sines", "(b)  cosines"), strict=True)):
        image = _heatmap(ax, table[:, part::2])
        ticks = np.linspace(0, d_model // 2, 5).round().astype(int)[:-1]
        ax.set_xticks(ticks - 0.5, 2 * ticks)
        ax.set_title(title)
        ax.set_xlabel("dimension")
    axes[0].set_ylabel("position $p$")
    _color_bar(figure, image, axes, location="bottom", aspect=45, shrink=0.5, pad=0.02)
    return figure


@book_figure
def one_pair(first: float = 0.2, second: float = 1.35) -> BookFigure:
    """A hand at two positions: the angle between, its cosine along the first, and the chord.

    >>> one_pair().axes[0].get_aspect()
    1.0
    """
    figure = new_figure(3.6, 2.7)
    ax = figure.subplots()
    ax.add_patch(Circle((0, 0), 1, fill=False, ec=COLOR["muted"], lw=0.8))
    (p, q) = (hand(ax, angle, "ink") for angle in (first, second))
    cosine = np.cos(second - first)
    foot = cosine * p[0], cosine * p[1]
    ax.plot((q[0], foot[0]), (q[1], foot[1]), color=COLOR["muted"], lw=0.8, ls="--")
    ax.plot((0, foot[0]), (0, foot[1]), color=COLOR["cosine"], lw=5, solid_capstyle="butt")
    ax.plot((p[0], q[0]), (p[1], q[1]), color=COLOR["claimed"], lw=2)
    arc = np.linspace(first, second, 40)
    ax.plot(0.46 * np.sin(arc), 0.46 * np.cos(arc), color=COLOR["ink"], lw=1)
    middle = (first + second) / 2
    note(ax, r"$\omega_i \Delta$", (0.63 * np.sin(middle), 0.63 * np.cos(middle)), ha="center")
    note(ax, "$p$", p, (2, 9))
    note(ax, "$q$", q, (8, 2))
    chord = (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
    note(ax, r"chord, $2 \sin \frac{1}{2} \omega_i \Delta$", chord, (14, 20), "claimed")
    note(ax, r"$\cos\, \omega_i \Delta$", (foot[0] / 2, foot[1] / 2), (-10, 4), "cosine", ha="right")
    ax.set(xlim=(-1.1, 1.75), ylim=(-1.1, 1.2), aspect="equal")
    ax.axis("off")
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
    _color_bar(figure, image, axes, location="right", aspect=20, shrink=0.8, pad=0.02)
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
        ax.hlines(height, values.min(), values.max(), color=COLOR["grid"], lw=0.8)
        ax.plot(values, np.full(len(values), height), "|", ms=22, mew=1.4, color=COLOR[role])
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
    left.plot(d_models, conditions, "o-", ms=4, color=COLOR["computed"])
    left.axhline(2.0**53, color=COLOR["muted"], lw=0.8, ls="--")
    note(
        left, "all digits of float64 lost", (d_models[0], 2.0**53), (0, 4), "muted", fontsize=11, va="bottom"
    )
    left.set_title("(a)  condition number")
    right.plot(d_models, errors, "o-", ms=4, color=COLOR["claimed"])
    right.plot(d_models, by_pair, "o-", ms=4, color=COLOR["computed"])
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
def table_errors() -> BookFigure:
    """The error of a row against its position: sines of rounded angles, encoding_table; float32 and float64.

    >>> len(table_errors().axes[0].lines)
    4
    """
    errors = read_recorded()
    positions = errors.pop("position")
    figure = new_figure(7.2, 3.5)
    ax = figure.subplots()
    for name, values in errors.items():
        role = "claimed" if name.startswith("sines") else "computed"
        ax.plot(positions, values, color=COLOR[role], lw=0.9)
        note(ax, name, (positions[-1], np.median(values[-20:])), (6, 0), role, fontsize=11)
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="position $p$",
        ylabel="largest error of the row",
        xlim=(1, N_POSITIONS),
    )
    return figure
