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

    ruleset: ClassVar[Ruleset[Any, Any]]

    def __init__(self, options: Mapping[str, Any], components: JSON | None, seats: int) -> None:
        self.state = self.ruleset.open(options, components, seats)
        self.seats = seats

    def do(self, *lines: str) -> list[str]:
        """Play lines by the rules; say what followed the last one: `2 cards.drawn 3`."""
        effects: list[Effect] = []
        for line in lines:
            move = self.parse(line)
            self.ruleset.verify(self.state, move)
            effects = self.make(move)
        return self.words(effects)

    def force(self, line: str) -> list[str]:
        """Play a line whatever the rules say."""
        return self.words(self.make(self.parse(line)))

    def rule(self, text: str) -> list[str]:
        """Adjust the table as a ruling says; say what followed."""
        self.state.version += 1
        effects: list[Effect] = []
        for adjustment in adjustments.parse_all(self.ruleset, text):
            effects += self.ruleset.adjust(self.state, adjustment)
        return self.words(effects)

    def cannot_rule(self, text: str) -> str:
        """Why a ruling cannot be; make sure that nothing was changed by trying."""
        before = self.ruleset.copy(self.state)
        with pytest.raises(ImpossibleError) as error:
            self.ruleset.adjust(self.state, adjustments.parse(self.ruleset, text))
        assert self.state == before
        return str(error.value)

    def broken(self, line: str) -> dict[str, str]:
        """The rules that a line would break, with the reasons."""
        breaches = self.ruleset.breaches(self.state, self.parse(line))
        return {breach.rule.removeprefix(f"{self.ruleset.name}:"): breach.why for breach in breaches}

    def cannot(self, line: str) -> str:
        """Why a line cannot be, with the rule; make sure that nothing was changed by trying."""
        return self.cannot_be(self.parse(line))

    def cannot_be(self, move: Move) -> str:
        """Why a move cannot be, with the rule; make sure that it can be written, and that trying changed nothing."""
        before = self.ruleset.copy(self.state)
        list(self.ruleset.breaches(self.state, move))
        assert self.ruleset.notation(self.state, move)
        with pytest.raises(ImpossibleError) as error:
            self.ruleset.apply(self.state, move)
        assert self.state == before
        return str(error.value)

    def legal(self) -> list[str]:
        return [self.ruleset.notation(self.state, move) for move in self.ruleset.legal_moves(self.state)]

    def scores(self) -> list[int]:
        """The score of every seat, which is the sum of its lines."""
        sums = [0] * self.seats
        for line in self.ruleset.scores(self.state):
            sums[line.seat] += line.points
        assert self.ruleset.totals(self.state, self.seats) == sums
        return sums

    def hand(self, player: int) -> str:
        return held(self.state.hands[player - 1])

    def parse(self, line: str) -> Any:
        return self.ruleset.parse(self.state, line)

    def make(self, move: Move) -> list[Effect]:
        self.state.version += 1
        return self.ruleset.apply(self.state, move)

    def words(self, effects: list[Effect]) -> list[str]:
        return [" ".join(self.parts(effect)) for effect in effects]

    def parts(self, effect: Effect) -> list[str]:
        """The words of an effect: whom it concerns, its kind, where, and how much."""
        who = [] if effect.seat is None else [self.name(effect.seat)]
        return [*who, effect.kind, *effect.at, *([] if effect.count is None else [str(effect.count)])]

    def name(self, seat: int) -> str:
        return str(seat + 1)

    def attempt(self, move: Move) -> bool:
        """Make a move, whatever it is; whether it could be made. What cannot be changes nothing."""
        before = self.ruleset.copy(self.state)
        list(self.ruleset.breaches(self.state, move))
        assert self.state == before
        assert self.parse(self.ruleset.notation(self.state, move)) == move
        try:
            self.ruleset.apply(self.state, move)
        except ImpossibleError:
            assert self.state == before
            return False
        return True

    def stays_sane(
        self,
        anything: Callable[[Any, random.Random], Move],
        check: Callable[[Any], None],
        chance: random.Random,
        tries: int,
    ) -> int:
        """Try so many moves, whatever they are; how many could be made. After each, play can go on.

        Every tenth table is drawn, too.
        """
        made = 0
        for _ in range(tries):
            if self.attempt(anything(self.state, chance)):
                made += 1
                check(self.state)
                next(self.ruleset.legal_moves(self.state), None)
                if made % 10 == 1:
                    assert self.ruleset.picture(self.state)
                    assert self.ruleset.sketch(self.state)
        return made


def held(hand: Hand, short: Callable[[str], str] = str) -> str:
    """A hand in words: `BARI ? ?`."""
    return " ".join([*map(short, hand.known), *["?"] * hand.unknown])
