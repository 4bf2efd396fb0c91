"""Tables of Manapani in one line, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games import adjustments
from games.errors import ImpossibleError
from games.hidden import Hand
from games.manapani import MANAPANI
from games.manapani.components import CARDS, COLOURS, TOP_LEVEL
from games.manapani.notation import short

if TYPE_CHECKING:
    from games.contract import Effect
    from games.manapani.state import ManapaniState

NAMES = {short(card): card for card in CARDS}
LAND = {"fire": 2, "water": 8, "wind": 14, "earth": 20}
"""A land of each element on the invented board; 6 and 18 are forts, 3, 9, 15 and 21 elementals, 12 is the sanctuary."""


class Table:
    """A table on which lines of notation are played. Players count from 1."""

    def __init__(self, state: ManapaniState) -> None:
        self.state = state

    def do(self, *lines: str) -> list[str]:
        """Play lines by the rules; say what followed the last one: `2 chip.gained red 1`."""
        effects: list[Effect] = []
        for line in lines:
            move = MANAPANI.parse(self.state, line)
            MANAPANI.verify(self.state, move)
            effects = self._apply(move)
        return [_words(effect) for effect in effects]

    def force(self, line: str) -> list[str]:
        """Play a line whatever the rules say."""
        return [_words(effect) for effect in self._apply(MANAPANI.parse(self.state, line))]

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = MANAPANI.breaches(self.state, MANAPANI.parse(self.state, line))
        return {breach.rule.removeprefix("manapani:"): breach.why for breach in breaches}

    def cannot(self, line: str) -> str:
        """Why a line cannot be, with the rule; make sure that nothing was changed by trying."""
        return self.cannot_be(MANAPANI.parse(self.state, line))

    def cannot_be(self, move: Any) -> str:
        """Why a move cannot be, with the rule; make sure that nothing was changed by trying."""
        before = MANAPANI.copy(self.state)
        list(MANAPANI.breaches(self.state, move))
        with pytest.raises(ImpossibleError) as error:
            MANAPANI.apply(self.state, move)
        assert self.state == before
        return str(error.value)

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        self.state.version += 1
        effects: list[Effect] = []
        for adjustment in adjustments.parse_all(MANAPANI, text):
            effects += MANAPANI.adjust(self.state, adjustment)
        return [_words(effect) for effect in effects]

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = MANAPANI.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            MANAPANI.adjust(self.state, adjustments.parse(MANAPANI, text))
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [MANAPANI.notation(self.state, move) for move in MANAPANI.legal_moves(self.state)]

    def hand(self, player: int) -> str:
        hand = self.state.hands[player - 1]
        return " ".join([*map(short, hand.known), *["?"] * hand.unknown])

    def chips(self, player: int) -> str:
        """A player's chips in hand as letters."""
        return letters(self.state.chips[player - 1])

    def land(self, place: int) -> tuple[int | None, int]:
        """Whose a land is, and its level."""
        owner = self.state.owners[place]
        return None if owner is None else owner + 1, self.state.levels[place]

    def at(self, player: int) -> int:
        return self.state.pawns[player - 1]

    def scores(self) -> list[int]:
        return MANAPANI.totals(self.state, self.state.seats)

    def _apply(self, move: Any) -> list[Effect]:
        self.state.version += 1
        return MANAPANI.apply(self.state, move)


def letters(chips: list[int]) -> str:
    return "".join(colour[0] * count for colour, count in zip(COLOURS, chips, strict=True))


def _words(effect: Effect) -> str:
    parts = [str(effect.seat + 1)] if effect.seat is not None else []
    parts += [effect.kind, *effect.at]
    return " ".join(parts + ([str(effect.count)] if effect.count is not None else []))


@pytest.fixture
def new() -> Any:
    """A table at which nothing is dealt."""

    def open_(seats: int = 2, components: Any = None, **options: Any) -> Table:
        return Table(MANAPANI.open(options, components, seats))

    return open_


@pytest.fixture
def table(new: Any) -> Any:
    """A table before player 1's roll.

    `hands` are cards by player (`Kobold ?`), `lands` owner and level by place, `held` chips by player, `pawns` places.
    """

    def lay(
        *hands: str, lands: dict[int, tuple[int, int]] | None = None, held: Any = (), pawns: Any = (), **opening: Any
    ) -> Table:
        t = new(max(2, len(hands), len(held)), opening.pop("components", None), **opening)
        t.do("start 1")
        state = t.state
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

    def begin(element: str, level: int, attack: str = "", defence: str = "", held: Any = None, **options: Any) -> Table:
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
        assert all(state.located(card) <= state.box.deck[card] for card in CARDS)
        points = sum(map(state.mana, range(state.seats))) + 5 * (state.taker is not None)
        assert sum(MANAPANI.totals(state, state.seats)) == points + sum(line.points for line in state.ruled)

    return holds
