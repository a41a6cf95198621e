"""Derivations about d/2 pairs, a frequency each: the shift T(k), norms, distances, orders of the entries.

Where a sum over the pairs is wanted, the number of pairs n = d/2 is a symbol; where a matrix is wanted,
two or three pairs stand for all, since no pair enters the entries of another.
"""

from collections.abc import Callable

import sympy as sp
from sympy.simplify.fu import TR8

from wavebook.proofs.derivation import Derivation, evaluated, theorem
from wavebook.proofs.two_dimensions import addition, encoding, half_angle, rotation_matrix, squared_length
from wavebook.proofs.two_dimensions import omega as one_frequency

p, q, k, j = sp.symbols("p q k j", real=True)
base, omega, omega_i = sp.symbols("b omega omega_i", positive=True)
pairs = sp.Symbol("n", integer=True, positive=True)
pair = sp.Symbol("i", integer=True, nonnegative=True)
REAL = r"$p$ and $k$ are real"
Omegas = tuple[sp.Symbol, ...]
Layout = Callable[[sp.Expr, Omegas], sp.ImmutableMatrix]  # a column of encodings in some order
POSITIVE = r"every $\omega_i > 0$"


def symbols(count: int) -> tuple[sp.Symbol, ...]:
    """omega_0 .. omega_(count - 1), any positive numbers."""
    return tuple(sp.symbols(f"omega_:{count}", positive=True))


def full_encoding(position: sp.Expr, omegas: Omegas) -> sp.ImmutableMatrix:
    """The column of all pairs, interleaved: sine, cosine, sine, cosine, ..."""
    return sp.ImmutableMatrix.vstack(*(encoding(position, frequency) for frequency in omegas))


def halves_encoding(position: sp.Expr, omegas: Omegas) -> sp.ImmutableMatrix:
    """The same entries, all sines first."""
    return sp.ImmutableMatrix([f(frequency * position) for f in (sp.sin, sp.cos) for frequency in omegas])


def matrix_of(vector: sp.Matrix, in_terms_of: sp.Matrix) -> sp.ImmutableMatrix:
    """The matrix A with vector = A in_terms_of, read off as coefficients."""
    matrix, rest = sp.linear_eq_to_matrix(list(vector), list(in_terms_of))
    if not rest.is_zero_matrix:
        raise ValueError(f"{vector} must be linear in the entries of {in_terms_of}, got the rest {rest}")
    return sp.ImmutableMatrix(matrix)


def collected(vector: sp.Matrix, in_terms_of: sp.Matrix) -> sp.MatMul:
    """The vector as a product A in_terms_of."""
    return sp.MatMul(matrix_of(vector, in_terms_of), in_terms_of)


def shift_of(layout: Layout, omegas: Omegas) -> sp.ImmutableMatrix:
    """The matrix that takes layout(p) to layout(p + k): expand by the addition formulas, collect."""
    return matrix_of(layout(p + k, omegas).applyfunc(addition), layout(p, omegas))


@theorem
def block_diagonal() -> Derivation:
    """PE(p + k) = T(k) PE(p) with one rotation for each pair on the diagonal, and zeros elsewhere."""
    omegas = symbols(2)
    proof = Derivation(
        "T(k) is block-diagonal",
        [REAL, POSITIVE + "; two pairs stand for any number, since none enters the entries of another"],
    )
    moved = full_encoding(p + k, omegas)
    proof.derive(moved, lambda e: e.applyfunc(addition), "addition formulas, entry by entry")
    proof.then(
        lambda e: collected(e, full_encoding(p, omegas)),
        r"collect the coefficients of the entries of $\mathrm{PE}(p)$",
    )
    matrix, _ = proof.last.args
    proof.state(
        matrix,
        "=",
        sp.BlockDiagMatrix(*matrix.get_diag_blocks()),
        "it falls apart into blocks of two, and there is no $p$ in it",
    )
    return proof


