"""The explorer of the cliff: where trained models go wrong, and which token misleads them."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from posenc.arguments import Float
from wavebook.examples import HOME
from wavebook.experiments import cliff
from wavebook.explorers import ask
from wavebook.explorers.base import Choice, Explorer, Number
from wavebook.say import percent

#: Tokens of a sequence in training, and in the test.
TRAINED, TESTED = 32, 128
#: What the task asks for, unless another is named: the token three back.
USUAL = 3
#: Of an accuracy's text: what its characters count from, and how many steps there are from 0 to 1.
_FIRST, _LEVELS = 35, 90
#: A weight below this is not drawn.
_LEAST = 0.005


#: What the spectrum is called here -> the order of its difference set; 0 is the geometric one.
_ORDERS = {"geometric": 0, "N = 31": 5, "N = 57": 7, "N = 73": 8, "N = 91": 9, "N = 133": 11}
SPECTRA = tuple(_ORDERS)
OFFSETS = (1, 2, 3, 5, 8)


def recorded(spectrum: str, k: int = USUAL) -> cliff.Run | None:
    """The run of a spectrum by its name here and of a task, or None if there is none."""
    order = _ORDERS[spectrum]
    try:
        return cliff.load().run(
            "back", "RoPE", back=k, spectrum=f"difference set {order}" if order else "geometric"
        )
    except ValueError:
        return None


def _run(spectrum: str) -> cliff.Run:
    """The run of a spectrum and the usual task."""
    run = recorded(spectrum)
    assert run is not None
    return run


def first_break(run: cliff.Run) -> int:
    """The first position past the trained length whose mean accuracy is below :data:`cliff.BELOW`."""
    low = run.mean[run.setting.trained :] < cliff.BELOW
    return run.setting.trained + int(low.argmax()) if low.any() else run.setting.tested


def foreseen(run: cliff.Run) -> int:
    """The offset at which the hands that are drawn are back: by the two fastest, or by the set's period."""
    return cliff.two_hands(run)[0] if run.setting.spectrum == "geometric" else cliff.expected_break(run)


def weights(run: cliff.Run) -> Float:
    """The mean attention weights over all seeds, of shape (positions, offsets)."""
    assert run.weights is not None
    mean: Float = run.weights.mean(0)
    return mean


def _blamed(run: cliff.Run, at: int) -> tuple[int, int, int]:
    """How many answers at a position are the first token, how many are wrong, and how many there are."""
    assert run.origins is not None
    right, asked = run.counts[:, :, at].astype(np.int64).sum(1)
    return int(run.origins[at, at]), int(asked - right), int(asked)


def _text(rows: Float) -> str:
    """Accuracies, one character each: "#" is 0 and "}" is 1; "~" is there for the backslash."""
    levels = np.rint(_LEVELS * np.nan_to_num(rows, nan=1)).astype(int) + _FIRST
    return "".join(map(chr, levels.ravel())).replace("\\", "~")


def _sparse(weights: Float) -> list[list[int]]:
    """For each position the offsets that get weight, and how much, in thousandths: one after the other."""
    return [
        [int(n) for k in np.flatnonzero(row >= _LEAST) for n in (k, round(1000 * row[k]))] for row in weights
    ]


def _each(run: cliff.Run) -> str:
    """Where the runs by themselves break."""
    at = first_break(run)
    others = sorted(int(n) for n in run.breaks[run.breaks != at])
    *first, last = map(str, others)
    assert others[-1] < TESTED
    return (
        f"{len(run.seeds) - len(others)} of the {len(run.seeds)} runs first fall below"
        f" {100 * cliff.BELOW:g} % just there, the others at {', '.join(first)} and {last}"
    )


def _percent(fraction: float) -> str:
    return f"{percent(fraction)} %"


def _floor(fraction: float) -> str:
    """In percent, rounded down to a tenth; without a tenth if that is zero."""
    return f"{math.floor(1000 * fraction) / 10:g} %"


def _turns(steps: int, omega: float) -> str:
    return f"{abs(omega) * steps / (2 * math.pi):.3f}"


