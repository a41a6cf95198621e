"""Derivations about one pair: one circle, one frequency.

Everything is about one pair, PE(p) = (sin(omega p), cos(omega p)); with d_model = 2, omega = 1.
"""

import sympy as sp
from sympy.simplify.fu import TR8

from wavebook.proofs.derivation import Derivation, MatrixExp, evaluated, theorem

p, q, k, j = sp.symbols("p q k j", real=True)
omega = sp.Symbol(r"\omega", positive=True)  # so named, it is printed before k and p
REAL = r"$p$ and $k$ are real, $\omega > 0$"
INTEGER = r"$p$ and $k$ are integers, $k \neq 0$, and $\omega = 1$"


def encoding(position: sp.Expr, frequency: sp.Expr = omega) -> sp.ImmutableMatrix:
    """The column (sin, cos) of one pair at a position."""
    return sp.ImmutableMatrix([sp.sin(frequency * position), sp.cos(frequency * position)])


def rotation_matrix(offset: sp.Expr) -> sp.ImmutableMatrix:
    """M_k, read off the addition formulas: the coefficients of sin(omega p) and cos(omega p) in PE(p + k)."""
    shifted = [addition(entry) for entry in encoding(p + offset)]
    matrix, rest = sp.linear_eq_to_matrix(shifted, list(encoding(p)))
    if not rest.is_zero_matrix:
        raise ValueError(f"the shifted encoding must be linear in PE(p), got the rest {rest}")
    return sp.ImmutableMatrix(matrix)


def addition(expression: sp.Expr) -> sp.Expr:
    """The addition formulas: multiply the argument out, then expand sine and cosine of the sum."""
    return sp.expand_trig(sp.expand(expression))


def squared_length(vector: sp.Matrix) -> sp.Expr:
    """The sum of the squared entries, left as a sum."""
    return sp.Add(*(entry**2 for entry in vector))


def half_angle(expression: sp.Expr) -> sp.Expr:
    """Every cos(x) as 1 - 2 sin(x/2)^2, by the double-angle formula."""
    x = sp.Wild("x")
    return sp.expand(expression.replace(sp.cos(x), 1 - 2 * sp.sin(x / 2) ** 2))


@theorem
def rotation() -> Derivation:
    """PE(p + k) = M_k PE(p): the addition formulas are a matrix, and p is not in it."""
    proof = Derivation("A shift is a rotation", [REAL])
    sine, cosine = encoding(p + k)
    proof.derive(sine, addition, r"addition formula of the sine")
    proof.derive(cosine, addition, r"addition formula of the cosine")
    matrix = rotation_matrix(k)
    proof.state(
        encoding(p + k),
        "=",
        sp.MatMul(matrix, encoding(p)),
        r"collect the coefficients of $\sin \omega p$ and $\cos \omega p$",
    ).concludes()
    slopes = matrix.applyfunc(lambda entry: sp.Derivative(entry, p))
    proof.derive(slopes, evaluated, "no entry changes with $p$: one matrix serves every position").concludes()
    return proof


@theorem
def rotation_group() -> Derivation:
    """M_k is orthogonal with determinant 1, its inverse is M_{-k}, and M_j M_k = M_{j+k}."""
    proof = Derivation("The shifts form a group of rotations", [r"$j$ and $k$ are real, $\omega > 0$"])
    matrix = rotation_matrix(k)
    proof.derive(
        sp.MatMul(matrix.T, matrix),
        lambda e: evaluated(e).applyfunc(sp.simplify),
        r"orthogonal: $\sin^2 + \cos^2 = 1$",
    ).concludes()
    proof.derive(
        sp.Determinant(matrix),
        lambda e: sp.simplify(evaluated(e)),
        "determinant one: a rotation, not a reflection",
    ).concludes()
    proof.derive(
        sp.MatMul(matrix, rotation_matrix(-k)),
        lambda e: evaluated(e).applyfunc(sp.simplify),
        "so $M_{-k}$ is the inverse",
    ).concludes()
    together = sp.MatMul(rotation_matrix(j), matrix)
    proof.derive(together, lambda e: evaluated(e).applyfunc(TR8), "two shifts, products turned into sums")
    proof.then(
        lambda e: e.applyfunc(lambda x: sp.factor(x, deep=True)), "which is the shift by $j + k$"
    ).concludes()
    return proof


@theorem
def constant_norm() -> Derivation:
    """|PE(p)| = 1 for every p."""
    proof = Derivation("Constant norm", [r"$p$ is real, $\omega > 0$"])
    proof.derive(squared_length(encoding(p)), sp.trigsimp, "Pythagoras").concludes()
    return proof


