"""Where a page's notebook can be run with one click, and the branch that makes it possible.

Colab opens nothing but ``.ipynb`` files of a repository, and the sources have none. So the build leaves a
folder (``_build/notebooks``) with the readers' notebooks and what Binder installs for them, and the workflow
publishes it as a branch of its own, `BRANCH`. Without the repository's address there is neither.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from sphinx.application import Sphinx

from bookext.formats.notebooks import Place

#: The branch whose files are the readers' notebooks.
BRANCH = "notebooks"


def links(repository: str, name: str) -> dict[str, str]:
    """Service -> the address that opens the notebook of the page `name` there.

    >>> for address in links("https://github.com/o/r", "book/a").values():
    ...     print(address)
    https://colab.research.google.com/github/o/r/blob/notebooks/book/a.ipynb
    https://mybinder.org/v2/gh/o/r/notebooks?urlpath=lab/tree/book/a.ipynb
    """
    parts = urlsplit(repository)
    if parts.netloc != "github.com":  # Colab knows no other host
        where = quote(repository, safe="")
        return {"Binder": f"https://mybinder.org/v2/git/{where}/{BRANCH}?urlpath=lab/tree/{name}.ipynb"}
    project = parts.path.strip("/")
    return {
        "Colab": f"https://colab.research.google.com/github/{project}/blob/{BRANCH}/{name}.ipynb",
        "Binder": f"https://mybinder.org/v2/gh/{project}/{BRANCH}?urlpath=lab/tree/{name}.ipynb",
    }


def group(repository: str, name: str) -> dict[str, Any]:
    """The links as the theme shows buttons."""
    pictures = {"Colab": "logo_colab.png", "Binder": "logo_binder.svg"}
    return {
        "type": "group",
        "tooltip": "Run this page",
        "icon": "fas fa-rocket",
        "label": "launch-buttons",
        "buttons": [
            {
                "type": "link",
                "text": service,
                "tooltip": f"Open the notebook in {service}",
                "icon": f"_static/images/{pictures[service]}",
                "url": address,
            }
            for service, address in links(repository, name).items()
        ],
    }


def changed_on(path: Path) -> str:
    """The day of a file's last commit, as in 2026-11-22; "" if git knows none."""
    command = ["git", "log", "-1", "--format=%cs", "--", path.name]
    try:
        return subprocess.run(command, cwd=path.parent, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:  # no git
        return ""


def offer(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Give a page its launch buttons, if the repository has an address."""
    repository = app.config.html_theme_options.get("repository_url", "")
    if repository and "kernelspec" in app.env.metadata.get(pagename, {}):
        context["header_buttons"].append(group(repository, pagename))


def date(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Give a page the day of its last change, if the repository has an address."""
    if app.config.html_theme_options.get("repository_url") and pagename in app.env.found_docs:
        context["last_updated"] = changed_on(Path(app.env.doc2path(pagename)))


def write_branch(site: Path, names: Iterable[str], place: Place, folder: Path) -> None:
    """Make the folder that is published as `BRANCH`: the notebooks of a `site`, and what runs them."""
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
