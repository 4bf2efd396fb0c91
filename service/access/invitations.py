"""Invitations: a link that lets a person's phone in, or makes a member of a club, once, and a short code for it.

The link opens by a secret. The store keeps only its digest. The code can be typed and guessed, so it is on no disk, a
restart forgets it, and few wrong codes are allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
from uuid_utils import uuid7

from events.clubs import Role  # noqa: TC001 - msgspec reads it
from events.event import now_ms
from service.access import codes, secrets
from service.access.passing import ExpiringStore
from service.access.scopes import Scopes
from service.access.store import Code

if TYPE_CHECKING:
    from service.access.principals import Principal
    from service.access.store import Store

LIFETIME = 30 * 60
"""Seconds that an invitation can be used."""

MOST_OPEN = 100
"""How many invitations somebody can have open; one more takes the place of the oldest."""

PURPOSE = "invitation"
"""What its code is kept for."""


class Place(NamedTuple):
    """A seat of a game."""

    game: str
    seat: int


class Membership(NamedTuple):
    """A role in a club."""

    club: str
    role: Role


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of an invitation: who made it (`by`, their id in the log, with `credential`), for which seat or club.

    The invited person may do what `scopes` say, everywhere or in the game of that seat.
    """

    id: str
    by: str
    credential: str
    place: Place | None = None
    scopes: Scopes | None = None
    membership: Membership | None = None


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An open invitation, and its short code while that is known."""

    person: str
    made: int
    ends: int
    terms: Terms
    code: str | None


class ShortCode(NamedTuple):
    """The invitation behind a short code: its id, and the digest of its secret."""

    id: str
    digest: bytes


class Invitations:
    """The open invitations. Safe to share between threads."""

    def __init__(self, store: Store, redis_url: str) -> None:
        self._store = store
        self._short = ExpiringStore(redis_url, "invitations", ShortCode, LIFETIME)
        """By short code."""

    def make(
        self,
        person: str,
        who: Principal,
        place: Place | None = None,
        scopes: Scopes | None = None,
        membership: Membership | None = None,
    ) -> tuple[str, Invitation]:
        """Invite a person. Returns the secret of the link, and the invitation. Raises `StoreFullError`."""
        now, secret = now_ms(), secrets.make("log")
        terms = Terms(
            id=str(uuid7()),
            by=who.id,
            credential=who.credential.id,
            place=place,
            scopes=scopes,
            membership=membership,
        )
        digest, ends = secrets.digest(secret), now + LIFETIME * 1000
        with self._short.open() as short:
            own = [each.terms.id for each in self._open(short) if each.terms.by == who.id]
            for id_ in own[: len(own) - MOST_OPEN + 1]:
                self._store.drop_code(PURPOSE, id_, by=who.id)
            kept = Code(purpose=PURPOSE, person=person, made=now, ends=ends, data=msgspec.to_builtins(terms))
            self._store.put_code(digest, kept, by=who.id)
            code = codes.make(short)
            short[code] = ShortCode(terms.id, digest)
        return secret, Invitation(person=person, made=now, ends=ends, terms=terms, code=code)

    def usable(self) -> list[Invitation]:
        """The usable invitations, the oldest first."""
        with self._short.open() as short:
            return self._open(short)

    def withdraw(self, id_: str, *, by: str) -> bool:
        """Withdraw an invitation; False if no open one has this id. Raises `StoreFullError`."""
        return self._store.drop_code(PURPOSE, id_, by=by)

    def find(self, typed: str) -> bytes | None:
        """The digest of the secret for a short code, in any spelling."""
        with self._short.open() as short:
            found = short.get(codes.normal_code(typed))
            known = found and any(each.terms.id == found.id for each in self._open(short))
        return found.digest if found and known else None

    def _open(self, short: dict[str, ShortCode]) -> list[Invitation]:
        """The invitations in the store, with their short codes. Other codes are forgotten."""
        now = now_ms()
        kept = [(each, msgspec.convert(each.data, Terms)) for each in self._store.codes(PURPOSE) if now < each.ends]
        ids = {terms.id for _, terms in kept}
        for code in [code for code, known in short.items() if known.id not in ids]:
            del short[code]
        named = {known.id: code for code, known in short.items()}
        return [
            Invitation(person=each.person, made=each.made, ends=each.ends, terms=terms, code=named.get(terms.id))
            for each, terms in kept
        ]
