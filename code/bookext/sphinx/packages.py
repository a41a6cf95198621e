"""The book's own packages in its site: a wheel of each, links to them, and the commands that install them.

`build` makes the wheels of the setting `bookext_packages` before Sphinx begins. On a page,
``{wheel}`name` `` is a link to a package's wheel, and the directive ``pip-install`` the command that installs
the packages it names, with their extras or those of the setting, from wheels in the current folder.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from bookext.book import PACKAGES, split
from bookext.hashes import content_hash

logger = logging.getLogger(__name__)

#: Where a page's metadata say that it offers a wheel.
OFFERS = "bookext-wheels"


def install(wheels: Iterable[tuple[str, str]]) -> str:
    """What pip installs wheels in the current folder by: pairs of a package, with extras, and its file.

    >>> install([("tool", "tool-1.whl"), ("shapes[all]", "shapes-1.whl")])
    "./tool-1.whl './shapes-1.whl[all]'"
    """
    places = (f"./{file}{split(package)[1]}" for package, file in wheels)
    return " ".join(f"'{place}'" if "[" in place else place for place in places)


def build(book: Path, packages: Mapping[str, str], target: Path, mark: Path) -> dict[str, str]:
    """Build the packages' wheels into a folder, unless they are there; return the names of the files.

    A wheel is the same for the same sources: its files have a fixed date (or SOURCE_DATE_EPOCH) and order. Of
    `packages`, with extras, one whose folder has no ``pyproject.toml`` has no wheel. In `target` is nothing
    but the wheels, and the file `mark` remembers what they were built of.
    """
    folders = {name: book / place for name, place in packages.items()}
    folders = {name: folder for name, folder in folders.items() if (folder / "pyproject.toml").is_file()}
    made_of = content_hash(folders.values()) + version("hatchling")
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == made_of + content_hash([target])):
        shutil.rmtree(target, ignore_errors=True)
        if folders:
            from hatchling.builders.wheel import WheelBuilder  # as pip would, but without a network

            for folder in folders.values():
                list(WheelBuilder(str(folder)).build(directory=str(target), versions=["standard"]))
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(made_of + content_hash([target]), encoding="utf-8")
    found = {}
    for name in folders:
        [wheel] = target.glob(f"{re.sub(r'[-_.]+', '_', split(name)[0]).lower()}-*.whl")
        found[name] = wheel.name
    return found


def named(wheels: Mapping[str, str], name: str) -> tuple[str, str] | None:
    """The package of that name, with extras, and its wheel.

    >>> named({"shapes[all]": "shapes-1.whl"}, "shapes")
    ('shapes[all]', 'shapes-1.whl')
    """
    return next(((package, file) for package, file in wheels.items() if split(package)[0] == name), None)


class WheelRole(SphinxRole):
    """``{wheel}`name` ``: a link to the wheel of a package, which is the name of its file."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The link, relative to the page."""
        found = named(self.config.bookext_wheels, self.text)
        if found is None:
            logger.warning("bookext_packages has no wheel of %r", self.text, location=self.get_location())
            return [nodes.literal(self.text, self.text)], []
        self.env.metadata[self.env.docname][OFFERS] = True
        address = f"{'../' * self.env.docname.count('/')}{PACKAGES}/{found[1]}"
        link = nodes.reference(self.rawtext, "", nodes.literal(found[1], found[1]), refuri=address)
        link["internal"] = True
        return [link], []


class PipInstall(SphinxDirective):
    """``pip-install``: the command for the packages that its argument names, from wheels in a folder."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The command, as a program of the shell."""
        wheels = []
        for wanted in self.arguments[0].split():
            name, extras = split(wanted)
            if found := named(self.config.bookext_wheels, name):
                wheels.append((wanted if extras else found[0], found[1]))
            else:
                logger.warning("bookext_packages has no wheel of %r", name, location=self.get_location())
        command = f"python -m pip install {install(wheels)}"
        return [nodes.literal_block(command, command, language="bash")]


def page_of(app: Sphinx) -> str:
    """The first page, by name, that offers a wheel; "" if none does."""
    pages = sorted(name for name in app.env.found_docs if OFFERS in app.env.metadata[name])
    return app.builder.get_target_uri(pages[0]) if pages else ""


def setup(app: Sphinx) -> None:
    """Register the role and the directive with Sphinx."""
    # Set by bookext.build: package, with extras, and the name of its wheel. Pages say the names.
    app.add_config_value("bookext_wheels", {}, "env", dict)
    app.add_role("wheel", WheelRole())
    app.add_directive("pip-install", PipInstall)
