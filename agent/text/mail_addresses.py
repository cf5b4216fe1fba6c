"""Addresses of people: as they are typed into a list, and as two of them are compared."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.text.regex import regex

MOST_CHARACTERS = 254  # of an address, by RFC 5321
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
# A dot-atom of RFC 5322 and a domain with a dot: what is quoted is nobody's address on a site that people sign in to.
_ADDRESS = regex(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.ASCII)


def folded(address: str) -> str:
    """The address in small letters, by which two are compared.

    Only the letters A to Z have small ones here: what looks like one of them, as the sign for Kelvin does, stays
    another letter, and so another address.
    """
    return address.strip().translate(_SMALL)


def read_addresses(typed: str, most: int) -> tuple[str, ...]:
    """The addresses in a text, one a line, folded, each once, in their order.

    Raises ``BadRequest`` for a line that is none, and where there are more than ``most``.
    """
    if len(typed) > 2 * most * MOST_CHARACTERS:
        raise BadRequest(_too_many(most))
    found: dict[str, None] = {}
    for number, line in enumerate(typed.splitlines(), 1):
        address = folded(line)
        if address:
            _check(number, address)
            found[address] = None
    if len(found) > most:
        raise BadRequest(_too_many(most))
    return tuple(found)


def is_address(address: str) -> bool:
    """Whether it is an address, folded, that people can be named by."""
    return address.isascii() and len(address) <= MOST_CHARACTERS and _ADDRESS.fullmatch(address) is not None


def _check(number: int, address: str) -> None:
    if not address.isascii():
        raise BadRequest(
            Text(
                "Line {number:,} has a letter that only looks like one of A to Z, or one with an accent. Type the "
                "address by hand; a domain in other letters begins with xn--.",
                number=number,
            )
        )
    if not is_address(address):
        raise BadRequest(
            Text("Line {number:,} is no address. Write one a line, such as ann@example.com.", number=number)
        )


def _too_many(most: int) -> Text:
    return Text("A chat can be shared with {most:,} people by name. Share it with everyone who signs in.", most=most)
