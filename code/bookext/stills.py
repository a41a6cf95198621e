"""Stills of the explorers: what a page shows of them without JavaScript.

A still is the explorer's own drawing at the values it was made with. Its module, which the page runs in a
browser, runs here in QuickJS, an engine that a Python package brings along; `still.js` is the little of a
page that it needs. So no second program draws the same thing, and the build wants neither Node nor a browser.
"""

from __future__ import annotations

import base64
import functools
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dukpy
import numpy as np
import tinycss2
from PIL import Image

_PAGE = (Path(__file__).parent / "still.js").read_text(encoding="utf-8")
_GAP = 8  # pixels between two rows of panels
_MARGIN = 8  # pixels around the drawing

#: Of the explorers' style sheet, the rules that a drawing needs: those for parts of an SVG, and for roles.
_DRAWN = re.compile(r"svg\b(?!.*(grip|held))|\.(sine|cosine|shifted|claimed|muted|grid|var)$")


@dataclass
class Still:
    """What an explorer shows when it starts: a picture, and what stands around it."""

    svg: str
    #: What the drawings say of themselves.
    label: str
    #: The controls' names and values, as HTML.
    settings: list[tuple[str, str]]
    #: The lines of text below the drawings, as HTML.
    notes: list[str]

    def words(self) -> str:
        """What the controls are set to, and the text below the drawings, as HTML."""
        set_to = "; ".join(f"{name}: {value}" for name, value in self.settings)
        return f"<p>{set_to}.</p>" + "".join(f"<div>{note}</div>" for note in self.notes)


@functools.cache
def style(sheet: str) -> str:
    """The part of the explorers' style sheet that a drawing needs, in light colours.

    >>> print(style(".posenc-explorer{--posenc-ink:#123456;} .posenc-explorer{svg .hair{x: 1} .note{y: 2}}"))
    .posenc-explorer{--posenc-ink:#123456;--c:var(--posenc-ink)}
    .posenc-explorer svg .hair{x: 1}
    """
    colours, rules = "", []
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule" or tinycss2.serialize(rule.prelude).strip() != ".posenc-explorer":
            continue
        for part in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            if part.type == "declaration" and part.name.startswith("--posenc-") and part.name not in colours:
                colours += f"{part.name}:{tinycss2.serialize(part.value).strip()};"
            elif part.type == "qualified-rule":
                selector = tinycss2.serialize(part.prelude).strip()
                if _DRAWN.match(selector):
                    rules.append(f".posenc-explorer {selector}{{{tinycss2.serialize(part.content).strip()}}}")
    return "\n".join([f".posenc-explorer{{{colours}--c:var(--posenc-ink)}}", *rules])


def _picture(data: list[int], columns: int) -> str:
    """Pixels, four numbers each, as the address of a picture."""
    pixels = np.array(data, dtype=np.uint8).reshape(-1, columns, 4)
    stored = io.BytesIO()
    Image.fromarray(pixels).convert("RGB").save(stored, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(stored.getvalue()).decode()


def draw(state: dict[str, Any]) -> Still:
    """Let an explorer draw itself.

    Parameters
    ----------
    state : dict
        A widget's state: the texts ``_esm`` and ``_css``, and the traits.

    Returns
    -------
    Still
    """
    traits = {name: value for name, value in state.items() if not name.startswith("_")}
    module = state["_esm"].replace("export default", "const widget =", 1)
    shown = dukpy.evaljs(f"{_PAGE}\n(() => {{{module}\nreturn still(widget, dukpy.state);}})()", state=traits)
    parts, top, bottom, row = [], _MARGIN, _MARGIN, 0
    for panel in shown["panels"]:
        if panel["row"] != row:
            row, top = panel["row"], bottom + _GAP
        bottom = max(bottom, top + panel["height"])
        box = f'x="{panel["x"] + _MARGIN:.5g}" y="{top:.5g}"'
        size = f'width="{panel["width"]:.5g}" height="{panel["height"]:.5g}"'
        view = f'viewBox="0 0 {panel["width"]:.5g} {panel["height"]:.5g}"'
        below = ""
        if panel["map"]:
            x, y, width, height = panel["map"]["place"]
            below = (
                f'<image x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}"'
                f' preserveAspectRatio="none" style="image-rendering:{panel["map"]["imageRendering"]}"'
                f' href="{_picture(panel["map"]["data"], panel["map"]["columns"])}"/>'
            )
        parts.append(f'<svg {box} {size} {view} overflow="visible">{below}{panel["markup"]}</svg>')
    width, height = shown["width"] + 2 * _MARGIN, bottom + _MARGIN
    sides = f'width="{width}" height="{height:.5g}"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="posenc-explorer" {sides}'
        f' viewBox="0 0 {width} {height:.5g}" font-family="system-ui, sans-serif">'
        f"<style>{style(state['_css'])}</style>"
        f'<rect class="plain" {sides} style="fill:var(--posenc-paper)"/>{"".join(parts)}</svg>'
    )
    # Nothing is moved here, and XML knows fewer names of characters than HTML.
    svg = re.sub(r'<path class="grip[^>]*/>', "", svg).replace("&nbsp;", "\N{NO-BREAK SPACE}")
    return Still(
        svg,
        " ".join(panel["label"] for panel in shown["panels"]),
        [(name, value) for name, value in shown["settings"]],
        shown["notes"],
    )
