"""The cells of one page as a program: what a cell needs of those above it, and what it shows.

The reader's browser runs this, and so do the tests, without one: it needs nothing but the standard library.

A cell sees what the cells above it say, as they stand now, and running it twice is running it once. Before a
cell runs, so do those statements above it that it needs, in the page's order. Who goes down the page runs
none of them twice; who goes back up, runs a cell again, or edits one above begins anew. What a cell does not
need, a figure or a proof above it say, does not run.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import io
import linecache
import platform
import pprint
import re
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

#: More than this a cell does not print: a page with it would be of no use.
MOST_CHARACTERS = 100_000


# ---- what needs what ----


@dataclass(frozen=True)
class Statement:
    """One statement of a cell: what it reads, what it sets for certain, and what it may change.

    Of what it changes, ``alters`` is what it alters in place: ``rows.append(1)``. And ``shares`` are names
    that may stand for parts of one thing: ``row = table[0]``.
    """

    cell: int
    place: int
    text: str
    reads: frozenset[str]
    sets: frozenset[str]
    changes: frozenset[str]
    modules: frozenset[str]
    alters: frozenset[str] = frozenset()
    shares: frozenset[str] = frozenset()

    @property
    def writes(self) -> frozenset[str]:
        """What it sets or may change."""
        return self.sets | self.changes


def _root(node: ast.AST) -> str | None:
    """The name that ``name.a[0].b`` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run in the module's own scope; the names of a comprehension's items are not of it."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.comprehension) and child is node.target):
                yield from _parts(child)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds, wherever in it."""
    for part in _parts(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store | ast.Del):
            yield part.id
        elif isinstance(part, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in part.names)
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield part.name
        elif isinstance(part, ast.ExceptHandler):
            yield part.name or "_"


def _behind(node: ast.AST) -> Iterator[str]:
    """The names whose things, or parts of them, an expression may give: ``table`` for ``table[1:]``."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        yield from _behind(node.value)
    elif isinstance(node, ast.Call):
        for part in [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]:
            yield from _behind(part)
    elif isinstance(node, ast.IfExp):
        yield from _behind(node.body)
        yield from _behind(node.orelse)


def _shares(node: ast.AST) -> Iterator[str]:
    """The names that a statement makes stand for parts of one thing."""
    for part in _parts(node):
        if isinstance(part, ast.For):
            yield from _bound(part.target)
            yield from _behind(part.iter)
        elif isinstance(part, ast.Assign) and not isinstance(part.value, ast.Call):
            behind = list(_behind(part.value))
            if behind:
                yield from (name for target in part.targets for name in _bound(target))
                yield from behind


