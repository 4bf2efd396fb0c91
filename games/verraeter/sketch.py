"""The table as a drawing for a terminal."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from games.sketch import Canvas, Sketch, Span
from games.verraeter.components import LANDS, PLACES, ROUNDS
from games.verraeter.conflict import strengths
from games.verraeter.rounds import step_words
from games.words import name

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

ROWS, COLUMNS = 9, 31
"""The radius of the circle."""


def draw(state: VerraeterState) -> Sketch:
    """The circle with the owners of lands, the strengths of a conflict, and the players below."""
    return [*_circle(state), *_middle(state), *(_player(state, seat) for seat in range(state.seats))]


def _cell(place: float) -> tuple[int, int]:
    angle = 2 * pi * (place + 0.5) / PLACES
    return round(ROWS * (1 - cos(angle))), round(COLUMNS * (1 + sin(angle))) + 7


def _circle(state: VerraeterState) -> Sketch:
    canvas = Canvas()
    for place, land in enumerate(state.lands):
        row, column = _cell(place)
        house = (state.owners[place] or "?")[0]
        label = f"{place + 1} {house}.{land} {LANDS[land]}" if land else f"{place + 1} ?"
        canvas.write(row, column - len(label) // 2, label)
        held = state.holdings[place]
        if held:
            card = f"{held.side} {held.seat + 1}"
            canvas.write(row + 1, column - len(card) // 2, card, held.seat)
    if state.site is not None:
        row, column = _cell(state.site + 0.5)
        canvas.write(row, column - 1, "><")
    return canvas.sketch()


def _middle(state: VerraeterState) -> Sketch:
    sums = [[Span(str(strength))] for strength in strengths(state) or ()]
    return [
        [Span(f"Round {state.round} of {ROUNDS[state.seats]}: {step_words(state)}", state.to_move())],
        *sums,
        [
            Span("Pile ", "faint"),
            Span(str(state.pile)),
            Span("  Discards ", "faint"),
            Span(" ".join(state.discards) or "-"),
        ],
    ]


def _player(state: VerraeterState, seat: int) -> list[Span]:
    hand, laid = state.hands[seat], state.laid[seat]
    marks = " start" * (seat == state.start) + " strategy" * (seat == state.strategy)
    parts = [
        Span(f"{name(seat).capitalize()} {state.houses[seat]:<5} ", seat),
        Span(f"{state.totals()[seat]:>3} points", seat),
        Span("  Hand ", "faint"),
        Span(" ".join([*hand.known, *["?"] * hand.unknown]) or "-"),
    ]
    if laid is not None:
        parts += [Span("  Laid ", "faint"), Span(" ".join(laid) or "-")]
    if state.actions:
        parts.append(Span(f"  {state.actions[seat]}"))
    return [*parts, Span(marks, "faint")]
