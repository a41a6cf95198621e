"""The explorer that the book begins with: one text, letter by letter, and what a trained model says to it."""

from __future__ import annotations

from typing import Any, ClassVar

from wavebook.experiments.cliff import letters
from wavebook.explorers import ask
from wavebook.explorers.base import Explorer, Number
from wavebook.explorers.cliff import (
    TESTED,
    TRAINED,
    USUAL,
    blamed,
    run_of,
    spelled,
)

_RUN = run_of("geometric")
_TEXT = letters.load()[_RUN.trial.name]
_BREAKS = _RUN.mean_break


def why_wrong() -> ask.Prediction:
    """Why the model goes wrong where it does: for ``Riddle``."""
    assert _TEXT.wrong[0] == _BREAKS
    assert _TEXT.said[_BREAKS] == _TEXT.letters[0]
    return ask.choice(
        f"At letter {_BREAKS} it says a wrong one. Why?",
        {
            "long": f"everything past {TRAINED} letters is new to it",
            "thin": "among so many, attention gets too thin",
            "twin": "another letter looks like the right one",
        },
        truth="twin",
        because=f"it says the one {_BREAKS} back, and no letter was {_BREAKS} back before",
        tempting={
            "long": f"Then it would go wrong at {TRAINED}.",
            "thin": "Then it could say anything.",
        },
        hides=["answer"],
        acts=[{"position": _BREAKS, "seconds": 0.4}, {"show": "answer", "seconds": 1.4}],
    ).plainly(
        "It says the very first letter, of all things. To the model that looks like the right one."
        " Why that one? Two clock hands are to blame, as you will see below.",
        f"This is one text of one model; farther down are {len(_RUN.seeds)} models with"
        f" {blamed(_RUN, _BREAKS)[2] // len(_RUN.seeds)} texts each.",
    )


class Riddle(Explorer):
    """A recorded text, and over each letter what a model said that was trained to say the one three back.

    With a question it reads up to the letter that is asked about.

    >>> Riddle(position=40)
    Riddle(position=40)
    """

    slug = "riddle"
    #: What is said at the letter that the question is about, and which letter it is.
    parts: ClassVar[tuple[str, ...]] = ("answer",)
    position = Number(
        _BREAKS - 1, low=USUAL, high=TESTED - 1, integer=True, help="the letter that it has read last"
    )

    constants: ClassVar[dict[str, Any]] = {
        "text": spelled(_RUN),
        "trained": TRAINED,
        "breaks": _BREAKS,
    }
