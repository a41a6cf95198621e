"""The PDF that `make pdf` put into the site: `make test MARK=pdf`.

Making it takes minutes, so `make test` asks only how its document is joined: test_paper.py.
"""

from __future__ import annotations

import io
import re
from itertools import pairwise

import pypdfium2
import pytest
from harness import REPOSITORY, online_only, printed
from lxml import html
from pypdf import PdfReader
from pypdf.generic import Destination

from bookext.data_files import read_yaml

pytestmark = pytest.mark.pdf

SITE = REPOSITORY / "_build/html"
PDF = SITE / "waves-of-position.pdf"

#: A page that is at most five on paper, in the book and alone.
NOTE = "book/token-47"

#: Of a page's height: where the running head ends and the page number begins.
TEXT = 0.085, 0.925


def flat(text: str) -> str:
    """A text without what setting it in lines may have changed."""
    return re.sub(r"\W+", "", text)


def title_of(document: str) -> str:
    """The heading of a page of the site."""
    page = html.parse(SITE / f"{document}.html").getroot()
    for sign in page.xpath("//article//h1[1]//a[contains(@class, 'headerlink')]"):
        sign.drop_tree()
    return " ".join(page.xpath("string((//article//h1)[1])").split())


@pytest.fixture(scope="module")
def book() -> PdfReader:
    assert PDF.is_file(), "run `make pdf` first"
    return PdfReader(PDF)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(PDF)]


@pytest.fixture(scope="module")
def outline(book) -> list[tuple[int, str, int]]:
    """Depth, title and page, counted from 0, of each entry."""

    def walk(entries, depth):
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, depth + 1)
            else:
                yield depth, " ".join(entry.title.split()), book.get_destination_page_number(entry)

    return list(walk(book.outline, 0))


@pytest.fixture(scope="module")
def starts(outline) -> dict[str, int]:
    """Document -> its first page."""
    found = {flat(title): page for _, title, page in reversed(outline)}
    # The book's own name is also that of its first page, which follows the title page and the contents.
    root = printed()[0]
    found[flat(title_of(root))] = max(page for _, title, page in outline if title == title_of(root))
    return {name: found[flat(title_of(name))] for name in printed()}


def test_it_has_as_many_pages_as_such_a_book(book):
    assert 150 <= len(book.pages) <= 280


