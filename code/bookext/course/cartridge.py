"""A course as a Common Cartridge 1.1, which Moodle reads too: links to the pages, files, and quizzes.

Its quizzes are in the profile of QTI 1.2 that a cartridge demands. That profile knows choices, words and
essays, and a number that must be met exactly is a word. One with a tolerance it cannot judge, nor a word
with stars, so who is asked for such a number writes it down and then reads the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lxml.html import HtmlElement

from bookext.course.questions import Option, Question, Quiz, judged
from bookext.course.xml import maker, packed, written

_CC = "http://www.imsglobal.org/xsd/imsccv1p1"
_LOM = "http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest"
_M, _L = maker(f"{_CC}/imscp_v1p1", lomimscc=_LOM), maker(_LOM)
_W = maker(f"{_CC}/imswl_v1p1")
_Q = maker("http://www.imsglobal.org/xsd/ims_qtiasiv1p2")
_PROFILES = {"choice": "multiple_choice", "words": "fib"}
#: What is added where there are fewer answers than the three that the profile demands.
_UNSURE = Option("I do not know", right=False)


def _material(text: str) -> HtmlElement:
    return _Q.material(_Q.mattext(text, texttype="text/html"))


def _fields(**values: str) -> HtmlElement:
    return _Q.qtimetadata(
        *(_Q.qtimetadatafield(_Q.fieldlabel(label), _Q.fieldentry(value)) for label, value in values.items())
    )


def _condition(test: HtmlElement, feedback: str, *, score: bool) -> HtmlElement:
    made = _Q.respcondition(_Q.conditionvar(test), **{"continue": "No"})
    if score:
        made.append(_Q.setvar("100", action="Set", varname="SCORE"))
    made.append(_Q.displayfeedback(feedbacktype="Response", linkrefid=feedback))
    return made


def _choice(one: Question) -> tuple[HtmlElement, list[HtmlElement], dict[str, str]]:
    """Of a question with options: the place of the answer, what follows from one, and what is said."""
    if len(one.options) < 3:
        one = replace(one, options=(*one.options, _UNSURE))
    options = one.lettered.items()
    labels = [_Q.response_label(_material(option.text), ident=letter) for letter, option in options]
    shown = _Q.render_choice(*labels, shuffle="No" if one.ordered else "Yes")
    place = _Q.response_lid(shown, ident="response", rcardinality="Single")
    follows = [
        _condition(_Q.varequal(letter, respident="response"), f"said_{letter}", score=option.right)
        for letter, option in options
    ]
    return place, follows, {f"said_{letter}": one.said(option) for letter, option in options}


def _typed(one: Question) -> tuple[HtmlElement, list[HtmlElement], dict[str, str]]:
    """Of a question whose answer is typed: the same three."""
    place = _Q.response_str(
        _Q.render_fib(_Q.response_label(ident="typed")), ident="response", rcardinality="Single"
    )
    tests = [_Q.varequal(word, respident="response", case="No") for word in one.typed if "*" not in word]
    follows = [_condition(test, "right", score=True) for test in tests]
    follows.append(_condition(_Q.other(), "wrong" if tests else "answer", score=False))
    if not tests:
        return place, follows, {"answer": one.shown}
    return place, follows, {name: judged(one.shown, right=name == "right") for name in ("right", "wrong")}


def item(one: Question) -> HtmlElement:
    """A question as an item of a cartridge's quiz.

    >>> item(Question("a", "recall", "open", "<p>So?</p>", answer="Yes")).get("ident")
    'recall-a'
    """
    if one.kind == "number" and one.value == int(one.value) and one.value * one.within < 0.5:
        one = replace(one, kind="words", words=(f"{one.value:.0f}",))
    place, follows, said = _choice(one) if one.kind == "choice" else _typed(one)
    about = {"cc_profile": f"cc.{_PROFILES.get(one.kind, 'essay')}.v0p1"}
    if one.kind not in _PROFILES:
        about["qmd_computerscored"] = "No"
    score = _Q.decvar(maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    return _Q.item(
        _Q.itemmetadata(_fields(**about)),
        _Q.presentation(_material(one.stem), place),
        _Q.resprocessing(_Q.outcomes(score), *follows),
        *(_Q.itemfeedback(_Q.flow_mat(_material(text)), ident=name) for name, text in said.items()),
        ident=one.name,
        title=one.title,
    )


def _assessment(quiz: Quiz) -> bytes:
    section = _Q.section(*map(item, quiz.questions), ident=f"section-{quiz.name}")
    about = _fields(cc_profile="cc.exam.v0p1", qmd_assessmenttype="Examination", cc_maxattempts="unlimited")
    return written(
        _Q.questestinterop(_Q.assessment(about, section, ident=f"quiz-{quiz.name}", title=quiz.title))
    )


def _described(title: str, description: str) -> HtmlElement:
    """What the cartridge says of itself."""

    def said(tag: str, text: str) -> HtmlElement:
        return _L(tag, _L.string(text, language="en"))

    general = _L.general(said("title", title), said("description", description))
    about = _M.metadata(_M.schema("IMS Common Cartridge"), _M.schemaversion("1.1.0"))
    about.append(_L.lom(general))
    return about


def package(
    title: str,
    description: str,
    links: Mapping[str, list[tuple[str, str]]],
    files: Mapping[str, tuple[str, bytes]],
    quizzes: Iterable[Quiz],
) -> bytes:
    """A ZIP that a learning platform imports as a course.

    Besides what it says of itself and its quizzes it has `links`, titles and whole addresses of pages, part
    by part, and `files`, titles and contents by name.
    """
    packs: dict[str, bytes] = {"imsmanifest.xml": b""}
    resources: list[HtmlElement] = []

    def add(name: str, content: bytes, kind: str, text: str) -> HtmlElement:
        packs[name] = content
        ident = f"r{len(resources) + 1}"
        web = {"href": name} if kind == "webcontent" else {}
        resources.append(_M.resource(_M.file(href=name), identifier=ident, type=kind, **web))
        return _M.item(_M.title(text), identifier=f"i{len(resources)}", identifierref=ident)

    made = [add(name, content, "webcontent", text) for name, (text, content) in files.items()]
    folders = [("Course", made)]
    for part, pages in links.items():
        made = []
        for text, address in pages:
            link = _W.webLink(_W.title(text), _W.url(href=address, target="_blank"))
            made.append(add(f"links/{len(resources) + 1}.xml", written(link), "imswl_xmlv1p1", text))
        folders.append((part, made))
    kind = "imsqti_xmlv1p2/imscc_xmlv1p1/assessment"
    made = [add(f"quizzes/{quiz.name}.xml", _assessment(quiz), kind, quiz.title) for quiz in quizzes]
    folders.append(("Quizzes", made))
    items = [
        _M.item(_M.title(name), *inside, identifier=f"folder{number}")
        for number, (name, inside) in enumerate(folders, 1)
        if inside
    ]
    organization = _M.organization(
        _M.item(*items, identifier="root"), identifier="organization", structure="rooted-hierarchy"
    )
    root = _M.manifest(
        *(_described(title, description), _M.organizations(organization), _M.resources(*resources)),
        identifier="cartridge",
    )
    packs["imsmanifest.xml"] = written(root)
    return packed(packs)
