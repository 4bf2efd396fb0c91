"""What can be known of the cards of a game of Kahuna, followed move by move, and the odds of each card that comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import ChanceEvent
from games.kahuna.adjustments import MoveCard
from games.kahuna.components import COPIES_OF
from games.kahuna.moves.building import Build, Remove
from games.kahuna.moves.cards import Discard, Draw, Show, Take
from games.kahuna.moves.sailing import Launch
from games.kahuna.moves.setup import Deal, Row
from games.knowledge import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Adjustment
    from games.kahuna.moves import KahunaMove
    from games.kahuna.state import KahunaState

HANDS = ("black", "white")
BURIED = ("unseen-black", "unseen-white")
PLACES = ("deck", "row", "discards", *HANDS, *BURIED)
"""The places of cards, as rulings name them."""
SHUFFLES = 3
"""Each round begins with one."""


class KahunaWatch:
    """Follows a game as it is seen from a viewpoint. Moves and states have to be as they are seen from there."""

    def __init__(self) -> None:
        """Before the deal."""
        self.cards = Knowledge(COPIES_OF, PLACES, "deck", SHUFFLES)

    def follow(self, before: KahunaState, move: KahunaMove, after: KahunaState) -> list[ChanceEvent]:
        """What the move tells, and the cards that chance brought by it, with their odds.

        An event without odds is one whose odds are not known exactly.
        """
        events = list(self._told(before, move))
        if after.round > before.round > 0:
            self.cards.shuffle(["row", "discards", *BURIED], "deck")
        return events

    def rule(self, before: KahunaState, adjustments: Sequence[Adjustment]) -> None:
        """What a ruling moves."""
        row = [card for card in before.row if card]
        for change in adjustments:
            if isinstance(change, MoveCard):
                self._put(change, row)

    def _put(self, change: MoveCard, row: list[str]) -> None:
        """A card goes to another place; `row` are the cards that are known to lie in the row, and is kept so."""
        if change.card:
            self.cards.move(change.source, change.to, [change.card])
        elif change.source == "row":
            self._move_unnoted(row, change.to)
        else:
            self.cards.move_unseen(change.source, change.to)
        if change.source == "row" and change.card in row:
            row.remove(change.card)
        if change.to == "row" and change.card:
            row.append(change.card)

    def _told(self, before: KahunaState, move: KahunaMove) -> Iterator[ChanceEvent]:
        match move:
            case Deal():
                yield from self._deal(move)
            case Row(cards=cards) if before.due == "row":
                yield from self._come("row", None, "row", cards)
            case Row(cards=cards):
                self.cards.see("row", [card for card in cards if card])
            case Build(seat=seat, card=card):
                self.cards.move(HANDS[seat], "discards", [card])
            case Remove(seat=seat, cards=cards) | Launch(seat=seat, cards=cards):
                self.cards.move(HANDS[seat], "discards", cards)
            case Discard(seat=seat, count=count, cards=cards):
                self.cards.move(HANDS[seat], BURIED[seat], cards)
                self.cards.move_unseen(HANDS[seat], BURIED[seat], count - len(cards))
            case Show(seat=seat, cards=cards):
                self.cards.see(HANDS[seat], cards)
            case Take():
                yield from self._take(before, move)
            case Draw(seat=seat, card=card):
                yield from self._come("draw", seat, HANDS[seat], (card,))

    def _deal(self, deal: Deal) -> Iterator[ChanceEvent]:
        yield from self._come("row", None, "row", deal.row)
        for seat, hand in enumerate(deal.hands):
            yield from self._come("draw", seat, HANDS[seat], (*hand, None, None, None)[:3])

    def _take(self, before: KahunaState, take: Take) -> Iterator[ChanceEvent]:
        """An unknown card that was not noted is one of those in the row that are not known."""
        hand = HANDS[take.seat]
        if take.card:
            self.cards.move("row", hand, [take.card])
        else:
            self._move_unnoted([card for card in before.row if card], hand)
        if before.deck:
            yield from self._come("row", None, "row", (take.refill,))

    def _move_unnoted(self, known: Sequence[str], target: str) -> None:
        """A card that was not noted leaves the row. The known ones stay, so they are set aside meanwhile."""
        self.cards.move("row", "discards", known)
        self.cards.move_unseen("row", target)
        self.cards.move("discards", "row", known)

    def _come(self, kind: str, seat: int | None, place: str, cards: Sequence[str | None]) -> Iterator[ChanceEvent]:
        """Cards of the deck, one after the other, None being one that was not seen."""
        for card in cards:
            odds = self.cards.odds("deck")
            yield ChanceEvent(kind, odds, card if card in odds else None, seat)
            if card:
                self.cards.turn_up("deck", place, card)
            else:
                self.cards.move_unseen("deck", place)
