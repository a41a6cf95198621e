"""A derivation: steps that SymPy produces, each with its reason, and each verified twice.

A theorem's function builds a :class:`Derivation` by applying SymPy operations; what an operation
returns becomes the next line. :meth:`Derivation.check` then verifies every line symbolically and,
independently, as numbers at random points with 30 digits.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixExpr

DIGITS = 30
PRINT = {
    "mat_delim": "(",
    "fold_func_brackets": True,
    "imaginary_unit": "j",
}  # as the book's theorems are set
SMALL, BROKEN = (
    115,
    180,
)  # the widths at which matrices are set small, and a line is broken before its relation
RELATIONS = {"=": "=", "!=": r"\neq", "<=": r"\le", "not in": r"\notin"}


class DerivationError(AssertionError):
    """A step of a derivation does not hold; the message names the derivation and the step."""


class MatrixExp(MatrixExpr):
    """exp(A) of a square matrix, left unevaluated until ``doit``: SymPy's own ``A.exp()`` evaluates at once."""

    @property
    def shape(self):
        return self.args[0].shape

    def doit(self, **hints):
        return self.args[0].exp()

    def _eval_subs(self, old, new):
        return MatrixExp(self.args[0]._subs(old, new))

    def _latex(self, printer):
        return rf"\exp\!{printer._print(self.args[0])}"


@dataclass(frozen=True)
class Step:
    """One line: ``left relation right``, why it holds, and whether it continues the line above."""

    left: sp.Basic
    relation: str
    right: sp.Basic
    reason: str
    continues: bool = False
    because: sp.Basic | None = None  # for "<=": right - left, written so that no term can be negative

    def latex(self) -> str:
        """The line as LaTeX with one alignment mark; a continued line leaves its left side out."""
        width = _width(self.left) * (not self.continues) + _width(self.right)
        style = PRINT | ({"mat_str": "smallmatrix"} if width > SMALL else {})
        left = "" if self.continues else sp.latex(self.left, **style)
        if width > BROKEN and left:
            left = rf"&{left} \\"
        return rf"{left} &{RELATIONS[self.relation]} {sp.latex(self.right, **style)}"


def _width(expression: sp.Basic) -> int:
    """About how wide a formula is on the page: characters of its widest row, in SymPy's plain notation."""
    if isinstance(expression, (sp.MatMul, sp.Determinant)):
        return sum(map(_width, expression.args))
    if isinstance(expression, sp.BlockDiagMatrix):
        return sum(map(_width, expression.blocks))
    if isinstance(expression, sp.MatrixBase):
        return sum(
            2 + max(len(sp.sstr(entry)) for entry in expression.col(j)) for j in range(expression.cols)
        )
    return len(sp.sstr(expression))


