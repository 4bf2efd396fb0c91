"""What a recorder of Verräter enters. Whatever the rules can derive is never asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.contract import Move
from games.verraeter.components import ACTIONS, COPIES, HAND_LIMIT, LANDS, MOST_POINTS, PLACES, House

if TYPE_CHECKING:
    from games.contract import Viewpoint

    Seat = int
    Card = str
    Land = str
    Action = str
    Place = int
else:  # The names are data; a decoder that knows them says which field is wrong. Seats and places count from 0.
    Seat = Literal[0, 1, 2, 3]
    Card = Literal[tuple(COPIES)]
    Land = Literal[tuple(LANDS)]
    Action = Literal[ACTIONS]
    Place = Literal[tuple(range(PLACES))]


class TableMove(Move, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(Move, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A land in the circle, and the house whose side is up."""

    land: Land
    house: House


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """Who begins, and by seat to which house everybody belongs; no houses where they alternate."""

    starts: Seat
    houses: Annotated[tuple[House, ...], msgspec.Meta(max_length=4)] = ()


class Lands(TableMove, frozen=True, kw_only=True, tag="lands"):
    """The circle of lands, clockwise. None is one that was not noted; it has to be before play begins."""

    lands: Annotated[tuple[Laid | None, ...], msgspec.Meta(min_length=PLACES, max_length=PLACES)]


class Put(SeatMove, frozen=True, kw_only=True, tag="put"):
    """A card of the reserve is brought into play under a land: in the setup, or by the Builder."""

    place: Place
    side: Literal["estate", "post"] = "estate"


class Site(SeatMove, frozen=True, kw_only=True, tag="site"):
    """The conflict card is put between the land at a place and the next one clockwise."""

    place: Place


class Choose(SeatMove, frozen=True, kw_only=True, tag="choose"):
    """A player notes the action card that lies face down before him. None is one that is not known from here."""

    action: Action | None = None


class Aside(SeatMove, frozen=True, kw_only=True, tag="aside"):
    """The start player notes the action card that was put aside unseen. None is one that is not known from here."""

    action: Action | None = None


class Lay(SeatMove, frozen=True, kw_only=True, tag="lay"):
    """Supply cards are laid face up, or none."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()


class Reveal(TableMove, frozen=True, kw_only=True, tag="reveal"):
    """Everybody's action card is turned up; `actions` go by seat."""

    actions: Annotated[tuple[Action, ...], msgspec.Meta(min_length=3, max_length=4)]


class Points(TableMove, frozen=True, kw_only=True, tag="points"):
    """What the conquered card says that each winner gets, where no table does."""

    points: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]


class Turn(SeatMove, frozen=True, kw_only=True, tag="turn"):
    """The Builder turns an own card in play over, from estate to trading post or back."""

    place: Place


class Skip(SeatMove, frozen=True, kw_only=True, tag="skip"):
    """The Builder builds nothing."""


class Draw(SeatMove, frozen=True, kw_only=True, tag="draw"):
    """A draw that would bring more than five cards: what is discarded before it. Without a discard fewer are drawn."""

    discards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()


class Hold(SeatMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes cards of the own hand, which nobody else is shown."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()


VerraeterMove = Start | Lands | Put | Site | Choose | Aside | Lay | Reveal | Points | Turn | Skip | Draw | Hold


def seen(move: VerraeterMove, viewpoint: Viewpoint) -> VerraeterMove:
    """The move as it looked from there: without what only the one who noted it knows."""
    if isinstance(move, Choose | Aside) and not viewpoint.sees(move.seat):
        return msgspec.structs.replace(move, action=None)
    if isinstance(move, Hold) and not viewpoint.sees(move.seat):
        return Hold(seat=move.seat)
    return move
