"""The next round of a tournament, in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.tournaments.knock_out import KnockOut
from projections.tournaments.model import Bye, Entrant, PairingError, Round, Rules, Table
from projections.tournaments.round_robin import pair_round_robin
from projections.tournaments.standings import (
    Standings,
    all_rounds,
    groups_of,
    qualified_players,
    rounds_of_group,
    tables_of_groups,
)
from projections.tournaments.swiss import pair_swiss

if TYPE_CHECKING:
    from collections.abc import Sequence


def next_round(rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> Round | None:
    """The next round; None when the tournament is over. The same entrants and results give the same round.

    Raises `PairingError`.
    """
    field = sorted(entrants, key=lambda entrant: entrant.seed)
    if len(field) < 2:
        raise PairingError("a tournament needs at least two entrants")
    for number, each in enumerate(rounds, 1):
        if not each.is_over:
            raise PairingError(f"round {number} has tables without a result")
    match rules.format:
        case "round_robin":
            return pair_round_robin(rules, field, rounds)
        case "swiss":
            return _swiss(rules, field, rounds)
        case "knock_out":
            return KnockOut(rules, field, rounds).pair()
        case "groups":
            return _groups(rules, field, rounds)


def is_over(rules: Rules, entrants: Sequence[Entrant], rounds: Sequence[Round]) -> bool:
    """Whether no round is left. False if only a slow pairing could tell."""
    most = all_rounds(rules, len(entrants))
    if not most or len(rounds) < most or not rounds[-1].is_over:
        return False
    try:
        return rules.format == "swiss" or next_round(rules, entrants, rounds) is None
    except PairingError:
        return False


def takes_entries(rules: Rules, rounds: Sequence[Round]) -> bool:
    """Whether somebody can still enter. A bracket and groups are drawn once."""
    return not rounds or rules.format in {"round_robin", "swiss"}


def _swiss(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> Round | None:
    round_ = len(rounds) + 1
    if round_ > all_rounds(rules, len(field)):
        return None
    there = [entrant for entrant in field if entrant.plays(round_)]
    here = [entrant for entrant in there if round_ not in entrant.byes]
    if not here:
        raise PairingError("nobody is there to play the next round")
    points = Standings(rules, field, rounds).points
    tables, byes = pair_swiss(rules, here, rounds, points)
    asked = [Bye(player=each.player, kind=each.byes[round_]) for each in there if round_ in each.byes]
    return Round(tables=tuple(tables), byes=(*byes, *asked))


def _groups(rules: Rules, field: Sequence[Entrant], rounds: Sequence[Round]) -> Round | None:
    groups, grouped = groups_of(rules, field), [each for each in rounds if each.stage == "group"]
    knocked = rounds[len(grouped) :]
    if not knocked:
        tables, byes = list[Table](), list[Bye]()
        for index, group in enumerate(groups):
            found = pair_round_robin(rules, group, rounds_of_group(grouped, index), index)
            tables += found.tables if found else ()
            byes += found.byes if found else ()
        if tables or byes:
            return Round(tables=tuple(tables), byes=tuple(byes), stage="group")
    through = qualified_players(rules, field, grouped, tables_of_groups(rules, field, grouped))
    return KnockOut(rules, through, knocked, len(grouped)).pair()
