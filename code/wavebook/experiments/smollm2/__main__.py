"""``python -m wavebook.experiments.smollm2``: run what has no result yet, and write down all."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from wavebook.experiments.smollm2 import longer, record
from wavebook.experiments.smollm2.plan import calibration, counted, run


def main() -> None:
    """Run the jobs and write down all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("_build/model"), help="where results are kept")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--calibrate", action="store_true", help="nothing but what the plan was made with")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        for jobs, write in ((calibration, None), (counted, record.record), (longer.jobs, longer.record)):
            waiting = [pool.submit(run, job.name, given.folder, jobs) for job in jobs()]
            for one in waiting:
                one.result()
            if given.calibrate:
                break
            if write:
                write(given.folder)


if __name__ == "__main__":
    main()
