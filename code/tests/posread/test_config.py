"""Published configurations against what the library transformers computed, and what is wrong in others.

The record of the library is tests/data/rope_configs.json; test_config_library.py holds it against a fresh
run.
"""

import ast
import copy
import inspect
import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
import record_configs

import posenc
import posread
from posenc.rope import apply_axial_rope
from posread import __main__ as program
from posread.config import blocks, from_config, known_keys, layers, methods, read
from posread.config.given import records
from posread.config.methods import ROPE_TYPES

RECORD = json.loads(record_configs.PUBLISHED.read_text())
ENTRIES = {entry["name"]: entry for entry in RECORD["configurations"]}
PLAIN = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "num_hidden_layers": 4,
    "max_position_embeddings": 4096,
    "rope_theta": 10_000.0,
}

YARN = {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}


def scaled(**block):
    return PLAIN | {"rope_scaling": block}


def said(found):
    """The kinds of what is said of a configuration: contradictions, and notes."""
    return {one.kind for one in found.contradictions}, {one.kind for one in found.notes}


def only(config):
    """What is read of a configuration with one type of layer, and no warning."""
    found = from_config(config)
    assert found.warnings == []
    (kind,) = found.kinds.values()
    return kind


@pytest.mark.parametrize("name", ENTRIES)
def test_published_configurations_are_read_as_the_library_reads_them(name):
    entry = ENTRIES[name]
    found = from_config(copy.deepcopy(entry["config"]))
    kinds = {key: value for key, value in entry["library"].items() if key != "no_rope_layers"}
    assert set(kinds) == set(found.kinds)
    for key, expected in kinds.items():
        kind = found.kinds[key]
        for n, frequencies in expected["frequencies"].items():
            ours = kind.omega if n == "any" else kind.frequencies(int(n))
            np.testing.assert_allclose(ours, frequencies, rtol=3e-6)
        assert math.isclose(kind.rotation_factor, expected["rotation_factor"], rel_tol=1e-8)
        assert math.isclose(kind.score_factor, expected.get("score_factor", 1.0), rel_tol=1e-8)
    if mask := entry["library"].get("no_rope_layers"):
        assert [one is not None for one in found.layers] == [bool(one) for one in mask]
    assert found.unread == []


def imported_of_ours(path):
    """What a program imports of the book's packages, and the names that it takes of each module."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.setdefault(node.module, set()).update(one.name for one in node.names)
        elif isinstance(node, ast.Import):
            found |= {one.name: set() for one in node.names}
    ours = ("posenc", "posread", "wavebook", "bookext")
    return {module: names for module, names in found.items() if module.partition(".")[0] in ours}


def test_what_records_the_library_needs_nothing_of_ours_but_lists_of_keys():
    """Else what is recorded of the library would depend on how it is read here."""
    path = record_configs.CODE / "tests" / "support" / "record_configs.py"
    assert imported_of_ours(path) == {"posread.config.given": {"AT_TIMES", "READ"}}


#: What the library computed for all its types of models, methods, and ways to ask for a part of the entries.
LIBRARY = json.loads(record_configs.LIBRARY.read_text())
LINES = [np.array(one) for one in LIBRARY["lines"]]


def compare(model, entry, key, kinds):
    """Where `from_config` has other frequencies or factors than the library, and what it says."""
    method, part = key.split(", ")
    pairs = {kind: len(LINES[line]) for kind, (line, _) in kinds.items()} if method == "longrope" else {}
    default = records()[1][model].get("block", {})
    given = record_configs.given_for(default, method, part, entry["blocks"], pairs) | {"model_type": model}
    try:
        found = from_config(given)
    except ValueError as error:  # a refusal is no silence
        return str(error), {"refused"}
    remarks = set().union(*said(found))
    for kind, (line, factor) in kinds.items():
        ours, theirs = found.kinds.get(kind), LINES[line]
        if ours is None or not math.isclose(ours.rotation_factor, factor, rel_tol=1e-6):
            return kind, remarks
        omega = ours.omega
        if ours.rope_type == "axial" and len(theirs) < len(omega):  # those of one axis
            omega = omega[: len(theirs)] if ours.axes is None else omega[ours.axes == 0]
        if len(omega) != len(theirs) or not np.allclose(np.sort(omega), np.sort(theirs), rtol=3e-6, atol=0):
            return kind, remarks
    return None, remarks


@pytest.fixture(scope="module")
def compared():
    """For each type of models, method and part: where it differs, and what is said."""
    return {
        (model, *key.split(", ")): compare(model, entry, key, kinds)
        for model, entry in LIBRARY["models"].items()
        for key, kinds in entry["results"].items()
    }


@pytest.mark.slow
def test_every_difference_from_the_library_is_told(compared):
    different = {key: said for key, (where, said) in compared.items() if where is not None}
    assert len(LIBRARY["models"]) > 240
    assert len(compared) > 5000
    assert [
        key
        for key, said in different.items()
        if not said & {"odd", "model", "not-read", "not-recorded", "refused", "unlike"}
    ] == []
    assert len(different) < len(compared) / 50


@pytest.mark.slow
def test_a_part_that_the_library_does_not_read_is_told(compared):
    """Where as many pairs turn as without it, a contradiction says so, and elsewhere none does."""

    def pairs(model, method, part):
        kinds = LIBRARY["models"][model]["results"].get(f"{method}, {part}", {})
        return {kind: np.count_nonzero(LINES[line]) for kind, (line, _) in kinds.items()}

    tried = 0
    for (model, method, part), (_, said) in compared.items():
        if (
            part == "whole"
            or "refused" in said
            or "qk_rope_head_dim" in given_record(model).get("left_out", {})
        ):
            continue
        whole = pairs(model, method, "whole")
        if whole and method != "axial":
            tried += 1
            assert ("part-ignored" in said) == (whole == pairs(model, method, part)), (model, method, part)
    assert tried > 4000


def given_record(model):
    """What is recorded of a type of models."""
    return records()[1][model]


def test_the_record_has_enough_and_says_where_from():
    published = [one for one in ENTRIES.values() if not one["name"].startswith("transformers default")]
    assert len(published) >= 20
    assert all(one["source"] for one in ENTRIES.values())
    types = {kind.rope_type for one in ENTRIES.values() for kind in from_config(one["config"]).kinds.values()}
    assert types == set(ROPE_TYPES) - {"axial"}


def test_where_each_factor_acts():
    """The three of review: YaRN on cos and sin, DeepSeek-V3 on the softmax, Ministral 3 nowhere."""
    oss = from_config(ENTRIES["openai/gpt-oss-20b"]["config"]).kinds["all"]
    assert (oss.rotation_factor, oss.score_factor) == (0.1 * math.log(32) + 1, 1.0)
    deepseek = from_config(ENTRIES["deepseek-ai/DeepSeek-V3"]["config"]).kinds["all"]
    assert (deepseek.rotation_factor, deepseek.place) == (1.0, "last")
    assert math.isclose(deepseek.score_factor, (0.1 * math.log(40) + 1) ** 2)
    ministral = from_config(ENTRIES["transformers default: ministral3"]["config"])
    assert (ministral.kinds["all"].rotation_factor, ministral.kinds["all"].score_factor) == (1.0, 1.0)
    assert said(ministral) == (set(), {"scales-cancel"})
    assert ministral.kinds["all"].query_scale == (0.1, 16_384, 0)
    assert "floor(p / 16,384)" in str(ministral)
    llama = from_config(ENTRIES["meta-llama/Llama-4-Scout-17B-16E-Instruct"]["config"])
    assert all(kind.query_scale == (0.1, 8192, 1) for kind in llama.kinds.values())
    assert "floor((p + 1) / 8,192)" in str(llama)


def test_layers_and_places_of_published_models():
    gemma = from_config(ENTRIES["google/gemma-4-26B-A4B"]["config"])
    assert gemma.layers.count("full_attention") == 5
    assert (gemma.kinds["full_attention"].place, gemma.kinds["full_attention"].head_dim) == ("spread", 512)
    cohere = from_config(ENTRIES["transformers default: cohere2"]["config"])
    assert cohere.layers[:4] == ("all", "all", "all", None)  # no RoPE where attention is full
    qwen = from_config(ENTRIES["Qwen/Qwen3.5-27B"]["config"])
    assert qwen.layers[:4] == (None, None, None, "all")  # three of four layers are linear
    four = from_config(ENTRIES["deepseek-ai/DeepSeek-V4-Flash"]["config"])
    assert four.layers[:3] == ("main", "main", "compress")
    assert four.kinds["compress"].base == 160_000
    assert from_config(ENTRIES["zai-org/GLM-5"]["config"]).kinds["all"].layout == "interleaved"
    assert from_config(ENTRIES["openai/gpt-oss-20b"]["config"]).kinds["all"].layout == "halves"


@pytest.mark.parametrize(
    ("key", "value", "reads"),
    [
        ("rope_base", 5e5, None),
        ("rotary_emb_base", 5e5, "gpt_neox"),
        ("rope_ratio", 8, None),
        ("no_rope_layers", [1, 0, 1, 0], "smollm3"),
        ("no_rope_layer_interval", 2, "llama4_text"),
        ("layer_rope_theta", [1e4, 0, 1e4, 0], "granite_swa"),
        ("rope_local_base_freq", 1e5, "gemma3_text"),
    ],
)
def test_keys_that_the_library_passes_over_are_named(key, value, reads):
    """Llama's program reads none of these; they are taken at their word, and that is said."""
    plain = {name: one for name, one in PLAIN.items() if name != "rope_theta"}
    assert said(from_config(plain | {key: value}))[0] - {"no-block"} == {"passed-over"}
    if reads:
        assert "passed-over" not in said(from_config(plain | {"model_type": reads, key: value}))[0]
    unknown = from_config(plain | {"model_type": "own", key: value})
    assert "passed-over" not in said(unknown)[0]


def test_factors_of_two_lists_are_read_by_one_type():
    lists = {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "short_mscale": 1.2}
    given = PLAIN | {"original_max_position_embeddings": 1024, "rope_scaling": lists}
    assert said(from_config(given | {"model_type": "phi3"}))[0] == {"passed-over"}
    assert not said(from_config(given | {"model_type": "phimoe"}))[0]


