"""What a teacher prints: the inventory for students and with its key, a syllabus, a sheet of exercises."""

from __future__ import annotations

import html
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from lxml.html import HtmlElement

from bookext import pages
from bookext.course.questions import Question, blocks_of, sentence, xhtml
from bookext.finish import formulas
from bookext.finish.about import page_of
from bookext.formats.articles import text_of

_STYLE = """\
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 11pt/1.45 serif; color: #1f2328; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; } h1, h2, h3 { break-after: avoid; }
li { margin-block: .3em; } .question { break-inside: avoid; margin-block: 1.2em; }
math { font-family: "STIX Two Math", "Latin Modern Math", math, serif; }
ol.options { list-style: upper-alpha; } .note, pre { font-size: .85em; } .name { margin-block: 1em 2em; }
pre { overflow-x: auto; white-space: pre-wrap; } a { overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } }"""


def document(title: str, body: str) -> bytes:
    r"""A page that needs no other file, its formulas set.

    >>> b"<msqrt><mi>d</mi></msqrt>" in document("A", r"<p>\(\sqrt d\)</p>")
    True
    """
    text = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>\n{_STYLE}\n</style></head><body>\n<h1>{html.escape(title)}</h1>\n"
        f"{formulas.in_text(body)}\n</body></html>\n"
    )
    return text.encode()


def _asked(one: Question) -> str:
    options = "".join(f"<li>{option.text}</li>" for option in one.options)
    return f'{one.stem}<ol class="options">{options}</ol>'


def inventory(questions: Iterable[Question], title: str) -> bytes:
    """The student's copy: nothing in it says which answer is right, or where one is from."""
    items = "".join(f'<li class="question">{_asked(one)}</li>\n' for one in questions)
    told = "<p>One answer to each question is right. Go by what you think, and look nothing up.</p>"
    return document(f"Concept inventory: {title}", f'<p class="name">Name:</p>{told}<ol>\n{items}</ol>')


def _key(one: Question, sources: Mapping[str, tuple[str, str]], claims: Mapping[str, str]) -> str:
    """A question with its key, why, and where each wrong answer was published."""
    rows = []
    for letter, option in one.lettered.items():
        if option.right:
            why = one.why.removeprefix("<p>").removesuffix("</p>")
            rows.append(f"<li><strong>{letter} is right.</strong> {why}</li>")
            continue
        known = option.published
        name, address = sources[known["source"]]
        address = known["at"] or address
        place = claims.get(f"claim-{known['claim'].lower()}", "")
        answered = f'<a href="{html.escape(place)}">Is it so?</a> ' if place else ""
        rows.append(
            f"<li>{letter} was published: {html.escape(name)}, "
            f'<a href="{html.escape(address)}">{html.escape(address)}</a>. '
            f"{answered}The book's verdict: {known['verdict']}.</li>"
        )
    return f'<li class="question">{_asked(one)}<ul class="note">{"".join(rows)}</ul></li>\n'


def inventory_key(
    questions: Iterable[Question],
    title: str,
    sources: Mapping[str, tuple[str, str]],
    claims: Mapping[str, str],
) -> bytes:
    """The teacher's copy: with the key, a reason, and the address of what each wrong answer is from.

    `sources` are a name and an address by the keys of the book's references, `claims` where each claim is
    answered, by its name there, if the book has an address.
    """
    asked = list(questions)
    items = "".join(_key(one, sources, claims) for one in asked)
    guessed = sum(1 / len(one.options) for one in asked)
    told = (
        "<p>Each wrong answer is a statement that somebody published, in few words. A program of the book "
        "computes whether it is so; “partly” means: under other conditions than those of the question. "
        f"Who guesses has {guessed:.0f} of {len(asked)} right on average.</p>"
    )
    return document(f"Concept inventory, for teachers: {title}", f"{told}<ol>\n{items}</ol>")


@dataclass(frozen=True)
class Exercise:
    """An exercise of a page, as XHTML, and its solution."""

    title: str
    #: How hard it is, and what the book calls it: "easy", "Exercise 1.2".
    level: str
    number: str
    text: str
    solution: str
    #: The page's name and the exercise's label: "book/order.html#ex-order-twins".
    address: str


def _told(element: HtmlElement) -> str:
    """What an exercise or a solution says, without what folds in it, and without links."""
    for one in element.xpath(".//details | .//*[contains(@class, 'admonition-title')] | .//figure"):
        one.drop_tree()
    return blocks_of(xhtml(element))


def exercises(site: Path, names: Iterable[str]) -> dict[str, Exercise]:
    """The exercises of the documents `names` of a built site, by their labels."""
    found = {}
    for name in names:
        page = pages.read((site / f"{name}.html").read_bytes())
        solved = {}
        for solution in page.find_class("solution"):
            leads = solution.xpath("./p[contains(@class, 'admonition-title')]//a/@href")
            if leads:
                solved[leads[0].rpartition("#")[2]] = _told(solution)
        for element in page.find_class("exercise"):
            label, [head] = element.get("id"), element.find_class("admonition-title")
            number, level = (
                "".join(map(text_of, head.find_class(kind))) for kind in ("caption-number", "exercise-level")
            )
            title = text_of(head).removeprefix(number).strip().strip("()").removesuffix(level)
            if "." not in number:  # a page without a number counts its own
                number = f"{number} of “{page_of(page, name).title}”"
            level, text = level.strip(" ·"), _told(element)
            address = f"{name}.html#{label}"
            found[label] = Exercise(title.strip(), level, number, text, solved.get(label, ""), address)
    return found


