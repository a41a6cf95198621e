"""What a configuration's keys mean, in a line each: the table behind `posread.config.known_keys`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConfigKey:
    """Keys of a configuration that mean the same, or belong together.

    Attributes
    ----------
    names : tuple of str
        As configurations write them, the usual one first.
    meaning : str
        What the number does, and whether it multiplies or divides.
    symbol : str
        What the book calls it, in TeX; empty if it has no symbol.
    call : str
        What of `posenc` takes it, or an empty text.
    elsewhere : tuple of str
        What other programs call it: options of llama.cpp, arguments of functions.
    """

    names: tuple[str, ...]
    meaning: str
    symbol: str = ""
    call: str = ""
    elsewhere: tuple[str, ...] = ()


def _key(
    names: str, meaning: str, symbol: str = "", call: str = "", elsewhere: tuple[str, ...] = ()
) -> ConfigKey:
    return ConfigKey(tuple(names.split()), meaning, symbol, call, elsewhere)


KEYS: tuple[ConfigKey, ...] = (
    _key(
        "rope_theta rope_base rotary_base rotary_emb_base rope_embedding_base rotary_embedding_base",
        "the base, whose powers divide the position",
        "b",
        "frequencies(d, b)",
        ("--rope-freq-base", "max_period"),
    ),
    _key("rope_ratio", "multiplies the base 10,000 (GLM-4)", "", "frequencies(d, 10_000 * ratio)"),
    _key(
        "rope_parameters rope_scaling",
        "the block with the method and its numbers; one for each type of layer where it is nested",
        "",
        "from_config(config)",
        ("--rope-scaling",),
    ),
    _key("rope_type type", "the method: default, linear, dynamic, yarn, llama3, longrope and others"),
    _key(
        "factor",
        "how many times longer the context is to be, but not for llama3 (Llama 3.1 has 8 for 16 times the "
        "length); frequencies are divided by it, all of them (linear), the slow ones (yarn, llama3), or by "
        "way of the base (dynamic)",
        "f",
        "interpolation(d, f)",
        ("--rope-scale", "--rope-freq-scale (its inverse, multiplies)"),
    ),
    _key(
        "alpha",
        "the factor of NTK-aware scaling, the same at all lengths (type dynamic):"
        " the base is multiplied by alpha to the power d/(d - 2)",
        "f",
        "ntk_aware(d, f)",
    ),
    _key(
        "original_max_position_embeddings max_trained_positions",
        "the trained length, in which turns are counted",
        "L",
        "yarn(d, f, length=L)",
        ("--yarn-orig-ctx", "old_context_len"),
    ),
    _key(
        "max_position_embeddings n_positions max_sequence_length max_seq_len model_max_length "
        "seq_length dual_chunk_attention_config",
        "the longest length allowed; where no other is told, and for type dynamic, taken for the trained "
        "one, which it need not be",
    ),
    _key(
        "beta_fast beta_slow",
        "turns in training: above the first a pair keeps its frequency, below the second it is divided by f",
        "",
        "yarn(d, f, beta_slow=1, beta_fast=32)",
    ),
    _key("high_freq_factor low_freq_factor", "the same two limits for llama3", "", "llama3(d, f, length=L)"),
    _key(
        "truncate",
        "whether the ends of YaRN's ramp are moved to whole pairs",
        "",
        "yarn(d, f, ramp='pairs', truncate=False)",
    ),
    _key(
        "attention_factor",
        "multiplies cos and sin, so scores of what turns by its square; 0.1 ln f + 1 if YaRN has none",
        "",
        "yarn_scale(f)",
        (
            "attention_scaling",
            "attn_factor (of ggml and of YaRN's authors, multiplies that logarithm's value instead)",
            "--yarn-attn-factor (of llama.cpp, which overwrites it where YaRN is on)",
        ),
    ),
    _key(
        "mscale mscale_all_dim",
        "weights of that logarithm: a quotient of two such factors for cos and sin; in latent attention the "
        "second multiplies the softmax's scale, squared",
    ),
    _key(
        "short_factor long_factor",
        "one number for each pair, which divides its frequency; up to the trained length, and beyond",
        "",
        "longrope(d, n, short_factor=..., long_factor=..., length=L)",
        ("ext_factors",),
    ),
    _key("short_mscale long_mscale", "multiply cos and sin, for those two", "", "longrope_scale(f, L)"),
    _key(
        "partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction rotary_dim attn_rotary_emb",
        "which fraction of a head's entries turn, or how many",
        "r",
        "partial_frequencies(d, r)",
        ("rotary_ndims",),
    ),
    _key(
        "qk_rope_head_dim qk_nope_head_dim qk_head_dim use_mla",
        "entries of a head that turn, and that don't, in latent attention; whether attention is latent",
        "r",
        "frequencies(r)",
    ),
    _key(
        "head_dim attention_head_dim kv_channels global_head_dim per_layer_config swa_head_dim "
        "hidden_size embed_dim n_embd d_model num_attention_heads n_head num_heads n_heads "
        "decoder_num_attention_heads projection_dim",
        "entries of a head, or what they are computed from: the width divided by the heads",
        "d",
    ),
    _key(
        "rope_interleave rope_interleaved rotary_emb_interleaved",
        "true if neighbors are a pair, false for halves; most types of models leave it out",
        "",
        "apply_rope(x, p, layout='interleaved')",
        ("is_neox_style (false)", "traditional", "interleaved"),
    ),
    _key("indexer_rope_interleave", "the same for a sparse indexer; not checked here"),
    _key(
        "rope_local_base_freq swa_rope_theta local_rope_theta global_rope_theta compress_rope_theta",
        "a base of the layers with a window (the first three), without one, or with compressed blocks",
        "b",
    ),
    _key(
        "layer_types layers_block_type block_types first_k_dense_replace full_attention_interval "
        "full_attn_idxs attn_layer_indices hybrid_layer_ids attn_type_list "
        "global_attn_every_n_layers cross_attention_layers sliding_window_pattern sliding_window "
        "hybrid_layer_pattern compress_ratios num_hidden_layers n_layer num_layers n_layers "
        "decoder_num_hidden_layers",
        "which layer is of which type, so which block it has",
    ),
    _key(
        "layer_rope_theta",
        "the base of each layer, before the block's; 0 is a layer without RoPE (Granite)",
        "",
        "layer_frequencies(n, omega, 0 * omega, every=4)",
    ),
    _key(
        "no_rope_layers no_rope_layer_interval mla_use_nope",
        "layers without RoPE: a mask in which 1 is with RoPE; each so manyth; all",
        "",
        "layer_frequencies(n, omega, 0 * omega, every=4)",
    ),
    _key(
        "mrope_section mrope_interleaved interleaved use_mrope",
        "pairs for time, row and column, in bands or dealt out in turn",
        "",
        "section_axes(sections, interleaved=True)",
    ),
    _key(
        "llama_4_scaling_beta attn_temperature_tuning attn_scale floor_scale",
        "multiply queries by a factor that grows in steps with the position",
        "",
        "stepped_scale(p)",
    ),
    _key("position_embedding_type position_embeddings_type alibi", "what a model has in place of RoPE"),
    _key("use_rotary_pos_emb use_mem_rope use_rotary_embedding rotary", "whether a model has RoPE at all"),
    _key(
        "attention_chunk_size",
        "tokens of a chunk, beyond which layers with RoPE do not look (Llama 4); no frequency depends on it",
    ),
    _key(
        "original_rope",
        "false if ChatGLM pairs halves, and not neighbors",
        "",
        "apply_rope(x, p, layout='halves')",
    ),
)
