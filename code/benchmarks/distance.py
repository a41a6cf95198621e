"""How fast and how large: `distance_matrix` beside the usual ways, and how far `closest_offset` reaches.

    python code/benchmarks/distance.py [--repeats 5] [--json FILE]

Everything is measured in one run. The broadcast form needs 8 GB; it is left out where there is less memory.
On a busy machine long runs are held up more than short ones: there, compare the shortest of each range.
Peaks are what NumPy and Python allocate at once while a method runs (tracemalloc), its result included.
"""

from __future__ import annotations

import json
import os
import statistics
import tracemalloc
from collections.abc import Callable

import numpy as np
from measure import interleave, machine, parser

from posenc import closest_offset, distance_matrix, encoding_table

LOOP, BROADCAST = (500, 128), (1000, 512)  # n_positions, d_model
REACH = [(10**6, 512), *((10**8, d_model) for d_model in (2, 4, 8, 16, 32, 64))]  # max_offset, d_model


def double_loop(n: int, d_model: int) -> np.ndarray:
    table, matrix = encoding_table(n, d_model), np.zeros((n, n))
    for p in range(n):
        for q in range(n):
            matrix[p, q] = np.linalg.norm(table[p] - table[q])
    return matrix


def broadcast(n: int, d_model: int) -> np.ndarray:
    table = encoding_table(n, d_model)
    return np.linalg.norm(table[:, None] - table[None, :], axis=-1)


def written_out(n: int, d_model: int) -> np.ndarray:
    return distance_matrix(n, d_model).copy()


METHODS: list[tuple[str, tuple[int, int], Callable[[int, int], np.ndarray]]] = [
    ("double loop of norms (the sources' way)", LOOP, double_loop),
    ("`distance_matrix`", LOOP, distance_matrix),
    ("`distance_matrix(...).copy()`", LOOP, written_out),
    ("broadcast differences, then norms", BROADCAST, broadcast),
    ("`distance_matrix`", BROADCAST, distance_matrix),
    ("`distance_matrix(...).copy()`", BROADCAST, written_out),
]


def enough_memory(method: Callable, size: tuple[int, int]) -> bool:
    n, d_model = size
    needed = (
        2.2 * 8 * n * n * d_model if method is broadcast else 0
    )  # the differences and their squares, and some room
    return not hasattr(os, "sysconf") or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > needed


def peak_bytes(run: Callable[[], object]) -> int:
    run()  # what is made only once does not count
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def matrices(repeats: int) -> list[dict]:
    """One dict a method and size; ratios are to `distance_matrix` of the same size."""
    chosen = [row for row in METHODS if enough_memory(row[2], row[1])]
    contenders = {
        f"{method.__name__} {size}": lambda method=method, size=size: method(*size)
        for _, size, method in chosen
    }
    times = interleave(contenders, repeats)
    median = {key: statistics.median(seconds) for key, seconds in times.items()}
    peak = {key: peak_bytes(run) for key, run in contenders.items()}
    rows = []
    for (name, size, method), key in zip(chosen, contenders, strict=True):
        ours = f"distance_matrix {size}"
        rows.append(
            {
                "method": name,
                "n_positions": size[0],
                "d_model": size[1],
                "median_seconds": median[key],
                "range_seconds": [min(times[key]), max(times[key])],
                "times_distance_matrix": median[key] / median[ours],
                "peak_bytes": peak[key],
                "times_its_memory": peak[key] / peak[ours],
                "largest_difference": float(abs(method(*size) - distance_matrix(*size)).max()),
            }
        )
    return rows


def searches(repeats: int) -> list[dict]:
    contenders = {str(search): lambda search=search: closest_offset(*search) for search in REACH}
    times = interleave(contenders, repeats)
    rows = []
    for search, (key, run) in zip(REACH, contenders.items(), strict=True):
        offset, apart = run()
        rows.append(
            {
                "max_offset": search[0],
                "d_model": search[1],
                "offset": offset,
                "distance": apart,
                "median_seconds": statistics.median(times[key]),
                "peak_bytes": peak_bytes(run),
            }
        )
    return rows


def markdown(matrix_rows: list[dict], search_rows: list[dict]) -> str:
    lines = [
        "| n | d_model | method | median (range), ms | times `distance_matrix` "
        "| peak, MiB | times its memory | largest difference |",
        "|--:|--:|--|--:|--:|--:|--:|--:|",
    ]
    for row in matrix_rows:
        low, high = (1e3 * t for t in row["range_seconds"])
        lines.append(
            f"| {row['n_positions']:,} | {row['d_model']} | {row['method']} "
            f"| {1e3 * row['median_seconds']:,.2f} ({low:,.2f} to {high:,.2f}) "
            f"| {row['times_distance_matrix']:,.1f} "
            f"| {row['peak_bytes'] / 2**20:,.2f} | {row['times_its_memory']:,.1f} "
            f"| {row['largest_difference']:.1e} |"
        )
    lines += [
        "\n`closest_offset`:\n",
        "| offsets up to | d_model | nearest at | distance | median, s | peak, MiB |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for row in search_rows:
        lines.append(
            f"| {row['max_offset']:,} | {row['d_model']} | {row['offset']:,} | {row['distance']:.3g} "
            f"| {row['median_seconds']:.2f} | {row['peak_bytes'] / 2**20:.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    options = parser(__doc__, 5).parse_args()

    here = machine("numpy")
    matrix_rows, search_rows = matrices(options.repeats), searches(min(3, options.repeats))
    versions = ", ".join(f"{name} {number}" for name, number in here["versions"].items())
    print(f"All distances among n positions; {options.repeats} rounds.")
    print(f"{here['processor']}, {here['cores']} cores, {here['system']}; {versions}.\n")
    print(markdown(matrix_rows, search_rows))
    for name, size, method in METHODS:
        if not enough_memory(method, size):
            print(f"\nNot measured, for lack of memory: {name}, n = {size[0]:,}, d_model = {size[1]}.")
    if options.json:
        report = {
            "machine": here,
            "repeats": options.repeats,
            "matrices": matrix_rows,
            "searches": search_rows,
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
