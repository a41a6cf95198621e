"""What a model's configuration says about positions: frequencies, factors, and where each of them acts.

A configuration is the file `config.json` beside a model's weights, as the library transformers writes it.
Until its version 4 what changes the frequencies was in `rope_scaling`, since version 5 it is in
`rope_parameters`, which may hold one block for each type of layer. Both are read here, and nothing is
imported but NumPy; what the library does with each type of model is recorded.

A reading has four stages: the part of the configuration that has RoPE, a block for each type of layer
(`blocks`), the type of each layer (`layers`), and what its layers do (here and in `methods`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from posenc.arguments import MAX_D_MODEL, Float, shown
from posenc.encoding import BASE, frequencies
from posenc.positions import section_axes
from posenc.rope import RopeLayout
from posread.config.blocks import FULL, WINDOW, Blocks, read_blocks
from posread.config.given import (
    AT_TIMES,
    READ,
    SOUNDS,
    SWITCHES,
    Given,
    check_list,
    check_number,
    check_whole,
    in_library,
    records,
)
from posread.config.keys import KEYS, ConfigKey, read_data
from posread.config.layers import read_layers
from posread.config.methods import KEYS as METHOD_KEYS
from posread.config.methods import LONGEST, Block, apply_method, keys_of_method, read_type, untold_fraction
from posread.config.model import LayerRope, Place, RopeConfig, RopeType
from posread.config.report import report
from posread.config.ways import LENGTH, WAYS, ways_of

#: What each block may hold.
COMMON = {  # of which Ministral 3 says the last here again
    "rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved",
    "interleaved", "llama_4_scaling_beta", "max_position_embeddings",
}  # fmt: skip
#: Where a configuration of several parts keeps the language model's.
_PARTS = (
    "text_config", "language_config", "llm_config", "lm_config", "thinker_config", "vlm_config",
    "decoder_config", "decoder",
)  # fmt: skip
#: Keys that a configuration has if its model has RoPE.
_ABOUT_ROPE = re.compile(r"rope|rotary")
#: What `position_embedding_type` may say of a model with RoPE, and what stands for one without.
_ROTARY = {"rope", "rope_gptj", "rotary"}
_TELLING = ("position_embedding_type", "position_embeddings_type")
_OTHERS = {"absolute", "alibi", "learned", "none", "nope", "relative", "relative_key", "relative_key_query"}
#: Keys that count in a block alone.
_INSIDE = (
    "rope_type", "factor", "beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim",
    "low_freq_factor", "high_freq_factor", "short_factor", "long_factor",
)  # fmt: skip
#: Types of models whose names say that they are for images.
_IMAGES = re.compile(r"vision|vit\b|image|dino|siglip|jepa")


def from_config(config: Mapping[str, Any] | str | os.PathLike[str]) -> RopeConfig:
    """Read what a model's configuration says about positions.

    Parameters
    ----------
    config : dict or path
        A configuration as the library transformers writes it, or the path of such a file or of its folder.

    Returns
    -------
    RopeConfig
        Frequencies, factors and where they act, for each type of layer; notes and contradictions.

    Raises
    ------
    TypeError
        If `config` is neither a mapping nor a path.
    ValueError
        If it cannot be read, has no RoPE or does not say so, or a value is impossible; the message names the
        key.
    OSError
        If there is no such file.

    Notes
    -----
    Frequencies and `rotation_factor` are those that the library transformers computes, in the version that
    `RopeConfig.library` names, for the types of models and the methods that were recorded of it; where the
    configuration asks for what the library does not do, its own words are taken, and a contradiction says so.
    A note says if the type of model is not known. The library multiplies cos and sin by the factor;
    `score_factor` is what multi-head latent attention (DeepSeek-V2 and V3) does instead with
    `mscale_all_dim`.

    Examples
    --------
    >>> llama = {
    ...     "model_type": "llama",
    ...     "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
    ...     "max_position_embeddings": 131072, "rope_theta": 500000.0,
    ...     "rope_scaling": {
    ...         "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    ...         "original_max_position_embeddings": 8192,
    ...     },
    ... }
    >>> found = from_config(llama).kinds["all"]
    >>> found.rope_type, found.trained_length, found.extended_length, found.omega.shape
    ('llama3', 8192, 131072, (64,))
    >>> yarn = {"type": "yarn", "factor": 4, "beta": 32, "original_max_position_embeddings": 32768}
    >>> [(note.kind, note.keys) for note in from_config(llama | {"rope_scaling": yarn}).notes]
    [('unread', ('rope_scaling.beta',))]
    """
    given = Given(*load(config))
    if not isinstance(given.config.get("model_type"), (str, type(None))):
        raise TypeError(f"config['model_type'] must be a string, got {shown(given.config['model_type'])}")
    for key in _TRUTHS:
        if isinstance(told := given.config.get(key), str):
            raise TypeError(f"config[{key!r}] must be true or false, got {shown(told)}")
    check_rope(given)
    blocks = read_blocks(given)
    layers = read_layers(given, blocks)
    remark_unrecorded(given, blocks)
    turning = {} if given.record.get("without") else blocks.by_type
    kinds = {n: read_kind(given, blocks, n, own) for n, own in turning.items() if own is not None}
    given.name_unread(sounding_keys(given))
    remark_model(given, kinds)
    unread = [key for one in given.notes if one.kind == "unread" for key in one.keys]
    notes, contradictions = tuple(given.notes), tuple(given.contradictions)
    found = RopeConfig(given.model, share_length(kinds), layers, notes, contradictions, unread, records()[0])
    return replace(found, text=report(found))


def share_length(kinds: dict[str, LayerRope]) -> dict[str, LayerRope]:
    """The same, but layers without a method have the trained length that those with one tell."""
    told = {kind.trained_length for kind in kinds.values() if not kind.trained_taken}
    if len(told) != 1:
        return kinds
    known: dict[str, Any] = {"trained_length": told.pop(), "trained_taken": False}
    return {name: replace(kind, **known) if kind.factor is None else kind for name, kind in kinds.items()}


def sounding_keys(given: Given) -> list[str]:
    """The keys that sound like positions, and that nothing here reads; of two that hold others, these."""
    found = [
        key for key, value in given.config.items()
        if SOUNDS.search(key) and key not in READ and value not in (None, False)
    ]  # fmt: skip
    found += [key for key in _INSIDE if given.config.get(key) is not None]
    dual = given.config.get(name := "dual_chunk_attention_config")
    if isinstance(dual, Mapping):  # of which the length alone is read
        rest = dual.keys() - {LENGTH}
        found = [key for key in found if key != name] + [f"{name}.{key}" for key in rest]
    if isinstance(attention := given.config.get("attn_config"), Mapping):
        found += [f"attn_config.{key}" for key in attention if SOUNDS.search(str(key))]
    return sorted(found)


def load(config: Mapping[str, Any] | str | os.PathLike[str]) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The configuration, or the part of the language model if there are several; and what is beside it."""
    given = read_file(config) if isinstance(config, (str, os.PathLike)) else config
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        got = f"a {type(given).__name__}; its to_dict() is one" if hasattr(given, "to_dict") else shown(given)
        raise TypeError(f"config must be a mapping of strings or the path of one, got {got}")
    if "_class_name" in given and given.get("model_type") is None:
        raise ValueError("config must be one of transformers, got one of diffusers, which is not read")
    given = lift(given)
    for name in _PARTS:
        if isinstance(part := given.get(name), Mapping) and part:
            around = {"model_type": given.get("model_type")}
            own = read_data("library.json")["parts"].get(str(around["model_type"]), around["model_type"])
            around |= {} if part.get("model_type") or own == around["model_type"] else {"part": own}
            inner, beside = load({"model_type": own, **part})
            return inner, beside | around | told_beside(given, inner) | other_stacks(given, name)
    return given, {}


