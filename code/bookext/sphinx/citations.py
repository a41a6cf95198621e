"""Works of one year by the same authors told apart: 2021a and 2021b, where they are cited and listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from string import ascii_lowercase
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def letter_years(works: Iterable[Any]) -> None:
    """Give the years of pybtex's entries letters where a citation by author and year would name several.

    The letters are in the order of titles, which is the list's; whoever calls this twice changes nothing.

    >>> from pybtex.database import parse_string
    >>> source = ("@misc{%s, author = {%s}, year = 2021, title = {%s}}" % row for row in [
    ...     ("one", "Su", "On waves"), ("two", "Su", "On turns"), ("three", "Su and Li", "On turns")])
    >>> works = parse_string("".join(source), "bibtex").entries
    >>> for _ in range(2):
    ...     letter_years(works.values())
    >>> [(key, work.fields["year"]) for key, work in works.items()]
    [('one', '2021b'), ('two', '2021a'), ('three', '2021')]
    """
    alike = defaultdict(list)
    for work in works:
        names = [" ".join(person.last_names) for person in work.persons.get("author", [])]
        who = names if len(names) < 3 else [names[0], "et al."]
        alike[*who, work.fields.get("year", "").rstrip(ascii_lowercase)].append(work)
    for (*_, year), group in alike.items():
        if len(group) > 1 and year:
            for letter, work in zip(ascii_lowercase, sorted(group, key=_title), strict=False):
                work.fields["year"] = year + letter


def _title(work: Any) -> str:
    title: str = work.fields["title"]
    return title.translate(str.maketrans("", "", "{}")).casefold()


def _letter_years(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    if "cite" in env.domains:
        domain: Any = env.domains["cite"]
        letter_years(domain.bibdata.data.entries.values())


def setup(app: Sphinx) -> None:
    """Register it before pages are read."""
    app.connect("env-before-read-docs", _letter_years)
