"""Derivations about distances: their law, near returns, and interpolation.

A line about one pair holds for every pair, whatever its omega. Sums run over the m = d/2 pairs, and
h = (2/d) ln b is the logarithm of the ratio of neighboring frequencies: omega_i = exp(-h i), so that
exp(-h m) = 1/b.
"""

import sympy as sp
from sympy.simplify.fu import TR8

from wavebook.proofs.derivation import Derivation, Operation, evaluated, theorem
from wavebook.proofs.many_dimensions import base, collected, pair, pairs
from wavebook.proofs.two_dimensions import (
    addition,
    encoding,
    half_angle,
    k,
    omega,
    p,
    q,
    rotation_matrix,
    squared_length,
)

s = sp.Symbol("s", real=True)
m = sp.Symbol("m", integer=True, positive=True)
i = sp.Symbol("i", integer=True, nonnegative=True)
n = sp.Symbol("n", integer=True, nonzero=True)
Delta, h = sp.symbols("Delta h", positive=True)
t, u, x = sp.symbols("t u x", nonnegative=True)
PAIR = r"one pair, of frequency $\omega > 0$; positions are real"
PEAK = sp.Rational(45_450_448, 10**8)  # in half turns of the slowest hand: about where a family is farthest
SCALE = r"$m = d/2$ pairs, $\omega_i = e^{-hi}$ with $h = \frac2d \ln b$, so that $e^{-hm} = 1/b$"


def products_to_sums(expression: sp.Expr) -> sp.Expr:
    """Multiply out by the addition formulas, and turn products of sines and cosines into sums."""
    return sp.trigsimp(TR8(sp.expand(addition(expression))))


def dot(one: sp.Matrix, other: sp.Matrix) -> sp.Expr:
    """The dot product, left as a sum."""
    return sp.Add(*(a * b for a, b in zip(one, other, strict=True)))


def chord_gap(arc: sp.Expr) -> sp.Expr:
    """x^2 - 4 sin^2(x/2) for x >= 0 as (x - 2 sin x/2)(x + 2 sin x/2): no factor can be negative."""
    return sp.Integral(2 * sp.sin(u / 4) ** 2, (u, 0, arc)) * sp.Integral(2 * sp.cos(u / 4) ** 2, (u, 0, arc))


@theorem
def difference_alone() -> Derivation:
    """|PE(p) - PE(q)|^2 = d - 2K = sum 4 sin^2(omega_i (p - q)/2), and it is at most 2d."""
    proof = Derivation("Distance depends on the difference alone", [PAIR, SCALE])
    square = squared_length(encoding(p) - encoding(q))
    proof.derive(square, products_to_sums, "multiply out, products into sums: only $p - q$ is left")
    proof.then(half_angle, r"$\cos x = 1 - 2\sin^2(x/2)$")
    moved = sp.Derivative(square.subs({p: p + s, q: q + s}, simultaneous=True), s)
    proof.derive(
        moved,
        lambda e: sp.simplify(evaluated(e)),
        (
            "moving both positions by $s$ changes nothing: the matrix of distances is constant along "
            "its diagonals"
        ),
    )
    pairs = sp.Sum(2 - 2 * sp.cos(Delta * sp.exp(-h * i)), (i, 0, m - 1))
    proof.derive(
        pairs,
        lambda e: sp.Add(*(_constant_out(term) for term in e.expand().args)),
        r"all pairs together: $d - 2K(\Delta)$, since $2m = d$",
    )
    proof.state(
        4 * sp.sin(omega * Delta / 2) ** 2,
        "<=",
        4,
        r"no pair gives more than $4$, so the whole gives no more than $4m = 2d$",
        because=4 * sp.cos(omega * Delta / 2) ** 2,
    )
    return proof


def _constant_out(total: sp.Sum) -> sp.Expr:
    """A sum with its constant factor before it, or its value if every term is the same."""
    factor, rest = total.function.as_coeff_Mul()
    return total.doit() if rest == 1 else factor * sp.Sum(rest, *total.limits)


