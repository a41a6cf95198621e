"""By what a change is seen: a hash of files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

#: In folders, what editors, Python, builds and tools leave: names that begin so.
LEFT = (".", "__pycache__", "_build", "node_modules")


def content_hash(places: Iterable[Path]) -> str:
    """A hash of the files that `places` are or contain, and of their names."""
    total = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            left_by_tools = any(part.endswith(("__pycache__", ".egg-info")) for part in path.parts)
            if path.is_file() and not left_by_tools:
                name = path.relative_to(place.parent).as_posix()
                total.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def sources_hash(folders: Iterable[Path]) -> str:
    """A hash of the files in `folders`, and of their names, but for what editors, builds and tools leave."""
    total = hashlib.sha256()
    for folder in folders:
        for here, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith(LEFT))
            for path in (Path(here, name) for name in sorted(names) if not name.startswith(LEFT)):
                if path.is_file():
                    total.update(f"{path}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
