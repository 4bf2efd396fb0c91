"""Tournaments played to the end with chance for strength, and published ones read from their files."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from projections.tournaments.model import Entrant, Result, Round, Rules, Table
from projections.tournaments.pairing import next_round

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

GOLDEN = Path(__file__).parents[2] / "golden" / "tournaments"


def field(people: int) -> list[Entrant]:
    """The players p1, p2, … in the order of seeds."""
    return [Entrant(player=f"p{seed}", seed=seed) for seed in range(1, people + 1)]


def ended(table: Table, *places: int, **more: Any) -> Table:
    return msgspec.structs.replace(table, result=Result(places=places, **more))


def by_seed(table: Table) -> Table:
    """The better seed always wins."""
    seeds = [int(player[1:]) for player in table.players]
    return ended(table, *(sorted(seeds).index(seed) + 1 for seed in seeds))


def by_chance(chance: random.Random, *, ties: bool = True) -> Any:
    def end(table: Table) -> Table:
        size = len(table.players)
        places = [chance.randint(1, size) for _ in range(size)] if ties else chance.sample(range(1, size + 1), size)
        return ended(table, *(1 + sum(other < place for other in places) for place in places))

    return end


def played(each: Round, end: Any) -> Round:
    return msgspec.structs.replace(each, tables=tuple(end(table) for table in each.tables))


def play(rules: Rules, entrants: Sequence[Entrant], end: Any, most: int = 99) -> list[Round]:
    """All rounds of a tournament."""
    rounds: list[Round] = []
    while len(rounds) < most and (found := next_round(rules, entrants, rounds)):
        rounds.append(played(found, end))
    return rounds


def golden(name: str) -> tuple[list[Entrant], list[Round], dict[str, list[Fraction]]]:
    """A published tournament: its players, its rounds, and what its official table says of each player."""
    rounds, official = list[Round](), dict[str, list[Fraction]]()
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("round"):
            found = re.findall(r"(\d+)([<=>])(\d+)", line.split(":")[1])
            places = {">": (1, 2), "<": (2, 1), "=": (1, 1)}
            rounds.append(
                Round(tables=tuple(ended(Table(players=(f"p{a}", f"p{b}")), *places[how]) for a, how, b in found))
            )
        elif line.startswith("player"):
            number, values = re.fullmatch(r"player (\d+): (.*)", line).groups()  # type: ignore[union-attr]
            official[f"p{number}"] = [Fraction(value) for value in values.split()]
    return field(len(official)), rounds, official
