"""Quizzes as Moodle's XML: a category for each quiz, in its question bank."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree
from lxml.html import HtmlElement

from bookext.course.questions import Option, Question, Quiz, judged
from bookext.course.xml import maker, written

_M = maker()
_KINDS = {"choice": "multichoice", "number": "numerical", "words": "shortanswer", "open": "essay"}


def _text(tag: str, text: str, *, html: bool = True, **attributes: str) -> HtmlElement:
    """An element with a text, which Moodle reads as HTML, or as it is."""
    made = _M(tag, _M.text(), **({"format": "html"} if html else {}), **attributes)
    made[0].text = etree.CDATA(text) if "<" in text else text
    return made


def _option(one: Question, option: Option) -> HtmlElement:
    """An answer to choose."""
    made = _text("answer", option.text, fraction="100" if option.right else "0")
    made.append(_text("feedback", one.said(option)))
    return made


def _typed(text: str, *, right: bool = True) -> HtmlElement:
    """An answer that is typed, or with a star each other one; Moodle shows the question's answer besides."""
    told = _text("feedback", judged("", right=right))
    return _M.answer(_M.text(text), told, fraction="100" if right else "0", format="moodle_auto_format")


def question(one: Question) -> HtmlElement:
    """A question of Moodle's bank.

    >>> made = question(Question("a", "recall", "number", "<p>So?</p>", answer="2", value=2, within=0.5))
    >>> made.get("type"), made.findtext("answer/tolerance")
    ('numerical', '1')
    """
    made = _M.question(
        *(_text("name", one.title, html=False), _text("questiontext", one.stem)),
        *(_text("generalfeedback", "" if one.kind == "choice" else one.shown),),
        *(_M.defaultgrade("1"), _M.penalty("0.3333333"), _M.hidden("0"), _M.idnumber(one.name)),
        type=_KINDS[one.kind],
    )
    if one.kind == "choice":
        shuffled = "false" if one.ordered else "true"
        made.extend([_M.single("true"), _M.shuffleanswers(shuffled), _M.answernumbering("ABCD")])
        made.extend([_option(one, option) for option in one.options])
    elif one.kind == "number":
        off = abs(one.value) * one.within
        for typed, tolerance in ((_typed(f"{one.value:g}"), off), (_typed("*", right=False), 0)):
            typed.append(_M.tolerance(f"{tolerance:g}"))
            made.append(typed)
    elif one.kind == "words":
        made.append(_M.usecase("0"))
        made.extend([*map(_typed, one.typed), _typed("*", right=False)])
    else:
        made.extend([_M.responseformat("editor"), _M.responserequired("1"), _M.responsefieldlines("5")])
        made.append(_text("graderinfo", one.shown))
    return made


def bank(quizzes: Iterable[Quiz], title: str) -> bytes:
    """The file that Moodle imports; `title` is the course's."""
    root = _M.quiz()
    for quiz in quizzes:
        path = f"$course$/top/{title}/{quiz.title.replace('/', '//')}"
        root.append(_M.question(_text("category", path, html=False), type="category"))
        root.extend([question(one) for one in quiz.questions])
    return written(root)
