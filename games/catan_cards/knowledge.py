"""What can be known of the expansion cards, and the odds of those that are drawn.

A stack has cards from the deal on top, in an order that nobody knows, and below them those that were put under it, in
their order. Cards that were put under it together lie in any order. A player who looks through a stack can take a card
from anywhere in it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from games.catan_cards.adjustments import Expansion, MoveCard
from games.catan_cards.chance import production_by_number
from games.catan_cards.components import CARDS
from games.catan_cards.moves.actions import Spy, can_take
from games.catan_cards.moves.events import Confiscate, Roll, Strike
from games.catan_cards.moves.hand import Draw, Hold, Return, Show
from games.catan_cards.moves.setup import Pick, Start
from games.catan_cards.principality import owner
from games.catan_cards.stacks import BOX, HANDS, OPEN, STACK_PILES
from games.chance import effects_of
from games.contract import ChanceEvent
from games.errors import ImpossibleError
from games.knowledge import Knowledge, Table
from games.unseen_draws import UnseenDraws

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.catan_cards.moves import CatanCardsMove
    from games.catan_cards.state import CatanCardsState
    from games.contract import Adjustment, Effect

MOST = 500
"""The most arrangements that are kept. If there are more, a sample is kept."""
PRODUCTION = ("catan_cards:28", "catan_cards:29")
"""The rules by which a roll brings resources."""


class StackedCards:
    """The possible places of all cards: hands, stacks and the table. Each stack lists its places from the top."""

    def __init__(self, copies: Mapping[str, int], most: int = MOST, seed: str = "") -> None:
        """All cards lie in the box. Of more than `most` arrangements some are drawn, others with another `seed`."""
        places = (BOX, OPEN, *HANDS, *STACK_PILES)
        self.known = Knowledge(Table(copies, places, BOX), most, seed=seed)
        self._stacks = {pile: [pile] for pile in STACK_PILES}
        self._free, self._made = list[str](), 0

    def deal(self, sizes: Sequence[int]) -> None:
        """Make the stacks from the shuffled cards."""
        for pile, size in zip(STACK_PILES, sizes, strict=True):
            self.known.move_unseen(BOX, pile, size)

    def put_under(self, source: str, pile: str, cards: Sequence[str | None]) -> None:
        """Put cards of a hand or of the table under a stack; None is an unseen card."""
        if not self._free:
            self._made += 1
            self._free = [f"group-{self._made}"]
            self.known.add_place(self._free[0])
        group = self._free.pop()
        named = [card for card in cards if card]
        self.known.move(source, group, named)
        self.known.move_unseen(source, group, len(cards) - len(named))
        self._stacks[pile].append(group)

    def odds_of_top(self, pile: str, card: str | None = None) -> dict[str, int] | None:
        """The odds of the next card of a stack; `card` is that card, if it was seen.

        None if a player put it there: then it is no chance event.
        """
        if self.known.may_hold(pile):
            return self.known.odds_before(card, *self._stacks[pile])
        return None if self.known.is_exact else {}

    def draw(self, pile: str, target: str, card: str | None) -> None:
        """Move the next card of a stack to a hand."""
        if card:
            self.known.draw(self._stacks[pile], target, card)
        else:
            self.known.draw_unseen(self._stacks[pile], target)
        self._drop_empty(pile)

    def take(self, pile: str, target: str, card: str | None) -> None:
        """Move a chosen card of a stack to a hand."""
        if card:
            self.known.search(self._stacks[pile], target, card)
        else:
            self.known.search_unseen(self._stacks[pile], target)
        self._drop_empty(pile)

    def _drop_empty(self, pile: str) -> None:
        """Free the places of a stack that are certainly empty. With a sample nothing is certain."""
        if self.known.sample:
            return
        empty = [group for group in self._stacks[pile][1:] if not self.known.may_hold(group)]
        self._stacks[pile] = [place for place in self._stacks[pile] if place not in empty]
        self._free += empty


class CatanCardsWatch:
    """Follows a game from a viewpoint. Moves and states must be as that viewpoint sees them."""

    cards: StackedCards

    def __init__(self) -> None:
        """Before the deal."""
        self._draws = UnseenDraws()
        self._rolled: ChanceEvent | None = None

    def follow(self, before: CatanCardsState, move: CatanCardsMove, after: CatanCardsState) -> list[ChanceEvent]:
        """The chance events of a move, and those of earlier draws with cards that are now known, or can never be."""
        self._begin(before)
        found = list(before.ruleset.chances(before, move, ()))
        events = [event for event in found if event.kind not in ("draw", "production die")]
        if self._rolled and isinstance(move, Roll):
            events += self._produce(before)
        self._rolled = next((event for event in found if event.kind == "production die"), self._rolled)
        if self._rolled and after.phase != "event":
            events += self._produce(_before_production(after, effects_of(before, move, after.version)))
        return [*events, *self._play(before, move, after), *self._handle(before, move, after)]

    def follow_ruling(self, before: CatanCardsState, adjustments: Sequence[Adjustment]) -> list[ChanceEvent]:
        """The chance events of a ruling: moved cards, and a roll that takes effect now."""
        self._begin(before)
        events = list[ChanceEvent]()
        for change in adjustments:
            if isinstance(change, MoveCard):
                events += self._move(change.source, change.to, change.card)
            elif isinstance(change, Expansion):
                lies = before.principalities[owner(change.at)].sites.get(change.at)
                events += self._move(OPEN, change.pile, lies) if lies else self._move(change.pile, OPEN, change.card)
        after = before.copy()
        try:
            effects = after.adjust(adjustments)
        except ImpossibleError:
            return events
        if self._rolled and after.phase != "event":
            events += self._produce(_before_production(after, effects))
        return events

    def remaining_events(self) -> list[ChanceEvent]:
        """The events without an outcome at the end: a roll without production, and draws that stay unknown."""
        rolled = [] if self._rolled is None else [msgspec.structs.replace(self._rolled, gains={})]
        return [*rolled, *self._draws.remaining_events()]

    def _begin(self, state: CatanCardsState) -> None:
        if not hasattr(self, "cards"):
            self.cards = StackedCards(state.box.copies)

    def _produce(self, board: CatanCardsState) -> list[ChanceEvent]:
        """The roll, with the production of each number on this board; without production after the end."""
        event, self._rolled = self._rolled, None
        if event is None:
            return []
        first, second = (
            ({}, {}) if board.phase is None else (production_by_number(board, 0), production_by_number(board, 1))
        )
        gains = {number: (first[int(number)], second[int(number)]) for number in event.odds} if first else {}
        return [msgspec.structs.replace(event, gains=gains)]

    def _play(self, before: CatanCardsState, move: CatanCardsMove, after: CatanCardsState) -> list[ChanceEvent]:
        """Follow the cards of a hand that a move lays open: built or used."""
        played = _open_cards(after) - _open_cards(before)
        if move.seat is None or not played:
            return []
        self.cards.known.move(HANDS[move.seat], OPEN, sorted(played.elements()))
        return self._draws.leave_out(move.seat)

    def _handle(self, before: CatanCardsState, move: CatanCardsMove, after: CatanCardsState) -> list[ChanceEvent]:
        """Follow the cards that a move does not lay open."""
        if moved := _moved(before, move):
            return self._move(*moved)
        match move:
            case Start():
                self.cards.deal([stack.size for stack in after.stacks])
            case Pick(seat=seat, stack=number, cards=cards):
                for card in sorted(cards, key=lambda card: card is None):
                    self.cards.take(STACK_PILES[number - 1], HANDS[seat], card)
            case Draw():
                return self._draw(move, after)
            case Confiscate(seat=seat, stack=number, cards=cards):
                self.cards.put_under(HANDS[1 - seat], STACK_PILES[number - 1], cards)
                return self._draws.leave_out(1 - seat)
            case Spy():
                return self._spy(before, move)
            case Show(seat=seat, cards=cards) | Hold(seat=seat, cards=cards):
                self.cards.known.see(HANDS[seat], cards)
                return self._draws.note(seat, after.hands[seat])
        return []

    def _draw(self, move: Draw, after: CatanCardsState) -> list[ChanceEvent]:
        """Follow a card from the top of a stack. It is no chance event if a player had put it there."""
        pile = STACK_PILES[move.stack - 1]
        odds, sample = self.cards.odds_of_top(pile, move.card), self.cards.known.sample
        self.cards.draw(pile, HANDS[move.seat], move.card)
        if odds is None:
            return self._draws.leave_out(move.seat)
        if move.card:
            outcome = move.card if move.card in odds else None
            return [ChanceEvent("draw", odds, outcome, move.seat, sample=sample)]
        return self._draws.draw(move.seat, [odds], after.hands[move.seat], sample=sample)

    def _spy(self, before: CatanCardsState, move: Spy) -> list[ChanceEvent]:
        """Follow a Spy: a card moves between hands, or the victim has no suitable card."""
        victim, own, known = HANDS[1 - move.seat], HANDS[move.seat], self.cards.known
        kinds = {card for card in CARDS if can_take(before, card)}
        if not move.taken:
            known.exclude(victim, kinds)
        elif move.card:
            known.move(victim, own, [move.card])
        else:
            known.move_one_of(victim, own, kinds)
        return [] if not move.taken else [*self._draws.leave_out(0), *self._draws.leave_out(1)]

    def _move(self, source: str, to: str, card: str | None) -> list[ChanceEvent]:
        """Follow a card from one pile to another; the names are those of rulings."""
        source, to = (OPEN if pile == "spent" else pile for pile in (source, to))
        if source in STACK_PILES and to in STACK_PILES:
            self.cards.take(source, BOX, None)  # a ruling says nothing of such a card
            self.cards.put_under(BOX, to, [card])
        elif source in STACK_PILES:
            self.cards.take(source, to, card)
        elif to in STACK_PILES:
            self.cards.put_under(source, to, [card])
        elif card:
            self.cards.known.move(source, to, [card])
        else:
            self.cards.known.move_unseen(source, to)
        return [event for pile in (source, to) if pile in HANDS for event in self._draws.leave_out(HANDS.index(pile))]


def _moved(before: CatanCardsState, move: CatanCardsMove) -> tuple[str, str, str | None] | None:
    """The source, the target and the card of a move that takes a chosen card from one pile to another."""
    match move:
        case Draw(search=True, seat=seat, stack=number, card=card):
            return STACK_PILES[number - 1], HANDS[seat], card
        case Return(seat=seat, stack=number, card=card):
            return HANDS[seat], STACK_PILES[number - 1], card
        case Strike(at=at):
            victim = owner(at)
            return OPEN, HANDS[victim], before.principalities[victim].sites[at]
    return None


def _before_production(after: CatanCardsState, effects: Sequence[Effect]) -> CatanCardsState:
    """The board without the gains of a roll."""
    board = after.copy()
    for effect in effects:
        if effect.kind == "stock.gained" and effect.rule in PRODUCTION and effect.seat is not None:
            board.principalities[effect.seat].stocks[effect.at[0]] -= effect.count or 0
    return board


def _open_cards(state: CatanCardsState) -> Counter[str]:
    """The cards on sites, and the used ones."""
    cards = Counter(state.spent)
    for own in state.principalities:
        cards.update(own.sites.values())
    return cards
