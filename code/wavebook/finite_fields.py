"""Planar difference sets from finite fields: Singer's construction, without a table of results."""

from __future__ import annotations

import math
from itertools import count

import numpy as np
from numpy.typing import NDArray

Coefficients = NDArray[np.int64]


def prime_factors(number: int) -> list[int]:
    """The primes that divide a number >= 1, from small to large, each once."""
    primes: list[int] = []
    rest = number
    for candidate in count(2):
        if candidate * candidate > rest:
            return [*primes, rest] if rest > 1 else primes
        if rest % candidate == 0:
            primes.append(candidate)
            while rest % candidate == 0:
                rest //= candidate
    raise AssertionError  # `count` does not end


def is_prime_power(number: int) -> bool:
    """Whether a number is p^m for a prime p and a whole m >= 1."""
    return number > 1 and len(prime_factors(number)) == 1


def planar_difference_set(q: int) -> Coefficients:
    """The residues of :func:`wavebook.choices.difference_set`, for a prime power q.

    Let x generate the multiplicative group of GF(q^3). The exponents i modulo N = q^2 + q + 1 for which the
    trace of x^i to GF(q) is 0 are the points of a line of the projective plane over GF(q), and x moves its
    points around one cycle of length N. Two lines meet in one point, so each shift of the set meets the set
    in one residue: each nonzero residue is the difference of one pair.
    """
    (p,) = prime_factors(q)
    degree = 3 * round(math.log(q, p))
    modulus, n = q * q + q + 1, np.arange(degree)
    polynomial = _primitive_polynomial(p, degree)
    powers = np.zeros((modulus, degree), np.int64)  # x^i as a polynomial in x, lowest coefficient first
    powers[0, 0] = 1
    for i in range(1, modulus):
        powers[i, 1:] = powers[i - 1, :-1]
        powers[i] = (powers[i] - powers[i - 1, -1] * polynomial) % p
    # y -> y^q is linear over GF(p), and takes x^j to x^(jq); the trace is y + y^q + y^(q^2).
    frobenius = powers[q * n]
    trace = (np.eye(degree, dtype=np.int64) + frobenius + frobenius @ frobenius) % p
    return _canonical(np.flatnonzero((powers @ trace % p == 0).all(1)), modulus)


def _primitive_polynomial(p: int, degree: int) -> Coefficients:
    """The lower coefficients of a monic polynomial modulo which x has all p^degree - 1 nonzero powers.

    Then each nonzero remainder is a power of x and has an inverse, so the remainders are a field.
    """
    order = p**degree - 1
    shorter = [order // prime for prime in prime_factors(order)]
    one = np.eye(degree, dtype=np.int64)[0]
    for number in count(1):
        polynomial = number // p ** np.arange(degree) % p
        if not polynomial[0]:
            continue
        if (_power_of_x(order, polynomial, p) == one).all() and not any(
            (_power_of_x(exponent, polynomial, p) == one).all() for exponent in shorter
        ):
            return polynomial
    raise AssertionError  # `count` does not end; there are primitive polynomials of each degree


def _power_of_x(exponent: int, polynomial: Coefficients, p: int) -> Coefficients:
    """x^exponent modulo the monic polynomial and the prime p."""
    result: Coefficients
    square: Coefficients
    result, square = np.eye(len(polynomial), dtype=np.int64)[:2]
    while exponent:
        if exponent % 2:
            result = _product(result, square, polynomial, p)
        square = _product(square, square, polynomial, p)
        exponent //= 2
    return result


def _product(a: Coefficients, b: Coefficients, polynomial: Coefficients, p: int) -> Coefficients:
    """The product of two remainders modulo the monic polynomial and p."""
    degree = len(polynomial)
    product = np.convolve(a, b) % p
    for high in range(len(product) - 1, degree - 1, -1):
        product[high - degree : high] = (product[high - degree : high] - product[high] * polynomial) % p
    remainder: Coefficients = product[:degree]
    return remainder


def _canonical(residues: Coefficients, modulus: int) -> Coefficients:
    """Of all multiples and shifts of a planar difference set, the first in lexicographic order.

    It begins with 0 and 1, so of each multiple only the shift counts that takes the pair of difference 1
    there.
    """
    factors = np.array([t for t in range(1, modulus) if math.gcd(t, modulus) == 1])
    inverse = np.array([pow(t, -1, modulus) for t in factors.tolist()])
    start = np.empty(modulus, np.int64)  # difference -> the residue from which it leads to another
    start[np.subtract.outer(residues, residues) % modulus] = residues
    shifted = np.sort(factors[:, np.newaxis] * (residues - start[inverse][:, np.newaxis]) % modulus)
    first: Coefficients = shifted[np.lexsort(shifted.T[::-1])[0]]
    return first
