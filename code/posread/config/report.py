"""What a configuration does, in words and as a picture of wavelengths against the context."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Set
from itertools import groupby

import numpy as np

from posenc.arguments import Float
from posenc.encoding import frequencies
from posread.config.model import LayerRope, RopeConfig

WIDTH = 84  # of a line of the report
AXIS = 60  # of the picture: columns from one position to the longest wavelength
ROWS = 13  # of the picture, at most

#: Contradictions after which what is told is still the library's own.
FOLLOWED = {
    "block-ignored", "faster", "lists-swapped", "no-effect", "parameters-differ", "part-ignored", "swapped",
}  # fmt: skip
#: Notes of what is not recorded of it.
UNRECORDED = {
    "by-hand", "layers-not-told", "not-recorded", "nothing-turns", "unknown-type", "unlike", "unread",
}  # fmt: skip
_TYPES = {
    "default": "the frequencies of the base",
    "linear": "position interpolation (linear)",
    "dynamic": "NTK-aware scaling that follows the length (dynamic)",
    "yarn": "YaRN",
    "llama3": "Llama 3.1's ramp (llama3)",
    "longrope": "LongRoPE",
    "proportional": "the fastest of all pairs alone (proportional)",
    "axial": "one half of the pairs for each of two axes (axial)",
}


def is_doubted(config: RopeConfig, but: Set[str] = frozenset()) -> bool:
    """Whether what is told may not be the library's own, by any kind of remark but some."""
    against, notes = ({one.kind for one in remarks} for remarks in (config.contradictions, config.notes))
    return bool(((against | notes) & UNRECORDED | against - FOLLOWED) - but)


def report(config: RopeConfig) -> str:
    """Some ten lines for a type of layer, and one for each contradiction (!) and note (-)."""
    kinds = {one.kind for one in (*config.contradictions, *config.notes)}
    by = f"transformers {config.library}"
    by = f"the file's own words; {by} may do otherwise" if is_doubted(config) else by
    named = config.model_type or "unknown"
    lines = [f"RoPE of a model of type {named if named.isprintable() else repr(named)}, by {by}"]
    if config.layers is not None:
        guessed = " (guessed)" if kinds & {"unknown-type", "layers-not-seen", "layers-not-told"} else ""
        lines += textwrap.wrap(f"layers: {_layers(config.layers)}{guessed}", WIDTH, subsequent_indent="  ")
    for name, kind in config.kinds.items():
        if len(config.kinds) > 1:
            lines.append(f"-- {name}")
        lines += _kind(kind, not kinds & {"not-read", "across-heads"})
    for mark, remarks in (("!", config.contradictions), ("-", config.notes)):
        for one in remarks:
            text = f"{mark} {one.text}"
            lines += textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def _layers(layers: tuple[str | None, ...]) -> str:
    named = [(one or "without RoPE") for one in layers]
    counted = [f"{named.count(one)} {one}" for one in dict.fromkeys(named)]
    runs = [f"{len(list(group))} {one}" for one, group in groupby(named)]
    order = f" ({', '.join(runs[:4])}{', ...' if len(runs) > 4 else ''})" if len(counted) > 1 else ""
    return f"{len(layers)}: {', '.join(counted)}{order}".replace(" all", " with RoPE")


def _kind(kind: LayerRope, read: bool) -> list[str]:
    turning = kind.omega[kind.omega > 0] if read else kind.omega[:0]
    lines = [
        f"type:        {_type(kind)}",
        f"base:        {kind.base:,.10g}",
        f"head:        {_turning(kind, read)}; pairs: {kind.layout or 'not told'}",
    ]
    lines += _axes(kind) if read else []
    if turning.size:
        until = ", up to the trained length" * bool(kind.parameters)
        lines.append(f"wavelengths: {_wavelengths(turning)}{until}")
    lines.append(f"cos and sin: {_times(kind.rotation_factor, 'scores of what turns') or 'not scaled'}")
    own = filter(None, ("the model's own scale", _times(kind.score_factor)))
    lines.append(f"softmax:     {', '.join(own)}")
    if kind.query_scale:
        beta, length, start = kind.query_scale
        place = f"(p + {start})" if start else "p"
        lines.append(f"queries:     times 1 + {beta:g} ln(1 + floor({place} / {length:,}))")
    lines.append(f"context:     {_context(kind)}")
    if turning.size and kind.trained_length:
        old = _before(kind)
        never = int((2 * math.pi / old > kind.trained_length).sum())
        before = "" if np.allclose(old, turning) else ", before slowing"
        never_turn = f"{never} of {old.size} pairs never complete a turn in the trained length{before}"
        lines.append(f"{'':13}{never_turn}")
    return lines


