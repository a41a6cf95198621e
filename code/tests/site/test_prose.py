"""No number in the prose is typed that a computation could have given; `prose` says what counts as one.

A test that finds a number says where. Then compute it in a cell of that section and glue it in; or, if it
is a choice and no result, name it in that section's code; or, if somebody reports it, cite them in the same
sentence.
Only what is none of these goes on the allow-list below, with its reason.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from harness import REPOSITORY, documents
from prose import Number, typed_numbers

EVERYWHERE = "everywhere"
ALLOWED = {
    (EVERYWHERE, "0"): "where counting, a scale or a circle begins",
    (EVERYWHERE, "1"): "the unit: one step, one radian, the radius, the cosine of nothing",
    (EVERYWHERE, "2"): "halves and doubles: d/2, one half",
    (EVERYWHERE, "10000"): "the base of the paper, the subject of the book",
    (EVERYWHERE, "3.1"): "a model is called Llama 3.1",
    ("book/token-208", "47"): "a note is called Token 47",
    ("book/training", "47"): "the chapter's name",
    ("book/rope", "4"): "a model is called Gemma 4",
    ("book/rope", "5"): "a model is called Qwen3.5",
}

TO_DO = """
A number that follows from a computation is computed in a cell of its section and glued: {glue:text}`key`.
A parameter is named in the code of its section, and what somebody reports is cited in the same sentence.
See the docstring of code/tests/support/prose.py; the allow-list is in code/tests/site/test_prose.py."""


def page(name: str) -> str:
    return (REPOSITORY / f"{name}.md").read_text()


def permission(name: str, number: Number, allowed: dict) -> tuple[str, str] | None:
    """The entry of an allow-list that covers a number on a page."""
    entries = (entry for entry in allowed if entry[0] in (EVERYWHERE, name))
    return next((entry for entry in entries if Decimal(entry[1]) in number.values), None)


def unused(allowed: dict) -> set[tuple[str, str]]:
    """The entries of an allow-list that no page needs."""
    found = [(name, number) for name in documents() for number in typed_numbers(page(name))]
    return allowed.keys() - {permission(name, number, allowed) for name, number in found}


@pytest.mark.parametrize("name", documents())
def test_nothing_is_named_by_a_color_that_the_theme_changes(name):
    """What is drawn in the color of the text is black on a light page alone; also captions and alt texts."""
    assert not re.findall(r".*\b[Bb]lack\b(?! box| hole|-forest).*", page(name))


@pytest.mark.parametrize("name", documents())
def test_no_number_is_typed(name):
    left = [number for number in typed_numbers(page(name)) if not permission(name, number, ALLOWED)]
    if left:
        lines = [
            f"{name}.md:{number.line}: {number.text} is typed, in “{number.sentence}”" for number in left
        ]
        pytest.fail("\n".join(lines) + TO_DO, pytrace=False)


def test_allow_list_is_short_and_needed():
    assert len(ALLOWED) <= 25
    assert not unused(ALLOWED), "these entries are stale: no page has such a number any more"


def test_stale_entry_is_found():
    stale = {(EVERYWHERE, "4711"): "no page has it", ("book/glossary", "4.0"): "another page has it"}
    assert unused(ALLOWED | stale) == stale.keys()


# A text that has a place of every kind, and the places: after the first match of an expression. It is no
# chapter of the book, so that whoever rewrites one breaks nothing here.
EXAMPLE = Path(__file__).with_name("prose_example.md").read_text(encoding="utf-8")
SECTION = r"^## Summary\n\n"
SOLUTION = r"^````\{solution-start\}.*\n:class: dropdown\n````\n"
EXERCISE = r"^```\{exercise\}.*\n:label: .*\n"
THEOREM = r"^````\{prf:theorem\}.*\n:label: .*\n\n"
PROOF = r"^````\{prf:proof\}\n"
CAPTION = r"^ +caption: \""
LONG_CAPTION = r"^ +caption: \|\n"


def cell(code: str) -> str:
    return f"```{{code-cell}} python3\n{code}\n```\n\n"


FOUND = {
    "plain sentence": (SECTION, "It takes 4711 steps.\n\n"),
    "with a comma": (SECTION, "It takes 4,711 steps.\n\n"),
    "per cent": (SECTION, "It is 47.11 % longer.\n\n"),
    "emphasis": (SECTION, "It takes **about 4711** steps.\n\n"),
    "link": (SECTION, "It takes [4711 steps](#fig-steps).\n\n"),
    "heading": (SECTION, "### After 4711 steps\n\n"),
    "formula of a number alone": (SECTION, "It takes $4711$ steps.\n\n"),
    "thousands in a formula": (SECTION, r"It takes $4\,711$ steps." "\n\n"),
    "product of numbers": (SECTION, r"It has $2 \times 4711$ entries." "\n\n"),
    "power of a number": (SECTION, "It has $4711^2$ entries.\n\n"),
    "decimal in a formula": (SECTION, "It is $0.4711 d$ long.\n\n"),
    "approximation": (SECTION, r"So $K \approx 4711$." "\n\n"),
    "approximation of a parameter": (SECTION, r"So $d \approx 4711$." "\n\n"),
    "approximation with a symbol": (SECTION, r"So $K \approx 4711 d$." "\n\n"),
    "equality": (SECTION, r"So $\lambda_{10} = 4711$." "\n\n"),
    "list": (SECTION, "- It takes 4711 steps.\n"),
    "admonition": (SECTION, ":::{note}\nIt takes 4711 steps.\n:::\n\n"),
    "admonition's title": (SECTION, ":::{admonition} After 4711 steps\nNothing.\n:::\n\n"),
    "second line": (SECTION, "It takes a while.\nIt takes 4711 steps.\n\n"),
    "admonition in one": (
        SECTION,
        "````{note}\n:class: tip\n\n```{tip}\nIt takes 4711 steps.\n```\n````\n\n",
    ),
    "table, first column": (SECTION, "| width | steps |\n|:--|:--|\n| 4711 | many |\n\n"),
    "table, second column": (SECTION, "| width | steps |\n|:--|:--|\n| some | 4711 |\n\n"),
    "solution": (SOLUTION, "It takes $4711$ steps.\n"),
    "proof": (PROOF, "It takes 4711 steps.\n"),
    "caption": (CAPTION, "After 4711 steps. "),
    "caption of several lines": (LONG_CAPTION, "      After 4711 steps.\n"),
    "beside a quotation": (SECTION, 'It takes 4711 steps, and not "a few steps".\n\n'),
    "beside a cited sentence": (
        SECTION,
        "So it is reported {cite}`elman1990finding`. It takes 4711 steps.\n\n",
    ),
    "glued elsewhere": (SECTION, "It takes {glue:text}`steps` or 4711 steps.\n\n"),
    "literal of another section": (SECTION, f"It takes 4711 steps.\n\n## Next\n\n{cell('steps = 4711')}"),
    "format": (SECTION, "It takes 4711 steps.\n\n" + cell('f"{1:.4711f}"')),
    "text in code": (SECTION, "It takes 4711 steps.\n\n" + cell('steps = "4711"')),
}
PASSED_OVER = {
    "front matter": (r"\A---\n", "steps: 4711\n"),
    "code": (SECTION, cell("steps = 4711")),
    "code that does not run": (SECTION, "```python\nsteps = 4711\n```\n\n"),
    "inline code": (SECTION, "It takes `4711` steps.\n\n"),
    "role": (SECTION, "It takes {glue:text}`steps-4711` steps, see {numref}`fig-4711`.\n\n"),
    "displayed formula": (SECTION, "It is\n\n$$\nK = 0.4711\n$$ (eq-steps)\n\n"),
    "aligned formula": (SECTION, "\\begin{align}\nK = 0.4711\n\\end{align}\n\n"),
    "definition": (SECTION, "Let $d = 4711$.\n\n"),
    "definition of two": (SECTION, "Let $n, d = 4711$.\n\n"),
    "formula": (SECTION, r"It has $d/4711$ or $4711\pi$ or $b^{4711}$ entries." "\n\n"),
    "exercise": (EXERCISE, "How long do 4711 steps take?\n"),
    "theorem": (THEOREM, "It takes 4711 steps.\n"),
    "cited sentence": (SECTION, "It is reported that it takes 4711 steps {cite}`elman1990finding`.\n\n"),
    "quotation": (SECTION, 'They say "it takes $4711$ steps".\n\n'),
    "name": (SECTION, "The models T4711, GPT-4711 and float4711.\n\n"),
    "literal of the section": (SECTION, "It takes $4711$ steps.\n\n" + cell("steps = 4_711")),
    "share": (SECTION, "It is 47.11 % longer.\n\n" + cell(":tags: [remove-cell]\n\nshare = 0.4711")),
    "power": (SECTION, "It takes $10^6$ or $2^{31}$ steps.\n\n" + cell("steps = 1e6, 2**31")),
}


def planted(place: str, text: str) -> tuple[list[str], list[Number]]:
    """The lines of the example with a text planted in it, and the numbers that it adds."""
    after, count = re.subn(place, lambda match: match[0] + text, EXAMPLE, count=1, flags=re.MULTILINE)
    assert count, "the example has no such place any more"
    return after.splitlines(), typed_numbers(after)


def test_the_example_has_no_number():
    assert not typed_numbers(EXAMPLE)


@pytest.mark.parametrize(("place", "text"), FOUND.values(), ids=FOUND)
def test_planted_number_is_found(place, text):
    lines, numbers = planted(place, text)
    (number,) = [number for number in numbers if number.text != "2"]
    assert re.sub(r"\D", "", number.text).lstrip("0").startswith("4711")
    assert number.text in lines[number.line - 1]


@pytest.mark.parametrize(("place", "text"), PASSED_OVER.values(), ids=PASSED_OVER)
def test_other_numbers_are_passed_over(place, text):
    _, numbers = planted(place, text)
    assert not numbers
