"""The questions of a course, of a JSON file and of the quick checks of the site's pages; and its quizzes."""

from __future__ import annotations

import copy
import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from lxml.html import HtmlElement, fragment_fromstring, tostring

from bookext import pages
from bookext.finish.passages import plain
from bookext.formats.articles import text_of
from bookext.sphinx import quiz

#: What a text keeps; what else there is loses its tag, and its text stays.
_KEPT = {"p", "em", "strong", "code", "pre", "ul", "ol", "li", "sub", "sup", "br"}
#: What stands in a text by itself.
_BLOCKS = {"p", "pre", "ul", "ol"}
#: A place of the book that is called by its number: "(3.1)", "Remark 9.1"; and what holds a title instead.
_NUMBERED = re.compile(r"\(\d+\.\d+\)|(?:[A-Z]\w+\.? )\d+(?:\.\d+)?")
_TITLED = ".//span[contains(@class, 'std-ref') or @class = 'doc']"
#: What the sets are called.
SETS = {"inventory": "Concept inventory", "checks": "Quick checks", "recall": "Recall"}


@dataclass(frozen=True)
class Option:
    """An answer that can be chosen; texts are XHTML, formulas in them TeX between ``\\(`` and ``\\)``."""  # noqa: D301

    text: str
    right: bool
    #: What is said to who chose it.
    why: str = ""
    #: Of a wrong one that was published: where, as `claim`, `verdict`, `source` and `at`.
    published: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """A question; `kind` is choice, number, words or open, and `set` the one that it is in."""

    id: str
    set: str
    kind: str
    #: Blocks of XHTML.
    stem: str
    options: tuple[Option, ...] = ()
    #: A line, and blocks.
    answer: str = ""
    why: str = ""
    #: Of a number: what it is, and by which fraction of itself an answer may be off.
    value: float = 0.0
    within: float = 0.0
    #: Any of these is right; a star stands for any letters, and the first has none.
    words: tuple[str, ...] = ()
    #: Whether its options have an order of their own, in which they stay.
    ordered: bool = False
    #: The page that it belongs to: "order".
    chapter: str = ""

    @property
    def lettered(self) -> dict[str, Option]:
        """Its options, each by its letter."""
        return dict(zip(ascii_uppercase, self.options, strict=False))

    def said(self, option: Option) -> str:
        """What is said to who chose an option: blocks that begin with the verdict.

        >>> Question("a", "inventory", "choice", "", why="<p>So.</p>").said(Option("yes", right=True))
        '<p><strong>Right.</strong> So.</p>'
        """
        return option.why or judged(self.why, right=option.right)

    @property
    def typed(self) -> tuple[str, ...]:
        """Its words as they may be typed: the page ignores a full stop, and the kind of apostrophe.

        >>> Question("a", "recall", "words", "", words=("no", "it can't", "no, *")).typed
        ('no', 'no.', "it can't", "it can't.", 'it can’t', 'it can’t.', 'no, *')
        """
        kinds = [kind for word in self.words for kind in dict.fromkeys((word, word.replace("'", "’")))]
        return tuple(way for kind in kinds for way in ((kind,) if kind.endswith("*") else (kind, f"{kind}.")))

    @property
    def shown(self) -> str:
        """Of a question without options: the answer as a sentence, and why."""
        return f"<p>{sentence(self.answer)}</p>{self.why}"

    @property
    def name(self) -> str:
        """A name in all sets, which XML allows for an identifier.

        >>> Question("a.b c", "recall", "open", "").name
        'recall-a-b-c'
        """
        return re.sub(r"[^\w-]", "-", f"{self.set}-{self.id}")

    @property
    def title(self) -> str:
        r"""The beginning of what is asked, without marks: what lists show.

        >>> Question("a", "recall", "open", r"<p>Is <em>it</em> \(x\)?</p>").title
        'Is it x?'
        """
        said = text_of(fragment_fromstring(f"<div>{self.stem}</div>"))
        text = re.sub(r"\\\(.+?\\\)|\\\[.+?\\\]", lambda formula: plain(formula[0]), said)
        return text if len(text) <= 70 else f"{text[:70].rsplit(' ', 1)[0]} …"


def judged(blocks: str, *, right: bool) -> str:
    """What is said of an answer, with the verdict before it, as a quick check has it.

    >>> judged("<p>So.</p>", right=False), judged("", right=True)
    ('<p><strong>Not quite.</strong> So.</p>', '<p><strong>Right.</strong></p>')
    """
    verdict = f"<p><strong>{quiz.VERDICTS[right]}</strong>"
    return f"{verdict} {blocks[3:]}" if blocks.startswith("<p>") else f"{verdict}</p>{blocks}"


def sentence(line: str) -> str:
    r"""A line with a full stop at its end, if it ends in no mark of its own.

    >>> [sentence(line) for line in ("No.", "<em>No.</em>", r"\(b\)", "“Why?”", "16 (four)")]
    ['No.', '<em>No.</em>', '\\(b\\).', '“Why?”', '16 (four).']
    """
    ends = re.sub(r"<[^>]+>", "", line).rstrip("”’ ").endswith((".", "?", "!", "…"))
    return line if ends else f"{line}."


