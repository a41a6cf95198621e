"""SymPy derivations, a module for each topic; every function returns a Derivation to be checked on demand."""

import importlib
import pkgutil
from collections.abc import Callable

from posenc.proofs.derivation import THEOREMS, Derivation, DerivationError, Step, Words

__all__ = ["Derivation", "DerivationError", "Step", "Words", "theorems", "totals"]


def theorems() -> dict[str, Callable[[], Derivation]]:
    """Every theorem's function, by its module's name and its own: ``two_dimensions.rotation`` and so on."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(THEOREMS)


def totals() -> dict[str, int]:
    """How many theorems there are, and how many lines of all their derivations are of each kind.

    The keys are ``theorems``, ``derived``, ``stated`` and ``words``.
    """
    proofs = [derive() for derive in theorems().values()]
    kinds = [proof.counts for proof in proofs]
    return {"theorems": len(proofs)} | {kind: sum(one[kind] for one in kinds) for kind in kinds[0]}
