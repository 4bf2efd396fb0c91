"""What a ruling can change on the table, whatever the rules say. What follows from it follows by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

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
from games.manapani import scoring
from games.manapani.chips import move, set_level, words
from games.manapani.components import COLOURS, SEATS, TOP_LEVEL, WHITE
from games.manapani.effects import demand_cards
from games.manapani.moves import Card, Chip, Place
from games.manapani.options import OPTIONS
from games.manapani.state import drop_fight
from games.manapani.turns import begin_turn, end_turn, next_seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.contract import Viewpoint
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


class Land(Adjustment, frozen=True, kw_only=True, tag="land"):
    """A land has this owner and level from now on; without them it is nobody's. Its chips come from the source."""

    place: Place
    seat: SeatNumber | None = None
    level: Annotated[int, msgspec.Meta(ge=0, le=TOP_LEVEL)] = 0


class Pawn(Adjustment, frozen=True, kw_only=True, tag="pawn"):
    """A pawn is put on a square, which brings nothing."""

    seat: SeatNumber
    place: Place


class MoveCard(Adjustment, frozen=True, kw_only=True, tag="card"):
    """A card goes from one place to another. None is one that was not noted."""

    source: Pile = msgspec.field(name="from")
    to: Pile
    card: Card | None = None


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, MoveChips, Land, Pawn, MoveCard)

