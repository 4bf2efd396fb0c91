"""A game of the card game at one moment.

Places are named by whose they are, by column and by side: `1ku` is the region of player 1 in column k, upper side.
Roads and regions lie in the columns …, k, m, o, …, settlements and cities in those between, l and n to begin with.
"""

from __future__ import annotations

import copy
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from games.catan_cards.components import DEALT, RESOURCES, STORE, Box, Land, Resource
from games.catan_cards.options import Options
from games.contract import Outcome, ScoreLine, State
from games.hidden import Hand, beyond, without

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract import Viewpoint

Kind = Literal["event", "gain", "take", "strike", "confiscate", "give", "look", "counter", "duel", "regions"]
T = TypeVar("T")
Phase = Literal["start", "lay", "pick", "roll", "event", "actions", "refill", "exchange"]

UNSEEN = "?"
"""A card that was not noted."""
SIDES = ("u", "d")
MIDDLE = ord("m")


ROADS, CENTRES = "acegikmoqsuwy", "bdfhjlnprtvx"
"""The columns of roads and regions, and those of settlements and cities."""
PLACES = tuple(f"{seat}{letter}{side}" for seat in "12" for letter in ROADS for side in SIDES)
"""Where a region can lie."""
SITES = tuple(f"{seat}{letter}{side}{site}" for seat in "12" for letter in CENTRES for side in SIDES for site in "12")
"""Where an expansion can."""


def column(x: int) -> str:
    """The letter of a column: m is the middle, where the first road lies."""
    return chr(MIDDLE + x)


