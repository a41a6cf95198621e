"""What a notebook reads of its project: the modules it imports, the files it opens, the folders it lists.

Runs inside the kernel, and so imports nothing but the standard library. :func:`start` comes before the first
cell, :func:`files` and :func:`packages` come after the last one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: The environment variable by which a notebook knows that what it shows becomes a page.
FOR_PAGE = "BOOKEXT_FOR_PAGE"

_opened: set[str] = set()
_listed: set[str] = set()
_IMPORTING = "<frozen importlib._bootstrap_external>"


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what is opened for reading, and which folders are listed other than in search of a module."""
    if event == "open":
        name, _, flags = arguments
        if isinstance(name, (str, bytes)) and not flags & (os.O_WRONLY | os.O_RDWR):
            _opened.add(os.path.abspath(os.fsdecode(name)))
    elif event in ("os.listdir", "os.scandir"):
        name = arguments[0]
        if isinstance(name, (str, bytes)) and sys._getframe(1).f_code.co_filename != _IMPORTING:
            _listed.add(os.path.abspath(os.fsdecode(name)))


def start() -> None:
    """Begin to watch this process; it cannot be stopped again, and is called once."""
    os.environ[FOR_PAGE] = "1"
    sys.addaudithook(_watch)


def packages() -> list[str]:
    """Every top-level module and package that is imported."""
    return sorted({name.partition(".")[0] for name in sys.modules})


def _within(name: str, places: Iterable[str]) -> bool:
    """Whether a path is one of the places, or in one; by their texts, since there are thousands of paths."""
    name = os.path.normcase(name)
    return any(name == place or name.startswith(place + os.sep) for place in map(os.path.normcase, places))


def files(book: str) -> list[str]:
    """Every file and folder of the project that was read since :func:`start`; folders end in a slash.

    The project is the folder `book`, without what builds leave in it, and every package that is imported from
    elsewhere than the installation, such as one installed editable. This extension is not part of it.
    """
    top = str(Path(book).resolve())
    us = str(Path(__file__).resolve().parents[1])
    installed = {sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)}
    modules: set[str] = set()
    homes = {top}
    for name, module in list(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if not source or "<" in source:
            continue
        path = os.path.abspath(source)
        if not path.endswith(".py") or _within(path, {us, *installed}):
            continue
        modules.add(path)
        package = sys.modules.get(name.partition(".")[0])
        homes |= {os.path.abspath(place) for place in getattr(package, "__path__", [])}
    left_by_builds = {
        os.path.join(top, "_build"),
        us,
        *(place for place in installed if _within(place, [top])),
    }

    def ours(name: str) -> bool:
        return (
            _within(name, homes)
            and "__pycache__" not in Path(name).parts
            and not _within(name, left_by_builds)
        )

    read = modules | {name for name in _opened if ours(name) and os.path.isfile(name)}
    return sorted(read | {name + "/" for name in _listed if ours(name) and os.path.isdir(name)})
