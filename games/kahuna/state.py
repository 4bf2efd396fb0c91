"""A game of Kahuna at one moment."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Literal

from games.contract import Outcome, ScoreLine, State
from games.hidden import Hand, Shuffled
from games.kahuna.components import COPIES, LINES_AT, SEAS_AT, SPACES
from games.kahuna.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Viewpoint


class KahunaState(State):
    """Everything that lies on the table. Lists of two go by seat; sets of lines, islands and seas are bit masks.

    `played` are the discards that everybody saw, `buried` those of each seat that nobody else did. None in the row is
    a card that was not noted. `shuffled` is what is known of hands since the cards of a round were shuffled. `due` is
    what the table has to do before play goes on, `last_turns` are the seats that still have their turn after the last
    card (ROUND-4). `plays` counts the cards played in this turn, and `sailed` is whether a ship was moved in it.
    `counted` are both seats' bridges when the game ended by points.
    """

    options: Options
    bridges: list[int]
    stones: list[int]
    ships: list[int]
    hands: list[Hand]
    buried: list[Hand]
    played: list[str]
    row: list[str | None]
    deck: int
    shuffled: Shuffled | None
    due: Literal["deal", "row"] | None
    round: int
    turn: int
    must_draw: bool
    plays: int
    sailed: bool
    last_turns: list[int]
    lines: list[ScoreLine]
    counted: list[int]
    outcome: Outcome | None

    @classmethod
    def new(cls, options: Options) -> KahunaState:
        """The table before the cards are dealt."""
        return cls(
            options=options,
            bridges=[0, 0],
            stones=[0, 0],
            ships=[0, 0],
            hands=[Hand(), Hand()],
            buried=[Hand(), Hand()],
            played=[],
            row=[],
            deck=0,
            shuffled=None,
            due="deal",
            round=0,
            turn=0,
            must_draw=False,
            plays=0,
            sailed=False,
            last_turns=[],
            lines=[],
            counted=[],
            outcome=None,
        )

    def located(self, card: str) -> int:
        """How many of the island's cards are known to lie somewhere."""
        held = sum(pile.known.count(card) for pile in (*self.hands, *self.buried))
        return held + self.played.count(card) + self.row.count(card)

    def at_large(self, card: str) -> int:
        """How many of the island's cards can be among the unknown ones."""
        return COPIES - self.located(card)

    def can_have(self, seat: int, cards: Sequence[str]) -> bool:
        """Whether cards can have come to a hand, by what lay open when the cards of a round were shuffled."""
        if self.shuffled is None or not self.hands[seat].lacking(cards):
            return True
        return self.shuffled.test(seat, self.hands[seat])(cards)

    def spaces(self, island: int) -> int:
        """How many spaces an island has: its lines, and one more for every ship at it."""
        return SPACES[island] + ((self.ships[0] | self.ships[1]) & SEAS_AT[island]).bit_count()

    def strength(self, seat: int, island: int) -> int:
        """How many spaces of an island a seat has: by bridges, and by ships in the seas at it."""
        bridges = (self.bridges[seat] & LINES_AT[island]).bit_count()
        return bridges + (self.ships[seat] & SEAS_AT[island]).bit_count()

    def held(self, seat: int) -> int:
        """How many islands a seat holds."""
        return self.stones[seat].bit_count()


def copy_state(state: KahunaState) -> KahunaState:
    """An independent copy. Score lines and outcomes never change and are shared."""
    twin = copy.copy(state)
    twin.bridges = state.bridges.copy()
    twin.stones = state.stones.copy()
    twin.ships = state.ships.copy()
    twin.hands = [hand.copy() for hand in state.hands]
    twin.buried = [pile.copy() for pile in state.buried]
    twin.played = state.played.copy()
    twin.row = state.row.copy()
    twin.shuffled = state.shuffled.copy() if state.shuffled else None
    twin.last_turns = state.last_turns.copy()
    twin.lines = state.lines.copy()
    twin.counted = state.counted.copy()
    return twin


def view(state: KahunaState, viewpoint: Viewpoint) -> KahunaState:
    """A copy that holds only what may be known from there."""
    twin = copy_state(state)
    for seat in (0, 1):
        if not viewpoint.sees(seat):
            twin.hands[seat] = state.hands[seat].hidden()
            twin.buried[seat] = state.buried[seat].hidden()
    return twin
