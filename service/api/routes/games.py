"""Games: opening, finding and showing them."""

from __future__ import annotations

import re
import sqlite3
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import request

from events.event import timestamp
from events.schemas import SCHEMAS, is_uuid
from events.sqlite.translation import is_corruption
from events.types import GameOpened
from games.contract import RECORD, Title
from games.errors import BadOpeningError
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from games.scoresheet.markers import marks_for_next_game
from games.scoresheet.ready import ready_for
from games.scoresheet.state import ScoresheetState
from projections.catalogue.pages import Extent, Place, extent_of, find_by_id, find_page
from projections.catalogue.queries import CatalogueViewer, Query
from projections.catalogue.rows import UNREADABLE, Listed
from projections.errors import ViewsDamagedError
from projections.projector import RebuildingError
from projections.undoing import Reversals, reversals
from service.access.gate import current_principal, current_recorder, gate, permissions
from service.access.needs import SEEN
from service.access.principals import NONE
from service.api import cursors
from service.api.answers.entries import RecordedEntries
from service.api.answers.games import GameInfo, GameList, GameListed, OriginInfo, SeatInfo, Unreplayable
from service.api.context import READ_MODEL_WAIT
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.components import chosen_components
from service.api.routes.rulesets import ruleset_named
from service.api.schemas.fields import UUID, DryRunQuery
from service.api.schemas.games import GamesQuery, OpeningSchema
from service.api.viewpoints import viewpoint_of
from service.exchange.incoming.sheets import is_of_totals
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError
from service.recording.judging import Draft
from service.recording.recorder import kept_components, record
from service.recording.recorder import open_game as store_opening
from service.recording.seating import Seating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from flask import Response
    from sqlite_utils import Database

    from events.merges import Merges
    from events.types import Origin
    from games.contract import Viewpoint
    from games.scoresheet.markers import MarkerEntry
    from projections.catalogue.queries import Order
    from projections.errors import FoldError
    from projections.fold import Fold

endpoints = Endpoints("games")

_place = msgspec.json.Decoder(Place)
_GAME = re.compile(UUID)

T = TypeVar("T")

PAGE = 500
"""Games of a whole list that are read at a time."""