def lift(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same with what some models have in blocks of their own, or switch off."""
    attention, rotary = given.get("attn_config"), given.get("rotary")
    other = records()[1].get(str(given.get("model_type")), {"note_on": "attn_config"}).get("note_on") is None
    if isinstance(attention, Mapping) and not other:  # DBRX, MPT
        if isinstance(attention.get("rope"), str):
            raise TypeError(f"config['attn_config.rope'] must be true or false, got {attention['rope']!r}")
        if attention.get("rope") is False:
            raise ValueError("config must be one of a model with RoPE, got attn_config.rope=False")
        lifted = {name: attention[name] for name in ("alibi", "rope_theta") if name in attention}
        rest = {key: value for key, value in given.items() if key != "attn_config"}
        if attention.get("rope_theta") not in (None, given.get("rope_theta", BASE)):
            rest["attn_config"] = None  # there is more to say
        return {**lifted, **rest}
    if isinstance(rotary, Mapping):  # InternLM
        block = {"type": rotary.get("type"), "factor": rotary.get("scaling_factor")}
        told = {"rope_theta": rotary.get("base", BASE), "rope_scaling": block, "rotary": None}
        return {**given, **told, **({"rope_scaling": None} if block["type"] in (None, "origin") else {})}
    if given.get("use_mla") is False:  # DeepSeek-OCR: attention that is not latent
        return {**given, "use_mla": None, "qk_rope_head_dim": None, "qk_nope_head_dim": None}
    return given


def read_file(config: str | os.PathLike[str]) -> Any:
    """What is in a file, or in that of a folder."""
    if isinstance(config, str) and ("\0" in config or not config.strip()):
        raise ValueError(f"config must be the path of a file, got {config!r}")
    path = Path(config)
    path = path / "config.json" if path.is_dir() else path
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"config must be a file in JSON, got {os.fspath(path)!r}: {error}") from None


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of a file, in which no key says two things."""
    made = dict(pairs)
    for key, value in pairs:
        if repr(value) != repr(made[key]):  # not a number is unlike itself
            raise ValueError(f"it has {key!r} twice, as {shown(value)} and as {shown(made[key])}")
    return made


def told_beside(given: Mapping[str, Any], inner: Mapping[str, Any]) -> dict[str, Any]:
    """What keys about RoPE tell otherwise than in the part that is read."""
    about = [key for key, value in given.items() if value and _ABOUT_ROPE.search(str(key))]
    return {str(key): given[key] for key in about if given[key] != inner.get(key)}


def other_stacks(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The encoder beside a decoder that is read, or another part, if it has RoPE of its own."""
    names = ("encoder", "encoder_config", "talker_config", *_PARTS)
    parts = {key: given.get(key) for key in names if key != name}
    return {key: part for key, part in parts.items() if is_about_rope(part)}


def is_about_rope(part: Any) -> bool:
    """Whether a part of a configuration has a key about RoPE, or a part of it has."""
    inner = [part, *part.values()] if isinstance(part, Mapping) else []
    return any(_ABOUT_ROPE.search(str(key)) for own in inner if isinstance(own, Mapping) for key in own)


def check_rope(given: Given) -> None:
    """Refuse the configuration of a model without RoPE, or of one that does not say so."""
    refused = "config must be one of a model with RoPE"
    told = given.known(*_TELLING) if given.names(*_TELLING) else None
    only = given.record.get("told_by")  # what it has to say; of some types nothing that it says counts
    without = str(told) in _OTHERS if only is None else told != only
    if given.get("alibi") and given.names("alibi"):
        raise ValueError(f"{refused}; alibi is true, and a model with ALiBi turns nothing")
    if without and only != "nothing":
        key = next((one for one in _TELLING if one in given.config), _TELLING[0])
        missing = "" if key in given.config else "missing, so "
        raise ValueError(f"{refused}; {key} is {missing}{told!r}" + f", not {only!r}" * bool(only))
    check_switches(given, refused)
    if given.config.get("qk_rope_head_dim") == 0:
        raise ValueError(f"{refused}, got qk_rope_head_dim=0")
    told_by_key = [key for key, value in given.config.items() if value not in (None, False)]
    known = given.record and not given.record.get("without")
    if not (known or str(told) in _ROTARY or any(_ABOUT_ROPE.search(str(key)) for key in told_by_key)):
        text = f"{refused}: it has no key about RoPE, and model type {given.model!r} is not known to have it"
        raise ValueError(f"{text}; if it does, add 'rope_theta'{name_parts(given)}")


def check_switches(given: Given, refused: str) -> None:
    """Refuse a configuration whose RoPE is switched off by a key that its type's programs name."""
    switches = [key for key in SWITCHES if "interleave" not in key and given.names(key)]
    switch = given.get(*switches)
    if switch is False or (given.model == "zamba2" and not switch):
        raise ValueError(f"{refused}, got {' or '.join(switches)} that is {switch!r}")


def name_parts(given: Given) -> str:
    """Parts of the configuration that have keys about RoPE, in words for the end of a refusal."""
    found = sorted(str(key) for key, part in given.config.items() if is_about_rope(part))
    return f"; parts with RoPE of their own, to be passed alone: {found}" if found else ""


def remark_bases(given: Given, kinds: dict[str, LayerRope]) -> None:
    """Say of a base that it is no layer's, if it was not said."""
    said = {key for one in (*given.notes, *given.contradictions) for key in one.keys}
    bases = {kind.base for kind in kinds.values()}
    taken = " and ".join(f"{base:,.10g}" for base in sorted(bases))
    for key in (*_NAMES, *(key for key in AT_TIMES if key.endswith("_theta"))):
        told = given.config.get(key)
        if isinstance(told, (int, float)) and told not in bases and key not in said:
            given.contradict("no-effect", key, f"{key} is the base of no layer (here: {taken}).")


def remark_model(given: Given, kinds: dict[str, LayerRope]) -> None:
    """Say what there is to say of the model as a whole."""
    if not given.record:
        known = f"is not among the types with RoPE that are recorded of transformers {records()[0]}"
        known = known + ", which has it" * in_library(given.model) if given.model else "is missing"
        given.note(
            "unknown-type", "model_type",
            f"model_type {shown(given.model) + ' ' if given.model else ''}{known}: what the keys say is read "
            "as of most models, and which layers turn is guessed.",
        )  # fmt: skip
    source = str(given.record.get("source", "transformers"))
    if not source.startswith("transformers"):
        text = f"Model type {given.model!r} is not one of transformers {records()[0]}; read as of {source}."
        given.note("by-hand", "model_type", text)
    name_passed_over(given)
    if given.get("mla_use_nope"):
        given.note("without-rope", "mla_use_nope", "mla_use_nope: no layer has RoPE.")
    elif given.record.get("without") or in_library(str(given.model), "without"):
        text = f"The attention of model type {given.model!r} has no RoPE in transformers {records()[0]}."
        given.contradict("without-rope", "model_type", text)
    remark_axes(given)
    if kinds and given.get("layer_rope_theta") is None:
        remark_bases(given, kinds)
    if more := given.record.get("note"):
        of_key = given.record.get("note_on")  # without which there is nothing to say
        if of_key is None:
            given.note("not-read" if given.record.get("not_read") else "model", "model_type", str(more))
        elif of_key in given.config:
            given.contradict("passed-over", of_key, str(more))


def remark_axes(given: Given) -> None:
    """Say that axes were not read, where this may be a model of images."""
    image = given.config.get("patch_size") is not None and given.config.get("vocab_size") is None
    image = image or (not given.record and bool(_IMAGES.search(given.model or "")))
    if image and not given.record.get("axes"):
        text = "This looks like a configuration for images: which pairs turn by row or column was not read."
        given.note("not-read", "model_type patch_size", text)


def name_passed_over(given: Given) -> None:
    """Say which keys count for nothing: beside the part that is read, or not read by the type's programs."""
    around = str(given.beside.get("model_type"))
    whole = records()[1].get(around, {"like": ""})  # most have RoPE in their parts alone
    if around not in ({"None", given.model} | records()[1].keys()) and not in_library(around):
        text = f"Model type {around!r}, of which a part is read, is not one of transformers {records()[0]}."
        given.note("not-recorded", "model_type", text)
    if own := given.beside.get("part"):
        text = f"The part that is read has no model_type: {own!r} is taken, as model type {around!r} does."
        given.note("part-type", "model_type", text)
    for key, value in given.beside.items():
        if key in ("model_type", "part"):
            continue
        if "like" not in whole and _ABOUT_ROPE.search(key):
            text = f"{key} is of RoPE that model type {around!r} has besides, of which nothing is said here."
            given.note("not-recorded", key, text)
            continue
        if isinstance(value, Mapping) and not _ABOUT_ROPE.search(key):
            text = f"{key} has RoPE of its own, of which nothing is said here: pass it alone."
            given.note("other-part", key, text)
            continue
        text = f"{key} is beside the language model's part, and only what is inside that part is read."
        given.contradict("beside-part", key, text)
    for key in filter(SOUNDS.search, idle_keys(given)):
        text = f"transformers {records()[0]} does not read {key} for models of type {given.model!r}."
        idle = key in _TELLING and given.record.get("told_by") == "nothing"  # as its own files tell it
        say, alone = given.note if idle else given.contradict, key in (*_TELLING, *SWITCHES)
        say("no-effect" if alone else "passed-over", f"{key} model_type", text)


def idle_keys(given: Given) -> list[str]:
    """Keys that are told, that the library's programs for this type do not name, and that say otherwise."""
    taken, done = given.record.get("left_out", {}).get("rope_theta", BASE), as_done(given)
    parts = [given.config, *filter(None, map(given.config.get, ("rope_scaling", "rope_parameters")))]
    idle = {
        key: [None, [], taken, *([] if key in SWITCHES else [False]), *done.get(key, [])] for key in AT_TIMES
    }
    told = [key for key in AT_TIMES if any(part.get(key) not in idle[key] for part in parts)]
    return [key for key in told if not given.names(key)]


def as_done(given: Given) -> dict[str, list[Any]]:
    """The values of keys with which they say what the library does without reading them."""
    pairs, part = given.record.get("pairs"), given.record.get("left_out", {}).get("partial_rotary_factor")
    done: dict[str, list[Any]] = {
        key: [] if pairs is None else [pairs == "interleaved"] if "interleave" in key else [True]
        for key in SWITCHES
    }
    done["mla_use_nope"] = [bool(given.record.get("without"))]
    if isinstance(full := given.config.get("attn_type_list"), list):
        done["attn_type_list"] = [[1] * len(full)]
    types = _ROTARY if pairs == "interleaved" else _ROTARY - {"rope_gptj"}
    done |= dict.fromkeys(_TELLING, sorted(types))
    if part is None:
        return done | {"rope_pct": [1], "rotary_emb_fraction": [1]}
    shares = list(part.values()) if isinstance(part, Mapping) else [part]
    done |= {"rope_pct": shares, "rotary_emb_fraction": shares}
    if "attn_rotary_emb" in given.config and isinstance(part, Mapping):
        done["attn_rotary_emb"] = [one * read_head(given, "all")[0] for one in part.values()]
    return done


#: Keys of whole numbers, the first of which no type lets be null, and keys that are true or false.
_WHOLE = (
    "hidden_size", "num_attention_heads", "num_hidden_layers", "max_position_embeddings",
    "attention_head_dim", "d_model", "embed_dim", "first_k_dense_replace", "floor_scale",
    "global_attn_every_n_layers", "head_dim", "kv_channels", "n_embd", "n_head", "n_heads", "n_layer",
    "n_layers", "n_positions", "no_rope_layer_interval", "num_heads", "num_layers",
    "original_max_position_embeddings", "qk_nope_head_dim", "qk_rope_head_dim", "rotary_dim",
    "rotary_embedding_base", "sliding_window", "swa_head_dim",
)  # fmt: skip
_SEEN = {"axes", "dealt", "sections"}  # what may be recorded of axes
_COUNTED = ("layer_types", "sliding_window", "sliding_window_pattern")  # none is untried
_TRUTHS = (
    *SWITCHES, "alibi", "attn_temperature_tuning", "mla_use_nope", "original_rope", "use_mla", "use_mrope",
)  # fmt: skip


def remark_unrecorded(given: Given, blocks: Blocks) -> None:
    """Say of which keys it is not recorded what the library does with what is told here."""
    if told := unlike_ways(given):
        ways = " and ".join(map(WAYS.__getitem__, told))
        text = f"With models of type {given.model!r} transformers {records()[0]} reads {ways} otherwise"
        given.note("unlike", "model_type", f"{text}, or fails.")
    found = [*untried_keys(given), *untried_blocks(given, blocks)]
    found = [key for key in found if not is_refused(given, key)]
    if found and given.record:
        keys = ", ".join(found)
        text = f"What transformers {records()[0]} does with {keys}, as told here, is not recorded."
        given.note("not-recorded", " ".join(found), text)


def is_refused(given: Given, key: str) -> bool:
    """Whether the library refuses a value: of another sort than its own, or a type of layers it has not."""
    told, own = given.config.get(key), given.record.get("left_out", {}).get(key)
    legal = read_data("library.json")["layer_types"]
    unknown = {*map(str, told or ())}.difference(legal) if key == "layer_types" else set()
    sorts = {type(told), type(own)} if key != "no_rope_layer_interval" else set()
    if not given.is_library_s or not (unknown or (len(sorts) == 2 and sorts <= {int, float, bool})):
        return False
    what = ", ".join(map(repr, sorted(unknown))) or shown(told)
    given.contradict("refused", key, f"{key} has {what}, which transformers {records()[0]} refuses.")
    return True


def unlike_ways(given: Given) -> list[str]:
    """The ways in which RoPE is told here, of those that the library reads otherwise with this type."""
    return [way for way in ways_of(given.config) if way in given.record.get("unlike", ())]


def untried_values(record: Mapping[str, Any], config: Mapping[str, Any]) -> list[str]:
    """The keys whose values are of a sort, or of a size, that was not tried."""
    sorts = dict.fromkeys(_WHOLE, int) | dict.fromkeys(_TRUTHS, bool) | {"attn_scale": float}
    told = {key: config[key] for key in sorts if config.get(key) is not None}
    found = [key for key, value in told.items() if type(value) is not sorts[key]]
    found += [key for key in _COUNTED if isinstance(value := config.get(key), (int, list)) and not value]
    if isinstance(mask := config.get("no_rope_layers"), list) and {*map(type, mask)} - {int}:
        found.append("no_rope_layers")
    found += [key for key in (*_WHOLE[:4], "sliding_window") if key not in found and told.get(key, 1) < 1]
    width, heads = told.get("hidden_size"), told.get("num_attention_heads")
    if record.get("divides") and not found and heads and width and width % heads:
        found.append("hidden_size")
    return found


def untried_nulls(record: Mapping[str, Any], config: Mapping[str, Any]) -> list[str]:
    """The keys that are null, or not there, or there, where that was not tried, or does not do."""
    found = [key for key in record.get("no_null", _WHOLE[:4]) if key in config and config[key] is None]
    found += [key for key in record.get("needs", ()) if config.get(key) is None]
    found += [key for key in record.get("refuses", ()) if config.get(key) is not None]
    if record.get("blocks") and not config.get("rope_parameters") and config.get("rope_theta", 1) is None:
        found.append("rope_theta")
    return found + [key for key in _FRACTIONS if key in config and config[key] is None]


def untried_keys(given: Given) -> list[str]:
    """The keys beside the blocks that were not tried with such values."""
    record, config = given.record, given.config
    found = untried_values(record, config) + untried_nulls(record, config)
    told = LONGEST[1:] if config.get(LONGEST[0]) is not None else ()  # of which there is a note of its own
    found += [key for key in idle_keys(given) if not SOUNDS.search(key) and key not in told]
    parts = _FRACTIONS | {"rotary_dim": "entries"}
    found += [key for key, part in parts.items() if key in config and record.get(part) == "not tried"]
    by_layer = "global_head_dim" in record.get("left_out", {}) and config.get("layer_types")
    if config.get("per_layer_config") is not None and not by_layer:
        found.append("per_layer_config")
    names = [record.get(key, ()) for key in ("blocks", "order", "rest", "mixed", "named")]
    seen = {FULL, WINDOW}.union(*(ones for ones in names if ones != "not seen"))
    return found if seen.issuperset(map(str, config.get("layer_types") or ())) else [*found, "layer_types"]


def untried_blocks(given: Given, blocks: Blocks) -> list[str]:
    """The same in the blocks."""
    axes = "mrope_section" if given.record.get("axes") else ""
    found: list[str] = []
    for name, own in blocks.by_type.items():
        untried = [key for key, value in (own or {}).items() if value is None or key == axes]
        found += [f"{blocks.key(name)}.{key}" for key in untried]
    if "mrope_section" in given.record.get("names", ()) and not _SEEN & {*given.record}:
        found.append("mrope_section")
    kinds = given.record.get("blocks", [])
    if blocks.nested and set(blocks.by_type) != set(given.record.get("block", kinds) if kinds else ()):
        found.append(blocks.where)
    if blocks.nested and given.record and not kinds:
        base = given.record.get("left_out", {}).get("rope_theta", BASE)
        text = f"Model type {given.model!r} has one block for all layers: beside others the library takes"
        text += f" rope_theta, or {base:,.10g} if it is missing, and no method; or it fails."
        given.contradict("no-types", blocks.where, text)
    return found


def remark_method(block: Block, rope_type: RopeType) -> None:
    """Say of a method that the library refuses it, or that it could not be tried, with a type of models."""
    told = f"rope_type {rope_type!r} for models of type {block.given.model!r}."
    only = block.given.record.get("methods")
    tried = block.given.record.get("tried", [one for one in METHOD_KEYS if one != "axial"]) or ["default"]
    if only and rope_type not in only and block.name == "all":
        block.contradict("refused", "rope_type", f"transformers {records()[0]} refuses {told}")
    elif block.given.record and rope_type not in tried and not (rope_type == "axial" and "default" in tried):
        text = f"It is not recorded what transformers {records()[0]} does with {told}"
        block.note("not-recorded", "rope_type", text)


def read_kind(given: Given, blocks: Blocks, name: str, own: dict[str, Any]) -> LayerRope:
    """What the layers of one type do."""
    block = Block(given, own, blocks.key(name), name)
    rope_type = read_type(block)
    remark_method(block, rope_type)
    head_dim, turning = read_head(given, name)
    over = read_part(block, head_dim, turning, rope_type)
    rotary_dim = over + over % 2  # the library rounds an odd number up, and keeps it in the exponent
    head_dim = max(head_dim, rotary_dim)  # of a model that turns before it divides into heads
    fixed = bool(given.record.get("fixed"))  # a base that the type's program has written in
    base = BASE if fixed else read_base(block)
    rest = [key for key in own if key not in COMMON | keys_of_method(block, rope_type)]
    if LENGTH in rest and own[LENGTH] is not None:
        rest.remove(LENGTH)
        key = block.key(LENGTH)
        given.note("unread", key, f"{key} tells the trained length, and nothing else.")
    given.name_unread([block.key(key) for key in rest])
    place: Place = "all"
    if turning is not None and turning < head_dim:
        place = "last"
    elif rotary_dim < head_dim:
        place = "spread" if rope_type == "proportional" else "first"
    omega: Float = base ** (-np.arange(0, over, 2) / over) if over else np.zeros(0)
    if over and not over % 2:
        omega = frequencies(over, base)
    found = LayerRope(rope_type, base, head_dim, rotary_dim, place, read_layout(given), omega)
    return read_steps(read_sections(apply_method(found, block), block), block)


def read_layout(given: Given) -> RopeLayout | None:
    """How entries are paired."""
    interleave = given.get(*[key for key in SWITCHES if "interleave" in key and given.names(key)])
    if interleave is not None:
        return "interleaved" if interleave else "halves"
    if given.names("position_embedding_type") and given.get("position_embedding_type") == "rope_gptj":
        return "interleaved"
    if given.model == "chatglm" and given.get("original_rope") is False:
        return "halves"
    recorded: RopeLayout | None = given.record.get("pairs")
    return recorded


def read_head(given: Given, name: str) -> tuple[int, int | None]:
    """Entries of a head, and how many of them turn if that is told as a number."""
    size = given.known("head_dim", "attention_head_dim", "kv_channels")
    if given.get("per_layer_config") is not None:  # then the library asks nothing else
        size = read_by_layer(given, name, size)
    elif name == FULL and (wider := given.known("global_head_dim")) is not None:
        size = wider
    if name == WINDOW and (local := given.known("swa_head_dim")) is not None:
        size = local
    nope = given.known("qk_nope_head_dim")
    turning = given.known("qk_rope_head_dim") if given.names("qk_rope_head_dim") else None
    if turning is not None:
        turning = check_whole(turning, "qk_rope_head_dim", least=2, most=MAX_D_MODEL)
        if nope is not None:
            return turning + check_whole(nope, "qk_nope_head_dim", least=0, most=MAX_D_MODEL), turning
    if size is None:
        size = divide_heads(given)
    return check_whole(size, "head_dim", least=2, most=MAX_D_MODEL), turning


#: Names of the width, and of the number of heads; of a model with an encoder the first is the decoder's, too.
_WIDTHS = ("hidden_size", "n_embd", "d_model", "embed_dim")
_HEADS = ("num_attention_heads", "n_head", "num_heads", "n_heads", "decoder_num_attention_heads")


def divide_heads(given: Given) -> int:
    """Entries of a head by the width and the number of heads."""
    hidden, heads = given.get("embed_dim") or given.known(*_WIDTHS[:-1]), given.known(*_HEADS)
    if hidden is None or heads is None:
        own = sorted(str(key) for key in given.config if _ABOUT_ROPE.search(str(key)))
        raise ValueError(
            "config must have 'head_dim', or 'hidden_size' and 'num_attention_heads', got "
            f"{'no width' if hidden is None else 'no number of heads'} beside {own}{name_parts(given)}"
        )
    for kind, value, names in (("width-missing", hidden, _WIDTHS), ("heads-missing", heads, _HEADS)):
        if given.get(*names) is None:
            given.take(kind, names[0], value)
    hidden = check_whole(hidden, "hidden_size", most=2**40)
    heads = check_whole(heads, "num_attention_heads", most=2**40)
    if hidden % heads:
        text = f"hidden_size {hidden} is not a multiple of num_attention_heads {heads}."
        given.contradict("no-multiple", "hidden_size num_attention_heads", text)
    return hidden // heads


def read_by_layer(given: Given, name: str, size: Any) -> Any:
    """The size of a head in layers of one type, where the configuration tells it layer by layer."""
    own, told = given.config["per_layer_config"], {}
    if not isinstance(own, Mapping):
        raise TypeError(f"config['per_layer_config'] must be a mapping, got {shown(own)}")
    for layer, over in own.items():
        where = f"per_layer_config.{layer}"
        if not str(layer).isdecimal() or not isinstance(over, Mapping):
            raise ValueError(f"config[{where!r}] must be a mapping for the number of a layer")
        if over.get("head_dim") is not None:
            told[int(layer)] = check_whole(over["head_dim"], f"{where}.head_dim", most=MAX_D_MODEL)
    name_unread_by_layer(given, own)
    types = check_list(given.get("layer_types") or [], "layer_types")
    layers = range(max([len(types), *(layer + 1 for layer in told)]))
    sizes = {told.get(i, size) for i in layers if name not in types or (i < len(types) and types[i] == name)}
    if len(sizes) > 1:
        text = f"per_layer_config: heads of layers {name!r} have {sorted(map(str, sizes))} entries."
        given.note("heads-differ", "per_layer_config", text)
    return sizes.pop() if len(sizes) == 1 else size


def name_unread_by_layer(given: Given, own: Mapping[str, Any]) -> None:
    """Name what is not read of the layers' own keys; one of several layers once."""
    unread: dict[str, list[str]] = {}
    for layer, over in own.items():
        for key in filter(SOUNDS.search, map(str, over)):
            unread.setdefault(key, []).append(str(layer))
    places = {key: layers[0] if len(layers) == 1 else "*" for key, layers in sorted(unread.items())}
    given.name_unread([f"per_layer_config.{where}.{key}" for key, where in places.items()])


#: Names of the base.
_NAMES = KEYS[0].names


def read_base(block: Block) -> float:
    """The base of a block."""
    given = block.given
    names = ("rotary_emb_base",) if "rotary_emb_base" in given.record.get("left_out", {}) else _NAMES
    outside = given.known(*names)
    ratio = given.get("rope_ratio")
    if ratio is not None and given.get("rope_theta") is None:  # GLM-4, and ChatGLM3
        text = "rope_ratio multiplies the base, as in GLM-4; ChatGLM2's program divided positions by it."
        given.note("ratio", "rope_ratio", text)
        outside = BASE * check_number(ratio, "rope_ratio")
    inside = block.get("rope_theta")
    if inside is None:
        outside = (given.record.get("block") or {}).get("rope_theta") if outside is None else outside
        base = check_number(BASE if outside is None else outside, "rope_theta", least=1.0)
        if given.get(*names) is None and ratio is None:
            remark_no_base(given, names[0], base, null="rope_theta" in block.entries)
        return base
    return check_number(inside, block.key("rope_theta"), least=1.0)


def remark_no_base(given: Given, key: str, base: float, *, null: bool) -> None:
    """Say what is taken for a base that is not told."""
    if key in given.config and given.record:
        text = f"{key} is null, with which the library fails: {base:,.10g} is taken."
        given.contradict("base-missing", "rope_theta", text)
        return
    given.take("base-missing", key, base, null=null)


#: Keys of the fraction of a head that turns, and what is recorded of each.
_FRACTIONS = {
    "partial_rotary_factor": "fraction beside",
    "rotary_pct": "old fraction",
    "rope_pct": "fraction beside",
    "rotary_emb_fraction": "fraction beside",
}


def read_part(block: Block, head_dim: int, turning: int | None, rope_type: RopeType) -> int:
    """How many entries of a head turn; odd where the library rounds up and has the odd number below."""
    given = block.given
    fraction, part = told_fraction(block)
    if given.record.get("half_of_projection"):
        turning = half_of_projection(given, head_dim)
    if turning is not None:
        if fraction is None or not given.reads(part, rope_type):
            fraction = untold_fraction(block, rope_type)
        return part_of_latent(block, head_dim, turning, fraction)
    asked, entries = head_dim, given.get("rotary_dim", "attn_rotary_emb")
    if fraction is not None:
        asked = part_of_head(block, head_dim, fraction, entries)
    elif entries is not None:
        part, asked = "entries", check_whole(entries, "rotary_dim", least=0)
        if asked > head_dim:
            raise ValueError(f"config['rotary_dim'] must be at most the head's {head_dim}, got {asked}")
    number = asked
    if (fraction is None and entries is None) or not given.reads(part, rope_type):
        number, fraction = left_out_part(block, head_dim, rope_type)
    if asked not in (number, head_dim):
        instead = "all" if number == head_dim else f"{number}"
        given.contradict(
            "part-ignored", "rotary_dim" if part == "entries" else "partial_rotary_factor",
            f"{asked} of {head_dim} entries are to turn: transformers {records()[0]} does not read that with "
            f"rope_type {rope_type!r} for models of type {given.model!r}, and turns {instead}, as here.",
        )  # fmt: skip
    if rope_type != "proportional":
        remark_part(given, number, head_dim)
    elif fraction is not None:
        number = 2 * int(fraction * head_dim // 2)
    return round_odd(block, number, head_dim, rope_type)


def remark_part(given: Given, number: int, head_dim: int) -> None:
    """Say of a part of the entries that the type's programs do not run with it, or that it was not tried."""
    own = given.record.get("left_out", {}).keys() & {"partial_rotary_factor"} or "dealt" in given.record
    runs = given.record.get("runs", "none" if given.is_library_s else "odd") if number < head_dim else "odd"
    if runs == "none" and own:
        runs = "even"  # they turn a part by themselves, and failed for other reasons
    text = f"{number} of {head_dim} entries are to turn{', an odd number' if number % 2 else ''}"
    if (runs == "none" and number) or (runs == "even" and number % 2):
        text += f", with which the programs of model type {given.model!r} fail."
        given.contradict("fails", "partial_rotary_factor", text)
    elif runs == "not seen" and (number % 2 or not given.reads("fraction", "default")):
        text += f"; whether the programs of model type {given.model!r} run so is not recorded."
        given.note("not-recorded", "partial_rotary_factor", text)


def told_fraction(block: Block) -> tuple[Any, str]:
    """The fraction of a head that is to turn, if it is told, and the name of the place where it is."""
    given, inside = block.given, block.get("partial_rotary_factor")
    older = given.record.get("old fraction", "none") != "none"  # then the library reads it first
    beside = given.get(*(["rotary_pct"] if older else []), *_FRACTIONS)
    if inside is not None and beside is not None and inside != beside:
        text = f"partial_rotary_factor is {beside} and in {block.where} {inside}; the latter is taken."
        given.contradict("parts-differ", f"partial_rotary_factor {block.key('partial_rotary_factor')}", text)
    if inside is not None or beside is None:
        return inside, "fraction"
    flat = "fraction flat" in given.record and "." not in block.where  # one block for all types of layers
    places = [part for key, part in _FRACTIONS.items() if given.config.get(key) == beside]
    return beside, "fraction flat" if flat else places[0]


def left_out_part(block: Block, head_dim: int, rope_type: RopeType) -> tuple[int, float | None]:
    """The entries that turn where nothing is told that the library reads, and which fraction they are."""
    given = block.given
    left_out = given.record.get("left_out", {})
    if given.reads("entries", rope_type) and "rotary_dim" in left_out:
        if "rotary_dim" in given.config:
            text = f"rotary_dim is null, which the library refuses: {left_out['rotary_dim']} is taken."
            given.contradict("null", "rotary_dim", text)
        elif block.given.config.get("rotary_dim") is None:
            given.take("part-missing", "rotary_dim", left_out["rotary_dim"])
        return int(left_out["rotary_dim"]), None
    fraction = untold_fraction(block, rope_type)
    if fraction is not None and told_fraction(block)[0] is None:
        given.take("part-missing", "partial_rotary_factor", fraction)
    return (head_dim if fraction is None else part_of_head(block, head_dim, fraction, None)), fraction


def half_of_projection(given: Given, head_dim: int) -> int:
    """CLVP: half of a head of its projection, and 32 at least."""
    projection = check_whole(given.get("projection_dim") or 768, "projection_dim", most=2**40)
    heads = check_whole(given.get("num_attention_heads") or 12, "num_attention_heads", most=2**40)
    return min(max(projection // (2 * heads), 32), head_dim)


def part_of_latent(block: Block, head_dim: int, turning: int, fraction: Any) -> int:
    """The same in latent attention, where the entries that turn are told, and a fraction may be, too."""
    given, number = block.given, turning
    taken = given.get("head_dim") if given.record.get("takes_head_dim") else None
    if given.record.get("fraction") == "not tried":
        if fraction is not None:
            text = f"What transformers {records()[0]} does with partial_rotary_factor here is not recorded."
            given.note("not-recorded", "partial_rotary_factor", text)
    elif given.record.get("takes_head_dim") or (given.record and (fraction is not None or taken is not None)):
        whole = taken or (turning if given.record.get("fraction_of") == "part" else head_dim)
        part = 1.0 if fraction is None or block.get("rope_type") == "proportional" else fraction
        number = int(whole * check_number(part, "partial_rotary_factor", equal=True))
        if number != turning:
            given.contradict(
                "parts-differ", "qk_rope_head_dim head_dim partial_rotary_factor",
                f"qk_rope_head_dim is {turning}, and transformers {records()[0]} has frequencies "
                f"for {number}: partial_rotary_factor {part} of {whole}. Whether it runs is not recorded.",
            )  # fmt: skip
    if number % 2:
        text = f"{number} entries are to turn, an odd number; {number - 1} are read."
        given.note("not-recorded", "qk_rope_head_dim", text)
    return number - number % 2


def part_of_head(block: Block, head_dim: int, fraction: Any, entries: Any) -> int:
    """The entries that are a fraction of a head."""
    given = block.given
    fraction = check_number(fraction, "partial_rotary_factor", equal=True)
    number = int(head_dim * fraction)
    if fraction > 1 and not given.record.get("across"):
        raise ValueError(f"config['partial_rotary_factor'] must be at most 1, got {shown(fraction)}")
    if fraction > 1:
        given.note(
            "across-heads", "partial_rotary_factor",
            f"partial_rotary_factor is {fraction:g}: vectors are turned before they are divided into heads, "
            f"and there are frequencies for {number} entries, as head_dim is read. Which of them turn by the "
            "row and which by the column was not read.",
        )  # fmt: skip
    if entries is not None and entries != number:
        key = "rotary_dim" if given.config.get("rotary_dim") is not None else "attn_rotary_emb"
        text = f"{key} is {entries}, and partial_rotary_factor {fraction} of {head_dim} is {number}."
        given.contradict("parts-differ", f"{key} partial_rotary_factor", text)
    return number


def round_odd(block: Block, number: int, head_dim: int, rope_type: RopeType) -> int:
    """An odd number of entries as the library has it where that is known, else one less; with a note."""
    if not number % 2:
        return number
    text = f"{number} entries are to turn, an odd number"
    if number < head_dim and rope_type in ("default", "linear"):
        text += f": there are {number // 2 + 1} frequencies, with {number} in the exponent."
        if not block.given.has("fails"):
            block.given.note("odd", "partial_rotary_factor", text)
        return number
    whole = number == head_dim and told_fraction(block)[0] in (None, 1)
    if whole and block.given.is_library_s and not block.given.is_unsure and block.given.get("head_dim"):
        text += ", which the library refuses"
        block.given.contradict("refused", "head_dim", f"{text}; {number - 1} are read.")
    else:
        block.given.note("not-recorded", "partial_rotary_factor", f"{text}; {number - 1} are read.")
    return number - 1


def read_sections(found: LayerRope, block: Block) -> LayerRope:
    """The same with the axis of each pair."""
    record, dealt = block.given.record, block.given.record.get("dealt", {})
    sections = block.get("mrope_section", record.get("sections", dealt.get("sections")))
    if sections is None:
        return found
    if block.get("mrope_section") is None and dealt:
        block.note("sections-missing", "mrope_section", f"mrope_section is missing: {sections} is taken.")
    key = block.key("mrope_section")
    counts = tuple(check_whole(one, key, least=0) for one in check_list(sections, key))
    pairs = found.rotary_dim // 2
    if len(counts) < 2 or sum(counts) != pairs:
        text = f"mrope_section {list(counts)} has {sum(counts)} pairs in all, and {pairs} turn."
        block.contradict("sections-differ", "mrope_section", text)
        return replace(found, sections=counts)
    if record.get("sections"):  # ERNIE's: rows and columns in turn, then time
        axes = np.repeat([1, 0], [sum(counts[:2]), sum(counts[2:])])
        axes[1 : sum(counts[:2]) : 2] = 2
        text = "The fast pairs turn with rows and columns in turn, and the slow ones with time."
        block.given.note("axes", "model_type", text)
        return replace(found, sections=counts, axes=axes)
    told = block.get("mrope_interleaved", block.get("interleaved"))
    if isinstance(told, str):
        raise TypeError(f"config[{block.key('mrope_interleaved')!r}] must be true or false, got {told!r}")
    in_turn = dealt.get("in_turn", bool(told))
    if told not in (None, in_turn):
        text = f"Axes of type {block.given.model!r} are {'in turn' if in_turn else 'in bands'} without"
        block.contradict("no-effect", "mrope_interleaved", f"{text} mrope_interleaved, which is not read.")
    try:
        return replace(found, sections=counts, axes=section_axes(counts, interleaved=in_turn))
    except ValueError:  # in turn, there are too few pairs for the last of an axis
        text = f"Which pairs turn by which axis is not read for sections {list(counts)} in turn."
        block.note("not-recorded", "mrope_section", text)
        return replace(found, sections=counts)


def read_steps(found: LayerRope, block: Block) -> LayerRope:
    """The same with Llama 4's steps of the queries."""
    given, beta = block.given, block.get("llama_4_scaling_beta")
    if beta is not None and found.trained_length is not None:
        number = block.number("llama_4_scaling_beta", equal=True)
        return replace(found, query_scale=(number, found.trained_length, 0))
    scale, floor = given.known("attn_scale"), given.known("floor_scale")
    if not given.known("attn_temperature_tuning") or scale is None or floor is None:
        return found
    text = "attn_scale and floor_scale act on the queries of layers without RoPE."
    given.note("queries-scaled", "attn_scale floor_scale", text)
    steps = (check_number(scale, "attn_scale", equal=True), check_whole(floor, "floor_scale"), 1)
    return replace(found, query_scale=steps)


def known_keys() -> tuple[ConfigKey, ...]:
    """List the keys that :func:`from_config` reads, with what they mean and what takes them here.

    Returns
    -------
    tuple of ConfigKey
        Each has `names` (those of one meaning together), `meaning`, the book's `symbol`, the `call` of
        `posenc`, and what it is called `elsewhere`.

    Examples
    --------
    >>> base = known_keys()[0]
    >>> base.names[0], base.symbol, base.elsewhere[0]
    ('rope_theta', 'b', '--rope-freq-base')
    """
    return KEYS
