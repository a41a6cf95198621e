"""The explorer of trained heads' hands: what each adds, in the mean, to the score of the right token."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from wavebook.examples import HOME
from wavebook.experiments import cliff
from wavebook.explorers import ask
from wavebook.explorers.base import Choice, Explorer, Number
from wavebook.say import at_least

#: The token that the heads were trained to say, and the tokens of a sequence in training.
BACK, TRAINED = 3, 32
#: The last position that is shown.
LAST = 127
#: How much each hand counts.
WEIGHTS = ("as trained", "all alike")
_RUN = cliff.load().run("back", "RoPE", back=BACK, spectrum="geometric")
_MISLEADS = cliff.two_hands(_RUN)[0]
#: As far as this, in turns, a hand is elsewhere.
_AWAY = 0.2


def _heads() -> dict[str, dict[str, Any]]:
    """For each way of counting: the hands as complex numbers, and the most that each can add."""
    assert _RUN.head is not None
    heads = _RUN.head / math.sqrt(2 * _RUN.omega.size)  # as the softmax gets them
    right = np.exp(1j * _RUN.omega * BACK)
    alike = np.abs(heads).sum(1).mean() / _RUN.omega.size
    mean = heads.mean(0)
    made = {
        WEIGHTS[0]: (mean, np.abs(mean) + (mean * right).real),
        WEIGHTS[1]: (alike / right, np.full(_RUN.omega.size, 2 * alike)),
    }
    return {
        name: {
            "hands": [[round(float(hand.real), 3), round(float(hand.imag), 3)] for hand in hands],
            "most": np.round(most, 3).tolist(),
        }
        for name, (hands, most) in made.items()
    }


def leads(weights: str, offset: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What each hand adds to the lead of the right token over the one at an offset."""
    hands = np.array([complex(*hand) for hand in Votes.constants["heads"][weights]["hands"]])
    turned = np.exp(1j * _RUN.omega * BACK) - np.exp(1j * _RUN.omega * offset)
    return np.asarray((hands * turned).real, np.float64)


def beside(weights: str, offset: float) -> float:
    """What the token at an offset gets by the mean scores, as a fraction of what the right token gets."""
    return math.exp(-float(leads(weights, offset).sum()))


def _from_home(offset: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """How far each hand is from where it points at the right token, in turns."""
    turns = _RUN.omega * (offset - BACK) / (2 * math.pi)
    return np.abs(turns - np.rint(turns))


def why_not_saved() -> ask.Prediction:
    """Why the slower hands do not keep the head from the token that two hands take for the right one."""
    assert _RUN.head is not None
    steps, off = _MISLEADS - BACK, _from_home(_MISLEADS)
    nearest = min(_from_home(offset)[:2].max() for offset in range(TRAINED) if offset != BACK)
    assert off[:2].max() < min(HOME, nearest)
    away = np.flatnonzero(off > _AWAY)
    names = {5: "Five", 6: "Six"}
    heard = np.abs(_RUN.head)
    two = (heard[:, :2].sum(1) / heard.sum(1)).mean()
    bars = [beside(WEIGHTS[0], offset) for offset in range(LAST + 1)]
    highest = {int(offset) for offset in np.argsort(bars)[::-1][1:8]}  # without the right token's
    mean = _RUN.mean[: LAST + 1]
    falls = {int(n) + 1 for n in np.argsort(mean[1:] - mean[:-1])[:6]}  # where it is not a number is last
    assert falls < highest
    ahead = [leads(WEIGHTS[0], offset) for offset in range(TRAINED) if offset != BACK]
    least, here = min(lead.sum() for lead in ahead), leads(WEIGHTS[0], _MISLEADS)
    rest_here, rest = here[2:].sum(), sum(Votes.constants["heads"][WEIGHTS[0]]["most"][2:])
    assert here[:2].sum() < 0.1 < 1 < rest_here < here.sum() < least - 2
    for_right = int((here[away] > 0).sum())
    assert _RUN.weights is not None
    assert np.abs(_RUN.weights[:, _MISLEADS, BACK] - _RUN.accuracy[:, _MISLEADS]).max() < 0.03
    return ask.choice(
        f"Go from {BACK} back to {_MISLEADS} back: in these {steps} steps the two fastest hands return."
        f" {names[away.size]} others are then a fifth of a turn or more from home. Why don't they save the"
        " head?",
        {
            "few": "they are too few",
            "cancel": "what they say cancels out",
            "quiet": "the head listens to them too little",
        },
        truth="quiet" if two > 0.5 and for_right > away.size / 2 else "cancel",
        because=f"up to {TRAINED - 1} back, as far as training went, the two fastest are never both so near"
        f" home, and {BACK} back leads by at least {at_least(least, 1)} in score. At {_MISLEADS} back the two"
        f" add next to nothing to that lead, and the other {_RUN.omega.size - 2} only {rest_here:.1f}, though"
        f" they could add up to {rest:.1f}",
        tempting={
            "few": f"They are {away.size} against two.",
            "cancel": f"{for_right} of the {away.size} speak for the right token.",
        },
        hides=["heard", "beyond", "right", "numbers"],
        acts=[
            {"offset": [BACK, _MISLEADS], "seconds": 1.5, "even": True},
            {"show": "beyond", "seconds": 0.4},
            {"show": "heard", "seconds": 0.6},
            {"show": "right", "seconds": 0.4},
        ],
    ).then(
        f"Where a bar is high, the dots fall: at {_MISLEADS} each run is right about as often as {BACK} back"
        " has its weight. Go to 15 back, where the others do save it. Then let all hands count alike, and"
        " go to 2 back."
    )


class Votes(Explorer):
    """How each hand of heads that were trained to look three back tells the right token from another one.

    >>> Votes(offset=47)
    Votes(offset=47, weights='as trained')
    """

    slug = "votes"
    #: The most that each hand can add, the tokens farther than any in training, and the right answers.
    parts: ClassVar[tuple[str, ...]] = ("heard", "beyond", "right")
    offset = Number(
        BACK,
        low=0,
        high=LAST,
        integer=True,
        help="the token that is compared with the right one, in positions before the one that looks",
    )
    weights = Choice(
        WEIGHTS[0],
        WEIGHTS,
        help="how much each hand counts: the mean of all runs, or all the same, together as much",
    )

    constants: ClassVar[dict[str, Any]] = {
        "back": BACK,
        "trained": TRAINED,
        "runs": len(_RUN.seeds),
        "home": HOME,
        "omegas": [float(f"{omega:.9g}") for omega in _RUN.omega],
        "right": np.round(1000 * _RUN.mean[BACK : LAST + 1]).astype(int).tolist(),
        "heads": _heads(),
    }
