"""Stills of the explorers: what a page shows of them without JavaScript.

A still is the explorer's own drawing at the values it was made with. Its module, which the page runs in a
browser, runs here in QuickJS, an engine that a Python package brings along; `still.js` is the little of a
page that it needs. So no second program draws the same thing, and the build wants neither Node nor a browser.
"""

from __future__ import annotations

import base64
import copy
import functools
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dukpy
import numpy as np
import tinycss2
from lxml import etree
from PIL import Image

_PAGE = (Path(__file__).parent / "still.js").read_text(encoding="utf-8")
#: In pixels: about the width of the column of a page.
WIDTH = 768
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
    #: The same as data: what the page has as ``data-values``.
    values: str
    #: What it is called in addresses: the page has it as ``data-explorer``.
    name: str
    #: The controls' names and values, as HTML.
    settings: list[tuple[str, str]]
    #: The lines of text below the drawings, as HTML.
    notes: list[str]

    def words(self) -> str:
        """What the controls are set to, and the text below the drawings, as HTML."""
        set_to = "; ".join(f"{name}: {value}" for name, value in self.settings)
        return f"<p>{set_to}.</p>" + "".join(f"<div>{note}</div>" for note in self.notes)


@dataclass(frozen=True)
class Look:
    """Of the explorers' style sheet, what a drawing needs: names, and rules in light colors."""

    #: The class of the explorers' root.
    root: str
    #: What the custom properties begin with that are roles of the palette: "--sea-" of "--sea-ink".
    prefix: str
    css: str


@functools.cache
def look(sheet: str) -> Look:
    """What a drawing needs of the explorers' style sheet.

    The sheet says itself what the root is called, in its first rule, and how the palette's roles are: that
    rule declares the color of "ink", in which everything is drawn that has no other.

    >>> found = look(".sea{--sea-ink:#123456;} .sea{svg .hair{x: 1} .note{y: 2}}")
    >>> print(found.root, found.prefix, found.css)
    sea --sea- .sea{--sea-ink:#123456;--c:var(--sea-ink)}
    .sea svg .hair{x: 1}
    """
    rules = [
        rule
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        if rule.type == "qualified-rule"
    ]
    root = tinycss2.serialize(rules[0].prelude).strip()
    parts = [
        part
        for rule in rules
        if tinycss2.serialize(rule.prelude).strip() == root
        for part in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
    ]
    properties = [part for part in parts if part.type == "declaration" and part.name.startswith("--")]
    ink = next((part.name for part in properties if part.name.endswith("-ink")), "")
    if not root.startswith(".") or not ink:
        raise ValueError(
            f"the explorers' style sheet begins with {root!r}, not with their root and its colors"
        )
    prefix, colors, drawn = ink.removesuffix("ink"), "", []
    for part in properties:
        if part.name.startswith(prefix) and part.name not in colors:
            colors += f"{part.name}:{tinycss2.serialize(part.value).strip()};"
    for part in parts:
        if part.type == "qualified-rule":
            selector = tinycss2.serialize(part.prelude).strip()
            if _DRAWN.match(selector):
                drawn.append(f"{root} {selector}{{{tinycss2.serialize(part.content).strip()}}}")
    return Look(root[1:], prefix, "\n".join([f"{root}{{{colors}--c:var({ink})}}", *drawn]))


