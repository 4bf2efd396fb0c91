"""Tokens: scopes, games, rotation and revocation; and sessions of browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response, request
from uuid_utils import uuid7

from events.event import now_ms, optional_timestamp, timestamp
from service.access import families, secrets
from service.access.gate import DAY, gate, missing_scope, request_network, require_principal
from service.access.names import names_of
from service.access.needs import KNOWN, OPEN
from service.access.ownerfile import is_before, keep_token
from service.access.principals import NONE
from service.access.scopes import ROLES
from service.access.sessions import LOGIN, end_everywhere
from service.access.store import READS, Code, Credential
from service.api.addresses import phone_url
from service.api.answers.access import (
    GameReadInfo,
    GameRoleInfo,
    LoginLink,
    MadeToken,
    TestedToken,
    TestedTokens,
    TokenFamily,
    TokenInfo,
    TokenList,
    WhoAmI,
)
from service.api.endpoints import TEXT, Endpoints, archive, context, reply
from service.api.routes import links, webhooks
from service.api.schemas.access import MadeQuery, TokenSchema, WhoseQuery
from service.languages import gettext
from service.problems.kinds import ProblemError, bad_field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.principals import Principal
    from service.access.scopes import Scopes
    from service.access.store import Read

endpoints = Endpoints("tokens")

MOST_TESTED = 1000
"""How many tokens are tested at a time."""

OLD_TOKEN_SECONDS = 5 * 60
"""Seconds that a token goes on working after it was rotated: the answer with the new one may have been lost."""

LOGIN_LINK = 15 * 60
"""Seconds that a log-in link can be used."""


@endpoints.route("GET", "/v1/token", scope=KNOWN, answer=WhoAmI, conditional=True)
def show_token() -> Response:
    """Show the caller and their rights.

    `scopes` are those on the service, and in all games that `games` does not name. `games` are the games with a role or
    seats of their own.
    """
    who = require_principal()
    roles = [
        GameRoleInfo(game, role.role, sorted(role.seats), sorted(gate().permissions(who, game).scopes))
        for game, role in sorted(who.roles.games.items())
    ]
    return reply(WhoAmI(_infos([who.credential])[0], who.roles.service, sorted(who.service), roles))


@endpoints.route(
    "DELETE",
    "/v1/token",
    scope=KNOWN,
    query=MadeQuery(),
    status=204,
    problems=("bad-request", "owner-stays", "storage-full"),
)
def end_token(query: dict[str, Any]) -> Response:
    """Revoke the token, or end the session, of this request.

    The family of a token ends with it, unless `made=keep` is given. The family of a session is kept, unless `made=end`
    is given: its browser logs out. The owner's token cannot be revoked, only rotated.
    """
    known = require_principal().credential
    _end(known, query["made"] or ("keep" if known.kind == "ses" else "end"))
    return Response(status=204)


@endpoints.route(
    "POST",
    "/v1/token/rotation",
    scope=KNOWN,
    query=MadeQuery(),
    keyed=True,
    status=201,
    answer=MadeToken,
    problems=("bad-request", "storage-full"),
)
def rotate_token(query: dict[str, Any]) -> Response:
    """Replace the token of this request by a new one.

    It has the same rights and the same end. The old one works for five minutes more. The owner's token ends at once,
    with all sessions of the owner, and the new one lies in the data folder. Its family is kept, unless `made=end` is
    given. Use that if others may have seen the token.
    """
    who = require_principal()
    old, now = who.credential, now_ms()
    if old.kind == "ses":
        raise ProblemError("bad-request", gettext("a session is not a token: the service rotates it"))
    secret = secrets.make(old.kind)
    new = msgspec.structs.replace(old, id=str(uuid7()), begun=now, used=None)
    if old.kind == "own":
        _rotate_owner(who, new, secret, now)
    else:
        context().access.replace(old.id, new, secrets.digest(secret), by=who.id, until=now + OLD_TOKEN_SECONDS * 1000)
    if query["made"] == "end":
        families.end(gate(), old.id, by=who.id, why="rotated", but=new.id)
    return _no_store(reply(MadeToken(secret, _infos([new])[0]), 201))


def _rotate_owner(who: Principal, new: Credential, secret: str, now: int) -> None:
    """Replace the owner's token. The file is written first: after a restart, the token in it counts."""
    access = context().access
    if new.name not in {"", context().host}:
        raise ProblemError("bad-request", f"this is the owner's token of the host {new.name}: rotate it there")
    try:
        keep_token(context().settings.data, secret)
    except OSError as error:
        raise ProblemError("storage-full", f"the token cannot be kept: {error.strerror}") from error
    gate().accept_owner_token(secret)
    access.replace(who.credential.id, new, secrets.digest(secret), by=who.id, until=now)
    sessions = access.credentials([who.person], "ses")
    others = [*sessions, *(each for each in access.credentials([who.person], "own") if is_before(each, new))]
    gate().end([each.id for each in others], by=who.id, why="the owner's token was rotated")
    context().owner_token = secret


