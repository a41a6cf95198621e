"""What the page says of these models: numbers by their names there; what it says in words is asserted."""

from __future__ import annotations

import re

from wavebook.experiments.language import ASKED, CHANCE, ENOUGH, MEASURES, PERIOD, RULES, Difference, load
from wavebook.say import percent

Said = dict[str, object]


def _bounds(measure: str) -> list[str]:
    """The numbers in what a measure is said to be."""
    return re.findall(r"\d+(?:,\d{3})*", MEASURES[measure])


def _tell(spectrum: str, measure: str) -> float:
    return float(load().run(spectrum).measure(measure).mean())


def _set(measure: str, than: str = "geometric") -> Difference:
    return load().against("difference set", measure, than)


def models() -> Said:
    """What was trained, and for how long; and the distances and positions of the measures."""
    run = load().run("geometric")
    one, copied, far = run.setting, _bounds("copied beyond"), _bounds("copied far")
    return dict(
        text_layers=one.layers, heads=one.heads, head_size=one.d_model // one.heads, context=one.trained,
        seeds=len(run.seeds), period=PERIOD, guess=f"{100 * CHANCE:.0f}",
        reads=f"{one.steps * one.batch * one.trained / 1e6:.1f}", short_copy=_bounds("late")[0],
        copied_from=copied[0], copied_to=copied[1], far_from=far[0], far_to=far[1], later=_bounds("far")[0],
        open_to=_bounds("beyond")[1],
    )  # fmt: skip


def rules() -> Said:
    """What the rules and another test conclude of the predictions, and how many comparisons pass."""
    found, others = load(), [name for name in load().runs if name != "geometric"]
    assert {outcome for _, outcome in found.predictions()} == {"open"}
    tests = [found.against(one.spectrum, one.measure, one.than).by_seed for one, _ in found.predictions()]
    student = max(abs(seeds.mean()) / seeds.std(ddof=1) * len(seeds) ** 0.5 for seeds in tests)
    assert len(tests[0]) == 3
    assert student < (1.805 / 0.0975) ** 0.5, "Student's 97.5 %, of two degrees of freedom"
    passing = [name for one in others for name in MEASURES if found.against(one, name).counts]
    assert not {"beyond", "far"} & set(passing)
    assert ENOUGH * found.shift("beyond") > _tell("geometric", "beyond"), "more than there was"
    return dict(
        rules=RULES[:7], text_predictions=len(tests), text_enough=ENOUGH, passing=len(passing),
        comparisons=len(others) * len(MEASURES), shift_beyond=f"{found.shift('beyond'):.2f}",
    )  # fmt: skip


def losses() -> Said:
    """The loss within the trained length, and beyond."""
    costs, random, pope = _set("within"), _set("within", "random residues"), load().against("PoPE", "within")
    assert not costs.counts
    assert random.counts
    assert pope.counts
    assert min(load().runs, key=lambda name: _tell(name, "far")) == "PoPE"
    error = max(costs.by_seed.std(ddof=1) / len(costs.by_seed) ** 0.5, costs.shift)
    return dict(
        costs=f"{abs(costs.mean):.3f}", least_cost=f"{ENOUGH * error:.2f}", random_more=f"{-random.mean:.2f}",
        pope_less=f"{-pope.mean:.3f}", usual_loss=f"{_tell('geometric', 'within'):.2f}",
        usual_far=f"{_tell('geometric', 'far'):.1f}", pope_far=f"{_tell('PoPE', 'far'):.1f}",
    )  # fmt: skip


def copies() -> Said:
    """How many letters are copied, over distances within the trained length, beyond and far."""
    names = {"usual": "geometric", "set": "difference set", "random": "random residues", "pope": "PoPE"}
    counts = {(one, at) for one in names for at in ("within", "beyond", "far") if _counts(names[one], at)}
    assert counts >= {(one, at) for one in ("set", "random") for at in ("beyond", "far")}
    assert counts >= {("random", "within"), ("pope", "beyond")}
    assert ("set", "within") not in counts
    last = max(run.places[:, -1].mean() / ASKED for run in load().runs.values())
    assert last < 0.06, "near guessing"
    parts = {"copies": names, "far_copies": names, "within": ("usual", "random")}
    found: Said = {"last_place": percent(last)}
    for (part, shown), at in zip(parts.items(), ("beyond", "far", "within"), strict=True):
        found |= {f"{one}_{part}": percent(_tell(names[one], f"copied {at}")) for one in shown}
    return found


def _counts(spectrum: str, where: str) -> bool:
    return load().against(spectrum, f"copied {where}").counts
