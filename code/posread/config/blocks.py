"""The block of each type of layer: the method, the base and the other numbers that its layers turn by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from posenc.arguments import shown
from posread.config.given import Given, check_list, check_number

Block = dict[str, Any]

#: The types of layers that have bases of their own in old files.
FULL, WINDOW = "full_attention", "sliding_attention"
#: Keys of a base for layers with a window.
_NEAR = ("local_rope_theta", "swa_rope_theta", "rope_local_base_freq")


@dataclass(frozen=True)
class Blocks:
    """A block for each type of layer, or None for one without RoPE."""

    by_type: dict[str, Block | None]
    where: str  # the key that they are under
    nested: bool = False  # whether the configuration itself names types of layers

    def key(self, name: str) -> str:
        """The key of a type's block."""
        return f"{self.where}.{name}" if self.nested else self.where


def read_blocks(given: Given) -> Blocks:
    """The blocks of a configuration."""
    new, old = (check_block(given, key) for key in ("rope_parameters", "rope_scaling"))
    if given.record.get("fixed"):
        own = pass_over(given, {"rope_parameters": new, "rope_scaling": old})
        return Blocks({"all": own}, "rope_parameters")
    into = (given.record.get("flat") or {}).get("rope_scaling") or []
    compare_blocks(given, new, old, into)
    beside = split_by_type(new) if old and into else {}
    if beside:  # the old key goes into some of the blocks of the new one
        merged = {name: (own or {}) | old if name in into else own for name, own in beside.items()}
        return name_beside(given, new, Blocks(merged, "rope_parameters", True))
    where, block = ("rope_scaling", old) if old else ("rope_parameters", new)
    if nested := split_by_type(block):
        return name_beside(given, block, Blocks(fill_missing(given, nested), where, True))
    if given.record.get("blocks"):
        return Blocks(fill_types(given, block, where, both=bool(new and old)), where)
    return Blocks(name_types(given, block), where)


def pass_over(given: Given, blocks: dict[str, Block]) -> Block:
    """Nothing, of a type whose program has its frequencies written in; a block that is there is named."""
    for key in [key for key, block in blocks.items() if block]:
        text = f"{key} is not read for models of type {given.model!r}, whose frequencies are written in."
        given.contradict("block-ignored", key, text)
    return {}


def fill_missing(given: Given, nested: dict[str, Block | None]) -> dict[str, Block | None]:
    """The same blocks with the library's own for types of layers that have none, where it does so."""
    default: dict[str, Block] = given.record["block"] if given.record.get("fills") else {}
    return {
        n: nested[n] if n in nested else default_block(given, n, one) for n, one in default.items()
    } | nested


def compare_blocks(given: Given, new: Block, old: Block, into: Sequence[str]) -> None:
    """Say which block counts where both are there, and differ."""
    beside = ("rope_theta", given.config.get("rope_theta"))
    one, other = (
        {"rope_type" if k == "type" else k: v for k, v in block.items() if (k, v) != beside}
        for block in (new, old)
    )
    if new and old and one != other:
        whose = ", and with it its base." if "rope_theta" in old else ", which has no base."
        taken = f" for layers of type {' and '.join(into)}." if into else whose
        given.contradict(
            "parameters-differ", "rope_parameters rope_scaling",
            f"rope_parameters and rope_scaling differ; transformers takes rope_scaling{taken}",
        )  # fmt: skip


def name_beside(given: Given, block: Block, blocks: Blocks) -> Blocks:
    """The same blocks; keys beside them are named, since nothing reads them."""
    given.name_unread([blocks.key(str(key)) for key in block if str(key) not in blocks.by_type])
    return blocks


def name_types(given: Given, block: Block) -> dict[str, Block | None]:
    """One block for all layers, or more where keys beside it tell them apart by their base."""
    if given.get("layer_rope_theta") is not None and (found := by_layer_bases(given, block)):
        return found
    if given.get(*_NEAR) is not None:
        return two_bases(given, block)
    if any(given.config.get(key) is not None for key in ("rope_parameters", "rope_scaling")):
        return {"all": block}
    own = dict(given.record.get("block") or {})
    if own.get("rope_type", "axial") not in ("axial", "default"):
        text = f"No block is told: the {own['rope_type']} of model type {given.model!r} is taken."
        given.note("block-missing", "rope_parameters", text)
    return {"all": own}


