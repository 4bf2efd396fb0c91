"""What a recorder of the card game enters. Whatever the rules can derive is never asked for.

A move names the regions that give and store, whoever said so at the table (catan_cards:Q43).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.catan_cards.components import CARDS, COUNTERS, EVENTS, FACES, Land, Number
from games.catan_cards.state import CENTRES, PLACES, ROADS, SITES
from games.contract import Move

if TYPE_CHECKING:
    from games.contract import Viewpoint

    Seat = int
    Card = str
    Event = str
    Face = str
    Place = str
    Site = str
    Column = str
    Centre = str
    Stack = int
    Side = str
    Duellist = str
else:  # The names are data; a decoder that knows them says which field is wrong. Seats count from 0, stacks from 1.
    Seat = Literal[0, 1]
    Card = Literal[CARDS]
    Event = Literal[EVENTS]
    Face = Literal[FACES]
    Place = Literal[PLACES]
    Site = Literal[SITES]
    Column = Literal[tuple(sorted(ROADS + CENTRES))]
    Centre = Literal[tuple(CENTRES)]
    Stack = Literal[1, 2, 3, 4, 5]
    Side = Literal["left", "right"]
    Duellist = Literal[tuple(COUNTERS)]

MOST_PLACES, MOST_CARDS = 30, 12
"""How many regions and cards a move can name, be it against the rules: more are slips of the finger."""
Places = Annotated[tuple[Place, ...], msgspec.Meta(max_length=MOST_PLACES)]
SomePlaces = Annotated[tuple[Place, ...], msgspec.Meta(min_length=1, max_length=MOST_PLACES)]


class TableMove(Move, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(Move, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """Who begins, and how many cards the five stacks have; no sizes where they are as equal as can be."""

    starts: Seat
    sizes: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=99)], ...], msgspec.Meta(max_length=5)] = ()


class Lay(SeatMove, frozen=True, kw_only=True, tag="lay"):
    """A starting principality: the six regions, the upper three from the left, then the lower three.

    None is one that was not noted; it has to be before play begins.
    """

    regions: Annotated[tuple[Land | None, ...], msgspec.Meta(min_length=6, max_length=6)]


class Pick(SeatMove, frozen=True, kw_only=True, tag="pick"):
    """The first three cards of the hand, out of a stack that was looked through. None is a card that was not seen."""

    stack: Stack
    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=3, max_length=3)] = (None,) * 3


class Roll(SeatMove, frozen=True, kw_only=True, tag="roll"):
    """Both dice; no number where an Alchemist has set it."""

    event: Face
    number: Number | None = None


class Happen(SeatMove, frozen=True, kw_only=True, tag="event"):
    """The event card that was drawn."""

    card: Event


class Gain(SeatMove, frozen=True, kw_only=True, tag="gain"):
    """One resource of choice is gained."""

    at: Place


class Take(SeatMove, frozen=True, kw_only=True, tag="take"):
    """One resource is taken from the opponent, `at` his region, and stored `to` an own one."""

    at: Place
    to: Place


class Strike(SeatMove, frozen=True, kw_only=True, tag="strike"):
    """An expansion of the opponent is chosen that returns to his hand."""

    at: Site


class Confiscate(SeatMove, frozen=True, kw_only=True, tag="confiscate"):
    """Cards of the opponent's hand are put under a stack. None is one that was not seen."""

    stack: Stack
    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=2)]


class Return(SeatMove, frozen=True, kw_only=True, tag="return"):
    """A card of the own hand is put under a stack: too many, given up, or to be exchanged. None was not seen."""

    stack: Stack
    card: Card | None = None


class Draw(SeatMove, frozen=True, kw_only=True, tag="draw"):
    """The top card of a stack is drawn, or with `search` any of its cards; None was not seen. `pay` is for a search."""

    stack: Stack
    card: Card | None = None
    search: bool = False
    pay: Places = ()


class Skip(SeatMove, frozen=True, kw_only=True, tag="skip"):
    """What is optional is left out."""


class Trade(SeatMove, frozen=True, kw_only=True, tag="trade"):
    """Equal resources are turned into one of any kind."""

    give: SomePlaces
    get: Place


class Barter(SeatMove, frozen=True, kw_only=True, tag="barter"):
    """A trade with the opponent: what is given and where it is stored, what is taken and where it is stored."""

    give: SomePlaces
    give_to: SomePlaces
    take: SomePlaces
    take_to: SomePlaces


class Road(SeatMove, frozen=True, kw_only=True, tag="road"):
    """A road is built at one end of the principality."""

    side: Side
    pay: Places = ()


class Settle(SeatMove, frozen=True, kw_only=True, tag="settle"):
    """A settlement is built at the open end of a road."""

    side: Side
    pay: Places = ()


class Regions(SeatMove, frozen=True, kw_only=True, tag="regions"):
    """The two regions that a new settlement brings."""

    up: Land
    down: Land


