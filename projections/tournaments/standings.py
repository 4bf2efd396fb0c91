"""The table of a tournament after any of its rounds, with every tie-break explained."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from projections.tournaments.knock_out import KnockOut, seed_of_groups
from projections.tournaments.model import (
    Bye,
    Entrant,
    Result,
    Round,
    Rules,
    Table,
    direction,
    share_against,
    split_by,
    tables_of,
)
from projections.tournaments.round_robin import absent_opponents, pair_round_robin, round_robin_rounds
from projections.tournaments.tie_breaks import Game, Record, Value, tie_break

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table. Equal ranks are a tie that nothing decided. `values` are in the order of the tie-breaks."""

    rank: int
    player: str
    points: Fraction
    played: int
    values: tuple[Value, ...]
    group: int | None = None


class Standings:
    """The standings after these rounds. Tables without a result do not count yet."""

    def __init__(self, rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> None:
        self._rules, self._rounds = rules, rounds
        self._field = sorted(entrants, key=lambda entrant: entrant.seed)
        games = _games(rules, self._field, rounds)
        self.points = {player: sum((game.points for game in of), Fraction()) for player, of in games.items()}
        self._record = Record(
            rules=rules,
            games=games,
            points=self.points,
            scheduled=rules.format in {"round_robin", "groups"},
            rounds=len(rounds),
            lowest=_lowest_wins(rounds),
        )

    def games(self, player: str) -> Sequence[Game]:
        """The rounds of a player."""
        return self._record.games[player]

    def rows(self) -> list[Row]:
        """The table, the first one first; those with the same rank in the order of their seeds."""
        groups = {each.player: index for index, of in enumerate(groups_of(self._rules, self._field)) for each in of}
        values: dict[str, list[Value]] = {entrant.player: [] for entrant in self._field}
        tied = split_by([entrant.player for entrant in self._field], _progress(self._rules, self._field, self._rounds))
        tied = [part for each in tied for part in split_by(each, self.points.__getitem__)]
        for code in self._rules.tie_breaks:
            for each in tied:
                for player, value in tie_break(code, self._record, each).items():
                    values[player].append(value)
            tied = [part for each in tied for part in split_by(each, lambda player: values[player][-1].order)]
        rows, rank = list[Row](), 1
        for each in tied:
            rows += [
                Row(
                    rank=rank,
                    player=player,
                    points=self.points[player],
                    played=sum(game.kind == "played" for game in self.games(player)),
                    values=tuple(values[player]),
                    group=groups.get(player),
                )
                for player in each
            ]
            rank += len(each)
        return rows


def all_rounds(rules: Rules, people: int) -> int:
    """How many rounds a tournament of this many people has, if nobody enters late; 0 if that is not known before."""
    if rules.format == "swiss":
        return rules.rounds or max(1, (people - 1).bit_length())
    if rules.format == "round_robin" and rules.at_table == 2:
        return round_robin_rounds(rules, people)
    if rules.format == "knock_out" and rules.at_table == 2:
        return max(1, (people - 1).bit_length())
    return 0


def groups_of(rules: Rules, field: Sequence[Entrant]) -> list[list[Entrant]]:
    """The groups of a field in the order of seeds: forwards and backwards in turn, so that all are of like strength."""
    if rules.format != "groups":
        return []
    groups: list[list[Entrant]] = [[] for _ in range(rules.groups)]
    for index, entrant in enumerate(field):
        lap, step = divmod(index, rules.groups)
        groups[step if lap % 2 == 0 else rules.groups - 1 - step].append(entrant)
    return groups


def annulled_players(rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> frozenset[str]:
    """Who left a round robin, or a group, before half of the games: no result of theirs counts in the table.

    FIDE Tournament Rules (Handbook C.06), V.4. Forfeits are no games that were played.
    """
    if rules.at_table != 2 or rules.format not in {"round_robin", "groups"}:
        return frozenset()
    field = sorted(entrants, key=lambda entrant: entrant.seed)
    played = Counter(
        player
        for table in tables_of(each for each in rounds if each.stage != "knock_out")
        if table.result and not table.result.forfeits
        for player in table.players
    )
    return frozenset(
        entrant.player
        for group in groups_of(rules, field) or [field]
        for entrant in group
        if entrant.last is not None
        and entrant.last <= len(rounds)
        and played[entrant.player] * 2 < (len(group) - 1) * rules.meetings
    )


def rounds_of_group(rounds: Sequence[Round], group: int) -> list[Round]:
    """These rounds with the tables of one group alone."""
    return [
        Round(
            tables=tuple(table for table in each.tables if table.group == group),
            byes=tuple(bye for bye in each.byes if bye.group == group),
        )
        for each in rounds
    ]


def tables_of_groups(rules: Rules, field: Sequence[Entrant], grouped: Sequence[Round]) -> list[list[Row]]:
    """The table of each group."""
    own = msgspec.structs.replace(rules, format="round_robin")
    return [
        Standings(own, group, rounds_of_group(grouped, index)).rows()
        for index, group in enumerate(groups_of(rules, field))
    ]


def qualified_players(
    rules: Rules, field: Sequence[Entrant], grouped: Sequence[Round], tables: Sequence[Sequence[Row]]
) -> list[Entrant]:
    """The players who go on from the groups, in the order of seeds, without those who withdrew."""
    entrants = {entrant.player: entrant for entrant in field}
    ranked = [
        [
            row.player
            for row in sorted(rows, key=lambda row: (row.rank, entrants[row.player].seed))
            if entrants[row.player].plays(len(grouped) + 1)
        ]
        for rows in tables
    ]
    return seed_of_groups(ranked, rules.qualify, entrants)


def _progress(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> Callable[[str], tuple[int, ...]]:
    """How far somebody came: in the knock-out, and before it in the group. In a round robin, whose results count."""
    over = list(takewhile(lambda each: each.is_over, rounds))
    if rules.format == "knock_out":
        return _how_far(KnockOut(rules, field, over), field)
    if rules.format != "groups":
        out = annulled_players(rules, field, rounds)
        return lambda player: (-int(player in out),)
    grouped = [each for each in over if each.stage == "group"]
    tables = tables_of_groups(rules, field, grouped)
    place = {row.player: -row.rank for rows in tables for row in rows}
    through = qualified_players(rules, field, grouped, tables)
    if all(each.stage == "group" for each in rounds) and not _is_last(rules, field, grouped, through):
        return lambda player: (0, 0, place[player])
    far = _how_far(KnockOut(rules, through, over[len(grouped) :], len(grouped)), through)
    return lambda player: (*far(player), place[player])


def _is_last(rules: Rules, field: Sequence[Entrant], grouped: Sequence[Round], through: Sequence[Entrant]) -> bool:
    """Whether somebody won by the groups alone: nobody else goes on from them."""
    return len(through) == 1 and not any(
        pair_round_robin(rules, group, rounds_of_group(grouped, index), index)
        for index, group in enumerate(groups_of(rules, field))
    )


def _how_far(knock_out: KnockOut, field: Sequence[Entrant]) -> Callable[[str], tuple[int, ...]]:
    inside, still = {entrant.player for entrant in field}, max(knock_out.out.values(), default=0) + 1

    def far(player: str) -> tuple[int, ...]:
        if player not in inside:
            return (-1, 0, 0)
        return knock_out.out.get(player, still), -knock_out.place_of(player), int(knock_out.is_third(player))

    return far


def _games(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> dict[str, list[Game]]:
    games: dict[str, list[Game]] = {entrant.player: [] for entrant in field}
    absent = _withdrawn_opponents(rules, field, rounds)
    for number, each in enumerate(rounds, 1):
        pending = {player for table in each.tables if not table.result for player in table.players}
        found = {player: game for table in each.tables for player, game in _of_table(rules, number, table)}
        found |= {bye.player: _of_bye(rules, number, bye, absent) for bye in each.byes}
        for player, of_player in games.items():
            if player in found:
                of_player.append(found[player])
            elif player not in pending and _missed(rules, each):
                of_player.append(Game(round=number, kind="missed", points=Fraction()))
    for (number, player), other in absent.items():
        games[other].append(Game(round=number, kind="missed", points=Fraction(), shares={player: Fraction()}))
    return _without(games, annulled_players(rules, field, rounds))


def _without(games: Mapping[str, list[Game]], out: frozenset[str]) -> dict[str, list[Game]]:
    """The rounds of each, without those of and against the ones who are out."""
    return {
        player: [] if player in out else [game for game in of if out.isdisjoint(game.shares)]
        for player, of in games.items()
    }


def _withdrawn_opponents(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> dict[tuple[int, str], str]:
    """The opponents who withdrew, by the round and the player who has a walkover in a round robin or in a group."""
    if rules.format == "round_robin":
        return absent_opponents(rules, field, rounds)
    grouped, found = [each for each in rounds if each.stage == "group"], dict[tuple[int, str], str]()
    for index, group in enumerate(groups_of(rules, field)):
        found |= absent_opponents(rules, group, rounds_of_group(grouped, index))
    return found


def _of_bye(rules: Rules, number: int, bye: Bye, absent: Mapping[tuple[int, str], str]) -> Game:
    """A round without a table. A walkover counts as a game won against the opponent who withdrew."""
    other = absent.get((number, bye.player))
    shares = {other: Fraction(1)} if other else {}
    return Game(round=number, kind=bye.kind, points=rules.of_bye(bye.kind), shares=shares)


def _missed(rules: Rules, each: Round) -> bool:
    """Whether somebody without a table missed a round: not if the knock-out went on without those who are out."""
    return rules.format == "swiss" and each.stage == "main"


def _of_table(rules: Rules, number: int, table: Table) -> Iterator[tuple[str, Game]]:
    """The games of a table, for each of its players."""
    result = table.result
    if result is None:
        return
    size = len(table.players)
    places = _places(result)
    points = rules.of_places(places)
    scores = [Fraction(str(score)) for score in result.scores or ()]
    for seat, player in enumerate(table.players):
        others = [other for other in range(size) if other != seat]
        shares = {table.players[other]: share_against(places[seat], places[other]) for other in others}
        here = [other for other in others if other not in result.forfeits]
        if seat in result.forfeits:
            shares = dict.fromkeys(shares, Fraction())
            yield player, Game(round=number, kind="forfeit_loss", points=Fraction(), shares=shares)
        elif not here:
            yield player, Game(round=number, kind="forfeit_win", points=points[seat], shares=shares)
        else:
            score = margin = None
            if scores:
                score = scores[seat]
                margin = score - sum((scores[other] for other in here), Fraction()) / len(here)
            yield (
                player,
                Game(
                    round=number,
                    kind="played",
                    points=points[seat],
                    shares={table.players[other]: shares[table.players[other]] for other in here},
                    won=all(places[other] > places[seat] for other in here),
                    score=score,
                    margin=margin,
                ),
            )


def _lowest_wins(rounds: Sequence[Round]) -> bool:
    """Whether few points win, as most results with scores show."""
    results = [table.result for table in tables_of(rounds) if table.result and not table.result.forfeits]
    return sum(direction(each.scores, each.places) for each in results if each.scores) < 0


def _places(result: Result) -> list[int]:
    """The places at a table, with those who forfeited behind all others."""
    keys = [
        (seat in result.forfeits, 0 if seat in result.forfeits else place) for seat, place in enumerate(result.places)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]
