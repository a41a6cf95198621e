"""What is in a file, whoever wrote it: arrays of NumPy and PyTorch, printed numbers, configurations."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.config import RopeConfig, from_config
from posread.reading import Diagnosis
from posread.table.read import diagnose


class Unreadable(Exception):
    """A file or a function that cannot be read, with the reason."""


def chosen(tables: dict[str, Any], key: str | None, path: Path) -> Any:
    """The array with a key, or with the end of one after a dot; without one, the only array."""
    if key is not None:
        ends = [name for name in tables if name.endswith(f".{key}")]
        key = ends[0] if key not in tables and len(ends) == 1 else key
        if key not in tables:
            raise Unreadable(f"{path} has no key {key!r}; it has {', '.join(sorted(tables)) or 'none'}")
        return tables[key]
    if len(tables) == 1:
        return next(iter(tables.values()))
    name = f"{len(tables)} arrays, so name one with --key: {', '.join(sorted(tables))}"
    raise Unreadable(f"{path} holds {name if tables else 'no array'}")


def the_only(table: Any, key: str | None, path: Path) -> Any:
    """An array without a name, of which no key is asked."""
    if key is not None:
        raise Unreadable(f"{path} holds one array, which has no key, and not {key!r}")
    return table


def beginning(text: str) -> str:
    """A text as an error shows it, which may be long."""
    text = text.strip()
    return repr(text if len(text) <= 40 else f"{text[:40]}…")


def in_brackets(text: str) -> list[list[str]]:
    """The cells of a print of NumPy or PyTorch, or of a list of lists; the innermost brackets hold rows."""
    head, _, rest = text.partition("[")
    body, _, tail = rest.rpartition("]")
    if not re.fullmatch(r"[\w.=:\s]{0,80}\(?\s*", head) or not re.fullmatch(r"[^\[\]]{0,200}", tail):
        raise ValueError(f"the text is no print of an array: {beginning(text)}")
    rows = re.split(r"\]\s*,?\s*\[", body)
    return [re.split(r"[,\s]+", row.strip("[], \t\n\r")) for row in rows]


def in_lines(text: str) -> list[list[str]]:
    """The cells of lines; the separator is the first of comma, semicolon and tab that is there, or space."""
    lines = [line for line in text.splitlines() if line.strip()]
    separator = next((mark for mark in (",", ";", "\t") if mark in lines[len(lines) // 2]), None)
    rows = [line.strip().removesuffix(separator or " ").split(separator) for line in lines]
    named = not rows[0][0].strip() or not any(map(is_number, rows[0]))
    parts = any("." in cell for cell in rows[-1])  # where all are whole numbers, so may be the first ones
    counts = [[str(i + k) for i in range(len(rows[0]))] for k in range(1 + parts)]
    named |= len(rows[0]) > 2 and rows[0] in counts
    return rows[1:] if named and len(rows) > 1 else rows


def is_number(cell: str) -> bool:
    """Whether a cell holds a number.

    >>> [is_number(cell) for cell in ("1e-3", " 2. ", "sin")]
    [True, True, False]
    """
    try:
        float(cell)
    except ValueError:
        return False
    return True


def numbers_in(text: str) -> Float:
    r"""The numbers that a text holds.

    Parameters
    ----------
    text : str
        Rows of numbers separated by commas, semicolons, tabs or spaces, where a first line of names is left
        out; or an array as NumPy or PyTorch prints it, or a list of lists.

    Returns
    -------
    ndarray, shape (rows, columns), or (columns,) of a single row

    Raises
    ------
    ValueError
        If there are none, rows are not equally long, or anything else is between them; the message names the
        first such place.

    Examples
    --------
    >>> numbers_in("sin,cos\n0,1\n0.84,0.54")
    array([[0.  , 1.  ],
           [0.84, 0.54]])
    >>> numbers_in("tensor([[0.00, 1.00],\n        [0.84, 0.54]])").shape
    (2, 2)
    >>> numbers_in("1.0 0.1 0.01")
    array([1.  , 0.1 , 0.01])
    """
    if "..." in text or "…" in text:
        raise ValueError(
            "the text leaves numbers out (...): print all of them, after "
            "np.set_printoptions(threshold=sys.maxsize) or torch.set_printoptions(profile='full')"
        )
    if not text.strip():
        raise ValueError("the text is empty")
    text = text.replace('"', "")  # in which some programs put each cell
    rows = in_brackets(text) if "[" in text else in_lines(text)
    for number, row in enumerate(rows, 1):
        for cell in row:
            if not is_number(cell):
                form = "rows of numbers or the JSON of a config.json"
                raise ValueError(f"the text must be {form}, and row {number} has {beginning(cell)}")
        if len(row) != len(rows[0]):
            counts = f"row 1 has {len(rows[0])} numbers, row {number} has {len(row)}"
            raise ValueError(f"rows must be equally long: {counts}")
    numbers = np.array([[float(cell) for cell in row] for row in rows])
    return numbers[0] if len(numbers) == 1 else numbers


def from_text(path: Path, key: str | None) -> Float:
    """Numbers as programs print or write them."""
    return numbers_in(the_only(path.read_text(encoding="utf-8-sig"), key, path))


def as_numpy(tensor: Any) -> NDArray[Any]:
    """A tensor of PyTorch as an array; of types that NumPy lacks as float32, with the same values."""
    tensor = tensor.detach().cpu()
    try:
        return np.asarray(tensor.numpy())
    except TypeError:
        return np.asarray(tensor.float().numpy())


def tensors_in(loaded: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The tensors in dictionaries and lists, each with its keys joined by dots."""
    inner: Any = enumerate(loaded) if isinstance(loaded, list | tuple) else getattr(loaded, "items", tuple)()
    for key, value in inner:
        yield from tensors_in(value, f"{name}.{key}" if name else str(key))
    if hasattr(loaded, "detach"):
        yield name, loaded


