"""One visual language for every figure: palette, type, and how a figure shows itself.

The colors come from `wavebook.palette`, which the explorers' style sheet and the site read too.
Figures are drawn in the light colors; the site makes each one's dark twin by exchanging the
palette's light values for its dark ones, so a figure uses palette colors and nothing else.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager, text, textpath
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from numpy.typing import ArrayLike

from wavebook.palette import COLOR, PALETTE

P = ParamSpec("P")

#: The sans of the page, by `cut_fonts.py`: a file of ours, so that no figure hangs on a machine's fonts.
FACE = Path(__file__).parents[1] / "fonts/waves-sans-400.ttf"
font_manager.fontManager.addfont(FACE)
# Matplotlib keeps the formulas that a parser has parsed, but each drawing has its own: let them share one.
setattr(text, "TextToPath", functools.cache(textpath.TextToPath))  # noqa: B010  # mypy knows a class

#: For values in [-1, 1]: blue below zero, red above, white at zero.
DIVERGING = LinearSegmentedColormap.from_list("posenc-diverging", PALETTE["diverging"])

#: The form in which the page gets a figure for narrow screens; whatever does not know it shows the other.
NARROW = "application/vnd.bookext.narrow+svg"
#: Set where a notebook runs for a page. Elsewhere nobody sees that form, and drawing it takes as long again.
FOR_PAGE = "BOOKEXT_FOR_PAGE"
#: Its width in inches.
COLUMN = 3.75

STYLE: dict[Any, Any] = {  # Matplotlib's type for it is a list of all its settings
    "font.family": "Waves Sans",
    # As in the explorers: letters for numbers are slanted and have serifs, all else is the sans.
    "mathtext.fontset": "custom",
    "mathtext.rm": "Waves Sans",
    "mathtext.sf": "Waves Sans",
    "mathtext.it": "STIXGeneral:italic",
    "mathtext.bf": "STIXGeneral:bold",
    "mathtext.bfit": "STIXGeneral:italic:bold",
    "mathtext.cal": "STIXGeneral:italic",
    "mathtext.tt": "Waves Sans",
    "mathtext.fallback": "stix",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # no search for what stands above the axes, which measures all labels again
    "axes.labelsize": 11,
    "axes.edgecolor": COLOR["muted"],
    "axes.labelcolor": COLOR["ink"],
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": COLOR["muted"],
    "ytick.color": COLOR["muted"],
    "xtick.labelcolor": COLOR["ink"],
    "ytick.labelcolor": COLOR["ink"],
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "text.color": COLOR["ink"],
    "legend.frameon": False,
    "legend.fontsize": 10,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "figure.facecolor": "none",  # the page's paper shows through
    "savefig.facecolor": "none",
    "axes.facecolor": "none",
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "posenc",  # the same figure gives the same file
}


class BookFigure(Figure):
    """A Matplotlib figure that shows itself as SVG; `png` is for where SVG cannot go.

    It needs neither pyplot nor a backend, so it looks the same in a notebook, on the page and in print.
    """

    #: Whether a narrow screen gets a form of its own; if not, it scrolls, where names would be upon others.
    narrows = True
    #: Whether parts named "part-01-...", "part-02-..." come one after another: in a page that asks for it by
    #: the address "#comes", and nowhere else.
    comes = False

    def svg(self) -> str:
        """The figure as SVG text, the same for the same drawing."""
        buffer, dpi = io.BytesIO(), self.get_dpi()
        with mpl.rc_context(STYLE):
            canvas: Any = FigureCanvasSVG(self)  # not savefig, which draws once more than the layout needs
            canvas.print_svg(buffer, metadata={"Date": None, "Creator": None})
        svg = _without_last_bits(buffer.getvalue().decode())
        if self.comes:
            svg = self._coming(svg)
        self.set_dpi(dpi)  # an SVG has 72 dots to the inch
        return svg

    def _coming(self, svg: str) -> str:
        """An SVG of this figure with what lets its parts come one after another."""
        names = sorted(set(re.findall(r'id="(part-(\d+))-', svg)))
        style = '@keyframes comes{from{opacity:0}}#comes:target [id^="part-"]{animation:comes .2s backwards}'
        style += "".join(
            f'#comes:target [id^="{name}"]{{animation-delay:{0.3 + 0.02 * int(number):.2f}s}}'
            for name, number in names
        )
        return svg.replace("<style", f"<style>{style}</style><style", 1).replace(
            'id="figure_1"', 'id="comes"', 1
        )

    def png(self, dpi: int = 200) -> bytes:
        """The figure as PNG on white paper, `dpi` dots to the inch."""
        buffer = io.BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(buffer, format="png", dpi=dpi, facecolor=COLOR["paper"], metadata={"Software": None})
        return buffer.getvalue()

    def one_column(self) -> BookFigure | None:
        """A copy as wide as a narrow screen, its panels below one another; None if its rows have too many.

        Examples
        --------
        >>> figure = new_figure(7.2, 3.0)
        >>> _ = figure.subplots(1, 2)
        >>> figure.one_column().get_size_inches().tolist()
        [3.75, 6.0]
        >>> figure.narrows = False
        >>> figure.one_column() is None
        True
        """
        places = [ax.get_subplotspec() for ax in self.axes]
        grids = {place.get_gridspec() for place in places if place is not None}  # a color bar has none
        if len(grids) != 1 or not self.narrows:
            return None
        (grid,) = grids
        count = sum(place is not None for place in places)
        if grid.ncols > 1 and (grid.ncols > 3 or count != grid.nrows * grid.ncols or count > 4):
            return None
        narrow = copy.deepcopy(self)
        panels = [ax for ax in narrow.axes if ax.get_subplotspec() is not None]
        narrow.set_size_inches(COLUMN, self.get_figheight() / grid.nrows * len(panels))
        column = GridSpec(len(panels), 1, figure=narrow)
        first, *_ = panels
        for n, ax in enumerate(panels):
            ax.set_subplotspec(column[n])
            if ax.get_shared_y_axes().joined(ax, first):  # its scale stood beside the panel to its left
                ax.tick_params(labelleft=True)
                ax.set_ylabel(ax.get_ylabel() or first.get_ylabel())
        return narrow

    def on_paper(self) -> str:
        """The figure as SVG on paper of its own, for notebooks in the dark; the site takes it away again."""
        return self.svg().replace("<svg ", f'<svg style="background:{COLOR["paper"]}" ', 1)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        _draw_no_png()
        narrow = self.one_column() if FOR_PAGE in os.environ else None  # drawing adds the ticks
        shown = {"image/svg+xml": self.on_paper(), "text/plain": repr(self)}
        return shown if narrow is None else shown | {NARROW: narrow.svg()}


_LENGTHS = re.compile(r'(?:(?<=\s)(?:d|x|y|width|height)="|translate\()[^")]*')
_MANY_DECIMALS = re.compile(r"\d+\.\d{4,}")
_CLIP_PATH = re.compile(r'<clipPath id="(p[0-9a-f]{10})">(.*?)</clipPath>', re.DOTALL)


def _without_last_bits(svg: str) -> str:
    r"""An SVG of Matplotlib's without what hangs on a processor's last bits.

    Lengths get three decimals, a thousandth of a point; six are written. A clip path is named by what is
    written of it, and not by all digits of its size.

    >>> clip = '<clipPath id="{}">\n   <rect x="0.12345678" y="1"/>\n  </clipPath><g clip-path="url(#{})"/>'
    >>> one, other = (_without_last_bits(clip.format(name, name)) for name in ("p0123456789", "pabcdef0123"))
    >>> one == other, 'x="0.123"' in one
    (True, True)
    """

    def shorter(found: re.Match[str]) -> str:
        return _MANY_DECIMALS.sub(lambda number: f"{float(number[0]):.3f}".rstrip("0").rstrip("."), found[0])

    names: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        name = "p" + hashlib.sha256(found[2].encode()).hexdigest()[:10]
        again = name in names.values()
        names[found[1]] = name
        return "" if again else f'<clipPath id="{name}">{found[2]}</clipPath>'

    svg = _CLIP_PATH.sub(renamed, _LENGTHS.sub(shorter, svg))
    return re.sub(r"(?<=url\(#)p[0-9a-f]{10}(?=\))", lambda use: names[use[0]], svg)


def _draw_no_png() -> None:
    """Let IPython draw no PNG of our figures, as it does of any other once ``interact`` has drawn.

    Neither the page nor JupyterLab would show it, and drawing it takes as long again.
    """
    ipython = sys.modules.get("IPython")  # there, where anything is shown
    if ipython and (shell := ipython.get_ipython()):
        shell.display_formatter.formatters["image/png"].for_type(BookFigure, lambda figure: None)


def book_figure(draw: Callable[P, BookFigure]) -> Callable[P, BookFigure]:
    """Run a drawing function under the book's style, whatever the reader's own settings are."""

    @functools.wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> BookFigure:
        with mpl.rc_context(STYLE):
            return draw(*args, **kwargs)

    return styled


def new_figure(width: float, height: float) -> BookFigure:
    """An empty figure, `width` x `height` inches; the page's column is 7.2 inches wide."""
    return BookFigure(figsize=(width, height))


