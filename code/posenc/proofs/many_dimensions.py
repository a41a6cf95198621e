"""Derivations about d/2 pairs, a frequency each: the shift T(k), norms, distances, orders of the entries.

Where a sum over the pairs is wanted, the number of pairs n = d/2 is a symbol; where a matrix is wanted,
two or three pairs stand for all, since no pair enters the entries of another.
"""

from collections.abc import Callable

import sympy as sp
from sympy.simplify.fu import TR8, TR9

from posenc.proofs.derivation import Derivation, theorem
from posenc.proofs.two_dimensions import addition, encoding, half_angle, rotation_matrix, squared_length
from posenc.proofs.two_dimensions import omega as one_frequency

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


def block_matrix(offset: sp.Expr, omegas: Omegas) -> sp.ImmutableMatrix:
    """T(offset) from the rotation of one pair, block by block."""
    return sp.ImmutableMatrix(
        sp.diag(*(rotation_matrix(offset).subs(one_frequency, frequency) for frequency in omegas))
    )


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
    proof = Derivation("The shifts of the whole code form a group", [r"$j$ and $k$ are real", POSITIVE])
    matrix = shift_of(full_encoding, omegas)
    proof.derive(
        sp.MatMul(matrix.subs(k, j), matrix),
        lambda e: e.doit().applyfunc(TR8),
        "block times block, products into sums",
    )
    proof.then(lambda e: e.applyfunc(lambda x: sp.factor(x, deep=True)), "which is $T(j + k)$")
    proof.derive(
        sp.MatMul(matrix.T, matrix),
        lambda e: e.doit().applyfunc(sp.simplify),
        r"orthogonal: the transpose is the inverse, $T(-k)$",
    )
    proof.derive(
        sp.Determinant(matrix), lambda e: sp.simplify(e.doit()), "the product of the blocks' determinants"
    )
    return proof


@theorem
def eigenvalues() -> Derivation:
    """The eigenvalues of T(k) are e^(+-j omega_i k), and the eigenvectors do not depend on k."""
    x, (first, second) = sp.Symbol("x", real=True), symbols(2)
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
    return proof


@theorem
def only_matrix() -> Derivation:
    """The encodings of d neighbouring positions span the space, so only one matrix can shift them all."""
    first, second = symbols(2)
    n = sp.Symbol("m", integer=True, positive=True)
    proof = Derivation(
        "Only one matrix shifts every position",
        [
            r"$0 < \omega_1 < \omega_0 < \pi$",
            (
                r"if $A$ and $T$ both take $\mathrm{PE}(p)$ to $\mathrm{PE}(p+k)$ for all integers $p$, "
                r"then $A - T$ sends every $\mathrm{PE}(p)$ to zero; to show: it is zero"
            ),
        ],
    )
    exponentials = sp.ImmutableMatrix(
        [sp.exp(sign * sp.I * w * n) for w in (first, second) for sign in (1, -1)]
    )
    encoding_of_m = full_encoding(n, (first, second))
    change = matrix_of(encoding_of_m.applyfunc(lambda e: sp.expand(e.rewrite(sp.exp))), exponentials)
    proof.state(
        encoding_of_m,
        "=",
        sp.MatMul(change, exponentials),
        "Euler's formula: powers of four numbers of length one",
    )
    x = sp.symbols("x_:4")
    powers = sp.ImmutableMatrix(4, 4, lambda row, column: x[row] ** column)
    proof.derive(
        sp.Determinant(powers),
        lambda e: sp.factor(e.doit()),
        "powers have Vandermonde's determinant: zero only if two of the numbers agree",
    )
    # Within a pair the two numbers differ by 2i sin; the four differences between two pairs multiply to a
    # real square.
    value = dict(zip(x, exponentials.subs(n, 1), strict=True))
    between = (x[0] - x[2]) * (x[0] - x[3]) * (x[1] - x[2]) * (x[1] - x[3])
    within = sp.cancel(proof.last / between)
    real = sp.simplify(within.subs(value).rewrite(sp.cos)) * sp.factor(
        sp.expand_trig(sp.simplify(sp.expand(between.subs(value)).rewrite(sp.cos)))
    )
    encodings = sp.ImmutableMatrix.hstack(*(full_encoding(place, (first, second)) for place in range(4)))
    proof.state(
        sp.Determinant(encodings),
        "=",
        change.det() * real,
        "so this is the determinant of the codes of positions $0$ to $3$",
    )
    proof.then(
        lambda e: e.replace(lambda x: x.is_Add, TR9),
        (
            r"four sines of angles inside $(0, \pi)$: not zero; the codes span the space, and a matrix "
            r"that sends all of them to zero is zero"
        ),
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
        r"in the order of the code it is $j$ times the conjugate",
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
    proof.derive(squared_length(one), sp.trigsimp, "the squared length of pair $i$")
    proof.derive(
        sp.Sum(proof.last, (pair, 0, pairs - 1)),
        lambda e: e.doit(),
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
    proof.state(
        sp.sqrt(2),
        "not in",
        sp.S.Rationals,
        r"but for $b = 2$, say, the root is no fraction, and the curve never closes",
    )
    return proof


@theorem
def not_harmonic() -> Derivation:
    """Neighbouring frequencies have the ratio b^(2/d), irrational for d = 512: they share no fundamental."""
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
        ratio, lambda e: sp.simplify(e.doit()), "neighbouring frequencies have one and the same ratio"
    )
    proof.derive(sp.Pow(10**4, sp.Rational(2, 512), evaluate=False), lambda e: e.doit(), "its value")
    proof.state(
        proof.last,
        "not in",
        sp.S.Rationals,
        "which is no fraction: no fundamental serves even two neighbours",
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
        lambda e: e.doit(),
        r"so $P^\top$ undoes it, and lengths and dot products stay",
    )
    two = symbols(2)
    small = matrix_of(halves_encoding(p, two), full_encoding(p, two))
    carried = sp.MatMul(small, shift_of(full_encoding, two), small.T)
    proof.derive(carried, lambda e: e.doit(), r"the shift of the halves, $P\,T(k)\,P^\top$, for two pairs")
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
    proof.derive(sp.MatMul(exchange, matrix, exchange), lambda e: e.doit(), r"which is $E M_k E$")
    proof.state(
        proof.last,
        "=",
        sp.Transpose(matrix),
        r"and that is $M_k^\top = M_k^{-1} = M_{-k}$: an anticlockwise turn",
    )
    return proof