def from_torch(path: Path, key: str | None) -> NDArray[Any]:
    """A tensor, or one in dictionaries and lists, without running anything that the file may hold."""
    torch = needed("torch", path)
    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:  # whatever PyTorch raises, whose advice is to run what the file holds
        raise Unreadable(
            f"{path} is no file of PyTorch, or holds other objects than tensors, which are not run: save the "
            "tensor, or the state_dict"
        ) from error
    if hasattr(loaded, "detach"):
        return as_numpy(the_only(loaded, key, path))
    return as_numpy(chosen(dict(tensors_in(loaded)), key, path))


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
    return np.asarray(the_only(np.load(path, allow_pickle=False), key, path))


#: How a file is read, by the end of its name.
READERS: dict[str, Callable[[Path, str | None], NDArray[Any]]] = {
    ".npy": from_npy,
    ".npz": from_npz,
    ".csv": from_text,
    ".tsv": from_text,
    ".txt": from_text,
    ".json": from_text,
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


def read(path: Path | str, key: str | None = None) -> Diagnosis | RopeConfig:
    """Read what a file says of positions: a table or a line of frequencies, or a model's configuration.

    Parameters
    ----------
    path : Path or str
        Of a kind that `READERS` has; a text, or JSON, may be a configuration.
    key : str, optional
        Which array of a file that holds several.

    Raises
    ------
    Unreadable, TypeError, ValueError
        If it cannot be read; the message says why.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "pasted.txt")
    >>> _ = path.write_text('{"model_type": "llama", "head_dim": 8, "rope_theta": 10000.0}')
    >>> read(path).kinds["all"].base
    10000.0
    >>> _ = path.write_text("1.0 0.1 0.01 0.001")
    >>> print(read(path))
    Sinusoidal encoding, 8 columns, frequencies alone,
    frequencies 10,000^(-2i/8).
    - No problem found.
    """
    path = Path(path)
    if path.suffix.lower() in (".json", ".txt"):
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        if text.lstrip().startswith("{"):
            return from_config(as_json(text))
        return diagnose(numbers_in(the_only(text, key, path)))
    return diagnose(read_file(path, key))


def as_json(text: str) -> Any:
    """A text as JSON; what is written after the end of it, or is missing, is said."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the text begins like a configuration, and is no JSON: {error}") from None
