"""The book built again from nothing, as on another processor, is the same byte for byte.

Minutes, so at night. That the last step gives the same site each time is a part of `make test`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from harness import REPOSITORY

pytestmark = pytest.mark.nightly

#: Prints with which of its kernels OpenBLAS computes: each kind of processor has its own, and they round
#: differently.
KERNEL = """
import ctypes, pathlib, numpy
(library,) = (pathlib.Path(numpy.__file__).parents[1] / "numpy.libs").glob("*openblas*")
ask = ctypes.CDLL(str(library)).scipy_openblas_get_corename64_
ask.restype = ctypes.c_char_p
print(ask().decode())
"""


def hashes(root: Path) -> dict[str, str]:
    """Each file of a site, with a hash of its content."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


def kernel(environment: dict[str, str]) -> str:
    """The kernel of OpenBLAS in an environment."""
    asked = [sys.executable, "-c", KERNEL]
    return subprocess.run(asked, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def another_processor() -> dict[str, str]:
    """An environment with another kernel, one thread, and none of the instructions that NumPy found."""
    before = dict(os.environ)
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    after = before | {
        "OPENBLAS_CORETYPE": "Nehalem" if kernel(before) == "Sandybridge" else "Sandybridge",
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(extensions.get("found", [])),
    }
    assert kernel(after) != kernel(before), "the second build must have another kernel"
    return after


def test_a_second_build_is_the_same(tmp_path):
    command = [sys.executable, "-m", "bookext.build", "--path-output", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, env=another_processor(), check=True)
    first, second = hashes(REPOSITORY / "_build/html"), hashes(tmp_path / "_build/html")
    assert len(first) > 100
    assert not sorted({name for name, _ in first.items() ^ second.items()})
