"""Quick checks: what the directive makes of its text, and each one on the site, with and without a script."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from book_source import text_of
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import directives
from harness import documents, visible
from myst_parser.docutils_ import Parser
from playwright.sync_api import ElementHandle, Page, expect

from bookext.sphinx import quiz

QUIZ = r"""
:::{quiz}
Which matrix takes $p$ to $p + k$?

$$
a = b
$$

- [ ] $M$ of [the text](https://example.org)
  - It knows *nothing* of $k$.
- [x] $T(k)$
  - The same for every $p$.

    And a second paragraph.
:::
"""


def read(text: str) -> tuple[nodes.document, str]:
    """A text as the book's parser reads it, and what it complains of."""
    directives.register_directive("quiz", quiz.Quiz)
    complaints = StringIO()
    settings = {
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "warning_stream": complaints,
        "halt_level": 5,
    }
    return publish_doctree(text, parser=Parser(), settings_overrides=settings), complaints.getvalue()


def test_a_quiz_is_a_question_and_options():
    document, complaints = read(QUIZ)
    assert not complaints
    (group,) = document.findall(quiz.quiz)
    question, formula, *options = group.children
    assert question.astext() == "Which matrix takes p to p + k?"
    assert isinstance(formula, nodes.math_block)
    assert [option["right"] for option in options] == [False, True]
    choices, feedback = zip(*(option.children for option in options), strict=True)
    assert [choice.astext() for choice in choices] == ["M of the text", "T(k)"]
    assert [len(list(choice.findall(nodes.math))) for choice in choices] == [1, 1]
    assert len(list(choices[0].findall(nodes.reference))) == 1
    assert [told.astext() for told in feedback] == [
        "Not quite. It knows nothing of k.",
        "Right. The same for every p.\n\nAnd a second paragraph.",
    ]


def test_a_numbered_list_keeps_its_order():
    numbered = re.sub(r"(?m)^- ", "1. ", QUIZ).replace("\n  - ", "\n   - ").replace("\n    And", "\n     And")
    for text, ordered in ((QUIZ, False), (numbered, True)):
        document, complaints = read(text)
        assert not complaints
        (group,) = document.findall(quiz.quiz)
        assert group["ordered"] == ordered
        assert [option["right"] for option in group.findall(quiz.quiz_option)] == [False, True]


def test_each_quiz_has_a_group_of_its_own():
    document, _ = read(QUIZ + QUIZ)
    groups = [choice["group"] for choice in document.findall(quiz.quiz_choice)]
    assert groups[0] == groups[1] != groups[2] == groups[3]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[x]", "[ ]", r"exactly one is right \(\[x\]\), and here 0 are"),
        ("[ ]", "[x]", r"and here 2 are"),
        ("  - It knows *nothing* of $k$.\n", "", "the option 'M of the text' has no feedback"),
        ("  - It knows *nothing* of $k$.\n", "\n  -\n", "the option 'M of the text' has no feedback"),
        ("[ ] $M$", "$M$", "'M of the text' has no box"),
        ("- [ ]", "1. [ ]", "a quiz is a question and then a list"),
        ("Which matrix takes $p$ to $p + k$?\n", "", "a quiz is a question and then a list"),
    ],
    ids=["none right", "two right", "no feedback", "empty feedback", "no box", "another list", "no question"],
)
def test_a_faulty_quiz_is_refused(old, new, fault):
    assert old in QUIZ
    document, complaints = read(QUIZ.replace(old, new))
    assert not list(document.findall(quiz.quiz))
    assert re.search(fault, complaints), complaints


# ---- On the site ----

QUIZZES = "fieldset[data-quiz]"


# Of each option: whether what is told of it is seen, what that says, and whether it is the right one.
OPTIONS = """(group) => [...group.querySelectorAll('.quiz-option')].map((option) => {
    const [told, ...more] = option.querySelectorAll('.quiz-feedback');
    if (more.length) throw new Error('an option is told twice');
    const seen = told.checkVisibility({visibilityProperty: true}) && told.getClientRects().length > 0;
    return [seen, told.innerText, option.matches('[data-right]')];
})"""


def faults_of_quiz(group: ElementHandle) -> list[str]:
    """What is wrong with a quiz that nobody has answered yet; afterwards nobody has answered it."""
    legend, options = group.query_selector("legend").inner_text().strip(), group.evaluate(OPTIONS)
    faults = [f"{len(options)} options"] * (len(options) < 2) + ["no question"] * (not legend)
    if sum(right for _, _, right in options) != 1:
        faults.append("not one right option")
    faults += ["tells before it is asked"] * any(seen for seen, _, _ in options)
    group.query_selector("[type=radio]").focus()
    keyboard = group.owner_frame().page.keyboard
    for number in range(len(options)):
        keyboard.press("ArrowDown" if number else "Space")
        options = group.evaluate(OPTIONS)
        seen, told, right = options[number]
        if not seen or sum(one for one, _, _ in options) != 1:
            faults.append(f"option {number} shows {[text for one, text, _ in options if one]}")
        elif not told.startswith(quiz.VERDICTS[right]) or len(told.split()) < 5:
            faults.append(f"option {number} is told {told!r}")
    group.evaluate("group => group.querySelectorAll('input').forEach((radio) => { radio.checked = false; })")
    return [f"{legend!r}: {fault}" for fault in faults]


def with_quizzes() -> list[str]:
    """The documents that have a quiz."""
    return [name for name in documents() if "{quiz}" in text_of(name)]


@pytest.mark.over(documents())
def test_each_quiz_answers_to_the_keyboard(light, page_name):
    groups = light.locator(QUIZZES).element_handles()
    assert bool(groups) == (page_name in with_quizzes())
    assert not [fault for group in groups for fault in faults_of_quiz(group)]


def faults_on_paper(page: Page) -> list[str]:
    """What is wrong with the quizzes of a page that is printed: they are a key, which tells all."""
    faults = []
    for group in page.locator(QUIZZES).all():
        if group.locator("xpath=ancestor::*[contains(@class, 'tag-screen')]").count():
            continue  # for the page alone
        legend = group.locator("legend").text_content().strip()
        if not all(visible(group.locator(".quiz-feedback"))):
            faults.append(f"{legend!r}: something that is told is not on paper")
        if any(visible(group.locator("input"))):
            faults.append(f"{legend!r}: a button is on paper")
        marks = group.locator("label").evaluate_all(
            "labels => labels.map((label) => getComputedStyle(label, '::before').content)"
        )
        right = group.locator(".quiz-option").evaluate_all(
            "options => options.map((option) => option.matches('[data-right]'))"
        )
        boxes = ['"\N{BALLOT BOX WITH CHECK}"' if is_right else '"\N{BALLOT BOX}"' for is_right in right]
        if marks != boxes:
            faults.append(f"{legend!r}: has the boxes {marks}, not {boxes}")
    return faults


def test_quizzes_need_no_script_and_no_server(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.file_url("book/two-dimensions"))
    assert page.locator(QUIZZES).count() >= 2
    for group in page.locator(QUIZZES).all():
        for option in group.locator(".quiz-option").all():
            option.locator("label").click()
            expect(option.locator(".quiz-feedback")).to_be_visible()
            expect(group.locator(".quiz-feedback").filter(visible=True)).to_have_count(1)
