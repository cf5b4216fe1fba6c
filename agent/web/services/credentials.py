"""Keys of web services: added to a request as it is sent, so that nothing that can be printed ever holds one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from requests import Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool


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
