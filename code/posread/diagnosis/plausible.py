"""Frequencies that were read, and whether they can be meant."""

from __future__ import annotations

from posread.diagnosis.reading import Frequencies, Problem, number

#: Bases beyond these are in no use that is known.
BASES = (2.0, 1e12)


def slowest_first(names: Frequencies, first: float) -> bool:
    """Whether frequencies that rise from ``first`` end at 1: the usual ones, in reverse order."""
    values = names.values
    return names.rising and bool(values[0]) and abs(abs(first * values[-1] / values[0]) - 1) < 1e-3


def stepped(names: Frequencies, first: float) -> bool:
    """Whether a first frequency other than 1 is as it should be: it ends at 1, or LongRoPE slowed it, too."""
    return slowest_first(names, first) or (names.blend == "LongRoPE" and 0.5 < first < 1)


def of_frequencies(names: Frequencies, table: bool, first: float = 1.0) -> list[Problem]:
    """What is implausible in frequencies, of which the first is ``first`` radians per position."""
    result: list[Problem] = []
    if names.law == "equal":
        result.append(
            Problem(
                "equal-frequencies",
                "All pairs turn at the same frequency, so they are copies of one another: the base is 1.",
                expected="different frequencies",
                found=names.values[0],
                origin="An integer division may have made every exponent 0.",
                cure="Compute the exponent 2i / d in floating point.",
            )
        )
    elif names.law == "own":
        ratios = [a / b for a, b in zip(names.values, names.values[1:], strict=False) if b]
        result.append(
            Problem(
                "unknown-frequencies",
                "The frequencies follow no law that is tried: the ratios of neighbors run from "
                f"{min(ratios):.4g} to {max(ratios):.4g}.",
                expected="one ratio, or a known blend",
                found=names.values[:1000],
            )
        )
    elif names.rising and names.base is not None and slowest_first(names, first):
        result.append(
            Problem(
                "rising-frequencies",
                "The frequencies rise from pair to pair and end at 1: the usual ones, slowest first.",
                expected="falling",
                found="rising",
                cure="Unless weights expect it, put the pairs in reverse order.",
            )
        )
    elif names.rising and names.base is not None and not (names.base == 0.5 and names.over == 2):
        result.append(
            Problem(
                "rising-frequencies",
                "The frequencies rise from pair to pair: they are "
                f"{number(1 / names.base)}^(+2i/{number(names.over)}).",
                expected="falling",
                found="rising",
                origin="The position was divided where it should be multiplied, or a minus is missing.",
                cure="Multiply the position by base^(-2i/d), or divide it by base^(2i/d), once.",
            )
        )
    elif names.law == "geometric" and names.base is not None and names.base != 0.5:
        if not BASES[0] <= names.base <= BASES[1]:
            result.append(
                Problem(
                    "base",
                    f"The base is {number(names.base)}, which is in no use that is known.",
                    expected=BASES,
                    found=names.base,
                )
            )
        elif names.base == 1e8 and table:
            result.append(
                Problem(
                    "base",
                    "The base is 10^8, which is 10,000 squared.",
                    expected=1e4,
                    found=1e8,
                    origin="An index that runs 0, 2, 4 and is doubled in 10,000^(2i/d) gives that.",
                    cure="Unless it is meant, use the index itself.",
                )
            )
    return result
