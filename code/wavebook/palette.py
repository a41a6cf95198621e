"""The palette: which color a thing has, in the light and in the dark theme.

The colors are in ``palette.json``, which the site's style sheet is made of, too.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

PALETTE: dict[str, Any] = json.loads(files("wavebook").joinpath("palette.json").read_text())

#: Role -> color on white paper: ink, muted, grid, paper, sine, cosine, shifted, claimed, computed.
COLOR: dict[str, str] = {role: pair["light"] for role, pair in PALETTE.items() if isinstance(pair, dict)}
