"""Every derivation holds, and no step of any could be wrong without `check` noticing.

The derivations themselves are tried at random points inside `check`; here each step is broken in
every way that applies (a sign, a factor, an index), and `check` must name the broken step.
"""

import dataclasses
import random
import re
from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest
import sympy as sp

from wavebook.proofs import Derivation, DerivationError, derivation, theorems, totals

# In one process, which derives each theorem once.
pytestmark = [pytest.mark.proofs, pytest.mark.xdist_group("proofs")]

THEOREMS = [pytest.param(theorem, id=name) for name, theorem in theorems().items()]


def broken(step):
    """The step with its right side spoilt, in each way that makes a true statement false."""
    right, matrix = step.right, getattr(step.right, "is_Matrix", False)
    if step.relation == "!=":
        yield "equality", dataclasses.replace(step, given=step.left)
    elif step.relation == "not in":
        irrational = sp.pi if step.left.has(sp.pi) else step.left
        yield "factor", dataclasses.replace(step, left=step.left / irrational)
    elif step.relation == "<=":
        yield "sign", dataclasses.replace(step, given=-right)
        yield "factor", dataclasses.replace(step, given=sp.Rational(1, 10**12) * right)
        yield "turned round", dataclasses.replace(step, left=right, given=step.left)
        if step.because is not None:
            yield "reason", dataclasses.replace(step, because=step.because + 1)
        if step.over is not None:  # what is proved by intervals is meant to be close
            yield "bound", dataclasses.replace(step, given=right - sp.Rational(1, 10**4))
    else:
        zero = (sp.ImmutableMatrix(right) if matrix else right).is_zero_matrix if matrix else right.is_zero
        if zero:
            one = sp.ones(*right.shape) if matrix else 1
            yield (
                "not zero",
                dataclasses.replace(step, given=sp.ImmutableMatrix(right + one) if matrix else right + one),
            )
        else:
            yield "sign", dataclasses.replace(step, given=-right)
            yield "factor", dataclasses.replace(step, given=2 * right)
        for symbol in sorted(right.free_symbols, key=str):
            yield f"index {symbol}", dataclasses.replace(step, given=right.subs(symbol, symbol + 1))


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
    page = proof._repr_html_()
    assert page.count("<li><div") == len(proof.steps)
    assert page.count('<li class="derivation-words">') == proof.counts["words"]
    marks = re.findall(r'<small class="derivation-mark">\[(?:the theorem: )?([a-z, ]+)\]', page)
    names = {"derived": "derived", "stated": "stated, checked", "words": "in words"}
    assert marks == [names[line.kind] for line in proof.lines]
    assert page.count("[the theorem: ") == sum(step.statement for step in proof.steps)
    assert page.startswith("<details ")
    assert page.endswith("</details>")
    assert "<summary>Proof</summary>" in page
    assert f'<p class="derivation-origin">{proof.summary}</p>' in page


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


def test_integrals_and_derivatives_are_not_left_to_sympy(monkeypatch):
    """Nor are those among the entries of a matrix."""
    x, t = sp.symbols("x t", positive=True)
    kinds = [(sp.Integral(sp.cos(t), (t, 0, x)), sp.sin(x)), (sp.Derivative(sp.sin(x), x), sp.cos(x))]
    for kind, value in kinds:
        for left, right in ((kind, value), (sp.ImmutableMatrix([kind]), sp.ImmutableMatrix([value]))):
            proof = Derivation("By numbers").state(left, "=", right, "known")
            with monkeypatch.context() as patched:
                patched.setattr(type(kind), "doit", lambda self, **hints: sp.Integer(7))
                # The numbers are compared first: it is not they that fail.
                with pytest.raises(DerivationError, match="symbolically"):
                    proof.check()


def test_counts_tell_how_each_line_came():
    x = sp.Symbol("x", real=True)
    proof = Derivation("three kinds").derive((x + 1) ** 2, sp.expand, "multiply out")
    proof.say("no square is negative").state(0, "<=", x**2, "so", because=x**2)
    assert proof.counts == {"derived": 1, "stated": 1, "words": 1}
    assert proof.last == x**2
    assert [line.kind for line in proof.lines] == ["derived", "words", "stated"]
    assert "no square is negative" in proof._repr_html_()
    assert "no square is negative" in proof._repr_latex_()
    assert proof.summary == "3 lines (1 derived by SymPy, 1 stated and checked, 1 in words)"
    assert not proof.states_theorem
    assert proof.concludes().states_theorem
    assert proof.check() is proof
    with pytest.raises(ValueError, match="got words: 'enough'"):
        proof.say("enough").concludes()


def test_an_interval_decides_what_no_certificate_does():
    x, y = sp.symbols("x y", real=True)
    waves = sp.sin(x) + sp.sin(2 * x)  # at most 1.76017..., where 4 cos^2 x + cos x = 2

    def stated(bound: str, high: sp.Expr = sp.pi) -> Derivation:
        right = sp.Rational(bound)
        return Derivation("waves").state(waves, "<=", right, "seen", over=(x, sp.Integer(0), high))

    stated("1.7602").check()
    stated("1.7601", sp.Rational(9, 10)).check()  # the peak is at 0.936
    for bound, high in (("1.7601", sp.pi), ("1.7601", sp.Rational(95, 100)), ("1", sp.pi)):
        with pytest.raises(DerivationError):
            stated(bound, high).check()
    with pytest.raises(ValueError, match="whose only symbol is x"):
        Derivation("two").state(y * waves, "<=", 2 * y**2 + 4, "no", over=(x, sp.Integer(0), sp.pi)).check()


