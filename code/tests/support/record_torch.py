"""Compute what the chapter "Inside the Transformer" shows of PyTorch, and write it down.

Run it as `python code/tests/support/record_torch.py`.

The record is committed, so that the book builds without torch; test_pytorch.py holds it against a fresh run.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import runpy
from pathlib import Path

import torch
from torch import nn

from posenc.pytorch import PositionalEncoding

REPOSITORY = Path(__file__).resolve().parents[3]
RECORD = REPOSITORY / "code/wavebook/data/torch_recorded.json"


def usual_table(length: int, d_model: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """The formulation of most tutorials: angles in the working type, exp of a logarithm, slices."""
    position = torch.arange(length, dtype=dtype).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=dtype) * (-math.log(10_000.0) / d_model))
    table = torch.zeros(length, d_model, dtype=dtype)
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table


def message(act) -> str:
    """What an action complains of, with the kind of its error."""
    try:
        act()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("it did not fail")


def session() -> str:
    """What book/torch_session.py prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(str(REPOSITORY / "book/torch_session.py"))
    return printed.getvalue()


def mean_length(weight: torch.Tensor) -> float:
    return weight.detach().double().norm(dim=1).mean().item()


def record() -> dict:
    """Texts and numbers, all from this run."""
    torch.manual_seed(0)
    exact = PositionalEncoding(512, max_len=5000).double().table
    embedding = nn.Embedding(37_000, 512)
    lengths = {"PyTorch default": mean_length(embedding.weight)}
    nn.init.xavier_uniform_(embedding.weight)
    lengths["Xavier"] = mean_length(embedding.weight)
    narrow = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
    wrong = PositionalEncoding(8, dropout=0.0, batch_first=False)(
        torch.zeros(2, 5, 8)
    )  # (batch, length, d_model)
    dropped = PositionalEncoding(512, dropout=0.1)(torch.ones(8, 200, 512))
    return {
        "torch": torch.__version__.partition("+")[0],
        "session": session(),
        "lengths": lengths,
        "integers": {name: len(torch.arange(5000).to(dtype).unique()) for name, dtype in narrow.items()},
        "rows": {
            name: len(PositionalEncoding(512, max_len=5000).to(dtype).table.unique(dim=0))
            for name, dtype in narrow.items()
        },
        "usual": {
            name: (usual_table(5000, 512, dtype).double() - exact).abs().max().item()
            for name, dtype in narrow.items()
        },
        "cast_last": {
            name: (PositionalEncoding(512, max_len=5000).to(dtype).table.double() - exact).abs().max().item()
            for name, dtype in narrow.items()
        },
        "odd_usual": message(lambda: usual_table(5, 7)),
        "odd_module": message(lambda: PositionalEncoding(7)),
        "wrong_rows": len(wrong[0].unique(dim=0)),
        "dropped": (dropped == 0).double().mean().item(),
    }


if __name__ == "__main__":
    # Six digits are more than the chapter prints, and short enough to be read.
    short = json.loads(json.dumps(record()), parse_float=lambda digits: float(f"{float(digits):.6g}"))
    RECORD.write_text(json.dumps(short, indent=1) + "\n")
