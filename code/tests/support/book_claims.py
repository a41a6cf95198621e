"""The claims as the book lists them, and what their checks find: run once for all tests."""

from __future__ import annotations

from functools import cache

from wavebook import data
from wavebook.claims import Finding, evaluate

FILES = ("claims", "errors", "papers")


def read_entries(name: str) -> list[dict[str, str]]:
    """The entries of one of these files."""
    return data.read_yaml(f"{name}.yml")


@cache
def find(name: str) -> list[Finding]:
    """The findings of one of these files, in its order."""
    return evaluate(read_entries(name))


def find_all() -> list[Finding]:
    """The findings of all."""
    return [finding for name in FILES for finding in find(name)]
