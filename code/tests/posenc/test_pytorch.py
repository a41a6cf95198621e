"""The PyTorch module against posenc, the formulation usually published, and the ways models use it.

Needs torch: `make test WITH=torch MARK=torch` brings it; without it these tests are skipped.
"""

import copy
import json
import math
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import record_torch
from record_torch import usual_table

from posenc import positional_encoding
from posenc.positions import multimodal_positions, section_axes, token_positions
from posenc.precision import rounded
from posenc.pytorch import PositionalEncoding, RotaryEmbedding
from posenc.rope import apply_axial_rope, apply_rope
from posread.config import from_config

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]


def zeros(length, d_model, dtype=torch.float32, batch=1):
    return torch.zeros(batch, length, d_model, dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_are_the_nearest_of_their_dtype(dtype):
    encode = PositionalEncoding(64, dropout=0.0).to(dtype)
    got = encode(zeros(300, 64, dtype))[0]
    expected = torch.from_numpy(positional_encoding(np.arange(300), 64))
    assert got.dtype == dtype
    if dtype == torch.float64:
        assert (got - expected).abs().max() < 1e-13
    else:
        # Nearest, up to the last bit of the float64 value that is rounded.
        error = (got.double() - expected).abs()
        assert (error <= torch.finfo(dtype).eps / 2 * expected.abs() + torch.finfo(dtype).tiny + 1e-13).all()


def test_the_usual_formulation_agrees_and_is_less_exact():
    exact = torch.from_numpy(positional_encoding(np.arange(5000), 512))
    ours = PositionalEncoding(512, dropout=0.0)(zeros(5000, 512))[0].double()
    usual = usual_table(5000, 512).double()
    assert (usual - ours).abs().max() < 1e-3
    assert (ours - exact).abs().max() < 1e-7 < (usual - exact).abs().max()


@pytest.mark.parametrize("batch_first", [True, False])
def test_adds_to_each_row_of_the_batch(batch_first):
    x = torch.randn(3, 7, 8) if batch_first else torch.randn(7, 3, 8)
    y = PositionalEncoding(8, dropout=0.0, batch_first=batch_first)(x)
    encoding = torch.from_numpy(positional_encoding(np.arange(7), 8)).float()
    for row in range(3):
        part = row if batch_first else (slice(None), row)
        torch.testing.assert_close(y[part], x[part] + encoding)


def test_no_parameters_and_nothing_saved():
    encode = PositionalEncoding(8)
    assert not list(encode.parameters())
    assert encode.state_dict() == {}
    other = PositionalEncoding(8, max_len=3)
    other.load_state_dict(encode.state_dict(), strict=True)
    assert torch.equal(encode.eval()(zeros(9, 8)), other.eval()(zeros(9, 8)))


def test_grows_when_a_longer_input_comes():
    encode = PositionalEncoding(8, dropout=0.0, max_len=4)
    assert len(encode.table) == 4
    long = encode(zeros(50, 8))
    assert torch.equal(long, PositionalEncoding(8, dropout=0.0, max_len=50)(zeros(50, 8)))
    assert len(encode.table) >= 50
    assert PositionalEncoding(8, dropout=0.0, max_len=0)(zeros(3, 8)).shape == (1, 3, 8)


def test_a_round_trip_through_half_precision_loses_nothing():
    encode = PositionalEncoding(32, dropout=0.0)
    before = encode.table.clone()
    encode.to(torch.bfloat16)
    assert encode.table.dtype == torch.bfloat16
    encode.to(torch.float32)
    assert torch.equal(encode.table, before)


def test_meta_device_and_copies():
    assert PositionalEncoding(8).to("meta").table.is_meta
    encode = PositionalEncoding(8, dropout=0.0)
    assert torch.equal(copy.deepcopy(encode)(zeros(4, 8)), encode(zeros(4, 8)))


def test_gradient_flows_unchanged_through_the_sum():
    x = torch.randn(2, 5, 8, requires_grad=True)
    PositionalEncoding(8, dropout=0.0)(x).sum().backward()
    assert torch.equal(x.grad, torch.ones_like(x))


def test_dropout_acts_on_the_sum_and_only_in_training():
    torch.manual_seed(0)
    encode = PositionalEncoding(64, dropout=0.5)
    y = encode(torch.ones(1, 200, 64) * 3)
    assert 0.4 < (y == 0).float().mean() < 0.6
    encode.eval()
    assert (encode(torch.ones(1, 200, 64) * 3) != 0).all()


def test_autocast():
    layer, encode = torch.nn.Linear(16, 16), PositionalEncoding(16, dropout=0.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        h = layer(torch.randn(2, 5, 16))
        assert h.dtype == torch.bfloat16
        assert encode(h).dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"d_model": 7}, ValueError, "d_model must be an even integer >= 2, got 7"),
        ({"d_model": 8.0}, TypeError, "d_model"),
        ({"d_model": 8, "max_len": -1}, ValueError, "max_len must be an integer from 0"),
        ({"d_model": 8, "max_len": 2.5}, TypeError, "max_len"),
        ({"d_model": 8, "base": 1.0}, ValueError, "base must be a finite real number > 1"),
        ({"d_model": 8, "dropout": 1.5}, ValueError, "dropout"),
    ],
)
def test_bad_parameters(arguments, error, message):
    with pytest.raises(error, match=message):
        PositionalEncoding(**arguments)


