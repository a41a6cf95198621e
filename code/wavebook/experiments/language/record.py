"""What was trained on text, written into the package as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments import stored
from wavebook.experiments.language.plan import PLACE, RATE, Cell, cells
from wavebook.experiments.language.spectra import SPECTRA
from wavebook.experiments.record import EVERY

#: How the arrays of one cell are kept.
KINDS = {"within": np.float64, "distances": np.int16, "places": np.int16}


def whole(folder: Path) -> list[Cell]:
    """The cells of those passes that are whole, as the rules have it."""
    missing = {cell.seeds for cell in cells() if not stored.file_of(cell, folder / PLACE).exists()}
    return [cell for cell in cells() if cell.seeds not in missing]


def record(folder: Path) -> None:
    """Write language.json, which can be read, and language.npz beside it, with the arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    runs: list[dict[str, Any]] = []
    for cell, kept in stored.kept(whole(folder), folder / PLACE):
        blocks = kept["losses"].reshape(-1, EVERY, len(cell.seeds)).mean(1).T
        for name, values in (kept["measured"] | {"training": blocks}).items():
            arrays[f"{name}/{cell.name}"] = values.astype(KINDS.get(name, np.float16))
        runs.append(
            {"name": cell.name, "spectrum": cell.spectrum, "again": cell.again, "seeds": cell.seeds}
            | {"setting": vars(SPECTRA[cell.spectrum]), "rate": RATE}
            | {"commit": kept["commit"], "seconds": round(kept["seconds"], 1)}
        )
    stored.write("wavebook.experiments.language", "language", arrays, runs)
