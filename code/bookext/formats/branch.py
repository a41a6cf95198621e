"""The branch of notebooks, which Colab and Binder open.

Colab opens nothing but ``.ipynb`` files of a repository, and the sources have none. So the build leaves a
folder (``_build/notebooks``) with the readers' notebooks and what Binder installs for them, and the workflow
publishes it as a branch of its own. Without the repository's address there is none.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from bookext.formats.notebooks import Place


def write(site: Path, names: Iterable[str], place: Place, folder: Path) -> None:
    """Make the folder that is published as the branch: the notebooks of a `site`, and what runs them."""
    shutil.rmtree(folder, ignore_errors=True)
    if not place.repository:
        return
    for name in names:
        source = site / "_sources" / f"{name}.ipynb"
        if source.is_file():
            target = folder / f"{name}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    (folder / "requirements.txt").write_text(
        "".join(f"{one}\n" for one in place.requirements), encoding="utf-8"
    )
    (folder / "runtime.txt").write_text("python-3.11\n", encoding="utf-8")
    readme = f"The notebooks of a book, as its build makes them of [its sources]({place.repository}).\n"
    (folder / "README.md").write_text(readme, encoding="utf-8")
