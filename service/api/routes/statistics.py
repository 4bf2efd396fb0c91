"""Statistics and ratings of people, from the games that the caller may see."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from events.folding import normalized
from games.contract import PUBLIC
from projections.analyses.kinds import KINDS
from projections.analyses.luck import LuckCounts
from projections.catalogue import Query, all_results
from projections.statistics.moves import Played, figures_of_moves, is_behind
from projections.statistics.people import figures
from projections.statistics.ratings import Ladder
from projections.statistics.results import results
from projections.views import access_cursor, cursor
from service.access.needs import SEEN
from service.api.answers.games import GameList
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
from service.api.routes.clubs import club_seen
from service.api.routes.games import believed, described, iso_day, onlooker, still_seen
from service.api.schemas.fields import check_id
from service.api.schemas.people import BehindQuery, RatingsQuery, SelectionQuery, StatisticsQuery
from service.api.tablenames import hidden_people, table_names
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from flask import Response

    from events.merges import Merges
    from projections.catalogue import Listed
    from projections.statistics.digests import Digest
    from projections.statistics.ratings import Rating
    from projections.statistics.results import Result

endpoints = Endpoints("statistics")

DIGESTING = 0.5
"""Seconds of a request in which games are read that nobody has read yet; the others are read by the next ones."""

LUCK_INTERVAL = 60
"""Seconds after which statistics of many games are made anew for what was counted of luck meanwhile."""


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

    Games with an outcome count, neither forks nor abandoned ones. They are compared with what chance would give. A
    corrected game corrects every figure.
    """
    return reply(statistics_of(player, query))


def statistics_of(player: str, query: dict[str, Any]) -> PersonStatistics:
    """The statistics that a loaded `StatisticsQuery` asks for. Raises `player-unknown`, `RebuildingError`."""
    people = archive().log.people
    kept = people.merges().final_id(check_id(player, "player"))
    games = _seen(people.merges().ids_of([kept]), query["first"], query["last"])
    found = figures(kept, _wanted(games, query))
    if not found.n and not context().knows(kept):
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))
    ladder = ladder_of(query["kind"])
    rating = ladder.rating(kept)
    return PersonStatistics(
        kept,
        table_names([kept, *(each.player for each in found.opponents)]),
        found,
        _info(rating) if rating and rating.shown else None,
        [
            RatingStep(step.game, step.played_at, round(step.predicted, 3), step.won, _info(step.rating))
            for step in ladder.history(kept)
        ],
    )


