"""What is trained on text, and how one cell is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from wavebook.experiments import stored
from wavebook.experiments.language.measure import measure
from wavebook.experiments.language.spectra import SPECTRA, frequencies_of
from wavebook.experiments.model import initial
from wavebook.experiments.text import VOCABULARY
from wavebook.experiments.train import train

#: Of the folder of results, the part that is of this package.
PLACE = "language"
RATE = 0.005
#: The seeds of a pass; a pass trains all spectra.
PASSES = ((0, 1, 2), (3, 4))


@dataclass(frozen=True)
class Cell:
    """One spectrum with the seeds of a pass, trained at once."""

    spectrum: str
    seeds: tuple[int, ...]
    #: Once more, with each parameter one unit in its last place larger as training begins.
    again: bool = False

    @property
    def name(self) -> str:
        """The spectrum and the seeds, in one line."""
        return f"{self.spectrum}{', again' * self.again}, seeds {self.seeds[0]} to {self.seeds[-1]}"


def cells() -> list[Cell]:
    """All cells, in the order in which they are run."""
    first, *others = PASSES
    return [
        *(Cell(spectrum, first) for spectrum in SPECTRA),
        Cell("geometric", first, again=True),
        *(Cell(spectrum, seeds) for seeds in others for spectrum in SPECTRA),
    ]


def run(cell: Cell, folder: Path) -> None:
    """Train the seeds of a cell, measure them, and keep everything; nothing if it is there."""

    def whole() -> dict[str, Any]:
        setting, seeds = SPECTRA[cell.spectrum], list(cell.seeds)
        omega = None
        if not setting.learn_omega:
            turned = [
                torch.tensor(frequencies_of(cell.spectrum, seed), dtype=torch.float32) for seed in seeds
            ]
            omega = torch.stack(turned)[:, None, :, None]  # (models, 1, heads, 1, pairs)
        begun = initial(setting, VOCABULARY, seeds)
        if cell.again:
            begun = {name: value.nextafter(torch.tensor(torch.inf)) for name, value in begun.items()}
        parameters, losses = train(setting, seeds, [RATE] * len(seeds), parameters=begun, omega=omega)
        found = measure(setting, parameters, omega, seeds)
        if setting.learn_omega:
            found["omega"] = parameters["omega"].exp().numpy()
        return {"losses": losses, "parameters": parameters, "measured": found}

    result = stored.keep_one(cell, folder / PLACE, whole)
    if result is not None:
        within = result["measured"]["within"]
        print(f"{cell.name}: {within.mean():.3f} nats within, {result['seconds']:.0f} s", flush=True)
