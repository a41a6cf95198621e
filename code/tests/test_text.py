"""Numbers on their way into sentences."""

import myst_nb

from posenc.text import say


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
