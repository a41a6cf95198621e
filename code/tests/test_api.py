"""The API page as its reader uses it: an example is pasted, with what its section imports, and must work."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import re
from types import ModuleType

import numpy as np
import pytest
from harness import REPOSITORY

PAGE = (REPOSITORY / "book/api.md").read_text(encoding="utf-8")

#: A section's module, and the block above it that says what to import.
SECTION = re.compile(r"^## .*\n((?:(?!^## ).*\n)*?)```\{eval-rst\}\n\.\. automodule:: (\S+)\n", re.MULTILINE)
BLOCK = re.compile(r"^```\{code-block\} python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULES = {module: "".join(BLOCK.findall(above)) for above, module in SECTION.findall(PAGE)}


def documented(module: ModuleType) -> list[str]:
    """The functions and classes of a module that the page shows."""
    return [
        name
        for name, value in vars(module).items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
        and not name.startswith("_")
        and value.__doc__
    ]


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """The examples of each docstring that the page shows, as they are pasted: without the module's names."""
    shown = {module.__name__, *(f"{module.__name__}.{name}" for name in documented(module))}
    found = doctest.DocTestFinder(exclude_empty=True).find(module, globs={})
    return [one for one in found if {one.name, one.name.rpartition(".")[0]} & shown]


@pytest.mark.parametrize("name", MODULES)
def test_each_section_says_what_to_import(name):
    there: dict[str, object] = {}
    exec(MODULES[name], there)
    module = importlib.import_module(name)
    left = [one for one in documented(module) if ">>>" in vars(module)[one].__doc__ and one not in there]
    assert not left, f"book/api.md: the block that imports from {name} lacks {', '.join(left)}"


@pytest.mark.parametrize("name", MODULES)
def test_an_example_can_be_pasted(name):
    for test in examples(importlib.import_module(name)):
        test.globs = {"np": np}
        exec(MODULES[name], test.globs)
        said = io.StringIO()
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.write)
        assert not said.getvalue(), f"{said.getvalue()}\nbook/api.md: what does its section import?"


def test_a_work_is_named_by_the_year_that_the_list_has():
    entries = re.findall(
        r"^@\w+\{\w+,\n\s*author\s*=\s*\{(.*)\},\n((?s:.*?))\n\}",
        (REPOSITORY / "book/references.bib").read_text(),
        re.MULTILINE,
    )
    listed = {
        (re.split(r",| and ", author.strip("{}"))[0].strip("{}"), year)
        for author, more in entries
        for year in re.findall(r"year\s*=\s*\{(\d{4})\}", more)
    }
    named = {
        (name, year)
        for package in ("posenc", "posread", "wavebook")
        for path in (REPOSITORY / "code" / package).rglob("*.py")
        for name, year in re.findall(
            r"(Gemma Team|bloc97|[A-Z]\w+)(?:\s+et\s+al\.|\s+and\s+[A-Z]\w+)?\s+\((\d{4})\)", path.read_text()
        )
    }
    assert len(named) > 20
    assert named <= listed, named - listed


def test_all_sections_and_examples_are_found():
    assert list(MODULES) == re.findall(r"automodule:: (\S+)", PAGE)
    # On the page or not: without a module's docstring, or a class's, there would be nothing to paste.
    assert all(examples(importlib.import_module(name)) for name in MODULES)
