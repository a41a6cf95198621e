"""What was trained beside the two experiments, written into the package as data."""

from __future__ import annotations

import hashlib
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wavebook.experiments.cliff.plan import SEEDS
from wavebook.experiments.further.plan import file_of, jobs
from wavebook.experiments.record import EVERY, about


def record(folder: Path) -> None:
    """Write further.json, which can be read, and further.npz beside it, with the arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    runs: list[dict[str, Any]] = []
    for job in jobs():
        if not file_of(job, folder).exists():
            continue
        kept = torch.load(file_of(job, folder), weights_only=False)
        for name, values in kept["found"].items():
            kind = np.float32 if values.dtype.kind == "f" else np.uint8
            arrays[f"{job.name}/{name}"] = values.astype(kind)
        arrays[f"{job.name}/losses"] = kept["losses"][-EVERY:].mean(0).astype(np.float32)
        runs.append(
            {"name": job.name, "asked": job.ask.__name__, "setting": vars(job.trial.setting)}
            | {"rate": job.trial.rate, "seeds": SEEDS, "answers": list(kept["found"])}
            | {"commit": kept["commit"], "seconds": round(kept["seconds"], 1)}
        )
    stored = io.BytesIO()
    np.savez_compressed(stored, allow_pickle=False, **arrays)
    here = Path(str(files("wavebook.experiments.further")))
    (here / "further.npz").write_bytes(stored.getvalue())
    said = about() | {
        "program": "python -m wavebook.experiments.further",
        "sha256": hashlib.sha256(stored.getvalue()).hexdigest(),
        "minutes": str(round(sum(run["seconds"] for run in runs) / 60, 1)),
    }
    (here / "further.json").write_text(json.dumps({"about": said, "runs": runs}, indent=1) + "\n")
