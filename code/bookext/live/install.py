"""Put Python into a built site: the files that run it, the book's own package, and the buttons.

It can be done any number of times. Pages without a program that runs stay as they are; the others get a style
sheet, a script and the words of their exercises, and load nothing else before a reader asks for it.

Where a page has a policy for what it may load (Content-Security-Policy), that needs no exception: script,
worker and requests are the site's own, what is put into the page is data, and WebAssembly is compiled in the
worker, which is under the policy that the server sends with it, if any.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import shutil
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from bookext.book import PALETTE, colored
from bookext.finish import bill
from bookext.live import files, session
from bookext.pages import read, write
from bookext.sphinx.cells import WAITS

HERE = Path(__file__).parent
#: Files of our own by their names in the site, whose folder ``_static`` has them beside the book's others.
OWN = {"live.js": "page.js", "live.css": "live.css", "live-worker.js": "worker.js"}
MARK = "data-live"
#: What programs in a browser cannot import, or have no use for.
_LEFT_OUT = ("explorers", "pytorch.py", "__pycache__")


def runs_there(modules: Iterable[str], packages: Iterable[str]) -> bool:
    """Whether a browser has all of these modules.

    >>> runs_there(["math", "shapes.round"], ["shapes"]), runs_there(["torch"], ["shapes"])
    (True, False)
    """
    left_out = tuple(f"{package}.{Path(name).stem}" for package in packages for name in _LEFT_OUT)
    own = {*packages, *files.IMPORTS}
    return all(
        not module.startswith(left_out)
        and (module.partition(".")[0] in own or module.partition(".")[0] in sys.stdlib_module_names)
        for module in modules
    )


def cells_of(page: HtmlElement) -> list[HtmlElement]:
    """The cells of a page, as `page.js` finds them."""
    found: list[HtmlElement] = page.xpath(
        "//*[contains(concat(' ', @class, ' '), ' bd-article ')]"
        "//*[contains(concat(' ', @class, ' '), ' cell ')]"
    )
    return found


def source_of(cell: HtmlElement) -> str:
    """The program of a cell; none if it has no text."""
    found = cell.xpath(".//*[contains(@class, 'cell_input')]//pre")
    return str(found[0].text_content()).removesuffix("\n") if found else ""


def is_shown(cell: HtmlElement) -> bool:
    """Whether a page shows the program of a cell."""
    places = [cell, *cell.xpath(".//*[contains(@class, 'cell_input')]")]
    return len(places) > 1 and not any(WAITS in (place.get("class") or "").split() for place in places)


def mark_cells(page: HtmlElement, packages: list[str]) -> int:
    """Mark the cells that can run, and return how many there are."""
    cells = cells_of(page)
    sources = list(map(source_of, cells))
    count = 0
    for number, cell in enumerate(cells):
        cell.attrib.pop(MARK, None)
        if is_shown(cell) and runs_there(session.modules_needed(sources, number), packages):
            cell.set(MARK, "")
            count += 1
    return count


def mark_files(page: HtmlElement, packages: list[str]) -> int:
    """Mark the programs that ask for a file and can run, and return how many there are."""
    count = 0
    for place in page.xpath("//*[@data-ask-file]"):
        place.attrib.pop(MARK, None)
        program = json.loads(place.get("data-ask-file"))["program"]
        if runs_there(session.modules_needed([program], 0), packages):
            place.set(MARK, "")
            count += 1
    return count


def packed(packages: Iterable[Path]) -> bytes:
    """The book's packages and the session as an archive, the same each time."""
    stream = io.BytesIO()
    members = {"session.py": HERE / "session.py"}
    for package in packages:
        for path in sorted(package.rglob("*")):
            place = path.relative_to(package)
            if path.is_file() and not set(place.parts) & set(_LEFT_OUT):
                members[f"{package.name}/{place.as_posix()}"] = path
    with zipfile.ZipFile(stream, "w") as archive:
        for name, path in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return stream.getvalue()


