"""The recorded errors of rows against those of this processor."""

import numpy as np
import pytest

from wavebook import row_errors


def test_the_recorded_errors_are_what_is_measured():
    """On this processor, which may round otherwise: each curve has its level and its largest error."""
    recorded, again = (
        row_errors.read_recorded(),
        row_errors.measure(row_errors.D_MODEL, row_errors.N_POSITIONS),
    )
    assert recorded.keys() == again.keys()
    assert recorded.pop("position") == again.pop("position")
    for name, errors in recorded.items():
        assert np.median(errors) == pytest.approx(np.median(again[name]), rel=0.5, abs=0), name
        assert max(errors) == pytest.approx(max(again[name]), rel=0.5, abs=0), name