@endpoints.route(
    "POST",
    "/v1/token/test",
    scope=OPEN,
    body="up to 1,000 tokens, with commas between them",
    body_types=(TEXT,),
    answer=TestedTokens,
    problems=("bad-request", "bad-media-type", "body-too-large", "quota-exceeded"),
)
def test_tokens() -> Response:
    """Test tokens: whether they are valid here, and what they may do.

    A finder of a leaked token can test it here. The result of an invalid token is null.
    """
    if request.mimetype != TEXT:
        raise ProblemError(
            "bad-media-type",
            gettext("send %(type)s, not %(sent)s", type=TEXT, sent=request.mimetype or gettext("nothing")),
        )
    sent = [text.strip() for text in request.get_data(cache=False).decode("ascii", errors="replace").split(",")]
    if len(sent) > MOST_TESTED:
        raise ProblemError(
            "bad-request", gettext("at most %(most)s tokens at a time, not %(sent)s", most=MOST_TESTED, sent=len(sent))
        )
    limits, address = gate().limits, request_network()
    limits.check("guesses", address)
    found = {text: _find_token(text) for text in sent if text}
    if any(known is None and secrets.kind_of(text) for text, known in found.items()):
        limits.note("guesses", address)
    return _no_store(reply(TestedTokens(found)))


def _find_token(text: str) -> TestedToken | None:
    try:
        who = gate().principal_of(text, session=False, guards=False)
    except ProblemError:
        return None
    return TestedToken(who.person, sorted(gate().reach(who)), optional_timestamp(who.credential.ends))


@endpoints.route(
    "GET", "/v1/tokens", scope=KNOWN, query=WhoseQuery(), answer=TokenList, conditional=True, problems=("bad-request",)
)
def list_tokens(query: dict[str, Any]) -> Response:
    """List your tokens and sessions, the oldest first.

    A device gets the tokens that may do no more than it; a program with `tokens:write` gets all. A
    caller with the scope `admin` can ask for those of `everybody`. No token itself is shown.
    """
    who = require_principal()
    if query["everybody"] and "admin" not in who.service:
        raise missing_scope("admin", who, None)
    found = context().access.credentials(None if query["everybody"] else who.people)
    now = now_ms()
    return reply(TokenList(_infos(each for each in found if each.is_valid(now) and who.can_manage(each))))


@endpoints.route(
    "POST",
    "/v1/tokens",
    scope="tokens:write",
    body=TokenSchema(),
    keyed=True,
    status=201,
    answer=MadeToken,
    problems=("bad-json", "bad-request", "scope-needed", "storage-full"),
)
def make_token(body: dict[str, Any]) -> Response:
    """Make a token for a program, or, as the owner, for a device of a `person`.

    It is made with a `role` or with `scopes`, and perhaps only for some `games`. It may never do more than its maker.
    Only this answer shows it.
    """
    who = require_principal()
    scopes = _wanted(body)
    games = frozenset(body["games"]) if body["games"] is not None else None
    person = body["person"] or who.person
    device = person != who.person
    if device and "admin" not in who.service:
        raise missing_scope("admin", who, None)
    scopes = _checked_device(who, scopes) if device else _checked(who, scopes, games)
    now, secret = now_ms(), secrets.make("dev" if device else "app")
    id_ = str(uuid7())
    made = Credential(
        id=id_,
        kind="dev" if device else "app",
        person=person,
        app=None if device else id_,
        name=body["name"],
        scopes=scopes,
        games=games,
        begun=now,
        maker=who.id,
        ends=_earlier(now + body["days"] * DAY * 1000, None if device else who.credential.ends),
    )
    context().access.add(made, secrets.digest(secret), by=who.id, using=who.credential.id)
    return _no_store(reply(MadeToken(secret, _infos([made])[0]), 201))


@endpoints.route(
    "DELETE",
    "/v1/tokens/<token>",
    scope=KNOWN,
    query=MadeQuery(),
    status=204,
    problems=("bad-request", "credential-unknown", "owner-stays", "storage-full"),
)
def revoke_token(token: str, query: dict[str, Any]) -> Response:
    """Revoke a token, or end a session, by its id.

    One that you may list. Its family ends with it, unless `made=keep` is given. `GET …/family` shows the
    family. The family of a token that has ended can be ended later.
    """
    known, made = _found(token), query["made"] or "end"
    if known.ended is None:
        _end(known, made)
    elif made == "keep" or not families.end(gate(), known.id, by=require_principal().id, why="revoked"):
        raise _unknown(token)
    return Response(status=204)


@endpoints.route(
    "GET",
    "/v1/tokens/<token>/family",
    scope=KNOWN,
    answer=TokenFamily,
    conditional=True,
    problems=("credential-unknown", "storage-full"),
)
def show_token_family(token: str) -> Response:
    """Show the family of a token: the tokens, links and endpoints that were made with it, directly or in turn.

    `reads` lists the games that they have read, with the first and last day. It also works
    for a revoked token: its family may have been kept.
    """
    found = families.family(context().access, _found(token).id)
    gate().write_reads()
    answer = TokenFamily(
        tokens=_infos(found.credentials),
        links=links.link_infos(found.links),
        webhooks=webhooks.webhook_infos(found.webhooks),
        reads=[_read(each) for each in context().access.reads(found.ids)[:READS]],
    )
    return reply(answer)


