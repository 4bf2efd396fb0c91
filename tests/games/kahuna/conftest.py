"""Tables of Kahuna in one line, and words for what happens on them."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import pytest

from games import adjustments
from games.errors import ImpossibleError
from games.hidden import Hand
from games.kahuna import KAHUNA
from games.kahuna.components import CARDS, ISLAND, ISLANDS, LINE, MAJORITIES, SEA
from games.kahuna.control import has_majority
from games.kahuna.effects import SEATS

if TYPE_CHECKING:
    from games.contract import Effect
    from games.kahuna.state import KahunaState


class Table:
    """A table on which lines of notation are played."""

    def __init__(self, state: KahunaState) -> None:
        self.state = state

    def do(self, *lines: str) -> list[str]:
        """Play lines by the rules; say what followed the last one: `white island.gained BARI`."""
        effects: list[Effect] = []
        for line in lines:
            move = KAHUNA.parse(self.state, line)
            KAHUNA.verify(self.state, move)
            effects = self._apply(move)
        return [_words(effect) for effect in effects]

    def force(self, line: str) -> list[str]:
        """Play a line whatever the rules say."""
        return [_words(effect) for effect in self._apply(KAHUNA.parse(self.state, line))]

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        self.state.version += 1
        effects: list[Effect] = []
        for adjustment in adjustments.parse_all(KAHUNA, text):
            effects += KAHUNA.adjust(self.state, adjustment)
        return [_words(effect) for effect in effects]

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = KAHUNA.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            KAHUNA.adjust(self.state, adjustments.parse(KAHUNA, text))
        assert self.state == before
        return str(error.value)

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = KAHUNA.breaches(self.state, KAHUNA.parse(self.state, line))
        return {breach.rule.removeprefix("kahuna:"): breach.why for breach in breaches}

    def cannot(self, line: str) -> str:
        """Why a line cannot be, with the rule; make sure that nothing was changed by trying."""
        before = KAHUNA.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            KAHUNA.apply(self.state, KAHUNA.parse(self.state, line))
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [KAHUNA.notation(self.state, move) for move in KAHUNA.legal_moves(self.state)]

    def holder(self, island: str) -> str | None:
        return next((SEATS[seat] for seat in (0, 1) if self.state.stones[seat] >> ISLAND[island] & 1), None)

    def hand(self, seat: int) -> str:
        hand = self.state.hands[seat]
        return " ".join([*hand.known, *["?"] * hand.unknown])

    def _apply(self, move: Any) -> list[Effect]:
        self.state.version += 1
        return KAHUNA.apply(self.state, move)


def _words(effect: Effect) -> str:
    parts = [SEATS[effect.seat]] if effect.seat is not None else []
    parts += [effect.kind, *effect.at]
    return " ".join(parts + ([str(effect.count)] if effect.count is not None else []))


def _hand(cards: str) -> Hand:
    names = cards.split()
    return Hand(sorted(name for name in names if name != "?"), names.count("?"))


OPTIONS = {option.name for option in KAHUNA.options}


def _bridges(lines: str) -> int:
    return sum(1 << LINE[line] for line in lines.split())


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
    ) -> Table:
        options = {name: fields.pop(name) for name in OPTIONS & fields.keys()}
        state = KAHUNA.open(options, None, 2)
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
        return Table(state)

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
        assert all(state.located(card) <= 2 for card in CARDS)
        for pile in piles:
            assert pile.unknown >= 0
            assert all(pile.open.count(card) <= pile.known.count(card) for card in CARDS)

    return holds
