r"""Finds the numbers that somebody typed into the book's prose, where a computation should have put them.

Paragraphs, headings, lists, tables, admonitions, proofs, solutions and the captions of figures are looked at.

**Passed over**, because the number is not ours, or is no result: front matter, code, and what a role inserts;
displayed formulas, the body of an `exercise`, and the statements of theorems and remarks; a sentence with a
citation (a reported result); quotations; and inline formulas with a symbol in them: `$d = 512$`, `$2\pi$`.

**Reported**:

- digits in plain words (`12.3 %`, `1,225`), and formulas of nothing but numbers (`$43$`, `$10\,000$`,
  `$8 \times 8$`);
- in a formula with symbols: every decimal (`$0.41 d$`), what follows an approximation (`$K \approx 5$`), and
  a number alone on the right of a relation (`$\lambda_{10} = 39$`), unless a parameter (a small letter, or
  Delta) is on the left.

**Inputs are no results.** A number that is a literal in a code cell of the same section (the text under one
`##` heading) is a parameter of a computation shown there, and not reported; for `99 %` the literal may be
`0.99`, for `$10^6$` it may be `1e6`. The digits of a format (`f"{x:.3f}"`) are no literals.

Not looked at: number words, alternative texts, raw HTML, digits that belong to a name (`T5`, `GPT-3`,
`float32`), and code that is included from a file. A result behind a parameter (`$d = 24$`) is taken for a
choice: there is no telling them apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache

import book_source
from book_source import INSERTED, flatten
from markdown_it.token import Token

# Directives whose body is no prose of ours. Any other is read: to overlook one would be the worse mistake.
NO_PROSE = re.compile(
    r"code|code-block|source|literalinclude|math|bibliography|image|toctree|raw|exercise|solution-(start|end)"
    r"|prf:(theorem|remark|lemma|corollary|proposition|definition|conjecture|axiom|criterion|property"
    r"|assumption|algorithm)"
)

SENTENCE = re.compile(r"(?:[^\n.?!]|[.?!](?![”)\s]))*[.?!]*[”)]*\s*")  # a line of the source ends one, too
QUOTATION = re.compile("“[^”]*”")
PER_CENT = re.compile(r"\s*(?:%|per ?cent)")
# Either a word, whose digits are part of a name (T5, GPT-3, float32), or a number, which is group 1.
IN_TEXT = re.compile(r"[^\W\d]\w*(?:-\w+)*|((?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)")
IN_FORMULA = re.compile(r"(?:[1-9]\d{0,2}(?:(?:\\,|\{,\}|,)\d{3})+|\d+)(?:\.\d+)?(?:\^(?:\d|\{-?\d+\}))?")

APPROXIMATION = r"\\(?:approx|simeq|sim|lesssim|gtrsim)(?![A-Za-z])"
RELATION = re.compile(rf"{APPROXIMATION}|\\(?:leq?|geq?|lt|gt|neq?|equiv)(?![A-Za-z])|[=<>]")
FIRST = re.compile(rf"(?:[-+\s{{]|\\[,;:! ])*({IN_FORMULA.pattern})")
PARAMETER = re.compile(r"[a-z]|\\Delta")
SHORT_FRACTION = re.compile(r"(?<=frac)(\d)(\d)")  # \frac12 is no twelve
# What sets, joins or compares, and means no quantity. Any other letter is a symbol.
NO_SYMBOL = re.compile(
    rf"\\(?:text|textrm|textit|mbox)\{{[^}}]*\}}|{RELATION.pattern}"
    r"|\\(?:[td]?frac|cdot|times|pm|mp|circ|[lc]?dots|q?quad|left|right|[bB]igg?[lr]?|in|to)(?![A-Za-z])"
)


@dataclass(frozen=True)
class Number:
    """A number in the prose: its line (from one), as written, what it may be in code, and its sentence."""

    line: int
    text: str
    values: frozenset[Decimal]
    sentence: str


@dataclass
class Section:
    """The text under one `##` heading: the numbers of its prose, and the literals of its code."""

    numbers: list[Number] = field(default_factory=list)
    literals: set[Decimal] = field(default_factory=set)


@cache
def typed_numbers(text: str) -> list[Number]:
    """The numbers in a page's prose that are neither passed over nor a literal of their section's code."""
    sections = [Section()]
    for part in book_source.prose(text, NO_PROSE, ("caption",)):
        if isinstance(part, book_source.Run):
            sections[-1].numbers += in_run(part.token, part.line)
        elif isinstance(part, book_source.Directive):
            sections[-1].literals |= literals(part.body)
        elif part.tag == "h2":
            sections.append(Section())
    # A page of answers, which may be put into another order, has its programs before the first of them.
    shared = sections[0].literals if re.search(r"^addresses: labels$", text, re.MULTILINE) else set()
    return [
        number
        for section in sections
        for number in section.numbers
        if not number.values & (section.literals | shared)
    ]


def literals(code: str) -> set[Decimal]:
    """The numbers in code, and powers such as `2**20`. A format (`:.3f`) is a text, not a number."""

    def value(node: ast.AST) -> Decimal | None:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return Decimal(repr(number))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return Decimal(-number)
            case ast.BinOp(left=ast.Constant(value=int()) as base, op=ast.Pow(), right=exponent):
                power = value(exponent)
                return None if power is None else value(base) ** power
        return None

    return {number for node in ast.walk(ast.parse(code)) if (number := value(node)) is not None}


def in_run(token: Token, line: int) -> Iterator[Number]:
    """The numbers in a run of text (a paragraph, a table's cell) that begins on a line (from zero)."""
    text, inserted = flatten(token)
    places = [(match.start(1), match.end(1), match[1]) for match in IN_TEXT.finditer(text) if match[1]]
    places += [
        (place, place + 1, number)
        for place, child in inserted.items()
        if child.type == "math_inline"
        for number in in_formula(child.content)
    ]
    quotations = [match.span() for match in QUOTATION.finditer(text)]
    cited = [place for place, child in inserted.items() if child.meta.get("name", "").startswith("cite")]
    for place, end, number in sorted(places):
        start, stop = next(match.span() for match in SENTENCE.finditer(text) if match.end() > place)
        if any(first <= place < last for first, last in quotations) or any(
            start <= role < stop for role in cited
        ):
            continue
        base, _, exponent = re.sub(r"\\,|[{},]", "", number).partition("^")
        value = Decimal(base) ** int(exponent or 1)
        yield Number(
            line=1 + line + text.count("\n", 0, place),
            text=number,
            values=frozenset({value, value / 100} if PER_CENT.match(text, end) else {value}),
            sentence=" ".join(text[start:stop].replace(INSERTED, "…").split()),
        )


def in_formula(formula: str) -> list[str]:
    """The numbers of an inline formula that are no part of a definition."""
    formula = SHORT_FRACTION.sub(r"{\1}{\2}", formula)
    if not has_symbol(formula):
        return IN_FORMULA.findall(formula)
    sides, relations = RELATION.split(formula), ["", *RELATION.findall(formula)]
    found = []
    for side, relation in zip(sides, relations, strict=True):
        numbers = IN_FORMULA.findall(side)
        alone = relation and not has_symbol(side) and not re.search(r"frac|[/^]", side)
        if alone and not is_parameter(sides[0]):
            found += numbers
        else:
            first = FIRST.match(side) if re.fullmatch(APPROXIMATION, relation) else None
            found += [number for number in numbers if "." in number or (first and number == first[1])]
    return found


def has_symbol(formula: str) -> bool:
    return bool(re.search("[A-Za-z]", NO_SYMBOL.sub(" ", formula)))


def is_parameter(side: str) -> bool:
    """Whether a side names things that an author chooses: one letter, or several with commas between."""
    names = [name for name in re.split(r"[,\s]|\\[ ,]", side) if name]
    return bool(names) and all(map(PARAMETER.fullmatch, names))
