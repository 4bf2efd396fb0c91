"""A result: what statistics and ratings need of a game that ended."""

from __future__ import annotations

from functools import cache, lru_cache
from sys import intern
from typing import TYPE_CHECKING

import msgspec

from events.folding import same_name
from projections.catalogue.rows import UNREADABLE
from projections.tournaments.model import direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from events.merges import Merges
    from projections.catalogue.rows import Listed


class Result(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A game that ended. Times are milliseconds since 1970; `seats` are ids of people or None for guests.

    `day` is when it was played, by the clock of the table.

    `kind` is what was played: the ruleset, or ruleset and name of a score sheet. `together` says that all won or lost
    as one, and `teams` are those of the seats, if any. It is `decided` if something else than the scores ranks the
    seats, such as a tie-breaker or a ruling. `version` is the length of the record.
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
    teams: tuple[int, ...] = ()
    decided: bool = False
    irregular: int

    @property
    def order(self) -> tuple[int, str]:
        """The place of a game in the order of play, even if it was recorded or imported late."""
        return self.played_at, self.game

    @property
    def against_others(self) -> bool:
        """Whether people played against each other: not all as one, and not one person alone."""
        return not self.together and len(self.seats) > 1 and (None in self.seats or len({*self.seats}) > 1)

    def seats_of(self, player: str) -> list[int]:
        """The seats of a person."""
        return [seat for seat, person in enumerate(self.seats) if person == player]

    def is_on_side(self, own: Iterable[int], others: Iterable[int]) -> bool:
        """Whether other seats are on the side of one's own: in a team, or because all play as one."""
        return self.together or (
            bool(self.teams) and {self.teams[seat] for seat in others} <= {self.teams[seat] for seat in own}
        )


def kind_of(listed: Listed) -> str:
    """What was played in a listed game."""
    return f"{listed.ruleset}/{listed.game_name.en}" if listed.game_name else listed.ruleset


@lru_cache
def _seats(seats: tuple[int, ...]) -> frozenset[int]:
    """The seats: one object for all results that have the same."""
    return frozenset(seats)


@lru_cache
def _shared_tuple(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The ranks, or the teams: one object for all results that have the same."""
    return numbers


def order_of(result: Result) -> tuple[int, str]:
    """The place of a result in the order of play."""
    return result.order


def result_of(listed: Listed, merges: Merges) -> Result | None:
    """The result of a listed game, with merged people as one; None for a game that does not count.

    Forks, abandoned and unreadable games do not, and none without an outcome.
    """
    if listed.origin or listed.status == UNREADABLE or not listed.ranks or len(listed.ranks) != len(listed.seats):
        return None
    return Result(
        game=listed.game,
        version=listed.version,
        place=intern(listed.place),
        kind=intern(kind_of(listed)),
        played_at=listed.played_at,
        day=intern(listed.day),
        minutes=round((listed.last_at - listed.opened_at) / 60_000),
        seats=tuple(intern(merges.final_id(player)) if player else None for player in listed.seats),
        scores=tuple(listed.scores),
        ranks=_shared_tuple(tuple(listed.ranks)),
        winners=_seats(tuple(listed.winners)),
        together=listed.together,
        teams=_shared_tuple(tuple(listed.teams)),
        decided=listed.deciding is not None,
        irregular=listed.irregular,
    )


def at_place(games: Iterable[Result], place: str) -> list[Result]:
    """The games at a place, however its name is written."""
    wanted = same_name(place)
    is_there = cache(lambda name: same_name(name) == wanted)
    return [each for each in games if is_there(each.place)]


def lowest_wins(games: Iterable[Result]) -> bool:
    """Whether few points win, as most games of a kind show."""
    return sum(map(highest_wins_vote, games)) < 0


def highest_wins_vote(game: Result) -> int:
    """What a game says of its kind: 1 if most points won, -1 if the fewest did, 0 if it cannot tell.

    Scores that did not decide cannot tell, unless they were level for some, and a tie-breaker told these apart.
    """
    if game.together or (game.decided and not _tie_broken(game)):
        return 0
    return direction(game.scores, game.ranks)


def _tie_broken(game: Result) -> bool:
    return len({*zip(game.scores, game.ranks, strict=True)}) > len({*game.scores})
