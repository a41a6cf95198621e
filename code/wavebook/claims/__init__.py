"""The checks of the page "Is it so?": one function a statement, a module a source; of papers, a subject."""

# A module registers its checks when it is imported.
from wavebook.claims import (  # noqa: F401
    many_dimensions,
    notes,
    papers_base,
    papers_content,
    papers_distance,
    papers_language,
    papers_length,
    papers_mask,
    papers_rotation,
    papers_systems,
    two_dimensions,
    uniqueness,
    wavelengths,
    well_known,
)
from wavebook.claims.finding import Finding, Part, Verdict, checked, evaluate

__all__ = ["Finding", "Part", "Verdict", "checked", "evaluate"]
