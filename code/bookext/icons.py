"""Font Awesome without its script: the icons a page shows stand in it as SVG.

The theme ships all 2,000 icons as a script of 1.5 MB that replaces ``<i class="fa-solid fa-bars">`` in the reader's
browser. Here the build does it, from that same file. Icons that the theme's style sheet draws as text
(the signs of admonitions) come from the theme's font, cut down to those few.
"""

from __future__ import annotations

import html
import io
import re
from functools import cache
from pathlib import Path

_ICON = re.compile(r'"?([\w-]+)"?:\[(\d+),(\d+),\[([^\]]*)\],"[0-9a-f]+","([^"]+)"\]')
_PACK = re.compile(r'd\("(fab|far|fas)",p\)')
_STYLES = {
    "fab": "fab",
    "fa-brands": "fab",
    "far": "far",
    "fa-regular": "far",
    "fas": "fas",
    "fa-solid": "fas",
    "fa": "fas",
}
#: Classes that size or turn an icon and do not name one.
_MODIFIER = re.compile(r"fa-(?:lg|xs|sm|xl|2xl|2xs|fw|\d+x|spin|pulse|pull-\w+|flip-\w+|rotate-\w+)$")
_TAG = re.compile(r'<(i|span)\s+([^>]*?class="([^"]*\bfa[bsr]?\b[^"]*)"[^>]*)>\s*</\1>')


@cache
def read_icons(script: Path) -> dict[tuple[str, str], tuple[int, int, str]]:
    """(style, name) -> (width, height, outline) of every icon in Font Awesome's script, aliases included."""
    text = script.read_text(encoding="utf-8")
    found, start = {}, 0
    for pack in _PACK.finditer(text):
        for name, width, height, aliases, outline in _ICON.findall(text, start, pack.start()):
            for alias in (name, *re.findall(r'"([^"]+)"', aliases)):
                found[pack[1], alias] = int(width), int(height), outline
        start = pack.end()
    return found


def to_svg(page: str, icons: dict) -> str:
    """`page` with every Font Awesome tag replaced by the picture its script would have put there."""

    def replace(tag: re.Match) -> str:
        classes = tag[3].split()
        style = next((_STYLES[c] for c in classes if c in _STYLES), None)
        name = next(
            (c[3:] for c in classes if c.startswith("fa-") and c not in _STYLES and not _MODIFIER.match(c)),
            None,
        )
        if style is None or name is None:
            return tag[0]
        if (style, name) not in icons:
            raise ValueError(f"no Font Awesome icon {name!r} in style {style!r}: {tag[0]}")
        width, height, outline = icons[style, name]
        others = re.sub(r'\s*\b(?:class|title|aria-hidden)="[^"]*"', "", tag[2]).strip()
        return (
            f'<svg class="svg-inline--fa {html.escape(" ".join(c for c in classes if c not in _STYLES))}" '
            f'aria-hidden="true" focusable="false" {others + " " if others else ""}viewBox="0 0 {width} {height}">'
            f'<path fill="currentColor" d="{outline}"/></svg>'
        )

    return _TAG.sub(replace, page)


def private_characters(css: str) -> set[str]:
    """The characters of an icon font that a style sheet writes, plain or escaped.

    >>> sorted(map(hex, map(ord, private_characters('a{content:"\\\\f0c9"}'))))
    ['0xf0c9']
    """
    escaped = {chr(int(code, 16)) for code in re.findall(r"\\([ef][0-9a-f]{3})\b", css, re.IGNORECASE)}
    return escaped | set(re.findall("[\ue000-\uf8ff]", css))


def subset_font(font: Path, characters: set[str]) -> bytes:
    """The TrueType font at `font` as WOFF with the outlines of `characters` alone."""
    from fontTools import subset  # comes with Matplotlib; slow to import

    options = subset.Options(
        flavor="woff", layout_features=[], notdef_outline=False, name_IDs=[], hinting=False
    )
    cut = subset.Subsetter(options)
    cut.populate(text="".join(characters))
    with subset.load_font(str(font), options) as loaded:
        cut.subset(loaded)
        loaded.recalcTimestamp = False  # the same build gives the same bytes
        buffer = io.BytesIO()
        subset.save_font(loaded, buffer, options)
    return buffer.getvalue()
