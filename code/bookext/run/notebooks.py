"""Run the notebooks whose results may have changed, several at a time, and keep the results for MyST-NB.

A result stays good as long as these stay as they are: the notebook's code cells and its kernel, the versions
of the packages that it imported, and the content of every file of the project that it read when it ran:
modules, data, JavaScript. Results are kept in a jupyter-cache, from which MyST-NB takes them
(``execution_mode: cache``); jupyter-cache knows a notebook by its cells and kernel, and the rest is in the
record's own data.
"""

from __future__ import annotations

import ast
import asyncio
import functools
import hashlib
import math
import os
import pickle
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import distributions, packages_distributions
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from bookext import upstream
from bookext.cache import Kept
from bookext.run import kernels


@dataclass
class Failure:
    """A notebook that stopped: in which cell (counted from 1), at which line of its file, and why."""

    document: str
    cell: int
    line: int
    error: str
    traceback: str

    def __str__(self) -> str:
        where = f"cell {self.cell} (line {self.line})" if self.cell else "a cell"
        return f"{self.document}.md: {where} failed: {self.error}"


@dataclass
class Outcome:
    """What a run did: the documents that ran, those that are notebooks at all, and those that failed."""

    ran: list[str] = field(default_factory=list)
    notebooks: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def digest(name: str) -> str | None:
    """A hash of a file's content, or of the names in a folder (``name/``); None if there is none.

    What Python keeps of what it has compiled is no name in a folder.

    >>> digest("/no/such/file") is None
    True
    """
    try:
        if name.endswith("/"):
            content = "\n".join(sorted(set(os.listdir(name)) - {"__pycache__"})).encode()
        else:
            content = Path(name).read_bytes()
    except OSError:
        return None
    return hashlib.sha256(content).hexdigest()


@functools.cache
def installed() -> dict[str, str]:
    """Python's version and those of all installed packages, when this was first asked."""
    return {"Python": sys.version, **{one.name: one.version for one in distributions()}}


#: Which packages a module is from; looking through all that are installed takes a good part of a second.
_owners = functools.cache(packages_distributions)


def versions(imported: Iterable[str]) -> dict[str, str]:
    """Python's version and those of the packages that the `imported` modules are from."""
    owners, present = _owners(), installed()
    names = {owner for module in imported for owner in owners.get(module, [])}
    return {name: present[name] for name in sorted({"Python", *names})}


def changes(record: dict[str, Any], book: Path, present: dict[str, str]) -> list[str]:
    """What has changed since the run that `record` is about; nothing if its result is still good."""
    if not record.keys() >= {"packages", "files"}:  # MyST-NB ran it: its text was changed during a build
        return ["what is known of its run"]
    packages = [name for name, old in record["packages"].items() if present.get(name) != old]
    files = [name for name, old in record["files"].items() if digest(os.path.join(book, name)) != old]
    return packages + files


class _Run:
    """One notebook on its way through a kernel."""

    def __init__(self, document: str, notebook: NotebookNode, book: Path, timeout: int) -> None:
        self.document, self.notebook, self.book = document, notebook, book
        self.index: int | None = None
        #: What a signal stops.
        self.whole: asyncio.Task[Any] | None = None
        self.client = NotebookClient(
            notebook,
            timeout=timeout,
            record_timing=False,
            coalesce_streams=True,  # what is printed comes in pieces as chance has it
            resources={"metadata": {"path": str((book / document).parent)}},
            on_cell_start=self._note,
        )

    def _note(self, cell: NotebookNode, cell_index: int) -> None:
        self.index = cell_index

    async def _ask(self, expression: str) -> Any:
        """The value of an expression in the kernel, which leaves no trace in the notebook."""
        client: Any = self.client.kc
        reply = await client.execute_interactive(
            "", silent=True, store_history=False, user_expressions={"value": expression}, timeout=60
        )
        value = reply["content"]["user_expressions"]["value"]
        if value["status"] != "ok":
            raise RuntimeError(f"{expression}: {value['evalue']}")
        return ast.literal_eval(value["data"]["text/plain"])

    async def read(self) -> tuple[list[str], list[str]]:
        """Run all cells; return the files of the project that they read, and the modules they imported."""
        async with self.client.async_setup_kernel():
            upstream.let_signals_stop(self.whole)
            await self._ask("__import__('bookext.run.observe').run.observe.start()")
            for index, cell in enumerate(self.notebook.cells):
                await self.client.async_execute_cell(cell, index)
            kernel: Any = self.client.kc
            info: Any = await self.client.async_wait_for_reply(kernel.kernel_info())
            language = info["content"]["language_info"]
            del language["version"]  # of this machine's Python, of which no result depends on the last part
            self.notebook.metadata["language_info"] = language
            self.client.set_widgets_metadata()
            files = await self._lines(f"files({str(self.book)!r})")
            return files, await self._lines("packages()")

    async def _lines(self, call: str) -> list[str]:
        # As one text: a long list would come back abbreviated.
        value = await self._ask(f"'\\n'.join(__import__('bookext.run.observe').run.observe.{call})")
        return str(value).splitlines()

    def failure(self, error: Exception) -> Failure:
        text = re.sub(r"\x1b\[[\d;]*m", "", str(error)).rstrip()
        last = type(error).__name__ + f": {text.partition(chr(10))[0]}" * bool(text)
        if isinstance(error, CellExecutionError):  # whose text is the traceback
            last = f"{error.ename}: {error.evalue}"
        if self.index is None:
            return Failure(self.document, 0, 0, last, text)
        cells = self.notebook.cells[: self.index + 1]
        number = sum(cell.cell_type == "code" for cell in cells)
        line = self.notebook.metadata["source_map"][self.index]
        return Failure(self.document, number, line, last, text)


