"""The eight spectra that are compared, each for heads of the same size, and nothing else that differs."""

from __future__ import annotations

import numpy as np

from posenc.arguments import Float, check_choice
from wavebook.experiments.setting import Setting

#: The model, and how long it is trained.
SIZE = {"layers": 2, "heads": 2, "d_model": 64, "trained": 64, "tested": 1024, "batch": 16, "steps": 1500}
#: The largest difference set with room in the 16 pairs of a head: 14 residues modulo 183.
ORDER, PERIOD = 13, 183

USUAL = Setting("text", "RoPE", **SIZE)  # type: ignore[arg-type]
SPECTRA = {
    "geometric": USUAL,
    "base 64": USUAL.changed(base=64.0),
    "fast half": USUAL.changed(pairs="fast"),
    "difference set": USUAL.changed(spectrum=f"difference set {ORDER}"),
    "random residues": USUAL.changed(spectrum=f"random residues {ORDER} 0"),
    "half set, half geometric": USUAL,
    "learned": USUAL.changed(learn_omega=True),
    "PoPE": USUAL.changed(encoding="PoPE"),
}


def frequencies_of(name: str, seed: int) -> Float:
    """The frequencies of each head, as training begins, in radians per position: (heads, pairs).

    Random residues are drawn anew for each seed. Of half set and half geometric, the first head of each layer
    has the set and the second the geometric frequencies.

    >>> frequencies_of("half set, half geometric", 0).shape
    (2, 16)
    """
    check_choice(name, "name", SPECTRA)
    setting = SPECTRA[name]
    heads = [setting] * setting.heads
    if name == "random residues":
        heads = [setting.changed(spectrum=f"random residues {ORDER} {seed}")] * setting.heads
    if name == "half set, half geometric":
        heads = [SPECTRA["difference set"], SPECTRA["geometric"]]
    return np.stack([head.omega for head in heads])
