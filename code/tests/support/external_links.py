"""Are the pages that the book points to still there? `external_links.py _build/html` asks each one.

Not a part of `make test`: the answer depends on other people's machines, and changes without a change here.
"""

import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup

#: Hosts answer so to a program that they do not want to serve: the page is there, for people.
REFUSALS = {401, 403, 405, 406, 418, 429, 451, 999}

#: Answers that say the page is gone; any other failure may pass, and is tried again.
FINAL = {404, 410}

HEADERS = {"User-Agent": "Mozilla/5.0 (link checker of a book)", "Accept": "text/html,*/*"}


def links(site: Path) -> dict[str, list[str]]:
    """The addresses on other hosts that the site's pages point to, and the pages that do."""
    found: dict[str, set[str]] = {}
    for path in sorted(site.rglob("*.html")):
        for anchor in BeautifulSoup(path.read_bytes(), "html.parser").select('a[href^="http"]'):
            address = urldefrag(str(anchor["href"])).url
            found.setdefault(address, set()).add(str(path.relative_to(site)))
    return {address: sorted(pages) for address, pages in sorted(found.items())}


def fault(address: str, attempts: int = 3, patience: float = 5.0) -> str | None:
    """What is wrong with an address, after as many attempts as it takes; None if nothing is."""
    wrong = None
    for attempt in range(attempts):
        time.sleep(patience * attempt)
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=HEADERS), timeout=30):
                return None
        except urllib.error.HTTPError as error:
            if error.code in REFUSALS:
                return None
            wrong = f"{error.code} {error.reason}"
            if error.code in FINAL:
                return wrong
        except (OSError, ValueError) as error:
            wrong = f"{type(error).__name__}: {error}"
    return wrong


def main(site: Path) -> int:
    """Ask for every address, eight at a time; the exit status is 1 if one is not there."""
    pages = links(site)
    if not pages:
        print(f"there is no link to another host in {site}: run `make book` first")
        return 1
    with ThreadPoolExecutor(8) as pool:
        faults = {
            address: wrong for address, wrong in zip(pages, pool.map(fault, pages), strict=True) if wrong
        }
    for address, wrong in faults.items():
        print(f"{address}: {wrong} (in {', '.join(pages[address])})")
    print(f"{len(pages)} links to other hosts, {len(faults)} broken")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
