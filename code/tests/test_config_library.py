"""The recorded configurations against a fresh run of the library transformers, if it is installed.

`make test-torch` brings it; without it these tests are skipped.
"""

import contextlib
import copy
import itertools
import json
import re

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import record_configs
import test_config
from huggingface_hub.errors import StrictDataclassFieldValidationError
from transformers import CONFIG_MAPPING

from posread import config, from_config

ENTRIES = {entry["name"]: entry for entry in json.loads(record_configs.RECORD.read_text())["configurations"]}


def close(recorded, now):
    """Nine digits were recorded, of numbers in float32."""
    if isinstance(recorded, dict):
        return recorded.keys() == now.keys() and all(close(recorded[key], now[key]) for key in recorded)
    return recorded == pytest.approx(now, rel=1e-6)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_record_is_what_the_library_computes(name):
    assert close(ENTRIES[name]["library"], record_configs.library(ENTRIES[name]["config"]))


#: Of these the library has a class, which reads the keys as they are here.
READ = ("OLMo 3", "ModernBERT", "Qwen3-Next", "LFM2", "Bamba", "EXAONE 4", "Trinity", "Llama 3.2 for images")


@pytest.mark.parametrize("name", READ)
def test_layers_are_those_of_the_library(name):
    given = test_config.LAYERS[name][0] | (
        {"sliding_window_pattern": 4} if name == "EXAONE 4" else {}
    )  # its class takes the period
    ours, theirs = from_config(copy.deepcopy(given)), record_configs.library(given)
    theirs.pop("no_rope_layers", None)
    assert theirs.keys() == ours.kinds.keys()
    for kind, expected in theirs.items():
        np.testing.assert_allclose(ours.kinds[kind].omega, expected["frequencies"]["any"], rtol=3e-6)
        assert ours.kinds[kind].rotation_factor == pytest.approx(expected["rotation_factor"])
    made = CONFIG_MAPPING[given["model_type"]](
        **{key: value for key, value in copy.deepcopy(given).items() if key != "model_type"}
    )
    types = getattr(made, "layer_types", None)
    if types and name not in ("EXAONE 4", "Trinity"):  # whose layers of full attention do not turn
        assert [("full" in one or "sliding" in one) for one in types] == [
            one is not None for one in ours.layers
        ]
        if len(ours.kinds) > 1:
            assert list(types) == list(ours.layers)


def made_from_nothing():
    """Each type of model with RoPE that the library makes without being told anything, and its bases."""
    for model, made in CONFIG_MAPPING.items():
        with contextlib.suppress(
            ImportError, OSError, StrictDataclassFieldValidationError, TypeError, ValueError
        ):
            block = getattr(made(), "rope_parameters", None)
            if isinstance(block, dict) and block:
                yield model, block


def test_bases_that_are_left_out_are_those_of_the_library():
    wrong, seen = {}, 0
    for model, block in made_from_nothing():
        flat = "rope_theta" in block
        given = {"model_type": model, "head_dim": 128, "hidden_size": 1024, "num_attention_heads": 8}
        if flat:  # so that what has no key about RoPE is read, too
            given["rope_parameters"] = {"rope_type": "default"}
        with contextlib.suppress(ValueError):  # no RoPE, or blocks by type of layer are wanted
            ours = {name: kind.base for name, kind in from_config(given).kinds.items()}
            theirs = (
                {"all": block["rope_theta"]} if flat else {n: one["rope_theta"] for n, one in block.items()}
            )
            seen += 1
            if set(ours.values()) != set(theirs.values()) or not (flat or ours == theirs):
                wrong[model] = ours, theirs
    assert seen > 150
    assert not wrong


