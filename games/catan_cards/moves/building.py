"""Building: roads, settlements with their regions, cities, and expansions; and tearing down."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar

from games.catan_cards.components import ACTIONS, KNIGHTS, RED, RESOURCES, Land
from games.catan_cards.moves.base import NUMBERS, Card, Centre, FreeMove, Places, SeatMove, Side, Site
from games.catan_cards.payments import can_pay, cost_of, cost_words, first_ways, income_of, tally, ways_to_pay
from games.catan_cards.principality import SIDES, column, owner
from games.catan_cards.resources import pay, resource
from games.catan_cards.scoring import put_on, score, take_off
from games.catan_cards.stacks import HANDS, OPEN
from games.catan_cards.steps import Due, Pending, step_breach
from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState


class Road(FreeMove, frozen=True, kw_only=True, tag="road"):
    """A road is built at one end of the principality."""

    wrong_step_rule = Sentence("building comes after the dice and what they bring")

    side: Side
    pay: Places = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A road at each end without an open road, with each of the first ways to pay."""
        for side, payment in _ways(state, "road", after_road=False):
            yield cls(seat=state.active, side=side, pay=payment)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if a road lies there already, or if the payment is wrong."""
        if _is_open(state, self.seat, self.side):
            yield RuleBrokenError(
                "catan_cards:42", "a road lies on the {side}, and no road is next to a road", side=self.side
            )
        yield from _wrong_cost(state, self.seat, "road", self.pay)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Build a road. Against catan_cards:42, a second one leaves a place for a settlement before it."""
        own = _demand_line(state, self.seat)
        letter = own.next_road(right=self.side == "right")
        if letter is None:
            raise ImpossibleError("no column is left on the {side}", "catan_cards:42", side=self.side)
        effects = _buy(state, self.seat, "road", self.pay)
        own.roads.append(letter)
        return [*effects, Effect("road.built", "catan_cards:42", self.seat, (letter,))]


class Settle(FreeMove, frozen=True, kw_only=True, tag="settle"):
    """A settlement is built at the open end of a road."""

    wrong_step_rule = Sentence("building comes after the dice and what they bring")

    side: Side
    pay: Places = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A settlement at each open road, with each of the first ways to pay."""
        for side, payment in _ways(state, "settlement", after_road=True):
            yield cls(seat=state.active, side=side, pay=payment)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if no road leads there, or if the payment is wrong."""
        if not _is_open(state, self.seat, self.side):
            yield RuleBrokenError("catan_cards:43", "no road is open on the {side}", side=self.side)
        yield from _wrong_cost(state, self.seat, "settlement", self.pay)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Build a settlement. It counts before its regions are drawn (catan_cards:Q45).

        Without a road, against catan_cards:43, it takes the same place as with one.
        """
        own, right = _demand_line(state, self.seat), self.side == "right"
        effects = _buy(state, self.seat, "settlement", self.pay)
        x, outwards = own.edge(right=right), 1 if right else -1
        letter, beyond = column(x + 2 * outwards), column(x + 3 * outwards)
        own.line[letter] = "settlement"
        score(state, self.seat, 1, "settlement", "catan_cards:61", f"settlement {letter}")
        state.pending.insert(0, Pending("regions", self.seat, "catan_cards:43", column=beyond))
        return [*effects, Effect("settlement.built", "catan_cards:43", self.seat, (letter,))]


def _ways(state: CatanCardsState, piece: str, *, after_road: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The ends with or without an open road, each with the ways to pay for a `piece` there."""
    own = state.principalities[state.active]
    sides = [side for side in ("left", "right") if own.open_road(right=side == "right") == after_road]
    for side in sides if sides and _affords(state, piece) else ():
        for payment in _payments(state, piece):
            yield side, payment


def _is_open(state: CatanCardsState, seat: int, side: str) -> bool:
    """Whether an end of a laid principality has an open road."""
    own = state.principalities[seat]
    return bool(own.line) and own.open_road(right=side == "right")


