"""Ratings: how strong people are, by the model of Plackett and Luce (openskill), from all games in the order of play.

The ratings follow from the games. A game that is corrected, or imported late, changes all that follow; those before it
stay, so a ladder goes back to that game and on from there.
"""

from __future__ import annotations

import operator
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from itertools import compress, count
from typing import TYPE_CHECKING

import msgspec

from projections.statistics.plackett_luce import MU, SIGMA, chances_to_win, rate, rate_teams, team_chances
from projections.statistics.results import order_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from projections.statistics.results import Result

ENOUGH = 5
"""Games after which a rating is shown."""


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
    def is_shown(self) -> bool:
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

    Every seat is rated by itself, or in its team.
    """

    def __init__(self) -> None:
        self._games: list[Result] = []
        self._first = array("i", [0])
        """Where the seats of each game begin, and where those of the next one will."""
        self._predicted, self._mu, self._sigma = array("d"), array("d"), array("d")
        """Of each seat of each game: the chance to win that was predicted, and the rating after the game."""
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        """Where the seats of each person are."""
        self._errors, self._uniform = array("d", [0.0]), array("d", [0.0])

    @classmethod
    def from_results(cls, found: Iterable[Result]) -> Ladder:
        """The ladder of some games. The order in which they come does not matter."""
        return cls().following(rated_games(found))

    def __len__(self) -> int:
        """How many games it has."""
        return len(self._games)

    def following(self, games: Sequence[Result]) -> Ladder:
        """The ladder of other `rated` games. It shares the work for those that both begin with."""
        same = self.equal_games(games)
        if same == len(self) == len(games):
            return self
        other = self._until(same)
        for game in games[same:]:
            other.add(game)
        return other

    def equal_games(self, games: Sequence[Result]) -> int:
        """The number of equal games from the first one on."""
        different = map(operator.is_not, self._games, games)
        return next(compress(count(), different), min(len(self._games), len(games)))

    def _until(self, length: int) -> Ladder:
        """The ladder of the first games."""
        other = Ladder()
        other._games, other._first = self._games[:length], self._first[: length + 1]
        other._errors, other._uniform = self._errors[: length + 1], self._uniform[: length + 1]
        seats = other._first[-1]
        other._predicted, other._mu, other._sigma = self._predicted[:seats], self._mu[:seats], self._sigma[:seats]
        for player, places in self._places.items():
            if before := places[: bisect_left(places, seats)]:
                other._places[player] = before
        return other

    def add(self, game: Result) -> None:
        """Add the next game."""
        places = [self._places[str(player)] for player in game.seats]
        mus = [self._mu[own[-1]] if own else MU for own in places]
        sigmas = [self._sigma[own[-1]] if own else SIGMA for own in places]
        if game.teams:
            chances = team_chances(mus, sigmas, game.teams)
            mus, sigmas = rate_teams(mus, sigmas, game.ranks, game.teams)
        else:
            chances = chances_to_win(mus, sigmas)
            mus, sigmas = rate(mus, sigmas, game.ranks)
        for place, own in enumerate(places, self._first[-1]):
            own.append(place)
        self._games.append(game)
        self._first.append(self._first[-1] + len(places))
        for row, values in ((self._predicted, chances), (self._mu, mus), (self._sigma, sigmas)):
            row.extend(values)
        self._judge(game, chances)

    def ratings(self) -> list[Rating]:
        """The people with enough games, the strongest first."""
        found = (self._rating(player, places) for player, places in self._places.items())
        return sorted((each for each in found if each.is_shown), key=lambda each: (-each.points, each.player))

    def newcomers(self) -> list[Rating]:
        """The people with too few games, by id."""
        found = (self._rating(player, places) for player, places in sorted(self._places.items()))
        return [each for each in found if not each.is_shown]

    def rating(self, player: str) -> Rating | None:
        """The rating of a person, if they have played."""
        places = self._places.get(player)
        return self._rating(player, places) if places else None

    def history(self, player: str) -> tuple[Step, ...]:
        """The games of a person, the first one first."""
        places = self._places.get(player, ())
        return tuple(self._step(player, place, n) for n, place in enumerate(places, 1))

    @property
    def brier(self) -> Brier | None:
        """How good the predictions were; None before the first."""
        n = self._first[-1]
        return Brier(n, self._errors[-1] / n, self._uniform[-1] / n) if n else None

    def _rating(self, player: str, places: Sequence[int]) -> Rating:
        return Rating(player, len(places), self._mu[places[-1]], self._sigma[places[-1]])

    def _step(self, player: str, place: int, n: int) -> Step:
        """The `n`th game of a person, who has this place in it."""
        number = bisect_right(self._first, place) - 1
        game, seat = self._games[number], place - self._first[number]
        rating = Rating(player, n, self._mu[place], self._sigma[place])
        team = game.teams.count(game.teams[seat]) if game.teams else 1
        return Step(game.game, game.played_at, self._predicted[place] * team, seat in game.winners, rating)

    def _judge(self, game: Result, chances: Sequence[float]) -> None:
        """Compare a prediction with the result. A shared win counts as a part of one for each winner.

        The squared errors of the same chance for all seats add up to the part of a winner less that chance.
        """
        won = 1 / len(game.winners)
        error = sum([(chance - won * (seat in game.winners)) ** 2 for seat, chance in enumerate(chances)])
        self._errors.append(self._errors[-1] + error)
        self._uniform.append(self._uniform[-1] + won - 1 / len(chances))


def rated_games(found: Iterable[Result]) -> list[Result]:
    """The games that count for ratings, in the order of play."""
    return sorted(filter(counts, found), key=order_of)


def counts(game: Result) -> bool:
    """Whether a game counts for ratings: several known people against each other, and somebody won."""
    return (
        not game.together
        and len(game.seats) > 1
        and len({*game.teams}) != 1
        and None not in game.seats
        and len(set(game.seats)) == len(game.seats)
        and bool(game.winners)
    )
