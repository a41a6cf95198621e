"""From a terminal: ``python -m posread COMMAND``; ``python -m posread --help`` lists the commands.

Each command is a class with a name, a line of help, its arguments, and a `run` that returns the exit code.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from posread.config import from_config
from posread.config.report import picture
from posread.diagnosis import KINDS, Diagnosis, diagnose, diagnose_rope

#: Exit codes: nothing is wrong; something is; a file or a function could not be read.
SOUND, PROBLEMS, UNREADABLE = 0, 1, 2


class Unreadable(Exception):
    """A file or a function that cannot be read, with the reason."""


class Command(Protocol):
    """What a command consists of."""

    name: str
    help: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes to its parser."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit code."""


def chosen(tables: dict[str, Any], key: str | None, path: Path) -> Any:
    """The array with a key; without one, the only array."""
    if key is not None:
        if key not in tables:
            raise Unreadable(f"{path} has no key {key!r}; it has {', '.join(sorted(tables)) or 'none'}")
        return tables[key]
    if len(tables) == 1:
        return next(iter(tables.values()))
    raise Unreadable(
        f"{path} holds {len(tables)} arrays, so name one with --key: {', '.join(sorted(tables))}"
    )


def from_csv(path: Path, key: str | None) -> NDArray[Any]:
    """Numbers separated by commas, semicolons, tabs or spaces; a first line of names is left out."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    for separator in (",", ";", "\t", None):
        try:
            rows = [[float(cell) for cell in line.split(separator)] for line in lines[1:]]
            with contextlib.suppress(ValueError):  # names of columns
                rows.insert(0, [float(cell) for cell in lines[0].split(separator)])
        except ValueError:
            continue
        if rows and len({len(row) for row in rows}) == 1:
            return np.array(rows)
    raise Unreadable(f"{path} holds no rows of equally many numbers")


def as_numpy(tensor: Any) -> NDArray[Any]:
    """A tensor of PyTorch as an array; bfloat16, which NumPy lacks, as float32 with the same values."""
    tensor = tensor.detach().cpu()
    array: NDArray[Any] = (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()
    return array


def from_torch(path: Path, key: str | None) -> NDArray[Any]:
    """A tensor, or one of a dictionary, without running anything that the file may hold."""
    torch = needed("torch", path)
    loaded = torch.load(path, map_location="cpu", weights_only=True)
    if isinstance(loaded, dict):
        return as_numpy(chosen({str(name): value for name, value in loaded.items()}, key, path))
    return as_numpy(loaded)


def from_safetensors(path: Path, key: str | None) -> NDArray[Any]:
    """One of the tensors; with PyTorch also of types that NumPy lacks."""
    needed("safetensors", path)
    if importlib.util.find_spec("torch"):
        loaded = importlib.import_module("safetensors.torch").load_file(path)
        return as_numpy(chosen(dict(loaded), key, path))
    numbers = importlib.import_module("safetensors.numpy").load_file(path)
    return np.asarray(chosen(dict(numbers), key, path))


def from_npz(path: Path, key: str | None) -> NDArray[Any]:
    """One of the arrays."""
    with np.load(path, allow_pickle=False) as tables:
        return np.asarray(chosen({name: tables[name] for name in tables.files}, key, path))


def from_npy(path: Path, key: str | None) -> NDArray[Any]:
    """The array."""
    return np.asarray(np.load(path, allow_pickle=False))


#: How a file is read, by the end of its name.
READERS: dict[str, Callable[[Path, str | None], NDArray[Any]]] = {
    ".npy": from_npy,
    ".npz": from_npz,
    ".csv": from_csv,
    ".tsv": from_csv,
    ".txt": from_csv,
    ".safetensors": from_safetensors,
    ".pt": from_torch,
    ".pth": from_torch,
    ".bin": from_torch,
}


def needed(module: str, path: Path) -> Any:
    """A module that a kind of file needs."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Unreadable(f"{path} needs the package {module}, which is not installed") from None


