"""Invitations: they let a person's phone in, to the service or to a seat of a game; made, listed, withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from uuid_utils import uuid7

from events.event import timestamp
from service.access.gate import current_recorder, gate, missing_scope, require_principal
from service.access.giving import may_use, require_seats
from service.access.invitations import Place
from service.access.names import names_of
from service.access.scopes import PLAYER
from service.api.addresses import phone_url
from service.api.answers.access import InvitationInfo, InvitationList, MadeInvitation
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas.access import InvitationSchema, SeatInvitationSchema
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.invitations import Invitation
    from service.access.principals import Permissions, Principal
    from service.access.scopes import Scopes

endpoints = Endpoints("invitations")


@endpoints.route("GET", "/v1/invitations", scope="admin", answer=InvitationList, conditional=True)
def list_invitations() -> Response:
    """List the invitations that are open, the oldest first.

    With the codes of those that one could make oneself; they are not known any more after a restart of the service.
    The links themselves are not kept.
    """
    return reply(InvitationList(_infos(gate().invitations.open())))


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

    Neither its link nor its code opens anything any more.
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

    With the codes of those that one could make oneself, as far as these are known.
    """
    archive().folds.as_far_as_possible(game)
    return reply(InvitationList(_infos(_to(game))))


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

    It lasts thirty minutes, and lets the phone in as the person of the seat, or as a new person if nobody is known to
    sit there. It is for this game alone. A caller with the scope `admin` can name another `player`. The inviter needs
    the scopes of a player, and sight of what is hidden at that seat. The record is not changed by it.
    """
    fold, seat = archive().folds.as_far_as_possible(game), body["seat"]
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

    Neither its link nor its code opens anything any more.
    """
    if all(each.terms.id != invitation for each in _to(game)):
        raise _unknown(invitation)
    return _withdrawn(invitation)


def _ids(person: str | None) -> frozenset[str]:
    """All ids of the person in that seat."""
    return gate().merges().ids_of([person]) if person else frozenset()


def _invited(person: str, place: Place | None = None, scopes: Scopes | None = None) -> Response:
    secret, made = gate().invitations.make(person, require_principal(), place, scopes)
    (info,) = _infos([made])
    response = reply(MadeInvitation(f"/login?code={secret}", info.ends_at, info, phone_url()), 201)
    response.headers["Cache-Control"] = "no-store"
    return response


def _withdrawn(invitation: str) -> Response:
    if not gate().invitations.withdraw(invitation, by=current_recorder()):
        raise _unknown(invitation)
    return Response(status=204)


def _to(game: str) -> list[Invitation]:
    return [each for each in gate().invitations.open() if each.terms.place and each.terms.place.game == game]


def _unknown(invitation: str) -> ProblemError:
    return ProblemError("invitation-unknown", gettext("no open invitation has the id %(id)s", id=repr(invitation)))


def _there(who: Principal, invitation: Invitation) -> Permissions | None:
    """What somebody may do in the game of an invitation's seat, if it is to one."""
    place = invitation.terms.place
    return gate().permissions(who, place.game) if place else None


def _infos(found: Iterable[Invitation]) -> list[InvitationInfo]:
    listed = list(found)
    names, who = names_of(context(), {each.person for each in listed}), require_principal()
    return [
        InvitationInfo(
            id=each.terms.id,
            player=each.person,
            name=names.get(each.person),
            game=each.terms.place.game if each.terms.place else None,
            seat=each.terms.place.seat if each.terms.place else None,
            code=each.code if may_use(who, each.terms, _there(who, each)) else None,
            begun_at=timestamp(each.made),
            ends_at=timestamp(each.ends),
            by=each.terms.by,
        )
        for each in listed
    ]
