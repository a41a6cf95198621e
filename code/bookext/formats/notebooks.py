r"""Notebooks for people: each chapter as it reads on its page, in plain Markdown and TeX.

MyST Markdown in a notebook shows its syntax: numbers are missing, theorems lie there as directives. The
finished page has it all: numbers, references, titles. So :func:`notebook` takes the text from the page and
the cells from the notebook that was run for it, cell by cell in the same order.

What folds on the page folds in ``<details>``, in a piece for each stretch between two cells, because a
Markdown cell cannot fold the code cell after it. A cell that the page does not show is collapsed.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

import nbformat
from lxml.html import HtmlElement

from bookext.book import PACKAGES, Manifest, split
from bookext.formats.markdown import Cell, Reader, classes
from bookext.sphinx import stills
from bookext.sphinx.cells import WAITS
from bookext.sphinx.widgets import STATE, VIEW

GLUED = "application/papermill.record/"

#: Runs the notebook on its own. Plain Python: what reads notebooks need not know IPython's `%pip`.
SETUP = """\
# This notebook needs {modules} of its book.
import importlib.util
{more}
if importlib.util.find_spec("{module}") is None:
    """
INSTALL = """get_ipython().run_line_magic("pip", "install --quiet {requirements}")"""
BESIDE = """missing = [name for name in {names} if not Path(name).is_file()]
    if missing:
        raise ModuleNotFoundError(
            f"This notebook needs the packages of its book. Download {{' and '.join(missing)}} from {page} "
            f"on the site that has this notebook, into {{Path.cwd()}}, and run the cell again. "
            "In a copy of the book's sources, you can instead run "
            "python -m pip install {folders} with the Python of this kernel."
        )
    """
REFUSE = """raise ModuleNotFoundError(
        "This notebook needs the book's package: in a copy of the book's sources, run "
        "python -m pip install {folders} with the Python of this kernel, and run the cell again."
    )"""


@dataclass(frozen=True)
class Place:
    """Where things are published: the site's address, the repository's and its branch; "" if nowhere.

    `packages` are what the book's notebooks import, with extras, and their folders in the repository;
    `wheels` are the files of those that the site has, and `wheels_page` is the page that offers them.
    """

    site: str = ""
    repository: str = ""
    branch: str = "main"
    packages: tuple[tuple[str, str], ...] = ()
    wheels: tuple[tuple[str, str], ...] = ()
    wheels_page: str = ""

    @classmethod
    def of(cls, shown: Manifest) -> Place:
        """Where what Sphinx wrote will be published."""
        book, wheels = shown.book, tuple(shown.wheels.items())
        return cls(book.site, book.repository, book.branch, tuple(shown.packages), wheels, shown.wheels_page)

    @property
    def requirements(self) -> list[str]:
        """What pip installs the book's packages from, in the repository; nothing without one."""
        if not self.repository:
            return []
        address = f"git+{self.repository}@{self.branch}#subdirectory="
        return [f"{package} @ {address}{folder}" for package, folder in self.packages]

    @property
    def _complete(self) -> bool:
        """Whether the site has a wheel of each package."""
        return len(self.wheels) == len(self.packages)

    @property
    def _addresses(self) -> list[str]:
        """What pip installs the book's packages from: the notebook's own site, or the repository."""
        if self.site and self._complete:
            folder = f"{self.site.rstrip('/')}/{PACKAGES}"
            return [f"{package} @ {folder}/{file}" for package, file in self.wheels]
        return self.requirements

    def setup(self) -> str:
        """The program of a notebook's first cell."""
        if not self.packages:
            return ""
        names = [split(package)[0] for package, _ in self.packages]
        folders = " ".join(f"'./{folder}{split(package)[1]}'" for package, folder in self.packages)
        more = ""
        if addresses := self._addresses:
            install = INSTALL.format(requirements=" ".join(f"'{one}'" for one in addresses))
        elif self._complete:
            more = "from pathlib import Path\n"
            files = [file for _, file in self.wheels]
            beside = " ".join(f"'./{file}{split(package)[1]}'" for package, file in self.wheels)
            install = BESIDE.format(
                names=json.dumps(files), page=self.wheels_page or PACKAGES, folders=folders
            )
            install += INSTALL.format(requirements=beside)
        else:
            install = REFUSE.format(folders=folders)
        modules = f"the package {names[0]}" if len(names) == 1 else f"the packages {' and '.join(names)}"
        return SETUP.format(modules=modules, module=names[-1], more=more) + install


#: A notebook, or a cell of it, as its file has it.
Json: TypeAlias = dict[str, Any]


# ---- cells ----


