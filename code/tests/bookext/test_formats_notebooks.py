"""Notebooks for readers: the text of the page as plain Markdown, its cells with what is to be seen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import test_notebooks_alone as alone
from book_source import text_of
from bs4 import BeautifulSoup
from harness import Site, chapters
from lxml.html import document_fromstring
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_notebook, new_output

from bookext import lab
from bookext.formats import notebooks as readable

#: What MyST understands, and a Markdown cell shows as it stands; the last are anchors and attributes.
MYST = re.compile(
    r"\{[a-z][a-z:]*\}`|^\s*:::|^\s*```+\{|^\([\w-]+\)=|\{[.#][\w-]+\}|^\+\+\+|^:[a-z]+: ", re.MULTILINE
)
PAGE = """<html><body><article class="bd-article">
<h1>3 Two &lt; three<a class="headerlink" href="#two">#</a></h1>
<p>A <em>star </em>costs $5, not <span class="math">\\(p &lt; 3\\)</span>, see
<a class="reference internal" href="b.html#thm">Theorem 2.1</a>.</p>
<div class="cell container"><div class="cell_input"><pre>one</pre></div></div>
<div class="proof theorem admonition"><p class="admonition-title"><span>Theorem 3.1 </span> (Size)</p>
<section><p>So it is:</p><div class="math"><span class="eqno">(3.1)<a class="headerlink">#</a></span>
\\[\\begin{split}a
\\\\ b\\end{split}\\]</div></section></div>
<div class="solution dropdown admonition"><p class="admonition-title">Solution</p><section><p>First.</p>
<div class="cell container code-waits"><div class="cell_output"><img alt="A line." src="x.svg"></div></div>
<p>Then.</p></section></div>
<table><tr><th class="text-right">n</th><th>what</th></tr>
<tr><td>1</td><td><span class="math">\\(|x|\\)</span></td></tr></table>
</article></body></html>"""


def executed() -> nbformat.NotebookNode:
    """A notebook as it ran: a widget with a name drawn by chance, a number for a sentence, a figure."""
    widget = new_output("display_data", {readable.VIEW: {"model_id": "f00d"}, "text/plain": "<A at 0x7f>"})
    glued = new_output(
        "display_data",
        {"application/papermill.record/text/plain": "'7 %'"},
        metadata={"scrapbook": {"name": "part"}},
    )
    figure = new_output("display_data", {"image/svg+xml": "<svg/>"})
    state = {"f00d": {"layout": "IPY_MODEL_cafe"}, "cafe": {}, "dead": {}}
    cells = [
        new_code_cell("one", outputs=[widget, glued], execution_count=1),
        new_code_cell("two", outputs=[figure], execution_count=2),
    ]
    metadata = {"widgets": {readable.STATE: {"state": state}}, "source_map": [1]}
    return new_notebook(cells=cells, metadata=metadata)


#: As _config.yml names them: what notebooks import, with extras, and where it is.
PACKAGES = (("tool", "code/tool"), ("shapes[all]", "code/shapes"))


def made(site: str = "", repository: str = "") -> list[dict]:
    page = document_fromstring(PAGE)
    place = readable.Place(site, repository, packages=PACKAGES)
    return readable.notebook(page, executed(), "book/a", place)["cells"]


def test_text_is_plain_markdown_and_tex():
    text = "\n".join(cell["source"] for cell in made() if cell["cell_type"] == "markdown")
    assert "# 3 Two &lt; three\n" in text
    assert "A *star* costs \\$5, not $p \\lt 3$, see Theorem 2.1." in text
    assert (
        "> **Theorem 3.1 (Size)**\n>\n> So it is:\n>\n> $$\\begin{split}a \\\\ b\\end{split} \\tag{3.1}$$"
        in text
    )
    assert "<summary>Solution</summary>\n\nFirst.\n" in text
    assert "<summary>Solution, continued</summary>" in text
    assert "| --: | :-- |\n| 1 | $\\vert{}x\\vert{}$ |" in text
    assert "](https://a.org/b/book/b.html#thm)" in str(made("https://a.org/b/"))


def test_cells_show_what_is_to_be_seen_and_are_the_same_each_time():
    setup, one, two = (cell for cell in made() if cell["cell_type"] == "code")
    assert "shapes" in setup["source"]
    assert [output["data"] for output in one["outputs"]] == [
        {readable.VIEW: {"model_id": "widget-1"}, "text/plain": "<A>"}
    ]
    assert one["metadata"] == {"said": {"part": "7 %"}}
    assert two["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    assert two["outputs"][0]["metadata"]["image/svg+xml"]["alt"] == "A line."
    states = readable.notebook(document_fromstring(PAGE), executed(), "a", readable.Place())["metadata"]
    assert states == {
        "widgets": {readable.STATE: {"state": {"widget-1": {"layout": "IPY_MODEL_widget-2"}, "widget-2": {}}}}
    }
    assert made() == made()


def test_a_page_without_a_cell_of_its_notebook_is_refused():
    page = document_fromstring(PAGE)
    page.find_class("solution")[0].drop_tree()
    with pytest.raises(ValueError, match="fewer cells"):
        readable.notebook(page, executed(), "a", readable.Place())


def run_first_cell(folder: Path, **published) -> subprocess.CompletedProcess[str]:
    """Run it in a Python that has no shapes; what stands in IPython's place writes down what it is told."""
    script = (
        "told = []\n"
        "class Shell:\n"
        "    def run_line_magic(self, *words): told.append(words)\n"
        "get_ipython = Shell\n"
        f"{readable.Place(branch='release', packages=PACKAGES, **published).setup()}\nprint(told)"
    )
    (folder / "setup.py").write_text(script)
    return subprocess.run([sys.executable, "-S", "setup.py"], cwd=folder, text=True, capture_output=True)


