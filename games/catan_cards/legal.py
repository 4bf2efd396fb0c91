"""Every move that breaks no rule, with what chance decides left open, and of many ways to pay the first few.

What nobody needs to be offered is not listed, and can be typed all the same: a trade with the opponent, which is a
matter between the two; tearing down where there is a free site, or what has points; turning a resource into the same.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, islice, permutations, product
from typing import TYPE_CHECKING

from games.catan_cards.components import (
    ACTIONS,
    COUNTERS,
    EVENTS,
    FACES,
    RED,
    RESOURCES,
    STORE,
    Land,
    Resource,
)
from games.catan_cards.moves import (
    Alchemist,
    Attack,
    Build,
    Caravan,
    CatanCardsMove,
    City,
    Confiscate,
    Counter,
    Demolish,
    Draw,
    Duel,
    End,
    Gain,
    Happen,
    Lay,
    Merchant,
    Pick,
    Regions,
    Return,
    Road,
    Roll,
    Scout,
    Settle,
    Skip,
    Spy,
    Start,
    Strike,
    Take,
    Trade,
)
from games.catan_cards.payments import able, any_ways, cost_of, offered, ordered, rate, search_price, ways
from games.catan_cards.rules import attackable, gate, sources, stealable
from games.catan_cards.state import SIDES, tally
from games.catan_cards.turns import other_stacks, reach, room_for, step, takeable, targets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.catan_cards.state import CatanCardsState, Pending, Principality

NUMBERS = (1, 2, 3, 4, 5, 6)


def legal_moves(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """Every legal move. Noting or showing what one holds is always allowed and never listed."""
    if state.pending:
        first = state.pending[0]
        yield from _PENDING[first.kind](state, first)
        return
    find = _LEGAL.get(step(state) or "")
    if find:
        yield from find(state)


def _starts(_: CatanCardsState) -> Iterator[CatanCardsMove]:
    for seat in (0, 1):
        yield Start(starts=seat)


def _lays(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    yield Lay(seat=state.active, regions=tuple(state.laid(state.active, [None] * 6)))


def _picks(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    for number, stack in enumerate(state.stacks, 1):
        if stack.size >= 3 and number not in state.picked:
            yield Pick(seat=state.active, stack=number)


def _rolls(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    numbers: tuple[int | None, ...] = (None,) if state.alchemist else NUMBERS
    for face in FACES:
        for number in numbers:
            yield Roll(seat=state.active, event=face, number=number)
    if not state.alchemist and can_play(state, state.active, "Alchemist"):
        for number in NUMBERS:
            yield Alchemist(seat=state.active, number=number)


def can_play(state: CatanCardsState, seat: int, card: str) -> bool:
    """Whether an action card can be in a hand, and can be played by now."""
    return state.can_hold(seat, card) and not any(gate(state))


# What is pending


def _events(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    top = state.events[0]
    for card in (top,) if top else EVENTS:
        if top or state.events.count(card) < state.box.events[card]:
            yield Happen(seat=first.seat, card=card)


def _gains(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    for place in state.principalities[first.seat].roomy():
        yield Gain(seat=first.seat, at=place)


def _takes(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    other = state.principalities[1 - first.seat]
    for place in takeable(state, first.seat):
        for store in room_for(state, first.seat, other.regions[place].resource):
            yield Take(seat=first.seat, at=place, to=store)


def _strikes(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    for site in targets(state, first):
        yield Strike(seat=first.seat, at=site)


def _confiscations(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    count = min(2, len(state.hands[1 - first.seat]))
    for number in range(1, len(state.stacks) + 1):
        yield Confiscate(seat=first.seat, stack=number, cards=(None,) * count)


def _gifts(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    for number in range(1, len(state.stacks) + 1):
        yield Return(seat=first.seat, stack=number)
    if state.options.master_builder_optional:
        yield Skip(seat=first.seat)


def _looks(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    for number in other_stacks(state):
        yield Draw(seat=first.seat, stack=number, search=True)


def _counters(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    yield Counter(seat=first.seat)
    if state.can_hold(first.seat, COUNTERS[first.card]):
        yield Counter(seat=first.seat, card=COUNTERS[first.card])


def _duels(_: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    for number in NUMBERS:
        yield Duel(seat=first.seat, number=number)


def _regions(state: CatanCardsState, first: Pending) -> Iterator[CatanCardsMove]:
    lands = state.lands
    if len(lands) < 2:  # the box's list is wrong, and any region can come
        lands = [Land(resource, number) for resource, number in product(RESOURCES, NUMBERS)]
    for up, down in dict.fromkeys(permutations(lands, 2)):
        yield Regions(seat=first.seat, up=up, down=down)
    if not state.scouted and state.can_hold(first.seat, "Scout"):
        yield Scout(seat=first.seat)


_PENDING: dict[str, Callable[[CatanCardsState, Pending], Iterator[CatanCardsMove]]] = {
    "event": _events,
    "gain": _gains,
    "take": _takes,
    "strike": _strikes,
    "confiscate": _confiscations,
    "give": _gifts,
    "look": _looks,
    "counter": _counters,
    "duel": _duels,
    "regions": _regions,
}


# The turn


def _excesses(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    for seat in reach(state):
        for number in range(1, len(state.stacks) + 1):
            yield Return(seat=seat, stack=number)


def _actions(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    yield from _builds(state)
    yield from _demolitions(state)
    yield from _cards(state)
    yield from _trades(state)
    yield from _refills(state)


def _refills(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """Draws as long as the hand is not full; then an exchange, or what is too many goes, or the end."""
    seat = state.active
    if not state.full(seat) and state.drawable():
        yield from _draws(state)
        return
    if state.full(seat):
        for number in range(1, len(state.stacks) + 1):
            yield Return(seat=seat, stack=number)
    yield End(seat=seat)


def _exchanges(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """A card for the one put away, if there is any."""
    yield from _draws(state)
    if not sources(state):
        yield End(seat=state.active)


def _draws(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    seat = state.active
    own, price = state.principalities[seat], search_price(state, seat)
    payments = list(offered(any_ways(own, price)))
    for number in sources(state):
        yield Draw(seat=seat, stack=number)
        for pay in payments:
            yield Draw(seat=seat, stack=number, search=True, pay=pay)


def _trades(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """Each kind of resource for one on each region with room, paid from the fullest regions."""
    own = state.principalities[state.active]
    for resource, held in own.totals().items():
        if not held or held < (price := rate(state, state.active, resource)):
            continue
        give = next(ways(own, {resource: price}))
        for place, stock in own.stocks.items():
            if stock < STORE and place not in give:
                yield Trade(seat=state.active, give=give, get=place)


def _builds(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """Roads and settlements at either end, and cities."""
    seat = state.active
    own = state.principalities[seat]
    held = own.totals()
    for side in ("left", "right"):
        if not own.open_road(right=side == "right"):
            for pay in _payments(state, own, held, "road"):
                yield Road(seat=seat, side=side, pay=pay)
        else:
            for pay in _payments(state, own, held, "settlement"):
                yield Settle(seat=seat, side=side, pay=pay)
    for pay in _payments(state, own, held, "city"):
        for letter, centre in own.line.items():
            if centre == "settlement":
                yield City(seat=seat, at=letter, pay=pay)


def _demolitions(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """What can be torn down to make room."""
    own = state.principalities[state.active]
    if state.options.demolish and not any(_sites(own, state.active, cities=False)):
        for site, card in own.sites.items():
            if not state.box.cards[card].points:
                yield Demolish(seat=state.active, at=site)


def _payments(
    state: CatanCardsState, own: Principality, held: Mapping[Resource, int], thing: str
) -> Iterator[tuple[str, ...]]:
    cost = cost_of(state, thing)
    if state.supply[thing] and able(held, cost):
        yield from offered(ways(own, cost))


def _cards(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """The cards of the hand that can be used."""
    yield from _expansions(state)
    if any(gate(state)):
        return
    seat = state.active
    for card in COUNTERS:
        if can_play(state, seat, card) and attackable(state, seat, card):
            yield Attack(seat=seat, card=card)
    if can_play(state, seat, "Caravan"):
        yield from _caravans(state)
    if can_play(state, seat, "Merchant"):
        yield from _merchants(state)
    if can_play(state, seat, "Spy") and len(state.hands[1 - seat]):
        if state.hands[1 - seat].unknown or stealable(state, seat):
            yield Spy(seat=seat)
        if not stealable(state, seat):
            yield Spy(seat=seat, taken=False)


def _expansions(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    seat = state.active
    own = state.principalities[seat]
    hand, held = state.hands[seat], own.totals()
    free = {True: list(_sites(own, seat, cities=True)), False: list(_sites(own, seat, cities=False))}
    for card, kind in state.box.cards.items():
        if card not in hand.known and not hand.unknown:
            continue
        if card in ACTIONS or not free[card in RED] or not able(held, kind.cost):
            continue
        if state.can_hold(seat, card):
            payments = list(offered(ways(own, kind.cost)))
            for site in free[card in RED]:
                for pay in payments:
                    yield Build(seat=seat, card=card, at=site, pay=pay)


def _sites(own: Principality, seat: int, *, cities: bool) -> Iterator[str]:
    """The free sites, one of each side of each settlement or city, as both sites of a city's side count the same."""
    for letter, centre in own.line.items():
        if cities and centre != "city":
            continue
        for sites in _sides(seat, letter, centre):
            for site in sites:
                if site not in own.sites:
                    yield site
                    break


