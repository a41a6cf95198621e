"""What is measured of models of text: the loss by position, and copying at planted distances."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from wavebook.experiments.language import ASKED, DISTANCES, PLACES
from wavebook.experiments.model import Parameters, logits
from wavebook.experiments.setting import Setting
from wavebook.experiments.text import BLOCK, LETTERS, PLANTED, Tokens, blocks

Measured = dict[str, NDArray[Any]]

#: Long windows begin so many characters after one another.
STRIDE = 512
#: Where the first copy begins, and the copied letter from which answers count: before, no model can know
#: which letters are repeated.
AT, SURE = 4, 4
#: How many windows are tested.
TRIALS = ASKED // (PLANTED - SURE)
#: How far before it the first copy begins, where the second is at one of PLACES.
NEAR = 32
#: Attention weights that are looked at at once.
AT_ONCE = 2**23


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is not looked into when types are checked
def said(
    setting: Setting, parameters: Parameters, omega: torch.Tensor | None, tokens: Tokens
) -> torch.Tensor:
    """The logits of one model, of shape (windows, n, vocabulary), some windows at a time."""
    n = tokens.shape[1]
    together = max(1, AT_ONCE // (n * n * setting.heads))
    positions = torch.arange(n, dtype=torch.float32)[None, None]
    parts = torch.tensor(tokens).split(together)
    return torch.cat([logits(setting, parameters, part[None], positions, omega)[0] for part in parts])


def losses(
    setting: Setting, parameters: Parameters, omega: torch.Tensor | None, windows: Tokens
) -> NDArray[Any]:
    """The loss of each next character in nats: windows (count, n + 1) to (count, n)."""
    logit = said(setting, parameters, omega, windows[:, :-1]).flatten(0, 1)
    each = functional.cross_entropy(logit, torch.tensor(windows[:, 1:]).flatten(), reduction="none")
    found: NDArray[Any] = each.numpy().reshape(len(windows), -1)
    return found


def windows_of(text: Tokens, n: int, stride: int) -> Tokens:
    """Windows of n + 1 characters of each block, (blocks, windows, n + 1)."""
    starts = np.arange(0, BLOCK - n, stride)
    return text[:, starts[:, np.newaxis] + np.arange(n + 1)]


def by_position(setting: Setting, parameters: Parameters, omega: torch.Tensor | None) -> Measured:
    """The loss by position in long windows, and of the same characters in short ones.

    A short window has the trained length, and each character is told in the second half of one: after
    as many characters as half the trained length to all of it.
    """
    text, n, half = blocks(testing=True), setting.trained, setting.trained // 2
    near = windows_of(text, n, half)
    told = losses(setting, parameters, omega, near.reshape(-1, n + 1)).reshape(*near.shape[:2], n)
    # Of each block the loss of its characters from the second on, by windows that overlap by one half.
    short = np.concatenate([told[:, 0, :half], told[:, :, half:].reshape(len(text), -1)], axis=1)
    far = windows_of(text, setting.tested, STRIDE)
    starts = STRIDE * np.arange(far.shape[1])
    same = short[:, starts[:, np.newaxis] + np.arange(setting.tested)]
    long = losses(setting, parameters, omega, far.reshape(-1, setting.tested + 1)).reshape(same.shape)
    return {
        "within": told[:, :, half:].mean().astype(np.float64),
        "early": told[:, :, :half].mean((0, 1)),
        "loss": long.mean((0, 1)),
        "excess": (long - same).mean((0, 1)),
    }


def copies(seed: int, first: int, second: int) -> Tokens:
    """Windows of the text of the test, with the same random letters at two positions, the second last."""
    rng, text = np.random.default_rng([seed, first, second, 5]), blocks(testing=True)
    n = second + PLANTED
    row, start = rng.integers(len(text), size=TRIALS), rng.integers(BLOCK - n, size=TRIALS)
    windows = text[row[:, np.newaxis], start[:, np.newaxis] + np.arange(n)]
    letters = rng.choice(LETTERS, size=(TRIALS, PLANTED))
    windows[:, first : first + PLANTED] = windows[:, second:] = letters
    return windows  # type: ignore[no-any-return]  # as it was when it ran


def copied(setting: Setting, parameters: Parameters, omega: torch.Tensor | None, seed: int) -> Measured:
    """How many letters of the second copy are told, of ASKED, by distance and by place."""

    def right(first: int, second: int) -> int:
        windows = copies(seed, first, second)
        answers = said(setting, parameters, omega, windows[:, :-1]).argmax(-1).numpy()
        asked = slice(second + SURE - 1, None)
        return int((answers[:, asked] == windows[:, 1:][:, asked]).sum())

    return {
        "distances": np.array([right(AT, AT + distance) for distance in DISTANCES]),
        "places": np.array([right(place - NEAR, place) for place in PLACES]),
    }


def measure(
    setting: Setting, parameters: Parameters, omega: torch.Tensor | None, seeds: list[int]
) -> Measured:
    """Everything: the arrays of `by_position` and `copied`, with a first axis for the models."""
    found = []
    for n, seed in enumerate(seeds):
        own = {name: value[n : n + 1] for name, value in parameters.items()}
        turned = omega if omega is None else omega[n : n + 1]
        found.append(by_position(setting, own, turned) | copied(setting, own, turned, seed))
    return {name: np.stack([one[name] for one in found]) for name in found[0]}
