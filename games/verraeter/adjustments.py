"""What a ruling can change on the table, whatever the rules say. What follows from it follows by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from games.adjustments import (
    Adjudge,
    Points,
    Resign,
    SeatNumber,
    Switch,
    adjudged,
    card_moved,
    demand_elsewhere,
    demand_going_on,
    demand_seat,
    effect_of,
    keeper,
    kinds_of,
    resign,
    switch,
    without_card,
)
from games.contract import Adjustment, Effect, ScoreLine
from games.errors import ImpossibleError
from games.hidden import Hand
from games.verraeter.components import HAND_LIMIT, PLACES, House
from games.verraeter.effects import demand_cards, demand_copies, step_words
from games.verraeter.moves import Card
from games.verraeter.options import OPTIONS
from games.verraeter.rounds import draw_on, excess
from games.verraeter.scoring import COUNTED, rank
from games.verraeter.state import Holding, Side
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.contract import Outcome, Viewpoint
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


class Hold(Adjustment, frozen=True, kw_only=True, tag="holding"):
    """A card of a seat lies under a land, with this side up; or, without a seat, the one there goes back."""

    land: LandNumber
    seat: SeatNumber | None = None
    side: Side = "estate"


class Belong(Adjustment, frozen=True, kw_only=True, tag="house"):
    """A seat belongs to a house from now on."""

    seat: SeatNumber
    house: House


class Strategy(Adjustment, frozen=True, kw_only=True, tag="strategy"):
    """A seat has the strategy card."""

    seat: SeatNumber


class Start(Adjustment, frozen=True, kw_only=True, tag="start"):
    """A seat is the start player."""

    seat: SeatNumber


class MoveCard(Adjustment, frozen=True, kw_only=True, tag="card"):
    """A supply card goes from one place to another. None is one that was not noted."""

    source: CardPlace = msgspec.field(name="from")
    to: CardPlace
    card: Card | None = None


ADJUSTMENTS = (Points, Resign, Adjudge, Switch, Land, Hold, Belong, Strategy, Start, MoveCard)

RULED = kinds_of(ADJUSTMENTS) | {
    "land.turned": "The referee turned a land: {at}",
    "holding.removed": "{seat} took back the card at {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""


def adjust(state: VerraeterState, adjustment: Adjustment) -> list[Effect]:
    """Change what the ruling says, and say what followed. Raises `ImpossibleError`."""
    return _ADJUST[type(adjustment)](state, adjustment)


def _points(state: VerraeterState, ruled: Points) -> list[Effect]:
    demand_seat(ruled.seat, state.seats, RULE)
    state.lines.append(ScoreLine(ruled.seat, ruled.points, "ruling", RULE, state.version))
    effects = [effect_of(ruled, RULE)]
    if state.outcome and state.outcome.reason in COUNTED:
        effects += rank(state, state.outcome.reason, state.outcome.rule)
    return effects


def _resign(state: VerraeterState, ruled: Resign) -> list[Effect]:
    demand_going_on(state.outcome, RULE)
    state.resigned, outcome = resign(state.resigned, ruled, state.seats, RULE)
    if outcome:
        _end(state, outcome)
    return [effect_of(ruled, RULE)]


def _adjudge(state: VerraeterState, ruled: Adjudge) -> list[Effect]:
    _end(state, adjudged(ruled, state.seats, RULE))
    return [effect_of(ruled, RULE)]


def _end(state: VerraeterState, outcome: Outcome) -> None:
    state.outcome = outcome
    state.due = None
    state.draws = []


def _switch(state: VerraeterState, ruled: Switch) -> list[Effect]:
    state.options = switch(state.options, OPTIONS, ruled, RULE)
    return [effect_of(ruled, RULE)]


def _land(state: VerraeterState, ruled: Land) -> list[Effect]:
    _demand_round(state)
    place = ruled.land - 1
    owner = state.owners[place]
    if owner != ruled.house and state.owners.count(owner) == 1:
        raise ImpossibleError(f"{state.label(place)} is the last land of {owner}", RULE)
    if state.site is not None and state.due in ("lay", "reveal", "points") and place in _site(state):
        raise ImpossibleError(f"the conflict at {state.label(place)} is not resolved yet", RULE)
    state.owners[place] = ruled.house
    return [Effect("land.turned", RULE, at=(state.label(place), ruled.house))]


def _site(state: VerraeterState) -> tuple[int, int]:
    first = state.site or 0
    return first, (first + 1) % PLACES


def _holding(state: VerraeterState, ruled: Hold) -> list[Effect]:
    _demand_round(state)
    place = ruled.land - 1
    held, label = state.holdings[place], state.label(place)
    if ruled.seat is None:
        if held is None:
            raise ImpossibleError(f"no card lies under {label}", RULE)
        state.holdings[place] = None
        return [Effect("holding.removed", RULE, held.seat, (label,))]
    demand_seat(ruled.seat, state.seats, RULE)
    if held and held.seat != ruled.seat:
        raise ImpossibleError(f"a card of {name(held.seat)} lies under {label}", RULE)
    if held is None and not state.reserve(ruled.seat):
        raise ImpossibleError(f"{name(ruled.seat)} has no card left in reserve", RULE)
    state.holdings[place] = Holding(ruled.seat, ruled.side)
    done = "turned" if held else "put"
    return [Effect(f"{ruled.side}.{done}", RULE, ruled.seat, (label,))]


def _house(state: VerraeterState, ruled: Belong) -> list[Effect]:
    _demand_round(state)
    demand_seat(ruled.seat, state.seats, RULE)
    if state.due == "points":
        raise ImpossibleError(f"now {step_words(state)}", RULE)
    state.houses[ruled.seat] = ruled.house
    return [Effect("house.changed", RULE, ruled.seat, (ruled.house,))]


def _strategy(state: VerraeterState, ruled: Strategy) -> list[Effect]:
    _demand_round(state)
    demand_seat(ruled.seat, state.seats, RULE)
    state.strategy = ruled.seat
    return [Effect("strategy.given", RULE, ruled.seat)]


def _start(state: VerraeterState, ruled: Start) -> list[Effect]:
    _demand_round(state)
    demand_seat(ruled.seat, state.seats, RULE)
    if state.aside is not None:
        raise ImpossibleError(f"{name(state.start)} has noted what was put aside in this round", RULE)
    state.start = ruled.seat
    return [Effect("start.passed", RULE, ruled.seat)]


# Supply cards


def _card(state: VerraeterState, ruled: MoveCard) -> list[Effect]:
    _demand_round(state)
    _demand_places(state, ruled)
    _demand_card(state, ruled)
    _put(state, ruled, _take(state, ruled))
    state.shuffled = None  # what was shuffled and what was not may lie in the same place now
    effects = [card_moved(ruled.card, ruled.source, ruled.to, _keeper(ruled), RULE)]
    return effects + draw_on(state) if state.due == "draw" and excess(state) <= 0 else effects


def seen_adjustment(adjustment: Adjustment, viewpoint: Viewpoint) -> Adjustment:
    """The adjustment as it looked from there: without a card that only the one who held it saw."""
    if isinstance(adjustment, MoveCard):
        return without_card(adjustment, _keeper(adjustment), viewpoint)
    return adjustment


def _keeper(ruled: MoveCard) -> int | None:
    return keeper(_HOLDERS, _OPEN, (ruled.source, ruled.to))


def _demand_places(state: VerraeterState, ruled: MoveCard) -> None:
    """Make sure that a card can go from the one place to the other."""
    for place in (ruled.source, ruled.to):
        demand_seat(_HOLDERS.get(place, 0), state.seats, RULE)
    demand_elsewhere(ruled.source, ruled.to, RULE)
    if ruled.to in _HOLDERS and len(state.hands[_HOLDERS[ruled.to]]) >= HAND_LIMIT:
        raise ImpossibleError(f"{ruled.to} has {HAND_LIMIT} cards in hand", RULE)
    if "discards" in (ruled.source, ruled.to) and ruled.card is None:
        raise ImpossibleError("the discards lie open: say which card", RULE)


def _demand_card(state: VerraeterState, ruled: MoveCard) -> None:
    """Make sure that the card can be where it is to come from."""
    named = [ruled.card] if ruled.card else []
    if ruled.source in _HOLDERS:
        seat = _HOLDERS[ruled.source]
        if not len(state.hands[seat]):
            raise ImpossibleError(f"{ruled.source} has no card in hand", RULE)
        demand_cards(state, seat, named)
    elif ruled.source == "pile":
        if not state.pile:
            raise ImpossibleError("the pile is empty", RULE)
        demand_copies(state, named)
    elif ruled.card not in state.discards:
        raise ImpossibleError(f"{ruled.card} is not among the discards", RULE)


def _take(state: VerraeterState, ruled: MoveCard) -> Hand:
    """Take the card from where it lies, with what is known of it."""
    secret = _keeper(ruled) is not None
    if ruled.source in _HOLDERS:
        return state.hands[_HOLDERS[ruled.source]].hand_over(ruled.card, secret=secret)
    if ruled.source == "pile":
        state.pile -= 1
    elif ruled.card:
        state.discards.remove(ruled.card)
    return Hand.of(ruled.card, secret=secret)


def _put(state: VerraeterState, ruled: MoveCard, card: Hand) -> None:
    if ruled.to in _HOLDERS:
        state.hands[_HOLDERS[ruled.to]].put(card)
    elif ruled.to == "pile":
        state.pile += 1
    elif ruled.card:
        state.discards.append(ruled.card)


def _demand_round(state: VerraeterState) -> None:
    if not state.round or state.outcome:
        raise ImpossibleError(f"no round is played: {step_words(state)}", RULE)


_ADJUST: dict[type[Adjustment], Callable[[VerraeterState, Any], list[Effect]]] = {
    Points: _points,
    Resign: _resign,
    Adjudge: _adjudge,
    Switch: _switch,
    Land: _land,
    Hold: _holding,
    Belong: _house,
    Strategy: _strategy,
    Start: _start,
    MoveCard: _card,
}