@theorem
def constant_speed() -> Derivation:
    """PE' = omega J PE has length omega everywhere, and M_k = exp(k omega J)."""
    proof = Derivation("Constant speed, and the generator of the rotation", [REAL])
    proof.derive(sp.Derivative(encoding(p), p), evaluated, "differentiate")
    velocity = proof.last

    def collected(e: sp.Matrix) -> sp.MatMul:
        generator, _ = sp.linear_eq_to_matrix(list(e), list(encoding(p)))
        return sp.MatMul(omega, sp.ImmutableMatrix(generator / omega), encoding(p))

    proof.then(collected, r"collect: $PE' = \omega J\, PE$").concludes()
    _, turn, _ = proof.last.args
    proof.derive(
        squared_length(velocity),
        lambda e: sp.trigsimp(sp.factor(e)),
        r"so the speed is $\omega$, whatever $p$ is",
    ).concludes()
    exponential = MatrixExp(sp.ImmutableMatrix(k * omega * turn))
    proof.derive(
        exponential,
        lambda e: sp.ImmutableMatrix(evaluated(e)).applyfunc(lambda x: sp.simplify(x.rewrite(sp.cos))),
        r"the flow of $PE' = \omega J\, PE$ for a time $k$ is $M_k$ again",
    ).concludes()
    return proof


@theorem
def first_order() -> Derivation:
    """PE(p + k) = PE(p) + k PE'(p) + an error of length at most (omega k)^2 / 2."""
    step = sp.Symbol("k", nonnegative=True)
    x = sp.Symbol("x", real=True)
    t, u = sp.symbols("t u", nonnegative=True)
    proof = Derivation(
        "The straight-line approximation and its error",
        [r"$p$ is real, $k \ge 0$ (for $k < 0$ run the curve backwards), $\omega > 0$"],
    )
    error = encoding(p + step) - encoding(p) - step * encoding(p).diff(p)
    remainder = (p + step - x) * encoding(x).diff(x, 2)
    proof.state(
        error,
        "=",
        sp.ImmutableMatrix([sp.Integral(entry, (x, p, p + step)) for entry in remainder]),
        "Taylor's formula with the remainder as an integral",
    )
    proof.derive(
        squared_length(error),
        lambda e: sp.trigsimp(TR8(sp.expand(addition(e)))),
        "its squared length: $p$ cancels",
    )
    square = proof.last
    below = sp.Integral(2 * sp.sin(u / 4) ** 2, (u, 0, t))
    above = sp.Integral(2 * sp.cos(u / 4) ** 2, (u, 0, t))
    proof.derive(
        below, lambda e: TR8(sp.expand(evaluated(e))), "an integral of a square, so it is not negative"
    )
    proof.derive(above, lambda e: TR8(sp.expand(evaluated(e))), "another one")
    slope = sp.Mul(t, below, above)
    excess = t**4 / 4 - square.subs(step, t / omega)
    proof.state(
        slope,
        "=",
        sp.expand(excess.diff(t)),
        r"with $t = \omega k$, their product with $t$ is the derivative of $t^4/4$ less the squared error",
    )
    proof.state(
        square,
        "<=",
        (omega * step) ** 4 / 4,
        r"integrate from $0$ to $\omega k$: the error is at most $(\omega k)^2/2$",
        because=sp.Integral(slope, (t, 0, omega * step)),
    ).concludes()
    return proof


@theorem
def orthogonality() -> Derivation:
    """Sine and cosine are orthogonal over a period, and yet each gives the other up to its sign."""
    period = 2 * sp.pi / omega
    sine, cosine = encoding(p)
    proof = Derivation("Orthogonal, but not independent", [r"$p$ is real, $\omega > 0$"])
    proof.derive(
        sp.Integral(sine * cosine, (p, 0, period)),
        lambda e: sp.simplify(evaluated(e)),
        "over one period the product averages to zero",
    ).concludes()
    proof.derive(
        sp.Integral(sine**2, (p, 0, period)), lambda e: sp.simplify(evaluated(e)), "while the square does not"
    )
    proof.derive(
        sine**2,
        lambda e: sp.expand(1 - sp.trigsimp(1 - e)),
        "at each single position one determines the square of the other",
    )
    proof.state(sp.Abs(sine), "=", sp.sqrt(proof.last), "so only the sign is missing").concludes()
    return proof


