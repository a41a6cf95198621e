"""Every derivation holds, and no step of any could be wrong without `check` noticing.

The derivations themselves are tried at random points inside `check`; here each step is broken in
every way that applies (a sign, a factor, an index), and `check` must name the broken step.
"""

import dataclasses
import re

import pytest
import sympy as sp

from posenc.proofs import Derivation, DerivationError, derivation, theorems, totals

pytestmark = pytest.mark.proofs

THEOREMS = [pytest.param(theorem, id=name) for name, theorem in theorems().items()]


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
    alone = Derivation("one step")
    alone.lines.append(step)
    return alone


@pytest.mark.parametrize("theorem", THEOREMS)
def test_holds(theorem):
    theorem().check()


@pytest.mark.parametrize("theorem", THEOREMS)
def test_every_step_can_fail(theorem):
    for number, step in enumerate(theorem().steps, 1):
        ways = list(broken(step))
        assert ways, f"step {number} cannot be broken: it says nothing"
        unnoticed = [how for how, spoilt in ways if holds(only(spoilt))]
        assert not unnoticed, f"step {number}: unnoticed when spoilt in {unnoticed}"


@pytest.mark.parametrize("theorem", THEOREMS)
def test_a_derived_line_comes_from_its_left_side(theorem):
    """Another left side gives another right side, or none: what is called derived was not written down."""
    for number, step in enumerate(theorem().steps, 1):
        if step.kind != "derived":
            assert step.operation is None
            continue
        assert step.operation(step.left) == step.right
        try:
            other = step.operation(another(step.left))
        except (AttributeError, TypeError, ValueError, IndexError, NotImplementedError, sp.PolynomialError):
            continue
        assert other != step.right, f"step {number} ({step.reason}) does not look at its left side"


def another(expression):
    """A different expression of the same kind."""
    if isinstance(expression, sp.Determinant):
        return sp.Determinant(another(expression.args[0]))
    if isinstance(expression, sp.MatMul):
        return sp.MatMul(another(expression.args[0]), *expression.args[1:])
    more = sp.Symbol("more", positive=True)
    if isinstance(expression, sp.MatrixBase):
        return sp.ImmutableMatrix(2 * expression + more * sp.ones(*expression.shape))
    return 2 * expression + more


def holds(proof):
    """Whether check finds nothing; an error must name the one step."""
    complaint = None
    try:
        proof.check()
    except DerivationError as error:
        complaint = str(error)
    assert complaint is None or re.search(r"step 1 .* does not hold", complaint)
    return complaint is None


@pytest.mark.parametrize("theorem", THEOREMS)
def test_says_something(theorem):
    """No step repeats itself, and each has its reason."""
    proof = theorem()
    for step in proof.steps:
        assert sp.srepr(step.left) != sp.srepr(step.right), (
            f"{proof.title}: {step.reason}: both sides are the same"
        )
        assert step.reason
    assert proof.title


@pytest.mark.parametrize("theorem", THEOREMS)
def test_shows_itself(theorem):
    proof = theorem()
    assert r"\begin{aligned}" in proof._repr_latex_()
    assert proof._repr_html_().count("<li><div") == len(proof.steps)


@pytest.mark.parametrize("theorem", THEOREMS)
def test_is_derived_once_and_cannot_be_changed_for_others(theorem):
    first = theorem()
    lines = len(first.lines)
    first.say("a caller's own line")
    second = theorem()
    assert len(second.lines) == lines
    assert all(a is b for a, b in zip(first.lines, second.lines, strict=False))


def test_symbolic_and_numeric_ways_are_both_asked(monkeypatch):
    """If one way were blind, the other would still find the error, and the message says which did."""
    x = sp.Symbol("x", real=True)
    wrong = Derivation("wrong").state(sp.sin(x) ** 2, "=", 1 + sp.cos(x) ** 2, "a sign")
    for blind, way in (("_holds_symbolically", "numerically"), ("_holds_numerically", "symbolically")):
        with monkeypatch.context() as patch:
            patch.setattr(derivation, blind, lambda *_: True)
            with pytest.raises(DerivationError, match=way):
                wrong.check()


def test_limits_are_not_left_to_sympy(monkeypatch):
    """A limit that SymPy got wrong would be found far out, for waves that die down as for powers."""
    x, w = sp.symbols("x w", positive=True)
    cases = [sp.sin(w * x) / x + w, (2 * x + 1) / (x + w), (1 + w) ** -x]
    for expression in cases:
        right = expression.limit(x, sp.oo)
        Derivation("right").state(sp.Limit(expression, x, sp.oo), "=", right, "its limit").check()
        with monkeypatch.context() as patch:
            patch.setattr(sp.Limit, "doit", lambda _self, value=right + 1, **_hints: value)
            with pytest.raises(DerivationError, match="numerically"):
                Derivation("wrong").state(
                    sp.Limit(expression, x, sp.oo), "=", right + 1, "not its limit"
                ).check()
    with pytest.raises(DerivationError, match="numerically"):  # too slow to be seen: refused, not believed
        Derivation("slow").state(sp.Limit(1 / sp.log(x), x, sp.oo), "=", 0, "slowly").check()


def test_counts_tell_how_each_line_came():
    x = sp.Symbol("x", real=True)
    proof = Derivation("three kinds").derive((x + 1) ** 2, sp.expand, "multiply out")
    proof.say("no square is negative").state(0, "<=", x**2, "so", because=x**2)
    assert proof.counts == {"derived": 1, "stated": 1, "words": 1}
    assert proof.last == x**2
    assert [line.kind for line in proof.lines] == ["derived", "words", "stated"]
    assert "no square is negative" in proof._repr_html_()
    assert "no square is negative" in proof._repr_latex_()
    assert proof.check() is proof


def test_totals_are_those_of_all_theorems():
    proofs = [theorem() for theorem in theorems().values()]
    found = totals()
    assert found["theorems"] == len(proofs) > 50
    for kind in ("derived", "stated", "words"):
        assert found[kind] == sum(line.kind == kind for proof in proofs for line in proof.lines)


def test_a_name_is_taken_once(monkeypatch):
    monkeypatch.setattr(derivation, "THEOREMS", {})

    def twice() -> Derivation:
        return Derivation("twice")

    derivation.theorem(twice)
    with pytest.raises(ValueError, match=r"a second test_proofs\.twice"):
        derivation.theorem(twice)


def test_nothing_to_check_is_an_error():
    with pytest.raises(DerivationError, match="no steps"):
        Derivation("empty").check()


def test_unknown_relation():
    with pytest.raises(ValueError, match="relation"):
        Derivation("odd").state(1, "<>", 2, "no such relation")