@theorem
def small_differences() -> Derivation:
    """(S Delta)^2 - Q Delta^4/12 <= distance^2 <= (S Delta)^2 with S^2 = sum omega_i^2, Q = sum omega_i^4."""
    ratio = 1 + sp.Symbol("c", positive=True)
    proof = Derivation(
        "The straight line and where it fails",
        [
            r"one pair, $x = \omega |\Delta| \ge 0$",
            r"the ratio of neighboring frequencies is $b^{2/d} = 1 + c$, and $m = d/2$",
        ],
    )
    chord = 4 * sp.sin(x / 2) ** 2
    proof.state(
        chord,
        "<=",
        x**2,
        r"the chord is no longer than the arc; sum over the pairs: $\mathrm{distance} \le S\,|\Delta|$",
        because=chord_gap(x),
    )
    w = sp.Symbol("w", nonnegative=True)
    proof.state(
        x**2 - chord,
        "<=",
        x**4 / 12,
        r"integrate the line above twice: squared, it falls short by no more than $Q \Delta^4/12$",
        because=sp.Integral(sp.Integral(chord_gap(t), (t, 0, w)), (w, 0, x)),
    )
    squares, fourths = (sp.Sum(ratio ** (-power * i), (i, 0, m - 1)) for power in (2, 4))
    proof.derive(squares, evaluated, r"$S^2 = \sum \omega_i^2$ is a geometric sum")
    S = proof.last
    proof.derive(fourths, evaluated, r"and so is $Q = \sum \omega_i^4$")
    proof.derive(
        proof.last / S,
        sp.factor,
        r"$Q/S^2$ tends to $\frac12$ when $b$ grows and $m$ grows faster than $\ln b$",
    )
    return proof


@theorem
def law_as_integral() -> Derivation:
    """K(Delta) is an integral, up to (cos Delta - cos(Delta/b))/2 and at most ln(b) Delta^2/(4d)."""
    proof = Derivation(
        "From the sum to an integral",
        [
            SCALE,
            (
                r"$f(x) = \cos(\Delta e^{-hx})$, so that $K(\Delta) = f(0) + f(1) + \dots + f(m-1)$, "
                r"and $u = \Delta e^{-hx}$"
            ),
        ],
    )
    f, wave = sp.Function("f"), sp.cos(Delta * sp.exp(-h * x))
    cell = wave.subs(x, i + t)
    kernel = t * (1 - t) / 2 * f(t).diff(t) - (sp.Rational(1, 2) - t) * f(t)
    rule = sp.expand(kernel.diff(t)).subs(f(t), cell)  # the product rule, for any f
    proof.state(
        sp.Derivative(kernel.subs(f(t), cell).doit(), t),
        "=",
        sp.collect(rule, rule.atoms(sp.Derivative)).doit(),
        r"the product rule: this is $f + \frac12 t(1-t) f''$ at $i + t$",
    )
    proof.derive(
        sp.Derivative(wave, (x, 2)),
        lambda e: sp.expand(evaluated(e)),
        r"the second derivative is $-h^2 (u \sin u + u^2 \cos u)$",
    )
    for sign in (1, -1):
        proof.state(
            sign * (u * sp.sin(u) + u**2 * sp.cos(u)),
            "<=",
            2 * u**2,
            r"it is at most $2h^2u^2$" if sign == 1 else "of either sign",
            because=u * sp.Integral(2 * (sp.sin if sign == 1 else sp.cos)(x / 2) ** 2, (x, 0, u))
            + 2 * u**2 * (sp.sin if sign == 1 else sp.cos)(u / 2) ** 2,
        )
    proof.state(
        t * (1 - t) / 2,
        "<=",
        sp.Rational(1, 8),
        r"and the weight at most $\frac18$, so $|R| \le \frac18 \int_0^m 2 h^2 u^2\, dx$",
        because=(t - sp.Rational(1, 2)) ** 2 / 2,
    )
    bound = sp.Integral(2 * h**2 * (Delta * sp.exp(-h * x)) ** 2 / 8, (x, 0, m))
    proof.derive(
        bound,
        lambda e: sp.expand(sp.simplify(evaluated(e))),
        r"which is $\frac18 h \Delta^2 (1 - b^{-2})$, less than $\ln b \; \Delta^2/(4d)$",
    )
    return proof