def read_file(path: Path, key: str | None = None) -> NDArray[Any]:
    """The table in a file, or `Unreadable` with the reason."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise Unreadable(f"{path} must end in one of {', '.join(READERS)}")
    try:
        return reader(path, key)
    except Unreadable:
        raise
    except Exception as error:  # whatever a library raises for a broken file
        why = str(error)
        if "allow_pickle" in why:  # NumPy's advice for whatever it does not know, and not to be followed
            why = "it is no NumPy file, or holds objects in place of numbers"
        raise Unreadable(f"{path} could not be read: {why}") from error


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
        "--allow",
        action="append",
        default=[],
        choices=KINDS,
        metavar="KIND",
        help="a kind of problem that is meant, such as zero-rows; may be given several times",
    )


class DiagnoseTable:
    """`diagnose FILE`."""

    name = "diagnose"
    help = "read a table of encodings: its conventions, and what is wrong with it"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes to its parser."""
        parser.add_argument("file", type=Path, help=f"ends in {', '.join(READERS)}")
        parser.add_argument("--key", help="which array of a file that holds several")
        add_output(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Diagnose and print; the exit code."""
        table = read_file(options.file, options.key)
        try:
            return told(diagnose(table), options)
        except (TypeError, ValueError) as error:
            raise Unreadable(f"{options.file}: {error}") from error


class DiagnoseRope:
    """`diagnose-rope module:function`."""

    name = "diagnose-rope"
    help = "try a function that rotates vectors (n, d_model) by their n positions"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes to its parser."""
        parser.add_argument("function", metavar="module:function")
        parser.add_argument("--d-model", type=int, required=True, help="entries of a head")
        parser.add_argument("--positions", type=int, default=64, help="0 to so many are tried (default: 64)")
        add_output(parser)

    def run(self, options: argparse.Namespace) -> int:
        """Diagnose and print; the exit code."""
        function = load_function(options.function)
        try:
            return told(diagnose_rope(function, options.d_model, options.positions), options)
        except Exception as error:  # the function is the user's own, and may raise anything
            raise Unreadable(f"{options.function}: {error}") from error


class ReadConfig:
    """`config FILE`."""

    name = "config"
    help = "say what a model will do with positions, from its config.json"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes to its parser."""
        parser.add_argument("file", help="a configuration in JSON, or the folder that it is in")
        parser.add_argument("--json", action="store_true", help="print all of it as JSON")

    def run(self, options: argparse.Namespace) -> int:
        """Read and print; the exit code is 1 if something contradicts itself."""
        try:
            found = from_config(options.file)
        except (OSError, TypeError, ValueError) as error:
            raise Unreadable(f"{options.file}: {error}") from error
        if options.json:
            kinds = {
                name: {part.name: plain(getattr(kind, part.name)) for part in fields(kind) if part.repr}
                for name, kind in found.kinds.items()
            }
            read = {"model_type": found.model_type, "layers": found.layers, "kinds": kinds}
            print(json.dumps(read | {"warnings": found.warnings, "unread": found.unread}, indent=1))
        else:
            print(found)
            for name, kind in found.kinds.items():
                print(f"\n{name}:" if len(found.kinds) > 1 else "")
                print(picture(kind))
        return PROBLEMS if found.warnings else SOUND


def plain(value: object) -> object:
    """A value as JSON has it."""
    return value.tolist() if isinstance(value, np.ndarray) else value


#: All commands. A new one is a class like those above.
COMMANDS: tuple[Command, ...] = (DiagnoseTable(), DiagnoseRope(), ReadConfig())


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 0 for sound, 1 for problems, and 2 for what cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m posread", description="Positional encodings, read.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        own = commands.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(own)
        own.set_defaults(run=command.run)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except Unreadable as error:
        print(f"posread: {error}", file=sys.stderr)
        return UNREADABLE
    return code


if __name__ == "__main__":
    sys.exit(main())
