"""Action cards but for duels: the Alchemist, the Caravan, the Merchant, the Scout and the Spy."""

from __future__ import annotations

from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING, ClassVar

import msgspec

from games.catan_cards.components import RESOURCES, STORE, Number, Resource
from games.catan_cards.moves.base import (
    NUMBERS,
    Card,
    FreeMove,
    Place,
    SomePlaces,
    card_blanks,
    noted_cards,
    place_blanks,
    sample_hand,
)
from games.catan_cards.moves.hand import Show
from games.catan_cards.payments import can_pay, in_notation_order, tally, ways_to_pay
from games.catan_cards.resources import require_alike, require_own, require_room, require_stock, swap
from games.catan_cards.stacks import HANDS, OPEN, TAKEN_BY_SPIES
from games.catan_cards.state import LOOKED_FOR_SINCE, UNSEEN
from games.catan_cards.steps import Due
from games.contract import GAP, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState
    from games.contract import Blank, Chance
    from games.seen_cards import Named

CARRIED = 2
"""The most resources for a Caravan or a Merchant (catan_cards:68, catan_cards:70)."""


class ActionMove(FreeMove, frozen=True, kw_only=True):
    """An action card is played."""

    too_soon: ClassVar[str] = "catan_cards:52"
    plays: ClassVar[str]
    """The name of the action card."""
    wrong_step_rule = Sentence("action cards are played after the dice and what they bring")

    @classmethod
    def is_playable(cls, state: CatanCardsState, card: str) -> bool:
        """Whether action cards are allowed by now, and the active player can hold this one."""
        return _is_open(state) and state.may_hold(state.active, card)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of a free move, and of action cards before the required points."""
        return [*super().wrong_step_breach(state), *self.too_early(state)]

    def too_early(self, state: CatanCardsState) -> Sequence[RuleBrokenError]:
        """The breach if the points for action cards are not yet reached."""
        if _is_open(state):
            return ()
        if state.options.action_gate == "each3":
            return [RuleBrokenError("catan_cards:51", "each player needs 3 points first")]
        return [RuleBrokenError("catan_cards:Q10", "both players need 7 points together first")]

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The action card, from the player's hand."""
        return [(self.seat, (self.plays,))]


def _is_open(state: CatanCardsState) -> bool:
    """Whether the points for action cards are reached (catan_cards:51, catan_cards:Q10)."""
    return min(state.points) >= 3 if state.options.action_gate == "each3" else sum(state.points) >= 7


def use_action_card(state: CatanCardsState, seat: int, card: str) -> None:
    """Move an action card from a hand to the used cards (catan_cards:50). Raises `ImpossibleError`."""
    state.require_hand(seat, (card,))
    state.give(seat, (card,))
    state.told.append((state.version, (HANDS[seat], OPEN, (card,), None)))
    state.spent.append(card)


