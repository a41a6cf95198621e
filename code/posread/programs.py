"""Programs that are known to build tables, or to rotate, in a certain way: from their public sources."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from posread.reading import Frequencies, Layout, Reading

Index = NDArray[np.intp]
TURN = 2 * math.pi
#: By layout, what comes first, and whether the denominator is d - 2.


ONE_AXIS: dict[tuple[str, str | None, bool], tuple[str, ...]] = {
    ("interleaved", "sin", False): ("the paper's formula", "Annotated Transformer", "PyTorch's tutorial"),
    ("halves", "sin", True): ("tensor2tensor", "Whisper", "DDPM", "diffusers with shift 1"),
    ("halves", "cos", False): (
        "guided diffusion",
        "diffusers with flip_sin_to_cos and shift 0",
        "a cache of RoPE (cosines, then sines)",
    ),
    ("halves", "cos", True): ("MusicGen", "diffusers with flip_sin_to_cos and shift 1"),
    ("halves", "sin", False): ("MAE for one axis", "diffusers with shift 0"),
}


def programs(reading: Reading) -> tuple[str, ...]:
    """Names of programs whose own tables are this one, in layout, order, signs, frequencies and positions."""
    names = reading.axes[0].frequencies
    changed = (
        reading.scale != 1 or reading.shift or reading.noise or reading.rounding or reading.limit is not None
    )
    if names.law != "geometric" or reading.signs != (1, 1) or changed:
        return ()
    pairs = len(names.values)
    less = names.over == 2 * pairs - 2
    if names.octaves:
        return ("NeRF",) if reading.first == "sin" else ()
    if names.base != 1e4 or (not less and names.over != 2 * pairs):
        return ()
    if len(reading.axes) > 1:
        return _of_two_axes(reading, less)
    positions = reading.axes[0].positions
    start, step = (positions.first, positions.step) if positions else (0.0, 1.0)
    if step is not None and step % 1 and positions is not None and positions.each == 1:
        return ()  # the first frequency is another
    if start == 2 and reading.layout == "halves" and less and reading.first == "sin":
        return ("fairseq, from the first token on",)
    return ONE_AXIS.get((reading.layout, reading.first, less), ())


def _of_two_axes(reading: Reading, less: bool) -> tuple[str, ...]:
    """Programs for images: by the axis that comes first, which counts from 0, from 1, or up to 2 pi."""
    same = len({(a.frequencies.base, a.frequencies.over, a.frequencies.begin) for a in reading.axes}) == 1
    places = [axis.positions for axis in reading.axes]
    if len(places) != 2 or not same or reading.first != "sin" or reading.grid is None:
        return ()
    column_first = places[0] is not None and places[0].each == 1
    counts = [(p.first, p.step) if p is not None else (0.0, None) for p in places]
    if reading.layout == "quarters" and column_first and counts == [(0, 1), (0, 1)]:
        return ("the simple ViT",) if less else ("MAE",)
    if less or column_first:
        return ()
    if reading.layout == "halves" and counts == [(0, 1), (0, 1)]:
        return ("timm",)
    to_a_turn = all(
        p is not None
        and p.step
        and abs(p.first / p.step - 1) < 1e-6
        and abs(p.step * p.count / TURN - 1) < 1e-5
        for p in places
    )
    if reading.layout == "interleaved" and (to_a_turn or counts == [(1, 1), (1, 1)]):
        return ("DETR",)
    return ()


def rope_programs(
    layout: Layout, one: Index, two: Index, d_model: int, names: Frequencies
) -> tuple[str, ...]:
    """Programs that turn these entries in this layout."""
    if names.law not in ("geometric", "blend") or names.base is None or names.base < 1:
        return ()
    turned = 2 * len(one)
    begin, contiguous = int(min(one.min(), two.min())), turned == int(two.max()) - int(one.min()) + 1
    if turned == d_model:
        if layout == "halves":
            return ("GPT-NeoX and Hugging Face (rotate_half)",)
        return ("RoFormer, and Llama's own program",) if layout == "interleaved" else ()
    if layout == "halves" and not contiguous and int(two[0] - one[0]) == d_model // 2 and begin == 0:
        return ("Gemma 4 (rope type proportional)",) if names.over == d_model else ()
    if names.over == d_model:
        return ()
    if contiguous and begin == 0:
        return ("GPT-NeoX and Phi with partial rotation",) if layout == "halves" else ("GPT-J",)
    if contiguous and begin + turned == d_model:
        return ("DeepSeek, whose last entries turn",)
    return ()
