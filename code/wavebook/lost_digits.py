"""By how much frequencies are off that are computed or kept in narrow types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float, check_base, check_count, check_d_model, needed
from posenc.encoding import BASE


def frequency_errors(d_model: int = 512, base: float = BASE) -> dict[tuple[str, str], Float]:
    """Errors of computed frequencies, in units in the last place.

    The two usual formulas are ``base ** -(2i / d)`` ("power") and ``exp(2i * (-log(base) / d))``
    ("exponential"). Each step of theirs is rounded correctly, power, exponential and logarithm too. A library
    whose functions are not adds errors of its own, other ones on other processors.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**16.
    base : float
        Finite, > 1.

    Returns
    -------
    dict of (str, str) to ndarray
        By formula and type ("float32", "float64"); each of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    Powers, exponentials and true values come from mpmath, which `pip install posenc[proofs]` installs.

    Examples
    --------
    >>> bool(frequency_errors(16)["power", "float64"].max() < 4)
    True
    """
    base, d_model = check_base(base), check_d_model(d_model)
    pairs = check_count(d_model, "d_model", least=2, most=2**16) // 2
    if base > float(np.finfo(np.float32).max):
        raise ValueError(f"base must be at most 3.4e38, the largest float32, got {base:g}")
    mpmath = needed("mpmath", "proofs", "frequency_errors")
    with mpmath.workdps(40):
        exact = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model) for i in range(pairs)]
        log_base = float(mpmath.log(base))
    errors = {}
    for kind in (np.float32, np.float64):
        even: NDArray[Any] = np.arange(0, d_model, 2, dtype=kind)
        exponents, arguments = -(even / kind(d_model)), even * kind(-log_base / d_model)
        with mpmath.workprec(np.finfo(kind).nmant + 1):  # the bits of the type: mpmath rounds correctly
            forms = {
                "power": [mpmath.power(float(kind(base)), q) for q in exponents.tolist()],
                "exponential": [mpmath.exp(argument) for argument in arguments.tolist()],
            }
        units = np.spacing(np.array(exact, dtype=kind)).tolist()
        for form, omega in forms.items():
            with mpmath.workdps(40):
                errors[form, kind.__name__] = np.array(
                    [float(abs(w - e) / u) for w, e, u in zip(omega, exact, units, strict=True)]
                )
    return errors
