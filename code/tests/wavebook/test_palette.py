"""The palette: colors that a style sheet understands, and words that can be read."""

import re

import pytest

from wavebook.palette import COLOR, PALETTE

ROLES = {role: pair for role, pair in PALETTE.items() if isinstance(pair, dict)}


def luminance(color: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_each_role_has_a_color_in_either_theme():
    assert ROLES
    for role, pair in ROLES.items():
        assert set(pair) == {"light", "dark"}, role
        assert all(re.fullmatch("#[0-9a-fA-F]{6}", color) for color in pair.values()), role
        assert COLOR[role] == pair["light"]
    assert set(COLOR) == set(ROLES)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", ["ink", "muted"])
def test_words_can_be_read_on_paper(role, theme):
    one, other = sorted(luminance(ROLES[name][theme]) for name in (role, "paper"))
    assert (other + 0.05) / (one + 0.05) >= 4.5
