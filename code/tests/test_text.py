"""Numbers on their way into sentences."""

from fractions import Fraction

import myst_nb
import pytest

from posenc.text import at_least, at_most, say, scientific


def test_each_value_is_glued_as_text_under_its_name(monkeypatch):
    glued = {}
    monkeypatch.setattr(
        myst_nb, "glue", lambda name, value, display: glued.__setitem__(name, (value, display))
    )
    say({"share_512": 0.25, "n-3": 7}, turns_50="7.96", count=12)
    assert glued == {
        "share_512": ("0.25", False),  # as it stands: only the names of arguments cannot have hyphens
        "n-3": ("7", False),
        "turns-50": ("7.96", False),
        "count": ("12", False),
    }
    say()


@pytest.mark.parametrize("value", [0.0708, 4.18e-3, 0.1, 0.3, 20.7759, 9.96, 31.74128, 1234.5, 7.0, 5.24e-14])
def test_a_bound_stays_a_bound(value):
    for places in range(4):
        unit = Fraction(1, 10**places)
        above, below = (Fraction(text(value, places).replace(",", "")) for text in (at_most, at_least))
        assert above - unit < Fraction(value) <= above
        assert below <= Fraction(value) < below + unit
    for digits in (1, 2, 3):
        mantissa, exponent = scientific(value, digits, up=True).split(
            "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10"
        )
        power = Fraction(10) ** int(exponent.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        assert 0 <= Fraction(mantissa) * power - Fraction(value) < power * Fraction(10, 10**digits)
        assert len(mantissa.replace(".", "")) == digits
