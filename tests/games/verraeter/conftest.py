"""Tables of Verräter in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.hidden import Hand
from games.verraeter import VERRAETER
from games.verraeter.components import CARDS, COPIES, HANDS, PLACES, SAMPLE, SUPPLY
from games.verraeter.state import Holding
from tests.games.table import Table

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

CIRCLE = "E-River R-Village E-Woods R-Meadow E-City R-Woods E-Wilderness R-River E-Meadow R-City E-Village R-Wilderness"


class VerraeterTable(Table):
    """A table with a conflict."""

    ruleset = VERRAETER

    def sums(self) -> list[str]:
        return self.state.describe()["conflict"]["strengths"]


@pytest.fixture
def new() -> Any:
    """A table at which nothing is laid out."""

    def open_(seats: int = 4, components: Any = SAMPLE, **options: Any) -> VerraeterTable:
        return VerraeterTable(options, components, seats)

    return open_


@pytest.fixture
def table(new: Any) -> Any:
    """A table in a round: houses from player 1, who starts; hands; estates and posts as `1e3` (player, side, land)."""

    def lay(
        houses: str = "ERER", cards: str = "", hands: str | None = None, components: Any = SAMPLE, **options: Any
    ) -> VerraeterTable:
        t = new(len(houses), components, **options)
        t.force(f"start 1 {houses}")
        t.do(f"lands {CIRCLE}")
        state = t.state
        for card in cards.split():
            state.holdings[int(card[2:]) - 1] = Holding(int(card[0]) - 1, "estate" if card[1] == "e" else "post")
        if hands:
            state.hands = [Hand(sorted(hand.replace("?", "")), hand.count("?")) for hand in hands.split()]
            state.pile = len(SUPPLY) - sum(map(len, state.hands))
            dealt = [(HANDS[seat], tuple(hand.cards()), seat) for seat, hand in enumerate(state.hands)]
            state.told = [(state.version, ("pile", place, cards, seer)) for place, cards, seer in dealt]
        state.due, state.round = "site", 1
        return t

    return lay


@pytest.fixture
def check() -> Any:
    """What is true of every state, also after irregular moves."""

    def holds(state: VerraeterState) -> None:
        if state.due not in {"start", "lands"}:
            laid = sum(len(cards) for cards in state.laid if cards)
            assert sum(map(len, state.hands)) + state.pile + len(state.discards) + laid == len(SUPPLY) == 23
        assert all(len(hand) <= 5 and hand.unknown >= 0 for hand in state.hands)
        assert all(hand.open.count(card) <= hand.known.count(card) for hand in state.hands for card in COPIES)
        assert all(state.unlocated_copies(card) >= 0 for card in COPIES)
        in_play = sum(1 for held in state.holdings if held)
        assert in_play + sum(map(state.reserve, range(state.seats))) == CARDS * state.seats
        assert all(0 <= state.reserve(seat) <= CARDS for seat in range(state.seats))
        assert len(state.lands) == len(state.owners) == len(state.holdings) == PLACES
        assert 0 <= state.strategy < state.seats

    return holds
