"""What a recorder of Manapani enters. Whatever the rules can derive is never asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from games.contract import Move
from games.manapani.components import CARDS, COLOURS, MOST_COPIES, MOST_SQUARES, SEATS, TOP_LEVEL

if TYPE_CHECKING:
    from games.contract import Viewpoint

    Seat = int
    Card = str
    Chip = str
    Die = int
else:  # The names are data; a decoder that knows them says which field is wrong. Seats and places count from 0.
    Seat = Literal[tuple(range(SEATS.stop - 1))]
    Card = Literal[CARDS]
    Chip = Literal[COLOURS]
    Die = Literal[1, 2, 3, 4, 5, 6]

Place = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SQUARES)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_COPIES)]
MOST_REVEALED, MOST_CHIPS = 2 * MOST_COPIES, 200
"""Of the cards of both sides, and of what is paid: as many as there are with 40 chips of each of the five colours."""
Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_REVEALED)]
Chips = Annotated[tuple[Chip, ...], msgspec.Meta(max_length=MOST_CHIPS)]
"""Chips by colour, in any order."""
Places = Annotated[tuple[Place, ...], msgspec.Meta(max_length=MOST_CHIPS)]
Cards = Annotated[tuple[Card, ...], msgspec.Meta(max_length=MOST_COPIES)]
MaybeCards = Annotated[tuple[Card | None, ...], msgspec.Meta(max_length=MOST_COPIES)]
"""None is a card that is not known from here, or not yet."""


class TableMove(Move, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(Move, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """Who has the first turn. Cards and chips are dealt; the others follow in the order of the seats."""

    starts: Seat


# Before the roll


class Spell(SeatMove, frozen=True, kw_only=True):
    """A world spell is cast; `chips` are all that are paid for it, those of its colours too."""

    card: ClassVar[str]
    chips: Chips = ()


class Mana(Spell, frozen=True, kw_only=True, tag="mana"):
    """Gain a chip of a colour."""

    card: ClassVar[str] = "Mana"
    colour: Chip


class HolyDice(Spell, frozen=True, kw_only=True, tag="holy_dice"):
    """Set one die to a face before rolling."""

    card: ClassVar[str] = "Holy Dice"
    face: Die


class ManaPrism(Spell, frozen=True, kw_only=True, tag="mana_prism"):
    """Give three chips back and gain three others, in this order."""

    card: ClassVar[str] = "Mana Prism"
    given: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=3, max_length=3)]
    gained: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=3, max_length=3)]


class BraveAttack(Spell, frozen=True, kw_only=True, tag="brave_attack"):
    """Move to the next fort instead of rolling."""

    card: ClassVar[str] = "Brave Attack"


class Shield(Spell, frozen=True, kw_only=True, tag="shield"):
    """Owe no toll in this turn."""

    card: ClassVar[str] = "Shield"


class Fly(Spell, frozen=True, kw_only=True, tag="fly"):
    """Move twice the roll."""

    card: ClassVar[str] = "Fly"


class Slow(Spell, frozen=True, kw_only=True, tag="slow"):
    """A player rolls one die in the next turn."""

    card: ClassVar[str] = "Slow"
    target: Seat


class DrainMagic(Spell, frozen=True, kw_only=True, tag="drain_magic"):
    """Take a chip from a land."""

    card: ClassVar[str] = "Drain Magic"
    place: Place


class Armageddon(Spell, frozen=True, kw_only=True, tag="armageddon"):
    """Every owned land loses a chip."""

    card: ClassVar[str] = "Armageddon"


class Exchange(SeatMove, frozen=True, kw_only=True, tag="exchange"):
    """Two coloured chips go to the source for a white one."""

    chips: Annotated[tuple[Chip, ...], msgspec.Meta(min_length=2, max_length=2)]


class Roll(SeatMove, frozen=True, kw_only=True, tag="roll"):
    """What the dice show. None is one that was not noted; it has to be before play goes on."""

    dice: Annotated[tuple[Die | None, ...], msgspec.Meta(min_length=1, max_length=2)]


class Go(SeatMove, frozen=True, kw_only=True, tag="go"):
    """The turn goes on without a roll: after Brave Attack, with the one die already set, or when nobody can move."""


# On squares


class Gain(SeatMove, frozen=True, kw_only=True, tag="gain"):
    """The colour of the chip that the Start brings."""

    colour: Chip


class Claim(SeatMove, frozen=True, kw_only=True, tag="claim"):
    """An unowned land is taken."""


class Leave(SeatMove, frozen=True, kw_only=True, tag="leave"):
    """Nothing is done on the square: no land taken or strengthened, and no toll paid."""


class Put(SeatMove, frozen=True, kw_only=True, tag="put"):
    """Chips of its colour are put on an own land."""

    place: Place
    count: Annotated[int, msgspec.Meta(ge=1, le=TOP_LEVEL)]


class Toll(SeatMove, frozen=True, kw_only=True, tag="toll"):
    """The toll is paid: with chips from hand, and with one chip from each of `lands`, which can be named repeatedly."""

    chips: Chips = ()
    lands: Places = ()


class Discard(SeatMove, frozen=True, kw_only=True, tag="discard"):
    """The cards too many at the end of a turn. None is one that was not seen."""

    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=MOST_COPIES)]


# Fights


class Attack(SeatMove, frozen=True, kw_only=True, tag="attack"):
    """The owner of a land is fought with so many cards, laid face down."""

    count: Count


class Defend(SeatMove, frozen=True, kw_only=True, tag="defend"):
    """The owner lays so many cards face down."""

    count: Count


class Reveal(TableMove, frozen=True, kw_only=True, tag="reveal"):
    """All laid cards are turned up. None is one that was not noted; it has to be before the fight goes on."""

    attack: MaybeCards
    defence: MaybeCards


class Pay(SeatMove, frozen=True, kw_only=True, tag="pay"):
    """A scroll is cast: `card` counts the revealed ones from 0, and `chips` are all that are paid for it.

    What is paid beyond its printed cost is its X.
    """

    card: Index
    chips: Chips = ()


class Done(SeatMove, frozen=True, kw_only=True, tag="done"):
    """The player casts no further scroll in this fight."""


class Use(SeatMove, frozen=True, kw_only=True, tag="use"):
    """The special effect of a cast scroll happens now; `card` and `target` count the revealed ones from 0."""

    card: Index
    target: Index | None = None


class Hold(SeatMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes cards of the own hand, which nobody else is shown."""

    cards: Cards = ()


AnySpell = Mana | HolyDice | ManaPrism | BraveAttack | Shield | Fly | Slow | DrainMagic | Armageddon
SPELL_MOVES: tuple[type[AnySpell], ...] = (
    Mana,
    HolyDice,
    ManaPrism,
    BraveAttack,
    Shield,
    Fly,
    Slow,
    DrainMagic,
    Armageddon,
)
PLAIN_SPELLS: dict[str, type[BraveAttack | Shield | Fly | Armageddon]] = {
    form.card: form for form in (BraveAttack, Shield, Fly, Armageddon)
}
"""The spells for which nothing but the cost is to be said."""

ManapaniMove = (
    Start
    | AnySpell
    | Exchange
    | Roll
    | Go
    | Gain
    | Claim
    | Leave
    | Put
    | Toll
    | Discard
    | Attack
    | Defend
    | Reveal
    | Pay
    | Done
    | Use
    | Hold
)


def seen(move: ManapaniMove, viewpoint: Viewpoint) -> ManapaniMove:
    """The move as it looked from there: without what only the one who noted it knows."""
    if isinstance(move, Hold) and not viewpoint.sees(move.seat):
        return Hold(seat=move.seat)
    return move
