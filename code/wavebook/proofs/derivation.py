r"""A derivation: the lines of a theorem's proof, each with its reason, and each line's origin on record.

A theorem's function builds a :class:`Derivation`. There are three kinds of line:

``derived``
    ``left = right``, where a SymPy operation made the right side from the left one, or from the right side
    of the line before (:meth:`Derivation.derive`, :meth:`Derivation.then`).
``stated``
    ``left relation right`` with both sides written by the author (:meth:`Derivation.state`).
``words``
    A step of the argument in words (:meth:`Derivation.say`). Nothing checks it.

:meth:`Derivation.check` verifies every derived and every stated line twice, and no other:

as symbols
    An equation holds if SymPy reduces the difference of its sides to zero. ``<=`` holds if the certificate
    ``because`` equals the difference and has no negative term or factor, by SymPy's rules of sign; or, on
    an interval (``over``), if interval arithmetic proves it on each of the pieces into which it is cut.
    ``!=`` and ``not in`` ask SymPy what it knows of the number: that :math:`\pi` is irrational is a fact
    stored there, not a result.
as numbers
    The sides are computed at random points with 60 digits and compared to 30; for a function that is not
    named, such as N, a random one is put in. Derivatives, integrals, matrix
    exponentials and limits go to mpmath, not to the SymPy routines that derived them; a limit at infinity is
    compared with the value far out (:data:`FAR`), so that one approached more slowly than ``1/x`` is refused.
    ``not in`` the rationals is only tested through twenty partial quotients of the continued fraction: this
    finds fractions with small denominators, and cannot prove that there is no other.

Neither way checks the ``reason`` beside a line or the step from the lines to the theorem.
"""

import copy
import functools
import html
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, ParamSpec, Self, get_args

import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.pycode import MpmathPrinter

Kind = Literal["derived", "stated", "words"]
Relation = Literal["=", "!=", "<=", "not in"]
Operation = Callable[[sp.Basic], sp.Basic]
Point = dict[sp.Symbol, sp.Expr]
Range = tuple[sp.Symbol, sp.Expr, sp.Expr]
P = ParamSpec("P")

DIGITS = 30
FAR = sp.Integer(10) ** 40 + 7
PRINT = {"mat_delim": "(", "fold_func_brackets": True, "imaginary_unit": "j"}  # as the book sets theorems
PIECES, NARROW = 100_000, 1e-12  # how many pieces a range is cut into at most, and how narrow they become
BROKEN = 115  # the width at which matrices are set small, and a line is broken before its relation
RELATIONS: dict[Relation, str] = {"=": "=", "!=": r"\neq", "<=": r"\le", "not in": r"\notin"}


class DerivationError(AssertionError):
    """A step of a derivation does not hold; the message names the derivation and the step."""


