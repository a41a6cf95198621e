"""The course that `make course` has made: `make test MARK=course`."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from harness import REPOSITORY, numbered_chapters
from lxml import etree
from lxml.html import document_fromstring
from moodle_xml_parser import parser as moodle_parser
from pypdf import PageObject, PdfReader
from qti_package_maker.common.package_integrity import check_package

from bookext import pages
from bookext.sphinx import quiz
from wavebook import course, recall

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
    assert len(titles) >= 5
    assert all(
        head.getnext() is not None and head.getnext().text_content().strip() for head in solved.iter("h3")
    )