@pytest.mark.parametrize("shape", [(8,), (5, 8), (2, 5, 7), (1, 2, 5, 8)])
def test_bad_shape(shape):
    with pytest.raises(ValueError, match=r"x must have shape \(batch, length, 8\), got"):
        PositionalEncoding(8)(torch.zeros(shape))


def test_indices_are_not_embeddings():
    with pytest.raises(TypeError, match="floating"):
        PositionalEncoding(8)(torch.zeros(1, 2, 8, dtype=torch.long))


def exact(positions, d_model=16):
    return torch.from_numpy(positional_encoding(np.asarray(positions), d_model)).float()


def test_positions_and_offsets_of_the_encoding():
    encode = PositionalEncoding(16, dropout=0.0, max_len=4)
    x = torch.randn(2, 5, 16)
    torch.testing.assert_close(encode(x, offset=9), x + exact(range(9, 14)))
    padded = token_positions([[0, 0, 1, 1, 1], [1, 1, 1, 1, 0]])
    torch.testing.assert_close(encode(x, torch.from_numpy(padded)), x + exact(padded))
    torch.testing.assert_close(encode(x, torch.from_numpy(padded), 300), x + exact(padded + 300))
    torch.testing.assert_close(encode(x, torch.tensor([[7], [900]])), x + exact([[7], [900]]))
    assert len(encode.table) >= 901
    tokens_first = PositionalEncoding(16, dropout=0.0, batch_first=False)
    y = torch.randn(5, 2, 16)
    torch.testing.assert_close(tokens_first(y, torch.from_numpy(padded.T.copy())), y + exact(padded.T))
    torch.testing.assert_close(tokens_first(y, offset=3), y + exact(range(3, 8))[:, None])


