"""The theorems in `code/kernel`, checked by a proof kernel, and the axioms that they rest on.

    python code/kernel/check.py            # `make formal`: compile, check again, list the axioms
    python code/kernel/check.py --record   # and write what the pages show of it: code/kernel/checked.json
    python code/kernel/check.py --mutate   # and let the kernel refuse statements with one thing changed

It installs nothing. What it compiles is in ``_build/kernel``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "code/kernel"
BUILT = REPOSITORY / "_build/kernel"
#: What the pages show: statements, axioms, and the goals between the steps of the proofs.
RECORDED = SOURCES / "checked.json"

#: What to do where there is no kernel; tried with the first.
INSTALL = (
    "Debian, Ubuntu: apt install coq libcoq-interval; "
    "macOS: brew install opam, and then as anywhere: opam install coq.8.16.1 coq-interval"
)
MISSING = f"There is no proof kernel here. {INSTALL}"

#: What a theorem may rest on, and what each of these axioms says.
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec": (
        "a property that is decided for each whole number holds for all of them, or fails for one"
    ),
    "ClassicalDedekindReals.sig_not_dec": "each statement is refuted, or it is not",
    "FunctionalExtensionality.functional_extensionality_dep": "functions with the same values are the same",
    "Classical_Prop.classic": "each statement is true, or its negation is",
}

#: What the interval arithmetic rests on besides: that the processor's whole numbers and floats do what their
#: standards say, which the kernel takes as it is.
MACHINE = re.compile(r"(?:Uint63|PrimInt63|FloatAxioms|PrimFloat|FloatOps|Sint63)\.")
BY_MACHINE = {"LargestDistance"}

#: Errors that would say something of a statement's spelling, and nothing of its proof.
SPELLING = re.compile(
    r"Syntax error|not found in the current environment|Unknown interpretation|Cannot infer"
)
#: A name that nothing has.
PART = "next_part"
GOAL_WIDTH = 68


@dataclass(frozen=True)
class Proved:
    """A theorem in a file of the kernel's: its name, what comes after it, both together, and the proof."""

    file: str
    name: str
    stated: str
    statement: str
    sentences: tuple[str, ...]


def order() -> list[str]:
    """The files, each after those that it needs."""
    return re.findall(r"^(\w+)\.v$", (SOURCES / "_CoqProject").read_text(encoding="utf-8"), re.MULTILINE)


def theorems() -> list[dict[str, Any]]:
    """Which theorem of the book each of the kernel's is: `theorems.yml`."""
    read: list[dict[str, Any]] = yaml.safe_load((SOURCES / "theorems.yml").read_text(encoding="utf-8"))
    return read


def mutations() -> list[dict[str, str]]:
    """Statements with one thing changed: `mutations.yml`."""
    read: list[dict[str, str]] = yaml.safe_load((SOURCES / "mutations.yml").read_text(encoding="utf-8"))
    return read


def left() -> dict[str, str]:
    """The book's theorems that are not here, by their labels, each with the reason: `left.yml`."""
    read: dict[str, str] = yaml.safe_load((SOURCES / "left.yml").read_text(encoding="utf-8"))
    return read


def names() -> list[str]:
    """The theorems of the kernel's that are theorems of the book, with their files' names."""
    return [name for theorem in theorems() for name in theorem["reads"]]


def sentences(script: str) -> list[str]:
    """The sentences of a proof; a bullet or a brace belongs to what follows it.

    >>> sentences("split. - rewrite Nat.add_0_r; ring. - { lia. } now auto.")
    ['split.', '- rewrite Nat.add_0_r; ring.', '- { lia.', '} now auto.']
    """
    found, before = [], ""
    script = re.sub(r"\(\*.*?\*\)", "", script, flags=re.DOTALL).strip()
    while script:
        mark = re.match(r"(?:[-+*]+(?=\s)|\{|\}|\d+\s*:\s*\{)\s*", script)
        if mark:
            before, script = f"{before}{mark[0].strip()} ", script[mark.end() :]
            continue
        end = re.search(r"\.(?=\s|$)", script)
        assert end, f"no sentence: {script}"
        found.append(before + " ".join(script[: end.end()].split()))
        before, script = "", script[end.end() :].lstrip()
    if before:  # braces that close the proof
        found[-1] += f" {before.strip()}"
    return found