class Derivation:
    """A theorem's title, hypotheses and steps; it shows itself as aligned LaTeX.

    >>> x, y = sp.symbols("x y", real=True)
    >>> proof = Derivation("The square of a sum", ["$x$ and $y$ are real"])
    >>> proof.derive((x + y) ** 2, sp.expand, "multiply out").check()
    Derivation('The square of a sum', 1 step)
    """

    def __init__(self, title: str, hypotheses: list[str] | tuple[str, ...] = ()):
        self.title = title
        self.hypotheses = tuple(hypotheses)
        self.steps: list[Step] = []

    def derive(self, left: sp.Basic, operation: Callable, reason: str) -> Derivation:
        """Begin a line: ``left = operation(left)``."""
        self.steps.append(Step(left, "=", operation(left), reason))
        return self

    def then(self, operation: Callable, reason: str) -> Derivation:
        """Continue the line: apply ``operation`` to its right side."""
        before = self.last
        self.steps.append(Step(before, "=", operation(before), reason, continues=True))
        return self

    def state(self, left, relation: str, right, reason: str, because=None) -> Derivation:
        """Add a line whose two sides earlier operations have produced; ``relation`` is a key of RELATIONS."""
        if relation not in RELATIONS:
            raise ValueError(f"relation must be one of {list(RELATIONS)}, got {relation!r}")
        because = None if because is None else sp.sympify(because)
        self.steps.append(Step(sp.sympify(left), relation, sp.sympify(right), reason, because=because))
        return self

    @property
    def last(self) -> sp.Basic:
        """The right side of the last line."""
        return self.steps[-1].right

    def check(self, points: int = 3) -> Derivation:
        """Verify every step, as numbers at random points and symbolically.

        Raises DerivationError, naming the step and the way, at the first that fails; returns self.
        """
        if not self.steps:
            raise DerivationError(f"{self.title}: no steps")
        chance = random.Random(self.title)
        for number, step in enumerate(self.steps, 1):
            for way, holds in (
                ("numerically", lambda s: all(_holds_numerically(s, chance) for _ in range(points))),
                ("symbolically", lambda s: _holds_symbolically(s)),
            ):
                if not holds(step):
                    line = f"{sp.sstr(step.left)} {step.relation} {sp.sstr(step.right)}"
                    raise DerivationError(
                        f"{self.title}: step {number} ({step.reason}) does not hold {way}: {line}"
                    )
        return self

    def __repr__(self) -> str:
        count = len(self.steps)
        return f"Derivation({self.title!r}, {count} step{'s' * (count != 1)})"

    def _repr_latex_(self) -> str:
        rows = [rf"{step.latex()} && \text{{{step.reason}}}" for step in self.steps]
        return "$$\n\\begin{aligned}\n" + " \\\\[4pt]\n".join(rows) + "\n\\end{aligned}\n$$"

    def _repr_html_(self) -> str:
        # Each line is its own display, so that a narrow page can put the reason under the mathematics.
        hypotheses = "".join(f"<li>{_inline(text)}</li>" for text in self.hypotheses)
        steps = "".join(
            rf'<li><div class="derivation-step">\[\begin{{aligned}}{html.escape(step.latex())}\end{{aligned}}\]</div>'
            f'<span class="derivation-reason">{_inline(step.reason)}</span></li>'
            for step in self.steps
        )
        return (
            '<section class="derivation mathjax_process">'
            f'<p class="derivation-title">{_inline(self.title)}</p>'
            + (f'<ul class="derivation-hypotheses">{hypotheses}</ul>' if hypotheses else "")
            + f'<ol class="derivation-steps">{steps}</ol></section>'
        )


def _inline(text: str) -> str:
    """Plain text with ``$...$`` as HTML with MathJax's inline delimiters."""
    return re.sub(r"\$([^$]+)\$", r"\\(\1\\)", html.escape(text))


# --- symbolic verification ---------------------------------------------------------------------


def _holds_symbolically(step: Step) -> bool:
    if step.relation == "=":
        return _vanishes(step.left.doit() - step.right.doit())
    if step.relation == "!=":
        return (step.left - step.right).is_zero is False
    if step.relation == "not in":
        return step.right.contains(step.left) is sp.false
    because = step.right - step.left if step.because is None else step.because
    return _vanishes(step.right - step.left - because) and _nonnegative(because)


def _vanishes(expression: sp.Basic) -> bool:
    """Whether the expression, or every entry of the matrix, is identically zero."""
    expression = expression.doit()
    if getattr(expression, "is_Matrix", False):
        return all(_vanishes(entry) for entry in sp.ImmutableMatrix(expression))
    ways = (
        sp.expand,
        lambda e: sp.expand(sp.expand_trig(sp.expand(e))),
        lambda e: sp.expand(sp.expand(e).rewrite(sp.exp)),
        sp.simplify,
    )
    return any(way(expression) == 0 for way in ways)


def _nonnegative(expression: sp.Basic) -> bool:
    """Whether no factor or term can be negative; integrals of such over [0, x >= 0] included."""
    if expression.is_nonnegative:
        return True
    if isinstance(expression, sp.Integral):
        forwards = all((upper - lower).is_nonnegative for _, lower, upper in expression.limits)
        return forwards and _nonnegative(expression.function)
    if isinstance(expression, (sp.Add, sp.Mul)):
        return all(_nonnegative(part) for part in expression.args)
    return False


# --- numerical verification --------------------------------------------------------------------


