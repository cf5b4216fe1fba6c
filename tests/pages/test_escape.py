from __future__ import annotations

import re
from time import thread_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pages.ui.text.escape import (
    chart_ok,
    column_names,
    label,
    link,
    markdown,
    one_line,
    plain,
    table_cell,
    unformatted,
)
from pages.ui.text.escaping.addresses import names, web_address
from tests.support.cases import each
from tests.support.hostile_texts import TEXTS, hostile_texts, mixtures

JOINER = "\u2060"
# How an image, a link to elsewhere, HTML, LaTeX, a reference and a directive start. What is escaped cannot.
_LIVE = re.compile(
    r"(?<!\\)!(?=\[)|(?<!\\)\](?:\((?!https?://)|\[|:)|(?<!\\)<|(?<!\\)\$|(?<!\\):(?=\w|\t)",
    re.I,
)
_PIECES = st.sampled_from(
    [
        *("![a](http://h.test/x)", "![", "[", "]", "](", "(", ")", "http://h.test", "[a]: http://h.test", "*", "a"),
        *("`", "```", "~~~", "\n", "\n\n", "    ", " ", "\t", "- ", "> ", "1. ", "|", "|-|\n"),
        *("\\", "$", "<", ">", "!", ":", "&#33;", "\u202e"),
    ]
)
_HOSTILE = st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=60)


_FENCE = re.compile(r"((?:> )*)( {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4})*)(`{3,}(?!.*`)|~{3,})(.*)")
# A formula begins at a dollar that is not escaped, and ends at the next dollar.
_FORMULA = re.compile(r"(?<!\\)\$[^$\n]+\$(?!\$)")
_CODE_SPAN = re.compile(r"(?<![`\\])((?:\\\\|\\`)*)(`+)(?!`).*?(?<!`)\2(?!`)")


def without_code(text: str) -> str:
    """``text`` without its code: what is left is read as prose. For cleaned texts, whose fences are written one way."""
    kept: list[str] = []
    quotes, column, closing = "", 0, ""
    for line in text.split("\n"):
        if closing and line.startswith(quotes):
            rest = line[len(quotes) :].expandtabs(4)
            indent = len(rest) - len(rest.lstrip(" "))
            assert indent >= column or not rest.strip(), "what is in a fence is far enough in"
            if indent <= column + 3 and re.fullmatch(rf"{re.escape(closing)}+", rest.strip()):
                closing = ""
            continue
        opened = _FENCE.fullmatch(line)
        closing = opened[3] if opened else ""
        if opened:
            quotes, column = opened[1], len(opened[2])
            assert "mermaid" not in opened[4].lower()
        else:
            kept.append(_CODE_SPAN.sub(r"\1 ", line))
    assert not closing, "a fence was left open"
    # An escaped backslash escapes nothing, and the address of a link is not read.
    return re.sub(r"\]\(https?://[^\s()]*\)", "] ", "\n".join(kept).replace("\\\\", ""))


def live(text: str) -> list[str]:
    """What Streamlit would act on, but for formulas: nothing in one is read as Markdown."""
    prose = _FORMULA.sub(" ", without_code(text))
    return [found.group() for found in _LIVE.finditer(prose)]


