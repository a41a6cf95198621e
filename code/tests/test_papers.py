"""What papers say: every statement is quoted with its source, has a check, and is on the page once."""

from __future__ import annotations

import re

import numpy as np
import pytest
import yaml
from harness import REPOSITORY

from posenc import frequencies
from wavebook import data
from wavebook.claims import Verdict, evaluate

PAPERS = yaml.safe_load(data.read("papers.yml"))


@pytest.fixture(scope="module")
def findings():
    return {found.id: found for found in evaluate(PAPERS)}


def computed(found) -> dict[str, float | str]:
    return {part.name: part.computed for part in found.parts}


def test_every_statement_has_a_source_and_a_place():
    sources = set(
        re.findall(r"^@\w+\{(\w+),", (REPOSITORY / "book/references.bib").read_text(), re.MULTILINE)
    )
    page = (REPOSITORY / "book/papers.md").read_text()
    assert sorted(re.findall(r'^said\("(P-\d\d)"\)$', page, re.MULTILINE)) == [one["id"] for one in PAPERS]
    for one in PAPERS:
        assert one["source"] in sources, one["id"]
        assert one["read"] in ("the abstract", "the paper")
        assert "“" in one["claim"], "it quotes"


@pytest.mark.slow
def test_the_verdicts_are_these(findings):
    found = {name: one.verdict for name, one in findings.items()}
    reported = {"P-06", "P-14", "P-15", "P-16", "P-17"}
    assert {name for name, verdict in found.items() if verdict is Verdict.REPORTED} == reported
    assert {name for name, verdict in found.items() if verdict is Verdict.HOLDS} == found.keys() - reported


@pytest.mark.slow
def test_some_values_by_their_definition(findings):
    """By loops over positions, in other words than the checks'."""
    omega = np.array([10_000 ** (-2 * i / 128) for i in range(64)])
    assert np.allclose(omega, frequencies(128))
    rng = np.random.default_rng(5)
    lost = 0
    for _ in range(4000):  # other draws than those of the check
        far = rng.integers(2, 1000)
        near = int(1 + rng.random() * (far // 2))
        lost += np.cos(omega * far).sum() > np.cos(omega * near).sum()
    assert lost / 4000 == pytest.approx(computed(findings["P-03"])["up to b/10"], abs=0.02)
    small = np.array([100 ** (-2 * i / 128) for i in range(64)])
    least = min(2 * (64 - np.cos(small * k).sum()) for k in range(1, int(2000 * np.pi) + 1))
    assert np.sqrt(least) == pytest.approx(computed(findings["P-01"])["smallest distance"], abs=0.01)
    assert all(np.cos(small * k).sum() < 64 - 1e-9 for k in range(1, 7000))
    assert np.float32(1e12 ** (-126 / 128)) * np.float32(2**20) < 1e-4, "so each cosine rounds to one"
