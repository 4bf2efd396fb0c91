"""What a ruling can change on the table, whatever the rules say. What follows from it follows by the rules."""

from __future__ import annotations

from collections import Counter as Count
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
from games.catan_cards.components import ACTIONS, RED, STORE, Land, Number, Resource
from games.catan_cards.effects import demand_free, demand_held, demand_regions_laid, take_off
from games.catan_cards.moves import Card, Column, Place, Site
from games.catan_cards.options import OPTIONS, resolve
from games.catan_cards.scoring import TOKENS, commerce, score, score_building, strength
from games.catan_cards.state import Pending, column, offset, owner
from games.catan_cards.turns import begin_turn, proceed
from games.contract import Adjustment, Effect
from games.errors import ImpossibleError
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.catan_cards.state import CatanCardsState, Principality
    from games.contract import Viewpoint

RULE = "catan_cards:RULING"

Pile = Literal["hand-1", "hand-2", "stack-1", "stack-2", "stack-3", "stack-4", "stack-5", "spent"]
"""A hand, a stack of expansion cards, or the cards that were used up."""
_HANDS = {"hand-1": 0, "hand-2": 1}


class Stock(Adjustment, frozen=True, kw_only=True, tag="stock"):
    """A region holds so many resources."""

    at: Place
    stock: Annotated[int, msgspec.Meta(ge=0, le=STORE)]


class Region(Adjustment, frozen=True, kw_only=True, tag="region"):
    """Another region card lies at a place. What it holds stays."""

    at: Place
    resource: Resource
    number: Number


class Token(Adjustment, frozen=True, kw_only=True, tag="token"):
    """A token goes to a seat, or to nobody, until the sums that it follows from change."""

    token: Literal["knight", "windmill"]
    seat: SeatNumber | None = None


class MoveCard(Adjustment, frozen=True, kw_only=True, tag="card"):
    """An expansion card goes from one pile to another. None is one that was not noted."""

    source: Pile = msgspec.field(name="from")
    to: Pile
    card: Card | None = None


class Expansion(Adjustment, frozen=True, kw_only=True, tag="expansion"):
    """A card of a pile is put on a free site; or the one that lies there goes to the pile."""

    at: Site
    pile: Pile
    card: Card | None = None


class Line(Adjustment, frozen=True, kw_only=True, tag="line"):
    """A road, a settlement or a city lies in a column of somebody's line, or nothing does."""

    seat: SeatNumber
    at: Column
    card: Literal["road", "settlement", "city"] | None = None


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, Stock, Region, Token, MoveCard, Expansion, Line)

