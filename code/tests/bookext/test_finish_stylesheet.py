"""The one style sheet of the site: rules that no page needs are left out."""

from __future__ import annotations

from bookext.finish import stylesheet


def pruned(css: str, known: set[str]) -> list[str]:
    return [str(rule) for rule in stylesheet.prune(stylesheet.parse(css), known)]


def test_pruning_keeps_order_and_structure():
    css = """/* .gone{} */ .kept { x: "}" } .gone, .kept > b { y: 1 }
    @media print { .gone { a: b } .kept { c: d } } @media screen { .gone { a: b } }
    .kept.gone { z: 1 } #gone { z: 1 }
    a[href=".gone"] { background: url(data:image/svg+xml;a{b}) } :not(.gone) { w: 1 }"""
    assert pruned(css, {"kept"}) == [
        '.kept{x: "}"}',
        ".kept > b{y: 1}",
        "@media print{.kept{c: d}}",
        'a[href=".gone"]{background: url(data:image/svg+xml;a{b})}',
        ":not(.gone){w: 1}",
    ]


def test_what_is_nested_or_new_is_kept_as_it_is():
    css = ".kept{a:b;&:hover{c:d}.gone &{e:f}}@starting-style{.gone{g:h}}@scope (.gone){p{i:j}}"
    assert pruned(css, {"kept"}) == [
        ".kept{a:b;&:hover{c:d};.gone &{e:f}}",
        "@starting-style{.gone{g:h}}",
        "@scope (.gone){p{i:j}}",
    ]


def test_escaped_class_names_are_understood():
    selector = stylesheet.parse(r".w-1\/2{}")[0].prelude
    assert stylesheet.may_match(selector, {"w-1/2"})
    assert not stylesheet.may_match(selector, {"w-1"})


def test_unused_properties_go_and_used_ones_stay():
    rules = list(
        stylesheet.prune(stylesheet.parse(":root{--a:1;--b:var( --c);--c:2;--d:3}p{x:var(--b)}"), set())
    )
    kept = stylesheet.drop_unused(rules, {"--d"})
    assert list(map(str, kept)) == [":root{--b:var( --c);--c:2;--d:3}", "p{x:var(--b)}"]


def test_sheets_are_joined_with_their_addresses_right(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "base.css").write_text("b{background:url(images/b.png)}")
    (tmp_path / "deep/one.css").write_text(
        "@import '../base.css';a{background:url('x.png')}c{d:url(data:,e)}"
    )
    joined = stylesheet.prune(stylesheet.read(tmp_path / "deep/one.css", tmp_path), set())
    assert "".join(map(str, joined)) == (
        'b{background:url("images/b.png")}a{background:url("deep/x.png")}c{d:url(data:,e)}'
    )