@theorem
def law() -> Derivation:
    """K(Delta) is about [Ci(Delta) - Ci(Delta/b)]/h, or (d/2)[1 - (ln Delta + gamma)/ln b]."""
    proof = Derivation(
        "The law of similarity", [SCALE, r"$\mathrm{Ci}$ is the cosine integral, $\gamma$ Euler's constant"]
    )
    integral = sp.Integral(sp.cos(Delta * sp.exp(-h * x)), (x, 0, m))
    v = sp.Symbol("u", positive=True)
    proof.derive(
        integral,
        lambda e: e.transform(Delta * sp.exp(-h * x), v),
        (
            r"substitute $u = \Delta e^{-hx}$: one pair more is one factor less, so the pairs are "
            r"spread evenly over $\ln u$"
        ),
    )
    proof.then(
        evaluated,
        (
            r"the cosine integral; with $h$ put in, this is $\frac d2\, [\mathrm{Ci}(\Delta) - "
            r"\mathrm{Ci}(\Delta/b)]/\ln b$"
        ),
    )
    y = sp.Symbol("y", positive=True)
    proof.derive(
        sp.Integral((1 - sp.cos(t)) / t, (t, 0, y)),
        evaluated,
        (
            r"so $\mathrm{Ci}(y) = \gamma + \ln y - \mathrm{Cin}(y)$ with the integral $\mathrm{Cin}$ "
            r"on the left"
        ),
    )
    proof.state(
        4 * sp.sin(t / 2) ** 2,
        "<=",
        t**2,
        r"divide by $2t$ and integrate: $0 \le \mathrm{Cin}(y) \le y^2/4$, nothing for $y = \Delta/b$ small",
        because=chord_gap(t),
    )
    proof.derive(
        sp.Derivative(sp.Ci(y) - sp.sin(y) / y, y),
        lambda e: sp.simplify(evaluated(e)),
        (
            r"integrate from $y$ to $\infty$: $|\mathrm{Ci}(y)| \le \frac1y + \int_y^\infty "
            r"\frac{dv}{v^2} = \frac2y$, next to nothing for $y = \Delta$ large"
        ),
    )
    b = sp.Symbol("b", positive=True)
    share = (sp.EulerGamma + sp.log(Delta / b)) / sp.log(1 / b)
    proof.derive(
        share,
        lambda e: sp.expand(sp.expand_log(e)),
        r"what is left of $[\mathrm{Ci}(\Delta) - \mathrm{Ci}(\Delta/b)]/\ln b$ between the two",
    )
    elementary = proof.last
    proof.derive(
        elementary.subs(Delta, 10 * Delta) - elementary,
        lambda e: sp.simplify(sp.expand_log(e)),
        "ten times the distance costs the same each time",
    )
    return proof


@theorem
def levels() -> Derivation:
    """Over long stretches distance^2 has mean d and variance d."""
    L, nu = sp.symbols("L nu", positive=True)
    proof = Derivation(
        "The typical level",
        [
            r"the offset $\Delta$ runs evenly from $0$ to $L$, and $L$ grows",
            r"$\omega$ and $\nu + \omega$ are the frequencies of two pairs, $\nu > 0$",
        ],
    )
    cosine, other = sp.cos(omega * x), sp.cos((omega + nu) * x)

    def mean(expression: sp.Expr) -> sp.Expr:
        return sp.Integral(expression, (x, 0, L)) / L

    proof.derive(mean(2 - 2 * cosine), lambda e: sp.expand(evaluated(e)), "the mean of what one pair gives")
    proof.derive(
        sp.Limit(proof.last, L, sp.oo),
        evaluated,
        r"is $2$ in the end: the mean of the squared distance is $2m = d$",
    )
    proof.derive(
        mean((2 * cosine) ** 2),
        lambda e: sp.expand(_integrand(e, TR8).doit()),
        "the mean square of its deviation",
    )
    proof.derive(sp.Limit(proof.last, L, sp.oo), evaluated, "is $2$ again")
    proof.derive(
        4 * cosine * other,
        lambda e: sp.expand(TR8(e)),
        "the product of two pairs' deviations is made of two more waves",
    )
    proof.derive(mean(proof.last), lambda e: sp.expand(evaluated(e)), "so its mean")
    proof.derive(
        sp.Add(*(sp.Limit(term, L, sp.oo) for term in proof.last.args)),
        evaluated,
        r"vanishes: the variances add up to $2m = d$",
    )
    proof.say(
        r"Where $d$ is large, the root of a square that is $d$ give or take $\sqrt d$ is $\sqrt d$ "
        r"give or take about a half. That is a rule of thumb, and not part of the theorem."
    )
    return proof