@pytest.mark.parametrize("key", ["rope_theta", "rope_scaling", "rope_parameters"])
def test_what_stands_beside_the_part_that_is_read_is_named(key):
    value = 5e5 if key == "rope_theta" else {"rope_type": "linear", "factor": 4.0}
    found = from_config({"model_type": "llava", key: value, "text_config": PLAIN})
    assert [(one.kind, one.keys) for one in found.contradictions] == [("beside-part", (key,))]
    assert found.kinds["all"].rope_type == "default"
    assert not from_config({"model_type": "llava", "rope_theta": 10_000.0, "text_config": PLAIN}).warnings


@pytest.mark.parametrize(("model", "width"), [("qwen2_vl", "embed_dim"), ("qwen2_5_vl", "hidden_size")])
def test_the_part_for_images_has_the_name_of_the_whole(model, width):
    found = from_config({"model_type": model, "depth": 32, width: 1280, "num_heads": 16})
    assert (found.kinds["all"].rope_type, found.kinds["all"].base) == ("axial", 10_000)


def test_the_trained_length_is_told_taken_or_contradicted():
    lists = {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
    given = PLAIN | {"model_type": "phi3", "max_position_embeddings": 131_072, "rope_scaling": lists}
    assert from_config(given).kinds["all"].trained_length == 4096  # Phi3Config's own
    for block in (YARN, {"rope_type": "default"}):
        longer = PLAIN | {"rope_scaling": block, "original_max_position_embeddings": 8192}
        assert "lengths-differ" in said(from_config(longer))[0]


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"rope_scaling": {"type": "mrope", "mrope_section": "16,24,24"}}, "rope_scaling.mrope_section"),
        (
            {"rope_scaling": YARN | {"original_max_position_embeddings": 0}},
            "rope_scaling.original_max_position_embeddings",
        ),
        ({"model_type": ["llama"]}, "model_type"),
    ],
)
def test_an_error_names_the_whole_key(more, key):
    with pytest.raises((TypeError, ValueError), match=rf"^config\['{key}'\] must"):
        from_config(PLAIN | more)


@pytest.mark.parametrize("pattern", [0, ""])
def test_without_a_pattern_all_layers_are_full(pattern):
    gemma = PLAIN | {"model_type": "gemma3_text", "sliding_window_pattern": pattern}
    assert set(from_config(gemma).layers) == {"full_attention"}


def test_a_list_has_the_base_of_each_layer():
    """Granite's: zero is a layer without RoPE, and the block's method goes for all the others."""
    plain = PLAIN | {"model_type": "granite_swa"}
    block = {"rope_type": "linear", "factor": 2, "original_max_position_embeddings": 2048}
    given = plain | {"rope_scaling": block}
    read = from_config(given | {"layer_rope_theta": [1e4, 0, 5e6, None]})
    assert read.layers == ("base 10,000", None, "base 5,000,000", None)
    assert not read.warnings
    for name, base in (("base 10,000", 1e4), ("base 5,000,000", 5e6)):
        assert read.kinds[name].base == base
        np.testing.assert_allclose(read.kinds[name].omega, posenc.frequencies(64, base) / 2)
    assert from_config(plain | {"layer_rope_theta": []}).kinds.keys() == {"all"}
    short = from_config(plain | {"rope_theta": 5e6, "layer_rope_theta": [1e4]})
    assert said(short)[0] == {"layers-differ"}  # and rope_theta is the base of no layer
    with pytest.raises(ValueError, match="layer_rope_theta"):
        from_config(PLAIN | {"layer_rope_theta": [-1.0] * 4})


def test_axes_are_those_of_the_library_s_loop():
    """Qwen3-VL's interleaving as its program has it: overwrite time's pairs 1, 4, ... and 2, 5, ..."""
    kind = from_config(ENTRIES["Qwen/Qwen3-VL-32B-Instruct"]["config"]).kinds["all"]
    expected = np.zeros(64, dtype=int)
    for axis in (1, 2):
        for place in range(axis, kind.sections[axis] * 3, 3):
            expected[place] = axis
    np.testing.assert_array_equal(kind.axes, expected)
    bands = from_config(ENTRIES["Qwen/Qwen2.5-VL-7B-Instruct"]["config"]).kinds["all"]
    np.testing.assert_array_equal(bands.axes, [0] * 16 + [1] * 24 + [2] * 24)
    x, positions = np.ones((2, 128)), [[1, 2, 3], [4, 4, 4]]
    assert apply_axial_rope(x, positions, bands.axes, omega=bands.omega).shape == (2, 128)


def test_both_schemas_mean_the_same():
    block = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    old = only(scaled(**block))
    new = only(
        {k: v for k, v in PLAIN.items() if k != "rope_theta"}
        | {"rope_parameters": block | {"rope_theta": 1e4}}
    )
    np.testing.assert_array_equal(old.omega, new.omega)
    nested = from_config(
        PLAIN
        | {
            "layer_types": ["full_attention", "sliding_attention"] * 2,
            "rope_parameters": {"full_attention": block, "sliding_attention": None},
        }
    )
    assert nested.layers == ("full_attention", None) * 2
    np.testing.assert_array_equal(nested.kinds["full_attention"].omega, old.omega)


def test_a_file_and_its_folder(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(PLAIN))
    for given in (path, str(path), tmp_path, str(tmp_path)):
        np.testing.assert_array_equal(from_config(given).kinds["all"].omega, posenc.frequencies(64))


BARE = {key: value for key, value in PLAIN.items() if key != "rope_theta"}


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (scaled(rope_type="yarn", factor=2, original_max_position_embeddings=1024), "lengths-differ"),
        (scaled(rope_type="linear", type="dynamic", factor=2), "types-differ"),
        (scaled(rope_type="default", factor=2), "no-effect"),
        (scaled(rope_type="linear", factor=2, rope_theta=5e5), "no-effect"),
        (scaled(**YARN, mscale=0.7), "no-effect"),
        (scaled(**YARN, mscale=0.7, mscale_all_dim=1, attention_factor=1.2), "no-effect"),
        (scaled(**YARN) | {"original_max_position_embeddings": 2048}, "lengths-differ"),
        (scaled(rope_type="default", mrope_section=[16, 24, 24]), "sections-differ"),
        (PLAIN | {"model_type": "phi", "partial_rotary_factor": 0.5, "rotary_dim": 16}, "parts-differ"),
        (PLAIN | {"partial_rotary_factor": 0.5}, "part-ignored"),
        (scaled(rope_type="linear", factor=0.5), "faster"),
        (scaled(mrope_section=[8, 12, 12], interleaved=True) | {"model_type": "qwen2_vl_text"}, "no-effect"),
        (scaled(**YARN, beta_fast=1, beta_slow=32), "swapped"),
        (
            scaled(**YARN | {"rope_type": "llama3"}, low_freq_factor=4, high_freq_factor=1),
            "swapped",
        ),
        (PLAIN | {"rope_parameters": {"full_attention": YARN}}, "no-types"),
        (scaled(**YARN) | {"rotary_dim": 32}, "part-ignored"),
        (PLAIN | {"num_attention_heads": 7, "hidden_size": 450}, "no-multiple"),
        (PLAIN | {"no_rope_layers": [1, 0]}, "layers-differ"),
        (PLAIN | {"layer_types": ["full_attention"] * 3}, "layers-differ"),
        (scaled(type="linear", factor=3) | {"rope_parameters": {"factor": 2}}, "parameters-differ"),
        (PLAIN | {"model_type": "gemma3_text", "rope_parameters": YARN}, "block-ignored"),
        (PLAIN | {"layer_types": ["a_attention"] * 4, "rope_parameters": {"b_attention": {}}}, "no-block"),
        (PLAIN | {"layer_types": ["a_attention"] * 4, "rope_parameters": {"b_attention": {}}}, "no-layer"),
        (PLAIN | {"model_type": "x", "n_positions": 8192}, "names-differ"),
        (PLAIN | {"model_type": "phi", "head_dim": 80, "partial_rotary_factor": 0.3875}, "fails"),
        (PLAIN | {"model_type": "gptj", "rotary_dim": 31}, "fails"),
        (scaled(rope_type="linear", factor=2.0, partial_rotary_factor=0.5), "fails"),
        (PLAIN | {"model_type": "bert"}, "without-rope"),
        (PLAIN | {"model_type": "jamba"}, "without-rope"),
        (PLAIN | {"model_type": "modernbert", "rope_theta": 777.0}, "no-effect"),
        (PLAIN | {"model_type": "gpt_neox", "rope_theta": 777.0}, "no-effect"),
        (PLAIN | {"model_type": "gptj", "rope_theta": 777.0}, "no-effect"),
    ],
)  # fmt: skip
def test_contradictions_are_told(config, kind):
    found = from_config(config)
    assert kind in said(found)[0]
    assert all(one.keys and one.text.endswith(".") for one in found.contradictions)


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (scaled(rope_type="yarn", factor=1), "length-taken"),
        (BARE | {"model_type": "no_such_model", "rope_parameters": {"rope_type": "default"}}, "base-missing"),
        (PLAIN | {"model_type": "no_such_model"}, "unknown-type"),
        (PLAIN | {"model_type": None}, "unknown-type"),
        (PLAIN | {"model_type": "chatglm", "rope_theta": None, "rope_ratio": 50}, "ratio"),
        (PLAIN | {"model_type": "chatglm"}, "by-hand"),
        (PLAIN | {"model_type": "nemotron"}, "layers-not-seen"),
        (PLAIN | {"patch_size": 16}, "not-read"),
        (PLAIN | {"model_type": "glm"}, "part-missing"),
        (PLAIN | {"model_type": "gemma3_text", "rope_theta": 1e6}, "base-missing"),
        (PLAIN | {"head_dim": 42, "model_type": "glm4_moe", "partial_rotary_factor": 0.5}, "odd"),
    ],
)
def test_what_is_no_fault_is_a_note(config, kind):
    found = from_config(config)
    assert said(found)[0] == set()
    assert kind in said(found)[1]


