"""Copies the scripts by others that pages have from code/node_modules into the site's own files.

Run it as `python code/tools/vendor.py` after one of their versions in package.json was raised; npm has held
the packages against the hashes in package-lock.json. Raise the version in bookext/finish/bill.py, too.
"""

import shutil
from pathlib import Path

CODE = Path(__file__).resolve().parents[1]

#: Where each file goes, and where it is in its package.
SCRIPTS = {
    "bookext/static/minisearch/minisearch.js": "minisearch/dist/umd/index.js",
    "bookext/static/jsep/jsep.js": "jsep/dist/iife/jsep.iife.min.js",
    "bookext/finish/temml/temml.min.js": "temml/dist/temml.min.js",
}


def copies() -> dict[Path, Path]:
    """Where each script stands, and the file of its package that it is a copy of."""
    return {CODE / place: CODE / "node_modules" / name for place, name in SCRIPTS.items()}


if __name__ == "__main__":
    for place, source in copies().items():
        shutil.copyfile(source, place)
        print(place.relative_to(CODE))
