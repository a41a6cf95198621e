"""Programs that are known to build tables, or to rotate, in a certain way: from their public sources."""

from __future__ import annotations

from posread.diagnosis.reading import Reading


def programs(reading: Reading, d_model: int) -> tuple[str, ...]:
    """Names of programs whose tables are read like this one."""
    names = reading.axes[0].frequencies
    if names.law != "geometric" or reading.signs != (1, 1):
        return ()
    pairs = len(names.values)
    less = names.over == 2 * pairs - 2
    one = len(reading.axes) == 1
    if names.base == 0.5 and names.over == 2:
        return ("NeRF",) if reading.first == "sin" else ()
    if names.base != 1e4:
        return ()
    positions = reading.axes[0].positions
    start = positions.first if positions else 0.0
    known: dict[tuple[str, str | None, bool], tuple[str, ...]] = {
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
    if one:
        if positions and positions.step is not None and positions.step % 1:
            return ()  # the first frequency is another
        if start == 2 and reading.layout == "halves" and less and reading.first == "sin":
            return ("fairseq, from the first token on",)
        return known.get((reading.layout, reading.first, less), ())
    if len(reading.axes) == 2 and len({len(axis.frequencies.values) for axis in reading.axes}) == 1:
        if reading.layout == "quarters":
            return ("the simple ViT",) if less else ("MAE",)
        if reading.layout == "interleaved" and not less:
            return ("DETR",)
        if reading.layout == "halves":
            return ("timm",)
    return ()
