"""Derivations about attention and order: what a permutation does, and what a mask gives."""

import sympy as sp

from wavebook.proofs.derivation import Derivation, evaluated, theorem

p, q = sp.symbols("p q", integer=True, nonnegative=True)
j = sp.Symbol("j", integer=True, nonnegative=True)
c = sp.Symbol("c", real=True)


def permutation(order: tuple[int, ...]) -> sp.ImmutableMatrix:
    """The matrix P whose row i takes token order[i]: (P X)_i = X_order[i]."""
    if sorted(order) != list(range(len(order))):
        raise ValueError(f"order must hold each of 0 .. n - 1 once, got {order!r}")
    return sp.ImmutableMatrix(len(order), len(order), lambda i, m: int(order[i] == m))


def _symbols(name: str, rows: int, columns: int = 1, **assumptions: bool) -> sp.ImmutableMatrix:
    index = "{i}{m}" if columns > 1 else "{i}"
    return sp.ImmutableMatrix(
        rows, columns, lambda i, m: sp.Symbol(f"{name}_{index.format(i=i, m=m)}", **assumptions)
    )


@theorem
def permutation_equivariance(order: tuple[int, ...] = (2, 0, 1)) -> Derivation:
    """Attention of P X is P times attention of X, for the permutation ``order`` of any number of tokens."""
    n = len(order)
    move = permutation(order)
    query, key, value = (_symbols(name, n, real=True) for name in "qkv")
    power = _symbols("e", n, n, positive=True)
    ones = sp.ones(n, 1).as_immutable()
    moved_power = sp.ImmutableMatrix(move * power * move.T)
    proof = Derivation(
        "Attention does not see the order",
        [
            (
                r"$q, k, v$ hold a query, a key and a value for each token; one number each stands for any "
                r"number of entries"
            ),
            (
                r"$e_{ij} = \exp(\text{score of token } i \text{ with token } j)$, a number that only "
                r"these two tokens determine"
            ),
        ],
    )
    proof.state(
        sp.MatMul(sp.ImmutableMatrix(move * query), sp.ImmutableMatrix(move * key).T),
        "=",
        sp.MatMul(move, sp.ImmutableMatrix(query * key.T), move.T),
        r"scores: tokens permuted by $P$ turn the table $q k^T$ into $P\, q k^T P^T$",
    )
    proof.derive(sp.MatMul(move.T, move), evaluated, r"$P^T$ undoes $P$")
    proof.state(
        sp.MatMul(moved_power, ones),
        "=",
        sp.MatMul(move, sp.ImmutableMatrix(power * ones)),
        "denominators of the softmax: a row keeps its sum when its terms change places",
    )
    proof.state(
        sp.MatMul(moved_power, sp.ImmutableMatrix(move * value)),
        "=",
        sp.MatMul(move, sp.ImmutableMatrix(power * value)),
        r"numerators: $P e P^T P v = P e v$",
    )
    proof.state(
        _quotients(moved_power, sp.ImmutableMatrix(move * value)),
        "=",
        sp.MatMul(move, _quotients(power, value)),
        "outputs: each token has the output it had before, at its new place",
    )
    return proof


def _quotients(power: sp.Matrix, value: sp.Matrix) -> sp.ImmutableMatrix:
    """Attention's outputs, row by row: the weighted sum of the values over the sum of the weights."""
    above, below = power * value, power * sp.ones(power.rows, 1)
    return sp.ImmutableMatrix([a / b for a, b in zip(above, below, strict=True)])


@theorem
def pooled(order: tuple[int, ...] = (2, 0, 1)) -> Derivation:
    """The mean of the outputs is the same for every order of the tokens."""
    n = len(order)
    move, output = permutation(order), _symbols("y", n, real=True)
    mean = sp.ImmutableMatrix(sp.ones(1, n) / n)
    proof = Derivation(
        "A mean over the tokens knows no order at all", [r"$y$ holds an output for each token"]
    )
    proof.derive(sp.MatMul(mean, move), evaluated, "every column of $P$ holds a single one")
    proof.state(
        sp.MatMul(mean, sp.ImmutableMatrix(move * output)),
        "=",
        sp.ImmutableMatrix(mean * output),
        "so the mean cannot tell the orders apart",
    )
    return proof


@theorem
def causal_counter() -> Derivation:
    """Under a causal mask, equal scores give the first token the weight 1/(p + 1), which determines p."""
    proof = Derivation(
        "A causal mask can count",
        [r"the head at position $p$ sees the tokens $0, \dots, p$ and gives each the same score $c$"],
    )
    proof.derive(
        sp.exp(c) / sp.Sum(sp.exp(c), (j, 0, p)),
        lambda e: sp.simplify(evaluated(e)),
        "the weight of the first token",
    ).concludes()
    weight = proof.last
    proof.derive(
        weight - weight.subs(p, q), sp.factor, "two positions have the same weight only if $p = q$"
    ).concludes()
    return proof
