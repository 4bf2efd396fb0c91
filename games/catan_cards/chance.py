"""The events of chance in the card game: the dice, the event cards, and the cards from the top of a stack."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from games.catan_cards.components import DOUBLERS, SIDES_WITH, STORE
from games.catan_cards.moves.base import NUMBERS
from games.catan_cards.moves.building import Regions
from games.catan_cards.moves.duels import Duel
from games.catan_cards.moves.events import Happen, Roll
from games.catan_cards.moves.hand import Draw
from games.chance import DIE, drawn_events, with_fields
from games.contract import ChanceEvent, Title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.catan_cards.components import Land
    from games.catan_cards.moves import CatanCardsMove
    from games.catan_cards.state import CatanCardsState
    from games.contract import Effect, Move

CHANCES = {
    "event die": Title("the event die", "イヴェントダイス"),
    "production die": Title("the production die, and the resources that it brings", "生産ダイスと資源"),
    "duel": Title("dice of duels", "決闘のダイス"),
    "event card": Title("event cards", "イヴェントカード"),
    "region": Title("regions of new settlements", "新しい地域"),
    "draw": Title("expansion cards drawn unseen", "引いた拡大カード"),
}


def chances(
    state: CatanCardsState,
    move: CatanCardsMove,
    effects: Sequence[Effect],  # noqa: ARG001
) -> Iterable[ChanceEvent]:
    """The chance events of a move: dice, event cards, regions, and cards that are drawn without a search."""
    match move:
        case Roll():
            return _rolled(state, move)
        case Duel(seat=seat, number=number):
            return [
                ChanceEvent(
                    "duel", DIE, str(number), seat, with_outcome=lambda face: with_fields(move, number=int(face))
                )
            ]
        case Happen(card=card) if not state.events[0]:
            below = state.box.events
            odds = {each: below[each] - state.events.count(each) for each in below}
            return drawn_events("event card", odds, (card,), None, lambda cards: with_fields(move, card=cards[0]))
        case Regions(seat=seat, up=up, down=down) if not state.scouted and len(state.lands) > 1:
            lands = {str(land): land for land in (*state.lands, up, down)}
            odds = {name: state.lands.count(land) for name, land in lands.items()}
            return drawn_events("region", odds, (str(up), str(down)), seat, partial(_with_regions, move, lands))
        case Draw(search=False, seat=seat, card=card) if state.stacks[move.stack - 1].size > _put_under(state, move):
            odds = Counter(state.unlocated_cards())
            return drawn_events("draw", odds, (card,), seat, lambda cards: with_fields(move, card=cards[0]))
        case _:
            return ()


def _with_regions(move: Regions, lands: Mapping[str, Land], named: list[str | None]) -> Move:
    up, down = (lands[name or ""] for name in named)
    return with_fields(move, up=up, down=down)


def _put_under(state: CatanCardsState, draw: Draw) -> int:
    """The number of cards that were put under the stack. If only such cards are left, the top one has no odds."""
    return state.stacks[draw.stack - 1].under


def _rolled(state: CatanCardsState, roll: Roll) -> Iterator[ChanceEvent]:
    yield ChanceEvent(
        "event die", SIDES_WITH, roll.event, roll.seat, with_outcome=lambda face: with_fields(roll, event=face)
    )
    if not state.alchemist and roll.number:
        first, second = production_by_number(state, 0), production_by_number(state, 1)
        brings = {number: (first[int(number)], second[int(number)]) for number in DIE}
        yield ChanceEvent("production die", DIE, str(roll.number), roll.seat, brings, partial(_with_number, roll))


def _with_number(move: Move, number: str) -> Move:
    return with_fields(move, number=int(number))


def production_by_number(state: CatanCardsState, seat: int) -> dict[int, int]:
    """The production of each number by a player's regions at the time of the roll (catan_cards:30)."""
    own, gained = state.principalities[seat], dict.fromkeys(NUMBERS, 0)
    for place, land in own.regions.items():
        building = DOUBLERS.get(land.resource, "")
        doubled = building in own.sites.values() and own.neighbours(place, building)
        gained[land.number] += min(2 if doubled else 1, STORE - own.stocks[place])
    return gained
