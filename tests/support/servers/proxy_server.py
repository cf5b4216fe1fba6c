"""A real HAProxy with the configuration of ``deploy/proxy``, on loopback.

In place of a cluster's DNS answers a server here: the name of the web processes stands for those that are told. Nothing
of the configuration is another than what owners use, but for the port it listens on and the address of the DNS.

It is Debian's package ``haproxy``; elsewhere put it on the PATH, or name its path in ``HAPROXY``.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from types import TracebackType

from tests.support.servers.app_server import START_SECONDS, free_port

ROOT = Path(__file__).parents[3]
RECIPE = ROOT / "deploy" / "proxy" / "haproxy.cfg"
PAGE = RECIPE.with_name("away.http")
_NAME = "web.glassbox.test"
_ADDRESS_RECORD, _INTERNET = 1, 1


def program() -> str:
    """The path of HAProxy's program."""
    found = os.environ.get("HAPROXY") or shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert found, "these tests need HAProxy: install Debian's package haproxy, or set HAPROXY to its path"
    return found


def get(port: int, path: str, cookie: str = "") -> int:
    """The status of a page of a server on this machine."""
    return page(port, path, cookie)[0]


def page(port: int, path: str, cookie: str = "") -> tuple[int, dict[str, str], str]:
    """Status, headers and text of a page of a server on this machine."""
    connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, answer.read().decode(errors="replace")
    finally:
        connection.close()


class ProxyServer:
    """``with ProxyServer(folder, ["127.0.0.2", "127.0.0.3"], port) as proxy: proxy.port``."""

    def __init__(self, folder: Path, webs: list[str], web_port: int) -> None:
        """``webs`` are the addresses of the web processes, which all listen on ``web_port``."""
        self.port = free_port()
        self._names = _NameServer(webs)
        self._webs, self._web_port = webs, web_port
        self._file, self._log, self._master = folder / "haproxy.cfg", folder / "haproxy.log", folder / "haproxy.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def told(self, command: str) -> str:
        """What HAProxy's worker answers to a command of its console."""
        with socket.socket(socket.AF_UNIX) as console:
            console.connect(str(self._master))
            console.sendall(f"@1 {command}\n".encode())
            console.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: console.recv(65_536), b"")).decode()

    def stays_with(self, cookie: str) -> str:
        """The address of the web process with which a visitor's cookie stays, "" while there is none."""
        row = next((line for line in self.told("show table web").splitlines() if f"key={cookie}" in line), "")
        server = row.rpartition("server_key=")[2].split()[0] if "server_key=" in row else ""
        return next((address for name, address, _ in self._servers() if name == server), "")

    def up(self) -> set[str]:
        """The addresses of the web processes that are ready; none before HAProxy is."""
        try:
            return {address for _, address, is_up in self._servers() if is_up}
        except (FileNotFoundError, ConnectionError):
            return set()

    def visits(self) -> dict[str, int]:
        """How many connections each of the web processes was given."""
        rows = [line.split(",") for line in self.told("show stat").splitlines() if line.startswith("web,web-")]
        return {row[1]: int(row[7]) for row in rows if int(row[7])}

    def wait_for(self, *addresses: str) -> None:
        """Wait until just these are ready."""
        end = monotonic() + START_SECONDS
        while not self._is_up() or self.up() != set(addresses):
            assert monotonic() < end and self._process and self._process.poll() is None, self._log.read_text()
            sleep(0.05)

    def _is_up(self) -> bool:
        try:
            return "Pid: " in self.told("show info")
        except (FileNotFoundError, ConnectionError):
            return False

    def _servers(self) -> list[tuple[str, str, bool]]:
        rows = [line.split() for line in self.told("show servers state web").splitlines()]
        return [(row[3], row[4], row[5] == "2") for row in rows if len(row) > 5 and row[3].startswith("web-")]

    def get(self, path: str, cookie: str = "") -> int:
        """The status of a page."""
        return get(self.port, path, cookie)

    def page(self, path: str, cookie: str = "") -> tuple[int, dict[str, str], str]:
        """Status, headers and text of a page."""
        return page(self.port, path, cookie)

    def __enter__(self) -> ProxyServer:
        text = RECIPE.read_text(encoding="utf-8")
        for ours, theirs in (
            ("bind :8080", f"bind 127.0.0.1:{self.port}"),
            ("parse-resolv-conf", f"nameserver here 127.0.0.1:{self._names.port}"),
        ):
            assert text.count(ours) == 1
            text = text.replace(ours, theirs)
        self._file.write_text(text, encoding="utf-8")
        shutil.copy(PAGE, self._file.parent)
        self._names.start()
        environment = {"PATH": os.environ.get("PATH", ""), "WEB_ADDRESS": f"{_NAME}:{self._web_port}"}
        command = [program(), "-W", "-db", "-S", str(self._master), "-f", str(self._file)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            self.wait_for(*self._webs)
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        assert self._process
        self._process.terminate()
        self._process.wait()
        self._names.close()

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close()


class _NameServer:
    """Answers every question for addresses (RFC 1035, UDP) with the same ones, and with none for any other kind."""

    def __init__(self, addresses: list[str]) -> None:
        self._addresses = addresses
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = Thread(target=self._answer, name="names", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waking:
            waking.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join()
        self._socket.close()

    def _answer(self) -> None:
        while True:
            asked, sender = self._socket.recvfrom(65_536)
            if not asked:
                return
            ends = asked.index(b"\0", 12) + 5  # the name, its kind and its class
            (kind,) = struct.unpack("!H", asked[ends - 4 : ends - 2])
            known = self._addresses if kind == _ADDRESS_RECORD else []
            records = [
                struct.pack("!HHHIH4s", 0xC00C, _ADDRESS_RECORD, _INTERNET, 5, 4, socket.inet_aton(address))
                for address in known
            ]
            head = asked[:2] + struct.pack("!HHHHH", 0x8180, 1, len(records), 0, 0)
            self._socket.sendto(head + asked[12:ends] + b"".join(records), sender)
