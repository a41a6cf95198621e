"""What the chapters read, as files of the package: so a notebook runs wherever the package is installed."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def read(name: str) -> str:
    """Read a file of the book's data.

    README.md beside this file says what each is. A ValueError lists them if there is none of this name.

    >>> import json
    >>> json.loads(read("table.json"))["table"]["d_model"]
    512
    """
    there = {place.name: place for place in files(__name__).iterdir() if not place.name.startswith("_")}
    if name not in there:
        raise ValueError(f"name must be one of {', '.join(sorted(there))}, got {name!r}")
    return there[name].read_text(encoding="utf-8")


def read_yaml(name: str) -> Any:
    """What a file of the book's data says that is YAML.

    >>> read_yaml("recall.yml")[0]["id"]
    'shuffled-tokens'
    """
    import yaml  # which most who read data here have no need of

    # By libyaml, which takes a tenth of the time, where it is there: in all wheels of PyYAML.
    return yaml.load(read(name), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