def _place(link: HtmlElement) -> None:
    """Say of a link to a place of the book that it is one, where it will be none."""
    text = text_of(link)
    if _NUMBERED.fullmatch(text):
        said = f"{text} in the book"
    elif link.xpath(_TITLED) and "references.html" not in link.get("href", ""):
        said = f"“{text.strip('“”')}” in the book"
    else:
        return
    for child in list(link):
        link.remove(child)
    link.text = said


def xhtml(element: HtmlElement) -> str:
    r"""What is in an element, as XHTML of few tags, formulas as TeX, and places of the book told as such.

    >>> formula = '<math data-tex="x&lt;1"><mi>x</mi></math>'
    >>> xhtml(fragment_fromstring(f"<div>Is <b><i>a</i></b><br>{formula} so?</div>"))
    'Is a<br/>\\(x&lt;1\\) so?'
    >>> xhtml(fragment_fromstring('<p>By <a class="reference internal" href="#x">Remark 9.1</a>.</p>'))
    'By Remark 9.1 in the book.'
    """
    made = copy.deepcopy(element)
    for link in made.xpath(".//a[contains(@class, 'internal')]"):
        _place(link)
    for formula in made.xpath(".//math[@data-tex]"):
        marks = r"\[{}\]" if formula.get("display") == "block" else r"\({}\)"
        formula.addprevious(
            fragment_fromstring(f"<span>{html.escape(marks.format(formula.get('data-tex')))}</span>")
        )
        formula.drop_tree()
    for one in list(made.iterdescendants()):
        if not isinstance(one.tag, str) or one.tag in ("button", "script", "svg", "img"):
            one.drop_tree()
        elif one.tag not in _KEPT:
            one.drop_tag()
        else:
            one.attrib.clear()
    text = html.escape(made.text or "", quote=False)
    text += "".join(tostring(child, encoding="unicode", method="xml") for child in made)
    return re.sub(r"\s*\n\s*", " ", text).strip() if "<pre" not in text else text.strip()


def blocks_of(text: str) -> str:
    """A text as blocks: a paragraph, unless it has some."""
    return text if re.match(rf"<({'|'.join(_BLOCKS)})\b", text) else f"<p>{text}</p>"


def quick_check(group: HtmlElement, page: str, number: int) -> Question:
    """A quick check of a finished page as a question; `number` counts those of the page from 1."""
    legend = group.find("legend")
    more = [one for one in group if one is not legend and "data-quiz-option" not in one.attrib]
    stem = f"<p>{xhtml(legend)}</p>" + "".join(blocks_of(xhtml(one)) for one in more)
    options = []
    for option in group.xpath(".//*[@data-quiz-option]"):
        [choice] = option.xpath(".//*[@data-quiz-choice]")
        [told] = option.xpath(".//*[@data-quiz-feedback]")
        options.append(Option(xhtml(choice), "data-right" in option.attrib, blocks_of(xhtml(told))))
    return Question(
        *(f"{page}-{number}", "checks", "choice", stem, tuple(options)),
        chapter=page,
        ordered=quiz.is_ordered(group),
    )


def of_site(site: Path, names: Iterable[str]) -> list[Question]:
    """The quick checks of the documents `names`, in their order."""
    found = []
    for name in names:
        page = pages.read((site / f"{name}.html").read_bytes())
        short = name.rpartition("/")[2]
        groups = quiz.groups(page)
        found += [quick_check(group, short, number) for number, group in enumerate(groups, 1)]
    return found


def of_data(entries: Iterable[dict[str, Any]]) -> list[Question]:
    """Questions of a JSON file, whose texts are lines of HTML.

    >>> [made] = of_data([{"id": "a", "set": "recall", "kind": "open", "stem": "So?", "why": "It is."}])
    >>> made.stem, made.why
    ('<p>So?</p>', '<p>It is.</p>')
    """
    made = []
    for entry in entries:
        known = dict(entry)
        for name in ("stem", "why"):
            known[name] = blocks_of(known[name])
        known["options"] = tuple(Option(**option) for option in known.get("options", []))
        known["words"] = tuple(known.get("words", []))
        made.append(Question(**known))
    return made


@dataclass(frozen=True)
class Quiz:
    """Questions that are asked together."""

    name: str
    title: str
    questions: tuple[Question, ...]


def group(questions: Iterable[Question], titles: Mapping[str, str]) -> list[Quiz]:
    """Questions as quizzes, in their order; `titles` are those of the chapters.

    >>> asked = [Question("a", "recall", "open", "", chapter="order"), Question("b", "inventory", "open", "")]
    >>> [(quiz.name, quiz.title) for quiz in group(asked, {"order": "Order"})]
    [('recall-order', 'Recall: Order'), ('inventory', 'Concept inventory')]
    """
    found: dict[tuple[str, str], list[Question]] = {}
    for one in questions:
        found.setdefault((one.set, one.chapter), []).append(one)
    return [
        Quiz(
            f"{kind}-{chapter}" if chapter else kind,
            f"{SETS[kind]}: {titles[chapter]}" if chapter else SETS[kind],
            tuple(those),
        )
        for (kind, chapter), those in found.items()
    ]
