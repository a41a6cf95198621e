"""Figures about the geometric spectrum: what its base costs, and how far each pair has turned."""

from __future__ import annotations

import math

import numpy as np

from posenc.distance import similarity
from posenc.encoding import positional_encoding, wavelengths
from wavebook.choices import first_negative, first_negative_limit, fraction_never_turning
from wavebook.figures.style import BookFigure, book_figure, letter, new_figure, note
from wavebook.lost_digits import frequency_errors
from wavebook.palette import COLOR


def _power(base: float) -> str:
    r"""1e4 -> $10^4$, 5e5 -> $5 \times 10^5$."""
    mantissa, exponent = f"{base:.0e}".split("e")
    return rf"$10^{int(exponent)}$" if mantissa == "1" else rf"${mantissa} \times 10^{int(exponent)}$"


@book_figure
def what_a_base_costs(d_model: int = 512, bases: tuple[float, ...] = (1e2, 1e3, 1e4, 1e5, 1e6)) -> BookFigure:
    """For several bases: the fraction of pairs that never complete a turn, and the law of similarity.

    >>> [ax.get_xscale() for ax in what_a_base_costs(64).axes]
    ['log', 'log']
    """
    figure = new_figure(7.2, 3.3)
    left, right = figure.subplots(1, 2)
    lengths, offsets = np.geomspace(6, 1e7, 300), np.unique(np.geomspace(1, 1e4, 300).round())
    for base in bases:
        usual = base == 1e4
        style = {"color": COLOR["computed" if usual else "muted"], "lw": 1.8 if usual else 0.9}
        left.step(lengths, 100 * fraction_never_turning(lengths, d_model, base), where="post", **style)
        note(
            left,
            _power(base),
            (2 * math.pi * base**0.9, 10),
            (5, 0),
            "computed" if usual else "muted",
        )
        alike = similarity(offsets, d_model, base) / (d_model / 2)
        right.plot(offsets, alike, **style)
        # The small bases end in one tangle: their names are upon the curves, where these are still apart;
        # those of the others are at the ends.
        role = "computed" if usual else "muted"
        if base > 1e4:
            note(right, _power(base), (offsets[-1], alike[-1]), (5, 3), role)
            continue
        at = int(np.argmax(alike < {1e2: 0.42, 1e3: 0.4, 1e4: 0.36}.get(base, 0.4)))
        paper = {"facecolor": COLOR["paper"], "edgecolor": "none", "pad": 1}
        note(right, _power(base), (offsets[at], alike[at]), (0, 0), role, ha="center", bbox=paper)
    letter(left, "a", "pairs that never complete a turn")
    left.set(
        xscale="log",
        xlabel="length, in positions",
        ylabel="pairs, %",
        ylim=(0, 102),
        xlim=(6, 1e7),
    )
    letter(right, "b", "similarity")
    right.axhline(0, color=COLOR["grid"], lw=0.8, zorder=0)
    right.set(xscale="log", xlabel="offset $\\Delta$", ylabel="$K(\\Delta)\\,/\\,K(0)$", xlim=(1, 1e4))
    return figure


