"""A year in review: what the games of one year say of a person, of a club, or of all who play here."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from projections.statistics.people import ENOUGH, Share, longest_streak, share_of
from projections.statistics.results import lowest_wins

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from projections.statistics.results import Result

LISTED = 5
"""How many kinds of games, people and records a review names at the most."""


class Counted(msgspec.Struct, frozen=True):
    """A kind of game, a person or a day, and in how many games it was."""

    name: str
    n: int


class Moment(msgspec.Struct, frozen=True):
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


class Standing(msgspec.Struct, frozen=True):
    """A person's wins in the games against each other."""

    player: str
    share: Share


class Year(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a year: `n` games on `days` days. `months` has all twelve.

    `kinds` are the most played ones of `played`, and `begun` counts those that were played for the first time. `people`
    are the others at the table, the most met first, of `met`. `share` and `streak` are those of the person; for several
    people `standings` has those with five games, by their wins beyond chance. `busiest` is a day.
    """

    year: int
    n: int
    minutes: int
    days: int
    months: tuple[int, ...]
    busiest: Counted | None
    kinds: tuple[Counted, ...]
    played: int
    begun: int
    people: tuple[Counted, ...]
    met: int
    share: Share
    streak: int
    standings: tuple[Standing, ...]
    longest: Moment | None
    closest: Moment | None
    records: tuple[YearRecord, ...]


def years_of(games: Iterable[Result]) -> list[int]:
    """The years with games, the last one first."""
    return sorted({int(each.day[:4]) for each in games if each.day}, reverse=True)


def year_of(year: int, found: Iterable[Result], player: str | None) -> Year:
    """The review of a year, from games of all years: of a person, or of everybody."""
    wanted = (each for each in found if each.day and (player is None or player in each.seats))
    known = sorted(wanted, key=lambda each: each.order)
    games = [each for each in known if each.day[:4] == f"{year:04}"]
    before = {each.kind for each in known if each.day[:4] < f"{year:04}"}
    days, kinds = Counter(each.day for each in games), Counter(each.kind for each in games)
    people = Counter(person for each in games for person in {*each.seats} - {None, player})
    against = [each for each in games if not each.together]
    own = [(each, each.seats_of(player)) for each in against] if player else []
    months = Counter(each.day[5:7] for each in games)
    return Year(
        year=year,
        n=len(games),
        minutes=sum(each.minutes for each in games),
        days=len(days),
        months=tuple(months[f"{month:02}"] for month in range(1, 13)),
        busiest=next(iter(_most(days, 1)), None),
        kinds=_most(kinds, LISTED),
        played=len(kinds),
        begun=len(kinds.keys() - before),
        people=_most(people, LISTED),
        met=len(people),
        share=share_of(own),
        streak=longest_streak([not each.winners.isdisjoint(seats) for each, seats in own]),
        standings=() if player else _standings(against, people),
        longest=max((_moment(each, each.minutes) for each in games if each.minutes), key=_value, default=None),
        closest=min((_moment(each, gap) for each in against if (gap := _margin(each))), key=_value, default=None),
        records=_records([each for each in known if each.day[:4] <= f"{year:04}"], player, games),
    )


def _most(counts: Counter[str] | Counter[str | None], most: int) -> tuple[Counted, ...]:
    found = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return tuple(Counted(str(name), n) for name, n in found[:most])


def _value(moment: Moment) -> tuple[int, str]:
    return moment.value, moment.game


def _moment(game: Result, value: int) -> Moment:
    return Moment(game.game, game.kind, game.day, value)


def _margin(game: Result) -> int | None:
    """The points between the winners and the next; None where the points do not part them."""
    won = [score for score, rank in zip(game.scores, game.ranks, strict=True) if rank == 1]
    rest = [score for score, rank in zip(game.scores, game.ranks, strict=True) if rank > 1]
    return min((abs(one - other) for one in won for other in rest), default=0) or None


def _standings(games: Sequence[Result], people: Counter[str | None]) -> tuple[Standing, ...]:
    found = []
    for person in people:
        own = [(each, seats) for each in games if (seats := each.seats_of(str(person)))]
        if len(own) >= ENOUGH:
            found.append(Standing(str(person), share_of(own)))
    return tuple(sorted(found, key=lambda each: (each.share.by_chance - each.share.wins, each.player))[:LISTED])


def _records(known: Sequence[Result], player: str | None, games: Sequence[Result]) -> tuple[YearRecord, ...]:
    """The best scores of each kind that were made in these games, and not before; the most played kinds first."""
    kinds: defaultdict[str, list[Result]] = defaultdict(list)
    for each in known:
        kinds[each.kind].append(each)
    inside = {each.game for each in games}
    found = []
    for kind, played in kinds.items():
        sign = -1 if lowest_wins(played) else 1
        scores = [
            (sign * each.scores[seat], each, each.seats[seat])
            for each in played
            for seat in (each.seats_of(player) if player else range(len(each.seats)))
        ]
        best, game, person = max(scores, key=lambda made: made[0])  # the first one who made it
        if len(played) > 1 and game.game in inside:
            found.append(YearRecord(kind, sign * best, game.game, person, len(scores)))
    return tuple(sorted(found, key=lambda each: (-each.n, each.kind))[:LISTED])
