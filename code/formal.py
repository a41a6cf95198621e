"""`make formal`: the theorems in `code/kernel`, checked by a proof kernel, and the axioms that they rest on.

    python code/formal.py

It installs nothing. What it compiles is in ``_build/kernel``.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = REPOSITORY / "code/kernel"
BUILT = REPOSITORY / "_build/kernel"

#: What to do where there is no kernel; tried with the first.
MISSING = (
    "There is no proof kernel here. Debian, Ubuntu: apt install coq libcoq-interval; "
    "macOS: brew install opam, and then as anywhere: opam install coq.8.16.1 coq-interval"
)

#: What a theorem may rest on: two axioms of the real numbers, excluded middle, and that functions with the
#: same values are the same.
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
}

#: What the interval arithmetic rests on besides: that the processor's whole numbers and floats do what their
#: standards say, which the kernel takes as it is.
MACHINE = re.compile(r"(?:Uint63|PrimInt63|FloatAxioms|PrimFloat)\.")
BY_MACHINE = {"LargestDistance"}


def order() -> list[str]:
    """The files, each after those that it needs."""
    return re.findall(r"^(\w+)\.v$", (SOURCES / "_CoqProject").read_text(encoding="utf-8"), re.MULTILINE)


def theorems() -> list[dict[str, Any]]:
    """Which theorem of the book each of the kernel's is."""
    read: list[dict[str, Any]] = yaml.safe_load((SOURCES / "theorems.yml").read_text(encoding="utf-8"))
    return read


def run(*command: str, folder: Path = BUILT, given: str | None = None) -> str:
    """What a program of the kernel says; a failure ends the check, with what was said."""
    done = subprocess.run(command, cwd=folder, input=given, text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def axioms_of(names: list[str]) -> dict[str, set[str]]:
    """The axioms that each theorem rests on, by its name with that of its file."""
    files = " ".join(f"Kernel.{name}" for name in order())
    asked = "".join(f"Print Assumptions {name}.\n" for name in names)
    (BUILT / "Asked.v").write_text(f"Require {files}.\n{asked}", encoding="utf-8")
    said = run("coqc", "-q", "-Q", ".", "Kernel", "Asked.v")
    parts = re.split(r"^(?:Axioms:|Closed under the global context)$", said, flags=re.MULTILINE)[1:]
    return {
        name: set(re.findall(r"^([A-Z]\w*(?:\.\w+)+)", part, re.MULTILINE))
        for name, part in zip(names, parts, strict=True)
    }


def main(arguments: list[str] | None = None) -> int:
    """Check everything; return the exit status."""
    argparse.ArgumentParser(description="Check the theorems with a proof kernel.").parse_args(arguments)
    if not shutil.which("coqc"):
        print(MISSING, file=sys.stderr)
        return 1
    start = time.monotonic()
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    for name in order():
        shutil.copy(SOURCES / f"{name}.v", BUILT)
        run("coqc", "-q", "-Q", ".", "Kernel", f"{name}.v")
        print(f"{name}.v  {time.monotonic() - start:.0f} s", flush=True)
    # The second checker reads what was compiled. It takes the libraries as they are, or it would be busy
    # with them for long, and leaves out the intervals, which it would compute without the machine's numbers.
    again = [word for name in order() if name not in BY_MACHINE for word in ("-norec", f"Kernel.{name}")]
    run("coqchk", "-silent", "-Q", ".", "Kernel", *again)
    print(f"coqchk  {time.monotonic() - start:.0f} s")
    found: set[str] = set()
    wrong = []
    known = theorems()
    names = [f"Kernel.{theorem['file']}.{name}" for theorem in known for name in theorem["names"]]
    for name, axioms in axioms_of(names).items():
        machine = {axiom for axiom in axioms if MACHINE.match(axiom)}
        if (machine and name.split(".")[1] not in BY_MACHINE) or axioms - machine - AXIOMS:
            wrong.append(f"{name} rests on {', '.join(sorted(axioms - AXIOMS))}")
        found |= axioms - machine
    for theorem in known:
        print(f"{theorem['label']}: {', '.join(theorem['names'])}")
    print("They rest on these axioms:", *sorted(found), sep="\n  ")
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
