"""A folder to scribble in: ``python -m bookext.lab NOTEBOOKS FOLDER`` puts the built notebooks there.

A notebook that its reader has changed stays as it is; the others are replaced by newer ones. To begin again
with one, delete or rename it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

#: Where a folder keeps what was put into it: name -> a hash of the content.
GIVEN = ".given.json"


def give(notebooks: Path, folder: Path) -> list[str]:
    """Copy all notebooks into the folder but those that were changed there, whose names are returned."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / GIVEN
    given: dict[str, str] = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    changed = []
    for path in sorted(notebooks.glob("*.ipynb")):
        target, content = folder / path.name, path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if target.is_file():
            there = hashlib.sha256(target.read_bytes()).hexdigest()
            if there not in (digest, given.get(path.name)):
                changed.append(path.name)
                continue
        target.write_bytes(content)
        given[path.name] = digest
    record.write_text(json.dumps(given, indent=1, sort_keys=True), encoding="utf-8")
    return changed


def main() -> int:
    """Do it, and say what stays."""
    notebooks, folder = map(Path, sys.argv[1:])
    if kept := give(notebooks, folder):
        print(f"Yours, and so not replaced by what was built: {', '.join(kept)}")
    print(f"The notebooks are in {folder}; change them as you like.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
