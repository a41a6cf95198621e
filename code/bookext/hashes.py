"""By what a change is seen: a hash of files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


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
