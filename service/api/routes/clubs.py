"""Clubs: members, house rules and games. A club is a record in the log, with a history of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.errors import BadEventError
from events.event import NewEvent, timestamp
from events.kinds import ERASURES
from events.people import BadNameError, checked_name, refuse_lookalike
from events.schemas import SCHEMAS, is_uuid
from projections.clubs import Club, clubs_in
from service.access.founded import changes, sees
from service.access.gate import current_principal, current_recorder, gate, missing_scope, require_principal
from service.access.needs import KNOWN, NAMING, SEEN
from service.access.principals import NONE
from service.api.answers.clubs import ClubHistory, ClubInfo, ClubList, ClubListed, ClubMember, HouseRules
from service.api.answers.entries import RecordedEntries
from service.api.endpoints import NDJSON, Endpoints, archive, context, reply
from service.api.founded import WRITING, erase, export_of, history_of, named
from service.api.routes.games import opening_of, read_lists, record_opening
from service.api.schemas.clubs import ClubSchema, NewClubEntrySchema
from service.api.schemas.games import OpeningSchema
from service.api.tablenames import table_names
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.recording.clubs import found_club, record_in_club
from service.recording.founded import new_person
from service.recording.seating import find_people

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from flask import Response

    from service.access.principals import Principal

endpoints = Endpoints("clubs")


@endpoints.route(
    "POST", "/v1/clubs", scope="games:open", body=ClubSchema(), status=201, answer=ClubInfo, problems=WRITING
)
def create_club(body: dict[str, Any]) -> Response:
    """Create a club.

    Its founder is its first organiser. Safe to repeat.
    """
    response = reply(make_club(body), 201)
    response.headers["Location"] = f"/v1/clubs/{body['id']}"
    return response


def make_club(body: dict[str, Any]) -> ClubInfo:
    """Found the club that a loaded `ClubSchema` describes."""
    data = {"name": body["name"], "founder": require_principal().person}
    data |= {name: body[name] for name in ("description", "public") if body[name]}
    found_club(archive(), body["id"], data, recorder=current_recorder())
    return club_info(visible_club(body["id"]))


@endpoints.route("GET", "/v1/clubs", scope=SEEN, answer=ClubList, conditional=True, problems=("rebuilding",))
def list_clubs() -> Response:
    """List the clubs that you may see.

    Public ones, and your own.
    """
    return reply(ClubList(clubs_seen()))


def clubs_seen() -> list[ClubListed]:
    """The clubs that the caller may see, by name. Raises `RebuildingError`."""
    who, found = current_principal(), clubs_among(read_lists(clubs_in)).values()
    return [
        ClubListed(
            club=club.id,
            name=club.name,
            description=club.description,
            public=club.public,
            members=len(_members(club)),
            member=_is_member(who, club),
            founded_at=timestamp(club.founded_at),
            version=club.version,
        )
        for club in sorted(found, key=lambda club: (club.name, club.id))
    ]


@endpoints.route("GET", "/v1/clubs/<club>", scope=SEEN, answer=ClubInfo, conditional=True, problems=("club-unknown",))
def show_club(club: str) -> Response:
    """Show a club.

    Its members, its house rules, and those of its games that you may see.
    """
    seen = visible_club(club)
    return reply(club_info(seen), version=seen.version)


def visible_club(club: str) -> Club:
    """A club, if the caller may see it. Raises `club-unknown`."""
    found = find_club(club)
    if found is None:
        raise ProblemError("club-unknown", gettext("no club %(club)s", club=club[:80]))
    return found


def find_club(club: str) -> Club | None:
    """A club; None if there is none that the caller may see."""
    found = archive().clubs.find(club) if is_uuid(club) else None
    return found if found and _sees(current_principal(), found) else None


def clubs_among(clubs: Iterable[str]) -> dict[str, Club]:
    """Those of some clubs that the caller may see, by id, without damaged ones."""
    who = current_principal()
    return {club.id: club for club in archive().clubs.readable(clubs, lambda club: _sees(who, club))}


def _sees(who: Principal | None, club: Club) -> bool:
    return sees(who, club, archive().clubs.find)


def _is_member(who: Principal | None, club: Club) -> bool:
    return who is not None and not who.people.isdisjoint(club.members)


def can_organise(club: Club) -> bool:
    """Whether the caller may change a club."""
    return changes(current_principal(), club.organisers)


def club_info(club: Club) -> ClubInfo:
    """A club as the caller may see it."""
    who, doors, known = current_principal(), gate(), _members(club)
    names = table_names(known)
    return ClubInfo(
        club=club.id,
        name=club.name,
        description=club.description,
        public=club.public,
        founded_at=timestamp(club.founded_at),
        version=club.version,
        members=[ClubMember(player, names.get(player), role) for player, role in known.items()],
        rules=[HouseRules(each.ruleset, dict(each.options), each.text) for each in club.rules.values()],
        games=[game for game in club.games if doors.permissions(who, game) is not NONE],
        organises=can_organise(club),
    )


def _members(club: Club) -> dict[str, Any]:
    """The members, each merged person once; an organiser by any of the ids is one."""
    merges = archive().log.people.merges()
    found: dict[str, Any] = {}
    for player, role in club.members.items():
        kept = merges.final_id(player)
        found[kept] = role if found.get(kept) != "organiser" else "organiser"
    return found


@endpoints.route(
    "POST",
    "/v1/clubs/<club>/entries",
    scope=KNOWN,
    body=NewClubEntrySchema(),
    status=201,
    answer=ClubInfo,
    problems=("club-unknown", "erasing", *WRITING),
)
def record_club_entry(club: str, body: dict[str, Any]) -> Response:
    """Record something in a club: a member, house rules, a game, another name, or a withdrawal.

    Organisers may, and members may leave. `club.erased` with an `entry` erases its texts for good. A `name` that nobody
    has needs `people:write`, and one that somebody has `people:read`. Safe to repeat with the same `id`.
    """
    return reply(record(club, body), 201)


def record(club: str, body: dict[str, Any]) -> ClubInfo:
    """Record an entry that a loaded `NewClubEntrySchema` describes."""
    seen, data = visible_club(club), dict(body["data"])
    if body["type"] == ERASURES["club"]:
        erase(club, seen.organisers, body)
        return club_info(visible_club(club))
    if not can_organise(seen) and not (
        body["type"] == "club.member_left" and is_one_of(data, require_principal().people)
    ):
        raise ProblemError("scope-needed", gettext("only organisers can change a club"), scope="games:open")
    name = person_of_name(body["id"], data) if body["type"] == "club.member_joined" else None
    role = None if body["type"] == "club.member_left" else data.get("role", "member")
    others = [each for each, known in seen.members.items() if known != role]
    if not name_as_recorded(club, body["id"], data):
        name_as_known(data, others)
        name_as_known(data, seen.members)
    if body["type"] == "club.game_attached":
        check_game(data)
    new = NewEvent(id=body["id"], type=body["type"], data=data)
    record_in_club(archive(), club, new, recorder=current_recorder(), more=for_other_ids(new, others))
    if name:
        archive().log.people.put(data["player"], name)
    found = archive().clubs.find(club)
    assert found is not None  # noqa: S101 - for the types only
    _end_invitations(club, seen.organisers - found.organisers)
    return club_info(found)


def _end_invitations(club: str, makers: Collection[str]) -> None:
    """Withdraw the open invitations of people who do not organise a club any more. Nobody can use them meanwhile."""
    ids = archive().log.people.merges().ids_of(makers)
    for each in gate().invitations.usable() if makers else ():
        if each.terms.membership and each.terms.membership.club == club and each.terms.by in ids:
            gate().invitations.withdraw(each.terms.id, by=current_recorder())


def is_one_of(data: dict[str, Any], people: Collection[str]) -> bool:
    """Whether the data of an entry, which can be anything, is about one of these people."""
    return is_uuid(data.get("player")) and data["player"] in people


def name_as_known(data: dict[str, Any], known: Collection[str]) -> None:
    """Replace a person's id by the one that the record has of the same person, after a merge."""
    if is_uuid(data.get("player")) and data["player"] not in known:
        ids = archive().log.people.merges().ids_of([data["player"]])
        data["player"] = min(ids.intersection(known), default=data["player"])


