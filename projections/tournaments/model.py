"""The parts of a tournament: rules, entrants, rounds, tables and results."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from events.tournaments import ByeKind, Format, Stage, TieBreak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_Key = TypeVar("_Key", bound="Fraction | tuple[int, ...]")


class PairingError(Exception):
    """The next round cannot be paired. The sentence says why."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a tournament.

    `rounds` 0 means as many as the format needs. `points` are those of each place, by the number of people at a table.
    Without them a player gets the share of opponents beaten: 1 for the first, 0 for the last. Equal places share their
    points; `draw` is what a tie of two at a table is worth instead.
    """

    format: Format = "swiss"
    rounds: int = 0
    at_table: int = 2
    fewest: int = 0
    meetings: int = 1
    groups: int = 2
    qualify: int = 2
    advance: int = 1
    third_place: bool = False
    points: dict[int, tuple[int, ...]] = {}
    draw: int | None = None
    minutes: int = 0
    tie_breaks: tuple[TieBreak, ...] = ()

    @property
    def smallest_table(self) -> int:
        """The fewest people at a table."""
        return self.fewest or max(2, self.at_table - 1)

    def of_places(self, places: Sequence[int]) -> list[Fraction]:
        """The points for these places at one table. Equal places share."""
        size = len(places)
        if size == 2 and places[0] == places[1] and self.draw is not None:
            return [Fraction(self.draw)] * 2
        each = tuple(map(Fraction, self.points.get(size, ())))
        return shared_points(each or share_of_beaten(size), places)

    @property
    def win(self) -> Fraction:
        """The points for winning the usual table."""
        return self.of_places(range(1, self.at_table + 1))[0]

    @property
    def half(self) -> Fraction:
        """The points for a draw of all at the usual table."""
        return self.of_places([1] * self.at_table)[0]

    def of_bye(self, kind: ByeKind) -> Fraction:
        """The points of a round without a table."""
        return {"bye": self.win, "walkover": self.win, "half": self.half}.get(kind, Fraction())


def share_of_beaten(size: int) -> tuple[Fraction, ...]:
    """The share of opponents beaten by the one in each place at a table: 1 for the first, 0 for the last."""
    return tuple(Fraction(size - place, size - 1) for place in range(1, size + 1))


def share_against(own: int, other: int) -> Fraction:
    """The share of a game against one opponent, from both places: 1 for the better one, a half for equal ones."""
    return Fraction(1) if own < other else Fraction(1, 2) if own == other else Fraction()


def shared_points(each: Sequence[Fraction], places: Sequence[int]) -> list[Fraction]:
    """The points for these places at one table, where `each` place has its points. Equal places share theirs."""
    ordered = sorted(places)
    shared = {
        place: sum(each[ordered.index(place) :][: ordered.count(place)], Fraction()) / ordered.count(place)
        for place in ordered
    }
    return [shared[place] for place in places]


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays. `seed` is unique: the order of strength, or of the draw.

    `first` is the first round, of a late entry for one. `last` is the last round before a withdrawal. `byes` are the
    rounds to come without this player.
    """

    player: str
    seed: int
    first: int = 1
    last: int | None = None
    byes: dict[int, Literal["half", "zero"]] = {}

    def plays(self, round_: int) -> bool:
        """Whether the entrant is there in a round, apart from byes."""
        return self.first <= round_ and (self.last is None or round_ <= self.last)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a table ended, by seat. Equal places are a tie. `forfeits` are the seats that did not play."""

    places: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    forfeits: frozenset[int] = frozenset()


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays together in a round, in the order of seats. The first one begins."""

    players: tuple[str, ...]
    group: int | None = None
    result: Result | None = None


class Bye(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody without a table in a round."""

    player: str
    kind: ByeKind = "bye"
    group: int | None = None


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round. `stage` tells the rounds of groups from those of the knock-out."""

    tables: tuple[Table, ...]
    byes: tuple[Bye, ...] = ()
    stage: Stage = "main"

    @property
    def is_over(self) -> bool:
        """Whether every table has a result."""
        return all(table.result for table in self.tables)


def direction(scores: Sequence[float], places: Sequence[int]) -> int:
    """Whether most points won (1), the fewest (-1), or a game does not show it (0)."""
    won = [score for score, place in zip(scores, places, strict=True) if place == 1]
    if not won:
        return 0
    most, fewest = max(scores), min(scores)
    return 0 if most == fewest else (max(won) == most) - (min(won) == fewest)


def meetings(rounds: Iterable[Round]) -> Counter[frozenset[str]]:
    """How often each two were paired at a table, played or forfeited."""
    return Counter(pair for table in tables_of(rounds) for pair in pairs(table.players))


def tables_of(rounds: Iterable[Round]) -> Iterator[Table]:
    """All tables of these rounds."""
    return (table for each in rounds for table in each.tables)


def pairs(players: Sequence[str]) -> Iterator[frozenset[str]]:
    """All pairs of these players."""
    return (frozenset((a, b)) for index, a in enumerate(players) for b in players[index + 1 :])


def split_by(players: Sequence[str], key: Callable[[str], _Key]) -> list[list[str]]:
    """The players grouped by key, the highest first."""
    by_key: dict[_Key, list[str]] = {}
    for player in players:
        by_key.setdefault(key(player), []).append(player)
    return [by_key[each] for each in sorted(by_key, reverse=True)]
