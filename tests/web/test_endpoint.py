"""Which servers may be connected where the owner allows the public internet only, and what is never allowed."""

from __future__ import annotations

import time

import pytest

from agent.errors import BadRequest
from agent.web.endpoint import check_address, check_addresses, normalise_endpoint
from agent.web.fetching.address_guard import read_address
from tests.support.cases import each

PUBLIC = [
    "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
    "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888",
]  # fmt: skip
PRIVATE = [
    # loopback, unspecified
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "::1", "::",
    # private, shared, benchmark, documentation, multicast, reserved, broadcast
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1",
    "100.127.255.255", "198.18.0.1", "198.19.255.255", "192.0.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9",
    "192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    # the same in other notations: short, decimal, hexadecimal, octal, mixed, full-width, with a last dot
    "127.1", "127.0.1", "0", "2130706433", "0x7f000001", "017700000001", "0x7f.1", "0177.0.0.1", "0300.0250.0.1",
    "0xc0.0xa8.0.1", "10.1", "3232235521", "１２７.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "127.0.0.1.", "0x",
    # IPv6: unique local, site-local, multicast, documentation, discard, Teredo, benchmark, ORCHID, dummy
    "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1", "2001::1", "2001:2::1", "2001:20::1",
    "3fff::1", "5f00::1", "2620:4f:8000::1",
    # IPv4 within IPv6: mapped, compatible, translated, 6to4; also around a public address
    "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1",
    "2002:a00:1::", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
]  # fmt: skip
NEVER = [
    "169.254.169.254", "169.254.0.1", "169.254.170.2", "2852039166", "0xa9fea9fe", "0xa9.254.169.254",
    "0251.0376.0251.0376", "169.254.43518", "１６９.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192",
    "fe80::1", "fe80::1%eth0", "febf::1", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe",
    "::169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "metadata",
    "metadata.google.internal", "METADATA.google.internal.",
    "instance-data", "instance-data.ec2.internal",
]  # fmt: skip
PRIVATE_NAMES = [
    "localhost", "LOCALHOST", "localhost.", "ｌocalhost", "my.localhost", "localhost.localdomain", "box.local",
    "ollama", "host.docker.internal", "gateway.internal", "nas.lan", "pi.home", "pi.home.arpa", "wiki.corp",
    "wiki.intranet",
]  # fmt: skip


def endpoint(host: str) -> str:
    return f"http://[{host}]:8000/v1" if ":" in host else f"http://{host}:8000/v1"


def refused(host: str, private_allowed: bool) -> str:
    with pytest.raises(BadRequest) as caught:
        check_address(endpoint(host), private_allowed)
    return str(caught.value)


@each("host", PUBLIC)
def test_public_addresses_are_always_allowed(host: str) -> None:
    check_address(endpoint(host), private_allowed=False)
    check_address(endpoint(host), private_allowed=True)


@each("host", PRIVATE)
def test_other_addresses_are_the_owners_to_allow(host: str) -> None:
    assert "public internet only" in refused(host, private_allowed=False)
    check_address(endpoint(host), private_allowed=True)


@each("host", PRIVATE_NAMES)
def test_names_of_the_own_network_are_the_owners_to_allow(host: str) -> None:
    assert "public internet only" in refused(host, private_allowed=False)


def test_a_name_that_is_looked_up_and_allowed() -> None:
    check_address("http://localhost:8000/v1", private_allowed=True)


@each("host", NEVER)
@each("private_allowed", [False, True])
def test_metadata_is_never_allowed(host: str, private_allowed: bool) -> None:
    assert "not used for model servers" in refused(host, private_allowed)


@each("host", [host for host in NEVER if host[0].isdigit() or ":" in host])
def test_metadata_is_refused_in_every_notation_as_it_is_typed(host: str) -> None:
    with pytest.raises(BadRequest, match="not used for model servers"):
        normalise_endpoint(endpoint(host))


def test_a_name_without_an_address() -> None:
    """Refused where it must be public; else a proxy of the environment may know it."""
    began = time.monotonic()
    assert "Check the spelling" in refused("nothing.invalid", private_allowed=False)
    check_address(endpoint("nothing.invalid"), private_allowed=True)
    assert "Check the spelling" in refused(f"{'a' * 64}.test", private_allowed=False)
    assert time.monotonic() - began < 20


@each(
    ("found", "private_allowed", "allowed"),
    [
        (["8.8.8.8"], False, True),
        (["8.8.8.8", "2606:4700::1111"], False, True),
        (["8.8.8.8", "127.0.0.1"], False, False),
        (["10.0.0.1", "8.8.8.8"], False, False),
        (["8.8.8.8", "::1"], False, False),
        (["8.8.8.8", "127.0.0.1"], True, True),
        (["8.8.8.8", "169.254.169.254"], True, False),
        (["10.0.0.1", "fe80::1%2"], True, False),
        ([], True, True),
        ([], False, False),
    ],
)
def test_one_bad_address_of_a_name_is_enough(found: list[str], private_allowed: bool, allowed: bool) -> None:
    addresses = [address for text in found if (address := read_address(text))]
    assert len(addresses) == len(found)
    if allowed:
        check_addresses(addresses, private_allowed)
    else:
        with pytest.raises(BadRequest):
            check_addresses(addresses, private_allowed)


@each(
    "host",
    ["example.com", "256.1.1.1", "1.2.3.4.5", "1.2.3.99999", "08.8.8.8", "0xg.1", "1..2", "", "a.1", "9" * 40,
     "4294967296"],
)  # fmt: skip
def test_names_and_impossible_numbers(host: str) -> None:
    assert read_address(host) is None


def test_the_sentence_says_what_to_do() -> None:
    said = refused("192.168.0.1", private_allowed=False)
    assert "Choose a hosted server, or run the app on your own machine" in said


@each(
    "typed", ["sk-proj-abcdefgh12345678ijkl", " gsk_abcdefgh12345678ijkl\n", "AIzaSyA1234567890abcdefghijklmnopqrstuv"]
)
def test_a_key_is_no_address(typed: str) -> None:
    with pytest.raises(BadRequest, match="looks like a key, not an address") as caught:
        normalise_endpoint(typed)
    assert typed.strip()[:8] not in str(caught.value)


@each("host", ["gsk-server", "hf-gateway-01", "sk_box", "pk-1234567890abcdef12:8000"])
def test_a_name_of_a_machine_is_no_key(host: str) -> None:
    assert host in normalise_endpoint(host)
