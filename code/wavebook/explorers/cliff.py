"""The explorer of the cliff: where trained models go wrong, and which token misleads them."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from posenc.arguments import Float
from wavebook.examples import HOME
from wavebook.experiments import cliff
from wavebook.experiments.cliff import letters, tables
from wavebook.explorers import ask
from wavebook.explorers.base import Choice, Explorer, Number
from wavebook.say import in_a_row, percent

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
#: How many sets of random residues were trained on the grid of each difference set.
_DRAWS = 5


def recorded(spectrum: str, k: int = USUAL) -> cliff.Run | None:
    """The run of a spectrum by its name here and of a task, or None if there is none."""
    order = _ORDERS[spectrum]
    try:
        return cliff.load().run(
            "back", "RoPE", back=k, spectrum=f"difference set {order}" if order else "geometric"
        )
    except ValueError:
        return None


def run_of(spectrum: str) -> cliff.Run:
    """The run of a spectrum and the usual task."""
    run = recorded(spectrum)
    assert run is not None
    return run


def foreseen(run: cliff.Run) -> int:
    """The offset at which the hands that are drawn are back: by the two fastest, or by the set's period."""
    return cliff.two_hands(run)[0] if run.setting.spectrum == "geometric" else cliff.expected_break(run)


def weights(run: cliff.Run) -> Float:
    """The mean attention weights over all seeds, of shape (positions, offsets)."""
    assert run.weights is not None
    mean: Float = run.weights.mean(0)
    return mean


def blamed(run: cliff.Run, at: int) -> tuple[int, int, int]:
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
    at = run.mean_break
    others = sorted(int(n) for n in run.breaks[run.breaks != at])
    assert others[-1] < TESTED
    return (
        f"{len(run.seeds) - len(others)} of the {len(run.seeds)} runs first fall below"
        f" {100 * cliff.BELOW:g} % just there, the others at {in_a_row(others)}"
    )


def per_cent(fraction: float) -> str:
    """In whole percent."""
    return f"{percent(fraction)} %"


def floor(fraction: float) -> str:
    """In percent, rounded down to a tenth; without a tenth if that is zero."""
    return f"{math.floor(1000 * fraction) / 10:g} %"


def _turns(steps: int, omega: float) -> str:
    return f"{abs(omega) * steps / (2 * math.pi):.3f}"


def spelled(run: cliff.Run) -> dict[str, Any]:
    """The recorded text of a run's kind, and what the model says."""
    text = letters.load()[run.trial.name]
    return {"letters": text.letters, "said": text.said, "back": text.back}


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
            "breaks": run.mean_break,
            "foreseen": foreseen(run),
            "text": spelled(run),
        }
        for name, k, run in runs
        if run
    ]


def _hands(spectrum: str) -> list[float]:
    """The hands that are drawn: the two fastest, or all that turn of a difference set."""
    turning = sorted((float(w) for w in run_of(spectrum).omega if w), key=abs, reverse=True)
    return [float(f"{w:.9g}") for w in (turning if _ORDERS[spectrum] else turning[:2])]


def why_there() -> ask.Prediction:
    """What happens where the models break."""
    run = run_of("geometric")
    at = run.mean_break
    first, wrong, _ = blamed(run, at)
    assert first > 0.9 * wrong
    return ask.choice(
        f"What happens at token {at}?",
        {
            "long": "everything past the training length is new to it",
            "thin": "among so many tokens, attention gets too thin",
            "twin": "another token looks like the right one",
        },
        truth="twin",
        because=f"at {at} there is, for the first time, a token {at} back, and more than nine"
        " of ten wrong answers are this token",
        tempting={
            "long": f"Then it would break at {TRAINED}, where training ended.",
            "thin": "It does not get thin, it splits in two.",
        },
        hides=["returns", "numbers"],
        acts=[
            {"position": at - 1, "seconds": 0.3},
            {"show": "returns", "position": at, "seconds": 0.6},
            {"back": [USUAL, at], "seconds": 1.3},
        ],
    )


