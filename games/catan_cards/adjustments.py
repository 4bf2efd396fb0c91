"""The changes that a ruling makes on the table, regardless of the rules. Consequences follow from the rules."""

from __future__ import annotations

from collections import Counter
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
    require_going_on,
    require_seat,
    sentences_of,
)
from games.catan_cards.components import ACTIONS, RED, STORE, Land, Number, Resource
from games.catan_cards.moves.base import Card, Column, Place, Site
from games.catan_cards.principality import column, offset, owner
from games.catan_cards.scoring import TOKENS, commerce, put_on, score, strength, take_off
from games.catan_cards.stacks import HANDS, OPEN, STACK_PILES
from games.catan_cards.steps import Pending
from games.catan_cards.turns import proceed
from games.contract import Adjustment, Effect
from games.errors import ImpossibleError
from games.knowledge import SEARCHED

if TYPE_CHECKING:
    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState

RULE = "catan_cards:RULING"

Pile = Literal["hand-1", "hand-2", "stack-1", "stack-2", "stack-3", "stack-4", "stack-5", "spent"]
"""A hand, a stack of expansion cards, or the used cards."""
_HANDS = {hand: seat for seat, hand in enumerate(HANDS)}
_STACKS = {pile: number for number, pile in enumerate(STACK_PILES)}


class TableAdjustment(Adjustment, frozen=True, kw_only=True):
    """A change on the table while turns are played. Each kind implements `execute`."""

    def apply(self, state: CatanCardsState) -> list[Effect]:
        """Make the change and its automatic consequences. Raises `ImpossibleError` before the first turn."""
        state.require_picked()
        return self.execute(state) + proceed(state)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Make the change without its automatic consequences."""
        raise NotImplementedError


class Stock(TableAdjustment, frozen=True, kw_only=True, tag="stock"):
    """A region holds this number of resources."""

    at: Place
    stock: Annotated[int, msgspec.Meta(ge=0, le=STORE)]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Set the stock. Raises `ImpossibleError` without a region there."""
        own = _demand_region(state, self.at)
        own.stocks[self.at] = self.stock
        return [Effect("stock.ruled", RULE, owner(self.at), (self.at,), self.stock)]


class Region(TableAdjustment, frozen=True, kw_only=True, tag="region"):
    """Another region card lies at a place. What it holds stays."""

    at: Place
    resource: Resource
    number: Number

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Replace the region. If the new card is in the region stack, the old one takes its place there."""
        own, land = _demand_region(state, self.at), Land(self.resource, self.number)
        if land in state.lands:
            state.lands[state.lands.index(land)] = own.regions[self.at]
        own.regions[self.at] = land
        return [Effect("region.ruled", RULE, owner(self.at), (self.at, str(land)))]


def _demand_region(state: CatanCardsState, place: str) -> Principality:
    """The principality of a region. Raises `ImpossibleError` without a region there."""
    own = state.principalities[owner(place)]
    if place not in own.regions:
        raise ImpossibleError("no region lies at {place}", RULE, place=place)
    return own


class Token(TableAdjustment, frozen=True, kw_only=True, tag="token"):
    """A token goes to a seat, or to nobody, until the sums that it follows from change."""

    token: Literal["knight", "windmill"]
    seat: SeatNumber | None = None

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Move the token and its point. Raises `ImpossibleError` if it is there already."""
        if self.seat is not None:
            require_seat(self.seat, state.seats, RULE)
        token = TOKENS.index(self.token)
        before, words = state.tokens[token], f"{self.token} token"
        if before == self.seat:
            raise ImpossibleError("the {words} is there already", RULE, words=words)
        sums = strength if self.token == "knight" else commerce  # noqa: S105  a token of wood
        state.ruled[token] = (sums(state, 0), sums(state, 1))
        state.tokens[token] = self.seat
        if before is not None:
            score(state, before, -1, self.token, RULE, f"{words} lost")
        if self.seat is not None:
            score(state, self.seat, 1, self.token, RULE, f"{words} gained")
        return [Effect("token.ruled", RULE, self.seat, (words,))]


