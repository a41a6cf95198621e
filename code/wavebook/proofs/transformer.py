"""Derivations about a Transformer: scale, sum, score, and the head that looks back.

Vectors of two entries and encodings of two pairs stand for all: what is used holds block by block.
"""

import sympy as sp
from sympy.simplify.fu import TR8

from wavebook.proofs.derivation import Derivation, evaluated, theorem
from wavebook.proofs.two_dimensions import encoding, k, p, q, rotation_matrix

d = sp.Symbol("d", integer=True, positive=True)
sigma, half_width = sp.symbols("sigma a", positive=True)


def _vector(name: str) -> sp.ImmutableMatrix:
    return sp.ImmutableMatrix(sp.symbols(f"{name}_:2", real=True))


def _square(name: str) -> sp.ImmutableMatrix:
    return sp.ImmutableMatrix(2, 2, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


def _root(expression: sp.Expr) -> sp.Expr:
    return sp.Pow(expression, sp.Rational(1, 2), evaluate=False)


@theorem
def scale() -> Derivation:
    """A token vector's length over a position vector's is sigma sqrt(2 d); sqrt(2) for sigma = 1/sqrt(d)."""
    j, u = sp.Symbol("j", integer=True), sp.Symbol("u", real=True)
    words = sp.Symbol("V", integer=True, positive=True)
    proof = Derivation(
        "How long is a token's vector beside its encoding?",
        [
            r"the $d$ entries of an embedding have mean $0$ and variance $\sigma^2$",
            r"norms are root mean squares; the encoding's is $\sqrt{d/2}$",
        ],
    )
    proof.derive(sp.Sum(sigma**2, (j, 1, d)), evaluated, "the mean squared norm of an embedding")
    proof.derive(
        sp.Mul(sp.sqrt(d), _root(proof.last), 1 / sp.sqrt(d / 2), evaluate=False),
        lambda e: sp.simplify(evaluated(e)),
        r"times $\sqrt d$, over the norm of the encoding",
    ).concludes()
    ratio = proof.last
    proof.derive(
        sp.Subs(ratio, sigma, 1 / sp.sqrt(d)),
        evaluated,
        r"with $\sigma = 1/\sqrt d$: the same for every $d$",
    ).concludes()
    proof.derive(
        sp.Integral(u**2 / (2 * half_width), (u, -half_width, half_width)),
        evaluated,
        "a uniform draw from $(-a, a)$ has this variance",
    )
    variance = proof.last
    spread = sp.sqrt(variance).subs(half_width, sp.sqrt(6 / (words + d)))
    proof.derive(
        sp.Subs(ratio, sigma, spread),
        lambda e: sp.simplify(evaluated(e)),
        r"Xavier's $a = \sqrt{6/(V+d)}$ for $V$ tokens: less than $1$ as soon as $V > 3d$",
    )
    return proof


@theorem
def concatenation() -> Derivation:
    """W [x; c] = W1 x + W2 c; adding is the case W1 = W2."""
    left, right, word, encoding = _square("w"), _square("v"), _vector("x"), _vector("c")
    joined = sp.ImmutableMatrix.hstack(left, right)
    proof = Derivation(
        "Adding is concatenating with shared weights",
        [r"$x$ is a token's vector, $c$ an encoding, and $(w \; v)$ the matrix that meets them side by side"],
    )
    proof.state(
        sp.MatMul(joined, sp.ImmutableMatrix.vstack(word, encoding)),
        "=",
        sp.MatAdd(sp.MatMul(left, word), sp.MatMul(right, encoding)),
        "block by block: a matrix for the token and a matrix for the encoding",
    ).concludes()
    shared = proof.last.subs(dict(zip(right, left, strict=True)))
    proof.state(
        shared,
        "=",
        sp.MatMul(left, sp.ImmutableMatrix(word + encoding)),
        "make the two matrices the same one: this is the sum $x + c$",
    ).concludes()
    return proof


@theorem
def four_terms() -> Derivation:
    """The score of two sums is the sum of four scores."""
    a, b, c, e = (sp.MatrixSymbol(name, 2, 1) for name in "abce")
    entries = {symbol: _vector(symbol.name) for symbol in (a, b, c, e)}

    def written(expression: sp.MatrixExpr) -> sp.MatrixExpr:
        """The products of an expression, with the entries of their factors."""
        terms = expression.args if expression.is_MatAdd else [expression]
        products = [
            sp.MatMul(
                *(sp.ImmutableMatrix(factor.subs(entries).doit().as_explicit()) for factor in term.args)
            )
            for term in terms
        ]
        return sp.MatAdd(*products) if len(products) > 1 else products[0]

    proof = Derivation(
        "A score has four parts",
        [
            (
                "the query is $a + b$ with $a = W_q x$ and $b = W_q u$, the key $c + e$ with $c = W_k "
                "y$ and $e = W_k v$"
            )
        ],
    )
    whole, first, second = (sp.MatMul(left.T, c + e) for left in (a + b, a, b))
    # Expanded as matrices of any size; only then are the entries written out.
    proof.state(
        written(whole),
        "=",
        sp.MatAdd(written(first), written(second)),
        "the query is a sum: a part of the token and a part of its position",
    )
    proof.state(
        written(first),
        "=",
        written(first.expand()),
        "the key is a sum too: the token meets the other token and the other position",
    )
    proof.state(
        written(second),
        "=",
        written(second.expand()),
        "and its position meets the other token and the other position",
    )
    return proof


@theorem
def look_back() -> Derivation:
    """With A = T(k) the score of two encodings is K(p - q - k), largest at q = p - k and nowhere else."""
    z, turns = sp.Symbol("z", real=True), sp.Symbol("n", integer=True, nonzero=True)
    proof = Derivation(
        "A head that looks $k$ back",
        [
            r"$W_q = I$ and $W_k = T(k)$; this is one pair, and the pairs of an encoding add up",
            r"$p$, $q$, $k$ are integers in the last line, and $\omega_0 = 1$",
        ],
    )
    proof.derive(
        sp.MatMul(rotation_matrix(k), encoding(q)),
        lambda e: evaluated(e).applyfunc(_sum_of_cosines),
        r"the key is moved: it is the encoding of $q + k$",
    )
    moved = proof.last
    proof.derive(
        sp.Add(*(a * b for a, b in zip(encoding(p), moved, strict=True))),
        _sum_of_cosines,
        r"its dot product with the query; summed over the pairs it is $K(p - q - k)$",
    )
    proof.state(sp.cos(z), "<=", 1, "each term is at most one", because=2 * sp.sin(z / 2) ** 2)
    proof.state(
        2 * sp.pi * turns,
        "not in",
        sp.S.Rationals,
        (
            r"the fastest is one only where $p - q - k$ is a multiple of $2\pi$, and no integer but $0$ "
            r"is: the peak at $q = p - k$ is the only one"
        ),
    )
    return proof


def _sum_of_cosines(expression: sp.Expr) -> sp.Expr:
    """Products into sums, and the frequency taken out of each argument."""
    return sp.expand(TR8(sp.expand(expression))).replace(
        lambda e: isinstance(e, (sp.sin, sp.cos)), lambda e: e.func(sp.factor(e.args[0]))
    )


@theorem
def sharpness() -> Derivation:
    """The temperature at which the wanted token outweighs m rivals r to one."""
    gap, temperature, odds = sp.symbols("g tau r", positive=True)
    score = sp.Symbol("s", real=True)
    rivals = sp.Symbol("m", integer=True, positive=True)
    proof = Derivation(
        "How sharp must it be?",
        [
            (
                "the target has the score $s$, each of its $m$ rivals $s - g - e$ with $e \\ge 0$; $g > 0$ "
                "and $m r > 1$"
            )
        ],
    )
    behind, x, more = sp.symbols("e x v", nonnegative=True)
    level = sp.Symbol("ell", positive=True)
    proof.state(
        sp.exp(-behind / temperature),
        "<=",
        1,
        "being farther behind by $e$ takes a rival this factor of weight: the worst case is $e = 0$ for all",
        because=sp.Integral(sp.exp(-x / temperature) / temperature, (x, 0, behind)),
    )
    powers = sp.exp(score / temperature), rivals * sp.exp((score - gap) / temperature)
    proof.derive(
        powers[0] / sp.Add(*powers),
        lambda e: sp.simplify(e),
        r"then this is the target's weight at temperature $\tau$: $s$ plays no part",
    )
    weight = proof.last
    (needed,) = sp.solve(sp.Eq(weight, odds / (1 + odds)), temperature)
    proof.derive(
        sp.Subs(weight, temperature, needed),
        lambda e: sp.simplify(evaluated(e)),
        "solved for the temperature that gives odds of $r$ to one",
    )
    proof.derive(
        sp.Subs(odds * sp.exp(gap / temperature - level), temperature, gap / (level * (1 + more))),
        lambda e: sp.powsimp(sp.expand(evaluated(e))),
        (
            r"with $m r = e^\ell$ that is the temperature $g/\ell$, where the odds $e^{g/\tau}/m$ are "
            r"$r$; over $1 + v$, for any $v \ge 0$, they are these"
        ),
    )
    proof.state(
        odds,
        "<=",
        odds * sp.exp(level * more),
        r"which are at least $r$, as $m r > 1$ makes $\ell > 0$",
        because=sp.Integral(odds * level * sp.exp(level * x), (x, 0, more)),
    ).concludes()
    return proof
