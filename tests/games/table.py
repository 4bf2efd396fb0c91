"""A table on which lines of notation are played, for the tests of every ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from games import adjustments
from games.errors import ImpossibleError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from games.contract import JSON, Effect, Move, Ruleset
    from games.hidden import Hand


class Table:
    """A game of one ruleset, newly opened. Players count from 1 in what it takes and tells."""

    ruleset: ClassVar[Ruleset]

    def __init__(self, options: Mapping[str, Any], components: JSON | None, seats: int) -> None:
        self.state = self.ruleset.open(options, components, seats)
        self.seats = seats

    def do(self, *lines: str) -> list[str]:
        """Play lines by the rules; say what followed the last one: `2 cards.drawn 3`."""
        effects: list[Effect] = []
        for line in lines:
            move = self.parse(line)
            self.state.verify(move)
            effects = self.make(move)
        return self.words(effects)

    def force(self, line: str) -> list[str]:
        """Play a line, legal or not."""
        return self.words(self.make(self.parse(line)))

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        return self.words(self.state.adjust(adjustments.parse_all(self.ruleset, text)))

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = self.state.copy()
        with pytest.raises(ImpossibleError) as error:
            self.state.adjust([adjustments.parse(self.ruleset, text)])
        assert self.state == before
        return str(error.value)

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = self.state.breaches(self.parse(line))
        return {breach.rule.removeprefix(f"{self.ruleset.name}:"): breach.why for breach in breaches}

    def cannot(self, line: str) -> str:
        """Why a line cannot be, with the rule; make sure that nothing was changed by trying."""
        return self.cannot_be(self.parse(line))

    def cannot_be(self, move: Move) -> str:
        """Why a move cannot be, with the rule; make sure that it can be written, and that trying changed nothing."""
        before = self.state.copy()
        list(self.state.breaches(move))
        assert self.state.notation(move)
        with pytest.raises(ImpossibleError) as error:
            self.state.apply(move)
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [self.state.notation(move) for move in self.state.legal_moves()]

    def off_turn(self) -> list[str]:
        """What can be entered beside the play."""
        return [self.state.notation(move) for move in self.state.off_turn_moves()]

    def scores(self) -> list[int]:
        """The score of every seat, which is the sum of its lines."""
        sums = [0] * self.state.seats
        for line in self.state.scores():
            sums[line.seat] += line.points
        assert self.state.totals() == sums
        return sums

    def hand(self, player: int) -> str:
        return held(self.state.hands[player - 1])

    def parse(self, line: str) -> Any:
        return self.state.parse(line)

    def make(self, move: Move) -> list[Effect]:
        effects: list[Effect] = self.state.apply(move)
        return effects

    def words(self, effects: list[Effect]) -> list[str]:
        return [" ".join(self.parts(effect)) for effect in effects]

    def parts(self, effect: Effect) -> list[str]:
        """The words of an effect: whom it concerns, its kind, where, and how much."""
        who = [] if effect.seat is None else [self.name(effect.seat)]
        return [*who, effect.kind, *effect.at, *([] if effect.count is None else [str(effect.count)])]

    def name(self, seat: int) -> str:
        return str(seat + 1)

    def attempt(self, move: Move) -> bool:
        """Make any move; whether it was possible. An impossible move changes nothing."""
        before = self.state.copy()
        list(self.state.breaches(move))
        assert self.state == before
        assert self.parse(self.state.notation(move)) == move
        try:
            self.state.apply(move)
        except ImpossibleError:
            assert self.state == before
            return False
        return True

    def try_random_moves(
        self,
        anything: Callable[[Any, random.Random], Move],
        check: Callable[[Any], None],
        chance: random.Random,
        tries: int,
    ) -> int:
        """Try so many arbitrary moves; the number of possible ones. After each, play can go on.

        Every tenth table is drawn, too.
        """
        made = 0
        for _ in range(tries):
            if self.attempt(anything(self.state, chance)):
                made += 1
                check(self.state)
                next(self.state.legal_moves(), None)
                if made % 10 == 1:
                    assert self.state.picture()
                    assert self.state.sketch()
        return made


def held(hand: Hand, short: Callable[[str], str] = str) -> str:
    """A hand in words: `BARI ? ?`."""
    return " ".join([*map(short, hand.known), *["?"] * hand.unknown])
