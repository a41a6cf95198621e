"""What took long to make, kept for the next build, which makes again only what is made of something else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path


class Kept:
    """Results in a folder, under hashes of what they were made of; without a folder, nothing is kept.

    The folder is made. They depend on what they are `made_with`, too: what stands for the programs.

    >>> Kept().get("shout", ["so"], lambda: b"SO")
    b'SO'
    """

    def __init__(self, folder: Path | None = None, made_with: str = "") -> None:
        self._folder, self._made_with = folder, made_with
        #: What was asked for.
        self.used: set[str] = set()

    def _path(self, kind: str, of: list[str | bytes]) -> Path:
        parts = [part.encode() if isinstance(part, str) else part for part in (self._made_with, kind, *of)]
        key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
        self.used.add(key)
        return (self._folder or Path()) / key

    def get(self, kind: str, of: list[str | bytes], make: Callable[[], bytes]) -> bytes:
        """What `make` returns, or returned when it was last made of the same."""
        if self._folder is None:
            return make()
        path = self._path(kind, of)
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".new")
            unfinished.write_bytes(make())
            unfinished.rename(path)
        return path.read_bytes()

    def table(self, kind: str) -> dict[str, str]:
        """What was last given to :meth:`keep_table`; empty if nothing was, or with other programs."""
        read: dict[str, str] = json.loads(self.get(kind, [], lambda: b"{}"))
        return read

    def keep_table(self, kind: str, table: dict[str, str]) -> None:
        """Keep many small results as one."""
        if self._folder is not None:
            self._path(kind, []).write_text(json.dumps(table), encoding="utf-8")

    def forget_the_rest(self) -> None:
        """Remove what was not asked for."""
        if self._folder is not None and self._folder.exists():
            for path in self._folder.iterdir():
                if path.name not in self.used:
                    path.unlink()
