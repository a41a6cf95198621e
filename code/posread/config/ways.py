"""Ways to tell a model's RoPE, each of which the library reads as it is read here but with some types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: What each is, in words that follow "What transformers does with".
WAYS = {
    "no base": "a block that has no rope_theta",
    "base beside": "a rope_theta beside blocks that have none",
    "old key": "rope_scaling",
    "old name": "the key type in rope_scaling",
    "fraction": "partial_rotary_factor in a block",
    "head": "head_dim",
    "no head": "a method that follows the length, without head_dim",
    "one block": "a block without types of layers",
    "list of bases": "layer_rope_theta beside a block",
    "any": "the keys of RoPE",
}


def ways_of(config: Mapping[str, Any]) -> Iterator[str]:
    """The ways in which a configuration tells it."""
    new, old = (config.get(key) for key in ("rope_parameters", "rope_scaling"))
    told = [block for block in (new, old) if isinstance(block, Mapping)]
    nested = [own for block in told for own in block.values() if isinstance(own, Mapping)]
    inner, beside = nested or told, config.get("rope_theta") is not None
    methods = {str(block.get("rope_type", block.get("type", "default"))) for block in inner}
    bare = any(block.get("rope_theta") is None for block in inner)
    head, width, heads = map(config.get, ("head_dim", "hidden_size", "num_attention_heads"))
    divided = width // heads if isinstance(width, int) and isinstance(heads, int) and heads else None
    scaled = isinstance(old, Mapping) and bool(old)
    named = scaled and "type" in told[-1] and "rope_type" not in told[-1]
    found = {
        "no base": bare and not beside,
        "base beside": bool(nested) and bare and beside,
        "old key": scaled,
        "old name": named,
        "fraction": any(block.get("partial_rotary_factor") is not None for block in inner),
        "head": head not in (None, divided),
        "no head": head is None and not methods.isdisjoint(("dynamic", "yarn")),
        "one block": bool(new) and not nested,
        "list of bases": bool(config.get("layer_rope_theta")) and (bool(told) or beside),
    }
    return (way for way, so in (found | {"any": True}).items() if so)
