"""The book built again from nothing is the same, byte for byte: `make test-twice`.

Minutes, so at night. That the last step gives the same site each time is a part of `make test`.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from harness import REPOSITORY


def hashes(root: Path) -> dict[str, str]:
    """Each file of a site, with a hash of its content."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


def test_a_second_build_is_the_same(tmp_path):
    command = [sys.executable, "-m", "bookext.build", "--path-output", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, check=True)
    first, second = hashes(REPOSITORY / "_build/html"), hashes(tmp_path / "_build/html")
    assert len(first) > 100
    assert not sorted(name for name, _ in first.items() ^ second.items())
