"""What stands in front of every page: which host, which origin and which frame it is asked for in, and who asks.

Streamlit's server puts the ``Gate`` around the app (see the end of ``app.py``). Where a host runs the pages in another
way, they work as before, without what is refused here.
"""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from anyio import move_on_after
from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from agent.data.kept_files.shared_folder import NotMounted
from agent.errors import BadSettings, GlassboxError
from pages.ui.session import state

log = logging.getLogger(__name__)

# A page asks here, by POST, for its visitor's cookie; the address is beside the page's own.
COOKIE_PATH = "glassbox-visitor"
# A proxy asks here, by GET, whether this process can answer questions.
READY_PATH = "glassbox-ready"
_HEALTH_PATH = "/_stcore/health"  # Streamlit's own: asked by containers, by address as well
_READY_SECONDS = 3.0
_MOST_ASKING = 2
_YEAR = 365 * 24 * 60 * 60
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_MOST_BODY = 500  # bytes
# Pages of one chat: no search engine lists them, and no other site is told of their address.
_UNLISTED = ("shared", "run", "context")
_SILENT = "The store does not answer."
_READING = ("GET", "HEAD", "OPTIONS")
_NO_HOST = (
    "This site is not known by the address that you came by. "
    "If it is yours, name its host in Streamlit's setting server.allowedHosts.\n"
)
_NO_ORIGIN = (
    "This was asked by another site than this one. "
    "If both are yours, name the other one in Streamlit's setting server.corsAllowedOrigins.\n"
)


class Gate:
    """ASGI middleware: refuses hosts and origins that are not the site's, and keeps its pages out of others' frames."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._asking = 0  # whether this process is ready
        self._trouble = ""  # why it was not, when it was asked last
        # A site on this machine alone has the names of this machine: a web page whose name was made to point here
        # comes by its own name.
        if not config.get_option("server.allowedHosts") and config.get_option("server.address") in _LOOPBACK:
            config.set_option("server.allowedHosts", list(_LOOPBACK))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reading = scope["type"] == "http" and scope["method"] in _READING
        if reading and scope["path"].endswith(f"/{READY_PATH}"):  # asked by address, not by the site's name
            await (await self._ready())(scope, receive, send)
        elif reading and scope["path"].endswith(_HEALTH_PATH):  # which says nothing but that the server is up
            await self._app(scope, receive, send)
        elif not _is_known(headers.get("host", "")):
            await _refuse(_NO_HOST, 421, scope, receive, send)
        elif not reading and not _is_own(headers.get("origin"), headers.get("host")):
            await _refuse(_NO_ORIGIN, 403, scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "POST" and scope["path"].endswith(f"/{COOKIE_PATH}"):
            answer = await _cookie_kept(Request(scope, receive))
            await answer(scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _framed(send, scope["path"]))
        else:
            await self._app(scope, receive, send)

    async def _ready(self) -> Response:
        """200 where the store answers, 503 where it does not, or not in time, with the reason."""
        if self._asking >= _MOST_ASKING:
            return PlainTextResponse("busy\n", 503)
        self._asking += 1
        trouble = _SILENT
        try:
            with move_on_after(_READY_SECONDS):
                trouble = await run_sync(_trouble, abandon_on_cancel=True)
        finally:
            self._asking -= 1
        if trouble != self._trouble:
            self._trouble = trouble
            if trouble:
                log.warning("this process is not ready: %s", trouble)
        if trouble:
            return PlainTextResponse(f"{trouble}\n", 503)
        return PlainTextResponse("ready\n", headers={"Cache-Control": "no-store"})


def _trouble() -> str:
    """Why this process cannot answer questions, "" where it can."""
    try:
        state.services().store.run("")
    except (NotMounted, BadSettings) as error:
        return str(error)
    except GlassboxError:
        return _SILENT
    return ""


async def _refuse(words: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": words[:100]})
    else:
        await PlainTextResponse(words, status)(scope, receive, send)


def _is_known(host: str) -> bool:
    """Whether ``server.allowedHosts`` has the name that a request came by, with a port or without.

    In that list "*.name" stands for every name below it, "*" for all; where it is empty, all are known.
    """
    allowed = [name.strip().lower().rstrip(".") for name in config.get_option("server.allowedHosts")]
    if not allowed:
        return True
    try:
        parts = urlsplit(f"//{host}")
        known, _ = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:  # of the port, or of a bracket
        return False
    if not known or "@" in host or parts.netloc != host:
        return False
    return any(name in ("*", known) or (name.startswith("*.") and known.endswith(name[1:])) for name in allowed)


def _is_own(origin: str | None, host: str | None) -> bool:
    """Whether a page of that origin may ask this site to do something. A program that is no browser sends none."""
    if origin is None or not config.get_option("server.enableCORS"):
        return True
    allowed = {urlsplit(site).netloc or site for site in config.get_option("server.corsAllowedOrigins")}
    return urlsplit(origin).netloc in {host, *allowed}


def _frames() -> str:
    """The sites, itself among them, that may show this one in a frame, as the header names them."""
    try:
        return " ".join(("'self'", *state.services().settings.frames))
    except GlassboxError:
        return "'self'"


def _framed(send: Send, path: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Content-Type-Options"] = "nosniff"
            if headers.get("content-type", "").startswith("text/html"):
                headers["Content-Security-Policy"] = f"frame-ancestors {await run_sync(_frames)}"
                if path.rstrip("/").rpartition("/")[2] in _UNLISTED:
                    headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
                    headers["Referrer-Policy"] = "same-origin"
        await send(message)

    return sent


async def _cookie_kept(request: Request) -> Response:
    """Make the browser keep the visitor that the page was given: 204.

    409 where it is known as somebody else already (two tabs were opened at once), 400 for what this site did not sign.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BODY:
            return Response(status_code=400)
    given, kept = body.decode("latin-1"), request.cookies.get(state.COOKIE, "")
    try:
        ids = (await run_sync(state.services)).visitor_ids
        visitor, known = await run_sync(ids.read, given), await run_sync(ids.read, kept)
    except GlassboxError:
        return Response(status_code=503)
    if not visitor:
        return Response(status_code=400)
    if known not in ("", visitor):
        return Response(status_code=409)
    answer = Response(status_code=204)
    secure = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))
    answer.set_cookie(state.COOKIE, given, max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="lax")
    return answer
