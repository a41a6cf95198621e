"""The programs of the package: `python -m posenc config FILE`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one program; 0: all is well, 1: something contradicts itself, 2: unreadable."""
    parser = argparse.ArgumentParser(prog="python -m posenc", description=__doc__)
    programs = parser.add_subparsers(dest="program", required=True)
    _add_config(programs)
    chosen = parser.parse_args(arguments)
    code: int = chosen.run(chosen)
    return code


def _add_config(programs: Any) -> None:
    said = "say what a model will do with positions, from its config.json"
    parser = programs.add_parser("config", help=said, description=said)
    parser.add_argument("file", help="a configuration in JSON, or the folder that it is in")
    parser.add_argument("--json", action="store_true", help="all that was read, as JSON")
    parser.set_defaults(run=_config)


def _config(chosen: argparse.Namespace) -> int:
    from posenc._config_report import picture
    from posenc.config import from_config

    try:
        found = from_config(chosen.file)
    except (OSError, TypeError, ValueError) as error:
        print(f"{chosen.file}: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        kinds = {
            name: {part.name: _plain(getattr(kind, part.name)) for part in fields(kind) if part.repr}
            for name, kind in found.kinds.items()
        }
        rest = {"model_type": found.model_type, "layers": found.layers}
        print(
            json.dumps(rest | {"kinds": kinds, "warnings": found.warnings, "unread": found.unread}, indent=1)
        )
    else:
        print(found)
        for name, kind in found.kinds.items():
            print(f"\n{name}:" if len(found.kinds) > 1 else "")
            print(picture(kind))
    return int(bool(found.warnings))


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


if __name__ == "__main__":
    sys.exit(main())
