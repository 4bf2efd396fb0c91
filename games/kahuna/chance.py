"""What chance decides in Kahuna: the cards that come from the deck, to hands and into the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.chance import drawn
from games.contract import Title
from games.kahuna.components import COPIES_OF, ISLANDS
from games.kahuna.moves.cards import Draw, Take
from games.kahuna.moves.setup import Deal, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.contract import ChanceEvent, Effect
    from games.kahuna.moves import KahunaMove
    from games.kahuna.state import KahunaState

CHANCES = {
    "row": Title("cards laid into the row", "場に出たカード"),
    "draw": Title("cards drawn unseen", "山札から引いたカード"),
}


def chances(state: KahunaState, move: KahunaMove, effects: Sequence[Effect]) -> Iterable[ChanceEvent]:  # noqa: ARG001
    """The cards that come from the deck by a move. A row that is looked at again brings nothing new."""
    match move:
        case Deal(row=row, hands=hands):
            return _dealt(row, hands)
        case Row(cards=cards) if state.due == "row":
            return drawn("row", in_deck(state), cards, None)
        case Take(refill=refill) if state.deck:
            return drawn("row", in_deck(state), (refill,), None)
        case Draw(seat=seat, card=card):
            return drawn("draw", in_deck(state), (card,), seat)
        case _:
            return ()


def _dealt(row: Sequence[str | None], hands: Sequence[Sequence[str]]) -> Iterator[ChanceEvent]:
    left = dict(COPIES_OF)
    for kind, seat, cards in (("row", None, row), ("draw", 0, hands[0]), ("draw", 1, hands[1])):
        yield from drawn(kind, left, [*cards, *[None] * (3 - len(cards))], seat)
        for card in filter(None, cards):
            left[card] -= 1


def in_deck(state: KahunaState) -> Mapping[str, int]:
    """The odds of the next card of the deck: all that are not known to lie anywhere are as likely to be there.

    But after a shuffle a card that nobody showed may have stayed in a hand, and one that was shuffled did not: of the
    cards that may have stayed, as many are in hands as were not seen since.
    """
    lying = state.lying()
    loose = {card: COPIES_OF[card] - lying.count(card) for card in ISLANDS}
    told = state.shuffled
    if told is None:
        return loose
    stayed = sum(min(old, hand.unknown) for old, hand in zip(told.old, state.hands, strict=True))
    noted = {card: sum(hand.known.count(card) - hand.open.count(card) for hand in state.hands) for card in ISLANDS}
    can_stay = {
        card: min(count, max(0, told.kept.get(card, 0) - noted[card])) for card, count in loose.items() if count > 0
    }
    among = sum(can_stay.values())
    if not stayed or among < stayed:
        return loose
    return {card: loose[card] * among - count * stayed for card, count in can_stay.items()}
