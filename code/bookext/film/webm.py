"""Frames that a browser has encoded, as a WebM file: the few elements of it that a silent film needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

#: What the file's times count in: milliseconds, as nanoseconds.
_SCALE = 1_000_000


@dataclass(frozen=True)
class Chunk:
    """An encoded frame: when it is shown, in milliseconds, and whether it needs none before it."""

    time: int
    key: bool
    data: bytes


def _element(name: str, content: bytes) -> bytes:
    """An element: its name in hexadecimal, the content's length in eight bytes, the content.

    >>> _element("4286", bytes([1])).hex()
    '4286010000000000000101'
    """
    return bytes.fromhex(name) + (1 << 56 | len(content)).to_bytes(8, "big") + content


def _number(name: str, value: int, size: int = 8) -> bytes:
    return _element(name, value.to_bytes(size, "big"))


def _block(chunk: Chunk, began: int) -> bytes:
    """A frame of the one track, whose time counts from that of its cluster."""
    return _element("A3", b"\x81" + struct.pack(">hB", chunk.time - began, 0x80 * chunk.key) + chunk.data)


def clusters_of(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """The frames in groups that can be entered: each begins with one that needs none before it.

    >>> made = [Chunk(0, True, b""), Chunk(80, False, b""), Chunk(160, True, b"")]
    >>> [len(group) for group in clusters_of(made)]
    [2, 1]
    """
    found: list[list[Chunk]] = []
    for chunk in chunks:
        if chunk.key:
            found.append([])
        found[-1].append(chunk)
    return found


def film(chunks: Sequence[Chunk], width: int, height: int, duration: int, codec: str = "V_VP9") -> bytes:
    """A WebM file with an index, so that players can jump.

    Its chunks are frames, in their order, the first of which needs none before it; the size is in pixels, the
    duration in milliseconds, and the codec as Matroska calls it.
    """
    kind = _number("4286", 1) + _number("42F7", 1) + _number("42F2", 4) + _number("42F3", 8)
    kind += _element("4282", b"webm") + _number("4287", 4) + _number("4285", 2)
    program = b"bookext"
    about = _number("2AD7B1", _SCALE) + _element("4489", struct.pack(">d", float(duration)))
    about += _element("4D80", program) + _element("5741", program)
    picture = _element("E0", _number("B0", width) + _number("BA", height))
    track = _number("D7", 1) + _number("73C5", 1) + _number("83", 1) + _number("9C", 0)
    track += _element("86", codec.encode()) + picture
    head = _element("1549A966", about) + _element("1654AE6B", _element("AE", track))
    groups = clusters_of(chunks)
    clusters = [
        _element(
            "1F43B675", _number("E7", group[0].time) + b"".join(_block(one, group[0].time) for one in group)
        )
        for group in groups
    ]

    def index(start: int) -> bytes:
        """Where each cluster begins, if the first is at `start`: a length that hangs on no value."""
        points, at = b"", start
        for group, cluster in zip(groups, clusters, strict=True):
            place = _element("B7", _number("F7", 1) + _number("F1", at))
            points += _element("BB", _number("B3", group[0].time) + place)
            at += len(cluster)
        return _element("1C53BB6B", points)

    start = len(head) + len(index(0))
    return _element("1A45DFA3", kind) + _element("18538067", head + index(start) + b"".join(clusters))
