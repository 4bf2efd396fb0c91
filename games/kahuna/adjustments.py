"""Kahuna's own adjustments of rulings, regardless of the rules. Their consequences follow from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

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
from games.hidden import Hand, cards_text
from games.kahuna.components import LINE, SEA, owner
from games.kahuna.control import remove_bridge
from games.kahuna.moves.base import Card, Line, Sea
from games.kahuna.moves.building import require_bridge
from games.kahuna.moves.sailing import require_ships
from games.kahuna.moves.setup import ROW
from games.kahuna.ships import build_bridge, remove_ship, set_ship

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.kahuna.state import KahunaState

RULE = "kahuna:RULING"
RULED_SINCE = 5
"""The first revision in which cards that a ruling moved count in the first round, too."""

Place = Literal["black", "white", "row", "deck", "discards", "unseen-black", "unseen-white"]
"""A place of cards: a hand, the row, the deck, the open discards, and each player's cards put away unseen."""
HANDS = ("black", "white")
BURIED = ("unseen-black", "unseen-white")
_HANDS = {place: seat for seat, place in enumerate(HANDS)}
_BURIED = {place: seat for seat, place in enumerate(BURIED)}
_HOLDERS = _HANDS | _BURIED
_OPEN = ("row", "discards")


class Bridge(Adjustment, frozen=True, kw_only=True, tag="bridge"):
    """A seat's bridge is put on a free line; or the bridge there, whosever it is, is taken off."""

    line: Line
    seat: SeatNumber | None = None

    def apply(self, state: KahunaState) -> list[Effect]:
        """The consequences on the islands follow from the rules."""
        state.require_dealt()
        line = LINE[self.line]
        builder = owner(state.bridges, line)
        if self.seat is None:
            if builder is None:
                raise ImpossibleError("no bridge lies on {line}", RULE, line=self.line)
            return remove_bridge(state, builder, line, RULE)
        require_seat(self.seat, state.seats, RULE)
        if builder is not None:
            raise ImpossibleError(
                "a bridge of {name} lies on {line}", RULE, name=state.seat_name(builder), line=self.line
            )
        require_bridge(state, self.seat)
        return build_bridge(state, self.seat, line, RULE)


class Ship(Adjustment, frozen=True, kw_only=True, tag="ship"):
    """A seat's ship is put into a free sea; or the ship there, whosever it is, is taken out."""

    sea: Sea
    seat: SeatNumber | None = None

    def apply(self, state: KahunaState) -> list[Effect]:
        """The consequences on the islands follow from the rules."""
        state.require_dealt()
        require_ships(state)
        sea = SEA[self.sea]
        captain = owner(state.ships, sea)
        if self.seat is None:
            if captain is None:
                raise ImpossibleError("no ship is in {sea}", RULE, sea=self.sea)
            return remove_ship(state, captain, sea, RULE)
        require_seat(self.seat, state.seats, RULE)
        if captain is not None:
            raise ImpossibleError("a ship of {name} is in {sea}", RULE, name=state.seat_name(captain), sea=self.sea)
        return set_ship(state, self.seat, sea, RULE)


class MoveCard(CardMove, frozen=True, kw_only=True, tag="card"):
    """A card goes from one place to another. None is one that was not noted."""

    holders, shown = _HOLDERS, _OPEN

    source: Place = msgspec.field(name="from")
    to: Place
    card: Card | None = None

    def apply(self, state: KahunaState) -> list[Effect]:
        """Move the card, if it can be at its source and may go to its target."""
        state.require_dealt()
        self._demand_places(state)
        self._require_card(state)
        state.told.append((state.version, self))
        state.ruled = state.revision >= RULED_SINCE
        self._put(state, self._take(state))
        state.shuffled = None  # shuffled and unshuffled cards may lie in the same place now
        return [self.moved_effect(RULE)]

    def _demand_places(self, state: KahunaState) -> None:
        """Make sure that a card can go from the source to the target."""
        places = {self.source, self.to}
        require_elsewhere(self.source, self.to, RULE)
        if "row" in places and state.due:
            raise ImpossibleError("the row of round {round} is not laid out yet", RULE, round=state.round)
        if self.to == "row" and len(state.row) >= ROW:
            raise ImpossibleError("the row has {row} cards already", RULE, row=ROW)
        if places - {"row", "deck"} and self.source in ("row", "deck") and state.deck + len(state.row) == 1:
            raise ImpossibleError("the last card of deck and row can only be drawn: that ends the round", RULE)

    def _require_card(self, state: KahunaState) -> None:
        """Make sure that the card can be at its source."""
        card, source = self.card, self.source
        if "discards" in (self.to, source) and card is None:
            raise ImpossibleError("the discards lie open: say which card", RULE)
        if source in _HOLDERS:
            pile = _pile(state, source)
            if not (pile.can_hold([card]) if card else len(pile)):
                raise self._lies_elsewhere(state, pile.cards())
            lies_there = card in pile.known
        elif source == "deck":
            if not state.deck:
                raise ImpossibleError("the deck is empty", RULE)
            lies_there = False
        else:
            lying: Sequence[str | None] = state.row if source == "row" else state.played
            if source == "row" and not lying:
                raise ImpossibleError("no card lies in the row", RULE)
            if card not in lying and None not in lying:
                raise self._lies_elsewhere(state, lying)
            lies_there = card in lying
        if card and not lies_there:
            state.require_copies([card])

    def _lies_elsewhere(self, state: KahunaState, lying: Sequence[str | None]) -> ImpossibleError:
        """The error for a card that is not at its source, where these cards lie."""
        held, source = cards_text(lying, ", "), self.source
        if source == "discards":
            error = ImpossibleError("{card} is not among the discards", RULE, card=self.card)
        elif source == "row" and self.card:
            error = ImpossibleError("the row has no {card}: its cards are {row}", RULE, row=held, card=self.card)
        elif source == "row":
            error = ImpossibleError("say which card leaves the row: {row}", RULE, row=held)
        elif lying:
            error = ImpossibleError("{source} holds {held}, not {card}", RULE, source=source, held=held, card=self.card)
        else:
            error = ImpossibleError("no card lies in {source}", RULE, source=source)
        return error.shown_by(state.evidence().of_hand(source, len(lying), [self.card]))

    def _take(self, state: KahunaState) -> Hand:
        """Take the card from its source, with the knowledge about it."""
        card, source, secret = self.card, self.source, self.informed_seat is not None
        if source in _HOLDERS:
            pile = _pile(state, source)
            known, seen = pile.known.copy(), pile.open.copy()
            gone = pile.give_one(card, secret=secret)
            state.note_lost(_HOLDERS[source], known, seen, (pile, gone))
            return gone
        if source == "deck":
            state.deck -= 1
        elif source == "row":
            state.row.remove(card if card in state.row else None)
        elif card:
            state.played.remove(card)
        return Hand.of(card, secret=secret)

    def _put(self, state: KahunaState, card: Hand) -> None:
        if self.to in _HOLDERS:
            _pile(state, self.to).add_hand(card)
        elif self.to == "deck":
            state.deck += 1
        elif self.to == "row":
            state.row.append(self.card)
        elif self.card:
            state.played.append(self.card)


def _pile(state: KahunaState, place: str) -> Hand:
    return state.hands[_HANDS[place]] if place in _HANDS else state.buried[_BURIED[place]]


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, Bridge, Ship, MoveCard)

RULED = sentences_of(ADJUSTMENTS)
"""The kinds of effect of rulings only, with their sentences."""
