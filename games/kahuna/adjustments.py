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
    Turn,
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
from games.kahuna.components import LINE, SEA, owner
from games.kahuna.control import remove_bridge
from games.kahuna.effects import SEATS, demand_bridge, demand_copies, demand_ships, listed
from games.kahuna.moves import Card, Line, Sea
from games.kahuna.options import OPTIONS
from games.kahuna.scoring import COUNTED, decide, end
from games.kahuna.ships import build_bridge, remove_ship, set_ship
from games.kahuna.turns import begin_anew

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.contract import Viewpoint
    from games.kahuna.state import KahunaState

RULE = "kahuna:RULING"

Place = Literal["black", "white", "row", "deck", "discards", "unseen-black", "unseen-white"]
"""A hand, the row, the deck, the open discards, and what each player put away unseen."""
_HANDS = {"black": 0, "white": 1}
_BURIED = {"unseen-black": 0, "unseen-white": 1}
_HOLDERS = _HANDS | _BURIED
_OPEN = ("row", "discards")
ROW = 3


class Bridge(Adjustment, frozen=True, kw_only=True, tag="bridge"):
    """A seat's bridge is put on a free line; or the bridge there, whosever it is, is taken off."""

    line: Line
    seat: SeatNumber | None = None


class Ship(Adjustment, frozen=True, kw_only=True, tag="ship"):
    """A seat's ship is put into a free sea; or the ship there, whosever it is, is taken out."""

    sea: Sea
    seat: SeatNumber | None = None


class MoveCard(Adjustment, frozen=True, kw_only=True, tag="card"):
    """A card goes from one place to another. None is one that was not noted."""

    source: Place = msgspec.field(name="from")
    to: Place
    card: Card | None = None


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, Bridge, Ship, MoveCard)

RULED = kinds_of(ADJUSTMENTS)
"""The kinds of effect that only rulings have, and the sentences they read as."""


def adjust(state: KahunaState, adjustment: Adjustment) -> list[Effect]:
    """Change what the ruling says, and say what followed. Raises `ImpossibleError`."""
    return _ADJUST[type(adjustment)](state, adjustment)


def _points(state: KahunaState, ruled: Points) -> list[Effect]:
    demand_seat(ruled.seat, 2, RULE)
    state.lines.append(ScoreLine(ruled.seat, ruled.points, "ruling", RULE, state.version))
    effects = [effect_of(ruled, RULE)]
    if state.outcome and state.outcome.reason in COUNTED:
        effects += decide(state)
    return effects


def _turn(state: KahunaState, ruled: Turn) -> list[Effect]:
    demand_seat(ruled.seat, 2, RULE)
    demand_going_on(state.outcome, RULE)
    _demand_dealt(state)
    begin_anew(state, ruled.seat)
    return [effect_of(ruled, RULE)]


def _resign(state: KahunaState, ruled: Resign) -> list[Effect]:
    demand_going_on(state.outcome, RULE)
    state.resigned, outcome = resign(state.resigned, ruled, 2, RULE)
    if outcome:
        end(state, outcome)
    return [effect_of(ruled, RULE)]


def _adjudge(state: KahunaState, ruled: Adjudge) -> list[Effect]:
    end(state, adjudged(ruled, 2, RULE))
    return [effect_of(ruled, RULE)]


def _switch(state: KahunaState, ruled: Switch) -> list[Effect]:
    options = switch(state.options, OPTIONS, ruled, RULE)
    if not options.seafarer and any(state.ships):
        raise ImpossibleError("seafarer is off only when no ship is on the board", RULE)
    state.options = options
    return [effect_of(ruled, RULE)]


def _bridge(state: KahunaState, ruled: Bridge) -> list[Effect]:
    _demand_dealt(state)
    line = LINE[ruled.line]
    builder = owner(state.bridges, line)
    if ruled.seat is None:
        if builder is None:
            raise ImpossibleError(f"no bridge lies on {ruled.line}", RULE)
        return remove_bridge(state, builder, line, RULE)
    demand_seat(ruled.seat, 2, RULE)
    if builder is not None:
        raise ImpossibleError(f"a bridge of {SEATS[builder]} lies on {ruled.line}", RULE)
    demand_bridge(state, ruled.seat)
    return build_bridge(state, ruled.seat, line, RULE)