class City(SeatMove, frozen=True, kw_only=True, tag="city"):
    """A city is built on a settlement."""

    at: Centre
    pay: Places = ()


class Build(SeatMove, frozen=True, kw_only=True, tag="build"):
    """An expansion is built on a site."""

    card: Card
    at: Site
    pay: Places = ()


class Demolish(SeatMove, frozen=True, kw_only=True, tag="demolish"):
    """An own expansion is torn down."""

    at: Site


class Alchemist(SeatMove, frozen=True, kw_only=True, tag="alchemist"):
    """An Alchemist sets the production die."""

    number: Number


class Attack(SeatMove, frozen=True, kw_only=True, tag="attack"):
    """A duel is declared."""

    card: Duellist


class Counter(SeatMove, frozen=True, kw_only=True, tag="counter"):
    """The answer to a duel: a card, or none."""

    card: Card | None = None


class Duel(SeatMove, frozen=True, kw_only=True, tag="duel"):
    """The attacker's die."""

    number: Number


class Caravan(SeatMove, frozen=True, kw_only=True, tag="caravan"):
    """Own resources are turned into as many others."""

    give: SomePlaces
    get: SomePlaces


class Merchant(SeatMove, frozen=True, kw_only=True, tag="merchant"):
    """A forced trade: resources taken from the opponent and stored at own regions, then one given to him."""

    take: SomePlaces
    take_to: SomePlaces
    give: Place
    give_to: Place


class Scout(SeatMove, frozen=True, kw_only=True, tag="scout"):
    """The regions of a new settlement are chosen, not drawn."""


class Spy(SeatMove, frozen=True, kw_only=True, tag="spy"):
    """A card is taken from the opponent's hand; None is one that was not noted, `taken` false if there was none."""

    card: Card | None = None
    taken: bool = True


class End(SeatMove, frozen=True, kw_only=True, tag="end"):
    """The turn ends without a card to draw, or to exchange."""


class Show(SeatMove, frozen=True, kw_only=True, tag="show"):
    """Cards of a hand are shown to everybody."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=MOST_CARDS)]


class Hold(SeatMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes cards of the own hand, which nobody else is shown."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=MOST_CARDS)] = ()


CatanCardsMove = (
    Start
    | Lay
    | Pick
    | Roll
    | Happen
    | Gain
    | Take
    | Strike
    | Confiscate
    | Return
    | Draw
    | Skip
    | Trade
    | Barter
    | Road
    | Settle
    | Regions
    | City
    | Build
    | Demolish
    | Alchemist
    | Attack
    | Counter
    | Duel
    | Caravan
    | Merchant
    | Scout
    | Spy
    | End
    | Show
    | Hold
)


_ACTION_OF: dict[type[SeatMove], str] = {
    Alchemist: "Alchemist",
    Caravan: "Caravan",
    Merchant: "Merchant",
    Scout: "Scout",
    Spy: "Spy",
}
"""The card that each of these moves plays."""


def turned_up(move: CatanCardsMove) -> list[tuple[int, tuple[str, ...]]]:
    """Whose hand the cards come from, or go to, that a move names."""
    if type(move) not in _NAMING:
        return []
    match move:
        case Pick() | Hold() | Show():
            return [(move.seat, tuple(card for card in move.cards if card))]
        case Confiscate():
            return [(1 - move.seat, tuple(card for card in move.cards if card))]
        case Draw() | Return() | Build() | Attack() | Counter():
            return [(move.seat, (move.card,))] if move.card else []
        case Spy(card=str(card)):
            return [(move.seat, ("Spy",)), (1 - move.seat, (card,))]
        case Alchemist() | Caravan() | Merchant() | Scout() | Spy():
            return [(move.seat, (_ACTION_OF[type(move)],))]
        case _:
            return []


_NAMING = frozenset({Pick, Hold, Show, Confiscate, Draw, Return, Build, Attack, Counter, *_ACTION_OF})
"""The moves that name cards: asked first, as matching classes is slow."""


def seers(move: CatanCardsMove) -> tuple[int, ...]:
    """The players who see the cards that a move names."""
    return (move.seat,) if isinstance(move, Pick | Hold | Draw | Return) else (0, 1)


def seen(move: CatanCardsMove, viewpoint: Viewpoint) -> CatanCardsMove:
    """The move as it looked from there: without the cards that only their holder saw, or in a Conflict both players."""
    match move:
        case Pick() if not viewpoint.sees(move.seat):
            return Pick(seat=move.seat, stack=move.stack)
        case Draw() | Return() if not viewpoint.sees(move.seat):
            return msgspec.structs.replace(move, card=None)
        case Confiscate() if viewpoint.kind == "public":
            return msgspec.structs.replace(move, cards=(None,) * len(move.cards))
        case Hold() if not viewpoint.sees(move.seat):
            return Hold(seat=move.seat)
        case _:
            return move
