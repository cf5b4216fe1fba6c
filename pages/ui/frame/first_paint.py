"""The page as it first arrives: with the style it will have, so that nothing moves when Streamlit has drawn it.

An address at which there is no page leads to the chat, which says so: Streamlit's own notice is in English alone.

Streamlit's server puts ``FirstPaint`` around the app (see the end of ``app.py``). Where a host runs the pages in
another way, the style comes with the page's first elements, a moment later.
"""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

_FONTS = ("geist-latin-wght-normal", "instrument-serif-latin-400-normal", "instrument-serif-latin-400-italic")
# The place of the sidebar, which stands in front of the rest, until it is there. It is no rule with ":has": what such a
# rule was tried on once is styled anew, with all in it, at each change of the page. browser.js takes it out, for those
# who read a shared chat have no sidebar.
WITHOUT_SIDEBAR = '[data-testid="stAppViewContainer"] > a:first-child + div'
_SIDEBAR = f"@media (min-width: 768px) {{ {WITHOUT_SIDEBAR} {{ margin-left: 281px; }} }}"
# Behind what Streamlit's scripts put into the head, so that this style has the last word from the beginning.
_END = b"</body>"
# A page that a browser has kept is one of another style; nothing can be put into one that is compressed.
# What all pages are drawn in; what others of the server's answers in HTML lack.
_ROOT = b'id="root"'
_PAGES = frozenset(("", *(file.stem for file in Path(__file__).parents[2].glob("*.py"))))
# What the address of the chat then has.
UNKNOWN = "unknown"
_LEFT_OUT = (b"if-none-match", b"if-modified-since", b"accept-encoding")


class FirstPaint:
    """ASGI middleware: puts the style and the fonts of the pages into the HTML that Streamlit's server answers with."""

    def __init__(self, app: ASGIApp) -> None:
        style = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
        fonts = (
            f'<link rel="preload" as="font" type="font/woff2" crossorigin href="./app/static/fonts/{name}.woff2">'
            for name in _FONTS
        )
        self._app = app
        styles = f"<style id='first-paint'>{style}</style><style id='first-place'>{_SIDEBAR}</style>"
        self._added = f"{''.join(fonts)}{styles}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        if any(name == b"accept" and b"text/html" in value for name, value in headers):
            scope = {**scope, "headers": [(name, value) for name, value in headers if name not in _LEFT_OUT]}
        await self._app(scope, receive, _Sender(send, self._added, to_the_chat(scope["path"])))


def to_the_chat(path: str) -> str:
    """What leads from an address at which there is no page to the chat, relative to it; "" where there is one."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    *folders, page = path.removeprefix(f"/{base}").strip("/").split("/")
    up = len(folders) + path.endswith("/")
    return "" if page in _PAGES else f"{'../' * up or './'}?{UNKNOWN}=page"


class _Sender:
    """Sends on what it is given; of a page the whole at once, with ``added`` at its end.

    In place of a page that is none, the browser is sent ``elsewhere``.
    """

    def __init__(self, send: Send, added: bytes, elsewhere: str) -> None:
        self._send = send
        self._added = added
        self._elsewhere = elsewhere
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start)

    async def _send_page(self, start: Message) -> None:
        if self._elsewhere and _ROOT in self._body:
            away = [(b"location", self._elsewhere.encode()), (b"content-length", b"0"), (b"cache-control", b"no-store")]
            await self._send({"type": "http.response.start", "status": 307, "headers": away})
            await self._send({"type": "http.response.body", "body": b""})
            return
        body = self._body.replace(_END, self._added + _END, 1)
        headers = MutableHeaders(scope=start)
        headers["Content-Length"] = str(len(body))
        if body != self._body:
            del headers["etag"], headers["last-modified"]
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_page(start: Message) -> bool:
    headers = MutableHeaders(scope=start)
    html = headers.get("content-type", "").startswith("text/html")
    return html and start["status"] == 200 and "content-encoding" not in headers