RULED = kinds_of(ADJUSTMENTS) | {
    "stock.ruled": "The referee set {at} to {count}",
    "region.ruled": "The referee set {at}",
    "token.ruled": "The referee moved the {at}",
    "expansion.moved": "The referee moved {at}",
    "line.ruled": "The referee changed the line of {seat}: {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""


def adjust(state: CatanCardsState, adjustment: Adjustment) -> list[Effect]:
    """Change what the ruling says, and say what followed. Raises `ImpossibleError`."""
    effects = _ADJUST[type(adjustment)](state, adjustment)
    if isinstance(adjustment, MoveCard | Expansion) and adjustment.card:
        state.correct((0, 1), [adjustment.card])
    return effects + proceed(state)


def _points(state: CatanCardsState, ruled: Points) -> list[Effect]:
    demand_seat(ruled.seat, 2, RULE)
    score(state, ruled.seat, ruled.points, "ruling", RULE, "")
    return [effect_of(ruled, RULE)]


def _turn(state: CatanCardsState, ruled: Turn) -> list[Effect]:
    demand_seat(ruled.seat, 2, RULE)
    _demand_begun(state)
    demand_going_on(state.outcome, RULE)
    demand_regions_laid(state, RULE)
    if ruled.seat == state.active:
        state.turns[ruled.seat] -= 1  # the same turn once more
    state.pending = []
    return [effect_of(ruled, RULE), *begin_turn(state, ruled.seat)]


def _resign(state: CatanCardsState, ruled: Resign) -> list[Effect]:
    demand_going_on(state.outcome, RULE)
    state.resigned, state.outcome = resign(state.resigned, ruled, 2, RULE)
    _stop(state)
    return [effect_of(ruled, RULE)]


def _adjudge(state: CatanCardsState, ruled: Adjudge) -> list[Effect]:
    state.outcome = adjudged(ruled, 2, RULE)
    _stop(state)
    return [effect_of(ruled, RULE)]


def _stop(state: CatanCardsState) -> None:
    state.phase, state.pending = None, []


def _switch(state: CatanCardsState, ruled: Switch) -> list[Effect]:
    state.options = resolve(msgspec.structs.asdict(switch(state.options, OPTIONS, ruled, RULE)))
    return [effect_of(ruled, RULE)]


def _stock(state: CatanCardsState, ruled: Stock) -> list[Effect]:
    _demand_region(state, ruled.at)
    state.principalities[owner(ruled.at)].stocks[ruled.at] = ruled.stock
    return [Effect("stock.ruled", RULE, owner(ruled.at), (ruled.at,), ruled.stock)]


def _region(state: CatanCardsState, ruled: Region) -> list[Effect]:
    """The card that lay there goes where the other one came from, if that was the stack."""
    _demand_region(state, ruled.at)
    regions, land = state.principalities[owner(ruled.at)].regions, Land(ruled.resource, ruled.number)
    if land in state.lands:
        state.lands[state.lands.index(land)] = regions[ruled.at]
    regions[ruled.at] = land
    return [Effect("region.ruled", RULE, owner(ruled.at), (ruled.at, str(land)))]


def _token(state: CatanCardsState, ruled: Token) -> list[Effect]:
    _demand_begun(state)
    if ruled.seat is not None:
        demand_seat(ruled.seat, 2, RULE)
    token = TOKENS.index(ruled.token)
    before, words = state.tokens[token], f"{ruled.token} token"
    if before == ruled.seat:
        raise ImpossibleError(f"the {words} is there already", RULE)
    sums = strength if ruled.token == "knight" else commerce  # noqa: S105  a token of wood
    state.ruled[token] = (sums(state, 0), sums(state, 1))
    state.tokens[token] = ruled.seat
    if before is not None:
        score(state, before, -1, ruled.token, RULE, f"{words} lost")
    if ruled.seat is not None:
        score(state, ruled.seat, 1, ruled.token, RULE, f"{words} gained")
    return [Effect("token.ruled", RULE, ruled.seat, (words,))]


# Cards


def _card(state: CatanCardsState, ruled: MoveCard) -> list[Effect]:
    _demand_begun(state)
    _demand_move(state, ruled)
    _move(state, ruled)
    return [card_moved(ruled.card, ruled.source, ruled.to, _keeper(ruled), RULE)]


def _demand_move(state: CatanCardsState, ruled: MoveCard) -> None:
    demand_elsewhere(ruled.source, ruled.to, RULE)
    if "spent" in (ruled.source, ruled.to) and ruled.card is None:
        raise ImpossibleError("the cards that were used up lie open: say which one", RULE)
    if _stack(ruled.source) and _stack(ruled.to) and ruled.card:
        raise ImpossibleError("from stack to stack a card goes unseen", RULE)
    _demand_there(state, ruled.source, ruled.card)


def _demand_there(state: CatanCardsState, pile: str, card: str | None) -> None:
    """Make sure that the card can be in the pile that it is to come from."""
    if pile == "spent":
        if card not in state.spent:
            raise ImpossibleError(f"{card} was not used up", RULE)
    elif number := _stack(pile):
        if not state.stacks[number - 1].size:
            raise ImpossibleError(f"{pile} is empty", RULE)
        if card:
            demand_free(state, card, state.stacks[number - 1].named())
    elif card:
        demand_held(state, _HANDS[pile], [card])
    elif not len(state.hands[_HANDS[pile]]):
        raise ImpossibleError(f"{name(_HANDS[pile])} has no card in hand", RULE)


def _move(state: CatanCardsState, ruled: MoveCard) -> None:
    """Move the card with what is known of it: between a hand and a stack it stays that player's secret."""
    source, to, card = ruled.source, ruled.to, ruled.card
    if (holder := _keeper(ruled)) is not None:
        hand = state.hands[holder]
        if number := _stack(to):
            hand.give_unseen(1, [card] if card else [])
            state.stacks[number - 1].put((holder,), card)
        else:
            state.stacks[_stack(source) - 1].take((holder,), card, top=False)
            hand.take(card)
    elif source.startswith("hand") and to.startswith("hand") and card is None:
        state.hands[_HANDS[to]].put(state.hands[_HANDS[source]].hand_over(None, secret=False))
    else:
        _take_openly(state, source, card)
        _put_openly(state, to, card)


def _take_openly(state: CatanCardsState, pile: str, card: str | None) -> None:
    if number := _stack(pile):
        state.stacks[number - 1].take((0, 1), card, top=False)
    elif card and pile == "spent":
        state.spent.remove(card)
    elif card:
        state.hands[_HANDS[pile]].give(card)


def _put_openly(state: CatanCardsState, pile: str, card: str | None) -> None:
    if number := _stack(pile):
        state.stacks[number - 1].put((), None)
    elif card and pile == "spent":
        state.spent.append(card)
    else:
        state.hands[_HANDS[pile]].take(card, open=True)


def _stack(pile: str) -> int:
    """The number of a stack; 0 for what is none."""
    return int(pile[-1]) if pile.startswith("stack") else 0


def _keeper(ruled: MoveCard) -> int | None:
    return keeper(_HANDS, ("spent",), (ruled.source, ruled.to))


def _expansion(state: CatanCardsState, ruled: Expansion) -> list[Effect]:
    _demand_begun(state)
    own = state.principalities[owner(ruled.at)]
    if ruled.at[1] not in own.line:
        raise ImpossibleError(f"{ruled.at} is no site of {name(owner(ruled.at))}", RULE)
    lies = own.sites.get(ruled.at)
    if lies:
        if ruled.card not in (None, lies):
            raise ImpossibleError(f"{lies} lies at {ruled.at}, not {ruled.card}", RULE)
        take_off(state, ruled.at, RULE)
        _put_openly(state, ruled.pile, lies)
        return [Effect("expansion.moved", RULE, owner(ruled.at), (lies, f"{ruled.at} → {ruled.pile}"))]
    if ruled.card is None or ruled.card in ACTIONS:
        raise ImpossibleError(f"{ruled.at} is free: say which expansion goes there", RULE)
    _demand_there(state, ruled.pile, ruled.card)
    _take_openly(state, ruled.pile, ruled.card)
    own.sites[ruled.at] = ruled.card
    score_building(state, owner(ruled.at), ruled.card, 1, RULE, f"{ruled.card} at {ruled.at[1:]}")
    return [Effect("expansion.moved", RULE, owner(ruled.at), (ruled.card, f"{ruled.pile} → {ruled.at}"))]


# The line

_SUPPLIES = {None: (), "road": ("road",), "settlement": ("settlement",), "city": ("settlement", "city")}
"""What each place of a line takes from the supply: a city's settlement stays underneath (catan_cards:44)."""
_WORTH = {"settlement": 1, "city": 2}


def _line(state: CatanCardsState, ruled: Line) -> list[Effect]:
    """A line grows and shrinks at its ends only; its regions come and go with its settlements."""
    demand_seat(ruled.seat, 2, RULE)
    _demand_begun(state)
    demand_regions_laid(state, RULE)
    own, card = state.principalities[ruled.seat], ruled.card
    lies = own.lying(ruled.at)
    if lies == card or (lies and card and "road" in (lies, card)):
        raise ImpossibleError(f"in column {ruled.at} lies {lies or 'nothing'}", RULE)
    if {lies, card} == {"settlement", "city"}:
        _demand_sites(own, ruled.at, card)
    elif card:
        _demand_next(state, own, ruled)
    else:
        _demand_last(own, ruled.at)
    left = Count(state.supply) + Count(_SUPPLIES[lies])
    for thing in _SUPPLIES[card]:
        if not left[thing]:
            raise ImpossibleError(f"no {thing} is left", RULE)
        left[thing] -= 1
    state.supply = {thing: left[thing] for thing in state.supply}
    _replace(state, own, ruled, lies)
    words = f"{lies or 'nothing'} → {card or 'nothing'} in column {ruled.at}"
    if more := _WORTH.get(card or "", 0) - _WORTH.get(lies or "", 0):
        score(state, ruled.seat, more, "city" if "city" in (lies, card) else "settlement", RULE, words)
    return [Effect("line.ruled", RULE, ruled.seat, (words,))]


def _demand_sites(own: Principality, letter: str, card: str | None) -> None:
    """Make sure that what lies on the sites can lie beside a settlement, if there is to be one."""
    for site, lies in own.sites.items():
        if card == "settlement" and site[1] == letter and (site[3] == "2" or lies in RED):
            raise ImpossibleError(f"{lies} at {site} is for a city: move it first", RULE)


def _demand_next(state: CatanCardsState, own: Principality, ruled: Line) -> None:
    """Make sure that the line goes on in this column, and with such a card."""
    right = offset(ruled.at) > 0
    following = own.end(right=right) + (2 if own.open_road(right=right) else 1) * (1 if right else -1)
    if offset(ruled.at) != following:
        raise ImpossibleError(f"the line goes on in column {column(following)}, not {ruled.at}", RULE)
    if (ruled.card == "road") == own.open_road(right=right):
        raise ImpossibleError(f"no {ruled.card} lies in column {ruled.at}: roads part settlements", RULE)
    if ruled.card != "road":
        demand_going_on(state.outcome, RULE)  # its regions would have to be laid


def _demand_last(own: Principality, letter: str) -> None:
    """Make sure that the card in this column is the last of the line, alone, and not one that all begin with."""
    if letter in "lmn" or offset(letter) != own.last(right=offset(letter) > 0):
        raise ImpossibleError("only the last card of a line goes, and never those that all begin with", RULE)
    for site, lies in own.sites.items():
        if site[1] == letter:
            raise ImpossibleError(f"{lies} lies at {site}: move it first", RULE)


def _replace(state: CatanCardsState, own: Principality, ruled: Line, lies: str | None) -> None:
    """Change the line. A settlement that comes waits for its regions; those of one that goes return to their stack."""
    right = offset(ruled.at) > 0
    if "road" in (lies, ruled.card):
        (own.roads.append if ruled.card else own.roads.remove)(ruled.at)
        return
    if ruled.card:
        own.line[ruled.at] = ruled.card
        if not lies:
            beyond = column(offset(ruled.at) + (1 if right else -1))
            state.pending.insert(0, Pending("regions", ruled.seat, "catan_cards:43", column=beyond))
        return
    del own.line[ruled.at]
    beyond = column(offset(ruled.at) + (1 if right else -1))
    for place in [place for place in own.regions if place[1] == beyond]:
        del own.stocks[place]
        land = own.regions.pop(place)
        if state.box.lands().count(land) > state.lands.count(land):
            state.lands.append(land)


def seen_adjustment(adjustment: Adjustment, viewpoint: Viewpoint) -> Adjustment:
    """The adjustment as it looked from there: without a card that only the one who held it saw."""
    if isinstance(adjustment, MoveCard):
        return without_card(adjustment, _keeper(adjustment), viewpoint)
    return adjustment


def _demand_begun(state: CatanCardsState) -> None:
    if state.phase in ("start", "lay", "pick") or not all(state.picked):
        raise ImpossibleError("the first cards have not been picked yet", RULE)


def _demand_region(state: CatanCardsState, place: str) -> None:
    _demand_begun(state)
    if state.land(place) is None:
        raise ImpossibleError(f"no region lies at {place}", RULE)


_ADJUST: dict[type[Adjustment], Callable[[CatanCardsState, Any], list[Effect]]] = {
    Points: _points,
    Turn: _turn,
    Resign: _resign,
    Adjudge: _adjudge,
    Switch: _switch,
    Stock: _stock,
    Region: _region,
    Token: _token,
    MoveCard: _card,
    Expansion: _expansion,
    Line: _line,
}