def _integrand(expression: sp.Expr, operation: Operation) -> sp.Expr:
    """The expression with the operation applied inside its integrals."""
    return expression.replace(
        lambda e: isinstance(e, sp.Integral), lambda e: sp.Integral(operation(e.function), *e.limits)
    )


@theorem
def harmonic_families() -> Derivation:
    """With b = 10^4 and d = 8g, omega_i = 10 omega_(i+g): g families of four harmonics each."""
    step = sp.Symbol("g", integer=True, positive=True)
    frequency = base ** (-pair / pairs)
    proof = Derivation(
        "Families of harmonics",
        [r"$\omega_i = b^{-i/n}$ with $n = d/2$ pairs", r"$g$ is a number of pairs, $0 < g < n$"],
    )
    ratio = sp.Mul(frequency, sp.Pow(frequency.subs(pair, pair + step), -1, evaluate=False), evaluate=False)
    proof.derive(
        ratio,
        lambda e: sp.simplify(evaluated(e)),
        "the ratio of two frequencies that are $g$ pairs apart, for any base: $i$ cancels",
    )
    apart = proof.last
    proof.derive(
        sp.Subs(apart, (base, pairs), (10**4, 4 * step)),
        evaluated,
        r"$b = 10^4$ and $g = d/8$: exactly ten",
    )
    proof.derive(
        sp.Subs(apart.subs(step, 3 * step), (base, pairs), (10**4, 4 * step)),
        evaluated,
        r"$3g$ pairs apart: families of four, with $1000$, $100$, $10$ and $1$ times the slowest",
    )
    proof.derive(
        sp.Subs(apart, (base, pairs), (10**4, 2 * step)),
        evaluated,
        r"if only $4$ divides $d$: families of two, $g = d/4$",
    )
    proof.say(
        "Whether frequencies of different families are related is a question of arithmetic; see the proof."
    )
    return proof


@theorem
def largest_distance() -> Derivation:
    """With b = 10^4 and 8 | d no distance exceeds sqrt(M d/2), where M = 3.9356."""
    largest, width = sp.symbols("M d", positive=True)
    angle = sp.Symbol("x", real=True)
    whole = sp.Symbol("n", integer=True)
    four = sp.Add(*(sp.sin(10**power * angle) ** 2 for power in range(4)))
    proof = Derivation(
        "The largest distance",
        [
            (
                r"$b = 10^4$, $8$ divides $d$: the pairs form $d/8$ families, of frequencies $\omega, "
                r"10\omega, 100\omega, 1000\omega$"
            ),
            r"$M$ is the largest value of the sum in the third line",
        ],
    )
    place = sp.Symbol("k", integer=True)
    proof.derive(
        sp.Sum(4 * sp.sin(10**place * angle) ** 2, (place, 0, 3)),
        evaluated,
        r"the squared distance in one family, where $x$ is half the angle of its slowest hand",
    )
    proof.derive(
        sp.sin(sp.Mul(10, sp.pi / 2 + sp.pi * whole, evaluate=False), evaluate=False),
        evaluated,
        "where one hand is opposite, the one ten times as fast is back: no family reaches $4$ times $4$",
    )
    proof.state(
        four,
        "<=",
        sp.Rational(393_559, 10**5),
        r"so $M \le 3.93559$: by interval arithmetic for $0 \le x \le \pi$, which is a period",
        over=(angle, sp.Integer(0), sp.pi),
    )
    proof.state(
        sp.Rational(393_557, 10**5),
        "<=",
        four.subs(angle, PEAK * sp.pi),
        r"and $M \ge 3.93557$: the sum at one point",
    )
    proof.derive(
        sp.sqrt(sp.Sum(4 * largest, (i, 1, width / 8))),
        lambda e: sp.simplify(evaluated(e)),
        "all families together: no distance is larger",
    )
    proof.say(
        r"No whole-number relation ties the families, so their slowest hands come as near as you like to any "
        r"angles at once (Kronecker), and this bound is the least one."
    )
    return proof


