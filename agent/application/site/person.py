"""Who has signed in, and whether they are an owner of this site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.text.mail_addresses import folded


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has signed in, as their provider says.

    ``issuer`` and ``subject`` are the same for good. An address that is not ``verified`` is what they wrote themselves.
    """

    issuer: str
    subject: str
    name: str = ""
    email: str = ""
    verified: bool = False

    @property
    def called(self) -> str:
        """What others know them by."""
        return self.email or self.name

    @property
    def address(self) -> str:
        """The address that the provider vouches for, as two are compared, or ""."""
        return folded(self.email) if self.verified else ""


def read_person(claims: Mapping[str, object]) -> Person:
    """Of the claims of an identity (OpenID Connect Core 1.0, section 5.1); some providers write truth as a text."""
    issuer, subject, name, email = (str(claims.get(claim) or "") for claim in ("iss", "sub", "name", "email"))
    verified = claims.get("email_verified")
    return Person(issuer, subject, name, email, verified is True or str(verified).lower() == "true")


def is_owner(person: Person | None, owners: Sequence[str]) -> bool:
    """Whether ``owners`` name the person: by a verified address, or as ``issuer#subject`` where it is not verified."""
    if person is None:
        return False
    names = {f"{person.issuer}#{person.subject}"} if person.issuer and person.subject else set[str]()
    if person.address:
        names.add(person.address)
    return any((folded(owner) if "#" not in owner else owner) in names for owner in owners)
