"""Font Awesome without its script: the icons a page shows stand in it as SVG.

The theme ships all 2,000 icons as a script of 1.5 MB that replaces ``<i class="fa-solid fa-bars">`` in the
reader's browser. Here the build does it, from the files in ``fontawesome/``: those of the npm package
@fortawesome/fontawesome-free 6.5.2, the version that the theme has, in its folder ``svgs``. Icons that the
theme's style sheet draws as text (the signs of admonitions) come from the theme's font, cut down to those
few.

Unnecessary with https://github.com/pydata/pydata-sphinx-theme/pull/2494.
"""

from __future__ import annotations

import io
import logging
import re
from functools import cache
from pathlib import Path

from lxml import etree
from lxml.html import HtmlElement

FOLDER = Path(__file__).parent / "fontawesome"

_STYLES = {
    "fab": "brands",
    "fa-brands": "brands",
    "far": "regular",
    "fa-regular": "regular",
    "fas": "solid",
    "fa-solid": "solid",
    "fa": "solid",
}
#: Classes that size or turn an icon and do not name one.
_MODIFIER = re.compile(r"fa-(?:lg|xs|sm|xl|2xl|2xs|fw|\d+x|spin|pulse|pull-\w+|flip-\w+|rotate-\w+)$")
#: Names of earlier versions that the theme uses.
_RENAMED = {"pencil-alt": "pencil"}


@cache
def outline(style: str, name: str) -> tuple[str, str]:
    """The view box and the path of an icon.

    >>> outline("solid", "bars")[0]
    '0 0 448 512'
    """
    path = FOLDER / style / f"{_RENAMED.get(name, name)}.svg"
    if not path.is_file():
        raise ValueError(
            f"no Font Awesome icon {name!r} in style {style!r}: put it into {FOLDER / style}, as the package "
            "@fortawesome/fontawesome-free has it, and its hash into the test"
        )
    svg = etree.parse(path).getroot()
    return str(svg.attrib["viewBox"]), str(svg[-1].attrib["d"])


def put_pictures(page: HtmlElement) -> None:
    """Replace every Font Awesome tag of a page by the picture its script would have put there."""
    for tag in page.xpath("//*[self::i or self::span][contains(@class, 'fa')]"):
        classes = tag.get("class").split()
        style = next((_STYLES[name] for name in classes if name in _STYLES), None)
        names = [name for name in classes if name.startswith("fa-") and name not in _STYLES]
        name = next((name[3:] for name in names if not _MODIFIER.match(name)), None)
        if style is None or name is None or len(tag) or (tag.text or "").strip():
            continue
        view_box, path = outline(style, name)
        kept = ["svg-inline--fa", *(name for name in classes if name not in _STYLES)]
        others = {key: tag.get(key) for key in tag.attrib if key not in ("class", "title", "aria-hidden")}
        picture = etree.Element("svg", {"class": " ".join(kept), "aria-hidden": "true", "focusable": "false"})
        for key, value in {**others, "viewBox": view_box}.items():
            picture.set(key, value)
        etree.SubElement(picture, "path", {"fill": "currentColor", "d": path})
        picture.tail = tag.tail
        tag.getparent().replace(tag, picture)


def private_characters(text: str) -> set[str]:
    r"""The characters of an icon font that are in a text.

    >>> sorted(map(hex, map(ord, private_characters("a\uf0c9"))))
    ['0xf0c9']
    """
    return set(re.findall("[\ue000-\uf8ff]", text))


def subset_font(font: Path, characters: set[str]) -> bytes:
    """The TrueType font at `font` as WOFF with the outlines of `characters` alone."""
    from fontTools import subset  # slow to import

    logging.getLogger("fontTools").setLevel(logging.WARNING)
    options = subset.Options(
        flavor="woff", layout_features=[], notdef_outline=False, name_IDs=[], hinting=False
    )
    cut = subset.Subsetter(options)
    cut.populate(text="".join(sorted(characters)))
    with subset.load_font(str(font), options) as loaded:
        cut.subset(loaded)
        loaded.recalcTimestamp = False  # the same build gives the same bytes
        buffer = io.BytesIO()
        subset.save_font(loaded, buffer, options)
    return buffer.getvalue()
