"""Bases that programs use."""

#: Bases in use, the commonest first; then powers of ten count as round, then one digit, then two.
IN_USE = ((1e4,), (5e5, 1e6), (1e5, 5e6, 1e7, 1e3, 1e2, 2e6, 8e6, 1.5e5, 1.6e5, 2.5e5, 5e4, 5e7), (1e8, 1e11))
