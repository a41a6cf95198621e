"""The EPUB that `make epub` put into the site: `make test MARK=epub`."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from urllib.parse import unquote, urlsplit

import pytest
import tinycss2
from harness import REPOSITORY, printed
from lxml import etree, html

from bookext.book import manifest
from bookext.formats import epub

pytestmark = pytest.mark.epub

SITE = REPOSITORY / "_build/html"
EPUB = SITE / "waves-of-position.epub"
XHTML = "{http://www.w3.org/1999/xhtml}"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
OPF = "{http://www.idpf.org/2007/opf}"
#: What is said of the book in the package, and must be.
SAID = {"identifier", "title", "creator", "language", "date", "rights"}
#: What a chapter has no use for: what runs, what is pressed, what comes from elsewhere.
FOREIGN = (
    "script",
    "noscript",
    "form",
    "input",
    "button",
    "select",
    "label",
    "fieldset",
    "details",
    "iframe",
)
#: Sources that were not translated: MyST's roles, directives and options, and TeX.
RAW = re.compile(r"\{[a-z:]+\}`|^:::|^```|\\(?:frac|omega|sin|cos|begin|mathrm|left|sqrt|\(|\[)\b|\$\\", re.M)


@pytest.fixture(scope="module")
def archive():
    assert EPUB.is_file(), "run `make epub` first"
    with zipfile.ZipFile(EPUB) as opened:
        yield opened


@pytest.fixture(scope="module")
def files(archive) -> dict[str, bytes]:
    return {entry.filename: archive.read(entry) for entry in archive.infolist()}


@pytest.fixture(scope="module")
def trees(files):
    """Name -> tree of each file that is XML; one that is not well-formed stops all."""
    kinds = (".xhtml", ".svg", ".opf", ".xml")
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False)
    return {name: etree.fromstring(text, parser) for name, text in files.items() if name.endswith(kinds)}


@pytest.fixture(scope="module")
def pages(trees):
    return {name: tree for name, tree in trees.items() if name.endswith(".xhtml")}


@pytest.fixture(scope="module")
def package(trees):
    return trees["book/content.opf"]


def file_of(document: str) -> str:
    return f"book/{document.rpartition('/')[2]}.xhtml"


def addresses(tree):
    """All that a page or a picture asks for or leads to."""
    for element in tree.iter(etree.Element):
        for name, value in element.attrib.items():
            if etree.QName(name).localname in ("href", "src"):
                yield value
            elif name == "srcset":
                yield from (part.split()[0] for part in value.split(","))


def test_it_says_first_what_it_is(archive):
    first = archive.infolist()[0]
    assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
    assert archive.read(first) == b"application/epub+zip"
    # Programs look for it at this place, without reading the archive.
    assert EPUB.read_bytes()[30:58] == b"mimetypeapplication/epub+zip"


def test_its_dates_are_always_the_same(archive):
    assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_made_again_it_has_the_same_bytes():
    book = manifest(REPOSITORY / "_build/sphinx").book
    assert f"{book.slug}.epub" == EPUB.name
    assert epub.make(book, SITE) == EPUB.read_bytes()


def test_each_file_is_in_the_manifest_and_each_entry_is_a_file(files, package):
    listed = [f"book/{item.get('href')}" for item in package.iter(f"{OPF}item")]
    assert len(listed) == len(set(listed))
    beside = {"mimetype", "META-INF/container.xml", "book/content.opf"}
    assert set(listed) == set(files) - beside


def test_the_manifest_says_which_chapters_have_formulas(package, pages):
    said = {
        f"book/{item.get('href')}"
        for item in package.iter(f"{OPF}item")
        if "mathml" in item.get("properties", "").split()
    }
    assert said == {name for name, page in pages.items() if page.find(f".//{MATHML}math") is not None}
    assert len(said) > 15


def test_it_is_read_in_the_book_s_order(package):
    names = {item.get("id"): item.get("href") for item in package.iter(f"{OPF}item")}
    order = [f"book/{names[item.get('idref')]}" for item in package.iter(f"{OPF}itemref")]
    assert order[2:] == [file_of(name) for name in printed()]


def test_it_says_what_it_is_and_for_whom(package):
    metadata = package.find(f"{OPF}metadata")
    said = {etree.QName(item).localname for item in metadata if (item.text or "").strip()}
    assert said >= SAID
    meta = Counter(item.get("property") for item in metadata.iter(f"{OPF}meta"))
    assert meta["dcterms:modified"] == 1
    assert meta["schema:accessMode"] == 2
    assert {
        "schema:accessibilityFeature",
        "schema:accessibilityHazard",
        "schema:accessibilitySummary",
    } <= set(meta)


def test_each_chapter_is_in_the_contents_with_its_sections(pages):
    nav = pages["book/nav.xhtml"]
    [contents] = nav.xpath("//*[@id='toc']")
    leads = [link.get("href") for link in contents.iter(f"{XHTML}a")]
    chapters = [lead for lead in leads if "#" not in lead]
    assert [f"book/{lead}" for lead in chapters] == [file_of(name) for name in printed()]
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        wanted = len(page.xpath("//article//section/h2"))
        of_chapter = [lead for lead in leads if lead.startswith(f"{name.rpartition('/')[2]}.xhtml#")]
        assert len(of_chapter) >= wanted, name
    # Parts have chapters below them, and these have sections.
    assert contents.xpath("count(./*[local-name()='ol']/*/*[local-name()='span'])") >= 4
    assert contents.xpath("./*[local-name()='ol']/*/*[local-name()='ol']/*/*[local-name()='ol']")


def test_ids_are_there_once(trees):
    for name, tree in trees.items():
        twice = [one for one, count in Counter(tree.xpath("//@id")).items() if count > 1]
        assert not twice, name


def test_each_link_leads_somewhere_in_the_book_or_to_the_web(files, trees):
    names = {name: set(tree.xpath("//@id")) for name, tree in trees.items()}
    within = 0
    for name, tree in trees.items():
        if name == "META-INF/container.xml":
            continue
        for address in addresses(tree):
            assert not re.search(r"localhost|127\.0|\.invalid|^file:|^/", address), (name, address)
            if re.match(r"https?://|mailto:|data:image/png;base64,", address):
                continue
            parts = urlsplit(address)
            assert not parts.scheme, (name, address)
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
            target = path if parts.path else name
            assert target in files, (name, address)
            assert not parts.fragment or unquote(parts.fragment) in names[target], (name, address)
            within += 1
    assert within > 1000


def test_links_of_the_site_s_chapters_are_links_here(pages):
    """As many as there, but for those to other files and pages of the site, which has no address."""
    inside = {"", *(f"{name.rpartition('/')[2]}.html" for name in printed())}
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        links = page.xpath(
            "//article//a[contains(@class, 'internal') and not(ancestor::*[@class='quiz-feedback'])]/@href"
        )
        here = pages[file_of(name)].xpath("//*[local-name()='a'][contains(@class, 'internal')]")
        assert len(here) >= sum(urlsplit(link).path in inside for link in links), name


def test_links_to_an_explorer_lead_to_its_picture(pages):
    """Those to one at a setting too: the site has no address, so they stay here."""
    wanted = Counter()
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        wanted["site"] += len(page.xpath("//article//a[contains(@href, '#explorer-')]"))
        wanted["book"] += len(pages[file_of(name)].xpath("//@href[contains(., '#explorer-')]"))
    assert wanted["book"] == wanted["site"] > 0


def test_nothing_comes_from_elsewhere(files, trees):
    for name, tree in trees.items():
        for element in tree.iter(etree.Element):
            if etree.QName(element).localname in ("img", "image", "source", "link", "use", "object", "audio"):
                for address in addresses(element):
                    assert not re.match(r"(?:https?:)?//", address), (name, address)
    css = files["book/book.css"].decode()
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        assert rule.type != "error"
    for address in re.findall(r'url\("([^"]*)"\)', css):
        assert f"book/{address}" in files


def test_the_sheet_sets_no_color(files):
    """What is readable on a dark page must not be dark itself, nor lie on a light ground."""
    css = re.sub(r"/\*.*?\*/", "", files["book/book.css"].decode(), flags=re.DOTALL)
    assert not re.search(r"(?:^|[;{\s])(?:color|background(?:-color)?)\s*:", css)


def test_nothing_is_left_that_runs_or_is_pressed(pages):
    for name, page in pages.items():
        found = [etree.QName(one).localname for one in page.iter(*(f"{XHTML}{kind}" for kind in FOREIGN))]
        assert not found, name
        assert not page.xpath("//@*[starts-with(local-name(), 'on')]"), name


def test_pictures_say_what_they_show(pages):
    count = 0
    for name, page in pages.items():
        for picture in page.iter(f"{XHTML}img"):
            assert (picture.get("alt") or "").strip(), (name, picture.get("src"))
            count += 1
    assert count > 80


def test_pictures_have_paper_and_colors_of_their_own(files, trees):
    for name, tree in trees.items():
        if name.endswith(".svg"):
            assert etree.QName(tree[0]).localname == "rect", name
            assert "var(" not in files[name].decode(), name


def test_each_explorer_is_a_picture_and_says_where_it_moves(pages):
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        wanted = len(page.xpath("//script[contains(@type, 'widget-view+json')]"))
        views = pages[file_of(name)].xpath("//*[@class='explorer-view']")
        assert len(views) == wanted, name
        for view in views:
            assert len(list(view.iter(f"{XHTML}img"))) == 1
            assert "You can move this figure" in "".join(view.itertext())
            assert "JavaScript" not in "".join(view.itertext())


def test_each_formula_of_the_site_is_one_here(pages):
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        left_out = ("quiz-feedback", "headerlink", "formal-refused")
        shown = f"not(ancestor::*[{' or '.join(f'contains(@class, {one!r})' for one in left_out)}])"
        shown += " and not(ancestor::summary[contains(../@class, 'remark-fold')])"  # once more, as its title
        wanted = len(page.xpath(f"//article//math[{shown}]"))
        assert len(list(pages[file_of(name)].iter(f"{MATHML}math"))) >= wanted, name


def test_no_source_is_left_in_the_text(pages):
    for name, page in pages.items():
        for code in page.xpath("//*[local-name()='pre' or local-name()='code']"):
            for part in code.iter(etree.Element):
                part.text = None
            code.text = None
            for part in code:
                part.tail = None
        text = "\n".join(page.itertext())
        assert not RAW.search(text), (name, RAW.search(text))


def test_exercises_and_quick_checks_lead_to_their_answers(pages):
    solutions = checks = 0
    for page in pages.values():
        solutions += len(page.xpath("//*[@class='to-solution']/*[local-name()='a']/@href"))
        links = page.xpath("//*[@class='quiz-question']/*[local-name()='a']/@href")
        checks += sum(link.endswith("-answer") for link in links)  # a question may point at a figure, too
    wanted = Counter()
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        wanted["solutions"] += len(page.xpath("//article//div[contains(@class, 'solution ')]"))
        wanted["checks"] += len(page.xpath("//article//fieldset[contains(@class, 'quiz')]"))
    assert (solutions, checks) == (wanted["solutions"], wanted["checks"])


def test_every_page_of_the_site_offers_it(pages):
    for name in printed():
        page = html.parse(SITE / f"{name}.html").getroot()
        menu = page.xpath("//div[contains(@class, 'dropdown-download-buttons')]//a/@href")
        assert menu.count("../" * name.count("/") + EPUB.name) == 1, name


def test_epubcheck_finds_no_error():
    program = shutil.which("epubcheck")
    if not program:
        pytest.skip("epubcheck is not installed: the Debian package epubcheck, with a Java")
    with open(program, "rb") as opened:  # Debian's is the Java archive itself, which not every system starts
        command = ["java", "-jar", program] if opened.read(2) == b"PK" else [program]
    done = subprocess.run([*command, str(EPUB)], capture_output=True, text=True, timeout=300)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-4000:]
    assert "No errors or warnings detected" in said, said[-4000:]
