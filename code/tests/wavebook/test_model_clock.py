"""The clock of each model: what it counts against the configurations, its question, and its keys."""

import re

import numpy as np
import pytest
from explorer_page import values

from wavebook.explorers import ModelClock, model_clock, questions
from wavebook.models import models

LINES = model_clock.LINES
NAMES = [line["name"] for line in LINES]


def test_each_type_of_layer_with_hands_is_there():
    kinds = [
        (f"{model.name}, {layers}" if layers else model.name, kind)
        for model in models()
        for layers, kind in model.kinds.items()
    ]
    assert sorted(NAMES) == sorted(name for name, _ in kinds)
    for name, kind in kinds:
        line = LINES[NAMES.index(name)]
        turning = np.sort(2 * np.pi / kind.omega[kind.omega > 0])
        np.testing.assert_allclose(line["waves"], turning, rtol=6e-4)
        assert line["context"] in (kind.trained_length, kind.extended_length)
    assert [line["year"] for line in LINES] == sorted(line["year"] for line in LINES)


def test_the_question_counts_the_hands_of_the_definition():
    """Llama 3.1's frequencies by its own rule: kept, divided by 8, and blended between."""
    omega = 500_000.0 ** (-np.arange(64) / 64)
    turns = 8192 * omega / (2 * np.pi)
    blend = np.clip((turns - 1) / (4 - 1), 0, 1)
    slowed = omega * (blend + (1 - blend) / 8)
    late = int((2 * np.pi / slowed > 131_072).sum())
    assert questions.never_round()["answer"] == f"{late} hands"


@pytest.mark.parametrize(
    ("name", "position"),
    [("LLaMA", 2048), ("Gemma 4 26B-A4B, global", 500), ("Transformer", 1000), ("LLaMA", 10**6)],
)
def test_it_counts_who_has_come_round(mount, name, position):
    line = LINES[NAMES.index(name)]
    page = mount(ModelClock(line=NAMES.index(name), position=position))
    seen = values(page)
    read = min(position, line["context"] or position)
    assert seen["model"] == name
    assert seen["round"] == sum(wave <= read for wave in line["waves"])
    assert seen["round"] + seen["not_round"] == seen["hands"] == len(line["waves"])
    drawn = page.evaluate("""['shifted', 'claimed'].map((role) =>
        root.querySelectorAll(`svg path.thick.${role}`).length)""")
    step = -(-len(line["waves"]) // 64)
    assert drawn[0] == sum(wave <= read for wave in line["waves"][::step])
    assert sum(drawn) == len(line["waves"][::step])


def test_it_turns_through_the_context_and_keys_choose_the_model(mount):
    page = mount(ModelClock(prediction=questions.never_round()))
    assert values(page)["round"] == 0
    assert "25" not in page.locator("[data-explorer]").inner_text().replace("25 %", "")
    page.get_by_role("button", name="Show me").click()
    page.evaluate("frames()")
    seen = values(page)
    assert seen["position"] == pytest.approx(131_072, rel=0.02)
    assert f"{seen['not_round']} hands" == questions.never_round()["answer"]
    page.get_by_role("slider", name="model").press("Home")
    page.evaluate("frames()")
    assert values(page)["model"] == NAMES[0] == "Transformer"
    assert re.search("No context is named", page.locator(".note").inner_text())
