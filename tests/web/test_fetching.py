"""What may be fetched: forms of addresses, names that change, redirects, servers that misbehave."""

from __future__ import annotations

import gzip
import ssl
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.errors import ToolFailed
from agent.extensions.openapi.calling import fetch
from agent.web.fetching.fetcher import Fetched, Fetcher
from agent.web.fetching.urls import redirected, target
from agent.web.reading.media_types import most_bytes
from tests.support.cases import each
from tests.support.servers.broken_answers import break_off, drip, drip_head, hang_up
from tests.support.servers.page_server import (
    Canary,
    Handler,
    NameServer,
    PageServer,
    Routed,
    redirect,
    status,
)

# Every form is tried as it stands; none may lead to a look-up or a connection. The port is one that may be used.
REFUSED = [
    # loopback, private, link-local, shared, multicast, reserved, unspecified, broadcast
    "http://127.0.0.1/", "http://127.255.255.254/", "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/",
    "http://192.168.1.1/", "http://169.254.0.1/", "http://100.64.0.1/", "http://224.0.0.1/", "http://239.1.1.1/",
    "http://240.0.0.1/", "http://255.255.255.255/", "http://0.0.0.0/", "http://0.1.2.3/", "http://192.0.2.1/",
    "http://198.18.0.1/", "http://198.51.100.1/", "http://203.0.113.1/", "http://192.88.99.1/", "http://192.0.0.8/",
    # where clouds keep credentials
    "http://169.254.169.254/latest/meta-data/", "http://169.254.170.2/", "http://100.100.100.200/",
    "http://168.63.129.16/", "http://192.0.0.192/", "http://metadata.google.internal/", "http://metadata/",
    "http://instance-data/", "http://instance-data.ec2.internal/", "http://[fd00:ec2::254]/", "http://[fd20:ce::254]/",
    # other notations of numbers
    "http://2130706433/", "http://0x7f000001/", "http://0x7F.0.0.1/", "http://0177.0.0.1/", "http://017700000001/",
    "http://127.1/", "http://127.0.1/", "http://0/", "http://0x0/", "http://10.1/", "http://3232235777/",
    "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://169.254.43518/", "http://0x7f.1/",
    "http://134744072/", "http://0x08080808/", "http://8.8.2056/", "http://010.8.8.8/", "http://08.8.8.8/",
    "http://256.256.256.256/", "http://1.2.3.4.5/", "http://4294967296/", "http://a.1/", "http://a.0x7f/",
    "http://127.0.0.1./", "http://localhost./", "http://example.com./", "http://127.0.0.1%2e/", "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/", "http://①②⑦.0.0.1/", "http://127。0。0。1/", "http://127．0．0．1/", "http://ⓔxample.com/",
    "http://exаmple.com\u200b/", "http://ｅxample.com/", "http://localhost\u00ad/", "http://ℓocalhost.example/",
    "http://xn--/", "http://xn--a.example/", "http://a\u2024example.com/", "http://example。com/", "http://Ⅷ.example/",
    # IPv6, and IPv4 within it
    "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fc00::1]/",
    "http://[fd12::1]/", "http://[fec0::1]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[100::1]/",
    "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:8.8.8.8]/", "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2002:7f00:1::]/", "http://[2002:a9fe:a9fe::]/",
    "http://[2001::1]/", "http://[2001:0:7f00:1::]/", "http://[3fff::1]/", "http://[::ffff:0:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:a9fe:a9fe]/", "http://[::1]:80/", "http://[v1.fe80::a]/", "http://[example.com]/",
    # names of this machine and the network around it
    "http://localhost/", "http://LOCALHOST/", "http://a.localhost/", "http://localhost.localdomain/",
    "http://printer/", "http://router.local/", "http://wiki.corp/", "http://nas.lan/", "http://x.internal/",
    "http://host.docker.internal/", "http://pi.home.arpa/", "http://intranet.intranet/",
    # who is asking, other ports, other schemes, and what parsers read in two ways
    "http://user@example.com/", "http://user:key@example.com/", "http://example.com@127.0.0.1/",
    "http://127.0.0.1@example.com/", "http://:@example.com/", "http://example.com%40127.0.0.1/",
    "http://example.com:22/", "http://example.com:6379/", "http://example.com:0/", "http://example.com:99999/",
    "http://example.com:8501/", "http://example.com:80:80/", "http://example.com:eighty/", "http://example.com:-80/",
    "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "data:text/plain,x", "javascript:alert(1)",
    "ws://example.com/", "dict://example.com/", "ldap://example.com/", "jar:http://example.com/!/", "view-source:http://a.b/",
    "//example.com/", "example.com", "http:example.com", "http:/example.com", "http:///example.com", "http://", "https://",
    "http:\\\\example.com\\", "http://example.com\\@127.0.0.1/", "http://127.0.0.1\\.example.com/",
    "http://example.com\t/", "http://exam\nple.com/", "http://example.com/\r\nHost: a", "http://example.com/ x",
    "http://example.com\x00.a.b/", "http://example.com/\u202egnp", "http://127.0.0.1#.example.com/",
    "http://127.0.0.1?.example.com/", "http://127.0.0.1;.example.com/", "http://example.com;@127.0.0.1/",
    "http://a..example.com/", "http://.example.com/", "http://-a.example.com/", f"http://{'a' * 64}.example.com/",
    f"http://{'a.' * 130}com/", "http://exa mple.com/", "http://exa$mple.com/", "http://[::1/", "http://::1/",
    f"http://example.com/{'a' * 2000}", "", " ", "http://example.com/\u200b",
]  # fmt: skip
TAKEN = {
    "http://example.com": "http://example.com/",
    "HTTPS://Example.COM:443/A?b=c d".replace(" ", "%20") + "#e": "https://example.com/A?b=c%20d",
    "http://example.com:8080/": "http://example.com:8080/",
    "https://8.8.8.8/": "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/": "https://[2606:4700:4700::1111]/",
    "https://日本語.jp/東京?q=雨": "https://xn--wgv71a119e.jp/%E6%9D%B1%E4%BA%AC?q=%E9%9B%A8",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://xn--wgv71a119e.jp/": "https://xn--wgv71a119e.jp/",
    "https://en.wikipedia.org/wiki/Mercury_(planet)": "https://en.wikipedia.org/wiki/Mercury_(planet)",
    "https://my_shop.example.com/%E2%82%AC": "https://my_shop.example.com/%E2%82%AC",
}
PUBLIC = "93.184.215.14"


