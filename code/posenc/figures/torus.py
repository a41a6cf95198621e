"""The code for d_model = 4 on a torus in space, seen in perspective; for the chapter "Many dimensions" and its explorer.

The code has two angles: the fast one runs round the tube, the slow one round the hole. The radii are 1 and TUBE.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from posenc._validate import Float
from posenc.encoding import positional_encoding
from posenc.figures.style import COLOUR, BookFigure, book_figure, new_figure

TUBE, EYE = 0.42, 5.0  # the eye stands at (0, 0, EYE), after turn and tilt


def torus_points(encodings: Float) -> Float:
    """Where in space codes of shape (..., 4) stand: shape (..., 3)."""
    fast_sin, fast_cos, slow_sin, slow_cos = np.moveaxis(np.asarray(encodings), -1, 0)
    out = 1 + TUBE * fast_cos
    return np.stack([out * slow_cos, out * slow_sin, TUBE * fast_sin], axis=-1)


def _tilt(tilt: float) -> Float:
    b = np.radians(90 - tilt)
    return np.array([[1, 0, 0], [0, np.cos(b), np.sin(b)], [0, -np.sin(b), np.cos(b)]])


def turned(points: Float, turn: float, tilt: float) -> Float:
    """Points (..., 3) after a turn about the torus's axis and a tilt towards the eye, in degrees: across, up, near."""
    a = np.radians(turn)
    about_axis = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    return points @ (_tilt(tilt) @ about_axis).T


def seen(points: Float) -> Float:
    """Turned points (..., 3) in perspective: shape (..., 2)."""
    return points[..., :2] * EYE / (EYE - points[..., 2:])


def in_view(points: Float, tilt: float) -> np.ndarray:
    """Whether nothing of the solid torus stands between the turned points (..., 3) and the eye: shape (...)."""
    direction = np.array([0, 0, EYE]) - points
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    way = 0.03 + 0.06 * np.arange(48)
    along = (points[..., np.newaxis, :] + way[:, np.newaxis] * direction[..., np.newaxis, :]) @ _tilt(
        tilt
    )  # turned back
    across, deep, height = np.moveaxis(along, -1, 0)
    return ~(((np.hypot(across, deep) - 1) ** 2 + height**2 < 0.999 * TUBE**2).any(axis=-1))


def windings(base: float) -> tuple[int, int] | None:
    """Turns of the fast and the slow hand after which the curve closes, where sqrt(base) is a fraction; else None.

    >>> windings(6.25), windings(2)
    ((5, 2), None)
    """
    square = Fraction(base)
    root = Fraction(round(square.numerator**0.5), round(square.denominator**0.5))
    return (root.numerator, root.denominator) if root**2 == square else None


def _parts(ax, points: Float, tilt: float, **style) -> None:
    """A curve of turned points; what is hidden is faint."""
    flat, visible = seen(points), in_view(points, tilt)
    ax.plot(*np.where(visible[:, np.newaxis], flat, np.nan).T, **style)
    ax.plot(*np.where(visible[:, np.newaxis], np.nan, flat).T, **style | {"alpha": 0.15})


@book_figure
def torus(position: float, base: float, turn: float = 30, tilt: float = 50) -> BookFigure:
    """The curve of the code from 0 to `position` for d_model = 4, on the torus and on the square that makes it.

    >>> len(torus(20, 4).axes)
    2
    """
    figure = new_figure(7.2, 3.4)
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    left.set(aspect="equal", xlim=(-1.65, 1.65), ylim=(-1.35, 1.35))
    left.axis("off")
    around = np.linspace(0, 2 * np.pi, 121)
    for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
        for fast, slow in ((around, np.full_like(around, angle)), (np.full_like(around, angle), around)):
            mesh = torus_points(np.stack([np.sin(fast), np.cos(fast), np.sin(slow), np.cos(slow)], axis=-1))
            _parts(left, turned(mesh, turn, tilt), tilt, color=COLOUR["grid"], lw=0.6)
    times = np.linspace(0, position, int(20 * position) + 2)
    _parts(
        left,
        turned(torus_points(positional_encoding(times, 4, base)), turn, tilt),
        tilt,
        color=COLOUR["computed"],
        lw=1.2,
    )
    here = turned(torus_points(positional_encoding(position, 4, base)), turn, tilt)
    left.plot(*seen(here), "o", ms=6, color=COLOUR["shifted"])

    angles = np.stack([times, times / np.sqrt(base)])
    wrapped = np.mod(angles, 2 * np.pi)
    jump = np.abs(np.diff(wrapped, axis=1)).max(axis=0) > np.pi
    wrapped[:, 1:][:, jump] = np.nan  # from one edge to the opposite one: the same place on the torus
    right.plot(wrapped[1], wrapped[0], color=COLOUR["computed"], lw=0.9)
    right.plot(*np.mod([position / np.sqrt(base), position], 2 * np.pi), "o", ms=6, color=COLOUR["shifted"])
    right.set(
        aspect="equal",
        xlim=(0, 2 * np.pi),
        ylim=(0, 2 * np.pi),
        xlabel="angle of pair 1",
        ylabel="angle of pair 0",
    )
    for axis in (right.xaxis, right.yaxis):
        axis.set_ticks([0, np.pi, 2 * np.pi], ["0", r"$\pi$", r"$2\pi$"])
    right.spines[["top", "right"]].set_visible(True)
    closes = windings(base)
    root = np.sqrt(base)
    figure.supxlabel(
        rf"$\sqrt{{b}}$ = {root:g} = {closes[0]}/{closes[1]}: closed after {2 * np.pi * closes[0]:.2f} positions"
        if closes
        else rf"$\sqrt{{b}}$ = {root:.4f}…, no fraction: it never closes",
        size=11,
    )
    return figure
