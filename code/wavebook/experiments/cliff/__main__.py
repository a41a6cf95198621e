"""``python -m wavebook.experiments.cliff``: run the trials that have no result yet, and write down all."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from wavebook.experiments.cliff.plan import run, trials
from wavebook.experiments.cliff.record import record


def main() -> None:
    """Run the trials that have no result yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=Path("_build/experiment"), help="where results are kept"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", help="trials whose name contains this")
    given = parser.parse_args()
    chosen = [trial for trial in trials() if given.only in trial.name]
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(run, folder=given.folder), chosen))
    record(given.folder)


if __name__ == "__main__":
    main()