def _settings() -> list[dict[str, Any]]:
    """What the drawing needs of each spectrum and task."""
    runs = [(name, k, recorded(name, k)) for name in SPECTRA for k in OFFSETS]
    return [
        {
            "spectrum": name,
            "k": k,
            "runs": _text(run.accuracy[:, :TESTED]),
            "mean": [int(percent(mean)) for mean in run.mean[:TESTED]],
            "weights": _sparse(weights(run)[:TESTED, :TESTED]),
            "breaks": first_break(run),
            "foreseen": foreseen(run),
        }
        for name, k, run in runs
        if run
    ]


def _hands(spectrum: str) -> list[float]:
    """The hands that are drawn: the two fastest, or all that turn of a difference set."""
    turning = sorted((float(w) for w in _run(spectrum).omega if w), key=abs, reverse=True)
    return [float(f"{w:.9g}") for w in (turning if _ORDERS[spectrum] else turning[:2])]


def where_it_breaks(*, alone: bool = False) -> ask.Prediction:
    """At which position the models with the geometric spectrum go wrong; `alone` does not yet say why."""
    run = _run("geometric")
    mean, truth = run.mean, first_break(run)
    steps = truth - USUAL
    known = (
        f"up to token {truth - 1} the mean of all runs is at least {_floor(mean[USUAL:truth].min())},"
        f" and at {truth} it is {_percent(mean[truth])}"
    )
    reason = (
        f"for the first time there is a token {truth} back, and in the {steps} steps from {USUAL} to {truth}"
        f" the two fastest hands make {_turns(steps, run.omega[0])} and {_turns(steps, run.omega[1])} turns,"
        f" so to these two it looks like the right one. With this spectrum, {known}"
    )
    return ask.number(
        f"Training ended with token {TRAINED - 1}. Now the model reads on, to token {TESTED - 1}, and is"
        " trained no more. At which token does it break?",
        truth=truth,
        low=TRAINED,
        high=TESTED - 1,
        start=64,
        near=0.02,
        because=f"{known}; {_each(run)}" if alone else reason,
        tempting={
            "low": f"Nothing happens at {TRAINED}, where training ended.",
            "high": "It does get worse again later, but it has broken before.",
        },
        hides=["beyond"] if alone else ["beyond", "returns", "numbers"],
        acts=[{"show": "beyond", "seconds": 2, "even": True}, {"position": truth, "seconds": 0.7}]
        if alone
        else [
            {"show": "beyond", "position": 40, "seconds": 1, "even": True},
            {"show": "returns", "position": truth - 1, "seconds": 0.4},
            {"position": truth, "back": truth, "seconds": 0.4},
            {"pause": 0.3},
            {"position": truth + 3, "seconds": 0.4},
            {"position": truth, "seconds": 0.4},
        ],
    )


def why_there(*, alone: bool = False) -> ask.Prediction:
    """What happens where the models break; `alone` leaves the hands to a later question."""
    run = _run("geometric")
    at = first_break(run)
    turns = " and ".join(_turns(at - USUAL, omega) for omega in run.omega[:2])
    blamed, wrong, asked = _blamed(run, at)
    return ask.choice(
        f"What happens at token {at}?",
        {
            "long": "everything past the training length is new to it",
            "thin": "among so many tokens, attention gets too thin",
            "twin": "another token looks like the right one",
        },
        truth="twin",
        because=f"at {at} there is for the first time a token {at} back, and it gets"
        f" {_percent(weights(run)[at, at])} of the weight, the mean of all runs and texts; of {asked:,}"
        f" answers there {wrong} are wrong, and {blamed} of these are this token"
        + ("" if alone else f". From {USUAL} back to {at} back the two fastest hands make {turns} turns"),
        tempting={
            "long": f"Then it would break at {TRAINED}, where training ended.",
            "thin": "It does not get thin, it splits in two.",
        },
        lead="What happens is this:",
        hides=["returns"] if alone else ["returns", "numbers"],
        acts=[
            {"position": [40, at - 1], "seconds": 0.9},
            {"pause": 0.3},
            {"show": "returns", "position": at, "seconds": 0.4},
            *([] if alone else [{"back": [USUAL, at], "seconds": 1.3}]),
        ],
    )


