"""The table of models: what is read of each, against the record of the library and by the formula."""

from __future__ import annotations

import json
import math

import pytest
import record_configs
from harness import REPOSITORY

from wavebook import data
from wavebook.models import longest, models, waves

ENTRIES = json.loads(data.read("models.json"))
RECORD = {
    entry["name"]: entry for entry in json.loads(record_configs.PUBLISHED.read_text())["configurations"]
}


def test_recorded_configurations_are_those_of_the_record():
    """Which the library was run on, so the table says what the library computes; each has a source."""
    recorded = [entry for entry in ENTRIES if "record" in entry]
    assert len(recorded) >= 15
    for entry in recorded:
        assert entry["config"] == RECORD[entry["record"]]["config"], entry["model"]
        assert RECORD[entry["record"]]["source"]


def test_each_source_is_in_the_bibliography():
    bibliography = (REPOSITORY / "book/references.bib").read_text(encoding="utf-8")
    for entry in ENTRIES:
        for key in entry["sources"].split(","):
            assert f"{{{key},\n" in bibliography, (entry["model"], key)


def test_a_default_is_called_so():
    """A library's default is no checkpoint's; Ministral 3 is one that was published with it."""
    for entry in ENTRIES:
        if entry.get("record", "").startswith("transformers default"):
            assert entry["model"].endswith(", defaults") or entry["model"] == "Ministral 3"


@pytest.mark.parametrize(
    ("model", "layers", "base", "turning", "size"),
    [("LLaMA", "", 1e4, 128, 128), ("GPT-J", "", 1e4, 64, 256), ("GPT-NeoX-20B", "", 1e4, 24, 96),
     ("Llama 3.1 8B", "", 5e5, 128, 128), ("Phi-3-mini-128k", "", 1e4, 96, 96),
     ("gpt-oss-20b", "", 1.5e5, 64, 64), ("Qwen3.5-397B-A17B", "", 1e7, 64, 256),
     ("DeepSeek-V3", "", 1e4, 64, 192), ("Gemma 3, 12B", "local", 1e4, 256, 256),
     ("Gemma 3, 12B", "global", 1e6, 256, 256), ("DeepSeek-V4-Flash", "compressed", 160_000, 64, 512),
     ("Gemma 4 26B-A4B", "global", 1e6, 128, 512), ("EXAONE 4.5 33B", "", 1e6, 128, 128),
     ("OLMo 3 7B", "local", 5e5, 128, 128), ("OLMo 3 7B", "global", 5e5, 128, 128)],
)  # fmt: skip
def test_what_turns_and_how_slowly(model, layers, base, turning, size):
    (kind,) = (one.kinds[layers] for one in models() if one.name == model)
    assert (kind.base, kind.rotary_dim, kind.head_dim) == (base, turning, size)
    of = size if model.startswith("Gemma 4") else turning  # whose frequencies are those of the whole head
    assert math.isclose(longest(kind), 2 * math.pi * base ** ((turning - 2) / of), rel_tol=1e-9)


def test_waves_are_those_after_the_method():
    (kind,) = (one.kinds["global"] for one in models() if one.name == "Gemma 3, 12B")
    assert math.isclose(waves(kind)[0], 8 * 2 * math.pi)  # interpolation by eight
    assert math.isclose(waves(kind)[-1], 8 * longest(kind))


def test_yarn_of_olmo_3_is_for_full_attention_alone():
    """By hand: the last pair makes less than one turn in 8,192 positions, so YaRN divides it by eight."""
    (model,) = (one for one in models() if one.name == "OLMo 3 7B")
    last = 2 * math.pi * 5e5 ** (126 / 128)
    assert math.isclose(waves(model.kinds["local"])[-1], last, rel_tol=1e-9)
    assert math.isclose(waves(model.kinds["global"])[-1], 8 * last, rel_tol=1e-9)