def proved(name: str, text: str | None = None) -> Proved:
    """A theorem of a file, `File.name`; `text` in place of what is in the file."""
    file, _, short = name.partition(".")
    text = (SOURCES / f"{file}.v").read_text(encoding="utf-8") if text is None else text
    found = re.search(
        rf"^(Theorem|Corollary) {short}\b(.*?)\.\s+Proof\.(.*?)\bQed\.", text, re.MULTILINE | re.DOTALL
    )
    if not found:
        raise ValueError(f"{file}.v has no theorem {short}")
    kind, stated, proof = found.groups()
    return Proved(file, short, stated, f"{kind} {short}{stated}.", tuple(sentences(proof)))


def heading(file: str) -> str:
    """What a file begins with: what it requires, and its scopes."""
    text = (SOURCES / f"{file}.v").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^(?:Require|From|Import|Open Scope) .*$", text, re.MULTILINE))


def run(*command: str, folder: Path | None = None, timeout: float | None = None) -> str:
    """What a program of the kernel says; a failure ends the check, with what was said."""
    done = subprocess.run(
        command,
        cwd=folder or BUILT,
        text=True,
        capture_output=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        lacks = f"The proof kernel lacks Interval. {INSTALL}" if "prefix Interval" in done.stderr else ""
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}{lacks}")
    return done.stdout


def compile_file(name: str, folder: Path | None = None, timeout: float | None = None) -> str:
    """Compile `name`.v and say what the compiler says."""
    return run("coqc", "-q", "-Q", ".", "Kernel", f"{name}.v", folder=folder, timeout=timeout)


def needs(name: str) -> list[str]:
    """The files that a file requires.

    >>> needs("Clock")
    ['Irrational', 'Encoding']
    """
    required = re.findall(
        r"^Require .*?\.$", (SOURCES / f"{name}.v").read_text(encoding="utf-8"), re.MULTILINE
    )
    return [file for sentence in required for file in re.findall(r"\bKernel\.(\w+)", sentence)]


def compile_all() -> None:
    """Compile the files into an empty `_build/kernel`, side by side where one does not need the other."""
    start = time.monotonic()
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    free = threading.Semaphore(os.cpu_count() or 1)
    begun: dict[str, Future[None]] = {}

    def compiled(name: str) -> None:
        for needed in needs(name):
            begun[needed].result()
        with free:
            compile_file(name)
        print(f"{name}.v  {time.monotonic() - start:.0f} s", flush=True)

    with ThreadPoolExecutor(len(order())) as pool:
        for name in order():
            shutil.copy(SOURCES / f"{name}.v", BUILT)
            begun[name] = pool.submit(compiled, name)
        for done in begun.values():
            done.result()


def compiled() -> bool:
    """Whether `_build/kernel` has all files as they are, compiled."""
    return all(
        (BUILT / f"{name}.vo").is_file()
        and (BUILT / f"{name}.v").read_bytes() == (SOURCES / f"{name}.v").read_bytes()
        for name in order()
    )