class Regions(SeatMove, frozen=True, kw_only=True, tag="regions"):
    """The two regions that a new settlement brings."""

    steps: ClassVar[tuple[Due, ...]] = ("regions",)
    wrong_step_rule = Sentence("regions are laid after a settlement, one after the other")

    up: Land
    down: Land

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """Each ordered pair of regions in the stack; without enough of them, each pair of possible regions."""
        lands = state.lands
        if len(lands) < 2:
            lands = [Land(kind, number) for kind in RESOURCES for number in NUMBERS]
        for up, down in dict.fromkeys(permutations(lands, 2)):
            yield cls(seat=state.pending[0].seat, up=up, down=down)

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move with gaps for two regions, because the box's list of regions can be wrong."""
        if state.due == "regions":
            gap: Any = None
            yield cls(seat=state.pending[0].seat, up=gap, down=gap)

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:  # noqa: ARG002
        """The blanks for the regions of an entry with gaps."""
        printed = tuple(f"{resource}{number}" for resource in RESOURCES for number in NUMBERS)
        lands: tuple[Land | None, ...] = (self.up, self.down)
        return tuple(Blank(self.seat, printed) for land in lands if land is None)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if another pending task comes first."""
        waiting = state.pending_choice("regions", self.seat)
        if waiting and waiting.seat == self.seat and waiting != state.pending[0]:
            yield step_breach(state, self.wrong_step_rule)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Lay the regions. An effect marks each one that is not in the stack by the box's list."""
        first = self.require_own_choice(state, "regions")
        own, effects = state.principalities[self.seat], []
        state.drop_choice(first)
        for side, land in zip(SIDES, (self.up, self.down), strict=True):
            place = f"{self.seat + 1}{first.column}{side}"
            own.regions[place], own.stocks[place] = land, 0
            effects.append(Effect("region.added", "catan_cards:43", self.seat, (place, str(land))))
            if land in state.lands:
                state.lands.remove(land)
            else:
                effects.append(Effect("region.unlisted", "catan_cards:13", at=(str(land),)))
        if state.scouted:
            state.scouted = False
            effects.append(Effect("regions.shuffled", "catan_cards:71"))
        return effects


