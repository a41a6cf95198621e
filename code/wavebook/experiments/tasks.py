"""The tasks of the experiment: sequences of tokens, and what is to be said at each position.

Everything here is NumPy, so the tasks can be looked at and tested without PyTorch. A task's function takes a
generator, `count` (how many sequences, >= 1) and `length` (tokens of each, the least that the task can have),
and gives tokens and targets, both of shape (count, length); a target is UNASKED where nothing is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import check_choice, check_count
from wavebook.experiments.text import VOCABULARY, drawn

Tokens = NDArray[np.int64]

#: The target where nothing is asked.
UNASKED = -1
#: How far back the first task looks, in positions.
BACK = 3
#: The position whose token the fourth task asks for.
FIXED = 4
#: How many tokens, its own included, the last task looks at.
NEAR = 8


def token_back(rng: np.random.Generator, count: int, length: int, back: int = BACK) -> tuple[Tokens, Tokens]:
    """Random tokens; say the one `back` positions back, at least 1; the length is above it.

    >>> tokens, targets = token_back(np.random.default_rng(0), 1, 6)
    >>> tokens[0].tolist(), targets[0].tolist()
    ([13, 10, 8, 4, 4, 0], [-1, -1, -1, 13, 10, 8])
    """
    tokens = rng.integers(16, size=(count, length))
    targets = np.full_like(tokens, UNASKED)
    targets[:, back:] = tokens[:, :-back]
    return tokens, targets


def unique_copy(rng: np.random.Generator, count: int, length: int) -> tuple[Tokens, Tokens]:
    """Different tokens, a separator, and the same tokens again: say the next token of the copy.

    The length, from 2 to 64, is even: it counts the separator, and not the last token of the copy.

    >>> tokens, targets = unique_copy(np.random.default_rng(0), 1, 6)
    >>> tokens[0].tolist(), targets[0].tolist()
    ([2, 11, 25, 32, 2, 11], [-1, -1, -1, 2, 11, 25])
    """
    half = length // 2
    original = rng.permuted(np.tile(np.arange(32), (count, 1)), axis=1)[:, :half]
    tokens = np.concatenate([original, np.full((count, 1), 32), original[:, :-1]], axis=1)
    targets = np.concatenate([np.full_like(original, UNASKED), original], axis=1)
    return tokens, targets


def last_letter(rng: np.random.Generator, count: int, length: int) -> tuple[Tokens, Tokens]:
    """Letters 0 to 7, one token in four, among fillers 8 to 15: at each filler, say the last letter before.

    >>> tokens, targets = last_letter(np.random.default_rng(2), 1, 8)
    >>> tokens[0].tolist(), targets[0].tolist()
    ([12, 10, 9, 5, 10, 12, 2, 1], [-1, -1, -1, -1, 5, 5, -1, -1])
    """
    letter = rng.random((count, length)) < 0.25
    tokens = rng.integers(8, size=(count, length)) + np.where(letter, 0, 8)
    latest = np.maximum.accumulate(np.where(letter, np.arange(length), -1), axis=1)
    said = np.take_along_axis(tokens, np.maximum(latest, 0), axis=1)
    return tokens, np.where(~letter & (latest >= 0), said, UNASKED)


def fixed_position(rng: np.random.Generator, count: int, length: int) -> tuple[Tokens, Tokens]:
    """Random tokens; say the one at position :data:`FIXED`, from there on.

    >>> tokens, targets = fixed_position(np.random.default_rng(0), 1, 7)
    >>> tokens[0].tolist(), targets[0].tolist()
    ([13, 10, 8, 4, 4, 0, 1], [-1, -1, -1, -1, -1, 4, 4])
    """
    tokens = rng.integers(16, size=(count, length))
    targets = np.full_like(tokens, UNASKED)
    targets[:, FIXED + 1 :] = tokens[:, FIXED, np.newaxis]
    return tokens, targets


def mark_nearby(rng: np.random.Generator, count: int, length: int) -> tuple[Tokens, Tokens]:
    """Tokens 0 to 15, of which 0, one in twelve, is a mark: say 1 if one is among the last eight, 0 if not.

    Nothing is asked before there are eight.

    >>> tokens, targets = mark_nearby(np.random.default_rng(4), 1, 12)
    >>> tokens[0].tolist()
    [14, 7, 3, 0, 15, 15, 14, 6, 11, 15, 9, 14]
    >>> targets[0].tolist()
    [-1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 0]
    """
    marked = rng.random((count, length)) < 1 / 12
    tokens = np.where(marked, 0, rng.integers(1, 16, size=(count, length)))
    before = np.cumsum(np.pad(marked, ((0, 0), (NEAR, 0))), axis=1)  # marks up to each position
    targets = (before[:, NEAR:] > before[:, :-NEAR]).astype(np.int64)
    targets[:, : NEAR - 1] = UNASKED
    return tokens, targets


@dataclass(frozen=True)
class Task:
    """A task: how it is drawn, how many different tokens it has, and what guessing would get."""

    draw: Callable[[np.random.Generator, int, int], tuple[Tokens, Tokens]]
    vocabulary: int
    chance: float
    #: Whether sequences of all even lengths are trained, rather than the longest alone.
    all_lengths: bool = False


TASKS = {
    "back": Task(token_back, 16, 1 / 16),
    "copy": Task(unique_copy, 33, 1 / 32, all_lengths=True),
    "last": Task(last_letter, 16, 1 / 8),
    "fixed": Task(fixed_position, 16, 1 / 16),
    "near": Task(mark_nearby, 16, 1 / 2),
    "text": Task(drawn, VOCABULARY, 1 / VOCABULARY),
}


def draw(
    task: str, seeds: list[np.random.Generator], count: int, length: int, back: int = BACK
) -> tuple[Tokens, Tokens]:
    """Sequences for several models, each from its own generator.

    The first task looks `back` so far. Tokens and targets are of shape (models, count, length).

    >>> draw("last", [np.random.default_rng(0), np.random.default_rng(1)], 3, 8)[0].shape
    (2, 3, 8)
    """
    check_choice(task, "task", TASKS)
    count, length = check_count(count, "count", least=1), check_count(length, "length", least=1)
    one = partial(token_back, back=back) if task == "back" else TASKS[task].draw
    drawn = [one(rng, count, length) for rng in seeds]
    return np.stack([tokens for tokens, _ in drawn]), np.stack([targets for _, targets in drawn])
