"""What runs by itself keeps to its rules: the workflows, the commit hooks, `make check`; one version."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import check
import check_jsonschema
import pre_commit.main
import pytest
import yaml
from click.testing import CliRunner
from harness import REPOSITORY

import conftest
from bookext.data_files import read_yaml

GITHUB = REPOSITORY / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.y*ml"))
ACTIONS = sorted((GITHUB / "actions").rglob("action.y*ml"))
MAKEFILE = (REPOSITORY / "Makefile").read_text()

#: What a published schema describes, with the name under which check-jsonschema brings the schema along.
SCHEMAS = [
    *((path, "vendor.github-workflows") for path in WORKFLOWS),
    *((path, "vendor.github-actions") for path in ACTIONS),
    (GITHUB / "dependabot.yml", "vendor.dependabot"),
    (REPOSITORY / "CITATION.cff", "vendor.citation-file-format"),
]


@pytest.mark.parametrize(("path", "schema"), SCHEMAS, ids=lambda value: getattr(value, "name", ""))
def test_the_published_schema_is_kept(path, schema):
    result = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", schema, str(path)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_end_and_write_on_main_alone(path):
    """What zizmor does not ask: it sees to permissions and pins."""
    for name, job in read_yaml(path)["jobs"].items():
        assert "timeout-minutes" in job, f"job {name} has a time limit"
        if "write" in job["permissions"].values():
            assert "refs/heads/main" in str(job.get("if")), f"job {name} may write, so it runs on main alone"


def test_an_action_has_one_commit_everywhere():
    """With its version beside it. That it is a commit, zizmor sees to."""
    pins = {}
    for path in [*WORKFLOWS, *ACTIONS]:
        for line in re.findall(r"uses: *(.+)", path.read_text()):
            if not line.startswith("$/.github/actions/"):  # an action of this repository, at the same commit
                assert re.search(r"  # v[\d.]+$", line), f"{path.name}: {line} names no version"
                pins.setdefault(line.partition("@")[0], set()).add(line)
    assert pins
    assert not {action: lines for action, lines in pins.items() if len(lines) > 1}


def test_the_published_site_is_the_one_that_was_tested():
    jobs = read_yaml(GITHUB / "workflows/book.yml")["jobs"]
    publishing = {"publish", "notebooks"}
    assert all(set(jobs[name]["needs"]) == set(jobs) - publishing for name in publishing)
    assert [
        name for name, job in jobs.items() if any(step.get("run") == "make book" for step in job["steps"])
    ] == ["build"]
    carried = {
        name: [
            (step["uses"].split("@")[0].rpartition("/")[2], step["with"].get("name"), step["with"]["path"])
            for step in job["steps"]
            if "artifact" in step.get("uses", "") and "if" not in step
        ]
        for name, job in jobs.items()
    }
    assert ("upload-artifact", "site", "_build/html") in carried["build"]
    assert ("download-artifact", "site", "_build/html") in carried["test"]
    assert ("upload-artifact", "notebooks", "_build/notebooks") in carried["build"]
    assert carried["publish"] == [
        ("download-artifact", "site", "site"),
        ("upload-pages-artifact", None, "site"),
    ]


def program_of(job: str, name: str) -> str:
    """The program of a step of the workflow that publishes."""
    (step,) = (
        step
        for step in read_yaml(GITHUB / "workflows/book.yml")["jobs"][job]["steps"]
        if step.get("name") == name
    )
    return step["run"]


def run_step(program: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    """What a runner does with it; programs in the folder `bin` come first."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", program],
        cwd=folder,
        env={
            "PATH": path,
            "HOME": str(folder),
            "GITHUB_REPOSITORY": "a/book",
            "GITHUB_SHA": "0123",
            **environment,
        },
        text=True,
        capture_output=True,
    )


@pytest.mark.parametrize(
    ("answer", "status"), [("echo workflow", 0), ("echo legacy", 1), ("echo 'Not Found' >&2; exit 1", 1)]
)
def test_the_first_run_says_where_pages_is_switched_on(tmp_path, answer, status):
    """In one sentence, which the README and the workflow have, too."""
    gh = tmp_path / "bin/gh"
    gh.parent.mkdir()
    gh.write_text(f'#!/bin/sh\ntest "$*" = "api repos/a/book/pages --jq .build_type" || exit 9\n{answer}\n')
    gh.chmod(0o755)
    done = run_step(program_of("publish", "See that Pages is switched on"), tmp_path)
    assert done.returncode == status
    said = [line for line in done.stdout.splitlines() if line.startswith("::error::")]
    assert len(said) == status
    for text in [*said, (REPOSITORY / "README.md").read_text(), (GITHUB / "workflows/book.yml").read_text()]:
        assert "Source: GitHub Actions" in text
        assert "Settings, under Pages" in text


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_the_branch_of_notebooks_is_pushed_whole(tmp_path):
    """To a repository on this machine, twice: the second replaces the first, and nothing else is there."""
    branch, remote = tmp_path / "published/notebooks", tmp_path / "remote.git"
    program = program_of("notebooks", "Push the branch")
    assert run_step(program, tmp_path, TOKEN="t").returncode == 0, (
        "without an address there is nothing to push"
    )
    subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
    git = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{remote.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://x-access-token:t@github.com/a/book",
        "GIT_ALLOW_PROTOCOL": "file",
    }
    for number in range(2):
        shutil.rmtree(branch)
        branch.mkdir()
        (branch / "requirements.txt").write_text("numpy\n")
        (branch / f"{number}.ipynb").write_text("{}")
        done = run_step(program, tmp_path, TOKEN="t", **git)
        assert done.returncode == 0, done.stderr
    listed = ["git", "-C", remote, "ls-tree", "--name-only", "notebooks"]
    assert subprocess.run(listed, text=True, capture_output=True).stdout.split() == [
        "1.ipynb",
        "requirements.txt",
    ]
    count = ["git", "-C", remote, "rev-list", "--count", "notebooks"]
    assert subprocess.run(count, text=True, capture_output=True).stdout.strip() == "1"


