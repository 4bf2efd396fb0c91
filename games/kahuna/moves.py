"""What a recorder of Kahuna enters. Whatever the rules can derive is never asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.contract import Move
from games.kahuna.components import ISLANDS, LINES, SEAS

if TYPE_CHECKING:
    from games.contract import Viewpoint

    Seat = int
    Card = str
    Line = str
    Sea = str
else:  # The names are data; a decoder that knows them says which field is wrong. Seat 0 is black, 1 is white.
    Seat = Literal[0, 1]
    Card = Literal[ISLANDS]
    Line = Literal[LINES]
    Sea = Literal[SEAS]


class TableMove(Move, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(Move, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


class Deal(TableMove, frozen=True, kw_only=True, tag="deal"):
    """The cards are dealt: who starts, the row, and of each hand the cards that are known. None is a card not noted."""

    starts: Seat
    row: tuple[Card | None, Card | None, Card | None] = (None, None, None)
    hands: tuple[
        Annotated[tuple[Card, ...], msgspec.Meta(max_length=3)],
        Annotated[tuple[Card, ...], msgspec.Meta(max_length=3)],
    ] = ((), ())


class Row(TableMove, frozen=True, kw_only=True, tag="row"):
    """The face-up cards as they lie: laid out for a new round, or looked at again where one was not noted."""

    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=3)]


class Build(SeatMove, frozen=True, kw_only=True, tag="build"):
    """A bridge is put on a line, for one card."""

    card: Card
    line: Line


class Remove(SeatMove, frozen=True, kw_only=True, tag="remove"):
    """A bridge is removed from a line, for two cards; and with `rebuild` an own one put there at once (BOX-2)."""

    cards: tuple[Card, Card]
    line: Line
    rebuild: bool = False


class Launch(SeatMove, frozen=True, kw_only=True, tag="launch"):
    """A ship is placed in a sea, for three cards."""

    cards: tuple[Card, Card, Card]
    sea: Sea


class Sail(SeatMove, frozen=True, kw_only=True, tag="sail"):
    """An own ship is moved from a sea to another."""

    sea: Sea
    to: Sea


class Discard(SeatMove, frozen=True, kw_only=True, tag="discard"):
    """Cards are put away without being played, `count` in all; `cards` are those of them that are known."""

    count: Annotated[int, msgspec.Meta(ge=1, le=24)]
    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=24)] = ()


class Take(SeatMove, frozen=True, kw_only=True, tag="take"):
    """A card of the row is taken, and `refill` laid in its place. None is one that was not noted, or no refill."""

    card: Card | None = None
    refill: Card | None = None


class Draw(SeatMove, frozen=True, kw_only=True, tag="draw"):
    """The top card of the deck is drawn. None is one that was not seen."""

    card: Card | None = None


class Decline(SeatMove, frozen=True, kw_only=True, tag="decline"):
    """The turn ends without a card."""


class Show(SeatMove, frozen=True, kw_only=True, tag="show"):
    """Cards of a hand are shown to everybody."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=24)]


KahunaMove = Deal | Row | Build | Remove | Launch | Sail | Discard | Take | Draw | Decline | Show


def seen(move: KahunaMove, viewpoint: Viewpoint) -> KahunaMove:
    """The move as it looked from there: without the cards that only the one who held them saw."""
    match move:
        case Deal():
            black, white = (hand if viewpoint.sees(seat) else () for seat, hand in enumerate(move.hands))
            return msgspec.structs.replace(move, hands=(black, white))
        case Draw() if not viewpoint.sees(move.seat):
            return Draw(seat=move.seat)
        case Discard() if not viewpoint.sees(move.seat):
            return Discard(seat=move.seat, count=move.count)
        case _:
            return move
