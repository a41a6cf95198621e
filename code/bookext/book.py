"""What is known of the book as a whole, read once and passed on as ``bookext.json`` in Sphinx's output.

Sphinx has read the settings and the table of contents; `bookext.sphinx.extension` writes down what of them
the later steps need. So the PDF and the EPUB describe the site that was built, and not sources that have
changed since.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bookext.data_files import read_yaml

#: The file in the folder of Sphinx's output.
NAME = "bookext.json"

#: Where the site has the wheels of the book's own packages.
PACKAGES = "_static/packages"

#: The picture for previews elsewhere, and for covers, from the site's top.
CARD = "_static/card.png"

#: How our own style sheets name the colors of a book's palette: ``var(--palette-ink)``.
PALETTE = "palette"


@dataclass(frozen=True)
class Book:
    """What a book says of itself beside its pages; an address is "" if there is none."""

    title: str
    author: str = ""
    language: str = "en"
    #: What the first page says of the whole, in a sentence.
    description: str = ""
    #: The lines under the title.
    subtitle: str = ""
    rights: str = ""
    #: The first page: "book/intro.html".
    root: str = "index.html"
    #: Caption, which may be "", and pages of each part.
    parts: list[tuple[str, list[str]]] = field(default_factory=list)
    site: str = ""
    repository: str = ""
    branch: str = "main"
    version: str = ""
    #: A day.
    released: str = ""
    licenses: list[str] = field(default_factory=list)
    #: For whom a part is, by its caption; with "" for all others.
    levels: dict[str, str] = field(default_factory=dict)
    words_a_minute: int = 200
    #: Models of others that were measured and are not shipped: name, license, package and sha256 of each.
    models: list[dict[str, Any]] = field(default_factory=list)
    #: The caption of the part whose pages are named at the foot of each page, and not beside it.
    foot: str = ""
    #: Documents that a PDF and an EPUB leave out.
    online_only: list[str] = field(default_factory=list)
    #: What the names of the custom properties that have its colors begin with.
    palette: str = PALETTE

    def address(self, name: str) -> str:
        """The whole address of a file of the site; "" if the site has none."""
        return f"{self.site.rstrip('/')}/{name}" if self.site else ""

    @property
    def slug(self) -> str:
        """The title as a name of files.

        >>> Book("Waves & Tides, again").slug
        'waves-tides-again'
        """
        return "-".join(re.findall(r"\w+", self.title.lower()))

    def documents(self) -> list[tuple[str, list[str]]]:
        """The names of the documents of a printed book, part by part; what has no caption comes first.

        >>> parts = [("", ["t.html"]), ("One", ["a.html", "b.html"])]
        >>> Book("A", root="i.html", parts=parts, online_only=["b"]).documents()
        [('', ['i', 't']), ('One', ['a'])]
        """
        front = [self.root, *(page for caption, pages in self.parts for page in pages if not caption)]
        parts = [("", front), *(part for part in self.parts if part[0])]
        left_out = {f"{name}.html" for name in self.online_only}
        printed = [
            (caption, [page.removesuffix(".html") for page in pages if page not in left_out])
            for caption, pages in parts
        ]
        return [(caption, names) for caption, names in printed if names]


@dataclass(frozen=True)
class Manifest:
    """What of Sphinx's output is the site, which also holds what earlier builds left in it."""

    book: Book
    pages: list[str]
    #: Files beside the pages.
    files: list[str] = field(default_factory=list)
    #: Role -> light color.
    colors: dict[str, str] = field(default_factory=dict)
    #: What the notebooks import, with extras, and its folders in the repository.
    packages: list[tuple[str, str]] = field(default_factory=list)
    #: Those of them, with extras, that the site has a wheel of, and its file in the folder `PACKAGES`.
    wheels: dict[str, str] = field(default_factory=dict)
    #: The page that offers the wheels: "book/api.html"; "" if none does.
    wheels_page: str = ""
    #: What readers type for a section, by page and by the section's id.
    search: dict[str, dict[str, str]] = field(default_factory=dict)
    #: What earlier editions had names for, and what is said of where that is (`bookext.finish.moved`).
    addresses: dict[str, list[str]] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    #: What symbols of displayed formulas mean, by page and by how they read (`bookext.finish.symbols`).
    symbols: dict[str, dict[str, Any]] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Leave it in the `folder` of Sphinx's output."""
        (folder / NAME).write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")


def manifest(folder: Path) -> Manifest:
    """What Sphinx has left in its `folder`."""
    read: dict[str, Any] = json.loads((folder / NAME).read_text(encoding="utf-8"))
    book = read["book"] | {"parts": [(caption, pages) for caption, pages in read["book"]["parts"]]}
    packages = [(package, place) for package, place in read["packages"]]
    return Manifest(**read | {"book": Book(**book), "packages": packages})


def built(folder: Path) -> tuple[Book, Path]:
    """The book in a folder, and its built site; without one, who runs the program is told how to get it."""
    site = (folder / "_build/html").resolve()
    if not (site / "index.html").is_file():
        raise SystemExit("There is no site in _build/html: run `make book` first.")
    return manifest(folder / "_build/sphinx").book, site


def colored(text: str, palette: str) -> str:
    """A style sheet of ours, or what has styles in it, with the names that a book gives to its colors.

    >>> colored("p { color: var(--palette-ink) }", "sea")
    'p { color: var(--sea-ink) }'
    """
    return text.replace(f"var(--{PALETTE}-", f"var(--{palette}-")


def split(package: str) -> tuple[str, str]:
    """A package's name and its extras.

    >>> split("shapes[all]"), split("tool")
    (('shapes', '[all]'), ('tool', ''))
    """
    name, bracket, extras = package.partition("[")
    return name, bracket + extras


def citation(path: Path) -> dict[str, Any]:
    """What a CITATION.cff says of subtitle, version, day and licenses, if there is one."""
    if not path.is_file():
        return {}
    read = read_yaml(path)
    licenses = read.get("license", [])
    return {
        "subtitle": str(read.get("title", "")).partition(": ")[2],
        "version": str(read.get("version", "")),
        "released": str(read.get("date-released", "")),
        "licenses": [licenses] if isinstance(licenses, str) else licenses,
    }
