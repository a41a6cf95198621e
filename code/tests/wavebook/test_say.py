"""Numbers on their way into sentences."""

import ast
from fractions import Fraction

import pytest
from myst_nb.ext.glue import extract_glue_data
from nbformat.v4 import new_code_cell, new_notebook, new_output

from wavebook.say import at_least, at_most, say, scientific


def test_each_value_is_glued_as_text_under_its_name(monkeypatch):
    """As MyST-NB finds it in a notebook, and with nothing to be seen."""
    outputs = []
    monkeypatch.setattr(
        "IPython.display.publish_display_data",
        lambda data, metadata: outputs.append(new_output("display_data", data=data, metadata=metadata)),
    )
    say({"share_512": 0.25, "n-3": 7}, turns_50="7.96", count=12)
    say()
    cell = new_code_cell(outputs=outputs)
    found = extract_glue_data(new_notebook(cells=[cell]), [0], None)
    assert {name: ast.literal_eval(output.data["text/plain"]) for name, output in found.items()} == {
        "share_512": "0.25",  # as it stands: only the names of arguments cannot have hyphens
        "n-3": "7",
        "turns-50": "7.96",
        "count": "12",
    }
    assert not cell.outputs


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
