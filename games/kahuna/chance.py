"""The events of chance in Kahuna: the cards from the deck, to hands and into the row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.chance import dealt_events, drawn_events, remaining_odds, with_fields
from games.contract import Title
from games.kahuna.components import COPIES_OF, ISLANDS
from games.kahuna.moves.cards import Draw, Take
from games.kahuna.moves.setup import Deal, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.contract import ChanceEvent, Effect, Move
    from games.kahuna.moves import KahunaMove
    from games.kahuna.state import KahunaState

CHANCES = {
    "row": Title("cards laid into the row", "場に出たカード"),
    "draw": Title("cards drawn unseen", "山札から引いたカード"),
}

ROW = [("row", None)] * 3
DEALT = ROW + [("draw", 0)] * 3 + [("draw", 1)] * 3
"""The dealt cards, in this order, with their receivers."""


def chances(state: KahunaState, move: KahunaMove, effects: Sequence[Effect]) -> Iterable[ChanceEvent]:  # noqa: ARG001
    """The cards that come from the deck in a move. A row that is only looked at again has none."""
    match move:
        case Deal():
            return _dealt(move)
        case Row(cards=cards) if state.due == "row":
            return dealt_events(ROW, partial(in_deck, state), cards, lambda row: with_fields(move, cards=tuple(row)))
        case Take(refill=refill) if state.deck:
            return drawn_events(
                "row", in_deck(state), (refill,), None, lambda cards: with_fields(move, refill=cards[0])
            )
        case Draw(seat=seat, card=card):
            return drawn_events("draw", in_deck(state), (card,), seat, lambda cards: with_fields(move, card=cards[0]))
        case _:
            return ()


def _dealt(deal: Deal) -> Iterator[ChanceEvent]:
    cards = [*deal.row, *(card for hand in deal.hands for card in (*hand, None, None, None)[:3])]
    return dealt_events(DEALT, partial(remaining_odds, COPIES_OF), cards, partial(_deal_with, deal))


def _deal_with(deal: Deal, cards: list[str | None]) -> Move:
    hands = (tuple(filter(None, cards[start : start + 3])) for start in (3, 6))
    return with_fields(deal, row=tuple(cards[:3]), hands=tuple(hands))


def in_deck(state: KahunaState, gone: Sequence[str] = ()) -> Mapping[str, int]:
    """The odds of the next card of the deck, when some are `gone` from it.

    All cards without a known place are equally likely. But after a shuffle, a card that nobody showed may have stayed
    in a hand, and a shuffled card did not. So hands hold as many of the cards that may have stayed as nobody has seen
    since.
    """
    loose, told = remaining_odds(state.unlocated_counts(), gone), state.shuffled
    stayed = sum(min(old, hand.unknown) for old, hand in zip(told.old, state.hands, strict=True)) if told else 0
    if not stayed or told is None:
        return loose
    noted = {card: sum(hand.known.count(card) - hand.open.count(card) for hand in state.hands) for card in ISLANDS}
    can_stay = {
        card: min(count, max(0, told.kept.get(card, 0) - noted[card])) for card, count in loose.items() if count > 0
    }
    among = sum(can_stay.values())
    if among < stayed:
        return loose
    return {card: loose[card] * among - count * stayed for card, count in can_stay.items()}