@theorem
def chord() -> Derivation:
    """|PE(p + k) - PE(p)| = 2 |sin(omega k / 2)|: it depends on k alone."""
    proof = Derivation("The distance is a chord", [REAL])
    expanded = squared_length(encoding(p + k) - encoding(p))
    proof.derive(
        expanded,
        lambda e: sp.trigsimp(TR8(sp.expand(addition(e)))),
        "multiply out, products into sums: every $p$ cancels",
    )
    proof.then(half_angle, r"$\cos x = 1 - 2 \sin^2(x/2)$")
    square = proof.last
    proof.derive(
        sp.Pow(square, sp.Rational(1, 2), evaluate=False),
        evaluated,
        "the root is the length of the chord",
    ).concludes()
    return proof


@theorem
def no_additive_offset() -> Derivation:
    """No vector v_k has PE(p + k) = PE(p) + v_k for all integers p."""
    n = sp.Symbol("n", integer=True, nonzero=True)
    proof = Derivation(
        "A shift is not an addition",
        [
            INTEGER,
            (
                r"suppose $D(p) = PE(p+k) - PE(p)$ were the same vector for every $p$; the left side of "
                r"the first line would then be zero"
            ),
        ],
    )
    difference = encoding(p + k, 1) - encoding(p, 1)
    second = difference.subs(p, p + 1) + difference.subs(p, p - 1) - 2 * difference
    proof.derive(
        sp.ImmutableMatrix(second),
        lambda e: sp.MatMul(sp.factor(_ratio(e, difference)), difference),
        r"the second difference of $D$ is a multiple of $D$",
    )
    proof.derive(_ratio(second, difference), half_angle, "the factor")
    proof.state(sp.sin(sp.Rational(1, 2)), "!=", 0, "it is not zero, so $D(p)$ would be zero")
    proof.derive(
        squared_length(difference),
        lambda e: half_angle(sp.trigsimp(TR8(sp.expand(addition(e))))),
        r"but its squared norm",
    )
    proof.state(
        2 * sp.pi * n,
        "not in",
        sp.S.Rationals,
        r"vanishes only at multiples of $2\pi$, and no integer $k \neq 0$ is one",
    )
    return proof


def _ratio(vector: sp.Matrix, by: sp.Matrix) -> sp.Expr:
    """The number c with vector = c * by, from the first entries (``check`` tests it on both)."""
    return sp.expand(sp.simplify(sp.cancel(sp.expand_trig(vector[0]) / sp.expand_trig(by[0]))))


@theorem
def sines_alone() -> Derivation:
    """No number a has sin(p + k) = a sin(p) for all integers p: the cosine is needed."""
    n = sp.Symbol("n", integer=True, nonzero=True)
    sine = sp.sin
    proof = Derivation(
        "Sines alone admit no linear shift",
        [
            INTEGER,
            (
                r"suppose $\sin(p+k) = a \sin p$ for every $p$; the left side of the first line would "
                r"then be zero"
            ),
        ],
    )
    cross = sine(p + k) * sine(p + 1) - sine(p) * sine(p + 1 + k)
    proof.derive(cross, TR8, "products into sums")
    proof.then(lambda e: sp.trigsimp(sp.expand_trig(e)), "and back: it does not depend on $p$")
    proof.state(sine(1), "!=", 0, "so $\\sin k$ would have to be zero")
    proof.state(
        sp.pi * n,
        "not in",
        sp.S.Rationals,
        r"but its zeros are multiples of $\pi$, and no integer $k \neq 0$ is one",
    )
    return proof


@theorem
def integers_never_coincide() -> Derivation:
    """PE(p) = PE(q) for integers only if p = q; a near return is as near as k is to a multiple of 2 pi."""
    n = sp.Symbol("n", integer=True, nonzero=True)
    miss, u = sp.symbols("delta u", nonnegative=True)
    proof = Derivation(
        "Integer positions never coincide",
        [
            r"$p$ and $q$ are integers, $p \neq q$, and $\omega = 1$",
            r"$\delta = |p - q - 2\pi n|$ is what $p - q$ misses $n$ turns by",
        ],
    )
    proof.derive(
        squared_length(encoding(p, 1) - encoding(q, 1)),
        lambda e: half_angle(sp.trigsimp(TR8(sp.expand(e)))),
        r"the encodings agree exactly when $p - q$ is a multiple of $2\pi$",
    )
    proof.state(
        2 * sp.pi * n,
        "not in",
        sp.S.Rationals,
        r"$\pi$ is irrational, so $2\pi n$ is no integer unless $n = 0$",
    )
    proof.state(
        2 * sp.sin(miss / 2),
        "<=",
        miss,
        (
            r"a near return is as near as $p - q$ is to a multiple of $2\pi$: the chord is no longer "
            r"than the arc"
        ),
        because=sp.Integral(2 * sp.sin(u / 4) ** 2, (u, 0, miss)),
    )
    return proof