@endpoints.route(
    "POST",
    "/v1/games",
    scope="games:open",
    query=DryRunQuery(),
    body=OpeningSchema(),
    status=201,
    answer=RecordedEntries,
    problems=("bad-json", "bad-request", "bad-entry", "bad-opening", "ruleset-unknown", "id-reused", "storage-full"),
)
def open_game(query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Open a game.

    The game's id is the `id` of this request. Sent again, the same request gets the same answer.
    """
    answer = record_opening(body, dry_run=query["dry_run"])
    if query["dry_run"]:
        return reply(answer)
    response = reply(answer, 201, version=1)
    response.headers["Location"] = f"/v1/games/{answer.game}"
    return response


def opening_of(game: str) -> GameOpened | None:
    """The opening of a game, if there is one. A repeated request takes from it what the sender left out."""
    stored = archive().log.find(game)
    opened = SCHEMAS.read(stored) if stored else None
    return opened if isinstance(opened, GameOpened) else None


def record_opening(body: dict[str, Any], *, dry_run: bool = False) -> RecordedEntries:
    """Open the game that a loaded `OpeningSchema` describes. Raises what the route above says."""
    ruleset = ruleset_named(body["ruleset"])
    game = body["id"]
    opened = opening_of(game)
    seats = body["seats"] if body["seats"] is not None else [{}] * ruleset.seats[0]
    with Seating(archive().log, [seat.get("name") for seat in seats]) as seating:
        data = {
            "ruleset": ruleset.name,
            "revision": opened.revision if opened else ruleset.revision,
            "options": body["options"],
            "seats": seating.fill_seats(game, seats),
        }
        given = body["components"]
        if body["components_name"] and not opened:
            given = chosen_components(ruleset, body["components_name"])
        data |= kept_components(archive(), game, ruleset, body["options"], given)
        data |= {name: body[name] for name in ("title", "place") if body[name]}
        draft = Draft(id=game, type="game.opened", data=data, happened_at=body["happened_at"])
        recorded = store_opening(archive(), game, draft, recorder=current_recorder(), dry_run=dry_run)
        if not dry_run:
            seating.keep()
    return RecordedEntries(game, 1, [recorded])


def open_again(game: str, id_: str) -> RecordedEntries:
    """Open a game like another one, for the same people, with the id `id_`. Safe to repeat.

    The seats move on by one, so that somebody else begins. On a score sheet people keep theirs, because they may be
    teams, and the deal goes on from where it was. After an imported play it is the ready sheet of its game, if there is
    one. Raises as `record_opening`, and `GameUnknownError`.
    """
    permissions(game)  # else who cannot see it would learn of it
    fold = archive().folds.current(game)
    players = fold.players
    moved = players if fold.opened.ruleset == SCORESHEET.name else [*players[1:], *players[:1]]
    ready = _ready_after(fold)
    sent = {
        "id": id_,
        "ruleset": fold.opened.ruleset,
        "options": {"template": ready} if ready else dict(fold.opened.options),
        "components": None if ready else fold.opened.components,
        "seats": [{"player": player} if player else {} for player in moved],
        "place": fold.opened.place,
    }
    answer = record_opening(OpeningSchema().load(sent))
    state = fold.state
    if isinstance(state, ScoresheetState) and (marks := marks_for_next_game(state)) and _is_new(id_):
        drafts = [_given(id_, mark) for mark in marks]
        record(archive(), id_, drafts, expected={1}, recorder=current_recorder())
    return answer


def _ready_after(fold: Fold) -> str | None:
    """The ready sheet for the game after an imported play, if one has its name and fits the number of seats."""
    template = fold.opened.components
    if fold.opened.ruleset != SCORESHEET.name or not template or not is_of_totals(fold.game, template):
        return None
    name = ready_for(template["name"], template.get("bgg"))
    if name is None:
        return None
    try:
        SCORESHEET.open({"template": name}, None, len(fold.players))
    except BadOpeningError:
        return None
    return name


def _is_new(game: str) -> bool:
    """Whether nothing was recorded in a game after its opening."""
    head = archive().log.head(game)
    return head is not None and head.version == 1


def _given(game: str, mark: MarkerEntry) -> Draft:
    """The entry that gives a marker to a seat at the beginning. Its id follows from the game's."""
    move = {"type": "mark", "marker": mark.marker, "round": mark.round, "seat": mark.seat}
    return Draft(id=str(uuid.uuid5(uuid.UUID(game), f"marker {mark.marker}")), data={"move": move})


@endpoints.route(
    "GET",
    "/v1/games",
    scope=SEEN,
    query=GamesQuery(),
    answer=GameList,
    conditional=True,
    problems=("bad-request", "rebuilding"),
)
def list_games(query: dict[str, Any]) -> Response:
    """Find games, the last recorded or played first.

    `next` is the `cursor` of the next page. Games recorded in since the first page come again after the last one, so
    that none is missed.
    """
    found = find_games(query)
    response = reply(found)
    if found.next:
        following = urlencode(request.args.to_dict() | {"cursor": found.next})
        response.headers["Link"] = f'</v1/games?{following}>; rel="next"'
    return response


def find_games(query: dict[str, Any]) -> GameList:
    """The page of games that a loaded `GamesQuery` asks for. Raises `RebuildingError`."""
    wanted = _asked(query)
    page, place = _page(wanted, _read_cursor(query["cursor"], wanted.order), query["limit"])
    return GameList(described(still_seen(page, wanted)), cursors.encode(place) if place else None)


def described(found: Iterable[Listed]) -> list[GameListed]:
    """Listed games in the form of the API, with the names of the players."""
    people, page = archive().log.people, list(found)
    names, merges = people.names({player for listed in page for player in listed.seats if player}), people.merges()
    return [_listed(listed, merges, names) for listed in page]


def recent_games(limit: int) -> list[Listed]:
    """The last recorded games that the caller may see, without forks. Raises `RebuildingError`."""
    wanted = Query(forks=False, seen_by=onlooker())
    return [*still_seen(_page(wanted, None, limit)[0], wanted)]


def still_seen(found: Iterable[Listed], query: Query) -> Iterator[Listed]:
    """The listed games that the caller may still see: visibility may have changed since the listing."""
    who, doors = current_principal(), gate()
    for listed in found:
        if query.seen_by is None or doors.permissions(who, listed.game) is not NONE:
            yield listed


def listed_games(query: dict[str, Any]) -> Iterator[Listed]:
    """All games that a loaded `ExportedQuery` asks for, a page at a time. Raises `RebuildingError` at once."""
    wanted = _asked(query)
    pages = partial(find_page, archive().views.db, wanted)
    return _games_since(query["since"], _page(wanted, None, PAGE), pages)


def games_by_id(query: dict[str, Any]) -> tuple[list[Listed], str | None]:
    """The games of a page that a loaded `ExportsQuery` asks for, and the `after` of the next page.

    Raises `RebuildingError`.
    """
    wanted, since, limit = _asked(query), _milliseconds(query["since"]), query["limit"]
    page = read_lists(lambda db: find_by_id(db, wanted, query["after"], limit + 1, since))
    return page[:limit], page[limit - 1].game if len(page) > limit else None


def extent_of_games(query: dict[str, Any]) -> Extent:
    """The extent of the visible games that a loaded `ExportedQuery` asks for. Raises `RebuildingError`."""
    wanted, since = _asked(query), _milliseconds(query["since"])
    return read_lists(lambda db: extent_of(db, wanted, since))


def _milliseconds(moment: datetime | None) -> int:
    return int(moment.timestamp() * 1000) if moment else 0


def _games_since(
    since: datetime | None,
    first: tuple[list[Listed], Place | None],
    following: Callable[[Place, int], tuple[list[Listed], Place | None]],
) -> Iterator[Listed]:
    """The games of consecutive pages, each once, until they are older than wanted."""
    earliest, seen = _milliseconds(since), set[str]()
    page, place = first
    while True:
        yield from (listed for listed in page if listed.last_at >= earliest and listed.game not in seen)
        seen.update(listed.game for listed in page)
        if place is None or (not place.moved and place.key < earliest):
            return
        page, place = following(place, PAGE)


def _asked(query: dict[str, Any]) -> Query:
    people = archive().log.people
    return Query(
        text=query["q"],
        players=people.merges().ids_of(people.find(query["q"])) if query["q"] else frozenset(),
        sat=ids_meant(query["player"]),
        ruleset=query["ruleset"],
        id=query.get("id") or query.get("game") or "",
        status=query["status"],
        name=query["name"],
        first=iso_day(query["first"]),
        last=iso_day(query["last"]),
        origin=query.get("origin"),
        forks=query.get("forks", True),
        order=query.get("order", "recorded"),
        seen_by=onlooker(),
    )


def ids_meant(person: str | None) -> frozenset[str] | None:
    """All ids of the people with an id or a whole name; None without a wanted person."""
    if person is None:
        return None
    people = archive().log.people
    return people.merges().ids_of([person] if is_uuid(person) else people.ids_named(person))


def iso_day(day: date | None) -> str:
    """A day in the form of the catalogue, empty for None."""
    return day.isoformat() if day else ""


def onlooker() -> CatalogueViewer | None:
    """The ids of the caller that a list needs; None for a caller who may see all games."""
    who = current_principal()
    if who is None:
        return CatalogueViewer()
    scopes, within = who.credential.scopes, who.credential.games
    if scopes is not None and "games:read" not in scopes:
        return CatalogueViewer()
    if "games:read" in who.everywhere.scopes:
        return None if within is None else CatalogueViewer(who.people, within, within)
    return CatalogueViewer(who.people, frozenset(who.roles.games), within)


def _page(wanted: Query, place: Place | None, limit: int) -> tuple[list[Listed], Place | None]:
    """A page of a complete list. Raises `RebuildingError` while there is none."""
    return read_lists(lambda db: find_page(db, wanted, place, limit))


def read_lists(work: Callable[[Database], T]) -> T:
    """The result of `work` on complete read models. Raises `RebuildingError` while they are incomplete."""
    projector = context().projector
    if projector.wait(READ_MODEL_WAIT):
        try:
            return work(archive().views.db)
        except (ViewsDamagedError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.DatabaseError) and not is_corruption(error):
                raise
            projector.doubt(error)
    raise RebuildingError(projector.rebuilding)


@endpoints.route("GET", "/v1/games/<game>", scope=SEEN, answer=GameInfo, conditional=True, problems=("game-unknown",))
def show_game(game: str) -> Response:
    """Show a game.

    The seats and their players, the seat that moves next, the scores, and how it ended if it has.
    """
    fold, viewpoint = archive().folds.fold_until_error(game), viewpoint_of(None)
    return reply(game_info(fold, viewpoint), version=fold.version)


def game_info(fold: Fold, viewpoint: Viewpoint) -> GameInfo:
    """A game, seen from `viewpoint`."""
    outcome, opened = fold.outcome(), fold.opened
    frozen = fold.closed or (fold.blocked_by and not fold.blocked_by.correctable)
    back = Reversals() if frozen else reversals(archive().folds, fold.game, fold.version)
    defaults = {option.name: option.default for option in fold.ruleset.options}
    return GameInfo(
        game=fold.game,
        ruleset=opened.ruleset,
        revision=fold.revision,
        adopted_by=fold.adopted.version if fold.adopted else None,
        title=opened.title,
        place=opened.place,
        options=defaults | opened.options,
        seats=seats_in(fold),
        played_at=timestamp(fold.played_at),
        opened_at=timestamp(fold.started_at),
        last_at=timestamp(fold.recorded_at),
        version=fold.version,
        hash=fold.hash_from(viewpoint),
        status=UNREADABLE if fold.blocked_by else fold.status,
        closed=fold.closed,
        origin=_origin(opened.origin, viewpoint) if opened.origin else None,
        to_move=fold.state.to_move(),
        scores=fold.totals(),
        deciding=fold.deciding(),
        markers=fold.state.markers(),
        outcome=outcome,
        irregular=fold.irregular_from(viewpoint),
        unreplayable=_unreplayable(fold.blocked_by, viewpoint) if fold.blocked_by else None,
        undo=back.undo,
        redo=back.redo,
    )


def _unreplayable(stuck: FoldError, viewpoint: Viewpoint) -> Unreplayable:
    """The entry that cannot be carried out. The reason may be secret, unless the ruleset itself is missing."""
    return Unreplayable(stuck.version, translated(stuck.why) if viewpoint == RECORD or not stuck.correctable else None)


def _origin(origin: Origin, viewpoint: Viewpoint) -> OriginInfo:
    hash_ = origin.hash if viewpoint == RECORD else None
    return OriginInfo(game=origin.game, version=origin.version, hash=hash_, after=origin.after)


def seats_in(fold: Fold) -> list[SeatInfo]:
    """The seats of a game, with the people at the moment of the fold."""
    people = archive().log.people
    names = people.names({player for player in fold.players if player})
    return seats_of(fold.opened.ruleset, fold.players, people.merges(), names)


def seats_of(ruleset: str, players: Sequence[str | None], merges: Merges, names: Mapping[str, str]) -> list[SeatInfo]:
    """The seats of a game, with the ids that count after merges, and the known names."""
    known = RULESETS.get(ruleset)
    named = known.seat_names if known else ()
    labels = [*named, *(Title(f"Seat {seat + 1}", f"{seat + 1}番") for seat in range(len(named), len(players)))]
    return [
        SeatInfo(seat, labels[seat], merges.final_id(player) if player else None, names.get(player) if player else None)
        for seat, player in enumerate(players)
    ]


def _listed(listed: Listed, merges: Merges, names: Mapping[str, str]) -> GameListed:
    row = msgspec.structs.asdict(listed)
    row |= {name: timestamp(row[name]) for name in ("played_at", "opened_at", "last_at")}
    if listed.status == UNREADABLE and listed.reason:
        row["reason"] = translated(listed.reason)
    del row["teams"]
    row["seats"] = seats_of(listed.ruleset, listed.seats, merges, names)
    return GameListed(**row)


def _read_cursor(text: str | None, order: Order) -> Place | None:
    if text is None:
        return None
    try:
        place = cursors.decode(text, _place)
    except ValueError:
        place = None
    if place is None or not _GAME.fullmatch(place.game) or place.order != order:
        message = gettext("not a cursor from this list")
        raise ProblemError("bad-request", message, errors=[{"field": "cursor", "message": message}])
    return place