@cache
def _sides(seat: int, letter: str, centre: str) -> tuple[tuple[str, ...], ...]:
    """The sites above and below a settlement or a city."""
    numbers = "12" if centre == "city" else "1"
    return tuple(tuple(f"{seat + 1}{letter}{side}{number}" for number in numbers) for side in SIDES)


def _caravans(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """Any two kinds of resources, or any one, for any others, from the fullest regions to the emptiest.

    What goes back to where it came from makes one of two, which is of use only where it has to be two.
    """
    seat, least = state.active, state.options.caravan_min
    own = state.principalities[seat]
    for count in range(least, 3):
        for give in _kinds(own, count):
            for kinds in combinations_with_replacement(RESOURCES, count):
                get = _stored(own, kinds, give, others=True) or (_stored(own, kinds, give) if least > 1 else None)
                if get and ordered(get) != give:
                    yield Caravan(seat=seat, give=give, get=ordered(get))


def _kinds(own: Principality, count: int) -> list[tuple[str, ...]]:
    """One way to give up each choice of so many kinds of resources, from the fullest regions."""
    held, choices = own.totals(), map(tally, combinations_with_replacement(RESOURCES, count))
    return [next(ways(own, cost)) for cost in choices if able(held, cost)]


def _stored(
    own: Principality, kinds: Sequence[Resource], given: Sequence[str] = (), *, others: bool = False
) -> tuple[str, ...] | None:
    """The emptiest regions that can take these in, after some gave; only `others` than those, if it is said."""
    stocks = {place: stock - given.count(place) for place, stock in own.stocks.items()}
    places: list[str] = []
    for kind in kinds:
        roomy = [place for place in own.of(kind) if stocks[place] < STORE and not (others and place in given)]
        if not roomy:
            return None
        place = min(roomy, key=lambda place: stocks[place])
        stocks[place] += 1
        places.append(place)
    return tuple(places)


def _merchants(state: CatanCardsState) -> Iterator[CatanCardsMove]:
    """One or two taken, of any kinds that there is room for, and any kind given, also of those (catan_cards:Q18)."""
    seat = state.active
    own, other = state.principalities[seat], state.principalities[1 - seat]
    for count in (1, 2):
        for take in _kinds(other, count):
            stores = _stored(own, [other.regions[place].resource for place in take])
            if stores is None:
                continue
            for kind in RESOURCES:
                gifts = [at for at in own.of(kind) if own.stocks[at] + stores.count(at)]
                rooms = [at for at in other.of(kind) if other.stocks[at] - take.count(at) < STORE]
                changed = ((at, to) for at in gifts for to in rooms if count > 1 or (at,) != stores or (to,) != take)
                for at, to in islice(changed, 1):
                    yield Merchant(seat=seat, take=take, take_to=stores, give=at, give_to=to)


_LEGAL: dict[str, Callable[[CatanCardsState], Iterator[CatanCardsMove]]] = {
    "start": _starts,
    "lay": _lays,
    "pick": _picks,
    "roll": _rolls,
    "excess": _excesses,
    "actions": _actions,
    "refill": _refills,
    "exchange": _exchanges,
}
