"""The last pass over the written pages: one style sheet, the explorers before everything else, icons and sizes in place."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

from bookext import figures, icons, stylesheet

_SCRIPT = re.compile(r"[ \t]*<script\b([^>]*)>(.*?)</script>\n?", re.DOTALL)
_SHEET = re.compile(r'[ \t]*<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"?]+)[^"]*"[^>]*>\n?')
_PRELOAD = re.compile(r'[ \t]*<link rel="preload" as="script"[^>]*>\n?')
#: An inline formula and the marks behind it, which a browser would let begin the next line.
_MARKED_FORMULA = re.compile(
    r'(<span class="math notranslate nohighlight">\\\([^<]*\\\)</span>)([.,;:!?)’”]+)'
)
_IMAGE = re.compile(r'<img\b[^>]*\bsrc="([^"]+)"[^>]*>')
#: The icons stand in the page already.
_NEEDLESS = ("scripts/fontawesome.js",)
#: The theme puts these on every page only to search while the reader types, which this book does not do.
_SEARCH = ("searchtools.js", "language_data.js", "searchindex.js")
#: Theorems, exercises and code in many colours; blocks.css sets them as a printed book does.
_REPLACED_SHEETS = {"proof.css", "exercise.css", "pygments.css"}

_LATE = '<script type="text/late"{}>{}</script>\n'

#: The theme is settled before anything is drawn, so no page flashes and every drawing starts in the right colours.
_THEME = """  <script>
    (() => {
      const data = document.documentElement.dataset;
      try { data.mode = localStorage.getItem("mode") || "auto"; } catch { data.mode = "auto"; }
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      data.theme = data.mode === "auto" ? (dark ? "dark" : "light") : data.mode;
    })();
  </script>
"""


def late_scripts(page: str, is_search: bool = False) -> str:
    """`page` with every script but ours put off until the explorers have drawn, and MathJax, the heaviest, last of all.

    `host.js` starts them. Scripts of other types are data, or the notebook's own, and stay as they are.
    """
    options, settings, programs, mathjax = [], [], [], []
    if is_search:  # a page on the disk may not fetch the others to quote them
        settings.append(
            _LATE.format(
                "", 'if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;'
            )
        )

    def replace(match: re.Match) -> str:
        attributes, body = match[1], match[2]
        if "data-cfasync" in attributes:
            return _THEME
        if re.search(r"\btype=", attributes) or "host.js" in attributes:
            return match[0]
        if any(name in attributes for name in _NEEDLESS + (() if is_search else _SEARCH)):
            return ""
        if "design-tabs.js" in attributes:  # it waits for DOMContentLoaded, which comes before anything late
            return match[0].replace("<script", "<script defer") if "sd-tab-set" in page else ""
        attributes = re.sub(r"\s*\b(?:defer|async)(?:=\"[^\"]*\")?", "", attributes).replace(
            " src=", " data-src="
        )
        if "mathjax" in (attributes + body).lower():
            place = mathjax
        elif "documentation_options.js" in attributes:
            place = options
        else:
            place = programs if "data-src=" in attributes else settings
        place.append(_LATE.format(attributes, body))
        return ""

    page = _SCRIPT.sub(replace, _PRELOAD.sub("", page))
    # The programs expect all settings to be made, as they are on a page that runs them when it is complete.
    return page.replace("</body>", "".join(options + settings + programs + mathjax) + "</body>")


def mended(page: str) -> str:
    """`page` without the faults of docutils and the extensions that an accessibility or HTML checker finds.

    >>> mended('<section id="proof-content"><div class="citation" id="a" role="doc-biblioentry">')
    '<section><div class="citation" id="a">'
    >>> mended(r'<p>at <span class="math notranslate nohighlight">\\(p\\)</span>, or</p>')
    '<p>at <span class="unbroken"><span class="math notranslate nohighlight">\\\\(p\\\\)</span>,</span> or</p>'
    """
    page = re.sub(r' id="(?:proof|exercise|solution)-content"', "", page)  # the same on every block of a page
    page = re.sub(  # and a proof has nothing to be told by
        r'<div class="proof admonition" id="proof">\s*<p>(Proof\.)',
        r'<div class="proof admonition is-proof">\n<p><em>\1</em>',
        page,
    )
    page = re.sub(
        r' role="doc-biblioentry"|(?<=<div) role="list"(?= class="citation-list")', "", page
    )  # deprecated
    page = _MARKED_FORMULA.sub(r'<span class="unbroken">\1\2</span>', page)
    if (
        "bd-sidebar-secondary" not in page
    ):  # the theme's script looks for it wherever something stands in the margin
        page = page.replace("</article>", '</article>\n<div class="bd-sidebar-secondary" hidden></div>', 1)
    return page.replace(
        ' aria-label="Toggle hidden content"', ""
    )  # it hides the words that the summary shows


def sized_images(page: str, folder: Path) -> str:
    """`page`, which lies in `folder`, with every local image given its size and loaded only when it is near."""

    def replace(match: re.Match) -> str:
        tag = match[0]
        path = folder / match[1]
        sides = figures.size(path) if path.is_file() else None
        if sides and " width=" not in tag and " height=" not in tag:
            tag = tag.replace("<img", f'<img width="{sides[0]}" height="{sides[1]}"', 1)
        if " loading=" not in tag:
            tag = tag.replace("<img", '<img loading="lazy" decoding="async"', 1)
        return tag

    return _IMAGE.sub(replace, page)


def one_sheet(page: str, address: str) -> str:
    """`page` with the one style sheet at `address` in place of all those it links."""
    link = f'  <link rel="stylesheet" href="{address}">\n'
    first = _SHEET.search(page)
    return page[: first.start()] + link + _SHEET.sub("", page[first.end() :]) if first else page


def redirect(target: str, title: str) -> str:
    """A page that leads to `target`, with a link for readers whose browser does not follow by itself."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta http-equiv="refresh" content="0; url={target}">
