"""RoPE, its scalings, T5's buckets and ALiBi's slopes against the library transformers, if it is installed.

`make test WITH=torch MARK=torch` brings it; without it these tests are skipped.
The library computes in float32.
"""

import importlib
import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc import biases, context, frequencies, rope

RNG = np.random.default_rng(20240723)


def close(got, want):
    np.testing.assert_allclose(got, np.asarray(want), rtol=2e-6, atol=2e-6)


def config(kind, head_dim=128, length=4096, **more):
    """A Llama with one kind of scaling."""
    return transformers.LlamaConfig(
        hidden_size=4 * head_dim,
        num_attention_heads=4,
        head_dim=head_dim,
        max_position_embeddings=length,
        rope_parameters={"rope_type": kind, **more},
    )


def library(kind, n=None, **more):
    omega, scale = ROPE_INIT_FUNCTIONS[kind](config(kind, **more), "cpu", seq_len=n)
    return omega.numpy(), scale


@pytest.mark.parametrize(
    ("d", "base", "factor"), [(128, 10_000.0, 4.0), (64, 500_000.0, 8.0), (96, 1e6, 32.0)]
)
def test_every_scaling_of_the_library_is_ours(d, base, factor):
    usual = {"head_dim": d, "rope_theta": base, "factor": factor}
    close(context.interpolation(d, factor, base), library("linear", **usual)[0])
    for n in (100, 4096, 9000):
        close(
            context.dynamic_ntk(d, n, base, length=4096, factor=factor), library("dynamic", n=n, **usual)[0]
        )
    stretched = library("dynamic", n=int(4096 * factor), **usual | {"factor": 1.0})[0]  # without its own
    close(context.ntk_aware(d, factor, base), stretched)
    for truncate, length in itertools.product((True, False), (2048, 6)):
        omega, scale = library("yarn", original_max_position_embeddings=length, truncate=truncate, **usual)
        close(context.yarn(d, factor, base, length=length, ramp="pairs", truncate=truncate), omega)
        close(context.yarn_scale(factor), scale)
    omega, scale = library(
        "llama3", low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192, **usual
    )
    close(context.llama3(d, factor, base), omega)
    assert scale == 1
    short, long = RNG.uniform(1, 2, d // 2).tolist(), RNG.uniform(1, 60, d // 2).tolist()
    for n in (4096, 4097):
        omega, scale = library(
            "longrope",
            n=n,
            short_factor=short,
            long_factor=long,
            original_max_position_embeddings=4096,
            **usual,
        )
        close(context.longrope(d, n, base, short_factor=short, long_factor=long), omega)
        close(context.longrope_scale(factor), scale)
    close(
        rope.partial_frequencies(d, d // 4, base, truncated=True),
        library("proportional", head_dim=d, rope_theta=base, partial_rotary_factor=0.25)[0],
    )


def turned_by(module, apply, query, positions, **more):
    """One query for each position, of shape (n, head), through the library's rotary module."""
    x = torch.tensor(query, dtype=torch.float32)[None, None]
    cos, sin = module(x, positions, **more)
    return apply(x, x, cos, sin)[0][0, 0].numpy()


def test_a_rotary_module_is_apply_rope():
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    query = RNG.normal(size=(50, 64))
    module = LlamaRotaryEmbedding(config("default", head_dim=64, rope_theta=500.0))
    got = turned_by(module, apply_rotary_pos_emb, query, torch.arange(50)[None])
    np.testing.assert_allclose(rope.apply_rope(query, np.arange(50), 500.0, layout="halves"), got, atol=3e-5)


def test_partial_rotation_is_gpt_neox_s():
    from transformers.models.gpt_neox import modeling_gpt_neox as neox

    settings = transformers.GPTNeoXConfig(hidden_size=4 * 96, num_attention_heads=4, rotary_pct=0.25)
    query = RNG.normal(size=(20, 96))
    got = turned_by(
        neox.GPTNeoXRotaryEmbedding(settings), neox.apply_rotary_pos_emb, query, torch.arange(20)[None]
    )
    ours = np.hstack([rope.apply_rope(query[:, :24], np.arange(20), layout="halves"), query[:, 24:]])
    np.testing.assert_allclose(ours, got, atol=1e-5)


def test_sections_are_qwen2_vl_s():
    from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen

    sections = [16, 24, 24]
    settings = transformers.Qwen2VLConfig(
        text_config={
            "hidden_size": 256,
            "num_attention_heads": 2,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": sections},
        }
    )
    query, positions = RNG.normal(size=(9, 128)), RNG.integers(0, 40, (9, 3))
    got = turned_by(
        qwen.Qwen2VLRotaryEmbedding(settings.text_config),
        qwen.apply_rotary_pos_emb,
        query,
        torch.tensor(positions.T.copy())[:, None],
    )
    ours = rope.apply_axial_rope(query, positions, np.repeat([0, 1, 2], sections), 1e6, layout="halves")
    np.testing.assert_allclose(ours, got, atol=3e-5)


def test_layers_of_llama_4_and_gemma_3():
    turning = transformers.Llama4TextConfig(num_hidden_layers=8).no_rope_layers  # 1 where RoPE is
    ours = rope.layer_frequencies(8, frequencies(4), np.zeros(2), every=4)
    assert [bool(row.any()) for row in ours] == [bool(one) for one in turning]
    from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding

    settings = transformers.Gemma3TextConfig(num_hidden_layers=12, head_dim=256)
    module = Gemma3RotaryEmbedding(settings)
    ours = rope.layer_frequencies(12, frequencies(256), frequencies(256, 1e6), every=6)
    for omega, kind in zip(ours, settings.layer_types, strict=True):
        close(omega, getattr(module, f"{kind}_inv_freq"))


def test_llama_4_s_steps():
    """Its attention has no function of them, so here are its defaults."""
    settings = transformers.Llama4TextConfig()
    positions = torch.arange(0, 50_000, 997)
    steps = torch.log1p(torch.floor((positions.float() + 1.0) / settings.floor_scale))
    close(context.stepped_scale(positions.numpy()), 1 + settings.attn_scale * steps)
    from transformers.models.ministral3.modeling_ministral3 import get_llama_4_attn_scale

    far = torch.arange(16_380, 16_390)
    theirs = get_llama_4_attn_scale(far[None], 0.1, 16_384).flatten()
    close(context.stepped_scale(far.numpy(), 16_384, start=0), theirs)


@pytest.mark.parametrize(("buckets", "furthest"), [(32, 128), (16, 50)])
@pytest.mark.parametrize("causal", [True, False])
def test_buckets_are_t5_s(buckets, furthest, causal):
    from transformers.models.t5.modeling_t5 import T5Attention

    offsets = torch.arange(-200, 201)
    want = T5Attention._relative_position_bucket(offsets, not causal, buckets, furthest)
    assert biases.t5_bucket(offsets.numpy(), buckets, furthest, causal=causal).tolist() == want.tolist()


@pytest.mark.parametrize("heads", [8, 12, 112])
def test_slopes_are_bloom_s(heads):
    """A row of BLOOM's bias is slope times the key's position: less the query's term, which softmax drops."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    rows = build_alibi_tensor(torch.ones(1, 6), heads, torch.float32)[:, 0].numpy()
    for row, slope in zip(rows, biases.alibi_slopes(heads), strict=True):
        close(biases.alibi_bias(6, slope)[5], row - row[5])


@pytest.mark.parametrize(
    ("model", "pairs"), [("llama", "halves"), ("cohere", "neighbors"), ("glm", "neighbors")]
)
def test_a_function_s_name_does_not_tell_the_layout(model, pairs):
    """`rotate_half` of three models of the library: entry 0 goes where its partner was."""
    module = importlib.import_module(f"transformers.models.{model}.modeling_{model}")
    first = torch.zeros(8)
    first[0] = 1
    assert int(module.rotate_half(first).argmax()) == {"halves": 4, "neighbors": 1}[pairs]
