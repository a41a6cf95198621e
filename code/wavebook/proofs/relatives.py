"""Derivations about relative position: RoPE, ALiBi, the bound on decay, longer contexts.

p is the position of a query, q that of a key; a line about one pair holds for every pair, whatever its omega.
RoPE turns anticlockwise, by the inverse of the book's M_p.
"""

import sympy as sp
from sympy.simplify.fu import TR8, TR10i

from wavebook.proofs.derivation import Derivation, evaluated, theorem
from wavebook.proofs.many_dimensions import collected
from wavebook.proofs.two_dimensions import addition, encoding, k, omega, p, q, rotation_matrix

s = sp.Symbol("s", real=True)
a, b, c, g = sp.symbols("a b c g", real=True)  # d is the width
alpha, beta, phi = sp.symbols("alpha beta phi", real=True)
r, rho = sp.symbols("r rho", positive=True)
mu, t = sp.symbols("mu t", positive=True)
u, excess = sp.symbols("u v", nonnegative=True)
m, n, i = sp.symbols("m n i", integer=True, nonnegative=True)
PAIR = r"one pair, of frequency $\omega > 0$; a query at $p$ and a key at $q$"
QUERY, KEY = sp.ImmutableMatrix([a, b]), sp.ImmutableMatrix([c, g])


def turned(vector: sp.Matrix, position: sp.Expr) -> sp.ImmutableMatrix:
    """The vector turned by its position: the inverse of M_position, applied."""
    return sp.ImmutableMatrix(anticlockwise(position) * vector)


def anticlockwise(position: sp.Expr) -> sp.ImmutableMatrix:
    """The inverse of M_position."""
    return rotation_matrix(k).subs(k, -position)


def dot(one: sp.Matrix, other: sp.Matrix) -> sp.Expr:
    """The dot product, left as a sum."""
    return sp.Add(*(x * y for x, y in zip(one, other, strict=True)))


def waves(expression: sp.Expr) -> sp.Expr:
    """Products of sines and cosines into sums, each wave collected."""
    total = sp.expand(TR8(sp.expand(expression)))
    return sp.collect(total, sorted(total.atoms(sp.sin, sp.cos), key=str))


@theorem
def rotary_real() -> Derivation:
    """The score of a turned query and a turned key depends on p - q only: it is q . R(q - p) k."""
    proof = Derivation(
        "The score under RoPE, in real numbers", [PAIR, r"the query is $(a, b)$, the key $(c, g)$"]
    )
    proof.derive(turned(QUERY, p), lambda e: collected(e, QUERY), "the query is turned by its position")
    score = dot(turned(QUERY, p), turned(KEY, q))
    proof.derive(score, waves, "multiply out, products into sums: every $p + q$ cancels")
    short = proof.last
    proof.state(
        short, "=", dot(QUERY, turned(KEY, q - p)), "which is what turning the key alone by $q - p$ gives"
    )
    proof.derive(dot(turned(QUERY, p), turned(QUERY, p)), sp.trigsimp, "and turning changes no norm")
    return proof


@theorem
def rotary_complex() -> Derivation:
    """Re[(q e^(j omega p)) conj(k e^(j omega q))] = |q||k| cos(alpha - beta + omega (p - q))."""
    proof = Derivation(
        "The score under RoPE, in complex numbers",
        [
            PAIR,
            (
                r"query and key are the numbers $r e^{j\alpha}$ and $\rho e^{j\beta}$; a dot product is "
                r"$\mathrm{Re}(x \bar y)$"
            ),
        ],
    )
    query, key = (
        r * sp.exp(sp.I * alpha) * sp.exp(sp.I * omega * p),
        rho * sp.exp(sp.I * beta) * sp.exp(sp.I * omega * q),
    )
    product = sp.Mul(query, sp.conjugate(key), evaluate=False)
    proof.derive(
        product,
        lambda e: sp.powsimp(evaluated(e).expand()),
        "the product of one with the conjugate of the other: phases subtract",
    )
    proof.derive(
        sp.re(proof.last, evaluate=False),
        evaluated,
        "its real part is one cosine, and $p - q$ is all that is left of the positions",
    )
    return proof


