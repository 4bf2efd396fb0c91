"""A result: what statistics and ratings need of a game that ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from events.merges import Merges
    from projections.catalogue import Listed


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A game that ended. Times are milliseconds since 1970; `seats` are ids of people or None for guests.

    `day` is when it was played, by the clock of the table.

    `kind` is what was played: the ruleset, or ruleset and name of a score sheet. `together` says that all won or lost
    as one. `version` is the length of the record.
    """

    game: str
    version: int = 0
    place: str = ""
    kind: str
    played_at: int
    day: str
    minutes: int
    seats: tuple[str | None, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: frozenset[int]
    together: bool
    irregular: int

    @property
    def order(self) -> tuple[int, str]:
        """The place of a game among others: by when it was played, however late it was recorded or imported."""
        return self.played_at, self.game

    def seats_of(self, player: str) -> list[int]:
        """The seats of a person."""
        return [seat for seat, person in enumerate(self.seats) if person == player]


def kind_of(listed: Listed) -> str:
    """What was played in a listed game."""
    return f"{listed.ruleset}/{listed.game_name.en}" if listed.game_name else listed.ruleset


def results(games: Iterable[Listed], merges: Merges) -> Iterator[Result]:
    """The results of listed games that have an outcome, with merged people as one."""
    for listed in games:
        seats = tuple(merges.final_id(player) if player else None for player in listed.seats)
        if len(listed.ranks) == len(seats):
            yield Result(
                game=listed.game,
                version=listed.version,
                place=listed.place,
                kind=kind_of(listed),
                played_at=listed.played_at,
                day=listed.day,
                minutes=round((listed.last_at - listed.opened_at) / 60_000),
                seats=seats,
                scores=tuple(listed.scores),
                ranks=tuple(listed.ranks),
                winners=frozenset(listed.winners),
                together=listed.together,
                irregular=listed.irregular,
            )


def lowest_wins(games: Iterable[Result]) -> bool:
    """Whether few points win, as most games of a kind show."""
    votes = 0
    for each in games:
        won = {score for score, rank in zip(each.scores, each.ranks, strict=True) if rank == 1}
        if won and len({*each.scores}) > 1 and not each.together:
            votes += (max(won) == max(each.scores)) - (min(won) == min(each.scores))
    return votes < 0
