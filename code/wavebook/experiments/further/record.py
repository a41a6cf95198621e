"""What was trained beside the two experiments, written into the package as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments import stored
from wavebook.experiments.cliff.plan import SEEDS
from wavebook.experiments.further.plan import PLACE, jobs
from wavebook.experiments.record import EVERY


def record(folder: Path) -> None:
    """Write further.json, which can be read, and further.npz beside it, with the arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    runs: list[dict[str, Any]] = []
    for job, kept in stored.kept(jobs(), folder / PLACE):
        for name, values in kept["found"].items():
            kind = np.float32 if values.dtype.kind == "f" else np.uint8
            arrays[f"{job.name}/{name}"] = values.astype(kind)
        arrays[f"{job.name}/losses"] = kept["losses"][-EVERY:].mean(0).astype(np.float32)
        runs.append(
            {"name": job.name, "asked": job.ask.__name__, "setting": vars(job.trial.setting)}
            | {"rate": job.trial.rate, "seeds": SEEDS, "answers": list(kept["found"])}
            | {"commit": kept["commit"], "seconds": round(kept["seconds"], 1)}
        )
    stored.write("wavebook.experiments.further", "further", arrays, runs)
