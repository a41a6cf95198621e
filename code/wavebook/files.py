"""The tables that the site gives as files, for whoever wants to sort or count: what is in each, and as CSV.

``python -m wavebook.files`` writes them into ``wavebook/data``; a test asks that they say what they would.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from posread.config import known_keys
from wavebook.experiments.cliff import tables
from wavebook.models import longest, models

#: A row of a file; the first has the names of the columns.
Row = Sequence[str | int | float | None]


def model_rows() -> list[Row]:
    """Each type of layer of each model: base, entries that turn, longest wavelength, contexts, sources.

    Examples
    --------
    >>> [row[0] for row in model_rows()][:3]
    ['model', 'Transformer', 'BERT']
    """
    head = "model,year,encoding,layers,base,entries that turn,entries of a head,longest wavelength"
    rows: list[Row] = [f"{head},context trained,context stated,extension,sources".split(",")]
    for model in models():
        turning = model.encoding.startswith("RoPE")
        of_layers: list[list[str | int | float | None]] = []
        for name, kind in model.kinds.items():
            entries = (kind.rotary_dim, kind.head_dim) if turning else (None, None)
            of_layers.append([name or "all", round(kind.base), *entries, round(longest(kind))])
        extension = "" if model.extension == "–" else model.extension
        reach = [model.trained, model.stated, extension, model.sources.replace(",", " ")]
        for found in of_layers or [[None] * 5]:
            rows.append([model.name, model.year, model.encoding, *found, *reach])
    return rows


def key_rows() -> list[Row]:
    """Each key of a configuration: its names, what it means, what does it here, and its names elsewhere.

    Examples
    --------
    >>> key_rows()[1][0].split()[0]
    'rope_theta'
    """
    rows: list[Row] = [["names", "meaning", "symbol", "here", "elsewhere"]]
    for key in known_keys():
        rows.append(
            [" ".join(key.names), key.meaning, key.symbol or "", key.call or "", "; ".join(key.elsewhere)]
        )
    return rows


#: Name of a file -> its rows.
FILES: dict[str, Callable[[], list[Row]]] = {
    "models.csv": model_rows,
    "keys.csv": key_rows,
    "token-47/trials.csv": tables.trials,
    "token-47/rules.csv": tables.every_rule,
    "token-47/grid.csv": tables.on_the_grid,
    "token-47/seeds.csv": tables.seed_by_seed,
    "token-47/tasks.csv": tables.tasks,
    "token-47/encodings.csv": tables.encodings,
}


def as_csv(rows: Iterable[Row]) -> str:
    r"""Rows as the text of a file.

    Examples
    --------
    >>> as_csv([["N", "break"], [31, None]])
    'N,break\n31,\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def folder() -> Path:
    """Where the files are.

    Examples
    --------
    >>> folder().name
    'data'
    """
    return Path(str(files("wavebook.data")))


if __name__ == "__main__":
    for name, rows_of in FILES.items():
        (folder() / name).write_text(as_csv(rows_of()), encoding="utf-8", newline="")
