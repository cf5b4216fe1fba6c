"""The HTTP server under those that tests start: it ends at once."""

from __future__ import annotations

import socket
from http.server import ThreadingHTTPServer


class PromptServer(ThreadingHTTPServer):
    """``shutdown`` wakes the thread that serves, which otherwise looks for the end only every ``poll_interval``."""

    def shutdown(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        super().shutdown()