def axioms_of(groups: dict[str, list[str]]) -> dict[str, set[str]]:
    """The axioms that each group of theorems rests on.

    A group is asked for at once, since the kernel goes through the libraries for each answer; and as many
    are at a time as there are processors.
    """
    files = " ".join(f"Kernel.{name}" for name in order())
    parts = os.cpu_count() or 1
    labels = list(groups)

    def ask(part: int) -> dict[str, set[str]]:
        mine = labels[part::parts]
        asked = f"Require {files}.\n"
        for number, label in enumerate(mine):
            together = ", ".join(f"@Kernel.{name}" for name in groups[label])
            asked += f"Definition group{number} := ({together}, I).\nPrint Assumptions group{number}.\n"
        (BUILT / f"Asked{part}.v").write_text(asked, encoding="utf-8")
        said = compile_file(f"Asked{part}")
        answers = re.split(r"^(?:Axioms:|Closed under the global context)$", said, flags=re.MULTILINE)[1:]
        return {
            label: set(re.findall(r"^([A-Z]\w*(?:\.\w+)+)", answer, re.MULTILINE))
            for label, answer in zip(mine, answers, strict=True)
        }

    with ThreadPoolExecutor(parts) as pool:
        found = [one for part in pool.map(ask, range(parts)) for one in part.items()]
    return {label: dict(found)[label] for label in labels}


def of_file(wanted: list[str]) -> dict[str, list[str]]:
    """Theorems by the file that has them, in the order of the files."""
    known = {file: [name for name in wanted if name.startswith(f"{file}.")] for file in order()}
    return {file: found for file, found in known.items() if found}


# --- what stands on what ------------------------------------------------------------------------

#: What the map has of a file: where it begins, up to what follows it.
ITEM = re.compile(r"^(Theorem|Corollary|Lemma|Definition|Fixpoint) (\w+)\b", re.MULTILINE)


#: The library that all files begin with.
BEGINNING = {"Coq.Init"}


def given_before(text: str) -> str:
    r"""What is assumed in the section that is open at a text's end, for all that follows in it.

    >>> given_before("Section One.\nVariable a : R.\nLet b : a = a. Proof. done. Qed.\n")
    'Variable a : R.\nLet b : a = a.'
    >>> given_before("Section One.\nVariable a : R.\nEnd One.\n")
    ''
    """
    inside = re.split(r"^Section \w+\.", text, flags=re.MULTILINE)[1:]
    if not inside or re.search(r"^End \w+\.", inside[-1], re.MULTILINE):
        return ""
    return "\n".join(re.findall(r"^(?:Variables?|Hypothes[ei]s|Let)\b.*?\.(?=\s)", inside[-1], re.MULTILINE))


def items() -> list[dict[str, Any]]:
    """All theorems, lemmas and definitions of the files: kind, line, what is given, statement and proof."""
    found = []
    for file in order():
        text = (SOURCES / f"{file}.v").read_text(encoding="utf-8")
        for begun in ITEM.finditer(text):
            kind, name = begun.groups()
            is_proved = kind not in {"Definition", "Fixpoint"}
            ends = r"\bQed\." if is_proved else r"\.(?=\s*$)"
            end = re.compile(ends, re.MULTILINE).search(text, begun.end())
            assert end, f"{file}.{name} does not end"
            statement, _, proof = text[begun.start() : end.end()].partition("Proof.")
            found.append(
                {
                    "name": f"{file}.{name}",
                    "kind": kind.lower(),
                    "line": text.count("\n", 0, begun.start()) + 1,
                    **({"given": given} if (given := given_before(text[: begun.start()])) else {}),
                    "statement": statement.strip(),
                    "proof": f"Proof.{proof}" if proof else "",
                }
            )
    return found


def unnumbered() -> list[str]:
    """The theorems of the files that are no theorems of the book."""
    known = names()
    ends = [item["name"] for item in items() if item["kind"] in {"theorem", "corollary"}]
    return [name for name in ends if name not in known]