@each("url", REFUSED)
def test_a_refused_address_is_neither_looked_up_nor_connected(url: str) -> None:
    with NameServer({}) as names:
        network = Routed(names, {})
        with pytest.raises(ToolFailed) as caught:
            Fetcher(network=network).fetch(url, most_bytes)
        assert names.asked == []
        assert network.dialled == []
    assert caught.value.kind in ("refused", "input")
    assert str(caught.value)[0].isupper()


def test_there_are_enough_of_them() -> None:
    assert len(set(REFUSED)) == len(REFUSED) >= 80


@each(("url", "usual"), TAKEN.items())
def test_usual_addresses_are_taken(url: str, usual: str) -> None:
    assert target(url).url == usual
    assert target(usual).url == usual


@each("location", [url for url in REFUSED if "//" in url and not url.startswith("//e")])
def test_a_redirect_is_checked_as_any_other_address(location: str) -> None:
    """What a browser reads as a path of the same host stays there; nothing else of the table is followed."""
    at = target("https://example.com/start")
    try:
        found = redirected(at, location)
    except ToolFailed:
        return
    assert found.host == "example.com"


@pytest.fixture
def server() -> Iterator[PageServer]:
    with PageServer() as running:
        yield running


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary() as running:
        yield running


def fetched(server: PageServer, path: str, seconds: float = 5.0) -> Fetched:
    return Fetcher(frozenset({server.place}), seconds).fetch(server.url(path), most_bytes)


def failed(server: PageServer, path: str, seconds: float = 5.0) -> ToolFailed:
    with pytest.raises(ToolFailed) as caught:
        fetched(server, path, seconds)
    return caught.value


@each(
    "addresses",
    [
        ["127.0.0.1"], ["10.1.2.3"], ["169.254.169.254"], ["::1"], ["fe80::1"], ["::ffff:127.0.0.1"], ["0.0.0.0"],
        ["64:ff9b::7f00:1"], ["2002:7f00:1::"], [PUBLIC, "127.0.0.1"], [PUBLIC, "::1"], ["192.168.0.9", PUBLIC],
        ["100.100.100.200"], ["168.63.129.16"], ["224.0.0.1"], ["2001:0:7f00:1::"],
    ],
)  # fmt: skip
def test_a_name_that_leads_inside_is_not_connected(addresses: list[str]) -> None:
    with NameServer({"inside.example": [addresses]}) as names:
        network = Routed(names, {})
        with pytest.raises(ToolFailed, match="public internet"):
            Fetcher(network=network).fetch("http://inside.example/", most_bytes)
        assert names.asked == ["inside.example"]
        assert network.dialled == []


def test_an_unknown_name_is_said() -> None:
    with NameServer({}) as names, pytest.raises(ToolFailed, match=r"no server named nowhere\.example"):
        Fetcher(network=Routed(names, {})).fetch("http://nowhere.example/", most_bytes)


