"""What a teacher prints: the inventory for students and with its key, a syllabus, a sheet of exercises."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml.html import HtmlElement

from bookext import pages
from bookext.course.questions import Question, blocks_of, xhtml
from bookext.finish import formulas
from bookext.formats.articles import text_of

_STYLE = """\
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 11pt/1.45 serif; color: #1f2328; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; } h1, h2, h3 { break-after: avoid; }
li { margin-block: .3em; } .question { break-inside: avoid; margin-block: 1.2em; }
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
        place = claims[f"claim-{known['claim'].lower()}"]
        rows.append(
            f"<li>{letter} was published: {html.escape(name)}, "
            f'<a href="{html.escape(address)}">{html.escape(address)}</a>. '
            f'<a href="{html.escape(place)}">Is it so?</a> The book\'s verdict: {known["verdict"]}.</li>'
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
    answered, by its name there.
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
            title = text_of(head)
            found[label] = Exercise(title, _told(element), solved.get(label, ""), f"{name}.html#{label}")
    return found


def sheet(chosen: Iterable[Exercise], title: str, *, solved: bool) -> bytes:
    """A sheet of exercises; with solutions for the teacher."""
    parts = []
    for one in chosen:
        parts.append(f'<div class="question"><h2>{html.escape(one.title)}</h2>{one.text}</div>')
        if solved:
            parts.append(f"<h3>Solution</h3>{one.solution}")
    name = "" if solved else '<p class="name">Name:</p>'
    return document(f"{'Solutions' if solved else 'Exercises'}: {title}", name + "\n".join(parts))


def syllabus(
    title: str, lecture: HtmlElement, weeks: Iterable[Mapping[str, Any]], told: Mapping[str, Any]
) -> bytes:
    """One lecture, three weeks, and what there is for them, of the book with this `title`.

    `lecture` is the list of slides of the page for teachers. Each of the `weeks` has its ``title``, and
    ``read`` and ``hand_in``, names of pages and labels of exercises. `told` has under ``pages`` and
    ``exercises`` what those are called and where they are, if anywhere; under ``checks`` and ``recall`` how
    many there are, by page; under ``files`` what is in the folder, by its name.
    """

    def link(kind: str, name: str) -> str:
        text, address = told[kind][name]
        said = html.escape(text)
        return f'<a href="{html.escape(address)}">{said}</a>' if address else said

    slides = "".join(f"<li>{xhtml(one)}</li>\n" for one in lecture.iterchildren("li"))
    rows = []
    for number, week in enumerate(weeks, 1):
        checks, recall = (
            sum(told[kind].get(name, 0) for name in week["read"]) for kind in ("checks", "recall")
        )
        rows.append(
            f"<h3>Week {number}: {html.escape(week['title'])}</h3>\n"
            f"<p>Read: {', '.join(link('pages', name) for name in week['read'])}.</p>\n"
            f"<p>Before class: {checks} quick checks. In the week after: {recall} prompts of “Recall”.</p>\n"
            f"<p>Hand in: {', '.join(link('exercises', label) for label in week['hand_in'])}.</p>\n"
        )
    files = "".join(
        f"<li><code>{name}</code>: {html.escape(text)}</li>\n" for name, text in told["files"].items()
    )
    body = (
        f"<h2>One lecture</h2>\n<ol>\n{slides}</ol>\n<h2>Three weeks</h2>\n{''.join(rows)}"
        f"<p>The concept inventory is for before the first week and after the last.</p>\n"
        f"<h2>What is in this folder</h2>\n<ul>\n{files}</ul>"
    )
    return document(f"Syllabus: {title}", body)
