"""Where a page's notebook can be run with one click: buttons that open the branch of notebooks.

Without the repository's address there are none. What the branch holds is in `bookext.formats.branch`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from sphinx.application import Sphinx

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
