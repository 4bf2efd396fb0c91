"""The changes that a ruling makes on the table, regardless of the rules. Consequences follow from the rules."""

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
    require_elsewhere,
    require_seat,
    sentences_of,
)
from games.contract import Adjustment, Effect
from games.errors import ImpossibleError
from games.hidden import Hand
from games.verraeter.components import HAND_LIMIT, PLACES, House
from games.verraeter.moves.base import Card
from games.verraeter.rounds import draw_in_turn, excess, step_words
from games.verraeter.state import Holding, Side

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

    LandNumber = int
else:  # As people count the lands, from 1.
    LandNumber = Literal[tuple(range(1, PLACES + 1))]

RULE = "verraeter:RULING"

CardPlace = Literal["player1", "player2", "player3", "player4", "pile", "discards"]
"""A hand, the draw pile, or the open discards."""
_HOLDERS = {"player1": 0, "player2": 1, "player3": 2, "player4": 3}
_OPEN = ("discards",)


class Land(Adjustment, frozen=True, kw_only=True, tag="land"):
    """A land belongs to a house from now on."""

    land: LandNumber
    house: House

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Set the house. Raises `ImpossibleError` for the last land of a house, or a land of an open conflict."""
        _demand_round(state)
        place = self.land - 1
        owner = state.owners[place]
        if owner != self.house and state.owners.count(owner) == 1:
            raise ImpossibleError("{label} is the last land of {owner}", RULE, label=state.label(place), owner=owner)
        fought = state.site is not None and state.due in ("lay", "reveal", "points")
        if fought and place in (state.site, ((state.site or 0) + 1) % PLACES):
            raise ImpossibleError("the conflict at {label} is not resolved yet", RULE, label=state.label(place))
        state.owners[place] = self.house
        return [Effect("land.turned", RULE, at=(state.label(place), self.house))]


class Hold(Adjustment, frozen=True, kw_only=True, tag="holding"):
    """A card of a seat lies under a land, with this side up; or, without a seat, the one there goes back."""

    land: LandNumber
    seat: SeatNumber | None = None
    side: Side = "estate"

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Set or remove the card. Raises `ImpossibleError` if another seat's card is there, or none is left."""
        _demand_round(state)
        place = self.land - 1
        held, label = state.holdings[place], state.label(place)
        if self.seat is None:
            if held is None:
                raise ImpossibleError("no card lies under {label}", RULE, label=label)
            state.holdings[place] = None
            return [Effect("holding.removed", RULE, held.seat, (label,))]
        require_seat(self.seat, state.seats, RULE)
        if held and held.seat != self.seat:
            raise ImpossibleError(
                "a card of {name} lies under {label}", RULE, name=state.seat_name(held.seat), label=label
            )
        if held is None and not state.reserve(self.seat):
            raise ImpossibleError("{name} has no card left in reserve", RULE, name=state.seat_name(self.seat))
        state.holdings[place] = Holding(self.seat, self.side)
        done = "turned" if held else "put"
        return [Effect(f"{self.side}.{done}", RULE, self.seat, (label,))]


class Belong(Adjustment, frozen=True, kw_only=True, tag="house"):
    """A seat belongs to a house from now on."""

    seat: SeatNumber
    house: House

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Set the house. Raises `ImpossibleError` while the points of the winners are read."""
        _demand_round(state)
        require_seat(self.seat, state.seats, RULE)
        if state.due == "points":
            raise ImpossibleError("now {step_words}", RULE, step_words=step_words(state))
        state.houses[self.seat] = self.house
        return [Effect("house.changed", RULE, self.seat, (self.house,))]


class Strategy(Adjustment, frozen=True, kw_only=True, tag="strategy"):
    """A seat has the strategy card."""

    seat: SeatNumber

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Give the strategy card to the seat."""
        _demand_round(state)
        require_seat(self.seat, state.seats, RULE)
        state.strategy = self.seat
        return [Effect("strategy.given", RULE, self.seat)]