def _holds_numerically(step: Step, chance: random.Random) -> bool:
    with mpmath.workdps(2 * DIGITS):
        parts = [step.left, step.right] if step.relation != "not in" else [step.left]
        point = {
            s: _sample(s, chance) for s in sorted(set().union(*(p.free_symbols for p in parts)), key=str)
        }
        left, *rest = (_number(part, point) for part in parts)
        if step.relation == "not in":
            return step.right is not sp.S.Rationals or not _looks_rational(left[0])
        gap = [a - b for a, b in zip(left, rest[0], strict=True)]
        tolerance = mpmath.mpf(10) ** -DIGITS * (1 + max(abs(a) for a in left))
        if step.relation == "=":
            return all(abs(g) <= tolerance for g in gap)
        if step.relation == "!=":
            return any(abs(g) > tolerance for g in gap)
        return all(g <= tolerance for g in gap)


def _sample(symbol: sp.Symbol, chance: random.Random) -> sp.Expr:
    """A value that obeys the symbol's assumptions."""
    if symbol.is_integer:
        value = sp.Integer(chance.randint(1, 9) * (1 if symbol.is_nonnegative else chance.choice([-1, 1])))
    else:
        value = sp.Rational(chance.randint(1, 10**6), 314_159) * (
            1 if symbol.is_nonnegative else chance.choice([-1, 1])
        )
    return value * sp.sqrt(2) if symbol.is_irrational else value


def _number(expression: sp.Basic, point: dict) -> list:
    """The entries of the expression at the point, as mpmath numbers.

    Derivatives, integrals and matrix exponentials go to mpmath, not to the SymPy routines that derived them.
    """
    evaluated = _evaluate(expression, point)
    entries = list(evaluated) if getattr(evaluated, "is_Matrix", False) else [evaluated]
    return [mpmath.mpmathify(sp.N(entry, mpmath.mp.dps)) for entry in entries]


def _evaluate(expression: sp.Basic, point: dict) -> sp.Basic:
    if not isinstance(expression, sp.MatrixBase) and expression.has(sp.Derivative, sp.Integral, MatrixExp):
        if isinstance(expression, sp.Derivative):
            ((x, order),) = expression.variable_count
            return _entrywise(
                expression.expr, lambda e: mpmath.diff(_function(e, x, point), _mpf(point[x]), int(order))
            )
        if isinstance(expression, sp.Integral):
            ((x, lower, upper),) = expression.limits
            ends = [_mpf(_evaluate(end, point)) for end in (lower, upper)]
            return _entrywise(expression.function, lambda e: mpmath.quad(_function(e, x, point), ends))
        if isinstance(expression, MatrixExp):
            argument = sp.ImmutableMatrix(_evaluate(expression.args[0], point))
            exact = mpmath.expm(
                mpmath.matrix(argument.rows, argument.cols)
                + mpmath.matrix(argument.evalf(mpmath.mp.dps).tolist())
            )
            return sp.ImmutableMatrix(argument.rows, argument.cols, list(exact))
        return expression.func(*(_evaluate(part, point) for part in expression.args)).doit()
    value = expression.subs(point).doit()
    return (value.as_explicit() if isinstance(value, MatrixExpr) else value).evalf(mpmath.mp.dps)


def _entrywise(expression: sp.Basic, act: Callable) -> sp.Basic:
    """Apply ``act`` to a scalar, or to each entry of a matrix."""
    if getattr(expression, "is_Matrix", False):
        return sp.ImmutableMatrix(expression).applyfunc(lambda entry: sp.sympify(act(entry)))
    return sp.sympify(act(expression))


def _function(expression: sp.Expr, x: sp.Symbol, point: dict) -> Callable:
    def value(t):
        return mpmath.mpmathify(_evaluate(expression, {**point, x: sp.Float(t, mpmath.mp.dps)}))

    if expression.has(sp.Derivative, sp.Integral, MatrixExp):
        return value
    fixed = expression.subs({symbol: at for symbol, at in point.items() if symbol != x}).doit()
    return sp.lambdify(x, fixed, "mpmath")  # the same numbers, many times as fast


def _mpf(value: sp.Expr) -> mpmath.mpf:
    return mpmath.mpmathify(sp.N(value, mpmath.mp.dps))


def _looks_rational(value: mpmath.mpf) -> bool:
    """Whether the continued fraction ends: a quotient above 10^20 means a remainder of rounding size."""
    for _ in range(20):
        fraction = value - mpmath.floor(value)
        if fraction < mpmath.mpf(10) ** -20:
            return True
        value = 1 / fraction
    return False