class MatrixExp(MatrixExpr):  # type: ignore[misc]  # SymPy has no types
    """exp(A) of a square matrix, unevaluated until ``doit``: SymPy's own ``A.exp()`` evaluates at once."""

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of A."""
        return tuple(self.args[0].shape)

    def doit(self, **hints: object) -> sp.Basic:
        """The exponential as SymPy evaluates it."""
        return self.args[0].exp()

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic:
        return MatrixExp(self.args[0]._subs(old, new))

    def _latex(self, printer: Any) -> str:
        return rf"\exp\!{printer._print(self.args[0])}"


@dataclass(frozen=True)
class Step:
    """A line that is checked: ``left relation right``, its reason, and how it came to be."""

    left: sp.Basic
    relation: Relation
    #: The right side where the author has written it; of a derived line it is made when it is asked for.
    given: sp.Basic | None
    reason: str
    kind: Kind
    #: Whether the left side is the right side of the line above, and is not printed again.
    continues: bool = False
    #: Of a derived line: what made the right side from the left one.
    operation: Operation | None = None
    #: Of a line with ``<=``: right - left, written so that no term can be negative.
    because: sp.Basic | None = None
    #: Of a line with ``<=`` that interval arithmetic proves: the symbol, and from where to where it runs.
    over: Range | None = None
    #: Whether the line is the theorem's statement, or a part of it.
    statement: bool = False

    @functools.cached_property
    def right(self) -> sp.Basic:
        """The right side."""
        if self.given is not None:
            return self.given
        assert self.operation is not None
        return self.operation(self.left)

    def latex(self) -> str:
        """The line as LaTeX with one alignment mark; a continued line leaves its left side out."""
        width = _width(self.left) * (not self.continues) + _width(self.right)
        style = PRINT | ({"mat_str": "smallmatrix"} if width > BROKEN else {})
        if self.left.has(AppliedUndef) or self.right.has(AppliedUndef):
            style["fold_func_brackets"] = False  # f x for f(x) is for functions with a name of their own
        left = "" if self.continues else _rows(self.left, style)
        if width > BROKEN and left:
            left = rf"&{left} \\"
        return rf"{left} &{RELATIONS[self.relation]} {_rows(self.right, style)}"


@dataclass(frozen=True)
class Words:
    """A line of the argument in words; nothing checks it."""

    text: str
    kind: Kind = "words"


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


def _rows(side: sp.Basic, style: dict[str, Any]) -> str:
    """One side of a line as LaTeX; a sum that is too wide for the page goes on in a second row."""
    if not isinstance(side, sp.Add) or _width(side) <= BROKEN:
        return str(sp.latex(side, **style))
    terms = [str(sp.latex(term, **style)) for term in side.as_ordered_terms()]
    signed = terms[:1] + [term if term.startswith("-") else f"+ {term}" for term in terms[1:]]
    half = (len(signed) + 1) // 2
    return rf"{' '.join(signed[:half])} \\ &\quad {' '.join(signed[half:])}"


class Derivation:
    """A theorem's title, hypotheses and lines; it shows itself as aligned LaTeX.

    Parameters
    ----------
    title : str
        What is derived.
    hypotheses : sequence of str
        What is assumed, as text with formulas between dollar signs.

    Examples
    --------
    >>> x, y = sp.symbols("x y", real=True)
    >>> proof = Derivation("The square of a sum", ["$x$ and $y$ are real"])
    >>> proof.derive((x + y) ** 2, sp.expand, "multiply out").check()
    Derivation('The square of a sum', 1 step)
    >>> proof.counts
    {'derived': 1, 'stated': 0, 'words': 0}
    """

    def __init__(self, title: str, hypotheses: Sequence[str] = ()) -> None:
        self.title = title
        self.hypotheses = tuple(hypotheses)
        self.lines: list[Step | Words] = []

    def derive(self, left: sp.Basic, operation: Operation, reason: str) -> Self:
        """Begin a line: ``left = operation(left)``."""
        self.lines.append(Step(left, "=", None, reason, "derived", operation=operation))
        return self

    def then(self, operation: Operation, reason: str) -> Self:
        """Continue the line: apply ``operation`` to its right side."""
        self.lines.append(Step(self.last, "=", None, reason, "derived", continues=True, operation=operation))
        return self

    def state(
        self,
        left: sp.Basic | int,
        relation: Relation,
        right: sp.Basic | int,
        reason: str,
        because: sp.Basic | None = None,
        over: Range | None = None,
    ) -> Self:
        """Add a line whose two sides the author has written, to be checked like any other.

        Parameters
        ----------
        left, right : SymPy expressions or numbers
            The two sides.
        relation : {"=", "!=", "<=", "not in"}
            What is stated of them.
        reason : str
            Why it holds.
        because : SymPy expression, optional
            The certificate of a line with ``<=``: the right side less the left one, so written that no term
            or factor can be negative. Without it the plain difference is asked for its sign.
        over : (symbol, low, high), optional
            Instead of a certificate: the range of the only symbol of a line with ``<=``, on which interval
            arithmetic proves it.
        """
        if relation not in RELATIONS:
            raise ValueError(f"relation must be one of {list(RELATIONS)}, got {relation!r}")
        sides = sp.sympify(left), sp.sympify(right)
        because = None if because is None else sp.sympify(because)
        self.lines.append(Step(sides[0], relation, sides[1], reason, "stated", because=because, over=over))
        return self

    def say(self, text: str) -> Self:
        """Add a step of the argument in words, which nothing checks."""
        self.lines.append(Words(text))
        return self

    def concludes(self) -> Self:
        """Mark the last line as the theorem's statement, or as a part of it."""
        line = self.lines[-1]
        if not isinstance(line, Step):
            raise ValueError(
                f"a theorem's statement must be a line that is checked, got words: {line.text!r}"
            )
        self.lines[-1] = replace(line, statement=True)
        return self

    @property
    def steps(self) -> list[Step]:
        """The lines that are checked."""
        return [line for line in self.lines if isinstance(line, Step)]

    @property
    def last(self) -> sp.Basic:
        """The right side of the last line that is checked."""
        return self.steps[-1].right

    @property
    def counts(self) -> dict[Kind, int]:
        """How many lines are derived, stated, and in words."""
        found = Counter(line.kind for line in self.lines)
        return {kind: found[kind] for kind in get_args(Kind)}

    @property
    def states_theorem(self) -> bool:
        """Whether the theorem's statement is among the lines that are checked."""
        return any(step.statement for step in self.steps)

    def check(self, points: int = 3) -> Self:
        """Verify every step, as numbers at random points and symbolically.

        Raises DerivationError, naming the step and the way, at the first that fails; returns self.
        """
        if not self.steps:
            raise DerivationError(f"{self.title}: no steps")
        chance = random.Random(self.title)
        for number, step in enumerate(self.steps, 1):
            way = "numerically" if not all(_holds_numerically(step, chance) for _ in range(points)) else ""
            way = way or ("symbolically" if not _holds_symbolically(step) else "")
            if way:
                line = f"{sp.sstr(step.left)} {step.relation} {sp.sstr(step.right)}"
                raise DerivationError(
                    f"{self.title}: step {number} ({step.reason}) does not hold {way}: {line}"
                )
        return self

    def __repr__(self) -> str:
        count = len(self.lines)
        return f"Derivation({self.title!r}, {count} step{'s' * (count != 1)})"

    @property
    def summary(self) -> str:
        """How many lines there are, and how each came to be, in one phrase."""
        total = len(self.lines)
        parts = [
            f"{count} {what}"
            for count, what in zip(
                self.counts.values(), ("derived by SymPy", "stated and checked", "in words"), strict=True
            )
            if count
        ]
        return f"{total} line{'s' * (total != 1)} ({', '.join(parts)})"

    def _repr_latex_(self) -> str:
        rows = [
            rf"{line.latex()} && \text{{{line.reason} ({_mark(line)})}}"
            if isinstance(line, Step)
            else rf"&&& \text{{{line.text} ({_mark(line)})}}"
            for line in self.lines
        ]
        return "$$\n\\begin{aligned}\n" + " \\\\[4pt]\n".join(rows) + "\n\\end{aligned}\n$$"

    def _repr_html_(self) -> str:
        hypotheses = "".join(f"<li>{_inline(text)}</li>" for text in self.hypotheses)
        return (
            '<details class="derivation mathjax_process">'
            "<summary>Proof</summary>"
            f'<p class="derivation-title">{_inline(self.title)}</p>'
            + (f'<ul class="derivation-hypotheses">{hypotheses}</ul>' if hypotheses else "")
            + f'<ol class="derivation-steps">{"".join(map(_item, self.lines))}</ol>'
            f'<p class="derivation-origin">{self.summary}</p></details>'
        )


