"""A configuration as it was given: its keys with the library's defaults, and checks of their values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from posenc.arguments import shown
from posread.config.keys import KEYS, read_data
from posread.config.model import Remark

#: Keys that sound like positions, and so must be read or named.
SOUNDS = re.compile(
    r"rope|rotary|mscale|theta|yarn|alibi|nope|position_embedding|rotate|_ntk|logn|chunk_attention"
)
#: Keys whose value false changes something.
SWITCHES = (
    "rope_interleave", "rope_interleaved", "rotary", "rotary_emb_interleaved", "use_mem_rope",
    "use_rotary_embedding", "use_rotary_pos_emb",
)  # fmt: skip
#: Keys that the programs of some types read, and those of others pass over; which do is recorded.
AT_TIMES = (
    *SWITCHES, "alibi", "attention_head_dim", "attn_layer_indices", "attn_rotary_emb", "attn_scale",
    "attn_temperature_tuning", "attn_type_list", "block_types", "compress_ratios", "compress_rope_theta",
    "cross_attention_layers", "d_model", "decoder_num_attention_heads", "decoder_num_hidden_layers",
    "dual_chunk_attention_config", "embed_dim", "floor_scale", "full_attention_interval", "full_attn_idxs",
    "global_attn_every_n_layers", "global_head_dim", "global_rope_theta",
    "hybrid_layer_pattern", "kv_channels", "layer_rope_theta", "layers_block_type", "llama_4_scaling_beta",
    "local_rope_theta", "long_mscale", "max_seq_len", "max_sequence_length", "max_trained_positions",
    "mla_use_nope", "model_max_length", "mrope_section", "n_embd", "n_head", "n_heads", "n_layer", "n_layers",
    "n_positions", "no_rope_layer_interval", "no_rope_layers", "num_heads", "num_layers", "original_rope",
    "position_embedding_type", "position_embeddings_type", "qk_nope_head_dim", "qk_rope_head_dim",
    "rope_base", "rope_embedding_base", "rope_local_base_freq", "rope_pct", "rope_ratio", "rotary_base",
    "rotary_emb_base", "rotary_emb_fraction", "rotary_embedding_base", "seq_length", "short_mscale",
    "sliding_window_pattern", "swa_head_dim", "swa_rope_theta",
)  # fmt: skip
#: The keys that are read; of the last only a length is.
READ = frozenset(name for key in KEYS for name in key.names) - {"dual_chunk_attention_config"}


@cache
def records() -> tuple[str, Mapping[str, Mapping[str, Any]]]:
    """The recorded version of the library, and what is recorded of each type of models.

    What models.json and unlike.json have of a type was recorded by programs (code/tests/support);
    by_hand.json adds what these could not see, with sources, and a type of it may be "like" one of theirs.
    """
    recorded, unlike = read_data("models.json"), read_data("unlike.json")["models"]
    models: dict[str, Mapping[str, Any]] = {
        model: own | {"unlike": unlike.get(model, ())} for model, own in recorded["models"].items()
    }
    for model, more in read_data("by_hand.json").items():
        same = models.get(more.get("like", model), {})
        left_out = {**same.get("left_out", {}), **more.get("left_out", {})}
        ways = [*same.get("unlike", ()), *more.get("unlike", ())]
        models[model] = {**same, **more, "left_out": left_out, "unlike": ways}
    return recorded["transformers"], models


def in_library(model: str, among: str = "others") -> bool:
    """Whether the library has a type without RoPE, or with RoPE in its parts alone; or "without" any."""
    return model in read_data("models.json")[among]


@dataclass(frozen=True)
class Given:
    """A configuration, what is recorded of its type, and what there is to say of it so far."""

    config: Mapping[str, Any]
    beside: Mapping[str, Any] = field(default_factory=dict)  # keys about RoPE around the part that is read
    notes: list[Remark] = field(default_factory=list)
    contradictions: list[Remark] = field(default_factory=list)

    @property
    def model(self) -> str | None:
        """The type of the model."""
        model = self.config.get("model_type")
        return model if isinstance(model, str) else None

    @property
    def record(self) -> Mapping[str, Any]:
        """What is recorded of it; empty if it is not known."""
        found = records()[1].get(self.model or "", {})
        of_images = found.get("vision") if self.config.get("depth") else None  # that part alone
        return records()[1][of_images] if of_images else found

    def note(self, kind: str, keys: str, text: str) -> None:
        """Say what is no fault; keys are separated by spaces."""
        self._add(self.notes, Remark(kind, tuple(keys.split()), text))

    def contradict(self, kind: str, keys: str, text: str) -> None:
        """Say where the configuration says two things."""
        self._add(self.contradictions, Remark(kind, tuple(keys.split()), text))

    def take(self, kind: str, key: str, value: Any, *, null: bool = False) -> None:
        """Say what is taken for a key that is left out, and that the library does so, if that is known."""
        how = f", as model type {self.model!r} does" if self.record else ", as most model types do"
        how = "" if null or self.is_unsure else how
        self.note(kind, key, f"{key} is {'null' if null else 'missing'}: {value:,.10g} is taken{how}.")

    def has(self, kind: str) -> bool:
        """Whether there is a contradiction of a kind."""
        return any(one.kind == kind for one in self.contradictions)

    def _add(self, remarks: list[Remark], remark: Remark) -> None:
        if remark not in remarks:
            remarks.append(remark)

    def get(self, *names: str) -> Any:
        """The value of the first of these keys that has one; the others are its older names."""
        values = {name: self.config[name] for name in names if self.config.get(name) is not None}
        if len({repr(value) for value in values.values()}) > 1:
            named = f"{' and '.join(values)} differ: {values}; the first is taken."
            self.contradict("names-differ", " ".join(values), named)
        return next(iter(values.values()), None)

    def known(self, *names: str) -> Any:
        """The same, or what the library takes with this type of model where all are left out."""
        value = self.get(*names)
        if value is None and not any(name in self.config for name in names):
            left_out = self.record.get("left_out", {})
            return next((left_out[name] for name in names if name in left_out), None)
        return value

    def reads(self, part: str, method: str) -> bool:
        """Whether the library reads a part, as `record` names them, with a method; yes if it is not known."""
        own = self.record.get(part, "scaled" if part.startswith("fraction") else "none")
        told = own if self.record else "all"
        return told in ("all", "not tried") or method in told or (told == "scaled" and method != "default")

    @property
    def is_unsure(self) -> bool:
        """Whether it was said that the library may read the configuration otherwise."""
        return any(one.kind in ("unlike", "not-recorded") for one in self.notes)

    @property
    def is_library_s(self) -> bool:
        """Whether it is recorded of the library."""
        return bool(self.record) and str(self.record.get("source", "transformers")).startswith("transformers")

    def names(self, *keys: str) -> bool:
        """Whether the library's programs for this type name one of these; yes if that is not known."""
        told = {*self.record.get("names", ()), *self.record.get("left_out", {})}
        return not self.is_library_s or not told.isdisjoint(keys)

    def name_unread(self, names: list[str]) -> None:
        """Name keys that nothing here reads."""
        for name in names:
            self.note("unread", name, f"{name} was not read.")


#: The largest number that the library's frequencies are made with.
FLOAT32 = float(np.finfo(np.float32).max)


def check_number(value: Any, key: str, *, least: float = 0.0, equal: bool = False) -> float:
    """``value`` as a float above ``least``, or not below it."""
    wrong = f"config[{key!r}] must be a finite number {'>=' if equal else '>'} {least:g}, got {shown(value)}"
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(wrong)
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(wrong) from None
    if not math.isfinite(number) or number < least or (number == least and not equal):
        raise ValueError(wrong)
    if number > FLOAT32:
        raise ValueError(f"config[{key!r}] must be at most {FLOAT32:.1e}, the most of float32")
    return number


def check_whole(value: Any, key: str, *, least: int = 1, most: int = 2**53) -> int:
    """``value`` as a whole number."""
    number = check_number(value, key, least=least, equal=True)
    if number % 1 or number > most:
        raise ValueError(f"config[{key!r}] must be a whole number from {least} to {most}, got {shown(value)}")
    return int(number)


def check_list(value: Any, key: str) -> list[Any]:
    """``value`` as a list."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (Sequence, np.ndarray)):
        raise TypeError(f"config[{key!r}] must be a list, got {shown(value)}")
    return list(value)
