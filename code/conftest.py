"""What pytest may leave out: what needs PyTorch, where there is none or nobody asks for it."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

WITH_TORCH = [
    "posenc/pytorch.py",
    "tests/support/record_torch.py",
    "tests/posread/test_config_library.py",
    *(f"tests/posenc/test_{name}.py" for name in ("pytorch", "rope_library")),
    *(
        f"wavebook/experiments/{name}.py"
        for name in ("model", "train", "plan", "probe", "record", "__main__")
    ),
    *(f"wavebook/experiments/cliff/{name}.py" for name in ("measure", "plan", "record", "__main__")),
    *(f"wavebook/experiments/further/{name}.py" for name in ("plan", "record", "__main__")),
    *(f"wavebook/experiments/language/{name}.py" for name in ("measure", "plan", "record", "__main__")),
]

# Figures are drawn in tests as the build draws them, with no one's settings and list of fonts.
os.environ["MPLCONFIGDIR"] = str(Path(__file__).parents[1] / "_build/matplotlib")


def pytest_addoption(parser):  # noqa: D103  # pytest's own name
    why = "as where there is no PyTorch: importing it takes seconds"
    parser.addoption("--without-torch", action="store_true", help=why)


def pytest_configure(config):
    """Let nobody find PyTorch, if it is not wanted."""
    if config.getoption("--without-torch"):
        sys.modules["torch"] = None


def pytest_ignore_collect(collection_path):
    """Whether a file is left out: yes, or as pytest has it."""
    known = collection_path.relative_to(Path(__file__).parent).as_posix() in WITH_TORCH
    return True if known and not find_spec("torch") else None