def _axes(kind: LayerRope) -> list[str]:
    if kind.axes is not None or kind.sections:
        dealt = "in turn" if kind.axes is not None and (np.diff(kind.axes) < 0).sum() > 1 else "in bands"
        counts = np.bincount(kind.axes) if kind.axes is not None else kind.sections or ()
        names = {2: "row, column", 3: "time, row, column"}.get(len(counts), f"{len(counts)} axes")
        return [f"axes:        {', '.join(map(str, counts))} pairs for {names}, {dealt}"]
    return []


def _wavelengths(omega: Float) -> str:
    return f"{2 * math.pi / omega.max():,.2f} to {2 * math.pi / omega.min():,.0f} positions"


def _before(kind: LayerRope) -> Float:
    """The frequencies of the pairs that turn, before a method for longer contexts has changed them."""
    if kind.rope_type in ("yarn", "llama3", "longrope"):
        return frequencies(kind.rotary_dim, kind.base)
    turning: Float = kind.omega[kind.omega > 0]
    return turning * kind.factor if kind.rope_type in ("linear", "proportional") and kind.factor else turning


def _type(kind: LayerRope) -> str:
    if kind.rope_type == "dynamic" and kind.factor and not kind.parameters:
        return f"NTK-aware scaling, the same at all lengths (dynamic), alpha {kind.factor:g}"
    return _TYPES[kind.rope_type] + (f", factor {kind.factor:g}" if kind.factor else "")


def _turning(kind: LayerRope, read: bool) -> str:
    if not read:
        return f"{kind.head_dim} entries; which of them turn by what was not read"
    if kind.place == "all":
        return f"all {kind.head_dim} entries turn"
    if kind.place == "spread":
        return f"{kind.rotary_dim} of {kind.head_dim} entries, the fastest pairs of the whole head, turn"
    return f"the {kind.place} {kind.rotary_dim} of {kind.head_dim} entries turn"


def _times(factor: float, squared: str = "") -> str:
    """What is multiplied by a factor; nothing is by 1."""
    if abs(factor - 1) < 1e-12:
        return ""
    return f"times {factor:.4f}" + (f" ({squared}: times {factor**2:.4f})" if squared else "")


def _context(kind: LayerRope) -> str:
    trained, most, factor = kind.trained_length, kind.extended_length, kind.factor
    taken = "taken as " * kind.trained_taken
    before = "length not told" if trained is None else f"{trained:,} {taken}trained"
    after = "" if most is None else f", {most:,} at most"
    if kind.rope_type == "linear" and trained is None and most is not None and factor and factor > 1:
        after = f", {most:,} or {round(factor * most):,} at most"
    return before + after


def picture(kind: LayerRope) -> str:
    """Wavelengths, a row for a pair, on a logarithmic axis with the two lengths as lines."""
    pairs = np.flatnonzero(kind.omega > 0)
    if not pairs.size:
        return "No pair turns."
    shown = pairs[np.unique(np.linspace(0, pairs.size - 1, min(ROWS, pairs.size)).round().astype(int))]
    waves = np.full(kind.omega.size, np.inf)
    waves[pairs] = 2 * np.pi / kind.omega[pairs]
    lengths = {"!": kind.extended_length, "|": kind.trained_length}
    far = max(float(waves[pairs].max()), *(float(length or 1) for length in lengths.values()))
    decades = max(1, math.ceil(math.log10(far)))

    def column(positions: float) -> int:
        return min(AXIS - 1, round(math.log10(max(positions, 1.0)) / decades * (AXIS - 1)))

    lines = []
    for pair in shown:
        row = [" "] * AXIS
        for mark, length in lengths.items():
            if length is not None:
                row[column(length)] = mark
        row[column(float(waves[pair]))] = "o"
        lines.append(f"pair {pair:4d} {''.join(row).rstrip()}")
    axis = [" "] * (AXIS + 8)
    for decade in range(decades + 1):
        at, text = column(10.0**decade), f"10^{decade}"
        if all(one == " " for one in axis[max(at - 1, 0) : at + len(text)]):
            axis[at : at + len(text)] = text
    lines.append(f"{'':9} {''.join(axis).rstrip()}  positions")
    marks = ["o wavelength"]
    if kind.trained_length is not None:
        marks.append("| trained length")
    if kind.extended_length not in (None, kind.trained_length):
        marks.append("! extended length")
    return "\n".join([*lines, f"{'':9} {', '.join(marks)}"])
