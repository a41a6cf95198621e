"""Sinusoidal positional encoding, RoPE and their relatives, with NumPy alone.

One topic a module: `encoding`, `table`, `rotation`, `distance`, `returns`, `spectra`, `rope`,
`context`, `biases`, `precision`, `positions`; and `pytorch`, which needs PyTorch and is imported by its name.
"""

from posenc import (
    biases,
    context,
    distance,
    encoding,
    positions,
    precision,
    returns,
    rope,
    rotation,
    spectra,
    table,
)
from posenc.biases import alibi_bias
from posenc.context import llama3, yarn
from posenc.distance import distance_matrix, encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.positions import token_positions
from posenc.returns import closest_offset
from posenc.rope import apply_rope
from posenc.rotation import shift, shift_matrix
from posenc.table import encoding_table

__all__ = [
    "alibi_bias",
    "apply_rope",
    "biases",
    "closest_offset",
    "context",
    "distance",
    "distance_matrix",
    "encoding",
    "encoding_distance",
    "encoding_table",
    "frequencies",
    "llama3",
    "positional_encoding",
    "positions",
    "precision",
    "returns",
    "rope",
    "rotation",
    "shift",
    "shift_matrix",
    "similarity",
    "spectra",
    "table",
    "token_positions",
    "wavelengths",
    "yarn",
]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'posenc' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version  # which takes longer than all of the above

    try:
        return version("posenc")  # the one in pyproject.toml
    except PackageNotFoundError:  # the folder is on the path, but nothing is installed
        return "0+unknown"