def sheet(chosen: Iterable[Exercise], title: str, *, solved: bool) -> bytes:
    """A sheet of exercises, numbered from 1; with solutions for the teacher."""
    parts = []
    for place, one in enumerate(chosen, 1):
        known = html.escape(", ".join(filter(None, (one.level, one.number))))
        head = f'<h2>{place} {html.escape(one.title)} <span class="note">({known})</span></h2>'
        parts.append(f'<div class="question">{head}{one.text}</div>')
        if solved:
            parts.append(f"<h3>Solution</h3>{one.solution}")
    name = '<p class="name">Name:</p><p class="note">In brackets: its number in the book.</p>'
    if solved:
        name = (
            '<p class="note">The programs are from the book\'s notebooks, where their imports and earlier '
            "results are.</p>"
        )
    return document(f"{'Solutions' if solved else 'Exercises'}: {title}", name + "\n".join(parts))


#: What a teacher can do where the course knows no address.
_WITHOUT = (
    "<p>The book has no address here, so nothing on this page is a link. Its pages, the folder "
    "<code>_build/html</code>, open from any disk: hand them out, or put them on a server and make the "
    "course again with that address, <code>make course SITE=https://...</code>.</p>\n"
)


def _shown(item: HtmlElement, slides: Container[str], figures: str) -> str:
    """An item of the lecture: what is said, the slides that have its figure, and where the figure is."""
    text, leads = xhtml(item), item.xpath("(.//a)[1]/@href")
    if not leads:
        return f"<li>{text}</li>\n"
    file = f"slides/{leads[0].partition('.html')[0]}.pdf"
    places = [f"<code>{file}</code>"] if file in slides else []
    if figures:
        places.append(f'<a href="{html.escape(figures + leads[0])}">in the book</a>')
    note = f' <span class="note">({", ".join(places)})</span>' if places else ""
    return f"<li>{text.replace('</p>', f'{note}</p>', 1)}</li>\n"


def syllabus(
    title: str, lecture: HtmlElement | None, plan: Mapping[str, Any], told: Mapping[str, Any]
) -> bytes:
    """One lecture, three weeks, and what there is for them, of the book with this `title`; or weeks alone.

    `lecture` is the list of slides of the page for teachers, None for students. The `plan` has under
    ``lecture`` its ``minutes``, and those of a ``short`` one with the numbers of its ``items``; each of its
    ``weeks`` has a ``title``, and ``read`` and ``hand_in``, names of pages and labels of exercises, in the
    sheet's order. `told` has under ``pages`` and ``exercises`` what those are called and where they are, if
    anywhere; under ``checks`` and ``recall`` how many there are, by page; under ``files`` and ``slides``
    what is in the folder; under ``figures`` where the page for teachers is, up to the last slash, or "".
    """

    def link(kind: str, name: str) -> str:
        text, address = told[kind][name]
        said = html.escape(text)
        return f'<a href="{html.escape(address)}">{said}</a>' if address else said

    rows, handed = [], count(1)
    for number, week in enumerate(plan["weeks"], 1):
        checks, recall = (
            sum(told[kind].get(name, 0) for name in week["read"]) for kind in ("checks", "recall")
        )
        hand_in = ", ".join(f"{next(handed)} {link('exercises', label)}" for label in week["hand_in"])
        rows.append(
            f"<h3>Week {number}: {html.escape(week['title'])}</h3>\n"
            f"<p>Read: {sentence('; '.join(link('pages', name) for name in week['read']))}</p>\n"
            f"<p>Before class: {checks} quick checks. In the week after: {recall} prompts of “Recall”.</p>\n"
            f"<p>Hand in, from the sheet: {hand_in}.</p>\n"
        )
    weeks = (
        f"<h2>Three weeks</h2>\n{''.join(rows)}"
        "<p>The concept inventory is for before the first week and after the last.</p>\n"
    )
    if lecture is None:
        return document(f"Syllabus: {title}", weeks)
    slides = "".join(_shown(one, told["slides"], told["figures"]) for one in lecture.iterchildren("li"))
    whole, short = plan["lecture"], plan["lecture"]["short"]
    *first, last = map(str, short["items"])
    time = f"{whole['minutes']} minutes; in {short['minutes']}: {', '.join(first)} and {last}."
    files = "".join(
        f"<li><code>{name}</code>: {html.escape(text)}</li>\n" for name, text in told["files"].items()
    )
    body = (
        f"{'' if told['figures'] else _WITHOUT}<h2>One lecture</h2>\n<p>{time}</p>\n<ol>\n{slides}</ol>\n"
        f"{weeks}<h2>What is in this folder</h2>\n<ul>\n{files}</ul>"
    )
    return document(f"Syllabus: {title}", body)