def turns_of_the_way() -> ask.Prediction:
    """How far the fastest hand turns on the way from the right token to the one that misleads."""
    run = _run("geometric")
    end = foreseen(run)
    steps = end - USUAL
    fast, second = run.omega[:2]
    return ask.number(
        f"From {USUAL} back to {end} back it is {steps} steps, and with each the fastest hand turns by one"
        " radian. How many turns does it make on the way?",
        truth=steps * float(fast) / (2 * math.pi),
        low=1,
        high=15,
        step=0.25,
        start=3,
        unit="turns",
        digits=4,
        near=0.02,
        because=f"{steps} radians are nearly 14*π*, as *π* is nearly 22/7; the second hand makes"
        f" {_turns(steps, second)} turns and is nearly back, too, so to these two {end} back looks like"
        f" {USUAL} back",
        hides=["returns"],
        acts=[
            {"show": "returns", "pause": 0.1},
            {"back": [USUAL, end], "seconds": 2.4},
        ],
    )


def where_now() -> ask.Prediction:
    """At which position the models with the difference set of 73 go wrong."""
    run = _run("N = 73")
    mean, truth = run.mean, first_break(run)
    late = min(truth + 3, TESTED - 1)
    return ask.number(
        f"Now {np.count_nonzero(run.omega)} of the {run.omega.size} hands turn, at other speeds: all"
        " are back together after 73 steps, and not nearly before. The models are trained again, on 32"
        " tokens. Where do they break?",
        truth=truth,
        low=TRAINED,
        high=TESTED - 1,
        start=47,
        near=0.02,
        because=f"the token 73 steps before the right one, {USUAL} + 73 back, looks exactly like it, and"
        f" {(run.breaks == truth).sum()} of the {len(run.breaks)} runs first fall there; up to token"
        f" {truth - 1} the mean is at least {_floor(mean[USUAL:truth].min())}",
        tempting={
            "low": f"The 73 steps count from the right token, and that is {USUAL} back itself.",
            "high": "They break earlier.",
        },
        hides=["beyond", "returns", "numbers"],
        acts=[
            {"show": "beyond", "position": truth - 8, "seconds": 1, "even": True},
            {"show": "returns", "position": truth, "back": truth, "seconds": 0.8},
            {"pause": 0.3},
            {"position": late, "seconds": 0.4},
            {"position": truth, "seconds": 0.4},
        ],
    )


def _outcome(spectrum: str) -> str:
    """Where the models with a difference set go wrong, for readers of the story who choose it, as HTML."""
    run = _run(spectrum)
    mean, late = run.mean[:TESTED], run.breaks < TESTED
    looks = (
        f"With <em>N</em> = {spectrum.removeprefix('N = ')}, {np.count_nonzero(run.omega)} hands turn, and"
        " the token that looks exactly like the right one"
    )
    at = foreseen(run)
    if at >= TESTED:
        assert mean[USUAL:].min() > cliff.BELOW
        return (
            f"{looks} would be {at} back, and there is none: up to token {TESTED - 1} the mean of"
            f" all runs is at least {_floor(mean[USUAL:].min())}, and {int((~late).sum())} of"
            f" the {len(late)} runs"
            f" do not fall below {100 * cliff.BELOW:g} %."
        )
    assert at == first_break(run)
    return (
        f"{looks} is {at} back, {USUAL} + {at - USUAL}, so they break at <b>{at}</b>: from"
        f" {_percent(mean[at - 1])} right to {_percent(mean[at])}, the mean of all runs."
        f" {int((run.breaks == at).sum())} of the {len(late)} first fall below"
        f" {100 * cliff.BELOW:g} % just there."
    )


