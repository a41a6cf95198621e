"""Further checks of the statements in wavebook/data/papers.yml: those that recorded runs say something about.

The models are small, with one layer or two, and trained on 32 tokens; what is found holds for them.
"""

from __future__ import annotations

from typing import Any

from wavebook.claims.finding import Part, aside, check, reported, says
from wavebook.experiments import cliff, further
from wavebook.experiments.counts import Counted
from wavebook.experiments.setting import Setting


def beyond(counted: Counted, setting: Setting) -> float:
    """The accuracy from twice the trained length on, in the mean of the seeds."""
    return round(float(counted.over(2 * setting.trained, setting.tested).mean()), 2)


def tested(task: str, encoding: str, **changes: Any) -> further.Job:
    """A job of the further runs that was only tested."""
    return further.load().job("tested", task, encoding, **changes)


def _far(task: str, encoding: str, **changes: Any) -> float:
    job = tested(task, encoding, **changes)
    return beyond(job.counted["tested"], job.setting)


def _usual(task: str = "back", **changes: Any) -> float:
    """The same for RoPE as in the chapter on training."""
    run = cliff.load().run(task, "RoPE", **changes)
    return beyond(run, run.setting)


#: The two learning rates of each trial; nothing is chosen by its results.
RATES = (0.03, 0.01)


def _gain(name: str, first: float, second: float, rate: float) -> Part:
    gain = round(first - second, 2)
    return says(f"{name}, rate {rate}", gain, gain > 0.05)


@check(
    "P-40",
    "{ref}`sec-small`",
    why="Small models that say the token three back ($d = 32$, one head, ten seeds, trained on 32 tokens) "
    "have from twice the trained length on an accuracy of %{PoPE, three back, 0.03:.2f} and %{PoPE, "
    "three back, 0.01:.2f} with PoPE, at two learning rates, and %{RoPE, three back, 0.03:.2f} and "
    "%{RoPE, three back, 0.01:.2f} with RoPE. To say the last letter it is %{PoPE, last letter, "
    "0.03:.2f} and %{PoPE, last letter, 0.01:.2f} against %{RoPE, last letter, 0.03:.2f} and %{RoPE, "
    "last letter, 0.01:.2f}, and for marks nearby %{PoPE, marks, 0.03:.2f} and %{PoPE, marks, 0.01:.2f} "
    "against %{RoPE, marks, 0.03:.2f} and %{RoPE, marks, 0.01:.2f}. PoPE has twice as many frequencies "
    "for as many entries.",
)
def _polar_extrapolates() -> list[Part]:
    tasks = {"three back": "back", "last letter": "last", "marks": "near"}
    found = {
        (name, rate): (_far(task, "PoPE", rate=rate), _usual(task, rate=rate))
        for name, task in tasks.items()
        for rate in RATES
    }
    return [
        *(aside(f"PoPE, {name}, {rate}", polar) for (name, rate), (polar, _) in found.items()),
        *(aside(f"RoPE, {name}, {rate}", rotary) for (name, rate), (_, rotary) in found.items()),
        *(_gain(f"PoPE's gain, {name}", *pair, rate) for (name, rate), pair in found.items()),
    ]


@check(
    "P-41",
    "{ref}`sec-small`, {doc}`training`",
    why="In the same small models that say the token three back, base 32, the trained length, has from "
    "twice that length on %{base 32, 0.03:.2f} and %{base 32, 0.01:.2f} at the two learning rates, base "
    "$10{,}000$ %{base 10000, 0.03:.2f} and %{base 10000, 0.01:.2f}, and base $10^6$ %{base 1000000, "
    "0.03:.2f} and %{base 1000000, 0.01:.2f}; bases of 8, 64 and 128 have %{base 8, 0.03:.2f}, %{base "
    "64, 0.03:.2f} and %{base 128, 0.03:.2f} at the larger, and %{base 8, 0.01:.2f}, %{base 64, 0.01:.2f} "
    "and %{base 128, 0.01:.2f} at the smaller. Single seeds range far, and the rates "
    "disagree about the order. How they interpolate was not tried.",
)
def _base_at_length() -> list[Part]:
    found = {
        (base, rate): _far("back", "RoPE", base=base, rate=rate)
        for base in (8.0, 64.0, 128.0)
        for rate in RATES
    }
    for rate in RATES:
        found[1e4, rate] = _usual(rate=rate)
        for base in (32.0, 1e6):
            found[base, rate] = _usual(base=base, rate=rate)
    return [
        *(aside(f"base {base:.0f}, {rate}", value) for (base, rate), value in found.items()),
        *(
            _gain(f"base 32 against {base:,.0f}", found[32.0, rate], found[base, rate], rate)
            for base in (1e4, 1e6)
            for rate in RATES
        ),
    ]