def _mark(line: Step | Words) -> str:
    """How the line came to be, in a word or two."""
    mark = {"derived": "derived", "stated": "stated, checked", "words": "in words"}[line.kind]
    return f"the theorem: {mark}" if isinstance(line, Step) and line.statement else mark


def _item(line: Step | Words) -> str:
    """A line as an item of the list; each formula is its own display, so that a reason can go below it."""
    text = line.text if isinstance(line, Words) else line.reason
    reason = (
        f'<span class="derivation-reason">{_inline(text)} '
        f'<small class="derivation-mark">[{_mark(line)}]</small></span>'
    )
    if isinstance(line, Words):
        return f'<li class="derivation-words">{reason}</li>'
    formula = rf"\[\begin{{aligned}}{html.escape(line.latex())}\end{{aligned}}\]"
    return f'<li><div class="derivation-step">{formula}</div>{reason}</li>'


def _inline(text: str) -> str:
    """Plain text with ``$...$`` as HTML with TeX's inline delimiters."""
    return re.sub(r"\$([^$]+)\$", r"\\(\1\\)", html.escape(text))


# --- the register of theorems ------------------------------------------------------------------

#: Every theorem's function, by the name of its module and its own.
THEOREMS: dict[str, Callable[..., Derivation]] = {}


def theorem(function: Callable[P, Derivation]) -> Callable[P, Derivation]:
    """Register the function as a theorem's, and derive only once for the same arguments."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    if name in THEOREMS:
        raise ValueError(f"theorems must have names of their own, got a second {name}")
    once = functools.cache(function)

    @functools.wraps(function)
    def derived(*args: P.args, **kwargs: P.kwargs) -> Derivation:
        proof = copy.copy(once(*args, **kwargs))  # type: ignore[arg-type]  # P cannot say: hashable
        proof.lines = list(proof.lines)  # so that a line added by a caller is not added for all
        return proof

    THEOREMS[name] = derived
    return derived


# --- symbolic verification ---------------------------------------------------------------------


@functools.cache
def evaluated(expression: sp.Basic) -> sp.Basic:
    """What SymPy's ``doit`` makes of an expression, remembered: a check asks what a derivation has asked."""
    return expression.doit()