class Start(Adjustment, frozen=True, kw_only=True, tag="start"):
    """A seat is the start player."""

    seat: SeatNumber

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Set the start player. Raises `ImpossibleError` if the present one has noted a card that was put aside."""
        _demand_round(state)
        require_seat(self.seat, state.seats, RULE)
        if state.aside is not None:
            raise ImpossibleError(
                "{name} has noted what was put aside in this round", RULE, name=state.seat_name(state.start)
            )
        state.start = self.seat
        return [Effect("start.passed", RULE, self.seat)]


class MoveCard(CardMove, frozen=True, kw_only=True, tag="card"):
    """A supply card goes from one place to another. None is an unknown card."""

    holders, shown = _HOLDERS, _OPEN

    source: CardPlace = msgspec.field(name="from")
    to: CardPlace
    card: Card | None = None

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Move the card. Raises `ImpossibleError` if it cannot be in the source, or cannot go to the target."""
        _demand_round(state)
        self._demand_places(state)
        self._require_card(state)
        self._put(state, self._take(state))
        state.shuffled = None  # what was shuffled and what was not may lie in the same place now
        state.tell_ruling((self.source, self.to, (self.card,), self.informed_seat))
        effects = [self.moved_effect(RULE)]
        return effects + draw_in_turn(state) if state.due == "draw" and excess(state) <= 0 else effects

    def _demand_places(self, state: VerraeterState) -> None:
        """Require that a card can go from the source to the target. Raises `ImpossibleError`."""
        for place in (self.source, self.to):
            require_seat(_HOLDERS.get(place, 0), state.seats, RULE)
        require_elsewhere(self.source, self.to, RULE)
        if self.to in _HOLDERS and len(state.hands[_HOLDERS[self.to]]) >= HAND_LIMIT:
            raise ImpossibleError("{to} has {hand_limit} cards in hand", RULE, to=self.to, hand_limit=HAND_LIMIT)
        if "discards" in (self.source, self.to) and self.card is None:
            raise ImpossibleError("the discards lie open: say which card", RULE)

    def _require_card(self, state: VerraeterState) -> None:
        """Require that the card can be in the source. Raises `ImpossibleError`."""
        named = [self.card] if self.card else []
        if self.source in _HOLDERS:
            seat = _HOLDERS[self.source]
            if not len(state.hands[seat]):
                error = ImpossibleError("{source} has no card in hand", RULE, source=self.source)
                raise error.shown_by(state.evidence().of_last_change(self.source))
            state.require_hand(seat, named)
        elif self.source == "pile":
            if not state.pile:
                raise ImpossibleError("the pile is empty", RULE)
            state.require_copies(named)
        elif self.card not in state.discards:
            error = ImpossibleError("{card} is not among the discards", RULE, card=self.card)
            raise error.shown_by(state.evidence().of_last_change("discards"))

    def _take(self, state: VerraeterState) -> Hand:
        """Take the card from its source, with the knowledge of it."""
        secret = self.informed_seat is not None
        if self.source in _HOLDERS:
            return state.hands[_HOLDERS[self.source]].give_one(self.card, secret=secret)
        if self.source == "pile":
            state.pile -= 1
        elif self.card:
            state.discards.remove(self.card)
        return Hand.of(self.card, secret=secret)

    def _put(self, state: VerraeterState, card: Hand) -> None:
        if self.to in _HOLDERS:
            state.hands[_HOLDERS[self.to]].add_hand(card)
        elif self.to == "pile":
            state.pile += 1
        elif self.card:
            state.discards.append(self.card)


def _demand_round(state: VerraeterState) -> None:
    if not state.round or state.ending:
        raise ImpossibleError("no round is played: {step_words}", RULE, step_words=step_words(state))


ADJUSTMENTS = (Points, Resign, Adjudge, Switch, Land, Hold, Belong, Strategy, Start, MoveCard)

RULED = sentences_of(ADJUSTMENTS) | {
    "land.turned": "The referee turned a land: {at}",
    "holding.removed": "{seat} took back the card at {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""
