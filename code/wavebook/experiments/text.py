"""Text to train on: the book's own, as its sources were at one commit, from the history of the repository.

It is the book's prose without cells of code, in ASCII; so whoever has a clone has the text, and nobody a
second copy of the book to keep. It is under the license of the book, CC BY 4.0.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]

#: The commit whose pages are read, and the SHA-256 of the text that comes of them.
COMMIT = "6f0923f5cca1511f7c0e313ddbb015bd280eb8d2"
DIGEST = "5039d6eb0fac429c8b2ae4da4b956ba576b694eb7932d941a802f5173285ed88"
#: Characters of a block; the last of every eight blocks is kept for the test.
BLOCK, EVERY = 8192, 8
#: Printable characters from the space on, a newline, and one for all others.
NEWLINE, OTHER, VOCABULARY = 95, 96, 97
LETTERS = [ord(letter) - 32 for letter in "abcdefghijklmnopqrstuvwxyz"]

#: How many letters are planted, and how far apart two copies begin within the trained length.
PLANTED, NEAREST, FARTHEST = 12, 16, 48
#: After how many letters those repeat that have a window of their own.
LEAST, MOST = 8, 32


def prose(source: str) -> str:
    r"""The lines of a page without its header, cells of code, and the fences and options of directives.

    >>> prose("---\na: b\n---\n# Why\n```{code-cell}\nx = 1\n```\n:::{note}\n:class: x\nSo.\n:::\n")
    '# Why\nSo.\n'
    """
    source = re.sub(r"\A---\n.*?^---\n", "", source, flags=re.DOTALL | re.MULTILINE)
    source = re.sub(r"^(`{3,}).*?^\1\n", "", source, flags=re.DOTALL | re.MULTILINE)
    kept = [line for line in source.split("\n") if not re.match(r"\s*:|\([\w-]+\)=$", line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept))


def encoded(text: str) -> Tokens:
    r"""Characters as tokens.

    >>> encoded("A a\nλ").tolist()
    [33, 0, 65, 95, 96]
    """
    codes = [ord(character) for character in text]
    return np.array(
        [NEWLINE if code == 10 else code - 32 if 32 <= code < 127 else OTHER for code in codes], np.int64
    )


@cache
def written() -> Tokens:
    """All of the text, pages in the order of their names, of shape (characters,)."""

    def git(*words: str) -> str:
        here = Path(__file__).parent
        return subprocess.run(
            ["git", *words], cwd=here, capture_output=True, encoding="utf-8", check=True
        ).stdout

    names = git("ls-tree", "--full-tree", "--name-only", COMMIT, "book/").splitlines()
    tokens = encoded(
        "".join(prose(git("show", f"{COMMIT}:{name}")) for name in names if name.endswith(".md"))
    )
    digest = hashlib.sha256(tokens.astype(np.uint8).tobytes()).hexdigest()
    if digest != DIGEST:
        raise ValueError(f"the text of {COMMIT} must have the SHA-256 {DIGEST}, got {digest}")
    return tokens


@cache
def blocks(*, testing: bool) -> Tokens:
    """The blocks that are trained on, or those of the test, of shape (blocks, BLOCK)."""
    whole = written()
    whole = whole[: len(whole) // BLOCK * BLOCK].reshape(-1, BLOCK)
    test = np.arange(len(whole)) % EVERY == EVERY - 1
    return whole[test if testing else ~test]  # type: ignore[no-any-return]  # as it was when it ran


def drawn(rng: np.random.Generator, count: int, length: int) -> tuple[Tokens, Tokens]:
    """Windows of text and, as many, of letters that repeat; say the next character.

    Of four windows the first is plain text. In the third, PLANTED random letters are written over the text,
    twice, NEAREST to FARTHEST apart. The second and the last have random letters alone, which repeat after
    LEAST to MOST of them: without those, a small model takes too long to learn to copy.

    There are `count` windows, at least 1, of `length` characters, at least FARTHEST + PLANTED: tokens and
    targets are of shape (count, length).
    """
    source = blocks(testing=False)
    row = rng.integers(len(source), size=count)
    start = rng.integers(BLOCK - length, size=count)
    window = source[row[:, np.newaxis], start[:, np.newaxis] + np.arange(length + 1)]
    letters = rng.choice(LETTERS, size=(count, MOST))
    distance = rng.integers(NEAREST, FARTHEST + 1, size=count)
    first = rng.integers(length + 1 - PLANTED - distance)
    period = rng.integers(LEAST, MOST + 1, size=count)
    for n in range(2, count, 4):
        for place in (first[n], first[n] + distance[n]):
            window[n, place : place + PLANTED] = letters[n, :PLANTED]
    for n in range(1, count, 2):
        window[n] = letters[n, np.arange(length + 1) % period[n]]
    return window[:, :-1], window[:, 1:]
