"""Ratings: how strong people are, by the model of Plackett and Luce (openskill), from all games in the order of play.

The ratings follow from the games. A game that is corrected, or imported late, changes all that follow; those before it
stay, so a ladder goes back to that game and on from there.
"""

from __future__ import annotations

import operator
from array import array
from itertools import compress, count
from typing import TYPE_CHECKING

import msgspec
from openskill.models import PlackettLuce

from projections.statistics.results import order_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


class _Course:
    """A person's way: the places of the games in the ladder, and for each the prediction and the rating after it."""

    __slots__ = ("at", "current", "mu", "predicted", "sigma")

    def __init__(self) -> None:
        self.at, self.predicted, self.mu, self.sigma = array("l"), array("d"), array("d"), array("d")
        self.current: PlackettLuceRating | None = _MODEL.rating()

    def copy(self) -> _Course:
        """The same, to be changed by itself."""
        other = _Course.__new__(_Course)
        other.at, other.predicted, other.mu, other.sigma = self.at[:], self.predicted[:], self.mu[:], self.sigma[:]
        other.current = self.current
        return other

    def rating(self) -> PlackettLuceRating:
        """The rating after the last game."""
        return self.current or _MODEL.create_rating([self.mu[-1], self.sigma[-1]])

    def add(self, at: int, predicted: float, rating: PlackettLuceRating) -> None:
        """Take the next game."""
        self.at.append(at)
        self.predicted.append(predicted)
        self.mu.append(rating.mu)
        self.sigma.append(rating.sigma)
        self.current = rating

    def drop(self) -> None:
        """Forget the last game."""
        for row in (self.at, self.predicted, self.mu, self.sigma):
            row.pop()
        self.current = None


class Ladder:
    """The ratings of everybody, from games in the order of play.

    Every seat is rated by itself. Members of a team have the same rank, so none of them gains on another.
    """

    def __init__(self) -> None:
        self._games: list[Result] = []
        self._courses: dict[str, _Course] = {}
        self._predictions = array("l", [0])
        self._errors, self._uniform = array("d", [0.0]), array("d", [0.0])

    @classmethod
    def of(cls, found: Iterable[Result]) -> Ladder:
        """The ladder of some games. The order in which they come does not matter."""
        return cls().following(rated(found))

    def following(self, games: Sequence[Result]) -> Ladder:
        """The ladder of other `rated` games. It shares the work for those that both begin with."""
        same = self.shared(games)
        other = self._until(same)
        for game in games[same:]:
            other.add(game)
        return other

    def shared(self, games: Sequence[Result]) -> int:
        """How many games, from the first one on, are the same ones."""
        different = map(operator.is_not, self._games, games)
        return next(compress(count(), different), min(len(self._games), len(games)))

    def _until(self, length: int) -> Ladder:
        """The ladder of the first games."""
        other = Ladder()
        other._games = self._games[:length]
        other._predictions = self._predictions[: length + 1]
        other._errors, other._uniform = self._errors[: length + 1], self._uniform[: length + 1]
        other._courses = {player: course.copy() for player, course in self._courses.items()} if length else {}
        for game in reversed(self._games[length:] if length else ()):
            for player in map(str, game.seats):
                other._courses[player].drop()
        other._courses = {player: course for player, course in other._courses.items() if course.at}
        return other

    def add(self, game: Result) -> None:
        """Take the next game."""
        courses = [self._courses.setdefault(str(player), _Course()) for player in game.seats]
        teams = [[each.rating()] for each in courses]
        chances = _MODEL.predict_win(teams)
        self._judge(game, chances)
        after = _MODEL.rate(teams, ranks=[float(rank) for rank in game.ranks])
        for course, chance, (rating,) in zip(courses, chances, after, strict=True):
            course.add(len(self._games), chance, rating)
        self._games.append(game)

    def ratings(self) -> list[Rating]:
        """Everybody with enough games, the strongest first."""
        found = (self._rating(player) for player in self._courses)
        return sorted((each for each in found if each.shown), key=lambda each: (-each.points, each.player))

    def newcomers(self) -> list[Rating]:
        """Everybody with too few games, by id."""
        found = (self._rating(player) for player in sorted(self._courses))
        return [each for each in found if not each.shown]

    def rating(self, player: str) -> Rating | None:
        """The rating of a person, if they have played."""
        return self._rating(player) if player in self._courses else None

    def history(self, player: str) -> tuple[Step, ...]:
        """The games of a person, the first one first."""
        course = self._courses.get(player) or _Course()
        return tuple(self._step(player, course, place) for place in range(len(course.at)))

    @property
    def brier(self) -> Brier | None:
        """How good the predictions were; None before the first."""
        n = self._predictions[-1]
        return Brier(n, self._errors[-1] / n, self._uniform[-1] / n) if n else None

    def _rating(self, player: str, place: int = -1) -> Rating:
        course = self._courses[player]
        n = len(course.at) if place < 0 else place + 1
        return Rating(player, n, course.mu[n - 1], course.sigma[n - 1])

    def _step(self, player: str, course: _Course, place: int) -> Step:
        game = self._games[course.at[place]]
        won = game.seats.index(player) in game.winners
        return Step(game.game, game.played_at, course.predicted[place], won, self._rating(player, place))

    def _judge(self, game: Result, chances: list[float]) -> None:
        """Compare a prediction with the result. A shared win counts as a part of one for each winner."""
        errors, uniform = self._errors[-1], self._uniform[-1]
        for seat, chance in enumerate(chances):
            won = 1 / len(game.winners) if seat in game.winners else 0.0
            errors += (chance - won) ** 2
            uniform += (1 / len(chances) - won) ** 2
        self._errors.append(errors)
        self._uniform.append(uniform)
        self._predictions.append(self._predictions[-1] + len(chances))


def rated(found: Iterable[Result]) -> list[Result]:
    """The games that count for ratings, in the order of play."""
    return sorted(filter(counts, found), key=order_of)


def counts(game: Result) -> bool:
    """Whether a game counts for ratings: several known people against each other, and somebody won."""
    return (
        not game.together
        and len(game.seats) > 1
        and None not in game.seats
        and len(set(game.seats)) == len(game.seats)
        and bool(game.winners)
    )
