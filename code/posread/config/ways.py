"""Ways to tell a model's RoPE, each of which the library reads as it is read here but with some types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posread.config.keys import read_data

#: What each is, in words that follow "What transformers does with".
WAYS: dict[str, str] = read_data("ways.json")
KEYS = ("rope_parameters", "rope_scaling")
LENGTH = "original_max_position_embeddings"
COUNTING = ("llama3", "longrope", "yarn")  # turns in that length


def ways_of(config: Mapping[str, Any]) -> list[str]:
    """The ways in which a configuration tells it."""
    found = {**of_blocks(config), **of_keys(config), **of_numbers(config), "any": True}
    return [way for way in WAYS if found[way]]


def of_blocks(config: Mapping[str, Any]) -> dict[str, bool]:
    """Which of those ways it has that are about what its blocks hold."""
    told = [block for block in map(config.get, KEYS) if isinstance(block, Mapping)]
    nested = [own for block in told for own in block.values() if isinstance(own, Mapping)]
    inner, beside = nested or told, config.get("rope_theta") is not None
    lacks = {key for block in inner for key in ("rope_theta", "mrope_section") if block.get(key) is None}
    bare, old = "rope_theta" in lacks, bool(config.get(KEYS[1]))
    return of_methods(config, inner) | {
        "no base": bare and not beside and not old,
        "no base at all": bare and not beside and old,
        "base beside": bool(nested) and bare and beside,
        "base alone": beside and not any(told),
        "empty": {} in told,
        "block": any(told),
        "no sections": "mrope_section" in lacks,
        "fraction": any(block.get("partial_rotary_factor") is not None for block in inner),
        "one block": bool(config.get(KEYS[0])) and not nested,
    }


def of_methods(config: Mapping[str, Any], inner: list[Mapping[str, Any]]) -> dict[str, bool]:
    """And about the methods in them, and the keys that these need."""
    methods = {str(block.get("rope_type", block.get("type", "default"))) for block in inner}
    lacking = any(block.get(LENGTH) is None for block in inner) and not methods.isdisjoint(COUNTING)
    headless = config.get("head_dim") is None and not methods.isdisjoint(("dynamic", "longrope", "yarn"))
    return {
        "no length": lacking and config.get(LENGTH) is None,
        "length beside": lacking and config.get(LENGTH) is not None,
        "no head": headless and "head_dim" not in config,
        "null head": headless and "head_dim" in config,
    }


def of_keys(config: Mapping[str, Any]) -> dict[str, bool]:
    """And about the names of keys."""
    old = config.get(KEYS[1])
    named = {str(key) for key in old} if isinstance(old, Mapping) else set()
    nested = any(isinstance(own, Mapping) for own in old.values()) if isinstance(old, Mapping) else False
    return {
        "old key": bool(named),
        "null": any(config.get(key, "") is None for key in KEYS) and not any(map(config.get, KEYS)),
        "both keys": all(map(config.get, KEYS)),
        "old blocks": nested,
        "old name": "type" in named and "rope_type" not in named,
    }


def of_numbers(config: Mapping[str, Any]) -> dict[str, bool]:
    """And those that are about other keys."""
    head, width, heads = map(config.get, ("head_dim", "hidden_size", "num_attention_heads"))
    told = any(config.get(key) is not None for key in (*KEYS, "rope_theta"))
    divided = width // heads if isinstance(width, int) and isinstance(heads, int) and heads else None
    return {
        "list of bases": bool(config.get("layer_rope_theta")) and told,
        "head": head not in (None, divided),
        "whole base": isinstance(config.get("rope_theta"), int),
        "names": "layer_types" in config,
        "letters": isinstance(config.get("sliding_window_pattern"), str) and not config.get("layer_types"),
        "no window": "sliding_window" in config and config["sliding_window"] is None,
    }