def _holds_symbolically(step: Step) -> bool:
    if step.relation == "=":
        return _vanishes(evaluated(step.left) - evaluated(step.right))
    if step.relation == "!=":
        return (step.left - step.right).is_zero is False
    if step.relation == "not in":
        return step.right.contains(step.left) is sp.false
    if step.over is not None:
        return _proved_by_intervals(step.right - step.left, *step.over)
    because = step.right - step.left if step.because is None else step.because
    return _vanishes(evaluated(step.right - step.left - because)) and _nonnegative(because)


def _vanishes(expression: sp.Basic) -> bool:
    """Whether what is evaluated, or every entry of the matrix, is identically zero."""
    if getattr(expression, "is_Matrix", False):
        return all(_vanishes(entry) for entry in sp.ImmutableMatrix(expression.doit()))
    ways = (
        sp.expand,
        lambda e: sp.expand(sp.expand_trig(sp.expand(e))),
        lambda e: sp.expand(sp.expand(e).rewrite(sp.exp)),
        lambda e: sp.expand(e.rewrite(sp.floor)),
        sp.simplify,
    )
    return any(way(expression) == 0 for way in ways)


def _nonnegative(expression: sp.Basic) -> bool:
    """Whether no factor or term can be negative; integrals of such over [0, x >= 0] included."""
    if expression.has(sp.frac):
        z = sp.Dummy(nonnegative=True)  # z/(1 + z) takes the values of a fractional part, 0 <= frac < 1
        return bool(sp.together(expression.replace(sp.frac, lambda _: z / (1 + z))).is_nonnegative)
    if expression.is_nonnegative:
        return True
    if isinstance(expression, sp.Integral):
        forwards = all((upper - lower).is_nonnegative for _, lower, upper in expression.limits)
        return forwards and _nonnegative(expression.function)
    if isinstance(expression, (sp.Add, sp.Mul)):
        return all(_nonnegative(part) for part in expression.args)
    return False


