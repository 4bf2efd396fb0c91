"""Knock-out: who wins goes on. The best seeds meet last; free places of the first round go to them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from projections.tournaments.model import Bye, Entrant, PairingError, Round, Rules, Table
from projections.tournaments.seats import Seats, arrange, repeat_cost, sizes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


def bracket(places: int) -> list[int]:
    """The order of the numbers in a bracket of this size (a power of two): neighbours meet.

    >>> bracket(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < places:
        order = [number for each in order for number in (each, 2 * len(order) + 1 - each)]
    return order


FINALISTS = 2


class KnockOut:
    """A knock-out of these people in the order of their seeds, after some of its rounds.

    `survivors` are those who are still in it, in the order of the bracket; None is an empty place. `out` is the number
    of the round after which somebody was out.
    """

    def __init__(self, rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round], before: int = 0) -> None:
        self._rules, self._rounds, self._before = rules, rounds, before
        self._by_player = {entrant.player: entrant for entrant in field}
        self._seed = {entrant.player: index for index, entrant in enumerate(field)}
        self.out: dict[str, int] = {}
        self.final = False
        self._semi_final: int | None = None
        self._undecided: tuple[int, int] | None = None
        if rules.at_table == 2:
            size = 1
            while size < len(field):
                size *= 2
            order = [number - 1 for number in bracket(size)]
            self.survivors: list[str | None] = [field[n].player if n < len(field) else None for n in order]
        else:
            self.survivors = [entrant.player for entrant in field]
        for number, each in enumerate(rounds, 1):
            self._play(number, each)

    @property
    def is_over(self) -> bool:
        """Whether the knock-out is decided."""
        return self.final or sum(player is not None for player in self.survivors) <= 1

    def pair(self) -> Round | None:
        """The next round; None when it is decided. Raises `PairingError`."""
        if self._undecided:
            table, round_ = self._undecided
            raise PairingError(f"a knock-out needs a decision: table {table} of round {round_} has none")
        if self.is_over:
            return None
        if self._rules.at_table > 2:
            return self._pair_tables()
        round_, seats = len(self._rounds) + 1, Seats(self._rounds)
        tables, byes = list[Table](), list[Bye]()
        for a, b in self._pairs():
            there = [player for player in (a, b) if player and self._plays_now(player)]
            if len(there) == 2:
                tables.append(Table(players=seats.order(there, len(tables))))
            elif there:
                byes.append(Bye(player=there[0], kind="bye" if round_ == 1 else "walkover"))
        if self._rules.third_place and len(self.survivors) == 2:
            losers = [player for player in self._losers(round_ - 1) if self._plays_now(player)]
            if len(losers) == 2:
                tables.append(Table(players=seats.order(losers, len(tables))))
        return Round(tables=tuple(tables), byes=tuple(byes), stage="knock_out")

    def place_of(self, player: str) -> int:
        """The place at the last table of somebody: it decides between those who were out in the same round.

        Somebody who left before that round is last in it.
        """
        out = self.out.get(player)
        for each in reversed(self._rounds[out - 1 :] if out else self._rounds[-1:]):
            for table in each.tables:
                if table.result and player in table.players:
                    seat = table.players.index(player)
                    return len(table.players) if seat in table.result.forfeits else table.result.places[seat]
        return self._rules.at_table if out else 1

    def is_third(self, player: str) -> bool:
        """Whether somebody was there for the match for the third place; the other one may have left before it."""
        out = self.out.get(player)
        return bool(self._rules.third_place and out and out == self._semi_final and self._plays(player, out + 1))

    def _plays_now(self, player: str) -> bool:
        return self._plays(player, len(self._rounds) + 1)

    def _plays(self, player: str, round_: int) -> bool:
        return self._by_player[player].plays(self._before + round_)

    def _pairs(self) -> list[tuple[str | None, str | None]]:
        return list(zip(self.survivors[::2], self.survivors[1::2], strict=True))

    def _losers(self, round_: int) -> list[str]:
        return [player for player, out in self.out.items() if out == round_]

    def _play(self, number: int, played: Round) -> None:
        if not played.is_over:
            raise PairingError(f"round {self._before + number} has tables without a result")
        going = self._players_going_on(number, played)
        if self._rules.at_table > 2:
            self.final = len(played.tables) == 1 and not played.byes
            on = [player for player in self.survivors if player in going]
            self._leave(number, on)
            self.survivors = sorted(on, key=lambda player: (going[player or ""], self._seed[player or ""]))
            return
        if len(self.survivors) == FINALISTS * 2:
            self._semi_final = number
        later = self._players_after(number, going)
        winners = [_winner(pair, going, later) for pair in self._pairs_of(played)]
        self._leave(number, winners)
        self.survivors = winners

    def _pairs_of(self, played: Round) -> list[tuple[str | None, str | None]]:
        """The pairs of a round: those of the bracket, or those that the organisers made, filled up to a bracket."""
        place = {player: index // 2 for index, player in enumerate(self.survivors) if player}
        met = [each.players for each in played.tables] + [(bye.player,) for bye in played.byes]
        met = sorted((each for each in met if each[0] in place), key=lambda each: min(place.get(p, 0) for p in each))
        where = [{place.get(player) for player in each} for each in met]
        if all(len(each) == 1 for each in where) and len(set(map(frozenset, where))) == len(where):
            return self._pairs()
        size = 1
        while size < len(met):
            size *= 2
        pairs: list[tuple[str | None, str | None]] = [(each[0], each[1] if len(each) > 1 else None) for each in met]
        return pairs + [(None, None)] * (size - len(met))

    def _players_after(self, number: int, going: Mapping[str, int]) -> set[str]:
        """The players of the round after this one, without the match for the third place."""
        if number >= len(self._rounds):
            return set()
        later = self._rounds[number]
        byes, tables = {bye.player for bye in later.byes}, list(later.tables)
        if number == self._semi_final:
            won = {player for player in self.survivors if player and player in going}
            tables = [] if byes else sorted(tables, key=lambda table: won.isdisjoint(table.players))[:1]
            if tables and won.isdisjoint(tables[0].players) and not any(self._plays(p, number + 1) for p in won):
                tables = []
        return byes.union(*(table.players for table in tables))

    def _leave(self, number: int, on: Sequence[str | None]) -> None:
        for player in self.survivors:
            if player and player not in on:
                self.out[player] = number

    def _players_going_on(self, number: int, played: Round) -> dict[str, int]:
        """Who goes on, with the place at the table. What a later round says counts more than a corrected result."""
        going = {bye.player: 1 for bye in played.byes}
        for at, table in enumerate(played.tables, 1):
            result = table.result
            assert result is not None  # noqa: S101 - the round is over
            several = self._rules.at_table > 2
            most = max(1, min(self._rules.advance, len(table.players) - 1)) if several else 1
            places = {
                player: place
                for seat, (player, place) in enumerate(zip(table.players, result.places, strict=True))
                if seat not in result.forfeits
            }
            first = sorted(places.values())
            if len(first) > most and first[most - 1] == first[most] and self._decides_progress(table):
                last = number == len(self._rounds)
                self._undecided = self._undecided or ((at, self._before + number) if last else None)
            going |= {player: place for player, place in places.items() if place <= (first[:most] or [0])[-1]}
        return going

    def _decides_progress(self, table: Table) -> bool:
        """Whether somebody goes on from a table: nobody does from that for the third place."""
        return any(player in self.survivors for player in table.players)

    def _pair_tables(self) -> Round:
        here = [player for player in self.survivors if player and self._plays_now(player)]
        of_sizes = sizes(len(here), self._rules.smallest_table, self._rules.at_table)
        free = here[: len(here) - sum(of_sizes)]
        seated, count = here[len(free) :], len(of_sizes)
        snake: dict[int, list[str]] = {table: [] for table in range(count)}
        for index, player in enumerate(seated):
            lap, step = divmod(index, count)
            snake[step if lap % 2 == 0 else count - 1 - step].append(player)
        spread = [player for table in sorted(snake.values(), key=len, reverse=True) for player in table]
        seats = Seats(self._rounds)
        tables = arrange(spread, of_sizes, repeat_cost(self._rounds))
        return Round(
            tables=tuple(Table(players=seats.order(people, index)) for index, people in enumerate(tables)),
            byes=tuple(Bye(player=player) for player in free),
            stage="knock_out",
        )


def _winner(pair: tuple[str | None, str | None], going: Mapping[str, int], later: Collection[str]) -> str | None:
    """Who goes on of two: the one whom a later round has, and else the better one at the table."""
    on = [player for player in pair if player and player in later]
    best = min((player for player in pair if player and player in going), key=going.__getitem__, default=None)
    return on[0] if len(on) == 1 else best


def seed_of_groups(ranked: Sequence[Sequence[str]], qualify: int, entrants: Mapping[str, Entrant]) -> list[Entrant]:
    """Who goes on from groups, in the order of seeds: winners first. Nobody meets the own group in the first round.

    The order of the others is turned, and two of them are exchanged, until that holds, if it can.
    """
    levels = [[group[place] for group in ranked if place < len(group)] for place in range(qualify)]
    group_of = {player: index for index, group in enumerate(ranked) for player in group}
    first, rest = levels[:1], [player for level in levels[1:] for player in level]
    turns = [[*(first[0] if first else []), *rest[turn:], *rest[:turn]] for turn in range(max(1, len(rest)))]
    best = min(turns, key=lambda order: _same_group(order, group_of))
    return [entrants[player] for player in _exchanged(best, len(levels[0]) if levels else 0, group_of)]


def _exchanged(order: list[str], winners: int, group_of: Mapping[str, int]) -> list[str]:
    """The order, with two of the others exchanged as long as fewer meet their own group by it."""
    found, meet = order, _same_group(order, group_of)
    for a, b in combinations(range(winners, len(order)), 2):
        if not meet:
            break
        tried = found.copy()
        tried[a], tried[b] = found[b], found[a]
        if (fewer := _same_group(tried, group_of)) < meet:
            found, meet = tried, fewer
    return found


def _same_group(order: Sequence[str], group_of: Mapping[str, int]) -> int:
    size = 2
    while size < len(order):
        size *= 2
    numbers = bracket(size)
    return sum(
        group_of[order[a - 1]] == group_of[order[b - 1]]
        for a, b in zip(numbers[::2], numbers[1::2], strict=True)
        if max(a, b) <= len(order)
    )