def test_a_law_for_any_function_is_tried_with_one():
    u, s = sp.symbols("u s", positive=True)
    f, g = sp.Function("f"), sp.Function("g")
    product = sp.Derivative(f(u) * g(u), u)
    rule = f(u) * sp.Derivative(g(u), u) + g(u) * sp.Derivative(f(u), u)
    Derivation("product rule").state(product, "=", rule, "Leibniz").check()
    for wrong in (
        Derivation("a sign").state(product, "=", -rule, "no"),
        Derivation("functions exchanged").state(sp.Derivative(f(u) + 2 * g(u), u), "=", rule, "no"),
        Derivation("no symmetry").state(f(s * u), "=", f(s) * f(u), "no"),
    ):
        with pytest.raises(DerivationError, match="numerically"):
            wrong.check()


@pytest.mark.parametrize("pairs", range(1, 7))
def test_the_determinant_of_only_matrix_for_any_number_of_pairs(pairs):
    """Without SymPy, in 60 digits: Vandermonde's formula in the numbers e^(+-jw), and the determinant."""
    chance = random.Random(pairs)
    with mpmath.workdps(60):
        omegas = [mpmath.pi * (i + chance.uniform(0.1, 0.9)) / pairs for i in range(pairs)]
        table = mpmath.matrix(2 * pairs, 2 * pairs)
        for place in range(2 * pairs):
            for i, omega in enumerate(omegas):
                table[2 * i, place], table[2 * i + 1, place] = (
                    mpmath.sin(omega * place),
                    mpmath.cos(omega * place),
                )
        claimed = 2 ** (pairs * (pairs - 1)) * mpmath.fprod(map(mpmath.sin, omegas))
        for one, other in combinations(omegas, 2):
            claimed *= (mpmath.cos(one) - mpmath.cos(other)) ** 2
        units = [mpmath.expj(sign * omega) for omega in omegas for sign in (1, -1)]
        by_units = mpmath.fprod(abs(x - y) for x, y in combinations(units, 2)) / 2**pairs
        assert abs(abs(mpmath.det(table)) / claimed - 1) < mpmath.mpf(10) ** -40
        assert abs(by_units / claimed - 1) < mpmath.mpf(10) ** -50


@pytest.mark.parametrize("pairs", range(1, 5))
def test_the_determinant_of_only_matrix_exactly(pairs):
    """In fractions: with t = tan(w/2) rational, sine and cosine of every multiple of w are."""
    chance = random.Random(pairs)
    points = [Fraction(n, 7) for n in chance.sample(range(1, 60), pairs)]
    rows, claimed = [], Fraction(2 ** (pairs * (pairs - 1)))
    cosines = [(1 - t * t) / (1 + t * t) for t in points]
    for t, cosine in zip(points, cosines, strict=True):
        sine = 2 * t / (1 + t * t)
        waves = [(Fraction(0), Fraction(1))]
        for _ in range(2 * pairs - 1):
            s, c = waves[-1]
            waves.append((s * cosine + c * sine, c * cosine - s * sine))
        rows += [[wave[k] for wave in waves] for k in range(2)]
        claimed *= sine
    for one, other in combinations(cosines, 2):
        claimed *= (one - other) ** 2
    assert abs(determinant(rows)) == claimed != 0


def determinant(rows):
    """By elimination, in fractions."""
    if not rows:
        return Fraction(1)
    lead = next((row for row in rows if row[0]), None)
    if lead is None:
        return Fraction(0)
    others = [row for row in rows if row is not lead]
    rest = [[x - row[0] / lead[0] * y for x, y in zip(row[1:], lead[1:], strict=True)] for row in others]
    return (-1) ** rows.index(lead) * lead[0] * determinant(rest)


def test_the_largest_sum_of_a_family_lies_between_the_stated_bounds():
    """On a grid so fine that the second derivative lets nothing larger hide between its points."""
    steps = 2_000_000
    x = np.pi * np.arange(steps) / steps
    most = sum(np.sin(10**k * x) ** 2 for k in range(4)).max()
    hidden = sum(2 * 100**k for k in range(4)) * (np.pi / steps / 2) ** 2 / 2
    lower, upper = (theorems()["uniqueness.largest_distance"]().steps[i] for i in (3, 2))
    assert float(lower.left) <= most
    assert most + hidden <= float(upper.right)
    assert hidden < 1e-5


def test_totals_are_those_of_all_theorems():
    proofs = [theorem() for theorem in theorems().values()]
    found = totals()
    assert found["theorems"] == len(proofs) > 50
    for kind in ("derived", "stated", "words"):
        assert found[kind] == sum(line.kind == kind for proof in proofs for line in proof.lines) > 0
    assert found["lines"] == found["derived"] + found["stated"] + found["words"]
    assert 0 < found["statements"] < found["theorems"]
    printed = "".join(proof._repr_latex_() for proof in proofs)
    assert found["looked_up"] == printed.count(r"\pi n &\notin \mathbb{Q}") > 0


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


def test_a_sum_too_wide_for_the_page_goes_on_in_a_second_row():
    x = sp.Symbol("x", real=True)
    wide = sum((-1) ** n * sp.sin((2 * n + 1) * x + n) ** 2 for n in range(8))
    assert len(sp.sstr(wide)) > derivation.BROKEN
    latex = Derivation("wide").state(wide, "=", 0, "not so, and not checked here").steps[0].latex()
    above, below, relation = latex.split(r"\\")
    assert below.strip().startswith(r"&\quad ")
    assert relation.strip() == "&= 0"
    rows = (above + below).replace("&", "").replace(r"\quad", "")
    assert rows.split() == sp.latex(wide, **derivation.PRINT).split()
    narrow = Derivation("narrow").state(x + 1, "=", x, "not so").steps[0].latex()
    assert r"\\" not in narrow