def _proved_by_intervals(expression: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> bool:
    """Whether the expression is >= 0 for x from low to high: a range in which that is open is cut in two.

    Interval arithmetic encloses all values that the expression takes in a range, rounding errors included.
    """
    if expression.free_symbols - {x}:
        raise ValueError(f"over needs a line whose only symbol is {x}, got {expression.free_symbols}")
    in_intervals = {"modules": [{"mpmath": mpmath.iv}], "printer": MpmathPrinter}
    values = sp.lambdify(x, expression, **in_intervals)
    ends = [sp.lambdify((), end, **in_intervals)() + mpmath.iv.mpf(0) for end in (low, high)]
    open_ranges = [mpmath.iv.mpf([ends[0].a, ends[1].b])]
    for _ in range(PIECES):
        if not open_ranges:
            return True
        piece = open_ranges.pop()
        value = values(piece)
        if value.b < 0:
            return False
        if value.a < 0:
            if piece.delta < NARROW:
                return False
            middle = piece.mid
            open_ranges += [mpmath.iv.mpf([piece.a, middle]), mpmath.iv.mpf([middle, piece.b])]
    return False


# --- numerical verification --------------------------------------------------------------------

_NOT_BY_SYMPY = sp.Derivative, sp.Integral, sp.Limit, sp.Subs, MatrixExp


def _holds_numerically(step: Step, chance: random.Random) -> bool:
    with mpmath.workdps(2 * DIGITS):
        parts = [step.left, step.right] if step.relation != "not in" else [step.left]
        parts = _with_functions(parts, chance)
        symbols = sorted(set().union(*(part.free_symbols for part in parts)), key=str)
        point = {symbol: _sample(symbol, chance) for symbol in symbols}
        if step.over is not None:
            x, low, high = step.over
            point[x] = low + (high - low) * sp.Rational(chance.randint(0, 10**6), 10**6)
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


def _with_functions(parts: list[sp.Basic], chance: random.Random) -> list[sp.Basic]:
    """The expressions with a random smooth function in place of each that is not named, the same in all."""
    functions = {call.func for part in parts for call in part.atoms(AppliedUndef)}
    for function in sorted(functions, key=str):
        a, b, c = (sp.Rational(chance.randint(1, 10**6), 314_159) for _ in range(3))
        parts = [part.replace(function, _wave(a, b, c)) for part in parts]
    return parts


def _wave(a: sp.Expr, b: sp.Expr, c: sp.Expr) -> Callable[..., sp.Expr]:
    """A function of any number of arguments without a symmetry that could hide an error."""

    def wave(*arguments: sp.Expr) -> sp.Expr:
        return sum(
            a * sp.sin(b * x + n) + c * x**2 + n * x * arguments[0] for n, x in enumerate(arguments, 1)
        )

    return wave


def _sample(symbol: sp.Symbol, chance: random.Random) -> sp.Expr:
    """A value that obeys the symbol's assumptions."""
    if symbol.is_integer:
        value = sp.Integer(chance.randint(1, 9) * (1 if symbol.is_nonnegative else chance.choice([-1, 1])))
    else:
        value = sp.Rational(chance.randint(1, 10**6), 314_159) * (
            1 if symbol.is_nonnegative else chance.choice([-1, 1])
        )
    return value * sp.sqrt(2) if symbol.is_irrational else value


def _number(expression: sp.Basic, point: Point) -> list[mpmath.mpf]:
    """The entries of the expression at the point, as mpmath numbers.

    Derivatives, integrals, limits and matrix exponentials go to mpmath, not to the SymPy routines that
    derived them.
    """
    evaluated = _evaluate(expression, point)
    entries = list(evaluated) if getattr(evaluated, "is_Matrix", False) else [evaluated]
    return [mpmath.mpmathify(sp.N(entry, mpmath.mp.dps)) for entry in entries]


def _evaluate(expression: sp.Basic, point: Point) -> sp.Basic:
    if expression.has(*_NOT_BY_SYMPY):
        if isinstance(expression, sp.MatrixBase):
            return expression.applyfunc(lambda entry: _evaluate(entry, point))
        if isinstance(expression, sp.Derivative):
            ((x, order),) = expression.variable_count
            there = _mpf(point.get(x, sp.S.Zero))  # what has no x in it is as steep anywhere
            return _entrywise(
                expression.expr, lambda e: mpmath.diff(_function(e, x, point), there, int(order))
            )
        if isinstance(expression, sp.Integral):
            ((x, lower, upper),) = expression.limits
            ends = [_mpf(_evaluate(end, point)) for end in (lower, upper)]
            return _entrywise(expression.function, lambda e: mpmath.quad(_function(e, x, point), ends))
        if isinstance(expression, sp.Subs):
            moved = {
                x: _evaluate(at, point) for x, at in zip(expression.variables, expression.point, strict=True)
            }
            return _evaluate(expression.expr, point | moved)
        if isinstance(expression, sp.Limit):
            return _far_out(expression, point)
        if isinstance(expression, MatrixExp):
            argument = sp.ImmutableMatrix(_evaluate(expression.args[0], point))
            exact = mpmath.expm(
                mpmath.matrix(argument.rows, argument.cols)
                + mpmath.matrix(argument.evalf(mpmath.mp.dps).tolist())
            )
            return sp.ImmutableMatrix(argument.rows, argument.cols, list(exact))
        return expression.func(*(_evaluate(part, point) for part in expression.args)).doit()
    if any(power.exp.free_symbols for power in expression.atoms(sp.Pow)) or expression.has(sp.log):
        # A power of one fraction by another would send SymPy off to factor their numerators.
        point = {x: at if at.is_Integer else at.evalf(2 * mpmath.mp.dps) for x, at in point.items()}
    value = expression.xreplace(point).doit()
    return (value.as_explicit() if isinstance(value, MatrixExpr) else value).evalf(mpmath.mp.dps)


def _far_out(limit: sp.Limit, point: Point) -> sp.Basic:
    """The value that an expression with a limit at infinity has at FAR, in digits enough for its sines."""
    expression, x, at, _ = limit.args
    if at is not sp.oo:
        raise NotImplementedError(f"limits are taken at infinity, got {limit}")
    with mpmath.workdps(mpmath.mp.dps + 2 * len(str(FAR))):
        return sp.sympify(_function(expression, x, point)(_mpf(FAR)))


def _entrywise(expression: sp.Basic, act: Callable[[sp.Basic], Any]) -> sp.Basic:
    """Apply ``act`` to a scalar, or to each entry of a matrix."""
    if getattr(expression, "is_Matrix", False):
        return sp.ImmutableMatrix(expression).applyfunc(lambda entry: sp.sympify(act(entry)))
    return sp.sympify(act(expression))


def _function(expression: sp.Expr, x: sp.Symbol, point: Point) -> Callable[[mpmath.mpf], mpmath.mpf]:
    def value(t: mpmath.mpf) -> mpmath.mpf:
        return mpmath.mpmathify(_evaluate(expression, {**point, x: sp.Float(t, mpmath.mp.dps)}))

    if expression.has(*_NOT_BY_SYMPY):
        return value
    fixed = expression.xreplace({symbol: at for symbol, at in point.items() if symbol != x}).doit()
    quick: Callable[[mpmath.mpf], mpmath.mpf] = sp.lambdify(x, fixed, "mpmath")  # the same numbers, faster
    return quick


def _mpf(value: sp.Expr) -> mpmath.mpf:
    if value in (sp.oo, -sp.oo):
        return mpmath.inf if value > 0 else -mpmath.inf
    return mpmath.mpmathify(sp.N(value, mpmath.mp.dps))


def _looks_rational(value: mpmath.mpf) -> bool:
    """Whether the continued fraction ends: a quotient above 10^20 means a remainder of rounding size."""
    for _ in range(20):
        fraction = value - mpmath.floor(value)
        if fraction < mpmath.mpf(10) ** -20:
            return True
        value = 1 / fraction
    return False
