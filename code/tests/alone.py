"""Each notebook of the site alone, with the package as a wheel in a clean environment: `make test-notebooks`.

Slow, and so no part of `make test`, which runs one of them, with its own packages.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from harness import REPOSITORY, chapters
from nbclient import NotebookClient

from bookext.formats import notebooks as readable
from bookext.upstream import look_for_replies

look_for_replies()  # as the build does

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


@pytest.fixture(scope="module")
def clean(tmp_path_factory) -> str:
    """The name of a kernel whose Python has the wheels of the packages, what they need, and nothing else."""
    home = tmp_path_factory.mktemp("clean")
    python = home / "environment/bin/python"
    locked = ["--build-constraints", "constraints.txt"]
    for command in (
        *(
            ["build", "--quiet", "--wheel", *locked, "--out-dir", home / "wheel", REPOSITORY / "code" / name]
            for name in ("posenc", "wavebook")
        ),
        ["venv", "--quiet", "--python", sys.executable, home / "environment"],
    ):
        subprocess.run([*UV, *map(str, command)], cwd=REPOSITORY, check=True)
    tool, book = sorted((home / "wheel").glob("*.whl"))
    packages = [str(tool), f"wavebook[notebooks] @ {book.as_uri()}", "ipykernel"]
    install = ["pip", "install", "--quiet", "--python", str(python), "--constraints", "constraints.txt"]
    subprocess.run([*UV, *install, *packages], cwd=REPOSITORY, check=True)
    kernel = home / "kernels/clean/kernel.json"
    kernel.parent.mkdir(parents=True)
    start = [str(python), "-I", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": start, "display_name": "clean", "language": "python"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(home))
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        yield "clean"


@pytest.mark.parametrize("chapter", chapters())
def test_a_notebook_runs_alone_and_says_what_its_page_says(site, clean, chapter, tmp_path):
    assert not differences(site.notebook(chapter), tmp_path, clean)
