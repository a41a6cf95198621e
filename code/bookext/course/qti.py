"""Quizzes as a package of QTI 2.1: an item for each question, and a test for each quiz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml.html import HtmlElement

from bookext.course.questions import Question, Quiz
from bookext.course.xml import blocks, fill, maker, packed, written

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
_WHERE = {
    QTI: "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd",
    _PACKAGE: "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
}
_Q, _P = maker(QTI, xsi=_SCHEMA), maker(_PACKAGE, xsi=_SCHEMA)
#: Of a question without options: what its feedback is called.
_ANSWER = "ANSWER"


def _located(root: HtmlElement, namespace: str) -> HtmlElement:
    root.set(f"{{{_SCHEMA}}}schemaLocation", f"{namespace} {_WHERE[namespace]}")
    return root


def _declared(question: Question) -> HtmlElement:
    """What counts as an answer."""
    base = {"choice": "identifier", "number": "float"}.get(question.kind, "string")
    made = _Q.responseDeclaration(identifier="RESPONSE", cardinality="single", baseType=base)
    if question.kind == "choice":
        right = next(letter for letter, option in question.lettered.items() if option.right)
        made.append(_Q.correctResponse(_Q.value(right)))
    elif question.kind == "number":
        made.append(_Q.correctResponse(_Q.value(f"{question.value:g}")))
    elif question.kind == "words":
        made.append(_Q.correctResponse(_Q.value(question.words[0])))
        entries = [
            _Q.mapEntry(mapKey=word, mappedValue="1", caseSensitive="false") for word in question.words
        ]
        made.append(_Q.mapping(*entries, defaultValue="0"))
    return made


def _asked(question: Question) -> list[HtmlElement]:
    """The place of the answer."""
    if question.kind == "choice":
        choices = [
            fill(_Q.simpleChoice(identifier=letter), option.text, QTI)
            for letter, option in question.lettered.items()
        ]
        settings = {"responseIdentifier": "RESPONSE", "shuffle": "false", "maxChoices": "1"}
        return [_Q.choiceInteraction(*choices, **settings)]
    if question.kind == "open":
        return [_Q.extendedTextInteraction(responseIdentifier="RESPONSE")]
    return [_Q.p(_Q.textEntryInteraction(responseIdentifier="RESPONSE", expectedLength="20"))]


def _given() -> HtmlElement:
    return _Q.variable(identifier="RESPONSE")


def _judged(question: Question) -> HtmlElement:
    """How an answer counts: 1, or 0; nothing says so of an open question."""
    one = _Q.baseValue("1", baseType="float")
    told = _given() if question.kind == "choice" else _Q.baseValue(_ANSWER, baseType="identifier")
    rules = [_Q.setOutcomeValue(told, identifier="FEEDBACK")]
    right = _Q.correct(identifier="RESPONSE")
    if question.kind == "choice":
        test = _Q.match(_given(), right)
    elif question.kind == "number":
        off = f"{100 * question.within:g}"  # in percent
        test = _Q.equal(_given(), right, toleranceMode="relative", tolerance=f"{off} {off}")
    if question.kind in ("choice", "number"):
        score = _Q.setOutcomeValue(one, identifier="SCORE")
        rules.insert(0, _Q.responseCondition(_Q.responseIf(test, score)))
    elif question.kind == "words":
        rules.insert(0, _Q.setOutcomeValue(_Q.mapResponse(identifier="RESPONSE"), identifier="SCORE"))
    return _Q.responseProcessing(*rules)


def _told(question: Question) -> Iterator[HtmlElement]:
    """What is said after an answer."""
    said = [(letter, option.why or question.why) for letter, option in question.lettered.items()]
    for name, text in said or [(_ANSWER, f"<p>{question.answer}.</p>{question.why}")]:
        yield _Q.modalFeedback(
            *blocks(text, QTI), outcomeIdentifier="FEEDBACK", identifier=name, showHide="show"
        )


def item(question: Question) -> HtmlElement:
    """A question as an item.

    >>> made = item(Question("a", "recall", "number", "<p>So?</p>", answer="2", why="<p>So.</p>", value=2))
    >>> [child.tag.rpartition("}")[2] for child in made][:3]
    ['responseDeclaration', 'outcomeDeclaration', 'outcomeDeclaration']
    """
    score = _Q.outcomeDeclaration(
        _Q.defaultValue(_Q.value("0")), identifier="SCORE", cardinality="single", baseType="float"
    )
    said = _Q.outcomeDeclaration(identifier="FEEDBACK", cardinality="single", baseType="identifier")
    body = _Q.itemBody(*blocks(question.stem, QTI), *_asked(question))
    root = _Q.assessmentItem(
        *(_declared(question), score, said, body, _judged(question), *_told(question)),
        identifier=question.name,
        title=question.title,
        adaptive="false",
        timeDependent="false",
    )
    return _located(root, QTI)


def _test(quiz: Quiz) -> HtmlElement:
    """A quiz as a test of one section."""
    refs = [_Q.assessmentItemRef(identifier=one.name, href=f"items/{one.name}.xml") for one in quiz.questions]
    section = _Q.assessmentSection(*refs, identifier="section", title=quiz.title, visible="true")
    part = _Q.testPart(section, identifier="part", navigationMode="nonlinear", submissionMode="individual")
    return _located(_Q.assessmentTest(part, identifier=f"quiz-{quiz.name}", title=quiz.title), QTI)


def package(quizzes: Iterable[Quiz]) -> bytes:
    """A ZIP with the quizzes, and the manifest that says what is in it."""
    files: dict[str, bytes] = {"imsmanifest.xml": b""}
    resources = []
    for quiz in quizzes:
        for one in quiz.questions:
            name = f"items/{one.name}.xml"
            files[name] = written(item(one))
            resources.append(
                _P.resource(
                    _P.file(href=name), identifier=f"item-{one.name}", type="imsqti_item_xmlv2p1", href=name
                )
            )
        name = f"{quiz.name}.xml"
        files[name] = written(_test(quiz))
        needs = [_P.dependency(identifierref=f"item-{one.name}") for one in quiz.questions]
        resources.append(
            _P.resource(
                *(_P.file(href=name), *needs),
                identifier=f"test-{quiz.name}",
                type="imsqti_test_xmlv2p1",
                href=name,
            )
        )
    about = _P.metadata(_P.schema("QTIv2.1 Package"), _P.schemaversion("1.0.0"))
    root = _P.manifest(about, _P.organizations(), _P.resources(*resources), identifier="manifest")
    files["imsmanifest.xml"] = written(_located(root, _PACKAGE))
    return packed(files)