@check(
    "P-42",
    "{ref}`sec-small`, {prf:ref}`thm-integers`",
    why="With RoPE at random real positions, drawn from 0 to 128 in training on 32 tokens and in the test, "
    "at the higher of two learning rates, the task of the last letter has %{last, within:.2f} within "
    "the trained length and %{last, "
    "beyond:.2f} from twice of it on, where whole positions have %{last, whole:.2f}. The token three "
    "back cannot be found so, since the distance of three tokens is no fixed number: %{back, "
    "within:.2f} within the trained length. Nor do they help for marks nearby: %{near, within:.2f} there.",
)
def _random_positions() -> list[Part]:
    encoding = "RoPE, random positions"
    last, back, near = (tested(task, encoding) for task in ("last", "back", "near"))
    within = {
        job.setting.task: round(float(job.counted["tested"].over(0, 32).mean()), 2)
        for job in (last, back, near)
    }
    far = beyond(last.counted["tested"], last.setting)
    return [
        aside("last, within", within["last"]),
        aside("last, beyond", far),
        aside("last, whole", _usual("last")),
        aside("back, within", within["back"]),
        aside("near, within", within["near"]),
        says(
            "last letter: from twice the length, less whole positions",
            round(far - _usual("last"), 2),
            far > _usual("last"),
        ),
        says("three back: within the trained length", within["back"], within["back"] > 0.9),
    ]


@check(
    "P-43",
    "{ref}`sec-small`, {doc}`training`",
    why="Small models that say the token three back, at the higher of two learning rates, from twice the "
    "trained length on: with RoPE's fast pairs alone, the slow half at rest, %{fast half:.2f}, and "
    "with all of them %{all:.2f}. That is no "
    "gain with this spectrum. In two layers with four heads of eight entries, half of each turned "
    "(one fast pair and one slow one; five seeds), the accuracy is %{half of each head:.2f} instead of "
    "%{whole heads:.2f}: that is partial rotation, and not fast pairs alone. The paper's own choice "
    "of frequencies was not tried.",
)
def _high_frequency() -> list[Part]:
    from wavebook.experiments import load

    large = {"layers": 2, "heads": 4, "steps": 300}
    fast, everything = _far("back", "RoPE", pairs="fast"), _usual()
    half, whole = (load().run("back", name, **large) for name in ("RoPE, half of each head", "RoPE"))
    found = [beyond(run, run.setting) for run in (half, whole)]
    return [
        aside("fast half", fast),
        aside("all", everything),
        aside("half of each head", found[0]),
        aside("whole heads", found[1]),
        says("fast pairs alone, gain", round(fast - everything, 2), fast - everything > 0.05),
        says("half of each head, gain", round(found[0] - found[1], 2), found[0] - found[1] > 0.05),
    ]


def _kept(name: str, task: str) -> tuple[float, float]:
    """Accuracy within the trained length and from twice of it on, after something was done to RoPE."""
    job = further.load().job("dropped", task, "RoPE", rate=0.01, **further.TWO_LAYERS)
    counted = job.counted[name]
    return round(float(counted.over(0, 32).mean()), 2), beyond(counted, job.setting)


@check(
    "P-15",
    "{ref}`sec-small`",
    why="Two layers with two heads, $d = 64$, trained for 600 steps with RoPE on 32 tokens to say the last "
    "letter, have %{RoPE, within:.2f} within the trained length and %{RoPE, beyond:.2f} from twice of "
    "it on. Without RoPE it is %{dropped:.2f} at once; after 100 steps more without it %{tuned, "
    "within:.2f} and %{tuned, beyond:.2f}. To say the token three back they have %{back, within:.2f} "
    "within the trained length after those steps. So it does not come about in these; the paper reports "
    "it for language models, which no program of this book trains, and its authors *report* that less than "
    "1 % of the pretraining's budget went into those steps {cite}`sakana2026drope`. By their settings "
    "that is not so for all: at the model's own length, *reported* are some 10 billion tokens for Llama 2 7B "
    "and 126 billion for SmolLM 1.7B {cite}`sakana2026settings`.",
)
def _dropped() -> list[Part]:
    rope, dropped = _kept("with RoPE", "last"), _kept("dropped", "last")
    tuned, back = (_kept("dropped, tuned at 0.01", task) for task in ("last", "back"))
    return [
        aside("RoPE, within", rope[0]),
        aside("RoPE, beyond", rope[1]),
        aside("dropped", dropped[0]),
        aside("tuned, within", tuned[0]),
        aside("tuned, beyond", tuned[1]),
        aside("back, within", back[0]),
        reported("language models", "the context grows without training on long texts"),
    ]