@theorem
def group_law() -> Derivation:
    """T(j) T(k) = T(j + k); T is orthogonal with determinant 1."""
    omegas = symbols(2)
    proof = Derivation("The shifts of the whole encoding form a group", [r"$j$ and $k$ are real", POSITIVE])
    matrix = shift_of(full_encoding, omegas)
    proof.derive(
        sp.MatMul(matrix.subs(k, j), matrix),
        lambda e: evaluated(e).applyfunc(TR8),
        "block times block, products into sums",
    )
    proof.then(lambda e: e.applyfunc(lambda x: sp.factor(x, deep=True)), "which is $T(j + k)$")
    proof.derive(
        sp.MatMul(matrix.T, matrix),
        lambda e: evaluated(e).applyfunc(sp.simplify),
        r"orthogonal: the transpose is the inverse, $T(-k)$",
    )
    proof.derive(
        sp.Determinant(matrix), lambda e: sp.simplify(evaluated(e)), "the product of the blocks' determinants"
    )
    return proof


@theorem
def eigenvalues() -> Derivation:
    """The eigenvalues of T(k) are e^(+-j omega_i k), and the eigenvectors do not depend on k."""
    x, (first, second) = sp.Symbol("x"), symbols(2)
    proof = Derivation(
        "Eigenvalues of the shift", [r"$k$ is real, $x$ is the unknown, $j$ is the imaginary unit", POSITIVE]
    )
    matrix = shift_of(full_encoding, (first, second))
    blocks = matrix.get_diag_blocks()
    factors = [sp.trigsimp(sp.expand((x * sp.eye(2) - block).det())) for block in blocks]
    proof.state(
        sp.Determinant(sp.ImmutableMatrix(x * sp.eye(4) - matrix)),
        "=",
        sp.Mul(*factors, evaluate=False),
        "the characteristic polynomial is the product of the blocks'",
    )
    turn = sp.exp(sp.I * k * first)

    def split(e: sp.Expr) -> sp.Expr:
        return sp.Mul(*(x - root for root in sp.roots(sp.Poly(sp.expand(e.rewrite(sp.exp) * turn), x))))

    proof.derive(
        factors[0],
        split,
        "the roots of the first factor, by Euler's formula",
    )
    unit = sp.Symbol("u")  # e^(i k omega), for the moment
    singular = (blocks[0].rewrite(sp.exp) - turn * sp.eye(2)).subs({turn: unit, 1 / turn: 1 / unit})
    vector = sp.ImmutableMatrix(singular.nullspace(simplify=sp.simplify)[0])
    proof.state(
        sp.MatMul(blocks[0], vector),
        "=",
        turn * vector,
        "an eigenvector without $k$ in it: all shifts share it",
    )
    proof.state(
        sp.MatMul(blocks[0], vector.conjugate()),
        "=",
        sp.conjugate(turn) * vector.conjugate(),
        "and the block's other one, its conjugate",
    )
    return proof


