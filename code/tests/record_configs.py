"""Compute what the library transformers makes of published configurations, and write it down.

Run it as `python code/tests/record_configs.py`.

The configurations are in the record itself, each with its source; only the keys about heads, layers, lengths
and positions were kept of them. The record is committed, so that `posread.from_config` is compared with the
library where the library is not installed; test_config_library.py holds the record against a fresh run.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
import json
import logging
from pathlib import Path
from types import ModuleType
from typing import Any

RECORD = Path(__file__).resolve().parent / "data" / "rope_configs.json"

#: What the library computes these with, of which it has no class of their own.
SAME_AS = {"kimi_k2": "deepseek_v3", "internlm2": "llama", "qwen2_5_vl": "qwen2_5_vl_text"}
#: Numbers of tokens for which frequencies are taken where they depend on it.
LENGTHS = {"dynamic": (100, 32_768, 50_000), "longrope": (4096, 4097)}


def modeling(configuration: type) -> ModuleType:
    """The module of the library that makes models of a class of configurations."""
    return importlib.import_module(configuration.__module__.replace("configuration_", "modeling_"))


def rotary_class(module: ModuleType) -> type:
    """Its class of RoPE for text; an IndexError if it has none."""
    classes = [
        value
        for key, value in vars(module).items()
        if inspect.isclass(value) and key.endswith("RotaryEmbedding") and "Vision" not in key
    ]
    return next((one for one in classes if "Text" in one.__name__), classes[0])


def library(config: dict[str, Any]) -> dict[str, Any]:
    """Frequencies, factor of cos and sin, and factor of the scale of scores, by type of layer."""
    from transformers import CONFIG_MAPPING
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
    from transformers.models.deepseek_v3.modeling_deepseek_v3 import yarn_apply_mscale

    logging.getLogger("transformers").setLevel(logging.ERROR)
    config = copy.deepcopy(config)
    part = next((config[name] for name in ("text_config", "llm_config") if name in config), config)
    name, scaling = part.pop("model_type"), part.get("rope_scaling") or {}
    if scaling.get("type") == "su":  # the name that LongRoPE had at first, which the library takes no more
        scaling["type"] = "longrope"
    made = CONFIG_MAPPING[SAME_AS.get(name, name)](**part)
    module = modeling(type(made))
    rotary = rotary_class(module)(made)
    found = {}
    for kind in getattr(rotary, "layer_types", None) or ["all"]:
        prefix = "" if kind == "all" else f"{kind}_"
        if not hasattr(rotary, f"{prefix}inv_freq"):
            continue
        rope_type = rotary.rope_type if kind == "all" else rotary.rope_type[kind]
        frequencies = {"any": getattr(rotary, f"{prefix}inv_freq").tolist()}
        if rope_type in LENGTHS:
            own = {} if kind == "all" else {"layer_type": kind}
            frequencies = {
                str(n): ROPE_INIT_FUNCTIONS[rope_type](made, "cpu", seq_len=n, **own)[0].tolist()
                for n in LENGTHS[rope_type]
            }
        found[kind] = {
            "frequencies": frequencies,
            "rotation_factor": float(getattr(rotary, f"{prefix}attention_scaling")),
        }
        if "apply_mscale" in inspect.getsource(module):
            found[kind]["score_factor"] = float(yarn_apply_mscale(made.rope_parameters, 1.0))
    with contextlib.suppress(AttributeError):
        found["no_rope_layers"] = [int(one) for one in made.no_rope_layers]
    return found


def main() -> None:
    """Write the record again, nine digits of each number, which is more than float32 holds."""
    import transformers

    record = json.loads(RECORD.read_text())
    record["transformers"] = transformers.__version__
    for entry in record["configurations"]:
        entry["library"] = library(entry["config"])
    short = json.loads(json.dumps(record), parse_float=lambda digits: float(f"{float(digits):.9g}"))
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in short.pop("configurations"))
    RECORD.write_text(f'{json.dumps(short)[:-1]},\n "configurations": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    main()
