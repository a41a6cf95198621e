"""What finishing does to one page: scripts, style sheets, images, faults of the extensions."""

from __future__ import annotations

from bookext import pages, upstream
from bookext.finish import site
from bookext.formats import articles

PAGE = """<html><head>
  <script data-cfasync="false">theme</script>
  <link rel="preload" as="script" href="bootstrap.js" />
  <link href="../_static/styles/theme.css?digest=1" rel="stylesheet" />
  <script defer src="../_static/scripts/fontawesome.js?digest=1"></script>
  <script defer="defer" src="../_static/host.js?v=1"></script>
  <script src="../_static/togglebutton.js"></script>
  <script>var togglebuttonSelector = 1;</script>
  <script src="../_static/documentation_options.js"></script>
  <script>window.MathJax = {}</script>
  <script defer="defer" src="../_static/mathjax/startup.js"></script>
  <script src="../_static/searchtools.js"></script>
  <link rel="stylesheet" type="text/css" href="../_static/b.css?v=2" />
</head><body>text<script type="application/json">{}</script>
</body></html>"""


def test_scripts_wait_in_the_right_order():
    page = pages.read(PAGE.encode())
    site.delay_scripts(page)
    late = [
        (script.get("data-src", ""), script.text or "")
        for script in page.xpath("//script[@type='text/late']")
    ]
    assert [source.rpartition("/")[2] or body for source, body in late] == [
        "documentation_options.js",
        "var togglebuttonSelector = 1;",
        "togglebutton.js",
    ]
    theme, host, data = page.xpath("//script[not(@type='text/late')]")
    assert "prefers-color-scheme" in theme.text
    assert "host.js" in host.get("src")
    assert data.get("type") == "application/json"
    assert not page.xpath("//link[@rel='preload']")
    search = pages.read(PAGE.encode())
    site.delay_scripts(search, is_search=True)
    assert "passages.js" in pages.write(search)
    assert "searchtools.js" not in pages.write(search)


def test_one_sheet_replaces_all():
    page = pages.read(PAGE.encode())
    site.link_one_sheet(page, "../_static/site.css?v=3")
    assert [link.get("href") for link in page.iter("link")] == ["bootstrap.js", "../_static/site.css?v=3"]
    bare = pages.read(b"<p>a</p>")
    site.link_one_sheet(bare, "x")
    assert not list(bare.iter("link"))


def test_images_get_their_size_and_wait(tmp_path):
    (tmp_path / "a b.svg").write_text('<svg width="10" height="20">')
    page = pages.read(b'<img alt="a b" src="a%20b.svg"/><img src="https://x/b.png"/>')
    site.size_images(page, tmp_path)
    assert [dict(image.attrib) for image in page.iter("img")] == [
        {
            "alt": "a b",
            "src": "a%20b.svg",
            "width": "10",
            "height": "20",
            "loading": "lazy",
            "decoding": "async",
        },
        {"src": "https://x/b.png", "loading": "lazy", "decoding": "async"},
    ]


def test_faults_of_the_extensions_are_mended():
    page = pages.read(
        b'<article><div class="proof admonition" id="proof">\n<p>Proof. By this.</p></div>'
        b'<section id="exercise-content"></section>'
        b'<div class="citation-list" role="list"><div role="doc-biblioentry">c</div></div></article>'
    )
    upstream.mend(page)
    text = pages.write(page)
    assert "<p><em>Proof.</em> By this.</p>" in text
    assert 'class="proof admonition is-proof"' in text
    assert not page.xpath("//@id | //@role")
    assert page.find_class("bd-sidebar-secondary")


def test_a_menu_offers_the_whole_book_and_the_rest_of_the_page_is_as_it_was(tmp_path):
    """The drawings, too: the parser of HTML takes the capitals from what SVG calls its attributes."""
    page = (
        '<!DOCTYPE html>\n<html><body><div class="dropdown-download-buttons"><ul>{}</ul></div>'
        '<svg viewBox="0 0 2 1" role="img"><svg preserveAspectRatio="none" viewBox="0 0 1 1"></svg></svg>'
        "</body></html>"
    )
    (tmp_path / "book").mkdir()
    files = {"index.html": "", "book/order.html": "../"}
    for name in files:
        (tmp_path / name).write_text(page.format(""), encoding="utf-8")
    for _ in range(2):  # once is enough
        articles.offer(tmp_path, "waves.pdf", "PDF")
    for name, up in files.items():
        item = (
            f'<li><a href="{up}waves.pdf" class="btn btn-sm dropdown-item" title="The whole book as PDF">'
            '<span class="btn__text-container">The whole book (.pdf)</span></a></li>'
        )
        assert (tmp_path / name).read_text(encoding="utf-8") == page.format(item)