async def _run_all(runs: list[_Run], cache: JupyterCacheAbstract, workers: int) -> Outcome:
    outcome = Outcome()
    free = asyncio.Semaphore(workers)

    whole = asyncio.current_task()

    async def one(run: _Run) -> None:
        run.whole = whole
        async with free:
            began = time.time()
            try:
                names, imported = await run.read()
            except Exception as error:  # of whatever kind: a crash, a time-out, a kernel that died
                outcome.failures.append(run.failure(error))
                return
            seconds = time.time() - began
        files = {_relative(name, run.book): _digest_of_old(name, began) for name in names}
        cache.cache_notebook_bundle(
            CacheBundleIn(
                run.notebook,
                str(run.book / f"{run.document}.md"),
                data={
                    "packages": versions(imported),
                    "files": files,
                    "execution_seconds": seconds,
                },
            ),
            check_validity=False,
            overwrite=True,
        )
        outcome.ran.append(run.document)
        print(f"{run.document}: ran in {seconds:.1f} s", flush=True)

    await asyncio.gather(*(one(run) for run in runs))
    return outcome


def _digest_of_old(name: str, began: float) -> str | None:
    """The hash of what has not changed since `began`; None for the rest: nobody knows what was read of it."""
    try:
        changed = os.stat(name).st_mtime
    except OSError:
        return None
    return digest(name) if changed < began else None


def _forget_old(cache: JupyterCacheAbstract, keep: int = 3) -> None:
    """Keep the results of each notebook's last few texts: enough to go back and forth between branches."""
    newest = sorted(cache.list_cache_records(), key=lambda record: record.created, reverse=True)
    seen: Counter[str] = Counter()
    for record in newest:
        seen[record.uri] += 1
        if seen[record.uri] > keep:
            cache.remove_cache(record.pk)


def seconds_of_last_runs(cache: JupyterCacheAbstract) -> dict[str, float]:
    """File of a notebook -> how long its last run took."""
    oldest_first = sorted(cache.list_cache_records(), key=lambda record: record.created)
    return {
        record.uri: record.data["execution_seconds"]
        for record in oldest_first
        if "execution_seconds" in record.data
    }


def _relative(name: str, book: Path) -> str:
    return os.path.relpath(name, book) + ("/" if name.endswith("/") else "")


def _pickled(path: Path) -> bytes:
    """A page as a notebook, to be kept: reading all pages takes as long as a small build."""
    return pickle.dumps(upstream.read_notebook(path))


def run_changed(
    book: Path, documents: Iterable[str], folder: Path, preload: list[str], timeout: int, workers: int
) -> Outcome:
    """Run those of the `documents` that are notebooks without a good result in the cache in `folder`."""
    upstream.look_for_replies()
    cache = get_cache(folder)
    present, seconds = installed(), seconds_of_last_runs(cache)
    runs, found = [], []
    kept = Kept(folder / "read", repr(sorted(present.items())))
    for document in documents:
        path = book / f"{document}.md"
        made = kept.get(str(path), [path.read_bytes()], functools.partial(_pickled, path))
        notebook: NotebookNode | None = pickle.loads(made)
        if notebook is None:
            continue
        found.append(document)
        try:
            record = cache.match_cache_notebook(notebook)
        except KeyError:
            runs.append(_Run(document, notebook, book, timeout))
            continue
        if changed := changes(record.data, book, present):
            print(f"{document}: runs again, for a change in {', '.join(changed)}", flush=True)
            cache.remove_cache(record.pk)
            runs.append(_Run(document, notebook, book, timeout))
    kept.forget_the_rest()
    outcome = Outcome()
    if runs:
        # The longest first, so that none is left to the end alone; before them those that have never run, the
        # last first: a book begins with its shortest.
        runs.reverse()
        runs.sort(key=lambda run: -seconds.get(str(book / f"{run.document}.md"), math.inf))
        kernels.warm(preload)
        outcome = asyncio.run(_run_all(runs, cache, workers))
        _forget_old(cache)
    outcome.notebooks = found
    return outcome
