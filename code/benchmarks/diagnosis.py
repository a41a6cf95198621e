"""How long `diagnose` takes, beside the making of the table, and how much memory on top of it.

    python code/benchmarks/diagnosis.py [--repeats 5] [--json FILE]

Tables of 65,536 x 512, sound and with three rows spoilt. Ratios are to `encoding_table` in the same run.
Peaks are what NumPy and Python allocate at once while `diagnose` runs (tracemalloc),
as a fraction of the table.
"""

from __future__ import annotations

import json
import statistics
import tracemalloc

import numpy as np
from measure import interleave, machine, parser

from posenc import encoding_table
from posread import diagnose

N_POSITIONS, D_MODEL = 65_536, 512


def spoilt(table: np.ndarray) -> np.ndarray:
    table = table.copy()
    table[40_001], table[50_000], table[60_000] = 0, table[3], -table[60_000]
    return table


def peak_bytes(table: np.ndarray) -> int:
    diagnose(table[:64])  # what is made only once does not count
    tracemalloc.start()
    diagnose(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def measure_tables(repeats: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for dtype in ("float64", "float32"):
        sound = encoding_table(N_POSITIONS, D_MODEL, dtype=dtype)
        for name, table in (("sound", sound), ("three rows spoilt", spoilt(sound))):
            times = interleave(
                {
                    "make": lambda dtype=dtype: encoding_table(N_POSITIONS, D_MODEL, dtype=dtype),
                    "diagnose": lambda table=table: diagnose(table),
                },
                repeats,
            )
            seconds = {key: statistics.median(values) for key, values in times.items()}
            rows.append(
                {
                    "table": name,
                    "dtype": dtype,
                    "median_seconds": seconds["diagnose"],
                    "times_encoding_table": seconds["diagnose"] / seconds["make"],
                    "peak_of_table": peak_bytes(table) / table.nbytes,
                    "kinds": diagnose(table).kinds,
                }
            )
    return rows


def main() -> None:
    options = parser(__doc__, 5).parse_args()
    here, rows = machine("numpy"), measure_tables(options.repeats)
    print(f"`diagnose` on {N_POSITIONS:,} x {D_MODEL}; {options.repeats} rounds; {here['processor']}.\n")
    print("| table | type | median, s | times `encoding_table` | peak / table | problems |")
    print("|--|--|--:|--:|--:|--|")
    for row in rows:
        print(
            f"| {row['table']} | {row['dtype']} | {row['median_seconds']:.2f} "
            f"| {row['times_encoding_table']:.1f} | {row['peak_of_table']:.3f} | {', '.join(row['kinds'])} |"
        )
    if options.json:
        options.json.write_text(json.dumps({"machine": here, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
