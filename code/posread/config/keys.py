"""What a configuration's keys mean, in a line each: the table behind `posread.config.known_keys`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files


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


def read_keys() -> tuple[ConfigKey, ...]:
    """The table, which is in keys.json."""
    rows = json.loads(files("posread.config").joinpath("keys.json").read_text(encoding="utf-8"))
    empty = {"symbol": "", "call": "", "elsewhere": ()}
    return tuple(_row(**{**empty, **row}) for row in rows)


def _row(names: list[str], meaning: str, symbol: str, call: str, elsewhere: list[str]) -> ConfigKey:
    return ConfigKey(tuple(names), meaning, symbol, call, tuple(elsewhere))


KEYS = read_keys()