@book_figure
def bound(
    d_model: int = 128,
    reported: dict[float, float] | None = None,
    zoom: float = 32_000,
    window: tuple[float, float] = (5.5e5, 2.2e6),
) -> BookFigure:
    """The length up to which similarity stays non-negative, against the base; bases that allow one length.

    ``reported`` (length -> base) is drawn beside what is computed.

    >>> bound(16, zoom=100, window=(50, 1000)).axes[1].get_xscale()
    'log'
    """
    bases = np.geomspace(1e3, 4e6, 300)
    reach = [first_negative(d_model, base) or np.nan for base in bases]
    figure = new_figure(7.2, 4.3)
    top, strip = figure.subplots(2, 1, height_ratios=(4, 0.6))
    letter(top, "a", "how far similarity stays non-negative")
    top.plot(bases, reach, ".", ms=2.6, color=COLOR["computed"], mec="none")
    for length, base in (reported or {}).items():
        top.plot(base, length, "x", ms=6, color=COLOR["claimed"])
    if reported:
        length, base = list(reported.items())[-1]
        note(top, "reported", (base, length), (-7, 4), "claimed", ha="right")
    limit = bases * (first_negative_limit(bases[0]) / bases[0])  # in proportion to the base
    top.plot(bases, limit, "--", lw=1, color=COLOR["muted"])
    note(top, "in the limit of large $d$", (bases[220], limit[220]), (-8, 4), "muted", ha="right")
    top.axhline(zoom, color=COLOR["shifted"], lw=0.8)
    note(top, f"{zoom:,.0f} positions", (bases[0], zoom), (4, 7), "shifted")
    top.set(
        xscale="log", yscale="log", ylabel="first $\\Delta$ with $K(\\Delta) < 0$", xlim=(bases[0], bases[-1])
    )

    letter(strip, "b", f"bases that allow {zoom:,.0f} positions")
    near = np.geomspace(*window, 600)
    allowed = np.array([first_negative(d_model, base, limit=int(zoom) - 1) is None for base in near])
    strip.fill_between(near, 0, 1, where=allowed, step="mid", color=COLOR["shifted"], lw=0)
    strip.set(xscale="log", xlabel="base $b$", yticks=[], xlim=window, ylim=(0, 1))
    strip.minorticks_off()
    ticks = [tick for tick in (6e5, 8e5, 1e6, 1.5e6, 2e6) if window[0] <= tick <= window[1]]
    strip.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    return figure


@book_figure
def precision(d_model: int = 512, base: float = 10_000.0) -> BookFigure:
    """Errors of the frequencies, computed as a power and as an exponential, in units in the last place.

    >>> len(precision(16).axes)
    2
    """
    errors = frequency_errors(d_model, base)
    figure = new_figure(7.2, 3.0)
    for ax, kind in zip(figure.subplots(1, 2, sharey=True), ("float32", "float64"), strict=True):
        for form, role in (("exponential", "claimed"), ("power", "computed")):
            ax.plot(errors[form, kind], ".", ms=3.4, color=COLOR[role], mec="none")
        middle = d_model // 4
        note(
            ax,
            "exponential",
            (middle, errors["exponential", kind][: middle + 1].max()),
            (0, 12),
            "claimed",
            ha="right",
        )
        note(ax, "power", (d_model / 2, 0.3), (3, 4))
        ax.set_title(kind, color=COLOR["ink"])
        ax.set_xlabel("pair $i$")
    figure.axes[0].set_ylim(0, 1.08 * max(error.max() for error in errors.values()))
    figure.axes[0].set_ylabel("error, units in the last place")
    return figure


@book_figure
def turns(position: float, d_model: int, base: float) -> BookFigure:
    """How often each pair has turned by a position, and the encoding of that position beneath.

    >>> len(turns(100, 64, 1e4).axes)
    2
    """
    waves, encoding = wavelengths(d_model, base), positional_encoding(position, d_model, base)
    count = position / waves
    figure = new_figure(7.2, 3.9)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(1.5, 1))
    done = count >= 1
    upper.axhline(1, color=COLOR["grid"], lw=1)
    upper.vlines(waves, np.minimum(count, 1), np.maximum(count, 1), color=COLOR["muted"], lw=0.6)
    for some, face in ((done, COLOR["ink"]), (~done, COLOR["paper"])):
        upper.plot(waves[some], count[some], "o", ms=4, mfc=face, color=COLOR["ink"])
    upper.set(xscale="log", yscale="log", ylabel="turns", xlim=(5, max(70, 1.3 * waves[-1])))
    upper.set_title(
        f"{100 * (~done).mean():.0f} % of the pairs have not completed a turn by position {position:,.0f}",
        color=COLOR["ink"],
    )
    for column, role, name in ((0, "sine", "sine"), (1, "cosine", "cosine")):
        lower.plot(waves, encoding[column::2], "o", ms=3, color=COLOR[role])
        note(lower, name, (waves[-1], encoding[column::2][-1]), (5, 0), role)
    lower.set(xlabel="wavelength, positions per turn", yticks=[-1, 0, 1], ylim=(-1.25, 1.25))
    return figure
