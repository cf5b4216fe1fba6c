"""Which hosts, origins and frames a running app is asked for in, and whose cookies it takes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from tests.support.servers.app_server import AppServer, FreshAppServer

pytestmark = [pytest.mark.system, pytest.mark.slow]
ANNA, BEN = "a" * 32, "b" * 32
FORWARDED = {"X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    with FreshAppServer(tmp_path_factory.mktemp("app"), GLASSBOX_FRAMES="https://our.example") as running:
        yield running


def asked(app: AppServer, method: str, path: str, body: str | None = None, **headers: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", urlsplit(app.url).port, timeout=20)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def socket_opened(app: AppServer, host: str, origin: str) -> str:
    """The status line that a WebSocket is answered with."""
    port = urlsplit(app.url).port
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host.format(port=port)}",
        *([f"Origin: {origin.format(port=port)}"] if origin else []),
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        return line.makefile("rb").readline().decode()


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}", "LOCALHOST"])
def test_a_site_of_this_machine_is_known_by_its_names(app: AppServer, host: str) -> None:
    host = host.format(port=urlsplit(app.url).port)
    assert asked(app, "GET", "/", Host=host).status == 200
    assert " 101 " in socket_opened(app, host, f"http://{host}")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.nip.io", "x@localhost", "", "::"]
)
def test_a_name_made_to_point_here_is_refused(app: AppServer, host: str) -> None:
    assert asked(app, "GET", "/", Host=host).status == 421
    assert asked(app, "POST", "/glassbox-visitor", app.signed(ANNA), Host=host).status == 421
    assert " 403 " in socket_opened(app, host, f"http://{host}")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://localhost.evil.example", "http://localhost:1", "null"]
)
def test_another_sites_page_can_do_nothing(app: AppServer, origin: str) -> None:
    host = f"localhost:{urlsplit(app.url).port}"
    assert " 403 " in socket_opened(app, host, origin)
    for method, path in (("POST", "/glassbox-visitor"), ("PUT", "/_stcore/upload_file/a/b"), ("DELETE", "/x")):
        assert asked(app, method, path, "", Host=host, Origin=origin).status == 403


def test_a_program_without_an_origin_is_none_of_a_browser(app: AppServer) -> None:
    assert " 101 " in socket_opened(app, "localhost", "")


def test_pages_are_shown_in_frames_of_this_site_and_of_those_named_alone(app: AppServer) -> None:
    for path in ("/", "/run", "/tools"):
        answer = asked(app, "GET", path)
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self' https://our.example"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_cookie_is_set_by_the_server_for_its_own_ids_alone(app: AppServer) -> None:
    anna, ben = app.signed(ANNA), app.signed(BEN)
    plain = asked(app, "POST", "/glassbox-visitor", anna)
    assert plain.status == 204
    assert (
        plain.headers["Set-Cookie"].lower()
        == f"glassbox_visitor={anna}; httponly; max-age=31536000; path=/; samesite=lax".lower()
    )
    assert "; Secure" in asked(app, "POST", "/glassbox-visitor", anna, **FORWARDED).headers["Set-Cookie"]
    for forged in ("", ANNA, f"{ANNA}.", f"{BEN}.{anna.partition('.')[2]}", "x" * 10_000):
        assert asked(app, "POST", "/glassbox-visitor", forged).status == 400
    # Somebody who is known stays who they are; one with an id that is none of this site's gets one.
    assert asked(app, "POST", "/glassbox-visitor", ben, Cookie=f"glassbox_visitor={anna}").status == 409
    assert asked(app, "POST", "/glassbox-visitor", anna, Cookie=f"glassbox_visitor={anna}").status == 204
    assert asked(app, "POST", "/glassbox-visitor", anna, Cookie=f"glassbox_visitor={BEN}").status == 204