class City(FreeMove, frozen=True, kw_only=True, tag="city"):
    """A city is built on a settlement."""

    builds: ClassVar[bool] = True
    wrong_step_rule = Sentence("building comes after the dice and what they bring")

    at: Centre
    pay: Places = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A city on each settlement, with each of the first ways to pay."""
        line = state.principalities[state.active].line
        settlements = [letter for letter, centre in line.items() if centre == "settlement"]
        for payment in _payments(state, "city") if settlements and _affords(state, "city") else ():
            for letter in settlements:
                yield cls(seat=state.active, at=letter, pay=payment)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if the payment is wrong."""
        return _wrong_cost(state, self.seat, "city", self.pay)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Replace a settlement with a city. Raises `ImpossibleError` without a settlement there."""
        own = _demand_line(state, self.seat)
        if own.line.get(self.at) != "settlement":
            raise ImpossibleError("no settlement to build on lies in column {at}", "catan_cards:44", at=self.at)
        effects = _buy(state, self.seat, "city", self.pay)
        own.line[self.at] = "city"
        score(state, self.seat, 1, "city", "catan_cards:61", f"city {self.at} on its settlement")
        return [*effects, Effect("city.built", "catan_cards:44", self.seat, (self.at,))]


class Build(FreeMove, frozen=True, kw_only=True, tag="build"):
    """An expansion is built on a site."""

    builds: ClassVar[bool] = True
    wrong_step_rule = Sentence("building comes after the dice and what they bring")

    card: Card
    at: Site
    pay: Places = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """Each expansion that the hand can hold and the regions can pay, on each free site; red ones at cities only."""
        for card in cls.cards(state):
            yield from cls.ways_to_build(state, card)

    @classmethod
    def cards(cls, state: CatanCardsState) -> list[str]:
        """The expansions that can be built, in the order of the box."""
        seat = state.active
        own, hand = state.principalities[seat], state.hands[seat]
        printed = state.box.cards
        can_be = printed if hand.unknown else filter(set(hand.known).__contains__, printed)
        held = own.holdings()
        cards = [card for card in can_be if card not in ACTIONS and can_pay(held, printed[card].cost)]
        sites = {red: _free_sites(own, seat, cities=red) for red in {card in RED for card in cards}}
        return [card for card in cards if sites[card in RED] and state.may_hold(seat, card)]

    @classmethod
    def ways_to_build(cls, state: CatanCardsState, card: str) -> Iterator[Self]:
        """Each site and payment for one expansion."""
        seat = state.active
        own = state.principalities[seat]
        payments = list(first_ways(ways_to_pay(own, state.box.cards[card].cost)))
        for site in _free_sites(own, seat, cities=card in RED):
            for payment in payments:
                yield cls(seat=seat, card=card, at=site, pay=payment)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of red cards or second sites at a settlement, and of a wrong payment."""
        breaches = []
        if state.principalities[self.seat].line.get(self.at[1]) == "settlement":
            if self.card in RED:
                breaches.append(RuleBrokenError("catan_cards:46", "{card} is for cities only", card=self.card))
            if self.at[3] == "2":
                breaches.append(RuleBrokenError("catan_cards:6", "a settlement has one site above and one below"))
        return breaches if self.card in ACTIONS else [*breaches, *_wrong_cost(state, self.seat, self.card, self.pay)]

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The expansion, from the player's hand."""
        return [(self.seat, (self.card,))]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Pay and build. Raises `ImpossibleError` if the site is not free, or if the hand cannot hold the card."""
        own = _demand_line(state, self.seat)
        if owner(self.at) != self.seat or self.at[1] not in own.line:
            raise ImpossibleError(
                "{at} is no site of {name}", "catan_cards:6", at=self.at, name=state.seat_name(self.seat)
            )
        if self.at in own.sites:
            raise ImpossibleError("{site} lies at {at}", "catan_cards:45", site=own.sites[self.at], at=self.at)
        if self.card in ACTIONS:
            raise ImpossibleError("{card} is an action, and nothing to build", "catan_cards:50", card=self.card)
        state.require_hand(self.seat, (self.card,))
        effects = pay(state, self.seat, self.pay)
        state.give(self.seat, (self.card,))
        state.told.append((state.version, (HANDS[self.seat], OPEN, (self.card,), None)))
        rule = _RULES.get(self.card, "catan_cards:46" if self.card in RED else "catan_cards:45")
        put_on(state, self.at, self.card, rule)
        return [*effects, Effect("expansion.built", rule, self.seat, (self.card, self.at))]


class Demolish(FreeMove, frozen=True, kw_only=True, tag="demolish"):
    """An own expansion is torn down."""

    builds: ClassVar[bool] = True
    wrong_step_rule = Sentence("building comes after the dice and what they bring")

    at: Site

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """Each expansion without points, if no site is free. Others can be typed."""
        own = state.principalities[state.active]
        if state.options.demolish and not _free_sites(own, state.active, cities=False):
            for site, card in own.sites.items():
                if not state.box.cards[card].points:
                    yield cls(seat=state.active, at=site)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if the option `demolish` is off."""
        if not state.options.demolish:
            yield RuleBrokenError("catan_cards:Q52", "what is built stays")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Remove the expansion. Raises `ImpossibleError` without one there."""
        if owner(self.at) != self.seat or self.at not in state.principalities[self.seat].sites:
            raise ImpossibleError(
                "no card of {name} lies at {at}", "catan_cards:Q52", name=state.seat_name(self.seat), at=self.at
            )
        card = take_off(state, self.at, "catan_cards:Q52")
        state.spent.append(card)
        return [Effect("expansion.demolished", "catan_cards:Q52", self.seat, (card, self.at))]


# Payments


def _affords(state: CatanCardsState, thing: str) -> bool:
    """Whether the supply has a card left, and the active player can pay for it."""
    own = state.principalities[state.active]
    return state.supply[thing] > 0 and can_pay(own.holdings(), cost_of(state, thing))


def _payments(state: CatanCardsState, thing: str) -> Iterator[tuple[str, ...]]:
    """The first few ways in which the active player can pay for a thing."""
    return first_ways(ways_to_pay(state.principalities[state.active], cost_of(state, thing)))


def _wrong_cost(state: CatanCardsState, seat: int, thing: str, places: Sequence[str]) -> Sequence[RuleBrokenError]:
    cost = cost_of(state, thing)
    if income_of(state.principalities[seat], places) == cost:
        return ()
    given = cost_words(tally([resource(state, place) or place for place in places]))
    return [
        RuleBrokenError(
            "catan_cards:41",
            "{thing} costs {cost_words}, not {given}",
            thing=thing,
            cost_words=cost_words(cost),
            given=given,
        )
    ]


def _demand_line(state: CatanCardsState, seat: int) -> Principality:
    """The principality of a player. Raises `ImpossibleError` before it is laid."""
    own = state.principalities[seat]
    if not own.line:
        raise ImpossibleError("{name} has laid no principality", "catan_cards:11", name=state.seat_name(seat))
    return own


def _buy(state: CatanCardsState, seat: int, thing: str, places: Sequence[str]) -> list[Effect]:
    """Take a card from the supply, and its payment. Raises `ImpossibleError`."""
    if not state.supply[thing]:
        raise ImpossibleError("no {thing} is left", "catan_cards:49", thing=thing)
    effects = pay(state, seat, places)
    state.supply[thing] -= 1
    return effects


# Sites


def _free_sites(own: Principality, seat: int, *, cities: bool) -> list[str]:
    """A free site on each side of each settlement or city. Both sites of a city's side are equal, so one is enough."""
    free = []
    for letter, centre in own.line.items():
        if cities and centre != "city":
            continue
        for sites in _sides(seat, letter, centre):
            for site in sites:
                if site not in own.sites:
                    free.append(site)
                    break
    return free


