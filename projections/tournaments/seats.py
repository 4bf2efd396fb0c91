"""Tables and seats: how many sit at each table, who sits together, and who begins."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from projections.tournaments.model import Round, pairs, tables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_WINDOW = 60
"""How far apart in the order two people may be who change places: it bounds the work for a large field."""


def sizes(people: int, smallest: int, largest: int) -> tuple[int, ...]:
    """The sizes of the tables, the larger ones first. Who is left over has no table: as few people as can be.

    Two or more people who fit one table sit at it, even if they are fewer than the `smallest`.

    >>> sizes(13, 3, 4), sizes(5, 3, 4), sizes(5, 2, 2), sizes(2, 3, 4)
    ((4, 3, 3, 3), (4,), (2, 2), (2,))
    """
    if 2 <= people <= largest:
        return (people,)
    for seated in range(people, 1, -1):
        tables = -(-seated // largest)
        if tables * smallest <= seated:
            more = seated % tables
            return (seated // tables + 1,) * more + (seated // tables,) * (tables - more)
    return ()


def arrange(order: Sequence[str], of_sizes: Sequence[int], cost: Callable[[str, str], int]) -> list[list[str]]:
    """Tables of these sizes with little cost in sum: neighbours in the order first, then changed two by two.

    The best arrangement of more than two at a table is out of reach for many people. This finds one that no change of
    two people makes better.
    """
    tables: list[list[str]] = []
    start = 0
    for size in of_sizes:
        tables.append(list(order[start : start + size]))
        start += size
    while _improve(tables, cost):
        pass
    return tables


def _improve(tables: list[list[str]], cost: Callable[[str, str], int]) -> bool:
    """Make the first changes that help, at each table; whether there was one."""
    better = False
    places = [(table, seat) for table, people in enumerate(tables) for seat in range(len(people))]
    for index, (one, seat) in enumerate(places):
        for other, place in places[index + 1 : index + 1 + _WINDOW]:
            if one != other and _gain(tables[one], seat, tables[other], place, cost) > 0:
                tables[one][seat], tables[other][place] = tables[other][place], tables[one][seat]
                better = True
    return better


def _gain(one: list[str], seat: int, other: list[str], place: int, cost: Callable[[str, str], int]) -> int:
    """How much less it costs when these two change places."""
    a, b = one[seat], other[place]
    with_a = [person for person in one if person != a]
    with_b = [person for person in other if person != b]
    return sum(cost(a, x) - cost(b, x) for x in with_a) + sum(cost(b, x) - cost(a, x) for x in with_b)


def repeat_cost(rounds: Iterable[Round]) -> Callable[[str, str], int]:
    """The cost of a pair: how often they sat together."""
    met: dict[str, dict[str, int]] = {}
    for table in tables_of(rounds):
        for pair in pairs(table.players):
            for a, b in (tuple(pair), tuple(pair)[::-1]):
                of_a = met.setdefault(a, {})
                of_a[b] = of_a.get(b, 0) + 1
    return lambda a, b: met.get(a, {}).get(b, 0)


class Seats:
    """How often each person sat in each seat, and where last."""

    def __init__(self, rounds: Iterable[Round]) -> None:
        self._counts: dict[str, dict[int, int]] = {}
        self._last: dict[str, int] = {}
        for table in tables_of(rounds):
            for seat, player in enumerate(table.players):
                of_player = self._counts.setdefault(player, {})
                of_player[seat] = of_player.get(seat, 0) + 1
                self._last[player] = seat

    def balance(self, player: str) -> int:
        """How much more often somebody began than sat second."""
        of_player = self._counts.get(player, {})
        return of_player.get(0, 0) - of_player.get(1, 0)

    def order(self, players: Sequence[str], table: int) -> tuple[str, ...]:
        """The seats of these people that suit best. If nothing speaks for one, first places alternate by table."""
        given = tuple(players) if table % 2 == 0 else tuple(players[::-1])
        return min(permutations(given), key=self._strain)

    def _strain(self, order: Sequence[str]) -> int:
        return sum(self._of_seat(player, seat) * (3 if seat == 0 else 2) for seat, player in enumerate(order))

    def _of_seat(self, player: str, seat: int) -> int:
        return 2 * self._counts.get(player, {}).get(seat, 0) + (self._last.get(player) == seat)
