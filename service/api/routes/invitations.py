"""Invitations of phones to the service or to a seat, and of people to a club: made, listed, withdrawn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response
from uuid_utils import uuid7

from events.event import timestamp
from service.access.gate import current_recorder, gate, missing_scope, require_principal
from service.access.giving import may_use, require_seats
from service.access.invitations import Membership, Place
from service.access.names import names_of
from service.access.needs import KNOWN
from service.access.repeating import answer_once
from service.access.scopes import PLAYER
from service.api.addresses import phone_url
from service.api.answers.access import InvitationInfo, InvitationList, MadeInvitation
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.clubs import can_organise, person_of_name, visible_club
from service.api.schemas.access import ClubInvitationSchema, InvitationSchema, SeatInvitationSchema
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.invitations import Invitation
    from service.access.scopes import Scopes

endpoints = Endpoints("invitations")


@endpoints.route("GET", "/v1/invitations", scope="admin", answer=InvitationList, conditional=True)
def list_invitations() -> Response:
    """List the open invitations, the oldest first.

    With the codes of those that you could make yourself, until the service restarts. Links are not stored.
    """
    return reply(InvitationList(_infos(gate().invitations.usable())))


@endpoints.route(
    "POST",
    "/v1/invitations",
    scope="admin",
    body=InvitationSchema(),
    keyed=True,
    status=201,
    answer=MadeInvitation,
    problems=("bad-json", "bad-request", "storage-full"),
)
def invite(body: dict[str, Any]) -> Response:
    """Let a person's phone in: a link, and a code to type at `/join`, that log one browser in as that person, once.

    Within thirty minutes. They may do there what their roles and seats allow, within the scopes of the credential that
    invited them. The record is not changed by it.
    """
    return _invited(body["player"], scopes=require_principal().credential.scopes)


@endpoints.route(
    "DELETE", "/v1/invitations/<invitation>", scope="admin", status=204, problems=("invitation-unknown", "storage-full")
)
def withdraw_invitation(invitation: str) -> Response:
    """Withdraw an invitation by its id.

    Its link and its code stop working.
    """
    return _withdrawn(invitation)


@endpoints.route(
    "GET",
    "/v1/games/<game>/invitations",
    scope="games:share",
    answer=InvitationList,
    conditional=True,
    problems=("game-unknown",),
)
def list_seat_invitations(game: str) -> Response:
    """List the open invitations to seats of this game, the oldest first.

    With the codes of those that you could make yourself.
    """
    archive().folds.fold_until_error(game)
    return reply(InvitationList(_infos(_invitations_to(game))))


@endpoints.route(
    "POST",
    "/v1/games/<game>/invitations",
    scope="games:share",
    body=SeatInvitationSchema(),
    keyed=True,
    status=201,
    answer=MadeInvitation,
    problems=("bad-json", "bad-request", "game-unknown", "scope-needed", "storage-full"),
)
def invite_to_seat(game: str, body: dict[str, Any]) -> Response:
    """Let a phone play a seat of this game: a link, and a code to type at `/join`, that log one browser in, once.

    It lasts thirty minutes, and lets the phone in as the person of the seat, or as a new person, for this game alone. A
    caller with the scope `admin` can name another `player`. The inviter needs the scopes of a player, and sight of what
    is hidden at that seat. The record is not changed by it.
    """
    fold, seat = archive().folds.fold_until_error(game), body["seat"]
    if seat >= fold.seats:
        why = gettext("the game has seats 0 to %(last)s, not %(seat)s", last=fold.seats - 1, seat=seat)
        raise ProblemError("bad-request", f"seat: {why}", errors=[{"field": "seat", "message": why}])
    require_seats([seat])
    sitting, who = fold.players[seat], require_principal()
    named = None if body["player"] in _ids(sitting) else body["player"]
    if named and "admin" not in who.service:
        raise missing_scope("admin", who, None)
    person = named or sitting or str(uuid7())
    return _invited(person, Place(game, seat), PLAYER)


@endpoints.route(
    "DELETE",
    "/v1/games/<game>/invitations/<invitation>",
    scope="games:share",
    status=204,
    problems=("game-unknown", "invitation-unknown", "storage-full"),
)
def withdraw_seat_invitation(game: str, invitation: str) -> Response:
    """Withdraw an invitation to a seat of this game by its id.

    Its link and its code stop working.
    """
    if all(each.terms.id != invitation for each in _invitations_to(game)):
        raise _unknown(invitation)
    return _withdrawn(invitation)


@endpoints.route(
    "GET",
    "/v1/clubs/<club>/invitations",
    scope=KNOWN,
    answer=InvitationList,
    conditional=True,
    problems=("club-unknown", "scope-needed"),
)
def list_club_invitations(club: str) -> Response:
    """List the open invitations to a club, the oldest first.

    For organisers.
    """
    _require_organiser(club)
    return reply(invitations_to_club(club))


@endpoints.route(
    "POST",
    "/v1/clubs/<club>/invitations",
    scope=KNOWN,
    body=ClubInvitationSchema(),
    keyed=True,
    status=201,
    answer=MadeInvitation,
    problems=("bad-json", "bad-request", "club-unknown", "scope-needed", "storage-full"),
)
def invite_to_club(club: str, body: dict[str, Any]) -> Response:
    """Invite one person to a club, as an organiser.

    It lasts thirty minutes. A browser that is logged in joins as its person. Any other one is logged in as a new
    person, with this `name`. Only administrators give the name of a known person.
    """
    return _shown_once(invited_to_club(club, body))


@endpoints.route(
    "DELETE",
    "/v1/clubs/<club>/invitations/<invitation>",
    scope=KNOWN,
    status=204,
    problems=("club-unknown", "invitation-unknown", "scope-needed", "storage-full"),
)
def withdraw_club_invitation(club: str, invitation: str) -> Response:
    """Withdraw an invitation to a club.

    Its link and its code stop working.
    """
    withdraw_from_club(club, invitation)
    return Response(status=204)


def invitations_to_club(club: str) -> InvitationList:
    """The open invitations to a club."""
    return InvitationList(_infos(_to_club(club)))


def invited_to_club(club: str, body: dict[str, Any]) -> MadeInvitation:
    """Make the invitation that a loaded `ClubInvitationSchema` describes. Raises `scope-needed`."""
    _require_organiser(club)
    person, who = _new_member(body["name"]), require_principal()
    membership = Membership(club, body["role"])
    return _made(*gate().invitations.make(person, who, scopes=who.credential.scopes, membership=membership))


def invited_once(club: str, body: dict[str, Any], key: str | None) -> MadeInvitation:
    """As `invited_to_club`, for a form with a key. A form that was sent before gets its first invitation."""
    here, make = context(), partial(invite_to_club, club, body)
    asked = {"club": club, "body": body}
    answer = answer_once(here.access, here.keys, invite_to_club.__name__, asked, make, key_of_form=key)
    return msgspec.json.decode(answer.get_data(), type=MadeInvitation)


def withdraw_from_club(club: str, invitation: str) -> None:
    """Withdraw an invitation to a club. Raises `scope-needed`, `invitation-unknown`."""
    _require_organiser(club)
    if all(each.terms.id != invitation for each in _to_club(club)):
        raise _unknown(invitation)
    _withdrawn(invitation)


def _require_organiser(club: str) -> None:
    if not can_organise(visible_club(club)):
        raise ProblemError("scope-needed", gettext("only organisers can invite to a club"), scope="games:open")


def _new_member(name: str | None) -> str:
    """The person who is logged in by an invitation to a club, unless somebody else accepts it."""
    person = str(uuid7())
    if name is None:
        return person
    data: dict[str, Any] = {"name": name}
    new, player = person_of_name(person, data), str(data["player"])
    if new:
        archive().log.people.put(player, new)
    elif "admin" not in require_principal().service:
        why = gettext("another person has this name already; a person who is logged in joins without a name")
        raise ProblemError("bad-request", f"name: {why}", errors=[{"field": "name", "message": why}])
    return player


def _ids(person: str | None) -> frozenset[str]:
    """All ids of the person in that seat."""
    return gate().merges().ids_of([person]) if person else frozenset()


def _invited(person: str, place: Place | None = None, scopes: Scopes | None = None) -> Response:
    return _shown_once(_made(*gate().invitations.make(person, require_principal(), place, scopes)))


def _made(secret: str, invitation: Invitation) -> MadeInvitation:
    (info,) = _infos([invitation])
    return MadeInvitation(f"/login?code={secret}", info.ends_at, info, phone_url())


def _shown_once(made: MadeInvitation) -> Response:
    response = reply(made, 201)
    response.headers["Cache-Control"] = "no-store"
    return response


def _withdrawn(invitation: str) -> Response:
    if not gate().invitations.withdraw(invitation, by=current_recorder()):
        raise _unknown(invitation)
    return Response(status=204)


def _invitations_to(game: str) -> list[Invitation]:
    return [each for each in gate().invitations.usable() if each.terms.place and each.terms.place.game == game]


def _to_club(club: str) -> list[Invitation]:
    found = gate().invitations.usable()
    return [each for each in found if each.terms.membership and each.terms.membership.club == club]


def _unknown(invitation: str) -> ProblemError:
    return ProblemError("invitation-unknown", gettext("no open invitation has the id %(id)s", id=repr(invitation)))


def _infos(found: Iterable[Invitation]) -> list[InvitationInfo]:
    listed = list(found)
    names = names_of(context(), {each.person for each in listed})
    return [_info(each, names.get(each.person)) for each in listed]


def _info(invitation: Invitation, name: str | None) -> InvitationInfo:
    terms = invitation.terms
    return InvitationInfo(
        id=terms.id,
        player=invitation.person,
        name=name,
        game=terms.place.game if terms.place else None,
        seat=terms.place.seat if terms.place else None,
        club=terms.membership.club if terms.membership else None,
        role=terms.membership.role if terms.membership else None,
        code=invitation.code if may_use(gate(), require_principal(), terms) else None,
        begun_at=timestamp(invitation.made),
        ends_at=timestamp(invitation.ends),
        by=terms.by,
    )
