"""Add Python to the built site: ``python -m bookext.live FOLDER ...`` in the book's root."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bookext.book import PALETTE
from bookext.build import settings
from bookext.live import files, install


def main(arguments: list[str] | None = None) -> int:
    """Add Python to the site in the current folder."""
    parser = argparse.ArgumentParser(prog="python -m bookext.live", description="Add Python to a built site.")
    parser.add_argument(
        "packages", type=Path, nargs="+", help="the folders of the packages that the book's programs import"
    )
    parser.add_argument("--checks", default="", help="the module that checks answers to exercises")
    parser.add_argument("--site", type=Path, default=Path("_build/html"), help="the built site")
    options = parser.parse_args(arguments)
    if not (options.site / "bom.json").is_file():
        print(f"There is no site at {options.site}: `make book` builds it.", file=sys.stderr)
        return 1
    kept = Path("_build/live")
    try:
        found = files.fetch(Path.cwd(), kept)
    except files.Unreachable as error:
        print(f"What runs Python cannot be had: {error}. The site is as it was.", file=sys.stderr)
        return 1
    palette = settings(Path.cwd())["sphinx"]["config"].get("bookext_palette_prefix", PALETTE)
    count = install.install(options.site, kept, found, options.packages, options.checks, palette)
    size = sum((kept / file.name).stat().st_size for file in found)
    print(f"{count} programs run in the pages at {options.site}, with {size / 1e6:.1f} MB beside them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
