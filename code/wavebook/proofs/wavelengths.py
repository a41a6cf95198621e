"""Derivations about the choice of frequencies, and about nothing else.

The wavelength of pair i is lambda_i = 2 pi b^(2i/d).
"""

import sympy as sp

from wavebook.proofs.derivation import Derivation, evaluated, theorem

i = sp.Symbol("i", integer=True, nonnegative=True)
d = sp.Symbol("d", integer=True, positive=True)
b, s, u, c = sp.symbols("b s u c", positive=True)
beta = sp.Symbol("beta", positive=True)  # ln b, where it matters that b > 1
WIDTH = "$d > 0$ is the number of entries, $b > 1$ the base"
LOGARITHM = r"$\beta = \ln b > 0$"
UNIT = r"a wavelength is written $2 \pi u$"


def frequency(pair: sp.Expr) -> sp.Expr:
    """omega_i, radians per position."""
    return b ** sp.expand(-2 * pair / d)


def wavelength(pair: sp.Expr) -> sp.Expr:
    """lambda_i, positions per turn."""
    return 2 * sp.pi / frequency(pair)


def index(unit: sp.Expr) -> sp.Expr:
    """The real number i with lambda_i = 2 pi u: where the wavelength 2 pi u falls among the pairs."""
    pair, logarithm = sp.symbols("pair L")
    (found,) = sp.solve(sp.expand_log(sp.log(1 / frequency(pair)), force=True) - logarithm, pair)
    return found.subs(logarithm, sp.log(unit))


def apart(expression: sp.Expr) -> sp.Expr:
    """Write logarithms of products and powers as sums, and cancel."""
    return sp.expand(sp.expand_log(expression.doit(), force=True))


def quotient(above: sp.Expr, below: sp.Expr) -> sp.Expr:
    """A fraction that stays one until ``doit`` cancels it."""
    return sp.Mul(above, sp.Pow(below, -1), evaluate=False)


def cancel(expression: sp.Expr) -> sp.Expr:
    """Collect the powers of one base into one."""
    return sp.powsimp(expression.doit())


@theorem
def ratio() -> Derivation:
    """Neighboring wavelengths have the ratio b^(2/d): equal steps in the logarithm, and a constant Q."""
    proof = Derivation("One ratio for all neighbors", [WIDTH])
    proof.derive(quotient(wavelength(i + 1), wavelength(i)), cancel, "$i$ cancels").concludes()
    growth = proof.last
    proof.derive(
        sp.log(wavelength(i + 1)) - sp.log(wavelength(i)), apart, "so the logarithms are equally spaced"
    )
    proof.state(proof.last, "=", sp.log(growth), "each the logarithm of the ratio").concludes()
    proof.derive(
        1 - quotient(frequency(i + 1), frequency(i)),
        cancel,
        "the step to the next frequency, as a fraction of the frequency: $i$ cancels again",
    ).concludes()
    return proof


@theorem
def endpoint() -> Derivation:
    """The last wavelength is 2 pi b^(1 - 2/d): short of 2 pi b for every d."""
    proof = Derivation("The last wavelength", [WIDTH, LOGARITHM, "the last pair is $i = d/2 - 1$"])
    proof.derive(
        quotient(wavelength(d / 2 - 1), 2 * sp.pi * b),
        cancel,
        r"as a fraction of $2\pi b$: one step of the ratio is missing",
    ).concludes()
    share = proof.last
    proof.derive(sp.Limit(share, d, sp.oo), evaluated, "the fraction tends to one").concludes()
    logarithm = sp.log(share).subs(b, sp.exp(beta))
    proof.state(
        logarithm,
        "<=",
        -beta / d,
        r"but for every $d$ its logarithm is negative: $2 \pi b$ is not reached",
        because=beta / d,
    ).concludes()
    m, r = sp.Symbol("m", integer=True, positive=True), sp.Symbol("r", positive=True)
    (growth,) = sp.solve(sp.Eq(m * sp.log(r), sp.log(b)), r)
    proof.derive(
        sp.Mul(2 * sp.pi, sp.Pow(sp.simplify(growth), m, evaluate=False), evaluate=False),
        cancel,
        r"the ratio that does reach $2\pi b$, in $m = d/2 - 1$ steps",
    ).concludes()
    return proof


