"""A year in review: the games of one year, of a person, a club, or everybody."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from projections.statistics.people import (
    CHANCES,
    ENOUGH,
    WinShare,
    longest_streak,
    parts_of_chance,
    parts_of_chance_in,
    share_of,
    wilson_interval,
)
from projections.statistics.results import highest_wins_vote, order_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from projections.statistics.results import Result

GUEST = ""
"""Stands for a guest in the sums of a month, until these are done."""

LISTED = 5
"""How many kinds of games, people and records a review names at the most."""


class PlayCount(msgspec.Struct, frozen=True):
    """A kind of game, a person or a day, with its number of games."""

    name: str
    n: int


class NotableGame(msgspec.Struct, frozen=True):
    """A game that stands out, by `value`: minutes, or points between the first and the next."""

    game: str
    kind: str
    day: str
    value: int


class YearRecord(msgspec.Struct, frozen=True):
    """The best score of a kind of game up to the end of the year, if it was made in the year. `n` scores were made."""

    kind: str
    points: int
    game: str
    player: str | None
    n: int


class PersonWins(msgspec.Struct, frozen=True):
    """A person's wins in the games against each other."""

    player: str
    share: WinShare


class Year(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of `n` games of a year. `kinds` are the most played of `played` ones; `begun` are new.

    `people` are those most met, of `met`. `share` and `streak` are the person's. Of several people, `standings` has
    those with five games, by wins beyond chance.
    """

    year: int
    n: int
    minutes: int
    days: int
    months: tuple[int, ...]
    busiest: PlayCount | None
    kinds: tuple[PlayCount, ...]
    played: int
    begun: int
    people: tuple[PlayCount, ...]
    met: int
    share: WinShare
    streak: int
    standings: tuple[PersonWins, ...]
    longest: NotableGame | None
    closest: NotableGame | None
    records: tuple[YearRecord, ...]


class KindScores:
    """The games of one kind: how many, what they say of who wins, and the first who made the best scores."""

    def __init__(self) -> None:
        self.games = self.scores = self.votes = 0
        self.best: dict[int, _Best] = {}

    def add(self, game: Result, seats: Sequence[int]) -> None:
        """Add a game that was played later than those before."""
        self.games += 1
        self.scores += len(seats)
        self.votes += highest_wins_vote(game)
        scores = [game.scores[seat] for seat in seats]
        for sign, points in ((1, max(scores)), (-1, min(scores))):
            if sign not in self.best or sign * points > self.best[sign].value:
                seat = seats[scores.index(points)]
                self.best[sign] = _Best(sign * points, game.day, game.game, game.seats[seat])

    def include(self, later: KindScores) -> None:
        """Add games that were played later."""
        self.games += later.games
        self.scores += later.scores
        self.votes += later.votes
        for sign, best in later.best.items():
            if sign not in self.best or best.value > self.best[sign].value:
                self.best[sign] = best

    def record(self, kind: str, year: str) -> YearRecord | None:
        """The best score, if there is more than one game, and if it was made in the year."""
        sign = -1 if self.votes < 0 else 1
        best = self.best[sign]
        if self.games == 1 or best.day[:4] != year:
            return None
        return YearRecord(kind, sign * best.value, best.game, best.player, self.scores)


class _Best(NamedTuple):
    value: int
    day: str
    game: str
    player: str | None


class Month:
    """The sums over the games of a month, of a person or of everybody, beside their scores.

    Those of several months add up. They name everybody who played, so they are kept of the years that are asked for.
    """

    def __init__(self) -> None:
        self.minutes = 0
        self.days, self.kinds, self.people = Counter[str](), Counter[str](), Counter[str]()
        self.plays, self.wins, self.chances = Counter[str](), Counter[str](), Counter[str]()
        self.longest: NotableGame | None = None
        self.closest: NotableGame | None = None

    @classmethod
    def from_results(cls, games: Sequence[Result], player: str | None) -> Month:
        """The sums over games in the order of play. Tables of one size and with the same winning seats are one sum."""
        month = cls()
        tables: defaultdict[tuple[frozenset[int], bool, int], list[Sequence[str | None]]] = defaultdict(list)
        month.minutes = sum(each.minutes for each in games)
        month.days, month.kinds = Counter(each.day for each in games), Counter(each.kind for each in games)
        for each in games:
            seats = each.seats
            if len({*seats}) == len(seats):
                tables[each.winners, each.against_others, len(seats)].append(seats)
            else:
                month._add_odd(each)
        for (winners, against, _), of in tables.items():
            month._add_tables(winners, of, against=against)
        month._note_games(games)
        for counts in (month.people, month.plays, month.wins, month.chances):
            del counts[GUEST]
        if player:
            del month.people[player]
        return month

    def _add_tables(self, winners: frozenset[int], tables: Sequence[Sequence[str | None]], *, against: bool) -> None:
        """Add tables of one size, at which everybody has one seat. A guest is nobody."""
        here = Counter(seat or GUEST for table in tables for seat in table)
        self.people.update(here)
        if against:
            chance = parts_of_chance(1, len(winners), len(tables[0]))
            self.wins.update(table[seat] or GUEST for seat in winners for table in tables)
            self.plays.update(here)
            self.chances.update({person: chance * times for person, times in here.items()})

    def _add_odd(self, game: Result) -> None:
        """Add a game in which somebody has several seats, or several guests sit."""
        here = {seat for seat in game.seats if seat}
        self.people.update(here)
        if game.against_others:
            self.wins.update({str(game.seats[seat]) for seat in game.winners if game.seats[seat]})
            self.plays.update(here)
            for person in here:
                self.chances[person] += parts_of_chance_in(game, game.seats_of(person))

    def _note_games(self, games: Iterable[Result]) -> None:
        """Note the longest and the closest game. No game is closer than by a point: then the least id is enough."""
        longest = max(games, key=lambda each: (each.minutes, each.game), default=None)
        self.longest = _moment(longest, longest.minutes) if longest and longest.minutes else None
        for each in games:
            least = _value(self.closest) if self.closest else None
            if (least is None or (1, each.game) < least) and each.against_others:
                gap = _margin(each)
                if gap and (least is None or (gap, each.game) < least):
                    self.closest = _moment(each, gap)

    def _stand_out(self, longest: NotableGame | None, closest: NotableGame | None) -> None:
        self.longest = max(filter(None, (self.longest, longest)), key=_value, default=None)
        self.closest = min(filter(None, (self.closest, closest)), key=_value, default=None)

    def include(self, later: Month) -> None:
        """Add a later month."""
        self.minutes += later.minutes
        for name in ("days", "kinds", "people", "plays", "wins", "chances"):
            getattr(self, name).update(getattr(later, name))
        self._stand_out(later.longest, later.closest)

    def share(self, person: str) -> WinShare:
        """The wins of a person."""
        n, wins = self.plays[person], self.wins[person]
        return WinShare(n, wins, self.chances[person] / CHANCES, *wilson_interval(wins, n))


def scores_of(games: Iterable[Result], player: str | None) -> dict[str, KindScores]:
    """The scores by kind of game, of a person or of everybody, in games in the order of play."""
    kinds: defaultdict[str, KindScores] = defaultdict(KindScores)
    for each in games:
        kinds[each.kind].add(each, each.seats_of(player) if player else range(len(each.seats)))
    return dict(kinds)


def by_month(games: Iterable[Result]) -> dict[str, list[Result]]:
    """Games by the months in which they were played, each in the order of play."""
    months: defaultdict[str, list[Result]] = defaultdict(list)
    for each in games:
        if each.day:
            months[each.day[:7]].append(each)
    return dict(sorted(months.items()))


def year_of(year: int, found: Iterable[Result], player: str | None) -> Year:
    """The review of a year, from games of all years: of a person, or of everybody."""
    known = sorted((each for each in found if player is None or player in each.seats), key=order_of)
    months = by_month(known)
    own = {name: Month.from_results(games, player) for name, games in months.items() if name[:4] == f"{year:04}"}
    streak = [
        not each.winners.isdisjoint(each.seats_of(player))
        for each in known
        if player and each.against_others and each.day[:4] == f"{year:04}"
    ]
    return review_of(year, {name: scores_of(games, player) for name, games in months.items()}, own, player, streak)


def review_of(
    year: int,
    scores: Mapping[str, Mapping[str, KindScores]],
    own: Mapping[str, Month],
    player: str | None,
    won: Sequence[bool] = (),
) -> Year:
    """The review of a year: from the scores of all months, the sums over its `own` months, and the games `won`.

    Those are of the person, in the order of play.
    """
    sums = Month()
    for month in own.values():
        sums.include(month)
    before = {kind for name, kinds in scores.items() if name[:4] < f"{year:04}" for kind in kinds}
    return Year(
        year=year,
        n=sums.kinds.total(),
        minutes=sums.minutes,
        days=len(sums.days),
        months=tuple(each.kinds.total() if (each := own.get(f"{year:04}-{n:02}")) else 0 for n in range(1, 13)),
        busiest=next(iter(_most_frequent(sums.days, 1)), None),
        kinds=_most_frequent(sums.kinds, LISTED),
        played=len(sums.kinds),
        begun=len(sums.kinds.keys() - before),
        people=_most_frequent(sums.people, LISTED),
        met=len(sums.people),
        share=sums.share(player) if player else share_of(()),
        streak=longest_streak(won),
        standings=() if player else _standings(sums),
        longest=sums.longest,
        closest=sums.closest,
        records=_records(scores, f"{year:04}"),
    )


def _most_frequent(counts: Counter[str], most: int) -> tuple[PlayCount, ...]:
    found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(PlayCount(name, n) for name, n in found[:most])


def _value(moment: NotableGame) -> tuple[int, str]:
    return moment.value, moment.game


def _moment(game: Result, value: int) -> NotableGame:
    return NotableGame(game.game, game.kind, game.day, value)


def _margin(game: Result) -> int | None:
    """The points between the winners and the next; None where the points do not part them."""
    won = [score for score, rank in zip(game.scores, game.ranks, strict=True) if rank == 1]
    rest = [score for score, rank in zip(game.scores, game.ranks, strict=True) if rank > 1]
    return min((abs(one - other) for one in won for other in rest), default=0) or None


def _standings(sums: Month) -> tuple[PersonWins, ...]:
    found = [PersonWins(person, sums.share(person)) for person, plays in sums.plays.items() if plays >= ENOUGH]
    return tuple(sorted(found, key=lambda each: (each.share.by_chance - each.share.wins, each.player))[:LISTED])


def _records(scores: Mapping[str, Mapping[str, KindScores]], year: str) -> tuple[YearRecord, ...]:
    """The best scores of each kind that were made in the year, and not before; the most played kinds first."""
    best: defaultdict[str, KindScores] = defaultdict(KindScores)
    for name, kinds in sorted(scores.items()):
        if name[:4] <= year:
            for kind, each in kinds.items():
                best[kind].include(each)
    found = filter(None, (each.record(kind, year) for kind, each in best.items()))
    return tuple(sorted(found, key=lambda each: (-each.n, each.kind))[:LISTED])
