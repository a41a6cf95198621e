"""Build the site: ``python -m bookext.build`` in the book's root.

Three steps, each of which does again only what has to be done again:

1. The notebooks whose results may have changed are run (`bookext.run.notebooks`), into ``_build/results``.
2. Sphinx writes the pages to ``_build/sphinx``, every warning an error.
3. The pages are finished (`bookext.finish`): ``_build/sphinx`` is read, ``_build/html`` replaced as a whole.
   If both are what they were after the last time, there is nothing to do.
   If the repository has an address, ``_build/notebooks`` is its branch of notebooks.

If no notebook was run and no file has changed, Sphinx is not even started: it takes seconds to find that out.
If a step fails, ``_build/html`` is what it was before.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from bookext.data_files import read_yaml
from bookext.hashes import content_hash, sources_hash


def settings(book: Path) -> dict[str, Any]:
    """The book's ``_config.yml``."""
    read: dict[str, Any] = read_yaml(book / "_config.yml")
    return read


def documents(book: Path) -> list[str]:
    """The names of the book's documents, in reading order: those of ``_toc.yml``."""
    from sphinx_external_toc.parsing import parse_toc_yaml

    return [str(name) for name in parse_toc_yaml(book / "_toc.yml")]


@cache
def versions(name: str) -> str:
    """A hash of the versions of a package and of all that it needs."""
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        current = canonical(waiting.pop())
        if current in found:
            continue
        try:
            package = distribution(current)
        except PackageNotFoundError:  # needed elsewhere only, on Windows say
            continue
        found[current] = package.version
        waiting += [
            re.split(r"[^\w.-]", need)[0] for need in package.requires or [] if "extra ==" not in need
        ]
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def canonical(name: str) -> str:
    """The one way to write a package's name.

    >>> canonical("PyYAML"), canonical("jupyter_client")
    ('pyyaml', 'jupyter-client')
    """
    return re.sub(r"[-_.]+", "-", name).lower()


#: What of this package takes part in each step. A change elsewhere lets Sphinx read, or write, nothing again.
HERE = Path(__file__).parent
READ_BY = ("__init__.py", "book.py", "data_files.py", "hashes.py", "upstream.py", "sphinx")
WRITTEN_BY = ("static",)
FINISHED_BY = (
    *READ_BY,
    "cache.py",
    "pages.py",
    "finish",
    *(f"formats/{name}.py" for name in ("__init__", "branch", "markdown", "markdown_pages", "notebooks")),
)


@dataclass(frozen=True)
class Stages:
    """Hashes of what each step is done with; a step is done again when its own changes."""

    #: What pages are read with, and written with: Sphinx begins again.
    read: str
    written: str
    #: What is made of Sphinx's pages.
    finished: str


def stages(book: Path, config: dict[str, Any], program: Path = HERE) -> Stages:
    """What the pages of a `book` depend on beside their sources; `program` is the folder of this package."""
    sphinx = config["sphinx"]["config"]
    sources = [book / "_toc.yml", book / sphinx.get("bookext_palette", "palette.json")]
    sources += [book / name for name in config.get("bibtex_bibfiles", [])]
    # A still has its face in it, as the palette's colors.
    sources += [book / face["file"] for face in [sphinx.get("bookext_still_face", {})] if face]
    static = [book / name for key in ("html_static_path", "templates_path") for name in sphinx.get(key, [])]
    needs = versions("bookext")
    return Stages(
        read=content_hash([*(program / name for name in READ_BY), *sources]) + needs,
        written=content_hash([*(program / name for name in WRITTEN_BY), *static]),
        finished=content_hash(program / name for name in FINISHED_BY) + needs,
    )


def made_of(book: Path, config: dict[str, Any]) -> str:
    """A hash of all that pages may be made of: any file of the `book`, its packages, and this one."""
    packages = config["sphinx"]["config"].get("bookext_packages", {}).values()
    folders = {folder.resolve() for folder in (book, HERE, *(book / name for name in packages))}
    outermost = sorted(folder for folder in folders if not folders & set(folder.parents))
    return sources_hash(outermost) + versions("bookext")


def without_source(book: Path, names: Iterable[str]) -> list[str]:
    """What is wrong with documents that `_toc.yml` names and that are no Markdown."""
    faults = []
    for name in names:
        if not (book / f"{name}.md").is_file():
            others = sorted(path.name for path in (book / name).parent.glob(f"{Path(name).name}.*"))
            there = f"there is {', '.join(others)}" if others else "there is no such file"
            faults.append(f"_toc.yml names {name}, which must be Markdown, {name}.md; {there}.")
            if f"{Path(name).name}.ipynb" in others:
                faults.append(f"To turn it into Markdown: jupytext --to md:myst {name}.ipynb")
    return faults


def replace(new: Path, old: Path) -> None:
    """Put the folder `new` in the place of the folder `old`."""
    aside = old.with_name(old.name + ".old")
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    shutil.rmtree(aside, ignore_errors=True)


