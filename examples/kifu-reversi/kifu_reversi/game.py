"""A game of Reversi: the board, the only kind of move, and the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

import msgspec

from games import adjustments
from games.contract import JSON, Effect, Move, Outcome, ScoreLine, State
from games.errors import ImpossibleError, RuleBrokenError

ENDINGS = ("discs", *adjustments.ENDINGS)
COLUMNS = "abcdefgh"
SQUARES = tuple(f"{column}{row}" for row in range(1, 9) for column in COLUMNS)
START = {"d4": 1, "e4": 0, "d5": 0, "e5": 1}
"""The discs of the beginning (reversi:SET-1); seat 0 is black, seat 1 white."""


def _line(square: str, x: int, y: int) -> list[str]:
    """The squares from one on in a direction, up to the edge."""
    column, row = COLUMNS.index(square[0]), int(square[1])
    places = ((column + step * x, row + step * y) for step in range(1, 8))
    return [COLUMNS[at] + str(row) for at, row in places if at in range(8) and row in range(1, 9)]


LINES = {square: [_line(square, x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y] for square in SQUARES}
"""The lines that go out from each square."""


class Place(Move, frozen=True, kw_only=True, tag="place"):
    """A seat places a disc on a free square. Which discs that turns, and who has to pass, follows."""

    seat: Literal[0, 1]
    square: Literal[SQUARES]  # type: ignore[valid-type]

    @classmethod
    def legal(cls, state: ReversiState) -> Iterator[Self]:
        """On every square where it turns discs."""
        seat = state.to_move()
        if seat is not None:
            yield from (cls(seat=seat, square=square) for square in state.turning(seat))

    def breaches(self, state: ReversiState) -> Iterator[RuleBrokenError]:
        """The seat is on turn, and turns discs."""
        name = state.seat_name(self.seat)
        if state.ending:
            yield RuleBrokenError(state.ending.rule, "the game is over")
        elif self.seat != state.active:
            yield RuleBrokenError("reversi:TURN-1", f"it is not {name}'s turn")
        if not state.turned(self.square, self.seat):
            yield RuleBrokenError("reversi:TURN-2", f"{name} turns no disc from {self.square}")

    def apply(self, state: ReversiState) -> list[Effect]:
        """Place the disc and turn what it encloses; then it is the other one's turn."""
        if self.square in state.discs:
            raise ImpossibleError(f"there is a disc on {self.square}", "reversi:TURN-1")
        turned = state.turned(self.square, self.seat)
        state.discs |= dict.fromkeys((self.square, *turned), self.seat)
        state.placed = state.version
        effects = [Effect("disc.placed", "reversi:TURN-1", self.seat, (self.square,))]
        if turned:
            effects.append(Effect("discs.turned", "reversi:TURN-3", self.seat, tuple(turned), len(turned)))
        return effects if state.ending else effects + state.give_turn(1 - self.seat)


class ReversiState(State, kw_only=True):
    """The discs by square, whose turn it is, the entry of the last disc, and points that a referee gave."""

    discs: dict[str, int] = msgspec.field(default_factory=START.copy)
    active: int = 0
    placed: int = 1
    ruled: list[ScoreLine] = []

    def to_move(self) -> int | None:
        """The seat on turn; nobody is once the game is over."""
        return None if self.ending else self.active

    def turned(self, square: str, seat: int) -> list[str]:
        """The discs that one placed here would turn: whole runs of the other's, up to an own one."""
        found: list[str] = []
        for line in LINES[square]:
            owners = [self.discs.get(place) for place in line]
            end = next((at for at, owner in enumerate(owners) if owner != 1 - seat), 0)
            if owners and owners[end] == seat:
                found += line[:end]
        return found

    def turning(self, seat: int) -> Iterator[str]:
        """The squares from which a seat can turn discs."""
        return (square for square in SQUARES if square not in self.discs and self.turned(square, seat))

    def give_turn(self, seat: int) -> list[Effect]:
        """Begin the turn of a seat; of the other one if it can turn nothing; or end the game."""
        if any(self.turning(seat)):
            self.active = seat
            return []
        if any(self.turning(1 - seat)):
            self.active = 1 - seat
            return [Effect("turn.passed", "reversi:PASS-1", seat)]
        return [Effect("game.ended", "reversi:END-1"), *self.decide()]

    def decide(self) -> list[Effect]:
        """End the game: more points win."""
        return self.end(Outcome.by_points(self.totals(), "discs", "reversi:END-1"))

    def scores(self) -> list[ScoreLine]:
        """A point for each disc, and what a referee gave."""
        owners = list(self.discs.values())
        lines = [ScoreLine(seat, owners.count(seat), "discs", "reversi:END-2", self.placed) for seat in (0, 1)]
        return lines + self.ruled

    def award(self, line: ScoreLine) -> list[Effect]:
        """Points can change who won by discs."""
        self.ruled.append(line)
        return self.decide() if self.ending and self.ending.reason == "discs" else []


def describe(state: ReversiState) -> JSON:
    """The board row by row, and whose turn it is."""
    signs = {None: "·", 0: "●", 1: "○"}
    rows = {row: " ".join(signs[state.discs.get(column + row)] for column in COLUMNS) for row in "12345678"}
    return {"to_move": state.to_move(), "board": {" ": " ".join(COLUMNS)} | rows}
