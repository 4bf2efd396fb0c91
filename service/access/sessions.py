"""Sessions: a browser gets one instead of a token when it logs in, and loses it when it logs out.

A session is a credential of its own, in a cookie. Its secret is another one every day.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from flask import request
from uuid_utils import uuid7

from events.errors import IdReusedError
from events.event import now_ms
from service.access import families, secrets
from service.access.browsers import browser_name
from service.access.gate import DAY
from service.access.giving import may_use
from service.access.invitations import PURPOSE, Terms
from service.access.principals import GameRole, principal
from service.access.store import Credential, EndedError, StoreFullError
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.gate import Gate
    from service.access.invitations import Membership
    from service.access.principals import Principal

LIFETIME = 365 * DAY
"""Seconds after which a session has ended by itself."""

MOST_SESSIONS = 200
"""How many sessions a person has at a time; one more ends the oldest."""

ROTATED = DAY
"""Seconds after which a session gets another secret."""

OLD_SECRET_SECONDS = 60
"""Seconds that the secret before goes on working: other requests of the page may be on their way."""

LOGIN = "login"
"""The purpose of a code that logs a browser in."""

Session = tuple[str, int]
"""The secret of a session, and the seconds that it lasts."""


class NewMember(NamedTuple):
    """A person who accepts an invitation to a club: its `id`, who made it (`by`), and the ids of the person."""

    id: str
    by: str
    person: str
    people: frozenset[str]
    membership: Membership
    logged_in: bool


Join = Callable[[NewMember], None]
"""Records that somebody joins a club. Safe to repeat. Raises `IdReusedError` if another person used the invitation."""


class Login(NamedTuple):
    """The result of a log-in: a session, and the game that it is for or the joined club, if any.

    There is no new session for somebody who was logged in when they accepted an invitation to a club.
    """

    session: Session | None
    game: str | None = None
    club: str | None = None


def begin_by_token(gate: Gate, token: str) -> Login:
    """Begin a session with the rights of a token. Raises `token-unknown`."""
    found = gate.principal_of(token, session=False).credential
    return Login(_begin(gate, found.person, found.scopes, found.games, found.id, found.ends))


def begin_by_link(gate: Gate, code: str, visitor: Principal | None, join: Join) -> Login:
    """Begin a session with the code of a log-in link or an invitation, which is used up. Raises `token-unknown`.

    A visitor who is logged in accepts an invitation to a club as themselves. Raises what `join` raises; the link
    can be used again then.
    """
    if secrets.kind_of(code) != "log":
        raise ProblemError("token-unknown", gettext("the link is incomplete"))
    with gate.limit_guessing():
        digest = secrets.digest(code)
        kept = gate.store.take_code(digest, LOGIN)
        if kept is None:
            return _accept(gate, digest, visitor, join)
        maker = gate.store.credential(kept.data["maker"])
        if maker is None or not maker.is_valid(now_ms()):
            raise _used_up()
    return Login(_begin(gate, kept.person, _set(kept.data["scopes"]), _set(kept.data["games"]), maker.id, maker.ends))


def begin_by_short_code(gate: Gate, typed: str, visitor: Principal | None, join: Join) -> Login | None:
    """Begin a session with an invitation's short code; None if no invitation has it. Raises as `begin_by_link`, and
    `quota-exceeded`.
    """
    digest = gate.find_by_code(typed, gate.invitations.find)
    return None if digest is None else _accept(gate, digest, visitor, join)


def _accept(gate: Gate, digest: bytes, visitor: Principal | None, join: Join) -> Login:
    """The session of an invited person. The invitation is used up. Raises `token-unknown`, and what `join` raises.

    The membership is recorded first: where the log takes nothing, the invitation can be used again.
    """
    store = gate.store
    kept = store.find_code(digest, PURPOSE)
    terms = msgspec.convert(kept.data, Terms) if kept else None
    if kept is None or terms is None or not _still_stands(gate, terms):
        raise _used_up()
    member = _new_member(gate, kept.person, terms, visitor)
    if member:
        try:
            join(member)
        except IdReusedError:
            raise _used_up() from None
    if store.take_code(digest, PURPOSE) is None:
        raise _used_up()
    if member and member.logged_in:
        return Login(None, club=member.membership.club)
    person, place = kept.person, terms.place
    if place and person != store.owner:
        game_role = store.roles(person).games.get(place.game, GameRole(None))
        store.grant(person, place.game, game_role.role, game_role.seats | {place.seat}, by=terms.by)
    game = place.game if place else None
    return Login(_begin_invited(gate, person, terms, game), game, member.membership.club if member else None)


def _new_member(gate: Gate, invited: str, terms: Terms, visitor: Principal | None) -> NewMember | None:
    """A visitor with an unlimited session joins as themselves, anybody else as the invited person."""
    if terms.membership is None:
        return None
    if visitor and visitor.credential.kind == "ses" and visitor.credential.games is None:
        return NewMember(terms.id, terms.by, visitor.person, visitor.people, terms.membership, logged_in=True)
    people = gate.merges().ids_of([invited])
    return NewMember(terms.id, terms.by, invited, people, terms.membership, logged_in=False)


def _begin_invited(gate: Gate, person: str, terms: Terms, game: str | None = None) -> Session:
    maker = gate.store.credential(terms.credential)
    games = frozenset({game}) if game else None
    return _begin(gate, person, terms.scopes, games, terms.credential, maker.ends if maker else None)


def _still_stands(gate: Gate, terms: Terms) -> bool:
    """Whether the maker of an invitation could still make it: their credential or their rights may have ended."""
    credential = gate.store.credential(terms.credential)
    if credential is None or not credential.is_valid(now_ms()):
        return False
    return may_use(gate, principal(credential, gate.store, gate.merges()), terms)


def _used_up() -> ProblemError:
    return ProblemError("token-unknown", gettext("this link was already used, or it has expired"))


def end(gate: Gate, who: Principal) -> None:
    """End a session, in every browser that has a copy of it. Raises `StoreFullError`."""
    gate.end([who.credential.id], by=who.id, why="logged out")


def end_everywhere(gate: Gate, who: Principal, *, alone: bool = True) -> None:
    """End all sessions of a person that their credential governs, with their families unless `alone`.

    Raises `StoreFullError`.

    A person whom others let into a seat ends the sessions of that seat alone.
    """
    ids = [each.id for each in gate.store.credentials(who.people, "ses") if who.can_manage(each)]
    gate.end(ids, by=who.id, why="logged out everywhere")
    for id_ in [] if alone else ids:
        families.end(gate, id_, by=who.id, why="logged out everywhere")


def renewed(gate: Gate, who: Principal | None) -> Session | None:
    """A new secret for the caller's session, if the old one is due for renewal."""
    if who is None or who.credential.kind != "ses":
        return None
    old, now = who.credential, now_ms()
    ends = old.ends or now
    if now < old.begun + ROTATED * 1000 or ends <= now + OLD_SECRET_SECONDS * 1000 or who.credential.id in gate.renewed:
        return None
    gate.renewed.add(old.id)
    secret = secrets.make("ses")
    new = msgspec.structs.replace(old, id=str(uuid7()), begun=now, used=None)
    try:
        gate.store.replace(old.id, new, secrets.digest(secret), by=who.id, until=now + OLD_SECRET_SECONDS * 1000)
    except (StoreFullError, EndedError):
        return None
    return secret, (ends - now) // 1000


