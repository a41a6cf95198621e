"""Icons are pictures in the page, from files that are as their makers published them."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont
from lxml.html import tostring

from bookext import pages
from bookext.finish import icons

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"


def test_icons_are_as_their_makers_published_them():
    """Font Awesome Free 6.5.2: files of the npm package @fortawesome/fontawesome-free, with its license."""
    total = hashlib.sha256()
    for path in sorted(path for path in icons.FOLDER.rglob("*") if path.is_file()):
        total.update(path.relative_to(icons.FOLDER).as_posix().encode() + path.read_bytes())
    assert total.hexdigest() == "5b68707dc0a4fce54c4cdddec541399fbf9385d36fe510ee70999bed9c3c1d7c"
    assert "Font Awesome Free License" in (icons.FOLDER / "LICENSE.txt").read_text()
    for path in icons.FOLDER.rglob("*.svg"):
        assert "Font Awesome Free 6.5.2" in path.read_text()


def test_icons_are_the_themes():
    """The same drawings as in the theme's script, which the pages no longer load."""
    script = (THEME / "scripts/fontawesome.js").read_text()
    for path in icons.FOLDER.rglob("*.svg"):
        assert icons.outline(path.parent.name, path.stem)[1] in script, path.name


def test_icon_tags_become_pictures():
    page = pages.read(
        b'<p><i class="theme-switch fa-solid fa-sun     fa-lg" data-mode="light" title="Light"></i> '
        b'<span class="fab fa-github"></span> <i>x</i></p>'
    )
    icons.put_pictures(page)
    sun, github = icons.outline("solid", "sun"), icons.outline("brands", "github")
    assert tostring(page.find("body/p"), encoding="unicode") == (
        '<p><svg class="svg-inline--fa theme-switch fa-sun fa-lg" aria-hidden="true" focusable="false" '
        'data-mode="light" '
        f'viewBox="{sun[0]}"><path fill="currentColor" d="{sun[1]}"></path></svg> '
        '<svg class="svg-inline--fa fa-github" aria-hidden="true" focusable="false" '
        f'viewBox="{github[0]}"><path fill="currentColor" d="{github[1]}"></path></svg> <i>x</i></p>'
    )
    with pytest.raises(ValueError, match=r"'nothing'.*'solid'"):
        icons.put_pictures(pages.read(b'<i class="fas fa-nothing"></i>'))


def test_the_font_keeps_only_what_is_asked_for():
    characters = {"\uf058", "\uf05a"}
    data = icons.subset_font(THEME / "vendor/fontawesome/webfonts/fa-solid-900.ttf", characters)
    assert set(map(chr, TTFont(io.BytesIO(data)).getBestCmap())) == characters
    assert data == icons.subset_font(THEME / "vendor/fontawesome/webfonts/fa-solid-900.ttf", characters), (
        "the same bytes each time"
    )
