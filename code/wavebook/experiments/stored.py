"""What the experiments keep: of one trial, all that was trained; of all together, data in the package.

The data are a JSON file, which can be read, and an NPZ file of the same name beside it, with the arrays.
Reading them needs NumPy alone; only who trains has PyTorch, which is imported where it is needed.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray


class Named(Protocol):
    """What can be trained."""

    @property
    def name(self) -> str:
        """By which it is told from all others."""


Thing = TypeVar("Thing", bound=Named)
Arrays = dict[str, NDArray[Any]]

# ---- one trial ----


def file_of(thing: Named, folder: Path) -> Path:
    """Where the result of one trial is kept."""
    return folder / (re.sub(r"[^\w.=]+", "-", thing.name) + ".pt")


def keep_one(thing: Named, folder: Path, train: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
    """Train and keep the result with its `commit` and `seconds`, whole or not; None if there is one."""
    import torch

    file = file_of(thing, folder)
    if file.exists():
        return None
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    began, program = time.process_time(), commit()
    result = train() | {"commit": program, "seconds": time.process_time() - began}
    new = file.with_suffix(".part")
    torch.save(result, new)
    new.rename(file)
    return result


def kept(things: Iterable[Thing], folder: Path) -> Iterator[tuple[Thing, dict[str, Any]]]:
    """Those of the things that have a result, each with it."""
    import torch

    torch.set_num_threads(1)
    for thing in things:
        if (file := file_of(thing, folder)).exists():
            yield thing, torch.load(file, weights_only=False)


def commit() -> str:
    """The commit of the program, with a plus sign where it has been changed; empty outside a clone."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, check=True).stdout

    try:
        return git("rev-parse", "HEAD").strip() + ("+" if git("status", "--porcelain", "--", ".") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


# ---- all of them, as data ----


def about() -> dict[str, str]:
    """When, with what, and on what kind of machine."""
    import torch

    return {
        "date": datetime.now(UTC).date().isoformat(),
        "command": "make experiment",
        "machine": f"2-core {platform.machine()} machine, CPU only",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__.partition("+")[0],
    }


def write(
    package: str, name: str, arrays: Mapping[str, NDArray[Any]], runs: list[dict[str, Any]], **more: Any
) -> None:
    """Write the data `name` of a package: of each run an entry, with its `seconds`; and `more`, if any."""
    stored = io.BytesIO()
    np.savez_compressed(stored, allow_pickle=False, **arrays)
    here = Path(str(files(package)))
    (here / f"{name}.npz").write_bytes(stored.getvalue())
    said = about() | {
        "program": f"python -m {package}",
        "sha256": hashlib.sha256(stored.getvalue()).hexdigest(),
        "minutes": str(round(sum(run["seconds"] for run in runs) / 60, 1)),
    }
    written = {"about": said, **more, "runs": runs}
    (here / f"{name}.json").write_text(json.dumps(written, indent=1) + "\n")


def read(package: str, name: str) -> tuple[dict[str, Any], Arrays]:
    """What was written: the entries, and the arrays."""
    here = files(package)
    written: dict[str, Any] = json.loads(here.joinpath(f"{name}.json").read_text())
    with here.joinpath(f"{name}.npz").open("rb") as file, np.load(file) as stored:
        return written, {name: stored[name] for name in stored.files}
