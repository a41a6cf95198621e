"""The choices of frequencies that the book compares: those of the tool, and a fitted one as it was recorded.

Hundreds of steps of gradient descent magnify how a processor rounds: on another one other frequencies come
out, which do as well. So the book has those of one descent as data. ``python -m wavebook.spectra`` makes them
again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import posenc.spectra
from posenc.arguments import Float, check_choice
from posenc.encoding import BASE
from wavebook import data

#: The sizes of which a fitted choice is recorded.
RECORDED = (64, 512)


def fitted(d_model: int, base: float = BASE) -> Float:
    """Frequencies as :func:`posenc.spectra.fitted` found them once, to six decimals.

    Parameters
    ----------
    d_model : {64, 512}
        Size of the encoding.
    base : float
        10,000, from whose geometric spectrum the descent began.

    Returns
    -------
    ndarray
        Radians per position, from fast to slow, of shape (d_model/2,).

    Raises
    ------
    ValueError
        If nothing is recorded for `d_model` or `base`.

    Examples
    --------
    >>> fitted(64).size
    32
    """
    check_choice(d_model, "d_model", RECORDED)
    check_choice(base, "base", (BASE,))
    return np.array(json.loads(data.read("fitted.json"))[str(d_model)])


#: Name -> the spectrum as a function of d_model and base.
SPECTRA: dict[str, Callable[[int, float], Float]] = {**posenc.spectra.SPECTRA, "fitted": fitted}


def main() -> None:
    """Fit again, and write what comes out to where the book reads it."""
    found = {d_model: posenc.spectra.fitted(d_model).round(6).tolist() for d_model in RECORDED}
    place = Path(__file__).with_name("data") / "fitted.json"
    place.write_text(json.dumps(found, separators=(", ", ": ")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