def _picture(data: list[int], columns: int) -> str:
    """Pixels, four numbers each, as the address of a picture."""
    pixels = np.array(data, dtype=np.uint8).reshape(-1, columns, 4)
    stored = io.BytesIO()
    Image.fromarray(pixels).convert("RGB").save(stored, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(stored.getvalue()).decode()


#: Of what the rules say, what a picture that stands still can do with.
_PROPERTIES = re.compile(r"(?!pointer)(fill|stroke|opacity|font|paint-order)")


def plain(svg: str) -> str:
    """A still for programs that know neither variables nor much of CSS: each part has its own colors.

    >>> text = '<svg xmlns="http://www.w3.org/2000/svg" class="sea"><style>.sea{'
    >>> text += '--ink:#111;--red:#e00;--c:var(--ink)}.sea .red{--c:var(--red)}'
    >>> text += '.sea svg :is(path, line){stroke: var(--c)}</style>'
    >>> print(plain(text + '<svg><g class="red"><path d="M0 0"/></g></svg></svg>'))
    <svg xmlns="http://www.w3.org/2000/svg"><svg><g><path d="M0 0" stroke="#e00"/></g></svg></svg>
    >>> print(plain(text + '<path d="M1 0"/></svg>'))
    <svg xmlns="http://www.w3.org/2000/svg"><path d="M1 0" stroke="#111"/></svg>
    """
    root = etree.fromstring(svg.encode(), etree.XMLParser(huge_tree=True))
    [sheet] = root.iter("{*}style")
    whole = f".{root.get('class')}"
    colors: dict[str, str] = {}
    rules: list[tuple[bool, set[str], dict[str, str]]] = []
    for rule in tinycss2.parse_stylesheet(sheet.text or "", skip_comments=True, skip_whitespace=True):
        declared = {
            part.name: tinycss2.serialize(part.value).strip()
            for part in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        }
        selector = tinycss2.serialize(rule.prelude).strip()
        last = selector.removeprefix(whole).removeprefix(" svg").strip()
        if selector == whole:
            colors = declared
        else:
            names = re.fullmatch(r":is\((.*)\)", last)
            wanted = {name.strip().lstrip(".") for name in (names[1] if names else last).split(",")}
            rules.append((last.startswith("."), wanted, declared))
    rules.sort(key=lambda rule: rule[0])  # what is said of a class comes after what is said of an element
    root.remove(sheet)
    outlined: list[etree._Element] = []

    def resolved(value: str, color: str) -> str:
        value = value.replace("var(--c)", color)
        return re.sub(r"var\((--[\w-]+)\)", lambda name: colors[name[1]], value)

    def settle(element: etree._Element, color: str) -> None:
        tag, classes = etree.QName(element).localname, set(element.attrib.pop("class", "").split())
        said: dict[str, str] = {}
        for of_class, wanted, declared in rules:
            if wanted & classes if of_class else tag in wanted:
                said |= declared
        color = resolved(said.get("--c", color), color)
        for name, value in said.items():
            if _PROPERTIES.match(name):
                element.set(name, resolved(value, color))
        if element.attrib.pop("paint-order", None):
            outlined.append(element)
        if style := element.get("style"):
            element.set("style", resolved(style, color))
        for child in element:
            settle(child, color)

    settle(root, resolved(colors["--c"], ""))
    # What has an outline below its letters is there twice, for programs that draw outlines above them.
    for letters in outlined:
        below = copy.deepcopy(letters)
        below.tail = None
        letters.addprevious(below)
        for name in [name for name in letters.attrib if name.startswith("stroke")]:
            del letters.attrib[name]
    text: str = etree.tostring(root, encoding="unicode")
    return text


def _words_on_top(svg: str) -> str:
    """The drawing with the words of each panel after its lines, as the explorers have them in a browser."""
    # XML knows fewer names of characters than HTML.
    source = svg.replace("&nbsp;", "\N{NO-BREAK SPACE}").encode()
    root = etree.fromstring(source, etree.XMLParser(huge_tree=True))
    for panel in root.iterchildren("{*}svg"):
        panel.extend(list(panel.iterchildren("{*}text")))
    text: str = etree.tostring(root, encoding="unicode")
    return text


def face_rule(family: str, file: Path, size: str = "100%", weight: str = "400") -> str:
    """A rule with a face of some weight in it, for a picture."""
    address = "data:font/woff2;base64," + base64.b64encode(file.read_bytes()).decode()
    named = f'font-family:"{family}";font-weight:{weight};size-adjust:{size}'
    return f'@font-face{{{named};src:url({address}) format("woff2")}}'


def with_face(svg: str, family: str, file: Path, size: str = "100%") -> str:
    """A still with the face of its letters, which a picture cannot have from the page around it.

    `draw` has drawn it; the file is a font in the format WOFF2, and the size is as CSS has it.
    """
    rule = face_rule(family, file, size)
    return svg.replace("<style>", f"<style>{rule}", 1).replace('font-family="', f'font-family="{family}, ', 1)


def draw(state: dict[str, Any], width: int = WIDTH) -> Still:
    """Let an explorer draw itself, from a widget's state: the texts ``_esm`` and ``_css``, and the traits.

    The width is in pixels; panels that have no room beside one another are in rows.
    """
    traits = {name: value for name, value in state.items() if not name.startswith("_")}
    module = state["_esm"].replace("export default", "const widget =", 1)
    shown = dukpy.evaljs(
        f"{_PAGE}\n(() => {{{module}\nreturn still(widget, dukpy.state);}})()",
        state=traits,
        width=width,
    )
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
            x, y, wide, high = panel["map"]["place"]
            below = (
                f'<image x="{x:.5g}" y="{y:.5g}" width="{wide:.5g}" height="{high:.5g}"'
                f' preserveAspectRatio="none" style="image-rendering:{panel["map"]["imageRendering"]}"'
                f' href="{_picture(panel["map"]["data"], panel["map"]["columns"])}"/>'
            )
        parts.append(f'<svg {box} {size} {view} overflow="visible">{below}{panel["markup"]}</svg>')
    looks = look(state["_css"])
    across, high = width + 2 * _MARGIN, bottom + _MARGIN
    sides = f'width="{across}" height="{high:.5g}"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{looks.root}" {sides}'
        f' viewBox="0 0 {across} {high:.5g}" font-family="system-ui, sans-serif">'
        f"<style>{looks.css}</style>"
        f'<rect class="plain" {sides} style="fill:var({looks.prefix}paper)"/>{"".join(parts)}</svg>'
    )
    return Still(
        _words_on_top(svg),
        " ".join(panel["label"] for panel in shown["panels"]),
        shown["values"],
        shown["name"],
        [(name, value) for name, value in shown["settings"]],
        shown["notes"],
    )
