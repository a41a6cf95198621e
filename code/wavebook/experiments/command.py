"""The command of an experiment: train in some processes what has no result yet, and write all down."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any


def train_and_record(
    doc: str | None,
    things: Iterable[Any],
    run: Callable[..., None],
    record: Callable[[Path], None],
    *,
    called: str,
) -> None:
    """Run what has no result yet, of things that have names and are `called` "settings", say.

    To `run` trains one of them, given the ``folder`` of the results; it is a function of a module, for other
    processes. To `record` writes down what there is in a folder. ``--help`` says the `doc`.
    """
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument(
        "--folder", type=Path, default=Path("_build/experiment"), help="where results are kept"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", help=f"{called} whose name contains this")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = [thing for thing in things if given.only in thing.name]
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(run, folder=given.folder), chosen))
    record(given.folder)
