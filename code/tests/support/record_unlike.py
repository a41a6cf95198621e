"""Record where the library reads a configuration otherwise than it is read here, or fails.

Run it as `python code/tests/support/record_unlike.py` after `record_configs.py`, and after a change of what
reads configurations. For each type of models and each way to tell RoPE (`ways`) it makes a few
configurations, and writes those ways to `unlike.json` that lead to other frequencies; `from_config` then
says so.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import json
import logging
import os
import re
from functools import cache
from typing import Any

import numpy as np
import record_configs as record

from posread.config.given import records
from posread.config.model import LayerRope
from posread.config.read import from_config
from posread.config.report import is_doubted
from posread.config.ways import KEYS, LENGTH

UNLIKE = record.MODELS.with_name("unlike.json")
METHOD = {"factor": 4.0, LENGTH: 1024}


def tried_ways(cls: type) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """A plain configuration of a class, and others for each way; of two ways elsewhere."""
    blocks, default = record.block_names(cls), record.own_block(cls)

    def own(**block: Any) -> dict[str, Any]:
        return {"rope_parameters": record.in_blocks(default, blocks, lambda _: dict(block))}

    names = list(getattr(cls(), "layer_types", None) or ["full_attention"])
    usual, layers = {"rope_type": "default", "rope_theta": 54_321.0}, {"num_hidden_layers": record.LAYERS}
    linear, dynamic, yarn = (METHOD | {"rope_type": name} for name in ("linear", "dynamic", "yarn"))
    llama = METHOD | {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    lists = METHOD | {"rope_type": "longrope", "short_factor": [1.5] * 40, "long_factor": [2.0] * 40}
    scaled = [own(**one, rope_theta=1e5) for one in (dynamic, yarn, lists)]
    return own(**usual), {
        "block": [],
        "no base": [own(rope_type="default"), *({"rope_parameters": one} for one in (linear, llama))],
        "no base at all": [{"rope_scaling": one} for one in (linear, llama)],
        "base beside": [{"rope_theta": 777.0} | own(rope_type="default")] if blocks else [],
        "base alone": [{"rope_theta": 54_321.0}],
        "empty": [{"rope_parameters": {}}, {"rope_scaling": {}}],
        "no length": [own(**without(one, LENGTH), rope_theta=1e5) for one in (yarn, llama)],
        "whole base": [{"rope_theta": 100_000}],
        "no sections": [] if blocks else [{"rope_parameters": usual}],
        "old key": [{"rope_theta": 1e5, "rope_scaling": one} for one in (linear, llama)],
        "old name": [{"rope_theta": 1e5, "rope_scaling": {"type": "linear", "factor": 4.0}}],
        "null": [{"rope_theta": 5e4, KEYS[1]: None}, {"rope_theta": 5e4, KEYS[0]: None, KEYS[1]: None}],
        "both keys": [own(**usual) | {"rope_scaling": linear}],
        "fraction": [own(**usual, partial_rotary_factor=0.5)],
        "head": [{"head_dim": 96} | own(**usual)],
        "no head": scaled,
        "old blocks": [{"rope_scaling": one["rope_parameters"]} for one in scaled] if blocks else [],
        "null head": [{"head_dim": None} | one for one in scaled],
        "length beside": [
            {LENGTH: 1024} | own(**without(one, LENGTH), rope_theta=1e5) for one in (yarn, llama)
        ],
        "one block": [{"rope_parameters": usual}, {"rope_parameters": linear | {"rope_theta": 1e5}}],
        "list of bases": [{"layer_rope_theta": [1e4, 0.0, 5e5] * 4} | layers | own(**usual)],
        "names": [{"layer_types": names, "num_hidden_layers": len(names)} | own(**usual)],
        "letters": [{"sliding_window_pattern": "LLLG"} | layers | own(**usual)],
        "no window": [],
    }


def without(block: dict[str, Any], key: str) -> dict[str, Any]:
    """The same without a key."""
    return {one: value for one, value in block.items() if one != key}


def compared(cls: type, config: dict[str, Any]) -> str:
    """Whether what is read is the "same" as the library's, or "other", or that "fails".

    It is "" for what is refused or doubted here.
    """
    try:
        ours = from_config(
            {"num_hidden_layers": record.LAYERS, **copy.deepcopy(config), "model_type": cls.model_type}  # type: ignore[attr-defined]
        )
    except (TypeError, ValueError):
        return ""
    if is_doubted(ours, but={"nothing-turns", "unlike"}):
        return ""
    try:
        made = cls(**copy.deepcopy(config))  # the library writes into it
        theirs = record.read_rotary(made) if has_frequencies(cls) else None
    except Exception:  # of many kinds
        return "fails"
    if theirs is None:
        return "same"
    same = (is_same(kind, theirs.get(name, theirs.get("all"))) for name, kind in ours.kinds.items())
    return "fails" if not theirs else "same" if all(same) else "other"


@cache
def has_frequencies(cls: type) -> bool:
    """Whether the library's class for RoPE, as it is without a word, shows all that is read here of it."""
    with contextlib.suppress(Exception):  # of many kinds
        axes = records()[1].get(cls.model_type, {}).get("axes")  # type: ignore[attr-defined]
        return not axes and bool(record.read_rotary(cls()))  # of two axes there are half as many
    return False


