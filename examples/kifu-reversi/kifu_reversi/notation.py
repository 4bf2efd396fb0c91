"""A move as one line of text: the square, and before it whose disc it is where that is not clear."""

from __future__ import annotations

import re

from games.reader import Reader
from kifu_reversi import game

HELP = """\
d3         a disc on d3, of the one whose turn it is
white: d3  says whose disc it is, where it is not white's turn
Passing is never entered: it follows.
"""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_SEATS = {"black": 0, "white": 1, "黒": 0, "白": 1}


def write(state: game.ReversiState, move: game.Place) -> str:
    """The move as a line of text; whose disc it is, is said only if it is not that of the seat on turn."""
    return move.square if move.seat == state.to_move() else f"{state.seat_name(move.seat)}: {move.square}"


def parse(state: game.ReversiState, text: str) -> game.Place:
    """The move that the text says. Raises `NotationError`."""
    return _Reader(text, _TOKEN, {}).place(state)


class _Reader(Reader):
    def place(self, state: game.ReversiState) -> game.Place:
        seat = state.to_move()
        if self._peek(1) == ":":
            seat = self._pick(_SEATS, "a colour")
            self._word()
        square = self._pick({square: square for square in game.SQUARES}, "a square")
        self._end()
        return game.Place(seat=self._somebody(seat, state), square=square)
