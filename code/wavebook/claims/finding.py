"""What a checked claim is: parts that a computation decides, and the verdict that follows from them.

A claim is taken apart into its *parts*, each a figure or a statement. A computation decides whether a part
holds, by one of these rules:

- :func:`rounds`: a figure said plainly holds if the computed value rounds to it, in the digits that were
  said;
- :func:`about`: a figure said to be about, almost or nearly so holds as well if it is within five percent;
- :func:`between`: a range holds if the computed value lies in it;
- :func:`exactly`: a figure that is meant exactly holds if the computed value differs from it by rounding
  alone;
- :func:`same`: an equality holds if the computed difference of its sides is rounding alone;
- :func:`says`: any other statement in words holds if the condition computed for it is true;
- :func:`differs`: that one measured mean is larger than another holds if it is so by more than training the
  same again shifts, fails if the other is larger by as much, and is *open* in between.

What was built or measured by others no program of ours can decide. Such a part neither holds nor fails:

- :func:`reported`: the cited source says what is so, and the part repeats it;
- :func:`unpublished`: there is no source that could be cited.

And where a claim says something else than what is so, a check can compute the latter, too: an :func:`aside`
decides nothing, and is there for the sentence that says why, and for who takes the values as data.

The claim *holds* if all its computed parts do, holds *partly* if some do, *fails* if none does and one fails,
and is *open* otherwise. A claim without a computed part is *reported*, or *not published* if nothing is.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import SupportsFloat

import numpy as np

from posenc.precision import ROUNDING

#: How far a figure may be off, as a fraction of it, if it was said to be about right.
ABOUT = 0.05
#: The rules of parts that no program decides.
UNDECIDED = ("reported", "unpublished", "aside")


class Verdict(StrEnum):
    """What a check finds."""

    HOLDS = "holds"
    PARTLY = "partly"
    FAILS = "fails"
    OPEN = "open"
    REPORTED = "reported"
    UNPUBLISHED = "not published"


@dataclass(frozen=True)
class Part:
    """A figure or statement of a claim: what was computed, whether it holds, by which rule, what was said.

    `holds` is None for what nobody can compute, for a difference that is open, and for an aside. `claimed` is
    a range, of one point for a single figure; None for what is no figure.
    """

    name: str
    computed: float | str
    holds: bool | None
    rule: str
    claimed: tuple[float, float] | None = None


@dataclass(frozen=True)
class Finding:
    """A claim and what its check found.

    `why` and `shown` are MyST: a sentence, and references to what settles the claim.
    """

    id: str
    claim: str
    parts: tuple[Part, ...]
    why: str
    shown: str

    @property
    def verdict(self) -> Verdict:
        """Holds if all computed parts do, partly if some do, or fails or is open; or what is known else.

        >>> both = [(Part("", 1, a, "says"), Part("", 1, b, "says")) for a, b in [(1, 1), (1, 0), (0, 0)]]
        >>> [Finding("X-1", "", parts, "", "").verdict.value for parts in both]
        ['holds', 'partly', 'fails']
        >>> known = (reported("BERT", "a learned table"), unpublished("GPT-5"))
        >>> Finding("X-1", "", known, "", "").verdict.value
        'reported'
        """
        computed = [part.holds for part in self.parts if part.rule not in UNDECIDED]
        if not computed:
            known = any(part.rule == "reported" for part in self.parts)
            return Verdict.REPORTED if known else Verdict.UNPUBLISHED
        if any(computed):
            return Verdict.HOLDS if all(computed) else Verdict.PARTLY
        return Verdict.FAILS if False in computed else Verdict.OPEN


def _number(value: SupportsFloat, name: str) -> float:
    """The value as a float, or an error if it is not finite: that NaN is wrong would be no finding."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be computed as a finite number, got {value!r}")
    return number


def digits(value: SupportsFloat, places: int = 2) -> float:
    """A measured value in digits that do not hang on the last bits. Only what is shown is rounded, and once.

    >>> digits(0.07260), digits(0.29536 - 0.28328)
    (0.07, 0.01)
    """
    return round(float(value), places)


def _rounds(said: str, computed: float) -> bool:
    """Whether the computed value rounds to a figure, in the digits that were said."""
    exponent = Decimal(said).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"a figure must be finite, got {said!r}")
    return abs(Decimal(computed) - Decimal(said)) <= Decimal("0.5").scaleb(exponent)


def rounds(name: str, said: str, computed: SupportsFloat) -> Part:
    """A figure said plainly: it holds if the computed value rounds to it, in the digits that were said.

    >>> rounds("diameter", "11.3", 11.3137).holds, rounds("diameter", "11.3", 11.37).holds
    (True, False)
    >>> rounds("parameters", "524288", 524288).holds
    True
    """
    figure, value = float(said), _number(computed, name)
    return Part(name, value, _rounds(said, value), "rounds", (figure, figure))


def about(name: str, said: str, computed: SupportsFloat) -> Part:
    """A figure said to be about, almost or nearly so: the value is within five percent, or rounds to it.

    >>> [about("distance", "1", value).holds for value in (0.9589, 1.25)], about("cycles", "2", 0.955).holds
    ([True, True], False)
    """
    figure, value = float(said), _number(computed, name)
    holds = _rounds(said, value) or abs(value - figure) <= ABOUT * abs(figure)
    return Part(name, value, holds, "about", (figure, figure))


def between(name: str, low: float, high: float, computed: SupportsFloat) -> Part:
    """A range: it holds if the computed value lies in it.

    >>> between("distance", 6, 7, 6.24).holds, between("cycles", 2, 3, 0.83).holds
    (True, False)
    """
    value = _number(computed, name)
    return Part(name, value, low <= value <= high, "between", (float(low), float(high)))


