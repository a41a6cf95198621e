"""The recorded configurations against a fresh run of the library transformers, if it is installed.

`make test-torch` brings it; without it these tests are skipped.
"""

import json

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import record_configs

ENTRIES = {entry["name"]: entry for entry in json.loads(record_configs.RECORD.read_text())["configurations"]}


def close(recorded, now):
    """Nine digits were recorded, of numbers in float32."""
    if isinstance(recorded, dict):
        return recorded.keys() == now.keys() and all(close(recorded[key], now[key]) for key in recorded)
    return recorded == pytest.approx(now, rel=1e-6)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_record_is_what_the_library_computes(name):
    assert close(ENTRIES[name]["library"], record_configs.library(ENTRIES[name]["config"]))
