"""Tables of Manapani in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.hidden import Hand
from games.manapani import MANAPANI
from games.manapani.components import CARDS, COLOURS, TOP_LEVEL
from games.manapani.notation import short_name
from tests.games.table import Table, held

if TYPE_CHECKING:
    from games.manapani.state import ManapaniState

NAMES = {short_name(card): card for card in CARDS}
LAND = {"fire": 2, "water": 8, "wind": 14, "earth": 20}
"""A land of each element on the invented board; 6 and 18 are forts, 3, 9, 15 and 21 elementals, 12 is the sanctuary."""


class ManapaniTable(Table):
    """A table with chips, lands and pawns."""

    ruleset = MANAPANI

    def hand(self, player: int) -> str:
        return held(self.state.hands[player - 1], short_name)

    def chips(self, player: int) -> str:
        """A player's chips in hand as letters."""
        return letters(self.state.chips[player - 1])

    def land(self, place: int) -> tuple[int | None, int]:
        """The owner of a land, and its level."""
        owner = self.state.owners[place]
        return None if owner is None else owner + 1, self.state.levels[place]

    def at(self, player: int) -> int:
        return self.state.pawns[player - 1]


def letters(chips: list[int]) -> str:
    return "".join(colour[0] * count for colour, count in zip(COLOURS, chips, strict=True))


@pytest.fixture
def new() -> Any:
    """A table at which nothing is dealt."""

    def open_(seats: int = 2, components: Any = None, **options: Any) -> ManapaniTable:
        return ManapaniTable(options, components, seats)

    return open_


@pytest.fixture
def table(new: Any) -> Any:
    """A table before player 1's roll.

    `hands` are cards by player (`Kobold ?`), `lands` owner and level by place, `held` chips by player, `pawns` places.
    """

    def lay(
        *hands: str, lands: dict[int, tuple[int, int]] | None = None, held: Any = (), pawns: Any = (), **opening: Any
    ) -> ManapaniTable:
        t = new(max(2, len(hands), len(held)), opening.pop("components", None), **opening)
        t.do("start 1")
        state = t.state
        state.told = []  # these hands were not dealt
        for seat, hand in enumerate(hands):
            known = [NAMES[card] for card in hand.split() if card != "?"]
            state.hands[seat] = Hand(sorted(known), hand.count("?"))
        state.pile = state.box.cards - sum(map(len, state.hands))
        for seat, purse in enumerate(held):
            state.chips[seat] = [purse.count(colour[0]) for colour in COLOURS]
        for place, (owner, level) in (lands or {}).items():
            state.owners[place], state.levels[place] = owner - 1, level
        for seat, place in enumerate(pawns):
            state.pawns[seat] = place
        state.source = [state.options.chips - out for out in in_play(state)]
        return t

    return lay


@pytest.fixture
def fight(table: Any) -> Any:
    """Player 1 attacks a land of player 2 with all cards of both hands, which are turned up."""

    def begin(
        element: str, level: int, attack: str = "", defence: str = "", held: Any = None, **options: Any
    ) -> ManapaniTable:
        place = LAND[element]
        held = held or ["rrrrrbbbbbyyyyygggggw"] * 2
        t = table(attack, defence, lands={place: (2, level)}, held=held, pawns=[place - 2], **options)
        t.do("roll 1 1", f"attack {len(attack.split())}", f"defend {len(defence.split())}")
        if attack or defence:
            t.do(f"reveal {attack} / {defence}")
        return t

    return begin


def in_play(state: ManapaniState) -> list[int]:
    """How many chips of each colour lie in hands and on lands."""
    out = [sum(chips[colour] for chips in state.chips) for colour in range(len(COLOURS))]
    for place in state.box.lands:
        out[state.box.colours[place]] += state.levels[place]
    return out


@pytest.fixture
def check() -> Any:
    """What is true of every state, also after irregular moves."""

    def holds(state: ManapaniState) -> None:
        total = [have + out for have, out in zip(state.source, in_play(state), strict=True)]
        assert total == [state.options.chips] * len(COLOURS)
        assert min(state.source) >= 0
        assert all(count >= 0 for chips in state.chips for count in chips)
        for place, level in enumerate(state.levels):
            assert 0 <= level <= TOP_LEVEL
            assert (level == 0) == (state.owners[place] is None)
            assert level == 0 or place in state.box.lands
        laid = len(state.fight.cards) if state.fight else 0
        assert state.pile + len(state.discards) + sum(map(len, state.hands)) + laid == state.box.cards
        assert all(hand.unknown >= 0 for hand in [*state.hands, state.discards])
        assert all(state.unlocated_copies(card) >= 0 for card in CARDS)
        points = sum(map(state.mana, range(state.seats))) + 5 * (state.taker is not None)
        assert sum(state.totals()) == points + sum(line.points for line in state.ruled)

    return holds
