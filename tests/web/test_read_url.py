"""Pages and files over loopback, read as the tool reads them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.errors import ToolFailed
from agent.sandbox import client
from agent.sandbox.client import Sandbox
from agent.toolkit.base import ToolResult
from agent.tools.lookups.read_url import PART, read_url_tool
from agent.web.fetching.fetcher import Fetched, Fetcher
from agent.web.reading.html import read_html
from agent.web.reading.media_types import decoded
from agent.web.reading.page_process import read_document
from tests.support.pdf_files import pdf, pdf_of
from tests.support.servers.broken_answers import break_off
from tests.support.servers.page_server import PageServer, redirect

SERVERS = Path(__file__).parents[1] / "support" / "servers"
LONG = "The harbour was built in 1902 and widened in 1957. " * 8
PAGE = f"""<!doctype html><html lang="en"><head><title>The  Harbour — City</title>
<meta property="article:published_time" content="2026-03-04T10:00:00Z">
<style>.gone {{ display: none }} @media print {{ .screen {{ display: none }} }}</style></head><body>
<nav><a href="/home">Home</a></nav>
<main><h1>The <em>harbour</em></h1><p>{LONG}</p>
<p>See <a href="../maps/old map.pdf?x=1#p2">the   old map</a>, <a href="//other.example/a(b)">another</a>,
<a href="#top">top</a>, <a href="javascript:alert(1)">run</a> and <a href="data:text/html,x">data</a>.<br>Next line</p>
<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><ol><li>first</li><li>second</li></ol>
<blockquote><p>said</p><p>and said</p></blockquote>
<pre><code>def f():
    return  1</code></pre>
<table><caption>Ships</caption><tr><th>Name<th>Tons</tr>
<tr><td>A|B<td><a href="/b">4</a></tr><tr><td colspan=2>all</table>
<table><tr><td><p>laid out</p><p>by a table</p></td><td>beside</td></tr></table>
<p class="screen">kept on the screen</p><img src="x.png" alt="A ship"><hr>
<dl><dt>Berth<dd>A place</dl><p>z\u200bero\u202e</p></main>
<footer>Imprint</footer><script>var secret = 1</script></body></html>"""
WRITTEN = """# The *harbour*

LONG

