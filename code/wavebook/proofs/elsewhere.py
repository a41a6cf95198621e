"""Derivations about the encoding outside texts: two axes, and random frequencies."""

import sympy as sp
from sympy.simplify.fu import TR8

from wavebook.proofs.derivation import Derivation, evaluated, theorem
from wavebook.proofs.relatives import dot, turned
from wavebook.proofs.two_dimensions import encoding

down, across, down_too, across_too = sp.symbols("y x y' x'", real=True)
spread = sp.Symbol("sigma", positive=True)
apart, frequency = sp.symbols("Delta omega", real=True)


@theorem
def two_axes() -> Derivation:
    """With one encoding for each axis side by side, similarities add up; and so do RoPE's scores."""
    proof = Derivation(
        "Similarity on two axes",
        [r"one pair for each axis, $\omega > 0$; patches at $(x, y)$ and $(x', y')$"],
    )
    one = sp.ImmutableMatrix([*encoding(across), *encoding(down)])
    other = sp.ImmutableMatrix([*encoding(across_too), *encoding(down_too)])
    proof.derive(dot(one, other), lambda e: TR8(sp.expand(e)), "added: products into sums").concludes()
    unit = sp.ImmutableMatrix([1, 0])
    proof.derive(
        dot(turned(unit, across), turned(unit, across_too)) + dot(turned(unit, down), turned(unit, down_too)),
        lambda e: TR8(sp.expand(e)),
        "RoPE, two equal vectors with pairs of norm one: the same",
    ).concludes()
    return proof


@theorem
def normal_spectrum() -> Derivation:
    """The mean of cos(omega Delta) over a normal distribution of omega is exp(-sigma^2 Delta^2 / 2)."""
    density = sp.exp(-(frequency**2) / (2 * spread**2)) / (spread * sp.sqrt(2 * sp.pi))
    proof = Derivation(
        "A normal spectrum has one scale",
        [r"$\omega$ is normal with mean $0$ and standard deviation $\sigma > 0$; $\Delta$ is real"],
    )
    proof.derive(
        sp.Integral(sp.cos(frequency * apart) * density, (frequency, -sp.oo, sp.oo)),
        lambda e: sp.simplify(evaluated(e)),
        r"the mean of one pair's $\cos \omega\Delta$; the similarity is the sum of $\frac d2$ of them",
    ).concludes()
    return proof
