"""What a notebook reads of its project: the modules it imports, the files it opens, the folders it lists.

Runs inside the kernel, and so imports nothing but the standard library. :func:`start` comes before the first
cell, :func:`files` and :func:`packages` come after the last one.
"""

from __future__ import annotations

import os
import sys
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


def _installed(path: Path, places: tuple[Path, ...]) -> bool:
    return any(place in path.parents for place in places)


def files(book: str) -> list[str]:
    """Every file and folder of the project that was read since :func:`start`; folders end in a slash.

    The project is the folder `book`, without what builds leave in it, and every package that is imported from
    elsewhere than the installation, such as one installed editable. This extension is not part of it.
    """
    top = Path(book).resolve()
    us = Path(__file__).resolve().parents[1]
    installed = tuple({Path(sys.prefix), Path(sys.base_prefix), Path(os.__file__).parent})
    modules: set[Path] = set()
    homes = {top}
    for name, module in list(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if not source or "<" in source:
            continue
        path = Path(os.path.abspath(source))
        if path.suffix != ".py" or _installed(path, installed) or us in path.parents:
            continue
        modules.add(path)
        package = sys.modules.get(name.partition(".")[0])
        paths = list(getattr(package, "__path__", []))
        homes |= {Path(os.path.abspath(place)) for place in paths}
    left_by_builds = (top / "_build", us, *(place for place in installed if top in place.parents))

    def ours(name: str) -> bool:
        path = Path(name)
        return (
            any(home == path or home in path.parents for home in homes)
            and "__pycache__" not in path.parts
            and not any(place == path or place in path.parents for place in left_by_builds)
        )

    read = {str(path) for path in modules} | {name for name in _opened if ours(name) and os.path.isfile(name)}
    return sorted(read | {name + "/" for name in _listed if ours(name) and os.path.isdir(name)})
