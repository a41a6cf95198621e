"""What the benchmarks share: timing side by side, and the name of the machine."""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def interleave(contenders: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Seconds that each contender took, ``repeats`` times over.

    Every round runs each contender once, in shuffled order, so that a busy spell of the machine meets all
    alike; a first round is not counted. Results are freed outside the measured time.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    order, shuffle = list(contenders), random.Random(0).shuffle
    for repeat in range(repeats + 1):
        shuffle(order)
        for name in order:
            start = time.perf_counter()
            result = contenders[name]()
            elapsed = time.perf_counter() - start
            del result
            if repeat:
                seconds[name].append(elapsed)
    return seconds


def parser(description: str, rounds: int) -> argparse.ArgumentParser:
    """What each benchmark can be asked for."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--repeats", type=int, default=rounds, help=f"measured rounds (default: {rounds})")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the measurements there too")
    return made


def machine(*packages: str) -> dict[str, object]:
    """The processor, the cores open to us, and the versions of Python and of the packages installed."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.processor() or platform.machine()
    versions = {"Python": platform.python_version()}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processor": processor, "cores": cores, "system": platform.system(), "versions": versions}