@pytest.mark.parametrize("model", ["granite_swa", "granitemoe_swa"])
def test_the_base_of_each_layer_goes_before_the_block_s(model):
    """By the frequencies that the library's model turns each layer with."""
    given = {
        "num_hidden_layers": 3,
        "hidden_size": 64,
        "intermediate_size": 64,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "vocab_size": 8,
        "layer_rope_theta": [1e4, 0, 5e6],
        "layer_types": ["full_attention"] * 3,
    }
    made = CONFIG_MAPPING[model](**copy.deepcopy(given))
    module = record_configs.modeling(type(made))
    theirs = next(value for key, value in vars(module).items() if re.fullmatch(r"Granite\w*SWAModel", key))(
        made
    )
    read = from_config(given | {"model_type": model})
    assert [one is not None for one in read.layers] == [bool(one) for one in made.layer_rope_theta]
    for own, rotary in zip(read.kinds.values(), theirs.rotary_embs, strict=True):
        np.testing.assert_allclose(own.omega, rotary.inv_freq.numpy(), rtol=3e-6)


def partner_of_the_first(module, made):
    """The entry that a quarter turn brings to the first place, by the function that the model calls."""
    torch = pytest.importorskip("torch")
    names = {name for name in vars(module) if re.fullmatch(r"apply_rotary(_pos)?_emb(_interleave)?", name)}
    if "apply_rotary_pos_emb_interleave" in names:  # the other is for the indexer, or where the key says so
        names = {"apply_rotary_pos_emb" + "_interleave" * getattr(made, "rope_interleave", True)}
    vector, found = torch.arange(1.0, 9.0).reshape(1, 1, 1, 8), set()
    for width in (8, 4):  # of the table; a shorter one is half of it, or makes the rest rest
        quarter = torch.zeros(1, 1, width), torch.ones(1, 1, width)
        for name, count, order in itertools.product(sorted(names), (2, 1), (quarter, quarter[::-1])):
            with contextlib.suppress(AttributeError, IndexError, RuntimeError, TypeError):
                turned = getattr(module, name)(*(vector.clone() for _ in range(count)), *order)
                found.add(
                    abs(round(float((turned[0] if isinstance(turned, tuple) else turned).flatten()[0])))
                )
        if found := found - {1}:  # which is there if sines were taken for cosines
            return found
    for name in ("rotate_half", "rotate_every_two"):
        if hasattr(module, name):
            found.add(abs(round(float(getattr(module, name)(vector).flatten()[0]))))
    return found


@pytest.mark.parametrize("model", ["afmoe", "cohere2", "exaone4", "exaone_moe"])
def test_windows_that_are_left_out_are_those_of_the_library(model):
    """Its attention turns in layers with a window alone."""
    given = test_config.heads(512, 4, 9)
    made = CONFIG_MAPPING[model](**given)
    assert made.sliding_window
    ours = from_config(given | {"model_type": model})
    assert [one is not None for one in ours.layers] == [
        one == "sliding_attention" for one in made.layer_types
    ]


@pytest.mark.parametrize("model", sorted(config._TYPES["interleaved"] | config._TYPES["halves"]))
def test_layouts_are_those_of_the_library(model):
    """By what its own function makes of a vector in which each entry is its own number."""
    if model not in CONFIG_MAPPING:
        pytest.skip("the library has no class of this name")
    module = record_configs.modeling(CONFIG_MAPPING[model])
    found = partner_of_the_first(module, CONFIG_MAPPING[model]())
    if not found:
        pytest.skip("its function takes other arguments")
    assert found == ({2} if model in config._TYPES["interleaved"] else {5})


def turning(model, fraction):
    """How many pairs turn in the library's model with a factor of partial rotation."""
    made = CONFIG_MAPPING[model]
    block = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": fraction}
    by_type = {one: dict(block) for one in getattr(made(), "layer_types", None) or ()}
    for blocks in (block, by_type):
        with contextlib.suppress(AttributeError, KeyError, TypeError, StrictDataclassFieldValidationError):
            rotary = record_configs.rotary_class(record_configs.modeling(made))(made(rope_parameters=blocks))
            return sum(len(value) for name, value in rotary.named_buffers() if "original" not in name)
    return None


