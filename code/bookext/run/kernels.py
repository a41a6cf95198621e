"""Kernels that are there at once: forked from a process that has imported the heavy packages already.

A kernel started from nothing spends seconds on importing NumPy, SymPy, Matplotlib and the widgets, once for
each notebook. Here one process, the standard library's fork server, imports them once, and every kernel is a
fork of it. Where processes cannot be forked safely (anywhere but on Linux), kernels start as they always do.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

#: What every kernel imports.
KERNEL = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "ipykernel.iostream",
    "ipykernel.debugger",
    "IPython.core.completerlib",
    "psutil",
    "bookext.run.kernels",
    "bookext.run.observe",
)
#: The name of :class:`ForkedProvisioner` among jupyter_client's; pyproject.toml announces it.
PROVISIONER = "bookext-forked"


def _context() -> ForkServerContext:
    return multiprocessing.get_context("forkserver")


def warm(modules: list[str], *, now: bool = False) -> bool:
    """Let kernels from now on be forks of a process that has imported `modules`; whether that can be.

    It starts with the first kernel, or ``now``.
    """
    if sys.platform != "linux":
        return False
    _context().set_forkserver_preload([*KERNEL, *modules])
    os.environ["JUPYTER_DEFAULT_PROVISIONER_NAME"] = PROVISIONER
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # ipykernel's debugger, which nobody asks, would warn
    if now:
        forkserver.ensure_running()
    return True


def _serve(connection_file: str, folder: str, environment: dict[str, str]) -> None:
    """Be a kernel: what the forked process does."""
    from ipykernel.kernelapp import IPKernelApp

    gc.freeze()  # what was imported before the fork is no garbage, and need not be looked through
    gc.set_threshold(20_000, 20, 20)  # a notebook makes many objects that stay, SymPy most of all
    os.environ.update(environment)
    # The fork server has the build's own folder in its path; a kernel has the notebook's.
    sys.path[:] = ["", *(place for place in sys.path if place not in ("", os.getcwd()))]
    os.chdir(folder)
    parent = f"--IPKernelApp.parent_handle={os.getppid()}"  # the kernel ends when its parent does
    sys.argv = ["ipykernel_launcher", "-f", connection_file, parent, "--log-level=ERROR"]
    IPKernelApp.launch_instance()


class _Fork:
    """A forked process with the part of Popen's interface that the provisioner asks for."""

    stdin = stdout = stderr = None

    def __init__(self, connection_file: str, folder: str, environment: dict[str, str]) -> None:
        self._process = _context().Process(
            target=_serve, args=(connection_file, folder, environment), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.pid and self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


class ForkedProvisioner(LocalProvisioner):
    """Start a kernel as a fork; all else is as with a kernel that was started as a program."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork the kernel; `cmd`, which would start it as a program, is not needed."""
        environment = {k: v for k, v in kwargs.get("env", {}).items() if os.environ.get(k) != v}
        folder = str(kwargs.get("cwd") or os.getcwd())
        manager: Any = self.parent
        process: Any = _Fork(
            manager.connection_file, folder, environment
        )  # which is no Popen, but serves as one
        self.process, self.pid, self.pgid, self.cwd = process, process.pid, None, folder
        return self.connection_info
