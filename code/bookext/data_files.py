"""What the book's YAML files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

#: That of libyaml, which takes a tenth of the time, where it is there: in all wheels of PyYAML.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """Read a file of YAML."""
    return yaml.load(path.read_bytes(), LOADER)
