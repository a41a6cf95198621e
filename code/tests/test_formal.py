"""What must hold of the theorems for the proof kernel, without the kernel; `make formal` asks the kernel."""

from __future__ import annotations

import re
import shutil

import pytest
from harness import REPOSITORY

import formal

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in formal.SOURCES.glob("*.v")}


def without_comments(text: str) -> str:
    """A file of the kernel's without comments, which have none inside them."""
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def test_nothing_is_taken_for_granted():
    assert set(formal.order()) == set(SOURCES)
    words = r"Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset Guard Checking"
    for name, text in SOURCES.items():
        assert not re.search(rf"\b(?:{words})\b", without_comments(text)), name


def test_each_theorem_is_one_of_the_book_and_is_there():
    labels = {
        label
        for path in (REPOSITORY / "book").glob("*.md")
        for label in re.findall(r"^:label: (thm-\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    known = formal.theorems()
    assert len(known) >= 15
    for theorem in known:
        assert theorem["label"] in labels
        proved = re.findall(r"^(?:Theorem|Corollary) (\w+)", SOURCES[theorem["file"]], re.MULTILINE)
        assert set(theorem["names"]) <= set(proved), theorem["label"]


def test_each_proof_ends():
    for name, text in SOURCES.items():
        begun = re.findall(r"^(?:Theorem|Corollary|Lemma) ", text, re.MULTILINE)
        assert len(begun) <= len(re.findall(r"\bQed\.", text)), name


def test_without_a_kernel_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert formal.main([]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert all(name in said for name in ("Debian", "macOS", "opam"))


#: Statements with one thing changed: file, what stands there, what is put in its place.
MUTATIONS = [
    ("Clock", "- sin (w * k) * sin (w * p) + cos", "sin (w * k) * sin (w * p) + cos"),
    ("Clock", "k <> 0%Z -> ~ exists a", "~ exists a"),
    ("Clock", "= 4 * sum h", "= 2 * sum h"),
    (
        "Clock",
        "(0 < h)%nat -> p <> q ->\n  0 < 2 * Rabs (sin ((IZR p - IZR q) / 2))",
        "(0 < h)%nat ->\n  0 < 2 * Rabs (sin ((IZR p - IZR q) / 2))",
    ),
    ("Wavelengths", "Rpower b (1 - 2 / INR (2 * h)).", "Rpower b (1 + 2 / INR (2 * h))."),
    (
        "Rope",
        "(exists r t, a = r * cos t /\\ b = r * sin t /\\ c = - (r * sin t)",
        "(exists r t, a = r * cos t /\\ b = r * sin t /\\ c = (r * sin t)",
    ),
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder with all files as they are, which the kernel has taken."""
    folder = tmp_path_factory.mktemp("kernel")
    for name in formal.order():
        (folder / f"{name}.v").write_text(SOURCES[name], encoding="utf-8")
        formal.run("coqc", "-q", "-Q", ".", "Kernel", f"{name}.v", folder=folder)
    return folder


@pytest.mark.slow
@pytest.mark.xdist_group("kernel")  # it takes all files as they are once
@pytest.mark.skipif(not shutil.which("coqc"), reason="needs a proof kernel")
@pytest.mark.parametrize("mutation", MUTATIONS, ids=range(len(MUTATIONS)))
def test_a_changed_statement_is_refused(mutation, compiled, tmp_path):
    """By the file that it is in: what comes before is taken as it is."""
    changed, old, new = mutation
    assert SOURCES[changed].count(old) == 1
    folder = tmp_path / "changed"
    shutil.copytree(compiled, folder)
    (folder / f"{changed}.v").write_text(SOURCES[changed].replace(old, new), encoding="utf-8")
    with pytest.raises(SystemExit):
        formal.run("coqc", "-q", "-Q", ".", "Kernel", f"{changed}.v", folder=folder)