@theorem
def four_terms() -> Derivation:
    """PE(p) . H PE(q) with any matrix H: two waves in p - q and two in p + q."""
    proof = Derivation(
        "What an added encoding contributes",
        [
            PAIR,
            (
                r"$H = \begin{pmatrix} a & b \\ c & g \end{pmatrix}$ is what the learned matrices make "
                r"of the pair"
            ),
        ],
    )
    matrix = sp.ImmutableMatrix([[a, b], [c, g]])
    proof.derive(
        dot(encoding(p), matrix * encoding(q)),
        waves,
        "products into sums: two waves of $p - q$, and two of $p + q$",
    )
    parts = {w: proof.last.coeff(w) for w in proof.last.atoms(sp.sin, sp.cos)}
    summed = [factor for w, factor in parts.items() if w.has(p) and w.args[0].coeff(p) == w.args[0].coeff(q)]
    solution = sp.solve(summed, [a, c], dict=True)[0]
    tame = matrix.subs(solution)
    proof.derive(
        dot(encoding(p), tame * encoding(q)),
        waves,
        "SymPy asks when the waves of $p + q$ vanish: exactly if $a = g$ and $c = -b$",
    )
    proof.state(
        sp.MatMul(tame, rotation_matrix(s)),
        "=",
        sp.MatMul(rotation_matrix(s), tame),
        "that is, exactly if $H$ is a rotation and a stretch, and then it commutes with every shift",
    )
    return proof


@theorem
def any_distance() -> Derivation:
    """For each s there are a query and a key whose score under RoPE is highest at p - q = s."""
    proof = Derivation(
        "Far need not mean small",
        [
            PAIR,
            r"the query is $(\cos\varphi, \sin\varphi)$, and the key the same vector turned by $s$ positions",
        ],
    )
    query = sp.ImmutableMatrix([sp.cos(phi), sp.sin(phi)])
    here, there = (vector.applyfunc(TR10i) for vector in (turned(query, p), turned(turned(query, s), q)))
    proof.derive(
        dot(here, there),
        lambda e: sp.trigsimp(TR8(sp.expand(addition(e)))),
        "products into sums: the score knows $p - q - s$ only",
    )
    peak = sp.cos(omega * (p - q - s))
    proof.state(
        peak,
        "<=",
        1,
        "in every pair it is highest at a distance of $s$, be it as large as it may",
        because=2 * sp.sin(omega * (p - q - s) / 2) ** 2,
    )
    return proof


@theorem
def abel() -> Derivation:
    """|sum h_i z_i| <= max |h_(i+1) - h_i| (|S_1| + ... + |S_m|), with partial sums S_i of the z_i."""
    proof = Derivation(
        "Abel's bound",
        [
            r"$z_i = e^{j\omega_i \Delta}$, with the partial sums $S_{i+1} = S_i + z_i$, $S_0 = 0$",
            r"$h_i$ is the product of query and key in pair $i$, as complex numbers; $h_m = 0$",
        ],
    )
    h, dh, S, z = sp.symbols("h delta S z")
    step = sp.Mul(h + dh, S + z, evaluate=False) - h * S
    proof.derive(
        step,
        lambda e: sp.collect(sp.expand(e), dh),
        r"with $\delta = h_{i+1} - h_i$, the step of the product $h_i S_i$",
    )
    x, y, v, w = sp.symbols("x y v w", real=True)
    proof.derive(
        step - dh * (S + z),
        sp.expand,
        (
            r"add up over all $i$: the steps cancel, since $S_0 = h_m = 0$, and $\sum_i h_i z_i = "
            r"-\sum_i (h_{i+1} - h_i) S_{i+1}$"
        ),
    )
    proof.state(
        (x * v - y * w) ** 2,
        "<=",
        (x**2 + y**2) * (v**2 + w**2),
        r"the real part of a product of $x + jy$ and $v + jw$ is at most the product of the moduli",
        because=(x * w + y * v) ** 2,
    )
    length, other, most, bound = sp.symbols("x y e c", nonnegative=True)
    proof.state(
        (length * sp.cos(alpha) + other * sp.cos(beta)) ** 2
        + (length * sp.sin(alpha) + other * sp.sin(beta)) ** 2,
        "<=",
        (length + other) ** 2,
        r"the triangle inequality, for numbers of the moduli $x$ and $y$",
        because=4 * length * other * sp.sin((alpha - beta) / 2) ** 2,
    )
    proof.state(
        length + r * t,
        "<=",
        (length + bound) + (r + most) * t,
        (
            r"one step more: if the steps so far add up to a number of modulus $x \le B = x + c$, and "
            r"the next is $\delta S$ with moduli $|\delta| = r \le H = r + e$ and $|S| = t$, the sum "
            r"is at most $B + H |S|$"
        ),
        because=bound + most * t,
    )
    proof.say(
        r"Step by step, from $B = 0$, with $H = \max |h_{i+1} - h_i|$ and $S = S_{i+1}$: the sum is at "
        r"most $H (|S_1| + \dots + |S_m|)$."
    )
    proof.derive(
        sp.Sum(i, (i, 1, m)),
        lambda e: sp.factor(evaluated(e)),
        r"no $|S_i|$ exceeds $i$: so the sum of the $|S_i|$ is at most this, its value at $\Delta = 0$",
    )
    return proof