@cache
def _sides(seat: int, letter: str, centre: str) -> tuple[tuple[str, ...], ...]:
    """The sites above and below a settlement or a city."""
    numbers = "12" if centre == "city" else "1"
    return tuple(tuple(f"{seat + 1}{letter}{side}{number}" for number in numbers) for side in SIDES)


_RULES = {
    "Abbey": "catan_cards:80",
    "Garrison": "catan_cards:81",
    "Grain Mill": "catan_cards:82",
    "Sawmill": "catan_cards:82",
    "Brick Factory": "catan_cards:82",
    "Foundry": "catan_cards:82",
    "Woolen Mill": "catan_cards:82",
    **dict.fromkeys(KNIGHTS, "catan_cards:83"),
    "Smithy": "catan_cards:84",
    "Brick Fleet": "catan_cards:85",
    "Gold Fleet": "catan_cards:85",
    "Grain Fleet": "catan_cards:85",
    "Lumber Fleet": "catan_cards:85",
    "Ore Fleet": "catan_cards:85",
    "Wool Fleet": "catan_cards:85",
    "Aqueduct": "catan_cards:86",
    "Bathhouse": "catan_cards:87",
    "Church": "catan_cards:88",
    "The Colossus of Catan": "catan_cards:89",
    "Harbor": "catan_cards:90",
    "Library": "catan_cards:91",
    "Marketplace": "catan_cards:92",
    "Counting House": "catan_cards:92",
    "Merchant Guild": "catan_cards:92",
    "Mint": "catan_cards:93",
    "Town Hall": "catan_cards:94",
}
"""The rule of each expansion."""
