"""Quick checks: ``{quiz}``, a question with options, of which one is right and each has its feedback.

The body is standard Markdown, so that a notebook that does not know the directive shows it well::

    :::{quiz}
    What does $T(k)$ depend on?

    - [ ] On $p$
      - It does not occur in any entry of the matrix.
    - [x] On $k$ alone
      - The same matrix takes you on by $k$ from wherever you are.
    :::

Options that have an order of their own, as numbers have, are a numbered list: ``1. [ ] 64``. Who asks the
question elsewhere may put the others into any order.

On the page the options are radio buttons, and the style sheet shows the feedback of the one that is chosen:
no script is needed, and on paper all of it stands there, as the key to the answers.

Everything about quizzes is here: the directive, the page's HTML, and what is made of that HTML for Markdown,
for paper and for e-readers. Other modules ask `groups` and `is_quiz`; parts are known by attributes,
``data-quiz`` and ``data-quiz-...``, and classes are for style sheets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_uppercase
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from lxml import etree
from lxml.html import HtmlElement
from sphinx.application import Sphinx

from bookext.sphinx.html import end

#: What the feedback begins with: color alone would not tell everybody.
VERDICTS = {True: "Right.", False: "Not quite."}

_BOX = re.compile(r"\[([ xX])\]\s+")
_SHAPE = (
    "a quiz is a question and then a list: '- [ ] option' or '- [x] the right option' (or '1. [ ] option', "
    "for options in an order of their own), with the feedback in a list below it"
)


class quiz(nodes.General, nodes.Element):  # docutils names nodes like this
    """A question, perhaps more blocks that belong to it, and options; `ordered` if they keep their order."""


class quiz_question(nodes.General, nodes.TextElement):
    """The question: the legend of the group."""


class quiz_option(nodes.General, nodes.Element):
    """A choice and its feedback; `right` says whether it is the right one."""


class quiz_choice(nodes.General, nodes.TextElement):
    """What is chosen: the label of a radio button, the `number`-th (from 0) of a `group`."""


class quiz_feedback(nodes.General, nodes.Element):
    """What the reader is told who has chosen the option."""


class Quiz(Directive):
    """The directive ``{quiz}``."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Turn the question and the list of options into a group of radio buttons."""
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        blocks = body.children
        if not (
            len(blocks) >= 2
            and isinstance(blocks[0], nodes.paragraph)
            and isinstance(blocks[-1], nodes.bullet_list | nodes.enumerated_list)
        ):
            raise self.error(_SHAPE)
        question, *more, items = blocks
        group = quiz(classes=["quiz"], ordered=isinstance(items, nodes.enumerated_list))
        group.source, group.line = self.state_machine.get_source_and_line(self.lineno)
        name = f"quiz-{self.state.document.set_id(group)}"
        options = [self._option(item, name, number) for number, item in enumerate(items.children)]
        right = sum(option["right"] for option in options)
        if right != 1:
            raise self.error(f"of the options of a quiz exactly one is right ([x]), and here {right} are")
        group += [quiz_question("", "", *question.children), *more, *options]
        return [group]

    def _option(self, item: nodes.Node, group: str, number: int) -> quiz_option:
        """One option, from an item of the list."""
        first, *told = item.children
        start = first.children[0] if isinstance(first, nodes.paragraph) else None
        box = _BOX.match(start.astext()) if isinstance(start, nodes.Text) else None
        if not box or not isinstance(first, nodes.paragraph):
            raise self.error(f"{item.astext().partition(chr(10))[0]!r} has no box: {_SHAPE}")
        right = box[1] != " "
        first[0] = nodes.Text(str(start)[box.end() :])
        if len(told) != 1 or not isinstance(told[0], nodes.bullet_list) or not told[0].astext().strip():
            raise self.error(f"the option {first.astext()!r} has no feedback: {_SHAPE}")
        blocks = [block for point in told[0].children for block in point.children]
        if not isinstance(blocks[0], nodes.paragraph):
            raise self.error(f"the feedback of the option {first.astext()!r} begins with a sentence")
        blocks[0].insert(0, [nodes.strong("", VERDICTS[right]), nodes.Text(" ")])
        choice = quiz_choice("", "", *first.children, group=group, number=number)
        return quiz_option("", choice, quiz_feedback("", *blocks), right=right)


# ---- HTML: what a page has ----


def _begin(tag: str, **attributes: str) -> Any:
    """What writes a tag, with attributes that are always the same."""

    def visit(self: Any, node: nodes.Element) -> None:
        self.body.append(self.starttag(node, tag, "", **attributes))

    return visit


def _visit_quiz(self: Any, node: nodes.Element) -> None:
    ordered = {"data-quiz-ordered": ""} if node["ordered"] else {}
    self.body.append(self.starttag(node, "fieldset", "", **{"data-quiz": ""}, **ordered))


def _visit_option(self: Any, node: nodes.Element) -> None:
    right = {"data-right": ""} if node["right"] else {}
    self.body.append(self.starttag(node, "div", "", CLASS="quiz-option", **{"data-quiz-option": ""}, **right))


def _visit_choice(self: Any, node: nodes.Element) -> None:
    # The letter is what a class can say, and what names an option that is a formula alone.
    letter = ascii_uppercase[node["number"]]
    self.body.append(
        f'<label><input type="radio" name="{node["group"]}"/>'
        f'<span class="quiz-letter" data-quiz-letter="">{letter}</span><span data-quiz-choice="">'
    )


