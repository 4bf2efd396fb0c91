"""Seasons: their fold, and their table, with every point explained."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import msgspec

from events.errors import BadEventError
from events.seasons import (
    BonusKind,
    SeasonChanged,
    SeasonFounded,
    SeasonGameLeftOut,
    SeasonPointsGiven,
    SeasonRules,
    SeasonTieBreak,
    SeasonWithdrawn,
)
from projections.founded import read_entries
from projections.statistics.results import lowest_wins
from projections.tournaments.model import share_against, share_of_beaten, shared_points, split_by

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from events.event import Event
    from events.types import EventData
    from projections.statistics.results import Result


class Season(msgspec.Struct, kw_only=True):
    """A season by its entries. `given` are the points beside those of games, by the version of their entry."""

    id: str
    name: str
    description: str
    club: str
    rules: SeasonRules
    founded_at: int
    version: int = 1
    left_out: dict[str, str] = {}
    given: dict[int, SeasonPointsGiven] = {}
    withdrawn: frozenset[int] = frozenset()
    named: dict[str, int] = {}


class SeasonGame(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a person in a game: `points` for the `place`, and the `bonuses`. The best games count."""

    game: str
    day: str
    place: int
    players: int
    points: Fraction
    bonuses: tuple[tuple[BonusKind, int], ...] = ()
    counts: bool = True

    @property
    def total(self) -> Fraction:
        """All points of the game."""
        return self.points + sum(points for _, points in self.bonuses)


class SeasonRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table. A person with too few games has no rank. `values` are those of the tie-breaks."""

    rank: int | None
    player: str
    points: Fraction
    games: tuple[SeasonGame, ...]
    given: tuple[SeasonPointsGiven, ...]
    values: tuple[Fraction, ...]


def fold_season(events: Sequence[Event]) -> Season:
    """The season of these entries. Raises `BadEventError` for the first one that does not fit, with its place."""
    first, (opened, withdrawn, named, counting) = events[0], read_entries(events, SeasonWithdrawn)
    if not isinstance(opened, SeasonFounded):
        raise BadEventError(0, "type", "it is not the record of a season")
    check_season_rules(opened.rules)
    season = Season(
        id=first.game,
        name=opened.name,
        description=opened.description,
        club=opened.club,
        rules=opened.rules,
        founded_at=first.recorded_at,
        version=len(events),
        withdrawn=withdrawn,
        named=named,
    )
    for index, data in counting:
        _apply(season, index, data)
    return season


def _apply(season: Season, index: int, data: EventData) -> None:
    match data:
        case SeasonChanged():
            for name in ("name", "description", "rules"):
                if (value := getattr(data, name)) is not None:
                    setattr(season, name, value)
            check_season_rules(season.rules, index)
        case SeasonGameLeftOut():
            if data.game in season.left_out:
                raise BadEventError(index, "data.game", "this game is left out already")
            season.left_out[data.game] = data.reason
        case SeasonPointsGiven():
            season.given[index + 1] = data


def check_season_rules(rules: SeasonRules, index: int = 0) -> None:
    """Check that the rules of a season fit each other. Raises `BadEventError`."""
    sizes = [len(points) for points in rules.points]
    if len(set(sizes)) < len(sizes):
        raise BadEventError(index, "data.rules.points", "give at most one list for each number of players")
    if any(earlier < later for points in rules.points for earlier, later in pairwise(points)):
        raise BadEventError(index, "data.rules.points", "a better place cannot give fewer points")
    if len(set(rules.tie_breaks)) < len(rules.tie_breaks):
        raise BadEventError(index, "data.rules.tie_breaks", "give each at most once")
    for name in ("first", "last"):
        if (day := getattr(rules, name)) and not _is_day(day):
            raise BadEventError(index, f"data.rules.{name}", "there is no such day")
    if rules.first and rules.last and rules.last < rules.first:
        raise BadEventError(index, "data.rules.last", "it is before the first day")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def games_that_count(season: Season, results: Iterable[Result]) -> list[Result]:
    """The results of a club's games that count, in the order of play.

    Games that all won or lost as one have no order of people, and in a game everybody sits once.
    """
    rules = season.rules
    sizes = {len(points) for points in rules.points}
    found = [
        each
        for each in results
        if each.game not in season.left_out
        and (rules.first or "") <= each.day <= (rules.last or "9999")
        and rules.kind in (None, each.kind)
        and len(each.seats) > 1
        and (not sizes or len(each.seats) in sizes)
        and not each.together
        and max(Counter(filter(None, each.seats)).values(), default=0) == 1
    ]
    return sorted(found, key=lambda each: each.order)


def season_table(
    season: Season, results: Iterable[Result], final_id: Callable[[str], str], members: Collection[str]
) -> list[SeasonRow]:
    """The table of a season from its club's games, by rank, then the people without a rank."""
    counted = games_that_count(season, results)
    games = _best_games(season.rules, counted)
    given = defaultdict[str, list[SeasonPointsGiven]](list)
    for _, each in sorted(season.given.items()):
        given[final_id(each.player)].append(each)
    people = sorted(games.keys() | given.keys())
    people = [player for player in people if not season.rules.members or player in members]
    totals = {player: _total(games.get(player, ()), given[player]) for player in people}
    values: dict[str, list[Fraction]] = {player: [] for player in people}
    enough = [player for player in people if len(games.get(player, ())) >= season.rules.least]
    few = split_by([player for player in people if player not in set(enough)], totals.__getitem__)
    record = _Record(counted, games)
    ranked = _break_ties(season.rules, split_by(enough, totals.__getitem__), few, record, values)
    ranks = [*accumulate(map(len, ranked), initial=1)]
    return [
        SeasonRow(
            rank=rank,
            player=player,
            points=totals[player],
            games=tuple(games.get(player, ())),
            given=tuple(given[player]),
            values=tuple(values[player]),
        )
        for tied, rank in [*zip(ranked, ranks, strict=False), *((each, None) for each in few)]
        for player in tied
    ]