def check_block(given: Given, key: str) -> Block:
    """What is under a key, empty if there is nothing."""
    block = given.get(key)
    if block is not None and not isinstance(block, Mapping):
        raise TypeError(f"config[{key!r}] must be a mapping, got {shown(block)}")
    return dict(block or {})


def split_by_type(block: Block) -> dict[str, Block | None]:
    """The blocks for types of layers that a block holds."""
    return {
        str(key): None if value is None else dict(value)
        for key, value in block.items()
        if isinstance(value, Mapping) or (value is None and str(key).endswith(("attention", "main")))
    }


def fill_types(given: Given, block: Block, where: str, *, both: bool) -> dict[str, Block | None]:
    """One block for all, or none, where the library wants one for each type of layer.

    Into which it goes is recorded for either key. The others are the library's own, with the bases that old
    files tell beside the block.
    """
    own: dict[str, Block | None] = given.record["block"]
    into = given.record["flat"][where] if block or not any(own.values()) else []
    if into is None or (block and both and WINDOW in own):
        raise ValueError(
            f"config[{where!r}] must have a block for each type of layer with model type "
            f"{given.model!r}, such as 'full_attention', got {sorted(map(str, block))}"
        )
    if block and not into:
        given.contradict(
            "block-ignored", where,
            f"{where} has no block for a type of layer, and model type {given.model!r} reads nothing else "
            "there: layers have their default blocks, without a method.",
        )  # fmt: skip
        given.name_unread([f"{where}.{key}" for key in block])
    more = given.record.get("block_extra", {}).get(str(block.get("rope_type", block.get("type"))), {})
    filled: dict[str, Block | None] = {}
    for name, default in own.items():
        if default is None:
            filled[name] = None
            continue
        has = name in into and block.get("rope_theta") is not None
        base = {} if has else default_block(given, name, default)
        filled[name] = {"rope_theta": base.get("rope_theta"), **more, **block} if name in into else base
    return filled


def default_block(given: Given, name: str, default: Block) -> Block:
    """The library's own block of a type of layer, with the base that old files tell beside the blocks."""
    told = given.get(*(key for key, kinds in given.record.get("bases", {}).items() if name in kinds))
    if told is not None:
        return {**default, "rope_theta": check_number(told, "rope_theta", least=1.0)}
    beside, base = given.config.get("rope_theta"), default.get("rope_theta")
    if base not in (None, beside):
        why = "No base is told" if beside is None else "rope_theta is not read"
        text = f"{why} for layers of type {name!r}: {base:,.10g} is taken."
        given.note("base-missing", "rope_parameters", text)
    return {**default, "rope_theta": base}


def by_layer_bases(given: Given, block: Block) -> dict[str, Block | None]:
    """Granite: a list with the base of each layer, zero for one without RoPE."""
    turning = sorted(set(layer_bases(given)) - {0.0})
    return {name_base(base): block | {"rope_theta": base} for base in turning}


def two_bases(given: Given, block: Block) -> dict[str, Block | None]:
    """Two bases, and the method for both, or for full attention alone where Gemma 3's key tells the other."""
    full, both = given.get("global_rope_theta"), given.config.get("rope_local_base_freq") is None
    own = block if full is None else {"rope_theta": full} | block
    return {FULL: own, WINDOW: (block if both else {}) | {"rope_theta": given.get(*_NEAR)}}


def layer_bases(given: Given) -> list[float]:
    """The base of each layer, zero where it has no RoPE, if they are told so."""
    told = check_list(given.get("layer_rope_theta") or [], "layer_rope_theta")
    return [check_number(one or 0, "layer_rope_theta", equal=True) for one in told]


def name_base(base: float) -> str:
    """A type of layers that a base of their own tells from the others."""
    return f"base {base:,.12g}"
