"""Work that is done beside the rest, in a process of its own."""

from __future__ import annotations

import multiprocessing
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class Beside:
    """Work that has begun, in a copy of this process; where forking is unsafe, it is done here.

    The copy sees everything as it is now, and what is changed later, on either side, the other does not see.

    Parameters
    ----------
    work
        What is done. It returns something that can be pickled.

    Examples
    --------
    >>> Beside(lambda: 6 * 7).result()
    42
    >>> Beside(lambda: 1 / 0).result()
    Traceback (most recent call last):
        ...
    ZeroDivisionError: division by zero
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work, self._process = work, None
        if sys.platform == "linux":
            context = multiprocessing.get_context("fork")
            self._answer, answer = context.Pipe(duplex=False)
            self._process = context.Process(target=_do, args=(work, answer))
            self._process.start()
            answer.close()  # ours; so that waiting ends if the process does without an answer

    def result(self) -> Any:
        """What the work returned, or an error as it raised it; waits until it is done."""
        if self._process is None:
            return self._work()
        try:
            returned, error = self._answer.recv()
        except EOFError:
            self._process.join()
            raise RuntimeError(f"a process ended with {self._process.exitcode} before its work") from None
        self._process.join()
        if error is not None:
            raise error
        return returned


def _do(work: Callable[[], Any], answer: Connection) -> None:
    try:
        answer.send((work(), None))
    except Exception as error:
        traceback.print_exc()  # which does not travel
        answer.send((None, error))