def name_as_recorded(record: str, entry: str, data: dict[str, Any]) -> bool:
    """If an entry with this id is about the same person, use its id of the person. True if so."""
    stored = archive().log.find(entry, record)
    if stored is None or stored.game != record or not is_uuid(data.get("player")):
        return False
    player = getattr(SCHEMAS.read(stored), "player", "")
    if player not in archive().log.people.merges().ids_of([data["player"]]):
        return False
    data["player"] = player
    return True


def for_other_ids(entry: NewEvent, known: Collection[str]) -> list[NewEvent]:
    """The same entry for the other ids of the person in the record, who joined twice before a merge."""
    player = str(entry.data.get("player"))
    if not is_uuid(player):
        return []
    ids = archive().log.people.merges().ids_of([player]).intersection(known) - {player}
    return [
        NewEvent(id=new_person(entry.id, each), type=entry.type, data=entry.data | {"player": each})
        for each in sorted(ids)
    ]


def person_of_name(entry: str, data: dict[str, Any]) -> str | None:
    """Replace a name by the person's id. Returns the name if it is new here."""
    if "name" not in data:
        return None
    who, people = require_principal(), archive().log.people
    for scope in ("people:read", NAMING):
        if scope == NAMING and data["name"] in find_people(people, [data["name"]]):
            break
        if scope not in who.service:
            raise missing_scope(scope, who, None)
        try:
            data["name"] = checked_name(data["name"] if isinstance(data["name"], str) else "")
        except BadNameError as error:
            raise BadEventError(0, "data.name", str(error)) from None
    name = data.pop("name")
    known = find_people(people, [name]).get(name)
    if known:
        data.setdefault("player", known.player)
        return None
    refuse_lookalike(name, people.all().values())
    data.setdefault("player", new_person(entry, name))
    return name if data["player"] == new_person(entry, name) else None