@theorem
def linear_bias() -> Derivation:
    """-mu (p - q): moving both tokens changes nothing, the softmax forgets p, the weights are geometric."""
    proof = Derivation(
        "A linear bias",
        [
            r"$\mu > 0$ is the slope; the keys are at $q \le p$",
            r"$\alpha$ and $\beta$ are the scores of two keys, at $q$ and at $q + s$",
        ],
    )
    bias = -mu * p + mu * q
    moved = bias.subs({p: p + s, q: q + s}, simultaneous=True)
    proof.derive(
        moved, sp.expand, r"moving both tokens by $s$ changes nothing: the bias is $-\mu(p - q)$ as before"
    ).concludes()
    weights = sp.Mul(sp.exp(alpha + bias), sp.exp(-beta - bias.subs(q, q + s)), evaluate=False)
    proof.derive(
        weights,
        lambda e: sp.exp(sp.expand(sum(f.args[0] for f in e.args))),
        (
            "the softmax knows only quotients of weights, and there $p$ drops out: adding $\\mu q$ to "
            "each key's score would do the same"
        ),
    ).concludes()
    ratio = 1 / (1 + t)
    proof.derive(
        sp.Sum(ratio**i, (i, 0, n - 1)),
        lambda e: sp.simplify(evaluated(e)),
        r"equal scores, $e^{\mu} = 1 + t$: the weights of the nearest $n$ keys are a geometric sum",
    )
    nearest = proof.last
    everything = sp.Limit(nearest, n, sp.oo)
    proof.derive(
        everything, lambda e: sp.simplify(evaluated(e)), "and of however many keys, no more than this"
    )
    proof.derive(
        1 - nearest / proof.last,
        sp.simplify,
        r"so beyond the nearest $n$ is the fraction $(1+t)^{-n} = e^{-\mu n}$ of the weight",
    ).concludes()
    return proof


@theorem
def stretched_positions() -> Derivation:
    """Dividing all frequencies by f reads the text f times more slowly, and no base does that."""
    v, f, length = sp.symbols("v f L", positive=True)
    proof = Derivation(
        "Interpolation",
        [
            (
                r"the sequence is to be $f$ times as long, $f = 1 + v$ a whole number, $v > 0$; the trained "
                r"length is $L$"
            ),
            r"the positions are $0, \dots, fL - 1$, those of training $0, \dots, L - 1$",
        ],
    )
    angle = sp.Mul(omega / f, sp.Mul(f, p, evaluate=False), evaluate=False)
    proof.derive(
        sp.ImmutableMatrix([sp.sin(angle), sp.cos(angle)]),
        lambda e: sp.ImmutableMatrix(evaluated(e)),
        "position $f p$ under the slower frequencies has the encoding of position $p$ under the old ones",
    ).concludes()
    proof.derive(
        sp.Mul(omega / f, f * length - f, evaluate=False),
        lambda e: sp.factor(sp.expand(evaluated(e))),
        (
            r"at position $fL - f$ the angle is $\omega (L - 1)$, the largest of training: up to there "
            r"no angle is outside the trained range"
        ),
    ).concludes()
    trained = proof.last
    proof.derive(
        sp.Mul(omega / f, f * length - 1, evaluate=False) - trained,
        lambda e: sp.factor(sp.expand(evaluated(e))),
        r"the last position, $fL - 1$, is beyond it by this, less than $\omega$, the step of training",
    )
    proof.derive(1 - 1 / (1 + v), sp.together, r"the first frequency becomes $1/f$ and misses $1$ by this")
    proof.state(
        proof.last,
        "!=",
        0,
        r"which is not zero; but $B^{-2 \cdot 0/d} = 1$, so no base $B$ gives these frequencies",
    ).concludes()
    return proof


@theorem
def ntk_base() -> Derivation:
    """The base that leaves omega_0 alone and divides the last frequency by f is b f^(d/(d-2))."""
    old, new, slow = sp.symbols("x y z", real=True)
    width, pair = sp.Symbol("d", positive=True), sp.Symbol("i", nonnegative=True)
    proof = Derivation(
        "A change of base",
        [
            r"$x = \ln b$ for the old base, $y = \ln B$ for the new one, $z = \ln f$ for the factor",
            r"$\ln \omega_i = -\frac{2i}d x$; the last pair is $i = \frac d2 - 1$",
        ],
    )
    last = -2 * (width / 2 - 1) / width
    solution = sp.solve(last * new - (last * old - slow), new)[0]
    proof.derive(
        last * solution,
        lambda e: sp.expand(sp.simplify(e)),
        r"the last frequency is divided by $f$: SymPy solves this for $y$",
    ).concludes()
    proof.derive(
        solution,
        lambda e: old + sp.factor(sp.simplify(e - old)),
        r"which gives the base $B = b\, f^{d/(d-2)}$",
    )
    proof.derive(
        -2 * pair / width * old + 2 * pair / width * proof.last,
        lambda e: sp.factor(sp.simplify(e)),
        (
            r"pair $i$ is slowed by $f^{2i/(d-2)}$: not at all for $i = 0$, by $f$ for the last, evenly "
            r"on a logarithmic scale"
        ),
    ).concludes()
    return proof


