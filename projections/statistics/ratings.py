"""Ratings: how strong people are, by the model of Plackett and Luce (openskill), from all games in the order of play.

Nothing is kept: the ratings follow from the games. A game that is corrected, or imported late, changes all that follow.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
from openskill.models import PlackettLuce

if TYPE_CHECKING:
    from collections.abc import Iterable

    from openskill.models import PlackettLuceRating

    from projections.statistics.results import Result

ENOUGH = 5
"""Games after which a rating is shown."""

_MODEL = PlackettLuce()


class Rating(msgspec.Struct, frozen=True):
    """A person's strength after `n` games: `mu`, its uncertainty `sigma`, and `points`, a careful estimate."""

    player: str
    n: int
    mu: float
    sigma: float

    @property
    def points(self) -> float:
        """A careful estimate of the strength: mu − 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def shown(self) -> bool:
        """Whether there are enough games for it."""
        return self.n >= ENOUGH


class Step(msgspec.Struct, frozen=True):
    """A game in the history of a person's rating: the predicted chance to win, the result, and the rating after it."""

    game: str
    played_at: int
    predicted: float
    won: bool
    rating: Rating


class Brier(msgspec.Struct, frozen=True):
    """How good the predictions of who wins were: the mean squared error over `n` of them.

    `uniform` is that of predicting the same chance for all seats: lower is better.
    """

    n: int
    score: float
    uniform: float


class Ladder:
    """The ratings of everybody, from games in the order of play.

    `kinds` counts the games by kind, also those that are not rated. Every seat is rated by itself. Members of a team
    have the same rank, so none of them gains on another.
    """

    def __init__(self) -> None:
        self.kinds = Counter[str]()
        self._ratings: dict[str, PlackettLuceRating] = {}
        self._counts: dict[str, int] = {}
        self._history: dict[str, list[Step]] = {}
        self._errors, self._uniform, self._predictions = 0.0, 0.0, 0

    @classmethod
    def of(cls, found: Iterable[Result]) -> Ladder:
        """The ladder of some games. The order in which they come does not matter."""
        ladder, games = cls(), sorted(found, key=lambda each: each.order)
        ladder.kinds.update(each.kind for each in games)
        for each in filter(counts, games):
            ladder.add(each)
        return ladder

    def add(self, game: Result) -> None:
        """Take the next game."""
        people = [str(player) for player in game.seats]
        teams = [[self._ratings.get(player) or _MODEL.rating()] for player in people]
        chances = _MODEL.predict_win(teams)
        self._judge(game, chances)
        rated = _MODEL.rate(teams, ranks=[float(rank) for rank in game.ranks])
        for seat, (player, (after,), chance) in enumerate(zip(people, rated, chances, strict=True)):
            self._ratings[player] = after
            self._counts[player] = self._counts.get(player, 0) + 1
            step = Step(game.game, game.played_at, chance, seat in game.winners, self._rating(player))
            self._history.setdefault(player, []).append(step)

    def ratings(self) -> list[Rating]:
        """Everybody with enough games, the strongest first."""
        found = [self._rating(player) for player in self._ratings]
        return sorted((each for each in found if each.shown), key=lambda each: (-each.points, each.player))

    def newcomers(self) -> list[Rating]:
        """Everybody with too few games, by id."""
        found = [self._rating(player) for player in sorted(self._ratings)]
        return [each for each in found if not each.shown]

    def rating(self, player: str) -> Rating | None:
        """The rating of a person, if they have played."""
        return self._rating(player) if player in self._ratings else None

    def history(self, player: str) -> tuple[Step, ...]:
        """The games of a person, the first one first."""
        return tuple(self._history.get(player, ()))

    @property
    def brier(self) -> Brier | None:
        """How good the predictions were; None before the first."""
        if not self._predictions:
            return None
        return Brier(self._predictions, self._errors / self._predictions, self._uniform / self._predictions)

    def _rating(self, player: str) -> Rating:
        found = self._ratings[player]
        return Rating(player, self._counts[player], found.mu, found.sigma)

    def _judge(self, game: Result, chances: list[float]) -> None:
        """Compare a prediction with the result. A shared win counts as a part of one for each winner."""
        for seat, chance in enumerate(chances):
            won = 1 / len(game.winners) if seat in game.winners else 0.0
            self._errors += (chance - won) ** 2
            self._uniform += (1 / len(chances) - won) ** 2
            self._predictions += 1


def counts(game: Result) -> bool:
    """Whether a game counts for ratings: several known people against each other, and somebody won."""
    return (
        not game.together
        and len(game.seats) > 1
        and None not in game.seats
        and len(set(game.seats)) == len(game.seats)
        and bool(game.winners)
    )
