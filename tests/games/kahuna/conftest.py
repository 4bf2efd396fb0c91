"""Tables of Kahuna in one line, and words for what happens on them."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import pytest

from games.hidden import Hand
from games.kahuna import KAHUNA
from games.kahuna.adjustments import MoveCard
from games.kahuna.components import CARDS, ISLAND, ISLANDS, LINE, MAJORITIES, SEA
from games.kahuna.control import has_majority
from games.kahuna.state import SEATS
from tests.games.table import Table, held

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState


class KahunaTable(Table):
    """A table at which black and white sit."""

    ruleset = KAHUNA

    def name(self, seat: int) -> str:
        return SEATS[seat]

    def holder(self, island: str) -> str | None:
        return next((SEATS[seat] for seat in (0, 1) if self.state.stones[seat] >> ISLAND[island] & 1), None)

    def hand(self, seat: int) -> str:
        return held(self.state.hands[seat])


def _hand(cards: str) -> Hand:
    names = cards.split()
    return Hand(sorted(name for name in names if name != "?"), names.count("?"))


OPTIONS = {option.name for option in KAHUNA.options}


def _bridges(lines: str) -> int:
    return sum(1 << LINE[line] for line in lines.split())


@pytest.fixture
def new() -> KahunaTable:
    """A table before the cards are dealt."""
    return KahunaTable({}, None, 2)


@pytest.fixture
def table() -> Any:
    """Lay out a table in the middle of a game: pieces and cards as lists of names, options and fields by name."""

    def lay(
        black: str = "",
        white: str = "",
        ships: tuple[str, str] = ("", ""),
        hands: tuple[str, str] = ("? ? ?", "? ? ?"),
        row: str = "",
        **fields: Any,
    ) -> KahunaTable:
        options = {name: fields.pop(name) for name in OPTIONS & fields.keys()}
        t = KahunaTable(options, None, 2)
        state = t.state
        state.due, state.round = None, 1
        state.bridges = [_bridges(black), _bridges(white)]
        assert not state.bridges[0] & state.bridges[1]
        state.ships = [sum(1 << SEA[sea] for sea in seas.split()) for seas in ships]
        assert not state.ships[0] & state.ships[1]
        for seat in (0, 1):
            held = [island for island in range(len(MAJORITIES)) if has_majority(state, seat, island)]
            state.stones[seat] = sum(1 << island for island in held)
        state.hands = [_hand(hand) for hand in hands]
        state.row = [None if card == "?" else card for card in row.split()]
        state.deck = 24 - sum(len(hand) for hand in state.hands) - len(state.row)
        for name, value in fields.items():
            assert hasattr(state, name)
            setattr(state, name, copy(value))
        state.buried[0].unknown = 24 - sum(len(hand) for hand in state.hands) - len(state.row) - state.deck
        places = {SEATS[seat]: hand.cards() for seat, hand in enumerate(state.hands)} | {"row": state.row}
        state.told = [
            (0, MoveCard(source="deck", to=place, card=card)) for place, cards in places.items() for card in cards
        ]
        return t

    return lay


@pytest.fixture
def check() -> Any:
    """What is true of every state, also after irregular moves."""

    def holds(state: KahunaState) -> None:
        assert not state.bridges[0] & state.bridges[1]
        assert not state.ships[0] & state.ships[1]
        assert all(bridges.bit_count() <= 25 for bridges in state.bridges)
        for island in range(len(MAJORITIES)):
            for seat in (0, 1):
                lines = [line for name, line in LINE.items() if ISLANDS[island] in name]
                seas = [sea for name, sea in SEA.items() if ISLANDS[island] in name]
                own = sum(state.bridges[seat] >> line & 1 for line in lines)
                own += sum(state.ships[seat] >> sea & 1 for sea in seas)
                spaces = len(lines) + sum((state.ships[0] | state.ships[1]) >> sea & 1 for sea in seas)
                assert bool(state.stones[seat] >> island & 1) == (own > spaces / 2)
        piles = [*state.hands, *state.buried]
        if state.round:
            assert sum(map(len, piles)) + len(state.played) + len(state.row) + state.deck == len(CARDS)
        assert all(state.unlocated_copies(card) >= 0 for card in CARDS)
        for pile in piles:
            assert pile.unknown >= 0
            assert all(pile.open.count(card) <= pile.known.count(card) for card in CARDS)

    return holds