def kinds_seen() -> list[str]:
    """The kinds of games that the caller may see with an outcome, the most played first. Raises `RebuildingError`."""
    return [kind for kind, _ in ladder_of(None).kinds.most_common()]


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

    By the model of Plackett and Luce, from all games against each other in the order in which they were played. A
    rating is shown after five games. `brier` says how good the predictions were.
    """
    return reply(ratings(query["kind"]))


def ratings(kind: str | None) -> RatingList:
    """The ratings of everybody, in games of one kind or of all. Raises `RebuildingError`."""
    ladder = ladder_of(kind)
    hidden, brier = hidden_people(), ladder.brier
    found, few = ([each for each in of if each.player not in hidden] for of in (ladder.ratings(), ladder.newcomers()))
    names = table_names([each.player for each in (*found, *few)])
    return RatingList(
        [_info(each) for each in found],
        [_info(each) for each in few],
        names,
        BrierScore(brier.n, round(brier.score, 4), round(brier.uniform, 4)) if brier else None,
    )


def ladder_of(kind: str | None) -> Ladder:
    """The ladder of the games that the caller may see. Raises `RebuildingError`."""
    merges = archive().log.people.merges().number
    stamp = believed(lambda db: (cursor(db), access_cursor(db), merges))
    return context().figures.get(
        (kind, onlooker()), stamp, lambda: Ladder.of(each for each in _seen() if kind in (None, each.kind))
    )


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
        return _move_statistics(query)
    merges = archive().log.people.merges().number
    club = club_seen(query["club"]).version if query["club"] else 0
    stamp = believed(lambda db: (cursor(db), access_cursor(db), merges, club, time.monotonic() // LUCK_INTERVAL))
    return context().figures.get(
        (*query.items(), onlooker()), stamp, lambda: _move_statistics(query), lambda found: found.read == found.n
    )


def _move_statistics(query: dict[str, Any]) -> MoveStatistics:
    found = [played for _, played in _played(query)]
    people = {id_ for id_ in (query["player"], query["other"]) if id_}
    names = dict(table_names(people))
    if query["club"]:
        names[query["club"]] = club_seen(query["club"]).name
    return MoveStatistics(len(found), sum(each.digest is not None for each in found), names, figures_of_moves(found))


@endpoints.route(
    "GET",
    "/v1/statistics/games",
    scope=SEEN,
    query=BehindQuery(),
    answer=GameList,
    conditional=True,
    problems=("bad-request", "player-unknown", "club-unknown", "rebuilding"),
)
def list_games_behind(query: dict[str, Any]) -> Response:
    """List the games behind a figure from the moves.

    The last played come first. `next` is the `cursor` of the next page.
    """
    return reply(games_behind(query))


def games_behind(query: dict[str, Any]) -> GameList:
    """The games that a loaded `BehindQuery` asks for. Raises as `move_statistics`."""
    about, start = query["about"], query["cursor"]
    found = [pair for pair in _played(query) if not about or is_behind(about, pair[1])]
    found.sort(key=lambda pair: pair[1].result.order, reverse=True)
    end = start + query["limit"]
    return GameList(described(listed for listed, _ in found[start:end]), str(end) if end < len(found) else None)


def _played(query: dict[str, Any]) -> list[tuple[Listed, Played]]:
    """The games of a selection with what is known of their moves."""
    found, listed, player = selected(query)
    digests = context().digests.find({each.game: each.version for each in found}, DIGESTING)
    luck = _luck(digests)
    return [
        (
            listed[each.game],
            Played(each, each.seats_of(player) if player else (), digests.get(each.game), luck.get(each.game)),
        )
        for each in found
    ]


def selected(query: dict[str, Any]) -> tuple[list[Result], dict[str, Listed], str | None]:
    """The games that a loaded `SelectionQuery` asks for, how they are listed, and the id of the person.

    Raises `player-unknown`, `club-unknown`, `RebuildingError`.
    """
    merges = archive().log.people.merges()
    player, other = (merges.final_id(query[name]) if query[name] else None for name in ("player", "other"))
    place = normalized(query["place"])
    wanted = Query(
        sat=merges.ids_of([player]) if player else None,
        ruleset=query["kind"].partition("/")[0] if query["kind"] else None,
        first=iso_day(query["first"]),
        last=iso_day(query["last"]),
        games=frozenset(club_seen(query["club"]).games) if query["club"] else None,
        seen_by=onlooker(),
    )
    listed = {each.game: each for each in still_seen(believed(lambda db: list(all_results(db, wanted))), wanted)}
    found = [
        each
        for each in _wanted(results(listed.values(), merges), query)
        if (not player or player in each.seats)
        and (not other or other in each.seats)
        and (not place or normalized(each.place) == place)
    ]
    for person in (player, other):
        if person and not found and not context().knows(person):
            raise ProblemError("player-unknown", gettext("no player %(player)s", player=person))
    return found, listed, player


def _luck(digests: Mapping[str, Digest]) -> dict[str, LuckCounts]:
    """What is counted of the luck in these games, as everybody saw them, where that is done."""
    kind, found = KINDS["luck-counts"], dict[str, LuckCounts]()
    for subject, data in context().analyses.finished(kind.name, PUBLIC.name, list(digests)):
        digest = digests[subject.game]
        if (subject.version, subject.revision) == (digest.version, f"{kind.revision}.{digest.revision}"):
            found[subject.game] = msgspec.json.decode(data, type=LuckCounts)
    return found


def seen_results() -> list[Result]:
    """The results of all games that the caller may see. Raises `RebuildingError`."""
    return _seen()


def merge_figures(after: Merges, player: str, into: str) -> tuple[list[MergeFigures], MergeFigures, int]:
    """The figures of two people, those of the one that they are `after` a merge, and their games at one table.

    Of the games that the caller may see. Raises `RebuildingError`.
    """
    query = Query(seen_by=onlooker())
    listed = list(still_seen(believed(lambda db: list(all_results(db, query))), query))
    now, then = list(results(listed, archive().log.people.merges())), list(results(listed, after))
    ladder = ladder_of(None)
    before = [_merge_figures(now, ladder, each) for each in (player, into)]
    together = sum({player, into} <= set(game.seats) for game in now)
    return before, _merge_figures(then, Ladder.of(then), into), together


def _merge_figures(games: list[Result], ladder: Ladder, player: str) -> MergeFigures:
    found, rating = figures(player, games), ladder.rating(player)
    points = round(rating.points, 2) if rating and rating.shown else None
    return MergeFigures(found.n, found.share.n, found.share.wins, round(found.share.by_chance, 3), points)


def _seen(sat: frozenset[str] | None = None, first: date | None = None, last: date | None = None) -> list[Result]:
    """The results of the games that the caller may see, of a person and a time. Raises `RebuildingError`."""
    query = Query(sat=sat, first=iso_day(first), last=iso_day(last), seen_by=onlooker())
    listed = believed(lambda db: list(all_results(db, query)))
    return list(results(still_seen(listed, query), archive().log.people.merges()))


def _wanted(found: Iterable[Result], query: dict[str, Any]) -> Iterator[Result]:
    """The results of a kind and a number of players, as far as these are asked for."""
    players, kind = query["players"], query["kind"]
    for each in found:
        if players in (None, len(each.seats)) and kind in (None, each.kind):
            yield each