@pytest.mark.parametrize("module", [PositionalEncoding(16, dropout=0.0), RotaryEmbedding(16)])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"positions": torch.zeros(3, dtype=torch.long)}, ValueError, "positions must broadcast"),
        ({"positions": torch.zeros(4, 2, 5, dtype=torch.long)}, ValueError, "positions must broadcast"),
        ({"positions": torch.tensor([-1])}, ValueError, "positions must be at least 0, got -1"),
        ({"positions": torch.ones(5, dtype=torch.bool)}, TypeError, "positions must be a tensor"),
        ({"positions": [0, 1, 2, 3, 4]}, TypeError, "positions must be a tensor"),
        ({"offset": -1}, ValueError, "offset must be an integer from 0"),
        ({"offset": 1.5}, TypeError, "offset must be an integer from 0"),
    ],
)
def test_bad_positions(module, arguments, error, message):
    with pytest.raises(error, match=message):
        module(torch.zeros(2, 5, 16), **arguments)


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("rotary_dim", [None, 4])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rope_is_the_function_s(layout, rotary_dim, dtype):
    turn, size = RotaryEmbedding(16, rotary_dim, 500.0, layout=layout, max_len=2), rotary_dim or 16
    x = torch.randn(2, 3, 40, 16, dtype=dtype)

    def expected(positions):
        rows = x.double().numpy()
        turned = apply_rope(rows[..., :size], positions, 500.0, layout=layout)
        return np.concatenate([turned, rows[..., size:]], axis=-1)

    close = {torch.float64: 1e-6, torch.float32: 1e-5, torch.bfloat16: 0.03, torch.float16: 0.004}[dtype]
    for arguments, positions in (
        ({}, np.arange(40)),
        ({"offset": 700}, np.arange(700, 740)),
        ({"positions": torch.arange(40)[None, None] * 3}, 3 * np.arange(40)),
        ({"positions": torch.arange(80).reshape(2, 1, 40)}, np.arange(80).reshape(2, 1, 40)),
        ({"positions": torch.linspace(-3, 5, 40, dtype=torch.float64), "offset": 2}, np.linspace(-1, 7, 40)),
    ):
        got = turn(x, **arguments)
        assert got.dtype == dtype
        np.testing.assert_allclose(got.double().numpy(), expected(positions), atol=close)


def test_rope_token_by_token_is_rope_at_once():
    turn = RotaryEmbedding(16, max_len=1)
    x = torch.randn(1, 4, 50, 16)
    one_by_one = torch.cat([turn(x[:, :, i : i + 1], offset=i) for i in range(50)], dim=2)
    assert torch.equal(one_by_one, RotaryEmbedding(16)(x))


def test_rope_is_exact_at_two_million_and_after_half_precision():
    turn = RotaryEmbedding(128, base=5e5).half()
    assert turn.table.dtype == torch.float32  # what is turned is rounded to half precision, once
    turn = turn.float()
    x, far = torch.randn(1, 128), torch.tensor([2_000_000.0], dtype=torch.float64)
    expected = apply_rope(x.numpy(), [2_000_000], 5e5)
    np.testing.assert_allclose(turn(x, far).numpy(), expected, atol=1e-5)
    np.testing.assert_allclose(turn(x, offset=2_000_000).numpy(), expected, atol=1e-5)
    with torch.device("meta"):
        empty = RotaryEmbedding(16)
    y = torch.randn(3, 16)
    assert torch.equal(empty.to_empty(device="cpu")(y), RotaryEmbedding(16)(y))
    assert empty.state_dict() == {}


@pytest.mark.parametrize("interleaved", [True, False])
def test_multimodal_rope_is_the_function_s(interleaved):
    axes = section_axes([4, 2, 2], interleaved=interleaved)
    turn = RotaryEmbedding(16, layout="halves", axes=axes)
    positions = multimodal_positions([3, (1, 2, 3), 2, (2, 2, 2), 1])
    x = torch.randn(2, 4, len(positions), 16)
    expected = apply_axial_rope(x.numpy(), positions, axes, 10_000, layout="halves")
    for given in (torch.from_numpy(positions), torch.from_numpy(positions).double()):
        np.testing.assert_allclose(turn(x, given).numpy(), expected, atol=1e-5)
    text = torch.arange(5)[:, None].expand(5, 3)
    plain = RotaryEmbedding(16, layout="halves")
    assert torch.equal(turn(x[..., :5, :], text), plain(x[..., :5, :]))


