"""Write a course into a folder: ``python -m bookext.course QUESTIONS FOLDER [--site ADDRESS]``.

`QUESTIONS` is JSON: ``questions``, ``lecture`` and ``weeks``. The site has to be built. Links of the course
lead to the site's address: the one that is given, or that the book's settings have. Without one it has no
links to pages, and the syllabus says what to do.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lxml.html import HtmlElement
from pybtex.database import parse_file

from bookext import pages
from bookext.book import Book, built
from bookext.browser import launched
from bookext.build import settings
from bookext.course import cartridge, handouts, moodle, qti, questions, slides
from bookext.course.questions import Question, Quiz, group
from bookext.finish.about import page_of

#: What a cartridge asks of platforms and people.
_SCORED = (
    "formulas need LaTeX to be on, and a number that may be a little off is an essay, scored by a person"
)
#: What is written, and what it is.
FILES = {
    "syllabus.html": "this page, for teachers",
    "syllabus-students.html": "the weeks alone, for students",
    "inventory.html": "the concept inventory, for students",
    "inventory-key.html": "the concept inventory with its key, reasons and sources, for teachers",
    "sheet.html": "what is handed in, as one sheet of exercises",
    "sheet-solutions.html": "their solutions, for teachers",
    "quizzes-qti.zip": "all quizzes as QTI 2.1",
    "quizzes-moodle.xml": "all quizzes for Moodle's question bank; formulas need its MathJax filter",
    "course.imscc": f"a Common Cartridge 1.1: what students print, and the quizzes; {_SCORED}",
    "slides": "the figures of each chapter, as PDF",
    "questions.json": "inventory, “Recall” and plan as data, of which the rest is made",
}
#: What is another where the site has an address.
LINKED = {
    "course.imscc": (
        f"a Common Cartridge 1.1: links to the pages, what students print, and the quizzes; {_SCORED}"
    )
}
#: What students may see.
_FOR_STUDENTS = ("syllabus-students.html", "inventory.html", "sheet.html")


@dataclass(frozen=True)
class Source:
    """The built site, and what is known of the book."""

    book: Book
    folder: Path
    site: Path
    #: Where its pages are for those who take the course, up to the last slash; "" if nowhere.
    address: str

    def page(self, name: str) -> HtmlElement:
        """A document's page."""
        return pages.read((self.site / f"{name}.html").read_bytes())

    @cached_property
    def titles(self) -> dict[str, str]:
        """Each document's heading, with its number."""
        names = (name for _, pages in self.book.documents() for name in pages)
        known = {name: page_of(self.page(name), name) for name in names}
        return {name: f"{page.number} {page.title}".strip() for name, page in known.items()}


def references(folder: Path) -> dict[str, tuple[str, str]]:
    """Title and address of each reference of the book, by its key."""
    found = {}
    for name in settings(folder).get("bibtex_bibfiles", []):
        for key, entry in parse_file(folder / name).entries.items():
            known = {field.lower(): value for field, value in entry.fields.items()}
            address = known.get("url", "")
            if not address and "eprint" in known:
                address = f"https://arxiv.org/abs/{known['eprint']}"
            found[key] = (known["title"].replace("{", "").replace("}", ""), address)
    return found


def _pdf(name: str) -> str:
    """The file of a document's slides."""
    return f"slides/{name.rpartition('/')[2]}.pdf"


def handed_out(
    source: Source, asked: list[Question], plan: dict[str, Any], names: list[str]
) -> dict[str, bytes]:
    """The pages that are printed, by name."""
    title, at = source.book.title, source.address

    def placed(page: str) -> str:
        return f"{at}{page}" if at else ""

    # The lecture is the book's first deck.
    decks = ((name, items) for name in names for items in source.page(name).xpath("//*[@data-deck]/ol"))
    teaching, items = next(decks)
    there = handouts.exercises(source.site, names)
    chosen = [there[label] for week in plan["weeks"] for label in week["hand_in"]]
    told = {
        "pages": {name.rpartition("/")[2]: (source.titles[name], placed(f"{name}.html")) for name in names},
        "exercises": {label: (one.title, placed(one.address)) for label, one in there.items()},
        "files": FILES | LINKED if at else FILES,
        "slides": [_pdf(name) for name in names if slides.slides_of(source.page(name))],
        "figures": placed(teaching.rpartition("/")[0] + "/"),
        **{kind: Counter(one.chapter for one in asked if one.set == kind) for kind in ("checks", "recall")},
    }
    inventory = [one for one in asked if one.set == "inventory"]
    claims = {
        place: f"{at}{name}.html#{place}"
        for name in names
        if at
        for place in source.page(name).xpath("//@id")
        if place.startswith("claim-")
    }
    return {
        "syllabus.html": handouts.syllabus(title, items, plan, told),
        "syllabus-students.html": handouts.syllabus(title, None, plan, told),
        "inventory.html": handouts.inventory(inventory, title),
        "inventory-key.html": handouts.inventory_key(inventory, title, references(source.folder), claims),
        "sheet.html": handouts.sheet(chosen, title, solved=False),
        "sheet-solutions.html": handouts.sheet(chosen, title, solved=True),
    }


def imported(source: Source, quizzes: list[Quiz], printed: dict[str, bytes]) -> dict[str, bytes]:
    """What learning platforms read, by name."""
    parts = source.book.documents() if source.address else []
    links = {
        caption or source.book.title: [
            (source.titles[name], f"{source.address}{name}.html") for name in names
        ]
        for caption, names in parts
    }
    files = {name: (FILES[name].capitalize(), printed[name]) for name in _FOR_STUDENTS}
    files["syllabus-students.html"] = ("Syllabus", printed["syllabus-students.html"])
    about = source.book.description or source.book.subtitle or source.book.title
    return {
        "quizzes-qti.zip": qti.package(quizzes),
        "quizzes-moodle.xml": moodle.bank(quizzes, source.book.title),
        "course.imscc": cartridge.package(source.book.title, about, links, files, quizzes),
    }


def main(given: list[str] | None = None) -> int:
    """Write the course of the book in the current folder."""
    parser = argparse.ArgumentParser(prog="python -m bookext.course", description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", default="", help="the address of the site, for links")
    options = parser.parse_args(given)
    began = time.monotonic()
    folder = Path.cwd()
    book, site = built(folder)
    address = options.site or book.site
    source = Source(book, folder, site, f"{address.rstrip('/')}/" if address else "")
    names = [name for _, chapters in book.documents() for name in chapters]
    plan = json.loads(options.questions.read_text(encoding="utf-8"))
    asked = questions.of_data(plan["questions"]) + questions.of_site(site, names)
    titles = {name.rpartition("/")[2]: title for name, title in source.titles.items()}
    made = handed_out(source, asked, plan, names)
    made |= imported(source, group(asked, titles), made)
    (options.folder / "slides").mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        for name in names:
            if slides.slides_of(source.page(name)):
                pdf = slides.make(book, site, name, options.folder, browser)
                made[_pdf(name)] = pdf
    for name, content in made.items():
        (options.folder / name).write_bytes(content)
    for name, content in made.items():
        print(f"{len(content) / 1e3:8.0f} kB  {name}")
    print(f"{len(asked)} questions, {len(made)} files in {time.monotonic() - began:.0f} s: {options.folder}")
    if not address:
        print("The site has no address: for links to its pages, make course SITE=https://...")
    return 0


if __name__ == "__main__":
    sys.exit(main())
