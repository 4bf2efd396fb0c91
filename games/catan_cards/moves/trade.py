"""Trade: with the bank, with a fleet or a Mint, and with the opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from games.catan_cards.components import STORE
from games.catan_cards.moves.base import FreeMove, Place, SomePlaces, place_blanks
from games.catan_cards.payments import income_of, rate, rates, ways_to_pay
from games.catan_cards.resources import (
    gain,
    lose,
    require_alike,
    require_own,
    require_room,
    require_stock,
    resource_words,
    swap,
)
from games.catan_cards.steps import Due
from games.contract import GAP, Effect
from games.errors import RuleBrokenError
from games.words import Sentence, join_by_or

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.catan_cards.state import CatanCardsState
    from games.contract import Blank

_RULES = {3: "catan_cards:37", 2: "catan_cards:38", 1: "catan_cards:39"}
"""The rule of each trade rate."""


BARTERED = 3
"""The most resources of each side that can be picked in a barter. More can be typed."""


class Trade(FreeMove, frozen=True, kw_only=True, tag="trade"):
    """Equal resources are turned into one of any kind."""

    wrong_step_rule = Sentence("trade comes after the dice and what they bring")

    give: SomePlaces
    get: Place

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """For each resource that can be paid, a move for each region with room, paid from the fullest regions."""
        own = state.principalities[state.active]
        for kind, held in own.holdings().items():
            if not held or held < (price := rate(state, state.active, kind)):
                continue
            give = next(ways_to_pay(own, {kind: price}))
            for place, stock in own.stocks.items():
                if stock < STORE and place not in give:
                    yield cls(seat=state.active, give=give, get=place)

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """A trade with gaps for freely chosen regions."""
        if state.due == "actions":
            yield cls(seat=state.active, give=(GAP,) * 3, get=GAP)

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blanks for the regions of an entry with gaps."""
        return place_blanks(state, self.seat, (self.seat, self.give), (self.seat, [self.get]))

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if several kinds are given, or a number that is no rate of the kind."""
        given = income_of(state.principalities[self.seat], self.give)
        if len(given) != 1:
            return [RuleBrokenError("catan_cards:37", "equal resources are given for one")]
        (kind,) = given
        prices = rates(state, self.seat, kind)
        if len(self.give) in prices:
            return ()
        return [
            RuleBrokenError(
                _RULES[prices[0]],
                "{names} {kind} bring one resource, not {count}",
                names=join_by_or(list(map(str, prices))),
                kind=kind,
                count=len(self.give),
            )
        ]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Trade. Raises `ImpossibleError` if the regions lack resources or room."""
        require_own(state, self.seat, [*self.give, self.get])
        own, spent = state.principalities[self.seat], require_stock(state, self.give)
        require_room(state, [self.get], self.give)
        given = f"{len(self.give)} {own.regions[self.give[0]].resource}"
        rule = _RULES.get(len(self.give), "catan_cards:37")
        made = Effect("trade.made", rule, self.seat, (f"{given} for 1 {own.regions[self.get].resource}",))
        lost = [lose(own, place, count, rule) for place, count in spent.items()]
        return [made, *lost, gain(own, self.get, 1, rule)]


class Barter(FreeMove, frozen=True, kw_only=True, tag="barter"):
    """A trade with the opponent: the given and the taken resources, each with the regions that store them."""

    steps: ClassVar[tuple[Due, ...]] = ()  # a matter between the two, which nobody needs to be offered
    wrong_step_rule = Sentence("trade comes after the dice and what they bring")

    give: SomePlaces
    give_to: SomePlaces
    take: SomePlaces
    take_to: SomePlaces

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """A barter with gaps for up to three resources in each direction."""
        if state.due == "actions":
            some = (GAP,) * BARTERED
            yield cls(seat=state.active, give=some, give_to=some, take=some, take_to=some)

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blanks for the regions of an entry with gaps."""
        own, other = self.seat, 1 - self.seat
        places = (own, self.give), (other, self.give_to), (other, self.take), (own, self.take_to)
        return place_blanks(state, own, *places)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Exchange the resources. Both pay first, and then receive (catan_cards:Q8b)."""
        require_own(state, self.seat, [*self.give, *self.take_to])
        require_own(state, 1 - self.seat, [*self.take, *self.give_to])
        require_alike(state, self.give, self.give_to)
        require_alike(state, self.take, self.take_to)
        paid_, stored = [*self.give, *self.take], [*self.give_to, *self.take_to]
        require_stock(state, paid_)
        require_room(state, stored, paid_)
        words = f"{resource_words(state, self.give)} for {resource_words(state, self.take)}"
        made = Effect("trade.made", "catan_cards:40", self.seat, (words,))
        return [made, *swap(state, paid_, stored, "catan_cards:40")]