@pytest.mark.parametrize("model", sorted(config._TYPES["interleaved"] | config._TYPES["halves"]))
def test_a_part_that_the_library_does_not_read_is_warned_of(model):
    given = {
        "model_type": model,
        "head_dim": 128,
        "hidden_size": 1024,
        "num_attention_heads": 8,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
    }
    with contextlib.suppress(ValueError):  # some want more keys
        read = from_config(given)
        warned = any("and turns all" in one for one in read.warnings)
        parts = any(one.rotary_dim < one.head_dim for one in read.kinds.values())
        assert warned == (parts and model not in config._TYPES["partial"])
    if model not in CONFIG_MAPPING:
        pytest.skip("the library has no class of this name")
    try:
        pairs = turning(model, 0.5)
    except IndexError:
        pytest.skip("it has no class for RoPE")
    if pairs is None or model in ("deepseek_v4",):
        pytest.skip("it is made of other blocks")
    assert (pairs == turning(model, 1.0)) == (model not in config._TYPES["partial"])


def test_the_rotary_dim_of_minimax_m3_is_warned_of():
    """The file that the library itself writes, whose factor is missing."""
    made = CONFIG_MAPPING["minimax_m3_vl_text"]()
    module = record_configs.modeling(type(made))
    assert 2 * len(module.MiniMaxM3VLRotaryEmbedding(made).inv_freq) == made.head_dim > made.rotary_dim
    assert any("and turns all" in one for one in from_config(json.loads(made.to_json_string())).warnings)


YARN = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32_768}
#: A block beside others, or in place of blocks by type of layer: what is given of it.
FLAT = {
    "the new key": {"rope_parameters": YARN},
    "the new key, a base beside it": {"rope_parameters": YARN, "rope_theta": 250_000.0},
    "the old key": {"rope_scaling": YARN},
    "the old key, a base beside it": {"rope_scaling": YARN, "rope_theta": 250_000.0},
    "both keys": {
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
        "rope_scaling": {"rope_type": "linear", "factor": 4.0},
    },
    "the old key beside blocks by type": {
        "rope_parameters": {
            "full_attention": {"rope_type": "default", "rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        },
        "rope_scaling": {"rope_type": "linear", "factor": 4.0},
    },
}


@pytest.mark.parametrize("given", FLAT)
@pytest.mark.parametrize(
    "model",
    [
        "cohere_compass_text",
        "diffusion_gemma_text",
        "gemma3_text",
        "gemma3n_text",
        "gemma4_text",
        "gemma4_unified_text",
        "laguna",
        "llama",
        "mellum",
        "modernbert",
        "modernbert-decoder",
        "neomme",
        "olmo3",
        "qwen3",
        "t5gemma2_text",
        "zaya",
    ],
)
def test_a_block_without_types_is_read_as_by_the_library(model, given):
    """What it scales, what it leaves alone with a warning, and what neither of the two can read."""
    made = {
        "model_type": model, "hidden_size": 512, "num_attention_heads": 4, "head_dim": 128,
        "num_hidden_layers": 6, "max_position_embeddings": 131_072,
    } | FLAT[given]  # fmt: skip
    try:
        theirs = record_configs.library(made)
    except Exception:  # of many kinds
        with pytest.raises(ValueError, match="block for each type of layer"):
            from_config(copy.deepcopy(made))
        return
    ours = from_config(copy.deepcopy(made))
    assert ours.kinds.keys() == theirs.keys()
    for kind, expected in theirs.items():
        np.testing.assert_allclose(ours.kinds[kind].omega, expected["frequencies"]["any"], rtol=3e-6)
        assert ours.kinds[kind].rotation_factor == pytest.approx(expected["rotation_factor"])
    if all(kind.rope_type == "default" for kind in ours.kinds.values()):
        assert any("default blocks" in warning for warning in ours.warnings)
        assert "rope_parameters.factor" in ours.unread


@pytest.mark.parametrize("size", [256, 384, 512])
def test_heads_layer_by_layer_are_those_of_the_library(size):
    """As its classes of version 5.18 write them: in `per_layer_config`, where they differ."""
    made = CONFIG_MAPPING["gemma4_text"](global_head_dim=size).to_dict()
    kinds = from_config(made).kinds
    theirs = record_configs.library(made)
    for kind, expected in theirs.items():
        np.testing.assert_allclose(kinds[kind].omega, expected["frequencies"]["any"], rtol=3e-6)
    assert len(kinds["full_attention"].omega) == size // 2
