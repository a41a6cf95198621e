"""The watch over pages sees what it is there for."""

from __future__ import annotations

import pytest
from harness import fault_of_site, guarded_page, restored

PLANTED = """<!doctype html><title>Planted</title><img src="missing.png">
<img src="https://elsewhere.invalid/x.png"><script>console.warn("a warning"); undefined.error;</script>"""


def test_planted_faults_are_found(browser, tmp_path, serve):
    (tmp_path / "page.html").write_text(PLANTED)
    origin = serve(tmp_path)
    with guarded_page(browser, origin) as page:
        page.goto(f"{origin}/page.html", wait_until="networkidle")
        guard = page.guard
    assert guard.foreign == ["https://elsewhere.invalid/x.png"]
    assert [fault.partition(":")[0] for fault in guard.failed] == ["404"]
    for fault in ("console warning: a warning", "error: Cannot read properties of undefined"):
        assert fault in "\n".join(guard.complaints)
    for kind in ("foreign", "failed", "complaints"):
        with pytest.raises(AssertionError, match="planted"):
            type(guard)(**{kind: ["planted"]}).check()


GUARDED = """<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'self'">
<title>Planted</title><button onclick="1">a</button><script>1</script>"""


def test_what_a_policy_forbids_is_a_complaint(browser, tmp_path, serve):
    (tmp_path / "page.html").write_text(GUARDED)
    origin = serve(tmp_path)
    with guarded_page(browser, origin) as page:
        page.goto(f"{origin}/page.html")
        page.click("button")
        assert len([said for said in page.guard.complaints if "Content Security Policy" in said]) == 2


def test_a_site_that_is_missing_or_stale_is_told(tmp_path):
    assert "there is no site" in fault_of_site(tmp_path)
    (tmp_path / "index.html").touch()
    assert "stale" in fault_of_site(tmp_path)
    assert fault_of_site(tmp_path, of_any_sources=True) is None


@pytest.mark.slow  # where newer packages are tried, this may fail and nothing else suffers
@pytest.mark.xdist_group("a group")
def test_side_by_side_tests_that_share_something_stay_together(request):
    """Groups were lost once without a word, and each page was opened by each worker."""
    if request.config.getoption("loadgroup", default=False):
        assert request.node.nodeid.endswith("@a group")


# Size, medium, system's colors, scroll, storage, theme, folds, focus, pointer.
STATE = """() => {
    const is = (query) => matchMedia(query).matches;
    const [theme, fold] = [document.documentElement.dataset.theme, document.querySelector('details')];
    return [innerWidth, is("print"), is("(prefers-color-scheme: dark)"), scrollY, localStorage.length, theme,
        fold.open, document.activeElement.tagName, window.at];
}"""


def test_a_page_that_tests_share_becomes_what_it_was(browser, serve, tmp_path):
    (tmp_path / "index.html").write_text(
        "<!doctype html><html data-theme=light data-mode=light><body style='height: 5000px'>"
        "<details><summary>fold</summary></details><button>button</button>"
        "<script>addEventListener('pointermove', ({x, y}) => { window.at = [x, y].join(); })</script>"
    )
    origin = serve(tmp_path)
    with guarded_page(browser, origin, color_scheme="light") as page:
        page.goto(f"{origin}/index.html")
        page.mouse.move(0, 0)
        before = page.evaluate(STATE)
        with restored(page):
            page.mouse.move(100, 200)
            page.set_viewport_size({"width": 400, "height": 300})
            page.emulate_media(media="print", color_scheme="dark")
            page.evaluate("""() => {
                scrollTo(0, 700);
                localStorage.setItem('code', 'all');
                document.documentElement.dataset.theme = 'dark';
                document.querySelector('details').open = true;
                document.querySelector('button').focus({preventScroll: true});
            }""")
            changed = page.evaluate(STATE)
        assert all(now != was for now, was in zip(changed, before, strict=True)), changed
        assert page.evaluate(STATE) == before
