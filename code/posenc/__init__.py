"""Sinusoidal positional encoding, RoPE and their relatives, with NumPy alone.

One topic a module: `encoding`, `table`, `rotation`, `distance`, `families`, `returns`, `spectra`, `rope`,
`context`, `biases`, `content_bias`, `precision`, `positions`; `pytorch` needs PyTorch.
Each is imported when it is first asked for, as ``posenc.rope`` or by a name in it, so that ``import posenc``
costs a millisecond.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc import (
        biases,
        content_bias,
        context,
        distance,
        encoding,
        families,
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

    __version__: str

#: The modules, and what each of them lends to the package itself.
_MODULES: dict[str, tuple[str, ...]] = {
    "biases": ("alibi_bias",),
    "content_bias": (),
    "context": ("llama3", "yarn"),
    "distance": ("distance_matrix", "encoding_distance", "similarity"),
    "encoding": ("frequencies", "positional_encoding", "wavelengths"),
    "families": (),
    "positions": ("token_positions",),
    "precision": (),
    "pytorch": (),
    "returns": ("closest_offset",),
    "rope": ("apply_rope",),
    "rotation": ("shift", "shift_matrix"),
    "spectra": (),
    "table": ("encoding_table",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "__version__",
    "alibi_bias",
    "apply_rope",
    "biases",
    "closest_offset",
    "content_bias",
    "context",
    "distance",
    "distance_matrix",
    "encoding",
    "encoding_distance",
    "encoding_table",
    "families",
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


def __getattr__(name: str) -> object:
    """Import a module, or what it lends, when it is first asked for (PEP 562)."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("posenc")  # the one in pyproject.toml
        except PackageNotFoundError:  # the folder is on the path, but nothing is installed
            return "0+unknown"
    if name in _MODULES:
        return import_module(f"posenc.{name}")
    if name in _HOMES:
        value: object = getattr(import_module(f"posenc.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'posenc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_HOMES, "__version__"})
