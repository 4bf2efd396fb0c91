"""Tables of Verräter in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games import adjustments
from games.errors import ImpossibleError
from games.hidden import Hand
from games.verraeter import VERRAETER
from games.verraeter.components import CARDS, COPIES, PLACES, SAMPLE, SUPPLY
from games.verraeter.state import Holding

if TYPE_CHECKING:
    from games.contract import Effect
    from games.verraeter.state import VerraeterState

CIRCLE = "E-River R-Village E-Woods R-Meadow E-City R-Woods E-Wilderness R-River E-Meadow R-City E-Village R-Wilderness"


class Table:
    """A table on which lines of notation are played."""

    def __init__(self, state: VerraeterState) -> None:
        self.state = state

    def do(self, *lines: str) -> list[str]:
        """Play lines by the rules; say what followed the last one: `2 cards.drawn 3`, players from 1."""
        effects: list[Effect] = []
        for line in lines:
            move = VERRAETER.parse(self.state, line)
            VERRAETER.verify(self.state, move)
            effects = self._apply(move)
        return [_words(effect) for effect in effects]

    def force(self, line: str) -> list[str]:
        """Play a line whatever the rules say."""
        return [_words(effect) for effect in self._apply(VERRAETER.parse(self.state, line))]

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        self.state.version += 1
        effects: list[Effect] = []
        for adjustment in adjustments.parse_all(VERRAETER, text):
            effects += VERRAETER.adjust(self.state, adjustment)
        return [_words(effect) for effect in effects]

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = VERRAETER.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            VERRAETER.adjust(self.state, adjustments.parse(VERRAETER, text))
        assert self.state == before
        return str(error.value)

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = VERRAETER.breaches(self.state, VERRAETER.parse(self.state, line))
        return {breach.rule.removeprefix("verraeter:"): breach.why for breach in breaches}

    def cannot(self, line: str) -> str:
        """Why a line cannot be, with the rule; make sure that nothing was changed by trying."""
        return self.cannot_be(VERRAETER.parse(self.state, line))

    def cannot_be(self, move: Any) -> str:
        """Why a move cannot be, with the rule; make sure that nothing was changed by trying."""
        before = VERRAETER.copy(self.state)
        list(VERRAETER.breaches(self.state, move))
        with pytest.raises(ImpossibleError) as error:
            VERRAETER.apply(self.state, move)
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [VERRAETER.notation(self.state, move) for move in VERRAETER.legal_moves(self.state)]

    def hand(self, player: int) -> str:
        hand = self.state.hands[player - 1]
        return " ".join([*hand.known, *["?"] * hand.unknown])

    def scores(self) -> list[int]:
        return VERRAETER.totals(self.state, self.state.seats)

    def sums(self) -> list[str]:
        return VERRAETER.describe(self.state)["conflict"]["strengths"]

    def _apply(self, move: Any) -> list[Effect]:
        self.state.version += 1
        return VERRAETER.apply(self.state, move)


def _words(effect: Effect) -> str:
    parts = [str(effect.seat + 1)] if effect.seat is not None else []
    parts += [effect.kind, *effect.at]
    return " ".join(parts + ([str(effect.count)] if effect.count is not None else []))


@pytest.fixture
def new() -> Any:
    """A table at which nothing is laid out."""

    def open_(seats: int = 4, components: Any = SAMPLE, **options: Any) -> Table:
        return Table(VERRAETER.open(options, components, seats))

    return open_


@pytest.fixture
def table(new: Any) -> Any:
    """A table in a round: houses from player 1, who starts; hands; estates and posts as `1e3` (player, side, land)."""

    def lay(
        houses: str = "ERER", cards: str = "", hands: str | None = None, components: Any = SAMPLE, **options: Any
    ) -> Table:
        t = new(len(houses), components, **options)
        t.force(f"start 1 {houses}")
        t.do(f"lands {CIRCLE}")
        state = t.state
        for card in cards.split():
            state.holdings[int(card[2:]) - 1] = Holding(int(card[0]) - 1, "estate" if card[1] == "e" else "post")
        if hands:
            state.hands = [Hand(sorted(hand.replace("?", "")), hand.count("?")) for hand in hands.split()]
            state.pile = len(SUPPLY) - sum(map(len, state.hands))
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
        assert all(state.located(card) <= copies for card, copies in COPIES.items())
        in_play = sum(1 for held in state.holdings if held)
        assert in_play + sum(map(state.reserve, range(state.seats))) == CARDS * state.seats
        assert all(0 <= state.reserve(seat) <= CARDS for seat in range(state.seats))
        assert len(state.lands) == len(state.owners) == len(state.holdings) == PLACES
        assert 0 <= state.strategy < state.seats

    return holds
