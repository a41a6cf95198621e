"""The book's packages in its site: wheels that are the same each time, links to them, true commands."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from harness import REPOSITORY
from lxml.html import HtmlElement, document_fromstring

from bookext.book import PACKAGES, split
from bookext.data_files import read_yaml
from bookext.sphinx import packages

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
include = ["**"]

[tool.hatch.build.targets.wheel.sources]
"" = "{name}"
"""


class Book:
    """A folder with two packages, of which one has no project file; and the folder of a site."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.target = folder, folder / "site/packages"
        for name in ("some-tool", "loose"):
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text("one = 1\n")
        self.version("1.0")

    def version(self, number: str) -> None:
        (self.folder / "some-tool/pyproject.toml").write_text(
            PROJECT.format(name="some-tool", version=number)
        )

    def build(self) -> dict[str, str]:
        named = {"some-tool[all]": "some-tool", "loose": "loose"}
        return packages.build(self.folder, named, self.target, self.folder / "mark")

    def files(self) -> dict[str, str]:
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.target.iterdir()}


@pytest.fixture
def book(tmp_path) -> Book:
    (tmp_path / "one").mkdir()
    return Book(tmp_path / "one")


def test_a_wheel_is_the_same_for_the_same_sources(book, tmp_path):
    assert book.build() == {"some-tool[all]": "some_tool-1.0-py3-none-any.whl"}
    (tmp_path / "two").mkdir()
    other = Book(tmp_path / "two")
    (other.folder / "some-tool/__init__.py").chmod(0o600)
    (other.folder / "some-tool/__pycache__").mkdir()
    (other.folder / "some-tool/__pycache__/__init__.cpython-311.pyc").write_bytes(b"compiled")
    other.build()
    assert other.files() == book.files()


def test_a_wheel_is_built_again_if_its_sources_or_the_wheel_have_changed_and_not_otherwise(book, monkeypatch):
    name = book.build()["some-tool[all]"]
    first = book.files()
    with monkeypatch.context() as patch:
        patch.setattr("hatchling.builders.wheel.WheelBuilder.build", None)
        assert book.build() == {"some-tool[all]": name}
        (book.target / name).unlink()
        with pytest.raises(TypeError):
            book.build()
    book.build()
    assert book.files() == first
    (book.folder / "some-tool/__init__.py").write_text("two = 2\n")
    book.build()
    assert book.files().keys() == first.keys()
    assert book.files() != first
    book.version("1.1")
    book.build()
    assert list(book.files()) == ["some_tool-1.1-py3-none-any.whl"], "an old wheel is no longer there"


# ---- the wheels of the site ----


def declared() -> dict[str, str]:
    """Package, with extras, and its folder, as the settings have them."""
    read = read_yaml(REPOSITORY / "_config.yml")
    return read["sphinx"]["config"]["bookext_packages"]


def wheel_of(site, package: str) -> Path:
    [path] = (site.root / PACKAGES).glob(f"{split(package)[0]}-*-py3-none-any.whl")
    return path


@pytest.mark.parametrize("package", declared())
def test_a_wheel_has_its_sources_byte_by_byte(site, package):
    name, folder = split(package)[0], REPOSITORY / declared()[package]
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    tracked = subprocess.run(listed, cwd=folder, capture_output=True, text=True, check=True).stdout
    left_out = ("pyproject.toml", "README.md")  # those of the folders are for who works on them
    wanted = {f"{name}/{path}" for path in tracked.split("\0") if path and Path(path).name not in left_out}
    with zipfile.ZipFile(wheel_of(site, package)) as wheel:
        found = {one for one in wheel.namelist() if ".dist-info/" not in one}
        assert found == wanted
        assert not [
            one for one in found if wheel.read(one) != (folder / one.partition("/")[2]).read_bytes()
        ], "the site was built of other sources"
        [record] = (one for one in wheel.namelist() if one.endswith(".dist-info/RECORD"))
        for path, said, _ in csv.reader(io.StringIO(wheel.read(record).decode())):
            if said:
                digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(path)).digest())
                assert said == "sha256=" + digest.rstrip(b"=").decode()


@pytest.mark.parametrize("package", declared())
def test_a_wheel_installs(site, package, tmp_path):
    name = split(package)[0]
    uv = str(Path(sys.executable).with_name("uv"))
    install = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--target", str(tmp_path)]
    subprocess.run([*install, str(wheel_of(site, package))], check=True)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {name}; print({name}.__file__)"
    ran = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert Path(ran.stdout.strip()) == tmp_path / name / "__init__.py"


def page(site, name: str) -> tuple[Path, HtmlElement]:
    path = site.root / f"{name}.html"
    return path, document_fromstring(path.read_bytes())


def commands(tree: HtmlElement) -> list[list[str]]:
    """What the page's programs of the shell hand to pip install."""
    lines = [line for block in tree.xpath("//pre") for line in block.text_content().splitlines()]
    return [
        shlex.split(line.partition(" install ")[2])
        for line in lines
        if re.match(r"python -m pip install", line)
    ]


def test_a_page_offers_each_wheel_and_the_command_that_installs_it(site):
    path, tree = page(site, "book/api")
    linked = {(path.parent / address).resolve() for address in tree.xpath("//article//a/@href")}
    wheels = {split(package)[0]: wheel_of(site, package) for package in declared()}
    assert set(wheels.values()) <= linked
    asked = commands(tree)
    assert [f"./{wheels['posenc'].name}"] in asked
    assert [f"./{wheels[name].name}" for name in ("posenc", "posread")] in asked
    assert [f"./{wheels[name].name}" for name in ("posenc", "posread")] + [
        f"./{wheels['wavebook'].name}[notebooks]"
    ] in asked
    for place in (place for command in asked for place in command):
        assert split(place)[0] in {f"./{wheel.name}" for wheel in wheels.values()}


def test_each_notebook_names_the_wheels_or_an_address(site):
    for path in sorted((site.root / "_sources").rglob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        for package in declared():
            assert wheel_of(site, package).name in text or " @ git+http" in text, path.name
