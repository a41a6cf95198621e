"""What a model's configuration says about positions: frequencies, factors, and where each of them acts.

A configuration is the file `config.json` beside a model's weights, as the library transformers writes it.
Until its version 4 what changes the frequencies was in `rope_scaling`, since version 5 it is in
`rope_parameters`, which may hold one block for each type of layer. Both are read here, and nothing is
imported but NumPy.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import MAX_D_MODEL, Float, check_count, shown
from posenc.context import (
    dynamic_ntk,
    llama3,
    longrope,
    longrope_scale,
    ntk_aware,
    yarn,
    yarn_scale,
)
from posenc.encoding import BASE, frequencies
from posenc.positions import section_axes
from posenc.rope import RopeLayout, partial_frequencies
from posread.config.keys import KEYS, ConfigKey

RopeType = Literal["default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional", "axial"]
Place = Literal["all", "first", "last", "spread"]

#: What a block may hold besides what each may: the keys that change something for its type.
_KEYS: dict[RopeType, set[str]] = {
    "default": set(),
    "linear": {"factor", "original_max_position_embeddings"},
    "dynamic": {"factor", "alpha", "original_max_position_embeddings"},
    "yarn": {
        "factor",
        "original_max_position_embeddings",
        "attention_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "truncate",
    },
    "llama3": {"factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"},
    "longrope": {
        "factor",
        "original_max_position_embeddings",
        "attention_factor",
        "short_factor",
        "long_factor",
        "short_mscale",
        "long_mscale",
    },
    "proportional": {"factor"},
    "axial": set(),
}
#: The types that can be read.
ROPE_TYPES: tuple[RopeType, ...] = tuple(_KEYS)
#: Other names of types: LongRoPE's first, and the one of Qwen2-VL, whose frequencies are those of "default".
_ALIASES: dict[str, RopeType] = {"su": "longrope", "mrope": "default"}
#: What each block may hold.
_COMMON = {
    "rope_type",
    "type",
    "rope_theta",
    "partial_rotary_factor",
    "mrope_section",
    "mrope_interleaved",
    "interleaved",
    "llama_4_scaling_beta",
    "max_position_embeddings",  # Ministral 3 says it here again
}

#: Where a configuration of several parts keeps the language model's.
_PARTS = ("text_config", "language_config", "llm_config", "lm_config", "thinker_config")
#: Keys that sound like positions, and so must be read or named.
_SOUNDS = re.compile(
    r"rope|rotary|mscale|theta|yarn|alibi|nope|position_embedding|rotate|_ntk|logn|chunk_attention"
)

#: What the library's own classes take for keys that are left out: by key, value, and types of models.
_LEFT_OUT: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    (
        "head_dim",
        256,
        (
            "qwen3_5_moe_text",
            "qwen3_5_text",
            "qwen3_next",
            "gemma",
            "gemma2",
            "gemma3_text",
            "gemma3n_text",
            "t5gemma2_text",
        ),
    ),
    ("global_head_dim", 512, ("diffusion_gemma_text", "gemma4_text", "gemma4_unified_text")),
    ("rope_local_base_freq", 1e4, ("gemma3_text", "gemma3n_text", "t5gemma2_text")),
    ("sliding_window_pattern", 6, ("gemma3_text", "t5gemma2_text")),
    ("sliding_window_pattern", 5, ("gemma3n_text",)),
    ("sliding_window_pattern", 4, ("cohere2", "exaone4", "exaone_moe", "olmo3")),
    ("sliding_window", 4096, ("cohere2", "exaone4", "exaone_moe")),
    ("sliding_window", 1024, ("afmoe",)),
    ("max_position_embeddings", 131_072, ("gemma3_text",)),
    (
        "partial_rotary_factor",
        0.25,
        ("gpt_neox", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_next", "stablelm"),
    ),
    (
        "partial_rotary_factor",
        0.5,
        ("bamba", "chatglm", "glm", "glm4", "glm4_moe", "nemotron", "persimmon", "phi", "recurrent_gemma"),
    ),
    ("rotary_dim", 64, ("codegen", "gptj")),
    ("no_rope_layer_interval", 4, ("llama4_text", "smollm3")),
    ("attn_temperature_tuning", 1, ("llama4_text",)),
    ("attn_scale", 0.1, ("llama4_text",)),
    ("floor_scale", 8192, ("llama4_text",)),
    ("full_attention_interval", 4, ("qwen3_5_moe_text", "qwen3_5_text", "qwen3_next")),
    ("global_attn_every_n_layers", 3, ("modernbert", "modernbert-decoder")),
    ("global_attn_every_n_layers", 4, ("afmoe",)),
    ("global_rope_theta", 160_000.0, ("modernbert", "modernbert-decoder")),
    ("local_rope_theta", 10_000.0, ("modernbert", "modernbert-decoder")),
    ("rope_embedding_base", 1e6, ("phi3small",)),
    ("compress_rope_theta", 160_000.0, ("deepseek_v4",)),
    ("swa_rope_theta", 10_000.0, ("mimo_v2_flash",)),
    *(
        ("rope_theta", base, tuple(models.split()))
        for base, models in (
            (100.0, "eomt_dinov3 gemma4_vision"),
            (1000.0, "nomic_bert"),
            (1200.0, "musicflamingo"),
            (20_000.0, "jina_embeddings_v3 pe_audio_encoder"),
            (25_000.0, "fuyu"),
            (100_000.0, "helium"),
            (150_000.0, "gpt_oss openai_privacy_filter"),
            (160_000.0, "gte"),
            (
                500_000.0,
                """
                bitnet blt blt_global_transformer blt_local_decoder blt_local_encoder cohere csm
                csm_depth_decoder_model ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text evolla
                EvollaModel flex_olmo higgs_audio_v2 llama4_text mllama_text_model
                muse_glimmer_assistant olmo3 paddleocr_vl_text qwen3_vl_moe_text qwen3_vl_text
                """,
            ),
            (
                1e6,
                """
                cwm emu3_text_model gemma3_text gemma3n_text lfm2 lfm2_moe minimax ministral3 mixtral phimoe
                qwen2_5_omni_talker qwen2_5_omni_text qwen2_5_vl_text qwen2_vl_text qwen3_omni_moe_text
                solar_open t5gemma2_text
                """,
            ),
            (2e6, "smollm3"),
            (5e6, "mimo_v2_flash minimax_m2 minimax_m3_vl_text"),
            (1e7, "longcat_flash"),
            (11_158_840.0, "hy_v3"),
            (1.2e7, "apertus"),
            (1e8, "cosmos3_edge_text"),
        )
    ),
)
#: What is peculiar about some types of models, and about which.
_TYPES = {
    peculiar: frozenset(models.split())
    for peculiar, models in {
        # Their weights, as the library holds them, pair neighbors.
        "interleaved": """
            axk1 chatglm codegen cohere cohere2 cohere2_moe deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4
            efficientloftr ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text glm glm4 glm4_moe_lite glm4v_text
            glm_moe_dsa glm_ocr_text gptj helium kimi_k2 llama4_text longcat_flash mistral4 moonshine
            moonshine_streaming openai_privacy_filter roformer youtu
        """,
        # These pair halves.
        "halves": """
            afmoe apertus arcee aria_text bamba bitnet chameleon clvp_encoder cohere_compass_text
            cosmos3_edge_text csm cwm dbrx deepseek_ocr2_text diffllama diffusion_gemma_text doge dots1
            emu3_text_model esm eurobert exaone4 exaone4_5_text exaone_moe falcon falcon_h1 flex_olmo gemma
            gemma2 gemma3_text gemma3n_text gemma4_text gemma4_unified_text glm4_moe glm4v_moe_text
            glm_image_text gpt_neox gpt_neox_japanese gpt_oss granite granite4_vision_text granite_swa
            granitemoe granitemoe_swa granitemoehybrid granitemoeshared gte hrm_text hunyuan_v1_dense
            hunyuan_v1_moe hunyuan_vl_text hy_v3 hy_v4 hyperclovax internlm2 jais2 jetmoe jina_embeddings_v3
            laguna lfm2 lfm2_moe llama mellum mimo mimo_v2_flash minicpm3 minimax minimax_m2 minimax_m3
            minimax_m3_vl_text ministral ministral3 mistral mixtral mllama_text_model modernbert
            modernbert-decoder muse_glimmer_text nanochat nemotron nemotron-nas neomme nomic_bert olmo olmo2
            olmo3 olmo_hybrid olmoe paddleocr_vl_text persimmon phi phi3 phi4_multimodal phimoe qwen2
            qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_moe qwen2_vl qwen2_vl_text qwen3
            qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next qwen3_omni_moe_text qwen3_vl_moe_text
            qwen3_vl_text qwen4_exp_text recurrent_gemma seed_oss smollm3 solar_open stablelm starcoder2
            t5gemma2_text vaultgemma voxtral_realtime_text zamba2 zaya
        """,
        # They read a factor of partial rotation in a block of the type "default"; or it was not tried, since
        # the library has no class of this name, or none that is made as others are.
        "partial": """
            bamba chatglm clvp_encoder codegen cosmos3_edge_text deepseek_v4 diffusion_gemma_text
            efficientloftr exaone4_5_text glm glm4 glm4_moe glm4_moe_lite glm4v_moe_text glm4v_text
            glm_image_text glm_ocr_text gpt_neox gpt_neox_japanese gptj granite4_vision_text internlm2
            kimi_k2 laguna mellum mimo mimo_v2_flash minimax_m2 minimax_m3 minimax_m3_vl_text moonshine
            moonshine_streaming nemotron nemotron-nas neomme persimmon phi phi3 phi4_multimodal qwen2_5_vl
            qwen2_vl qwen3_5_moe_text qwen3_5_text qwen3_next qwen4_exp_text recurrent_gemma roformer
            solar_open stablelm zaya
        """,
        # Of partial rotation they read the factor, and not the number of entries.
        "factor alone": "minimax_m3_vl_text",
        # Layers of full attention have no RoPE, where others have a window.
        "full without": "afmoe cohere2 exaone4 exaone4_5_text exaone_moe",
        # Layers with a window have the plain frequencies, whatever method the block names.
        "window plain": "olmo3",
        # There are default blocks where `rope_parameters` has none for a type of layer, and the old key goes
        # into the block of full attention, or into both.
        "old for full": "gemma3_text gemma3n_text olmo3 t5gemma2_text",
        "old for both": "modernbert modernbert-decoder",
        # Nothing can be made without a block for each type of layer.
        "need blocks": """
            cohere_compass_text diffusion_gemma_text gemma4_text gemma4_unified_text laguna mellum neomme zaya
        """,
        # The attention has no RoPE at all, whatever the configuration holds.
        "without": "jamba kimi_linear nemotron_h",
        # What `position_embedding_type` is says nothing.
        "silent": "modernbert modernbert-decoder",
        # There is RoPE if it is "rope" alone.
        "told alone": "granitemoehybrid",
        # Vectors turn before they are divided into heads.
        "across": "efficientloftr",
        # The frequencies of an image's axes come in another order than `mrope_section` says.
        "reordered": "ernie4_5_moe_vl ernie4_5_vl_moe ernie4_5_vl_moe_text",
    }.items()
}
#: What it may say of a model with RoPE.
_ROTARY = {"rope", "rope_gptj", "rotary"}
#: Keys that a configuration has if its model has RoPE.
_ABOUT_ROPE = re.compile(r"rope|rotary")
#: Names of the two types of layers that have bases of their own.
_TWO = ("full_attention", "sliding_attention")
#: What stands for the encoding of a model without RoPE.
_OTHERS = {"absolute", "alibi", "learned", "none", "nope", "relative", "relative_key", "relative_key_query"}
#: Types of layers that have no attention, and so nothing to turn.
_NO_ATTENTION = re.compile(r"linear|mamba|conv|recurrent|moe$|mlp|cross")


@dataclass(frozen=True)
class LayerRope:
    """What the layers of one type do with positions.

    Attributes
    ----------
    rope_type : str
        "default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional" or "axial".
    base : float
        Elsewhere `rope_theta`.
    head_dim : int
        Entries of a query or key.
    rotary_dim : int
        How many of them turn.
    place : str
        Which ones turn: "all", the "first" or the "last" of a head, or "spread" over it, the pairs that turn
        being the first of all pairs.
    layout : str or None
        "interleaved" or "halves", as for :func:`posenc.rope.apply_rope`; None where it was not told.
    omega : ndarray
        Radians per position, of shape (rotary_dim/2,), or (head_dim/2,) with zeros at rest if `place` is
        "spread". For a type that changes with the length these are the frequencies up to the trained length:
        see :meth:`frequencies`. For "axial" those of each of two axes, of shape (head_dim/4,).
    factor : float or None
        How many times longer the context is to be, or for "llama3" what slow frequencies are divided by; None
        for the type "default".
    rotation_factor : float
        What cos and sin are multiplied by, so the scores of what turns by its square.
    score_factor : float
        What the scale of all scores is multiplied by besides, whether their entries turn or not.
    trained_length, extended_length : int or None
        Tokens of the training before the context was made longer, and after; None where it was not told.
    sections : tuple of int or None
        Pairs for time, row and column, elsewhere `mrope_section`.
    axes : ndarray or None
        An array with the axis of each pair, for :func:`posenc.rope.apply_axial_rope`, or None.
    query_scale : tuple of (float, int, int) or None
        `beta`, `length` and `start` of :func:`posenc.context.stepped_scale`, if queries are scaled so.
    parameters : mapping
        What :meth:`frequencies` needs besides, for types that change with the length; else empty.
    trained_taken : bool
        Whether `max_position_embeddings` is taken for `trained_length`, for want of another number. It may be
        more than the training had.
    """

    rope_type: RopeType
    base: float
    head_dim: int
    rotary_dim: int
    place: Place
    layout: RopeLayout | None
    omega: Float
    factor: float | None = None
    rotation_factor: float = 1.0
    score_factor: float = 1.0
    trained_length: int | None = None
    extended_length: int | None = None
    sections: tuple[int, ...] | None = None
    axes: NDArray[np.int64] | None = None
    query_scale: tuple[float, int, int] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)
    trained_taken: bool = False

    def frequencies(self, n: int) -> Float:
        """Return the frequencies for a sequence of n tokens.

        Parameters
        ----------
        n : int
            Number of tokens, >= 1. It makes a difference for "dynamic" and "longrope" alone.

        Returns
        -------
        ndarray
            Radians per position, of the shape of `omega`.

        Raises
        ------
        TypeError, ValueError
            If `n` is not as above.
        """
        n = check_count(n, "n", least=1)
        if self.rope_type == "dynamic" and self.parameters:
            return dynamic_ntk(self.rotary_dim, n, self.base, **self.parameters)
        if self.rope_type == "longrope":
            return longrope(self.rotary_dim, n, self.base, **self.parameters)
        return self.omega.copy()


@dataclass(frozen=True)
class RopeConfig:
    """What :func:`from_config` read; prints as a short report.

    Attributes
    ----------
    model_type : str or None
        The name of the architecture.
    kinds : dict
        A :class:`LayerRope` for each type of layer; for "all" where there is one type.
    layers : tuple of (str or None), or None
        For each layer the name of its type in `kinds`, or None for a layer without RoPE; None if the number
        of layers was not told.
    warnings : list of str
        What contradicts itself, is missing, or was not read; empty for a plain configuration.
    unread : list of str
        The keys about positions that were not read. Each is in a warning, too.
    """

    model_type: str | None
    kinds: dict[str, LayerRope]
    layers: tuple[str | None, ...] | None
    warnings: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        from posread.config.report import report  # here, because it needs these classes

        return report(self)


def from_config(config: Mapping[str, Any] | str | os.PathLike[str]) -> RopeConfig:
    """Read what a model's configuration says about positions.

    Parameters
    ----------
    config : dict or path
        A configuration as the library transformers writes it, or the path of such a file or of its folder.

    Returns
    -------
    RopeConfig
        Frequencies, factors and where they act, for each type of layer; and warnings.

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
    Frequencies and `rotation_factor` are those that the library transformers computes for a model of text;
    where they are not known to be, a warning says so, as it does for images. It multiplies cos and sin by
    the latter; `score_factor` is what multi-head latent attention (DeepSeek-V2 and V3) does instead
    with `mscale_all_dim`.

    Examples
    --------
    >>> llama = {
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
    >>> from_config(llama | {"rope_scaling": {"type": "yarn", "factor": 4, "beta": 32}}).unread
    ['rope_scaling.beta']
    """
    return _Reading(_loaded(config)).result()


def _loaded(config: Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    """The configuration as a mapping, and the part of the language model if there are several."""
    if isinstance(config, (str, os.PathLike)):
        if isinstance(config, str) and ("\0" in config or not config.strip()):
            raise ValueError(f"config must be the path of a file, got {config!r}")
        path = Path(config)
        path = path / "config.json" if path.is_dir() else path
        try:
            given = json.loads(path.read_bytes())
        except (ValueError, RecursionError) as error:
            raise ValueError(f"config must be a file in JSON, got {os.fspath(path)!r}: {error}") from None
    else:
        given = config
    if not isinstance(given, Mapping):
        raise TypeError(f"config must be a mapping or the path of one in JSON, got {shown(given)}")
    attention = given.get("attn_config")
    if isinstance(attention, Mapping):  # DBRX, MPT
        if attention.get("rope") is False:
            raise ValueError("config must be one of a model with RoPE, got attn_config.rope=False")
        lifted = {name: attention[name] for name in ("alibi", "rope_theta") if name in attention}
        return _loaded({**lifted, **given, "attn_config": None})
    for name in _PARTS:
        if isinstance(part := given.get(name), Mapping) and part:
            return _loaded({"model_type": given.get("model_type"), **part})
    return given


def _named(base: float) -> str:
    """A type of layers that a base of their own tells from the others."""
    return f"base {base:,.12g}"


def known_keys() -> tuple[ConfigKey, ...]:
    """List the keys that :func:`from_config` reads, with what they mean and what takes them here.

    Returns
    -------
    tuple of ConfigKey
        Each has `names` (those of one meaning together), `meaning`, the book's `symbol`, the `call` of this
        package, and what it is called `elsewhere`.

    Examples
    --------
    >>> base = known_keys()[0]
    >>> base.names[0], base.symbol, base.elsewhere[0]
    ('rope_theta', 'b', '--rope-freq-base')
    """
    return KEYS


class _Reading:
    """One configuration while it is read: each key that is asked for counts as read."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config
        self.read: set[str] = set()
        self.warnings: list[str] = []
        self.unread: list[str] = []
        self.told = False  # whether the trained length is
        model = self.get("model_type")
        self.model = model if isinstance(model, str) else None
        self.defaults = {key: value for key, value, models in _LEFT_OUT if self.model in models}

    def is_a(self, peculiar: str) -> bool:
        """Whether the type of the model has this peculiarity."""
        return self.model in _TYPES[peculiar]

    # Keys, and what they may be.

    def get(self, *names: str) -> Any:
        """The value of the first of these keys that has one; the others are its older names."""
        self.read.update(names)
        values = {name: self.config[name] for name in names if self.config.get(name) is not None}
        if len({repr(value) for value in values.values()}) > 1:
            self.warn(f"{' and '.join(values)} differ: {values}; the first is taken.")
        return next(iter(values.values()), None)

    def known(self, name: str, *others: str) -> Any:
        """The same, or what the library takes for it with this type of model."""
        value = self.get(name, *others)
        return self.defaults.get(name) if value is None else value

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def number(self, value: Any, key: str, *, least: float = 0.0, equal: bool = False) -> float:
        """``value`` as a float above ``least``, or not below it."""
        wrong = (
            f"config[{key!r}] must be a finite number {'>=' if equal else '>'} {least:g}, got {shown(value)}"
        )
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(wrong)
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(wrong) from None
        if not math.isfinite(number) or number < least or (number == least and not equal):
            raise ValueError(wrong)
        return number

    def whole(self, value: Any, key: str, *, least: int = 1, most: int = 2**53) -> int:
        number = self.number(value, key, least=least, equal=True)
        if number % 1 or number > most:
            raise ValueError(
                f"config[{key!r}] must be a whole number from {least} to {most}, got {shown(value)}"
            )
        return int(number)

    def several(self, value: Any, key: str) -> list[Any]:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (Sequence, np.ndarray)):
            raise TypeError(f"config[{key!r}] must be a list, got {shown(value)}")
        return list(value)

    def numbers(self, value: Any, key: str) -> set[int]:
        """The numbers of layers."""
        return {self.whole(one, key, least=0) for one in self.several(value, key)}

    # The parts of a configuration.

    def result(self) -> RopeConfig:
        told = self.get("position_embedding_type", "position_embeddings_type")
        without = not self.is_a("silent") and isinstance(told, str) and told in _OTHERS
        if self.get("alibi") or without or (self.is_a("told alone") and told != "rope"):
            raise ValueError(
                "config must be one of a model with RoPE, "
                f"got position_embedding_type={told!r}, alibi={self.get('alibi')!r}"
            )
        self.get("use_mrope", "indexer_rope_interleave", "vision_config", "original_rope")
        self.get("attention_chunk_size")
        switch = self.get("use_mem_rope", "use_rotary_pos_emb", "use_rotary_embedding", "rotary")
        if switch is False or (self.model == "zamba2" and not switch):
            raise ValueError(
                "config must be one of a model with RoPE, "
                f"got use_mem_rope, use_rotary_pos_emb, use_rotary_embedding or rotary that is {switch!r}"
            )
        blocks, rest = self.blocks()
        if self.is_a("without"):
            self.warn(f"The attention of model type {self.model!r} has no RoPE, whatever these keys say.")
        if self.get("mla_use_nope"):
            self.warn("mla_use_nope: no layer has RoPE.")
        has_rope = (
            self.is_a("interleaved")
            or self.is_a("halves")
            or (isinstance(told, str) and told in _ROTARY)
            or any(
                _ABOUT_ROPE.search(str(key)) and value not in (None, False)
                for key, value in self.config.items()
            )
        )
        if self.config.get("qk_rope_head_dim") == 0:
            raise ValueError("config must be one of a model with RoPE, got qk_rope_head_dim=0")
        if not has_rope and not self.is_a("without"):
            raise ValueError(
                "config must be one of a model with RoPE: it has no key about RoPE, and model type "
                f"{self.model!r} is not known to have it; if it does, add 'rope_theta'{self.parts()}"
            )
        layers = self.layers(blocks)
        kinds = {name: self.kind(name, block) for name, block in blocks.items() if block is not None}
        if self.config.get("patch_size") is not None and self.config.get("vocab_size") is None:
            self.warn(
                "This is a configuration for images (patch_size and no vocab_size): which pairs turn with "
                "the row and which with the column was not read."
            )
        if self.is_a("reordered"):
            self.warn(
                f"Model type {self.model!r} deals the fast pairs out to rows and columns in turn, and the "
                "slow ones to time; here frequencies are in their usual order, and axes are not read."
            )
            kinds = {name: replace(kind, axes=None) for name, kind in kinds.items()}
        self.name_unread(rest)
        return RopeConfig(self.model, kinds, layers, self.warnings, self.unread)

    def parts(self) -> str:
        """Parts of the configuration that have keys about RoPE, in words for the end of a refusal."""
        found = sorted(
            str(key)
            for key, part in self.config.items()
            if isinstance(part, Mapping) and any(_ABOUT_ROPE.search(str(one)) for one in part)
        )
        return f"; parts with RoPE of their own, to be passed alone: {found}" if found else ""

    def blocks(self) -> tuple[dict[str, dict[str, Any] | None], list[str]]:
        """A block for each type of layer, or None for one without RoPE; and keys beside them."""
        new, old = self.get("rope_parameters"), self.get("rope_scaling")
        for value, key in ((new, "rope_parameters"), (old, "rope_scaling")):
            if value is not None and not isinstance(value, Mapping):
                raise TypeError(f"config[{key!r}] must be a mapping, got {shown(value)}")
        self.where = "rope_scaling" if old else "rope_parameters"
        block, unread = dict(old or new or {}), []
        blocks = self.by_type(block)
        into = _TWO if self.is_a("old for both") else _TWO[:1] if self.is_a("old for full") else ()
        rest = [key for key in block if str(key) not in blocks]
        if new and old and dict(new) != dict(old):
            self.warn(
                "rope_parameters and rope_scaling differ; transformers takes rope_scaling"
                + (f" for layers of type {' and '.join(into)}." if into else ", and with it its base.")
            )
        if old and into and (beside := self.by_type(new or {})):
            self.where, rest = "rope_parameters", [key for key in new if str(key) not in beside]
            blocks = {name: (part or {}) | block if name in into else part for name, part in beside.items()}
        elif not blocks and (
            self.is_a("need blocks") or (into and new and (old or self.is_a("old for both")))
        ):
            raise ValueError(
                f"config[{self.where!r}] must have a block for each type of layer with model type "
                f"{self.model!r}, such as 'full_attention', got {sorted(map(str, block))}"
            )
        elif not blocks and new and into:
            self.warn(
                f"rope_parameters has no block for a type of layer, and model type {self.model!r} reads "
                "nothing else there: layers have their default blocks, without a method."
            )
            block, unread = {}, [f"rope_parameters.{key}" for key in block]
        self.nested = bool(blocks)
        if blocks:
            return blocks, [f"{self.where}.{key}" for key in rest]
        if turning := sorted(set(self.bases()) - {0.0}):
            return {_named(base): block | {"rope_theta": base} for base in turning}, []
        compressed, local = self.known("compress_rope_theta"), self.known("rope_local_base_freq")
        window, every = self.known("swa_rope_theta"), self.known("global_rope_theta")
        near = self.known("local_rope_theta")
        if compressed is not None:  # DeepSeek-V4 scales its compressed layers alone, and no cos and sin
            scaled = (
                {"attention_factor": 1.0} if "yarn" in (block.get("rope_type"), block.get("type")) else {}
            )
            return {"main": {}, "compress": scaled | block | {"rope_theta": compressed}}, []
        if local is not None:  # Gemma 3 scales its layers of full attention alone
            return {"full_attention": block, "sliding_attention": {"rope_theta": local}}, unread
        if every is not None and near is not None:  # ModernBERT
            return {
                name: {"rope_theta": base} | block for name, base in zip(_TWO, (every, near), strict=True)
            }, []
        if self.is_a("window plain"):
            plain = {"rope_theta": self.defaults["rope_theta"]}  # whatever base stands beside the blocks
            return {"full_attention": block, "sliding_attention": plain}, unread
        if window is not None:
            return {"full_attention": block, "sliding_attention": block | {"rope_theta": window}}, []
        return {"all": block}, []

    def bases(self) -> list[float]:
        """The base of each layer, zero where it has no RoPE, if they are told so."""
        told = self.several(self.get("layer_rope_theta") or [], "layer_rope_theta")
        return [self.number(one or 0, "layer_rope_theta", equal=True) for one in told]

    def by_type(self, block: Mapping[str, Any]) -> dict[str, dict[str, Any] | None]:
        """The blocks for types of layers that a block holds."""
        return {
            str(key): None if value is None else dict(value)
            for key, value in block.items()
            if isinstance(value, Mapping) or (value is None and str(key).endswith(("attention", "main")))
        }

    def layers(self, blocks: dict[str, dict[str, Any] | None]) -> tuple[str | None, ...] | None:
        """The type of each layer, None where it has no RoPE."""
        given = self.get(
            "num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_num_hidden_layers"
        )
        types = self.get("layer_types", "layers_block_type")
        pattern, hybrid = self.known("sliding_window_pattern"), self.get("hybrid_layer_pattern")
        ratios, period = self.get("compress_ratios"), self.known("full_attention_interval")
        chosen = self.get("full_attn_idxs", "attn_layer_indices", "hybrid_layer_ids")
        listed, each = self.get("attn_type_list"), self.known("global_attn_every_n_layers")
        crossing = self.get("cross_attention_layers")
        mask, every = self.get("no_rope_layers"), self.known("no_rope_layer_interval")
        window = self.known("sliding_window")
        if "sliding_window" in self.config:  # null is an answer: none
            window = self.config["sliding_window"]
        count = None if given is None else self.whole(given, "num_hidden_layers", most=100_000)
        if any(layered := self.bases()):
            if count is not None and len(layered) != count:
                self.warn(f"layer_rope_theta has {len(layered)} entries for {count} layers.")
            return tuple(_named(one) if one else None for one in layered)
        if types is not None:
            types = [str(one) for one in self.several(types, "layer_types")]
            if count is not None and len(types) != count:
                self.warn(f"layer_types has {len(types)} entries for {count} layers (num_hidden_layers).")
        elif count is None:
            return None
        elif hybrid is not None:
            types = [
                "sliding_attention" if one else "full_attention"
                for one in self.several(hybrid, "hybrid_layer_pattern")
            ]
        elif ratios is not None:
            types = ["compress" if one else "main" for one in self.several(ratios, "compress_ratios")][:count]
        elif chosen is not None:  # the layers that have attention; the others are recurrent
            places = self.numbers(chosen, "full_attn_idxs")
            types = ["full_attention" if i in places else "recurrent" for i in range(count)]
        elif listed is not None:
            types = ["full_attention" if one else "linear" for one in self.several(listed, "attn_type_list")]
        elif period is not None:
            period = self.whole(period, "full_attention_interval")
            types = ["linear" if (i + 1) % period else "full_attention" for i in range(count)]
        elif each is not None:
            each = self.whole(each, "global_attn_every_n_layers")
            first = (
                self.model != "afmoe"
            )  # of so many, its global layer is the last, and ModernBERT's the first
            types = [_TWO[(i + (not first)) % each != 0] for i in range(count)]
        elif isinstance(pattern, str) and pattern:  # EXAONE 4: "LLLG", and the last layer is global
            types = [_TWO[pattern[i % len(pattern)] == "L" and i + 1 < count] for i in range(count)]
        elif pattern:
            period = self.whole(pattern, "sliding_window_pattern")
            types = ["sliding_attention" if (i + 1) % period else "full_attention" for i in range(count)]
        else:
            types = ["all"] * count
        if "compress" in blocks:  # DeepSeek-V4: transformers names layers by their attention
            types = [
                "main" if one == "sliding_attention" else "compress" if "compress" in one else one
                for one in types
            ]
        if crossing is not None:  # queries of text, keys of an image, and no RoPE
            places = self.numbers(crossing, "cross_attention_layers")
            types = ["cross" if i in places else one for i, one in enumerate(types)]
        found: list[str | None] = []
        for one in types:
            name = one if one in blocks else "all" if "all" in blocks else None
            if name is None and not _NO_ATTENTION.search(one):
                self.warn(f"{self.where} has no block for layers of type {one!r}.")
            if _NO_ATTENTION.search(one) or (name is not None and blocks[name] is None):
                name = None
            if self.is_a("full without") and one == "full_attention" and window:
                name = None
            found.append(name)
        for name in blocks:
            if name not in types and self.nested:
                self.warn(f"{self.where} has a block for layers of type {name!r}, of which there are none.")
        if mask:  # a list of ones and zeros, in which 1 is a layer that has RoPE, in spite of its name
            kept = [bool(one) for one in self.several(mask, "no_rope_layers")]
            if len(kept) != len(found):
                self.warn(f"no_rope_layers has {len(kept)} entries for {len(found)} layers.")
            found = [one if i >= len(kept) or kept[i] else None for i, one in enumerate(found)]
        elif every is not None:
            period = self.whole(every, "no_rope_layer_interval")
            found = [one if (i + 1) % period else None for i, one in enumerate(found)]
        if self.is_a("without") or self.get("mla_use_nope"):
            found = [None] * len(found)
        return tuple(found)

    def by_layer(self, name: str, size: Any) -> Any:
        """The size of a head in layers of one type, where the configuration tells it layer by layer."""
        own, told = self.config["per_layer_config"], {}
        if not isinstance(own, Mapping):
            raise TypeError(f"config['per_layer_config'] must be a mapping, got {shown(own)}")
        for layer, over in own.items():
            where = f"per_layer_config.{layer}"
            if not str(layer).isdecimal() or not isinstance(over, Mapping):
                raise ValueError(f"config[{where!r}] must be a mapping for the number of a layer")
            self.name_unread(sorted(f"{where}.{key}" for key in over if _SOUNDS.search(str(key))), every=True)
            if over.get("head_dim") is not None:
                told[int(layer)] = self.whole(over["head_dim"], f"{where}.head_dim", most=MAX_D_MODEL)
        types = self.several(self.get("layer_types") or [], "layer_types")
        layers = range(max([len(types), *(layer + 1 for layer in told)]))
        sizes = {
            told.get(i, size) for i in layers if name not in types or (i < len(types) and types[i] == name)
        }
        if len(sizes) > 1:
            self.warn(f"per_layer_config: heads of layers {name!r} have {sorted(map(str, sizes))} entries.")
        return sizes.pop() if len(sizes) == 1 else size

    def head(self, name: str) -> tuple[int, int | None]:
        """Entries of a head, and how many of them turn if that is told as a number."""
        size = self.known("head_dim", "attention_head_dim", "kv_channels")
        wider, local = self.known("global_head_dim"), self.get("swa_head_dim")
        nope, turning = self.get("qk_nope_head_dim"), self.get("qk_rope_head_dim")
        hidden = self.get("hidden_size", "n_embd", "d_model")
        # of a model with an encoder, the library's own name for the decoder's heads is the first
        heads = self.get(
            "num_attention_heads", "n_head", "num_heads", "n_heads", "decoder_num_attention_heads"
        )
        self.get("qk_head_dim", "rotary_emb_base")
        if self.get("per_layer_config") is not None:  # then the library asks nothing else
            size = self.by_layer(name, size)
        elif name == "full_attention" and wider is not None:
            size = wider
        if name == "sliding_attention" and local is not None:
            size = local
        if turning is not None:
            turning = self.whole(turning, "qk_rope_head_dim", least=2, most=MAX_D_MODEL)
            if nope is not None:
                return turning + self.whole(nope, "qk_nope_head_dim", least=0, most=MAX_D_MODEL), turning
        if size is None:
            if hidden is None or heads is None:
                own = sorted(str(key) for key in self.config if _ABOUT_ROPE.search(str(key)))
                raise ValueError(
                    "config must have 'head_dim', or 'hidden_size' and 'num_attention_heads', "
                    f"got neither beside {own}{self.parts()}"
                )
            hidden = self.whole(hidden, "hidden_size", most=2**40)
            heads = self.whole(heads, "num_attention_heads", most=2**40)
            if hidden % heads:
                self.warn(f"hidden_size {hidden} is not a multiple of num_attention_heads {heads}.")
            size = hidden // heads
        return self.whole(size, "head_dim", least=2, most=MAX_D_MODEL), turning

    def kind(self, name: str, block: dict[str, Any]) -> LayerRope:
        """What the layers of one type do."""
        where = self.where + ("" if name in ("all", "main", "compress") else f".{name}")
        rope_type = self.type_of(block, where)
        head_dim, turning = self.head(name)
        over = self.rotary(block, where, head_dim, turning, rope_type)
        rotary_dim = over + over % 2  # the library rounds an odd number up, and keeps it in the exponent
        head_dim = max(head_dim, rotary_dim)  # of a model that turns before it divides into heads
        base = self.base(block, where)
        known = _COMMON | _KEYS[rope_type]
        self.name_unread([f"{where}.{key}" for key in block if key not in known], every=True)
        place: Place = "all"
        if turning is not None and turning < head_dim:
            place = "last"
        elif rotary_dim < head_dim:
            place = "spread" if rope_type == "proportional" else "first"
        found = LayerRope(
            rope_type,
            base,
            head_dim,
            rotary_dim,
            place,
            self.layout(),
            base ** (-np.arange(0, over, 2) / over)
            if over % 2
            else frequencies(over, base)
            if over
            else np.zeros(0),
        )
        found = self.scaled(found, block, where)
        if found.trained_length is not None:
            found = replace(found, trained_taken=not self.told)
        found = self.multimodal(found, block, where)
        return self.stepped(found, block, where)

    def type_of(self, block: dict[str, Any], where: str) -> RopeType:
        names = {key: block[key] for key in ("rope_type", "type") if block.get(key) is not None}
        types = {
            key: _ALIASES.get(value, value) if isinstance(value, str) else value
            for key, value in names.items()
        }
        if len(set(map(repr, types.values()))) > 1:
            self.warn(
                f"{where} has rope_type {names['rope_type']!r} and type {names['type']!r}; "
                "the first is taken."
            )
        rope_type = next(iter(types.values()), "default")
        if rope_type not in ROPE_TYPES:
            raise ValueError(
                f"config[{where!r}]['rope_type'] must be one of "
                f"{', '.join(map(repr, (*ROPE_TYPES, *_ALIASES)))}, got {shown(rope_type)}"
            )
        if rope_type == "default" and block.get("factor") not in (None, 1):
            self.warn(f"{where} has a factor, {block['factor']}, and no rope_type that takes it.")
        return cast(RopeType, rope_type)

    def base(self, block: dict[str, Any], where: str) -> float:
        outside = self.known(
            "rope_theta", "rotary_emb_base", "rope_base", "rotary_base", "rope_embedding_base"
        )
        ratio = self.get("rope_ratio")
        if ratio is not None and outside is None:  # GLM-4, and ChatGLM3
            self.warn(
                "rope_ratio multiplies the base, as in GLM-4; ChatGLM2's program divided positions by it."
            )
            outside = BASE * self.number(ratio, "rope_ratio")
        inside = block.get("rope_theta")
        if inside is None:
            if outside is None:
                self.warn(f"rope_theta is missing: {BASE:,.0f} is taken, as most model types do.")
            return self.number(BASE if outside is None else outside, "rope_theta", least=1.0)
        flat = (
            "." not in where
            and self.known("compress_rope_theta", "rope_local_base_freq", "swa_rope_theta") is None
        )
        if flat and "rope_theta" in self.config and outside != inside:
            self.warn(f"rope_theta is {outside} and in {where} {inside}; the latter is taken.")
        return self.number(inside, f"{where}.rope_theta", least=1.0)

    def rotary(
        self, block: dict[str, Any], where: str, head_dim: int, turning: int | None, rope_type: RopeType
    ) -> int:
        """How many entries of a head turn; odd where the library rounds up and has the odd number below."""
        inside = block.get("partial_rotary_factor")
        outside = self.known("partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_emb_fraction")
        entries = self.known("rotary_dim", "attn_rotary_emb")
        if self.model == "clvp_encoder":
            projection = self.whole(self.get("projection_dim") or 768, "projection_dim", most=2**40)
            heads = self.whole(self.get("num_attention_heads") or 12, "num_attention_heads", most=2**40)
            self.warn("Model type 'clvp_encoder' turns values, too.")
            turning = min(max(projection // (2 * heads), 32), head_dim)
        if turning is not None:
            if turning % 2:
                self.warn(f"{turning} entries are to turn, an odd number; {turning - 1} are read.")
            return turning - turning % 2
        if inside is not None and outside is not None and inside != outside:
            self.warn(f"partial_rotary_factor is {outside} and in {where} {inside}; the latter is taken.")
        fraction = outside if inside is None else inside
        if fraction is None and entries is not None:
            number = self.whole(entries, "rotary_dim", least=0)
            if number > head_dim:
                raise ValueError(
                    f"config['rotary_dim'] must be at most the head's {head_dim}, got {shown(entries)}"
                )
        else:
            fraction = self.number(1.0 if fraction is None else fraction, "partial_rotary_factor", equal=True)
            if fraction > 1 and not self.is_a("across"):
                raise ValueError(f"config['partial_rotary_factor'] must be at most 1, got {shown(fraction)}")
            number = int(head_dim * fraction)
            if fraction > 1:
                self.warn(
                    f"partial_rotary_factor is {fraction:g}: vectors are turned before they are divided into "
                    f"heads, and there are frequencies for {number} entries, as head_dim is read. Which of "
                    "them turn with the row and which with the column was not read."
                )
            if entries is not None and entries != number:
                self.warn(
                    f"rotary_dim is {entries}, and partial_rotary_factor {fraction} of {head_dim} "
                    f"is {number}."
                )
            if rope_type == "proportional":
                number = 2 * int(fraction * head_dim // 2)
        known = self.is_a("interleaved") or self.is_a("halves")
        unread = fraction is None if self.is_a("factor alone") else known and not self.is_a("partial")
        if unread and number < head_dim and rope_type == "default":
            self.warn(
                f"{number} of {head_dim} entries are to turn: with rope_type 'default' the library "
                f"transformers does not read that for models of type {self.model!r}, and turns all."
            )
        if number % 2 and number < head_dim and rope_type in ("default", "linear"):
            self.warn(
                f"{number} entries are to turn, an odd number: {number + 1} do, "
                f"with {number} in the exponent."
            )
            return number
        if number % 2:
            self.warn(
                f"{number} entries are to turn, an odd number; {number - 1} are read"
                + (
                    ", and transformers cannot turn all of them."
                    if number == head_dim
                    else ", and transformers rounds up."
                )
            )
        return number - number % 2

    def layout(self) -> RopeLayout | None:
        interleave = self.get("rope_interleave", "rope_interleaved", "rotary_emb_interleaved")
        if interleave is not None:
            return "interleaved" if interleave else "halves"
        if self.get("position_embedding_type") == "rope_gptj" or self.is_a("interleaved"):
            return "interleaved"
        return "halves" if self.is_a("halves") else None

    def lengths(self, block: dict[str, Any], where: str, *, scaled: bool) -> tuple[int | None, int | None]:
        """The trained and the longest length."""
        short = self.get("seq_length") if self.model == "qwen" else None  # Qwen's first: trained on so many
        most = self.known(
            "max_position_embeddings",
            "n_positions",
            "max_sequence_length",
            "max_seq_len",
            "model_max_length",
            *([] if short else ["seq_length"]),
        )
        outside, inside = (
            self.get("original_max_position_embeddings"),
            block.get("original_max_position_embeddings"),
        )
        dual = self.config.get("dual_chunk_attention_config")
        if outside is None:
            outside = (
                short if short is not None else self.get("max_trained_positions")
            )  # the latter: nomic_bert
        if outside is None and isinstance(dual, Mapping):
            outside = dual.get("original_max_position_embeddings")
        if outside is not None and inside is not None and outside != inside:
            self.warn(
                f"original_max_position_embeddings is {outside} and in {where} {inside}; the former is taken."
            )
        trained = inside if outside is None else outside
        self.told = trained is not None
        longest = None if most is None else self.whole(most, "max_position_embeddings")
        if trained is not None:
            trained = self.whole(trained, "original_max_position_embeddings")
        elif scaled:
            self.warn(f"{where} has no original_max_position_embeddings: max_position_embeddings is taken.")
            if longest is None:
                raise ValueError(
                    "config must have 'original_max_position_embeddings' or 'max_position_embeddings' for "
                    f"this rope_type, got neither in {sorted(map(str, self.config))}"
                )
            trained = longest
        return trained, longest

    def scaled(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        """The same with what its type changes."""
        kind, dim, base = found.rope_type, found.rotary_dim, found.base
        if not dim:
            return replace(found, rotation_factor=1.0)
        if kind == "axial":
            if found.head_dim % 4:
                raise ValueError(
                    f"config['head_dim'] must be a multiple of 4 for two axes, got {found.head_dim}"
                )
            return replace(found, omega=frequencies(found.head_dim // 2, base))
        trained, longest = self.lengths(block, where, scaled=kind in ("yarn", "llama3", "longrope"))
        factor = block.get("factor")
        if factor is None and kind in ("yarn", "longrope") and trained and longest:
            factor = max(longest / trained, 1.0)
            if kind == "yarn":
                self.warn(f"{where} has no factor: {factor:g} is taken, from the two lengths.")
        if factor is None and kind not in ("default", "proportional") and block.get("alpha") is None:
            both = " (or config 'max_position_embeddings')" if kind in ("yarn", "longrope") else ""
            raise ValueError(
                f"config[{where!r}] must have 'factor'{both} for rope_type {kind!r}, got {sorted(block)}"
            )
        if kind != "default" and factor is not None:
            factor = self.number(factor, f"{where}.factor", least=1.0, equal=True)
        if kind == "default":
            return replace(found, trained_length=trained or longest, extended_length=longest)
        if kind == "linear":
            assert factor is not None
            return replace(
                found, omega=found.omega / factor, factor=factor,
                trained_length=trained, extended_length=longest,
            )  # fmt: skip
        if kind == "proportional":
            spread = partial_frequencies(found.head_dim, dim, base, truncated=True)
            return replace(
                found, omega=spread / (factor or 1.0), factor=factor, trained_length=trained or longest,
                extended_length=longest,
            )  # fmt: skip
        if kind == "dynamic":
            if trained and trained != longest and block.get("alpha") is None:
                lengths = f"max_position_embeddings {longest:,}" if longest else "max_position_embeddings"
                self.warn(
                    f"original_max_position_embeddings {trained:,} is not read for rope_type 'dynamic': "
                    f"transformers takes {lengths} for the trained length"
                    + ("." if longest else ", which is not here.")
                )
            self.told = longest is None
            return self.dynamic(found, block, where, factor, longest or trained)
        assert trained is not None  # `lengths` has seen to it
        assert factor is not None
        reach = round(factor * trained)
        extended = longest if longest is not None and longest > trained else reach
        found = replace(found, factor=factor, trained_length=trained, extended_length=extended)
        if kind == "yarn" and longest is not None and longest not in (trained, reach):
            self.warn(
                f"factor {factor:g} times {trained:,} positions is {reach:,}, and max_position_embeddings "
                f"is {longest:,}."
            )
        if kind == "llama3":
            return self.llama3(found, block, where)
        if kind == "longrope":
            return self.longrope(found, block, where)
        return self.yarn(found, block, where)

    def dynamic(
        self, found: LayerRope, block: dict[str, Any], where: str, factor: float | None, length: int | None
    ) -> LayerRope:
        if block.get("alpha") is not None:  # Hunyuan: a base that does not change with the length
            alpha = self.number(block["alpha"], f"{where}.alpha", least=1.0, equal=True)
            if found.rotary_dim < 4:
                raise ValueError(f"config['head_dim'] must be at least 4 for alpha, got {found.rotary_dim}")
            return replace(
                found,
                omega=ntk_aware(found.rotary_dim, alpha, found.base),
                factor=alpha,
                trained_length=length,
            )
        if length is None:
            raise ValueError(
                f"config must have 'max_position_embeddings' for rope_type 'dynamic', got {shown(block)}"
            )
        if found.rotary_dim < 4:
            raise ValueError(
                f"config['head_dim'] must be at least 4 for rope_type 'dynamic', got {found.rotary_dim}"
            )
        assert factor is not None
        return replace(
            found, factor=factor, trained_length=length, extended_length=round(factor * length),
            parameters={"length": length, "factor": factor},
        )  # fmt: skip

    def llama3(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        for key in ("low_freq_factor", "high_freq_factor"):
            if block.get(key) is None:
                raise ValueError(
                    f"config[{where!r}] must have {key!r} for rope_type 'llama3', got {shown(block)}"
                )
        low = self.number(block["low_freq_factor"], f"{where}.low_freq_factor", equal=True)
        high = self.number(block["high_freq_factor"], f"{where}.high_freq_factor")
        if high < low:
            raise ValueError(
                f"config[{where!r}]['high_freq_factor'] must be at least low_freq_factor = {low:g}, "
                f"got {high:g}"
            )
        if high == low:
            self.warn(f"low_freq_factor and high_freq_factor are both {low:g}: a step, with no ramp between.")
        assert found.trained_length is not None
        assert found.factor is not None
        omega = llama3(
            found.rotary_dim, found.factor, found.base, length=found.trained_length,
            low_freq_factor=low, high_freq_factor=high,
        )  # fmt: skip
        return replace(found, omega=omega)

    def longrope(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        lists: dict[str, Any] = {}
        for key in ("short_factor", "long_factor"):
            if block.get(key) is None:
                raise ValueError(
                    f"config[{where!r}] must have {key!r} for rope_type 'longrope', got {sorted(block)}"
                )
            values = [
                self.number(one, f"{where}.{key}", least=0.0)
                for one in self.several(block[key], f"{where}.{key}")
            ]
            if len(values) != found.rotary_dim // 2:
                raise ValueError(
                    f"config[{where!r}][{key!r}] must have {found.rotary_dim // 2} numbers, one for each "
                    f"pair, got {len(values)}"
                )
            lists[key] = np.array(values)
        assert found.trained_length is not None
        assert found.factor is not None
        attention, short = block.get("attention_factor"), block.get("short_mscale")
        if attention is not None:
            scale = self.number(attention, f"{where}.attention_factor")
        elif short is not None:
            scale = self.number(short, f"{where}.short_mscale")
            long = self.number(block.get("long_mscale", short), f"{where}.long_mscale")
            if long != scale:
                self.warn(
                    f"long_mscale {long:g} takes the place of short_mscale {scale:g} beyond "
                    "the trained length."
                )
        else:
            scale = longrope_scale(found.factor, found.trained_length) if found.trained_length > 1 else 1.0
        lists["length"] = found.trained_length
        return replace(
            found, rotation_factor=scale, parameters=lists,
            omega=longrope(found.rotary_dim, 1, found.base, **lists),
        )  # fmt: skip

    def yarn(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        fast = self.number(block.get("beta_fast") or 32, f"{where}.beta_fast")
        slow = self.number(block.get("beta_slow") or 1, f"{where}.beta_slow")
        if fast < slow:
            raise ValueError(
                f"config[{where!r}]['beta_fast'] must be at least beta_slow = {slow:g}, got {fast:g}"
            )
        assert found.trained_length is not None
        assert found.factor is not None
        truncate = block.get("truncate", True)
        if not isinstance(truncate, (bool, np.bool_)):
            raise TypeError(f"config[{where!r}]['truncate'] must be true or false, got {truncate!r}")
        if not truncate and "." in where:
            self.warn(
                f"{where}.truncate is false; transformers 5 looks for truncate beside the types of layers."
            )
        omega = yarn(
            found.rotary_dim, found.factor, found.base, length=found.trained_length, beta_slow=slow,
            beta_fast=fast, ramp="pairs", truncate=bool(truncate),
        )  # fmt: skip
        one, all_dim = block.get("mscale"), block.get("mscale_all_dim")
        if one is not None:
            one = self.number(one, f"{where}.mscale", equal=True)
        if all_dim is not None:
            all_dim = self.number(all_dim, f"{where}.mscale_all_dim", equal=True)
        given = block.get("attention_factor")
        latent = self.get("qk_rope_head_dim") is not None and self.known("compress_rope_theta") is None
        grown = yarn_scale(found.factor) - 1  # 0.1 ln(factor)
        if given is not None:
            rotation = self.number(given, f"{where}.attention_factor")
            if (one or all_dim) and self.known("compress_rope_theta") is None:
                self.warn(
                    f"{where} has attention_factor {rotation:g}, so mscale does not change cos and sin."
                )
        elif one and all_dim:
            rotation = (1 + one * grown) / (1 + all_dim * grown)
            if one == all_dim and not latent:
                self.warn("mscale and mscale_all_dim are equal, so they cancel: no score is scaled.")
        else:
            rotation = 1 + grown
            if one:
                self.warn(f"{where} has mscale and no mscale_all_dim: transformers reads neither.")
        score = (1 + all_dim * grown) ** 2 if latent and all_dim else 1.0
        return replace(found, omega=omega, rotation_factor=rotation, score_factor=score)

    def multimodal(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        """The same with the axis of each pair."""
        sections = block.get("mrope_section")
        interleaved = block.get("mrope_interleaved", block.get("interleaved", False))
        if sections is None:
            return found
        counts = tuple(
            self.whole(one, f"{where}.mrope_section", least=0) for one in self.several(sections, where)
        )
        pairs = found.rotary_dim // 2
        if len(counts) < 2 or sum(counts) != pairs:
            self.warn(f"mrope_section {list(counts)} has {sum(counts)} pairs in all, and {pairs} turn.")
            return replace(found, sections=counts)
        axes = section_axes(counts, interleaved=bool(interleaved))
        return replace(found, sections=counts, axes=axes)

    def stepped(self, found: LayerRope, block: dict[str, Any], where: str) -> LayerRope:
        """The same with Llama 4's steps of the queries."""
        tuned, scale, floor = (
            self.known("attn_temperature_tuning"),
            self.known("attn_scale"),
            self.known("floor_scale"),
        )
        beta = block.get("llama_4_scaling_beta")
        if beta is not None and found.trained_length is not None:
            steps = (self.number(beta, f"{where}.llama_4_scaling_beta", equal=True), found.trained_length, 0)
            return replace(found, query_scale=steps)
        if tuned and scale is not None and floor is not None:
            self.warn("attn_scale and floor_scale act on the queries of layers without RoPE.")
            return replace(
                found,
                query_scale=(
                    self.number(scale, "attn_scale", equal=True),
                    self.whole(floor, "floor_scale"),
                    1,
                ),
            )
        return found

    def name_unread(self, more: list[str], *, every: bool = False) -> None:
        """Name the keys that sound like positions and that nothing here has asked for."""
        names = list(more)
        if not every:
            names += sorted(
                key for key in map(str, self.config)
                if _SOUNDS.search(key) and key not in self.read and self.config.get(key) not in (None, False)
            )  # fmt: skip
        for name in names:
            if name not in self.unread:
                self.unread.append(name)
                self.warn(f"{name} was not read.")
