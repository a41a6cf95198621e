"""One text of each run that the explorers show, letter by letter, with what a trained model says.

``letters.json`` beside this file is read with :func:`load`; ``python -m wavebook.experiments.cliff.letters``
writes it, from models that it trains again, in five minutes on one core. The text is the first that is right
up to where the recorded runs break on average and there says the token that misleads them (or, for a task in
which no text of ten models is such, the first of all). Another computer's training of the
same seed ends elsewhere, so what is written is of a model and a text of their own, and not of the counts in
``cliff.npz``: the tests compare where both go wrong.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALPHABET", "Text", "load", "pick"]

#: What the sixteen tokens of the task are called.
ALPHABET = "abcdefghijklmnop"
#: Tokens of a recorded text.
LENGTH = 128


@dataclass(frozen=True)
class Text:
    """A text, and what a model says at each of its places."""

    #: The letters, one for each position.
    letters: str
    #: What the model says at each position; at the first `back` of them it is asked nothing.
    said: str
    #: How far back the letter is that is asked for.
    back: int
    #: The seed of the model, and which of its test texts this is, both from 0.
    seed: int
    nth: int

    @property
    def wrong(self) -> list[int]:
        """The positions where it says another letter than the one asked for.

        >>> Text("abcabd", "???aba", 3, 0, 0).wrong
        [5]
        """
        n = self.back
        return [
            p
            for p, (said, asked) in enumerate(zip(self.said[n:], self.letters[:-n], strict=True), n)
            if said != asked
        ]


def pick(tokens: NDArray[np.int64], said: NDArray[np.int64], back: int, breaks: int) -> int | None:
    """The first text that is right before a position, and at it says the token `breaks` back; or None.

    Tokens, and what is `said`, are of shape (texts, positions); asked for is the token `back` positions back.
    If the texts end before that position, they need only be right.

    >>> texts = np.array([[0, 1, 2, 3], [0, 1, 2, 3]])
    >>> pick(texts, np.array([[9, 0, 1, 2], [9, 0, 1, 0]]), 1, 3)
    1
    """
    n = tokens.shape[1]
    right = said[:, back:] == tokens[:, :-back]
    fits = right[:, : breaks - back].all(1)
    if breaks < n:
        fits &= ~right[:, breaks - back] & (said[:, breaks] == tokens[:, 0])
    return int(fits.argmax()) if fits.any() else None


@cache
def load() -> dict[str, Text]:
    """The recorded texts, by the names of their trials.

    Returns
    -------
    dict of str to Text

    Examples
    --------
    >>> load()["back, RoPE, rate=0.03"].back
    3
    """
    written = json.loads(files("wavebook.experiments.cliff").joinpath("letters.json").read_text())
    return {name: Text(**text) for name, text in written["texts"].items()}


def record(target: Path) -> None:
    """Train what the explorers show, and write one text of each."""
    import torch

    from wavebook.experiments import cliff, stored
    from wavebook.experiments.cliff.plan import SEEDS, trials
    from wavebook.experiments.cliff.record import shown
    from wavebook.experiments.model import logits
    from wavebook.experiments.tasks import draw
    from wavebook.experiments.train import TEST_SEQUENCES, positions_for, train

    torch.set_num_threads(1)
    texts = {}
    for trial in filter(shown, trials()):
        setting, run = trial.setting, cliff.load().runs[trial.name]
        low = np.flatnonzero(run.mean[setting.trained :] < cliff.BELOW)
        breaks = setting.trained + int(low[0]) if len(low) else setting.tested
        parameters, _ = train(setting, SEEDS, [trial.rate] * len(SEEDS))
        kept: tuple[int, int, NDArray[np.int64], NDArray[np.int64]] | None = None
        for seed in SEEDS:
            rng = [np.random.default_rng([seed, LENGTH, 3])]
            (tokens,), _ = draw(setting.task, rng, TEST_SEQUENCES, LENGTH, setting.back)
            positions = positions_for(setting, rng, LENGTH, testing=True)
            own = {name: value[seed : seed + 1] for name, value in parameters.items()}
            with torch.no_grad():
                said = logits(setting, own, torch.tensor(tokens[None]), positions).argmax(-1).numpy()[0]
            nth = pick(tokens, said, setting.back, breaks)
            if nth is not None or kept is None:  # the first text of all stands in where there is none
                kept = seed, nth or 0, tokens[nth or 0], said[nth or 0]
            if nth is not None:
                break
        assert kept is not None
        seed, nth, *rows = kept
        letters, answers = ("".join(ALPHABET[n] for n in row) for row in rows)
        texts[trial.name] = {
            "letters": letters,
            "said": answers,
            "back": setting.back,
            "seed": seed,
            "nth": nth,
        }
        print(trial.name, breaks, seed, nth, flush=True)
    about = {"commit": stored.commit(), "torch": torch.__version__, "numpy": np.__version__}
    target.write_text(json.dumps({"about": about, "texts": texts}, indent=1) + "\n")


if __name__ == "__main__":
    record(Path(__file__).with_name("letters.json"))
