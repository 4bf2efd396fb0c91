"""Statistics and ratings of people, from the games that the caller may see."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from events.folding import same_name
from projections.catalogue.pages import find_games
from projections.catalogue.queries import Query
from projections.statistics.behind import moves_about, needs_moves, results_about
from projections.statistics.moves import figures_of_moves, tally_of
from projections.statistics.people import figures
from projections.statistics.ratings import rated_games
from projections.statistics.results import at_place
from service.access.gate import current_principal, gate
from service.access.needs import SEEN
from service.access.principals import NONE
from service.api.answers.games import GamesBehind
from service.api.answers.people import (
    BrierScore,
    MergeFigures,
    MoveStatistics,
    PersonStatistics,
    RatingInfo,
    RatingList,
    RatingStep,
)
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.ladders import newest_ladder
from service.api.routes.clubs import visible_club
from service.api.routes.games import described, iso_day, onlooker, read_lists
from service.api.schemas.fields import check_id
from service.api.schemas.people import BehindQuery, RatingsQuery, SelectionQuery, StatisticsQuery
from service.api.sums import DIGESTING, Selection, moves_of, newest_about, read_moves
from service.api.tablenames import hidden_people, table_names
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from flask import Response
    from sqlite_utils import Database

    from events.merges import Merges
    from projections.statistics.known import VisibleResults
    from projections.statistics.moves import KindMoves
    from projections.statistics.ratings import Ladder, Rating
    from projections.statistics.results import Result

endpoints = Endpoints("statistics")

SELECTING = ("player", "other", "club", "players", "first", "last")
"""What a selection of games is known by, beside its place."""


@endpoints.route(
    "GET",
    "/v1/players/<player>/statistics",
    scope=SEEN,
    query=StatisticsQuery(),
    answer=PersonStatistics,
    conditional=True,
    problems=("bad-request", "player-unknown", "rebuilding"),
)
def show_statistics(player: str, query: dict[str, Any]) -> Response:
    """Show the statistics of a person, from the games that the caller may see.

    Games with an outcome count, except forks and abandoned ones.
    """
    return reply(statistics_of(player, query))


def statistics_of(player: str, query: dict[str, Any]) -> PersonStatistics:
    """The statistics that a loaded `StatisticsQuery` asks for. Raises `player-unknown`, `RebuildingError`."""
    people = archive().log.people
    kept = people.merges().final_id(check_id(player, "player"))
    found = figures(kept, _wanted(visible_results().results_of(kept), query))
    if not found.n:
        _need_known(kept)
    ladder, current = _newest_ladder(query["kind"])
    shown = kept not in hidden_people()
    rating, steps = (ladder.rating(kept), ladder.history(kept)) if shown else (None, ())
    return PersonStatistics(
        kept,
        table_names([kept, *(each.player for each in found.opponents)]),
        found,
        _info(rating) if rating and rating.is_shown else None,
        [
            RatingStep(step.game, step.played_at, round(step.predicted, 3), step.won, _info(step.rating))
            for step in steps
        ],
        recomputing=not current,
    )


def _need_known(person: str) -> None:
    """Check that the caller may know of this person: by a name, or by a visible game.

    Somebody who may list people knows everybody. Raises `player-unknown`, `RebuildingError`.
    """
    who, people = current_principal(), archive().log.people
    if who and ("people:read" in who.service or person in who.people):
        known = context().is_known_person(person)
    else:
        known = bool(people.named_ids([person]) or people.erased_among([person])) or _sat_in_sight(person)
    if not known:
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=person))


def _sat_in_sight(person: str) -> bool:
    """Whether a person ever sat in a game, running ones included, that the caller may see. Raises `RebuildingError`."""
    ids = archive().log.people.merges().ids_of([person])
    return bool(read_lists(lambda db: find_games(db, Query(sat=ids, seen_by=onlooker()), None, 1)))


def visible_kinds() -> list[str]:
    """The kinds of games that the caller may see with an outcome, the most played first. Raises `RebuildingError`."""
    return [kind for kind, _ in Counter(each.kind for each in visible_results().all()).most_common()]


@endpoints.route(
    "GET",
    "/v1/ratings",
    scope=SEEN,
    query=RatingsQuery(),
    answer=RatingList,
    conditional=True,
    problems=("bad-request", "rebuilding"),
)
def list_ratings(query: dict[str, Any]) -> Response:
    """List the ratings of people, the strongest first, from the games that the caller may see.

    From all games against each other. A rating is shown after five games.
    """
    return reply(ratings(query["kind"]))


def ratings(kind: str | None) -> RatingList:
    """The ratings of everybody, in games of one kind or of all. Raises `RebuildingError`."""
    ladder, current = _newest_ladder(kind)
    hidden, brier = hidden_people(), ladder.brier
    found, few = ([each for each in of if each.player not in hidden] for of in (ladder.ratings(), ladder.newcomers()))
    names = table_names([each.player for each in (*found, *few)])
    return RatingList(
        [_info(each) for each in found],
        [_info(each) for each in few],
        names,
        BrierScore(brier.n, round(brier.score, 4), round(brier.uniform, 4)) if brier else None,
        recomputing=not current,
    )


def visible_results() -> VisibleResults:
    """The results of the games that the caller may see. Raises `RebuildingError`."""
    who, doors, merges, viewer = current_principal(), gate(), archive().log.people.merges(), onlooker()
    known = context().known

    def look(db: Database) -> VisibleResults:
        may_see = lambda game: doors.permissions(who, game) is not NONE  # noqa: E731 - it is asked once
        return known.visible_results(db, viewer, known.refresh(db, merges, context().access), may_see)

    return read_lists(look)


def ladder_of(kind: str | None) -> Ladder:
    """The ladder of the games that the caller may see, which can be some seconds old. Raises `RebuildingError`."""
    return _newest_ladder(kind)[0]


def _newest_ladder(kind: str | None) -> tuple[Ladder, bool]:
    """As `ladder_of`, and whether it is up to date. Raises `RebuildingError`."""
    return newest_ladder(context(), visible_results(), kind)


def _info(rating: Rating) -> RatingInfo:
    return RatingInfo(rating.player, rating.n, round(rating.points, 2), round(rating.mu, 2), round(rating.sigma, 2))


@endpoints.route(
    "GET",
    "/v1/statistics",
    scope=SEEN,
    query=SelectionQuery(),
    answer=MoveStatistics,
    conditional=True,
    problems=("bad-request", "player-unknown", "club-unknown", "rebuilding"),
)
def show_move_statistics(query: dict[str, Any]) -> Response:
    """Show statistics from the moves of a person, two people, a kind of game, a place, a club, or all games.

    Only what everybody may know is counted, of games that the caller may see. `about` of a figure finds its games.
    """
    return reply(move_statistics(query))


def move_statistics(query: dict[str, Any]) -> MoveStatistics:
    """The statistics that a loaded `SelectionQuery` asks for.

    Raises `player-unknown`, `club-unknown`, `RebuildingError`.
    """
    if query["player"]:
        found, player = select_games(query)
        told = figures_of_moves([tally_of(read_moves(context(), found, DIGESTING, player))])
    else:
        told = tuple(_figures_of_all(query))
    names = dict(table_names(id_ for id_ in (query["player"], query["other"]) if id_))
    if query["club"]:
        names[query["club"]] = visible_club(query["club"]).name
    return MoveStatistics(sum(each.n for each in told), sum(each.read for each in told), names, told)


def _figures_of_all(query: dict[str, Any]) -> Iterator[KindMoves]:
    """The figures of many games, of one kind or of all. Other kinds are counted, too."""
    found = moves_of(context(), _selection(query), DIGESTING).by_kind
    return (each for each in found if query["kind"] in (None, each.kind))


def _selection(query: dict[str, Any]) -> Selection:
    """The games of all kinds that a loaded `SelectionQuery` asks for."""
    asked = {name: query[name] for name in SELECTING if query[name]} | {"place": same_name(query["place"])}
    version = visible_club(query["club"]).version if query["club"] else 0
    about = tuple(each for each in asked.items() if each[1])
    return Selection(visible_results(), lambda: select_games(query | {"kind": None})[0], about, version)


@endpoints.route(
    "GET",
    "/v1/statistics/games",
    scope=SEEN,
    query=BehindQuery(),
    answer=GamesBehind,
    conditional=True,
    problems=("bad-request", "player-unknown", "club-unknown", "rebuilding"),
)
def list_games_behind(query: dict[str, Any]) -> Response:
    """List the games behind a figure.

    The last played come first.
    """
    return reply(games_behind(query))


def games_behind(query: dict[str, Any]) -> GamesBehind:
    """The games that a loaded `BehindQuery` asks for. Raises as `move_statistics`."""
    start = query["cursor"]
    end = start + query["limit"]
    if needs_moves(query["about"]) and not query["player"]:
        of, limit = _selection(query), query["limit"]
        page, n = newest_about(context(), of, query["kind"], query["about"], start, limit, DIGESTING)
    else:
        found = _all_behind(query)
        page, n = [*found[::-1][start:end]], len(found)
    wanted = Query(games=frozenset(each.game for each in page))
    listed = {each.game: each for each in read_lists(lambda db: find_games(db, wanted, None, len(page)))}
    games = described(listed[each.game] for each in page if each.game in listed)
    return GamesBehind(games, str(end) if end < n else None, n)


def _all_behind(query: dict[str, Any]) -> Sequence[Result]:
    """All games behind a figure of a person, or behind a figure from results, in the order of play."""
    found, player = select_games(query)
    if needs_moves(query["about"]):
        return moves_about(query["about"], read_moves(context(), found, DIGESTING, player))
    return results_about(query["about"], found, player)


def select_games(query: dict[str, Any]) -> tuple[Sequence[Result], str | None]:
    """The games that a loaded `SelectionQuery` asks for, in the order of play, and the id of the person.

    Raises `player-unknown`, `club-unknown`, `RebuildingError`.
    """
    merges = archive().log.people.merges()
    player, other = (merges.final_id(query[name]) if query[name] else None for name in ("player", "other"))
    seen = visible_results()
    all_of = (lambda: seen.results_of(player)) if player else seen.all
    found = _wanted(seen.of_games(visible_club(query["club"]).games) if query["club"] else all_of(), query)
    for person in filter(None, (player, other)):
        found = [each for each in found if person in each.seats]
    if same_name(query["place"]):
        found = at_place(found, query["place"])
    for person in () if found else filter(None, (player, other)):
        _need_known(person)
    return found, player


def merge_figures(after: Merges, player: str, into: str) -> tuple[list[MergeFigures], MergeFigures, int]:
    """The figures of two people, those of the merged person (`after`), and their games at one table.

    Of the games that the caller may see. Raises `RebuildingError`.
    """
    seen, ladder = visible_results(), ladder_of(None)
    before = [_merge_figures(seen.results_of(each), ladder, each) for each in (player, into)]
    both = {each.game: each for person in (player, into) for each in seen.results_of(person)}
    then = {game: _merged(each, after) for game, each in both.items()}
    merged = ladder.following(rated_games(then.get(each.game, each) for each in seen.all()))
    together = sum({player, into} <= set(game.seats) for game in both.values())
    return before, _merge_figures(then.values(), merged, into), together


def _merged(game: Result, merges: Merges) -> Result:
    """A result with merged people as one."""
    seats = tuple(merges.final_id(player) if player else None for player in game.seats)
    return msgspec.structs.replace(game, seats=seats)


def _merge_figures(games: Iterable[Result], ladder: Ladder, player: str) -> MergeFigures:
    found, rating = figures(player, games), ladder.rating(player)
    points = round(rating.points, 2) if rating and rating.is_shown else None
    return MergeFigures(found.n, found.share.n, found.share.wins, round(found.share.by_chance, 3), points)


def _wanted(found: Sequence[Result], query: dict[str, Any]) -> Sequence[Result]:
    """The results of the wanted period, kind and number of players."""
    players, kind = query["players"], query["kind"]
    first, last = iso_day(query["first"]), iso_day(query["last"])
    if first or last:
        found = [each for each in found if each.day and first <= each.day and (not last or each.day <= last)]
    if kind is not None:
        found = [each for each in found if each.kind == kind]
    if players is not None:
        found = [each for each in found if len(each.seats) == players]
    return found
