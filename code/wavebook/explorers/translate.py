"""Write the tables of the explorers' texts, one for each view.

``python -m wavebook.explorers.translate FOLDER``; README.md beside this file says what a translator does.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from wavebook import explorers
from wavebook.explorers.base import Explorer, spec_of, view_of
from wavebook.explorers.modules import collect_modules
from wavebook.explorers.strings import names_of, reader, retold, translation


def texts_of(cls: type[Explorer]) -> list[str]:
    """All texts of an explorer, each once: of its own drawing first, then of the kit, then of its class."""
    names = names_of(spec_of(cls), cls.constants)
    readers = [reader(path.read_text(encoding="utf-8")) for path in collect_modules(view_of(cls), {})]
    found = [literal.key for one in reversed(readers) for literal in one.texts(names)]
    found += names
    retold(cls.constants, found.append)
    return list(dict.fromkeys(found))


def main() -> None:
    """Write each explorer's table: what is translated there stays, and what is no longer said goes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="its name is the language's tag: translations/ja")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for cls in (getattr(explorers, name) for name in explorers.__all__):
        if isinstance(cls, type) and issubclass(cls, Explorer):
            path = folder / f"{cls.slug}.json"
            told = translation(path)
            table = {text: told.get(text, "") for text in texts_of(cls)}
            path.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
