"""Python in the page without a browser: what a cell needs, what is fetched, what is put into a site."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zipfile

import pytest
from harness import REPOSITORY

from bookext.live import files, install, session
from wavebook.exercises import Verdict

CELLS = [
    "import math\nfrom os import path",
    "x = 1\ny = 2",  # shown
    "x = x + 1\nfigure = path.join('a', 'b')",  # hidden
    "x + y",
]


def printed(outcome: session.Outcome) -> list[str]:
    return [piece.text for piece in outcome.shown]


def test_a_cell_runs_what_it_needs_and_no_more():
    page = session.Session()
    assert printed(page.run(CELLS, 3)) == ["4"]
    assert not {"math", "path", "figure"} & set(page.names)


def test_who_goes_down_the_page_runs_nothing_twice():
    cells = ["ran = ['first']", "ran.append('second')\nlen(ran)", "x = 3", "ran.append('last')\nran"]
    page = session.Session()
    assert printed(page.run(cells, 1)) == ["2"]
    names = page.names
    assert printed(page.run(cells, 3)) == ["['first', 'second', 'last']"]
    assert page.names is names
    # Who runs a cell again, goes back up or edits something finds what is above as it stands there.
    assert printed(page.run(cells, 3)) == ["['first', 'second', 'last']"]
    assert [printed(page.run(cells, 1)) for _ in range(2)] == [["2"], ["2"]]
    cells[0] = "ran = []"
    assert printed(page.run(cells, 3)) == ["['second', 'last']"]


def test_a_name_that_is_set_twice_has_its_last_value():
    """Also where the first of the two has to run once more."""
    cells = [
        "d, table = 1, [1]",
        "peak = table[0]",
        "table = [1, 2]\nx = [d + entry for entry in table]",
        "x, peak",
    ]
    page = session.Session()
    assert printed(page.run(cells, 3)) == ["([2, 3], 1)"]
    cells[0] = "d, table = 2, [1]"
    assert printed(page.run(cells, 3)) == ["([3, 4], 1)"]


def test_a_cell_sees_what_is_above_it_as_it_now_stands():
    page = session.Session()
    assert printed(page.run(CELLS, 3)) == ["4"]
    edited = [CELLS[0], "x = 10\ny = 2", *CELLS[2:]]
    assert printed(page.run(edited, 3)) == ["13"]
    # Not what a cell below it has made of a name since.
    assert printed(page.run(["x = 1", "x", "x = 5"], 1)) == ["1"]
    page.run(["x = 1", "x", "x = 5"], 2)
    assert printed(page.run(["x = 1", "x", "x = 5"], 1)) == ["1"]


@pytest.mark.parametrize(
    "change",
    [
        "for row in table: row[0] = 7",
        "for number, row in enumerate(table): row[0] = 7",
        "row = table[0]\nother = row\nother[0] = 7",
    ],
)
def test_what_is_changed_under_another_name_is_changed(change):
    """Also after a stop, when nothing of the page has run."""
    cells = ["table = [[4]]", change, "table[0][0] * 10"]
    assert printed(session.Session().run(cells, 2)) == ["70"]
    page = session.Session()
    assert printed(page.run([cells[0], "", cells[2]], 2)) == ["40"]
    assert [printed(page.run(cells, 2)) for _ in range(2)] == [["70"], ["70"]]


def value_of_last(cells: list[str]) -> str:
    """What the last cell shows where each is simply run after the other."""
    names: dict = {}
    for cell in cells[:-1]:
        exec(cell, names)
    return repr(eval(cells[-1], names))


def test_random_numbers_are_drawn_in_the_page_s_order():
    pytest.importorskip("numpy")
    cells = [
        "import numpy as np",
        "rng = np.random.default_rng(0)",
        "def draw(g):\n    return g.normal()",
        "unused = draw(rng)",
        "float(rng.normal())",
    ]
    assert printed(session.Session().run(cells, 4)) == [value_of_last(cells)]


def test_random_numbers_that_a_function_draws_are_drawn_too():
    """Also where nothing says that the call draws: here, within a cell that is needed for another name."""
    pytest.importorskip("numpy")
    cells = [
        "import numpy as np\nrng = np.random.default_rng(0)",
        "draws = {1: lambda: rng.normal()}",
        "for draw in draws.values():\n    unused = draw()",
        "float(rng.normal())",
    ]
    assert printed(session.Session().run(cells, 3)) == [value_of_last(cells)]


def test_a_figure_is_shown_once_and_in_silence(monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    cells = ["import matplotlib.pyplot as plt", "fig, ax = plt.subplots()\nax.plot([1, 2])\nplt.show()\nfig"]
    assert [piece.kind for piece in session.Session().run(cells, 1).shown] == ["svg"]
    cells[1] = cells[1].removesuffix("fig")
    assert [piece.kind for piece in session.Session().run(cells, 1).shown] == ["svg"]
    cells[1] = "fig, ax = plt.subplots()\nother = plt.figure()\nfig"
    assert [piece.kind for piece in session.Session().run(cells, 1).shown] == ["svg", "svg"]


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            "x = 1\nname = input('Who? ')",
            "Line 2:\n    name = input('Who? ')\nRuntimeError: input() has nobody",
        ),
        ("x = 1\nraise KeyboardInterrupt", "Line 2:\n    raise KeyboardInterrupt\nKeyboardInterrupt"),
        ("exit()", "Line 1:\n    exit()\nSystemExit"),
    ],
)
def test_what_stops_a_program_is_told_by_its_line(program, told):
    outcome = session.Session().run([program], 0)
    assert not outcome.ok
    assert outcome.shown[-1].text.startswith(told)


def test_what_a_comprehension_calls_its_items_is_its_own():
    (one,) = session.statements(["best = min(best for best in table)"])[0]
    assert one.sets == {"best"}
    assert printed(session.Session().run(["x = max(x for x in (1, 2))", "x"], 1)) == ["2"]
    (other,) = session.statements(["total = sum(row for row in table)"])[0]
    assert other.writes == {"total"}


def test_a_cell_hands_to_a_notebook_where_there_is_none(monkeypatch):
    from wavebook.say import say

    monkeypatch.setitem(sys.modules, "IPython.display", None)
    monkeypatch.setitem(sys.modules, "IPython", None)
    with pytest.raises(ImportError):
        say(a=1)
    session.without_notebook()
    say(a=1)


def test_a_formula_is_shown_with_its_tex():
    pytest.importorskip("sympy")
    (formula,) = session.Session().run(["import sympy as sp", "2 * sp.cos(sp.Symbol('k'))"], 1).shown
    assert (formula.kind, formula.tex) == ("math", r"2 \cos{\left(k \right)}")
    assert re.sub("<.*?>|&.*?;", "", formula.text) == "2cos(k)"


@pytest.mark.parametrize(
    ("program", "line", "told"),
    [
        ("a = 1\nb = a / 0", 2, "Line 2:\n    b = a / 0\nZeroDivisionError: division by zero"),
        ("def f():\n    return g()\n\nf()", 2, "Line 4:\n    f()\nLine 2:\n    return g()\nNameError"),
        ("if True\n    pass", 1, "Line 1:\n    if True\nSyntaxError: expected ':'"),
        ("import no_such_module", 1, "ModuleNotFoundError"),
        ("exit()", 1, "SystemExit"),
        ("print('a' * 200_000)", 1, "prints more than 100,000 characters"),
    ],
)
def test_an_error_points_at_its_line(program, line, told):
    outcome = session.Session().run(["", program], 1)
    assert not outcome.ok
    assert outcome.line == line
    assert outcome.shown[-1].kind == "error"
    assert told in outcome.shown[-1].text
    assert "session.py" not in outcome.shown[-1].text


def test_an_error_in_a_cell_above_is_said_to_be_there():
    outcome = session.Session().run(["x = 1 / 0", "x"], 1)
    assert outcome.line is None
    assert "Line 1 of a cell above, which this one needs:\n    x = 1 / 0" in outcome.shown[-1].text


def test_what_was_printed_before_an_error_is_kept():
    assert printed(session.Session().run(["print(1)\n1 / 0"], 0))[0] == "1\n"


def test_the_last_value_is_shown_unless_a_semicolon_ends_it():
    assert printed(session.Session().run(["1\n2"], 0)) == ["2"]
    assert printed(session.Session().run(["2;"], 0)) == []
    assert printed(session.Session().run(["None"], 0)) == []


def test_figures_are_shown_and_those_above_are_not():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    cells = ["import matplotlib.pyplot as plt", "plt.plot([1, 2]); x = 1", "x", "plt.plot([2, 1]);"]
    page = session.Session()
    assert printed(page.run(cells, 2)) == ["1"]
    (drawn,) = page.run(cells, 3).shown
    assert drawn.kind == "svg"
    assert "</svg>" in drawn.text
    assert not pyplot.get_fignums()


def test_an_answer_is_judged_by_its_own_names():
    from wavebook.exercises import check

    page, label = session.Session(), "ex-piano"
    right = session.judge(["d = 318"], 0, check, label)
    assert (right.ok, right.shown[-1].kind) == (True, "right")
    missing = session.judge(["e = 1"], 0, check, label)
    assert (missing.ok, missing.shown[-1].kind) == (False, "wrong")
    assert "Set `d`" in missing.shown[-1].text
    above = session.judge(["d = 318", "e = d"], 1, check, label)
    assert "Set `d`" in above.shown[-1].text, "a name of the page is no answer"
    assert "d" not in page.names
    same = session.judge(["d = min(d for d in range(317, 330, 2) if d > 317) - 1"], 0, check, label)
    assert same.shown[-1].kind == "right", "whatever a comprehension calls its items"
    broken = session.judge(["d = 1 / 0"], 0, check, label)
    assert broken.shown[-1].kind == "error"


def test_an_answer_changes_nothing_of_the_page():
    cells = ["rows = [1]", "rows.append(2)\nd = sum(rows)"]
    page = session.Session()
    assert printed(page.run(["rows = [1]", "rows"], 1)) == ["[1]"]
    session.judge(cells, 1, lambda label, names: Verdict(True, str(names["d"])), "")
    assert printed(page.run(["rows = [1]", "rows"], 1)) == ["[1]"]


# ---- files ----


def test_a_file_with_another_hash_stops_the_build(tmp_path, monkeypatch):
    """Whatever it was fetched from."""
    entries = {
        name: {"file_name": f"{name}.whl", "sha256": files.digest(name.encode()), "version": "1"}
        for name in files.WHEELS
    }
    core = dict.fromkeys(files.CORE, b"") | {files.LOCK: json.dumps({"packages": entries}).encode()}
    entry = '[[package]]\nname = "{}"\nversion = "1"\nwheels = [{{ hash = "sha256:{}" }}]\n'
    lock = "".join(entry.format(name, files.digest(b"")) for name in files.PINNED)
    (tmp_path / "uv.lock").write_text(lock)
    pinned = {f"{n}.whl": (files.File(f"{n}.whl", files.digest(b""), n, "1"), b"") for n in files.PINNED}
    monkeypatch.setattr(files, "core_files", lambda: core)
    monkeypatch.setattr(files, "pinned_wheels", lambda book: pinned)

    def unreachable(asked):
        raise files.Unreachable("nobody there")
        yield

    monkeypatch.setattr(files, "_from_distribution", unreachable)
    monkeypatch.setattr(files, "_from_package", lambda asked: ((file, b"other") for file in asked))
    with pytest.raises(ValueError, match=r"numpy\.whl: its SHA-256 is .* and must be"):
        files.fetch(tmp_path, tmp_path / "kept")
    good = lambda asked: ((file, file.package.encode()) for file in asked)  # noqa: E731
    monkeypatch.setattr(files, "_from_package", good)
    found = files.fetch(tmp_path, tmp_path / "kept")
    assert {file.package for file in found} == {"pyodide", *files.WHEELS, *files.PINNED}
    # Again: from the folder, and a file that was changed there is fetched anew.
    monkeypatch.setattr(files, "_from_package", unreachable)
    assert {*files.fetch(tmp_path, tmp_path / "kept")} == {*found}
    (tmp_path / "kept/numpy.whl").write_bytes(b"changed")
    monkeypatch.setattr(files, "_from_package", unreachable)
    with pytest.raises(files.Unreachable, match="nobody there; nobody there"):
        files.fetch(tmp_path, tmp_path / "kept")


def test_the_book_s_own_sympy_is_pinned():
    for name in files.PINNED:
        assert re.fullmatch(
            rf"{name}==[\d.]+( --hash=sha256:[0-9a-f]{{64}})+", files.requirement(REPOSITORY, name)
        )
    with pytest.raises(ValueError, match=r"uv\.lock has 0 versions of nothing"):
        files.requirement(REPOSITORY, "nothing")


# ---- a site ----

PAGE = """<!DOCTYPE html>
<html><head><title>A</title></head><body><article class="bd-article">
<div class="cell code-waits docutils container"><div class="cell_input"><pre>import torch, math
x = 2</pre></div></div>
<div class="cell tag_show docutils container"><div class="cell_input"><pre>x + 1</pre></div></div>
<div class="cell tag_show docutils container"><div class="cell_input"><pre>torch.ones(x)</pre></div></div>
<div class="exercise" id="ex-a"></div></article>
<script type="text/late" data-src="_static/other.js"></script></body></html>"""


def test_python_comes_into_a_site_once(tmp_path):
    site, kept, package = tmp_path / "site", tmp_path / "kept", tmp_path / "own"
    for folder in (site / "_static", kept, package / "explorers"):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text("a = 1")
    (package / "explorers/left.py").write_text("a = 1")
    (site / "a.html").write_text(PAGE)
    (site / "plain.html").write_text("<p>no cells")
    bom = {"metadata": {"component": {"components": []}}, "components": [{"purl": "pkg:npm/other@1"}]}
    (site / "bom.json").write_text(json.dumps(bom))
    wanted = [("pyodide", name) for name in files.CORE]
    wanted += [(name, f"{name}-1.whl") for name in (*files.WHEELS, *files.PINNED)]
    found = []
    for name, file in wanted:
        (kept / file).write_bytes(file.encode())
        found.append(files.File(file, files.digest(file.encode()), name, "1"))
    seen = []
    for _ in range(2):
        assert install.install(site, kept, found, [package], "") == 1
        seen.append({path: path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()})
    assert seen[0] == seen[1], "a second time changes nothing"
    assert (site / "plain.html").read_text() == "<p>no cells"
    page = (site / "a.html").read_text()
    assert page.count("data-live=") == 1
    assert page.index("live.js") < page.index("other.js")
    with zipfile.ZipFile(site / "_static/live-book.zip") as archive:
        assert archive.namelist() == ["session.py", "own/__init__.py"]
    made = json.loads((site / "bom.json").read_text())
    assert {"pkg:npm/other@1", f"pkg:npm/pyodide@{files.VERSION}", "pkg:pypi/numpy@1"} <= {
        part["purl"] for part in made["components"]
    }
    own = {file["name"] for file in made["metadata"]["component"]["components"]}
    assert own == {f"_static/{name}" for name in (*install.OWN, "live-book.zip", "live-settings.json")}
    (numpy,) = (part for part in made["components"] if part["purl"] == "pkg:pypi/numpy@1")
    assert numpy["components"][0]["hashes"][0]["content"] == hashlib.sha256(b"numpy-1.whl").hexdigest()


def test_without_a_site_nothing_is_done(tmp_path, capsys):
    from bookext.live.__main__ import main

    assert main([str(tmp_path), "--site", str(tmp_path / "none")]) == 1
    assert "make book" in capsys.readouterr().err