@theorem
def only_matrix() -> Derivation:
    """The encodings of d neighboring positions span the space, so only one matrix can shift them all."""
    one, last = sp.symbols("omega_i omega_l", positive=True)
    t, more = sp.symbols("t v", positive=True)
    proof = Derivation(
        "Only one matrix shifts every position",
        [
            r"the $n = d/2$ frequencies are distinct, and $0 < \omega_i < \pi$",
            (
                r"$D_n$ is the determinant of the encodings of the positions $0, \dots, 2n - 1$, side by "
                r"side; $D_0 = 1$"
            ),
            (
                r"if $A$ and $T$ both take $\mathrm{PE}(p)$ to $\mathrm{PE}(p+k)$ for these positions, then "
                r"$A - T$ sends every one of their encodings to zero; to show: it is zero"
            ),
        ],
    )
    neighbors = encoding(p + 1, one) + encoding(p - 1, one) - 2 * sp.cos(last) * encoding(p, one)
    proof.derive(
        sp.ImmutableMatrix(neighbors),
        lambda e: collected(e.applyfunc(addition), encoding(p, one)),
        r"pair $i$ at three neighboring positions, with one weight for all pairs: zero for $i = l$",
    )
    factor, _ = proof.last.args
    proof.say(
        r"Take any pair $l$. In the matrix, from its last column back to its third, add to each column "
        r"the one two before it and subtract $2 \cos \omega_l$ times the one before it. $D_n$ stays the "
        r"same. Pair $l$ keeps only its first two columns, $\mathrm{PE}(0)$ and $\mathrm{PE}(1)$. From "
        r"the third column on, every other pair has its encodings of the positions $1, \dots, 2n - 2$, "
        r"times the matrix above."
    )
    proof.derive(
        sp.Determinant(
            sp.ImmutableMatrix.hstack(encoding(sp.Integer(0), last), encoding(sp.Integer(1), last))
        ),
        evaluated,
        "what pair $l$ contributes",
    )
    proof.derive(
        sp.Determinant(factor),
        lambda e: sp.factor(evaluated(e)),
        "what the matrix above contributes for pair $i$",
    )
    proof.say(
        r"The positions $1, \dots, 2n - 2$ are $0, \dots, 2n - 3$ moved by $T(1)$, whose determinant is "
        r"$1$. So, up to its sign, $D_n$ is $\sin \omega_l \prod_{i \ne l} 4 (\cos \omega_i - \cos "
        r"\omega_l)^2 \, D_{n-1}$."
    )
    proof.derive(
        sp.Mul(2 ** (pairs * (pairs - 1)), 2 ** (-(pairs - 1) * (pairs - 2)), evaluate=False),
        lambda e: sp.simplify(sp.powsimp(evaluated(e))),
        (
            r"pair after pair, $|D_n| = 2^{n(n-1)} \prod_i \sin \omega_i \prod_{i<l} (\cos \omega_i - "
            r"\cos \omega_l)^2$: one factor $4$ for each of the $n - 1$ other pairs makes this power of "
            r"two"
        ),
    )
    first, second = symbols(2)
    four = sp.ImmutableMatrix.hstack(
        *(full_encoding(sp.Integer(place), (first, second)) for place in range(4))
    )
    proof.state(
        sp.Determinant(four),
        "=",
        4 * sp.sin(first) * sp.sin(second) * (sp.cos(first) - sp.cos(second)) ** 2,
        "the same for two pairs, written out",
    )
    proof.derive(
        sp.sin(2 * sp.atan(t)),
        lambda e: sp.together(sp.expand_trig(e)),
        r"$0 < \omega < \pi$ means $\omega = 2 \arctan t$ with $t > 0$",
    )
    proof.state(proof.last, "!=", 0, "so no sine is zero")
    proof.derive(
        sp.cos(2 * sp.atan(t)) - sp.cos(2 * sp.atan(t + more)),
        lambda e: sp.factor(sp.together(sp.expand_trig(e))),
        r"of two different frequencies one has the larger $t$, by $v > 0$",
    )
    proof.state(proof.last, "!=", 0, "so no difference of cosines is zero, and neither is $D_n$")
    proof.say(
        r"The encodings of the $2n = d$ positions span the space, and a matrix that sends all of them "
        r"to zero is zero."
    )
    return proof


@theorem
def complex_form() -> Derivation:
    """A pair is one complex number, a shift multiplies it, and the dot product is a real part."""
    z = sp.exp(sp.I * omega * p)
    proof = Derivation(
        "The complex form", [REAL + r", $\omega > 0$, $z(p) = e^{j\omega p}$, $j$ is the imaginary unit"]
    )
    sine, cosine = encoding(p, omega)
    proof.derive(
        cosine + sp.I * sine,
        lambda e: sp.simplify(e.rewrite(sp.exp)),
        "cosine and sine of one pair, as one number",
    )
    proof.derive(
        sine + sp.I * cosine,
        lambda e: sp.powsimp(sp.expand(e.rewrite(sp.exp))),
        r"in the order of the encoding it is $j$ times the conjugate",
    )
    proof.derive(
        z.subs(p, p + k),
        lambda e: sp.expand(e, power_exp=True),
        "a shift multiplies: one factor, the same for every position",
    )
    proof.derive(
        sp.re(z * sp.conjugate(z.subs(p, q))),
        lambda e: sp.factor(TR8(sp.expand(sp.expand_complex(e))), deep=True),
        "the dot product of two pairs is a real part, and depends on the difference",
    )
    return proof


@theorem
def norm_and_distance() -> Derivation:
    """|PE|^2 = d/2; with x = omega_i (p - q) dot products sum cos x, squared distances 4 sin^2(x/2)."""
    proof = Derivation(
        "Norm, dot product and distance, pair by pair",
        [r"$p$ and $q$ are real, $\omega_i > 0$, and there are $n = d/2$ pairs"],
    )
    one, other = encoding(p, omega_i), encoding(q, omega_i)
    proof.derive(squared_length(one), sp.trigsimp, "the squared norm of pair $i$")
    proof.derive(
        sp.Sum(proof.last, (pair, 0, pairs - 1)),
        evaluated,
        r"summed over the pairs, so the norm is $\sqrt n = \sqrt{d/2}$",
    )
    proof.derive(
        one.dot(other),
        lambda e: sp.factor(TR8(e), deep=True),
        r"what pair $i$ gives to the dot product: $p$ and $q$ enter as $p - q$",
    )
    proof.derive(
        squared_length(one - other),
        lambda e: half_angle(sp.factor(TR8(sp.expand(e)), deep=True)),
        "and to the squared distance: a chord",
    )
    return proof