def _total(games: Sequence[SeasonGame], given: Sequence[SeasonPointsGiven]) -> Fraction:
    """The points of a player: from counting games, and from organisers."""
    return sum((each.total for each in games if each.counts), Fraction()) + sum(each.points for each in given)


def _break_ties(
    rules: SeasonRules,
    ranked: list[list[str]],
    few: list[list[str]],
    record: _Record,
    values: dict[str, list[Fraction]],
) -> list[list[str]]:
    """Split people with equal points by the tie-breaks, and note the `values` of all, also after too `few` games."""
    orders = dict[str, Fraction]()
    for code in rules.tie_breaks:
        for tied in (*ranked, *few):
            for player in tied:
                value = record.tie_break(code, player, tied)
                values[player].append(value)
                orders[player] = -value if code == "score_total" and record.lowest else value
        ranked = [part for each in ranked for part in split_by(each, orders.__getitem__)]
    return ranked


def _best_games(rules: SeasonRules, counted: Sequence[Result]) -> dict[str, list[SeasonGame]]:
    """The best games of each person, in the order of play. Of equal games the earlier one counts."""
    found = defaultdict[str, list[SeasonGame]](list)
    for result in counted:
        for player, game in _of_game(rules, result):
            found[player].append(game)
    if not rules.best:
        return found
    return {player: _mark_counting(games, rules.best) for player, games in found.items()}


def _mark_counting(games: Sequence[SeasonGame], best: int) -> list[SeasonGame]:
    order = sorted(range(len(games)), key=lambda index: (-games[index].total, index))
    kept = set(order[:best])
    return [game if index in kept else msgspec.structs.replace(game, counts=False) for index, game in enumerate(games)]


def _of_game(rules: SeasonRules, result: Result) -> Iterator[tuple[str, SeasonGame]]:
    """The points of each person in a game. Guests take places, but get no points."""
    size = len(result.seats)
    places = [1 + sum(other < rank for other in result.ranks) for rank in result.ranks]
    each = next((tuple(map(Fraction, points)) for points in rules.points if len(points) == size), share_of_beaten(size))
    points = shared_points(each, places)
    for seat, player in enumerate(result.seats):
        if player:
            bonuses = tuple(
                (bonus.kind, bonus.points)
                for bonus in rules.bonuses
                if _earns_bonus(bonus.kind, bonus.at, result, seat)
            )
            yield (
                player,
                SeasonGame(
                    game=result.game,
                    day=result.day,
                    place=places[seat],
                    players=size,
                    points=points[seat],
                    bonuses=bonuses,
                ),
            )


def _earns_bonus(kind: BonusKind, at: int, result: Result, seat: int) -> bool:
    own = result.scores[seat]
    best, others = min(result.ranks), [rank for index, rank in enumerate(result.ranks) if index != seat]
    if kind == "played":
        return True
    if kind == "score":
        return own >= at
    if kind == "won_by":
        next_ = [result.scores[index] for index, rank in enumerate(result.ranks) if rank == min(others)]
        return result.ranks[seat] < min(others) and all(abs(own - score) >= at for score in next_)
    first = [score for score, rank in zip(result.scores, result.ranks, strict=True) if rank == best]
    return result.ranks[seat] > best and all(abs(own - score) <= at for score in first)


class _Record:
    """The data for tie-breaks: all counting games, also those beyond the best ones."""

    def __init__(self, results: Sequence[Result], games: Mapping[str, Sequence[SeasonGame]]) -> None:
        self._games, self.lowest = games, lowest_wins(results)
        self._scores, self._met = Counter[str](), defaultdict[tuple[str, str], list[Fraction]](list)
        for result in results:
            people = [(seat, player) for seat, player in enumerate(result.seats) if player]
            for seat, player in people:
                self._scores[player] += result.scores[seat]
                for other, rival in people:
                    if rival != player:
                        self._met[player, rival].append(share_against(result.ranks[seat], result.ranks[other]))

    def tie_break(self, code: SeasonTieBreak, player: str, tied: Sequence[str]) -> Fraction:
        """The value of a tie-break. More is better, except for scores where the `lowest` win."""
        games = self._games.get(player, ())
        match code:
            case "wins" | "second_places" | "third_places":
                place = {"wins": 1, "second_places": 2, "third_places": 3}[code]
                return Fraction(sum(game.place == place for game in games))
            case "games":
                return Fraction(len(games))
            case "average":
                return sum((game.total for game in games), Fraction()) / max(len(games), 1)
            case "best_game":
                return max((game.total for game in games), default=Fraction())
            case "score_total":
                return Fraction(self._scores[player])
            case "direct_encounter":
                return self._direct_encounter(player, tied)

    def _direct_encounter(self, player: str, tied: Sequence[str]) -> Fraction:
        """The sum of the mean results against each tied person. It decides only if all of them met."""
        if any((one, other) not in self._met for one in tied for other in tied if one != other):
            return Fraction()
        met = [self._met[player, other] for other in tied if other != player]
        return sum((sum(shares, Fraction()) / len(shares) for shares in met), Fraction())