def test_rope_of_a_configuration_is_llama_s():
    """The module of the library transformers, for Llama 3.1's frequencies and YaRN's factor."""
    transformers = pytest.importorskip("transformers")
    from transformers.models.llama import modeling_llama as llama

    common = {"hidden_size": 256, "num_attention_heads": 4, "max_position_embeddings": 32_768}
    for block in (
        {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
        {"rope_type": "yarn", "factor": 8.0},
    ):
        config = common | {
            "rope_parameters": block | {"rope_theta": 1e4, "original_max_position_embeddings": 4096}
        }
        kind = from_config(config).kinds["all"]
        turn = RotaryEmbedding(kind.head_dim, omega=kind.omega, scale=kind.rotation_factor, layout="halves")
        x = torch.randn(1, 4, 30, 64)
        module = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(**config))
        expected = llama.apply_rotary_pos_emb(x, x, *module(x, torch.arange(30)[None]))[0]
        torch.testing.assert_close(turn(x), expected, atol=2e-5, rtol=1e-5)


def test_multimodal_positions_are_qwen2_vl_s():
    """Text, images and text after them, as the library's own function numbers them."""
    pytest.importorskip("transformers")
    from transformers.models.qwen2_vl import configuration_qwen2_vl, modeling_qwen2_vl

    config = configuration_qwen2_vl.Qwen2VLConfig(text_config={"hidden_size": 8, "num_attention_heads": 1})
    parts = [5, (1, 2, 3), 4, (1, 4, 2), 2]
    kinds = np.concatenate([[0] * part if isinstance(part, int) else [1] * np.prod(part) for part in parts])
    grids = torch.tensor(
        [(t, 2 * h, 2 * w) for t, h, w in (part for part in parts if not isinstance(part, int))]
    )
    model = modeling_qwen2_vl.Qwen2VLModel.__new__(modeling_qwen2_vl.Qwen2VLModel)
    torch.nn.Module.__init__(model)
    model.config = config
    ids = torch.zeros(1, len(kinds), dtype=torch.long)
    expected, _ = model.get_rope_index(ids, torch.tensor(kinds[None]), image_grid_thw=grids)
    np.testing.assert_array_equal(multimodal_positions(parts), expected[:, 0].T.numpy())


MODULES = {
    "encoding": (lambda: PositionalEncoding(16, dropout=0.0).eval(), (2, 7, 16)),
    "RoPE": (lambda: RotaryEmbedding(16, 8, layout="halves").eval(), (2, 3, 7, 16)),
}


@pytest.mark.parametrize("name", MODULES)
def test_compiled_with_positions(name):
    make, shape = MODULES[name]
    module = make()
    compiled = torch.compile(module, backend="eager")
    for length, offset in ((7, 0), (5, 3), (9, 6000)):
        x = torch.randn(*shape[:-2], length, 16)
        positions = torch.arange(length).flip(0)
        torch.testing.assert_close(compiled(x, offset=offset), make()(x, offset=offset))
        torch.testing.assert_close(compiled(x, positions, offset), make()(x, positions, offset))


@pytest.mark.parametrize("name", MODULES)
def test_exported_for_any_length(name):
    make, shape = MODULES[name]
    module, length = make(), torch.export.Dim("length", min=2, max=1024)
    where = {len(shape) - 2: length}
    plain = torch.export.export(module, (torch.randn(shape),), dynamic_shapes=({**where},)).module()
    told = torch.export.export(
        module, (torch.randn(shape), torch.arange(7)), dynamic_shapes=({**where}, {0: length})
    ).module()
    for n in (7, 300):
        x, positions = torch.randn(*shape[:-2], n, 16), torch.arange(n) + 4
        torch.testing.assert_close(plain(x), module(x))
        torch.testing.assert_close(told(x, positions), module(x, positions))
    with pytest.raises(RuntimeError, match="positions must be at least 0"):
        told(x, positions - 5)