def test_a_name_that_changes_its_address_is_connected_where_it_was_checked(server: PageServer, canary: Canary) -> None:
    """One look-up a hop; the connection goes to what it gave, and the next hop is checked anew."""
    server.pages["/first"] = redirect("/second")
    server.pages["/second"] = ("text/plain", b"never")
    answers = {"rebinds.example": [[PUBLIC], ["127.0.0.1"]]}
    with NameServer(answers) as names:
        network = Routed(names, {PUBLIC: ("127.0.0.1", server.port), "127.0.0.1": ("127.0.0.1", canary.port)})
        with pytest.raises(ToolFailed, match="public internet"):
            Fetcher(network=network).fetch("http://rebinds.example/first", most_bytes)
        assert names.asked == ["rebinds.example"] * 2
        assert network.dialled == [PUBLIC]
    assert [path for path, _ in server.hits] == ["/first"]
    assert server.hits[0][1]["Host"] == "rebinds.example"
    assert canary.count == 0


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_inside_is_not_followed(server: PageServer, canary: Canary, code: int) -> None:
    for path, to in (
        ("/a", f"http://127.0.0.1:{canary.port}/"),
        ("/b", f"http://localhost:{canary.port}/"),
        ("/c", f"//0x7f.1:{canary.port}/"),
        ("/d", f"http://[::ffff:127.0.0.1]:{canary.port}/"),
        ("/e", f"http://inside.example:{canary.port}/"),
        ("/f", "http://169.254.169.254/latest/"),
        ("/g", "file:///etc/passwd"),
    ):
        server.pages[path] = redirect(to, code)
    with NameServer({"inside.example": [["127.0.0.1"]]}) as names:
        fetcher = Fetcher(frozenset({server.place}), network=Routed(names, {}))
        for path in server.pages:
            with pytest.raises(ToolFailed):
                fetcher.fetch(server.url(path), most_bytes)
    assert canary.count == 0
    assert len(server.hits) == 7


def test_the_check_of_addresses_holds_without_the_one_of_ports(canary: Canary) -> None:
    """The port rule must not be what keeps the canary: a port that is allowed, at an address that is not."""
    with NameServer({"inside.example": [["127.0.0.1"]]}) as names:
        network = Routed(names, {"127.0.0.1": ("127.0.0.1", canary.port)})
        with pytest.raises(ToolFailed, match="public internet"):
            Fetcher(network=network).fetch("http://inside.example:8080/", most_bytes)
    assert canary.count == 0


def test_an_allowed_place_is_that_place_alone(server: PageServer, canary: Canary) -> None:
    server.pages["/"] = ("text/plain", b"ours")
    assert fetched(server, "/").content == b"ours"
    fetcher = Fetcher(frozenset({server.place}))
    for url in (f"http://127.0.0.1:{canary.port}/", f"http://localhost:{server.port}/", f"http://127.1:{server.port}/"):
        with pytest.raises(ToolFailed):
            fetcher.fetch(url, most_bytes)
    assert canary.count == 0


def test_metadata_is_refused_even_where_it_is_allowed() -> None:
    with NameServer({}) as names:
        network = Routed(names, {})
        with pytest.raises(ToolFailed, match="public internet"):
            Fetcher(frozenset({"169.254.169.254:80"}), network=network).fetch("http://169.254.169.254/", most_bytes)
        assert network.dialled == []


def test_redirects_are_followed_to_a_limit(server: PageServer) -> None:
    for number in range(8):
        server.pages[f"/{number}"] = redirect(f"/{number + 1}")
    server.pages["/8"] = ("text/plain", b"the end")
    found = fetched(server, "/3")
    assert (found.url, found.content) == (server.url("/8"), b"the end")
    assert "without end" in str(failed(server, "/2"))