@theorem
def sine_of_a_fraction() -> Derivation:
    """sin(a/b) is not zero for integers a, b > 0, so that pi is irrational: Hermite's sequence."""
    proof = Derivation(
        "The sine of a fraction is not zero",
        [
            (
                r"$J_0 = \sin x$, $J_1 = \sin x - x \cos x$, and $J_{n+1} = (2n + 1) J_n - x^2 J_{n-1}$ for "
                r"$n \ge 1$"
            ),
            r"$a$ and $b$ are positive integers",
        ],
    )
    a, b, y = sp.symbols("a b y", positive=True)
    later, count = (sp.Symbol(name, integer=True, nonnegative=True) for name in "kn")
    x, arc = sp.symbols("x t", positive=True)
    proof.derive(
        sp.Derivative(sp.sin(x) - x * sp.cos(x), x), lambda e: sp.expand(evaluated(e)), r"so $J_1' = x J_0$"
    )
    J = sp.Function("J")(x)  # J_n; J_(n-1) is what its derivative says
    before = sp.Derivative(J, x) / x
    proof.derive(
        sp.Derivative((2 * count + 1) * J - x**2 * before, x),
        lambda e: sp.expand(evaluated(e)),
        r"$J_{n+1}'$, if $J = J_n$ and $J_n' = x J_{n-1}$",
    )
    proof.derive(
        x * ((2 * count - 1) * before - x**2 * sp.Derivative(before, x) / x),
        lambda e: sp.expand(evaluated(e)),
        r"the same is $x J_n$, if also $J_{n-1}' = x J_{n-2}$: so $J_{n+1}' = x J_n$ for all $n$",
    )
    proof.state(sp.sin(x) ** 2, "<=", 1, r"$\lvert J_0 \rvert \le 1$", because=sp.cos(x) ** 2)
    proof.derive(
        sp.Integral(arc * (arc**2 / 2) ** count / sp.factorial(count), (arc, 0, x)),
        lambda e: sp.simplify(evaluated(e)),
        (
            r"$J_{n+1}(0) = 0$ and $J_{n+1}' = x J_n$, so if $\lvert J_n \rvert \le (x^2/2)^n / n!$, then "
            r"$\lvert J_{n+1} \rvert$ is at most this, which is $(x^2/2)^{n+1} / (n+1)!$"
        ),
    )
    one, other, P, Q = sp.symbols("J I P Q", real=True)
    made = (2 * count + 1) * one - x**2 * other
    proof.derive(
        sp.Subs(b ** (count + 1) * made, (one, other, x), (P / b**count, Q / b ** (count - 1), a / b)),
        lambda e: sp.collect(sp.expand(sp.powsimp(sp.expand(evaluated(e)))), P),
        (r"$b^{n+1} J_{n+1}$ at $x = a/b$: an integer, if $P = b^n J_n$ and $Q = b^{n-1} J_{n-1}$ are"),
    )
    proof.say(
        r"Suppose that $\sin(a/b) = 0$. Then $\cos(a/b) = \pm 1$, so $J_0 = 0$, and $b J_1 = -a \cos(a/b)$ "
        r"is $a$ or $-a$: all $b^n J_n$ are integers."
    )
    proof.state(
        y / (2 * y + later),
        "<=",
        sp.Rational(1, 2),
        (
            r"with $y = b x^2 / 2$, from $n + 1 = 2y$ on each bound $y^n / n!$ on $b^n J_n$ is at "
            r"most half the one before: they become smaller than one"
        ),
        because=later / (2 * (2 * y + later)),
    )
    proof.say(r"An integer smaller than one in size is zero: $J_n = 0$ at $a/b$ for all large $n$.")
    proof.derive(
        sp.Subs(((2 * count + 1) * one - other) / x**2, (one, other), (0, 0)),
        evaluated,
        r"and backward: $J_{n-1}$, if $J = J_n$ and $I = J_{n+1}$ are zero; so down to $J_1$ and $J_0$",
    )
    first, second = sp.sin(x), sp.sin(x) - x * sp.cos(x)
    proof.derive(
        (first - second) ** 2 + x**2 * first**2,
        lambda e: sp.simplify(sp.expand(e)),
        r"but $(J_0 - J_1)^2 + x^2 J_0^2$ is not zero at $x = a/b$: so $\sin(a/b)$ is not, either",
    )
    return proof


