"""Work in a copy of the process, and what is done where there can be none."""

from __future__ import annotations

import os
import sys

import pytest

from bookext.finish.forked import begun


@pytest.fixture(params=["forked", "here"])
def system(request, monkeypatch) -> str:
    """A system that forks, and one that cannot."""
    if request.param == "here":
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.delattr(os, "fork", raising=False)
    elif not hasattr(os, "fork"):
        pytest.skip("this system does not fork")
    return request.param


def test_work_sees_what_it_is_given_as_it_was(system):
    seen = [1]
    result = begun(lambda numbers: list(numbers), seen)
    seen.append(2)
    assert result() == [1]


def test_it_is_a_copy_where_there_can_be_one(system):
    assert (begun(os.getpid)() == os.getpid()) == (system == "here")


def test_an_error_comes_when_the_result_is_asked_for(system):
    result = begun(lambda: {}["missing"])
    with pytest.raises(KeyError, match="missing"):
        result()