def exactly(name: str, said: SupportsFloat, computed: SupportsFloat) -> Part:
    """A figure that is meant exactly: it holds if the computed value differs from it by rounding alone.

    >>> exactly("norm", 16, 16 + 2e-15).holds, exactly("norm", 16, 16.001).holds
    (True, False)
    """
    figure, value = float(said), _number(computed, name)
    holds = abs(value - figure) <= ROUNDING * max(1, abs(figure))
    return Part(name, value, holds, "exactly", (figure, figure))


def same(name: str, difference: SupportsFloat) -> Part:
    """An equality: it holds if the difference of its sides, which may be given with its sign, is rounding.

    >>> same("difference", 3e-16).holds, same("difference", -3e-3).holds
    (True, False)
    """
    value = abs(_number(difference, name))
    return Part(name, value, value <= ROUNDING, "same")


def says(name: str, computed: SupportsFloat | str, holds: bool | np.bool) -> Part:
    """A statement in words: it holds if the condition is true; `computed` is the quantity it is about.

    >>> says("smallest distance", 0.282, 0.282 > 0).holds
    True
    """
    value = computed if isinstance(computed, str) else _number(computed, name)
    return Part(name, value, bool(holds), "says")


def differs(name: str, first: SupportsFloat, second: SupportsFloat, *, beyond: float) -> Part:
    """One measured mean is larger than another, by more than `beyond`; if as much smaller, no; else open.

    >>> [differs("gain", first, 0.6, beyond=0.1).holds for first in (0.8, 0.65, 0.4)]
    [True, None, False]
    """
    value = _number(first, name) - _number(second, name)
    return Part(name, value, value > beyond if abs(value) > beyond else None, "differs")


def reported(name: str, found: str) -> Part:
    """What others built or measured: `found` is what the source says that `shown` cites. We do not decide it.

    >>> reported("GPT-2", "a learned table")
    Part(name='GPT-2', computed='a learned table', holds=None, rule='reported', claimed=None)
    """
    return Part(name, found, None, "reported")


def unpublished(name: str) -> Part:
    """What no source that could be cited says anything about.

    >>> unpublished("GPT-5").computed
    'not published'
    """
    return Part(name, "not published", None, "unpublished")


def aside(name: str, computed: SupportsFloat) -> Part:
    """What is so where the claim says something else: a value for the sentence, which decides nothing.

    >>> aside("distance in the corners", 9.5)
    Part(name='distance in the corners', computed=9.5, holds=None, rule='aside', claimed=None)
    """
    return Part(name, _number(computed, name), None, "aside")


_PLACE = re.compile(r"%\{([^{}:]+)(?::([^{}:]*))?\}")


def fill(sentence: str, parts: Iterable[Part]) -> str:
    """A sentence with the computed values of parts in its places, ``%{name}`` or ``%{name:format}``.

    >>> fill("They are %{distance:.2f} apart.", [aside("distance", 0.2822)])
    'They are 0.28 apart.'
    """
    values = {part.name: part.computed for part in parts}

    def value(place: re.Match[str]) -> str:
        if place[1] not in values:
            raise ValueError(f"sentence must name parts of its check, got {place[0]} in {sentence!r}")
        return format(values[place[1]], place[2] or "").replace("-", "−")

    return _PLACE.sub(value, sentence)


Check = Callable[[], Iterable[Part]]

#: The check of each claim.
_CHECKS: dict[str, Check] = {}


def check(claim: str) -> Callable[[Check], Check]:
    """Register a function as the check of a claim."""

    def register(function: Check) -> Check:
        if claim in _CHECKS:
            raise ValueError(f"claim must have one check, got a second one for {claim}")
        _CHECKS[claim] = function
        return function

    return register


def checked() -> list[str]:
    """The ids of the claims that have a check."""
    return list(_CHECKS)


def evaluate(claims: Iterable[Mapping[str, str]]) -> list[Finding]:
    """Run the check of every claim.

    Parameters
    ----------
    claims : mappings as wavebook/data/claims.yml lists them, with the keys ``id``, ``claim``, ``why`` and
        ``shown``: the sentence that says why it comes out so, with places for what the check computes (see
        :func:`fill`), and where to look, both in MyST

    Returns
    -------
    list of Finding, in the order of the claims

    Raises
    ------
    ValueError
        If an id comes twice, has no check or no sentence that says why, or if a check returns no part or two
        of one name.
    """
    claims = list(claims)
    ids = [claim["id"] for claim in claims]
    if twice := sorted({key for key in ids if ids.count(key) > 1}):
        raise ValueError(f"claims must have ids of their own, got twice: {', '.join(twice)}")
    if without := [key for key in ids if key not in _CHECKS]:
        raise ValueError(
            f"claims must each have a check in wavebook.claims, got none for: {', '.join(without)}"
        )
    if unsaid := [claim["id"] for claim in claims if not claim.get("why")]:
        raise ValueError(f"why must be a sentence, got none for: {', '.join(unsaid)}")
    findings = []
    for claim in claims:
        parts = tuple(_CHECKS[claim["id"]]())
        if not parts or len({part.name for part in parts}) < len(parts):
            names = [part.name for part in parts]
            raise ValueError(f"the check of {claim['id']} must return parts of different names, got {names}")
        why = fill(claim["why"], parts)
        findings.append(Finding(claim["id"], claim["claim"], parts, why, claim["shown"]))
    return findings
