"""The recorded configurations against a fresh run of the library transformers, if it is installed.

`make test WITH=torch MARK=torch` brings it; without it these tests are skipped.
"""

import contextlib
import copy
import json
import re

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import record_configs as record
import record_unlike
import test_config
from huggingface_hub.errors import StrictDataclassClassValidationError, StrictDataclassFieldValidationError
from transformers import CONFIG_MAPPING, configuration_utils

import posread.config.read
from posread import from_config
from posread.config.keys import read_data

ENTRIES = {entry["name"]: entry for entry in json.loads(record.PUBLISHED.read_text())["configurations"]}


def close(recorded, now):
    """Nine digits were recorded, of numbers in float32."""
    if isinstance(recorded, dict):
        return recorded.keys() == now.keys() and all(close(recorded[key], now[key]) for key in recorded)
    return recorded == pytest.approx(now, rel=1e-6)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_record_is_what_the_library_computes(name):
    assert close(ENTRIES[name]["library"], record.library(ENTRIES[name]["config"]))


#: Of these the library has a class, which reads the keys as they are here.
READ = ("OLMo 3", "ModernBERT", "Qwen3-Next", "LFM2", "Bamba", "EXAONE 4", "Trinity", "Llama 3.2 for images")


@pytest.mark.parametrize("name", READ)
def test_layers_are_those_of_the_library(name):
    given = test_config.LAYERS[name][0] | (
        {"sliding_window_pattern": 4} if name == "EXAONE 4" else {}
    )  # its class takes the period
    ours, theirs = from_config(copy.deepcopy(given)), record.library(given)
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
            ImportError,
            OSError,
            StrictDataclassClassValidationError,
            StrictDataclassFieldValidationError,
            TypeError,
            ValueError,
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
                {"all": block["rope_theta"]}
                if flat
                else {n: one["rope_theta"] for n, one in block.items() if one}
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
    module = record.modeling(type(made))
    theirs = next(value for key, value in vars(module).items() if re.fullmatch(r"Granite\w*SWAModel", key))(
        made
    )
    read = from_config(given | {"model_type": model})
    assert [one is not None for one in read.layers] == [bool(one) for one in made.layer_rope_theta]
    for own, rotary in zip(read.kinds.values(), theirs.rotary_embs, strict=True):
        np.testing.assert_allclose(own.omega, rotary.inv_freq.numpy(), rtol=3e-6)


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


RECORDED = json.loads(record.MODELS.read_text())
COMPUTED = json.loads(record.LIBRARY.read_text())


def test_the_records_are_of_this_version():
    """Else run `python code/tests/support/record_configs.py`, and look at what has changed."""
    import transformers

    assert {RECORDED["transformers"], COMPUTED["transformers"]} == {transformers.__version__}


@pytest.mark.parametrize("model", ["bert", "llava", "whisper"])
def test_a_type_without_rope_names_none_in_its_programs(model):
    assert (model in RECORDED["without"]) == record.is_without_rope(CONFIG_MAPPING[model])


@pytest.mark.parametrize(
    "model",
    [
        "cohere2_moe",
        "deepseek_v3",
        "flint",
        "gemma3_text",
        "gpt_neox",
        "kolibri1",
        "qwen2_vl_vision",
        "qwen3_omni_moe_talker_code_predictor",
        "recurrent_gemma",
        "smollm3",
    ],
)
def test_a_fresh_recording_is_the_record(model):
    """A few of the types, since all take minutes."""
    cls = CONFIG_MAPPING[model]
    tried = record.attempts(cls)
    fresh = {
        key: value for key, value in record.record_model(cls, tried).items() if record.USUAL.get(key) != value
    }
    assert record.short(fresh) == RECORDED["models"][model]
    results = COMPUTED["models"][model]["results"]
    assert tried.keys() == results.keys()
    for key, read in tried.items():
        for kind, one in read.items():
            line, factor = results[key][kind]
            np.testing.assert_allclose(COMPUTED["lines"][line], one["frequencies"], rtol=1e-6)
            assert factor == pytest.approx(one["rotation_factor"])


@pytest.mark.parametrize(
    "model", ["cohere2_moe", "falcon", "gemma3_text", "llama", "mixtral", "muse_spark_text"]
)
def test_a_fresh_comparison_is_the_record(model):
    """Else run `python code/tests/support/record_unlike.py`."""
    recorded = json.loads(record_unlike.UNLIKE.read_text())
    assert recorded["transformers"] == RECORDED["transformers"]
    assert record_unlike.record_unlike(CONFIG_MAPPING[model]) == recorded["models"].get(model, [])


#: Types of which the layers that turn are peculiar: what is given, and how many layers.
PECULIAR = {
    "cohere2_moe": {},
    "cohere2_moe, its first layers dense": {"first_k_dense_replace": 2},
    "recurrent_gemma": {},
    "flint": {},
    "kolibri1": {},
    "llama4_text": {},
    "smollm3": {},
    "qwen3_next": {},
}


@pytest.mark.parametrize("name", PECULIAR)
def test_layers_that_turn_are_those_of_the_library(name):
    """By the layers in which its function for RoPE is called, when its model is run."""
    model = name.partition(",")[0]
    cls = CONFIG_MAPPING[model]
    turning = record.spied_layers(cls, **PECULIAR[name])
    given = PECULIAR[name] | {"model_type": model, "num_hidden_layers": record.LAYERS, "head_dim": 64}
    if RECORDED["models"][model].get("order") == "not seen":
        given["layer_types"] = list(cls(num_hidden_layers=record.LAYERS).layer_types)
    assert [one is not None for one in from_config(given).layers] == turning


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
        theirs = record.library(made)
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
        assert "block-ignored" in {one.kind for one in ours.contradictions}
        assert "rope_parameters.factor" in ours.unread


@pytest.mark.parametrize("size", [256, 384, 512])
def test_heads_layer_by_layer_are_those_of_the_library(size):
    """As its classes write them: in `per_layer_config`, where they differ."""
    made = CONFIG_MAPPING["gemma4_text"](global_head_dim=size).to_dict()
    kinds = from_config(made).kinds
    theirs = record.library(made)
    for kind, expected in theirs.items():
        np.testing.assert_allclose(kinds[kind].omega, expected["frequencies"]["any"], rtol=3e-6)
    assert len(kinds["full_attention"].omega) == size // 2


def test_a_part_without_a_type_is_of_the_library_s_own():
    for model, own in read_data("library.json")["parts"].items():
        made = CONFIG_MAPPING[model]()
        parts = [getattr(made, key, None) for key in posread.config.read._PARTS]
        assert own in [getattr(part, "model_type", None) for part in parts], model


def test_types_of_layers_are_those_that_the_library_lets_pass():
    def passes(name):
        try:
            CONFIG_MAPPING["llama"].from_dict({"num_hidden_layers": 2, "layer_types": [name] * 2})
        except StrictDataclassClassValidationError:
            return False
        return True

    names = read_data("library.json")["layer_types"]
    assert [name for name in names if not passes(name)] == []
    others = set(configuration_utils.ALLOWED_LAYER_TYPES) - set(names)
    assert [name for name in others if passes(name)] == []
