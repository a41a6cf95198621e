"""Each notebook of the site alone, with the site's wheels in a clean environment: `make test MARK=nightly`.

Slow, and so no part of `make test`, which runs one of them, with its own packages.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from harness import REPOSITORY, Site, chapters
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from bookext.book import PACKAGES
from bookext.formats import notebooks as readable
from bookext.upstream import look_for_replies

pytestmark = pytest.mark.nightly

look_for_replies()  # as the build does

#: What the book is built with.
LOCKED = REPOSITORY / "requirements.txt"
UV = [str(Path(sys.executable).with_name("uv"))]


def differences(notebook: Path, folder: Path, kernel: str = "python3") -> dict[str, tuple[str, str]]:
    """Run a notebook from top to bottom in a folder; by name, the numbers that its text says otherwise."""
    shutil.copy(notebook, folder)
    ran = nbformat.read(folder / notebook.name, as_version=4)
    before = {name: text for cell in ran.cells for name, text in cell.metadata.get("said", {}).items()}
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(ran, timeout=600, kernel_name=kernel, resources=place).execute()
    after = {
        name: text
        for cell in ran.cells
        if cell.cell_type == "code"
        for name, text in readable.said(cell).items()
    }
    names = before.keys() | after.keys()
    return {name: (before[name], after[name]) for name in names if before.get(name) != after.get(name)}


@contextlib.contextmanager
def kernel_with(home: Path, packages: list[str]) -> Iterator[str]:
    """The name of a kernel whose Python has some packages, what they need, and nothing else."""
    python = home / "environment/bin/python"
    make = ["venv", "--quiet", "--python", sys.executable, str(home / "environment")]
    pins = home / "pins.txt"
    pins.write_text("\n".join(line for line in LOCKED.read_text().splitlines() if "==" in line))
    install = ["pip", "install", "--quiet", "--python", str(python), "--constraints", str(pins)]
    for command in (make, [*install, "ipykernel", *packages]):
        subprocess.run([*UV, *command], cwd=REPOSITORY, check=True)
    kernel = home / "kernels/clean/kernel.json"
    kernel.parent.mkdir(parents=True)
    start = [str(python), "-I", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": start, "display_name": "clean", "language": "python"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(home))
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        yield "clean"


def wheels(site: Site) -> list[Path]:
    """The wheels that the site carries: of the tool, and of what the book shows with it."""
    return sorted((site.root / PACKAGES).glob("*.whl"))


@pytest.fixture(scope="module")
def clean(site, tmp_path_factory) -> Iterator[str]:
    """The name of a kernel whose Python has the wheels of the site, what they need, and nothing else."""
    *tools, book = wheels(site)
    packages = [*map(str, tools), f"wavebook[notebooks] @ {book.as_uri()}"]
    with kernel_with(tmp_path_factory.mktemp("clean"), packages) as name:
        yield name


@pytest.mark.parametrize("chapter", chapters())
def test_a_notebook_runs_alone_and_says_what_its_page_says(site, clean, chapter, tmp_path):
    assert not differences(site.notebook(chapter), tmp_path, clean)


def test_a_notebook_installs_the_wheels_beside_it(site, tmp_path, monkeypatch):
    """As its reader has it who has a Jupyter of their own, the notebook, and the two files."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONSTRAINT", str(tmp_path / "pins.txt"))
    with kernel_with(tmp_path, ["pip"]) as kernel:  # which writes these pins
        with pytest.raises(CellExecutionError, match=r"Download posenc-.* and wavebook-.* from book/api"):
            differences(site.notebook("book/tour"), folder, kernel)
        for wheel in wheels(site):
            shutil.copy(wheel, folder)
        assert not differences(site.notebook("book/tour"), folder, kernel)