@theorem
def unique_on_integers() -> Derivation:
    """No two integers share an encoding, nor two fractions, whatever d and b."""
    proof = Derivation(
        "Whole positions are all different",
        [
            r"$p$ and $q$ are integers or rational, $p \ne q$; $\Delta = p - q$",
            r"the first pair has $\omega_0 = 1$, whatever $d$ and $b$",
        ],
    )
    first, more = 4 * sp.sin(Delta / 2) ** 2, 4 * sp.sin(omega * Delta / 2) ** 2
    proof.state(
        first,
        "<=",
        first + more,
        "every further pair adds a square, so the distance is at least that of the first pair",
        because=more,
    )
    proof.derive(
        squared_length(encoding(p, 1) - encoding(q, 1)),
        lambda e: half_angle(products_to_sums(e)),
        r"the square of $2 \sin \frac12 \Delta$",
    )
    proof.say(
        r"$\frac12 \Delta$ is a fraction other than zero, and the sine of such a fraction is not zero; that "
        r"is derived by itself."
    )
    return proof


@theorem
def real_period() -> Derivation:
    """Real positions: the ratio u/v of neighbors gives the period 2 pi u^(m-1), an irrational one none."""
    proof = Derivation(
        "When real positions repeat",
        [
            r"$\Delta = 2\pi n$ with an integer $n \ne 0$, since the first pair must be back",
            (
                r"$r = b^{2/d}$ is the ratio of neighboring frequencies, $\omega_i = r^{-i}$, and $i + "
                r"j = m - 1$"
            ),
        ],
    )
    r = sp.Symbol("r", irrational=True, positive=True)
    U, V, T = sp.symbols("u v t", integer=True, positive=True)
    j = sp.Symbol("j", integer=True, nonnegative=True)
    proof.state(
        n / r,
        "not in",
        sp.S.Rationals,
        "if $r$ is irrational, the second pair has made no whole number of turns: nothing ever repeats",
    )
    w = (V / U) ** i
    turns = sp.Mul(w, T * U ** (i + j), evaluate=False)
    proof.derive(
        turns,
        lambda e: sp.powsimp(sp.expand(sp.powdenest(evaluated(e), force=True))),
        r"if $r = u/v$, then $n = t u^{m-1}$ makes the turns of every pair whole",
    )
    proof.state(
        encoding(2 * sp.pi * turns, 1),
        "=",
        encoding(0, 1),
        (
            r"so all are back. Conversely, the last pair makes $n v^{m-1}/u^{m-1}$ turns; if $u/v$ is "
            r"in lowest terms, that is whole only if $u^{m-1}$ divides $n$"
        ),
    )
    return proof


@theorem
def pigeonhole() -> Derivation:
    """Among N^m + 1 positions two are within 2 pi sqrt(m)/N of each other."""
    N = sp.Symbol("N", integer=True, positive=True)
    proof = Derivation(
        "Every encoding comes back",
        [
            (
                r"cut each of the $m$ dials into $N$ equal sectors: $N^m$ boxes, and of $N^m + 1$ "
                r"different positions two fall into one box"
            ),
            r"there every hand differs by at most $x = 2\pi/N$",
        ],
    )
    proof.state(
        4 * sp.sin(sp.pi / N) ** 2,
        "<=",
        (2 * sp.pi / N) ** 2,
        "a pair gives at most the square of the arc",
        because=chord_gap(2 * sp.pi / N),
    )
    proof.derive(
        sp.sqrt(sp.Sum((2 * sp.pi / N) ** 2, (i, 0, m - 1))),
        lambda e: sp.simplify(evaluated(e)),
        "all pairs together",
    )
    return proof


@theorem
def rounding() -> Derivation:
    """Rounding with relative errors of at most u moves an encoding by at most u sqrt(m), m = d/2."""
    proof = Derivation(
        "What rounding can do",
        [r"each entry is rounded to within a relative error of $u$", "$m = d/2$ pairs"],
    )
    proof.derive(
        squared_length(u * encoding(p)),
        lambda e: sp.trigsimp(sp.factor(e)),
        "the squared error of one pair, at most",
    )
    proof.derive(
        2 * sp.sqrt(sp.Sum(proof.last, (i, 0, m - 1))),
        evaluated,
        r"two encodings, $m$ pairs each: their distance changes by at most $2u\sqrt m = u\sqrt{2d}$",
    )
    return proof


