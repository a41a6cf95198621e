"""Record what the library transformers does with RoPE, for each of its types of models.

Run it as `python code/tests/support/record_configs.py`, where the library and PyTorch are installed; it
takes minutes. It writes posread/config/models.json, which `from_config` reads, and what the tests compare
with: the library's frequencies for all types and methods, and for published configurations, in tests/data.

The library's classes are made and run. Which layers turn is seen by running each model without numbers (on
PyTorch's device "meta") and noting in which layer its function for RoPE is called.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import importlib
import inspect
import itertools
import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

from posread.config.given import AT_TIMES, READ

CODE = Path(__file__).resolve().parents[2]
MODELS = CODE / "posread/config/models.json"
DATA = CODE / "tests" / "data"
LIBRARY, PUBLISHED = DATA / "rope_library.json", DATA / "rope_configs.json"

#: What was computed, by method and part, and by type of layer.
Tried: TypeAlias = dict[str, dict[str, Any]]
#: What the library computes these with, of which it has no class of their own.
SAME_AS = {"kimi_k2": "deepseek_v3", "internlm2": "llama", "qwen2_5_vl": "qwen2_5_vl_text"}
#: Numbers of tokens for which frequencies are taken where they depend on it.
LENGTHS = {"dynamic": (100, 32_768, 50_000), "longrope": (4096, 4097)}
#: Keys whose values are recorded where a class of configurations has one to take for a key that is left out.
LEFT_OUT = (
    "attn_scale", "attn_temperature_tuning", "compress_rope_theta", "floor_scale", "global_head_dim",
    "head_dim", "hidden_size", "max_position_embeddings", "num_attention_heads", "position_embedding_type",
    "original_max_position_embeddings", "position_embeddings_type", "qk_nope_head_dim", "qk_rope_head_dim",
    "rotary_dim", "rotary_embedding_base", "sliding_window", "swa_head_dim",
)  # fmt: skip
#: Keys of a base.
BASES = (
    "rope_theta", "global_rope_theta", "local_rope_theta", "rope_local_base_freq", "swa_rope_theta",
    "compress_rope_theta",
)  # fmt: skip
#: What is tried: a head of 80 entries, which is no model's own part, and each method that a block may name.
LAYERS = 12
SIZES: dict[str, Any] = {
    "head_dim": 80, "hidden_size": 640, "num_attention_heads": 8, "num_hidden_layers": LAYERS,
    "max_position_embeddings": 4096,
}  # fmt: skip
METHODS: Tried = {
    "default": {},
    "axial": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 4.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 1024},
    "llama3": {
        "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 1024,
    },
    "longrope": {"factor": 4.0, "original_max_position_embeddings": 1024},
    "proportional": {},
}  # fmt: skip
#: How a part of the entries is asked for: in the block, or beside it.
PARTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "whole": ({}, {}),
    "fraction": ({"partial_rotary_factor": 0.75}, {}),
    "fraction beside": ({}, {"partial_rotary_factor": 0.75}),
    "old fraction": ({}, {"rotary_pct": 0.75}),
    "entries": ({}, {"rotary_dim": 60}),
}


def modeling(configuration: type) -> ModuleType:
    """The module of the library that makes models of a class of configurations."""
    return importlib.import_module(configuration.__module__.replace("configuration_", "modeling_"))


def rotary_class(configuration: type) -> type:
    """The class of RoPE for a class of configurations, by its name; an IndexError if there is none."""
    module, stem = modeling(configuration), configuration.__name__.removesuffix("Config")
    named = [
        (key, value)
        for key, value in vars(module).items()
        if inspect.isclass(value) and re.search(r"Rotary\w*Embedding|RopePositionEmbedding", key)
    ]
    if not named:
        raise IndexError(f"{module.__name__} has no class for RoPE")
    used = [one for one in named if one[0] in classes_used(configuration)]
    return cast(type, max(used or named, key=lambda one: (common(stem, one[0]), -len(one[0])))[1])


@functools.cache
def classes_used(configuration: type) -> frozenset[str]:
    """The names of the classes of the parts of a model, if the library makes it."""
    import torch

    with contextlib.suppress(Exception), torch.device("meta"):  # of many kinds
        model = model_class(configuration)(configuration(num_hidden_layers=4))
        return frozenset(type(part).__name__ for part in model.modules())
    return frozenset()


def common(one: str, other: str) -> int:
    """How many letters two names begin with together."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def read_rotary(made: Any) -> Tried:
    """Frequencies and factor of cos and sin, by type of layer, as the library's module has them."""
    rotary = rotary_class(type(made))(made)
    found = {}
    for kind in sorted(getattr(rotary, "layer_types", None) or ["all"]):
        prefix = "" if kind == "all" else f"{kind}_"
        if hasattr(rotary, f"{prefix}inv_freq"):
            found[kind] = {
                "type": rotary.rope_type if kind == "all" else rotary.rope_type[kind],
                "frequencies": getattr(rotary, f"{prefix}inv_freq").flatten().tolist(),
                "rotation_factor": float(getattr(rotary, f"{prefix}attention_scaling")),
            }
    return found


