"""A server that nobody may ask."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from threading import Thread

from tests.support.servers.prompt_server import PromptServer


class Canary:
    """A loopback server that notes every request and answers with a picture."""

    _PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

    def __init__(self) -> None:
        canary = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                canary.hits.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(canary._PIXEL)

            do_POST = do_HEAD = do_OPTIONS = do_GET

            def log_message(self, format: str, *args: object) -> None:
                """Quiet: what came is in ``hits``."""

        self.hits: list[str] = []
        self._server = PromptServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
