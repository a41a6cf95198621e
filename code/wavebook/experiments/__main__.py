"""``python -m wavebook.experiments``: train what is not yet trained, and write down what there is."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from wavebook.experiments.plan import run, settings
from wavebook.experiments.record import record


def main() -> None:
    """Run the settings that have no result yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=Path("_build/experiment"), help="where results are kept"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", help="settings whose name contains this")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = [setting for setting in settings() if given.only in setting.name]
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(run, folder=given.folder), chosen))
    record(given.folder)


if __name__ == "__main__":
    main()
