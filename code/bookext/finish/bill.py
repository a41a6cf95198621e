"""A bill of materials of what the site ships: each program and font that others made, with its files' hashes.

In the form of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), as ``bom.json`` at the site's top. It
takes the place of `integrity` attributes: on a page that is opened from the disk, browsers refuse a script
that has one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bookext.book import PACKAGES, Book


@dataclass(frozen=True)
class Source:
    """Where files of ``_static`` come from; without a version, it is that of the installed Python package."""

    name: str
    licenses: str
    files: str
    package: str = ""
    version: str = ""

    @property
    def purl(self) -> str:
        """The package's universal name."""
        kind, _, name = self.package.partition("/")
        return f"pkg:{kind}/{name.replace('@', '%40', 1)}@{self.known_version}"

    @property
    def known_version(self) -> str:
        """The version, of a Python package the installed one."""
        return self.version or version(self.package.partition("/")[2])


#: Licenses are names of SPDX. The first that fits a file is its source.
SOURCES = (
    Source("MiniSearch", "MIT", "minisearch/*", "npm/minisearch", "7.2.0"),
    Source("jsep", "MIT", "jsep/*", "npm/jsep", "1.6.0"),
    Source("STIX Two Math", "OFL-1.1", "fonts/stix-two-math*", "npm/@fontsource/stix-two-math", "5.3.0"),
    Source("Source Sans", "OFL-1.1", "fonts/waves-sans* fonts/OFL-sans.txt", "npm/source-sans", "3.52.0"),
    Source("STIX Two Text", "OFL-1.1", "fonts/*", "npm/@fontsource/stix-two-text", "5.3.0"),
    Source(
        "Font Awesome Free",
        "CC-BY-4.0 OFL-1.1 MIT",
        "icons.woff scripts/fontawesome.js.LICENSE.txt",
        "npm/@fortawesome/fontawesome-free",
        "6.5.2",
    ),
    Source("Bootstrap", "MIT", "scripts/bootstrap.*", "npm/bootstrap", "5.3.3"),
    Source("clipboard.js", "MIT", "clipboard.min.js", "npm/clipboard", "2.0.8"),
    Source("PyData theme", "BSD-3-Clause", "scripts/pydata-*", "pypi/pydata-sphinx-theme"),
    Source("Book theme", "BSD-3-Clause", "scripts/sphinx-book-* images/logo_*", "pypi/sphinx-book-theme"),
    Source(
        "sphinx-copybutton",
        "MIT",
        "copybutton.js copybutton_funcs.js check-solid.svg copy-button.svg",
        "pypi/sphinx-copybutton",
    ),
    Source("sphinx-togglebutton", "MIT", "togglebutton.js", "pypi/sphinx-togglebutton"),
    Source("sphinx-design", "MIT", "design-tabs.js", "pypi/sphinx-design"),
    Source(
        "Sphinx",
        "BSD-2-Clause",
        "doctools.js documentation_options.js language_data.js sphinx_highlight.js "
        "file.png minus.png plus.png",
        "pypi/sphinx",
    ),
)


def source_of(name: str, sources: Iterable[Source] = SOURCES) -> Source | None:
    """Where a file of ``_static`` comes from; None if it is the book's own, as its packages are.

    >>> source_of("minisearch/minisearch.js").name
    'MiniSearch'
    >>> source_of("host.js")
    >>> source_of("new/program.js")
    Traceback (most recent call last):
        ...
    ValueError: bookext/finish/bill.py does not say where _static/new/program.js comes from
    """
    if f"_static/{name}".startswith(f"{PACKAGES}/"):
        return None
    for source in sources:
        if any(fnmatch(name, pattern) for pattern in source.files.split()):
            return source
    if "/" in name:
        raise ValueError(f"bookext/finish/bill.py does not say where _static/{name} comes from")
    return None


def listed(folder: Path, more: Iterable[Source] = ()) -> Iterator[tuple[Source | None, dict[str, Any]]]:
    """Each file of the folder ``_static``, with where it comes from; there may be `more` sources."""
    sources = (*SOURCES, *more)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        hashes = [{"alg": "SHA-256", "content": digest}]
        yield source_of(name, sources), {"type": "file", "name": f"_static/{name}", "hashes": hashes}


def components(
    files: list[tuple[Source | None, dict[str, Any]]], sources: Iterable[Source]
) -> list[dict[str, Any]]:
    """The entries of those `sources` that have files."""
    return [
        {
            "type": "library",
            "bom-ref": source.purl,
            "name": source.name,
            "version": source.known_version,
            "licenses": [{"license": {"id": name}} for name in source.licenses.split()],
            "purl": source.purl,
            "components": found,
        }
        for source in sources
        if (found := [file for owner, file in files if owner == source])
    ]


def measured(model: dict[str, Any]) -> dict[str, Any]:
    """The entry of a model that was measured, and is not shipped.

    >>> entry = measured({"name": "A", "license": "MIT", "package": "a 1.0", "sha256": "0f"})
    >>> entry["purl"], entry["scope"]
    ('pkg:pypi/a@1.0', 'excluded')
    """
    package, version = model["package"].split(" ")
    purl = f"pkg:pypi/{package}@{version}"
    return {
        "type": "machine-learning-model",
        "bom-ref": purl,
        "name": model["name"],
        "version": version,
        "scope": "excluded",
        "hashes": [{"alg": "SHA-256", "content": model["sha256"]}],
        "licenses": [{"license": {"id": model["license"]}}],
        "purl": purl,
    }


def bill(site: Path, book: Book) -> str:
    """The bill of materials of a finished site."""
    files = list(listed(site / "_static"))
    own = [file for owner, file in files if owner is None]
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "book",
                "name": book.title,
                "version": book.version,
                "components": own,
            }
        },
        "components": components(files, SOURCES) + [measured(model) for model in book.models],
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"