@pytest.mark.parametrize("name", MODULES)
def test_in_onnx(name, tmp_path):
    for needed in ("onnx", "onnxscript"):
        pytest.importorskip(needed)
    runtime = pytest.importorskip("onnxruntime")
    make, shape = MODULES[name]
    module, path = make(), tmp_path / "module.onnx"
    length = torch.export.Dim("length", min=2, max=1024)
    torch.onnx.export(
        module,
        (torch.randn(shape), torch.arange(7)),
        path,
        input_names=["x", "positions"],
        dynamic_shapes=({len(shape) - 2: length}, {0: length}),
        dynamo=True,
        verbose=False,
    )
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for n in (7, 300):
        x, positions = torch.randn(*shape[:-2], n, 16), torch.arange(n) + 4
        (got,) = session.run(None, {"x": x.numpy(), "positions": positions.numpy()})
        np.testing.assert_allclose(got, module(x, positions).numpy(), atol=1e-6)


@pytest.mark.parametrize("module", [PositionalEncoding(16, dropout=0.0), RotaryEmbedding(16)])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_narrow_whole_positions_are_positions(module, dtype):
    """An index of uint8 is a mask to PyTorch, and 126 + 4 is too much for int8."""
    x = torch.randn(2, 5, 16)
    wide = module(x, torch.arange(5), offset=126)
    torch.testing.assert_close(module(x, torch.arange(5).to(dtype), offset=126), wide)


@pytest.mark.parametrize("module", [PositionalEncoding(16, dropout=0.0), RotaryEmbedding(16)])
def test_a_table_that_would_not_fit_is_refused_by_name(module):
    with pytest.raises(ValueError, match="positions and offset must stay below"):
        module(torch.zeros(1, 2, 16), torch.tensor([0, 2**40]))
    with pytest.raises(ValueError, match="positions and offset must stay below"):
        module(torch.zeros(1, 2, 16), offset=2**40)
    with pytest.raises(ValueError, match="max_len"):
        type(module)(16, max_len=2**40)


def test_no_position_makes_a_nan():
    for value in (math.nan, math.inf):
        with pytest.raises(ValueError, match="positions must be finite"):
            RotaryEmbedding(16)(torch.zeros(2, 16), torch.tensor([0.0, value]))
    far = RotaryEmbedding(16)(torch.ones(1, 16), torch.tensor([2.0**40], dtype=torch.float64))
    assert far.isfinite().all()


@pytest.mark.parametrize("module", [PositionalEncoding, RotaryEmbedding])
def test_a_table_that_grew_without_gradients_can_be_trained_with(module):
    made = module(16, max_len=1)
    with torch.inference_mode():
        made(torch.zeros(1, 8, 16))
    x = torch.randn(1, 8, 16, requires_grad=True)
    made(x).sum().backward()
    assert x.grad.isfinite().all()


def test_numpy_functions_take_tensors_as_they_are():
    """With gradients, in bfloat16, of no axes; and a complex one is refused by name."""
    grad = torch.tensor([0.0, 1.5], requires_grad=True)
    np.testing.assert_array_equal(positional_encoding(grad, 8), positional_encoding([0, 1.5], 8))
    half = torch.tensor([0.0, 1.5], dtype=torch.bfloat16)
    np.testing.assert_array_equal(positional_encoding(half, 8), positional_encoding([0, 1.5], 8))
    np.testing.assert_array_equal(
        positional_encoding(torch.tensor(3), torch.tensor(8), torch.tensor(100.0)),
        positional_encoding(3, 8, 100),
    )
    np.testing.assert_array_equal(token_positions(torch.tensor([False, True, True])), [0, 0, 1])
    for wrong in (torch.tensor([1j]), torch.ones(2, dtype=torch.bool), torch.zeros(2, device="meta")):
        with pytest.raises(TypeError, match="positions must be real numbers"):
            positional_encoding(wrong, 8)


def same(recorded, now):
    """Texts and counts are equal; measured numbers agree to a thousandth: processors round differently."""
    if isinstance(recorded, dict):
        return recorded.keys() == now.keys() and all(same(recorded[name], now[name]) for name in recorded)
    return recorded == pytest.approx(now, rel=1e-3) if isinstance(recorded, float) else recorded == now


