"""What pip is to install, as lines for its `-r`; Python alone runs it, before anything is installed.

python code/tools/pins.py uv             a package as uv.lock has it, with its hashes
python code/tools/pins.py --group torch  a group of pyproject.toml as it is, for what uv does not install
"""

import argparse
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def read_toml(name: str) -> dict[str, list]:
    """One of the two files at the top."""
    return tomllib.loads((REPOSITORY / name).read_text(encoding="utf-8"))


def find_locked(name: str) -> str:
    """A package at its one locked version, with the hashes of all its files."""
    (found,) = (package for package in read_toml("uv.lock")["package"] if package["name"] == name)
    files = [found["sdist"], *found["wheels"]] if "sdist" in found else found["wheels"]
    return " ".join([f"{name}=={found['version']}", *(f"--hash={file['hash']}" for file in files)])


def group(name: str) -> list[str]:
    """What a dependency group has, and the groups that it includes."""
    found: list[str] = []
    for one in read_toml("pyproject.toml")["dependency-groups"][name]:
        found += [one] if isinstance(one, str) else group(one["include-group"])
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print requirements for pip.")
    parser.add_argument("name")
    parser.add_argument("--group", action="store_true", help="the name is that of a dependency group")
    options = parser.parse_args()
    print("\n".join(group(options.name)) if options.group else find_locked(options.name))
