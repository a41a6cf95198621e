"""From a terminal: ``python -m posread COMMAND``; ``python -m posread --help`` lists the commands.

Each command is a function that takes the options and returns the exit code; `build_parser` lists them.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from posread.config import from_config
from posread.config.report import picture
from posread.files import READERS, Unreadable, read_file
from posread.problem import KINDS
from posread.reading import Diagnosis
from posread.rope.read import diagnose_rope
from posread.table.read import diagnose

#: Exit codes: nothing is wrong; something is; a file or a function could not be read.
SOUND, PROBLEMS, UNREADABLE = 0, 1, 2
#: That of a tool whose output is read no further.
UNHEARD = 128 + 13


def load_function(name: str) -> Callable[..., Any]:
    """The function `module:function`, from the current folder or an installed package."""
    module, _, function = name.partition(":")
    if not module or not function:
        raise Unreadable(f"write module:function, got {name!r}")
    sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module)
        for part in function.split("."):
            found = getattr(found, part)
    except Exception as error:  # the module is the user's own, and may raise anything
        raise Unreadable(f"{name} could not be imported: {error}") from error
    finally:
        sys.path.remove("")
    if not callable(found):
        raise Unreadable(f"{name} is no function, but {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def told(found: Diagnosis, options: argparse.Namespace) -> int:
    """Print a diagnosis; the exit code."""
    print(json.dumps(found.as_dict(), indent=1, default=str) if options.json else found)
    wrong = [kind for kind in found.kinds if kind not in options.allow]
    return PROBLEMS if wrong or found.reading is None else SOUND


def add_output(parser: argparse.ArgumentParser) -> None:
    """The options that all diagnoses share."""
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument(
        "--allow", action="append", default=[], choices=KINDS, metavar="KIND",
        help="a kind of problem that is meant, such as zero-rows; may be given several times",
    )  # fmt: skip


def run_diagnose(options: argparse.Namespace) -> int:
    """Diagnose a table and print; the exit code."""
    table = read_file(options.file, options.key)
    try:
        return told(diagnose(table), options)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"{options.file}: {error}") from error


def run_diagnose_rope(options: argparse.Namespace) -> int:
    """Diagnose a function that rotates and print; the exit code."""
    function = load_function(options.function)
    try:
        return told(diagnose_rope(function, options.d_model, options.positions), options)
    except Exception as error:  # the function is the user's own, and may raise anything
        raise Unreadable(f"{options.function}: {error}") from error


def run_config(options: argparse.Namespace) -> int:
    """Read a configuration and print; the exit code is 1 if something contradicts itself."""
    try:
        found = from_config(options.file)
    except (OSError, TypeError, ValueError) as error:
        raise Unreadable(f"{options.file}: {error}") from error
    if options.json:
        kinds = {
            name: {part.name: plain(getattr(kind, part.name)) for part in fields(kind) if part.repr}
            for name, kind in found.kinds.items()
        }
        read = {part.name: getattr(found, part.name) for part in fields(found) if part.repr}
        print(json.dumps(read | {"kinds": kinds}, indent=1, default=vars))
    else:
        print(found)
        for name, kind in found.kinds.items():
            print(f"\n{name}:" if len(found.kinds) > 1 else "")
            print(picture(kind))
    return PROBLEMS if found.contradictions else SOUND


def plain(value: object) -> object:
    """A value as JSON has it."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def build_parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    parser = argparse.ArgumentParser(prog="python -m posread", description="Positional encodings, read.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], words: str) -> argparse.ArgumentParser:
        own = commands.add_parser(name, help=words, description=words)
        own.set_defaults(run=run)
        return own

    words = "read a table of encodings: its conventions, and what is wrong with it"
    table = add("diagnose", run_diagnose, words)
    table.add_argument("file", type=Path, help=f"ends in {', '.join(READERS)}")
    table.add_argument("--key", help="which array of a file that holds several")
    add_output(table)
    words = "try a function that rotates vectors (n, d_model) by their n positions"
    function = add("diagnose-rope", run_diagnose_rope, words)
    function.add_argument("function", metavar="module:function")
    function.add_argument("--d-model", type=int, required=True, help="entries of a head")
    function.add_argument("--positions", type=int, default=64, help="0 to so many are tried (default: 64)")
    add_output(function)
    config = add("config", run_config, "say what a model will do with positions, from its config.json")
    config.add_argument("file", help="a configuration in JSON, or the folder that it is in")
    config.add_argument("--json", action="store_true", help="print all of it as JSON")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 0 for sound, 1 for problems, and 2 for what cannot be read."""
    options = build_parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # of a terminal that has no letter for a name
            stream.reconfigure(errors="backslashreplace")
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # in which the rest is lost
        return UNHEARD
    except Unreadable as error:
        print(f"posread: {error}", file=sys.stderr)
        return UNREADABLE
    return code


if __name__ == "__main__":
    sys.exit(main())
