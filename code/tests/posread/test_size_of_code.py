"""The packages stay small: no function of the tool or of its readers branches often, few names are public."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest
from harness import REPOSITORY

import posenc

CODE = REPOSITORY / "code"
#: So many branches a function may have: if, loops, `and` and `or`, comprehensions.
BRANCHES = 15
#: Functions and classes that one may import from `posenc` and its modules.
PUBLIC = 60


def branches(function: ast.AST) -> int:
    """How often a function branches, without the functions inside it."""
    count, waiting = 0, list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        count += isinstance(node, (ast.If, ast.IfExp, ast.For, ast.While, ast.comprehension))
        count += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        waiting += ast.iter_child_nodes(node)
    return count


def test_branches_are_counted():
    (function,) = ast.parse("def f(x):\n    if x and x > 1 or x:\n        return [y for y in x if y]\n").body
    assert branches(function) == 4


@pytest.mark.parametrize("package", ["posenc", "posread"])
def test_no_function_branches_often(package):
    found = [
        f"{path.relative_to(CODE)}: {node.name} {branches(node)}"
        for path in sorted((CODE / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and branches(node) > BRANCHES
    ]
    assert not found, "\n".join(found)


def test_few_names_are_public():
    names = set()
    for info in pkgutil.iter_modules(posenc.__path__):
        if info.name in ("arguments", "pytorch"):  # for sibling packages; and what needs PyTorch
            continue
        module = importlib.import_module(f"posenc.{info.name}")
        there = {name: getattr(module, name) for name in module.__all__}
        names |= {name for name, thing in there.items() if inspect.isroutine(thing) or inspect.isclass(thing)}
    assert 30 < len(names) <= PUBLIC, len(names)


def test_the_tool_is_imported_without_what_it_can_do_without():
    program = "import sys, posenc; print({'torch', 'sympy', 'mpmath'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"
