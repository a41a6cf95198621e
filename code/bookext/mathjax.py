"""MathJax among the site's files, so that no page asks another host for it.

It comes from the wheel sphinx-mathjax-offline 0.0.2, pinned, whose files are those of the npm package mathjax
3.2.2, folder ``es5``; the hash below was taken of that package.
"""

from __future__ import annotations

import hashlib
import shutil
from importlib.metadata import distribution
from pathlib import Path

#: Of MathJax's 24 MB, what a page may ask for: TeX in, HTML out, MathML for screen readers; the extensions
#: that \\require loads; and the menu, when a reader asks for it. Its ready-made bundle is a third heavier.
PARTS = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions",
    "output/chtml.js",
    "output/chtml/fonts",
    "a11y/assistive-mml.js",
    "ui/menu.js",
)
#: Of the names and contents of all files in those parts.
SHA256 = "f6cf0930b8c0cfe3d77fa5efb72c45a3e14bff3e3ab543c983ee1e24735b2d59"


def source() -> Path:
    """The folder of the installed MathJax."""
    wheel = distribution("sphinx-mathjax-offline")
    return Path(str(wheel.locate_file("sphinx-mathjax-offline/static/mathjax")))


def sha256(folder: Path) -> str:
    """The hash of MathJax's parts in a folder."""
    total = hashlib.sha256()
    for part in PARTS:
        place = folder / part
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def copy(target: Path) -> None:
    """Copy the parts to a folder, if they are what they should be."""
    folder = source()
    found = sha256(folder)
    if found != SHA256:
        raise ValueError(f"the installed MathJax in {folder} has the hash {found}, not {SHA256}")
    for part in PARTS:
        place = target / part
        place.parent.mkdir(parents=True, exist_ok=True)
        if (folder / part).is_dir():
            shutil.copytree(folder / part, place, dirs_exist_ok=True)
        else:
            shutil.copy(folder / part, place)
