"""Which layer is of which type, and which layers have no RoPE."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from posread.config.blocks import FULL, WINDOW, Blocks, layer_bases, name_base
from posread.config.given import AT_TIMES, Given, check_list, check_whole

Layers = tuple[str | None, ...]

#: Types of layers that have no attention, and so nothing to turn.
_NO_ATTENTION = re.compile(r"linear|mamba|conv|recurrent|moe$|mlp|cross")
#: Keys with the number of layers.
_COUNTS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_num_hidden_layers")


def read_layers(given: Given, blocks: Blocks) -> Layers | None:
    """The type of each layer, None where it has no RoPE; None if that is not known of all."""
    told = given.get(*_COUNTS)
    count = None if told is None else check_whole(told, "num_hidden_layers", most=100_000)
    if given.record.get("without") or given.get("mla_use_nope"):
        return None if count is None else (None,) * count
    if any(bases := layer_bases(given)):
        compare_count(given, len(bases), count, "layer_rope_theta")
        return tuple(name_base(one) if one else None for one in bases)
    types = read_types(given, count)
    if types is None or given.has("layers-differ"):
        return None
    found = drop_masked(given, name_blocks(given, types, blocks))
    if found is None or given.has("no-block"):
        return None
    if found and not any(found):
        given.note("nothing-turns", "model_type", "No layer turns, so this model knows no positions by RoPE.")
    if given.record.get("layers") == "not seen" and not given.record.get("axes"):
        given.note(
            "layers-not-seen", "model_type",
            f"Which layers turn was not seen when model type {given.model!r} was recorded; here those do "
            "that have attention.",
        )  # fmt: skip
    return tuple(found)


def compare_count(given: Given, entries: int, count: int | None, key: str) -> None:
    """Say where a list is not as long as there are layers."""
    if count is not None and entries != count:
        fails = ", which the library refuses" * (key == "layer_types" and given.is_library_s)
        text = f"{key} has {entries} entries for {count} layers (num_hidden_layers){fails}."
        given.contradict("layers-differ", f"{key} num_hidden_layers", text)


def read_types(given: Given, count: int | None) -> list[str] | None:
    """The type of each layer, as the first of the schemes tells it."""
    for keys, scheme in SCHEMES:
        named = [key for key in keys if key not in AT_TIMES or given.names(key)]
        told = [key for key in named if given.config.get(key) is not None]
        if told and (count is not None or scheme is by_name):
            types = scheme(given, given.get(*told), told[0], count or 0)
            compare_count(given, len(types), count, told[0])
            break
    else:
        if count is None:
            return None
        order = own_order(given, count)
        dense = count_dense(given)
        types = [FULL] * dense + [order[i % len(order)] for i in range(count - dense)]
        if count and "last" in given.record:
            types[-1] = given.record["last"]
    crossing = given.known("cross_attention_layers")  # queries of text, keys of an image, and no RoPE
    places = read_places(crossing or [], "cross_attention_layers")
    return ["cross" if i in places else one for i, one in enumerate(types)]


def own_order(given: Given, count: int) -> list[str]:
    """The types of layers, again and again, that the library takes where none is told."""
    order: str | list[str] = given.record.get("order", ["all"])
    if isinstance(order, str):
        text = "No key tells the types of layers, and the library's order was not recorded."
        given.note("layers-not-told", "layer_types", text)
        return ["all"]
    at_rest = _NO_ATTENTION.search(" ".join(order[:-1])) or given.record.keys() & {"rest", "blocks"}
    if len(order) > 1 and at_rest:
        text = f"No key tells the types of layers: their order is that of model type {given.model!r}."
        given.note("layers-taken", "layer_types", text)
    if given.record.get("whole"):  # an order of so many layers, and no others
        compare_count(given, len(order), count, "layers_block_type")
    return order


def read_places(value: Any, key: str) -> set[int]:
    """The numbers of layers."""
    return {check_whole(one, key, least=0) for one in check_list(value, key)}


def by_name(given: Given, value: Any, key: str, count: int) -> list[str]:
    """Their names."""
    return [str(one) for one in check_list(value, key)]


#: Keys of lists with a number for each layer, and the types of those that have one, and zero: of MiMo, of
#: DeepSeek-V4, whose number is by how much blocks are compressed, and of MiniMax-01.
NUMBERS = {
    "hybrid_layer_pattern": (WINDOW, FULL), "compress_ratios": ("compress", "main"),
    "attn_type_list": (FULL, "linear"),
}  # fmt: skip


def by_number(given: Given, value: Any, key: str, count: int) -> list[str]:
    """By a number or zero; DeepSeek-V4 may have more of them than layers."""
    some, zero = NUMBERS[key]
    types = [some if one else zero for one in check_list(value, key)]
    return types[:count] if key == "compress_ratios" else types


def by_place(given: Given, value: Any, key: str, count: int) -> list[str]:
    """LFM2, Bamba: the numbers of the layers that have attention; the others are recurrent."""
    places = read_places(value, key)
    return [FULL if i in places else "recurrent" for i in range(count)]


def by_cycle(given: Given, value: Any, key: str, count: int) -> list[str]:
    """RecurrentGemma: a few names, again and again."""
    names = [str(one) for one in check_list(value, key)]
    return [names[i % len(names)] for i in range(count)] if names else ["all"] * count


def by_interval(given: Given, value: Any, key: str, count: int) -> list[str]:
    """Qwen3-Next, Gemma 3: of so many, the last has full attention; of ModernBERT, the first.

    EXAONE 4 has letters, "LLLG", and its last layer is global.
    """
    if key == "sliding_window_pattern" and (isinstance(value, str) or not value):
        letters = value or "G"
        return [WINDOW if letters[i % len(letters)] == "L" and i + 1 < count else FULL for i in range(count)]
    period, shift = check_whole(value, key), int("global" not in key or given.model == "afmoe")
    other = "linear" if key == "full_attention_interval" else WINDOW
    return [other if (i + shift) % period else FULL for i in range(count)]


#: Keys of how many layers there are from one with full attention to the next.
_INTERVALS = ("full_attention_interval", "global_attn_every_n_layers", "sliding_window_pattern")
Scheme = Callable[[Given, Any, str, int], list[str]]
#: How a configuration tells which layer is of which type; the first whose keys are there.
SCHEMES: tuple[tuple[tuple[str, ...], Scheme], ...] = (
    (("layer_types", "layers_block_type"), by_name),
    *(((key,), by_number) for key in NUMBERS),
    (("full_attn_idxs", "attn_layer_indices"), by_place),
    (("block_types",), by_cycle),
    *(((key,), by_interval) for key in _INTERVALS),
)


def name_blocks(given: Given, types: list[str], blocks: Blocks) -> list[str | None]:
    """For each layer the name of its block, None where it has none, or none that turns."""
    named, rest = blocks.by_type, types_at_rest(given)
    if "compress" in named:  # DeepSeek-V4: transformers names layers by their attention
        types = ["main" if one == WINDOW else "compress" if "compress" in one else one for one in types]
    dense = count_dense(given)
    found: list[str | None] = []
    for i, one in enumerate(types):
        name = one if one in named else "all" if "all" in named else None
        still = _NO_ATTENTION.search(one) or (one in rest and i >= dense)
        if name is None and not still:
            text = f"There is no block for layers of type {one!r}, but for {' and '.join(map(repr, named))}."
            text = text if one != "all" else "No key tells which layers are of the types that have blocks."
            given.contradict("no-block", f"{blocks.where} layer_types", text)
        found.append(None if still or name is None or named[name] is None else name)
    name_idle(given, types, blocks)
    return found


def name_idle(given: Given, types: list[str], blocks: Blocks) -> None:
    """Name the blocks that are for no layer; those of the library itself are no fault of the file."""
    say = given.contradict if blocks.nested else given.note
    for name in sorted(set(blocks.by_type) - {"all", *types}) if "all" not in types else ():
        text = f"There is a block for layers of type {name!r}, of which there are none."
        say("no-layer", f"{blocks.where} layer_types", text)


def count_dense(given: Given) -> int:
    """How many layers at the beginning are dense, and turn for that (Cohere's mixture of experts)."""
    told = given.get("first_k_dense_replace") if given.record.get("dense_turn") else 0
    return check_whole(told or 0, "first_k_dense_replace", least=0)


def types_at_rest(given: Given) -> set[str]:
    """The types of layers that do not turn; those of full attention only where others have a window."""
    rest = set(given.record.get("rest", ())) - set(given.record.get("mixed", ()))
    return rest if given.known("sliding_window") else rest - {FULL}


def drop_masked(given: Given, found: list[str | None]) -> list[str | None] | None:
    """The same, None where a mask or an interval takes RoPE from a layer; None if the mask is too short."""
    told = given.get("no_rope_layers")  # ones and zeros: 1 is a layer that has RoPE, in spite of its name
    if mask := check_list([] if told is None else told, "no_rope_layers"):
        kept = [check_whole(one, "no_rope_layers", least=0) > 0 for one in mask]
        compare_count(given, len(kept), len(found), "no_rope_layers")
        if len(kept) < len(found):
            return None
        return [one if keep else None for one, keep in zip(found, kept, strict=False)]
    if told is not None and given.record.get("empty_mask") is False:
        given.contradict("refused", "no_rope_layers", "no_rope_layers is empty, at which the library fails.")
    if (every := given.known("no_rope_layer_interval")) is not None:
        period = check_whole(every, "no_rope_layer_interval")
        return [one if (i + 1) % period else None for i, one in enumerate(found)]
    return found
