"""What pytest may leave out: what needs PyTorch, where there is none."""

from importlib.util import find_spec

WITH_TORCH = [
    "posenc/pytorch.py",
    "tests/record_torch.py",
    *(
        f"wavebook/experiments/{name}.py"
        for name in ("model", "train", "plan", "probe", "record", "__main__")
    ),
    *(f"wavebook/experiments/cliff/{name}.py" for name in ("measure", "plan", "record", "__main__")),
    *(f"wavebook/experiments/further/{name}.py" for name in ("plan", "record", "__main__")),
]
collect_ignore = [] if find_spec("torch") else WITH_TORCH
