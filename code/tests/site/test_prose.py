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
from book_source import text_of
from harness import REPOSITORY, documents
from prose import Number, typed_numbers

from bookext.data_files import read_yaml

EVERYWHERE = "everywhere"
ALLOWED = {
    (EVERYWHERE, "0"): "where counting, a scale or a circle begins",
    (EVERYWHERE, "1"): "the unit: one step, one radian, the radius, the cosine of nothing",
    (EVERYWHERE, "2"): "halves and doubles: d/2, one half",
    (EVERYWHERE, "10000"): "the base of the paper, the subject of the book",
    (EVERYWHERE, "3.1"): "a model is called Llama 3.1",
    ("book/training", "47"): "the chapter's name",
    ("book/rope", "4"): "a model is called Gemma 4",
    ("book/rope", "5"): "a model is called Qwen3.5",
}

TO_DO = """
A number that follows from a computation is computed in a cell of its section and glued: {glue:text}`key`.
A parameter is named in the code of its section, and what somebody reports is cited in the same sentence.
See the docstring of code/tests/support/prose.py; the allow-list is in code/tests/site/test_prose.py."""


def permission(name: str, number: Number, allowed: dict) -> tuple[str, str] | None:
    """The entry of an allow-list that covers a number on a page."""
    entries = (entry for entry in allowed if entry[0] in (EVERYWHERE, name))
    return next((entry for entry in entries if Decimal(entry[1]) in number.values), None)


def unused(allowed: dict) -> set[tuple[str, str]]:
    """The entries of an allow-list that no page needs."""
    found = [(name, number) for name in documents() for number in typed_numbers(text_of(name))]
    return allowed.keys() - {permission(name, number, allowed) for name, number in found}


@pytest.mark.parametrize("name", documents())
def test_nothing_is_named_by_a_color_that_the_theme_changes(name):
    """What is drawn in the color of the text is black on a light page alone; also captions and alt texts."""
    assert not re.findall(r".*\b[Bb]lack\b(?! box| hole|-forest).*", text_of(name))


@pytest.mark.parametrize("name", documents())
def test_no_number_is_typed(name):
    left = [number for number in typed_numbers(text_of(name)) if not permission(name, number, ALLOWED)]
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
PLACES = {
    "front matter": r"\A---\n",
    "section": r"^## Summary\n\n",
    "solution": r"^````\{solution-start\}.*\n:class: dropdown\n````\n",
    "exercise": r"^```\{exercise\}.*\n:label: .*\n",
    "theorem": r"^````\{prf:theorem\}.*\n:label: .*\n\n",
    "proof": r"^````\{prf:proof\}\n",
    "caption": r"^ +caption: \"",
    "long caption": r"^ +caption: \|\n",
}
PLANTED = read_yaml(REPOSITORY / "code/tests/data/planted_numbers.yml")
FOUND, PASSED_OVER = PLANTED["found"], PLANTED["passed over"]


def planted(place: str, text: str) -> tuple[list[str], list[Number]]:
    """The lines of the example with a text planted in it, and the numbers that it adds."""
    after, count = re.subn(PLACES[place], lambda match: match[0] + text, EXAMPLE, count=1, flags=re.MULTILINE)
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
