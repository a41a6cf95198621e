"""Work that is done in a copy of this process, where there can be one."""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def begun(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> Callable[[], T]:
    """Begin `work`, and return what waits for its result, or for the error that it raised.

    A copy of this process does it. Where forking is unsafe, it is done here and now, before this returns: in
    both cases it sees what it is given as it is at this moment, whatever becomes of that afterwards. What it
    returns can be pickled.

    >>> begun(pow, 6, 2)()
    36
    >>> begun(lambda: 1 / 0)()
    Traceback (most recent call last):
        ...
    ZeroDivisionError: division by zero
    """
    if sys.platform != "linux" or not hasattr(os, "fork"):
        outcome = _outcome(lambda: work(*given, **named))
        return lambda: _returned(outcome)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=lambda: _send(there, lambda: work(*given, **named)))
    process.start()
    there.close()  # ours; so that waiting ends if the process does without an answer

    def wait() -> T:
        try:
            outcome = here.recv()
        except EOFError:
            process.join()
            raise RuntimeError(f"a process ended with {process.exitcode} before its work") from None
        process.join()
        returned: T = _returned(outcome)
        return returned

    return wait


def _outcome(work: Callable[[], T]) -> tuple[T | None, Exception | None]:
    try:
        return work(), None
    except Exception as error:
        return None, error


def _returned(outcome: tuple[Any, Exception | None]) -> Any:
    returned, error = outcome
    if error is not None:
        raise error
    return returned


def _send(answer: Connection, work: Callable[[], Any]) -> None:
    outcome = _outcome(work)
    if outcome[1] is not None:
        traceback.print_exception(outcome[1])  # whose place in the program does not travel
    answer.send(outcome)
