"""Round robin: everybody meets everybody. Two at a table follow the Berger tables while the field stays the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from projections.tournaments.matching import cheapest_pairs
from projections.tournaments.model import Bye, Entrant, Round, Rules, Table, meetings, pairs
from projections.tournaments.seats import Seats, arrange, repeat_cost, sizes

if TYPE_CHECKING:
    from collections.abc import Sequence


def berger(people: int, round_: int) -> list[tuple[int, int]]:
    """A round of the Berger table for this number of people (even): pairs of numbers from 1, who begins first.

    >>> berger(6, 2)
    [(6, 4), (5, 3), (1, 2)]
    """
    fixed = (round_ + 1) // 2 if round_ % 2 else (people + round_) // 2
    others = [
        ((fixed + step - 1) % (people - 1) + 1, (fixed - step - 1) % (people - 1) + 1) for step in range(1, people // 2)
    ]
    return [(fixed, people) if round_ % 2 else (people, fixed), *others]


def pair_round_robin(
    rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round], group: int | None = None
) -> Round | None:
    """The next round, or None when everybody has met everybody. `field` is in the order of seeds."""
    if rules.at_table > 2:
        return _pair_tables(rules, field, rounds, group)
    if _by_berger(field, rounds):
        return _pair_berger(rules, field, rounds, group)
    return _pair_rest(rules, field, rounds, group)


def round_robin_rounds(rules: Rules, people: int) -> int:
    """How many rounds the Berger table has."""
    return (people - 1 + people % 2) * rules.meetings


def _pair_berger(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round], group: int | None) -> Round | None:
    done = len(rounds)
    if len(field) < 2 or done >= round_robin_rounds(rules, len(field)):
        return None
    return _as_round(_by_table(field, done), done + 1, group)


def _by_table(field: Sequence[Entrant], done: int) -> list[tuple[Entrant | None, Entrant | None]]:
    """Who meets whom by the Berger table after so many rounds; None is the free place of an odd field."""
    even = len(field) + len(field) % 2
    cycle, round_ = divmod(done, even - 1)
    found = [(_at(field, a - 1), _at(field, b - 1)) for a, b in berger(even, round_ + 1)]
    return [(b, a) for a, b in found] if cycle % 2 else found


def _by_berger(field: Sequence[Entrant], rounds: Sequence[Round]) -> bool:
    """Whether the rounds so far are those of the Berger table: nobody entered late, or made other pairs by hand."""
    return all(entrant.first == 1 for entrant in field) and all(
        meetings([each]) == meetings([_as_round(_by_table(field, done), done + 1, None)])
        for done, each in enumerate(rounds)
    )


def _at(field: Sequence[Entrant], index: int) -> Entrant | None:
    return field[index] if index < len(field) else None


def _pair_rest(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round], group: int | None) -> Round | None:
    """A round of pairs that have not met yet: as many as can be, of those first who have the most before them.

    Somebody who withdrew is still to be met: it is a walkover, as in the table.
    """
    round_, met = len(rounds) + 1, meetings(rounds)
    gone = [entrant.player for entrant in field if not entrant.plays(round_)]
    here = [entrant.player for entrant in field if entrant.plays(round_)]
    left = {pair for pair in pairs(here) if met[pair] < rules.meetings}
    walkovers = _walkovers(rules, here, gone, rounds)
    if not left and not any(walkovers.values()):
        return None
    weight = Counter(walkovers)
    for pair in left:
        weight.update(pair)
    seed = {entrant.player: entrant.seed for entrant in field}.__getitem__
    ranked = sorted(tuple(sorted(pair, key=seed)) for pair in left)
    most = 2 * max(weight.values())
    found = cheapest_pairs({(a, b): most - weight[a] - weight[b] for a, b in ranked})
    ordered = sorted((sorted(pair, key=seed) for pair in found), key=lambda pair: seed(pair[0]))
    seats = Seats(rounds)
    tables = [Table(players=seats.order(pair, index), group=group) for index, pair in enumerate(ordered)]
    paired = {player for table in tables for player in table.players}
    byes = [
        Bye(player=player, kind="walkover" if walkovers[player] else "rest", group=group)
        for player in here
        if player not in paired
    ]
    return Round(tables=tuple(tables), byes=tuple(byes))


def _walkovers(rules: Rules, here: Sequence[str], gone: Sequence[str], rounds: Sequence[Round]) -> dict[str, int]:
    """How many walkovers each has to come: of those who withdrew, and were not met."""
    met = meetings(rounds)
    had = Counter(bye.player for each in rounds for bye in each.byes if bye.kind == "walkover")
    return {
        player: sum(rules.meetings - met[frozenset((player, other))] for other in gone) - had[player] for player in here
    }


def absent_opponents(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> dict[tuple[int, str], str]:
    """The opponents who withdrew before a game, by the round and the player who has a walkover instead.

    It is the one of the Berger table, or else the best seed that was not met.
    """
    found, met = dict[tuple[int, str], str](), meetings(rounds)
    for number, each in enumerate(rounds if rules.at_table == 2 else (), 1):
        gone = [entrant.player for entrant in field if entrant.last is not None and entrant.last < number]
        due = {
            one.player: other.player
            for a, b in _by_table(field, number - 1)
            if a and b
            for one, other in ((a, b), (b, a))
        }
        for player in [bye.player for bye in each.byes if bye.kind == "walkover"]:
            left = [other for other in gone if met[frozenset((player, other))] < rules.meetings]
            if left:
                other = found[number, player] = due[player] if due.get(player) in left else left[0]
                met[frozenset((player, other))] += 1
    return found


def _as_round(found: Sequence[tuple[Entrant | None, Entrant | None]], round_: int, group: int | None) -> Round:
    """The round of these pairs: a walkover against somebody who withdrew, and a rest against nobody."""
    tables, byes = list[Table](), list[Bye]()
    for a, b in found:
        if a and b and a.plays(round_) and b.plays(round_):
            tables.append(Table(players=(a.player, b.player), group=group))
            continue
        for one, other in ((a, b), (b, a)):
            if one and one.plays(round_):
                byes.append(Bye(player=one.player, kind="walkover" if other else "rest", group=group))
    return Round(tables=tuple(tables), byes=tuple(byes))


def _pair_tables(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round], group: int | None) -> Round | None:
    """A round of more than two at a table: those sit together who met least."""
    round_ = len(rounds) + 1
    here = [entrant.player for entrant in field if entrant.plays(round_)]
    met, cost = meetings(rounds), repeat_cost(rounds)
    if (rules.rounds and len(rounds) >= rules.rounds) or all(met[pair] >= rules.meetings for pair in pairs(here)):
        return None
    rested = {player: sum(bye.player == player for each in rounds for bye in each.byes) for player in here}
    of_sizes = sizes(len(here), rules.smallest_table, rules.at_table)
    resting = sorted(here, key=lambda player: (rested[player], -here.index(player)))[: len(here) - sum(of_sizes)]
    seated = [player for player in here if player not in resting]
    spread = [player for offset in range(len(of_sizes)) for player in seated[offset :: len(of_sizes)]]
    seats = Seats(rounds)
    tables = arrange(spread, of_sizes, cost)
    return Round(
        tables=tuple(Table(players=seats.order(people, index), group=group) for index, people in enumerate(tables)),
        byes=tuple(Bye(player=player, kind="rest", group=group) for player in resting),
    )
