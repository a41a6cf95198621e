"""The faces that the site ships have every letter and sign that it shows."""

from __future__ import annotations

import cut_fonts
import pytest
from fontTools.ttLib import TTFont
from harness import REPOSITORY
from lxml.html import fromstring


@pytest.mark.build
def test_the_font_has_all_that_formulas_are_made_of(site):
    """A single letter is slanted by the browser, which takes another character for it; and it draws roots."""
    has = TTFont(REPOSITORY / "book/_static/fonts/stix-two-math-400-normal.woff2").getBestCmap()
    wanted: set[str] = set()
    for path in site.root.rglob("*.html"):
        for formula in fromstring(path.read_bytes()).iter("math"):
            wanted.update("".join(formula.itertext()))
    assert wanted > set("αω∑")
    drawn = {chr(0x1D434 + ord(letter) - ord("A")) for letter in "ABCKQ"} | set("\N{PLANCK CONSTANT}√")
    missing = {sign for sign in wanted | drawn if ord(sign) not in has and not sign.isspace()}
    assert not missing - {"\N{VARIATION SELECTOR-15}"}, f"`cut_fonts.py`, with {sorted(missing)}"


@pytest.mark.build
def test_the_faces_of_the_text_have_all_that_is_written(site):
    """Letters and signs of Western languages: others are in the face for names, or in no face of ours."""
    written: set[str] = set()
    for path in site.root.rglob("*.html"):
        page = fromstring(path.read_bytes())
        for formula in page.xpath("//math"):
            formula.clear(keep_tail=True)
        written.update(page.text_content())  # with what the explorers say
    assert written > set("aZ0é’")
    ours = {sign for sign in written if ord(sign) < 0x100 or "\u2010" <= sign <= "\u2027" or sign == "−"}
    for face in ("400-normal", "400-italic", "700-normal"):
        has = TTFont(REPOSITORY / f"book/_static/fonts/stix-two-text-latin-{face}.woff2").getBestCmap()
        missing = sorted(sign for sign in ours if ord(sign) not in has and not sign.isspace())
        assert missing == ["\N{NON-BREAKING HYPHEN}"], "`cut_fonts.py`, with what is missing"


def test_what_stands_in_for_bold_and_italic_is_as_wide_as_they_are():
    assert cut_fonts.STAND_INS.read_text(encoding="utf-8") == cut_fonts.stand_ins(), "run `cut_fonts.py`"