def turns_of_the_way() -> ask.Prediction:
    """How far the fastest hand turns on the way from the right token to the one that misleads."""
    run = run_of("geometric")
    end = foreseen(run)
    steps = end - USUAL
    fast, second = run.omega[:2]
    return ask.number(
        f"{end} back is {steps} steps farther than {USUAL} back, and with each step the fastest hand turns by"
        " one radian. How many turns does it make on the way?",
        truth=steps * float(fast) / (2 * math.pi),
        low=1,
        high=15,
        step=0.25,
        start=3,
        unit="turns",
        digits=4,
        near=0.02,
        because=f"{steps} radians are nearly 14*π*, as *π* is nearly 22/7",
        hides=["returns"],
        acts=[
            {"show": "returns", "pause": 0.1},
            {"back": [USUAL, end], "seconds": 2.4},
        ],
    ).plainly(
        f"Seven turns, and *π* is to blame: it is nearly 22/7, so {steps} radians are nearly 14*π*."
        f" The fastest hand is back, and {end} back looks to it like {USUAL} back.",
        f"It makes {_turns(steps, fast)} turns, and the second hand, nearly back too,"
        f" {_turns(steps, second)}.",
    )


def _asks(spectrum: str, task: str = "") -> str:
    """The question where the models with a difference set break."""
    run = run_of(spectrum)
    return (
        f"Now {np.count_nonzero(run.omega)} of the {run.omega.size} hands turn, at other speeds: all are back"
        f" together after {_ORDERS[spectrum] ** 2 + _ORDERS[spectrum] + 1} steps, and not nearly before. The"
        f" models are trained again,{task} on {TRAINED} letters. Where do they break?"
    )