@theorem
def between_the_two() -> Derivation:
    """YaRN's frequency lies between the interpolated and the old one, and each end is reached."""
    proof = Derivation(
        "YaRN's blend",
        [r"$f = 1 + v$; the fraction $\gamma = 1/(1 + u)$ of the old frequency, $u \ge 0$, is kept"],
    )
    factor, kept = 1 + excess, 1 / (1 + u)
    blend = omega * ((1 - kept) / factor + kept)
    proof.state(
        blend, "<=", omega, "no pair is quickened", because=omega * u / (1 + u) * excess / factor
    ).concludes()
    proof.state(
        omega / factor,
        "<=",
        blend,
        "and none is slowed by more than $f$",
        because=omega * excess / (factor * (1 + u)),
    ).concludes()
    proof.derive(
        sp.Limit(blend, u, sp.oo),
        lambda e: sp.factor(evaluated(e)),
        r"$\gamma \to 0$ interpolates the pair, and $u = 0$, that is $\gamma = 1$, keeps it",
    )
    return proof


@theorem
def turned_on() -> Derivation:
    """A key rotated with one frequency is rotated again, to another; until then its score is not relative."""
    other = sp.Symbol(r"\omega'", positive=True)
    proof = Derivation(
        "A cached key can be rotated again",
        [r"one pair; the key at $q$ was turned with $\omega$, the query at $p$ is turned with $\omega'$"],
    )

    def turn(angle: sp.Expr) -> sp.ImmutableMatrix:
        return sp.ImmutableMatrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]])

    query, key = sp.ImmutableMatrix([1, 0]), sp.ImmutableMatrix([1, 0])
    proof.derive(
        dot(turn(other * p) * query, turn(omega * q) * key),
        sp.trigsimp,
        "the score of two equal vectors as they are: its angle is no function of $p - q$",
    )
    proof.derive(
        sp.MatMul(turn((other - omega) * q), turn(omega * q)),
        lambda e: evaluated(e).applyfunc(lambda x: sp.trigsimp(TR8(sp.expand(x)))),
        r"turn the key once more, by $(\omega' - \omega)\,q$: it is turned with $\omega'$",
    ).concludes()
    return proof


@theorem
def pairs_at_rest() -> Derivation:
    """With s pairs at rest and u that turn, the similarity is never below s - u."""
    still, turning = sp.symbols("s u", integer=True, nonnegative=True)
    proof = Derivation(
        "Pairs at rest",
        [r"$s$ pairs at rest, of frequency $0$; $u$ pairs that turn, whose cosines have the mean $-1 + v$"],
    )
    proof.state(-1, "<=", sp.cos(omega * t), "so $v \\ge 0$", because=2 * sp.cos(omega * t / 2) ** 2)
    proof.derive(sp.Subs(sp.cos(omega * t), omega, 0), evaluated, "a pair at rest contributes one")
    proof.state(
        still - turning,
        "<=",
        still + turning * (excess - 1),
        "$s$ of these and $u$ cosines",
        because=turning * excess,
    ).concludes()
    return proof


@theorem
def more_rivals() -> Derivation:
    """What f times as many rivals ask of the temperature of a head that is just sharp enough."""
    gap, factor, level = sp.symbols("g f ell", positive=True)
    proof = Derivation(
        "More rivals",
        [
            (
                "the target's score exceeds all others' by $g$; it is to outweigh $m$ of them $r$ to one, "
                r"with $m r = e^\ell > 1$; $f \ge 1$"
            )
        ],
    )
    proof.derive(
        gap / sp.log(factor * sp.exp(level)),
        sp.expand_log,
        r"$f m$ rivals ask for this temperature in place of $g/\ell$",
    )
    after = proof.last
    proof.derive(
        sp.Mul(gap / level, sp.Pow(after, -1, evaluate=False), evaluate=False),
        sp.expand,
        "so the old one is divided by this, or the scores are multiplied by it",
    ).concludes()
    return proof