@theorem
def additive_error() -> Derivation:
    """PE(q + k) - PE(q), added at p, misses by 4 |sin(omega (p - q)/2) sin(omega k/2)| in each pair."""
    proof = Derivation("What addition misses", [PAIR, r"the vector learned at $q$ is added at $p = q + s$"])
    learned = encoding(q + k) - encoding(q)
    needed = (encoding(p + k) - encoding(p)).subs(p, q + s)
    square = squared_length(learned - needed)
    proof.derive(square, products_to_sums, "multiply out, products into sums: only $s$ and $k$ are left")
    proof.then(lambda e: sp.factor(sp.expand_trig(sp.expand(e))), "collect")
    proof.then(half_angle, r"$\cos x = 1 - 2 \sin^2(x/2)$, twice")
    proof.state(
        proof.last,
        "<=",
        16 * sp.sin(k * omega / 2) ** 2,
        r"never more than twice the norm $2 \lvert\sin(\omega k/2)\rvert$ of the vector itself",
        because=16 * sp.sin(k * omega / 2) ** 2 * sp.cos(s * omega / 2) ** 2,
    )
    proof.say(
        r"In the first pair, $\omega = 1$, it is never zero for integers $s, k \ne 0$: the sine of a "
        r"fraction other than zero is not zero."
    )
    return proof


@theorem
def midpoint() -> Derivation:
    """The mean of PE(p - k) and PE(p + k) is cos(omega k) PE(p)."""
    proof = Derivation("Between two positions", [PAIR])
    middle = (encoding(p - k) + encoding(p + k)) / 2
    proof.derive(
        middle,
        lambda e: collected(e.applyfunc(addition).applyfunc(sp.expand), encoding(p)),
        (
            r"collect: the mean of two encodings is a multiple of the one between, and while $\omega k < "
            r"\frac\pi2$ it points the right way and is too short"
        ),
    ).concludes()
    proof.derive(
        squared_length(middle - encoding(p)), lambda e: sp.factor(products_to_sums(e)), r"its squared error"
    )
    proof.then(
        lambda e: sp.factor(half_angle(e)), r"which is $4\sin^4$: tiny for slow pairs, large for fast ones"
    ).concludes()
    straight = (1 - t) * encoding(p) + t * encoding(p + 1)
    proof.derive(
        squared_length(straight),
        lambda e: sp.factor(half_angle(TR8(sp.expand(e)))),
        "anywhere on the straight line from $p$ to $p + 1$ the encoding is shorter than $1$",
    )
    proof.derive(
        sp.MatMul(rotation_matrix(t), encoding(p)),
        lambda e: evaluated(e).applyfunc(lambda y: sp.trigsimp(sp.expand(y))),
        "while the rotation by a fraction $t$ of a step is exact",
    ).concludes()
    return proof


@theorem
def direction() -> Derivation:
    """PE(p).PE(q) is even in p - q; PE(p).T(s)PE(q) has its peak at p - q = s, and tells s from -s."""
    proof = Derivation("Before and after", [PAIR])
    proof.derive(
        dot(encoding(p), encoding(q)),
        products_to_sums,
        "a bare dot product is a cosine of $p - q$, the same for $q - p$",
    )
    proof.derive(
        dot(encoding(p), rotation_matrix(s) * encoding(q)),
        lambda e: sp.trigsimp(TR8(sp.expand(e))),
        "with a shift between the two it is centered on $s$",
    )
    peak = sp.cos(omega * (p - q - s))
    proof.state(
        peak,
        "<=",
        1,
        "the peak of every pair is at $p - q = s$",
        because=2 * sp.sin(omega * (p - q - s) / 2) ** 2,
    )
    proof.derive(
        peak.subs(p, q + s) - peak.subs(p, q - s),
        lambda e: half_angle(sp.expand(e)),
        "and it tells $s$ after from $s$ before",
    )
    proof.say(
        r"The first pair, $\omega = 1$, is at its peak only where $\sin \frac12(p - q - s) = 0$; for "
        r"integers $p$, $q$ and $s$ that is at $p - q = s$ alone, since the sine of a fraction other than "
        r"zero is not zero."
    )
    return proof
