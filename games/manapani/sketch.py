"""The table as a drawing for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.manapani import fights
from games.manapani.components import COLOURS, Square
from games.manapani.describe import has_sample_board, has_sample_deck
from games.manapani.ring import Ring
from games.manapani.turns import step_words
from games.sketch import Canvas, Sketch, Span, fitted
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.manapani.state import Fight, ManapaniState

WIDTH, HEIGHT = 11, 3
"""The width in characters and the height in lines of a square."""
MOST_COLUMNS = 7
KINDS = {"start": "Start", "fort": "Fort", "sanctuary": "Sanct."}


def draw(state: ManapaniState) -> Sketch:
    """The track with owners, levels and pawns; the source, the fight, and the players below."""
    return [*_track(state), *_middle(state), *(_player(state, seat) for seat in range(state.seats))]


def square_words(square: Square) -> str:
    """A square's name in a few characters: `fire`, `fire E`, `Fort`."""
    if square.kind == "elemental":
        return f"{square.element} E"
    return square.element or KINDS[square.kind]


def _track(state: ManapaniState) -> Sketch:
    canvas, ring = Canvas(), Ring.for_squares(len(state.box.board), MOST_COLUMNS)
    for place, square in enumerate(state.box.board):
        column, row = ring.cell(place)
        left, top = column * WIDTH, row * HEIGHT
        canvas.write(
            top, left, f"{place} {square_words(square)}"[: WIDTH - 1], "faint" if square.kind != "land" else None
        )
        owner = state.owners[place]
        if owner is not None:
            canvas.write(top + 1, left, f"P{owner + 1} {'o' * state.levels[place]}", owner)
        pawns = [seat for seat, pawn in enumerate(state.pawns) if pawn == place]
        for slot, seat in enumerate(pawns):
            canvas.write(top + 2, left + slot, str(seat + 1), seat)
    return canvas.sketch()


def _middle(state: ManapaniState) -> Iterator[list[Span]]:
    yield [Span(f"Turn {state.turn}: {step_words(state)}", state.to_move())]
    source = "  ".join(f"{colour} {count}" for colour, count in zip(COLOURS, state.source, strict=True))
    yield [Span("Source ", "faint"), Span(source)]
    sample = [
        word for word, made_up in (("board", has_sample_board(state)), ("deck", has_sample_deck(state))) if made_up
    ]
    yield [
        Span("Pile ", "faint"),
        Span(str(state.pile)),
        Span("  Discards ", "faint"),
        Span(str(len(state.discards))),
        Span(f"  Invented {' and '.join(sample)}" if sample else "", "faint"),
    ]
    if state.fight and state.due != "toll":
        yield from _fight(state, state.fight)


def _fight(state: ManapaniState, fight: Fight) -> Iterator[list[Span]]:
    sums = fights.powers(state, fight)
    for side, seat in enumerate(fight.seats):
        cards = [fights.label(fight, index) for index, laid in enumerate(fight.cards) if laid.side == side]
        shown = cards or ["?"] * (fight.counts[side] or 0) or ["-"]
        yield [Span(f"{fights.SIDES[side]:<8}{sums[side]:>2}  ", seat), Span(fitted(shown, 66))]


def _player(state: ManapaniState, seat: int) -> list[Span]:
    chips = " ".join(f"{count}{colour[0]}" for colour, count in zip(COLOURS, state.chips[seat], strict=True) if count)
    hand = state.hands[seat]
    cards = [*(card.replace(" ", "") for card in hand.known), *["?"] * hand.unknown] or ["-"]
    marks = " slow" * state.slow[seat] + " held" * state.stuck[seat]
    head = f"{name(seat).capitalize()} {state.totals()[seat]:>3}"
    rest = f"  Chips {chips or '-'}"
    return [
        Span(head, seat),
        Span(rest),
        Span("  Hand ", "faint"),
        Span(fitted(cards, 70 - len(head + rest))),
        Span(marks, "faint"),
    ]
