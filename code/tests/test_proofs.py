"""Every derivation holds, and no step of any could be wrong without `check` noticing.

The derivations themselves are tried at random points inside `check`; here each step is broken in
every way that applies (a sign, a factor, an index), and `check` must name the broken step.
"""

import dataclasses
import importlib
import pkgutil

import pytest
import sympy as sp

import posenc.proofs
from posenc.proofs import Derivation, DerivationError

pytestmark = pytest.mark.proofs

CHAPTERS = [m.name for m in pkgutil.iter_modules(posenc.proofs.__path__) if m.name != "derivation"]
THEOREMS = [
    pytest.param(theorem, id=f"{chapter}.{theorem.__name__}")
    for chapter in CHAPTERS
    for theorem in importlib.import_module(f"posenc.proofs.{chapter}").ALL
]


def broken(step):
    """The step with its right side spoilt, in each way that makes a true statement false."""
    right, matrix = step.right, getattr(step.right, "is_Matrix", False)
    if step.relation == "!=":
        yield "equality", dataclasses.replace(step, right=step.left)
    elif step.relation == "not in":
        irrational = sp.pi if step.left.has(sp.pi) else step.left
        yield "factor", dataclasses.replace(step, left=step.left / irrational)
    elif step.relation == "<=":
        yield "sign", dataclasses.replace(step, right=-right)
        yield "factor", dataclasses.replace(step, right=sp.Rational(1, 10**12) * right)
        yield "turned round", dataclasses.replace(step, left=right, right=step.left)
        if step.because is not None:
            yield "reason", dataclasses.replace(step, because=step.because + 1)
    else:
        zero = (sp.ImmutableMatrix(right) if matrix else right).is_zero_matrix if matrix else right.is_zero
        if zero:
            one = sp.ones(*right.shape) if matrix else 1
            yield (
                "not zero",
                dataclasses.replace(step, right=sp.ImmutableMatrix(right + one) if matrix else right + one),
            )
        else:
            yield "sign", dataclasses.replace(step, right=-right)
            yield "factor", dataclasses.replace(step, right=2 * right)
        for symbol in sorted(right.free_symbols, key=str):
            yield f"index {symbol}", dataclasses.replace(step, right=right.subs(symbol, symbol + 1))


def only(step):
    """A derivation of this one step."""
    derivation = Derivation("one step")
    derivation.steps.append(step)
    return derivation


@pytest.mark.parametrize("theorem", THEOREMS)
def test_holds(theorem):
    theorem().check()


@pytest.mark.parametrize("theorem", THEOREMS)
def test_every_step_can_fail(theorem):
    for number, step in enumerate(theorem().steps, 1):
        ways = list(broken(step))
        assert ways, f"step {number} cannot be broken: it says nothing"
        for how, spoilt in ways:
            with pytest.raises(DerivationError, match="step 1"):
                only(spoilt).check()
                pytest.fail(f"{theorem.__name__}, step {number}: {how} went unnoticed")


@pytest.mark.parametrize("theorem", THEOREMS)
def test_says_something(theorem):
    """No step repeats itself, and each has its reason."""
    proof = theorem()
    for step in proof.steps:
        assert sp.srepr(step.left) != sp.srepr(step.right), (
            f"{proof.title}: {step.reason}: both sides are the same"
        )
        assert step.reason and proof.title


@pytest.mark.parametrize("theorem", THEOREMS)
def test_shows_itself(theorem):
    proof = theorem()
    assert r"\begin{aligned}" in proof._repr_latex_()
    assert proof._repr_html_().count("<li><div") == len(proof.steps)


def test_symbolic_and_numeric_ways_are_both_asked(monkeypatch):
    """If one way were blind, the other would still find the error, and the message says which did."""
    x = sp.Symbol("x", real=True)
    wrong = Derivation("wrong").state(sp.sin(x) ** 2, "=", 1 + sp.cos(x) ** 2, "a sign")
    for blind, way in (("_holds_symbolically", "numerically"), ("_holds_numerically", "symbolically")):
        with monkeypatch.context() as patch:
            patch.setattr(f"posenc.proofs.derivation.{blind}", lambda *_: True)
            with pytest.raises(DerivationError, match=way):
                wrong.check()


def test_nothing_to_check_is_an_error():
    with pytest.raises(DerivationError, match="no steps"):
        Derivation("empty").check()


def test_unknown_relation():
    with pytest.raises(ValueError, match="relation"):
        Derivation("odd").state(1, "<>", 2, "no such relation")