def offset(letter: str) -> int:
    """How far right of the middle a column is."""
    return ord(letter) - MIDDLE


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a player has to do before anything else: what, who, and by which rule.

    `card` is the duel's card, or what can be struck: unit, knight or building. `column` is where regions are to be
    laid, `countered` whether a duel was.
    """

    kind: Kind
    seat: int
    rule: str
    card: str = ""
    column: str = ""
    countered: bool = False


_UNLIMITED: tuple[Phase | None, ...] = (None, "start", "lay", "pick", "roll")
"""When nobody is asked how many cards he holds: before the first dice, between two turns, and in the end."""


@cache
def beside(place: str) -> tuple[str, ...]:
    """The sites next to a region, built on or not (catan_cards:7)."""
    x, side = offset(place[1]), place[2]
    return tuple(f"{place[0]}{column(x + step)}{side}{site}" for step in (-1, 1) for site in "12")


class Principality(msgspec.Struct):
    """What lies before a player, by place.

    `line` has settlements and cities by column, `roads` the columns of the roads, `regions` the region cards with
    `stocks`, and `sites` the expansions.
    """

    line: dict[str, str] = {}
    roads: list[str] = []
    regions: dict[str, Land] = {}
    stocks: dict[str, int] = {}
    sites: dict[str, str] = {}

    def copy(self) -> Principality:
        """An independent copy."""
        return Principality(
            self.line.copy(), self.roads.copy(), self.regions.copy(), self.stocks.copy(), self.sites.copy()
        )

    def count(self, card: str) -> int:
        """How many expansions of a kind lie on the sites."""
        return list(self.sites.values()).count(card)

    def stock(self, resource: Resource) -> int:
        """How much of a resource there is in all."""
        return sum(self.stocks[place] for place, land in self.regions.items() if land.resource == resource)

    def totals(self) -> dict[Resource, int]:
        """How much there is of each resource, counted at once."""
        held = dict.fromkeys(RESOURCES, 0)
        for place, land in self.regions.items():
            held[land.resource] += self.stocks[place]
        return held

    def of(self, resource: Resource) -> list[str]:
        """The regions that bring a resource."""
        return [place for place, land in self.regions.items() if land.resource == resource]

    def roomy(self) -> list[str]:
        """The regions with room for more."""
        return [place for place, stock in self.stocks.items() if stock < STORE]

    def neighbours(self, place: str, card: str) -> int:
        """How many sites next to a region hold such an expansion (catan_cards:7, catan_cards:48)."""
        if card not in self.sites.values():
            return 0
        return [self.sites.get(site) for site in beside(place)].count(card)

    def cities_at(self, place: str) -> list[str]:
        """The columns of the cities that touch a region."""
        x = offset(place[1])
        return [near for near in (column(x - 1), column(x + 1)) if self.line.get(near) == "city"]

    def end(self, *, right: bool) -> int:
        """The column of the last settlement or city on one side, as an offset."""
        offsets = [offset(letter) for letter in self.line]
        return max(offsets) if right else min(offsets)

    def open_road(self, *, right: bool) -> bool:
        """Whether a road leads on from the last settlement or city on one side."""
        return column(self.end(right=right) + (1 if right else -1)) in self.roads

    def last(self, *, right: bool) -> int:
        """The column of the last card on one side, be it a road, as an offset."""
        offsets = [offset(letter) for letter in (*self.line, *self.roads)]
        return max(offsets) if right else min(offsets)

    def next_road(self, *, right: bool) -> str | None:
        """The column in which the next road on one side comes, behind roads that lie there already; None if it ends."""
        step = 1 if right else -1
        x = self.end(right=right) + step
        while column(x) in self.roads:
            x += 2 * step
        return column(x) if column(x) in ROADS else None

    def lying(self, letter: str) -> str | None:
        """What lies in a column of the line: a road, a settlement or a city."""
        return "road" if letter in self.roads else self.line.get(letter)


class Stack(msgspec.Struct):
    """A face-down stack of expansion cards: how many, and which of them are known to be in it.

    `under` is how many cards were put under it at the most: as long as there are more, the top one is none of them.
    `sure` are the cards that are certainly in it, as far as everything tells that is noted. Each player knows less:
    `known` has by seat what only he is certain of, `common` what both are.
    """

    size: int = 0
    under: int = 0
    known: list[list[str]] = []
    common: list[str] = []
    sure: list[str] = []

    def put(self, seers: Sequence[int], card: str | None) -> None:
        """Put a card under the stack, None being one that was not noted; `seers` are the players who see which."""
        self.size += 1
        self.under += 1
        if card is None:
            return
        self.sure = sorted([*self.sure, card])
        if len(seers) == len(self.known):
            self.common = sorted([*self.common, card])
        else:
            for seat in seers:
                self.known[seat] = sorted([*self.known[seat], card])

    def take(self, seers: Sequence[int], card: str | None, *, top: bool) -> None:
        """Take a card from the top, or from anywhere. What may have gone is not known to be there any more."""
        certain = top and self.size > self.under
        self.size -= 1
        self.under = min(self.under, self.size)
        if certain or not (self.sure or self.common or any(self.known)):
            return
        told = [_left(cards + self.common, card if seat in seers else None) for seat, cards in enumerate(self.known)]
        self.common = _left(self.common, card if len(seers) == len(self.known) else None)
        self.known = [without(cards, self.common) for cards in told]
        self.sure = _left(self.sure, card)

    def forget(self, seers: Sequence[int], card: str) -> None:
        """Know better than that a card lies here: it turned up elsewhere, as `seers` saw."""
        self.sure = without(self.sure, [card])
        for seat in seers:
            self.known[seat] = without(self.known[seat], [card])
        if len(seers) == len(self.known):
            self.common = without(self.common, [card])

    def seen(self, seat: int | None) -> Stack:
        """The same stack as a player knows it, or who is none."""
        if seat is None:
            return Stack(self.size, self.under, [[] for _ in self.known])
        known = [cards.copy() if seat == owner else [] for owner, cards in enumerate(self.known)]
        return Stack(self.size, self.under, known, self.common.copy(), sorted(self.known[seat] + self.common))

    def named(self) -> list[str]:
        """The cards that are known to be in it."""
        return self.sure

    def reachable(self) -> list[str]:
        """Those of them that can be the top card."""
        return self.sure if self.size <= self.under else []

    def copy(self) -> Stack:
        """An independent copy."""
        known = [cards.copy() for cards in self.known]
        return Stack(self.size, self.under, known, self.common.copy(), self.sure.copy())


def _left(cards: list[str], card: str | None) -> list[str]:
    """What is certain to be left of cards after this one went, None being any."""
    return beyond(cards, 1) if card is None else without(cards, [card])


class CatanCardsState(State):
    """Everything that lies on the table. Lists go by seat.

    `pending` are the choices to be made before the `phase` goes on, None when the game is over. `events` is the event
    stack (catan_cards:15) from its top, a card that was not seen since the last shuffle being empty. `lands` are the
    regions still in their stack, as far as the box's list goes. `production` is the number that was rolled, 0 before;
    `alchemist` the number that one set. `looked` is the stack that was looked through for Master Builder, or under
    which a card went in an exchange. `tokens` are who holds the knight and the windmill token; `ruled` are the sums at
    which a referee put one of them somewhere else.
    """

    options: Options
    box: Box
    phase: Phase | None
    pending: list[Pending]
    starts: int
    active: int
    turns: list[int]
    principalities: list[Principality]
    hands: list[Hand]
    stacks: list[Stack]
    picked: list[int]
    events: list[str]
    lands: list[Land]
    supply: dict[str, int]
    spent: list[str]
    face: str
    production: int
    alchemist: int
    scouted: bool
    looked: int
    tokens: list[int | None]
    ruled: list[tuple[int, int] | None]
    points: list[int]
    lines: list[ScoreLine]
    outcome: Outcome | None  # type: ignore[assignment]

    @classmethod
    def new(cls, box: Box, options: Options) -> CatanCardsState:
        """The table before anything was laid out."""
        return cls(
            options=options,
            box=box,
            phase="start",
            pending=[],
            starts=0,
            active=0,
            turns=[0, 0],
            principalities=[Principality(), Principality()],
            hands=[Hand(), Hand()],
            stacks=[Stack(0, 0, [[], []]) for _ in range(5)],
            picked=[0, 0],
            events=[""] * sum(box.events.values()),
            lands=box.lands(),
            supply={name: part.count for name, part in box.supply.items()},
            spent=[],
            face="",
            production=0,
            alchemist=0,
            scouted=False,
            looked=0,
            tokens=[None, None],
            ruled=[None, None],
            points=[0, 0],
            lines=[],
            outcome=None,
        )

    @property
    def seats(self) -> int:
        """Two play."""
        return len(self.hands)

    def land(self, place: str) -> Land | None:
        """The region card at a place."""
        return self.principalities[owner(place)].regions.get(place)

    def stock(self, place: str) -> int:
        """How much lies at a place."""
        return self.principalities[owner(place)].stocks[place]

    def laid(self, seat: int, regions: Sequence[Land | None]) -> list[Land | None]:
        """A starting principality (catan_cards:11) once these regions are noted beside those that were before."""
        lying = self.principalities[seat].regions
        return [land or lying.get(place) for place, land in zip(corners(seat), regions, strict=True)]

    def crests(self, lands: Sequence[Land | None]) -> list[int]:
        """Which of the two starting sets all these regions can be of (catan_cards:Q35)."""
        sets = enumerate(self.box.starting_regions)
        return [number for number, crest in sets if all(crest[land.resource] == land.number for land in lands if land)]

    def crest(self, seat: int) -> int | None:
        """Which of the two starting sets a player has, as far as it can be told."""
        lands = list(self.principalities[seat].regions.values())
        found = self.crests(lands)
        return found[0] if lands and found else None

    def shown(self, card: str) -> int:
        """How many cards of a kind are known to be elsewhere than in a stack."""
        count = self.spent.count(card)
        for own in self.principalities:
            count += own.count(card)
        for hand in self.hands:
            count += hand.known.count(card)
        return count

    def located(self, card: str) -> int:
        """How many cards of a kind are known to be somewhere."""
        count = self.shown(card)
        for stack in self.stacks:
            if stack.sure:
                count += stack.sure.count(card)
        return count

    def at_large(self, card: str) -> int:
        """How many cards of a kind can be among the unknown ones."""
        return self.box.cards[card].count - self.located(card)

    def hidden(self) -> list[str]:
        """Every card that is not known to be anywhere, all piles counted at once."""
        located = Counter(self.spent)
        for own in self.principalities:
            located.update(own.sites.values())
        for hand in self.hands:
            located.update(hand.known)
        for stack in self.stacks:
            located.update(stack.sure)
        return [name for name, card in self.box.cards.items() for _ in range(card.count - located[name])]

    def correct(self, seers: Sequence[int], cards: Iterable[str]) -> None:
        """Know better where cards lie that turned up elsewhere than in the stack where they were thought to be."""
        for card in cards:
            if self.at_large(card) < 0 and (stack := next((one for one in self.stacks if card in one.sure), None)):
                stack.forget(seers, card)

    def can_hold(self, seat: int, card: str) -> bool:
        """Whether a card can be in a hand, as far as is known."""
        hand = self.hands[seat]
        return card in hand.known or (hand.unknown > 0 and self.at_large(card) > 0)

    def hand_limit(self, seat: int) -> int:
        """How many cards a player may hold (catan_cards:55)."""
        limit, widening = DEALT, self.box.widening
        for card in self.principalities[seat].sites.values():
            if card in widening:
                limit += widening[card]
        return limit

    def full(self, seat: int) -> bool:
        """Whether a player holds all the cards that he may, or more."""
        held = len(self.hands[seat])
        return held >= DEALT and held >= self.hand_limit(seat)  # no limit is lower than the cards one begins with

    def excess(self, seat: int) -> int:
        """How many cards a player has to put away now (catan_cards:27, catan_cards:54, catan_cards:59)."""
        held = len(self.hands[seat])
        if held <= DEALT or self.phase in _UNLIMITED:
            return 0
        if seat == self.active and self.options.own_turn_limit == "end" and self.phase != "refill":
            return 0
        return max(0, held - self.hand_limit(seat))

    def crowded(self) -> bool:
        """Whether somebody has to put cards away now."""
        if self.phase in _UNLIMITED:
            return False
        first, second = self.hands
        if len(first) <= DEALT and len(second) <= DEALT:
            return False  # as nearly always: no limit is lower
        return self.excess(0) > 0 or self.excess(1) > 0

    def drawable(self) -> bool:
        """Whether any stack holds a card (catan_cards:Q57)."""
        return any(stack.size for stack in self.stacks)


def corners(seat: int) -> list[str]:
    """Where a player's six starting regions lie: the upper three from the left, then the lower three."""
    return [f"{seat + 1}{letter}{side}" for side in SIDES for letter in "kmo"]


