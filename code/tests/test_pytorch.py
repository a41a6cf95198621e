"""The PyTorch module against posenc, the formulation usually published, and the ways models use it.

Needs torch: `make test-torch` brings it; without it these tests are skipped.
"""

import copy
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import record_torch
from record_torch import usual_table

from posenc import positional_encoding
from posenc.precision import rounded
from posenc.pytorch import PositionalEncoding

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


def test_compile():
    encode = PositionalEncoding(16, dropout=0.0, max_len=8)
    compiled = torch.compile(encode, backend="eager")
    for length in (3, 8, 20):  # the last one makes the table grow
        x = torch.randn(2, length, 16)
        torch.testing.assert_close(compiled(x), PositionalEncoding(16, dropout=0.0)(x))


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