def _stamped(static: Path, name: str) -> str:
    """The address of a file with a mark of its contents: a browser keeps it until it changes."""
    return f"{name}?v={hashlib.sha256((static / name).read_bytes()).hexdigest()[:8]}"


def write_files(
    site: Path, kept: Path, found: list[files.File], packages: list[Path], checks: str, palette: str
) -> dict[str, str]:
    """Write all files; return the addresses of our own, from ``_static``."""
    static = site / "_static"
    shutil.rmtree(static / "live", ignore_errors=True)
    folder = static / files.FOLDER
    folder.mkdir(parents=True)
    for file in found:
        shutil.copy(kept / file.name, folder / file.name)
    for name, own in OWN.items():
        text = colored((HERE / own).read_text(encoding="utf-8"), palette)
        (static / name).write_text(text, encoding="utf-8", newline="")
    (static / "live-book.zip").write_bytes(packed(packages))
    names = {file.package: file.name for file in found}
    settings = {
        "folder": f"{files.FOLDER}/",
        "book": _stamped(static, "live-book.zip"),
        "checks": checks,
        "bytes": {file.name: (folder / file.name).stat().st_size for file in found},
        "packages": {module: [names[name] for name in wanted] for module, wanted in files.IMPORTS.items()},
    }
    text = json.dumps(settings, indent=1)
    (static / "live-settings.json").write_text(text, encoding="utf-8", newline="")
    return {name: _stamped(static, name) for name in (*OWN, "live-settings.json")}


def equip(page: HtmlElement, name: str, addresses: dict[str, str], exercises: list[dict[str, str]]) -> None:
    """Give a page the style sheet, the script, and what the script must know."""
    for element in page.xpath("//*[@data-of-live]"):
        element.tail = None
        element.drop_tree()
    static = "../" * name.count("/") + "_static/"
    data = {
        "worker": static + addresses["live-worker.js"],
        "settings": static + addresses["live-settings.json"],
        "exercises": [one for one in exercises if page.xpath("//*[@id=$label]", label=one["label"])],
    }
    sheet = etree.Element("link", {"rel": "stylesheet", "href": static + addresses["live.css"]})
    known = etree.Element("script", {"type": "application/json", "id": "live-data"})
    known.text = json.dumps(data).replace("</", "<\\/")
    program = etree.Element("script", {"type": "text/late", "data-src": static + addresses["live.js"]})
    for element in (sheet, known, program):
        element.set("data-of-live", "")
        element.tail = "\n"
    page.find("head").append(sheet)
    late = page.xpath("//script[@type='text/late']")
    late[0].addprevious(known)
    late[0].addprevious(program)


def add_to_bill(site: Path, made: list[bill.Source]) -> None:
    """List what was added in the bill of materials."""
    path = site / "bom.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    billed = list(bill.listed(site / "_static", made))
    own = content["metadata"]["component"]["components"]
    own[:] = [entry for source, entry in billed if source is None]
    purls = {source.purl for source in made}
    content["components"] = [part for part in content["components"] if part["purl"] not in purls]
    content["components"] += bill.components(billed, made)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="")


def install(
    site: Path,
    kept: Path,
    found: list[files.File],
    packages: list[Path],
    checks: str,
    palette: str = PALETTE,
) -> int:
    """Put Python into the `site`; return how many of its programs run.

    What the names of the palette's custom properties begin with there is `palette`.
    """
    addresses = write_files(site, kept, found, packages, checks, palette)
    exercises = [asdict(task) for task in importlib.import_module(checks).tasks()] if checks else []
    count = 0
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        content = path.read_bytes()
        if b"cell_input" not in content and b"data-ask-file" not in content:
            continue
        page = read(content)
        names = [package.name for package in packages]
        here = mark_cells(page, names) + mark_files(page, names)
        if here:
            equip(page, name, addresses, exercises)
            path.write_text(write(page), encoding="utf-8")
            count += here
    add_to_bill(site, files.sources(found))
    return count