def where_now(k: int = USUAL) -> ask.Prediction:
    """At which position the models with the difference set of 73 go wrong, asked for the token k back."""
    run = recorded("N = 73", k)
    assert run is not None
    truth = run.mean_break
    late = min(truth + 3, TESTED - 1)
    return ask.number(
        _asks("N = 73", "" if k == USUAL else f" to say the letter {k} back,"),
        truth=truth,
        low=TRAINED,
        high=TESTED - 1,
        start=47,
        near=0.02,
        because=f"the letter 73 steps before the right one looks exactly like it, and {k} + 73 is {truth}",
        tempting={
            "low": f"The 73 steps count from the right letter, and that is {k} back itself.",
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
    ).plainly(
        f"At {truth}: there, a letter 73 steps before the right one looks exactly like it.",
        f"{(run.breaks == truth).sum()} of the {len(run.breaks)} runs first fall there.",
    )


def _drawn(spectrum: str) -> str:
    """The accuracy past training with residues drawn at random on a set's grid, and with the set."""
    order, recorded_runs = _ORDERS[spectrum], cliff.load()
    drawn = [
        recorded_runs.run("back", "RoPE", spectrum=f"random residues {order} {n}") for n in range(_DRAWS)
    ]
    means = [np.mean([run.over(TRAINED, TESTED) for run in runs]) for runs in (drawn, [run_of(spectrum)])]
    return " against ".join(per_cent(float(mean)) for mean in means)


def _outcome(spectrum: str) -> str:
    """Where the models with a difference set go wrong, for readers of the story who choose it, as HTML."""
    run = run_of(spectrum)
    mean, late = run.mean[:TESTED], run.breaks < TESTED
    steps = spectrum.removeprefix("N = ")
    looks = f"With <em>N</em> = {steps}, the letter that looks exactly like the right one"
    at = foreseen(run)
    if at >= TESTED:
        assert mean[USUAL:].min() > cliff.BELOW
        return (
            f"{looks} would be {at} back, and there is none: up to letter {TESTED - 1} the mean of"
            f" all runs is at least {floor(mean[USUAL:].min())}, and {int((~late).sum())} of"
            f" the {len(late)} runs do not fall below {100 * cliff.BELOW:g} %. (Other hands that are all back"
            f" after {steps} steps, drawn at random, do nearly as well: {_drawn(spectrum)}.)"
        )
    assert at == run.mean_break
    return (
        f"{looks} is {at} back, {USUAL} + {at - USUAL}, so they break at <b>{at}</b>: from"
        f" {per_cent(mean[at - 1])} right to {per_cent(mean[at])}, the mean of all runs."
        f" {int((run.breaks == at).sum())} of the {len(late)} first fall below"
        f" {100 * cliff.BELOW:g} % just there."
    )


def _story() -> list[dict[str, Any]]:
    """The steps of the story that the landing page tells, after its riddle."""
    run = run_of("geometric")
    at, mean = run.mean_break, run.mean
    first, wrong, asked = blamed(run, at)
    start = {"spectrum": "geometric", "k": USUAL, "position": at, "back": at}
    groups = tables.groups()
    usual, bases = (tables.named(groups[f"geometric, {of}"]) for of in ("$k = 3$", "bases $10$ to $10^6$"))
    assert run.trained.all()
    told: list[dict[str, Any]] = [
        {
            "say": f"One text is no proof. Here are {len(run.seeds)} models with {asked // len(run.seeds)}"
            f" texts each: {per_cent(mean[at - 1])} of the answers are right at {at - 1},"
            f" {per_cent(mean[at])} at {at}. Of the {wrong} wrong ones {first} are the very first letter.",
            "start": start,
            "seen": {"hands": 0},
            "asked": None,
            "hint": "The bars are on the letters that it looks at.",
        },
        {
            "say": f"Why {at}? The model marks places with {run.omega.size} hands (<em>RoPE</em>). Each"
            " letter has a <em>query</em>, which looks, and a <em>key</em>, which is looked for. Both are"
            " turned with the position, so how well they fit depends only on the letters and their distance."
            f" Guess, then watch the two fastest hands go from {USUAL} back to {at} back.",
            "start": start,
            "seen": {},
            "asked": turns_of_the_way(),
            "hint": "",
        },
        {
            "say": "But two hands are not the whole story: they name the misleading letter in"
            f" {usual.hands} of {usual.learned} runs at these speeds, and in only"
            f" {bases.hands} of {bases.learned} at others."
            " So we choose hands that all come back at once.",
            "start": start | {"spectrum": "N = 73", "position": TRAINED - 1, "back": 73 + USUAL},
            "seen": {},
            "asked": where_now().then("Now choose 133."),
            "hint": "",
        },
    ]
    return ask.typeset(told)  # type: ignore[no-any-return]  # of the kind that it was given


class Cliff(Explorer):
    """How often trained models name the token *k* back at each position, and where one of them looks.

    >>> Cliff(position=60)
    Cliff(k=3, spectrum='geometric', position=60, back=47, step=0)
    """

    slug = "cliff"
    parts: ClassVar[tuple[str, ...]] = ("beyond", "returns", "hands")
    k = Choice(
        USUAL,
        OFFSETS,
        help="two of the spectra were trained with each; with the others the usual one is shown",
    )
    spectrum = Choice("geometric", SPECTRA, help="base 10,000, or a difference set modulo N")
    position = Number(50, low=0, high=TESTED - 1, integer=True)
    back = Number(
        47,
        low=0,
        high=TESTED - 1,
        integer=True,
        help="the token that is compared with the right one, in positions before the cursor",
    )
    step = Number(
        0, low=0, high=3, integer=True, help="of the story that the landing page tells; 0 is the explorer"
    )

    constants: ClassVar[dict[str, Any]] = {
        "trained": TRAINED,
        "usual": USUAL,
        "home": HOME,
        "spectra": {name: _hands(name) for name in SPECTRA},
        "settings": _settings(),
        "story": _story(),
        "outcomes": {name: [_asks(name), _outcome(name)] for name, order in _ORDERS.items() if order},
    }

    def __init__(self, **values: Any) -> None:
        step = values.get("step", 0)
        if step in range(1, 4):
            values = self.constants["story"][step - 1]["start"] | values
        super().__init__(**values)
