"""The board as a picture: what can be tapped has a name."""

from __future__ import annotations

from collections.abc import Iterator

from games import svg
from kifu_reversi import game

SIDE, EDGE, TOP = 110, 60, 130
DISCS = (("#1d1d1d", "#000000"), ("#fafafa", "#777777"))
GROUND, FELT, PAPER, GOLD = "#12372a", "#2c7a51", "#f4f1de", "#e9c46a"


def draw(state: game.ReversiState) -> str:
    """The state as an SVG document."""
    scores = state.totals()
    said = "; ".join(f"{state.seat_name(seat)} has {scores[seat]}" for seat in (0, 1))
    parts = [*_players(state, scores), *_board(state)]
    return svg.document("Reversi", f"A board of Reversi: {said}", TOP + 8 * SIDE + EDGE, GROUND, parts)


def _players(state: game.ReversiState, scores: list[int]) -> Iterator[str]:
    for seat in (0, 1):
        x = EDGE + seat * 4 * SIDE
        yield svg.box(x, 12, 4 * SIDE - 10, 76, 14, GROUND, (GOLD, 5) if state.to_move() == seat else (FELT, 2))
        yield svg.disc(x + 44, 50, 24, *DISCS[seat])
        yield svg.player_name(seat, 230, svg.text(x + 84, 61, state.seat_name(seat).title(), 34, PAPER, bold=True))
        yield svg.text(x + 4 * SIDE - 32, 61, str(scores[seat]), 36, GOLD, bold=True, anchor="end")


def _board(state: game.ReversiState) -> Iterator[str]:
    for at, square in enumerate(game.SQUARES):
        x, y = EDGE + at % 8 * SIDE, TOP + at // 8 * SIDE
        yield svg.group(square, f"type=place square={square}")
        yield svg.box(x, y, SIDE, SIDE, 0, FELT, (GROUND, 3))
        if square in state.discs:
            yield svg.disc(x + SIDE // 2, y + SIDE // 2, 44, *DISCS[state.discs[square]])
        yield "</g>"
    for at, column in enumerate(game.COLUMNS):
        yield svg.text(EDGE + at * SIDE + SIDE // 2, TOP - 10, column, 26, PAPER, anchor="middle")
        yield svg.text(EDGE // 2, TOP + at * SIDE + SIDE // 2 + 10, str(at + 1), 26, PAPER, anchor="middle")
