"""How notebooks are run: which cell failed, what a process reads, and which one comes first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from harness import HEADER
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from bookext import upstream
from bookext.run import notebooks

NOTEBOOK = (
    HEADER
    + """# Title

```{code-cell} python3
a = 1
```

Text.

```{code-cell} python3
:tags: [x]
b = a / 0
```
"""
)


def failed(folder: Path, index: int | None, error: Exception) -> str:
    (folder / "one.md").write_text(NOTEBOOK)
    notebook = upstream.read_notebook(folder / "one.md")
    run = notebooks._Run("one", notebook, folder, 300)
    run.index = index
    return str(run.failure(error))


def test_the_failing_cell_is_named(tmp_path):
    error = CellExecutionError("Traceback ...", "ZeroDivisionError", "division by zero")
    assert (
        failed(tmp_path, 3, error) == "one.md: cell 2 (line 14) failed: ZeroDivisionError: division by zero"
    )
    assert failed(tmp_path, 1, CellTimeoutError("Too long.\nMore")).endswith(
        "cell 1 (line 8) failed: CellTimeoutError: Too long."
    )


def test_a_notebook_that_does_not_start_is_named(tmp_path):
    assert (
        failed(tmp_path, None, DeadKernelError("Kernel died"))
        == "one.md: a cell failed: DeadKernelError: Kernel died"
    )


def test_a_page_without_a_kernel_is_no_notebook(tmp_path):
    (tmp_path / "page.md").write_text("# Title\n")
    assert upstream.read_notebook(tmp_path / "page.md") is None


# ---- what a process reads ----


def test_what_is_read_is_seen_and_what_is_written_or_installed_is_not(tmp_path):
    (tmp_path / "used.py").write_text("import yaml")
    (tmp_path / "package").mkdir()
    for name in ("package/__init__.py", "package/data.txt", "table.json", "other.txt"):
        (tmp_path / name).touch()
    script = """if True:
        from bookext.run import observe
        observe.start()
        import json, os, used, package
        from importlib.resources import files
        files("package").joinpath("data.txt").read_text()
        open("table.json").close()
        os.listdir("package")
        with open("other.txt", "w") as other: other.write("x")
        print("\\n".join(observe.files(".")))"""
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, text=True, stdout=subprocess.PIPE, check=True
    )
    seen = {
        os.path.relpath(name, tmp_path.resolve()) + "/" * name.endswith("/")
        for name in result.stdout.splitlines()
    }
    assert seen == {"used.py", "package/__init__.py", "package/data.txt", "table.json", "package/"}