def owner(place: str) -> int:
    """Whose a place is."""
    return _OWNERS[place[0]]


_OWNERS = {"1": 0, "2": 1}


def copy_state(state: CatanCardsState) -> CatanCardsState:
    """An independent copy. What never changes (the box, options, score lines) is shared."""
    twin = copy.copy(state)
    twin.pending = state.pending.copy()
    twin.turns = state.turns.copy()
    twin.principalities = [own.copy() for own in state.principalities]
    twin.hands = [hand.copy() for hand in state.hands]
    twin.stacks = [stack.copy() for stack in state.stacks]
    twin.picked = state.picked.copy()
    twin.events = state.events.copy()
    twin.lands = state.lands.copy()
    twin.supply = state.supply.copy()
    twin.spent = state.spent.copy()
    twin.tokens = state.tokens.copy()
    twin.ruled = state.ruled.copy()
    twin.points = state.points.copy()
    twin.lines = state.lines.copy()
    return twin


def view(state: CatanCardsState, viewpoint: Viewpoint) -> CatanCardsState:
    """A copy that holds only what may be known from there."""
    twin = copy_state(state)
    if viewpoint.kind == "record":
        return twin
    for seat, hand in enumerate(state.hands):
        if not viewpoint.sees(seat):
            twin.hands[seat] = hand.hidden() if viewpoint.seat is None else hand.opposite()
    twin.stacks = [stack.seen(viewpoint.seat) for stack in state.stacks]
    return twin


def tally(things: Sequence[T]) -> dict[T, int]:
    """How often each of a few things is there, in the order in which they come."""
    return {thing: things.count(thing) for thing in things}