@theorem
def only_sinusoids() -> Derivation:
    """Bounded vectors with E(p + 1) = A E(p) for all integers p are made of sinusoids."""
    radius = sp.Symbol("r", positive=True)
    angle, alpha, beta = sp.symbols("theta alpha beta", real=True)
    last = sp.Symbol("c", complex=True)
    proof = Derivation(
        "A bounded encoding with a linear shift is made of waves",
        [
            r"$E(p + 1) = A\,E(p)$ for all integers $p$, and $\lVert E(p) \rVert$ is bounded",
            r"$z = r e^{j\theta}$, $r > 0$, is an eigenvalue of $A$; $j$ is the imaginary unit",
        ],
    )
    proof.say(
        r"Split $E(p)$ into parts, one in each generalized eigenspace of $A$. The matrix keeps these spaces, "
        r"and each part is a fixed linear function of $E(p)$. So each part has the same shift and is bounded."
    )
    proof.say(
        r"The part of eigenvalue $0$ is zero: on its space $A^d = 0$, and the part at $p$ is $A^d$ times the "
        r"part at $p - d$."
    )

    def power(exponent: sp.Expr) -> sp.Expr:
        return radius**exponent * sp.exp(sp.I * angle * exponent)

    def block(exponent: sp.Expr) -> sp.ImmutableMatrix:
        return sp.ImmutableMatrix([[power(exponent), exponent * power(exponent - 1)], [0, power(exponent)]])

    proof.derive(
        sp.MatMul(block(p), block(sp.Integer(1))),
        lambda e: evaluated(e).applyfunc(lambda x: sp.powsimp(sp.factor(sp.powsimp(sp.expand(x))))),
        r"two rows of a Jordan block for $z$, at the power $p$, times the block itself: its power $p + 1$",
    )
    proof.say(
        r"Let $c$ be the last coordinate of the part in a Jordan block that is not zero at $p = 0$, "
        r"and $c'$ the one before it, if there is one."
    )
    proof.derive(
        sp.Abs(last * power(p), evaluate=False),
        evaluated,
        r"the last coordinate at $p$: for $r \neq 1$ it grows without bound in one direction, so $r = 1$",
    )
    proof.derive(
        sp.Abs((last * p * power(p - 1)).subs(radius, 1), evaluate=False),
        evaluated,
        r"what it adds to $c' z^p$ in the coordinate before it: $c'$ stays, and this grows, "
        r"so there is no such coordinate",
    )
    proof.say(
        r"So each part consists of eigenvectors, with $\lvert z \rvert = 1$, and every entry of $E(p)$ is a "
        r"sum of terms $(\alpha - j\beta)\, e^{j\theta p}$. It is real, and equals its real part."
    )
    proof.derive(
        sp.re((alpha - sp.I * beta) * sp.exp(sp.I * angle * p), evaluate=False),
        lambda e: sp.expand(sp.expand_complex(e)),
        r"the real part of a term; $-\theta$ gives the same waves as $\theta$",
    ).concludes()
    return proof


@theorem
def only_sinusoids_of_the_reals() -> Derivation:
    """Continuous bounded vectors with E(p + s) = A(s) E(p) for all real p and s are made of sinusoids."""
    rate, angle, s = sp.symbols("sigma theta s", real=True)
    last = sp.Symbol("c", complex=True)
    growth = rate + sp.I * angle
    proof = Derivation(
        "The same for real positions",
        [
            r"$E(p + s) = A(s)\,E(p)$ for all real $p$ and $s$; $E$ is continuous and bounded",
            r"$\sigma + j\theta$ is an eigenvalue of the matrix $B$ below; $j$ is the imaginary unit",
        ],
    )
    proof.say(
        r"On the space that all $E(p)$ span, $A(s)$ is determined, $A(s)A(t) = A(s + t)$, and $A(s)$ is "
        r"continuous in $s$. Such a family is $e^{sB}$ for one matrix $B$."
    )
    block = sp.ImmutableMatrix([[growth, 1], [0, growth]])
    power = sp.ImmutableMatrix([[1, s], [0, 1]]) * sp.exp(s * growth)
    proof.derive(
        sp.MatMul(block, sp.ImmutableMatrix(power)),
        lambda e: evaluated(e).applyfunc(sp.expand),
        r"a Jordan block of $B$, times its exponential: the exponential's derivative",
    )
    proof.derive(
        sp.Abs(last * sp.exp(s * growth), evaluate=False),
        evaluated,
        r"the last coordinate: for $\sigma \neq 0$ it grows without bound in one direction, so $\sigma = 0$",
    )
    proof.derive(
        sp.Abs((last * s * sp.exp(s * growth)).subs(rate, 0), evaluate=False),
        evaluated,
        "what it adds to the coordinate before it grows, too, so there is no such coordinate",
    )
    proof.say(r"So each part is an eigenvector times $e^{j\theta p}$, and the real parts are the waves.")
    return proof


