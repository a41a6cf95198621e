"""How the book spells: in US English, with one separator of thousands and one sign for hundredths."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from harness import REPOSITORY

CODE = REPOSITORY / "code"
PAGES = sorted((REPOSITORY / "book").glob("*.md"))
#: Whose texts a reader sees: docstrings of the package are on its page, the others' are not.
MODULES = sorted(
    path for path in (CODE / "wavebook").rglob("*.py") if not {"experiments", "tests"} & set(path.parts)
)
PACKAGE = sorted((CODE / "posenc").glob("*.py"))

CELL = re.compile(r"^`{3,}\{code-cell\}[^\n]*\n(?:---\n(.*?)^---\n)?.*?^`{3,}$", re.MULTILINE | re.DOTALL)
HIDDEN = re.compile(
    r"\A---\n.*?\n---\n|^```(?:python|bash)\n.*?^```$|`[^`\n]+`|\]\([^)]*\)|<[^>\n]*>",
    re.MULTILINE | re.DOTALL,
)

BRITISH = re.compile(
    r"\b(?:colour\w*|behaviour\w*|neighbour\w*|favour\w*|cent(?:re|red|res)|grey\w*"
    r"|\w+(?:normal|general|optim|initial|recogn|summar|visual|organ|memor|penal)is(?:e|es|ed|ing|ation)\b"
    r"|(?:normal|general|optim|initial|recogn|summar|visual|organ|memor|penal)is(?:e|es|ed|ing|ation)"
    r"|analys(?:e|es|ed|ing)|labell\w+|modell\w+|travell\w+|cancell(?:ed|ing)|towards|afterwards|licence|whilst"
    r"|learnt|metres?|defence)\b"
)
THOUSANDS = re.compile(
    r"\d\\,\d{3}|(?<!\^)\d[\u2009\u202f\u00a0 ]\d{3}(?![\d-])|(?<![\d.,/#^{\w-])\d{5,}(?![\d\w])"
)
PER_CENT = re.compile(r"\bper ?cent\b", re.IGNORECASE)


def prose(text: str) -> str:
    """The text of a page, with what its cells say of their pictures, and without programs."""
    return HIDDEN.sub("\ufffc", CELL.sub(lambda cell: cell[1] or "", text))


def texts(path: Path) -> list[str]:
    """The strings of a module that are no docstrings, f-strings in one piece with a gap for each value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    skipped = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            found.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            found.append(node.value)
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_spelled_in_one_way(path):
    text = prose(path.read_text(encoding="utf-8"))
    for wrong in (BRITISH, PER_CENT):
        assert not (match := wrong.search(text)), f"{path.name}: {match[0]}"
    numbers = [match[0] for match in THOUSANDS.finditer(text) if match[0] not in QUOTED]
    assert not numbers, f"{path.name}: {numbers}"


#: As the paper and others write it, in a formula or a sentence that quotes them.
QUOTED = {"10000"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_a_figure_or_a_question_says_is_spelled_in_one_way(path):
    for text in texts(path):
        for wrong in (BRITISH, PER_CENT):
            assert not (match := wrong.search(text)), f"{path.name}: {match[0]}: {text}"


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: path.stem)
def test_the_package_is_spelled_in_one_way(path):
    text = path.read_text(encoding="utf-8")
    assert not (match := BRITISH.search(text)), match[0]
