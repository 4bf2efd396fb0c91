"""The table as a drawing for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kahuna.components import ANCHORAGES, ENDS, ISLANDS, PLACES, owner
from games.kahuna.state import SEATS
from games.sketch import Canvas, Sketch, Span

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState

BRIDGES = ("●", "○")
STONES = ("■", "□")
SHIPS = ("▲", "△")
"""The characters for the pieces of black and white."""
FREE = "·"
"""A space for a bridge."""

LEFT, TOP = 72, 130
COLUMN, ROW = 14.5, 45
"""The size of one cell in the drawing's 1000 x 900."""


def draw(state: KahunaState) -> Sketch:
    """The board with the owners of islands and bridges, and below it the known cards."""
    return [*_board(state), *_table(state)]


def _board(state: KahunaState) -> Sketch:
    canvas = Canvas()
    cells = [_cell(x, y) for x, y in PLACES]
    for line, (a, b) in enumerate(ENDS):
        seat = owner(state.bridges, line)
        canvas.connect(cells[a], cells[b], *(FREE, "faint") if seat is None else (BRIDGES[seat], seat))
    for island, (row, column) in enumerate(cells):
        holder = owner(state.stones, island)
        stone = " " if holder is None else STONES[holder]
        canvas.write(row, column - 3, f" {stone}{ISLANDS[island]} ", holder)
    for sea, (x, y) in enumerate(ANCHORAGES):
        seat = owner(state.ships, sea)
        if seat is not None:
            canvas.write(*_cell(x, y), SHIPS[seat], seat)
    return canvas.sketch()


def _cell(x: int, y: int) -> tuple[int, int]:
    return round((y - TOP) / ROW), round((x - LEFT) / COLUMN)


def _table(state: KahunaState) -> Sketch:
    return [
        [Span(_turn(state), state.to_move())],
        [Span("Row    ", "faint"), Span(_cards(state.row) or "-"), Span("  Deck ", "faint"), Span(str(state.deck))],
        *(_seat(state, seat) for seat in (0, 1)),
    ]


def _turn(state: KahunaState) -> str:
    if state.ending:
        return f"Round {state.round}, the game is over"
    if state.due:
        return "The cards are to be dealt" if state.due == "deal" else f"The row of round {state.round} is to be laid"
    last = " (last turn)" if state.last_turns else ""
    must = ", must draw" if state.must_draw else ""
    return f"Round {state.round}, {SEATS[state.active]} to move{must}{last}"


def _seat(state: KahunaState, seat: int) -> list[Span]:
    hand = state.hands[seat]
    return [
        Span(f"{SEATS[seat].capitalize():<7}{BRIDGES[seat]} {state.bridges[seat].bit_count():<2} ", seat),
        Span(f"{STONES[seat]} {state.island_count(seat):<2}  ", seat),
        Span("Hand ", "faint"),
        Span(_cards([*hand.known, *[None] * hand.unknown]) or "-"),
    ]


def _cards(cards: list[str | None]) -> str:
    return " ".join(card or "?" for card in cards)
