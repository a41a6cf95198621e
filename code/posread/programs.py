"""Programs that are known to build tables, or to rotate, in a certain way: from their public sources."""

from __future__ import annotations

import math

from posread.fit.hands import Index
from posread.reading import Frequencies, Layout, Positions, Reading

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
    if names.law != "geometric" or reading.signs != (1, 1) or _is_changed(reading):
        return ()
    if names.octaves:
        return ("NeRF",) if reading.first == "sin" else ()
    pairs = len(names.values)
    less = names.over == 2 * pairs - 2
    if names.base != 1e4 or (not less and names.over != 2 * pairs):
        return ()
    return _of_two_axes(reading, less) if len(reading.axes) > 1 else _of_one_axis(reading, less)


def _is_changed(reading: Reading) -> bool:
    """Whether something was done to the entries, or to the numbers that they are made of."""
    plain = reading.scale == 1 and not (reading.shift or reading.noise or reading.straight)
    return not plain or reading.rounding is not None or reading.limit is not None


def _of_one_axis(reading: Reading, less: bool) -> tuple[str, ...]:
    """Programs for sequences; fairseq's counts from 2."""
    positions = reading.axes[0].positions
    if positions is not None and positions.each == 1 and (positions.step is None or positions.step % 1):
        return ()  # the first frequency is another, or positions are listed
    kind = reading.layout, reading.first, less
    if positions is not None and positions.first == 2 and kind == ("halves", "sin", True):
        return ("fairseq, from the first token on",)
    return ONE_AXIS.get(kind, ())


def _of_two_axes(reading: Reading, less: bool) -> tuple[str, ...]:
    """Programs for images: by the axis that comes first, which counts from 0, from 1, or up to 2 pi."""
    same = len({(a.frequencies.base, a.frequencies.over, a.frequencies.begin) for a in reading.axes}) == 1
    one, *others = [axis.positions for axis in reading.axes]
    if len(others) != 1 or one is None or others[0] is None or not same or reading.grid is None:
        return ()
    if reading.first != "sin":
        return ()
    counts = {_counting(place) for place in (one, others[0])}
    known = {
        ("quarters", True, False, "from 0"): ("MAE",),
        ("quarters", True, True, "from 0"): ("the simple ViT",),
        ("halves", False, False, "from 0"): ("timm",),
        ("interleaved", False, False, "from 1"): ("DETR",),
        ("interleaved", False, False, "to a turn"): ("DETR",),
    }
    return known.get((reading.layout, one.each == 1, less, counts.pop()), ()) if len(counts) == 1 else ()


def _counting(place: Positions) -> str:
    """How coordinates of an image count."""
    if (place.first, place.step) in ((0, 1), (1, 1)):
        return f"from {place.first:.0f}"
    to_a_turn = bool(place.step) and abs(place.first / place.step - 1) < 1e-6  # type: ignore[operator]
    return "to a turn" if to_a_turn and abs((place.step or 0) * place.count / TURN - 1) < 1e-5 else ""


def rope_programs(
    layout: Layout, one: Index, two: Index, d_model: int, names: Frequencies
) -> tuple[str, ...]:
    """Programs that turn these entries in this layout."""
    if names.law not in ("geometric", "blend") or names.base is None or names.base < 1:
        return ()
    turned = 2 * len(one)
    if turned == d_model:
        whole = {
            "halves": ("GPT-NeoX and Hugging Face (rotate_half)",),
            "interleaved": ("RoFormer, and Llama's own program",),
        }
        return whole.get(layout, ())
    begin, end = int(min(one.min(), two.min())), int(two.max()) + 1
    if layout == "halves" and turned < end - begin:
        spread = int(two[0] - one[0]) == d_model // 2 and begin == 0 and names.over == d_model
        return ("Gemma 4 (rope type proportional)",) if spread else ()
    if names.over == d_model or turned < end - begin:
        return ()
    if begin == 0:
        return ("GPT-NeoX and Phi with partial rotation",) if layout == "halves" else ("GPT-J",)
    return ("DeepSeek, whose last entries turn",) if end == d_model else ()