def library(config: dict[str, Any]) -> dict[str, Any]:
    """What the library makes of a published configuration: frequencies at several lengths, and factors."""
    from transformers import CONFIG_MAPPING
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
    from transformers.models.deepseek_v3.modeling_deepseek_v3 import yarn_apply_mscale

    config = copy.deepcopy(config)
    part = next((config[name] for name in ("text_config", "llm_config") if name in config), config)
    name, scaling = part.pop("model_type"), part.get("rope_scaling") or {}
    if scaling.get("type") == "su":  # the name that LongRoPE had at first, which the library takes no more
        scaling["type"] = "longrope"
    made = CONFIG_MAPPING[SAME_AS.get(name, name)](**part)
    found: dict[str, Any] = {}
    for kind, read in read_rotary(made).items():
        frequencies, rope_type = {"any": read["frequencies"]}, read.pop("type")
        if rope_type in LENGTHS:
            own = {} if kind == "all" else {"layer_type": kind}
            frequencies = {
                str(n): ROPE_INIT_FUNCTIONS[rope_type](made, "cpu", seq_len=n, **own)[0].tolist()
                for n in LENGTHS[rope_type]
            }
        found[kind] = {"frequencies": frequencies, "rotation_factor": read["rotation_factor"]}
        if "apply_mscale" in inspect.getsource(modeling(type(made))):
            found[kind]["score_factor"] = float(yarn_apply_mscale(made.rope_parameters, 1.0))
    with contextlib.suppress(AttributeError):
        found["no_rope_layers"] = [int(one) for one in made.no_rope_layers]
    return found


def known_types() -> Iterator[tuple[str, type]]:
    """The names of types of models with RoPE, and their classes of configurations."""
    from transformers import CONFIG_MAPPING

    for model in sorted(CONFIG_MAPPING):
        with contextlib.suppress(Exception):  # of many kinds: no program, or another package is missing
            cls = CONFIG_MAPPING[model]
            keys = vars(cls()) | {one.name: None for one in dataclasses.fields(cls)}
            if any(re.search(r"rope_(parameters|theta)|rotary|qk_rope", key) for key in keys):
                modeling(cls)
                yield model, cls


def is_without_rope(cls: Any) -> bool:
    """Whether a type has no parts, and nothing in its programs is named after RoPE."""
    with contextlib.suppress(Exception):  # of many kinds: no program, or another package is missing
        return not (cls.sub_configs or re.search(r"(?i)rotary|rope(?!rt)", inspect.getsource(modeling(cls))))
    return False


def block_names(cls: type) -> list[str]:
    """The types of layers for which the class wants a block each; none if it wants one for all."""
    made: Any = cls()
    own = getattr(made, "rope_parameters", None) or {}
    nested = sorted(str(key) for key, value in own.items() if isinstance(value, dict))
    return nested or sorted(getattr(made, "_rope_type_labels", None) or ())


def own_block(cls: type) -> dict[str, Any]:
    """The block, or the blocks, that the class has by itself."""
    return dict(getattr(cls(), "rope_parameters", None) or {})