class MoveCard(CardMove, TableAdjustment, frozen=True, kw_only=True, tag="card"):
    """An expansion card goes from one pile to another. None is an unknown card."""

    holders, shown = _HANDS, ("spent",)

    source: Pile = msgspec.field(name="from")
    to: Pile
    card: Card | None = None

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Move the card. Raises `ImpossibleError` if it cannot be in the source, or cannot go to the target."""
        require_elsewhere(self.source, self.to, RULE)
        if "spent" in (self.source, self.to) and self.card is None:
            raise ImpossibleError("the cards that were used up lie open: say which one", RULE)
        if self.source in _STACKS and self.to in _STACKS and self.card:
            raise ImpossibleError("from stack to stack a card goes unseen", RULE)
        _demand_there(state, self.source, self.card)
        self._move(state)
        if self.card:
            state.correct_stacks((0, 1), [self.card])
        return [self.moved_effect(RULE)]

    def _move(self, state: CatanCardsState) -> None:
        """Move the card with the knowledge of it. Between a hand and a stack it stays that player's secret."""
        source, to, card, holder = self.source, self.to, self.card, self.informed_seat
        if holder is not None and to in _STACKS:
            state.put_under(holder, _STACKS[to] + 1, (holder,), (card,))
        elif holder is not None:
            state.draw(holder, _STACKS[source] + 1, card, top=False)
        elif source in _HANDS and to in _HANDS and card is None:
            _tell(state, source, to, None)
            state.hands[_HANDS[to]].add_hand(state.hands[_HANDS[source]].give_one(None, secret=False))
        else:
            _tell(state, source, to, card)
            _take_openly(state, source, card)
            _put_openly(state, to, card)


class Expansion(TableAdjustment, frozen=True, kw_only=True, tag="expansion"):
    """A card of a pile is put on a free site; or the one that lies there goes to the pile."""

    at: Site
    pile: Pile
    card: Card | None = None

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Put the card on the site or take it off. Raises `ImpossibleError` if the site or the pile does not fit."""
        seat, card = owner(self.at), self.card
        own = state.principalities[seat]
        if self.at[1] not in own.line:
            raise ImpossibleError("{at} is no site of {name}", RULE, at=self.at, name=state.seat_name(seat))
        if lies := own.sites.get(self.at):
            if card not in (None, lies):
                raise ImpossibleError("{lies} lies at {at}, not {card}", RULE, lies=lies, at=self.at, card=card)
            take_off(state, self.at, RULE)
            _tell(state, "spent", self.pile, lies)
            _put_openly(state, self.pile, lies)
            moved, way = lies, f"{self.at} → {self.pile}"
        else:
            if card is None or card in ACTIONS:
                raise ImpossibleError("{at} is free: say which expansion goes there", RULE, at=self.at)
            _demand_there(state, self.pile, card)
            _tell(state, self.pile, "spent", card)
            _take_openly(state, self.pile, card)
            put_on(state, self.at, card, RULE)
            moved, way = card, f"{self.pile} → {self.at}"
        if card:
            state.correct_stacks((0, 1), [card])
        return [Effect("expansion.moved", RULE, seat, (moved, way))]


def _demand_there(state: CatanCardsState, pile: str, card: str | None) -> None:
    """Require that a card can be in its source. Raises `ImpossibleError`."""
    if pile == "spent":
        if card not in state.spent:
            raise ImpossibleError("{card} was not used up", RULE, card=card)
    elif pile in _STACKS:
        stack = state.stacks[_STACKS[pile]]
        if not stack.size:
            raise ImpossibleError("{pile} is empty", RULE, pile=pile)
        if card and card not in stack.known_cards():
            state.require_copies([card])
    elif card:
        state.require_hand(_HANDS[pile], [card])
    elif not len(state.hands[_HANDS[pile]]):
        error = ImpossibleError("{name} has no card in hand", RULE, name=state.seat_name(_HANDS[pile]))
        raise error.shown_by(state.evidence().of_last_change(pile))


def _tell(state: CatanCardsState, source: str, to: str, card: str | None) -> None:
    """Record the sighting that a ruling gives. Built and used cards are in the same place, `OPEN`."""
    place, target = (OPEN if pile == "spent" else pile for pile in (source, to))
    state.show_move(SEARCHED + place if place in STACK_PILES else place, target, card)


def _take_openly(state: CatanCardsState, pile: str, card: str | None) -> None:
    if pile in _STACKS:
        stack = state.stacks[_STACKS[pile]]
        stack.follow(None, card, top=False)
        stack.take((0, 1), card, top=False)
    elif card and pile == "spent":
        state.spent.remove(card)
    elif card:
        state.give(_HANDS[pile], [card])


def _put_openly(state: CatanCardsState, pile: str, card: str | None) -> None:
    if pile in _STACKS:
        state.put_under_unseen(_STACKS[pile] + 1)
    elif card and pile == "spent":
        state.spent.append(card)
    else:
        state.hands[_HANDS[pile]].take(card, open=True)


_SUPPLIES = {None: (), "road": ("road",), "settlement": ("settlement",), "city": ("settlement", "city")}
"""The supply that each card of a line takes: a city's settlement stays underneath (catan_cards:44)."""
_WORTH = {"settlement": 1, "city": 2}


