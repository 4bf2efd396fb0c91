"""A person's statistics, from the results of their games."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import groupby
from math import comb, sqrt
from operator import itemgetter
from statistics import fmean, median
from typing import TYPE_CHECKING

import msgspec

from projections.statistics.results import lowest_wins

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from projections.statistics.results import Result

ENOUGH = 5
"""Games that a statement about two people, or about a seat, needs."""

Z = 1.96
"""Standard deviations of an interval of 95 %."""

CHANCES = 232_792_560
"""A sum of chances is a whole number of so many parts: chances of up to twenty seats are exact, in any order."""


COMPARED = ("before", "behind", "level")
"""How a person can end a game against another one."""

BESIDE = ("beside", "beside_won")
"""What is counted of games on one side with another person."""


class WinShare(msgspec.Struct, frozen=True):
    """Wins of `n` plays beside what chance would give, with the interval of 95 % (Wilson) of their share."""

    n: int
    wins: int
    by_chance: float
    low: float
    high: float


class BestScore(msgspec.Struct, frozen=True):
    """The best score of a kind of game, and its game."""

    points: int
    game: str


class KindFigures(msgspec.Struct, frozen=True):
    """A person's figures of `n` games of one kind."""

    kind: str
    n: int
    share: WinShare
    together: int
    together_won: int
    average: float
    median: float
    best: BestScore


class SeatFigures(msgspec.Struct, frozen=True):
    """A person's wins from one seat, 0 is the first, in games of one number of players."""

    players: int
    seat: int
    share: WinShare


class Opponent(msgspec.Struct, frozen=True):
    """Another person: games against each other; `beside`: on one side."""

    player: str
    n: int
    before: int
    behind: int
    level: int
    beside: int
    beside_won: int


class Streaks(msgspec.Struct, frozen=True):
    """Games in a row: the longest won and lost ones, and how the last ones went (negative for lost)."""

    won: int
    lost: int
    current: int


class PersonFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A person's statistics over `n` plays.

    `share` is about games against others, and `together` about games that all won or lost as one. `minutes` are
    those between the first and the last entry. `h_index` is h if h kinds of games were played h times each. `rival` was
    met most often, `nemesis` has the largest lead.
    """

    n: int
    minutes: int
    irregular: int
    share: WinShare
    together: int
    together_won: int
    kinds: tuple[KindFigures, ...]
    by_players: dict[int, WinShare]
    seats: tuple[SeatFigures, ...]
    streaks: Streaks
    opponents: tuple[Opponent, ...]
    rival: str | None
    nemesis: str | None
    h_index: int
    months: dict[str, int]


def figures(player: str, found: Iterable[Result]) -> PersonFigures:
    """The statistics of a person. A game in which they have several seats counts once, by the best of these."""
    games = sorted((each for each in found if each.seats_of(player)), key=lambda each: each.order)
    against = [each for each in games if each.against_others]
    opponents = _opponents(player, games)
    met = [each for each in opponents if each.n >= ENOUGH]
    ahead = [each for each in met if each.behind > each.before]
    return PersonFigures(
        n=len(games),
        minutes=sum(each.minutes for each in games),
        irregular=sum(each.irregular for each in games),
        share=_share(player, against),
        together=sum(each.together for each in games),
        together_won=sum(bool(each.winners) for each in games if each.together),
        kinds=_kinds(player, games),
        by_players=_by_players(player, against),
        seats=_by_seat(player, against),
        streaks=_streaks([not each.winners.isdisjoint(each.seats_of(player)) for each in against]),
        opponents=opponents,
        rival=max(met, key=lambda each: (each.n, each.player)).player if met else None,
        nemesis=max(ahead, key=lambda each: (each.behind - each.before, each.player)).player if ahead else None,
        h_index=_h_index(games),
        months=_months(games),
    )


def wilson_interval(wins: int, n: int) -> tuple[float, float]:
    """The interval of 95 % of a share, after Wilson (1927). Nothing is known of no games: 0 to 1."""
    if n == 0:
        return 0.0, 1.0
    share, z = wins / n, Z * Z / n
    middle, half = share + z / 2, Z * sqrt(share * (1 - share) / n + z / n / 4)
    return max(0.0, (middle - half) / (1 + z)), min(1.0, (middle + half) / (1 + z))


def share_of(games: Iterable[tuple[Result, Sequence[int]]]) -> WinShare:
    """The wins of some seats in some games. A game that several of them won counts once."""
    found = list(games)
    wins = sum(not game.winners.isdisjoint(seats) for game, seats in found)
    return WinShare(
        len(found), wins, sum(chance_of(game, seats) for game, seats in found), *wilson_interval(wins, len(found))
    )


def chance_of(game: Result, seats: Sequence[int]) -> float:
    """The chance to win if all seats had the same: as many seats win as won.

    Somebody with several seats wins with one of them. All seats of a team win as one.
    """
    return _chance_to_win(*_own_winners_and_all(game, seats))


def _own_winners_and_all(game: Result, seats: Sequence[int]) -> tuple[int, int, int]:
    """The numbers of own seats, of winning ones and of all; numbers of teams if the own seats are in several teams."""
    own = {game.teams[seat] for seat in seats} if game.teams else set[int]()
    if len(own) > 1:
        return len(own), len({game.teams[seat] for seat in game.winners}), len({*game.teams})
    return 1 if own else len(seats), len(game.winners), len(game.seats)


def _chance_to_win(own: int, winners: int, seats: int) -> float:
    return winners / seats if own == 1 else 1 - comb(seats - own, winners) / comb(seats, winners)


def parts_of_chance_in(game: Result, seats: Sequence[int]) -> int:
    """The chance to win a game from some seats, as in `chance_of`, in parts of `CHANCES`."""
    return parts_of_chance(*_own_winners_and_all(game, seats))


@lru_cache
def parts_of_chance(own: int, winners: int, seats: int) -> int:
    """The chance to win from so many own ones of the seats, in parts of `CHANCES`."""
    return round(_chance_to_win(own, winners, seats) * CHANCES)


def _share(player: str, games: Iterable[Result]) -> WinShare:
    return share_of((each, each.seats_of(player)) for each in games)


def _kinds(player: str, games: Sequence[Result]) -> tuple[KindFigures, ...]:
    by_kind: defaultdict[str, list[Result]] = defaultdict(list)
    for each in games:
        by_kind[each.kind].append(each)
    found = [_kind(player, kind, of_kind) for kind, of_kind in by_kind.items()]
    return tuple(sorted(found, key=lambda each: (-each.n, each.kind)))


def _kind(player: str, kind: str, games: Sequence[Result]) -> KindFigures:
    scores = [(each.scores[seat], each) for each in games for seat in each.seats_of(player)]
    points = [score for score, _ in scores]
    return KindFigures(
        kind=kind,
        n=len(games),
        share=_share(player, [each for each in games if each.against_others]),
        together=sum(each.together for each in games),
        together_won=sum(bool(each.winners) for each in games if each.together),
        average=fmean(points),
        median=median(points),
        best=best_of(scores, games),
    )


def best_of(scores: Iterable[tuple[int, Result]], games: Iterable[Result]) -> BestScore:
    """The best of some scores in games of one kind, the last one who made it: where few points win, the lowest."""
    sign = -1 if lowest_wins(games) else 1
    best, game = max(scores, key=lambda pair: (sign * pair[0], pair[1].order))
    return BestScore(best, game.game)


def _by_players(player: str, games: Sequence[Result]) -> dict[int, WinShare]:
    counts = sorted({len(each.seats) for each in games})
    return {count: _share(player, [each for each in games if len(each.seats) == count]) for count in counts}


def _by_seat(player: str, games: Sequence[Result]) -> tuple[SeatFigures, ...]:
    places = sorted({(len(each.seats), seat) for each in games for seat in each.seats_of(player)})
    return tuple(
        SeatFigures(
            count,
            seat,
            share_of((each, [seat]) for each in games if len(each.seats) == count and each.seats[seat] == player),
        )
        for count, seat in places
    )


def longest_streak(won: Sequence[bool]) -> int:
    """The most games that were won in a row."""
    return _streaks(won).won


def _streaks(won: Sequence[bool]) -> Streaks:
    longest, current = {True: 0, False: 0}, 0
    for each in won:
        current = (current + 1 if current > 0 else 1) if each else (current - 1 if current < 0 else -1)
        longest[each] = max(longest[each], abs(current))
    return Streaks(longest[True], longest[False], current)


def streak_of(won: Sequence[bool], *, result: bool) -> list[int]:
    """The places of the longest streak of won or of lost games; of two that are as long, the last one."""
    runs = [[place for place, _ in run] for which, run in groupby(enumerate(won), itemgetter(1)) if which is result]
    return max(reversed(runs), key=len, default=[])


def rank_comparison(game: Result, own: int, other: str) -> int:
    """How somebody with this rank ended beside another person of the game: a place in `COMPARED`."""
    theirs = min(game.ranks[seat] for seat in game.seats_of(other))
    return 0 if own < theirs else 1 if own > theirs else 2


def _opponents(player: str, games: Sequence[Result]) -> tuple[Opponent, ...]:
    """Everybody who sat in these games, as an opponent or on the same side."""
    met = defaultdict[str, Counter[str]](Counter)
    for each in games:
        own = each.seats_of(player)
        rank, won = min(each.ranks[seat] for seat in own), not each.winners.isdisjoint(own)
        for other in {person for person in each.seats if person and person != player}:
            if each.is_on_side(own, each.seats_of(other)):
                met[other].update(beside=1, beside_won=won)
            else:
                met[other][COMPARED[rank_comparison(each, rank, other)]] += 1
    found = [
        Opponent(other, sum(counts[how] for how in COMPARED), *(counts[how] for how in (*COMPARED, *BESIDE)))
        for other, counts in met.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.n, -each.beside, each.player)))


def _h_index(games: Sequence[Result]) -> int:
    counts = defaultdict[str, int](int)
    for each in games:
        counts[each.kind] += 1
    ordered = sorted(counts.values(), reverse=True)
    return sum(plays >= place for place, plays in enumerate(ordered, 1))


def _months(games: Sequence[Result]) -> dict[str, int]:
    counts = defaultdict[str, int](int)
    for each in games:
        counts[each.day[:7]] += 1
    return dict(sorted(counts.items()))
