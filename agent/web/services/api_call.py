"""One question to a web service: bounded, with its key, and with every failure an outcome the model is told of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pydantic import JsonValue
from requests import Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool

from agent.errors import ToolFailed
from agent.text.plain import Fields, plain
from agent.web.services.calls_out import (
    BoundedSession,
    Reply,
    failures_of,
    instead,
    parsed,
    received,
    unreadable,
    without,
)


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and where it goes: into the ``parameter`` of the address, or into the ``header``, after ``scheme``."""

    secret: str = field(repr=False)
    parameter: str = ""
    header: str = ""
    scheme: str = ""

    @property
    def can_be_sent(self) -> bool:
        """Whether it is text that a header can hold: a key that is not was never one."""
        return self.secret.isascii() and self.secret.isprintable()


def send_with(session: Session, credential: Credential) -> None:
    """Every request of the session is sent with the credential."""
    for scheme in ("http://", "https://"):
        session.mount(scheme, _OnTheWire(credential))


class _OnTheWire(HTTPAdapter):
    """Adds the credential to the request line or the headers as they are sent.

    In an address or among a request's headers it would get into exceptions, and into urllib3's log.
    """

    def __init__(self, credential: Credential) -> None:
        super().__init__()
        self._credential = credential

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> HTTPConnectionPool:
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = _with(pool.ConnectionCls, self._credential)
        return pool


def _with(connection: Any, credential: Credential) -> Any:
    class Connection(connection):
        def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:
            if credential.parameter:
                start = "&" if "?" in url else "?"
                url = f"{url}{start}{credential.parameter}={quote(credential.secret, safe='')}"
            connection.putrequest(self, method, url, *args, **kwargs)
            if credential.header:
                self.putheader(credential.header, credential.scheme + credential.secret)

    return Connection


Parameters = Mapping[str, str | int]
_NONE: Parameters = {}


@dataclass(frozen=True, slots=True)
class Service:
    """A web service. ``timeout``: seconds to connect, to the first byte, and for the rest, each.

    ``what`` is what the person gets from it, as in "the weather look-up was not possible"; ``setting`` is the variable
    that its key is read from.
    """

    name: str
    timeout: float
    credential: Credential | None = None
    what: str = "look-up"
    setting: str = ""

    def get(self, url: str, parameters: Parameters) -> Reply:
        """The status and the JSON; raises ``ToolFailed``: key, network, timeout or refused."""
        return self._asked(url, parameters, None, text=False)

    def get_text(self, url: str, parameters: Parameters) -> Reply:
        """The status and the body as text; raises as ``get`` does."""
        return self._asked(url, parameters, None, text=True)

    def post(self, url: str, body: JsonValue) -> Reply:
        """The status and the JSON that come for a JSON ``body``; raises as ``get`` does."""
        return self._asked(url, _NONE, body, text=False)

    def _asked(self, url: str, parameters: Parameters, body: JsonValue, text: bool) -> Reply:
        secret = self.credential.secret if self.credential else ""
        if self.credential and not self.credential.can_be_sent:
            raise self.bad_key()
        session = BoundedSession()
        if self.credential:
            send_with(session, self.credential)
        with failures_of(self.name, self.what), session, session.ask(url, parameters, self.timeout, body) as response:
            content = received(response, self.name, self.timeout, self.what)
            status = response.status_code
        return Reply(status, without(content.decode("utf-8", "replace") if text else parsed(content), secret))

    def content(self, reply: Reply) -> Fields:
        """The object of a reply with status 200; raises ``ToolFailed`` for another status or no object."""
        if reply.status != 200:
            raise self.refused(reply.status)
        if not isinstance(reply.content, dict):
            raise unreadable(self.name, self.what)
        return reply.content

    def bad_key(self) -> ToolFailed:
        key = f" ({self.setting})" if self.setting else ""
        return self._failed(f"{self.name} does not accept its key{key}. The owner must correct it.", "key")

    def used_up(self, said: str = "") -> ToolFailed:
        told = f": {plain(said, 200).rstrip('.')}." if said else "."
        return self._failed(f"{self.name} takes no more questions for the moment{told}", "quota")

    def refused(self, status: int, said: str = "") -> ToolFailed:
        told = f": {plain(said, 200).rstrip('.')}." if said else "."
        return self._failed(f"{self.name} refused with status {status}{told}", "refused")

    def _failed(self, sentence: str, kind: str) -> ToolFailed:
        return ToolFailed(f"{sentence} {instead(self.what)}", kind)
