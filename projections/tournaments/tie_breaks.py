"""Tie-breaks between equal points. Each value is the sum of lines, so everybody can check it.

They follow the regulations of chess where two sit at a table: FIDE Handbook C.07, in the edition of 1 March 2026. A
table of more counts as the mean of its pairs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from projections.tournaments.model import split_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from events.tournaments import TieBreak
    from projections.tournaments.model import Rules

LEAST_RATE = Fraction(1, 3)
"""A weak opponent counts as this rate at least, so nobody suffers much from one."""

GameKind = Literal["played", "forfeit_win", "forfeit_loss", "bye", "half", "zero", "rest", "walkover", "missed"]

TWO = 2
"""Tables of two have points of their own for each result; at larger ones the pairs of a table are compared."""

VOLUNTARY = frozenset({"forfeit_loss", "half", "zero", "missed"})
"""Rounds that somebody did not play by choice."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A round of one player.

    `shares` are 1 for an opponent beaten, ½ for a tie, 0 for a defeat. `margin` is the score less the mean of the
    others.
    """

    round: int
    kind: GameKind
    points: Fraction
    shares: Mapping[str, Fraction] = field(default_factory=dict)
    won: bool = False
    score: Fraction | None = None
    margin: Fraction | None = None


@dataclass(frozen=True, kw_only=True)
class Line:
    """What one round adds to a tie-break.

    `of` is what is counted of the opponents, and `factor` by how much of it. `adjusted`: their points count otherwise
    than they stand, because they left rounds unplayed at the end. `cut`: the line does not count.
    """

    round: int
    kind: GameKind
    opponents: tuple[str, ...] = ()
    of: Fraction | None = None
    factor: Fraction | None = None
    value: Fraction
    adjusted: bool = False
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Value:
    """A tie-break of one player. Players are in order of `order`, which is the value nearly always."""

    value: Fraction
    order: Fraction
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class Record:
    """The data for tie-breaks: the rounds of each player, their points, and the number of rounds."""

    rules: Rules
    games: Mapping[str, Sequence[Game]]
    points: Mapping[str, Fraction]
    scheduled: bool
    """Whether everybody meets everybody: forfeits and walkovers count as games, and a rest as nothing."""
    rounds: int = 0
    lowest: bool = False
    """Whether the lowest scores win."""

    @cached_property
    def win(self) -> Fraction:
        """The points for winning the usual table."""
        return self.rules.win

    @cached_property
    def half(self) -> Fraction:
        """The points for a draw of all at the usual table."""
        return self.rules.half

    @cached_property
    def adjusted(self) -> dict[str, Fraction]:
        """The points of each player as they count for opponents."""
        return {player: _adjusted_points(self, player) for player in self.games}

    @cached_property
    def win_rates(self) -> dict[str, Fraction]:
        """The points of each player out of those that were possible in the rounds that he or she took part in."""
        return {player: _win_rate(self, player) for player in self.games}


def tie_break(code: TieBreak, record: Record, tied: Sequence[str]) -> dict[str, Value]:
    """A tie-break of those who are tied."""
    if code == "direct_encounter":
        return _direct_encounter(record, tied)
    return {player: _value(code, record, player) for player in tied}


def _value(code: TieBreak, record: Record, player: str) -> Value:
    lines = _LINES[code](record, player)
    total = sum((line.value for line in lines if not line.cut), Fraction())
    if code == "opponents_win_rate" and lines:
        total /= len(lines)
    order = -total if record.lowest and code in {"score_difference", "score_total"} else total
    return Value(value=total, order=order, lines=tuple(lines))


def _adjusted_points(record: Record, player: str) -> Fraction:
    """A player's points as they count for opponents: byes that were asked for count as draws at the end.

    So do rounds after a withdrawal. A forfeit at the end is not adjusted, and ends nothing.
    """
    points = record.points[player]
    if record.scheduled:
        return points
    for game in reversed(record.games[player]):
        if game.kind not in VOLUNTARY:
            break
        if game.kind != "forfeit_loss":
            points += record.half - game.points
    return points


def _counted(record: Record, player: str) -> list[Game]:
    """The rounds that count for the strength of opponents."""
    return [game for game in record.games[player] if game.shares or not record.scheduled]


def _opponents_of_round(record: Record, player: str, game: Game) -> tuple[tuple[str, ...], Fraction, bool]:
    """The opponents of a round, the mean of their points, and whether these are adjusted.

    An unplayed round is one against somebody with the player's own points. They are at most those of the opponent who
    was due, or of somebody who drew all rounds.
    """
    if game.kind != "played" and not (record.scheduled and game.shares):
        due = [record.adjusted[other] for other in game.shares]
        return (), min(record.points[player], _mean(due) if due else record.half * record.rounds), False
    others = tuple(game.shares)
    points = [record.adjusted[other] for other in others]
    changed = any(record.points[other] != each for other, each in zip(others, points, strict=True))
    return others, sum(points, Fraction()) / len(points), changed


def _buchholz(record: Record, player: str) -> list[Line]:
    lines = []
    for game in _counted(record, player):
        others, of, adjusted = _opponents_of_round(record, player, game)
        lines.append(Line(round=game.round, kind=game.kind, opponents=others, of=of, value=of, adjusted=adjusted))
    return lines


def _buchholz_without(lowest: int, highest: int = 0) -> Callable[[Record, str], list[Line]]:
    """Buchholz without its lowest and highest lines. Rounds left out by choice are cut first among the lowest."""

    def lines(record: Record, player: str) -> list[Line]:
        found = _buchholz(record, player)
        rising = sorted(range(len(found)), key=lambda at: (found[at].kind not in VOLUNTARY, found[at].value, at))
        low = set(rising[:lowest])
        falling = sorted(set(rising) - low, key=lambda at: (-found[at].value, at))
        out = low | set(falling[:highest])
        return [replace(line, cut=at in out) for at, line in enumerate(found)]

    return lines


def _sonneborn_berger(record: Record, player: str) -> list[Line]:
    """The points of those beaten, and half of those tied with: more exactly, the part of a win that it was worth."""
    lines = []
    for game in _counted(record, player):
        others, of, adjusted = _opponents_of_round(record, player, game)
        if others and record.rules.at_table > TWO:
            each = [game.shares[other] * record.adjusted[other] for other in others]
            value, factor = sum(each, Fraction()) / len(others), _mean(list(game.shares.values()))
        else:
            factor = game.points / record.win if record.win else Fraction()
            value = of * factor
        line = Line(
            round=game.round,
            kind=game.kind,
            opponents=others,
            of=of,
            factor=factor,
            value=value,
            adjusted=adjusted,
        )
        lines.append(line)
    return lines


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def _wins(record: Record, player: str) -> list[Line]:
    """Tables won alone, at the table."""
    return [
        Line(round=game.round, kind=game.kind, opponents=tuple(game.shares), value=Fraction(game.won))
        for game in record.games[player]
        if game.kind == "played"
    ]


def _score_difference(record: Record, player: str) -> list[Line]:
    return [
        Line(round=game.round, kind=game.kind, opponents=tuple(game.shares), of=game.score, value=game.margin)
        for game in record.games[player]
        if game.margin is not None
    ]


def _score_total(record: Record, player: str) -> list[Line]:
    return [
        Line(round=game.round, kind=game.kind, opponents=tuple(game.shares), value=game.score)
        for game in record.games[player]
        if game.score is not None
    ]


def _win_rate(record: Record, player: str) -> Fraction:
    rounds = sum(game.kind not in {"missed", "zero", "rest"} for game in record.games[player])
    possible = rounds * record.win
    return record.points[player] / possible if possible else Fraction()


def _opponents_win_rate(record: Record, player: str) -> list[Line]:
    lines = []
    for game in record.games[player]:
        if game.kind == "played":
            rates = [max(LEAST_RATE, record.win_rates[other]) for other in game.shares]
            lines.append(
                Line(round=game.round, kind=game.kind, opponents=tuple(game.shares), value=_mean(rates)),
            )
    return lines


def _direct_encounter(record: Record, tied: Sequence[str]) -> dict[str, Value]:
    """The points in games between those who are tied. Those who are level then are compared with each other again."""
    met, order = _Encounters(record, tied), _order_by_encounters(record, tied)
    places = {player: Fraction(len(order) - place) for place, each in enumerate(order) for player in each}
    return {
        player: Value(value=met.points_won(player), order=places[player], lines=tuple(met.lines[player]))
        for player in tied
    }


class _Encounters:
    """The games between some who are tied. Two who met more than once have the mean of these games.

    Where two sit at a table these are its points, and at larger tables 1 for an opponent beaten and ½ for a tie.
    """

    def __init__(self, record: Record, tied: Sequence[str]) -> None:
        among, self._two = frozenset(tied), record.rules.at_table == TWO
        self._win = record.win if self._two else Fraction(1)
        self._met, self.lines = dict[str, Counter[str]](), dict[str, list[Line]]()
        for player in tied:
            games = [
                (game, others)
                for game in record.games[player]
                if (game.kind == "played" or record.scheduled) and (others := tuple(among.intersection(game.shares)))
            ]
            times = self._met[player] = Counter(other for _, others in games for other in others)
            self.lines[player] = [
                Line(
                    round=game.round,
                    kind=game.kind,
                    opponents=tuple(sorted(others)),
                    value=sum((self._points(game, other) / times[other] for other in others), Fraction()),
                )
                for game, others in games
            ]

    def _points(self, game: Game, other: str) -> Fraction:
        return game.points if self._two else game.shares[other]

    def points_won(self, player: str) -> Fraction:
        """The points of a player in these games."""
        return sum((line.value for line in self.lines[player]), Fraction())

    def most_points(self, player: str) -> Fraction:
        """The points of a player who would win every game that is missing."""
        return self.points_won(player) + (len(self._met) - 1 - len(self._met[player])) * self._win

    @property
    def all_met(self) -> bool:
        """Whether all of them met."""
        return all(len(times) == len(self._met) - 1 for times in self._met.values())


def _order_by_encounters(record: Record, tied: Sequence[str]) -> list[list[str]]:
    """Those who are tied in the order of the games between them. Those whom these do not part stay together.

    If not all of them met, only somebody is ahead who would be ahead however the missing games had ended.
    """
    met = _Encounters(record, tied)
    groups = split_by(tied, met.points_won) if met.all_met else _split_by_points(tied, met)
    if len(groups) < TWO:
        return groups
    return [part for each in groups for part in _order_by_encounters(record, each)]


def _split_by_points(tied: Sequence[str], met: _Encounters) -> list[list[str]]:
    left, found = sorted(tied, key=met.points_won, reverse=True), list[list[str]]()
    while len(left) > 1 and met.points_won(left[0]) > max(map(met.most_points, left[1:])):
        found.append([left.pop(0)])
    return [*found, left]


_LINES: dict[TieBreak, Callable[[Record, str], list[Line]]] = {
    "buchholz": _buchholz,
    "buchholz_cut_1": _buchholz_without(1),
    "buchholz_cut_2": _buchholz_without(2),
    "buchholz_median": _buchholz_without(1, 1),
    "sonneborn_berger": _sonneborn_berger,
    "wins": _wins,
    "score_difference": _score_difference,
    "score_total": _score_total,
    "opponents_win_rate": _opponents_win_rate,
}