def check_game(data: dict[str, Any]) -> None:
    """Check that the caller may see the game that an entry names. Raises `BadEventError`."""
    game = named(data, "game")
    here = is_uuid(game) and gate().permissions(current_principal(), game) is not NONE
    if not here or not context().is_game(game):
        raise BadEventError(0, "data.game", "there is no such game")


@endpoints.route(
    "POST",
    "/v1/clubs/<club>/games",
    scope="games:open",
    body=OpeningSchema(),
    status=201,
    answer=RecordedEntries,
    problems=("club-unknown", "ruleset-unknown", *WRITING),
)
def open_club_game(club: str, body: dict[str, Any]) -> Response:
    """Open a game of a club.

    Options that are left out are those of the club's house rules.
    """
    response = reply(record_club_game(club, body), 201, version=1)
    response.headers["Location"] = f"/v1/games/{body['id']}"
    return response


def record_club_game(club: str, body: dict[str, Any]) -> RecordedEntries:
    """Open the game that a loaded `OpeningSchema` describes, and attach it to a club."""
    seen = visible_club(club)
    if not can_organise(seen) and not _is_member(require_principal(), seen):
        raise ProblemError("scope-needed", gettext("only members can open games of a club"), scope="games:open")
    answer = record_opening(body | {"options": _house_options(seen, body) | body["options"]})
    if body["id"] not in seen.games:
        attached = NewEvent(id=new_person(body["id"], club), type="club.game_attached", data={"game": body["id"]})
        record_in_club(archive(), club, attached, recorder=current_recorder())
    return answer


def _house_options(club: Club, body: dict[str, Any]) -> dict[str, Any]:
    """The options of a club's house rules; without the sheet that they name for a game that has another one.

    A game that is open already has those of its opening.
    """
    if opened := opening_of(body["id"]):
        return dict(opened.options)
    rules = club.rules.get(body["ruleset"])
    options, own = dict(rules.options) if rules else {}, body["components"] or body["components_name"]
    return {name: options[name] for name in options if name != "template" or not own}


@endpoints.route(
    "GET",
    "/v1/clubs/<club>/entries",
    scope=SEEN,
    answer=ClubHistory,
    conditional=True,
    problems=("club-unknown",),
)
def list_club_entries(club: str) -> Response:
    """List the entries of a club, the oldest first.

    Games that you may not see are left out.
    """
    return reply(history(club))


def history(club: str) -> ClubHistory:
    """The history of a club, as the caller may know it."""
    seen = visible_club(club)
    return history_of(club, seen.version, seen.withdrawn)


@endpoints.route(
    "GET",
    "/v1/clubs/<club>/export",
    scope=SEEN,
    answer_types=(NDJSON,),
    problems=("club-unknown", "scope-needed"),
)
def export_club(club: str) -> Response:
    """Export a club as NDJSON, one entry per line, as games are. For organisers.

    `POST /v1/imports` takes it in.
    """
    seen = visible_club(club)
    if not can_organise(seen):
        raise ProblemError("scope-needed", gettext("only organisers can export a club"), scope="games:open")
    return export_of(club, seen.members.keys())