class PrincipalityLine(TableAdjustment, frozen=True, kw_only=True, tag="line"):
    """A column of a player's line gets a road, a settlement or a city, or becomes empty."""

    seat: SeatNumber
    at: Column
    card: Literal["road", "settlement", "city"] | None = None

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Change an end of the line. Regions come and go with settlements. Raises `ImpossibleError` elsewhere."""
        require_seat(self.seat, state.seats, RULE)
        state.require_regions_laid()
        own, card = state.principalities[self.seat], self.card
        lies = own.card_at(self.at)
        if lies == card or (lies and card and "road" in (lies, card)):
            raise ImpossibleError("in column {at} lies {value}", RULE, at=self.at, value=lies or "nothing")
        if {lies, card} == {"settlement", "city"}:
            self._demand_sites(own)
        elif card:
            self._demand_next(state, own)
        else:
            self._demand_last(own)
        left = Counter(state.supply) + Counter(_SUPPLIES[lies])
        for thing in _SUPPLIES[card]:
            if not left[thing]:
                raise ImpossibleError("no {thing} is left", RULE, thing=thing)
            left[thing] -= 1
        state.supply = {thing: left[thing] for thing in state.supply}
        self._replace(state, own, lies)
        words = f"{lies or 'nothing'} → {card or 'nothing'} in column {self.at}"
        if more := _WORTH.get(card or "", 0) - _WORTH.get(lies or "", 0):
            score(state, self.seat, more, "city" if "city" in (lies, card) else "settlement", RULE, words)
        return [Effect("line.ruled", RULE, self.seat, (words,))]

    @property
    def _right(self) -> bool:
        """Whether the column is right of the middle."""
        return offset(self.at) > 0

    def _demand_sites(self, own: Principality) -> None:
        """Require that a city that becomes a settlement has no red cards and no second sites in use."""
        for site, lies in own.sites.items():
            if self.card == "settlement" and site[1] == self.at and (site[3] == "2" or lies in RED):
                raise ImpossibleError("{lies} at {site} is for a city: move it first", RULE, lies=lies, site=site)

    def _demand_next(self, state: CatanCardsState, own: Principality) -> None:
        """Require that the line can be extended in this column, and by this kind of card."""
        is_open = own.open_road(right=self._right)
        following = own.edge(right=self._right) + (2 if is_open else 1) * (1 if self._right else -1)
        if offset(self.at) != following:
            raise ImpossibleError(
                "the line goes on in column {column}, not {at}", RULE, column=column(following), at=self.at
            )
        if (self.card == "road") == is_open:
            raise ImpossibleError(
                "no {card} lies in column {at}: roads part settlements", RULE, card=self.card, at=self.at
            )
        if self.card != "road":
            require_going_on(state.ending, RULE)  # its regions would have to be laid

    def _demand_last(self, own: Principality) -> None:
        """Require that the card is the last of the line, has no expansions, and is not a starting card."""
        if self.at in "lmn" or offset(self.at) != own.last(right=self._right):
            raise ImpossibleError("only the last card of a line goes, and never those that all begin with", RULE)
        for site, lies in own.sites.items():
            if site[1] == self.at:
                raise ImpossibleError("{lies} lies at {site}: move it first", RULE, lies=lies, site=site)

    def _replace(self, state: CatanCardsState, own: Principality, lies: str | None) -> None:
        """Change the line. A new settlement waits for its regions; those of a removed one return to the stack."""
        beyond = column(offset(self.at) + (1 if self._right else -1))
        if "road" in (lies, self.card):
            (own.roads.append if self.card else own.roads.remove)(self.at)
        elif self.card:
            own.line[self.at] = self.card
            if not lies:
                state.pending.insert(0, Pending("regions", self.seat, "catan_cards:43", column=beyond))
        else:
            del own.line[self.at]
            for place in [place for place in own.regions if place[1] == beyond]:
                del own.stocks[place]
                land = own.regions.pop(place)
                if state.box.lands().count(land) > state.lands.count(land):
                    state.lands.append(land)


ADJUSTMENTS = (Points, Turn, Resign, Adjudge, Switch, Stock, Region, Token, MoveCard, Expansion, PrincipalityLine)

RULED = sentences_of(ADJUSTMENTS) | {
    "stock.ruled": "The referee set {at} to {count}",
    "region.ruled": "The referee set {at}",
    "token.ruled": "The referee moved the {at}",
    "expansion.moved": "The referee moved {at}",
    "line.ruled": "The referee changed the line of {seat}: {at}",
}
"""The kinds of effect that only rulings have, and the sentences they read as."""