def _read(read: Read) -> GameReadInfo:
    first, last = (timestamp(day * DAY * 1000)[:10] for day in (read.first, read.last))
    title = links.title_of(read.game) if read.game else None
    return GameReadInfo(read.credential, read.game or None, title, first, last)


def _found(token: str) -> Credential:
    """A token that the caller may know of. It may have ended. Raises `credential-unknown`."""
    known = context().access.credential(token)
    if known is None or not require_principal().can_manage(known):
        raise _unknown(token)
    return known


def _unknown(token: str) -> ProblemError:
    return ProblemError("credential-unknown", gettext("no token has the id %(id)s", id=repr(token)))


@endpoints.route(
    "POST",
    "/v1/login-links",
    scope="tokens:write",
    keyed=True,
    status=201,
    answer=LoginLink,
    problems=("storage-full",),
)
def make_login_link() -> Response:
    """Make a link that logs a browser in, once, within fifteen minutes.

    The browser gets the rights of the token of this request.
    """
    who, now, code = require_principal(), now_ms(), secrets.make("log")
    allowed = {"scopes": who.credential.scopes, "games": who.credential.games}
    limits = {name: None if scopes is None else sorted(scopes) for name, scopes in allowed.items()}
    data = limits | {"maker": who.credential.id}
    kept = Code(purpose=LOGIN, person=who.person, made=now, ends=now + LOGIN_LINK * 1000, data=data)
    context().access.put_code(secrets.digest(code), kept, by=who.id)
    return _no_store(reply(LoginLink(f"/login?code={code}", timestamp(kept.ends), phone_url()), 201))


@endpoints.route(
    "DELETE", "/v1/sessions", scope=KNOWN, query=MadeQuery(), status=204, problems=("bad-request", "storage-full")
)
def end_sessions(query: dict[str, Any]) -> Response:
    """Log out everywhere.

    All sessions of the caller end that may do no more than this credential. What was made with them is kept, unless
    `made=end` is given. Use that if somebody else had one of the browsers.
    """
    end_everywhere(gate(), require_principal(), alone=query["made"] != "end")
    return Response(status=204)


def _wanted(body: dict[str, Any]) -> Scopes | None:
    """The requested scopes. A role gives a program its scopes, except making more tokens."""
    if body["role"]:
        return ROLES[body["role"]] - {"tokens:write"}
    return None if body["scopes"] is None else frozenset(body["scopes"])


def _checked(who: Principal, scopes: Scopes | None, games: frozenset[str] | None) -> Scopes:
    """The scopes of an app's token: no more than its maker has. Raises `bad-request`, `scope-needed`."""
    if scopes is None:
        raise bad_field("scopes", "say what the program may do: give `scopes`, or a `role`")
    allowed = who.grantable_scopes | reach_within(who, games or frozenset())
    if beyond := sorted(scopes - allowed):
        raise missing_scope(beyond[0], who, None)
    return scopes


def _checked_device(who: Principal, scopes: Scopes | None) -> Scopes | None:
    """The scopes of somebody's device: no more than the credential has that makes it. Raises `scope-needed`."""
    within = who.credential.scopes
    if scopes is not None and within is not None and (beyond := sorted(scopes - within)):
        raise missing_scope(beyond[0], who, None)
    return within if scopes is None else scopes


def reach_within(who: Principal, games: frozenset[str]) -> Scopes:
    """Everything that somebody may do in some games. Raises `bad-request` for an unknown or hidden game."""
    found = frozenset[str]()
    for game in sorted(games):
        permissions = gate().permissions(who, game)
        if permissions is NONE or archive().log.head(game) is None:
            raise bad_field("games", f"no game {game}")
        found |= permissions.scopes
    return found


def _end(credential: Credential, made: str) -> None:
    if credential.kind == "own":
        raise ProblemError("owner-stays", gettext("the owner's token cannot be revoked, only rotated"))
    families.end(gate(), credential.id, by=require_principal().id, why="revoked", alone=made == "keep")


def _infos(credentials: Iterable[Credential]) -> list[TokenInfo]:
    found = list(credentials)
    names = names_of(context(), {each.person for each in found})
    return [
        TokenInfo(
            id=each.id,
            kind=each.kind,
            name=each.name,
            person=each.person,
            person_name=names.get(each.person),
            app=each.app,
            scopes=None if each.scopes is None else sorted(each.scopes),
            games=None if each.games is None else sorted(each.games),
            begun_at=timestamp(each.begun),
            used_on=None if each.used is None else timestamp(each.used * DAY * 1000)[:10],
            ends_at=optional_timestamp(each.ends),
        )
        for each in found
    ]


def _earlier(one: int, other: int | None) -> int:
    return one if other is None else min(one, other)


def _no_store(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