@pytest.mark.parametrize("model", ["llama", "no_such_model", None])
def test_a_type_that_is_not_known_is_always_told(model):
    found = from_config(PLAIN | {"model_type": model})
    assert ("unknown-type" in said(found)[1]) == (model != "llama")
    assert found.library == RECORD["transformers"]
    assert f"transformers {found.library}" in str(found)


def test_unknown_keys_are_named():
    found = from_config(
        scaled(rope_type="linear", factor=2, stretch=3) | {"rope_wobble": 7, "hidden_act": "silu"}
    )
    assert found.unread == ["rope_scaling.stretch", "rope_wobble"]
    assert [one.keys for one in found.notes if one.kind == "unread"] == [
        ("rope_scaling.stretch",),
        ("rope_wobble",),
    ]
    assert found.contradictions == ()


@pytest.mark.parametrize(
    ("config", "error", "words"),
    [
        (7, TypeError, "config must be a mapping"),
        ({}, ValueError, "rope_theta"),
        ({"rope_theta": 10_000}, ValueError, "head_dim"),
        ({"model_type": "swin", "num_attention_heads": [3, 6, 12, 24]}, ValueError, "rope_theta"),
        ({"model_type": "bart", "d_model": 1024, "encoder_attention_heads": 16}, ValueError, "rope_theta"),
        ({"rope_theta": 1e4, "encoder_config": {"rope_theta": 1e4}}, ValueError, "encoder_config"),
        (PLAIN | {"qk_rope_head_dim": 0, "qk_nope_head_dim": 64}, ValueError, "qk_rope_head_dim"),
        (PLAIN | {"rope_theta": 0.5}, ValueError, "rope_theta"),
        (PLAIN | {"rope_theta": "10000"}, TypeError, "rope_theta"),
        (PLAIN | {"rope_theta": 10**400}, ValueError, "rope_theta"),
        (PLAIN | {"hidden_size": math.nan}, ValueError, "hidden_size"),
        (PLAIN | {"rope_scaling": "linear"}, TypeError, "rope_scaling"),
        (scaled(rope_type="wave"), ValueError, "rope_type.*'wave'"),
        (scaled(rope_type="Linear", factor=2), ValueError, "'proportional', in small letters, got 'Linear'"),
        (scaled(rope_type=["yarn"]), ValueError, "rope_type"),
        (scaled(rope_type="linear"), ValueError, "factor"),
        (scaled(rope_type="linear", factor=0), ValueError, "factor"),
        (scaled(rope_type="dynamic", factor=0.5), ValueError, "factor"),
        (
            scaled(type="longrope", factor=2, short_factor=[1], long_factor=[1] * 32),
            ValueError,
            "short_factor",
        ),
        (PLAIN | {"model_type": "baichuan", "alibi": True}, ValueError, "alibi"),
        (
            scaled(
                rope_type="longrope", short_factor=[1] * 32, long_factor=[1] * 32,
                original_max_position_embeddings=64,
            ) | {"max_position_embeddings": None},
            ValueError,
            "max_position_embeddings",
        ),
        (
            scaled(**YARN | {"rope_type": "llama3"}, low_freq_factor=0, high_freq_factor=4),
            ValueError,
            "low_freq_factor",
        ),
        (
            scaled(
                rope_type="longrope", factor=2.0, short_factor=[1] * 32, long_factor=[1] * 32,
                original_max_position_embeddings=1,
            ),
            ValueError,
            "original_max_position_embeddings",
        ),
        (PLAIN | {"cross_attention_layers": "all"}, TypeError, "cross_attention_layers"),
        (PLAIN | {"model_type": "lfm2", "full_attn_idxs": [-1]}, ValueError, "full_attn_idxs"),
        (PLAIN | {"rope_theta": None, "rope_ratio": "much"}, TypeError, "rope_ratio"),
        (PLAIN | {"partial_rotary_factor": 2}, ValueError, "partial_rotary_factor"),
        ({"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128, "axes_dims_rope": [16, 56, 56]},
         ValueError, "diffusers"),
        (PLAIN | {"model_type": "wav2vec2-bert", "position_embeddings_type": "relative_key"},
         ValueError, "position_embeddings_type is 'relative_key', not 'rotary'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_its_key(config, error, words):
    with pytest.raises(error, match=words):
        from_config(config)


def test_the_configuration_is_left_as_it_is():
    for entry in ENTRIES.values():
        before = copy.deepcopy(entry["config"])
        from_config(entry["config"])
        assert entry["config"] == before


def run(capsys, *arguments):
    code = program.main(list(arguments))
    return code, capsys.readouterr().out


def test_the_program_says_what_a_model_will_do(tmp_path, capsys):
    for entry in ENTRIES.values():
        path = tmp_path / "config.json"
        path.write_text(json.dumps(entry["config"]))
        code, said = run(capsys, "config", str(path))
        found = from_config(entry["config"])
        assert code == bool(found.contradictions)
        assert all(len(line) <= 100 for line in said.splitlines())
        for kind in found.kinds.values():
            assert f"{kind.base:,.10g}" in said
            assert f"{2 * math.pi / kind.omega[kind.omega > 0].min():,.0f}" in said
        code, said = run(capsys, "config", str(path), "--json")
        told = json.loads(said)
        for key in ("notes", "contradictions"):
            assert [one["text"] for one in told[key]] == [one.text for one in getattr(found, key)]
        assert told["library"] == found.library
        for name, kind in found.kinds.items():
            np.testing.assert_array_equal(told["kinds"][name]["omega"], kind.omega)


def test_turns_are_counted_as_they_were_made_in_training():
    """By the frequencies of the base: of Llama 3.1's head the last 29 of 64 pairs, as its chapter counts."""
    llama = ENTRIES["meta-llama/Meta-Llama-3.1-8B"]["config"]
    turns = [8192 / (2 * math.pi * 500_000 ** (2 * i / 128)) for i in range(64)]
    never = sum(one < 1 for one in turns)
    assert f"{never} of 64 pairs never complete a turn in the trained length, before slowing" in str(
        from_config(llama)
    )
    assert never == 29
    stretched = PLAIN | {
        "rope_scaling": {"rope_type": "linear", "factor": 4.0, "original_max_position_embeddings": 4096}
    }
    plain = sum(4096 / (2 * math.pi * 10_000 ** (2 * i / 64)) < 1 for i in range(32))
    assert (
        f"{plain} of 32 pairs never complete a turn in the trained length\n" in str(from_config(PLAIN)) + "\n"
    )
    assert f"{plain} of 32 pairs never complete a turn in the trained length, before" in str(
        from_config(stretched)
    )


def test_a_length_that_is_only_a_limit_is_said_to_be_taken():
    told = {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768}}
    qwen = heads(4096, 32, 36, head_dim=128, model_type="qwen3") | {"max_position_embeddings": 40_960}
    assert from_config(qwen).kinds["all"].trained_taken
    assert "40,960 taken as trained, 40,960 at most" in str(from_config(qwen))
    assert not from_config(qwen | told).kinds["all"].trained_taken
    assert "context:     32,768 trained, " in str(from_config(qwen | told))
    dynamic = qwen | {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}
    assert from_config(dynamic).kinds["all"].trained_taken


def test_the_picture_puts_wavelengths_where_they_are():
    """A column is log10 of a position, read off the axis that is printed below."""
    from posread.config.report import AXIS, picture

    kind = only(PLAIN)
    *rows, axis, _ = picture(kind).splitlines()
    decades = max(int(word[3:]) for word in axis.split() if word.startswith("10^"))
    for row in rows:
        pair, drawn = int(row[5:9]), row[10:]
        wave = 2 * math.pi * 10_000 ** (2 * pair / 64)
        assert drawn.index("o") == round(math.log10(wave) / decades * (AXIS - 1))
        if "|" in drawn:
            assert drawn.index("|") == round(math.log10(4096) / decades * (AXIS - 1))


def test_what_cannot_be_read_has_its_own_exit_code(tmp_path, capsys):
    path = tmp_path / "config.json"
    for text in ("{", "[1]", json.dumps({"alibi": True})):
        path.write_text(text)
        assert run(capsys, "config", str(path))[0] == 2
    assert run(capsys, "config", str(tmp_path / "none.json"))[0] == 2


@pytest.mark.parametrize("model", ["gpt2", "bert", "opt", "t5", "mamba2", None])
def test_no_rope_is_read_where_no_key_tells_of_it(model):
    config = {"model_type": model, "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    with pytest.raises(ValueError, match="no key about RoPE"):
        from_config(config)
    assert from_config(config | {"rope_theta": 1e4}).kinds["all"].rotary_dim == 16
    with pytest.raises(ValueError, match="relative"):
        from_config(config | {"rotary_embedding_base": 10_000, "position_embeddings_type": "relative"})


def test_layers_of_deepseek_v4_by_their_attention():
    """As transformers 5 writes them: windows turn with the main base, compressed layers with the other."""
    types = ["heavily_compressed_attention", "compressed_sparse_attention", "sliding_attention"]
    block = {"rope_type": "default", "partial_rotary_factor": 0.125}
    found = from_config(
        {
            "model_type": "deepseek_v4", "head_dim": 512, "qk_rope_head_dim": 64, "layer_types": types,
            "num_hidden_layers": 3, "compress_rope_theta": 160_000.0, "rope_theta": 10_000.0,
            "max_position_embeddings": 4096,
            "rope_parameters": {
                "main": block | {"rope_theta": 10_000.0}, "compress": block | {"rope_theta": 160_000.0},
            },
        }
    )  # fmt: skip
    assert found.layers == ("compress", "compress", "main")
    assert found.warnings == []


def test_a_configuration_for_images_is_not_taken_for_one_of_text():
    image = PLAIN | {"patch_size": 16}
    assert said(from_config(image))[1] == {"not-read"}
    assert from_config(image | {"vocab_size": 100}).warnings == []
    assert "not-read" in said(from_config(PLAIN | {"model_type": "some_vision_model"}))[1]


#: As their published files, or the library transformers 5.18, have them; sizes of a head by hand.
MOONSHINE = {
    "model_type": "moonshine",
    "hidden_size": 288,
    "encoder_num_hidden_layers": 6,
    "decoder_num_hidden_layers": 6,
    "encoder_num_attention_heads": 8,
    "decoder_num_attention_heads": 8,
    "max_position_embeddings": 194,
    "partial_rotary_factor": 0.9,
    "rope_theta": 10_000.0,
}
DBRX = {
    "model_type": "dbrx",
    "d_model": 6144,
    "n_heads": 48,
    "n_layers": 40,
    "max_seq_len": 32_768,
    "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "rope_theta": 500_000},
}
EFFICIENT_LOFTR = {
    "model_type": "efficientloftr",
    "hidden_size": 256,
    "num_attention_heads": 8,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 4.0},
}
ERNIE = PLAIN | {
    "model_type": "ernie4_5_vl_moe_text",
    "hidden_size": 2560,
    "num_attention_heads": 20,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500_000.0, "mrope_section": [22, 22, 20]},
}


@pytest.mark.parametrize(
    ("config", "base", "head_dim", "rotary_dim", "layers"),
    [
        (MOONSHINE, 10_000, 36, 32, 6),
        (DBRX, 500_000, 128, 128, 40),
        (EFFICIENT_LOFTR, 10_000, 128, 128, None),
    ],
    ids=["moonshine", "dbrx", "efficientloftr"],
)
def test_names_of_their_own_are_read(config, base, head_dim, rotary_dim, layers):
    found = from_config(config)
    kind = found.kinds["all"]
    assert (kind.base, kind.head_dim, kind.rotary_dim) == (base, head_dim, rotary_dim)
    assert kind.omega == pytest.approx([base ** (-2 * i / rotary_dim) for i in range(rotary_dim // 2)])
    assert (len(found.layers) if found.layers else None) == layers


def heads(hidden_size, count, layers, **more):
    return {
        "hidden_size": hidden_size,
        "num_attention_heads": count,
        "num_hidden_layers": layers,
        "rope_theta": 10_000.0,
        **more,
    }


GEMMA_4 = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    "full_attention": {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25},
}

#: Keys as published configurations have them; by hand the base, the entries that turn and the type, and which
#: layers turn: None is a layer without RoPE. test_config_library.py asks the library where it has a class.
LAYERS = {
    "OLMo 3": (
        heads(
            4096, 32, 4, model_type="olmo3", max_position_embeddings=65_536, sliding_window=4096,
            rope_theta=500_000, rope_scaling=YARN | {"factor": 8.0, "original_max_position_embeddings": 8192},
        ),
        {"sliding_attention": (500_000, 128, "default"), "full_attention": (500_000, 128, "yarn")},
        [*["sliding_attention"] * 3, "full_attention"],
    ),
    "ModernBERT": (
        {
            "model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 5,
            "global_attn_every_n_layers": 3, "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0,
            "max_position_embeddings": 8192, "position_embedding_type": "absolute",
        },
        {"full_attention": (160_000, 64, "default"), "sliding_attention": (10_000, 64, "default")},
        ["full_attention", *["sliding_attention"] * 2, "full_attention", "sliding_attention"],
    ),
    "Qwen3-Next": (
        heads(
            2048, 16, 8, model_type="qwen3_next", head_dim=256, rope_theta=1e7, partial_rotary_factor=0.25,
            full_attention_interval=4,
        ),
        {"all": (1e7, 64, "default")},
        [*[None] * 3, "all"] * 2,
    ),
    "Gemma 4, without the size of its global heads": (
        {
            "model_type": "gemma4_text", "head_dim": 256, "num_hidden_layers": 2,
            "layer_types": ["sliding_attention", "full_attention"],
            "rope_parameters": GEMMA_4,
        },
        {"sliding_attention": (1e4, 256, "default"), "full_attention": (1e6, 128, "proportional")},
        ["sliding_attention", "full_attention"],
    ),
    "Gemma 4, its heads layer by layer": (
        {
            "model_type": "gemma4_text", "head_dim": 256, "num_hidden_layers": 3,
            "per_layer_config": {"1": {"head_dim": 384}},
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": GEMMA_4,
        },
        {"sliding_attention": (1e4, 256, "default"), "full_attention": (1e6, 96, "proportional")},
        ["sliding_attention", "full_attention", "sliding_attention"],
    ),
    "Gemma 4, its heads alike": (
        {
            "model_type": "gemma4_text", "head_dim": 256, "num_hidden_layers": 2, "per_layer_config": {},
            "layer_types": ["sliding_attention", "full_attention"],
            "rope_parameters": GEMMA_4,
        },
        {"sliding_attention": (1e4, 256, "default"), "full_attention": (1e6, 64, "proportional")},
        ["sliding_attention", "full_attention"],
    ),
    "LFM2": (
        heads(1024, 16, 6, model_type="lfm2", rope_theta=1e6, full_attn_idxs=[2, 5]),
        {"all": (1e6, 64, "default")},
        [None, None, "all", None, None, "all"],
    ),
    "Bamba": (
        heads(4096, 32, 4, model_type="bamba", attn_layer_indices=[1], attn_rotary_emb=64),
        {"all": (10_000, 64, "default")},
        [None, "all", None, None],
    ),
    "Llama 3.2 for images": (
        heads(4096, 32, 4, model_type="mllama_text_model", rope_theta=5e5, cross_attention_layers=[3]),
        {"all": (5e5, 128, "default")},
        ["all"] * 3 + [None],
    ),
    "Trinity": (
        heads(
            2048, 16, 4, model_type="afmoe", sliding_window=2048,
            layer_types=[*["sliding_attention"] * 3, "full_attention"],
        ),
        {"all": (10_000, 128, "default")},
        ["all"] * 3 + [None],
    ),
    "Trinity, its window and its pattern left out": (
        heads(2048, 16, 5, model_type="afmoe"),
        {"all": (10_000, 128, "default")},
        ["all", "all", "all", None, "all"],
    ),
    "Command R7B, its window and its pattern left out": (
        heads(4096, 32, 5, model_type="cohere2", rope_theta=50_000),
        {"all": (50_000, 128, "default")},
        ["all", "all", "all", None, "all"],
    ),
    "EXAONE 4 without a window": (
        heads(512, 4, 5, model_type="exaone4", sliding_window=None),
        {"all": (10_000, 128, "default")},
        ["all"] * 5,
    ),
    "EXAONE 4": (
        heads(
            512, 4, 6, model_type="exaone4", rope_theta=1e6, sliding_window=64, sliding_window_pattern="LLLG",
        ),
        {"all": (1e6, 128, "default")},
        ["all", "all", "all", None, "all", None],
    ),
    "MiniMax-01": (
        heads(512, 4, 4, model_type="minimax_text_01", rotary_dim=64, attn_type_list=[0, 0, 0, 1]),
        {"all": (10_000, 64, "default")},
        [None, None, None, "all"],
    ),
    "GLM-4, for a million tokens": (
        {
            "model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "num_layers": 2,
            "kv_channels": 128, "seq_length": 1_048_576, "original_rope": True, "rope_ratio": 10_000,
        },
        {"all": (1e8, 64, "default")},
        ["all"] * 2,
    ),
    "Phi-3 small": (
        heads(4096, 32, 2, model_type="phi3small", rope_embedding_base=1_000_000) | {"rope_theta": None},
        {"all": (1e6, 128, "default")},
        ["all"] * 2,
    ),
    "StableLM 3B": (
        heads(2560, 32, 2, model_type="stablelm_epoch", rope_pct=0.25),
        {"all": (10_000, 20, "default")},
        ["all"] * 2,
    ),
    "Nomic": (
        {
            "model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_layer": 2, "n_positions": 8192,
            "rotary_emb_base": 1000, "rotary_emb_fraction": 0.5, "rotary_emb_interleaved": False,
        },
        {"all": (1000, 64, "default")},  # the library does not read that fraction
        ["all"] * 2,
    ),
    "Qwen3-Omni": (
        {
            "model_type": "qwen3_omni_moe",
            "thinker_config": {"text_config": heads(2048, 16, 2, rope_theta=1e6)},
        },
        {"all": (1e6, 128, "default")},
        ["all"] * 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_published_kinds(name):
    config, kinds, layers = LAYERS[name]
    found = from_config(copy.deepcopy(config))
    assert {key: (kind.base, kind.rotary_dim, kind.rope_type) for key, kind in found.kinds.items()} == kinds
    assert list(found.layers) == layers
    assert found.unread == []


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (heads(1536, 12, 2, model_type="granitemoehybrid", position_embedding_type="nope"), "nope"),
        (
            heads(1536, 12, 2, model_type="granitemoehybrid"),
            "position_embedding_type is missing, so None, not 'rope'",
        ),
        (heads(1536, 12, 2, model_type="zamba2", use_mem_rope=False), "use_mem_rope"),
        (heads(512, 8, 2, model_type="mpt", attn_config={"alibi": True, "rope_theta": 1e4}), "alibi is true"),
        (heads(512, 8, 2, model_type="mpt", attn_config={"rope": False, "rope_theta": 1e4}), "rope=False"),
        ({"model_type": "x", "audio_config": {"rope_theta": 1e4}}, "audio_config"),
    ],
)
def test_a_model_that_turns_nothing_is_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


def test_lengths_under_other_names():
    first = heads(4096, 32, 2, model_type="qwen", seq_length=8192, max_position_embeddings=32_768)
    found = from_config(first | {"use_dynamic_ntk": True, "use_logn_attn": True})
    assert (found.kinds["all"].trained_length, found.kinds["all"].extended_length) == (8192, 32_768)
    assert found.unread == ["use_dynamic_ntk", "use_logn_attn"]
    nomic = from_config(LAYERS["Nomic"][0] | {"max_trained_positions": 2048})
    assert (nomic.kinds["all"].trained_length, nomic.kinds["all"].extended_length) == (2048, 8192)
    command = from_config(
        heads(512, 4, 2, model_type="cohere", max_position_embeddings=8192, model_max_length=131_072)
    )
    assert "names-differ" in said(command)[1]
    million = heads(512, 4, 2, max_position_embeddings=1_010_000)
    chunks = from_config(
        million
        | {"dual_chunk_attention_config": {"original_max_position_embeddings": 262_144, "chunk_size": 8}}
    )
    assert chunks.kinds["all"].trained_length == 262_144
    assert chunks.unread == ["dual_chunk_attention_config.chunk_size"]


def test_a_factor_that_is_the_same_at_all_lengths_is_not_said_to_follow_them():
    """Hunyuan's `alpha`, beside a dynamic factor."""
    alpha = scaled(rope_type="dynamic", alpha=1000.0, factor=1.0)
    assert "same at all lengths" in str(from_config(alpha | {"model_type": "hunyuan_v1_dense"}))
    llama = from_config(alpha)
    assert llama.unread == ["rope_scaling.alpha"]
    assert llama.kinds["all"].omega[-1] == from_config(PLAIN).kinds["all"].omega[-1]
    assert "follows the length" in str(from_config(scaled(rope_type="dynamic", factor=2.0)))


def test_what_is_turned_before_it_is_divided_into_heads_is_warned_of():
    assert "across-heads" in said(from_config(EFFICIENT_LOFTR))[1]
    with pytest.raises(ValueError, match="partial_rotary_factor"):
        from_config(EFFICIENT_LOFTR | {"model_type": "another"})


def test_rows_and_columns_take_the_fast_pairs_in_turn():
    """ERNIE, as transformers recomposes it: of 64 pairs 44 in turn, and then 20 of time."""
    kind = from_config(ERNIE).kinds["all"]
    np.testing.assert_array_equal(kind.axes, [1, 2] * 22 + [0] * 20)
    np.testing.assert_allclose(kind.omega, posenc.frequencies(128, 500_000))
    assert "axes" in said(from_config(ERNIE))[1]
    bands = from_config(ERNIE | {"model_type": "qwen2_vl_text"}).kinds["all"]
    np.testing.assert_array_equal(bands.axes, [0] * 22 + [1] * 22 + [2] * 20)


@pytest.mark.parametrize("base", [100.0, 10_000.0])
@pytest.mark.parametrize(
    "method", ["axial", "default"]
)  # an old file says "default", and the library knows better
def test_the_axial_type_has_the_frequencies_of_half_a_head_for_each_axis(base, method):
    """transformers, for the vision parts of GLM-4V, Qwen2-VL and others: base^(-2i / (head_dim / 2))."""
    vision = {
        "model_type": "glm4v_vision",
        "hidden_size": 1536,
        "num_heads": 12,
        "patch_size": 14,
        "rope_parameters": {"rope_type": method, "rope_theta": base},
    }
    found = from_config(vision)
    kind = found.kinds["all"]
    assert (kind.rope_type, kind.head_dim) == ("axial", 128)
    assert kind.omega == pytest.approx([base ** (-2 * i / 64) for i in range(32)] * 2)
    assert kind.axes.tolist() == [0] * 32 + [1] * 32
    assert said(found) == (set(), {"axes"})
    assert "32, 32 pairs for row, column, in bands" in str(found)
    assert apply_axial_rope(np.ones((1, 128)), [[3, 4]], kind.axes, omega=kind.omega).shape == (1, 128)


def test_each_axis_of_pixtral_has_every_second_frequency():
    """transformers: those of the whole head, the even ones for rows."""
    kind = from_config({"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16}).kinds["all"]
    whole = posenc.frequencies(64)
    np.testing.assert_allclose(kind.omega, [*whole[::2], *whole[1::2]])


@pytest.mark.parametrize(
    ("model", "places"), [("gemma4_vision", [1, 0]), ("llama4_vision_model", [1, 0]), ("dinov3_vit", [0, 1])]
)
def test_image_models_without_a_size_of_patches_have_axes(model, places):
    found = from_config(
        {"model_type": model, "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 100.0}
    )
    assert found.kinds["all"].axes[[0, -1]].tolist() == places
    assert "axes" in said(found)[1]


def asked_for() -> set[str]:
    """The keys that `posread.config` asks a configuration or a block for, read off its source."""
    found = set(read.COMMON).union(
        *methods.KEYS.values(), read._FRACTIONS, read._NAMES, layers._COUNTS, methods.LONGEST,
        record_configs.BASES,
        read.SWITCHES, read._TELLING, read._WIDTHS, read._HEADS,
    )  # fmt: skip
    found |= {name for keys, _ in layers.SCHEMES for name in keys}
    asking = {"given", "block", "given.config", "block.given"}
    for module in (blocks, layers, methods, read):
        for call in ast.walk(ast.parse(inspect.getsource(module))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            if call.func.attr in ("known", "get") and ast.unparse(call.func.value) in asking:
                texts = (one.value for one in call.args if isinstance(one, ast.Constant))
                found |= {text for text in texts if isinstance(text, str)}
    return found


def test_known_keys_are_those_that_are_read():
    """But for what says which model it is, and what tells a model for images."""
    listed = [name for key in known_keys() for name in key.names]
    assert len(listed) == len(set(listed))
    named = {
        "rope_scaling",
        "rope_parameters",
        "indexer_rope_interleave",
        "use_mrope",
        "attention_chunk_size",
    }
    assert set(listed) == asked_for() - {"model_type", "patch_size", "vocab_size", "attn_config"} | named | {
        "qk_head_dim"
    }
    assert all(key.meaning for key in known_keys())


def test_what_is_said_of_factors_is_what_a_configuration_has():
    config = ENTRIES["meta-llama/Meta-Llama-3.1-8B"]["config"]
    block = config["rope_scaling"]
    times = config["max_position_embeddings"] / block["original_max_position_embeddings"]
    (meaning,) = (key.meaning for key in known_keys() if key.names == ("factor",))
    assert f"Llama 3.1 has {block['factor']:g} for {times:g} times the length" in meaning


def test_calls_of_known_keys_name_what_there_is():
    """The function before the parenthesis is one of `posenc`, with these arguments."""
    modules = (posenc, posenc.context, posenc.rope, posenc.positions, posread)
    for key in known_keys():
        if key.call:
            call = ast.parse(key.call, mode="eval").body
            (function,) = {getattr(one, call.func.id) for one in modules if hasattr(one, call.func.id)}
            names = set(inspect.signature(function).parameters)
            assert {one.arg for one in call.keywords} <= names, key.call


def by_formula(d, base, factor, n, length):
    """The library's line for "dynamic": a base that grows with the length."""
    grown = base * (factor * n / length - (factor - 1)) ** (d / (d - 2))
    return [grown ** (-2 * i / d) for i in range(d // 2)]


@pytest.mark.parametrize("outside", [True, False])
def test_dynamic_takes_the_longest_length_for_the_trained_one(outside):
    block = {"rope_type": "dynamic", "factor": 2.0}
    key = {"original_max_position_embeddings": 1024}
    given = PLAIN | {"rope_scaling": block | ({} if outside else key)} | (key if outside else {})
    found = from_config(given)
    assert said(found)[0] == {"no-effect"}
    kind = found.kinds["all"]
    assert kind.trained_length == 4096
    for n in (6000, 8192, 16_384):
        np.testing.assert_allclose(kind.frequencies(n), by_formula(64, 10_000, 2, n, 4096), rtol=1e-12)
    np.testing.assert_allclose(kind.frequencies(4096), by_formula(64, 10_000, 2, 4096, 4096), rtol=1e-12)


LATENT = heads(7168, 128, 4, model_type="deepseek_v3", qk_rope_head_dim=64, qk_nope_head_dim=128)
PART = {"factor": 2.0, "partial_rotary_factor": 0.5}


@pytest.mark.parametrize(("method", "turning"), [("default", 64), ("linear", 32)], ids=["default", "linear"])
def test_a_fraction_of_the_part_that_turns_in_latent_attention(method, turning):
    """The library multiplies `qk_rope_head_dim` by it, with each method but the plain one."""
    found = from_config(LATENT | {"rope_parameters": PART | {"rope_type": method}})
    assert (found.kinds["all"].rotary_dim, found.kinds["all"].place) == (turning, "last")
    assert ("parts-differ" in said(found)[0]) == (turning == 32)


#: By hand, as transformers 5.24 runs them: test_config_library.py runs some. None is a layer without RoPE.
TURNING = {
    "Cohere's experts": (heads(512, 4, 8, model_type="cohere2_moe"), "1110 1110"),
    "Cohere's experts, the first layers dense": (
        heads(512, 4, 8, model_type="cohere2_moe", first_k_dense_replace=2),
        "11 1110 11",
    ),
    "RecurrentGemma": (
        heads(2560, 10, 6, model_type="recurrent_gemma", block_types=["recurrent", "recurrent", "attention"]),
        "001 001",
    ),
    "RecurrentGemma, without its blocks": (heads(2560, 10, 6, model_type="recurrent_gemma"), "001 001"),
    "Kolibri": (heads(512, 4, 6, model_type="kolibri1"), "11110 1"),
    "Flint": (
        heads(512, 4, 3, model_type="flint", layer_types=["full_attention", *["sliding_attention"] * 2]),
        "011",
    ),
    "a model of the same keys, not known": (
        heads(512, 4, 3, model_type="x", layer_types=["full_attention", *["sliding_attention"] * 2]),
        "111",
    ),
}


@pytest.mark.parametrize("name", TURNING)
def test_layers_that_turn(name):
    given, turning = TURNING[name]
    layers = from_config(given).layers
    assert [one is not None for one in layers] == [one == "1" for one in turning if one != " "]


@pytest.mark.parametrize(
    ("config", "size"),
    [
        (
            {
                "model_type": "colpali",
                "vlm_config": {"model_type": "paligemma", "text_config": {"model_type": "gemma"}},
            },
            256,
        ),
        ({"model_type": "dia", "decoder_config": {"model_type": "dia_decoder", "head_dim": 128}}, 128),
        ({"model_type": "t5gemma", "decoder": {"model_type": "t5_gemma_module", "head_dim": 256}}, 256),
    ],
    ids=["two levels", "decoder_config", "decoder"],
)
def test_parts_of_parts_are_found(config, size):
    assert {one.head_dim for one in from_config(config).kinds.values()} == {size}


def test_kimi_linear_has_no_rope():
    """Its class in transformers 5.24 turns nothing; `qk_rope_head_dim` is a name there."""
    kimi = {
        "model_type": "kimi_linear", "hidden_size": 2304, "num_attention_heads": 32, "num_hidden_layers": 8,
        "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
        "layer_types": ["linear_attention", "full_attention"] * 4,
    }  # fmt: skip
    found = from_config(kimi)
    assert found.layers == (None,) * 8
    assert said(found)[0] == {"without-rope"}
    assert said(from_config(kimi | {"mla_use_nope": True})) == (set(), {"without-rope"})
    assert found.kinds == {}


#: What transformers 5.24.0 computed: model type, the head and the fraction of it; how many frequencies, the
#: second and the last.
ODD = {
    "glm4_moe": (42, 0.5, 11, 0.41595619916915894, 0.0001550515735289082),
    "gpt_neox": (64, 0.33, 11, 0.41595619916915894, 0.0001550515735289082),
    "stablelm": (84, 0.25, 11, 0.41595619916915894, 0.0001550515735289082),
}


@pytest.mark.parametrize("model", ODD)
def test_an_odd_number_of_entries_is_rounded_up_as_the_library_does(model):
    head, fraction, pairs, second, last = ODD[model]
    key = "rotary_pct" if model == "gpt_neox" else "partial_rotary_factor"
    given = PLAIN | {"model_type": model, "head_dim": head, key: fraction}
    found = from_config(given)
    kind = found.kinds["all"]
    assert (kind.rotary_dim, kind.omega.shape) == (22, (pairs,))
    assert (kind.omega[1], kind.omega[-1]) == (pytest.approx(second, rel=1e-6), pytest.approx(last, rel=1e-6))
    assert said(found)[0] == ({"fails"} if model == "stablelm" else set())  # whose program then fails
    halved = from_config(given | {"rope_scaling": {"rope_type": "linear", "factor": 2.0}}).kinds["all"]
    np.testing.assert_allclose(halved.omega, kind.omega / 2, rtol=1e-12)
    scaled_by_turns = from_config(given | {"rope_scaling": YARN})
    assert "not-recorded" in said(scaled_by_turns)[1]


def test_clvp_turns_half_of_each_head():
    """Transformers 5.24.0 has 16 frequencies for its head of 64, the second of which is 0.5623."""
    clvp = {
        "model_type": "clvp_encoder", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 20,
        "projection_dim": 768, "use_rotary_embedding": True,
    }  # fmt: skip
    kind = from_config(clvp).kinds["all"]
    assert (kind.rotary_dim, kind.place, kind.omega.shape) == (32, "first", (16,))
    assert kind.omega[1] == pytest.approx(0.5623413324356079, rel=1e-6)
    with pytest.raises(ValueError, match="use_rotary_embedding"):
        from_config(clvp | {"use_rotary_embedding": False})


def test_a_chunk_is_a_known_key():
    assert from_config(PLAIN | {"attention_chunk_size": 8192}).unread == []
    assert any("attention_chunk_size" in one.names for one in known_keys())


def test_the_decoder_of_modernbert_has_the_two_bases_of_the_encoder():
    given = heads(768, 12, 6, model_type="modernbert-decoder", max_position_embeddings=8192)  # and rope_theta
    found = from_config(given)
    assert {name: kind.base for name, kind in found.kinds.items()} == {
        "full_attention": 160_000, "sliding_attention": 10_000
    }  # fmt: skip
    assert found.layers == ("full_attention", "sliding_attention", "sliding_attention") * 2


@pytest.mark.parametrize(
    "given", [[1], {"a": {}}, {"-1": {}}, {"0": 3}, {"0": {"head_dim": 1.5}}, {"0": {"head_dim": [2]}}]
)
def test_what_is_wrong_in_a_configuration_by_layers_is_named(given):
    with pytest.raises((TypeError, ValueError), match="per_layer_config"):
        from_config({"head_dim": 64, "rope_theta": 1e4, "per_layer_config": given})


def test_heads_of_two_sizes_in_one_type_of_layers_are_told():
    read = from_config(
        {"head_dim": 64, "rope_theta": 1e4, "num_hidden_layers": 2, "per_layer_config": {1: {"head_dim": 32}}}
    )
    assert "heads-differ" in said(read)[1]
    more = {"0": {"rope_theta": 1e6}}
    assert from_config({"head_dim": 64, "rope_theta": 1e4, "per_layer_config": more}).unread == [
        "per_layer_config.0.rope_theta"
    ]


LISTS = {"rope_type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
SMALL = {key: value for key, value in heads(256, 4, 6).items() if key != "rope_theta"}
BARE = {kind: {"rope_type": "default"} for kind in ("full_attention", "sliding_attention")}
#: What the library reads otherwise than the keys say, or fails at, by its own programs: (type, keys).
UNLIKE = {
    "the old name of a method": ("gemma3_text", {"rope_scaling": {"type": "linear", "factor": 8.0}}),
    "blocks without a base": ("olmo3", {"rope_parameters": BARE}),
    "a base beside such blocks": ("modernbert", {"rope_parameters": BARE, "rope_theta": 777.0}),
    "a block without a base": ("ministral3", {"rope_parameters": {"rope_type": "default"}}),
    "a size of heads": ("deepseek_ocr2_text", {"head_dim": 96, "rope_theta": 1e5}),
    "no size of heads": ("mixtral", {"rope_theta": 1e5, "rope_scaling": {"type": "dynamic", "factor": 2.0}}),
    "the old key": (
        "cohere2_moe", {"rope_theta": 1e5, "rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    ),
    "one block for all": ("deepseek_v4", {"rope_parameters": {"rope_type": "default", "rope_theta": 5e4}}),
    "a list of bases": ("muse_spark_text", {"layer_rope_theta": [5e5, 0.0] * 3, "rope_theta": 1e4}),
    "letters": ("exaone4", {"sliding_window_pattern": "LLLG", "rope_theta": 1e4}),
    "no window": ("cohere2", {"sliding_window": None, "rope_theta": 1e4}),
    "no head, and long lists": (
        "mixtral",
        {"rope_theta": 1e5, "max_position_embeddings": 8192, "rope_scaling": LISTS | {"factor": 4.0}},
    ),
    "a head that is null": (
        "blt",
        {"head_dim": None, "rope_theta": 1e5, "rope_scaling": {"type": "dynamic", "factor": 2.0}},
    ),
    "an empty block": ("gpt_oss", {"rope_theta": 1e5, "rope_scaling": {}}),
    "a base without blocks": ("ultrabert", {"rope_theta": 777.0}),
    "a block without sections": (
        "cosmos3_edge_text", {"rope_parameters": {"rope_type": "default", "rope_theta": 1e5}}
    ),
    "a length beside blocks": (
        "gemma3_text",
        {
            "original_max_position_embeddings": 1024,
            "rope_parameters": {
                "full_attention": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 1e6},
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            },
        },
    ),
    "no trained length": (
        "cohere2_moe", {"rope_parameters": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 5e4}}
    ),
    "blocks in the old key": (
        "neomme",
        {
            "rope_scaling": {
                "full_attention": {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 1e6},
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            }
        },
    ),
    "a size of heads of images": ("eomt_dinov3", {"head_dim": 128, "rope_theta": 100.0}),
    "a whole number as base": ("dinov3_vit", {"rope_theta": 100}),
    "blocks without a base, of which one is at rest": (
        "beam",
        {
            "rope_parameters": {"sliding_attention": {"rope_type": "default"}, "full_attention": None},
            "layer_types": ["sliding_attention"] * 5 + ["full_attention"],
        },
    ),
    "anything": ("dots3_note_audio_encoder", {"rope_theta": 1e5}),
    "blocks that are null": ("beam", {"rope_scaling": None, "rope_theta": 1e4}),
    "two keys at once": (
        "step3p5",
        {
            "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1e4}},
            "rope_scaling": {"rope_type": "linear", "factor": 4.0},
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLIKE)
def test_what_the_library_reads_otherwise_is_not_told_as_its_own(name):
    model, keys = UNLIKE[name]
    report = " ".join(str(from_config(SMALL | keys | {"model_type": model})).split())
    assert "by the file's own words; transformers" in report
    assert "otherwise, or fails." in report
    assert f"as model type {model!r} does" not in report


def test_phi_reads_yarn_as_longrope():
    factors = {"short_factor": [1.1] * 32, "long_factor": [2.0] * 32}
    keys = {"max_position_embeddings": 131_072, "original_max_position_embeddings": 4096, "rope_theta": 1e4}
    given = heads(256, 4, 2, model_type="phi3") | keys | {"rope_scaling": {"type": "yarn", **factors}}
    read = from_config(given)
    assert read.kinds["all"].rope_type == "longrope"
    assert [note.kind for note in (*read.contradictions, *read.notes)] == ["read-as"]


def test_a_base_inside_that_is_the_one_outside_is_no_contradiction():
    dbrx = {"model_type": "dbrx", "d_model": 256, "n_heads": 4, "n_layers": 2, "rope_theta": 5e5}
    assert not from_config(dbrx | {"attn_config": {"rope_theta": 5e5}}).contradictions
    assert from_config(dbrx | {"attn_config": {"rope_theta": 1e4}}).contradictions


def test_an_odd_head_is_one_that_the_library_refuses():
    read = from_config(SMALL | {"model_type": "llama", "head_dim": 63, "rope_theta": 1e4})
    assert [one.kind for one in read.contradictions] == ["refused"]


def test_a_head_by_division_that_is_odd_is_not_said_to_be_refused():
    """The library divides 640 by 7, and has 46 frequencies."""
    read = from_config(heads(640, 7, 2, model_type="qwen2"))
    assert said(read)[1] >= {"not-recorded"}
    assert "refuses" not in str(read)
    part = heads(256, 4, 2, model_type="ernie4_5_moe", head_dim=63, partial_rotary_factor=0.25)
    assert "refuses" not in str(from_config(part))


#: What the library does not take, or was not tried with: (type, keys, what is said, of which key).
UNTRIED = {
    "LongRoPE's old name": ("llama", {"rope_scaling": LISTS | {"rope_type": "su"}}, "refused", "type"),
    "that name, and the length beside": (
        "phi3",
        {"rope_scaling": LISTS | {"rope_type": "su"}, "original_max_position_embeddings": 1024},
        "refused",
        "type",
    ),
    "two axes of text": ("llama", {"rope_scaling": {"rope_type": "axial"}}, "refused", "rope_type"),
    "a name of Qwen2-VL's": ("qwen2", {"rope_scaling": {"type": "mrope"}}, "refused", "rope_type"),
    "a null for a length": (
        "phi3", {"original_max_position_embeddings": None}, "not-recorded", "original_max_position_embeddings"
    ),
    "a null for a base": ("modernbert", {"local_rope_theta": None}, "not-recorded", "local_rope_theta"),
    "a number for yes": (
        "llama4_text", {"attn_temperature_tuning": 4}, "refused", "attn_temperature_tuning"
    ),
    "a part of a head with a point": (
        "deepseek_v3", {"qk_rope_head_dim": 64.0}, "refused", "qk_rope_head_dim"
    ),
    "a window in quotes": ("mistral", {"sliding_window": "4096"}, "not-recorded", "sliding_window"),
    "a mask with points": ("smollm3", {"no_rope_layers": [1.0] * 8}, "not-recorded", "no_rope_layers"),
    "a null for a head": ("glm", {"head_dim": None}, "not-recorded", "head_dim"),
    "a null for dense layers": (
        "deepseek_v3", {"first_k_dense_replace": None}, "not-recorded", "first_k_dense_replace"
    ),
    "a null for a part": ("phi3", {"partial_rotary_factor": None}, "not-recorded", "partial_rotary_factor"),
    "a null beside blocks": ("olmo3", {"rope_theta": None}, "not-recorded", "rope_theta"),
    "a head that is computed": ("falcon", {"head_dim": 64}, "not-recorded", "head_dim"),
    "no window of the one type": ("modernbert", {"sliding_window": None}, "unlike", "model_type"),
    "no heads": ("neomme", {"num_attention_heads": 0}, "not-recorded", "num_attention_heads"),
    "a window below zero": ("kolibri1", {"sliding_window": -1}, "not-recorded", "sliding_window"),
    "a mask of zeros": ("smollm3", {"no_rope_layers": [0] * 8}, "nothing-turns", "model_type"),
    "a width that heads do not divide": (
        "llama", {"hidden_size": 257, "head_dim": 64}, "not-recorded", "hidden_size"
    ),
    "an empty list": ("smollm3", {"no_rope_layers": []}, "refused", "no_rope_layers"),
    "a period of zero": (
        "gemma3_text", {"sliding_window_pattern": 0}, "not-recorded", "sliding_window_pattern"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNTRIED)
def test_what_the_library_was_not_tried_with_is_named(name):
    model, keys, kind, key = UNTRIED[name]
    read = from_config(heads(256, 4, 8, model_type=model, max_position_embeddings=8192) | keys)
    assert "by the file's own words; transformers" in str(read)
    assert any(
        one.kind == kind and any(key in own for own in one.keys)
        for one in (*read.contradictions, *read.notes)
    )


@pytest.mark.parametrize(
    "key", ["rope_interleave", "rope_interleaved", "alibi", "original_rope", "use_mla", "use_mrope"]
)
def test_yes_and_no_in_quotes_are_refused(key):
    with pytest.raises(TypeError, match=f"'{key}'.* must be true or false"):
        from_config(heads(256, 4, 2, **{key: "False"}))
    with pytest.raises(TypeError, match=r"'attn_config\.rope'\] must be true or false"):
        from_config(heads(256, 4, 2, attn_config={"rope": "False"}))


def test_axes_are_dealt_as_the_type_deals_them():
    """Qwen3-VL in turn and Qwen2-VL in bands, whether or not a key says so, or how many there are."""
    new = heads(512, 4, 2, model_type="qwen3_vl_text", head_dim=128)
    assert from_config(new).kinds["all"].axes.tolist() == [*[0, 1, 2] * 20, 0, 0, 0, 0]
    old = from_config(heads(512, 4, 2, model_type="qwen2_vl_text", max_position_embeddings=4096))
    assert old.kinds["all"].axes.tolist() == [0] * 16 + [1] * 24 + [2] * 24
    assert said(old)[1] == {"sections-missing"}
    many = {"rope_type": "default", "mrope_section": [20, 20, 24]}
    assert from_config(new | {"rope_scaling": many}).kinds["all"].axes is None


def test_the_parts_of_a_model_are_paired_each_by_its_own_programs():
    """GLM-4V turns neighbors in text and halves in images."""
    vision = from_config({"model_type": "glm4v_vision", "hidden_size": 1536, "num_heads": 12, "depth": 24})
    text = from_config(heads(512, 4, 2, model_type="glm4v_text"))
    assert (vision.kinds["all"].layout, text.kinds["all"].layout) == ("halves", "interleaved")


def test_blocks_without_types_of_layers_are_not_said_to_be_of_none():
    """Qwen2's layers are all of one type, which its file need not name."""
    read = from_config(heads(512, 4, 2, model_type="qwen2", rope_parameters=BARE))
    assert "no-layer" not in said(read)[0]
    assert "No key tells which layers are of the types that have blocks." in " ".join(str(read).split())


def test_attention_that_is_not_latent_turns_whole_heads():
    """DeepSeek-OCR: no entries of latent attention, since it has none."""
    inner = heads(1280, 10, 12, qk_nope_head_dim=0, qk_rope_head_dim=0, use_mla=False)
    read = from_config({"model_type": "deepseek_vl_v2", "language_config": inner})
    assert read.kinds["all"].rotary_dim == 128
    plain = from_config(heads(512, 4, 2, model_type="llama", rope_type="linear", factor=8.0))
    assert plain.unread == ["factor", "rope_type"]
    null = from_config(heads(512, 4, 2, model_type="glm4", partial_rotary_factor=None))
    assert "not-recorded" in said(null)[1]


def test_a_linear_file_does_not_tell_which_length_it_has():
    given = heads(256, 4, 2, max_position_embeddings=4096, rope_scaling={"type": "linear", "factor": 4.0})
    assert "length not told, 4,096 or 16,384 at most" in str(from_config(given))
    told = given | {"original_max_position_embeddings": 1024}
    assert "1,024 trained, 4,096 at most" in str(from_config(told))


@pytest.mark.parametrize("method", ["linear", "dynamic", "llama3", "yarn"])
def test_the_scores_of_latent_attention_grow_with_any_method(method):
    """By `mscale_all_dim`, with the types whose programs name it."""
    block = YARN | {"rope_type": method, "mscale_all_dim": 1.0, "low_freq_factor": 1, "high_freq_factor": 4}
    given = heads(512, 4, 2, max_position_embeddings=4096, qk_rope_head_dim=64, qk_nope_head_dim=128)
    deepseek = from_config(given | {"model_type": "deepseek_v3", "rope_scaling": block})
    assert math.isclose(deepseek.kinds["all"].score_factor, (0.1 * math.log(4) + 1) ** 2)
    assert not [one for one in deepseek.unread if "all_dim" in one]
    other = from_config(given | {"model_type": "glm5_next_text", "rope_scaling": block})
    assert other.kinds["all"].score_factor == 1.0


def test_keys_around_a_part_are_of_the_model_s_own_rope_where_it_has_some():
    """MusicFlamingo turns by the times of sounds, too."""
    part = SMALL | {"model_type": "qwen2", "rope_theta": 1e6, "max_position_embeddings": 4096}
    given = {"text_config": part, "rope_theta": 1200.0}
    music = from_config(given | {"model_type": "musicflamingo"})
    assert (music.contradictions, [one.kind for one in music.notes]) == ((), ["not-recorded"])
    assert said(from_config(given | {"model_type": "llava"}))[0] == {"beside-part"}


def test_internlm_tells_its_base_in_a_block_of_its_own():
    given = heads(512, 4, 2, model_type="internlm", max_position_embeddings=2048)
    kind = from_config(given | {"rotary": {"base": 500_000, "type": "origin"}}).kinds["all"]
    assert (kind.base, kind.rope_type) == (500_000, "default")


def test_a_configuration_s_own_object_is_named_in_a_word():
    class Config(str.__class__):
        to_dict = None

    with pytest.raises(TypeError, match=r"got a \w+; its to_dict\(\) is one"):
        from_config(Config("Own", (), {}))


def test_a_name_that_the_terminal_has_no_letters_for_is_printed(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "mod\u00e8le", "head_dim": 64, "rope_theta": 1e4}', encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "posread", "config", str(path)],
        capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"}, cwd=record_configs.CODE,
    )  # fmt: skip
    assert ran.returncode == 0
    assert b"mod\\xe8le" in ran.stdout
    assert "'mo\\x1bdel'" in str(from_config({"model_type": "mo\x1bdel", "head_dim": 64, "rope_theta": 1e4}))


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ('1e4, "rope_theta": 5e5', r"'rope_theta' twice, as 10000\.0 and as 500000\.0"),
        ("NaN", r"rope_theta.*finite"),  # which is unlike itself, and there once
    ],
)
def test_what_is_wrong_with_a_base_in_a_file_is_named(tmp_path, base, words):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "llama", "head_dim": 64, "rope_theta": ' + base + "}")
    with pytest.raises(ValueError, match=words):
        from_config(path)


#: What the library runs, refuses or passes over: a file, what is told of it, and what is not.
AS_RUN = {
    "a README's YaRN with a shorter window": (
        scaled(**YARN) | {"model_type": "qwen3", "max_position_embeddings": 1280},
        ("by transformers", "factor 4 times 1,024 positions is 4,096"),
        ("! ",),
    ),
    "a number of heads that is left out": (
        {key: value for key, value in PLAIN.items() if key != "num_attention_heads"},
        ("all 16 entries", "num_attention_heads is missing: 32 is taken"),
        ("! ",),
    ),
    "types of layers that the library has not": (
        PLAIN | {"layer_types": ["local"] * 4},
        ("! layer_types has 'local', which transformers",),
        ("is not recorded",),
    ),
    "too few types of layers": (
        PLAIN | {"layer_types": ["full_attention"] * 3},
        ("3 entries for 4 layers (num_hidden_layers), which the library refuses",),
        ("layers:",),
    ),
    "a number for true": (
        PLAIN | {"model_type": "llama4_text", "head_dim": 64, "attn_temperature_tuning": 4},
        ("! attn_temperature_tuning has 4, which transformers",),
        ("is not recorded",),
    ),
    "parts of a head that the type does not know": (
        PLAIN | {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64},
        ("all 64 entries turn", "! transformers 5.24.0 does not read qk_rope_head_dim"),
        ("of 192",),
    ),
    "a list of ones": (
        PLAIN | {"model_type": "minimax_m2", "head_dim": 64, "attn_type_list": [1] * 4},
        ("by transformers", "layers: 4: 4 with RoPE"),
        ("- ",),
    ),
    "a list that the type does not know": (
        PLAIN | {"model_type": "minimax_m2", "head_dim": 64, "attn_type_list": [1, 0] * 2},
        ("layers: 4: 4 with RoPE", "attn_type_list, as told here, is not recorded"),
        (),
    ),
    "a part without a type": (
        {"model_type": "llava", "text_config": {k: v for k, v in PLAIN.items() if k != "model_type"}},
        ("type llama, by transformers", "pairs: halves", "'llama' is taken, as model type 'llava' does"),
        ("! ",),
    ),
    "Zamba2 without its list": (
        heads(2560, 32, 54, model_type="zamba2", use_mem_rope=True, rope_theta=1e4),
        ("45 without RoPE, 9 with RoPE", "does not read hybrid_layer_ids"),
        ("guessed",),
    ),
    "Zamba2 with fewer layers": (
        heads(2560, 32, 38, model_type="zamba2", use_mem_rope=True, rope_theta=1e4),
        ("! layers_block_type has 54 entries for 38 layers",),
        ("layers: 38",),
    ),
    "MPT has no RoPE": (
        {"model_type": "mpt", "d_model": 512, "n_heads": 8, "attn_config": {"rope": True, "rope_theta": 1e5}},
        ("! The attention of model type 'mpt' has no RoPE", "! MPT in transformers"),
        ("base:",),
    ),
    "a fraction beside blocks of Step 3.5": (
        PLAIN | {"model_type": "step3p5", "head_dim": 128, "partial_rotary_factor": 0.5},
        ("all 128 entries turn", "! 64 of 128 entries are to turn"),
        ("the first",),
    ),
    "a factor alone, of a type with YaRN": (
        heads(4096, 32, 4, model_type="mistral4", rope_theta=1e4, rope_scaling={"factor": 16.0}),
        ("with a block, the yarn of the type is not taken",),
        ("was not read",),
    ),
    "alpha is no factor": (
        scaled(type="dynamic", alpha=1000.0, factor=1.0) | {"model_type": "hunyuan_v1_dense", "head_dim": 64},
        ("alpha 1000",),
        ("factor 1000",),
    ),
}


@pytest.mark.parametrize("name", AS_RUN)
def test_what_the_library_does_is_told(name):
    given, there, gone = AS_RUN[name]
    text = " ".join(str(from_config(given)).split())
    assert [part for part in there if part not in text] == [], text
    assert [part for part in gone if part in text] == [], text


def test_a_second_part_is_named():
    llama = SMALL | {"model_type": "llama", "max_position_embeddings": 4096}
    parts = {"text_config": llama | {"rope_theta": 1e4}, "llm_config": llama | {"rope_theta": 5e5}}
    (note,) = from_config({"model_type": "llava", **parts}).notes
    assert note.keys == ("llm_config",)
    talker = {"talker_config": {"model_type": "qwen2_5_omni_talker", "rope_theta": 1e6}}
    omni = {"model_type": "qwen2_5_omni", "thinker_config": {"text_config": llama | {"rope_theta": 1e4}}}
    assert "talker_config has RoPE of its own" in str(from_config(omni | talker))
    whole = from_config({"model_type": "other", "text_config": llama | {"rope_theta": 1e4}})
    assert "by the file's own words" in str(whole)
    assert "'other', of which a part is read, is not one of transformers" in " ".join(str(whole).split())


def test_a_type_that_the_library_has_without_rope_is_said_to_be_one_of_its():
    for name, has in (("roberta", True), ("no", False)):
        read = from_config(SMALL | {"model_type": name, "rope_theta": 1e4})
        assert ("which has it" in " ".join(str(read).split())) == has


#: Files as their makers wrote them, whose keys say what the library does without reading them.
SAID_AGAIN = {
    "GPT-J turns": {"model_type": "gptj", "rotary": True},
    "Cohere 2 turns neighbors": {"model_type": "cohere2", "position_embedding_type": "rope_gptj"},
    "Nomic turns whole heads": {"model_type": "nomic_bert", "rotary_emb_fraction": 1.0},
    "Nomic turns halves": {"model_type": "nomic_bert", "rotary_emb_interleaved": False},
    "Bamba turns half of a head": {"model_type": "bamba", "attn_rotary_emb": 64, "attn_layer_indices": [1]},
    "ModernBERT has no other positions": {"model_type": "modernbert", "position_embedding_type": "absolute"},
    "Llama 4 takes its own layers": {"model_type": "llama4_text", "no_rope_layers": []},
    "Gemma 3 has a base of its own": {
        "model_type": "gemma3_text", "rope_scaling": {"rope_type": "linear", "factor": 8.0}
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SAID_AGAIN)
def test_a_key_that_says_what_is_done_is_no_contradiction(name):
    read = from_config(heads(1024, 8, 2) | SAID_AGAIN[name])
    assert not read.contradictions
    assert "by transformers" in str(read)


@pytest.mark.parametrize(
    "keys",
    [
        {"model_type": "llama", "position_embedding_type": "rope_gptj"},
        {"model_type": "nomic_bert", "rotary_emb_fraction": 0.5},
        {"model_type": "nomic_bert", "rotary_emb_interleaved": True},
        {"model_type": "bamba", "attn_rotary_emb": 128},
        {"model_type": "glm4", "rope_pct": 1.0},
    ],
    ids=lambda keys: keys["model_type"],
)
def test_a_key_that_says_what_is_not_done_is_one(keys):
    assert from_config(heads(1024, 8, 2) | keys).contradictions


def test_the_older_name_of_a_fraction_goes_before_where_the_library_reads_it():
    read = from_config(SMALL | {"model_type": "gpt_neox", "partial_rotary_factor": 0.5, "rotary_pct": 0.25})
    assert read.kinds["all"].rotary_dim * 4 == read.kinds["all"].head_dim
    assert {one.kind for one in read.contradictions} == {"names-differ"}


def test_a_head_beside_latent_attention_is_not_said_to_turn():
    """The library makes frequencies for all of it, and then cannot turn the part."""
    given = heads(512, 4, 1, model_type="deepseek_v3", qk_nope_head_dim=128, head_dim=192)
    (one,) = from_config(given | {"max_position_embeddings": 4096, "rope_theta": 1e4}).contradictions
    assert "frequencies for 192" in one.text
    assert "turns" not in one.text
    bamba = SMALL | {"model_type": "bamba", "attn_rotary_emb": 64, "partial_rotary_factor": 0.25}
    assert "attn_rotary_emb is 64" in str(from_config(bamba))


def test_a_length_inside_a_block_of_a_type_of_layers_goes_before():
    kinds = {
        "full_attention": YARN | {"rope_type": "yarn", "original_max_position_embeddings": 1024},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    given = heads(256, 4, 6, model_type="gemma3_text", rope_parameters=kinds)
    read = from_config(given | {"original_max_position_embeddings": 512})
    assert read.kinds["full_attention"].trained_length == 1024
    assert "the latter is taken" in " ".join(str(read).split())


def test_keys_are_strings():
    with pytest.raises(TypeError, match="mapping of strings"):
        from_config({1: 2, "model_type": "llama"})


def test_a_length_without_a_method_is_not_said_to_be_unread():
    """A misspelled rope_type leaves the trained length, which is told."""
    block = {"rope_typ": "llama3", "factor": 8.0, "original_max_position_embeddings": 1024}
    found = from_config(PLAIN | {"rope_scaling": block})
    said = " ".join(str(found).split())
    assert found.kinds["all"].trained_length == 1024
    assert "original_max_position_embeddings was not read" not in said
    assert "original_max_position_embeddings tells the trained length, and nothing else." in said


def test_the_scale_of_the_softmax_is_the_model_s_own():
    """Granite's is its attention_multiplier, which is no part of RoPE: it is not said that nothing scales."""
    granite = PLAIN | {"model_type": "granite", "attention_multiplier": 0.0078125}
    assert "softmax:     the model's own scale\n" in str(from_config(granite))


@pytest.mark.parametrize("truncate", [True, False])
def test_a_ramp_with_swapped_ends_runs_backwards(truncate):
    """By the library's lines: the first end is that of `beta_fast`, which here is the later one."""
    block = {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096}
    oss = heads(
        2880, 64, 2, model_type="gpt_oss", head_dim=64, max_position_embeddings=131_072, rope_theta=1.5e5
    )
    found = from_config(
        oss | {"rope_scaling": block | {"beta_fast": 1, "beta_slow": 32, "truncate": truncate}}
    )
    ends = [64 * math.log(4096 / (2 * math.pi * beta)) / (2 * math.log(1.5e5)) for beta in (1, 32)]
    first, last = (math.floor(ends[0]), math.ceil(ends[1])) if truncate else ends
    for pair, omega in enumerate(found.kinds["all"].omega):
        slowed = min(max((pair - first) / (last - first), 0), 1)
        assert omega == pytest.approx(1.5e5 ** (-pair / 32) * (1 - slowed + slowed / 32))
    assert said(found)[0] == {"swapped"}
    assert "by transformers" in str(found)


@pytest.mark.parametrize(
    ("block", "length"),
    [(YARN, 1024), ({"rope_type": "linear", "factor": 4.0}, None)],
    ids=["told", "not told"],
)
def test_layers_of_one_model_were_trained_on_one_length(block, length):
    """A block without a method does not tell more of it than the other."""
    kinds = {"full_attention": block, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}
    given = PLAIN | {"model_type": "gemma3_text", "rope_theta": None, "rope_parameters": kinds}
    assert {kind.trained_length for kind in from_config(given).kinds.values()} == {length}
