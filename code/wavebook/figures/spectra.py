"""Spectra, that is choices of frequencies, side by side, and the stills of explorers about wavelengths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes

from posenc.arguments import Float
from posenc.distance import encoding_distance
from posenc.encoding import frequencies, positional_encoding
from posenc.spectra import measure
from wavebook.figures.style import DIVERGING, BookFigure, book_figure, letter, new_figure, note
from wavebook.palette import COLOR
from wavebook.spectra import SPECTRA

FAR = 1000  # the longest offset of the distance curves


def _offsets() -> Float:
    return np.unique(np.concatenate([np.arange(1, 60), np.geomspace(60, FAR, 120).round()]))


def _row(axes: Iterable[Axes], omega: Float, wide: bool = False) -> None:
    """A spectrum in three views: its wavelengths, its heatmap, its distance curve."""
    rug, heat, curve = axes
    reach = (3, 3e5)
    waves = 2 * np.pi / omega
    shown = waves[(waves > reach[0]) & (waves < reach[1])]
    rug.vlines(shown, 0, 1, color=COLOR["ink"], lw=0.5 if wide else 0.35)
    rug.set(xscale="log", xlim=reach, ylim=(0, 1.15), yticks=[])
    rug.spines["left"].set_visible(False)
    few = omega[:: -(-omega.size // 64)]  # no more pairs than can be told apart on the page
    sines = positional_encoding(np.arange(100), omega=few)[:, 0::2].T  # (up to 64, 100)
    heat.imshow(sines, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto", interpolation="none")
    heat.set(yticks=[], xticks=[0, 50, 99])
    for spine in heat.spines.values():
        spine.set_visible(False)
    offsets, n = _offsets(), omega.size
    curve.axhline(1, color=COLOR["grid"], lw=0.8, zorder=0)
    curve.plot(
        offsets, encoding_distance(offsets, omega=omega) / np.sqrt(2 * n), color=COLOR["computed"], lw=1
    )
    curve.set(xscale="log", xlim=(1, FAR), ylim=(0, 1.42), yticks=[0, 1], yticklabels=["0", r"$\sqrt{d}$"])


def _name_columns(top: Iterable[Axes], bottom: Iterable[Axes]) -> None:
    for ax, title in zip(top, ("wavelengths", "sines, pair 0 on top", "distance"), strict=True):
        ax.set_title(title)
    for ax, unit in zip(bottom, ("positions per turn", "position $p$", r"offset $\Delta$"), strict=True):
        ax.set_xlabel(unit)


@book_figure
def side_by_side(d_model: int = 512, base: float = 10_000.0) -> BookFigure:
    """Every one of :data:`wavebook.spectra.SPECTRA`: its wavelengths, its sines, its distance curve.

    >>> len(side_by_side(64).axes) == 3 * len(SPECTRA)
    True
    """
    figure = new_figure(7.2, 7.6)
    grid = figure.subplots(len(SPECTRA), 3, sharex="col", width_ratios=(1.25, 1, 1.1))
    for row, (name, spectrum) in zip(grid, SPECTRA.items(), strict=True):
        _row(row, spectrum(d_model, base))
        row[0].set_ylabel(name, rotation=0, ha="right", va="center", labelpad=6)
    _name_columns(grid[0], grid[-1])
    return figure


@book_figure
def spectrum(name: str, d_model: int, base: float) -> BookFigure:
    """Still of the explorer of spectra: one in three views, and its measures."""
    omega = SPECTRA[name](d_model, base)
    measured = measure(omega, base, limit=FAR)
    figure = new_figure(7.2, 2.6)
    axes = figure.subplots(1, 3, width_ratios=(1.25, 1, 1.1))
    _row(axes, omega, wide=True)
    _name_columns(axes, axes)
    figure.supxlabel(
        f"{name}: neighbors {measured.neighbors:.2f} apart, {measured.decades:.1f} decades, "
        f"{measured.empty} empty octaves,\n"
        f"scale invariance {measured.logarithmic:.2f}, redundancy {measured.redundancy:.2f}, "
        f"nothing nearer than 1 up to {measured.apart:,}",
        fontsize=10,
    )
    return figure


@book_figure
def fastest_hand(d_model: int = 512, base: float = 10_000.0) -> BookFigure:
    """Distances in two geometric spectra with one slowest hand: from 1 and from pi radians per position.

    >>> [ax.get_xscale() for ax in fastest_hand(64).axes]
    ['log', 'linear']
    """
    slowest = frequencies(d_model, base)[-1]
    figure = new_figure(7.2, 3.1)
    far, near = figure.subplots(1, 2)
    offsets, between = _offsets(), np.linspace(0, 4, 401)
    beside = {"computed": ((2.3, 6.0), (0, 0)), "claimed": ((0.85, 11.5), (0, 0))}
    for start, name, role, above in (
        (1.0, "from $1$", "computed", -8),
        (np.pi, r"from $\pi$", "claimed", 32),
    ):
        omega = np.geomspace(start, slowest, d_model // 2)
        far.plot(offsets, encoding_distance(offsets, omega=omega), ".-", ms=2.4, lw=1, color=COLOR[role])
        note(far, name, (1.2, float(encoding_distance(1, omega=omega))), (0, above), role)
        near.plot(between, encoding_distance(between, omega=omega), lw=1.2, color=COLOR[role])
        near.plot(range(5), encoding_distance(range(5), omega=omega), "o", ms=4, color=COLOR[role])
        note(near, name, *beside[role], role)
    letter(far, "a", "whole offsets")
    far.set(xscale="log", xlim=(0.9, FAR), xlabel=r"offset $\Delta$", ylabel="distance")
    letter(near, "b", "and between them")
    near.set(xlim=(-0.1, 4.1), xlabel=r"offset $\Delta$")
    for ax in (far, near):
        ax.set_ylim(bottom=0)
    return figure