def _ship(state: KahunaState, ruled: Ship) -> list[Effect]:
    _demand_dealt(state)
    demand_ships(state)
    sea = SEA[ruled.sea]
    captain = owner(state.ships, sea)
    if ruled.seat is None:
        if captain is None:
            raise ImpossibleError(f"no ship is in {ruled.sea}", RULE)
        return remove_ship(state, captain, sea, RULE)
    demand_seat(ruled.seat, 2, RULE)
    if captain is not None:
        raise ImpossibleError(f"a ship of {SEATS[captain]} is in {ruled.sea}", RULE)
    return set_ship(state, ruled.seat, sea, RULE)


# Cards


def _card(state: KahunaState, ruled: MoveCard) -> list[Effect]:
    _demand_dealt(state)
    _demand_places(state, ruled)
    _demand_card(state, ruled)
    _put(state, ruled, _take(state, ruled))
    state.shuffled = None  # what was shuffled and what was not may lie in the same place now
    return [card_moved(ruled.card, ruled.source, ruled.to, _keeper(ruled), RULE)]


def seen_adjustment(adjustment: Adjustment, viewpoint: Viewpoint) -> Adjustment:
    """The adjustment as it looked from there: without a card that only the one who held it saw."""
    if isinstance(adjustment, MoveCard):
        return without_card(adjustment, _keeper(adjustment), viewpoint)
    return adjustment


def _keeper(ruled: MoveCard) -> int | None:
    return keeper(_HOLDERS, _OPEN, (ruled.source, ruled.to))


def _pile(state: KahunaState, place: str) -> Hand:
    return state.hands[_HANDS[place]] if place in _HANDS else state.buried[_BURIED[place]]


def _demand_places(state: KahunaState, ruled: MoveCard) -> None:
    """Make sure that a card can go from the one place to the other."""
    places = {ruled.source, ruled.to}
    demand_elsewhere(ruled.source, ruled.to, RULE)
    if "row" in places and state.due:
        raise ImpossibleError(f"the row of round {state.round} is not laid out yet", RULE)
    if ruled.to == "row" and len(state.row) >= ROW:
        raise ImpossibleError(f"the row has {ROW} cards already", RULE)
    if places - {"row", "deck"} and ruled.source in ("row", "deck") and state.deck + len(state.row) == 1:
        raise ImpossibleError("the last card of deck and row can only be drawn: that ends the round", RULE)


def _demand_card(state: KahunaState, ruled: MoveCard) -> None:
    """Make sure that the card can be where it is to come from."""
    card, source = ruled.card, ruled.source
    if ruled.to == "discards" and card is None:
        raise ImpossibleError("the discards lie open: say which card", RULE)
    if source in _HOLDERS:
        pile = _pile(state, source)
        if not (pile.can_hold([card]) if card else len(pile)):
            raise ImpossibleError(f"{source} is {listed([*pile.known, *[None] * pile.unknown])}", RULE)
        lies_there = card in pile.known
    elif source == "deck":
        if not state.deck:
            raise ImpossibleError("the deck is empty", RULE)
        lies_there = False
    else:
        lying: Sequence[str | None] = state.row if source == "row" else state.played
        if card not in lying and None not in lying:
            raise ImpossibleError(f"{source} is {listed(lying)}", RULE)
        lies_there = card in lying
    if not lies_there:
        demand_copies(state, [card])


def _take(state: KahunaState, ruled: MoveCard) -> Hand:
    """Take the card from where it lies, with what is known of it."""
    card, source, secret = ruled.card, ruled.source, _keeper(ruled) is not None
    if source in _HOLDERS:
        return _pile(state, source).hand_over(card, secret=secret)
    if source == "deck":
        state.deck -= 1
    elif source == "row":
        state.row.remove(card if card in state.row else None)
    elif card:
        state.played.remove(card)
    return Hand.of(card, secret=secret)


def _put(state: KahunaState, ruled: MoveCard, card: Hand) -> None:
    if ruled.to in _HOLDERS:
        _pile(state, ruled.to).put(card)
    elif ruled.to == "deck":
        state.deck += 1
    elif ruled.to == "row":
        state.row.append(ruled.card)
    elif ruled.card:
        state.played.append(ruled.card)


def _demand_dealt(state: KahunaState) -> None:
    if state.due == "deal":
        raise ImpossibleError("the cards have not been dealt yet", RULE)


_ADJUST: dict[type[Adjustment], Callable[[KahunaState, Any], list[Effect]]] = {
    Points: _points,
    Turn: _turn,
    Resign: _resign,
    Adjudge: _adjudge,
    Switch: _switch,
    Bridge: _bridge,
    Ship: _ship,
    MoveCard: _card,
}
