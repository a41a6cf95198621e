"""The checks of the appendix "Claims, checked": one function a claim, a module for each source."""

# A module registers its checks when it is imported.
from wavebook.claims import (  # noqa: F401
    many_dimensions,
    notes,
    papers,
    papers_computed,
    papers_trained,
    two_dimensions,
    uniqueness,
    wavelengths,
    well_known,
)
from wavebook.claims.finding import Finding, Part, Verdict, checked, evaluate

__all__ = ["Finding", "Part", "Verdict", "checked", "evaluate"]