def in_blocks(
    default: dict[str, Any], names: list[str], own: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    """A block for each type of layer, or one for all, with what is wanted besides, by the class's own."""
    if not names:
        return {key: default[key] for key in ("mrope_section",) if key in default} | own("all")
    at_rest: dict[str, Any] = {kind: None for kind, block in default.items() if block is None}
    return at_rest | {name: own(name) for name in names}


def given_for(
    default: dict[str, Any], method: str, part: str, blocks: list[str], pairs: dict[str, int]
) -> dict[str, Any]:
    """A configuration that asks for a method and a part of the entries."""
    inside, beside = PARTS[part]
    flat = {"rope_type": method, "rope_theta": 10_000.0, **METHODS[method], **inside}

    def own(kind: str) -> dict[str, Any]:
        count = pairs.get(kind, max(pairs.values(), default=0))
        lists = {"short_factor": [1.5] * count, "long_factor": [2.0] * count} if method == "longrope" else {}
        return copy.deepcopy(flat | lists)

    return SIZES | beside | {"rope_parameters": in_blocks(default, blocks, own)}


def made_of(cls: type, given: dict[str, Any]) -> Any:
    """A configuration of the class; some compute the size of a head, and are not to be told it."""
    with contextlib.suppress(AttributeError):
        return cls(**copy.deepcopy(given))
    return cls(**{key: value for key, value in given.items() if key != "head_dim"})


def attempts(cls: type) -> Tried:
    """What the library computes with each method and part; those that it cannot make are left out."""
    found, blocks = {}, block_names(cls)
    for part in PARTS:
        pairs: dict[str, int] = {}
        for method in METHODS:
            with contextlib.suppress(Exception):  # of many kinds
                read = read_rotary(made_of(cls, given_for(own_block(cls), method, part, blocks, pairs)))
                if read and all(one["type"] == method and one["frequencies"] for one in read.values()):
                    found[f"{method}, {part}"] = read
                    if method == "linear" or not pairs:
                        pairs = {kind: len(one["frequencies"]) for kind, one in read.items()}
    return found


def methods_that_read(tried: Tried, part: str) -> list[str]:
    """The methods for which other pairs turn when a part is asked for."""
    return [
        method
        for method in METHODS
        if f"{method}, {part}" in tried
        and f"{method}, whole" in tried
        and count_turning(tried, method, part) != count_turning(tried, method, "whole")
    ]


def partner_of_the_first(module: ModuleType, made: Any) -> set[int]:
    """The entry that a quarter turn brings to the first place, by the function that the model calls."""
    import torch

    names = {name for name in vars(module) if re.fullmatch(r"apply_rotary(_pos)?_emb(_interleave)?", name)}
    if "apply_rotary_pos_emb_interleave" in names:  # the other is for the indexer, or where the key says so
        names = {"apply_rotary_pos_emb" + "_interleave" * getattr(made, "rope_interleave", True)}
    if re.search("[Vv]ision", type(made).__name__):  # beside text, which may be paired otherwise
        names = {name for name in vars(module) if re.fullmatch(r"apply_\w*_emb_vision", name)} or names
    vector, found = torch.arange(1.0, 9.0).reshape(1, 1, 1, 8), set()
    for width in (8, 4):  # of the table; a shorter one is half of it, or makes the rest rest
        quarter = torch.zeros(1, 1, width), torch.ones(1, 1, width)
        for name, count, order in itertools.product(sorted(names), (2, 1), (quarter, quarter[::-1])):
            with contextlib.suppress(AttributeError, IndexError, RuntimeError, TypeError):
                turned = getattr(module, name)(*(vector.clone() for _ in range(count)), *order)
                first = (turned[0] if isinstance(turned, tuple) else turned).flatten()[0]
                found.add(abs(round(float(first))))
        if found := found - {1}:  # which is there if sines were taken for cosines
            return found
    for name in ("rotate_half", "rotate_every_two"):
        if hasattr(module, name):
            found.add(abs(round(float(getattr(module, name)(vector).flatten()[0]))))
    return found


def axes_of_pairs(made: Any) -> str | None:
    """Which of two axes each pair turns by: "bands" (rows, then columns), "turns" (each in turn), or unseen.

    It is "split" if each axis has frequencies of its own, every second one.
    """
    import torch

    rotary, seen = rotary_class(type(made))(made), []
    for row, column in ((1.0, 0.0), (0.0, 1.0)):
        for shape in ((1, 2), (1, 1, 2)):
            with contextlib.suppress(Exception):  # of many kinds
                where = torch.tensor([row, column]).reshape(shape)
                seen.append(rotary(torch.zeros(1, 1, 8), where)[1].flatten().abs() > 0)
                break
    if len(seen) != 2 or not torch.equal(seen[0], ~seen[1]):
        return None
    rows = seen[0][: len(seen[0]) // 2].tolist()  # halves are a pair
    half = len(rows) // 2
    names = {"1" * half + "0" * half: "bands", "10" * half: "turns"}
    name = names.get("".join(str(int(one)) for one in rows))
    return f"{name}, split" if name and rotary.inv_freq.numel() == len(rows) else name


def dealt_sections(cls: type, **block: Any) -> dict[str, Any]:
    """How many pairs turn by time, row and column where that is not told, and whether they are in turn.

    It is empty where they are told apart otherwise, or by a key.
    """
    import torch

    default = own_block(cls) | block
    found = set()
    for more in ({}, {"mrope_interleaved": True}, {"mrope_interleaved": False}):
        with contextlib.suppress(Exception):  # of many kinds
            rotary = rotary_class(cls)(cls(rope_parameters=default | more))
            seen = []
            for axis in range(3):
                where = torch.zeros((3, 1, 1), dtype=torch.long)
                where[axis] = 1
                sines = rotary(torch.zeros(1, 1, 8), where)[1].flatten()
                pairs = rotary.inv_freq.numel()
                neighbors = not torch.equal(sines[:pairs], sines[-pairs:])  # each twice
                seen.append(sines[:: 1 + neighbors][:pairs] != 0)
            found.add(tuple(torch.stack(seen).int().argmax(0).tolist()))
    axes = found.pop() if len(found) == 1 else ()
    sections = [axes.count(axis) for axis in range(3)]
    dealt = [0] * len(axes)
    for axis, places in ((axis, [axis + 3 * i for i in range(sections[axis])]) for axis in (1, 2)):
        for place in (one for one in places if one < len(dealt)):
            dealt[place] = axis
    if 0 in sections or [*axes] not in (sorted(axes), dealt):
        return {}
    return {"sections": sections, "in_turn": [*axes] == dealt}


def model_class(cls: type) -> type:
    """The library's class of models for a class of configurations."""
    from transformers import MODEL_MAPPING, PreTrainedModel

    with contextlib.suppress(KeyError):
        return MODEL_MAPPING[cls]  # type: ignore[no-any-return]
    return next(
        value
        for value in vars(modeling(cls)).values()
        if inspect.isclass(value)
        and issubclass(value, PreTrainedModel)
        and inspect.get_annotations(value).get("config") in (cls, cls.__name__)
        and not value.__name__.endswith("PreTrainedModel")
    )


def run_layers(cls: type, alike: str, mask: bool, given: dict[str, Any]) -> list[bool]:
    """For each layer, whether the library's function for RoPE is called in it.

    The model has no numbers. Its parts whose choice depends on numbers, and that do not turn, hand on what
    they are given: `alike` is a pattern of the names of their classes.
    """
    import torch

    made: Any = cls(num_hidden_layers=LAYERS, **given)
    made._attn_implementation = "eager"
    with torch.device("meta"):
        model = model_class(cls)(made)
    module, at, seen = modeling(cls), [-1], set()
    for name, part in model.named_modules():
        number = getattr(part, "layer_idx", None)
        if not isinstance(number, int) and (last := re.search(r"\.(\d+)$", name)):
            number = int(last[1])
        if isinstance(number, int):
            part.register_forward_pre_hook(lambda *_, number=number: at.__setitem__(0, number))
        if re.search(alike, type(part).__name__):
            part.forward = lambda states, *_, **__: states

    def spy(function: Any) -> Any:
        def spied(*arguments: Any, **named: Any) -> Any:
            seen.add(at[0])
            return function(*arguments, **named)

        return spied

    saved = dict(vars(module))
    for name, value in saved.items():
        if inspect.isfunction(value) and re.search(r"^_?apply_\w*(rotary|rope)", name):
            setattr(module, name, spy(value))
        elif inspect.isfunction(value) and re.search(r"^create_\w*mask|mask_mapping", name):
            empty = torch.zeros((1, 1, 6, 6), device="meta") if mask else None
            setattr(module, name, lambda *_, _empty=empty, **__: _empty)
    places = torch.arange(6, device="meta")[None]
    try:
        with torch.no_grad(), torch.device("meta"):
            model(input_ids=torch.zeros((1, 6), dtype=torch.long), position_ids=places, use_cache=False)
    finally:
        vars(module).update(saved)
    if -1 in seen:
        raise LookupError("called outside all layers")
    return [number in seen for number in range(LAYERS)]


#: What is handed on as it is, by the names of classes, and whether there is a mask: ways to run a model.
RUNS = tuple(
    itertools.product((r"^$", r"Experts$", r"(MoE|MoELayer|Moe|MoeBlock|MoeMLP|Experts|MLP)$"), (False, True))
)


def spied_layers(cls: type, **given: Any) -> list[bool] | None:
    """The same, by the first way that works; None if none does."""
    for alike, mask in RUNS:
        with contextlib.suppress(Exception):  # of many kinds
            return run_layers(cls, alike, mask, given)
    return None


def parts_that_run(cls: type) -> str:
    """Of which numbers of entries the model turns a part and runs: "odd" ones, "even" ones, or "none"."""
    made: Any = cls()

    def runs(way: tuple[str, bool], method: str, entries: int | None) -> bool:
        given: dict[str, Any] = {} if entries is None else {"rotary_dim": entries}
        if hasattr(made, "rope_parameters"):
            head = made.to_dict().get("head_dim") or made.hidden_size // made.num_attention_heads
            block = {"rope_type": method, "factor": 2.0, "rope_theta": 1e4}
            part = {} if entries is None else {"partial_rotary_factor": (entries + 0.01) / head}
            given = {"rope_parameters": in_blocks(own_block(cls), block_names(cls), lambda _: block | part)}
        with contextlib.suppress(Exception):  # of many kinds
            return bool(run_layers(cls, *way, given))
        return False

    for way, method in itertools.product(RUNS, ("linear", "default")):
        if runs(way, method, None):
            return next((name for name, n in (("odd", 31), ("even", 32)) if runs(way, method, n)), "none")
    return "not seen"


def shortest_cycle(order: list[Any]) -> list[Any] | None:
    """The shortest list that repeated is `order`, the last aside; None if it is longer than half."""
    for length in range(1, len(order) // 2 + 1):
        if all(order[i] == order[i % length] for i in range(len(order) - 1)):
            return order[:length]
    return None


def name_layers(made: Any) -> list[str]:
    """The types of its layers, if the library has a name for each."""
    names = getattr(made, "layer_types", None) or getattr(made, "layers_block_type", None) or ()
    return [str(one) for one in names] if len(names) == LAYERS else []


def record_layers(cls: type) -> dict[str, Any]:
    """The order of types of layers where none is told, and the types that do not turn."""
    made: Any = None
    with contextlib.suppress(Exception):  # of many kinds
        made = cls(num_hidden_layers=LAYERS)
    names = name_layers(made)
    told = len(set(names)) > 1 or "linear_attention" in names or block_names(cls)
    found = record_order(names) if told else {}
    found |= record_named(cls, names, found)
    if 0 in (getattr(made, "no_rope_layers", None) or ()):
        return found | {"no_rope_layer_interval": made.no_rope_layers.index(0) + 1}
    counted = made is not None and getattr(made, "num_hidden_layers", None) == LAYERS
    turning = spied_layers(cls) if counted else None
    if turning is None:
        return found | {"layers": "not seen"}
    if names:
        return found | record_rest(names, turning)
    crossing = getattr(made, "cross_attention_layers", None) or ()
    unlike = [i for i, turns in enumerate(turning) if not turns and i not in crossing]
    return found | ({"turning": [int(one) for one in turning]} if unlike else {})


def record_named(cls: type, names: list[str], found: dict[str, Any]) -> dict[str, Any]:
    """The types of layers that the class names by itself, but for the usual two and those in their order."""
    own = {str(name) for name in getattr(cls(), "layer_types", None) or ()} | {*names}
    named = sorted(own - {*found.get("order", ())} - {"full_attention", "sliding_attention"})
    return {"named": named} if named else {}


def record_rest(names: list[str], turning: list[bool]) -> dict[str, Any]:
    """The types of layers that do not turn, and those of which some do."""
    turn = {name for name, turns in zip(names, turning, strict=True) if turns}
    rest = {name for name, turns in zip(names, turning, strict=True) if not turns}
    kinds = {"rest": sorted(rest), "mixed": sorted(rest & turn)}
    return {key: kind for key, kind in kinds.items() if kind}


def record_order(names: list[str]) -> dict[str, Any]:
    """The types of layers as a cycle, and the last one where it is out of it."""
    cycle = shortest_cycle(names) if names else None
    if cycle is None:
        return {"order": "not seen"} if names else {}
    last = {"last": names[-1]} if names[-1] != cycle[(LAYERS - 1) % len(cycle)] else {}
    return {"order": cycle, **last}


def record_flat(cls: type, blocks: list[str]) -> dict[str, list[str] | None]:
    """Into which layers' blocks one block for all goes, under each key; None if the library refuses it."""
    found: dict[str, list[str] | None] = {}
    for key in ("rope_parameters", "rope_scaling"):
        found[key] = None
        with contextlib.suppress(Exception):  # of many kinds
            read = read_rotary(
                cls(**SIZES | {key: {"rope_type": "linear", "factor": 4.0, "rope_theta": 7e5}})
            )
            found[key] = [kind for kind in blocks if read[kind]["type"] == "linear"]
    return found


def fills_blocks(cls: type, blocks: list[str]) -> bool:
    """Whether each type of layer without a block has a default one, where another type's is given."""
    own = {"rope_type": "linear", "factor": 4.0, "rope_theta": 7e5}
    with contextlib.suppress(Exception):  # of many kinds
        filled = [set(cls(rope_parameters={kind: dict(own)}).rope_parameters) for kind in blocks]
        return len(blocks) > 1 and all(names == set(blocks) for names in filled)
    return False


def record_bases(cls: type) -> dict[str, list[str]]:
    """Into which types of layers a base goes that stands beside the blocks, by its key."""
    found: dict[str, list[str]] = {}
    for key in BASES:
        with contextlib.suppress(Exception):  # of many kinds
            blocks = cls(**{key: 7e5}).rope_parameters
            found[key] = [
                kind for kind, own in sorted(blocks.items()) if own and own.get("rope_theta") == 7e5
            ]
    return {key: kinds for key, kinds in found.items() if kinds}


def of_methods(methods: list[str], tried: Tried) -> str | list[str]:
    """The methods in a word, if it is all that could be tried, all but "default", or none."""
    could = {key.partition(",")[0] for key in tried}
    words = {"none": set[str](), "scaled": could - {"default"}, "all": could}
    return next((word for word, those in words.items() if set(methods) == those), methods)


def count_turning(tried: Tried, method: str, part: str) -> dict[str, int]:
    """How many pairs turn, by type of layer."""
    read = tried.get(f"{method}, {part}", {})
    return {kind: sum(x > 0 for x in one["frequencies"]) for kind, one in read.items()}


def left_out_parts(own: dict[str, Any], tried: Tried) -> tuple[dict[str, float], list[str]]:
    """The fraction that turns where none is told, by type of layer, and the methods that take it."""
    found: dict[str, float] = {}
    methods: list[str] = []
    for method in METHODS:
        whole, part = (count_turning(tried, method, one) for one in ("whole", "fraction"))
        for kind in sorted(whole.keys() & part.keys()):
            ratio = 0.75 * whole[kind] / part[kind]
            if ratio < 0.97 and method in methods_that_read(tried, "fraction"):
                told = (own if kind == "all" else own.get(kind) or {}).get("partial_rotary_factor")
                found[kind] = ratio if told is None else told
                methods += [] if method in methods else [method]
    return found, methods


def record_block(cls: type) -> tuple[dict[str, Any], dict[str, float]]:
    """The class's own block, and its base by the key beside the block that goes before it."""
    made: Any = cls()
    own = own_block(cls)
    if "rope_theta" not in own:
        nested = dict(sorted(own.items())) if block_names(cls) else own  # of some it is in no order
        return nested, {"rope_theta": made.rope_theta} if getattr(made, "rope_theta", None) else {}
    for key in ("rope_theta", "rotary_emb_base"):
        asked: Any = cls(**{key: 7e5})
        if asked.rope_parameters.get("rope_theta") == 7e5:
            return own, {key: own.pop("rope_theta")}
    return own, {}


def record_defaults(cls: type, own: dict[str, Any], tried: Tried) -> dict[str, Any]:
    """What is taken for keys that are left out."""
    made: Any = cls()
    fields = {one.name: one.default for one in dataclasses.fields(cls) if one.name in LEFT_OUT}
    left: dict[str, Any] = {
        key: value for key, value in sorted(fields.items()) if isinstance(value, (int, float, str))
    }
    if crossing := getattr(made, "cross_attention_layers", None):
        left["cross_attention_layers"] = list(crossing)
    if parts := left_out_parts(own, tried)[0]:
        left["partial_rotary_factor"] = parts
    full = tried.get("default, whole", {}).get("full_attention", {}).get("frequencies", ())
    if 2 * len(full) > SIZES["head_dim"] and "qk_rope_head_dim" not in left:
        left["global_head_dim"] = 2 * len(full)
    return left


def record_latent(cls: type, turning: int, tried: Tried) -> dict[str, Any]:
    """In latent attention, of what a fraction is one, and whether `head_dim` takes the place of it."""
    found = {"fraction_of": "part"} if getattr(cls(), "head_dim", None) == turning else {}
    taken = 2 * count_turning(tried, "default", "whole").get("all", 0) == SIZES["head_dim"]
    return found | ({"takes_head_dim": True} if taken else {})


def null_keys(cls: type) -> list[str]:
    """The keys that may not be null, of those that are read."""
    keys = {one.name for one in dataclasses.fields(cls)} & READ | {*BASES, "head_dim"}
    return [key for key in sorted(keys - {*BASES[:1]}) if not takes_null(cls, key)]


def takes_null(cls: type, key: str) -> bool:
    """Whether the library takes a configuration in which a key is null, and turns as if it were left out."""
    without: Tried = {}
    with contextlib.suppress(Exception):  # of many kinds
        without = read_rotary(cls())
    with contextlib.suppress(Exception):
        made = cls(**{key: None})
        same = not without or read_rotary(made) == without
        return same and (is_built(cls, **{key: None}) or not is_built(cls))
    return False


def is_built(cls: type, **given: Any) -> bool:
    """Whether the library makes a model of a few layers, without numbers, of such a configuration."""
    import torch

    with contextlib.suppress(Exception), torch.device("meta"):  # of many kinds
        return bool(model_class(cls)(cls(**{"num_hidden_layers": 4} | given)))
    return False


def is_made(cls: type, **sizes: int) -> bool:
    """Whether the library takes a configuration of 8 heads of 80 entries, with these sizes."""
    with contextlib.suppress(Exception):  # of many kinds
        return bool(made_of(cls, SIZES | sizes))
    return False


def keys_named(cls: type) -> list[str]:
    """The keys of `AT_TIMES`, and what else some types' programs alone name, that those of a type do."""
    programs = inspect.getsource(modeling(cls)) + inspect.getsource(inspect.getmodule(cls) or cls)
    named = r"config\.{key}\b|[\"']{key}[\"']|^    {key}:"
    keys = (*AT_TIMES, "alpha", "mrope", "mscale_all_dim")
    found = [key for key in keys if re.search(named.format(key=key), programs, re.MULTILINE)]
    parts = [vars(modeling(cls)).get(name) for name in classes_used(cls)]
    own = "".join(inspect.getsource(part) for part in parts if inspect.isclass(part))
    return [
        key for key in found if key != "mrope_section" or not own or key in own
    ]  # of another model's part


def record_model(cls: type, tried: Tried) -> dict[str, Any]:
    """What is recorded of a type."""
    blocks, (own, base) = block_names(cls), record_block(cls)
    left = record_defaults(cls, own, tried) | base
    found: dict[str, Any] = {"untold": of_methods(left_out_parts(own, tried)[1], tried)}
    found["names"] = keys_named(cls)
    found["tried"] = [method for method in METHODS if f"{method}, whole" in tried]
    found["no_null"] = null_keys(cls)
    if not is_built(cls) and is_built(cls, head_dim=SIZES["head_dim"]):
        found["needs"] = ["head_dim"]
    if not is_made(cls, hidden_size=650) and is_made(cls):
        found["divides"] = True
    if found["untold"] != "none":
        own.pop("partial_rotary_factor", None)
    if "mrope_section" in found["names"] and (
        dealt := dealt_sections(cls) or dealt_sections(cls, partial_rotary_factor=0.5)
    ):
        found["dealt"] = dealt  # of GLM-4V's sections, with half of a head
    partner = partner_of_the_first(modeling(cls), cls())
    if partner in ({2}, {5}):
        found["pairs"] = "interleaved" if partner == {2} else "halves"
    if set(own) - {"rope_type", "partial_rotary_factor"} or own.get("rope_type", "default") != "default":
        found["block"] = own
    if blocks:
        found |= {"blocks": blocks, "flat": record_flat(cls, blocks), "bases": record_bases(cls)}
        found["fills"] = fills_blocks(cls, blocks)
    if "axial" in (own.get("rope_type"), getattr(cls, "default_rope_type", None)):
        found["axes"] = axes_of_pairs(cls()) or "not seen"
    if turning := left.get("qk_rope_head_dim"):
        found |= record_latent(cls, turning, tried)
    if "no_rope_layers" in found["names"]:
        found["empty_mask"] = is_built(cls, no_rope_layers=[])
    found["runs"] = parts_that_run(cls)
    for part in list(PARTS)[1:]:
        found[part] = of_methods(methods_that_read(tried, part), tried) if tried else "not tried"
    layers = record_layers(cls)
    if every := layers.pop("no_rope_layer_interval", None):
        left["no_rope_layer_interval"] = every
    return found | layers | {"left_out": left}


#: What is so for most types, and so is not in the record.
USUAL: dict[str, Any] = {
    "fraction": "scaled", "fraction beside": "scaled", "old fraction": "none", "entries": "none",
    "untold": "none", "names": [], "fills": False, "left_out": {}, "runs": "none",
    "tried": [method for method in METHODS if method != "axial"],
    "no_null": ["hidden_size", "max_position_embeddings", "num_attention_heads", "num_hidden_layers"],
}  # fmt: skip


def short(value: Any) -> Any:
    """The same with nine digits of each number, which is more than float32 holds."""
    return json.loads(json.dumps(value), parse_float=lambda digits: float(f"{float(digits):.9g}"))


def write(path: Path, head: dict[str, Any], key: str, items: list[str], ends: str = "{}") -> None:
    """A file of JSON with a line for each item."""
    lines = ",\n".join(f"  {item}" for item in items)
    path.write_text(f'{json.dumps(head)[:-1]},\n "{key}": {ends[0]}\n{lines}\n {ends[1]}\n}}\n')


def main() -> None:
    """Write all three again."""
    import transformers

    os.environ["HF_HUB_OFFLINE"] = "1"
    logging.disable(logging.ERROR)
    head = {"transformers": transformers.__version__}
    known = dict(known_types())
    models, computed = [], []
    lines: dict[tuple[float, ...], int] = {}  # of frequencies, most of which many types have
    for model, cls in known.items():
        tried = attempts(cls)
        found = {key: value for key, value in record_model(cls, tried).items() if USUAL.get(key) != value}
        models.append(f"{json.dumps(model)}: {json.dumps(short(found))}")
        results = {
            key: {
                kind: [
                    lines.setdefault(tuple(short(one["frequencies"])), len(lines)),
                    short(one["rotation_factor"]),
                ]
                for kind, one in read.items()
            }
            for key, read in tried.items()
        }
        computed.append(
            f"{json.dumps(model)}: {json.dumps({'blocks': block_names(cls), 'results': results})}"
        )
    others = sorted(set(transformers.CONFIG_MAPPING) - set(known))
    without = [model for model in others if is_without_rope(transformers.CONFIG_MAPPING[model])]
    write(MODELS, head | {"others": others, "without": without}, "models", models)
    write(LIBRARY, head | {"lines": [list(one) for one in lines]}, "models", computed)
    entries = json.loads(PUBLISHED.read_text())["configurations"]
    for entry in entries:
        entry["library"] = short(library(entry["config"]))
    write(PUBLISHED, head, "configurations", [json.dumps(one) for one in entries], "[]")


if __name__ == "__main__":
    main()
