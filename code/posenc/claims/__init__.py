"""The checks of the appendix "Claims, checked": one function a claim, a module for each source."""

from posenc.claims import many_dimensions, notes, two_dimensions, uniqueness, wavelengths, well_known  # noqa: F401  (a module registers its checks when it is imported)
from posenc.claims.finding import Finding, Part, Verdict, checked, evaluate

__all__ = ["Finding", "Part", "Verdict", "checked", "evaluate"]