@theorem
def roots_and_recurrences() -> Derivation:
    """A pair of eigenvalues satisfies its recurrence; p times it satisfies the recurrence applied twice."""
    radius = sp.Symbol("r", positive=True)
    angle = sp.Symbol("theta", real=True)
    proof = Derivation("Roots and their encodings", [r"$r > 0$ and $\theta$ are real, $p$ is an integer"])

    def after(entry: sp.Expr, steps: int) -> sp.Expr:
        return entry.subs(p, p + steps)

    def applied(entry: sp.Expr) -> sp.Expr:
        return after(entry, 2) - 2 * radius * sp.cos(angle) * after(entry, 1) + radius**2 * entry

    def to_zero(e: sp.Expr) -> sp.Expr:
        return sp.simplify(sp.expand(sp.expand_trig(sp.expand(sp.powsimp(sp.expand(e / radius**p))))))

    for name, wave in (("cosine", sp.cos(angle * p)), ("sine", sp.sin(angle * p))):
        single = radius**p * wave
        proof.derive(applied(single), to_zero, f"the recurrence of the pair, for the {name}").concludes()
        twice = applied(applied(p * single))
        proof.derive(twice, to_zero, f"applied twice, for $p$ times the {name}").concludes()
    return proof


@theorem
def torus_knot() -> Derivation:
    """For d = 4 the curve closes exactly when the square root of the base is a fraction."""
    fast, slow = sp.symbols("m_0 m_1", integer=True, positive=True)
    period = sp.Symbol("P", positive=True)
    proof = Derivation(
        "When the curve on the torus closes",
        [r"$d = 4$, so $\omega_0 = 1$ and $\omega_1 = 1/\sqrt{b}$; $p$ and $P > 0$ are real"],
    )
    pairs_apart = [
        encoding(p + period, frequency) - encoding(p, frequency)
        for frequency in (sp.Integer(1), 1 / sp.sqrt(base))
    ]
    for apart, reason in zip(
        pairs_apart,
        (
            r"pair $0$ has returned after $P$ only if $P = 2\pi m_0$: whole turns",
            r"and pair $1$ only if $P = 2\pi m_1 \sqrt{b}$; both together make $\sqrt{b} = m_0/m_1$",
        ),
        strict=True,
    ):
        proof.derive(squared_length(apart), lambda e: half_angle(sp.simplify(TR8(sp.expand(e)))), reason)
    after = encoding(p + 2 * sp.pi * fast, slow / fast)
    proof.derive(
        after,
        lambda e: e.applyfunc(lambda x: sp.expand(x, deep=True)),
        r"conversely, with $\sqrt{b} = m_0/m_1$ pair $1$ is back after $P = 2\pi m_0$",
    )
    proof.say(
        r"If the fraction is in lowest terms, no smaller $P$ will do: after $t$ turns of pair $0$, pair $1$ "
        r"has made $t\, m_1/m_0$ turns, which is a whole number only if $m_0$ divides $t$."
    )
    root = sp.Symbol("r", irrational=True, positive=True)
    proof.state(
        fast / root,
        "not in",
        sp.S.Rationals,
        r"if $r = \sqrt{b}$ is irrational, pair $1$ has made no whole number of turns: "
        r"the curve never closes",
    )
    return proof


