"""What a configuration's keys mean, in a line each: the table behind `posread.config.known_keys`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class ConfigKey:
    """Keys of a configuration that mean the same, or belong together.

    Attributes
    ----------
    names : tuple of str
        As configurations write them, the usual one first.
    meaning : str
        What the number does, and whether it multiplies or divides.
    symbol : str
        What the book calls it, in TeX; empty if it has no symbol.
    call : str
        What of `posenc` takes it, or an empty text.
    elsewhere : tuple of str
        What other programs call it: options of llama.cpp, arguments of functions.
    """

    names: tuple[str, ...]
    meaning: str
    symbol: str = ""
    call: str = ""
    elsewhere: tuple[str, ...] = ()


@cache
def read_data(name: str) -> Any:
    """What is in a file of JSON beside this one."""
    return json.loads(files("posread.config").joinpath(name).read_text(encoding="utf-8"))


KEYS: tuple[ConfigKey, ...] = tuple(
    ConfigKey(
        **dict[str, Any]({key: tuple(one) if isinstance(one, list) else one for key, one in row.items()})
    )
    for row in read_data("keys.json")
)