def test_the_chapter_shows_what_this_run_gives():
    assert same(json.loads(record_torch.RECORD.read_text()), record_torch.record())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_numpy_rounds_to_narrow_types_as_torch_does(dtype):
    values = np.append(np.random.default_rng(0).normal(0, 300, 5000), np.arange(5000))
    expected = torch.from_numpy(values).to(dtype).double().numpy()
    np.testing.assert_array_equal(rounded(values, str(dtype).removeprefix("torch.")), expected)


def kind_of(**more):
    """Layers of one kind, as a configuration of Llama's has them, with some keys more."""
    keys = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    return from_config({**keys, "rope_theta": 500_000.0, "max_position_embeddings": 128, **more}).kinds["all"]


@pytest.mark.parametrize(
    "more",
    [{}, {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}}],
)
def test_a_module_is_made_of_what_a_configuration_says(more):
    kind = kind_of(**more)
    module = RotaryEmbedding.from_rope(kind)
    x = torch.randn(2, 4, 9, 16, dtype=torch.float64)
    want = apply_rope(x.numpy(), np.arange(9), omega=kind.omega, layout=kind.layout) * kind.rotation_factor
    np.testing.assert_allclose(module.double()(x).numpy(), want, atol=1e-9)


def test_the_last_entries_of_a_head_turn_where_a_configuration_says_so():
    kind = replace(kind_of(), head_dim=24, place="last")
    module = RotaryEmbedding.from_rope(kind).double()
    x = torch.randn(5, 24, dtype=torch.float64)
    turned = module(x)
    assert torch.equal(turned[:, :8], x[:, :8])
    want = apply_rope(x.numpy()[:, 8:], np.arange(5), omega=kind.omega, layout=kind.layout)
    np.testing.assert_allclose(turned.numpy()[:, 8:], want, atol=1e-9)
    assert "begin=8" in repr(module)


def test_what_is_no_kind_or_has_no_layout_is_refused():
    with pytest.raises(TypeError, match="kind must be a LayerRope"):
        RotaryEmbedding.from_rope({"rope_theta": 1e4})
    with pytest.raises(ValueError, match="layout must be given"):
        RotaryEmbedding.from_rope(replace(kind_of(), layout=None))


def test_a_rotation_shows_what_it_turns_by():
    assert "base=500000" in repr(RotaryEmbedding(8, base=500_000))
    assert "base=10000" in repr(RotaryEmbedding(8))
    assert "scale=1.5" in repr(RotaryEmbedding(8, scale=1.5, omega=[1.0, 0.1, 0.01, 0.001]))
    assert "axes=2" in repr(RotaryEmbedding(8, axes=[0, 0, 1, 1]))
    with pytest.raises(TypeError, match="either base or omega"):
        RotaryEmbedding(8, base=10_000, omega=[1.0, 0.1, 0.01, 0.001])


def test_lines_of_a_batch_are_not_taken_for_those_of_heads():
    module, x = RotaryEmbedding(8), torch.ones(4, 4, 6, 8)
    with pytest.raises(ValueError, match=r"positions\[:, None\]"):
        module(x, torch.arange(24).reshape(4, 6))
    assert module(x, torch.arange(24).reshape(4, 1, 6)).shape == x.shape
    with pytest.raises(ValueError, match="a last axis of 2 coordinates"):
        RotaryEmbedding(8, axes=[0, 0, 1, 1])(x, torch.zeros(6, 3, dtype=torch.long))


@pytest.mark.parametrize(
    ("module", "shape"), [(RotaryEmbedding(8), (6, 8)), (PositionalEncoding(8, 0.0), (1, 6, 8))]
)
def test_an_offset_is_checked_when_compiled(module, shape):
    compiled = torch.compile(module, backend="eager")
    with pytest.raises(Exception, match="offset"):
        compiled(torch.ones(shape), offset=-2)


def test_a_table_on_the_meta_device_is_filled_in_when_it_is_used():
    with torch.device("meta"):
        module = RotaryEmbedding(8)
    x = torch.randn(5, 8)
    torch.testing.assert_close(module(x), RotaryEmbedding(8)(x))