@each(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("**bold** _it_ ~~gone~~ # x", "**bold** _it_ ~~gone~~ # x"),
        (
            "# Head\n\n- a\n- b\n\n1. c\n\n> d\n\n---\n\nend\\\nline",
            "# Head\n\n- a\n- b\n\n1. c\n\n> d\n\n---\n\nend\\\nline",
        ),
        ("| a | b |\n|:--|--:|\n| 1 | 2 |", "| a | b |\n|:--|--:|\n| 1 | 2 |"),
        ("- [x] done\n- [ ] open", "- [x] done\n- [ ] open"),
        ("a &amp; b &lt;c&gt; &nbsp;&mdash; AT&T", "a &amp; b &lt;c&gt; &nbsp;&mdash; AT&T"),
        (r"escaped \* \_ \[ \\ \!", r"escaped \* \_ \[ \\ \!"),
    ],
)
def test_good_markdown_stays(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each(
    ("text", "safe"),
    [
        ("$x^2$ costs $5", r"$x^2$ costs \$5"),
        (r"\(a+b\) is $\frac{1}{2}$, $n$ of $5 M$", r"$a+b$ is $\frac{1}{2}$, $n$ of \$5 M\$"),
        ("$$\nx = \\frac{a}\n{2}\n$$\nthen $5", "$\\displaystyle x = \\frac{a} {2}$\nthen \\$5"),
        (r"\[ E = mc^2 \]", r"$\displaystyle E = mc^2$"),
        (r"\(x\)\(y\)", f"$x${JOINER}$y$"),
        ("> $$x^2$$", r"> $\displaystyle x^2$"),
        ("| a |\n|---|\n| $x^2$ |\n| $|x|^2$ |", "| a |\n|---|\n| $x^2$ |\n| \\$|x|^2\\$ |"),
        ("`$x^2$`\n\n```\n$$\nx^2\n$$\n```", "`$x^2$`\n\n```\n$$\nx^2\n$$\n```\n"),
        ("$$\n\nx^2\n$$", "\\$\\$\n\nx^2\n\\$\\$"),
        ("**$x^2$** [a $x_1$](https://a.test/)", r"**$x^2$** [a $x_1$](https://a.test/) (a\.test)"),
    ],
)
def test_formulas_are_formulas(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each(
    ("text", "safe"),
    [
        ("costs $5 and $6", r"costs \$5 and \$6"),
        (r"already \$5", r"already \$5"),
        (r"US$5 = \$5, \\$5, $$8$$", r"US\$5 = \$5, \\\$5, \$\$8\$\$"),
        (r"\(see [1]\) and \[y\]", r"\(see \[1\]\) and \[y\]"),
        ("code `$5` stays", "code `$5` stays"),
        ("about ~5 to ~6", r"about \~5 to \~6"),
        (":red[text] and :material/delete:", rf"\:red\[text\] and \:{JOINER}material/delete\:"),
        (":smile: at 10:30:45, a:b", rf"\:{JOINER}smile\: at 10\:30\:45, a\:b"),
        (":::note\ntext\n:::", "\\:\\:\\:note\ntext\n\\:\\:\\:"),
        ("a -> b --x -- >= 5", f"a {JOINER}-> b --x {JOINER}-- {JOINER}>= 5"),
        ("x ~= y <- z <-> w", rf"x {JOINER}\~= y {JOINER}\<- z {JOINER}\<-> w"),
        ("[^1]\n\n[^1]: note", "\\[^1\\]\n\n\\[^1\\]\\: note"),
        ("<b>x</b> <!-- y -->", r"\<b>x\</b> \<\!-- y -->"),
        ("&#33;&#58;&NewLine;&lpar;", r"&amp;#33;&amp;#58;&amp;NewLine;&amp;lpar;"),
        ("C:\\Users\\me", "C\\:\\\\Users\\\\me"),
        ("a\u202eb\u2066c\U000e0041d\x00e\x1bf\ud800g", "abcdef\ufffdg"),
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_what_streamlit_would_act_on_is_text(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each(
    ("text", "safe"),
    [
        ("![alt](https://evil.test/x.png)", r"[Image: alt](https://evil.test/x.png) (evil\.test)"),
        ("!![](https://evil.test/x)", r"\![Image](https://evil.test/x) (evil\.test)"),
        (r"\![a](https://evil.test)", r"\![a](https://evil.test) (evil\.test)"),
        (r"\\![a](https://evil.test)", r"\\[Image: a](https://evil.test) (evil\.test)"),
        ("![a][b]\n![B]\n![b][]\n\n[b]: https://e.test 'title'",
         "".join(f"[Image: {name}](https://e.test) (e\\.test)\n" for name in "aBb") + "\n"),
        ("![plot](chart.png) ![x](data:image/png;base64,AAAA)", "(Image: plot) (Image: x)"),
        ("[![alt](https://a.test/i)](https://b.test)", r"[(Image: alt)](https://b.test) (b\.test)"),
        ("![a [b](https://b.test) c](https://i.test)",
         r"[Image: a \[b\]\(https\://b\.test\) c](https://i.test) (i\.test)"),
        ("![half", r"\!\[half"),
        ("![half](https://evil.te", r"\!\[half\]([https\://evil\.te](https://evil.te)"),
    ],
)  # fmt: skip
def test_images_become_a_click(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each(
    ("text", "safe"),
    [
        ("[paypal.com](https://evil.test)", r"[paypal.com](https://evil.test) (evil\.test)"),
        ("[the docs](https://www.docs.test/a_b)", r"[the docs](https://www.docs.test/a_b) (docs\.test)"),
        ("[docs.test/a](https://www.docs.test/a)", "[docs.test/a](https://www.docs.test/a)"),
        ("[https://a.test.evil.test](https://a.test)", r"[https\://a\.test\.evil\.test](https://a.test) (a\.test)"),
        ('[**b** `c]`](<https://a.test/x y> "t")', r"[**b** `c]`](https://a.test/x%20y) (a\.test)"),
        ("[](https://a.test)", r"[a\.test](https://a.test)"),
        ("[1] and [2][1]\n\n[1]: https://a.test\n[3]: https://b.test",
         "[1](https://a.test) (a\\.test) and [2](https://a.test) (a\\.test)"
         "\n\n\n\\[3\\]\\: [https\\://b\\.test](https://b.test)"),
        ("[a [b](https://b.test) c](https://c.test)",
         r"\[a [b](https://b.test) (b\.test) c\]([https\://c\.test](https://c.test))"),
        ("[x](javascript:alert(1)) [y](/docs) [z](mailto:a@b.test)",
         r"\[x\](javascript\:alert(1)) \[y\](/docs) \[z\](mailto\:a@b.test)"),
        ("[x](java&#115;cript:alert(1))", r"\[x\](java&amp;#115;cript\:alert(1))"),
        ("<https://a.test/x_y> <a@b.test>", r"[https\://a\.test/x\_y](https://a.test/x_y) \<a@b.test>"),
        ("see https://a.test/Foo_(bar). (https://b.test) www.c.test!",
         r"see [https\://a\.test/Foo\_\(bar\)](https://a.test/Foo_%28bar%29). "
         r"([https\://b\.test](https://b.test)) [www\.c\.test](http://www.c.test)\!"),
        ("**https://a.test**", r"**[https\://a\.test](https://a.test)**"),
        ("http://paypal.com@evil.test/x", r"[http\://paypal\.com@evil\.test/x](http://evil.test/x) (evil\.test)"),
        ("https://[::1 http:// http:\\//x", f"https\\:{JOINER}//\\[\\:\\:1 http\\:{JOINER}// http\\:{JOINER}\\//x"),
    ],
)  # fmt: skip
def test_links_say_where_they_lead(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each(
    ("text", "safe"),
    [
        ("```sh\necho $HOME\n```\nand $5", "\n```sh\necho $HOME\n```\nand \\$5"),
        ("a\n```\nopen $fence", "a\n```\nopen $fence\n```\n"),
        ("~~~\n```\n![x](https://a.test)\n~~~~\n![y](https://b.test)",
         "\n~~~\n```\n![x](https://a.test)\n~~~\n[Image: y](https://b.test) (b\\.test)"),
        ("1. a\n    ```py\n    x = $5\n      y\n    ```\n2. b", "1. a\n   ```py\n   x = $5\n     y\n   ```\n2. b"),
        ("- ```\nx\n\n```\ny", "\n- ```\n  x\n\n  ```\ny"),
        ("a\n2. ```\n   x\n   ```", "a\n\n2. ```\n   x\n   ```\n"),
        ("> ```\n>  $x\n>\n> ```\n> $5\n\n> ```\n$6", "\n> ```\n>  $x\n> \n> ```\n> \\$5\n\n> ```\n\\$6"),
        ("> - ```\n> x", "> - \\`\\`\\`\n> x"),
        ("a\n\n    $x ![y](https://a.test)\n\n\tz\n\nb $5", "a\n\n```\n$x ![y](https://a.test)\n\nz\n\n```\nb \\$5"),
        ("- a\n\n    $5", "- a\n\n    \\$5"),
        ("``` a`b\n$5", "\\`\\`\\` a\\`b\n\\$5"),
        ("```mermaid\nA\n```", "\n```text\nA\n```\n"),
        ("``` &#109;ermaid\nA\n```", "\n```\nA\n```\n"),
        ("```\n\t```\n```\t", "\n```\n\t```\n```\n"),
        ("`![a](b)` ``x`y`` `open", "`![a](b)` ``x`y`` \\`open"),
        (r"\`$5`", r"\`\$5\`"),
        ("| `a|b\\|c` |\n|---|", "| `a\\|b\\|c` |\n|---|"),
        ("[a|b](https://a.test) | c\n---|---", "\\[a|b\\]([https\\://a\\.test](https://a.test)) | c\n---|---"),
    ],
)  # fmt: skip
def test_code_is_left_alone_where_it_is_code(text: str, safe: str) -> None:
    assert markdown(text) == safe


@each("name", TEXTS)
def test_nothing_hostile_is_left_alive(name: str) -> None:
    text = hostile_texts("http://127.0.0.1:9")[name]
    assert live(markdown(text)) == []
    for end in range(len(text)):
        assert live(markdown(text[:end])) == [], text[:end]
    for inert in (plain(text), label(text, 1000), table_cell(text), column_names([text])[0]):
        assert live(re.sub(r"\[[^\n]*?\]\(http://[^\s()]+\)", "", inert)) == []
        assert "![" not in inert.replace("\\", "") or "\\!\\[" in inert


@each("seed", range(3))
def test_nothing_mixed_is_left_alive(seed: int) -> None:
    for text in mixtures("http://127.0.0.1:9", seed, 300):
        assert live(markdown(text)) == [], text
        assert live(markdown(markdown(text))) == [], text


def test_the_check_can_fail() -> None:
    for name in ("image", "image-reference", "html-img", "latex-block", "directive-colour", "link-data"):
        assert live(TEXTS[name]), name
    with pytest.raises(AssertionError):
        live("```mermaid\n```")


@given(_HOSTILE)
@example("- ```\n```\t\n\n![x](http://h.test)")
@example("[a](http://h.test '`') ![x](http://h.test '`')")
def test_cleaned_text_is_dead_however_it_is_used(text: str) -> None:
    clean = markdown(text)
    assert live(clean) == []
    assert live(f"**Thought** {clean}\n\n{clean} tail") == []
    assert live(clean.strip()) == []


@given(st.text(max_size=200))
def test_labels_are_one_line_of_their_length(text: str) -> None:
    assert "\n" not in label(text)
    assert len(one_line(text, 50)) <= 50
    assert live(label(text)) == []


def test_labels_are_plain() -> None:
    assert label("a *b*\n![c](d) $5 `e`") == r"a \*b\* \!\[c\]\(d\) \$5 \`e\`"
    assert label("x" * 300) == "x" * 99 + "…"
    assert label("x" * 50, most=10) == "x" * 9 + "…"
    assert label("1. a -> b & c") == rf"1\. a {JOINER}\-\> b \& c"
    assert label("see https://a.test www.a.test a@b.test") == (
        rf"see https\:{JOINER}//a\.test www{JOINER}\.a\.test a{JOINER}@b\.test"
    )
    assert label(":smile: :red[x]") == rf"\:{JOINER}smile\: \:red\[x\]"


def test_what_was_typed_stays_as_it_was_typed() -> None:
    assert plain("# head\n- a\n$5 and <b>") == "\\# head  \n\\- a  \n\\$5 and \\<b\\>"
    assert (
        plain("a\n===\n\n    b\n\tc") == "a  \n\\=\\=\\=  \n  \n\u00a0\u00a0\u00a0\u00a0b  \n\u00a0\u00a0\u00a0\u00a0c"
    )
    assert plain("see https://a.test/x.") == r"see [https\://a\.test/x](https://a.test/x)."


def test_sources_are_links_that_say_their_host() -> None:
    assert link("A [title]\nof $5", "https://a.test/x") == r"[A \[title\] of \$5](https://a.test/x) (a\.test)"
    assert link("", "https://a.test/x") == r"[a\.test](https://a.test/x)"
    assert link("a.test/x", "https://a.test/x") == r"[a\.test/x](https://a.test/x)"
    assert link("title", "javascript:alert(1)") == "title"
    assert link("", "ftp://a.test") == r"ftp\://a\.test"


def test_cells_and_columns() -> None:
    assert [table_cell(value) for value in (None, 5, -1.5, True, "$5 | ![a](b)")] == [
        *("", "5", r"\-1\.5", "True", r"\$5 \| \!\[a\]\(b\)")
    ]
    assert column_names(["a", "a", "![b](c)", "a 2"]) == ["a", "a 2", r"\!\[b\]\(c\)", "a 2 2"]
    assert unformatted("a\u202eb\r\nc") == "ab\nc"


@each(
    ("typed", "url", "host"),
    [
        ("https://a.test", "https://a.test", "a.test"),
        (" HTTPS://WWW.A.test:8080/x?y=1#z ", "https://www.a.test:8080/x?y=1#z", "a.test:8080"),
        ("https://user:pass@a.test@b.test/", "https://b.test/", "b.test"),
        ("https://evil.test\\@paypal.com/", "https://evil.test/@paypal.com/", "evil.test"),
        ("https://%65vil.test", "https://evil.test", "evil.test"),
        ("https://аpple.com/é", "https://xn--pple-43d.com/%C3%A9", "xn--pple-43d.com"),
        ("https://a。test", "https://a.test", "a.test"),
        ("http://[::1]:80/", "http://[::1]:80/", "[::1]:80"),
        ('https://a.test/(b)[c]`|$*"<>', "https://a.test/%28b%29%5Bc%5D%60%7C%24%2A%22%3C%3E", "a.test"),
        ("https://a.test/?a=1&copy;=2", "https://a.test/?a=1&amp;copy;=2", "a.test"),
        ("https://a.test/:material/x", "https://a.test/%3Amaterial/x", "a.test"),
        ("https://www.com", "https://www.com", "www.com"),
    ],
)
def test_addresses_are_read_as_a_browser_reads_them(typed: str, url: str, host: str) -> None:
    address = web_address(typed)
    assert address is not None
    assert (address.url, address.host) == (url, host)


@each(
    "typed",
    [
        *("", "a.test", "//a.test", "/x", "javascript:x", "data:,", "https:a.test", "https://", "https://a b/"),
        *("https://-", "https://a.test:port", "https://[x]", "https://" + "é" * 70 + ".test", "https://%ff"),
        *("https://a\ud800.test", "https://a.test/" + "x" * 4000),
    ],
)
def test_what_no_browser_would_open_is_no_address(typed: str) -> None:
    assert web_address(typed) is None


def test_a_name_of_the_host_must_start_with_it() -> None:
    address = web_address("https://a.test/x")
    assert address is not None
    for text in ("a.test", "A.test/other", "https://www.a.test?x", "a.test#y"):
        assert names(text, address), text
    for text in ("", "see a.test", "a.test.evil.test", "a.test@evil.test", "a.tes", "a.test and paypal.com"):
        assert not names(text, address), text


_GOOD_CHART = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"values": [{"city": "https://a.test", "sales": 5}]},
    "mark": {"type": "bar", "tooltip": True, "color": "#1B5E8C"},
    "encoding": {"x": {"field": "city"}, "y": {"field": "sales", "aggregate": "sum", "scale": {"zero": True}}},
}


def test_charts_that_name_no_address_are_drawn() -> None:
    assert chart_ok(_GOOD_CHART)
    assert chart_ok({"mark": "line", "encoding": {}})
    assert chart_ok({"mark": "line", "width": 300.5, "encoding": {"y": {"axis": None, "sort": ("a", "b")}}})


@each(
    "part",
    [
        {"data": {"url": "x.json"}},
        {"data": {"values": [{"image": 1}]}},
        {"data": {"values": [{"a": "url(https://a.test)"}]}},
        {"datasets": {"d": [{"Image ": 1}]}},
        {"mark": "image"},
        {"mark": {"type": "Image"}},
        {"mark": {"type": "bar", "href": "x"}},
        {"mark": {"type": "bar", "fill": "url(#x)"}},
        {"mark": {"type": "bar", "fill": {"expr": "'u' + 'rl(x)'"}}},
        {"background": "https://a.test"},
        {"title": "//a.test"},
        {"config": {"font": "x; @import y"}},
        {"usermeta": {"embedOptions": {}}},
        {"params": [{"name": "a", "expr": "1"}]},
        {"transform": [{"calculate": "'a'", "as": "b"}]},
        {"encoding": {"fill": {"field": "a", "scale": None}}},
        {"encoding": {"tooltip": {"field": "a", "title": "image"}}},
        {"layer": [{"layer": [{"mark": {"url": "x"}}]}]},
        {"$schema": "https://evil.test/v6.json"},
        {"$schema": 5},
        {"x": object()},
    ],
)
def test_charts_that_could_fetch_are_refused(part: dict[str, object]) -> None:
    assert not chart_ok(_GOOD_CHART | part)


def test_charts_without_end_are_refused() -> None:
    deep: dict[str, object] = {}
    rows: list[object] = []
    for _ in range(100):
        deep, rows = {"layer": [deep]}, [rows]
    assert not chart_ok(deep)
    assert not chart_ok({"data": {"values": rows}})


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "[",
            "![",
            "`",
            "`` ` ",
            "~",
            "$",
            "\\",
            "<",
            "&#33;",
            ":",
            ":a:",
            "!",
            "[a](b",
            "[a]: b\n",
            "[a]\n",
            '[](a "',
        ),
        *("![a](http://h.test)", "http://", "http://h(", "```\n", "- ```\n", "> ", "- ", "    ", "\t", "\n", " "),
        *("| a |\n|-|\n", "~~~", "``` a\n    b\n"),
    ],
)
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(characters: int) -> float:
        text = piece * (characters // len(piece))
        start = thread_time()
        markdown(text)
        return thread_time() - start

    small = min(seconds(3_000) for _ in range(3))
    # Sixteen times the text in less than eighty times the time: a square would take 256. What was slow once on a busy
    # machine is tried again.
    assert any(seconds(48_000) < 80 * small + 0.02 for _ in range(3)), small