@theorem
def octaves() -> Derivation:
    """Every octave, and every factor s, gets the same number of steps: d ln s / (2 ln b)."""
    proof = Derivation("Equal steps for equal ratios", [WIDTH, UNIT])
    proof.derive(
        index(2 * u) - index(u), apart, "steps from $u$ to $2u$: $u$ cancels, so every octave has as many"
    ).concludes()
    proof.derive(
        index(s * u) - index(u), apart, "and so has every other interval of a given ratio $s$"
    ).concludes()
    return proof


@theorem
def coverage() -> Derivation:
    """The fraction of pairs with a wavelength up to 2 pi u tends to ln u / ln b."""
    rest, y = sp.Symbol("varepsilon", nonnegative=True), sp.Symbol("y", real=True)
    x = sp.Symbol("x", nonnegative=True)
    proof = Derivation(
        "Coverage as $d$ grows",
        [
            WIDTH,
            UNIT + r" with $1 \le u \le b$",
            r"$i(u) = \frac d2 \ln u / \ln b$, a real number",
        ],
    )
    proof.derive(
        sp.log(wavelength(i) / (2 * sp.pi * u)),
        lambda e: sp.factor(sp.expand_log(e, force=True), sp.log(b)),
        r"it grows with $i$, and is zero at $i = i(u)$",
    )
    proof.say(
        r"So the pairs with $\lambda_i \le 2 \pi u$ are $i = 0, 1, \dots$ up to $x = i(u)$: they are "
        r"$\lfloor x \rfloor + 1$ many (or $\frac d2$, which is $x$, if $u = b$)."
    )
    proof.state(x, "<=", sp.floor(x) + 1, "which is at least $x$", because=1 - sp.frac(x))
    proof.state(
        sp.floor(x) + 1,
        "<=",
        x + 1,
        r"and at most $x + 1$: $i(u) + \varepsilon$ with $0 \le \varepsilon \le 1$",
        because=sp.frac(x),
    )
    proof.derive(
        sp.Limit((index(u) + rest) / (d / 2), d, sp.oo),
        apart,
        r"their fraction of all $d/2$ pairs; $\varepsilon$ plays no part",
    ).concludes()
    share = proof.last
    proof.derive(
        sp.Derivative(share.subs(u, sp.exp(y)), y),
        apart,
        r"on a logarithmic axis, $y = \ln u$, the density is the same everywhere",
    )
    proof.derive(1 - share, sp.together, r"the fraction that never completes a turn in $2 \pi u$ positions")
    return proof


@theorem
def scale_invariance() -> Derivation:
    """If the number of wavelengths between u and s u depends on s alone, it is c ln s."""
    number = sp.Function("N")
    proof = Derivation(
        "No scale preferred: only the logarithm is left",
        [
            UNIT + "; $N(u)$ wavelengths are shorter, and $N$ is differentiable",
            r"$N(su) - N(u) = g(s)$ depends on $s$ alone, for $u$ and $su$ from one to $b$",
        ],
    )
    depends = sp.Function("g")
    proof.state(
        s * sp.Derivative(number(s * u), s),
        "=",
        u * sp.Derivative(number(s * u), u),
        "the chain rule, for any $N$",
    )
    both = number(u) + depends(s)
    proof.derive(
        s * sp.Derivative(both, s) - u * sp.Derivative(both, u),
        evaluated,
        r"with $N(su) = N(u) + g(s)$ the line above says that this is zero",
    )
    proof.say(
        r"So $s\,g'(s) = u\,N'(u)$ for all $s$ and $u$. The left side does not depend on $u$, the right "
        r"one not on $s$: both are one number $c$."
    )
    general = sp.dsolve(sp.Eq(u * number(u).diff(u), c), number(u)).rhs
    proof.derive(
        u * sp.Derivative(general, u),
        evaluated,
        r"the general solution of $u\,N' = c$ has one constant, $C_1$",
    )
    proof.derive(general.subs(u, s * u) - general, apart, "it has the property: $u$ cancels")
    (free,) = general.free_symbols - {u, c}
    (ends,) = sp.solve([general.subs(u, 1), general.subs(u, b) - d / 2], [free, c], dict=True)
    proof.derive(
        general.subs(ends).subs(u, 1 / frequency(i)),
        apart,
        (
            r"with none below $u = 1$ and all $d/2$ below $u = b$: the geometric progression has $i$ "
            r"wavelengths below $\lambda_i$, as it should"
        ),
    )
    return proof


