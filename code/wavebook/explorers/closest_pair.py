"""The explorer of near returns: a hunt for the offset after which all hands are nearly back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

from wavebook.explorers.base import Choice, Explorer, Number
from wavebook.near_returns import record_offsets

LIMIT = 10**8
WIDTHS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 64, 128, 512)
BASES = (10, 100, 1000, 10_000, 100_000, 1_000_000)
DATA = Path(__file__).with_name("closest_pair.json")


def search(
    limit: int = LIMIT, widths: tuple[int, ...] = WIDTHS, bases: tuple[int, ...] = BASES
) -> dict[str, dict[str, list[int]]]:
    """The records of every base and width: {base: {width: offsets}}, keys as text for JSON."""
    return {
        str(base): {
            str(width): [offset for offset, _ in record_offsets(limit, width, base)] for width in widths
        }
        for base in bases
    }


class ClosestPair(Explorer):
    """The hands after some offset, what each misses its start by, and the distance beside that of neighbors.

    The reader looks for the offset at which the distance is smallest. The record offsets were searched for
    once, among all offsets, and are beside this file; ``python -m wavebook.explorers.closest_pair`` searches
    again. Distances are computed where they are shown, and the base is 10,000.

    >>> ClosestPair(d_model=16).records[:3]
    [1, 596274, 615746]
    """

    slug = "closest-pair"
    parts = ("bound",)
    offset = Number(10, low=1, high=7000, integer=True)
    d_model = Choice(8, (4, 6, 8, 16))

    constants: ClassVar[dict[str, Any]] = {"base": 10_000, "records": json.loads(DATA.read_text())}

    @property
    def records(self) -> list[int]:
        """The record offsets of the present width."""
        records: list[int] = self.constants["records"][str(self.constants["base"])][str(self.d_model)]
        return records


if __name__ == "__main__":
    rows = ",\n".join(f'"{base}": {json.dumps(found)}' for base, found in search().items())
    DATA.write_text("{\n" + rows + "\n}\n")