@theorem
def not_harmonic() -> Derivation:
    """Neighboring frequencies have the ratio b^(2/d), irrational for d = 512: they share no fundamental."""
    frequency = base ** (-pair / pairs)
    proof = Derivation(
        "Not a Fourier series",
        [
            r"$\omega_i = b^{-i/n}$ with $n = d/2$ pairs; then $b = 10^4$, $d = 512$",
            "two multiples of one fundamental would have a fraction for their ratio",
        ],
    )
    ratio = sp.Mul(frequency, sp.Pow(frequency.subs(pair, pair + 1), -1, evaluate=False), evaluate=False)
    proof.derive(
        ratio, lambda e: sp.simplify(evaluated(e)), "neighboring frequencies have one and the same ratio"
    )
    proof.derive(sp.Pow(10**4, sp.Rational(2, 512), evaluate=False), evaluated, "its value")
    proof.state(
        proof.last,
        "not in",
        sp.S.Rationals,
        "which is no fraction: no fundamental serves even two neighbors",
    )
    return proof


@theorem
def table_by_addition() -> Derivation:
    """The identities that encoding_table rests on, and the sum of its rounding errors."""
    block, row, rest = sp.symbols("B a r", integer=True, nonnegative=True)
    head, tail, unit = sp.symbols("h t u", positive=True)
    proof = Derivation(
        "A table by addition, and its error",
        [
            r"$p = aB + r$ and $\omega = h + t$; $u = 2^{-53}$ is the rounding unit of float64",
        ],
    )
    turn = sp.exp(-sp.I * omega * (row * block + rest))
    proof.derive(
        turn,
        lambda e: sp.expand(sp.expand(e), power_exp=True),
        "a row of the table is a row of one short list times a row of another",
    )
    proof.derive(
        sp.exp(-sp.I * (head + tail) * p),
        lambda e: sp.expand(sp.expand(e), power_exp=True),
        "and so for the frequency: $ph$ is exact, $pt$ is small",
    )
    budget = 8 * 2 * unit + 7 * sp.sqrt(5) * unit + unit
    proof.state(
        budget,
        "<=",
        33 * unit,
        r"eight exponentials at $2u$, seven products at $\sqrt5\,u$, and $u$ for the angle",
        because=(16 - 7 * sp.sqrt(5)) * unit,
    )
    return proof


@theorem
def halves_are_a_permutation() -> Derivation:
    """All sines first is P PE with a permutation matrix P, and its shift is P T(k) P^T."""
    omegas = symbols(3)
    proof = Derivation("Halves are a permutation", [REAL, "three pairs stand for any number"])
    matrix = matrix_of(halves_encoding(p, omegas), full_encoding(p, omegas))
    proof.state(
        halves_encoding(p, omegas),
        "=",
        sp.MatMul(matrix, full_encoding(p, omegas)),
        "read off where each entry goes: one $1$ in every row and column",
    )
    proof.derive(
        sp.MatMul(matrix.T, matrix),
        evaluated,
        r"so $P^\top$ undoes it, and norms and dot products stay",
    )
    two = symbols(2)
    small = matrix_of(halves_encoding(p, two), full_encoding(p, two))
    carried = sp.MatMul(small, shift_of(full_encoding, two), small.T)
    proof.derive(carried, evaluated, r"the shift of the halves, $P\,T(k)\,P^\top$, for two pairs")
    proof.derive(
        halves_encoding(p + k, two),
        lambda e: collected(e.applyfunc(addition), halves_encoding(p, two)),
        "the same, from the addition formulas",
    )
    return proof


@theorem
def swapped_order() -> Derivation:
    """Cosine first turns the rotation into its inverse."""
    proof = Derivation("Cosine first reverses the rotation", [REAL + r", $\omega > 0$"])
    forward, swapped = encoding(p, omega), sp.ImmutableMatrix(encoding(p, omega)[::-1])
    exchange = matrix_of(swapped, forward)
    proof.state(swapped, "=", sp.MatMul(exchange, forward), "exchange the two entries")
    matrix = rotation_matrix(k).subs(one_frequency, omega)
    moved = sp.ImmutableMatrix(encoding(p + k, omega)[::-1])
    proof.derive(
        moved,
        lambda e: collected(e.applyfunc(addition), swapped),
        "addition formulas, coefficients collected",
    )
    proof.derive(sp.MatMul(exchange, matrix, exchange), evaluated, r"which is $E M_k E$")
    proof.state(
        proof.last,
        "=",
        sp.Transpose(matrix),
        r"and that is $M_k^\top = M_k^{-1} = M_{-k}$: an anticlockwise turn",
    ).concludes()
    return proof