#: The wheels of PACKAGES.
WHEELS = (("tool", "tool-1-py3-none-any.whl"), ("shapes[all]", "shapes-2-py3-none-any.whl"))
REPOSITORY_ADDRESS = "https://example.org/o/book"
FROM_REPOSITORY = (
    f"'tool @ git+{REPOSITORY_ADDRESS}@release#subdirectory=code/tool' "
    f"'shapes[all] @ git+{REPOSITORY_ADDRESS}@release#subdirectory=code/shapes'"
)
FROM_SITE = (
    "'tool @ https://a.org/b/_static/packages/tool-1-py3-none-any.whl' "
    "'shapes[all] @ https://a.org/b/_static/packages/shapes-2-py3-none-any.whl'"
)


@pytest.mark.parametrize(
    ("published", "wanted"),
    [
        ({"repository": REPOSITORY_ADDRESS}, FROM_REPOSITORY),
        ({"repository": REPOSITORY_ADDRESS, "wheels": WHEELS}, FROM_REPOSITORY),
        ({"repository": REPOSITORY_ADDRESS, "site": "https://a.org/b/"}, FROM_REPOSITORY),
        ({"repository": REPOSITORY_ADDRESS, "site": "https://a.org/b/", "wheels": WHEELS}, FROM_SITE),
        ({"site": "https://a.org/b", "wheels": WHEELS}, FROM_SITE),
    ],
)
def test_the_first_cell_installs_the_packages_from_where_they_are(published, wanted, tmp_path):
    ran = run_first_cell(tmp_path, **published)
    assert ran.stdout.strip() == str([("pip", f"install --quiet {wanted}")]), ran.stderr


def test_without_an_address_the_first_cell_installs_the_wheels_beside_it(tmp_path):
    for _, name in WHEELS:
        ran = run_first_cell(tmp_path, wheels=WHEELS, wheels_page="book/a.html")
        assert "ModuleNotFoundError" in ran.stderr
        assert name in ran.stderr.partition("cell again")[0].rpartition("ModuleNotFoundError")[2]
        assert "book/a.html" in ran.stderr
        assert str(tmp_path) in ran.stderr
        assert "pip install './code/tool' './code/shapes[all]' with" in ran.stderr
        (tmp_path / name).touch()
    ran = run_first_cell(tmp_path, wheels=WHEELS, wheels_page="book/a.html")
    wanted = "'./tool-1-py3-none-any.whl' './shapes-2-py3-none-any.whl[all]'"
    assert ran.stdout.strip() == str([("pip", f"install --quiet {wanted}")]), ran.stderr


def test_a_site_without_wheels_knows_the_sources_alone(tmp_path):
    ran = run_first_cell(tmp_path, wheels=WHEELS[:1])
    assert WHEELS[0][1] not in ran.stderr
    assert "ModuleNotFoundError: This notebook needs" in ran.stderr
    assert "pip install './code/tool' './code/shapes[all]' with" in ran.stderr