def test_it_is_tagged_and_says_its_language(book):
    catalog = book.trailer["/Root"]
    assert catalog["/MarkInfo"]["/Marked"]
    assert catalog["/Lang"] == "en"
    kinds = set()
    waiting = [catalog["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop()
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            kinds.add(node.get("/S"))
            waiting.append(node.get("/K", []))
    assert kinds >= {"/H1", "/H2", "/H3", "/P", "/Figure", "/Table", "/Link"}


def test_the_outline_has_all_that_the_table_of_contents_has(outline, starts):
    toc = read_yaml(REPOSITORY / "_toc.yml")
    wanted = [(0, title_of(toc["root"]))]
    for part in toc["parts"]:
        if "caption" in part:
            wanted.append((0, part["caption"]))
        depth = 1 if "caption" in part else 0
        on_paper = [each["file"] for each in part["chapters"] if each["file"] not in online_only()]
        wanted += [(depth, title_of(name)) for name in on_paper]
    there = iter([(depth, flat(title)) for depth, title, _ in outline])
    assert not [entry for entry in wanted if (entry[0], flat(entry[1])) not in there]
    assert [page for _, _, page in outline] == sorted(page for _, _, page in outline)
    assert list(starts.values()) == sorted(starts.values())


def test_each_section_of_a_page_is_in_the_outline_below_it(outline):
    said = {(depth, flat(title)) for depth, title, _ in outline}
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        for sign in page.find_class("headerlink"):
            sign.drop_tree()
        for section in page.xpath("//article//h2"):
            title = flat(section.text_content())
            assert {(1, title), (2, title)} & said, (name, section.text_content())


def test_no_link_leaves_the_file_but_to_the_web(book):
    """And each that stays leads somewhere."""
    named = book.named_destinations
    within = 0
    for number, page in enumerate(book.pages, 1):
        for reference in page.get("/Annots") or []:
            annotation = reference.get_object()
            if annotation["/Subtype"] != "/Link":
                continue
            action = annotation.get("/A", {})
            if "/URI" in action:
                assert re.match(r"https?://(?!localhost|127\.)|mailto:", action["/URI"]), (
                    number,
                    action["/URI"],
                )
            else:
                target = annotation.get("/Dest", action.get("/D"))
                place = (
                    named.get(target) if isinstance(target, str) else Destination("", target[0], target[1])
                )
                assert place is not None, (number, target)
                assert book.get_destination_page_number(place) is not None, (number, target)
                within += 1
    assert within > 1000


def test_the_contents_name_the_pages_on_which_things_are(texts, starts):
    first = starts[printed()[0]]
    contents = flat(" ".join(texts[1:first]))
    for name in printed()[1:]:
        entry = flat(title_of(name)) + str(starts[name] + 1)
        assert entry in contents, name
        assert flat(title_of(name)) in flat(texts[starts[name]]), name


def test_every_font_is_in_the_file(book):
    fonts = {}
    for page in book.pages:
        for font in (page["/Resources"].get("/Font") or {}).values():
            fonts[font.indirect_reference.idnum if font.indirect_reference else id(font)] = font.get_object()
    assert fonts
    for font in fonts.values():
        for inner in font.get("/DescendantFonts", [font]):
            described = inner.get_object().get("/FontDescriptor", {})
            held = {"/FontFile", "/FontFile2", "/FontFile3"} & set(described)
            assert held or font["/Subtype"] == "/Type3", font


@pytest.mark.parametrize("name", printed())
def test_the_text_can_be_taken_out(name, texts, starts):
    page = html.parse(SITE / f"{name}.html").getroot()
    bounds = [*sorted(starts.values()), len(texts)]
    first = starts[name]
    said = flat(" ".join(texts[first : next(bound for bound in bounds if bound > first)]))
    paragraphs = page.xpath("//article//section/p[not(.//*[contains(@class, 'math')])][not(@class)]")
    # An address is printed after its link.
    paragraphs = [one for one in paragraphs if not one.find_class("external")]
    for paragraph in paragraphs[:5]:
        assert flat(paragraph.text_content())[:60] in said


#: What a reader of paper has open: solutions, and proofs, but not a proof kernel's; answers are a key.
FOLDED = (
    "//article//div[contains(@class, 'solution')]"
    " | //article//details[not(ancestor-or-self::*[contains(@class, 'formal-')])]"
    "[not(contains(@class, 'map-item') or ancestor::*[contains(@class, 'map-item')])]"
    "[not(.//*[@class='highlight'] or ancestor::*[contains(@class, 'tag_screen')])]"
)


def runs(block) -> list[str]:
    """The beginnings of the longer runs of prose in a block, between its formulas and programs."""
    prose = block.xpath(
        ".//text()[not(ancestor::math or ancestor::script or ancestor::style or ancestor::noscript)]"
        "[not(ancestor::pre or ancestor::svg or ancestor::table or ancestor::button)]"
        "[not(ancestor::*[contains(@class, 'admonition-title')] or ancestor::summary)]"
    )
    return [flat(run)[:24] for run in prose if len(flat(run)) >= 8]


@pytest.mark.parametrize("name", printed())
def test_what_was_folded_is_printed(name, texts, starts):
    """After each "Solution to", and in each proof: what is drawn without ink is not in the text, either."""
    bounds = [*sorted(starts.values()), len(texts)]
    first = starts[name]
    said = flat(" ".join(texts[first : next(bound for bound in bounds if bound > first)]))
    page = html.parse(SITE / f"{name}.html").getroot()
    blank = {}
    for block in page.xpath(FOLDED):
        wanted = runs(block)
        lost = [run for run in wanted if run not in said]  # a page's end may go through one
        if len(lost) > len(wanted) / 4:
            blank[" ".join(block.text_content().split())[:60]] = lost
    assert not blank


def test_the_note_has_five_pages(texts, starts):
    """For somebody who reads nothing else; what is too long for them is named and not there."""
    after = min(start for start in starts.values() if start > starts[NOTE])
    assert after - starts[NOTE] <= 5
    said = flat(" ".join(texts[starts[NOTE] : after]))
    assert flat("References and how to cite") in said
    assert flat("On paper the table of rules is left out") in said
    assert flat("no number of hands is best in each row") not in said.lower()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize("sheet", ["A4", "Letter"])
def test_the_note_alone_has_five_pages(new_page, site, sheet, script):
    page = new_page(java_script_enabled=script)
    page.goto(site.url(NOTE))
    if script:
        page.wait_for_selector("[data-explorer] svg")
    assert len(PdfReader(io.BytesIO(page.pdf(format=sheet))).pages) <= 5


def test_the_map_of_theorems_is_on_one_page(texts):
    """All theorems of the book and of the kernel's files, whose names are beside their shapes."""
    page = html.parse(SITE / "book/kernel.html")
    names = page.xpath("//li[contains(@class, 'map-theorem')]//span[@class='map-name']/text()")
    assert len(names) > 70
    assert any(all(flat(name) in flat(text) for name in names) for text in texts)


def test_each_explorer_says_where_it_moves(texts):
    explorers = sum(
        len(html.parse(SITE / f"{name}.html").xpath("//script[contains(@type, 'widget-view+json')]"))
        for name in printed()
    )
    assert flat(" ".join(texts)).count(flat("You can move this figure")) == explorers


@pytest.fixture(scope="module")
def pictures():
    """Each page in shades of gray, 36 dots to the inch."""
    document = pypdfium2.PdfDocument(PDF)
    return [page.render(scale=0.5, grayscale=True).to_numpy().squeeze() for page in document]


@pytest.fixture(scope="module")
def white(pictures, starts) -> dict[int, float]:
    """Of each page that is not a chapter's last, from 1: the fraction at its foot that is empty."""
    last = {start - 1 for start in starts.values()} | {0, len(pictures) - 1}
    found = {}
    for number, picture in enumerate(pictures):
        height = picture.shape[0]
        top, bottom = (round(part * height) for part in TEXT)
        [rows] = (picture[top:bottom] < 200).any(axis=1).nonzero()
        filled = (rows.max() + 1) / (bottom - top) if rows.size else 0
        if number not in last:
            found[number + 1] = float(round(1 - filled, 2))
    return found


def test_no_page_is_half_empty_but_the_last_of_a_chapter(white):
    """Nor are many of them a quarter empty: what may not part is seldom so high."""
    print(f"\n{len(white)} pages, {sum(white.values()) / len(white):.1%} of them empty at the foot")
    assert not {number: part for number, part in white.items() if part > 0.5}
    assert sum(part > 0.25 for part in white.values()) <= 0.08 * len(white), white
    assert sum(white.values()) <= 0.1 * len(white)


def test_a_question_stays_with_its_figure(texts):
    """On the page of its question and answer stand the labels of the explorer, before them."""
    # Without the running head, two lines; a label is drawn twice, as its halo and its letters.
    pages = [flat(text.split("\n", 2)[-1]) for text in texts]
    apart = []
    for name in printed():
        for asked in html.parse(SITE / f"{name}.html").xpath("//*[@class='prediction-printed']"):
            first, last = (flat(asked[place].text_content()) for place in (0, -1))
            before = [page.partition(first)[0] for page in pages if first in page and page.find(last) > 0]
            if not before or max(map(len, before)) < 12:
                apart.append(f"{name}: {first[:60]}")
    assert not apart


def test_nothing_reaches_into_the_margin(pictures):
    """What is wider than the column would: paper.css lets it."""
    wide = []
    for number, picture in enumerate(pictures[1:], 2):
        height, width = picture.shape
        top, bottom = (round(part * height) for part in TEXT)
        edge = round(width * 19 / 210)  # of 22 mm of margin
        if (picture[top:bottom, -edge:] < 200).any() or (picture[top:bottom, :edge] < 200).any():
            wide.append(number)
    assert not wide


def test_chapters_begin_on_pages_of_their_own(starts):
    assert all(first < second for first, second in pairwise(starts.values()))
