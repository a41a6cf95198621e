"""The sans of interface, explorers and figures: it has what they write, and it is the same everywhere."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path

import cut_fonts
import pytest
from fontTools.ttLib import TTFont
from harness import REPOSITORY
from lxml.html import fromstring
from matplotlib import font_manager

from wavebook.explorers import Clock
from wavebook.figures import style

#: Both have the rules by which fonts of systems stand in for the sans.
SHEETS = ("book/_static/book.css", "code/wavebook/explorers/js/explorer.css")


def stand_ins_for_the_sans(name: str) -> set[str]:
    """The rules of a style sheet by which a font of a system stands in for the sans."""
    rule = r'@font-face \{ font-family: "(?:Arial|Roboto|Noto sans|DejaVu sans) stand-in"; .*\}'
    return set(re.findall(rule, (REPOSITORY / name).read_text(encoding="utf-8")))


def sans_writes(site) -> set[str]:
    """What the explorers' programs can write, and what the pages write in the sans around the text."""
    written: set[str] = set()
    for path in (REPOSITORY / "code/wavebook/explorers").rglob("*"):
        if path.suffix in {".js", ".py"}:
            written.update(path.read_text(encoding="utf-8"))
    around = "|".join(
        f"//{tag}" for tag in ("nav", "button", "summary", "footer", "label", "legend", "dialog")
    )
    for path in site.root.rglob("*.html"):
        page = fromstring(path.read_bytes())
        for other in page.xpath("//math | //script | //style"):
            other.clear(keep_tail=True)
        for part in page.xpath(f"{around} | //*[contains(@class, 'bd-sidebar')]"):
            written.update(part.text_content())
    return written


@pytest.mark.build
def test_the_sans_has_all_that_explorers_and_the_interface_write(site):
    """Names with letters of other languages may fall back, as those of the text do to a face of their own."""
    written = {sign for sign in sans_writes(site) if sign.isprintable()}
    assert written > set("aZ0θ√⁻")
    for face in ("400", "600"):
        has = TTFont(REPOSITORY / f"book/_static/fonts/waves-sans-{face}.woff2").getBestCmap()
        missing = sorted(sign for sign in written if ord(sign) not in has)
        assert missing == [], f"`cut_fonts.py`, with {missing}"


@pytest.mark.parametrize("name", SHEETS)
def test_what_stands_in_for_the_sans_is_as_high(name):
    """A line is as high; how wide it is, `system_fonts.py` tries where there are such fonts."""
    rules = stand_ins_for_the_sans(name)
    assert len(rules) == 8
    for rule in rules:
        size, up, down, gap = (float(number) for number in re.findall(r": ([\d.]+)%", rule))
        with TTFont(cut_fonts.FONTS / "waves-sans-400.woff2") as font:
            lines = font["hhea"]
            assert size * up / cut_fonts.SANS_SCALE == pytest.approx(lines.ascent / 10, abs=0.6), rule
            assert size * down / cut_fonts.SANS_SCALE == pytest.approx(-lines.descent / 10, abs=0.6), rule
            assert gap == lines.lineGap == 0


def test_the_page_and_the_explorers_have_the_same_stand_ins():
    """An explorer brings its own to where there is no page around it."""
    page, explorer = map(stand_ins_for_the_sans, SHEETS)
    assert page == explorer


@pytest.mark.build
def test_stills_bring_their_face(site):
    """A picture has no fonts from the page around it; what it names, it has in it."""
    stills = [
        text
        for text in (path.read_text(encoding="utf-8") for path in (site.root / "_images").glob("*.svg"))
        if 'class="posenc-explorer"' in text
    ]
    assert stills
    for still in stills:
        assert re.search(r'<svg [^>]*font-family="Waves Sans, ', still)
        face = re.search(r"@font-face[^}]*url\(data:font/woff2;base64,([^)]*)\)", still)[1]
        assert base64.b64decode(face) == (cut_fonts.FONTS / "waves-sans-400.woff2").read_bytes()


def test_the_sans_is_cut_under_a_name_of_its_own():
    """The license keeps "Source" for what is not changed, and wants its copyright in each copy."""
    cut = [*cut_fonts.FONTS.glob("waves-sans-*"), *cut_fonts.FIGURES.glob("waves-sans-*")]
    assert len(cut) == 3
    for path in cut:
        with TTFont(path) as font:
            names = font["name"]
            assert all("Source" not in names.getDebugName(n) for n in (1, 3, 4, 6, 16))
            assert names.getDebugName(16) == cut_fonts.SANS
            assert "Adobe" in names.getDebugName(0)
            assert "Open Font License" in names.getDebugName(13)


def test_figures_are_drawn_with_the_file_that_the_package_brings():
    """Whatever fonts there are: a figure's sans is a file of ours, with the letters of the page's."""
    font = font_manager.findfont(style.STYLE["font.family"], fallback_to_default=False)
    assert Path(font) == cut_fonts.FIGURES / "waves-sans-400.ttf" == style.FACE
    with TTFont(font) as figures, TTFont(cut_fonts.FONTS / "waves-sans-400.woff2") as page:
        assert figures.getBestCmap().keys() == page.getBestCmap().keys()
        assert all(
            figures["hmtx"][name] == page["hmtx"][page.getBestCmap()[code]]
            for code, name in figures.getBestCmap().items()
        )


#: The one that `system_fonts.py` leaves in the system.
SYSTEM = os.environ.get("POSENC_SYSTEM_SANS")
#: What explorers write most: controls, axes, read-outs.
SAMPLE = "position model width base offset distance of neighbors, pairs that reach a step beyond 0.12 345 678"


@pytest.mark.skipif(SYSTEM is None, reason="system_fonts.py")
@pytest.mark.parametrize(("weight", "face"), [("400", "waves-sans-400"), ("600", "waves-sans-600")])
def test_a_font_of_the_system_stands_in_as_wide_as_the_sans(mount, weight, face):
    """In an explorer as JupyterLab shows it, with no face of ours."""
    page = mount(Clock())
    width, family = page.evaluate(
        """([sample, weight]) => {
            const span = root.appendChild(document.createElement("span"));
            span.style.cssText = `position: absolute; white-space: pre; font-size: 100px; font-kerning: none;
                font-weight: ${weight}; font-variant: normal; text-rendering: geometricPrecision`;
            span.textContent = sample;
            const {fontFamily} = getComputedStyle(span);
            return document.fonts.ready.then(() => [span.getBoundingClientRect().width, fontFamily]);
        }""",
        [SAMPLE, weight],
    )
    assert cut_fonts.SANS in family
    wanted = sum(cut_fonts.advances(face)[ord(sign)] for sign in SAMPLE) * cut_fonts.SANS_SCALE / 1000
    assert width == pytest.approx(wanted, rel=0.025), SYSTEM