def number_widgets(notebook: Json) -> None:
    """Number the widgets, whose names are drawn by chance, in the order in which the cells show them.

    Explorers get a still, for where a notebook is only looked at.
    """
    widgets = notebook["metadata"].pop("widgets", None)
    if not widgets:
        return
    states = widgets[STATE]["state"]
    shown = [
        output["data"]
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if VIEW in output.get("data", {})
    ]
    numbers: dict[str, str] = {}

    def number(model: str) -> None:
        if model in states and model not in numbers:
            numbers[model] = f"widget-{len(numbers) + 1}"
            for part in re.findall(r"IPY_MODEL_([\w-]+)", json.dumps(states[model], sort_keys=True)):
                number(part)

    for data in shown:
        if "_esm" in (state := states.get(data[VIEW]["model_id"], {}).get("state", {})):
            data["image/svg+xml"] = stills.draw(state).svg
    for view in (data[VIEW] for data in shown):
        number(view["model_id"])
        view["model_id"] = numbers.get(view["model_id"], view["model_id"])
    kept = json.dumps({model: states[model] for model in numbers})
    renamed = re.sub("|".join(numbers), lambda match: numbers[match[0]], kept)
    notebook["metadata"]["widgets"] = {STATE: widgets[STATE] | {"state": json.loads(renamed)}}


def said(cell: Json) -> dict[str, str]:
    """The numbers that a cell hands to sentences, by their names."""
    return {
        output["metadata"]["scrapbook"]["name"]: ast.literal_eval(output["data"][f"{GLUED}text/plain"])
        for output in cell["outputs"]
        if "scrapbook" in output.get("metadata", {})
    }


def markdown_cell(text: str) -> Json:
    """A cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code_cell(source: str, count: int | None = None) -> Json:
    """A cell of program text, without outputs."""
    return {"cell_type": "code", "metadata": {}, "source": source, "execution_count": count, "outputs": []}


def cell_for_readers(cell: Json, place: Cell, reader: Reader) -> Json:
    """A cell with the outputs that are to be seen, collapsed if its page does not show it."""
    made = code_cell(cell["source"], cell["execution_count"])
    shown = place.element.find_class("cell_output")
    alt = next((image.get("alt") for image in place.element.iter("img") if image.get("alt")), "")
    for output in cell["outputs"]:
        data = output.get("data", {})
        if any(kind.startswith(GLUED) for kind in data):
            continue
        if "text/markdown" in data:
            data["text/markdown"] = reader.joined(piece for box in shown for piece in reader.blocks(box))
        if "text/plain" in data:
            data["text/plain"] = re.sub(r" at 0x[0-9a-f]+", "", data["text/plain"])
        for kind in data.keys() & {"image/svg+xml", "image/png"}:
            output["metadata"].setdefault(kind, {})["alt"] = alt
        made["outputs"].append(output)
    if place.folded or WAITS in classes(place.element):
        made["metadata"]["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
    if numbers := said(cell):
        made["metadata"]["said"] = numbers
    return made


def notebook(page: HtmlElement, executed: Json, name: str, place: Place) -> Json:
    """The notebook for readers: the text of the finished page `name`, and the cells of what was run."""
    address = f"{place.site.rstrip('/')}/{name}.html" if place.site else ""
    reader = Reader(address)
    number_widgets(executed)
    code = iter([cell for cell in executed["cells"] if cell["cell_type"] == "code"])
    made: list[Json] = []
    text: list[str] = []

    def close() -> None:
        if text:
            made.append(markdown_cell("\n\n".join(text)))
            text.clear()

    for piece in reader.blocks(page.xpath("//article[contains(@class, 'bd-article')]")[0]):
        if isinstance(piece, Cell):
            close()
            made.append(cell_for_readers(next(code), piece, reader))
            continue
        if piece.startswith("#"):
            close()
        text.append(piece)
        if piece.startswith("# "):
            text.append(about(address))
            close()
            if first := place.setup():
                made.append(code_cell(first))
    close()
    if next(code, None):
        raise ValueError(f"{name}: the page has fewer cells than its notebook")
    for number, cell in enumerate(made):
        cell["id"] = f"cell-{number}"
    kept = ("kernelspec", "language_info", "widgets")
    metadata = {key: executed["metadata"][key] for key in kept if key in executed["metadata"]}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def about(address: str) -> str:
    """Where a notebook is from, and how it is used."""
    page = f"[a page]({address})" if address else "a page"
    return (
        f"This notebook is {page} of its book, with the cells that the page hides: they are collapsed. "
        "To move the sliders, run all cells."
    )


def finish(page: HtmlElement, executed: str, name: str, place: Place) -> str:
    """The file of a reader's notebook, from a page and the file of the notebook that was run for it."""
    read = nbformat.reads(executed, as_version=4)  # type: ignore[no-untyped-call]  # joins what is in lines
    made = notebook(page, read, name, place)
    nbformat.validate(made)
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