def test_nothing_of_ours_is_sent(server: PageServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    server.pages["/"] = lambda handler: handler.reply(302, "text/html", b"", Location="/x", Set_Cookie="a=b; Path=/")
    server.pages["/x"] = ("text/plain", b"x")
    fetched(server, "/")
    fetched(server, "/x")
    for _, headers in server.hits:
        assert set(headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
    assert "Python" not in server.hits[0][1]["User-Agent"]


def packed(body: bytes, encoding: str) -> object:
    return lambda handler: handler.reply(200, "text/plain", body, Content_Encoding=encoding)


def test_packed_bodies(server: PageServer) -> None:
    raw = zlib.compressobj(wbits=-15)
    bodies = {
        "gzip": gzip.compress(b"a story"),
        "x-gzip": gzip.compress(b"a story"),
        "deflate": zlib.compress(b"a story"),
        "Deflate": raw.compress(b"a story") + raw.flush(),
        "identity": b"a story",
    }
    for encoding, body in bodies.items():
        server.pages["/"] = packed(body, encoding)  # type: ignore[assignment]
        assert fetched(server, "/").content == b"a story", encoding
    for encoding in ("br", "gzip, gzip", "zstd", "compress"):
        server.pages["/"] = packed(b"\x1f\x8b", encoding)  # type: ignore[assignment]
        assert failed(server, "/").kind == "refused"


@pytest.mark.slow
def test_bodies_without_end_are_cut(server: PageServer) -> None:
    most = most_bytes("text/plain")
    server.pages["/bomb"] = packed(gzip.compress(b"\0" * 300_000_000, 1), "gzip")  # type: ignore[assignment]
    server.pages["/flood"] = ("text/plain", b"a" * (most + 100_000))
    server.pages["/cut"] = break_off
    server.pages["/torn"] = packed(gzip.compress(b"a story" * 1000)[:-20], "gzip")  # type: ignore[assignment]
    server.pages["/wrong"] = packed(b"this is no gzip", "gzip")  # type: ignore[assignment]
    bomb, flood = fetched(server, "/bomb"), fetched(server, "/flood")
    assert (len(bomb.content), bomb.cut) == (most, "large")
    assert (len(flood.content), flood.cut) == (most, "large")
    cut = fetched(server, "/cut")
    assert (cut.content, cut.cut) == (b"The beginning of a story", "broken")
    assert fetched(server, "/torn").content.startswith(b"a story")
    assert fetched(server, "/wrong").cut == "broken"


@pytest.mark.parametrize("page", [drip, drip_head])
def test_the_time_is_for_all_of_it(server: PageServer, page: object) -> None:
    server.pages["/"] = page  # type: ignore[assignment]
    assert failed(server, "/", 0.4).kind == "timeout"


def test_a_head_without_end_is_refused(server: PageServer) -> None:
    def long_head(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 2_000_000)
        handler.close_connection = True

    server.pages["/"] = long_head
    server.pages["/gone"] = hang_up
    assert failed(server, "/").kind == "network"
    assert failed(server, "/gone").kind == "network"


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (204, "nothing", "nothing at this address"),
        (304, "refused", "did not give the page out"),
        (401, "refused", "signing in"),
        (403, "refused", "signing in, or refuse programs"),
        (404, "nothing", "no page at this address"),
        (410, "nothing", "no page at this address"),
        (429, "quota", "asks to wait 30 seconds"),
        (451, "refused", "legal reasons"),
        (500, "network", "in trouble"),
        (503, "network", "Try once more later"),
    ],
)
def test_every_status_has_its_sentence(server: PageServer, code: int, kind: str, said: str) -> None:
    server.pages["/"] = status(code, Retry_After="30")
    failure = failed(server, "/")
    assert failure.kind == kind
    assert said in str(failure)


def test_what_holds_no_text_is_not_read(server: PageServer) -> None:
    for media in ("image/png", "video/mp4", "application/zip", "font/woff2", "application/x-msdownload"):
        server.pages["/"] = (media, b"x" * 100)
        assert media in str(failed(server, "/"))


def test_a_closed_port_is_said(server: PageServer) -> None:
    with Canary() as gone:
        port = gone.port
    with pytest.raises(ToolFailed, match="could not be reached"):
        Fetcher(frozenset({f"127.0.0.1:{port}"})).fetch(f"http://127.0.0.1:{port}/", most_bytes)


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's and a client's context; the client trusts the server's own certificate and no other."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server.pem").write_bytes(secret + made.public_bytes(pem))
    (folder / "ca.pem").write_bytes(made.public_bytes(pem))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "server.pem")
    return server, ssl.create_default_context(cafile=folder / "ca.pem")


def test_tls_asks_for_the_name_and_not_for_the_address(tmp_path: Path) -> None:
    serving, trusting = certificate(tmp_path, "shop.example")
    asked: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: asked.append(name)
    answers = {"shop.example": [[PUBLIC]], "other.example": [[PUBLIC]]}
    with PageServer(serving) as server, NameServer(answers) as names:
        server.pages["/"] = ("text/plain", b"safe")
        network = Routed(names, {PUBLIC: ("127.0.0.1", server.port)})
        fetcher = Fetcher(network=network, tls=trusting)
        assert fetcher.fetch("https://shop.example/", most_bytes).content == b"safe"
        assert server.hits[0][1]["Host"] == "shop.example"
        with pytest.raises(ToolFailed, match="certificate"):
            fetcher.fetch("https://other.example/", most_bytes)
        assert asked == ["shop.example", "other.example"]
        assert len(server.hits) == 1


def test_a_service_whose_certificate_nobody_signed_gets_no_request(tmp_path: Path) -> None:
    """Nor does one that is asked after it, with the certificates that were read for the first."""
    serving, _ = certificate(tmp_path, "localhost")
    with PageServer(serving) as server:
        server.pages["/"] = ("application/json", b"{}")
        for _ in range(2):
            with pytest.raises(ToolFailed, match="cannot be reached"):
                fetch("GET", f"https://localhost:{server.port}/", [], {}, None, True, 10.0)
        assert server.hits == []
