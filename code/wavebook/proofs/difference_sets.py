"""Derivations about frequencies from planar difference sets.

The residues s_0 .. s_q modulo N = q^2 + q + 1 are such that each nonzero residue is the difference of exactly
one ordered pair of them; omega_l = 2 pi s_l / N.
"""

import sympy as sp

from wavebook.proofs.derivation import Derivation, evaluated, theorem

z = sp.Symbol("z")
q, n, m = (sp.Symbol(name, integer=True, positive=True) for name in "qNm")
offset, residue, turns, r = (sp.Symbol(name, integer=True) for name in ("Delta", "s", "t", "r"))
x, y = sp.symbols("x y", real=True)
LENGTH = q**2 + q + 1
RESIDUES = (
    r"$s_0, \dots, s_q$ are residues modulo $N = q^2 + q + 1$, and each nonzero residue is $s_l - s_{l'}$ "
    r"for exactly one ordered pair; $\omega_l = 2\pi s_l/N$; $j$ is the imaginary unit"
)


def kept(*terms: sp.Expr) -> sp.Expr:
    """A sum that stays one until ``doit`` adds it up."""
    return sp.Add(*terms, evaluate=False)


def root(exponent: sp.Expr) -> sp.Expr:
    """The N-th root of unity exp(2 pi i exponent / N)."""
    return sp.exp(2 * sp.pi * sp.I * exponent / n)


@theorem
def flat() -> Derivation:
    """For each whole offset that N does not divide, the squared sum is q; the period is N."""
    proof = Derivation(
        "A difference set is back at $N$, and of one modulus before",
        [
            RESIDUES,
            r"$S(\Delta) = \sum_l e^{j \omega_l \Delta}$ at a whole number $\Delta$; "
            r"its real part is $K(\Delta)$",
        ],
    )
    proof.say(
        r"$|S(\Delta)|^2$ is the sum of $e^{2\pi j (s_l - s_{l'}) \Delta/N}$ over all ordered pairs: "
        r"$q + 1$ ones with $l = l'$, and each power $z^r$ of $z = e^{2\pi j \Delta/N}$ "
        r"from $r = 1$ to $N - 1$ once"
    )
    proof.derive((q + 1) * q, sp.expand, r"as many pairs with $l \neq l'$ as nonzero residues, $N - 1$")
    proof.derive(z**r * (z - 1), sp.expand, "each power, times $z - 1$, is a difference of neighbors")
    proof.say(r"so the powers from $r = 0$ to $N - 1$ add up to $z^N - 1$, divided by $z - 1$")
    proof.derive(
        kept(sp.Pow(root(offset), n, evaluate=False), -1),
        lambda e: sp.powsimp(evaluated(e)),
        r"which is zero where $z \neq 1$, that is where $N$ does not divide $\Delta$",
    )
    proof.derive(
        kept(q + 1, proof.last, -1),
        evaluated,
        r"$|S(\Delta)|^2$ there: the ones, and all powers but $z^0$",
    ).concludes()
    proof.derive(
        sp.Pow(root(residue), turns * n, evaluate=False),
        lambda e: sp.powsimp(evaluated(e)),
        r"at $\Delta = tN$ each term of $S$ is one",
    )
    proof.state(
        q,
        "<=",
        (q + 1) ** 2,
        r"so $|S(tN)|^2 = (q + 1)^2$, and it is larger than elsewhere: $N$ is the period of whole positions",
        because=LENGTH,
    ).concludes()
    proof.state(
        x**2,
        "<=",
        x**2 + y**2,
        r"with $x = K(\Delta)$ and $y$ the sum of the sines: $|K(\Delta)| \le \sqrt{q}$ where $N$ does not "
        r"divide $\Delta$",
        because=y**2,
    ).concludes()
    proof.state(
        0,
        "<=",
        q + 1 - sp.sqrt(q),
        r"half the squared distance of two encodings, $K(0) - K(\Delta)$, is at least $q + 1 - \sqrt{q} > 0$",
        because=(sp.sqrt(q) - sp.Rational(1, 2)) ** 2 + sp.Rational(3, 4),
    ).concludes()
    return proof


@theorem
def welch() -> Derivation:
    """No q + 1 residues modulo N have a smaller greatest sum: Welch's bound with equality."""
    proof = Derivation(
        "No other choice on the grid has a smaller greatest modulus",
        [
            r"any $m$ different residues modulo any $N > m$, $\omega_l = 2\pi s_l/N$, "
            r"$S(\Delta) = \sum_l e^{j \omega_l \Delta}$"
        ],
    )
    proof.say(
        r"Over $\Delta = 0, \dots, N - 1$ the terms $e^{2\pi j (s_l - s_{l'}) \Delta/N}$ of $|S|^2$ add up "
        r"to $N$ if $l = l'$, and to zero if not, as powers of a root of unity do: to $N m$ in all"
    )
    more = sp.Symbol("e", integer=True, positive=True)
    mean = ((m + more) * m - m**2) / (m + more - 1)
    proof.derive(
        sp.Mul(mean, sp.Pow(m, -2), evaluate=False),
        sp.factor,
        r"without $|S(0)|^2 = m^2$: the mean over $\Delta = 1, \dots, N - 1$ as a part of $m^2$, with "
        r"$N = m + e$; the greatest is at least the mean, which is Welch's bound",
    ).concludes()
    proof.derive(
        mean.subs({m: q + 1, more: q**2}),
        sp.cancel,
        r"the mean for $m = q + 1$ and $e = q^2$, which with a difference set is the value everywhere",
    ).concludes()
    return proof


@theorem
def margin() -> Derivation:
    """The look-back head with a difference set: its margin, and how many rivals it outweighs."""
    temperature, g = sp.symbols("tau g", positive=True)
    odds, a, c = sp.symbols("rho a c", positive=True)
    proof = Derivation(
        "A head that looks back with a difference set",
        [
            RESIDUES,
            r"the head that looks $k$ back gives the encodings of $p$ and $p - \Delta$ the score "
            r"$K(\Delta - k)/\sqrt{d}$, and $N$ divides $\Delta - k$ for no key but the target",
            r"$g$ is its margin, the target's score less the greatest of the others; $\rho$ to one are "
            r"the odds",
        ],
    )
    proof.derive(
        (c**2 - a) / (sp.sqrt(2) * c),
        sp.expand,
        r"with $c = \sqrt{q + 1}$ and $a = \sqrt{q}$, $g$ is at least this in $d = 2(q + 1)$ entries, the "
        r"fewest for the set: more than $(c - 1)/\sqrt{2}$, and there is no $N$ in it",
    ).concludes()
    rivals = sp.Mul(sp.exp(g / temperature) / odds, sp.exp(-g / temperature), evaluate=False)
    proof.derive(
        sp.Pow(sp.Add(1, rivals, evaluate=False), -1, evaluate=False),
        lambda e: sp.cancel(evaluated(e)),
        r"the least weight of the target among $e^{g/\tau}/\rho$ rivals; 99 in 100 for $\rho = 99$",
    ).concludes()
    return proof