def import_side_by_side(config: dict[str, Any]) -> None:
    """Import all that a first build needs, while a process beside this one imports what its kernels need.

    Python has compiled nothing of it yet, so each of the two takes seconds.
    """
    from bookext.run import kernels

    if kernels.warm(config.get("bookext_preload", []), now=True):
        for name in ("jupyter_book.sphinx", *config.get("extensions", [])):
            import_module(name)


def build(book: Path, output: Path, workers: int) -> int:
    """Build the `book` into the folder `output`; 0 if all went well."""
    began = time.monotonic()
    # More notebooks run than there are processors: threads in each of them would wait for one another.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # What Matplotlib knows of fonts, here and in each kernel, is what a build has found: the list in a user's
    # own folder may be stale, and settings there are for other figures.
    os.environ["MPLCONFIGDIR"] = str(output / "matplotlib")
    # Pages are trees of many small objects that stay; looking for garbage in them was a fifth of the work.
    gc.set_threshold(20_000, 20, 20)
    config = settings(book)
    if not (output / "results").exists():
        import_side_by_side(config["sphinx"]["config"])
    from bookext.run import notebooks

    doctrees, pages, good = output / "doctrees", output / "sphinx", output / "doctrees/good"
    # Sphinx warns about a page when it reads it. After a build that failed all pages are read again, so that
    # none of its warnings is lost; a build that was cut off leaves no mark either.
    was_good = good.exists()
    if was_good:
        good.unlink()
    else:
        shutil.rmtree(doctrees, ignore_errors=True)
        shutil.rmtree(pages, ignore_errors=True)
    names = documents(book)
    if faults := without_source(book, names):
        print("\n".join(faults), file=sys.stderr)
        return 1
    outcome = notebooks.run_changed(
        book,
        names,
        output / "results",
        config["sphinx"]["config"].get("bookext_preload", []),
        config["execute"]["timeout"],
        workers,
    )
    for failure in outcome.failures:
        print(f"{failure.traceback}\n", file=sys.stderr)
    if outcome.failures:
        print("\n".join(map(str, outcome.failures)), file=sys.stderr)
        return 1
    after_notebooks = time.monotonic()
    counts = f"{len(outcome.ran)} of {len(outcome.notebooks)} notebooks"
    told = f"Ran {counts} in {after_notebooks - began:.1f} s, "
    where = f"The book is at {os.path.relpath(output / 'html/index.html')}"
    mark, made = output / "finished", (output / "html", output / "notebooks")
    of, last = made_of(book, config), mark.read_text(encoding="utf-8").splitlines() if mark.exists() else []
    unchanged = was_good and not outcome.ran and last[:1] == [of]
    if unchanged and last[1:2] == [content_hash([pages]) + content_hash(made)]:
        good.touch()
        print(f"{told}nothing has changed, left the site as it was.\n{where}")
        return 0

    from bookext import upstream
    from bookext.book import PACKAGES, manifest
    from bookext.cache import Kept
    from bookext.finish import site
    from bookext.formats import branch
    from bookext.formats.notebooks import Place
    from bookext.sphinx import packages

    made_with = stages(book, config)
    own = config["sphinx"]["config"].get("bookext_packages", {})
    overrides = {
        "nb_execution_cache_path": str(output / "results"),
        "bookext_ran": outcome.ran,
        "bookext_read_with": made_with.read,
        "bookext_written_with": made_with.written,
        "bookext_wheels": packages.build(book, own, pages / PACKAGES, output / "packages"),
    }
    status = upstream.run_sphinx(book, pages, doctrees, overrides)
    if status:
        print("The build failed: see the warnings above.", file=sys.stderr)
        return status
    after_sphinx = time.monotonic()
    written = content_hash([pages])
    finished_of = written + made_with.finished
    if last[2:] == [finished_of + content_hash(made)]:
        how = "left the site as it was"
    else:
        new = output / "html.new"
        shutil.rmtree(new, ignore_errors=True)
        site.finish(pages, new, Kept(output / "kept", made_with.finished))
        replace(new, output / "html")
        branch.write(output / "html", names, Place.of(manifest(pages)), output / "notebooks")
        how = f"finished them in {time.monotonic() - after_sphinx:.1f} s"
    shown = content_hash(made)
    marks = (of, written + shown, finished_of + shown)
    mark.write_text("\n".join(marks), encoding="utf-8")
    good.touch()
    print(f"{told}wrote the pages in {after_sphinx - after_notebooks:.1f} s, {how}.\n{where}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Build the book in the current folder."""
    parser = argparse.ArgumentParser(
        prog="python -m bookext.build", description="Build the book in this folder."
    )
    parser.add_argument("--path-output", type=Path, default=Path("."), help="where to make the folder _build")
    parser.add_argument(
        "--jobs",
        type=int,
        default=(os.cpu_count() or 1) + 1,  # each waits now and then, for its kernel to begin or to end
        help="how many notebooks run at a time (one more than there are processors)",
    )
    options = parser.parse_args(arguments)
    status = build(Path.cwd(), options.path_output.resolve() / "_build", options.jobs)
    gc.freeze()  # or Python, as it ends, would look through all that is there again and again, for seconds
    return status


if __name__ == "__main__":
    sys.exit(main())