<link rel="canonical" href="{target}">
</head>
<body><main><h1>{title}</h1><p><a href="{target}">Read the book</a></p></main></body>
</html>
"""


def build_sheet(site: Path, pages: dict[Path, str]) -> str:
    """Write the site's one style sheet, `_static/site.css`, remove those it replaces, and return its address with a mark of its contents."""
    static = site / "_static"
    sheets: dict[Path, None] = {}
    known: set[str] = set()
    for path, page in pages.items():
        known |= stylesheet.words(page)
        sheets |= {(path.parent / href).resolve(): None for href in _SHEET.findall(page)}
    for script in static.rglob("*.js"):
        if "mathjax" not in script.parts:
            known |= stylesheet.words(script.read_text(encoding="utf-8"))
    css = "\n".join(
        stylesheet.read(path, static.resolve()) for path in sheets if path.name not in _REPLACED_SHEETS
    )
    css = stylesheet.drop_unused(stylesheet.prune(css, known), known)

    # The theme draws some signs as text in a font of 2,000 icons.
    css = re.sub(r"@font-face\{[^}]*Font Awesome[^}]*\}\n?", "", css)
    characters = icons.private_characters(css)
    if characters:
        font = static / "vendor/fontawesome/webfonts/fa-solid-900.ttf"
        (static / "icons.woff").write_bytes(icons.subset_font(font, characters))
        css += '\n@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;src:url("icons.woff")format("woff")}'
    # What is in the one sheet, and what no page asks for, need not be published.
    shutil.rmtree(static / "vendor")
    shutil.rmtree(static / "locales", ignore_errors=True)
    for path in [*sheets, *static.rglob("*.map"), *static.glob("*.html"), static / "basic.css"]:
        path.unlink(missing_ok=True)
    (static / "site.css").write_text(css, encoding="utf-8")
    return f"_static/site.css?v={hashlib.sha256(css.encode()).hexdigest()[:8]}"


def finish(site: Path, root_page: str, title: str) -> None:
    """Rewrite all pages of the built `site`, whose first page is `root_page`, for good."""
    icon_script = site / "_static/scripts/fontawesome.js"
    known_icons = icons.read_icons(icon_script)
    pages = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.relative_to(site).parts or path == site / "index.html":
            continue
        page = path.read_text(encoding="utf-8")
        page = page.replace(
            'data-theme="auto"', 'data-theme="light"', 1
        )  # without JavaScript a page is light
        page = icons.to_svg(mended(late_scripts(page, path.name == "search.html")), known_icons)
        pages[path] = sized_images(page, path.parent)
    icon_script.unlink()
    address = build_sheet(site, pages)
    for path, page in pages.items():
        path.write_text(
            one_sheet(page, "../" * (len(path.relative_to(site).parts) - 1) + address), encoding="utf-8"
        )
    (site / "index.html").write_text(redirect(root_page, title), encoding="utf-8")