def test_what_its_reader_has_changed_is_not_replaced(tmp_path):
    built, folder = tmp_path / "built", tmp_path / "lab"
    built.mkdir()
    for name in ("a.ipynb", "b.ipynb"):
        (built / name).write_text("old")
    assert lab.give(built, folder) == []
    (folder / "a.ipynb").write_text("mine")
    for name in ("a.ipynb", "b.ipynb"):
        (built / name).write_text("new")
    assert lab.give(built, folder) == ["a.ipynb"]
    assert [(folder / name).read_text() for name in ("a.ipynb", "b.ipynb")] == ["mine", "new"]
    (folder / "a.ipynb").unlink()
    assert lab.give(built, folder) == []
    assert (folder / "a.ipynb").read_text() == "new"


def test_no_chapter_reads_a_file():
    """Its notebook runs where nothing but the package is; what it reads is in wavebook.data."""
    readers = re.compile(r"\bopen\(|\bread_text\(|\bread_bytes\(|\bPath\(|\bloadtxt\(|\bnp\.load\(")
    found = {}
    for name in chapters():
        cells = re.findall(r"^```\{code-cell\}.*?^```", text_of(name), re.MULTILINE | re.DOTALL)
        found[name] = [line for cell in cells for line in cell.splitlines() if readers.search(line)]
    assert not {name: lines for name, lines in found.items() if lines}


# ---- the notebooks of the site ----


@pytest.mark.slow  # a kernel of its own
def test_a_notebook_runs_in_an_empty_folder(site, tmp_path):
    assert not alone.differences(site.notebook("book/tour"), tmp_path)


def cells_of(site: Site, name: str) -> list[dict]:
    return json.loads(site.notebook(name).read_text(encoding="utf-8"))["cells"]


@pytest.mark.over(chapters())
def test_no_myst_is_left(site, page_name):
    for cell in cells_of(site, page_name):
        texts = [
            output["data"].get("text/markdown", "") for output in cell.get("outputs", []) if "data" in output
        ]
        texts += [cell["source"]] if cell["cell_type"] == "markdown" else []
        for text in texts:
            prose = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
            assert not (left := MYST.search(prose)), prose[left.start() - 40 : left.end() + 40]
            assert "\\(" not in prose


@pytest.mark.over(chapters())
def test_a_notebook_says_what_its_page_says(site, page_name):
    """Each number, formula and title of the page, in the order of the page, read by another program."""
    soup = BeautifulSoup(site.file(f"/{page_name}.html").read_text(encoding="utf-8"), "lxml")
    article = soup.select_one("article.bd-article")
    for output in article.select(".cell_output, .cell_input, noscript"):
        output.decompose()
    for quiz in article.select("fieldset"):  # the answers come after all options
        for feedback in quiz.select(".quiz-feedback"):
            quiz.append(feedback.extract())
    wanted = [
        " ".join(node.get_text().split())
        for node in article.select(".pasted-text, .caption-number, .std-numref, h2, .doc")
    ]
    html = MarkdownIt("commonmark", {"html": True}).enable("table")
    text = " ".join(
        BeautifulSoup(
            " ".join(
                html.render(cell["source"])
                for cell in cells_of(site, page_name)
                if cell["cell_type"] == "markdown"
            ),
            "lxml",
        )
        .get_text()
        .split()
    )
    place = 0
    for one in wanted:
        one = one.removesuffix("#").strip()
        found = text.find(one, place)
        assert found >= 0, f"{one!r} is not after {text[max(0, place - 60) : place]!r}"
        place = found
    formulas = [
        formula["data-tex"]
        for formula in article.select("span.math math")
        if not formula.find_parent(["summary", "table"])
    ]
    sources = "\n".join(cell["source"] for cell in cells_of(site, page_name))
    squeezed = re.sub(r"\s|\\lt|\\gt|<|>", "", sources)
    for formula in formulas:
        tex = re.sub(r"\s|\\lt|\\gt|<|>", "", formula)
        assert f"${tex}$" in squeezed, formula


@pytest.mark.over(chapters())
def test_figures_have_paper_and_words(site, page_name):
    for cell in cells_of(site, page_name):
        for output in cell.get("outputs", []):
            for kind, picture in output.get("data", {}).items():
                if kind == "image/svg+xml":
                    still = (
                        'style="fill:var(--posenc-paper)"' in picture and "--posenc-paper:#ffffff" in picture
                    )
                    assert still or 'style="background:#ffffff"' in picture[:600]
                    assert output["metadata"][kind]["alt"]