@theorem
def trade() -> Derivation:
    """Range times resolution: for large d the mean squared frequency tends to less than 1 / (2 ln b)."""
    n, rho = sp.Symbol("n", integer=True, positive=True), sp.Symbol("rho", positive=True)
    proof = Derivation(
        "Range is paid for with resolution",
        [
            LOGARITHM,
            r"there are $n = d/2$ pairs, and $\rho = e^{-2\beta/n} < 1$, so that $\omega_i^2 = \rho^i$",
        ],
    )
    squares = (1 - rho**n) / (1 - rho)
    proof.derive(
        squares.subs(n, n + 1) - squares,
        sp.simplify,
        r"one more pair adds its square, $\rho^n$: so the squares of $n$ pairs add up to this fraction",
    )
    proof.derive(
        sp.Limit((squares / n).subs(rho, sp.exp(-2 * beta / n)), n, sp.oo),
        lambda e: sp.simplify(sp.expand(evaluated(e))),
        r"the limit of their mean; in it, $1 - \rho^n = 1 - b^{-2}$ for each $n$",
    ).concludes()
    proof.derive(beta * proof.last, sp.expand, r"times the range $\ln b$")
    proof.state(
        proof.last,
        "<=",
        sp.Rational(1, 2),
        r"less than one half, whatever the base: what is missing, $b^{-2}/2$, is positive",
        because=sp.exp(-2 * beta) / 2,
    )
    return proof


@theorem
def folding() -> Derivation:
    """At integers, the frequencies 2 pi + w and 2 pi - w have the cosine of w, and its sine up to sign."""
    p, w = sp.Symbol("p", integer=True), sp.Symbol("omega", real=True)
    proof = Derivation("Frequencies up to pi are enough", [r"$p$ is an integer, $\omega$ a real number"])
    on, back = "a whole number of turns on", "a whole number of turns on, and then back"
    for wave in (sp.cos, sp.sin):
        for frequency, reason in ((2 * sp.pi + w, on), (2 * sp.pi - w, back)):
            angle = sp.expand(frequency * p)
            proof.derive(wave(angle, evaluate=False), evaluated, reason).concludes()
    proof.say(
        r"Any frequency is $2 \pi n \pm \omega$ with an integer $n$ and $0 \le \omega \le \pi$: take off "
        r"whole turns, and mirror what is left if it is more than half a turn. By the first two lines "
        r"$K(\Delta) = \sum_i \cos \omega_i \Delta$ notices neither, at whole $\Delta$."
    )
    return proof


@theorem
def exponent() -> Derivation:
    """Another exponent is another base: i/d is 2i/d with the root of b, and 4i/d is 2i/d with its square."""
    proof = Derivation("Another exponent is another base", [WIDTH])
    half, double = (sp.Pow(base, -2 * i / d, evaluate=False) for base in (sp.sqrt(b), b**2))
    proof.derive(half, cancel, r"the usual progression with base $\sqrt b$ is the exponent $i/d$").concludes()
    proof.derive(double, cancel, "with base $b^2$ it is the exponent $4i/d$").concludes()
    return proof