def note(
    ax: Axes,
    text: str,
    at: tuple[float, float],
    away: tuple[float, float] = (0, 0),
    role: str = "ink",
    **options: Any,
) -> None:
    """Label what is drawn beside it: text at a point of the axes' data, moved by some points of type."""
    style: dict[str, Any] = {"va": "center", "fontsize": 9.5} | options
    ax.annotate(text, at, xytext=away, textcoords="offset points", color=COLOR[role], **style)


def name_rows(ax: Axes, names: Sequence[str], **options: Any) -> None:
    """Name rows at the left, at 0, 1 and so on, in place of an axis."""
    ax.set_yticks(range(len(names)), names, **options)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def hand(ax: Axes, angle: float, role: str) -> tuple[float, float]:
    """A clock's hand of length one from the origin, clockwise from the top; where its tip is."""
    tip = float(np.sin(angle)), float(np.cos(angle))
    ax.plot((0, tip[0]), (0, tip[1]), color=COLOR[role], lw=2)
    ax.plot(*tip, "o", color=COLOR[role], ms=5, mew=0)
    return tip


def draw_dots(ax: Axes, xs: ArrayLike, ys: ArrayLike, size: float, role: str, **look: float) -> PathPatch:
    """Many equal dots as one path, lines of hardly any length with round ends: half of what markers weigh."""
    places = np.stack([np.asarray(xs), np.asarray(ys)], 1)
    places = places[np.isfinite(places).all(1)]
    ends = np.stack([places, places + np.array([0.01, 0])], 1).reshape(-1, 2)
    dots = Outline(ends, [Outline.MOVETO, Outline.LINETO] * len(places))
    drawn = PathPatch(dots, lw=size, capstyle="round", color=COLOR[role], fill=False, **look)
    drawn.set_snap(False)
    ax.add_patch(drawn)
    return drawn


def letter(ax: Axes, name: str, title: str) -> None:
    """Head a panel with its letter and its title."""
    ax.set_title(f"({name})  {title}", color=COLOR["ink"])