def session_name(who: Principal | None) -> str:
    """The name of a session for its browser, which keeps pages for it alone. It stays when the secret is renewed."""
    if who is None or who.credential.kind != "ses":
        return "none"
    return sha256(f"{who.person} {who.credential.ends}".encode()).hexdigest()[:16]


def _begin(
    gate: Gate, person: str, scopes: frozenset[str] | None, games: frozenset[str] | None, maker: str, until: int | None
) -> Session:
    now, secret = now_ms(), secrets.make("ses")
    ends = now + LIFETIME * 1000 if until is None else min(until, now + LIFETIME * 1000)
    session = Credential(
        id=str(uuid7()),
        kind="ses",
        person=person,
        name=browser_name(request.user_agent.string),
        scopes=scopes,
        games=games,
        begun=now,
        maker=maker,
        ends=ends,
    )
    others = [each.id for each in gate.store.credentials([person], "ses") if each.is_valid(now)]
    if len(others) >= MOST_SESSIONS:
        gate.end(others[: len(others) - MOST_SESSIONS + 1], by=person, why=f"more than {MOST_SESSIONS} sessions")
    gate.store.add(session, secrets.digest(secret), by=person, using=maker)
    return secret, (ends - now) // 1000


def _set(values: Iterable[str] | None) -> frozenset[str] | None:
    return None if values is None else frozenset(values)