class Alchemist(ActionMove, frozen=True, kw_only=True, tag="alchemist"):
    """An Alchemist sets the production die."""

    plays: ClassVar[str] = "Alchemist"
    steps: ClassVar[tuple[Due, ...]] = ("roll",)

    number: Number

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each number, if no Alchemist was played in this turn."""
        if not state.alchemist and cls.is_playable(state, cls.plays):
            for number in NUMBERS:
                yield cls(seat=state.active, number=number)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if it is not before the dice, the second in a turn, or played too early in the game."""
        yield from self.off_turn(state)
        if state.phase != "roll":
            yield RuleBrokenError("catan_cards:21", "an Alchemist comes before the dice")
        elif state.alchemist:
            yield RuleBrokenError("catan_cards:Q46", "the die is set to {alchemist} already", alchemist=state.alchemist)
        yield from self.too_early(state)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Play the card and set the production die."""
        use_action_card(state, self.seat, self.plays)
        state.alchemist = self.number
        return [
            Effect("action.played", "catan_cards:63", self.seat, (self.plays,)),
            Effect("number.set", "catan_cards:63", self.seat, count=self.number),
        ]


class Caravan(ActionMove, frozen=True, kw_only=True, tag="caravan"):
    """Own resources are exchanged for as many others."""

    plays: ClassVar[str] = "Caravan"

    give: SomePlaces
    get: SomePlaces

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each choice of resources to give and to get, from the fullest regions to the emptiest.

        A resource can return to its own region only if a Caravan must carry two.
        """
        if not cls.is_playable(state, cls.plays):
            return
        seat, least = state.active, state.options.caravan_min
        own = state.principalities[seat]
        for count in range(least, CARRIED + 1):
            for give in _each_kinds(own, count):
                for kinds in combinations_with_replacement(RESOURCES, count):
                    get = _stored(own, kinds, give, others=True) or (_stored(own, kinds, give) if least > 1 else None)
                    if get and in_notation_order(get) != give:
                        yield cls(seat=seat, give=give, get=in_notation_order(get))

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """A Caravan with gaps for freely chosen regions."""
        if state.due == "actions" and cls.is_playable(state, cls.plays):
            yield cls(seat=state.active, give=(GAP,) * CARRIED, get=(GAP,) * CARRIED)

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blanks for the regions of an entry with gaps."""
        return place_blanks(state, self.seat, (self.seat, self.give), (self.seat, self.get))

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of a wrong number of resources, of unequal numbers, and of a Caravan that changes nothing."""
        if len(self.give) > CARRIED:
            yield RuleBrokenError(
                "catan_cards:68", "a Caravan turns one or two resources, not {count}", count=len(self.give)
            )
        if len(self.give) != len(self.get):
            yield RuleBrokenError("catan_cards:68", "as many resources are gained as are given")
        if len(self.give) < state.options.caravan_min:
            yield RuleBrokenError(
                "catan_cards:Q17",
                "a Caravan carries {least} at least",
                least=count_and_noun(state.options.caravan_min, "resource"),
            )
        if sorted(self.give) == sorted(self.get):
            yield RuleBrokenError("catan_cards:Q47", "a Caravan that changes nothing")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Exchange the resources. Raises `ImpossibleError` if the regions lack resources or room."""
        require_own(state, self.seat, [*self.give, *self.get])
        require_stock(state, self.give)
        require_room(state, self.get, self.give)
        use_action_card(state, self.seat, self.plays)
        played = Effect("action.played", "catan_cards:68", self.seat, (self.plays,))
        return [played, *swap(state, self.give, self.get, "catan_cards:68")]


class Merchant(ActionMove, frozen=True, kw_only=True, tag="merchant"):
    """A forced trade: resources taken from the opponent and stored at own regions, then one given to him."""

    plays: ClassVar[str] = "Merchant"

    take: SomePlaces
    take_to: SomePlaces
    give: Place
    give_to: Place

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each choice of one or two resources to take, and of one to give."""
        if not cls.is_playable(state, cls.plays):
            return
        seat = state.active
        own, other = state.principalities[seat], state.principalities[1 - seat]
        for count in range(1, CARRIED + 1):
            for take in _each_kinds(other, count):
                stores = _stored(own, [other.regions[place].resource for place in take])
                if stores is None:
                    continue
                for kind in RESOURCES:
                    gifts = [at for at in own.places_of(kind) if own.stocks[at] + stores.count(at)]
                    rooms = [at for at in other.places_of(kind) if other.stocks[at] - take.count(at) < STORE]
                    changed = (
                        (at, to) for at in gifts for to in rooms if count > 1 or (at,) != stores or (to,) != take
                    )
                    for at, to in islice(changed, 1):
                        yield cls(seat=seat, take=take, take_to=stores, give=at, give_to=to)

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """A Merchant with gaps for freely chosen regions."""
        if state.due == "actions" and cls.is_playable(state, cls.plays):
            taken = (GAP,) * CARRIED
            yield cls(seat=state.active, take=taken, take_to=taken, give=GAP, give_to=GAP)

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blanks for the regions of an entry with gaps."""
        own, other = self.seat, 1 - self.seat
        places = (other, self.take), (own, self.take_to), (own, [self.give]), (other, [self.give_to])
        return place_blanks(state, own, *places)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """The breaches if it takes more than two resources, or changes nothing."""
        if len(self.take) > CARRIED:
            yield RuleBrokenError(
                "catan_cards:70", "a Merchant takes one or two resources, not {count}", count=len(self.take)
            )
        if self.give in self.take_to and self.give_to in self.take and len(self.take) == 1:
            yield RuleBrokenError("catan_cards:Q47", "a Merchant who changes nothing")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Take first, then give: a taken resource can be given (catan_cards:Q18)."""
        rule, other = "catan_cards:70", 1 - self.seat
        require_own(state, self.seat, [*self.take_to, self.give])
        require_own(state, other, [*self.take, self.give_to])
        require_alike(state, self.take, self.take_to)
        require_alike(state, [self.give], [self.give_to])
        require_stock(state, self.take)
        require_room(state, self.take_to, rule=rule)
        if state.stock(self.give) + self.take_to.count(self.give) < 1:
            raise ImpossibleError("nothing lies at {give}", rule, give=self.give)
        require_room(state, [self.give_to], self.take, rule)
        use_action_card(state, self.seat, self.plays)
        played = Effect("action.played", rule, self.seat, (self.plays,))
        taken = swap(state, self.take, self.take_to, rule)
        return [played, *taken, *swap(state, [self.give], [self.give_to], rule)]


