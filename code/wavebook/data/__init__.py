"""What the chapters read, as files of the package: so a notebook runs wherever the package is installed."""

from __future__ import annotations

from importlib.resources import files


def read(name: str) -> str:
    """Read a file of the book's data.

    Parameters
    ----------
    name : str
        ``claims.yml`` and ``errors.yml`` are the statements of other texts that appendix A and the chapters
        answer, ``threads.yml`` the questions of others that the book answers, ``models.json`` the models of
        the chapter on RoPE; ``table.json`` and ``distance.json`` are what the benchmarks measured,
        ``torch_recorded.json`` is what PyTorch did, and
        ``fitted.json`` and ``row_errors.json`` are what `wavebook.spectra` and `wavebook.row_errors` record.

    Returns
    -------
    str
        The file's text.

    Raises
    ------
    ValueError
        If there is no such file.

    Examples
    --------
    >>> import json
    >>> json.loads(read("table.json"))["table"]["d_model"]
    512
    """
    there = {place.name: place for place in files(__name__).iterdir() if not place.name.startswith("_")}
    if name not in there:
        raise ValueError(f"name must be one of {', '.join(sorted(there))}, got {name!r}")
    return there[name].read_text(encoding="utf-8")