def _modules(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module:
            # `from a import b` may name a module a.b
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


def _statement(node: ast.stmt, cell: int, place: int, text: str) -> Statement:
    reads: set[str | None] = set()
    changes: set[str | None] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            reads.add(part.id)
        elif isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
            changes.add(_root(part))
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            changes.add(_root(part.func))  # `generator.normal()` or `rows.append(1)`
        if isinstance(part, ast.AugAssign):
            reads.add(_root(part.target))
    sets = set(_bound(node))
    certain = isinstance(
        node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
    )
    alters = frozenset(name for name in changes if name)
    changes |= set() if certain else sets
    return Statement(
        cell,
        place,
        text,
        frozenset(name for name in reads if name),
        frozenset(sets if certain else ()),
        frozenset(name for name in changes if name),
        frozenset(_modules(node)),
        alters,
        frozenset(_shares(node)),
    )


def _with_what_is_shared(found: list[list[Statement]]) -> list[list[Statement]]:
    """The same statements, where one that alters a thing in place changes all names that may stand for it."""
    groups = [one.shares for cell in found for one in cell if len(one.shares) > 1]

    def reach(names: frozenset[str]) -> frozenset[str]:
        while more := frozenset().union(*(group for group in groups if group & names)) - names:
            names |= more
        return names

    return [[replace(one, changes=one.changes | reach(one.alters)) for one in cell] for cell in found]


def statements(cells: Sequence[str]) -> list[list[Statement]]:
    """The statements of each cell; of one that is no Python, none.

    >>> [[(one.text, sorted(one.reads))] for one in statements(["a = [b for b in c]"])[0]]
    [[('a = [b for b in c]', ['b', 'c'])]]
    >>> sorted(statements(["a = max(a for a in c)"])[0][0].sets)
    ['a']
    >>> sorted(statements(["for row in table: row[0] = 7"])[0][0].changes)
    ['row', 'table']
    """
    found = []
    for number, source in enumerate(cells):
        try:
            nodes = ast.parse(source).body
        except SyntaxError:
            nodes = []
        found.append(
            [
                _statement(node, number, place, ast.get_source_segment(source, node) or "")
                for place, node in enumerate(nodes)
            ]
        )
    return _with_what_is_shared(found)


def needed(above: Sequence[Statement], target: Iterable[Statement]) -> list[Statement]:
    """Those statements `above` that the `target` needs, in order.

    >>> above = [one for cell in statements(["import numpy as np", "x = 1; y = 2", "x += 1"]) for one in cell]
    >>> [one.text for one in needed(above, statements(["x * 2"])[0])]
    ['x = 1', 'x += 1']
    """
    imported = {name for one in above if one.modules for name in one.sets}
    # Who draws from a generator of random numbers changes it, whichever function does the drawing.
    generators = {name for one in above for name in one.sets if "default_rng" in one.text}
    # So does who calls a function that draws.
    drawers = set(generators)
    for one in above:
        if one.reads & drawers and re.search(r"\b(def|lambda)\b", one.text):
            drawers |= one.writes
    wanted: set[str] = set()
    for one in reversed(list(target)):
        wanted = (wanted - one.sets) | one.reads
    found = []
    for one in reversed(above):
        # A function of an imported module does not change the module: `figures.waves()`.
        changed = one.changes - (imported - one.sets if not one.modules else set())
        changed |= generators if one.reads & drawers else set()
        if wanted & (one.sets | changed):
            wanted = (wanted - one.sets) | one.reads | changed
            found.append(one)
    return found[::-1]


def modules_needed(cells: Sequence[str], target: int) -> set[str]:
    """The modules that a cell imports, and that what it needs of the cells above imports.

    >>> sorted(modules_needed(["import a", "from c import d", "import b; b.x(d)"], 2))
    ['b', 'c.d']
    """
    read = statements(cells)
    above = [one for cell in read[:target] for one in cell]
    return {name for one in [*needed(above, read[target]), *read[target]] for name in one.modules}


# ---- what is shown ----


@dataclass
class Shown:
    """One piece of output: its kind ("text", "error", "svg" or "math"), and it; of a formula, its TeX."""

    kind: str
    text: str
    tex: str = ""


def text_of(value: object) -> str:
    """A value as a notebook shows it.

    >>> text_of({"b": 1, "a": (2,)})
    "{'b': 1, 'a': (2,)}"
    """
    if isinstance(value, dict | list | tuple | set | frozenset):
        return pprint.pformat(value, width=79, compact=False, sort_dicts=False)
    return repr(value)


def _drawing(figure: Any) -> Shown:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight")
    return Shown("svg", stream.getvalue())


def _figures(but: object = None) -> list[Shown]:
    """The figures that are open, which are closed; `but` one is shown by other means."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    drawn = [_drawing(figure) for figure in figures if figure is not but]
    pyplot.close("all")
    return drawn


def shown(value: object) -> list[Shown]:
    """What a cell shows that ends in a value."""
    if value is None:
        return []
    pyplot = sys.modules.get("matplotlib.pyplot")
    if hasattr(value, "savefig"):
        drawn = _drawing(value)
        if pyplot is not None:
            pyplot.close(value)
        return [drawn]
    sympy = sys.modules.get("sympy")
    if sympy is not None and isinstance(value, sympy.Basic | sympy.MatrixBase):
        return [Shown("math", sympy.mathml(value, printer="presentation"), sympy.latex(value))]
    picture = getattr(value, "_repr_svg_", lambda: None)()  # what notebooks ask a value for
    return [Shown("text", text_of(value)), *([Shown("svg", picture)] if picture else [])]


def _ask_nobody(prompt: object = "") -> str:
    """Stand for ``input``: a page has no line on which to answer."""
    raise RuntimeError("input() has nobody to ask here: write the answer into the program")


class Shelf(importlib.abc.MetaPathFinder):
    """Has packages fetched when they are first imported."""

    def __init__(self, packages: Mapping[str, Sequence[str]], load: Callable[[str], object]) -> None:
        self.packages, self.load, self.there = packages, load, set[str]()

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """Fetch what the module is in; to find it is left to Python."""
        for file in self.packages.get(fullname, ()):
            if file not in self.there:
                self.there.add(file)
                self.load(file)
                importlib.invalidate_caches()


def without_notebook() -> None:
    """Let what a cell hands to a notebook, beside what it shows, go nowhere: there is none.

    Only that one function, and not IPython itself, by which Matplotlib tells where it runs.
    """
    display = types.ModuleType("IPython.display")
    vars(display)["publish_display_data"] = lambda *arguments, **more: None
    sys.modules[display.__name__] = display


def versions() -> str:
    """Which Python runs, and with which packages: what has been imported so far.

    >>> versions().startswith("Python 3.")
    True
    """
    names = {"numpy": "NumPy", "matplotlib": "Matplotlib", "sympy": "SymPy"}
    there = [f"{told} {sys.modules[name].__version__}" for name, told in names.items() if name in sys.modules]
    return ", ".join([f"Python {platform.python_version()}", *there])


class _Paper(io.StringIO):
    """Where a cell prints, up to a length."""

    def write(self, text: str) -> int:
        """Take the text, or refuse."""
        if self.tell() + len(text) > MOST_CHARACTERS:
            raise RuntimeError(f"the cell prints more than {MOST_CHARACTERS:,} characters")
        return super().write(text)


# ---- the cells run ----


@dataclass
class Outcome:
    """What came of a run: what is shown, and the line at which it stopped, if it did."""

    shown: list[Shown]
    ok: bool = True
    #: From 1, in the cell that was run; None if the error is not in one of its lines.
    line: int | None = None


def _named(cell: int) -> str:
    return f"<cell {cell}>"


def _place(one: Statement) -> tuple[int, int]:
    """Where a statement is in its page."""
    return one.cell, one.place


class Session:
    """The names of one page, and the statements that have run, which are in the page's order at any time."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "input": _ask_nobody}
        self.ran: list[Statement] = []

    def _missing(self, read: Sequence[Sequence[Statement]]) -> list[Statement]:
        """What has to run before the last of the cells; the names are as the cells above leave them.

        What has run can stay if it says the same as ever and all that is to come stands below it. If not,
        the page begins anew.
        """
        chain = needed([one for cell in read[:-1] for one in cell], read[-1])
        missing = [one for one in chain if one not in self.ran]
        goes_on = all(one in read[one.cell] for one in self.ran if one.cell < len(read) - 1)
        last = _place(self.ran[-1]) if self.ran else (-1, 0)
        if goes_on and last < min(map(_place, [*missing, *read[-1][:1]]), default=(len(read) - 1, 0)):
            return missing
        self._begin()
        return chain

    def run(self, cells: Sequence[str], target: int) -> Outcome:
        """Run a cell, and before it what it needs of the cells above it."""
        for number, source in enumerate(cells):
            # Tracebacks show the line from here.
            lines = source.splitlines(keepends=True)
            linecache.cache[_named(number)] = (len(source), None, lines, _named(number))
        source = cells[target]
        # `plt.show()` says that it cannot open a window; what is drawn is shown all the same.
        warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive", UserWarning)
        paper, out = _Paper(), []
        try:
            body = ast.parse(source, _named(target)).body
        except SyntaxError as error:
            return self._failed(error, target, "", cells)
        read = statements(cells[: target + 1])
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                for one in self._missing(read):
                    self._execute(ast.parse(cells[one.cell]).body[one.place], one.cell)
                    self.ran.append(one)
            _figures()  # what those drew is not asked for
            value = None
            with contextlib.redirect_stdout(paper), contextlib.redirect_stderr(paper):
                for node, one in zip(body, read[target], strict=True):
                    self.ran.append(one)
                    silent = node is not body[-1] or source.rstrip().endswith(";")
                    result = self._execute(node, target)
                    value = None if silent else result
                    if value is not None:
                        self.names["_"] = value
                out = [*_figures(but=value), *shown(value)]
        except BaseException as error:  # of whatever kind: `exit()` ends no page
            self._begin()  # a statement may have been half done
            return self._failed(error, target, paper.getvalue(), cells)
        printed = [Shown("text", paper.getvalue())] if paper.getvalue() else []
        return Outcome([*printed, *out])

    def _execute(self, node: ast.stmt, cell: int) -> object:
        if isinstance(node, ast.Expr):
            return eval(compile(ast.Expression(node.value), _named(cell), "eval"), self.names)
        exec(compile(ast.Module([node], []), _named(cell), "exec"), self.names)
        return None

    def _failed(self, error: BaseException, target: int, printed: str, cells: Sequence[str]) -> Outcome:
        """What a reader is told of an error: first where in the cell it is, then what it says."""
        if isinstance(error, SyntaxError) and error.filename == _named(target):
            line, places = error.lineno, [(target, error.lineno or 1)]
        else:
            frames = traceback.extract_tb(error.__traceback__)
            known = {_named(number): number for number in range(len(cells))}
            places = [(known[at.filename], at.lineno or 1) for at in frames if at.filename in known]
            line = next((at for cell, at in reversed(places) if cell == target), None)
        words = "".join(traceback.format_exception_only(error)) if not isinstance(error, SyntaxError) else ""
        words = words.strip() or f"{type(error).__name__}: {error.args[0]}"
        told = []
        for cell, at in dict.fromkeys(places):
            code = cells[cell].splitlines()[at - 1 : at] or [""]
            where = f"Line {at}" if cell == target else f"Line {at} of a cell above, which this one needs"
            told.append(f"{where}:\n    {code[0].strip()}")
        text = "\n".join([*told, words])
        pieces = [Shown("text", printed)] if printed else []
        return Outcome([*pieces, Shown("error", text)], ok=False, line=line)


def judge(cells: Sequence[str], target: int, check: Any, label: str) -> Outcome:
    """Run an answer to an exercise, and let `check` say what it makes of the names that it sets.

    The page's cells do not see them, and neither does the next try.
    """
    apart = Session()
    outcome = apart.run(cells, target)
    answer = statements(cells)[target]
    if outcome.ok:
        own = {name for one in answer for name in one.writes}
        verdict = check(label, {name: apart.names[name] for name in own if name in apart.names})
        outcome.ok = verdict.right
        outcome.shown.append(Shown("right" if verdict.right else "wrong", verdict.words))
    return outcome


def as_data(outcome: Outcome) -> Mapping[str, Any]:
    """An outcome as the page gets it."""
    return {
        "ok": outcome.ok,
        "line": outcome.line,
        "shown": [{"kind": piece.kind, "text": piece.text, "tex": piece.tex} for piece in outcome.shown],
    }