RULED = kinds_of(ADJUSTMENTS) | {
    "chips.moved": "The referee moved {at}",
    "land.ruled": "The referee set {at} to level {count}",
    "pawn.placed": "The referee put the pawn of {seat} on {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""


def adjust(state: ManapaniState, adjustment: Adjustment) -> list[Effect]:
    """Change what the ruling says, and say what followed. Raises `ImpossibleError`."""
    return _ADJUST[type(adjustment)](state, adjustment)


def _points(state: ManapaniState, ruled: Points) -> list[Effect]:
    demand_seat(ruled.seat, state.seats, RULE)
    state.ruled = [*state.ruled, ScoreLine(ruled.seat, ruled.points, "ruling", RULE, state.version)]
    return [effect_of(ruled, RULE), *scoring.recount(state)]


def _turn(state: ManapaniState, ruled: Turn) -> list[Effect]:
    demand_seat(ruled.seat, state.seats, RULE)
    demand_going_on(state.outcome, RULE)
    _demand_dealt(state)
    if ruled.seat in state.resigned:
        raise ImpossibleError(f"player {ruled.seat + 1} has given up", RULE)
    drop_fight(state)
    return [effect_of(ruled, RULE), *begin_turn(state, ruled.seat)]


def _resign(state: ManapaniState, ruled: Resign) -> list[Effect]:
    demand_going_on(state.outcome, RULE)
    state.resigned, state.outcome = resign(state.resigned, ruled, state.seats, RULE)
    effects = [effect_of(ruled, RULE)]
    if state.outcome:
        state.due = None
        drop_fight(state)
    elif state.seat == ruled.seat and state.due != "start":
        drop_fight(state)
        effects += begin_turn(state, next_seat(state))
    return effects


def _adjudge(state: ManapaniState, ruled: Adjudge) -> list[Effect]:
    state.outcome = adjudged(ruled, state.seats, RULE)
    state.due = None
    drop_fight(state)
    return [effect_of(ruled, RULE)]


def _switch(state: ManapaniState, ruled: Switch) -> list[Effect]:
    if state.fight:
        raise ImpossibleError("a fight is fought to its end by the rules that it began with", RULE)
    state.options = switch(state.options, OPTIONS, ruled, RULE)
    return [effect_of(ruled, RULE)]


# Chips, lands and pawns


def _chips(state: ManapaniState, ruled: MoveChips) -> list[Effect]:
    _demand_dealt(state)
    colour, count = COLOURS.index(ruled.colour), ruled.count
    giver, taker = _purse(state, ruled.source), _purse(state, ruled.to)
    if giver == taker:
        raise ImpossibleError(f"they lie in {ruled.to} already", RULE)
    held = state.source if giver is None else state.chips[giver]
    if held[colour] < count:
        raise ImpossibleError(f"{ruled.source} has {words(held)}", RULE)
    if giver is not None:
        move(state, giver, colour, -count)
    if taker is not None:
        move(state, taker, colour, count)
        if colour == WHITE and not state.source[WHITE] and giver is None:
            state.taker, state.taken = taker, state.version
    at = (f"{count} {ruled.colour}", f"{ruled.source} → {ruled.to}")
    return [Effect("chips.moved", RULE, at=at), *_what_follows(state)]


def _purse(state: ManapaniState, purse: str) -> int | None:
    """Whose hand is meant; None is the source."""
    if purse == "source":
        return None
    demand_seat(_SEAT[purse], state.seats, RULE)
    return _SEAT[purse]


def _land(state: ManapaniState, ruled: Land) -> list[Effect]:
    _demand_dealt(state)
    _demand_settled(state)
    place, level = ruled.place, ruled.level
    if place not in state.box.lands:
        raise ImpossibleError(f"square {place} is no land", RULE)
    if ruled.seat is not None:
        demand_seat(ruled.seat, state.seats, RULE)
    if (ruled.seat is None) != (level == 0):
        raise ImpossibleError("a land with chips has an owner, and one without has none", RULE)
    colour, more = state.box.colours[place], level - state.levels[place]
    if more > state.source[colour]:
        raise ImpossibleError(f"the source has {words(state.source)}", RULE)
    state.source[colour] -= more
    state.owners[place] = ruled.seat
    set_level(state, place, level)
    return [Effect("land.ruled", RULE, ruled.seat, (state.label(place),), level), *_what_follows(state)]


def _pawn(state: ManapaniState, ruled: Pawn) -> list[Effect]:
    demand_seat(ruled.seat, state.seats, RULE)
    _demand_settled(state)
    if ruled.place >= len(state.box.board):
        raise ImpossibleError(f"the squares are 0 to {len(state.box.board) - 1}", RULE)
    state.pawns[ruled.seat] = ruled.place
    return [Effect("pawn.placed", RULE, ruled.seat, (state.label(ruled.place),))]


def _what_follows(state: ManapaniState) -> list[Effect]:
    """The ends that changed chips bring, unless a fight or Brave Attack is to be resolved first; or the new winner."""
    if state.outcome:
        return scoring.recount(state)
    waits = state.fight is not None or state.brave
    return scoring.end_without_white(state) or ([] if waits else scoring.end_without_mana(state))


# Cards


def _card(state: ManapaniState, ruled: MoveCard) -> list[Effect]:
    _demand_dealt(state)
    if state.due in ("defend", "reveal"):
        raise ImpossibleError("the cards that lie face down are to be turned up first", RULE)
    giver, taker = _pile(state, ruled.source), _pile(state, ruled.to)
    demand_elsewhere(ruled.source, ruled.to, RULE)
    _demand_card(state, ruled, giver)
    gone = _take(state, ruled, giver)
    if taker is None:
        state.pile += 1
    else:
        taker.put(gone)
    effects = [card_moved(ruled.card, ruled.source, ruled.to, _keeper(ruled), RULE)]
    return effects + (end_turn(state) if state.due == "discard" else [])


def _pile(state: ManapaniState, pile: str) -> Hand | None:
    """The cards that lie there; None is the deck, of which only the number is known."""
    if pile in _SEAT:
        demand_seat(_SEAT[pile], state.seats, RULE)
        return state.hands[_SEAT[pile]]
    return state.discards if pile == "discards" else None


def _keeper(ruled: MoveCard) -> int | None:
    return keeper(_SEAT, ("discards",), (ruled.source, ruled.to))


def _demand_card(state: ManapaniState, ruled: MoveCard, giver: Hand | None) -> None:
    """Make sure that the card can be where it is to come from."""
    if not (state.pile if giver is None else len(giver)):
        raise ImpossibleError(f"no card lies in {ruled.source}", RULE)
    if ruled.card:
        demand_cards(state, Hand(unknown=1) if giver is None else giver, ruled.source, (ruled.card,))


def _take(state: ManapaniState, ruled: MoveCard, giver: Hand | None) -> Hand:
    """Take the card from where it lies, with what is known of it."""
    secret = _keeper(ruled) is not None
    if giver is not None:
        return giver.hand_over(ruled.card, secret=secret)
    state.pile -= 1
    return Hand.of(ruled.card, secret=secret)


def seen_adjustment(adjustment: Adjustment, viewpoint: Viewpoint) -> Adjustment:
    """The adjustment as it looked from there: without a card that only the one who holds it saw."""
    if isinstance(adjustment, MoveCard):
        return without_card(adjustment, _keeper(adjustment), viewpoint)
    return adjustment


def _demand_dealt(state: ManapaniState) -> None:
    if state.due == "start":
        raise ImpossibleError("nothing has been dealt yet", RULE)


def _demand_settled(state: ManapaniState) -> None:
    """Make sure that no square is being resolved, which would be another one then."""
    if state.due not in ("start", "turn", "discard", None):
        raise ImpossibleError("the square is to be resolved first", RULE)


_ADJUST: dict[type[Adjustment], Callable[[ManapaniState, Any], list[Effect]]] = {
    Points: _points,
    Turn: _turn,
    Resign: _resign,
    Adjudge: _adjudge,
    Switch: _switch,
    MoveChips: _chips,
    Land: _land,
    Pawn: _pawn,
    MoveCard: _card,
}
