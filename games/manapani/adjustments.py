"""The changes that a ruling makes on the table, regardless of the rules. Consequences follow from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.adjustments import (
    Adjudge,
    CardMove,
    Points,
    Resign,
    SeatNumber,
    Switch,
    Turn,
    require_elsewhere,
    require_seat,
    sentences_of,
)
from games.contract import Adjustment, Effect
from games.errors import ImpossibleError
from games.hidden import Hand
from games.manapani import scoring
from games.manapani.chips import move, set_level, words
from games.manapani.components import COLOURS, SEATS, TOP_LEVEL, WHITE
from games.manapani.moves.base import Card, Chip, Place
from games.manapani.turns import end_turn

if TYPE_CHECKING:
    from games.manapani.state import ManapaniState

    Purse = str
    Pile = str
else:
    _PLAYERS = tuple(f"player{number}" for number in range(1, SEATS.stop))
    Purse = Literal["source", *_PLAYERS]
    Pile = Literal["deck", "discards", *_PLAYERS]

RULE = "manapani:RULING"
_SEAT = {f"player{seat + 1}": seat for seat in range(SEATS.stop - 1)}


class MoveChips(Adjustment, frozen=True, kw_only=True, tag="chip"):
    """Chips of a colour go from the source or a hand to another of them."""

    source: Purse = msgspec.field(name="from")
    to: Purse
    colour: Chip
    count: Annotated[int, msgspec.Meta(ge=1, le=30)] = 1

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Move the chips. Raises `ImpossibleError` if they are not there."""
        state.require_dealt()
        colour, count = COLOURS.index(self.colour), self.count
        giver, taker = _purse(state, self.source), _purse(state, self.to)
        if giver == taker:
            raise ImpossibleError("they lie in {to} already", RULE, to=self.to)
        held = state.source if giver is None else state.chips[giver]
        if held[colour] < count:
            raise ImpossibleError("{source} has {words}", RULE, source=self.source, words=words(held))
        if giver is not None:
            move(state, giver, colour, -count)
        if taker is not None:
            move(state, taker, colour, count)
            if colour == WHITE and not state.source[WHITE] and giver is None:
                state.taker, state.taken = taker, state.version
        at = (f"{count} {self.colour}", f"{self.source} → {self.to}")
        return [Effect("chips.moved", RULE, at=at), *_what_follows(state)]


class Land(Adjustment, frozen=True, kw_only=True, tag="land"):
    """A land has this owner and level from now on; without them it is nobody's. Its chips come from the source."""

    place: Place
    seat: SeatNumber | None = None
    level: Annotated[int, msgspec.Meta(ge=0, le=TOP_LEVEL)] = 0

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Set the land. Raises `ImpossibleError` if the source has too few chips, or a square is being resolved."""
        state.require_dealt()
        _demand_settled(state)
        place, level = self.place, self.level
        if place not in state.box.lands:
            raise ImpossibleError("square {place} is no land", RULE, place=place)
        if self.seat is not None:
            require_seat(self.seat, state.seats, RULE)
        if (self.seat is None) != (level == 0):
            raise ImpossibleError("a land with chips has an owner, and one without has none", RULE)
        colour, more = state.box.colours[place], level - state.levels[place]
        if more > state.source[colour]:
            raise ImpossibleError("the source has {words}", RULE, words=words(state.source))
        state.source[colour] -= more
        state.owners[place] = self.seat
        set_level(state, place, level)
        return [Effect("land.ruled", RULE, self.seat, (state.label(place),), level), *_what_follows(state)]


class Pawn(Adjustment, frozen=True, kw_only=True, tag="pawn"):
    """A pawn is put on a square, which brings nothing."""

    seat: SeatNumber
    place: Place

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Put the pawn there. Raises `ImpossibleError` without that square, or while a square is being resolved."""
        require_seat(self.seat, state.seats, RULE)
        _demand_settled(state)
        if self.place >= len(state.box.board):
            raise ImpossibleError("the squares are 0 to {number}", RULE, number=len(state.box.board) - 1)
        state.pawns[self.seat] = self.place
        return [Effect("pawn.placed", RULE, self.seat, (state.label(self.place),))]


class MoveCard(CardMove, frozen=True, kw_only=True, tag="card"):
    """A card goes from one place to another. None is an unknown card."""

    holders, shown = _SEAT, ("discards",)

    source: Pile = msgspec.field(name="from")
    to: Pile
    card: Card | None = None

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Move the card. Raises `ImpossibleError` if it cannot be there, or while cards lie face down."""
        state.require_dealt()
        if state.due in ("defend", "reveal"):
            raise ImpossibleError("the cards that lie face down are to be turned up first", RULE)
        giver, taker = _pile(state, self.source), _pile(state, self.to)
        require_elsewhere(self.source, self.to, RULE)
        self._require_card(state, giver)
        gone = self._take(state, giver)
        if taker is None:
            state.pile += 1
        else:
            taker.add_hand(gone)
        state.tell_ruling((self.source, self.to, (self.card,), self.informed_seat))
        effects = [self.moved_effect(RULE)]
        return effects + (end_turn(state) if state.due == "discard" else [])

    def _require_card(self, state: ManapaniState, giver: Hand | None) -> None:
        """Require that the card can be in its source. Raises `ImpossibleError`."""
        if not (state.pile if giver is None else len(giver)):
            error = ImpossibleError("no card lies in {source}", RULE, source=self.source)
            raise error.shown_by(state.evidence().of_last_change(self.source))
        if self.card:
            state.require_cards(Hand(unknown=1) if giver is None else giver, self.source, (self.card,))

    def _take(self, state: ManapaniState, giver: Hand | None) -> Hand:
        """Take the card from its source, with the knowledge of it."""
        secret = self.informed_seat is not None
        if giver is not None:
            return giver.give_one(self.card, secret=secret)
        state.pile -= 1
        return Hand.of(self.card, secret=secret)


def _purse(state: ManapaniState, purse: str) -> int | None:
    """The seat that holds the chips; None for the source."""
    if purse == "source":
        return None
    require_seat(_SEAT[purse], state.seats, RULE)
    return _SEAT[purse]


def _pile(state: ManapaniState, pile: str) -> Hand | None:
    """The cards of a place; None for the deck, because only its number is known."""
    if pile in _SEAT:
        require_seat(_SEAT[pile], state.seats, RULE)
        return state.hands[_SEAT[pile]]
    return state.discards if pile == "discards" else None


def _what_follows(state: ManapaniState) -> list[Effect]:
    """The endings that changed chips bring, unless a fight or Brave Attack goes on; after the end, the new winner."""
    if state.ending:
        return scoring.find_winner_again(state)
    waits = state.fight is not None or state.brave
    return scoring.end_without_white(state) or ([] if waits else scoring.end_without_mana(state))


def _demand_settled(state: ManapaniState) -> None:
    """Require that no square is being resolved, because the change could make it another one."""
    if state.due not in ("start", "turn", "discard", None):
        raise ImpossibleError("the square is to be resolved first", RULE)


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, MoveChips, Land, Pawn, MoveCard)

RULED = sentences_of(ADJUSTMENTS) | {
    "chips.moved": "The referee moved {at}",
    "land.ruled": "The referee set {at} to level {count}",
    "pawn.placed": "The referee put the pawn of {seat} on {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""