# ---- what is made of a page's HTML ----


def is_quiz(element: HtmlElement) -> bool:
    """Whether an element of a page is a quiz."""
    return "data-quiz" in element.attrib


def is_ordered(group: HtmlElement) -> bool:
    """Whether the options of a quiz have an order of their own."""
    return "data-quiz-ordered" in group.attrib


def groups(root: HtmlElement) -> list[HtmlElement]:
    """The quizzes within an element."""
    found: list[HtmlElement] = root.xpath(".//*[@data-quiz]")
    return found


def _parts(element: HtmlElement, name: str) -> list[HtmlElement]:
    found: list[HtmlElement] = element.xpath(f".//*[@data-quiz-{name}]")
    return found


def markdown(
    group: HtmlElement, inline: Callable[[HtmlElement], str], blocks: Callable[[list[HtmlElement]], str]
) -> tuple[list[str], str]:
    """A quiz of a finished page as Markdown: the question, what belongs to it and the options; the answers.

    Running text is written as Markdown by `inline`, and blocks by `blocks`.

    >>> from lxml.html import fragment_fromstring
    >>> page = '<fieldset data-quiz=""><legend>So?</legend><div data-quiz-option=""><label>'
    >>> page += '<b data-quiz-letter="">A</b> <i data-quiz-choice="">yes</i></label>'
    >>> page += '<div data-quiz-feedback=""><p>Right.</p></div></div></fieldset>'
    >>> def text(elements):
    ...     return "".join(element.text_content() for element in elements)
    >>> markdown(fragment_fromstring(page), lambda element: element.text_content(), text)
    (['**Quick check.** So?', '- A: yes'], '- A: Right.')
    """
    legend = group.find("legend")
    question = inline(legend) if legend is not None else ""
    more = blocks([one for one in group if one is not legend and "data-quiz-option" not in one.attrib])
    choices, answers = [], []
    for option in _parts(group, "option"):
        letter = _parts(option, "letter")[0].text_content()
        choices.append(f"- {letter}: {inline(_parts(option, 'choice')[0])}")
        told = blocks(_parts(option, "feedback"))
        answers.append(f"- {letter}: " + told.replace("\n", "\n  "))
    before = [f"**Quick check.** {question}", more, "\n".join(choices)]
    return [text for text in before if text], "\n".join(answers)


def take_answer(group: HtmlElement, answer: HtmlElement) -> None:
    """For paper: put what is said of the right option into an element `answer`, and drop what all others say.

    >>> from lxml.html import fragment_fromstring, tostring
    >>> page = fragment_fromstring(
    ...     '<fieldset data-quiz=""><div data-quiz-option="" data-right=""><b data-quiz-letter="">A</b>'
    ...     '<div role="status"><i data-quiz-feedback="">Yes.</i></div></div></fieldset>')
    >>> item = fragment_fromstring("<li></li>")
    >>> take_answer(page, item)
    >>> print(tostring(item, encoding="unicode"), page.text_content())
    <li><span class="paper-letter">A</span><i data-quiz-feedback="">Yes.</i></li> A
    """
    for option in _parts(group, "option"):
        feedback = _parts(option, "feedback")
        if option.attrib.pop("data-right", None) is not None and feedback:
            letter = etree.SubElement(answer, "span", {"class": "paper-letter"})
            letter.text = "".join(text for one in _parts(option, "letter") for text in one.itertext())
            answer.append(feedback[0])
        for status in option.xpath("./div[@role='status']"):
            option.remove(status)


def without_controls(group: HtmlElement, number: int, answer: HtmlElement) -> None:
    """For e-readers: a quiz with its number, by which it leads to its `answer`, and with nothing to press.

    >>> from lxml.html import fragment_fromstring, tostring
    >>> page = fragment_fromstring('<fieldset data-quiz="" id="q"><legend>So?</legend></fieldset>')
    >>> item = fragment_fromstring("<li>Yes.</li>")
    >>> without_controls(page, 1, item)
    >>> print(tostring(page, encoding="unicode"))
    <div data-quiz="" id="q"><p class="quiz-question"><a href="#q-answer">Quick check 1.</a> So?</p></div>
    >>> item.get("id")
    'q-answer'
    """
    group.tag = "div"
    answer.set("id", f"{group.get('id')}-answer")
    for question in group.findall("legend"):
        question.tag = "p"
        question.set("class", "quiz-question")
        link = etree.Element("a", {"href": f"#{answer.get('id')}"})
        link.text, link.tail, question.text = f"Quick check {number}.", f" {question.text or ''}", None
        question.insert(0, link)
    for label in list(group.iter("label")):
        label.tag = "p"
    for letter in _parts(group, "letter"):
        letter.tail = f" {letter.tail or ''}"


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(quiz, html=(_visit_quiz, end("</fieldset>\n")))
    app.add_node(quiz_question, html=(_begin("legend"), end("</legend>\n")))
    app.add_node(quiz_option, html=(_visit_option, end("</div>\n")))
    app.add_node(quiz_choice, html=(_visit_choice, end("</span></label>\n")))
    # The status is there before it has anything to say, so that what appears in it is read out.
    feedback = '<div role="status"><div class="quiz-feedback" data-quiz-feedback="">'
    app.add_node(quiz_feedback, html=(end(feedback), end("</div></div>\n")))
    app.add_directive("quiz", Quiz)
