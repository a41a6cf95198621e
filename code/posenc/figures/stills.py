"""Stills of the explorers, for print and for readers without JavaScript: one function an explorer.

A still shows what the explorer shows at the same values; two programs draw the two from the same mathematics.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge
from numpy.typing import ArrayLike

from posenc._validate import Float
from posenc.distance import encoding_distance
from posenc.encoding import positional_encoding, wavelengths
from posenc.figures.style import COLOUR, DIVERGING, BookFigure, book_figure, new_figure
from posenc.rotation import shift

TURN = 2 * math.pi


def _encoding(position: ArrayLike) -> Float:
    """The encoding for d_model = 2, as (sin, cos) along the first axis; the base plays no part."""
    return positional_encoding(position, 2).T


def _circle(ax: Axes, p: float, shifted: float | None, labels: bool = True) -> None:
    """The unit circle with its axes sin and cos, the integers up to p, and the points of p and p + k."""
    ax.set(aspect="equal", xlim=(-1.45, 1.6), ylim=(-1.3, 1.45))
    ax.axis("off")
    ax.add_patch(Circle((0, 0), 1, fill=False, lw=0.6, ec=COLOUR["muted"]))
    for role, name, tip in (("sine", "sin", (1.35, 0)), ("cosine", "cos", (0, 1.35))):
        tail = (-0.83 * tip[0], -0.83 * tip[1])
        ax.annotate(
            "",
            tip,
            tail,
            arrowprops={"arrowstyle": "-|>", "lw": 0.6, "color": COLOUR[role], "shrinkA": 0, "shrinkB": 0},
        )
        ax.annotate(name, tip, (4, 0), textcoords="offset points", color=COLOUR[role], va="center")
    integers = np.arange(math.floor(p) + 1)
    ax.plot(*_encoding(integers), ".", ms=3, color=COLOUR["muted"])
    for n in integers[-7:] if labels else ():
        ax.annotate(
            str(n), tuple(1.14 * _encoding(n)), ha="center", va="center", size=8.5, color=COLOUR["muted"]
        )
    for t, name, role, away in ((shifted, "$p+k$", "shifted", 0.26), (p, "$p$", "ink", -0.2)):
        if t is not None:
            ax.plot(*np.transpose([(0, 0), _encoding(t)]), color=COLOUR[role], lw=1)
            ax.plot(*_encoding(t), "o", ms=6, color=COLOUR[role])
            ax.annotate(name, tuple(0.82 * _encoding(t + away)), ha="center", va="center", color=COLOUR[role])


def _projections(ax: Axes, p: float) -> None:
    sin, cos = _encoding(p)
    ax.plot([0, sin], [cos, cos], color=COLOUR["sine"], lw=2)
    ax.plot([sin, sin], [0, cos], color=COLOUR["cosine"], lw=2)


def _waves(ax: Axes, p: float, shifted: float | None = None) -> None:
    """Sine and cosine against position, with cursors at p and, if there is one, p + k."""
    cursors = {"$p$": (p, "ink")} | ({} if shifted is None else {"$p+k$": (shifted, "shifted")})
    low, high = (bound(at for at, _ in cursors.values()) for bound in (min, max))
    start = min(low - 0.5, max(0.0, high - 23, p - 11))
    t = np.linspace(start, start + 24, 481)
    crest = math.floor((start + 22 - TURN / 4) / TURN) * TURN + TURN / 4
    for role, values, at in zip(("sine", "cosine"), _encoding(t), (crest, crest - 1.25 * TURN), strict=True):
        ax.plot(t, values, color=COLOUR[role])
        ax.annotate(
            {"sine": "sin", "cosine": "cos"}[role],
            (at, 1),
            (0, 4),
            textcoords="offset points",
            ha="center",
            color=COLOUR[role],
        )
    for name, (at, role) in cursors.items():
        ax.axvline(at, lw=0.6, color=COLOUR[role])
        ax.plot([at, at], _encoding(at), "o", ms=4.5, color=COLOUR[role])
        ax.text(at, 1.36, name, ha="right" if at == low else "left", color=COLOUR[role])
    ax.set(xlabel="position", yticks=(-1, 0, 1), xlim=(t[0], t[-1]), ylim=(-1.15, 1.3))


def _rotation(left: Axes, right: list[Axes], p: float, k: float) -> str:
    _projections(left, p)
    t = np.linspace(0, k, 200)
    left.plot(*((0.36 + 0.03 * np.abs(t)) * _encoding(p + t)), color=COLOUR["shifted"])
    left.annotate(
        f"{k:g} rad",
        tuple((0.53 + 0.015 * abs(k)) * _encoding(p + k / 2)),
        ha="center",
        va="center",
        size=9,
        color=COLOUR["shifted"],
    )
    _waves(right[0], p, p + k)
    cos, sin = math.cos(k), math.sin(k)
    (a, b), (c, d) = _encoding(p), shift(_encoding(p), k)
    return (
        f"$M_k$ = [[{cos:.3f}, {sin:.3f}], [{-sin:.3f}, {cos:.3f}]] takes "
        f"({a:.3f}, {b:.3f}) to ({c:.3f}, {d:.3f})"
    ).replace("-", "\u2212")


def _chord_layer(left: Axes, right: list[Axes], p: float, k: float) -> str:
    left.plot(*np.transpose([_encoding(p), _encoding(p + k)]), color=COLOUR["computed"], lw=2)
    _waves(right[0], p, p + k)
    t = np.linspace(-12, 12, 481)
    right[1].plot(t, encoding_distance(t, 2), color=COLOUR["computed"])
    right[1].plot(k, encoding_distance(k, 2), "o", color=COLOUR["shifted"])
    right[1].set(xlabel="offset $k$", ylabel="chord", xlim=(-12, 12), ylim=(0, 2.1))
    return f"$|PE(p+k) - PE(p)| = 2\\,|\\sin(k/2)|$ = {encoding_distance(k, 2):.3f}"


def _near_return(left: Axes, right: list[Axes], p: float, k: float) -> str:
    left.plot(*_encoding(p + np.arange(k)), ".", ms=2, color=COLOUR["muted"])
    offsets = np.arange(1, 1001)
    right[0].loglog(offsets, encoding_distance(offsets, 2), ".", ms=2, color=COLOUR["muted"])
    right[0].loglog(k, encoding_distance(k, 2), "o", color=COLOUR["shifted"])
    right[0].annotate(
        f"{k:g}",
        (k, float(encoding_distance(k, 2))),
        (0, -13),
        textcoords="offset points",
        ha="center",
        color=COLOUR["shifted"],
    )
    right[0].set(xlabel="offset $k$", ylabel="distance of $PE(p+k)$ from $PE(p)$", ylim=(1e-5, 3))
    turns = round(k / TURN)
    return f"{k:g} steps are {turns} turns and {k - turns * TURN:+.3g} radians".replace("-", "\u2212")


LAYERS = {
    "rotation": _rotation,
    "chord": _chord_layer,
    "near-return": _near_return,
}


@book_figure
def circle_waves(layer: str, position: float, offset: float) -> BookFigure:
    """The circle and the waves, with what the layer adds."""
    figure = new_figure(7.2, 3.3)
    ((side, rest),) = figure.subfigures(1, 2, width_ratios=(1, 1.35), squeeze=False)
    left = side.subplots()
    right = list(rest.subplots(2 if layer == "chord" else 1, 1, squeeze=False)[:, 0])
    _circle(left, position, position + offset, labels=layer != "near-return")
    figure.supxlabel(LAYERS[layer](left, right, position, offset), size=11)
    return figure


@book_figure
def clock(position: float, d_model: int, base: float) -> BookFigure:
    """A dial for each pair with its hand at omega_i p, and under it the pair as two coloured cells."""
    lengths = wavelengths(d_model, base)
    pairs = positional_encoding(position, d_model, base).reshape(-1, 2)
    figure = new_figure(7.2, 2.2)
    (dials,) = figure.subplots(1, len(pairs), squeeze=False)
    for ax, length, (sin, cos) in zip(dials, lengths, pairs, strict=True):
        ax.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.95, 1.4))
        ax.axis("off")
        ax.add_patch(Circle((0, 0), 1, fill=False, lw=0.6, ec=COLOUR["muted"]))
        for hour in range(12):
            ax.add_patch(
                Wedge(
                    (0, 0),
                    1,
                    30 * hour,
                    30 * hour,
                    width=0.05 if hour % 3 else 0.1,
                    lw=0.6,
                    ec=COLOUR["muted"],
                )
            )
        ax.plot([0, sin], [cos, cos], color=COLOUR["sine"])
        ax.plot([sin, sin], [0, cos], color=COLOUR["cosine"])
        ax.plot([0, sin], [0, cos], color=COLOUR["ink"], lw=1.8)
        ax.plot(sin, cos, "o", ms=3.5, color=COLOUR["ink"])
        ax.text(
            0,
            1.2,
            f"$\\lambda$ = {length:,.0f}" if length >= 1000 else f"$\\lambda$ = {length:.4g}",
            ha="center",
            size=9,
            color=COLOUR["muted"],
        )
        for left, value, role in ((-1, sin, "sine"), (0, cos, "cosine")):
            ax.fill(
                [left, left + 1, left + 1, left],
                [-1.45, -1.45, -1.2, -1.2],
                color=DIVERGING((value + 1) / 2),
                lw=0,
            )
            ax.text(
                left + 0.5,
                -1.78,
                f"{value:.2f}".replace("-", "\u2212"),
                ha="center",
                size=8.5,
                color=COLOUR[role],
            )
    figure.supxlabel(f"position {position:g}", size=11)
    return figure