def _story() -> list[dict[str, Any]]:
    """The steps of the story, which the landing page and the tour tell."""
    run = _run("geometric")
    at, mean = first_break(run), run.mean
    there = int((run.breaks == at).sum())
    start = {"spectrum": "geometric", "k": USUAL, "position": 20, "back": USUAL}
    none = {"beyond": 0, "returns": 0, "hands": 0}
    told: list[dict[str, Any]] = [
        {
            "say": "We trained a small Transformer to say the token three back, in random texts. It uses"
            " hands differently (RoPE): its one <em>head</em> gives each token a <em>query</em>, which"
            f" looks, and a <em>key</em>, which is found, {run.omega.size} hands each, turned with the"
            " position. How well query and key fit then depends only on the tokens and their distance."
            f" After training, three back fits best: {_floor(mean[USUAL:TRAINED].min())} right.",
            "start": start,
            "seen": none,
            "asked": None,
            "hint": "Drag the cursor. The bar is on the token that it looks at.",
        },
        {
            "say": "Then we gave it longer texts.",
            "start": start | {"position": TRAINED - 1, "back": at},
            "seen": none | {"beyond": 1},
            "asked": where_it_breaks(alone=True),
            "hint": "",
        },
        {
            "say": f"Up to token {at - 1} it is, on average, right at least"
            f" {_floor(mean[USUAL:at].min())} of the time."
            f" At {at} it breaks, in {there} of {len(run.seeds)} runs just there, though the texts are"
            " random. Guess why.",
            "start": start | {"position": 40, "back": at},
            "seen": none | {"beyond": 1, "returns": 1},
            "asked": why_there(alone=True),
            "hint": "",
        },
        {
            "say": f"Why {at}? From the token three back we walk on to the one {at} back, and watch the two"
            f" fastest of the {run.omega.size} hands.",
            "start": start | {"position": at},
            "seen": {},
            "asked": turns_of_the_way(),
            "hint": "",
        },
        {
            "say": "So we can choose where it breaks.",
            "start": start | {"spectrum": "N = 73", "position": TRAINED - 1, "back": 73 + USUAL},
            "seen": {},
            "asked": where_now(),
            "hint": "",
        },
    ]
    return ask.typeset(told)  # type: ignore[no-any-return]  # of the kind that it was given


class Cliff(Explorer):
    """How often trained models name the token *k* back at each position, and where one of them looks.

    Parameters
    ----------
    k : 1, 2, 3, 5 or 8
        Two of the spectra were trained with each of these; with the others the usual one is shown.
    spectrum : "geometric", "N = 31", "N = 57", "N = 73", "N = 91" or "N = 133"
        The frequencies: geometric with base 10,000, or a difference set modulo N.
    position : integer from 0 to 127
    back : integer from 0 to 127
        The token that is compared with the right one, in positions before the cursor.
    step : integer from 0 to 5
        A step of the story that the landing page tells; 0 is the explorer.

    Raises
    ------
    TypeError, ValueError
        If a value is not one of those, or there is no such parameter.

    Introduced in the chapter "What training makes of it".

    >>> Cliff(position=60)
    Cliff(k=3, spectrum='geometric', position=60, back=47, step=0)
    """

    slug = "cliff"
    parts: ClassVar[tuple[str, ...]] = ("beyond", "returns", "hands")
    k = Choice(USUAL, OFFSETS)
    spectrum = Choice("geometric", SPECTRA)
    position = Number(50, low=0, high=TESTED - 1, integer=True)
    back = Number(47, low=0, high=TESTED - 1, integer=True)
    step = Number(0, low=0, high=5, integer=True)

    constants: ClassVar[dict[str, Any]] = {
        "trained": TRAINED,
        "usual": USUAL,
        "home": HOME,
        "spectra": {name: _hands(name) for name in SPECTRA},
        "settings": _settings(),
        "story": _story(),
        "outcomes": {name: _outcome(name) for name, order in _ORDERS.items() if order},
    }

    def __init__(self, **values: Any) -> None:
        step = values.get("step", 0)
        if step in range(1, 6):
            values = self.constants["story"][step - 1]["start"] | values
        super().__init__(**values)
