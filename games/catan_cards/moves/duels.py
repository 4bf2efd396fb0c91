"""Duels: an attack, the answer to it, and the attacker's die."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from games.catan_cards.components import COUNTERS, Number
from games.catan_cards.moves.actions import ActionMove, use_action_card
from games.catan_cards.moves.base import NUMBERS, Card, Duellist, SeatMove, noted_cards
from games.catan_cards.resources import takeable_regions
from games.catan_cards.steps import Due, Pending
from games.catan_cards.turns import STRUCK
from games.contract import Effect
from games.errors import RuleBrokenError
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.state import CatanCardsState

_HITS = {False: 5, True: 2}
"""The highest number with which an attack succeeds, without a counter and with one (catan_cards:65)."""
_RULES = {"Arsonist": "catan_cards:64", "The Black Knight": "catan_cards:66", "Brigands": "catan_cards:67"}
_COUNTER_RULES = {"Bishop": "catan_cards:65", "Herb Woman": "catan_cards:69"}
_HIT = {"Arsonist": "building", "The Black Knight": "knight"}
"""The kind of card that each attack hits. Brigands take resources instead."""


class Attack(ActionMove, frozen=True, kw_only=True, tag="attack"):
    """A duel is declared."""

    card: Duellist

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """Each attack that the hand can hold and that has a target."""
        for card in COUNTERS:
            if cls.is_playable(state, card) and _has_target(state, state.active, card):
                yield cls(seat=state.active, card=card)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if the opponent has no target."""
        if not _has_target(state, self.seat, self.card):
            yield RuleBrokenError(
                "catan_cards:Q15",
                "{other} has nothing that {card} could hit",
                other=state.seat_name(1 - self.seat),
                card=self.card,
            )

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The attack card, from the player's hand."""
        return [(self.seat, (self.card,))]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Play the attack. The opponent's answer becomes due."""
        use_action_card(state, self.seat, self.card)
        state.pending.insert(0, Pending("counter", 1 - self.seat, _RULES[self.card], self.card))
        return [Effect("action.played", _RULES[self.card], self.seat, (self.card,))]


def _has_target(state: CatanCardsState, seat: int, card: str) -> bool:
    if card not in _HIT:
        return bool(takeable_regions(state, seat))
    kinds = STRUCK[_HIT[card]]
    return any(own in kinds for own in state.principalities[1 - seat].sites.values())


class Counter(SeatMove, frozen=True, kw_only=True, tag="counter"):
    """The answer to a duel: a card, or none."""

    steps: ClassVar[tuple[Due, ...]] = ("counter",)
    wrong_step_rule = Sentence("no attack is to be answered")

    card: Card | None = None

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """No card, or the card that answers the attack."""
        first = state.pending[0]
        yield cls(seat=first.seat)
        if state.may_hold(first.seat, COUNTERS[first.card]):
            yield cls(seat=first.seat, card=COUNTERS[first.card])

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if the card does not answer this attack."""
        first = state.pending[0] if state.pending else None
        if first and first.kind == "counter" and self.card not in (None, COUNTERS[first.card]):
            yield RuleBrokenError(
                "catan_cards:53",
                "{counter} answers {card}, not {card2}",
                counter=COUNTERS[first.card],
                card=first.card,
                card2=self.card,
            )

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The answering card, from the player's hand."""
        return [(self.seat, noted_cards(self.card))]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Play the answer. The attacker's die becomes due."""
        first = self.require_own_choice(state, "counter")
        if self.card:
            use_action_card(state, self.seat, self.card)
        at = state.pending.index(first)
        state.pending[at] = Pending(
            "duel", 1 - self.seat, _RULES[first.card], first.card, countered=self.card is not None
        )
        if not self.card:
            return [Effect("counter.missed", "catan_cards:Q15b", self.seat)]
        return [Effect("counter.played", _COUNTER_RULES[COUNTERS[first.card]], self.seat, (self.card,))]


class Duel(SeatMove, frozen=True, kw_only=True, tag="duel"):
    """The attacker's die."""

    steps: ClassVar[tuple[Due, ...]] = ("duel",)
    wrong_step_rule = Sentence("no attack goes on that a die decides")

    number: Number

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each number of the die."""
        for number in NUMBERS:
            yield cls(seat=state.pending[0].seat, number=number)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if another player than the attacker rolls."""
        first = state.pending_choice("duel", self.seat)
        if first and first.seat != self.seat:
            attacker, name = state.seat_name(first.seat), state.seat_name(self.seat)
            yield RuleBrokenError(
                "catan_cards:62", "{attacker} attacks and rolls the die, not {name}", attacker=attacker, name=name
            )

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Roll the die. The winner of the duel chooses the loser's loss (catan_cards:62, catan_cards:Q14)."""
        first = self.require_choice(state, "duel")
        winner = first.seat if self.number <= _HITS[first.countered] else 1 - first.seat
        state.drop_choice(first)
        if first.card in _HIT:
            state.pending.insert(0, Pending("strike", winner, first.rule, _HIT[first.card]))
        else:
            state.pending[:0] = [Pending("take", winner, first.rule)] * 2
        return [Effect("duel.won", first.rule, winner, count=self.number)]
