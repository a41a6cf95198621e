"""How fast, how exact and how large: `encoding_table` beside the usual ways of making a 65,536 x 512 table.

    python code/benchmarks/table.py [--repeats 15] [--json FILE]

Everything is measured in one run, and PyTorch and positional-encodings only where they are installed.
Each run allocates its result afresh and is the first to touch it, so page faults count for all alike, the
bare fill included; freeing does not count. PyTorch, and what is built on it, uses every core; the others one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable

import numpy as np
from measure import interleave, machine, parser

from posenc import encoding_table

N_POSITIONS, D_MODEL, BASE = 65_536, 512, 10_000.0
SAMPLES = 4000  # entries held against mpmath


def bare_fill(n: int, dtype: str) -> np.ndarray:
    table = np.empty((n, D_MODEL), dtype)
    table.fill(1)
    return table


def numpy_slices(n: int, dtype: str) -> np.ndarray:
    frequencies = 1 / BASE ** (np.arange(0, D_MODEL, 2, dtype=dtype) / D_MODEL)
    angles = np.arange(n, dtype=dtype)[:, np.newaxis] * frequencies
    table = np.zeros((n, D_MODEL), dtype)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def pytorch(n: int, dtype: str) -> np.ndarray:
    import torch

    kind = getattr(torch, dtype)
    position = torch.arange(n, dtype=kind).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, D_MODEL, 2, dtype=kind) * (-math.log(BASE) / D_MODEL))
    table = torch.zeros(n, D_MODEL, dtype=kind)
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table.numpy()


def positional_encodings(n: int, dtype: str) -> np.ndarray:
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding1D

    # A new module each time, for it remembers its last answer; only the input's shape and type matter.
    return PositionalEncoding1D(D_MODEL)(torch.empty(1, n, D_MODEL, dtype=getattr(torch, dtype)))[0].numpy()


def ours(n: int, dtype: str) -> np.ndarray:
    return encoding_table(n, D_MODEL, BASE, dtype=dtype)


Method = Callable[[int, str], np.ndarray]
METHODS: list[tuple[str, str, Method]] = [
    ("bare memory fill", "float64", bare_fill),
    ("`encoding_table`", "float64", ours),
    ("NumPy, sines into slices", "float64", numpy_slices),
    ("PyTorch, usual formulation", "float64", pytorch),
    ("bare memory fill", "float32", bare_fill),
    ("`encoding_table`", "float32", ours),
    ("NumPy, sines into slices", "float32", numpy_slices),
    ("PyTorch, usual formulation", "float32", pytorch),
    ("positional-encodings", "float32", positional_encodings),
]
NEEDS = {pytorch: ["torch"], positional_encodings: ["torch", "positional_encodings"]}


def available(method: Method) -> bool:
    return all(importlib.util.find_spec(module) for module in NEEDS.get(method, []))


def peak_bytes(index: int) -> int:
    """Memory that one table takes at its worst, in a process of its own, beyond what that held before."""
    command = [sys.executable, __file__, "--peak", str(index)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def own_peak_bytes(method: Method, dtype: str) -> int:
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss counts bytes there and KiB elsewhere
    method(64, dtype)  # libraries are loaded, threads started
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    method(N_POSITIONS, dtype)
    return unit * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


def largest_error() -> Callable[[np.ndarray], float]:
    """A function of a table: its largest error at sampled entries, half of them in the fastest pairs."""
    import mpmath

    mpmath.mp.dps = 40
    random, half = np.random.default_rng(0), SAMPLES // 2
    position = random.integers(0, N_POSITIONS, SAMPLES)
    position[:half] = N_POSITIONS - 1 - random.integers(0, 1000, half)
    column = random.integers(0, D_MODEL, SAMPLES)
    column[:half] = random.integers(0, 16, half)
    true = []
    for p, j in zip(position.tolist(), column.tolist(), strict=True):
        angle = p * mpmath.mpf(BASE) ** (-mpmath.mpf(2 * (j // 2)) / D_MODEL)
        true.append(mpmath.cos(angle) if j % 2 else mpmath.sin(angle))

    def measure(table: np.ndarray) -> float:
        entries = table[position, column]
        return float(max(abs(t - float(entry)) for t, entry in zip(true, entries, strict=True)))

    return measure


def measure_methods(repeats: int) -> list[dict[str, object]]:
    """One dict a method. Peaks come first: a child's would start from this process's, once that is large."""
    chosen = [(index, *row) for index, row in enumerate(METHODS) if available(row[-1])]
    peaks = {index: peak_bytes(index) for index, *_ in chosen}
    contenders = {
        str(index): lambda m=method, t=dtype: m(N_POSITIONS, t) for index, _, dtype, method in chosen
    }
    times = interleave(contenders, repeats)
    error = largest_error()
    median = {(dtype, method): statistics.median(times[str(index)]) for index, _, dtype, method in chosen}
    return [
        {
            "method": name,
            "dtype": dtype,
            "median_seconds": median[dtype, method],
            "range_seconds": [min(times[str(index)]), max(times[str(index)])],
            "times_fill": median[dtype, method] / median[dtype, bare_fill],
            "times_encoding_table": median[dtype, method] / median[dtype, ours],
            "largest_error": None if method is bare_fill else error(method(N_POSITIONS, dtype)),
            "peak_bytes": peaks[index],
        }
        for index, name, dtype, method in chosen
    ]


def markdown(rows: list[dict]) -> str:
    lines = [
        "| method | type | median (range), ms | times the fill | times `encoding_table` "
        "| largest error | peak, MiB |",
        "|--|--|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        low, high = (1e3 * t for t in row["range_seconds"])
        error = "" if row["largest_error"] is None else f"{row['largest_error']:.1e}"
        lines.append(
            f"| {row['method']} | {row['dtype']} "
            f"| {1e3 * row['median_seconds']:.0f} ({low:.0f} to {high:.0f}) "
            f"| {row['times_fill']:.2f} | {row['times_encoding_table']:.2f} | {error} "
            f"| {row['peak_bytes'] / 2**20:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    asked = parser(__doc__, 15)
    asked.add_argument("--peak", type=int, metavar="INDEX", help=argparse.SUPPRESS)
    options = asked.parse_args()
    if options.peak is not None:
        _, dtype, method = METHODS[options.peak]
        print(own_peak_bytes(method, dtype))
        return

    here = machine("numpy", "torch", "positional-encodings")
    rows = measure_methods(options.repeats)
    versions = ", ".join(f"{name} {number}" for name, number in here["versions"].items())
    print(
        f"A table of {N_POSITIONS:,} positions by {D_MODEL} dimensions, base {BASE:,.0f}; "
        f"{options.repeats} rounds."
    )
    print(f"{here['processor']}, {here['cores']} cores, {here['system']}; {versions}.\n")
    print(markdown(rows))
    for name, dtype, method in METHODS:
        if not available(method):
            print(f"\nNot measured, for it is not installed: {name}, {dtype}.")
    if options.json:
        table = {"n_positions": N_POSITIONS, "d_model": D_MODEL, "base": BASE}
        report = {
            "table": table,
            "machine": here,
            "repeats": options.repeats,
            "samples": SAMPLES,
            "methods": rows,
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