def references() -> dict[str, list[str]]:
    """What each item refers to, as the compiler has resolved the names: items, and libraries.

    `Clock.glob`, which `coqc` writes beside `Clock.vo`, has each definition and each reference.
    """
    known = {item["name"] for item in items()}
    found: dict[str, set[str]] = {name: set() for name in known}
    for file in order():
        at = ""
        for line in (BUILT / f"{file}.glob").read_text(encoding="utf-8").splitlines():
            begun = re.match(r"(?:def|prf) \d+:\d+ \S+ (\w+)$", line)
            if begun:
                at = f"{file}.{begun[1]}"
            used = re.match(r"R\d+:\d+ (\S+) \S+ (\S+) (\w+)$", line)
            if not used or at not in known or used[3] in {"lib", "var", "not", "binder"}:
                continue
            module, _, rest = used[1].partition(".")
            name = f"{rest}.{used[2]}" if module == "Kernel" else ".".join(used[1].split(".")[:2])
            if name in known or (module != "Kernel" and name not in BEGINNING):
                found[at].add(name if module in {"Coq", "Kernel"} else module)
    return {name: sorted(used - {name}) for name, used in found.items()}


# --- what the pages show -------------------------------------------------------------------------


def shorter(said: str, before: str) -> str:
    r"""What is new in a state of a proof: the hypotheses that were not there before, and the goal.

    >>> before = "1 goal\n  \n  x : R\n  ====\n  0 < x -> x <> 0"
    >>> print(shorter("1 goal\n  \n  x : R\n  P : 0 < x\n  ====\n  x <> 0", before))
    P : 0 < x
    ⊢ x <> 0
    """
    if said.startswith("No more goals"):
        return "Nothing is left to prove."
    if said.startswith("This subproof is complete"):
        return "This part is proved."
    rest = said.partition("\n")[2]
    first, *others = re.split(r"\n\ngoal \d+ is:\n", rest)
    above, _, goal = (
        re.split(r"\n( *=+)\n", first, maxsplit=1) if re.search(r"\n *=+\n", first) else ("", "", first)
    )
    known = set(re.split(r"\n(?=  \S)", before.partition("\n")[2].partition("\n  ===")[0]))
    new = [line for line in re.split(r"\n(?=  \S)", above) if line.strip() and line not in known]
    shown = "\n".join(line[2:] for part in new for line in part.split("\n"))
    lines = [line[2:] for line in goal.rstrip().split("\n")]
    stated = "\n".join(f"{'  ' if number else '⊢ '}{line}" for number, line in enumerate(lines))
    more = f"\n(and {len(others)} more)" if others else ""
    return f"{shown}\n{stated}{more}".strip("\n")


def states_of(file: str, wanted: list[str]) -> dict[str, list[str]]:
    """What there is to prove after each sentence of some theorems' proofs, as the kernel says."""
    folder = BUILT / "shown"
    folder.mkdir(exist_ok=True)
    text = heading(file)
    text += f"\nRequire Import Kernel.{file}.\nSet Printing Width {GOAL_WIDTH}.\n"
    theorems = {theorem.name: theorem for theorem in map(proved, wanted)}
    for name, theorem in theorems.items():
        text += f'Theorem {name}_shown{theorem.stated}.\nProof.\nRedirect "{name}-0" Show.\n'
        for number, sentence in enumerate(theorem.sentences, 1):
            text += f'{sentence}\nRedirect "{name}-{number}" Show.\n'
        text += "Qed.\n"
    (folder / f"{file}_shown.v").write_text(text, encoding="utf-8")
    run("coqc", "-q", "-Q", "..", "Kernel", f"{file}_shown.v", folder=folder)
    return {
        f"{file}.{name}": [
            (folder / f"{name}-{number}.out").read_text(encoding="utf-8").strip("\n")
            for number in range(len(t.sentences) + 1)
        ]
        for name, t in theorems.items()
    }