def _each_kinds(own: Principality, count: int) -> list[tuple[str, ...]]:
    """For each choice of `count` affordable resources, the regions that give them: the fullest first."""
    held, choices = own.holdings(), map(tally, combinations_with_replacement(RESOURCES, count))
    return [next(ways_to_pay(own, cost)) for cost in choices if can_pay(held, cost)]


def _stored(
    own: Principality, kinds: Sequence[Resource], given: Sequence[str] = (), *, others: bool = False
) -> tuple[str, ...] | None:
    """The emptiest regions with room for these resources, after some `given` ones; with `others` only other regions.

    None without enough room.
    """
    stocks = {place: stock - given.count(place) for place, stock in own.stocks.items()}
    places: list[str] = []
    for kind in kinds:
        roomy = [place for place in own.places_of(kind) if stocks[place] < STORE and not (others and place in given)]
        if not roomy:
            return None
        place = min(roomy, key=lambda place: stocks[place])
        stocks[place] += 1
        places.append(place)
    return tuple(places)


class Scout(ActionMove, frozen=True, kw_only=True, tag="scout"):
    """The regions of a new settlement are chosen, not drawn."""

    plays: ClassVar[str] = "Scout"
    steps: ClassVar[tuple[Due, ...]] = ("regions",)

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A Scout, if none was played for this settlement."""
        seat = state.pending[0].seat
        if not state.scouted and state.may_hold(seat, cls.plays):
            yield cls(seat=seat)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if it does not directly follow an own settlement, or if a Scout was already played."""
        first = state.pending[0] if state.pending else None
        if first is None or first.kind != "regions":
            yield RuleBrokenError("catan_cards:71", "a Scout comes right after a settlement")
        elif first.seat != self.seat:
            yield RuleBrokenError("catan_cards:71", "the settlement is not {name}'s", name=state.seat_name(self.seat))
        if state.scouted:
            yield RuleBrokenError("catan_cards:71", "a Scout is at work already")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Play the card. The stack of regions is shuffled afterwards."""
        self.require_begun(state)
        use_action_card(state, self.seat, self.plays)
        state.scouted = True
        return [Effect("action.played", "catan_cards:71", self.seat, (self.plays,))]


class Spy(ActionMove, frozen=True, kw_only=True, tag="spy"):
    """A card is taken from the opponent's hand. `card` None is unknown; `taken` is false if there was none."""

    plays: ClassVar[str] = "Spy"
    is_at_times_doubtful: ClassVar[bool] = True
    unknown_fields: ClassVar[tuple[str, ...]] = ("card",)

    card: Card | None = None
    taken: bool = True

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A Spy who takes a card, if the opponent may hold a suitable one, and one without it, unless it is certain."""
        seat = state.active
        if len(state.hands[1 - seat]) and cls.is_playable(state, cls.plays):
            surely = _finds_card(state, seat)
            spies = [cls(seat=seat)] if surely or state.hands[1 - seat].unknown else []
            spies += [] if surely else [cls(seat=seat, taken=False)]
            for spy in spies:
                if not (spy.is_doubtful(state) and spy.contradictions(state, spy.newly_seen_cards())):
                    yield spy

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if an unsuitable card is taken, or none although the opponent has a suitable one."""
        hand, whose, place = state.hands[1 - self.seat], state.seat_name(1 - self.seat), HANDS[1 - self.seat]
        if not len(hand):
            error = RuleBrokenError("catan_cards:Q47", "{whose} has no card in hand", whose=whose)
            yield error.shown_by(state.evidence().of_last_change(place))
        elif not self.taken and _finds_card(state, self.seat):
            able = [card for card in hand.known if can_take(state, card)]
            yield RuleBrokenError("catan_cards:Q40", "the Spy takes a card").shown_by(
                state.evidence().of_place(place, able)
            )
        elif self.taken and self.card and not can_take(state, self.card):
            yield RuleBrokenError("catan_cards:Q19", "{card} is no unit and no action", card=self.card)
        elif self.taken and not self.card and not (hand.unknown or _finds_card(state, self.seat)):
            error = RuleBrokenError("catan_cards:Q19", "{whose} holds no unit and no action", whose=whose)
            yield error.shown_by(state.evidence().of_place(place))

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The Spy from the player's hand, and the taken card from the opponent's."""
        return [(self.seat, (self.plays,)), (1 - self.seat, noted_cards(self.card))]

    def is_doubtful(self, state: CatanCardsState) -> bool:
        """Whether unknown cards decide what the Spy finds."""
        looks = not (self.card or state.options.spy_any) and state.revision >= LOOKED_FOR_SINCE
        return looks and state.hands[1 - self.seat].unknown > 0 and not _finds_card(state, self.seat)

    def contradictions(self, state: CatanCardsState, named: Sequence[Named]) -> list[RuleBrokenError]:
        """The breaches of the named cards; else of a Spy who takes an unseen card, or finds none."""
        found = super().contradictions(state, named)
        if found or not self.is_doubtful(state):
            return found
        shown = (HANDS[self.seat], OPEN, (self.plays,), None)
        return state.contradiction_of([shown, state.spy_word(1 - self.seat, taken=self.taken)])

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Take the card in view of all. The hand does not grow, because the Spy leaves it (catan_cards:Q19b)."""
        victim, hand = state.hands[1 - self.seat], state.hands[self.seat]
        if self.card and not self.taken:
            raise ImpossibleError("{card} is taken, or nothing is", "catan_cards:72", card=self.card)
        if self.taken and not len(victim):
            raise ImpossibleError("{other} has no card in hand", "catan_cards:72", other=state.seat_name(1 - self.seat))
        state.require_hands(self.newly_seen_cards())
        use_action_card(state, self.seat, self.plays)
        played = Effect("action.played", "catan_cards:72", self.seat, (self.plays,))
        state.tell_spy(1 - self.seat, self.card, taken=self.taken)
        if not self.taken:
            return [played, Effect("spy.failed", "catan_cards:Q48", self.seat)]
        hand.add_hand(victim.give_one(self.card, secret=False))
        return [played, Effect("card.stolen", "catan_cards:72", self.seat, (self.card or UNSEEN,))]

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blank for the taken card, with the suitable cards that the opponent can hold."""
        if not self.taken:
            return ()
        held = state.holdable_cards(1 - self.seat)
        return card_blanks(1 - self.seat, [self.card], (card for card in held if can_take(state, card)))

    def with_gaps(self, state: CatanCardsState) -> Self:  # noqa: ARG002
        """The move with a gap for the taken card."""
        return msgspec.structs.replace(self, card=GAP)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with a sampled suitable card; without one, if the sampled hand holds none."""
        if self.card or not self.taken:
            return self
        cards = [card for card in sample_hand(self._shown(state), 1 - self.seat, chance) if can_take(state, card)]
        if not cards:
            return msgspec.structs.replace(self, taken=False)
        return msgspec.structs.replace(self, card=chance.choice(cards))

    def _shown(self, state: CatanCardsState) -> CatanCardsState:
        """The state after the Spy was shown: the opponent cannot hold that copy."""
        if self.plays in state.hands[self.seat].known or not state.may_hold(self.seat, self.plays):
            return state
        twin = state.copy()
        Show(seat=self.seat, cards=(self.plays,)).execute(twin)
        return twin


def can_take(state: CatanCardsState, card: str) -> bool:
    """Whether a Spy may take this kind of card (catan_cards:Q19)."""
    return state.options.spy_any or card in TAKEN_BY_SPIES


def _finds_card(state: CatanCardsState, seat: int) -> bool:
    """Whether the opponent certainly holds a card that a Spy can take."""
    hand = state.hands[1 - seat]
    return len(hand) > 0 if state.options.spy_any else any(can_take(state, card) for card in hand.known)
