"""The standard deviations of embeddings against draws from the distributions of their libraries."""

import numpy as np
import pytest

from wavebook.initialization import embedding_deviations, xavier_range


def test_deviations_against_draws():
    d_model, chance = 64, np.random.default_rng(1)
    size = (37_000, d_model)
    bound = np.sqrt(6 / sum(size))  # torch.nn.init.xavier_uniform_, gain 1
    draws = {
        "tensor2tensor": chance.normal(0, d_model**-0.5, size),
        "PyTorch default": chance.normal(0, 1, size),
        "PyTorch tutorial": chance.uniform(-0.1, 0.1, size),
        "Xavier": chance.uniform(-bound, bound, size),
    }
    found = embedding_deviations(d_model)
    assert list(found) == list(draws)
    for name, values in draws.items():
        assert found[name] == pytest.approx(values.std(), rel=2e-3), name
    assert xavier_range(d_model) == pytest.approx(bound, rel=1e-15)
    assert xavier_range(2, 4) == 1
    with pytest.raises(ValueError, match="vocabulary must be an integer from 1"):
        xavier_range(64, 0)
