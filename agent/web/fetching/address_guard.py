"""Which addresses of the network are public, and how a number may be written in place of one.

The ranges are those of the IANA special-purpose registries (RFC 6890 and its updates), and addresses under which
clouds keep the credentials of a machine. ``ipaddress.is_global`` is not used: what it says of IPv6 forms that hold an
IPv4 address, and of cloud addresses in public ranges, differs between versions of Python or is of no use here.
"""

from __future__ import annotations

import socket
import unicodedata
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread

from agent.text.regex import regex

Address = IPv4Address | IPv6Address


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, text.split()))


_NOT_PUBLIC = _networks("""
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
    203.0.113.0/24 224.0.0.0/3
""")
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = _networks("2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20")
# Link-local addresses, and the metadata services of AWS and Google (IPv6), Alibaba, Oracle and Azure.
_METADATA = _networks(
    "169.254.0.0/16 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fe80::/10 fd00:ec2::/32 fd20:ce::/32"
)
_HOLDING_IPV4 = _networks("::/96 ::ffff:0:0/96 64:ff9b::/96")
# Names that public DNS does not have, and what stands for this machine's own name in containers and clouds.
_PRIVATE_NAMES = (
    ".local",
    ".localhost",
    ".localdomain",
    ".internal",
    ".intranet",
    ".lan",
    ".home",
    ".corp",
    ".home.arpa",
)
METADATA_NAMES = ("metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal")
_NUMBER = regex(r"0x[0-9a-f]*|[0-9]+")


def plain_host(host: str) -> str:
    """``host`` as look-ups take it: lower case, letters and digits of one form, without brackets and the last dot."""
    return unicodedata.normalize("NFKC", host).replace("。", ".").lower().strip("[]").rstrip(".")


def idna_name(host: str) -> str:
    """The name as DNS has it (IDNA 2008), "" where it cannot be one."""
    import idna

    try:
        return idna.encode(host).decode()
    except idna.IDNAError:
        return ""


def read_address(host: str) -> Address | None:
    """The address that ``host`` is a notation of, ``None`` for a name.

    Besides the usual ones: one to four numbers with dots between, each decimal, octal (``0177``) or hexadecimal
    (``0x7f``), the last of which fills what is left (``127.1``), as the C library reads them; digits of other scripts;
    a dot at the end; a zone (``fe80::1%eth0``). An impossible notation is ``None``.
    """
    text = plain_host(host).partition("%")[0]
    try:
        return ip_address(text)
    except ValueError:
        return _numbers(text.split("."))


def _numbers(parts: list[str]) -> IPv4Address | None:
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) and len(part) < 30 for part in parts):
        return None
    values = [_value(part) for part in parts]
    *first, last = values
    if any(value is None or value > 255 for value in first) or last is None or last >= 256 ** (5 - len(parts)):
        return None
    return IPv4Address(sum((value or 0) << (24 - 8 * place) for place, value in enumerate(first)) + last)


def _value(text: str) -> int | None:
    base = 16 if text.startswith("0x") else 8 if text.startswith("0") else 10
    try:
        return int(text.removeprefix("0x") or "0", base)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether anyone on the internet may be there. IPv6 forms that hold an IPv4 address are not public."""
    if isinstance(address, IPv4Address):
        return not is_metadata(address) and not any(address in network for network in _NOT_PUBLIC)
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def is_metadata(address: Address) -> bool:
    """Whether a machine finds its own credentials there: link-local, or known as such of a cloud."""
    if isinstance(address, IPv6Address):
        held = _held(address)
        if held is not None:
            return is_metadata(held)
    return any(address in network for network in _METADATA if network.version == address.version)


def _held(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that is mapped, embedded or translated (NAT64, 6to4)."""
    if any(address in network for network in _HOLDING_IPV4):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour


def is_private_name(host: str) -> bool:
    """Whether public DNS does not have names like this one."""
    return "." not in host or host.endswith(_PRIVATE_NAMES)


def look_up(host: str, seconds: float) -> list[Address]:
    """All addresses of a name; none where there are none, or where it takes longer than ``seconds``."""
    answers: SimpleQueue[list[Address]] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            found = []
        read = (read_address(str(entry[4][0])) for entry in found)
        answers.put([address for address in read if address is not None])

    # The system's resolver cannot be stopped; a thread that is stuck in it is left behind.
    Thread(target=ask, name="name look-up", daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        return []
