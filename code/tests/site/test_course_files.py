"""The course that `make course` has made: `make test MARK=course`."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from harness import REPOSITORY, numbered_chapters
from lxml import etree
from lxml.html import HtmlElement, document_fromstring
from moodle_xml_parser import parser as moodle_parser
from pypdf import PageObject, PdfReader
from qti_package_maker.common.package_integrity import check_package

from bookext import pages
from bookext.sphinx import quiz
from wavebook import course, data, recall

pytestmark = pytest.mark.course

COURSE = REPOSITORY / "_build/course"
SITE = REPOSITORY / "_build/html"


@pytest.fixture(scope="module")
def checks() -> int:
    """How many quick checks the site has."""
    return sum(len(quiz.groups(pages.read(path.read_bytes()))) for path in SITE.glob("book/*.html"))


def test_packages_are_whole():
    for name in ("quizzes-qti.zip", "course.imscc"):
        assert not check_package(str(COURSE / name)), name


def test_nothing_that_the_book_asks_is_missing(checks):
    asked = len(course.inventory()) + len(recall.prompts()) + checks
    assert checks >= 40
    with zipfile.ZipFile(COURSE / "quizzes-qti.zip") as package:
        assert sum(name.startswith("items/") for name in package.namelist()) == asked
    bank = (COURSE / "quizzes-moodle.xml").read_bytes()
    assert len(etree.fromstring(bank).xpath("question[@type != 'category']")) == asked
    read = moodle_parser.parse_bytes(bank)["multichoice"]
    assert len(read) == len(course.inventory()) + checks
    assert all(sum(option.score_fraction == 100 for option in one.options) == 1 for one in read)
    with zipfile.ZipFile(COURSE / "course.imscc") as package:
        quizzes = [name for name in package.namelist() if name.startswith("quizzes/")]
        items = [item for name in quizzes for item in etree.fromstring(package.read(name)).iter("{*}item")]
    assert len(items) == asked


#: What leads to a page that a platform does not show.
LEANS = re.compile(
    r"\b(this|the) (page|chapter|section)\b|\b(as|see) (above|below)\b|\bFigure \d|\bbox below\b"
)
#: In a first sentence: what can only have been said before it. ("Which of these" asks for an answer.)
BEFORE = re.compile(r"(?<!which of )\b(this|these|those|of the (?:two|three|four))\b", re.IGNORECASE)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text.replace("</p>", " "))).strip()


@pytest.fixture(scope="module")
def bank() -> list[HtmlElement]:
    """The questions as Moodle has them."""
    return etree.parse(COURSE / "quizzes-moodle.xml").xpath("question[@type != 'category']")


def leaning(stem: str, *more: str) -> list[str]:
    """What in a question, in its answers and in what is said of them leans on a page."""
    first = re.split(r"(?<=[.?:]) ", stem)[0]
    return [found[0] for found in (*map(LEANS.search, (stem, *more)), BEFORE.search(first)) if found]


def test_each_question_can_be_answered_without_its_page(bank):
    for one in bank:
        stem, *more = [plain(text.text or "") for text in one.iter("text")][1:]
        assert not leaning(stem, *more), (one.findtext("idnumber"), stem)
    assert leaning("A T5 head has these buckets. Which?") == ["these"]
    assert leaning("Which?", "Two lists, as below.") == ["as below"]
    assert not leaning("At 2, which of these is it? It has these.")


def test_no_sentence_ends_twice(bank):
    texts = [plain(text.text or "") for one in bank for text in one.iter("text")]
    assert not [text for text in texts if re.search(r"[.?!]\.(?!\.)(\s|$)", text)]


def test_numbers_to_choose_from_keep_their_order(bank):
    """They rise or fall, and are not shuffled; other answers are."""
    shuffled = {"true": 0, "false": 0}
    for one in bank:
        if one.get("type") == "multichoice":
            shuffled[one.findtext("shuffleanswers")] += 1
            texts = [plain(text.text) for text in one.xpath("answer/text")]
            found = [re.match(r"(?:Hand \\\()?(\d[\d,]*)(?=[ :,\\]|$)(?! more)", text) for text in texts]
            if all(found):
                numbers = [float(number[1].replace(",", "")) for number in found]
                asked = one.findtext("idnumber")
                assert numbers in (sorted(numbers), sorted(numbers, reverse=True)), asked
                assert one.findtext("shuffleanswers") == "false", asked
    assert shuffled["true"] >= 2 * shuffled["false"] >= 20


def test_the_syllabus_speaks_of_links_where_there_are_some():
    page = document_fromstring((COURSE / "syllabus.html").read_bytes())
    with zipfile.ZipFile(COURSE / "course.imscc") as package:
        linked = any(name.startswith("links/") for name in package.namelist())
        assert not [name for name in package.namelist() if "key" in name or "solutions" in name]
        printed = [package.read(name) for name in package.namelist() if name.endswith(".html")]
        assert not [text for text in printed if b"solutions" in text]
    assert bool(page.xpath("//a")) == ("links to" in page.text_content()) == linked


def test_nothing_leads_to_the_disk_that_it_was_made_on():
    for path in COURSE.glob("*.html"):
        page = document_fromstring(path.read_bytes())
        assert all(link.startswith("http") for link in page.xpath("//a/@href")), path.name


def test_each_chapter_has_its_slides():
    for name in numbered_chapters():
        page = document_fromstring((SITE / f"{name}.html").read_bytes())
        figures = page.xpath("//article//figure[.//img][not(ancestor::noscript)]")
        stills = page.xpath("//article//*[contains(@class, 'explorer-still')]")
        pdf = PdfReader(io.BytesIO((COURSE / f"slides/{name.rpartition('/')[2]}.pdf").read_bytes()))
        assert len(pdf.pages) == 1 + len(figures) + len(stills), name
        assert all(page.extract_text().strip() for page in pdf.pages), name
        assert "Answer." not in "".join(page.extract_text() for page in pdf.pages), name


def baselines(page: PageObject) -> list[float]:
    """How high the lines of a page are, in points, from the lowest on."""
    found = set()

    def see(text: str, cm: list[float], tm: list[float], *font: object) -> None:
        if text.strip():
            found.add(round(tm[4] * cm[1] + tm[5] * cm[3] + cm[5], 1))

    page.extract_text(visitor_text=see)
    return sorted(found)


@pytest.mark.parametrize("path", sorted(COURSE.glob("slides/*.pdf")), ids=lambda path: path.stem)
def test_what_a_slide_says_stays_above_its_foot(path):
    for number, page in enumerate(PdfReader(path).pages[1:], 1):
        foot, *lines = baselines(page)
        assert not lines or lines[0] - foot > 15, number


def test_the_teachers_copy_has_an_address_for_each_wrong_answer():
    key = document_fromstring((COURSE / "inventory-key.html").read_bytes())
    wrong = [option for item in course.inventory() for option in item["options"] if not option["right"]]
    told = [item for item in key.xpath("//ul/li") if "was published" in item.text_content()]
    assert len(told) == len(wrong)
    assert all(item.xpath("a[1]/@href")[0].startswith("https://") for item in told)
    copy = (COURSE / "inventory.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|claim-", copy)


def test_the_syllabus_has_a_lecture_weeks_and_a_sheet():
    page = document_fromstring((COURSE / "syllabus.html").read_bytes())
    assert len(page.xpath("//h2[1]/following-sibling::ol[1]/li")) >= 10
    assert len(page.xpath("//h3[starts-with(., 'Week')]")) == 3
    sheet = document_fromstring((COURSE / "sheet.html").read_bytes())
    solved = document_fromstring((COURSE / "sheet-solutions.html").read_bytes())
    titles = [head.text_content() for head in sheet.iter("h2")]
    assert titles == [head.text_content() for head in solved.iter("h2")]
    plan = data.read_yaml("course.yml")
    handed = sum(len(week["hand_in"]) for week in plan["weeks"])
    assert [title.split()[0] for title in titles] == [str(place) for place in range(1, handed + 1)]
    told = "".join(made.text_content() for made in (sheet, solved))
    assert not re.search(r"\b(the|this) (table|theorem|chapter|page)\b|\(\d\.\d\)(?! in the book)", told)
    assert not [one for made in (sheet, solved) for one in made.iter("menclose")]
    named = page.xpath("//h2[1]/following-sibling::ol[1]/li//code/text()")
    assert len(named) >= 10
    assert all((COURSE / name).is_file() for name in named)
    assert all(
        head.getnext() is not None and head.getnext().text_content().strip() for head in solved.iter("h3")
    )