def test_the_built_site_can_be_published(site):
    """What actions/upload-pages-artifact and its host ask: plain files that all may read, below 1 GB."""
    files = [path for path in site.root.rglob("*") if not path.is_dir() or path.is_symlink()]
    assert site.root / "index.html" in files
    assert not [path for path in files if path.is_symlink() or path.stat().st_nlink > 1]
    assert not [path for path in files if path.stat().st_mode & 0o444 != 0o444]
    assert not [path for path in files if set('":<>|*?\r\n') & set(path.relative_to(site.root).as_posix())]
    assert sum(path.stat().st_size for path in files) < 1e9


def test_commit_hooks_run_checks_that_exist():
    assert pre_commit.main.main(["validate-config", str(REPOSITORY / ".pre-commit-config.yaml")]) == 0
    hooks = [
        hook for repo in read_yaml(REPOSITORY / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    run = [
        name
        for hook in hooks
        for name in hook["entry"].removeprefix(".venv/bin/python code/tools/check.py ").split()
    ]
    assert sorted(run) == sorted(check.CHECKS), "every check is some hook's, and no hook runs another"


def test_make_check_says_which_check_failed(monkeypatch, capsys):
    script = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"
    for name, status in (("good", "0"), ("bad", "3")):
        monkeypatch.setitem(check.CHECKS, name, [sys.executable, "-c", script, f"output of {name}", status])
    assert check.main(["good", "bad"]) == 1
    output = capsys.readouterr().out
    assert re.search(r"^good +ok +[\d.]+ s  output of good$", output, re.MULTILINE)
    assert re.search(r"^output of bad\nbad +FAILED +[\d.]+ s$", output, re.MULTILINE)
    assert "Failed: bad." in output
    assert check.main(["good"]) == 0
    with pytest.raises(SystemExit):
        check.main(["other"])


def test_one_version_is_named_everywhere():
    (version,) = {
        tomllib.loads(path.read_text())["project"]["version"]
        for path in (REPOSITORY / "code").glob("*/pyproject.toml")
    }
    citation = read_yaml(REPOSITORY / "CITATION.cff")
    releases = re.findall(r"^## \[(.+?)\] - (\S+)$", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation["version"] == version
    # The book is cited, and the software comes with it.
    book = citation["preferred-citation"]
    assert book["type"] == "book"
    shared = ("title", "authors", "version", "date-released")
    assert all(book[name] == citation[name] for name in shared)
    assert str(book["year"]) == citation["date-released"][:4]
    assert (version, citation["date-released"]) in releases, "CHANGELOG.md tells of the version and its day"


def test_the_paper_for_a_journal_is_what_the_journal_asks():
    """That of Open Source Education: a header, sections, at most a thousand words, known references."""
    _, header, text = (REPOSITORY / "paper.md").read_text().split("---\n", 2)
    paper, citation = yaml.safe_load(header), read_yaml(REPOSITORY / "CITATION.cff")
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= paper.keys()
    assert [author["name"] for author in paper["authors"]] == [
        author["name"] for author in citation["authors"]
    ]
    places = {place["index"] for place in paper["affiliations"]}
    assert {author["affiliation"] for author in paper["authors"]} <= places
    headings = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert (headings[:2], headings[-1]) == (["Summary", "Statement of need"], "References")
    assert 250 <= len(text.split()) <= 1_000
    cited = set(re.findall(r"@(\w+)", text))
    known = re.findall(r"^@\w+\{(\w+),", (REPOSITORY / paper["bibliography"]).read_text(), re.MULTILINE)
    assert cited
    assert cited <= set(known)


def test_what_is_apart_has_its_turn(pytestconfig):
    """On a clean machine, on each proposal or each night; and there are tests that bear its mark."""
    nightly = read_yaml(GITHUB / "workflows/nightly.yml")["jobs"]["optional"]["strategy"]["matrix"]["part"]
    texts = [(REPOSITORY / ".ci/run").read_text(), *(path.read_text() for path in WORKFLOWS)]
    marks = [
        quoted or word for text in texts for quoted, word in re.findall(r'MARK=(?:"([^"$]+)"|(\w+))', text)
    ]
    run = {word for mark in marks for word in mark.split(" or ")} | set(nightly)
    jobs = read_yaml(GITHUB / "workflows/book.yml")["jobs"]
    run |= {part["mark"] for part in jobs["test"]["strategy"]["matrix"]["include"]} & set(conftest.APART)
    assert not set(conftest.APART) - run
    known = {line.partition(":")[0].partition("(")[0] for line in pytestconfig.getini("markers")}
    assert run <= known
    written = {
        ast.unparse(node)
        for path in (REPOSITORY / "code/tests").rglob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
    }
    by_hand = set(conftest.APART) - set(conftest.MARKS)
    assert {f"pytestmark = pytest.mark.{mark}" for mark in by_hand} <= written


def test_a_reader_sees_at_once_what_can_be_made():
    """Few targets, each with a line in `make help`."""
    (named,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert len(named.split()) <= 17, "sixteen and help"
    told = re.findall(r"^([a-z]+):.*  ## .+$", MAKEFILE, re.MULTILINE)
    assert sorted(told) == sorted(named.split())
