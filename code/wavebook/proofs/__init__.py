"""SymPy derivations, a module for each topic; every function returns a Derivation to be checked on demand."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable
from typing import get_args

import sympy as sp

from wavebook.proofs.derivation import THEOREMS, Derivation, DerivationError, Kind, Step, Words

__all__ = ["Derivation", "DerivationError", "Step", "Words", "theorems", "totals"]


def theorems() -> dict[str, Callable[[], Derivation]]:
    """Every theorem's function, by its module's name and its own: ``two_dimensions.rotation`` and so on."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(THEOREMS)


def totals() -> dict[str, int]:
    """How many theorems there are, and how many lines of all their derivations are of each kind.

    Returns
    -------
    dict
        ``theorems``: the theorems with a derivation; ``statements``: those of them whose statement is among
        the checked lines; ``lines``: all lines, which are ``derived``, ``stated`` or ``words``;
        ``looked_up``: those stated lines that only ask SymPy for a fact which it has stored and does not
        prove, that no multiple of pi but zero is a fraction.
    """
    proofs = [derive() for derive in theorems().values()]
    kinds = sum((Counter(proof.counts) for proof in proofs), Counter())
    return {
        "theorems": len(proofs),
        "statements": sum(proof.states_theorem for proof in proofs),
        "lines": kinds.total(),
        "looked_up": sum(
            step.relation == "not in" and step.left.has(sp.pi) for proof in proofs for step in proof.steps
        ),
        **{kind: kinds[kind] for kind in get_args(Kind)},
    }
