"""Quizzes as a package of QTI 2.1: an item for each question, and a test for each quiz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml.html import HtmlElement

from bookext.course.questions import Question, Quiz, judged
from bookext.course.xml import blocks, fill, maker, packed, written

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
_WHERE = {
    QTI: "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd",
    _PACKAGE: "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
}
_Q, _P = maker(QTI, xsi=_SCHEMA), maker(_PACKAGE, xsi=_SCHEMA)
#: What the feedback is called of an answer that is typed, and of an open question's.
_RIGHT, _WRONG, _ANSWER = "RIGHT", "WRONG", "ANSWER"


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
            _Q.mapEntry(mapKey=word, mappedValue="1", caseSensitive="false")
            for word in question.typed
            if "*" not in word
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
        settings = {"shuffle": "false" if question.ordered else "true", "maxChoices": "1"}
        return [_Q.choiceInteraction(*choices, responseIdentifier="RESPONSE", **settings)]
    if question.kind == "open":
        scored_by = _Q.rubricBlock(*blocks(question.shown, QTI), view="scorer")
        return [scored_by, _Q.extendedTextInteraction(responseIdentifier="RESPONSE")]
    return [_Q.p(_Q.textEntryInteraction(responseIdentifier="RESPONSE", expectedLength="20"))]


def _given() -> HtmlElement:
    return _Q.variable(identifier="RESPONSE")


def _pattern(word: str) -> str:
    """A word with stars as a regular expression of XML Schema, in any case.

    >>> _pattern("no, *")
    '[nN][oO],[ ].*'
    """
    return "".join(
        ".*"
        if letter == "*"
        else f"[{letter}{letter.upper()}]"
        if letter.isalpha()
        else f"[{letter}]"
        if letter in " ("
        else letter
        for letter in word.lower()
    )


def _judged(question: Question) -> list[HtmlElement]:
    """How an answer counts, 1 or 0, and what is said of it; by no rule if a person scores it."""

    def told(name: str) -> HtmlElement:
        return _Q.setOutcomeValue(_Q.baseValue(name, baseType="identifier"), identifier="FEEDBACK")

    if question.kind == "open":
        return []
    right = _Q.correct(identifier="RESPONSE")
    if question.kind == "choice":
        test = _Q.match(_given(), right)
    elif question.kind == "number":
        off = f"{100 * question.within:g}"  # in percent
        test = _Q.equal(_given(), right, toleranceMode="relative", tolerance=f"{off} {off}")
    else:
        test = _Q.gt(_Q.mapResponse(identifier="RESPONSE"), _Q.baseValue("0", baseType="float"))
        if wide := [_pattern(word) for word in question.typed if "*" in word]:
            test = _Q("or", test, *(_Q.patternMatch(_given(), pattern=pattern) for pattern in wide))
    score = _Q.setOutcomeValue(_Q.baseValue("1", baseType="float"), identifier="SCORE")
    if question.kind == "choice":
        rules = [
            _Q.responseCondition(_Q.responseIf(test, score)),
            _Q.setOutcomeValue(_given(), identifier="FEEDBACK"),
        ]
    else:
        rules = [
            _Q.responseCondition(_Q.responseIf(test, score, told(_RIGHT)), _Q.responseElse(told(_WRONG)))
        ]
    return [_Q.responseProcessing(*rules)]


def _told(question: Question) -> Iterator[HtmlElement]:
    """What is said after an answer."""
    if question.kind == "choice":
        said = [(letter, question.said(option)) for letter, option in question.lettered.items()]
    elif question.kind == "open":
        said = [(_ANSWER, question.shown)]
    else:
        said = [(name, judged(question.shown, right=name == _RIGHT)) for name in (_RIGHT, _WRONG)]
    for name, text in said:
        yield _Q.modalFeedback(
            *blocks(text, QTI), outcomeIdentifier="FEEDBACK", identifier=name, showHide="show"
        )


def _number(name: str, *value: str, **attributes: str) -> HtmlElement:
    """An outcome, with the `value` that it begins with, if it does."""
    start = [_Q.defaultValue(_Q.value(one)) for one in value]
    return _Q.outcomeDeclaration(
        *start, identifier=name, cardinality="single", baseType="float", **attributes
    )


def item(question: Question) -> HtmlElement:
    """A question as an item.

    >>> made = item(Question("a", "recall", "number", "<p>So?</p>", answer="2", why="<p>So.</p>", value=2))
    >>> [child.get("identifier") for child in made][:4]
    ['RESPONSE', 'SCORE', 'MAXSCORE', 'FEEDBACK']
    """
    # What a person scores has no score before: 0 would say that the answer is wrong.
    score = _number("SCORE", *([] if question.kind == "open" else ["0"]), normalMaximum="1")
    said = _Q.outcomeDeclaration(identifier="FEEDBACK", cardinality="single", baseType="identifier")
    if question.kind == "open":
        said.append(_Q.defaultValue(_Q.value(_ANSWER)))
    body = _Q.itemBody(*blocks(question.stem, QTI), *_asked(question))
    root = _Q.assessmentItem(
        *(
            _declared(question),
            score,
            _number("MAXSCORE", "1"),
            said,
            body,
            *_judged(question),
            *_told(question),
        ),
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
    totals = [
        _Q.setOutcomeValue(_Q.sum(_Q.testVariables(variableIdentifier=name)), identifier=name)
        for name in ("SCORE", "MAXSCORE")
    ]
    return _located(
        _Q.assessmentTest(
            *(_number("SCORE", "0"), _number("MAXSCORE", f"{len(quiz.questions)}")),
            *(part, _Q.outcomeProcessing(*totals)),
            identifier=f"quiz-{quiz.name}",
            title=quiz.title,
        ),
        QTI,
    )


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