See [the old map](http://PLACE/maps/old%20map.pdf?x=1#p2), [another](http://other.example/a%28b%29), top, run and data.
Next line

- one
  - inner
- two

1. first
2. second

> said
> and said

```
def f():
    return  1
```

Ships

| Name | Tons |
| --- | --- |
| A\\|B | [4](http://PLACE/b) |
| all |  |

laid out

by a table beside

kept on the screen

(picture: A ship)

---

Berth
: A place

zero"""


class Site(PageServer):
    """Pages, and the sandbox in which they are read."""

    sandbox: Sandbox


@pytest.fixture
def server(sandbox: Sandbox) -> Iterator[Site]:
    with Site() as running:
        running.sandbox = sandbox
        yield running


def read(server: Site, path: str, start: int = 0) -> ToolResult:
    tool = read_url_tool(Fetcher(frozenset({server.place}), 5.0), server.sandbox)
    return tool.call({"url": server.url(path), "start": start})


def failed(server: Site, path: str, start: int = 0) -> ToolFailed:
    with pytest.raises(ToolFailed) as caught:
        read(server, path, start)
    return caught.value


def body(result: ToolResult) -> str:
    return result.text.split("\n\n", 1)[1]


def html(text: str) -> tuple[str, bytes]:
    return "text/html; charset=utf-8", text.encode()


def test_a_page(server: Site) -> None:
    server.pages["/docs/page"] = html(PAGE)
    result = read(server, "/docs/page")
    head = f"[1] The Harbour — City\n{server.url('/docs/page')}\nPublished: 2026-03-04\n\n"
    assert result.text == head + WRITTEN.replace("PLACE", server.place).replace("LONG", LONG.strip())
    (source,) = result.sources
    assert (source.number, source.title, source.url) == (1, "The Harbour — City", server.url("/docs/page"))
    assert source.date == "2026-03-04"
    assert source.snippet.startswith("The harbour was built")


HIDDEN = [
    '<p style="display:none">HIDDEN</p>', '<p style="DISPLAY : NONE !important">HIDDEN</p>', "<p hidden>HIDDEN</p>",
    '<p style="visibility:hidden">HIDDEN</p>', '<p aria-hidden="true">HIDDEN</p>', '<p class="a gone">HIDDEN</p>',
    '<p id="away">HIDDEN</p>', '<span style="font-size:0">HIDDEN</span>', '<span style="font-size: 1px">HIDDEN</span>',
    '<div style="position:absolute;left:-9999px">HIDDEN</div>', '<div style="text-indent:-5000px">HIDDEN</div>',
    '<div style="opacity:0">HIDDEN</div>', '<div style="opacity: 0.0;">HIDDEN</div>', '<b class="sr-only">HIDDEN</b>',
    '<div style="height:0;overflow:hidden">HIDDEN</div>', '<div style="color:transparent">HIDDEN</div>',
    '<div style="clip: rect(0,0,0,0)">HIDDEN</div>', '<div style="transform:scale(0)">HIDDEN</div>',
    "<!-- HIDDEN -->", "<script>HIDDEN</script>", "<style>HIDDEN</style>", "<template>HIDDEN</template>",
    "<noscript>HIDDEN</noscript>", '<input value="HIDDEN">', "<textarea>HIDDEN</textarea>", "<title>HIDDEN</title>",
    '<meta name="description" content="HIDDEN">',
    '<p title="HIDDEN" data-x="HIDDEN">a</p>', "<svg><text>HIDDEN</text></svg>",
    "<select><option>HIDDEN</option></select>", '<iframe srcdoc="HIDDEN">HIDDEN</iframe>', "<?HIDDEN?>",
    '<table><tr><td>a<td style="display:none">HIDDEN</td></tr></table>', '<img alt="" src="HIDDEN">',
    '<div style="display:none"><div style="display:block">HIDDEN</div></div>', "<object>HIDDEN</object>",
]  # fmt: skip


@pytest.mark.parametrize("markup", HIDDEN)
def test_what_nobody_sees_is_not_read(markup: str) -> None:
    style = "<style>h1, .gone { display:none } #away { visibility: hidden }</style>"
    page = f"<html><head><title>T</title>{style}</head><body><p>before</p>{markup}<p>after</p></body></html>"
    document = read_html(page, "https://a.example/")
    assert document.text.startswith("before")
    assert document.text.endswith("after")
    assert "HIDDEN" not in document.text + document.title


SEEN = [
    '<p style="opacity:0.9">SEEN</p>', '<p style="font-size:10px">SEEN</p>', '<p style="left:-5px">SEEN</p>',
    '<p aria-hidden="false">SEEN</p>', '<p class="hidden-gem">SEEN</p>', '<p style="color:#fff">SEEN</p>',
    '<p style="margin-top:-20px">SEEN</p>', '<p class="screen">SEEN</p>',
    '<p style="height:100px;overflow:hidden">SEEN</p>',
    "<details><summary>a</summary>SEEN</details>", "<center>SEEN</center>", "<font color=red>SEEN</font>",
]  # fmt: skip


@pytest.mark.parametrize("markup", SEEN)
def test_what_is_seen_is_read(markup: str) -> None:
    style = "<style>@media print { .screen { display:none } } .seen .gone { display:none }</style>"
    page = f"<html><head>{style}</head><body>{markup}</body></html>"
    assert "SEEN" in read_html(page, "https://a.example/").text


def test_the_person_is_told_of_hidden_parts(server: Site) -> None:
    server.pages["/"] = html(f"<p>{LONG}</p><p hidden>a</p><p style='display:none'>b</p>")
    assert "(2 parts of the page that nobody sees left out.)" in read(server, "/").text


@pytest.mark.slow
def test_plain_files(server: Site) -> None:
    server.pages["/a.txt"] = ("text/plain", b"one\r\n\r\n  two  \n")
    server.pages["/a.md"] = ("text/markdown; charset=utf-8", "# Größe\n".encode())
    server.pages["/a.json"] = ("application/json", '{"b": [1, 2.50], "a": "日本"}'.encode())
    server.pages["/a.geojson"] = ("application/geo+json", b"[]")
    server.pages["/lines.json"] = ("application/json", b'{"a": 1}\n{"a": 2}')
    server.pages["/a.py"] = ("text/x-python", b"def f():\n    return 1")
    server.pages["/bare"] = ("application/octet-stream", b"<!DOCTYPE html><p>A page</p>")
    assert body(read(server, "/a.txt")).split() == ["one", "two"]
    assert body(read(server, "/a.md")) == "# Größe"
    assert body(read(server, "/a.json")) == '{\n  "b": [\n    1,\n    2.5\n  ],\n  "a": "日本"\n}'
    assert body(read(server, "/a.geojson")) == "[]"
    assert body(read(server, "/lines.json")) == '{"a": 1}\n{"a": 2}'
    assert "    return 1" in body(read(server, "/a.py"))
    assert body(read(server, "/bare")) == "A page"


def test_tables(server: Site) -> None:
    server.pages["/a.csv"] = ("text/csv", b'name;tons\n"A; ""B""";4\nC|D;5\n')
    server.pages["/long.csv"] = ("text/plain", b"n,square\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(5000)))
    server.pages["/empty.csv"] = ("text/csv", b"\n\n")
    shown = '2 rows, 2 columns:\n\n| name | tons |\n| --- | --- |\n| A; "B" | 4 |\n| C\\|D | 5 |'
    assert body(read(server, "/a.csv")) == shown
    long = body(read(server, "/long.csv"))
    assert long.startswith("5,000 rows, 2 columns; the first 200 rows:\n\n| n | square |")
    assert "| 199 | 39601 |" in long
    assert failed(server, "/empty.csv").kind == "nothing"


def test_feeds(server: Site) -> None:
    item = "<item><title>Ships</title><link>https://a.example/1</link><pubDate>Mon, 2 Mar 2026</pubDate>"
    rss = f"<rss><channel><title>News</title>{item}<description>&lt;b&gt;Two&lt;/b&gt; ships</description></item>"
    server.pages["/rss"] = ("application/rss+xml", f"<?xml version='1.0'?>{rss}</channel></rss>".encode())
    entry = "<entry><title>Fog</title><link href='https://a.example/2'/><updated>2026-03-01</updated></entry>"
    server.pages["/atom"] = (
        "application/atom+xml",
        f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>".encode(),
    )
    server.pages["/xml"] = ("text/xml", b"<a><b>1</b></a>")
    assert body(read(server, "/rss")) == "- [Ships](https://a.example/1) · Mon, 2 Mar 2026\n  Two ships"
    assert body(read(server, "/atom")) == "- [Fog](https://a.example/2) · 2026-03-01"
    assert body(read(server, "/xml")) == "<a><b>1</b></a>"


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True])
def test_pdf(server: Site, packed: bool) -> None:
    file = pdf("Annual report\nRevenue was 54 million.", "Second page (of 2)", title="Report 2026", packed=packed)
    server.pages["/report.pdf"] = ("application/pdf", file)
    server.pages["/download"] = ("application/octet-stream", file)
    for path in server.pages:
        result = read(server, path)
        assert result.sources[0].title == "Report 2026"
        assert body(result) == (
            "## Page 1\n\nAnnual report\nRevenue was 54 million.\n\n## Page 2\n\nSecond page (of 2)"
        )


def test_a_file_without_a_title_has_its_name(server: Site) -> None:
    server.pages["/files/bridge%20one.pdf"] = ("application/pdf", pdf("The bridge is red."))
    (source,) = read(server, "/files/bridge%20one.pdf").sources
    assert (source.title, source.snippet) == ("bridge one.pdf", "The bridge is red.")
    table = "| a | b |\n| --- | --- |\n\nSee [the port](https://a.example/p) of **Oslo**.\n"
    server.pages["/notes"] = ("text/markdown", f"# Notes\n\n{table}".encode())
    (source,) = read(server, "/notes").sources
    assert (source.title, source.snippet) == (server.place, "See the port of **Oslo**.")


@pytest.mark.slow
def test_pdf_files_that_cannot_be_read(server: Site) -> None:
    whole = pdf("a" * 50)
    server.pages["/pictures"] = ("application/pdf", pdf_of([b"q Q"]))
    server.pages["/broken"] = ("application/pdf", b"%PDF-1.7\n" + b"\xff\x00garbage" * 100)
    server.pages["/none"] = ("application/pdf", b"\x00\x01" * 50)
    server.pages["/loop"] = ("application/pdf", whole.replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"))
    server.pages["/locked"] = ("application/pdf", _locked(whole))
    assert "no text in it, only pictures" in str(failed(server, "/pictures"))
    assert failed(server, "/broken").kind == "refused"
    assert failed(server, "/none").kind == "refused"
    failed(server, "/loop")
    assert "locked with a password" in str(failed(server, "/locked"))


def _locked(content: bytes) -> bytes:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(BytesIO(content)))
    writer.encrypt("secret", algorithm="RC4-128")
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


BOMBS: dict[str, tuple[str, bytes]] = {
    "attributes": ("text/html", b"<a " + b" ".join(b"a%d=1" % n for n in range(250_000)) + b">x"),
    "elements": ("text/html", b"<b><p>x" * 400_000),
    "levels": ("text/html", b"<div>" * 500_000 + b"x"),
    "tables": ("text/html", b"<table><tr><td>" * 150_000 + b"x"),
    "entities": (
        "application/xml",
        b"<!DOCTYPE a [<!ENTITY a0 'aaaaaaaaaa'>"
        + b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
        + b"]><rss><item><title>&a11;</title></item></rss>",
    ),
    "a file of ours": (
        "application/xml",
        b"<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss><item><title>&a;</title></item></rss>",
    ),
    "brackets": ("application/json", b"[" * 1_000_000),
    "digits": ("application/json", b"[" + b"1" * 2_000_000 + b"]"),
    "columns": ("text/csv", b"a," * 1_000_000),
    "quotes": ("text/csv", b'a,"' + b"x" * 2_000_000),
    "pdf operators": ("application/pdf", pdf_of([b"BT /F1 12 Tf " + b"(a) Tj " * 1_000_000 + b"ET"])),
    "pdf brackets": ("application/pdf", pdf_of([b"[" * 2_000_000])),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end(sandbox: Sandbox, name: str) -> None:
    """They give some text or a sentence; the process that reads them is gone after its time."""
    media, content = BOMBS[name]
    try:
        document = read_document(Fetched("https://a.example/", media, "", content), sandbox, seconds=1.0)
    except ToolFailed as failure:
        assert failure.kind in ("refused", "nothing")
        assert "another source" in str(failure)
    else:
        assert "root:" not in document.text


@pytest.mark.slow
def test_a_packed_pdf_that_swells_is_bounded_in_memory(sandbox: Sandbox) -> None:
    import zlib

    content = pdf_of([zlib.compress(b"(a) Tj " * 30_000_000, 1)], packed=True)
    document = read_document(Fetched("https://a.example/", "application/pdf", "", content), sandbox, seconds=4.0)
    assert document.text == "## Page 1\n\n(This page could not be read.)"


@pytest.mark.slow
def test_what_was_read_before_the_time_was_over_is_kept(sandbox: Sandbox) -> None:
    first, slow = b"BT /F1 12 Tf 72 720 Td (The first page) Tj ET", b"BT /F1 12 Tf " + b"() Tj " * 100_000 + b"ET"
    content = pdf_of([zlib.compress(page) for page in [first, *[slow] * 290]], packed=True)
    document = read_document(Fetched("https://a.example/", "application/pdf", "", content), sandbox, seconds=5.0)
    assert document.text.startswith("## Page 1\n\nThe first page")
    assert "too much time or memory, so the end is missing" in document.notes[0]


ESCAPES = b"""
import os, socket, subprocess
for attempt in (
    lambda: open("/etc/passwd").read(), lambda: os.listdir("/"), lambda: open("/proc/self/environ").read(),
    lambda: socket.socket(), lambda: os.fork() or os._exit(0), lambda: subprocess.run(["/bin/true"]),
    lambda: os.kill(os.getppid(), 0), lambda: open(__import__("agent").__path__[0] + "/new", "w"),
):
    try:
        attempt()
        print("did it")
    except OSError as error:
        print(type(error).__name__)
print(sorted(os.listdir(".")), "SECRET" in os.environ)
"""


@pytest.mark.system
@pytest.mark.skipif(bool(client.missing()), reason=client.missing())
def test_a_page_that_takes_the_parser_over_is_locked_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """All attacks of ``tests.system.test_sandbox`` are run as pages there; this is the tool from end to end."""
    monkeypatch.setenv("SECRET", "x")
    exploited = Sandbox(zygote=SERVERS / "exploited_zygote.py")
    with Site() as server:
        server.sandbox = exploited
        server.pages["/"] = ("text/html", ESCAPES)
        said = body(read(server, "/"))
        assert said.split() == ["PermissionError"] * 8 + ["[]", "False"]
    exploited.close()


@pytest.mark.system
def test_where_there_is_no_sandbox_pages_are_read_in_an_ordinary_process(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit", encoding="utf-8")
    none = Sandbox(zygote=tmp_path / "broken.py")
    assert read_document(Fetched("https://a.example/", "text/html", "", PAGE.encode()), none).title
    report = Fetched("https://a.example/", "application/pdf", "", pdf("One", title="Report"))
    assert read_document(report, none).title == "Report"
    endless = Fetched("https://a.example/", *BOMBS["elements"][:1], "", BOMBS["elements"][1] * 8)
    with pytest.raises(ToolFailed, match="too much time or memory"):
        read_document(endless, none, seconds=0.1)
    none.close()


@pytest.mark.parametrize(
    ("content", "header", "expected"),
    [
        ("Größe".encode(), "iso-8859-1", "Größe"),  # called something else than it is
        ("Größe".encode("cp1252"), "", "Größe"),
        ("Größe".encode("latin-1"), "iso-8859-1", "Größe"),
        ("価格は百円です".encode("cp932"), "shift_jis", "価格は百円です"),
        ("価格は百円です".encode("cp932"), "utf-8", "価格は百円です"),
        ("価格は百円です".encode("euc_jp"), "EUC-JP", "価格は百円です"),
        ("価格は百円です".encode("iso2022_jp"), "iso-2022-jp", "価格は百円です"),
        ("価格は百円です".encode("utf-16"), "", "価格は百円です"),
        ("\ufeff価格".encode(), "", "価格"),
        ("цена сто рублей".encode("cp1251"), "windows-1251", "цена сто рублей"),
        ("价格".encode("gb18030"), "gb2312", "价格"),
        (b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-"),
        ("Größe".encode(), "no-such-charset", "Größe"),
        ("Größe".encode(), "zlib_codec", "Größe"),
    ],
)
def test_charsets(content: bytes, header: str, expected: str) -> None:
    assert decoded(content, header, markup=False) == (expected, False)


def test_a_charset_in_the_page(server: Site) -> None:
    page = '<html><head><meta charset="shift_jis"><title>価格</title></head><body><p>百円</p></body></html>'
    server.pages["/"] = ("text/html", page.encode("cp932"))
    result = read(server, "/")
    assert result.sources[0].title == "価格"
    assert body(result) == "百円"
    server.pages["/"] = ("text/html; charset=utf-8", b"<p>one \xff\xfe two</p>" + "é".encode() * 50)
    assert "(Some characters could not be read and are shown as �.)" in read(server, "/").text


@pytest.mark.parametrize(
    ("page", "kind", "said"),
    [
        (b"", "nothing", "nothing on this page"),
        (b"   \n ", "nothing", "nothing on this page"),
        (b"<html><body></body></html>", "nothing", "nothing on this page"),
        (b"<html><body><div id=root></div><script>app()</script></body></html>", "nothing", "running its scripts"),
        (b"<h1>Welcome</h1><form><input name=u><input type=PASSWORD></form>", "refused", "asks to sign in"),
    ],
)
def test_pages_with_nothing_to_read(server: Site, page: bytes, kind: str, said: str) -> None:
    server.pages["/"] = ("text/html", page)
    failure = failed(server, "/")
    assert failure.kind == kind
    assert said in str(failure)


def test_a_page_that_also_lets_people_sign_in_is_read(server: Site) -> None:
    server.pages["/"] = html(f"<p>{LONG * 3}</p><form><input type=password></form>")
    assert "harbour" in read(server, "/").text


def test_what_arrived_of_a_page_is_read(server: Site) -> None:
    server.pages["/"] = break_off
    text = read(server, "/").text
    assert "(The server broke off, so the end is missing.)" in text
    assert text.endswith("The beginning of a story")


def test_the_address_after_a_redirect_is_the_source(server: Site) -> None:
    server.pages["/old"] = redirect("/new#part")
    server.pages["/new"] = ("text/plain", b"here now")
    result = read(server, "/old")
    assert result.sources[0].url == server.url("/new")
    assert result.sources[0].title == server.place


PLACE = re.compile(r"\(Characters ([\d,]+)–([\d,]+) of [\d,]+(; call again with start=(\d+) to read on|, the end)\.\)")


def test_long_pages_come_in_parts_that_make_up_the_whole(server: Site) -> None:
    paragraphs = [f"Paragraph {number}. {'word ' * (number % 90)}".strip() for number in range(300)]
    server.pages["/long"] = html("".join(f"<p>{text}</p>" for text in paragraphs))
    tool = read_url_tool(Fetcher(frozenset({server.place}), 5.0), server.sandbox)
    start, parts = 0, []
    while start is not None:
        text = tool.call({"url": server.url("/long"), "start": start}).text
        assert len(text) <= PART
        _, shown = text.split("\n\n", 1)
        shown, _, line = shown.rpartition("\n\n")
        parts.append(shown)
        said = PLACE.fullmatch(line)
        assert said is not None
        assert int(said[1].replace(",", "")) == start
        start = int(said[4]) if said[4] else None
    assert "\n\n".join(parts).split("\n\n") == paragraphs
    assert len(server.hits) == 1
    assert len(parts) > 5
    with pytest.raises(ToolFailed, match="start must lie between"):
        tool.call({"url": server.url("/long"), "start": 1_000_000})