def is_same(kind: LayerRope, theirs: dict[str, Any] | None) -> bool:
    """Whether the library turns layers of a type so; if it has any."""
    if theirs is None:
        return False
    own, line = kind.omega[kind.omega > 0], np.array(theirs["frequencies"])
    line = line[line > 0]
    same = own.shape == line.shape and np.allclose(own, np.sort(line)[::-1], rtol=1e-5, atol=0)  # ERNIE deals
    return bool(same) and abs(theirs["rotation_factor"] - kind.rotation_factor) < 1e-6


def record_unlike(cls: type) -> list[str]:
    """The ways of telling RoPE that the library reads otherwise than they are read here, with a type."""
    plain, tried = tried_ways(cls)
    if "rotary_embs" in inspect.getsource(record.modeling(cls)):  # one for each base, of which one is seen
        del tried["list of bases"]
    found: list[str] = []
    whole: dict[str, Any] = cls().to_dict()
    sizes = {key: value for key, value in record.SIZES.items() if key != "head_dim"}
    told = {key: value for key, value in whole.items() if value is not None}
    plainly = {key: value for key, value in told.items() if not re.search(r"rope|rotary|theta|^model_", key)}
    for more in ({}, sizes, plainly):
        usual = compared(cls, more | plain)
        if usual == "other":
            return ["any"]
        found += ["block"] if usual == "fails" and not more else []  # with sizes there may be other reasons
        if usual != "fails" or not more:
            found += [
                way
                for way, ones in tried.items()
                if any(compared(cls, one | more) in ("other", "fails") for one in ones)
            ]
    return [way for way in tried if way in found or (way == "no window" and unlike_layers(cls))]


def unlike_layers(cls: Any) -> bool:
    """Whether other layers turn than are read here, where no window is told."""
    if "sliding_window" not in records()[1].get(cls.model_type, {}).get("left_out", {}):
        return False
    seen = record.spied_layers(cls, sliding_window=None)
    try:
        read = from_config(
            {"model_type": cls.model_type, "num_hidden_layers": record.LAYERS, "sliding_window": None}
        )
    except (TypeError, ValueError):
        return False
    return None not in (seen, read.layers) and [one is not None for one in read.layers or ()] != seen


def main() -> None:
    """Write the file again."""
    import transformers

    os.environ["HF_HUB_OFFLINE"] = "1"
    logging.disable(logging.ERROR)
    found = {model: record_unlike(cls) for model, cls in record.known_types()}
    lines = [f"{json.dumps(model)}: {json.dumps(ways)}" for model, ways in found.items() if ways]
    record.write(UNLIKE, {"transformers": transformers.__version__}, "models", lines)


if __name__ == "__main__":
    main()