def definitions() -> list[dict[str, str]]:
    """The definitions that the statements use, each after those that it uses itself."""
    known = {}
    for file in order():
        text = (SOURCES / f"{file}.v").read_text(encoding="utf-8")
        for definition, name in re.findall(
            r"^(Definition (\w+)\b.*?\.)(?=\s*$)", text, re.MULTILINE | re.DOTALL
        ):
            known[name] = (file, definition)
    used: set[str] = set()
    open_texts = [proved(name).stated for name in names()]
    while open_texts:
        for word in set(re.findall(r"\w+", open_texts.pop())) & set(known) - used:
            used.add(word)
            open_texts.append(known[word][1].partition(":=")[2])
    return [
        {"name": name, "file": file, "text": text} for name, (file, text) in known.items() if name in used
    ]


def recording() -> dict[str, Any]:
    """What the pages show of the theorems; needs what `compile_all` has made."""
    axioms = axioms_of(
        {theorem["label"]: list(theorem["reads"]) for theorem in theorems()}
        | {name: [name] for name in unnumbered()}
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        shown = pool.map(lambda one: states_of(*one), of_file(names()).items())
        states = {name: found for file in shown for name, found in file.items()}
    entries = {}
    for theorem in theorems():
        parts = []
        for name in theorem["reads"]:
            one, seen = proved(name), states[name]
            steps, before = [], seen[0]
            for rule, state in zip(one.sentences, seen[1:], strict=True):
                steps.append({"rule": rule, "state": shorter(state, before)})
                before = state if "\n  ===" in state else before
            parts.append(
                {
                    "name": one.name,
                    "file": f"{one.file}.v",
                    "statement": one.statement,
                    "reads": theorem["reads"][name],
                    "steps": steps,
                }
            )
        found = axioms[theorem["label"]]
        entries[theorem["label"]] = {
            "differs": theorem["differs"],
            "left": theorem.get("left", []),
            "needs": theorem.get("needs", {}),
            "axioms": [axiom for axiom in AXIOMS if axiom in found],
            "machine": sorted(filter(MACHINE.match, found)),
            "parts": parts,
        }
    uses = references()
    listed = {name: {"axioms": sorted(axioms[name])} for name in unnumbered()}
    tool = run("coqc", "--print-version").split()[0]
    return {
        "tool": f"Coq {tool}",
        "language": "coq",
        "axioms": AXIOMS,
        "definitions": definitions(),
        "theorems": entries,
        "left": left(),
        "refused": refused(),
        "map": [{**one, "uses": uses[one["name"]], **listed.get(one["name"], {})} for one in items()],
    }


# --- statements with one thing changed -----------------------------------------------------------


def mutated(mutation: dict[str, str]) -> str:
    """What is stated instead; the text that is changed must be there once."""
    stated = proved(mutation["theorem"]).stated
    if stated.count(mutation["old"]) != 1:
        raise ValueError(f"{mutation['theorem']} has not once: {mutation['old']}")
    return stated.replace(mutation["old"], mutation["new"])


def asked(name: str, stated: str) -> list[str]:
    """The sentences that prove what is `stated` as the theorem is proved, parted by a name."""
    return [
        f"Locate {PART}.\nTheorem taken{stated}.\nAbort.\nTheorem tried{stated}.",
        f"Locate {PART}.\nProof.",
        *proved(name).sentences,
        f"Qed.\nLocate {PART}.\nAbort All.\nReset tried.",
    ]


def refused_in(file: str, tried: list[tuple[str, str]]) -> list[str]:
    """Why each of some statements is refused with the proof of its theorem, all of one file.

    One session of the kernel, which loads the libraries once, and goes on after an error.
    """
    text = [heading(file), f"Require Import Kernel.{file}.", "Set Silent."]
    for name, stated in tried:
        text += asked(name, stated)
    done = subprocess.run(
        ["coqtop", "-q", "-Q", ".", "Kernel"],
        cwd=BUILT,
        input="\n".join(text),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    said = re.sub(r"^(?:\w+ < )+", "", done.stdout, flags=re.MULTILINE)  # it asks for each sentence
    _, *parts = re.split(rf"^No object of\s+basename {PART}$", said, flags=re.MULTILINE)
    groups = zip(tried, parts[::3], parts[1::3], parts[2::3], strict=True)
    return [reason(name, statement, proof) for (name, _), statement, proof, _ in groups]


def reason(name: str, statement: str, proof: str) -> str:
    """Why a statement was refused, by what was said to it and to its proof; "" if it was not.

    It has to be taken as a statement: the error must be one of the proof, and the first one counts.
    """
    error = proof.partition("Error:")[2].partition("\nToplevel input")[0].strip()
    if "Error:" in statement or SPELLING.search(error):
        raise ValueError(f"{name}: no error of the proof: {statement}{error}")
    error = error.removeprefix("In environment\n")
    return re.sub(r"\A(?:(?:\s|[\w', ]+ :=? ).*\n)+", "", error)


def refusals(tried: list[tuple[str, str]]) -> list[str]:
    """Why each of some statements with their theorems' proofs is refused; several files at a time."""
    mine = {
        file: [one for one in enumerate(tried) if one[1][0] in theirs]
        for file, theirs in of_file(names()).items()
    }
    found: dict[int, str] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda file: refused_in(file, [one for _, one in mine[file]]), mine)
        for part, reasons in zip(mine.values(), said, strict=True):
            found |= zip((number for number, _ in part), reasons, strict=True)
    return [found[number] for number in range(len(tried))]


def refused() -> list[dict[str, str]]:
    """The changed statements, each with what the kernel says to it; an error if it takes one."""
    changed = mutations()
    said = refusals([(one["theorem"], mutated(one)) for one in changed])
    taken = [mutated(one) for one, why in zip(changed, said, strict=True) if not why]
    if taken:
        raise SystemExit(f"The kernel takes: {taken}")
    return [{**one, "said": why} for one, why in zip(changed, said, strict=True)]


# --- the command ---------------------------------------------------------------------------------


def check() -> int:
    """Compile, check again, and list the axioms; return the exit status."""
    start = time.monotonic()
    compile_all()
    # The second checker reads what was compiled. It takes the libraries as they are, or it would be busy
    # with them for long, and leaves out the intervals, which it would compute without the machine's numbers.
    again = [word for name in order() if name not in BY_MACHINE for word in ("-norec", f"Kernel.{name}")]
    with ThreadPoolExecutor() as pool:
        checked = pool.submit(run, "coqchk", "-silent", "-Q", ".", "Kernel", *again)
        rests_on = axioms_of(of_file([*names(), *unnumbered()]))
        checked.result()
    print(f"coqchk  {time.monotonic() - start:.0f} s")
    found: set[str] = set()
    wrong = []
    for file, axioms in rests_on.items():
        machine = {axiom for axiom in axioms if MACHINE.match(axiom)}
        if (machine and file not in BY_MACHINE) or axioms - machine - set(AXIOMS):
            wrong.append(f"{file}.v rests on {', '.join(sorted(axioms - set(AXIOMS)))}")
        found |= axioms
    for theorem in theorems():
        print(f"{theorem['label']}: {', '.join(theorem['reads'])}")
    print("They rest on these axioms:", *sorted(found), sep="\n  ")
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


def written(found: dict[str, Any]) -> str:
    """The text of `checked.json`."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Check everything; return the exit status."""
    parser = argparse.ArgumentParser(description="Check the theorems with a proof kernel.")
    parser.add_argument("--record", action="store_true", help="write what the pages show: checked.json")
    parser.add_argument("--mutate", action="store_true", help="let it refuse changed statements")
    options = parser.parse_args(arguments)
    if not shutil.which("coqc"):
        print(MISSING, file=sys.stderr)
        return 1
    status = check()
    if options.record and not status:
        RECORDED.write_text(written(recording()), encoding="utf-8")
    for one in refused() if options.mutate and not status else []:
        print(f"{one['theorem']}, {one['kind']}: {one['said'].partition(chr(10))[0]}")
    return status


if __name__ == "__main__":
    sys.exit(main())
