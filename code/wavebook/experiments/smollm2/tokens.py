"""The model's tokenizer: byte-pair encoding with the vocabulary and the merges that its file has.

A text is first cut into pieces, as the setting "smollm" of the file asks: each digit is one, and a run of
letters, of digits or of other signs is one with the space before it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_PIECE = re.compile(
    r"[0-9]|'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[^\sA-Za-z0-9]+|\s+(?=[0-9]|\Z)|\s+(?!\S)|\s+", re.ASCII
)


def _kind(sign: str) -> str:
    """An ASCII sign of the same kind: letter, number, space or other."""
    if sign.isascii():
        return sign
    category = unicodedata.category(sign)
    return {"L": "a", "N": "0"}.get(category[0], "\n" if sign.isspace() else "!")


def pieces(text: str) -> list[str]:
    """The pieces of a text, which no token joins.

    >>> pieces("It's 47, not  4.")
    ['It', "'s", ' ', '4', '7', ',', ' not', '  ', '4', '.']
    """
    kinds = "".join(map(_kind, text))
    return [text[match.start() : match.end()] for match in _PIECE.finditer(kinds)]


@cache
def _signs() -> dict[int, str]:
    """Byte -> the sign that stands for it in the vocabulary: itself if printed, or one after 255."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + at) for at, byte in enumerate(others)}


class Tokenizer:
    """Texts to tokens and back."""

    def __init__(self, path: Path) -> None:
        from gguf import GGUFReader

        fields = GGUFReader(path).fields
        kind = tuple(fields[f"tokenizer.ggml.{name}"].contents() for name in ("model", "pre"))
        if kind != ("gpt2", "smollm"):
            raise ValueError(f"the file's tokenizer must be ('gpt2', 'smollm'), got {kind}")
        self.vocabulary: list[str] = fields["tokenizer.ggml.tokens"].contents()
        self.merges: list[str] = fields["tokenizer.ggml.merges"].contents()
        self._number = {token: at for at, token in enumerate(self.vocabulary)}
        self._rank = {tuple(merge.split(" ")): at for at, merge in enumerate(self.merges)}
        self._known: dict[str, list[int]] = {}

    def _encode_piece(self, piece: str) -> list[int]:
        parts = [_signs()[byte] for byte in piece.encode()]
        while len(parts) > 1:
            first = min(pairwise(parts), key=lambda pair: self._rank.get(pair, len(self._rank)))
            if first not in self._rank:
                break
            joined: list[str] = []
            at = 0
            while at < len(parts):
                both = tuple(parts[at : at + 2]) == first
                joined.append("".join(parts[at : at + 1 + both]))
                at += 1 + both
            parts = joined
        return [self._number[part] for part in parts]

    def encode(self, text: str) -> NDArray[np.int64]:
        """The tokens of a text, without one that begins it."""
        found: list[int] = []
        for piece in pieces(text):
            if piece not in self._known:
                self._known[piece] = self._encode_piece(piece)
            found += self._known[piece]
        return np.array(found, np.int64)

    def decode(self, tokens: NDArray[np.int64]) -> str:
        """The text of tokens."""
        bytes_of = {sign: byte for byte, sign in _signs().items()}
        joined = "".join(self.vocabulary[token] for token in tokens)
        return bytes(bytes_of[sign] for sign in joined).decode(errors="replace")
