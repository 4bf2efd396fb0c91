"""Swiss: those meet who stand alike, and have not met. Pairs are a matching of the least cost.

The first cost is that two met before, or a second bye. The second is the difference of points. The third is that both
are due to begin, or both not. The last is how far they are from "upper half against lower half" of equal points.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from math import lcm
from typing import TYPE_CHECKING

from projections.tournaments.matching import cheapest_pairs
from projections.tournaments.model import Bye, Entrant, Round, Rules, Table, tables_of
from projections.tournaments.seats import Seats, arrange, repeat_cost, sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

_NOBODY = ""
"""The opponent of somebody who has a bye."""

_ALL = 64
"""Up to this many people every pair is weighed."""

_NEAR, _BESIDE = 8, 3
"""In a larger field only so many of the cheapest opponents of each are weighed at first, and those beside in order."""


def pair_swiss(
    rules: Rules, here: Sequence[Entrant], rounds: Sequence[Round], points: Mapping[str, Fraction]
) -> tuple[list[Table], list[Bye]]:
    """The tables of these people, and who has a bye."""
    order = [entrant.player for entrant in sorted(here, key=lambda each: (-points[each.player], each.seed))]
    levels = _levels(order, points)
    if rules.at_table == 2:
        return _pair_two(order, rounds, levels)
    return _pair_more(rules, order, rounds, levels)


def _levels(order: Sequence[str], points: Mapping[str, Fraction]) -> dict[str, int]:
    """The points as whole numbers: differences keep their proportions."""
    scale = lcm(*(each.denominator for each in points.values()))
    return {player: int(points[player] * scale) for player in order}


def _had_bye(rounds: Sequence[Round]) -> dict[str, int]:
    """How often each had a free win, also one by forfeit: nobody should have a second one."""
    had = Counter(bye.player for each in rounds for bye in each.byes if bye.kind in {"bye", "walkover"})
    for table in tables_of(rounds):
        here = [each for seat, each in enumerate(table.players) if table.result and seat not in table.result.forfeits]
        had.update(here if len(here) == 1 else ())
    return had


class _Costs:
    """What each pair costs, as one number: a cost that comes first outweighs all that come after it."""

    def __init__(self, order: Sequence[str], rounds: Sequence[Round], levels: Mapping[str, int]) -> None:
        people, span = len(order), max(levels.values(), default=0) - min(levels.values(), default=0) + 1
        self._rank = {player: index for index, player in enumerate(order)}
        self._level, self._low = levels, min(levels.values(), default=0)
        self._met, self._byes, seats = repeat_cost(rounds), _had_bye(rounds), Seats(rounds)
        self._balances = {player: seats.balance(player) for player in order}
        self._half = {level: sum(each == level for each in levels.values()) // 2 for level in levels.values()}
        self._seat_weight = people * people + 1
        self._level_weight = self._seat_weight * (people * (len(rounds) + 1) ** 2 + 1)
        self._met_weight = self._level_weight * (people * span * span + 1)

    def cost_of_pair(self, a: str, b: str) -> int:
        """The cost of a pair, or of a bye."""
        if _NOBODY in {a, b}:
            return self._of_bye(a or b)
        balances = self._balances[a], self._balances[b]
        clash = min(map(abs, balances)) ** 2 if balances[0] * balances[1] > 0 else 0
        apart = abs(self._level[a] - self._level[b])
        distance = abs(self._rank[a] - self._rank[b])
        fold = distance if apart else abs(distance - self._half[self._level[a]])
        return (
            self._met(a, b) * self._met_weight + apart * apart * self._level_weight + clash * self._seat_weight + fold
        )

    def _of_bye(self, player: str) -> int:
        above = self._level[player] - self._low
        return (
            self._byes.get(player, 0) * self._met_weight
            + above * above * self._level_weight
            + len(self._rank)
            - self._rank[player]
        )

    @property
    def repeated(self) -> int:
        """A pair with this cost or more met before."""
        return self._met_weight


def _pair_two(
    order: Sequence[str], rounds: Sequence[Round], levels: Mapping[str, int]
) -> tuple[list[Table], list[Bye]]:
    costs, seats = _Costs(order, rounds, levels), Seats(rounds)
    people = [*order, *([_NOBODY] if len(order) % 2 else [])]
    found = _match(people, costs)
    rank = {player: index for index, player in enumerate(people)}
    ordered = sorted((sorted(pair, key=rank.__getitem__) for pair in found), key=lambda pair: rank[pair[0]])
    tables = [Table(players=seats.order(pair, index)) for index, pair in enumerate(ordered) if _NOBODY not in pair]
    return tables, [Bye(player=pair[0]) for pair in ordered if _NOBODY in pair]


def _match(people: Sequence[str], costs: _Costs) -> list[tuple[str, str]]:
    """Everybody in pairs, at the least cost. A large field begins with the cheapest pairs of each."""
    near = len(people) if len(people) <= _ALL else _NEAR
    while True:
        found = _matching(people, costs, near)
        if len(found) * 2 == len(people) or near >= len(people):
            return found
        near *= 4


def _matching(people: Sequence[str], costs: _Costs, near: int) -> list[tuple[str, str]]:
    whole, edges = near >= len(people), dict[tuple[int, int], int]()
    for index, a in enumerate(people):
        found = [(costs.cost_of_pair(a, b), other) for other, b in enumerate(people) if other != index]
        if not whole:
            beside = [each for each in found if abs(each[1] - index) <= _BESIDE]
            found = [each for each in nsmallest(near, found) + beside if each[0] < costs.repeated]
        edges |= {(min(index, other), max(index, other)): cost for cost, other in found}
    return [(people[a], people[b]) for a, b in cheapest_pairs(dict(sorted(edges.items())))]


def _pair_more(
    rules: Rules, order: Sequence[str], rounds: Sequence[Round], levels: Mapping[str, int]
) -> tuple[list[Table], list[Bye]]:
    of_sizes, had = sizes(len(order), rules.smallest_table, rules.at_table), _had_bye(rounds)
    rank = {player: index for index, player in enumerate(order)}
    free = sorted(order, key=lambda player: (had.get(player, 0), levels[player], -rank[player]))
    free = free[: len(order) - sum(of_sizes)]
    seated = [player for player in order if player not in free]
    met, seats = repeat_cost(rounds), Seats(rounds)
    span = max(levels.values(), default=0) - min(levels.values(), default=0) + 1
    weight = len(order) * len(order) * span * span + 1

    def cost(a: str, b: str) -> int:
        return met(a, b) * weight + (levels[a] - levels[b]) ** 2

    tables = arrange(seated, of_sizes, cost)
    return (
        [Table(players=seats.order(people, index)) for index, people in enumerate(tables)],
        [Bye(player=player) for player in free],
    )
